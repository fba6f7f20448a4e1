"""Compaction in one process or in Spark: the same records in the same order, so the same bytes.

In one process the state's records are sorted in memory. In Spark, tasks replay and sort, and the driver writes the
records into the file range by range (``in_spark``), so it never holds more than a part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from kraftpy.audit.compaction.entities import SnapshotEntry
from kraftpy.audit.compaction.replayed import check_replayed, replayed
from kraftpy.audit.compaction.target import (
    UNSTATED,
    CompactionError,
    Edge,
    Target,
    check_whole,
    choose_plan,
    target_of,
)
from kraftpy.audit.compaction.writing import write_snapshot
from kraftpy.audit.engines.choice import COMPACTION, SPARK, resolve_engine
from kraftpy.audit.engines.protocol import AsOf, ProgressReport
from kraftpy.audit.engines.work_done import FilesDone
from kraftpy.audit.reading.contradictions import contradiction_rows
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.reading.filesystem import absolute
from kraftpy.audit.reading.first_pass import FirstPass, first_passes, joined
from kraftpy.audit.reading.reader import files_of_replay, replay_entries
from kraftpy.audit.reading.rows import LOG, ControlEntry, FileSummary
from kraftpy.audit.reading.unread import relevant_to, unread_of
from kraftpy.audit.replay import REPLAY
from kraftpy.audit.replay.plan import NodePlan
from kraftpy.audit.replay.rows import decode_control_entry
from kraftpy.model.errors import LocalError
from kraftpy.model.voters import VoterSet
from kraftpy.records.control import KRaftVersionRecord, VotersRecord, voter_set_from_record

_BASE_OFFSET, _LAST_OFFSET, _EPOCH, _MAX_TIMESTAMP, _PROBLEM = 6, 7, 8, 12, 15
"""Places in a row of the batches table."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result of a compaction.

    Attributes:
        engine: which engine did it.
        records: data records in it.
        size: bytes.
    """

    path: Path
    cluster: str
    node: str
    engine: str
    end_offset: int
    epoch: int
    records: int
    size: int


def compact(
    paths: Sequence[str],
    out: Path,
    *,
    at: int | None = None,
    cluster: str | None = None,
    engine: str = "auto",
    master: str | None = None,
    progress: ProgressReport | None = None,
) -> Compacted:
    """Write a snapshot of the state before an offset.

    Args:
        paths: files, directories or trees of one cluster.
        out: the directory to write into.
        at: the end offset, exclusive; the log's end by default.
        cluster: its label, if the paths contain several.
        engine: ``auto``, ``local`` or ``spark``.
        master: Spark's master.
        progress: called with the progress.

    Raises:
        CompactionError: when there is nothing to write, with the reason.
        InputError: when the paths contain no metadata log.
        LocalError: when the metadata.version level there has no record for a part of the state.
    """
    files = discover(absolute(paths))
    name = resolve_engine(files, engine, master, COMPACTION)
    worker = _worker(name, master, progress)
    try:
        summaries, control_entries = worker.first_pass([file for file in files if file.has_batches])
        target = _target(worker, summaries, control_entries, at, cluster)
        if at is None:
            _check_read(files, summaries, target)
        mine = [
            file
            for file in files_of_replay(files, (target.plan.cluster, target.plan.node))
            if file.kind == LOG or (target.plan.base is not None and file.path == target.plan.base.file)
        ]
        kraft_version, voters = _quorum(control_entries, target)
        path, records = write_snapshot(out, target, kraft_version, voters, _stated(worker.stated(mine, target), target))
    finally:
        worker.close()
    return Compacted(
        path=path,
        cluster=target.plan.cluster,
        node=target.plan.node,
        engine=name,
        end_offset=target.snapshot_id.offset,
        epoch=target.snapshot_id.epoch,
        records=records,
        size=path.stat().st_size,
    )


def _worker(engine: str, master: str | None, progress: ProgressReport | None) -> _Worker:
    if engine != SPARK:
        return _InProcess(progress)
    from kraftpy.audit.compaction.in_spark import InSpark

    return InSpark(master, progress)


def _check_read(files: Sequence[KraftFile], summaries: Sequence[FileSummary], target: Target) -> None:
    """Reject a log if a file beside it shows that the log was longer.

    Raises:
        CompactionError: with the offset that can be requested.
    """
    plan = target.plan
    unread = relevant_to(unread_of(summaries, contradiction_rows(files, summaries)), plan.cluster, plan.node, None)
    if unread:
        raise CompactionError(f"{unread[0].text}: --at {target.snapshot_id.offset} takes what is there")


def _stated(stated: Iterator[SnapshotEntry], target: Target) -> Iterator[SnapshotEntry]:
    """Reject an empty state before the log contains its metadata.version: that is not a cluster yet."""
    first = next(stated, None)
    if first is None and target.level == UNSTATED:
        raise CompactionError(
            f"cluster {target.plan.cluster or '-'}, node {target.plan.node}: no metadata.version is stated before "
            f"offset {target.snapshot_id.offset}, and nothing else: there is no state to write"
        )
    if first is not None:
        yield first
    yield from stated


class _Worker(Protocol):
    """What both ways of running provide."""

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read all files once."""
        ...

    def edges(self, plan: NodePlan, until: int) -> tuple[Edge | None, Edge | None]:
        """Return a log's last batch that ends at or before an offset, and the batch that the offset cuts."""
        ...

    def stated(self, files: Sequence[KraftFile], target: Target) -> Iterator[SnapshotEntry]:
        """Yield the records of the snapshot, in order."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


def _target(
    worker: _Worker,
    summaries: Sequence[FileSummary],
    control_entries: Sequence[ControlEntry],
    at: int | None,
    cluster: str | None,
) -> Target:
    try:
        planned = REPLAY.plan(summaries, control_entries, AsOf(offset=at))
    except LocalError as error:
        raise CompactionError(str(error)) from error
    plans = [plan for plan in planned.plans if isinstance(plan, NodePlan)]
    plan = replace(choose_plan(plans, cluster), compares=())
    try:
        check_whole(plan, summaries, at)
        return target_of(plan, partial(worker.edges, plan))
    except CompactionError as error:
        raise CompactionError(f"cluster {plan.cluster or '-'}, node {plan.node}: {error}") from error


def _quorum(control_entries: Iterable[ControlEntry], target: Target) -> tuple[int, VoterSet | None]:
    """Return kraft.version and the voter set in force at the end."""
    version, voters = 0, None
    mine = (
        item.entry for item in control_entries if (item.cluster, item.node) == (target.plan.cluster, target.plan.node)
    )
    taken = [entry for entry in mine if entry.control and target.takes(entry.file, entry.kind, entry.offset)]
    for entry in sorted(taken, key=lambda entry: (entry.kind == LOG, entry.offset)):
        record = decode_control_entry(entry)
        if isinstance(record, KRaftVersionRecord):
            version = record.kraft_version
        elif isinstance(record, VotersRecord):
            voters = voter_set_from_record(record)
    return version, voters


class _InProcess:
    """Everything in this process, one file after another."""

    def __init__(self, progress: ProgressReport | None) -> None:
        self._progress = progress
        self._passes: list[FirstPass] = []

    def first_pass(self, files: Sequence[KraftFile]) -> tuple[list[FileSummary], list[ControlEntry]]:
        """Read all files once."""
        self._passes = first_passes(files, self._progress)
        return joined(self._passes)

    def edges(self, plan: NodePlan, until: int) -> tuple[Edge | None, Edge | None]:
        """Search the rows of batches."""
        rows = [
            row
            for each in self._passes
            for row in each.batches
            if (row[0], row[1], row[3]) == (plan.cluster, plan.node, LOG) and row[_PROBLEM] is None
        ]
        edges = [(row[_BASE_OFFSET], Edge(row[_LAST_OFFSET] + 1, row[_EPOCH], row[_MAX_TIMESTAMP])) for row in rows]
        before = max((edge for _, edge in edges if edge.end_offset <= until), default=None)
        after = min((edge for base, edge in edges if base < until < edge.end_offset), default=None)
        return before, after

    def stated(self, files: Sequence[KraftFile], target: Target) -> Iterator[SnapshotEntry]:
        """Replay all shards together and sort."""
        reached = None if self._progress is None else FilesDone(self._progress, "replaying", files).reached
        made = replayed(replay_entries(files, target.takes, reached), target)
        check_replayed([made])
        yield from made.entries

    def close(self) -> None:
        """Forget the rows."""
        self._passes = []
