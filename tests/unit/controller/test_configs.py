"""Changing configs. Sources: KIP-339, controller reference §15."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kraftpy.config_keys.group_keys import GROUP_NUMBERS
from kraftpy.controller.client_match import (
    PATTERN_CHARACTERS_MAX,
    PATTERN_GROUPS_MAX,
    REQUEST_CHARACTERS_MAX,
    pattern_fault,
)
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    ReplaceConfigs,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, RegisterControllerRecord
from tests.unit.controller.worlds import UNSTABLE, World, set_configs, topic_records

TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
SET, DELETE, APPEND, SUBTRACT = AlterOp


def with_topic(**options):
    return World(**options, records=topic_records(([1], [1], 1)))


def outcome(world, request):
    records, response = world.do(request)
    (result,) = response.results
    return records, result


def test_a_broker_default_is_set():
    """A key of the cluster-wide default is set with one record."""
    world = World()
    records, result = outcome(world, set_configs(BROKER, "", ("k", "v")))
    assert records == [ConfigRecord(4, "", "k", "v")]
    assert result.error is ErrorCode.NONE
    assert dict(world.controller.image.configs.broker(None)) == {"k": "v"}


def test_broker_records_are_written_even_if_nothing_changes():
    """A BROKER record is always written, because it forces a reload; a TOPIC record only on a change (§15)."""
    world = with_topic()
    for _ in range(2):
        assert len(outcome(world, set_configs(BROKER, "", ("k", "v")))[0]) == 1
    assert len(outcome(world, set_configs(TOPIC, "orders", ("retention.ms", "5")))[0]) == 1
    assert outcome(world, set_configs(TOPIC, "orders", ("retention.ms", "5")))[0] == []


def test_delete_writes_a_null():
    """DELETE writes a null value; deleting an absent topic key writes nothing."""
    world = with_topic()
    outcome(world, set_configs(TOPIC, "orders", ("retention.ms", "5")))
    delete = set_configs(TOPIC, "orders", ("retention.ms", DELETE, None))
    assert outcome(world, delete)[0] == [ConfigRecord(2, "orders", "retention.ms", None)]
    assert outcome(world, delete)[0] == []


def test_a_failing_resource_leaves_the_others_alone():
    """Each resource has its own result; the survivors are one atomic batch (§15)."""
    bad, good = ConfigResource(BROKER, "x"), ConfigResource(BROKER, "")
    key = (ConfigAlteration("k", SET, "v"),)
    result = World().controller.decide(0, IncrementalAlterConfigs(resources=((bad, key), (good, key))))
    assert [one.error for one in result.response.results] == [ErrorCode.INVALID_REQUEST, ErrorCode.NONE]
    assert len(result.records) == 1
    assert result.atomic


def test_an_unknown_client_metric_is_refused_before_a_wrong_value():
    """Whatever the order in the request."""
    _, result = outcome(World(), set_configs(METRICS, "m", ("metrics", "a,,b"), ("no.such.key", "1")))
    assert result.error is ErrorCode.INVALID_REQUEST
    assert result.message == "Unknown client metrics configuration: no.such.key"


def test_a_resource_named_twice_is_refused_both_times():
    """A resource that occurs twice in a request is rejected (§8)."""
    one, key = ConfigResource(BROKER, ""), (ConfigAlteration("k", SET, "v"),)
    result = World().controller.decide(0, IncrementalAlterConfigs(resources=((one, key), (one, key))))
    assert {each.error for each in result.response.results} == {ErrorCode.INVALID_REQUEST}
    assert result.records == ()


@pytest.mark.parametrize(
    ("value", "op", "given", "after"),
    [
        (None, APPEND, "compact", "delete,compact"),
        ("compact", APPEND, "compact,delete", "compact,delete"),
        ("compact,delete", SUBTRACT, "delete", "compact"),
        (None, SUBTRACT, "delete", ""),
        ("compact", APPEND, "delete,,", "compact,delete"),
        ("compact", APPEND, ",", "compact"),
        ("compact,delete", SUBTRACT, ",,delete", "compact"),
        # Blanks belong to an element here, and not where the list is read.
        ("compact", APPEND, " compact", "compact, compact"),
        ("compact,delete", SUBTRACT, " delete", "compact,delete"),
        ("compact,delete,compact", SUBTRACT, "compact", "delete,compact"),
        ("delete", APPEND, "compact,compact", "delete,compact"),
    ],
)
def test_lists_are_appended_to_and_subtracted_from(value, op, given, after):
    """APPEND and SUBTRACT start from the value or the default, and split as Kafka does (§15)."""
    world = with_topic()
    if value is not None:
        outcome(world, set_configs(TOPIC, "orders", ("cleanup.policy", value)))
    outcome(world, set_configs(TOPIC, "orders", ("cleanup.policy", op, given)))
    assert world.controller.image.configs.topic("orders").get("cleanup.policy", "delete") == after


@pytest.mark.parametrize(
    ("kind", "name", "alteration", "code", "text"),
    [
        (BROKER, "", ("k", APPEND, "v"), ErrorCode.INVALID_CONFIG, "APPEND to key k because its type is not LIST"),
        (BROKER, "", ("k", SET, None), ErrorCode.INVALID_REQUEST, "Null value not supported"),
        (BROKER, "", ("k", 9, "v"), ErrorCode.INVALID_REQUEST, "Unknown operation 9"),
        (BROKER, "", ("", SET, "v"), ErrorCode.INVALID_CONFIG, "is empty"),
        (BROKER, "", ("k", SET, "v" * 32_768), ErrorCode.INVALID_CONFIG, "32768 bytes; a record holds at most 32767"),
        (BROKER, "", ("k", SET, "ä" * 16_384), ErrorCode.INVALID_CONFIG, "32768 bytes"),
        (BROKER, "", ("k", SET, "\ud800"), ErrorCode.INVALID_CONFIG, "surrogate"),
        (BROKER, "one", ("k", SET, "v"), ErrorCode.INVALID_REQUEST, "base 10"),
        (BROKER, "-1", ("k", SET, "v"), ErrorCode.INVALID_REQUEST, "base 10"),
        (BROKER, "9999999999", ("k", SET, "v"), ErrorCode.INVALID_REQUEST, "larger than"),
        (BROKER, "7", ("k", SET, "v"), ErrorCode.BROKER_ID_NOT_REGISTERED, "No node with id 7"),
        (TOPIC, "", ("retention.ms", SET, "1"), ErrorCode.INVALID_REQUEST, "Default topic resources"),
        (TOPIC, "a/b", ("retention.ms", SET, "1"), ErrorCode.INVALID_TOPIC_EXCEPTION, "a/b"),
        (TOPIC, "a" * 250, ("retention.ms", SET, "1"), ErrorCode.INVALID_TOPIC_EXCEPTION, "max allowed length 249"),
        (TOPIC, "..", ("retention.ms", SET, "1"), ErrorCode.INVALID_TOPIC_EXCEPTION, "not allowed"),
        (TOPIC, "absent", ("retention.ms", SET, "1"), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "absent"),
        (TOPIC, "absent", ("retention.ms", SET, "x"), ErrorCode.INVALID_CONFIG, "Not a number of type LONG"),
        (TOPIC, "orders", ("no.such.key", SET, "1"), ErrorCode.INVALID_CONFIG, "Unknown topic config name"),
        (TOPIC, "orders", ("min.insync.replicas", SET, "0"), ErrorCode.INVALID_CONFIG, "at least 1"),
        (TOPIC, "orders", ("retention.ms", SET, "-2"), ErrorCode.INVALID_CONFIG, "at least -1"),
        (TOPIC, "orders", ("segment.bytes", SET, "1048575"), ErrorCode.INVALID_CONFIG, "at least 1048576"),
        (TOPIC, "orders", ("cleanup.policy", SET, "shred"), ErrorCode.INVALID_CONFIG, "compact, delete"),
        (TOPIC, "orders", ("cleanup.policy", SET, "compact,shred"), ErrorCode.INVALID_CONFIG,
         "Invalid value shred for configuration cleanup.policy"),
        (TOPIC, "orders", ("cleanup.policy", SET, "compact, "), ErrorCode.INVALID_CONFIG,
         "Configuration 'cleanup.policy' values must not be empty."),
        (TOPIC, "orders", ("cleanup.policy", APPEND, ""), ErrorCode.INVALID_CONFIG, "values must not be empty"),
        (TOPIC, "orders", ("cleanup.policy", APPEND, ",,compact"), ErrorCode.INVALID_CONFIG, "must not be empty"),
        (TOPIC, "absent", ("cleanup.policy", SET, ","), ErrorCode.INVALID_CONFIG, "values must not be empty"),
        (METRICS, "m", ("metrics", SET, "a,,b"), ErrorCode.INVALID_CONFIG, "'metrics' values must not be empty"),
        (METRICS, "m", ("match", SET, "client_id=a,"), ErrorCode.INVALID_CONFIG, "'match' values must not be empty"),
        (TOPIC, "orders", ("min.compaction.lag.ms", SET, str(2**63)), ErrorCode.INVALID_CONFIG, "type LONG"),
        (TOPIC, "orders", ("preallocate", SET, "yes"), ErrorCode.INVALID_CONFIG, "true or false"),
        (TOPIC, "orders", ("min.cleanable.dirty.ratio", SET, "1.5"), ErrorCode.INVALID_CONFIG, "no more than 1"),
        (TOPIC, "orders", ("min.cleanable.dirty.ratio", SET, "nan"), ErrorCode.INVALID_CONFIG, "DOUBLE"),
        # A broker of Kafka takes no blank of Unicode away before it reads a value.
        (TOPIC, "orders", ("min.cleanable.dirty.ratio", SET, "0.5\u00a0"), ErrorCode.INVALID_CONFIG, "DOUBLE"),
        (TOPIC, "orders", ("retention.ms", SET, "1000\u00a0"), ErrorCode.INVALID_CONFIG, "type LONG"),
        (TOPIC, "orders", ("preallocate", SET, "true\u2003"), ErrorCode.INVALID_CONFIG, "true or false"),
        (TOPIC, "orders", ("cleanup.policy", SET, "compact,\u3000delete"), ErrorCode.INVALID_CONFIG, "compact, delete"),
        (TOPIC, "orders", ("leader.replication.throttled.replicas", SET, "1-2"), ErrorCode.INVALID_CONFIG, "0:1"),
        (GROUP, "", ("consumer.session.timeout.ms", SET, "1"), ErrorCode.INVALID_REQUEST, "Default group"),
        (GROUP, "g", ("consumer.session.timeout.ms", SET, "0"), ErrorCode.INVALID_CONFIG, "at least 1"),
        (GROUP, "g", ("consumer.session.timeout.ms", SET, "44999"), ErrorCode.INVALID_CONFIG, "consumer.min.session"),
        (GROUP, "g", ("streams.num.standby.replicas", SET, "3"), ErrorCode.INVALID_CONFIG, "streams.max.standby"),
        (GROUP, "g", ("share.auto.offset.reset", SET, "none"), ErrorCode.INVALID_CONFIG, "must be either 'earliest'"),
        (GROUP, "g", ("share.renew.acknowledge.enable", SET, "1"), ErrorCode.INVALID_CONFIG, "either true or false"),
        (METRICS, "m", ("interval.ms", SET, "99"), ErrorCode.INVALID_REQUEST, "99 for interval.ms, interval must be"),
        (METRICS, "m", ("interval.ms", SET, "x"), ErrorCode.INVALID_CONFIG, "Not a number of type INT"),
        (METRICS, "m", ("no.such.key", SET, "x"), ErrorCode.INVALID_REQUEST, "Unknown client metrics configuration"),
        (METRICS, "m", ("metrics", APPEND, "x"), ErrorCode.INVALID_CONFIG, "because its type is not LIST"),
        (METRICS, "", ("interval.ms", SET, "100"), ErrorCode.INVALID_REQUEST, "Subscription name can't be empty"),
        (METRICS, "ä" * 16_384, ("interval.ms", SET, "100"), ErrorCode.INVALID_REQUEST, "32768 bytes"),
        (METRICS, "m", ("match", SET, "no-pattern"), ErrorCode.INVALID_CONFIG, "pattern: no-pattern"),
        (METRICS, "m", ("match", SET, "client_id=a,client_height=b"), ErrorCode.INVALID_CONFIG, "client_height=b"),
        (METRICS, "m", ("match", SET, "client_id=("), ErrorCode.INVALID_CONFIG, "pattern"),
        (METRICS, "m", ("match", SET, "client_id=x{4294967296}"), ErrorCode.INVALID_CONFIG, "repetition number is too"),
        (METRICS, "m", ("match", SET, "client_id=x{" + "9" * 1_000 + "}"), ErrorCode.INVALID_CONFIG, "repetition"),
        (METRICS, "m", ("match", SET, "client_id=" + "(" * 3_000), ErrorCode.INVALID_CONFIG, "3000 characters, at"),
        (METRICS, "m", ("match", SET, "client_id=" + "(" * 65 + ")" * 65), ErrorCode.INVALID_CONFIG, "65 parentheses"),
        (METRICS, "m", ("match", SET, "client_id=[a"), ErrorCode.INVALID_CONFIG, "unterminated"),
        (METRICS, "m", ("match", SET, "client_id=(?(9)a|b)"), ErrorCode.INVALID_CONFIG, "group reference"),
        (BROKER, "", ("log.retention.ms", SET, "abc"), ErrorCode.INVALID_CONFIG,
         "Invalid value abc for configuration log.retention.ms: Not a number of type LONG"),
        (BROKER, "", ("log.retention.hours", SET, "0"), ErrorCode.INVALID_CONFIG, "unlimited (-1) or at least 1"),
        (BROKER, "", ("log.segment.bytes", SET, "14"), ErrorCode.INVALID_CONFIG, "at least 1048576"),
        (BROKER, "", ("log.cleanup.policy", APPEND, "shred"), ErrorCode.INVALID_CONFIG, "compact, delete"),
        (BROKER, "", ("min.insync.replicas", SET, "0"), ErrorCode.INVALID_CONFIG, "at least 1"),
        (BROKER, "", ("unclean.leader.election.enable", SET, "ja"), ErrorCode.INVALID_CONFIG, "true or false"),
        (BROKER, "", ("listener.name.in.max.connections", SET, "-1"), ErrorCode.INVALID_CONFIG, "at least 0"),
        (BROKER, "", ("num.io.threads", SET, str(2**31)), ErrorCode.INVALID_CONFIG, "type INT"),
        (BROKER, "", ("log.level", SET, "loud"), ErrorCode.INVALID_CONFIG, "debug, info, warning, error"),
        (BROKER, "", ("max.connections.per.ip.overrides", SET, "a:1,b"), ErrorCode.INVALID_CONFIG, "'b' is not"),
        (BROKER, "", ("max.connections.per.ip.overrides", SET, "a:-1"), ErrorCode.INVALID_CONFIG, "is not address"),
        (BROKER, "", ("max.connections.per.ip.overrides", APPEND, "a:1"), ErrorCode.INVALID_CONFIG, "is not LIST"),
        (8, "1", ("k", SET, "v"), ErrorCode.UNSUPPORTED_VERSION, "Unknown resource type 8"),
    ],
)  # fmt: skip
def test_refusals(kind, name, alteration, code, text):
    """Each rule of §15 answers with its code and says what is wrong."""
    records, result = outcome(with_topic(), set_configs(kind, name, alteration))
    assert (result.error, records) == (code, [])
    assert text in result.message


def test_a_group_is_judged_by_the_bounds_of_the_file_and_by_what_it_has():
    """A key alone is judged with what the group was given before."""
    numbers = {**GROUP_NUMBERS, "group.consumer.max.heartbeat.interval.ms": 60_000}
    world = World(config=replace(UNSTABLE, group_numbers=numbers))
    session, heartbeat = "consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"
    assert outcome(world, set_configs(GROUP, "g", (session, "60000")))[1].error is ErrorCode.NONE
    assert outcome(world, set_configs(GROUP, "g", (heartbeat, "59999")))[1].error is ErrorCode.NONE
    records, result = outcome(world, set_configs(GROUP, "g", (session, "59999")))
    assert (records, result.error) == ([], ErrorCode.INVALID_CONFIG)
    assert f"{session} must be greater than {heartbeat}" in result.message


@pytest.mark.parametrize(
    ("alterations", "code"),
    [
        ((("match", "no-pattern"), ("interval.ms", "99")), ErrorCode.INVALID_REQUEST),
        ((("match", "no-pattern"), ("interval.ms", "x")), ErrorCode.INVALID_CONFIG),
        ((("interval.ms", "99"), ("metrics", "a,,b")), ErrorCode.INVALID_CONFIG),
    ],
)
def test_client_metrics_are_judged_in_the_order_of_kafka(alterations, code):
    """Types of all keys, then the interval, then the patterns, whatever the order in the request."""
    for ordered in (alterations, alterations[::-1]):
        records, result = outcome(World(), set_configs(METRICS, "m", *ordered))
        assert (result.error, records) == (code, [])
        assert "pattern" not in result.message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("log.retention.ms", "-1"), ("log.retention.ms", " 5 "), ("log.cleanup.policy", "compact,delete"),
        ("log.cleaner.min.cleanable.ratio", "0.25"), ("listener.name.in.max.connections", "5"),
        ("listener.name.in", "x"), ("some.plugin.s.key", "any text"), ("ssl.cipher.suites", "a,b"),
        ("max.connections.per.ip.overrides", "host.example:5, [::1]:0"), ("max.connections.per.ip.overrides", ""),
    ],
)  # fmt: skip
def test_what_a_broker_may_be_sent_passes(key, value):
    """Right values of known keys, and any text of a key that only the broker knows."""
    records, result = outcome(World(), set_configs(BROKER, "", (key, value)))
    assert (result.error, records) == (ErrorCode.NONE, [ConfigRecord(BROKER, "", key, value)])


def test_a_wrong_value_in_an_old_log_is_replayed_and_can_be_put_right():
    """Records are never validated: a value that an older release accepted stays, hinders nothing and can be deleted."""
    world = World(records=[ConfigRecord(BROKER, "", "log.retention.ms", "abc")])
    assert world.controller.image.configs.broker(None)["log.retention.ms"] == "abc"
    assert outcome(world, set_configs(BROKER, "", ("k", "v")))[1].error is ErrorCode.NONE
    delete = set_configs(BROKER, "", ("log.retention.ms", DELETE, None))
    assert outcome(world, delete)[1].error is ErrorCode.NONE


@pytest.mark.parametrize(
    ("name", "alteration", "text"),
    [
        ("", ("min.insync.replicas", DELETE, None), "Cluster-level min.insync.replicas cannot be removed while ELR"),
        ("", ("min.insync.replicas", "2"), None),
        ("7", ("min.insync.replicas", "2"), "Broker-level min.insync.replicas cannot be altered while ELR is enabled"),
        ("7", ("min.insync.replicas", DELETE, None), "Broker-level min.insync.replicas cannot be altered"),
        ("", ("log.retention.ms", DELETE, None), None),
    ],
)
def test_min_insync_replicas_stays_while_eligible_leaders_are_kept(name, alteration, text):
    """KIP-966: who is an eligible leader was worked out by that number; without the feature it is a key as others."""
    setting = [ConfigRecord(BROKER, "", "min.insync.replicas", "1")]
    node = RegisterControllerRecord(controller_id=7)
    with_elr = World(records=[FeatureLevelRecord("eligible.leader.replicas.version", 1), node, *setting])
    without = World(records=[node, *setting])
    assert outcome(without, set_configs(BROKER, name, alteration))[1].error is ErrorCode.NONE
    records, result = outcome(with_elr, set_configs(BROKER, name, alteration))
    if text is None:
        assert result.error is ErrorCode.NONE
    else:
        assert (result.error, records) == (ErrorCode.INVALID_CONFIG, [])
        assert text in result.message


def test_a_new_min_insync_replicas_empties_the_elrs():
    """A ClearElrRecord follows it while eligible leaders are kept: one topic's, or all topics' (KIP-966)."""
    elr = FeatureLevelRecord("eligible.leader.replicas.version", 1)
    world = World(records=[elr, *topic_records(([1, 2, 3], [1], 1, {"eligible_leader_replicas": [2]}))])
    records, _ = outcome(world, set_configs(TOPIC, "orders", ("min.insync.replicas", "2"), ("segment.ms", "5000")))
    assert [type(record).__name__ for record in records] == ["ConfigRecord", "ConfigRecord", "ClearElrRecord"]
    assert records[2].topic_name == "orders"
    assert world.partition().elr == ()
    records, _ = outcome(world, set_configs(BROKER, "", ("min.insync.replicas", "2")))
    assert [getattr(record, "topic_name", None) for record in records] == [None, ""]
    without = World(records=topic_records(([1], [1], 1)))
    assert len(outcome(without, set_configs(TOPIC, "orders", ("min.insync.replicas", "2")))[0]) == 1


def test_a_replacement_does_not_remove_min_insync_replicas_by_leaving_it_out():
    """What a replacement does not name is removed by it, so it is refused as a removal is (KIP-966)."""
    elr = FeatureLevelRecord("eligible.leader.replicas.version", 1)
    world = World(records=[elr, ConfigRecord(BROKER, "", "min.insync.replicas", "1")])
    records, result = outcome(world, replacing(BROKER, "", ("k", "v")))
    assert (result.error, records) == (ErrorCode.INVALID_CONFIG, [])
    assert "cannot be removed" in result.message


def test_a_value_that_is_set_already_is_not_written_again():
    """A value that is set to what it is costs a record; or its neighbour's is left out."""
    world = World()
    both = IncrementalAlterConfigs((*_metrics("a", "1").resources, *_metrics("b", "2").resources))
    assert len(world.do(both)[0]) == 2
    both = IncrementalAlterConfigs((*_metrics("a", "1").resources, *_metrics("b", "3").resources))
    assert world.do(both)[0] == [ConfigRecord(METRICS, "b", "metrics", "3")]


