"""The port that peers connect to: decode Kafka's protocol, pass values to the core, and send the responses in order.

Kafka's clients match responses to requests by their order, so every connection queues its requests, and a response that
is ready early waits for earlier ones (a pending Fetch delays later requests). The queue is bounded: a peer that sends
more is not read until something is answered, and neither is one that does not read its responses. Requests whose
responses carry the log or a snapshot are handled one at a time: a few bytes that request the same 8 MiB 64 times must
not cost 64 times 8 MiB.

A token identifies one request. When its connection ends before the response, the core receives
:class:`RequestAbandoned`; a response to an abandoned token is dropped.

Malformed bytes close their connection with one log line and affect nothing else. A request of an API or version that is
not supported closes it, too, as in Kafka: no response can be encoded. The one exception is ApiVersions, which answers
any future version (KIP-511).

Where peers authenticate themselves by SASL, nothing but that is handled before it is over
(:mod:`~kraftpy.transport.kafka.authentication`).

An unexpected error closes the connection of the request that caused it, too; it is recorded in
:class:`~kraftpy.transport.request_errors.RequestErrors`.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from struct import Struct
from typing import Final

from kraftpy.authenticator.exchange import SASL_AUTHENTICATE_KEY, SASL_HANDSHAKE_KEY
from kraftpy.model.errors import ApiError, MalformedError
from kraftpy.model.identity import ANONYMOUS
from kraftpy.model.voters import VoterSet
from kraftpy.raft.messages import FetchRequest, FetchSnapshotRequest, RaftResponse
from kraftpy.raft.ready import Inbound, RequestAbandoned, RequestReceived
from kraftpy.raft.senders import voter_that_sends
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import API_VERSIONS, body_start, client_id_of, encode_response
from kraftpy.transport.administrative_changes import AdministrativeChanges, NoteVoters, is_voter_change
from kraftpy.transport.authorization import Authorization, principal_name
from kraftpy.transport.kafka import budgets
from kraftpy.transport.kafka.accepting import Accepted, Acceptor
from kraftpy.transport.kafka.admission import Admission, ConnectionLimits
from kraftpy.transport.kafka.apis import API_VERSIONS_KEY, NO_FEATURES, Api, ApiTable, OfferedFeatures, WireRequest
from kraftpy.transport.kafka.authentication import ConnectionAuthentication
from kraftpy.transport.kafka.budgets import AnswerBudget
from kraftpy.transport.kafka.connection import LOG, FramedConnection, WriteScheduler
from kraftpy.transport.kafka.creation_rate import CREATION_RATE_MAX, CreationRate
from kraftpy.transport.kafka.identity import PeerIdentity, denied, principal_at
from kraftpy.transport.kafka.items import COUNTED_BYTES_MIN, names_too_much
from kraftpy.transport.kafka.throttling import EXEMPT_KEYS, Throttling
from kraftpy.transport.kafka.translate import BY_KEY, BY_REQUEST, RAFT_APIS, Refusal, leader_at
from kraftpy.transport.kafka.turns import VOTER_REQUESTS_MAX, RequestTurns
from kraftpy.transport.kafka.voter_connections import CONNECTIONS_PER_VOTER_MAX, VoterConnections
from kraftpy.transport.limits import HeldBytes, LimitUse
from kraftpy.transport.request_errors import RequestErrors
from kraftpy.transport.sasl import Authentication
from kraftpy.transport.work_meter import WorkMeter

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

LARGE_KEYS: Final = BULK_KEYS | {29, 31, 32, 43, 46, 58, 60}
"""DescribeAcls, DeleteAcls, DescribeConfigs, ElectLeaders, ListPartitionReassignments, DescribeCluster, and an Envelope
with one of them, too: their answers grow with the state, not with the request."""

SOFTWARE_CHARACTERS_MAX: Final = 128
"""How long the name and version of a client's software may be that is remembered."""

_SOFTWARE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*/[A-Za-z0-9][A-Za-z0-9.-]*")

