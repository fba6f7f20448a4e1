"""What a command waits for, as lines on stderr once it takes longer: a wait without a word looks like a hang.

``WaitingLine`` is for a command that polls, ``answered`` for one request that takes its time, and ``waiting_for`` for
work that keeps this thread busy, or that consists of several requests. Standard output is left alone, for scripts.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from kraftpy.model.escaping import escaped

SILENT_S = 2.0
"""How long a command waits before it says what it waits for, and how long it says nothing else afterwards."""

Answer = TypeVar("Answer")


def answer_from(addresses: Iterable[str], timeout_s: float) -> str:
    """Say for which answer a command waits."""
    return f"an answer from {', '.join(addresses)}, for up to {timeout_s:g} s"


def print_waiting(reason: str) -> None:
    """Print what is waited for."""
    click.echo(f"# waiting: {escaped(reason)}", err=True)


class WaitingLine:
    """Says what is waited for, once that takes longer, and again when it is something else.

    Args:
        now: the time in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._printed: str | None = None
        self._next_at = now() + SILENT_S

    def waits_for(self, reason: str | None) -> None:
        """Take the reason why it is not done yet."""
        if reason is not None and reason != self._printed and self._now() >= self._next_at:
            print_waiting(reason)
            self._printed, self._next_at = reason, self._now() + SILENT_S


async def answered(work: Coroutine[Any, Any, Answer], reason: Callable[[], Awaitable[str]]) -> Answer:
    """Return what a request returns; while it takes longer, ask for the reason and print each that is new.

    Asking for the reason neither delays the answer nor fails the request, whatever goes wrong with it.
    """
    watch = asyncio.ensure_future(_print_reasons(reason))
    try:
        return await work
    finally:
        watch.cancel()
        await asyncio.wait({watch})


async def _print_reasons(reason: Callable[[], Awaitable[str]]) -> None:
    printed = ""
    while True:
        await asyncio.sleep(SILENT_S)
        try:
            found = await reason()
        except Exception as error:  # noqa: BLE001 - the request may have been done, and its answer counts
            found = str(error)
        if found != printed:
            print_waiting(found)
            printed = found


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Print what is waited for while the block runs, if it takes longer."""
    timer = threading.Timer(SILENT_S, print_waiting, (what,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
