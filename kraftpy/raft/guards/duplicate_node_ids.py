"""Two processes with one voter's id: only one of them counts.

Static voters are ids and addresses, so a second process with the id of voter 2 looks like voter 2. A leader registers
the first directory whose fetch is valid under an id; while it is heard from, another directory is rejected with
DUPLICATE_VOTER. The rejected replica is not eligible until a leader accepts it and it has caught up
(``voter_eligibility``).

Rules request by request, what remains, and sources: docs/design/duplicate-node-ids.md.
"""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId, Uuid, uuid_to_text
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.follower_progress import FetchState
from kraftpy.raft.guards.voter_eligibility import suspend
from kraftpy.raft.ready import DuplicateNodeIdRejected
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Follower, Leader

# The leader's side.


def check_duplicate(state: ReplicaState, leader: Leader, key: ReplicaKey | None) -> ErrorCode:
    """Refuse a replica that uses the id of another one; take note that the bound one lives."""
    if key is None or key.node_id < 0:
        return ErrorCode.NONE
    if key.node_id == state.node_id:
        _log_event(
            state, DuplicateNodeIdRejected(state.node_id, state.key.directory_id, key.directory_id, state.node_id)
        )
        return ErrorCode.DUPLICATE_VOTER
    progress = _progress_of_static_voter(state, leader, key.node_id)
    if progress is None:
        return ErrorCode.NONE
    if is_duplicate(state, leader, key):
        _log_event(
            state, DuplicateNodeIdRejected(key.node_id, progress.key.directory_id, key.directory_id, state.node_id)
        )
        return ErrorCode.DUPLICATE_VOTER
    if progress.last_seen_ms is not None and progress.key == key:
        progress.last_seen_ms = state.now_ms
    return ErrorCode.NONE


def is_duplicate(state: ReplicaState, leader: Leader, key: ReplicaKey) -> bool:
    """Return whether another directory is registered for this replica's id, and is heard from."""
    if key.node_id == state.node_id:
        return key != state.key
    progress = _progress_of_static_voter(state, leader, key.node_id)
    if progress is None or progress.last_seen_ms is None or progress.key == key:
        return False
    return state.now_ms - progress.last_seen_ms < state.config.check_quorum_ms


def register_directory(state: ReplicaState, leader: Leader, key: ReplicaKey) -> None:
    """Register this directory, whose fetch was found valid, for the voter of its id."""
    progress = _progress_of_static_voter(state, leader, key.node_id)
    if progress is None:
        return
    if progress.key != key:
        progress.start_over(key)
        leader.described_voters.pop(key.node_id, None)
    progress.last_seen_ms = state.now_ms


def registered_directory(state: ReplicaState, leader: Leader, node_id: NodeId) -> Uuid | None:
    """Return which directory is registered for an id; ``None`` when none is, or one without a directory id."""
    if node_id == state.node_id:
        return state.key.directory_id
    progress = _progress_of_static_voter(state, leader, node_id)
    return None if progress is None else progress.key.directory_id


def _progress_of_static_voter(state: ReplicaState, leader: Leader, node_id: NodeId) -> FetchState | None:
    voter = state.voters.by_id(node_id)
    if voter is None or voter.key.directory_id is not None or node_id == state.node_id:
        return None
    return leader.progress.voter(node_id)


# The side of the one that is refused.


def handle_duplicate_rejection(state: ReplicaState, leader_id: NodeId, bound: Uuid | None) -> None:
    """The leader counts another directory under our id: abstain, but know that the leader lives."""
    role = state.role
    if isinstance(role, Follower) and role.leader_id == leader_id:
        # It lives; but what it says of the log we do not hear, so ``heard_ms`` stays.
        role.deadline_ms = state.fetch_deadline_ms(leader_id)
        role.eligible_from = None
    reason = f"leader {leader_id} counts directory {_text(bound)} as voter {state.node_id}"
    suspend(state, state.status.as_duplicate(reason))
    _log_event(state, DuplicateNodeIdRejected(state.node_id, bound, state.key.directory_id, leader_id))


def _log_event(state: ReplicaState, event: DuplicateNodeIdRejected) -> None:
    if state.log_rate_limiter.should_log(event.node_id, f"duplicate {event.bound!r} {event.refused!r}", state.now_ms):
        state.out.events.append(event)


def _text(directory_id: Uuid | None) -> str:
    return "(unknown)" if directory_id is None else uuid_to_text(directory_id)
