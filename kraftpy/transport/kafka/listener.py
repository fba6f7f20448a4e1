"""The port that peers connect to: Kafka's protocol in, values of the core out, and the answers back in order.

Kafka's clients match answers to requests by their order, so every connection keeps its requests in a row and an answer
that is ready early waits for those before it (a parked Fetch holds what was asked after it). The row is bounded: a peer
that asks more than that is not read until something is answered, and neither is one that does not read its answers.
Of the requests whose answers carry the log or a snapshot, one at a time is handled: a few bytes that ask for the same
8 MiB 64 times must not cost 64 times 8 MiB.

A token stands for one request. When its connection ends before the answer, the core hears :class:`RequestAbandoned`;
an answer to a token that is gone is dropped.

Bytes that are no request close their connection with one line of the log and touch nothing else. A request of an API or
version that is not offered closes it, too, as in Kafka: there is no way to phrase an answer. The one exception is
ApiVersions, which answers any version to come (KIP-511).
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from struct import Struct
from typing import Final

from kraftpy.model.errors import ApiError, KraftError, MalformedError
from kraftpy.raft.messages import FetchRequest, FetchSnapshotRequest, RaftResponse
from kraftpy.raft.ready import Inbound, RequestAbandoned, RequestReceived
from kraftpy.records.codec import Message
from kraftpy.records.rpc import body_start, encode_response
from kraftpy.transport.kafka.apis import API_VERSIONS_KEY, NO_FEATURES, Api, ApiTable, OfferedFeatures, WireRequest
from kraftpy.transport.kafka.connection import LOG, Departures, FramedConnection
from kraftpy.transport.kafka.items import COUNTED_BYTES_MIN, ITEMS_MAX, names_too_much
from kraftpy.transport.kafka.translate import BY_KEY, BY_REQUEST, RAFT_APIS, Refusal

_START: Final = Struct(">hhi")

REQUEST_BYTES_MIN: Final = _START.size
"""Api key, version and correlation id: no request is shorter."""

REQUEST_BYTES_MAX: Final = 2 * 1024 * 1024
"""How long a request may be that a node is sent; Kafka's 100 MiB are for records, which come in answers here. A decoded
request can take forty times its bytes."""

REQUESTS_PER_CONNECTION_MAX: Final = 1_000
"""How many requests of one connection may wait for their answers; beyond, it is not read."""

REQUEST_BYTES_PER_CONNECTION_MAX: Final = 16 * 1024 * 1024
"""How many bytes of requests of one connection may wait for their answers; beyond, it is not read. One request of any
size that a frame allows is always taken."""

BULK_KEYS: Final = frozenset({BY_REQUEST[FetchRequest].api_key, BY_REQUEST[FetchSnapshotRequest].api_key})
"""Answers to these may be as large as FETCH_BYTES_MAX."""

CONNECTIONS_MAX: Final = 1_000
"""One more connection is closed as soon as it is accepted."""

IDLE_MAX_MS: Final = 600_000
"""Kafka's default of ``connections.max.idle.ms``."""

BACKLOG: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerLimits:
    """What one listener allows."""

    request_bytes_max: int = REQUEST_BYTES_MAX
    requests_per_connection_max: int = REQUESTS_PER_CONNECTION_MAX
    request_bytes_per_connection_max: int = REQUEST_BYTES_PER_CONNECTION_MAX
    connections_max: int = CONNECTIONS_MAX
    idle_max_ms: int = IDLE_MAX_MS


DEFAULT_LIMITS: Final = ListenerLimits()


