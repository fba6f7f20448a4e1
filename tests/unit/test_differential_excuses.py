"""What excuses a difference to Kafka: rows that it is about, also where a request meets several; it hides no other."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.image import EMPTY, MetadataDelta, Provenance
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import ClearElrRecord, ConfigRecord, PartitionRecord, TopicRecord
from tests.interop.differential.comparing import Mismatch
from tests.interop.differential.differences import TOPIC, Case, claimed_by


def altered(name, *values):
    """Keys of a topic that are set, to nothing by ``None``."""
    return rpc.IncrementalAlterConfigsRequestAlterConfigsResource(
        resource_type=TOPIC,
        resource_name=name,
        configs=[
            rpc.IncrementalAlterConfigsRequestAlterableConfig(name="retention.ms", config_operation=0, value=value)
            for value in values
        ],
    )


def written(name, value):
    record = ConfigRecord(resource_type=TOPIC, resource_name=name, name="retention.ms", value=value)
    return SimpleNamespace(content=record)


TOPIC_ID = bytes(15) + b"\1"
CASE = Case(
    rpc.IncrementalAlterConfigsRequest(
        resources=[altered("none", None), altered("twice", "1", "2"), altered("a", "3")]
    ),
    EMPTY,
)
THEIRS = [written("none", None), written("twice", "2"), written("a", "3")]


def test_a_request_may_meet_two_differences():
    assert claimed_by(CASE, Mismatch("records", THEIRS, [written("a", "3")])) == ["null-value", "config-key-twice"]


@pytest.mark.parametrize(
    "ours",
    [
        pytest.param([], id="less of what is not excused"),
        pytest.param([written("a", "4")], id="another value of what is not excused"),
        pytest.param([written("twice", "1"), written("a", "3")], id="another value of what is excused"),
        pytest.param([written("none", "0"), written("a", "3")], id="a value of what is refused"),
    ],
)
def test_excuses_hide_no_other_difference(ours):
    assert claimed_by(CASE, Mismatch("records", THEIRS, ours)) == []


def test_the_metadata_topic_excuses_requests_that_name_it_alone():
    case = Case(rpc.IncrementalAlterConfigsRequest(resources=[altered("a", "3")]), EMPTY)
    clears = SimpleNamespace(content=ClearElrRecord(topic_name="a"))
    assert claimed_by(case, Mismatch("records", [written("a", "3"), clears], [written("a", "3")])) == []


def topics(*leader_epochs):
    """Partitions of one topic, with such leader epochs."""
    delta = MetadataDelta(EMPTY)
    delta.replay(TopicRecord(name="a", topic_id=TOPIC_ID))
    for number, epoch in enumerate(leader_epochs):
        delta.replay(
            PartitionRecord(
                partition_id=number,
                topic_id=TOPIC_ID,
                replicas=[1],
                isr=[1],
                leader=1,
                leader_epoch=epoch,
                directories=[bytes(16)],
            )
        )
    return delta.apply(Provenance(1, 1, -1, batch_aligned=True)).topics


@pytest.mark.parametrize(("ours", "names"), [((5, 5), ["directory-that-is-not-online"]), ((4, 6), [])])
def test_an_assigned_directory_excuses_the_epochs_of_its_partitions_alone(ours, names):
    one = rpc.AssignReplicasToDirsRequestPartitionData(partition_index=0)
    topic = rpc.AssignReplicasToDirsRequestTopicData(topic_id=TOPIC_ID, partitions=[one])
    request = rpc.AssignReplicasToDirsRequest(
        broker_id=1, directories=[rpc.AssignReplicasToDirsRequestDirectoryData(topics=[topic])]
    )
    found = Mismatch("state.topics", topics(4, 5), topics(*ours))
    assert claimed_by(Case(request, EMPTY), found) == names
