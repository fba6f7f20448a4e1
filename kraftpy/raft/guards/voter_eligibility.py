"""A voter that lost its log or its vote is counted again only when it holds all that was acknowledged.

A majority of voters that lost their disks could elect each other over the data of the others. So a replica has a status
(:mod:`kraftpy.model.replica_status`): one that is not eligible grants no vote, starts no election, and fetches without
its key for the time of its probation. It becomes eligible by catching up with a leader, or in a first start, when all
voters have stated that they hold nothing.

Proof, a diagram of the statuses, costs and sources: docs/design/voter-eligibility.md.
"""

from __future__ import annotations

from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.model.replica_status import ReplicaStatus, VoterStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.epoch_limit import FORGOTTEN_EPOCHS
from kraftpy.raft.messages import VoteResponse
from kraftpy.raft.ready import ElectionLeftToOthers, NoElectableVoter, VoteNotCounted
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Prospective, Unattached
from kraftpy.raft.timing import TRUST_WAIT_TIMEOUTS
from kraftpy.raft.vote_tally import Answer


def suspend(state: ReplicaState, status: ReplicaStatus) -> None:
    """Neither vote nor start elections until a leader has shown that this log can be counted, over restarts too.

    A replica that is recovering, or a duplicate, stays what it is.
    """
    if state.status.status in {VoterStatus.ELIGIBLE, VoterStatus.EMPTY}:
        state.set_status(status, status.reason)


def suspend_as_copy(state: ReplicaState, reason: str) -> None:
    """Become recovering, as a replica that lost its vote: this disk is a copy from an earlier time."""
    state.asks_first = False
    state.set_status(state.status.as_recovering(reason, vote_lost=True), reason)
    state.put_on_probation()


def restore(state: ReplicaState, reason: str) -> None:
    """Vote and be counted again, from the next ``Ready`` on."""
    if not state.status.is_eligible:
        state.set_status(state.status.as_eligible(), reason)


# Catching up.


def is_on_probation(state: ReplicaState) -> bool:
    """Return whether this replica may have given a vote that still has an effect and that it does not remember."""
    return not state.status.is_eligible and state.config.can_vote and state.now_ms < state.probation_ends_ms


def record_accepted_fetch(state: ReplicaState, follower: Follower, high_watermark: Offset | None) -> None:
    """The leader served a fetch under our key, as it does for one directory of an id: note what it calls committed."""
    if not state.status.is_eligible and follower.eligible_from is None:
        follower.eligible_from = high_watermark
    maybe_restore_eligibility(state)


def maybe_restore_eligibility(state: ReplicaState) -> None:
    """Count again once all that the leader called committed, when it first served us, is flushed here."""
    role = state.role
    if state.status.is_eligible or not isinstance(role, Follower) or role.eligible_from is None:
        return
    if role.eligible_from < state.status.committed:
        state.report_rejection(
            role.leader_id,
            f"it calls records committed up to offset {role.eligible_from}, but the log quarantined here knew of "
            f"committed ones up to {state.status.committed}: was the quorum recovered from a copy that had less? If "
            "that is intended, remove this node's kraftpy.replica-status while it is stopped; its vote counts then",
        )
    if state.log.flushed_offset >= max(role.eligible_from, state.status.committed):
        reached = state.log.flushed_offset
        restore(state, f"caught up with leader {role.leader_id} of epoch {role.epoch} to offset {reached}")


# A first start.


def is_empty(state: ReplicaState) -> bool:
    """Return whether this replica, as the voter that it is, holds nothing, and does nothing that would change that."""
    if state.status.status not in {VoterStatus.ELIGIBLE, VoterStatus.EMPTY} or state.installing is not None:
        return False
    holds_nothing = state.log.end_offset == 0 and all(snapshot == ORIGIN for snapshot in state.log.snapshots)
    return holds_nothing and state.config.can_vote and isinstance(state.role, Unattached | Prospective)


def may_ask(state: ReplicaState) -> bool:
    """Return whether this replica may ask for pre-votes: as a voter that counts, or to find out if all are empty."""
    return state.may_start_election or (state.is_voter and is_empty(state) and state.has_next_epoch)


def empty_for_ms(state: ReplicaState) -> int | None:
    """Say how long this process has been up, if it holds nothing."""
    return max(0, state.now_ms - state.started_ms) if is_empty(state) else None


def is_second_candidate(state: ReplicaState, candidate: ReplicaKey) -> bool:
    """Return whether an empty voter answers another directory of this candidate's id; else remember this one."""
    if not is_empty(state):
        return False
    known = state.recent_candidates.get(candidate.node_id)
    if known is not None and known[0] != candidate and state.now_ms - known[1] < state.config.check_quorum_ms:
        return True
    if candidate.node_id in state.voters.ids:
        state.recent_candidates[candidate.node_id] = (candidate, state.now_ms)
    return False


