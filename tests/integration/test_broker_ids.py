"""Brokers without node.id: they get one, and get it back after their disks are lost (KIP-426)."""

from __future__ import annotations

import shutil
from contextlib import asynccontextmanager

import pytest

from kraftpy.client import values as v
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.meta_properties import read_meta_properties
from tests.fakes.processes import configure, eventually, running
from tests.fakes.secure_cluster import running_secure

pytestmark = pytest.mark.landing

CONTROLLER, FIRST, SECOND = 1, 2, 3
EXTRA = {
    "unstable.feature.versions.enable": "true",
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "300",
}


@asynccontextmanager
async def cluster_of(root, **extra):
    """A controller at metadata.version 41, and two brokers without ids that do not run yet."""
    async with running(root, controllers=1, brokers=2, extra=EXTRA | extra, start=False) as cluster:
        for node_id in (FIRST, SECOND):
            configure(cluster.node(node_id), node__id="-1", broker__id__recovery__host=f"host-{node_id}")
        await cluster.start(CONTROLLER)
        await cluster.leader()
        async with cluster.client() as client:
            await client.update_features([v.FeatureChange("metadata.version", 41)], retry_unknown=True)
            yield cluster, client


async def hosts(client):
    return {one.host: (one.broker_id, one.state.name) for one in (await client.describe_broker_hosts()).hosts}


async def has(client, **expected):
    """Wait until exactly these hosts have these ids and their brokers these states."""
    wanted = {name.replace("_", "-"): value for name, value in expected.items()}
    await eventually(lambda: hosts(client), lambda one: one == wanted, f"the hosts are {wanted}")


def stored_ids(cluster, node_id):
    """The ids in the meta.properties of all directories."""
    found = [read_meta_properties(RealFileSystem(), str(one)) for one in cluster.node(node_id).log_dirs]
    return {None if one is None else one.node_id for one in found}


async def test_a_broker_that_lost_its_disks_is_the_same_broker(tmp_path):
    """Killed, all directories removed, started again: the same id, and its replica is in sync nowhere until it is."""
    async with cluster_of(tmp_path) as (cluster, client):
        await cluster.start(FIRST)
        await has(client, host_2=(1001, "ACTIVE"))
        assert stored_ids(cluster, FIRST) == {1001}
        await cluster.start(SECOND)
        await has(client, host_2=(1001, "ACTIVE"), host_3=(1002, "ACTIVE"))
        done = await client.create_topics([v.NewTopic(name="t", assignments={0: [1001, 1002]})])
        assert [one.error for one in done.outcomes] == [0]
        await cluster.kill(FIRST)
        for directory in cluster.node(FIRST).log_dirs:
            shutil.rmtree(directory)
        await cluster.start(FIRST)
        await cluster.states(FIRST, "its session has not ended")
        await cluster.states(FIRST, "source=host")
        await has(client, host_2=(1001, "ACTIVE"), host_3=(1002, "ACTIVE"))
        assert stored_ids(cluster, FIRST) == {1001}
        (topic,) = (await client.describe_topics(["t"])).topics
        assert (topic.partitions[0].leader, topic.partitions[0].isr) == (1002, (1002,))


async def test_a_replacement_with_another_name_gets_the_id_by_command(tmp_path):
    """The mapping is set for the new name; the old name loses it when the replacement registers."""
    async with cluster_of(tmp_path) as (cluster, client):
        await cluster.start(FIRST)
        await has(client, host_2=(1001, "ACTIVE"))
        await cluster.kill(FIRST)
        await has(client, host_2=(1001, "FENCED"))
        await client.alter_broker_host("host-3", 1001)
        await cluster.start(SECOND)
        await has(client, host_3=(1001, "ACTIVE"))


async def test_a_restart_takes_the_id_from_the_directories(tmp_path):
    """Also where one of them was lost, and while no controller can be asked; the lost one is written again."""
    async with cluster_of(tmp_path) as (cluster, client):
        await cluster.start(FIRST)
        await has(client, host_2=(1001, "ACTIVE"))
        await cluster.terminate(FIRST)
        shutil.rmtree(cluster.node(FIRST).log_dirs[1])
        await cluster.kill(CONTROLLER)
        await cluster.start(FIRST)
        await cluster.states(FIRST, "source=meta.properties")
        await cluster.start(CONTROLLER)
        await eventually(lambda: hosts(client), lambda one: one == {"host-2": (1001, "ACTIVE")}, "it is back")
        assert stored_ids(cluster, FIRST) == {1001}


async def test_a_broker_without_an_id_and_without_a_level_for_it_stops(tmp_path):
    """Below metadata.version 41 the error says so, at once; nothing was written."""
    async with running(tmp_path, controllers=1, brokers=1, extra=EXTRA, start=False) as cluster:
        configure(cluster.node(FIRST), node__id="-1")
        await cluster.start(CONTROLLER)
        await cluster.leader()
        await cluster.start(FIRST)
        assert await cluster.exit_code(FIRST) == 1
        assert "41 is needed. Set node.id in the broker's configuration." in cluster.log_of(FIRST)
        assert stored_ids(cluster, FIRST) == {None}


async def test_two_brokers_on_one_host_have_two_ids(tmp_path):
    """The second one waits until the first is registered; each keeps its id by its directories."""
    async with cluster_of(tmp_path) as (cluster, client):
        configure(cluster.node(SECOND), broker__id__recovery__host="host-2")
        await cluster.start(FIRST, SECOND)
        await eventually(
            cluster.brokers, lambda one: one == {1001: False, 1002: False}, "both are unfenced, with ids of their own"
        )
        found = await hosts(client)
        assert list(found) == ["host-2"]
        assert found["host-2"][0] in {1001, 1002}


@pytest.mark.parametrize("names_nodes", [True, False])
async def test_a_broker_asks_over_tls(tmp_path, names_nodes):
    """It gets an id where any trusted certificate may be a broker's, and none where certificates name brokers."""
    checks = {} if names_nodes else {"controller.quorum.peer.identity": "none"}
    async with running_secure(tmp_path, controllers=1, brokers=1, extra=EXTRA | checks, start=False) as secure:
        cluster = secure.cluster
        configure(cluster.node(FIRST), node__id="-1")
        await cluster.start(CONTROLLER)
        await cluster.leader()
        async with cluster.client() as client:
            await client.update_features([v.FeatureChange("metadata.version", 41)], retry_unknown=True)
            await cluster.start(FIRST)
            if names_nodes:
                assert await cluster.exit_code(FIRST) == 1
                assert "so none is assigned an id; set node.id" in cluster.log_of(FIRST)
            else:
                await eventually(cluster.brokers, lambda one: one == {1001: False}, "it is unfenced")
