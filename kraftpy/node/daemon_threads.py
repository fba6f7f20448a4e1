"""Blocking calls in threads that a process does not wait for when it ends.

A call on a disk that hangs may never return. In the event loop's own pool it would keep the node from stopping: closing
the loop waits for that pool.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_daemon_thread(work: Callable[[], T], name: str) -> T:
    """Do blocking work in a thread of its own; return or raise what it does.

    When the caller is cancelled, the work goes on and its outcome is dropped.

    Args:
        work: the blocking call.
        name: of the thread.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()

    def settle(settle_with: Callable[[], None]) -> None:
        # A closed loop has no caller any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: None if outcome.done() else settle_with())

    def run() -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            failure = error
            settle(lambda: outcome.set_exception(failure))
        else:
            settle(lambda: outcome.set_result(result))

    threading.Thread(target=run, name=name, daemon=True).start()
    return await outcome
