"""Record entries as values.

The contested key 29 is decoded by its form, not by the metadata.version in force, because shards must be found without
a plan. A record that its level does not allow is therefore decoded as well, and reported as illegal.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from kraftpy.audit.reading import entries
from kraftpy.audit.reading.rows import LOG, Entry
from kraftpy.records.control import ControlRecord, UnknownControlRecord, control_type_name, decode_control
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.metadata import LogRecord, UnknownRecord, type_name

_CONTROL_KEY: Final = Struct(">hh")


def replay_order(entry: Entry) -> tuple[bool, str, int]:
    """Sort key within one node: snapshots before the log, then by file and offset.

    Names of segments and snapshots have leading zeros, so that they sort as their offsets do.
    """
    return (entry.kind == LOG, entry.file, entry.offset)


def decode(entry: Entry) -> LogRecord:
    """Decode a metadata record.

    Raises:
        MalformedError: when the bytes do not match their frame.
    """
    return entries.decode(entry.raw)


def decode_control_entry(entry: Entry) -> ControlRecord:
    """Decode a control record.

    Raises:
        MalformedError: when the bytes are not the message of the type.
    """
    return decode_control(_CONTROL_KEY.pack(0, entry.api_key), entry.raw)


def entry_type(entry: Entry, record: LogRecord | ControlRecord | None) -> str:
    """Return Kafka's name of the record's type, such as ``TOPIC_RECORD`` or ``LEADER_CHANGE``."""
    if record is None:
        return "CORRUPT"
    if isinstance(record, UnknownRecord | UnknownControlRecord):
        return control_type_name(record) if isinstance(record, UnknownControlRecord) else type_name(record)
    name = _TYPE_NAMES.get(type(record))
    if name is None:
        # An entry of a control batch holds a control record.
        name = control_type_name(record) if entry.control else type_name(record)  # type: ignore[arg-type] # as said
        _TYPE_NAMES[type(record)] = name
    return name


_TYPE_NAMES: Final[dict[type, str]] = {}
"""A cache by class; there are few classes."""


def snapshot_end(file: str) -> tuple[int, int] | None:
    """Return the end offset and the epoch in a snapshot's file name, ``None`` for another name."""
    found = parse_snapshot_file_name(file.rsplit("/", 1)[-1])
    return None if found is None else (found.offset, found.epoch)
