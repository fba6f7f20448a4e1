"""What a placer is given, and what it returns."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from kraftpy.model.errors import KraftError
from kraftpy.model.ids import NodeId

_WORD: Final = 2**64 - 1

Replicas = tuple[NodeId, ...]
"""The brokers of one partition, the preferred leader first."""


class PlacementError(KraftError):
    """No placement is possible; the message says why, in the words that clients of Kafka know."""


class RackMode(enum.Enum):
    """What a placer does about racks. Source: Kafka ``RackAwareMode``."""

    SAFE = "safe"
    """Use racks where every broker has one; else place as if none had."""
    ENFORCED = "enforced"
    """Use racks; refuse where some brokers have one and others have none."""
    DISABLED = "disabled"
    """Place as if no broker had a rack."""


class UsableBroker(NamedTuple):
    """A broker that may get replicas."""

    id: NodeId
    rack: str | None
    fenced: bool


class PlacementSpec(NamedTuple):
    """The partitions to be placed.

    Attributes:
        start_partition: the id of the first of them; above 0 when a topic grows.
        first_leader: the preferred leader of the topic's partition 0; ``None`` for a new topic.
    """

    start_partition: int
    partitions: int
    replication_factor: int
    racks: RackMode = RackMode.SAFE
    first_leader: NodeId | None = None


class RandomNumbers(Protocol):
    """Where a placer's random numbers come from."""

    def below(self, bound: int) -> int:
        """Draw a number in ``[0, bound)``."""
        ...


class SeededRandom:
    """Numbers that follow from a seed, on every machine and in every version alike.

    Source: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def below(self, bound: int) -> int:
        """Draw a number in ``[0, bound)``; ``bound`` is far below 2**64, so that each is as likely as any other."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return (mixed ^ (mixed >> 31)) % bound


class Placer(Protocol):
    """Chooses brokers for new partitions.

    Attributes:
        name: what it is called in ``kraftpy.replica.placer`` and in requests.
    """

    name: str

    def plan(self, spec: PlacementSpec, brokers: Sequence[UsableBroker], numbers: RandomNumbers) -> Iterator[Replicas]:
        """Choose the replicas of each partition, in the order of their ids, as the iterator goes on.

        Raises:
            PlacementError: these brokers cannot hold these partitions; before anything is chosen.
        """
        ...
