"""A directory is who it was when it was first used, and nothing is believed of it that no node wrote.

What a directory is does not come from the code that is checked: the world notes every content that was put in the place
of a ``meta.properties`` (``disk.NotingFileSystem``), and this file reads that with a few lines of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from kraftpy.model.ids import NodeId, Uuid, uuid_to_text
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import FetchRequest, VoteRequest
from kraftpy.raft.ready import Send
from kraftpy.storage.filesystem import join
from kraftpy.storage.meta_properties import MetaProperties
from kraftpy.storage.names import META_PROPERTIES
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import PublisherProbe, SimulatedNode
    from tests.simulator.simulation import Simulation

Identity = tuple[str | None, str | None]
"""A node id and a directory id, as they are written."""


class DirectoriesChecker(Checker):
    """Knows who every directory was first, and holds against that what processes believe and say."""

    name = "directories"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._first: dict[str, Identity] = {}
        self._now: dict[str, Identity] = {}
        self._taken: set[str] = set()
        self._ever: dict[NodeId, set[str | None]] = {}

    def on_wipe(self, node: SimulatedNode) -> None:
        self._taken -= set(node.disk.directories)
        for directory in node.disk.directories:
            if not node.disk.holds_identity(directory):
                self._first.pop(directory, None)

    def is_mistaken(self, node: SimulatedNode) -> bool:
        """Return whether a node's metadata directory is taken for another one."""
        return node.disk.directories[0] in self._taken

    def on_start(self, node: SimulatedNode) -> None:
        self._check(node)

    def on_cluster_id(self, node: SimulatedNode) -> None:
        if node.process is not None:
            self._check(node)

    def at_end(self) -> None:
        for node in self.sim.up():
            self._check(node)

    def on_send(self, node: SimulatedNode, message: Send) -> None:
        match message.request:
            case VoteRequest(candidate=key) | FetchRequest(replica=ReplicaKey() as key):
                self._check_key(node, key)
            case FetchRequest(on_probation=ReplicaKey() as key):
                self._check_key(node, key)

    def on_published(
        self,
        node: SimulatedNode,
        probe: PublisherProbe,
        delta: MetadataDelta,
        image: MetadataImage,
        manifest: Manifest,
    ) -> None:
        if image.cluster is probe.last.cluster:
            return
        for broker_id, broker in image.cluster.brokers.items():
            known = self._ever.get(broker_id, self.sim.topics.directories_of(broker_id))
            known = known | self.sim.unnamed.directories
            strange = [each for each in map(uuid_to_text, broker.log_dirs) if each not in known]
            self.require(
                not strange, "a broker registers its own directories", broker_id, strange, sorted(map(str, known))
            )

    def _check(self, node: SimulatedNode) -> None:
        written = node.disk.written_identities
        for directory, believed in node.running.cluster_ids.ensemble.found.items():
            reported = _reported(believed)
            identity = (reported.get("node.id"), reported.get("directory.id"))
            self._now[directory] = identity
            self._ever.setdefault(node.id, set()).add(identity[1])
            if directory in self._taken or self._is_another_ones(node, directory, reported):
                self._taken.add(directory)
                continue
            self.require(
                reported in map(_read, written.get(directory, [])),
                "what is believed of a directory was written there",
                f"node {node.id} believes of {directory} {reported}",
            )
            known = self._first.setdefault(directory, identity)
            self.require(
                identity == known, "a directory stays who it was", f"{directory} of node {node.id}", identity, known
            )
        self._check_key(node, node.running.replica.state.key)

    def _is_another_ones(self, node: SimulatedNode, directory: str, reported: Mapping[str, str]) -> bool:
        """Return whether a disk put a whole file of another directory here, undetectably: its checksum is right."""
        path = join(directory, META_PROPERTIES)
        was_put = any(f"stands in sector 0 of {path}" in harm for harm in node.disk.harmed)
        others = [
            content
            for other, all_of in node.disk.written_identities.items()
            if other != directory
            for content in all_of
        ]
        return was_put and reported in map(_read, others)

    def _check_key(self, node: SimulatedNode, key: ReplicaKey) -> None:
        now = self._now.get(node.disk.directories[0])
        stated = (str(key.node_id), _text(key.directory_id))
        self.require(stated == now, "a node serves as its directory", f"node {node.id} is {stated}, its directory", now)


def _read(content: bytes) -> dict[str, str]:
    """Read what was written: lines of a key, `=` and a value; what the properties' format escapes has a backslash."""
    lines = [line for line in content.decode("latin-1").splitlines() if line and not line.startswith("#")]
    pairs = (line.partition("=") for line in lines)
    return {key.replace("\\", ""): value.replace("\\", "") for key, _, value in pairs}


def _reported(believed: MetaProperties) -> Mapping[str, str]:
    """Return what a process believes in the words of a file."""
    reported: dict[str, str | None] = {
        "version": str(believed.version),
        "cluster.id": believed.cluster_id,
        "node.id": None if believed.node_id is None else str(believed.node_id),
        "directory.id": _text(believed.directory_id),
        **dict(believed.extra),
    }
    return {key: value for key, value in reported.items() if value is not None}


def _text(directory_id: Uuid | None) -> str | None:
    return None if directory_id is None else uuid_to_text(directory_id)
