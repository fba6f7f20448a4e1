"""One TCP connection that carries frames: what both ends have in common.

Reading: one parse pass over everything a read brought. Writing: frames gather until the loop's turn ends, or until
a caller that knows that no more will come flushes, and leave in one write; so this wire is 14 to 32 times faster than
gRPC (``measurements`` B). Not streams: each of their reads costs a wake-up of a task.

A subclass gets whole payloads and the one end of the connection. Nothing of it may raise: whatever goes wrong ends in
:meth:`FramedConnection.fail`, which closes this connection, says so in one line of the log, and leaves the process
alone.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Final, cast

from kraftpy.transport.kafka.framing import SIZE, FrameSplitter

LOG: Final = logging.getLogger("kraftpy.transport.kafka")

WRITE_BUFFER_BYTES_MAX: Final = 4 * 1024 * 1024
"""Above this, a listener stops reading requests of a peer that does not read its answers."""


class WriteScheduler:
    """The connections that have frames to send: all of them when the loop turns, or at once at :meth:`flush`."""

    __slots__ = ("_is_scheduled", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[FramedConnection] = []
        self._is_scheduled = False

    def add(self, connection: FramedConnection) -> None:
        """Note a connection; it is to be added once until it was flushed."""
        self._waiting.append(connection)
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._flush_in_turn)

    def _flush_in_turn(self) -> None:
        self._is_scheduled = False
        self.flush()

    def flush(self) -> None:
        """Write everything that is queued now."""
        waiting, self._waiting = self._waiting, []
        for connection in waiting:
            connection.flush()


class FramedConnection(asyncio.Protocol):
    """Splits what comes in, gathers what goes out, ends once."""

    def __init__(self, departures: WriteScheduler, *, bytes_max: int, bytes_min: int) -> None:
        self._departures = departures
        self._loop = asyncio.get_running_loop()
        self._splitter = FrameSplitter(bytes_max, bytes_min=bytes_min)
        self._transport: asyncio.Transport | None = None
        self._outgoing: list[bytes] = []
        self._has_ended = False
        self.peer = "?"
        self.closed: asyncio.Future[None] = self._loop.create_future()

    def payloads_received(self, payloads: list[bytes]) -> None:
        """Handle the payloads that one read completed, in order."""
        raise AssertionError(payloads)  # every subclass has its own

    def ended(self, reason: str) -> None:
        """Handle the end of the connection; called exactly once."""
        raise AssertionError(reason)  # every subclass has its own

    @property
    def is_open(self) -> bool:
        """Whether frames can still be sent."""
        return self._transport is not None and not self._has_ended

    @property
    def outgoing_bytes(self) -> int:
        """How many bytes are queued for the end of the loop's turn."""
        return sum(map(len, self._outgoing))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the socket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES_MAX)
        address = transport.get_extra_info("peername")
        self.peer = f"{address[0]}:{address[1]}" if address else "?"
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def data_received(self, data: bytes) -> None:
        """Split what came in."""
        if self._has_ended:
            return
        payloads = self._splitter.feed(data)
        if payloads:
            self.payloads_received(payloads)
        if self._splitter.fault is not None:
            self.fail(self._splitter.fault)

    def eof_received(self) -> bool:
        """Let the transport close: a peer that sends no more gets no answer either."""
        return False

    def connection_lost(self, error: Exception | None) -> None:
        """End, if it has not already."""
        if error is not None:
            self._end(f"connection lost: {error}")
        else:
            self._end(
                "closed by the peer" if self._splitter.is_clean else "closed by the peer in the middle of a frame"
            )
        self._transport = None
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, payload: bytes) -> None:
        """Queue a frame; it leaves when the loop's turn ends, or with :meth:`WriteScheduler.flush`."""
        if not self._outgoing:
            self._departures.add(self)
        self._outgoing += (SIZE.pack(len(payload)), payload)

    def flush(self) -> None:
        """Write what is queued."""
        outgoing, self._outgoing = self._outgoing, []
        if outgoing and self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(outgoing))

    def fail(self, reason: str) -> None:
        """Close because of something the peer did, and say so."""
        if not self._has_ended:
            LOG.warning("connection_closed peer=%s reason=%s", self.peer, reason)
        self.close(reason)

    def close(self, reason: str) -> None:
        """Close; what was sent before still leaves if the peer reads on."""
        self.flush()
        if self._transport is not None:
            self._transport.close()
        self._end(reason)

    def abort(self, reason: str) -> None:
        """Close without waiting for anything to leave."""
        if self._transport is not None:
            self._transport.abort()
        self._end(reason)

    def _end(self, reason: str) -> None:
        if not self._has_ended:
            self._has_ended = True
            self.ended(reason)
