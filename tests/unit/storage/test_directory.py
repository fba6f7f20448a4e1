"""A metadata directory as a whole: the order of opening, its repairs, and looking without touching."""

from __future__ import annotations

import random

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import CorruptLogError, StorageError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records.batch import encode_control_batch
from kraftpy.records.control import KRaftVersionRecord, LeaderChangeMessage, SnapshotHeaderRecord, voter_set_to_record
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.format import zero_checkpoint
from kraftpy.storage.inspection import inspect_directory
from kraftpy.storage.quorum_state import QuorumStateFile, read_quorum_state
from tests.fakes.filesystem import Killed
from tests.unit.storage.logs import DIRECTORY, ROOT, T0, TINY, batches, disk, filled

QUORUM_STATE = f"{DIRECTORY}/quorum-state"
VOTERS = VoterSet.of([Voter(ReplicaKey(1, bytes(range(16))), (Endpoint("CONTROLLER", "h", 1),), 0, 1)])


def open_directory(fs):
    return MetadataDirectory.open(fs, ROOT, TINY, random.Random(1).randbytes)


def write(fs, path, content):
    file = fs.open(path, create=True)
    file.pwrite(content, 0)
    file.sync()
    file.close()
    fs.sync_directory(path.rpartition("/")[0])


def snapshot(directory, offset, epoch, kraft_version=0, voters=None):
    snapshot_id = OffsetAndEpoch(epoch=epoch, offset=offset)
    encoder = SnapshotEncoder(
        epoch=epoch, timestamp_ms=0, last_contained_log_timestamp_ms=T0, kraft_version=kraft_version, voters=voters
    )
    writer = directory.snapshots.create(snapshot_id)
    for piece in encoder.encode([[b"\x01\x14\x00\x00"]]):
        writer.append(piece)
    writer.freeze()
    return snapshot_id


def leader_change(offset, epoch):
    return encode_control_batch([LeaderChangeMessage(0, 1)], base_offset=offset, epoch=epoch, timestamp_ms=T0)


def test_an_empty_directory():
    """Nothing is known, and the files of a new directory are there and durable."""
    fs = disk()
    directory = open_directory(fs)
    assert (directory.election, directory.log.end_offset, directory.control_records) == (ElectionState(), 0, ())
    assert (directory.latest_snapshot, directory.warnings) == (None, ())
    assert read_file(fs, f"{DIRECTORY}/partition.metadata") == b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
    fs.crash(random.Random(0))
    assert fs.list_directory(DIRECTORY) == ["00000000000000000000.log", "kraftpy.replica-status", "partition.metadata"]


def test_control_records_come_in_order():
    """First those of the newest snapshot, at the offset before its end, then the log's from there, tail included."""
    fs = disk()
    directory = open_directory(fs)
    log = directory.log
    log.append([leader_change(0, 1), *batches(1, 3), leader_change(4, 2)], T0)
    log.sync()
    snapshot(directory, 4, 1, kraft_version=1, voters=VOTERS)
    log.append([*batches(5, 40, epoch=2), leader_change(45, 3)], T0)
    directory.close()
    again = open_directory(fs)
    assert again.control_records == (
        (3, SnapshotHeaderRecord(0, T0)),
        (3, KRaftVersionRecord(0, 1)),
        (3, voter_set_to_record(VOTERS)),
        (4, LeaderChangeMessage(0, 1)),
        (45, LeaderChangeMessage(0, 1)),
    )
    assert again.latest_snapshot == OffsetAndEpoch(epoch=1, offset=4)


def test_the_zero_checkpoint_counts_before_the_log():
    """The voters that format wrote are at offset -1, and the log stays as it is."""
    fs = disk()
    filled(fs, 2).close()
    write(fs, f"{DIRECTORY}/00000000000000000000-0000000000.checkpoint", zero_checkpoint(1, VOTERS))
    directory = open_directory(fs)
    assert [offset for offset, _ in directory.control_records] == [-1, -1, -1]
    assert (directory.log.end_offset, directory.snapshots.replicable) == (2, ())


