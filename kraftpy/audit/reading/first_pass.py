"""The first pass over a file: every byte is read once, and what comes back is small.

A row per batch, the records that decide how others are read (marks), and counts of records by hour and type. Nothing is
decoded for it beyond a record's frame, and where numpy is installed no record becomes an object (``frames``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.entries import control_type_of, entries_of, frame_of
from kraftpy.audit.reading.frames import Frames, Group, Kept, has_vectors, scan_groups
from kraftpy.audit.reading.rows import LOG, MARK_KEYS, TOPIC_KEY, ControlEntry, Entry, FileSummary
from kraftpy.audit.reading.scan import ScannedRange, Summary, batch_row, block_rows, scan
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.times import hour_of, hours_of

DECIDING_KEYS: Final = MARK_KEYS - {TOPIC_KEY}

CODES_MAX: Final = 2**20
"""So many hours times api keys have a place each when they are counted; where there may be more, those that come are
sorted: a crooked log has an api key of 32767 and a batch for every hour, and all places would take gigabytes."""

TOLD_BYTES: Final = 64 * 1024 * 1024
"""How far reading comes, about, before it is told again how far that is."""


@dataclass(slots=True)
class FirstPass:
    """What the first pass over one cell gives.

    Attributes:
        batches: rows in the order of ``BATCH_COLUMNS``.
        deciding: the marks, by offset, except for what ``topics`` holds.
        topics: TopicRecords; there are many, and they decide something only where a topic was removed.
        counts: records and their bytes by (hour in ms, control, api key); see :meth:`count_rows`.
    """

    cell: InputSplit
    summary: Summary
    batches: list[tuple[Any, ...]] = field(default_factory=list)
    deciding: list[ControlEntry] = field(default_factory=list)
    topics: list[Kept] = field(default_factory=list)
    counts: Counter[tuple[int, bool, int]] = field(default_factory=Counter)
    value_bytes: Counter[tuple[int, bool, int]] = field(default_factory=Counter)

    @property
    def marks(self) -> list[ControlEntry]:
        """All marks, by offset."""
        topics = [entry for kept in self.topics for entry in kept.entries(self.cell)]
        return _by_offset([*self.deciding, *_marks(self.cell, topics)]) if topics else self.deciding

    def count_rows(self) -> list[tuple[Any, ...]]:
        """Return the rows of the record counts, in the order of ``COUNT_COLUMNS``."""
        file = self.cell.file
        return [
            (file.cluster, file.node, file.path, file.kind, *key, number, self.value_bytes[key])
            for key, number in sorted(self.counts.items())
        ]

    def count(self, key: tuple[int, bool, int], number: int, size: int) -> None:
        """Take records of one hour and type."""
        self.counts[key] += number
        self.value_bytes[key] += size


def first_pass(
    cell: InputSplit, *, by_vectors: bool | None = None, reached: Callable[[int], None] | None = None
) -> FirstPass:
    """Read a cell once; see the module's text.

    Args:
        cell: where to read.
        by_vectors: whether records are cut by numpy; by default where it is installed. The answer is the same.
        reached: is told now and then how far reading has come, as a byte of the file, and at the end the cell's stop.
    """
    result = FirstPass(cell, Summary(cell))
    told = cell.start
    by_vectors = has_vectors() if by_vectors is None else by_vectors
    for group in scan_groups(cell, result.summary) if by_vectors else _singly(cell, result.summary):
        if group.found is not None:
            _take_batch(result, group.found)
            if group.found.values:
                _take_values(result, group.found)
        if group.frames is not None:
            _take_frames(result, group.frames)
        if reached is not None and told + TOLD_BYTES <= result.summary.ended < cell.stop:
            told = result.summary.ended
            reached(told)
        del group  # so that its piece is free when the next one is read
    if reached is not None:
        reached(cell.stop)
    result.deciding = _by_offset(result.deciding)
    return result


def _by_offset(marks: Iterable[ControlEntry]) -> list[ControlEntry]:
    return sorted(marks, key=attrgetter("entry.offset"))


def _marks(cell: InputSplit, entries: Iterable[Entry]) -> list[ControlEntry]:
    return [ControlEntry(cell.file.cluster, cell.file.node, entry) for entry in entries]


def _singly(cell: InputSplit, summary: Summary) -> Iterator[Group]:
    return (Group(found, None) for found in scan(cell, summary))


def _take_batch(result: FirstPass, found: ScannedRange) -> None:
    """Take the row of a batch, and the records of a control batch."""
    cell = result.cell
    result.batches.append(batch_row(cell, found))
    if not found.parts or found.problem is not None:
        return
    result.deciding += _marks(cell, entries_of(cell, found))
    for key, value in found.parts:
        result.count((_hour(found), True, control_type_of(key)), 1, len(value))


def _hour(found: ScannedRange) -> int:
    assert found.batch is not None
    return hour_of(found.batch.base_timestamp_ms)


def _take_frames(result: FirstPass, frames: Frames) -> None:
    """Take data batches whose records were cut by vectors: counted by type and hour, marks as entries."""
    np = extra("numpy")
    result.batches += block_rows(result.cell, frames.block, frames.problems)
    if not len(frames):
        return
    hours, hour_numbers = np.unique(hours_of(frames.block.base_times), return_inverse=True)
    width = int(frames.api_keys.max()) + 2
    kinds = frames.api_keys + 1
    codes = kinds if len(hours) == 1 else kinds + frames.spread(width * hour_numbers)
    present = set()
    for code, number, size in _counted(codes, frames.sizes, width * len(hours)):
        api_key = code % width - 1
        result.count((int(hours[code // width]), False, api_key), number, size)
        present.add(api_key)
    if TOPIC_KEY in present:
        result.topics.append(frames.kept(np.flatnonzero(frames.api_keys == TOPIC_KEY)))
    if deciding := present & DECIDING_KEYS:
        chosen = np.flatnonzero(np.isin(frames.api_keys, list(deciding)))
        result.deciding += _marks(result.cell, frames.entries(result.cell, chosen))


def _counted(codes: Any, sizes: Any, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield each different code, all of them below ``end``, how often it comes, and the sum of sizes there."""
    np = extra("numpy")
    usual = codes[len(codes) // 2]
    others = np.flatnonzero(codes != usual)
    if len(others) <= len(codes) // 2:
        # Most records are alike, and adding up without telling apart is cheap.
        other_sizes = sizes[others]
        yield int(usual), len(codes) - len(others), int(sizes.sum() - other_sizes.sum())
        codes, sizes = codes[others], other_sizes
    if end > CODES_MAX:
        present, codes = np.unique(codes, return_inverse=True)
        numbers, totals = np.bincount(codes), np.bincount(codes, weights=sizes)
    else:
        numbers = np.bincount(codes)
        present = np.flatnonzero(numbers)
        numbers, totals = numbers[present], np.bincount(codes, weights=sizes)[present]
    yield from zip(present.tolist(), numbers.tolist(), map(int, totals.tolist()), strict=True)


def _take_values(result: FirstPass, found: ScannedRange) -> None:
    """Take the records of one data batch in a loop."""
    hour = _hour(found)
    has_marks = False
    numbers: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    for value in found.values:
        api_key, _ = frame_of(value)
        numbers[api_key] += 1
        sizes[api_key] += len(value)
    for api_key, number in numbers.items():
        has_marks = has_marks or api_key in MARK_KEYS
        result.count((hour, False, api_key), number, sizes[api_key])
    if has_marks:
        marked = (entry for entry in entries_of(result.cell, found) if entry.api_key in MARK_KEYS)
        result.deciding += _marks(result.cell, marked)


def spans_of(summaries: Iterable[Summary]) -> tuple[list[FileSummary], list[str]]:
    """Join the summaries of cells into one span per file.

    Returns:
        The spans, and the paths of files whose cells do not meet: those must be read in one piece.
    """
    by_file: dict[str, list[Summary]] = {}
    for summary in summaries:
        by_file.setdefault(summary.cell.file.path, []).append(summary)
    spans: list[FileSummary] = []
    torn: list[str] = []
    for path, parts in by_file.items():
        parts.sort(key=lambda summary: summary.cell.start)
        owners = [part for part in parts if part.began >= 0]
        if any(left.ended != right.began for left, right in pairwise(owners)):
            torn.append(path)
        spans.append(_span(parts[0].cell, owners))
    return spans, torn


def _span(cell: InputSplit, parts: list[Summary]) -> FileSummary:
    file = cell.file
    first = next((part.first_offset for part in parts if part.first_offset >= 0), -1)
    end, epoch, time_ms, problems, is_whole = first, -1, -1, 0, True
    stopped: list[tuple[str, bool]] = []
    epochs: list[tuple[int, int]] = []
    for part in parts:
        follows = part.first_offset < 0 or (part.first_offset == end and part.first_epoch >= epoch)
        problems += part.problems + (not follows)
        if is_whole and not follows:
            stopped.append((f"offset {part.first_offset} follows where {end} is due", False))
        if part.stopped:
            stopped.append((part.stopped, part.is_torn))
        epochs += part.epochs[1:] if epochs and part.epochs[:1] and part.epochs[0][0] == epochs[-1][0] else part.epochs
        is_whole = is_whole and follows
        if is_whole and part.end_offset >= 0:
            end, epoch = part.end_offset, part.end_epoch
            time_ms = max(time_ms, part.max_timestamp_ms)
        is_whole = is_whole and part.is_whole
    if file.kind == LOG and first >= 0 and first != file.base_offset:
        problems += 1
        stopped.insert(0, (f"it starts with offset {first}", False))
    return FileSummary(
        file.cluster, file.node, file.path, file.kind, first, end, epoch, time_ms, problems,
        reached=max((part.reached for part in parts), default=-1),
        epochs=tuple(epochs),
        stopped=stopped[0][0] if stopped else "",
        is_torn=problems == 1 and bool(stopped) and stopped[0][1],
        batch_bytes=sum(part.batch_bytes for part in parts),
        free_bytes=sum(part.free_bytes for part in parts),
        damaged_bytes=sum(part.damaged_bytes for part in parts),
    )  # fmt: skip
