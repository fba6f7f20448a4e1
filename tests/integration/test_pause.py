"""A leader that is frozen for longer than the fetch timeout, and thaws."""

from __future__ import annotations

import asyncio
import os
import socket

import pytest

from kraftpy.client import Consistency, session
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.nodes import CONNECT_TIMEOUT_MAX_S
from kraftpy.client.values import ConfigChange, Configs, ConfigsAltered, Resource
from kraftpy.model.errors import ApiError
from kraftpy.model.resource_types import ResourceType
from tests.fakes.processes import (
    KEY,
    Load,
    check_offsets,
    described,
    eventually,
    group,
    groups_in,
    parsed,
    running,
    under_load,
    watched,
)

pytestmark = pytest.mark.landing


async def test_a_frozen_leader_is_replaced_and_serves_nothing_stale(tmp_path):
    """While the leader is stopped another one takes over; thawed, it steps down and commits no write of its epoch."""
    async with running(tmp_path) as cluster:
        old = await cluster.leader()
        async with under_load(cluster, timeout_s=2.0) as load, cluster.client(old, timeout_s=4.0) as at_old:
            await load.grow(20)
            before = await cluster.metrics(old)
            cluster.pause(old)
            await load.grow(20)
            new = await cluster.leader()
            assert new != old
            # A write that waits in the frozen leader's socket is what it would like to serve when it thaws.
            stale = asyncio.ensure_future(
                at_old.incremental_alter_configs(group("stale", "1"), request_id=os.urandom(16), timeout_s=4.0)
            )
            await asyncio.sleep(0.2)
            cluster.resume(old)
            refused = None
            try:
                answer = await stale
            except (UnavailableError, UnknownOutcomeError, ApiError) as error:
                refused = error
            after = await eventually(
                lambda: cluster.metrics(old),
                lambda one: (
                    one.get("kraft_active_controller") == 0.0
                    and one.get("kraft_current_leader") not in {None, -1.0, float(old)}
                ),
                "the old leader follows the new one",
            )
            assert after["kraft_current_epoch"] > before["kraft_current_epoch"]
            await load.grow(20)
        for node_id in cluster.controller_ids:
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                values = await described(client)
                batches = await watched(client, load.last_offset)
            check_offsets(batches)
            assert load.missing(values) == {}, f"{KEY} on {node_id}"
            assert load.missing(groups_in(parsed(batches))) == {}
            if refused is None:
                # The client was led on to the new leader: then it was that one's write.
                stamped = next(one for one in batches if one.last_offset >= answer.position.offset)
                assert stamped.epoch == answer.position.epoch > before["kraft_current_epoch"]
                assert values["stale"] == "1"


async def test_a_thawed_leader_answers_nothing_from_before_it_froze(tmp_path):
    """No linearizable read of it shows what its successor changed, and no write that changes nothing confirms it.

    The client of the old leader alone is redirected to the new one, or answered that the outcome is unknown.
    """
    metric = Resource(ResourceType.CLIENT_METRICS, "m")

    def setting(value):
        return {metric: [ConfigChange("interval.ms", value)]}

    async with running(tmp_path) as cluster:
        old = await cluster.leader()
        async with cluster.client() as client, cluster.client(old, timeout_s=6.0) as at_old:
            await at_old.incremental_alter_configs(setting("1000"))
            found = await at_old.describe_configs([metric], consistency=Consistency.LINEARIZABLE)
            assert found.resources[metric] == {"interval.ms": "1000"}
            assert found.freshness.consistency is Consistency.LINEARIZABLE
            cluster.pause(old)
            changed = await client.incremental_alter_configs(setting("2000"), retry_unknown=True)
            late = [
                asyncio.ensure_future(at_old.describe_configs([metric], consistency=Consistency.LINEARIZABLE)),
                asyncio.ensure_future(at_old.incremental_alter_configs(setting("1000"), retry_unknown=True)),
            ]
            await asyncio.sleep(0.1)
            cluster.resume(old)
            read, write = await asyncio.gather(*late, return_exceptions=True)
            if isinstance(write, ConfigsAltered):
                assert write.position.offset > changed.position.offset, "it was written anew"
            if isinstance(read, Configs):
                assert read.freshness.offset >= changed.position.offset
            last = await client.describe_configs([metric], min_offset=changed.position.offset)
            assert last.freshness.offset >= changed.position.offset


async def test_a_client_leaves_a_node_that_is_suspended(tmp_path, monkeypatch):
    """A session whose node is stopped breaks when a ping is not answered: the write goes through elsewhere."""
    quick = {"grpc.keepalive_time_ms", "grpc.keepalive_timeout_ms", "grpc.http2.ping_timeout_ms"}
    options = tuple((name, 1_000 if name in quick else value) for name, value in session.CHANNEL_OPTIONS)
    monkeypatch.setattr(session, "CHANNEL_OPTIONS", options)
    async with running(tmp_path) as cluster:
        old = await cluster.leader()
        async with cluster.client() as client:
            load = Load(client)
            await load.write()
            cluster.pause(old)
            await load.write()
            assert load.unsure == set()
            assert load.missing(await described(client)) == {}


async def test_a_client_passes_by_a_node_that_does_not_answer(tmp_path):
    """A bootstrap server that takes connections and never answers costs a client one bounded wait."""
    async with running(tmp_path, controllers=1) as cluster:
        await cluster.leader()
        with socket.socket() as deaf:
            deaf.bind(("127.0.0.1", 0))
            deaf.listen()
            bootstrap = [f"127.0.0.1:{deaf.getsockname()[1]}", cluster.node(1).grpc_endpoint]
            async with AsyncClient(bootstrap, draw=lambda: 0.0) as client:
                assert (await client.describe_cluster(timeout_s=CONNECT_TIMEOUT_MAX_S)).controller_id == 1
