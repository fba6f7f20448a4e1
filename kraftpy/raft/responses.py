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
from kraftpy.raft.core import Core
from kraftpy.raft.duplicate_node_ids import hear_refusal
from kraftpy.raft.election import handle_no_pre_vote, handle_unreachable, handle_vote_response
from kraftpy.raft.epoch_limit import EpochSource
from kraftpy.raft.follower_fetch import REFUSED_PAUSE_MS, handle_fetch_response
from kraftpy.raft.leader_discovery import hear_leader_resigned, maybe_follow, note_fetch_failure
from kraftpy.raft.leadership import handle_begin_response, handle_end_response, note_successor_gone
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
from kraftpy.raft.request_manager import InFlight
from kraftpy.raft.roles import Follower, Resigned
from kraftpy.raft.snapshots import drop_download, handle_fetch_snapshot_response, handle_snapshot_error
from kraftpy.raft.voter_changes import (
    handle_join_response,
    handle_update_voter_response,
    handle_versions_failure,
    handle_versions_response,
)
from kraftpy.raft.voter_eligibility import begin_anew

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
EPOCH_NEWS = frozenset({ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.NOT_LEADER_OR_FOLLOWER})
NEEDS_A_PERSON = frozenset(
    {
        ErrorCode.INCONSISTENT_CLUSTER_ID,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.INVALID_VOTER_KEY,
    }
)
"""Errors that time alone will not heal: people are told and the peer is left alone for longer."""


_PartitionResponse: TypeAlias = (
    VoteResponse | BeginQuorumEpochResponse | EndQuorumEpochResponse | FetchResponse | FetchSnapshotResponse
)


def handle_response(core: Core, correlation: int, response: RaftResponse) -> None:
    """Take an answer, if it is still waited for."""
    sent = core.requests_out.close(correlation)
    if sent is None:
        return
    try:
        _handle(core, sent, response)
    except Exception as error:
        # Nobody expected it, so it is for the driver to tell. The same answer, asked for at once, would do the same.
        core.refused(sent.node_id, f"its {type(response).__name__} caused {type(error).__name__}")
        core.back_off(sent.node_id, REFUSED_PAUSE_MS)
        raise


def _handle(core: Core, sent: InFlight, response: RaftResponse) -> None:
    if not isinstance(response, ANSWERS[type(sent.request)]) or isinstance(response, DescribeQuorumResponse):
        core.refused(sent.node_id, f"it answers a {type(sent.request).__name__} with a {type(response).__name__}")
        core.back_off(sent.node_id, REFUSED_PAUSE_MS)
    elif isinstance(response, AddRaftVoterResponse | RemoveRaftVoterResponse):
        handle_join_response(core, sent.node_id, response)
    elif isinstance(response, KRaftVersionsResponse):
        handle_versions_response(core, sent.node_id, response)
    elif isinstance(response, UpdateRaftVoterResponse):
        if response.error is ErrorCode.NONE and response.leader == core.leader:
            handle_update_voter_response(core)
    elif response.error is ErrorCode.UNSUPPORTED_VERSION:
        handle_failure(core, sent, Failure.UNSUPPORTED_VERSION)
    elif response.error is not ErrorCode.NONE:
        _handle_refusal(core, sent.node_id, response.error)
    elif _take_epoch_news(core, sent, response):
        _dispatch(core, sent, response)


def _explained(core: Core, error: ErrorCode) -> str:
    if error is not ErrorCode.INCONSISTENT_CLUSTER_ID:
        return ""
    if core.cluster_id is None:
        return ": it knows its cluster, and this node does not know its own yet; it will learn it by fetching"
    return (
        f": it is not of this node's cluster, which is {core.cluster_id} (meta.properties). Its log names both ids; "
        "does its address lead to another cluster"
    )


def _handle_refusal(core: Core, node_id: NodeId, error: ErrorCode) -> None:
    if error in NEEDS_A_PERSON:
        core.refused(node_id, f"it answers {error.name}{_explained(core, error)}")
        core.back_off(node_id, REFUSED_PAUSE_MS)
    else:
        core.back_off(node_id)
    handle_unreachable(core, node_id)


def _take_epoch_news(
    core: Core,
    sent: InFlight,
    response: _PartitionResponse,
) -> bool:
    """Apply the rules common to all responses; say whether the specific handler shall go on.

    Source: raft-protocol "Common rules": older epoch, newer epoch, same epoch with a leader we did not know.
    """
    epoch, error = response.leader.epoch, response.partition_error
    if epoch < core.epoch or error is ErrorCode.UNKNOWN_LEADER_EPOCH:
        core.back_off(sent.node_id)
        if isinstance(sent.request, FetchRequest | FetchSnapshotRequest):
            # The leader of our epoch knows that epoch, unless it restarted from nothing.
            hear_leader_resigned(core, sent.node_id)
        return False
    if _names_another_leader(core, response.leader):
        # A peer that lies, or is confused, must not stop a node; two real leaders of an epoch would be seen elsewhere.
        text = f"it says that {response.leader.leader_id} leads epoch {epoch}, but {core.leader_id} does"
        core.refused(sent.node_id, text)
        core.back_off(sent.node_id, REFUSED_PAUSE_MS)
        handle_unreachable(core, sent.node_id)
        return False
    if epoch > core.epoch or error in EPOCH_NEWS:
        if not core.believes_epoch(EpochSource.ANSWER, epoch, sent.node_id):
            core.back_off(sent.node_id, REFUSED_PAUSE_MS)
            handle_unreachable(core, sent.node_id)
            return False
        before, epoch_before = core.role, core.epoch
        maybe_follow(core, response.leader.leader_id, epoch, response.leader_endpoints)
        core.epoch_limit.note_risen(EpochSource.ANSWER, epoch_before, core.epoch)
        if core.asks_first and core.epoch > epoch_before and response.leader.leader_id is not None:
            _doubt_own_disk(core, sent.node_id, epoch_before)
        if core.role is before:
            core.back_off(sent.node_id)
            hear_leader_resigned(core, sent.node_id)
        return False
    if response.leader.leader_id is not None:
        maybe_follow(
            core, response.leader.leader_id, epoch, response.leader_endpoints or _where_it_answered(sent, error)
        )
    return True