class KafkaListener:
    """Accepts peers. Make it, register more APIs if any, ``await start()``, and ``await close()`` in the end.

    Args:
        host: the address to bind; ``""`` binds all.
        port: 0 lets the system choose, see :attr:`port`.
        inbox: takes every RequestReceived and RequestAbandoned. It runs inside the event loop's callback and must only
            put the value away.
        features: asked at every ApiVersions request.
        ssl_context: TLS, if given.
        limits: see :class:`ListenerLimits`.
        serves_quorum: whether Raft's APIs are offered. At most one listener of a node may do so: the core answers a
            token, and each listener counts its own.
    """

    def __init__(
        self,
        host: str,
        port: int,
        inbox: Callable[[Inbound], None],
        *,
        features: Callable[[], OfferedFeatures] = lambda: NO_FEATURES,
        ssl_context: ssl.SSLContext | None = None,
        limits: ListenerLimits = DEFAULT_LIMITS,
        serves_quorum: bool = True,
    ) -> None:
        self._host = host
        self._port = port
        self._inbox = inbox
        self._features = features
        self._ssl_context = ssl_context
        self._server: asyncio.Server | None = None
        self._tokens = count(1)
        self._waiting: dict[int, WireRequest] = {}
        self._connections: set[PeerConnection] = set()
        self.limits = limits
        self.departures = Departures()
        self.apis = ApiTable()
        self.apis.add(Api(API_VERSIONS_KEY, 0, 4, self._answer_api_versions))
        for api in RAFT_APIS if serves_quorum else ():
            self.apis.add(Api(api.api_key, api.min_version, api.max_version, self._receive_raft))

    @property
    def port(self) -> int:
        """The port it listens on."""
        if self._server is not None and self._server.sockets:
            port: int = self._server.sockets[0].getsockname()[1]
            return port
        return self._port

    @property
    def connection_count(self) -> int:
        """How many peers are connected."""
        return len(self._connections)

    async def start(self) -> None:
        """Bind and accept.

        Raises:
            OSError: when the address cannot be bound.
        """
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: PeerConnection(self),
            self._host or None,
            self._port,
            ssl=self._ssl_context,
            backlog=BACKLOG,
            reuse_address=True,
        )

    async def close(self) -> None:
        """Stop accepting, close every connection, and wait until the port is free."""
        if self._server is not None:
            self._server.close()
        connections = tuple(self._connections)
        for connection in connections:
            connection.abort("the listener closes")
        for connection in connections:
            await connection.closed
        self._server = None

    def reply(self, token: int, response: RaftResponse) -> None:
        """Answer a request of the core; without effect when its connection is gone."""
        waiting = self._waiting.pop(token, None)
        if waiting is not None:
            waiting.answer(BY_KEY[waiting.api_key].response_to_wire(response, waiting.version))

    def flush(self) -> None:
        """Send the answers that are there, without waiting until the loop turns."""
        self.departures.flush()

    def _answer_api_versions(self, request: WireRequest) -> Message:
        return self.apis.versions_response(request.version, self._features())

    def _receive_raft(self, request: WireRequest) -> Message | None:
        try:
            value = BY_KEY[request.api_key].request_from_wire(request.message)
        except Refusal as refusal:
            return refusal.response
        request.token = next(self._tokens)
        self._waiting[request.token] = request
        self._inbox(RequestReceived(request.token, value))
        return None

    # What connections call.

    def opened(self, connection: PeerConnection) -> bool:
        """Count a connection in, unless there are too many."""
        if len(self._connections) >= self.limits.connections_max:
            return False
        self._connections.add(connection)
        return True

    def closed(self, connection: PeerConnection, unanswered: deque[WireRequest]) -> None:
        """Count a connection out; its unanswered requests to the core are abandoned."""
        self._connections.discard(connection)
        for request in unanswered:
            if request.token and self._waiting.pop(request.token, None) is not None:
                self._inbox(RequestAbandoned(request.token))


