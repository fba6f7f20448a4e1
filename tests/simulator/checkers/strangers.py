"""Where connections have identities, what a stranger sends in another node's name changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from kraftpy.raft.messages import RaftRequest
    from tests.simulator.node import SimulatedNode
    from tests.simulator.replica import Facts


class StrangersChecker(Checker):
    """Compares a node before and after a forged request."""

    name = "strangers"

    def on_forged(self, node: SimulatedNode, request: RaftRequest, before: Facts, after: Facts) -> None:
        changed = [
            f"{what}: {before.get(what)} -> {after.get(what)}" for what in after if before.get(what) != after[what]
        ]
        self.require(
            not changed,
            "a forged request changes nothing",
            node.id, type(request).__name__, *changed,
        )  # fmt: skip
