"""Who asked for a change: a tagged field of metadata records, which Kafka skips as it skips all that it does not know.

The first record that one administrative change appends has the field ``Author``; the field says how many records it is
about: that one, and those that follow it in the same batch. A request whose records need several batches names its
author in each. Records without an author are written by nodes on their own behalf, by Kafka, or by a node on which
``metadata.log.authors.enable`` is false.

An author is not part of the state: replay does not look at it, no image and no snapshot has it, and no digest covers
it. It is a claim of the controller that wrote it, as everything in the log is. One that cannot be read is shown with
the reason, and stops no reader.

The tag has the highest number of all tags, so it is the last field of a record, and its number makes four bytes that
begin no text in UTF-8. So a reader finds the few records with an author by searching for these bytes, and decodes only
those.

The field: the number of records (unsigned varint), principal and client id (compact strings), request id (compact
bytes), and a tagged section; its tag 0 is the correlation id (a signed integer of up to 8 bytes), absent for none.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from kraftpy.model.errors import MalformedError
from kraftpy.model.escaping import shortened
from kraftpy.model.features import SchemaSet
from kraftpy.records.codec import (
    AUTHOR_MARK,
    AUTHOR_TAG,
    DECODE_ERRORS,
    NO_TAGS,
    SHORT,
    UVARINT,
    FieldError,
    Record,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    uvarint,
)
from kraftpy.records.metadata import METADATA_RECORDS, UnknownRecord, decode_record, encoded_again
from kraftpy.records.schema import load

AUTHOR_PRINCIPAL_CHARACTERS_MAX: Final = 255
"""How long the principal may be; ``...`` ends a longer one."""

AUTHOR_CLIENT_ID_CHARACTERS_MAX: Final = 64
"""How long the client id may be; ``...`` ends a longer one."""

AUTHOR_REQUEST_ID_BYTES_MAX: Final = 16
"""How long the request id may be, which is what clients send."""

AUTHOR_BYTES_MAX: Final = 2048
"""How large the field may be. What this project writes is smaller; a larger one in the log is not read."""

CORRELATION_TAG: Final = 0
CORRELATION_BYTES_MAX: Final = 8

AUTHORS_CACHED: Final = 1024
"""For how many pairs of principal and client id the encoded form is kept."""

_ONE_AUTHOR: Final = uvarint(1) + AUTHOR_MARK
"""What follows the fields of a record whose only tagged field is the author, up to the size of that."""

_CORRELATION_HEADS: Final = tuple(bytes((1, CORRELATION_TAG, size)) for size in range(CORRELATION_BYTES_MAX + 1))
"""A tagged section with a correlation id alone, up to the number, by the size of that."""

_WITH_TAGS: Final = frozenset(
    record_type
    for record_type, message in zip(METADATA_RECORDS, load("metadata"), strict=True)
    if any(field.tag is not None for field in message.root.fields)
)
"""The records that have tagged fields of their own; of the others nothing but the count of fields follows."""


class Author(NamedTuple):
    """Who asked for a change, and how its client finds the request.

    Attributes:
        principal: as access control entries name it; empty in one that cannot be read.
        client_id: what the client calls itself; empty for none.
        request_id: of a gRPC client that may repeat the request; empty for none.
        correlation_id: in the header of Kafka's protocol, or the id of a session's request; ``None`` for none, and
            where it has more than 64 bits.
        fault: why it cannot be read; empty where it can.
    """

    principal: str
    client_id: str = ""
    request_id: bytes = b""
    correlation_id: int | None = None
    fault: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "principal": self.principal or None,
            "clientId": self.client_id or None,
            "requestId": self.request_id.hex() or None,
            "correlationId": self.correlation_id,
            "fault": self.fault or None,
        }

    @property
    def text(self) -> str:
        """The principal as it may be printed, or that there is none to read."""
        shown = f"unreadable author: {self.fault}" if self.fault else self.principal
        return shortened(shown, AUTHOR_PRINCIPAL_CHARACTERS_MAX)


class AuthorSpan(NamedTuple):
    """Records of one batch that an author is about.

    Attributes:
        first: the index of the first one in the batch.
        record_count: how many there are, none of them beyond the batch.
    """

    first: int
    record_count: int
    author: Author


def encode_author(author: Author) -> bytes:
    """Return the field without its number of records; texts that are too long are shortened."""
    principal, client_id, request_id, number, _ = author
    tags = NO_TAGS
    if (
        number is not None
        and (size := (number if number >= 0 else ~number).bit_length() // 8 + 1) <= CORRELATION_BYTES_MAX
    ):
        tags = _CORRELATION_HEADS[size] + number.to_bytes(size, "big", signed=True)
    kept = request_id[:AUTHOR_REQUEST_ID_BYTES_MAX]
    # One character more than is written shows that there were more; what is kept stays small.
    who, client = principal[: AUTHOR_PRINCIPAL_CHARACTERS_MAX + 1], client_id[: AUTHOR_CLIENT_ID_CHARACTERS_MAX + 1]
    return _names(who, client) + UVARINT[len(kept) + 1] + kept + tags


@lru_cache(AUTHORS_CACHED)
def _names(principal: str, client_id: str) -> bytes:
    who = shortened(principal, AUTHOR_PRINCIPAL_CHARACTERS_MAX).encode()
    client = shortened(client_id, AUTHOR_CLIENT_ID_CHARACTERS_MAX).encode()
    return b"".join((string_prefix(len(who)), who, string_prefix(len(client)), client))


def with_author(records: Sequence[Record], values: Sequence[bytes], author: bytes) -> Sequence[bytes]:
    """Return encoded records of which the first one names the author of all.

    Args:
        records: what was encoded.
        values: as it was encoded, in the versions that it has in the log.
        author: from :func:`encode_author`; empty for none.
    """
    if not author or not values:
        return values
    count = len(values)
    field = (UVARINT[count] if count < SHORT else uvarint(count)) + author
    record, value = records[0], values[0]
    if type(record) in _WITH_TAGS or record.unknown_tags:  # type: ignore[attr-defined] # every generated record has it
        marked = copy.copy(record)
        marked.unknown_tags = (*record.unknown_tags, (AUTHOR_TAG, field))  # type: ignore[attr-defined] # as above
        first = encoded_again(marked, value)
    else:
        size = len(field)
        first = value[:-1] + _ONE_AUTHOR + (UVARINT[size] if size < SHORT else uvarint(size)) + field
    return [first, *values[1:]] if count > 1 else [first]


def read_author(field: bytes) -> tuple[int, Author]:
    """Read the field; return of how many records it says so, at least one, and who.

    Bytes that break a rule are an author with a fault, of one record.
    """
    try:
        if len(field) > AUTHOR_BYTES_MAX:
            raise FieldError(f"it has {len(field)} bytes, over the limit of {AUTHOR_BYTES_MAX}")
        return _read(field)
    except DECODE_ERRORS as error:
        reason = str(error) if isinstance(error, FieldError) else f"its {len(field)} bytes do not divide into fields"
        return 1, Author("", fault=reason)


def _read(field: bytes) -> tuple[int, Author]:
    count, at = read_uvarint(field, 0)
    principal, at = _read_text(field, at)
    client_id, at = _read_text(field, at)
    size, at = read_uvarint(field, at)
    request_id, at = field[at : at + size - 1], at + size - 1
    tags, at = read_tags(field, at + 1, field[at])
    number = dict(tags).get(CORRELATION_TAG)
    if at != len(field) or not count or not principal or not size:
        raise FieldError("it lacks a field, or bytes follow the last one")
    if number is not None and not 0 < len(number) <= CORRELATION_BYTES_MAX:
        raise FieldError(f"its correlation id has {len(number)} bytes, not 1 to {CORRELATION_BYTES_MAX}")
    correlation_id = None if number is None else int.from_bytes(number, "big", signed=True)
    return count, Author(principal, client_id, request_id, correlation_id)


def _read_text(field: bytes, at: int) -> tuple[str, int]:
    length, at = read_string_length(field, at)
    if not length:
        raise FieldError("a text is null, which it may not be")
    return field[at : at + length - 1].decode(), at + length - 1


class BatchAuthors:
    """Says who asked for each record of one batch, in order."""

    __slots__ = ("_author", "_left")

    def __init__(self) -> None:
        self._author: Author | None = None
        self._left = 0

    def of(self, value: bytes) -> Author | None:
        """Return the author of the next record of the batch; ``None`` if the log names none."""
        if AUTHOR_MARK in value:
            field = author_field(value)
            if field is not None:
                self._left, self._author = read_author(field)
        if not self._left:
            return None
        self._left -= 1
        return self._author


def author_spans(values: Iterable[bytes], count: int) -> Iterator[AuthorSpan]:
    """Yield the authors in a batch, each with the records that it is about.

    Args:
        values: the records of the batch, or those that may have an author.
        count: how many records the batch has.
    """
    span: AuthorSpan | None = None
    for index, value in enumerate(values):
        field = author_field(value) if AUTHOR_MARK in value else None
        if field is None:
            continue
        if span is not None:
            yield span._replace(record_count=min(span.record_count, index - span.first))
        stated, author = read_author(field)
        span = AuthorSpan(index, min(stated, count - index), author)
    if span is not None:
        yield span


def author_field(value: bytes) -> bytes | None:
    """Return the field of an encoded record, unread; ``None`` if it has none, or cannot be decoded."""
    for schema in SchemaSet:
        try:
            record = decode_record(value, schema)
        except MalformedError:
            return None
        if not isinstance(record, UnknownRecord):
            return dict(record.unknown_tags).get(AUTHOR_TAG)  # type: ignore[attr-defined] # every generated record has it
    return None


def unfamiliar(tags: Iterable[tuple[int, bytes]]) -> tuple[tuple[int, bytes], ...]:
    """Return the tagged fields of a record that are not known here; its author is."""
    return tuple(each for each in tags if each[0] != AUTHOR_TAG)
