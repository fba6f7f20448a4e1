"""A leader reports which of its replicas are in sync.

A leader can only alter the state that it leads in: its leader epoch and the partition epoch must be the present ones.
The epochs are compared before anything else, because an outdated leader learns of it by the error, and a leader that is
ahead has reached an outdated controller.

The checks, in order. Of the request:

1. STALE_BROKER_EPOCH: it names partitions, and no broker is registered with this id and epoch.

Of each partition, whose error leaves the others alone:

2. UNKNOWN_TOPIC_ID: no topic has the id.
3. UNKNOWN_TOPIC_OR_PARTITION: the topic has no such partition.
4. INVALID_REQUEST, ours: the request has named the partition before.
5. NOT_CONTROLLER: the leader epoch or the partition epoch is ahead of this controller.
6. FENCED_LEADER_EPOCH: the leader epoch is over.
7. INVALID_REQUEST: the broker is not the leader.
8. INVALID_UPDATE_VERSION: the partition epoch is over.
9. INVALID_REQUEST: the new ISR names a broker twice, or one without a replica, or lacks the leader.
10. INVALID_REQUEST: the leader recovery state is none.
11. INVALID_REQUEST: the leader recovers, and others are in the ISR, or it had recovered.
12. INELIGIBLE_REPLICA: a member is not registered, is fenced, shuts down, or has registered again since; ours: its
    directory is full (KIP-928).
13. NEW_LEADER_ELECTED: the change is made, and completes a reassignment by which another broker leads.

Source: Kafka ``ReplicationControlManager.alterPartition``; KIP-497, KIP-704, KIP-903.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.partition_change import PartitionRules, PartitionTarget, partition_change
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionResponse,
    IsrMember,
    PartitionAlteration,
    PartitionAltered,
)
from kraftpy.controller.registration import check_broker_epoch
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import PARTITIONS_PER_SLICE, Slices
from kraftpy.controller.topic_rules import TopicRules
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import LEADER_UNCHANGED, LeaderRecoveryState, PartitionRegistration
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.image.topics import TopicImage
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NO_NODE, NodeId, Uuid
from kraftpy.records.metadata import PartitionChangeRecord

_RECOVERY_STATES: Final = {int(state): state for state in LeaderRecoveryState}


def alter_partition(view: DecisionContext, request: AlterPartition) -> Slices[ControllerResult]:
    """Decide a leader's new in-sync replicas; errors of a partition are values in the response.

    Raises:
        ApiError: STALE_BROKER_EPOCH.
    """
    if request.topics:
        check_broker_epoch(view.image, request.broker_id, request.broker_epoch)
    topic_rules = TopicRules(view)
    members = _Members(view.image)
    records: list[PartitionChangeRecord] = []
    topics = []
    seen: dict[Uuid, set[int]] = {}
    work = 0
    for topic_id, alterations in request.topics:
        topic = view.image.topics.topic(topic_id)
        rules = None if topic is None else topic_rules.of(topic)
        seen_of_topic = seen.setdefault(topic_id, set())
        altered = []
        for one in alterations:
            if topic is None or rules is None:
                altered.append(PartitionAltered(one.partition_id, ErrorCode.UNKNOWN_TOPIC_ID))
            else:
                altered.append(_alter(members, rules, request.broker_id, topic, one, seen_of_topic, records))
            work += 1
            if work % PARTITIONS_PER_SLICE == 0:
                yield
        topics.append((topic_id, tuple(altered)))
    return ControllerResult(tuple(records), AlterPartitionResponse(topics=tuple(topics)), atomic=False)


class _Members:
    """Which replicas may be in sync; brokers are looked up once for a request."""

    def __init__(self, image: MetadataImage) -> None:
        self._brokers = image.cluster.brokers
        self._known: dict[IsrMember, BrokerRegistration | None] = {}

    def are_eligible(self, partition: PartitionRegistration, isr: Sequence[IsrMember]) -> bool:
        """Return whether all are of active brokers, and of the processes that the leader saw fetching.

        A replica in a full directory may not be in sync (KIP-928): it stores nothing more.
        """
        for member in isr:
            broker = self._active(member)
            if broker is None:
                return False
            if broker.saturated_log_dirs and broker.is_saturated_dir(partition.directory(member.broker_id)):
                return False
        return True

    def _active(self, member: IsrMember) -> BrokerRegistration | None:
        if member not in self._known:
            broker = self._brokers.get(member.broker_id)
            is_active = broker is not None and broker.is_active
            is_process = broker is not None and member.broker_epoch in {NO_NODE, broker.broker_epoch}
            self._known[member] = broker if is_active and is_process else None
        return self._known[member]


def _alter(
    members: _Members,
    rules: PartitionRules,
    broker_id: NodeId,
    topic: TopicImage,
    alteration: PartitionAlteration,
    seen: set[int],
    records: list[PartitionChangeRecord],
) -> PartitionAltered:
    """Decide one partition, and add its record."""
    partition_id = alteration.partition_id
    partition = topic.partitions.get(partition_id)
    if partition is None:
        return PartitionAltered(partition_id, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if partition_id in seen:
        return PartitionAltered(partition_id, ErrorCode.INVALID_REQUEST)
    seen.add(partition_id)
    isr = tuple([member.broker_id for member in alteration.isr])
    fault = _fault(members, broker_id, partition, alteration, isr)
    if fault is not None:
        return PartitionAltered(partition_id, fault)
    target = PartitionTarget(
        isr=isr,
        leader_recovery_state=_RECOVERY_STATES[alteration.recovery_state],
        election=rules.election,
    )
    record = partition_change(topic.id, partition_id, partition, target, rules)
    if record is None:
        return PartitionAltered(partition_id, state=partition)
    records.append(record)
    if record.leader not in {LEADER_UNCHANGED, broker_id}:
        # The change completed a reassignment that removed the leader.
        return PartitionAltered(partition_id, ErrorCode.NEW_LEADER_ELECTED)
    return PartitionAltered(partition_id, state=partition.merge(record))


def _fault(
    members: _Members,
    broker_id: NodeId,
    partition: PartitionRegistration,
    asked: PartitionAlteration,
    isr: tuple[NodeId, ...],
) -> ErrorCode | None:
    """Return the first rule that an alteration breaks, in Kafka's order."""
    if asked.leader_epoch > partition.leader_epoch or asked.partition_epoch > partition.partition_epoch:
        return ErrorCode.NOT_CONTROLLER
    if asked.leader_epoch < partition.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if partition.leader != broker_id:
        return ErrorCode.INVALID_REQUEST
    if asked.partition_epoch < partition.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION
    isr_ids = set(isr)
    if len(isr_ids) != len(isr) or broker_id not in isr_ids:
        return ErrorCode.INVALID_REQUEST
    if not isr_ids.issubset(partition.replicas):
        return ErrorCode.INVALID_REQUEST
    state = _RECOVERY_STATES.get(asked.recovery_state)
    if state is None:
        return ErrorCode.INVALID_REQUEST
    recovering = LeaderRecoveryState.RECOVERING
    if state is recovering and (len(isr) > 1 or partition.leader_recovery_state is not recovering):
        return ErrorCode.INVALID_REQUEST
    return None if members.are_eligible(partition, asked.isr) else ErrorCode.INELIGIBLE_REPLICA
