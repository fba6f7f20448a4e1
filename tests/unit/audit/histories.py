"""Small metadata logs for the auditor's tests, made by the project's own encoder."""

from __future__ import annotations

from pathlib import Path

from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import LeaderChangeMessage
from kraftpy.records.file_names import segment_file_name, snapshot_file_name
from kraftpy.records.metadata import (
    ConfigRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RegisterBrokerRecord,
    RemoveTopicRecord,
    TopicRecord,
    encode_record,
)
from kraftpy.records.snapshot import SnapshotEncoder

START_MS = 1_729_857_600_000
GOLDEN = Path(__file__).parents[2] / "golden" / "kafka-4.3.0"


def topic_id(number: int) -> bytes:
    return (0x1000 + number).to_bytes(16, "big")


def value(record) -> bytes:
    return encode_record(record, record.MAX_VERSION)


def partition(number: int, index: int, brokers=(1, 2, 3)) -> PartitionRecord:
    return PartitionRecord(
        partition_id=index, topic_id=topic_id(number), replicas=list(brokers), isr=list(brokers), leader=brokers[0],
        leader_epoch=0, partition_epoch=0, directories=[topic_id(9)] * len(brokers),
    )  # fmt: skip


def topic_values(number: int, partitions: int = 3) -> list[bytes]:
    return [
        value(TopicRecord(name=f"topic-{number:05d}", topic_id=topic_id(number))),
        *(value(partition(number, index)) for index in range(partitions)),
    ]


class LogWriter:
    """Puts batches one after another, with offsets that follow on."""

    def __init__(self, offset: int = 0, epoch: int = 1) -> None:
        self.data = b""
        self.base = self.offset = offset
        self.epoch = epoch
        self.time_ms = START_MS

    def lead(self, leader: int = 1, epoch: int | None = None) -> LogWriter:
        self.epoch = self.epoch if epoch is None else epoch
        record = LeaderChangeMessage(0, leader, [], [])
        self.data += encode_control_batch(
            [record], base_offset=self.offset, epoch=self.epoch, timestamp_ms=self.time_ms
        )
        self.offset += 1
        return self

    def add(self, *values: bytes) -> LogWriter:
        self.data += encode_batch(values, base_offset=self.offset, epoch=self.epoch, timestamp_ms=self.time_ms)
        self.offset += len(values)
        self.time_ms += 60_000
        return self

    def write(self, directory: Path, zeros: int = 0) -> Path:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / segment_file_name(self.base)
        path.write_bytes(self.data + bytes(zeros))
        return path


def small_log(topics: int = 6) -> LogWriter:
    """A log with two leaders, brokers, topics, changes, configs, a removal and no-ops, many small batches."""
    log = LogWriter().lead()
    log.add(value(FeatureLevelRecord("metadata.version", 30)))
    for broker in (1, 2, 3):
        log.add(value(RegisterBrokerRecord(broker_id=broker, incarnation_id=topic_id(broker), broker_epoch=log.offset)))
    for number in range(topics):
        log.add(*topic_values(number))
        log.add(value(NoOpRecord()))
    log.lead(2, epoch=2)
    log.add(value(PartitionChangeRecord(partition_id=0, topic_id=topic_id(0), isr=[1, 2], leader=2)))
    log.add(value(ConfigRecord(2, "topic-00000", "retention.ms", "1000")), value(NoOpRecord()))
    log.add(value(RemoveTopicRecord(topic_id(1))))
    return log


def write_snapshot(directory: Path, values: list[bytes], offset: int, epoch: int, batch_bytes_max: int = 4096) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / snapshot_file_name(OffsetAndEpoch(epoch=epoch, offset=offset))
    encoder = SnapshotEncoder(
        epoch=epoch, timestamp_ms=START_MS, last_contained_log_timestamp_ms=START_MS, batch_bytes_max=batch_bytes_max
    )
    path.write_bytes(b"".join(encoder.encode([each] for each in values)))
    return path
