"""What the keys of a resource hold, where each value comes from, and what it would be without that; for both wires.

*   A topic has every key of topics. A value that it does not override comes from the brokers' key of the same meaning:
    dynamic for this node, dynamic for all brokers, or in the file of this node; else from the default.
*   A group and a client metrics subscription have every key that their kind has, overridden or not.
*   A broker has the dynamic values of its own and those for all brokers; the BROKER with the empty name has the latter.
    What is in the files of brokers is not known here, and what is in this node's file may be secret under keys that
    Kafka does not have: of it only the keys are shown that topics take values from, those that this node follows, and
    those that have to be the same on all controllers.
*   This node itself has each of these keys, with the value in force and its place. A value in the log that it passes
    over, because it cannot use it or acts on the key in its file alone, is not shown, as in Kafka.

The synonyms of a key are all the places that have a value for it, the one in force first, as in Kafka.

Source: Kafka ``ConfigHelper``, ``ServerTopicConfigSynonyms``; KIP-226.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Final, Generic, NamedTuple, TypeVar

from kraftpy.config_keys.followed import FOLLOWED, for_all_listeners, usable
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.node_key import Effect
from kraftpy.config_keys.shared_keys import SHARED_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.controller.config_schema import KEYS, is_sensitive
from kraftpy.controller.group_configs import GROUP_KEYS_OF_NO_BROKER
from kraftpy.controller.topic_configs import TOPIC_BROKER_KEYS, broker_keys_of, effective_configs
from kraftpy.controller.topic_requests import ConfigLayers
from kraftpy.image.configs import CLUSTER_DEFAULT
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.resource_types import ResourceType
from kraftpy.transport.node_api import MetadataView

T = TypeVar("T")

_SOURCES: Final[Mapping[int, ConfigSource]] = {
    ResourceType.TOPIC: ConfigSource.DYNAMIC_TOPIC_CONFIG,
    ResourceType.GROUP: ConfigSource.DYNAMIC_GROUP_CONFIG,
    ResourceType.CLIENT_METRICS: ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG,
}
"""Where the values of a resource's own come from; of a broker there are two places."""


_IN_LOG: Final = frozenset({ConfigSource.DYNAMIC_BROKER_CONFIG, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG})

DESCRIBED: Final = FOLLOWED | SHARED_KEYS | TOPIC_BROKER_KEYS
"""The keys of its own file that a node describes. None of them is a secret."""

_DEFAULTS: Final[Mapping[str, str]] = {
    key: default for key in DESCRIBED if key in NODE_KEYS and (default := NODE_KEYS[key].default) is not None
}
"""What these keys are where nothing sets them."""


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


class ConfigEntries(Generic[T]):
    """Describes the keys of resources in one state, for one request.

    What the keys are that a resource does not override is worked out once for all resources of a kind.

    Args:
        view: the state.
        shown: makes of a key what an answer has of it; called once for a key that many resources do not override.
    """

    def __init__(self, view: MetadataView, shown: Callable[[DescribedKey], T]) -> None:
        self._view = view
        self._shown = shown
        self._defaults: dict[int, Mapping[str, tuple[DescribedKey, T]]] = {}

    def of(self, kind: int, name: str, above: str | None = None, only: Collection[str] | None = None) -> Iterator[T]:
        """Return the keys of a resource, ascending by name. What a resource is named is not checked.

        Args:
            kind: the resource's type; one that is not known has no keys.
            name: the resource's.
            above: the key to go on behind.
            only: which keys to return, if the resource has them; the others are not looked at.
        """
        values = self._view.image.configs.of(kind, name)
        if kind == ResourceType.BROKER:
            yield from map(self._shown, _broker(name, values, self._view, above, only))
            return
        source = _SOURCES.get(kind)
        if source is None:
            return
        defaults = self._defaults_of(kind)
        keys: Iterable[str]
        if only is not None:
            keys = sorted(key for key in set(only) if key in defaults or key in values)
        else:
            keys = defaults if all(key in defaults for key in values) else sorted({*defaults, *values})
        for key in keys:
            if above is not None and key <= above:
                continue
            value = values.get(key)
            if value is None:
                yield defaults[key][1]
            else:
                below = defaults[key][0].synonyms if key in defaults else ()
                known = KEYS[kind].get(key)
                text = value if known is None else known.shown(value)
                yield self._shown(_entry(kind, key, text, (Synonym(key, text, source), *below)))

    def _defaults_of(self, kind: int) -> Mapping[str, tuple[DescribedKey, T]]:
        """Return the keys that each resource of a kind has, as they are without an override, ascending by name."""
        found = self._defaults.get(kind)
        if found is None:
            entries = [_entry(kind, key, *rest) for key, rest in sorted(_defaults(kind, self._view).items())]
            found = self._defaults[kind] = {entry.name: (entry, self._shown(entry)) for entry in entries}
        return found


