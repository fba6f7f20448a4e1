"""What the process's exit code says. One table, shown by ``kraftpy --help`` and in ``docs/cli.md``."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """How a command ended."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    FINDINGS = 3
    UNREACHABLE = 4
    INCOMPLETE = 5
    INTERRUPTED = 130
    READER_LEFT = 141
    TERMINATED = 143

    @property
    def meaning(self) -> str:
        """Say in a few words what a script may conclude."""
        return MEANINGS[self]


MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.FAILURE: "refused or failed; one line on stderr says why",
    ExitCode.USAGE: "the command line was wrong; nothing was done",
    ExitCode.FINDINGS: "the command ran and found damage, broken rules or differences",
    ExitCode.UNREACHABLE: "no controller could be reached in time",
    ExitCode.INCOMPLETE: "answered from what could be read; stderr says up to where, and what is in the way",
    ExitCode.INTERRUPTED: "stopped by Ctrl-C",
    ExitCode.READER_LEFT: "who read the output, or a node's log, left before its end",
    ExitCode.TERMINATED: "stopped by SIGTERM",
}
