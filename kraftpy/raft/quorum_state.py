"""Which role may follow which, as a table; and the one function that changes roles.

Every transition builds a new role object, so nothing of the old role survives by accident. What must survive is passed
on by hand: the epoch never falls, and within one epoch the vote and the leader, once known, stay known.

Durability is not decided here: a changed role changes ``ReplicaState.election_state``, and if that differs from what is
stored, the next ``Ready`` stores it before any message is sent.

Source: Kafka ``QuorumState``; KIP-595 §State transitions; KIP-996 §Prospective.
"""

from __future__ import annotations

from collections.abc import Mapping

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft.appending import frame_proposals
from kraftpy.raft.error_responses import answer_change
from kraftpy.raft.guards import all_are_empty, is_on_probation, may_ask
from kraftpy.raft.messages import FetchResponse
from kraftpy.raft.ready import AbortDownload, Reply, Role, RoleChanged
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, Resigned, RoleState, Unattached
from kraftpy.raft.timing import INELIGIBLE_YIELD
from kraftpy.raft.vote_tally import Answer, VoteTally

TRANSITIONS: Mapping[Role, Mapping[Role, str]] = {
    Role.UNATTACHED: {
        Role.UNATTACHED: "saw a higher epoch, or gave its vote",
        Role.PROSPECTIVE: "election timer expired, and is a voter",
        Role.FOLLOWER: "learnt the leader and where it listens",
    },
    Role.PROSPECTIVE: {
        Role.UNATTACHED: "saw a higher epoch, gave its vote, or would not win",
        Role.CANDIDATE: "a majority would vote for it; epoch + 1",
        Role.FOLLOWER: "learnt the leader, or would not win while its leader lives",
    },
    Role.CANDIDATE: {
        Role.UNATTACHED: "saw a higher epoch",
        Role.PROSPECTIVE: "lost the election, or the election timer expired, and backed off",
        Role.LEADER: "a majority voted for it",
        Role.FOLLOWER: "learnt the leader",
    },
    Role.LEADER: {
        Role.UNATTACHED: "saw a higher epoch",
        Role.FOLLOWER: "learnt the leader of a higher epoch",
        Role.RESIGNED: "was asked to, is shutting down, or lost touch with the majority",
    },
    Role.FOLLOWER: {
        Role.UNATTACHED: "saw a higher epoch, or (observer) lost touch with the leader",
        Role.PROSPECTIVE: "fetch timer expired or the leader is dead, and is a voter",
        Role.FOLLOWER: "learnt the leader of a higher epoch",
    },
    Role.RESIGNED: {
        Role.UNATTACHED: "election timer expired (epoch + 1), or saw a higher epoch",
        Role.FOLLOWER: "learnt the leader of a higher epoch",
    },
}
"""From -> to -> when. What is not listed is a bug and stops the node."""


SAME_EPOCH_ONLY = frozenset({(Role.CANDIDATE, Role.LEADER), (Role.LEADER, Role.RESIGNED)})
NEXT_EPOCH_ONLY = frozenset({(Role.PROSPECTIVE, Role.CANDIDATE)})


def render_transitions() -> str:
    """Draw the table as text; the package's docstring shows it and a test compares the two."""
    lines = []
    for before, targets in TRANSITIONS.items():
        for index, (after, when) in enumerate(targets.items()):
            name = before.value if index == 0 else ""
            lines.append(f"    {name:<11} -> {after.value:<11} {when}")
    return "\n".join(lines)


def check_transition(before: RoleState, after: RoleState) -> None:
    """Stop the node when one role may not follow the other."""
    step = (before.role, after.role)
    invariant(after.role in TRANSITIONS[before.role], "roles change along the table", before, after)
    invariant(after.epoch >= before.epoch, "the epoch never falls", before, after)
    if step in SAME_EPOCH_ONLY:
        invariant(after.epoch == before.epoch, "this change of role keeps the epoch", before, after)
    if step in NEXT_EPOCH_ONLY:
        invariant(after.epoch == before.epoch + 1, "a candidate asks for votes in the next epoch", before, after)
    if isinstance(before, Leader | Resigned) and not isinstance(after, Resigned):
        invariant(after.epoch > before.epoch, "who led an epoch does nothing else in it", before, after)
    if after.epoch == before.epoch:
        check_memory(before, after)