IDLE_MAX_MS: Final = 600_000
"""Kafka's default of ``connections.max.idle.ms``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerLimits:
    """What one listener allows."""

    request_bytes_max: int = REQUEST_BYTES_MAX
    requests_per_connection_max: int = REQUESTS_PER_CONNECTION_MAX
    request_bytes_per_connection_max: int = REQUEST_BYTES_PER_CONNECTION_MAX
    idle_max_ms: int = IDLE_MAX_MS
    connections: ConnectionLimits = field(default_factory=ConnectionLimits)
    connections_per_second_max: int = CREATION_RATE_MAX
    waiting_answer_bytes_max: int = budgets.ANSWER_BYTES_MAX
    waiting_request_bytes_max: int = budgets.REQUEST_BYTES_MAX


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
        identity: compares requests with the certificates of those who make them, if given.
        authorization: decides which requests a caller may make, if given.
        errors: where unexpected errors are recorded; its own by default.
        changes: the log of administrative changes; its own by default.
        serves_quorum: whether Raft's APIs are offered.
        name: as nodes register it; a Raft response has the leader's address at the listener of this name. Without a
            name it has the first address.
        tokens: those of its requests to the core; where several listeners of a node serve the quorum, no two may have
            the same (:mod:`~kraftpy.transport.kafka.quorum_listeners`).
        voters: the voter set in force; what its members ask goes before what others ask.
        may_queue: whether the node takes further requests of others; see :mod:`~kraftpy.transport.kafka.turns`.
        throttling: charges clients for their requests, if given.
        authentication: how peers authenticate themselves by SASL; without it they need not.
        on_answered: called for each answer with its API key, its error code, and how long it took (s).
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
        identity: PeerIdentity | None = None,
        authorization: Authorization | None = None,
        errors: RequestErrors | None = None,
        changes: AdministrativeChanges | None = None,
        serves_quorum: bool = True,
        name: str = "",
        tokens: Iterator[int] | None = None,
        voters: Callable[[], VoterSet] = VoterSet,
        may_queue: Callable[[], bool] = lambda: True,
        throttling: Throttling | None = None,
        authentication: Authentication | None = None,
        on_answered: Callable[[int, int, float], None] = lambda _key, _code, _took_s: None,
    ) -> None:
        self._acceptor = Acceptor(host, port, lambda: PeerConnection(self), lambda: ssl_context)
        self._inbox = inbox
        self._features = features
        self._name = name
        self._tokens = tokens or count(1)
        self._waiting: dict[int, WireRequest] = {}
        self._connections: set[PeerConnection] = set()
        self.admission = Admission(limits.connections)
        self.creation = CreationRate(limits.connections_per_second_max, lambda: asyncio.get_running_loop().time())
        self.answers = AnswerBudget(limits.waiting_answer_bytes_max)
        self.requests = HeldBytes(limits.waiting_request_bytes_max, "requests")
        self._voters = voters
        self._kept = voters()
        self.limits = limits
        self.turns = RequestTurns(may_queue)
        self.voter_connections: VoterConnections[PeerConnection] = VoterConnections()
        self.identity = identity
        self.authorization = authorization
        self.throttling = throttling
        self.authentication = authentication
        self.on_answered = on_answered
        self.errors = errors or RequestErrors()
        self.changes = changes or AdministrativeChanges(errors=self.errors)
        self._voter_changes: dict[int, NoteVoters] = {}
        self.departures = WriteScheduler()
        self.apis = ApiTable()
        self.apis.add(Api(API_VERSIONS_KEY, 0, 4, self._answer_api_versions))
        if authentication is not None:
            self.apis.add(Api(SASL_HANDSHAKE_KEY, 0, 1, _receive_handshake))
            self.apis.add(Api(SASL_AUTHENTICATE_KEY, 0, 2, _receive_token))
        for api in RAFT_APIS if serves_quorum else ():
            self.apis.add(Api(api.api_key, api.min_version, api.max_version, self._receive_raft))

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._acceptor.port

    @property
    def connection_count(self) -> int:
        """How many peers are connected."""
        return len(self._connections)

    def follow_limits(self, limits: ListenerLimits) -> None:
        """Keep other limits from now on; connections beyond a lower one are closed as new ones come."""
        self.limits = limits
        self.admission.limits = limits.connections
        self.creation.change(limits.connections_per_second_max)
        self.requests.bytes_max = limits.waiting_request_bytes_max

    def limit_uses(self) -> tuple[LimitUse, ...]:
        """Say how much of each limit is in use."""
        limits, admission, answers, requests = self.limits, self.admission, self.answers, self.requests
        met = admission.closed + admission.refused
        throttling = () if self.throttling is None else (self.throttling.limit_use(),)
        of_voters, places = self.voter_connections, CONNECTIONS_PER_VOTER_MAX * len(self._voters().ids)
        return (
            LimitUse("connections", len(admission), limits.connections.connections, met - admission.unmade_closed),
            LimitUse("voter connections", len(of_voters), places, of_voters.displaced),
            LimitUse("connection rate", self.creation.used, self.creation.per_second, self.creation.refused),
            LimitUse("handshakes", admission.unmade, limits.connections.handshakes, admission.unmade_closed),
            LimitUse("waiting answer bytes", answers.used, answers.bytes_max, answers.closed),
            LimitUse("waiting request bytes", requests.used, requests.bytes_max, requests.closed),
            *throttling,
        )

    async def start(self) -> None:
        """Bind and accept.

        Raises:
            OSError: when the address cannot be bound.
        """
        await self._acceptor.start()

    async def close(self) -> None:
        """Stop accepting, close every connection, and wait until the port is free."""
        self._acceptor.close()
        connections = tuple(self._connections)
        for connection in connections:
            connection.abort("the listener closes")
        for connection in connections:
            await connection.closed
        await self._acceptor.wait_closed()

    def reply(self, token: int, response: RaftResponse) -> None:
        """Answer a request of the core; without effect when its connection is gone."""
        waiting = self._waiting.pop(token, None)
        self._note_voters(token, response)
        if waiting is not None:
            answer = leader_at(response, self._name) if self._name else response
            waiting.answer_made(lambda: BY_KEY[waiting.api_key].response_to_wire(answer, waiting.version))

    def drop(self, token: int, reason: str) -> None:
        """Close the connection of a request that the core cannot answer; without effect when it is gone."""
        waiting = self._waiting.pop(token, None)
        self._note_voters(token, None)
        if waiting is not None:
            waiting.drop(reason)

    def _note_voters(self, token: int, response: RaftResponse | None) -> None:
        """Log what became of a request, if it is one to change the voters."""
        noted = self._voter_changes.pop(token, None) if self._voter_changes else None
        if noted is not None:
            noted(response)

    def room_for(self, token: int) -> int | None:
        """Return how many bytes of the log the answer to a request may carry; ``None`` without another limit."""
        waiting = self._waiting.get(token)
        if waiting is None or not isinstance(waiting.row, PeerConnection) or waiting.row.is_voters:
            return None
        return self.answers.room

    def flush(self) -> None:
        """Send the answers that are there, without waiting until the loop turns."""
        self.departures.flush()

    def _answer_api_versions(self, request: WireRequest) -> Message:
        request.row.software = software_of(request.message)
        return self.apis.versions_response(request.version, self._features())

    def _receive_raft(self, request: WireRequest) -> Message | None:
        try:
            value = BY_KEY[request.api_key].request_from_wire(request.message)
        except Refusal as refusal:
            return refusal.response
        refused = None if self.identity is None else self.identity.judge(value, request.principal)
        if refused is None and self.authorization is not None:
            refused = denied(value, request.caller, self.authorization)
        if refused is not None:
            return BY_KEY[request.api_key].response_to_wire(refused, request.version)
        voters = self._voters()
        if voters is not self._kept:
            # A node that left the set is a stranger from now on.
            self.voter_connections.keep(voters.ids)
            self._kept = voters
        voter = voter_that_sends(voters, value)
        if voter is not None and isinstance(request.row, PeerConnection):
            self.voter_connections.note(request.row, voter, request.row.address)
        request.token = next(self._tokens)
        self._waiting[request.token] = request
        if is_voter_change(value):
            name = principal_name(request.caller, self.authorization)
            self._voter_changes[request.token] = self.changes.follow_voters(value, request.caller, name, request.ids)
        self._inbox(RequestReceived(request.token, value))
        return None

    # What connections call.

    def may_connect(self, address: str) -> bool:
        """Return whether one more connection may be made now; those of voters' addresses always may."""
        return self._is_voters(address) or self.creation.admit()

    def _is_voters(self, address: str) -> bool:
        if self.voter_connections.is_known(address):
            return True
        return any(endpoint.host == address for voter in self._voters() for endpoint in voter.endpoints)

    def opened(self, connection: PeerConnection) -> bool:
        """Count a connection in that was accepted just now, unless there is no place for it."""
        if not self.admission.enter(connection):
            return False
        self._connections.add(connection)
        return True

    def closed(self, connection: PeerConnection, unanswered: deque[WireRequest]) -> None:
        """Count a connection out; its unanswered requests to the core are abandoned."""
        self._connections.discard(connection)
        self.admission.leave(connection)
        self.voter_connections.forget(connection)
        self.turns.forget(connection)
        self.answers.forget(connection)
        self.requests.forget(connection)
        for request in unanswered:
            if request.token and self._waiting.pop(request.token, None) is not None:
                self._note_voters(request.token, None)
                self._inbox(RequestAbandoned(request.token))


