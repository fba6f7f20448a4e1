"""A whole state as changes: what the records of an image decode to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard, get_args

from kraftpy.client.records import FeatureLevelRecord, MetadataChange
from kraftpy.client.uuids import Uuid
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.records.batch import iterate_batches
from kraftpy.records.metadata import LogRecord, decode_record
from kraftpy.records.schema import Field, load

_KINDS: Final = frozenset(get_args(MetadataChange))

_UUIDS: Final[dict[str, tuple[Field, ...]]] = {
    message.name: tuple(field for field in message.root.fields if field.kind == "uuid") for message in load("metadata")
}
"""The fields of each record that are uuids, or lists of them; no struct inside a record has any."""


def changes_in(records: bytes) -> Iterator[MetadataChange]:
    """Iterate over the changes that make a state of nothing; records of a type that is unknown here are left out.

    Args:
        records: the batches of a snapshot, which sets the metadata.version of its records by itself.

    Raises:
        MalformedError: a batch or a record cannot be read.
    """
    schema = SchemaSet.KAFKA
    for batch in iterate_batches(records):
        for value in () if batch.is_control else batch.values():
            record = decode_record(value, schema)
            if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
                schema = SchemaSet.for_level(record.feature_level)
            if _is_change(record):
                yield _with_uuids(record)


def _is_change(record: LogRecord) -> TypeGuard[MetadataChange]:
    return type(record) in _KINDS


def _with_uuids(record: MetadataChange) -> MetadataChange:
    """Make values of the uuids in a record that was just decoded."""
    for field in _UUIDS[record.NAME]:
        value = getattr(record, field.attribute)
        if value is not None:
            setattr(record, field.attribute, [Uuid(each) for each in value] if field.is_array else Uuid(value))
    return record
