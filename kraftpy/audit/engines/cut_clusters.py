"""Clusters that are *cut*, because one of their nodes is too large for one task: read, replayed and asked in parts.

1. The *first pass* reads every file once, one task per split group (``reading.splits``). Batches and counts stay on the
   executors. Only summaries and control entries come to the driver, and TopicRecords only of topics that were removed,
   so the amount grows with elections and removals, not with the data.
2. *Replay* reads the files of the nodes to be replayed once more. A small node is replayed by the task that reads it,
   with others of its group of clusters. A large node is replayed in parts: its records are sent to the bucket of their
   shard (``buckets``), and a task replays a bucket.
3. The *tables* are what the workers returned: rows in Arrow's IPC format under the name of their table (``blobs``).
   Questions about large ones are asked in a task for each group of whole clusters (``cluster_groups``).
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from kraftpy.audit.engines.asking import Wanted
from kraftpy.audit.engines.blobs import Blob, Blobs
from kraftpy.audit.engines.buckets import BUCKET_BYTES, BucketTask, Node, OffsetRange, in_buckets
from kraftpy.audit.engines.cluster_groups import WHOLE_BYTES, GroupAsking, ask_task, cluster_groups, group_count
from kraftpy.audit.engines.cluster_tasks import UNREADABLE_SQL, Part
from kraftpy.audit.engines.counts import COUNT_PARTS
from kraftpy.audit.engines.driver_tables import tables_named
from kraftpy.audit.engines.protocol import AsOf, Planned, Replay, ReplayPlan
from kraftpy.audit.engines.row_batches import Rows
from kraftpy.audit.engines.spark_jobs import SparkJobs
from kraftpy.audit.engines.spark_tables import SparkTables, is_named, payloads
from kraftpy.audit.engines.work_done import Amount, amount_of_files, amount_of_splits, counted_by_tasks
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import AUTHOR_COLUMNS, BATCH_COLUMNS, COUNT_COLUMNS, Columns, arrow_table
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.entries import decode
from kraftpy.audit.reading.file_tables import file_tables
from kraftpy.audit.reading.filesystem import InputError, read_small
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.reader import files_of_replay
from kraftpy.audit.reading.record_chunks import RecordChunk, replay_chunks
from kraftpy.audit.reading.rows import ControlEntry, FileSummary
from kraftpy.audit.reading.splits import SPLIT_BYTES, InputSplit, SplitGroup, split_groups
from kraftpy.audit.reading.summaries import file_summaries
from kraftpy.model.errors import MalformedError
from kraftpy.records.metadata import RemoveTopicRecord, TopicRecord

_SUMMARY, _CONTROL_ENTRIES, _TOPICS = "summary", "control_entries", "topics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Where clusters are cut.

    Attributes:
        split_bytes: see ``reading.splits.SPLIT_BYTES``.
        bucket_bytes: see ``buckets.BUCKET_BYTES``.
        whole_bytes: see ``cluster_groups.WHOLE_BYTES``.
    """

    split_bytes: int
    bucket_bytes: int
    whole_bytes: int

    @classmethod
    def of(
        cls, split_bytes: int | None = None, bucket_bytes: int | None = None, whole_bytes: int | None = None
    ) -> Cuts:
        """Return these, or the usual ones."""
        return cls(
            split_bytes=split_bytes or SPLIT_BYTES,
            bucket_bytes=bucket_bytes or BUCKET_BYTES,
            whole_bytes=WHOLE_BYTES if whole_bytes is None else whole_bytes,
        )


