"""The composition root: one node, its parts, the calls between them, and its lifecycle.

A node is a replica on its disk (driver), the state from the committed log (state machine and publishers), and the
network servers and clients. A controller adds the controller loop, a broker adds its registration driver.
``replica_parts``, ``controller_parts`` and ``broker_parts`` build the parts from the configuration; two subjects that
several parts share have a module each: ``cluster_identity`` and ``state_guard``. :meth:`Node._build` is the list of all
parts. The publishers' order is fixed, in :meth:`Node._publishers`; the last one responds to clients.

Tasks of the process (all in one TaskGroup, see :meth:`Node.run`):

==================  ============================  ===================================  =======================
task                owner                         waits for                            ends
==================  ============================  ===================================  =======================
driver              ``runtime.driver``            peers, clients, deadlines, flushes   ``Driver.stop``
broker              ``runtime.agents``            answers, deadlines                   the machine is over
registration        ``runtime.agents``            answers, deadlines                   cancelled with the node
keys of tokens      ``node.oauth_keys``           time, a thread for the network       cancelled with the node
log directories     ``node.log_dir_monitor``      time, a thread for each directory    cancelled with the node
space               ``node.disk_space``           time, a thread for each directory    cancelled with the node
metadata disk       ``node.metadata_disk``        time, a thread for the disk          cancelled with the node
start, health       this file, ``node.servers``   time                                 cancelled with the node
service manager     ``node.service_manager``      time                                 cancelled with the node
listeners           ``transport``, ``node.http``  sockets                              closed with the node
==================  ============================  ===================================  =======================
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack
from typing import cast

import structlog
from prometheus_client.core import Metric

from kraftpy.broker.log_dirs import LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.config.node_config import NodeConfig
from kraftpy.config.policies import PolicyConfig
from kraftpy.config.values import Value, unless_off
from kraftpy.config_keys.types import LONG_MAX
from kraftpy.image import MetadataImage, MetadataPublisher
from kraftpy.model.errors import ConfigError, DiskFullError, KraftError
from kraftpy.model.ids import Uuid, uuid_from_random
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.node.authentication import NodeAuthentication, make_login
from kraftpy.node.broker_parts import make_broker, make_monitor, note_clean_shutdown
from kraftpy.node.certificate_expiry import CertificateExpiries
from kraftpy.node.certificates import Certificates
from kraftpy.node.cluster_events import ClusterEventLog
from kraftpy.node.cluster_identity import ClusterIdentity
from kraftpy.node.controller_parts import make_host, make_registration
from kraftpy.node.disk_space import DiskSpace, Space, probe_metrics
from kraftpy.node.divergence import StateDivergedError
from kraftpy.node.health_checks import HealthCheck, first_failure
from kraftpy.node.logs import name_quorum
from kraftpy.node.metadata_disk import MetadataDiskMonitor
from kraftpy.node.metrics import NodeMetrics
from kraftpy.node.own_certificate import log_own_name
from kraftpy.node.permissions import Permissions
from kraftpy.node.policies import LoadedPolicies
from kraftpy.node.replica_parts import (
    make_backend,
    make_cleaner,
    make_reads,
    make_replica,
    make_snapshotter,
    retention_policy,
    snapshot_policy,
)
from kraftpy.node.running_settings import RunningSettings
from kraftpy.node.servers import Servers, kafka_client_context, peer_identity
from kraftpy.node.service_manager import ServiceManager
from kraftpy.node.startup import OpenedNode, log_start, open_node
from kraftpy.node.state_guard import StateGuard
from kraftpy.runtime.active_controller import ActiveController
from kraftpy.runtime.application import NodeApplication
from kraftpy.runtime.clock import Clock, SystemClock
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.leader_handover import LeaderHandover, SlowDiskHandover
from kraftpy.runtime.sliced_publishing import SlicedPublishing
from kraftpy.runtime.snapshotter import SnapshotFacts
from kraftpy.runtime.state_machine import Halted, HookPublisher, StateMachine
from kraftpy.storage.filesystem import FileSystem, RealFileSystem
from kraftpy.storage.os_errors import naming_space, with_space
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.kafka.channel import ConnectionOptions, PeerNetwork
from kraftpy.transport.kafka.controller_calls import ControllerCalls

_log = structlog.get_logger("kraftpy.node")

START_CHECK_INTERVAL_S = 0.1

READY_LAG_OFFSETS_MAX = 100_000
"""A node whose state lags the committed end by this many records is not ready: some seconds of a heavy load."""

READY_LAG_MS_MAX = 10_000
"""Nor is one whose state has been behind for so long, or of which no leader was heard for so long."""

HANDOVER_TIMEOUT_MS = 5_000
"""How long a leaving leader waits until another one is known."""

CONTROLLED_SHUTDOWN_TIMEOUT_MS = 10_000
"""How long a leaving broker waits until the controller lets it go."""


class Node:
    """One controller, broker, or both in one process.

    Attributes:
        was_asked_to_stop: it was asked to end, whatever else happens to it.
    """

    def __init__(
        self,
        config: NodeConfig,
        *,
        fs: FileSystem | None = None,
        clock: Clock | None = None,
        suspect: MetadataImage | None = None,
        incarnation_id: Uuid | None = None,
    ) -> None:
        """Open the directories and wire everything.

        Args:
            config: the node's.
            fs: the disk; the machine's by default.
            clock: the machine's by default.
            suspect: the state that this process had before, if that was found to be wrong (``node.divergence``).
            incarnation_id: of this process, if a controller reserved the node id for it; drawn by default.
        """
        self.config = config
        self._fs = fs or RealFileSystem()
        self._clock = clock or SystemClock()
        self.was_asked_to_stop = False
        self._stop = asyncio.Event()
        self._handed_over = asyncio.Event()
        self._service_manager = ServiceManager(self.not_ready_because, self.not_live_because)
        self._failure: Exception | None = None
        self._left_in_order = False
        self._incarnation_id = incarnation_id or uuid_from_random(os.urandom)
        # A broker decides nothing, so its policies are not even loaded.
        self.orders = Orders()
        self.settings = RunningSettings(config, self._follow_settings)
        self._policies = LoadedPolicies(config.policies if config.is_controller else PolicyConfig(), self._clock.now_ms)
        with ExitStack() as opened:
            # If anything below fails there is no node to stop: what was opened is closed here, or stays locked. Nothing
            # was or is written: a disk that fails in that would hide the first error.
            opened.callback(self._policies.close)
            with naming_space(self._fs):
                self._opened = open_node(config, self._fs, clock=self._clock, suspect=suspect)
            opened.callback(self._opened.close)
            opened.callback(self._opened.directory.log.abandon)
            self._build(self._opened)
            opened.pop_all()

    # ---------------------------------------------------------------- wiring

    def _build(self, opened: OpenedNode) -> None:
        config, clock = self.config, self._clock
        self.replica = make_replica(config, opened, clock)
        self.driver = driver = Driver(replica=self.replica, directory=opened.directory, clock=clock)
        self._guard = StateGuard(
            self._fs,
            driver,
            on_diverged=self._fence,
            on_end=self._fail,
            on_failed=self._fail_in_turn,
            is_stopping=self._stop.is_set,
        )
        self.digester = self._guard.digester
        self.state_machine = state_machine = StateMachine(
            opened.directory,
            self._halted,
            checkpoint_ms=config.log.state_digest_interval_ms,
            on_checkpoint=self.digester.checkpoint,
        )
        ports = self._policies.ports
        self.host = make_host(config, opened, driver, self.state_machine, ports) if config.is_controller else None
        self._watch_disks(opened)
        failed = self._fail_in_turn
        self.snapshotter = make_snapshotter(config, opened, driver, on_frozen=self._snapshot_frozen, on_failed=failed)
        self.reads = make_reads(driver, self.state_machine, self.host)
        self.backend = make_backend(config, driver, state_machine, self.host, self.reads, self.settings, failed)
        self._channel = ActiveController(self.replica, self.backend, config.controller_listener_name)
        self._watch_certificates(config)
        process = config, self._channel, clock, self._incarnation_id
        self.broker = make_broker(*process, opened, on_give_up=self._give_up) if config.is_broker else None
        self.log_dirs = None if self.broker is None else make_monitor(config, self._fs, opened, self.broker)
        self.backend.log_dirs = None if self.log_dirs is None else self.log_dirs.describe
        self.registration = make_registration(*process) if config.is_controller else None
        self.cluster_id = ClusterIdentity(
            config, opened, driver, host=self.host, broker=self.broker, log_dirs=self.log_dirs
        ).publisher
        self.metrics = NodeMetrics(self)
        self._sliced = SlicedPublishing([ClusterEventLog(), self.metrics])
        self.permissions = self._make_permissions()
        self.authentication = self._make_authentication(opened)
        driver.application = self._application = self._make_application()
        self._servers = Servers(self)
        self.state_machine.install(self._publishers())

    def _make_application(self) -> NodeApplication:
        return NodeApplication(
            replica=self.replica,
            state_machine=self.state_machine,
            host=self.host,
            reads=self.reads,
            snapshotter=self.snapshotter,
            cleaner=self._cleaner.clean,
            on_replica_event=self.metrics.count_event,
            sliced=self._sliced,
            on_turn=self._look_for_successor,
            on_agreed=self._guard.agreed,
            on_diverged=self._guard.diverged,
        )

    def _watch_disks(self, opened: OpenedNode) -> None:
        self._cleaner = make_cleaner(self.config, opened, self.driver)
        log, disk, host = self.config.log, opened.metadata_disk, self.host
        self._space = DiskSpace(self._fs, [*log.log_dirs, log.metadata_log_dir], self._clock.now_ms)
        self._metadata_disk: MetadataDiskMonitor | None = None
        if disk is None or host is None:
            return
        driver, handover = self.driver, LeaderHandover(self.replica)
        self._metadata_disk = MetadataDiskMonitor(
            disk, self.config.node_id, host, driver.inbox, handover, self._fail_in_turn
        )
        if log.slow_disk_handover:
            SlowDiskHandover(driver, handover)

    def _make_permissions(self) -> Permissions | None:
        config = self.config.authorization
        if config is None:
            return None
        return Permissions(config, lambda: self.published_image, self.metrics.count_denial)

    def _make_authentication(self, opened: OpenedNode) -> NodeAuthentication:
        on_failure = self.metrics.count_failed_authentication
        return NodeAuthentication(self.config, opened, self.state_machine, self._clock, on_failure)

    def _watch_certificates(self, config: NodeConfig) -> None:
        self.certificates = Certificates(config.tls_in_use)
        self.certificates.keep(self._look_at_own_name)
        self._expiries = CertificateExpiries(config.tls_in_use)
        self._expiries.reload()
        self.certificates.follow(self._expiries.reload)

    def _look_at_own_name(self) -> None:
        log_own_name(self.config, self.replica.cluster_id)

    def _publishers(self) -> list[MetadataPublisher]:
        """Return the publishers in their fixed order."""
        publishers: list[MetadataPublisher] = [self.cluster_id, self.settings]
        if self.permissions is not None:
            publishers.append(self.permissions.publisher)
        if self.host is not None:
            publishers.append(self.host)
        if self.registration is not None:
            publishers.append(self.registration)
        publishers += [self._channel, self.snapshotter, self._sliced]
        if self.broker is not None:
            publishers.append(self.broker)
        publishers += [self.orders, self.backend]
        if self.host is not None:
            publishers.append(HookPublisher("answers", self.host.answer))
        return publishers

    # ---------------------------------------------------------------- calls between the parts

    def _follow_settings(self, values: Mapping[str, Value]) -> None:
        """Let each part keep to the values that are in force; a node that starts has them from its file."""
        self._servers.follow_settings(values)
        self.snapshotter.follow(snapshot_policy(values))
        self._cleaner.follow(retention_policy(values))
        if self._opened.metadata_disk is not None:
            self._opened.metadata_disk.follow(unless_off(values["metadata.log.alarm.free.bytes"]))
        if self.log_dirs is not None:
            self.log_dirs.follow(
                saturated_free_bytes=cast("int", values["log.dir.saturated.free.bytes"]),
                recovery_free_bytes=unless_off(values["log.dir.recovery.free.bytes"]),
            )

    def _halted(self, halted: Halted) -> None:
        _log.critical(
            "apply_halted",
            applied_below=halted.offset,
            record_offset=halted.record_offset,
            reason=halted.reason,
            way_out="stop all nodes, then: kraftpy repair show",
        )
        self.metrics.count_halt()
        if self.host is not None:
            self.host.halt()

    def _fence(self, error: StateDivergedError) -> None:
        """Answer no more requests, and decide nothing."""
        self.state_machine.fence()
        self.backend.fence(str(error))
        if self.host is not None:
            self.host.halt()

    def _snapshot_frozen(self, snapshot_id: OffsetAndEpoch) -> None:
        def frozen(_: int) -> None:
            # A download may have replaced the log, and removed what was below it, before this turn.
            if snapshot_id in self._opened.directory.snapshots.ids:
                self.replica.snapshot_frozen(snapshot_id)
                self._application.clean_soon()

        self.driver.inbox.put_unbounded(frozen)

    def _fail_in_turn(self, error: BaseException) -> None:
        """End the driver with what happened beside it, so that the node stops as if it had happened in its turn."""

        def fail(_: int) -> None:
            raise error

        self.driver.inbox.put_unbounded(fail)

    def _give_up(self, reason: str) -> None:
        self._fail(ConfigError(reason))

    def _fail(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        self._stop.set()

    # ---------------------------------------------------------------- what metrics ask

    @property
    def now_ms(self) -> int:
        """The time by the node's clock (ms)."""
        return self._clock.now_ms()

    @property
    def state_lag_ms(self) -> int:
        """For how long this node's state may be behind what is committed (ms)."""
        return max(self._application.lag_ms(self.now_ms), self.backend.age_ms)

    @property
    def published_image(self) -> MetadataImage:
        """The newest published state."""
        return self.state_machine.image

    @property
    def broker_state(self) -> BrokerState | None:
        """Where the broker is, if the node is one."""
        return None if self.broker is None else self.broker.lifecycle.state

    @property
    def log_dir_states(self) -> Mapping[str, LogDirState]:
        """The states of the broker's log directories by their paths; empty without a broker."""
        return {} if self.log_dirs is None else self.log_dirs.states

    @property
    def halted_offset(self) -> int | None:
        """Where applying stopped at a record that cannot be applied, if it did."""
        return None if self.state_machine.halted is None else self.state_machine.halted.offset

    @property
    def digest_counts(self) -> tuple[int, int]:
        """How many digests of the state were made, and how many images were passed over."""
        return self.digester.count, self.digester.skipped

    @property
    def snapshot_facts(self) -> SnapshotFacts:
        """How snapshots go."""
        return self.snapshotter.facts

    @property
    def snapshot_interval_bytes(self) -> int:
        """After how many bytes of the log a snapshot is due."""
        return self.snapshotter.bytes_between

    @property
    def request_error_counts(self) -> Mapping[str, int]:
        """The number of unexpected errors by kind of request."""
        return self.driver.request_errors.counts

    def beside_metrics(self) -> Iterator[Metric]:
        """Return what other parts of the node show: its disks, and its certificates."""
        yield from self._space.metrics()
        yield from probe_metrics(self._opened.sync_times)
        if self._metadata_disk is not None:
            yield from self._metadata_disk.metrics()
        yield from self._expiries.metrics()

    @property
    def disk_space(self) -> Mapping[str, Space | None]:
        """The newest space on each directory's disk; ``None`` where a disk does not answer."""
        return self._space.newest()

    @property
    def waiting_reads(self) -> int:
        """How many reads wait for a confirmed leadership, or for an offset."""
        return self.reads.waiting

    @property
    def waiting_writes(self) -> int:
        """How many clients' writes wait for their commit."""
        return 0 if self.host is None else self.host.waiting

    # ---------------------------------------------------------------- running

    def reload_certificates(self) -> None:
        """Read the PEM files again, for new connections."""
        self.certificates.ask()

    def request_stop(self) -> None:
        """Ask the node to drain and stop; ``run`` returns when it has."""
        self.was_asked_to_stop = True
        self._stop.set()

    async def run(self) -> None:
        """Run until ``request_stop``, then drain: a broker says goodbye, a leader hands over.

        Raises:
            KraftError: why the node had to stop by itself.
        """
        name_quorum(lambda: (self.replica.cluster_id, self.replica.epoch))
        log_start(self.config, self._opened)
        if self._metadata_disk is not None:
            self._metadata_disk.begin()
        try:
            self._look_at_own_name()
            async with AsyncExitStack() as stack:
                client_id = f"kraftpy-{self.config.node_id}"
                secured = self._connection_options()
                network = await stack.enter_async_context(PeerNetwork(self.driver.deliver, client_id, **secured))
                self._channel.attach(await stack.enter_async_context(ControllerCalls(client_id, **secured)))
                stack.push_async_callback(self._servers.close)
                self.driver.attach(network, await self._servers.start())
                try:
                    await self._run_tasks()
                finally:
                    # Pending requests are answered while their connections are still open.
                    self.state_machine.close()
                    self.digester.close()
                    await self.snapshotter.finish()
                    await self.digester.finish()
        finally:
            self._close()
        if self._failure is not None:
            _log.error("node_failed", reason=str(self._failure))
            raise self._failure

    def _connection_options(self) -> ConnectionOptions:
        """Return the options of every connection to a controller; both kinds share one TLS context."""
        return {
            "listener_name": self.config.controller_listener_name,
            "ssl_context": kafka_client_context(self.config, self.certificates),
            "identity": peer_identity(self) if self.config.identity.servers else None,
            "errors": self.driver.request_errors,
            "login": make_login(self.config),
        }

    async def _run_tasks(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                driver = tasks.create_task(self.driver.run(), name="driver")
                background = [tasks.create_task(self._stop_with(driver), name="watch")]
                background.append(tasks.create_task(self._servers.report_health(), name="health"))
                background.append(tasks.create_task(self._limit_start(), name="start"))
                background.append(tasks.create_task(self._service_manager.run(), name="service manager"))
                background.append(tasks.create_task(self._space.run(), name="space"))
                background.append(tasks.create_task(self.certificates.run(), name="certificates"))
                background.append(tasks.create_task(self.authentication.run(), name="keys of tokens"))
                if self._metadata_disk is not None:
                    background.append(tasks.create_task(self._metadata_disk.run(), name="metadata disk"))
                if self.registration is not None:
                    background.append(tasks.create_task(self.registration.run(), name="registration"))
                if self.broker is not None:
                    if self.cluster_id.value is not None:
                        self.broker.cluster_id_known(self.cluster_id.value)
                    background.append(tasks.create_task(self.broker.run(), name="broker"))
                if self.log_dirs is not None:
                    background.append(tasks.create_task(self.log_dirs.run(), name="log directories"))
                await self._stop.wait()
                await self._drain()
                if self.host is not None:
                    # The driver's last work may take a slow disk some seconds; clients go elsewhere now.
                    self.host.close()
                self.driver.stop()
                await driver
                for task in background:
                    task.cancel()
        except* KraftError as group:
            self._fail(_first(group))
        except* InvariantViolation as group:
            _log.critical("invariant_violated", exc_info=group)
            raise

    async def _stop_with(self, driver: asyncio.Task[None]) -> None:
        """Stop the node when the driver ends by itself."""
        await asyncio.wait([driver])
        self._stop.set()

    async def _limit_start(self) -> None:
        """Stop a node that has not started within ``server.max.startup.time.ms`` (K1262-21: the wrong cluster)."""
        limit_ms = self.config.values["server.max.startup.time.ms"]
        assert isinstance(limit_ms, int)
        if limit_ms >= LONG_MAX:
            return
        deadline_ms = self._clock.now_ms() + limit_ms
        while True:
            reason = self.not_ready_because()
            if reason is None:
                return
            if self._clock.now_ms() >= deadline_ms:
                self._fail(ConfigError(f"not started within server.max.startup.time.ms={limit_ms}: {reason}"))
                return
            await asyncio.sleep(START_CHECK_INTERVAL_S)

    async def _drain(self) -> None:
        """Leave in order, as long as there is a reason to."""
        if self._failure is not None:
            return
        _log.info("stopping")
        self._service_manager.stopping()
        if self.broker is not None and self.config.broker.controlled_shutdown:
            self._left_in_order = await self.broker.leave(CONTROLLED_SHUTDOWN_TIMEOUT_MS)
            if not self._left_in_order:
                _log.warning("controlled_shutdown_timed_out", timeout_ms=CONTROLLED_SHUTDOWN_TIMEOUT_MS)
        self.driver.inbox.put_unbounded(self.replica.begin_shutdown)
        try:
            async with asyncio.timeout(HANDOVER_TIMEOUT_MS / 1_000):
                await self._handed_over.wait()
        except TimeoutError:
            _log.warning("leadership_handover_timed_out", timeout_ms=HANDOVER_TIMEOUT_MS)

    def _look_for_successor(self) -> None:
        """Stop waiting as soon as nothing holds this node back; the events that say so wait for a slow disk."""
        if self.replica.shutdown_done:
            self._handed_over.set()

    def _close(self) -> None:
        try:
            if isinstance(self._failure, DiskFullError):
                # Before the reserve is removed: its space was not there for the write.
                self._failure = with_space(self._fs, self._failure)
                if self._metadata_disk is not None:
                    self._metadata_disk.make_room()
            self.driver.close()
            self._guard.note_for_next_start()
            if self.broker is not None and self._left_in_order and self._failure is None:
                note_clean_shutdown(self._fs, self._opened, self.broker)
        finally:
            self._policies.close()
            self._opened.close()

    # ---------------------------------------------------------------- health

    def not_ready_because(self) -> str | None:
        """Say what the node waits for; ``None`` when it does what it is there for."""
        return first_failure(self.readiness())

    def readiness(self) -> Iterator[HealthCheck]:
        """Check whether the node does what it is there for; what is worse comes first."""
        halted, fenced = self.state_machine.halted, self._guard.fenced
        yield HealthCheck("state-digest", None if fenced is None else str(fenced))
        yield HealthCheck("shutdown", "stopping" if self._stop.is_set() else None)
        yield HealthCheck("apply", None if halted is None else str(halted))
        yield HealthCheck("leader", self._leaderless_because())
        yield HealthCheck("log-loaded", None if self.state_machine.caught_up_once else "the log is being loaded")
        yield from self._lag_checks()
        knows_cluster = self.cluster_id.value is not None or self.state_machine.image.cluster_id.value is not None
        yield HealthCheck("cluster-id", None if knows_cluster else "the cluster id is not known")
        if self.broker is not None:
            state = self.broker.lifecycle.state
            failure = None if state is BrokerState.RUNNING else f"the broker is {state.name.lower()}"
            yield HealthCheck("broker", failure)

    def _leaderless_because(self) -> str | None:
        if self.replica.leader.leader_id is not None:
            return None
        why = self.replica.leaderless_because
        return "no leader is known" if why is None else f"no leader is known: {why}"

    def _lag_checks(self) -> Iterator[HealthCheck]:
        """Check how far this node's state is behind, and whether that is too far to be asked."""
        missing = self.replica.committed_elsewhere - self.state_machine.next_offset
        text = f"the state is {missing} records behind what is committed (more than {READY_LAG_OFFSETS_MAX})"
        yield HealthCheck("lag-offsets", text if missing > READY_LAG_OFFSETS_MAX else None)
        lag_ms = self._application.lag_ms(self._clock.now_ms())
        text = f"committed records have waited to be loaded for {lag_ms} ms (more than {READY_LAG_MS_MAX})"
        yield HealthCheck("lag-ms", text if lag_ms > READY_LAG_MS_MAX else None)
        age_ms = self.backend.age_ms
        text = f"no leader has confirmed this node's state for {age_ms} ms (more than {READY_LAG_MS_MAX})"
        yield HealthCheck("leader-contact", text if age_ms > READY_LAG_MS_MAX else None)

    def trouble(self) -> str | None:
        """Describe on one line a problem that needs the operator although the node serves; ``None`` without one.

        Without snapshots the log grows, here as on every node with the same cause. That does not affect requests yet,
        and taking a voter out of service for it would cost the quorum a voter.
        """
        if self._metadata_disk is not None and self._metadata_disk.trouble is not None:
            return self._metadata_disk.trouble
        reason = self.snapshotter.trouble
        return None if reason is None else f"no snapshot can be made, so the log grows: {' '.join(reason.split())}"

    def not_live_because(self) -> str | None:
        """Say why the process should be replaced; ``None`` while it works."""
        return first_failure(self.liveness())

    def liveness(self) -> Iterator[HealthCheck]:
        """Check whether the process works."""
        yield HealthCheck("process", None if self._failure is None else str(self._failure))


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
