"""The first pass over all files, joined: what both engines build their tables and the replay's outlines from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import entries
from kraftpy.audit.reading.first_pass import FirstPass, first_pass, spans_of
from kraftpy.audit.reading.rows import LOG, REMOVE_TOPIC_KEY, SNAPSHOT, ControlEntry, Entry, FileSummary
from kraftpy.audit.reading.splits import InputSplit


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


def account_rows(files: Iterable[KraftFile], spans: Iterable[FileSummary]) -> list[tuple[Any, ...]]:
    """Return what every byte of each file was taken for, in the order of ``ACCOUNT_COLUMNS``."""
    sizes = {file.path: file.size for file in files}
    return [
        (
            span.cluster, span.node, span.file, span.kind, sizes[span.file], span.batch_bytes, span.free_bytes,
            span.damaged_bytes,
        )
        for span in spans
    ]  # fmt: skip


def files_of_replay(files: Iterable[KraftFile], node: tuple[str, str]) -> list[KraftFile]:
    """Return the files of one node (cluster, node) as its replay reads them: snapshots, then segments by offset."""
    chosen = [file for file in files if (file.cluster, file.node) == node and file.kind in {LOG, SNAPSHOT}]
    return sorted(chosen, key=lambda file: (file.kind == LOG, file.base_offset or 0, file.path))


def replay_entries(files: Iterable[KraftFile], takes: Callable[[str, str, int], bool]) -> Iterator[Entry]:
    """Yield the records of one replay from files that are in its order, each read in one piece."""
    for file in files:
        yield from entries(InputSplit(file, 0, file.size), takes)


def first_passes(files: Sequence[KraftFile], progress: Callable[[str, int, int], None] | None) -> list[FirstPass]:
    """Make the first pass over files, one after another, each in one piece: cells would read their edges twice."""
    passes: list[FirstPass] = []
    total = sum(file.size for file in files)
    done = 0
    for file in files:
        reached = None if progress is None else _told(progress, done, total)
        passes.append(first_pass(InputSplit(file, 0, file.size), reached=reached))
        done += file.size
    return passes


def _told(progress: Callable[[str, int, int], None], done: int, total: int) -> Callable[[int], None]:
    return lambda position: progress("reading", done + position, total)


def joined(passes: Iterable[FirstPass]) -> tuple[list[FileSummary], list[ControlEntry]]:
    """Return the spans of first passes, and the marks that decide something.

    A node's TopicRecords say by which name a topic went; where none did, they are not asked.
    """
    kept = list(passes)
    removing = {
        (mark.cluster, mark.node)
        for each in kept
        for mark in each.deciding
        if mark.entry.api_key == REMOVE_TOPIC_KEY and not mark.entry.control
    }
    marks = [
        mark
        for each in kept
        for mark in (each.marks if (each.cell.file.cluster, each.cell.file.node) in removing else each.deciding)
    ]
    return spans_of(each.summary for each in kept)[0], marks
