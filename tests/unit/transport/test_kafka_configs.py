"""Configs over Kafka's protocol: altering them, from bytes to bytes, and describing them."""

from __future__ import annotations

import gc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ReplaceConfigs,
    SetConfigs,
    SetConfigsResponse,
)
from kraftpy.model.errors import ApiError, ErrorCode, MalformedError
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import ConfigRecord, encode_record
from kraftpy.records.rpc import body_decoder, encode_request, encode_response
from kraftpy.transport.grpc.backend import Committed, OutcomeUnknownError
from kraftpy.transport.kafka.control import describe_configs as describing
from kraftpy.transport.kafka.control.alter_configs import DECODERS, KEY, AlterConfigsCall
from kraftpy.transport.kafka.control.plain_configs import read_plain
from kraftpy.transport.kafka.items import ITEMS_MAX
from tests.unit.transport.kafka_node import FakeNode

Resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource
Config = rpc.IncrementalAlterConfigsRequestAlterableConfig
METRICS = 16

texts = st.text(max_size=12) | st.integers(60, 300).map("x".__mul__) | st.just("é" * 9000)
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


def general(request) -> IncrementalAlterConfigs:
    """Return a request in its general form, whatever form it was read in."""
    return request.widened() if isinstance(request, SetConfigs) else request


def body(message, version=1) -> bytes:
    """Encode a message without its header."""
    return encode_request("", 0, message, version)[10 + version :]


def two_resources() -> rpc.IncrementalAlterConfigsRequest:
    return rpc.IncrementalAlterConfigsRequest(
        [
            Resource(METRICS, "one", [Config("metrics", AlterOp.SET, "a")]),
            Resource(METRICS, "x" * 200, [Config("metrics", AlterOp.SET, "b"), Config("match", AlterOp.DELETE, None)]),
        ]
    )


def told(read) -> object:
    """Return what is read, or why nothing is."""
    try:
        return read()
    except MalformedError as error:
        return str(error)


@given(messages)
@example(two_resources())
def test_a_request_is_read_as_the_generated_decoder_reads_it(message):
    """The straight lines of version 1 read another request than the schema says, or version 0 does."""
    for version in (0, 1):
        call = DECODERS[version](body(message, version), 0)
        assert general(call.submission.request) == asked_by(message)


@given(messages, st.data())
def test_bytes_that_are_none_are_refused_as_the_generated_decoder_refuses_them(message, data):
    """The straight lines read what the schema refuses, or refuse what it reads."""
    good = body(message)
    at = data.draw(st.integers(0, len(good) - 1))
    broken = data.draw(
        st.sampled_from([good[:at], good + b"\0", good[:at] + bytes([data.draw(st.integers(0, 255))]) + good[at + 1 :]])
    )
    assert told(lambda: general(DECODERS[1](broken, 0).submission.request)) == told(
        lambda: asked_by(body_decoder(KEY, 1)(broken, 0))
    )


plain_configs = st.builds(Config, st.sampled_from(("metrics", "match", "é")), st.just(0), texts)
plain_resources = st.builds(Resource, st.sampled_from((METRICS, 2)), texts, plain_configs.map(lambda one: [one]))
plain_messages = st.builds(
    rpc.IncrementalAlterConfigsRequest, st.lists(plain_resources, min_size=1, max_size=4), st.booleans()
)


def generated(data) -> IncrementalAlterConfigs:
    return asked_by(body_decoder(KEY, 1)(data, 0))


def check_plain(data) -> bool:
    """Read as plain what the general way reads as the same, or nothing; say whether it was read."""
    plain = read_plain(data, 0)
    if plain is None:
        return False
    request, resources = plain
    assert request.widened() == generated(data)
    for place, (resource, (alteration,)) in enumerate(request.resources):
        record = ConfigRecord(*resource, alteration.name, alteration.value)
        assert request.records[place] == encode_record(record, 0)
        row = rpc.IncrementalAlterConfigsResponseAlterConfigsResourceResponse(0, None, *resource)
        assert resources[place] in encode_response(1, rpc.IncrementalAlterConfigsResponse(0, [row]), 1)
    return True


@given(plain_messages, st.integers(0, 10**6), st.integers(0, 2), st.binary(max_size=2))
def test_what_is_read_as_plain_reads_the_same_in_the_general_way(message, at, cut, put):
    """A crooked request is read as if it was none, or records are cut out of it that nobody would have encoded."""
    good = body(message)
    at %= len(good) + 1
    check_plain(good[:at] + put + good[at + cut :])


