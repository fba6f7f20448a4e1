"""Snapshot files: made visible whole, checked, deleted in two steps; and which of them to drop."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kraftpy.model.errors import CorruptLogError, DiskFullError, LocalError, StorageError, SyncFailedError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import ORIGIN, OffsetAndEpoch
from kraftpy.records.batch import encode_control_batch, split_batches
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.records.state_digest import digest_of
from kraftpy.storage.filesystem import RealFileSystem, join, read_file
from kraftpy.storage.retention import CleaningPlan, SnapshotInfo, plan_cleaning
from kraftpy.storage.snapshots import SnapshotStore
from tests.fakes.filesystem import Killed, SimulatedFileSystem

DIRECTORY = "/data"


def sid(offset, epoch=1):
    return OffsetAndEpoch(epoch=epoch, offset=offset)


def snapshot_bytes(snapshot_id, *, time_ms=7, records=3, value=b"\x01\x14\x00\x00"):
    encoder = SnapshotEncoder(epoch=snapshot_id.epoch, timestamp_ms=0, last_contained_log_timestamp_ms=time_ms)
    return b"".join(encoder.encode([[value] * records]))


def draw(count):
    return bytes(range(1, count + 1))


@pytest.fixture
def fs():
    fs = SimulatedFileSystem()
    fs.make_directory(DIRECTORY)
    return fs


@pytest.fixture
def store(fs):
    return SnapshotStore.open(fs, DIRECTORY, draw)


def put(store, snapshot_id, **kwargs):
    writer = store.create(snapshot_id)
    data = snapshot_bytes(snapshot_id, **kwargs)
    writer.append(data[:50])
    writer.append(data[50:])
    assert writer.size == len(data)
    writer.freeze()
    return data


def test_a_snapshot_appears_when_it_is_frozen(fs, store):
    """Before the freeze only a .part with random digits exists; after it the file is there, read-only."""
    writer = store.create(sid(42, 3))
    writer.append(b"abc")
    (part,) = fs.list_directory(DIRECTORY)
    assert part == f"00000000000000000042-0000000003-{int.from_bytes(draw(7), 'big')}.checkpoint.part"
    assert store.ids == ()
    writer.freeze()
    assert fs.list_directory(DIRECTORY) == ["00000000000000000042-0000000003.checkpoint"]
    assert store.latest == store.earliest == sid(42, 3)
    with pytest.raises(PermissionError):
        fs.open(store.path(sid(42, 3)), write=True)
    with pytest.raises(LocalError, match="exists already"):
        store.create(sid(42, 3))
    with pytest.raises(LocalError, match="already frozen"):
        writer.append(b"x")
    writer.abort()
    assert store.ids == (sid(42, 3),)


def test_a_real_snapshot_is_read_only(tmp_path):
    """On a real disk the frozen file has no write permission, and its bytes are what was appended."""
    store = SnapshotStore.open(RealFileSystem(), str(tmp_path), draw)
    data = put(store, sid(5))
    path = tmp_path / "00000000000000000005-0000000001.checkpoint"
    assert (path.read_bytes(), path.stat().st_mode & 0o222) == (data, 0)
    assert store.validate(sid(5)) == 5


def test_an_aborted_snapshot_leaves_nothing(fs, store):
    """Abort removes the part, and may be called again."""
    writer = store.create(sid(1))
    writer.append(b"abc")
    writer.abort()
    writer.abort()
    assert (fs.list_directory(DIRECTORY), store.ids) == ([], ())


def test_order_is_by_epoch_first(store):
    """A snapshot of a later epoch is newer, whatever its offset."""
    for snapshot_id in (sid(10, 3), sid(50, 1), sid(20, 3)):
        put(store, snapshot_id)
    assert store.ids == (sid(50, 1), sid(10, 3), sid(20, 3))
    assert (store.earliest, store.latest) == (sid(50, 1), sid(20, 3))


def test_the_zero_checkpoint_is_never_replicated(store):
    """0-0 is listed, but not among those that may be sent."""
    put(store, ORIGIN)
    put(store, sid(4))
    assert (store.ids, store.replicable) == ((ORIGIN, sid(4)), (sid(4),))


def test_reading_in_chunks(store):
    """Chunks are plain byte ranges; past the end there is nothing; an unknown id is refused."""
    data = put(store, sid(9))
    assert store.size(sid(9)) == len(data)
    assert store.read(sid(9), 10, 20) == data[10:30]
    assert store.read(sid(9), len(data), 20) == b""
    assert b"".join(store.open_chunks(sid(9), 7)) == data
    with pytest.raises(LocalError, match="there is no snapshot"):
        store.read(sid(8), 0, 1)


def test_any_flipped_bit_is_found(fs, store):
    """Every byte of a snapshot is checked: a flipped bit anywhere is reported with file and position."""
    data = put(store, sid(9, 300), records=20)
    whole = store.validate(sid(9, 300))
    assert whole == 22
    path = store.path(sid(9, 300))
    for position in range(len(data)):
        fs.flip_bit(path, position, position % 8)
        with pytest.raises(CorruptLogError, match=rf"{path} is corrupt at byte \d+"):
            store.validate(sid(9, 300))
        fs.flip_bit(path, position, position % 8)
    assert store.validate(sid(9, 300)) == whole


def test_what_was_not_written_is_found(fs, store):
    """A record was exchanged and every checksum repaired: the file's digest shows it to every reader."""
    honest, other = snapshot_bytes(sid(1)), snapshot_bytes(sid(1), value=b"\x01\x14\x00\x01\x00\x00")
    head, _, footer = split_batches(honest)
    writer = store.create(sid(1))
    writer.append(head.data + split_batches(other)[1].data + footer.data)
    with pytest.raises(CorruptLogError, match=r"bytes have the digest .* its footer states"):
        writer.verify()
    writer.freeze()
    with pytest.raises(CorruptLogError, match=r"bytes have the digest .* its footer states"):
        store.validate(sid(1), checks_state=False)


