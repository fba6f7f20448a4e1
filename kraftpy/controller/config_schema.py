"""Which keys each kind of resource has.

The controller judges the values of topics, groups and client metrics, where an unknown key is refused. Of brokers it
judges the values of the keys whose types are the same on every broker; the others (listeners, plugins, what a newer
Kafka has) are the receiving broker's to judge, which alone knows them. Kafka leaves all of them to the broker, because
there a client's request passes one first; a client of ours asks the controller, and no other check would reject it.

Source: Kafka ``TopicConfig``, ``LogConfig``, ``CleanerConfig``, ``DynamicBrokerConfig``,
``ClientMetricsConfigs``; controller reference §15.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kraftpy.config_keys.broker_keys import (
    CLEANUP,
    COMPRESSION,
    GZIP_LEVEL,
    LZ4_LEVEL,
    SEGMENT_BYTES_MIN,
    TIMESTAMPS,
    ZSTD_LEVEL,
)
from kraftpy.config_keys.key_table import DYNAMIC_BROKER_KEYS
from kraftpy.config_keys.rules import Check, at_least, between
from kraftpy.config_keys.types import LONG_MAX, ConfigKey, ConfigType, Value, table
from kraftpy.controller.group_configs import GROUP_KEYS
from kraftpy.model.resource_types import ResourceType

_BOOLEAN, _INT, _LONG, _DOUBLE = ConfigType.BOOLEAN, ConfigType.INT, ConfigType.LONG, ConfigType.DOUBLE
_STRING, _LIST = ConfigType.STRING, ConfigType.LIST
_FOREVER = str(LONG_MAX)


def _throttled(value: Value) -> str | None:
    """Allow ``*`` or a list of ``partition:broker``."""
    elements = value if isinstance(value, tuple) else ()
    for element in () if elements == ("*",) else elements:
        partition, colon, broker = element.partition(":")
        if not (colon and partition.isdigit() and broker.isdigit()):
            return f"{element} must be the literal '*' or a partition and a replica as in 0:1"
    return None


_THROTTLED: Final = Check("*, or a list of partition:broker", _throttled)

TOPIC_KEYS: Final = table(
    ConfigKey("segment.bytes", _INT, "1073741824", at_least(SEGMENT_BYTES_MIN)),
    ConfigKey("segment.ms", _LONG, "604800000", at_least(1)),
    ConfigKey("segment.jitter.ms", _LONG, "0", at_least(0)),
    ConfigKey("segment.index.bytes", _INT, "10485760", at_least(4)),
    ConfigKey("flush.messages", _LONG, _FOREVER, at_least(1)),
    ConfigKey("flush.ms", _LONG, _FOREVER, at_least(0)),
    ConfigKey("retention.bytes", _LONG, "-1"),
    ConfigKey("retention.ms", _LONG, "604800000", at_least(-1)),
    ConfigKey("max.message.bytes", _INT, "1048588", at_least(0)),
    ConfigKey("index.interval.bytes", _INT, "4096", at_least(0)),
    ConfigKey("delete.retention.ms", _LONG, "86400000", at_least(0)),
    ConfigKey("min.compaction.lag.ms", _LONG, "0", at_least(0)),
    ConfigKey("max.compaction.lag.ms", _LONG, _FOREVER, at_least(1)),
    ConfigKey("file.delete.delay.ms", _LONG, "60000", at_least(0)),
    ConfigKey("min.cleanable.dirty.ratio", _DOUBLE, "0.5", between(0, 1)),
    ConfigKey("cleanup.policy", _LIST, "delete", CLEANUP, by_element=True),
    ConfigKey("unclean.leader.election.enable", _BOOLEAN, "false"),
    ConfigKey("min.insync.replicas", _INT, "1", at_least(1)),
    ConfigKey("compression.type", _STRING, "producer", COMPRESSION),
    ConfigKey("compression.gzip.level", _INT, "-1", GZIP_LEVEL),
    ConfigKey("compression.lz4.level", _INT, "9", LZ4_LEVEL),
    ConfigKey("compression.zstd.level", _INT, "3", ZSTD_LEVEL),
    ConfigKey("preallocate", _BOOLEAN, "false"),
    ConfigKey("message.timestamp.type", _STRING, "CreateTime", TIMESTAMPS),
    ConfigKey("message.timestamp.before.max.ms", _LONG, _FOREVER, at_least(0)),
    ConfigKey("message.timestamp.after.max.ms", _LONG, "3600000", at_least(0)),
    ConfigKey("leader.replication.throttled.replicas", _LIST, "", _THROTTLED),
    ConfigKey("follower.replication.throttled.replicas", _LIST, "", _THROTTLED),
    ConfigKey("remote.storage.enable", _BOOLEAN, "false"),
    ConfigKey("local.retention.ms", _LONG, "-2", at_least(-2)),
    ConfigKey("local.retention.bytes", _LONG, "-2", at_least(-2)),
    ConfigKey("remote.log.copy.disable", _BOOLEAN, "false"),
    ConfigKey("remote.log.delete.on.disable", _BOOLEAN, "false"),
    ConfigKey("internal.segment.bytes", _INT, None),
)
"""In the order in which Kafka defines them, which is the order in which it judges them."""

INTERNAL_TOPIC_KEYS: Final = frozenset({"internal.segment.bytes"})
"""What may be set, for tests of Kafka's; a list of a topic's effective configs has it only if it is."""

CLIENT_METRICS_INTERVAL: Final = "interval.ms"
CLIENT_METRICS_INTERVAL_MS: Final = (100, 3_600_000)
CLIENT_METRICS_MATCH: Final = "match"
CLIENT_METRICS_SELECTORS: Final = frozenset(
    {
        "client_id",
        "client_instance_id",
        "client_software_name",
        "client_software_version",
        "client_source_address",
        "client_source_port",
    }
)
"""What of a client a pattern may be matched with. Source: KIP-714 §Client metrics configuration."""

CLIENT_METRICS_KEYS: Final = table(
    ConfigKey(CLIENT_METRICS_INTERVAL, _INT, "300000"),
    ConfigKey(CLIENT_METRICS_MATCH, _LIST, "", by_element=True),
    ConfigKey("metrics", _LIST, "", by_element=True),
)


_LISTENER_PREFIX: Final = "listener.name."

BROKER_KEYS: Final = DYNAMIC_BROKER_KEYS
"""What can be changed while a broker runs. A key that is not in the table is taken for a single value of any text."""


def broker_key(name: str) -> ConfigKey | None:
    """Return what is known of a broker's key; one for a single listener is as the one for all."""
    if name.startswith(_LISTENER_PREFIX):
        _, _, name = name.removeprefix(_LISTENER_PREFIX).partition(".")
    return BROKER_KEYS.get(name)


