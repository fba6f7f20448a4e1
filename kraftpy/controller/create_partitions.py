"""CreatePartitions: more partitions for topics, one result each, and one atomic batch.

A new partition has as many replicas as the topic's partition 0 has now. While that is being reassigned these are its
old and its new replicas together, as in Kafka.

Source: Kafka ``ControllerApis.createPartitions``, ``ReplicationControlManager.createPartitions``; controller
reference §12.4.
"""

from __future__ import annotations

from collections import Counter

from kraftpy.controller.create_topics import PARTITIONS_PER_REQUEST_MAX
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.new_partitions import NewPartitions, partition_records
from kraftpy.controller.placement import PlacementError
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import (
    CreatePartitions,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    PlannedTopic,
    TopicResult,
)
from kraftpy.image.topics import TopicImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.codec import Record


def create_partitions(view: DecisionContext, request: CreatePartitions) -> ControllerResult:
    """Decide a whole request; the refusal of a topic is a value in the response.

    Raises:
        ApiError: POLICY_VIOLATION when all topics together get too many partitions; INVALID_REQUEST when the request
            names a placer that is none.
    """
    times = Counter(each.name for each in request.topics)
    increase = _Increase(view, request)
    results = [increase.result(each, times[each.name]) for each in request.topics]
    return ControllerResult(increase.records, CreatePartitionsResponse(tuple(results)))


class _Increase:
    """The partitions that one request has added so far."""

    def __init__(self, view: DecisionContext, request: CreatePartitions) -> None:
        self.records: list[Record] = []
        self._view = view
        self._explains = request.placement.explains
        self._partitions = NewPartitions(view, request.placement)

    def result(self, asked: CreatePartitionsTopic, times: int) -> TopicResult:
        """Add a topic's partitions, or say why not."""
        if times > 1:
            return TopicResult(asked.name, ErrorCode.INVALID_REQUEST, "Duplicate topic name.")
        topic = self._view.image.topics.named(asked.name)
        if topic is None:
            return TopicResult(asked.name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        try:
            additional = _additional(asked, topic)
        except ApiError as refused:
            return TopicResult(asked.name, refused.code, refused.message)
        self._check_count(additional)
        try:
            plan = self._plan(asked, topic, additional)
        except ApiError as refused:
            return TopicResult(asked.name, refused.code, refused.message)
        self.records += partition_records(topic.id, plan.first_partition, plan.partitions, self._view.image.level)
        return TopicResult(
            name=asked.name,
            topic_id=topic.id,
            partitions=asked.total,
            replication_factor=_replication_factor(topic),
            plan=plan if self._explains else None,
        )

    def _check_count(self, additional: int) -> None:
        count = len(self.records) + additional
        if count > PARTITIONS_PER_REQUEST_MAX:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"Unable to perform excessively large batch operation: the request adds at least {count} partitions, "
                f"and {PARTITIONS_PER_REQUEST_MAX} are allowed. Split the request.",
            )

    def _plan(self, asked: CreatePartitionsTopic, topic: TopicImage, additional: int) -> PlannedTopic:
        first, factor = len(topic.partitions), _replication_factor(topic)
        if asked.assignments is not None:
            assign = self._partitions.assign
            numbered = enumerate(asked.assignments, first)
            return PlannedTopic(tuple(assign(partition, replicas, factor) for partition, replicas in numbered), first)
        first_leader = topic.partitions[0].replicas[0] if 0 in topic.partitions else None
        try:
            return self._partitions.place(additional, factor, first=first, first_leader=first_leader)
        except PlacementError as error:
            raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR, str(error)) from None


def _additional(asked: CreatePartitionsTopic, topic: TopicImage) -> int:
    """Return how many partitions are to be added.

    Raises:
        ApiError: INVALID_PARTITIONS when there are as many or more; INVALID_REPLICA_ASSIGNMENT when the assignments are
            not as many.
    """
    present = len(topic.partitions)
    if asked.total == present:
        raise ApiError(ErrorCode.INVALID_PARTITIONS, f"Topic already has {present} partition(s).")
    if asked.total < present:
        raise ApiError(
            ErrorCode.INVALID_PARTITIONS,
            f"The topic {asked.name} currently has {present} partition(s); {asked.total} would not be an increase.",
        )
    additional = asked.total - present
    if asked.assignments is not None and len(asked.assignments) != additional:
        raise ApiError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"Attempted to add {additional} additional partition(s), but only {len(asked.assignments)} assignment(s) "
            "were specified.",
        )
    return additional


def _replication_factor(topic: TopicImage) -> int:
    """Return how many replicas a new partition gets; a topic without partitions, which no request makes, gives 1."""
    if not topic.partitions:
        return 1
    return len(topic.partitions[min(topic.partitions)].replicas)