def _metrics(name, value):
    return set_configs(METRICS, name, ("metrics", value))


@pytest.mark.parametrize("commits", [False, True])
def test_what_was_deleted_a_moment_ago_is_set_again(commits):
    """A deleted value is not mistaken for the present one, nor is the emptied resource."""
    world = World()
    world.do(_metrics("a", "1"))
    world.commit()
    world.do(set_configs(METRICS, "a", ("metrics", DELETE, None)))
    if commits:
        world.commit()
    assert outcome(world, _metrics("a", "1"))[0] == [ConfigRecord(METRICS, "a", "metrics", "1")]
    assert dict(world.controller.image.configs.of(METRICS, "a")) == {"metrics": "1"}


@pytest.mark.parametrize("first", ["metrics", "match"])
def test_a_second_key_joins_the_first(first):
    """A second key is added to a resource and does not replace the only value; the two stay distinguished."""
    world, values = World(), {"metrics": "1", "match": "client_id=x"}
    for key in sorted(values, key=lambda key: key != first):
        world.do(set_configs(METRICS, "a", (key, values[key])))
    assert dict(world.controller.image.configs.of(METRICS, "a")) == values
    assert outcome(world, _metrics("a", "2"))[0] == [ConfigRecord(METRICS, "a", "metrics", "2")]
    assert dict(world.controller.image.configs.of(METRICS, "a")) == {**values, "metrics": "2"}