@pytest.mark.parametrize("names", ["a", "ab", "abcd"])
def test_no_byte_of_a_plain_request_can_be_another_one_unseen(names):
    """Every byte in turn is each other one, is left out, or has a zero before it."""
    rows = [Resource(METRICS, name, [Config("metrics", 0, "v" * 130)]) for name in names]
    good = body(rpc.IncrementalAlterConfigsRequest(rows))
    assert check_plain(good)
    for at in range(len(good)):
        check_plain(good[:at] + good[at + 1 :])
        check_plain(good[:at] + b"\0" + good[at:])
        for byte in range(256) if not 20 < at % 150 < 140 else b"\0\x80":
            check_plain(good[:at] + bytes((byte,)) + good[at + 1 :])
    check_plain(good + b"\0")


def test_the_usual_request_is_plain():
    """The short way is never taken, and nobody notices."""
    rows = [Resource(METRICS, f"s-{n}", [Config("metrics", 0, "v" * n * 7)]) for n in range(300)]
    plain = read_plain(body(rpc.IncrementalAlterConfigsRequest(rows, validate_only=True)), 0)
    assert plain is not None
    assert plain[0].widened() == asked_by(rpc.IncrementalAlterConfigsRequest(rows, validate_only=True))


@pytest.mark.parametrize(
    "other",
    [
        Resource(32, "s", [Config("metrics", 0, "v")]),
        Resource(METRICS, "s", [Config("interval.ms", 0, "100")]),
        Resource(METRICS, "s", [Config("metrics", 2, "v")]),
        Resource(METRICS, "s", [Config("metrics", 0, None)]),
        Resource(METRICS, "s", [Config("metrics", 0, "v" * 20_000)]),
        Resource(METRICS, "s", [Config("metrics", 0, "v"), Config("match", 0, "v")]),
        Resource(METRICS, "s", []),
    ],
    ids=["another type", "a judged key", "another operation", "no value", "a long value", "two configs", "no config"],
)
def test_what_has_to_be_judged_is_not_plain(other):
    """One resource that is not of the plain form makes the request one that is not."""
    usual = Resource(METRICS, "usual", [Config("metrics", 0, "v")])
    message = rpc.IncrementalAlterConfigsRequest([usual, other, usual])
    assert read_plain(body(message), 0) is None
    assert DECODERS[1](body(message), 0).submission.request == asked_by(message)


def test_a_length_that_could_be_shorter_is_not_cut_out():
    """A record would hold a length that no encoder writes."""
    message = rpc.IncrementalAlterConfigsRequest([Resource(METRICS, "s", [Config("metrics", 0, "v")])])
    long = body(message).replace(b"\x02v", b"\x82\x00v")
    assert read_plain(long, 0) is None
    assert general(DECODERS[1](long, 0).submission.request) == asked_by(message)


@pytest.mark.parametrize("refused", [None, {0: (ErrorCode.INVALID_REQUEST, "no")}])
def test_a_plain_request_is_answered_in_full(refused):
    """A plain request may have been decided in either way; and it may be refused."""
    node = FakeNode()
    message = rpc.IncrementalAlterConfigsRequest([Resource(METRICS, "s", [Config("metrics", 0, "v")])])
    assert node.ask(message, 1) is None
    resource = ConfigResource(METRICS, "s")
    node.commit(SetConfigsResponse() if refused is None else IncrementalAlterConfigsResponse((resource,), refused))
    [row] = node.answer().responses
    assert (row.resource_name, row.error_message) == ("s", None if refused is None else "no")


def test_a_request_that_was_answered_is_gone():
    """Requests and all that they ask for are kept until the garbage collector comes, which is kept busy with them."""
    node = FakeNode()
    message = rpc.IncrementalAlterConfigsRequest([Resource(METRICS, "s", [Config("metrics", 0, "v")])])
    gc.collect()
    gc.disable()
    try:
        node.ask(message, 1)
        node.commit(SetConfigsResponse())
        node.answers.clear()
        node.submitted.clear()
        assert not [one for one in gc.get_objects() if isinstance(one, AlterConfigsCall)]
    finally:
        gc.enable()


