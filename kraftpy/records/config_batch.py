"""Batches of ConfigRecords, read in one pass: from a batch's bytes to columns, without a record between.

Configs are what writes come in masses of, and every node reads each of them. Decoded as any record is, one costs three
steps (the frame of the batch, the fields, the object) of which the bytes need one. So a batch in which every record is
a plain ConfigRecord (version 0, no tagged fields) is read by a straight loop here.

The loop knows one way in which such a record is written: the one in which it always is. At the first byte that is not
as it expects, it gives up, and the batch is read in the ordinary way, which judges it. So whatever is read here reads
the same there (a test holds the two against each other), and this module decides about no byte.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kraftpy.records.batch import BATCH_HEADER_BYTES, LONG, NEGATIVE, Batch
from kraftpy.records.codec import SHORT, FieldError, string_prefix
from kraftpy.records.generated.metadata import ConfigRecord
from kraftpy.records.metadata import CONFIG_FRAME
from kraftpy.records.varint import DELTAS, varint

_SIGN: Final = 0x80
"""A resource type from here on is a negative number."""
_ENDS: Final = b"\0\0"
"""No tagged fields, and behind the value no headers."""
_NO_HEADERS: Final = len(b"\0")


class ConfigColumns(NamedTuple):
    """ConfigRecords, field by field, in log order; all columns are equally long.

    Attributes:
        types: resource types.
        names: resource names.
        keys: what is set; equal neighbours are one object.
        values: what it is set to, ``None`` where the key is deleted.
    """

    types: list[int]
    names: list[str]
    keys: list[str]
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


def read_config_batch(batch: Batch) -> ConfigColumns | None:
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


def _read(data: bytes, count: int) -> ConfigColumns | None:
    columns = ConfigColumns([], [], [], [])
    types, names, keys, values = columns
    key, key_bytes = "", string_prefix(0)
    at = BATCH_HEADER_BYTES
    for pattern in DELTAS[:count]:
        # The record: its length, the pattern of its place, the value's length, the value, no headers. Varints of three
        # bytes come out too large here, and fail with what they should measure.
        length = data[at]
        at += 1
        if length >= LONG:
            length += (data[at] - 1) * LONG
            at += 1
        start, stop = at, at + (length >> 1)
        opening = pattern + _OPENINGS[(length >> 1) - len(pattern) - _NO_HEADERS]
        at += len(opening)
        if length & NEGATIVE or data[start:at] != opening:
            return None
        # The value: the resource's type and name, the key, what it is set to, no tagged fields.
        kind, size = data[at], data[at + 1]
        at += 2
        if size >= SHORT:
            size += (data[at] - 1) * SHORT
            at += 1
        end = at + size - 1
        if kind >= _SIGN or not size or end > stop:
            return None
        names.append(data[at:end].decode())
        at = end + len(key_bytes)
        if data[end:at] != key_bytes:
            key_bytes = _key_bytes(data, end)
            key = key_bytes[1:].decode()
            at = end + len(key_bytes)
        size = data[at]
        at += 1
        if size >= SHORT:
            size += (data[at] - 1) * SHORT
            at += 1
        end = at + size - 1 if size else at
        if end + len(_ENDS) != stop or data[end:stop] != _ENDS:
            return None
        types.append(kind)
        keys.append(key)
        values.append(data[at:end].decode() if size else None)
        at = stop
    return columns if at == len(data) else None


def _key_bytes(data: bytes, at: int) -> bytes:
    """Cut out a key and its length, which is one byte."""
    size = data[at]
    if not 0 < size < SHORT:
        raise FieldError(f"a length of {size - 1}")
    return data[at : at + size]


def config_records(columns: ConfigColumns) -> list[ConfigRecord]:
    """Return the records that columns stand for."""
    return [ConfigRecord(*fields) for fields in zip(*columns, strict=True)]