KEYS: Final[Mapping[int, Mapping[str, ConfigKey]]] = {
    ResourceType.TOPIC: TOPIC_KEYS,
    ResourceType.BROKER: BROKER_KEYS,
    ResourceType.CLIENT_METRICS: CLIENT_METRICS_KEYS,
    ResourceType.GROUP: GROUP_KEYS,
}


ANY_TEXT_KEYS: Final[Mapping[int, frozenset[str]]] = {
    kind: frozenset(name for name, key in keys.items() if key.takes_any_text) for kind, keys in KEYS.items()
}
"""The keys by type of resource that no text is wrong for, so that there is nothing to judge."""

_SPLITTABLE: Final = frozenset({ResourceType.TOPIC, ResourceType.BROKER})


def is_list(resource_type: int, name: str) -> bool:
    """Return whether APPEND and SUBTRACT are possible on a key; Kafka knows the lists of topics and brokers only."""
    key = KEYS[resource_type].get(name) if resource_type in _SPLITTABLE else None
    return key is not None and key.type is ConfigType.LIST


SECRET_BROKER_KEYS: Final = frozenset({
    "delegation.token.master.key",
    "delegation.token.secret.key",
    "password.encoder.old.secret",
    "password.encoder.secret",
    "sasl.jaas.config",
    "sasl.oauthbearer.client.secret",
    "ssl.key.password",
    "ssl.keystore.certificate.chain",
    "ssl.keystore.key",
    "ssl.keystore.password",
    "ssl.truststore.certificates",
    "ssl.truststore.password",
})  # fmt: skip
"""Kafka's broker keys of type PASSWORD, without the listener and mechanism that may precede them."""

_SECRET_ENDINGS: Final = (*(f".{key}" for key in sorted(SECRET_BROKER_KEYS)), "password", "secret", ".secret.key")


def is_sensitive(resource_type: int, name: str) -> bool:
    """Return whether the value of a key is not to be shown.

    No key of a topic, a group or client metrics is of type PASSWORD. Of a broker's, all of Kafka's are, with or
    without a listener's prefix, and those of plugins whose name says so.
    """
    if resource_type != ResourceType.BROKER:
        return False
    key = name.lower()
    return key in SECRET_BROKER_KEYS or key.endswith(_SECRET_ENDINGS) or "jaas.config" in key


def default_of(resource_type: int, name: str) -> str:
    """Return the text that a list starts from when nothing is set."""
    key = KEYS.get(resource_type, {}).get(name)
    return (key.default or "") if key is not None else ""
