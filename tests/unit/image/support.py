"""Short ways to records, batches and images for the tests of the image room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kraftpy.image import EMPTY, MetadataDelta, MetadataImage, Provenance
from kraftpy.image.configs import ConfigsDelta, ConfigsImage
from kraftpy.model.features import METADATA_VERSION
from kraftpy.records.batch import Batch, encode_batch, encode_control_batch, split_batches
from kraftpy.records.control import SnapshotFooterRecord, SnapshotHeaderRecord
from kraftpy.records.metadata import (
    ClusterIdRecord,
    ConfigRecord,
    FeatureLevelRecord,
    PartitionRecord,
    Record,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    TopicRecord,
    encode_for_level,
)

LEVEL = 42
EPOCH = 3


def uuid(number: int) -> bytes:
    return (1000 + number).to_bytes(16, "big")


def start(level: int = LEVEL) -> list[Record]:
    records: list[Record] = [FeatureLevelRecord(METADATA_VERSION, level)]
    return [*records, ClusterIdRecord("cluster-a")] if level >= 40 else records


def broker(broker_id: int = 1, epoch: int = 10, **fields: object) -> RegisterBrokerRecord:
    values: dict[str, object] = {
        "incarnation_id": uuid(broker_id),
        "end_points": [RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", f"host-{broker_id}", 9092, 0)],
        "features": [RegisterBrokerRecordBrokerFeature(METADATA_VERSION, 7, 42)],
        "rack": None,
        "log_dirs": [uuid(broker_id * 100)],
    }
    return RegisterBrokerRecord(broker_id=broker_id, broker_epoch=epoch, **{**values, **fields})


def topic(name: str = "orders", topic_id: bytes = uuid(500)) -> TopicRecord:
    return TopicRecord(name, topic_id)


def partition(partition_id: int = 0, topic_id: bytes = uuid(500), **fields: object) -> PartitionRecord:
    values: dict[str, object] = {
        "replicas": [1, 2, 3],
        "isr": [1, 2, 3],
        "leader": 1,
        "leader_epoch": 0,
        "partition_epoch": 0,
        "directories": [uuid(100), uuid(200), uuid(300)],
    }
    return PartitionRecord(partition_id=partition_id, topic_id=topic_id, **{**values, **fields})


def replay(*records: Record, base: MetadataImage = EMPTY, offset: int | None = None) -> MetadataImage:
    delta = MetadataDelta(base)
    delta.replay_all(records)
    at = base.provenance.offset + len(records) if offset is None else offset
    return delta.apply(Provenance(offset=at, epoch=EPOCH, timestamp_ms=0, batch_aligned=True))


def configs_of(resources: Mapping[tuple[int, str], Mapping[str, str]]) -> ConfigsImage:
    """Say (type, name) to values as a slice of an image."""
    delta = ConfigsDelta(ConfigsImage())
    for (kind, name), values in resources.items():
        for key, value in values.items():
            delta.replay_config(ConfigRecord(kind, name, key, value))
    return delta.apply()


def delta_of(*records: Record, base: MetadataImage = EMPTY) -> MetadataDelta:
    delta = MetadataDelta(base)
    delta.replay_all(records)
    return delta


def batch(base_offset: int, records: Sequence[Record], *, level: int = LEVEL, epoch: int = EPOCH) -> Batch:
    values = [encode_for_level(record, level) for record in records]
    return values_batch(base_offset, values, epoch=epoch)


def values_batch(base_offset: int, values: Sequence[bytes], *, epoch: int = EPOCH) -> Batch:
    data = encode_batch(values, base_offset=base_offset, epoch=epoch, timestamp_ms=1000 + base_offset)
    return split_batches(data)[0]


def control_batch(base_offset: int, *, epoch: int = EPOCH) -> Batch:
    records = [SnapshotHeaderRecord(0, 5), SnapshotFooterRecord(0)]
    data = encode_control_batch(records, base_offset=base_offset, epoch=epoch, timestamp_ms=1)
    return split_batches(data)[0]


def batches(*groups: Sequence[Record], first: int = 0, level: int = LEVEL) -> list[Batch]:
    made: list[Batch] = []
    for group in groups:
        made.append(batch(first, group, level=level))
        first += len(group)
    return made
