"""Compaction in Spark: shards are replayed by tasks, and the records of their states sorted by tasks.

Spark moves bytes, and its SQL engine is not started:

1. A task replays a *bucket*, some shards of the node (``engines.buckets``), and returns the records of their states in
   *runs*, sorted. Runs stay on the executors, on disk if there is no memory left.
2. The driver receives what cannot be written, and a sample of the records' places in the snapshot, from which it
   chooses *ranges* of about equal size.
3. Runs are cut at the ranges and sent to one task for each, which merges them. The driver fetches the ranges one after
   another, in order, while it writes the file. So it holds two ranges at a time,
   the second of which is fetched ahead, and a task holds one.
"""

from __future__ import annotations

import pickle
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import merge
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from kraftpy.audit.compaction.entities import SnapshotEntry
from kraftpy.audit.compaction.replayed import Replayed, check_replayed, replayed
from kraftpy.audit.compaction.target import Edge, Target
from kraftpy.audit.engines.asking import ClusterQuery
from kraftpy.audit.engines.buckets import BUCKET_BYTES
from kraftpy.audit.engines.choice import spark_engine
from kraftpy.audit.engines.protocol import ProgressReport
from kraftpy.audit.engines.work_done import Amount, amount_of_files, counted_by_tasks
from kraftpy.audit.optional_dependencies import own_process
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.record_chunks import RecordChunk
from kraftpy.audit.reading.rows import LOG, ControlEntry, FileSummary
from kraftpy.audit.replay import REPLAY
from kraftpy.audit.replay.plan import NodePlan
from kraftpy.audit.spark import job_errors

if TYPE_CHECKING:
    from kraftpy.audit.engines.spark import SparkEngine

BUCKET_BYTES_MIN: Final = 4 * 1024 * 1024
"""A bucket has records of at least this many bytes of files. Replay takes some 2 s of CPU time for them."""

BUCKETS_WANTED: Final = 64
"""Buckets are larger rather than more than this, up to ``buckets.BUCKET_BYTES``: each gets a message of each chunk."""

RUN_BYTES: Final = 1024 * 1024
"""A run is closed when its records have this many bytes."""

SAMPLE_BYTES: Final = 64 * 1024
"""The driver receives the place of one record for each of this many bytes of records."""

RANGE_BYTES: Final = 16 * 1024 * 1024
"""The bytes of records, roughly, that one task merges, and that the driver fetches at a time."""

Place = tuple[int, bytes]
"""Section and key of a record: its place in the snapshot."""


class Run(NamedTuple):
    """Records of a bucket in order, or what cannot be written of it.

    Attributes:
        sample: places of some of them.
        payload: the records, pickled.
        outcome: of replay, without the records.
    """

    sample: Sequence[Place]
    payload: bytes
    outcome: Replayed


