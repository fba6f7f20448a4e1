"""Moving replicas: a reassignment begins, is aimed elsewhere, or is cancelled; ``partition_change`` completes it.

While it is under way, ``replicas`` holds the new replicas first and those to be removed after them. A second
reassignment is worked out from the replicas before the first one, so that a replica that is still being added stays so.

The checks of each partition, in order; an error leaves the others alone:

1. UNKNOWN_TOPIC_OR_PARTITION: no topic has the name.
2. UNKNOWN_TOPIC_OR_PARTITION: the topic has no such partition.
3. INVALID_REQUEST, ours: the request has named the partition before.

A cancellation:

4. NO_REASSIGNMENT_IN_PROGRESS: there is nothing to cancel.
5. INVALID_REPLICA_ASSIGNMENT: none of the replicas that would be left may lead, and unclean elections are not enabled.

New replicas; 7 to 9 for one broker after the other, by id:

6. INVALID_REPLICA_ASSIGNMENT: there are none.
7. INVALID_REPLICA_ASSIGNMENT: a broker is not registered.
8. INVALID_REPLICA_ASSIGNMENT: a broker is named twice.
9. INVALID_REPLICA_ASSIGNMENT, ours: a broker without a replica yet is full (KIP-928).
10. INVALID_REPLICATION_FACTOR: their number changes, and the request does not allow that (KIP-860).

A list has no checks: what does not exist is not being reassigned.

Source: Kafka ``ReplicationControlManager.alterPartitionReassignments``, ``PartitionReassignmentReplicas``,
``PartitionReassignmentRevert``; KIP-455.
"""

