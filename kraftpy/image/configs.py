"""Dynamic configurations: per kind of resource and name, key to value.

This is the slice that grows largest. Resources are maps by name under their type: a name's hash is computed once, and
no pair has to be made to look one up. Most resources have few values, many just one: that is a :class:`OneValue`, which
takes a third of what a map of one takes. Names of keys repeat over resources and are interned as long as they are few;
values and resource names are kept as decoded.

While a delta replays, a resource's first value is stored by itself; the second opens a mutation of a map, so that no
value costs a new map. A delta that replays a whole log may absorb its changes periodically: they go into one mutation
of the large map, which is far cheaper than a version of it for each piece, and neither the pieces nor the end take
long.

A null value deletes its key; a resource without values is not listed. Values may be secrets: nothing here prints them.

A million resources with one value of 100 bytes each take 336 bytes apiece (``bench/micro_restart.py``): 160 for the
value, 64 for the name, 48 for the object, and the rest for their place in the map.

Source: Kafka ``ConfigurationsImage``, ``ConfigurationsDelta``; KIP-339.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, TypeAlias

from immutables import Map, MapMutation

from kraftpy.image.changes import Entities, Handlers
from kraftpy.image.errors import OnLoss
from kraftpy.image.ordering import in_order
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ConfigRecord

TOPIC: Final = ResourceType.TOPIC.value
BROKER: Final = ResourceType.BROKER.value
CLIENT_METRICS: Final = ResourceType.CLIENT_METRICS.value
GROUP: Final = ResourceType.GROUP.value
"""Resource types as the plain numbers that records hold."""

CLUSTER_DEFAULT: Final = ""
"""The name of the BROKER resource that holds for all brokers."""

NAMES_INTERNED_MAX: Final = 4096
"""How many different key names one delta shares between resources."""


class ConfigResource(NamedTuple):
    """What is configured. Compares and hashes like the plain pair."""

    type: int
    name: str


class OneValue(Mapping[str, str]):
    """The only value of a resource, and its key. Both are never assigned to again."""

    __slots__ = ("key", "value")

    def __init__(self, key: str, value: str) -> None:
        self.key = key
        self.value = value

    def __getitem__(self, key: str) -> str:
        if key == self.key:
            return self.value
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return key == self.key

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value, or ``default`` if the key is another."""
        return self.value if key == self.key else default

    def __iter__(self) -> Iterator[str]:
        return iter((self.key,))

    def __len__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        if type(other) is OneValue:
            return self.key == other.key and self.value == other.value
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.key, self.value))


Values: TypeAlias = Map[str, str] | OneValue
"""What one resource is set to: :class:`OneValue` exactly if there is one, so that equal values compare equal."""

NO_VALUES: Final[Map[str, str]] = Map()

Resources: TypeAlias = Map[str, Values]
"""What the resources of one type are set to, by name. Nothing that is empty is listed."""

NO_RESOURCES: Final[Resources] = Map()


@dataclass(frozen=True, slots=True, repr=False)
class ConfigsImage:
    """Resources by their type. Nothing that is empty is listed."""

    by_type: Map[int, Resources] = Map()

    def of(self, resource_type: int, name: str) -> Values:
        """Return a resource's values, an empty map when it has none."""
        return self.by_type.get(resource_type, NO_RESOURCES).get(name, NO_VALUES)

    def topic(self, name: str) -> Values:
        """Return a topic's values."""
        return self.of(TOPIC, name)

    def broker(self, broker_id: int | None) -> Values:
        """Return a broker's own values; ``None`` asks for the cluster-wide defaults."""
        return self.of(BROKER, CLUSTER_DEFAULT if broker_id is None else str(broker_id))

    def __len__(self) -> int:
        return sum(map(len, self.by_type.values()))

    def resources(self) -> Iterator[ConfigResource]:
        """Iterate over what has values, in no particular order."""
        for resource_type, resources in self.by_type.items():
            for name in resources:
                yield ConfigResource(resource_type, name)

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - every level can say it
        """Say this slice in records, by resource type, resource name and key."""
        for resource_type in sorted(self.by_type):
            resources = self.by_type[resource_type]
            for resource_name in in_order(resources):
                values = resources[resource_name]
                for name in in_order(values):
                    yield ConfigRecord(resource_type, resource_name, name, values[name])

    def __repr__(self) -> str:
        return f"ConfigsImage({len(self)} resources, values hidden)"


_Changing: TypeAlias = Values | MapMutation[str, str]


class _TypeChanges:
    """Changes to the resources of one type.

    Attributes:
        below: the resources before, with what was absorbed; a mutation once something was.
        changed: name to what the values are now; in the order in which resources were first touched.
    """

    __slots__ = ("below", "changed")

    def __init__(self, resources: Resources) -> None:
        self.below: Resources | MapMutation[str, Values] = resources
        self.changed: dict[str, _Changing] = {}

    def of(self, name: str) -> Values:
        """Return a resource's values."""
        values = self.changed.get(name)
        if values is None:
            return self.below.get(name, NO_VALUES)
        closed = self.changed[name] = _closed(values)
        return closed

    def set(self, name: str, key: str, value: str | None) -> None:
        """Set a value of a resource; ``None`` deletes it."""
        values = self.changed.get(name)
        if values is None:
            values = self.below.get(name, NO_VALUES)
        is_alone = values.key == key if isinstance(values, OneValue) else not values
        if value is not None and is_alone:
            self.changed[name] = OneValue(key, value)
        else:
            self.changed[name] = _with_several(values, key, value)

    def absorb(self) -> None:
        """Let ``below`` have the changes."""
        self.below = self._written()
        self.changed = {}

    def apply(self) -> Resources:
        """Return the next resources."""
        absorbed = not isinstance(self.below, Map)
        after = self._written().finish()
        if absorbed:
            # The mutation that they were written into is over.
            self.below, self.changed = after, {}
        return after

    def _written(self) -> MapMutation[str, Values]:
        """Write the changes into a mutation of ``below``, or into ``below`` if it is one."""
        changed, below = self.changed, self.below
        after = below.mutate() if isinstance(below, Map) else below
        for name, values in changed.items():
            closed = changed[name] = _closed(values)
            if type(closed) is OneValue or closed:
                after[name] = closed
            else:
                after.pop(name, None)
        return after


