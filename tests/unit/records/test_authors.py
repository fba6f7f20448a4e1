"""Authors in records: what is written, what is read, and what bytes that break a rule become."""

from __future__ import annotations

import copy
import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kraftpy.image import EMPTY, MetadataDelta, snapshot_groups
from kraftpy.image.digest import image_digest
from kraftpy.model.features import SchemaSet
from kraftpy.records import metadata as m
from kraftpy.records.authors import (
    AUTHOR_BYTES_MAX,
    AUTHOR_CLIENT_ID_CHARACTERS_MAX,
    AUTHOR_PRINCIPAL_CHARACTERS_MAX,
    AUTHOR_REQUEST_ID_BYTES_MAX,
    Author,
    BatchAuthors,
    _names,
    author_field,
    author_spans,
    encode_author,
    read_author,
    unfamiliar,
    with_author,
)
from kraftpy.records.codec import AUTHOR_MARK, AUTHOR_TAG, uvarint
from kraftpy.records.metadata import METADATA_RECORDS
from kraftpy.records.schema import load
from tests.unit.image.histories import ACTIONS, history
from tests.unit.records.instances import instance

ALICE = Author("User:alice", "admin-1", b"r" * 16, 7)
TEXTS = st.text(max_size=400)
AUTHORS = st.builds(
    Author,
    TEXTS.filter(bool),
    TEXTS,
    st.binary(max_size=AUTHOR_REQUEST_ID_BYTES_MAX),
    st.none() | st.integers(-(2**63), 2**63 - 1),
)


def field_of(author: Author, count: int = 1) -> bytes:
    return uvarint(count) + encode_author(author)


def config(number: int) -> m.ConfigRecord:
    return m.ConfigRecord(2, "orders", f"key-{number}", "v")


def written(count: int, author: Author = ALICE) -> list[bytes]:
    records = [config(number) for number in range(count)]
    return list(with_author(records, [m.encode_record(each, 0) for each in records], encode_author(author)))


@example(Author("User:a", correlation_id=-(2**63)), 1)
@example(Author("User:a", correlation_id=2**63 - 1), 1)
@given(AUTHORS, st.integers(1, 5_000))
def test_what_is_written_is_read(author: Author, count: int) -> None:
    """An author that is short enough comes back as it was, control characters apart; no other one is too large."""
    field = field_of(author, count)
    assert len(field) <= AUTHOR_BYTES_MAX
    found_count, found = read_author(field)
    assert (found_count, found.fault) == (count, "")
    assert (found.request_id, found.correlation_id) == (author.request_id, author.correlation_id)
    assert len(found.principal) <= AUTHOR_PRINCIPAL_CHARACTERS_MAX
    assert len(found.client_id) <= AUTHOR_CLIENT_ID_CHARACTERS_MAX
    if author.principal.isprintable() and len(author.principal) <= AUTHOR_PRINCIPAL_CHARACTERS_MAX:
        assert found.principal == author.principal
    assert found.principal.isprintable()


@pytest.mark.parametrize(
    "spec", [pytest.param(spec, id=spec.name) for spec in load("metadata")],
)  # fmt: skip
def test_every_record_can_have_one(spec) -> None:
    """In each version of each record, the author is the last field, and all others stay as they are."""
    rng = random.Random(spec.name)
    (record_type,) = (each for each in METADATA_RECORDS if spec.name == each.NAME)
    for version in spec.version_numbers():
        for _ in range(20):
            record = instance("metadata", spec, version, rng)
            if spec.api_key == m.CONTESTED_KEY:
                # Two releases use it for different records, which are distinguished by their form.
                record.unknown_tags = ()
            value = m.encode_record(record, version)
            (marked,) = with_author([record], [value], encode_author(ALICE))
            schema = m.SCHEMA_SETS.get(record_type, SchemaSet.KRAFTPY)
            again, plain = m.decode_record(marked, schema), m.decode_record(value, schema)
            assert dict(again.unknown_tags)[AUTHOR_TAG] == field_of(ALICE)
            again.unknown_tags = unfamiliar(again.unknown_tags)
            assert again == plain
            assert author_field(marked) == field_of(ALICE)
            assert author_field(value) is None


def test_one_field_names_the_author_of_all_records_of_a_request() -> None:
    """Only the first record is longer, and what follows the last one in the batch has no author."""
    values = written(3)
    plain = [m.encode_record(config(number), 0) for number in range(4)]
    assert values[1:] == plain[1:3]
    assert len(values[0]) - len(plain[0]) == len(AUTHOR_MARK) + 1 + len(field_of(ALICE))
    bob = Author("User:bob")
    batch = [*values, plain[3], *written(1, bob), plain[3]]
    authors = BatchAuthors()
    found = [authors.of(value) for value in batch]
    assert found == [ALICE, ALICE, ALICE, None, bob, None]
    assert [tuple(span) for span in author_spans(batch, len(batch))] == [(0, 3, ALICE), (4, 1, bob)]


def test_an_id_that_no_reader_can_hold_is_left_out() -> None:
    """A session's client may number its requests up to 2**64 - 1."""
    assert read_author(field_of(Author("User:a", correlation_id=2**63)))[1] == Author("User:a")


