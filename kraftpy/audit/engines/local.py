"""The engine in one process: files are read one after another, tables are in Arrow, SQL runs in DuckDB.

For small inputs it finishes before Spark has started. It holds the tables in memory, but never all records: those are
streamed through replay, and the ``records`` table is built only when a query uses it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from kraftpy.audit.engines.asking import NOTHING, Answers, ClusterQuery, CountQuery, RuleQuestion, Wanted, ask
from kraftpy.audit.engines.counts import COUNT_PARTS, COUNTS_SQL
from kraftpy.audit.engines.protocol import AsOf, Planned, ProgressReport, Replay, ReplayPlan
from kraftpy.audit.engines.row_batches import ROWS_PER_BATCH, Rows
from kraftpy.audit.engines.work_done import FilesDone
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.arrow import record_batches
from kraftpy.audit.reading.columns import (
    AUTHOR_COLUMNS,
    BATCH_COLUMNS,
    COUNT_COLUMNS,
    RECORD_COLUMNS,
    Columns,
    arrow_schema,
    arrow_table,
)
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.reading.file_tables import READING_TABLES, file_tables
from kraftpy.audit.reading.first_pass import first_passes, joined
from kraftpy.audit.reading.reader import files_of_replay
from kraftpy.audit.reading.record_chunks import is_empty, replay_chunks
from kraftpy.audit.reading.splits import InputSplit

_NAMES_RECORDS: Final = re.compile(r"(?:\bfrom|\bjoin|,)\s*\"?records\b", re.IGNORECASE)
"""A query of the table ``records``, which is expensive to make; a column of that name does not match."""


class LocalEngine:
    """An :class:`kraftpy.audit.engines.protocol.Engine` in this process alone."""

    name = "local"

    def __init__(
        self, replay: Replay, progress: ProgressReport | None = None, *, settings: Mapping[str, Any] | None = None
    ) -> None:
        """Start.

        Args:
            replay: replays records.
            progress: called with the progress.
            settings: of DuckDB, if not its own; by default, it uses all cores.
        """
        self._replay = replay
        self._progress = progress
        self._database = extra("duckdb").connect(config=dict(settings or {}))
        self._files: list[KraftFile] = []
        self._has_records = False
        self._parts: dict[str, list[Any]] = {}
        self._planned: set[str] = set()

    @property
    def parts(self) -> Mapping[str, Sequence[Any]]:
        """The tables, each in parts (``pyarrow.Table``); texts of some parts are dictionaries."""
        return self._parts

    @property
    def of_files(self) -> set[str]:
        """The names of the tables that grow with the number of files and with what planning finds."""
        return self._planned

    def load(self, paths: Sequence[str], as_of: AsOf, wanted: Wanted = NOTHING) -> Mapping[str, Columns]:
        """Read and replay; see the protocol. All queries are run when they are asked."""
        del wanted
        return self.load_files(discover(paths), as_of)

    def load_files(self, files: Sequence[KraftFile], as_of: AsOf) -> Mapping[str, Columns]:
        """Read and replay files, all of whole clusters; see :meth:`load`."""
        self._files = list(files)
        passes = first_passes([file for file in self._files if file.has_batches], self._progress)
        summaries, control_entries = joined(passes)
        for name, (columns, rows) in file_tables(self._files, summaries).items():
            self.add(name, columns, rows)
            self._planned.add(name)
        self._add_batched("batches", BATCH_COLUMNS, (row for each in passes for row in each.batches))
        self._add_batched("authors", AUTHOR_COLUMNS, (row for each in passes for row in each.authors))
        self.add(COUNT_PARTS, COUNT_COLUMNS, [row for each in passes for row in each.count_rows()])
        self._database.execute(f"CREATE OR REPLACE VIEW record_counts AS {COUNTS_SQL}")
        del passes
        self._replay_all(self._replay.plan(summaries, control_entries, as_of))
        return {**READING_TABLES, **self._replay.tables}

    def sql(self, text: str) -> Any:
        """Run a query and return a ``pyarrow.Table``."""
        if not self._has_records and _NAMES_RECORDS.search(text):
            self._has_records = True
            self._add_table("records", RECORD_COLUMNS, self._record_batches())
        return self._database.sql(text).to_arrow_table()

    def ask(
        self,
        questions: Sequence[RuleQuestion],
        count_query: CountQuery,
        limit: int,
        progress: Callable[[int], None] | None = None,
    ) -> Answers:
        """Ask many questions; see the protocol."""
        return ask(self.sql, questions, count_query, limit, progress)

    def by_cluster(self, query: ClusterQuery) -> Any:
        """Run a query; see the protocol."""
        return self.sql(query.text)

    def add(self, name: str, columns: Columns, rows: Sequence[Sequence[Any]]) -> None:
        """Register a small table of the caller's for :meth:`sql`."""
        self._parts[name] = [arrow_table(columns, rows)]
        self._database.register(name, self._parts[name][0])

    def close(self) -> None:
        """Release all resources."""
        self._parts = {}
        self._database.close()

    def _replay_all(self, planned: Planned) -> None:
        tables = {name: Rows(columns) for name, columns in self._replay.tables.items()}
        by_vectors: dict[str, list[Any]] = defaultdict(list)
        for table, row in planned.rows:
            tables[table].add(row)
            self._planned.add(table)
        files_of = [(plan, files_of_replay(self._files, (plan.cluster, plan.node))) for plan in planned.plans]
        read = self._replay_chunks(files_of)
        for plan, files in files_of:
            for table, made in self._replay.replay(plan, partial(read, files, plan.bounds)):
                if isinstance(made, tuple):
                    tables[table].add(made)
                else:
                    by_vectors[table].append(made)
        for name, rows in tables.items():
            self._add_table(name, rows.columns, rows.batches(), by_vectors[name])

    def _replay_chunks(self, files_of: Sequence[tuple[ReplayPlan, Sequence[KraftFile]]]) -> Callable[..., Any]:
        """Return what reads the records of files, and reports it if progress is wanted."""
        if self._progress is None:
            return replay_chunks
        wanted = [file for plan, files in files_of for file in files if not is_empty(plan.bounds(file.path, file.kind))]
        return FilesDone(self._progress, "replaying", wanted).chunks

    def _record_batches(self) -> Iterator[Any]:
        for file in self._files:
            if file.has_batches:
                yield from record_batches(InputSplit(file, 0, file.size), ROWS_PER_BATCH)

    def _add_batched(self, name: str, columns: Columns, rows: Iterable[tuple[Any, ...]]) -> None:
        kept = Rows(columns)
        kept.add_all(rows)
        self._add_table(name, columns, kept.batches())

    def _add_table(self, name: str, columns: Columns, batches: Iterable[Any], more: Sequence[Any] = ()) -> None:
        """Register a table; ``more`` are tables of the same columns, whose texts may be dictionaries."""
        pa = extra("pyarrow")
        table = pa.Table.from_batches(list(batches), schema=arrow_schema(columns))
        self._parts[name] = [table]
        if not more:
            self._database.register(name, table)
            return
        self._parts[name].append(pa.concat_tables(more))
        parts = [f"{name}_singly", f"{name}_by_vectors"]
        for part, each in zip(parts, self._parts[name], strict=True):
            self._database.register(part, each)
        union = " UNION ALL ".join(f"SELECT * FROM {part}" for part in parts)
        self._database.execute(f"CREATE OR REPLACE VIEW {name} AS {union}")
