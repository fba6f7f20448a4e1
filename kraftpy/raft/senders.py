"""Who sends a request, as far as the request itself says. Nothing here is proof: any peer can write any id."""

from __future__ import annotations

from kraftpy.model.ids import NodeId
from kraftpy.model.voters import ReplicaKey, VoterSet
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    RaftRequest,
    VoteRequest,
)


def sender(request: RaftRequest) -> NodeId | None:
    """Return the id under which a request was sent, ``None`` where it carries none."""
    match request:
        case VoteRequest():
            return request.candidate.node_id
        case BeginQuorumEpochRequest() | EndQuorumEpochRequest():
            return request.leader_id
        case FetchRequest(replica=ReplicaKey() as replica) | FetchSnapshotRequest(replica=ReplicaKey() as replica):
            return replica.node_id
        case _:
            return None


def voter_that_sends(voters: VoterSet, request: RaftRequest) -> NodeId | None:
    """Return the voter under whose key a request was sent; ``None`` when it was sent under no voter's.

    The directory id must be the voter's where both are known. Begin- and EndQuorumEpoch carry a node id only.
    """
    match request:
        case VoteRequest():
            key: ReplicaKey | None = request.candidate
        case FetchRequest() | FetchSnapshotRequest():
            key = request.replica
        case BeginQuorumEpochRequest() | EndQuorumEpochRequest():
            return None if voters.by_id(request.leader_id) is None else request.leader_id
        case _:
            return None
    return key.node_id if key is not None and voters.contains(key) else None
