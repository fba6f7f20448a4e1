"""The tables about files, which both engines make in this process from the listing and the first pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from kraftpy.audit.reading.columns import (
    ACCOUNT_COLUMNS,
    AUTHOR_COLUMNS,
    BATCH_COLUMNS,
    CONTRADICTION_COLUMNS,
    COUNT_COLUMNS,
    FILE_COLUMNS,
    PROPERTY_COLUMNS,
    RECORD_COLUMNS,
    Columns,
)
from kraftpy.audit.reading.contradictions import contradiction_rows
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.properties import property_rows
from kraftpy.audit.reading.rows import FileSummary
from kraftpy.audit.reading.unread import UNREAD_COLUMNS, unread_of

Rows: TypeAlias = Sequence[Sequence[Any]]

READING_TABLES: Final[dict[str, Columns]] = {
    "files": FILE_COLUMNS, "batches": BATCH_COLUMNS, "record_counts": COUNT_COLUMNS, "properties": PROPERTY_COLUMNS,
    "records": RECORD_COLUMNS, "accounts": ACCOUNT_COLUMNS, "authors": AUTHOR_COLUMNS,
    "contradictions": CONTRADICTION_COLUMNS, "unread": UNREAD_COLUMNS,
}  # fmt: skip
"""Every table that is filled by reading, by its name."""


def file_tables(files: Sequence[KraftFile], summaries: Sequence[FileSummary]) -> dict[str, tuple[Columns, Rows]]:
    """Return the small ones of ``READING_TABLES`` by name: columns and rows.

    Args:
        files: all that were found.
        summaries: what the first pass found in each log and snapshot.
    """
    contradictions = contradiction_rows(files, summaries)
    rows: dict[str, Rows] = {
        "files": file_rows(files),
        "properties": property_rows(files),
        "accounts": _account_rows(files, summaries),
        "contradictions": contradictions,
        "unread": unread_of(summaries, contradictions),
    }
    return {name: (READING_TABLES[name], found) for name, found in rows.items()}


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


def _account_rows(files: Iterable[KraftFile], summaries: Iterable[FileSummary]) -> list[tuple[Any, ...]]:
    """Return how the bytes of each file are accounted for, in the order of ``ACCOUNT_COLUMNS``."""
    sizes = {file.path: file.size for file in files}
    return [
        (
            summary.cluster, summary.node, summary.file, summary.kind, sizes[summary.file], summary.batch_bytes,
            summary.free_bytes, summary.corrupt_bytes,
        )
        for summary in summaries
    ]  # fmt: skip
