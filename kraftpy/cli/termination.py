"""SIGTERM that ends a command as Ctrl-C does: for one that has processes to end, and ends them at Ctrl-C already."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM interrupt the block as SIGINT does; only in the main thread of a process.

    Raises:
        CommandError: with the code of SIGTERM, when the block ended by :class:`KeyboardInterrupt` because of that.
    """
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        # That of an event loop while one runs: it cancels what runs in it. SIGINT itself may be ignored.
        handler = signal.getsignal(signal.SIGINT)
        (handler if callable(handler) else signal.default_int_handler)(signal.SIGINT, frame)

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except (KeyboardInterrupt, Exception) as error:
        # What was being imported may have made its own error of it, as a class with a descriptor does.
        is_interrupt = isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)
        if not received or not is_interrupt:
            raise
        raise CommandError(ExitCode.TERMINATED.meaning, ExitCode.TERMINATED) from error
    finally:
        signal.signal(signal.SIGTERM, before)
