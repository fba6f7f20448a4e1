"""Requests from peers: one prologue for all, then the handler of each kind.

The cluster id is checked before anything else and a mismatch changes nothing: a node of another cluster must not even
raise our epoch. A replica whose own id is not known yet accepts any (KIP-1262). An absent id is accepted where the
sender may not know it yet: fetches (that is how it is learned), administrators, voters that report their endpoints, and
a candidate whose log is no shorter than ours, which may hold the record with the id and not know that it is committed.
It is rejected where the sender must know it: leaders, and candidates that could not win our vote anyway. A follower of
a leader that does not know the id yet receives it by fetching. Kafka's nodes always send theirs.

Source: KIP-595 §Request handling; KIP-1262; raft-protocol §8, §18.
"""

from __future__ import annotations

from typing import Any, Final, cast

from kraftpy.model.errors import ErrorCode
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.election import handle_vote
from kraftpy.raft.epoch_limit import EpochSource
from kraftpy.raft.leader_discovery import handle_begin_quorum_epoch, handle_end_quorum_epoch
from kraftpy.raft.leader_replication import describe_quorum, handle_fetch
from kraftpy.raft.leadership import KRAFT_VERSION_MAX, KRAFT_VERSION_MIN
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    DescribeQuorumRequest,
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
from kraftpy.raft.ready import Reply
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.senders import sender
from kraftpy.raft.snapshots import handle_fetch_snapshot
from kraftpy.raft.voter_changes import handle_add_voter, handle_remove_voter, handle_update_voter

CLUSTER_ID_SHOWN_MAX: Final = 64
"""A cluster id has 22 characters; at most this many characters of an invalid one appear in responses and log lines."""


def handle_request(state: ReplicaState, token: int, request: RaftRequest) -> None:
    """Check the cluster id, then serve; a fetch may be answered later."""
    if _is_of_another_cluster(state, request) or _ought_to_know(state, request):
        state.out.reply_early(Reply(token, _refuse_cluster(state, request)))
        return
    match request:
        case FetchRequest():
            handle_fetch(state, token, request)
        case FetchSnapshotRequest():
            handle_fetch_snapshot(state, token, request)
        case AddRaftVoterRequest():
            handle_add_voter(state, token, request)
        case RemoveRaftVoterRequest():
            handle_remove_voter(state, token, request)
        case UpdateRaftVoterRequest():
            state.out.reply_early(Reply(token, handle_update_voter(state, request)))
        case KRaftVersionsRequest():
            versions = KRaftVersionsResponse(lowest=KRAFT_VERSION_MIN, highest=KRAFT_VERSION_MAX)
            state.out.reply_early(Reply(token, versions))
        case DescribeQuorumRequest():
            state.out.reply_early(Reply(token, describe_quorum(state)))
        case BeginQuorumEpochRequest():
            # It says what this voter had not done by now, and promises nothing: a leader's reads wait for it.
            state.out.reply_early(Reply(token, _answer(state, request)))
        case _:
            state.out.reply(Reply(token, _answer(state, request)))


def _answer(
    state: ReplicaState, request: VoteRequest | BeginQuorumEpochRequest | EndQuorumEpochRequest
) -> RaftResponse:
    source, before = _source(state, request), state.epoch
    if not state.believes_epoch(source, request.epoch, sender(request)):
        response = _REFUSALS[type(request)](
            partition_error=ErrorCode.INVALID_REQUEST, leader=state.leader, leader_endpoints=state.leader_endpoints
        )
        return cast("RaftResponse", response)
    answer: RaftResponse
    match request:
        case VoteRequest():
            answer = handle_vote(state, request)
        case BeginQuorumEpochRequest():
            answer = handle_begin_quorum_epoch(state, request)
        case EndQuorumEpochRequest():
            answer = handle_end_quorum_epoch(state, request)
    state.epoch_limit.note_risen(source, before, state.epoch)
    return answer


def _source(state: ReplicaState, request: VoteRequest | BeginQuorumEpochRequest | EndQuorumEpochRequest) -> EpochSource:
    """Return whether a request's sender is a voter of the set in force, of an earlier one, or of the configuration."""
    key = request.candidate if isinstance(request, VoteRequest) else ReplicaKey(request.leader_id)
    return EpochSource.VOTER if state.knows_voter(key) else EpochSource.STRANGER


def _is_of_another_cluster(state: ReplicaState, request: RaftRequest) -> bool:
    if isinstance(request, DescribeQuorumRequest | KRaftVersionsRequest):
        return False
    return None not in {request.cluster_id, state.cluster_id} and request.cluster_id != state.cluster_id


def _ought_to_know(state: ReplicaState, request: RaftRequest) -> bool:
    """Return whether a request lacks an id that its sender cannot but know, if it is of this cluster."""
    if state.cluster_id is None:
        return False
    match request:
        case BeginQuorumEpochRequest() | EndQuorumEpochRequest():
            return request.cluster_id is None
        case VoteRequest():
            return request.cluster_id is None and request.last < state.log.end
        case _:
            return False


def _refuse_cluster(state: ReplicaState, request: RaftRequest) -> RaftResponse:
    asked = None if isinstance(request, DescribeQuorumRequest | KRaftVersionsRequest) else request.cluster_id
    if asked is not None and len(asked) > CLUSTER_ID_SHOWN_MAX:
        asked = f"{asked[:CLUSTER_ID_SHOWN_MAX]}... ({len(asked)} characters)"
    whose = "it names no cluster" if asked is None else f"it is of cluster {asked}"
    text = f"{whose}, but this node is of cluster {state.cluster_id} (meta.properties)"
    state.report_rejection(sender(request), text)
    if isinstance(request, AddRaftVoterRequest):
        return AddRaftVoterResponse(error=ErrorCode.INCONSISTENT_CLUSTER_ID, message=text)
    if isinstance(request, RemoveRaftVoterRequest):
        return RemoveRaftVoterResponse(error=ErrorCode.INCONSISTENT_CLUSTER_ID, message=text)
    response = _REFUSALS[type(request)](
        error=ErrorCode.INCONSISTENT_CLUSTER_ID, leader=state.leader, leader_endpoints=state.leader_endpoints
    )
    return cast("RaftResponse", response)


_REFUSALS: dict[type[RaftRequest], Any] = {
    VoteRequest: VoteResponse,
    BeginQuorumEpochRequest: BeginQuorumEpochResponse,
    EndQuorumEpochRequest: EndQuorumEpochResponse,
    FetchRequest: FetchResponse,
    FetchSnapshotRequest: FetchSnapshotResponse,
    UpdateRaftVoterRequest: UpdateRaftVoterResponse,
}
