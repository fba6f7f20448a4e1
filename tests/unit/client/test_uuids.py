"""Uuids as the client's callers have them, and what an answer with a malformed one ends in."""

from __future__ import annotations

import copy
import pickle
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.client import MalformedError, Uuid, broker_wire, wire
from kraftpy.client.changes import record_of
from kraftpy.model.ids import UUID_TEXT_SHOWN_MAX, ZERO_UUID, is_reserved_uuid, uuid_to_text
from kraftpy.pb.v1 import admin_pb2, changes_pb2, cluster_pb2, common_pb2, node_pb2, quorum_pb2

TEXT = "sUGH5XxTTiOC_BIJvC-dkw"
"""With both characters in which base64url differs from base64."""
RAW = uuid.UUID("b14187e5-7c53-4e23-82fc-1209bc2f9d93").bytes


@given(st.binary(min_size=16, max_size=16))
def test_a_uuid_is_read_from_its_text_and_from_its_bytes(raw):
    made = Uuid(raw)
    assert Uuid(str(made)) == Uuid(made) == made == raw
    assert hash(made) == hash(raw)
    assert str(made) == uuid_to_text(raw)
    assert len(str(made)) == 22


def test_it_is_printed_as_kafka_prints_it():
    made = Uuid(RAW)
    assert (str(made), repr(made), f"{made}|{made:>24}") == (TEXT, f"Uuid('{TEXT}')", f"{TEXT}|  {TEXT}")
    assert str(Uuid(ZERO_UUID)) == "AAAAAAAAAAAAAAAAAAAAAA"


def test_it_is_a_value():
    """It cannot be changed, is a key, is ordered as its bytes are, and survives copies."""
    made = Uuid(TEXT)
    assert {made: 1}[Uuid(RAW)] == {RAW: 1}[made] == 1
    assert sorted([made, Uuid(ZERO_UUID)]) == [Uuid(ZERO_UUID), made]
    for copied in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert (type(copied), copied) == (Uuid, made)
    with pytest.raises(AttributeError):
        made.text = "other"
    assert uuid.UUID(bytes=made).bytes == made


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "'' is not a uuid: it has 0 characters, expected 22"),
        ("orders", "'orders' is not a uuid: it has 6 characters, expected 22"),
        ("b14187e5-7c53-4e23-82fc-1209bc2f9d93", "it has 36 characters, expected 22"),
        (TEXT.replace("_", "!"), "it is not base64url"),
        (TEXT.replace("_", "é"), "it is not base64url"),
        (b"", "b'' is not a uuid: it has 0 bytes, not 16"),
        (RAW + b"x", "it has 17 bytes, not 16"),
    ],
)
def test_what_is_no_uuid_is_refused(value, message):
    with pytest.raises(ValueError, match="is not a uuid") as raised:
        Uuid(value)
    assert message in str(raised.value)


@pytest.mark.parametrize("huge", ["x" * 1_000_000, b"x" * 1_000_000])
def test_a_huge_text_is_not_repeated(huge):
    with pytest.raises(ValueError, match="1000000") as raised:
        Uuid(huge)
    assert len(str(raised.value)) < UUID_TEXT_SHOWN_MAX + 100


@pytest.mark.parametrize("value", [16, None, [0] * 16, uuid.UUID(bytes=RAW)])
def test_other_types_are_refused(value):
    """A number of bytes would be sixteen zeros."""
    with pytest.raises(TypeError, match="is not a uuid: expected its text or its 16 bytes"):
        Uuid(value)


def test_random_ones_differ_and_are_none_of_kafkas_own():
    made = {Uuid.random() for _ in range(100)}
    assert len(made) == 100
    assert not any(is_reserved_uuid(each) or str(each).startswith("-") for each in made)


BROKER = cluster_pb2.BrokerDescription(
    id=1, incarnation_id=RAW, log_dirs=[RAW], cordoned_log_dirs=[RAW], saturated_log_dirs=[RAW]
)
PARTITION = cluster_pb2.PartitionDescription(directories=[ZERO_UUID, RAW])
TOPIC = cluster_pb2.TopicDescription(name="t", topic_id=RAW, partitions=[PARTITION])


def described(topic):
    reader = wire.TopicPageReader()
    reader.add(cluster_pb2.DescribeTopicsResponse(topics=[topic]))
    return reader.topics().topics[0]


