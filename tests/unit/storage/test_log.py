"""The metadata log: appending, rolling, reading, cutting."""

from __future__ import annotations

import random

import pytest

from kraftpy.model.errors import DiskFullError, LocalError, StorageError, SyncFailedError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.storage.config import LogConfig
from kraftpy.storage.filesystem import RealFileSystem, read_file
from kraftpy.storage.log_open import open_metadata_log
from kraftpy.storage.recovery import segment_bases
from tests.unit.storage.logs import DIRECTORY, ROOT, T0, TINY, batch, batches, content, disk, filled, open_log


def segment_names(fs, suffix=".log"):
    return [name for name in fs.list_directory(DIRECTORY) if name.endswith(suffix)]


def test_an_empty_directory_gives_an_empty_log():
    """A new log starts and ends at 0, epoch 0, in one segment of no bytes."""
    fs = disk()
    log = open_log(fs)
    assert (log.start_offset, log.end_offset, log.last_epoch, log.epoch_entries) == (0, 0, 0, ())
    assert fs.size(f"{DIRECTORY}/00000000000000000000.log") == 0


def test_appended_batches_are_read_back_from_memory_and_from_disk():
    """Every batch comes back byte for byte, whether the tail cache holds it or not."""
    fs = disk()
    log = filled(fs, 50)
    expected = [(i, 1, b) for i, b in enumerate(batches(0, 50))]
    assert content(log) == expected
    log.close()
    assert content(open_log(fs)) == expected


def test_the_real_disk_holds_kafkas_bytes(tmp_path):
    """After a clean close the files hold the batches and nothing else."""
    fs = RealFileSystem()
    directory = str(tmp_path / "__cluster_metadata-0")
    log = open_metadata_log(fs, directory, LogConfig())
    log.append(batches(0, 3), T0)
    log.append(batches(3, 2), T0)
    log.sync()
    assert fs.size(f"{directory}/00000000000000000000.log") == LogConfig().preallocate_bytes
    log.note_durable(4)
    log.close()
    assert read_file(fs, f"{directory}/00000000000000000000.log") == b"".join(batches(0, 5))
    assert read_file(fs, f"{directory}/leader-epoch-checkpoint") == b"0\n1\n1 0\n"
    assert read_file(fs, str(tmp_path / "recovery-point-offset-checkpoint")).startswith(
        b"0\n3\n__cluster_metadata 0 4\n"
    )
    reopened = open_metadata_log(fs, directory, LogConfig())
    assert (reopened.end_offset, reopened.recovery_point, reopened.recovery.warnings) == (5, 4, ())
    reopened.close()
    reopened.close()


def test_segments_roll_by_size_and_have_indexes():
    """A segment never grows past its limit; a closed one has trimmed index files and no zeros."""
    fs = disk()
    log = filled(fs, 100)
    names = segment_names(fs)
    assert len(names) > 3
    assert all(fs.size(f"{DIRECTORY}/{name}") <= TINY.segment_bytes for name in names[:-1])
    assert segment_names(fs, ".index") == [name.replace(".log", ".index") for name in names[:-1]]
    first = read_file(fs, f"{DIRECTORY}/{names[0].replace('.log', '.index')}")
    size = len(batches(0, 1)[0])
    # More than 256 bytes since the last entry: every second or third batch; last offset with start position.
    assert first[:8] == (2).to_bytes(4, "big") + (2 * size).to_bytes(4, "big")
    assert b"".join(read_file(fs, f"{DIRECTORY}/{n}") for n in names[:-1]) == b"".join(batches(0, int(names[-1][:20])))
    assert log.size_bytes == 100 * size


def test_segments_roll_by_age():
    """A segment whose first batch is older than segment_ms is closed by the next append."""
    fs = disk()
    log = filled(fs, 1)
    log.append(batches(1, 1), T0 + TINY.segment_ms)
    assert len(segment_names(fs)) == 1
    log.append(batches(2, 1), T0 + TINY.segment_ms + 1)
    assert segment_names(fs) == ["00000000000000000000.log", "00000000000000000002.log"]