def record_condition(state: ReplicaState, role: Prospective, node_id: NodeId, response: VoteResponse) -> None:
    """Take note of what a voter said of itself in its answer to a pre-vote."""
    if response.ineligible:
        role.ineligible.append(node_id)
    elif not response.granted and response.empty_for_ms is None:
        state.pre_vote_rejections_ms[node_id] = state.now_ms
    up_ms = response.empty_for_ms
    if up_ms is not None and up_ms >= state.now_ms - role.began_ms:
        role.empty[node_id] = response.incarnation_id


def all_are_empty(state: ReplicaState, role: Prospective) -> bool:
    """Return whether this is a first start: no voter held anything when this round began."""
    return is_empty(state) and set(state.other_voter_ids) <= set(role.empty)


def may_all_be_empty(state: ReplicaState, role: Prospective) -> bool:
    """Return whether the answers that are not there yet can still make this a first start."""
    answered = (node_id for node_id in state.other_voter_ids if node_id in role.tally.answers)
    return is_empty(state) and all(node_id in role.empty for node_id in answered)


def leaves_election_to_others(state: ReplicaState, role: Prospective) -> bool:
    """Return whether a voter that may hold records has not agreed to be led by this replica, which holds none.

    An operator may make empty voters count (``controller.quorum.trust.empty.directories``). Were a majority of them to
    elect one of their own, the voter that still has the records would lose them. It rejects their pre-votes, and asks
    for theirs; so they wait for it, and for one that is not heard until it had the time to start and to ask.
    """
    return bool(_may_hold_records(state, role))


def _may_hold_records(state: ReplicaState, role: Prospective) -> list[NodeId]:
    """List the voters that an empty, trusted voter leaves the election to; a voter that does not count is none."""
    # The setting is for one start, and may be gone before there is a leader; the epoch that it began with is stored.
    is_trusted = state.config.trusts_empty_directory or state.epoch >= FORGOTTEN_EPOCHS
    if not (is_trusted and is_empty(state)):
        return []
    waits_ms = TRUST_WAIT_TIMEOUTS * state.config.election_timeout_ms
    found = []
    for voter_id in state.other_voter_ids:
        answer = role.tally.answers.get(voter_id)
        if voter_id in role.ineligible or answer in {Answer.GRANTED, Answer.EMPTY}:
            continue
        heard_ms = state.pre_vote_rejections_ms.get(voter_id, state.started_ms)
        if answer is Answer.REJECTED or state.now_ms < heard_ms + waits_ms:
            found.append(voter_id)
    return found


def maybe_report_election_left(state: ReplicaState, role: Prospective) -> bool:
    """Report, rate-limited, for whom this empty, trusted voter waits; return whether it does."""
    waits_for = _may_hold_records(state, role)
    if waits_for:
        _withhold(state, ElectionLeftToOthers(tuple(waits_for)))
    return bool(waits_for)


def is_claimed(state: ReplicaState, claimed_incarnation_id: Uuid | None) -> bool:
    """Return whether a candidate names this incarnation id, and this replica still holds nothing."""
    return (
        claimed_incarnation_id is not None and claimed_incarnation_id == state.status.incarnation_id and is_empty(state)
    )


def maybe_report_blocked_election(state: ReplicaState, role: Prospective) -> bool:
    """Report, rate-limited, that no voter can be elected because of voters that lost their directories, or may have.

    Returns:
        Whether that is so.
    """
    recovering = set(role.ineligible) | (set() if state.status.is_eligible else {state.node_id})
    if not recovering:
        return False
    answers = role.tally.answers
    silent = {voter for voter in state.other_voter_ids if answers.get(voter, Answer.UNREACHABLE) is Answer.UNREACHABLE}
    holding = set(state.voters.ids) - silent - set(role.empty) - recovering
    _withhold(state, NoElectableVoter(tuple(sorted(recovering)), tuple(sorted(holding)), tuple(sorted(silent))))
    return True


def report_vote_not_counted(state: ReplicaState) -> None:
    """Report, rate-limited, that this voter knows of no leader, and may start no election."""
    if not state.status.is_eligible and state.is_voter:
        _withhold(state, VoteNotCounted(state.status.reason, state.other_voter_ids))


def _withhold(state: ReplicaState, why: NoElectableVoter | VoteNotCounted | ElectionLeftToOthers) -> None:
    state.election_blocked_reason = why
    if state.log_rate_limiter.should_log(state.node_id, str(why), state.now_ms):
        state.out.events.append(why)
