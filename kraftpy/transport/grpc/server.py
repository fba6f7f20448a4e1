"""The server of the public API: services, health, reflection, limits, and a clean shutdown.

Where callers have to authenticate themselves by SASL, every call but Authenticate needs a session. Health and
reflection are open as they are to all that may connect: balancers have no credentials, and what reflection shows is
the API's own description.

Health is per service, so that a balancer can send writes to the active controller only: reading services are SERVING
when this node's state is caught up, writing services when it also leads. The overall status (``""``) is that of the
reading services.

Shutdown: streams are asked to end at once and answer the requests they have; unary calls get the grace period; then the
port closes.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from kraftpy.model.errors import ConfigError
from kraftpy.pb.v1 import (
    admin_pb2,
    authentication_pb2,
    cluster_pb2,
    forwarding_pb2,
    node_pb2,
    quorum_pb2,
    session_pb2,
)
from kraftpy.tracing.spans import Tracing
from kraftpy.transport.administrative_changes import AdministrativeChanges
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.grpc.forwarding import Forwarding, ForwardingService, LeaderCalls
from kraftpy.transport.grpc.methods import OnEnded, forwarded_methods, handlers
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.sasl_sessions import SaslSessions
from kraftpy.transport.grpc.services.authentication import AuthenticationService, authentication_bytes
from kraftpy.transport.grpc.services.calls import ConcurrencyLimit, Context, StreamBytes
from kraftpy.transport.grpc.services.session import SessionService
from kraftpy.transport.grpc.services.transfers import LeadershipTransfers
from kraftpy.transport.grpc.services.unary import AdminService, ClusterService, NodeService, QuorumService
from kraftpy.transport.grpc.unary_calls import UnaryCalls
from kraftpy.transport.identity import NodeIdentity
from kraftpy.transport.limits import HeldBytes, LimitUse
from kraftpy.transport.node_api import NodeApi
from kraftpy.transport.sasl import Authentication

MESSAGE_BYTES_MAX: Final = 16 * 1024 * 1024
"""No message in either direction is larger."""

MESSAGE_FRAME_BYTES: Final = 64
"""What an answer takes in a message of a session besides itself, at most."""

CONCURRENT_STREAMS_MAX: Final = 256
"""How many calls one connection may have under way; a client waits with further ones, or makes them in a session."""

HEALTH_WATCHES_MAX: Final = 1_024
"""How many calls may follow the health of a service; strangers may make them."""

STOP_GRACE_S: Final = 5.0
KEEPALIVE_MS: Final = 30_000
PING_INTERVAL_MIN_MS: Final = 5_000
"""Clients that ping more often are cut off."""

READING_SERVICES: Final = ("kraftpy.v1.ClusterService", "kraftpy.v1.QuorumService", "kraftpy.v1.AuthenticationService")
WRITING_SERVICES: Final = (
    "kraftpy.v1.AdminService",
    "kraftpy.v1.NodeService",
    "kraftpy.v1.SessionService",
    "kraftpy.v1.ForwardingService",
)


@dataclass(frozen=True, slots=True)
class HealthFacts:
    """What a node's health follows from."""

    is_caught_up: bool = False
    is_leader: bool = False


class BoundedHealth(health.aio.HealthServicer):  # type: ignore[name-defined,misc] # the stubs lack it
    """The health of the services, which a bounded number of calls may follow.

    Attributes:
        places: for these calls.
    """

    def __init__(self) -> None:
        super().__init__()
        self.places = ConcurrencyLimit("watches of health", HEALTH_WATCHES_MAX)

    async def Watch(self, request: Any, context: Context) -> None:  # noqa: N802 - gRPC's name
        """Follow the health of a service, if there is a place."""
        async with self.places.one(context):
            await super().Watch(request, context)


