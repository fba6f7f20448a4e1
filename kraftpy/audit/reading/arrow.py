"""Records as Arrow columns: the rows of ``RECORD_COLUMNS``, batch by batch, damage included.

A batch with a problem is one row of type ``CORRUPT``; so is a record that cannot be decoded. What to do with those is
the reader's choice (:class:`Mode`), in Spark's words.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from typing import Any, Final

from kraftpy.audit.extra import extra
from kraftpy.audit.reading.columns import RECORD_COLUMNS, arrow_schema
from kraftpy.audit.reading.entries import entries_of
from kraftpy.audit.reading.fields import decode, fields_json
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import Found, scan
from kraftpy.audit.reading.splits import Cell
from kraftpy.model.errors import CorruptError, MalformedError
from kraftpy.records.control import control_type_name, decode_control
from kraftpy.records.metadata import type_name

CORRUPT: Final = "CORRUPT"


class Mode(enum.StrEnum):
    """What becomes of bytes that cannot be read. The names are Spark's."""

    PERMISSIVE = "PERMISSIVE"
    """A row of type CORRUPT with the problem in words."""
    DROPMALFORMED = "DROPMALFORMED"
    """Nothing."""
    FAILFAST = "FAILFAST"
    """A :class:`CorruptError` that names file, place and problem."""


def record_batches(
    cell: Cell,
    rows_per_batch: int,
    mode: Mode = Mode.PERMISSIVE,
    wanted: Callable[[tuple[Any, ...]], bool] | None = None,
    takes_batch: Callable[[Found], bool] | None = None,
) -> Iterator[Any]:
    """Yield a cell's records as ``pyarrow.RecordBatch`` of about so many rows.

    Args:
        cell: where to read.
        rows_per_batch: a batch of columns is handed over when it has at least this many rows.
        mode: what becomes of bytes that cannot be read.
        wanted: says of a row whether it is wanted.
        takes_batch: says of a whole batch whether any of its records can be wanted; others are not decoded.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    schema = arrow_schema(RECORD_COLUMNS)
    rows: list[tuple[Any, ...]] = []
    for found in scan(cell):
        if found.problem is None and takes_batch is not None and not takes_batch(found):
            continue
        rows += filter(wanted, record_rows(cell, found, mode)) if wanted is not None else record_rows(cell, found, mode)
        if len(rows) >= rows_per_batch:
            yield _columns(schema, rows)
            rows = []
    if rows:
        yield _columns(schema, rows)


def _columns(schema: Any, rows: list[tuple[Any, ...]]) -> Any:
    pa = extra("pyarrow")
    return pa.RecordBatch.from_arrays(
        [pa.array(column, type=field.type) for column, field in zip(zip(*rows, strict=True), schema, strict=True)],
        schema=schema,
    )


def record_rows(cell: Cell, found: Found, mode: Mode = Mode.PERMISSIVE) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one batch.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    file, batch = cell.file, found.batch
    place = (file.cluster, file.node, file.path, file.kind)
    if found.problem is not None or batch is None:
        problem = f"{found.problem}: {found.detail}"
        if _keeps(mode, file.path, found.position, problem):
            offset, epoch = (-1, -1) if batch is None else (batch.base_offset, batch.epoch)
            time_ms = -1 if batch is None else batch.base_timestamp_ms
            at = (offset, offset, epoch, time_ms, found.position, found.size)
            yield (*place, *at, False, None, CORRUPT, None, None, None, problem)
        return
    before = (*place, batch.base_offset)
    for entry in entries_of(cell, found):
        at = (entry.offset, batch.epoch, batch.base_timestamp_ms, found.position, found.size, entry.control)
        try:
            shown = _shown(entry, found)
        except MalformedError as error:
            if _keeps(mode, file.path, found.position, f"record at offset {entry.offset}: {error}"):
                yield (*before, *at, None, CORRUPT, None, None, entry.raw, str(error))
        else:
            yield (*before, *at, *shown, entry.raw, None)


def _shown(entry: Entry, found: Found) -> tuple[int, str, int, str]:
    """Return api key, type, version and fields of a readable record."""
    if entry.control:
        key, value = found.parts[entry.offset - found.batch.base_offset]  # type: ignore[union-attr]
        control = decode_control(key, value)
        return entry.api_key, control_type_name(control), 0, fields_json(control, 0)
    record = decode(entry.raw)
    return entry.api_key, type_name(record), entry.version, fields_json(record, entry.version)


def _keeps(mode: Mode, path: str, position: int, problem: str) -> bool:
    if mode is Mode.FAILFAST:
        raise CorruptError(
            f"{path}, byte {position}: {problem}; mode PERMISSIVE shows it as a row, DROPMALFORMED leaves it out"
        )
    return mode is Mode.PERMISSIVE
