"""Two processes with one voter's id: only one of them counts.

The voters of ``controller.quorum.voters`` are ids and addresses; no directory stands in that list. So a second process
that was given the id of voter 2 (a copied configuration, a machine that came back beside its replacement) looks like
voter 2 to everybody. If its fetches moved the high watermark, a record would be called committed that the real voter 2
does not hold; if both voted, a majority of ids would not be a majority of logs.

What a leader does, in its own epoch
    The first directory that fetches validly under a voter's id is *bound* to it. While it is heard of, a replica with
    that id and another directory is refused with DUPLICATE_VOTER: it gets no records, it counts neither for the high
    watermark nor as a sign of life, and its candidacy is not answered. When the bound one has been silent for as long
    as a leader waits for its majority (1.5 fetch timeouts: by then it cannot be one of those that keep this leader in
    office), the next one that fetches is bound in its place: a lost disk was replaced. From then on its own end offset
    counts, be it lower; the high watermark stays where it is. Signs of life are fetches (also those that are only
    redirected) and snapshot fetches. The id of the leader itself is bound to the leader for as long as it leads.

    A request without a directory id (Fetch below version 17) is one more directory, "the nameless": alone it is served
    and counted as ever, but beside a named one that is bound it is refused, and the other way round. Two nameless
    twins can't be told apart.

What the refused one does
    It says so (``DuplicateNodeIdRejected``), asks again after a pause, and abstains: it gives no vote or pre-vote and
    does not stand, *until a leader accepts its fetch and its flushed log has reached a high watermark that this leader
    stated*. That the epoch ends in which it was refused is not enough: its log misses what was committed meanwhile, and
    the counts of the next election go by ids. Nor is a restart: its directory is marked (``voter_eligibility``). To be
    counted again it lets others fetch first from each new leader (``INELIGIBLE_YIELD``), so that a directory that
    never was refused is bound before it.

    A replica that hears that it leads an epoch of which its disk knows nothing is in the same place: the one that was
    elected is another directory, its twin or its own lost disk. It abstains likewise.

Who hears what
    ==================  ================================================================================================
    Fetch               refused as above, before the log is looked at; the answer names the bound directory (our tag).
    FetchSnapshot       refused in the same way, so that a twin does not even get the state. It never binds.
    Vote                a leader refuses a twin of a bound voter (or of itself) and stays in its epoch: such a request
                        is as good as lost. A voter's vote goes to the whole key: who voted for (2, A) does not vote
                        for (2, B) in that epoch; nor for any 2 if it restarted and does not know which one it was (a
                        quorum-state of version 0 names no directory). A request under the receiver's own id is refused
                        by every role.
    BeginQuorumEpoch    goes to the voter's address and names no directory: whoever listens there may know who leads.
                        One that comes from the receiver's own id is refused (INVALID_REQUEST, as Kafka), and told.
    UpdateRaftVoter     refused from a twin, so that an upgrade to kraft.version 1 writes the bound directory down.
    EndQuorumEpoch      names bound directories as successors, so a twin is none of them.
    ==================  ================================================================================================

What remains
    Without a leader nobody can tell twins apart. Two twins that were never refused, or were both trusted once, may
    stand in the same epoch of a leaderless quorum, and each can be elected by other voters. Directory ids in the voter
    set (kraft.version 1) end that.

Source: KIP-853 §Motivation (why voters got directory ids); Raft §5.2. The guard is ours: in Kafka any directory counts
under a static voter's id.
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
        _tell(state, DuplicateNodeIdRejected(state.node_id, state.key.directory_id, key.directory_id, state.node_id))
        return ErrorCode.DUPLICATE_VOTER
    progress = _progress_of_static_voter(state, leader, key.node_id)
    if progress is None:
        return ErrorCode.NONE
    if is_duplicate(state, leader, key):
        _tell(state, DuplicateNodeIdRejected(key.node_id, progress.key.directory_id, key.directory_id, state.node_id))
        return ErrorCode.DUPLICATE_VOTER
    if progress.last_seen_ms is not None and progress.key == key:
        progress.last_seen_ms = state.now_ms
    return ErrorCode.NONE


def is_duplicate(state: ReplicaState, leader: Leader, key: ReplicaKey) -> bool:
    """Say whether another directory stands for this replica's id, and lives."""
    if key.node_id == state.node_id:
        return key != state.key
    progress = _progress_of_static_voter(state, leader, key.node_id)
    if progress is None or progress.last_seen_ms is None or progress.key == key:
        return False
    return state.now_ms - progress.last_seen_ms < state.config.check_quorum_ms


def register_directory(state: ReplicaState, leader: Leader, key: ReplicaKey) -> None:
    """Let this directory, whose fetch was found valid, stand for the voter of its id."""
    progress = _progress_of_static_voter(state, leader, key.node_id)
    if progress is None:
        return
    if progress.key != key:
        progress.start_over(key)
        leader.described_voters.pop(key.node_id, None)
    progress.last_seen_ms = state.now_ms


def registered_directory(state: ReplicaState, leader: Leader, node_id: NodeId) -> Uuid | None:
    """Return which directory stands for an id; ``None`` when none does, or a nameless one."""
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
    _tell(state, DuplicateNodeIdRejected(state.node_id, bound, state.key.directory_id, leader_id))


def _tell(state: ReplicaState, event: DuplicateNodeIdRejected) -> None:
    if state.log_rate_limiter.should_log(event.node_id, f"twin {event.bound!r} {event.refused!r}", state.now_ms):
        state.out.events.append(event)


def _text(directory_id: Uuid | None) -> str:
    return "(unknown)" if directory_id is None else uuid_to_text(directory_id)
