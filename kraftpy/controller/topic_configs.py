"""The configs that hold for a topic: its own, else those that its brokers have for it, else the default.

Source: Kafka ``ServerTopicConfigSynonyms``, ``KafkaConfigSchema.resolveEffectiveTopicConfigs``; KIP-525.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, NamedTuple

from kraftpy.controller.config_schema import INTERNAL_TOPIC_KEYS, KEYS
from kraftpy.controller.topic_requests import ConfigLayers
from kraftpy.model.resource_types import ResourceType

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS

NO_LIMIT: Final = -1

_SAME_NAME: Final = (
    "compression.gzip.level",
    "compression.lz4.level",
    "compression.type",
    "compression.zstd.level",
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
    "min.insync.replicas",
    "unclean.leader.election.enable",
)

_BROKER_KEYS: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    **{name: ((name, 1),) for name in _SAME_NAME},
    "cleanup.policy": (("log.cleanup.policy", 1),),
    "delete.retention.ms": (("log.cleaner.delete.retention.ms", 1),),
    "file.delete.delay.ms": (("log.segment.delete.delay.ms", 1),),
    "flush.messages": (("log.flush.interval.messages", 1),),
    "flush.ms": (("log.flush.interval.ms", 1), ("log.flush.scheduler.interval.ms", 1)),
    "index.interval.bytes": (("log.index.interval.bytes", 1),),
    "local.retention.bytes": (("log.local.retention.bytes", 1),),
    "local.retention.ms": (("log.local.retention.ms", 1),),
    "max.compaction.lag.ms": (("log.cleaner.max.compaction.lag.ms", 1),),
    "max.message.bytes": (("message.max.bytes", 1),),
    "message.timestamp.after.max.ms": (("log.message.timestamp.after.max.ms", 1),),
    "message.timestamp.before.max.ms": (("log.message.timestamp.before.max.ms", 1),),
    "message.timestamp.type": (("log.message.timestamp.type", 1),),
    "min.cleanable.dirty.ratio": (("log.cleaner.min.cleanable.ratio", 1),),
    "min.compaction.lag.ms": (("log.cleaner.min.compaction.lag.ms", 1),),
    "preallocate": (("log.preallocate", 1),),
    "retention.bytes": (("log.retention.bytes", 1),),
    "retention.ms": (
        ("log.retention.ms", 1),
        ("log.retention.minutes", MINUTE_MS),
        ("log.retention.hours", HOUR_MS),
    ),
    "segment.bytes": (("log.segment.bytes", 1),),
    "segment.index.bytes": (("log.index.size.max.bytes", 1),),
    "segment.jitter.ms": (("log.roll.jitter.ms", 1), ("log.roll.jitter.hours", HOUR_MS)),
    "segment.ms": (("log.roll.ms", 1), ("log.roll.hours", HOUR_MS)),
}
"""A topic's key to the brokers' keys that it takes its value from, the first that is set; with how many of the topic's
units one of the broker's is."""


_UNKNOWN_TO_BROKERS: Final = frozenset(
    {"follower.replication.throttled.replicas", "leader.replication.throttled.replicas"}
)
"""Keys that Kafka's brokers do not have in their own configuration."""

TOPIC_BROKER_KEYS: Final = frozenset(key for keys in _BROKER_KEYS.values() for key, _ in keys) - _UNKNOWN_TO_BROKERS
"""The brokers' keys that topics take values from."""


def broker_keys_of(name: str) -> tuple[str, ...]:
    """Return the brokers' keys that are described as the synonyms of a topic's key, the first that counts first."""
    return () if name in _UNKNOWN_TO_BROKERS else tuple(key for key, _ in _BROKER_KEYS.get(name, ()))


class EffectiveSource(enum.IntEnum):
    """Where a value comes from. Source: Kafka ``DescribeConfigsResponse.ConfigSource``."""

    TOPIC = 1
    NODE = 2
    CLUSTER = 3
    STATIC = 4
    DEFAULT = 5


class EffectiveConfig(NamedTuple):
    """One key of a topic."""

    name: str
    value: str | None
    source: EffectiveSource


def effective_configs(overrides: Mapping[str, str], layers: ConfigLayers) -> list[EffectiveConfig]:
    """Return every key that a topic has, ascending by name; the internal ones only where it overrides them.

    Args:
        overrides: of the topic.
        layers: what holds for the keys that are not overridden.
    """
    return [
        effective_value(name, overrides, layers)
        for name in sorted(KEYS[ResourceType.TOPIC])
        if name not in INTERNAL_TOPIC_KEYS or name in overrides
    ]


def effective_value(name: str, overrides: Mapping[str, str], layers: ConfigLayers) -> EffectiveConfig:
    """Return one key of :func:`effective_configs`."""
    if name in overrides:
        return EffectiveConfig(name, overrides[name], EffectiveSource.TOPIC)
    for values, source in (
        (layers.node, EffectiveSource.NODE),
        (layers.cluster, EffectiveSource.CLUSTER),
        (layers.static, EffectiveSource.STATIC),
    ):
        for key, factor in _BROKER_KEYS.get(name, ()):
            value = _scaled(values[key], factor) if key in values else None
            if value is not None:
                return EffectiveConfig(name, value, source)
    return EffectiveConfig(name, KEYS[ResourceType.TOPIC][name].default, EffectiveSource.DEFAULT)


def _scaled(value: str, factor: int) -> str | None:
    """Turn a broker's value into the topic's unit; -1, which means no limit, stays.

    Returns:
        ``None`` for a text that is no number: a log of Kafka may hold one, because brokers judge their own values.
    """
    if factor == 1:
        return value
    try:
        number = int(value)
    except ValueError:
        return None
    return str(number if number == NO_LIMIT else number * factor)
