"""The reader: what an input split holds, as columns where numpy is installed, else batch by batch.

All of the auditor reads through :func:`read`. Consecutive valid data batches come as the columns of their records
(:class:`~kraftpy.audit.reading.frames.Frames`). A control batch and a range with a problem come as a
:class:`~kraftpy.audit.reading.scan.ScannedRange`, and so does every batch where numpy is missing: ``history`` and
``compact`` run on a plain installation. Both forms give the same records, counts and problems, which tests compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from kraftpy.audit.optional_dependencies import MissingExtraError, extra
from kraftpy.audit.reading.batch_runs import BatchRun
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import entries_of
from kraftpy.audit.reading.frames import Frames, cut
from kraftpy.audit.reading.rows import LOG, SNAPSHOT, Entry
from kraftpy.audit.reading.scan import ScannedRange, scan
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.reading.summaries import Summary

ENTRIES_AT_ONCE: Final = 8_192
"""The number of records that are Python objects at a time."""

Found: TypeAlias = ScannedRange | Frames


def has_vectors() -> bool:
    """Return whether numpy is installed."""
    try:
        extra("numpy")
    except MissingExtraError:
        return False
    return True


def read(split: InputSplit, summary: Summary | None = None) -> Iterator[Found]:
    """Yield the batches of a split in order, cut into records, and the ranges that are no valid batch.

    Args:
        split: where to read.
        summary: receives each of them, and the free space at the end of a segment, which is not yielded: together they
            are every byte of the split.
    """
    summary = Summary(split) if summary is None else summary
    for step in scan(split, by_runs=has_vectors()):
        found: Found
        if isinstance(step, BatchRun):
            found = cut(step)
            summary.add_run(step, found.problems)
        else:
            found = step
            found.open()
            summary.add(found)
        is_free = isinstance(found, ScannedRange) and found.is_free
        if not is_free:
            yield found
        del step, found  # so that their memory is free when the next piece is read


def records_of(split: InputSplit, found: Found) -> Iterator[Entry]:
    """Yield the records of what :func:`read` gives, one by one; a batch with a problem has none."""
    if isinstance(found, ScannedRange):
        yield from entries_of(split, found)
        return
    np = extra("numpy")
    for begin in range(0, len(found), ENTRIES_AT_ONCE):
        yield from found.entries(split, np.arange(begin, min(begin + ENTRIES_AT_ONCE, len(found))))


def files_of_replay(files: Iterable[KraftFile], node: tuple[str, str]) -> list[KraftFile]:
    """Return the files of one node (cluster, node) in the order of replay: snapshots, then segments by offset."""
    chosen = [file for file in files if (file.cluster, file.node) == node and file.kind in {LOG, SNAPSHOT}]
    return sorted(chosen, key=lambda file: (file.kind == LOG, file.base_offset or 0, file.path))


def replay_entries(
    files: Iterable[KraftFile],
    takes: Callable[[str, str, int], bool],
    reached: Callable[[KraftFile, int], None] | None = None,
) -> Iterator[Entry]:
    """Yield the records of one replay, one by one.

    Args:
        files: in the order of replay.
        takes: whether a record is wanted, by file, kind and offset.
        reached: called with the position that a file has been read to, at last with its size.
    """
    for file in files:
        split = InputSplit(file, 0, file.size)
        for found in read(split):
            if reached is not None:
                reached(file, found.position if isinstance(found, ScannedRange) else int(found.run.positions[0]))
            for entry in records_of(split, found):
                if takes(entry.file, entry.kind, entry.offset):
                    yield entry
        if reached is not None:
            reached(file, file.size)