class ApiServer:
    """Serves the public API. ``await start()``, report health as it changes, ``await stop()``.

    Args:
        backend: the node behind it.
        host: the address to bind; IPv6 without brackets.
        port: 0 lets the system choose, see :attr:`port`.
        credentials: TLS, if given (``grpc.ssl_server_credentials``).
        message_bytes_max: the largest message in either direction.
        identity: compares what nodes register with their certificates, if given.
        authorization: decides which calls a caller may make, if given.
        orders: the orders of lists, which follow what the node publishes; without, they are made for each state.
        changes: the log of administrative changes; its own by default.
        authentication: how callers authenticate themselves by SASL; without it they need not.
        on_ended: called for each call that ended.
        leader_calls: the connection over which calls are forwarded to the leader; without it none is.
        tracing: makes a span for each unary call and each request of a session, if given.
    """

    def __init__(
        self,
        backend: NodeApi,
        host: str,
        port: int,
        *,
        credentials: grpc.ServerCredentials | None = None,
        message_bytes_max: int = MESSAGE_BYTES_MAX,
        identity: NodeIdentity | None = None,
        authorization: Authorization | None = None,
        orders: Orders | None = None,
        changes: AdministrativeChanges | None = None,
        authentication: Authentication | None = None,
        on_ended: OnEnded = lambda _method, _status, _took_s: None,
        leader_calls: LeaderCalls | None = None,
        tracing: Tracing | None = None,
    ) -> None:
        self._tracing = tracing
        self._leader_calls = leader_calls
        self._forwarding = (
            None if leader_calls is None else Forwarding(backend, leader_calls, authorization, message_bytes_max)
        )
        self._backend = backend
        self._on_ended = on_ended
        self._authentication = authentication
        self._sessions = SaslSessions(backend.now_ms if authentication is None else authentication.now_ms)
        self._changes = changes
        self._orders = orders or Orders()
        self._identity = identity
        self._authorization = authorization
        self._host = host or "0.0.0.0"  # noqa: S104 - as asked
        self._credentials = credentials
        self._message_bytes_max = message_bytes_max
        self._stopping = asyncio.Event()
        self._health = BoundedHealth()
        self._server: grpc.aio.Server | None = None
        self._calls = UnaryCalls()
        self._limited: tuple[ConcurrencyLimit | StreamBytes, ...] = ()
        self._authenticating = AuthenticationService(
            backend, self._stopping, self._sessions, authentication, message_bytes_max
        )
        self._held: HeldBytes | None = None
        self.port = port

    async def start(self) -> None:
        """Bind and serve.

        Raises:
            ConfigError: when the address cannot be bound.
        """
        server = grpc.aio.server(options=self._options())
        server.add_generic_rpc_handlers(self._handlers())
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = (*READING_SERVICES, *WRITING_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        try:
            await self._listen(server)
        except (OSError, RuntimeError) as error:
            shown = _target(self._host, self.port)
            raise ConfigError(f"the public API cannot listen on {shown}: {error}") from error
        await self.report(HealthFacts())
        await server.start()
        self._server = server

    async def _listen(self, server: grpc.aio.Server) -> None:
        """Bind every address of the host, or one at least.

        gRPC gets numbers only. It would resolve a name in the thread of this loop, and ask DNS even for what is in
        ``/etc/hosts``: where no name server answers, the node was blocked for ten seconds.

        Raises:
            OSError: the name does not resolve.
            RuntimeError: no address could be bound.
        """
        found = await asyncio.get_running_loop().getaddrinfo(
            self._host, self.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        refusals = []
        bound = 0
        for host in dict.fromkeys(numeric(address) for *_, address in found):
            try:
                self.port = self._add_port(server, _target(host, self.port))
                bound += 1
            except RuntimeError as error:
                refusals.append(error)
        if not bound:
            raise refusals[0]

    def _add_port(self, server: grpc.aio.Server, target: str) -> int:
        if self._credentials is None:
            return server.add_insecure_port(target)
        return server.add_secure_port(target, self._credentials)

    def _options(self) -> list[tuple[str, Any]]:
        return [
            ("grpc.max_receive_message_length", self._message_bytes_max),
            ("grpc.max_send_message_length", self._message_bytes_max),
            ("grpc.max_concurrent_streams", CONCURRENT_STREAMS_MAX),
            ("grpc.http.overload_protection", 0),  # counts calls that are over, and breaks a client's next ones
            ("grpc.so_reuseport", 0),  # two nodes on one port would share it in silence
            ("grpc.keepalive_time_ms", KEEPALIVE_MS),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_ping_interval_without_data_ms", PING_INTERVAL_MIN_MS),
        ]

    def _handlers(self) -> tuple[grpc.GenericRpcHandler[Any, Any], ...]:
        backend, stopping, identity, authorization = self._backend, self._stopping, self._identity, self._authorization
        bytes_max = self._message_bytes_max - MESSAGE_FRAME_BYTES
        cluster = ClusterService(backend, stopping, bytes_max, self._orders, authorization)
        changes = self._changes or AdministrativeChanges(backend.now_ms, backend.request_errors)
        sessions = SessionService(
            backend, stopping, bytes_max, identity, authorization, self._orders, changes, self._tracing
        )
        transfers = LeadershipTransfers(backend, changes, authorization)
        self._limited, self._held = (cluster.places, cluster.unread, sessions.places), sessions.held
        forwarded = (
            (cluster_pb2, "ClusterService", cluster),
            (quorum_pb2, "QuorumService", QuorumService(backend, transfers)),
            (admin_pb2, "AdminService", AdminService(backend, identity, authorization, changes)),
        )
        here = (
            (node_pb2, "NodeService", NodeService(backend, identity, authorization, changes)),
            (session_pb2, "SessionService", sessions),
            (forwarding_pb2, "ForwardingService", self._forwarded(forwarded)),
        )
        required = None if self._authentication is None else self._sessions
        made = tuple(
            handlers(
                module.DESCRIPTOR.services_by_name[name],
                servicer,
                self._calls,
                authorization,
                required,
                on_ended=self._on_ended,
                forwarding=self._forwarding if row in forwarded else None,
                tracing=self._tracing,
            )
            for row in (*forwarded, *here)
            for module, name, servicer in (row,)
        )
        descriptor = authentication_pb2.DESCRIPTOR.services_by_name["AuthenticationService"]
        limit = None if self._authentication is None else authentication_bytes(self._authentication)
        own = handlers(descriptor, self._authenticating, self._calls, bytes_limit=limit, on_ended=self._on_ended)
        return (*made, own)

    def _forwarded(self, rows: Iterable[tuple[Any, str, object]]) -> ForwardingService:
        """Make the service that does the calls of these services for clients of other nodes."""
        methods = dict(
            each
            for module, name, servicer in rows
            for each in forwarded_methods(module.DESCRIPTOR.services_by_name[name], servicer, self._authorization)
        )
        return ForwardingService(methods, self._identity, has_authorizer=self._authorization is not None)

    def limit_uses(self) -> tuple[LimitUse, ...]:
        """Say how much of each limit is in use."""
        uses = (*self._calls.limit_uses(), *(each.limit_use() for each in self._limited))
        uses += () if self._forwarding is None else (self._forwarding.limit_use(),)
        uses += (self._health.places.limit_use(), *self._authenticating.limit_uses())
        held = self._held
        return uses if held is None else (*uses, LimitUse("session bytes", held.used, held.bytes_max, held.closed))

    async def report(self, facts: HealthFacts) -> None:
        """Set the health of every service."""
        writable = facts.is_caught_up and facts.is_leader
        for name in ("", *READING_SERVICES):
            await self._health.set(name, _status(is_serving=facts.is_caught_up))
        for name in WRITING_SERVICES:
            await self._health.set(name, _status(is_serving=writable))

    async def stop(self, grace_s: float = STOP_GRACE_S) -> None:
        """Stop serving: NOT_SERVING, no new calls, streams end, unary calls get ``grace_s``."""
        self._stopping.set()
        await self._health.enter_graceful_shutdown()
        if self._server is not None:
            await self._server.stop(grace_s)
            self._server = None
        if self._leader_calls is not None:
            await self._leader_calls.close()


def _status(*, is_serving: bool) -> int:
    status = health_pb2.HealthCheckResponse
    number: int = status.SERVING if is_serving else status.NOT_SERVING
    return number


def _target(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def numeric(address: tuple[Any, ...]) -> str:
    """Return the host of a socket's address, with the interface where IPv6 has it apart."""
    host, _, *rest = address
    scope = rest[1] if rest else 0
    return f"{host}%{scope}" if scope else str(host)