@pytest.mark.parametrize("stages", [False, True])
@pytest.mark.parametrize("leaders_ms", [0, T0 * 2])
def test_a_leader_whose_clock_is_wrong_does_not_make_each_append_roll(leaders_ms, stages):
    """The age of a segment is what this node's clock says passed, whatever time the batches have from their leader."""
    fs = disk()
    log = open_log(fs)

    def append(offset, now_ms):
        stamped = [batch(offset, timestamp_ms=leaders_ms)]
        if stages:
            log.stage(stamped, now_ms)
        else:
            log.append(stamped, now_ms)
        while log.flushed_offset < log.end_offset:
            flush = log.begin_flush()
            flush.on_disk()
            flush.done()

    for offset in range(5):
        append(offset, T0 + offset)
    assert len(segment_names(fs)) == 1
    append(5, T0 + TINY.segment_ms + 1)
    assert segment_names(fs) == ["00000000000000000000.log", "00000000000000000005.log"]


def test_a_segment_from_the_disk_whose_time_lies_ahead_counts_as_new():
    """Otherwise a leader that was ahead would keep every segment that a restart finds from rolling by age."""
    fs = disk()
    log = open_log(fs)
    log.append([batch(0, timestamp_ms=T0 * 2)], T0)
    log.close()
    log = open_log(fs)
    for offset, now_ms in ((1, T0), (2, T0 + TINY.segment_ms), (3, T0 + TINY.segment_ms + 1)):
        log.append([batch(offset, timestamp_ms=T0 * 2)], now_ms)
    assert segment_names(fs) == ["00000000000000000000.log", "00000000000000000003.log"]


def test_a_segment_from_the_disk_has_its_leaders_time_and_rolls_once_for_that():
    """After a restart it is unknown when a segment was begun; the one that follows it has this node's time."""
    fs = disk()
    log = open_log(fs)
    log.append([batch(0, timestamp_ms=0)], T0)
    log.close()
    log = open_log(fs)
    for offset in range(1, 5):
        log.append([batch(offset, timestamp_ms=0)], T0 + offset)
    assert segment_names(fs) == ["00000000000000000000.log", "00000000000000000001.log"]


@pytest.mark.parametrize("cache_bytes", [0, 1 << 20])
def test_read_returns_whole_batches_within_bounds(cache_bytes):
    """A read starts at the batch that holds the offset, is about max_bytes long and never empty before the end."""
    config = LogConfig(segment_bytes=1 << 20, tail_cache_bytes=cache_bytes, index_interval_bytes=300)
    log = open_log(disk(), config)
    framed = [
        batch(3 * i, 1, (b"abc", b"defg" * i, b"hi")) if i else batch(0, 1, (b"a", b"b", b"c")) for i in range(20)
    ]
    for one in framed:
        log.append([one], T0)
    assert log.read(7, 1) == framed[2]
    assert log.read(6, len(framed[2]) + len(framed[3])) == framed[2] + framed[3]
    assert log.read(6, len(framed[2]) + len(framed[3]) - 1) == framed[2]
    assert log.read(8, 1 << 20, upto_offset=12) == framed[2] + framed[3]
    assert log.read(8, 1 << 20, upto_offset=11) == framed[2]
    assert log.read(9, 1 << 20, upto_offset=9) == b""
    assert log.read(60, 100) == b""
    assert log.read(0, 1 << 20) == b"".join(framed)
    for outside in (-1, 61):
        with pytest.raises(LocalError, match=rf"offset {outside} is outside the log, \[0, 60\)"):
            log.read(outside, 1)


@pytest.mark.parametrize(
    "bad",
    [batches(4, 1), batches(6, 1), [batch(5, 0)], [batches(5, 1)[0] + b"\0"], [batches(5, 2)[0][:-1]]],
    ids=["behind", "hole", "epoch falls", "long", "short"],
)
def test_only_batches_that_follow_on_are_appended(bad):
    """A batch at another offset, of an older epoch, or not one whole batch, stops the node."""
    log = filled(disk(), 5)
    with pytest.raises(InvariantViolation):
        log.append(bad, T0)
    assert log.end_offset == 5


def test_epochs_are_entered_and_survive():
    """An epoch's entry is its first offset; an epoch without records is replaced, and recovery rebuilds the entries."""
    fs = disk()
    log = filled(fs, 2)
    log.assign_epoch(3, 2)
    assert log.epoch_entries == ((1, 0), (3, 2))
    assert read_file(fs, f"{DIRECTORY}/leader-epoch-checkpoint") == b"0\n2\n1 0\n3 2\n"
    log.assign_epoch(4, 2)
    assert (log.epoch_entries, log.last_epoch) == (((1, 0), (4, 2)), 4)
    log.append(batches(2, 2, epoch=4), T0)
    log.append(batches(4, 1, epoch=6), T0)
    assert log.epoch_entries == ((1, 0), (4, 2), (6, 4))
    log.close()
    assert open_log(fs).epoch_entries == ((1, 0), (4, 2), (6, 4))


