"""Equal logs give equal states: no replica's digest differs from another's, and some are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.raft.ready import Event, StateAgreed, StateDisputed, StateDiverged
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode


class DigestsChecker(Checker):
    """Listens to what replicas say of each other's states.

    Attributes:
        agreed: how often a replica heard that a majority has its state.
    """

    name = "digests"
    agreed = 0

    def on_event(self, node: SimulatedNode, event: Event) -> None:
        differs = isinstance(event, StateDiverged | StateDisputed)
        self.require(not differs, "equal logs give equal states", node.id, event)
        self.agreed += isinstance(event, StateAgreed)
