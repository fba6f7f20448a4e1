"""A voter has what it helped to commit: its log reaches at least as far as its disk ever did for a majority.

What rests on it: a majority that commits and a majority that elects have a voter in common, and that one must remember.
A disk that lost a write undetectably is excused, because nothing on it can show the loss; a disk whose log was
quarantined, or that was replaced, is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.raft.messages import RaftRequest, RaftResponse, VoteRequest, VoteResponse
from kraftpy.raft.ready import Send
from kraftpy.records.batch import Batch
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


class PromisesChecker(Checker):
    """Remembers what each node's disk was counted for."""

    name = "promises"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._held: dict[NodeId, Offset] = {}
        self._repaired: dict[NodeId, int] = {}

    def committed_batch(self, batch: Batch, holding: Iterable[NodeId]) -> None:
        """Hear that a batch is committed, and on whose disks it was when it was."""
        for node_id in holding:
            self._held[node_id] = batch.next_offset

    def no_node_can_know(self, voters: Iterable[NodeId], batch: Batch) -> bool:
        """Return whether all of some voters that had a batch have disks that lost it without a trace."""
        where = (batch.data, batch.base_offset, batch.next_offset)
        had_it = [voter for voter in voters if self._held.get(voter, 0) > batch.base_offset]
        return bool(had_it) and all(self.sim.network.nodes[voter].disk.forgot(*where) for voter in had_it)

    def on_repair(self, node: SimulatedNode, text: str) -> None:
        self._repaired[node.id] = len(node.disk.harmed)

    def on_wipe(self, node: SimulatedNode) -> None:
        """Count the corruption of the new disk from the beginning."""
        self._repaired.pop(node.id, None)

    def on_send(self, node: SimulatedNode, message: Send) -> None:
        if isinstance(message.request, VoteRequest) and not message.request.pre_vote:
            self._check(node, "stands")

    def on_reply(self, node: SimulatedNode, request: RaftRequest, response: RaftResponse) -> None:
        is_vote = isinstance(request, VoteRequest) and not request.pre_vote
        if is_vote and isinstance(response, VoteResponse) and response.granted:
            self._check(node, "votes")

    def _check(self, node: SimulatedNode, what: str) -> None:
        is_excused = len(node.disk.harmed) > self._repaired.get(node.id, 0)
        held, end = self._held.get(node.id, 0), node.running.replica.log_end_offset
        self.require(
            is_excused or end >= held,
            "who votes has what it helped to commit",
            f"node {node.id} {what}, its log ends at {end}, its disk was counted up to {held}",
        )
