"""Record batches and what is in them. A first byte of 1 says that the checksums are to be put right first."""

from __future__ import annotations

from kraftpy.model.errors import MalformedError
from kraftpy.records.batch import encode_batch, encode_control_batch, parse_batch, split_batches
from kraftpy.records.control import VotersRecord, voter_set_from_record
from tests.fuzz.target import Target
from tests.fuzz.targets.parts import CONTROL_RECORDS, with_checksums


def run(data: bytes) -> None:
    """Cut into batches, and those into records."""
    body = with_checksums(data[1:]) if data[:1] == b"\1" else data[1:]
    batches = split_batches(body)
    assert b"".join(batch.data for batch in batches) == body, "the batches are not the bytes"
    for batch in batches:
        assert parse_batch(batch.data) == batch
        if not batch.is_control:
            values = batch.values()
            assert len(values) == batch.record_count
            assert sum(map(len, values)) < batch.size
            continue
        for record in batch.control_records():
            if isinstance(record, VotersRecord):
                voter_set_from_record(record)


def samples():
    for count in (1, 3, 200):
        values = [bytes([1, 12, 0]) + b"v" * (number % 90) for number in range(count)]
        yield f"data-{count}", b"\1" + encode_batch(values, base_offset=7, epoch=2, timestamp_ms=1_700_000_000_000)
    for record in CONTROL_RECORDS:
        batch = encode_control_batch([record], base_offset=0, epoch=1, timestamp_ms=5)
        yield f"control-{type(record).__name__}", b"\1" + batch
    one = encode_batch([b"\1\x14\0\0"], base_offset=0, epoch=1, timestamp_ms=5)
    two = encode_batch([b"x" * 300] * 2, base_offset=1, epoch=1, timestamp_ms=5)
    yield "two", b"\1" + one + two
    yield "as-it-is", b"\0" + one


TARGET = Target(name="batches", run=run, refusals=(MalformedError,), samples=samples)
