"""Rows on their way through Spark: Arrow's IPC format, a stream of at most ``ROWS_PER_BLOB`` rows in each blob.

Spark moves a blob as one value and never looks into it, so its JVM does nothing for a row. A table keeps its columns
and their types, and texts that repeat are stored once in each blob. Only a table that Spark's own SQL reads is
unpacked into columns of Spark's (``unpack_task``).
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kraftpy.audit.engines.row_batches import Rows
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import Columns, arrow_schema

ROWS_PER_BLOB: Final = 131_072

BLOBS: Final = "name STRING, cluster_group INT, size BIGINT, payload BINARY"
"""The columns of blobs: the table, the group of clusters that the rows are about, the bytes, and the rows."""


class Blobs:
    """Blobs of one group of clusters on their way to Spark."""

    def __init__(self, group: int) -> None:
        self._group = group
        self._rows: list[tuple[str, int, int, bytes]] = []

    def add(self, name: str, payload: bytes) -> None:
        """Add one."""
        self._rows.append((name, self._group, len(payload), payload))

    def add_pickled(self, name: str, value: Any) -> None:
        """Add an object of ours that is no row of a table."""
        self.add(name, pickle.dumps(value))

    def add_rows(self, name: str, rows: Rows) -> None:
        """Add rows, and forget them there."""
        self._add_batches(name, rows.batches())

    def add_full(self, name: str, rows: Rows) -> None:
        """Add rows in full batches, and forget them there."""
        self._add_batches(name, rows.full())

    def _add_batches(self, name: str, batches: Iterable[Any]) -> None:
        for batch in batches:
            self.add(name, packed(batch.schema, [batch]))

    def add_table(self, name: str, table: Any) -> None:
        """Add the rows of a ``pyarrow.Table``."""
        for begin in range(0, table.num_rows, ROWS_PER_BLOB):
            piece = table.slice(begin, ROWS_PER_BLOB)
            self.add(name, packed(piece.schema, piece.to_batches()))

    def batch(self) -> Any:
        """Return them as one ``pyarrow.RecordBatch``."""
        pa = extra("pyarrow")
        names, groups, sizes, payloads = zip(*self._rows, strict=True) if self._rows else ((), (), (), ())
        return pa.RecordBatch.from_arrays(
            [pa.array(names, pa.string()), pa.array(groups, pa.int32()), pa.array(sizes, pa.int64()),
             pa.array(payloads, pa.binary())],
            names=["name", "cluster_group", "size", "payload"],
        )  # fmt: skip


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
    """Run in a worker: blobs of one table in, its rows as typed columns out."""
    for batch in batches:
        for payload in batch.column("payload"):
            yield from plain(unpacked(payload.as_buffer()), columns).to_batches()
