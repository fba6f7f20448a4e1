"""What the runtime tests share: a clock to set, a driver between fakes, and a whole controller in memory."""

from __future__ import annotations

import random
from types import SimpleNamespace

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.model.election import ElectionState
from kraftpy.model.errors import KraftError, SyncFailedError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.raft.config import Identity, RaftConfig, RecoveredState
from kraftpy.raft.ready import Ready, Reply, Role, Send
from kraftpy.raft.replica import Replica
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.runtime.application import NodeApplication
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.disk_executor import DiskExecutor
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.reads import Reads
from kraftpy.runtime.sliced_publishing import SlicedPublishing
from kraftpy.runtime.snapshotter import QuorumAt, SnapshotPolicy, Snapshotter
from kraftpy.runtime.state_machine import HookPublisher, StateMachine
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.log import Flush
from tests.fakes.request_errors import NoRequestErrors
from tests.unit.controller.worlds import CountingUuids
from tests.unit.storage.logs import ROOT, T0, TINY, disk

CLUSTER = "the-cluster"


class ManualClock:
    """Time moves when a test says so."""

    def __init__(self, now_ms=T0):
        self.value = now_ms

    def now_ms(self):
        return self.value


class NoJitter:
    def below(self, bound):
        return 0


class RecordingPeers:
    """Remembers what left, in order."""

    def __init__(self, journal=None):
        self.journal = [] if journal is None else journal
        self.flushed_at = []

    def send(self, message):
        self.journal.append(("send", message.correlation))

    def reply(self, token, response):
        self.journal.append(("reply", token, response))

    def room_for(self, token):
        return None

    def drop(self, token, reason):
        self.journal.append(("drop", token, reason))

    def flush(self):
        """Remember how much of the journal was there when everything was put on its way."""
        self.flushed_at.append(len(self.journal))


def opened(fs=None, config=TINY):
    """A metadata directory on a simulated disk."""
    return MetadataDirectory.open(fs or disk(), ROOT, config, random.Random(1).randbytes)


def written(directory, snapshot_id, groups=()):
    """An unfinished snapshot with these records."""
    writer = directory.snapshots.create(snapshot_id)
    encoder = SnapshotEncoder(epoch=snapshot_id.epoch, timestamp_ms=T0, last_contained_log_timestamp_ms=T0)
    for piece in encoder.encode(groups):
        writer.append(piece)
    return writer


def snapshot_bytes(snapshot_id, groups=(), voters=None):
    """The bytes of a snapshot file with these records."""
    encoder = SnapshotEncoder(
        epoch=snapshot_id.epoch,
        timestamp_ms=T0,
        last_contained_log_timestamp_ms=T0,
        kraft_version=0 if voters is None else 1,
        voters=voters,
    )
    return b"".join(encoder.encode(groups))


# A driver between fakes.


class ScriptedReplica:
    """Hands out Readys that a test made, and remembers its inputs."""

    def __init__(self, journal):
        self.journal = journal
        self.readies = []
        self.outstanding = []
        self.key = ReplicaKey(1, bytes([1]) * 16)
        self.voters = VoterSet()
        self.kraft_version = 0
        self.high_watermark = None
        self.deadline_ms = None
        self.epoch = 1
        self.role = Role.FOLLOWER

    def tick(self, now_ms):
        pass

    def step(self, now_ms, inbound):
        self.journal.append(("step", inbound))

    def step_failed(self, now_ms, inbound):
        self.journal.append(("failed", inbound))

    def has_ready(self):
        return bool(self.readies)

    def ready(self, now_ms):
        self.outstanding.append(self.readies.pop(0))
        return self.outstanding[-1]

    def advance(self, now_ms, ready):
        assert ready is self.outstanding.pop(0)
        self.journal.append("advance")

    def next_deadline_ms(self):
        return self.deadline_ms

    def snapshot_installed(self, snapshot_id, voters, kraft_versions):
        self.journal.append(("installed", snapshot_id))

    def snapshot_rejected(self, snapshot_id, why):
        self.journal.append(("rejected", snapshot_id, why))


class QuietApplication:
    """Does nothing but remember."""

    def __init__(self, journal):
        self.journal = journal
        self.backlog = False

    def before_ready(self, now_ms):
        pass

    def on_event(self, event):
        self.journal.append(("event", event))

    def on_commit(self, now_ms):
        pass

    def has_backlog(self):
        return self.backlog

    def next_deadline_ms(self):
        return None


