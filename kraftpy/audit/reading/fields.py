"""A record's fields: decoding without a log around it, and JSON in Kafka's names, fast.

``records.json_text`` walks the schema for every field of every record. A table of a million records needs it quicker:
here the walk is done once per type and version and leaves a list of (attribute, name, how to show it). The texts are
the same as ``kafka-dump-log``'s data, which a test compares.
"""

from __future__ import annotations

import binascii
import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, TypeAlias

from kraftpy.model.features import SchemaSet
from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.control import ControlRecord, UnknownControlRecord
from kraftpy.records.json_text import number_to_json
from kraftpy.records.metadata import LogRecord, UnknownRecord, decode_record
from kraftpy.records.schema import Field, Struct, structs_by_class

_Show: TypeAlias = Callable[[Any], Any]
_Row: TypeAlias = tuple[str, str, _Show | None, Callable[[Any], bool] | None]

_CONTESTED: Final = 29
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def decode(value: bytes) -> LogRecord:
    """Read a record without knowing the metadata.version in force.

    Only apiKey 29 depends on it, and there the forms tell the two meanings apart.

    Raises:
        MalformedError: when the frame or the message breaks a rule.
    """
    record = decode_record(value, SchemaSet.KRAFTPY)
    if isinstance(record, UnknownRecord) and record.api_key == _CONTESTED:
        return decode_record(value, SchemaSet.KAFKA_4_4)
    return record


def fields_json(record: LogRecord | ControlRecord, version: int) -> str:
    """Show the fields that a record has in a version, as one compact JSON object.

    Secrets are shown as they stand: this is a reading of the file, and the raw bytes hold them, too.
    """
    if isinstance(record, UnknownRecord):
        return _encode({"apiKey": record.api_key, "payload": _base64(record.payload)})
    if isinstance(record, UnknownControlRecord):
        return _encode({"type": record.type, "key": _base64(record.key), "value": _base64(record.value)})
    return _encode(fields_of(record, version))


def fields_of(record: Any, version: int) -> dict[str, Any]:
    """Return the fields that a known record has in a version, by Kafka's names."""
    return _show(_plan(type(record).__name__, version), record)


@cache
def _plan(class_name: str, version: int) -> tuple[_Row, ...]:
    return _plan_of(structs_by_class()[class_name], version)


def _plan_of(struct: Struct, version: int) -> tuple[_Row, ...]:
    return tuple(
        (field.attribute, field.text_name, _shown(field, version), None if field.tag is None else _default_test(field))
        for field in struct.fields_in(version)
    )


def _show(plan: tuple[_Row, ...], value: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for attribute, name, show, is_default in plan:
        each = getattr(value, attribute)
        if is_default is not None and is_default(each):
            continue
        shown[name] = each if show is None or each is None else show(each)
    return shown


def _shown(field: Field, version: int) -> _Show | None:
    """Return how a field's value becomes JSON, ``None`` when it is JSON already."""
    one: _Show | None = None
    if field.struct is not None:
        one = partial(_show, _plan_of(field.struct, version))
    elif field.kind == "uuid":
        one = _uuid_text
    elif field.kind in {"bytes", "records"}:
        one = _base64
    elif field.kind == "float64":
        one = number_to_json
    if not field.is_array or one is None:
        return one
    return lambda values: [one(value) for value in values]


def _default_test(field: Field) -> Callable[[Any], bool]:
    if field.default == "null":
        return lambda value: value is None
    if field.is_array:
        return lambda value: value is not None and not value
    if field.kind == "uuid":
        return lambda value: bool(value == ZERO_UUID)
    if field.default is not None:
        return lambda value: value is not None and str(value).lower() == field.default
    return lambda value: value is not None and not value


def _uuid_text(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")[:22].replace("+", "-").replace("/", "_")


def _base64(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")