def test_what_is_read_has_uuids():
    """Topics, partitions, members, log directories, replicas, and the results of writes."""
    topic = described(TOPIC)
    cluster = wire.cluster(
        cluster_pb2.DescribeClusterResponse(
            brokers=[BROKER], controllers=[cluster_pb2.ControllerDescription(id=1, incarnation_id=RAW)]
        )
    )
    (broker,), (controller,) = cluster.brokers, cluster.controllers
    directory = cluster_pb2.LogDirDescription(path="/a", directory_id=RAW)
    (log_dir,) = wire.log_dirs(cluster_pb2.DescribeLogDirsResponse(log_dirs=[directory])).log_dirs
    replica = quorum_pb2.ReplicaDescription(id=1, directory_id=RAW)
    (voter,) = wire.quorum(quorum_pb2.DescribeQuorumResponse(voters=[replica])).voters
    created = admin_pb2.CreateTopicsResponse(results=[admin_pb2.TopicResult(name="t", topic_id=RAW)])
    alteration = node_pb2.TopicAlterations(topic_id=RAW, partitions=[node_pb2.PartitionAlteration(partition=0)])
    altered = broker_wire.in_sync_altered(node_pb2.AlterPartitionResponse(topics=[alteration]))
    replicas = node_pb2.TopicReplicasResult(topic_id=RAW, partitions=[node_pb2.ReplicaResult(partition=0)])
    rows = [node_pb2.DirectoryReplicasResult(directory_id=RAW, topics=[replicas])]
    assigned = broker_wire.replicas_assigned(node_pb2.AssignReplicasToDirsResponse(directories=rows)).outcomes[0]
    found = [
        topic.topic_id,
        topic.partitions[0].directories[1],
        broker.incarnation_id,
        *broker.log_dirs,
        *broker.cordoned_log_dirs,
        *broker.saturated_log_dirs,
        controller.incarnation_id,
        log_dir.directory_id,
        voter.key.directory_id,
        wire.topics_changed(created).outcomes[0].topic_id,
        altered.outcomes[0].topic_id,
        assigned.topic_id,
        assigned.directory_id,
    ]
    assert {(type(each), str(each)) for each in found} == {(Uuid, TEXT)}


def test_none_is_none():
    """A directory that could not be used, a voter of a static set, a topic whose id is not known."""
    directory = cluster_pb2.LogDirDescription(path="/a")
    assert wire.log_dirs(cluster_pb2.DescribeLogDirsResponse(log_dirs=[directory])).log_dirs[0].directory_id is None
    replica = quorum_pb2.ReplicaDescription(id=1)
    assert wire.quorum(quorum_pb2.DescribeQuorumResponse(voters=[replica])).voters[0].key.directory_id is None
    created = admin_pb2.CreateTopicsResponse(results=[admin_pb2.TopicResult(name="t")])
    assert wire.topics_changed(created).outcomes[0].topic_id is None


@pytest.mark.parametrize("broken", [b"", b"short", RAW + b"x"])
def test_an_answer_with_a_malformed_one_is_an_error_of_the_node(broken):
    """It names the field; it is no ValueError, which would be the caller's fault."""
    topic = cluster_pb2.TopicDescription(name="t", topic_id=broken)
    with pytest.raises(MalformedError, match=r"a node answered with a topic id that is none: .* bytes, not 16"):
        described(topic)


def test_a_change_has_uuids():
    """Fields, and those in lists; null stays null."""
    partition = changes_pb2.PartitionRecord(topic_id=RAW, directories=[RAW, ZERO_UUID])
    record = record_of(changes_pb2.MetadataChange(partition_record=partition))
    assert (type(record.topic_id), *map(type, record.directories)) == (Uuid, Uuid, Uuid)
    assert f"{record.topic_id} {record.directories[0]}" == f"{TEXT} {TEXT}"
    changed = changes_pb2.PartitionChangeRecord(topic_id=RAW)
    assert record_of(changes_pb2.MetadataChange(partition_change_record=changed)).directories is None


def test_a_change_of_an_older_node_has_the_default():
    """A field that the node does not know yet is absent, which ends no watch; a malformed one does."""
    assert record_of(changes_pb2.MetadataChange(topic_record=changes_pb2.TopicRecord(name="t"))).topic_id == ZERO_UUID
    broken = changes_pb2.MetadataChange(topic_record=changes_pb2.TopicRecord(name="t", topic_id=b"short"))
    with pytest.raises(MalformedError, match="a node answered with a topicId that is none"):
        record_of(broken)


def test_what_is_sent_may_be_bytes_or_text():
    """What was kept as bytes goes on to work; anything else is refused before it is sent."""
    options = common_pb2.WriteOptions()
    sent = wire.delete_topics([], [Uuid(RAW), RAW, TEXT], options)
    assert [row.topic_id for row in sent.topics] == [RAW, RAW, RAW]
    with pytest.raises(ValueError, match="'orders' is not a uuid"):
        wire.delete_topics([], ["orders"], options)
    directories = broker_wire.assign_replicas_to_dirs(1, 2, {(Uuid(RAW), 0): RAW, (RAW, 1): Uuid(RAW)}, options)
    assert [list(one.topics[0].partitions) for one in directories.directories] == [[0, 1]]
