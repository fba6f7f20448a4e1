"""What a change of topics means for the replicas that one broker holds.

A broker acts on its own replicas only: it deletes, it leads, it follows. Deletes never name a partition that the broker
did not hold before. Keys carry the topic's id, so that a topic deleted and created again under one name is told apart.

Source: Kafka ``LocalReplicaChanges``, ``TopicDelta.localChanges``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.ids import NodeId, Uuid

if TYPE_CHECKING:
    from kraftpy.image.topics import TopicDelta, TopicImage


class TopicIdPartition(NamedTuple):
    """A partition, by its topic's id; the name is along for people and for directory names."""

    topic_id: Uuid
    topic: str
    partition: int


@dataclass(frozen=True, slots=True)
class LocalChanges:
    """One broker's share of a delta.

    Attributes:
        deletes: replicas that the broker held and no longer does.
        leaders: partitions that it leads and that are new or changed.
        elected_leaders: those of them whose leader epoch changed too.
        followers: partitions that it follows and that are new or changed.
        topic_ids: name to id of the topics led or followed.
        directories: replicas whose directory assignment changed.
    """

    deletes: set[TopicIdPartition] = field(default_factory=set)
    leaders: dict[TopicIdPartition, PartitionRegistration] = field(default_factory=dict)
    elected_leaders: dict[TopicIdPartition, PartitionRegistration] = field(default_factory=dict)
    followers: dict[TopicIdPartition, PartitionRegistration] = field(default_factory=dict)
    topic_ids: dict[str, Uuid] = field(default_factory=dict)
    directories: dict[TopicIdPartition, Uuid] = field(default_factory=dict)

    @classmethod
    def of(cls, broker_id: NodeId, changed: Iterable[TopicDelta], deleted: Iterable[TopicImage]) -> LocalChanges:
        """Collect one broker's share."""
        local = cls()
        for topic in deleted:
            for partition_id, before in topic.partitions.items():
                if broker_id in before.replicas:
                    local.deletes.add(TopicIdPartition(topic.id, topic.name, partition_id))
        for delta in changed:
            for partition_id, after in delta.changed_partitions.items():
                key = TopicIdPartition(delta.id, delta.name, partition_id)
                local._note(broker_id, key, delta.base.partitions.get(partition_id), after)
        return local

    def _note(
        self,
        broker_id: NodeId,
        key: TopicIdPartition,
        before: PartitionRegistration | None,
        after: PartitionRegistration | None,
    ) -> None:
        held = before is not None and broker_id in before.replicas
        if after is None or broker_id not in after.replicas:
            if held:
                self.deletes.add(key)
            return
        if before is None or before.partition_epoch != after.partition_epoch:
            (self.leaders if after.leader == broker_id else self.followers)[key] = after
            self.topic_ids[key.topic] = key.topic_id
        if after.leader == broker_id and (before is None or before.leader_epoch != after.leader_epoch):
            self.elected_leaders[key] = after
        if before is None or not held or before.directory(broker_id) != after.directory(broker_id):
            self.directories[key] = after.directory(broker_id)
