"""Limit the rate at which replicas are copied while they move: pure functions from moves to configs.

The broker configs have the rate; the topic configs name the replicas that it applies to. Brokers that store records act
on both; the controllers only keep them. They stay until they are deleted, whether replicas still move or not.

Source: KIP-73; Kafka ``ReassignPartitionsCommand``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType

LEADER_RATE: Final = "leader.replication.throttled.rate"
FOLLOWER_RATE: Final = "follower.replication.throttled.rate"
LEADER_REPLICAS: Final = "leader.replication.throttled.replicas"
FOLLOWER_REPLICAS: Final = "follower.replication.throttled.replicas"

ALL_REPLICAS: Final = "*"
"""What the topic configs name where a list of replicas would be longer than a config value can be."""

VALUE_BYTES_MAX: Final = 32_767
"""How long a config value can be. Source: Kafka ``ConfigurationControlManager``."""

Settings: TypeAlias = dict[tuple[ResourceType, str], dict[str, str | None]]
"""Values by resource (type and name) and key; ``None`` deletes the key."""


class Move(NamedTuple):
    """A partition whose replicas move.

    Attributes:
        sources: the brokers that have it.
        targets: the brokers that are to have it.
    """

    topic: str
    partition: int
    sources: Sequence[NodeId]
    targets: Sequence[NodeId]


def throttles(moves: Iterable[Move], rate: int) -> Settings:
    """Return the configs that limit these moves, and replication to new replicas only.

    Args:
        moves: all that are under way, and those that are about to begin.
        rate: bytes per second of each broker, for what it sends and for what it receives.
    """
    leaders: dict[str, list[str]] = {}
    followers: dict[str, list[str]] = {}
    brokers: set[NodeId] = set()
    for move in moves:
        added = [each for each in move.targets if each not in move.sources]
        leaders.setdefault(move.topic, []).extend(f"{move.partition}:{each}" for each in move.sources)
        followers.setdefault(move.topic, []).extend(f"{move.partition}:{each}" for each in added)
        brokers.update(move.sources, move.targets)
    settings: Settings = {
        (ResourceType.TOPIC, topic): {
            LEADER_REPLICAS: _listed(replicas),
            FOLLOWER_REPLICAS: _listed(followers[topic]),
        }
        for topic, replicas in leaders.items()
    }
    for broker_id in sorted(brokers):
        settings[ResourceType.BROKER, str(broker_id)] = {LEADER_RATE: str(rate), FOLLOWER_RATE: str(rate)}
    return settings


def without_throttles(brokers: Iterable[NodeId], topics: Iterable[str]) -> Settings:
    """Return the deletion of these configs from brokers and topics, whether they have them or not."""
    settings: Settings = {
        (ResourceType.BROKER, str(each)): dict.fromkeys((LEADER_RATE, FOLLOWER_RATE)) for each in sorted(set(brokers))
    }
    for topic in sorted(set(topics)):
        settings[ResourceType.TOPIC, topic] = dict.fromkeys((LEADER_REPLICAS, FOLLOWER_REPLICAS))
    return settings


def _listed(replicas: Iterable[str]) -> str:
    text = ",".join(dict.fromkeys(replicas))
    return text if len(text) <= VALUE_BYTES_MAX else ALL_REPLICAS
