"""Comparing digests of the state: equal logs must have given equal states, and a majority decides what is equal.

Every replica whose state machine made a digest (:class:`~kraftpy.model.digests.StateDigest`) reports it in its fetches
(a tagged field of ours), until its leader has judged it. The leader keeps what was reported at the last few offsets,
its own digests among them. When a majority of the voters made the same one at an offset, that one is *agreed*, and the
response to a replica that reports one of that offset contains it. A replica that made another one has diverged: its
state is wrong, whatever the reason.

*   A follower or an observer learns it from the response, and reports ``StateDigestMismatch`` about itself. What is
    done is up to the node; as far as Raft is concerned its log may be as good as any.
*   A leader that is in the minority reports it, and resigns at once, so that nothing more is decided on a wrong state:
    the functions here return its wrong digest, and the handler resigns.
*   A leader reports the divergence of others for the log: also of a replica that is too old to fence itself.
*   The only voter of its quorum is believed when an observer has made the same digest: one bit that flips in its memory
    must not make every observer drop a right state. While all observers that report anything differ from it, that is a
    disagreement as one of voters: no replica gets the state that it wrote to a snapshot.
*   Where no majority agrees, no replica can know which state is right. The leader reports it (``NoDigestMajority``).
*   A snapshot that was made here is offered to no replica, and no log is deleted for it, before a majority had this
    replica's state after its end (:func:`is_servable`). At its end is not enough: that digest may be older than the
    snapshot, and the memory may have changed between. Replay is a function: a replica that loads the snapshot and the
    log after it is at that place in the state that the majority agreed on, too, whatever was in memory between.
*   Below that place such a replica may be as wrong as the one that made the snapshot. So nothing is agreed at an offset
    below one at which a majority had the leader's state: two that are wrong never outvote one that is right.

Digests of an offset are compared if they are of one scheme. No replica has to make them: one that reports none (a Kafka
node) is not judged, and a leader that judges none gets them again and again, in a few bytes a fetch.

Raft does not know what was digested, and nothing here decides about elections or commits: a digest is a statement about
the past, made by state machines that may be some time behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kraftpy.model.digests import NO_DIGEST, StateDigest
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import ORIGIN, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.digest_tracker import OFFSETS_KEPT, place_of, shown
from kraftpy.raft.messages import FetchRequest
from kraftpy.raft.ready import NoDigestMajority, StateDigestMismatch, StateDigestVerified
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader

UNJUDGED_MAX: Final = 3
"""After this many digests beyond a snapshot that were neither judged nor disputed, no replica compares them: the leader
or the other voters are Kafka's, or there are no others. Then snapshots are used as they are. Where a majority did agree
once, as many as are remembered have to pass first: the others may just be slow."""


def record_own_digest(state: ReplicaState, digest: StateDigest) -> StateDigest | None:
    """Take a digest that this replica's state machine made: it is reported, or, by a leader, compared.

    Returns:
        A digest of this leader's own that the majority does not have; ``None`` when there is none.
    """
    state.digests.add(digest)
    return _record(state, state.role, state.key, digest) if isinstance(state.role, Leader) else None


def record_reported(state: ReplicaState, leader: Leader, request: FetchRequest) -> StateDigest | None:
    """Take what a fetch that is served reports about its sender's state; return as :func:`record_own`."""
    key, digest = request.replica, request.state
    # A digest of an offset that the sender does not hold would push out, as newer, those of the others.
    if key is None or key.node_id < 0 or digest is None or digest.end_offset > request.fetch_offset:
        return None
    if not _is_known(state, leader, digest):
        # What this leader made before it led, or a moment ago, counts as well.
        own = state.digests.made.get(place_of(digest))
        if own is not None:
            leader.digest_tracker.note(state.key, own)
    return _record(state, leader, key, digest)


def agreed_for(state: ReplicaState, leader: Leader, request: FetchRequest) -> StateDigest | None:
    """Return what is agreed at the offset that a fetch reports; ``NO_DIGEST`` where voters disagree about it."""
    if request.state is None:
        return None
    statements = leader.digest_tracker.places.get(place_of(request.state))
    if statements is not None and statements.is_disputed_among(state.voters):
        return StateDigest(request.state.end_offset, NO_DIGEST)
    return None if statements is None else statements.agreed


