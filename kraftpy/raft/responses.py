"""Answers to our own requests: the rules that hold for all of them, then the handler of each kind.

Every response says who leads in which epoch, as its sender knows it; most news of a new leader travels this way. A
response counts only if it is the one in flight to that node.

Source: KIP-595 §Request handling; Kafka ``KafkaRaftClient.handleResponse``, ``maybeHandleCommonResponse``.
"""

from __future__ import annotations

from typing import TypeAlias

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, LeaderAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft.election import handle_no_pre_vote, handle_unreachable, handle_vote_response
from kraftpy.raft.epoch_limit import EpochSource
from kraftpy.raft.follower_fetch import handle_fetch_response
from kraftpy.raft.guards import handle_duplicate_rejection, suspend_as_copy
from kraftpy.raft.leader_discovery import handle_leader_resigned, maybe_follow, record_fetch_failure
from kraftpy.raft.leadership import handle_begin_response, handle_end_response, record_successor_gone
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    DescribeQuorumResponse,
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    KRaftVersionsRequest,
    KRaftVersionsResponse,
    RaftRequest,
    RaftResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import Failure
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.request_manager import InFlight
from kraftpy.raft.roles import Follower, Resigned
from kraftpy.raft.snapshots import drop_download, handle_fetch_snapshot_response, handle_snapshot_error
from kraftpy.raft.timing import REJECTED_PAUSE_MS
from kraftpy.raft.voter_changes import (
    handle_join_response,
    handle_update_voter_response,
    handle_versions_failure,
    handle_versions_response,
)

ANSWERS: dict[type[RaftRequest], type[RaftResponse]] = {
    VoteRequest: VoteResponse,
    BeginQuorumEpochRequest: BeginQuorumEpochResponse,
    EndQuorumEpochRequest: EndQuorumEpochResponse,
    FetchRequest: FetchResponse,
    FetchSnapshotRequest: FetchSnapshotResponse,
    AddRaftVoterRequest: AddRaftVoterResponse,
    RemoveRaftVoterRequest: RemoveRaftVoterResponse,
    UpdateRaftVoterRequest: UpdateRaftVoterResponse,
    KRaftVersionsRequest: KRaftVersionsResponse,
}

MEMBERSHIP_REQUESTS = (AddRaftVoterRequest, RemoveRaftVoterRequest, UpdateRaftVoterRequest)
EPOCH_ERRORS = frozenset({ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.NOT_LEADER_OR_FOLLOWER})
NEEDS_A_PERSON = frozenset(
    {
        ErrorCode.INCONSISTENT_CLUSTER_ID,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.INVALID_VOTER_KEY,
    }
)
"""Errors that do not resolve by themselves: they are logged, and the peer is retried after a longer pause."""


_PartitionResponse: TypeAlias = (
    VoteResponse | BeginQuorumEpochResponse | EndQuorumEpochResponse | FetchResponse | FetchSnapshotResponse
)


def handle_response(state: ReplicaState, correlation: int, response: RaftResponse) -> None:
    """Take an answer, if it is still waited for."""
    sent = state.requests_out.close(correlation)
    if sent is None:
        return
    try:
        _handle(state, sent, response)
    except Exception as error:
        # It is unexpected, so the driver reports it. An immediate retry would get the same response.
        state.report_rejection(sent.node_id, f"its {type(response).__name__} caused {type(error).__name__}")
        state.back_off(sent.node_id, REJECTED_PAUSE_MS)
        raise


def _handle(state: ReplicaState, sent: InFlight, response: RaftResponse) -> None:
    if not isinstance(response, ANSWERS[type(sent.request)]) or isinstance(response, DescribeQuorumResponse):
        state.report_rejection(
            sent.node_id, f"it answers a {type(sent.request).__name__} with a {type(response).__name__}"
        )
        state.back_off(sent.node_id, REJECTED_PAUSE_MS)
    elif isinstance(response, AddRaftVoterResponse | RemoveRaftVoterResponse):
        handle_join_response(state, sent.node_id, response)
    elif isinstance(response, KRaftVersionsResponse):
        handle_versions_response(state, sent.node_id, response)
    elif isinstance(response, UpdateRaftVoterResponse):
        if response.error is ErrorCode.NONE and response.leader == state.leader:
            handle_update_voter_response(state)
    elif response.error is ErrorCode.UNSUPPORTED_VERSION:
        handle_failure(state, sent, Failure.UNSUPPORTED_VERSION)
    elif response.error is not ErrorCode.NONE:
        _handle_refusal(state, sent.node_id, response.error)
    elif _take_newer_epoch(state, sent, response):
        _dispatch(state, sent, response)


