"""A command line in this process whose input and output are a terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import tty
from dataclasses import dataclass
from typing import TextIO

import pytest

from kraftpy.cli.root import cli

PRINTED_BYTES_MAX = 4_096
"""What a terminal takes before it is read; a command that prints more would wait for ever."""


@dataclass(frozen=True, slots=True)
class OnTerminal:
    """How a command line ended, and what it printed: both its outputs, as they came."""

    exit_code: int
    printed: str


def run_on_terminal(*args: object, typed: str = "", stderr: TextIO | None = None) -> OnTerminal:
    """Run a command line.

    Args:
        args: the words after ``kraftpy``.
        typed: what is typed before it asks; no echo of it is printed.
        stderr: a file in place of the terminal.
    """
    ours, theirs = pty.openpty()
    try:
        tty.setraw(theirs)
        # The empty line answers a question that was not expected: no test waits for its timeout.
        os.write(ours, typed.encode(errors="surrogateescape") + b"\n")
        with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as files:
            for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
                file = files.enter_context(open(theirs, mode, encoding="utf-8", closefd=False))
                patch.setattr(f"sys.{name}", stderr if name == "stderr" and stderr is not None else file)
            with pytest.raises(SystemExit) as ended:
                cli([str(arg) for arg in args], prog_name="kraftpy")
        os.write(theirs, b"\0")
        printed = b""
        while not printed.endswith(b"\0"):
            printed += os.read(ours, PRINTED_BYTES_MAX)
    finally:
        os.close(ours)
        os.close(theirs)
    code = ended.value.code
    assert isinstance(code, int)
    return OnTerminal(code, printed[:-1].decode())
