"""Ctrl-C before a command begins: one line and the code, as later, and no traceback of what is being imported.

It comes in front of every other import of the command line, so it needs nothing of it: a test compares the line and
the code with those of ``errors`` and ``exit_codes``.
"""

from __future__ import annotations

import os
import signal

STDERR = 2


def interruptible_start() -> None:
    """Let SIGINT end this process at once, until :func:`command_begins`. Where it is ignored, it stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def command_begins() -> None:
    """Give SIGINT back to the command, which may have to end what it does in order."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: object) -> None:
    """End at once: nothing has begun, and an exception would pass through whatever is being imported."""
    try:
        if os.isatty(STDERR):
            os.write(STDERR, b"\n")  # The terminal shows ^C, and stays on its line.
        os.write(STDERR, b"error: interrupted (SIGINT)\n")
    finally:
        os._exit(128 + signal.SIGINT)
