"""Kill -9 under load: what was acknowledged stays, on every node and in the files of a majority."""

from __future__ import annotations

import random

from tests.fakes.processes import (
    Load,
    check_offsets,
    described,
    groups_in,
    parsed,
    read_log,
    running,
    under_load,
    watched,
)

ROUNDS = 3
WHOLE_ROUNDS = 2
MAJORITY = 2


async def check_everything(cluster, load):
    """Everything acknowledged is on every controller, by both ways of reading."""
    for node_id in cluster.controller_ids:
        await cluster.caught_up(node_id, load.last_offset)
        async with cluster.client(node_id) as client:
            assert load.missing(await described(client)) == {}, f"DescribeConfigs of {node_id}"
            batches = await watched(client, load.last_offset)
        check_offsets(batches)
        assert load.missing(groups_in(parsed(batches))) == {}, f"Watch of {node_id}"


async def check_files(cluster, load):
    """Everything acknowledged is in the segment files of a majority."""
    logs = [read_log(cluster.data(node_id)) for node_id in cluster.controller_ids]
    for batches in logs:
        check_offsets(batches)
    held = [groups_in(batches) for batches in logs]
    for name, (value, offset) in load.acknowledged.items():
        copies = sum(log.get(name) == value for log in held)
        assert copies >= MAJORITY, f"{name}={value} was acknowledged at {offset} and is in {copies} logs"


async def test_acknowledged_writes_outlive_their_leaders(tmp_path):
    """A write that was acknowledged before its leader was killed, three times over, is on every controller."""
    async with running(tmp_path, forks=False) as cluster:
        await cluster.leader()
        async with under_load(cluster) as load:
            for _ in range(ROUNDS):
                await load.grow(30)
                leader_id = await cluster.leader()
                await cluster.kill(leader_id)
                await load.grow(30)
                assert await cluster.leader() != leader_id
                await cluster.start(leader_id)
                await cluster.caught_up(leader_id, load.last_offset)
        await check_everything(cluster, load)
        await cluster.kill(*cluster.controller_ids)
        await check_files(cluster, load)


async def test_acknowledged_writes_outlive_the_whole_cluster(tmp_path):
    """Whatever was acknowledged before all nodes were killed at once is there when they are back."""
    async with running(tmp_path, forks=False) as cluster:
        await cluster.leader()
        async with under_load(cluster) as load:
            for _ in range(WHOLE_ROUNDS):
                await load.grow(30 + random.randrange(20))
                await cluster.kill(*cluster.controller_ids)
                await check_files(cluster, load)
                await cluster.start(*cluster.controller_ids)
                await load.grow(1)
        await check_everything(cluster, load)


async def test_an_idle_client_finds_the_new_leader(tmp_path):
    """A client whose leader died while it had nothing to say reaches the next one."""
    async with running(tmp_path, forks=False) as cluster:
        old = await cluster.leader()
        async with cluster.client(timeout_s=15.0) as client:
            load = Load(client)
            await load.write()
            await cluster.kill(old)
            assert await cluster.leader() != old
            await load.write()
            assert load.unsure == set()
            assert len(load.acknowledged) == 2
            assert load.missing(await described(client)) == {}
