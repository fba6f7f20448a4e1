"""Snapshots of the published image, and the cleaning they allow.

A snapshot is due when so many bytes of log were loaded since the last one, or so much time went by with at least one
new record (a quiet cluster makes none). It is written in a thread from an image that nobody can change, frozen in the
storage lane, and only then told to the replica. Each node makes its own.

Source: KIP-630 §When to Snapshot; Kafka ``SnapshotGenerator``, ``KafkaMetadataLog.maybeClean``.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import structlog

from kraftpy.image import Manifest, MetadataDelta, MetadataImage, snapshot_groups
from kraftpy.model.errors import DiskFullError, KraftError, LocalError, StorageError, SyncFailedError
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import VoterSet
from kraftpy.records.snapshot import SNAPSHOT_BATCH_BYTES, SnapshotEncoder
from kraftpy.runtime.lane import StorageLane
from kraftpy.storage.snapshots import SnapshotStore, SnapshotWriter

_log = structlog.get_logger("kraftpy.snapshot")


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotPolicy:
    """When to make a snapshot; ``interval_ms`` of 0 leaves only the bytes to decide."""

    bytes_between: int
    interval_ms: int


@dataclass(frozen=True, slots=True)
class QuorumAt:
    """What the log's control records say at a snapshot's end."""

    voters: VoterSet | None
    kraft_version: int


GROUP_PAUSE_S = 0.001
"""How long the writing thread stands aside after each group of at most 1,024 records, so that a million records do not
cost a leader its office: without it the loop waits its turn for the interpreter at every one of its own."""


class Snapshotter:
    """The publisher that decides when, and the thread that writes.

    Args:
        quorum_at: voters and kraft.version in force just below an offset.
        frozen: called on the loop with the id of a snapshot that is on disk.
        lane: where it waits for the disk.
        failed: called on the loop with what the node must stop for: a failed fsync, or a bug. By default it is raised.
    """

    name = "snapshots"

    def __init__(
        self,
        *,
        store: SnapshotStore,
        policy: SnapshotPolicy,
        quorum_at: Callable[[int], QuorumAt],
        frozen: Callable[[OffsetAndEpoch], None],
        now_ms: Callable[[], int],
        failed: Callable[[BaseException], None] | None = None,
        lane: StorageLane | None = None,
    ) -> None:
        self._lane = lane or StorageLane()
        self._store = store
        self._policy = policy
        self._quorum_at = quorum_at
        self._frozen = frozen
        self._now_ms = now_ms
        self._failed = failed or _raise
        self._bytes = 0
        self._since_ms = now_ms()
        self._image: MetadataImage | None = None
        self._writing: asyncio.Future[SnapshotWriter] | None = None
        self._stopping = threading.Event()
        self.disabled: str | None = None
        self.latest_bytes = 0

    # ---------------------------------------------------------------- publisher

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Count what was loaded, and begin a snapshot when one is due."""
        del delta
        loaded = getattr(manifest, "bytes", None)
        if loaded is None:
            self._restart_counters()
        else:
            self._bytes += loaded
        self._image = image
        self.maybe_begin(self._now_ms())

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Who leads does not matter here."""

    def close(self) -> None:
        """Make no more snapshots; one that is being written stops at its next piece (see :meth:`finish`)."""
        self.disabled = "the node stops"
        self._stopping.set()

    # ---------------------------------------------------------------- deciding

    def next_deadline_ms(self) -> int | None:
        """Return when the interval is over, if there is something new to write by then."""
        if self._policy.interval_ms <= 0 or self._bytes == 0 or self._writing is not None or self.disabled:
            return None
        if self._image is None or not self._image.provenance.batch_aligned:
            # Only another publication can change that, and it asks by itself.
            return None
        return self._since_ms + self._policy.interval_ms

    def maybe_begin(self, now_ms: int) -> bool:
        """Begin a snapshot if one is due and can be made."""
        image = self._image
        if image is None or self._writing is not None or self.disabled is not None or self._bytes == 0:
            return False
        by_bytes = self._bytes >= self._policy.bytes_between
        by_time = 0 < self._policy.interval_ms <= now_ms - self._since_ms
        if not (by_bytes or by_time) or not image.provenance.batch_aligned:
            return False
        if image.unknown.count:
            kinds = ", ".join(str(kind) for kind in sorted(image.unknown.counts))
            self.disabled = f"the log holds records that this version does not know, and a snapshot would drop: {kinds}"
            _log.error("snapshots are disabled", reason=self.disabled)
            return False
        snapshot_id = image.provenance.snapshot_id
        if snapshot_id in self._store.ids:
            self._restart_counters()
            return False
        self._begin(image, snapshot_id, by_bytes=by_bytes)
        return True

    def _begin(self, image: MetadataImage, snapshot_id: OffsetAndEpoch, *, by_bytes: bool) -> None:
        _log.info("writing a snapshot", snapshot=str(snapshot_id), after_bytes=self._bytes, by_bytes=by_bytes)
        self._restart_counters()
        quorum = self._quorum_at(snapshot_id.offset)
        now_ms = self._now_ms()
        loop = asyncio.get_running_loop()
        self._writing = loop.run_in_executor(
            None, write_snapshot, self._store, image, quorum, now_ms, lambda: self._stopping.wait(GROUP_PAUSE_S)
        )
        self._writing.add_done_callback(lambda future: self._done(future, snapshot_id))

    def _done(self, future: asyncio.Future[SnapshotWriter], snapshot_id: OffsetAndEpoch) -> None:
        self._writing = None
        if future.cancelled():
            return
        try:
            self._freeze(future.result(), snapshot_id)
        except BaseException as error:  # noqa: BLE001 - a callback's exception would only be logged: it is passed on
            self._judge(error)

    def _judge(self, error: BaseException) -> None:
        match error:
            case DiskFullError():
                _log.error("no room for a snapshot; the next one is tried when it is due", reason=str(error))
            case KraftError() if not isinstance(error, SyncFailedError):
                if self.disabled is None:
                    self.disabled = str(error)
                    _log.error("a snapshot failed; no more will be made until the node restarts", reason=str(error))
            case _:
                self._failed(error)

    def _freeze(self, writer: SnapshotWriter, snapshot_id: OffsetAndEpoch) -> None:
        if self.disabled is not None or self._is_overtaken(snapshot_id):
            self._lane.put(writer.abort, lambda _: None, failed=self._judge)
        else:
            self._lane.put(writer.freeze_file, lambda _: self._frozen_as(snapshot_id, writer), failed=self._judge)

    def _frozen_as(self, snapshot_id: OffsetAndEpoch, writer: SnapshotWriter) -> None:
        overtaken = self._is_overtaken(snapshot_id)
        self._store.add(snapshot_id)
        if overtaken:
            # A download came to its end while this one waited for the disk: the log starts behind it by now.
            latest = self._store.latest
            assert latest is not None
            _, delete = self._store.begin_delete_below(latest.offset)
            self._lane.put(delete, lambda _: None, failed=self._judge)
            return
        self.latest_bytes = writer.size
        self._frozen(snapshot_id)

    def _is_overtaken(self, snapshot_id: OffsetAndEpoch) -> bool:
        """Say whether a newer snapshot was downloaded while this one was written: the log starts behind it by now."""
        latest = self._store.latest
        return latest is not None and latest > snapshot_id

    def _restart_counters(self) -> None:
        self._bytes = 0
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
        LocalError: ``given_up`` said so between two groups of records.
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
    """Write the snapshot of ``image`` to its partial file and flush it; blocking. What is left is to freeze it.

    ``given_up`` is asked before every group of records; it may wait a moment, to leave the interpreter to the loop.

    Raises:
        LocalError: ``given_up`` said so.
        StorageError: the disk said no.
    """
    writer = store.create(image.provenance.snapshot_id)
    try:
        for piece in snapshot_pieces(image, quorum, now_ms, given_up):
            writer.append(piece)
        writer.sync()
    except BaseException:
        # Nobody has the file yet. What went wrong first is what is raised, whatever the disk says to its removal: were
        # it a failed fsync, the node has to end. A file that stays is removed by the next start.
        with suppress(StorageError):
            writer.abort()
        raise
    return writer
