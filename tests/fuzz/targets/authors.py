"""Who asked for a record: the field alone, and a record with these bytes in it."""

from __future__ import annotations

import json

from kraftpy.records.authors import Author, BatchAuthors, author_spans, encode_author, read_author
from kraftpy.records.codec import AUTHOR_MARK, AUTHOR_TAG, uvarint
from kraftpy.records.metadata import ConfigRecord, encode_record
from tests.fuzz.target import Target


def run(data: bytes) -> None:
    """Nothing is refused: what cannot be read is an author with a fault; what can is the same after it was written."""
    count, author = read_author(data)
    assert count > 0
    assert author.text.isprintable()
    assert json.dumps(author.as_json())
    if not author.fault:
        again = read_author(uvarint(1) + encode_author(author))[1]
        assert read_author(uvarint(1) + encode_author(again)) == (1, again)
    value = encode_record(ConfigRecord(2, "t", "k", "v", unknown_tags=((AUTHOR_TAG, data),)), 0)
    assert BatchAuthors().of(value) == author
    assert [(span.first, span.record_count) for span in author_spans([value, value], 2)] == [(0, 1), (1, 1)]
    for values in ([data], [data, value]):
        assert all(span.first + span.record_count <= len(values) for span in author_spans(values, len(values)))


def samples():
    for name, author in (
        ("all", Author("User:CN=ålice,O=x", "admin-1", bytes(range(16)), 2**40)),
        ("name-alone", Author("User:ANONYMOUS")),
        ("negative", Author("User:a", "", b"", -1)),
    ):
        yield name, uvarint(3) + encode_author(author)
    yield "record", encode_record(ConfigRecord(2, "t", "k", "v", unknown_tags=((AUTHOR_TAG, b"\1"),)), 0)


TARGET = Target(name="authors", run=run, refusals=(), samples=samples, words=(AUTHOR_MARK, b"\1\0", b"\xff\xff"))