def layers_of(view: MetadataView) -> ConfigLayers:
    """Return what holds for the keys that a topic does not override, at this node."""
    configs = view.image.configs
    return ConfigLayers(configs.broker(view.node_id), configs.broker(None), view.topic_settings)


_Found = dict[str, tuple[str | None, list[Synonym]]]
"""By key: its value in force, and where there are values."""


def _defaults(kind: int, view: MetadataView) -> _Found:
    match kind:
        case ResourceType.TOPIC:
            return _topic(layers_of(view))
        case ResourceType.GROUP:
            return _group()
        case _:
            return {key: (config.default, []) for key, config in KEYS[kind].items()}


def _topic(layers: ConfigLayers) -> _Found:
    return {
        effective.name: (effective.value, _broker_synonyms(broker_keys_of(effective.name), layers))
        for effective in effective_configs({}, layers)
    }


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


def _group() -> _Found:
    found: _Found = {}
    for key, config in KEYS[ResourceType.GROUP].items():
        named = key if key in GROUP_KEYS_OF_NO_BROKER else f"group.{key}"
        found[key] = config.default, [Synonym(named, config.default, ConfigSource.DEFAULT_CONFIG)]
    return found


def _broker(
    name: str, values: Mapping[str, str], view: MetadataView, above: str | None, only: Collection[str] | None
) -> Iterator[DescribedKey]:
    """Describe key by key: a broker may have any number of keys that are not known here."""
    places: list[tuple[ConfigSource, Mapping[str, str]]]
    places = [(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, view.image.configs.of(ResourceType.BROKER, CLUSTER_DEFAULT))]
    if name != CLUSTER_DEFAULT:
        places.insert(0, (ConfigSource.DYNAMIC_BROKER_CONFIG, values))
    is_this_node = name == str(view.node_id)
    if is_this_node:
        places += [
            (ConfigSource.STATIC_BROKER_CONFIG, view.file_settings),
            (ConfigSource.DEFAULT_CONFIG, _DEFAULTS),
        ]
    if only is None:
        keys = {key for _, each in places for key in each if above is None or key > above}
    else:
        keys = {key for key in only if any(key in each for _, each in places) and (above is None or key > above)}
    for key in sorted(keys):
        synonyms = [Synonym(key, each[key], source) for source, each in places if key in each]
        if is_this_node:
            synonyms = [one for one in synonyms if _is_in_force(one)]
        if synonyms:
            yield _entry(ResourceType.BROKER, key, synonyms[0].value, synonyms)


def _is_in_force(synonym: Synonym) -> bool:
    """Return whether this node may act on a value of its own, or leaves it to brokers of Kafka."""
    general = for_all_listeners(synonym.name)
    known = NODE_KEYS.get(general)
    if known is None or synonym.source not in _IN_LOG:
        return True
    if general not in FOLLOWED:
        return known.is_dynamic and (not known.used or known.effect is Effect.DYNAMIC)
    try:
        usable(synonym.name, synonym.value or "")
    except ValueError:
        return False
    return True


def _entry(kind: int, key: str, value: str | None, synonyms: Sequence[Synonym]) -> DescribedKey:
    known = KEYS[kind].get(key)
    hidden = is_sensitive(kind, key)
    source = synonyms[0].source if synonyms else ConfigSource.DEFAULT_CONFIG
    shown = tuple(one._replace(value=None) for one in synonyms) if hidden else tuple(synonyms)
    return DescribedKey(key, None if hidden else value, source, hidden, None if known is None else known.type, shown)
