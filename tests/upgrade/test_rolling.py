"""A rolling upgrade under load: for a while nodes of the last landed version and of this one are one cluster."""

from __future__ import annotations

import json

import pytest

from kraftpy.client.async_client import AsyncClient
from tests.fakes.processes import KEY, eventually, group
from tests.unit.tracing.collected import Collected
from tests.upgrade.mixed_cluster import NEW, MixedCluster, mixed_cluster, under_checked_load

pytestmark = pytest.mark.landing

TRACED = {"tracing__enable": "true"}
"""Each node of this version traces, to a collector that is not there."""

ALWAYS = str(1 << 60)
"""More free bytes than any disk has."""


async def step(mixed: MixedCluster, load, *, leader) -> None:
    """Look at the cluster between two replacements: who leads, and that all agree, have everything and answer."""
    assert mixed.trees[await mixed.cluster.leader()] == leader
    await load.grow(10)
    await mixed.agreed(mixed.node_ids, load.last_offset)
    await mixed.have_all(load)
    await mixed.unary_calls()


async def clients_of(mixed: MixedCluster, tree, name: str) -> None:
    """A command of a tree's version writes a value, and one of each version reads it."""
    await mixed.command(tree, "configs", "alter", "--group", name, "--add", f"{KEY}=4321")
    for reader in (mixed.old, NEW):
        done = await mixed.command(
            reader, "configs", "describe", "--group", name, "--consistency", "linearizable", "-o", "json"
        )
        assert json.loads(done.stdout), done.stdout
        assert "4321" in done.stdout


async def traced_write(mixed: MixedCluster) -> None:
    """Write with the context of a trace in the request, to nodes that do not trace."""
    collected = Collected()
    addresses = [mixed.cluster.node(one).grpc_endpoint for one in mixed.cluster.controller_ids]
    async with AsyncClient(addresses, tracer_provider=collected.provider) as client:
        answer = await client.incremental_alter_configs(group("traced", "4567"))
    assert not answer.outcomes[0].error
    assert collected.named("IncrementalAlterConfigs", "CLIENT").status.is_ok


async def alarm(mixed: MixedCluster, node_id: int) -> None:
    """Let a leader of this version have a disk alarm: one of the last landed version takes over."""
    await mixed.replace(NEW, node_id, metadata__log__alarm__free__bytes=ALWAYS)
    async with mixed.cluster.client() as client:
        await client.transfer_leadership(node_id)
    await mixed.cluster.states(node_id, "disk_alarm_raised")
    found = await eventually(mixed.cluster.leader, lambda leader: leader != node_id, "it handed over")
    assert mixed.trees[found] == mixed.old


async def test_nodes_are_replaced_one_at_a_time(tmp_path, old_tree, monkeypatch) -> None:
    """A write is lost, a read is stale, states differ, or a call gets no answer while the versions are mixed."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    async with mixed_cluster(tmp_path, old_tree) as mixed:
        cluster = mixed.cluster
        await clients_of(mixed, NEW, "new-client-old-nodes")
        await traced_write(mixed)
        last = await cluster.leader()
        first, second = (one for one in cluster.controller_ids if one != last)
        early, late = mixed.broker_ids
        async with under_checked_load(cluster) as (load, reader):
            await alarm(mixed, first)
            last = await cluster.leader()
            second = next(one for one in cluster.controller_ids if one not in (first, last))
            await mixed.replace(NEW, first, metadata__log__alarm__free__bytes="-1", **TRACED)
            await mixed.replace(NEW, early)
            await step(mixed, load, leader=old_tree)  # One follower and a broker are new.
            await cluster.lead(first)
            await step(mixed, load, leader=NEW)  # Both followers are old.
            await mixed.replace(NEW, last, **TRACED)
            await step(mixed, load, leader=NEW)  # One follower of each version.
            await cluster.lead(second)
            await step(mixed, load, leader=old_tree)  # Both followers are new.
            await mixed.replace(NEW, second, **TRACED)
            await mixed.replace(NEW, late)
            await step(mixed, load, leader=NEW)
        assert set(mixed.trees.values()) == {NEW}
        assert reader.count > 0
        await clients_of(mixed, old_tree, "old-client-new-nodes")
        await mixed.have_all(load)
        await mixed.one_state()
        for node_id in mixed.node_ids:
            await mixed.has_snapshot(node_id, load.last_offset // 2)
            assert "Traceback" not in cluster.log_of(node_id)
            assert "snapshot_failed" not in cluster.log_of(node_id)
