"""When snapshots are made, that they are reported only once they are durable, and what disables them."""

from __future__ import annotations

import asyncio
import errno
import os

import pytest
from structlog.testing import capture_logs

from kraftpy.image import EMPTY, LogDeltaManifest, MetadataDelta, MetadataLoader, Provenance, SnapshotManifest
from kraftpy.model.errors import DiskFullError, LocalError, StorageError, SyncFailedError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.records.metadata import ClusterIdRecord, ConfigRecord, UnknownRecord
from kraftpy.runtime import snapshotter as module
from kraftpy.runtime.snapshotter import (
    RETRY_MAX_MS,
    RETRY_MIN_MS,
    QuorumAt,
    SnapshotPolicy,
    Snapshotter,
    write_snapshot,
)
from tests.unit.controller.worlds import level_record
from tests.unit.runtime.parts import CLUSTER, ManualClock, opened, written

RECORDS = (
    level_record(40),
    ClusterIdRecord(cluster_id=CLUSTER),
    ConfigRecord(resource_type=4, resource_name="", name="log.cleaner.threads", value="2"),
)
QUORUM = QuorumAt(None, 0)


class World:
    """A snapshotter, its directory, and everything it says."""

    def __init__(self, *, bytes_between=1_000, interval_ms=0, **parts):
        self.clock = ManualClock(0)
        self.directory = opened()
        self.reported = []
        self.failures = []
        self.asked = []
        self.snapshotter = Snapshotter(
            store=self.directory.snapshots,
            policy=SnapshotPolicy(bytes_between=bytes_between, interval_ms=interval_ms),
            quorum_at=self.quorum_at,
            on_frozen=self.frozen,
            now_ms=self.clock.now_ms,
            on_failed=self.failures.append,
        )

    def quorum_at(self, offset):
        self.asked.append(offset)
        return QUORUM

    def frozen(self, snapshot_id):
        assert snapshot_id in self.directory.snapshots.ids, "told before it was durable and visible"
        self.reported.append(snapshot_id)

    def publish(self, size, *, offset=10, aligned=True, records=RECORDS):
        delta = MetadataDelta(EMPTY)
        delta.replay_all(records)
        provenance = Provenance(offset, 1, 5, batch_aligned=aligned)
        manifest = SnapshotManifest(provenance) if size is None else LogDeltaManifest(provenance, 1, size)
        self.snapshotter.on_metadata_update(delta, delta.apply(provenance), manifest)

    @property
    def writing(self):
        return self.snapshotter._writing is not None


async def test_a_snapshot_is_made_when_enough_bytes_were_loaded():
    """A snapshot is begun with the publication that makes the bytes enough, and reported when it is durable."""
    world = World(bytes_between=1_000)
    world.publish(999)
    assert not world.writing
    world.publish(1, offset=11)
    assert world.writing
    await world.snapshotter.finish()
    assert world.reported == [OffsetAndEpoch(epoch=1, offset=12)] == list(world.directory.snapshots.ids)
    assert world.asked == [12], "voters are those of the snapshot's end"
    assert world.snapshotter.latest_bytes == world.directory.snapshots.size(world.reported[0])


async def test_how_long_a_snapshot_took_is_counted(failing_writer):
    """From its begin until it is frozen, the time that its records were written included; not of one that failed."""
    world = World(bytes_between=1)
    world.clock.value = 5_000
    world.publish(1)
    world.clock.value += 70
    await world.snapshotter.finish()
    times = world.snapshotter.facts.times
    assert (len(world.reported), times.count, times.sum_ms) == (1, 1, 70)
    failing_writer.append(StorageError("not now"))
    world.publish(1, offset=20)
    world.clock.value += 900
    await world.snapshotter.finish()
    assert (world.snapshotter.error_count, times.count, times.sum_ms) == (1, 1, 70)


async def test_a_snapshot_states_what_the_image_states():
    """Loading the snapshot again gives the image that it was made of."""
    world = World(bytes_between=1)
    world.publish(1)
    await world.snapshotter.finish()
    (snapshot,) = world.reported
    loaded = MetadataLoader().load_snapshot(snapshot, world.directory.snapshots.batches(snapshot), 5).image
    assert loaded.configs == world.snapshotter._image.configs
    assert loaded.cluster_id == world.snapshotter._image.cluster_id


