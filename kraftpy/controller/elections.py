"""Elections that are asked for, and those that bring leaderships back to the preferred replicas.

The checks, in order. Of the request:

1. INVALID_REQUEST: there is no election of this type.

Of each partition, whose error leaves the others alone:

2. UNKNOWN_TOPIC_OR_PARTITION: no topic has the name.
3. UNKNOWN_TOPIC_OR_PARTITION: the topic has no such partition.
4. INVALID_REQUEST, ours: the request has named the partition before.
5. ELECTION_NOT_NEEDED: the preferred replica leads, or for an unclean election any does. A request for all partitions
   leaves these out of its response.
6. PREFERRED_LEADER_NOT_AVAILABLE, ELIGIBLE_LEADERS_NOT_AVAILABLE: no replica may be elected.

Of the request again:

7. POLICY_VIOLATION: it takes more records than an operation may have.

Source: Kafka ``ReplicationControlManager.electLeaders``; KIP-460.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import check_record_count, shown_topic
from kraftpy.controller.partition_change import Election, PartitionTarget, partition_change
from kraftpy.controller.partition_requests import ElectionType, ElectLeaders, ElectLeadersResponse, PartitionOutcome
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import LOOKS_PER_CHANGE, LOOKS_PER_SLICE, Slices
from kraftpy.controller.topic_rules import TopicRules
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import LEADER_UNCHANGED, PartitionRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import PartitionChangeRecord

_ELECTIONS: Final = {ElectionType.PREFERRED: Election.PREFERRED, ElectionType.UNCLEAN: Election.UNCLEAN}
_NOT_AVAILABLE: Final = {
    ElectionType.PREFERRED: (
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        "The preferred leader was not available.",
    ),
    ElectionType.UNCLEAN: (
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        "Eligible topic partition leaders are not available.",
    ),
}
_NOT_NEEDED: Final = (ErrorCode.ELECTION_NOT_NEEDED, "Leader election not needed for topic partition.")


def elect_leaders(view: DecisionContext, request: ElectLeaders) -> Slices[ControllerResult]:
    """Decide elections that an administrator asks for; errors of a partition are values in the response.

    An unclean election that is asked for is held whatever the topic's configs allow.

    Raises:
        ApiError: INVALID_REQUEST for an unknown type, POLICY_VIOLATION for too many partitions.
    """
    if request.election_type not in set(ElectionType):
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown election type {request.election_type}.")
    kind = ElectionType(request.election_type)
    rules = TopicRules(view)
    records: list[PartitionChangeRecord] = []
    topics = []
    seen = set[tuple[str, int]]()
    work = 0
    for name, partition_ids in _all(view.image) if request.topics is None else request.topics:
        outcomes = []
        for partition_id in partition_ids:
            outcomes.append(_elect(view.image, rules, name, partition_id, kind, records, seen))
            work += 1 if outcomes[-1].error is ErrorCode.ELECTION_NOT_NEEDED else LOOKS_PER_CHANGE
            if work >= LOOKS_PER_SLICE:
                work = 0
                yield
        check_record_count(len(records), view.image.level)
        if request.topics is None:
            outcomes = [one for one in outcomes if one.error is not ErrorCode.ELECTION_NOT_NEEDED]
        topics.append((name, tuple(outcomes)))
    return ControllerResult(tuple(records), ElectLeadersResponse(topics=tuple(topics)), atomic=False)


def _all(image: MetadataImage) -> Iterable[tuple[str, tuple[int, ...]]]:
    for name in sorted(image.topics.ids_by_name):
        topic = image.topics.named(name)
        if topic is not None:
            yield name, tuple(sorted(topic.partitions))


def _elect(
    image: MetadataImage,
    rules: TopicRules,
    name: str,
    partition_id: int,
    kind: ElectionType,
    records: list[PartitionChangeRecord],
    seen: set[tuple[str, int]],
) -> PartitionOutcome:
    """Decide one election, and add its record."""
    topic = image.topics.named(name)
    if topic is None:
        return PartitionOutcome(
            partition_id, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such topic as {shown_topic(name)}"
        )
    partition = topic.partitions.get(partition_id)
    if partition is None:
        message = f"No such partition as {name}-{partition_id}"
        return PartitionOutcome(partition_id, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
    if (name, partition_id) in seen:
        message = f"Partition {name}-{partition_id} is named twice."
        return PartitionOutcome(partition_id, ErrorCode.INVALID_REQUEST, message)
    seen.add((name, partition_id))
    if _is_satisfied(partition, kind):
        return PartitionOutcome(partition_id, *_NOT_NEEDED)
    target = PartitionTarget(election=_ELECTIONS[kind])
    record = partition_change(topic.id, partition_id, partition, target, rules.of(topic))
    if record is None or record.leader == LEADER_UNCHANGED:
        return PartitionOutcome(partition_id, *_NOT_AVAILABLE[kind])
    records.append(record)
    return PartitionOutcome(partition_id)


def _is_satisfied(partition: PartitionRegistration, kind: ElectionType) -> bool:
    if kind is ElectionType.UNCLEAN:
        return partition.leader is not None
    return partition.leader == partition.replicas[0]