def test_a_digest_of_another_state_is_found(fs, store):
    """The file is what its writer wrote, but not the state whose digest it states: a closer look finds it."""
    honest, other = snapshot_bytes(sid(1)), snapshot_bytes(sid(1), value=b"\x01\x14\x00\x01\x00\x00")
    stated = split_batches(honest)[-1].control_records()[0].state_digest
    *rest, footer = split_batches(other)
    forged = replace(footer.control_records()[0], state_digest=stated)
    last = encode_control_batch([forged], base_offset=footer.base_offset, epoch=1, timestamp_ms=0)
    writer = store.create(sid(1))
    writer.append(b"".join(batch.data for batch in rest) + last)
    with pytest.raises(CorruptLogError, match=r"records have the digest .* its footer states"):
        writer.verify()
    writer.freeze()
    assert store.validate(sid(1), checks_state=False) == 5
    with pytest.raises(CorruptLogError, match=r"records have the digest .* its footer states"):
        store.validate(sid(1))
    assert store.stated_digest(sid(1)) == stated == digest_of([[b"\x01\x14\x00\x00"] * 3])


def test_a_snapshot_without_footer_is_refused(fs, store):
    """A file that ends before its footer was not finished."""
    writer = store.create(sid(1))
    data = snapshot_bytes(sid(1))
    writer.append(data[: -split_batches(data)[-1].size])
    writer.freeze()
    with pytest.raises(CorruptLogError, match="not finished"):
        store.validate(sid(1))


def test_what_the_header_states(store):
    """The time of the newest contained record is read from the header alone."""
    put(store, sid(3), time_ms=123)
    assert store.last_contained_timestamp_ms(sid(3)) == 123
    assert len(store.control_records(sid(3))) == 1


def test_deletion_in_two_steps(fs, store):
    """Marking takes a snapshot out of view; purging removes it; the newest cannot be marked."""
    for offset in (1, 2, 3):
        put(store, sid(offset))
    store.mark_deleted([sid(1)])
    assert store.ids == (sid(2), sid(3))
    assert "00000000000000000001-0000000001.checkpoint.deleted" in fs.list_directory(DIRECTORY)
    assert (store.purge(), store.purge()) == (1, 0)
    assert store.mark_deleted_below(3) == (sid(2),)
    assert store.mark_deleted_below(10) == ()
    with pytest.raises(InvariantViolation, match="newest snapshot"):
        store.mark_deleted([sid(3)])


def test_opening_cleans_up(fs, store):
    """Unfinished and deleted snapshots go at a start; a name that is no snapshot's is ignored with a warning."""
    put(store, sid(1))
    put(store, sid(2))
    store.mark_deleted([sid(1)])
    store.create(sid(3)).append(b"half")
    fs.open(join(DIRECTORY, "latest.checkpoint"), create=True).close()
    again = SnapshotStore.open(fs, DIRECTORY, draw)
    assert again.ids == (sid(2),)
    assert fs.list_directory(DIRECTORY) == ["00000000000000000002-0000000001.checkpoint", "latest.checkpoint"]
    assert "/data/latest.checkpoint has no snapshot's name" in again.warnings[0]


