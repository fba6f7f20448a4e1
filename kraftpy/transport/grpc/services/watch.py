"""Watching: the committed log as a stream, every offset exactly once and in order.

Nothing is queued for a watcher. Each round reads what is committed from the watcher's own offset on, a bounded number
of bytes, and writes it; a write waits until the client takes it (HTTP/2 flow control). So a slow watcher costs one
read's bytes, falls behind on its own, and is caught up from the log, or from a snapshot once the log is cut.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, Final

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import SchemaSet
from kraftpy.model.offsets import Offset
from kraftpy.pb.v1 import cluster_pb2 as pb
from kraftpy.records.batch import Batch, split_batches
from kraftpy.transport.grpc.backend import Backend, OffsetGone, Snapshot
from kraftpy.transport.grpc.services.watch_json import JSON_MESSAGE_BYTES_MAX, RecordTexts

WATCH_READ_BYTES: Final = 1024 * 1024
"""How much of the log one message carries, or one batch if that is larger."""

JSON_FRAME_BYTES: Final = 5
"""What a text of JSON takes in a message besides itself, at most."""

Emit = Callable[[Any], Awaitable[None]]


async def follow_log(backend: Backend, request: pb.WatchRequest, emit: Emit) -> None:
    """Emit the log from an offset on, for ever.

    Raises:
        ApiError: INVALID_REQUEST for a negative offset, OFFSET_OUT_OF_RANGE for one beyond the high watermark.
    """
    offset = request.from_offset
    if offset < 0:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"from_offset is {offset}; the log begins at 0")
    texts = _texts(backend, offset) if request.include_json else None
    while True:
        data = await backend.read_committed(offset, WATCH_READ_BYTES)
        if isinstance(data, OffsetGone):
            # A snapshot says by itself which level holds in it and behind it.
            texts = texts and RecordTexts(SchemaSet.KAFKA)
            offset = await _emit_snapshot(await backend.open_snapshot(), texts, emit)
        elif data:
            batches = split_batches(data, verify_crc=False)
            await _emit_batches(batches, texts, emit)
            offset = batches[-1].next_offset
        else:
            await backend.wait_committed(offset)


def _texts(backend: Backend, offset: Offset) -> RecordTexts:
    """Begin as the log does; in its middle with the newest level, until a record says another."""
    return RecordTexts(SchemaSet.KAFKA if offset == 0 else backend.view().image.schema)


async def _emit_batches(batches: Sequence[Batch], texts: RecordTexts | None, emit: Emit) -> None:
    """Emit batches as one message, or as several when their JSON is large."""
    rows: list[pb.WatchedBatch] = []
    left = JSON_MESSAGE_BYTES_MAX
    for batch in batches:
        rows.append(_row(batch, batch.data))
        if texts is None:
            continue
        async for text in texts.of(batch):
            left -= len(text) + JSON_FRAME_BYTES
            if left < 0:
                rows[-1].json_continues = True
                await emit(pb.WatchResponse(batches=pb.WatchedBatches(batches=rows)))
                rows, left = [_row(batch, b"")], JSON_MESSAGE_BYTES_MAX - len(text)
            rows[-1].json.append(text)
    await emit(pb.WatchResponse(batches=pb.WatchedBatches(batches=rows)))


def _row(batch: Batch, records: bytes) -> pb.WatchedBatch:
    return pb.WatchedBatch(
        base_offset=batch.base_offset,
        last_offset=batch.last_offset,
        epoch=batch.epoch,
        control=batch.is_control,
        records=records,
    )


async def _emit_snapshot(snapshot: Snapshot, texts: RecordTexts | None, emit: Emit) -> Offset:
    end = snapshot.snapshot_id
    await emit(pb.WatchResponse(snapshot_begin=pb.SnapshotBegin(end_offset=end.offset, epoch=end.epoch)))
    async with aclosing(snapshot.chunks) as chunks:
        async for data in chunks:
            await _emit_chunk(data, texts, emit)
    await emit(pb.WatchResponse(snapshot_end=pb.SnapshotEnd(end_offset=end.offset)))
    return end.offset


async def _emit_chunk(data: bytes, texts: RecordTexts | None, emit: Emit) -> None:
    chunk = pb.SnapshotChunk(records=data)
    left = JSON_MESSAGE_BYTES_MAX
    if texts is not None:
        for batch in split_batches(data, verify_crc=False):
            async for text in texts.of(batch):
                left -= len(text) + JSON_FRAME_BYTES
                if left < 0:
                    await emit(pb.WatchResponse(snapshot_chunk=chunk))
                    chunk, left = pb.SnapshotChunk(), JSON_MESSAGE_BYTES_MAX - len(text)
                chunk.json.append(text)
    await emit(pb.WatchResponse(snapshot_chunk=chunk))


async def stream_image(backend: Backend, emit: Emit) -> None:
    """Emit the newest published state as snapshot records."""
    snapshot = await backend.open_image()
    end = snapshot.snapshot_id
    await emit(pb.GetImageResponse(begin=pb.SnapshotBegin(end_offset=end.offset, epoch=end.epoch)))
    async with aclosing(snapshot.chunks) as chunks:
        async for data in chunks:
            await emit(pb.GetImageResponse(chunk=pb.SnapshotChunk(records=data)))
    await emit(pb.GetImageResponse(end=pb.SnapshotEnd(end_offset=end.offset)))
