"""Confirmed leadership: a leader finds out, when somebody asks, that it still led after it was asked.

A leader that was cut off does not know that another one was elected. What it would say from its own state alone (a read
that claims to be current, a write that changes nothing) may be older than what its successor acknowledged. So it asks
first. This is ReadIndex of the Raft dissertation (§6.4), etcd's ``ReadOnlySafe``; it needs no clock, no record and no
flush.

How it works
    Whoever wants a confirmation takes a *ticket*, a number that counts up within the epoch (:func:`request`). While the
    newest ticket is not confirmed, the leader asks the voters: a BeginQuorumEpoch of its own epoch, which Kafka's
    voters answer, too. Each question carries (here, not on the wire) the newest ticket at the time when it was put on
    its way. A voter's good answer to it confirms, by this voter, all tickets up to that one. A ticket is confirmed when
    a majority of the voters in force has confirmed it; the leader itself counts if it is one of them. Questions leave
    with the next ``Ready``, so all tickets of one turn of the driver share a question, and tickets that come while it
    is under way share the next one: 64 reads in flight cost one round, or two.

    An answer belongs to its question by the correlation of the request, so a late answer to an earlier question
    confirms only what was asked before that question. A question that fails is asked again after the retry back-off,
    for as long as the newest ticket is not confirmed. The epoch ends it: whoever holds a ticket has to ask
    :func:`confirmed`, which is ``None`` for an epoch that is not led (any more). A leader without a majority resigns by
    check-quorum, so nobody waits for longer than that. Confirmations do not count for check-quorum.

Why a confirmed ticket proves that there was no later leader when it was taken
    Say that L leads epoch e, a ticket is taken at time t, and majority M confirms it. Say that somebody was elected in
    an epoch e' > e before t. A majority voted in e', so one voter V of M voted in e' before t, and was in epoch e' or
    later from then on. V answered a question that was asked after t. A voter that is in a later epoch than the question
    answers FENCED_LEADER_EPOCH, and V was. So V is not in M: a contradiction. It follows that whatever was committed
    and acknowledged before t was so in an epoch up to e, and L's log holds it: that of earlier epochs because L was
    elected, that of e because L made it. Once a record of its own epoch is committed, L's high watermark covers all of
    it (§5.4.2): an answer may be given from a state that holds everything below the high watermark of the time t.
    Changes of the voter set change nothing: one voter at a time comes or goes, and majorities of neighbouring sets
    intersect, as they do for commits.

Whose answers count
    The argument rests on V's memory of its vote. A voter whose directory was lost, damaged or refused
    (``guards.voter_eligibility``) may have forgotten one: until it is proven again its answers say so (a tag
    of ours, ``ineligible``), and do not count. When it is eligible again, every leader that a forgotten vote may have
    replaced has resigned: that is what the probation in ``voter_eligibility`` is for. A static voter is an id and an
    address, so its answer also names its directory (a tag of ours): the answer of another directory than the one whose
    fetches this leader counts (``guards.duplicate_node_ids``) does not count. With directory ids in the voter
    set the question itself names the voter, and another directory answers INVALID_VOTER_KEY. A Kafka voter knows
    neither tag. Its answer counts, as its vote does: Kafka leaves lost directories to the operator.

    The answer promises nothing about the voter's disk. It says that the voter had given no vote in a later epoch *by
    then*; a vote whose flush is still on its way has not left, but the voter is in the later epoch already and refuses.
    So the answer leaves before the flush (``Ready.early``), and a slow disk delays no read.

Source: Raft dissertation §6.4 (Processing read-only queries more efficiently); etcd raft ``ReadOnlySafe``.
"""

from __future__ import annotations

from kraftpy.model.errors import NotLeaderError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.guards.duplicate_node_ids import is_duplicate
from kraftpy.raft.messages import BeginQuorumEpochRequest, BeginQuorumEpochResponse, RaftRequest
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader, Question
from kraftpy.raft.vote_tally import majority_end_offset

NO_TICKET = 0
"""What is confirmed while nobody has asked for anything."""


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
    # What was confirmed once stays so, whoever votes from then on; and it is asked several times in each turn.
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
    """Say whether a voter is to be asked, and can be now."""
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
    """Say whether a ticket is not confirmed yet."""
    return _confirmed(state, leader) < leader.tickets


def unconfirmed_voters(state: ReplicaState, leader: Leader) -> list[NodeId]:
    """List the voters that have not confirmed the newest ticket."""
    return [
        voter_id for voter_id in state.other_voter_ids if leader.confirmed_by.get(voter_id, NO_TICKET) < leader.tickets
    ]


def send_question(state: ReplicaState, leader: Leader, voter_id: NodeId) -> None:
    """Tell a voter who leads, and take its answer for a confirmation of all tickets so far."""
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
