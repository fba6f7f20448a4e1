"""The node as the public API sees it: satisfies ``transport.node_api.NodeApi``.

Writes go through the driver's turn; reads are answered from what was published; the log is read through the driver's
directory, on the loop, a bounded number of bytes at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import structlog

from kraftpy.broker.log_dirs import LogDirStatus
from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import (
    ApiError,
    CorruptLogError,
    ErrorCode,
    LocalError,
    MalformedError,
    NotLeaderError,
    StorageError,
    UnreadableError,
)
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.registrations import PUBLIC_API_LISTENER
from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import DescribeQuorumResponse
from kraftpy.raft.ready import Role
from kraftpy.records.snapshot import decode_snapshot
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.reads import Reads
from kraftpy.runtime.snapshotter import QuorumAt, snapshot_pieces
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.transport.node_api import LeaderHint, MetadataView, OffsetGone, Outcome, ReadAt, Snapshot, WriteRequest
from kraftpy.transport.request_errors import RequestErrors

_log = structlog.get_logger("kraftpy.backend")

SNAPSHOT_CHUNK_BYTES = 1024 * 1024

CONFIRMED = ReadAt(Consistency.LINEARIZABLE)

TRANSFER_TIMEOUT_S = 10.0
"""How long a successor may take until it leads: some elections' worth."""


