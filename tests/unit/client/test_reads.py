"""Reads that ask for more than what a node has committed: how the client finds who can answer them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import grpc
import pytest

from kraftpy.client import Consistency, PlainCredentials, UnavailableError
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.calls import READ_ROUND_MS
from kraftpy.client.sync import Client
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.voters import Endpoint
from kraftpy.transport.node_api import AS_IT_IS, LeaderHint, ReadAt
from tests.unit.client.test_connection import serving_sasl
from tests.unit.transport.fake_backend import FakeBackend, serving

LINEARIZABLE = Consistency.LINEARIZABLE
NOT_HERE = ApiError(ErrorCode.NOT_CONTROLLER, "node 2 appears to lead")
OLDER = ApiError(ErrorCode.UNSUPPORTED_VERSION, "this node's version returns no whole state")
BEHIND = ApiError(ErrorCode.REQUEST_TIMED_OUT, "node 1 waited in vain: its state ends at offset 3")


def client_of(*ports, timeout_s=10, login=None):
    return AsyncClient([f"127.0.0.1:{port}" for port in ports], timeout_s=timeout_s, draw=lambda: 0, login=login)


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


class Older(FakeBackend):
    """A node whose version serves no image, and counts how often it was asked for one."""

    def __init__(self):
        super().__init__()
        self.images = 0

    async def open_image(self):
        self.images += 1
        raise OLDER


async def test_an_image_comes_from_a_node_whose_version_serves_it():
    """Each bootstrap server is asked once; the session with the node that leads stays."""
    first, second, newer = Older(), Older(), FakeBackend()
    async with serving(first) as one, serving(second) as two, serving(newer) as three:
        async with client_of(one.port, two.port, three.port) as client:
            assert (await client.get_image(min_offset=0)).end_offset == 100
        async with client_of(one.port, two.port, three.port) as client:
            await client.describe_cluster()
            assert (await client.get_image()).end_offset == 100
            await client.unregister_broker(1)
    assert (first.images, second.images) == (2, 2)
    assert [len(one.groups) for one in (first, second, newer)] == [1, 0, 0]


async def test_nodes_that_all_serve_no_image_are_each_named():
    first, second = Older(), Older()
    async with serving(first) as one, serving(second) as two, client_of(one.port, two.port) as client:
        with pytest.raises(ApiError) as raised:
            await client.get_image()
    assert raised.value.code is ErrorCode.UNSUPPORTED_VERSION
    assert raised.value.message == "; ".join(f"127.0.0.1:{node.port}: {OLDER.message}" for node in (one, two))
    assert (first.images, second.images) == (1, 1)


async def test_who_waits_for_a_node_in_vain_hears_which_others_serve_no_image():
    """The node that does not answer may be the one of the newer version, on its way up."""
    older = Older()
    async with serving(FakeBackend()) as gone:
        pass
    async with serving(older) as one, client_of(one.port, gone.port, timeout_s=0.5) as client:
        with pytest.raises(UnavailableError, match=f"not supported by 127.0.0.1:{one.port}: {OLDER.message}"):
            await client.get_image()


async def test_other_reads_that_any_node_may_answer_go_on_too():
    older, newer = FakeBackend(), FakeBackend()
    older.error = OLDER
    newer.append()
    async with serving(older) as one, serving(newer) as two, client_of(one.port, two.port) as client:
        assert (await client.describe_cluster()).cluster_id == "cluster"
    async with (
        serving(older) as one,
        serving(newer) as two,
        client_of(one.port, two.port) as client,
        asyncio.timeout(10),
        aclosing(client.watch(0)) as events,
    ):
        assert (await anext(events)).last_offset == 0
    async with serving(older) as one, client_of(one.port) as client, aclosing(client.watch(0)) as events:
        with pytest.raises(ApiError, match=f"127.0.0.1:{one.port}: {OLDER.message}") as raised:
            await anext(events)
        assert raised.value.code is ErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.get_image(consistency=LINEARIZABLE),
        lambda client: client.describe_cluster(consistency=LINEARIZABLE),
        lambda client: client.describe_quorum(),
        lambda client: client.transfer_leadership(2),
        lambda client: client.describe_log_dirs(),
        lambda client: client.unregister_broker(1),
    ],
)
async def test_what_the_version_of_one_certain_node_does_not_support_is_final(call):
    """The active controller's, or that of the node whose directories are asked for."""
    older, newer = FakeBackend(), FakeBackend()
    older.error = OLDER
    async with serving(older) as one, serving(newer) as two, client_of(one.port, two.port) as client:
        with pytest.raises(ApiError) as raised:
            await call(client)
    assert (raised.value.code, raised.value.message) == (OLDER.code, OLDER.message)
    assert (newer.asked_at, newer.groups) == ([], [])


async def test_a_read_goes_on_where_a_nodes_version_has_no_sasl():
    """A node without the service of authentication; with no other node, the error names it."""
    login = PlainCredentials("alice", "secret")
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with serving_sasl() as (newer, _, _), client_of(port, newer.port, login=login) as client:
        assert (await client.describe_cluster()).cluster_id == "cluster"
    async with client_of(port, login=login) as client:
        for call in (client.get_image, client.describe_quorum, lambda: client.unregister_broker(1)):
            with pytest.raises(ApiError, match=f"127.0.0.1:{port} is of a version without SASL") as raised:
                await call()
            assert raised.value.code is ErrorCode.UNSUPPORTED_VERSION
    await server.stop(None)


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
