"""Reads that ask for more than what a node has committed: how the client finds who can answer them."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.client import Consistency, UnavailableError
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.calls import READ_ROUND_MS
from kraftpy.client.sync import Client
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.voters import Endpoint
from kraftpy.transport.node_api import AS_IT_IS, LeaderHint, ReadAt
from tests.unit.transport.fake_backend import FakeBackend, serving

LINEARIZABLE = Consistency.LINEARIZABLE
NOT_HERE = ApiError(ErrorCode.NOT_CONTROLLER, "node 2 appears to lead")
BEHIND = ApiError(ErrorCode.REQUEST_TIMED_OUT, "node 1 waited in vain: its state ends at offset 3")


def client_of(*ports, timeout_s=10):
    return AsyncClient([f"127.0.0.1:{port}" for port in ports], timeout_s=timeout_s, draw=lambda: 0)


class Gathering(FakeBackend):
    """Notes when 64 reads have come."""

    def __init__(self):
        super().__init__()
        self.all_asked = asyncio.Event()

    async def view_at(self, at):
        if len(self.asked_at) == 63:
            self.all_asked.set()
        return await super().view_at(at)


async def test_a_read_states_what_it_asks_for_and_what_it_got():
    backend = FakeBackend()
    async with serving(backend) as server, client_of(server.port) as client:
        plain = await client.describe_configs()
        assert plain.freshness.consistency is Consistency.COMMITTED
        assert backend.asked_at == [AS_IT_IS] or backend.asked_at[0].consistency is Consistency.COMMITTED
        for read in (client.describe_cluster, client.describe_features, client.describe_configs):
            found = await read(consistency=LINEARIZABLE, min_offset=7)
            assert found.freshness.consistency is LINEARIZABLE
        image = await client.get_image(consistency=LINEARIZABLE)
        assert image.consistency is LINEARIZABLE
    asked = backend.asked_at[-4:]
    assert [(at.consistency, at.min_offset) for at in asked] == [(LINEARIZABLE, 7)] * 3 + [(LINEARIZABLE, None)]
    assert all(at.wait_ms <= READ_ROUND_MS for at in asked)


async def test_a_linearizable_read_follows_the_leader():
    leader, follower = FakeBackend(), FakeBackend()
    async with serving(leader) as at_leader, serving(follower) as at_follower:
        follower.leader = LeaderHint(2, 4, Endpoint("GRPC", "127.0.0.1", at_leader.port))
        follower.errors = [NOT_HERE]
        async with client_of(at_follower.port) as client:
            found = await client.describe_cluster(consistency=LINEARIZABLE)
    assert found.freshness.consistency is LINEARIZABLE
    assert (len(follower.asked_at), len(leader.asked_at)) == (1, 1)


async def test_another_node_is_asked_when_one_lets_a_read_wait_in_vain():
    behind, other = FakeBackend(), FakeBackend()
    behind.errors = [BEHIND]
    async with serving(behind) as one, serving(other) as two, client_of(one.port, two.port) as client:
        await client.describe_features(min_offset=9)
    assert [at.min_offset for at in (*behind.asked_at, *other.asked_at)] == [9, 9]


async def test_who_finds_no_node_hears_where_the_last_one_was():
    backend = FakeBackend()
    backend.error = BEHIND
    async with serving(backend) as server, client_of(server.port, timeout_s=0.5) as client:
        with pytest.raises(UnavailableError, match="its state ends at offset 3"):
            await client.describe_features(min_offset=9)


async def test_reads_that_wait_share_the_time_and_keep_no_other_read_waiting():
    """All of a message wait at once, and what need not wait is answered meanwhile."""
    backend = Gathering()
    async with serving(backend) as server, client_of(server.port) as client:
        await client.describe_features()
        backend.asked_at.clear()
        backend.read_gate.clear()
        waiting = [asyncio.create_task(client.describe_cluster(consistency=LINEARIZABLE)) for _ in range(64)]
        await backend.all_asked.wait()
        backend.read_gate.set()
        assert len(await asyncio.gather(*waiting)) == 64
    assert {at.consistency for at in backend.asked_at} == {LINEARIZABLE}


def test_the_sync_client_asks_for_the_same():
    backend = FakeBackend()

    async def serve(ready, done):
        async with serving(backend) as server:
            ready.set_result(server.port)
            await done.wait()

    async def main():
        ready, done = asyncio.get_running_loop().create_future(), asyncio.Event()
        task = asyncio.create_task(serve(ready, done))
        port = await ready

        def ask():
            with Client([f"127.0.0.1:{port}"]) as client:
                client.describe_cluster(consistency=LINEARIZABLE)
                client.describe_features(min_offset=4)
                client.describe_configs(consistency=LINEARIZABLE)
                return client.get_image(consistency=LINEARIZABLE, min_offset=4)

        image = await asyncio.to_thread(ask)
        done.set()
        await task
        return image

    assert asyncio.run(main()).consistency is LINEARIZABLE
    wanted = [(LINEARIZABLE, None), (Consistency.COMMITTED, 4), (LINEARIZABLE, None), (LINEARIZABLE, 4)]
    assert [(at.consistency, at.min_offset) for at in backend.asked_at] == wanted
    assert all(isinstance(at, ReadAt) for at in backend.asked_at)
