"""Which partitions have a replica on a broker, without a walk over all partitions.

Replicas move rarely, ISRs and leaders change all the time. So the index follows replica lists only: a record that
changes an ISR costs it nothing, and a reader looks up the partition's present state in the image. An entry whose topic
is deleted, or whose replica moved away, stays and is left out when it is read; when half of the entries are outdated,
the next reader builds the index again.

A partition is a number here, in arrays of machine integers: 12 bytes for each of its replicas and 8 for itself, so a
million partitions of three replicas take 20 MB.

The index belongs to one term of leadership. It is built when it is first asked, because a controller that never fences
a broker needs none.

Source: Kafka ``BrokersToIsrs``, which serves the same questions and follows the ISRs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kraftpy.controller.slices import LOOKS_PER_SLICE, Slices, finished
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.records.codec import Record
from kraftpy.records.metadata import PartitionChangeRecord, PartitionRecord, RemoveTopicRecord

PartitionPlace = tuple[TopicImage, int, PartitionRegistration]
"""A topic, a partition id in it, and the partition's present registration."""

OUTDATED_MIN: Final = 10_000
"""Below this number of outdated entries the index is not built again."""


class ReplicaIndex:
    """The partitions that have a replica on each broker.

    Empty until :meth:`of` is first called.

    Attributes:
        builds: how many times it was built.
    """

    __slots__ = ("_by_broker", "_is_built", "_outdated", "_partition_ids", "_topic_ids", "_topic_numbers", "builds")

    def __init__(self) -> None:
        self._is_built = False
        self.builds = 0
        self._topic_ids: list[Uuid] = []
        self._topic_numbers = array("I")
        self._partition_ids = array("I")
        self._by_broker: dict[NodeId, array[int]] = {}
        self._outdated = 0

    def of(self, image: MetadataImage, broker_id: NodeId) -> Slices[list[PartitionPlace]]:
        """Return the partitions that have a replica on a broker, in the order of topic ids and partitions.

        Args:
            image: the state after every record that was given to :meth:`observe`.
            broker_id: the broker.
        """
        yield from self._refresh(image)
        found: dict[Uuid, dict[int, PartitionPlace]] = {}
        for looked_at, number in enumerate(self._by_broker.get(broker_id, ()), 1):
            for place in self._present(image, number):
                if broker_id in place[2].replicas:
                    found.setdefault(place[0].id, {})[place[1]] = place
            if looked_at % LOOKS_PER_SLICE == 0:
                yield
        ordered: list[PartitionPlace] = []
        since = 0
        for topic_id in sorted(found):
            of_topic = found[topic_id]
            ordered += [of_topic[partition_id] for partition_id in sorted(of_topic)]
            if len(ordered) - since >= LOOKS_PER_SLICE:
                since = len(ordered)
                yield
        return ordered

    def leads_any(self, image: MetadataImage, broker_id: NodeId) -> Slices[bool]:
        """Return whether a broker leads a partition; it looks at no more of them than it takes to know."""
        yield from self._refresh(image)
        for looked_at, number in enumerate(self._by_broker.get(broker_id, ()), 1):
            if any(place[2].leader == broker_id for place in self._present(image, number)):
                return True
            if looked_at % LOOKS_PER_SLICE == 0:
                yield
        return False

    def broker_ids(self, image: MetadataImage) -> list[NodeId]:
        """Return the ids that partitions are assigned to, ascending, registered or not.

        It looks at one partition of each, so the time grows with the ids and not with the partitions.
        """
        finished(self._refresh(image))
        return sorted(
            broker_id
            for broker_id, numbers in self._by_broker.items()
            if any(broker_id in place[2].replicas for number in numbers for place in self._present(image, number))
        )

    def _refresh(self, image: MetadataImage) -> Slices[None]:
        """Build the index if there is none, or too much of it is outdated."""
        if self._is_built and self._outdated <= max(OUTDATED_MIN, len(self._partition_ids) // 2):
            return
        made = ReplicaIndex()
        work = 0
        for topic_id, topic in image.topics.by_id.items():
            for partition_id, partition in topic.partitions.items():
                made._add(topic_id, partition_id, partition.replicas)
                work += 1
                if work % LOOKS_PER_SLICE == 0:
                    yield
        # At once: a build that is given up half-way must not be taken for one.
        self._topic_ids, self._topic_numbers = made._topic_ids, made._topic_numbers
        self._partition_ids, self._by_broker = made._partition_ids, made._by_broker
        self._outdated = 0
        self._is_built = True
        self.builds += 1

    def observe(self, records: Iterable[Record], image: MetadataImage) -> None:
        """Follow records that are about to be replayed on ``image``."""
        if self._is_built:
            for record in records:
                self._follow(record, image)

    def _follow(self, record: Record, image: MetadataImage) -> None:
        if isinstance(record, PartitionRecord):
            self._add(record.topic_id, record.partition_id, record.replicas)
        elif isinstance(record, PartitionChangeRecord):
            if record.replicas is not None:
                before = image.topics.partition(record.topic_id, record.partition_id)
                known = () if before is None else before.replicas
                self._add(record.topic_id, record.partition_id, [one for one in record.replicas if one not in known])
                self._outdated += 1
        elif isinstance(record, RemoveTopicRecord):
            topic = image.topics.topic(record.topic_id)
            self._outdated += 0 if topic is None else len(topic.partitions)

    def _add(self, topic_id: Uuid, partition_id: int, replicas: Sequence[NodeId]) -> None:
        """Enter a partition for these brokers."""
        if not replicas:
            return
        if not self._topic_ids or self._topic_ids[-1] != topic_id:
            self._topic_ids.append(topic_id)
        number = len(self._partition_ids)
        self._topic_numbers.append(len(self._topic_ids) - 1)
        self._partition_ids.append(partition_id)
        for broker_id in replicas:
            numbers = self._by_broker.get(broker_id)
            if numbers is None:
                numbers = self._by_broker[broker_id] = array("I")
            numbers.append(number)

    def _present(self, image: MetadataImage, number: int) -> Iterator[PartitionPlace]:
        """Yield the partition of that number if it exists."""
        topic = image.topics.topic(self._topic_ids[self._topic_numbers[number]])
        if topic is not None:
            partition_id = self._partition_ids[number]
            partition = topic.partitions.get(partition_id)
            if partition is not None:
                yield topic, partition_id, partition
