"""Everything of a node that listens: Kafka's protocol, the public API, and the HTTP side door.

A controller serves the quorum's requests on each of its controller listeners. A broker listens on its own listeners
too, so that the endpoints it registers are real, and answers ApiVersions there; it has no data plane.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Protocol, cast

import grpc
import structlog

from kraftpy.config.listeners import ListenerConfig, is_encrypted
from kraftpy.config.node_config import NodeConfig
from kraftpy.config.tls import GRPC, TlsConfig
from kraftpy.config.values import Value
from kraftpy.model.errors import ConfigError
from kraftpy.node.addresses import PORT_WAY_OUT, cannot_listen, check_can_listen
from kraftpy.node.authentication import NodeAuthentication
from kraftpy.node.call_metrics import CallMetrics
from kraftpy.node.certificates import Certificates
from kraftpy.node.health_checks import HealthCheck
from kraftpy.node.http import HttpServer
from kraftpy.node.leader_calls import LeaderConnection, leader_access
from kraftpy.node.limit_metrics import LimitMetrics
from kraftpy.node.limits import listener_limits
from kraftpy.node.metrics import NodeMetrics
from kraftpy.node.permissions import Permissions
from kraftpy.node.request_metrics import RequestMetrics
from kraftpy.node.running_settings import RunningSettings
from kraftpy.node.status_page.reading import PageSource, StateReader
from kraftpy.node.status_page.state import PageState
from kraftpy.node.tracing import NodeTracing, open_tracing
from kraftpy.quotas.request_time import RequestQuotas
from kraftpy.raft.ready import Role
from kraftpy.raft.replica import Replica
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.inbox import INBOX_ITEMS_MAX
from kraftpy.runtime.peer_requests import URGENT_PER_VOTER_MAX
from kraftpy.transport.administrative_changes import AdministrativeChanges
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.grpc.credentials import ReloadingCredentials
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.server import ApiServer, HealthFacts
from kraftpy.transport.kafka.apis import OfferedFeatures
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.identity import PeerIdentity
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.kafka.quorum_listeners import QuorumListeners, tokens_of
from kraftpy.transport.kafka.throttling import Throttling
from kraftpy.transport.limits import LimitUse
from kraftpy.transport.tls import ReloadingContext, TlsFiles, client_context, server_context

_log = structlog.get_logger("kraftpy.listen")

HEALTH_INTERVAL_S = 0.2
"""How often gRPC health is brought up to date."""


class ServerDependencies(PageSource, Protocol):
    """What of a node the listeners need, beside what the status page shows."""

    certificates: Certificates
    backend: NodeBackend
    permissions: Permissions | None
    authentication: NodeAuthentication
    orders: Orders
    settings: RunningSettings

    def readiness(self) -> Iterator[HealthCheck]:
        """Check whether the node does what it is there for; what is worse comes first."""
        ...

    def liveness(self) -> Iterator[HealthCheck]:
        """Check whether the process works."""
        ...


class Servers:
    """The listeners of one node."""

    def __init__(self, node: ServerDependencies) -> None:
        self._node = node
        self._listeners: dict[str, KafkaListener] = {}
        self._api: ApiServer | None = None
        self._http: HttpServer | None = None
        self._tracing: NodeTracing | None = None
        self._not_queued = 0
        self._request_metrics = RequestMetrics()
        self._call_metrics = CallMetrics()
        values = node.config.values
        self._changes = AdministrativeChanges(
            node.driver.clock.now_ms,
            node.driver.request_errors,
            names_authors=values["metadata.log.authors.enable"] is True,
        )
        self._request_quotas = RequestQuotas(
            cast("int", values["quota.window.num"]), cast("int", values["quota.window.size.seconds"])
        )

    # ---------------------------------------------------------------- life

    async def start(self) -> QuorumListeners | None:
        """Open every listener.

        Returns:
            Those that serve the quorum; ``None`` on a node that is no controller.

        Raises:
            ConfigError: an address is taken or not ours; whatever was opened before is closed by :meth:`close`.
        """
        config = self._node.config
        self._node.metrics.registry.register(LimitMetrics(self._limit_uses))
        self._node.metrics.registry.register(self._request_metrics)
        self._node.metrics.registry.register(self._call_metrics)
        quorum = await self._open_quorum()
        for listener in config.broker_listeners:
            # Peers speak to the quorum at a controller's listeners alone; a broker's offers its versions.
            await self._open(listener)
        if config.api.grpc_listener is not None:
            host, port = config.api.grpc_listener
            self._tracing = open_tracing(config.node_id) if config.api.tracing else None
            credentials = self._grpc_credentials() if config.api.grpc_tls else None
            self._api = ApiServer(
                self._node.backend,
                host,
                port,
                credentials=credentials,
                message_bytes_max=config.api.grpc_max_message_bytes,
                identity=peer_identity(self._node) if config.identity.callers else None,
                authorization=self._authorization(GRPC),
                orders=self._node.orders,
                changes=self._changes,
                authentication=self._node.authentication.of(GRPC),
                on_ended=self._call_metrics.ended,
                leader_calls=LeaderConnection(lambda: leader_access(config)),
                tracing=None if self._tracing is None else self._tracing.tracing,
            )
            try:
                await check_can_listen(host, port)
                await self._api.start()
            except OSError as error:
                raise cannot_listen("grpc.listener", f"{host}:{port}", error) from error
            except ConfigError as error:
                raise ConfigError(f"grpc.listener={host}:{port}: {error} {PORT_WAY_OUT}") from error
            _log.info("public_api_listening", address=f"{host}:{self._api.port}")
        if config.api.metrics_listener is not None:
            self._http = HttpServer(
                registry=self._node.metrics.registry,
                live=self._node.liveness,
                ready=self._node.readiness,
                trouble=self._node.trouble,
                state=self._page_state(),
            )
            await self._http.start(*config.api.metrics_listener)
        return quorum

    def _page_state(self) -> Callable[[], Generator[None, None, PageState]] | None:
        """Return what begins a reading for the status page; ``None`` where the page is off."""
        if not self._node.config.api.status_page:
            return None
        return StateReader(self._node, lambda: self._changes.recent).steps

    def _authorization(self, listener_name: str) -> Authorization | None:
        return None if self._node.permissions is None else self._node.permissions.of_listener(listener_name)

    def _grpc_credentials(self) -> grpc.ServerCredentials:
        reloading = ReloadingCredentials(tls_files(self._node.config.api_tls), self._call_metrics.connected)
        self._call_metrics.expects_connections()
        self._node.certificates.keep(reloading.reload)
        return reloading.credentials()

    def _context(self, listener_name: str) -> ssl.SSLContext:
        files = tls_files(self._node.config.listener_tls[listener_name])
        context = ReloadingContext.of(lambda: server_context(files))
        self._node.certificates.keep(context.reload)
        return context

    def _throttling(self, listener_name: str) -> Throttling:
        node = self._node
        return Throttling(
            self._request_quotas,
            lambda: node.published_image.client_quotas,
            self._authorization(listener_name),
            node.driver.clock.now_ms,
        )

    async def _open_quorum(self) -> QuorumListeners | None:
        """Open the controller listeners, each with its own protocol and checks."""
        listeners = self._node.config.controller_listeners
        opened = []
        for position, listener in enumerate(listeners):
            tokens = tokens_of(position, len(listeners))
            opened.append(await self._open(listener, tokens=tokens, throttling=self._throttling(listener.name)))
            self._offer_control_calls(opened[-1], listener.name)
        return QuorumListeners(opened) if opened else None

    async def _open(
        self, listener: ListenerConfig, *, tokens: Iterator[int] | None = None, throttling: Throttling | None = None
    ) -> KafkaListener:
        """Open a listener; it serves the quorum where it is given tokens."""
        serves_quorum = tokens is not None
        context = self._context(listener.name) if listener.is_encrypted else None
        opened = KafkaListener(
            listener.host,
            listener.port,
            self._node.driver.deliver,
            features=self._features,
            ssl_context=context,
            identity=peer_identity(self._node) if listener.name in self._node.config.identity.peers else None,
            authorization=self._authorization(listener.name),
            errors=self._node.driver.request_errors,
            changes=self._changes,
            limits=listener_limits(self._node.settings.values, listener.name),
            serves_quorum=serves_quorum,
            name=listener.name,
            tokens=tokens,
            voters=lambda: self._node.replica.voters,
            may_queue=self._may_queue,
            throttling=throttling,
            authentication=self._node.authentication.of(listener.name),
            on_answered=self._request_metrics.answered,
        )
        try:
            await opened.start()
        except OSError as error:
            address = f"{listener.name}://{listener.host}:{listener.port}"
            raise cannot_listen("listeners", address, error) from error
        self._listeners[listener.name] = opened
        _log.info("listening", listener=listener.name, address=f"{listener.host}:{opened.port}")
        return opened

    def _limit_uses(self) -> dict[str, tuple[LimitUse, ...]]:
        """Say how much of each limit is in use, by listener."""
        node = self._node
        inbox, peers = node.driver.inbox, node.driver.peer_requests
        uses = {name: listener.limit_uses() for name, listener in self._listeners.items()}
        if self._api is not None:
            uses[GRPC] = self._api.limit_uses()
        if self._http is not None:
            uses["METRICS"] = self._http.limit_uses()
        uses[""] = (
            LimitUse("queued requests", inbox.ordinary, self._queued_max, self._not_queued),
            LimitUse("things to do", inbox.ordinary, INBOX_ITEMS_MAX, peers.dropped),
            LimitUse("urgent requests", peers.urgent, URGENT_PER_VOTER_MAX, peers.not_urgent),
            *(() if node.host is None else node.host.limit_uses()),
        )
        return uses

    def _may_queue(self) -> bool:
        """Return whether strangers' requests are taken: few enough wait for the driver's turn."""
        may_queue = self._node.driver.inbox.ordinary < self._queued_max
        self._not_queued += not may_queue
        return may_queue

    @property
    def _queued_max(self) -> int:
        limit = self._node.settings.values["queued.max.requests"]
        assert isinstance(limit, int)
        return limit

    def _offer_control_calls(self, listener: KafkaListener, listener_name: str) -> None:
        node = self._node
        host = node.host
        assert host is not None, "a node with a controller listener is a controller"
        ControlCalls(
            listener,
            listener_name=listener_name,
            node_id=node.config.node_id,
            submit=host.submit_one,
            view=node.backend.view,
            leader_id=lambda: node.replica.leader.leader_id,
            now_ms=node.driver.clock.now_ms,
        )

    async def close(self) -> None:
        """Close everything that was opened, whatever happens to one of them."""
        async with AsyncExitStack() as stack:
            stack.callback(self._changes.flush)
            if self._tracing is not None:
                stack.push_async_callback(self._tracing.close)
            for listener in self._listeners.values():
                stack.push_async_callback(listener.close)
            if self._http is not None:
                stack.push_async_callback(self._http.close)
            if self._api is not None:
                stack.push_async_callback(self._api.stop)

    # ---------------------------------------------------------------- use

    def follow_settings(self, values: Mapping[str, Value]) -> None:
        """Keep to other limits from now on."""
        for name, listener in self._listeners.items():
            listener.follow_limits(listener_limits(values, name))

    async def report_health(self) -> None:
        """Keep gRPC health up to date, and measure how late the event loop is; runs until it is cancelled."""
        loop = asyncio.get_running_loop()
        reported: HealthFacts | None = None
        while True:
            facts = HealthFacts(
                is_caught_up=self._node.not_ready_because() is None, is_leader=self._node.replica.role is Role.LEADER
            )
            if self._api is not None and facts != reported:
                await self._api.report(facts)
                reported = facts
            due = loop.time() + HEALTH_INTERVAL_S
            await asyncio.sleep(HEALTH_INTERVAL_S)
            self._node.metrics.process.count_loop_lag(loop.time() - due)

    def _features(self) -> OfferedFeatures:
        view = self._node.backend.newest_view()
        finalized = dict(view.image.features.levels.items())
        if self._node.replica.kraft_version > 0:
            finalized["kraft.version"] = self._node.replica.kraft_version
        supported = {name: (low, high) for name, low, high in view.supported_features}
        return OfferedFeatures(supported, finalized, view.offset)


class ServerIdentity(Protocol):
    """What of a node its identity checks need."""

    metrics: NodeMetrics
    replica: Replica


def peer_identity(node: ServerIdentity) -> PeerIdentity:
    """Make the check of certificates against node ids; the cluster's id may become known later."""
    return PeerIdentity(lambda: node.replica.cluster_id, node.metrics.count_refused_identity)


def tls_files(tls: TlsConfig) -> TlsFiles:
    """Return the PEM files of a listener of this node."""
    trust = tls.truststore_location if tls.client_auth != "none" else None
    demands = tls.client_auth == "required"
    return TlsFiles(certificate=tls.keystore_location, key_password=tls.key_password, trust=trust, demands=demands)


def kafka_client_context(config: NodeConfig, certificates: Certificates) -> ssl.SSLContext | None:
    """Return the TLS context for connections to the quorum, ``None`` for plaintext."""
    if not is_encrypted(config.controller_protocol):
        return None
    tls = config.quorum_tls
    files = TlsFiles(certificate=tls.keystore_location, key_password=tls.key_password, trust=tls.truststore_location)
    context = ReloadingContext.of(lambda: client_context(files))
    certificates.keep(context.reload)
    return context
