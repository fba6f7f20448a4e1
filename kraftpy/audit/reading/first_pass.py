"""The first pass: every byte is read once, and the result is small.

It returns a row per batch, the control entries, who asked for which records, and counts of records by hour and type.
Only the few records that name an author are decoded; of the others the frame is enough, and where numpy is installed
none of them becomes an object (``frames``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.author_rows import AuthorRow, author_rows, author_rows_of
from kraftpy.audit.reading.batch_rows import batch_rows
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import entries_of
from kraftpy.audit.reading.frames import Frames, Kept
from kraftpy.audit.reading.reader import read
from kraftpy.audit.reading.rows import CONTROL_KEYS, REMOVE_TOPIC_KEY, TOPIC_KEY, ControlEntry, Entry, FileSummary
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.reading.summaries import Summary, file_summaries
from kraftpy.audit.times import hour_of, hours_of

DECIDING_KEYS: Final = CONTROL_KEYS - {TOPIC_KEY}

CODES_MAX: Final = 2**20
"""Up to this many combinations of hour and api key are counted in an array with an element for each. With more, those
that occur are sorted: a malformed log may have an api key of 32767 and a batch for every hour, and the array would take
gigabytes."""

PROGRESS_BYTES: Final = 64 * 1024 * 1024
"""About how many bytes are read between two calls of ``reached``."""


@dataclass(slots=True)
class FirstPass:
    """The result of the first pass over one split.

    Attributes:
        batches: rows in the order of ``BATCH_COLUMNS``.
        deciding: the control entries, by offset, except those in ``topics``.
        topics: TopicRecords; there are many, and they matter only where a topic was removed.
        authors: rows in the order of ``AUTHOR_COLUMNS``, by offset.
        counts: records by (hour in ms, control, api key), and their bytes; see :meth:`count_rows`.
    """

    split: InputSplit
    summary: Summary
    batches: list[tuple[Any, ...]] = field(default_factory=list)
    deciding: list[ControlEntry] = field(default_factory=list)
    topics: list[Kept] = field(default_factory=list)
    authors: list[AuthorRow] = field(default_factory=list)
    counts: Counter[tuple[int, bool, int]] = field(default_factory=Counter)
    value_bytes: Counter[tuple[int, bool, int]] = field(default_factory=Counter)

    @property
    def control_entries(self) -> list[ControlEntry]:
        """All control entries, by offset."""
        topics = [entry for kept in self.topics for entry in kept.entries(self.split)]
        return _by_offset([*self.deciding, *_control_entries(self.split, topics)]) if topics else self.deciding

    def count_rows(self) -> list[tuple[Any, ...]]:
        """Return the rows of the record counts, in the order of ``COUNT_COLUMNS``."""
        file = self.split.file
        return [
            (file.cluster, file.node, file.path, file.kind, *key, number, self.value_bytes[key])
            for key, number in sorted(self.counts.items())
        ]

    def count(self, key: tuple[int, bool, int], number: int, size: int) -> None:
        """Add records of one hour and type."""
        self.counts[key] += number
        self.value_bytes[key] += size


def first_pass(split: InputSplit, *, reached: Callable[[int], None] | None = None) -> FirstPass:
    """Read a split once.

    Args:
        split: where to read.
        reached: called from time to time with the byte of the file that was reached, and at the end with the split's
            stop.
    """
    result = FirstPass(split, Summary(split))
    reported = split.start
    for found in read(split, result.summary):
        result.batches += batch_rows(split, found)
        if isinstance(found, Frames):
            _take_frames(result, found)
            result.authors += author_rows(split, found)
        else:
            _take_batch(result, found)
            result.authors += author_rows_of(split, found)
        if reached is not None and reported + PROGRESS_BYTES <= result.summary.ended < split.stop:
            reported = result.summary.ended
            reached(reported)
        del found  # so that its piece is free when the next one is read
    if reached is not None:
        reached(split.stop)
    result.deciding = _by_offset(result.deciding)
    return result


def _by_offset(control_entries: Iterable[ControlEntry]) -> list[ControlEntry]:
    return sorted(control_entries, key=attrgetter("entry.offset"))


def _control_entries(split: InputSplit, entries: Iterable[Entry]) -> list[ControlEntry]:
    return [ControlEntry(split.file.cluster, split.file.node, entry) for entry in entries]


def _take_batch(result: FirstPass, found: ScannedRange) -> None:
    """Add the records of a batch, one by one."""
    split = result.split
    for entry in entries_of(split, found):
        result.count((hour_of(entry.timestamp_ms), entry.control, entry.api_key), 1, len(entry.raw))
        if entry.control or entry.api_key in CONTROL_KEYS:
            result.deciding += _control_entries(split, [entry])


def _take_frames(result: FirstPass, frames: Frames) -> None:
    """Add data batches: counts by type and hour, and control entries."""
    np = extra("numpy")
    if not len(frames):
        return
    hours, hour_numbers = np.unique(hours_of(frames.run.base_times), return_inverse=True)
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
        result.deciding += _control_entries(result.split, frames.entries(result.split, chosen))


def _counted(codes: Any, sizes: Any, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield each distinct code (all are below ``end``), how often it occurs, and the sum of its sizes."""
    np = extra("numpy")
    usual = codes[len(codes) // 2]
    others = np.flatnonzero(codes != usual)
    if len(others) <= len(codes) // 2:
        # Most records have the same code, and adding up without distinguishing them is cheap.
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


def first_passes(
    files: Sequence[KraftFile], progress: Callable[[str, int, int, int, int], None] | None
) -> list[FirstPass]:
    """Make the first pass over files, one after another, each in one piece: splits would read their edges twice."""
    passes: list[FirstPass] = []
    total = sum(file.size for file in files)
    done = 0
    for number, file in enumerate(files):
        reached = None if progress is None else _reported(progress, done, total, number, len(files))
        passes.append(first_pass(InputSplit(file, 0, file.size), reached=reached))
        done += file.size
    return passes


def _reported(
    progress: Callable[[str, int, int, int, int], None], done: int, total: int, files: int, of_files: int
) -> Callable[[int], None]:
    return lambda position: progress("reading", done + position, total, files, of_files)


def joined(passes: Iterable[FirstPass]) -> tuple[list[FileSummary], list[ControlEntry]]:
    """Return the summaries of all files, and the control entries that matter.

    A node's TopicRecords are needed to find the name of a removed topic; without a removal they are left out.
    """
    kept = list(passes)
    removing = {
        (item.cluster, item.node)
        for each in kept
        for item in each.deciding
        if item.entry.api_key == REMOVE_TOPIC_KEY and not item.entry.control
    }
    control_entries = [
        item
        for each in kept
        for item in (
            each.control_entries if (each.split.file.cluster, each.split.file.node) in removing else each.deciding
        )
    ]
    return file_summaries(each.summary for each in kept)[0], control_entries
