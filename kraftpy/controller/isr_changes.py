"""What the coming and going of a broker or a directory means for partitions.

A broker that goes leaves every ISR, and what it led is led by another replica or by none. A broker that returns leads
again what has no leader and may be led by it. Each partition's change is worked out by ``partition_change``.

Partitions are found by ``replica_index``. A broker may have a great many, so all of it is done in slices.

Source: Kafka ``ReplicationControlManager.generateLeaderAndIsrUpdates``.
"""

from __future__ import annotations

from collections.abc import Callable

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.partition_change import PartitionTarget, partition_change
from kraftpy.controller.slices import LOOKS_PER_CHANGE, LOOKS_PER_SLICE, Slices
from kraftpy.controller.topic_rules import TopicRules, online_replicas
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.records.metadata import PartitionChangeRecord


def departures(
    view: DecisionContext,
    broker_id: NodeId,
    *,
    directories: frozenset[Uuid] | None = None,
    unclean: bool = False,
) -> Slices[list[PartitionChangeRecord]]:
    """Take a broker out of the ISRs and leaderships it has.

    Args:
        view: the state before.
        broker_id: the broker that goes.
        directories: only the replicas in these directories go; ``None`` means all.
        unclean: whether the broker may have lost what it had acknowledged, so that it leaves the ELRs as well.
    """
    online = online_replicas(view.image)

    def goes(replica: NodeId, directory: Uuid) -> bool:
        return replica == broker_id and (directories is None or directory in directories)

    rules = TopicRules(view, lambda replica, directory: not goes(replica, directory) and online(replica, directory))

    def is_concerned(partition: PartitionRegistration) -> bool:
        if not (
            broker_id in partition.isr or broker_id == partition.leader or (unclean and broker_id in partition.elr)
        ):
            return False
        return directories is None or partition.directory(broker_id) in directories

    def without_it(topic: TopicImage, partition: PartitionRegistration) -> PartitionTarget:
        return PartitionTarget(
            isr=tuple(replica for replica in partition.isr if replica != broker_id),
            election=rules.of(topic).election,
            unclean_shutdown=frozenset({broker_id}) if unclean else frozenset(),
        )

    return _changes(view, broker_id, rules, is_concerned, without_it)


def arrivals(
    view: DecisionContext,
    broker_id: NodeId,
    *,
    serves: Callable[[Uuid], bool],
    directories: frozenset[Uuid] | None = None,
) -> Slices[list[PartitionChangeRecord]]:
    """Elect leaders where there are none and a broker or directory that can be used again makes an election possible.

    Args:
        view: the state before.
        broker_id: the broker, which is unfenced or being unfenced.
        serves: whether a directory of the broker is online and not full from now on.
        directories: only partitions with a replica in these directories are looked at; ``None`` means all.
    """
    online = online_replicas(view.image)

    def is_acceptable(replica: NodeId, directory: Uuid) -> bool:
        return serves(directory) if replica == broker_id else online(replica, directory)

    rules = TopicRules(view, is_acceptable)

    def is_concerned(partition: PartitionRegistration) -> bool:
        return partition.leader is None and (directories is None or partition.directory(broker_id) in directories)

    def as_it_is(topic: TopicImage, _partition: PartitionRegistration) -> PartitionTarget:
        return PartitionTarget(election=rules.of(topic).election)

    return _changes(view, broker_id, rules, is_concerned, as_it_is)


def _changes(
    view: DecisionContext,
    broker_id: NodeId,
    rules: TopicRules,
    is_concerned: Callable[[PartitionRegistration], bool],
    target: Callable[[TopicImage, PartitionRegistration], PartitionTarget],
) -> Slices[list[PartitionChangeRecord]]:
    """Work out the changes of those partitions with a replica on a broker that are concerned."""
    changes: list[PartitionChangeRecord] = []
    work = 0
    for topic, partition_id, partition in (yield from view.replicas.of(view.image, broker_id)):
        work += 1
        if is_concerned(partition):
            work += LOOKS_PER_CHANGE
            change = partition_change(topic.id, partition_id, partition, target(topic, partition), rules.of(topic))
            if change is not None:
                changes.append(change)
        if work >= LOOKS_PER_SLICE:
            work = 0
            yield
    return changes
