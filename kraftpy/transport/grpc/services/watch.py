"""Watching: the committed log as a stream, every offset exactly once and in order.

Nothing is queued for a watcher. Each round reads what is committed from the watcher's own offset on, a bounded number
of bytes, and writes it; a write waits until the client takes it (HTTP/2 flow control). So a slow watcher costs one
read's bytes, falls behind on its own, and is caught up from the log, or from a snapshot once the log is cut.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any, Final

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import SchemaSet
from kraftpy.model.offsets import Offset
from kraftpy.pb.v1 import cluster_pb2 as pb
from kraftpy.records.batch import Batch, split_batches
from kraftpy.records.codec import read_uvarint
from kraftpy.records.json_text import record_to_json
from kraftpy.records.metadata import decode_record
from kraftpy.transport.grpc.backend import Backend, OffsetGone, Snapshot

WATCH_READ_BYTES: Final = 1024 * 1024
"""How much of the log one message carries, or one batch if that is larger."""

JSON_RECORDS_MAX: Final = 200
"""How many records are shown as JSON before others on the loop get their turn: about 5 ms."""

Emit = Callable[[Any], Awaitable[None]]


async def follow_log(backend: Backend, request: pb.WatchRequest, emit: Emit) -> None:
    """Emit the log from an offset on, for ever.

    Raises:
        ApiError: INVALID_REQUEST for a negative offset, OFFSET_OUT_OF_RANGE for one beyond the high watermark.
    """
    offset = request.from_offset
    if offset < 0:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"from_offset is {offset}; the log begins at 0")
    while True:
        data = await backend.read_committed(offset, WATCH_READ_BYTES)
        if isinstance(data, OffsetGone):
            offset = await _emit_snapshot(backend, await backend.open_snapshot(), request, emit)
        elif data:
            batches = split_batches(data, verify_crc=False)
            schema = backend.view().image.schema if request.include_json else None
            rows = [await _batch(batch, schema) for batch in batches]
            await emit(pb.WatchResponse(batches=pb.WatchedBatches(batches=rows)))
            offset = batches[-1].next_offset
        else:
            await backend.wait_committed(offset)


async def _emit_snapshot(backend: Backend, snapshot: Snapshot, request: pb.WatchRequest, emit: Emit) -> Offset:
    end = snapshot.snapshot_id
    await emit(pb.WatchResponse(snapshot_begin=pb.SnapshotBegin(end_offset=end.offset, epoch=end.epoch)))
    async with aclosing(snapshot.chunks) as chunks:
        async for data in chunks:
            chunk = pb.SnapshotChunk(records=data)
            if request.include_json:
                schema = backend.view().image.schema
                chunk.json.extend(await json_of(split_batches(data, verify_crc=False), schema))
            await emit(pb.WatchResponse(snapshot_chunk=chunk))
    await emit(pb.WatchResponse(snapshot_end=pb.SnapshotEnd(end_offset=end.offset)))
    return end.offset


async def stream_image(backend: Backend, emit: Emit) -> None:
    """Emit the newest published state as snapshot records."""
    snapshot = await backend.open_image()
    end = snapshot.snapshot_id
    await emit(pb.GetImageResponse(begin=pb.SnapshotBegin(end_offset=end.offset, epoch=end.epoch)))
    async with aclosing(snapshot.chunks) as chunks:
        async for data in chunks:
            await emit(pb.GetImageResponse(chunk=pb.SnapshotChunk(records=data)))
    await emit(pb.GetImageResponse(end=pb.SnapshotEnd(end_offset=end.offset)))


async def _batch(batch: Batch, schema: SchemaSet | None) -> pb.WatchedBatch:
    return pb.WatchedBatch(
        base_offset=batch.base_offset,
        last_offset=batch.last_offset,
        epoch=batch.epoch,
        control=batch.is_control,
        records=batch.data,
        json=await json_of([batch], schema) if schema is not None else (),
    )


async def json_of(batches: Iterable[Batch], schema: SchemaSet) -> list[str]:
    """Show the records of batches as JSON, some at a time: a batch may hold so many that an election would begin."""
    shown: list[str] = []
    for batch in batches:
        for value in () if batch.is_control else batch.values():
            record = record_to_json(decode_record(value, schema), _version(value))
            shown.append(json.dumps(record, separators=(",", ":")))
            if len(shown) % JSON_RECORDS_MAX == 0:
                await asyncio.sleep(0)
    return shown


def _version(value: bytes) -> int:
    """Read the third number of a record's frame."""
    at = version = 0
    for _ in range(3):
        version, at = read_uvarint(value, at)
    return version
