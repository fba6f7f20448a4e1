"""Setting configs in bulk: the short way through the rules leads where the rules lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.controller.configs import alter_configs
from kraftpy.controller.requests import AlterOp, SetConfigs, SetConfigsResponse
from kraftpy.controller.set_configs import WrittenConfigs
from kraftpy.model.errors import ErrorCode
from kraftpy.records.codec import STRING_BYTES_MAX
from kraftpy.records.metadata import ConfigRecord, encode_record
from tests.unit.controller.worlds import World, set_configs, topic_records

TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32

Row = tuple[str, str, str]


def plain(kind: int, *rows: Row, validate_only: bool = False) -> SetConfigs:
    names, keys, values = zip(*rows, strict=True)
    records = tuple(encode_record(ConfigRecord(kind, *row), 0) for row in rows)
    return SetConfigs(kind, names, keys, values, records, validate_only)


def world() -> World:
    return World(records=topic_records(([1], [1], 1)))


rows = st.tuples(
    st.sampled_from(("a", "b", "c", "orders", "1", "")),
    st.sampled_from(("metrics", "interval.ms", "match", "share.auto.offset.reset", "retention.ms", "k")),
    st.sampled_from(("1", "1000", "x", "", "é" * 3)),
)
requests = st.builds(
    lambda kind, rows, validate_only: plain(kind, *rows, validate_only=validate_only),
    st.sampled_from((METRICS, METRICS, METRICS, GROUP, TOPIC, BROKER, 99)),
    st.lists(rows, min_size=1, max_size=4),
    st.booleans(),
)


@given(st.lists(st.tuples(requests, st.sampled_from(("go on", "turn", "commit"))), max_size=12))
def test_a_plain_request_is_decided_as_the_same_one_in_general(steps) -> None:
    """Records, refusals, and what is read afterwards: of requests in one turn, in many, and committed ones."""
    short, long = world(), world()
    for request, then in steps:
        records, response = short.do(request)
        expected, judged = long.do(request.widened())
        assert records == expected
        if isinstance(response, SetConfigsResponse):
            assert not judged.refused
        else:
            assert response == judged
        assert short.values == long.values
        if then == "turn":
            short.controller.end_turn()
        elif then == "commit":
            short.commit()
            long.commit()
    assert short.controller.image.same_content(long.controller.image)


def test_what_no_rule_can_refuse_is_not_judged() -> None:
    """The short way is never taken, and nobody notices."""
    one = world()
    result = one.controller.decide(0, plain(METRICS, ("a", "metrics", "1"), ("b", "metrics", "2")))
    assert isinstance(result.records, WrittenConfigs)
    assert result.response == SetConfigsResponse()
    assert (result.records.key, result.records.after) == ("metrics", {"a": "1", "b": "2"})
    assert list(one.controller.encode(result)) == [
        encode_record(ConfigRecord(METRICS, name, "metrics", value), 0) for name, value in ("a1", "b2")
    ]


def test_what_stands_there_already_is_not_written_again() -> None:
    """A value that is set to what it is costs a record; or its neighbour's is left out."""
    one = world()
    one.do(plain(METRICS, ("a", "metrics", "1"), ("b", "metrics", "2")))
    records, _ = one.do(plain(METRICS, ("a", "metrics", "1"), ("b", "metrics", "3")))
    assert records == [ConfigRecord(METRICS, "b", "metrics", "3")]
    assert one.do(plain(METRICS, ("b", "metrics", "3"))) == ([], SetConfigsResponse())


@pytest.mark.parametrize("then", ["nothing", "turn", "commit"])
def test_what_was_deleted_a_moment_ago_is_set_again(then) -> None:
    """In the turn that deletes a value, the value before it is taken for what stands there; or the emptied one is."""
    one = world()
    one.do(plain(METRICS, ("a", "metrics", "1")))
    one.commit()
    one.do(set_configs(METRICS, "a", ("metrics", AlterOp.DELETE, None)))
    if then == "turn":
        one.controller.end_turn()
    elif then == "commit":
        one.commit()
    records, _ = one.do(plain(METRICS, ("a", "metrics", "1")))
    assert records == [ConfigRecord(METRICS, "a", "metrics", "1")]
    assert dict(one.controller.image.configs.of(METRICS, "a")) == {"metrics": "1"}


def test_another_key_alone_is_not_taken_for_this_one() -> None:
    """A resource whose only value is of another key loses it."""
    one = world()
    one.do(plain(METRICS, ("a", "match", "client_id=x")))
    one.do(plain(METRICS, ("a", "metrics", "1")))
    assert dict(one.controller.image.configs.of(METRICS, "a")) == {"metrics": "1", "match": "client_id=x"}


def test_a_second_key_joins_the_first() -> None:
    """A resource that has another key is replaced by the one that is set."""
    one = world()
    one.do(plain(METRICS, ("a", "metrics", "1")))
    one.do(plain(METRICS, ("a", "match", "client_id=x")))
    assert dict(one.controller.image.configs.of(METRICS, "a")) == {"metrics": "1", "match": "client_id=x"}
    records, _ = one.do(plain(METRICS, ("a", "metrics", "2")))
    assert records == [ConfigRecord(METRICS, "a", "metrics", "2")]
    assert dict(one.controller.image.configs.of(METRICS, "a")) == {"metrics": "2", "match": "client_id=x"}


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (plain(METRICS, ("a", "metrics", "1"), ("a", "metrics", "2")), ErrorCode.INVALID_REQUEST),
        (plain(METRICS, ("", "metrics", "1")), ErrorCode.INVALID_REQUEST),
        (plain(METRICS, ("a", "interval.ms", "x")), ErrorCode.INVALID_CONFIG),
        (plain(GROUP, ("a", "metrics", "1")), ErrorCode.INVALID_CONFIG),
        (plain(99, ("a", "metrics", "1")), ErrorCode.INVALID_REQUEST),
    ],
    ids=["twice", "no name", "a bad value", "another type's key", "no type"],
)
def test_the_rules_have_the_last_word(request_, error) -> None:
    """What a rule refuses goes the short way."""
    one = world()
    records, response = one.do(request_)
    assert not records
    assert {result.error for result in response.results} == {error}


def test_a_text_of_the_largest_size_is_judged_by_the_rules(monkeypatch) -> None:
    """The short way guesses about what may just fit."""
    asked = []
    monkeypatch.setattr(
        "kraftpy.controller.set_configs.alter_configs", lambda *args: asked.append(args) or alter_configs(*args)
    )
    one = world()
    records, _ = one.do(plain(METRICS, ("a", "metrics", "v" * STRING_BYTES_MAX)))
    assert len(records) == len(asked) == 1


def test_validate_only_writes_nothing() -> None:
    """A request that is only to be validated is written."""
    one = world()
    assert one.do(plain(METRICS, ("a", "metrics", "1"), validate_only=True)) == ([], SetConfigsResponse())
    assert not one.controller.image.configs.of(METRICS, "a")
