"""``Replica``: one replica as a value machine. Inputs are values, the one output is ``Ready``.

::

    replica.tick(now_ms)            time has passed (see next_deadline_ms)
    replica.step(now_ms, inbound)   a request, a response, a failure or an abandoned request came in
    replica.propose(now_ms, ...)    the leader's own application wants records appended
    ready = replica.ready(now_ms)   what is to be done now, in order      (when has_ready())
    replica.advance(now_ms, ready)  it is done, and on the disk

A driver whose disk is slow may take further ``Ready`` values before it has advanced the first; it advances all of them,
in their order.

This file only dispatches; each rule is in the module named after it. The replica reads no clock and keeps no
record's bytes beyond the next ``Ready``.

Times are epoch milliseconds of a clock that does not go back. Source: etcd raft ``RawNode`` (the shape).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.jitter import Jitter
from kraftpy.model.offsets import Epoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import VoterSet
from kraftpy.raft import (
    confirming,
    leader_replication,
    leadership,
    snapshots,
    timers,
    voter_changes,
)
from kraftpy.raft import initial_role as first_roles
from kraftpy.raft.appending import frame_proposals
from kraftpy.raft.config import Identity, RaftConfig, RecoveredState
from kraftpy.raft.election import record_vote_stored
from kraftpy.raft.guards import maybe_restore_eligibility, record_own_digest
from kraftpy.raft.outbox import Outbox
from kraftpy.raft.quorum_state import transition_to_resigned
from kraftpy.raft.ready import (
    Inbound,
    Ready,
    RequestAbandoned,
    RequestFailed,
    RequestReceived,
    ResponseReceived,
)
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.requests import handle_request
from kraftpy.raft.responses import handle_request_failed, handle_response
from kraftpy.raft.roles import Candidate, Leader
from kraftpy.raft.view import ReplicaView


class Replica(ReplicaView):
    """One member of the metadata quorum, or an observer of it.

    Invariants: ``Ready`` values are advanced in the order in which they were handed out; the epoch and the high
    watermark never go back; nothing is promised to a peer before the ``Ready`` that makes it durable.
    """

    def __init__(
        self, *, config: RaftConfig, identity: Identity, recovered: RecoveredState, jitter: Jitter, now_ms: int
    ) -> None:
        super().__init__(
            ReplicaState(config=config, identity=identity, recovered=recovered, jitter=jitter, now_ms=now_ms)
        )
        self._outstanding: deque[tuple[Ready, int, int]] = deque()
        first_roles.start(self._state)
        timers.send_due(self._state)

    # Inputs.

    def tick(self, now_ms: int) -> None:
        """Act on deadlines that have come."""
        self._state.now_ms = now_ms
        timers.expire(self._state, held_up=bool(self._outstanding))
        timers.send_due(self._state)

    def step(self, now_ms: int, inbound: Inbound) -> None:
        """Take one thing that came from outside."""
        state = self._state
        state.now_ms = now_ms
        if isinstance(state.role, Leader | Candidate):
            # A process that was paused (a suspended machine, a clock that jumped) finds old messages in its sockets.
            # They prove nothing about now: a leader has resigned, and a candidate has ended its round, before it
            # handles them. (That a round ends in its time is what the probation in ``voter_eligibility`` rests on.)
            timers.expire(state, held_up=bool(self._outstanding))
        match inbound:
            case RequestReceived(token, request):
                handle_request(state, token, request)
            case ResponseReceived(correlation, response):
                handle_response(state, correlation, response)
            case RequestFailed(correlation, reason):
                handle_request_failed(state, correlation, reason)
            case RequestAbandoned(token):
                state.fetch_purgatory.forget(token)
        voter_changes.settle(state)
        timers.send_due(state)

    def step_failed(self, now_ms: int, inbound: Inbound) -> None:
        """Go on after :meth:`step` raised an unexpected error; ``inbound`` is not answered.

        What had been decided by then stays decided. That is safe: whatever the role has become is stored before
        anything leaves, a batch enters the log's view together with the outbox, and what could not be encoded or read
        was found out before it was taken in. A leader that has not begun its epoch in the log leads no longer. A peer
        whose answer raised is left alone for a while (``responses``).
        """
        state = self._state
        state.now_ms = now_ms
        state.out.election_changed = True
        if isinstance(state.role, Leader) and state.log.end_offset <= state.role.epoch_start_offset:
            transition_to_resigned(state, "did not come to begin its epoch")
        if isinstance(inbound, RequestReceived):
            state.fetch_purgatory.forget(inbound.token)

    def propose(self, now_ms: int, epoch: Epoch, values: Sequence[bytes]) -> Offset:
        """Queue framed metadata record values as one atomic group: all are committed, or none is, in one batch.

        Returns:
            The offset of the last record. It is a promise only while this replica leads ``epoch``.

        Raises:
            NotLeaderError: this replica does not lead ``epoch``.
            TooLargeError: the group does not fit one batch of 8 MiB.
            BusyError: PENDING_APPEND_BYTES_MAX wait for the disk, or the leadership is being handed over.
            LocalError: the group or one of its values is empty.
        """
        self._state.now_ms = now_ms
        return leader_replication.propose(self._state, epoch, values)

    def request_confirmation(self, now_ms: int, epoch: Epoch) -> int:
        """Have it confirmed that this replica still leads ``epoch``, by voters that are asked from now on.

        All that ask before the next ``Ready`` share its questions; see :mod:`kraftpy.raft.confirming`.

        Returns:
            A ticket: it is confirmed once ``confirmed(epoch)`` has reached it. A leader that is a majority by itself
            has confirmed it already.

        Raises:
            NotLeaderError: this replica does not lead ``epoch``.
        """
        self._state.now_ms = now_ms
        return confirming.request(self._state, epoch)

    def resign(self, now_ms: int, epoch: Epoch) -> None:
        """Give up the leadership of ``epoch`` and name successors; an epoch that is over is ignored.

        Raises:
            LocalError: the epoch is negative or has not begun.
            NotLeaderError: this replica does not lead it.
        """
        self._state.now_ms = now_ms
        leadership.resign(self._state, epoch)
        timers.send_due(self._state)

    def record_state_digest(self, now_ms: int, digest: StateDigest) -> None:
        """Take a digest that the state machine made of committed records (:mod:`kraftpy.raft.guards.state_digests`)."""
        self._state.now_ms = now_ms
        wrong_state = record_own_digest(self._state, digest)
        if wrong_state is not None:
            leadership.resign_with_wrong_state(self._state, wrong_state)
        timers.send_due(self._state)

    def begin_transfer(self, now_ms: int, epoch: Epoch, successor: NodeId, *, validate_only: bool = False) -> None:
        """Hand the leadership of ``epoch`` to a voter; nothing is proposed until it has caught up and taken over.

        With ``validate_only`` it is only said whether that could begin now.

        Raises:
            NotLeaderError: this replica does not lead ``epoch``.
            LocalError: the successor is no other voter that follows, or something else is on its way.
        """
        self._state.now_ms = now_ms
        voter_changes.begin_transfer(self._state, epoch, successor, validate_only=validate_only)
        timers.send_due(self._state)

    def upgrade_kraft_version(
        self, now_ms: int, epoch: Epoch, level: int, *, validate_only: bool = False
    ) -> Offset | None:
        """Let the log say who votes; see :func:`kraftpy.raft.voter_changes.upgrade_kraft_version`.

        Raises:
            NotLeaderError: this replica does not lead ``epoch``.
            LocalError: the level cannot be gone to, or not yet; the text says why.
        """
        self._state.now_ms = now_ms
        return voter_changes.upgrade_kraft_version(self._state, epoch, level, validate_only=validate_only)

    def begin_shutdown(self, now_ms: int) -> None:
        """Stop in order: a leader resigns and hands over; from now on nothing is led and no election entered.

        Go on driving the replica until ``shutdown_done``, or until patience ends.
        """
        state = self._state
        state.now_ms = now_ms
        state.shutting_down = True
        if isinstance(state.role, Leader):
            transition_to_resigned(state, "is shutting down")
        timers.send_due(state)

    def set_cluster_id(self, cluster_id: str) -> None:
        """Take the cluster id that was discovered and persisted; it is set once (KIP-1262)."""
        known = self._state.cluster_id
        invariant(known in {None, cluster_id}, "a cluster id never changes", known, cluster_id)
        self._state.cluster_id = cluster_id

    def snapshot_frozen(self, snapshot_id: OffsetAndEpoch) -> None:
        """A snapshot of committed records was written here and can be served."""
        snapshots.snapshot_frozen(self._state, snapshot_id)

    def snapshot_installed(
        self,
        snapshot_id: OffsetAndEpoch,
        voters: tuple[tuple[Offset, VoterSet], ...],
        kraft_versions: tuple[tuple[Offset, int], ...],
    ) -> None:
        """A ``FinishDownload`` is done: the snapshot is frozen and the log restarted, empty, at its end.

        Args:
            snapshot_id: the one that ``FinishDownload`` named.
            voters: its KRAFT_VOTERS record as in :class:`RecoveredState`, at offset end - 1; empty when it has none.
            kraft_versions: the same for KRAFT_VERSION.
        """
        snapshots.snapshot_installed(self._state, snapshot_id, voters, kraft_versions)
        timers.send_due(self._state)

    def snapshot_rejected(self, snapshot_id: OffsetAndEpoch, why: str) -> None:
        """A ``FinishDownload`` failed: the file did not verify and is gone."""
        snapshots.snapshot_rejected(self._state, snapshot_id, why)
        timers.send_due(self._state)

    def log_start_advanced(self, offset: Offset, snapshots_left: tuple[OffsetAndEpoch, ...]) -> None:
        """Committed records below ``offset`` were deleted; these snapshots are left."""
        snapshots.log_start_advanced(self._state, offset, snapshots_left)

    # The output.

    def has_ready(self) -> bool:
        """Return whether there is anything to do."""
        state = self._state
        return (
            state.fetch_purgatory.due
            or not state.proposals.is_empty
            or not state.out.is_empty
            or confirming.is_due(state)
        )

    def ready(self, now_ms: int) -> Ready:
        """Hand out what is to be done, after everything that was handed out before."""
        state = self._state
        state.now_ms = now_ms
        frame_proposals(state)
        leader_replication.complete_fetches(state)
        confirming.ask(state)
        out = state.out.take_before_epoch()
        if out is None:
            out, state.out = state.out, Outbox()
        election_state = state.election_state if out.election_changed else state.stored
        ready = Ready(
            truncate_to=out.truncate_to,
            downloads=tuple(out.downloads),
            election_state=election_state if election_state != state.stored else None,
            replica_status=out.replica_status,
            epoch_start=out.epoch_start,
            append=tuple(append.data for append in out.appends),
            early=tuple(out.early),
            messages=tuple(out.messages),
            high_watermark=out.high_watermark,
            events=tuple(out.events),
            log_end_offset=state.out.appends[0].base_offset if state.out.appends else state.log.end_offset,
        )
        state.stored = election_state
        self._outstanding.append((ready, out.proposed_bytes, now_ms))
        return ready

    def advance(self, now_ms: int, ready: Ready) -> None:
        """Hear that ``ready`` was carried out, its appends flushed. Only now does the leader count its own copy."""
        state = self._state
        expected, proposed_bytes, handed_out_ms = self._outstanding[0] if self._outstanding else (None, 0, 0)
        invariant(expected is ready, "what was handed out is what was done, in its order", ready.log_end_offset)
        self._outstanding.popleft()
        state.now_ms = now_ms
        state.proposals.flushed(proposed_bytes)
        state.log.flushed(ready.log_end_offset, self._cut_to())
        if ready.election_state is not None:
            record_vote_stored(state, now_ms - handed_out_ms)
        if isinstance(state.role, Leader):
            leader_replication.maybe_advance_high_watermark(state, state.role)
            voter_changes.settle(state)
        elif now_ms > handed_out_ms and (ready.append or ready.election_state is not None):
            timers.note_own_delay(state)
        maybe_restore_eligibility(state)

    def _cut_to(self) -> Offset | None:
        """Return where the log is going to be cut by what was, or will be, handed out."""
        if not self._outstanding:
            return self._state.out.truncate_to
        cuts = [ready.truncate_to for ready, _, _ in self._outstanding]
        return min((cut for cut in (*cuts, self._state.out.truncate_to) if cut is not None), default=None)

    def next_deadline_ms(self) -> int | None:
        """Return when ``tick`` is to be called at the latest; ``None`` while only an input can change anything."""
        return timers.next_deadline_ms(self._state)
