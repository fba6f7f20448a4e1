"""The engine on Spark: the same tables and the same SQL on any master.

A task audits whole clusters as one process does, and only answers and small tables leave it (``cluster_tasks``); so
does the driver where Spark has yet to start on its machine (``driver_share``). A cluster with a node that is too large
for that is *cut*: read, replayed and asked in parts (``cut_clusters``).

Nothing that grows with the data is collected: a table comes to the driver only if it is smaller than a named limit.
Rules that name only such tables are asked there (``spark_tables``). Those that name a larger one are asked in the
workers, in one job for all of them, in a task for each group of whole clusters (``cluster_groups``). What is known
beforehand (``Wanted``) is asked of clusters that are not cut where their tables are made, whatever their size.

All of this runs on RDDs of Python objects (``spark_jobs``), which Spark's JVM moves as bytes. Its SQL engine would plan
and compile each step for longer than a small one runs; it only answers other queries of a large table.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kraftpy.audit.engines.asking import (
    NOTHING,
    Answers,
    ClusterQuery,
    CountQuery,
    Merger,
    RuleQuestion,
    Wanted,
    ask,
)
from kraftpy.audit.engines.blobs import unpacked
from kraftpy.audit.engines.buckets import BucketTask, Node, OffsetRange
from kraftpy.audit.engines.cluster_groups import cut_clusters, files_in_groups
from kraftpy.audit.engines.cluster_tasks import ClusterTask, Kind, Part, columns_of
from kraftpy.audit.engines.cut_clusters import CutClusters, Cuts, check_shared
from kraftpy.audit.engines.driver_share import DRIVER_PIECE_BYTES, DriverShare, pieces_of
from kraftpy.audit.engines.driver_tables import tables_named
from kraftpy.audit.engines.protocol import AsOf, ProgressReport, Replay
from kraftpy.audit.engines.spark_jobs import SparkJobs
from kraftpy.audit.engines.spark_tables import RECORDS, SMALL_TABLE_BYTES, SparkTables
from kraftpy.audit.engines.work_done import Amount, TaskCounters, amount_of_files, counted_by_tasks, watched
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import Columns, arrow_table
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.reading.file_tables import READING_TABLES
from kraftpy.audit.reading.filesystem import absolute
from kraftpy.audit.reading.rows import ControlEntry, FileSummary
from kraftpy.audit.spark import ignoring_ended_spark, job_errors
from kraftpy.model.errors import LocalError

ROWS_MAX: Final = 2**31 - 1
"""More rows than a question has."""


class SparkEngine:
    """An :class:`kraftpy.audit.engines.protocol.Engine` on a Spark context, which outlives it.

    Attributes:
        jobs: on that context, and what is kept between them.
    """

    name = "spark"

    def __init__(
        self,
        replay: Replay,
        context: Any,
        progress: ProgressReport | None = None,
        *,
        start: Callable[[], Any] | None = None,
        split_bytes: int | None = None,
        bucket_bytes: int | None = None,
        whole_bytes: int | None = None,
        near_bytes: int = SMALL_TABLE_BYTES,
    ) -> None:
        """Start.

        Args:
            replay: replays records.
            context: Spark's.
            progress: called with the progress.
            start: starts Spark on this machine, in place of a context that runs; meanwhile this process audits clusters
                itself (``driver_share``).
            split_bytes: see :class:`cut_clusters.Cuts`.
            bucket_bytes: see there.
            whole_bytes: see there.
            near_bytes: see ``spark_tables.SMALL_TABLE_BYTES``.
        """
        self._replay = replay
        self._cuts = Cuts.of(split_bytes, bucket_bytes, whole_bytes)
        self._near_bytes = near_bytes
        self.jobs = SparkJobs(context, progress, start)
        self._tables = SparkTables(self.jobs, near_bytes, self._read_records, self._blobs_of_whole)
        self._cut = CutClusters(replay, self.jobs, self._tables, self._cuts)
        self._paths: list[str] = []
        self._whole: list[list[KraftFile]] = []
        self._task: ClusterTask | None = None
        self._found: list[Part] = []
        self._whole_blobs: Any = None

    def load(self, paths: Sequence[str], as_of: AsOf, wanted: Wanted = NOTHING) -> Mapping[str, Columns]:
        """Read and replay; see the protocol. Paths become absolute, because workers have other working directories.

        Raises:
            JobError: when the workers cannot run a job.
            LocalError: when the state of ``as_of`` is not in the files any more.
            MasterError: when Spark is started here, and does not start. So ``JavaMissingError``.
        """
        with job_errors():
            self._paths = absolute(paths)
            files = discover(self._paths)
            large = cut_clusters(files, self._cuts.whole_bytes)
            whole = [file for file in files if file.cluster not in large]
            if large:
                self._cut.load([file for file in files if file.cluster in large], as_of)
            if whole:
                self._load_whole(whole, as_of, wanted)
            self._tables.far[RECORDS] = None
        return {**READING_TABLES, **self._replay.tables}

    def _load_whole(self, files: Sequence[KraftFile], as_of: AsOf, wanted: Wanted) -> None:
        """Audit the clusters that are not cut, and add their tables to those of the others."""
        tables: dict[str, list[Any]] = defaultdict(list)
        parts = self._started_with(files, as_of, wanted) if not self.jobs.is_started else None
        self._whole = files_in_groups(files, self.jobs.cores)
        if parts is None:
            self._task = self._task_of(as_of, wanted, len(self._whole))
            parts = self._run(self._task)
        self._found = [part for part in parts if part.kind in {Kind.ANSWER, Kind.QUERY}]
        self._check_whole(parts)
        self._tables.in_whole = {part.name for part in parts if part.kind is Kind.LARGE}
        for part in parts:
            if part.kind is Kind.TABLE and part.name not in self._tables.in_whole:
                tables[part.name].append(unpacked(part.payload))
        for name, columns in columns_of(self._replay).items():
            blobs, _, own = self._tables.blobs.get(name, (None, columns, None))
            if own is not None:
                tables[name].append(own)
            elif name in self._tables.near.names:
                tables[name].append(self._tables.near.table(name))
            table = extra("pyarrow").concat_tables([arrow_table(columns, ()), *tables[name]])
            if name in self._tables.in_whole or blobs is not None:
                self._tables.add_large(name, blobs, columns, table)
            else:
                self._tables.add(name, table)
        self._tables.add_counts()

    def _task_of(self, as_of: AsOf, wanted: Wanted, runs: int) -> ClusterTask:
        """Return a task, of which there are that many, each with other clusters."""
        return ClusterTask(self._replay, as_of, wanted, self._near_bytes // runs)

    def _started_with(self, files: Sequence[KraftFile], as_of: AsOf, wanted: Wanted) -> list[Part]:
        """Start Spark, and audit clusters in this process meanwhile; then the rest in Spark's tasks.

        Raises:
            LocalError: when the state that is wanted is not in the files any more.
        """
        pieces, others = pieces_of(files)
        # The driver's pieces and Spark's tasks have half of the room for small tables each.
        share = DriverShare(self._task_of(as_of, wanted, 2 * max(len(pieces), 1)), pieces)
        counters: TaskCounters | None = None
        found: list[Part] = []
        with watched(self.jobs.progress, "auditing", amount_of_files(files), lambda: _sum(share, counters)), share:
            context = self.jobs.context
            counters = None if self.jobs.progress is None else TaskCounters(context)
            left = share.end(0 if others else DRIVER_PIECE_BYTES)
            groups = files_in_groups([*left, *others], self.jobs.cores)
            self._task = self._task_of(as_of, wanted, 2 * max(len(groups), 1))
            if groups:
                count = None if counters is None else counters.count
                found = self.jobs.over(groups, self._task.parts, count, amount_of_files).collect()
        return _without_errors([*share.parts, *found])

    def _run(self, task: ClusterTask) -> list[Part]:
        """Run a task over all groups of clusters that are not cut.

        Raises:
            LocalError: when the state that is wanted is not in the files any more.
        """
        total = amount_of_files(file for files in self._whole for file in files)
        with counted_by_tasks(self.jobs.progress, self.jobs.context, "auditing", total) as count:
            parts: list[Part] = self.jobs.over(self._whole, task.parts, count, amount_of_files).collect()
        return _without_errors(parts)

    def _check_whole(self, parts: Iterable[Part]) -> None:
        """See :func:`cut_clusters.check_shared`."""
        by_path = {file.path: file for files in self._whole for file in files}
        for part in parts:
            if part.kind is Kind.UNREADABLE:
                check_shared(by_path, pickle.loads(part.payload))  # noqa: S301 - our own bytes

    def sql(self, text: str) -> Any:
        """Run a query and return a ``pyarrow.Table``."""
        return self._tables.sql(text)

    def ask(
        self,
        questions: Sequence[RuleQuestion],
        count_query: CountQuery,
        limit: int,
        progress: Callable[[int], None] | None = None,
    ) -> Answers:
        """Ask many questions; see the protocol.

        Those about small tables are asked in this process, the others in the workers, of whole clusters each, in one
        job. Spark's own SQL is left with questions about large tables that compare clusters.
        """
        far = {each.id: tables_named(each.query(limit), self._tables.far) for each in questions}
        is_answered = not self._cut and self._is_answered(questions, limit)
        in_groups = [
            each for each in questions
            if not each.spans_clusters and (is_answered or (far[each.id] and far[each.id] <= self._in_groups))
        ]  # fmt: skip
        asked_there = {each.id for each in in_groups}
        near = [each for each in questions if not far[each.id] and each.id not in asked_there]
        answers = ask(self.sql, near, count_query, limit, progress)
        across = [each for each in questions if each.cluster_queries and far[each.id]]
        for each in across:
            answers.add(self._ask_across(each, limit))
        asked = {each.id for each in (*near, *in_groups, *across)}
        answers.add(ask(self.sql, [each for each in questions if each.id not in asked], count_query, limit))
        if in_groups:
            if progress is not None:
                progress(len(near))
            with job_errors():
                answers.add(self._ask_in_groups(in_groups, count_query, limit))
        return answers

    def _ask_across(self, question: RuleQuestion, limit: int) -> Answers:
        """Ask a question that spans clusters of what it needs of each."""
        for query in question.cluster_queries:
            self._tables.add(query.name, self.by_cluster(query))
        given = {query.name for query in question.cluster_queries}
        rows = self.sql(question.query(limit, given))
        if not rows.num_rows:
            return Answers()
        counted = self.sql(f"SELECT COUNT(*) AS total FROM ({question.query(ROWS_MAX, given)}) found_rows")
        return Answers({question.id: counted.to_pylist()[0]["total"]}, {question.id: rows})

    @property
    def _in_groups(self) -> set[str]:
        """The large tables that can be asked of in groups of clusters."""
        return {*self._tables.blobs, *({"record_counts"} if not self._cut else ())}

    def _is_answered(self, questions: Iterable[RuleQuestion], limit: int) -> bool:
        """Return whether questions about clusters that are not cut were asked while their tables were made."""
        if self._task is None or self._task.wanted.limit != limit:
            return False
        known = {each.id for each in self._task.wanted.questions}
        return all(each.id in known for each in questions)

    def _ask_in_groups(self, questions: Sequence[RuleQuestion], count_query: CountQuery, limit: int) -> Answers:
        merger = Merger(questions, limit)
        wanted = Wanted(questions, count_query, limit)
        ids = {each.id for each in questions}
        for part in self._parts_of(wanted, is_known=self._is_answered(questions, limit)):
            if part.kind is Kind.ANSWER and part.name in ids:
                merger.add(part.name, part.total, unpacked(part.payload))
        return merger.answers()

    def by_cluster(self, query: ClusterQuery) -> Any:
        """Run a query of whole clusters; see the protocol."""
        far = tables_named(query.text, self._tables.far)
        is_known = self._task is not None and query in self._task.wanted.all_queries
        if not far <= self._in_groups or not (far or (is_known and not self._cut)):
            return self.sql(query.text)
        with job_errors():
            parts = self._parts_of(Wanted(queries=(query,)), is_known=is_known)
        return query.joined(
            [unpacked(each.payload) for each in parts if (each.kind, each.name) == (Kind.QUERY, query.name)]
        )

    def _parts_of(self, wanted: Wanted, *, is_known: bool) -> list[Part]:
        """Ask each group of clusters in a task; ``is_known``: those that are not cut were asked when they were read."""
        parts = self._cut.ask(wanted) if self._cut else []
        if self._task is not None:
            parts += self._found if is_known else self._run(self._task.without_tables(wanted))
        return parts

    def add(self, name: str, columns: Columns, rows: Sequence[Sequence[Any]]) -> None:
        """Register a small table of the caller's for :meth:`sql`."""
        self._tables.add(name, arrow_table(columns, rows))

    def close(self) -> None:
        """Release the tables; the session remains."""
        with ignoring_ended_spark():
            self.jobs.release()
            self._tables.drop_views()
        self._tables.close()
        self._found = []
        self._whole_blobs = self._task = None

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read files once; see :meth:`cut_clusters.CutClusters.first_pass`."""
        return self._cut.first_pass(files)

    def in_buckets(
        self,
        files: Sequence[KraftFile],
        takers: Mapping[Node, OffsetRange],
        task: BucketTask,
        *,
        bucket_bytes: int | None = None,
    ) -> Any:
        """Run a task over the wanted records of some nodes; see :func:`buckets.in_buckets`."""
        return self._cut.in_buckets(files, takers, task, bucket_bytes=bucket_bytes)

    def table(self, name: str) -> Any:
        """Return a table as a DataFrame, and register it with Spark by its name."""
        return self._tables.table(name)

    def _blobs_of_whole(self) -> Any:
        """Return the tables of clusters that are not cut as blobs: they are made again, and kept."""
        if self._whole_blobs is None:
            assert self._task is not None
            self._whole_blobs = self.jobs.persisted(self.jobs.over(self._whole, self._task.blobs))
        return self._whole_blobs

    def _read_records(self) -> Any:
        """Return all records as a table, which is expensive and rarely needed."""
        from kraftpy.audit.source.datasource import register

        register(self.jobs.session)
        return self.jobs.session.read.format("kraft").option("splitBytes", self._cuts.split_bytes).load(self._paths)


def _without_errors(parts: list[Part]) -> list[Part]:
    """Return the parts.

    Raises:
        LocalError: when one of them says that the state that is wanted is not in the files any more.
    """
    for part in parts:
        if part.kind is Kind.ERROR:
            raise LocalError(part.name)
    return parts


def _sum(share: DriverShare, counters: TaskCounters | None) -> Amount:
    """Return what the driver has done and, once Spark runs, its tasks."""
    own, of_tasks = share.done, (0, 0) if counters is None else counters.amount
    return own[0] + of_tasks[0], own[1] + of_tasks[1]
