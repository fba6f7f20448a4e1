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
from kraftpy.raft.core import Core
from kraftpy.raft.election import end_round, give_up_prospect, send_votes, start_election
from kraftpy.raft.follower_fetch import discover_leader, discovery_peers, send_fetch
from kraftpy.raft.initial_role import is_only_voter, start_alone
from kraftpy.raft.leadership import send_begin_quorum_epoch, send_end_quorum_epoch
from kraftpy.raft.quorum_state import (
    fall_back_to_unattached,
    transition_to_resigned,
    transition_to_unattached,
)
from kraftpy.raft.roles import Candidate, Follower, Leader, Prospective, Resigned, Unattached
from kraftpy.raft.voter_changes import send_update_voter, settle
from kraftpy.raft.voter_eligibility import may_ask, note_vote_not_counted


def expire(core: Core, *, held_up: bool = False) -> None:
    """Act on the deadlines that have come.

    Args:
        core: the replica.
        held_up: its disk has not done yet what it was asked for, so what it has to say has not left. The silence of
            others is no wonder then: who waits for their answers waits on.
    """
    core.fetch_purgatory.wake_expired(core.now_ms)
    settle(core)
    deadline_ms = role_deadline_ms(core)
    if deadline_ms is None or deadline_ms > core.now_ms:
        return
    if core.installing is not None or (core.shutting_down and not isinstance(core.role, Leader)):
        _postpone(core)
    elif not (held_up and _is_own_delay(core)):
        _act_on_deadline(core)
    else:
        note_own_delay(core)


def role_deadline_ms(core: Core) -> int | None:
    """Return when the role's own timer runs out."""
    role = core.role
    return role.check_quorum_deadline_ms if isinstance(role, Leader) else role.deadline_ms


def _postpone(core: Core) -> None:
    """Wait another election timeout: a replica that is stopping, or installing a snapshot, does not stand."""
    if not isinstance(core.role, Leader):
        core.role.deadline_ms = core.now_ms + core.election_timeout_ms()


def _is_own_delay(core: Core) -> bool:
    """Say whether this role waits for answers to what its own disk holds back: requests, or the vote that it gave."""
    role = core.role
    if isinstance(role, Follower):
        return not role.leader_lost
    if isinstance(role, Unattached):
        return role.voted_key is not None and role.leader_id is None
    return isinstance(role, Prospective) or (isinstance(role, Candidate) and not role.backing_off)


def note_own_delay(core: Core) -> None:
    """Give the others their time anew: until now this replica's own disk kept it from asking them."""
    role = core.role
    if not _is_own_delay(core):
        return
    if isinstance(role, Follower):
        role.deadline_ms = max(role.deadline_ms, core.fetch_deadline_ms(role.leader_id))
    elif isinstance(role, Candidate):
        role.deadline_ms = max(role.deadline_ms, core.now_ms + core.election_round_ms())
    elif isinstance(role, Prospective | Unattached) and role.deadline_ms is not None:
        role.deadline_ms = max(role.deadline_ms, core.now_ms + core.election_timeout_ms())


def _act_on_deadline(core: Core) -> None:
    match core.role:
        case Unattached():
            _start_election_if_voter(core, "election timer expired")
        case Follower():
            _leave_silent_leader(core)
        case Prospective() as prospective:
            give_up_prospect(core, prospective, "election timer expired")
        case Candidate() | Resigned() if not core.check_next_epoch():
            _postpone(core)
        case Candidate() as candidate:
            end_round(core, candidate)
        case Resigned():
            transition_to_unattached(core, core.epoch + 1, "election timer expired after resigning")
        case Leader():
            transition_to_resigned(core, "lost touch with the majority")


