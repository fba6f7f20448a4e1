"""The records of one batch, one by one; ``frames`` reads those of many batches. Only a record's frame is decoded."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final

from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.model.features import SchemaSet
from kraftpy.records.codec import read_uvarint
from kraftpy.records.metadata import LogRecord, UnknownRecord, decode_record

UNREADABLE_KEY: Final = -1
"""The api key and version of a record whose frame cannot be read; replay reports the problem."""

_CONTESTED_KEY: Final = 29
_CONTROL_KEY: Final = Struct(">hh")
_LONG: Final = 128
"""A first byte of this or more means that the varint continues."""


def decode(value: bytes) -> LogRecord:
    """Decode a metadata record without knowing the metadata.version in force.

    Only api key 29 depends on it (two releases use it for different records), and there the bytes fit one of them only.

    Raises:
        MalformedError: when the frame or the message breaks a rule.
    """
    record = decode_record(value, SchemaSet.KRAFTPY)
    if isinstance(record, UnknownRecord) and record.api_key == _CONTESTED_KEY:
        return decode_record(value, SchemaSet.KAFKA_4_4)
    return record


def frame_of(value: bytes) -> tuple[int, int]:
    """Return a record's api key and version from its frame; both are -1 where the frame breaks a rule."""
    try:
        if value[0] == 1 and value[1] < _LONG and value[2] < _LONG:
            return value[1], value[2]
        frame, at = read_uvarint(value, 0)
        api_key, at = read_uvarint(value, at)
        version, _ = read_uvarint(value, at)
    except (IndexError, ValueError):
        return UNREADABLE_KEY, UNREADABLE_KEY
    return (api_key, version) if frame == 1 and max(api_key, version) < 2**15 else (UNREADABLE_KEY, UNREADABLE_KEY)


def control_type_of(key: bytes) -> int:
    """Return a control record's type from its key, -1 where that is too short."""
    control_type: int = _CONTROL_KEY.unpack_from(key)[1] if len(key) >= _CONTROL_KEY.size else UNREADABLE_KEY
    return control_type


def entries_of(split: InputSplit, found: ScannedRange) -> Iterator[Entry]:
    """Yield the records of a batch; a batch with a problem has none."""
    batch = found.batch
    if batch is None or found.problem is not None:
        return
    path, kind = split.file.path, split.file.kind
    epoch, time_ms = batch.epoch, batch.base_timestamp_ms
    for offset, (key, raw) in enumerate(found.parts, batch.base_offset):
        yield Entry(path, kind, offset, epoch, time_ms, control=True, api_key=control_type_of(key), version=0, raw=raw)
    for offset, raw in enumerate(found.values, batch.base_offset):
        api_key, version = frame_of(raw)
        yield Entry(path, kind, offset, epoch, time_ms, control=False, api_key=api_key, version=version, raw=raw)