def test_the_largest_value_fits():
    """A value of exactly 32,767 bytes is taken, encoded and replayed."""
    world = World()
    outcome(world, set_configs(BROKER, "", ("k", "v" * 32_767)))
    assert len(world.values[-1]) > 32_767


def test_a_duplicate_key_is_refused():
    """A key that occurs twice in one resource is rejected."""
    _, result = outcome(World(), set_configs(BROKER, "", ("k", "1"), ("k", "2")))
    assert "duplicate config keys" in result.message


@pytest.mark.parametrize(
    ("configs", "problem"),
    [
        ({"retention.ms": "100", "local.retention.ms": "101"},
         "configuration local.retention.ms: Value must not be more than retention.ms property value: 100"),
        ({"retention.bytes": "100", "local.retention.bytes": "-1"},
         "configuration local.retention.bytes: Value must not be -1 as retention.bytes value is set as 100."),
        ({"retention.ms": "7199999"}, "local.retention.ms: Value must not be more than retention.ms"),
        ({"remote.log.copy.disable": "true", "retention.ms": "7200001"}, "`local.retention.ms` and `retention"),
        ({"remote.log.copy.disable": "true", "retention.ms": "7200000", "local.retention.bytes": "5",
          "retention.bytes": "6"}, "`local.retention.bytes` and `retention.bytes` must"),
        ({"cleanup.policy": "delete,compact"}, "only supports topics with cleanup.policy=delete"),
        ({"cleanup.policy": ""}, None),
        ({"retention.ms": "7200000"}, None),
        ({"retention.ms": "-1", "local.retention.ms": "-1"}, None),
        ({"retention.bytes": "100", "local.retention.bytes": "-2"}, None),
        ({"remote.log.copy.disable": "true", "local.retention.ms": "-2", "retention.bytes": "6"}, None),
    ],
)  # fmt: skip
def test_a_topic_in_remote_storage_keeps_a_part_of_it_here(configs, problem):
    """What the topic does not say, the controller's file says; here two hours of local retention."""
    static = {"log.local.retention.ms": "7200000"}
    world = with_topic(config=replace(UNSTABLE, remote_storage_enable=True, static_topic_configs=static))
    alterations = [*{"remote.storage.enable": "true", **configs}.items()]
    _, result = outcome(world, set_configs(TOPIC, "orders", *alterations))
    if problem is None:
        assert (result.error, result.message) == (ErrorCode.NONE, "")
    else:
        assert result.error is ErrorCode.INVALID_CONFIG
        assert problem in result.message


