"""One id a host, one host an id: in every image that any publisher is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from kraftpy.model.ids import NodeId
from tests.simulator.checkers.base import Checker
from tests.simulator.unnamed_brokers import HOSTS

if TYPE_CHECKING:
    from tests.simulator.node import PublisherProbe, SimulatedNode
    from tests.simulator.simulation import Simulation


class HostsChecker(Checker):
    """Remembers which broker was ever shown where, and reads the hosts' own table (KIP-426)."""

    name = "hosts"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._host_of: dict[NodeId, str] = {}
        self._id_of: dict[str, NodeId] = {}

    def on_published(
        self,
        node: SimulatedNode,
        probe: PublisherProbe,
        delta: MetadataDelta,
        image: MetadataImage,
        manifest: Manifest,
    ) -> None:
        before = probe.last
        if image.cluster is not before.cluster:
            for broker_id, broker in image.cluster.brokers.items():
                for listener in broker.listeners:
                    self._pair(broker_id, listener.host, node, "registered")
        if image.broker_hosts is not before.broker_hosts:
            for host, broker_id in image.broker_hosts.ids.items():
                self._pair(broker_id, host, node, "kept")

    def _pair(self, broker_id: NodeId, host: str, node: SimulatedNode, how: str) -> None:
        if host in HOSTS:
            return  # Their ids change, by the rules that ``unnamed_brokers`` checks.
        known_host = self._host_of.setdefault(broker_id, host)
        known_id = self._id_of.setdefault(host, broker_id)
        seen = f"node {node.id} is shown broker {broker_id} of {host}, {how}"
        self.require(known_host == host, "no id for two hosts", seen, known_host)
        self.require(known_id == broker_id, "no two ids for one host", seen, known_id)