def test_truncation_cuts_the_batch_and_its_epochs():
    """Truncating removes the batch that holds the offset, all after it, and the epochs that began there."""
    fs = disk()
    log = filled(fs, 70)
    log.append(batches(70, 30, epoch=2), T0)
    log.truncate_to(80)
    assert (log.end_offset, log.flushed_offset, log.epoch_entries) == (80, 80, ((1, 0), (2, 70)))
    log.truncate_to(70)
    assert (log.end_offset, log.last_epoch) == (70, 1)
    log.append([batch(70, 3, (b"x", b"y", b"z"))], T0)
    log.truncate_to(72)
    assert (log.end_offset, log.last_epoch) == (70, 1)
    log.append(batches(70, 5, epoch=4), T0)
    log.sync()
    fs.kill()
    reopened = open_log(fs)
    assert content(reopened) == [(i, 1, b) for i, b in enumerate(batches(0, 70))] + [
        (70 + i, 4, b) for i, b in enumerate(batches(70, 5, epoch=4))
    ]


def test_truncation_at_the_end_drops_an_epoch_without_records():
    """An epoch entry at the log's end goes when the log is truncated to that very offset."""
    log = filled(disk(), 3)
    log.assign_epoch(2, 3)
    log.truncate_to(4)
    assert log.epoch_entries == ((1, 0), (2, 3))
    log.truncate_to(3)
    assert (log.epoch_entries, log.end_offset) == (((1, 0),), 3)


def test_committed_records_are_never_truncated():
    """A truncation below the recovery point stops the node."""
    log = filled(disk(), 10)
    log.note_durable(6)
    with pytest.raises(InvariantViolation, match="never truncated"):
        log.truncate_to(5)
    assert log.end_offset == 10
    log.truncate_to(6)
    assert log.end_offset == 6


def test_only_durable_offsets_are_noted():
    """The recovery point cannot pass what was flushed, and never falls."""
    log = filled(disk(), 3)
    log.append(batches(3, 1), T0)
    with pytest.raises(InvariantViolation):
        log.note_durable(4)
    log.note_durable(3)
    log.note_durable(1)
    assert log.recovery_point == 3


def test_reset_replaces_the_whole_log():
    """After a reset the log is empty at the snapshot's end, in the snapshot's epoch."""
    fs = disk()
    log = filled(fs, 100)
    log.reset_to(OffsetAndEpoch(epoch=5, offset=1000))
    assert (log.start_offset, log.end_offset, log.last_epoch, log.epoch_entries) == (1000, 1000, 5, ())
    assert segment_names(fs) == ["00000000000000001000.log"]
    assert log.read(1000, 10) == b""
    log.append(batches(1000, 2, epoch=5), T0)
    assert log.epoch_entries == ((5, 1000),)
    log.close()
    reopened = open_log(fs, snapshot=OffsetAndEpoch(epoch=5, offset=1000))
    assert (reopened.start_offset, reopened.end_offset) == (1000, 1002)


def test_start_advances_in_whole_segments():
    """Segments wholly below the new start go; the active one never does; the epoch in force moves up."""
    fs = disk()
    log = filled(fs, 100)
    bases = [int(name[:20]) for name in segment_names(fs)]
    log.advance_start(bases[2] + 1)
    assert [int(name[:20]) for name in segment_names(fs)] == bases[2:]
    assert (log.start_offset, log.epoch_entries) == (bases[2] + 1, ((1, bases[2] + 1),))
    log.advance_start(3)
    assert log.start_offset == bases[2] + 1
    log.advance_start(100)
    assert [int(name[:20]) for name in segment_names(fs)] == bases[-1:]
    with pytest.raises(LocalError):
        log.read(99, 1)
    with pytest.raises(InvariantViolation):
        log.advance_start(101)
    assert segment_names(fs, ".index") == []


def test_a_full_disk_leaves_the_log_as_it_was():
    """ENOSPC undoes the append whole; with room again, the same append works."""
    fs = disk()
    config = LogConfig(preallocate_bytes=0, segment_bytes=4096)
    log = filled(fs, 10, config)
    before = content(log)
    used = fs.capacity - fs.free_bytes(ROOT)
    capacity, fs.capacity = fs.capacity, used + 100
    with pytest.raises(DiskFullError, match=r"No space left while appending to .*00000000000000000000\.log"):
        log.append(batches(10, 3), T0)
    assert (log.end_offset, content(log)) == (10, before)
    assert fs.size(f"{DIRECTORY}/00000000000000000000.log") == log.size_bytes
    log.sync()
    fs.capacity = capacity
    log.append(batches(10, 3), T0)
    log.sync()
    fs.crash(random.Random(1))
    assert open_log(fs, config).end_offset == 13