def _names_another_leader(core: Core, leader: LeaderAndEpoch) -> bool:
    """Say whether an answer names a leader of our epoch that is not the one we know."""
    leader_id = leader.leader_id
    return leader.epoch == core.epoch and leader_id is not None and core.leader_id not in {None, leader_id}


def _doubt_own_disk(core: Core, node_id: NodeId, epoch_before: Epoch) -> None:
    """The only voter stores each epoch before anybody hears of it: another voter must have been elected since."""
    reason = (
        f"it is the only voter by its log, which ends in epoch {core.log.last_epoch}, and knew of no epoch after "
        f"{epoch_before}, but a peer says that node {core.leader_id} leads epoch {core.epoch}: its disk is a copy of "
        "an older time"
    )
    core.refused(node_id, f"{reason}. This node does not lead; it follows the quorum that there is")
    begin_anew(core, reason)


def _where_it_answered(sent: InFlight, error: ErrorCode) -> tuple[Endpoint, ...]:
    """Only a leader serves a fetch, so where one was served is where it listens, though an old peer does not say so."""
    served = error is ErrorCode.NONE and isinstance(sent.request, FetchRequest)
    return (sent.endpoint,) if served and sent.endpoint is not None else ()


def _dispatch(core: Core, sent: InFlight, response: _PartitionResponse) -> None:
    node_id, request = sent.node_id, sent.request
    error = response.partition_error
    if error is ErrorCode.DUPLICATE_VOTER and core.leader_id == node_id:
        _hear_twin_refusal(core, node_id, response)
    elif error is not ErrorCode.NONE:
        if not handle_snapshot_error(core, node_id, error):
            _handle_refusal(core, node_id, error)
    elif isinstance(response, VoteResponse) and isinstance(request, VoteRequest):
        handle_vote_response(core, node_id, request, response)
    elif isinstance(response, FetchResponse) and isinstance(request, FetchRequest):
        handle_fetch_response(core, node_id, request, response)
    elif isinstance(response, FetchSnapshotResponse):
        handle_fetch_snapshot_response(core, node_id, response)
    elif isinstance(response, BeginQuorumEpochResponse) and isinstance(request, BeginQuorumEpochRequest):
        handle_begin_response(core, node_id, request, response)
    elif isinstance(response, EndQuorumEpochResponse):
        handle_end_response(core, node_id)


def _hear_twin_refusal(core: Core, node_id: NodeId, response: RaftResponse) -> None:
    """The leader counts another replica under our id: drop what it sent, abstain, and ask again later."""
    hear_refusal(core, node_id, response.bound_directory if isinstance(response, FetchResponse) else None)
    if isinstance(core.role, Follower) and core.role.download is not None:
        drop_download(core, core.role, node_id, "the leader answers DUPLICATE_VOTER")
    core.back_off(node_id, REFUSED_PAUSE_MS)
    handle_unreachable(core, node_id)


def handle_request_failed(core: Core, correlation: int, reason: Failure) -> None:
    """Take the news that a request will not be answered, if it is still waited for."""
    sent = core.requests_out.close(correlation)
    if sent is not None:
        handle_failure(core, sent, reason)


def handle_failure(core: Core, sent: InFlight, reason: Failure) -> None:
    """Judge a peer by how it failed, and decide when it is asked again.

    A connection that was cut is tried again at once, because whether it is refused tells a dead process from a network
    that hiccuped; a time-out was a pause by itself.
    """
    if reason is Failure.UNSUPPORTED_VERSION and isinstance(sent.request, VoteRequest) and sent.request.pre_vote:
        handle_no_pre_vote(core, sent.request)
        return
    if isinstance(sent.request, KRaftVersionsRequest):
        handle_versions_failure(core, sent.node_id, reason.value)
        return
    if reason is Failure.UNSUPPORTED_VERSION and isinstance(sent.request, MEMBERSHIP_REQUESTS):
        return  # an old leader; it is asked again after a while
    role = core.role
    retry_at_once = reason is Failure.TIMED_OUT
    if isinstance(role, Follower) and role.leader_id == sent.node_id:
        retry_at_once |= reason is Failure.DISCONNECTED and role.last_failure is not Failure.DISCONNECTED
        note_fetch_failure(core, role, reason)
    if isinstance(role, Resigned) and reason is Failure.REFUSED:
        note_successor_gone(core, role, sent.node_id)
    if reason in {Failure.UNSUPPORTED_VERSION, Failure.MALFORMED}:
        core.refused(sent.node_id, f"{type(sent.request).__name__}: {reason.value}")
        core.back_off(sent.node_id, REFUSED_PAUSE_MS)
    elif not retry_at_once:
        core.back_off(sent.node_id)
    handle_unreachable(core, sent.node_id)
