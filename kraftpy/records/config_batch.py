"""Batches of ConfigRecords, read in one pass: from a batch's bytes to texts, without a record between.

Configs are what writes come in masses of, and every node reads each of them. Decoded as any record is, one costs three
steps (the frame of the batch, the fields, the object) of which the bytes need one. So a batch in which every record is
a plain ConfigRecord (version 0, no tagged fields) is read by a straight loop here.

Records that were written together are mostly of one *form*: the same lengths, the same type and key. So the form of a
record is measured once, and the ones behind it are compared with it, many at once (``alike``) or one by one. That says
all that is to be said of a record, and where its texts are::

    length  pattern  value's length, frame, type, name's length  NAME  key, its length, value's length  VALUE  0 0
    before           opening                                           middle

The loop knows one way in which such a record is written: the one in which it always is. At the first byte that is not
as it expects, it gives up, and the batch is read in the ordinary way, which judges it. So whatever is read here reads
the same there (a test holds the two against each other), and this module decides about no byte.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from kraftpy.records.alike import ROWS_AT_ONCE, stands_in_all, texts_in_all
from kraftpy.records.batch import BATCH_HEADER_BYTES, LONG, NEGATIVE, Batch
from kraftpy.records.codec import SHORT, FieldError
from kraftpy.records.generated.metadata import ConfigRecord
from kraftpy.records.metadata import CONFIG_FRAME
from kraftpy.records.varint import DELTAS, varint

_SIGN: Final = 0x80
"""A resource type from here on is a negative number."""
_ENDS: Final = b"\0\0"
"""No tagged fields, and behind the value no headers."""
_NO_HEADERS: Final = len(b"\0")
_SHORT_PATTERNS: Final = 2**6
"""Before this place in a batch, patterns have a byte less."""
_NO_ATTRIBUTES_NO_TIME: Final = b"\0\0"
_NULL_KEY: Final = b"\1"
"""What a pattern begins and ends with; between them stands the offset delta."""
_DELTA_FIRST: Final = bytes(pattern[len(_NO_ATTRIBUTES_NO_TIME)] for pattern in DELTAS)
_DELTA_SECOND: Final = bytes(pattern[len(_NO_ATTRIBUTES_NO_TIME) + 1] for pattern in DELTAS)
"""By a record's number: the bytes of its offset delta, where it has two."""
_NULL: Final = 0
_NO_TYPE: Final = -1
"""No record that is read here has this type."""


_Form: TypeAlias = tuple[bytes, bytes, int, bytes, int]
"""What records of one form have in common: before, opening, the name's size, middle, the value's size."""


class ConfigRun(NamedTuple):
    """ConfigRecords that follow one another, and set the same key of resources of one type.

    Attributes:
        resource_type: of all of them.
        key: what is set.
        names: of the resources, in log order; they may repeat.
        values: what the key is set to, ``None`` where it is deleted; as many.
    """

    resource_type: int
    key: str
    names: list[str]
    values: list[str | None]


class _Openings(dict[int, bytes]):
    """By what a record's length leaves for its value and the value's length: that length, and the record's frame."""

    def __missing__(self, left: int) -> bytes:
        for width in (1, 2):
            prefix = varint(max(0, left - width))
            if len(prefix) == width:
                opening = self[left] = prefix + CONFIG_FRAME
                return opening
        raise FieldError(f"no value and its length are {left} bytes together")


_OPENINGS: Final = _Openings()


def read_config_batch(batch: Batch) -> list[ConfigRun] | None:
    """Read a batch that holds plain ConfigRecords and nothing else; ``None`` when it may be something else.

    Invariant: what is returned is what :func:`~kraftpy.records.metadata.decode_records` makes of the batch's values.
    """
    count = batch.record_count
    if batch.is_control or count > len(DELTAS):
        return None
    try:
        return _read(batch.data, count)
    except (IndexError, ValueError):
        return None


def _read(data: bytes, count: int) -> list[ConfigRun]:
    runs: list[ConfigRun] = []
    run = ConfigRun(_NO_TYPE, "", [], [])
    key_bytes = b""
    at, index = BATCH_HEADER_BYTES, 0
    while index < count:
        start, pattern = at, DELTAS[index]
        pattern_at, kind, name_at, key_at, size_at, value_at, stop = _measured(data, start, pattern)
        if kind != run.resource_type or data[key_at:size_at] != key_bytes:
            key_bytes = data[key_at:size_at]
            run = ConfigRun(kind, key_bytes[1:].decode(), [], [])
            runs.append(run)
        empty = "" if data[size_at] != _NULL else None
        run.names.append(data[name_at:key_at].decode())
        run.values.append(data[value_at:stop].decode() if stop > value_at else empty)
        at, index = stop + len(_ENDS), index + 1
        before = data[start:pattern_at]
        if data[at : at + len(before)] == before:
            opening = data[pattern_at + len(pattern) : name_at]
            middle = data[key_at:value_at]
            form = (before, opening, key_at - name_at, middle, stop - value_at)
            # Patterns get longer on the way; a record of the same lengths is of another form then. The form is that of
            # the record before this one.
            limit = min(count, _SHORT_PATTERNS) if index <= _SHORT_PATTERNS else count
            at, index = _read_many(data, at, index, limit, form, empty, run)
            at, index = _read_alike(data, at, index, limit, form, empty, run)
    if at != len(data):
        raise FieldError(f"{len(data) - at} bytes follow the last record")
    return runs


