"""The operator's command that restarts a node: words with places for the node, run without a shell.

What is put into the places comes from the cluster, so a host has to look like one: ``ssh {host}`` must not get an
option instead. The command runs in a session of its own: Ctrl-C at the terminal does not end it halfway.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from kraftpy.cli.errors import ArgumentError, CommandError
from kraftpy.model.escaping import shortened
from kraftpy.quorum_tools.rolling import RollNode
from kraftpy.runtime.clock import SystemClock

COMMAND_CHARACTERS_MAX: Final = 10_000
"""How long a command may be before the node is put into it."""

HOST_CHARACTERS_MAX: Final = 255
"""How long the name of a host may be: that of DNS."""

POLL_S: Final = 0.1
END_S: Final = 5.0
"""How long a command that takes too long has to end after SIGTERM."""

PLACES: Final = ("host", "id", "role")
"""What may be in braces."""

STDERR: Final = 2
"""Where the output of the command goes: standard output is for the answer of ours."""

_PLACE: Final = re.compile(r"\{(\w+)\}")
_HOST: Final = re.compile(r"[A-Za-z0-9_:][A-Za-z0-9_.:%-]*")


@dataclass(frozen=True, slots=True)
class RestartCommand:
    """The words of a command, with places in braces."""

    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> RestartCommand:
        """Split a command as a shell does, without executing one.

        Raises:
            ArgumentError: it is empty, too long, ends within a quotation, or has an unknown place.
        """
        if len(text) > COMMAND_CHARACTERS_MAX:
            raise ArgumentError(
                f"--restart has {len(text)} characters, and at most {COMMAND_CHARACTERS_MAX} are taken: write a script"
            )
        try:
            words = tuple(shlex.split(text))
        except ValueError as error:
            raise ArgumentError(f"--restart {shortened(repr(text), 80)} cannot be split into words: {error}") from error
        if not words or not words[0]:
            raise ArgumentError(
                "--restart is empty: give a command such as 'ssh {host} systemctl restart kraftpy@{id}'"
            )
        for word in words:
            for name in _PLACE.findall(word):
                if name not in PLACES:
                    known = ", ".join(f"{{{each}}}" for each in PLACES)
                    raise ArgumentError(f"--restart has {{{name[:40]}}}, which is none of {known}")
        return cls(words)

    def check_program(self) -> None:
        """Check that there is a program of this name, unless a node is part of it.

        Raises:
            ArgumentError: there is none.
        """
        program = self.words[0]
        if not _PLACE.search(program) and shutil.which(program) is None:
            raise ArgumentError(f"--restart: there is no program {shortened(repr(program), 80)}; give its path")

    def for_node(self, node: RollNode) -> tuple[str, ...]:
        """Put a node into the places.

        Raises:
            CommandError: what the cluster has of the node must not become an argument.
        """
        return tuple(_PLACE.sub(lambda match: _value(match[1], node), word) for word in self.words)


def _value(name: str, node: RollNode) -> str:
    if name != "host":
        return node.role if name == "role" else str(node.node_id)
    if len(node.host) > HOST_CHARACTERS_MAX or not _HOST.fullmatch(node.host):
        raise CommandError(
            f"node {node.node_id} is registered at {shortened(repr(node.host), 80)}, and no host has such a name: it "
            "is not put in place of {host}; let a script choose by {id}"
        )
    return node.host


def run_words(words: tuple[str, ...], timeout_s: float, *, hurry: Callable[[], bool]) -> int:
    """Run a command to its end; return its exit code, below 0 for a signal that ended it.

    Args:
        words: the program and its arguments.
        timeout_s: how long it may take.
        hurry: whether it is to be ended now.

    Raises:
        CommandError: it could not be started, or took too long; then it was ended, with everything that it had started
            in its session.
    """
    clock = SystemClock()
    try:
        process = subprocess.Popen(  # noqa: S603 - it is the operator's own command
            words, stdin=subprocess.DEVNULL, stdout=STDERR, stderr=STDERR, start_new_session=True
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"{shown(words)} could not be started: {reason}") from error
    ends_ms = clock.now_ms() + timeout_s * 1_000
    while (code := process.poll()) is None:
        if hurry():
            _end(process)
            raise KeyboardInterrupt
        if clock.now_ms() > ends_ms:
            _end(process)
            raise CommandError(f"{shown(words)} has not ended after {timeout_s:g} s, and was ended (--wait)")
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
    return code


def shown(words: tuple[str, ...]) -> str:
    """Return a command as it could be typed, shortened."""
    return shortened(shlex.join(words), 200)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and what it started, which may ignore SIGTERM although the command does not."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        if _has_ended(process):
            return


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait some seconds until nothing of a command is there any more; return whether that is so."""
    clock = SystemClock()
    ends_ms = clock.now_ms() + END_S * 1_000
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        if clock.now_ms() > ends_ms:
            return False
        time.sleep(POLL_S)
