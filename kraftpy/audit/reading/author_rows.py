"""Rows of the table ``authors``: who asked for the records that the log says so of (``records.authors``).

The bytes of the field's tag are searched for in the data of many records at once, because few records have it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.frames import Frames
from kraftpy.audit.reading.rows import LOG
from kraftpy.audit.reading.scan import ScannedRange
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.records.authors import Author, author_field, author_spans, read_author
from kraftpy.records.codec import AUTHOR_MARK

_MARK: Final = re.compile(re.escape(AUTHOR_MARK))


class AuthorRow(NamedTuple):
    """Records of one request, in the order of ``AUTHOR_COLUMNS``."""

    cluster: str
    node: str
    file: str
    kind: str
    log_offset: int
    record_count: int
    value_bytes: int
    timestamp_ms: int
    principal: str | None
    client_id: str | None
    request_id: str | None
    correlation_id: int | None
    problem: str | None

    @property
    def author(self) -> Author:
        """The author as a value."""
        return Author(
            self.principal or "", self.client_id or "", bytes.fromhex(self.request_id or ""), self.correlation_id,
            self.problem or "",
        )  # fmt: skip


def author_rows_of(split: InputSplit, found: ScannedRange) -> Iterator[AuthorRow]:
    """Yield the authors in one batch of the log."""
    batch, values = found.batch, found.values
    if batch is None or found.problem is not None or split.file.kind != LOG:
        return
    for span in author_spans(values, len(values)):
        size = sum(map(len, values[span.first : span.first + span.record_count]))
        yield _row(split, batch.base_offset + span.first, span.record_count, size, batch.base_timestamp_ms, span.author)


def author_rows(split: InputSplit, frames: Frames) -> Iterator[AuthorRow]:
    """Yield the authors in the batches of a run."""
    if split.file.kind != LOG:
        return
    marked = _marked(frames)
    if not marked:
        return
    np = extra("numpy")
    batch_ends = np.cumsum(frames.counts)
    batches = np.searchsorted(batch_ends, [index for index, _ in marked], side="right")
    ends, times = batch_ends[batches].tolist(), frames.run.base_times[batches].tolist()
    offsets, sizes = frames.offsets(), frames.sizes
    nexts = [index for index, _ in marked[1:]] + [len(frames)]
    for (index, field), end, upper, time_ms in zip(marked, ends, nexts, times, strict=True):
        stated, author = read_author(field)
        stop = min(index + stated, end, upper)
        yield _row(split, int(offsets[index]), stop - index, int(sizes[index:stop].sum()), time_ms, author)


def _marked(frames: Frames) -> Sequence[tuple[int, bytes]]:
    """Return the indexes of the records that have the field, ascending, and the fields."""
    places = [found.start() for found in _MARK.finditer(frames.data)]
    if not places or not len(frames):
        return ()
    np = extra("numpy")
    starts, sizes, data = frames.starts, frames.sizes, frames.data
    order = np.argsort(starts, kind="stable")
    at = np.searchsorted(starts[order], places, side="right") - 1
    marked: list[tuple[int, bytes]] = []
    # Some bytes of the data belong to no record: those of batches that break a rule.
    for index in np.unique(order[at[at >= 0]]).tolist():
        start = int(starts[index])
        field = author_field(bytes(data[start : start + int(sizes[index])]))
        if field is not None:
            marked.append((index, field))
    return marked


def _row(split: InputSplit, offset: int, count: int, size: int, timestamp_ms: int, author: Author) -> AuthorRow:
    file = split.file
    return AuthorRow(
        file.cluster, file.node, file.path, file.kind, offset, count, size, timestamp_ms, author.principal or None,
        author.client_id or None, author.request_id.hex() or None, author.correlation_id, author.fault or None,
    )  # fmt: skip


class Authors:
    """Finds the author of a record by its file and offset.

    Args:
        rows: of one node.
    """

    def __init__(self, rows: Iterable[AuthorRow]) -> None:
        self._rows: dict[str, list[AuthorRow]] = {}
        for row in sorted(rows, key=attrgetter("file", "log_offset")):
            self._rows.setdefault(row.file, []).append(row)
        self._starts = {file: [row.log_offset for row in found] for file, found in self._rows.items()}

    def of(self, file: str, offset: int) -> Author | None:
        """Return who asked for a record of the log; ``None`` if it names none."""
        place = bisect_right(self._starts.get(file, ()), offset) - 1
        if place < 0:
            return None
        row = self._rows[file][place]
        return row.author if offset < row.log_offset + row.record_count else None
