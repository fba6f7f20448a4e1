"""JSON Schemas of what commands print, made of their members (``json_outputs``) and names (``json_fields``).

Source: JSON Schema 2020-12.
"""

from __future__ import annotations

from typing import Any, Final

from kraftpy.cli.json_fields import FIELDS, FieldType
from kraftpy.cli.json_outputs import KAFKAS, JsonOutput, Member, Members, OutputForm

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_INTEGER: Final = {"type": "integer"}
_TEXT: Final = {"type": "string"}
_UUID: Final = {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"}
_TIME: Final = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"}


def _list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _map_of(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


_TYPES: Final[dict[FieldType, dict[str, Any]]] = {
    FieldType.INTEGER: _INTEGER,
    FieldType.NUMBER: {"type": "number"},
    FieldType.TEXT: _TEXT,
    FieldType.BOOLEAN: {"type": "boolean"},
    FieldType.UUID: _UUID,
    FieldType.TIMESTAMP: _INTEGER,
    FieldType.TIME: _TIME,
    FieldType.INTEGERS: _list_of(_INTEGER),
    FieldType.TEXTS: _list_of(_TEXT),
    FieldType.UUIDS: _list_of(_UUID),
    FieldType.INTEGER_MAP: _map_of(_INTEGER),
    FieldType.NUMBER_MAP: _map_of({"type": "number"}),
    FieldType.TEXT_MAP: _map_of({"type": ["string", "null"]}),
    FieldType.UUID_MAP: _map_of(_UUID),
    FieldType.ANY: {},
}


def schema_of(output: JsonOutput) -> dict[str, Any]:
    """Return the schema of an output; of lines, that of one line."""
    shapes = [_object_schema(members) for members in output.shapes]
    match output.form:
        case OutputForm.KAFKAS:
            body = KAFKAS[output.name]
        case OutputForm.TEXTS:
            body = _list_of(_TEXT)
        case OutputForm.LIST:
            body = _list_of(_any_of(shapes))
        case _:
            body = _any_of(shapes)
    title = {"$schema": DIALECT, "title": f"kraftpy {output.name}", "description": output.form.value}
    return {**title, **body}


def _any_of(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    return shapes[0] if len(shapes) == 1 else {"oneOf": shapes}


def _object_schema(members: Members) -> dict[str, Any]:
    properties = dict(map(_property, members))
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def _property(member: Member) -> tuple[str, dict[str, Any]]:
    word, *inner = (member,) if isinstance(member, str) else member
    name, is_nullable = word.removesuffix("?"), word.endswith("?")
    field = FIELDS[name]
    if name in KAFKAS:
        body = KAFKAS[name]
    elif field.type is FieldType.OBJECT:
        body = _object_schema(tuple(inner))
    elif field.type is FieldType.OBJECTS:
        body = _list_of(_object_schema(tuple(inner)))
    else:
        body = _TYPES[field.type]
    text = {"description": field.meaning}
    if not is_nullable or field.type is FieldType.ANY:
        return name, {**text, **body}
    if "type" in body and isinstance(body["type"], str):
        return name, {**text, **body, "type": [body["type"], "null"]}
    return name, {**text, "anyOf": [body, {"type": "null"}]}


def file_name(output: JsonOutput) -> str:
    """Return the name of the file that has the schema of an output."""
    return "-".join(word.lstrip("-") for word in output.name.split()) + ".json"
