"""DeleteTopics: topics by name or by id, one result each, and one atomic batch.

One record deletes a topic with its partitions and configs, however many it has.

The checks, in order. Of the request:

1. TOPIC_DELETION_DISABLED: ``delete.topic.enable`` is false; INVALID_REQUEST for a client that is older than that.

Of each topic, whose error leaves the others alone:

2. INVALID_REQUEST: it has neither a name nor an id.
3. INVALID_REQUEST: it has both.
4. INVALID_REQUEST: the request has the name, or the id, more than once.
5. UNKNOWN_TOPIC_OR_PARTITION: no topic has the name.
6. UNKNOWN_TOPIC_ID: no topic has the id.
7. INVALID_REQUEST: the request names the topic by its name and by its id.

Source: Kafka ``ControllerApis.deleteTopics``, ``ReplicationControlManager.deleteTopics``; KIP-516; controller
reference §12.3.
"""

from __future__ import annotations

from collections import Counter

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import DeleteTopics, DeleteTopicsResponse, TopicRef, TopicResult
from kraftpy.image.topics import TopicsImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import Uuid
from kraftpy.quotas.mutations import MutationCharge
from kraftpy.records.metadata import RemoveTopicRecord


def delete_topics(view: DecisionContext, request: DeleteTopics) -> ControllerResult:
    """Decide a whole request; the refusal of a topic is a value in the response.

    Raises:
        ApiError: TOPIC_DELETION_DISABLED, or INVALID_REQUEST for a client that does not know that.
    """
    if not view.config.delete_topic_enable:
        if request.knows_disabled:
            raise ApiError(ErrorCode.TOPIC_DELETION_DISABLED, "Topic deletion is disabled.")
        raise ApiError(ErrorCode.INVALID_REQUEST, "This version does not support topic deletion.")
    charge = view.charge(request.mutator)
    results, deleted = _judge(view.image.topics, request.topics, charge)
    records = tuple(RemoveTopicRecord(topic_id=topic_id) for topic_id in deleted)
    return ControllerResult(records, DeleteTopicsResponse(tuple(results), charge.until_ms))


def _judge(
    topics: TopicsImage, asked: tuple[TopicRef, ...], charge: MutationCharge
) -> tuple[list[TopicResult], list[Uuid]]:
    """Return the results, and the ids of the topics that are deleted."""
    valid = [each for each in asked if (each.name is None) != (each.topic_id is None)]
    times = Counter(valid)
    by_id = {each.topic_id for each in valid if each.topic_id is not None}
    twice = {topics.ids_by_name.get(each.name) for each in valid if each.name is not None} & by_id
    results, deleted = [], []
    for each in asked:
        result = _charged(_result(topics, each, times[each], twice), charge)
        results.append(result)
        if result.error is ErrorCode.NONE and result.topic_id is not None:
            deleted.append(result.topic_id)
    return results, deleted


def _result(topics: TopicsImage, asked: TopicRef, times: int, twice: set[Uuid | None]) -> TopicResult:
    name, topic_id = asked
    if name is None and topic_id is None:
        return _invalid(asked, "Neither topic name nor id were specified.")
    if name is not None and topic_id is not None:
        return _invalid(asked, "You may not specify both topic name and topic id.")
    if times > 1:
        return _invalid(asked, f"Duplicate topic {'name' if topic_id is None else 'id'}.")
    if topic_id is None:
        assert name is not None
        topic = topics.named(name)
        if topic is None:
            return TopicResult(
                name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition."
            )
        if topic.id in twice:
            text = "The provided topic name maps to an ID that was already supplied."
            return TopicResult(name, ErrorCode.INVALID_REQUEST, text, topic.id)
    else:
        topic = topics.topic(topic_id)
        if topic is None:
            return TopicResult(None, ErrorCode.UNKNOWN_TOPIC_ID, "This server does not host this topic ID.", topic_id)
        if topic_id in twice:
            text = "The provided topic id is that of a topic whose name was supplied as well."
            return TopicResult(topic.name, ErrorCode.INVALID_REQUEST, text, topic_id)
    return TopicResult(topic.name, topic_id=topic.id, partitions=len(topic.partitions))


def _charged(result: TopicResult, charge: MutationCharge) -> TopicResult:
    """Charge a topic that is deleted, or return that the quota does not allow it."""
    if result.error is ErrorCode.NONE:
        try:
            charge.take(result.partitions)
        except ApiError as exceeded:
            return TopicResult(result.name, exceeded.code, exceeded.message, result.topic_id)
    return result


def _invalid(asked: TopicRef, message: str) -> TopicResult:
    return TopicResult(asked.name, ErrorCode.INVALID_REQUEST, message, asked.topic_id)
