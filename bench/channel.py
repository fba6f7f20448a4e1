"""A connection over Kafka's protocol on which questions are asked, several at once, each with a future for its answer.

It is for what is not measured by the microsecond: brokers that register and send heartbeats, and preparations. What is
measured by the microsecond goes through :mod:`bench.requests`.
"""

from __future__ import annotations

import asyncio
from typing import TypeVar, cast

from bench.work import Address
from kraftpy.model.errors import KraftError
from kraftpy.records.codec import Message
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.kafka.framing import FrameSplitter, frame

CLIENT_ID = "bench"
ANSWER_TIMEOUT_S = 60.0
"""Longer than any answer takes on a busy machine; one that does not come ends the run."""

Answer = TypeVar("Answer", bound=Message)


class Channel(asyncio.Protocol):
    """One connection. Close it."""

    def __init__(self) -> None:
        self._splitter = FrameSplitter()
        self._transport: asyncio.Transport | None = None
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._asked = 0
        self._lost = "it was never made"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._lost = ""

    def data_received(self, data: bytes) -> None:
        for payload in self._splitter.feed(data):
            waiting = self._waiting.pop(int.from_bytes(payload[:4], "big"), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(payload)
        if self._splitter.fault is not None:
            self._end(self._splitter.fault)

    def connection_lost(self, error: Exception | None) -> None:
        self._end(str(error or "closed by the controller"))

    def _end(self, reason: str) -> None:
        self._lost = self._lost or reason
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError(reason))
        self._waiting.clear()
        if self._transport is not None:
            self._transport.abort()

    async def ask(self, message: Message, version: int, answer: type[Answer]) -> Answer:
        """Ask a question.

        Raises:
            ConnectionError: the connection is lost.
            TimeoutError: there is no answer.
        """
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            return decoded(message, version, await self.send(message, version), answer)

    def send(self, message: Message, version: int) -> asyncio.Future[bytes]:
        """Ask a question; the answer comes as bytes, to be decoded when that costs no other request its time."""
        if self._lost or self._transport is None:
            raise ConnectionError(f"the connection is lost: {self._lost}")
        self._asked += 1
        waiting = self._waiting[self._asked] = asyncio.get_running_loop().create_future()
        self._transport.write(frame(encode_request(CLIENT_ID, self._asked, message, version)))
        return waiting

    def close(self) -> None:
        """Close the connection."""
        self._end("closed here")


def decoded(message: Message, version: int, payload: bytes, answer: type[Answer]) -> Answer:
    """Decode the answer to a question."""
    _, found = decode_response(message.API_KEY, version, payload)
    if not isinstance(found, answer):
        raise KraftError(f"{message.NAME} was answered by {type(found).__name__}")
    return found


async def connect(address: Address) -> Channel:
    """Connect to a controller's listener."""
    _, channel = await asyncio.get_running_loop().create_connection(Channel, *address)
    return channel
