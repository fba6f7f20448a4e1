"""What recovery cuts, what it refuses, and that a kill at any step can be recovered from."""

from __future__ import annotations

import dataclasses
import itertools
import random

import pytest

from kraftpy.model.errors import CorruptLogError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.storage import corruption, scan
from kraftpy.storage.config import LogConfig
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.recovery import survey
from kraftpy.storage.scan import SCAN_WINDOW_BYTES
from tests.fakes.filesystem import SECTOR_BYTES, Killed, SimulatedFile, SimulatedFileSystem
from tests.unit.storage.logs import DIRECTORY, ROOT, T0, TINY, batch, batches, content, disk, filled, open_log

FIRST = f"{DIRECTORY}/00000000000000000000.log"
BIG = LogConfig(segment_bytes=1 << 20, preallocate_bytes=8192)
NO_ZEROS = LogConfig(segment_bytes=1 << 20, preallocate_bytes=0)
SIZE = len(batches(0, 1)[0])


def overwrite(fs, path, position, data):
    file = fs.open(path, write=True)
    file.pwrite(data, position)
    file.sync()
    file.close()


def cut(fs, path, size):
    file = fs.open(path, write=True)
    file.truncate(size)
    file.sync()
    file.close()


def expected(count):
    return [(i, 1, b) for i, b in enumerate(batches(0, count))]


def test_zeros_are_the_end():
    """A tail of zeros is where the log ends: nothing is reported, and the file is cut."""
    fs = disk()
    filled(fs, 3, BIG)
    fs.kill()
    log = open_log(fs, BIG)
    assert (log.end_offset, log.recovery.truncated_bytes, log.recovery.warnings) == (3, 0, ())
    assert fs.size(FIRST) == 3 * SIZE
    assert (log.recovery.batches, log.recovery.checked_bytes, log.recovery.segments) == (3, 3 * SIZE, 1)


@pytest.mark.parametrize("keep", [8, 16, 60, 61, SIZE - 1])
def test_a_batch_that_the_file_ends_in_is_torn(keep):
    """A last batch of which the file holds only a part is cut and reported."""
    fs = disk()
    filled(fs, 5, NO_ZEROS).close()
    cut(fs, FIRST, 4 * SIZE + keep)
    log = open_log(fs, NO_ZEROS)
    assert (log.end_offset, log.recovery.truncated_bytes) == (4, keep)
    assert f"cut {keep} bytes of a torn tail: {FIRST} at byte {4 * SIZE} (offset 4)" in log.recovery.warnings[0]
    assert fs.size(FIRST) == 4 * SIZE


def test_a_lost_sector_is_torn():
    """A batch with a whole sector of zeros in it was never fully written: cut."""
    fs = disk()
    log = filled(fs, 5, BIG)
    log.append([batch(5, 1, (b"v" * 3000,))], T0)
    fs.kill()
    overwrite(fs, FIRST, 1536, bytes(512))
    log = open_log(fs, BIG)
    assert log.end_offset == 5
    assert "a sector of it was never written" in log.recovery.warnings[0]
    assert content(log) == expected(5)


def test_lost_sectors_before_a_valid_batch_are_torn():
    """Unsynced batches may arrive out of order: a hole with a lost sector in it is cut with all that follows."""
    fs = disk()
    log = filled(fs, 5, BIG)
    log.append([batch(5, 1, (b"v" * 3000,))], T0)
    log.append(batches(6, 2), T0)
    fs.kill()
    overwrite(fs, FIRST, 5 * SIZE, bytes(1024 - (5 * SIZE) % 512))
    log = open_log(fs, BIG)
    assert log.end_offset == 5
    assert "a valid batch with offset 6 follows" in log.recovery.warnings[0]


