"""Requests about partitions: AlterPartition, ElectLeaders, reassignments, and which directories hold replicas."""

from __future__ import annotations

import random

from kraftpy.image.partitions import PartitionRegistration
from kraftpy.records.generated import rpc
from tests.interop.differential.asking import BROKERS, UNKNOWN_BROKER, Ask, State, kind
from tests.interop.differential.kinds.brokers import directories_of
from tests.interop.differential.kinds.topics import TIMEOUT_MS, replicas_of

NOWHERE = b"nowhere at all.."


def _isr(rng: random.Random, partition: PartitionRegistration, leader: int) -> list[int]:
    isr = [each for each in partition.replicas if rng.random() < 0.7]
    if leader not in isr and rng.random() < 0.95:
        isr.append(leader)
    return [*isr, rng.choice((-1, 13, UNKNOWN_BROKER))] if rng.random() < 0.05 else isr


def _alteration(
    rng: random.Random, state: State, number: int, one: PartitionRegistration, leader: int, version: int
) -> rpc.AlterPartitionRequestPartitionData:
    member = rpc.AlterPartitionRequestBrokerState
    isr = _isr(rng, one, leader)
    members = [member(each, state.epoch(each) if rng.random() < 0.6 else rng.choice((-1, -1, 5))) for each in isr]
    is_recovery_kept = rng.random() < 0.7
    return rpc.AlterPartitionRequestPartitionData(
        partition_index=number if rng.random() < 0.97 else 9,
        leader_epoch=one.leader_epoch + rng.choice((0,) * 12 + (1, -1)),
        new_isr=isr if version < 3 else [],
        new_isr_with_epochs=members if version >= 3 else [],
        leader_recovery_state=int(one.leader_recovery_state) if is_recovery_kept else rng.choice((0, 0, 1)),
        partition_epoch=one.partition_epoch + rng.choice((0,) * 12 + (1, -1)),
    )


@kind(10)
def alter(rng: random.Random, state: State) -> Ask | None:
    """Let a leader, or another broker, alter ISRs; the epochs are right for the most part."""
    found = state.partitions()
    if not found:
        return None
    chosen = rng.sample(found, min(len(found), rng.choice((1, 1, 1, 2))))
    named = chosen[0][2].leader
    leader = named if named is not None and rng.random() < 0.9 else rng.choice(BROKERS)
    version = rng.choice((2, 3, 3))
    topics = []
    for name, number, one in chosen:
        topic_id = state.topics[name] if rng.random() < 0.98 else NOWHERE
        row = _alteration(rng, state, number, one, leader, version)
        topics.append(rpc.AlterPartitionRequestTopicData(topic_id, [row]))
    epoch = state.epoch(leader) - (rng.random() < 0.03)
    return Ask(rpc.AlterPartitionRequest(leader, epoch, topics), version)


@kind(4)
def elect(rng: random.Random, state: State) -> Ask:
    """Elect preferred or unclean leaders, of all partitions or of some."""
    row = rpc.ElectLeadersRequestTopicPartitions
    found = state.partitions()
    rows: list[rpc.ElectLeadersRequestTopicPartitions] | None = None
    if rng.random() < 0.75:
        chosen = rng.sample(found, min(len(found), rng.randint(0, 3)))
        rows = [row(name, [number]) for name, number, _ in chosen]
        if rng.random() < 0.1:
            rows.append(row(rng.choice(("ghost", "")), [0, 1]))
        if rng.random() < 0.1 and found:
            rows.append(row(found[0][0], [7]))
    version = rng.choice((0, 1, 2))
    return Ask(rpc.ElectLeadersRequest(rng.choice((0, 0, 0, 1)) if version else 0, rows, TIMEOUT_MS), version)


@kind(7)
def reassign(rng: random.Random, state: State) -> Ask | None:
    """Begin and cancel reassignments."""
    row = rpc.AlterPartitionReassignmentsRequestReassignablePartition
    found = state.partitions()
    if not found:
        return None
    topics = []
    for name, number, one in rng.sample(found, min(len(found), rng.choice((1, 1, 2)))):
        is_underway = bool(one.adding_replicas or one.removing_replicas)
        is_cancelled = rng.random() < (0.6 if is_underway else 0.1)
        target = None if is_cancelled else replicas_of(rng, state, rng.randint(1, 4))
        if target is not None and rng.random() < 0.2:
            target = rng.sample(one.replicas, len(one.replicas))
        shown = (number, name) if rng.random() < 0.97 else rng.choice(((9, name), (0, "ghost")))
        rows = [row(shown[0], target)]
        topics.append(rpc.AlterPartitionReassignmentsRequestReassignableTopic(shown[1], rows))
    allows = rng.random() < 0.8
    version = 1 if not allows else rng.choice((0, 1))
    return Ask(rpc.AlterPartitionReassignmentsRequest(TIMEOUT_MS, allows, topics), version)


@kind(2)
def list_reassignments(rng: random.Random, state: State) -> Ask:
    """List the reassignments under way, all or those of some partitions."""
    row = rpc.ListPartitionReassignmentsRequestListPartitionReassignmentsTopics
    rows = None
    if rng.random() < 0.5:
        rows = [row(name, rng.choice(([0], [0, 1, 9], []))) for name in (*state.topics, "ghost") if rng.random() < 0.6]
    return Ask(rpc.ListPartitionReassignmentsRequest(TIMEOUT_MS, rows), 0)


@kind(4)
def assign(rng: random.Random, state: State) -> Ask | None:
    """Let a broker say which directories hold its replicas."""
    found = state.partitions()
    if not found:
        return None
    partition, topic, directory = (
        rpc.AssignReplicasToDirsRequestPartitionData,
        rpc.AssignReplicasToDirsRequestTopicData,
        rpc.AssignReplicasToDirsRequestDirectoryData,
    )
    broker_id = rng.choice(rng.choice(found)[2].replicas) if rng.random() < 0.9 else rng.choice(BROKERS)
    rows = []
    for name, number, one in rng.sample(found, min(len(found), rng.choice((1, 1, 2, 3)))):
        if broker_id not in one.replicas and rng.random() < 0.8:
            continue
        choice = rng.random()
        where = rng.choice(directories_of(broker_id))
        if choice > 0.9:
            where = rng.choice((bytes(16), bytes(15) + b"\1", bytes(15) + b"\2", NOWHERE, *directories_of(14)))
        topic_id = state.topics[name] if rng.random() < 0.97 else NOWHERE
        rows.append(directory(where, [topic(topic_id, [partition(number if rng.random() < 0.97 else 9)])]))
    epoch = state.epoch(broker_id) - (rng.random() < 0.03)
    return Ask(rpc.AssignReplicasToDirsRequest(broker_id, epoch, rows), 0)
