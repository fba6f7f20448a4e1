"""Metadata files for ``bench audit``, made by our own encoder: a large snapshot, a long log, a fleet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    TopicRecord,
    encode_for_level,
)
from kraftpy.records.snapshot import SnapshotEncoder

LEVEL = 29
BROKERS = 12
PARTITIONS_PER_TOPIC = 50
BATCH_RECORDS = 500
START_MS = 1_760_000_000_000
METADATA_DIRECTORY = "__cluster_metadata-0"


def uuid(kind: int, number: int) -> bytes:
    return bytes([kind, 7]) + number.to_bytes(14, "big")


def state_values(partitions: int) -> Iterator[bytes]:
    """Yield the records of a cluster with that many partitions, in the order of a snapshot."""
    yield encode_for_level(FeatureLevelRecord("metadata.version", LEVEL), LEVEL)
    for broker in range(BROKERS):
        yield encode_for_level(
            RegisterBrokerRecord(
                broker_id=broker, incarnation_id=uuid(1, broker), broker_epoch=broker + 1, rack=f"rack-{broker % 3}",
                fenced=False, log_dirs=[uuid(2, broker)],
            ),
            LEVEL,
        )  # fmt: skip
    yield from topic_values(partitions, range(BROKERS))


def topic_values(partitions: int, brokers: Sequence[int]) -> Iterator[bytes]:
    """Yield the records of topics with that many partitions, on these brokers."""
    for number in range(partitions):
        topic, index = divmod(number, PARTITIONS_PER_TOPIC)
        if not index:
            yield encode_for_level(TopicRecord(topic_name(topic), uuid(3, topic)), LEVEL)
        replicas = replicas_of(number, brokers)
        yield encode_for_level(
            PartitionRecord(
                partition_id=index, topic_id=uuid(3, topic), replicas=replicas, isr=replicas, leader=replicas[0],
                leader_epoch=0, partition_epoch=0, directories=[uuid(2, broker) for broker in replicas],
            ),
            LEVEL,
        )  # fmt: skip


def topic_name(topic: int) -> str:
    return f"topic-{topic:07d}"


def replicas_of(number: int, brokers: Sequence[int]) -> list[int]:
    """Return the replicas of a partition, the leader first."""
    return [brokers[(number + step) % len(brokers)] for step in (0, 1, 5)]


def write_snapshot(directory: Path, partitions: int) -> int:
    """Write a snapshot; return how many records it holds."""
    home = directory / METADATA_DIRECTORY
    home.mkdir(parents=True)
    encoder = SnapshotEncoder(epoch=3, timestamp_ms=START_MS, last_contained_log_timestamp_ms=START_MS)
    count = 3

    def groups() -> Iterator[list[bytes]]:
        nonlocal count
        group: list[bytes] = []
        for value in state_values(partitions):
            count += 1
            group.append(value)
            if len(group) == BATCH_RECORDS:
                yield group
                group = []
        if group:
            yield group

    with (home / snapshot_file_name(OffsetAndEpoch(epoch=3, offset=10**9))).open("wb") as file:
        for piece in encoder.encode(groups()):
            file.write(piece)
    return count - 1


def write_log(directory: Path, records: int, partitions: int) -> int:
    """Write a log: a cluster comes about, then leaders and configs change; return how many records it holds."""
    home = directory / METADATA_DIRECTORY
    home.mkdir(parents=True)
    with (home / segment_file_name(0)).open("wb") as file:
        leader = LeaderChangeMessage(0, 1, [], [])
        file.write(encode_control_batch([leader], base_offset=0, epoch=1, timestamp_ms=START_MS))
        offset = 1
        batch: list[bytes] = []
        for value in _log_values(records - 1, partitions):
            batch.append(value)
            if len(batch) == BATCH_RECORDS:
                file.write(encode_batch(batch, base_offset=offset, epoch=1, timestamp_ms=START_MS + offset))
                offset += len(batch)
                batch = []
        if batch:
            file.write(encode_batch(batch, base_offset=offset, epoch=1, timestamp_ms=START_MS + offset))
            offset += len(batch)
    return offset


def _log_values(records: int, partitions: int) -> Iterator[bytes]:
    left = records
    for value in state_values(partitions):
        if not left:
            return
        left -= 1
        yield value
    no_op = encode_for_level(NoOpRecord(), LEVEL)
    for number in range(left):
        topic, index = divmod(number * 7919 % partitions, PARTITIONS_PER_TOPIC)
        if number % 20 == 0:
            yield no_op
        elif number % 20 == 1:
            yield encode_for_level(ConfigRecord(2, topic_name(topic), "retention.ms", str(number)), LEVEL)
        else:
            first = (topic * PARTITIONS_PER_TOPIC + index) % BROKERS
            record = PartitionChangeRecord(
                partition_id=index, topic_id=uuid(3, topic), leader=(first + number % 2) % BROKERS
            )  # fmt: skip
            yield encode_for_level(record, LEVEL)


def write_fleet(directory: Path, clusters: int, records: int) -> int:
    """Write small clusters of three nodes each; return how many records there are in all."""
    total = 0
    for cluster in range(clusters):
        for node in (1, 2, 3):
            home = directory / f"cluster=c{cluster:03d}" / f"node={node}"
            home.mkdir(parents=True)
            total += write_log(home, records, records // 2)
    return total


def files_below(directory: Path) -> list[Path]:
    """Return the segments and snapshots below a directory."""
    return sorted([*directory.rglob("*.log"), *directory.rglob("*.checkpoint")])
