"""The composition root: one node, wired from its configuration. Every constructor call stands in this file.

A node is a replica on its disk (driver), what the committed log means (state machine and publishers), and the wires. A
controller adds the host of decisions, a broker adds the agent that lives its life. The publishers' order is fixed and
stands in :meth:`Node._publishers`; the last one answers clients.

Tasks of the process (all in one TaskGroup, see :meth:`Node.run`):

==================  ============================  ===================================  =======================
task                owner                         waits for                            ends
==================  ============================  ===================================  =======================
driver              ``runtime.driver``            peers, clients, deadlines, flushes   ``Driver.stop``
broker              ``runtime.agents``            answers, deadlines                   the machine is over
registration        ``runtime.agents``            answers, deadlines                   cancelled with the node
control channel     ``node.control_channel``      news of controllers                  cancelled with the node
start, health       this file, ``node.servers``   time                                 cancelled with the node
listeners           ``transport``, ``node.http``  sockets                              closed with the node
==================  ============================  ===================================  =======================
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import AsyncExitStack

import structlog

import kraftpy
from kraftpy.broker.controller_registration import ControllerIdentity, ControllerRegistrar
from kraftpy.broker.lifecycle import BrokerConfig as LifecycleConfig
from kraftpy.broker.lifecycle import BrokerLifecycle
from kraftpy.broker.outputs import BrokerState
from kraftpy.controller.config import DEFAULT_FEATURES, ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.image import MetadataImage, MetadataPublisher
from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import ConfigError, KraftError, StorageError
from kraftpy.model.ids import Uuid, uuid_from_random
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.registrations import Listener as RegisteredListener
from kraftpy.node.config import NodeConfig
from kraftpy.node.config_keys import INT64_MAX
from kraftpy.node.control_channel import ActiveControllerChannel
from kraftpy.node.divergence import StateDivergedError, what_was_wrong
from kraftpy.node.form import form_text
from kraftpy.node.metrics import NodeMetrics
from kraftpy.node.servers import Servers, kafka_client_context
from kraftpy.node.startup import OpenedNode, directory_ids_text, open_node
from kraftpy.raft.messages import RaftResponse
from kraftpy.raft.ready import Inbound, Send, StateDiverged
from kraftpy.raft.replica import Replica
from kraftpy.runtime.agents import BrokerAgent, RegistrationAgent
from kraftpy.runtime.application import NodeApplication
from kraftpy.runtime.backend import GRPC_LISTENER, NodeBackend
from kraftpy.runtime.cleaner import Cleaner, RetentionPolicy
from kraftpy.runtime.clock import Clock, SystemClock
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from kraftpy.runtime.controller_host import ControllerHost
from kraftpy.runtime.digester import Digester
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.random import SystemJitter
from kraftpy.runtime.snapshotter import QuorumAt, SnapshotPolicy, Snapshotter
from kraftpy.runtime.state_machine import Halted, HookPublisher, StateMachine
from kraftpy.storage.clean_shutdown import NO_BROKER_EPOCH, write_clean_shutdown
from kraftpy.storage.diverged import Divergence, DivergenceNote
from kraftpy.storage.filesystem import FileSystem, RealFileSystem
from kraftpy.storage.identity import Persisted
from kraftpy.transport.kafka.channel import PeerNetwork

_log = structlog.get_logger("kraftpy.node")

START_CHECK_INTERVAL_S = 0.1

HANDOVER_TIMEOUT_MS = 5_000
"""How long a leaving leader waits until another one is known."""

CONTROLLED_SHUTDOWN_TIMEOUT_MS = 10_000
"""How long a leaving broker waits until the controller lets it go."""

SECURITY_PROTOCOLS = {"PLAINTEXT": 0, "SSL": 1}


class _Uuids:
    """Fresh uuids from the system's randomness."""

    def next(self) -> Uuid:
        return uuid_from_random(os.urandom)


