"""There is one cluster id: in every memory, every file and every image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import PublisherProbe, SimulatedNode
    from tests.simulator.simulation import Simulation


class ClusterIdsChecker(Checker):
    """Compares all ids that are ever met with the first."""

    name = "cluster id"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._cluster_id: str | None = None

    def _one(self, node: SimulatedNode, found: str | None, where: str) -> None:
        if found is not None:
            self._cluster_id = self._cluster_id or found
            self.require(found == self._cluster_id, "there is one cluster id", node.id, where, found, self._cluster_id)

    def on_start(self, node: SimulatedNode) -> None:
        self._one(node, node.running.replica.cluster_id, "in memory")
        for properties in node.running.cluster_ids.ensemble.found.values():
            self._one(node, properties.cluster_id, "in a file")

    def on_cluster_id(self, node: SimulatedNode) -> None:
        if node.process is not None:
            self._one(node, node.process.replica.cluster_id, "in memory")

    def on_published(
        self,
        node: SimulatedNode,
        probe: PublisherProbe,
        delta: MetadataDelta,
        image: MetadataImage,
        manifest: Manifest,
    ) -> None:
        self._one(node, image.cluster_id.value, "in the image")

    def at_end(self) -> None:
        for node in self.sim.up():
            known = node.running.replica.cluster_id
            self.require(
                known is not None and known == self._cluster_id, "every node knows the cluster id in the end", node.id
            )