def test_a_topic_is_not_judged_by_dynamic_configs_of_brokers():
    """Kafka's controllers judge by their files."""
    world = with_topic(config=replace(UNSTABLE, remote_storage_enable=True))
    assert outcome(world, set_configs(BROKER, "", ("log.cleanup.policy", "compact")))[1].error is ErrorCode.NONE
    assert outcome(world, set_configs(TOPIC, "orders", ("remote.storage.enable", "true")))[1].error is ErrorCode.NONE


@pytest.mark.parametrize(
    ("kind", "name", "kept", "set_now"),
    [
        (TOPIC, "orders", ("max.compaction.lag.ms", "abc"), ("retention.ms", "5")),
        (GROUP, "g", ("share.session.timeout.ms", "abc"), ("share.heartbeat.interval.ms", "6000")),
    ],
)
def test_a_wrong_value_of_an_old_log_is_named_when_another_is_set(kind, name, kept, set_now):
    """It may be deleted or replaced, as any other."""
    world = with_topic()
    world.append(ControllerResult((ConfigRecord(kind, name, *kept),), None))
    _, result = outcome(world, set_configs(kind, name, set_now))
    assert result.error is ErrorCode.INVALID_CONFIG
    assert f"Invalid value abc for configuration {kept[0]}" in result.message
    assert outcome(world, set_configs(kind, name, set_now, (kept[0], DELETE, None)))[1].error is ErrorCode.NONE


