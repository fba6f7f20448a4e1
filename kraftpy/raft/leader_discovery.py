"""Learning who leads: from a response, from the leader itself, or from its silence.

``maybe_follow`` is the one gate through which a leader becomes known. Within an epoch a leader, once known, stays;
two leaders in one epoch would mean that votes were counted wrongly somewhere, and stop the node.

A dead leader is noticed by its connections: a process that dies closes its sockets, so a fetch that is cut and then
refused need not wait for the fetch timeout. A cut network shows as time-outs only, and waits.

Source: KIP-595 §BeginQuorumEpoch, §EndQuorumEpoch; Kafka ``maybeTransition``; *Divergences* in the package.
"""

from __future__ import annotations

from dataclasses import replace

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft.election import schedule_election
from kraftpy.raft.error_responses import refusal
from kraftpy.raft.guards import suspend
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
)
from kraftpy.raft.quorum_state import fall_back_to_unattached, transition_to_follower, transition_to_unattached
from kraftpy.raft.ready import Failure, LeaderLost
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Leader, Prospective, Resigned, Unattached
from kraftpy.raft.timing import RESIGNATION_NOTICE_MS


def maybe_follow(state: ReplicaState, leader_id: NodeId | None, epoch: Epoch, endpoints: tuple[Endpoint, ...]) -> None:
    """Take note of who leads ``epoch``, which is not below our own."""
    if leader_id == state.node_id:
        _handle_own_leadership(state, epoch)
    elif epoch > state.epoch:
        _enter_epoch(state, leader_id, epoch, endpoints or _known_endpoints(state, leader_id))
    elif leader_id is not None:
        _learn_leader(state, leader_id, endpoints or _known_endpoints(state, leader_id))


def _known_endpoints(state: ReplicaState, leader_id: NodeId | None) -> tuple[Endpoint, ...]:
    return () if leader_id is None else state.endpoints_of(leader_id)


def _handle_own_leadership(state: ReplicaState, epoch: Epoch) -> None:
    """Peers report us as leader. If we do not know of it, our disk was lost: in that epoch we neither vote nor append.

    Where the voter set contains directory ids, this directory led, and its content is gone; otherwise the leader may be
    another directory with a duplicate node id, and this replica must no longer report that its voter is empty.
    """
    known = state.leader_id
    if epoch == state.epoch and known is not None:
        invariant(known == state.node_id, "an epoch has one leader", epoch, known, state.node_id)
        return
    vote = state.election_state.voted_key if epoch == state.epoch else None
    reason = f"other nodes report that node {state.node_id} leads epoch {epoch}, of which its disk knows nothing"
    state.report_rejection(state.node_id, f"{reason}: that disk was lost, or another process has this node.id")
    voter = state.voters.by_id(state.node_id)
    if state.status.incarnation_id is None or voter is None or voter.key != state.key:
        suspend(state, state.status.as_recovering(reason))
    transition_to_unattached(state, epoch, "other nodes report that it leads", leader_id=state.node_id, voted_key=vote)


def _enter_epoch(state: ReplicaState, leader_id: NodeId | None, epoch: Epoch, endpoints: tuple[Endpoint, ...]) -> None:
    if leader_id is not None and endpoints:
        transition_to_follower(state, epoch, leader_id, endpoints, f"{leader_id} leads a higher epoch")
    else:
        transition_to_unattached(state, epoch, "saw a higher epoch", leader_id=leader_id)


def _learn_leader(state: ReplicaState, leader_id: NodeId, endpoints: tuple[Endpoint, ...]) -> None:
    role, known = state.role, state.leader_id
    invariant(known in {None, leader_id}, "an epoch has one leader", state.epoch, known, leader_id)
    if isinstance(role, Follower):
        # A leader's process has one address in its epoch. An address that has answered is correct: a different, longer
        # list from another peer does not redirect this replica's fetches.
        if len(endpoints) > len(role.leader_endpoints) and not role.has_fetched:
            role.leader_endpoints = endpoints
        return
    if isinstance(role, Leader | Resigned) or not endpoints or len(endpoints) <= len(state.leader_endpoints):
        return
    # Others believe in a dead leader for a whole fetch timeout, and say so with every vote that they refuse.
    ignore_leader_until_ms = role.ignore_leader_until_ms if isinstance(role, Unattached | Prospective) else None
    if known != leader_id or ignore_leader_until_ms is None or ignore_leader_until_ms <= state.now_ms:
        transition_to_follower(state, state.epoch, leader_id, endpoints, f"learnt that {leader_id} leads")


def handle_begin_quorum_epoch(state: ReplicaState, request: BeginQuorumEpochRequest) -> BeginQuorumEpochResponse:
    """Hear from a leader that it leads. Like a vote request, it moves the epoch before the voter key is looked at."""
    refused = _check_leader_claim(state, request.leader_id, request.epoch)
    if refused is not ErrorCode.NONE:
        return refusal(state, BeginQuorumEpochResponse, refused)
    maybe_follow(state, request.leader_id, request.epoch, request.leader_endpoints)
    _handle_leader_alive(state, request.leader_id, request.leader_endpoints)
    error = ErrorCode.NONE
    if not state.is_me(request.voter):
        state.report_rejection(request.leader_id, f"it means voter {request.voter}, but this is {state.key}")
        error = ErrorCode.INVALID_VOTER_KEY
    answer = refusal(state, BeginQuorumEpochResponse, error)
    return replace(answer, ineligible=not state.status.is_eligible, directory_id=state.key.directory_id)


