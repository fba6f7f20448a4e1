"""Which snapshots are being fetched from a leader: its cleaner keeps them that long.

A leader with small retention limits, or many writes, would else drop a snapshot before a slow replica has all of it.
The replica starts again with the next snapshot, which is dropped too, and never catches up. How long a snapshot is kept
is limited, so no replica, and no stranger, fills the leader's disk.

Source: ours. Kafka answers SNAPSHOT_NOT_FOUND, and the replica starts again (KIP-630 §FetchSnapshot).
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.offsets import OffsetAndEpoch

SNAPSHOT_FETCH_MS_MAX: Final = 600_000
"""How long a snapshot is kept because it is being fetched (ms), counted from the first request for it."""


class SnapshotFetches:
    """When each snapshot of a leader was asked for, at first and at last."""

    __slots__ = ("_asked_ms",)

    def __init__(self) -> None:
        self._asked_ms: dict[OffsetAndEpoch, tuple[int, int]] = {}

    def note(self, snapshot_id: OffsetAndEpoch, now_ms: int) -> None:
        """Note a request for a part of a snapshot that this leader has."""
        first_ms, _ = self._asked_ms.get(snapshot_id, (now_ms, now_ms))
        self._asked_ms[snapshot_id] = (first_ms, now_ms)

    def are_under_way(self, snapshot_id: OffsetAndEpoch, now_ms: int, pause_ms: int) -> bool:
        """Return whether a replica is still fetching a snapshot.

        Args:
            snapshot_id: which one.
            now_ms: the time.
            pause_ms: how long after the last request a fetch is over.
        """
        if snapshot_id not in self._asked_ms:
            return False
        first_ms, last_ms = self._asked_ms[snapshot_id]
        return now_ms - last_ms < pause_ms and now_ms - first_ms < SNAPSHOT_FETCH_MS_MAX

    def retain(self, snapshot_ids: tuple[OffsetAndEpoch, ...]) -> None:
        """Forget all but these snapshots: the others were dropped."""
        self._asked_ms = {one: asked for one, asked in self._asked_ms.items() if one in snapshot_ids}
