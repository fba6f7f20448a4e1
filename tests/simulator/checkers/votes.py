"""One vote per voter and epoch, stored before it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import BeginQuorumEpochRequest, RaftRequest, RaftResponse, VoteRequest, VoteResponse
from kraftpy.raft.ready import Send
from tests.simulator.checkers.base import Checker

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation


class VotesChecker(Checker):
    """Remembers every vote of every incarnation."""

    name = "votes"

    def __init__(self, sim: Simulation) -> None:
        super().__init__(sim)
        self._votes: dict[tuple[int, int], ReplicaKey] = {}
        self._forgotten: dict[tuple[int, int], int] = {}

    def _vote(self, node: SimulatedNode, epoch: int, candidate: ReplicaKey) -> None:
        voter = node.id
        if self.sim.world.now_ms >= self._forgotten.get((voter, epoch), self.sim.world.now_ms + 1):
            del self._forgotten[voter, epoch], self._votes[voter, epoch]
        known = self._votes.setdefault((voter, epoch), candidate)
        # A disk that rotted may have put another directory id into the file that says who this voter is.
        renamed = node.disk.harmed and known.node_id == candidate.node_id
        self.require(
            bool(renamed) or known == candidate, "a voter votes once in an epoch", voter, epoch, known, candidate
        )

    def on_wipe(self, node: SimulatedNode) -> None:
        # A vote that was forgotten may be given again when the round that it was given in is long over.
        self._votes = {key: candidate for key, candidate in self._votes.items() if key[0] != node.id}

    def on_vote_lost(self, node: SimulatedNode) -> None:
        # Likewise, but here it is said when that is: a candidate asks for two election timeouts, and backs off once.
        over_ms = self.sim.world.now_ms + 2 * node.config.election_timeout_ms + node.config.election_backoff_max_ms
        for key in self._votes:
            if key[0] == node.id:
                self._forgotten.setdefault(key, over_ms)

    def on_send(self, node: SimulatedNode, message: Send) -> None:
        request = message.request
        if isinstance(request, VoteRequest) and not request.pre_vote:
            self._vote(node, request.epoch, request.candidate)
            self._check_stored(node, request.epoch, node.replica_id, "asks for votes")
        elif isinstance(request, BeginQuorumEpochRequest):
            self._check_stored(node, request.epoch, node.replica_id, "says that it leads")

    def on_reply(self, node: SimulatedNode, request: RaftRequest, response: RaftResponse) -> None:
        if isinstance(request, VoteRequest) and isinstance(response, VoteResponse):
            if response.granted and not request.pre_vote:
                self._vote(node, request.epoch, request.candidate)
                self._check_stored(node, request.epoch, request.candidate.node_id, "grants its vote")
            elif response.leader.epoch == request.epoch and not request.pre_vote and not node.disk.rotten:
                stored = min(state.epoch for state in node.disk.possible_elections())
                self.require(stored >= request.epoch, "an epoch is stored before it is sent", node.id, stored, request)

    def _check_stored(self, node: SimulatedNode, epoch: int, candidate: int, what: str) -> None:
        if node.disk.rotten:
            return
        for stored in node.disk.possible_elections():
            voted = stored.voted_key.node_id if stored.voted_key is not None else None
            self.require(
                stored.epoch > epoch or (stored.epoch == epoch and candidate in {voted, stored.leader_id}),
                "a vote is stored before it is sent",
                f"node {node.id} {what} in epoch {epoch} for {candidate}, stored is {stored}",
            )