def _explained(state: ReplicaState, error: ErrorCode) -> str:
    if error is not ErrorCode.INCONSISTENT_CLUSTER_ID:
        return ""
    if state.cluster_id is None:
        return ": it knows its cluster, and this node does not know its own yet; it will learn it by fetching"
    return (
        f": it is not of this node's cluster, which is {state.cluster_id} (meta.properties). Its log names both ids; "
        "does its address lead to another cluster"
    )


def _handle_refusal(state: ReplicaState, node_id: NodeId, error: ErrorCode) -> None:
    if error in NEEDS_A_PERSON:
        state.report_rejection(node_id, f"it answers {error.name}{_explained(state, error)}")
        state.back_off(node_id, REJECTED_PAUSE_MS)
    else:
        state.back_off(node_id)
    handle_unreachable(state, node_id)


def _take_newer_epoch(
    state: ReplicaState,
    sent: InFlight,
    response: _PartitionResponse,
) -> bool:
    """Apply the rules common to all responses; return whether the specific handler must continue.

    Source: raft-protocol "Common rules": older epoch, newer epoch, same epoch with a leader we did not know.
    """
    epoch, error = response.leader.epoch, response.partition_error
    if epoch < state.epoch or error is ErrorCode.UNKNOWN_LEADER_EPOCH:
        state.back_off(sent.node_id)
        if isinstance(sent.request, FetchRequest | FetchSnapshotRequest):
            # The leader of our epoch knows that epoch, unless it restarted from nothing.
            handle_leader_resigned(state, sent.node_id)
        return False
    if _names_another_leader(state, response.leader):
        # A peer that lies, or is confused, must not stop a node; two real leaders of an epoch would be seen elsewhere.
        text = f"it reports that {response.leader.leader_id} leads epoch {epoch}, but {state.leader_id} does"
        state.report_rejection(sent.node_id, text)
        state.back_off(sent.node_id, REJECTED_PAUSE_MS)
        handle_unreachable(state, sent.node_id)
        return False
    if epoch > state.epoch or error in EPOCH_ERRORS:
        if not state.believes_epoch(EpochSource.ANSWER, epoch, sent.node_id):
            state.back_off(sent.node_id, REJECTED_PAUSE_MS)
            handle_unreachable(state, sent.node_id)
            return False
        before, epoch_before = state.role, state.epoch
        maybe_follow(state, response.leader.leader_id, epoch, response.leader_endpoints)
        state.epoch_limit.note_risen(EpochSource.ANSWER, epoch_before, state.epoch)
        if state.asks_first and state.epoch > epoch_before and response.leader.leader_id is not None:
            _doubt_own_disk(state, sent.node_id, epoch_before)
        if state.role is before:
            state.back_off(sent.node_id)
            handle_leader_resigned(state, sent.node_id)
        return False
    if response.leader.leader_id is not None:
        maybe_follow(
            state, response.leader.leader_id, epoch, response.leader_endpoints or _where_it_answered(sent, error)
        )
    return True


def _names_another_leader(state: ReplicaState, leader: LeaderAndEpoch) -> bool:
    """Return whether an answer names a leader of our epoch that is not the one we know."""
    leader_id = leader.leader_id
    return leader.epoch == state.epoch and leader_id is not None and state.leader_id not in {None, leader_id}


def _doubt_own_disk(state: ReplicaState, node_id: NodeId, epoch_before: Epoch) -> None:
    """The only voter stores each epoch before anybody hears of it: another voter must have been elected since."""
    reason = (
        f"it is the only voter by its log, which ends in epoch {state.log.last_epoch}, and knew of no epoch after "
        f"{epoch_before}, but a peer reports that node {state.leader_id} leads epoch {state.epoch}: its disk is a copy "
        "of an older time"
    )
    state.report_rejection(node_id, f"{reason}. This node does not lead; it follows the quorum that there is")
    suspend_as_copy(state, reason)


