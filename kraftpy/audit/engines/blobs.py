"""Rows on their way through Spark: Arrow's IPC format, a stream of at most ``ROWS_PER_BLOB`` rows in each blob.

Spark moves a blob as one value and never looks into it, so its JVM does nothing for a row. A table keeps its columns
and their types, and texts that repeat are stored once in each blob. Only a table that Spark's own SQL reads is
unpacked into columns of Spark's (``unpack_task``).
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from kraftpy.audit.engines.row_batches import Rows
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import Columns, arrow_schema

ROWS_PER_BLOB: Final = 131_072


class Blob(NamedTuple):
    """Rows of one table, or one object of ours.

    Attributes:
        name: of the table, or of what the object is.
        group: the group of clusters that the rows are about.
        payload: the rows, or the object pickled.
    """

    name: str
    group: int
    payload: bytes


class Blobs:
    """Blobs of one group of clusters on their way to Spark."""

    def __init__(self, group: int) -> None:
        self._group = group
        self._blobs: list[Blob] = []

    def __iter__(self) -> Iterator[Blob]:
        return iter(self._blobs)

    def add_pickled(self, name: str, value: Any) -> None:
        """Add an object of ours that is no row of a table."""
        self._add(name, pickle.dumps(value))

    def add_rows(self, name: str, rows: Rows) -> None:
        """Add rows, and forget them there."""
        self._add_batches(name, rows.batches())

    def add_full(self, name: str, rows: Rows) -> None:
        """Add rows in full batches, and forget them there."""
        self._add_batches(name, rows.full())

    def add_table(self, name: str, table: Any) -> None:
        """Add the rows of a ``pyarrow.Table``."""
        for begin in range(0, table.num_rows, ROWS_PER_BLOB):
            piece = table.slice(begin, ROWS_PER_BLOB)
            self._add(name, packed(piece.schema, piece.to_batches()))

    def _add_batches(self, name: str, batches: Iterable[Any]) -> None:
        for batch in batches:
            self._add(name, packed(batch.schema, [batch]))

    def _add(self, name: str, payload: bytes) -> None:
        self._blobs.append(Blob(name, self._group, payload))


def packed(schema: Any, batches: Iterable[Any]) -> bytes:
    """Return batches as one stream."""
    sink = io.BytesIO()
    with extra("pyarrow.ipc").new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue()


def unpacked(payload: Any) -> Any:
    """Return the ``pyarrow.Table`` of a stream."""
    return extra("pyarrow.ipc").open_stream(payload).read_all()


def plain(table: Any, columns: Columns) -> Any:
    """Return a table with its texts as texts, and no dictionaries."""
    return table.cast(arrow_schema(columns))


def unpack_task(batches: Iterator[Any], columns: Columns) -> Iterator[Any]:
    """Run in a worker: the payloads of one table in, its rows as typed columns out."""
    for batch in batches:
        for payload in batch.column(0):
            yield from plain(unpacked(payload.as_buffer()), columns).to_batches()
