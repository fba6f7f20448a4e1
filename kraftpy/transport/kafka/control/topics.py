"""CreateTopics 2 to 7, DeleteTopics 1 to 6 and CreatePartitions 0 to 3: one row per topic.

Replicas are placed by the controller's own placer (``replica.placer``); racks are used where every broker has one.

A topic that a request names twice has one row. Rows are in the order asked; Kafka shuffles those of deletions, so
that a client cannot see from their places which topics are hidden from it, and here nothing is hidden.

Source: Kafka ``ControllerApis``; KIP-464, KIP-516, KIP-525.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kraftpy.controller.topic_configs import effective_configs
from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    CreateTopics,
    CreateTopicsResponse,
    DeleteTopics,
    DeleteTopicsResponse,
    TopicRef,
    TopicResult,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import Outcome

REPLICA_ITEMS_MAX: Final = 262_144
"""How many items the lists of CreateTopics and CreatePartitions may hold: 100,000 replicas in the lists of 10,000
partitions, and configs."""

DISABLED_VERSION: Final = 3
"""From this version of DeleteTopics on a client knows TOPIC_DELETION_DISABLED."""

TOPIC_IDS_VERSION: Final = 6
"""From this version of DeleteTopics on topics are named by name or by id."""


def create_from_wire(message: rpc.CreateTopicsRequest, version: int) -> CreateTopics:
    """Read the topics to be created."""
    del version
    return CreateTopics(
        topics=tuple(
            CreatableTopic(
                name=each.name,
                partitions=each.num_partitions,
                replication_factor=each.replication_factor,
                assignments=tuple((one.partition_index, tuple(one.broker_ids)) for one in each.assignments),
                configs=tuple((one.name, one.value) for one in each.configs),
            )
            for each in message.topics
        ),
        validate_only=message.validate_only,
    )


def create_to_wire(outcome: Outcome, message: Any) -> rpc.CreateTopicsResponse:
    """Write one row per topic; a refusal of the whole request is every topic's."""
    row = rpc.CreateTopicsResponseCreatableTopicResult
    if isinstance(outcome, ApiError):
        rows = [row(each.name, error_code=outcome.code, error_message=outcome.message) for each in message.topics]
    else:
        response = outcome.response
        assert isinstance(response, CreateTopicsResponse)
        shared: dict[tuple[tuple[str, str], ...], list[rpc.CreateTopicsResponseCreatableTopicConfigs]] = {}
        rows = []
        for result in response.topics:
            overrides = tuple(result.configs.items())
            if overrides not in shared:
                shared[overrides] = _configs(result, response)
            rows.append(_created(result, shared[overrides]))
    return rpc.CreateTopicsResponse(topics=_one_per_name(rows))


def _configs(
    result: TopicResult, response: CreateTopicsResponse
) -> list[rpc.CreateTopicsResponseCreatableTopicConfigs]:
    entry = rpc.CreateTopicsResponseCreatableTopicConfigs
    return [
        entry(name=each.name, value=each.value, config_source=each.source)
        for each in effective_configs(result.configs, response.layers)
    ]


def _created(
    result: TopicResult, configs: list[rpc.CreateTopicsResponseCreatableTopicConfigs]
) -> rpc.CreateTopicsResponseCreatableTopicResult:
    row = rpc.CreateTopicsResponseCreatableTopicResult
    if result.error is not ErrorCode.NONE:
        return row(result.name or "", error_code=result.error, error_message=_text(result))
    if result.hides_configs:
        return row(
            name=result.name or "",
            topic_id=result.topic_id or ZERO_UUID,
            error_message=None,
            topic_config_error_code=ErrorCode.TOPIC_AUTHORIZATION_FAILED,
            num_partitions=-1,
            replication_factor=-1,
            configs=[],
        )
    return row(
        name=result.name or "",
        topic_id=result.topic_id or ZERO_UUID,
        error_message=None,
        num_partitions=result.partitions,
        replication_factor=result.replication_factor,
        configs=configs,
    )


def _text(result: TopicResult) -> str | None:
    """Return the text of an error; that of an exceeded quota says no more than its code, and Kafka leaves it out."""
    return None if result.error is ErrorCode.THROTTLING_QUOTA_EXCEEDED else result.message


def _one_per_name(rows: Iterable[Any]) -> list[Any]:
    return list({row.name: row for row in rows}.values())


def delete_from_wire(message: rpc.DeleteTopicsRequest, version: int) -> DeleteTopics:
    """Read the topics to be deleted; before version 6 they are names."""
    if version < TOPIC_IDS_VERSION:
        topics = tuple(TopicRef(name) for name in message.topic_names)
    else:
        topics = tuple(
            TopicRef(each.name, None if each.topic_id == ZERO_UUID else each.topic_id) for each in message.topics
        )
    return DeleteTopics(topics, knows_disabled=version >= DISABLED_VERSION)


def delete_to_wire(outcome: Outcome, message: Any) -> rpc.DeleteTopicsResponse:
    """Write one row per topic that was asked for; a refusal of the whole request is every topic's."""
    row = rpc.DeleteTopicsResponseDeletableTopicResult
    if isinstance(outcome, ApiError):
        named = [(name, ZERO_UUID) for name in message.topic_names]
        asked = named + [(each.name, each.topic_id) for each in message.topics]
        return rpc.DeleteTopicsResponse(
            responses=[row(name, topic_id, outcome.code, outcome.message) for name, topic_id in dict.fromkeys(asked)]
        )
    response = outcome.response
    assert isinstance(response, DeleteTopicsResponse)
    results = {(each.name, each.topic_id, each.error, each.message): each for each in response.topics}
    return rpc.DeleteTopicsResponse(
        responses=[row(each.name, each.topic_id or ZERO_UUID, each.error, _text(each)) for each in results.values()]
    )


def grow_from_wire(message: rpc.CreatePartitionsRequest, version: int) -> CreatePartitions:
    """Read which topics are to have how many partitions."""
    del version
    return CreatePartitions(
        topics=tuple(
            CreatePartitionsTopic(
                name=each.name,
                total=each.count,
                assignments=None
                if each.assignments is None
                else tuple(tuple(one.broker_ids) for one in each.assignments),
            )
            for each in message.topics
        ),
        validate_only=message.validate_only,
    )


def grow_to_wire(outcome: Outcome, message: Any) -> rpc.CreatePartitionsResponse:
    """Write one row per topic; a refusal of the whole request is every topic's."""
    row = rpc.CreatePartitionsResponseCreatePartitionsTopicResult
    if isinstance(outcome, ApiError):
        rows = [row(each.name, outcome.code, outcome.message) for each in message.topics]
    else:
        response = outcome.response
        assert isinstance(response, CreatePartitionsResponse)
        rows = [row(each.name or "", each.error, _text(each)) for each in response.topics]
    return rpc.CreatePartitionsResponse(results=_one_per_name(rows))
