"""AlterPartition, ElectLeaders, AlterPartitionReassignments, AssignReplicasToDirs, and the list of reassignments.

Source: KIP-497, KIP-841, KIP-903; KIP-460; KIP-455; KIP-858; Kafka ``ControllerApis``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AlterPartitionReassignmentsResponse,
    AlterPartitionResponse,
    AssignReplicasToDirs,
    AssignReplicasToDirsResponse,
    ElectLeaders,
    ElectLeadersResponse,
    IsrMember,
    ListPartitionReassignments,
    ListPartitionReassignmentsResponse,
    PartitionAlteration,
    PartitionAltered,
    PartitionOutcome,
    Reassignment,
)
from kraftpy.model.errors import ApiError
from kraftpy.model.ids import NO_NODE
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import Outcome

EPOCHS_VERSION: Final = 3
"""From this version on AlterPartition names the epochs of the ISR's brokers. Source: KIP-903."""


def alteration_from_wire(message: rpc.AlterPartitionRequest, version: int) -> AlterPartition:
    """Read a leader's new in-sync replicas."""
    members = _members if version >= EPOCHS_VERSION else _members_without_epochs
    topics = [
        (topic.topic_id, tuple([_alteration(one, members(one)) for one in topic.partitions]))
        for topic in message.topics
    ]
    return AlterPartition(broker_id=message.broker_id, broker_epoch=message.broker_epoch, topics=tuple(topics))


def _alteration(one: rpc.AlterPartitionRequestPartitionData, isr: tuple[IsrMember, ...]) -> PartitionAlteration:
    return PartitionAlteration(
        one.partition_index, one.leader_epoch, one.partition_epoch, isr, one.leader_recovery_state
    )


def _members(partition: rpc.AlterPartitionRequestPartitionData) -> tuple[IsrMember, ...]:
    return tuple([IsrMember(one.broker_id, one.broker_epoch) for one in partition.new_isr_with_epochs])


def _members_without_epochs(partition: rpc.AlterPartitionRequestPartitionData) -> tuple[IsrMember, ...]:
    return tuple([IsrMember(broker_id) for broker_id in partition.new_isr])


def alteration_to_wire(outcome: Outcome, message: Any) -> rpc.AlterPartitionResponse:
    """Write each partition's registration, which the leader applies at once."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.AlterPartitionResponse(error_code=outcome.code)
    assert isinstance(outcome.response, AlterPartitionResponse)
    return rpc.AlterPartitionResponse(
        topics=[
            rpc.AlterPartitionResponseTopicData(topic_id=topic_id, partitions=[_altered(one) for one in partitions])
            for topic_id, partitions in outcome.response.topics
        ]
    )


def _altered(one: PartitionAltered) -> rpc.AlterPartitionResponsePartitionData:
    state = one.state
    if state is None:
        return rpc.AlterPartitionResponsePartitionData(partition_index=one.partition_id, error_code=one.error)
    return rpc.AlterPartitionResponsePartitionData(
        partition_index=one.partition_id,
        leader_id=NO_NODE if state.leader is None else state.leader,
        leader_epoch=state.leader_epoch,
        isr=list(state.isr),
        leader_recovery_state=int(state.leader_recovery_state),
        partition_epoch=state.partition_epoch,
    )


def election_from_wire(message: rpc.ElectLeadersRequest, version: int) -> ElectLeaders:
    """Read which leaders are to be elected."""
    del version
    asked = message.topic_partitions
    topics = None if asked is None else tuple((one.topic, tuple(one.partitions)) for one in asked)
    return ElectLeaders(election_type=message.election_type, topics=topics)


def election_to_wire(outcome: Outcome, message: Any) -> rpc.ElectLeadersResponse:
    """Write what became of each election.

    A refusal of the whole request is every partition's, too: version 0 has no other place for it. Where that version
    asks for all partitions, it is that of one without a name.
    """
    if isinstance(outcome, ApiError):
        row, text = rpc.ElectLeadersResponsePartitionResult, outcome.message
        asked = [(one.topic, one.partitions) for one in message.topic_partitions or ()] or [("", [-1])]
        return rpc.ElectLeadersResponse(
            error_code=outcome.code,
            replica_election_results=[
                rpc.ElectLeadersResponseReplicaElectionResult(name, [row(each, outcome.code, text) for each in ids])
                for name, ids in asked
            ],
        )
    assert isinstance(outcome.response, ElectLeadersResponse)
    return rpc.ElectLeadersResponse(
        replica_election_results=[
            rpc.ElectLeadersResponseReplicaElectionResult(
                topic=name,
                partition_result=[
                    rpc.ElectLeadersResponsePartitionResult(one.partition_id, one.error, one.message or None)
                    for one in partitions
                ],
            )
            for name, partitions in outcome.response.topics
        ]
    )


def reassignment_from_wire(
    message: rpc.AlterPartitionReassignmentsRequest, version: int
) -> AlterPartitionReassignments:
    """Read which replicas are to move."""
    del version
    return AlterPartitionReassignments(
        topics=tuple(
            (
                topic.name,
                tuple(
                    Reassignment(one.partition_index, None if one.replicas is None else tuple(one.replicas))
                    for one in topic.partitions
                ),
            )
            for topic in message.topics
        ),
        allow_replication_factor_change=message.allow_replication_factor_change,
    )


def reassignment_to_wire(outcome: Outcome, message: Any) -> rpc.AlterPartitionReassignmentsResponse:
    """Write what became of each reassignment."""
    allows = message.allow_replication_factor_change
    if isinstance(outcome, ApiError):
        return rpc.AlterPartitionReassignmentsResponse(
            allow_replication_factor_change=allows, error_code=outcome.code, error_message=outcome.message
        )
    assert isinstance(outcome.response, AlterPartitionReassignmentsResponse)
    row = rpc.AlterPartitionReassignmentsResponseReassignablePartitionResponse
    return rpc.AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=allows,
        error_message=None,
        responses=[
            rpc.AlterPartitionReassignmentsResponseReassignableTopicResponse(
                name=name, partitions=[row(one.partition_id, one.error, one.message or None) for one in partitions]
            )
            for name, partitions in outcome.response.topics
        ],
    )


def directories_from_wire(message: rpc.AssignReplicasToDirsRequest, version: int) -> AssignReplicasToDirs:
    """Read which directories hold a broker's replicas."""
    del version
    return AssignReplicasToDirs(
        broker_id=message.broker_id,
        broker_epoch=message.broker_epoch,
        directories=tuple(
            (
                directory.id,
                tuple(
                    (topic.topic_id, tuple(one.partition_index for one in topic.partitions))
                    for topic in directory.topics
                ),
            )
            for directory in message.directories
        ),
    )


