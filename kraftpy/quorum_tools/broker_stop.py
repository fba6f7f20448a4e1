"""Whether a broker can be stopped now without a partition becoming unavailable, from the state of all partitions.

A broker that stops in order hands its leaderships to other members of the ISR and leaves every ISR. It can be stopped
when each partition whose ISR it is in keeps a live member there, and as many as producers with ``acks=all`` need. What
was unavailable before does not change the answer, but is counted.

Source: Kafka ``ReplicaManager``, ``Partition.effectiveMinIsr``, ``ControlledShutdown`` of KIP-631; Ceph
``ok-to-stop``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from kraftpy.client.values import PartitionInfo, TopicInfo
from kraftpy.model.ids import NodeId


class TopicPartition(NamedTuple):
    """One partition of a topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        """Return ``topic-partition``, as Kafka prints it."""
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class BrokerStop:
    """What stopping a broker would do to the partitions.

    Attributes:
        replicas: partitions with a replica on the broker.
        leads: partitions that the broker leads.
        would_be_offline: partitions that would have no leader.
        would_be_under_min_isr: partitions that would have a leader, and fall below ``min.insync.replicas``.
        offline: partitions of the whole cluster that have no live leader now.
    """

    replicas: int
    leads: int
    would_be_offline: tuple[TopicPartition, ...]
    would_be_under_min_isr: tuple[TopicPartition, ...]
    offline: tuple[TopicPartition, ...]

    @property
    def ok(self) -> bool:
        """Whether no partition becomes unavailable, to consumers or to producers with ``acks=all``."""
        return not self.would_be_offline and not self.would_be_under_min_isr


def broker_stop(broker_id: NodeId, topics: Iterable[TopicInfo], live: Collection[NodeId]) -> BrokerStop:
    """Return what stopping a broker would do; ``live`` are the brokers that are not fenced."""
    replicas = leads = 0
    would_be_offline: list[TopicPartition] = []
    would_be_under_min_isr: list[TopicPartition] = []
    offline: list[TopicPartition] = []
    for topic in topics:
        for partition in topic.partitions:
            which = TopicPartition(topic.name, partition.partition)
            replicas += broker_id in partition.replicas
            leads += partition.leader == broker_id
            if partition.leader is None or partition.leader not in live:
                offline.append(which)
            elif broker_id in partition.isr:
                left = sum(member in live for member in partition.isr if member != broker_id)
                if left == 0:
                    would_be_offline.append(which)
                elif left < effective_min_isr(topic, partition) <= left + 1:
                    would_be_under_min_isr.append(which)
    return BrokerStop(replicas, leads, tuple(would_be_offline), tuple(would_be_under_min_isr), tuple(offline))


def effective_min_isr(topic: TopicInfo, partition: PartitionInfo) -> int:
    """Return how many members of the ISR a write with ``acks=all`` needs: never more than there are replicas."""
    return min(topic.min_insync_replicas, len(partition.replicas))
