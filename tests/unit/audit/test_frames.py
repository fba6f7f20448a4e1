"""Records cut by vectors are those of the loop: the same values, the same faults, the same words for them."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from random import Random
from struct import pack_into

import pytest
from crc32c import crc32c
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.audit.reading import frames
from kraftpy.audit.reading.batch_runs import PADDING
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.frames import Frames, cut
from kraftpy.audit.reading.reader import read
from kraftpy.audit.reading.scan import PIECE_BYTES, _Scanner, scan
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.rules import all_rules
from kraftpy.records.batch import encode_batch
from tests.fakes.processes import complaints
from tests.unit.audit.histories import small_log
from tests.unit.audit.singly import entries, vectors

KINDS = (b"\x01\x05\x02", b"\x01\x02\x00", b"\x01\x14\x00", b"\x01\x90\x03\x01", b"\x00\x05\x02", b"\x01\x05\x80", b"")


def split_of(tmp_path, data: bytes) -> InputSplit:
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(data)
    return InputSplit(KraftFile("c", "1", str(path), "log", len(data), 0), 0, len(data))


def values_of(random: Random, count: int, size: int) -> list[bytes]:
    """Values that look like records, and some that look like the bytes between records."""
    return [
        random.choice(KINDS)
        + (b"\0\0\x80\x01\x01" * (number % 3) if number % 7 == 0 else b"")
        + random.randbytes(random.randint(1, size))
        for number in range(count)
    ]


def batches_of(counts, size, seed) -> list[bytes]:
    random = Random(seed)
    offset, batches = 0, []
    for number, count in enumerate(counts):
        values = values_of(random, count, size)
        batches.append(encode_batch(values, base_offset=offset, epoch=1, timestamp_ms=number * 1_000_000))
        offset += count
    return batches


def assert_same(split: InputSplit) -> None:
    """Both ways give the same rows, counts, control_entries, summary, and the same entries."""
    ours = first_pass(split)
    with vectors(used=False):
        loop = first_pass(split)
    assert ours.batches == loop.batches
    assert (ours.counts, ours.value_bytes) == (loop.counts, loop.value_bytes)
    assert ours.control_entries == loop.control_entries
    assert ours.summary == loop.summary
    found = [entry for each in read(split) if isinstance(each, Frames) for entry in each.entries(split)]
    assert found == [entry for entry in entries(split) if not entry.control]


@pytest.fixture
def few_chains(monkeypatch):
    """Let vectors be used on small inputs, with several chains in one batch."""
    monkeypatch.setattr(frames, "CHAINS_MIN", 1)
    monkeypatch.setattr(frames, "CHAIN_RECORDS_MIN", 8)


@pytest.mark.usefixtures("few_chains")
@pytest.mark.parametrize("size", [4, 60, 300, 9000])
def test_records_are_those_of_the_loop(tmp_path, size) -> None:
    """Short values, lengths of two bytes, and values that are too long for vectors."""
    assert_same(split_of(tmp_path, b"".join(batches_of([1, 70, 3, 300, 9, 500, 40], size, 1))))


@pytest.mark.usefixtures("few_chains")
def test_numbers_of_three_bytes_are_read(tmp_path) -> None:
    """A batch of more than 8192 records, whose numbers take three bytes."""
    data = b"".join(batches_of([20_000, 2], 9, 2))
    split = split_of(tmp_path, data)
    assert_same(split)
    (run,) = scan(split, by_runs=True)
    assert len(cut(run)) == 20_002


@pytest.mark.usefixtures("few_chains")
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_corruption_of_records_is_reported_alike(tmp_path_factory, data) -> None:
    """Bytes of records are changed and the checksum put right: what breaks a rule does so in the same words."""
    seed = data.draw(st.integers(0, 50))
    batches = batches_of([30, 20, 64, 150, 5], data.draw(st.sampled_from([3, 80])), seed)
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(batches) - 1))
        changed = bytearray(batches[index])
        changed[data.draw(st.integers(61, len(changed) - 1))] = data.draw(st.integers(0, 255))
        pack_into(">I", changed, 17, crc32c(bytes(changed[21:])))
        batches[index] = bytes(changed)
    assert_same(split_of(tmp_path_factory.mktemp("corruption"), b"".join(batches)))


HEADER_CORRUPTION = [
    (0, ">q", -1), (0, ">q", 2**63 - 1), (8, ">i", 10), (8, ">i", 2**24), (12, ">i", -1), (16, ">b", 1), (17, ">I", 7),
    (21, ">h", 1), (21, ">h", 8), (21, ">h", 0x10), (21, ">h", 0x40), (21, ">h", 0x20), (21, ">h", 0x100),
    (23, ">i", 5), (23, ">i", -1), (57, ">i", 5), (57, ">i", 0), (57, ">i", -1), (43, ">q", 3),
]  # fmt: skip


@pytest.mark.parametrize(("place", "kind", "number"), HEADER_CORRUPTION)
@pytest.mark.parametrize("index", [0, 1, 4])
def test_every_rule_of_a_header_is_reported_alike(tmp_path, place, kind, number, index) -> None:
    """One field of one batch is changed, and the checksum put right unless it is the one."""
    batches = [bytearray(each) for each in batches_of([20, 30, 10, 15, 8], 40, 4)]
    pack_into(kind, batches[index], place, number)
    if place != 17:
        pack_into(">I", batches[index], 17, crc32c(bytes(batches[index][21:])))
    assert_same(split_of(tmp_path, b"".join(batches)))


@pytest.mark.parametrize("count", [40_000, 2**31 - 1])
def test_more_records_than_there_is_room_for_are_reported_alike(tmp_path, count) -> None:
    """Both counts agree and cannot be."""
    batches = [bytearray(each) for each in batches_of([20, 30, 10], 40, 5)]
    pack_into(">i", batches[1], 23, count - 1)
    pack_into(">i", batches[1], 57, count)
    pack_into(">I", batches[1], 17, crc32c(bytes(batches[1][21:])))
    split = split_of(tmp_path, b"".join(batches))
    assert_same(split)
    assert "too few" in first_pass(split).batches[1][-1]


@pytest.mark.parametrize(
    "steps", [(0, 0, 0), (0, 5, 0), (0, 0, -5), (3, 3, 3)], ids=["epochs alone", "a gap", "backwards", "several"]
)
def test_offsets_and_epochs_out_of_order_are_summed_up_alike(tmp_path, steps) -> None:
    """Good batches whose offsets or epochs do not follow on."""
    data, offset = b"", 20
    for number, step in enumerate((*steps, 0)):
        offset += step
        data += encode_batch([b"\x01\x14\x00\x00"] * 3, base_offset=offset, epoch=9 - number, timestamp_ms=0)
        offset += 3
    split = split_of(tmp_path, data)
    assert_same(split)
    assert first_pass(split).summary.problems >= 3


@pytest.mark.parametrize("time_ms", [-(2**63), -(2**63) + 1_999_999, -1, 2**63 - 1])
def test_any_time_has_an_hour_that_64_bits_hold(tmp_path, time_ms) -> None:
    """Hours begin before the times in them; of the earliest time, that would be before all times."""
    split = split_of(tmp_path, encode_batch([b"\x01\x14\x00\x00"] * 3, base_offset=0, epoch=1, timestamp_ms=time_ms))
    assert_same(split)
    (hour,) = [hour for hour, *_ in first_pass(split).counts]
    assert -(2**63) <= hour < 2**63
    assert hour % 3_600_000 == 0
    assert abs(hour - time_ms) < 3_600_000


def test_many_hours_of_a_large_api_key_are_counted_in_little_memory(tmp_path) -> None:
    """A log of 7 KB must not take a place for each of 32,768 types in each hour."""
    values = [b"\x01\xff\xff\x01\0\0", *[b"\x01\x14\0\0", b"\x01\x0c\0\0"] * 50]
    split = split_of(tmp_path, b"".join(
        encode_batch([value], base_offset=number, epoch=1, timestamp_ms=number * 3_600_000)
        for number, value in enumerate(values)
    ))  # fmt: skip
    assert_same(split)
    tracemalloc.start()
    passed = first_pass(split)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert passed.counts == {
        (number * 3_600_000, False, int.from_bytes(value[1:2]) if number else 2**15 - 1): 1
        for number, value in enumerate(values)
    }
    assert len(passed.control_entries) == 50
    assert most < 2 * PIECE_BYTES


@pytest.mark.usefixtures("few_chains")
def test_control_batches_zeros_and_corruption_are_between(tmp_path) -> None:
    """A log with elections, a torn batch in the middle and zeros at the end."""
    data = bytearray(small_log(30).data + bytes(3000))
    data[2000] ^= 1
    assert_same(split_of(tmp_path, bytes(data)))


@pytest.mark.parametrize("counts", [[500] * 30, [20_000]], ids=["many batches", "one batch, cut into chains"])
def test_vectors_are_used_and_not_only_the_loop(tmp_path, monkeypatch, counts) -> None:
    """The loop would hide that vectors never judge anything."""
    split = split_of(tmp_path, b"".join(batches_of(counts, 60, 3)))
    monkeypatch.setattr(
        "kraftpy.audit.reading.scan.ScannedRange.open", lambda _: pytest.fail("a batch went to the loop")
    )
    passed = first_pass(split)
    assert sum(passed.counts.values()) == sum(counts)


@pytest.mark.parametrize("by_vectors", [True, False])
def test_how_far_reading_has_come_is_reported_on_the_way(tmp_path, monkeypatch, by_vectors) -> None:
    """A large file is read in one piece, and its progress is reported."""
    monkeypatch.setattr("kraftpy.audit.reading.scan.PIECE_BYTES", 5_000)
    monkeypatch.setattr("kraftpy.audit.reading.first_pass.PROGRESS_BYTES", 10_000)
    split, reported = split_of(tmp_path, b"".join(batches_of([30] * 40, 60, 6))), []
    with vectors(used=by_vectors):
        first_pass(split, reached=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == split.stop
    assert len(reported) > 3
    assert all(after - before >= 10_000 for before, after in pairwise(reported[:-1]))


@pytest.mark.parametrize("keeps", [slice(None), slice(None, None, 2), slice(0)], ids=["all", "every other", "none"])
def test_what_is_still_referenced_is_not_overwritten(tmp_path, monkeypatch, keeps) -> None:
    """The memory of a piece is reused only when nothing refers to it."""
    monkeypatch.setattr("kraftpy.audit.reading.scan.PIECE_BYTES", 5_000)
    data = b"".join(batches_of([30] * 40, 60, 6))
    split, held = split_of(tmp_path, data), {}
    wanted = set(range(100)[keeps])
    for number, found in enumerate(read(split)):
        values = found.entries(split)
        if number in wanted:
            held[number] = (found, values)
    assert number > 8
    for kept, values in held.values():
        run = kept.run
        assert b"".join(run.views()) == data[run.position : run.position + run.size]
        assert kept.entries(split) == values


def test_one_piece_of_memory_is_enough_for_a_first_pass(tmp_path, monkeypatch) -> None:
    """No caller keeps a piece when the next one is read: allocating takes longer than reading."""
    monkeypatch.setattr("kraftpy.audit.reading.scan.PIECE_BYTES", 200_000)
    split = split_of(tmp_path, b"".join(batches_of([500] * 60, 60, 7)))
    made = []
    monkeypatch.setattr(
        "kraftpy.audit.reading.scan.bytearray", lambda size=0: made.append(size) or bytearray(size), raising=False
    )
    first_pass(split)
    assert made == [0, 200_000 + len(PADDING)]


def test_a_command_of_its_own_prints_nothing_but_its_findings(tmp_path) -> None:
    """DuckDB prints objects that still exist when the process ends to stderr."""
    small_log(3).write(tmp_path / "__cluster_metadata-0")
    command = [sys.executable, "-m", "kraftpy", "audit", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{len(all_rules())} rules" in done.stdout
    assert complaints(done) == ""


def test_a_pass_leaves_nothing_to_the_garbage_collector(tmp_path) -> None:
    """What was read into would stay until the collector comes, for every file of a fleet."""
    split = split_of(tmp_path, b"".join(batches_of([500] * 4, 60, 7)))
    gc.collect()
    gc.disable()
    try:
        first_pass(split)
        assert not [each for each in gc.get_objects() if isinstance(each, _Scanner)]
    finally:
        gc.enable()


@pytest.mark.usefixtures("few_chains")
@pytest.mark.parametrize("places", [(5,), (0, 5)], ids=["its value ends early", "bytes follow it"])
def test_a_last_record_that_is_too_short_by_a_zero_is_reported(tmp_path, places) -> None:
    """Where the byte behind looks like an end, only the lengths say that something is left."""
    batches = [encode_batch([b"\x01\x05\x00" + bytes(20)] * 40, base_offset=0, epoch=1, timestamp_ms=0)]
    changed = bytearray(batches[0])
    start = len(changed) - 23 - 1 - 1 - 4 - 1
    assert changed[start] == 2 * (len(changed) - start - 1)
    for place in places:
        changed[start + place] -= 2
    pack_into(">I", changed, 17, crc32c(bytes(changed[21:])))
    split = split_of(tmp_path, bytes(changed))
    assert_same(split)
    assert [row[-2] for row in first_pass(split).batches] == ["malformed"]


def test_a_batch_that_is_searched_beyond_its_end_is_cut_all_the_same(tmp_path) -> None:
    """Its last record is long, and where longer ones follow, a start is looked for as far as into the next batch."""
    small = [b"\x01\x14\x00\x00"] * 150
    offset, data = 0, b""
    for values in ([*small, b"\x01\x05\x00" + bytes(7000)], small, *[[b"\x01\x05\x00" + b"\x07" * 100_000]] * 30):
        data += encode_batch(values, base_offset=offset, epoch=1, timestamp_ms=0)
        offset += len(values)
    assert_same(split_of(tmp_path, data))
