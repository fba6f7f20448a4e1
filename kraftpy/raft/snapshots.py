"""Snapshots between replicas: serve chunks of one, and download one to replace a log that lags too far.

A follower whose position is no longer in the leader's log (or which is empty, and a snapshot is cheaper than a replay)
receives a snapshot's id. It then sends FetchSnapshot until it has all bytes; the driver verifies and freezes the file,
restarts the log at its end and reports back. Meanwhile the follower neither fetches nor votes.

Source: KIP-630 §FetchSnapshot; Kafka ``handleFetchSnapshotResponse``; *Divergences* in the package.
"""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import ORIGIN, Offset, OffsetAndEpoch
from kraftpy.model.voters import VoterSet
from kraftpy.raft.appending import voters_changed
from kraftpy.raft.config import FETCH_BYTES_MAX
from kraftpy.raft.error_responses import refusal
from kraftpy.raft.guards import admit_fetch_snapshot, is_on_probation, is_servable
from kraftpy.raft.leader_replication import check_leader, raise_high_watermark
from kraftpy.raft.leadership import record_voter_fetch
from kraftpy.raft.messages import FetchSnapshotRequest, FetchSnapshotResponse
from kraftpy.raft.ready import (
    AbortDownload,
    DownloadChunk,
    FinishDownload,
    Reply,
    SnapshotInstalled,
    SnapshotRead,
    StartDownload,
)
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Download, Follower, Leader


def handle_fetch_snapshot(state: ReplicaState, token: int, request: FetchSnapshotRequest) -> None:
    """Serve a chunk, whose cluster id was checked; it counts as a sign of life, not as progress."""
    error = check_leader(state, request.epoch)
    role = state.role
    if error is ErrorCode.NONE and isinstance(role, Leader):
        error = admit_fetch_snapshot(state, role, request)
    if error is ErrorCode.NONE and not _may_be_had(state, request.snapshot_id):
        error = ErrorCode.SNAPSHOT_NOT_FOUND
    elif error is ErrorCode.NONE and request.position < 0:
        error = ErrorCode.POSITION_OUT_OF_RANGE
    if error is not ErrorCode.NONE or not isinstance(role, Leader):
        state.out.reply_early(Reply(token, refusal(state, FetchSnapshotResponse, error)))
        return
    if request.replica is not None:
        record_voter_fetch(state, role, request.replica)
    role.snapshot_fetches.note(request.snapshot_id, state.now_ms)
    answer = FetchSnapshotResponse(
        leader=state.leader,
        leader_endpoints=state.config.own_endpoints,
        snapshot_id=request.snapshot_id,
        position=request.position,
    )
    max_bytes = max(1, min(request.max_bytes, FETCH_BYTES_MAX))
    state.out.early.append(Reply(token, answer, SnapshotRead(request.snapshot_id, request.position, max_bytes)))


def _may_be_had(state: ReplicaState, snapshot_id: OffsetAndEpoch) -> bool:
    return snapshot_id != ORIGIN and state.log.has_snapshot(snapshot_id) and is_servable(state, snapshot_id)


def is_being_fetched(state: ReplicaState, snapshot_id: OffsetAndEpoch) -> bool:
    """Return whether a replica fetches this snapshot from here: it is not to be dropped yet."""
    role = state.role
    # A request that was lost is sent again after the request timeout.
    pause_ms = 3 * state.config.request_timeout_ms
    return isinstance(role, Leader) and role.snapshot_fetches.are_under_way(snapshot_id, state.now_ms, pause_ms)


def start_download(state: ReplicaState, follower: Follower, snapshot_id: OffsetAndEpoch) -> None:
    """Begin to fetch a snapshot from its first byte."""
    # What is committed is of the leader's epoch at most; the epoch of the snapshot becomes that of the log's end.
    is_of_an_epoch = 0 <= snapshot_id.epoch <= state.epoch
    if state.log.has_snapshot(snapshot_id) or snapshot_id.offset < 0 or not is_of_an_epoch:
        state.report_rejection(follower.leader_id, f"it offers snapshot {snapshot_id}, which is of no use here")
        state.back_off(follower.leader_id)
        return
    committed = state.high_watermark or 0
    invariant(
        snapshot_id.offset >= committed, "a snapshot does not take back what is committed", snapshot_id, committed
    )
    follower.download = Download(snapshot_id)
    state.out.downloads.append(StartDownload(snapshot_id))


def snapshot_request(state: ReplicaState, download: Download) -> FetchSnapshotRequest:
    """Ask for the bytes that follow those we have."""
    return FetchSnapshotRequest(
        cluster_id=state.cluster_id,
        replica=None if is_on_probation(state) else state.key,
        epoch=state.epoch,
        snapshot_id=download.snapshot_id,
        position=download.position,
        max_bytes=state.config.fetch_max_bytes,
    )


