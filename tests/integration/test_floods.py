"""Who has no credentials and much to ask costs the cluster neither its leader nor its voters' connections."""

from __future__ import annotations

import asyncio
import re
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from kraftpy.node.http import CONNECTIONS_MAX as METRICS_CONNECTIONS_MAX
from tests.fakes.processes import Cluster, eventually, running, under_load
from tests.unit.test_limits_page import ROWS

pytestmark = pytest.mark.landing

FLOODERS = 60
REQUESTS = 1_000
"""As many as one connection may have under way."""
PATIENT_TIMERS = {
    "controller.quorum.fetch.timeout.ms": "2000",
    "controller.quorum.election.timeout.ms": "1000",
}
"""The defaults: other tests' processes on the same machine must not depose a leader here."""


def kafka_port(cluster: Cluster, node_id: int) -> int:
    return int(cluster.node(node_id).properties["listeners"].rpartition(":")[2])


def describe_quorum(correlation_id: int) -> bytes:
    """A DescribeQuorum of the metadata partition, version 0."""
    head = struct.pack(">hhih", 55, 0, correlation_id, -1) + b"\0"
    topic = b"__cluster_metadata"
    body = b"\2" + bytes([len(topic) + 1]) + topic + b"\2" + struct.pack(">i", 0) + b"\0\0\0"
    return struct.pack(">i", len(head) + len(body)) + head + body


async def ask(port: int, requests: bytes, count: int) -> int:
    """Send requests in one piece; return how many were answered before the node hung up, all if it did not."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answered = 0
    try:
        writer.write(requests)
        while answered < count:
            await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big"))
            answered += 1
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.transport.abort()
    return answered


async def epoch_of(cluster: Cluster, node_id: int) -> float:
    gauges = await cluster.metrics(node_id)
    return gauges["kraft_current_epoch"]


@asynccontextmanager
async def three(root, **extra: str) -> AsyncIterator[Cluster]:
    async with running(root, extra=PATIENT_TIMERS | extra) as cluster:
        yield cluster


async def test_a_flood_of_requests_deposes_no_leader(tmp_path):
    """60 connections with 1,000 pipelined requests each: all are answered, writes go on, and the epoch stays."""
    async with three(tmp_path) as cluster, under_load(cluster, writers=2) as load:
        await load.grow(10)
        leader_id = await cluster.leader()
        epoch = await epoch_of(cluster, leader_id)
        flood = b"".join(describe_quorum(number) for number in range(REQUESTS))
        port = kafka_port(cluster, leader_id)
        asking = [asyncio.create_task(ask(port, flood, REQUESTS)) for _ in range(FLOODERS)]
        await load.grow(20)
        assert await asyncio.gather(*asking) == [REQUESTS] * FLOODERS
        await load.grow(10)
        assert await epoch_of(cluster, leader_id) == epoch
        assert not load.unsure
        assert "lost touch" not in cluster.log_of(leader_id)


PLACES = 200
"""Connections that a listener accepts here, a fifth of the default: 1,000 take either side too long."""
IDLE = PLACES + 20
REFILL_S = 0.1
"""The twenty that lose their place to another, or find none, try 200 times in a second."""


class Idlers:
    """Keeps as many connections to a port as its node lets it have, and opens another for each one that ends."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.opened = 0

    async def _one(self) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(REFILL_S)
                continue
            self.opened += 1
            try:
                await reader.read(1)
            except ConnectionError:
                pass
            finally:
                writer.transport.abort()
            await asyncio.sleep(REFILL_S)

    async def hold(self, tasks: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
        """Open them all, and keep at it in the background."""
        holding = [tasks.create_task(self._one()) for _ in range(IDLE)]

        async def count() -> int:
            return self.opened

        await eventually(count, lambda opened: opened >= PLACES, f"{PLACES} connections to port {self.port}")
        return holding


async def test_idle_connections_keep_no_voter_out(tmp_path):
    """Every place of every controller is held by strangers: a follower that restarts, and a new leader, find theirs."""
    places = {"max.connections": str(PLACES)}
    async with three(tmp_path, **places) as cluster, under_load(cluster, writers=2) as load:
        leader_id = await cluster.leader()
        async with asyncio.TaskGroup() as tasks:
            holding = []
            for node_id in cluster.controller_ids:
                holding += await Idlers(kafka_port(cluster, node_id)).hold(tasks)
            await load.grow(5)
            follower_id = next(one for one in cluster.controller_ids if one != leader_id)
            await cluster.kill(follower_id)
            await cluster.start(follower_id)
            await cluster.kill(leader_id)
            await load.grow(20)
            assert await cluster.leader() != leader_id
            await cluster.caught_up(follower_id, load.last_offset)
            for task in holding:
                task.cancel()


RATE = 5
STRANGER = ("127.0.0.2", 0)
"""Another address than the voters'."""


async def is_let_in(port: int, address: tuple[str, int]) -> bool:
    """Connect from an address and ask something."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=address)
    try:
        writer.write(describe_quorum(1))
        return len(await reader.readexactly(4)) == 4
    except (asyncio.IncompleteReadError, ConnectionError):
        return False
    finally:
        writer.transport.abort()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.1 is the only address of this machine")
async def test_connections_that_come_too_fast_are_closed(tmp_path):
    """Of 200 strangers at once most are closed; from a voter's address all are served, and a follower comes back."""
    async with three(tmp_path, **{"max.connection.creation.rate": str(RATE)}) as cluster:
        leader_id = await cluster.leader()
        port = kafka_port(cluster, leader_id)
        served = await asyncio.gather(*(is_let_in(port, STRANGER) for _ in range(200)))
        assert served.count(True) >= RATE
        refused = 'kraftpy_limit_refused_total{limit="connection rate",listener="CONTROLLER"}'
        assert (await cluster.metrics(leader_id))[refused] == served.count(False) > 0
        assert all(await asyncio.gather(*(is_let_in(port, ("127.0.0.1", 0)) for _ in range(10 * RATE))))
        follower_id = next(one for one in cluster.controller_ids if one != leader_id)
        await cluster.kill(follower_id)
        await cluster.start(follower_id)
        gauges = await cluster.metrics(leader_id)
        await cluster.caught_up(follower_id, int(gauges["kraft_high_watermark"]) - 1)
        assert (await cluster.metrics(leader_id))[refused] == served.count(False)


async def test_a_node_exports_all_limits_of_the_page(tmp_path):
    """Each metric that the page names, and no other; and what goes over that of the metrics port is closed."""
    reported = {name for row in ROWS for name in re.findall(r"`([^`]+)`", row[4]) if not name.startswith("kraft_")}
    async with running(tmp_path, controllers=1) as cluster, AsyncExitStack() as stack:
        (node_id,) = cluster.controller_ids
        await cluster.leader()
        gauges = await cluster.metrics(node_id)
        assert set(re.findall(r'kraftpy_limit_used{limit="([^"]+)"', " ".join(gauges))) == reported
        host, _, port = cluster.node(node_id).properties["metrics.listener"].rpartition(":")
        held = []
        for _ in range(METRICS_CONNECTIONS_MAX + 1):
            reader, writer = await asyncio.open_connection(host, int(port))
            stack.callback(writer.transport.abort)
            held.append((reader, writer))
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await held[-1][0].readexactly(1)
        await stack.aclose()
        refused = 'kraftpy_limit_refused_total{limit="connections",listener="METRICS"}'
        await eventually(lambda: cluster.metrics(node_id), lambda one: one.get(refused, 0) >= 1, refused)
