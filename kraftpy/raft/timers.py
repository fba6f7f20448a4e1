"""What time alone brings about, role by role; and when time is to be looked at next.

Timers are plain deadlines in the role objects. ``expire`` acts on the ones that have come, ``send_due`` sends
whatever the role wants sent and a node is ready for, ``next_deadline_ms`` says when either may have something to do
again.

Source: KIP-595 §Timeouts; Kafka ``KafkaRaftClient.pollCurrentState``; raft-protocol §6.1, §13.
"""

from __future__ import annotations

from collections.abc import Iterable

from kraftpy.model.ids import NodeId
from kraftpy.raft.confirming import is_waited_for, unconfirmed_voters
from kraftpy.raft.election import end_round, give_up_prospect, send_votes, start_election
from kraftpy.raft.follower_fetch import discover_leader, discovery_peers, send_fetch
from kraftpy.raft.guards import may_ask, report_vote_not_counted
from kraftpy.raft.initial_role import is_only_voter, start_alone
from kraftpy.raft.leadership import send_begin_quorum_epoch, send_end_quorum_epoch
from kraftpy.raft.quorum_state import (
    fall_back_to_unattached,
    transition_to_resigned,
    transition_to_unattached,
)
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, Resigned, Unattached
from kraftpy.raft.voter_changes import send_update_voter, settle


def expire(state: ReplicaState, *, held_up: bool = False) -> None:
    """Act on the deadlines that have come.

    Args:
        state: the state of the replica.
        held_up: its disk has not done yet what it was asked for, so what it has to say has not left. The silence of
            others is no wonder then: who waits for their answers waits on.
    """
    state.fetch_purgatory.wake_expired(state.now_ms)
    settle(state)
    deadline_ms = role_deadline_ms(state)
    if deadline_ms is None or deadline_ms > state.now_ms:
        return
    if state.installing is not None or (state.shutting_down and not isinstance(state.role, Leader)):
        _postpone(state)
    elif not (held_up and _is_own_delay(state)):
        _act_on_deadline(state)
    else:
        note_own_delay(state)


def role_deadline_ms(state: ReplicaState) -> int | None:
    """Return when the role's own timer runs out."""
    role = state.role
    return role.check_quorum_deadline_ms if isinstance(role, Leader) else role.deadline_ms


def _postpone(state: ReplicaState) -> None:
    """Wait another election timeout: a replica that is stopping, or installing a snapshot, starts no election."""
    if not isinstance(state.role, Leader):
        state.role.deadline_ms = state.now_ms + state.election_timeout_ms()


def _is_own_delay(state: ReplicaState) -> bool:
    """Return whether this role waits for answers to what its own disk delays: requests, or the vote that it gave."""
    role = state.role
    if isinstance(role, Follower):
        return not role.leader_lost
    if isinstance(role, Unattached):
        return role.voted_key is not None and role.leader_id is None
    return isinstance(role, Prospective) or (isinstance(role, Candidate) and not role.backing_off)


def note_own_delay(state: ReplicaState) -> None:
    """Restart the timeouts of the peers: until now this replica's own disk delayed its requests."""
    role = state.role
    if not _is_own_delay(state):
        return
    if isinstance(role, Follower):
        role.deadline_ms = max(role.deadline_ms, state.fetch_deadline_ms(role.leader_id))
    elif isinstance(role, Candidate):
        role.deadline_ms = max(role.deadline_ms, state.now_ms + state.election_round_ms())
    elif isinstance(role, Prospective | Unattached) and role.deadline_ms is not None:
        role.deadline_ms = max(role.deadline_ms, state.now_ms + state.election_timeout_ms())


def _act_on_deadline(state: ReplicaState) -> None:
    match state.role:
        case Unattached():
            _start_election_if_voter(state, "election timer expired")
        case Follower():
            _leave_silent_leader(state)
        case Prospective() as prospective:
            give_up_prospect(state, prospective, "election timer expired")
        case Candidate() | Resigned() if not state.check_next_epoch():
            _postpone(state)
        case Candidate() as candidate:
            end_round(state, candidate)
        case Resigned():
            transition_to_unattached(state, state.epoch + 1, "election timer expired after resigning")
        case Leader():
            transition_to_resigned(state, "lost touch with the majority")


