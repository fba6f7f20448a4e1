"""A topic and its partitions, replayed on their own.

A partition that is defined again keeps its history: its epochs go to the table ``epoch_steps``, because they must not
decrease. A change without directories keeps the known directories of the remaining replicas. A new replica is
unassigned, or migrating as long as no directory of the partition is known by id.

Source: Kafka ``PartitionRegistration.merge``, ``TopicsDelta``; KIP-858; KIP-966.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, NamedTuple

from kraftpy.audit.replay.slice import EntityKey, Held, IllegalRecordError, RecordPosition, Slice, uuid_text
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED, uuid_to_text
from kraftpy.records.metadata import PartitionChangeRecord, PartitionRecord, RemoveTopicRecord, TopicRecord

LEADER_UNCHANGED: Final = -2
RECOVERY_UNCHANGED: Final = -1
RECOVERY_STATES: Final = (0, 1)
TOPIC_ID_REUSED: Final = "topic-id-reused"

MIGRATING: Final = uuid_to_text(DIRECTORY_MIGRATING)
UNASSIGNED: Final = uuid_to_text(DIRECTORY_UNASSIGNED)


class Partition(NamedTuple):
    """A partition's registration. ``directories`` are as many as the replicas, in their order."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    removing: tuple[int, ...]
    adding: tuple[int, ...]
    elr: tuple[int, ...]
    last_known_elr: tuple[int, ...]
    leader: int
    leader_recovery_state: int
    leader_epoch: int
    partition_epoch: int
    directories: tuple[str, ...]


