"""Records shown many at a time are those shown one by one: the same columns, the same JSON, the same faults."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from struct import pack_into

import pyarrow as pa
import pytest
from crc32c import crc32c
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.audit.reading import json_columns
from kraftpy.audit.reading.arrow import Mode, record_batches
from kraftpy.audit.reading.columns import RECORD_COLUMNS, arrow_schema
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.splits import splits_of
from kraftpy.model.errors import CorruptError
from kraftpy.records.metadata import (
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
    RegisterBrokerRecord,
    TopicRecord,
    encode_record,
)
from tests.unit.audit.histories import (
    GOLDEN,
    LogWriter,
    partition,
    small_log,
    topic_id,
    topic_values,
    value,
    write_snapshot,
)
from tests.unit.audit.singly import vectors
from tests.unit.audit.test_vectors import CORRUPT, changes, statements

ROWS = 7


def shown(path: Path, mode: Mode = Mode.PERMISSIVE, *, by_vectors: bool) -> pa.Table:
    """All records of a directory's files as one table."""
    with vectors(used=by_vectors):
        batches = [
            batch
            for file in discover([str(path)])
            if file.has_batches
            for split in splits_of(file)
            for batch in record_batches(split, ROWS, mode)
        ]
    assert all(batch.num_rows > 0 for batch in batches)
    return pa.Table.from_batches(batches, arrow_schema(RECORD_COLUMNS))


def assert_same(path: Path) -> pa.Table:
    """Both ways give the same rows, what is corrupt included, shown and left out."""
    singly = shown(path, by_vectors=False)
    by_vectors = shown(path, by_vectors=True)
    by_vectors.validate(full=True)
    assert by_vectors.to_pylist() == singly.to_pylist()
    whole, kept = (shown(path, Mode.DROPMALFORMED, by_vectors=each).to_pylist() for each in (False, True))
    assert kept == whole
    if len(whole) < len(singly):
        reported = []
        for each in (False, True):
            with pytest.raises(CorruptError) as raised:
                shown(path, Mode.FAILFAST, by_vectors=each)
            reported.append(str(raised.value))
        assert reported[0] == reported[1]
    return singly


NAMES = ("", "a", "topic", 'a"b', "back\\slash", "tab\t", "é", "\x7f", "日本", "x" * 126, "x" * 127)
TEXTS = st.sampled_from(NAMES)
NUMBERS = st.sampled_from([0, 2, 4, 127, -1, -128])
CONFIGS = st.builds(ConfigRecord, NUMBERS, TEXTS, TEXTS, st.none() | TEXTS).map(value)
NAMED = st.builds(TopicRecord, TEXTS, st.integers(0, 3).map(topic_id)).map(value)
OTHERS = st.sampled_from([
    value(NoOpRecord()), b"\x01\x14\x00\x01\x05\x00", value(FeatureLevelRecord("metadata.version", 20)),
    value(RegisterBrokerRecord(broker_id=1, incarnation_id=topic_id(1), broker_epoch=1)),
    b"\x01\x05\x03\x00", b"\x01\x85\x00\x00", b"\x01\xd8\x04\x00\x00", b"\x01\x02\x00\xff", b"\x01", b"\x00\x01",
    b"\x01\x04\x00\x02\x05\xc3\xc3\x22\xff\x02a\x02b\x00", b"\x01\x02\x01\x02a" + topic_id(1) + b"\x00",
])  # fmt: skip
NAMED_CORRUPT = st.tuples(CONFIGS | NAMED, st.integers(0, 200), st.integers(1, 255)).map(
    lambda each: bytes(byte ^ (each[2] if place == each[1] % len(each[0]) else 0) for place, byte in enumerate(each[0]))
)
VALUES = st.lists(
    statements() | changes() | changes() | CONFIGS | NAMED | OTHERS | CORRUPT | NAMED_CORRUPT, min_size=1, max_size=60
)


@settings(max_examples=200, deadline=None)
@given(VALUES, st.integers(1, 60), st.booleans())
def test_any_records_are_shown_alike(values, size, in_snapshot):
    """Frequent types in plain and other forms, rare types, corrupt values and values that are no records."""
    with tempfile.TemporaryDirectory() as name:
        if in_snapshot:
            write_snapshot(Path(name), values, 100, 1)
        else:
            log = LogWriter()
            for begin in range(0, len(values), size):
                log.add(*values[begin : begin + size])
            log.write(Path(name))
        assert_same(Path(name))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_corruption_between_records_is_shown_in_place(data):
    """Broken checksums, batches whose records break a rule, elections and a torn end among good batches."""
    log = small_log(4).add(*(each for number in range(20) for each in topic_values(number)))
    changed = bytearray(log.data)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
    log.data = bytes(changed[: data.draw(st.sampled_from([len(changed), len(changed) - 30]))])
    with tempfile.TemporaryDirectory() as name:
        log.write(Path(name))
        assert_same(Path(name))