def _start_election_if_voter(state: ReplicaState, reason: str) -> None:
    if state.asks_first and is_only_voter(state):
        start_alone(state)
    elif not state.status.is_eligible and state.leader_id == state.node_id and state.has_next_epoch:
        # Others wait for the leader that its disk does not remember; as one that resigned, it ends that epoch.
        transition_to_unattached(
            state, state.epoch + 1, "does not lead the epoch that other nodes report that it leads"
        )
    elif may_ask(state):
        start_election(state, reason)
    elif isinstance(state.role, Unattached):
        state.check_next_epoch()
        if state.role.rounds_lost:
            report_vote_not_counted(state)
        state.role.rounds_lost += 1
        state.role.deadline_ms = state.now_ms + state.election_timeout_ms() if state.is_electable else None


def _leave_silent_leader(state: ReplicaState) -> None:
    if state.may_start_election:
        lost = isinstance(state.role, Follower) and state.role.leader_lost
        start_election(state, "its leader is gone" if lost else "fetch timer expired")
    else:
        fall_back_to_unattached(state, "fetch timer expired")


def send_due(state: ReplicaState) -> None:
    """Send what the role wants sent to every node that is ready for it."""
    match state.role:
        case Follower() as follower:
            if not send_update_voter(state, follower):
                send_fetch(state, follower)
        case Leader() as leader:
            send_begin_quorum_epoch(state, leader)
        case Unattached():
            discover_leader(state)
        case Prospective() | Candidate() as quarantined:
            send_votes(state, quarantined)
        case Resigned() as resigned:
            send_end_quorum_epoch(state, resigned)


def next_deadline_ms(state: ReplicaState) -> int | None:
    """Return when ``tick`` may have something to do; ``None`` for never."""
    deadlines = [
        role_deadline_ms(state),
        state.fetch_purgatory.next_deadline_ms,
        _next_send_ms(state),
        _next_settling_ms(state),
    ]
    return min((deadline_ms for deadline_ms in deadlines if deadline_ms is not None), default=None)


def _next_settling_ms(state: ReplicaState) -> int | None:
    """Return when a pending voter change or leadership transfer times out."""
    role = state.role
    if not isinstance(role, Leader):
        return None
    return _earliest(each.deadline_ms for each in (role.change, role.transfer) if each is not None)


def _next_send_ms(state: ReplicaState) -> int | None:
    """Return when a node that the role wants to send to becomes ready. Nodes that are ready were sent to already."""
    role = state.role
    if isinstance(role, Unattached):
        return _next_discovery_ms(state)
    if isinstance(role, Leader):
        return _earliest([*_begins_ms(state, role), *_questions_ms(state, role)])
    retries = (state.requests_out.retry_at(node_id) for node_id in _wanted(state))
    return _earliest(retry_ms for retry_ms in retries if retry_ms is not None and retry_ms > state.now_ms)


def _begins_ms(state: ReplicaState, leader: Leader) -> Iterable[int]:
    for voter_id, due_ms in leader.begin_due_ms.items():
        retry_ms = state.requests_out.retry_at(voter_id)
        if retry_ms is not None:
            yield max(due_ms, retry_ms or due_ms)


def _questions_ms(state: ReplicaState, leader: Leader) -> Iterable[int]:
    """Return when voters may be asked again whose confirmation is waited for."""
    for voter_id in unconfirmed_voters(state, leader) if is_waited_for(state, leader) else ():
        retry_ms = state.requests_out.retry_at(voter_id)
        if retry_ms is not None and retry_ms > state.now_ms:
            yield retry_ms


def _wanted(state: ReplicaState) -> Iterable[NodeId]:
    match state.role:
        case Follower() as follower:
            return (follower.leader_id,)
        case Prospective() | Candidate() as quarantined:
            return quarantined.tally.unanswered
        case Resigned() as resigned:
            return resigned.unacknowledged
        case _:
            return ()


def _next_discovery_ms(state: ReplicaState) -> int | None:
    if state.shutting_down or state.installing is not None or state.requests_out.any_in_flight:
        return None
    ready = _earliest(state.requests_out.retry_at(node_id) or 0 for node_id, _ in discovery_peers(state))
    return None if ready is None else max(ready, state.discover_at_ms)


def _earliest(times_ms: Iterable[int]) -> int | None:
    return min(times_ms, default=None)
