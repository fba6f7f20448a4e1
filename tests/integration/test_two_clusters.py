"""Two clusters, and addresses that lead to the other one: no record crosses, and everybody says why."""

from __future__ import annotations

import pytest

from kraftpy.storage.meta_properties import parse_meta_properties
from tests.fakes.processes import Cluster, configure, described, eventually, groups_in, read_log, running, under_load

pytestmark = pytest.mark.landing

REFUSED = "INCONSISTENT_CLUSTER_ID"
CHANGED = ("controller.quorum.voters", "listeners")


def id_of(cluster: Cluster) -> str:
    """Return the one id that is in every meta.properties."""
    ids = {parse_meta_properties(path.read_text()).cluster_id for path in cluster.sandbox.root.rglob("meta.properties")}
    (found,) = ids
    assert found is not None
    return found


def groups_on_disk(cluster: Cluster) -> dict[int, dict[str, str]]:
    return {node_id: groups_in(read_log(cluster.data(node_id))) for node_id in cluster.controller_ids}


def check_apart(clusters: tuple[Cluster, Cluster], prefixes: tuple[str, str]) -> None:
    """No log holds what was written to the other cluster."""
    for cluster, prefix in zip(clusters, prefixes, strict=True):
        for node_id, groups in groups_on_disk(cluster).items():
            assert groups, node_id
            assert {name[0] for name in groups} == {prefix}, node_id


async def filled(cluster: Cluster, prefix: str) -> dict[str, tuple[str, int]]:
    """Write some, and wait until every controller has it."""
    async with under_load(cluster, writers=2, prefix=prefix) as load:
        await load.grow(15)
    for node_id in cluster.running_controllers:
        await cluster.caught_up(node_id, load.last_offset)
    return load.acknowledged


async def check_holds(cluster: Cluster, acknowledged: dict[str, tuple[str, int]], *node_ids: int) -> None:
    wanted = {name: value for name, (value, _) in acknowledged.items()}
    async with cluster.client(*node_ids) as client:
        await eventually(lambda: described(client), lambda found: found.items() >= wanted.items(), "all is there")


async def test_two_quorums_whose_addresses_were_swapped(tmp_path):
    """Votes and records requested of the other cluster are rejected, none leads; reconfigured, all data is there."""
    async with running(tmp_path / "a") as first, running(tmp_path / "b") as second:
        both = (first, second)
        written = [await filled(cluster, prefix) for cluster, prefix in zip(both, "ab", strict=True)]
        ids = [id_of(cluster) for cluster in both]
        assert ids[0] != ids[1]
        before = {node.config_file: dict(node.properties) for cluster in both for node in cluster.sandbox.nodes}
        for cluster in both:
            await cluster.kill(1, 2, 3)
        for node_id in (1, 2, 3):
            one, other = first.node(node_id), second.node(node_id)
            for here, there in ((one, other), (other, one)):
                voters = before[there.config_file]["controller.quorum.voters"]
                # It goes on to listen where it did; it looks for its peers where the others do.
                mine = f"{node_id}@{here.properties['listeners'].partition('//')[2]}"
                listed = [mine if each.startswith(f"{node_id}@") else each for each in voters.split(",")]
                configure(here, controller__quorum__voters=",".join(listed))
        for cluster in both:
            await cluster.start(1, 2, 3)
        for cluster, own, foreign in ((first, *ids), (second, *reversed(ids))):
            for node_id in (1, 2, 3):
                await cluster.states(node_id, f"{REFUSED}: it is not of this node's cluster, which is {own}")
                await cluster.states(node_id, f"it is of cluster {foreign}, but this node is of cluster {own}")
        for cluster in both:
            for node_id in (1, 2, 3):
                assert not (await cluster.metrics(node_id)).get("kraft_active_controller")
            await cluster.kill(1, 2, 3)
        check_apart(both, ("a", "b"))
        assert [id_of(cluster) for cluster in both] == ids
        for cluster, acknowledged in zip(both, written, strict=True):
            for node in cluster.sandbox.nodes:
                configure(node, controller__quorum__voters=before[node.config_file]["controller.quorum.voters"])
            await cluster.start(1, 2, 3)
            await cluster.leader()
            await check_holds(cluster, acknowledged)


async def test_two_controllers_that_changed_places_under_two_living_quorums(tmp_path):
    """Controller 3 of each listens where the other's did: the leaders and they refuse each other, and both go on."""
    async with running(tmp_path / "a") as first, running(tmp_path / "b") as second:
        both = (first, second)
        for cluster, prefix in zip(both, "ab", strict=True):
            await filled(cluster, prefix)
            await cluster.kill(3)
        ids = [id_of(cluster) for cluster in both]
        places = [{key: cluster.node(3).properties[key] for key in CHANGED} for cluster in both]
        for cluster, place in zip(both, reversed(places), strict=True):
            configure(cluster.node(3), **{key.replace(".", "__"): value for key, value in place.items()})
            await cluster.start(3)
        for cluster, own, foreign in ((first, *ids), (second, *reversed(ids))):
            await cluster.states(3, f"it is of cluster {foreign}, but this node is of cluster {own}")
            leader = await cluster.leader()
            await cluster.states(leader, f"{REFUSED}: it is not of this node's cluster, which is {own}")
        written = []
        for cluster, prefix in zip(both, "ab", strict=True):
            async with under_load(cluster, writers=2, prefix=f"{prefix}-later") as load:
                await load.grow(15)
            written.append(load.acknowledged)
        for cluster, acknowledged in zip(both, written, strict=True):
            await check_holds(cluster, acknowledged, 1, 2)
            await cluster.kill(1, 2, 3)
        check_apart(both, ("a", "b"))
        assert [id_of(cluster) for cluster in both] == ids