class ConfigsDelta:
    """Changes to configurations."""

    __slots__ = ("_absorbed", "_by_type", "_names", "base")
    ENTITIES: ClassVar[Entities] = {
        ConfigRecord: ("config", ("resource_type", "resource_name", "name")),
    }

    def __init__(self, base: ConfigsImage) -> None:
        self.base = base
        self._absorbed = False
        self._by_type: dict[int, _TypeChanges] = {}
        self._names: dict[str, str] = {}

    @classmethod
    def between(cls, old: ConfigsImage, new: ConfigsImage) -> ConfigsDelta:
        """Express ``new`` as a delta over ``old``, at no cost until it is asked what changed."""
        return ConfigsDifference(old, new)

    @property
    def changed(self) -> tuple[ConfigResource, ...]:
        """The resources that were touched, those of one type in the order in which they first were.

        Of a delta that absorbed changes: the resources that differ.
        """
        if self._absorbed:
            return ConfigsDifference(self.base, self.apply()).changed
        return tuple(ConfigResource(kind, name) for kind, changes in self._by_type.items() for name in changes.changed)

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {ConfigRecord: self.replay_config}

    def of(self, resource_type: int, name: str) -> Values:
        """Return a resource's values as replayed so far."""
        changes = self._by_type.get(resource_type)
        return self.base.of(resource_type, name) if changes is None else changes.of(name)

    def replay_config(self, record: ConfigRecord) -> None:
        """Set a value; a null deletes the key."""
        key = self._names.get(record.name) or self._shared(record.name)
        changes = self._by_type.get(record.resource_type) or self._opened(record.resource_type)
        changes.set(record.resource_name, key, record.value)

    def _opened(self, resource_type: int) -> _TypeChanges:
        changes = _TypeChanges(self.base.by_type.get(resource_type, NO_RESOURCES))
        return self._by_type.setdefault(resource_type, changes)

    def _shared(self, name: str) -> str:
        """Return the one shared string for all equal names."""
        if len(self._names) < NAMES_INTERNED_MAX:
            return self._names.setdefault(name, name)
        return name

    def remove_resource(self, resource_type: int, name: str) -> None:
        """Drop all values of a resource, because the resource itself is gone."""
        if self.of(resource_type, name):
            (self._by_type.get(resource_type) or self._opened(resource_type)).changed[name] = NO_VALUES

    def absorb(self) -> None:
        """Make what was replayed so far part of the work done, and forget which resources it was."""
        self._absorbed = True
        for changes in self._by_type.values():
            changes.absorb()

    def apply(self) -> ConfigsImage:
        """Return the next image."""
        if not self._by_type:
            return self.base
        by_type = self.base.by_type.mutate()
        for resource_type, changes in self._by_type.items():
            resources = changes.apply()
            if resources:
                by_type[resource_type] = resources
            else:
                by_type.pop(resource_type, None)
        return ConfigsImage(by_type.finish())


class ConfigsDifference(ConfigsDelta):
    """The delta from one image to another. Nothing is replayed onto it."""

    __slots__ = ("_new",)

    def __init__(self, old: ConfigsImage, new: ConfigsImage) -> None:
        super().__init__(old)
        self._new = new

    @property
    def changed(self) -> tuple[ConfigResource, ...]:
        """The resources that differ: those that are gone, then the others."""
        gone = (resource for resource in self.base.resources() if not self._new.of(*resource))
        others = (one for one in self._new.resources() if self.base.of(*one) != self._new.of(*one))
        return (*gone, *others)

    def of(self, resource_type: int, name: str) -> Values:
        """Return a resource's values in the newer image."""
        return self._new.of(resource_type, name)

    def replay_config(self, record: ConfigRecord) -> NoReturn:
        """Refuse: a difference is complete."""
        raise InvariantViolation("a difference of two images takes no more records", record.resource_type)

    def apply(self) -> ConfigsImage:
        """Return the newer image."""
        return self._new


def _with_several(values: _Changing, key: str, value: str | None) -> MapMutation[str, str]:
    """Return values after a change that needs a mutation; one that is open already is changed in place."""
    if isinstance(values, OneValue):
        values = Map(values.items())
    mutation = values.mutate() if isinstance(values, Map) else values
    if value is not None:
        mutation[key] = value
    else:
        mutation.pop(key, None)
    return mutation


def _closed(values: _Changing) -> Values:
    """Finish a mutation, if that is what it is."""
    if isinstance(values, OneValue | Map):
        return values
    finished = values.finish()
    if len(finished) != 1:
        return finished
    ((key, value),) = finished.items()
    return OneValue(key, value)
