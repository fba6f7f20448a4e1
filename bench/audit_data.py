"""Metadata files for ``bench audit``, made by our own encoder: a large snapshot, a long log, a fleet."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import Struct

from kraftpy.model.ids import uuid_to_text
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import CRC_START, encode_batch, encode_control_batch
from kraftpy.records.control import LeaderChangeMessage
from kraftpy.records.crc import crc32c
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
CRC = Struct(">I")
PARTITION_EVERY = 20
"""A log of a large fleet has one partition for each of this many records."""

FREE_BYTES = 1024**3
"""So much room is left on the disk."""


NO_TAG = bytes(4)
"""The part of a cluster's uuids in which it differs from other clusters."""


def uuid(kind: int, number: int, tag: bytes = NO_TAG) -> bytes:
    return bytes([kind, 7]) + tag + number.to_bytes(10, "big")


def state_values(partitions: int, tag: bytes = NO_TAG) -> Iterator[bytes]:
    """Yield the records of a cluster with that many partitions, in the order of a snapshot."""
    yield encode_for_level(FeatureLevelRecord("metadata.version", LEVEL), LEVEL)
    for broker in range(BROKERS):
        yield encode_for_level(
            RegisterBrokerRecord(
                broker_id=broker, incarnation_id=uuid(1, broker, tag), broker_epoch=broker + 1,
                rack=f"rack-{broker % 3}", fenced=False, log_dirs=[uuid(2, broker, tag)],
            ),
            LEVEL,
        )  # fmt: skip
    yield from topic_values(partitions, range(BROKERS), tag)


def topic_values(partitions: int, brokers: Sequence[int], tag: bytes = NO_TAG) -> Iterator[bytes]:
    """Yield the records of topics with that many partitions, on these brokers."""
    for number in range(partitions):
        topic, index = divmod(number, PARTITIONS_PER_TOPIC)
        if not index:
            yield encode_for_level(TopicRecord(topic_name(topic), uuid(3, topic, tag)), LEVEL)
        replicas = replicas_of(number, brokers)
        yield encode_for_level(
            PartitionRecord(
                partition_id=index, topic_id=uuid(3, topic, tag), replicas=replicas, isr=replicas, leader=replicas[0],
                leader_epoch=0, partition_epoch=0, directories=[uuid(2, broker, tag) for broker in replicas],
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
        file.writelines(_log_batches(records, partitions, NO_TAG))
    return records


def _log_batches(records: int, partitions: int, tag: bytes) -> Iterator[bytes]:
    leader = LeaderChangeMessage(0, 1, [], [])
    yield encode_control_batch([leader], base_offset=0, epoch=1, timestamp_ms=START_MS)
    offset = 1
    batch: list[bytes] = []
    for value in _log_values(records - 1, partitions, tag):
        batch.append(value)
        if len(batch) == BATCH_RECORDS:
            yield encode_batch(batch, base_offset=offset, epoch=1, timestamp_ms=START_MS + offset)
            offset += len(batch)
            batch = []
    if batch:
        yield encode_batch(batch, base_offset=offset, epoch=1, timestamp_ms=START_MS + offset)


def _log_values(records: int, partitions: int, tag: bytes) -> Iterator[bytes]:
    left = records
    for value in state_values(partitions, tag):
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
                partition_id=index, topic_id=uuid(3, topic, tag), leader=(first + number % 2) % BROKERS
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


class LogTemplate:
    """The log of a cluster, of which another's is made by its tag and new checksums: no record is encoded again.

    Args:
        records: in the log.
        partitions: of the cluster.
    """

    def __init__(self, records: int, partitions: int) -> None:
        import numpy as np

        self.records = records
        batches, others = (list(_log_batches(records, partitions, tag)) for tag in (NO_TAG, b"\xff" * len(NO_TAG)))
        self._data = np.frombuffer(b"".join(batches), np.uint8)
        ends = np.cumsum([len(batch) for batch in batches])
        self._batches = list(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))
        differs = self._data != np.frombuffer(b"".join(others), np.uint8)
        for begin, _ in self._batches:
            differs[begin + CRC_START - CRC.size : begin + CRC_START] = False
        self._places = np.flatnonzero(differs)

    def __len__(self) -> int:
        return len(self._data)

    def of(self, cluster: int) -> bytes:
        """Return the log of a cluster by its number."""
        data = self._data.copy()
        tag = cluster.to_bytes(len(NO_TAG), "big")
        data[self._places] = list(tag) * (len(self._places) // len(tag))
        view = memoryview(data)
        for begin, end in self._batches:
            CRC.pack_into(view, begin + CRC_START - CRC.size, crc32c(view[begin + CRC_START : end]))
        return data.tobytes()


def write_large_fleet(directory: Path, total_bytes: int, records: int) -> int:
    """Write clusters of three nodes, with uuids and a cluster id of their own, until there are that many bytes.

    Returns:
        The number of records in all.

    Raises:
        OSError: when the file system has no room for them.
    """
    directory.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(directory).free
    if free < total_bytes + FREE_BYTES:
        raise OSError(errno.ENOSPC, f"{total_bytes} bytes are to be written, and {free} are free", str(directory))
    template = LogTemplate(records, records // PARTITION_EVERY)
    clusters = -(-total_bytes // (3 * len(template)))
    for cluster in range(1, clusters + 1):
        log = template.of(cluster)
        for node in (1, 2, 3):
            home = directory / f"cluster-{cluster}" / f"node-{node}" / METADATA_DIRECTORY
            home.mkdir(parents=True)
            (home / segment_file_name(0)).write_bytes(log)
            properties = f"version=1\ncluster.id={uuid_to_text(uuid(9, cluster))}\nnode.id={node}\n"
            (home.parent / "meta.properties").write_text(properties, encoding="utf-8")
    return 3 * clusters * records


def files_below(directory: Path) -> list[Path]:
    """Return the segments and snapshots below a directory."""
    return sorted([*directory.rglob("*.log"), *directory.rglob("*.checkpoint")])
