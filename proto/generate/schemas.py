"""The schemas as a Python module per family: what the service looks up when it shows a message or names a field.

Codecs do not read them; they are straight-line code. ``metadata_levels`` has what ``levels.json`` states.
"""

from __future__ import annotations

from collections.abc import Iterator

from kraftpy.records.schema import ALL_VERSIONS, Field, MessageSpec, Struct, Versions
from proto.generate.kafka_json import specs
from proto.generate.levels import METADATA_LEVELS

_HEADER = '"""Generated from ``proto/kafka/{source}`` by ``python -m proto.generate``; do not edit."""\n'


def render(family: str) -> dict[str, str]:
    """Return the files of a family below ``kraftpy/records/generated``: path to text.

    Args:
        family: ``metadata``, ``control`` or ``rpc``.
    """
    files = {f"{family}_schema.py": "\n".join(_schema_lines(family)) + "\n"}
    if family == "metadata":
        files["metadata_levels.py"] = "\n".join(_level_lines()) + "\n"
    return files


def _schema_lines(family: str) -> Iterator[str]:
    yield _HEADER.format(source=family)
    yield from ("from __future__ import annotations", "", "from typing import Final", "")
    yield from ("from kraftpy.records.schema import Field, MessageSpec, Struct, Versions", "")
    for message in specs(family):
        for struct in message.structs:
            yield f'{_constant(struct)} = Struct("{struct.name}", "{struct.class_name}", ('
            yield from (f"    {_field(field)}," for field in struct.fields)
            yield "))"
    yield from ("", "MESSAGES: Final = (")
    yield from (f"    {_message(message)}," for message in specs(family))
    yield from (")", '"""Every message of the family."""')


def _constant(struct: Struct) -> str:
    return f"_{struct.class_name}"


def _field(field: Field) -> str:
    parts = [f'"{field.name}"', f'"{field.kind}"']
    parts += [f"{name}=True" for name in ("is_array", "is_nullable") if getattr(field, name)]
    if field.versions != ALL_VERSIONS:
        parts.append(f"versions={_versions(field.versions)}")
    if field.tag is not None:
        parts.append(f"tag={field.tag}")
    if field.default is not None:
        parts.append(f'default="{field.default}"')
    parts += [f"{name}=True" for name in ("is_ignorable", "is_plain") if getattr(field, name)]
    if field.struct is not None:
        parts.append(f"struct={_constant(field.struct)}")
    return f"Field({', '.join(parts)})"


def _message(message: MessageSpec) -> str:
    structs = ", ".join(map(_constant, message.structs))
    ranges = f"{_versions(message.versions)}, {_versions(message.flexible)}"
    return f'MessageSpec({message.api_key}, "{message.name}", {ranges}, ({structs},))'


def _versions(versions: Versions) -> str:
    return f"Versions({versions.low}, {versions.high})"


def _level_lines() -> Iterator[str]:
    names = [message.name for message in specs("metadata")]
    levels = {name: METADATA_LEVELS[name] for name in names}
    late = {name: each.fields for name, each in levels.items() if each.fields}
    own = {name: each.schema_set for name, each in levels.items() if each.schema_set is not None}
    attributes = {
        (message.name, field.name): field.attribute for message in specs("metadata") for field in message.root.fields
    }
    yield _HEADER.format(source="levels.json")
    yield from ("from __future__ import annotations", "", "from typing import Final", "")
    yield "from kraftpy.model.features import SchemaSet"
    yield "from kraftpy.records.codec import Record"
    yield "from kraftpy.records.generated.metadata import ("
    yield from (f"    {name}," for name in sorted(names))
    yield from (")", "", "LEVELS: Final[dict[type[Record], tuple[int, ...]]] = {")
    yield from (f"    {name}: {each.levels}," for name, each in levels.items())
    yield from ("}", '"""The metadata.version levels from which versions 0, 1 ... of a record are written."""', "")
    yield "FIELD_LEVELS: Final[dict[type[Record], tuple[tuple[str, int], ...]]] = {"
    for name, fields in late.items():
        rows = "".join(f'("{attributes[name, field]}", {level}), ' for field, level in fields.items())
        yield f"    {name}: ({rows.rstrip(' ')}),"
    yield from ("}", '"""Tagged fields that come later than the version that has them, and their levels."""', "")
    yield "SCHEMA_SETS: Final[dict[type[Record], SchemaSet]] = {"
    yield from (f"    {name}: {schema_set}," for name, schema_set in own.items())
    yield from ("}", '"""The records that one schema set alone has. All sets have the others."""')