def test_keys_of_a_topic_must_go_together():
    """Compaction lags must be in order, and remote storage is not turned off by accident."""
    world = with_topic(config=replace(UNSTABLE, remote_storage_enable=True))
    both = set_configs(TOPIC, "orders", ("min.compaction.lag.ms", "5"), ("max.compaction.lag.ms", "4"))
    assert "conflict" in outcome(world, both)[1].message
    outcome(world, set_configs(TOPIC, "orders", ("remote.storage.enable", "true")))
    off = ("remote.storage.enable", "false")
    assert "remote.log.delete.on.disable=true" in outcome(world, set_configs(TOPIC, "orders", off))[1].message
    assert (
        "cleanup.policy=delete"
        in outcome(world, set_configs(TOPIC, "orders", ("cleanup.policy", "compact")))[1].message
    )
    allowed = set_configs(TOPIC, "orders", off, ("remote.log.delete.on.disable", "true"))
    assert outcome(world, allowed)[1].error is ErrorCode.NONE


def test_no_topic_has_tiered_storage_where_brokers_have_none():
    """A topic that no broker could serve is refused, as by Kafka's controller."""
    world = with_topic()
    _, result = outcome(world, set_configs(TOPIC, "orders", ("remote.storage.enable", "true")))
    assert result.error is ErrorCode.INVALID_CONFIG
    assert result.message.startswith("Tiered Storage functionality is disabled in the broker.")
    assert outcome(world, set_configs(TOPIC, "orders", ("remote.storage.enable", "false")))[1].error is ErrorCode.NONE


