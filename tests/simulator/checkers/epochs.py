"""One leader per epoch, claimed or stored; epochs and high watermarks never go back; who stood still leads no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.raft.checks import check_replica
from kraftpy.raft.ready import Role
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode


class EpochsChecker(Checker):
    """Compares each node with its past, and with the leaders that others know."""

    name = "epochs"

    def __init__(self, sim: object) -> None:
        super().__init__(sim)  # type: ignore[arg-type]
        self._leaders: dict[int, int] = {}
        self._claims: dict[int, int] = {}
        self._stored: dict[int, int] = {}
        self._running: dict[int, tuple[int, int]] = {}
        self._stood_still: dict[int, int] = {}

    def on_start(self, node: SimulatedNode) -> None:
        self._running[node.id] = (0, -1)
        self._check_stored(node)

    def _check_stored(self, node: SimulatedNode) -> None:
        states = node.disk.possible_elections()
        stored = min(states, key=lambda state: state.epoch)
        before = self._stored.get(node.id, 0)
        self.require(stored.epoch >= before, "a stored epoch never goes back", node.id, before, stored)
        self._stored[node.id] = stored.epoch
        for state in states:
            self._one_leader(node, state.epoch, state.leader_id, "stores")

    def _one_leader(self, node: SimulatedNode, epoch: int, leader_id: int | None, what: str) -> None:
        if leader_id is not None:
            known = self._leaders.setdefault(epoch, leader_id)
            self.require(
                known == leader_id, "an epoch has one leader", f"node {node.id} {what}", epoch, leader_id, known
            )

    def on_wipe(self, node: SimulatedNode) -> None:
        self._stored.pop(node.id, None)

    def on_end(self, node: SimulatedNode) -> None:
        self._check_stored(node)
        self._stood_still.pop(node.id, None)

    def on_jump(self, node: SimulatedNode, ahead_ms: int) -> None:
        replica = node.running.replica
        needs_others = len(replica.voters) > 1
        if replica.role is Role.LEADER and needs_others and ahead_ms >= 2 * node.config.fetch_timeout_ms:
            self._stood_still[node.id] = replica.epoch

    def after_turn(self, node: SimulatedNode) -> None:
        replica = node.running.replica
        check_replica(replica)
        resigned = self._stood_still.pop(node.id, None)
        self.require(
            replica.role is not Role.LEADER or replica.epoch != resigned,
            "a leader that stood still for too long has resigned before it does anything else",
            node.id, replica.epoch,
        )  # fmt: skip
        self._check_stored(node)
        self._one_leader(node, replica.leader.epoch, replica.leader.leader_id, "follows")
        if replica.role is Role.LEADER:
            self._one_leader(node, replica.epoch, node.replica_id, "claims")
            by = self._claims.setdefault(replica.epoch, node.id)
            self.require(by == node.id, "one process leads an epoch", replica.epoch, by, node.id)
        now = (replica.epoch, -1 if replica.high_watermark is None else replica.high_watermark)
        before = self._running[node.id]
        self.require(now[0] >= before[0], "a node's epoch never goes back", node.id, before, now)
        self.require(now[1] >= before[1], "a node's high watermark never goes back", node.id, before, now)
        self._running[node.id] = now
