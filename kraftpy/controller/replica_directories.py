"""A broker reports the directories that hold its replicas (KIP-858).

A replica in a directory that the registration does not name as online is lost with it: it leaves the ISR in the same
record. So does one in a directory that is full (KIP-928).

The checks, in order. Of the request:

1. UNSUPPORTED_VERSION: the metadata.version is below 17.
2. STALE_BROKER_EPOCH: no broker is registered with this id and epoch.

Of each replica, whose error leaves the others alone:

3. INVALID_REQUEST, ours: the request has named the replica before.
4. UNKNOWN_TOPIC_ID: no topic has the id.
5. UNKNOWN_TOPIC_OR_PARTITION: the topic has no such partition.
6. NOT_LEADER_OR_FOLLOWER: the broker has no replica of the partition.

Source: Kafka ``ReplicationControlManager.handleAssignReplicasToDirs``; KIP-858.
"""

from __future__ import annotations

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.partition_change import Election, PartitionTarget, partition_change
from kraftpy.controller.partition_requests import AssignReplicasToDirs, AssignReplicasToDirsResponse, PartitionOutcome
from kraftpy.controller.registration import check_broker_epoch
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_rules import TopicRules
from kraftpy.image.image import MetadataImage
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import DIRECTORIES_LEVEL
from kraftpy.model.ids import Uuid
from kraftpy.records.metadata import PartitionChangeRecord


def assign_replicas_to_dirs(view: DecisionContext, request: AssignReplicasToDirs) -> ControllerResult:
    """Decide a broker's report; errors of a replica are values in the response.

    Raises:
        ApiError: UNSUPPORTED_VERSION below metadata.version 17, STALE_BROKER_EPOCH.
    """
    if view.image.level < DIRECTORIES_LEVEL:
        raise ApiError(ErrorCode.UNSUPPORTED_VERSION, "Directory assignment is not supported yet.")
    broker = check_broker_epoch(view.image, request.broker_id, request.broker_epoch)
    rules = TopicRules(view)
    records: list[PartitionChangeRecord] = []
    seen = set[tuple[Uuid, int]]()
    directories = []
    for directory, topics in request.directories:
        assigned = []
        for topic_id, partition_ids in topics:
            outcomes = []
            for partition_id in partition_ids:
                error = _fault(view.image, broker, topic_id, partition_id)
                if error is ErrorCode.NONE and (topic_id, partition_id) in seen:
                    error = ErrorCode.INVALID_REQUEST
                if error is ErrorCode.NONE:
                    _assign(view.image, rules, broker, directory, topic_id, partition_id, records)
                seen.add((topic_id, partition_id))
                outcomes.append(PartitionOutcome(partition_id, error))
            assigned.append((topic_id, tuple(outcomes)))
        directories.append((directory, tuple(assigned)))
    return ControllerResult(tuple(records), AssignReplicasToDirsResponse(directories=tuple(directories)), atomic=False)


def _fault(image: MetadataImage, broker: BrokerRegistration, topic_id: Uuid, partition_id: int) -> ErrorCode:
    """Return why a broker cannot hold a replica."""
    topic = image.topics.topic(topic_id)
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_ID
    partition = topic.partitions.get(partition_id)
    if partition is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return ErrorCode.NONE if broker.broker_id in partition.replicas else ErrorCode.NOT_LEADER_OR_FOLLOWER


def _assign(
    image: MetadataImage,
    topic_rules: TopicRules,
    broker: BrokerRegistration,
    directory: Uuid,
    topic_id: Uuid,
    partition_id: int,
    records: list[PartitionChangeRecord],
) -> None:
    """Decide one replica, which the broker holds, and add its record."""
    topic = image.topics.by_id[topic_id]
    partition = topic.partitions[partition_id]
    rules = topic_rules.of(topic)
    isr, election = partition.isr, Election.ONLINE
    if not broker.serves_dir(directory):
        isr, election = tuple(replica for replica in isr if replica != broker.broker_id), rules.election
    target = PartitionTarget(isr=isr, directories={broker.broker_id: directory}, election=election)
    record = partition_change(topic_id, partition_id, partition, target, rules)
    records += [] if record is None else [record]