def _check_leader_claim(state: ReplicaState, leader_id: NodeId, epoch: Epoch) -> ErrorCode:
    if epoch < state.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    # Only we may say that we lead; a peer that does so in a request is confused.
    if leader_id < 0 or leader_id == state.node_id:
        state.report_rejection(
            leader_id, f"it reports that it leads epoch {epoch}, under a node id that cannot be another's"
        )
        return ErrorCode.INVALID_REQUEST
    if epoch == state.epoch and state.leader_id not in {None, leader_id}:
        # Anybody who reaches the port can send such a request; it must not stop a node.
        state.report_rejection(leader_id, f"it reports that it leads epoch {epoch}, but {state.leader_id} does")
        return ErrorCode.INVALID_REQUEST
    return ErrorCode.NONE


def _handle_leader_alive(state: ReplicaState, leader_id: NodeId, endpoints: tuple[Endpoint, ...]) -> None:
    """The message is from the leader itself, so a replica that had left it follows it again."""
    role = state.role
    if isinstance(role, Follower):
        role.leader_lost = False
        role.last_failure = None
    elif isinstance(role, Prospective | Unattached) and role.leader_id == leader_id:
        where = endpoints or state.leader_endpoints or _known_endpoints(state, leader_id)
        if where:
            transition_to_follower(state, role.epoch, leader_id, where, f"{leader_id} reports that it leads")


def handle_end_quorum_epoch(state: ReplicaState, request: EndQuorumEpochRequest) -> EndQuorumEpochResponse:
    """Handle the resignation of a leader; start an election in the order that it prefers."""
    refused = _check_leader_claim(state, request.leader_id, request.epoch)
    if refused is not ErrorCode.NONE:
        return refusal(state, EndQuorumEpochResponse, refused)
    maybe_follow(state, request.leader_id, request.epoch, request.leader_endpoints)
    role = state.role
    if isinstance(role, Follower) and role.leader_id == request.leader_id:
        _prepare_succession(state, role, request.preferred_successors)
    return refusal(state, EndQuorumEpochResponse, ErrorCode.NONE)


def _prepare_succession(state: ReplicaState, follower: Follower, successors: tuple[ReplicaKey, ...]) -> None:
    if not state.may_start_election:
        leave_lost_leader(state, follower)
    elif not successors:
        schedule_election(state, follower)
    else:
        pause_ms = successor_back_off_ms(successors, state.key, state.config.election_backoff_max_ms)
        election_at_ms = state.now_ms + pause_ms
        follower.deadline_ms = min(follower.deadline_ms, election_at_ms) if follower.leader_lost else election_at_ms
    follower.leader_lost = True


def successor_back_off_ms(successors: tuple[ReplicaKey, ...], key: ReplicaKey, backoff_max_ms: int) -> int:
    """Return how long a voter waits before its election, by its position among the preferred successors.

    Source: KIP-595 §EndQuorumEpoch; Kafka ``strictExponentialElectionBackoffMs``.
    """
    positions = (
        place
        for place, successor in enumerate(successors)
        if successor.node_id == key.node_id and successor.directory_id in {None, key.directory_id}
    )
    position = next(positions, None)
    if position is None:
        return backoff_max_ms
    if position == 0:
        return 0
    return min(backoff_max_ms, (backoff_max_ms >> (len(successors) - 1)) << (position - 1))


def mark_leader_lost(state: ReplicaState, follower: Follower, notice_ms: int = 0) -> None:
    """Handle a dead or resigned leader: schedule an election, or (an observer) discover the next leader."""
    if follower.leader_lost:
        return
    follower.leader_lost = True
    state.out.events.append(LeaderLost(follower.leader_id, follower.epoch))
    if state.may_start_election:
        schedule_election(state, follower, notice_ms)
    else:
        leave_lost_leader(state, follower)


def leave_lost_leader(state: ReplicaState, follower: Follower) -> None:
    """Let a replica that cannot be elected discover the next leader, and for a while ignore claims of the lost one."""
    ignore_leader_until_ms = state.now_ms + state.config.fetch_timeout_ms
    fall_back_to_unattached(
        state, f"lost its leader {follower.leader_id}", ignore_leader_until_ms=ignore_leader_until_ms
    )


def handle_leader_resigned(state: ReplicaState, node_id: NodeId) -> None:
    """The leader we follow answered that it does not lead this epoch: it resigned, or restarted."""
    role = state.role
    if isinstance(role, Follower) and role.leader_id == node_id:
        mark_leader_lost(state, role, RESIGNATION_NOTICE_MS)


def record_fetch_failure(state: ReplicaState, follower: Follower, reason: Failure) -> None:
    """Judge the leader by how a fetch failed: cut and then refused means that it died."""
    before, follower.last_failure = follower.last_failure, reason
    if reason is Failure.REFUSED and before in {Failure.DISCONNECTED, Failure.REFUSED}:
        mark_leader_lost(state, follower)
