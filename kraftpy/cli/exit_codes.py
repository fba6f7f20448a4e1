"""The exit codes of the process: one table, shown by ``kraftpy --help`` and in ``docs/cli.md``."""

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
        """The meaning of the code, for scripts."""
        return MEANINGS[self]


MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.FAILURE: "failed; one line on stderr gives the reason",
    ExitCode.USAGE: "usage error; nothing was done",
    ExitCode.FINDINGS: "found corruption, violated rules, differences or problems; or `--dry-run`: would be refused",
    ExitCode.UNREACHABLE: "no controller responded in time",
    ExitCode.INCOMPLETE: (
        "incomplete: not all input could be read (stderr gives the reason), or not all nodes have restarted"
    ),
    ExitCode.INTERRUPTED: "interrupted (SIGINT)",
    ExitCode.READER_LEFT: "the reader of the output, or of a node's log, exited first (SIGPIPE)",
    ExitCode.TERMINATED: "terminated (SIGTERM)",
}
