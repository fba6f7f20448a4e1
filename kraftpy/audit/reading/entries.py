"""From batches to records, and the first pass over a file.

The first pass reads every byte once and gives back what is small: a row per batch, the records that decide how others
are read (marks), and counts of records by hour and type. Nothing is decoded for it beyond a record's frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from struct import Struct
from typing import Any, Final

from kraftpy.audit.reading.rows import LOG, MARK_KEYS, Entry, Mark, Span
from kraftpy.audit.reading.scan import Found, Summary, batch_row, scan
from kraftpy.audit.reading.splits import Cell
from kraftpy.records.codec import read_uvarint

UNREADABLE_KEY: Final = -1
"""The api key and version of a record whose frame cannot be read; replay says what is wrong with it."""

HOUR_MS: Final = 3_600_000
_CONTROL_KEY: Final = Struct(">hh")
_PREFIX_BYTES: Final = 3
_PREFIX_END: Final = bytes(2)
_LONG: Final = 128
"""A first byte of this or more says that a varint goes on."""


def frame_of(value: bytes) -> tuple[int, int]:
    """Return a record's api key and version from its frame; both are -1 where the frame breaks a rule."""
    try:
        if value[0] == 1 and value[1] < _LONG and value[2] < _LONG:
            return value[1], value[2]
        frame, at = read_uvarint(value, 0)
        api_key, at = read_uvarint(value, at)
        version, _ = read_uvarint(value, at)
    except (IndexError, ValueError):
        return UNREADABLE_KEY, UNREADABLE_KEY
    return (api_key, version) if frame == 1 and max(api_key, version) < 2**15 else (UNREADABLE_KEY, UNREADABLE_KEY)


def control_type_of(key: bytes) -> int:
    """Return a control record's type from its key, -1 where that is too short."""
    control_type: int = _CONTROL_KEY.unpack_from(key)[1] if len(key) >= _CONTROL_KEY.size else UNREADABLE_KEY
    return control_type


def entries_of(cell: Cell, found: Found) -> Iterator[Entry]:
    """Yield the records of a batch; a batch with a problem has none."""
    batch = found.batch
    if batch is None or found.problem is not None:
        return
    path, kind = cell.file.path, cell.file.kind
    epoch, time_ms = batch.epoch, batch.base_timestamp_ms
    for offset, (key, raw) in enumerate(found.parts, batch.base_offset):
        yield Entry(path, kind, offset, epoch, time_ms, control=True, api_key=control_type_of(key), version=0, raw=raw)
    for offset, raw in enumerate(found.values, batch.base_offset):
        api_key, version = frame_of(raw)
        yield Entry(path, kind, offset, epoch, time_ms, control=False, api_key=api_key, version=version, raw=raw)


def entries(cell: Cell, takes: Callable[[str, str, int], bool] | None = None) -> Iterator[Entry]:
    """Yield the readable records of a cell, in order.

    Args:
        cell: where to read.
        takes: says by file, kind and offset which ones are wanted; all by default.
    """
    for found in scan(cell):
        for entry in entries_of(cell, found):
            if takes is None or takes(entry.file, entry.kind, entry.offset):
                yield entry


@dataclass(slots=True)
class FirstPass:
    """What the first pass over one cell gives.

    Attributes:
        batches: rows in the order of ``BATCH_COLUMNS``.
        counts: records and their bytes by (hour in ms, control, api key); see :meth:`count_rows`.
    """

    cell: Cell
    summary: Summary
    batches: list[tuple[Any, ...]] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    counts: Counter[tuple[int, bool, int]] = field(default_factory=Counter)
    value_bytes: Counter[tuple[int, bool, int]] = field(default_factory=Counter)

    def count_rows(self) -> list[tuple[Any, ...]]:
        """Return the rows of the record counts, in the order of ``COUNT_COLUMNS``."""
        file = self.cell.file
        return [
            (file.cluster, file.node, file.path, file.kind, *key, number, self.value_bytes[key])
            for key, number in sorted(self.counts.items())
        ]


def first_pass(cell: Cell) -> FirstPass:
    """Read a cell once; see the module's text."""
    result = FirstPass(cell, Summary(cell))
    for found in scan(cell, result.summary):
        result.batches.append(batch_row(cell, found))
        if found.batch is None or found.problem is not None:
            continue
        hour = found.batch.base_timestamp_ms // HOUR_MS * HOUR_MS
        if found.parts:
            file = cell.file
            result.marks += [Mark(file.cluster, file.node, entry) for entry in entries_of(cell, found)]
            for key, value in found.parts:
                _count(result, (hour, True, control_type_of(key)), 1, len(value))
        else:
            _take_values(result, found, hour)
    return result


def _take_values(result: FirstPass, found: Found, hour: int) -> None:
    values, file = found.values, result.cell.file
    # Three bytes hold the frame version and any api key; few are different, so the rest is done per kind of record.
    prefixes = [value[:_PREFIX_BYTES] for value in values]
    numbers = Counter(prefixes)
    sizes = _sizes_by_prefix(prefixes, values) if len(numbers) > 1 else {prefixes[0]: sum(map(len, values))}
    has_marks = False
    for prefix, number in numbers.items():
        api_key, _ = frame_of(prefix + _PREFIX_END if len(prefix) == _PREFIX_BYTES else prefix)
        has_marks = has_marks or api_key in MARK_KEYS
        _count(result, (hour, False, api_key), number, sizes[prefix])
    if has_marks:
        result.marks += [
            Mark(file.cluster, file.node, entry)
            for entry in entries_of(result.cell, found)
            if entry.api_key in MARK_KEYS
        ]


def _sizes_by_prefix(prefixes: list[bytes], values: list[bytes]) -> dict[bytes, int]:
    sizes = dict.fromkeys(prefixes, 0)
    for prefix, value in zip(prefixes, values, strict=True):
        sizes[prefix] += len(value)
    return sizes


def _count(result: FirstPass, key: tuple[int, bool, int], number: int, size: int) -> None:
    result.counts[key] += number
    result.value_bytes[key] += size


def spans_of(summaries: Iterable[Summary]) -> tuple[list[Span], list[str]]:
    """Join the summaries of cells into one span per file.

    Returns:
        The spans, and the paths of files whose cells do not meet: those must be read in one piece.
    """
    by_file: dict[str, list[Summary]] = {}
    for summary in summaries:
        by_file.setdefault(summary.cell.file.path, []).append(summary)
    spans: list[Span] = []
    torn: list[str] = []
    for path, parts in by_file.items():
        parts.sort(key=lambda summary: summary.cell.start)
        owners = [part for part in parts if part.began >= 0]
        if any(left.ended != right.began for left, right in pairwise(owners)):
            torn.append(path)
        spans.append(_span(parts[0].cell, owners))
    return spans, torn


def _span(cell: Cell, parts: list[Summary]) -> Span:
    file = cell.file
    first = next((part.first_offset for part in parts if part.first_offset >= 0), -1)
    end, epoch, time_ms, problems, is_whole = first, -1, -1, 0, True
    for part in parts:
        follows = part.first_offset in {-1, end} and part.first_epoch >= epoch
        problems += part.problems + (not follows)
        is_whole = is_whole and follows
        if is_whole and part.end_offset >= 0:
            end, epoch = part.end_offset, part.end_epoch
            time_ms = max(time_ms, part.max_timestamp_ms)
        is_whole = is_whole and part.is_whole
    if file.kind == LOG and first >= 0 and first != file.base_offset:
        problems += 1
    return Span(file.cluster, file.node, file.path, file.kind, first, end, epoch, time_ms, problems)
