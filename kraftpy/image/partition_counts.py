"""How many topics and partitions there are, and how many of them need attention, kept up to date by deltas.

Partitions are counted by their shape: what of a partition and its topic decides about its health. Every figure is a sum
over the shapes, of which there are few, so a change of the cluster-wide ``min.insync.replicas`` costs no walk over the
partitions. An update costs the partitions that changed, and those of each topic whose ``min.insync.replicas`` changed.
A broker that goes changes a hundred thousand at once, so an update can be made in slices; until its last one the counts
are those of the image before.

Source: Kafka ``ControllerMetadataMetrics``, ``ControllerMetricsChanges``, ``Partition.isUnderReplicated``,
``Partition.effectiveMinIsr``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Final, NamedTuple

from kraftpy.image.configs import TOPIC
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import MetadataImage
from kraftpy.image.min_isr import default_min_isr, own_min_isr
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicDelta, TopicImage

PARTITIONS_PER_SLICE: Final = 2_000
"""How many partitions are counted in one slice of an update: some milliseconds."""

_Shape = tuple[int | None, int, int, int, bool, bool]
"""A :class:`PartitionShape` before it is one: a plain tuple is made in a third of the time."""


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
        for _ in self.update_in_slices(delta, image):
            pass

    def update_in_slices(self, delta: MetadataDelta, image: MetadataImage) -> Generator[None, None, None]:
        """Count as :meth:`update` does, and yield between slices; all counts change with the last one."""
        change, configs, earlier = _Change(), image.configs, delta.image.configs
        if delta.topics is not None:
            for gone in delta.topics.deleted.values():
                yield from change.count(gone.partitions.values(), own_min_isr(earlier, gone.name), change.removed)
            for topic in delta.topics.changed.values():
                yield from change.follow(topic, own_min_isr(earlier, topic.name), own_min_isr(configs, topic.name))
        for name in _topics_of_changed_configs(delta):
            topic_id = delta.image.topics.ids_by_name.get(name)
            kept = None if topic_id is None else image.topics.topic(topic_id)
            old, new = own_min_isr(earlier, name), own_min_isr(configs, name)
            if kept is not None and old != new:
                yield from change.count(_unchanged(delta, kept), old, change.removed)
                yield from change.count(_unchanged(delta, kept), new, change.added)
        self.topics = len(image.topics.by_id)
        self._default_min_isr = default_min_isr(configs)
        self._take(change)

    def _take(self, change: _Change) -> None:
        """Let everything that one update counted count."""
        change.sum_up()
        for shapes, sign in ((change.shapes_removed, -1), (change.shapes_added, 1)):
            for key, count in shapes.items():
                shape = PartitionShape(*key)
                self.partitions += sign * count
                self._shapes[shape] += sign * count
                if not self._shapes[shape]:
                    del self._shapes[shape]
        self.unclean_elections += change.unclean_elections
        self.elr_elections += change.elr_elections

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


class _Change:
    """What one update changes: the shapes that partitions had, those that they have, and who was elected.

    Attributes:
        removed: the shapes of a slice that no longer count, one for each partition; :meth:`sum_up` takes them.
        added: those that count from now on.
        shapes_removed: the sums of the slices before.
        shapes_added: the same of ``added``.
        unclean_elections: as in :class:`PartitionCounts`.
        elr_elections: as there.
    """

    __slots__ = ("_left", "added", "elr_elections", "removed", "shapes_added", "shapes_removed", "unclean_elections")

    def __init__(self) -> None:
        self.removed: list[_Shape] = []
        self.added: list[_Shape] = []
        self.shapes_removed: Counter[_Shape] = Counter()
        self.shapes_added: Counter[_Shape] = Counter()
        self.unclean_elections = 0
        self.elr_elections = 0
        self._left = PARTITIONS_PER_SLICE

    def count(
        self, partitions: Iterable[PartitionRegistration], min_isr: int | None, shapes: list[_Shape]
    ) -> Generator[None, None, None]:
        """Add the shape of each partition to ``shapes``, which is one of this object's."""
        for partition in partitions:
            shapes.append(_shape(partition, min_isr))
            self._left -= 1
            if not self._left:
                self.sum_up()
                yield

    def follow(self, topic: TopicDelta, old: int | None, new: int | None) -> Generator[None, None, None]:
        """Count the changed partitions of a topic, whose ``min.insync.replicas`` was ``old`` and is ``new``."""
        known: Callable[[int], PartitionRegistration | None] = topic.base.partitions.get
        removed, added = self.removed, self.added
        for number, after in topic.changed_partitions.items():
            before = known(number)
            if before is not None:
                removed.append(_shape(before, old))
            if after is not None:
                added.append(_shape(after, new))
                if before is not None and before.leader != after.leader:
                    self._note_election(before, after)
            self._left -= 1
            if not self._left:
                self.sum_up()
                yield

    def _note_election(self, before: PartitionRegistration, after: PartitionRegistration) -> None:
        if after.leader is not None and after.leader not in before.isr:
            is_eligible = after.leader in before.elr
            self.elr_elections += is_eligible
            self.unclean_elections += not is_eligible

    def sum_up(self) -> None:
        """End a slice: add its shapes to the sums."""
        self.shapes_removed.update(self.removed)
        self.shapes_added.update(self.added)
        self.removed.clear()
        self.added.clear()
        self._left = PARTITIONS_PER_SLICE


