"""One session to one node: calls gather while a message is being written, and leave as the next one.

The more calls are under way, the larger the messages: nothing lingers while the session is idle, and nothing is sent
alone while it is busy (D3). When the session breaks, every call learns whether it had been handed to the wire: one that
had not is safe to send elsewhere, whatever it does.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import grpc

from kraftpy.client.errors import RejectedError
from kraftpy.client.nodes import Nodes
from kraftpy.model.errors import TooLargeError
from kraftpy.model.offsets import Epoch
from kraftpy.pb.v1 import session_pb2
from kraftpy.tracing.trace_context import TraceContext

if TYPE_CHECKING:
    from kraftpy.client.connection import NodeConnection

SESSION_PATH: Final = "/kraftpy.v1.SessionService/Session"
CALLS_MAX: Final = 8_192
"""How many calls may be unanswered; further ones wait."""

MESSAGE_CALLS_MAX: Final = 4_096
MESSAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""A message is sent when it holds this much; a single larger call goes alone."""

CALL_BYTES_MAX: Final = 15 * 1024 * 1024
"""A larger call is not sent: a node refuses messages over 16 MiB by ending the session of every other call too."""

KEEPALIVE_MS: Final = 10_000
KEEPALIVE_TIMEOUT_MS: Final = 5_000
"""A hanging node is detected after the sum of both."""

RECEIVE_BYTES_MAX: Final = 64 * 1024 * 1024

CHANNEL_OPTIONS: Final = (
    ("grpc.max_receive_message_length", RECEIVE_BYTES_MAX),
    ("grpc.use_local_subchannel_pool", 1),  # a new attempt is a new connection, whatever became of the last one
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", KEEPALIVE_TIMEOUT_MS),
    ("grpc.http2.ping_timeout_ms", KEEPALIVE_TIMEOUT_MS),  # what grpc goes by when no answer to a ping comes
    ("grpc.enable_retries", 0),  # what is worth repeating is decided by the client
)


class SessionLostError(Exception):
    """The session broke before this call was answered.

    Attributes:
        was_sent: whether the node may have seen the call.
    """

    def __init__(self, reason: str, *, was_sent: bool) -> None:
        super().__init__(reason)
        self.was_sent = was_sent


@dataclass(slots=True)
class Attempt:
    """One attempt at a call, and its outcome, also when its caller no longer waits; ``trace`` is the call's span."""

    session: ClientSession | None = None
    was_sent: bool = False
    trace: TraceContext | None = None


@dataclass(frozen=True, slots=True)
class Leadership:
    """The stamp of a write: a leader epoch, and how many responses of it the client knows of, if reported."""

    epoch: Epoch
    sequence: int | None = None


def _newest(known: Leadership | None, batch: session_pb2.ResponseBatch) -> Leadership | None:
    if not batch.HasField("leader_epoch") or (known is not None and batch.leader_epoch < known.epoch):
        return known
    sequence = batch.leader_sequence if batch.HasField("leader_sequence") else None
    if known is None or batch.leader_epoch > known.epoch or known.sequence is None:
        return Leadership(batch.leader_epoch, sequence)
    return Leadership(known.epoch, max(known.sequence, sequence or 0))


@dataclass(slots=True)
class _Call:
    request: session_pb2.Request
    answer: asyncio.Future[session_pb2.Response]
    attempt: Attempt


async def connect(nodes: Nodes, credentials: grpc.ChannelCredentials | None) -> Any:
    """Connect to the node whose turn it is.

    Raises:
        SessionLostError: when the first attempt fails, or takes longer than that node has.
    """
    target = nodes.current
    if credentials is None:
        channel: Any = grpc.aio.insecure_channel(target, options=CHANNEL_OPTIONS)
    else:
        channel = grpc.aio.secure_channel(target, credentials, options=CHANNEL_OPTIONS)
    try:
        async with asyncio.timeout(nodes.connect_timeout_s(target)):
            state = channel.get_state(try_to_connect=True)
            while state is not grpc.ChannelConnectivity.READY:
                if state in {grpc.ChannelConnectivity.TRANSIENT_FAILURE, grpc.ChannelConnectivity.SHUTDOWN}:
                    raise SessionLostError(f"{target} cannot be reached", was_sent=False)
                await channel.wait_for_state_change(state)
                state = channel.get_state(try_to_connect=True)
    except TimeoutError as error:
        nodes.record_timeout(target)
        await channel.close()
        raise SessionLostError(f"{target} does not answer", was_sent=False) from error
    except BaseException:
        # A cancelled wait must not leak the connection.
        await channel.close()
        raise
    nodes.heard(target)
    return channel


