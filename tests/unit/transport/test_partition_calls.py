"""Elections and reassignments over the public API: what is read, what is answered, and what is refused."""

from __future__ import annotations

from itertools import chain

import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.controller.partition_requests import AlterPartitionReassignments, ElectLeaders, Reassignment
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2
from kraftpy.records.metadata import PartitionChangeRecord, PartitionRecord, TopicRecord
from kraftpy.transport.grpc import partition_writes, reassignment_reads
from kraftpy.transport.grpc.reassignment_reads import list_reassignments
from kraftpy.transport.grpc.topic_reads import NAMES_MAX, TopicPages
from kraftpy.transport.node_api import MetadataView
from tests.unit.transport.fake_backend import FakeBackend, serving


def image(**topics):
    """Return an image of topics with as many partitions; the odd ones are being moved from 2 to 3."""
    delta = MetadataDelta(EMPTY)
    for number, (name, partitions) in enumerate(topics.items(), 1):
        topic_id = number.to_bytes(16, "big")
        delta.replay(TopicRecord(name=name, topic_id=topic_id))
        for partition in range(partitions):
            odd = partition % 2
            delta.replay(
                PartitionRecord(
                    partition_id=partition, topic_id=topic_id, replicas=[1, 3, 2] if odd else [1, 2], isr=[1],
                    leader=1, adding_replicas=[3] if odd else [], removing_replicas=[2] if odd else [],
                )
            )  # fmt: skip
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


def pages(state, **asked):
    """Return the (topic, partition) pairs of each page."""
    view, names = MetadataView(7, 1, 0, state, "cluster"), TopicPages()
    request = cluster_pb2.ListPartitionReassignmentsRequest(**asked)
    found = []
    while True:
        answer = list_reassignments(request, view, names)
        found.append([(each.topic, each.partition) for each in answer.reassignments])
        if not answer.HasField("next"):
            return found
        request.start.CopyFrom(answer.next)


def partitions_of(topic, *numbers):
    return common_pb2.TopicPartitions(topic=topic, partitions=numbers)


def test_pages_hold_every_reassignment_once_and_in_order():
    """Whatever the size of a page, all pages together list the same."""
    state = image(b=5, a=4, c=1)
    expected = [("a", 1), ("a", 3), ("b", 1), ("b", 3)]
    assert pages(state) == [expected]
    assert pages(state, page_size=1)[:4] == [[each] for each in expected]
    assert list(chain(*pages(state, page_size=3))) == expected


def test_a_page_ends_after_a_number_of_looks(monkeypatch):
    """Partitions at rest cost looks, too: a page of them is empty and has a next one."""
    monkeypatch.setattr(reassignment_reads, "PAGE_LOOKS_MAX", 2)
    found = pages(image(a=4, b=1, c=2))
    assert [] in found
    assert max(map(len, found)) <= 2
    assert list(chain(*found)) == [("a", 1), ("a", 3), ("c", 1)]


def test_named_partitions_only():
    """A topic without partitions means all of its partitions; what does not exist is omitted."""
    state = image(a=4, b=2)
    assert pages(state, topics=[partitions_of("a", 3, 2, 99), partitions_of("gone", 1)]) == [[("a", 3)]]
    assert pages(state, topics=[partitions_of("a", 3), partitions_of("a")]) == [[("a", 1), ("a", 3)]]


@pytest.mark.parametrize(
    "topics", [[partitions_of("a")] * (NAMES_MAX + 1), [partitions_of("a", *range(NAMES_MAX + 1))]]
)
def test_a_list_names_a_bounded_number(topics):
    """The request is refused before anything is made of it."""
    with pytest.raises(ApiError, match=f"{NAMES_MAX + 1} .* at most {NAMES_MAX} are allowed"):
        pages(image(a=1), topics=topics)


def reassignments(*partitions):
    return admin_pb2.AlterPartitionReassignmentsRequest(
        topics=[admin_pb2.TopicReassignments(topic="t", partitions=partitions)]
    )


