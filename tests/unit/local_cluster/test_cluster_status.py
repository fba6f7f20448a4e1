"""When a sandbox's cluster is ready: all nodes are active and every file has the one id, in whatever order."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.local_cluster.cluster_status import NodeStatus, _cluster_id, _waiting_for
from kraftpy.storage.names import META_PROPERTIES

ID = "H1aHdHMqTxWAWiF-IDPNxw"


@pytest.fixture
def nodes(tmp_path):
    """A controller and a broker that are ready."""
    sandbox = open_local_cluster(tmp_path / "cluster", controllers=1, brokers=1)
    return tuple(
        NodeStatus(node, state, is_ready=True, cluster_ids=dict.fromkeys(node.log_dirs, ID))
        for node, state in zip(sandbox.nodes, ("leader", "running"), strict=True)
    )


def test_nothing_is_waited_for_when_all_is_there(nodes):
    """That is what READY says."""
    assert _waiting_for(nodes, ID) == ""
    assert _waiting_for(nodes, None) == "the cluster id"


def test_a_broker_that_is_fenced_is_waited_for(nodes):
    """Its name and its state say for what."""
    controller, broker = nodes
    assert _waiting_for((controller, replace(broker, state="fenced", is_ready=False)), ID) == "broker-2 (fenced)"


@pytest.mark.parametrize(("found", "stated"), [(None, "no cluster.id"), ("another", "cluster.id is another")])
def test_the_last_file_without_the_id_is_waited_for(nodes, found, stated):
    """One directory of several is enough to wait for, although its node is at work."""
    controller, broker = nodes
    last = list(broker.cluster_ids)[-1]
    lacking = replace(broker, cluster_ids=broker.cluster_ids | {last: found})
    assert _waiting_for((controller, lacking), ID) == f"{last} ({stated})"


def test_a_file_that_cannot_be_read_has_no_id(tmp_path):
    """A missing one, one that is no text, one that is no file: they do not end a watch of the cluster."""
    path = tmp_path / META_PROPERTIES
    assert asyncio.run(_cluster_id(tmp_path)) == (path, None)
    path.write_bytes(b"version=2\ncluster.id=\xff\n")
    assert asyncio.run(_cluster_id(tmp_path)) == (path, None)
    path.write_text(f"version=2\ncluster.id={ID}\n")
    assert asyncio.run(_cluster_id(tmp_path)) == (path, ID)
    path.unlink()
    path.mkdir()
    assert asyncio.run(_cluster_id(tmp_path)) == (path, None)