async def test_a_snapshot_is_made_when_enough_time_went_by():
    """With anything new a snapshot is made after the interval; a quiet cluster makes none."""
    world = World(bytes_between=10**9, interval_ms=60_000)
    world.clock.value = 100_000
    assert world.snapshotter.next_deadline_ms() is None
    assert not world.snapshotter.maybe_begin(world.clock.value), "nothing is new"
    world.clock.value = 30_000
    world.publish(1)
    assert world.snapshotter.next_deadline_ms() == 60_000
    world.clock.value = 59_999
    assert not world.snapshotter.maybe_begin(world.clock.value)
    world.clock.value = 60_000
    assert world.snapshotter.maybe_begin(world.clock.value)
    assert world.snapshotter.next_deadline_ms() is None, "one is being written"
    await world.snapshotter.finish()
    assert world.snapshotter.next_deadline_ms() is None, "nothing is new since"


async def test_an_interval_of_zero_leaves_it_to_the_bytes():
    """With an interval of 0 time alone never makes a snapshot."""
    world = World(bytes_between=10, interval_ms=0)
    world.publish(9)
    world.clock.value = 10**12
    assert world.snapshotter.next_deadline_ms() is None
    assert not world.snapshotter.maybe_begin(world.clock.value)


async def test_no_snapshot_inside_a_batch():
    """An image that ends inside a batch makes no snapshot, and does not wake the snapshotter again and again."""
    world = World(bytes_between=1, interval_ms=10)
    world.publish(5, aligned=False)
    assert not world.writing
    world.clock.value = 1_000
    assert not world.snapshotter.maybe_begin(world.clock.value)
    assert world.snapshotter.next_deadline_ms() is None
    world.publish(1, offset=11)
    assert world.writing
    await world.snapshotter.finish()


async def test_a_loaded_snapshot_starts_the_count_again():
    """After a snapshot was loaded only what comes after it counts."""
    world = World(bytes_between=10)
    world.publish(9)
    world.publish(None, offset=20)
    world.publish(9, offset=21)
    assert not world.writing
    world.publish(1, offset=22)
    assert world.writing
    await world.snapshotter.finish()


async def test_one_at_a_time():
    """While one snapshot is written no other is begun; what is loaded meanwhile counts for the next."""
    world = World(bytes_between=10)
    world.publish(10)
    world.publish(10, offset=11)
    await world.snapshotter.finish()
    assert len(world.reported) == 1
    assert world.snapshotter.maybe_begin(0)
    await world.snapshotter.finish()
    assert [one.offset for one in world.reported] == [11, 12]


async def test_a_snapshot_that_is_there_is_not_made_again():
    """An image whose snapshot is on the disk already makes none."""
    world = World(bytes_between=1)
    written(world.directory, OffsetAndEpoch(epoch=1, offset=11)).freeze()
    world.publish(5)
    assert not world.writing
    assert world.snapshotter.next_deadline_ms() is None


async def test_unknown_records_keep_snapshots_from_being_made():
    """A snapshot would drop them. It is said again and again, because the log grows; a newer version goes on."""
    world = World(bytes_between=1)
    unknown = (*RECORDS, UnknownRecord(api_key=4_000, version=0, payload=b"?", value=b"?"))
    with capture_logs() as logs:
        world.publish(5, records=unknown)
        assert not world.writing
        assert "4000" in world.snapshotter.trouble
        for _ in range(20):
            world.clock.value = world.snapshotter.next_deadline_ms()
            assert not world.snapshotter.maybe_begin(world.clock.value)
        world.publish(7, offset=11, records=unknown)
    assert world.snapshotter.next_deadline_ms() == world.clock.value + RETRY_MAX_MS
    assert world.snapshotter.error_count == len(logs) == 21
    assert world.snapshotter.unfrozen_bytes == 12
    world.publish(None, offset=12)
    assert (world.snapshotter.trouble, world.snapshotter.unfrozen_bytes) == (None, 0), "a loaded one has none of them"
    world.publish(5, offset=13)
    await world.snapshotter.finish()
    assert len(world.reported) == 1


@pytest.fixture
def failing_writer(monkeypatch):
    """Let the thread fail with an error of the test's choice."""
    errors = []

    real = module.write_snapshot

    def write(*given):
        if errors:
            raise errors[0]
        return real(*given)

    monkeypatch.setattr(module, "write_snapshot", write)
    return errors


