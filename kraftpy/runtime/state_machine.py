"""The state machine: replay the committed log into images, and pass the images to publishers in a fixed order.

Records are loaded in slices of :data:`LOAD_SLICE_BYTES`, so that a node that lags by a million records still responds
to its peers between slices. Nothing is published until the node has caught up with the high watermark once; from then
on every publication goes to every publisher, in the order in which they were installed, and the last of them responds
to clients.

A committed record that cannot be applied stops every node at the same offset: the batch that holds it and all later
batches are not applied, and the state before that batch is still served (before the transaction, where one is open).
Such a node is :class:`Halted` until it receives a snapshot from a higher offset, or an operator repairs the log. That
state must not depend on how the log was cut into slices, so it is loaded again up to that offset.

The garbage collector is the largest cost of mass decoding: it is off while a backlog is loaded, and the loaded objects
are frozen afterwards (a full collection over a million records would stop the process for longer than an election).

Where the log's own clock enters another period (``image.digest``) a separate image is built, so that all nodes have one
of the same offset to compare. A state that proved wrong is fenced: it no longer changes, and is no longer published.

Source: Kafka ``MetadataLoader`` (what), KIP-630 §Loading Snapshots.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kraftpy.image import (
    EMPTY,
    Manifest,
    MetadataDelta,
    MetadataImage,
    MetadataLoader,
    MetadataPublisher,
    Publication,
    ReplayError,
)
from kraftpy.image.digest import is_checkpoint, is_tick
from kraftpy.image.loader import SnapshotLoading
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.records.batch import Batch, split_batches
from kraftpy.storage.directory import MetadataDirectory

LOAD_SLICE_BYTES = 256 * 1024
"""How much of the log one turn of the driver loads at most (plus one whole batch): some ten milliseconds."""

FREEZE_AFTER_BYTES = 16 * LOAD_SLICE_BYTES
"""So much log is loaded between two freezes: some ten thousand records, a few milliseconds to collect."""


@dataclass(frozen=True, slots=True)
class _SnapshotLoad:
    """A snapshot that is being loaded, and what is left of it."""

    snapshot_id: OffsetAndEpoch
    loading: SnapshotLoading
    batches: Iterator[Batch]


@dataclass(frozen=True, slots=True)
class Halted:
    """Why nothing is applied any more.

    Attributes:
        offset: the first offset that is not applied: where the batch with the bad record begins.
        record_offset: the offset of that record.
        reason: what is wrong with it.
    """

    offset: Offset
    record_offset: Offset
    reason: str

    def __str__(self) -> str:
        return (
            f"applying stopped before offset {self.offset}: {self.reason}. Reads show the state before it. Every node "
            "stops there; the way out is `kraftpy repair show`, with all nodes stopped"
        )


class StateMachine:
    """Own the loader and the publishers; runs in the driver's task.

    Args:
        directory: the log and the snapshots.
        on_halt: called once when a committed record cannot be applied; without it that error is raised to the caller.
        checkpoint_ms: the base period of the log's clock at which states are compared; 0 for never.
        on_checkpoint: called with each image that other nodes have, too, after it was published.

    Attributes:
        halted: why nothing is applied any more, ``None`` while everything is.
        snapshots_loaded: how many snapshots were loaded.
    """

    def __init__(
        self,
        directory: MetadataDirectory,
        on_halt: Callable[[Halted], None] | None = None,
        *,
        checkpoint_ms: int = 0,
        on_checkpoint: Callable[[MetadataImage], None] = lambda _: None,
    ) -> None:
        self._directory = directory
        self._on_halt = on_halt
        self._checkpoint_ms = checkpoint_ms
        self._on_checkpoint = on_checkpoint
        self._fenced = False
        self.halted: Halted | None = None
        self.snapshots_loaded = 0
        self._reloading = False
        self._loader = MetadataLoader()
        self._publishers: list[MetadataPublisher] = []
        self._published: MetadataImage | None = None
        self._first_committed_end: Offset | None = None
        self._leader: LeaderAndEpoch | None = None
        self._unfrozen_bytes = 0
        self._snapshot_due: OffsetAndEpoch | None = None
        self._reading: _SnapshotLoad | None = None

    # ---------------------------------------------------------------- what others may ask

    @property
    def next_offset(self) -> Offset:
        """The first offset that is not loaded yet."""
        return self._loader.next_offset

    @property
    def in_transaction(self) -> bool:
        """Whether a metadata transaction is open at ``next_offset``."""
        return self._loader.in_transaction

    @property
    def caught_up_once(self) -> bool:
        """Whether publishing has begun."""
        return self._published is not None

    @property
    def image(self) -> MetadataImage:
        """The image that was published last; while catching up, what an image was made of so far, if any."""
        return self._published if self._published is not None else self._loader.image

    @property
    def published_end(self) -> Offset:
        """The end of the last batch that is loaded and whose records are published, or never will be."""
        return self._loader.open_from if self._loader.in_transaction else self._loader.next_offset

    def install(self, publishers: Sequence[MetadataPublisher]) -> None:
        """Set the publishers, in the order in which they will be called."""
        names = [publisher.name for publisher in publishers]
        invariant(len(set(names)) == len(names), "publishers have different names", names)
        self._publishers = list(publishers)

    def fence(self) -> None:
        """Load and publish nothing more: the state is wrong."""
        self._fenced = True

    # ---------------------------------------------------------------- calls by the driver

    def snapshot_installed(self, snapshot_id: OffsetAndEpoch) -> None:
        """Note that a downloaded snapshot replaced the log: it is loaded with the next slice."""
        self._snapshot_due = snapshot_id

    def leader_changed(self, leader: LeaderAndEpoch) -> None:
        """Notify every publisher of the leader."""
        if leader == self._leader:
            return
        self._leader = leader
        if self._published is not None:
            for publisher in self._publishers:
                publisher.on_controller_change(leader)

    def has_backlog(self, high_watermark: Offset | None) -> bool:
        """Return whether committed records wait to be loaded."""
        if high_watermark is None or self._fenced:
            return False
        behind = self._loader.next_offset < self._limit(high_watermark) or self._reloading
        return behind or self._reading is not None or self._snapshot_due is not None

    def load_slice(self, high_watermark: Offset | None, leader_high_watermark: Offset | None = None) -> None:
        """Load one slice of what is committed, and publish it when the node has caught up.

        Args:
            high_watermark: up to where this replica knows that its own log is committed.
            leader_high_watermark: the same of the leader's log, which may be longer.

        Raises:
            ReplayError: a committed record cannot be applied, and ``on_halt`` is not set; or a record of a snapshot
                cannot.
            CorruptLogError: the log or the snapshot does not verify.
        """
        if high_watermark is None or self._fenced:
            return
        self._maybe_start_snapshot()
        if self._reading is not None:
            self._load_snapshot_slice(self._reading)
        elif self._loader.next_offset < self._limit(high_watermark):
            self._load_log_slice(self._limit(high_watermark))
        if self._reading is None and self._loader.next_offset >= self._limit(high_watermark):
            if self._published is not None:
                if self._reloading:
                    self._publish_reloaded(self._published)
                self._reloading = False
            elif self._has_caught_up(max(high_watermark, leader_high_watermark or 0)):
                self._publish_first()
                self._reloading = False

    def _has_caught_up(self, committed_end: Offset) -> bool:
        """Return whether everything is loaded that was committed according to the first high watermark received.

        Nothing is published earlier: the state would be older than one that this node's directory, or a client, has
        seen. Records committed in the meantime need not be waited for; nor records that no leader reports as committed
        any more (a quorum that was recovered from a copy).
        """
        self._first_committed_end = committed_end if self._first_committed_end is None else self._first_committed_end
        needed = min(self._first_committed_end, committed_end)
        if self.halted is not None:
            needed = min(needed, self.halted.offset)
        return self._loader.next_offset >= needed

    def _limit(self, high_watermark: Offset) -> Offset:
        """Return up to where records are applied.

        A follower may receive the high watermark with the records themselves, which are in its log some turns later
        when its disk is slow.
        """
        readable_end = min(high_watermark, self._directory.log.end_offset)
        return readable_end if self.halted is None else min(readable_end, self.halted.offset)

    # ---------------------------------------------------------------- loading

    def _maybe_start_snapshot(self) -> None:
        """Start to read a snapshot if one has to be loaded before the log can go on."""
        snapshot_id = self._snapshot_to_load()
        if snapshot_id is None:
            return
        snapshots = self._directory.snapshots
        loading = self._loader.start_snapshot(snapshot_id, snapshots.last_contained_timestamp_ms(snapshot_id))
        self._reading = _SnapshotLoad(snapshot_id, loading, snapshots.batches(snapshot_id))

    def _snapshot_to_load(self) -> OffsetAndEpoch | None:
        """Return the snapshot to load before the log, if any: a fresh download, or the one the log starts at."""
        if self._snapshot_due is not None:
            due, self._snapshot_due = self._snapshot_due, None
            # The log that it replaced may have ended before it, so it can be on its way, or loaded, already.
            if due.offset > self._loader.next_offset and (self._reading is None or self._reading.snapshot_id != due):
                return due
        latest = self._directory.snapshots.latest
        if self._reading is not None or latest is None or latest.offset <= self._loader.next_offset:
            return None
        behind_log = self._loader.next_offset < self._directory.log.start_offset
        return latest if behind_log or self._loader.next_offset == 0 else None

    def _load_snapshot_slice(self, reading: _SnapshotLoad) -> None:
        """Read some batches of a snapshot; the last one makes it the loader's image."""
        budget = LOAD_SLICE_BYTES
        with _PausedCollector():
            for batch in reading.batches:
                reading.loading.take(batch)
                self._unfrozen_bytes += batch.size
                budget -= batch.size
                if budget <= 0:
                    self._maybe_freeze()
                    return
            publication = self._loader.finish_snapshot(reading.loading)
        self._reading = None
        self.snapshots_loaded += 1
        halted = self.halted
        if halted is not None and reading.snapshot_id.offset > halted.offset:
            # It replaces everything, the record that could not be applied too.
            self.halted, self._reloading = None, False
            if self._published is not None:
                self._publish_reloaded(self._published)
        elif self._published is not None and not self._reloading:
            self._maybe_freeze()
            self._publish(publication)

    def _load_log_slice(self, high_watermark: Offset) -> None:
        data = self._directory.log.read(self._loader.next_offset, LOAD_SLICE_BYTES, high_watermark)
        invariant(len(data) > 0, "committed records can be read", self._loader.next_offset, high_watermark)
        self._unfrozen_bytes += len(data)
        # The bytes were verified when they were fetched, written or recovered.
        batches = split_batches(data, verify_crc=False)
        before_ms = self._before_tick(batches)
        try:
            self._load(batches, is_small=len(data) < LOAD_SLICE_BYTES // 4)
        except ReplayError as error:
            if self._on_halt is None or self.halted is not None:
                raise
            self._halt(batches, error, self._on_halt)
            return
        if before_ms is not None:
            self._maybe_compare(batches[-1], before_ms)

    def _before_tick(self, batches: list[Batch]) -> int | None:
        """Keep the batches up to the one with which the log's clock ticks; return the time before that one.

        Those after it are read again in the next turn. A node that catches up builds no images meanwhile.
        """
        if self._checkpoint_ms == 0 or self._published is None or self._reloading:
            return None
        before_ms = self._loader.last_timestamp_ms
        for index, batch in enumerate(batches):
            if is_tick(before_ms, batch.max_timestamp_ms, self._checkpoint_ms):
                del batches[index + 1 :]
                return before_ms
            before_ms = batch.max_timestamp_ms
        return None

    def _maybe_compare(self, last: Batch, before_ms: int) -> None:
        """Hand on the image as of a batch with which the log's clock ticked, if it is one to compare.

        Within a transaction there is no image of that place, on any node.
        """
        image = self._loader.image
        if image.provenance.offset == last.last_offset and is_checkpoint(before_ms, image, self._checkpoint_ms):
            self._on_checkpoint(image)

    def _load(self, batches: Sequence[Batch], *, is_small: bool) -> None:
        if self._published is None or self._reloading:
            with _PausedCollector():
                self._loader.catch_up(batches)
                self._maybe_freeze()
            return
        if is_small:
            publications = self._loader.load_batches(batches)
        else:
            with _PausedCollector():
                publications = self._loader.load_batches(batches)
        self._maybe_freeze()
        for publication in publications:
            self._publish(publication)

    def _halt(self, batches: Sequence[Batch], error: ReplayError, on_halt: Callable[[Halted], None]) -> None:
        """Apply nothing from the bad batch on, and reload everything before it."""
        offset = batches[0].base_offset if error.offset is None else error.offset
        bad = next(batch for batch in batches if batch.next_offset > offset)
        self.halted = Halted(bad.base_offset, offset, str(error))
        # What the loader folded of this slice, and of an open transaction, it cannot give back.
        self._loader, self._reloading = MetadataLoader(), True
        on_halt(self.halted)

    # ---------------------------------------------------------------- publishing

    def _publish_first(self) -> None:
        """Introduce the whole image to every publisher, as a delta from the empty one."""
        self._loader.caught_up()
        self._publish(Publication.complete(EMPTY, self._loader.image))
        if self._leader is not None:
            for publisher in self._publishers:
                publisher.on_controller_change(self._leader)

    def _publish_reloaded(self, published: MetadataImage) -> None:
        """Present a state that was loaded from its beginning to publishers that know an older one."""
        self._loader.caught_up()
        if self._loader.image.provenance.offset != published.provenance.offset:
            self._publish(Publication.complete(published, self._loader.image))

    def _maybe_freeze(self) -> None:
        """Periodically exclude the loaded objects from garbage collection.

        A node that serves collects before it freezes, so that no garbage is kept forever; that is fast because
        everything older is frozen. A node that catches up skips the collection, because decoding creates no cycles, so
        it freezes at once, before the collector runs.
        """
        if self._published is None:
            if self._unfrozen_bytes >= min(FREEZE_AFTER_BYTES, LOAD_SLICE_BYTES // 2):
                self._unfrozen_bytes = 0
                gc.freeze()
        elif self._unfrozen_bytes >= FREEZE_AFTER_BYTES:
            self._unfrozen_bytes = 0
            gc.collect()
            gc.freeze()

    def _publish(self, publication: Publication) -> None:
        self._published = publication.image
        for publisher in self._publishers:
            publisher.on_metadata_update(publication.delta, publication.image, publication.manifest)

    def close(self) -> None:
        """Close the publishers, last one first."""
        for publisher in reversed(self._publishers):
            publisher.close()


class _PausedCollector:
    """Keep the cyclic collector off for a stretch of mass decoding."""

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()


UpdateHook = Callable[[MetadataDelta, MetadataImage, Manifest], None]


class HookPublisher(MetadataPublisher):
    """A publisher made of functions, for steps that need no class of their own."""

    def __init__(
        self, name: str, on_update: UpdateHook, on_leader: Callable[[LeaderAndEpoch], None] | None = None
    ) -> None:
        self.name = name
        self._on_update = on_update
        self._on_leader = on_leader

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Pass the update on."""
        self._on_update(delta, image, manifest)

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Pass the change on, where it is wanted."""
        if self._on_leader is not None:
            self._on_leader(leader)
