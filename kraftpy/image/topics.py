"""Topics and their partitions.

A topic is its id; the name is a way to find it. A topic that is deleted and created again under the same name is two
topics, and a delta that spans both shows the one as deleted and the other as created. Partitions hang in a map of their
own below each topic, so that a change to one partition costs two short paths.

Source: Kafka ``TopicsImage``, ``TopicsDelta``, ``ReplicationControlManager.replay``; KIP-516.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.image.ordering import in_order
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.ids import Uuid, uuid_to_text
from kraftpy.records.codec import Record
from kraftpy.records.metadata import (
    ClearElrRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)


class TopicImage(NamedTuple):
    """One topic.

    Every change of a partition makes one of its topic, on every node, so it is a tuple as the partition is.
    """

    name: str
    id: Uuid
    partitions: Map[int, PartitionRegistration] = Map()

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say the topic in records: itself, then its partitions ascending."""
        yield TopicRecord(name=self.name, topic_id=self.id)
        for partition_id in sorted(self.partitions):
            yield self.partitions[partition_id].to_record(self.id, partition_id, level, on_loss)


@dataclass(frozen=True, slots=True)
class TopicsImage:
    """Topics by id, and their ids by name. Both name the same topics."""

    by_id: Map[Uuid, TopicImage] = Map()
    ids_by_name: Map[str, Uuid] = Map()

    def topic(self, topic_id: Uuid) -> TopicImage | None:
        """Return the topic of that id."""
        return self.by_id.get(topic_id)

    def named(self, name: str) -> TopicImage | None:
        """Return the topic of that name."""
        topic_id = self.ids_by_name.get(name)
        return None if topic_id is None else self.by_id[topic_id]

    def partition(self, topic_id: Uuid, partition_id: int) -> PartitionRegistration | None:
        """Return one partition."""
        topic = self.by_id.get(topic_id)
        return None if topic is None else topic.partitions.get(partition_id)

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records, topics by name."""
        for name in in_order(self.ids_by_name):
            yield from self.by_id[self.ids_by_name[name]].records(level, on_loss)


class TopicDelta:
    """Changes to one topic's partitions.

    Attributes:
        base: the topic before; without partitions when this delta creates it.
    """

    __slots__ = ("_partitions", "base")

    def __init__(self, base: TopicImage) -> None:
        self.base = base
        self._partitions = Changes(base.partitions)

    @classmethod
    def between(cls, old: TopicImage, new: TopicImage) -> TopicDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._partitions = Changes.between(old.partitions, new.partitions)
        return delta

    @property
    def name(self) -> str:
        """The topic's name."""
        return self.base.name

    @property
    def id(self) -> Uuid:
        """The topic's id."""
        return self.base.id

    @property
    def changed_partitions(self) -> dict[int, PartitionRegistration | None]:
        """Partition id to its new registration; partitions of a living topic are never removed by a record."""
        return self._partitions.changed

    def partition(self, partition_id: int) -> PartitionRegistration | None:
        """Return a partition as replayed so far."""
        return self._partitions.get(partition_id)

    def put(self, partition_id: int, registration: PartitionRegistration) -> None:
        """Set a partition's registration."""
        self._partitions.put(partition_id, registration)

    def clear_elr(self) -> None:
        """Empty the eligible leaders of every partition that has some."""
        for partition_id in sorted({*self.base.partitions, *self._partitions.changed}):
            registration = self._partitions.get(partition_id)
            if registration is not None and (registration.elr or registration.last_known_elr):
                self._partitions.put(partition_id, registration.without_elr())

    def apply(self) -> TopicImage:
        """Return the next image."""
        return TopicImage(self.base.name, self.base.id, self._partitions.apply())


