"""Configs over Kafka's protocol: altering them, from bytes to bytes, and describing them."""

from __future__ import annotations

import gc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ReplaceConfigs,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.transport import config_entries
from kraftpy.transport.kafka.apis import WireRequest
from kraftpy.transport.kafka.control import describe_configs as describing
from kraftpy.transport.node_api import Committed, OutcomeUnknownError
from tests.unit.transport.kafka_node import FakeNode

Resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource
Config = rpc.IncrementalAlterConfigsRequestAlterableConfig
METRICS = 16

texts = st.text(max_size=12) | st.integers(60, 300).map("x".__mul__)
configs = st.builds(Config, texts, st.integers(-128, 127), st.none() | texts)
resources = st.builds(Resource, st.integers(-128, 127), texts, st.lists(configs, max_size=4))
messages = st.builds(rpc.IncrementalAlterConfigsRequest, st.lists(resources, max_size=4), st.booleans())


def asked_by(message: rpc.IncrementalAlterConfigsRequest) -> IncrementalAlterConfigs:
    """Say plainly what a message asks for."""
    return IncrementalAlterConfigs(
        resources=tuple(
            (
                ConfigResource(one.resource_type, one.resource_name),
                tuple(ConfigAlteration(each.name, each.config_operation, each.value) for each in one.configs),
            )
            for one in message.resources
        ),
        validate_only=message.validate_only,
    )


def two_resources() -> rpc.IncrementalAlterConfigsRequest:
    return rpc.IncrementalAlterConfigsRequest(
        [
            Resource(METRICS, "one", [Config("metrics", AlterOp.SET, "a")]),
            Resource(METRICS, "x" * 200, [Config("metrics", AlterOp.SET, "b"), Config("match", AlterOp.DELETE, None)]),
        ]
    )


@settings(deadline=None)
@given(messages, st.sampled_from((0, 1)))
@example(two_resources(), 1)
def test_a_request_reaches_the_controller_as_it_was_asked(message, version):
    """A type, a name, an operation or a value is another one, or is left out."""
    node = FakeNode()
    assert node.ask(message, version) is None
    [(submission, _)] = node.submitted
    assert submission.request == asked_by(message)


def test_a_request_that_was_answered_is_gone():
    """Requests and all that they ask for are kept until the garbage collector comes, which is kept busy with them."""
    node = FakeNode()
    message = rpc.IncrementalAlterConfigsRequest([Resource(METRICS, "s", [Config("metrics", 0, "v")])])
    gc.collect()
    gc.disable()
    try:
        node.ask(message, 1)
        node.commit(IncrementalAlterConfigsResponse((ConfigResource(METRICS, "s"),)))
        node.answers.clear()
        node.submitted.clear()
        assert not [one for one in gc.get_objects() if isinstance(one, WireRequest)]
    finally:
        gc.enable()


def answer_to(message, version, refused) -> rpc.IncrementalAlterConfigsResponse:
    node = FakeNode()
    assert node.ask(message, version) is None
    asked = tuple(resource for resource, _ in asked_by(message).resources)
    node.commit(IncrementalAlterConfigsResponse(asked, refused))
    return node.answer()


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("count", [0, 1, 2, 130])
def test_success_names_every_resource_in_the_order_asked(version, count):
    """A success leaves a resource out, names another, or carries an error."""
    names = [f"{number}" * (1 + number) for number in range(count)]
    message = rpc.IncrementalAlterConfigsRequest([Resource(METRICS, name, []) for name in names])
    answer = answer_to(message, version, {})
    assert [(one.error_code, one.error_message) for one in answer.responses] == [(0, None)] * count
    assert [(one.resource_type, one.resource_name) for one in answer.responses] == [(METRICS, name) for name in names]


@pytest.mark.parametrize("version", [0, 1])
def test_a_refused_resource_has_its_own_error(version):
    """The error of one resource is reported for that resource, not for another or for all."""
    answer = answer_to(two_resources(), version, {1: (ErrorCode.INVALID_CONFIG, "no")})
    rows = [(one.resource_name, one.error_code, one.error_message) for one in answer.responses]
    assert rows == [("one", 0, None), ("x" * 200, ErrorCode.INVALID_CONFIG, "no")]


@pytest.mark.parametrize(
    "outcome", [ApiError(ErrorCode.NOT_CONTROLLER, "node 2 leads"), OutcomeUnknownError("who knows")]
)
def test_not_the_controller_is_reported_for_every_resource(outcome):
    """A request that was rejected as a whole, or whose outcome is unknown, does not look done."""
    node = FakeNode()
    node.ask(two_resources(), 1)
    node.settle(outcome)
    rows = {(one.error_code, one.error_message) for one in node.answer().responses}
    assert rows == {(ErrorCode.NOT_CONTROLLER, outcome.message)}
    assert len(node.answer().responses) == 2


def test_a_full_queue_is_reported_for_every_resource():
    """A full queue is an answer, not a broken connection."""
    node = FakeNode()
    node.is_full = True
    full = node.ask(two_resources(), 1)
    assert len(full.responses) == 2
    assert {one.error_code for one in full.responses} == {ErrorCode.THROTTLING_QUOTA_EXCEEDED}


