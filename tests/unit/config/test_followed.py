"""Which of several values of a key a node acts on: as in Kafka the nearest one, if the node can use it."""

from __future__ import annotations

import pytest

from kraftpy.config_keys.connection_overrides import parse_overrides
from kraftpy.config_keys.followed import (
    FOLLOWED,
    NOT_ZERO,
    RELOADED,
    for_all_listeners,
    in_force,
    places,
    unusable,
    usable,
)
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.node_key import ActsOn
from kraftpy.model.config_sources import ConfigSource

OWN, FOR_ALL = ConfigSource.DYNAMIC_BROKER_CONFIG, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG
KEY = "max.connections"


@pytest.mark.parametrize(
    ("own", "for_all", "expected"),
    [
        ({KEY: "5"}, {KEY: "7"}, (OWN, "5", 5)),
        ({}, {KEY: " 7 "}, (FOR_ALL, " 7 ", 7)),
        ({"log.level": "debug"}, {}, None),
        ({KEY: "x"}, {KEY: "7"}, (FOR_ALL, "7", 7)),
        ({KEY: "-1"}, {KEY: "0"}, None),
        ({KEY: "9" * 10_000}, {}, None),
    ],
)
def test_the_nearest_usable_value_is_in_force(own, for_all, expected):
    assert in_force(KEY, places(own, for_all)) == expected


@pytest.mark.parametrize(
    ("key", "text"),
    [
        *((key, "0") for key in sorted(NOT_ZERO)),
        ("max.connections", "1.5"),
        ("max.connections", ""),
        ("max.connection.creation.rate", "2147483648"),
        ("max.connections.per.ip.overrides", "a.host:5"),
        ("max.connections.per.ip.overrides", "10.0.0.1"),
        ("max.connections.per.ip.overrides", "10.0.0.1:5,,10.0.0.2:\u0665"),
        ("log.level", "DEBUG"),
    ],
)
def test_what_a_node_cannot_use_is_named_with_its_key(key, text):
    """A value by which no client could connect again is one of these, although Kafka's controllers take it."""
    with pytest.raises(ValueError, match=r"\S"):
        usable(key, text)
    (found,) = unusable(places({key: text}, {}))
    assert (found.key, found.source) == (key, OWN)


def test_values_of_other_keys_are_nothing_to_a_node():
    """A broker of Kafka may use them, or nothing does; no fault of theirs is reported."""
    assert list(unusable(places({"num.io.threads": "x", "no.such.key": ""}, {"metadata.max.retention.ms": "x"}))) == []


def test_a_key_of_one_listener_has_the_rules_of_the_one_for_all():
    """Whatever dots the listener's name has; another key of a listener is not followed."""
    assert usable("listener.name.a.b.max.connections", "5") == 5
    with pytest.raises(ValueError, match=r"listener.name.a.max.connections=0 would let no client connect"):
        usable("listener.name.a.max.connections", "0")
    for key in ("listener.name.a.ssl.keystore.location", "listener.name.a.max.connections.per.ip", KEY):
        assert for_all_listeners(key) == key


def test_addresses_have_limits_of_their_own():
    assert parse_overrides(str(usable("max.connections.per.ip.overrides", "10.0.0.1:0,[::1]:3"))) == {
        "10.0.0.1": 0,
        "::1": 3,
    }


def test_the_table_is_true():
    """A followed key can be set in the log, and is read from the file, too; what no role acts on is not reloaded."""
    assert FOLLOWED < RELOADED
    assert all(NODE_KEYS[key].is_dynamic for key in FOLLOWED)
    assert all(NODE_KEYS[key].acts is not ActsOn.NONE for key in RELOADED)
