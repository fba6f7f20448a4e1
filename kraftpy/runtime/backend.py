"""The node as the public API sees it: satisfies ``transport.grpc.backend.Backend``.

Writes go through the driver's turn; reads are answered from what was published; the log is read through the driver's
directory, on the loop, a bounded number of bytes at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import Any

from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode, LocalError, NotLeaderError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import DescribeQuorumResponse
from kraftpy.raft.ready import Role
from kraftpy.records.batch import BATCH_HEADER_BYTES, read_header
from kraftpy.runtime.controller_host import ControllerHost
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.snapshotter import QuorumAt, snapshot_pieces
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.transport.grpc.backend import LeaderHint, OffsetGone, Outcome, Snapshot, Submission, View

GRPC_LISTENER = "GRPC"
"""The name under which a controller registers where its public API listens."""

SNAPSHOT_CHUNK_BYTES = 1024 * 1024

TRANSFER_TIMEOUT_S = 10.0
"""How long a successor may take until it leads: some elections' worth."""


class NodeBackend:
    """One node's driver, state machine and (on a controller) controller host, behind one face."""

    def __init__(
        self,
        *,
        driver: Driver,
        state_machine: StateMachine,
        controller: ControllerHost | None,
        quorum_at: Callable[[Offset], QuorumAt],
        supported_features: tuple[tuple[str, int, int], ...],
    ) -> None:
        self._driver = driver
        self._state_machine = state_machine
        self._controller = controller
        self._quorum_at = quorum_at
        self._supported_features = supported_features
        self._leader_waiters: dict[asyncio.Future[LeaderAndEpoch], Epoch] = {}
        self._commit_waiters: dict[asyncio.Future[None], Offset] = {}
        self._in_touch_ms = driver.clock.now_ms()
        self._fenced: str | None = None

    # ---------------------------------------------------------------- writes

    async def submit_many(self, submissions: Sequence[Submission]) -> Sequence[Outcome]:
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

    def view(self) -> View:
        """Return the newest published state."""
        self._check_fence()
        image = self._state_machine.image
        return View(
            offset=image.provenance.offset,
            epoch=max(image.provenance.epoch, 0),
            age_ms=self._age_ms(),
            image=image,
            cluster_id=self._driver.replica.cluster_id,
            supported_features=self._supported_features,
            kraft_version=self._driver.replica.kraft_version,
        )

    def _age_ms(self) -> int:
        """Say for how long this node may have missed something."""
        now_ms = self._driver.clock.now_ms()
        silence_ms = self._driver.replica.leader_silence_ms(now_ms)
        if silence_ms is not None:
            self._in_touch_ms = now_ms - silence_ms
        return now_ms - self._in_touch_ms

    async def describe_quorum(self) -> DescribeQuorumResponse:
        """Ask the replica.

        Raises:
            ApiError: nobody leads, and this replica knows why: an election is withheld.
        """
        replica = self._driver.replica
        why = replica.leaderless_because
        if why is not None:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"no controller leads: {why}")
        return replica.describe(self._driver.clock.now_ms())

    async def transfer_leadership(self, successor: NodeId, *, validate_only: bool = False) -> LeaderAndEpoch:
        """Hand the leadership to a voter, and return who leads once it does; or see only whether it could begin."""
        replica, loop = self._driver.replica, asyncio.get_running_loop()
        if replica.leader.leader_id == successor:
            return replica.leader
        judged: asyncio.Future[None] = loop.create_future()

        def begin(now_ms: int) -> None:
            if judged.done():
                return
            try:
                replica.begin_transfer(now_ms, epoch, successor, validate_only=validate_only)
            except LocalError as error:
                judged.set_exception(_transfer_refusal(error))
            else:
                if validate_only:
                    judged.set_result(None)

        if replica.role is not Role.LEADER:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"node {replica.key.node_id} does not lead, so cannot hand over")
        epoch = replica.epoch
        taken: asyncio.Future[LeaderAndEpoch] = loop.create_future()
        self._leader_waiters[taken] = epoch
        self._driver.inbox.put_nowait(begin)
        either: set[asyncio.Future[Any]] = {judged, taken}
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

    def leader_hint(self) -> LeaderHint | None:
        """Return the active controller and, once it has registered and while it lives, where its public API listens."""
        replica = self._driver.replica
        leader = replica.leader
        if leader.leader_id is None:
            return None
        if replica.leader_is_lost:
            return LeaderHint(leader.leader_id, leader.epoch, None)
        registration = self._state_machine.image.cluster.controllers.get(leader.leader_id)
        listeners = () if registration is None else registration.listeners
        endpoint = next(
            (Endpoint(one.name, one.host, one.port) for one in listeners if one.name == GRPC_LISTENER), None
        )
        return LeaderHint(leader.leader_id, leader.epoch, endpoint)

    # ---------------------------------------------------------------- the log

    async def read_committed(self, from_offset: Offset, max_bytes: int) -> bytes | OffsetGone:
        """Read whole batches below the high watermark, starting with the one that contains ``from_offset``."""
        self._check_fence()
        log, high_watermark = self._driver.directory.log, self._readable_end()
        if high_watermark is None or from_offset == high_watermark:
            return b""
        if from_offset > high_watermark:
            raise ApiError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"offset {from_offset} is beyond the high watermark {high_watermark}: watch from there or below",
            )
        if from_offset < log.start_offset:
            return OffsetGone(self._snapshot_to_give() or OffsetAndEpoch(epoch=0, offset=log.start_offset))
        return log.read(from_offset, max_bytes, high_watermark)

    def _readable_end(self) -> Offset | None:
        """Return up to where what is committed can be read here; a slow disk takes it some turns later."""
        high_watermark = self._driver.replica.high_watermark
        return None if high_watermark is None else min(high_watermark, self._driver.directory.log.end_offset)

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
            # Whoever goes away leaves nothing behind: an idle cluster commits nothing that would clear it up.
            self._commit_waiters.pop(waiter, None)

    async def open_snapshot(self) -> Snapshot:
        """Open the latest snapshot on disk that others may have; where there is none, make one of the newest state."""
        self._check_fence()
        snapshot_id = self._snapshot_to_give()
        if snapshot_id is None:
            return await self.open_image()
        chunks = self._driver.directory.snapshots.open_chunks(snapshot_id, SNAPSHOT_CHUNK_BYTES)
        return Snapshot(snapshot_id, _whole(chunks))

    def _snapshot_to_give(self) -> OffsetAndEpoch | None:
        """Return the newest snapshot that this node's state is vouched for at, or behind (``kraftpy.raft.digests``)."""
        is_sound, ids = self._driver.replica.is_sound, self._driver.directory.snapshots.ids
        return next((one for one in reversed(ids) if one.offset > 0 and is_sound(one)), None)

    async def open_image(self) -> Snapshot:
        """Turn the newest published state into snapshot records."""
        self._check_fence()
        image = self._state_machine.image
        if image.provenance.offset < 0:
            raise ApiError(ErrorCode.SNAPSHOT_NOT_FOUND, "this node has not loaded any metadata yet; try again later")
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
        """Tell those who wait for the next leader; hints are read when they are asked for."""
        for waiter, epoch in self._leader_waiters.items():
            if leader.leader_id is not None and leader.epoch > epoch and not waiter.done():
                waiter.set_result(leader)

    def close(self) -> None:
        """Let go of everyone who waits."""
        for commit in self._commit_waiters:
            commit.cancel()
        for successor in self._leader_waiters:
            successor.cancel()


def _transfer_refusal(error: LocalError) -> ApiError:
    """Say to the client why the leadership cannot be handed over."""
    code = ErrorCode.NOT_CONTROLLER if isinstance(error, NotLeaderError) else ErrorCode.INVALID_REQUEST
    return ApiError(code, str(error))


async def _whole(chunks: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield a frozen snapshot piece by piece, cut between batches; the file stays readable while it is deleted."""
    rest = b""
    for data in chunks:
        whole, rest = _whole_batches(rest + data)
        if whole:
            yield whole
        await asyncio.sleep(0)


def _whole_batches(data: bytes) -> tuple[bytes, bytes]:
    """Split bytes into the batches that are complete and the rest."""
    position = 0
    while len(data) - position >= BATCH_HEADER_BYTES:
        size = read_header(data, position).size
        if position + size > len(data):
            break
        position += size
    return data[:position], data[position:]


async def _stepwise(batches: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the batches, letting the loop turn between them."""
    for batch in batches:
        yield batch
        await asyncio.sleep(0)
