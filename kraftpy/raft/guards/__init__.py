"""What Raft takes for granted and disks, configurations and memory do not give: the guards around the protocol.

Raft assumes that a voter forgets nothing, that a node id is one process, and that equal logs give equal states. Each of
these is checked by one module; the other modules of ``kraftpy.raft`` read like the papers without them.

    voter_eligibility    a voter that lost its log or its vote, and a first start on empty directories
    duplicate_node_ids   two directories with one node id
    state_digests        whether equal logs gave equal states

The protocol meets them through the functions below: ``admit_*`` before it acts on a message, ``observe_*`` after it has
found the message valid. Elections ask ``voter_eligibility`` by name: who may vote is their subject.

Must not depend on the protocol's handlers (``election``, ``leader_replication`` ...): a guard changes its own part of
the state and returns what the handler has to do. Proofs: docs/design/voter-eligibility.md, duplicate-node-ids.md.
"""

from __future__ import annotations

from dataclasses import replace

from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.guards.duplicate_node_ids import check_duplicate, register_directory, registered_directory
from kraftpy.raft.guards.state_digests import agreed_for, handle_agreed, record_reported
from kraftpy.raft.guards.voter_eligibility import record_accepted_fetch
from kraftpy.raft.messages import FetchRequest, FetchResponse, FetchSnapshotRequest
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Leader


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