def test_a_batch_that_breaks_a_rule_is_between_the_others(tmp_path):
    """Its row comes in its place, and the records around it are all there."""
    log = LogWriter().add(*topic_values(1))
    bad = LogWriter(log.offset).add(b"\x01\x14\x00\x00", b"\x01\x14\x00\x00")
    broken = bytearray(bad.data)
    broken[62] = 1
    log.data += rechecked(broken)
    log.offset += 2
    log.add(*topic_values(2)).write(tmp_path)
    table = assert_same(tmp_path)
    assert [row["type"] for row in table.to_pylist()].index("CORRUPT") == len(topic_values(1))
    assert len(table) == 2 * len(topic_values(1)) + 1


def rechecked(batch: bytearray) -> bytes:
    """A batch with the right checksum."""
    pack_into(">I", batch, 17, crc32c(bytes(batch[21:])))
    return bytes(batch)


def test_names_that_json_escapes_and_long_ones(tmp_path):
    """Each of them as the name of a topic and as each text of a config."""
    configs = [[ConfigRecord(2, each, "b", "c"), ConfigRecord(2, "a", each, "c"), ConfigRecord(2, "a", "b", each)]
               for each in NAMES]  # fmt: skip
    topics = [TopicRecord(each, topic_id(number)) for number, each in enumerate(NAMES)]
    LogWriter().add(*map(value, [*topics, *(each for three in configs for each in three)])).write(tmp_path)
    assert [json.loads(each)["name"] for each in assert_same(tmp_path)["fields"].to_pylist()[: len(NAMES)]] == [*NAMES]


@pytest.mark.parametrize(
    "whole",
    [
        value(NoOpRecord()), value(TopicRecord("a", topic_id(1))), value(ConfigRecord(2, "a", "b", "c")),
        topic_values(1)[1], value(PartitionChangeRecord(partition_id=1, topic_id=topic_id(1), isr=[1], leader=1)),
    ],
    ids=["no-op", "topic", "config", "partition", "change"],
)  # fmt: skip
def test_a_byte_too_many_or_too_few_is_reported(tmp_path, whole):
    """A record that does not fill its value, or wants more of it, is no plain one."""
    log = LogWriter().add(*([whole] * 20), whole + b"\0", whole, whole + b"\1")
    log.add(whole[:-1] if len(whole) > len(b"\1\0\0\0") else whole + b"\2").write(tmp_path)
    rows = assert_same(tmp_path).to_pylist()
    assert [row["type"] == "CORRUPT" for row in rows] == [*[False] * 20, True, False, True, True]


def test_real_kafkas_files_are_shown_alike():
    """What Kafka 4.3 wrote."""
    assert len(assert_same(GOLDEN)) == 84


def test_frequent_records_are_not_read_singly(tmp_path, monkeypatch):
    """One by one the rows would be the same; then vectors were for nothing."""
    log = LogWriter()
    for number in range(4):
        log.add(*topic_values(number), value(NoOpRecord()), value(ConfigRecord(2, "t", "retention.ms", str(number))))
    log.write(tmp_path)
    expected = shown(tmp_path, by_vectors=False)
    monkeypatch.setattr(json_columns, "decode", lambda _: pytest.fail("a record was read by itself"))
    assert shown(tmp_path, by_vectors=True).to_pylist() == expected.to_pylist()


@pytest.mark.parametrize("version", [0, 1, 2])
def test_every_version_of_a_plain_partition_is_shown(tmp_path, monkeypatch, version):
    """Directories came with version 1; before it there is no such field."""
    record = partition(1, 2)
    record.directories = record.directories if version else []
    LogWriter().add(encode_record(record, version)).write(tmp_path)
    (row,) = assert_same(tmp_path).to_pylist()
    assert ('"directories":' in row["fields"]) == (version > 0)
    monkeypatch.setattr(json_columns, "decode", lambda _: pytest.fail("a record was read by itself"))
    assert shown(tmp_path, by_vectors=True).to_pylist() == [row]
