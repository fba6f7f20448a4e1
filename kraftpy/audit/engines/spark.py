"""The engine on Spark: the same tables and the same SQL on any master.

A task audits whole clusters as one process does, and only answers and small tables leave it (``cluster_tasks``). A
cluster with a node that is too large for that is *cut*, and three steps make its tables:

1. The *first pass* reads every file once, one task per split group (``reading.splits``). Batches and counts stay on the
   executors. Only summaries and control entries come to the driver, and TopicRecords only of topics that were removed,
   so the amount grows with elections and removals, not with the data.
2. *Replay* reads the files of the nodes to be replayed once more. A small node is replayed by the task that reads it,
   with others of its group of clusters. A large node is replayed in parts: its records are sent to the bucket of their
   shard, one message for each chunk and bucket, and a task replays a bucket in the order in which one process reads.
3. The *tables* are what the workers returned: rows in Arrow's IPC format under the name of their table (``blobs``).

Nothing that grows with the data is collected: a table comes to the driver only if it is smaller than a named limit.
Rules that name only such tables are asked there (``driver_tables``). Those that name a larger one are asked in the
workers, in one job for all of them, in a task for each group of whole clusters (``cluster_groups``). What is known
beforehand (``Wanted``) is asked of clusters that are not cut where their tables are made, whatever their size.

All of this runs on RDDs of Python objects, which Spark's JVM moves as bytes. Its SQL engine would plan and compile each
step for longer than a small one runs; it only answers other queries of a large table.
"""

from __future__ import annotations

import pickle
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple, Protocol

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
from kraftpy.audit.engines.blobs import Blob, Blobs, plain, unpack_task, unpacked
from kraftpy.audit.engines.cluster_groups import (
    WHOLE_BYTES,
    GroupAsking,
    ask_task,
    cluster_groups,
    cut_clusters,
    group_count,
)
from kraftpy.audit.engines.cluster_tasks import UNREADABLE_SQL, ClusterTask, Kind, Part, columns_of
from kraftpy.audit.engines.counts import COUNT_PARTS, COUNTS_SQL
from kraftpy.audit.engines.driver_tables import DriverTables, tables_named
from kraftpy.audit.engines.protocol import AsOf, Planned, ProgressReport, Replay, ReplayPlan
from kraftpy.audit.engines.row_batches import Rows
from kraftpy.audit.engines.work_done import Amount, amount_of_files, amount_of_splits, counted, counted_by_tasks
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import (
    AUTHOR_COLUMNS,
    BATCH_COLUMNS,
    COUNT_COLUMNS,
    Columns,
    arrow_table,
    spark_ddl,
)
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.reading.entries import decode
from kraftpy.audit.reading.file_tables import READING_TABLES, file_tables
from kraftpy.audit.reading.filesystem import InputError, absolute, read_small
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.reader import files_of_replay
from kraftpy.audit.reading.record_chunks import RecordChunk, chunks_of, is_empty, part_of, replay_chunks
from kraftpy.audit.reading.rows import ControlEntry, FileSummary
from kraftpy.audit.reading.splits import SPLIT_BYTES, InputSplit, SplitGroup, split_groups
from kraftpy.audit.reading.summaries import file_summaries
from kraftpy.audit.spark import ignoring_ended_spark, job_errors
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.records.metadata import RemoveTopicRecord, TopicRecord

BUCKET_BYTES: Final = 32 * 1024 * 1024
"""A node's shards are distributed over one bucket for each of this many bytes of its files."""

SMALL_TABLE_BYTES: Final = 4 * 1024 * 1024
"""A table of up to this many bytes comes to the driver, which runs the queries that use no larger one."""

ROWS_MAX: Final = 2**31 - 1
"""More rows than a question has."""

_SUMMARY, _CONTROL_ENTRIES, _TOPICS = "summary", "control_entries", "topics"
_RECORDS: Final = "records"


Node = tuple[str, str]
"""A cluster and a node of it."""


class OffsetRange(Protocol):
    """The offsets wanted of each file; a replay plan and a compaction target have them."""

    def bounds(self, file: str, kind: str) -> tuple[int, int]:
        """Return the wanted offsets of a file, as ``[from, to)``."""
        ...


