"""Random messages made from the schemas, and a plain decoder of the schemas' own notation for comparison."""

from __future__ import annotations

import json
import os
import random
import struct
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kraftpy.records.codec import Message
from kraftpy.records.schema import FAMILIES, Field, Struct, load
from kraftpy.records.schema import MessageSpec as Schema

SCHEMAS = Path(
    os.environ.get("KRAFTPY_KAFKA_SCHEMAS") or Path(__file__).parents[4] / "shared" / "reference" / "schemas"
)
"""Kafka's own files, which are not part of this repository; tests that compare with them skip where they are absent."""

OUR_TAGS_FROM = 1000
"""Tagged fields from this number on are ours; to anybody else they are unknown tags."""


def is_ours(field: Field) -> bool:
    """Return whether a field is one that only kraftpy knows."""
    return field.tag is not None and field.tag >= OUR_TAGS_FROM


_BOUNDS = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
}
_TEXTS = ("", "a", "topic-1", "ärger", "日本語", "\0", "x" * 126, "x" * 127, "y" * 300, "🙂")


def generated(family: str) -> Any:
    """Return a generated module."""
    return import_module(f"kraftpy.records.generated.{family}")


def every_version() -> list[Any]:
    """Return (family, schema, version) of every message there is, as pytest parameters."""
    return [
        pytest.param(family, schema, version, id=f"{schema.name}-v{version}")
        for family in FAMILIES
        for schema in load(family)
        for version in schema.version_numbers()
    ]


def codec_of(family: str, schema: Schema, version: int) -> tuple[Any, Any]:
    """Return the decoder and encoder of a message in a version."""
    module = generated(family)
    return module.CODECS[getattr(module, schema.name), version]


class MildRandom(random.Random):
    """Draws only numbers that an oracle with richer types (enums, dates) can hold."""


def instance(family: str, schema: Schema, version: int, rng: random.Random, *, tags: bool = True) -> Message:
    """Make a random message that can be written in a version."""
    return _struct(generated(family), schema, schema.root, version, rng, tags=tags)


def _struct(module: Any, schema: Schema, shape: Struct, version: int, rng: random.Random, *, tags: bool) -> Any:
    values = {
        field.attribute: _value(module, schema, field, version, rng, tags=tags)
        for field in shape.fields_in(version)
        if rng.random() < 0.85 and (tags or not is_ours(field))
    }
    made = getattr(module, shape.class_name)(**values)
    if tags and version in schema.flexible and rng.random() < 0.2:
        numbers = sorted({rng.choice((900, 5000, 2**31)), 901})
        made.unknown_tags = tuple((number, rng.randbytes(rng.choice((0, 3, 200)))) for number in numbers)
    return made


def _value(module: Any, schema: Schema, field: Field, version: int, rng: random.Random, *, tags: bool) -> Any:
    if field.is_nullable and rng.random() < 0.2:
        return None
    if field.is_array:
        count = rng.choice((0, 1, 2, 3, 70, 130) if field.struct is None else (0, 1, 2, 3))
        return [_element(module, schema, field, version, rng, tags=tags) for _ in range(count)]
    return _element(module, schema, field, version, rng, tags=tags)


def _element(module: Any, schema: Schema, field: Field, version: int, rng: random.Random, *, tags: bool) -> Any:
    if field.struct is not None:
        return _struct(module, schema, field.struct, version, rng, tags=tags)
    if field.kind in _BOUNDS:
        if isinstance(rng, MildRandom):
            return rng.choice((0, 1, 2, 3, 29))
        low, high = _BOUNDS[field.kind]
        return rng.choice((low, high, max(low, -1), 0, 1, rng.randint(low, high)))
    if field.kind == "bool":
        return rng.random() < 0.5
    if field.kind == "float64":
        return rng.choice((0.0, 1024.0, -0.5, 1e300))
    if field.kind == "uuid":
        return rng.choice((bytes(16), rng.randbytes(16)))
    if field.kind == "string":
        return rng.choice(_TEXTS)
    return rng.randbytes(rng.choice((0, 1, 126, 127, 128, 5000)))


def normal_form(value: Any) -> Any:
    """Turn a message into plain tuples, so that failures print well."""
    if isinstance(value, list):
        return [normal_form(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: normal_form(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


class PlainEncoder:
    """An encoder that walks the schema field by field: slow, simple, and written apart from the generated code."""

    def __init__(self, schema: Schema, version: int) -> None:
        self.version = version
        self.flexible = version in schema.flexible

    def message(self, shape: Struct, value: Any) -> bytes:
        """Encode a struct with its tagged section."""
        tags = dict(value.unknown_tags)
        out = b""
        for field in shape.fields_in(self.version):
            each = getattr(value, field.attribute)
            if field.tag is None:
                out += self.field(field, each)
            elif not self.is_default(field, each):
                tags[field.tag] = self.field(field, each)
        if self.flexible:
            out += leb(len(tags))
            for tag in sorted(tags):
                out += leb(tag) + leb(len(tags[tag])) + tags[tag]
        return out

    def field(self, field: Field, value: Any) -> bytes:
        """Encode one field."""
        if not field.is_array:
            return self.element(field, value)
        if value is None:
            return self.length(field, -1, 4)
        return self.length(field, len(value), 4) + b"".join(self.element(field, each) for each in value)

    def element(self, field: Field, value: Any) -> bytes:
        """Encode one value that is not an array."""
        if field.struct is not None:
            return self.message(field.struct, value)
        formats = {"int8": "b", "int16": "h", "uint16": "H", "int32": "i", "int64": "q", "bool": "?", "float64": "d"}
        if field.kind in formats:
            return struct.pack(">" + formats[field.kind], value)
        if field.kind == "uuid":
            return bytes(value)
        width = 2 if field.kind == "string" else 4
        if value is None:
            return self.length(field, -1, width)
        raw = value.encode() if field.kind == "string" else value
        return self.length(field, len(raw), width) + raw

    def length(self, field: Field, length: int, width: int) -> bytes:
        """Encode a length; -1 is null."""
        if self.flexible and not field.is_plain:
            return leb(length + 1)
        return length.to_bytes(width, "big", signed=True)

    def is_default(self, field: Field, value: Any) -> bool:
        """Return whether a tagged field is left out."""
        if field.default == "null":
            return value is None
        if value is None:
            return False
        if field.is_array or field.kind in {"string", "bytes"}:
            return len(value) == 0
        if field.struct is not None:
            return value == type(value)()
        if field.kind == "uuid":
            return value == bytes(16)
        if field.kind == "bool":
            return value is (field.default == "true")
        return value == int(field.default or 0)


def leb(value: int) -> bytes:
    """Encode an unsigned varint, the obvious way."""
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + leb(value // 128)


def load_json(path: Path) -> Any:
    """Read a schema file: JSON with comments to the end of the line."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        inside = False
        for place, character in enumerate(line):
            if character == '"':
                inside = not inside
            if not inside and line.startswith("//", place):
                lines.append(line[:place])
                break
        else:
            lines.append(line)
    return json.loads("\n".join(lines))


def schema_files() -> Iterator[tuple[str, Path]]:
    """Iterate over (family, file) of the reference schemas, if they are there."""
    for family in FAMILIES:
        for path in sorted((SCHEMAS / family).glob("*.json")):
            yield family, path