class NodeBackend(MetadataPublisher):
    """One node's driver, state machine and (on a controller) controller host, behind one face.

    Attributes:
        log_dirs: describes the log directories; a broker sets it.
    """

    def __init__(
        self,
        *,
        driver: Driver,
        state_machine: StateMachine,
        controller: ControllerLoop | None,
        reads: Reads,
        quorum_at: Callable[[Offset], QuorumAt],
        supported_features: tuple[tuple[str, int, int], ...],
        errors: RequestErrors | None = None,
        acls_enabled: bool = False,
        topic_settings: Mapping[str, str] | None = None,
        file_settings: Callable[[], Mapping[str, str]] = dict,
        on_failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        self.request_errors = errors or RequestErrors()
        self._driver = driver
        self._state_machine = state_machine
        self._controller = controller
        self._reads = reads
        self._quorum_at = quorum_at
        self._supported_features = supported_features
        self._acls_enabled = acls_enabled
        self._topic_settings = topic_settings or {}
        self._file_settings = file_settings
        self._on_failed = on_failed or _raise
        self._leader_waiters: dict[asyncio.Future[LeaderAndEpoch], Epoch] = {}
        self._commit_waiters: dict[asyncio.Future[None], Offset] = {}
        self._in_touch_ms = driver.clock.now_ms()
        self._fenced: str | None = None
        self.log_dirs: Callable[[], Awaitable[Sequence[LogDirStatus]]] | None = None
        self._committed_at_start = _committed_end(driver.directory)

    # ---------------------------------------------------------------- writes

    def now_ms(self) -> int:
        """Return the time by the clock of decisions (ms)."""
        return self._driver.clock.now_ms()

    async def submit_many(self, submissions: Sequence[WriteRequest]) -> Sequence[Outcome]:
        """Decide these writes in order, commit them together, and return one outcome for each."""
        if self._controller is None:
            error = ApiError(ErrorCode.NOT_CONTROLLER, "this node is a broker; writes go to the active controller")
            return [error] * len(submissions)
        if not submissions:
            return []
        answer: asyncio.Future[list[Outcome]] = asyncio.get_running_loop().create_future()

        def answered(outcomes: list[Outcome]) -> None:
            if not answer.done():
                answer.set_result(outcomes)

        group = self._controller.submit(submissions, self._driver.clock.now_ms(), answered)
        try:
            return await answer
        finally:
            group.abandoned = True

    # ---------------------------------------------------------------- reads

    def fence(self, reason: str) -> None:
        """Answer no more questions about the state: it is wrong."""
        self._fenced = reason

    def _check_fence(self) -> None:
        if self._fenced is not None:
            raise ApiError(ErrorCode.BROKER_NOT_AVAILABLE, f"ask another node: {self._fenced}")

    def _check_loaded(self) -> None:
        """Refuse a read of a state that is older than what this node has already had on its disk.

        A record that cannot be applied keeps the state before it, which is what reads show then.

        Raises:
            ApiError: OFFSET_NOT_AVAILABLE, with where the state is and where it has to get.
        """
        machine, needed = self._state_machine, self._committed_at_start
        if machine.halted is not None:
            needed = min(needed, machine.halted.offset)
        if machine.caught_up_once and machine.next_offset >= needed:
            return
        high_watermark = self._driver.replica.high_watermark
        if high_watermark is None:
            known = "no leader has reported yet what is committed"
        else:
            known = f"records are committed up to offset {high_watermark}"
        raise ApiError(
            ErrorCode.OFFSET_NOT_AVAILABLE,
            f"this node has not loaded its state: it is at offset {machine.next_offset}, its directory held committed "
            f"records up to offset {needed} when it started, and {known}. Ask another node, or this one later",
        )

    def view(self) -> MetadataView:
        """Return the newest published state.

        Raises:
            ApiError: BROKER_NOT_AVAILABLE, the state is wrong; OFFSET_NOT_AVAILABLE, it is not loaded yet.
        """
        self._check_fence()
        self._check_loaded()
        return self.newest_view()

    def newest_view(self) -> MetadataView:
        """Return the newest state, loaded or not, for what the node reports about itself.

        Raises:
            ApiError: BROKER_NOT_AVAILABLE: the state is wrong.
        """
        self._check_fence()
        image = self._state_machine.image
        return MetadataView(
            offset=image.provenance.offset,
            epoch=max(image.provenance.epoch, 0),
            age_ms=self.age_ms,
            image=image,
            cluster_id=self._driver.replica.cluster_id,
            supported_features=self._supported_features,
            kraft_version=self._driver.replica.kraft_version,
            acls_enabled=self._acls_enabled,
            node_id=self._driver.replica.key.node_id,
            topic_settings=self._topic_settings,
            file_settings=self._file_settings(),
        )

    async def view_at(self, at: ReadAt) -> MetadataView:
        """Return the published state once it is what a read asks for.

        Raises:
            ApiError: this node does not lead, or the time is over.
            BusyError: too many reads wait already.
        """
        if not at.waits:
            return self.view()
        self._check_fence()
        asked_ms = self._driver.clock.now_ms()
        await self._ready_for(at)
        view = replace(self.view(), consistency=at.consistency)
        if at.consistency is Consistency.LINEARIZABLE:
            # A majority that was asked after the read arrived confirmed it; that holds regardless of earlier messages.
            view = replace(view, age_ms=self._driver.clock.now_ms() - asked_ms)
        return view

    async def _ready_for(self, at: ReadAt, *, needs_state: bool = True) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def settle(error: ApiError | None) -> None:
            if ready.done():
                return
            if error is None:
                ready.set_result(None)
            else:
                ready.set_exception(error)

        number = self._reads.ask(at, self._driver.clock.now_ms(), settle, needs_state=needs_state)
        try:
            await ready
        finally:
            self._reads.abandon(number)

    @property
    def age_ms(self) -> int:
        """For how long this node may have missed updates, as far as it knows."""
        now_ms = self._driver.clock.now_ms()
        silence_ms = self._driver.replica.leader_silence_ms(now_ms)
        if silence_ms is not None:
            self._in_touch_ms = now_ms - silence_ms
        return now_ms - self._in_touch_ms

    async def describe_quorum(self) -> DescribeQuorumResponse:
        """Describe the quorum as the leader sees it; the leadership is confirmed first.

        Raises:
            ApiError: there is no leader, and this replica knows the reason: an election is withheld. Or its leadership
                was not confirmed.
        """
        replica = self._driver.replica
        why = replica.leaderless_because
        if why is not None:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"no controller leads: {why}")
        if replica.role is Role.LEADER:
            await self._ready_for(CONFIRMED, needs_state=False)
        return replica.describe(self._driver.clock.now_ms())

    async def transfer_leadership(self, successor: NodeId, *, validate_only: bool = False) -> LeaderAndEpoch:
        """Transfer the leadership to a voter and return the new leader; or only check whether that could begin."""
        replica, loop = self._driver.replica, asyncio.get_running_loop()
        if replica.role is Role.LEADER and (validate_only or successor == replica.key.node_id):
            # The response names the current leader, and nothing else would verify that.
            await self._ready_for(CONFIRMED, needs_state=False)
        if replica.role is Role.LEADER and successor == replica.key.node_id:
            return replica.leader
        judged: asyncio.Future[None] = loop.create_future()

        def begin(now_ms: int) -> None:
            if judged.done():
                return
            try:
                replica.begin_transfer(now_ms, epoch, successor, validate_only=validate_only)
            except LocalError as error:
                judged.set_exception(_transfer_refusal(error))
            except Exception as error:  # noqa: BLE001 - this is the driver's turn, and no request ends the process
                judged.set_exception(error)
            else:
                if validate_only:
                    judged.set_result(None)

        if replica.role is not Role.LEADER:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"node {replica.key.node_id} does not lead, so cannot hand over")
        epoch = replica.epoch
        taken: asyncio.Future[LeaderAndEpoch] = loop.create_future()
        either: set[asyncio.Future[Any]] = {judged, taken}
        # A full inbox rejects the request here, before any caller waits.
        self._driver.inbox.put_nowait(begin)
        self._leader_waiters[taken] = epoch
        try:
            await asyncio.wait(either, timeout=TRANSFER_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
            if judged.done():
                judged.result()
                return replica.leader
            if not taken.done() or taken.result().leader_id != successor:
                raise ApiError(
                    ErrorCode.REQUEST_TIMED_OUT,
                    f"node {successor} did not take over; node {replica.leader.leader_id} leads epoch {replica.epoch}",
                )
            return taken.result()
        finally:
            self._leader_waiters.pop(taken, None)
            judged.cancel()
            taken.cancel()

    async def describe_log_dirs(self) -> tuple[NodeId, Sequence[LogDirStatus]]:
        """Return this node's id and its log directories; a hanging disk holds up this call alone."""
        return self._driver.replica.key.node_id, () if self.log_dirs is None else await self.log_dirs()

    def leader_hint(self) -> LeaderHint | None:
        """Return the active controller and, while it is registered and alive, the address of its public API."""
        replica = self._driver.replica
        leader = replica.leader
        if leader.leader_id is None:
            return None
        if replica.leader_is_lost:
            return LeaderHint(leader.leader_id, leader.epoch, None)
        sequence = None if self._controller is None else self._controller.answers_given(leader.epoch)
        registration = self._state_machine.image.cluster.controllers.get(leader.leader_id)
        listeners = () if registration is None else registration.listeners
        endpoint = next(
            (Endpoint(one.name, one.host, one.port) for one in listeners if one.name == PUBLIC_API_LISTENER), None
        )
        return LeaderHint(leader.leader_id, leader.epoch, endpoint, sequence)

    # ---------------------------------------------------------------- the log

    async def read_committed(self, from_offset: Offset, max_bytes: int) -> bytes | OffsetGone:
        """Read whole batches below the high watermark, starting with the one that contains ``from_offset``.

        Of a metadata transaction nothing is read before its end is committed, too.
        """
        self._check_fence()
        log, high_watermark = self._driver.directory.log, self._committed_end()
        end = self._readable_end()
        # Without one ``wait_committed`` waits until there is one again.
        if high_watermark is None or end is None or end <= from_offset <= high_watermark:
            return b""
        if from_offset > high_watermark:
            raise ApiError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"offset {from_offset} is beyond the high watermark {high_watermark}: watch from there or below",
            )
        if from_offset < log.start_offset:
            return OffsetGone(self._snapshot_to_give(from_offset) or OffsetAndEpoch(epoch=0, offset=log.start_offset))
        try:
            return log.read(from_offset, max_bytes, end)
        except StorageError as error:
            raise self._storage_failed(error) from error

    def committed_end(self) -> Offset | None:
        """Return up to where watchers may read now."""
        self._check_fence()
        return self._readable_end()

    def _readable_end(self) -> Offset | None:
        """Return up to where watchers may read: an open transaction, and what is not loaded yet, is left out."""
        high_watermark, machine = self._committed_end(), self._state_machine
        if high_watermark is None or machine.halted is not None or not machine.caught_up_once:
            return high_watermark
        return min(high_watermark, machine.published_end)

    def _committed_end(self) -> Offset | None:
        """Return up to where what is committed can be read here; a slow disk takes it some turns later.

        ``None`` while nothing is known to be committed, and while the disk replaces the log by a snapshot.
        """
        high_watermark = self._driver.replica.high_watermark
        if high_watermark is None or self._driver.replaces_log:
            return None
        return min(high_watermark, self._driver.directory.log.end_offset)

    async def wait_committed(self, offset: Offset) -> None:
        """Wait until the high watermark is above ``offset``, and the log here, too."""
        high_watermark = self._readable_end()
        if high_watermark is not None and high_watermark > offset:
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commit_waiters[waiter] = offset
        try:
            await waiter
        finally:
            # A client that disconnects must leave no waiter: an idle cluster commits nothing that would remove it.
            self._commit_waiters.pop(waiter, None)

    async def open_snapshot(self, after: Offset) -> Snapshot:
        """Open the latest snapshot on disk that others may have; where there is none, make one of the newest state.

        Raises:
            ApiError: BROKER_NOT_AVAILABLE: nothing here ends after the offset, which would make a watcher go back.
        """
        self._check_fence()
        snapshot_id = self._snapshot_to_give(after)
        if snapshot_id is None:
            snapshot = await self.open_image()
            if snapshot.snapshot_id.offset <= after:
                await snapshot.chunks.aclose()
                raise ApiError(
                    ErrorCode.BROKER_NOT_AVAILABLE,
                    f"this node's log begins after offset {after}, and it has nothing that ends after offset {after} "
                    f"yet (its state ends at {snapshot.snapshot_id.offset}): ask another node, or this one later",
                )
            return snapshot
        chunks = self._driver.directory.snapshots.open_chunks(snapshot_id, SNAPSHOT_CHUNK_BYTES)
        try:
            # The first piece opens the file, which then stays readable even if it is deleted.
            first = next(chunks, b"")
        except StorageError as error:
            raise self._storage_failed(error) from error
        return Snapshot(snapshot_id, self._whole(snapshot_id, chain((first,), chunks)))

    async def _whole(self, snapshot_id: OffsetAndEpoch, chunks: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
        """Yield a frozen snapshot piece by piece, cut between batches, every checksum verified.

        A watcher cannot detect redaction: a batch whose secrets are hidden is rewritten with a valid checksum.
        """
        piece: list[bytes] = []
        size = 0
        try:
            for batch in decode_snapshot(chunks):
                if piece and size + batch.size > SNAPSHOT_CHUNK_BYTES:
                    yield b"".join(piece)
                    piece, size = [], 0
                    await asyncio.sleep(0)
                piece.append(batch.data)
                size += batch.size
        except StorageError as error:
            raise self._storage_failed(error) from error
        except MalformedError as error:
            path = self._driver.directory.snapshots.path(snapshot_id)
            raise self._storage_failed(CorruptLogError(f"{path} is corrupt: {error}")) from error
        yield b"".join(piece)

    def _storage_failed(self, error: StorageError) -> ApiError:
        """Stop the node as if its driver had found the corruption, and redirect the client to another node.

        A file that cannot be opened at the moment (a process out of file descriptors, which watchers can cause) is not
        corruption and does not stop the node.
        """
        if not isinstance(error, CorruptLogError | UnreadableError):
            _log.warning("snapshot_not_opened", reason=str(error))
            return ApiError(ErrorCode.BROKER_NOT_AVAILABLE, f"ask another node, or this one later: {error}")
        self._on_failed(error)
        return ApiError(ErrorCode.BROKER_NOT_AVAILABLE, f"ask another node, this one stops: {error}")

    def _snapshot_to_give(self, after: Offset) -> OffsetAndEpoch | None:
        """Return the newest servable snapshot that ends after an offset (``kraftpy.raft.guards.state_digests``)."""
        is_servable, ids = self._driver.replica.is_servable, self._driver.directory.snapshots.ids
        return next((one for one in reversed(ids) if one.offset > max(after, 0) and is_servable(one)), None)

    async def open_image(self) -> Snapshot:
        """Turn the newest published state into snapshot records.

        Raises:
            ApiError: UNSUPPORTED_VERSION: the log holds what this version does not know.
        """
        self._check_fence()
        self._check_loaded()
        image = self._state_machine.image
        if image.unknown.count:
            kinds = ", ".join(str(kind) for kind in sorted(image.unknown.counts))
            raise ApiError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"this node's version does not know all that its log holds ({kinds}), so it returns no whole state: "
                "ask a node of a newer version (docs/rolling.md)",
            )
        snapshot_id = image.provenance.snapshot_id
        quorum = self._quorum_at(snapshot_id.offset)
        return Snapshot(snapshot_id, _stepwise(snapshot_pieces(image, quorum, self._driver.clock.now_ms())))

    # ---------------------------------------------------------------- publisher

    name = "watchers"

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Wake those who wait for commits."""
        del delta, image, manifest
        self.wake_committed()

    def wake_committed(self) -> None:
        """Wake everyone whose offset is committed now."""
        high_watermark = self._readable_end()
        if high_watermark is None:
            return
        for waiter, offset in self._commit_waiters.items():
            if offset < high_watermark and not waiter.done():
                waiter.set_result(None)

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Wake the requests that wait for the next leader; hints are read on demand."""
        for waiter, epoch in self._leader_waiters.items():
            if leader.leader_id is not None and leader.epoch > epoch and not waiter.done():
                waiter.set_result(leader)

    def close(self) -> None:
        """Let go of everyone who waits."""
        self._reads.close()
        for commit in self._commit_waiters:
            commit.cancel()
        for successor in self._leader_waiters:
            successor.cancel()


def _committed_end(directory: MetadataDirectory) -> Offset:
    """Return the committed end of the records that a directory holds, or held before its log was quarantined."""
    snapshot = directory.snapshots.latest
    snapshot_end = 0 if snapshot is None else snapshot.offset
    return max(directory.log.recovery_point, snapshot_end, directory.status.value.committed)


def _transfer_refusal(error: LocalError) -> ApiError:
    """Return the API error for a leadership transfer that is not possible."""
    code = ErrorCode.NOT_CONTROLLER if isinstance(error, NotLeaderError) else ErrorCode.INVALID_REQUEST
    return ApiError(code, str(error))


def _raise(error: BaseException) -> None:
    raise error


async def _stepwise(batches: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the batches, letting the loop turn between them."""
    for batch in batches:
        yield batch
        await asyncio.sleep(0)