def _start_election_if_voter(core: Core, reason: str) -> None:
    if core.asks_first and is_only_voter(core):
        start_alone(core)
    elif core.ineligible_because is not None and core.leader_id == core.node_id and core.has_next_epoch:
        # Others wait for the leader that its disk does not remember; as one that resigned, it ends that epoch.
        transition_to_unattached(core, core.epoch + 1, "does not lead the epoch that others say it leads")
    elif may_ask(core):
        start_election(core, reason)
    elif isinstance(core.role, Unattached):
        core.check_next_epoch()
        if core.role.rounds_lost:
            note_vote_not_counted(core)
        core.role.rounds_lost += 1
        core.role.deadline_ms = core.now_ms + core.election_timeout_ms() if core.is_electable else None


def _leave_silent_leader(core: Core) -> None:
    if core.may_start_election:
        lost = isinstance(core.role, Follower) and core.role.leader_lost
        start_election(core, "its leader is gone" if lost else "fetch timer expired")
    else:
        fall_back_to_unattached(core, "fetch timer expired")


def send_due(core: Core) -> None:
    """Send what the role wants sent to every node that is ready for it."""
    match core.role:
        case Follower() as follower:
            if not send_update_voter(core, follower):
                send_fetch(core, follower)
        case Leader() as leader:
            send_begin_quorum_epoch(core, leader)
        case Unattached():
            discover_leader(core)
        case Prospective() | Candidate() as standing:
            send_votes(core, standing)
        case Resigned() as resigned:
            send_end_quorum_epoch(core, resigned)


def next_deadline_ms(core: Core) -> int | None:
    """Return when ``tick`` may have something to do; ``None`` for never."""
    deadlines = [
        role_deadline_ms(core),
        core.fetch_purgatory.next_deadline_ms,
        _next_send_ms(core),
        _next_settling_ms(core),
    ]
    return min((deadline_ms for deadline_ms in deadlines if deadline_ms is not None), default=None)


def _next_settling_ms(core: Core) -> int | None:
    """Return when whoever waits for a change of voters, or for a transfer of the office, is told that it failed."""
    role = core.role
    if not isinstance(role, Leader):
        return None
    return _earliest(each.deadline_ms for each in (role.change, role.transfer) if each is not None)


def _next_send_ms(core: Core) -> int | None:
    """Return when a node that the role wants to send to becomes ready. Nodes that are ready were sent to already."""
    role = core.role
    if isinstance(role, Unattached):
        return _next_discovery_ms(core)
    if isinstance(role, Leader):
        return _earliest([*_begins_ms(core, role), *_questions_ms(core, role)])
    retries = (core.requests_out.retry_at(node_id) for node_id in _wanted(core))
    return _earliest(retry_ms for retry_ms in retries if retry_ms is not None and retry_ms > core.now_ms)


def _begins_ms(core: Core, leader: Leader) -> Iterable[int]:
    for voter_id, due_ms in leader.begin_due_ms.items():
        retry_ms = core.requests_out.retry_at(voter_id)
        if retry_ms is not None:
            yield max(due_ms, retry_ms or due_ms)


def _questions_ms(core: Core, leader: Leader) -> Iterable[int]:
    """Return when voters may be asked again whose confirmation is waited for."""
    for voter_id in unconfirmed_voters(core, leader) if is_waited_for(core, leader) else ():
        retry_ms = core.requests_out.retry_at(voter_id)
        if retry_ms is not None and retry_ms > core.now_ms:
            yield retry_ms


def _wanted(core: Core) -> Iterable[NodeId]:
    match core.role:
        case Follower() as follower:
            return (follower.leader_id,)
        case Prospective() | Candidate() as standing:
            return standing.tally.unanswered
        case Resigned() as resigned:
            return resigned.unacknowledged
        case _:
            return ()


def _next_discovery_ms(core: Core) -> int | None:
    if core.shutting_down or core.installing is not None or core.requests_out.any_in_flight:
        return None
    ready = _earliest(core.requests_out.retry_at(node_id) or 0 for node_id, _ in discovery_peers(core))
    return None if ready is None else max(ready, core.discover_at_ms)


def _earliest(times_ms: Iterable[int]) -> int | None:
    return min(times_ms, default=None)
