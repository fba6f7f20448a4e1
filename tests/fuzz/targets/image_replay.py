"""A committed log into the image: what anybody with a wrong client could have had committed before it was checked."""

from __future__ import annotations

import random

from kraftpy.client.changes import record_of
from kraftpy.image.errors import ReplayError
from kraftpy.image.loader import MetadataLoader
from kraftpy.model.errors import MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import encode_batch, split_batches
from kraftpy.records.metadata import (
    METADATA_RECORDS,
    BrokerHostRecord,
    ClusterIdRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    UnfenceBrokerRecord,
    decode_record,
    encode_record,
)
from kraftpy.records.schema import load
from kraftpy.transport.grpc.services.watch_changes import SLICES, change_of
from kraftpy.transport.grpc.services.watch_json import RecordTexts
from tests.fuzz.target import Target
from tests.fuzz.targets.parts import UUID, VALUES, with_checksums
from tests.unit.records.instances import instance
from tests.unit.transport.kafka_node import CLUSTER, image

BASE = image()
START = BASE.provenance.offset + 1
WATCHED_MAX = 4_096


def run(data: bytes) -> None:
    """Load all batches; show the records as a watcher would see them, whether or not they can be replayed."""
    batches = split_batches(with_checksums(data))
    loader = MetadataLoader(BASE)
    texts = RecordTexts(SchemaSet.KRAFTPY)
    for batch in batches:
        for value in () if batch.is_control else batch.values()[:WATCHED_MAX]:
            assert texts._text(value)
            _convert(value)
    expected = START
    for batch in batches:
        if batch.base_offset != expected:
            return  # who calls the loader sees to that
        expected = batch.next_offset
    publications = loader.load_batches(batches)
    for publication in publications:
        assert publication.image.provenance.offset >= BASE.provenance.offset


def _convert(value: bytes) -> None:
    """Read a record from its typed change, as the client does; only unknown tags are lost."""
    try:
        record = decode_record(value, SchemaSet.KRAFTPY)
    except MalformedError:
        return
    if type(record) in SLICES:
        change = change_of(record)
        assert change_of(record_of(change)) == change


def samples():
    rng = random.Random(4)
    schemas = {schema.name: schema for schema in load("metadata")}
    yield "plain", encode_batch(VALUES, base_offset=START, epoch=1, timestamp_ms=9)
    yield "life", encode_batch([*VALUES, *entity_history()], base_offset=START, epoch=1, timestamp_ms=9)
    named = [
        encode_record(FeatureLevelRecord("metadata.version", 42), 0),
        encode_record(ClusterIdRecord(CLUSTER), 0),
        encode_record(BrokerHostRecord(broker_id=1, host="h"), 0),
    ]
    yield "named", encode_batch(named, base_offset=START, epoch=1, timestamp_ms=9)
    for cls in METADATA_RECORDS:
        record = instance("metadata", schemas[cls.NAME], cls.MAX_VERSION, rng)
        for name in ("topic_id", "id"):
            if hasattr(record, name) and isinstance(getattr(record, name), bytes):
                setattr(record, name, UUID)
        values = [*VALUES, *entity_history(), encode_record(record, cls.MAX_VERSION)]
        if sum(map(len, values)) < 3000:
            yield cls.NAME, encode_batch(values, base_offset=START, epoch=1, timestamp_ms=9)


def entity_history() -> list[bytes]:
    """A broker and a partition, from their beginnings to a change of leader."""
    return [
        encode_record(RegisterBrokerRecord(broker_id=1, broker_epoch=5, incarnation_id=UUID), 0),
        encode_record(UnfenceBrokerRecord(1, 5), 0),
        encode_record(
            PartitionRecord(partition_id=0, topic_id=UUID, replicas=[1, 2], isr=[1, 2], leader=1, leader_epoch=0), 0
        ),
        encode_record(PartitionChangeRecord(partition_id=0, topic_id=UUID, isr=[1], leader=1), 0),
        encode_record(ProducerIdsRecord(broker_id=1, broker_epoch=5, next_producer_id=1000), 0),
    ]


TARGET = Target(name="image_replay", run=run, refusals=(MalformedError, ReplayError), samples=samples)
