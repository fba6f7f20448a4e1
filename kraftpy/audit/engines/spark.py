"""The engine on Spark: the same tables and the same SQL on any master.

Three jobs make the tables:

1. The *first pass* reads every file once, one task per split group (``reading.splits``). Batches and counts stay on the
   executors. Only summaries and control entries come to the driver, and TopicRecords only of topics that were removed,
   so the amount grows with elections and removals, not with the data.
2. *Replay* reads the files of the nodes to be replayed once more, assigns each record the bucket of its shard, sorts
   each bucket in the order in which one process would read it, and replays it in a worker.
3. The *tables* are what the workers returned: rows in Arrow's IPC format under the name of their table (``blobs``).

Nothing that grows with the data is collected: a table comes to the driver only if it is smaller than a named limit.
Rules that name only such tables are asked there (``driver_tables``). Those that name a larger one are asked in the
workers, in one job for all of them, in a task for each group of whole clusters (``cluster_groups``). Only other queries
of a large table are Spark's own SQL: its JVM plans and compiles each of them for longer than it runs.
"""

from __future__ import annotations

import pickle
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Protocol

from kraftpy.audit.engines.asking import Answers, CountQuery, Merger, RuleQuestion, ask
from kraftpy.audit.engines.blobs import BLOBS, Blobs, plain, unpack_task, unpacked
from kraftpy.audit.engines.cluster_groups import ANSWERS, GroupAsking, ask_task, cluster_groups, group_count
from kraftpy.audit.engines.counts import COUNT_PARTS, COUNTS_SQL
from kraftpy.audit.engines.driver_tables import DriverTables, tables_named
from kraftpy.audit.engines.protocol import AsOf, Planned, Progress, Replay, ReplayPlan
from kraftpy.audit.engines.row_batches import Rows
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import (
    BATCH_COLUMNS,
    COUNT_COLUMNS,
    Column,
    Columns,
    arrow_schema,
    arrow_table,
    spark_ddl,
)
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.reading.entries import decode
from kraftpy.audit.reading.file_tables import READING_TABLES, file_tables
from kraftpy.audit.reading.filesystem import InputError, absolute, read_small
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.reader import files_of_replay
from kraftpy.audit.reading.record_chunks import RecordChunk, chunk_of_columns, chunks_of, values_of
from kraftpy.audit.reading.rows import ControlEntry, Entry, FileSummary
from kraftpy.audit.reading.scan import Problem
from kraftpy.audit.reading.splits import SPLIT_BYTES, InputSplit, SplitGroup, split_groups
from kraftpy.audit.reading.summaries import file_summaries
from kraftpy.audit.spark import ignoring_ended_spark, job_errors
from kraftpy.model.errors import MalformedError
from kraftpy.records.metadata import RemoveTopicRecord, TopicRecord

BUCKET_BYTES: Final = 32 * 1024 * 1024
"""A node's shards are distributed over one bucket for each of this many bytes of its files."""

SMALL_TABLE_BYTES: Final = 4 * 1024 * 1024
"""A table of up to this many bytes comes to the driver, which runs the queries that use no larger one."""

ENTRIES_PER_BATCH: Final = 8_192

_UNREADABLE_SQL: Final = (
    f"SELECT file, MIN(detail) AS detail FROM batches WHERE problem = '{Problem.UNREADABLE.value}' "
    "GROUP BY file ORDER BY file LIMIT 100"
)
_ENTRY_COLUMNS: Final[Columns] = (
    Column("cluster", "string", ""), Column("node", "string", ""), Column("bucket", "int", ""),
    Column("rank", "int", "place of the file in the order of reading"), Column("position", "long", "of the batch"),
    Column("file", "string", ""), Column("kind", "string", ""), Column("offset", "long", ""),
    Column("epoch", "int", ""), Column("timestamp_ms", "long", ""), Column("control", "bool", ""),
    Column("api_key", "int", ""), Column("version", "int", ""), Column("raw", "binary", ""),
)  # fmt: skip
_ENTRY_AT: Final = 5
"""The columns from here on are an :class:`Entry`."""

_SUMMARY, _CONTROL_ENTRIES, _TOPICS = "summary", "control_entries", "topics"
_RECORDS: Final = "records"


