"""Rows of the batches table: of one batch, or of a batch run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from kraftpy.audit.reading.batch_runs import BatchRun
from kraftpy.audit.reading.frames import Frames
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.records.batch import batch_crc


def bytes_hash(data: bytes | memoryview, checksum: int | None = None) -> str:
    """Return 16 hex digits that distinguish a batch of one node from that of another.

    Two checksums of different polynomials, one over all bytes and the batch's own: 64 bits against accidents, at a
    twentieth of the cost of a digest. They do not protect against deliberate collisions.

    Args:
        data: the batch.
        checksum: the result of :func:`batch_crc`, if it was computed already.
    """
    return f"{crc32(data):08x}{batch_crc(data) if checksum is None else checksum:08x}"


def batch_rows(split: InputSplit, found: ScannedRange | Frames) -> list[tuple[Any, ...]]:
    """Return the rows, in the order of ``BATCH_COLUMNS``, of what the reader gives."""
    if isinstance(found, ScannedRange):
        return [_batch_row(split, found)]
    return _run_rows(split, found.run, found.problems)


def _run_rows(split: InputSplit, run: BatchRun, problems: Mapping[int, ScannedRange]) -> list[tuple[Any, ...]]:
    """Return the rows of a batch run; the batches in ``problems``, by index, break a rule."""
    file = split.file
    place = (file.cluster, file.node, file.path, file.kind)
    columns = (
        run.positions, run.sizes, run.base_offsets, run.next_offsets - 1, run.epochs, run.counts,
        run.base_times, run.max_times, run.checksums,
    )  # fmt: skip
    rows: list[tuple[Any, ...]] = [
        (*place, at, size, base, last, epoch, count, False, base_ms, max_ms, True, bytes_hash(data, crc), None, None)
        for data, at, size, base, last, epoch, count, base_ms, max_ms, crc in zip(
            run.views(), *(column.tolist() for column in columns), strict=True
        )
    ]
    for index, found in problems.items():
        rows[index] = _batch_row(split, found)
    return rows


def _batch_row(split: InputSplit, found: ScannedRange) -> tuple[Any, ...]:
    """Return the row of one batch, or of a range that is none."""
    file, batch = split.file, found.batch
    place = (file.cluster, file.node, file.path, file.kind, found.position, found.size)
    problem = None if found.problem is None else str(found.problem)
    if batch is None:
        return (*place, *(None,) * 9, problem, found.detail)
    return (
        *place,
        batch.base_offset,
        batch.last_offset,
        batch.epoch,
        batch.record_count,
        batch.is_control,
        batch.base_timestamp_ms,
        batch.max_timestamp_ms,
        found.crc_ok,
        bytes_hash(batch.data, batch.crc if found.crc_ok else None),
        problem,
        found.detail,
    )
