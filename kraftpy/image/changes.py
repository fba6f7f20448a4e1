"""Pending changes to a persistent map: the working half of every delta.

An image keeps its collections in ``immutables.Map``, a hash array mapped trie written in C: a new version shares all it
did not change with the old one, so making it costs the number of changes and not the size. A delta collects changes in
a plain dict (key to final value, ``None`` for a removal) and writes them into the trie once, through its mutation,
when the image is asked for.

Measured by ``bench/micro_image.py`` under Python 3.11 on one of 2 cores; one change to a collection of n entries:

======== ============== ==========
n        copy of a dict Map change
======== ============== ==========
10       0.2 us         0.2 us
100      0.4 us         0.3 us
1,000    5.6 us         0.4 us
10,000   53 us          0.4 us
100,000  1,400 us       0.6 us
======== ============== ==========

So a Map is never worse, and from a thousand entries on it is the only choice for an image per batch. Building one of
100,000 entries in one mutation takes a third of what a new map per entry takes, which is why changes are gathered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from immutables import Map

from kraftpy.records.metadata import LogRecord

K = TypeVar("K")
V = TypeVar("V")
ImageT_co = TypeVar("ImageT_co", covariant=True)

Handlers: TypeAlias = dict[type[LogRecord], Callable[[Any], None]]
"""Which bound method replays which kind of record."""

Entities: TypeAlias = dict[type[LogRecord], tuple[str, tuple[str, ...]]]
"""What kind of entity a record is about, and the fields that identify it: never a value or a secret."""


class SliceDelta(Protocol[ImageT_co]):
    """What the delta of each slice has, besides its own description of what changed."""

    ENTITIES: ClassVar[Entities]

    def handlers(self) -> Handlers:
        """Return which records this slice takes, and by which method."""

    def apply(self) -> ImageT_co:
        """Return the next image of the slice. The delta stays as it is."""


class Changes(Generic[K, V]):
    """Changes over a base map.

    Attributes:
        base: the map before.
        changed: key to its final value, ``None`` for a key that ``base`` has and that is removed. In the order in which
            keys were first touched.
    """

    __slots__ = ("base", "changed")

    def __init__(self, base: Map[K, V]) -> None:
        self.base = base
        self.changed: dict[K, V | None] = {}

    @classmethod
    def between(cls, old: Map[K, V], new: Map[K, V]) -> Changes[K, V]:
        """Express ``new`` as changes over ``old``."""
        changes = cls(old)
        if old is not new:
            changed = changes.changed
            for key in old:
                if key not in new:
                    changed[key] = None
            for key, value in new.items():
                if key not in old or old[key] != value:
                    changed[key] = value
        return changes

    def get(self, key: K) -> V | None:
        """Return the value as changed so far."""
        if key in self.changed:
            return self.changed[key]
        return self.base.get(key)

    def put(self, key: K, value: V) -> None:
        """Set a value."""
        self.changed[key] = value

    def remove(self, key: K) -> None:
        """Remove a key; one that was added by these changes leaves no trace."""
        if key in self.base:
            self.changed[key] = None
        else:
            self.changed.pop(key, None)

    def apply(self) -> Map[K, V]:
        """Return the next map, sharing with the base what did not change."""
        if not self.changed:
            return self.base
        mutation = self.base.mutate()
        for key, value in self.changed.items():
            if value is None:
                mutation.pop(key, None)
            else:
                mutation[key] = value
        return mutation.finish()
