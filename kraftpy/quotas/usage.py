"""What is remembered of each entity that has a quota.

An entity that used nothing for an hour is forgotten, as in Kafka. Beyond :data:`ENTITIES_MAX` the one that used
something longest ago is: a client that gives itself a new client id for every request takes the place of others, and
not of memory. It gains nothing by that: each of its client ids has the whole quota of its own anyway.

Source: Kafka ``ClientQuotaManager`` (sensors expire after ``INACTIVE_SENSOR_EXPIRATION_TIME_SECONDS``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from kraftpy.quotas.resolution import UsageKey

ENTITIES_MAX: Final = 10_000
"""How many entities' usage of one kind of quota a node remembers; each takes about 1 KiB, and less than 3 KiB."""

IDLE_MS_MAX: Final = 3_600_000
"""After how long without usage an entity is forgotten (ms)."""

StateT = TypeVar("StateT")


class Usage(Generic[StateT]):
    """States by entity.

    Args:
        make: makes the state of a new entity.
        entities_max: see :data:`ENTITIES_MAX`.

    Attributes:
        displaced: how many entities were forgotten to make place for others.
    """

    def __init__(self, make: Callable[[], StateT], entities_max: int = ENTITIES_MAX) -> None:
        self._make = make
        self._max = entities_max
        self.displaced = 0
        self._states: OrderedDict[UsageKey, tuple[StateT, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._states)

    @property
    def entities_max(self) -> int:
        """How many there may be."""
        return self._max

    def of(self, key: UsageKey, now_ms: int) -> StateT:
        """Return an entity's state; that of one that is not remembered is new, and is kept when it is :meth:`used`."""
        self._forget_idle(now_ms)
        known = self._states.get(key)
        return self._make() if known is None else known[0]

    def used(self, key: UsageKey, state: StateT, now_ms: int) -> None:
        """Keep the state of an entity that used something just now."""
        self._states[key] = (state, now_ms)
        self._states.move_to_end(key)
        if len(self._states) > self._max:
            self._states.popitem(last=False)
            self.displaced += 1

    def _forget_idle(self, now_ms: int) -> None:
        states = self._states
        while states:
            key, (_, used_ms) = next(iter(states.items()))
            if now_ms - used_ms <= IDLE_MS_MAX:
                return
            del states[key]
