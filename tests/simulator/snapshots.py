"""The snapshotter with actions of the world in the place of its thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from kraftpy.image import MetadataImage
from kraftpy.model.errors import KraftError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.runtime.snapshotter import Snapshotter, write_snapshot
from kraftpy.storage.snapshots import SnapshotWriter

WRITING_MS = 7
"""How long a snapshot is on its way: enough for turns to come between."""


class SimulatedSnapshotter(Snapshotter):
    """Decides as the real one does; what the thread would do happens at one moment, some turns later."""

    def __init__(self, *, schedule: Callable[[int, Callable[[], None]], None], **parts: object) -> None:
        super().__init__(**parts)
        self._schedule = schedule

    def begin_at_once(self) -> None:
        """Make one as if it were due, if anything is new."""
        if self._bytes:
            self._bytes = max(self._bytes, self._policy.bytes_between)
            self.maybe_begin(self._now_ms())

    def _begin(self, image: MetadataImage, snapshot_id: OffsetAndEpoch, *, by_bytes: bool) -> None:
        self._restart_counters()
        quorum = self._quorum_at(snapshot_id.offset)
        now_ms = self._now_ms()
        writing: Future[SnapshotWriter] = Future()
        self._writing = writing

        def write() -> None:
            try:
                writing.set_result(write_snapshot(self._store, image, quorum, now_ms))
            except KraftError as error:
                writing.set_exception(error)
            self._done(writing, snapshot_id, now_ms)

        self._schedule(WRITING_MS, write)
