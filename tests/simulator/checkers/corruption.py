"""Disks that return what was never written: a node says so, naming the file, or it did no harm; nothing in between.

This file hears of those that say so. That nothing is in between is what the others find: a start reads everything that
counts, so from then on (and from the first moment on, in what a node shows to others) every byte is held against what
was committed, and every vote against those that were given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.errors import StorageError
from tests.simulator.checkers.base import Checker, Refused

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


class CorruptionChecker(Checker):
    """Hears the nodes out that stop.

    Attributes:
        reported: how many said that their disk is corrupt.
    """

    name = "corruption"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self.reported = 0

    def on_repair(self, node: SimulatedNode, text: str) -> None:
        # What a wrong memory wrote into a snapshot is corruption, too.
        was_harmed = bool(node.disk.harmed or node.memory_harmed)
        self.require(was_harmed, "only a corrupt log is quarantined", node.id, text)
        self.reported += 1
        self.sim.world.counts["corruption repaired"] += 1

    def on_corruption(self, node: SimulatedNode, error: StorageError) -> None:
        self.reported += 1
        self.sim.world.counts["corruption reported"] += 1
        places = (*node.disk.directories, node.disk.log_path)
        self.require(
            any(place in str(error) for place in places), "corruption is reported with its file", node.id, repr(error)
        )
        if len(self.sim.first_voters) == 1 and node.is_controller and not self.sim.options.spares:
            raise Refused("nobody else has what this one had: a copy must be found")
