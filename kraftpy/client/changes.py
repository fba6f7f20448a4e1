"""Typed changes of a watch as values: the records of :mod:`kraftpy.client.records`."""

from __future__ import annotations

from typing import Any, Final

from kraftpy.client.records import MetadataChange
from kraftpy.client.uuids import received
from kraftpy.model.ids import ZERO_UUID
from kraftpy.pb.v1 import changes_pb2
from kraftpy.records import metadata
from kraftpy.records.authors import Author
from kraftpy.records.metadata_changes import is_change
from kraftpy.records.schema import Field, Struct, load, snake_case

_STRUCTS: Final[dict[str, Struct]] = {
    snake_case(message.name): message.root for message in load("metadata") if is_change(message.name)
}


def record_of(change: changes_pb2.MetadataChange) -> MetadataChange | None:
    """Return the record of a change; ``None`` for one of a newer server whose type is unknown here."""
    name = change.WhichOneof("record")
    if name is None:
        return None
    record: MetadataChange = _read(getattr(change, name), _STRUCTS[name])
    return record


def author_of(change: changes_pb2.MetadataChange) -> Author | None:
    """Return who asked for a change; ``None`` where the log names no author."""
    if not change.HasField("author"):
        return None
    author = change.author
    number = author.correlation_id if author.HasField("correlation_id") else None
    return Author(author.principal, author.client_id, author.request_id, number, author.fault)


def _read(message: Any, struct: Struct) -> Any:
    values = {}
    for field in struct.fields:
        value = getattr(message, field.attribute)
        if field.is_array:
            rows = value
            if field.is_nullable:
                rows = value.values if message.HasField(field.attribute) else None
            if rows is not None:
                rows = [_element(row, field) for row in rows]
            values[field.attribute] = rows
        elif field.is_nullable and not message.HasField(field.attribute):
            values[field.attribute] = None
        else:
            values[field.attribute] = _element(value, field)
    return getattr(metadata, struct.class_name)(**values)


def _element(value: Any, field: Field) -> Any:
    """Return a value, or an element of an array."""
    if field.struct is not None:
        return _read(value, field.struct)
    if field.kind == "uuid":
        # An older server leaves out a field that it does not know, which is no uuid: the default of Kafka's schemas.
        return received(value or ZERO_UUID, field.text_name)
    return value