@pytest.mark.parametrize(
    ("offset", "epoch", "start", "end"),
    [(30, 1, 0, 60), (60, 1, 0, 60), (61, 1, 61, 61), (70, 1, 70, 70), (62, 2, 62, 62), (30, 2, 30, 30)],
)
def test_a_log_that_ends_before_the_snapshot_is_replaced(offset, epoch, start, end):
    """A crash between download and truncation: the snapshot wins when it is beyond the log, else the log stays."""
    fs = disk()
    filled(fs, 60).close()
    directory = open_directory(fs)
    snapshot_id = snapshot(directory, offset, epoch)
    directory.close()
    again = open_directory(fs)
    assert (again.log.start_offset, again.log.end_offset) == (start, end)
    assert again.log.last_epoch == (epoch if start else 1)
    assert bool(again.warnings) == bool(start)
    assert not again.warnings or f"before snapshot {snapshot_id}: it restarts there" in again.warnings[0]


def test_a_corrupt_snapshot_replaces_nothing():
    """The newest snapshot is checked to the last byte before a log is thrown away on its word."""
    fs = disk()
    filled(fs, 60).close()
    directory = open_directory(fs)
    path = directory.snapshots.path(snapshot(directory, 100, 2))
    directory.close()
    fs.flip_bit(path, fs.size(path) - 3)
    with pytest.raises(CorruptLogError, match=rf"{path} is corrupt at byte"):
        open_directory(fs)
    assert fs.exists(f"{DIRECTORY}/00000000000000000000.log")


def test_a_snapshot_that_contradicts_the_recovery_point_replaces_nothing():
    """A snapshot of a later epoch that ends below what was committed does not throw the log away."""
    fs = disk()
    log = filled(fs, 60)
    log.note_durable(50)
    log.close()
    directory = open_directory(fs)
    snapshot(directory, 30, 2)
    directory.close()
    with pytest.raises(CorruptLogError, match="below offset 50 was durable and committed: one of them is corrupt"):
        open_directory(fs)
    assert fs.exists(f"{DIRECTORY}/00000000000000000000.log")


def test_a_log_that_starts_late_needs_its_snapshot():
    """When the log does not start at 0 and no snapshot reaches it, what came before is missing: fatal."""
    fs = disk()
    log = filled(fs, 60)
    log.advance_start(60)
    log.close()
    with pytest.raises(StorageError, match="what came before is missing"):
        open_directory(fs)


def test_snapshots_below_the_log_start_go():
    """At a start snapshots that end below the log's start are removed, never the newest."""
    fs = disk()
    filled(fs, 60).close()
    directory = open_directory(fs)
    for offset in (5, 10, 60):
        snapshot(directory, offset, 1)
    directory.log.advance_start(60)
    directory.close()
    assert [s.offset for s in open_directory(fs).snapshots.ids] == [60]
    assert not [name for name in fs.list_directory(DIRECTORY) if name.endswith(".deleted")]


def test_a_directory_of_another_topic_is_refused():
    """partition.metadata must name the metadata topic; a malformed one is refused too."""
    fs = disk()
    filled(fs, 1).close()
    path = f"{DIRECTORY}/partition.metadata"
    write(fs, path, b"version: 0\ntopic_id: EBESExQVRheYGRobHB0eHw")
    with pytest.raises(StorageError, match="another topic's directory"):
        open_directory(fs)
    write(fs, path, b"junk")
    with pytest.raises(StorageError, match="delete the file: it is written again"):
        open_directory(fs)


def test_the_vote_survives():
    """What was written is read back, in both versions, whatever a crash keeps; an unchanged state costs nothing."""
    fs = disk()
    open_directory(fs)
    for version, key in ((0, ReplicaKey(2)), (1, ReplicaKey(2, bytes(range(16))))):
        state = ElectionState(epoch=5 + version, voted_key=key)
        file = QuorumStateFile(fs, QUORUM_STATE)
        file.write(state, version=version, current_voters=(1, 2, 3))
        operations = fs.operations
        file.write(state, version=version, current_voters=(1, 2, 3))
        assert fs.operations == operations
        fs.crash(random.Random(version))
        assert open_directory(fs).election == state


