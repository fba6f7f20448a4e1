"""Logs that were cleaned: who is behind gets a snapshot first."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing

from kraftpy.client.values import SnapshotBegins, SnapshotEnds, SnapshotPart, WatchedBatch
from kraftpy.records.batch import split_batches
from tests.fakes.processes import (
    PATIENCE_S,
    check_offsets,
    described,
    eventually,
    groups_in,
    parsed,
    running,
    under_load,
)

SMALL = {
    "metadata.log.max.record.bytes.between.snapshots": "8000",
    "metadata.max.retention.bytes": "30000",
    # No log is cut for a snapshot before a majority has the state behind it.
    "metadata.log.state.digest.interval.ms": "200",
    "metadata.log.segment.bytes": "16384",
    "metadata.log.segment.min.bytes": "4096",
}


async def cleaned(cluster, node_id, beyond):
    """Wait until a node's log starts above an offset."""
    gauges = await eventually(
        lambda: cluster.metrics(node_id),
        lambda one: one.get("kraft_log_start_offset", 0.0) > beyond,
        f"the log of {node_id} was cleaned beyond {beyond}",
    )
    return int(gauges["kraft_log_start_offset"])


async def events_from(client, offset, upto):
    """What a watch from an offset brings, until another one has come, in a batch or in a snapshot."""
    found = []
    async with asyncio.timeout(PATIENCE_S), aclosing(client.watch(offset)) as events:
        async for event in events:
            found.append(event)
            if isinstance(event, WatchedBatch) and event.last_offset >= upto:
                break
            if isinstance(event, SnapshotEnds) and event.end_offset > upto:
                break
    return found


def check_snapshot_first(found, offset):
    """One whole snapshot that reaches beyond the offset asked for, then the log from its end; returns its groups."""
    assert isinstance(found[0], SnapshotBegins)
    ends = [event for event in found if isinstance(event, SnapshotEnds)]
    assert len(ends) == 1
    assert ends[0].end_offset == found[0].end_offset > offset
    at = found.index(ends[0])
    assert all(isinstance(event, SnapshotPart) for event in found[1:at])
    batches = found[at + 1 :]
    check_offsets(batches, start=found[0].end_offset)
    snapshot = [batch for event in found[1:at] for batch in split_batches(event.records)]
    return groups_in([*snapshot, *parsed(batches)])


async def test_watching_from_an_offset_that_is_gone(tmp_path):
    """A watch from an offset that was cleaned begins with a snapshot and goes on at its end, each offset once."""
    async with running(tmp_path, controllers=1, extra=SMALL) as cluster:
        await cluster.leader()
        async with under_load(cluster, writers=8) as load:
            start = await cleaned(cluster, 1, 10)
            await load.grow(20)
        await cluster.caught_up(1, load.last_offset)
        async with cluster.client() as client:
            for offset in (0, start - 1):
                found = await events_from(client, offset, load.last_offset)
                assert load.missing(check_snapshot_first(found, offset)) == {}
        segments = [int(path.stem) for path in cluster.data(1).glob("*.log")]
        assert min(segments) > 0, "the segments before the log's start are gone"


async def test_a_follower_that_slept_through_a_cleaning(tmp_path):
    """A follower whose next offset is gone at the leader fetches a snapshot, and has everything in the end."""
    async with running(tmp_path, extra=SMALL) as cluster:
        leader_id = await cluster.leader()
        sleeper = next(node_id for node_id in cluster.controller_ids if node_id != leader_id)
        async with under_load(cluster, writers=8) as load:
            await load.grow(5)
            await cluster.kill(sleeper)
            end = load.last_offset
            await cleaned(cluster, leader_id, end + 20)
            await cluster.start(sleeper)
            await cluster.states(sleeper, "snapshot_installed")
            await load.grow(20)
        await cluster.caught_up(sleeper, load.last_offset)
        async with cluster.client(sleeper) as client:
            assert load.missing(await described(client)) == {}
            found = await events_from(client, end + 20, load.last_offset)
            assert load.missing(check_snapshot_first(found, 0)) == {}
        installed = re.findall(r"snapshot_installed .*snapshot='\(offset=(\d+)", cluster.log_of(sleeper))
        assert int(installed[0]) > end
