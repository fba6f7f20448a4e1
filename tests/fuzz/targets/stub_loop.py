"""An event loop that never turns, and a transport without a socket: callbacks run at once, nothing waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class StubHandle:
    """A timer that never fires."""

    def cancel(self) -> None:
        """Do nothing."""

    def when(self) -> float:
        return 0.0


class StubFuture:
    """Something that is done, once."""

    def __init__(self) -> None:
        self._is_done = False

    def done(self) -> bool:
        return self._is_done

    def set_result(self, _: object) -> None:
        self._is_done = True


class StubLoop:
    """What connections use of a loop."""

    def call_soon(self, *_: object) -> StubHandle:
        return StubHandle()

    def call_later(self, *_: object) -> StubHandle:
        return StubHandle()

    def time(self) -> float:
        return 0.0

    def create_future(self) -> StubFuture:
        return StubFuture()


class StubTransport:
    """Notes what is written."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.is_closed = False

    def set_write_buffer_limits(self, **_: object) -> None:
        """Have no buffer."""

    def get_extra_info(self, _: str) -> None:
        return None

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def pause_reading(self) -> None:
        """Nothing is read."""

    resume_reading = pause_reading


@contextmanager
def stub_loop() -> Iterator[StubLoop]:
    """Let a stub be the running loop."""
    loop, before = StubLoop(), asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    try:
        yield loop
    finally:
        asyncio._set_running_loop(before)
