"""A very first start that is killed half-way, again and again: in the end there is one cluster with one id."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path

import pytest

from kraftpy.records.metadata import ClusterIdRecord
from kraftpy.storage.meta_properties import parse_meta_properties
from tests.fakes.processes import Cluster, eventually, read_log, records_of, running, under_load

DYING_NODE = Path(__file__).with_name("dying_node.py")
ALL = (1, 2, 3)

ALONE = {
    "before anybody has an identity": "rename meta.properties 1",
    "before the status of an empty directory is written": "rename kraftpy.replica-status 1",
}
TOGETHER = {
    "before the first epoch is stored": "rename quorum-state 1",
    "before the first vote is stored": "rename quorum-state 2",
    "before the first records are written": "write .log 1",
    "before they are durable": "sync .log 1",
    "before the cluster's id, committed by now, is written": "rename meta.properties 1",
}
"""Both in the order of a first start. In the last one meta.properties is there, so the first rename is the id's."""


def order(cluster: Cluster, node_id: int, step: str | None) -> None:
    file = cluster.node(node_id).directory / "die"
    if step is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text(step)


async def start(cluster: Cluster, *node_ids: int) -> None:
    for node_id in node_ids:
        await cluster.start_script(DYING_NODE, node_id)


def has_died(cluster: Cluster, node_id: int) -> bool:
    """Whether it met its step; any other end is a failure."""
    code = cluster.child(node_id).exit_code
    assert code in {None, -signal.SIGKILL}, cluster.log_of(node_id)
    return code is not None


async def kill_all(cluster: Cluster) -> None:
    await cluster.kill(*[node_id for node_id in ALL if cluster.is_running(node_id)])


def ids_written(cluster: Cluster) -> set[str]:
    found = (parse_meta_properties(one.read_text()).cluster_id for one in cluster.sandbox.root.rglob("meta.properties"))
    return {one for one in found if one is not None}


def ids_in_log(cluster: Cluster, node_id: int) -> list[str]:
    records = records_of(read_log(cluster.data(node_id)))
    return [record.cluster_id for record in records if isinstance(record, ClusterIdRecord)]


async def check_one_cluster(cluster: Cluster) -> str:
    """Start all, let them agree, and return the one id that every file and every log has."""
    for node_id in ALL:
        order(cluster, node_id, None)
    await start(cluster, *[node_id for node_id in ALL if not cluster.is_running(node_id)])
    await cluster.leader()
    async with under_load(cluster, writers=1) as load:
        await load.grow(3)
    for node_id in ALL:
        await cluster.caught_up(node_id, load.last_offset)

    async def written() -> int:
        files = list(cluster.sandbox.root.rglob("meta.properties"))
        return sum("cluster.id=" in one.read_text() for one in files)

    await eventually(written, lambda count: count == len(ALL), "every meta.properties has an id")
    logged = [ids_in_log(cluster, node_id) for node_id in ALL]
    (found,) = ids_written(cluster)
    assert logged == [[found]] * len(ALL)
    return found


@pytest.mark.landing
async def test_a_first_start_that_is_killed_at_each_of_its_steps(tmp_path):
    """The first node to reach a step dies there, then all others are killed; the next start continues from that."""
    async with running(tmp_path, start=False) as cluster:
        seen: set[str] = set()
        for what, step in (ALONE | TOGETHER).items():
            starting = ALL if what in TOGETHER else ALL[:1]
            for node_id in starting:
                order(cluster, node_id, step)
            await start(cluster, *starting)
            await eventually(partial(some_died, cluster, starting), bool, f"a node dies {what}")
            await kill_all(cluster)
            seen |= ids_written(cluster)
            assert len(seen) <= 1, what
        # The last one died when the id was committed, so that one it is.
        committed = {found for node_id in ALL for found in ids_in_log(cluster, node_id)}
        assert await check_one_cluster(cluster) in committed


async def some_died(cluster: Cluster, node_ids: tuple[int, ...]) -> bool:
    return any(has_died(cluster, node_id) for node_id in node_ids)


async def test_an_id_that_was_never_committed_may_go_with_its_leader(tmp_path):
    """Only a leader has the records of a new cluster on disk. It has one id in the end, this or a later one."""
    async with running(tmp_path, start=False) as cluster:
        for node_id in (2, 3):
            # A follower dies before it writes the first record; so would a leader, until it is 1 that leads.
            order(cluster, node_id, "write .log 1")
        await start(cluster, *ALL)

        async def leads_alone() -> bool:
            for node_id in (2, 3):
                if has_died(cluster, node_id):
                    await start(cluster, node_id)
            return bool(ids_in_log(cluster, 1))

        await eventually(leads_alone, bool, "1 holds the first records, alone")
        await kill_all(cluster)
        assert [ids_in_log(cluster, node_id) for node_id in (2, 3)] == [[], []]
        assert ids_written(cluster) == set(), "nothing is written before it is committed"
        for node_id in (2, 3):
            order(cluster, node_id, None)
        await start(cluster, 2, 3)

        async def settled() -> bool:
            """They elect one of them if both voted for 1, and so know that nothing was lost; else they wait for it."""
            logs = [cluster.log_of(node_id) for node_id in (2, 3)]
            return any("cluster_id_created" in log or "no_electable_voter" in log for log in logs)

        await eventually(settled, bool, "2 and 3 lead or say what they wait for")
        await check_one_cluster(cluster)