def test_a_key_of_an_older_release_can_be_deleted_and_is_in_nobodys_way():
    """Only altered keys are judged: an unknown key in the log can be deleted, and other keys altered."""
    old = ConfigRecord(TOPIC, "orders", "message.format.version", "2.8")
    world = World(records=[*topic_records(([1], [1], 1)), old])
    assert outcome(world, set_configs(TOPIC, "orders", ("retention.ms", "1")))[1].error is ErrorCode.NONE
    assert (
        outcome(world, set_configs(TOPIC, "orders", ("message.format.version", DELETE, None)))[1].error
        is ErrorCode.NONE
    )


def test_too_many_records_are_a_policy_violation():
    """Below the level of transactions one of more than 10,000 records is refused whole (§1.1); 10,000 are taken."""
    world = World(level=12)
    fits = set_configs(BROKER, "", *((f"k{i}", "v") for i in range(10_000)))
    assert len(world.controller.decide(0, fits).records) == 10_000
    with pytest.raises(ApiError) as caught:
        world.controller.decide(0, set_configs(BROKER, "", *((f"k{i}", "v") for i in range(10_001))))
    assert caught.value.code is ErrorCode.POLICY_VIOLATION
    assert "excessively large batch" in caught.value.message


def test_validate_only_judges_and_writes_nothing():
    """validate_only gives the same results and no record."""
    world = World()
    records, result = outcome(world, set_configs(BROKER, "", ("k", "v"), validate_only=True))
    assert (records, result.error) == ([], ErrorCode.NONE)
    _, result = outcome(world, set_configs(BROKER, "x", ("k", "v"), validate_only=True))
    assert result.error is ErrorCode.INVALID_REQUEST