def test_an_answer_waits_for_the_commit():
    """A request is answered before its records are committed."""
    node = FakeNode()
    node.ask(two_resources(), 1)
    assert node.answers == []
    [(submission, settle)] = node.submitted
    assert submission.timeout_ms is None
    settle(Committed(IncrementalAlterConfigsResponse(tuple(one for one, _ in submission.request.resources)), 9, 1))
    assert len(node.answers) == 1


# Describing.


def described(*asked, version=4, synonyms=False, keys=None):
    resources = [rpc.DescribeConfigsRequestDescribeConfigsResource(kind, name, keys) for kind, name in asked]
    answer = FakeNode().ask(rpc.DescribeConfigsRequest(resources, include_synonyms=synonyms), version)
    assert [(one.resource_type, one.resource_name) for one in answer.results] == list(asked)
    return answer.results


def entries(result):
    assert result.error_code == 0, result
    return {one.name: (one.value, one.config_source) for one in result.configs}


def test_a_subscription_lists_what_is_set_and_the_defaults():
    """A value that is set is listed as set, and the defaults are listed, too."""
    [result] = described((16, "sub"))
    assert entries(result) == {"interval.ms": ("1000", 7), "match": ("", 5), "metrics": ("", 5)}
    assert {one.name: one.config_type for one in result.configs} == {"interval.ms": 3, "match": 7, "metrics": 7}


def test_a_topic_lists_its_overrides_over_the_defaults():
    """A topic's own value is listed, as its own."""
    [result] = described((2, "orders"), keys=["retention.ms", "cleanup.policy"])
    assert entries(result) == {"cleanup.policy": ("delete", 5), "retention.ms": ("5", 1)}


def test_no_keys_are_all_keys():
    """An empty list of keys asks for as much as none does, and a success has an empty text."""
    [some], [every] = described((2, "orders"), keys=[]), described((2, "orders"))
    assert entries(some) == entries(every)
    assert some.error_message == ""


def test_a_group_lists_a_key_that_is_not_known_any_more():
    """A key of an older release cannot be found, and so not be deleted."""
    [result] = described((32, "group"))
    assert entries(result)["key.of.yesterday"] == ("x", 8)


def test_brokers_list_the_cluster_s_values_and_this_node_its_own_over_them():
    """A node's value hides the cluster's, secrets are not shown, and another node's values are not listed."""
    cluster, own, other = described((4, ""), (4, "1"), (4, "2"))
    assert entries(cluster) == {"log.cleaner.threads": ("3", 3), "log.retention.ms": ("100", 3)}
    assert entries(own) == {
        "log.cleaner.threads": ("2", 2),
        "log.retention.ms": ("100", 3),
        "ssl.key.password": (None, 2),
    }
    assert [one.is_sensitive for one in own.configs] == [False, False, True]
    assert other.error_code == ErrorCode.INVALID_REQUEST
    assert other.error_message == "Unexpected broker id, expected 1 or empty string, but received 2"


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_synonyms_name_every_place_of_a_value(version):
    """The synonyms list every source of a value, in order, and only when requested."""
    [own] = described((4, "1"), synonyms=True, version=version)
    threads = own.configs[0]
    assert [(one.name, one.value, one.source) for one in threads.synonyms] == [
        ("log.cleaner.threads", "2", 2),
        ("log.cleaner.threads", "3", 3),
    ]
    [without] = described((4, "1"), version=version)
    assert without.configs[0].synonyms == []


def test_a_topic_s_defaults_are_what_its_brokers_have():
    """The cluster's dynamic value is a topic's default, by the brokers' name of the key, and Kafka's comes after it."""
    [topic] = described((2, "orders"), synonyms=True, keys=["retention.ms", "segment.bytes", "segment.ms"])
    found = {one.name: [(each.name, each.value, each.source) for each in one.synonyms] for one in topic.configs}
    assert found == {
        "retention.ms": [("retention.ms", "5", 1), ("log.retention.ms", "100", 3), ("log.retention.hours", "168", 5)],
        "segment.bytes": [("log.segment.bytes", "1073741824", 5)],
        "segment.ms": [],
    }


def test_a_group_s_defaults_have_the_brokers_names():
    """A synonym names the broker's key that sets it; a key that no broker has keeps its own name."""
    [group] = described((32, "group"), synonyms=True, keys=["share.delivery.count.limit", "share.isolation.level"])
    assert [(one.name, [each.name for each in one.synonyms]) for one in group.configs] == [
        ("share.delivery.count.limit", ["group.share.delivery.count.limit"]),
        ("share.isolation.level", ["share.isolation.level"]),
    ]


@pytest.mark.parametrize(
    ("kind", "name", "code", "text"),
    [
        (2, "no-topic", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ""),
        (16, "", ErrorCode.INVALID_REQUEST, "Client metrics subscription name must not be empty"),
        (32, "", ErrorCode.INVALID_REQUEST, "Group name must not be empty"),
        (8, "1", ErrorCode.INVALID_REQUEST, "Unsupported resource type: 8"),
    ],
)
def test_what_cannot_be_described_leaves_the_others_alone(kind, name, code, text):
    """A resource that cannot be described takes others along."""
    refused, good = described((kind, name), (16, "sub"))
    assert (refused.error_code, refused.error_message, refused.configs) == (code, text, [])
    assert entries(good)


