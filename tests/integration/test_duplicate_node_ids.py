"""Two controllers with one node id: the first goes on, the other says why it may not, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.local_cluster.cluster import LocalNode, NodeKind
from kraftpy.model.ids import ZERO_UUID, uuid_to_text
from kraftpy.storage.meta_properties import parse_meta_properties
from tests.fakes.processes import PATIENT, Cluster, configure, described, eventually, running, under_load

pytestmark = pytest.mark.landing

DUPLICATE = 4
"""The duplicate replaces the sandbox's broker, which is not started: its ports are free."""


def plan_duplicate(cluster: Cluster, of: int) -> None:
    """Put a second controller with the id ``of`` in the sandbox, on directories and ports of its own."""
    spare = cluster.node(DUPLICATE)
    port = spare.properties["listeners"].rpartition(":")[2]
    properties = dict(cluster.node(of).properties) | {
        key: spare.properties[key] for key in ("grpc.listener", "metrics.listener")
    }
    duplicate = LocalNode(of, NodeKind.CONTROLLER, spare.directory, properties)
    configure(duplicate, listeners=f"CONTROLLER://127.0.0.1:{port}", log__dirs=str(spare.directory / "data"))
    cluster.sandbox = replace(
        cluster.sandbox,
        nodes=tuple(
            replace(duplicate, node_id=DUPLICATE) if node.node_id == DUPLICATE else node
            for node in cluster.sandbox.nodes
        ),
    )


def directory_id(cluster: Cluster, node_id: int) -> str:
    text = (cluster.node(node_id).log_dirs[0] / "meta.properties").read_text(encoding="utf-8")
    found = parse_meta_properties(text).directory_id
    assert found is not None
    return uuid_to_text(found)


async def voters(cluster: Cluster) -> dict[int, str]:
    """Voter id -> directory id, as the leader describes it."""
    async with cluster.client(1, 2, 3) as client:
        quorum = await client.describe_quorum()
    return {voter.key.node_id: uuid_to_text(voter.key.directory_id or ZERO_UUID) for voter in quorum.voters}


async def test_a_second_controller_with_a_voters_id(tmp_path):
    """The real voter counts. The duplicate is rejected with the reason, and admitted only when the real one is gone."""
    async with running(tmp_path, brokers=1, start=False, extra=PATIENT) as cluster:
        await cluster.start(1, 2, 3)
        leader = await cluster.leader()
        followers = [node_id for node_id in (1, 2, 3) if node_id != leader]
        real, other = followers
        expected = {node_id: directory_id(cluster, node_id) for node_id in (1, 2, 3)}
        await eventually(
            lambda: voters(cluster), lambda reported: reported == expected, "each voter's directory is known"
        )
        plan_duplicate(cluster, real)
        async with under_load(cluster) as load:
            await load.grow(10)
            await cluster.start(DUPLICATE)
            await cluster.states(DUPLICATE, "duplicate_node_id")
            await cluster.states(leader, "duplicate_node_id")
            assert await voters(cluster) == expected
            for text in (expected[real], directory_id(cluster, DUPLICATE), f"node.id={real}", "way_out"):
                assert text in cluster.log_of(DUPLICATE)
                assert text in cluster.log_of(leader)
            # Two of three voters are left, and the duplicate: only the real ones make a majority.
            await cluster.kill(other)
            await load.grow(10)
            assert (await cluster.metrics(DUPLICATE))["kraft_log_end_offset"] == 0
            await cluster.start(other)
            await load.grow(10)
        await cluster.kill(real)
        taken = expected | {real: directory_id(cluster, DUPLICATE)}
        await eventually(lambda: voters(cluster), lambda reported: reported == taken, "the newcomer is taken in")
        await cluster.states(DUPLICATE, "voter_eligible")
        await cluster.caught_up(DUPLICATE, load.last_offset)
        async with cluster.client(leader) as client:
            assert load.missing(await described(client)) == {}
