"""CreateTopics, DeleteTopics and CreatePartitions."""

from __future__ import annotations

import random
from typing import Final

from kraftpy.records.generated import rpc
from tests.interop.differential.asking import BROKERS, TOPICS, UNKNOWN_BROKER, Ask, State, kind

topic, assigned, key = (
    rpc.CreateTopicsRequestCreatableTopic,
    rpc.CreateTopicsRequestCreatableReplicaAssignment,
    rpc.CreateTopicsRequestCreatableTopicConfig,
)
TIMEOUT_MS: Final = 30_000
BAD_NAMES: Final = ("", "a b", ".", "..", "n" * 250, "__cluster_metadata", "ü")
CONFIGS: Final = (
    ("retention.ms", "1000"), ("retention.ms", "x"), ("retention.ms", None), ("min.insync.replicas", "2"),
    ("min.insync.replicas", "1"), ("min.insync.replicas", "0"), ("cleanup.policy", "compact"), ("no.such.key", "1"),
    ("cleanup.policy", "nonsense"), ("compression.type", "zstd"), ("unclean.leader.election.enable", "true"),
    ("remote.storage.enable", "true"), ("segment.bytes", "1048576"), ("max.message.bytes", "-1"),
)  # fmt: skip


def replicas_of(rng: random.Random, state: State, count: int) -> list[int]:
    """Draw replicas: most of the time brokers that are there, and each once."""
    if rng.random() < 0.05:
        return [rng.choice((*BROKERS, UNKNOWN_BROKER, -1)) for _ in range(rng.randrange(4))]
    known = sorted(state.brokers) or list(BROKERS)
    return rng.sample(known, min(count, len(known)))


def _manual(rng: random.Random, state: State, name: str) -> rpc.CreateTopicsRequestCreatableTopic:
    count, replication = rng.randint(1, 3), rng.randint(1, 4)
    first = 1 if rng.random() < 0.03 else 0
    rows = [assigned(number + first, replicas_of(rng, state, replication)) for number in range(count)]
    if rng.random() < 0.03:
        rows.append(assigned(0, replicas_of(rng, state, replication)))
    sizes = (-1, -1) if rng.random() < 0.95 else (rng.choice((-1, 1)), rng.choice((-1, 1)))
    configs = [key(*each) for each in rng.sample(CONFIGS, rng.choice((0, 0, 0, 1, 2)))]
    return topic(name, *sizes, rows, configs)


def _counted(rng: random.Random, name: str) -> rpc.CreateTopicsRequestCreatableTopic:
    configs = [key(*each) for each in rng.sample(CONFIGS, rng.choice((0, 0, 1)))]
    return topic(name, rng.choice((-2, -1, 0, 1, 3)), rng.choice((-2, -1, 0, 1, 2, 6)), [], configs)


@kind(8)
def create(rng: random.Random, state: State) -> Ask:
    """Create topics with replicas that are given."""
    names = [rng.choice(TOPICS) if rng.random() < 0.93 else rng.choice(BAD_NAMES) for _ in range(rng.choice((1, 1, 2)))]
    asked = [_manual(rng, state, name) for name in names]
    version = rng.choice((5, 6, 7, 7))
    return Ask(rpc.CreateTopicsRequest(asked, TIMEOUT_MS, validate_only=rng.random() < 0.1), version)


@kind(2)
def place(rng: random.Random, state: State) -> Ask:
    """Try to create topics whose replicas the controller places; where it places them is random."""
    del state
    asked = [_counted(rng, rng.choice((*TOPICS, "new", *BAD_NAMES))) for _ in range(rng.choice((1, 2)))]
    return Ask(rpc.CreateTopicsRequest(asked, TIMEOUT_MS, validate_only=True), 7)


@kind(2)
def delete(rng: random.Random, state: State) -> Ask:
    """Delete topics by name or by id."""
    row = rpc.DeleteTopicsRequestDeleteTopicState
    rows = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        name = rng.choice((*TOPICS, "ghost"))
        topic_id = state.topics.get(name, b"nowhere at all..")
        rows.append(row(name=name) if rng.random() < 0.6 else row(name=None, topic_id=topic_id))
    if rng.random() < 0.05:
        rows.append(row(name=rng.choice((None, "both")), topic_id=rng.choice((bytes(16), b"x" * 16))))
    return Ask(rpc.DeleteTopicsRequest(topics=rows, timeout_ms=TIMEOUT_MS), 6)


@kind(2)
def grow(rng: random.Random, state: State) -> Ask:
    """Add partitions with replicas that are given; or try it with ones that the controller would place."""
    row = rpc.CreatePartitionsRequestCreatePartitionsAssignment
    asked, dry = [], rng.random() < 0.3
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice((*TOPICS, "ghost"))
        found = state.image.topics.named(name)
        held = len(found.partitions) if found else 1
        count = rng.choice((held + 1, held + 1, held + 2, held, held - 1, 0, -1))
        given = max(0, count - held) if rng.random() < 0.9 else rng.randint(0, 2)
        rows = [row(replicas_of(rng, state, rng.randint(1, 4))) for _ in range(given)]
        is_placed = dry and rng.random() < 0.5
        asked.append(rpc.CreatePartitionsRequestCreatePartitionsTopic(name, count, None if is_placed else rows))
    return Ask(rpc.CreatePartitionsRequest(asked, TIMEOUT_MS, validate_only=dry), 3)