class InSpark:
    """Read, replayed and sorted by Spark's tasks."""

    def __init__(self, master: str | None, progress: ProgressReport | None) -> None:
        self._engine: SparkEngine = spark_engine(REPLAY, master, progress)

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read all files once."""
        with job_errors():
            return self._engine.first_pass(files)

    def edges(self, plan: NodePlan, until: int) -> tuple[Edge | None, Edge | None]:
        """Query the table of batches."""
        mine = (
            "SELECT base_offset, last_offset + 1 AS end_offset, epoch, max_timestamp_ms FROM batches "
            f"WHERE cluster = {_quoted(plan.cluster)} AND node = {_quoted(plan.node)} AND kind = '{LOG}' "
            "AND problem IS NULL"
        )
        columns = ("end_offset", "epoch", "max_timestamp_ms")
        before = ClusterQuery("before", f"SELECT * FROM ({mine}) mine WHERE end_offset <= {until}",
                              ", ".join(f"{column} DESC" for column in columns), 1)  # fmt: skip
        after = ClusterQuery(
            "after", f"SELECT * FROM ({mine}) mine WHERE base_offset < {until} AND end_offset > {until}",
            ", ".join(columns), 1,
        )  # fmt: skip
        return self._edge(before), self._edge(after)

    def stated(self, files: Sequence[KraftFile], target: Target) -> Iterator[SnapshotEntry]:
        """Replay by buckets, merge by ranges, and fetch the ranges in order."""
        jobs, node = self._engine.jobs, (target.plan.cluster, target.plan.node)
        total = amount_of_files(files)
        bucket_bytes = bucket_size(total[0])
        buckets = 1 + total[0] // bucket_bytes
        with job_errors():
            with counted_by_tasks(jobs.progress, jobs.context, "replaying", total) as count:
                task = partial(runs_task, target=target, count=count, share=share_of(total, buckets))
                runs = jobs.persisted(self._engine.in_buckets(files, {node: target}, task, bucket_bytes=bucket_bytes))
                found = runs.map(_seen).collect()
            check_replayed(outcome for _, outcome in found)
            bounds = bounds_of(place for sample, _ in found for place in sample)
            ranges = runs.flatMap(partial(cut_task, bounds=bounds)).partitionBy(len(bounds) + 1, int)
            for payload in ranges.mapPartitions(merge_task).toLocalIterator(prefetchPartitions=True):
                yield from pickle.loads(payload)  # noqa: S301 - our own bytes

    def close(self) -> None:
        """Release the tables and the runs."""
        self._engine.close()

    def _edge(self, query: ClusterQuery) -> Edge | None:
        rows = self._engine.by_cluster(query).to_pylist()
        return Edge(*(rows[0][name] for name in Edge._fields)) if rows else None


def _quoted(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def bucket_size(size: int) -> int:
    """Return the bytes of files for each bucket of a node that has that many bytes."""
    return min(max(BUCKET_BYTES_MIN, size // BUCKETS_WANTED), max(BUCKET_BYTES, BUCKET_BYTES_MIN))


def share_of(total: Amount, parts: int) -> Amount:
    """Return what one of several tasks counts: they have equal shares, and what is left over is counted at the end."""
    return total[0] // parts, total[1] // parts


def bounds_of(sample: Iterable[Place]) -> list[Place]:
    """Return the first places of all ranges but the first one, from places that represent equal amounts."""
    places = sorted(sample)
    step = max(RANGE_BYTES // SAMPLE_BYTES, 1)
    return places[step::step]


# What runs in the workers.


def _seen(run: Run) -> tuple[Sequence[Place], Replayed]:
    """Return what the driver needs of a run."""
    return run.sample, run.outcome


def runs_task(
    _node: tuple[str, str],
    chunks: Sequence[RecordChunk],
    target: Target,
    count: Callable[[Amount], None] | None = None,
    share: Amount = (0, 0),
) -> Iterator[Run]:
    """Replay the chunks of a bucket, and yield the records of its states in runs."""
    own_process()
    made = replayed((entry for chunk in chunks for entry in chunk.entries()), target)
    nothing = made._replace(entries=())
    if nothing != Replayed(()):
        yield Run((), b"", nothing)
    run: list[SnapshotEntry] = []
    sample: list[Place] = []
    size, unsampled = 0, None
    for each in made.entries:
        if unsampled is None:
            # Buckets may have less than a sample each: from a random place on, but the same one in every attempt.
            unsampled = crc32(each.key) % SAMPLE_BYTES
        run.append(each)
        size += len(each.key) + len(each.value)
        unsampled += len(each.key) + len(each.value)
        if unsampled >= SAMPLE_BYTES:
            sample.append((each.section, each.key))
            unsampled = 0
        if size >= RUN_BYTES:
            yield Run(sample, pickle.dumps(run), nothing)
            run, sample, size = [], [], 0
    if run:
        yield Run(sample, pickle.dumps(run), nothing)
    if count is not None:
        count(share)


def cut_task(run: Run, bounds: Sequence[Place]) -> Iterator[tuple[int, bytes]]:
    """Yield the records of a run with the number of their range."""
    entries: list[SnapshotEntry] = pickle.loads(run.payload) if run.payload else []  # noqa: S301 - our own bytes
    places = [(entry.section, entry.key) for entry in entries]
    ends = [*(bisect_left(places, bound) for bound in bounds), len(entries)]
    for number, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        if begin < end:
            yield number, pickle.dumps(entries[begin:end])


def merge_task(parts: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    """Merge the parts of one range, and yield its records."""
    runs: list[list[SnapshotEntry]] = [pickle.loads(payload) for _, payload in parts]  # noqa: S301 - our own bytes
    piece: list[SnapshotEntry] = []
    size = 0
    for each in merge(*runs):
        piece.append(each)
        size += len(each.value)
        if size >= RUN_BYTES:
            yield pickle.dumps(piece)
            piece, size = [], 0
    if piece:
        yield pickle.dumps(piece)