class CutClusters:
    """The clusters that are cut, whose rows go to the engine's tables."""

    def __init__(self, replay: Replay, jobs: SparkJobs, tables: SparkTables, cuts: Cuts) -> None:
        self._replay = replay
        self._jobs = jobs
        self._tables = tables
        self._cuts = cuts
        self._groups: dict[str, int] = {}
        self._torn: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def load(self, files: Sequence[KraftFile], as_of: AsOf) -> None:
        """Read and replay the files of all clusters that are cut.

        Raises:
            InputError: when a worker cannot read what this process can.
            LocalError: when the state of ``as_of`` is not in the files any more.
        """
        summaries, control_entries = self.first_pass([file for file in files if file.has_batches])
        planned = self._replay.plan(summaries, control_entries, as_of)
        for name, (columns, rows) in file_tables(files, summaries).items():
            self._tables.add(name, arrow_table(columns, rows))
        self._replay_all(files, planned)

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read files once, make ``batches``, ``authors`` and ``record_counts``, and return what planning needs.

        Raises:
            InputError: when a worker cannot read what this process can.
        """
        self._groups = cluster_groups(files, self._jobs.cores)
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
            topics = passed.filter(partial(is_named, names={_TOPICS})).flatMap(partial(_topic_task, removed=removed))
            control_entries += topics.collect()
        made = {"batches": BATCH_COLUMNS, "authors": AUTHOR_COLUMNS, COUNT_PARTS: COUNT_COLUMNS}
        self._tables.add_blobs(passed, made, {})
        self._tables.add_counts()
        if any(summary.problems for summary in summaries):
            self._check_shared(files)
        return summaries, control_entries

    def in_buckets(
        self,
        files: Sequence[KraftFile],
        takers: Mapping[Node, OffsetRange],
        task: BucketTask,
        count: Callable[[Amount], None] | None = None,
        bucket_bytes: int | None = None,
    ) -> Any:
        """Run a task over the wanted records of some nodes; see :func:`buckets.in_buckets`."""
        return in_buckets(
            self._jobs, self._replay, files, takers, task, groups_of=self._split_groups,
            bucket_bytes=bucket_bytes or self._cuts.bucket_bytes, count=count,
        )  # fmt: skip

    def ask(self, wanted: Wanted) -> list[Part]:
        """Ask the clusters, a task for each group of them."""
        tables = self._tables
        texts = [*(each.query(wanted.limit) for each in wanted.questions), *(each.text for each in wanted.queries)]
        named = set().union(*(tables_named(text, tables.names) for text in texts))
        far = {name: tables.blobs[name] for name in named & tables.blobs.keys()}
        small = {name: tables.near.table(name) for name in named - far.keys()}
        small |= {name: own for name, (_, _, own) in far.items() if own.num_rows}
        columns = {name: each for name, (_, each, _) in far.items()}
        asking = GroupAsking(wanted, self._groups, small, columns)
        rdds = [rdd.filter(partial(is_named, names=names)) for rdd, names in _by_rdd(far)]
        context = self._jobs.context
        blobs = context.union(rdds) if rdds else context.emptyRDD()
        spread = blobs.keyBy(attrgetter("group")).partitionBy(group_count(self._groups), int)
        found: list[Part] = spread.mapPartitionsWithIndex(partial(ask_task, asking=asking)).collect()
        return found

    def _first_pass(self, files: Sequence[KraftFile]) -> tuple[Any, dict[str, list[Any]]]:
        """Return the blobs of all files and what planning needs of them.

        Files whose splits do not meet are read in one piece.
        """
        groups = self._split_groups(files)
        task = partial(_first_pass_task, groups_of=self._groups)
        total = amount_of_splits(split for group in groups for split in group)
        jobs = self._jobs
        with counted_by_tasks(jobs.progress, jobs.context, "reading", total) as count:
            passed = jobs.persisted(jobs.over(groups, task, count, amount_of_splits))
            return passed, _collected(passed, _SUMMARY, _CONTROL_ENTRIES)

    def _split_groups(self, files: Sequence[KraftFile]) -> list[SplitGroup]:
        whole = [file for file in files if file.path in self._torn]
        others = [file for file in files if file.path not in self._torn]
        split_bytes = self._cuts.split_bytes
        groups = split_groups(others, split_bytes=split_bytes, at_least=self._jobs.cores) if others else []
        return [*groups, *((InputSplit(file, 0, file.size),) for file in whole)]

    def _check_shared(self, files: Sequence[KraftFile]) -> None:
        by_path = {file.path: file for file in files}
        check_shared(by_path, self._tables.sql(UNREADABLE_SQL).to_pylist())

    def _replay_all(self, files: Sequence[KraftFile], planned: Planned) -> None:
        files_of: dict[Node, list[KraftFile]] = defaultdict(list)
        for file in files:
            files_of[file.cluster, file.node].append(file)
        small: dict[int, list[tuple[ReplayPlan, list[KraftFile]]]] = defaultdict(list)
        large: dict[Node, ReplayPlan] = {}
        for plan in planned.plans:
            node = (plan.cluster, plan.node)
            of_node = files_of_replay(files_of[node], node)
            if _size(of_node) > self._cuts.whole_bytes:
                large[node] = plan
            else:
                small[self._groups[plan.cluster]].append((plan, of_node))
        planned_rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for table, row in planned.rows:
            planned_rows[table].append(row)
        items = [(group, nodes) for group, each in small.items() for nodes in self._bins(each)]
        sent = [file for node in large for file in files_of_replay(files_of[node], node)]
        total = amount_of_files([*sent, *(file for item in items for _, of_node in item[1] for file in of_node)])
        jobs, parts = self._jobs, []
        with counted_by_tasks(jobs.progress, jobs.context, "replaying", total) as count:
            if items:
                parts.append(jobs.over(items, partial(replay_task, replay=self._replay), count, _amount_of_nodes))
            if large:
                task = partial(replay_bucket, replay=self._replay, plans=large, groups_of=self._groups)
                parts.append(self.in_buckets(sent, large, task, count))
            states = jobs.persisted(jobs.context.union(parts)) if parts else None
            self._tables.add_blobs(states, self._replay.tables, planned_rows)

    def _bins(
        self, nodes: Sequence[tuple[ReplayPlan, list[KraftFile]]]
    ) -> Iterator[list[tuple[ReplayPlan, list[KraftFile]]]]:
        """Cut small nodes into what one task replays each, by the bytes of their files."""
        held, size = list[tuple[ReplayPlan, list[KraftFile]]](), 0
        for plan, files in nodes:
            if held and size + _size(files) > self._cuts.whole_bytes:
                yield held
                held, size = [], 0
            held.append((plan, files))
            size += _size(files)
        yield held


def check_shared(by_path: Mapping[str, KraftFile], unreadable: Iterable[Mapping[str, str]]) -> None:
    """Reject files that exist here and not on a worker: that is a problem of the worker, not of the file.

    Args:
        by_path: the files.
        unreadable: rows of ``cluster_tasks.UNREADABLE_SQL``.

    Raises:
        InputError: when this process can read one of them.
    """
    for row in unreadable:
        with suppress(OSError):
            read_small(by_path[row["file"]].address, 1)
            raise InputError(
                f"a worker reports that {row['detail']}; here it can be read. Files must be on every worker under "
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


def _collected(blobs: Any, *names: str) -> dict[str, list[Any]]:
    """Return what tasks returned under some names, unpickled: these are our own bytes."""
    left = payloads(blobs, names)
    return {name: [pickle.loads(payload) for payload in left.get(name, ())] for name in names}  # noqa: S301 - our own bytes


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


def replay_task(
    nodes_of_group: tuple[int, Sequence[tuple[ReplayPlan, Sequence[KraftFile]]]], replay: Replay
) -> Iterator[Blob]:
    """Read and replay the small nodes of a group of clusters, one after another."""
    group, nodes = nodes_of_group
    made = _MadeTables(replay.tables, group)
    for plan, files in nodes:
        yield from made.add(replay.replay(plan, partial(replay_chunks, files, plan.bounds)))
    yield from made.rest()


def _amount_of_nodes(nodes_of_group: tuple[int, Sequence[tuple[ReplayPlan, Sequence[KraftFile]]]]) -> Amount:
    return amount_of_files(file for _, files in nodes_of_group[1] for file in files)


def replay_bucket(
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
