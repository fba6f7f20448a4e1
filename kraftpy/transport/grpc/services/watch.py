"""Watching: the committed log as a stream, every offset exactly once and in order.

Nothing is queued for a watcher. Each round reads what is committed from the watcher's own offset on, a bounded number
of bytes, and writes it; a write waits until the client takes it (HTTP/2 flow control). So a slow watcher costs one
read's bytes, falls behind on its own, and is caught up from the log, or from a snapshot once the log is cut. Watchers
at the same offset share what is read and made for them (:mod:`kraftpy.transport.grpc.services.log_messages`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import SchemaSet
from kraftpy.model.offsets import Offset
from kraftpy.pb.v1 import cluster_pb2 as pb
from kraftpy.records.batch import Batch, iterate_batches, split_batches
from kraftpy.transport.grpc.reads import CONSISTENCIES
from kraftpy.transport.grpc.services.conversions import MESSAGE_COST, SENDING_COST, WatchWork
from kraftpy.transport.grpc.services.log_messages import LogMessage, Made
from kraftpy.transport.grpc.services.redacting import without_secrets
from kraftpy.transport.grpc.services.watch_changes import RecordChanges, slices_of
from kraftpy.transport.grpc.services.watch_json import JSON_MESSAGE_BYTES_MAX, RecordTexts
from kraftpy.transport.node_api import NodeApi, OffsetGone, Snapshot

WATCH_READ_BYTES: Final = 256 * 1024
"""How much of the log one message carries, or one batch if that is larger; a watcher that takes nothing costs twice as
much."""

JSON_FRAME_BYTES: Final = 5
"""What a text of JSON takes in a message besides itself, at most."""

ROW_BYTES: Final = 64
"""What a batch or a chunk takes in a message besides its records and their JSON, at most."""

Emit = Callable[[Any], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a message may hold.

    Attributes:
        message_bytes: all of it.
    """

    message_bytes: int

    @property
    def read_bytes(self) -> int:
        """How much of the log goes into one message, or one batch; as much again for what frames small batches."""
        return min(WATCH_READ_BYTES, self.message_bytes // 4)

    @property
    def json_bytes(self) -> int:
        """How much JSON goes into one message besides."""
        return min(JSON_MESSAGE_BYTES_MAX, self.message_bytes // 4)

    def check(self, batch: Batch) -> None:
        """Check that a batch can be sent at all.

        Raises:
            ApiError: POLICY_VIOLATION.
        """
        if batch.size + ROW_BYTES > self.message_bytes:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"the batch at offset {batch.base_offset} takes {batch.size} bytes, and a message of this node's API "
                f"{self.message_bytes}: watch another node, or raise grpc.max.message.bytes of this one",
            )

    def check_change(self, size: int, batch: Batch) -> None:
        """Check that what is shown of one record can be sent at all.

        Raises:
            ApiError: POLICY_VIOLATION.
        """
        if size + ROW_BYTES > self.message_bytes:
            raise ApiError(
                ErrorCode.POLICY_VIOLATION,
                f"a change at offset {batch.base_offset} or behind takes {size} bytes, and a message of this node's "
                f"API {self.message_bytes}: watch another node, or raise grpc.max.message.bytes of this one",
            )

    def leaves_no_json(self, batch: Batch) -> bool:
        """Whether a batch fills a message so far that its JSON has to go into the next ones."""
        return batch.size > self.message_bytes // 2


async def follow_log(backend: NodeApi, request: pb.WatchRequest, emit: Emit, limits: Limits, work: WatchWork) -> None:
    """Emit the log from an offset on, for ever; ``work`` is what all watchers share.

    Raises:
        ApiError: INVALID_REQUEST for a negative offset, OFFSET_OUT_OF_RANGE for one beyond the high watermark,
            POLICY_VIOLATION for a batch that no message can hold.
    """
    offset = request.from_offset
    if offset < 0:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"from_offset is {offset}; the log begins at 0")
    hides = not request.include_secrets
    shown = await _shown(backend, request, limits, work)
    while True:
        part: LogMessage | OffsetGone | bytes | None
        if shown is None:
            part = await _next_message(backend, offset, limits, work, hides=hides)
        else:
            part = await _next_batches(backend, offset, limits, work, hides=hides)
        if isinstance(part, OffsetGone):
            shown = shown and shown.of_snapshot()
            offset = await _emit_snapshot(await backend.open_snapshot(offset), shown, emit, limits, work, hides=hides)
        elif not part:
            await backend.wait_committed(offset)
        elif isinstance(part, LogMessage):
            await work.turns.take(SENDING_COST)
            # The state may have proved wrong meanwhile: then this raises.
            backend.committed_end()
            # A client may let this wait for ever: the message's own bytes are all that is kept meanwhile.
            await emit(part.data)
            offset = part.next_offset
        else:
            assert shown is not None
            batches = split_batches(part, verify_crc=False)
            await _emit_batches(batches, shown, emit, limits)
            offset = batches[-1].next_offset


