"""Records as JSON values, the way ``kafka-dump-log`` shows them.

Names are lowerCamel, uuids their 22 characters, bytes base64, 64-bit integers plain numbers, and tagged fields at their
default are left out as they are on the wire. Unknown tagged fields are not shown. JSON has no number for what is none
(the limit of a quota may be NaN): that is a text, as Jackson writes it for Kafka.

Source: Kafka ``JsonConverter``; ``tools`` §5.
"""

from __future__ import annotations

import binascii
import math
from typing import Any, Final, TypeAlias

from kraftpy.model.ids import ZERO_UUID, uuid_to_text
from kraftpy.records.codec import Record
from kraftpy.records.control import ControlRecord, UnknownControlRecord, control_type, control_type_name
from kraftpy.records.metadata import LogRecord, UnknownRecord, type_name
from kraftpy.records.schema import Field, Struct, structs_by_class

Json: TypeAlias = dict[str, Any]

OUR_TAGS_FROM: Final = 1_000
"""Tagged fields from this number on are ours."""

_SHOWN_AS: Final = {2: "LeaderChange:", 3: "SnapshotHeader", 4: "SnapshotFooter", 5: "KRaftVersion", 6: "KRaftVoters"}
"""The control records that Kafka's tool shows with their content; the others only with their type."""


def record_to_json(record: LogRecord, version: int) -> Json:
    """Show a metadata record as ``{"type": ..., "version": ..., "data": {...}}``.

    Args:
        record: what was decoded.
        version: the record's version, as its frame said.
    """
    if isinstance(record, UnknownRecord):
        shown: Json = {"apiKey": record.api_key, "payload": _base64(record.payload)}
        return {"type": type_name(record), "version": record.version, "data": shown}
    return {"type": type_name(record), "version": version, "data": data_to_json(record, version)}


def data_to_json(record: Record, version: int) -> Json:
    """Show the fields that a metadata record has in a version."""
    return _struct(structs_by_class()[type(record).__name__], record, version)


def control_to_json(record: ControlRecord, *, as_kafka: bool = False) -> Json:
    """Show the fields of a control record; ``as_kafka`` without the tagged fields of ours."""
    if isinstance(record, UnknownControlRecord):
        return {"type": record.type, "key": _base64(record.key), "value": _base64(record.value)}
    struct = structs_by_class()[type(record).__name__]
    shown = _struct(struct, record, 0)
    if as_kafka:
        ours = {field.text_name for field in struct.fields if field.tag is not None and field.tag >= OUR_TAGS_FROM}
        shown = {name: value for name, value in shown.items() if name not in ours}
    return shown


def control_record_to_json(record: ControlRecord) -> Json:
    """Show a control record as :func:`record_to_json` shows others; its type is the word before the number."""
    return {"type": control_type_name(record), "version": 0, "data": control_to_json(record)}


def control_label(record: ControlRecord) -> str | None:
    """Return the word that Kafka's tool puts before a control record's JSON, ``None`` where it shows no JSON."""
    return _SHOWN_AS.get(control_type(record))


def control_type_text(record: ControlRecord) -> str:
    """Return how Kafka's tool shows the type of a control record, such as ``LEADER_CHANGE(2)``."""
    return f"{control_type_name(record)}({control_type(record)})"


def _struct(struct: Struct, value: object, version: int) -> Json:
    shown: Json = {}
    for field in struct.fields_in(version):
        each = getattr(value, field.attribute)
        if field.tag is None or not _is_default(field, each):
            shown[field.text_name] = _value(field, each, version)
    return shown


def _value(field: Field, value: Any, version: int) -> Any:
    if value is None:
        return None
    if field.is_array:
        return [_element(field, each, version) for each in value]
    return _element(field, value, version)


def _element(field: Field, value: Any, version: int) -> Any:
    if field.struct is not None:
        return _struct(field.struct, value, version)
    if field.kind == "uuid":
        return uuid_to_text(value)
    if field.kind == "float64":
        return number_to_json(value)
    return _base64(value) if field.kind in {"bytes", "records"} else value


def number_to_json(number: float) -> float | str:
    """Return a number that JSON has, or the word that Java has for it."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _is_default(field: Field, value: Any) -> bool:
    if field.default == "null":
        return value is None
    if field.is_array or value is None:
        return value is not None and not value
    if field.kind == "uuid":
        return bool(value == ZERO_UUID)
    if field.default is not None:
        return str(value).lower() == field.default
    return not value


def _base64(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")
