"""Batches of configs in one pass: what is read so reads the same record by record, and all else is left alone."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kraftpy.model.errors import MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.records.alike import ROWS_AT_ONCE
from kraftpy.records.batch import BATCH_HEADER_BYTES, Batch, encode_batch, encode_control_batch, split_batches
from kraftpy.records.config_batch import config_records, read_config_batch
from kraftpy.records.control import SnapshotHeaderRecord
from kraftpy.records.metadata import ConfigRecord, LogRecord, NoOpRecord, decode_records, encode_record
from kraftpy.records.varint import delta_pattern, varint

LENGTHS = (0, 1, 40, 48, 62, 63, 64, 65, 125, 126, 127, 128, 129, 255, 8_100)
TEXTS = st.sampled_from(LENGTHS).map("x".__mul__) | st.text(max_size=20)
CONFIGS = st.builds(ConfigRecord, st.sampled_from((0, 2, 4, 16, 127)), TEXTS, TEXTS, st.none() | TEXTS)
USUAL = ConfigRecord(16, "subscription", "metrics", "org.apache.kafka.producer." * 4)


def batch_of(*records: ConfigRecord | NoOpRecord) -> Batch:
    values = [encode_record(record, 0) for record in records]
    return split_batches(encode_batch(values, base_offset=7, epoch=3, timestamp_ms=9))[0]


def one_by_one(batch: Batch) -> list[LogRecord]:
    return decode_records(batch.values(), SchemaSet.KRAFTPY)


@settings(deadline=None)
@given(st.lists(CONFIGS, min_size=1, max_size=140))
def test_reads_as_one_by_one(records: list[ConfigRecord]) -> None:
    runs = read_config_batch(batch_of(*records))
    if runs is not None:
        assert config_records(runs) == records
    # Only what has no length of one or two bytes may be left to the ordinary way: a value of over 8,000 bytes, say.
    assert runs is not None or any(
        len(encode_record(record, 0)) > 8_000 or len(record.name.encode()) > 126 for record in records
    )  # fmt: skip


def test_the_usual_batch_is_read_in_one_pass() -> None:
    """Names, lengths and values of all sizes that requests have; the offset's varint gets longer on the way."""
    records = [ConfigRecord(16, f"name-{place}", "metrics", "v" * (place % 700)) for place in range(8_000)]
    runs = read_config_batch(batch_of(*records))
    assert runs is not None
    assert config_records(runs) == records
    assert len(runs) == 1


@pytest.mark.parametrize(
    "record",
    [
        NoOpRecord(),
        ConfigRecord(-3, "a", "b", "c"),
        ConfigRecord(16, "a", "b", "c", unknown_tags=((0, b"x"),)),
        ConfigRecord(16, "a", "b", "c" * 9_000),
    ],
    ids=["another kind", "a negative type", "a tagged field", "a long value"],
)
def test_leaves_other_batches_alone(record: ConfigRecord | NoOpRecord) -> None:
    assert read_config_batch(batch_of(USUAL, record, USUAL)) is None


def test_leaves_control_batches_alone() -> None:
    header = SnapshotHeaderRecord(0, 0)
    data = encode_control_batch([header], base_offset=0, epoch=1, timestamp_ms=0)
    assert read_config_batch(split_batches(data)[0]) is None


@settings(deadline=None, max_examples=600)
@given(
    st.lists(st.builds(ConfigRecord, st.just(16), TEXTS, TEXTS, st.none() | TEXTS), min_size=1, max_size=3),
    st.integers(0, 10**6),
    st.integers(0, 3),
    st.binary(max_size=3),
)
@example([ConfigRecord(16, "a", "b", "c" * 55)], 1, 0, b"")
def test_never_reads_what_the_ordinary_way_reads_differently(
    records: list[ConfigRecord], place: int, cut: int, put: bytes
) -> None:
    whole = batch_of(*records)
    at = BATCH_HEADER_BYTES + place % (len(whole.data) - BATCH_HEADER_BYTES)
    check(whole, whole.data[:at] + put + whole.data[at + cut :])


def test_no_byte_of_records_of_one_form_can_be_another_one_unseen() -> None:
    """Each byte in turn is another one, is left out, or has one before it."""
    whole = batch_of(*[ConfigRecord(16, name, "k", name * 62) for name in "abc"])
    good = whole.data
    for at in range(BATCH_HEADER_BYTES, len(good)):
        before, byte, after = good[:at], good[at], good[at + 1 :]
        check(whole, before + after)
        for other in {0, 1, 2, byte ^ 1, byte ^ 2, byte ^ 0x80, max(0, byte - 2), 0x7F, 0xFF} - {byte}:
            check(whole, before + bytes((other,)) + after)
            check(whole, before + bytes((other, byte)) + after)
    check(whole, good + b"\0")


