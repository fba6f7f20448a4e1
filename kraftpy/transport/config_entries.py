"""What the keys of a resource hold, where each value comes from, and what it would be without that; for both wires.

*   A topic has every key of topics. A value that it does not override comes from the brokers' key of the same meaning:
    dynamic for this node, dynamic for all brokers, or in the file of this node; else from the default.
*   A group and a client metrics subscription have every key that their kind has, overridden or not.
*   A broker has the dynamic values of its own and those for all brokers; the BROKER with the empty name has the latter.
    What is in the files of brokers is not known here, and what is in this node's file may be secret under keys that
    Kafka does not have: of it only the keys are shown that topics take values from.

The synonyms of a key are all the places that have a value for it, the one in force first, as in Kafka.

Source: Kafka ``ConfigHelper``, ``ServerTopicConfigSynonyms``; KIP-226.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import NamedTuple

from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.controller.config_schema import KEYS, is_sensitive
from kraftpy.controller.group_configs import GROUP_KEYS_OF_NO_BROKER
from kraftpy.controller.topic_configs import broker_keys_of, effective_configs
from kraftpy.controller.topic_requests import ConfigLayers
from kraftpy.image.configs import CLUSTER_DEFAULT
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.resource_types import ResourceType
from kraftpy.transport.node_api import MetadataView


class Synonym(NamedTuple):
    """A value of a key at one place; ``None`` for a secret."""

    name: str
    value: str | None
    source: ConfigSource


class DescribedKey(NamedTuple):
    """One key.

    Attributes:
        value: the one in force; ``None`` for a secret.
        type: of its values; ``None`` for a key that is not known here.
    """

    name: str
    value: str | None
    source: ConfigSource
    is_sensitive: bool
    type: ConfigType | None
    synonyms: tuple[Synonym, ...]


def config_entries(kind: int, name: str, view: MetadataView, above: str | None = None) -> Iterator[DescribedKey]:
    """Return the keys of a resource, above one, ascending by name. What a resource is named is not checked."""
    values = view.image.configs.of(kind, name)
    match kind:
        case ResourceType.TOPIC:
            found = _topic(values, layers_of(view))
        case ResourceType.GROUP:
            found = _group(values)
        case ResourceType.CLIENT_METRICS:
            found = _client_metrics(values)
        case ResourceType.BROKER:
            yield from _broker(name, values, view, above)
            return
        case _:
            found = {}
    for key in sorted(found):
        if above is None or key > above:
            yield _entry(kind, key, *found[key])


def layers_of(view: MetadataView) -> ConfigLayers:
    """Return what holds for the keys that a topic does not override, at this node."""
    configs = view.image.configs
    return ConfigLayers(configs.broker(view.node_id), configs.broker(None), view.topic_settings)


_Found = dict[str, tuple[str | None, list[Synonym]]]
"""By key: its value in force, and where there are values."""


def _topic(overrides: Mapping[str, str], layers: ConfigLayers) -> _Found:
    found: _Found = {
        key: (value, [Synonym(key, value, ConfigSource.DYNAMIC_TOPIC_CONFIG)]) for key, value in overrides.items()
    }
    for effective in effective_configs(overrides, layers):
        synonyms = found[effective.name][1] if effective.name in found else []
        found[effective.name] = effective.value, synonyms + _broker_synonyms(broker_keys_of(effective.name), layers)
    return found


def _broker_synonyms(keys: Sequence[str], layers: ConfigLayers) -> list[Synonym]:
    """Return the places that have a value for one of these keys of brokers, the one that holds first."""
    places = (
        (ConfigSource.DYNAMIC_BROKER_CONFIG, layers.node),
        (ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, layers.cluster),
        (ConfigSource.STATIC_BROKER_CONFIG, layers.static),
        (ConfigSource.DEFAULT_CONFIG, {key: NODE_KEYS[key].default for key in keys if key in NODE_KEYS}),
    )
    values = [(source, key, each.get(key)) for source, each in places for key in keys]
    found = [Synonym(key, value, source) for source, key, value in values if value is not None]
    # Kafka begins with the first of the keys: what only the others say is not shown before it.
    return list(dropwhile(lambda each: each.name != keys[0], found))


def _group(values: Mapping[str, str]) -> _Found:
    found: _Found = {
        key: (value, [Synonym(key, value, ConfigSource.DYNAMIC_GROUP_CONFIG)]) for key, value in values.items()
    }
    for key, config in KEYS[ResourceType.GROUP].items():
        value, synonyms = found.get(key, (config.default, []))
        named = key if key in GROUP_KEYS_OF_NO_BROKER else f"group.{key}"
        found[key] = value, [*synonyms, Synonym(named, config.default, ConfigSource.DEFAULT_CONFIG)]
    return found


def _client_metrics(values: Mapping[str, str]) -> _Found:
    defaults: _Found = {key: (config.default, []) for key, config in KEYS[ResourceType.CLIENT_METRICS].items()}
    return defaults | {
        key: (value, [Synonym(key, value, ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG)]) for key, value in values.items()
    }


def _broker(name: str, values: Mapping[str, str], view: MetadataView, above: str | None) -> Iterator[DescribedKey]:
    """Describe key by key: a broker may have any number of keys that are not known here."""
    places: list[tuple[ConfigSource, Mapping[str, str]]]
    places = [(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, view.image.configs.of(ResourceType.BROKER, CLUSTER_DEFAULT))]
    if name != CLUSTER_DEFAULT:
        places.insert(0, (ConfigSource.DYNAMIC_BROKER_CONFIG, values))
    for key in sorted({key for _, each in places for key in each if above is None or key > above}):
        synonyms = [Synonym(key, each[key], source) for source, each in places if key in each]
        yield _entry(ResourceType.BROKER, key, synonyms[0].value, synonyms)


def _entry(kind: int, key: str, value: str | None, synonyms: Sequence[Synonym]) -> DescribedKey:
    known = KEYS[kind].get(key)
    hidden = is_sensitive(kind, key)
    source = synonyms[0].source if synonyms else ConfigSource.DEFAULT_CONFIG
    shown = tuple(one._replace(value=None) for one in synonyms) if hidden else tuple(synonyms)
    return DescribedKey(key, None if hidden else value, source, hidden, None if known is None else known.type, shown)
