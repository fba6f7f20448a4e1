"""Requests of strangers cost a leader no leadership: voters are answered between two slices of a flood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kraftpy.raft.ready import Role
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


HARMLESS = ("flood", "forged request")
"""Faults that must not cost a leader its leadership."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A leader that was flooded, or whose followers were.

    Attributes:
        epoch: the one that it leads.
        troubles: how much had gone wrong by then beside floods.
        until_ms: when nothing of the flood is left to be heard of.
    """

    leader: SimulatedNode
    incarnation: int
    epoch: int
    troubles: int
    until_ms: int


class FloodsChecker(Checker):
    """Watches the node that leads when a flood begins, as long as nothing else goes wrong."""

    name = "floods"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._watch: Watch | None = None
        self._calm_since_ms = 0
        self._troubles = 0

    def on_flood(self, node: SimulatedNode) -> None:
        self._look_for_trouble()
        leader = self.sim.leader()
        if self._watch is None and leader is not None and self._is_calm(leader):
            options = self.sim.options
            lasts_ms = options.flood_items * options.item_cost_us // 1_000 + 2 * options.fetch_timeout_ms
            until_ms = self.sim.world.now_ms + lasts_ms
            self._watch = Watch(leader, leader.incarnation, leader.running.replica.epoch, self._troubles, until_ms)

    def after_turn(self, node: SimulatedNode) -> None:
        self._look_for_trouble()
        watch = self._watch
        if watch is None:
            return
        is_over = self.sim.network.healthy or self.sim.world.now_ms > watch.until_ms
        if is_over or self._troubles != watch.troubles:
            self._watch = None
            return
        if node is not watch.leader:
            return
        replica = node.running.replica
        self.require(
            replica.role is Role.LEADER and replica.epoch == watch.epoch and node.incarnation == watch.incarnation,
            "a flood deposes no leader",
            f"node {node.id} led epoch {watch.epoch}, and is {replica.role.value} in {replica.epoch}",
        )

    def _look_for_trouble(self) -> None:
        counts = self.sim.world.counts
        troubles = sum(counts.values()) - sum(counts[kind] for kind in HARMLESS)
        if troubles != self._troubles:
            self._troubles, self._calm_since_ms = troubles, self.sim.world.now_ms

    def _is_calm(self, leader: SimulatedNode) -> bool:
        """Return whether earlier faults have been over for a while: all nodes run and follow this leader."""
        if self.sim.network.cut or self.sim.network.cut_kinds:
            return False
        if self.sim.world.now_ms - self._calm_since_ms < 2 * self.sim.options.fetch_timeout_ms:
            return False
        controllers = self.sim.controllers()
        epoch = leader.running.replica.epoch
        return all(node.is_up and node.running.replica.epoch == epoch for node in controllers)
