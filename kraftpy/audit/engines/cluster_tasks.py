"""Whole clusters in one task of Spark: read, planned, replayed and asked, as one process does it with its own input.

Nothing of what such a task makes leaves it but answers and small tables. Rows that cross to Spark's JVM and back, to be
asked in another task, cost more than asking them, so this is the way of all clusters that one task can hold.

A task holds the tables of one group of clusters (``cluster_groups``): its memory is bounded by a named limit and by the
state of the largest cluster that is not cut.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from kraftpy.audit.engines.asking import Sql, Wanted, ask
from kraftpy.audit.engines.blobs import Blob, Blobs, packed, plain
from kraftpy.audit.engines.counts import COUNT_PARTS
from kraftpy.audit.engines.driver_tables import task_settings
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf, ProgressReport, Replay
from kraftpy.audit.optional_dependencies import extra, own_process
from kraftpy.audit.reading.columns import COUNT_COLUMNS, Columns
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.file_tables import READING_TABLES
from kraftpy.audit.reading.scan import Problem
from kraftpy.model.errors import LocalError

UNREADABLE_SQL = (
    f"SELECT file, MIN(detail) AS detail FROM batches WHERE problem = '{Problem.UNREADABLE.value}' "
    "GROUP BY file ORDER BY file LIMIT 100"
)
"""Files that a worker cannot read."""

ClusterFiles = Sequence[KraftFile]
"""All files of some whole clusters."""


class Kind(StrEnum):
    """What a :class:`Part` is."""

    TABLE = "table"
    LARGE = "large"
    ANSWER = "answer"
    QUERY = "query"
    UNREADABLE = "unreadable"
    ERROR = "error"


class Part(NamedTuple):
    """What a task returns to the driver.

    Attributes:
        kind: a small table, the name of a table that is too large, the answer to a question or to a query, files that
            cannot be read, or why there is no state to replay.
        name: of the table, question or query; the text of an error.
        total: how many rows the answer to a question has.
        payload: rows in Arrow's IPC format; the files pickled.
    """

    kind: Kind
    name: str
    total: int = 0
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class ClusterTask:
    """What is done with a group of whole clusters; it can be pickled.

    Attributes:
        wanted: is asked of their tables.
        table_bytes: tables come to the driver, the smallest first, as long as all of them have up to this many bytes;
            those that grow with the number of files come in any case. Negative: none comes.
    """

    replay: Replay
    as_of: AsOf
    wanted: Wanted
    table_bytes: int

    def without_tables(self, wanted: Wanted) -> ClusterTask:
        """Return the same, with other questions and no table returned."""
        return replace(self, wanted=wanted, table_bytes=-1)

    def parts(self, files: ClusterFiles, progress: ProgressReport | None = None) -> Iterator[Part]:
        """Read, replay and ask; yield what the driver needs."""
        own_process()
        with task_settings() as settings, closing(LocalEngine(self.replay, progress, settings=settings)) as engine:
            try:
                engine.load_files(files, self.as_of)
            except LocalError as error:
                yield Part(Kind.ERROR, str(error))
                return
            if self.table_bytes >= 0:
                yield from self._tables(engine)
            yield from answers(self.wanted, engine.sql)

    def blobs(self, files: ClusterFiles) -> Iterator[Blob]:
        """Read and replay; yield all rows of all tables, except records."""
        own_process()
        with task_settings() as settings, closing(LocalEngine(self.replay, settings=settings)) as engine:
            engine.load_files(files, self.as_of)
            for name, tables in engine.parts.items():
                for table in tables:
                    blobs = Blobs(0)
                    blobs.add_table(name, table)
                    yield from blobs

    def _tables(self, engine: LocalEngine) -> Iterator[Part]:
        columns = columns_of(self.replay)
        sizes = {name: sum(table.nbytes for table in engine.parts[name]) for name in columns}
        left = self.table_bytes
        for name in sorted(columns, key=lambda each: sizes[each]):
            if name in engine.of_files or sizes[name] <= left:
                left -= 0 if name in engine.of_files else sizes[name]
                table = extra("pyarrow").concat_tables([plain(each, columns[name]) for each in engine.parts[name]])
                yield Part(Kind.TABLE, name, 0, packed(table.schema, table.to_batches()))
            else:
                yield Part(Kind.LARGE, name)
        unreadable = engine.sql(UNREADABLE_SQL).to_pylist()
        if unreadable:
            yield Part(Kind.UNREADABLE, "", 0, pickle.dumps(unreadable))


def answers(wanted: Wanted, sql: Sql) -> Iterator[Part]:
    """Ask the tables of some whole clusters; yield what is found."""
    if wanted.questions and wanted.count_query is not None:
        found = ask(sql, wanted.questions, wanted.count_query, wanted.limit)
        for name, total in found.totals.items():
            rows = found.rows[name]
            yield Part(Kind.ANSWER, name, total, packed(rows.schema, rows.to_batches()))
    for query in wanted.all_queries:
        rows = sql(query.text)
        yield Part(Kind.QUERY, query.name, 0, packed(rows.schema, rows.to_batches()))


def columns_of(replay: Replay) -> Mapping[str, Columns]:
    """Return the tables that a task makes, and that are put together from all of them."""
    made = {**READING_TABLES, COUNT_PARTS: COUNT_COLUMNS, **replay.tables}
    return {name: columns for name, columns in made.items() if name not in {"records", "record_counts"}}
