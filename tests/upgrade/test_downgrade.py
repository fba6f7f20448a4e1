"""Back to the last landed version on the same directories, while no feature level has changed (docs/releases.md).

The records of this version may name their author in a tagged field, which the last landed one does not know: it passes
over the field, and until the log before a snapshot is the only log that has some it can write no snapshot.
"""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.client.errors import RejectedError
from kraftpy.records.codec import AUTHOR_MARK, AUTHOR_TAG
from tests.fakes.processes import Load, eventually
from tests.upgrade.mixed_cluster import NEW, MixedCluster, mixed_cluster, under_checked_load

pytestmark = pytest.mark.landing

AUTHORS = "metadata__log__authors__enable"
REFUSED = "snapshot_failed"


async def roll(mixed: MixedCluster, tree, *, brokers_first: bool, **changes: str) -> None:
    """Replace every node, the leader as the last controller."""
    leader = await mixed.cluster.leader()
    followers = [one for one in mixed.cluster.controller_ids if one != leader]
    controllers = [*followers, leader]
    order = [*mixed.broker_ids, *controllers] if brokers_first else [*controllers, *mixed.broker_ids]
    for node_id in order:
        await mixed.replace(tree, node_id, **changes)
        await mixed.cluster.leader()
    assert set(mixed.trees.values()) == {tree}


def has_authors(mixed: MixedCluster, node_id: int) -> bool:
    """Whether the log of a node has a record that names its author."""
    return any(AUTHOR_MARK in path.read_bytes() for path in mixed.cluster.data(node_id).glob("*.log"))


def log_since(mixed: MixedCluster, node_id: int) -> str:
    """What a node has logged since its last start."""
    return mixed.cluster.log_of(node_id).rpartition("imported from ")[2]


async def snapshots_fail(mixed: MixedCluster, load: Load) -> None:
    """Each old node has read authors: it has every write, and says why it makes no snapshot."""
    await load.grow(40)
    for node_id in mixed.node_ids:
        log = await eventually(
            lambda node_id=node_id: asyncio.to_thread(log_since, mixed, node_id),
            lambda text: REFUSED in text,
            f"node {node_id} says that it makes no snapshot",
        )
        assert f"tag {AUTHOR_TAG}" in log
        with pytest.raises(RejectedError):
            await mixed.state(node_id)
    await mixed.have_all(load)


async def leave_authors_behind(mixed: MixedCluster, load: Load) -> None:
    """Wait until each node has a snapshot of all that names an author: nothing before it is replayed again."""
    await load.grow(1)
    end = load.last_offset
    for node_id in mixed.node_ids:
        await mixed.has_snapshot(node_id, end)


async def test_new_nodes_go_back_to_the_last_landed_version(tmp_path, old_tree) -> None:
    """A write is lost, an old node does not start or differs; or the way around authors leads nowhere."""
    async with mixed_cluster(tmp_path, old_tree, brokers=1, tree=NEW) as mixed:
        async with under_checked_load(mixed.cluster) as (load, _):
            await load.grow(10)
            assert all(has_authors(mixed, node_id) for node_id in mixed.cluster.controller_ids)
            # As it is: the old nodes serve, and their logs grow.
            await roll(mixed, old_tree, brokers_first=True)
            await snapshots_fail(mixed, load)
            # Forward again, without authors from now on, until no node needs to read those in its log.
            await roll(mixed, NEW, brokers_first=False, **{AUTHORS: "false"})
            await leave_authors_behind(mixed, load)
            await roll(mixed, old_tree, brokers_first=True)
            await load.grow(40)
            await mixed.agreed(mixed.node_ids, load.last_offset)
            for node_id in mixed.node_ids:
                await mixed.has_snapshot(node_id, load.last_offset - 20)
                assert REFUSED not in log_since(mixed, node_id)
        await mixed.have_all(load)
        await mixed.one_state()
        for node_id in mixed.node_ids:
            assert "Traceback" not in log_since(mixed, node_id)
