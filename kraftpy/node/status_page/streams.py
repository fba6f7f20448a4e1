"""Server-sent events: each viewer gets the state when it changed, at most once in a second.

A stream sends the newest state there is, and remembers only which one that was. So nothing queues up for a slow
reader; one that has not taken a state after some seconds is disconnected. A comment every few seconds shows a viewer
that the node is there, and the node that the viewer is.

Source: WHATWG HTML §Server-sent events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from kraftpy.node.status_page.feed import StateFeed
from kraftpy.transport.limits import LimitUse

STREAMS_MAX: Final = 8
"""How many viewers follow a node at once; one more gets 503."""

INTERVAL_S: Final = 1.0
"""How often a stream looks for a change."""

HEARTBEAT_S: Final = 10.0
"""After how long without a change a comment is sent."""

SLOW_READER_S: Final = 5.0
"""How long a viewer may take to read a state."""

HEAD: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
    b"X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nretry: 2000\n\n"
)
HEARTBEAT: Final = b": the node is there\n\n"


class EventStreams:
    """The streams of one node.

    Args:
        feed: the newest state.
        now_s: a clock that never goes back; by default that of the running loop.
    """

    def __init__(self, feed: StateFeed, now_s: Callable[[], float] | None = None) -> None:
        self._feed = feed
        self._now_s = now_s or (lambda: asyncio.get_running_loop().time())
        self._open = 0
        self._refused = 0

    def admits(self) -> bool:
        """Return whether another stream may begin; one that may not is counted."""
        admitted = self._open < STREAMS_MAX
        self._refused += not admitted
        return admitted

    def limit_use(self) -> LimitUse:
        """Say how many streams there are."""
        return LimitUse("status streams", self._open, STREAMS_MAX, self._refused)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send states until the viewer leaves, or sends anything; call it at once after :meth:`admits`.

        Raises:
            ConnectionError: the viewer has gone.
            TimeoutError: it reads too slowly.
        """
        self._open += 1
        try:
            # What was written is waited for until all of it has left.
            writer.transport.set_write_buffer_limits(high=0)
            await _send(writer, HEAD)
            await self._follow(reader, writer)
        finally:
            self._open -= 1

    async def _follow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent, sent_s = 0, self._now_s()
        while True:
            newest = await self._feed.newest()
            if newest.version != sent:
                await _send(writer, b"event: state\ndata: " + newest.body + b"\n\n")
                sent, sent_s = newest.version, self._now_s()
            elif self._now_s() - sent_s >= HEARTBEAT_S:
                await _send(writer, HEARTBEAT)
                sent_s = self._now_s()
            if await _has_left(reader):
                return


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    async with asyncio.timeout(SLOW_READER_S):
        await writer.drain()


async def _has_left(reader: asyncio.StreamReader) -> bool:
    """Wait until it is time to look again; return whether the viewer ended the connection, or sent more."""
    try:
        async with asyncio.timeout(INTERVAL_S):
            await reader.read(1)
    except TimeoutError:
        return False
    return True