def test_a_count_is_checked_before_anything_is_made_of_it():
    """A few bytes that claim four billion resources are refused by the count alone."""
    with pytest.raises(MalformedError, match="4294967294 elements"):
        DECODERS[1](b"\xff\xff\xff\xff\x0f\0\0", 0)


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(("count", "each"), [(ITEMS_MAX + 1, 0), (2, ITEMS_MAX // 2), (1, ITEMS_MAX)])
def test_a_request_that_names_too_much_is_refused(version, count, each):
    """More resources and configs than any honest request has are turned into values, and decided."""
    message = rpc.IncrementalAlterConfigsRequest(
        [Resource(METRICS, f"{number}", [Config(f"{key}", 0, "") for key in range(each)]) for number in range(count)]
    )
    with pytest.raises(MalformedError, match="are allowed"):
        DECODERS[version](body(message, version), 0)


@pytest.mark.parametrize("version", [0, 1])
def test_a_request_of_the_largest_size_is_read(version):
    """A request of exactly as many items as are allowed is refused."""
    message = rpc.IncrementalAlterConfigsRequest([Resource(METRICS, f"{n}", []) for n in range(ITEMS_MAX)])
    assert len(DECODERS[version](body(message, version), 0).submission.request.resources) == ITEMS_MAX


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
    """The error of one resource is told of another, or of all."""
    answer = answer_to(two_resources(), version, {1: (ErrorCode.INVALID_CONFIG, "no")})
    rows = [(one.resource_name, one.error_code, one.error_message) for one in answer.responses]
    assert rows == [("one", 0, None), ("x" * 200, ErrorCode.INVALID_CONFIG, "no")]


@pytest.mark.parametrize(
    "outcome", [ApiError(ErrorCode.NOT_CONTROLLER, "node 2 leads"), OutcomeUnknownError("who knows")]
)
def test_not_the_controller_is_told_of_every_resource(outcome):
    """A request that was refused as a whole, or whose fate nobody knows, looks done."""
    node = FakeNode()
    node.ask(two_resources(), 1)
    node.settle(outcome)
    rows = {(one.error_code, one.error_message) for one in node.answer().responses}
    assert rows == {(ErrorCode.NOT_CONTROLLER, outcome.message)}
    assert len(node.answer().responses) == 2


def test_a_full_queue_is_told_of_every_resource():
    """A full queue is an answer, not a broken connection."""
    node = FakeNode()
    node.is_full = True
    assert node.ask(two_resources(), 1) is None
    assert {one.error_code for one in node.answer().responses} == {ErrorCode.THROTTLING_QUOTA_EXCEEDED}


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
    """A value that is set is told as a default, or a default is left out."""
    [result] = described((16, "sub"))
    assert entries(result) == {"interval.ms": ("1000", 7), "match": ("", 5), "metrics": ("", 5)}
    assert {one.name: one.config_type for one in result.configs} == {"interval.ms": 3, "match": 7, "metrics": 7}


def test_a_topic_lists_its_overrides_over_the_defaults():
    """A topic's own value is not told, or not as its own."""
    [result] = described((2, "orders"), keys=["retention.ms", "cleanup.policy"])
    assert entries(result) == {"cleanup.policy": ("delete", 5), "retention.ms": ("5", 1)}


def test_a_group_lists_a_key_that_is_not_known_any_more():
    """A key of an older release cannot be found, and so not be deleted."""
    [result] = described((32, "group"))
    assert entries(result)["key.of.yesterday"] == ("x", 8)


def test_brokers_list_the_cluster_s_values_and_this_node_its_own_over_them():
    """A node's value does not hide the cluster's, a secret is shown, or another node's are told here."""
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
def test_synonyms_tell_every_place_of_a_value(version):
    """What stands behind a value is left out, in another order, or told where nobody asked."""
    [own] = described((4, "1"), synonyms=True, version=version)
    threads = own.configs[0]
    assert [(one.name, one.value, one.source) for one in threads.synonyms] == [
        ("log.cleaner.threads", "2", 2),
        ("log.cleaner.threads", "3", 3),
    ]
    [without] = described((4, "1"), version=version)
    assert without.configs[0].synonyms == []


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
    """An answer grows beyond its limit; the resources beyond it are refused, those before it told."""
    monkeypatch.setattr(describing, "ANSWER_BYTES_MAX", 100)
    first, second = described((16, "sub"), (2, "orders"))
    assert entries(first)
    assert (second.error_code, second.configs) == (ErrorCode.POLICY_VIOLATION, [])


# AlterConfigs, which replaces.


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_replacement_reaches_the_controller_and_is_answered_row_by_row(version):
    """Every version says which configs each resource shall have; refused rows have their reason, the others none."""
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
    told = [(each.error_code, each.error_message, each.resource_name) for each in node.answer().responses]
    assert told == [(40, "no such key", "one"), (0, None, "two")]


def test_a_replacement_that_is_not_taken_is_refused_row_by_row():
    """A controller that is not active, or full, says so for each resource."""
    row = rpc.AlterConfigsRequestAlterConfigsResource
    asked = rpc.AlterConfigsRequest([row(METRICS, "one", []), row(METRICS, "two", [])])
    node = FakeNode()
    node.is_full = True
    full = node.ask(asked, 2)
    assert [each.error_code for each in full.responses] == [ErrorCode.THROTTLING_QUOTA_EXCEEDED] * 2
