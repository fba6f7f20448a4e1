"""Topics whose replicas are named, so that it is known which broker leads which partition, and in which epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bench.brokers import Brokers
from kraftpy.model.ids import Uuid
from kraftpy.records.generated import rpc

REPLICAS: Final = 3
TOPIC_PARTITIONS_MAX: Final = 100
REQUEST_PARTITIONS_MAX: Final = 2_000
"""Of the requests that create them: far below what Kafka's controllers take."""
TIMEOUT_MS: Final = 60_000
UNCHANGED: Final = -2
"""What a PartitionChangeRecord has for a leader that stays."""


@dataclass(slots=True)
class Partition:
    """A partition as its leader knows it.

    Attributes:
        replicas: the first of them is the preferred leader, and leads at first.
        isr: the replicas in sync.
        leader: the broker that leads it.
        partition_epoch: how often it was changed.
    """

    topic_id: Uuid
    index: int
    replicas: list[int]
    isr: list[int] = field(default_factory=list)
    leader_epoch: int = 0
    partition_epoch: int = 0
    leader: int = field(init=False)

    def __post_init__(self) -> None:
        self.leader = self.replicas[0]


def assignments(random: Random, leaders: Sequence[int], followers: Sequence[int]) -> list[list[int]]:
    """Return replicas for a partition of each leader, the followers drawn."""
    return [[leader, *random.sample([one for one in followers if one != leader], REPLICAS - 1)] for leader in leaders]


async def create_assigned(
    brokers: Brokers, name: str, replicas: Sequence[list[int]], random: Random
) -> list[Partition]:
    """Create a partition for each list of replicas, in topics of mixed sizes.

    Raises:
        RuntimeError: a topic was rejected.
    """
    found = []
    for topics in _requests(name, replicas, random):
        row = rpc.CreateTopicsRequestCreatableReplicaAssignment
        request = rpc.CreateTopicsRequest(
            [
                rpc.CreateTopicsRequestCreatableTopic(
                    topic, -1, -1, [row(index, each) for index, each in enumerate(assigned)], []
                )
                for topic, assigned in topics.items()
            ],
            TIMEOUT_MS,
        )
        ids = {answer.name: answer.topic_id for answer in await brokers.create(request)}
        found += [
            Partition(ids[topic], index, each, list(each))
            for topic, assigned in topics.items()
            for index, each in enumerate(assigned)
        ]
    return found


def _requests(name: str, replicas: Sequence[list[int]], random: Random) -> Iterator[dict[str, Sequence[list[int]]]]:
    """Cut the partitions into topics, and the topics into requests."""
    topics: dict[str, Sequence[list[int]]] = {}
    at = held = number = 0
    while at < len(replicas):
        size = random.randint(1, TOPIC_PARTITIONS_MAX)
        topics[f"{name}-{number}"] = replicas[at : at + size]
        at, held, number = at + size, held + size, number + 1
        if held > REQUEST_PARTITIONS_MAX - TOPIC_PARTITIONS_MAX or at >= len(replicas):
            yield topics
            topics, held = {}, 0
