"""The snapshotter and the cleaner at the moments when the replica's log is not what it was when they looked."""

from __future__ import annotations

import random
from concurrent.futures import Future
from types import SimpleNamespace

from kraftpy.image import EMPTY, MetadataDelta, Provenance
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord
from kraftpy.records.snapshot import SNAPSHOT_BATCH_BYTES, SnapshotEncoder, read_snapshot
from kraftpy.runtime.cleaner import Cleaner, RetentionPolicy
from kraftpy.runtime.snapshotter import QuorumAt, SnapshotPolicy, Snapshotter, snapshot_pieces
from kraftpy.storage.directory import MetadataDirectory
from tests.unit.storage.logs import ROOT, T0, TINY, batches, disk


def opened():
    return MetadataDirectory.open(disk(), ROOT, TINY, random.Random(1).randbytes)


def written(directory, snapshot_id):
    writer = directory.snapshots.create(snapshot_id)
    encoder = SnapshotEncoder(epoch=snapshot_id.epoch, timestamp_ms=T0, last_contained_log_timestamp_ms=T0)
    for piece in encoder.encode([]):
        writer.append(piece)
    return writer


def test_a_snapshot_that_a_download_overtook_is_dropped():
    """When a newer snapshot arrived while one was written, the older one never appears below the log's start."""
    directory, reported = opened(), []
    snapshotter = Snapshotter(
        store=directory.snapshots,
        policy=SnapshotPolicy(bytes_between=1, interval_ms=0),
        quorum_at=lambda _: QuorumAt(None, 0),
        on_frozen=reported.append,
        now_ms=lambda: 0,
    )
    older, newer = OffsetAndEpoch(1, 5), OffsetAndEpoch(1, 9)
    done = Future()
    done.set_result(written(directory, older))
    written(directory, newer).freeze()
    snapshotter._done(done, older, 0)
    assert directory.snapshots.ids == (newer,)
    assert reported == []


def test_the_cleaner_keeps_what_this_disk_has_not_flushed():
    """A log never starts behind what is flushed here, though a majority of others committed it."""
    directory = opened()
    log = directory.log
    log.append(batches(0, 4), T0)
    log.sync()
    flushed = log.end_offset
    log.append(batches(flushed, 2), T0)
    for end in (flushed - 1, flushed, log.end_offset):
        written(directory, OffsetAndEpoch(1, end)).freeze()
    starts = []
    replica = SimpleNamespace(
        high_watermark=log.end_offset,
        log_start_advanced=lambda offset, _left: starts.append(offset),
        is_servable=lambda _: True,
        is_being_fetched=lambda _: False,
    )
    Cleaner(directory=directory, replica=replica, policy=RetentionPolicy(retention_bytes=0)).clean(T0)
    assert starts == [flushed]
    assert log.start_offset == flushed == log.flushed_offset


def test_no_log_is_cut_for_a_snapshot_without_a_majority():
    """It may hold a wrong state: the log before it stays, and of several such snapshots the oldest and the newest."""
    directory = opened()
    log = directory.log
    log.append(batches(0, 4), T0)
    log.sync()
    ends = [OffsetAndEpoch(1, offset) for offset in range(log.end_offset - 4, log.end_offset + 1)]
    for snapshot_id in ends:
        written(directory, snapshot_id).freeze()
    reported = []
    replica = SimpleNamespace(
        high_watermark=log.end_offset,
        log_start_offset=0,
        log_start_advanced=lambda offset, left: reported.append((offset, left)),
        is_servable=lambda snapshot_id: snapshot_id == ends[0],
        is_being_fetched=lambda _: False,
    )
    cleaner = Cleaner(directory=directory, replica=replica, policy=RetentionPolicy(retention_bytes=0))
    cleaner.clean(T0)
    assert (log.start_offset, reported) == (0, [(0, (ends[0], ends[1], ends[4]))])
    assert directory.snapshots.ids == (ends[0], ends[1], ends[4])
    replica.is_servable = lambda _: True
    replica.is_being_fetched = lambda snapshot_id: snapshot_id == ends[1]
    cleaner.clean(T0)
    assert (log.start_offset, directory.snapshots.ids) == (ends[1].offset, (ends[1], ends[4]))
    replica.is_being_fetched = lambda _: False
    cleaner.clean(T0)
    assert (log.start_offset, directory.snapshots.ids) == (ends[4].offset, (ends[4],))


def test_a_snapshot_is_written_in_pieces_that_are_loaded_quickly():
    """Batches are small enough that loading one blocks nothing."""
    delta = MetadataDelta(EMPTY)
    configs = [ConfigRecord(16, f"name-{number:05d}", "key", "x" * 30) for number in range(40_000)]
    delta.replay_all([FeatureLevelRecord("metadata.version", 30), *configs])
    image = delta.apply(Provenance(len(configs), 1, 0, batch_aligned=True))
    batches_written = read_snapshot(b"".join(snapshot_pieces(image, QuorumAt(None, 0), T0))).batches
    assert len(batches_written) > 2
    assert all(batch.size <= SNAPSHOT_BATCH_BYTES for batch in batches_written)