from __future__ import annotations

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import shown_topic
from kraftpy.controller.new_partitions import full_broker
from kraftpy.controller.partition_change import Election, PartitionTarget, partition_change
from kraftpy.controller.partition_requests import (
    AlterPartitionReassignments,
    AlterPartitionReassignmentsResponse,
    ListPartitionReassignments,
    ListPartitionReassignmentsResponse,
    PartitionOutcome,
    PartitionReassignment,
    Reassignment,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import LOOKS_PER_SLICE, Slices
from kraftpy.controller.topic_rules import TopicRules
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.records.metadata import PartitionChangeRecord


def alter_partition_reassignments(view: DecisionContext, request: AlterPartitionReassignments) -> ControllerResult:
    """Decide reassignments; errors of a partition are values in the response, and all changes are one batch."""
    rules = TopicRules(view)
    records: list[PartitionChangeRecord] = []
    topics = []
    seen = set[tuple[str, int]]()
    for name, reassignments in request.topics:
        outcomes = []
        for one in reassignments:
            try:
                record = _reassign(view.image, rules, request, name, one, seen)
            except ApiError as refused:
                outcomes.append(PartitionOutcome(one.partition_id, refused.code, refused.message))
                continue
            outcomes.append(PartitionOutcome(one.partition_id))
            records += [] if record is None else [record]
        topics.append((name, tuple(outcomes)))
    allows = request.allow_replication_factor_change
    response = AlterPartitionReassignmentsResponse(topics=tuple(topics), allow_replication_factor_change=allows)
    return ControllerResult(tuple(records), response)


def list_partition_reassignments(
    view: DecisionContext, request: ListPartitionReassignments
) -> Slices[ControllerResult]:
    """List what is being reassigned; of named partitions, those that exist and are, each once."""
    topics = view.image.topics
    wanted: dict[str, set[int] | None] = {}
    if request.topics is None:
        wanted = dict.fromkeys(topics.ids_by_name)
    for name, partition_ids in request.topics or ():
        asked = wanted.setdefault(name, set())
        if asked is not None:
            asked.update(partition_ids)
    found = []
    looks = 0
    for name in sorted(wanted):
        topic = topics.named(name)
        if topic is None:
            continue
        for number in sorted(topic.partitions if wanted[name] is None else wanted[name] or ()):
            one = topic.partitions.get(number)
            if one is not None and is_reassigning(one):
                found.append(
                    PartitionReassignment(name, number, one.replicas, one.adding_replicas, one.removing_replicas)
                )
            looks += 1
            if looks % LOOKS_PER_SLICE == 0:
                yield
    return ControllerResult((), ListPartitionReassignmentsResponse(reassignments=tuple(found)))


def is_reassigning(partition: PartitionRegistration) -> bool:
    """Return whether replicas of a partition are being added or removed."""
    return bool(partition.adding_replicas or partition.removing_replicas)


def _reassign(
    image: MetadataImage,
    topic_rules: TopicRules,
    request: AlterPartitionReassignments,
    name: str,
    asked: Reassignment,
    seen: set[tuple[str, int]],
) -> PartitionChangeRecord | None:
    topic = image.topics.named(name)
    if topic is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find a topic named {shown_topic(name)}.")
    partition = topic.partitions.get(asked.partition_id)
    if partition is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find partition {name}:{asked.partition_id}.")
    if (name, asked.partition_id) in seen:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Partition {name}:{asked.partition_id} is named twice.")
    seen.add((name, asked.partition_id))
    rules = topic_rules.of(topic)
    if asked.replicas is None:
        target = _cancelled(partition, rules.election, f"{name}:{asked.partition_id}")
    else:
        check_assignment(image, asked.replicas, present=partition.replicas)
        if not request.allow_replication_factor_change:
            _check_replication_factor(partition, asked.replicas)
        target = _aimed(partition, asked.replicas, rules.election)
    return partition_change(topic.id, asked.partition_id, partition, target, rules)


def check_assignment(image: MetadataImage, replicas: tuple[NodeId, ...], *, present: tuple[NodeId, ...]) -> None:
    """Check the replicas that were chosen for a partition.

    Args:
        image: the state before.
        replicas: the brokers asked for.
        present: the brokers that have a replica; those may be full, because nothing new is placed on them.

    Raises:
        ApiError: INVALID_REPLICA_ASSIGNMENT. Source: Kafka ``validateManualPartitionAssignment``.
    """
    code = ErrorCode.INVALID_REPLICA_ASSIGNMENT
    if not replicas:
        raise ApiError(code, "The manual partition assignment includes an empty replica list.")
    previous = None
    for broker_id in sorted(replicas):
        if broker_id not in image.cluster.brokers:
            raise ApiError(
                code, f"The manual partition assignment includes broker {broker_id}, but no such broker is registered."
            )
        if broker_id == previous:
            raise ApiError(code, f"The manual partition assignment includes the broker {broker_id} more than once.")
        if broker_id not in present and image.cluster.brokers[broker_id].is_saturated:
            raise ApiError(code, full_broker(broker_id))
        previous = broker_id


def _check_replication_factor(partition: PartitionRegistration, replicas: tuple[NodeId, ...]) -> None:
    present = len(_before_reassignment(partition))
    if present != len(replicas):
        raise ApiError(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            f"The replication factor is changed from {present} to {len(replicas)}",
        )


def _before_reassignment(partition: PartitionRegistration) -> list[NodeId]:
    """Return the replicas without those that a reassignment is adding."""
    return [replica for replica in partition.replicas if replica not in partition.adding_replicas]


def _aimed(partition: PartitionRegistration, replicas: tuple[NodeId, ...], election: Election) -> PartitionTarget:
    removing = tuple(sorted(set(partition.replicas) - set(replicas)))
    adding = tuple(sorted(set(replicas) - set(_before_reassignment(partition))))
    return PartitionTarget(
        replicas=(*replicas, *removing), removing_replicas=removing, adding_replicas=adding, election=election
    )


def _cancelled(partition: PartitionRegistration, election: Election, where: str) -> PartitionTarget:
    """Go back to the replicas before the reassignment, in their order.

    If none of them is in sync, the first one takes over where unclean elections are enabled, and recovers as after any
    unclean election: it lacks what only the added replicas hold.
    """
    if not is_reassigning(partition):
        raise ApiError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "")
    replicas = tuple(_before_reassignment(partition))
    isr = tuple(replica for replica in partition.isr if replica in replicas)
    recovery = None
    # Only these hold everything that is committed: the ISR, or the ELR where the ISR is empty.
    can_lead = partition.isr or partition.elr
    if can_lead and not set(can_lead) & set(replicas):
        if election is not Election.UNCLEAN:
            raise ApiError(
                ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                f"Unable to revert partition assignment for {where} because it would require an unclean leader "
                "election.",
            )
        isr, recovery = replicas[:1], LeaderRecoveryState.RECOVERING
    return PartitionTarget(
        replicas=replicas,
        isr=isr,
        removing_replicas=(),
        adding_replicas=(),
        leader_recovery_state=recovery,
        election=election,
    )