class TopicsDelta:
    """Changes to topics.

    Attributes:
        changed: topic id to its delta, for topics that live on; created ones included.
        created: the ids among them that are new.
        deleted: the topics of the base image that are gone, by id. A topic created and deleted within the delta leaves
            no trace.
    """

    __slots__ = ("_ids_by_name", "base", "changed", "created", "deleted")
    ENTITIES: ClassVar[Entities] = {
        TopicRecord: ("topic", ("topic_id",)),
        RemoveTopicRecord: ("topic", ("topic_id",)),
        PartitionRecord: ("partition", ("topic_id", "partition_id")),
        PartitionChangeRecord: ("partition", ("topic_id", "partition_id")),
    }

    def __init__(self, base: TopicsImage) -> None:
        self.base = base
        self.changed: dict[Uuid, TopicDelta] = {}
        self.created: dict[Uuid, str] = {}
        self.deleted: dict[Uuid, TopicImage] = {}
        self._ids_by_name = Changes(base.ids_by_name)

    @classmethod
    def between(cls, old: TopicsImage, new: TopicsImage) -> TopicsDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        for topic_id, before in old.by_id.items():
            after = new.by_id.get(topic_id)
            if after is None or after.name != before.name:
                delta.deleted[topic_id] = before
        for topic_id, topic in new.by_id.items():
            known = old.by_id.get(topic_id)
            if known is None or topic_id in delta.deleted:
                delta.created[topic_id] = topic.name
                delta.changed[topic_id] = TopicDelta.between(TopicImage(topic.name, topic_id), topic)
            elif known != topic:
                delta.changed[topic_id] = TopicDelta.between(known, topic)
        delta._ids_by_name = Changes.between(old.ids_by_name, new.ids_by_name)
        return delta

    def handlers(self) -> Handlers:
        """Say which records this slice takes. RemoveTopicRecord also concerns configs: the whole delta takes it."""
        return {
            TopicRecord: self.replay_topic,
            PartitionRecord: self.replay_partition,
            PartitionChangeRecord: self.replay_partition_change,
            ClearElrRecord: self.replay_clear_elr,
        }

    def replay_topic(self, record: TopicRecord) -> None:
        """Create a topic.

        Raises:
            ReplayError: when a living topic has that name or that id.
        """
        if self._ids_by_name.get(record.name) is not None:
            raise ReplayError(record, f"a topic named {record.name!r} exists")
        if self._opened(record.topic_id) is not None:
            raise ReplayError(record, f"a topic with the id {uuid_to_text(record.topic_id)} exists")
        self.changed[record.topic_id] = TopicDelta(TopicImage(record.name, record.topic_id))
        self.created[record.topic_id] = record.name
        self._ids_by_name.put(record.name, record.topic_id)

    def replay_partition(self, record: PartitionRecord) -> None:
        """Create a partition, or restate it."""
        topic = self._topic(record, record.topic_id)
        topic.put(record.partition_id, PartitionRegistration.from_record(record))

    def replay_partition_change(self, record: PartitionChangeRecord) -> None:
        """Change a partition."""
        topic = self._topic(record, record.topic_id)
        before = topic.partition(record.partition_id)
        if before is None:
            raise ReplayError(record, f"topic {topic.name!r} has no partition {record.partition_id}")
        topic.put(record.partition_id, before.merge(record))

    def replay_remove_topic(self, record: RemoveTopicRecord) -> str:
        """Delete a topic; return its name."""
        name = self._topic(record, record.topic_id).name
        del self.changed[record.topic_id]
        self.created.pop(record.topic_id, None)
        before = self.base.by_id.get(record.topic_id)
        if before is not None:
            self.deleted[record.topic_id] = before
        self._ids_by_name.remove(name)
        return name

    def replay_clear_elr(self, record: ClearElrRecord) -> None:
        """Empty the eligible leaders of one topic, or of all when the name is empty."""
        if record.topic_name:
            topic_id = self._ids_by_name.get(record.topic_name)
            if topic_id is None:
                raise ReplayError(record, f"there is no topic named {record.topic_name!r}")
            self._topic(record, topic_id).clear_elr()
            return
        for topic_id, topic in self.base.by_id.items():
            if any(partition.elr or partition.last_known_elr for partition in topic.partitions.values()):
                self._opened(topic_id)
        for delta in self.changed.values():
            delta.clear_elr()

    def _opened(self, topic_id: Uuid) -> TopicDelta | None:
        """Return the topic's delta, opened if need be; ``None`` when no such topic lives."""
        delta = self.changed.get(topic_id)
        if delta is None:
            topic = self.base.by_id.get(topic_id)
            if topic is None or topic_id in self.deleted:
                return None
            delta = self.changed[topic_id] = TopicDelta(topic)
        return delta

    def _topic(self, record: Record, topic_id: Uuid) -> TopicDelta:
        delta = self._opened(topic_id)
        if delta is None:
            raise ReplayError(record, f"there is no topic with the id {uuid_to_text(topic_id)}")
        return delta

    def apply(self) -> TopicsImage:
        """Return the next image."""
        by_id = self.base.by_id.mutate()
        for topic_id in self.deleted:
            by_id.pop(topic_id, None)
        for topic_id, delta in self.changed.items():
            by_id[topic_id] = delta.apply()
        return TopicsImage(by_id=by_id.finish(), ids_by_name=self._ids_by_name.apply())
