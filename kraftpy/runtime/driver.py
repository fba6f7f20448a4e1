"""The driver: one task that owns the replica and its disk, and obeys ``Ready`` in order.

A turn takes a slice of what has gathered (voters' requests and answers first, then what clients ask; deadlines), lets
the replica and the controller decide about it, and then carries out ``Ready`` after ``Ready`` until none is left.
Between reading state and acting on it nothing is awaited. What gathers while a flush runs is the next batch: that is
the whole group commit.

Every wait for the disk is a job of the storage lane (:mod:`kraftpy.runtime.disk_executor`). While the disk is quick a
job is done when it is put, and a ``Ready`` is over before the next one begins. On a slow disk turns go on meanwhile:

*   A ``Ready`` that only appends and speaks begins although earlier ones wait for their flush. Its batches are staged
    in the log's memory, where followers can fetch them; what follows its fsync line waits until a flush has covered it.
    So a leader's slow disk costs its followers nothing, and they may commit without it.
*   A ``Ready`` that does more (cuts the log, stores a vote or an epoch, installs a snapshot) begins when everything
    before it is over, does its steps one by one, and no other begins until it has come to its append. A vote on a slow
    disk is late, and true.

Who may touch the log while a job runs in the thread: the loop, for reading and for staging; see
:mod:`kraftpy.storage.log`. Everything else goes through the lane.

Source: style of etcd raft's ``Ready`` loop, and of its asynchronous storage writes; KIP-595.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import structlog

from kraftpy.model.errors import CorruptLogError, DiskFullError, ErrorCode, StorageError
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import VoterSet
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
    RequestAbandoned,
    RequestReceived,
    ResponseReceived,
    Role,
    Send,
    SnapshotRead,
    StartDownload,
)
from kraftpy.raft.replica import Replica
from kraftpy.records.control import ControlRecord
from kraftpy.runtime.append_times import AppendTimes
from kraftpy.runtime.clock import Clock
from kraftpy.runtime.disk_executor import SLOW_JOB_MS, DiskExecutor
from kraftpy.runtime.durations import DurationCounts
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.peer_requests import PeerRequests
from kraftpy.runtime.recovered_state import kraft_versions_of, voters_of
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.log import Flush
from kraftpy.storage.snapshots import SnapshotWriter
from kraftpy.transport.request_errors import RequestErrors

_log = structlog.get_logger("kraftpy.driver")

READY_CYCLES_MAX = 64
"""How many Readys a turn carries out before others on the loop get theirs."""

READIES_WAITING_MAX = 10_000
"""How many Readys may wait for their flush on a slow disk; then the next one waits to begin."""

RECOVERY_POINT_INTERVAL_MS = 1_000
"""How often the lower bound of durable, committed data is written down (a small file, replaced)."""

RECOVERY_POINT_SHARE = 20
"""Writing it down takes at most this part of the disk's time: on a slow disk it is done less often."""


@dataclass(frozen=True, slots=True)
class DiskStep:
    """One job of the disk on the way to a Ready's append."""

    job: Callable[[], Any]
    cpu_bound: bool = False


class Network(Protocol):
    """Sends requests to other nodes; responses come back through the inbox."""

    def send(self, message: Send) -> None:
        """Send a request; never blocks, never raises."""
        ...

    def flush(self) -> None:
        """Write what was sent to the sockets now, and not when the event loop turns."""
        ...


class QuorumListener(Protocol):
    """Answers the requests of other nodes; a token that is not known is ignored."""

    def reply(self, token: int, response: RaftResponse) -> None:
        """Answer the request that came in with this token."""
        ...

    def drop(self, token: int, reason: str) -> None:
        """Close the connection of a request that cannot be answered."""
        ...

    def room_for(self, token: int) -> int | None:
        """Return how many bytes of the log the response may carry; ``None`` without another limit."""
        ...

    def flush(self) -> None:
        """Write the responses to the sockets now, and not when the event loop turns."""
        ...


class NoListener:
    """The listener of a node that serves no quorum: no request comes in, so none is answered."""

    def reply(self, token: int, response: RaftResponse) -> None:
        """Ignore a response."""

    def drop(self, token: int, reason: str) -> None:
        """Ignore a request that cannot be answered."""

    def room_for(self, token: int) -> int | None:
        """Return no limit."""
        del token
        return None

    def flush(self) -> None:
        """Write nothing."""


