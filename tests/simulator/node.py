"""A simulated process: the real rooms wired as ``node.node`` wires them, on a simulated disk, clock and network.

What differs from a real process is named here and nowhere else: turns are actions of the world instead of rounds of an
event loop, a snapshot is written by an action instead of a thread, and a death is an exception at some operation of the
disk (or between two turns).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from kraftpy.controller.config import ControllerConfig, supported_features
from kraftpy.controller.limits import OPERATION_RECORDS_MAX
from kraftpy.controller.result import RECORDS_PER_PART_MAX
from kraftpy.image import EMPTY, Manifest, MetadataDelta, MetadataImage
from kraftpy.image.publishing import MetadataPublisher
from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import StorageError
from kraftpy.model.identity import Principal
from kraftpy.model.ids import NodeId, Uuid, uuid_from_random
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.replica_status import Divergence
from kraftpy.model.voters import ReplicaKey, VoterSet
from kraftpy.node.repair import RepairPolicy, open_or_repair
from kraftpy.raft.config import Identity, RaftConfig
from kraftpy.raft.messages import RaftRequest, RaftResponse, VoteRequest, VoteResponse
from kraftpy.raft.ready import Event, Inbound, NoElectableVoter, Send, StateDigestMismatch, VoteNotCounted
from kraftpy.raft.replica import Replica
from kraftpy.runtime.application import NodeApplication
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.cleaner import Cleaner, RetentionPolicy
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.reads import Reads
from kraftpy.runtime.recovered_state import recovered_state
from kraftpy.runtime.snapshotter import QuorumAt, SnapshotPolicy
from kraftpy.runtime.state_machine import HookPublisher, StateMachine
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.ensemble import MetaPropertiesEnsemble, check_metadata_placement
from kraftpy.storage.identity import ClusterIdStore, Persisted, ensure_formatted
from kraftpy.storage.replica_status import ReplicaStatusFile
from tests.fakes.filesystem import Killed
from tests.fakes.request_errors import NoRequestErrors
from tests.simulator.brokers import SESSION_TIMEOUT_MS, SimulatedBroker
from tests.simulator.checkers import BeyondKnowing, CheckFailed
from tests.simulator.clock import SkewedClock
from tests.simulator.controllers import controller_of
from tests.simulator.describe import describe_message
from tests.simulator.digests import SimulatedDigester
from tests.simulator.disk import SimulatedDisk, SimulatedLane
from tests.simulator.replica import replica_of
from tests.simulator.snapshots import SimulatedSnapshotter
from tests.simulator.strangers import CertifiedPeers

if TYPE_CHECKING:
    from tests.simulator.simulation import Simulation

HANDOVER_TIMEOUT_MS = 500
"""How long a stop that was asked for waits for a successor."""

STOP_POLL_MS = 20


class SeededUuids:
    """Satisfies ``controller.config.UuidSource`` and ``raft.config.Jitter``."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def draw(self, size: int) -> bytes:
        return self._rng.randbytes(size)

    def next(self) -> Uuid:
        return uuid_from_random(self.draw)

    def below(self, bound: int) -> int:
        return self._rng.randrange(bound) if bound > 0 else 0


class PublisherProbe:
    """A publisher that writes down what it was shown; one comes first among the publishers, one last.

    Attributes:
        last: the image that it was shown last.
        counted: from which offset on, and how many batches and bytes the manifests counted.
    """

    def __init__(self, name: str, node: SimulatedNode) -> None:
        self.name = name
        self.last: MetadataImage = EMPTY
        self._node = node

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        self._node.sim.checkers.on_published(self._node, self, delta, image, manifest)
        self.last = image

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass(slots=True, kw_only=True)
class Process:
    """What exists while a node runs."""

    directory: MetadataDirectory
    replica: Replica
    driver: Driver
    state_machine: StateMachine
    host: ControllerLoop | None
    reads: Reads
    backend: NodeBackend
    cluster_id: ClusterIdPublisher
    cluster_ids: ClusterIdStore
    probes: tuple[PublisherProbe, PublisherProbe]
    snapshotter: SimulatedSnapshotter
    broker: SimulatedBroker | None


def _publishers(process: Process) -> list[MetadataPublisher]:
    """Return the publishers in the order of their calls: a node's own between the two probes; answers come last."""
    first, last = process.probes
    between = [one for one in (process.host, process.snapshotter, process.broker) if one is not None]
    answers = [] if process.host is None else [HookPublisher("answers", process.host.answer)]
    return [process.cluster_id, first, *between, last, *answers]