def test_a_kill_at_every_step_shows_a_whole_snapshot_or_none(fs):
    """Wherever the writing of a snapshot is interrupted, what is listed afterwards is whole."""
    step, seen = 0, set()
    while True:
        disk = fs.copy()
        store = SnapshotStore.open(disk, DIRECTORY, draw)
        put(store, sid(1))
        disk.kill_at(step)
        try:
            put(store, sid(2))
            break
        except Killed:
            pass
        disk.crash(random.Random(step)) if step % 2 else disk.kill()
        again = SnapshotStore.open(disk, DIRECTORY, draw)
        for snapshot_id in again.ids:
            again.validate(snapshot_id)
        assert again.ids[0] == sid(1)
        seen.add(again.ids)
        assert not [name for name in disk.list_directory(DIRECTORY) if name.endswith(".part")]
        step += 1
    assert step > 4
    assert seen == {(sid(1),), (sid(1), sid(2))}


def test_a_full_disk_and_a_failed_sync(fs, store):
    """A snapshot that does not fit, or does not reach the disk, is never shown."""
    writer = store.create(sid(1))
    capacity, fs.capacity = fs.capacity, 10
    with pytest.raises(DiskFullError):
        writer.append(bytes(100))
    writer.abort()
    fs.capacity = capacity
    writer = store.create(sid(2))
    fs.failing_syncs.add("*")
    with pytest.raises(SyncFailedError):
        writer.freeze()
    assert store.ids == ()


def test_a_log_that_starts_late_needs_a_snapshot(store):
    """A log start above 0 without a snapshot at or above it is fatal."""
    store.check_covers(0)
    with pytest.raises(StorageError, match="starts at offset 5, but no snapshot"):
        store.check_covers(5)
    put(store, sid(4))
    with pytest.raises(StorageError, match="what came before is missing"):
        store.check_covers(5)
    put(store, sid(6))
    store.check_covers(5)


def infos(*rows):
    return [SnapshotInfo(sid(offset), size, time) for offset, size, time in rows]


PLAN = {"log_size_bytes": 100, "log_start": 0, "high_watermark": 1000, "now_ms": 1000}


@pytest.mark.parametrize(
    ("snapshots", "limits", "dropped", "start"),
    [
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {}, (), 0),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_bytes": 249}, (10,), 20),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_bytes": 250}, (), 0),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_bytes": 0}, (10, 20), 30),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_bytes": 0, "high_watermark": 25}, (10,), 20),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_ms": 998}, (10,), 20),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_ms": 997}, (10, 20), 30),
        (infos((10, 50, 1), (20, 50, 2), (30, 50, 3)), {"retention_bytes": 249, "retention_ms": 997}, (10, 20), 30),
        (infos((10, 50, 1)), {"retention_bytes": 0, "retention_ms": 0}, (), 0),
        ([], {"retention_bytes": 0, "retention_ms": 0}, (), 0),
        (infos((10, 50, 1), (20, 50, 2)), {"retention_bytes": 0, "log_start": 20}, (), 20),
        (infos((0, 50, 0), (20, 50, 999)), {"retention_ms": 500}, (0,), 20),
    ],
)
def test_retention(snapshots, limits, dropped, start):
    """Snapshots go from the oldest, by size and then by time; the newest stays; the start follows."""
    plan = plan_cleaning(snapshots, **{**PLAN, **limits})
    assert plan == CleaningPlan(tuple(sid(offset) for offset in dropped), start)


def test_a_snapshot_that_a_replica_fetches_stays():
    """And the log with it: both limits stop there."""
    snapshots = infos((10, 50, 1), (20, 50, 2), (30, 50, 3))
    fetched = [replace(one, is_being_fetched=one.snapshot_id == sid(20)) for one in snapshots]
    for limits in ({"retention_bytes": 0}, {"retention_ms": 0}):
        assert plan_cleaning(snapshots, **{**PLAN, **limits}) == CleaningPlan((sid(10), sid(20)), 30)
        assert plan_cleaning(fetched, **{**PLAN, **limits}) == CleaningPlan((sid(10),), 20)


def test_read_file_of_a_snapshot(fs, store):
    """The file's bytes are what was appended, in order."""
    data = put(store, sid(1))
    assert read_file(fs, store.path(sid(1))) == data


def test_a_download_is_verified_before_it_is_shown(fs, store):
    """What was written can be checked before the freeze: a whole snapshot passes, a corrupt or short one does not."""
    data = snapshot_bytes(sid(9), time_ms=5)
    writer = store.create(sid(9))
    writer.append(data)
    writer.sync()
    assert writer.verify()[0].last_contained_log_timestamp == 5
    assert store.ids == ()
    writer.freeze()
    for offset, content, error in (
        (10, data[:-1], "ends inside a batch"),
        (11, data[:100] + b"!" + data[101:], "corrupt at byte 83"),
        (12, snapshot_bytes(sid(12, 2)), "has epoch 2, its name has 1"),
    ):
        writer = store.create(sid(offset))
        writer.append(content)
        with pytest.raises(CorruptLogError, match=error):
            writer.verify()
        writer.abort()
    assert store.ids == (sid(9),)
