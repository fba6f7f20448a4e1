"""The partitions of an image that need attention, the worst first: a bounded list, found in steps.

The counts of :mod:`kraftpy.image.partition_counts` cost no walk over the partitions; which ones they are does. So a
walk is made in steps of a bounded number of partitions, it is only begun where the counts say that there is something
to find, and it ends as soon as all of it was found.
"""

from __future__ import annotations

import enum
from collections.abc import Generator, Iterator
from typing import Final, NamedTuple

from kraftpy.image.image import MetadataImage
from kraftpy.image.min_isr import default_min_isr, own_min_isr
from kraftpy.image.partition_counts import shape_of
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.ids import NodeId

PARTITIONS_PER_STEP: Final = 1_000
"""How many topics and partitions are looked at between two yields; that takes less than a millisecond."""


class PartitionTrouble(enum.Enum):
    """What is wrong with a partition; of several, the first of these."""

    OFFLINE = "offline"
    UNDER_MIN_ISR = "underMinIsr"
    UNDER_REPLICATED = "underReplicated"


class TroubledPartition(NamedTuple):
    """One partition that needs attention.

    Attributes:
        trouble: the worst of what is wrong.
        topic: the topic's name.
        partition: the partition's number.
        registration: its replicas, ISR and leader.
        min_isr: how large the ISR has to be.
    """

    trouble: PartitionTrouble
    topic: str
    partition: int
    registration: PartitionRegistration
    min_isr: int

    @property
    def leader(self) -> NodeId | None:
        """Who leads it, if any replica does."""
        return self.registration.leader


def troubled_partitions(
    image: MetadataImage, count: int, listed_max: int
) -> Generator[None, None, tuple[TroubledPartition, ...]]:
    """Yield between steps, and return the worst partitions by trouble, topic and number.

    Args:
        image: where they are.
        count: how many there are (:meth:`~kraftpy.image.partition_counts.PartitionCounts.in_trouble`).
        listed_max: how many are returned at most. Where more have the same trouble, which of them is not defined.
    """
    found: dict[PartitionTrouble, list[TroubledPartition]] = {trouble: [] for trouble in PartitionTrouble}
    default = default_min_isr(image.configs)
    for suspect in _suspects(image) if count > 0 else ():
        if suspect is None:
            yield
            continue
        topic, number, partition = suspect
        one = _judged(topic, number, partition, own_min_isr(image.configs, topic.name) or default)
        if one is not None:
            count -= 1
            if len(found[one.trouble]) < listed_max:
                found[one.trouble].append(one)
            if count == 0 or len(found[PartitionTrouble.OFFLINE]) == listed_max:
                break
    worst = [one for each in found.values() for one in sorted(each, key=lambda one: (one.topic, one.partition))]
    return tuple(worst[:listed_max])


def _suspects(image: MetadataImage) -> Iterator[tuple[TopicImage, int, PartitionRegistration] | None]:
    """Yield each partition that has no leader or a replica out of sync, and ``None`` where a step ends."""
    looked_at = 0
    for topic in image.topics.by_id.values():
        looked_at += 1
        for number, partition in topic.partitions.items():
            looked_at += 1
            if looked_at >= PARTITIONS_PER_STEP:
                looked_at = 0
                yield None
            if partition.leader is None or len(partition.isr) < len(partition.replicas):
                yield topic, number, partition


def _judged(topic: TopicImage, number: int, partition: PartitionRegistration, min_isr: int) -> TroubledPartition | None:
    """Return what is wrong with a partition, by the rules of its counts; ``None`` if nothing is."""
    shape = shape_of(partition, None)
    needed = min(min_isr, shape.replicas)
    if not shape.has_leader:
        trouble = PartitionTrouble.OFFLINE
    elif shape.isr < needed:
        trouble = PartitionTrouble.UNDER_MIN_ISR
    elif shape.in_sync < shape.replicas:
        trouble = PartitionTrouble.UNDER_REPLICATED
    else:
        return None
    return TroubledPartition(trouble, topic.name, number, partition, needed)
