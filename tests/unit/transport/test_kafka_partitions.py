"""Partitions over Kafka's protocol: ISR changes, elections, reassignments, directories, and who may send them."""

from __future__ import annotations

import pytest

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
    PartitionReassignment,
    Reassignment,
)
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.control.calls import BROKER_ITEMS_MAX, ITEM_BYTES
from kraftpy.transport.kafka.items import ITEMS_MAX, names_too_much
from tests.unit.transport.kafka_node import DIRECTORY, INCARNATION, FakeNode

TOPIC, HERE = DIRECTORY, INCARNATION
STATE = PartitionRegistration(
    replicas=(7, 8),
    directories=(HERE, HERE),
    isr=(7, 8),
    leader=7,
    leader_epoch=4,
    partition_epoch=6,
    leader_recovery_state=LeaderRecoveryState.RECOVERED,
)


def alteration(version=3, partitions=1):
    data = rpc.AlterPartitionRequestPartitionData
    member = rpc.AlterPartitionRequestBrokerState
    isr = {"new_isr": [7, 8]} if version < 3 else {"new_isr_with_epochs": [member(7, 70), member(8)]}
    rows = [data(number, 4, leader_recovery_state=1, partition_epoch=5, **isr) for number in range(partitions)]
    return rpc.AlterPartitionRequest(7, 70, [rpc.AlterPartitionRequestTopicData(TOPIC, rows)])


@pytest.mark.parametrize(
    ("version", "isr"), [(2, (IsrMember(7), IsrMember(8))), (3, (IsrMember(7, 70), IsrMember(8, -1)))]
)
def test_a_leader_alters_its_isr(version, isr):
    """Version 3 has the brokers' epochs; the answer has all that the leader goes on with, or an error."""
    node = FakeNode()
    assert node.ask(alteration(version), version) is None
    asked = PartitionAlteration(0, leader_epoch=4, partition_epoch=5, isr=isr, recovery_state=1)
    assert node.submitted[0][0].request == AlterPartition(broker_id=7, broker_epoch=70, topics=((TOPIC, (asked,)),))
    failed = PartitionAltered(1, ErrorCode.FENCED_LEADER_EPOCH)
    node.commit(AlterPartitionResponse(topics=((TOPIC, (PartitionAltered(0, state=STATE), failed)),)))
    answer = node.answer()
    done = rpc.AlterPartitionResponsePartitionData(0, 0, 7, 4, [7, 8], 0, 6)
    refused = rpc.AlterPartitionResponsePartitionData(1, ErrorCode.FENCED_LEADER_EPOCH)
    assert answer.error_code == 0
    assert answer.topics == [rpc.AlterPartitionResponseTopicData(TOPIC, [done, refused])]


def test_leaders_are_elected():
    """Of named partitions and of all."""
    node = FakeNode()
    named = [rpc.ElectLeadersRequestTopicPartitions("orders", [0, 1])]
    node.ask(rpc.ElectLeadersRequest(1, named, timeout_ms=77), 2)
    submission = node.submitted[0][0]
    assert submission.request == ElectLeaders(election_type=1, topics=(("orders", (0, 1)),))
    assert submission.timeout_ms == 77
    outcomes = (PartitionOutcome(0), PartitionOutcome(1, ErrorCode.ELECTION_NOT_NEEDED, "no"))
    node.commit(ElectLeadersResponse(topics=(("orders", outcomes),)))
    row = rpc.ElectLeadersResponsePartitionResult
    (topic,) = node.answer().replica_election_results
    assert (topic.topic, topic.partition_result) == (
        "orders",
        [row(0, 0, None), row(1, ErrorCode.ELECTION_NOT_NEEDED, "no")],
    )
    node.ask(rpc.ElectLeadersRequest(0, None), 1)
    assert node.submitted[1][0].request == ElectLeaders(election_type=0, topics=None)


def test_the_oldest_election_is_of_preferred_leaders_and_its_error_is_each_partition_s():
    """Version 0 has neither a type nor an error of its own; of all partitions it names none."""
    for topics, expected in (
        ([rpc.ElectLeadersRequestTopicPartitions("orders", [0, 1])], [("orders", [0, 1])]),
        (None, [("", [-1])]),
    ):
        node = FakeNode()
        node.ask(rpc.ElectLeadersRequest(topic_partitions=topics, timeout_ms=77), 0)
        assert node.submitted[0][0].request.election_type == 0
        node.settle(ApiError(ErrorCode.NOT_CONTROLLER, "ask node 2"))
        rows = node.answer().replica_election_results
        assert [(one.topic, [each.partition_id for each in one.partition_result]) for one in rows] == expected
        assert {each.error_code for one in rows for each in one.partition_result} == {ErrorCode.NOT_CONTROLLER}