class Application(Protocol):
    """What runs on top of the committed log, called by the driver in its own task."""

    def before_ready(self, now_ms: int) -> None:
        """Decide about what is due (a controller's requests and timers), proposing to the replica."""
        ...

    def on_event(self, event: Event) -> None:
        """Handle an event of the replica."""
        ...

    def on_commit(self, now_ms: int) -> None:
        """Load what became committed; may leave a rest for the next turn (see ``has_backlog``)."""
        ...

    def has_backlog(self) -> bool:
        """Return whether committed records wait to be loaded."""
        ...

    def next_deadline_ms(self) -> int | None:
        """Return when ``before_ready`` should be called again at the latest."""
        ...


class Driver:
    """Own one replica and its metadata directory.

    Attributes:
        replaces_log: a snapshot is replacing the log on the disk: the log's offsets in memory are the new ones already,
            the replica's are the old ones still, so neither may be read.
        idle_ms: how long ``run`` has waited for something to do.
        appended_records: records that this replica wrote to its log as the leader.
        fetched_records: records that it wrote as a follower.
        append_times: of each append of the leader, how long it took until it was committed.
        flush_times: of each flush of the log, how long the disk took.
        on_flush: called after each flush of the log with how long the disk took (ms), and whether what it made durable
            here was committed before.
    """

    def __init__(
        self,
        *,
        replica: Replica,
        directory: MetadataDirectory,
        clock: Clock,
        lane: DiskExecutor | None = None,
        errors: RequestErrors | None = None,
    ) -> None:
        self.request_errors = errors or RequestErrors(clock.now_ms)
        self.replica = replica
        self.directory = directory
        self.clock = clock
        self.inbox = Inbox()
        self.peer_requests = PeerRequests(self.inbox, clock, lambda: self.replica.voters, self._step)
        self.application: Application | None = None
        self._network: Network | None = None
        self._listener: QuorumListener = NoListener()
        self.lane = lane or DiskExecutor()
        self.lane.wake = self.inbox.wake
        self._now_ms = clock.now_ms()
        self._preparing: Ready | None = None
        self._steps: Generator[DiskStep, Any, None] | None = None
        self._waiting: deque[tuple[Ready, Offset]] = deque()
        self._flushing = False
        self._download: SnapshotWriter | None = None
        self.replaces_log = False
        self.idle_ms = 0
        self.appended_records = 0
        self.fetched_records = 0
        self.append_times = AppendTimes()
        self.flush_times = DurationCounts()
        self.on_flush: Callable[[float, bool], None] = _ignore_flush
        self._recovery_point_due_ms = 0
        self._stopping = False
        self._over = False
        self._failed = False

    def attach(self, network: Network, listener: QuorumListener | None = None) -> None:
        """Set the connections to other nodes, before the first turn.

        They are made after the driver, because they deliver to it.

        Args:
            network: sends the replica's requests.
            listener: answers requests; ``None`` on a node that serves no quorum.
        """
        self._network, self._listener = network, listener or NoListener()

    # ---------------------------------------------------------------- input

    def deliver(self, inbound: Inbound) -> None:
        """Queue a message of a peer; never raises, because it is called from socket callbacks.

        A voter's request overtakes those of others, and one that finds the inbox full is dropped
        (:mod:`kraftpy.runtime.peer_requests`). The outcome of our own requests is always accepted, or the replica would
        wait for it forever.
        """
        match inbound:
            case RequestReceived():
                self.peer_requests.received(inbound)
            case RequestAbandoned():
                self.peer_requests.abandoned(inbound)
            case _:
                self.inbox.put_unbounded(lambda now_ms: self._step(now_ms, inbound))

    def _step(self, now_ms: int, inbound: Inbound) -> None:
        """Step the replica with a peer's message; an exception does not end the process.

        The replica stays safe (:meth:`~kraftpy.raft.replica.Replica.step_failed`). A request's connection is closed,
        and a response counts as malformed.
        """
        try:
            self.replica.step(now_ms, inbound)
        except Exception as error:  # noqa: BLE001 - an InvariantViolation is none, and note() lets a disk's error through
            match inbound:
                case RequestReceived(token, request):
                    kind = type(request).__name__
                    self._listener.drop(token, f"its {kind} caused {type(error).__name__}: {error}")
                case ResponseReceived(_, response):
                    kind = type(response).__name__
                case _:
                    kind = type(inbound).__name__
            self.request_errors.note(kind, error)
            self.replica.step_failed(now_ms, inbound)

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
        invariant(self._network is not None, "the driver is attached to a network before it runs")
        await self.lane.close_after(self._take_turns())

    async def _take_turns(self) -> None:
        try:
            while not self._stopping:
                waits_since_ms = self.clock.now_ms()
                await self.inbox.wait(self.wait_ms())
                now_ms = self.clock.now_ms()
                self.idle_ms += now_ms - waits_since_ms
                self.turn(now_ms)
                # Let readers and writers of sockets have their turn even when we always have work.
                await asyncio.sleep(0)
            # Messages that wait for the disk are no longer sent, but jobs in progress are completed, and a failure is
            # reported.
            self._over = True
            await self.lane.finish()
            # A clean stop: everything committed until now must be present at the next start.
            self._write_recovery_point()
            await self.lane.finish()
        except BaseException:
            # Whatever ended the loop, a cancellation too: what the disk still answers leads to nothing any more.
            self._failed = self._over = True
            raise

    def wait_ms(self) -> int | None:
        """Return how long (ms) nothing needs to be done unless something comes in; ``None`` for ever."""
        assert self.application is not None
        if self.application.has_backlog() and not self.replaces_log:
            return 0
        if self._may_begin() and self.replica.has_ready():
            return 0
        deadlines = [
            deadline
            for deadline in (self.replica.next_deadline_ms(), self.application.next_deadline_ms())
            if deadline is not None
        ]
        return max(0, min(deadlines) - self.clock.now_ms()) if deadlines else None

    def turn(self, now_ms: int) -> None:
        """Take one turn: a slice of what has gathered (see :mod:`~kraftpy.runtime.inbox`), then ``Ready`` by ``Ready``.

        ``run`` calls it; the simulator does so directly, with a clock and a disk of its own.
        """
        assert self.application is not None
        self._now_ms = now_ms
        self.lane.collect()
        self.inbox.work_off(now_ms, self.clock.now_ms)
        self.replica.tick(now_ms)
        self.application.before_ready(now_ms)
        for _ in range(READY_CYCLES_MAX):
            if not self._may_begin() or not self.replica.has_ready():
                break
            self._begin(self.replica.ready(now_ms))
        self.append_times.committed(self.replica.high_watermark, self._now_ms)
        # A follower's next fetch reports what is on its disk: its leader waits for that, and nothing waits for what
        # follows.
        self._write_out()
        if not self.replaces_log:
            self.application.on_commit(now_ms)
        self._write_out()
        if self.lane.inline:
            self._note_recovery_point(now_ms)
            # Zeros after the end make the next flushes cheaper; nothing waits for them here.
            self.directory.log.maybe_preallocate()
        elif self.lane.idle:
            self._note_recovery_point(now_ms)

    # ---------------------------------------------------------------- one Ready

    def _may_begin(self) -> bool:
        return self._steps is None and len(self._waiting) < READIES_WAITING_MAX

    def _begin(self, ready: Ready) -> None:
        """Carry out a Ready up to the fsync line, and beyond it as far as the disk is quick."""
        if self._only_appends(ready):
            self._append(ready)
        else:
            self._preparing, self._steps = ready, self._before_append(ready)
            if not self._waiting:
                self._proceed()

    def _only_appends(self, ready: Ready) -> bool:
        if ready.truncate_to is not None or ready.election_state is not None or ready.epoch_start is not None:
            return False
        return not ready.downloads and ready.replica_status is None

    def _before_append(self, ready: Ready) -> Generator[DiskStep, Any, None]:
        """Yield what the disk has to do before the append, one step after the other; each is done before the next."""
        log = self.directory.log
        if ready.truncate_to is not None:
            yield DiskStep(log.begin_truncate_to(ready.truncate_to))
        for download in ready.downloads:
            yield from self._downloading(download)
        if ready.election_state is not None:
            write = partial(
                self.directory.quorum_state.write,
                ready.election_state,
                version=min(self.replica.kraft_version, 1),
                current_voters=self.replica.voters.ids,
            )
            yield DiskStep(write)
        if ready.replica_status is not None:
            status = ready.replica_status
            if ready.downloads:
                # A snapshot that was just installed may have taken this replica out of the voter set.
                status = replace(status, removed=status.removed or self.directory.status.value.removed)
            yield DiskStep(partial(self.directory.status.write, status))
        if ready.epoch_start is not None:
            yield DiskStep(log.begin_assign_epoch(ready.epoch_start.epoch, ready.epoch_start.offset))

    def _is_removed_by(self, sets: Sequence[tuple[Offset, VoterSet]]) -> bool:
        """Return whether this replica votes, and would not by these sets."""
        if not sets or not self.replica.voters.contains(self.replica.key):
            return False
        return not sets[-1][1].contains(self.replica.key)

    def _write_removed(self) -> None:
        status, directory_id = self.directory.status, self.replica.key.directory_id
        status.write(replace(status.value, removed=directory_id or status.value.removed))

    def _proceed(self, result: object = None) -> None:
        """Put the next step of the Ready that is being prepared; behind the last one comes its append."""
        assert self._steps is not None
        assert self._preparing is not None
        if self._over:
            return
        try:
            step = self._steps.send(result)
        except StopIteration:
            ready, self._preparing, self._steps = self._preparing, None, None
            self._append(ready)
        else:
            self.lane.put(step.job, self._proceed, cpu_bound=step.cpu_bound)

    def _append(self, ready: Ready) -> None:
        """Append, send what promises nothing about this disk, and flush what has to be flushed."""
        log, lane = self.directory.log, self.lane
        if lane.inline and not self._waiting:
            if ready.append:
                end = log.end_offset
                log.append(ready.append, self._now_ms)
                self._count_append(log.end_offset, log.end_offset - end)
                self._dispatch(ready.early)
                # The followers write to their disks while this one does.
                self._write_out()
                lane.run(log.sync)
                self._count_flush()
            else:
                self._dispatch(ready.early)
            self._end(ready)
            return
        end = log.end_offset
        log.stage(ready.append, self._now_ms)
        self._count_append(log.end_offset, log.end_offset - end)
        self._dispatch(ready.early)
        self._waiting.append((ready, log.end_offset))
        self._settle()

    def _count_append(self, end_offset: Offset, count: int) -> None:
        if self.replica.role is not Role.LEADER:
            self.append_times.forget()
            self.fetched_records += count
        elif count:
            self.append_times.appended(end_offset, self.replica.epoch, self._now_ms)
            self.appended_records += count

    def _settle(self) -> None:
        """Carry out what the disk has covered, and have the rest covered."""
        log = self.directory.log
        while self._waiting and self._waiting[0][1] <= log.flushed_offset:
            ready, _ = self._waiting.popleft()
            self._end(ready)
        if self._waiting:
            self._flush()
        elif self._steps is not None:
            self._proceed()

    def _flush(self) -> None:
        """Have one flush on its way; what is appended while it runs is covered by the next one."""
        if self._flushing or self._over:
            return
        self._flushing = True
        flush = self.directory.log.begin_flush()
        self.lane.put(flush.on_disk, lambda _: self._flushed(flush))

    def _flushed(self, flush: Flush) -> None:
        self._flushing = False
        flush.done()
        self._count_flush()
        self._settle()

    def _count_flush(self) -> None:
        """Count a flush of the log that has just ended."""
        took_ms, high_watermark = self.lane.last_ms, self.replica.high_watermark
        self.flush_times.add(int(took_ms))
        self.on_flush(took_ms, high_watermark is not None and high_watermark >= self.directory.log.flushed_offset)

    def _end(self, ready: Ready) -> None:
        """Execute the part of a Ready value after its fsync line."""
        assert self.application is not None
        if self._over:
            return
        if self.lane.last_ms >= SLOW_JOB_MS:
            # The turn was blocked: timers that the replica starts now are to start at the current time.
            self._now_ms = max(self._now_ms, self.clock.now_ms())
        self._dispatch(ready.messages)
        self.replica.advance(self._now_ms, ready)
        for event in ready.events:
            self.application.on_event(event)

    # ---------------------------------------------------------------- messages

    def _dispatch(self, messages: tuple[Message, ...]) -> None:
        for message in messages:
            if isinstance(message, Send):
                assert self._network is not None
                self._network.send(message)
            else:
                self._listener.reply(message.token, self._filled(message))

    def _write_out(self) -> None:
        """Write requests and responses to the sockets now."""
        assert self._network is not None
        self._network.flush()
        self._listener.flush()

    def _filled(self, reply: Reply) -> RaftResponse:
        """Fill in the bytes that the answer's ``read`` asks for."""
        read, response = reply.read, reply.response
        if isinstance(read, LogRead):
            assert isinstance(response, FetchResponse)
            room = self._listener.room_for(reply.token)
            most = read.max_bytes if room is None else min(read.max_bytes, room)
            log = self.directory.log
            if read.from_offset < log.start_offset:
                # Cleaning moved the start while this response waited for the disk: the next fetch is given a snapshot.
                return _with_records(response, b"")
            records = log.read(read.from_offset, most, read.upto_offset)
            # At least one batch is read, however large; if it exceeds the limit, the peer fetches again.
            return _with_records(response, records if room is None or len(records) <= room else b"")
        if isinstance(read, SnapshotRead):
            assert isinstance(response, FetchSnapshotResponse)
            room = self._listener.room_for(reply.token)
            return self._with_snapshot(response, read, read.max_bytes if room is None else min(read.max_bytes, room))
        return response

    def _with_snapshot(
        self, response: FetchSnapshotResponse, read: SnapshotRead, max_bytes: int
    ) -> FetchSnapshotResponse:
        snapshots = self.directory.snapshots
        size, data, error = 0, b"", ErrorCode.NONE
        if read.snapshot_id not in snapshots.ids:
            error = ErrorCode.SNAPSHOT_NOT_FOUND
        else:
            size = snapshots.size(read.snapshot_id)
            if 0 <= read.position < size:
                data = snapshots.read(read.snapshot_id, read.position, max_bytes)
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

    def _downloading(self, download: Download) -> Generator[DiskStep, Any, None]:
        match download:
            case StartDownload():
                yield from self._drop_download()
                self._download = yield DiskStep(partial(self.directory.snapshots.create, download.snapshot_id))
            case DownloadChunk():
                invariant(self._download is not None, "a chunk belongs to an open download", download.snapshot_id)
                assert self._download is not None
                yield DiskStep(partial(self._download.append, download.data))
            case AbortDownload():
                yield from self._drop_download()
            case FinishDownload():
                yield from self._install_snapshot(download)

    def _drop_download(self) -> Generator[DiskStep, Any, None]:
        writer, self._download = self._download, None
        if writer is not None:
            yield DiskStep(writer.abort)

    def _install_snapshot(self, download: FinishDownload) -> Generator[DiskStep, Any, None]:
        """Freeze a downloaded snapshot and start the log at its end; a file that does not verify is dropped."""
        invariant(self._download is not None, "a finished download was open", download.snapshot_id)
        assert self._download is not None
        writer, self._download = self._download, None
        control_records = yield DiskStep(partial(_verified, writer), cpu_bound=True)
        if isinstance(control_records, CorruptLogError):
            yield DiskStep(writer.abort)
            self.replica.snapshot_rejected(download.snapshot_id, str(control_records))
            return
        at = [(download.snapshot_id.offset - 1, record) for record in control_records]
        sets = voters_of(at)
        if self._is_removed_by(sets):
            # Once the snapshot has replaced the log, no other record of the removal is left.
            yield DiskStep(self._write_removed)
        yield DiskStep(writer.freeze_file)
        snapshots = self.directory.snapshots
        snapshots.add(download.snapshot_id)
        # The files and the replica's high watermark disagree until the replica is notified: nothing is loaded
        # meanwhile.
        self.replaces_log = True
        yield DiskStep(self.directory.log.begin_reset_to(download.snapshot_id))
        _, delete = snapshots.begin_delete_below(download.snapshot_id.offset)
        yield DiskStep(delete)
        self.replica.snapshot_installed(download.snapshot_id, sets, kraft_versions_of(at))
        self.replaces_log = False

    # ---------------------------------------------------------------- housekeeping

    def _note_recovery_point(self, now_ms: int) -> None:
        """Periodically store the offset below which a bad batch is never a torn write."""
        if self.replica.high_watermark is None or now_ms < self._recovery_point_due_ms:
            return
        self._recovery_point_due_ms = now_ms + max(
            RECOVERY_POINT_INTERVAL_MS, int(self.lane.last_ms * RECOVERY_POINT_SHARE)
        )
        self._write_recovery_point()

    def _write_recovery_point(self) -> None:
        high_watermark, log = self.replica.high_watermark, self.directory.log
        if high_watermark is not None:
            write = log.begin_note_durable(min(high_watermark, log.flushed_offset))
            self.lane.put(partial(_if_there_is_room, write), lambda _: None)

    def close(self) -> None:
        """Close the directory cleanly, after ``run`` has ended."""
        for step in self._drop_download():
            step.job()
        try:
            self.directory.close()
        except StorageError:
            # A disk that failed while we ran fails here too, and ``run`` has reported it.
            if not self._failed:
                raise


def _ignore_flush(took_ms: float, is_overtaken: bool) -> None:  # noqa: FBT001 - called by position
    """Do nothing after a flush."""


def _verified(writer: SnapshotWriter) -> tuple[ControlRecord, ...] | CorruptLogError:
    """Check a downloaded snapshot; that it does not verify is an answer, too."""
    try:
        return writer.verify()
    except CorruptLogError as error:
        return error


def _if_there_is_room(write: Callable[[], None]) -> None:
    """Keep the old lower bound when the disk is full: writes that need the space report the error themselves."""
    with contextlib.suppress(DiskFullError):
        write()


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
        agreed=response.agreed,
    )