class OffsetRange(Protocol):
    """The offsets wanted of each file; a replay plan and a compaction target have them."""

    def bounds(self, file: str, kind: str) -> tuple[int, int]:
        """Return the wanted offsets of a file, as ``[from, to)``."""
        ...


class SparkEngine:
    """An :class:`kraftpy.audit.engines.protocol.Engine` on the caller's Spark session, which outlives it."""

    name = "spark"

    def __init__(
        self,
        replay: Replay,
        spark: Any,
        progress: Progress | None = None,
        *,
        split_bytes: int | None = None,
        bucket_bytes: int | None = None,
        near_bytes: int = SMALL_TABLE_BYTES,
    ) -> None:
        self._replay = replay
        self._spark = spark
        self._progress = progress
        self._split_bytes = split_bytes or SPLIT_BYTES
        self._bucket_bytes = bucket_bytes or BUCKET_BYTES
        self._near_bytes = near_bytes
        self._near = DriverTables()
        self._far: dict[str, Any] = {}
        self._paths: list[str] = []
        self._kept: list[Any] = []
        self._views: set[str] = set()
        self._groups: dict[str, int] = {}
        self._blobs: dict[str, tuple[Any, Columns, Any]] = {}

    def load(self, paths: Sequence[str], as_of: AsOf) -> Mapping[str, Columns]:
        """Read and replay; see the protocol. Paths become absolute, because workers have other working directories.

        Raises:
            JobError: when the workers cannot run a job.
        """
        with job_errors():
            return self._load(absolute(paths), as_of)

    def _load(self, paths: Sequence[str], as_of: AsOf) -> Mapping[str, Columns]:
        files = discover(paths)
        self._report("reading", 0, 1)
        summaries, control_entries = self.first_pass([file for file in files if file.has_batches])
        planned = self._replay.plan(summaries, control_entries, as_of)
        for name, (columns, rows) in file_tables(files, summaries).items():
            self.add(name, columns, rows)
        self._paths, self._far[_RECORDS] = list(paths), None
        self._report("replaying", 0, 1)
        self._replay_all(files, planned)
        self._report("replaying", 1, 1)
        return {**READING_TABLES, **self._replay.tables}

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
        in_groups = [
            each for each in questions
            if far[each.id] and not each.spans_clusters and far[each.id] <= self._blobs.keys()
        ]  # fmt: skip
        near = [each for each in questions if not far[each.id]]
        answers = ask(self.sql, near, count_query, limit, progress)
        asked = {each.id for each in (*near, *in_groups)}
        answers.add(ask(self.sql, [each for each in questions if each.id not in asked], count_query, limit))
        if in_groups:
            if progress is not None:
                progress(len(near))
            with job_errors():
                answers.add(self._ask_in_groups(in_groups, count_query, limit))
        return answers

    def _ask_in_groups(self, questions: Sequence[RuleQuestion], count_query: CountQuery, limit: int) -> Answers:
        named = set().union(*(tables_named(each.query(limit), self._names) for each in questions))
        far = {name: self._blobs[name] for name in named & self._blobs.keys()}
        tables = {name: self._near.table(name) for name in named - far.keys()}
        tables |= {name: own for name, (_, _, own) in far.items() if own.num_rows}
        columns = {name: each for name, (_, each, _) in far.items()}
        asking = GroupAsking(questions, count_query, limit, self._groups, tables, columns)
        number = group_count(self._groups)
        # A group without a row in any large table is asked as well.
        blobs = self._spark.range(0, number, 1, 1).selectExpr(
            "'' AS name", "CAST(id AS INT) AS cluster_group", "0L AS size", "CAST('' AS BINARY) AS payload"
        )
        for name, (frame, _, _) in far.items():
            blobs = blobs.unionAll(frame.where(f"name = '{name}'"))
        spread = blobs.repartitionById(number, "cluster_group")
        merger = Merger()
        for row in spread.mapInArrow(partial(ask_task, asking=asking), ANSWERS).collect():
            merger.add(row["id"], row["total"], unpacked(bytes(row["found"])))
        return merger.answers(questions, limit)

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
        self._kept, self._views, self._blobs = [], set(), {}

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read files once, make the tables ``batches`` and ``record_counts``, and return what planning needs.

        Raises:
            InputError: when a worker cannot read what this process can.
        """
        cores = self._spark.sparkContext.defaultParallelism
        self._groups = cluster_groups(files, cores)
        task = partial(_first_pass_task, groups_of=self._groups)
        groups = split_groups(files, split_bytes=self._split_bytes, at_least=cores)
        passed = self._over(groups, task)
        left = _collected(passed, _SUMMARY, _CONTROL_ENTRIES)
        summaries, torn = file_summaries(left[_SUMMARY])
        if torn:
            whole = [file for file in files if file.path in torn]
            others = [file for file in files if file.path not in torn]
            groups = split_groups(others, split_bytes=self._split_bytes, at_least=cores)
            passed = self._over([*groups, *((InputSplit(file, 0, file.size),) for file in whole)], task)
            left = _collected(passed, _SUMMARY, _CONTROL_ENTRIES)
            summaries, _ = file_summaries(left[_SUMMARY])
        control_entries: list[ControlEntry] = [item for each in left[_CONTROL_ENTRIES] for item in each]
        removed = _removed_topics(control_entries)
        if removed:
            named = passed.where(f"name = '{_TOPICS}'").mapInArrow(partial(_topic_task, removed=removed), BLOBS)
            control_entries += [item for each in _collected(named, _TOPICS)[_TOPICS] for item in each]
        self._cut_out(passed, {"batches": BATCH_COLUMNS, COUNT_PARTS: COUNT_COLUMNS}, {})
        if COUNT_PARTS in self._near:
            self._add_near("record_counts", self._near.sql(COUNTS_SQL))
        else:
            self.table(COUNT_PARTS)
            self._far["record_counts"] = self._spark.sql(COUNTS_SQL)
        if any(summary.problems for summary in summaries):
            self._check_shared(files)
        return summaries, control_entries

    def table(self, name: str) -> Any:
        """Return a table as a DataFrame, and register it with Spark by its name."""
        if name not in self._views:
            if name == _RECORDS:
                self._far[name] = self._read_records()
            elif name in self._blobs and self._far[name] is None:
                self._far[name] = self._unpack(name)
            frame = self._far[name] if name in self._far else self._frame_of(self._near.table(name))
            frame.createOrReplaceTempView(name)
            self._views.add(name)
        return self._spark.table(name)

    def ordered_entries(self, files: Sequence[KraftFile], takers: Mapping[tuple[str, str], OffsetRange]) -> Any:
        """Return the wanted records of some nodes: whole shards per partition, in the order of one process.

        Args:
            files: of those nodes.
            takers: the wanted offsets, by (cluster, node).
        """
        ranks: dict[str, tuple[int, int]] = {}
        wanted: list[KraftFile] = []
        for node in takers:
            of_node = files_of_replay(files, node)
            buckets = 1 + sum(file.size for file in of_node) // self._bucket_bytes
            ranks.update({file.path: (rank, buckets) for rank, file in enumerate(of_node)})
            wanted += of_node
        cores = self._spark.sparkContext.defaultParallelism
        partitions = max(cores, sum(file.size for file in wanted) // self._bucket_bytes)
        groups = split_groups(wanted, split_bytes=self._split_bytes, at_least=cores)
        task = partial(_entry_task, replay=self._replay, takers=takers, ranks=ranks)
        entries = self._over(groups, task, spark_ddl(_ENTRY_COLUMNS), keep=False)
        spread = entries.repartition(int(partitions), "cluster", "node", "bucket")
        return spread.sortWithinPartitions("cluster", "node", "rank", "position", "offset")

    def _check_shared(self, files: Sequence[KraftFile]) -> None:
        """Reject files that exist here and not on a worker: that is a problem of the worker, not of the file."""
        by_path = {file.path: file for file in files}
        for row in self.sql(_UNREADABLE_SQL).to_pylist():
            with suppress(OSError):
                read_small(by_path[row["file"]].address, 1)
                raise InputError(
                    f"a worker reports that {row['detail']}; here it can be read. Files must be on every worker under "
                    "the same path, or in remote storage that every worker may read"
                )

    def _replay_all(self, files: Sequence[KraftFile], planned: Planned) -> None:
        plans = {(each.cluster, each.node): each for each in planned.plans}
        states: Any = None
        if plans:
            ordered = self.ordered_entries(files, plans)
            states = ordered.mapInArrow(
                partial(_replay_task, replay=self._replay, plans=plans, groups_of=self._groups), BLOBS
            ).persist()
            self._kept.append(states)
        planned_rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for table, row in planned.rows:
            planned_rows[table].append(row)
        self._cut_out(states, self._replay.tables, planned_rows)

    def _over(self, groups: Sequence[SplitGroup], task: Any, ddl: str = BLOBS, *, keep: bool = True) -> Any:
        """Run a task over groups, one Spark task for each, and persist the result by default."""
        ids = self._spark.range(0, len(groups), 1, len(groups))
        frame = ids.mapInArrow(partial(_group_task, groups=list(groups), task=task), ddl)
        if keep:
            frame = frame.persist()
            self._kept.append(frame)
        return frame

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
        """Return a large table as columns of Spark's, which costs its JVM some microseconds a row."""
        blobs, columns, own = self._blobs[name]
        task = partial(unpack_task, columns=columns)
        frame = blobs.where(f"name = '{name}'").mapInArrow(task, spark_ddl(columns))
        frame = (frame.unionAll(self._frame_of(own)) if own.num_rows else frame).persist()
        self._kept.append(frame)
        return frame

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

    def _report(self, what: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(what, done, total)


def _sizes(blobs: Any) -> dict[str, int]:
    """Return the bytes of each table's rows."""
    return {
        row["name"]: row["size"] for row in blobs.groupBy("name").agg({"size": "sum"}).toDF("name", "size").collect()
    }


def _fetched(blobs: Any, wanted: Mapping[str, Columns]) -> dict[str, list[Any]]:
    """Return small tables as Arrow tables in pieces, by name."""
    return {
        name: [plain(unpacked(payload), wanted[name]) for payload in payloads]
        for name, payloads in _payloads(blobs, list(wanted)).items()
    }


def _collected(blobs: Any, *names: str) -> dict[str, list[Any]]:
    """Return what tasks returned under some names, unpickled: these are our own bytes."""
    left = _payloads(blobs, names)
    return {name: [pickle.loads(payload) for payload in left.get(name, ())] for name in names}  # noqa: S301 - our own bytes


def _payloads(blobs: Any, names: Sequence[str]) -> dict[str, list[bytes]]:
    """Return the contents of blobs under some names, in one job."""
    payloads: dict[str, list[bytes]] = defaultdict(list)
    for row in blobs.where(blobs.name.isin(list(names))).select("name", "payload").collect():
        payloads[row["name"]].append(bytes(row["payload"]))
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


def _group_task(batches: Iterator[Any], groups: Sequence[SplitGroup], task: Any) -> Iterator[Any]:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            yield from task(groups[number])


def _first_pass_task(group: SplitGroup, groups_of: Mapping[str, int]) -> Iterator[Any]:
    for split in group:
        blobs = Blobs(groups_of[split.file.cluster])
        passed = first_pass(split)
        for name, columns, rows in (
            ("batches", BATCH_COLUMNS, passed.batches),
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
        yield blobs.batch()


def _topic_task(batches: Iterator[Any], removed: frozenset[bytes]) -> Iterator[Any]:
    for batch in batches:
        blobs = Blobs(0)
        for payload in batch.column("payload").to_pylist():
            topics = pickle.loads(payload)  # noqa: S301 - our own bytes
            control_entries = [item for item in topics if _record_of(item).topic_id in removed]
            if control_entries:
                blobs.add_pickled(_TOPICS, control_entries)
        yield blobs.batch()


def _entry_task(
    group: SplitGroup,
    replay: Replay,
    takers: Mapping[tuple[str, str], OffsetRange],
    ranks: Mapping[str, tuple[int, int]],
) -> Iterator[Any]:
    for split in group:
        bounds = takers[split.file.cluster, split.file.node].bounds
        for chunk in chunks_of(split, bounds):
            yield from _entry_batches(split.file, chunk, replay, *ranks[split.file.path])


def _entry_batches(file: KraftFile, chunk: RecordChunk, replay: Replay, rank: int, buckets: int) -> Iterator[Any]:
    """Yield a chunk's records as rows of ``_ENTRY_COLUMNS``, control records first: Spark sorts them."""
    np, pa = extra("numpy"), extra("pyarrow")
    if chunk.controls:
        rows = [
            (file.cluster, file.node, _bucket(replay.shard_of(entry), buckets), rank, position, *entry)
            for position, entry in chunk.controls
        ]
        yield from arrow_table(_ENTRY_COLUMNS, rows).to_batches()
    schema = arrow_schema(_ENTRY_COLUMNS)
    bucket_of: dict[bytes, int] = {}
    all_buckets = np.zeros(len(chunk), np.int32)
    if buckets > 1:
        shards = replay.shards_of(chunk)
        bucket_of = {shard: _bucket(shard, buckets) for shard in set(shards)}
        all_buckets = np.fromiter(map(bucket_of.__getitem__, shards), np.int32, len(chunk))
    for begin in range(0, len(chunk), ENTRIES_PER_BATCH):
        chosen = np.arange(begin, min(begin + ENTRIES_PER_BATCH, len(chunk)))
        size = len(chosen)
        given = {
            "cluster": pa.repeat(file.cluster, size), "node": pa.repeat(file.node, size),
            "bucket": all_buckets[chosen], "rank": pa.repeat(pa.scalar(rank, pa.int32()), size),
            "position": chunk.positions[chosen], "file": pa.repeat(chunk.file, size),
            "kind": pa.repeat(chunk.kind, size), "offset": chunk.offsets[chosen], "epoch": chunk.epochs[chosen],
            "timestamp_ms": chunk.timestamps[chosen], "control": np.zeros(size, bool),
            "api_key": chunk.api_keys[chosen], "version": chunk.versions[chosen], "raw": values_of(chunk, chosen),
        }  # fmt: skip
        arrays = [pa.array(given[field.name], field.type) for field in schema]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _bucket(shard: bytes, buckets: int) -> int:
    return zlib.crc32(shard) % buckets if buckets > 1 else 0


def _replay_task(
    batches: Iterator[Any], replay: Replay, plans: Mapping[tuple[str, str], ReplayPlan], groups_of: Mapping[str, int]
) -> Iterator[Any]:
    made = _MadeTables(replay.tables)
    for node, placed in groupby(_node_chunks(batches), key=itemgetter(0)):
        chunks = [chunk for _, chunk in placed]
        yield from made.of_group(groups_of[node[0]], replay.replay(plans[node], chunks.copy))
    yield made.rest()


class _MadeTables:
    """Rows that replay makes, put together as long as they are about the same group of clusters."""

    def __init__(self, tables: Mapping[str, Columns]) -> None:
        self._rows = {name: Rows(columns) for name, columns in tables.items()}
        self._group = 0

    def of_group(self, group: int, made: Iterable[tuple[str, Any]]) -> Iterator[Any]:
        """Take rows of one group, and yield blobs that are full, and those of another group."""
        if group != self._group:
            yield self.rest()
            self._group = group
        pa = extra("pyarrow")
        for table, rows in made:
            blobs = Blobs(group)
            if isinstance(rows, pa.Table):
                blobs.add_table(table, rows)
                yield blobs.batch()
                continue
            self._rows[table].add(rows)
            if self._rows[table].has_full:
                blobs.add_full(table, self._rows[table])
                yield blobs.batch()

    def rest(self) -> Any:
        """Return what is left, and forget it."""
        blobs = Blobs(self._group)
        for name, kept in self._rows.items():
            blobs.add_rows(name, kept)
        return blobs.batch()


def _node_chunks(batches: Iterator[Any]) -> Iterator[tuple[tuple[str, str], RecordChunk]]:
    """Yield ((cluster, node), chunk) from sorted rows of entries: a chunk for each file and batch of rows."""
    pc = extra("pyarrow.compute")
    for batch in batches:
        ends: set[int] = set()
        for name in ("cluster", "node", "file"):
            ends.update(pc.run_end_encode(batch.column(name)).run_ends.to_pylist())
        begin = 0
        for end in sorted(ends):
            rows = batch.slice(begin, end - begin)
            columns = {name: rows.column(name) for name in rows.schema.names}
            cluster, node, file, kind = (columns[name][0].as_py() for name in ("cluster", "node", "file", "kind"))
            yield (cluster, node), chunk_of_columns(file, kind, columns)
            begin = end


def entries_of_rows(batches: Iterator[Any]) -> Iterator[Entry]:
    """Yield the entries in the result of :meth:`SparkEngine.ordered_entries`, if all are of one node."""
    for row in _plain_rows(batches):
        yield Entry(*row[_ENTRY_AT:])


def _plain_rows(batches: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
