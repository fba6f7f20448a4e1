"""A corrupt log is moved out of the way, whole, and whatever is killed meanwhile is finished by the next start."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import CorruptLogError, StorageError
from kraftpy.model.replica_status import LogQuarantine, VoterStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.records.control import VotersRecord
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import join, read_file
from kraftpy.storage.names import QUARANTINE, REPLICA_STATUS
from kraftpy.storage.quarantine import (
    QUARANTINED_LOGS_MAX,
    committed_end,
    list_quarantined,
    quarantine,
    quarantined_logs,
    readable_control_records,
)
from kraftpy.storage.recovery_point import read_recovery_point
from kraftpy.storage.replica_status import ReplicaStatusFile
from tests.fakes.filesystem import Killed
from tests.unit.storage.logs import DIRECTORY, ROOT, T0, TINY, batch, batches, content, disk, filled, open_log
from tests.unit.storage.test_directory import VOTERS, open_directory, snapshot, write

SEGMENT = f"{DIRECTORY}/00000000000000000000.log"
RECOVERY_POINT = f"{ROOT}/recovery-point-offset-checkpoint"
WHEN = "2023-11-14T22-13-20Z"
PLACE = f"{DIRECTORY}/{QUARANTINE}/{WHEN}"
VOTE = ElectionState(epoch=3, voted_key=ReplicaKey(2))
SIZE = len(batch(0, values=(bytes(100),)))


def lived_in(count=60):
    """A closed directory with segments, indexes, a snapshot, a vote and a recovery point."""
    fs = disk()
    log = filled(fs, count)
    log.note_durable(count - 5)
    log.close()
    directory = open_directory(fs)
    snapshot(directory, 20, 1)
    directory.quorum_state.write(VOTE, version=0)
    directory.status.write(directory.status.value.as_eligible())
    directory.close()
    return fs


def files(fs, directory):
    names = [name for name in fs.list_directory(directory) if not fs.is_directory(join(directory, name))]
    return {name: read_file(fs, join(directory, name)) for name in names}


def test_everything_but_promises_is_moved_and_nothing_is_changed():
    """Segments, indexes, snapshots and epochs, byte for byte; vote and identity stay, and the mark says what was."""
    fs = lived_in()
    fs.flip_bit(SEGMENT, 1_000)
    before = files(fs, DIRECTORY)
    quarantined_log = quarantine(fs, ROOT, "a reason.", T0)
    moved = files(fs, PLACE)
    assert moved.pop("reason.txt") == b"a reason.\n"
    left = files(fs, DIRECTORY)
    assert {**moved, **left} == {**before, REPLICA_STATUS: left[REPLICA_STATUS]}
    assert set(left) == {"quorum-state", "partition.metadata", REPLICA_STATUS}
    assert (quarantined_log.path, quarantined_log.files, quarantined_log.committed) == (PLACE, len(moved), 55)
    assert read_recovery_point(fs, RECOVERY_POINT) == 0

    directory = open_directory(fs)
    assert (directory.log.end_offset, directory.snapshots.ids, directory.election) == (0, (), VOTE)
    assert directory.status.value.status is VoterStatus.RECOVERING
    assert directory.status.value.quarantine == LogQuarantine(WHEN, 55, is_finished=True)
    assert quarantined_logs(fs, DIRECTORY) == (PLACE,)


def test_moved_back_it_is_the_log_that_it_was():
    fs = lived_in()
    whole = content(open_log(fs))
    quarantine(fs, ROOT, "a mistake.", T0)
    for name in files(fs, PLACE):
        if name != "reason.txt":
            fs.rename(f"{PLACE}/{name}", f"{DIRECTORY}/{name}")
    assert content(open_log(fs)) == whole


def test_a_quarantined_log_survives_a_loss_of_power():
    """The log is evidence, and a copy that may be needed: every file of it keeps a name. Indexes are caches."""
    fs = lived_in()
    quarantine(fs, ROOT, "a reason.", T0)
    moved = {name: data for name, data in files(fs, PLACE).items() if "index" not in name}
    assert len(moved) >= 5
    for seed in range(20):
        after = fs.copy()
        after.crash(random.Random(seed), in_order=seed % 2 == 0)
        assert moved.items() <= files(after, PLACE).items(), seed


def test_a_kill_at_every_step_leaves_it_marked_or_untouched():
    """The next start finds it again, or goes on to the end; never an eligible directory that lost something."""
    corrupt = lived_in()
    corrupt.flip_bit(SEGMENT, 1_000)
    for step in range(200):
        fs = corrupt.copy()
        fs.kill_at(step)
        try:
            quarantine(fs, ROOT, "corruption.", T0)
        except Killed:
            fs.crash(random.Random(step))
            if ReplicaStatusFile.read(fs, DIRECTORY).value.is_eligible:
                with pytest.raises(CorruptLogError, match="checksum"):
                    open_directory(fs)
                continue
            directory = open_directory(fs)
            assert (directory.log.end_offset, directory.election) == (0, VOTE), step
            assert directory.status.value.quarantine == LogQuarantine(WHEN, 55, is_finished=True), step
        else:
            assert step > 20, "the steps were counted"
            return
    pytest.fail("it never ends")


def test_the_number_is_limited_and_nothing_is_touched_beyond():
    fs = disk()
    for number in range(QUARANTINED_LOGS_MAX):
        filled(fs, 10).close()
        assert quarantine(fs, ROOT, "corruption.", T0).path.endswith(f"Z-{number + 1}" if number else "Z")
    filled(fs, 10).close()
    before = files(fs, DIRECTORY)
    with pytest.raises(
        StorageError, match=r"corruption\. It was not quarantined: 3 corrupt logs are in .*quarantine already"
    ):
        quarantine(fs, ROOT, "corruption.", T0)
    assert files(fs, DIRECTORY) == before


def test_what_cannot_be_quarantined_leaves_no_place_for_it():
    """Start after start fails for another file, and the places that are left count as corrupt logs."""
    fs = lived_in()
    write(fs, f"{DIRECTORY}/kraftpy.replica-status", b"rubbish")
    before = files(fs, DIRECTORY)
    with pytest.raises(StorageError, match=r"kraftpy\.replica-status"):
        quarantine(fs, ROOT, "corruption.", T0)
    assert quarantined_logs(fs, DIRECTORY) == ()
    assert files(fs, DIRECTORY) == before


def test_there_must_be_room_to_fetch_it_again():
    fs = lived_in()
    fs.capacity = sum(len(inode) for inode in files(fs, DIRECTORY).values()) + 5_000
    with pytest.raises(StorageError, match=r"fetching it again takes about \d+ bytes, and \d+ are free in .*Make room"):
        quarantine(fs, ROOT, "corruption.", T0)
    assert ReplicaStatusFile.read(fs, DIRECTORY).value.is_eligible


def test_what_was_committed_is_read_around_the_corruption():
    """Below the recovery point, and what is whole after it counts; a recovery point beyond the log does not."""
    fs = lived_in()
    fs.flip_bit(SEGMENT, 1_000)
    assert committed_end(fs, DIRECTORY) == 55
    write(fs, RECOVERY_POINT, b"0\n1\n__cluster_metadata 0 9999\n")
    assert committed_end(fs, DIRECTORY) == 60, "the last batch that can be read"
    for name in files(fs, DIRECTORY):
        if name.endswith(".log"):
            fs.flip_bit(f"{DIRECTORY}/{name}", fs.size(f"{DIRECTORY}/{name}") - 3)
    assert committed_end(fs, DIRECTORY) == 59, "its last batch was the last one"
    write(fs, RECOVERY_POINT, b"rubbish")
    assert committed_end(fs, DIRECTORY) == 59, "nobody knows that less was promised"
    write(fs, RECOVERY_POINT, b"0\n1\n__cluster_metadata 0 7\n")
    assert committed_end(fs, DIRECTORY) == 20, "the snapshot's end"


def test_a_log_without_its_first_segment_is_not_called_whole():
    """Nothing of that can be read, so the records after it have no valid start."""
    fs = disk()
    filled(fs, 60).close()
    quarantined_log = quarantine(fs, ROOT, "corruption.", T0)
    (whole,) = list_quarantined(fs, DIRECTORY)
    assert (whole.path, whole.reason, whole.end.offset, whole.readable) == (PLACE, "corruption.", 60, 60)
    first = f"{quarantined_log.path}/00000000000000000000.log"
    write(fs, first, bytes(fs.size(first)))
    (left,) = list_quarantined(fs, DIRECTORY)
    assert (left.end.offset, left.readable) == (0, 60)


def test_a_second_corruption_forgets_nothing_of_the_first():
    """A log that was fetched half when it was corrupt again still is to reach what the first one knew."""
    fs = lived_in()
    quarantine(fs, ROOT, "corruption.", T0)
    filled(fs, 10).close()
    quarantine(fs, ROOT, "more corruption.", T0 + 1_000)
    status = ReplicaStatusFile.read(fs, DIRECTORY).value
    assert status.quarantine == LogQuarantine("2023-11-14T22-13-21Z", 55, is_finished=True)


def test_voters_are_read_from_before_the_corruption():
    """Those of the newest whole snapshot, then those of the log up to its first bad batch."""
    fs = disk()
    log = filled(fs, 30)
    log.close()
    directory = open_directory(fs)
    older = snapshot(directory, 10, 1, kraft_version=1, voters=VOTERS)
    newest = snapshot(directory, 20, 1, kraft_version=1)
    directory.close()
    sets = [record for _, record in readable_control_records(fs, DIRECTORY) if isinstance(record, VotersRecord)]
    assert sets == [], "the newest snapshot has none"
    fs.flip_bit(directory.snapshots.path(newest), 90)
    found = readable_control_records(fs, DIRECTORY)
    assert [offset for offset, record in found if isinstance(record, VotersRecord)] == [older.offset - 1]


# An unknown epoch.


def test_an_epoch_above_the_stored_one_is_corruption():
    """A flipped bit of the last batch's epoch would make this log look newer than those that hold more."""
    fs = lived_in()
    log = open_log(fs)
    log.append(batches(60, 1, epoch=2), T0)
    log.close()
    (last,) = [name for name in fs.list_directory(DIRECTORY) if name.endswith(".log")][-1:]
    path = f"{DIRECTORY}/{last}"
    assert open_directory(fs).log.last_epoch == 2
    data = read_file(fs, path)
    at = data.rindex(batches(60, 1, epoch=2)[0])
    fs.flip_bit(path, at + 14, bit=4)
    with pytest.raises(CorruptLogError, match=r"ends with epoch 4098, but quorum-state there.*never seen one above 3"):
        open_directory(fs)
    fs.flip_bit(path, at + 14, bit=4)
    fs.flip_bit(path, at + 15, bit=0)
    assert open_directory(fs).log.last_epoch == 3, "nothing tells that from a log that goes on"
    fs.flip_bit(path, at + 15, bit=0)
    fs.flip_bit(path, at + 15, bit=1)
    fs.flip_bit(path, at + 15, bit=2)
    with pytest.raises(CorruptLogError, match=r"ends with epoch 4, but quorum-state there.*never seen one above 3"):
        open_directory(fs)