def test_a_full_disk_does_not_stop_a_truncation():
    """The epoch file is a cache: without room for it the truncation still holds."""
    fs = disk()
    log = filled(fs, 5)
    fs.capacity = 0
    log.truncate_to(3)
    assert (log.end_offset, content(log)) == (3, [(i, 1, b) for i, b in enumerate(batches(0, 3))])


def test_zeros_are_no_reason_to_fail():
    """When there is room for the data but not for zeros ahead, the append works."""
    fs = disk()
    log = open_log(fs)
    fs.capacity = fs.capacity - fs.free_bytes(ROOT) + 1000
    for one in batches(0, 5):
        log.append([one], T0)
    log.sync()
    assert content(log) == [(i, 1, b) for i, b in enumerate(batches(0, 5))]
    assert fs.size(log.active_path) == log.size_bytes, "what came of the zeros takes no room"
    assert not log.maybe_preallocate()
    assert fs.size(log.active_path) == log.size_bytes, "nor does what came of those that nobody waits for"


@pytest.mark.parametrize("step", ["sync", "roll", "truncate", "close"])
def test_a_failed_sync_is_final(step):
    """After an fsync error the log refuses everything, and no second fsync is tried."""
    fs = disk()
    log = filled(fs, 5)
    log.append(batches(5, 2), T0)
    fs.failing_syncs.add("*")
    with pytest.raises(SyncFailedError, match="must stop"):
        {
            "sync": log.sync,
            "roll": lambda: log.append(batches(7, 1, size=4000), T0),
            "truncate": lambda: log.truncate_to(6),
            "close": log.close,
        }[step]()
    fs.failing_syncs.clear()
    syncs = fs.syncs
    for refused in (
        log.sync,
        lambda: log.append(batches(7, 1), T0),
        lambda: log.read(0, 1),
        lambda: log.truncate_to(1),
    ):
        with pytest.raises(StorageError, match=r"refuses to go on|was closed"):
            refused()
    log.close()
    assert fs.syncs == syncs


def test_one_sync_makes_one_system_call():
    """Appends cost one sync for all of them, and a sync with nothing new costs none."""
    fs = disk()
    log = filled(fs, 1)
    log.maybe_preallocate()
    syncs = fs.syncs
    log.append(batches(1, 3), T0)
    log.append(batches(4, 3), T0)
    log.sync()
    log.sync()
    assert (fs.syncs - syncs, log.flushed_offset) == (1, 7)


def test_zeros_are_written_ahead_while_idle():
    """Idle time restores the zeros ahead; an empty log takes no room."""
    fs = disk()
    log = open_log(fs)
    assert not log.maybe_preallocate()
    for one in batches(0, 10):
        log.append([one], T0)
    assert log.maybe_preallocate()
    assert not log.maybe_preallocate()
    assert fs.size(log.active_path) - log.size_bytes >= TINY.preallocate_bytes // 2


def test_few_large_appends_get_no_zeros():
    """What overwrites zeros is written twice: where the next append would need them all, there are none."""
    fs = disk()
    config = LogConfig(segment_bytes=1 << 20, preallocate_bytes=2048)
    log = open_log(fs, config)
    log.append(batches(0, 1), T0)
    assert fs.size(log.active_path) == config.preallocate_bytes
    large = batches(1, 2, size=config.preallocate_bytes)
    log.append(large[:1], T0)
    assert not log.maybe_preallocate()
    assert fs.size(log.active_path) == log.size_bytes
    log.append(large[1:], T0)
    log.append(batches(3, 1), T0)
    assert fs.size(log.active_path) > log.size_bytes, "small ones have them again"
    log.sync()
    fs.crash(random.Random(1))
    assert open_log(fs, config).end_offset == 4


# Without waiting.


def flushed(log):
    """Take everything to the disk."""
    count = 0
    while log.flushed_offset < log.end_offset:
        flush = log.begin_flush()
        flush.on_disk()
        flush.done()
        count += 1
    return count