MANY = partition_writes.PARTITIONS_MAX + 1
REFUSED = {
    "neither topics nor all": (admin_pb2.ElectLeadersRequest(), "exactly one of"),
    "topics and all": (
        admin_pb2.ElectLeadersRequest(topics=[partitions_of("t", 0)], all_partitions=True), "exactly one of",
    ),
    "topics": (admin_pb2.ElectLeadersRequest(topics=[partitions_of("t")] * MANY), f"{MANY} topics"),
    "partitions": (admin_pb2.ElectLeadersRequest(topics=[partitions_of("t", *range(MANY))]), f"{MANY} partitions"),
    "reassigned": (reassignments(*[admin_pb2.PartitionReassignment()] * MANY), f"{MANY} partitions"),
    "replicas": (
        reassignments(admin_pb2.PartitionReassignment(replicas=range(partition_writes.REPLICAS_MAX + 1))),
        f"{partition_writes.REPLICAS_MAX + 1} replicas",
    ),
    "cancel with replicas": (
        reassignments(admin_pb2.PartitionReassignment(partition=7, cancel=True, replicas=[1])), "partition 7 has both",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_at_the_gateway(case):
    """Each limit and each contradiction is named."""
    message, text = REFUSED[case]
    is_election = isinstance(message, admin_pb2.ElectLeadersRequest)
    decode = partition_writes.elect_leaders if is_election else partition_writes.alter_partition_reassignments
    with pytest.raises(ApiError, match=text) as refused:
        decode(message)
    assert refused.value.code is ErrorCode.INVALID_REQUEST


async def test_the_client_asks_and_reads_outcomes():
    """Each argument of the client reaches the controller, and each outcome comes back."""
    backend = FakeBackend()
    backend.image = image(a=2)
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        elected = await client.elect_leaders(v.LeaderElectionType.UNCLEAN, {"t": [0, 1]}, validate_only=True)
        await client.elect_leaders(v.LeaderElectionType.PREFERRED, None)
        moved = await client.alter_partition_reassignments(
            {("t", 0): [1, 2], ("t", 1): None}, allow_replication_factor_change=False
        )
        ongoing = await client.list_partition_reassignments({"a": [1]}, min_offset=4)
    asked = [one.request for group in backend.groups for one in group]
    assert asked == [
        ElectLeaders(election_type=1, topics=(("t", (0, 1)),), validate_only=True),
        ElectLeaders(election_type=0, topics=None),
        AlterPartitionReassignments(
            topics=(("t", (Reassignment(0, (1, 2)), Reassignment(1, None))),), allow_replication_factor_change=False
        ),
    ]
    assert elected.outcomes == (
        v.PartitionResult("t", 0),
        v.PartitionResult("t", 1, ErrorCode.ELECTION_NOT_NEEDED),
    )
    assert moved.outcomes[1] == v.PartitionResult("t", 1, ErrorCode.INVALID_REPLICA_ASSIGNMENT, "no")
    assert ongoing.reassignments == (v.OngoingReassignment("a", 1, (1, 3, 2), (3,), (2,)),)
    assert [at.min_offset for at in backend.asked_at] == [4]


def test_a_replica_that_is_being_added_is_no_part_of_the_replication_factor():
    """As Kafka's TopicCommand counts: three replicas, of which one is being added."""
    state = image(a=1)
    delta = MetadataDelta(state)
    topic_id = (1).to_bytes(16, "big")
    delta.replay(PartitionChangeRecord(partition_id=0, topic_id=topic_id, replicas=[1, 2, 3], adding_replicas=[3]))
    moving = delta.apply(Provenance(8, 1, 0, batch_aligned=True))
    for described, factor in ((state, 2), (moving, 2)):
        view = MetadataView(8, 1, 0, described, "cluster")
        answer = TopicPages().page(cluster_pb2.DescribeTopicsRequest(), view)
        assert [topic.replication_factor for topic in answer.topics] == [factor]