def test_a_vote_that_a_killed_process_renamed_into_place_is_durable_after_the_start():
    """A vote that a start has read survives a loss of power, though the process that wrote it died before its sync."""
    fs = disk()
    opened = open_directory(fs)
    vote = ElectionState(epoch=3, voted_key=ReplicaKey(2))
    fs.failing_syncs.add(DIRECTORY)
    with pytest.raises(StorageError):
        opened.quorum_state.write(vote, version=0)
    fs.failing_syncs.clear()
    fs.kill()
    assert open_directory(fs).election == vote
    for seed in range(10):
        after = fs.copy()
        after.crash(random.Random(seed))
        assert read_quorum_state(after, QUORUM_STATE) == vote


def test_a_vote_that_cannot_be_read_stops_the_node():
    """A file of a newer version or no JSON is never taken for "no vote"; the text names file, value and way out."""
    fs = disk()
    open_directory(fs).close()
    newer = b'{"leaderId":-1,"leaderEpoch":5,"votedId":2,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":2}'
    for content in (newer, b"", b"\xff", b"{}"):
        write(fs, QUORUM_STATE, content)
        with pytest.raises(StorageError, match=rf"{QUORUM_STATE} cannot be used.*Run the version that wrote it"):
            open_directory(fs)
    write(fs, QUORUM_STATE, newer)
    with pytest.raises(StorageError, match="data_version is 2"):
        read_quorum_state(fs, QUORUM_STATE)


def test_a_kill_at_every_step_of_opening():
    """Opening a directory that needs every repair may be killed anywhere and is finished by the next open."""
    base = disk()
    filled(base, 60).close()
    directory = open_directory(base)
    snapshot(directory, 20, 1)
    snapshot(directory, 100, 2)
    directory.snapshots.create(OffsetAndEpoch(epoch=3, offset=7)).append(b"half")
    base.kill()
    step = 0
    while True:
        fs = base.copy()
        fs.kill_at(step)
        try:
            open_directory(fs)
            break
        except Killed:
            pass
        fs.crash(random.Random(step))
        again = open_directory(fs)
        assert (again.log.start_offset, again.log.end_offset, again.log.last_epoch) == (100, 100, 2)
        step += 1
    assert step > 20


def test_inspection_reports_and_touches_nothing():
    """Every kind of corruption is reported with its place; nothing on the disk changes, not even left-overs."""
    fs = disk()
    filled(fs, 60).close()
    directory = open_directory(fs)
    directory.log.note_durable(50)
    good = snapshot(directory, 20, 1)
    bad = snapshot(directory, 40, 1)
    directory.quorum_state.write(ElectionState(epoch=4, leader_id=3), version=0, current_voters=(3,))
    directory.snapshots.create(OffsetAndEpoch(epoch=1, offset=41)).append(b"half")
    sound = inspect_directory(fs, DIRECTORY)
    assert [problem for problem in sound.problems if ".part" not in problem] == []
    assert (sound.election, sound.recovery_point, sound.epochs) == (ElectionState(4, 3), 50, ((1, 0),))
    assert sum(segment.batches for segment in sound.segments) == 60
    assert [report.snapshot_id for report in sound.snapshots] == [good, bad]

    fs.flip_bit(directory.snapshots.path(bad), 90)
    fs.flip_bit(sound.segments[0].path, 100)
    write(fs, QUORUM_STATE, b"?")
    before = {name: read_file(fs, f"{DIRECTORY}/{name}") for name in fs.list_directory(DIRECTORY)}
    report = inspect_directory(fs, DIRECTORY)
    assert report.election is None
    assert report.snapshots[0].corruption is None
    assert "is corrupt at byte 83" in report.snapshots[1].corruption
    assert "at byte 0 (offset 0)" in report.segments[0].corruption
    assert not report.segments[0].is_torn_tail
    assert len(report.problems) == 4
    assert {name: read_file(fs, f"{DIRECTORY}/{name}") for name in fs.list_directory(DIRECTORY)} == before
    with pytest.raises(StorageError, match="listing /data/nothing"):
        inspect_directory(fs, "/data/nothing")
