"""Equal logs give equal states, unless a bit flipped in memory; a node with a wrong state is fenced.

The right digest does not come from any node: the ledger of what was committed is replayed up to the offset. So the
checker knows whether a node that is reported to have a wrong state has one, and whether a state reported as right is
right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.image import EMPTY, MetadataLoader
from kraftpy.image.digest import image_digest
from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.raft.ready import Event, NoDigestMajority, Role, StateDigestMismatch, StateDigestVerified
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


class DigestsChecker(Checker):
    """Listens to what replicas say of their own and each other's states.

    Attributes:
        agreed: how often a replica heard that a majority has its state.
    """

    name = "digests"
    agreed = 0

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._right: dict[Offset, StateDigest | None] = {}
        self._loader = MetadataLoader(EMPTY)
        self._reported: set[tuple[NodeId, int]] = set()

    def on_event(self, node: SimulatedNode, event: Event) -> None:
        match event:
            case StateDigestVerified(digest):
                self.agreed += 1
                self.require(self._is_right(digest), "a state that is called right is right", node.id, digest)
            case StateDigestMismatch(replica, own):
                self.require(not self._is_right(own), "a right state is not called wrong", node.id, event)
                harmed = self.sim.network.nodes[replica.node_id].memory_harmed
                self.require(bool(harmed), "equal logs give equal states", node.id, event)
                if replica == node.running.replica.key:
                    leads = node.running.replica.role is Role.LEADER
                    self.require(
                        not leads, "a leader that learns that its state is wrong leads no more", node.id, event
                    )
                    self._reported.add((node.id, node.incarnation))
            case NoDigestMajority():
                harmed = any(each.memory_harmed for each in self.sim.all_nodes())
                self.require(harmed, "equal logs give equal states", node.id, event)

    def after_turn(self, node: SimulatedNode) -> None:
        goes_on = (node.id, node.incarnation) in self._reported
        self.require(not goes_on, "a node that learns that its state is wrong takes no further turn", node.id)

    def all_are_right(self) -> bool:
        """Return whether no running node has a wrong state: those that had one are fenced.

        A node that has not loaded the snapshot on its disk yet may be about to load a wrong one.
        """
        running = [node.running for node in self.sim.up()]
        images = [each.state_machine.image for each in running]
        are_loaded = all(
            image.provenance.offset >= 0 or each.directory.snapshots.latest in {None, ORIGIN}
            for each, image in zip(running, images, strict=True)
        )
        return are_loaded and all(
            self._is_right(digest) for each in images if (digest := image_digest(each)) is not None
        )

    def _is_right(self, digest: StateDigest) -> bool:
        end = digest.end_offset
        if end not in self._right:
            self._right[end] = image_digest(self._replayed(end).image)
        return self._right[end] == digest

    def _replayed(self, end: Offset) -> MetadataLoader:
        """Replay the ledger up to an offset; mostly that is a piece more than the last time."""
        begun = self._loader.next_offset
        loader = self._loader if begun <= end else MetadataLoader(EMPTY)
        loader.load_batches(self.sim.ledger.between(loader.next_offset, end))
        return loader