class SimulatedNode:
    """A machine with a disk and a clock, on which the process comes and goes.

    Attributes:
        is_controller: it can vote; whether it does is for the voter set to say.
        incarnation: how often the process was started.
        key: what it was known by when it ran last, ``None`` before it ever did.
        refuses: while the process is down, whether its machine still answers (with a refusal).
        memory_harmed: how often a bit of its memory flipped, in all its lives.
        duplicate_of: the node id that it uses, if that is another node's.
        retired: it is not there (any more).
    """

    def __init__(
        self,
        sim: Simulation,
        node_id: NodeId,
        config: RaftConfig,
        *,
        is_controller: bool,
        slow: bool,
        duplicate_of: NodeId | None = None,
    ) -> None:
        options = sim.options
        self.sim = sim
        self.id = node_id
        self.is_controller = is_controller
        self.duplicate_of = duplicate_of
        self.retired = False
        self.config = config
        self.rng = random.Random(f"{sim.seed}/node{node_id}")
        self.uuids = SeededUuids(self.rng)
        self.disk = SimulatedDisk(node_id, options.log_dirs)
        self.clock = SkewedClock(
            lambda: sim.world.now_ms,
            offset_ms=self.rng.randint(-options.skew_ms, options.skew_ms),
            rate=1_000 + self.rng.randint(-options.drift, options.drift),
        )
        self.slow = slow
        self._excused = False
        self._fenced: Divergence | None = None
        self._suspect: MetadataImage | None = None
        self.memory_harmed = 0
        self.incarnation = 0
        self.key: ReplicaKey | None = None
        self.refuses = True
        self.process: Process | None = None
        self.last_voters = VoterSet()
        self.peer_identity = CertifiedPeers(lambda: None)
        self._turn_at_ms: int | None = None
        self._turn_number = 0
        self._free_at_ms = 0

    @property
    def replica_id(self) -> NodeId:
        """The node id that it uses."""
        return self.id if self.duplicate_of is None else self.duplicate_of

    @property
    def is_up(self) -> bool:
        return self.process is not None

    @property
    def running(self) -> Process:
        assert self.process is not None, f"node {self.id} is down"
        return self.process

    # ---------------------------------------------------------------- life

    def start(self) -> bool:
        """Start the process from its disk; return whether it runs."""
        self.incarnation += 1
        self._excused = False
        self.sim.world.note(str(self.id), "start", f"incarnation {self.incarnation}")
        self.disk.before_start()
        try:
            self.process = self._open()
        except Killed:
            self._end(powered_off=self.rng.randrange(1_000) < self.sim.options.powered_off)
            return False
        except StorageError as error:
            self._refuse_or_report(error)
            self.disk.condemned = bool(self.disk.harmed)
            self._end(powered_off=False)
            return False
        except (BeyondKnowing, CheckFailed):
            raise
        except Exception as error:
            raise self._bug(error) from error
        # A start reads everything that counts, so what it did not meet does no harm.
        self.disk.rotten.clear()
        self.disk.lost_power = False
        self.key = self.running.replica.state.key
        self.sim.checkers.on_start(self)
        if self.running.broker is not None:
            self.running.broker.start(self.running.cluster_id.value)
        self.schedule_turn(0)
        return True

    def _refuse_or_report(self, error: StorageError) -> None:
        if self.disk.harmed:
            self.sim.checkers.on_corruption(self, error)
        elif not (self.disk.faulty or self._excused):
            raise CheckFailed("a node whose disk keeps its word goes on", f"node {self.id}: {error!r}") from error
        self.sim.world.note(str(self.id), "stopped", type(error).__name__)

    def kill_at(self, operations: int) -> None:
        """Let the process die before its n-th next operation on the disk."""
        self.disk.fs.kill_at(operations)

    def die(self, *, powered_off: bool) -> None:
        """Let the process die between two turns."""
        if self.is_up:
            self._end(powered_off=powered_off)

    def wipe(self, *, keep_identity: bool) -> None:
        """Lose the disk, and the process with it; perhaps only the metadata log's directory."""
        if self.is_up:
            self._end(powered_off=True)
        self.sim.world.note(str(self.id), "fault", "disk lost")
        self.disk.wipe(keep_identity=keep_identity)
        self.sim.checkers.on_wipe(self)

    def lose_vote(self) -> None:
        """Lose quorum-state, and the process with it; the log is kept."""
        self.disk.lose_vote()
        self.sim.checkers.on_vote_lost(self)

    def replace_disk(self) -> None:
        """Let the log be fetched again; the ids in the directories are kept."""
        self.disk.wipe(keep_identity=True)
        self.sim.checkers.on_wipe(self)

    def _end(self, *, powered_off: bool) -> None:
        self.sim.world.note(str(self.id), "power off" if powered_off else "killed")
        if self.process is not None:
            # It may have died in a turn that stored another set, of which no checker heard.
            self.last_voters = self.process.replica.voters
        self.process = self._fenced = None
        self.refuses = not powered_off
        self._turn_at_ms = None
        self._turn_number += 1
        if powered_off:
            self.disk.lose_power(self.rng)
        else:
            self.disk.lose_process()
        self.sim.network.process_ended(self)
        self.sim.checkers.on_end(self)
        self.sim.faults.node_ended(self)

    def begin_stop(self) -> None:
        """Stop in order: hand over, then close."""
        if self.is_up:
            self.sim.world.note(str(self.id), "stopping")
            process = self.running
            process.driver.inbox.put_unbounded(process.replica.begin_shutdown)
            self.schedule_turn(0)
            self._poll_stop(self.incarnation, self.sim.world.now_ms + HANDOVER_TIMEOUT_MS)

    def _poll_stop(self, incarnation: int, deadline_ms: int) -> None:
        if not self.is_up or self.incarnation != incarnation:
            return
        if self.running.replica.shutdown_done or self.sim.world.now_ms >= deadline_ms:
            self._close()
        else:
            self.sim.world.later(STOP_POLL_MS, lambda: self._poll_stop(incarnation, deadline_ms))

    def _close(self) -> None:
        """Close as ``Node._close`` does; what the disk reports now matters no more."""
        process = self.running
        process.driver.stop()
        powered_off = False
        try:
            process.state_machine.close()
            process.driver.close()
        except Killed:
            powered_off = self.rng.randrange(1_000) < self.sim.options.powered_off
        except StorageError as error:
            self._refuse_or_report(error)
            powered_off = self.rng.random() < 0.5
        self._end(powered_off=powered_off)

    # ---------------------------------------------------------------- turns

    def refusal(self, request: RaftRequest, principal: Principal) -> RaftResponse | None:
        """Judge a request by the certificate of its connection, as the listener does; ``None`` when it may be made."""
        return self.peer_identity.judge(request, principal) if self.sim.options.identity else None

    def _spend(self) -> None:
        """Let an item that was taken cost its time; the next turn begins after it."""
        self.clock.spend(self.sim.options.item_cost_us)

    def deliver(self, inbound: Inbound) -> None:
        """Take what a peer said."""
        if self.is_up:
            self.running.driver.deliver(inbound)
            self.schedule_turn(0)

    def schedule_turn(self, delay_ms: int) -> None:
        """Take a turn after a delay, or sooner if one is planned."""
        at_ms = max(self.sim.world.now_ms + delay_ms, self._free_at_ms)
        if self._turn_at_ms is not None and self._turn_at_ms <= at_ms:
            return
        self._turn_at_ms = at_ms
        self._turn_number += 1
        number = self._turn_number
        self.sim.world.later(at_ms - self.sim.world.now_ms, lambda: self._turn(number))

    def suspend(self, for_ms: int) -> None:
        """Suspend the machine; its clock goes on."""
        self._free_at_ms = max(self._free_at_ms, self.sim.world.now_ms + for_ms)
        self._turn_at_ms = None
        self.schedule_turn(0)

    def _turn(self, number: int) -> None:
        if number != self._turn_number or not self.is_up:
            return
        self._turn_at_ms = None
        syncs = self.disk.fs.syncs
        self.guarded(lambda: self.running.driver.turn(self.clock.now_ms()))
        if not self.is_up:
            return
        if self._fenced is not None:
            self._end_fenced(self._fenced)
            return
        if self.clock.busy_ms:
            self._free_at_ms = max(self._free_at_ms, self.sim.world.now_ms + self.clock.busy_ms)
        if not self.slow and self.disk.fs.syncs > syncs:
            self._free_at_ms = (
                self.sim.world.now_ms + self.clock.busy_ms + self.rng.randint(0, self.sim.options.sync_ms)
            )
        self.sim.checkers.after_turn(self)
        process = self.running
        wait_ms = 0 if len(process.driver.inbox) else process.driver.wait_ms()
        if wait_ms is not None:
            self.schedule_turn(max(1, self.clock.world_delay_ms(wait_ms)))

    def guarded(self, step: object) -> None:
        """Do something that may kill or stop the process."""
        try:
            step()
        except Killed:
            self._end(powered_off=self.rng.randrange(1_000) < self.sim.options.powered_off)
        except StorageError as error:
            self._refuse_or_report(error)
            self._stop_on_error()
        except (BeyondKnowing, CheckFailed):
            raise
        except Exception as error:
            raise self._bug(error) from error

    def _bug(self, error: Exception) -> CheckFailed:
        return CheckFailed("no bug stops a node", f"node {self.id}: {type(error).__name__}: {error}")

    def _stop_on_error(self) -> None:
        process = self.running
        try:
            process.state_machine.close()
            process.driver.close()
        except (Killed, StorageError):
            self.sim.world.note(str(self.id), "hard stop")
        # The kernel may have dropped what it could not write and called it clean.
        self._end(powered_off=self.rng.random() < 0.5)

    def _fence(self, event: StateDigestMismatch, digester: SimulatedDigester) -> None:
        """Answer no more requests, as ``Node._state_diverged`` does; the process ends with this turn."""
        if self._fenced is None:
            noted = self.running.directory.status.value.divergence
            self._fenced = Divergence(event.own, event.agreed, is_refetched=noted is not None and noted.is_refetched)
            self._suspect = digester.image_of(event.own)
            self.running.state_machine.fence()
            self.running.backend.fence("its state is wrong")
            if self.running.host is not None:
                self.running.host.halt()

    def _end_fenced(self, found: Divergence) -> None:
        """Close, and let the next start find out what was wrong, as ``Node._close`` does."""
        process, self._fenced = self.running, None
        process.driver.stop()
        try:
            process.state_machine.close()
            process.driver.close()
            ReplicaStatusFile.read(self.disk.fs, process.directory.path).write_divergence(found)
        except (Killed, StorageError):
            self.sim.world.note(str(self.id), "hard stop")
        self._end(powered_off=False)

    # ---------------------------------------------------------------- Peers

    def send(self, message: Send) -> None:
        self.sim.checkers.on_send(self, message)
        self.sim.network.send(self, message)
        if isinstance(message.request, VoteRequest) and not message.request.pre_vote:
            self.sim.faults.voted(self, pre_vote=False)

    def reply(self, token: int, response: RaftResponse) -> None:
        request = self.sim.network.request_of(self, token)
        if request is not None:
            self.sim.checkers.on_reply(self, request, response)
        self.sim.network.reply(self, token, response)
        if isinstance(response, VoteResponse) and response.granted:
            self.sim.faults.voted(self, pre_vote=not isinstance(request, VoteRequest) or request.pre_vote)

    def room_for(self, token: int) -> int | None:
        """Return no limit of the response."""
        del token
        return None

    def drop(self, token: int, reason: str) -> None:
        """No request is ever broken off: the error that leads here ends the simulation right afterwards."""

    def flush(self) -> None:
        """Whatever is sent here is on its way already."""

    # ---------------------------------------------------------------- wiring

    def _open(self) -> Process:
        """Open the directories as ``node.startup`` does, and wire what runs on them as ``node.node`` does."""
        fs, directories, options = self.disk.fs, self.disk.directories, self.sim.options
        ensemble = MetaPropertiesEnsemble.load(fs, directories, directories[0])
        ensemble.verify(expected_node_id=self.replica_id, require_metadata_directory=True)
        check_metadata_placement(fs, directories, directories[0])
        cluster_ids = ClusterIdStore(fs, ensure_formatted(fs, ensemble, self.replica_id, self.uuids.draw).ensemble)
        cluster_ids.complete()
        ensemble = cluster_ids.ensemble
        log_config = LogConfig(
            segment_bytes=options.segment_bytes,
            preallocate_bytes=options.preallocate_bytes,
            index_interval_bytes=256,
            tail_cache_bytes=1_024,
        )
        identity = Identity(
            key=ReplicaKey(self.replica_id, ensemble.directory_id(directories[0])), cluster_id=ensemble.cluster_id
        )
        repair = RepairPolicy(enabled=True, raft=self.config, key=identity.key)
        suspect, self._suspect = self._suspect, None
        directory, repaired = open_or_repair(
            fs, directories[0], log_config, self.uuids.draw, repair, now_ms=self.clock.now_ms, suspect=suspect
        )
        if repaired is not None:
            self.sim.world.note(str(self.id), "repaired", repaired.text)
            if repaired.quarantined_log is not None:
                self.sim.checkers.on_repair(self, repaired.text)
        replica = replica_of(
            self.config,
            identity,
            recovered_state(directory),
            jitter=self.uuids,
            now_ms=self.clock.now_ms(),
            spend=self._spend,
            is_forged=lambda token: self.sim.network.is_forged(self, token),
            on_forged=partial(self.sim.checkers.on_forged, self),
        )
        self.peer_identity = CertifiedPeers(lambda: replica.cluster_id)
        return self._wire(directory, replica, cluster_ids, ensemble.cluster_id)

    def _wire(
        self, directory: MetadataDirectory, replica: Replica, cluster_ids: ClusterIdStore, known: str | None
    ) -> Process:
        driver = Driver(
            replica=replica,
            directory=directory,
            clock=self.clock,
            lane=SimulatedLane(
                slow=self.slow, schedule=self._schedule_job, draw=self._draw_job_ms, failed=self._excuse
            ),
            errors=NoRequestErrors(),
        )
        driver.attach(self, self)
        digester = self._digester(replica, driver)
        state_machine = StateMachine(
            directory, checkpoint_ms=self.sim.options.digest_interval_ms, on_checkpoint=digester.checkpoint
        )
        host = self._host(replica, state_machine, driver) if self.is_controller else None
        snapshotter = self._snapshotter(directory, replica, driver)
        ids = [properties.directory_id for properties in cluster_ids.ensemble.found.values()]
        broker = None if self.is_controller else SimulatedBroker(self, tuple(one for one in ids if one is not None))
        reads = Reads(
            replica=replica,
            state_machine=state_machine,
            active_epoch=lambda: None if host is None else host.active_epoch,
            inbox=driver.inbox,
        )
        process = Process(
            directory=directory,
            replica=replica,
            driver=driver,
            state_machine=state_machine,
            host=host,
            reads=reads,
            backend=self._backend(driver, state_machine, host, reads),
            cluster_id=self._cluster_id(replica, driver, cluster_ids, known, broker),
            cluster_ids=cluster_ids,
            probes=(PublisherProbe("first probe", self), PublisherProbe("last probe", self)),
            snapshotter=snapshotter,
            broker=broker,
        )
        driver.application = self._application(process, digester)
        state_machine.install(_publishers(process))
        return process

    def _backend(
        self, driver: Driver, state_machine: StateMachine, host: ControllerLoop | None, reads: Reads
    ) -> NodeBackend:
        """Make what the public API asks; what ends a real process by its disk is heard here in turns."""
        return NodeBackend(
            driver=driver,
            state_machine=state_machine,
            controller=host,
            reads=reads,
            quorum_at=lambda offset: QuorumAt(*driver.replica.quorum_at(offset)),
            supported_features=(),
            errors=driver.request_errors,
        )

    def _cluster_id(
        self,
        replica: Replica,
        driver: Driver,
        cluster_ids: ClusterIdStore,
        known: str | None,
        broker: SimulatedBroker | None,
    ) -> ClusterIdPublisher:
        ids = {each: properties.directory_id for each, properties in cluster_ids.ensemble.found.items()}

        def persist(found: str, then: Callable[[], None]) -> None:
            def persisted(outcome: Persisted) -> None:
                for failed in outcome.failed:
                    directory_id = ids[failed]
                    if broker is not None and directory_id is not None:
                        broker.log_dir_failed(directory_id)
                then()

            driver.lane.put(lambda: cluster_ids.persist(found), persisted)

        return ClusterIdPublisher(
            known=known,
            expected=None,
            persist=persist,
            on_discovered=lambda found: self._announce(replica, broker, found),
        )

    def _application(self, process: Process, digester: SimulatedDigester) -> NodeApplication:
        status = process.directory.status
        cleaner = Cleaner(
            directory=process.directory,
            replica=process.replica,
            lane=process.driver.lane,
            policy=RetentionPolicy(retention_bytes=self.sim.options.retention_bytes),
        )

        def agreed(digest: StateDigest) -> None:
            digester.agreed(digest)
            noted = status.value.divergence
            if noted is not None and noted.is_refetched:
                process.driver.lane.put(partial(status.write_divergence, None), lambda _: None)

        return NodeApplication(
            replica=process.replica,
            state_machine=process.state_machine,
            host=process.host,
            reads=process.reads,
            snapshotter=process.snapshotter,
            cleaner=lambda now_ms: min(cleaner.clean(now_ms), now_ms + self.sim.cleaning_interval_ms),
            on_replica_event=self._on_event,
            on_agreed=agreed,
            on_diverged=lambda event: self._fence(event, digester),
        )

    def _host(self, replica: Replica, state_machine: StateMachine, driver: Driver) -> ControllerLoop:
        options = self.sim.options
        controller = controller_of(
            ControllerConfig(
                max_idle_interval_ms=options.idle_interval_ms,
                session_timeout_ms=SESSION_TIMEOUT_MS,
                features=supported_features(unstable=True),
                allow_unstable=True,
                bootstrap_level=self.sim.level,
                leader_rebalance=options.rebalance,
                leader_imbalance_percentage=options.imbalance_percentage,
                leader_election_interval_ms=options.election_interval_ms,
                elections_per_step=options.elections_per_step,
                records_per_part=2 if options.large_writes else RECORDS_PER_PART_MAX,
                transaction_records_max=0 if options.cut_fencing else OPERATION_RECORDS_MAX,
            ),
            node_id=self.replica_id,
            uuids=self.uuids,
            on_own_decision=partial(self.sim.checkers.on_own_decision, self),
        )
        return ControllerLoop(
            controller=controller,
            replica=replica,
            state_machine=state_machine,
            inbox=driver.inbox,
            bootstrap=None,
            errors=driver.request_errors,
        )

    def _digester(self, replica: Replica, driver: Driver) -> SimulatedDigester:
        def made(digest: StateDigest) -> None:
            driver.inbox.put_unbounded(lambda now_ms: replica.record_state_digest(now_ms, digest))
            self.schedule_turn(0)

        return SimulatedDigester(
            schedule=self.beside_turns, leads=lambda: replica.leader.leader_id == replica.key.node_id, made=made
        )

    def _snapshotter(self, directory: MetadataDirectory, replica: Replica, driver: Driver) -> SimulatedSnapshotter:
        def frozen(snapshot_id: OffsetAndEpoch) -> None:
            self.sim.world.note(str(self.id), "snapshot", str(snapshot_id))
            driver.inbox.put_unbounded(lambda _: replica.snapshot_frozen(snapshot_id))
            self.schedule_turn(0)

        return SimulatedSnapshotter(
            store=directory.snapshots,
            policy=SnapshotPolicy(bytes_between=self.sim.options.snapshot_bytes, interval_ms=3_600_000),
            quorum_at=lambda offset: QuorumAt(*replica.quorum_at(offset)),
            on_frozen=frozen,
            now_ms=self.clock.now_ms,
            schedule=self.beside_turns,
            lane=driver.lane,
        )

    def beside_turns(self, delay_ms: int, step: object) -> None:
        """Do something later if this process still runs then."""
        incarnation = self.incarnation

        def action() -> None:
            if self.is_up and self.incarnation == incarnation:
                self.guarded(step)

        self.sim.world.later(delay_ms, action)

    def _schedule_job(self, delay_ms: int, part: Callable[[], None]) -> None:
        def step() -> None:
            part()
            self.schedule_turn(0)

        self.beside_turns(delay_ms, step)

    def _excuse(self) -> None:
        """Note why a job failed: the disk may be sound again when the node hears of it."""
        self._excused = self.disk.faulty

    def _draw_job_ms(self, parts: int) -> int:
        """Draw how long one of several parts of a job takes."""
        return self.rng.randint(0, max(1, self.sim.options.sync_ms * 2 // parts))

    def _announce(self, replica: Replica, broker: SimulatedBroker | None, cluster_id: str) -> None:
        replica.set_cluster_id(cluster_id)
        self.sim.world.note(str(self.id), "cluster id", cluster_id)
        self.sim.checkers.on_cluster_id(self)
        if broker is not None:
            broker.cluster_id_known(cluster_id)

    def _on_event(self, event: Event) -> None:
        self.sim.world.note(str(self.id), "event", describe_message(event))
        if isinstance(event, NoElectableVoter | VoteNotCounted):
            self.sim.explained_ms = self.sim.world.now_ms
        if self.process is not None:
            self.sim.checkers.on_event(self, event)