async def _next_batches(
    backend: NodeApi, offset: Offset, limits: Limits, work: WatchWork, *, hides: bool, cost: int = MESSAGE_COST
) -> bytes | OffsetGone:
    await work.turns.take(cost)
    data = await backend.read_committed(offset, limits.read_bytes)
    return await without_secrets(data, work.turns) if hides and isinstance(data, bytes) else data


async def _next_message(backend: NodeApi, offset: Offset, limits: Limits, work: WatchWork, *, hides: bool) -> Made:
    end = backend.committed_end()

    async def make() -> Made:
        cost = MESSAGE_COST - SENDING_COST
        data = await _next_batches(backend, offset, limits, work, hides=hides, cost=cost)
        if isinstance(data, OffsetGone):
            return data
        return _whole(data, limits, end) if data else None

    if end == offset:
        return None
    if end is None or end < offset:
        # Nothing can be read, or the offset is refused.
        return await make()
    return await work.messages.at((offset, hides), end, make)


async def _shown(
    backend: NodeApi, request: pb.WatchRequest, limits: Limits, work: WatchWork
) -> RecordTexts | RecordChanges | None:
    """Return what is shown of records besides, or in place of, their bytes.

    It begins as the log does; in its middle with the newest level, until a record says another.
    """
    offset, slices = request.from_offset, slices_of(request)
    schema = SchemaSet.KAFKA if offset == 0 else backend.newest_view().image.schema
    if slices:
        changes = RecordChanges(backend, schema, slices, work)
        await changes.begin_at(offset)
        return changes
    if not request.include_json:
        return None
    return RecordTexts(schema, limits.json_bytes, hides=not request.include_secrets, work=work)


def _whole(data: bytes, limits: Limits, end: Offset | None) -> LogMessage:
    """Make one encoded message of batches; ``end`` is up to where the log could be read before they were."""
    batches = split_batches(data, verify_crc=False)
    for batch in batches:
        limits.check(batch)
    rows = [_row(batch, batch.data) for batch in batches]
    message = pb.WatchResponse(batches=pb.WatchedBatches(batches=rows))
    next_offset = batches[-1].next_offset
    return LogMessage(message.SerializeToString(), next_offset, is_full=end is not None and next_offset < end)


async def _emit_batches(
    batches: Sequence[Batch], shown: RecordTexts | RecordChanges, emit: Emit, limits: Limits
) -> None:
    """Emit batches with what is shown of them as one message, or as several when that is large."""
    rows: list[pb.WatchedBatch] = []
    left = limits.json_bytes

    async def go_on(batch: Batch) -> list[pb.WatchedBatch]:
        rows[-1].json_continues = True
        await emit(pb.WatchResponse(batches=pb.WatchedBatches(batches=rows)))
        return [_row(batch, b"")]

    for batch in batches:
        if shown.KEEPS_RECORDS:
            limits.check(batch)
        rows.append(_row(batch, batch.data if shown.KEEPS_RECORDS else b""))
        if batch.is_control:
            continue
        if shown.KEEPS_RECORDS and limits.leaves_no_json(batch):
            rows, left = await go_on(batch), limits.json_bytes
        async for item in shown.of(batch):
            size = shown.size(item)
            left -= size + JSON_FRAME_BYTES
            if left < 0:
                limits.check_change(size, batch)
                rows, left = await go_on(batch), limits.json_bytes - size
            getattr(rows[-1], shown.FIELD).append(item)
    await emit(pb.WatchResponse(batches=pb.WatchedBatches(batches=rows)))


