"""What brokers report and ask for over the public API: whole in both directions, bounded, and as the Python client."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.client import AsyncClient, Client
from kraftpy.client import values as v
from kraftpy.controller.account_requests import AllocateProducerIds
from kraftpy.controller.broker_id_requests import AssignBrokerId
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AssignReplicasToDirs,
    IsrMember,
    PartitionAlteration,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import node_pb2
from kraftpy.transport.grpc import broker_writes
from tests.unit.transport.fake_backend import FakeBackend, serving

TOPIC, OTHER, DIRECTORY = bytes(range(16)), b"o" * 16, b"d" * 16
REPORTS = (
    v.InSyncReplicas(
        topic_id=TOPIC, partition=1, leader_epoch=5, partition_epoch=7, isr={3: 11, 4: None}, recovering=True
    ),
    v.InSyncReplicas(topic_id=OTHER, partition=0, leader_epoch=1, partition_epoch=1, isr={3: 11}),
    v.InSyncReplicas(topic_id=TOPIC, partition=2, leader_epoch=5, partition_epoch=7, isr={}),
)


@pytest.fixture
async def backend():
    return FakeBackend()


@pytest.fixture
async def client(backend):
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"]) as client:
        yield client


async def test_in_sync_replicas_arrive_whole(client, backend):
    """By topic; an epoch that is not known is -1, and 0 is one; the outcome has the state of the partition."""
    altered = await client.alter_partition(3, 11, REPORTS)
    ((submission,),) = backend.groups
    assert submission.request == AlterPartition(
        broker_id=3,
        broker_epoch=11,
        topics=(
            (
                TOPIC,
                (
                    PartitionAlteration(1, 5, 7, (IsrMember(3, 11), IsrMember(4)), 1),
                    PartitionAlteration(2, 5, 7, ()),
                ),
            ),
            (OTHER, (PartitionAlteration(0, 1, 1, (IsrMember(3, 11),)),)),
        ),
    )
    assert submission.request_id
    state, refused, leaderless = altered.outcomes
    assert state == v.InSyncOutcome(
        topic_id=TOPIC, partition=0, leader=3, leader_epoch=5, partition_epoch=8, isr=(3, 4), recovering=True
    )
    assert refused == v.InSyncOutcome(topic_id=TOPIC, partition=1, error=ErrorCode.FENCED_LEADER_EPOCH)
    assert (leaderless.leader, leaderless.error) == (None, ErrorCode.NONE)


async def test_directories_arrive_whole(client, backend):
    """By directory and topic; each replica has an outcome."""
    asked = {(TOPIC, 0): DIRECTORY, (OTHER, 2): TOPIC, (TOPIC, 1): DIRECTORY}
    assigned = await client.assign_replicas_to_dirs(3, 11, asked, validate_only=True)
    assert backend.groups[0][0].request == AssignReplicasToDirs(
        broker_id=3,
        broker_epoch=11,
        directories=((DIRECTORY, ((TOPIC, (0, 1)),)), (TOPIC, ((OTHER, (2,)),))),
        validate_only=True,
    )
    assert assigned.outcomes == (
        v.ReplicaOutcome(TOPIC, 0, DIRECTORY),
        v.ReplicaOutcome(TOPIC, 1, DIRECTORY, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    )


async def test_producer_ids_and_a_broker_id_arrive(client, backend):
    ids = await client.allocate_producer_ids(3, 11)
    assigned = await client.assign_broker_id("h", TOPIC)
    assert (ids.start, ids.length) == (1_000, 1_000)
    assert (assigned.broker_id, assigned.origin) == (1_001, v.BrokerIdOrigin.GENERATED)
    first, second = (group[0].request for group in backend.groups)
    assert first == AllocateProducerIds(broker_id=3, broker_epoch=11)
    assert second == AssignBrokerId(host="h", incarnation_id=TOPIC)


async def test_ids_are_stamped_unless_the_caller_permits_a_repetition(client, backend):
    """A repeated allocation would give another block; the others change nothing when they are repeated."""
    await client.allocate_producer_ids(3, 11)
    await client.allocate_producer_ids(3, 11, retry_unknown=True)
    await client.alter_partition(3, 11, REPORTS)
    assert [group[0].stamp.first_sent_epoch for group in backend.groups] == [3, None, None]


def reports(topics=1, partitions=0, isr=0, topic_id=TOPIC):
    message = node_pb2.AlterPartitionRequest()
    for _ in range(topics):
        message.topics.add(topic_id=topic_id)
    for number in range(partitions):
        message.topics[0].partitions.add(partition=number)
    for number in range(isr):
        message.topics[0].partitions[0].isr.add(broker_id=number)
    return message


def directories(count=1, topics=0, partitions=0, directory_id=DIRECTORY, topic_id=TOPIC):
    message = node_pb2.AssignReplicasToDirsRequest()
    for _ in range(count):
        message.directories.add(directory_id=directory_id)
    for _ in range(topics):
        message.directories[0].topics.add(topic_id=topic_id)
    if partitions:
        message.directories[0].topics[0].partitions.extend(range(partitions))
    return message


IN_SYNC, DIRS = broker_writes.alter_partition, broker_writes.assign_replicas_to_dirs


@pytest.mark.parametrize(
    ("read", "message", "text"),
    [
        (IN_SYNC, reports(30_001), "30001 topics, at most 30000 are allowed"),
        (IN_SYNC, reports(1, 30_001), "30001 partitions, at most 30000 are allowed"),
        (IN_SYNC, reports(1, 1, 100_001), "100001 in-sync replicas, at most 100000 are allowed"),
        (IN_SYNC, reports(topic_id=b"x"), "topics.topic_id has 1 bytes, a uuid has 16"),
        (DIRS, directories(10_001), "10001 directories, at most 10000 are allowed"),
        (DIRS, directories(1, 10_001), "10001 topics, at most 10000 are allowed"),
        (DIRS, directories(1, 1, 10_001), "10001 partitions, at most 10000 are allowed"),
        (DIRS, directories(directory_id=b""), "directories.directory_id has 0 bytes"),
        (DIRS, directories(topics=1, topic_id=b"xy"), "directories.topics.topic_id has 2 bytes"),
        (broker_writes.assign_broker_id, node_pb2.AssignBrokerIdRequest(), "incarnation_id has 0 bytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_names_too_much_or_no_id_is_refused(read, message, text):
    """With the place, the number and the limit."""
    with pytest.raises(ApiError) as refused:
        read(message)
    assert (refused.value.code, text in refused.value.message) == (ErrorCode.INVALID_REQUEST, True), refused.value


def test_what_is_at_the_limit_is_read():
    assert len(IN_SYNC(reports(1, 30_000)).topics[0][1]) == 30_000
    assert len(DIRS(directories(1, 1, 10_000)).directories[0][1][0][1]) == 10_000


async def test_the_blocking_client_has_these_calls(backend):
    """With the same arguments."""
    async with serving(backend) as server:

        def calls():
            with Client([f"127.0.0.1:{server.port}"]) as client:
                return (
                    client.alter_partition(3, 11, REPORTS).outcomes,
                    client.assign_replicas_to_dirs(3, 11, {(TOPIC, 0): DIRECTORY}).outcomes,
                    client.allocate_producer_ids(3, 11, retry_unknown=True).start,
                    client.assign_broker_id("h", TOPIC).broker_id,
                )

        altered, assigned, start, broker_id = await asyncio.to_thread(calls)
    assert (len(altered), len(assigned), start, broker_id) == (3, 2, 1_000, 1_001)
