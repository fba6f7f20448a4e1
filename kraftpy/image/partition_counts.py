"""How many topics and partitions there are, and how many of them need attention, kept up to date by deltas.

Partitions are counted by their shape: what of a partition and its topic decides about its health. Every figure is a sum
over the shapes, of which there are few, so a change of the cluster-wide ``min.insync.replicas`` costs no walk over the
partitions. An update costs the partitions that changed, and those of each topic whose ``min.insync.replicas`` changed.

Source: Kafka ``ControllerMetadataMetrics``, ``ControllerMetricsChanges``, ``Partition.isUnderReplicated``,
``Partition.effectiveMinIsr``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kraftpy.image.configs import TOPIC
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import MetadataImage
from kraftpy.image.min_isr import default_min_isr, own_min_isr
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicDelta, TopicImage


class PartitionShape(NamedTuple):
    """What decides about the health of a partition.

    Attributes:
        min_isr: the topic's own ``min.insync.replicas``; ``None`` when the default applies.
        replicas: the replicas, without those that a reassignment adds.
        in_sync: the members of the ISR among them.
        isr: all members of the ISR.
        has_leader: whether there is a leader.
        is_preferred: whether the first replica leads.
    """

    min_isr: int | None
    replicas: int
    in_sync: int
    isr: int
    has_leader: bool
    is_preferred: bool


class PartitionHealth(NamedTuple):
    """The numbers of partitions by health; a partition may be in several.

    Attributes:
        offline: without a leader.
        under_replicated: with a replica out of sync. Replicas that a reassignment adds do not count.
        under_min_isr: offline, or with an ISR below ``min.insync.replicas``, of which no more than the number of
            replicas is asked.
        at_min_isr: with an ISR of exactly that size; the next loss stops producers that ask for all replicas.
        not_preferred: led by another than the first replica, or by none.
    """

    offline: int
    under_replicated: int
    under_min_isr: int
    at_min_isr: int
    not_preferred: int


class PartitionCounts:
    """The counts of one image.

    Attributes:
        topics: topics.
        partitions: partitions.
        unclean_elections: elections of a replica that was neither in the ISR nor eligible, since this object was made.
        elr_elections: elections of an eligible leader replica, since then.
    """

    def __init__(self) -> None:
        self.topics = 0
        self.partitions = 0
        self.unclean_elections = 0
        self.elr_elections = 0
        self._shapes: Counter[PartitionShape] = Counter()
        self._default_min_isr = 1

    def update(self, delta: MetadataDelta, image: MetadataImage) -> None:
        """Count what changed from the base of ``delta`` to ``image``."""
        self.topics = len(image.topics.by_id)
        self._default_min_isr = default_min_isr(image.configs)
        if delta.topics is not None:
            for gone in delta.topics.deleted.values():
                self._count(gone.partitions.values(), own_min_isr(delta.image.configs, gone.name), -1)
            for topic in delta.topics.changed.values():
                old, new = own_min_isr(delta.image.configs, topic.name), own_min_isr(image.configs, topic.name)
                self._count_changed(topic, old, new)
                self._count_elections(topic)
        for name in _topics_of_changed_configs(delta):
            topic_id = delta.image.topics.ids_by_name.get(name)
            kept = None if topic_id is None else image.topics.topic(topic_id)
            old, new = own_min_isr(delta.image.configs, name), own_min_isr(image.configs, name)
            if kept is not None and old != new:
                self._count_again(delta, kept, old, new)

    def _count_changed(self, topic: TopicDelta, old: int | None, new: int | None) -> None:
        before = (topic.base.partitions.get(number) for number in topic.changed_partitions)
        self._count((partition for partition in before if partition is not None), old, -1)
        self._count((partition for partition in topic.changed_partitions.values() if partition is not None), new, 1)

    def _count_again(self, delta: MetadataDelta, topic: TopicImage, old: int | None, new: int | None) -> None:
        """Count the partitions under the new ``min.insync.replicas`` that were counted under the old one."""
        changed = delta.topics.changed.get(topic.id) if delta.topics is not None else None
        counted = {} if changed is None else changed.changed_partitions
        same = [registration for number, registration in topic.partitions.items() if number not in counted]
        self._count(same, old, -1)
        self._count(same, new, 1)

    def health(self) -> PartitionHealth:
        """Return the numbers of partitions by health."""
        offline = under_replicated = under_min_isr = at_min_isr = not_preferred = 0
        for shape, count in self._shapes.items():
            min_isr = min(shape.min_isr or self._default_min_isr, shape.replicas)
            offline += count * (not shape.has_leader)
            under_replicated += count * (shape.in_sync < shape.replicas)
            under_min_isr += count * (not shape.has_leader or shape.isr < min_isr)
            at_min_isr += count * (shape.has_leader and shape.isr == min_isr)
            not_preferred += count * (not shape.is_preferred)
        return PartitionHealth(offline, under_replicated, under_min_isr, at_min_isr, not_preferred)

    def in_trouble(self) -> int:
        """Return how many partitions are offline, below their ``min.insync.replicas``, or under-replicated."""
        return sum(
            count
            for shape, count in self._shapes.items()
            if not shape.has_leader
            or shape.in_sync < shape.replicas
            or shape.isr < min(shape.min_isr or self._default_min_isr, shape.replicas)
        )

    def _count(self, partitions: Iterable[PartitionRegistration], min_isr: int | None, sign: int) -> None:
        # A broker with many partitions changes all of them at once, and they have few shapes.
        for shape, count in Counter([shape_of(partition, min_isr) for partition in partitions]).items():
            self.partitions += sign * count
            self._shapes[shape] += sign * count
            if not self._shapes[shape]:
                del self._shapes[shape]

    def _count_elections(self, topic: TopicDelta) -> None:
        for _, before, after in transitions(topic):
            if is_new_leader(before, after) and after.leader not in before.isr:
                is_eligible = after.leader in before.elr
                self.elr_elections += is_eligible
                self.unclean_elections += not is_eligible


def shape_of(partition: PartitionRegistration, min_isr: int | None) -> PartitionShape:
    """Return what decides about the health of a partition of a topic with that ``min.insync.replicas``."""
    adding = partition.adding_replicas
    replicas, isr = len(partition.replicas), len(partition.isr)
    settled = sum(replica not in adding for replica in partition.isr) if adding else isr
    return PartitionShape(
        min_isr,
        replicas - sum(replica in adding for replica in partition.replicas) if adding else replicas,
        settled,
        isr,
        partition.leader is not None,
        partition.leader == partition.replicas[0] if replicas else False,
    )


def is_new_leader(before: PartitionRegistration, after: PartitionRegistration) -> bool:
    """Return whether another replica leads than before, or one leads again after there was none."""
    return after.leader is not None and after.leader != before.leader


def is_unclean_election(before: PartitionRegistration, after: PartitionRegistration) -> bool:
    """Return whether a replica became the leader that need not have all committed records."""
    return is_new_leader(before, after) and after.leader not in before.isr and after.leader not in before.elr


def transitions(topic: TopicDelta) -> Iterator[tuple[int, PartitionRegistration, PartitionRegistration]]:
    """Yield each changed partition of a topic that was there before: its number, as it was, as it is."""
    for number, after in topic.changed_partitions.items():
        before = topic.base.partitions.get(number)
        if before is not None and after is not None:
            yield number, before, after


def _topics_of_changed_configs(delta: MetadataDelta) -> list[str]:
    if delta.configs is None:
        return []
    return [resource.name for resource in delta.configs.changed if resource.type == TOPIC]