def _row(batch: Batch, records: bytes) -> pb.WatchedBatch:
    return pb.WatchedBatch(
        base_offset=batch.base_offset,
        last_offset=batch.last_offset,
        epoch=batch.epoch,
        control=batch.is_control,
        records=records,
    )


async def _emit_snapshot(
    snapshot: Snapshot,
    shown: RecordTexts | RecordChanges | None,
    emit: Emit,
    limits: Limits,
    work: WatchWork,
    *,
    hides: bool,
) -> Offset:
    end = snapshot.snapshot_id
    await emit(pb.WatchResponse(snapshot_begin=pb.SnapshotBegin(end_offset=end.offset, epoch=end.epoch)))
    async with aclosing(snapshot.chunks) as chunks:
        async for data in chunks:
            for piece in _pieces(await without_secrets(data, work.turns) if hides else data, limits):
                await work.turns.take(MESSAGE_COST)
                await _emit_chunk(piece, shown, emit, limits)
    await emit(pb.WatchResponse(snapshot_end=pb.SnapshotEnd(end_offset=end.offset)))
    return end.offset


def _pieces(data: bytes, limits: Limits) -> Iterator[bytes]:
    """Cut batches of a snapshot into as many as a message may hold, each piece at least one of them."""
    if len(data) <= limits.read_bytes:
        yield data
        return
    start = end = 0
    for batch in iterate_batches(data, verify_crc=False):
        limits.check(batch)
        if end > start and end + batch.size - start > limits.read_bytes:
            yield data[start:end]
            start = end
        end += batch.size
    yield data[start:end]


async def _emit_chunk(data: bytes, shown: RecordTexts | RecordChanges | None, emit: Emit, limits: Limits) -> None:
    chunk = pb.SnapshotChunk(records=data if shown is None or shown.KEEPS_RECORDS else b"")
    left = limits.json_bytes
    if shown is not None:
        for batch in split_batches(data, verify_crc=False):
            if limits.leaves_no_json(batch) and chunk.records:
                left = -1
            async for item in shown.of(batch):
                size = shown.size(item)
                left -= size + JSON_FRAME_BYTES
                if left < 0:
                    limits.check_change(size, batch)
                    await emit(pb.WatchResponse(snapshot_chunk=chunk))
                    chunk, left = pb.SnapshotChunk(), limits.json_bytes - size
                getattr(chunk, shown.FIELD).append(item)
    await emit(pb.WatchResponse(snapshot_chunk=chunk))


async def stream_image(
    backend: NodeApi,
    request: pb.GetImageRequest,
    emit: Emit,
    limits: Limits,
    work: WatchWork,
    consistency: Consistency = Consistency.COMMITTED,
) -> None:
    """Emit the newest published state as snapshot records; say what it may be relied on for."""
    hides = not request.include_secrets
    snapshot = await backend.open_image()
    end = snapshot.snapshot_id
    begin = pb.SnapshotBegin(end_offset=end.offset, epoch=end.epoch, consistency=CONSISTENCIES[consistency])
    await emit(pb.GetImageResponse(begin=begin))
    async with aclosing(snapshot.chunks) as chunks:
        async for data in chunks:
            for piece in _pieces(await without_secrets(data, work.turns) if hides else data, limits):
                await work.turns.take(MESSAGE_COST)
                await emit(pb.GetImageResponse(chunk=pb.SnapshotChunk(records=piece)))
    await emit(pb.GetImageResponse(end=pb.SnapshotEnd(end_offset=end.offset)))
