"""Dynamic configurations: per kind of resource and name, key to value.

This is the slice that grows largest, so it is the one that is built for bulk. Resources hang by their names below their
type: a name's hash is computed once, and no pair has to be made to look one up. Most resources have few values, many
just one, and of those of one type most have it under the same key. So each type has a *usual key*, the first that one
of its resources was set to: what is set to nothing else is kept as the bare text, which costs no object, and nothing
that the garbage collector looks at. One value under another key is a :class:`OneValue`; a map of one takes three times
that. Which key is the usual one is a matter of how things came about, and no part of what an image says: images that
say the same are equal. Names of keys repeat over resources and are interned as long as they are few; values and
resource names are kept as decoded.

While a delta replays, a resource's first value stands by itself; the second opens a mutation of a map, so that no value
costs a new map. A delta that takes a whole log may absorb its changes now and then: they go into one mutation of the
large map, which is far cheaper than a version of it for each piece, and neither the pieces nor the end take long.

A null value deletes its key; a resource without values is not listed. Values may be secrets: nothing here prints them.

A million resources with one value of 100 bytes each take 290 bytes apiece (``bench/micro_restart.py``): 160 for the
value, 64 for the name, and the rest for their place in the map.

Source: Kafka ``ConfigurationsImage``, ``ConfigurationsDelta``; KIP-339.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from immutables import Map, MapMutation

from kraftpy.image.changes import Handlers
from kraftpy.image.errors import OnLoss
from kraftpy.image.ordering import in_order
from kraftpy.model.invariant import InvariantViolation
from kraftpy.records.codec import Record
from kraftpy.records.config_batch import ConfigRun
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

Kept: TypeAlias = Values | str
"""How it is kept: as the bare text exactly if it is one value, and that of the usual key."""

NO_VALUES: Final[Map[str, str]] = Map()
_TEXT_OR_NOTHING: Final = frozenset((str, type(None)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Resources:
    """What the resources of one type are set to.

    Attributes:
        usual_key: which key a bare text is the value of; ``None`` only where there are no resources.
        by_name: nothing that is empty is listed.
        only_texts: whether nothing but bare texts was ever kept, so that none of them has to be looked at.
    """

    usual_key: str | None
    by_name: Map[str, Kept]
    only_texts: bool

    def of(self, name: str) -> Values:
        """Return a resource's values, an empty map when it has none."""
        return _seen(self.by_name.get(name, NO_VALUES), self.usual_key)

    def under(self, key: str, names: Sequence[str]) -> list[str | None] | None:
        """Return what a key is set to for each resource, ``None`` where the resource is set to nothing.

        There is no such list (``None``) when one of the resources has another key.
        """
        return _under(key, list(map(self.by_name.get, names)), self.usual_key)

    def __len__(self) -> int:
        return len(self.by_name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Resources):
            return NotImplemented
        if self.usual_key == other.usual_key:
            return self.by_name == other.by_name
        return len(self) == len(other) and all(self.of(name) == other.of(name) for name in self.by_name)

    def __hash__(self) -> int:
        return hash(len(self))


_NO_RESOURCES: Final = Resources(None, Map(), only_texts=True)


@dataclass(frozen=True, slots=True, repr=False)
class ConfigsImage:
    """Resources by their type. Nothing that is empty is listed."""

    by_type: Map[int, Resources] = Map()

    def of(self, resource_type: int, name: str) -> Values:
        """Return a resource's values, an empty map when it has none."""
        return self.by_type.get(resource_type, _NO_RESOURCES).of(name)

    def topic(self, name: str) -> Values:
        """Return a topic's values."""
        return self.of(TOPIC, name)

    def broker(self, broker_id: int | None) -> Values:
        """Return a broker's own values; ``None`` asks for the cluster-wide defaults."""
        return self.of(BROKER, CLUSTER_DEFAULT if broker_id is None else str(broker_id))

    def of_type(self, resource_type: int) -> Resources:
        """Return what all resources of a type are set to."""
        return self.by_type.get(resource_type, _NO_RESOURCES)

    def __len__(self) -> int:
        return sum(map(len, self.by_type.values()))

    def resources(self) -> Iterator[ConfigResource]:
        """Iterate over what has values, in no particular order."""
        for resource_type, resources in self.by_type.items():
            for name in resources.by_name:
                yield ConfigResource(resource_type, name)

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:  # noqa: ARG002 - every level can say it
        """Say this slice in records, by resource type, resource name and key."""
        for resource_type in sorted(self.by_type):
            resources = self.by_type[resource_type]
            for resource_name in in_order(resources.by_name):
                values = resources.of(resource_name)
                if type(values) is OneValue:
                    yield ConfigRecord(resource_type, resource_name, values.key, values.value)
                    continue
                for name in in_order(values):
                    yield ConfigRecord(resource_type, resource_name, name, values[name])

    def __repr__(self) -> str:
        return f"ConfigsImage({len(self)} resources, values hidden)"


