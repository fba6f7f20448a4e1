"""The leader's side of replication: taking proposals, serving fetches, raising the high watermark.

Followers pull. A fetch at offset O is both a question (what follows?) and an answer (everything below O is fsynced
here), so serving one may commit records. A commit rests on fsynced copies only: the followers' by that rule, the
leader's own because it counts itself with what ``advance`` has confirmed.

Source: KIP-595 §Fetch, §Leader Progress; Raft §5.3, §5.4.2; KIP-1166; Kafka ``LeaderState``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kraftpy.model.errors import BusyError, ErrorCode, NotLeaderError
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.raft.config import FETCH_BYTES_MAX
from kraftpy.raft.error_responses import refusal
from kraftpy.raft.fetch_purgatory import PendingFetch
from kraftpy.raft.guards import admit_fetch, complete_fetch, explain_rejection, observe_fetch, servable_snapshots
from kraftpy.raft.leadership import record_voter_fetch, resign_with_wrong_state
from kraftpy.raft.log_view import Diverging, Mismatch
from kraftpy.raft.messages import (
    DescribeQuorumResponse,
    FetchRequest,
    FetchResponse,
    ReplicaProgress,
)
from kraftpy.raft.ready import LogRead, Reply
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader


def propose(state: ReplicaState, epoch: Epoch, values: Sequence[bytes]) -> Offset:
    """Give offsets to a group of records and queue them; see ``Replica.propose``."""
    role = state.role
    if not isinstance(role, Leader) or role.epoch != epoch:
        raise NotLeaderError(
            f"node {state.node_id} does not lead epoch {epoch}: it is {role.role.value} in epoch {role.epoch}, "
            f"leader {state.leader_id}"
        )
    if role.transfer is not None:
        raise BusyError(f"node {state.node_id} hands the leadership to {role.transfer.successor}; ask that one")
    state.proposals.add(state.log.end_offset, values)
    state.log.extend(len(values))
    state.fetch_purgatory.wake()
    return state.log.end_offset - 1


def check_leader(state: ReplicaState, epoch: Epoch) -> ErrorCode:
    """Check that this replica leads the epoch that a request names."""
    if epoch < state.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if epoch > state.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    if not isinstance(state.role, Leader):
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return ErrorCode.BROKER_NOT_AVAILABLE if state.shutting_down else ErrorCode.NONE


def handle_fetch(state: ReplicaState, token: int, request: FetchRequest) -> None:
    """Serve a fetch whose cluster id was checked: answer a mismatch at once, let a valid one wait for the ``Ready``.

    Source: KIP-595 §Fetch; KIP-630 §Fetch.
    """
    error = _check_fetch(state, request)
    role = state.role
    if error is not ErrorCode.NONE or not isinstance(role, Leader):
        state.out.reply_early(Reply(token, _refusal(state, request, error)))
        return
    mismatch = state.log.compare(request.fetch_offset, request.last_fetched_epoch, servable_snapshots(state))
    if mismatch is not None:
        state.out.early.append(Reply(token, _redirect(state, role, mismatch)))
        return
    wrong_state = observe_fetch(state, role, request)
    _record_progress(state, role, request)
    state.fetch_purgatory.park(token, request, state.now_ms, _patience_ms(state, role, request))
    if wrong_state is not None:
        resign_with_wrong_state(state, wrong_state)


def _check_fetch(state: ReplicaState, request: FetchRequest) -> ErrorCode:
    malformed = request.max_wait_ms < 0 or request.fetch_offset < 0 or request.last_fetched_epoch < 0
    if malformed or request.last_fetched_epoch > request.epoch >= 0:
        return ErrorCode.INVALID_REQUEST
    error = check_leader(state, request.epoch)
    if error is ErrorCode.NONE and isinstance(state.role, Leader):
        return admit_fetch(state, state.role, request)
    return error


def _refusal(state: ReplicaState, request: FetchRequest, error: ErrorCode) -> FetchResponse:
    response = refusal(state, FetchResponse, error)
    return explain_rejection(state, state.role, request, response) if isinstance(state.role, Leader) else response


def _record_progress(state: ReplicaState, leader: Leader, request: FetchRequest) -> None:
    if request.replica is None or request.replica.node_id < 0:
        return
    progress = leader.progress.of(request.replica, state.voters)
    progress.fetched(state.now_ms, request.fetch_offset, state.log.end_offset)
    record_voter_fetch(state, leader, request.replica)
    maybe_advance_high_watermark(state, leader)


def maybe_advance_high_watermark(state: ReplicaState, leader: Leader) -> bool:
    """Raise the high watermark to what a majority has fsynced, if that includes a record of this epoch.

    Counting copies of an older epoch's records commits nothing: another leader could still replace them (Raft Fig. 8).
    """
    reached = leader.progress.majority_end_offset(state.node_id, state.log.flushed_offset)
    if reached is None or reached <= leader.epoch_start_offset:
        return False
    if leader.high_watermark is not None and reached <= leader.high_watermark:
        return False
    leader.high_watermark = reached
    state.fetch_purgatory.wake()
    return raise_high_watermark(state, reached)


def raise_high_watermark(state: ReplicaState, high_watermark: Offset) -> bool:
    """Let the state machine have what is below; it never goes back."""
    if state.high_watermark is not None and high_watermark <= state.high_watermark:
        return False
    state.high_watermark = state.out.high_watermark = high_watermark
    if state.is_removed:
        state.maybe_forget_removal()
    return True


def _patience_ms(state: ReplicaState, leader: Leader, request: FetchRequest) -> int:
    """Return how long a fetch waits for records: not at all when there are some.

    A high watermark that the fetcher does not know is sent, too. To an observer at once, because brokers act on it; to
    a voter with the records that arrive within a moment, if any: sent separately, it would cost two messages for each
    write, and the fetch would be in flight when the next records arrive.
    """
    if request.fetch_offset < state.log.end_offset:
        return 0
    known, asked = leader.high_watermark, request.high_watermark
    if known is None or asked is None or known <= asked:
        return request.max_wait_ms
    is_voter = request.replica is not None and request.replica.node_id in state.voters.ids
    return min(request.max_wait_ms, state.config.high_watermark_delay_ms) if is_voter else 0


def complete_fetches(state: ReplicaState) -> None:
    """Answer every waiting fetch that can be; called when a ``Ready`` is built, after proposals were framed."""
    role = state.role
    if not state.fetch_purgatory.due or not isinstance(role, Leader):
        return
    waiting: list[PendingFetch] = []
    snapshots = servable_snapshots(state)
    for fetch in state.fetch_purgatory.take_all():
        request = fetch.request
        mismatch = state.log.compare(request.fetch_offset, request.last_fetched_epoch, snapshots)
        if mismatch is not None:
            state.out.early.append(Reply(fetch.token, _redirect(state, role, mismatch)))
        elif (due_ms := min(fetch.deadline_ms, state.now_ms + _patience_ms(state, role, request))) <= state.now_ms:
            state.out.early.append(_answer(state, role, fetch))
        else:
            waiting.append(fetch if due_ms == fetch.deadline_ms else replace(fetch, deadline_ms=due_ms))
    state.fetch_purgatory.keep(waiting)


def _answer(state: ReplicaState, leader: Leader, fetch: PendingFetch) -> Reply:
    """Build the answer; the driver reads the records, up to the end of what this ``Ready`` appends."""
    from_offset, end_offset = fetch.request.fetch_offset, state.log.end_offset
    max_bytes = max(1, min(fetch.request.max_bytes, FETCH_BYTES_MAX))
    read = LogRead(from_offset, end_offset, max_bytes) if from_offset < end_offset else None
    response = complete_fetch(state, leader, fetch.request, _leader_response(state, leader))
    return Reply(fetch.token, response, read)


def _leader_response(state: ReplicaState, leader: Leader) -> FetchResponse:
    return FetchResponse(
        leader=state.leader,
        leader_endpoints=state.config.own_endpoints,
        high_watermark=leader.high_watermark,
        log_start_offset=state.log.start_offset,
    )


def _redirect(state: ReplicaState, leader: Leader, mismatch: Mismatch) -> FetchResponse:
    answer = _leader_response(state, leader)
    if isinstance(mismatch, Diverging):
        return replace(answer, diverging=mismatch.end)
    return replace(answer, snapshot_id=mismatch.snapshot_id)


def describe_quorum(state: ReplicaState) -> DescribeQuorumResponse:
    """Show every replica's progress; only the leader knows it."""
    role = state.role
    if not isinstance(role, Leader):
        return DescribeQuorumResponse(partition_error=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=state.leader)
    role.progress.forget_silent_observers(state.now_ms)
    own = ReplicaProgress(
        key=state.key,
        log_end_offset=state.log.end_offset,
        last_fetch_ms=state.now_ms,
        last_caught_up_ms=state.now_ms,
        endpoints=state.config.own_endpoints or state.endpoints_of(state.node_id),
    )
    voters = tuple(
        own if each.key.node_id == state.node_id else each.view(state.endpoints_of(each.key.node_id))
        for each in role.progress
    )
    observers = tuple(each.view(()) for each in role.progress.observers)
    return DescribeQuorumResponse(
        leader=state.leader,
        high_watermark=role.high_watermark,
        voters=voters,
        observers=observers,
        is_static=state.kraft_version == 0,
    )
