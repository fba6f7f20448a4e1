"""What is asked, and the kinds of requests that are drawn."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.records.codec import Message
from tests.interop.differential.comparing import shown

BROKERS: Final = range(11, 16)
UNKNOWN_BROKER: Final = 77
TOPICS: Final = ("orders", "users", "a.b", "c")
DRAWS_MAX: Final = 20
"""How often a step draws until there is a request that makes sense."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, with names where a controller draws.

    Attributes:
        is_read: it is answered from what is published, which Kafka's controller does after it answers a write. Asked
            again for as long as the answers differ.
    """

    message: Message
    version: int
    is_read: bool = False

    def __str__(self) -> str:
        return f"v{self.version} {shown(self.message)}"


class State:
    """What both controllers know before a request, by names."""

    def __init__(self, image: MetadataImage) -> None:
        self.image = image

    @property
    def brokers(self) -> dict[int, BrokerRegistration]:
        return dict(self.image.cluster.brokers)

    @property
    def topics(self) -> dict[str, bytes]:
        """The topics' ids by name."""
        return dict(sorted(self.image.topics.ids_by_name.items()))

    def epoch(self, broker_id: int) -> int:
        """Return the epoch of a broker's registration; of one that is not registered, one that never was."""
        found = self.image.cluster.brokers.get(broker_id)
        return -7 if found is None else found.broker_epoch

    @property
    def keeps_elr(self) -> bool:
        """Whether a partition has eligible leader replicas.

        Kafka's controller does not take a ClearElrRecord into its index of brokers. When such a topic is deleted and
        the broker unregistered afterwards, that ends in an internal error, every time, so nothing is asked that leads
        to it.
        """
        return any(one.elr for _, _, one in self.partitions())

    def partitions(self) -> list[tuple[str, int, PartitionRegistration]]:
        return [
            (name, number, one)
            for name, topic_id in self.topics.items()
            for number, one in sorted(self.image.topics.by_id[topic_id].partitions.items())
        ]


Draw: TypeAlias = Callable[[random.Random, State], Ask | None]
KINDS: Final[list[tuple[Draw, int]]] = []
"""What draws a request, and how often."""


def kind(weight: int) -> Callable[[Draw], Draw]:
    """Register a function that draws a request."""

    def registered(draw: Draw) -> Draw:
        KINDS.append((draw, weight))
        return draw

    return registered


def drawn(seed: str, image: MetadataImage) -> Ask | None:
    """Draw a request that fits a state; the same one for the same seed and state."""
    rng, state = random.Random(seed), State(image)
    draws, weights = zip(*KINDS, strict=True)
    for _ in range(DRAWS_MAX):
        (draw,) = rng.choices(draws, weights)
        if (ask := draw(rng, state)) is not None:
            return ask
    return None
