"""Connections to other nodes: one per address, made when there is something to send, versions agreed on first.

The caller decides what is worth repeating and when, so nothing is repeated here: every request has exactly one outcome,
a response or a :class:`Failure`. A refused connection is reported at once, because it means that the process is gone,
which is what lets a follower start an election before its timeout.

The states of one connection::

    IDLE -- send --> CONNECTING -- connected --> NEGOTIATING -- ApiVersions answered --> OPEN
      ^                  |                            |                                   |
      '---- refused, reset, timed out, malformed -----'-----------------------------------'

Where the server asks for it, this side authenticates itself by SASL before the connection is open, and again before the
session expires; requests wait meanwhile (:mod:`~kraftpy.transport.kafka.login`).

A request that times out closes its connection, so that a late response cannot be mistaken for another one's; what else
was in flight is DISCONNECTED. Names are resolved again for each connection.

Source: KIP-35, KIP-511 (ApiVersions); ``raft protocol`` §13.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import ssl
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, Self, TypeAlias, TypedDict, Unpack

from kraftpy.authenticator.login import Login
from kraftpy.model.errors import ErrorCode, MalformedError
from kraftpy.model.identity import ANONYMOUS
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import VoteRequest
from kraftpy.raft.ready import Failure, Inbound, RequestFailed, ResponseReceived
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.kafka.apis import API_VERSIONS_KEY
from kraftpy.transport.kafka.connection import FramedConnection, WriteScheduler
from kraftpy.transport.kafka.framing import REQUEST_BYTES_MAX
from kraftpy.transport.kafka.identity import PeerIdentity, principal_at
from kraftpy.transport.kafka.login import ConnectionLogin
from kraftpy.transport.kafka.resolving import Resolver
from kraftpy.transport.kafka.translate import BY_REQUEST, UnsupportedVersionError, WireApi, load_codecs
from kraftpy.transport.kafka.translate.vote import PRE_VOTE_VERSION
from kraftpy.transport.request_errors import RequestErrors

LOG: Final = logging.getLogger("kraftpy.transport.kafka")

RESPONSE_BYTES_MIN: Final = 4
"""A correlation id: no response is shorter."""

IN_FLIGHT_MAX: Final = 1_000
"""How many requests to one node may wait; one more fails as DISCONNECTED."""

CHANNELS_MAX: Final = 256
"""How many addresses a node has connections to; addresses come with requests, too, so the unused ones are forgotten."""

RECONNECT_FLOOR_MS: Final = 5
"""Two attempts to connect to one address are at least this far apart: a busy loop of refused connections is useless."""

NEGOTIATION_VERSION: Final = 4
SOFTWARE_NAME: Final = "kraftpy"

Address: TypeAlias = tuple[str, int]
Sink: TypeAlias = Callable[[Inbound], None]


class OutgoingRequest(Protocol):
    """A request to a node: raft's ``Send``, or a node's own call (``controller_calls``)."""

    @property
    def node_id(self) -> NodeId:
        """The receiver; negative for a bootstrap server, whose id is not known yet."""
        ...

    @property
    def endpoint(self) -> Endpoint:
        """Where the receiver listens."""
        ...

    @property
    def correlation(self) -> int:
        """Unique among the requests of these connections."""
        ...

    @property
    def request(self) -> Any:
        """The value; its class is one of the APIs that these connections have."""
        ...

    @property
    def timeout_ms(self) -> int:
        """After which the request has failed as TIMED_OUT."""
        ...


@dataclass(frozen=True, slots=True)
class _Settings:
    """What all channels of a network share."""

    apis: Mapping[type[Any], WireApi]
    on_response: Callable[[int, Any], None]
    on_failure: Callable[[int, Failure], None]
    client_id: str
    software_version: str
    listener_name: str
    ssl_context: ssl.SSLContext | None
    response_bytes_max: int
    departures: WriteScheduler
    resolver: Resolver
    identity: PeerIdentity | None
    errors: RequestErrors = field(default_factory=RequestErrors)
    login: Login | None = None


class ConnectionOptions(TypedDict, total=False):
    """What every kind of connection can be given.

    Attributes:
        listener_name: the name given to a leader's endpoint where the wire has none; ``CONTROLLER`` by default.
        software_version: this side's, in ApiVersions.
        ssl_context: TLS, if given.
        response_bytes_max: a longer response closes its connection.
        identity: compares servers with the nodes that requests are meant for, if given.
        errors: where unexpected errors are counted; its own by default.
        login: the credentials for servers that ask for them by SASL, if given.
    """

    listener_name: str
    software_version: str
    ssl_context: ssl.SSLContext | None
    response_bytes_max: int
    identity: PeerIdentity | None
    errors: RequestErrors
    login: Login | None


class NodeConnections:
    """One connection to each address that requests go to; ``async with`` it, so that no connection outlives it.

    Args:
        apis: how requests are translated, by their class.
        on_response: called with the correlation and the value of every response.
        on_failure: called with the correlation of every other request. Both are called from the event loop's callbacks
            or from within :meth:`send`, and must only store the value.
        client_id: what peers log.
        options: see :class:`ConnectionOptions`.
    """

    def __init__(
        self,
        client_id: str,
        apis: Mapping[type[Any], WireApi],
        on_response: Callable[[int, Any], None],
        on_failure: Callable[[int, Failure], None],
        options: ConnectionOptions,
    ) -> None:
        # No ``**options``: compiled, a call of ``super().__init__`` with such passes them in a wrong order.
        self._departures = WriteScheduler()
        self._settings = _Settings(
            apis,
            on_response,
            on_failure,
            client_id,
            options.get("software_version", "0"),
            options.get("listener_name", "CONTROLLER"),
            options.get("ssl_context"),
            options.get("response_bytes_max", REQUEST_BYTES_MAX),
            self._departures,
            Resolver(),
            options.get("identity"),
            options.get("errors") or RequestErrors(),
            options.get("login"),
        )
        self._channels: OrderedDict[Address, _Channel] = OrderedDict()
        self._stack = AsyncExitStack()
        load_codecs()
        self._tasks: asyncio.TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Start to accept requests."""
        self._tasks = await self._stack.enter_async_context(asyncio.TaskGroup())
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close; see :meth:`close`."""
        await self.close()

    async def close(self) -> None:
        """Close every connection; what is in flight fails as DISCONNECTED, and so does what is sent later."""
        self._tasks = None
        closing = [channel.closing() for channel in self._channels.values()]
        for channel in self._channels.values():
            channel.drop(Failure.DISCONNECTED, "this node closes its connections")
        await self._stack.aclose()
        for closed in closing:
            if closed is not None:
                await closed

    def send(self, message: OutgoingRequest) -> None:
        """Send a request. Its outcome is reported once, at the latest after its timeout."""
        if self._tasks is None:
            self._settings.on_failure(message.correlation, Failure.DISCONNECTED)
            return
        address = (message.endpoint.host, message.endpoint.port)
        channel = self._channels.get(address)
        if channel is None:
            channel = self._channels[address] = _Channel(self._settings, address)
            self._forget_unused()
        self._channels.move_to_end(address)
        channel.send(message, self._tasks)

    def flush(self) -> None:
        """Send the requests that are queued, without waiting until the loop turns."""
        self._departures.flush()

    def _forget_unused(self) -> None:
        """Forget the address that nothing was sent to for longest, when there are too many."""
        if len(self._channels) > CHANNELS_MAX:
            _, unused = self._channels.popitem(last=False)
            unused.drop(Failure.DISCONNECTED, "other addresses need its place")


class PeerNetwork(NodeConnections):
    """Raft's connections to other nodes.

    Args:
        sink: takes every ResponseReceived and RequestFailed; see :class:`NodeConnections`.
        client_id: as there.
        **options: see :class:`ConnectionOptions`.
    """

    def __init__(self, sink: Sink, client_id: str, **options: Unpack[ConnectionOptions]) -> None:
        super().__init__(
            client_id,
            BY_REQUEST,
            lambda correlation, response: sink(ResponseReceived(correlation, response)),
            lambda correlation, reason: sink(RequestFailed(correlation, reason)),
            options,
        )


@dataclass(slots=True)
class _RequestInFlight:
    """A request and its timer; ``version`` is the version it was written in."""

    message: OutgoingRequest
    api: WireApi
    timer: asyncio.TimerHandle
    version: int = -1


class _Channel:
    """One address: at most one connection, and the requests that wait for it or for their answers."""

    def __init__(self, settings: _Settings, address: Address) -> None:
        self._settings = settings
        self._address = address
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int, _RequestInFlight] = {}
        self._in_flight: dict[int, _RequestInFlight] = {}
        self._connecting: asyncio.Task[None] | None = None
        self._connection: _ServerConnection | None = None
        self._last_attempt = float("-inf")
        self._attempt = 0

    def send(self, message: OutgoingRequest, tasks: asyncio.TaskGroup) -> None:
        if len(self._waiting) + len(self._in_flight) >= IN_FLIGHT_MAX:
            self._settings.on_failure(message.correlation, Failure.DISCONNECTED)
            return
        timer = self._loop.call_later(message.timeout_ms / 1000, self._time_out, message.correlation)
        pending = _RequestInFlight(message, self._settings.apis[type(message.request)], timer)
        connection = self._connection
        if connection is not None and connection.is_ready:
            self._write(connection, pending)
            return
        self._waiting[message.correlation] = pending
        if self._connecting is None and connection is None:
            self._attempt += 1
            self._connecting = tasks.create_task(self._connect(self._attempt), name=f"connect to {self._shown}")

    @property
    def _shown(self) -> str:
        return f"{self._address[0]}:{self._address[1]}"

    async def _connect(self, attempt: int) -> None:
        """Connect; the rest happens in the connection's callbacks."""
        host, port = self._address
        try:
            pause = self._last_attempt + RECONNECT_FLOOR_MS / 1000 - self._loop.time()
            if pause > 0:
                await asyncio.sleep(pause)
            self._last_attempt = self._loop.time()
            await self._connect_to(await self._settings.resolver.resolve(host), port, attempt)
        except (OSError, ValueError, OverflowError) as error:  # the last two: a host name, a port that cannot be
            self._connecting = None
            self.drop(classify(error), f"cannot connect: {error}")
            return
        if attempt == self._attempt:
            self._connecting = None

    async def _connect_to(self, addresses: list[str], port: int, attempt: int) -> None:
        """Connect to the first address that takes us.

        Raises:
            OSError: none does; ConnectionRefusedError when all refuse.
        """
        context = self._settings.ssl_context
        errors: list[OSError] = []
        for address in addresses:
            try:
                await self._loop.create_connection(
                    lambda: _ServerConnection(self, self._settings, attempt),
                    address,
                    port,
                    ssl=context,
                    server_hostname=self._address[0] if context is not None else None,
                )
            except OSError as error:
                errors.append(error)
            else:
                return
        if errors and all(isinstance(error, ConnectionRefusedError) for error in errors):
            raise errors[0]
        raise OSError("; ".join(str(error) for error in errors) or "the name has no address")

    def _time_out(self, correlation: int) -> None:
        pending = self._waiting.pop(correlation, None) or self._in_flight.pop(correlation, None)
        if pending is None:
            return
        self._settings.on_failure(correlation, Failure.TIMED_OUT)
        self.drop(Failure.DISCONNECTED, f"{pending.api.name} was not answered in {pending.message.timeout_ms} ms")

    def closing(self) -> asyncio.Future[None] | None:
        """Return what is done when the connection's socket is closed."""
        return None if self._connection is None else self._connection.closed

    # What the connection calls.

    def connected(self, connection: _ServerConnection, attempt: int) -> bool:
        """Take the connection, unless it was given up while it was being made."""
        if attempt != self._attempt or self._connecting is None:
            return False
        self._connection = connection
        return True

    def ready(self, connection: _ServerConnection) -> None:
        """Send what waited for the versions to be known."""
        waiting, self._waiting = self._waiting, {}
        for pending in waiting.values():
            self._write(connection, pending)

    def _write(self, connection: _ServerConnection, pending: _RequestInFlight) -> None:
        message, api = pending.message, pending.api
        if not connection.is_open or not connection.is_of(message.node_id):
            self._fail(pending, Failure.DISCONNECTED)
            connection.close("the server is not the node that was meant")
            return
        version = connection.version_for(api)
        pre_vote_lost = isinstance(message.request, VoteRequest) and message.request.pre_vote
        if version is None or (pre_vote_lost and version < PRE_VOTE_VERSION):
            self._fail(pending, Failure.UNSUPPORTED_VERSION)
            return
        try:
            wire = api.request_to_wire(message.request, version)
            number = connection.request(wire, version)
        except UnsupportedVersionError:
            self._fail(pending, Failure.UNSUPPORTED_VERSION)
            return
        except Exception as error:  # noqa: BLE001 - what is sent may repeat what others said; no answer ends the process
            self._settings.errors.note(f"{api.name}Request sent", error)
            self._fail(pending, Failure.MALFORMED)
            return
        pending.version = version
        self._in_flight[message.correlation] = pending
        connection.numbers[number] = message.correlation

    def received(self, correlation: int, payload: bytes) -> None:
        """Hand the answer to the core.

        Raises:
            MalformedError: when it is none; its request has failed by then.
        """
        pending = self._in_flight.pop(correlation)
        try:
            _, wire = decode_response(pending.api.api_key, pending.version, payload)
            response = pending.api.read_response(wire, self._settings.listener_name)
        except MalformedError:
            self._fail(pending, Failure.MALFORMED)
            raise
        except Exception as error:
            self._settings.errors.note(f"{pending.api.name}Response", error)
            self._fail(pending, Failure.MALFORMED)
            raise MalformedError(f"reading it raised {type(error).__name__}: {error}") from error
        pending.timer.cancel()
        self._settings.on_response(correlation, response)

    def _fail(self, pending: _RequestInFlight, reason: Failure) -> None:
        pending.timer.cancel()
        self._settings.on_failure(pending.message.correlation, reason)

    def lost(self, connection: _ServerConnection, reason: str) -> None:
        """Fail everything: the connection is gone. One that was dropped before has nothing left to say."""
        if connection is self._connection:
            self._connection = None
            self.drop(connection.failure, reason)

    def drop(self, reason: Failure, why: str) -> None:
        """Close the connection, if there is one, and fail everything that waits."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.abort(why)
        connecting, self._connecting = self._connecting, None
        if connecting is not None:
            connecting.cancel()
        pending = [*self._in_flight.values(), *self._waiting.values()]
        self._in_flight = {}
        self._waiting = {}
        LOG.debug("connection_ended peer=%s open_requests=%d reason=%s", self._shown, len(pending), why)
        for each in pending:
            self._fail(each, reason)


class _ServerConnection(FramedConnection):
    """One connection to a node: negotiates, numbers requests, matches answers."""

    def __init__(self, channel: _Channel, settings: _Settings, attempt: int) -> None:
        super().__init__(settings.departures, bytes_max=settings.response_bytes_max, bytes_min=RESPONSE_BYTES_MIN)
        self._channel = channel
        self._settings = settings
        self._attempt = attempt
        self._next_number = 0
        self._negotiating_version = NEGOTIATION_VERSION
        self._versions: dict[int, tuple[int, int]] = {}
        self._principal = ANONYMOUS
        self._login = None if settings.login is None else ConnectionLogin(self, settings.login)
        self._has_versions = False
        self.is_ready = False
        self.numbers: dict[int, int] = {}
        self.failure = Failure.DISCONNECTED

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the versions the node knows."""
        super().connection_made(transport)
        self._principal = principal_at(transport)
        if self._channel.connected(self, self._attempt):
            self._negotiate(NEGOTIATION_VERSION)
        else:
            self.abort("given up")

    def is_of(self, node_id: NodeId) -> bool:
        """Return whether the server is the node that a request is meant for, as far as that is checked."""
        identity = self._settings.identity
        return identity is None or identity.is_server(self._principal, node_id)

    def _negotiate(self, version: int) -> None:
        self._negotiating_version = version
        software = rpc.ApiVersionsRequest(SOFTWARE_NAME, self._settings.software_version)
        self.request(software, version)

    def request(self, wire: Message, version: int) -> int:
        """Send a request; return its correlation id on this connection."""
        number = self._next_number
        payload = encode_request(self._settings.client_id, number, wire, version)
        self._next_number = (number + 1) & 0x7FFFFFFF
        self.send(payload)
        return number

    def version_for(self, api: WireApi) -> int | None:
        """Return the highest version that both sides know."""
        return self.version_of(api.api_key, api.min_version, api.max_version)

    def version_of(self, api_key: int, min_version: int, max_version: int) -> int | None:
        """Return the highest of some versions that the server knows, too."""
        low, high = self._versions.get(api_key, (0, -1))
        version = min(max_version, high)
        return version if version >= max(min_version, low) else None

    def payloads_received(self, payloads: list[bytes]) -> None:
        """Match each answer with its request; anything else ends the connection."""
        for payload in payloads:
            if not self.is_open:
                return
            try:
                self._receive(payload)
            except MalformedError as error:
                self.fail(f"not an answer: {error}")
                return

    def _receive(self, payload: bytes) -> None:
        if not self._has_versions:
            self._receive_versions(payload)
            return
        number = int.from_bytes(payload[:4], "big", signed=True)
        if self._login is not None and self._login.awaits(number):
            self._login.receive(payload)
            return
        correlation = self.numbers.pop(number, None)
        if correlation is None:
            raise MalformedError(f"correlation id {number} belongs to no request in flight")
        try:
            self._channel.received(correlation, payload)
        except MalformedError as error:
            # Only the request it answers was answered crookedly; what else is in flight is merely disconnected.
            LOG.warning("connection_closed peer=%s reason=not an answer: %s", self.peer, error)
            self.close("malformed answer")

    def _receive_versions(self, payload: bytes) -> None:
        # The error code is the first field of every version, and one of them is always answered in version 0.
        refused = int.from_bytes(payload[4:6], "big", signed=True) == ErrorCode.UNSUPPORTED_VERSION
        version = 0 if refused else self._negotiating_version
        _, message = decode_response(API_VERSIONS_KEY, version, payload)
        assert isinstance(message, rpc.ApiVersionsResponse)
        self._versions = {api.api_key: (api.min_version, api.max_version) for api in message.api_keys}
        if refused and self._negotiating_version > 0:
            _, highest = self._versions.get(API_VERSIONS_KEY, (0, 0))
            self._negotiate(max(0, min(highest, self._negotiating_version - 1)))
            return
        if message.error_code:
            raise MalformedError(f"ApiVersions was answered with error {message.error_code}")
        self._has_versions = True
        if self._login is None:
            self.logged_in()
        else:
            self._login.begin()

    def logged_in(self) -> None:
        """Take it that requests can be sent."""
        self.is_ready = True
        self._channel.ready(self)

    def login_expires(self) -> None:
        """Let requests wait until this side is authenticated again."""
        self.is_ready = False

    def fail(self, reason: str) -> None:
        """Close because what came is no answer to anything: all that is in flight is malformed."""
        self.failure = Failure.MALFORMED
        super().fail(reason)

    def ended(self, reason: str) -> None:
        """Notify the channel."""
        if self._login is not None:
            self._login.ended()
        self._channel.lost(self, reason)


def classify(error: Exception) -> Failure:
    """Say what a failed attempt to connect means.

    A name with several addresses fails with one error for all of them, which has no number: then every part of its text
    must say "refused".
    """
    if isinstance(error, ConnectionRefusedError):
        return Failure.REFUSED
    text = str(error)
    if text.startswith("Multiple exceptions"):
        refused = f"[Errno {errno.ECONNREFUSED}]"
        return Failure.REFUSED if text.count(refused) == text.count("[Errno ") > 0 else Failure.DISCONNECTED
    return Failure.DISCONNECTED
