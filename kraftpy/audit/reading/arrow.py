"""Records as Arrow columns: the rows of ``RECORD_COLUMNS``, batch by batch, including corrupt ones.

A batch with a problem is one row of type ``CORRUPT``, and so is a record that cannot be decoded. The caller chooses
what becomes of those rows (:class:`Mode`), in Spark's terms.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.binaries import binaries
from kraftpy.audit.reading.columns import CORRUPT, RECORD_COLUMNS, arrow_schema
from kraftpy.audit.reading.entries import decode, entries_of
from kraftpy.audit.reading.frames import Frames
from kraftpy.audit.reading.json_columns import show
from kraftpy.audit.reading.reader import read
from kraftpy.audit.reading.rows import Entry
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.model.errors import CorruptError, MalformedError
from kraftpy.records.batch import BatchHeader
from kraftpy.records.control import control_type_name, decode_control
from kraftpy.records.json_text import data_to_text
from kraftpy.records.metadata import type_name


class Mode(enum.StrEnum):
    """What becomes of bytes that cannot be read. The names are Spark's."""

    PERMISSIVE = "PERMISSIVE"
    """A row of type CORRUPT with the problem in words."""
    DROPMALFORMED = "DROPMALFORMED"
    """They are left out."""
    FAILFAST = "FAILFAST"
    """A :class:`CorruptError` with file, position and problem."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which records are wanted; rows with a problem always are.

    Attributes:
        wants: whether the records of a batch with this header are wanted; ``None`` if all are.
        skips: api keys of metadata records that are not wanted.
    """

    wants: Callable[[BatchHeader], bool] | None = None
    skips: frozenset[int] = frozenset()

    def batch(self, found: ScannedRange) -> bool:
        """Return whether anything of a batch is wanted."""
        return found.problem is not None or found.batch is None or self.wants is None or self.wants(found.batch)

    def frames(self, frames: Frames) -> Frames:
        """Return the wanted records of a run."""
        np = extra("numpy")
        wanted = None
        if self.wants is not None:
            wanted = frames.spread(np.array([self.wants(each) for each in frames.run.headers()], bool))
        if self.skips:
            known = ~np.isin(frames.api_keys, sorted(self.skips))
            wanted = known if wanted is None else wanted & known
        return frames if wanted is None or wanted.all() else frames.only(wanted)


ALL: Final = Choice()


