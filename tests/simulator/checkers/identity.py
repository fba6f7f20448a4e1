"""A node has the cluster id in memory only after every one of its meta.properties has it on the platter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode


class IdentityChecker(Checker):
    """Looks at memories and files."""

    name = "identity"

    def on_start(self, node: SimulatedNode) -> None:
        self.on_cluster_id(node)

    def on_cluster_id(self, node: SimulatedNode) -> None:
        process = node.process
        known = None if process is None else process.replica.cluster_id or process.cluster_id.value
        if process is None or known is None or node.disk.rotten:
            return
        for directory in process.cluster_ids.ensemble.found:
            states = node.disk.possible_meta_properties(directory)
            self.require(
                all(state is not None and state.cluster_id == known for state in states),
                "the id is in every file before it is in memory",
                f"node {node.id} holds {known}, {directory} may have {states}",
            )

    def at_end(self) -> None:
        for node in self.sim.up():
            self.on_cluster_id(node)
