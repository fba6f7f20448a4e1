"""Exactly one cluster id; a node has it in memory only after every one of its meta.properties has it on the platter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode, Witness


class ClusterIdsChecker(Checker):
    """Looks at memories, files and images."""

    name = "cluster id"

    def __init__(self, sim: object) -> None:
        super().__init__(sim)  # type: ignore[arg-type]
        self._cluster_id: str | None = None

    def _one(self, node: SimulatedNode, found: str | None, where: str) -> None:
        if found is not None:
            self._cluster_id = self._cluster_id or found
            self.require(found == self._cluster_id, "there is one cluster id", node.id, where, found, self._cluster_id)

    def on_start(self, node: SimulatedNode) -> None:
        self.on_cluster_id(node)

    def on_cluster_id(self, node: SimulatedNode) -> None:
        process = node.process
        if process is None:
            return
        known = process.replica.cluster_id or process.cluster_id.value
        if known is None:
            return
        self._one(node, known, "in memory")
        for directory in process.cluster_ids.ensemble.found:
            states = node.disk.possible_meta_properties(directory)
            self.require(
                all(state is not None and state.cluster_id == known for state in states),
                "the id is in every file before it is in memory",
                f"node {node.id} holds {known}, {directory} may have {states}",
            )

    def on_published(
        self, node: SimulatedNode, witness: Witness, delta: MetadataDelta, image: MetadataImage, manifest: Manifest
    ) -> None:
        self._one(node, image.cluster_id.value, "in the image")

    def at_end(self) -> None:
        for node in self.sim.up():
            self.on_cluster_id(node)
            self.require(
                node.running.replica.cluster_id is not None and node.running.replica.cluster_id == self._cluster_id,
                "every node knows the cluster id in the end",
                node.id,
            )
