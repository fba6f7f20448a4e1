"""The state to write: which node, up to which offset, and whether it can be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kraftpy.audit.reading.rows import LOG, SNAPSHOT, FileSummary
from kraftpy.audit.replay.plan import OFFSET_MAX, NodePlan
from kraftpy.model.errors import KraftError
from kraftpy.model.features import BY_LEVEL
from kraftpy.model.offsets import OffsetAndEpoch


class CompactionError(KraftError):
    """No snapshot can be written; the text has the reason and a way out."""


class Edge(NamedTuple):
    """Where a batch of the log ends.

    Attributes:
        end_offset: the offset after its last record.
    """

    end_offset: int
    epoch: int
    max_timestamp_ms: int


UNSTATED: Final = min(BY_LEVEL)
"""The metadata.version of a log without one: Kafka 3.0 to 3.2 wrote no such record, and later versions read it so."""

Edges = Callable[[int], tuple[Edge | None, Edge | None]]
"""Return for an offset the last batch of a node's log that ends at or before it, and the batch that it cuts, if any."""


@dataclass(frozen=True, slots=True)
class Target:
    """The snapshot to write.

    Attributes:
        plan: how its state is replayed; without snapshots to compare.
        snapshot_id: its end offset and epoch, which make its name.
        last_contained_ms: the time of the last batch that is in it.
        level: the metadata.version in force.
    """

    plan: NodePlan
    snapshot_id: OffsetAndEpoch
    last_contained_ms: int
    level: int

    def takes(self, file: str, kind: str, offset: int) -> bool:
        """Return whether a record belongs to the replay."""
        if kind == SNAPSHOT:
            return self.plan.base is not None and file == self.plan.base.file
        return kind == LOG and self.plan.start <= offset < self.plan.until

    def bounds(self, file: str, kind: str) -> tuple[int, int]:
        """Return the offsets of a file that belong to the replay, as ``[from, to)``."""
        if kind == LOG:
            return self.plan.start, self.plan.until
        return (0, OFFSET_MAX) if self.takes(file, kind, 0) else (0, 0)


def choose_plan(plans: Iterable[NodePlan], cluster: str | None) -> NodePlan:
    """Return the plan of the cluster's most advanced node.

    Raises:
        CompactionError: when it is not clear which cluster is meant.
    """
    primaries = {plan.cluster: plan for plan in plans if plan.is_primary}
    if cluster is not None and cluster not in primaries:
        raise CompactionError(f"there is no cluster {cluster!r}; there are: {', '.join(sorted(primaries)) or 'none'}")
    if cluster is None and len(primaries) != 1:
        raise CompactionError(
            f"there are {len(primaries)} clusters ({', '.join(sorted(primaries))}): name one with --cluster"
        )
    return primaries[next(iter(primaries)) if cluster is None else cluster]


def check_whole(plan: NodePlan, summaries: Sequence[FileSummary], at: int | None) -> None:
    """Reject a log that is corrupt or incomplete.

    Raises:
        CompactionError: when bytes before the end are corrupt, or the log does not reach that far, or back.
    """
    if plan.is_partial:
        raise CompactionError(
            f"the log starts at offset {plan.start} and no snapshot reaches it: its state is not there. Name the "
            "directory with its checkpoints, too"
        )
    mine = [summary for summary in summaries if (summary.cluster, summary.node) == (plan.cluster, plan.node)]
    if plan.base is not None:
        base = next(summary for summary in mine if summary.file == plan.base.file)
        if base.problems:
            raise CompactionError(f"{base.file} is corrupt, and the log starts from it: kraftpy audit shows where")
    reached, last = plan.start, ""
    for summary in sorted(
        (summary for summary in mine if summary.kind == LOG and summary.first_offset >= 0), key=_first
    ):
        if summary.first_offset > reached:
            break
        reached, last = max(reached, summary.end_offset), f" ({summary.file} ends there)"
        if summary.problems:
            break
    if at is not None and at > reached:
        raise CompactionError(
            f"the log can be read up to offset {reached} and no further{last}, asked for was {at}: "
            f"--at {reached} takes that much"
        )
    corrupt = [summary.file for summary in mine if summary.kind == LOG and summary.problems]
    if at is None and corrupt:
        raise CompactionError(
            f"{corrupt[0]} is corrupt (kraftpy audit shows where); up to offset {reached} the log is whole: "
            f"--at {reached} takes that much"
        )
    if at is None and reached < plan.until:
        raise CompactionError(f"the log has a gap at offset {reached}: --at {reached} takes what is before it")


def _first(summary: FileSummary) -> int:
    return summary.first_offset


def target_of(plan: NodePlan, edges: Edges) -> Target:
    """Return what is to be written.

    Args:
        plan: of the node.
        edges: where the node's batches end.

    Raises:
        CompactionError: when the end is inside a batch or a transaction, or no metadata.version is known there.
    """
    until = plan.until
    before, after = edges(until)
    if after is not None:
        low = plan.start if before is None else before.end_offset
        raise CompactionError(
            f"offset {until} is inside a batch, and a snapshot ends where a batch does: "
            f"--at {low} or --at {after.end_offset}"
        )
    begin = _open_at(plan, until)
    if begin is not None:
        raise CompactionError(
            f"offset {until} is inside a transaction that began at {begin}: --at {_last_end(plan, begin, edges)}"
        )
    if before is not None and before.end_offset == until:
        epoch, time_ms = before.epoch, before.max_timestamp_ms
    elif plan.base is not None and plan.base.end_offset == until:
        epoch, time_ms = plan.base.epoch, plan.base.contained_ms
    else:
        raise CompactionError(f"no batch of the log ends at offset {until}: the log is empty, or starts after it")
    levels = [level for offset, level in plan.levels.get(LOG, ()) if offset < until]
    return Target(plan, OffsetAndEpoch(offset=until, epoch=epoch), max(time_ms, 0), levels[-1] if levels else UNSTATED)


def _open_at(plan: NodePlan, offset: int) -> int | None:
    """Return the begin of the transaction that an offset is inside of."""
    within = (each for each in plan.transactions if each.begin < offset and (each.end is None or each.end >= offset))
    return next((each.begin for each in within), None)


def _last_end(plan: NodePlan, offset: int, edges: Edges) -> int:
    """Return the last offset up to this one at which a batch ends and no transaction is open."""
    begin: int | None = offset
    end = offset
    while begin is not None:
        before, _ = edges(begin)
        end = plan.start if before is None else before.end_offset
        begin = _open_at(plan, end)
    return end