class PeerConnection(FramedConnection, Accepted):
    """One accepted connection: a row of requests and their answers."""

    def __init__(self, listener: KafkaListener) -> None:
        super().__init__(listener.departures, bytes_max=listener.limits.request_bytes_max, bytes_min=REQUEST_BYTES_MIN)
        self._listener = listener
        self.authentication: ConnectionAuthentication | None = None
        if listener.authentication is not None:
            self.authentication = ConnectionAuthentication(self, listener.authentication)
            # A token without a header may have any length.
            self._splitter.limit(0, listener.authentication.receive_bytes_max)
        self._row: deque[WireRequest] = deque()
        self._backlog: deque[bytes] = deque()
        self._bulk_in_row = 0
        self._bytes_in_row = 0
        self._bytes_in_backlog = 0
        self._answers_in_row = 0
        self._is_paused = False
        self._is_peer_slow = False
        self._is_handling = False
        self._is_leaving = False
        self._idle_timer: asyncio.TimerHandle | None = None
        self._mute_timer: asyncio.TimerHandle | None = None
        self._last_heard = 0.0
        self.handled = 0
        self.principal = ANONYMOUS
        self.address = "?"
        self.software = ""
        self._give_up: Callable[[], object] = lambda: None

    @property
    def is_voters(self) -> bool:
        """Whether it spoke as a voter."""
        return self in self._listener.voter_connections

    @property
    def is_urgent(self) -> bool:
        """Whether it is a voter's and has few requests under way."""
        return self.is_voters and len(self._row) < VOTER_REQUESTS_MAX

    def accepted(self, address: str, give_up: Callable[[], object]) -> bool:
        """Take a place, from the moment the connection is accepted."""
        self.address = self.peer = address
        self._give_up = give_up
        if not self._listener.may_connect(address):
            self.never_made("too many connections in a second (max.connection.creation.rate)")
            return False
        if self._listener.opened(self):
            return True
        self.fail("no connection can be closed for it (max.connections, max.connections.per.ip)")
        self.never_made("refused")
        return False

    def never_made(self, reason: str) -> None:
        """End without a transport."""
        self._end(reason)
        if not self.closed.done():
            self.closed.set_result(None)

    def evict(self, reason: str) -> None:
        """Close at once, because the place is needed."""
        LOG.warning("connection_closed peer=%s reason=%s", self.peer, reason)
        self.abort(reason)

    def abort(self, reason: str) -> None:
        """Close without waiting for anything to leave, or for a handshake."""
        super().abort(reason)
        if self._transport is None:
            self._give_up()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the socket, unless its place was needed meanwhile."""
        super().connection_made(transport)
        if self._has_ended:
            self.abort("its place was needed")
            return
        self.principal = principal_at(transport)
        if self.authentication is None:
            self._listener.admission.made(self)
        else:
            self.authentication.connected()
        self._last_heard = self._loop.time()
        self._idle_timer = self._loop.call_later(self._listener.limits.idle_max_ms / 1000, self._check_idle)

    def authenticated(self) -> None:
        """Take it that the peer is known now."""
        assert self.authentication is not None
        self.principal = self.authentication.principal(self.principal)
        self._splitter.limit(REQUEST_BYTES_MIN, self._listener.limits.request_bytes_max)
        self._listener.admission.made(self)

    def stop_reading(self) -> None:
        """Read and handle nothing more."""
        self._is_leaving = True
        self._steer_reading()

    def _check_idle(self) -> None:
        idle_max = self._listener.limits.idle_max_ms / 1000
        left = self._last_heard + idle_max - self._loop.time()
        if left <= 0 and not self._row:
            LOG.info("connection_closed peer=%s reason=idle for %d ms", self.peer, self._listener.limits.idle_max_ms)
            self.close("idle")
            return
        self._idle_timer = self._loop.call_later(left if left > 0 else idle_max, self._check_idle)

    def payloads_received(self, payloads: list[bytes]) -> None:
        """Handle requests, as many as the row has places for."""
        self._last_heard = self._loop.time()
        self._listener.admission.heard(self)
        self._backlog.extend(payloads)
        self._bytes_in_backlog += sum(map(len, payloads))
        self.work_off()

    def data_received(self, data: bytes) -> None:
        """Split what came in, and count what is kept of it."""
        super().data_received(data)
        self._count_requests()

    def _count_requests(self) -> None:
        if not self._has_ended:
            held = self._splitter.held_bytes + self._bytes_in_backlog + self._bytes_in_row
            self._listener.requests.hold(self, 0 if self.is_voters else held)

    @property
    def answer_bytes(self) -> int:
        """How many bytes of answers wait to be read by the peer, or for those before them."""
        if self._transport is None:
            return 0
        return self._answers_in_row + self.outgoing_bytes + self._transport.get_write_buffer_size()

    def pause_writing(self) -> None:
        """Stop reading from a peer that does not read its answers."""
        self._is_peer_slow = True
        self._steer_reading()

    def resume_writing(self) -> None:
        """Go on: the answers have left."""
        self._is_peer_slow = False
        self.work_off()

    def work_off(self) -> None:
        """Handle the backlog while there are places. An answer given at once must not come in here a second time."""
        if self._is_handling:
            return
        self._is_handling = True
        while self._backlog and self.is_open and not (self._is_peer_slow or self._is_row_full or self._is_leaving):
            if self._mute_timer is not None:
                break
            if self._bulk_in_row and int.from_bytes(self._backlog[0][:2], "big") in BULK_KEYS:
                break
            if self._waits_for_others_answers() or not self._listener.turns.admit(self):
                break
            self.handled += 1
            payload = self._backlog.popleft()
            self._bytes_in_backlog -= len(payload)
            self._handle(payload)
        self._is_handling = False
        self._steer_reading()

    def _waits_for_others_answers(self) -> bool:
        answers = self._listener.answers
        if self.is_voters or not answers.is_spent:
            return False
        if not self.answer_bytes and int.from_bytes(self._backlog[0][:2], "big") not in LARGE_KEYS:
            return False
        answers.wait(self)
        return True

    @property
    def _is_row_full(self) -> bool:
        limits = self._listener.limits
        return (
            len(self._row) >= limits.requests_per_connection_max
            or self._bytes_in_row >= limits.request_bytes_per_connection_max
        )

    def _steer_reading(self) -> None:
        is_held = self._is_leaving or self._mute_timer is not None
        should_pause = self._is_peer_slow or bool(self._backlog) or self._is_row_full or is_held
        if self._transport is None or self._transport.is_closing() or should_pause == self._is_paused:
            return
        self._is_paused = should_pause
        if should_pause:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def mute(self, wait_ms: int) -> None:
        """Read no further request for a time; what was read is answered."""
        if self._has_ended:
            return
        if self._mute_timer is not None:
            if self._mute_timer.when() >= self._loop.time() + wait_ms / 1000:
                return
            self._mute_timer.cancel()
        self._mute_timer = self._loop.call_later(wait_ms / 1000, self._unmute)
        self._steer_reading()

    def _unmute(self) -> None:
        self._mute_timer = None
        self.work_off()

    def _handle(self, payload: bytes) -> None:
        if self.authentication is not None and not self.authentication.admits(payload):
            return
        if len(payload) < REQUEST_BYTES_MIN:
            self.fail(f"a request has {len(payload)} bytes, and none has less than {REQUEST_BYTES_MIN}")
            return
        api_key, version, correlation_id = _START.unpack_from(payload)
        throttling = self._listener.throttling
        meter = None if throttling is None else throttling.meter(api_key)
        if meter is None:
            self._handle_request(payload, api_key, version, correlation_id, None)
        else:
            with meter:
                self._handle_request(payload, api_key, version, correlation_id, meter)

    def _handle_request(
        self, payload: bytes, api_key: int, version: int, correlation_id: int, meter: WorkMeter | None
    ) -> None:
        route = self._listener.apis.find(api_key, version)
        if route is None:
            self._refuse(api_key, version, correlation_id)
            return
        try:
            message = route.decode(payload, body_start(payload, is_flexible=route.is_flexible))
        except MalformedError as error:
            self.fail(f"not a request: {error}")
            return
        except Exception as error:  # noqa: BLE001 - this may run in the driver's turn, and no request ends the process
            self._break_off(api_key, error)
            return
        if len(payload) >= COUNTED_BYTES_MIN and names_too_much(message, route.items_max):
            most = route.items_max
            self.fail(f"a request with apiKey {api_key} of {len(payload)} bytes names more than {most} items")
            return
        request = self._enter(api_key, version, correlation_id, message, len(payload))
        if api_key not in EXEMPT_KEYS:
            request.client_id, request.meter = client_id_of(payload), meter
        try:
            answer = route.handle(request)
        except ApiError as refused:
            # Not all answers have a place for it; a client whose connection is closed asks another node.
            self.fail(f"a request with apiKey {api_key} cannot be answered here: {refused.message}")
            return
        except Exception as error:  # noqa: BLE001 - as above
            self._break_off(api_key, error)
            return
        if answer is not None:
            if self.authentication is not None:
                self.authentication.answered(api_key, answer)
            self.complete(request, answer)

    def _enter(self, api_key: int, version: int, correlation_id: int, message: object, size: int) -> WireRequest:
        """Give a request its place in the row."""
        request = WireRequest(self, api_key, version, correlation_id, message, size, entered_s=self._loop.time())
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
        """Encode an answer and put it into its place; if the client is to wait, read nothing meanwhile."""
        throttling = None if request.meter is None else self._listener.throttling
        try:
            if throttling is not None:
                throttling.charge(request, message)
            payload = encode_response(request.correlation_id, message, request.version)
            if throttling is not None:
                throttling.charge_rest(request)
        except Exception as error:  # noqa: BLE001 - an answer is made of what was asked, and no request ends the process
            self._listener.errors.note(_name(request.api_key), error)
            self.fail(f"the answer {message.NAME} version {request.version} cannot be written: {error}")
            return
        wait_ms = getattr(message, "throttle_time_ms", 0)
        if wait_ms > 0:
            self.mute(wait_ms)
        error_code = getattr(message, "error_code", 0)
        self._listener.on_answered(request.api_key, error_code, self._loop.time() - request.entered_s)
        self._put(request, payload)

    def break_off(self, request: WireRequest, error: Exception) -> None:
        """Close, because handling a request raised an unexpected error."""
        self._break_off(request.api_key, error)

    def _break_off(self, api_key: int, error: Exception) -> None:
        self._listener.errors.note(_name(api_key), error)
        self.fail(f"a request {_name(api_key)} caused {type(error).__name__}: {error}")

    def _put(self, request: WireRequest, payload: bytes) -> None:
        """Put an answer into its place, and send what is ready from the front of the row."""
        request.payload = payload
        row = self._row
        self._answers_in_row += len(payload)
        self._listener.answers.added(self, len(payload))
        while row and row[0].payload is not None:
            first = row.popleft()
            self._bulk_in_row -= first.api_key in BULK_KEYS
            self._bytes_in_row -= first.size
            self._answers_in_row -= len(first.payload or b"")
            self.send(first.payload or b"")
        self._count_requests()
        if self._backlog or self._is_paused:
            self.work_off()

    def ended(self, reason: str) -> None:
        """Give up what was not answered."""
        LOG.debug("connection_ended peer=%s reason=%s", self.peer, reason)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if self._mute_timer is not None:
            self._mute_timer.cancel()
        if self.authentication is not None:
            self.authentication.ended()
        self._backlog.clear()
        self._bytes_in_backlog = 0
        unanswered, self._row = self._row, deque()
        self._listener.closed(self, unanswered)


def software_of(message: rpc.ApiVersionsRequest) -> str:
    """Return name and version of a client's software; empty where it names none, or what Kafka does not take."""
    named = f"{message.client_software_name}/{message.client_software_version}"
    return named if len(named) <= SOFTWARE_CHARACTERS_MAX and _SOFTWARE.fullmatch(named) else ""


def _receive_handshake(request: WireRequest) -> Message | None:
    return _authentication_of(request).handshake(request)


def _receive_token(request: WireRequest) -> Message | None:
    return _authentication_of(request).authenticate(request)


def _authentication_of(request: WireRequest) -> ConnectionAuthentication:
    assert isinstance(request.row, PeerConnection)
    assert request.row.authentication is not None
    return request.row.authentication


def _name(api_key: int) -> str:
    """Name an api that is offered."""
    return f"{API_VERSIONS[api_key].name}Request"
