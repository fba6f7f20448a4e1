"""Records as JSON values, the way ``kafka-dump-log`` shows them.

Names are lowerCamel, uuids their 22 characters, bytes base64, 64-bit integers plain numbers, and tagged fields at their
default are left out as they are on the wire. Unknown tagged fields are not shown. JSON has no number for what is none
(the limit of a quota may be NaN): that is a text, as Jackson writes it for Kafka.

This is the only JSON form of a record. The schema of a type and version is walked once and leaves a list of
:class:`JsonField`; what shows many records at a time, column by column, reads the same list.

Source: Kafka ``JsonConverter``; ``tools`` §5.
"""

from __future__ import annotations

import binascii
import json
import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

from kraftpy.model.ids import ZERO_UUID, uuid_to_text
from kraftpy.records.codec import Message
from kraftpy.records.control import ControlRecord, UnknownControlRecord, control_type, control_type_name
from kraftpy.records.metadata import LogRecord, UnknownRecord, type_name
from kraftpy.records.schema import Field, Struct, structs_by_class

Json: TypeAlias = dict[str, Any]
_Show: TypeAlias = Callable[[Any], Any]
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class JsonField(NamedTuple):
    """How a field of a message becomes JSON in one version.

    Attributes:
        attribute: its name in Python: ``broker_id``.
        name: its name in JSON: ``brokerId``.
        show: turns a value that is not null into JSON; ``None`` when the value is JSON already.
        is_default: whether a value is left out; ``None`` for a field that is always shown.
    """

    attribute: str
    name: str
    show: _Show | None
    is_default: Callable[[Any], bool] | None


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
        version = record.version
    return {"type": type_name(record), "version": version, "data": data_to_json(record, version)}


def data_to_json(record: LogRecord | ControlRecord, version: int) -> Json:
    """Show the fields that a record has in a version. Secrets are shown as they are.

    An unknown record shows what is known of it: its key, and its bytes as base64.
    """
    if isinstance(record, UnknownRecord):
        return {"apiKey": record.api_key, "payload": _base64(record.payload)}
    if isinstance(record, UnknownControlRecord):
        return {"type": record.type, "key": _base64(record.key), "value": _base64(record.value)}
    return _show_fields(json_fields(type(record), version), record)


def data_to_text(record: LogRecord | ControlRecord, version: int) -> str:
    """Write the fields that a record has in a version as one compact JSON object: :func:`data_to_json` as text."""
    return _encode(data_to_json(record, version))


def json_fields(message: type[Message], version: int) -> tuple[JsonField, ...]:
    """Return the fields that a message has in a version, in the order in which JSON shows them."""
    return _fields_of(message.__name__, version)


@cache
def _fields_of(class_name: str, version: int) -> tuple[JsonField, ...]:
    return _json_fields(structs_by_class()[class_name], version)


def control_to_json(record: ControlRecord, *, as_kafka: bool = False) -> Json:
    """Show the fields of a control record; ``as_kafka`` without the tagged fields of ours."""
    shown = data_to_json(record, 0)
    if as_kafka and not isinstance(record, UnknownControlRecord):
        fields = structs_by_class()[type(record).__name__].fields
        ours = {field.text_name for field in fields if field.tag is not None and field.tag >= OUR_TAGS_FROM}
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


def _json_fields(struct: Struct, version: int) -> tuple[JsonField, ...]:
    return tuple(
        JsonField(
            field.attribute,
            field.text_name,
            _show_of(field, version),
            None if field.tag is None else _default_test(field),
        )
        for field in struct.fields_in(version)
    )


def _show_fields(fields: tuple[JsonField, ...], value: object) -> Json:
    shown: Json = {}
    for attribute, name, show, is_default in fields:
        each = getattr(value, attribute)
        if is_default is not None and is_default(each):
            continue
        shown[name] = each if show is None or each is None else show(each)
    return shown


def _show_of(field: Field, version: int) -> _Show | None:
    """Return what turns a value of a field into JSON, ``None`` when it is JSON already."""
    show: _Show | None = None
    if field.struct is not None:
        show = partial(_show_fields, _json_fields(field.struct, version))
    elif field.kind == "uuid":
        show = uuid_to_text
    elif field.kind == "float64":
        show = number_to_json
    elif field.kind in {"bytes", "records"}:
        show = _base64
    if not field.is_array or show is None:
        return show
    return partial(_show_all, show)


def _show_all(show: _Show, values: list[Any]) -> list[Any]:
    return [show(value) for value in values]


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


def number_to_json(number: float) -> float | str:
    """Return a number that JSON has, or the word that Java has for it."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _base64(value: bytes) -> str:
    return binascii.b2a_base64(value, newline=False).decode("ascii")