_Changing: TypeAlias = Kept | MapMutation[str, str]


class TypeChanges:
    """Changes to the resources of one type.

    Attributes:
        usual_key: as in :class:`Resources`; the first key that comes, if there are no resources.
        below: the resources before, with what was absorbed; a mutation once something was.
        changed: name to what the values are now; in the order in which resources were first touched.
        only_texts: as in :class:`Resources`, of ``below`` and ``changed``.
    """

    __slots__ = ("below", "changed", "only_texts", "usual_key")

    def __init__(self, resources: Resources, key: str) -> None:
        self.usual_key = key if resources.usual_key is None else resources.usual_key
        self.below: Map[str, Kept] | MapMutation[str, Kept] = resources.by_name
        self.changed: dict[str, _Changing] = {}
        self.only_texts = resources.only_texts

    def of(self, name: str) -> Values:
        """Return a resource's values."""
        values = self.changed.get(name)
        if values is None:
            return _seen(self.below.get(name, NO_VALUES), self.usual_key)
        closed = self.changed[name] = _closed(values, self.usual_key)
        return _seen(closed, self.usual_key)

    def under(self, key: str, names: Sequence[str]) -> list[str | None] | None:
        """Do as :meth:`Resources.under`; a resource that was emptied counts as one with another key."""
        found: list[Any] = list(map(self.below.get, names))
        if self.changed:
            changed = self.changed.get
            found = [new if (new := changed(name)) is not None else old for name, old in zip(names, found, strict=True)]
        return _under(key, found, self.usual_key)

    def set(self, name: str, key: str, value: str | None) -> None:
        """Set a value of a resource; ``None`` deletes it."""
        values = self.changed.get(name)
        if values is None:
            values = self.below.get(name, NO_VALUES)
        kind, is_usual = type(values), key == self.usual_key
        # A text may be empty, so nothing is concluded from its truth.
        is_alone = is_usual if kind is str else values.key == key if isinstance(values, OneValue) else not values
        if value is not None and is_alone and is_usual:
            self.changed[name] = value
            return
        self.only_texts = False
        if value is not None and is_alone:
            self.changed[name] = OneValue(key, value)
        else:
            self.changed[name] = _with_several(values, self.usual_key, key, value)

    def set_all(self, names: Sequence[str], key: str, values: Sequence[str | None]) -> None:
        """Set a value of each of many resources."""
        if key == self.usual_key and None not in values and (self.only_texts or self._are_texts(names)):
            # None of them has another key, so what they are set to now is these texts.
            self.changed.update(zip(names, values, strict=True))  # type: ignore[arg-type] # there is no None
            return
        for name, value in zip(names, values, strict=True):
            self.set(name, key, value)

    def replace(self, key: str, after: Mapping[str, str]) -> None:
        """Set resources to one value each, whatever they were set to."""
        if key == self.usual_key:
            self.changed.update(after)
        else:
            self.only_texts = False
            self.changed.update((name, OneValue(key, value)) for name, value in after.items())

    def clear(self, name: str) -> None:
        """Drop all values of a resource."""
        self.only_texts = False
        self.changed[name] = NO_VALUES

    def _are_texts(self, names: Sequence[str]) -> bool:
        kinds = set(map(type, map(self.below.get, names)))
        kinds.update(map(type, map(self.changed.get, names)))
        return kinds <= _TEXT_OR_NOTHING

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
        return Resources(self.usual_key, after, self.only_texts)

    def _written(self) -> MapMutation[str, Kept]:
        """Write the changes into a mutation of ``below``, or into ``below`` if it is one."""
        changed, below = self.changed, self.below
        several: list[str] = []
        if not self.only_texts:
            several = [name for name, kept in changed.items() if type(kept) is not str and type(kept) is not OneValue]
        for name in several:
            changed[name] = _closed(changed[name], self.usual_key)
        after = below.mutate() if isinstance(below, Map) else below
        # All at once: a loop in Python would cost as much again as the map.
        after.update(changed)  # type: ignore[arg-type] # there is no mutation of a resource left
        for name in several:
            if changed[name] == NO_VALUES:
                del after[name]
        return after