class PeerConnection(FramedConnection):
    """One accepted connection: a row of requests and their answers."""

    def __init__(self, listener: KafkaListener) -> None:
        super().__init__(listener.departures, bytes_max=listener.limits.request_bytes_max, bytes_min=REQUEST_BYTES_MIN)
        self._listener = listener
        self._row: deque[WireRequest] = deque()
        self._backlog: deque[bytes] = deque()
        self._bulk_in_row = 0
        self._bytes_in_row = 0
        self._is_paused = False
        self._is_peer_slow = False
        self._is_handling = False
        self._idle_timer: asyncio.TimerHandle | None = None
        self._last_heard = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the socket, or close it when there are too many."""
        super().connection_made(transport)
        if not self._listener.opened(self):
            self.fail(f"{self._listener.limits.connections_max} connections are open already")
            return
        self._last_heard = self._loop.time()
        self._idle_timer = self._loop.call_later(self._listener.limits.idle_max_ms / 1000, self._check_idle)

    def _check_idle(self) -> None:
        idle_max = self._listener.limits.idle_max_ms / 1000
        left = self._last_heard + idle_max - self._loop.time()
        if left <= 0 and not self._row:
            LOG.info("closing the connection with %s: idle for %d ms", self.peer, self._listener.limits.idle_max_ms)
            self.close("idle")
            return
        self._idle_timer = self._loop.call_later(left if left > 0 else idle_max, self._check_idle)

    def payloads_received(self, payloads: list[bytes]) -> None:
        """Handle requests, as many as the row has places for."""
        self._last_heard = self._loop.time()
        self._backlog.extend(payloads)
        self._work_off()

    def pause_writing(self) -> None:
        """Stop reading from a peer that does not read its answers."""
        self._is_peer_slow = True
        self._steer_reading()

    def resume_writing(self) -> None:
        """Go on: the answers have left."""
        self._is_peer_slow = False
        self._work_off()

    def _work_off(self) -> None:
        """Handle the backlog while there are places. An answer given at once must not come in here a second time."""
        if self._is_handling:
            return
        self._is_handling = True
        while self._backlog and self.is_open and not self._is_peer_slow and not self._is_row_full:
            if self._bulk_in_row and int.from_bytes(self._backlog[0][:2], "big") in BULK_KEYS:
                break
            self._handle(self._backlog.popleft())
        self._is_handling = False
        self._steer_reading()

    @property
    def _is_row_full(self) -> bool:
        limits = self._listener.limits
        return (
            len(self._row) >= limits.requests_per_connection_max
            or self._bytes_in_row >= limits.request_bytes_per_connection_max
        )

    def _steer_reading(self) -> None:
        should_pause = self._is_peer_slow or bool(self._backlog) or self._is_row_full
        if self._transport is None or self._transport.is_closing() or should_pause == self._is_paused:
            return
        self._is_paused = should_pause
        if should_pause:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _handle(self, payload: bytes) -> None:
        api_key, version, correlation_id = _START.unpack_from(payload)
        route = self._listener.apis.find(api_key, version)
        if route is None:
            self._refuse(api_key, version, correlation_id)
            return
        try:
            message = route.decode(payload, body_start(payload, is_flexible=route.is_flexible))
        except MalformedError as error:
            self.fail(f"not a request: {error}")
            return
        if len(payload) >= COUNTED_BYTES_MIN and names_too_much(message):
            self.fail(f"a request with apiKey {api_key} of {len(payload)} bytes names more than {ITEMS_MAX} items")
            return
        request = self._enter(api_key, version, correlation_id, message, len(payload))
        try:
            answer = route.handle(request)
        except ApiError as refused:
            # Not all answers have a place for it; a client whose connection is closed asks another node.
            self.fail(f"a request with apiKey {api_key} cannot be answered here: {refused.message}")
            return
        if answer is not None:
            self.complete(request, answer)

    def _enter(self, api_key: int, version: int, correlation_id: int, message: object, size: int) -> WireRequest:
        """Give a request its place in the row."""
        request = WireRequest(self, api_key, version, correlation_id, message, size)
        self._row.append(request)
        self._bulk_in_row += api_key in BULK_KEYS
        self._bytes_in_row += size
        return request

    def _refuse(self, api_key: int, version: int, correlation_id: int) -> None:
        """Answer ApiVersions in version 0, whatever version was asked; close on anything else."""
        if api_key != API_VERSIONS_KEY:
            self.fail(f"request has apiKey {api_key} version {version}, which this listener does not offer")
            return
        request = self._enter(API_VERSIONS_KEY, 0, correlation_id, None, 0)
        self.complete(request, self._listener.apis.unsupported_versions_response())

    def complete(self, request: WireRequest, message: Message) -> None:
        """Encode an answer and put it into its place."""
        try:
            payload = encode_response(request.correlation_id, message, request.version)
        except KraftError as error:
            self.fail(f"the answer to {message.NAME} version {request.version} cannot be written: {error}")
            return
        self.complete_encoded(request, payload)

    def complete_encoded(self, request: WireRequest, payload: bytes) -> None:
        """Put an answer into its place, and send what is ready from the front of the row."""
        request.payload = payload
        row = self._row
        while row and row[0].payload is not None:
            first = row.popleft()
            self._bulk_in_row -= first.api_key in BULK_KEYS
            self._bytes_in_row -= first.size
            self.send(first.payload or b"")
        if self._backlog or self._is_paused:
            self._work_off()

    def ended(self, reason: str) -> None:
        """Give up what was not answered."""
        LOG.debug("connection with %s ended: %s", self.peer, reason)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._backlog.clear()
        unanswered, self._row = self._row, deque()
        self._listener.closed(self, unanswered)