def directories_to_wire(outcome: Outcome, message: Any) -> rpc.AssignReplicasToDirsResponse:
    """Write what became of each report."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.AssignReplicasToDirsResponse(error_code=outcome.code)
    assert isinstance(outcome.response, AssignReplicasToDirsResponse)
    return rpc.AssignReplicasToDirsResponse(
        directories=[
            rpc.AssignReplicasToDirsResponseDirectoryData(
                id=directory,
                topics=[
                    rpc.AssignReplicasToDirsResponseTopicData(topic_id=topic_id, partitions=_reported(partitions))
                    for topic_id, partitions in topics
                ],
            )
            for directory, topics in outcome.response.directories
        ]
    )


def _reported(outcomes: Sequence[PartitionOutcome]) -> list[rpc.AssignReplicasToDirsResponsePartitionData]:
    return [rpc.AssignReplicasToDirsResponsePartitionData(one.partition_id, one.error) for one in outcomes]


def list_from_wire(message: rpc.ListPartitionReassignmentsRequest, version: int) -> ListPartitionReassignments:
    """Read which partitions to look at."""
    del version
    asked = message.topics
    topics = None if asked is None else tuple((one.name, tuple(one.partition_indexes)) for one in asked)
    return ListPartitionReassignments(topics=topics)


def list_to_wire(outcome: Outcome, message: Any) -> rpc.ListPartitionReassignmentsResponse:
    """Write the partitions that are being reassigned, topic by topic."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.ListPartitionReassignmentsResponse(error_code=outcome.code, error_message=outcome.message)
    assert isinstance(outcome.response, ListPartitionReassignmentsResponse)
    row = rpc.ListPartitionReassignmentsResponseOngoingPartitionReassignment
    return rpc.ListPartitionReassignmentsResponse(
        error_message=None,
        topics=[
            rpc.ListPartitionReassignmentsResponseOngoingTopicReassignment(
                name,
                [
                    row(one.partition_id, list(one.replicas), list(one.adding_replicas), list(one.removing_replicas))
                    for one in partitions
                ],
            )
            for name, partitions in groupby(outcome.response.reassignments, key=lambda one: one.topic)
        ],
    )