class RecordingLog:
    """A log that remembers what is done to it, and counts a batch as one offset; ``on_sync`` may fail or wait."""

    def __init__(self, journal):
        self.journal = journal
        self.start_offset = self.end_offset = self.flushed_offset = 0
        self.on_sync = lambda: None

    def begin_truncate_to(self, offset):
        return lambda: self.journal.append(("truncate", offset))

    def begin_assign_epoch(self, epoch, offset):
        return lambda: self.journal.append(("epoch", epoch, offset))

    def append(self, batches, now_ms):
        self.journal.append(("append", len(batches)))
        self.end_offset += len(batches)

    def stage(self, batches, now_ms):
        if not batches:
            return
        self.journal.append(("stage", len(batches)))
        self.end_offset += len(batches)

    def begin_flush(self):
        end = self.end_offset

        def on_disk():
            self.on_sync()
            self.journal.append("fsync")

        def done():
            self.flushed_offset = end

        return Flush(on_disk, done)

    def sync(self):
        self.on_sync()
        self.journal.append("fsync")
        self.flushed_offset = self.end_offset

    def read(self, from_offset, max_bytes, upto_offset):
        self.journal.append(("read", from_offset, max_bytes, upto_offset))
        return b"records"

    def begin_note_durable(self, offset):
        return lambda: self.journal.append(("durable", offset))

    def begin_reset_to(self, position):
        return lambda: self.journal.append(("reset", position))

    def maybe_preallocate(self):
        return False


class ManualJob:
    """A job in the thread, as far as a test lets it be."""

    def __init__(self, job):
        self._job = job
        self._callbacks = []
        self._outcome = None

    def run(self):
        try:
            result = self._job()
        except KraftError as error:
            self._outcome = (None, error)
        else:
            self._outcome = (result, None)
        for callback in self._callbacks:
            callback(self)

    def done(self):
        return self._outcome is not None

    def result(self):
        result, error = self._outcome
        if error is not None:
            raise error
        return result

    def add_done_callback(self, callback):
        self._callbacks.append(callback)
        if self.done():
            callback(self)


class ManualLane(DiskExecutor):
    """Jobs run inline, or when the test completes them; which of the two it says with ``slow``."""

    def __init__(self, *, slow=False):
        super().__init__()
        self.slow = slow
        self.handed_over = []
        self.closed = False

    @property
    def slow(self):
        return self._slow

    @slow.setter
    def slow(self, slow):
        self._slow = slow

    def put(self, job, then, *, on_failed=None, cpu_bound=False):
        # Nothing here takes the processor for long.
        super().put(job, then, on_failed=on_failed)

    def _timed(self, job):
        try:
            return job()
        except SyncFailedError as error:
            self._broken = error
            raise

    def _note(self, started):
        pass

    def _judge(self, queued):
        pass

    def _hand_over(self, job):
        self.handed_over.append(ManualJob(job))
        return self.handed_over[-1]

    def complete(self):
        """Do the job that is in the thread."""
        self.handed_over[-1].run()

    async def close(self):
        self.closed = True
        await super().close()


class Bench:
    """A driver whose every effect lands in one journal."""

    def write_status(self, status):
        self.status.value = status
        self.journal.append(("status", status))

    def __init__(self, *, slow=False, snapshots=None):
        self.journal = []
        self.replica = ScriptedReplica(self.journal)
        self.log = RecordingLog(self.journal)
        self.clock = ManualClock()
        quorum_state = SimpleNamespace(
            write=lambda state, version, current_voters: self.journal.append(("election", state, version))
        )
        self.status = SimpleNamespace(value=ReplicaStatus(), write=self.write_status)
        self.directory = SimpleNamespace(
            log=self.log,
            quorum_state=quorum_state,
            snapshots=snapshots,
            status=self.status,
            close=self.close,
        )
        self.closing = lambda: None
        self.lane = ManualLane(slow=slow)
        self.peers = RecordingPeers(self.journal)
        self.driver = Driver(
            replica=self.replica,
            directory=self.directory,
            clock=self.clock,
            lane=self.lane,
        )
        self.driver.attach(self.peers, self.peers)
        self.driver.application = QuietApplication(self.journal)

    def close(self):
        self.closing()
        self.journal.append("closed")

    def turn(self, *readies):
        self.replica.readies += readies
        self.driver.turn(self.clock.now_ms())
        done, self.journal[:] = list(self.journal), []
        return done


