"""The first pass over all files, joined: what both engines build their tables and the replay's outlines from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import entries
from kraftpy.audit.reading.rows import LOG, Entry
from kraftpy.audit.reading.splits import Cell


def file_rows(files: Iterable[KraftFile]) -> list[tuple[Any, ...]]:
    """Return the rows of the files table, in the order of ``FILE_COLUMNS``."""
    return [
        (
            file.cluster,
            file.node,
            file.path,
            file.kind,
            file.size,
            file.base_offset,
            file.end_offset,
            file.epoch,
            None,
            None,
        )
        for file in files
    ]


def files_of_replay(
    files: Sequence[KraftFile], base_file: str | None, start_offset: int, end_offset: int | None
) -> list[KraftFile]:
    """Return the files of one node that a replay reads, in the order in which it reads them.

    Args:
        files: all files of that node.
        base_file: the snapshot that the replay starts from.
        start_offset: the first log offset that counts.
        end_offset: the offset after the last one that counts; ``None`` for all.
    """
    chosen = [file for file in files if base_file is not None and file.path == base_file]
    segments = sorted((file for file in files if file.kind == LOG), key=lambda file: (file.base_offset or 0, file.path))
    bases = [file.base_offset or 0 for file in segments]
    first = max(0, bisect_right(bases, start_offset) - 1)
    return chosen + [
        segment
        for segment, base in zip(segments[first:], bases[first:], strict=True)
        if end_offset is None or base < end_offset
    ]


def replay_entries(files: Iterable[KraftFile], takes: Any) -> Iterator[Entry]:
    """Yield the records of one replay from files that are in its order, each read in one piece."""
    for file in files:
        yield from entries(Cell(file, 0, file.size), takes)