def _read_many(
    data: bytes, at: int, index: int, limit: int, form: _Form, empty: str | None, run: ConfigRun
) -> tuple[int, int]:
    """Read records by ROWS_AT_ONCE, as long as all of them are of a form; return as :func:`_read_alike` does."""
    before, opening, name_size, middle, value_size = form
    # A pattern is the same for all but for its offset delta, which is two bytes long from a place on.
    head, delta_size = before + _NO_ATTRIBUTES_NO_TIME, 1 if limit <= _SHORT_PATTERNS else 2
    delta_at = len(head)
    tail = _NULL_KEY + opening
    tail_at = delta_at + delta_size
    name_at = tail_at + len(tail)
    key_at = name_at + name_size
    value_at = key_at + len(middle)
    ends_at = value_at + value_size
    stride = ends_at + len(_ENDS)
    while index < limit:
        count = min(limit - index, ROWS_AT_ONCE)
        stop = at + count * stride
        if (
            data[at + delta_at : stop : stride] != _DELTA_FIRST[index : index + count]
            or (delta_size == 2 and data[at + delta_at + 1 : stop : stride] != _DELTA_SECOND[index : index + count])
            or not stands_in_all(head, data, at, stride, count)
            or not stands_in_all(tail, data, at + tail_at, stride, count)
            or not stands_in_all(middle, data, at + key_at, stride, count)
            or not stands_in_all(_ENDS, data, at + ends_at, stride, count)
        ):
            break
        run.names.extend(texts_in_all(data, at + name_at, name_size, stride, count))
        run.values.extend(
            texts_in_all(data, at + value_at, value_size, stride, count) if value_size else [empty] * count
        )
        at, index = stop, index + count
    return at, index


def _read_alike(
    data: bytes, at: int, index: int, limit: int, form: _Form, empty: str | None, run: ConfigRun
) -> tuple[int, int]:
    """Read records as long as they are of a form; return where the next one starts, and its number."""
    before, opening, name_size, middle, value_size = form
    names, values = run.names, run.values
    for pattern in DELTAS[index:limit]:
        head = before + pattern + opening
        name_at = at + len(head)
        key_at = name_at + name_size
        value_at = key_at + len(middle)
        stop = value_at + value_size
        if data[at:name_at] != head or data[key_at:value_at] != middle or data[stop : stop + 2] != _ENDS:
            break
        names.append(data[name_at:key_at].decode())
        values.append(data[value_at:stop].decode() if value_size else empty)
        at = stop + 2
        index += 1
    return at, index


def _measured(data: bytes, at: int, pattern: bytes) -> tuple[int, int, int, int, int, int, int]:
    """Check the record that starts at ``at``; return the type, and the places of all that it consists of.

    Varints of three bytes come out too large here, and fail with what they should measure.

    Returns:
        Where the pattern starts, the type of the resource, and where the name, the key with its length, the value's
        length and the value start, and where the value ends.

    Raises:
        FieldError: it is no plain ConfigRecord.
        IndexError: it is cut off.
    """
    length = data[at]
    at += 1
    if length >= LONG:
        length += (data[at] - 1) * LONG
        at += 1
    pattern_at, end = at, at + (length >> 1)
    opening = pattern + _OPENINGS[(length >> 1) - len(pattern) - _NO_HEADERS]
    at += len(opening)
    if length & NEGATIVE or data[pattern_at:at] != opening:
        raise FieldError("another pattern, or another kind of record")
    kind, size = data[at], data[at + 1]
    at += 2
    if size >= SHORT:
        size += (data[at] - 1) * SHORT
        at += 1
    name_at, key_at = at, at + size - 1
    size_at = key_at + data[key_at]
    if kind >= _SIGN or not size or not 0 < data[key_at] < SHORT:
        raise FieldError("a negative type, or a name or a key that is null or long")
    size, at = data[size_at], size_at + 1
    if size >= SHORT:
        size += (data[at] - 1) * SHORT
        at += 1
        if size < SHORT:
            raise FieldError("a length that could be written shorter, so that a null need not be a zero")
    stop = at + size - 1 if size else at
    if data[stop:end] != _ENDS:
        raise FieldError("lengths that disagree, or tagged fields")
    return pattern_at, kind, name_at, key_at, size_at, at, stop


def config_records(runs: list[ConfigRun]) -> list[ConfigRecord]:
    """Return the records that runs stand for."""
    return [
        ConfigRecord(run.resource_type, name, run.key, value)
        for run in runs
        for name, value in zip(run.names, run.values, strict=True)
    ]
