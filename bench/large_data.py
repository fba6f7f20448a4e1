"""The metadata of a large cluster, in the files that kraftpy's and Kafka's controllers load: a snapshot, or a log.

The snapshot: 300 brokers in three racks, unfenced, and partitions of three replicas, 50 a topic; it ends at
:data:`SNAPSHOT_END`, and nothing is in the log after it.

The log, from its first offset on: the brokers and a tenth as many partitions as records, then records in the shares of
:data:`MIX`: those of the log of stock brokers that :mod:`bench.day_plan` describes. Every record is one that a
controller could have written at that place; in the end all brokers are unfenced. What is drawn is drawn from
:data:`SEED`.

A directory gets the same file on each node, and keeps its ``meta.properties``, its quorum's state and its voters.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Final

from bench.audit_data import LEVEL, PARTITIONS_PER_TOPIC, START_MS, replicas_of, topic_name, topic_values, uuid
from bench.brokers import FEATURE_NAMES, FIRST_ID, LEVEL_MAX, RACKS
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import LeaderChangeMessage
from kraftpy.records.file_names import segment_file_name, snapshot_file_name
from kraftpy.records.metadata import (
    BrokerRegistrationChangeRecord,
    ConfigRecord,
    FeatureLevelRecord,
    LogRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RemoveTopicRecord,
    TopicRecord,
    encode_for_level,
)
from kraftpy.records.snapshot import SNAPSHOT_BATCH_BYTES, SnapshotEncoder
from kraftpy.storage.names import LEADER_EPOCH_CHECKPOINT, RECOVERY_POINT_CHECKPOINT

SEED: Final = 20_261_131
BROKERS: Final = 300
EPOCH: Final = 1
"""Of all records: not above that of any quorum that has had a leader."""
SNAPSHOT_END: Final = 10_000_000
BATCH_RECORDS: Final = 500
PARTITIONS_SHARE: Final = 10
"""One in this number of records of the log makes the partitions that the others change."""
SHORT_TOPICS_MAX: Final = 100
"""Topics of the log that are created and not deleted yet."""
SHORT_PARTITIONS: Final = 9
FENCE: Final = 1
UNFENCE: Final = -1


class Change(Enum):
    """What a record of the log is about."""

    ISR = "isr"
    LEADER = "leader"
    FENCING = "fencing"
    REGISTRATION = "registration"
    TOPIC = "topic"
    CONFIG = "config"


MIX: Final = {
    Change.ISR: 0.605,
    Change.LEADER: 0.35,
    Change.FENCING: 0.014,
    Change.REGISTRATION: 0.004,
    Change.TOPIC: 0.019,
    Change.CONFIG: 0.008,
}
"""Of the records; a topic counts with its partitions, and configs for the registrations of controllers, too."""


@dataclass(slots=True)
class Content:
    """Files for the metadata log of a node.

    Attributes:
        file: the snapshot, or the only segment.
        epochs: those of the brokers' registrations.
        records: how many it has.
        end: the offset after the last of them.
    """

    file: Path
    epochs: dict[int, int]
    records: int
    end: int

    def put(self, home: Path) -> None:
        """Make this the content of a metadata log, whose node is stopped."""
        for path in home.iterdir():
            if path.suffix in {".log", ".index", ".timeindex", ".snapshot", ".checkpoint"}:
                path.unlink()
        for path in (home / LEADER_EPOCH_CHECKPOINT, home.parent / RECOVERY_POINT_CHECKPOINT):
            path.unlink(missing_ok=True)
        shutil.copyfile(self.file, home / self.file.name)


def write_snapshot(directory: Path, partitions: int) -> Content:
    """Write a snapshot."""
    fleet, count = Fleet(), 0
    path = directory / snapshot_file_name(OffsetAndEpoch(epoch=EPOCH, offset=SNAPSHOT_END))
    encoder = SnapshotEncoder(
        epoch=EPOCH,
        timestamp_ms=START_MS,
        last_contained_log_timestamp_ms=START_MS,
        batch_bytes=SNAPSHOT_BATCH_BYTES,
    )

    def groups() -> Iterator[list[bytes]]:
        nonlocal count
        for group in _groups([*fleet.first()], topic_values(partitions, fleet.ids)):
            count += len(group)
            yield group

    with path.open("wb") as file:
        for piece in encoder.encode(groups()):
            file.write(piece)
    return Content(path, fleet.epochs, count, SNAPSHOT_END)


def write_log(directory: Path, records: int) -> Content:
    """Write a log with that many records, and a few more that unfence brokers."""
    fleet, path, offset = Fleet(), directory / segment_file_name(0), 1
    partitions = max(1, records // PARTITIONS_SHARE)
    first = [*fleet.first(), *topic_values(partitions, fleet.ids)]
    mixed = Mixed(fleet, partitions, next_offset=offset + len(first))
    with path.open("wb") as file:
        leader = LeaderChangeMessage(0, 1, [], [])
        file.write(encode_control_batch([leader], base_offset=0, epoch=EPOCH, timestamp_ms=START_MS))
        for group in _groups(first, mixed.values(max(0, records - len(first)))):
            file.write(encode_batch(group, base_offset=offset, epoch=EPOCH, timestamp_ms=START_MS + offset))
            offset += len(group)
    return Content(path, fleet.epochs, offset, offset)


def _groups(first: list[bytes], rest: Iterable[bytes]) -> Iterator[list[bytes]]:
    every = chain(first, rest)
    while group := list(islice(every, BATCH_RECORDS)):
        yield group


class Fleet:
    """The brokers.

    Attributes:
        ids: theirs.
        epochs: those of their registrations.
        fenced: those that are fenced.
    """

    def __init__(self) -> None:
        self.ids = range(FIRST_ID, FIRST_ID + BROKERS)
        self.epochs = {broker_id: 1 + number for number, broker_id in enumerate(self.ids)}
        self.fenced: set[int] = set()

    def first(self) -> Iterator[bytes]:
        """Yield the first records of a state: the metadata.version, and all brokers, unfenced."""
        yield _encoded(FeatureLevelRecord(METADATA_VERSION, LEVEL))
        for broker_id in self.ids:
            yield _encoded(self._registration(broker_id, 0, fenced=False))

    def register(self, broker_id: int, epoch: int) -> LogRecord:
        """Return the registration of another process of a broker."""
        self.epochs[broker_id] = epoch
        self.fenced.add(broker_id)
        return self._registration(broker_id, epoch, fenced=True)

    def toggle(self, broker_id: int) -> LogRecord:
        """Return the record that fences a broker, or unfences it."""
        self.fenced ^= {broker_id}
        change = FENCE if broker_id in self.fenced else UNFENCE
        return BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=self.epochs[broker_id], fenced=change)

    def _registration(self, broker_id: int, incarnation: int, *, fenced: bool) -> RegisterBrokerRecord:
        return RegisterBrokerRecord(
            broker_id=broker_id,
            incarnation_id=uuid(1, incarnation << 32 | broker_id),
            broker_epoch=self.epochs[broker_id],
            end_points=[RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "localhost", 9_092, 0)],
            features=[RegisterBrokerRecordBrokerFeature(name, 0, LEVEL_MAX) for name in FEATURE_NAMES],
            rack=f"rack-{broker_id % RACKS}",
            fenced=fenced,
            log_dirs=[uuid(2, broker_id)],
        )


class Mixed:
    """The records of the log that change things."""

    def __init__(self, fleet: Fleet, partitions: int, *, next_offset: int) -> None:
        self._fleet = fleet
        self._random = Random(SEED)
        self._replicas = [replicas_of(number, fleet.ids) for number in range(partitions)]
        self._isrs = [list(replicas) for replicas in self._replicas]
        self._leaders = [replicas[0] for replicas in self._replicas]
        self._short: deque[int] = deque()
        self._topics = self._configs = 0
        self._offset = next_offset

    def values(self, count: int) -> Iterator[bytes]:
        """Yield that many records, or up to :data:`SHORT_PARTITIONS` more, and those that unfence brokers."""
        kinds, weights = list(MIX), list(MIX.values())
        # A topic makes several records.
        weights[kinds.index(Change.TOPIC)] *= 2 / (SHORT_PARTITIONS + 2)
        end = self._offset + count
        while self._offset < end:
            (kind,) = self._random.choices(kinds, weights)
            yield from self._counted(self._change(kind))
        yield from self._counted([self._fleet.toggle(broker_id) for broker_id in sorted(self._fleet.fenced)])

    def _counted(self, records: Iterable[LogRecord]) -> Iterator[bytes]:
        for record in records:
            self._offset += 1
            yield _encoded(record)

    def _change(self, kind: Change) -> list[LogRecord]:
        if kind is Change.ISR or kind is Change.LEADER:
            return [self._partition_change(self._random.randrange(len(self._isrs)), kind)]
        if kind is Change.TOPIC:
            return self._topic()
        broker_id = self._random.choice(self._fleet.ids)
        if kind is Change.FENCING:
            return [self._fleet.toggle(broker_id)]
        if kind is Change.REGISTRATION:
            return [self._fleet.register(broker_id, self._offset)]
        self._configs += 1
        name = topic_name(self._random.randrange(-(-len(self._isrs) // PARTITIONS_PER_TOPIC)))
        return [ConfigRecord(ResourceType.TOPIC, name, "retention.ms", str(3_600_000 + self._configs))]

    def _partition_change(self, number: int, kind: Change) -> LogRecord:
        """Return a change of a partition's leader where another replica is in sync, and of its ISR otherwise."""
        topic, index = divmod(number, PARTITIONS_PER_TOPIC)
        record = PartitionChangeRecord(partition_id=index, topic_id=uuid(3, topic))
        isr, leader = self._isrs[number], self._leaders[number]
        others = [one for one in isr if one != leader]
        if kind is Change.LEADER and others:
            record.leader = self._leaders[number] = self._random.choice(others)
        elif len(isr) == len(self._replicas[number]):
            out = self._random.choice(others)
            record.isr = self._isrs[number] = [one for one in isr if one != out]
        else:
            record.isr = self._isrs[number] = list(self._replicas[number])
        return record

    def _topic(self) -> list[LogRecord]:
        """Return the records of a new topic, or of the end of the oldest of them."""
        if len(self._short) >= SHORT_TOPICS_MAX or (self._short and self._random.randrange(2)):
            return [RemoveTopicRecord(uuid(4, self._short.popleft()))]
        number = self._topics
        self._topics += 1
        self._short.append(number)
        records: list[LogRecord] = [TopicRecord(f"short-{number}", uuid(4, number))]
        for index in range(SHORT_PARTITIONS):
            replicas = replicas_of(number + index, self._fleet.ids)
            records.append(
                PartitionRecord(
                    partition_id=index, topic_id=uuid(4, number), replicas=replicas, isr=replicas, leader=replicas[0],
                    leader_epoch=0, partition_epoch=0, directories=[uuid(2, one) for one in replicas],
                )
            )  # fmt: skip
        return records


def _encoded(record: LogRecord) -> bytes:
    return encode_for_level(record, LEVEL)
