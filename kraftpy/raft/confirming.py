"""Confirmed leadership: a leader finds out, when a reader asks, that it still led after it was asked (ReadIndex).

A reader takes a *ticket*, a number that counts up within the epoch. While the newest ticket is not confirmed, the
leader sends BeginQuorumEpoch to the voters; a ticket is confirmed when a majority has answered a request that was sent
after it. All tickets of one turn share a request. No clock, no record and no fsync is needed. A voter that may have
forgotten a vote (``guards.voter_eligibility``), or is another directory than the registered one, does not count.

The proof that a confirmed ticket excludes a later leader: docs/design/confirmed-reads.md.

Source: Raft dissertation §6.4 (Processing read-only queries more efficiently); etcd raft ``ReadOnlySafe``.
"""

from __future__ import annotations

from kraftpy.model.errors import NotLeaderError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.guards import is_duplicate
from kraftpy.raft.messages import BeginQuorumEpochRequest, BeginQuorumEpochResponse, RaftRequest
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader, Question
from kraftpy.raft.vote_tally import majority_end_offset

NO_TICKET = 0
"""The confirmed ticket before the first request."""


def request(state: ReplicaState, epoch: Epoch) -> int:
    """Take a ticket: it will be confirmed by voters that are asked from now on.

    Raises:
        NotLeaderError: this replica does not lead ``epoch``.
    """
    role = state.role
    if not isinstance(role, Leader) or role.epoch != epoch:
        what = f"it is {role.role.value} in epoch {role.epoch}"
        raise NotLeaderError(f"node {state.node_id} does not lead epoch {epoch}: {what}")
    role.tickets += 1
    return role.tickets


def confirmed(state: ReplicaState, epoch: Epoch) -> int | None:
    """Return the newest ticket that a majority has confirmed; ``None`` when this replica does not lead ``epoch``."""
    role = state.role
    return _confirmed(state, role) if isinstance(role, Leader) and role.epoch == epoch else None


def _confirmed(state: ReplicaState, leader: Leader) -> int:
    # A confirmation is final, regardless of later voter sets; and this is called several times in each turn.
    if leader.confirmed == leader.tickets:
        return leader.confirmed
    own_id = state.node_id if state.is_voter else None
    reached = (
        majority_end_offset(
            [
                leader.tickets if voter_id == own_id else leader.confirmed_by.get(voter_id, NO_TICKET)
                for voter_id in state.voters.ids
            ]
        )
        or NO_TICKET
    )
    leader.confirmed = max(leader.confirmed, reached)
    return leader.confirmed


def is_due(state: ReplicaState) -> bool:
    """Return whether a voter is to be asked, and can be now."""
    role = state.role
    return isinstance(role, Leader) and bool(_to_ask(state, role))


def ask(state: ReplicaState) -> None:
    """Ask the voters that have not confirmed the newest ticket, as long as a majority has not."""
    role = state.role
    if isinstance(role, Leader):
        for voter_id in _to_ask(state, role):
            send_question(state, role, voter_id)


def _to_ask(state: ReplicaState, leader: Leader) -> list[NodeId]:
    if not is_waited_for(state, leader):
        return []
    return [
        voter_id
        for voter_id in unconfirmed_voters(state, leader)
        if state.requests_out.is_ready(voter_id, state.now_ms) and state.pick(state.endpoints_of(voter_id)) is not None
    ]


def is_waited_for(state: ReplicaState, leader: Leader) -> bool:
    """Return whether a ticket is not confirmed yet."""
    return _confirmed(state, leader) < leader.tickets


def unconfirmed_voters(state: ReplicaState, leader: Leader) -> list[NodeId]:
    """List the voters that have not confirmed the newest ticket."""
    return [
        voter_id for voter_id in state.other_voter_ids if leader.confirmed_by.get(voter_id, NO_TICKET) < leader.tickets
    ]


def send_question(state: ReplicaState, leader: Leader, voter_id: NodeId) -> None:
    """Send BeginQuorumEpoch to a voter; its response confirms all tickets so far."""
    endpoint, voter = state.pick(state.endpoints_of(voter_id)), state.voters.by_id(voter_id)
    if endpoint is None or voter is None:
        return
    question = BeginQuorumEpochRequest(
        cluster_id=state.cluster_id,
        voter=voter.key,
        leader_id=state.node_id,
        epoch=leader.epoch,
        leader_endpoints=state.config.own_endpoints,
    )
    leader.questions[voter_id] = Question(question, leader.tickets)
    state.send_early(voter_id, endpoint, question)


def record_answer(
    state: ReplicaState, leader: Leader, node_id: NodeId, asked: RaftRequest, answer: BeginQuorumEpochResponse
) -> None:
    """Count a voter's good answer to the question that it belongs to, if this voter's answers count."""
    question = leader.questions.get(node_id)
    if question is None or question.request is not asked:
        return
    del leader.questions[node_id]
    is_stranger = answer.directory_id is not None and is_duplicate(
        state, leader, ReplicaKey(node_id, answer.directory_id)
    )
    if answer.ineligible or is_stranger:
        # It will say the same for a while.
        state.back_off(node_id)
    else:
        leader.confirmed_by[node_id] = max(question.ticket, leader.confirmed_by.get(node_id, NO_TICKET))
