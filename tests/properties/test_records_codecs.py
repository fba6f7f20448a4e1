"""Hypothesis on the codecs: every message and version, bytes of every kind, bounded memory."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kraftpy.model.errors import KraftError, MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.records import metadata as m
from kraftpy.records.batch import (
    BATCH_HEADER_BYTES,
    batch_size_bound,
    encode_batch,
    parse_batch,
    restamp,
    split_batches,
)
from kraftpy.records.codec import read_uvarint, uvarint
from kraftpy.records.properties import parse_properties, render_properties
from kraftpy.records.quorum_state import parse_quorum_state
from kraftpy.records.rpc import decode_request
from kraftpy.records.varint import read_varint, varint
from tests.unit.records.instances import codec_of, every_version, instance, normal_form

VERSIONS = [tuple(case.values) for case in every_version()]
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

MEMORY_FACTOR = 64
"""How many times its size a crooked message may take: a byte may become one small object, never more."""
MEMORY_BASE = 200_000


@QUICK
@given(st.sampled_from(VERSIONS), st.integers())
def test_round_trip(case, seed: int) -> None:
    """A message came back different from its bytes."""
    family, schema, version = case
    decode, encode = codec_of(family, schema, version)
    message = instance(family, schema, version, random.Random(seed))
    again = decode(encode(message, b""), 0)
    again = again[0] if schema.is_header else again
    assert normal_form(again) == normal_form(message)


@QUICK
@given(st.sampled_from(VERSIONS), st.integers(), st.data())
def test_mutated_bytes_end_in_malformed_error_only(case, seed: int, data) -> None:
    """Mutated bytes ended in something else than a MalformedError."""
    family, schema, version = case
    decode, encode = codec_of(family, schema, version)
    mutated = bytearray(encode(instance(family, schema, version, random.Random(seed)), b""))
    for _ in range(data.draw(st.integers(1, 4))):
        if mutated:
            at = data.draw(st.integers(0, len(mutated) - 1))
            mutated[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=5))
    try:
        decode(bytes(mutated), 0)
    except MalformedError as error:
        assert schema.name in str(error)  # noqa: PT017 - decoding without an error is fine, too


@QUICK
@given(st.sampled_from(VERSIONS), st.binary(max_size=300))
def test_random_bytes_end_in_malformed_error_only(case, data: bytes) -> None:
    """Random bytes ended in something else than a MalformedError."""
    decode, _ = codec_of(*case)
    try:
        decode(data, 0)
    except MalformedError as error:
        assert str(error)  # noqa: PT017 - decoding without an error is fine, too


@QUICK
@given(st.binary(max_size=300))
def test_random_frames_end_in_kraft_errors_only(data: bytes) -> None:
    """A frame, value, batch or text of random bytes ended in something else than a KraftError."""
    for read in (
        decode_request,
        split_batches,
        lambda value: [m.decode_record(value, schema) for schema in SchemaSet],
        lambda value: parse_quorum_state(value.decode("latin-1")),
        lambda value: parse_properties(value.decode("latin-1")),
    ):
        try:
            read(data)
        except KraftError as error:
            assert str(error)  # noqa: PT017 - reading without an error is fine, too


@pytest.mark.parametrize(
    "filler", [b"\xff", b"\x7f", b"\x00", b"\x01", b"\x02", b"\xff\xff\xff\xff\x0f", b"\x7f\xff\xff\xff"]
)
def test_huge_counts_take_no_memory(filler: bytes) -> None:
    """A crooked message took memory far beyond its size."""
    data = (filler * 20_000)[:20_000]
    for case in VERSIONS:
        decode, _ = codec_of(*case)
        for start in (b"", b"\0" * 4, b"\0" * 20):
            tracemalloc.start()
            try:
                decode(start + data, 0)
            except MalformedError:
                pass
            finally:
                _, peak = tracemalloc.get_traced_memory()
                tracemalloc.stop()
            assert peak < MEMORY_BASE + MEMORY_FACTOR * len(data), f"{case[1].name} version {case[2]}"


@QUICK
@given(
    st.lists(st.binary(min_size=1, max_size=200), min_size=1, max_size=200),
    st.integers(0, 2**62),
    st.integers(0, 2**31 - 1),
    st.integers(0, 2**62),
)
def test_batches_hold_what_was_put_in(values: list[bytes], offset: int, epoch: int, time_ms: int) -> None:
    """A batch lost or changed something."""
    data = encode_batch(values, base_offset=offset, epoch=epoch, timestamp_ms=time_ms)
    batch = parse_batch(data)
    assert batch.values() == values
    assert (batch.base_offset, batch.epoch, batch.base_timestamp_ms) == (offset, epoch, time_ms)
    assert batch.max_timestamp_ms == time_ms
    assert batch.size == len(data) <= batch_size_bound(values)
    assert restamp(restamp(data, 0, 0), offset, epoch) == data


@QUICK
@given(st.lists(st.binary(min_size=1, max_size=80), min_size=1, max_size=20), st.data())
def test_a_changed_batch_is_refused(values: list[bytes], data) -> None:
    """A changed byte in a batch, behind what its checksum leaves out, went unseen."""
    good = encode_batch(values, base_offset=3, epoch=1, timestamp_ms=2)
    at = data.draw(st.integers(16, len(good) - 1))
    changed = bytearray(good)
    changed[at] ^= data.draw(st.integers(1, 255))
    with pytest.raises(MalformedError):
        split_batches(bytes(changed))


@QUICK
@given(st.lists(st.binary(min_size=1, max_size=80), min_size=1, max_size=20), st.data())
def test_mutated_records_end_in_malformed_error_only(values: list[bytes], data) -> None:
    """Crooked records behind a good checksum ended in something else than a MalformedError, or gave too much."""
    good = encode_batch(values, base_offset=3, epoch=1, timestamp_ms=2)
    changed = bytearray(good)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(BATCH_HEADER_BYTES, len(good) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = parse_batch(bytes(changed), verify_crc=False).values()
    except MalformedError:
        return
    assert len(read) == len(values)
    assert sum(map(len, read)) <= len(good)


@given(st.integers(0, 2**32 - 1))
def test_uvarints(value: int) -> None:
    """An unsigned varint came back different."""
    assert read_uvarint(b"\0" + uvarint(value), 1) == (value, 1 + len(uvarint(value)))


@given(st.integers(-(2**31), 2**31 - 1))
def test_varints(value: int) -> None:
    """A signed varint came back different."""
    assert read_varint(varint(value), 0) == (value, len(varint(value)))


_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(_TEXT, _TEXT), st.none() | _TEXT)
def test_properties_come_back(properties: dict[str, str], comment: str | None) -> None:
    """A property came back different from what was written."""
    assert parse_properties(render_properties(properties, comment)) == properties
