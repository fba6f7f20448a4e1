"""The keys whose changes a running node follows: in the metadata log, in its file after SIGHUP, or in both.

Of the places that may have a value the first usable one is in force, as in Kafka: the node's own in the log, that for
all brokers in the log, the file, the default. A text that a node cannot use, which an older release or Kafka's
controllers may have let into the log, is passed over, and the next place counts: no value in a log stops a node.

Two keys may be set for one listener, ahead of that for all: ``listener.name.<name>.max.connections``.

Source: KIP-226 §Precedence; Kafka ``DynamicBrokerConfig``. For listeners: KIP-402 and KIP-612 §Public Interfaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kraftpy.config_keys.connection_overrides import parse_overrides
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.node_key import Effect
from kraftpy.config_keys.types import Value
from kraftpy.model.config_sources import ConfigSource

FOLLOWED: Final = frozenset(name for name, key in NODE_KEYS.items() if key.effect is Effect.DYNAMIC_AND_RELOAD)
"""Keys that every node follows in the metadata log as well as in its file."""

RELOADED: Final = FOLLOWED | {name for name, key in NODE_KEYS.items() if key.effect is Effect.RELOAD}
"""Keys whose value in the file takes effect by SIGHUP."""

_LISTENER_PREFIX: Final = "listener.name."

NOT_ZERO: Final = frozenset({"max.connections", "max.connections.per.ip", "max.connection.creation.rate"})
"""Keys whose 0 a node does not follow: no client, and no broker, could connect to it to take that back. An
override of 0 for one address is followed: it blocks that address, as in Kafka."""

OF_ONE_LISTENER: Final = ("max.connections", "max.connection.creation.rate")
"""Followed keys that the log may set for one listener, too."""

OVERRIDES: Final = "max.connections.per.ip.overrides"


class Place(NamedTuple):
    """Where the log may have values for a node: its own, or those for all brokers."""

    source: ConfigSource
    values: Mapping[str, str]


class Followed(NamedTuple):
    """The value of a key in the log that is in force."""

    source: ConfigSource
    text: str
    value: Value


class Unusable(NamedTuple):
    """A value in the log that a node does not follow, with the reason."""

    key: str
    source: ConfigSource
    fault: str


def places(own: Mapping[str, str], for_all: Mapping[str, str]) -> tuple[Place, Place]:
    """Return where the log may have values for a node, the place that counts first ahead."""
    return Place(ConfigSource.DYNAMIC_BROKER_CONFIG, own), Place(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, for_all)


def listener_key(listener_name: str, key: str) -> str:
    """Return the key that sets another one for a single listener. Source: Kafka ``ListenerName.configPrefix``."""
    return f"{_LISTENER_PREFIX}{listener_name.lower()}.{key}"


def for_all_listeners(key: str) -> str:
    """Return the key of all listeners that one of a single listener is for; any other key as it is."""
    if key.startswith(_LISTENER_PREFIX):
        # A name may have dots: all that is certain is how the key ends.
        return next((each for each in OF_ONE_LISTENER if key.endswith(f".{each}")), key)
    return key


def usable(key: str, text: str) -> Value:
    """Read the text of a followed key, or of one of a listener, as a node does.

    Raises:
        ValueError: a node cannot use it; the message names the key and what is wrong.
    """
    value = NODE_KEYS[for_all_listeners(key)].check(text)
    if for_all_listeners(key) in NOT_ZERO and value == 0:
        raise ValueError(f"{key}=0 would let no client connect, not even to change it again")
    if key == OVERRIDES:
        parse_overrides(str(value))
    return value


def in_force(key: str, in_log: tuple[Place, ...]) -> Followed | None:
    """Return the value of a followed key that the log decides, ``None`` if the file or the default does."""
    for source, values in in_log:
        text = values.get(key)
        if text is not None:
            try:
                return Followed(source, text, usable(key, text))
            except ValueError:
                continue
    return None


def unusable(in_log: tuple[Place, ...], keys: Iterable[str] = FOLLOWED) -> Iterator[Unusable]:
    """Return the values of followed keys that a node passes over, ascending by key."""
    for key in sorted(keys):
        for source, values in in_log:
            text = values.get(key)
            if text is not None:
                try:
                    usable(key, text)
                except ValueError as error:
                    yield Unusable(key, source, str(error))