def ready(**parts):
    return Ready(**{"log_end_offset": 0, **parts})


def send(correlation):
    return Send(2, Endpoint("CONTROLLER", "h", 1), correlation, None, 1_000)


def reply(token, response=None, read=None):
    return Reply(token, response, read)


ELECTION = ElectionState(3, 2)


# A whole controller in memory: one voter, a real replica on a simulated disk.


class LoneController:
    """The only voter of its quorum: driver, state machine and host, with time standing still.

    With other ``voters`` it is one of several; who wants the others too takes :class:`tests.unit.runtime.trio.Trio`.
    With ``host_clock_ms`` the host measures its own work by another clock; ``sliced`` are publishers whose work is.
    """

    def __init__(
        self,
        *,
        fs=None,
        bootstrap=None,
        slow=False,
        cluster_id=CLUSTER,
        voters=(1,),
        node_id=1,
        clock=None,
        peers=None,
        errors=None,
        decides=None,
        host_clock_ms=None,
        sliced=(),
        **config,
    ):
        self.clock = clock or ManualClock()
        self.directory = opened(fs)
        self.events = []
        found = self.directory
        self.replica = Replica(
            config=RaftConfig(
                static_voters=VoterSet.of(
                    Voter(ReplicaKey(one, None), (Endpoint("CONTROLLER", "h", 9000 + one),), 0, 1) for one in voters
                ),
                own_endpoints=(Endpoint("CONTROLLER", "h", 9000 + node_id),),
                **config,
            ),
            identity=Identity(key=ReplicaKey(node_id, bytes([99 + node_id]) * 16), cluster_id=cluster_id),
            recovered=RecoveredState(
                election_state=found.election,
                log_start_offset=found.log.start_offset,
                log_end_offset=found.log.end_offset,
                epochs=found.log.epoch_entries,
                snapshots=found.snapshots.ids,
            ),
            jitter=NoJitter(),
            now_ms=self.clock.now_ms(),
        )
        self.peers = peers or RecordingPeers()
        self.lane = ManualLane(slow=slow)
        self.driver = Driver(
            replica=self.replica,
            directory=found,
            clock=self.clock,
            lane=self.lane,
            errors=errors or NoRequestErrors(),
        )
        self.driver.attach(self.peers, self.peers)
        self.state_machine = StateMachine(found)
        self.host = ControllerLoop(
            controller=Controller(config=decides or ControllerConfig(), node_id=node_id, uuids=CountingUuids()),
            replica=self.replica,
            state_machine=self.state_machine,
            inbox=self.driver.inbox,
            bootstrap=bootstrap,
            clock_ms=host_clock_ms or self.clock.now_ms,
            errors=self.driver.request_errors,
        )
        self.reads = Reads(
            replica=self.replica,
            state_machine=self.state_machine,
            active_epoch=lambda: self.host.active_epoch,
            inbox=self.driver.inbox,
        )
        snapshotter = Snapshotter(
            store=found.snapshots,
            policy=SnapshotPolicy(bytes_between=10**9, interval_ms=0),
            quorum_at=lambda offset: QuorumAt(*self.replica.quorum_at(offset)),
            on_frozen=lambda _: None,
            now_ms=self.clock.now_ms,
        )
        self.sliced = SlicedPublishing(sliced)
        self.driver.application = NodeApplication(
            replica=self.replica,
            state_machine=self.state_machine,
            host=self.host,
            reads=self.reads,
            snapshotter=snapshotter,
            cleaner=lambda now_ms: now_ms + 60_000,
            on_replica_event=self.events.append,
            sliced=self.sliced,
        )
        self.state_machine.install([self.host, self.sliced, HookPublisher("answers", self.host.answer)])

    def turn(self):
        self.driver.turn(self.clock.now_ms())

    def settle(self):
        """Take turns until nothing is left to do."""
        for _ in range(100):
            self.turn()
            if self.driver.wait_ms() != 0 and not len(self.driver.inbox):
                return self
        raise AssertionError("the node never comes to rest")

    def submit(self, *submissions, at_ms=None):
        """Queue a group; the list fills with its outcomes when it is answered."""
        answers = []
        self.host.submit(submissions, self.clock.now_ms() if at_ms is None else at_ms, answers.extend)
        return answers


NOWHERE = OffsetAndEpoch(0, 0)
