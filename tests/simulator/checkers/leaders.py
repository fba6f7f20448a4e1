"""One leader per epoch, whether it is claimed, followed or stored, and one process that leads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.election import ElectionState
from kraftpy.raft.ready import Role
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


class LeadersChecker(Checker):
    """Compares each node with the leaders that others know."""

    name = "leaders"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._leaders: dict[int, int] = {}
        self._claims: dict[int, int] = {}
        self._checked: dict[int, list[ElectionState]] = {}

    def on_start(self, node: SimulatedNode) -> None:
        self._check_stored(node)

    def on_end(self, node: SimulatedNode) -> None:
        self._check_stored(node)

    def on_wipe(self, node: SimulatedNode) -> None:
        """Forget the leaders of epochs that no disk of a voter knows any more.

        Each was elected by a majority that stored its vote. If no disk knows the epoch, a majority of disks was lost
        since, and no node can know that the epoch had a leader.
        """
        self._checked.pop(node.id, None)
        disks = [each.disk for each in self.sim.controllers()]
        if any(disk.rotten for disk in disks):
            return  # what a rotten disk knows cannot be read
        known = max((state.epoch for disk in disks for state in disk.possible_elections()), default=0)
        for epochs in (self._leaders, self._claims):
            for epoch in [one for one in epochs if one > known]:
                del epochs[epoch]

    def after_turn(self, node: SimulatedNode) -> None:
        replica = node.running.replica
        self._check_stored(node)
        leader = replica.leader
        self._one_leader(node, leader.epoch, leader.leader_id, "follows")
        if replica.role is Role.LEADER:
            self._one_leader(node, replica.epoch, node.replica_id, "claims")
            by = self._claims.setdefault(replica.epoch, node.id)
            self.require(by == node.id, "one process leads an epoch", replica.epoch, by, node.id)

    def _check_stored(self, node: SimulatedNode) -> None:
        if node.disk.rotten:
            return
        states = node.disk.possible_elections()
        if states is not self._checked.get(node.id):
            self._checked[node.id] = states
            for state in states:
                self._one_leader(node, state.epoch, state.leader_id, "stores")

    def _one_leader(self, node: SimulatedNode, epoch: int, leader_id: int | None, what: str) -> None:
        if leader_id is not None:
            known = self._leaders.setdefault(epoch, leader_id)
            self.require(known == leader_id, "an epoch has one leader", node.id, what, epoch, leader_id, known)
