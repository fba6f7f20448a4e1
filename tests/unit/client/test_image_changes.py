"""The records of an image as values: all kinds, across a change of level, without what is no change."""

from __future__ import annotations

import random

import pytest

from kraftpy.client import ImageRecords, MalformedError, Uuid
from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.codec import Record
from kraftpy.records.control import LeaderChangeMessage
from kraftpy.records.metadata import (
    ClusterIdRecord,
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
    TopicRecord,
    decode_record,
    encode_for_level,
    encode_record,
)
from kraftpy.records.metadata_changes import is_change
from kraftpy.records.schema import load
from tests.unit.records.instances import instance

LEVEL = 41
RAW = bytes(range(16))
FIRST = FeatureLevelRecord(name="metadata.version", feature_level=LEVEL)
CONFIG = ConfigRecord(resource_type=2, resource_name="t", name="a", value="1")
SCHEMAS = [one for one in load("metadata") if is_change(one.name)]


def image(*batches: list[Record]) -> ImageRecords:
    """The state that these records make, a batch for each list."""
    encoded = [[encode_for_level(record, LEVEL) for record in records] for records in batches]
    data = b"".join(encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0) for values in encoded)
    return ImageRecords(end_offset=9, epoch=1, records=data)


def test_records_come_in_their_order_with_uuids_as_values():
    """The level at the start decides what the number 29 means in what follows."""
    topic = TopicRecord(name="t", topic_id=RAW)
    found = list(image([FIRST, ClusterIdRecord(cluster_id="c"), NoOpRecord()], [topic, CONFIG]).changes())
    assert found == [FIRST, ClusterIdRecord(cluster_id="c"), topic, CONFIG]
    assert type(found[2].topic_id) is Uuid


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda one: one.name)
def test_every_kind_has_its_uuids(schema):
    """Alone and in lists; what is null stays null, and no struct inside has one that would be missed."""
    assert [field.kind for struct in schema.structs[:-1] for field in struct.fields if field.kind == "uuid"] == []
    rng = random.Random(schema.name)
    level = 34 if schema.name == "UnregisterControllerRecord" else 42
    first = FeatureLevelRecord(name="metadata.version", feature_level=level)
    for _ in range(20):
        made = instance("metadata", schema, schema.versions.high, rng)
        made.unknown_tags = ()
        value = encode_record(made, schema.versions.high)
        data = encode_batch([encode_record(first, 0), value], base_offset=0, epoch=1, timestamp_ms=0)
        (_, found) = ImageRecords(end_offset=2, epoch=1, records=data).changes()
        assert found == decode_record(value, SchemaSet.for_level(level))
        values = [getattr(found, field.attribute) for field in schema.root.fields if field.kind == "uuid"]
        each = [one for value in values if value is not None for one in (value if isinstance(value, list) else [value])]
        assert {type(one) for one in each} <= {Uuid}


def test_other_batches_and_unknown_records_are_left_out():
    """What marks a leader or the ends of a snapshot, and a record of a newer version."""
    control = encode_control_batch([LeaderChangeMessage()], base_offset=0, epoch=1, timestamp_ms=0)
    newer = encode_batch([b"\1\x7f\0\0"], base_offset=1, epoch=1, timestamp_ms=0)
    records = control + image([FIRST]).records + newer + image([CONFIG]).records
    assert list(ImageRecords(end_offset=4, epoch=1, records=records).changes()) == [FIRST, CONFIG]


def test_what_is_malformed_is_an_error():
    data = image([FIRST, CONFIG]).records
    with pytest.raises(MalformedError):
        list(ImageRecords(end_offset=2, epoch=1, records=data[:-1]).changes())
