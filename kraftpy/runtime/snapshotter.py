"""Write snapshots of the published image, and clean the log below them.

A snapshot is due after a configured number of bytes of log since the last one, or after a configured time with at least
one new record (an idle cluster writes none). It is written in a thread from an immutable image, frozen in the storage
queue, and only then reported to the replica. Each node writes its own.

A failed snapshot is retried with increasing delay: without snapshots the log grows forever. Only a failed fsync and a
violated invariant stop the node. While snapshots fail, each attempt is logged and counted.

Source: KIP-630 §When to Snapshot; Kafka ``SnapshotGenerator``, ``KafkaMetadataLog.maybeClean``.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher, snapshot_groups
from kraftpy.model.errors import KraftError, LocalError, StorageError, SyncFailedError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import VoterSet
from kraftpy.records.snapshot import SNAPSHOT_BATCH_BYTES, SnapshotEncoder
from kraftpy.runtime.disk_executor import DiskExecutor
from kraftpy.runtime.durations import DurationCounts
from kraftpy.storage.snapshots import SnapshotStore, SnapshotWriter

_log = structlog.get_logger("kraftpy.snapshot")


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotPolicy:
    """When to make a snapshot; ``interval_ms`` of 0 leaves only the bytes to decide."""

    bytes_between: int
    interval_ms: int


@dataclass(frozen=True, slots=True)
class QuorumAt:
    """The quorum state from the log's control records at a snapshot's end."""

    voters: VoterSet | None
    kraft_version: int


RETRY_MIN_MS = 1_000
"""How long after a failure the next attempt begins; twice as long after each further one."""

RETRY_MAX_MS = 600_000
"""The longest time between two attempts, and so between two log lines with the reason of the failure."""


GROUP_PAUSE_S = 0.001
"""How long the writing thread pauses after each group of at most 1,024 records, so that a leader does not lose its
leadership while a million records are written: without the pause the loop waits for the GIL at every step."""


@dataclass(frozen=True, slots=True)
class SnapshotFacts:
    """What is measured of snapshots.

    Attributes:
        age_ms: of the latest one made here.
        latest_ms: when that was made.
        times: how long each took that was made here, from its begin until it was frozen.
    """

    error_count: int
    latest_bytes: int
    age_ms: int | None
    unfrozen_bytes: int
    latest_ms: int | None = None
    times: DurationCounts = field(default_factory=DurationCounts)


class Snapshotter(MetadataPublisher):
    """The publisher that decides when, and the thread that writes.

    Args:
        quorum_at: voters and kraft.version in force just below an offset.
        on_frozen: called on the loop with the id of a snapshot that is on disk.
        lane: where it waits for the disk.
        on_failed: called on the loop with what the node must stop for: a failed fsync, or a broken invariant. It is
            raised by default.

    Attributes:
        disabled: why no snapshot is begun any more: the node stops.
        trouble: why the last attempt made none; ``None`` once one was made.
        error_count: how many attempts made none, ever.
        latest_bytes: the size of the latest snapshot made here.
        latest_ms: when that was made; ``None`` for never.
        unfrozen_bytes: how much log was loaded since a snapshot was made, or loaded.
        times: how long each snapshot took, from its begin until it was frozen.
    """

    name = "snapshots"

    def __init__(
        self,
        *,
        store: SnapshotStore,
        policy: SnapshotPolicy,
        quorum_at: Callable[[int], QuorumAt],
        on_frozen: Callable[[OffsetAndEpoch], None],
        now_ms: Callable[[], int],
        on_failed: Callable[[BaseException], None] | None = None,
        lane: DiskExecutor | None = None,
    ) -> None:
        self._lane = lane or DiskExecutor()
        self._store = store
        self._policy = policy
        self._quorum_at = quorum_at
        self._on_frozen = on_frozen
        self._now_ms = now_ms
        self._on_failed = on_failed or _raise
        self._bytes = 0
        self._since_ms = now_ms()
        self._image: MetadataImage | None = None
        self._writing: asyncio.Future[SnapshotWriter] | None = None
        self._stopping = threading.Event()
        self.disabled: str | None = None
        self.trouble: str | None = None
        self.error_count = 0
        self.latest_bytes = 0
        self.latest_ms: int | None = None
        self.unfrozen_bytes = 0
        self.times = DurationCounts()
        self._failures_in_a_row = 0
        self._retry_at_ms: int | None = None

    # ---------------------------------------------------------------- publisher

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Count what was loaded, and begin a snapshot when one is due."""
        del delta
        loaded = getattr(manifest, "bytes", None)
        if loaded is None:
            self._restart_counters()
            self._note_frozen(0)
        else:
            self._bytes += loaded
            self.unfrozen_bytes += loaded
        self._image = image
        self.maybe_begin(self._now_ms())

    def follow(self, policy: SnapshotPolicy) -> None:
        """Keep to another policy; a snapshot that is due by it begins with the next publication, or by its time."""
        self._policy = policy

    @property
    def bytes_between(self) -> int:
        """After how many bytes of the log a snapshot is due."""
        return self._policy.bytes_between

    def close(self) -> None:
        """Make no more snapshots; one that is being written stops at its next piece (see :meth:`finish`)."""
        self.disabled = "the node stops"
        self._stopping.set()

    @property
    def facts(self) -> SnapshotFacts:
        """What is measured."""
        age_ms = None if self.latest_ms is None else self._now_ms() - self.latest_ms
        return SnapshotFacts(
            self.error_count, self.latest_bytes, age_ms, self.unfrozen_bytes, self.latest_ms, self.times
        )

    # ---------------------------------------------------------------- deciding

    def next_deadline_ms(self) -> int | None:
        """Return when the interval is over, if there is something new to write by then; or when to try again."""
        if self._writing is not None or self.disabled:
            return None
        if self._image is None or not self._image.provenance.batch_aligned:
            # Only another publication can change that, and it asks by itself.
            return None
        if self._retry_at_ms is not None:
            return self._retry_at_ms
        if self._policy.interval_ms <= 0 or self._bytes == 0:
            return None
        return self._since_ms + self._policy.interval_ms

    def maybe_begin(self, now_ms: int) -> bool:
        """Begin a snapshot if one is due and can be made."""
        image = self._image
        if image is None or self._writing is not None or self.disabled is not None:
            return False
        by_bytes = self._bytes >= self._policy.bytes_between
        if not image.provenance.batch_aligned or not self._is_due(now_ms, by_bytes=by_bytes):
            return False
        if image.unknown.count:
            kinds = ", ".join(str(kind) for kind in sorted(image.unknown.counts))
            self._retry_later(
                f"the log holds records that this version does not know, and a snapshot would drop: {kinds}. The log "
                "grows until the node runs a version that knows them",
            )
            return False
        snapshot_id = image.provenance.snapshot_id
        if snapshot_id in self._store.ids:
            self._restart_counters()
            self._note_frozen(0)
            return False
        self._begin(image, snapshot_id, by_bytes=by_bytes)
        return True

    def _is_due(self, now_ms: int, *, by_bytes: bool) -> bool:
        if self._retry_at_ms is not None:
            return now_ms >= self._retry_at_ms
        by_time = 0 < self._policy.interval_ms <= now_ms - self._since_ms
        return self._bytes > 0 and (by_bytes or by_time)

    def _begin(self, image: MetadataImage, snapshot_id: OffsetAndEpoch, *, by_bytes: bool) -> None:
        _log.info("snapshot_begun", snapshot=str(snapshot_id), after_bytes=self._bytes, by_bytes=by_bytes)
        self._restart_counters()
        quorum = self._quorum_at(snapshot_id.offset)
        now_ms = self._now_ms()
        loop = asyncio.get_running_loop()
        self._writing = loop.run_in_executor(
            None, write_snapshot, self._store, image, quorum, now_ms, lambda: self._stopping.wait(GROUP_PAUSE_S)
        )
        self._writing.add_done_callback(lambda future: self._done(future, snapshot_id, now_ms))

    def _done(self, future: asyncio.Future[SnapshotWriter], snapshot_id: OffsetAndEpoch, begun_ms: int) -> None:
        self._writing = None
        if future.cancelled():
            return
        try:
            self._freeze(future.result(), snapshot_id, begun_ms)
        except BaseException as error:  # noqa: BLE001 - a callback's exception would only be logged: it is passed on
            self._judge(error)

    def _judge(self, error: BaseException) -> None:
        match error:
            case SyncFailedError():
                self._on_failed(error)
            case KraftError():
                self._retry_later(str(error))
            case Exception():
                # Every node has this state, so every node would stop for it, one after the other.
                self._retry_later(f"{type(error).__name__}: {error}", error)
            case _:
                self._on_failed(error)

    def _retry_later(self, reason: str, defect: Exception | None = None) -> None:
        """Log that the snapshot failed, with the reason, and schedule a retry."""
        if self.disabled is not None:
            return
        self.trouble = reason
        self.error_count += 1
        pause_ms = min(RETRY_MIN_MS << min(self._failures_in_a_row, RETRY_MAX_MS.bit_length()), RETRY_MAX_MS)
        self._failures_in_a_row += 1
        self._retry_at_ms = self._now_ms() + pause_ms
        _log.error(
            "snapshot_failed",
            reason=reason,
            attempts=self._failures_in_a_row,
            next_attempt_in_ms=pause_ms,
            bytes_since_the_last=self.unfrozen_bytes,
            exc_info=defect,
        )

    def _note_frozen(self, unfrozen_bytes: int) -> None:
        """Note that a snapshot is there which leaves so much of the log to the next one."""
        self.unfrozen_bytes = unfrozen_bytes
        self.trouble, self._failures_in_a_row, self._retry_at_ms = None, 0, None

    def _freeze(self, writer: SnapshotWriter, snapshot_id: OffsetAndEpoch, begun_ms: int) -> None:
        if self.disabled is not None or self._is_overtaken(snapshot_id):
            self._lane.put(writer.abort, lambda _: None, on_failed=self._judge)
        else:
            self._lane.put(
                writer.freeze_file, lambda _: self._frozen_as(snapshot_id, writer, begun_ms), on_failed=self._judge
            )

    def _frozen_as(self, snapshot_id: OffsetAndEpoch, writer: SnapshotWriter, begun_ms: int) -> None:
        overtaken = self._is_overtaken(snapshot_id)
        self._store.add(snapshot_id)
        if overtaken:
            # A download came to its end while this one waited for the disk: the log starts behind it by now.
            latest = self._store.latest
            assert latest is not None
            _, delete = self._store.begin_delete_below(latest.offset)
            self._lane.put(delete, lambda _: None, on_failed=self._judge)
            return
        self.latest_bytes, self.latest_ms = writer.size, self._now_ms()
        self.times.add(self.latest_ms - begun_ms)
        # What was loaded since it was begun is not in it.
        self._note_frozen(self._bytes)
        self._on_frozen(snapshot_id)

    def _is_overtaken(self, snapshot_id: OffsetAndEpoch) -> bool:
        """Return whether a newer snapshot was downloaded while this one was written: the log starts after it now."""
        latest = self._store.latest
        return latest is not None and latest > snapshot_id

    def _restart_counters(self) -> None:
        self._bytes, self._retry_at_ms = 0, None
        self._since_ms = self._now_ms()

    async def finish(self) -> None:
        """Wait for the thread that writes a snapshot, if it does; :meth:`close` makes it stop soon."""
        if self._writing is not None:
            await asyncio.wait([self._writing])