# Replacing all of a resource's configs (Kafka's AlterConfigs).


def replacing(kind, name, *configs, validate_only=False):
    return ReplaceConfigs(resources=((ConfigResource(kind, name), configs),), validate_only=validate_only)


def test_a_replacement_sets_what_it_names_and_deletes_the_rest():
    """Keys that are not named go, in the order of their names; one that has its value already writes nothing (§15)."""
    world = with_topic()
    outcome(world, set_configs(TOPIC, "orders", ("retention.ms", "5"), ("segment.bytes", "1048576"), ("flush.ms", "7")))
    records, result = outcome(
        world, replacing(TOPIC, "orders", ("retention.ms", "6"), ("segment.ms", "100"), ("flush.ms", "7"))
    )
    assert result.error is ErrorCode.NONE
    assert records == [
        ConfigRecord(2, "orders", "retention.ms", "6"),
        ConfigRecord(2, "orders", "segment.ms", "100"),
        ConfigRecord(2, "orders", "segment.bytes", None),
    ]
    assert outcome(world, replacing(TOPIC, "orders"))[0] == [
        ConfigRecord(2, "orders", key, None) for key in ("flush.ms", "retention.ms", "segment.ms")
    ]


def test_a_replacement_of_a_brokers_configs_makes_it_reload_what_it_keeps():
    """For a BROKER every key that is named is written, because that forces a reload."""
    world = World()
    outcome(world, set_configs(BROKER, "", ("k", "v"), ("gone", "v")))
    records, _ = outcome(world, replacing(BROKER, "", ("k", "v")))
    assert records == [ConfigRecord(4, "", "k", "v"), ConfigRecord(4, "", "gone", None)]


