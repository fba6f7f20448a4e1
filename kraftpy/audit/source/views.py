"""The tables of the data source: records, batches, files, properties, and one per record type.

A typed view has a column for each field of its record type, in Python's spelling (``topic_id``), with arrays and
structs where the record has them. PySpark 4.3 has no hook for column pruning, so narrow views are what saves decoding
and transfer. Columns with the position of a record begin with ``log_``, since records have fields named ``epoch`` and
``version``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import (
    BATCH_COLUMNS,
    FILE_COLUMNS,
    PROPERTY_COLUMNS,
    RECORD_COLUMNS,
    Columns,
    arrow_schema,
    spark_ddl,
)
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.metadata import METADATA_RECORDS
from kraftpy.records.schema import Field, load, snake_case

RECORDS: Final = "records"
BATCHES: Final = "batches"
FILES: Final = "files"
PROPERTIES: Final = "properties"
_PLAIN: Final[dict[str, Columns]] = {
    RECORDS: RECORD_COLUMNS, BATCHES: BATCH_COLUMNS, FILES: FILE_COLUMNS, PROPERTIES: PROPERTY_COLUMNS,
}  # fmt: skip

_DDL: Final = {
    "bool": "BOOLEAN", "int8": "INT", "int16": "INT", "int32": "INT", "uint16": "INT", "int64": "BIGINT",
    "uint32": "BIGINT", "float64": "DOUBLE", "string": "STRING", "uuid": "STRING", "bytes": "BINARY",
}  # fmt: skip
_ARROW: Final = {
    "BOOLEAN": "bool_", "INT": "int32", "BIGINT": "int64", "DOUBLE": "float64", "STRING": "string", "BINARY": "binary",
}  # fmt: skip
_IN_FRONT: Final = (
    ("cluster", "STRING"), ("node", "STRING"), ("file", "STRING"), ("kind", "STRING"), ("log_offset", "BIGINT"),
    ("log_epoch", "INT"), ("log_timestamp_ms", "BIGINT"), ("record_version", "INT"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TypedView:
    """The table of one record type.

    Attributes:
        name: such as ``partition_changes``.
        record: Kafka's name of the type, such as ``PartitionChangeRecord``.
        api_key: its number.
        fields: the message's fields, of all versions.
    """

    name: str
    record: str
    api_key: int
    fields: tuple[Field, ...]

    @property
    def names(self) -> list[str]:
        """The columns' names, in order."""
        return [*(name for name, _ in _IN_FRONT), *(field.attribute for field in self.fields), "problem"]

    def ddl(self) -> str:
        """Return the schema as Spark writes it."""
        fields = [(field.attribute, _ddl(field)) for field in self.fields]
        return ", ".join(f"`{name}` {kind}" for name, kind in (*_IN_FRONT, *fields, ("problem", "STRING")))

    def arrow_schema(self) -> Any:
        """Return the schema as Arrow has it."""
        pa = extra("pyarrow")
        front = [pa.field(name, _arrow(kind)) for name, kind in _IN_FRONT]
        fields = [pa.field(field.attribute, _arrow_of(field)) for field in self.fields]
        return pa.schema([*front, *fields, pa.field("problem", pa.string())])

    def extractors(self) -> list[tuple[str, Callable[[Any], Any] | None]]:
        """Return each field's attribute, and the function that makes its value a plain one."""
        return [(field.attribute, _plain(field)) for field in self.fields]


@cache
def typed_views() -> dict[str, TypedView]:
    """Return all typed views by name."""
    keys = {record.NAME: record.API_KEY for record in METADATA_RECORDS}
    views: dict[str, TypedView] = {}
    for message in load("metadata"):
        name = _plural(snake_case(message.name.removesuffix("Record")))
        views[name] = TypedView(name, message.name, keys[message.name], message.root.fields)
    return views


def view_names() -> list[str]:
    """Return the names of all views."""
    return [*_PLAIN, *typed_views()]


def view_ddl(view: str) -> str:
    """Return the schema of a view as Spark writes it; every column may be NULL, so that a user's schema fits, too."""
    return spark_ddl(_PLAIN[view]).replace(" NOT NULL", "") if view in _PLAIN else typed_views()[view].ddl()


def view_schema(view: str) -> Any:
    """Return the schema of a view as Arrow has it."""
    if view not in _PLAIN:
        return typed_views()[view].arrow_schema()
    return extra("pyarrow").schema([field.with_nullable(nullable=True) for field in arrow_schema(_PLAIN[view])])


def _plural(name: str) -> str:
    if name.endswith("y"):
        return name[:-1] + "ies"
    return name if name.endswith("s") else name + "s"


def _ddl(field: Field) -> str:
    if field.struct is None:
        one = _DDL[field.kind]
    else:
        one = "STRUCT<" + ", ".join(f"`{each.attribute}`: {_ddl(each)}" for each in field.struct.fields) + ">"
    return f"ARRAY<{one}>" if field.is_array else one


def _arrow(ddl: str) -> Any:
    return getattr(extra("pyarrow"), _ARROW[ddl])()


def _arrow_of(field: Field) -> Any:
    pa = extra("pyarrow")
    if field.struct is None:
        one = _arrow(_DDL[field.kind])
    else:
        one = pa.struct([pa.field(each.attribute, _arrow_of(each)) for each in field.struct.fields])
    return pa.list_(one) if field.is_array else one


def _plain(field: Field) -> Callable[[Any], Any] | None:
    """Return the function that makes a field's value a plain one; ``None`` if it is plain already."""
    one: Callable[[Any], Any] | None = None
    if field.struct is not None:
        inner = [(each.attribute, _plain(each)) for each in field.struct.fields]
        one = partial(_attributes, inner)
    elif field.kind == "uuid":
        one = uuid_to_text
    if one is None or not field.is_array:
        return one
    return lambda values: [one(value) for value in values]


def _attributes(inner: Sequence[tuple[str, Callable[[Any], Any] | None]], value: Any) -> dict[str, Any]:
    return {name: _made(getattr(value, name), make) for name, make in inner}


def _made(value: Any, make: Callable[[Any], Any] | None) -> Any:
    return value if make is None or value is None else make(value)