def test_below_the_recovery_point_nothing_is_torn():
    """The same lost sector below the recovery point is corruption: it was synced and committed."""
    fs = disk()
    log = filled(fs, 5, BIG)
    log.append([batch(5, 1, (b"v" * 3000,))], T0)
    log.sync()
    log.note_durable(6)
    fs.kill()
    overwrite(fs, FIRST, 1536, bytes(512))
    before = read_file(fs, FIRST)
    with pytest.raises(CorruptLogError, match=rf"{FIRST} at byte {5 * SIZE} \(offset 5\).*below offset 6 was durable"):
        open_log(fs, BIG)
    with pytest.raises(CorruptLogError, match="Ways out: restore the file from a copy"):
        open_log(fs, dataclasses.replace(BIG, truncate_corrupt_tail=True))
    assert read_file(fs, FIRST) == before


def test_a_log_that_ends_below_the_recovery_point_lost_records():
    """Committed records that are missing without a trace are still missed."""
    fs = disk()
    log = filled(fs, 10, BIG)
    log.note_durable(8)
    log.close()
    cut(fs, FIRST, 7 * SIZE)
    with pytest.raises(CorruptLogError, match=r"ends at offset 7.*below offset 8.*1 records are missing"):
        open_log(fs, BIG)
    fs.unlink(FIRST)
    with pytest.raises(CorruptLogError, match=r"ends at offset 0.*8 records are missing"):
        open_log(fs, BIG)
    assert open_log(fs, BIG, OffsetAndEpoch(epoch=1, offset=8)).end_offset == 8


@pytest.mark.parametrize("config", [BIG, NO_ZEROS], ids=["zeros ahead", "no zeros"])
@pytest.mark.parametrize("record", [100, 700])
def test_a_flipped_bit_is_never_cut_silently(config, record):
    """Any bit of any byte flipped in what was synced: CorruptLogError, or the same content; never a shorter log.

    The epoch of the very last batch is the one field that no checksum and no neighbour can vouch for upwards.
    """
    fs = disk()
    log = filled(fs, 4, config, size=record)
    whole = content(log)
    log.close() if config is NO_ZEROS else fs.kill()
    size = len(batches(0, 1, size=record)[0])
    last_epoch = range(3 * size + 12, 3 * size + 16)
    rng = random.Random(5)
    reported = 0
    for position in range(4 * size):
        corrupt = fs.copy()
        corrupt.flip_bit(FIRST, position, rng.randrange(8))
        try:
            found = content(open_log(corrupt, config))
        except CorruptLogError:
            reported += 1
            continue
        if position in last_epoch:
            assert [b[0] for b in found] == [0, 1, 2, 3]
        else:
            assert found == whole, f"a flipped bit in byte {position} changed the log without a word"
    assert reported >= 4 * size - len(last_epoch)


