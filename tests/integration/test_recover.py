"""An old voter comes back to a recovered quorum: it is fenced, it follows, and it cannot elect by itself."""

from __future__ import annotations

import json

import pytest

from tests.fakes.processes import configure, described, eventually, kraftpy, running, under_load

pytestmark = pytest.mark.landing


def recovered(cluster, tmp_path, *node_ids):
    """Recover the quorum from these nodes' directories; returns the plan."""
    plan = tmp_path / "plan.json"
    directories = ",".join(str(cluster.node(node_id).log_dirs[0]) for node_id in node_ids)
    addresses = [f"--address={one}={cluster.node(one).properties['listeners'].partition('//')[2]}" for one in node_ids]
    made = kraftpy("recover", "plan", "--dirs", directories, *addresses, "--out", plan, "-o", "json")
    assert made.returncode == 0, made.stderr
    document = json.loads(made.stdout)
    done = kraftpy("recover", "apply", plan, "--digest", document["digest"])
    assert done.returncode == 0, done.stderr
    for node_id in node_ids:
        configure(cluster.node(node_id), controller__quorum__voters=document["controllerQuorumVoters"])
    return document


async def leads(cluster, node_id):
    await eventually(
        lambda: cluster.metrics(node_id), lambda one: one.get("kraft_active_controller") == 1.0, f"{node_id} leads"
    )


async def test_an_old_voter_with_a_longer_log_follows_and_cuts_it(tmp_path):
    """It holds records that the recovered node never saw, and its old configuration; neither helps it."""
    async with running(tmp_path / "cluster") as cluster:
        leader_id = await cluster.leader()
        kept, returning = (node_id for node_id in cluster.controller_ids if node_id != leader_id)
        async with under_load(cluster, timeout_s=2) as load:
            await load.grow(20)
            cluster.pause(kept)
            await load.grow(20)
            await cluster.kill(*cluster.controller_ids)
        cluster.paused.clear()
        plan = recovered(cluster, tmp_path, kept)
        assert plan["loss"]["mayLoseAcknowledged"] is True
        assert sorted(plan["missingVoterIds"]) == sorted([leader_id, returning])
        held_below = plan["loss"]["keptOffset"]
        assert held_below < load.last_offset
        # Alone, the old voter is no majority of the old quorum, and has no leader to follow.
        await cluster.start(returning)
        alone = await eventually(
            lambda: cluster.metrics(returning),
            lambda one: one.get('kraft_current_state{state="prospective"}') == 1.0,
            "the old voter asks whether it would win",
        )
        assert alone["kraft_active_controller"] == 0.0
        await cluster.start(kept)
        await leads(cluster, kept)
        async with cluster.client(kept) as client:
            values = await described(client)
        for name, (value, offset) in load.acknowledged.items():
            assert (values.get(name) == value) == (offset < held_below), (name, offset)
        await eventually(
            lambda: cluster.metrics(returning),
            lambda one: one.get("kraft_current_leader") == kept or not cluster.is_running(returning),
            "the old voter follows the recovered one, or refuses to cut what it knows to be committed",
        )
        if cluster.is_running(returning):
            await cluster.states(returning, f"to_offset={held_below}")
        else:
            assert "move this node's metadata log away" in cluster.log_of(returning)
        assert (await cluster.metrics(kept))["kraft_active_controller"] == 1.0


async def test_two_survivors_of_five_make_a_quorum_of_two(tmp_path):
    """Both get the longest log; what was acknowledged with one of them in the majority is there."""
    async with running(tmp_path / "cluster", controllers=5) as cluster:
        await cluster.leader()
        async with under_load(cluster) as load:
            await load.grow(20)
        await cluster.kill(*cluster.controller_ids)
        plan = recovered(cluster, tmp_path, 1, 2)
        assert plan["missingVoterIds"] == [3, 4, 5]
        await cluster.start(1, 2)

        async def leader() -> int | None:
            found = [one for one in (1, 2) if (await cluster.metrics(one)).get("kraft_active_controller") == 1.0]
            return found[0] if found else None

        leader_id = await eventually(leader, lambda one: one is not None, "one of the two leads")
        async with under_load(cluster, prefix="after") as more:
            await more.grow(5)
        async with cluster.client(leader_id) as client:
            values = await described(client)
        assert more.missing(values) == {}
        lost = load.missing(values)
        kept_below = plan["loss"]["keptOffset"]
        assert all(load.acknowledged[name][1] >= kept_below for name in lost), (lost, kept_below)
