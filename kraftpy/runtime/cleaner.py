"""The cleaner: drop the snapshots and the log that the retention limits make superfluous.

It looks once a minute, for what has grown too old, and after every new snapshot, because a node that is busy writes
more than its limit within a minute; and when a majority vouches for the state, because only then may a log start at a
snapshot that was made here (``raft.guards.state_digests``). Of those that no majority has confirmed yet two are kept:
the oldest, which will be the first, and the newest, which makes the next start short. One that a replica fetches stays
until the replica has it (``raft.snapshot_fetches``).

Source: KIP-630 §When to Delete Snapshots; ``storage.retention`` decides, this module carries out.
"""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from kraftpy.model.offsets import ORIGIN
from kraftpy.raft.replica import Replica
from kraftpy.runtime.disk_executor import DiskExecutor
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.retention import UNLIMITED, SnapshotInfo, plan_cleaning

_log = structlog.get_logger("kraftpy.cleaner")

CLEANING_INTERVAL_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """``metadata.max.retention.*``; -1 is no limit."""

    retention_bytes: int = UNLIMITED
    retention_ms: int = UNLIMITED


class Cleaner:
    """Apply the retention policy to one directory."""

    def __init__(
        self,
        *,
        directory: MetadataDirectory,
        replica: Replica,
        policy: RetentionPolicy,
        lane: DiskExecutor | None = None,
    ) -> None:
        self._lane = lane or DiskExecutor()
        self._directory = directory
        self._replica = replica
        self._policy = policy

    def follow(self, policy: RetentionPolicy) -> None:
        """Keep to another policy from the next cleaning on."""
        self._policy = policy

    def clean(self, now_ms: int) -> int:
        """Clean once, in the driver's turn.

        Returns:
            When to clean again.
        """
        high_watermark = self._replica.high_watermark
        snapshots, log = self._directory.snapshots, self._directory.log
        self._drop_superseded()
        candidates = [one for one in snapshots.ids if one != ORIGIN and self._replica.is_servable(one)]
        if high_watermark is not None and len(candidates) >= 2:
            infos = [
                SnapshotInfo(
                    one,
                    snapshots.size(one),
                    snapshots.last_contained_timestamp_ms(one),
                    is_being_fetched=self._replica.is_being_fetched(one),
                )
                for one in candidates
            ]
            plan = plan_cleaning(
                infos,
                log_size_bytes=log.size_bytes,
                log_start=log.start_offset,
                # A leader commits with its followers' copies before its own is flushed; it keeps what is not.
                high_watermark=min(high_watermark, log.flushed_offset),
                now_ms=now_ms,
                retention_bytes=self._policy.retention_bytes,
                retention_ms=self._policy.retention_ms,
            )
            if plan.drop:
                # First the log, then the snapshots that it needs no longer: it always has one to start at.
                self._lane.put(log.begin_advance_start(plan.log_start), lambda _: None)
                dropped, delete = snapshots.begin_delete_below(plan.log_start)
                self._lane.put(delete, lambda _: None)
                self._replica.log_start_advanced(plan.log_start, snapshots.ids)
                _log.info("cleaned_log", log_start=plan.log_start, snapshots=len(dropped))
        return now_ms + CLEANING_INTERVAL_MS

    def _drop_superseded(self) -> None:
        """Drop all but the first and last snapshot whose digests no majority confirmed: their number could grow."""
        snapshots = self._directory.snapshots
        superseded = [one for one in snapshots.ids if not self._replica.is_servable(one)][1:-1]
        if superseded:
            self._lane.put(snapshots.begin_delete(superseded), lambda _: None)
            self._replica.log_start_advanced(self._replica.log_start_offset, snapshots.ids)
            _log.info("snapshot_superseded", snapshots=len(superseded))
