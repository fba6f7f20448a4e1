"""Nodes that are not who they should be: a second broker with an id that is taken, a node of another cluster."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.local_cluster.cluster import LocalNode, NodeKind
from tests.fakes.processes import Load, configure, described, eventually, running

pytestmark = pytest.mark.landing

SESSION_MS = 6_000
OTHER_CLUSTER = "AAAAAAAAAAAAAAAAAAAAAQ"


def duplicate_of(broker, directory, free) -> LocalNode:
    """A broker with the same id on directories, and on the ports of a node that does not run."""
    duplicate = LocalNode(broker.node_id, NodeKind.BROKER, directory, dict(broker.properties))
    directory.mkdir()
    ports = {key: free.properties[key] for key in ("listeners", "grpc.listener", "metrics.listener")}
    configure(
        duplicate,
        log__dirs=f"{directory / 'data-0'},{directory / 'data-1'}",
        **{key.replace(".", "__"): value for key, value in ports.items()},
    )
    return duplicate


async def incarnation(cluster, broker_id):
    """Who is registered under a broker id: (incarnation, fenced)."""
    async with cluster.client() as client:
        found = (await client.describe_cluster(include_fenced=True)).brokers
        return next(((one.incarnation_id, one.fenced) for one in found if one.broker_id == broker_id), None)


async def test_two_brokers_with_one_id(tmp_path):
    """The second broker with an id is refused while the first one's session lasts, and takes over when it has ended."""
    extra = {"broker.session.timeout.ms": str(SESSION_MS)}
    async with running(tmp_path, controllers=1, brokers=2, extra=extra, start=False) as cluster:
        await cluster.start(1, 2)
        await eventually(cluster.brokers, lambda one: one == {2: False}, "the first is unfenced")
        first = await incarnation(cluster, 2)
        # The third node of the sandbox is started with the second one's id.
        duplicate = duplicate_of(cluster.node(2), tmp_path / "twin", cluster.node(3))
        nodes = tuple(duplicate if node.node_id == 3 else node for node in cluster.sandbox.nodes)
        cluster.sandbox = replace(cluster.sandbox, nodes=(*nodes[:2], replace(duplicate, node_id=3)))
        await cluster.start(3)
        await cluster.states(3, "DUPLICATE_BROKER_REGISTRATION")
        assert await incarnation(cluster, 2) == first, "the first one stays"
        assert cluster.is_running(2)
        await cluster.kill(2)
        taken = await eventually(
            lambda: incarnation(cluster, 2),
            lambda one: one is not None and one[0] != first[0] and not one[1],
            "the second one takes over",
        )
        assert taken[0] != first[0]


async def test_a_broker_of_another_cluster(tmp_path):
    """A broker with another cluster's id is refused by this one, and says both ids; its directory is not changed."""
    async with running(tmp_path, controllers=1, brokers=1, start=False) as cluster:
        directory = cluster.node(2).log_dirs[0]
        for one in cluster.node(2).log_dirs:
            one.mkdir()
            (one / "meta.properties").write_text(f"version=2\ncluster.id={OTHER_CLUSTER}\nnode.id=2\n")
        await cluster.start(1, 2)
        await cluster.leader()
        async with cluster.client() as client:
            ours = (await client.describe_cluster()).cluster_id
        await cluster.states(2, OTHER_CLUSTER)
        await cluster.states(2, "INCONSISTENT_CLUSTER_ID")
        assert await cluster.brokers() == {}
        assert f"cluster.id={OTHER_CLUSTER}" in (directory / "meta.properties").read_text()
        assert ours not in (directory / "meta.properties").read_text()
        assert "Traceback" not in cluster.log_of(2)


async def test_a_controller_of_another_cluster(tmp_path):
    """A voter with another cluster's id gets no votes and no data; the other two go on."""
    # The third will never say that it is empty, too: the operator knows that this is a first start.
    trust = {"controller.quorum.trust.empty.directories": "true"}
    async with running(tmp_path, start=False, extra=trust) as cluster:
        data = cluster.node(3).log_dirs[0]
        data.mkdir()
        (data / "meta.properties").write_text(f"version=2\ncluster.id={OTHER_CLUSTER}\nnode.id=3\n")
        await cluster.start(1, 2)
        await cluster.leader()
        await cluster.start(3)
        await cluster.states(3, "INCONSISTENT_CLUSTER_ID")
        async with cluster.client(1, 2) as client:
            load = Load(client)
            for _ in range(10):
                await load.write()
            assert len(load.acknowledged) == 10
            assert load.missing(await described(client)) == {}
        gauges = await cluster.metrics(3)
        assert gauges.get("kraft_log_end_offset", 0.0) == 0.0, "nothing of this cluster is in its log"
        assert f"cluster.id={OTHER_CLUSTER}" in (data / "meta.properties").read_text()
