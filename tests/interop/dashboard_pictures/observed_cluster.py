"""A cluster under a mixed load, and a Prometheus that scrapes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.values import NewTopic
from kraftpy.model.errors import ApiError
from tests.fakes.processes import Cluster, eventually, running, under_load
from tests.interop.prometheus import Prometheus
from tests.interop.prometheus_server import Server, observing

CONTROLLERS = 3
BROKERS = 3
SCRAPE_INTERVAL = "1s"

USUAL_TIMERS = {
    "controller.quorum.fetch.timeout.ms": "2000",
    "controller.quorum.election.timeout.ms": "1000",
    "controller.quorum.election.backoff.max.ms": "1000",
    "broker.heartbeat.interval.ms": "2000",
    "broker.session.timeout.ms": "9000",
}
"""The defaults: a picture shows a cluster that was not tuned."""

PAUSE_S = 0.2
"""What the readers, and who makes and deletes topics, leave after each call."""

TOPICS_MAX = 40
"""How many topics there are before the oldest ones are deleted."""

CALL_S = 10.0

LOST = (ApiError, UnavailableError, UnknownOutcomeError, grpc.aio.AioRpcError)
"""What a call may end with while the active controller is away."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A running cluster, and who observes it."""

    cluster: Cluster
    server: Server


@asynccontextmanager
async def observed_cluster(prometheus: Prometheus, root: Path) -> AsyncIterator[Observed]:
    """Start a cluster with its load and Prometheus in a directory that exists; in the end all are killed."""
    async with running(root / "cluster", controllers=CONTROLLERS, brokers=BROKERS, extra=USUAL_TIMERS) as cluster:
        listeners = [node.properties.get("metrics.listener") for node in cluster.sandbox.nodes]
        targets = [one for one in listeners if one is not None]
        await cluster.leader()
        await eventually(cluster.brokers, lambda found: [*found.values()] == [False] * BROKERS, "all brokers serve")
        async with (
            observing(prometheus, root, targets, scrape_interval=SCRAPE_INTERVAL) as server,
            cluster.client() as client,
            unary_channel(cluster) as channel,
            under_load(cluster, writers=2),
            calling(client, channel),
        ):
            yield Observed(cluster, server)


def unary_channel(cluster: Cluster) -> grpc.aio.Channel:
    """Open the channel of a client in another language, whose calls are no requests of a session: to one broker."""
    endpoints = [node.grpc_endpoint for node in cluster.sandbox.nodes if node not in cluster.sandbox.controllers]
    return grpc.aio.insecure_channel(next(one for one in endpoints if one is not None))


@asynccontextmanager
async def calling(client: AsyncClient, channel: grpc.aio.Channel) -> AsyncIterator[None]:
    """Make and delete topics, and read, until the block ends."""
    describe = channel.unary_unary("/kraftpy.v1.ClusterService/DescribeCluster")
    topics = TopicMaker(client)
    calls: list[Callable[[], Awaitable[Any]]] = [
        topics.make,
        client.describe_cluster,
        client.describe_topics,
        client.describe_quorum,
        refused(client),
        lambda: describe(b"", timeout=CALL_S),
    ]
    async with asyncio.TaskGroup() as tasks:
        running_calls = [tasks.create_task(_again(call)) for call in calls]
        try:
            yield
        finally:
            for task in running_calls:
                task.cancel()


async def _again(call: Callable[[], Awaitable[Any]]) -> None:
    while True:
        with suppress(*LOST):
            await call()
        await asyncio.sleep(PAUSE_S)


class TopicMaker:
    """Creates topics, and deletes the oldest ones."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._count = 0

    async def make(self) -> None:
        """Create one, and delete one where there are enough."""
        self._count += 1
        await self._client.create_topics([NewTopic(name=f"orders-{self._count}", partitions=3, replication_factor=3)])
        if self._count > TOPICS_MAX:
            await self._client.delete_topics([f"orders-{self._count - TOPICS_MAX}"])


def refused(client: AsyncClient) -> Callable[[], Awaitable[Any]]:
    """Return a call that is refused each time."""

    async def call() -> None:
        await client.create_topics([NewTopic(name="orders-1", partitions=-5)])

    return call
