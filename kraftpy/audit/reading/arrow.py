"""Records as Arrow columns: the rows of ``RECORD_COLUMNS``, batch by batch, damage included.

A batch with a problem is one row of type ``CORRUPT``; so is a record that cannot be decoded. What to do with those is
the reader's choice (:class:`Mode`), in Spark's words.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
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


def record_batches(cell: Cell, rows_per_batch: int) -> Iterator[Any]:
    """Yield a cell's records as ``pyarrow.RecordBatch`` of about so many rows, damage included."""
    schema = arrow_schema(RECORD_COLUMNS)
    rows: list[tuple[Any, ...]] = []
    for found in scan(cell):
        rows += record_rows(cell, found)
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


def record_rows(
    cell: Cell,
    found: Found,
    mode: Mode = Mode.PERMISSIVE,
    *,
    skips: frozenset[int] = frozenset(),
    with_fields: bool = True,
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one batch.

    Args:
        cell: where it was read.
        found: the batch.
        mode: what becomes of bytes that cannot be read.
        skips: api keys of metadata records that are not wanted; they are not decoded.
        with_fields: whether ``fields`` is filled.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    file, batch = cell.file, found.batch
    place = (file.cluster, file.node, file.path, file.kind)
    if found.problem is not None or batch is None:
        problem = f"{found.problem}: {found.detail}"
        if check_mode(mode, file.path, found.position, problem):
            offset, epoch = (-1, -1) if batch is None else (batch.base_offset, batch.epoch)
            time_ms = -1 if batch is None else batch.base_timestamp_ms
            at = (offset, offset, epoch, time_ms, found.position, found.size)
            yield (*place, *at, False, None, CORRUPT, None, None, None, problem)
        return
    before = (*place, batch.base_offset)
    for entry in entries_of(cell, found):
        if entry.api_key in skips and not entry.control:
            continue
        at = (entry.offset, batch.epoch, batch.base_timestamp_ms, found.position, found.size, entry.control)
        try:
            shown = _shown(entry, found, with_fields=with_fields)
        except MalformedError as error:
            if check_mode(mode, file.path, found.position, f"record at offset {entry.offset}: {error}"):
                yield (*before, *at, None, CORRUPT, None, None, entry.raw, str(error))
        else:
            yield (*before, *at, *shown, entry.raw, None)


def _shown(entry: Entry, found: Found, *, with_fields: bool) -> tuple[int, str, int, str | None]:
    """Return api key, type, version and fields of a readable record."""
    record: Any
    if entry.control:
        assert found.batch is not None
        key, value = found.parts[entry.offset - found.batch.base_offset]
        record = decode_control(key, value)
        name, version = control_type_name(record), 0
    else:
        record = decode(entry.raw)
        name, version = type_name(record), entry.version
    return entry.api_key, name, version, fields_json(record, version) if with_fields else None


def check_mode(mode: Mode, path: str, position: int, problem: str | None) -> bool:
    """Say whether a row with a problem is to be shown; one without always is.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    if problem is None:
        return True
    if mode is Mode.FAILFAST:
        raise CorruptError(
            f"{path}, byte {position}: {problem}; mode PERMISSIVE shows it as a row, DROPMALFORMED leaves it out"
        )
    return mode is Mode.PERMISSIVE