def test_a_flipped_length_that_leaves_the_file_is_corruption():
    """A length bit flipped upwards, so that the batch seems to run on, is distinguished from a torn write."""
    for config in (BIG, NO_ZEROS):
        fs = disk()
        filled(fs, 3, config)
        fs.kill()
        for bit in range(4, 24):
            corrupt = fs.copy()
            corrupt.flip_bit(FIRST, 2 * SIZE + 11 - bit // 8, bit % 8)
            with pytest.raises(CorruptLogError, match=rf"byte {2 * SIZE} \(offset 2\)"):
                open_log(corrupt, config)


def test_a_bootstrap_checkpoint_in_the_place_of_the_log_is_no_log():
    """Its batches are whole and have epoch 0, which no log has; what was promised makes it corruption (KIP-595)."""
    fs = disk()
    log = filled(fs, 3, NO_ZEROS)
    log.note_durable(3)
    log.close()
    checkpoint = batches(0, 3, epoch=0)
    overwrite(fs, FIRST, 0, b"".join(checkpoint))
    with pytest.raises(CorruptLogError, match="epoch 0 where at least 1 is expected"):
        open_log(fs, NO_ZEROS)


def test_an_operator_may_give_up_a_corrupt_last_batch():
    """The error names the option; with it the batch is cut and the loss is reported."""
    fs = disk()
    filled(fs, 3, BIG).close()
    fs.flip_bit(FIRST, 2 * SIZE + 80)
    with pytest.raises(CorruptLogError, match="start once with truncate_corrupt_tail=True"):
        open_log(fs, BIG)
    log = open_log(fs, dataclasses.replace(BIG, truncate_corrupt_tail=True))
    assert (log.end_offset, content(log)) == (2, expected(2))
    assert "CORRUPT tail" in log.recovery.warnings[0]


def test_corruption_before_the_last_segment_is_corruption():
    """A segment with a successor was synced before it: even a torn-looking end of it is refused."""
    fs = disk()
    filled(fs, 60).close()
    cut(fs, FIRST, fs.size(FIRST) - 30)
    with pytest.raises(CorruptLogError, match="a later segment exists"):
        open_log(fs)
    cut(fs, FIRST, fs.size(FIRST) // SIZE * SIZE)
    with pytest.raises(CorruptLogError, match=r"begins at offset .* but the one before it ends at"):
        open_log(fs)
    fs.unlink(FIRST)
    assert open_log(fs).start_offset > 0


def test_survey_changes_nothing_and_reports_all():
    """Looking at a corrupt log names the corruption, raises nothing and writes nothing."""
    fs = disk()
    filled(fs, 60).close()
    fs.flip_bit(FIRST, 50)
    before = {name: read_file(fs, f"{DIRECTORY}/{name}") for name in fs.list_directory(DIRECTORY)}
    found = survey(fs, DIRECTORY, TINY, 0)
    assert [verdict is not None for _, verdict in found] == [True] + [False] * (len(found) - 1)
    assert "checksum" in found[0][1].corruption.reason
    assert {name: read_file(fs, f"{DIRECTORY}/{name}") for name in fs.list_directory(DIRECTORY)} == before


@pytest.mark.parametrize("rest", ["\xa7", "\0"])
@pytest.mark.parametrize("where", ["first batch", "last batch"])
def test_a_corrupt_tail_is_read_in_pieces(monkeypatch, where, rest):
    """However many bytes follow the corruption, in a file of hundreds of megabytes: no piece is larger."""
    fs = disk()
    filled(fs, 20).close()
    last = segments(fs)[-1]
    fs.flip_bit(last, 100 if where == "first batch" else fs.size(last) - 5)
    file = fs.open(last, write=True)
    file.pwrite(rest.encode("latin-1") * (5 << 20), fs.size(last))
    whole, sizes = SimulatedFile.pread, []

    def pread(self, size, position):
        sizes.append(size)
        return whole(self, size, position)

    monkeypatch.setattr(SimulatedFile, "pread", pread)
    with pytest.raises(CorruptLogError, match="valid batch with offset" if where == "first batch" else "complete"):
        open_log(fs)
    assert max(sizes) <= SCAN_WINDOW_BYTES


def test_how_large_the_pieces_are_changes_no_verdict(monkeypatch):
    """A sector that was lost, and a batch behind it, on either side of where a piece ends."""
    fs = disk()
    filled(fs, 60, BIG).close()
    size, found = fs.size(FIRST), []
    for window in (SCAN_WINDOW_BYTES, 1_024):
        for module in (scan, corruption):
            monkeypatch.setattr(module, "SCAN_WINDOW_BYTES", window)
        for lost in range(0, size, SECTOR_BYTES):
            for byte in (b"\0", b"\xa7"):
                other = fs.copy()
                other._inode(FIRST).put(byte * min(SECTOR_BYTES, size - lost), lost)
                [(_, verdict)] = survey(other, DIRECTORY, BIG, 0)
                found.append(verdict)
    half = len(found) // 2
    assert found[:half] == found[half:]
    assert {verdict.torn for verdict in found} == {True, False}
    assert sum("a valid batch with offset" in verdict.why for verdict in found) > half


@pytest.mark.parametrize("config", [BIG, NO_ZEROS], ids=["zeros ahead", "no zeros"])
def test_a_flipped_length_is_reported_in_pieces_as_well(monkeypatch, config):
    """The content that shows it is longer than a piece, and so are the zeros behind it."""
    monkeypatch.setattr(corruption, "SCAN_WINDOW_BYTES", 1_024)
    fs = disk()
    log = filled(fs, 5, config)
    log.append([batch(5, 1, (b"v" * 3_000,))], T0)
    log.sync()
    fs.kill()
    for bit in range(24):
        other = fs.copy()
        other.flip_bit(FIRST, 5 * SIZE + 11 - bit // 8, bit % 8)
        with pytest.raises(CorruptLogError, match=rf"byte {5 * SIZE} \(offset 5\).*its length field is not"):
            open_log(other, config)


def test_zeros_at_the_end_of_a_batch_are_no_lost_sector():
    """A sector is lost where all of it is zeros, and this one holds the beginning of the next batch as well."""
    fs = disk()
    log = open_log(fs, BIG)
    ends_in_zeros = batch(0, 1, (b"v" * 900 + bytes(300),))
    assert not any(ends_in_zeros[2 * SECTOR_BYTES :])
    log.append([ends_in_zeros, batch(1)], T0)
    log.sync()
    fs.kill()
    fs.flip_bit(FIRST, 300)
    with pytest.raises(CorruptLogError, match="a valid batch with offset 1 follows"):
        open_log(fs, BIG)


def test_leftovers_are_removed_and_swaps_completed():
    """Files of interrupted operations go, an index without a log goes, a swap is completed."""
    fs = disk()
    filled(fs, 60).close()
    fs.rename(FIRST, FIRST + ".swap")
    for name in ("00000000000000000099.index", "00000000000000000005.log.deleted", "quorum-state.tmp", "notes.txt"):
        fs.open(f"{DIRECTORY}/{name}", create=True).close()
    log = open_log(fs)
    assert content(log) == expected(60)
    assert "00000000000000000000.log.swap" in log.recovery.warnings[0]
    names = fs.list_directory(DIRECTORY)
    assert "notes.txt" in names
    assert not [name for name in names if name.endswith((".swap", ".deleted", ".tmp")) or "99" in name]


POINT = f"{ROOT}/recovery-point-offset-checkpoint"


def with_point(content: bytes) -> SimulatedFileSystem:
    fs = disk()
    filled(fs, 60).close()
    file = fs.open(POINT, create=True)
    file.pwrite(content, 0)
    file.close()
    return fs


@pytest.mark.parametrize(
    "text",
    [
        b"7\n0\n",
        b"0\n1\n",
        b"0\n1\nnonsense\n",
        b"\xff",
        b"0\n1\n1 0\n",
        b"0\n1\n__cluster_metadata x 50\n",
        b"0\n2\n__cluster_metadata 0 50\nkraftpy.epochs-checksum 0 7\n",
    ],
    ids=["version", "count", "no line", "no text", "leader epochs", "partition", "no checksum"],
)
def test_a_recovery_point_that_is_none_is_reported_and_lets_nothing_be_cut(text):
    """It is reported, and rewritten; but what looks like a torn write may have been promised, so it is not cut."""
    fs = with_point(text)
    log = open_log(fs)
    assert "how far the log beside it was durable and committed; it is written again" in log.recovery.warnings[0]
    assert f"{POINT} is malformed" in log.end_unknown
    assert "reads well up to offset 60 (epoch 1)" in log.end_unknown
    assert f"delete {POINT}" in log.end_unknown
    log.note_durable(50)
    log.close()
    again = open_log(fs)
    assert (again.recovery_point, again.recovery.warnings, again.end_unknown) == (50, (), None)
    torn = with_point(text)
    last = segments(torn)[-1]
    file = torn.open(last, write=True)
    file.truncate(file.size() - 5)
    file.close()
    with pytest.raises(CorruptLogError, match="it may have been promised: a file beside the log is malformed"):
        open_log(torn)
    torn.unlink(POINT)
    assert open_log(torn).recovery.truncated_bytes > 0, "without the file it is a torn write"


def segments(fs: SimulatedFileSystem) -> list[str]:
    return [f"{DIRECTORY}/{name}" for name in fs.list_directory(DIRECTORY) if name.endswith(".log")]


def test_no_bit_that_flips_in_the_recovery_point_is_believed():
    """Whichever it is: the log opens, with all that it holds, and the point is the one that was written, or unknown."""
    fs = disk()
    log = filled(fs, 60)
    log.append(batches(60, 5, epoch=2), T0)
    log.sync()
    log.note_durable(55)
    log.close()
    size = fs.size(POINT)
    found = set()
    for position in range(size):
        for bit in range(8):
            one = fs.copy()
            one.flip_bit(POINT, position, bit)
            is_same = reported(one) == reported(fs)
            opened = open_log(one)
            assert opened.end_offset == 65
            assert (opened.end_unknown is None) == is_same, (position, bit)
            found.add((opened.recovery_point, opened.end_unknown is not None))
    assert found == {(55, False), (0, True)}


def reported(fs: SimulatedFileSystem) -> list[list[str]]:
    """The fields of the recovery point's file, however its lines are separated."""
    return [line.split(" ") for line in read_file(fs, POINT).decode("latin-1").splitlines()]


def test_other_entries_of_the_recovery_point_file_are_kept():
    """A broker's own lines in the shared file survive."""
    fs = disk()
    file = fs.open(f"{ROOT}/recovery-point-offset-checkpoint", create=True)
    file.pwrite(b"0\n2\nfoo 0 42\nbar baz 1 7\n", 0)
    file.close()
    filled(fs, 3).note_durable(2)
    written = read_file(fs, f"{ROOT}/recovery-point-offset-checkpoint")
    lines = written.splitlines()
    assert (lines[:5], len(lines)) == ([b"0", b"5", b"__cluster_metadata 0 2", b"bar baz 1 7", b"foo 0 42"], 7)


def test_a_killed_process_has_its_bytes_made_durable_at_open():
    """What a killed process wrote but never synced is durable once the log is open again."""
    killed = disk()
    log = filled(killed, 2)
    log.append(batches(2, 2), T0)
    killed.kill()
    for seed in range(CRASHES):
        fs = killed.copy()
        assert open_log(fs).flushed_offset == 4
        fs.crash(random.Random(seed))
        assert content(open_log(fs)) == expected(4), seed


@pytest.mark.parametrize("more", [0, 1, 3])
def test_a_truncation_is_durable_before_anything_is_appended(more):
    """Whatever a power failure keeps, what was truncated never comes back, not even behind newer batches."""
    base = disk()
    filled(base, 60)
    base.kill()
    for seed in range(40):
        fs = base.copy()
        log = open_log(fs)
        log.truncate_to(50)
        for one in batches(50, more, epoch=2, size=30):
            log.append([one], T0)
        fs.crash(random.Random(seed))
        again = open_log(fs)
        assert 50 <= again.end_offset <= 50 + more, f"seed {seed}: the log ends at {again.end_offset}"
        written = expected(50) + [(50 + i, 2, b) for i, b in enumerate(batches(50, more, epoch=2, size=30))]
        assert content(again) == written[: again.end_offset], f"seed {seed}"


def grow(log):
    for one in batches(60, 40):
        log.append([one], T0)
    log.sync()


STEPS_MAX = 10_000
CRASHES = 8
"""How many losses of power are tried at one step: each keeps something else of what was not synced."""

SNAPSHOT = OffsetAndEpoch(epoch=2, offset=500)
BELOW = OffsetAndEpoch(epoch=2, offset=30)
SNAPSHOTS = {"reset": SNAPSHOT, "reset below the end": BELOW}

STEPS = {
    # name: (operation on a log of 60 synced batches with recovery point 20, ends that are allowed after a kill)
    "append and roll": (grow, lambda end: 60 <= end <= 100),
    "truncate": (lambda log: log.truncate_to(25), lambda end: 25 <= end <= 60),
    "reset": (lambda log: log.reset_to(SNAPSHOT), lambda end: end == 500),
    "reset below the end": (lambda log: log.reset_to(BELOW), lambda end: end == 30),
    "advance start": (lambda log: log.advance_start(55), lambda end: end == 60),
    "note durable": (lambda log: log.note_durable(60), lambda end: end == 60),
    "assign epoch": (lambda log: log.assign_epoch(2, 60), lambda end: end == 60),
    "close": (lambda log: log.close(), lambda end: end == 60),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("lose", [False, True], ids=["process dies", "power fails"])
def test_a_kill_at_every_step_is_recovered_from(name, lose):
    """Wherever an operation is interrupted, the next open works, keeps what was promised, and the log goes on."""
    operation, allowed = STEPS[name]
    snapshot = SNAPSHOTS.get(name)
    base = disk()
    filled(base, 60).note_durable(20)
    base.kill()
    step = 0
    for step, seed in itertools.product(range(STEPS_MAX), range(CRASHES if lose else 1)):
        fs = base.copy()
        log = open_log(fs)
        fs.kill_at(step)
        try:
            operation(log)
            break
        except Killed:
            pass
        fs.crash(random.Random(seed), in_order=seed % 2 == 0) if lose else fs.kill()
        again = open_log(fs, snapshot=snapshot)
        assert allowed(again.end_offset), f"killed at step {step}: the log ends at {again.end_offset}"
        found = content(again)
        reference = batches(0, 100)
        assert found == [(o, 1, reference[o]) for o in range(again.start_offset, again.end_offset)] or snapshot
        # The log goes on, and survives being opened once more.
        again.append(batches(again.end_offset, 3, epoch=9), T0)
        again.sync()
        again.close()
        assert open_log(fs, snapshot=snapshot).end_offset == again.end_offset
    assert 1 < step < STEPS_MAX - 1


@pytest.mark.parametrize("end", [60, 61, 500])
def test_a_log_of_a_leader_that_came_to_nothing_gives_way_to_a_snapshot(end):
    """A crash may come between a download and the reset of a log whose uncommitted records have a higher epoch."""
    fs = disk()
    filled(fs, 60, epoch=3).note_durable(20)
    fs.kill()
    snapshot = OffsetAndEpoch(epoch=2, offset=end)
    log = open_log(fs, snapshot=snapshot)
    assert (log.start_offset, log.end_offset, log.last_epoch) == (end, end, 2)
    assert list(log.control_batches(end)) == []
    log.append([batch(end, epoch=4)], T0)
    log.close()
    assert open_log(fs, snapshot=snapshot).end_offset == end + 1


@pytest.mark.parametrize("epoch", [1, 2])
def test_a_snapshot_from_before_the_log_takes_the_place_of_nothing(epoch):
    """Of such a one nothing is behind, whatever its epoch says; that the log has no beginning is found elsewhere."""
    fs = disk()
    log = filled(fs, 60)
    log.advance_start(40)
    log.close()
    assert log.start_offset == 40
    again = open_log(fs, snapshot=OffsetAndEpoch(epoch=epoch, offset=20))
    assert (again.start_offset > 20, again.end_offset) == (True, 60)


def test_a_log_that_goes_on_behind_a_snapshot_stays():
    """What follows a snapshot's end may have any higher epoch, and is kept."""
    fs = disk()
    log = filled(fs, 60)
    log.append(batches(60, 1, epoch=3), T0)
    log.close()
    for offset in (30, 60):
        assert open_log(fs, snapshot=OffsetAndEpoch(epoch=1, offset=offset)).end_offset == 61


def test_a_kill_during_recovery_is_recovered_from():
    """Recovery itself may be killed at any step, again and again."""
    base = disk()
    log = filled(base, 60)
    log.append([batch(60, 1, (b"v" * 3000,))], T0)
    base.kill()
    size = base.size(log.active_path)
    overwrite(base, log.active_path, size - size % 512 - 1024, bytes(512))
    step = 0
    while True:
        fs = base.copy()
        fs.kill_at(step)
        try:
            open_log(fs)
            break
        except Killed:
            pass
        fs.crash(random.Random(step))
        assert content(open_log(fs))[:60] == expected(60)
        step += 1
    assert step > 5


# What is whole beside corruption.


@pytest.mark.parametrize("window", [61, 100, 4_096])
def test_whole_batches_are_found_around_corruption_in_bounded_pieces(window, monkeypatch):
    """Whatever is corrupt, no more than a window is read at once, and each whole batch that is detectable is found."""
    monkeypatch.setattr(scan, "SCAN_WINDOW_BYTES", window)
    fs = disk()
    log = open_log(fs, dataclasses.replace(TINY, segment_bytes=1 << 20))
    made = batches(0, 40)
    log.append(made, T0)
    log.sync()
    starts = [sum(map(len, made[:index])) for index in range(len(made))]
    for hits in ([], [0], [39], [3], [3, 4, 5], [10, 30], range(40)):
        one = fs.copy()
        for hit in hits:
            one.flip_bit(FIRST, starts[hit] + 45)
        file = Measured(one.open(FIRST))
        found = list(scan.whole_batches(file, 0))
        assert [batch.base for batch in found] == [index for index in range(40) if index not in hits]
        assert [batch.position for batch in found] == [starts[batch.base] for batch in found]
        assert file.largest <= window
    one = fs.copy()
    one.flip_bit(FIRST, starts[6] + 45)
    one.flip_bit(FIRST, starts[7])  # the highest byte of an offset, which no checksum covers
    assert 7 not in [batch.base for batch in scan.whole_batches(one.open(FIRST), 0)]
    assert max(batch.next for batch in scan.whole_batches(one.open(FIRST), 0)) == 40


def test_what_only_looks_like_a_header_is_not_read_to_the_end_of_the_file(monkeypatch):
    """Headers in a value may each claim the whole rest; the checksum is counted for those that can be meant."""
    fs = disk()
    log = open_log(fs, dataclasses.replace(TINY, segment_bytes=1 << 20))
    claim = scan.HEAD.pack(1 << 40, 20_000, 1, scan.MAGIC, 0, 0, 0, 0, 0)
    log.append([batch(0, values=(claim * 500,)), batch(1, values=(bytes(40_000),))], T0)
    log.sync()
    fs.flip_bit(FIRST, 100)
    counted = []
    honest = scan.crc32c
    monkeypatch.setattr(scan, "crc32c", lambda data, before=0: (counted.append(len(data)), honest(data, before))[1])
    assert [one.base for one in scan.whole_batches(fs.open(FIRST), 0)] == [1]
    assert sum(counted) < 2 * fs.size(FIRST)


@pytest.mark.parametrize("there", [0, 1, 60, 61, 100, 150])
def test_a_segment_that_becomes_shorter_while_it_is_looked_through(there):
    """A log in use is cut, and loses the zeros ahead of its end: what is there is found, and nothing is an error."""
    fs = disk()
    log = filled(fs, 10)
    size = len(batch(0, values=(bytes(100),)))
    file = Shortened(fs.open(log.active_path), 3 * size + there)
    assert [one.base for one in scan.whole_batches(file, 0)] == [0, 1, 2]


class Shortened:
    """A file that has fewer bytes than it said."""

    def __init__(self, file, there) -> None:
        self._file = file
        self._there = there

    def size(self) -> int:
        return self._file.size()

    def pread(self, size, position) -> bytes:
        return self._file.pread(min(size, max(0, self._there - position)), position)


class Measured:
    """A file that notes the largest piece that was read of it."""

    def __init__(self, file) -> None:
        self._file = file
        self.largest = 0

    def size(self) -> int:
        return self._file.size()

    def pread(self, size, position) -> bytes:
        self.largest = max(self.largest, size)
        return self._file.pread(size, position)