def _where_it_answered(sent: InFlight, error: ErrorCode) -> tuple[Endpoint, ...]:
    """Only a leader serves a fetch, so where one was served is where it listens, though an old peer does not say so."""
    served = error is ErrorCode.NONE and isinstance(sent.request, FetchRequest)
    return (sent.endpoint,) if served and sent.endpoint is not None else ()


def _dispatch(state: ReplicaState, sent: InFlight, response: _PartitionResponse) -> None:
    node_id, request = sent.node_id, sent.request
    error = response.partition_error
    if error is ErrorCode.DUPLICATE_VOTER and state.leader_id == node_id:
        _handle_duplicate_rejection(state, node_id, response)
    elif error is not ErrorCode.NONE:
        if not handle_snapshot_error(state, node_id, error):
            _handle_refusal(state, node_id, error)
    elif isinstance(response, VoteResponse) and isinstance(request, VoteRequest):
        handle_vote_response(state, node_id, request, response)
    elif isinstance(response, FetchResponse) and isinstance(request, FetchRequest):
        handle_fetch_response(state, node_id, request, response)
    elif isinstance(response, FetchSnapshotResponse):
        handle_fetch_snapshot_response(state, node_id, response)
    elif isinstance(response, BeginQuorumEpochResponse) and isinstance(request, BeginQuorumEpochRequest):
        handle_begin_response(state, node_id, request, response)
    elif isinstance(response, EndQuorumEpochResponse):
        handle_end_response(state, node_id)


def _handle_duplicate_rejection(state: ReplicaState, node_id: NodeId, response: RaftResponse) -> None:
    """The leader counts another replica under our id: drop what it sent, abstain, and ask again later."""
    handle_duplicate_rejection(
        state, node_id, response.registered_directory if isinstance(response, FetchResponse) else None
    )
    if isinstance(state.role, Follower) and state.role.download is not None:
        drop_download(state, state.role, node_id, "the leader answers DUPLICATE_VOTER")
    state.back_off(node_id, REJECTED_PAUSE_MS)
    handle_unreachable(state, node_id)


def handle_request_failed(state: ReplicaState, correlation: int, reason: Failure) -> None:
    """Take the news that a request will not be answered, if it is still waited for."""
    sent = state.requests_out.close(correlation)
    if sent is not None:
        handle_failure(state, sent, reason)


def handle_failure(state: ReplicaState, sent: InFlight, reason: Failure) -> None:
    """Classify the failure of a request, and decide when the peer is retried.

    A closed connection is retried at once, because a refused connection distinguishes a dead process from a network
    glitch; a timeout was a pause by itself.
    """
    if reason is Failure.UNSUPPORTED_VERSION and isinstance(sent.request, VoteRequest) and sent.request.pre_vote:
        handle_no_pre_vote(state, sent.request)
        return
    if isinstance(sent.request, KRaftVersionsRequest):
        handle_versions_failure(state, sent.node_id, reason.value)
        return
    if reason is Failure.UNSUPPORTED_VERSION and isinstance(sent.request, MEMBERSHIP_REQUESTS):
        return  # an old leader; it is asked again after a while
    role = state.role
    retry_at_once = reason is Failure.TIMED_OUT
    if isinstance(role, Follower) and role.leader_id == sent.node_id:
        retry_at_once |= reason is Failure.DISCONNECTED and role.last_failure is not Failure.DISCONNECTED
        record_fetch_failure(state, role, reason)
    if isinstance(role, Resigned) and reason is Failure.REFUSED:
        record_successor_gone(state, role, sent.node_id)
    if reason in {Failure.UNSUPPORTED_VERSION, Failure.MALFORMED}:
        state.report_rejection(sent.node_id, f"{type(sent.request).__name__}: {reason.value}")
        state.back_off(sent.node_id, REJECTED_PAUSE_MS)
    elif not retry_at_once:
        state.back_off(sent.node_id)
    handle_unreachable(state, sent.node_id)