def handle_fetch_snapshot_response(state: ReplicaState, node_id: NodeId, response: FetchSnapshotResponse) -> None:
    """Take a chunk. One that does not fit what we have drops the download; it starts again with the next fetch."""
    role = state.role
    if not isinstance(role, Follower) or role.download is None:
        return
    role.deadline_ms = state.fetch_deadline_ms(role.leader_id)
    role.heard_ms = state.now_ms
    role.last_failure = None
    download = role.download
    fits = response.snapshot_id == download.snapshot_id and response.position == download.position
    if not fits or not response.data or download.position + len(response.data) > response.size:
        drop_download(state, role, node_id, "its chunk does not follow what was downloaded")
        return
    download.position += len(response.data)
    state.out.downloads.append(DownloadChunk(download.snapshot_id, response.data))
    if download.position == response.size:
        state.out.downloads.append(FinishDownload(download.snapshot_id))
        state.installing = download.snapshot_id
        role.download = None


def drop_download(state: ReplicaState, follower: Follower, node_id: NodeId, why: str) -> None:
    """Forget a partial snapshot and go back to fetching, after a pause."""
    download = follower.download
    invariant(download is not None, "there is a download to drop", node_id)
    if download is not None:
        state.report_rejection(node_id, f"snapshot {download.snapshot_id} at byte {download.position}: {why}")
        state.out.downloads.append(AbortDownload(download.snapshot_id))
    follower.download = None
    state.back_off(node_id)


def handle_snapshot_error(state: ReplicaState, node_id: NodeId, error: ErrorCode) -> bool:
    """Return to fetching when the leader does not have the snapshot, or not that much of it; return whether it did."""
    role = state.role
    lost = error in {ErrorCode.SNAPSHOT_NOT_FOUND, ErrorCode.POSITION_OUT_OF_RANGE}
    if not lost or not isinstance(role, Follower) or role.download is None:
        return False
    role.deadline_ms = state.fetch_deadline_ms(role.leader_id)
    role.heard_ms = state.now_ms
    drop_download(state, role, node_id, f"the leader answers {error.name}")
    return True


def snapshot_installed(
    state: ReplicaState,
    snapshot_id: OffsetAndEpoch,
    voters: tuple[tuple[Offset, VoterSet], ...],
    kraft_versions: tuple[tuple[Offset, int], ...],
) -> None:
    """The driver verified a download and restarted the log at its end: everything below is committed."""
    invariant(snapshot_id == state.installing, "the snapshot that was asked for is installed", snapshot_id)
    invariant(not state.out.appends, "nothing waits to be appended to a log that is replaced", snapshot_id)
    state.installing = None
    state.log.restart_at(snapshot_id)
    before = state.voters
    state.voter_set_history.restart(voters)
    state.kraft_versions.restart(kraft_versions)
    if state.voters != before:
        was_voter = before.contains(state.key)
        state.record_removal(is_removed=state.is_removed or (was_voter and not state.voters.contains(state.key)))
        voters_changed(state)
    raise_high_watermark(state, snapshot_id.offset)
    state.out.events.append(SnapshotInstalled(snapshot_id))


def snapshot_rejected(state: ReplicaState, snapshot_id: OffsetAndEpoch, why: str) -> None:
    """The driver dropped a download that did not verify: it is fetched again, after a pause."""
    invariant(snapshot_id == state.installing, "the snapshot that was asked for is rejected", snapshot_id)
    state.installing = None
    state.report_rejection(state.leader_id, f"snapshot {snapshot_id} did not verify: {why}")
    if state.leader_id is not None:
        state.back_off(state.leader_id)


def snapshot_frozen(state: ReplicaState, snapshot_id: OffsetAndEpoch) -> None:
    """A snapshot was written here: it can be served, and older voter sets may be forgotten."""
    committed = state.high_watermark or 0
    invariant(snapshot_id.offset <= committed, "a snapshot holds committed records only", snapshot_id, committed)
    state.log.add_snapshot(snapshot_id)
    state.voter_set_history.trim_before(snapshot_id.offset)
    state.kraft_versions.trim_before(snapshot_id.offset)


def log_start_advanced(state: ReplicaState, start_offset: Offset, snapshots: tuple[OffsetAndEpoch, ...]) -> None:
    """The driver cut the log's beginning away; only these snapshots are left."""
    committed = state.high_watermark or 0
    invariant(
        start_offset <= max(committed, state.log.start_offset), "only committed records are dropped", start_offset
    )
    state.log.advance_start(start_offset, snapshots)
    if isinstance(state.role, Leader):
        state.role.snapshot_fetches.retain(snapshots)
