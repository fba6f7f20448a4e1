"""Back to the last landed version on the same directories, while no feature level has changed (docs/releases.md)."""

from __future__ import annotations

import pytest

from kraftpy.records.codec import AUTHOR_MARK
from tests.upgrade.mixed_cluster import NEW, MixedCluster, mixed_cluster, under_checked_load

pytestmark = pytest.mark.landing

REFUSED = "snapshot_failed"


async def roll(mixed: MixedCluster, tree, *, brokers_first: bool) -> None:
    """Replace every node, the leader as the last controller."""
    leader = await mixed.cluster.leader()
    followers = [one for one in mixed.cluster.controller_ids if one != leader]
    controllers = [*followers, leader]
    order = [*mixed.broker_ids, *controllers] if brokers_first else [*controllers, *mixed.broker_ids]
    for node_id in order:
        await mixed.replace(tree, node_id)
        await mixed.cluster.leader()
    assert set(mixed.trees.values()) == {tree}


def has_authors(mixed: MixedCluster, node_id: int) -> bool:
    """Whether the log of a node has a record that names its author."""
    return any(AUTHOR_MARK in path.read_bytes() for path in mixed.cluster.data(node_id).glob("*.log"))


def log_since(mixed: MixedCluster, node_id: int) -> str:
    """What a node has logged since its last start."""
    return mixed.cluster.log_of(node_id).rpartition("imported from ")[2]


async def test_new_nodes_go_back_to_the_last_landed_version(tmp_path, old_tree) -> None:
    """A write is lost, or an old node does not start, differs, or stops on a record of this version."""
    async with mixed_cluster(tmp_path, old_tree, brokers=1, tree=NEW) as mixed:
        async with under_checked_load(mixed.cluster) as (load, _):
            await load.grow(10)
            assert all(has_authors(mixed, node_id) for node_id in mixed.cluster.controller_ids)
            await roll(mixed, old_tree, brokers_first=True)
            await load.grow(40)
            await mixed.agreed(mixed.node_ids, load.last_offset)
            for node_id in mixed.node_ids:
                await mixed.has_snapshot(node_id, load.last_offset - 20)
        await mixed.have_all(load)
        await mixed.one_state()
        for node_id in mixed.node_ids:
            since = log_since(mixed, node_id)
            assert REFUSED not in since
            assert "Traceback" not in since