def check_memory(before: RoleState, after: RoleState) -> None:
    """Stop the node when a change of role within an epoch forgets a vote or a leader."""
    if isinstance(before, Unattached | Prospective | Follower) and isinstance(
        after, Unattached | Prospective | Follower
    ):
        kept_vote = before.voted_key in {None, after.voted_key}
        kept_leader = before.leader_id in {None, after.leader_id}
        invariant(kept_vote and kept_leader, "within an epoch a vote and a leader stay known", before, after)


def transition(state: ReplicaState, after: RoleState, reason: str) -> None:
    """Change the role, with everything that follows from leaving the old one.

    Leaving Leader frames what was proposed (it stays in the log, uncommitted) and fails the pending fetches. Leaving
    Follower drops a partial snapshot. In-flight requests are forgotten, except when a vote is given: the rest of the
    role stays as it is then.
    """
    before = state.role
    check_transition(before, after)
    if isinstance(before, Leader):
        frame_proposals(state)
    if isinstance(before, Follower) and before.download is not None:
        state.out.downloads.append(AbortDownload(before.download.snapshot_id))
    if isinstance(before, Follower) and before.has_fetched:
        state.leader_heard_ms = before.heard_ms
    elif isinstance(before, Leader):
        state.leader_heard_ms = None
    state.role = after
    state.out.election_changed = True
    if isinstance(after, Leader | Follower):
        state.election_blocked_reason = None
    if not _only_gave_vote(before, after):
        state.requests_out.reset()
        state.out.take_back_sends()
    if isinstance(before, Leader):
        fail_pending_fetches(state)
        if before.change is not None:
            why = f"node {state.node_id} leads no longer; whether the change was made is known to its successor"
            answer_change(state, before.change, ErrorCode.NOT_LEADER_OR_FOLLOWER, why)
    state.out.events.append(RoleChanged(before.role, after.role, state.leader, reason))


def fail_pending_fetches(state: ReplicaState) -> None:
    """Answer every waiting fetch: this replica does not lead (any more)."""
    for fetch in state.fetch_purgatory.take_all():
        refusal = FetchResponse(
            partition_error=ErrorCode.NOT_LEADER_OR_FOLLOWER,
            leader=state.leader,
            leader_endpoints=state.leader_endpoints,
        )
        state.out.reply(Reply(fetch.token, refusal))


def transition_to_unattached(
    state: ReplicaState,
    epoch: Epoch,
    reason: str,
    *,
    leader_id: NodeId | None = None,
    voted_key: ReplicaKey | None = None,
    deadline_ms: int | None = None,
    ignore_leader_until_ms: int | None = None,
    rounds_lost: int | None = None,
) -> None:
    """Know only the epoch, and at most a leader's id and a vote.

    The election timer keeps its remaining time when the replica was waiting or standing already (so a storm of epochs
    does not keep everybody from standing), and is fresh otherwise. An observer has none.
    """
    before = state.role
    if deadline_ms is None and state.is_electable:
        if isinstance(before, Unattached | Prospective | Candidate):
            deadline_ms = before.deadline_ms
        if deadline_ms is None:
            deadline_ms = state.now_ms + state.election_timeout_ms()
    after = Unattached(
        epoch=epoch,
        leader_id=leader_id,
        voted_key=voted_key,
        deadline_ms=deadline_ms,
        rounds_lost=_rounds_lost(before) if rounds_lost is None else rounds_lost,
        ignore_leader_until_ms=ignore_leader_until_ms,
    )
    transition(state, after, reason)


