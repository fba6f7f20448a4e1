"""What brokers report and ask for: between messages and the controller's values; a part of ``writes``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kraftpy.controller import partition_requests as r
from kraftpy.controller.account_requests import AllocateProducerIds, AllocateProducerIdsResponse
from kraftpy.controller.broker_id_requests import AssignBrokerId, AssignBrokerIdResponse
from kraftpy.image.partitions import LeaderRecoveryState
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import UUID_BYTES, Uuid
from kraftpy.pb.v1 import common_pb2, errors_pb2, node_pb2

REPORTED_PARTITIONS_MAX: Final = 30_000
"""How many partitions, and how many topics, one report of in-sync replicas may name; a broker sends all it has."""

REPORTED_REPLICAS_MAX: Final = 100_000
"""How many in-sync replicas all of them may have."""

REPLICAS_MAX: Final = 10_000
"""How many replicas, topics and directories one report of directories may name."""


def _check_count(count: int, what: str, count_max: int) -> None:
    if count > count_max:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{count} {what}, at most {count_max} are allowed")


def _uuid(value: bytes, place: str) -> Uuid:
    if len(value) != UUID_BYTES:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{place} has {len(value)} bytes, a uuid has {UUID_BYTES}")
    return value


def alter_partition(message: node_pb2.AlterPartitionRequest) -> r.AlterPartition:
    """Read a leader's new in-sync replicas.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(len(message.topics), "topics", REPORTED_PARTITIONS_MAX)
    _check_count(sum(len(each.partitions) for each in message.topics), "partitions", REPORTED_PARTITIONS_MAX)
    replicas = sum(len(one.isr) for each in message.topics for one in each.partitions)
    _check_count(replicas, "in-sync replicas", REPORTED_REPLICAS_MAX)
    return r.AlterPartition(
        broker_id=message.broker_id,
        broker_epoch=message.broker_epoch,
        topics=tuple(
            (_uuid(each.topic_id, "topics.topic_id"), tuple(_alteration(one) for one in each.partitions))
            for each in message.topics
        ),
        validate_only=message.options.validate_only,
    )


def _alteration(message: node_pb2.PartitionInSyncReplicas) -> r.PartitionAlteration:
    state = LeaderRecoveryState.RECOVERING if message.recovering else LeaderRecoveryState.RECOVERED
    return r.PartitionAlteration(
        partition_id=message.partition,
        leader_epoch=message.leader_epoch,
        partition_epoch=message.partition_epoch,
        isr=tuple(
            r.IsrMember(each.broker_id, each.broker_epoch)
            if each.HasField("broker_epoch")
            else r.IsrMember(each.broker_id)
            for each in message.isr
        ),
        recovery_state=state,
    )


def partitions_altered(
    response: r.AlterPartitionResponse, position: common_pb2.CommitPosition
) -> node_pb2.AlterPartitionResponse:
    """Write the state of each partition, or why it was not altered."""
    message = node_pb2.AlterPartitionResponse(position=position)
    for topic_id, partitions in response.topics:
        message.topics.add(topic_id=topic_id, partitions=[_altered(one) for one in partitions])
    return message


def _altered(one: r.PartitionAltered) -> node_pb2.PartitionAlteration:
    state = one.state
    if state is None:
        return node_pb2.PartitionAlteration(partition=one.partition_id, error=_error(one.error))
    return node_pb2.PartitionAlteration(
        partition=one.partition_id,
        leader=state.leader,
        leader_epoch=state.leader_epoch,
        partition_epoch=state.partition_epoch,
        isr=state.isr,
        recovering=state.leader_recovery_state is LeaderRecoveryState.RECOVERING,
    )


def assign_replicas_to_dirs(message: node_pb2.AssignReplicasToDirsRequest) -> r.AssignReplicasToDirs:
    """Read which directories hold a broker's replicas.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    topics = [each for directory in message.directories for each in directory.topics]
    _check_count(len(message.directories), "directories", REPLICAS_MAX)
    _check_count(len(topics), "topics", REPLICAS_MAX)
    _check_count(sum(len(each.partitions) for each in topics), "partitions", REPLICAS_MAX)
    return r.AssignReplicasToDirs(
        broker_id=message.broker_id,
        broker_epoch=message.broker_epoch,
        directories=tuple(
            (
                _uuid(directory.directory_id, "directories.directory_id"),
                tuple(
                    (_uuid(each.topic_id, "directories.topics.topic_id"), tuple(each.partitions))
                    for each in directory.topics
                ),
            )
            for directory in message.directories
        ),
        validate_only=message.options.validate_only,
    )


def replicas_assigned(
    response: r.AssignReplicasToDirsResponse, position: common_pb2.CommitPosition
) -> node_pb2.AssignReplicasToDirsResponse:
    """Write the result of each replica."""
    message = node_pb2.AssignReplicasToDirsResponse(position=position)
    for directory_id, topics in response.directories:
        row = message.directories.add(directory_id=directory_id)
        for topic_id, outcomes in topics:
            row.topics.add(topic_id=topic_id, partitions=_results(outcomes))
    return message


def _results(outcomes: Iterable[r.PartitionOutcome]) -> list[node_pb2.ReplicaResult]:
    return [
        node_pb2.ReplicaResult(partition=one.partition_id, error=_error(one.error, one.message)) for one in outcomes
    ]


def allocate_producer_ids(message: node_pb2.AllocateProducerIdsRequest) -> AllocateProducerIds:
    """Read which broker needs ids."""
    return AllocateProducerIds(
        broker_id=message.broker_id,
        broker_epoch=message.broker_epoch,
        validate_only=message.options.validate_only,
    )


def producer_ids_allocated(
    response: AllocateProducerIdsResponse, position: common_pb2.CommitPosition
) -> node_pb2.AllocateProducerIdsResponse:
    """Write the block."""
    return node_pb2.AllocateProducerIdsResponse(position=position, start=response.start, length=response.length)


def assign_broker_id(message: node_pb2.AssignBrokerIdRequest) -> AssignBrokerId:
    """Read which process asks, and on which host.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    return AssignBrokerId(
        host=message.host,
        incarnation_id=_uuid(message.incarnation_id, "incarnation_id"),
        validate_only=message.options.validate_only,
    )


def broker_id_assigned(
    response: AssignBrokerIdResponse, position: common_pb2.CommitPosition
) -> node_pb2.AssignBrokerIdResponse:
    """Write the id, and where it comes from."""
    message = node_pb2.AssignBrokerIdResponse(position=position, broker_id=response.broker_id)
    message.source = int(response.source)  # type: ignore[assignment] # the numbers are the same
    return message


def _error(code: ErrorCode, text: str = "") -> errors_pb2.ErrorDetail | None:
    return errors_pb2.ErrorDetail(code=code, name=code.name, message=text) if code else None
