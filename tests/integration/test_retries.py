"""A write that was done but not answered: repeated in the same leader epoch and in the next, it is done once.

A and B set the same key. What B wrote after A must not be undone by A's retry.
"""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnknownOutcomeError
from kraftpy.records.metadata import ConfigRecord
from tests.fakes.processes import (
    PATIENCE_S,
    PATIENT,
    STEADY,
    described,
    eventually,
    group,
    parsed,
    records_of,
    running,
    watched,
)
from tests.unit.client.proxy import Proxy

NAME, OF_A, OF_B = "contended", "50001", "50002"


async def overtaken(proxy, a, b):
    """Let A's write be done and its answer be lost on the way, and let B write after it."""
    await a.describe_cluster()
    proxy.is_mute = True
    of_a = asyncio.ensure_future(a.incremental_alter_configs(group(NAME, OF_A)))
    await eventually(lambda: described(b), lambda found: found.get(NAME) == OF_A, "A's write is done")
    of_b = await b.incremental_alter_configs(group(NAME, OF_B))
    assert not of_a.done()
    return of_a, of_b.position


async def values_written(cluster, upto):
    """Every value that the key had, from the log of each controller that runs; they must agree."""
    histories = []
    for node_id in cluster.running_controllers:
        async with cluster.client(node_id) as client:
            records = records_of(parsed(await watched(client, upto)))
        histories.append([one.value for one in records if isinstance(one, ConfigRecord) and one.resource_name == NAME])
    assert all(history == histories[0] for history in histories)
    return histories[0]


def client_through(proxy, cluster, leader_id):
    """A client that begins at the leader, behind the proxy, and knows the others."""
    others = [cluster.node(node_id).grpc_endpoint for node_id in cluster.controller_ids if node_id != leader_id]
    return AsyncClient([f"127.0.0.1:{proxy.port}", *others], timeout_s=PATIENCE_S, draw=lambda: 0.0)


def port_of(cluster, node_id):
    return int(cluster.node(node_id).grpc_endpoint.rpartition(":")[2])


async def test_a_retry_at_the_next_leader_is_refused(tmp_path):
    """The leader is killed with the answer unsent: the next one cannot know, and says at which offset to look."""
    async with running(tmp_path, extra=PATIENT) as cluster:
        leader_id = await cluster.leader()
        others = [node_id for node_id in cluster.controller_ids if node_id != leader_id]
        async with (
            Proxy(port_of(cluster, leader_id)) as proxy,
            client_through(proxy, cluster, leader_id) as a,
            cluster.client() as b,
        ):
            of_a, at_b = await overtaken(proxy, a, b)
            await cluster.kill(leader_id)
            proxy.cut()
            with pytest.raises(UnknownOutcomeError, match=r"first sent in epoch \d+; .*ask under a new id") as unknown:
                await of_a
            error = unknown.value
            assert error.first_sent_epoch == at_b.epoch
            assert error.settled_offset > at_b.offset
            with pytest.raises(UnknownOutcomeError, match="ask under a new id"):
                await b.incremental_alter_configs(
                    group(NAME, OF_A), request_id=error.request_id, first_sent_epoch=error.first_sent_epoch
                )
        for node_id in others:
            await cluster.caught_up(node_id, error.settled_offset)
            async with cluster.client(node_id) as client:
                assert (await described(client))[NAME] == OF_B
        assert await values_written(cluster, error.settled_offset) == [OF_A, OF_B]


async def test_a_retry_in_the_same_leader_epoch_gets_the_first_answer(tmp_path):
    """Only the connection is lost: the client repeats by itself, gets the offset of its write, and undoes nothing."""
    async with running(tmp_path, extra=STEADY) as cluster:
        leader_id = await cluster.leader()
        async with (
            Proxy(port_of(cluster, leader_id)) as proxy,
            client_through(proxy, cluster, leader_id) as a,
            cluster.client() as b,
        ):
            of_a, at_b = await overtaken(proxy, a, b)
            proxy.is_mute = False
            proxy.cut()
            answer = await of_a
            assert answer.position.offset < at_b.offset
            assert answer.position.epoch == at_b.epoch
            assert (await described(b))[NAME] == OF_B
        assert await values_written(cluster, at_b.offset) == [OF_A, OF_B]