def transition_to_follower(
    state: ReplicaState, epoch: Epoch, leader_id: NodeId, endpoints: tuple[Endpoint, ...], reason: str
) -> None:
    """Follow the leader of ``epoch``, which listens at ``endpoints``; within an epoch the vote is kept."""
    before = state.role
    invariant(leader_id != state.node_id, "no replica follows itself", leader_id, epoch)
    invariant(bool(endpoints), "a follower knows where its leader listens", leader_id, epoch)
    if epoch == before.epoch:
        known = state.leader_id
        invariant(known in {None, leader_id}, "an epoch has one leader", epoch, known, leader_id)
    vote = state.election_state.voted_key if epoch == before.epoch else None
    after = Follower(
        epoch=epoch,
        leader_id=leader_id,
        leader_endpoints=endpoints,
        deadline_ms=state.fetch_deadline_ms(leader_id),
        heard_ms=state.now_ms,
        voted_key=vote,
        describe_at_ms=state.now_ms + state.config.fetch_timeout_ms,
    )
    transition(state, after, reason)
    if not state.status.is_eligible and not is_on_probation(state):
        # A replica that was never rejected fetches first, and is counted.
        state.back_off(leader_id, state.config.fetch_timeout_ms // INELIGIBLE_YIELD)


def transition_to_prospective(state: ReplicaState, reason: str) -> None:
    """Ask around whether an election would be won; nothing is stored and nothing forgotten."""
    before = state.role
    invariant(may_ask(state), "only an eligible voter starts an election", state.key, state.voters.ids)
    held = state.election_state
    after = Prospective(
        epoch=before.epoch,
        deadline_ms=state.now_ms + state.election_timeout_ms(),
        tally=_own_vote(state),
        leader_id=held.leader_id,
        leader_endpoints=state.leader_endpoints,
        voted_key=held.voted_key,
        ignore_leader_until_ms=_ignore_leader_until_ms(state, before),
        rounds_lost=0 if isinstance(before, Follower) else _rounds_lost(before),
        began_ms=state.now_ms,
    )
    transition(state, after, reason)


def transition_to_candidate(state: ReplicaState, reason: str) -> None:
    """Become candidate in the next epoch, and vote for itself."""
    before = state.role
    invariant(state.may_start_election, "only an eligible voter starts an election", state.key, state.status.reason)
    after = Candidate(
        epoch=before.epoch + 1,
        deadline_ms=state.now_ms + state.election_round_ms(),
        tally=_own_vote(state),
        rounds_lost=_rounds_lost(before),
        claims=before.empty if isinstance(before, Prospective) and all_are_empty(state, before) else {},
    )
    transition(state, after, reason)


def transition_to_resigned(state: ReplicaState, reason: str, first: NodeId | None = None) -> None:
    """Lead no longer: neither vote nor append in this epoch again. ``first`` heads the line of successors."""
    before = state.role
    invariant(isinstance(before, Leader), "only a leader resigns", before)
    successors = before.progress.successors(state.node_id) if isinstance(before, Leader) else ()
    successors = tuple(sorted(successors, key=lambda key: key.node_id != first))
    after = Resigned(
        epoch=before.epoch,
        deadline_ms=state.now_ms + state.election_timeout_ms(),
        preferred_successors=successors,
        unacknowledged=list(state.other_voter_ids),
    )
    transition(state, after, reason)
    state.requests_out.clear_back_offs()


def fall_back_to_unattached(
    state: ReplicaState,
    reason: str,
    *,
    deadline_ms: int | None = None,
    ignore_leader_until_ms: int | None = None,
    rounds_lost: int = 0,
) -> None:
    """Become Unattached in the same epoch, keeping the vote and the leader's id."""
    held = state.election_state
    transition_to_unattached(
        state,
        held.epoch,
        reason,
        leader_id=held.leader_id,
        voted_key=held.voted_key,
        deadline_ms=deadline_ms,
        ignore_leader_until_ms=ignore_leader_until_ms,
        rounds_lost=rounds_lost,
    )


def _only_gave_vote(before: RoleState, after: RoleState) -> bool:
    return isinstance(before, Unattached) and isinstance(after, Unattached) and before.epoch == after.epoch


def _own_vote(state: ReplicaState) -> VoteTally:
    tally = VoteTally(state.voters.ids)
    tally.record(state.node_id, Answer.GRANTED if state.status.is_eligible else Answer.EMPTY)
    return tally


def _rounds_lost(role: RoleState) -> int:
    return role.rounds_lost if isinstance(role, Unattached | Prospective | Candidate) else 0


def _ignore_leader_until_ms(state: ReplicaState, before: RoleState) -> int | None:
    """Say until when the leader that was seen dead is not believed in: for a fetch timeout, as its other followers."""
    if isinstance(before, Follower):
        return state.now_ms + state.config.fetch_timeout_ms if before.leader_lost else None
    return before.ignore_leader_until_ms if isinstance(before, Unattached) else None
