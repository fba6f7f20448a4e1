"""Clocks that jump while the nodes run: the wall clock is ignored; a leader whose monotonic clock jumps resigns."""

from __future__ import annotations

import signal
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.fakes.processes import STEADY, check_offsets, described, eventually, parsed, running, under_load, watched

pytestmark = pytest.mark.landing

JUMPY_NODE = Path(__file__).with_name("jumpy_node.py")
DAY_S = 86_400
SLACK_S = 120
"""How far a timestamp may be from the truth: how long such a test may take, and much less than any jump."""


@asynccontextmanager
async def jumpy_cluster(root, **kwargs):
    """Controllers whose clocks can be made to jump, with a leader."""
    async with running(root, start=False, **kwargs) as cluster:
        for node_id in cluster.controller_ids:
            await cluster.start_script(JUMPY_NODE, node_id)
        await cluster.leader()
        yield cluster


async def jump(cluster, node_id, which, seconds):
    order = cluster.node(node_id).directory / "jump"
    order.write_text(f"{which} {seconds}")
    cluster.child(node_id).signal(signal.SIGUSR1)

    async def is_done():
        return not order.exists()

    await eventually(is_done, bool, f"{node_id} has jumped")


async def test_the_wall_clock_may_jump(tmp_path):
    """A day ahead, two days back: same leader, true timestamps, brokers stay, no snapshots, ages make sense."""
    async with jumpy_cluster(tmp_path, brokers=1, extra=STEADY) as cluster:
        broker_id = next(node.node_id for node in cluster.sandbox.nodes if node.node_id not in cluster.controller_ids)
        await cluster.start(broker_id)
        await eventually(cluster.brokers, lambda found: found == {broker_id: False}, "the broker is unfenced")
        leader = await cluster.leader()
        follower = next(node_id for node_id in cluster.controller_ids if node_id != leader)
        before = await cluster.metrics(leader)
        async with under_load(cluster, writers=2) as load:
            for seconds in (DAY_S, -2 * DAY_S):
                for node_id in (leader, follower):
                    await jump(cluster, node_id, "wall", seconds)
                await load.grow(20)
                for node_id in (leader, follower):
                    async with cluster.client(node_id) as client:
                        age_ms = (await client.describe_configs()).freshness.age_ms
                    assert 0 <= age_ms < SLACK_S * 1_000
                assert await cluster.brokers() == {broker_id: False}
        after = await cluster.metrics(leader)
        assert await cluster.leader() == leader
        for name in ("kraft_current_epoch", "kraft_elections_won_total"):
            assert after[name] == before[name]
        async with cluster.client(leader) as client:
            batches = parsed(await watched(client, load.last_offset))
            assert load.missing(await described(client)) == {}
        stamps = [batch.max_timestamp_ms for batch in batches]
        assert stamps == sorted(stamps), "one leader's timestamps never go back"
        assert all(abs(stamp / 1_000 - time.time()) < SLACK_S for stamp in stamps)
        for node_id in cluster.controller_ids:
            assert "snapshot_begun" not in cluster.log_of(node_id)
            assert "Traceback" not in cluster.log_of(node_id)


async def test_a_leader_for_whom_time_went_by(tmp_path):
    """A leader whose monotonic clock jumps a minute ahead resigns first; nothing acknowledged is lost."""
    async with jumpy_cluster(tmp_path) as cluster:
        old = await cluster.leader()
        epoch = (await cluster.metrics(old))["kraft_current_epoch"]
        async with under_load(cluster, writers=2, timeout_s=5.0) as load:
            await load.grow(20)
            await jump(cluster, old, "monotonic", 60)
            await cluster.states(old, "lost touch with the majority")
            await eventually(
                lambda: cluster.metrics(old), lambda one: one.get("kraft_current_epoch", 0) > epoch, "a new epoch"
            )
            await cluster.leader()
            await load.grow(20)
            # A follower that jumps has nothing to give up but its patience with the leader.
            leader = await cluster.leader()
            await jump(cluster, next(i for i in cluster.controller_ids if i != leader), "monotonic", 60)
            await load.grow(20)
        for node_id in cluster.controller_ids:
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                assert load.missing(await described(client)) == {}, node_id
                check_offsets(await watched(client, load.last_offset))
            assert "Traceback" not in cluster.log_of(node_id)
