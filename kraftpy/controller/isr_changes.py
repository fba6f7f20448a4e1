"""What the coming and going of a broker or a directory means for partitions.

A broker that goes leaves every ISR, and what it led is led by another replica or by none. A broker that returns leads
again what has no leader and may be led by it. Each partition's change is worked out by ``partition_change``.

Partitions are found by ``replica_index``. A broker may have a great many, so all of it is done in slices. Those of the
same kind, with the same replicas, directories, ISR, leader and so on, change in the same way, which is worked out once
in a decision. Among a dozen brokers there are few kinds; among a hundred nearly each partition is of its own, and this
neither gains nor costs anything.

Source: Kafka ``ReplicationControlManager.generateLeaderAndIsrUpdates``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.partition_change import Election, PartitionTarget, partition_change
from kraftpy.controller.slices import LOOKS_PER_CHANGE, LOOKS_PER_REPEATED_CHANGE, LOOKS_PER_SLICE, Slices
from kraftpy.controller.topic_rules import TopicRules, online_replicas
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.records.metadata import PartitionChangeRecord

KINDS_MAX: Final = 10_000
"""How many kinds of partitions a decision remembers, for each ``min.insync.replicas`` and election of their topics."""

_EPOCHS_AT: Final = PartitionRegistration._fields.index("leader_epoch")
"""Where the epochs of a registration begin, its last fields: they only count changes, what is before decides them."""


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

    def without_it(partition: PartitionRegistration, election: Election) -> PartitionTarget:
        return PartitionTarget(
            isr=tuple(replica for replica in partition.isr if replica != broker_id),
            election=election,
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

    def as_it_is(_partition: PartitionRegistration, election: Election) -> PartitionTarget:
        return PartitionTarget(election=election)

    return _changes(view, broker_id, rules, is_concerned, as_it_is)


def _changes(
    view: DecisionContext,
    broker_id: NodeId,
    rules: TopicRules,
    is_concerned: Callable[[PartitionRegistration], bool],
    target: Callable[[PartitionRegistration, Election], PartitionTarget],
) -> Slices[list[PartitionChangeRecord]]:
    """Work out the changes of those partitions with a replica on a broker that are concerned.

    Records of the same kind share their lists.
    """
    changes: list[PartitionChangeRecord] = []
    kinds = _Kinds(rules, target)
    work = 0
    for topic, partition_id, partition in (yield from view.replicas.of(view.image, broker_id)):
        work += 1
        if is_concerned(partition):
            of_topic = kinds.of(topic)
            kind = partition[:_EPOCHS_AT]
            if kind in of_topic:
                work += LOOKS_PER_REPEATED_CHANGE
                change = _repeated(of_topic[kind], topic.id, partition_id)
            else:
                work += LOOKS_PER_CHANGE
                change = kinds.worked_out(topic, partition_id, partition)
                if len(of_topic) < KINDS_MAX:
                    of_topic[kind] = change
            if change is not None:
                changes.append(change)
        if work >= LOOKS_PER_SLICE:
            work = 0
            yield
    return changes


_OfTopic = dict[tuple[object, ...], PartitionChangeRecord | None]
"""The change of the first partition of each kind; ``None`` when partitions of that kind stay as they are."""


class _Kinds:
    """The changes of one decision that were worked out, by kind of partition: for each kind of topic, a dict."""

    __slots__ = ("_by_rules", "_of_topic", "_rules", "_target", "_topic")

    def __init__(self, rules: TopicRules, target: Callable[[PartitionRegistration, Election], PartitionTarget]) -> None:
        self._rules = rules
        self._target = target
        self._by_rules: dict[tuple[int, Election], _OfTopic] = {}
        self._topic: TopicImage | None = None
        self._of_topic: _OfTopic = {}

    def of(self, topic: TopicImage) -> _OfTopic:
        """Return what is known for partitions of a topic; topics that are set alike have it in common."""
        if topic is not self._topic:
            self._topic = topic
            rules = self._rules.of(topic)
            self._of_topic = self._by_rules.setdefault((rules.min_isr, rules.election), {})
        return self._of_topic

    def worked_out(
        self, topic: TopicImage, partition_id: int, partition: PartitionRegistration
    ) -> PartitionChangeRecord | None:
        """Work out the change of a partition."""
        rules = self._rules.of(topic)
        target = self._target(partition, rules.election)
        return partition_change(topic.id, partition_id, partition, target, rules)


def _repeated(change: PartitionChangeRecord | None, topic_id: Uuid, partition_id: int) -> PartitionChangeRecord | None:
    """Return the same change of another partition."""
    if change is None:
        return None
    return PartitionChangeRecord(
        partition_id,
        topic_id,
        change.isr,
        change.leader,
        change.replicas,
        change.removing_replicas,
        change.adding_replicas,
        change.leader_recovery_state,
        change.directories,
        change.eligible_leader_replicas,
        change.last_known_elr,
    )