def test_without_an_author_nothing_is_written() -> None:
    """What nodes do on their own behalf stays as it is, byte for byte."""
    values = [m.encode_record(config(1), 0)]
    assert with_author([config(1)], values, b"") is values


def test_an_author_ends_with_the_batch_and_with_the_next_author() -> None:
    """A number of records that is too large claims no record of anybody else."""
    first = config(1)
    first.unknown_tags = ((AUTHOR_TAG, field_of(ALICE, 2**32 - 1)),)
    batch = [m.encode_record(first, 0), m.encode_record(config(2), 0), *written(1, Author("User:bob"))]
    spans = list(author_spans(batch, len(batch)))
    assert [(span.first, span.record_count, span.author.principal) for span in spans] == [
        (0, 2, "User:alice"),
        (2, 1, "User:bob"),
    ]
    authors = BatchAuthors()
    assert [authors.of(value).principal for value in batch] == ["User:alice", "User:alice", "User:bob"]


def test_what_is_kept_encoded_does_not_grow_with_what_clients_send() -> None:
    """The cache keeps texts as long as clients can make them."""
    encode_author(Author("User:long" + "p" * 10_000, "c" * 10_000))
    before = _names.cache_info()
    encode_author(Author("User:long" + "p" * 20_000, "c" * 20_000))
    assert _names.cache_info().hits == before.hits + 1
    assert _names.cache_info().currsize == before.currsize


def test_control_characters_are_escaped_and_long_texts_end_in_dots() -> None:
    """Nothing that a client chose moves the cursor of a terminal, and it makes no record large."""
    _, found = read_author(field_of(Author("User:\x1b[2J\ud800" + "x" * 9_000, "\n" * 9_000)))
    assert found.principal.startswith("User:\\x1b[2J\\ud800x")
    assert found.principal.endswith("x...")
    assert found.client_id.endswith("...")
    assert found.text.isprintable()


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (b"", "do not divide"),
        (b"\0" + encode_author(ALICE), "lacks a field"),
        (field_of(ALICE)[:-1], "more than|claims|divide"),
        (field_of(ALICE) + b"\0", "bytes follow"),
        (b"\1\0\1\1\0", "null"),
        (b"\1\1\1\1\0", "lacks a field"),
        (b"\1\2a\1\0\0", "lacks a field"),
        (b"\1\2\xff\1\1\0", "do not divide"),
        (b"\1\2a\1\1\1\0\0", "correlation id has 0 bytes"),
        (b"\1\2a\1\1\1\0\x09" + bytes(9), "correlation id has 9 bytes"),
        (b"\1\2a\1\1\xff", "divide|varint|elements"),
        (b"\xff\xff\xff\xff\xff\1", "varint"),
        (b"\1" * (AUTHOR_BYTES_MAX + 1), f"over the limit of {AUTHOR_BYTES_MAX}"),
    ],
)
def test_bytes_that_break_a_rule_are_an_author_with_a_fault(field: bytes, why: str) -> None:
    """An author that cannot be read is shown with the reason; it is about one record."""
    count, author = read_author(field)
    assert (count, author.principal) == (1, "")
    assert re.search(why, author.fault)
    assert author.text.startswith("unreadable author: ")
    assert author.as_json()["fault"] == author.fault


@given(st.binary(max_size=64))
def test_no_bytes_raise(field: bytes) -> None:
    """Whatever is in the field, reading it ends."""
    count, author = read_author(field)
    assert count >= 1
    assert bool(author.fault) != bool(author.principal)


def test_the_mark_alone_is_no_author() -> None:
    """The bytes of the tag in the middle of a field of another kind are not taken for an author."""
    value = m.encode_record(m.UserScramCredentialRecord("u", 1, AUTHOR_MARK, AUTHOR_MARK, b"k", 4096), 0)
    assert BatchAuthors().of(value) is None
    assert list(author_spans([value], 1)) == []
    assert BatchAuthors().of(AUTHOR_MARK) is None
    assert AUTHOR_MARK[0] & 0xC0 == 0x80, "no text in UTF-8 has a character that begins so"


@given(st.lists(st.tuples(*(st.integers(0, top) for top in (len(ACTIONS) - 1, 4, 4, 2))), max_size=30))
def test_no_state_and_no_snapshot_has_an_author(numbers) -> None:
    """Images, deltas, digests and snapshots of a log with authors are those of the same log without them."""
    plain, marked = MetadataDelta(EMPTY), MetadataDelta(EMPTY)
    for number, record in enumerate(history(numbers)):
        plain.replay(record)
        again = _with_field(record)
        marked.replay(again) if number % 2 else marked.replay_all([again])
    assert marked.unknown is None
    with_none, with_authors = plain.apply(EMPTY.provenance), marked.apply(EMPTY.provenance)
    assert with_authors == with_none
    assert image_digest(with_authors) == image_digest(with_none)
    assert list(snapshot_groups(with_authors)) == list(snapshot_groups(with_none))


def _with_field(record):
    again = copy.copy(record)
    again.unknown_tags = ((AUTHOR_TAG, field_of(ALICE)),)
    return again
