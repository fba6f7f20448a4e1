"""The driver: one task that owns the replica and its disk, and obeys ``Ready`` in order.

A turn takes everything that has gathered (answers of peers, clients' requests, deadlines), lets the replica and the
controller decide about it, and then carries out ``Ready`` after ``Ready`` until none is left. Between reading state and
acting on it nothing is awaited. What gathers while a flush runs is the next batch: that is the whole group commit.

The only wait inside a ``Ready`` is a flush on a slow disk (see :mod:`kraftpy.runtime.syncer`): then the turn ends at
the fsync line, turns go on, and the rest of the ``Ready`` follows when the flush is done.

Source: style of etcd raft's ``Ready`` loop; KIP-595.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

import structlog

from kraftpy.model.errors import CorruptLogError, DiskFullError, ErrorCode, StorageError
from kraftpy.model.invariant import invariant
from kraftpy.raft.messages import FetchResponse, FetchSnapshotResponse, RaftResponse
from kraftpy.raft.ready import (
    AbortDownload,
    Download,
    DownloadChunk,
    Event,
    FinishDownload,
    Inbound,
    LogRead,
    Message,
    Ready,
    Reply,
    RequestReceived,
    Send,
    SnapshotRead,
    StartDownload,
)
from kraftpy.raft.replica import Replica
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.control_records import kraft_versions_of, voters_of
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.syncer import Syncer
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.snapshots import SnapshotWriter

_log = structlog.get_logger("kraftpy.driver")

READY_CYCLES_MAX = 64
"""How many Readys a turn carries out before others on the loop get theirs."""

RECOVERY_POINT_INTERVAL_MS = 1_000
"""How often the lower bound of durable, committed data is written down (a small file, replaced)."""


class Peers(Protocol):
    """The way out to other nodes; answers come back through the inbox."""

    def send(self, message: Send) -> None:
        """Send a request; never blocks, never raises."""
        ...

    def reply(self, token: int, response: RaftResponse) -> None:
        """Answer the request that came in with this token; unknown tokens are ignored."""
        ...


class Application(Protocol):
    """What runs on top of the committed log, called by the driver in its own task."""

    def before_ready(self, now_ms: int) -> None:
        """Decide about what is due (a controller's requests and timers), proposing to the replica."""
        ...

    def on_event(self, event: Event) -> None:
        """Hear a fact about the replica."""
        ...

    def on_commit(self, now_ms: int) -> None:
        """Load what became committed; may leave a rest for the next turn (see ``has_backlog``)."""
        ...

    def has_backlog(self) -> bool:
        """Say whether committed records wait to be loaded."""
        ...

    def next_deadline_ms(self) -> int | None:
        """Return when ``before_ready`` should be called again at the latest."""
        ...


class Driver:
    """Own one replica and its metadata directory."""

    def __init__(
        self,
        *,
        replica: Replica,
        directory: MetadataDirectory,
        peers: Peers,
        clock: Clock,
        syncer: Syncer | None = None,
    ) -> None:
        self.replica = replica
        self.directory = directory
        self.clock = clock
        self.inbox = Inbox()
        self.application: Application | None = None
        self._peers = peers
        self._syncer = syncer or Syncer(directory.log.sync)
        self._flush: asyncio.Future[None] | None = None
        self._outstanding: Ready | None = None
        self._download: SnapshotWriter | None = None
        self._recovery_point_due_ms = 0
        self._stopping = False
        self._failed = False

    # ---------------------------------------------------------------- the way in

    def deliver(self, inbound: Inbound) -> None:
        """Queue something a peer said; never raises, because it is called from the callbacks of sockets.

        A request that finds the inbox full is dropped: the peer asks again after its timeout. The fate of our own
        requests is always taken, or the replica would wait for it for ever.
        """
        if isinstance(inbound, RequestReceived) and self.inbox.is_full:
            _log.warning("dropped a peer's request: too much waits already", waiting=len(self.inbox))
            return
        self.inbox.put_owed(lambda now_ms: self.replica.step(now_ms, inbound))

    def stop(self) -> None:
        """Let ``run`` end after the present turn."""
        self._stopping = True
        self.inbox.wake()

    # ---------------------------------------------------------------- the loop

    async def run(self) -> None:
        """Take turns until ``stop``.

        Raises:
            SyncFailedError: a flush failed; what is on disk is unknown, so the node must stop.
            StorageError: the disk refused; nothing unflushed was acknowledged.
            InvariantViolation: a bug; the node must stop.
        """
        invariant(self.application is not None, "the driver has an application before it runs")
        try:
            while not self._stopping:
                await self.inbox.wait(self.wait_ms())
                self.turn(self.clock.now_ms())
                # Let readers and writers of sockets have their turn even when we always have work.
                await asyncio.sleep(0)
            if self._flush is not None:
                # Nothing that waits for this flush leaves any more, but a failed one must be heard of.
                await asyncio.wait([self._flush])
                self._flush.result()
        except BaseException:
            self._failed = True
            raise
        finally:
            await self._finish_flush()
            self._syncer.close()
        # In good order: whatever was committed until now must be there at the next start.
        self._write_recovery_point()

    def wait_ms(self) -> int | None:
        """Return how long (ms) nothing needs to be done unless something comes in; ``None`` for ever."""
        assert self.application is not None
        if self.application.has_backlog() or (self._outstanding is None and self.replica.has_ready()):
            return 0
        deadlines = [
            deadline
            for deadline in (self.replica.next_deadline_ms(), self.application.next_deadline_ms())
            if deadline is not None
        ]
        return max(0, min(deadlines) - self.clock.now_ms()) if deadlines else None

    def turn(self, now_ms: int) -> None:
        """Take one turn: everything that has gathered, then one ``Ready`` after the other.

        ``run`` calls it; the simulator does so directly, with a clock and a disk of its own.
        """
        assert self.application is not None
        if self._flush is not None and self._flush.done():
            self._complete_flush(now_ms)
        for item in self.inbox.take():
            item(now_ms)
        self.replica.tick(now_ms)
        self.application.before_ready(now_ms)
        for _ in range(READY_CYCLES_MAX):
            if self._outstanding is not None or not self.replica.has_ready():
                break
            self._begin(self.replica.ready(now_ms), now_ms)
        self.application.on_commit(now_ms)
        if self._outstanding is None:
            self._note_recovery_point(now_ms)
            # Zeros ahead of the end make the next flushes cheaper; here nobody waits for them.
            self.directory.log.maybe_preallocate()

    # ---------------------------------------------------------------- one Ready

    def _begin(self, ready: Ready, now_ms: int) -> None:
        """Carry out a Ready up to the fsync line, and beyond it when the flush is inline."""
        log = self.directory.log
        if ready.truncate_to is not None:
            log.truncate_to(ready.truncate_to)
        for download in ready.downloads:
            self._carry_out_download(download)
        if ready.election_state is not None:
            version = min(self.replica.kraft_version, 1)
            self.directory.quorum_state.write(
                ready.election_state, version=version, current_voters=self.replica.voters.ids
            )
        if ready.epoch_start is not None:
            log.assign_epoch(ready.epoch_start.epoch, ready.epoch_start.offset)
        if ready.append:
            log.append(ready.append, now_ms)
        self._dispatch(ready.early)
        if not ready.append:
            self._end(ready, now_ms)
        elif self._syncer.inline:
            self._syncer.run_inline()
            self._end(ready, now_ms)
        else:
            self._outstanding = ready
            self._flush = self._syncer.start()
            self._flush.add_done_callback(lambda _: self.inbox.wake())

    def _end(self, ready: Ready, now_ms: int) -> None:
        """Carry out what stands behind the fsync line."""
        assert self.application is not None
        self._dispatch(ready.messages)
        self.replica.advance(now_ms, ready)
        for event in ready.events:
            self.application.on_event(event)

    def _complete_flush(self, now_ms: int) -> None:
        assert self._flush is not None
        assert self._outstanding is not None
        flush, ready = self._flush, self._outstanding
        self._flush = self._outstanding = None
        flush.result()
        self._syncer.finished()
        self._end(ready, now_ms)

    async def _finish_flush(self) -> None:
        if self._flush is not None:
            await asyncio.wait([self._flush])
            self._flush.exception()

    # ---------------------------------------------------------------- messages

    def _dispatch(self, messages: tuple[Message, ...]) -> None:
        for message in messages:
            if isinstance(message, Send):
                self._peers.send(message)
            else:
                self._peers.reply(message.token, self._filled(message))

    def _filled(self, reply: Reply) -> RaftResponse:
        """Fill in the bytes that the answer's ``read`` asks for."""
        read, response = reply.read, reply.response
        if isinstance(read, LogRead):
            assert isinstance(response, FetchResponse)
            records = self.directory.log.read(read.from_offset, read.max_bytes, read.upto_offset)
            return _with_records(response, records)
        if isinstance(read, SnapshotRead):
            assert isinstance(response, FetchSnapshotResponse)
            return self._with_snapshot(response, read)
        return response

    def _with_snapshot(self, response: FetchSnapshotResponse, read: SnapshotRead) -> FetchSnapshotResponse:
        snapshots = self.directory.snapshots
        size, data, error = 0, b"", ErrorCode.NONE
        if read.snapshot_id not in snapshots.ids:
            error = ErrorCode.SNAPSHOT_NOT_FOUND
        else:
            size = snapshots.size(read.snapshot_id)
            if 0 <= read.position < size:
                data = snapshots.read(read.snapshot_id, read.position, read.max_bytes)
            else:
                error = ErrorCode.POSITION_OUT_OF_RANGE
        return FetchSnapshotResponse(
            error=response.error,
            partition_error=error,
            leader=response.leader,
            leader_endpoints=response.leader_endpoints,
            snapshot_id=read.snapshot_id,
            size=size,
            position=read.position,
            data=data,
        )

    # ---------------------------------------------------------------- snapshots that come in

    def _carry_out_download(self, download: Download) -> None:
        match download:
            case StartDownload():
                self._drop_download()
                self._download = self.directory.snapshots.create(download.snapshot_id)
            case DownloadChunk():
                invariant(self._download is not None, "a chunk belongs to an open download", download.snapshot_id)
                assert self._download is not None
                self._download.append(download.data)
            case AbortDownload():
                self._drop_download()
            case FinishDownload():
                self._install_snapshot(download)

    def _drop_download(self) -> None:
        if self._download is not None:
            self._download.abort()
            self._download = None

    def _install_snapshot(self, download: FinishDownload) -> None:
        """Freeze a downloaded snapshot and start the log at its end; a file that does not verify is dropped."""
        invariant(self._download is not None, "a finished download was open", download.snapshot_id)
        assert self._download is not None
        writer, self._download = self._download, None
        try:
            control_records = writer.verify()
        except CorruptLogError as error:
            writer.abort()
            self.replica.snapshot_rejected(download.snapshot_id, str(error))
            return
        writer.freeze()
        self.directory.log.reset_to(download.snapshot_id)
        self.directory.snapshots.mark_deleted_below(download.snapshot_id.offset)
        self.directory.snapshots.purge()
        at = [(download.snapshot_id.offset - 1, record) for record in control_records]
        self.replica.snapshot_installed(download.snapshot_id, voters_of(at), kraft_versions_of(at))

    # ---------------------------------------------------------------- housekeeping

    def _note_recovery_point(self, now_ms: int) -> None:
        """Write down, now and then, below which offset damage can never be a torn write."""
        if self.replica.high_watermark is None or now_ms < self._recovery_point_due_ms or not self._syncer.inline:
            return
        self._recovery_point_due_ms = now_ms + RECOVERY_POINT_INTERVAL_MS
        self._write_recovery_point()

    def _write_recovery_point(self) -> None:
        high_watermark, log = self.replica.high_watermark, self.directory.log
        if high_watermark is not None:
            # Without room it stays where it was: it is a lower bound, and whatever needs room says so itself.
            with contextlib.suppress(DiskFullError):
                log.note_durable(min(high_watermark, log.flushed_offset))

    def close(self) -> None:
        """Close the directory cleanly, after ``run`` has ended."""
        self._drop_download()
        try:
            self.directory.close()
        except StorageError:
            # A disk that failed while we ran fails here too, and ``run`` has reported it.
            if not self._failed:
                raise


def _with_records(response: FetchResponse, records: bytes) -> FetchResponse:
    return FetchResponse(
        error=response.error,
        partition_error=response.partition_error,
        leader=response.leader,
        leader_endpoints=response.leader_endpoints,
        high_watermark=response.high_watermark,
        log_start_offset=response.log_start_offset,
        diverging=response.diverging,
        snapshot_id=response.snapshot_id,
        records=records,
    )
