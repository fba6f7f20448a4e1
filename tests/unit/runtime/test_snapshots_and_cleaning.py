"""The snapshotter and the cleaner at the moments when the replica's log is not what it was when they looked."""

from __future__ import annotations

import random
from concurrent.futures import Future
from types import SimpleNamespace

from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.runtime.cleaner import Cleaner, RetentionPolicy
from kraftpy.runtime.snapshotter import QuorumAt, SnapshotPolicy, Snapshotter
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
    directory, told = opened(), []
    snapshotter = Snapshotter(
        store=directory.snapshots,
        policy=SnapshotPolicy(bytes_between=1, interval_ms=0),
        quorum_at=lambda _: QuorumAt(None, 0),
        frozen=told.append,
        now_ms=lambda: 0,
    )
    older, newer = OffsetAndEpoch(1, 5), OffsetAndEpoch(1, 9)
    done = Future()
    done.set_result(written(directory, older))
    written(directory, newer).freeze()
    snapshotter._done(done, older)
    assert directory.snapshots.ids == (newer,)
    assert told == []


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
        high_watermark=log.end_offset, log_start_advanced=lambda offset, _left: starts.append(offset)
    )
    Cleaner(directory=directory, replica=replica, policy=RetentionPolicy(retention_bytes=0)).clean(T0)
    assert starts == [flushed]
    assert log.start_offset == flushed == log.flushed_offset