def record_batches(
    split: InputSplit, rows_per_batch: int, mode: Mode = Mode.PERMISSIVE, choice: Choice = ALL
) -> Iterator[Any]:
    """Yield a split's records as ``pyarrow.RecordBatch`` of about ``rows_per_batch`` rows, including corrupt ones.

    Args:
        split: where to read.
        rows_per_batch: how many rows.
        mode: what becomes of bytes that cannot be read.
        choice: which records are wanted; the others are not decoded.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    schema = arrow_schema(RECORD_COLUMNS)
    repeated = _Repeated(split)
    for found in read(split):
        if isinstance(found, Frames):
            yield from _frame_batches(split, choice.frames(found), rows_per_batch, mode, repeated, schema)
        elif choice.batch(found):
            yield from _batch_of(schema, record_rows(split, found, mode, choice.skips))


def _frame_batches(
    split: InputSplit, frames: Frames, rows_per_batch: int, mode: Mode, repeated: _Repeated, schema: Any
) -> Iterator[Any]:
    """Yield the records of a batch run; its batches that break a rule come between the records of the others."""
    table = _Table(split, frames, repeated, schema) if len(frames) else None
    ends = extra("numpy").cumsum(frames.counts)
    begin = 0
    for index, found in [*sorted(frames.problems.items()), (len(ends) - 1, None)]:
        end = int(ends[index])
        if table is not None:
            for at in range(begin, end, rows_per_batch):
                yield from table.rows(at, min(at + rows_per_batch, end), mode)
        if found is not None:
            yield from _batch_of(schema, record_rows(split, found, mode))
        begin = end


def _batch_of(schema: Any, rows: Iterator[tuple[Any, ...]]) -> Iterator[Any]:
    kept = list(rows)
    if kept:
        yield _columns(schema, kept)


class _Repeated:
    """Columns that have one value for all records of a split, made once and cut to length."""

    def __init__(self, split: InputSplit) -> None:
        file = split.file
        self._values = (file.cluster, file.node, file.path, file.kind)
        self._length = -1
        self._columns: list[Any] = []

    def columns(self, length: int) -> list[Any]:
        """Return the columns of cluster, node, file, kind, ``control`` and ``problem``."""
        pa = extra("pyarrow")
        if length > self._length:
            self._length = length
            self._columns = [pa.repeat(value, length) for value in (*self._values, pa.scalar(value=False))]
            self._columns.append(pa.nulls(length, pa.string()))
        return [column.slice(0, length) for column in self._columns]


class _Table:
    """The records of a run as rows of ``RECORD_COLUMNS``."""

    def __init__(self, split: InputSplit, frames: Frames, repeated: _Repeated, schema: Any) -> None:
        np, pa = extra("numpy"), extra("pyarrow")
        self._split = split
        self._frames = frames
        shown = show(frames)
        self._problems = shown.problems
        *place, control, problem = repeated.columns(len(frames))
        missing = None
        if shown.problems:
            missing = np.zeros(len(frames), bool)
            missing[list(shown.problems)] = True
            problem = pa.array([shown.problems.get(index) for index in range(len(frames))], pa.string())
        run = frames.run
        batch_columns = (run.base_times, run.positions, run.sizes)
        given = (
            *place, frames.spread(run.base_offsets), frames.offsets(), frames.spread(run.epochs),
            *map(frames.spread, batch_columns), control, pa.array(frames.api_keys, mask=missing), shown.types,
            pa.array(frames.versions, mask=missing), shown.fields,
            binaries(frames.data, frames.starts, frames.starts + frames.sizes), problem,
        )  # fmt: skip
        arrays = [
            column if isinstance(column, pa.Array) else pa.array(column, field.type)
            for column, field in zip(given, schema, strict=True)
        ]
        self._table = pa.RecordBatch.from_arrays(arrays, schema=schema)

    def rows(self, begin: int, end: int, mode: Mode) -> Iterator[Any]:
        """Yield some rows, if any are to be shown.

        Raises:
            CorruptError: in mode FAILFAST.
        """
        np, pa = extra("numpy"), extra("pyarrow")
        rows = self._table.slice(begin, end - begin)
        hidden = [index for index in self._problems if begin <= index < end and not self._is_shown(index, mode)]
        if hidden:
            wanted = np.ones(end - begin, bool)
            wanted[np.array(hidden) - begin] = False
            rows = rows.filter(pa.array(wanted))
        if rows.num_rows:
            yield rows

    def _is_shown(self, index: int, mode: Mode) -> bool:
        place = int(self._frames.spread(self._frames.run.positions)[index])
        offset = int(self._frames.offsets()[index])
        problem = f"record at offset {offset}: {self._problems[index]}"
        return mode is Mode.PERMISSIVE or check_mode(mode, self._split.file.path, place, problem)


def _columns(schema: Any, rows: list[tuple[Any, ...]]) -> Any:
    pa = extra("pyarrow")
    return pa.RecordBatch.from_arrays(
        [pa.array(column, type=field.type) for column, field in zip(zip(*rows, strict=True), schema, strict=True)],
        schema=schema,
    )


def record_rows(
    split: InputSplit, found: ScannedRange, mode: Mode = Mode.PERMISSIVE, skips: frozenset[int] = frozenset()
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one batch.

    Args:
        split: where it was read.
        found: the batch.
        mode: what becomes of bytes that cannot be read.
        skips: api keys of metadata records that are not wanted; they are not decoded.

    Raises:
        CorruptError: in mode FAILFAST.
    """
    file, batch = split.file, found.batch
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
    for entry in entries_of(split, found):
        if entry.api_key in skips and not entry.control:
            continue
        at = (entry.offset, batch.epoch, batch.base_timestamp_ms, found.position, found.size, entry.control)
        try:
            shown = _shown(entry, found)
        except MalformedError as error:
            if check_mode(mode, file.path, found.position, f"record at offset {entry.offset}: {error}"):
                yield (*before, *at, None, CORRUPT, None, None, entry.raw, str(error))
        else:
            yield (*before, *at, *shown, entry.raw, None)


def _shown(entry: Entry, found: ScannedRange) -> tuple[int, str, int, str]:
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
    return entry.api_key, name, version, data_to_text(record, version)


def check_mode(mode: Mode, path: str, position: int, problem: str | None) -> bool:
    """Return whether a row is to be shown, by its problem; one without a problem always is.

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
