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
        super().__init__(**parts)  # type: ignore[arg-type]
        self._schedule = schedule

    def _begin(self, image: MetadataImage, snapshot_id: OffsetAndEpoch, *, by_bytes: bool) -> None:
        self._restart_counters()
        quorum = self._quorum_at(snapshot_id.offset - 1)
        now_ms = self._now_ms()
        writing: Future[SnapshotWriter] = Future()
        self._writing = writing  # type: ignore[assignment]

        def write() -> None:
            try:
                writing.set_result(write_snapshot(self._store, image, quorum, now_ms))
            except KraftError as error:
                writing.set_exception(error)
            self._done(writing, snapshot_id)  # type: ignore[arg-type]

        self._schedule(WRITING_MS, write)