def test_replicas_are_reassigned():
    """Null cancels; the answer has a row for each partition."""
    node = FakeNode()
    row = rpc.AlterPartitionReassignmentsRequestReassignablePartition
    topic = rpc.AlterPartitionReassignmentsRequestReassignableTopic("orders", [row(0, [8, 9]), row(1, None)])
    node.ask(rpc.AlterPartitionReassignmentsRequest(88, allow_replication_factor_change=False, topics=[topic]), 1)
    submission = node.submitted[0][0]
    assert submission.timeout_ms == 88
    assert submission.request == AlterPartitionReassignments(
        topics=(("orders", (Reassignment(0, (8, 9)), Reassignment(1, None))),), allow_replication_factor_change=False
    )
    outcomes = (PartitionOutcome(0), PartitionOutcome(1, ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "none"))
    node.commit(AlterPartitionReassignmentsResponse(topics=(("orders", outcomes),)))
    answer = node.answer()
    made = rpc.AlterPartitionReassignmentsResponseReassignablePartitionResponse
    assert (answer.error_code, answer.error_message, answer.allow_replication_factor_change) == (0, None, False)
    assert answer.responses[0].partitions == [made(0, 0, None), made(1, ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "none")]


def test_directories_of_replicas_are_reported():
    """Nested as they came."""
    node = FakeNode()
    data = rpc.AssignReplicasToDirsRequestPartitionData
    topic = rpc.AssignReplicasToDirsRequestTopicData(TOPIC, [data(0), data(3)])
    node.ask(rpc.AssignReplicasToDirsRequest(7, 70, [rpc.AssignReplicasToDirsRequestDirectoryData(HERE, [topic])]))
    assert node.submitted[0][0].request == AssignReplicasToDirs(
        broker_id=7, broker_epoch=70, directories=((HERE, ((TOPIC, (0, 3)),)),)
    )
    outcomes = (PartitionOutcome(0), PartitionOutcome(3, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
    node.commit(AssignReplicasToDirsResponse(directories=((HERE, ((TOPIC, outcomes),)),)))
    (directory,) = node.answer().directories
    made = rpc.AssignReplicasToDirsResponsePartitionData
    assert (directory.id, directory.topics[0].topic_id) == (HERE, TOPIC)
    assert directory.topics[0].partitions == [made(0, 0), made(3, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)]


ALL = [
    (alteration(), 3),
    (rpc.ElectLeadersRequest(0, None), 2),
    (rpc.AlterPartitionReassignmentsRequest(), 1),
    (rpc.AssignReplicasToDirsRequest(7, 70), 0),
    (rpc.ListPartitionReassignmentsRequest(), 0),
]
IDS = [message.NAME for message, _ in ALL]


@pytest.mark.parametrize(("message", "version"), ALL, ids=IDS)
def test_a_refusal_of_the_whole_request(message, version):
    """By a controller that does not lead, and by one that is busy."""
    node = FakeNode()
    node.ask(message, version)
    node.settle(ApiError(ErrorCode.NOT_CONTROLLER, "node 2 is"))
    assert node.answer().error_code == ErrorCode.NOT_CONTROLLER
    busy = FakeNode()
    busy.is_full = True
    assert busy.ask(message, version).error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED


def test_reassignments_are_listed():
    """The active controller lists them; of all topics, or of the partitions that are named."""
    node = FakeNode()
    row = rpc.ListPartitionReassignmentsRequestListPartitionReassignmentsTopics
    node.ask(rpc.ListPartitionReassignmentsRequest(77, [row("orders", [2, 0])]))
    assert node.submitted[0][0].timeout_ms == 77
    assert node.submitted[0][0].request == ListPartitionReassignments(topics=(("orders", (2, 0)),))
    found = (
        PartitionReassignment("orders", 0, (9, 7), (9,), ()),
        PartitionReassignment("orders", 2, (7, 8), (), (8,)),
        PartitionReassignment("users", 1, (7,), (), ()),
    )
    node.commit(ListPartitionReassignmentsResponse(reassignments=found))
    answer = node.answer()
    made = rpc.ListPartitionReassignmentsResponseOngoingPartitionReassignment
    assert (answer.error_code, answer.error_message) == (0, None)
    assert [(topic.name, topic.partitions) for topic in answer.topics] == [
        ("orders", [made(0, [9, 7], [9], []), made(2, [7, 8], [], [8])]),
        ("users", [made(1, [7], [], [])]),
    ]
    node.ask(rpc.ListPartitionReassignmentsRequest(topics=None))
    assert node.submitted[1][0].request == ListPartitionReassignments(topics=None)


def test_a_broker_may_report_more_partitions_than_others_may_name():
    """It sends all it has, and the same again until it is answered; what waits is counted by its items."""
    node = FakeNode()
    many = alteration(partitions=ITEMS_MAX)
    assert names_too_much(many)
    assert not names_too_much(many, BROKER_ITEMS_MAX)
    assert node.listener.apis.find(rpc.AlterPartitionRequest.API_KEY, 3).items_max == BROKER_ITEMS_MAX
    for request, version in ((rpc.ElectLeadersRequest, 2), (rpc.AssignReplicasToDirsRequest, 0)):
        assert node.listener.apis.find(request.API_KEY, version).items_max == ITEMS_MAX
    node.ask(many, 3)
    assert node.submitted[0][0].size == ITEM_BYTES * (1 + 3 * ITEMS_MAX)
