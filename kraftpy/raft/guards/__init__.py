"""What Raft takes for granted and disks, configurations and memory do not give: the guards around the protocol.

Raft assumes that a voter forgets nothing, that a node id is one process, and that equal logs give equal states. Each of
these is checked by one module; the other modules of ``kraftpy.raft`` read like the papers without them.

    voter_eligibility    a voter that lost its log or its vote, and a first start on empty directories
    duplicate_node_ids   two directories with one node id
    state_digests        whether equal logs gave equal states

The protocol knows this package and none of its modules. It meets them through the functions below: ``admit_*`` before
it acts on a message, ``observe_*`` after it has found the message valid, ``complete_*`` before it answers. The other
names here are the questions that the protocol asks outside of messages.

Must not depend on the protocol's handlers (``election``, ``leader_replication`` ...): a guard changes its own part of
the state and returns what the handler has to do. Proofs: docs/design/voter-eligibility.md, duplicate-node-ids.md.
"""

from __future__ import annotations

from dataclasses import replace

from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.guards.duplicate_node_ids import (
    check_duplicate,
    handle_duplicate_rejection,
    is_duplicate,
    register_directory,
    registered_directory,
)
from kraftpy.raft.guards.state_digests import (
    agreed_for,
    handle_agreed,
    is_servable,
    record_own_digest,
    record_reported,
    servable_snapshots,
)
from kraftpy.raft.guards.voter_eligibility import (
    all_are_empty,
    empty_for_ms,
    is_claimed,
    is_empty,
    is_on_probation,
    is_second_candidate,
    leaves_election_to_others,
    may_all_be_empty,
    may_ask,
    maybe_report_blocked_election,
    maybe_report_election_left,
    maybe_restore_eligibility,
    record_accepted_fetch,
    record_condition,
    report_vote_not_counted,
    restore,
    suspend,
    suspend_as_copy,
)
from kraftpy.raft.messages import FetchRequest, FetchResponse, FetchSnapshotRequest, VoteRequest, VoteResponse
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Leader, Prospective
from kraftpy.raft.vote_tally import Answer

__all__ = [
    "FIRST_START",
    "admit_candidate",
    "admit_fetch",
    "admit_fetch_snapshot",
    "admit_first_start",
    "admit_pre_vote",
    "admit_vote",
    "all_are_empty",
    "complete_fetch",
    "complete_vote",
    "explain_rejection",
    "handle_duplicate_rejection",
    "is_duplicate",
    "is_empty",
    "is_on_probation",
    "is_servable",
    "leaves_election_to_others",
    "may_all_be_empty",
    "may_ask",
    "maybe_report_blocked_election",
    "maybe_report_election_left",
    "maybe_restore_eligibility",
    "observe_fetch",
    "observe_fetch_response",
    "observe_granted_vote",
    "observe_pre_vote_response",
    "record_own_digest",
    "report_vote_not_counted",
    "restore",
    "servable_snapshots",
    "suspend",
    "suspend_as_copy",
]

FIRST_START = "all voters are empty: a first start"


# Elections.


def admit_candidate(state: ReplicaState, candidate: ReplicaKey) -> bool:
    """Return whether a candidate may ask at all: its id is not ours, nor that of a voter with another directory."""
    role = state.role
    has_our_id = candidate.node_id == state.node_id
    return not has_our_id and not (isinstance(role, Leader) and is_duplicate(state, role, candidate))


def admit_pre_vote(state: ReplicaState, candidate: ReplicaKey) -> bool:
    """Return whether an empty voter may answer a pre-vote: it answers one directory of a node id, and remembers it."""
    return not is_second_candidate(state, candidate)


def admit_vote(state: ReplicaState, request: VoteRequest) -> bool:
    """Return whether this voter may give the vote: it counts, or the candidate has established a first start."""
    return state.status.is_eligible or (not request.pre_vote and is_claimed(state, request.claimed_incarnation_id))


def observe_granted_vote(state: ReplicaState) -> None:
    """Let a vote make its voter eligible; also when given again, for a crash may have come between vote and status."""
    restore(state, "its vote in a first start makes it eligible")


def complete_vote(state: ReplicaState, response: VoteResponse) -> VoteResponse:
    """Add to the response to a vote request whether this voter counts, and whether it holds nothing."""
    status = state.status
    return replace(
        response,
        ineligible=not status.is_eligible,
        incarnation_id=status.incarnation_id,
        empty_for_ms=empty_for_ms(state),
    )


def observe_pre_vote_response(
    state: ReplicaState, role: Prospective, node_id: NodeId, response: VoteResponse
) -> Answer:
    """Take note of what a voter reported of itself, and return what its answer counts as."""
    record_condition(state, role, node_id, response)
    if response.granted:
        return Answer.GRANTED
    return Answer.EMPTY if response.empty_for_ms is not None else Answer.REJECTED


def admit_first_start(state: ReplicaState, role: Prospective) -> bool:
    """Return whether this election is a first start, and make this voter eligible if it is."""
    if not all_are_empty(state, role):
        return False
    restore(state, FIRST_START)
    return True


# Fetches.


def admit_fetch(state: ReplicaState, leader: Leader, request: FetchRequest) -> ErrorCode:
    """Return why a fetch is not served; ``NONE`` when it is. It proves that a registered directory is alive."""
    return check_duplicate(state, leader, _fetching_key(request))


def admit_fetch_snapshot(state: ReplicaState, leader: Leader, request: FetchSnapshotRequest) -> ErrorCode:
    """Return as :func:`admit_fetch` for the fetch of a snapshot."""
    return check_duplicate(state, leader, request.replica)


def _fetching_key(request: FetchRequest) -> ReplicaKey | None:
    """Return who fetches: the key that is counted, or the one of a replica that must not be counted yet."""
    return request.replica or request.on_probation


def explain_rejection(
    state: ReplicaState, leader: Leader, request: FetchRequest, response: FetchResponse
) -> FetchResponse:
    """Add to the rejection of a duplicate which directory is registered in its place."""
    key = _fetching_key(request)
    if response.partition_error is not ErrorCode.DUPLICATE_VOTER or key is None:
        return response
    return replace(response, registered_directory=registered_directory(state, leader, key.node_id))


def observe_fetch(state: ReplicaState, leader: Leader, request: FetchRequest) -> StateDigest | None:
    """Take note of a fetch that was found valid, before it is counted.

    Returns:
        This leader's own digest if the majority has another one: it has to resign. Else ``None``.
    """
    if request.replica is not None and request.replica.node_id >= 0:
        register_directory(state, leader, request.replica)
    return record_reported(state, leader, request)


def complete_fetch(
    state: ReplicaState, leader: Leader, request: FetchRequest, response: FetchResponse
) -> FetchResponse:
    """Add to the response of a fetch which digest the majority has, if the fetcher reported one."""
    return response if request.state is None else replace(response, agreed=agreed_for(state, leader, request))


def observe_fetch_response(
    state: ReplicaState, follower: Follower, request: FetchRequest, response: FetchResponse
) -> None:
    """Take note of what the leader of this epoch answered to a fetch, after its records were appended."""
    if request.replica is not None:
        record_accepted_fetch(state, follower, response.high_watermark)
    if response.agreed is not None:
        handle_agreed(state, follower.leader_id, response.agreed)
