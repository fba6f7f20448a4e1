"""Creating, growing and deleting topics: between messages and the controller's values; a part of ``writes``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kraftpy.controller import topic_requests as r
from kraftpy.controller.placement import RackMode
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import UUID_BYTES
from kraftpy.pb.v1 import admin_pb2, common_pb2, errors_pb2

TOPICS_MAX: Final = 10_000
"""How many topics a request may name; each that is created takes two records, and a batch has 10,000."""

RACK_MODES: Final = {
    admin_pb2.PlacementOptions.SAFE: RackMode.SAFE,
    admin_pb2.PlacementOptions.ENFORCED: RackMode.ENFORCED,
    admin_pb2.PlacementOptions.DISABLED: RackMode.DISABLED,
}


def _invalid(message: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, message)


def _check_count(topics: Sequence[Any]) -> None:
    if len(topics) > TOPICS_MAX:
        raise _invalid(f"{len(topics)} topics, at most {TOPICS_MAX} are allowed")


def _placement(message: admin_pb2.PlacementOptions) -> r.PlacementOptions:
    if message.racks not in RACK_MODES:
        raise _invalid(f"placement.racks is {message.racks}; 0 to 2 are known")
    return r.PlacementOptions(
        placer=message.placer,
        seed=message.seed if message.HasField("seed") else None,
        racks=RACK_MODES[message.racks],
        explains=message.explain,
    )


def create_topics(message: admin_pb2.CreateTopicsRequest) -> r.CreateTopics:
    """Read the topics to be created.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(message.topics)
    return r.CreateTopics(
        topics=tuple(
            r.CreatableTopic(
                name=each.name,
                partitions=each.partitions if each.HasField("partitions") else r.DEFAULT_COUNT,
                replication_factor=each.replication_factor if each.HasField("replication_factor") else r.DEFAULT_COUNT,
                assignments=tuple((one.partition, tuple(one.replicas)) for one in each.assignments),
                configs=tuple(sorted(each.configs.items())),
            )
            for each in message.topics
        ),
        placement=_placement(message.placement),
        validate_only=message.options.validate_only,
    )


def delete_topics(message: admin_pb2.DeleteTopicsRequest) -> r.DeleteTopics:
    """Read the topics to be deleted.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(message.topics)
    return r.DeleteTopics(
        topics=tuple(_topic_ref(each) for each in message.topics), validate_only=message.options.validate_only
    )


def _topic_ref(message: admin_pb2.TopicRef) -> r.TopicRef:
    match message.WhichOneof("by"):
        case "name":
            return r.TopicRef(name=message.name)
        case "topic_id":
            if len(message.topic_id) != UUID_BYTES:
                raise _invalid(f"topics.topic_id has {len(message.topic_id)} bytes, a uuid has {UUID_BYTES}")
            return r.TopicRef(topic_id=message.topic_id)
        case _:
            return r.TopicRef()


def create_partitions(message: admin_pb2.CreatePartitionsRequest) -> r.CreatePartitions:
    """Read which topics are to have how many partitions.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(message.topics)
    return r.CreatePartitions(
        topics=tuple(
            r.CreatePartitionsTopic(
                name=each.name,
                total=each.total,
                assignments=tuple(tuple(one.replicas) for one in each.assignments) if each.assignments else None,
            )
            for each in message.topics
        ),
        placement=_placement(message.placement),
        validate_only=message.options.validate_only,
    )


def _result(result: r.TopicResult) -> admin_pb2.TopicResult:
    message = admin_pb2.TopicResult(
        name=result.name or "",
        topic_id=result.topic_id or b"",
        partitions=result.partitions,
        replication_factor=result.replication_factor,
    )
    if result.error:
        detail = errors_pb2.ErrorDetail(code=result.error, name=result.error.name, message=result.message or "")
        message.error.CopyFrom(detail)
    if result.plan is not None:
        message.plan.CopyFrom(_plan(result.plan))
    return message


def _plan(plan: r.PlannedTopic) -> admin_pb2.TopicPlan:
    message = admin_pb2.TopicPlan(placer=plan.placer)
    if plan.seed is not None:
        message.seed = plan.seed
    for place, registration in enumerate(plan.partitions):
        message.partitions.add(
            partition=plan.first_partition + place,
            replicas=registration.replicas,
            reasons=plan.reasons[place] if plan.reasons else (),
        )
    return message


def topics_created(
    response: r.CreateTopicsResponse, position: common_pb2.CommitPosition
) -> admin_pb2.CreateTopicsResponse:
    """Write what became of each topic."""
    return admin_pb2.CreateTopicsResponse(position=position, results=map(_result, response.topics))


def topics_deleted(
    response: r.DeleteTopicsResponse, position: common_pb2.CommitPosition
) -> admin_pb2.DeleteTopicsResponse:
    """Write what became of each topic."""
    return admin_pb2.DeleteTopicsResponse(position=position, results=map(_result, response.topics))


def partitions_created(
    response: r.CreatePartitionsResponse, position: common_pb2.CommitPosition
) -> admin_pb2.CreatePartitionsResponse:
    """Write what became of each topic."""
    return admin_pb2.CreatePartitionsResponse(position=position, results=map(_result, response.topics))