def test_an_answer_is_bounded(monkeypatch):
    """An answer stays within its limit; the resources beyond it are rejected, those before it described."""
    monkeypatch.setattr(describing, "ANSWER_BYTES_MAX", 500)
    first, second = described((16, "sub"), (2, "orders"))
    assert entries(first)
    assert (second.error_code, second.configs) == (ErrorCode.POLICY_VIOLATION, [])


@pytest.fixture
def worked_out(monkeypatch):
    """The kinds and keys whose rows are made, and how often the values below overrides are looked up."""
    made, make, layers_of = [], describing._row, config_entries.layers_of

    def row(entry, *, with_synonyms):
        made.append(entry.name)
        return make(entry, with_synonyms=with_synonyms)

    def layers(view):
        made.append("layers")
        return layers_of(view)

    monkeypatch.setattr(describing, "_row", row)
    monkeypatch.setattr(config_entries, "layers_of", layers)
    return made


@pytest.mark.parametrize("keys", [None, [], ["retention.ms", "segment.ms", "nope"]])
@pytest.mark.parametrize("named", [(2, "orders"), (4, "1"), (16, "sub"), (32, "group")])
def test_a_resource_that_is_named_again_is_answered_again_without_more_work(worked_out, named, keys):
    """As Kafka answers it. Without that, one request that repeats a topic occupies the node for seconds."""
    [alone] = described(named, keys=keys)
    once = len(worked_out)
    several = described(*[named] * 200, keys=keys)
    assert [each.configs for each in several] == [alone.configs] * 200
    overridden = sum(one.config_source in {1, 2, 8} for one in alone.configs) if keys else 0
    assert len(worked_out) - once == once + 199 * overridden


def test_resources_share_what_they_do_not_override(worked_out):
    """Without that, a request works out the same defaults for each of thousands of groups."""
    plain, *others = described(*[(32, f"g{number}") for number in range(200)])
    assert {str(each.configs) for each in others} == {str(plain.configs)}
    assert len(worked_out) == len(plain.configs)


@pytest.mark.parametrize("keys", [None, ["nope"]])
def test_nothing_is_worked_out_once_an_answer_is_full(worked_out, monkeypatch, keys):
    """Also results without any key fill it. Without that, what is rejected costs as much as what is answered."""
    monkeypatch.setattr(describing, "ANSWER_BYTES_MAX", 40)
    *first, last = described((32, "missing"), (32, "group-2"), (32, "group-3"), (2, "orders"), keys=keys)
    assert [each.error_code == 0 for each in first] == [keys is not None, False, False]
    assert (last.error_code, last.configs) == (ErrorCode.POLICY_VIOLATION, [])
    assert "layers" not in worked_out


def test_making_rows_fills_an_answer_too(monkeypatch):
    """Without that, an answer of rows that no other resource has takes several times as long as any other."""
    monkeypatch.setattr(describing, "MADE_BYTES", describing.ANSWER_BYTES_MAX)
    [result] = described((4, "1"))
    assert result.error_code == ErrorCode.POLICY_VIOLATION


# AlterConfigs, which replaces.


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_replacement_reaches_the_controller_and_is_answered_row_by_row(version):
    """Every version states all configs of each resource; rejected resources have their reason, the others none."""
    node = FakeNode()
    row, config = rpc.AlterConfigsRequestAlterConfigsResource, rpc.AlterConfigsRequestAlterableConfig
    asked = rpc.AlterConfigsRequest(
        [row(METRICS, "one", [config("metrics", "a"), config("match", None)]), row(METRICS, "two", [])], version > 0
    )
    assert node.ask(asked, version) is None
    [(submission, _)] = node.submitted
    one, two = ConfigResource(METRICS, "one"), ConfigResource(METRICS, "two")
    configs = (("metrics", "a"), ("match", None))
    assert submission.request == ReplaceConfigs(((one, configs), (two, ())), validate_only=version > 0)
    refused = {0: (ErrorCode.INVALID_CONFIG, "no such key")}
    node.commit(IncrementalAlterConfigsResponse((one, two), refused))
    reported = [(each.error_code, each.error_message, each.resource_name) for each in node.answer().responses]
    assert reported == [(40, "no such key", "one"), (0, None, "two")]


def test_a_replacement_that_is_not_taken_is_refused_row_by_row():
    """A controller that is not active, or full, says so for each resource."""
    row = rpc.AlterConfigsRequestAlterConfigsResource
    asked = rpc.AlterConfigsRequest([row(METRICS, "one", []), row(METRICS, "two", [])])
    node = FakeNode()
    node.is_full = True
    full = node.ask(asked, 2)
    assert [each.error_code for each in full.responses] == [ErrorCode.THROTTLING_QUOTA_EXCEEDED] * 2