def test_no_byte_of_many_records_of_one_form_can_be_another_one_unseen() -> None:
    """Many records are compared at once; those around the one whose place takes a byte more, and the last ones."""
    count = 2 * ROWS_AT_ONCE + 70
    whole = batch_of(*[ConfigRecord(16, f"{number:03}", "k", f"{number:03}" * 21) for number in range(count)])
    good = whole.data
    size = (len(good) - BATCH_HEADER_BYTES) // count
    middle = BATCH_HEADER_BYTES + 64 * (size - 1)
    for at in (*range(middle - size, middle + 2 * size), *range(len(good) - size, len(good))):
        for other in {good[at] ^ 1, good[at] ^ 0x80}:
            check(whole, good[:at] + bytes((other,)) + good[at + 1 :])


def test_a_null_that_is_written_in_two_bytes_is_a_null() -> None:
    plain = encode_record(ConfigRecord(16, "a", "b", None), 0)
    longer = plain[:-2] + b"\x80\0" + plain[-1:]
    for count in (1, 2, ROWS_AT_ONCE):
        data = encode_batch([longer] * count, base_offset=7, epoch=3, timestamp_ms=9)
        batch = split_batches(data)[0]
        assert one_by_one(batch) == [ConfigRecord(16, "a", "b", None)] * count
        check(batch, batch.data)


def test_a_record_that_needs_a_byte_more_is_not_of_the_form_of_the_one_before() -> None:
    """The last record with a short pattern is of a form of its own; the next one claims the same length."""
    odd = ConfigRecord(16, "nn", "k", "v")
    whole = batch_of(*[ConfigRecord(16, "n", "k", "v")] * 63, odd, odd)
    value = encode_record(odd, 0)
    last = varint(len(delta_pattern(64)) + 1 + len(value) + 1) + delta_pattern(64) + varint(len(value)) + value + b"\0"
    assert whole.data.endswith(last)
    check(whole, whole.data)
    as_before = varint(len(delta_pattern(63)) + 1 + len(value) + 1) + last[1:]
    check(whole, whole.data[: -len(last)] + as_before)


def check(whole: Batch, data: bytes) -> None:
    """Read a batch with other bytes: not at all, or as they are read one by one."""
    crooked = Batch(
        whole.base_offset, len(data), whole.epoch, whole.magic, whole.crc, whole.attributes, whole.last_offset_delta,
        whole.base_timestamp_ms, whole.max_timestamp_ms, whole.record_count, data,
    )  # fmt: skip
    runs = read_config_batch(crooked)
    if runs is None:
        return
    try:
        expected = one_by_one(crooked)
    except MalformedError as error:
        raise AssertionError(f"read in one pass what the ordinary way refuses: {error}") from error
    assert config_records(runs) == expected


def test_a_record_whose_lengths_disagree_is_not_read() -> None:
    """The record's length leaves 65 bytes for the value and its length, which no value has: 64 or 66."""
    record = ConfigRecord(16, "a", "b", "c" * 54)
    value = encode_record(record, 0)
    whole = batch_of(record).data
    crooked = whole.replace(b"\x8e\x01\0\0\0\1\x80\1" + value, b"\x8c\x01\0\0\0\1\x7e" + value)
    assert len(crooked) == len(whole) - 1
    batch = Batch(7, len(crooked), 3, 2, 0, 0, 0, 9, 9, 1, crooked)
    assert read_config_batch(batch) is None
    with pytest.raises(MalformedError):
        one_by_one(batch)


def test_a_record_of_the_same_lengths_as_the_one_before_but_for_its_place_is_not_read() -> None:
    """The 65th place takes a byte more, which the record's length does not count."""
    data = batch_of(*[USUAL] * 65).data
    value = encode_record(USUAL, 0)
    before = varint(len(value) + 7)
    record = before + delta_pattern(63) + varint(len(value)) + value + b"\0"
    assert record in data
    last = varint(len(value) + 8) + delta_pattern(64)
    assert last in data
    crooked = data.replace(last, before + delta_pattern(64))
    batch = Batch(7, len(crooked), 3, 2, 0, 0, 64, 9, 9, 65, crooked)
    assert read_config_batch(batch) is None
    with pytest.raises(MalformedError):
        one_by_one(batch)


def test_a_record_that_claims_the_next_one_is_not_read() -> None:
    """Read field by field both records are there; but the first one's length, and its value's, go to the end."""
    value = encode_record(ConfigRecord(16, "a", "b", "c"), 0)
    second = varint(len(value) + 6) + delta_pattern(1) + varint(len(value)) + value + b"\0"
    claimed = value + b"\0" + second[:-1]
    records = varint(len(claimed) + 6) + delta_pattern(0) + varint(len(claimed)) + claimed + b"\0"
    data = batch_of(USUAL, USUAL).data[:BATCH_HEADER_BYTES] + records
    batch = Batch(7, len(data), 3, 2, 0, 0, 1, 9, 9, 2, data)
    assert read_config_batch(batch) is None
    with pytest.raises(MalformedError):
        one_by_one(batch)
