"""Predicates that must hold of a replica, and of a cluster, at every moment.

They are shared by the tests, the scenarios and the simulator, and are cheap enough to run after every event. Each
raises :class:`~kraftpy.model.invariant.InvariantViolation` and names what it saw.

Source: raft-protocol §21; Raft Fig. 3; Kafka ``RaftEventSimulationTest``.
"""

from __future__ import annotations

from collections.abc import Iterable

from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import ORIGIN, Epoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.ready import Role
from kraftpy.raft.replica import Replica
from kraftpy.raft.roles import Follower, Leader
from kraftpy.raft.vote_tally import majority_of


def check_replica(replica: Replica) -> None:
    """Check one replica's state against itself."""
    state = replica.state
    log = state.log
    invariant(log.start_offset <= log.flushed_offset <= log.end_offset, "start <= flushed <= end", replica.key, log)
    invariant(log.last_epoch <= state.epoch, "no record is of an epoch that has not begun", replica.key, log.last_epoch)
    epochs = [epoch for epoch, _ in log.epochs.entries]
    invariant(epochs == sorted(set(epochs)), "epochs in the log rise", replica.key, epochs)
    if state.high_watermark is not None:
        invariant(state.high_watermark <= log.end_offset, "the high watermark is in the log", replica.key)
    if log.snapshots and log.snapshots[0] != ORIGIN:
        invariant(log.start_offset <= log.snapshots[0].offset, "snapshots are not below the log start", log.snapshots)
    role = state.role
    if isinstance(role, Follower):
        invariant(role.leader_id != state.node_id and bool(role.leader_endpoints), "a follower has a leader", role)
    if isinstance(role, Leader):
        _check_leader(replica, role)


def _check_leader(replica: Replica, leader: Leader) -> None:
    log = replica.state.log
    invariant(leader.epoch_start_offset < log.end_offset, "a leader's first record is in its log", leader)
    invariant(log.last_epoch == leader.epoch, "a leader's log ends in its own epoch", leader, log.last_epoch)
    if leader.high_watermark is not None:
        invariant(leader.high_watermark > leader.epoch_start_offset, "a leader commits its own epoch first", leader)


class ClusterCheck:
    """Facts about a whole cluster over time: one leader per epoch, epochs and high watermarks that never go back."""

    def __init__(self) -> None:
        self._leaders: dict[Epoch, NodeId] = {}
        self._epochs: dict[ReplicaKey, Epoch] = {}
        self._committed = 0

    def check(self, replicas: Iterable[Replica]) -> None:
        """Check the replicas that are running, after an event."""
        running = sorted(replicas, key=lambda replica: replica.key.node_id)
        for replica in running:
            check_replica(replica)
            self._check_epoch(replica)
        self._check_high_watermark(running)

    def _check_epoch(self, replica: Replica) -> None:
        key, leader = replica.key, replica.leader
        invariant(leader.epoch >= self._epochs.get(key, 0), "a node's epoch never falls", key, leader)
        self._epochs[key] = leader.epoch
        if leader.leader_id is not None:
            known = self._leaders.setdefault(leader.epoch, leader.leader_id)
            invariant(known == leader.leader_id, "an epoch has one leader", key, leader, known)

    def _check_high_watermark(self, running: list[Replica]) -> None:
        leaders = [replica for replica in running if replica.role is Role.LEADER]
        if not leaders:
            return
        newest = max(leaders, key=lambda replica: replica.epoch)
        role = newest.state.role
        if isinstance(role, Leader) and role.high_watermark is not None:
            invariant(role.high_watermark >= self._committed, "the high watermark never falls", newest.key, role)
            self._committed = role.high_watermark

    def forget_epoch(self, key: ReplicaKey) -> None:
        """Allow a replica to start over: its disk was lost."""
        self._epochs.pop(key, None)


def check_majority_holds(ends: Iterable[int], voters: int, high_watermark: int) -> None:
    """Check that a majority of the voters' disks reach the high watermark."""
    holding = sum(1 for end in ends if end >= high_watermark)
    invariant(holding >= majority_of(voters), "a majority holds what is committed", high_watermark, holding, voters)
