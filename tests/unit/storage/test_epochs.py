"""The second evidence for the epochs of a log, which no checksum covers."""

from __future__ import annotations

import pytest

from kraftpy.model.errors import CorruptLogError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.storage.epochs import EpochEntries, contradiction
from kraftpy.storage.filesystem import read_file
from tests.fakes.filesystem import Killed
from tests.unit.storage.logs import DIRECTORY, T0, batches, disk, filled, open_log
from tests.unit.storage.test_directory import write

FILE = f"{DIRECTORY}/leader-epoch-checkpoint"
POINT = "/data/recovery-point-offset-checkpoint"
FOUND = [(1, 0), (3, 10), (4, 20)]


@pytest.mark.parametrize(
    ("noted", "below", "wrong"),
    [
        (FOUND, 30, None),
        ([], 30, None),
        ([(1, 0), (3, 10)], 20, None),  # the file lags, above the recovery point
        ([(1, 0), (3, 10)], 21, 20),
        ([*FOUND, (7, 25)], 25, None),  # an epoch in which nothing was written
        ([*FOUND, (7, 25)], 26, 25),
        ([(1, 0), (2, 10), (4, 20)], 30, 10),
        ([(1, 0), (3, 11), (4, 20)], 30, 10),
        ([(1, 0), (3, 9), (4, 20)], 30, 9),
        ([(2, 0), (3, 10), (4, 20)], 30, 0),
        ([(2, 0), (3, 10), (4, 20)], 0, None),
        ([(3, 15), (4, 20)], 30, None),  # the log's start was moved up
        ([(1, 15), (4, 20)], 30, 15),
        ([(4, 25)], 30, None),
    ],
)
def test_where_two_histories_disagree(noted, below, wrong):
    assert contradiction(noted, FOUND, below) == wrong


def test_the_epoch_at_an_offset():
    """Each epoch is in force from its first offset to the next one's; below the first entry none is known."""
    entries = EpochEntries([(1, 5), (3, 10), (4, 20)])
    assert [entries.at(offset) for offset in (0, 4, 5, 9, 10, 19, 20, 99)] == [None, None, 1, 1, 3, 3, 4, 4]
    assert EpochEntries().at(0) is None


def test_a_log_without_a_batch_contradicts_nothing():
    assert contradiction(FOUND, [], 30) is None


def test_the_epochs_are_written_before_the_recovery_point():
    """So below it the file has all of them, whenever the process dies."""
    fs = disk()
    log = filled(fs, 10)
    log.append(batches(10, 5, epoch=2), T0)
    log.sync()
    order = []
    fs.before = lambda operation, path: order.append((operation, path.rpartition("/")[2]))
    log.note_durable(15)
    renames = [name for operation, name in order if operation == "rename"]
    assert renames == ["leader-epoch-checkpoint.tmp", "recovery-point-offset-checkpoint.tmp"]
    assert read_file(fs, FILE) == b"0\n2\n1 0\n2 10\n"
    fs.kill()
    assert open_log(fs).epoch_entries == ((1, 0), (2, 10))


def test_without_room_for_the_epochs_the_recovery_point_stays():
    fs = disk()
    log = filled(fs, 10)
    fs.capacity = 0
    log.note_durable(10)
    assert not fs.exists("/data/recovery-point-offset-checkpoint")


def test_a_file_that_contradicts_the_log_stops_the_start_and_one_that_is_none_does_not():
    fs = disk()
    log = filled(fs, 10)
    log.note_durable(10)
    log.close()
    write(fs, POINT, b"0\n1\n__cluster_metadata 0 10\n")
    write(fs, FILE, b"0\n1\n5 0\n")
    with pytest.raises(CorruptLogError, match=rf"other epochs at offset 0 than {FILE}.*delete {FILE}"):
        open_log(fs)
    write(fs, FILE, b"rubbish")
    assert open_log(fs).end_offset == 10


def test_a_log_that_a_snapshot_was_about_to_replace_is_no_corruption():
    """The last segments go first: at whatever step the process dies, the file may know epochs that the log has not."""
    snapshot = OffsetAndEpoch(epoch=2, offset=200)

    def begun():
        fs = disk()
        log = filled(fs, 60)
        for one in batches(60, 60, epoch=2):
            log.append([one], T0)
        log.sync()
        log.note_durable(120)
        return fs, log

    fs, log = begun()
    operations = []
    fs.before = lambda operation, path: operations.append(operation)
    log.reset_to(snapshot)
    assert operations.count("unlink") >= 6
    for step in range(len(operations)):
        fs, log = begun()
        fs.kill_at(step)
        with pytest.raises(Killed):
            log.reset_to(snapshot)
        fs.kill()
        again = open_log(fs, snapshot=snapshot)
        assert (again.start_offset, again.end_offset, again.last_epoch) == (200, 200, 2)


def test_a_file_that_contradicts_the_log_is_made_again_where_the_log_is_known_to_be_right():
    """What was noted with the recovery point is the third evidence, and is reported."""
    fs = disk()
    log = filled(fs, 10)
    log.append(batches(10, 5, epoch=2), T0)
    log.sync()
    log.note_durable(13)
    log.close()
    right = read_file(fs, FILE)
    for wrong in (b"0\n2\n1 0\n3 10\n", b"0\n2\n1 0\n2 11\n", b"0\n1\n2 0\n"):
        write(fs, FILE, wrong)
        log = open_log(fs)
        assert f"CORRUPTION: {FILE} had other epochs than the log" in log.recovery.warnings[0]
        log.close()
        assert read_file(fs, FILE) == right
        assert open_log(fs).recovery.warnings == ()


def test_a_batch_whose_epoch_is_wrong_is_still_corruption():
    """The file, and what was noted with the recovery point, are two against one."""
    fs = disk()
    log = filled(fs, 10)
    log.append(batches(10, 5, epoch=4), T0)
    log.sync()
    log.note_durable(15)
    log.close()
    name = next(name for name in reversed(fs.list_directory(DIRECTORY)) if name.endswith(".log"))
    file = fs.open(f"{DIRECTORY}/{name}", write=True)
    data = file.pread(file.size(), 0)
    at = next(at for at in range(len(data)) if data[at : at + 8] == (10).to_bytes(8, "big"))
    file.pwrite((3).to_bytes(4, "big"), at + 12)
    file.close()
    with pytest.raises(CorruptLogError, match="has other epochs at offset 10"):
        open_log(fs)