def _unchanged(delta: MetadataDelta, topic: TopicImage) -> Iterator[PartitionRegistration]:
    """Yield the partitions of a topic that a delta leaves as they are."""
    changed = delta.topics.changed.get(topic.id) if delta.topics is not None else None
    if changed is None:
        return iter(topic.partitions.values())
    return (one for number, one in topic.partitions.items() if number not in changed.changed_partitions)


def shape_of(partition: PartitionRegistration, min_isr: int | None) -> PartitionShape:
    """Return what decides about the health of a partition of a topic with that ``min.insync.replicas``."""
    return PartitionShape(*_shape(partition, min_isr))


def _shape(partition: PartitionRegistration, min_isr: int | None) -> _Shape:
    replicas, isr, adding, leader = partition.replicas, partition.isr, partition.adding_replicas, partition.leader
    wanted, in_sync = len(replicas), len(isr)
    if adding:
        in_sync = sum(replica not in adding for replica in isr)
        wanted -= sum(replica in adding for replica in replicas)
    is_preferred = leader == replicas[0] if replicas else False
    return min_isr, wanted, in_sync, len(isr), leader is not None, is_preferred


def is_new_leader(before: PartitionRegistration, after: PartitionRegistration) -> bool:
    """Return whether another replica leads than before, or one leads again after there was none."""
    return after.leader is not None and after.leader != before.leader


def is_unclean_election(before: PartitionRegistration, after: PartitionRegistration) -> bool:
    """Return whether a replica became the leader that need not have all committed records."""
    return is_new_leader(before, after) and after.leader not in before.isr and after.leader not in before.elr


def partitions_concerned(delta: MetadataDelta) -> int:
    """Return how many partitions have to be looked at to count an update: a changed topic without any counts as one."""
    topics = delta.topics
    concerned = 0
    if topics is not None:
        concerned += sum(len(topic.changed_partitions) or 1 for topic in topics.changed.values())
        concerned += sum(len(topic.partitions) or 1 for topic in topics.deleted.values())
    for name in _topics_of_changed_configs(delta):
        topic = delta.image.topics.named(name)
        concerned += 1 if topic is None else len(topic.partitions) or 1
    return concerned


def _topics_of_changed_configs(delta: MetadataDelta) -> list[str]:
    if delta.configs is None:
        return []
    return [resource.name for resource in delta.configs.changed if resource.type == TOPIC]
