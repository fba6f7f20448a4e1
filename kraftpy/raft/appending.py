"""How the log grows and shrinks: framing proposals, control batches, fetched batches, cuts.

These are the only functions that change the log, so what hangs on the log's content (the voter set, kraft.version, the
epoch history) is kept in step here: a KRAFT_VOTERS record counts from the moment it is appended, and no longer from the
moment it is cut.

Source: KIP-595 §Fetch; KIP-853 §Reading voters; on-disk formats §4.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from kraftpy.model.errors import MalformedError
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import VoterSet
from kraftpy.raft.outbox import PendingAppend
from kraftpy.raft.ready import Truncated, VotersChanged
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader
from kraftpy.records.batch import BATCH_OVERHEAD_BYTES, Batch, encode_batch, encode_control_batch, iterate_batches
from kraftpy.records.control import ControlRecord, KRaftVersionRecord, VotersRecord, voter_set_from_record


def frame_proposals(state: ReplicaState) -> None:
    """Frame everything that was proposed; its offsets are already given out.

    A batch carries this leader's time, which does not go back while the process lives, whatever the wall clock does.
    From one leader to the next, and over a restart, timestamps may go back by as much as the clocks differ: as in
    Kafka, whose leader stamps its wall clock's time, nothing is decided by comparing those of two batches.
    """
    if state.proposals.is_empty:
        return
    batches, size = state.proposals.drain()
    state.out.proposed_bytes += size
    for batch in batches:
        data = encode_batch(
            batch.values, base_offset=batch.base_offset, epoch=state.role.epoch, timestamp_ms=state.now_ms
        )
        state.out.appends.append(PendingAppend(batch.base_offset, batch.base_offset + len(batch.values), data))


def append_control_batch(state: ReplicaState, records: Sequence[ControlRecord]) -> None:
    """Append control records as one batch of the epoch led; what was proposed before comes before them."""
    frame_proposals(state)
    base_offset, epoch = state.log.end_offset, state.role.epoch
    data = encode_control_batch(records, base_offset=base_offset, epoch=epoch, timestamp_ms=state.now_ms)
    meanings = _meanings(records)
    state.log.append(base_offset, base_offset + len(records), epoch)
    state.out.appends.append(PendingAppend(base_offset, base_offset + len(records), data))
    _take_control_records(state, base_offset, meanings)


def append_fetched(state: ReplicaState, records: bytes) -> int:
    """Append what the leader sent, as it is; a batch that is cut off at the end is left for the next fetch.

    Returns:
        How many batches were appended.

    Raises:
        MalformedError: the bytes are no batches that follow on our log. Batches before the fault are appended.
    """
    count = 0
    for batch in iterate_batches(records[: _whole_batches_end(records)]):
        _check_follows_on(state, batch)
        # Decoded before it is appended: an unreadable batch must not be in the log's view only.
        control = _meanings(batch.control_records()) if batch.is_control else ()
        state.log.append(batch.base_offset, batch.next_offset, batch.epoch)
        state.out.appends.append(PendingAppend(batch.base_offset, batch.next_offset, batch.data))
        _take_control_records(state, batch.base_offset, control)
        count += 1
    return count


def truncate(state: ReplicaState, end_offset: Offset) -> None:
    """Cut the log to ``end_offset``, and everything that hangs on what is cut."""
    before = state.log.end_offset
    state.log.truncate_to(end_offset)
    if end_offset < before:
        state.out.cut(end_offset)
        state.out.events.append(Truncated(before, end_offset))
    state.kraft_versions.truncate_to(end_offset)
    if state.voter_set_history.truncate_to(end_offset):
        voters_changed(state)


def voters_changed(state: ReplicaState) -> None:
    """Let the leader count by the new set, and emit an event."""
    if isinstance(state.role, Leader):
        state.role.progress.set_voters(state.voters)
    state.maybe_forget_removal()
    state.out.events.append(VotersChanged(state.voter_set_history.offset, state.voters))


def _check_follows_on(state: ReplicaState, batch: Batch) -> None:
    if batch.base_offset != state.log.end_offset:
        raise MalformedError(
            f"a fetched batch starts at offset {batch.base_offset}, expected {state.log.end_offset}, our log end offset"
        )
    if not state.log.last_epoch <= batch.epoch <= state.role.epoch:
        raise MalformedError(
            f"the fetched batch at offset {batch.base_offset} has epoch {batch.epoch}, expected "
            f"{state.log.last_epoch} (our last) to {state.role.epoch} (the leader's)"
        )


def _meanings(records: Sequence[ControlRecord]) -> list[int | VoterSet | None]:
    """Read what control records change: a kraft.version, or a voter set; ``None`` of the others.

    Raises:
        MalformedError: a voter set is none.
    """
    return [
        record.kraft_version
        if isinstance(record, KRaftVersionRecord)
        else voter_set_from_record(record)
        if isinstance(record, VotersRecord)
        else None
        for record in records
    ]


def _take_control_records(state: ReplicaState, base_offset: Offset, meanings: Sequence[int | VoterSet | None]) -> None:
    for offset, meaning in enumerate(meanings, base_offset):
        if isinstance(meaning, int):
            state.kraft_versions.add(offset, meaning)
        elif meaning is not None:
            was_voter = state.voters.contains(state.key)
            state.voter_set_history.add(offset, meaning)
            state.record_removal(is_removed=state.is_removed or (was_voter and not state.voters.contains(state.key)))
            voters_changed(state)


def _whole_batches_end(records: bytes) -> int:
    """Find where the last whole batch ends, by the length fields alone; a peer may cut its answer anywhere."""
    end = 0
    while end + BATCH_OVERHEAD_BYTES <= len(records):
        size = BATCH_OVERHEAD_BYTES + int.from_bytes(records[end + 8 : end + 12], "big", signed=True)
        if size <= BATCH_OVERHEAD_BYTES or end + size > len(records):
            return end if size > BATCH_OVERHEAD_BYTES else len(records)
        end += size
    return end
