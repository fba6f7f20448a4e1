"""Elections and reassignments: between messages and the controller's values; a part of ``writes``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kraftpy.controller import partition_requests as r
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, common_pb2, errors_pb2

PARTITIONS_MAX: Final = 10_000
"""How many partitions, and how many topics, an election or a reassignment may name."""

REPLICAS_MAX: Final = 100_000
"""How many replicas a request of reassignments may name."""

_TopicOutcomes = Iterable[tuple[str, tuple[r.PartitionOutcome, ...]]]


def _check_count(count: int, what: str, count_max: int = PARTITIONS_MAX) -> None:
    if count > count_max:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{count} {what}, at most {count_max} are allowed")


def elect_leaders(message: admin_pb2.ElectLeadersRequest) -> r.ElectLeaders:
    """Read which leaders are to be elected.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    if bool(message.topics) == message.all_partitions:
        raise ApiError(ErrorCode.INVALID_REQUEST, "exactly one of topics and all_partitions must be given")
    _check_count(len(message.topics), "topics")
    _check_count(sum(len(each.partitions) for each in message.topics), "partitions")
    topics = tuple((each.topic, tuple(each.partitions)) for each in message.topics)
    return r.ElectLeaders(
        election_type=message.election_type,
        topics=None if message.all_partitions else topics,
        validate_only=message.options.validate_only,
    )


def alter_partition_reassignments(
    message: admin_pb2.AlterPartitionReassignmentsRequest,
) -> r.AlterPartitionReassignments:
    """Read which replicas are to be moved.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(len(message.topics), "topics")
    _check_count(sum(len(each.partitions) for each in message.topics), "partitions")
    replicas = sum(len(one.replicas) for each in message.topics for one in each.partitions)
    _check_count(replicas, "replicas", REPLICAS_MAX)
    return r.AlterPartitionReassignments(
        topics=tuple((each.topic, tuple(_reassignment(one) for one in each.partitions)) for each in message.topics),
        allow_replication_factor_change=not message.disallow_replication_factor_change,
        validate_only=message.options.validate_only,
    )


def _reassignment(message: admin_pb2.PartitionReassignment) -> r.Reassignment:
    if message.cancel and message.replicas:
        text = f"partition {message.partition} has both cancel and replicas; exactly one of them must be given"
        raise ApiError(ErrorCode.INVALID_REQUEST, text)
    return r.Reassignment(message.partition, None if message.cancel else tuple(message.replicas))


def leaders_elected(
    response: r.ElectLeadersResponse, position: common_pb2.CommitPosition
) -> admin_pb2.ElectLeadersResponse:
    """Write the result of each election."""
    return admin_pb2.ElectLeadersResponse(position=position, results=_results(response.topics))


def reassignments_altered(
    response: r.AlterPartitionReassignmentsResponse, position: common_pb2.CommitPosition
) -> admin_pb2.AlterPartitionReassignmentsResponse:
    """Write the result of each reassignment."""
    return admin_pb2.AlterPartitionReassignmentsResponse(position=position, results=_results(response.topics))


def _results(topics: _TopicOutcomes) -> list[admin_pb2.TopicPartitionResults]:
    return [
        admin_pb2.TopicPartitionResults(topic=name, partitions=[_result(one) for one in outcomes])
        for name, outcomes in topics
        if outcomes
    ]


def _result(outcome: r.PartitionOutcome) -> admin_pb2.PartitionResult:
    if not outcome.error:
        return admin_pb2.PartitionResult(partition=outcome.partition_id)
    detail = errors_pb2.ErrorDetail(code=outcome.error, name=outcome.error.name, message=outcome.message)
    return admin_pb2.PartitionResult(partition=outcome.partition_id, error=detail)
