"""Dynamic configurations: per resource, key to value.

This is the slice that grows largest, so it is the one that is built for bulk. A resource's values are a small
``immutables.Map`` of their own. While a delta replays, the first value of a resource makes such a map at once (most
resources have few values, many just one) and the second opens a mutation of it, so that no value costs a new map. Names
of keys repeat over resources and are interned as long as they are few; values and resource names are kept as decoded.

A null value deletes its key; a resource without values is not listed. Values may be secrets: nothing here prints them.

Source: Kafka ``ConfigurationsImage``, ``ConfigurationsDelta``; KIP-339.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from immutables import Map, MapMutation

from kraftpy.image.changes import Handlers
from kraftpy.image.errors import OnLoss
from kraftpy.image.ordering import in_order
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ConfigRecord

TOPIC: Final = 2
BROKER: Final = 4
CLIENT_METRICS: Final = 16
GROUP: Final = 32
"""Resource types, as their numbers stand in records. Source: Kafka ``ConfigResource.Type``."""

CLUSTER_DEFAULT: Final = ""
"""The name of the BROKER resource that holds for all brokers."""

NAMES_INTERNED_MAX: Final = 4096
"""How many different key names one delta shares between resources."""

NO_VALUES: Final[Map[str, str]] = Map()


class ConfigResource(NamedTuple):
    """What is configured. Compares and hashes like the plain pair."""

    type: int
    name: str


_new_resource: Final[Any] = tuple.__new__
"""Makes a resource of a pair without the detour over ``ConfigResource.__new__``, which is written in Python."""


@dataclass(frozen=True, slots=True, repr=False)
class ConfigsImage:
    """Values by resource, then by key."""

    resources: Map[ConfigResource, Map[str, str]] = Map()  # noqa: RUF009 - immutable

    def of(self, resource_type: int, name: str) -> Map[str, str]:
        """Return a resource's values, an empty map when it has none."""
        return self.resources.get(ConfigResource(resource_type, name), NO_VALUES)

    def topic(self, name: str) -> Map[str, str]:
        """Return a topic's values."""
        return self.of(TOPIC, name)

    def broker(self, broker_id: int | None) -> Map[str, str]:
        """Return a broker's own values; ``None`` asks for the cluster-wide defaults."""
        return self.of(BROKER, CLUSTER_DEFAULT if broker_id is None else str(broker_id))

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - every level can say it
        """Say this slice in records, by resource type, resource name and key.

        Names are sorted type by type: pairs would take three times as long as strings.
        """
        for resource_type in sorted({resource.type for resource in self.resources}):
            for resource_name in in_order(name for kind, name in self.resources if kind == resource_type):
                values = self.resources[ConfigResource(resource_type, resource_name)]
                for name in in_order(values):
                    yield ConfigRecord(resource_type, resource_name, name, values[name])

    def __repr__(self) -> str:
        return f"ConfigsImage({len(self.resources)} resources, values hidden)"


class ConfigsDelta:
    """Changes to configurations."""

    __slots__ = ("_names", "_values", "base")

    def __init__(self, base: ConfigsImage) -> None:
        self.base = base
        self._values: dict[ConfigResource, Map[str, str] | MapMutation[str, str]] = {}
        self._names: dict[str, str] = {}

    @classmethod
    def between(cls, old: ConfigsImage, new: ConfigsImage) -> ConfigsDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        for resource in old.resources:
            if resource not in new.resources:
                delta._values[resource] = NO_VALUES
        for resource, values in new.resources.items():
            if old.resources.get(resource) != values:
                delta._values[resource] = values
        return delta

    @property
    def changed(self) -> tuple[ConfigResource, ...]:
        """The resources that were touched, in the order in which they first were."""
        return tuple(self._values)

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {ConfigRecord: self.replay_config}

    def replay_config(self, record: ConfigRecord) -> None:
        """Set a value; a null deletes the key."""
        pair: Any = (record.resource_type, record.resource_name)
        values: Any = self._values.get(pair)
        if values is None:
            self._replay_first(pair, record)
            return
        if type(values) is Map:
            values = self._values[pair] = values.mutate()
        if record.value is not None:
            values[self._shared(record.name)] = record.value
        else:
            values.pop(record.name, None)

    def _replay_first(self, pair: tuple[int, str], record: ConfigRecord) -> None:
        """Replay the first record of a resource."""
        resource: ConfigResource = _new_resource(ConfigResource, pair)
        values = self.base.resources.get(resource, NO_VALUES)
        if record.value is not None:
            self._values[resource] = values.set(self._shared(record.name), record.value)
        else:
            self._values[resource] = values.delete(record.name) if record.name in values else values

    def _shared(self, name: str) -> str:
        """Return the one string that stands for all equal names."""
        names = self._names
        shared = names.get(name)
        if shared is None:
            if len(names) < NAMES_INTERNED_MAX:
                names[name] = name
            return name
        return shared

    def remove_resource(self, resource_type: int, name: str) -> None:
        """Drop all values of a resource, because the resource itself is gone."""
        resource = ConfigResource(resource_type, name)
        if resource in self._values or resource in self.base.resources:
            self._values[resource] = NO_VALUES

    def apply(self) -> ConfigsImage:
        """Return the next image."""
        if not self._values:
            return self.base
        resources = self.base.resources.mutate()
        for resource, values in self._values.items():
            if not isinstance(values, Map):
                values = self._values[resource] = values.finish()  # noqa: PLW2901 - the same values, closed
            if values:
                resources[resource] = values
            else:
                resources.pop(resource, None)
        return ConfigsImage(resources.finish())
