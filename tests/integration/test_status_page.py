"""The status page of a running cluster: what viewers of a follower hear when the leader is killed."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

from tests.fakes.processes import PATIENCE_S, PATIENT, group, running


@asynccontextmanager
async def stream(cluster, node_id):
    """Follow a node's status page; yields a function that waits for a state of which something is true."""
    host, _, port = cluster.node(node_id).properties["metrics.listener"].rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=2**20)
    writer.write(b"GET /status/events HTTP/1.1\r\n\r\n")

    async def until(is_wanted):
        async with asyncio.timeout(PATIENCE_S):
            while line := await reader.readline():
                if line.startswith(b"data: ") and is_wanted(state := json.loads(line.removeprefix(b"data: "))):
                    return state
        raise AssertionError("the stream has ended")

    try:
        yield until
    finally:
        writer.close()


async def test_viewers_hear_of_changes_and_of_a_new_leader(tmp_path):
    """Of the leader: lags and a change with its principal; of a follower: the election when that leader is killed."""
    async with running(tmp_path, extra=PATIENT) as cluster:
        leader_id = await cluster.leader()
        other_id = next(node_id for node_id in cluster.controller_ids if node_id != leader_id)
        async with stream(cluster, leader_id) as until:
            state = await until(lambda state: all(row["lag"] == 0 for row in state["replicas"]["rows"]))
            assert [row["nodeId"] for row in state["replicas"]["rows"]] == cluster.controller_ids
            async with cluster.client() as client:
                await client.incremental_alter_configs(group("seen", "10000"))
            state = await until(lambda state: state["changes"]["rows"])
            (change,) = state["changes"]["rows"]
            assert (change["principal"], change["outcome"]) == ("User:ANONYMOUS", "ok")
            assert "seen" in change["about"]
        async with stream(cluster, other_id) as until:
            state = await until(lambda state: state["quorum"]["leaderId"] == leader_id)
            own = {row["nodeId"]: row["logEndOffset"] is not None for row in state["replicas"]["rows"]}
            assert own == {node_id: node_id == other_id for node_id in cluster.controller_ids}
            epoch = state["quorum"]["leaderEpoch"]
            await cluster.kill(leader_id)
            state = await until(lambda state: state["quorum"]["leaderId"] not in {None, leader_id})
            assert state["quorum"]["leaderEpoch"] > epoch
            assert state["elections"]["rows"][0]["leaderId"] == state["quorum"]["leaderId"]