class _Peers:
    """Out through the network, answers through the listener; both may come into being after the driver."""

    def __init__(self) -> None:
        self.network: PeerNetwork | None = None
        self.servers: Servers | None = None

    def send(self, message: Send) -> None:
        assert self.network is not None
        self.network.send(message)

    def reply(self, token: int, response: RaftResponse) -> None:
        if self.servers is not None:
            self.servers.reply(token, response)

    def flush(self) -> None:
        if self.network is not None:
            self.network.flush()
        if self.servers is not None:
            self.servers.flush()


class Node:
    """One controller, broker, or both in one process.

    Attributes:
        was_asked_to_stop: somebody wants it to end, whatever else happens to it.
    """

    def __init__(
        self,
        config: NodeConfig,
        *,
        fs: FileSystem | None = None,
        clock: Clock | None = None,
        suspect: MetadataImage | None = None,
    ) -> None:
        """Open the directories and wire everything.

        Args:
            config: the node's.
            fs: the disk; the machine's by default.
            clock: the machine's by default.
            suspect: the state that this process had before, if that was found to be wrong (``node.divergence``).
        """
        self.config = config
        self._fs = fs or RealFileSystem()
        self._clock = clock or SystemClock()
        self.was_asked_to_stop = False
        self._stop = asyncio.Event()
        self._handed_over = asyncio.Event()
        self._failure: Exception | None = None
        self._peers = _Peers()
        self._left_in_order = False
        self._incarnation_id = uuid_from_random(os.urandom)
        self._fenced: StateDivergedError | None = None
        self._comparison: asyncio.Future[str] | None = None
        self._opened = open_node(config, self._fs, clock=self._clock, suspect=suspect)
        try:
            self._divergence = DivergenceNote(self._fs, self._opened.directory.path)
            self._build(self._opened)
        except BaseException:
            self._opened.directory.close()
            self._opened.close()
            raise

    # ---------------------------------------------------------------- wiring

    def _build(self, opened: OpenedNode) -> None:
        config, clock = self.config, self._clock
        self.replica = Replica(
            config=config.raft,
            identity=opened.identity,
            boot=opened.boot,
            jitter=SystemJitter(),
            now_ms=clock.now_ms(),
        )
        self.driver = Driver(replica=self.replica, directory=opened.directory, peers=self._peers, clock=clock)
        self.digester = Digester(made=self._state_digested, failed=self._fail_in_turn)
        self.state_machine = StateMachine(
            opened.directory,
            self._halted,
            checkpoint_ms=config.log.state_digest_interval_ms,
            on_checkpoint=self.digester.checkpoint,
        )
        self.host = self._controller_host(opened) if config.is_controller else None
        if self.host is not None:
            self.state_machine.ask_for_proposals(self.host.controller.proposed)
        self.snapshotter = Snapshotter(
            store=opened.directory.snapshots,
            policy=SnapshotPolicy(
                bytes_between=config.log.record_bytes_between_snapshots,
                interval_ms=config.log.snapshot_interval_ms or 0,
            ),
            quorum_at=self._quorum_at,
            frozen=self._snapshot_frozen,
            now_ms=clock.now_ms,
            failed=self._fail_in_turn,
            lane=self.driver.lane,
        )
        self.backend = NodeBackend(
            driver=self.driver,
            state_machine=self.state_machine,
            controller=self.host,
            quorum_at=self._quorum_at,
            supported_features=tuple((one.name, one.min_level, one.max_level) for one in DEFAULT_FEATURES),
        )
        self.cluster_id = ClusterIdPublisher(
            known=opened.identity.cluster_id,
            expected=config.expected_cluster_id,
            persist=self._persist_cluster_id,
            announce=self._cluster_id_known,
        )
        channel = ActiveControllerChannel(config=config, backend=self.backend)
        self._channel = channel
        self.broker = self._broker_agent(opened, channel) if config.is_broker else None
        self.registration = self._registration_agent(channel) if config.is_controller else None
        self.metrics = NodeMetrics(self)
        cleaner = Cleaner(
            directory=opened.directory,
            replica=self.replica,
            lane=self.driver.lane,
            policy=RetentionPolicy(
                retention_bytes=_limit(config.log.retention_bytes), retention_ms=_limit(config.log.retention_ms)
            ),
        )
        self.driver.application = self._application = NodeApplication(
            replica=self.replica,
            state_machine=self.state_machine,
            host=self.host,
            snapshotter=self.snapshotter,
            cleaner=cleaner.clean,
            counted=self.metrics.count_event,
            each_turn=self._look_for_successor,
            agreed=self._state_agreed,
            diverged=self._state_diverged,
        )
        self.state_machine.install(self._publishers())
        self._servers = Servers(self)

    def _publishers(self) -> list[MetadataPublisher]:
        """Return the publishers in their fixed order."""
        publishers: list[MetadataPublisher] = [self.cluster_id]
        if self.host is not None:
            publishers.append(self.host)
        if self.registration is not None:
            publishers.append(self.registration)
        publishers += [self._channel, self.snapshotter, self.metrics]
        if self.broker is not None:
            publishers.append(self.broker)
        publishers.append(self.backend)
        if self.host is not None:
            publishers.append(HookPublisher("answers", self.host.answer))
        return publishers

    def _controller_host(self, opened: OpenedNode) -> ControllerHost:
        config = self.config
        controller = Controller(
            config=ControllerConfig(
                session_timeout_ms=config.broker.session_timeout_ms,
                max_idle_interval_ms=config.log.max_idle_interval_ms or 0,
            ),
            node_id=config.node_id,
            uuids=_Uuids(),
        )
        return ControllerHost(
            controller=controller,
            replica=self.replica,
            state_machine=self.state_machine,
            inbox=self.driver.inbox,
            bootstrap=opened.bootstrap,
        )

    def _broker_agent(self, opened: OpenedNode, channel: ActiveControllerChannel) -> BrokerAgent:
        config = self.config
        lifecycle = BrokerLifecycle(
            config=LifecycleConfig(
                broker_id=config.node_id,
                incarnation_id=self._incarnation_id,
                listeners=tuple(
                    RegisteredListener(
                        one.name, one.advertised.host, one.advertised.port, SECURITY_PROTOCOLS[one.protocol]
                    )
                    for one in config.broker_listeners
                ),
                features=DEFAULT_FEATURES,
                rack=config.broker.rack,
                log_dirs=tuple(directory_id for _, directory_id in opened.log_dirs),
                previous_broker_epoch=opened.previous_broker_epoch,
                session_timeout_ms=config.broker.session_timeout_ms,
                heartbeat_interval_ms=config.broker.heartbeat_interval_ms,
                initial_registration_timeout_ms=config.broker.registration_timeout_ms,
                log_dir_failure_timeout_ms=config.broker.log_dir_failure_timeout_ms,
            ),
            jitter=SystemJitter(),
        )
        return BrokerAgent(lifecycle=lifecycle, channel=channel, clock=self._clock, gave_up=self._give_up)

    def _registration_agent(self, channel: ActiveControllerChannel) -> RegistrationAgent:
        registrar = ControllerRegistrar(
            identity=ControllerIdentity(
                controller_id=self.config.node_id,
                incarnation_id=self._incarnation_id,
                listeners=self._controller_listeners(),
                features=DEFAULT_FEATURES,
            ),
            jitter=SystemJitter(),
        )
        return RegistrationAgent(registrar=registrar, channel=channel, clock=self._clock)

    def _controller_listeners(self) -> tuple[RegisteredListener, ...]:
        listeners = []
        if self.config.controller_listener is not None:
            one = self.config.controller_listener
            listeners.append(
                RegisteredListener(one.name, one.advertised.host, one.advertised.port, SECURITY_PROTOCOLS[one.protocol])
            )
        grpc = self.config.api.grpc_advertised
        if grpc is not None:
            protocol = SECURITY_PROTOCOLS["SSL" if self.config.api.grpc_tls else "PLAINTEXT"]
            listeners.append(RegisteredListener(GRPC_LISTENER, grpc.host, grpc.port, protocol))
        return tuple(listeners)

    # ---------------------------------------------------------------- what the parts tell each other

    def _halted(self, halted: Halted) -> None:
        _log.critical(
            "a committed record cannot be applied; the state before it goes on being served",
            applied_below=halted.offset,
            record_offset=halted.record_offset,
            reason=halted.reason,
            way_out="stop all nodes, then: kraftpy repair show",
        )
        if self.host is not None:
            self.host.halt()

    def _state_digested(self, digest: StateDigest) -> None:
        self.driver.inbox.put_owed(lambda now_ms: self.replica.note_state(now_ms, digest))

    def _state_agreed(self, digest: StateDigest) -> None:
        self.digester.agreed(digest)
        noted = self._divergence.found
        if noted is not None and noted.fetched_anew and self._comparison is None:
            fs, path = self._fs, self._opened.directory.path
            self._comparison = asyncio.get_running_loop().run_in_executor(None, what_was_wrong, fs, path)
            self._comparison.add_done_callback(self._compared)

    def _compared(self, comparison: asyncio.Future[str]) -> None:
        """A majority agrees with what was fetched anew: say what was wrong before, and forget it."""
        if comparison.cancelled() or self._stop.is_set():
            return
        try:
            text = comparison.result()
        except (StorageError, OSError) as error:
            text = f"what was wrong cannot be found out any more: {error}"
        except BaseException as error:  # noqa: BLE001 - a callback's exception would only be logged: it is passed on
            self._fail_in_turn(error)
            return
        _log.error("a majority has the same state again", what_was_wrong=text)
        self.driver.lane.put(self._divergence.remove, lambda _: None)

    def _state_diverged(self, event: StateDiverged) -> None:
        """Fence this node: answer nobody any more, decide nothing, and end; the next start finds out what was wrong."""
        if self._fenced is not None:
            return
        noted = self._divergence.found
        found = Divergence(event.own, event.agreed, fetched_anew=noted is not None and noted.fetched_anew)
        self._fenced = StateDivergedError(found, self.digester.image_of(event.own))
        self.state_machine.fence()
        self.backend.fence(str(self._fenced))
        if self.host is not None:
            self.host.halt()
        _log.critical(
            "this node's state is not that of the majority: it is fenced, and ends",
            offset=event.own.end_offset,
            digest=event.own.value.hex(),
            majority=event.agreed.value.hex(),
            said_by_leader=event.by,
        )
        self._fail(self._fenced)

    def _quorum_at(self, end_offset: int) -> QuorumAt:
        voters, kraft_version = self.replica.quorum_at(end_offset)
        return QuorumAt(voters, kraft_version)

    def _snapshot_frozen(self, snapshot_id: OffsetAndEpoch) -> None:
        def frozen(_: int) -> None:
            # A download may have replaced the log, and removed what stood below it, before this turn came.
            if snapshot_id in self._opened.directory.snapshots.ids:
                self.replica.snapshot_frozen(snapshot_id)
                self._application.clean_soon()

        self.driver.inbox.put_owed(frozen)

    def _fail_in_turn(self, error: BaseException) -> None:
        """End the driver with what happened beside it, so that the node stops as if it had happened in its turn."""

        def fail(_: int) -> None:
            raise error

        self.driver.inbox.put_owed(fail)

    def _persist_cluster_id(self, cluster_id: str, then: Callable[[], None]) -> None:
        def persisted(outcome: Persisted) -> None:
            self._note_failed_directories(outcome)
            then()

        self.driver.lane.put(lambda: self._opened.cluster_ids.persist(cluster_id), persisted)

    def _note_failed_directories(self, outcome: Persisted) -> None:
        for directory, reason in outcome.failed.items():
            _log.error("a log directory went offline", directory=directory, reason=reason)
            if self.broker is not None:
                ids = dict(self._opened.log_dirs)
                self.broker.log_dir_failed(ids[directory])

    def _cluster_id_known(self, cluster_id: str) -> None:
        self.replica.set_cluster_id(cluster_id)
        if self.host is not None and self.host.controller.active:
            _log.info("wrote the id of a new cluster, to the log and to every meta.properties", cluster_id=cluster_id)
        elif self.config.expected_cluster_id is None:
            _log.warning(
                "trusting the cluster this node found: its id is now in every meta.properties and is required from "
                "now on (cluster.id.expected pins it beforehand)",
                cluster_id=cluster_id,
            )
        else:
            _log.info("cluster id discovered and persisted", cluster_id=cluster_id)
        if self.broker is not None:
            self.broker.cluster_id_known(cluster_id)

    def _give_up(self, reason: str) -> None:
        self._fail(ConfigError(reason))

    def _fail(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        self._stop.set()

    def deliver(self, inbound: Inbound) -> None:
        """Take what a peer said; called by listeners and channels."""
        self.driver.deliver(inbound)

    # ---------------------------------------------------------------- what metrics ask

    @property
    def published_image(self) -> MetadataImage:
        """The newest published state."""
        return self.state_machine.image

    @property
    def broker_state(self) -> BrokerState | None:
        """Where the broker is, if the node is one."""
        return None if self.broker is None else self.broker.lifecycle.state

    @property
    def halted_offset(self) -> int | None:
        """Where applying stopped at a record that cannot be applied, if it did."""
        return None if self.state_machine.halted is None else self.state_machine.halted.offset

    @property
    def digest_counts(self) -> tuple[int, int]:
        """How many digests of the state were made, and how many images were passed over."""
        return self.digester.count, self.digester.skipped

    @property
    def waiting_writes(self) -> int:
        """How many clients' writes wait for their commit."""
        return 0 if self.host is None else self.host.waiting

    # ---------------------------------------------------------------- running

    def request_stop(self) -> None:
        """Ask the node to drain and stop; ``run`` returns when it has."""
        self.was_asked_to_stop = True
        self._stop.set()

    async def run(self) -> None:
        """Run until ``request_stop``, then drain: a broker says goodbye, a leader hands over.

        Raises:
            KraftError: why the node had to stop by itself.
        """
        self._log_start()
        try:
            async with AsyncExitStack() as stack:
                self._peers.network = await stack.enter_async_context(
                    PeerNetwork(
                        self.deliver,
                        client_id=f"kraftpy-{self.config.node_id}",
                        listener_name=self.config.controller_listener_name,
                        ssl_context=kafka_client_context(self.config),
                    )
                )
                self._peers.servers = self._servers
                stack.push_async_callback(self._servers.close)
                await self._servers.start()
                try:
                    await self._run_tasks()
                finally:
                    # Whoever waits for an answer gets one while there is still a wire to send it on.
                    self.state_machine.close()
                    self.digester.close()
                    await self.snapshotter.finish()
                    await self.digester.finish()
        finally:
            self._close()
        if self._failure is not None:
            _log.error("stopped by itself", reason=str(self._failure))
            raise self._failure

    async def _run_tasks(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                driver = tasks.create_task(self.driver.run(), name="driver")
                background = [tasks.create_task(self._stop_with(driver), name="watch")]
                background.append(tasks.create_task(self._servers.report_health(), name="health"))
                background.append(tasks.create_task(self._limit_start(), name="start"))
                background.append(tasks.create_task(self._channel.run(), name="control channel"))
                if self.registration is not None:
                    background.append(tasks.create_task(self.registration.run(), name="registration"))
                if self.broker is not None:
                    if self.cluster_id.value is not None:
                        self.broker.cluster_id_known(self.cluster_id.value)
                    background.append(tasks.create_task(self.broker.run(), name="broker"))
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
            _log.critical("a bug: an invariant does not hold; the node stops rather than go on wrong", exc_info=group)
            raise

    async def _stop_with(self, driver: asyncio.Task[None]) -> None:
        """Stop the node when the driver ends by itself."""
        await asyncio.wait([driver])
        self._stop.set()

    async def _limit_start(self) -> None:
        """Stop a node that has not started within ``server.max.startup.time.ms`` (K1262-21: the wrong cluster)."""
        limit_ms = self.config.values["server.max.startup.time.ms"]
        assert isinstance(limit_ms, int)
        if limit_ms >= INT64_MAX:
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
        if self.broker is not None and self.config.broker.controlled_shutdown:
            self._left_in_order = await self.broker.leave(CONTROLLED_SHUTDOWN_TIMEOUT_MS)
            if not self._left_in_order:
                _log.warning(
                    "the controller did not let this broker go in time", timeout_ms=CONTROLLED_SHUTDOWN_TIMEOUT_MS
                )
        self.driver.inbox.put_owed(self.replica.begin_shutdown)
        try:
            async with asyncio.timeout(HANDOVER_TIMEOUT_MS / 1_000):
                await self._handed_over.wait()
        except TimeoutError:
            _log.warning("no other leader appeared in time", timeout_ms=HANDOVER_TIMEOUT_MS)

    def _look_for_successor(self) -> None:
        """Stop waiting as soon as nothing holds this node back; the events that say so wait for a slow disk."""
        if self.replica.shutdown_done:
            self._handed_over.set()

    def _close(self) -> None:
        try:
            self.driver.close()
            self._note_divergence()
            self._note_clean_shutdown()
        finally:
            self._opened.close()

    def _note_divergence(self) -> None:
        """Let the next start find out what was wrong."""
        if self._fenced is None:
            return
        try:
            self._divergence.write(self._fenced.found)
        except StorageError as error:
            _log.error("the next start will not know that this node's state had diverged", reason=str(error))

    def _note_clean_shutdown(self) -> None:
        """Let the next start of a broker know that this one lost nothing."""
        if self.broker is None or not self._left_in_order or self._failure is not None:
            return
        lifecycle = self.broker.lifecycle
        if lifecycle.broker_epoch == NO_BROKER_EPOCH:
            return
        try:
            for directory, directory_id in self._opened.log_dirs:
                if directory_id in lifecycle.directories.online:
                    write_clean_shutdown(self._fs, directory, lifecycle.broker_epoch)
        except StorageError as error:
            _log.warning("the next start will not know that this stop was a clean one", reason=str(error))

    def _log_start(self) -> None:
        """Say who starts here, and from where: the first line of every run."""
        _log.info(
            "kraftpy starts",
            version=kraftpy.__version__,
            compiled=form_text(),
            node_id=self.config.node_id,
            roles=",".join(sorted(self.config.roles)),
            cluster_id=self._opened.identity.cluster_id or "(unknown)",
            directory_ids=directory_ids_text(self._opened),
            epoch=self._opened.boot.election_state.epoch,
            offset=self._opened.boot.log_end_offset,
        )
        for notice in self._opened.notices:
            _log.log(logging.getLevelNamesMapping()[notice.level.upper()], notice.text, **notice.facts)
        for warning in self.config.warnings:
            _log.warning(warning)
        if self.config.unused_keys:
            _log.debug("keys that are accepted and not acted on", keys=", ".join(self.config.unused_keys))

    # ---------------------------------------------------------------- health

    def not_ready_because(self) -> str | None:
        """Say what the node waits for; ``None`` when it does what it is there for."""
        if self._fenced is not None:
            return str(self._fenced)
        if self._stop.is_set():
            return "stopping"
        if self.state_machine.halted is not None:
            return str(self.state_machine.halted)
        if self.replica.leader.leader_id is None:
            why = self.replica.leaderless_because
            return "no leader is known" if why is None else f"no leader is known: {why}"
        if not self.state_machine.caught_up_once:
            return "the log is being loaded"
        if self.cluster_id.value is None and self.state_machine.image.cluster_id.value is None:
            return "the cluster id is not known"
        if self.broker is not None and self.broker.lifecycle.state is not BrokerState.RUNNING:
            return f"the broker is {self.broker.lifecycle.state.name.lower()}"
        return None

    def not_live_because(self) -> str | None:
        """Say why the process should be replaced; ``None`` while it works."""
        return None if self._failure is None else str(self._failure)


def _limit(value: int | None) -> int:
    return -1 if value is None else value


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
