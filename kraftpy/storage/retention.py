"""Which snapshots to drop, and how far the log may start later for it: a pure function.

Walk from the oldest, always keeping the newest: first by size, then by time. Dropping a snapshot moves the log's start
to the end of the next one, so the log always starts at a snapshot that is kept. The first snapshot that must stay ends
the walk.

Source: raft §16.3; KIP-630 §When to Delete Snapshots; Kafka ``KafkaMetadataLog.maybeClean``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kraftpy.model.offsets import Offset, OffsetAndEpoch

UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class SnapshotInfo:
    """What the decision needs to know of a snapshot.

    Attributes:
        snapshot_id: which one.
        size: its bytes.
        last_contained_timestamp_ms: the time of the newest record in it.
        is_being_fetched: whether a replica is fetching it.
    """

    snapshot_id: OffsetAndEpoch
    size: int
    last_contained_timestamp_ms: int
    is_being_fetched: bool = False


@dataclass(frozen=True, slots=True)
class CleaningPlan:
    """What to do: first advance the log's start, then mark the snapshots deleted.

    Attributes:
        drop: the snapshots to drop, ascending.
        log_start: the new start of the log; the present one when nothing is dropped.
    """

    drop: tuple[OffsetAndEpoch, ...]
    log_start: Offset


def plan_cleaning(
    snapshots: Sequence[SnapshotInfo],
    *,
    log_size_bytes: int,
    log_start: Offset,
    high_watermark: Offset,
    now_ms: int,
    retention_bytes: int = UNLIMITED,
    retention_ms: int = UNLIMITED,
) -> CleaningPlan:
    """Decide what the two limits make superfluous.

    Args:
        snapshots: ascending.
        log_size_bytes: what the log's segments take; it counts with the snapshots against ``retention_bytes``.
        log_start: where the log starts now.
        high_watermark: the log's start never passes it.
        now_ms: the time.
        retention_bytes: keep no more than this, -1 for no limit.
        retention_ms: keep nothing whose newest record is older, -1 for no limit.
    """
    kept = list(snapshots)
    start = log_start
    total = log_size_bytes + sum(snapshot.size for snapshot in kept)

    def too_large(_oldest: SnapshotInfo) -> bool:
        return 0 <= retention_bytes < total

    def too_old(oldest: SnapshotInfo) -> bool:
        return 0 <= retention_ms < now_ms - oldest.last_contained_timestamp_ms

    rules: tuple[Callable[[SnapshotInfo], bool], ...] = (too_large, too_old)
    for is_superfluous in rules:
        while len(kept) >= 2 and is_superfluous(kept[0]) and not kept[0].is_being_fetched:
            following = kept[1].snapshot_id.offset
            if not start < following <= min(kept[-1].snapshot_id.offset, high_watermark):
                break
            start = following
            total -= kept.pop(0).size
    dropped = snapshots[: len(snapshots) - len(kept)]
    return CleaningPlan(tuple(snapshot.snapshot_id for snapshot in dropped), start)