@pytest.mark.parametrize(
    ("resource", "configs", "code"),
    [
        ((TOPIC, "nope"), (("retention.ms", "5"),), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ((TOPIC, "orders"), (("retention.ms", "x"),), ErrorCode.INVALID_CONFIG),
        ((METRICS, "m"), (("interval.ms", "1"),), ErrorCode.INVALID_REQUEST),
        ((TOPIC, "orders"), (("", "1"),), ErrorCode.INVALID_CONFIG),
        ((BROKER, ""), (("", "1"),), ErrorCode.INVALID_CONFIG),
        ((8, "1"), (), ErrorCode.UNSUPPORTED_VERSION),
    ],
)
def test_a_replacement_is_judged_as_alterations_are(resource, configs, code):
    """What could not be altered to is not replaced by, and nothing is deleted for it."""
    records, result = outcome(with_topic(), replacing(*resource, *configs))
    assert (records, result.error) == ([], code)


def test_a_replacement_by_nothing_deletes():
    """A key without a value is deleted, of a topic too; that of a broker also if it is not there."""
    world = with_topic()
    assert outcome(world, replacing(TOPIC, "orders", ("retention.ms", None)))[0] == []
    assert outcome(world, replacing(BROKER, "", ("k", None)))[0] == [ConfigRecord(4, "", "k", None)]
    outcome(world, set_configs(METRICS, "m", ("interval.ms", "1000"), ("metrics", "a")))
    records, result = outcome(world, replacing(METRICS, "m", ("interval.ms", None), ("metrics", "b")))
    assert result.error is ErrorCode.NONE
    assert records == [ConfigRecord(16, "m", "interval.ms", None), ConfigRecord(16, "m", "metrics", "b")]


def test_of_several_faults_the_first_defined_key_is_named():
    """Unknown names come first, then the keys in the order of Kafka's definition, whatever the request's."""
    faults = (("min.insync.replicas", "0"), ("cleanup.policy", "x"), ("retention.ms", "y"))
    _, result = outcome(with_topic(), replacing(TOPIC, "orders", *faults))
    assert result.message == "Invalid value y for configuration retention.ms: Not a number of type LONG"
    _, result = outcome(with_topic(), replacing(TOPIC, "orders", *faults[:2]))
    assert result.message.endswith("cleanup.policy: String must be one of: compact, delete")
    _, result = outcome(with_topic(), replacing(TOPIC, "orders", *faults, ("no.such.key", "1")))
    assert result.message == "Unknown topic config name: no.such.key"


def test_whether_a_replacement_would_work_can_be_asked():
    """``validate_only`` answers and writes nothing; of a key that is named twice the last value counts."""
    world = World()
    twice = (("interval.ms", "1000"), ("interval.ms", "2000"))
    assert outcome(world, replacing(METRICS, "m", *twice, validate_only=True))[0] == []
    assert outcome(world, replacing(METRICS, "m", *twice))[0] == [ConfigRecord(16, "m", "interval.ms", "2000")]


DEEPEST = "client_id=" + "(" * PATTERN_GROUPS_MAX + "a" + ")" * PATTERN_GROUPS_MAX


@pytest.mark.parametrize(
    "value",
    [
        DEEPEST,
        "client_id=" + "a" * PATTERN_CHARACTERS_MAX,
        "client_id=(?i)[a-\U0010ffff]" + "[a-\U0010ffff]" * 100,
        "client_source_port=90[0-9]{2},client_software_name=(?<=a|b)c.*",
        "client_id=[[a]]",
    ],
    ids=["nested", "long", "wide ranges", "two", "nested set"],
)
def test_expressions_that_clients_are_matched_with(value, monkeypatch):
    """What is within the limits is allowed; it is read, and never compiled, which takes seconds for some of them."""
    monkeypatch.setattr(re, "compile", None)
    monkeypatch.setattr(re._compiler, "compile", None)
    assert [pattern_fault(element) for element in value.split(",")] == [None] * (1 + value.count(","))


def test_expressions_of_one_request_are_bounded_together():
    """A request of 2 MiB would hold the controller for seconds, each of its expressions within its own limit."""
    value = "client_id=" + "()" * 32
    count = REQUEST_CHARACTERS_MAX // len(value)
    alteration = (ConfigAlteration("match", SET, value),)
    resources = tuple((ConfigResource(METRICS, f"m{place}"), alteration) for place in range(count + 2))
    _, response = World().do(IncrementalAlterConfigs(resources))
    codes = [result.error for result in response.results]
    assert codes == [ErrorCode.NONE] * count + [ErrorCode.POLICY_VIOLATION] * 2
    assert str(REQUEST_CHARACTERS_MAX) in response.results[-1].message


def test_a_refusal_fits_into_an_answer():
    """It repeats what was asked, up to a limit: Kafka's strings end at 32,767 bytes."""
    _, result = outcome(World(), set_configs(BROKER, "", ("log.retention.ms", "\U0010ffff" * 8_000)))
    assert result.error is ErrorCode.INVALID_CONFIG
    assert len(result.message.encode()) < 32_767
