"""Requests from peers: one prologue for all, then the handler of each kind.

The cluster id is checked before anything else and a mismatch changes nothing: a node of another cluster must not even
move our epoch. An absent id is accepted, and a replica whose own id is not known yet accepts any (KIP-1262).

Source: KIP-595 §Request handling; KIP-1262; raft-protocol §8, §18.
"""

from __future__ import annotations

from typing import Any, Final, cast

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.core import Core
from kraftpy.raft.election import handle_vote
from kraftpy.raft.following import handle_begin_quorum_epoch, handle_end_quorum_epoch
from kraftpy.raft.leadership import KRAFT_VERSION_MAX, KRAFT_VERSION_MIN
from kraftpy.raft.membership import handle_add_voter, handle_remove_voter, handle_update_voter
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
from kraftpy.raft.replication import describe_quorum, handle_fetch
from kraftpy.raft.snapshots import handle_fetch_snapshot

EPOCH_JUMP_MAX: Final = 1_000_000
"""A request may be this far ahead of our epoch: more elections than a quorum holds in a week. An epoch is stored as
soon as it is seen and never goes back, so a single request with the highest one there is would end all elections for
ever. A node that really is so far behind learns the epoch from the leader that it looks for."""


def handle_request(core: Core, token: int, request: RaftRequest) -> None:
    """Check the cluster id, then serve; a fetch may be answered later."""
    if _is_of_another_cluster(core, request):
        core.out.reply_early(Reply(token, _refuse_cluster(core, request)))
        return
    match request:
        case FetchRequest():
            handle_fetch(core, token, request)
        case FetchSnapshotRequest():
            handle_fetch_snapshot(core, token, request)
        case AddRaftVoterRequest():
            handle_add_voter(core, token, request)
        case RemoveRaftVoterRequest():
            handle_remove_voter(core, token, request)
        case UpdateRaftVoterRequest():
            core.out.reply_early(Reply(token, handle_update_voter(core, request)))
        case KRaftVersionsRequest():
            versions = KRaftVersionsResponse(lowest=KRAFT_VERSION_MIN, highest=KRAFT_VERSION_MAX)
            core.out.reply_early(Reply(token, versions))
        case DescribeQuorumRequest():
            core.out.reply_early(Reply(token, describe_quorum(core)))
        case _:
            core.out.reply(Reply(token, _answer(core, request)))


def _answer(core: Core, request: VoteRequest | BeginQuorumEpochRequest | EndQuorumEpochRequest) -> RaftResponse:
    if request.epoch > core.epoch + EPOCH_JUMP_MAX:
        core.refused(_sender(request), f"its epoch {request.epoch} is beyond belief: ours is {core.epoch}")
        response = _REFUSALS[type(request)](
            partition_error=ErrorCode.INVALID_REQUEST, leader=core.leader, leader_endpoints=core.leader_endpoints
        )
        return cast("RaftResponse", response)
    match request:
        case VoteRequest():
            return handle_vote(core, request)
        case BeginQuorumEpochRequest():
            return handle_begin_quorum_epoch(core, request)
        case EndQuorumEpochRequest():
            return handle_end_quorum_epoch(core, request)


def _is_of_another_cluster(core: Core, request: RaftRequest) -> bool:
    if isinstance(request, DescribeQuorumRequest | KRaftVersionsRequest):
        return False
    return None not in {request.cluster_id, core.cluster_id} and request.cluster_id != core.cluster_id


def _refuse_cluster(core: Core, request: RaftRequest) -> RaftResponse:
    asked = None if isinstance(request, DescribeQuorumRequest | KRaftVersionsRequest) else request.cluster_id
    text = f"it is of cluster {asked}, but this node is of cluster {core.cluster_id} (meta.properties)"
    core.refused(_sender(request), text)
    if isinstance(request, AddRaftVoterRequest):
        return AddRaftVoterResponse(error=ErrorCode.INCONSISTENT_CLUSTER_ID, message=text)
    if isinstance(request, RemoveRaftVoterRequest):
        return RemoveRaftVoterResponse(error=ErrorCode.INCONSISTENT_CLUSTER_ID, message=text)
    response = _REFUSALS[type(request)](
        error=ErrorCode.INCONSISTENT_CLUSTER_ID, leader=core.leader, leader_endpoints=core.leader_endpoints
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


def _sender(request: RaftRequest) -> NodeId | None:
    match request:
        case VoteRequest():
            return request.candidate.node_id
        case BeginQuorumEpochRequest() | EndQuorumEpochRequest():
            return request.leader_id
        case FetchRequest(replica=ReplicaKey() as replica) | FetchSnapshotRequest(replica=ReplicaKey() as replica):
            return replica.node_id
        case _:
            return None