class TopicSlice(Slice):
    """One topic id: created, changed, removed.

    Attributes:
        last_name: its name, also after its removal.
    """

    TAKES: ClassVar = frozenset({TopicRecord, PartitionRecord, PartitionChangeRecord, RemoveTopicRecord})

    def __init__(self) -> None:
        self._topic: Held | None = None
        self._topic_id = ""
        self.last_name: str | None = None
        self._partitions: dict[int, Held] = {}

    @property
    def name(self) -> str | None:
        """The topic's name while it exists."""
        return None if self._topic is None else self._topic.value

    def replay(self, record: Any, place: RecordPosition) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Replay one record; see :class:`Slice`."""
        self._topic_id = uuid_text(record.topic_id)
        if isinstance(record, PartitionChangeRecord):
            self._partitions[record.partition_id] = Held(self._changed(record), place)
        elif isinstance(record, PartitionRecord):
            yield from self._stated(record, place)
        elif isinstance(record, TopicRecord):
            if self._topic is not None:
                raise IllegalRecordError(
                    f"topic id {self._topic_id} belongs to topic {self._topic.value!r}, not to {record.name!r}",
                    TOPIC_ID_REUSED,
                )
            self._topic = Held(record.name, place)
            self.last_name = record.name
            yield "topic_history", (self._topic_id, record.name, "created", place.offset)
        else:
            if self._topic is None:
                raise IllegalRecordError(f"there is no topic of the id {self._topic_id}")
            yield "topic_history", (self._topic_id, self._topic.value, "removed", place.offset)
            self._topic = None
            self._partitions.clear()

    def _stated(self, record: PartitionRecord, place: RecordPosition) -> Iterator[tuple[str, tuple[Any, ...]]]:
        if self._topic is None:
            raise IllegalRecordError(f"there is no topic of the id {self._topic_id}")
        before = self._partitions.get(record.partition_id)
        directories = tuple(map(uuid_text, record.directories)) or (MIGRATING,) * len(record.replicas)
        partition = Partition(
            replicas=tuple(record.replicas),
            isr=tuple(record.isr),
            removing=tuple(record.removing_replicas),
            adding=tuple(record.adding_replicas),
            elr=tuple(record.eligible_leader_replicas or ()),
            last_known_elr=tuple(record.last_known_elr or ()),
            leader=record.leader,
            leader_recovery_state=record.leader_recovery_state,
            leader_epoch=record.leader_epoch,
            partition_epoch=record.partition_epoch,
            directories=directories,
        )
        _check(partition)
        self._partitions[record.partition_id] = Held(partition, place)
        if before is not None:
            yield self.step(record.partition_id, "log", place, before.value, partition)

    def step(
        self, number: int, kind: str, place: RecordPosition, before: Partition, after: Partition
    ) -> tuple[str, tuple[Any, ...]]:
        """Return the row with a partition's epochs before and after it was defined again."""
        values = (
            kind, place.offset, self._topic_id, self.name, number, after.leader_epoch, before.leader_epoch,
            after.partition_epoch, before.partition_epoch,
        )  # fmt: skip
        return "epoch_steps", values

    def fallen(self, later: TopicSlice, file: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Yield the partitions whose epochs are lower in a later snapshot."""
        if self._topic is None or later._topic is None:
            return
        for number, held in later._partitions.items():
            before = self._partitions.get(number)
            if before is None:
                continue
            was, now = before.value, held.value
            if now.leader_epoch < was.leader_epoch or now.partition_epoch < was.partition_epoch:
                yield later.step(number, "snapshot", RecordPosition(file, held.place.offset), was, now)

    def _changed(self, record: PartitionChangeRecord) -> Partition:
        held = self._partitions.get(record.partition_id)
        if self._topic is None or held is None:
            what = f"topic {self.name!r} has no partition {record.partition_id}" if self._topic else (
                f"there is no topic of the id {self._topic_id}"
            )  # fmt: skip
            raise IllegalRecordError(what)
        before: Partition = held.value
        replicas = before.replicas if record.replicas is None else tuple(record.replicas)
        leads = record.leader != LEADER_UNCHANGED
        recovery = record.leader_recovery_state
        after = Partition(
            replicas=replicas,
            isr=before.isr if record.isr is None else tuple(record.isr),
            removing=before.removing if record.removing_replicas is None else tuple(record.removing_replicas),
            adding=before.adding if record.adding_replicas is None else tuple(record.adding_replicas),
            elr=before.elr if record.eligible_leader_replicas is None else tuple(record.eligible_leader_replicas),
            last_known_elr=before.last_known_elr if record.last_known_elr is None else tuple(record.last_known_elr),
            leader=record.leader if leads else before.leader,
            leader_recovery_state=before.leader_recovery_state if recovery == RECOVERY_UNCHANGED else recovery,
            leader_epoch=_int32(before.leader_epoch + leads),
            partition_epoch=_int32(before.partition_epoch + 1),
            directories=_directories(record, before, replicas),
        )
        _check(after)
        return after

    def clear_elr(self, place: RecordPosition) -> None:
        """Empty the eligible leaders of all partitions that have some, which is a change of those partitions."""
        for number, held in self._partitions.items():
            before = held.value
            if before.elr or before.last_known_elr:
                epoch = _int32(before.partition_epoch + 1)
                after = before._replace(elr=(), last_known_elr=(), partition_epoch=epoch)
                self._partitions[number] = Held(after, place)

    def entities(self) -> Iterator[tuple[EntityKey, Held]]:
        """Iterate over the topic and its partitions."""
        if self._topic is None:
            return
        name = self._topic.value
        yield ("topic", name), Held({"id": self._topic_id}, self._topic.place)
        for number, held in self._partitions.items():
            yield ("partition", f"{name}-{number}"), held

    def rows(self) -> Iterator[tuple[str, RecordPosition, tuple[Any, ...]]]:
        """Iterate over rows of ``topics``, ``partitions`` and ``partition_replicas``."""
        if self._topic is None:
            return
        name, place = self._topic
        yield "topics", place, (self._topic_id, name, len(self._partitions), place.offset)
        for number, (partition, evidence) in self._partitions.items():
            yield (
                "partitions",
                evidence,
                (
                    self._topic_id, name, number, partition.leader, partition.leader_epoch, partition.partition_epoch,
                    partition.leader_recovery_state, partition.replicas[0] if partition.replicas else -1,
                    len(partition.replicas), len(partition.isr), len(partition.adding), len(partition.removing),
                    evidence.offset,
                ),
            )  # fmt: skip
            for position, broker, directory in _assigned(partition):
                yield (
                    "partition_replicas",
                    evidence,
                    (
                        self._topic_id, name, number, position, broker, position >= 0, broker in partition.isr,
                        broker in partition.elr, broker in partition.last_known_elr, broker in partition.adding,
                        broker in partition.removing, broker == partition.leader, directory, evidence.offset,
                    ),
                )  # fmt: skip


def _int32(number: int) -> int:
    """Return a number as Java's ``int``: the largest is followed by the smallest."""
    return (number + 2**31) % 2**32 - 2**31


def _directories(record: PartitionChangeRecord, before: Partition, replicas: tuple[int, ...]) -> tuple[str, ...]:
    if record.directories:
        return tuple(map(uuid_text, record.directories))
    if replicas == before.replicas:
        return before.directories
    known = dict(zip(before.replicas, before.directories, strict=True))
    fresh = MIGRATING if set(before.directories) <= {MIGRATING} else UNASSIGNED
    return tuple(known.get(replica, fresh) for replica in replicas)


def _check(partition: Partition) -> None:
    if len(partition.directories) != len(partition.replicas):
        raise IllegalRecordError(f"{len(partition.directories)} directories for {len(partition.replicas)} replicas")
    if partition.leader_recovery_state not in RECOVERY_STATES:
        raise IllegalRecordError(
            f"leader recovery state {partition.leader_recovery_state} is none of {RECOVERY_STATES}"
        )


def _assigned(partition: Partition) -> Iterator[tuple[int, int, str | None]]:
    """Iterate over (position, broker, directory) of replicas, then of other brokers in the partition's lists."""
    for position, (broker, directory) in enumerate(zip(partition.replicas, partition.directories, strict=True)):
        yield position, broker, directory
    others = {*partition.isr, *partition.elr, *partition.last_known_elr, *partition.adding, *partition.removing}
    for broker in sorted(others - set(partition.replicas)):
        yield -1, broker, None
