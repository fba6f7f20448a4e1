"""How values are read and shown; what Kafka 4.3 shows was seen at its controller.

``tests/interop/test_config_texts.py`` asks it again.
"""

from __future__ import annotations

import pytest

from kraftpy.config_keys.types import ConfigKey, ConfigType
from kraftpy.controller.config_schema import KEYS
from kraftpy.model.resource_types import ResourceType

ODD_TEXTS = (
    (ResourceType.TOPIC, "retention.ms", " 1000 ", "1000"),
    (ResourceType.TOPIC, "retention.ms", "+5", "5"),
    (ResourceType.TOPIC, "retention.ms", "0010", "10"),
    (ResourceType.TOPIC, "unclean.leader.election.enable", " TRUE ", "true"),
    (ResourceType.TOPIC, "unclean.leader.election.enable", "False", "false"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "0.50", "0.5"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", ".5", "0.5"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "1", "1.0"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "0", "0.0"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "1e-7", "1.0E-7"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "0.00012", "1.2E-4"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "0.001", "0.001"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "0.5f", "0.5"),
    (ResourceType.TOPIC, "min.cleanable.dirty.ratio", "1D", "1.0"),
    (ResourceType.TOPIC, "cleanup.policy", " delete", "delete"),
    (ResourceType.TOPIC, "cleanup.policy", "compact , delete", "compact,delete"),
    (ResourceType.TOPIC, "cleanup.policy", "compact,delete,compact", "compact,delete"),
    (ResourceType.TOPIC, "cleanup.policy", " ", ""),
    (ResourceType.TOPIC, "compression.type", " zstd ", "zstd"),
    (ResourceType.TOPIC, "leader.replication.throttled.replicas", " * ", "*"),
    (ResourceType.TOPIC, "leader.replication.throttled.replicas", "0:11, 1:12", "0:11,1:12"),
    (ResourceType.TOPIC, "leader.replication.throttled.replicas", "0:11,0:11", "0:11,0:11"),
    (ResourceType.CLIENT_METRICS, "interval.ms", " 1000 ", "1000"),
    (ResourceType.CLIENT_METRICS, "metrics", "a , b", "a,b"),
    (ResourceType.CLIENT_METRICS, "metrics", "a,a", "a"),
    (ResourceType.CLIENT_METRICS, "match", " client_id=a.* ", "client_id=a.*"),
    (ResourceType.GROUP, "consumer.session.timeout.ms", " 50000 ", "50000"),
    (ResourceType.GROUP, "share.auto.offset.reset", " earliest ", "earliest"),
    (ResourceType.GROUP, "share.renew.acknowledge.enable", " TRUE", "true"),
)
"""A kind of resource, a key, a text that may be set, and how it is described."""


@pytest.mark.parametrize(("kind", "key", "text", "described"), ODD_TEXTS)
def test_a_value_is_shown_as_it_was_read(kind, key, text, described):
    known = KEYS[kind][key]
    known.check(text)
    assert known.shown(text) == described
    assert known.shown(described) == described


@pytest.mark.parametrize("text", ["", "x", "5dd", "0x10", "1_0", "nan", "d", "1 f", "1\tD"])
def test_what_is_no_number_is_refused_and_shown_as_it_is(text):
    """A log may hold it."""
    key = ConfigKey("k", ConfigType.DOUBLE, None)
    with pytest.raises(ValueError, match="Not a number of type DOUBLE"):
        key.check(text)
    assert key.shown(text) == text


@pytest.mark.parametrize(
    ("value", "described"),
    [
        ("1e7", "1.0E7"),
        ("9999999", "9999999.0"),
        ("-12345678.5", "-1.23456785E7"),
        ("1e400", "Infinity"),
        ("-0.0", "-0.0"),
    ],
)
def test_large_numbers_are_shown_as_java_shows_them(value, described):
    assert ConfigKey("k", ConfigType.DOUBLE, None).shown(value) == described