class ConfigsDelta:
    """Changes to configurations."""

    __slots__ = ("_absorbed", "_by_type", "_names", "base")

    def __init__(self, base: ConfigsImage) -> None:
        self.base = base
        self._absorbed = False
        self._by_type: dict[int, TypeChanges] = {}
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

    def of_type(self, resource_type: int) -> Resources | TypeChanges:
        """Return what all resources of a type are set to as replayed so far."""
        changes = self._by_type.get(resource_type)
        return self.base.of_type(resource_type) if changes is None else changes

    def replace(self, resource_type: int, key: str, after: Mapping[str, str]) -> None:
        """Set resources to one value each, all under the same key, whatever they were set to."""
        (self._by_type.get(resource_type) or self._opened(resource_type, key)).replace(key, after)

    def replay_config(self, record: ConfigRecord) -> None:
        """Set a value; a null deletes the key."""
        key = self._names.get(record.name) or self._shared(record.name)
        changes = self._by_type.get(record.resource_type) or self._opened(record.resource_type, key)
        changes.set(record.resource_name, key, record.value)

    def replay_run(self, run: ConfigRun) -> None:
        """Replay many records, as :meth:`replay_config` does each of them."""
        key = self._names.get(run.key) or self._shared(run.key)
        changes = self._by_type.get(run.resource_type) or self._opened(run.resource_type, key)
        changes.set_all(run.names, key, run.values)

    def _opened(self, resource_type: int, key: str) -> TypeChanges:
        changes = TypeChanges(self.base.by_type.get(resource_type, _NO_RESOURCES), key)
        return self._by_type.setdefault(resource_type, changes)

    def _shared(self, name: str) -> str:
        """Return the one string that stands for all equal names."""
        if len(self._names) < NAMES_INTERNED_MAX:
            return self._names.setdefault(name, name)
        return name

    def remove_resource(self, resource_type: int, name: str) -> None:
        """Drop all values of a resource, because the resource itself is gone."""
        if self.of(resource_type, name):
            # It had values, so its type has a usual key.
            (self._by_type.get(resource_type) or self._opened(resource_type, "")).clear(name)

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

    def replay_run(self, run: ConfigRun) -> NoReturn:
        """Refuse: a difference is complete."""
        raise InvariantViolation("a difference of two images takes no more records", run.resource_type)

    def apply(self) -> ConfigsImage:
        """Return the newer image."""
        return self._new


def _seen(kept: Kept, usual_key: str | None) -> Values:
    """Return what a resource is set to, as it is told."""
    if not isinstance(kept, str):
        return kept
    assert usual_key is not None, "where there are resources there is a usual key"
    return OneValue(usual_key, kept)


def _under(key: str, found: list[Any], usual_key: str | None) -> list[str | None] | None:
    """Do as :meth:`Resources.under` with what was found for each resource."""
    if key == usual_key and _TEXT_OR_NOTHING.issuperset(map(type, found)):
        return found
    values: list[str | None] = []
    for one in found:
        seen = None if one is None else _seen(one, usual_key)
        if seen is not None and not (isinstance(seen, OneValue) and seen.key == key):
            return None
        values.append(None if seen is None else seen.value)
    return values


def _with_several(values: _Changing, usual_key: str, key: str, value: str | None) -> MapMutation[str, str]:
    """Return values after a change that needs a mutation; one that is open already is changed in place."""
    if isinstance(values, str):
        values = Map({usual_key: values})
    elif isinstance(values, OneValue):
        values = Map(values.items())
    mutation = values.mutate() if isinstance(values, Map) else values
    if value is not None:
        mutation[key] = value
    else:
        mutation.pop(key, None)
    return mutation


def _closed(values: _Changing, usual_key: str) -> Kept:
    """Finish a mutation, if that is what it is."""
    if isinstance(values, str | OneValue | Map):
        return values
    finished = values.finish()
    if len(finished) != 1:
        return finished
    ((key, value),) = finished.items()
    return value if key == usual_key else OneValue(key, value)
