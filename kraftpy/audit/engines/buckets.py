"""Records of large nodes in buckets: whole shards, which a task replays in the order in which one process reads.

A task reads a split, and sends the records to the bucket of their shard, one message for each chunk and bucket. Spark
moves a message as bytes. A bucket's task sorts its messages by their place and hands their records on.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple, Protocol

from kraftpy.audit.engines.protocol import Replay
from kraftpy.audit.engines.spark_jobs import SparkJobs
from kraftpy.audit.engines.work_done import Amount, amount_of_splits
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.reader import files_of_replay
from kraftpy.audit.reading.record_chunks import RecordChunk, chunks_of, is_empty, part_of
from kraftpy.audit.reading.splits import SplitGroup

BUCKET_BYTES: Final = 32 * 1024 * 1024
"""A node's shards are distributed over one bucket for each of this many bytes of its files."""

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


def in_buckets(
    jobs: SparkJobs,
    replay: Replay,
    files: Sequence[KraftFile],
    takers: Mapping[Node, OffsetRange],
    task: BucketTask,
    *,
    groups_of: Callable[[Sequence[KraftFile]], Sequence[SplitGroup]],
    bucket_bytes: int,
    count: Callable[[Amount], None] | None = None,
) -> Any:
    """Run a task over the wanted records of some nodes, whole shards at a time, in the order of one process.

    Args:
        jobs: run it.
        replay: knows the shard of a record.
        files: of those nodes.
        takers: the wanted offsets, by node.
        task: receives a node and its chunks.
        groups_of: returns what one task reads each.
        bucket_bytes: see ``BUCKET_BYTES``.
        count: see ``work_done``; counts what was read and sent to its bucket.
    """
    ranks: dict[str, int] = {}
    wanted: list[KraftFile] = []
    buckets: list[Bucket] = []
    for node, taker in takers.items():
        of_node = files_of_replay(files, node)
        ranks.update({file.path: rank for rank, file in enumerate(of_node)})
        wanted += [file for file in of_node if not is_empty(taker.bounds(file.path, file.kind))]
        bucket_count = 1 + sum(file.size for file in of_node) // bucket_bytes
        buckets += [Bucket(node, number) for number in range(bucket_count)]
    send = partial(send_task, replay=replay, takers=takers, ranks=ranks, buckets=numbered(buckets))
    spread = jobs.over(groups_of(wanted), send, count, amount_of_splits).partitionBy(len(buckets), int)
    return spread.mapPartitionsWithIndex(partial(bucket_task, buckets=buckets, task=task))


def numbered(buckets: Sequence[Bucket]) -> dict[Node, tuple[int, int]]:
    """Return for each node the number of its first bucket's partition, and how many buckets it has."""
    counts = Counter(bucket.node for bucket in buckets)
    return {bucket.node: (index, counts[bucket.node]) for index, bucket in enumerate(buckets) if not bucket.number}


# What runs in the workers.


def send_task(
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


def bucket_task(
    partition: int, placed: Iterable[tuple[int, PlacedChunk]], buckets: Sequence[Bucket], task: BucketTask
) -> Iterable[Any]:
    """Run a task over what was sent to one bucket."""
    chunks = sorted((each for _, each in placed), key=_place)
    return task(buckets[partition].node, [each.chunk for each in chunks]) if chunks else ()
