"""What excuses a difference of a request that meets several: each is about rows of its own, and hides no other."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.image import EMPTY
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import ClearElrRecord, ConfigRecord
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