class ClientSession:
    """A connected session. :meth:`run` it in a task of its own; it ends when the session breaks or is closed."""

    def __init__(self, connection: NodeConnection, target: str) -> None:
        self._connection = connection
        self._refusal: RejectedError | None = None
        self._calls: dict[int, _Call] = {}
        self._gathered: list[_Call] = []
        self._has_gathered = asyncio.Event()
        self._has_room = asyncio.Semaphore(CALLS_MAX)
        self._ids = count(1)
        self._loop = asyncio.get_running_loop()
        self._stream: Any = None
        self._greeted = asyncio.Event()
        self._leadership: Leadership | None = None
        self.target = target
        self.is_open = True
        self.messages_sent = 0

    async def run(self) -> None:
        """Send and receive until the end."""
        reason = "the session was closed"
        try:
            self._stream = stream = self._connection.channel.stream_stream(
                SESSION_PATH,
                request_serializer=session_pb2.RequestBatch.SerializeToString,
                response_deserializer=session_pb2.ResponseBatch.FromString,
            )(metadata=self._connection.metadata)
            async with asyncio.TaskGroup() as tasks:
                writing = tasks.create_task(self._write(stream))
                reason = await self._read(stream)
                writing.cancel()
        finally:
            self._break(reason)
            await self._connection.close()

    def retire(self) -> None:
        """Take no more calls; end when those under way are answered or given up."""
        self.is_open = False
        self._has_gathered.set()
        self._end_if_idle()

    def _end_if_idle(self) -> None:
        if not self.is_open and not self._calls and self._stream is not None:
            self._stream.cancel()

    async def leadership(self) -> Leadership | None:
        """Return the newest leader epoch that the node reported; ``None`` when it knows of no leader.

        Raises:
            SessionLostError: when the session breaks before the node has greeted; nothing was sent.
        """
        await self._greeted.wait()
        if not self.is_open:
            raise self._refusal or SessionLostError("the session is closed", was_sent=False)
        return self._leadership

    async def call(self, name: str, message: Any, timeout_ms: int, attempt: Attempt) -> Any:
        """Make one call; return the response of its kind. ``attempt`` is kept up to date.

        Raises:
            TooLargeError: the call was not sent.
            RejectedError: the node refused, or asks for credentials.
            SessionLostError: the session broke first.
            asyncio.CancelledError: the caller gave up; the node may still do what was asked.
        """
        async with self._has_room:
            if not self.is_open:
                raise self._refusal or SessionLostError("the session is closed", was_sent=False)
            call_id = next(self._ids)
            request = session_pb2.Request(id=call_id, timeout_ms=timeout_ms, **{name: message})
            if attempt.trace is not None:
                request.traceparent, request.tracestate = attempt.trace.traceparent, attempt.trace.state
            if request.ByteSize() > CALL_BYTES_MAX:
                raise TooLargeError(
                    f"{name} takes {request.ByteSize()} bytes, a call may take {CALL_BYTES_MAX}: split it"
                )
            call = _Call(request, self._loop.create_future(), attempt)
            self._calls[call_id] = call
            self._gathered.append(call)
            self._has_gathered.set()
            try:
                response = await call.answer
            finally:
                self._calls.pop(call_id, None)
                self._end_if_idle()
        if response.WhichOneof("outcome") == "error":
            raise RejectedError(response.error, self.target)
        return getattr(response, name)

    async def _write(self, stream: Any) -> None:
        while True:
            await self._has_gathered.wait()
            self._has_gathered.clear()
            while self._gathered:
                batch = self._take()
                if not batch:
                    continue
                self.messages_sent += 1
                try:
                    await stream.write(session_pb2.RequestBatch(requests=batch))
                except (grpc.RpcError, asyncio.InvalidStateError):
                    return  # the stream is over; its reader knows why

    def _take(self) -> list[session_pb2.Request]:
        """Take the calls for the next message; calls without a waiting caller are dropped."""
        batch: list[session_pb2.Request] = []
        taken = size = 0
        for call in self._gathered:
            size += call.request.ByteSize()
            if batch and (len(batch) >= MESSAGE_CALLS_MAX or size > MESSAGE_BYTES_MAX):
                break
            taken += 1
            if not call.answer.done():
                call.attempt.was_sent = True
                batch.append(call.request)
        del self._gathered[:taken]
        return batch

    async def _read(self, stream: Any) -> str:
        """Hand out answers until the stream ends; return why it did."""
        try:
            async for batch in stream:
                self._leadership = _newest(self._leadership, batch)
                self._greeted.set()
                for response in batch.responses:
                    call = self._calls.get(response.id)
                    if call is not None and not call.answer.done():
                        call.answer.set_result(response)
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNAUTHENTICATED:
                # The node asks for credentials that there are not: so it did nothing, and no other attempt is better.
                self._refusal = self._connection.access.refusal_of(error, self.target)
            return f"{self.target}: {error.code().name}: {error.details()}"
        return f"{self.target} ended the session"

    def _break(self, reason: str) -> None:
        self.is_open = False
        self._greeted.set()
        self._gathered.clear()
        for call in tuple(self._calls.values()):
            if not call.answer.done():
                lost = SessionLostError(reason, was_sent=call.attempt.was_sent)
                call.answer.set_exception(self._refusal or lost)