def test_without_a_stored_epoch_the_log_is_believed():
    """quorum-state was deleted on purpose."""
    fs = disk()
    filled(fs, 10, epoch=7).close()
    assert open_directory(fs).log.last_epoch == 7


# Corruption that is met while the log is in use.


@pytest.mark.parametrize(
    ("at", "states"), [(70, "checksum"), (3, "base offset"), (9, "impossible batch size|checksum")]
)
def test_a_batch_that_rotted_since_is_served_to_no_replica(at, states):
    """Neither a follower nor the loader gets bytes that are not what was written; the error has file and place."""
    fs = disk()
    log = filled(fs, 60)
    fs.flip_bit(SEGMENT, 5 * SIZE + at)
    with pytest.raises(CorruptLogError, match=rf"{SEGMENT} was whole when it was opened and is corrupt.*({states})"):
        log.read(5, 4_096)
    with pytest.raises(CorruptLogError, match=rf"{SEGMENT} was whole.*corrupt at byte {5 * SIZE}"):
        log.read(2, 4_096)
    assert log.read(2, 2 * SIZE, 4), "what stands before it is served"
    log.abandon()
    with pytest.raises(CorruptLogError):
        MetadataDirectory.open(fs, ROOT, TINY, random.Random(1).randbytes)


@pytest.mark.parametrize("offset", [0, 2])
def test_no_bit_of_a_batch_can_rot_unseen_while_the_log_is_in_use(offset):
    """No read gets other bytes, and none gets nothing: that would look like the end of the log.

    The epoch and the magic are covered by no checksum; a bit of the last offset moves the batch out of what was asked.
    """
    fs = disk()
    log = filled(fs, 3, replace(TINY, tail_cache_bytes=1))
    for position in range(SIZE):
        for bit in range(8):
            fs.flip_bit(SEGMENT, offset * SIZE + position, bit)
            with pytest.raises(CorruptLogError, match=SEGMENT):
                log.read(offset, 1, offset + 1)
            fs.flip_bit(SEGMENT, offset * SIZE + position, bit)
    assert log.read(offset, 1, offset + 1) == batches(offset, 1)[0]