@pytest.mark.parametrize("error", [StorageError("EIO"), DiskFullError("no room"), TypeError("a defect")])
async def test_a_snapshot_that_failed_is_tried_again(error, failing_writer):
    """Later each time, with a line in the log; it once ended snapshots until the restart, and the log grew unseen."""
    failing_writer.append(error)
    world = World(bytes_between=1_000)
    pauses = []
    with capture_logs() as logs:
        world.publish(1_000)
        await world.snapshotter.finish()
        for _ in range(12):
            assert str(error) in world.snapshotter.trouble
            pauses.append(world.snapshotter.next_deadline_ms() - world.clock.value)
            world.publish(1, offset=11 + len(pauses))
            world.clock.value += pauses[-1] - 1
            assert not world.snapshotter.maybe_begin(world.clock.value), "not before its time"
            world.clock.value += 1
            assert world.snapshotter.maybe_begin(world.clock.value)
            await world.snapshotter.finish()
    assert pauses == [min(RETRY_MIN_MS << number, RETRY_MAX_MS) for number in range(12)]
    lines = [entry for entry in logs if entry["log_level"] == "error"]
    assert [entry["bytes_since_the_last"] for entry in lines] == [1_000 + number for number in range(13)]
    assert (world.reported, world.failures, world.snapshotter.error_count) == ([], [], 13)
    failing_writer.clear()
    world.clock.value = world.snapshotter.next_deadline_ms()
    assert world.snapshotter.maybe_begin(world.clock.value)
    world.publish(3, offset=40)
    await world.snapshotter.finish()
    assert len(world.reported) == 1
    snapshotter = world.snapshotter
    assert (snapshotter.trouble, snapshotter.next_deadline_ms()) == (None, None)
    assert (snapshotter.latest_ms, snapshotter.unfrozen_bytes) == (world.clock.value, 3)
    failing_writer.append(error)
    world.publish(1_000, offset=50)
    await snapshotter.finish()
    assert snapshotter.next_deadline_ms() == world.clock.value + RETRY_MIN_MS, "the pauses begin anew"


@pytest.mark.parametrize("error", [SyncFailedError("fsync"), InvariantViolation("a bug")])
async def test_a_failed_fsync_or_a_bug_stops_the_node(failing_writer, error):
    """A failed fsync in the snapshot's thread is as fatal as anywhere, and so is a bug: neither is swallowed."""
    failing_writer.append(error)
    world = World(bytes_between=1)
    world.publish(5)
    await world.snapshotter.finish()
    assert world.failures == [error]
    assert world.reported == []


async def test_a_snapshot_that_cannot_be_frozen_stops_or_disables(monkeypatch):
    """What fails at the freeze, on the loop, is not swallowed by the callback that it happens in."""
    world = World(bytes_between=1)
    monkeypatch.setattr(world.directory.snapshots, "publish", raising(SyncFailedError("directory")))
    world.publish(5)
    await world.snapshotter.finish()
    assert [str(error) for error in world.failures] == ["directory"]
    assert world.reported == []


def raising(error):
    def fail(*_):
        raise error

    return fail


async def test_a_stopping_node_gives_its_snapshot_up():
    """A node that stops writes no snapshot to its end, and leaves no file."""
    world = World(bytes_between=1)
    world.publish(5)
    world.snapshotter.on_controller_change(LeaderAndEpoch(1, 1))
    world.snapshotter.close()
    await world.snapshotter.finish()
    assert world.reported == []
    assert world.directory.snapshots.load() == []
    assert world.snapshotter.disabled == "the node stops"


def test_a_writer_that_is_aborted_leaves_no_file():
    """write_snapshot asks between pieces whether to go on, and takes its file away if not."""
    world = World()
    world.publish(1)
    with pytest.raises(LocalError, match="given up"):
        write_snapshot(world.directory.snapshots, world.snapshotter._image, QUORUM, 0, lambda: True)
    assert world.directory.snapshots.load() == []


async def test_without_a_listener_a_failure_is_raised(monkeypatch):
    """Without a ``failed`` callback a fatal error is raised where it happens."""
    world = World(bytes_between=1)
    snapshotter = Snapshotter(
        store=world.directory.snapshots,
        policy=SnapshotPolicy(bytes_between=1, interval_ms=0),
        quorum_at=world.quorum_at,
        on_frozen=world.frozen,
        now_ms=world.clock.now_ms,
    )
    done = asyncio.get_running_loop().create_future()
    done.set_exception(SyncFailedError("fsync"))
    with pytest.raises(SyncFailedError):
        snapshotter._done(done, OffsetAndEpoch(1, 1), 0)


def test_a_disk_that_keeps_the_unfinished_file_hides_no_failed_fsync():
    """The fsync fails, and then the disk is read-only: the fsync is reported, for that one ends the node."""
    world = World()
    world.publish(1)
    fs = world.directory.snapshots._fs
    fs.failing_syncs.add("*")

    def read_only(operation, path):
        if operation == "unlink":
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    fs.before = read_only
    with pytest.raises(SyncFailedError):
        write_snapshot(world.directory.snapshots, world.snapshotter._image, QUORUM, 0)