BucketTask = Callable[[Node, Sequence[RecordChunk]], Iterable[Any]]
"""What is done with the records of a bucket."""


class Bucket(NamedTuple):
    """Some shards of a node, which are replayed together."""

    node: Node
    number: int


class PlacedChunk(NamedTuple):
    """Records of one bucket, and their place in the order of replay.

    Attributes:
        rank: the place of the file among those of the node.
        position: of the first batch.
        offset: of the first record.
    """

    rank: int
    position: int
    offset: int
    chunk: RecordChunk


_place: Final = attrgetter("rank", "position", "offset")


class SparkEngine:
    """An :class:`kraftpy.audit.engines.protocol.Engine` on the caller's Spark context, which outlives it."""

    name = "spark"

    def __init__(
        self,
        replay: Replay,
        context: Any,
        progress: ProgressReport | None = None,
        *,
        split_bytes: int | None = None,
        bucket_bytes: int | None = None,
        whole_bytes: int = WHOLE_BYTES,
        near_bytes: int = SMALL_TABLE_BYTES,
    ) -> None:
        self._replay = replay
        self._context = context
        self._progress = progress
        self._split_bytes = split_bytes or SPLIT_BYTES
        self._bucket_bytes = bucket_bytes or BUCKET_BYTES
        self._whole_bytes = whole_bytes
        self._near_bytes = near_bytes
        self._near = DriverTables()
        self._far: dict[str, Any] = {}
        self._paths: list[str] = []
        self._kept: list[Any] = []
        self._views: set[str] = set()
        self._whole: list[list[KraftFile]] = []
        self._task: ClusterTask | None = None
        self._large: set[str] = set()
        self._found: list[Part] = []
        self._whole_blobs: Any = None
        self._groups: dict[str, int] = {}
        self._torn: frozenset[str] = frozenset()
        self._blobs: dict[str, tuple[Any, Columns, Any]] = {}

    def load(self, paths: Sequence[str], as_of: AsOf, wanted: Wanted = NOTHING) -> Mapping[str, Columns]:
        """Read and replay; see the protocol. Paths become absolute, because workers have other working directories.

        Raises:
            JobError: when the workers cannot run a job.
            LocalError: when the state of ``as_of`` is not in the files any more.
        """
        with job_errors():
            self._paths = absolute(paths)
            cut, self._whole = self._divided(discover(self._paths))
            if cut:
                self._load_cut(cut, as_of)
            if self._whole:
                self._task = ClusterTask(self._replay, as_of, wanted, self._near_bytes // len(self._whole))
                self._load_whole(self._task)
            self._far[_RECORDS] = None
        return {**READING_TABLES, **self._replay.tables}

    def _divided(self, files: Sequence[KraftFile]) -> tuple[list[KraftFile], list[list[KraftFile]]]:
        """Return the files of clusters that are cut, and those of the others in groups of whole clusters."""
        large = cut_clusters(files, self._whole_bytes)
        whole = [file for file in files if file.cluster not in large]
        groups: dict[int, list[KraftFile]] = defaultdict(list)
        numbers = cluster_groups(whole, self._cores)
        for file in whole:
            groups[numbers[file.cluster]].append(file)
        return [file for file in files if file.cluster in large], list(groups.values())

    def _load_whole(self, task: ClusterTask) -> None:
        """Audit the clusters that are not cut, and add their tables to those of the others."""
        tables: dict[str, list[Any]] = defaultdict(list)
        parts = self._run(task)
        self._found = [part for part in parts if part.kind in {Kind.ANSWER, Kind.QUERY}]
        self._check_whole(parts)
        self._large = {part.name for part in parts if part.kind is Kind.LARGE}
        for part in parts:
            if part.kind is Kind.TABLE and part.name not in self._large:
                tables[part.name].append(unpacked(part.payload))
        for name, columns in columns_of(self._replay).items():
            blobs, _, own = self._blobs.get(name, (None, columns, None))
            if own is not None:
                tables[name].append(own)
            elif name in self._near.names:
                tables[name].append(self._near.table(name))
            table = extra("pyarrow").concat_tables([arrow_table(columns, ()), *tables[name]])
            if name in self._large or blobs is not None:
                self._blobs[name], self._far[name] = (blobs, columns, table), None
                self._near.remove(name)
            else:
                self._add_near(name, table)
        self._add_counts()

    def _run(self, task: ClusterTask) -> list[Part]:
        """Run a task over all groups of clusters that are not cut.

        Raises:
            LocalError: when the state that is wanted is not in the files any more.
        """
        total = amount_of_files(file for files in self._whole for file in files)
        with counted_by_tasks(self._progress, self._context, "auditing", total) as count:
            parts: list[Part] = self._over(self._whole, task.parts, count, amount_of_files).collect()
        for part in parts:
            if part.kind is Kind.ERROR:
                raise LocalError(part.name)
        return parts

    def _check_whole(self, parts: Iterable[Part]) -> None:
        """See :meth:`_check_shared`."""
        by_path = {file.path: file for files in self._whole for file in files}
        for part in parts:
            if part.kind is Kind.UNREADABLE:
                for row in pickle.loads(part.payload):  # noqa: S301 - our own bytes
                    _check_one(by_path[row["file"]], row["detail"])

    def _load_cut(self, files: Sequence[KraftFile], as_of: AsOf) -> None:
        summaries, control_entries = self.first_pass([file for file in files if file.has_batches])
        planned = self._replay.plan(summaries, control_entries, as_of)
        for name, (columns, rows) in file_tables(files, summaries).items():
            self.add(name, columns, rows)
        self._replay_all(files, planned)

    def sql(self, text: str) -> Any:
        """Run a query and return a ``pyarrow.Table``."""
        if not tables_named(text, self._far):
            return self._near.sql(text)
        with job_errors():
            for name in tables_named(text, self._names):
                self.table(name)
            return self._spark.sql(text).toArrow()

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
        far = {each.id: tables_named(each.query(limit), self._far) for each in questions}
        is_answered = not self._groups and self._is_answered(questions, limit)
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
            self._add_near(query.name, self.by_cluster(query))
        given = {query.name for query in question.cluster_queries}
        rows = self.sql(question.query(limit, given))
        if not rows.num_rows:
            return Answers()
        counted = self.sql(f"SELECT COUNT(*) AS total FROM ({question.query(ROWS_MAX, given)}) found_rows")
        return Answers({question.id: counted.to_pylist()[0]["total"]}, {question.id: rows})

    @property
    def _in_groups(self) -> set[str]:
        """The large tables that can be asked of in groups of clusters."""
        return {*self._blobs, *({"record_counts"} if not self._groups else ())}

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
        far = tables_named(query.text, self._far)
        is_known = self._task is not None and query in self._task.wanted.all_queries
        if not far <= self._in_groups or not (far or (is_known and not self._groups)):
            return self.sql(query.text)
        with job_errors():
            parts = self._parts_of(Wanted(queries=(query,)), is_known=is_known)
        return query.joined(
            [unpacked(each.payload) for each in parts if (each.kind, each.name) == (Kind.QUERY, query.name)]
        )

    def _parts_of(self, wanted: Wanted, *, is_known: bool) -> list[Part]:
        """Ask each group of clusters in a task; ``is_known``: those that are not cut were asked when they were read."""
        parts = self._ask_cut(wanted) if self._groups else []
        if self._task is not None:
            parts += self._found if is_known else self._run(self._task.without_tables(wanted))
        return parts

    def _ask_cut(self, wanted: Wanted) -> list[Part]:
        """Ask the clusters that are cut, a task for each group of them."""
        texts = [*(each.query(wanted.limit) for each in wanted.questions), *(each.text for each in wanted.queries)]
        named = set().union(*(tables_named(text, self._names) for text in texts))
        far = {name: self._blobs[name] for name in named & self._blobs.keys()}
        tables = {name: self._near.table(name) for name in named - far.keys()}
        tables |= {name: own for name, (_, _, own) in far.items() if own.num_rows}
        columns = {name: each for name, (_, each, _) in far.items()}
        asking = GroupAsking(wanted, self._groups, tables, columns)
        rdds = [rdd.filter(partial(_is_named, names=names)) for rdd, names in _by_rdd(far)]
        blobs = self._context.union(rdds) if rdds else self._context.emptyRDD()
        spread = blobs.keyBy(attrgetter("group")).partitionBy(group_count(self._groups), int)
        found: list[Part] = spread.mapPartitionsWithIndex(partial(ask_task, asking=asking)).collect()
        return found

    def add(self, name: str, columns: Columns, rows: Sequence[Sequence[Any]]) -> None:
        """Register a small table of the caller's for :meth:`sql`."""
        self._add_near(name, arrow_table(columns, rows))

    def close(self) -> None:
        """Release the tables; the session remains."""
        with ignoring_ended_spark():
            for frame in self._kept:
                frame.unpersist()
            for view in self._views:
                self._spark.catalog.dropTempView(view)
        self._near.close()
        self._far = {}
        self._kept, self._views, self._blobs, self._found = [], set(), {}, []
        self._whole_blobs = self._task = None

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read files once, make ``batches``, ``authors`` and ``record_counts``, and return what planning needs.

        Raises:
            InputError: when a worker cannot read what this process can.
        """
        self._groups = cluster_groups(files, self._cores)
        passed, left = self._first_pass(files)
        summaries, torn = file_summaries(left[_SUMMARY])
        if torn:
            self._torn = frozenset(torn)
            passed.unpersist()
            passed, left = self._first_pass(files)
            summaries, _ = file_summaries(left[_SUMMARY])
        control_entries: list[ControlEntry] = [item for each in left[_CONTROL_ENTRIES] for item in each]
        removed = _removed_topics(control_entries)
        if removed:
            topics = passed.filter(partial(_is_named, names={_TOPICS})).flatMap(partial(_topic_task, removed=removed))
            control_entries += topics.collect()
        made = {"batches": BATCH_COLUMNS, "authors": AUTHOR_COLUMNS, COUNT_PARTS: COUNT_COLUMNS}
        self._cut_out(passed, made, {})
        self._add_counts()
        if any(summary.problems for summary in summaries):
            self._check_shared(files)
        return summaries, control_entries

    def _add_counts(self) -> None:
        """Add the table of record counts, which large parts of it become only when a query names it."""
        self._views.discard("record_counts")
        if COUNT_PARTS in self._near:
            self._add_near("record_counts", self._near.sql(COUNTS_SQL))
        else:
            self._near.remove("record_counts")
            self._far["record_counts"] = None

    def _first_pass(self, files: Sequence[KraftFile]) -> tuple[Any, dict[str, list[Any]]]:
        """Return the blobs of all files and what planning needs of them.

        Files whose splits do not meet are read in one piece.
        """
        groups = self._split_groups(files)
        task = partial(_first_pass_task, groups_of=self._groups)
        total = amount_of_splits(split for group in groups for split in group)
        with counted_by_tasks(self._progress, self._context, "reading", total) as count:
            passed = self._persisted(self._over(groups, task, count, amount_of_splits))
            return passed, _collected(passed, _SUMMARY, _CONTROL_ENTRIES)

    def _split_groups(self, files: Sequence[KraftFile]) -> list[SplitGroup]:
        whole = [file for file in files if file.path in self._torn]
        others = [file for file in files if file.path not in self._torn]
        groups = split_groups(others, split_bytes=self._split_bytes, at_least=self._cores) if others else []
        return [*groups, *((InputSplit(file, 0, file.size),) for file in whole)]

    def table(self, name: str) -> Any:
        """Return a table as a DataFrame, and register it with Spark by its name."""
        if name not in self._views:
            if name == _RECORDS:
                self._far[name] = self._read_records()
            elif name == "record_counts" and name in self._far:
                self.table(COUNT_PARTS)
                self._far[name] = self._spark.sql(COUNTS_SQL)
            elif name in self._blobs and self._far[name] is None:
                self._far[name] = self._unpack(name)
            frame = self._far[name] if name in self._far else self._frame_of(self._near.table(name))
            frame.createOrReplaceTempView(name)
            self._views.add(name)
        return self._spark.table(name)

    def in_buckets(
        self,
        files: Sequence[KraftFile],
        takers: Mapping[Node, OffsetRange],
        task: BucketTask,
        count: Callable[[Amount], None] | None = None,
    ) -> Any:
        """Run a task over the wanted records of some nodes, whole shards at a time, in the order of one process.

        Args:
            files: of those nodes.
            takers: the wanted offsets, by node.
            task: receives a node and its chunks.
            count: see ``work_done``; counts what was read and sent to its bucket.
        """
        ranks: dict[str, int] = {}
        wanted: list[KraftFile] = []
        buckets: list[Bucket] = []
        for node, taker in takers.items():
            of_node = files_of_replay(files, node)
            ranks.update({file.path: rank for rank, file in enumerate(of_node)})
            wanted += [file for file in of_node if not is_empty(taker.bounds(file.path, file.kind))]
            buckets += [Bucket(node, number) for number in range(self._bucket_count(of_node))]
        send = partial(_send_task, replay=self._replay, takers=takers, ranks=ranks, buckets=_numbered(buckets))
        spread = self._over(self._split_groups(wanted), send, count, amount_of_splits).partitionBy(len(buckets), int)
        return spread.mapPartitionsWithIndex(partial(_bucket_task, buckets=buckets, task=task))

    def frame(self, payloads: Any, columns: Columns) -> Any:
        """Return an RDD of rows in Arrow's format as a DataFrame, which costs Spark's JVM some microseconds a row."""
        rows = self._spark.createDataFrame(payloads.map(_one_column), "payload BINARY")
        return rows.mapInArrow(partial(unpack_task, columns=columns), spark_ddl(columns))

    def _check_shared(self, files: Sequence[KraftFile]) -> None:
        """Reject files that exist here and not on a worker: that is a problem of the worker, not of the file."""
        by_path = {file.path: file for file in files}
        for row in self.sql(UNREADABLE_SQL).to_pylist():
            _check_one(by_path[row["file"]], row["detail"])

    def _replay_all(self, files: Sequence[KraftFile], planned: Planned) -> None:
        files_of: dict[Node, list[KraftFile]] = defaultdict(list)
        for file in files:
            files_of[file.cluster, file.node].append(file)
        small: dict[int, list[tuple[ReplayPlan, list[KraftFile]]]] = defaultdict(list)
        large: dict[Node, ReplayPlan] = {}
        for plan in planned.plans:
            node = (plan.cluster, plan.node)
            of_node = files_of_replay(files_of[node], node)
            if _size(of_node) > self._whole_bytes:
                large[node] = plan
            else:
                small[self._groups[plan.cluster]].append((plan, of_node))
        planned_rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for table, row in planned.rows:
            planned_rows[table].append(row)
        items = [(group, nodes) for group, each in small.items() for nodes in self._bins(each)]
        sent = [file for node in large for file in files_of_replay(files_of[node], node)]
        total = amount_of_files([*sent, *(file for item in items for _, of_node in item[1] for file in of_node)])
        parts = []
        with counted_by_tasks(self._progress, self._context, "replaying", total) as count:
            if items:
                parts.append(self._over(items, partial(_replay_task, replay=self._replay), count, _amount_of_nodes))
            if large:
                task = partial(_replay_bucket, replay=self._replay, plans=large, groups_of=self._groups)
                parts.append(self.in_buckets(sent, large, task, count))
            states = self._persisted(self._context.union(parts)) if parts else None
            self._cut_out(states, self._replay.tables, planned_rows)

    def _bins(
        self, nodes: Sequence[tuple[ReplayPlan, list[KraftFile]]]
    ) -> Iterator[list[tuple[ReplayPlan, list[KraftFile]]]]:
        """Cut small nodes into what one task replays each, by the bytes of their files."""
        held, size = list[tuple[ReplayPlan, list[KraftFile]]](), 0
        for plan, files in nodes:
            if held and size + _size(files) > self._whole_bytes:
                yield held
                held, size = [], 0
            held.append((plan, files))
            size += _size(files)
        yield held

    @property
    def _spark(self) -> Any:
        """The session, which starts Spark's SQL engine: some seconds of CPU time."""
        return extra("pyspark.sql").SparkSession.builder.getOrCreate()

    @property
    def _cores(self) -> int:
        return int(self._context.defaultParallelism)

    def _bucket_count(self, files: Iterable[KraftFile]) -> int:
        return 1 + _size(files) // self._bucket_bytes

    def _over(
        self,
        items: Sequence[Any],
        task: Callable[[Any], Iterable[Any]],
        count: Callable[[Amount], None] | None = None,
        amount_of: Callable[[Any], Amount] | None = None,
    ) -> Any:
        """Run a task over items, one of Spark's tasks for each, and count those that are done."""
        if count is not None and amount_of is not None:
            task = partial(counted, task=task, count=count, amount_of=amount_of)
        return self._context.parallelize(items, max(len(items), 1)).flatMap(task)

    def _persisted(self, rdd: Any) -> Any:
        """Keep what an RDD holds, on disk if there is no memory left."""
        self._kept.append(rdd.persist(extra("pyspark").StorageLevel.MEMORY_AND_DISK))
        return rdd

    def _cut_out(self, blobs: Any, wanted: Mapping[str, Columns], rows: Mapping[str, Sequence[Sequence[Any]]]) -> None:
        """Make tables of the rows in blobs and of the caller's rows; the small ones in this process."""
        sizes = {} if blobs is None else _sizes(blobs)
        small = [name for name in wanted if 0 < sizes.get(name, 0) <= self._near_bytes]
        fetched = _fetched(blobs, {name: wanted[name] for name in small}) if small else {}
        for name, columns in wanted.items():
            own = arrow_table(columns, rows.get(name, ()))
            if sizes.get(name, 0) > self._near_bytes:
                self._blobs[name], self._far[name] = (blobs, columns, own), None
            else:
                self._add_near(name, extra("pyarrow").concat_tables([own, *fetched.get(name, ())]))

    def _unpack(self, name: str) -> Any:
        """Return a large table as columns of Spark's."""
        blobs, columns, own = self._blobs[name]
        rdds = [] if blobs is None else [blobs]
        if name in self._large:
            rdds.append(self._blobs_of_whole())
        named = self._context.union([rdd.filter(partial(_is_named, names={name})) for rdd in rdds])
        frame = self.frame(named.map(attrgetter("payload")), columns)
        frame = (frame.unionAll(self._frame_of(own)) if own.num_rows else frame).persist()
        self._kept.append(frame)
        return frame

    def _blobs_of_whole(self) -> Any:
        """Return the tables of clusters that are not cut as blobs: they are made again, and kept."""
        if self._whole_blobs is None:
            assert self._task is not None
            self._whole_blobs = self._persisted(self._over(self._whole, self._task.blobs))
        return self._whole_blobs

    @property
    def _names(self) -> set[str]:
        return {*self._far, *self._near.names}

    def _add_near(self, name: str, table: Any) -> None:
        self._near.add(name, table)
        self._views.discard(name)

    def _read_records(self) -> Any:
        """Return all records as a table, which is expensive and rarely needed."""
        from kraftpy.audit.source.datasource import register

        register(self._spark)
        return self._spark.read.format("kraft").option("splitBytes", self._split_bytes).load(self._paths)

    def _frame_of(self, table: Any) -> Any:
        return self._spark.createDataFrame(table).coalesce(1)


def _check_one(file: KraftFile, detail: str) -> None:
    """Reject a file that exists here and not on a worker."""
    with suppress(OSError):
        read_small(file.address, 1)
        raise InputError(
            f"a worker reports that {detail}; here it can be read. Files must be on every worker under "
            "the same path, or in remote storage that every worker may read"
        )


def _size(files: Iterable[KraftFile]) -> int:
    return sum(file.size for file in files)


def _by_rdd(far: Mapping[str, tuple[Any, Columns, Any]]) -> list[tuple[Any, set[str]]]:
    """Return each RDD of blobs, and the tables that are wanted of it."""
    found: dict[int, tuple[Any, set[str]]] = {}
    for name, (rdd, _, _) in far.items():
        if rdd is not None:
            found.setdefault(id(rdd), (rdd, set()))[1].add(name)
    return list(found.values())


def _numbered(buckets: Sequence[Bucket]) -> dict[Node, tuple[int, int]]:
    """Return for each node the number of its first bucket's partition, and how many buckets it has."""
    counts = Counter(bucket.node for bucket in buckets)
    return {bucket.node: (index, counts[bucket.node]) for index, bucket in enumerate(buckets) if not bucket.number}


def _sizes(blobs: Any) -> dict[str, int]:
    """Return the bytes of each table's rows."""
    sizes: dict[str, int] = defaultdict(int)
    for name, size in blobs.mapPartitions(_sizes_task).collect():
        sizes[name] += size
    return sizes


def _fetched(blobs: Any, wanted: Mapping[str, Columns]) -> dict[str, list[Any]]:
    """Return small tables as Arrow tables in pieces, by name."""
    return {
        name: [plain(unpacked(payload), wanted[name]) for payload in payloads]
        for name, payloads in _payloads(blobs, wanted.keys()).items()
    }


def _collected(blobs: Any, *names: str) -> dict[str, list[Any]]:
    """Return what tasks returned under some names, unpickled: these are our own bytes."""
    left = _payloads(blobs, names)
    return {name: [pickle.loads(payload) for payload in left.get(name, ())] for name in names}  # noqa: S301 - our own bytes


def _payloads(blobs: Any, names: Collection[str]) -> dict[str, list[bytes]]:
    """Return the contents of blobs under some names, in one job."""
    payloads: dict[str, list[bytes]] = defaultdict(list)
    for blob in blobs.filter(partial(_is_named, names=set(names))).collect():
        payloads[blob.name].append(blob.payload)
    return payloads


def _removed_topics(control_entries: Iterable[ControlEntry]) -> frozenset[bytes]:
    return frozenset(
        record.topic_id
        for item in control_entries
        for record in [_record_of(item)]
        if isinstance(record, RemoveTopicRecord)
    )


def _record_of(item: ControlEntry) -> Any:
    if item.entry.control:
        return None
    try:
        return decode(item.entry.raw)
    except MalformedError:
        return None


# What runs in the workers.


def _is_named(blob: Blob, names: Collection[str]) -> bool:
    return blob.name in names


def _one_column(payload: bytes) -> tuple[bytes]:
    return (payload,)


def _sizes_task(blobs: Iterable[Blob]) -> Iterable[tuple[str, int]]:
    sizes: dict[str, int] = defaultdict(int)
    for blob in blobs:
        sizes[blob.name] += len(blob.payload)
    return sizes.items()


def _first_pass_task(group: SplitGroup, groups_of: Mapping[str, int]) -> Iterator[Blob]:
    for split in group:
        blobs = Blobs(groups_of[split.file.cluster])
        passed = first_pass(split)
        for name, columns, rows in (
            ("batches", BATCH_COLUMNS, passed.batches),
            ("authors", AUTHOR_COLUMNS, passed.authors),
            (COUNT_PARTS, COUNT_COLUMNS, passed.count_rows()),
        ):
            kept = Rows(columns)
            kept.add_all(rows)
            blobs.add_rows(name, kept)
        is_topic = [isinstance(_record_of(item), TopicRecord) for item in passed.control_entries]
        blobs.add_pickled(_SUMMARY, passed.summary)
        control_entries = [item for item, topic in zip(passed.control_entries, is_topic, strict=True) if not topic]
        topics = [item for item, topic in zip(passed.control_entries, is_topic, strict=True) if topic]
        if control_entries:
            blobs.add_pickled(_CONTROL_ENTRIES, control_entries)
        if topics:
            blobs.add_pickled(_TOPICS, topics)
        yield from blobs


def _topic_task(blob: Blob, removed: frozenset[bytes]) -> list[ControlEntry]:
    topics: list[ControlEntry] = pickle.loads(blob.payload)  # noqa: S301 - our own bytes
    return [item for item in topics if _record_of(item).topic_id in removed]


def _replay_task(
    nodes_of_group: tuple[int, Sequence[tuple[ReplayPlan, Sequence[KraftFile]]]], replay: Replay
) -> Iterator[Blob]:
    """Read and replay the small nodes of a group of clusters, one after another."""
    group, nodes = nodes_of_group
    made = _MadeTables(replay.tables, group)
    for plan, files in nodes:
        yield from made.add(replay.replay(plan, partial(replay_chunks, files, plan.bounds)))
    yield from made.rest()


def _send_task(
    group: SplitGroup,
    replay: Replay,
    takers: Mapping[Node, OffsetRange],
    ranks: Mapping[str, int],
    buckets: Mapping[Node, tuple[int, int]],
) -> Iterator[tuple[int, PlacedChunk]]:
    """Read the records of large nodes and yield them with the number of the partition that replays them."""
    for split in group:
        node = (split.file.cluster, split.file.node)
        first, count = buckets[node]
        rank = ranks[split.file.path]
        for chunk in chunks_of(split, takers[node].bounds):
            for bucket, part in _parts(chunk, replay, count):
                yield first + bucket, _placed(rank, part)


def _parts(chunk: RecordChunk, replay: Replay, count: int) -> Iterator[tuple[int, RecordChunk]]:
    """Yield the records of each bucket."""
    np = extra("numpy")
    for control in chunk.controls:
        controls = part_of(chunk, np.zeros(0, np.int64))
        controls.controls = [control]
        yield _bucket(replay.shard_of(control[1]), count), controls
    if not len(chunk):
        return
    if count == 1:
        yield 0, part_of(chunk, np.arange(len(chunk)))
        return
    shards, places = replay.shards_of(chunk)
    numbers = np.array([_bucket(shard, count) for shard in shards], np.int64)[places]
    order = np.argsort(numbers, kind="stable")
    for part in np.split(order, 1 + np.flatnonzero(np.diff(numbers[order]))):
        yield int(numbers[part[0]]), part_of(chunk, part)


def _placed(rank: int, chunk: RecordChunk) -> PlacedChunk:
    if chunk.controls:
        position, entry = chunk.controls[0]
        return PlacedChunk(rank, position, entry.offset, chunk)
    return PlacedChunk(rank, int(chunk.positions[0]), int(chunk.offsets[0]), chunk)


def _bucket(shard: bytes, buckets: int) -> int:
    return zlib.crc32(shard) % buckets if buckets > 1 else 0


def _bucket_task(
    partition: int, placed: Iterable[tuple[int, PlacedChunk]], buckets: Sequence[Bucket], task: BucketTask
) -> Iterable[Any]:
    chunks = sorted((each for _, each in placed), key=_place)
    return task(buckets[partition].node, [each.chunk for each in chunks]) if chunks else ()


def _amount_of_nodes(nodes_of_group: tuple[int, Sequence[tuple[ReplayPlan, Sequence[KraftFile]]]]) -> Amount:
    return amount_of_files(file for _, files in nodes_of_group[1] for file in files)


def _replay_bucket(
    node: Node,
    chunks: Sequence[RecordChunk],
    replay: Replay,
    plans: Mapping[Node, ReplayPlan],
    groups_of: Mapping[str, int],
) -> Iterator[Blob]:
    """Replay a bucket of a large node."""
    made = _MadeTables(replay.tables, groups_of[node[0]])
    yield from made.add(replay.replay(plans[node], lambda: chunks))
    yield from made.rest()


class _MadeTables:
    """Rows that replay makes about one group of clusters."""

    def __init__(self, tables: Mapping[str, Columns], group: int) -> None:
        self._rows = {name: Rows(columns) for name, columns in tables.items()}
        self._group = group

    def add(self, made: Iterable[tuple[str, Any]]) -> Iterator[Blob]:
        """Take rows, and yield blobs that are full."""
        pa = extra("pyarrow")
        for table, rows in made:
            blobs = Blobs(self._group)
            if isinstance(rows, pa.Table):
                blobs.add_table(table, rows)
            else:
                self._rows[table].add(rows)
                if self._rows[table].has_full:
                    blobs.add_full(table, self._rows[table])
            yield from blobs

    def rest(self) -> Iterator[Blob]:
        """Yield what is left, and forget it."""
        blobs = Blobs(self._group)
        for name, kept in self._rows.items():
            blobs.add_rows(name, kept)
        yield from blobs