def is_servable(state: ReplicaState, snapshot_id: OffsetAndEpoch) -> bool:
    """Return whether others may have a snapshot, and the log before it may go.

    The one that the log starts at was verified when the log was made to start there: by this replica, or by the leader
    that it was downloaded from. (After a restart a log starts with its first segment, which may be before that.) At a
    start those after it are not, whichever replica made them.
    """
    log = state.log
    if not state.config.compares_state or snapshot_id.offset <= log.start_offset:
        return True
    if log.start_offset > 0 and snapshot_id == next((one for one in log.snapshots if one != ORIGIN), None):
        return True
    if state.digests.are_agreed_after(snapshot_id.offset):
        return True
    if state.digests.disputed_to >= snapshot_id.offset:
        return False
    unjudged_max = UNJUDGED_MAX if state.digests.agreed is None else OFFSETS_KEPT
    return state.digests.made_from(snapshot_id.offset) >= unjudged_max


def servable_snapshots(state: ReplicaState) -> Sequence[OffsetAndEpoch]:
    """Return the snapshots that others may have, ascending."""
    if not state.config.compares_state:
        return state.log.snapshots
    as_of = state.log.changes, state.digests.changes
    if state.servable.as_of != as_of:
        state.servable.ids = [snapshot_id for snapshot_id in state.log.snapshots if is_servable(state, snapshot_id)]
        state.servable.as_of = as_of
    return state.servable.ids


def handle_agreed(state: ReplicaState, leader_id: NodeId, agreed: StateDigest) -> None:
    """Compare what the leader says is agreed with what was made here."""
    if agreed.value == NO_DIGEST:
        state.digests.dispute(agreed.end_offset)
        return
    own = state.digests.made.get(place_of(agreed))
    if own is not None and own != state.digests.agreed:
        _judge_own(state, leader_id, own, agreed)


def _is_known(state: ReplicaState, leader: Leader, digest: StateDigest) -> bool:
    statements = leader.digest_tracker.places.get(place_of(digest))
    return statements is not None and state.key in statements.by


def _record(state: ReplicaState, leader: Leader, key: ReplicaKey, digest: StateDigest) -> StateDigest | None:
    statements = leader.digest_tracker.note(key, digest)
    if statements is None:
        return None
    if statements.agreed is not None:
        return _judge(state, key, digest, statements.agreed)
    if not state.digests.are_agreed_after(digest.end_offset):
        statements.agreed = statements.majority(state.voters)
    if statements.agreed is not None:
        judged = [_judge(state, each, reported, statements.agreed) for each, reported in list(statements.by.items())]
        return next((wrong for wrong in judged if wrong is not None), None)
    if statements.is_disputed_among(state.voters):
        state.digests.dispute(digest.end_offset)
    if len(set(statements.by.values())) > 1 and not statements.disputed:
        statements.disputed = True
        digests_by_node = shown((each.node_id, reported) for each, reported in statements.by.items())
        state.out.events.append(NoDigestMajority(digest.end_offset, digests_by_node))
    return None


def _judge(state: ReplicaState, key: ReplicaKey, reported: StateDigest, agreed: StateDigest) -> StateDigest | None:
    """Compare one replica's digest with the agreed one; the leader judges itself, too. Return as ``record_own``."""
    if key == state.key:
        return _judge_own(state, state.node_id, reported, agreed)
    is_wrong = reported != agreed
    if is_wrong and state.log_rate_limiter.should_log(key.node_id, f"diverged at {reported.end_offset}", state.now_ms):
        state.out.events.append(StateDigestMismatch(key, reported, agreed, state.node_id))
    return None


def _judge_own(state: ReplicaState, judge: NodeId, own: StateDigest, agreed: StateDigest) -> StateDigest | None:
    state.digests.judged(own)
    if own == agreed:
        state.digests.agree(own)
        state.out.events.append(StateDigestVerified(own))
        return None
    state.out.events.append(StateDigestMismatch(state.key, own, agreed, judge))
    return own
