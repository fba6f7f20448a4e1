"""CreatePartitions: more partitions for topics, one result each; all partitions appear together.

A new partition has as many replicas as the topic's partition 0 has now. While that is being reassigned these are its
old and its new replicas together, as in Kafka.

The checks, in order. Of the request:

1. INVALID_REQUEST, ours: there is no such placer.

Of each topic, whose error leaves the others alone, but for 6:

2. INVALID_REQUEST: the request names it more than once.
3. UNKNOWN_TOPIC_OR_PARTITION: no topic has the name.
4. INVALID_PARTITIONS: it has as many partitions, or more.
5. INVALID_REPLICA_ASSIGNMENT: the assignments are not as many as the partitions to be added.
6. POLICY_VIOLATION, of the whole request: it adds more than ``create_topics.partitions_max`` partitions up to here.

Then those of ``new_partitions``.

Source: Kafka ``ControllerApis.createPartitions``, ``ReplicationControlManager.createPartitions``; controller
reference §12.4.
"""

from __future__ import annotations

from collections import Counter

from kraftpy.controller.create_topics import partitions_max
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.new_partitions import NewPartitions, partition_records
from kraftpy.controller.placement import PlacementError
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import PARTITIONS_PER_SLICE, Slices
from kraftpy.controller.topic_requests import (
    CreatePartitions,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    PlannedTopic,
    TopicResult,
)
from kraftpy.image.topics import TopicImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.quotas.mutations import MutationCharge
from kraftpy.records.codec import Record


def create_partitions(view: DecisionContext, request: CreatePartitions) -> Slices[ControllerResult]:
    """Decide a whole request; the refusal of a topic is a value in the response.

    Raises:
        ApiError: POLICY_VIOLATION when all topics together get too many partitions; INVALID_REQUEST when the request
            names a placer that is none.
    """
    times = Counter(each.name for each in request.topics)
    charge = view.charge(request.mutator)
    increase = _Increase(view, request, charge)
    results: list[TopicResult] = []
    for each in request.topics:
        result = yield from increase.result(each, times[each.name])
        results.append(result)
    return ControllerResult(increase.records, CreatePartitionsResponse(tuple(results), charge.until_ms))


class _Increase:
    """The partitions that one request has added so far."""

    def __init__(self, view: DecisionContext, request: CreatePartitions, charge: MutationCharge) -> None:
        self.records: list[Record] = []
        self._view = view
        self._charge = charge
        self._explains = request.placement.explains
        self._partitions = NewPartitions(view, request.placement)

    def result(self, asked: CreatePartitionsTopic, times: int) -> Slices[TopicResult]:
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
            self._charge.take(additional)
            plan = yield from self._plan(asked, topic, additional)
        except ApiError as refused:
            return TopicResult(asked.name, refused.code, refused.message)
        level = self._view.image.level
        self.records += yield from partition_records(topic.id, plan.first_partition, plan.partitions, level)
        return TopicResult(
            name=asked.name,
            topic_id=topic.id,
            partitions=asked.total,
            replication_factor=_replication_factor(topic),
            plan=plan if self._explains else None,
        )

    def _check_count(self, additional: int) -> None:
        count, allowed = len(self.records) + additional, partitions_max(self._view.image.level)
        if count > allowed:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"Unable to perform excessively large batch operation: the request adds at least {count} partitions, "
                f"and {allowed} are allowed. Split the request.",
            )

    def _plan(self, asked: CreatePartitionsTopic, topic: TopicImage, additional: int) -> Slices[PlannedTopic]:
        first, factor = len(topic.partitions), _replication_factor(topic)
        if asked.assignments is not None:
            assigned = []
            for partition, replicas in enumerate(asked.assignments, first):
                assigned.append(self._partitions.assign(partition, replicas, factor))
                if len(assigned) % PARTITIONS_PER_SLICE == 0:
                    yield
            return PlannedTopic(tuple(assigned), first)
        first_leader = topic.partitions[0].replicas[0] if 0 in topic.partitions else None
        try:
            return (yield from self._partitions.place(additional, factor, first=first, first_leader=first_leader))
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
