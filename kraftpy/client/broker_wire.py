"""What brokers report: from values to messages and back; a part of ``wire``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kraftpy.client import values as v
from kraftpy.client import wire
from kraftpy.client.uuids import Uuid, received
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.pb.v1 import common_pb2, node_pb2


def alter_partition(
    broker_id: NodeId, broker_epoch: int, reports: Iterable[v.InSyncReplicas], options: common_pb2.WriteOptions
) -> node_pb2.AlterPartitionRequest:
    """Write in-sync replicas, topic by topic in the order in which topics are first named."""
    topics: dict[Uuid, list[node_pb2.PartitionInSyncReplicas]] = {}
    for one in reports:
        row = node_pb2.PartitionInSyncReplicas(
            partition=one.partition,
            leader_epoch=one.leader_epoch,
            partition_epoch=one.partition_epoch,
            isr=[node_pb2.InSyncReplica(broker_id=member, broker_epoch=epoch) for member, epoch in one.isr.items()],
            recovering=one.recovering,
        )
        topics.setdefault(Uuid(one.topic_id), []).append(row)
    rows = [node_pb2.TopicInSyncReplicas(topic_id=topic_id, partitions=found) for topic_id, found in topics.items()]
    return node_pb2.AlterPartitionRequest(options=options, broker_id=broker_id, broker_epoch=broker_epoch, topics=rows)


def assign_replicas_to_dirs(
    broker_id: NodeId,
    broker_epoch: int,
    directories: Mapping[tuple[Uuid, int], Uuid],
    options: common_pb2.WriteOptions,
) -> node_pb2.AssignReplicasToDirsRequest:
    """Write the directory of each replica, by directory and topic."""
    found: dict[Uuid, dict[Uuid, list[int]]] = {}
    for (topic_id, partition), directory_id in directories.items():
        found.setdefault(Uuid(directory_id), {}).setdefault(Uuid(topic_id), []).append(partition)
    return node_pb2.AssignReplicasToDirsRequest(
        options=options,
        broker_id=broker_id,
        broker_epoch=broker_epoch,
        directories=[
            node_pb2.DirectoryReplicas(
                directory_id=directory_id,
                topics=[
                    node_pb2.TopicReplicas(topic_id=topic_id, partitions=partitions)
                    for topic_id, partitions in topics.items()
                ],
            )
            for directory_id, topics in found.items()
        ],
    )


def in_sync_altered(message: node_pb2.AlterPartitionResponse) -> v.InSyncAltered:
    """Read the state of each partition, or why it was not altered."""
    topics = ((received(topic.topic_id, "topic id"), topic.partitions) for topic in message.topics)
    outcomes = tuple(_in_sync(topic_id, one) for topic_id, partitions in topics for one in partitions)
    return v.InSyncAltered(wire.position(message.position), outcomes)


def _in_sync(topic_id: Uuid, row: node_pb2.PartitionAlteration) -> v.InSyncOutcome:
    return v.InSyncOutcome(
        topic_id=topic_id,
        partition=row.partition,
        error=ErrorCode(row.error.code),
        leader=row.leader if row.HasField("leader") else None,
        leader_epoch=row.leader_epoch,
        partition_epoch=row.partition_epoch,
        isr=tuple(row.isr),
        recovering=row.recovering,
    )


def replicas_assigned(message: node_pb2.AssignReplicasToDirsResponse) -> v.ReplicasAssigned:
    """Read what became of each replica."""
    outcomes = tuple(
        v.ReplicaOutcome(
            received(topic.topic_id, "topic id"),
            one.partition,
            received(directory.directory_id, "directory id"),
            ErrorCode(one.error.code),
        )
        for directory in message.directories
        for topic in directory.topics
        for one in topic.partitions
    )
    return v.ReplicasAssigned(wire.position(message.position), outcomes)
