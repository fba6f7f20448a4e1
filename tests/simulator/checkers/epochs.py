"""Epochs and high watermarks never go back; a leader that was suspended for too long leads no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.election import ElectionState
from kraftpy.raft.invariants import check_replica
from kraftpy.raft.ready import Role
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


EPOCHS_MAX = 1_000_000
"""More elections than any history has, and fewer than what strangers claim."""


class EpochsChecker(Checker):
    """Compares each node with its past.

    Attributes:
        lost: the highest epoch that a voter's disk knew which was lost since.
    """

    name = "epochs"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self.lost = 0
        self._stored: dict[int, int] = {}
        self._running: dict[int, tuple[int, int]] = {}
        self._was_suspended: dict[int, int] = {}
        self._checked: dict[int, list[ElectionState]] = {}

    def on_start(self, node: SimulatedNode) -> None:
        self._running[node.id] = (0, -1)
        self._check_stored(node)

    def on_wipe(self, node: SimulatedNode) -> None:
        lost = self._stored.pop(node.id, 0)
        self.lost = max(self.lost, lost) if node.is_controller else self.lost
        self._checked.pop(node.id, None)

    def on_vote_lost(self, node: SimulatedNode) -> None:
        self.on_wipe(node)

    def on_end(self, node: SimulatedNode) -> None:
        self._check_stored(node)
        self._was_suspended.pop(node.id, None)

    def on_jump(self, node: SimulatedNode, ahead_ms: int) -> None:
        replica = node.running.replica
        needs_others = any(node_id != node.replica_id for node_id in replica.voters.ids)
        if replica.role is Role.LEADER and needs_others and ahead_ms >= 2 * node.config.fetch_timeout_ms:
            self._was_suspended[node.id] = replica.epoch

    def after_turn(self, node: SimulatedNode) -> None:
        replica = node.running.replica
        check_replica(replica)
        resigned = self._was_suspended.pop(node.id, None)
        self.require(
            replica.role is not Role.LEADER or replica.epoch != resigned,
            "a leader that was suspended for too long has resigned before it does anything else",
            node.id, replica.epoch,
        )  # fmt: skip
        self._check_stored(node)
        self.require(replica.epoch < EPOCHS_MAX, "epochs rise no faster than elections can", node.id, replica.epoch)
        now = (replica.epoch, -1 if replica.high_watermark is None else replica.high_watermark)
        before = self._running[node.id]
        if now != before:
            self.require(now[0] >= before[0], "a node's epoch never goes back", node.id, before, now)
            self.require(now[1] >= before[1], "a node's high watermark never goes back", node.id, before, now)
            self._running[node.id] = now

    def _check_stored(self, node: SimulatedNode) -> None:
        if node.disk.rotten:
            return
        states = node.disk.possible_elections()
        if states is self._checked.get(node.id):
            return
        self._checked[node.id] = states
        stored = min(state.epoch for state in states)
        before = self._stored.get(node.id, 0)
        self.require(stored >= before, "a stored epoch never goes back", node.id, before, stored)
        self._stored[node.id] = stored