def _raise(error: BaseException) -> None:
    raise error


def snapshot_pieces(
    image: MetadataImage, quorum: QuorumAt, now_ms: int, given_up: Callable[[], bool] = lambda: False
) -> Iterator[bytes]:
    """Encode an image as the bytes of a snapshot file, piece by piece.

    Raises:
        LocalError: ``given_up`` returned true between two groups of records.
    """
    encoder = SnapshotEncoder(
        epoch=image.provenance.snapshot_id.epoch,
        timestamp_ms=now_ms,
        last_contained_log_timestamp_ms=image.provenance.timestamp_ms,
        kraft_version=quorum.kraft_version,
        voters=quorum.voters if quorum.kraft_version >= 1 else None,
        batch_bytes=SNAPSHOT_BATCH_BYTES,
    )
    return encoder.encode(_until(snapshot_groups(image), given_up, image.provenance.snapshot_id))


def _until(
    groups: Iterator[list[bytes]], given_up: Callable[[], bool], snapshot_id: OffsetAndEpoch
) -> Iterator[list[bytes]]:
    for group in groups:
        if given_up():
            raise LocalError(f"snapshot {snapshot_id} was given up")
        yield group


def write_snapshot(
    store: SnapshotStore,
    image: MetadataImage,
    quorum: QuorumAt,
    now_ms: int,
    given_up: Callable[[], bool] = lambda: False,
) -> SnapshotWriter:
    """Write the snapshot of ``image`` to its partial file and flush it; blocking. The caller then freezes it.

    ``given_up`` is called before every group of records; it may pause, to release the interpreter to the loop.

    Raises:
        LocalError: ``given_up`` returned true.
        StorageError: a disk operation failed.
    """
    writer = store.create(image.provenance.snapshot_id)
    try:
        for piece in snapshot_pieces(image, quorum, now_ms, given_up):
            writer.append(piece)
        writer.sync()
    except BaseException:
        # No other code has the file yet. The first error is raised, even if the removal fails as well: if it was a
        # failed fsync, the node has to stop. A file that remains is removed by the next start.
        with suppress(StorageError):
            writer.abort()
        raise
    return writer