def test_what_is_staged_can_be_read_and_is_not_on_the_disk():
    """A follower gets what no file holds yet, more of it than the cache's limit; the log calls none of it flushed."""
    fs = disk()
    log = filled(fs, 3)
    size = fs.size(log.active_path)
    log.stage(batches(3, 20), T0)
    assert (log.end_offset, log.flushed_offset) == (23, 3)
    assert [base for base, _, _ in content(log)] == list(range(23))
    assert fs.size(log.active_path) == size
    fs.crash(random.Random(1))
    assert open_log(fs).end_offset == 3


def test_a_flush_covers_what_was_staged_before_it_began():
    """What is staged while a flush is on the disk waits for the next one, and can be read all the while."""
    fs = disk()
    log = filled(fs, 3)
    log.stage(batches(3, 2), T0)
    flush = log.begin_flush()
    log.stage(batches(5, 2), T0)
    flush.on_disk()
    flush.done()
    assert (log.end_offset, log.flushed_offset) == (7, 5)
    assert len(content(log)) == 7
    assert flushed(log) == 1
    fs.crash(random.Random(1))
    assert [one for _, _, one in content(open_log(fs))] == batches(0, 7)


def test_staged_batches_roll_segments():
    """Staged appends open new segments where appends would, each in a flush of its own."""
    staged, appended = disk(), disk()
    one, other = open_log(staged), open_log(appended)
    for number in range(12):
        one.stage(batches(number * 10, 10), T0)
        other.append(batches(number * 10, 10), T0)
    assert flushed(one) > len(segment_names(appended)) > 2
    assert segment_names(staged) == segment_names(appended)
    assert content(one) == content(other)


@pytest.mark.parametrize("operation", ["append", "sync", "truncate_to", "reset_to"])
def test_what_was_staged_comes_first(operation):
    """Nothing that would overtake staged batches on the disk is done before their flush."""
    log = filled(disk(), 3)
    log.stage(batches(3, 1), T0)
    arguments = {
        "append": (batches(4, 1), T0), "sync": (), "truncate_to": (2,), "reset_to": (OffsetAndEpoch(epoch=2, offset=9),)
    }[operation]  # fmt: skip
    with pytest.raises(InvariantViolation):
        getattr(log, operation)(*arguments)


def test_a_flush_that_fails_is_the_last_one():
    """After a failed sync of staged batches the log refuses everything, a second flush included."""
    fs = disk()
    log = filled(fs, 3)
    log.stage(batches(3, 1), T0)
    flush = log.begin_flush()
    fs.failing_syncs = {"*"}
    with pytest.raises(SyncFailedError):
        flush.on_disk()
    fs.failing_syncs = set()
    assert log.flushed_offset == 3
    with pytest.raises(StorageError, match="refuses to go on"):
        log.begin_flush()


def test_a_clean_close_writes_what_was_staged():
    """A clean stop loses nothing."""
    fs = disk()
    log = filled(fs, 3)
    log.stage(batches(3, 50), T0)
    log.close()
    assert open_log(fs).end_offset == 53


def test_the_owner_reads_while_a_cut_is_on_the_disk():
    """The memory's half of a cut, a reset or a new start comes first: what is left can be read meanwhile."""
    log = filled(disk(), 60)
    cut = log.begin_truncate_to(50)
    assert (log.end_offset, len(content(log))) == (50, 50)
    cut()
    log.note_durable(40)
    advance = log.begin_advance_start(30)
    assert content(log)[0][0] == 30
    advance()
    reset = log.begin_reset_to(OffsetAndEpoch(epoch=3, offset=90))
    assert (log.start_offset, log.read(90, 100), log.size_bytes) == (90, b"", 0)
    reset()
    log.append([batch(90, epoch=3)], T0)
    assert log.end_offset == 91


@pytest.mark.parametrize("name", ["cut", "reset"])
def test_a_close_leaves_alone_what_the_disk_has_half_of(name):
    """A cut or reset that the disk never heard of (the node failed before) leaves a log as a crash would: whole."""
    fs = disk()
    log = filled(fs, 100)
    log.note_durable(20)
    assert len(segment_bases(fs, DIRECTORY)) > 2
    if name == "cut":
        log.begin_truncate_to(25)
    else:
        log.begin_reset_to(OffsetAndEpoch(epoch=2, offset=500))
    log.close()
    again = open_log(fs)
    assert (again.end_offset, len(content(again))) == (100, 100)


def test_a_close_behind_a_finished_cut_is_a_clean_one():
    """What the disk has done of a cut is closed as ever."""
    fs = disk()
    log = filled(fs, 100)
    log.begin_truncate_to(25)()
    log.stage(batches(25, 5, epoch=2), T0)
    log.close()
    assert open_log(fs).end_offset == 30
