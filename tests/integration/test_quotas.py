"""Client quotas on a real process: set by the command, enforced on both wires, and bounded."""

from __future__ import annotations

import asyncio
import struct

import pytest

from kraftpy.client import values as v
from kraftpy.model.errors import ErrorCode
from kraftpy.quotas.usage import ENTITIES_MAX
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from tests.fakes.processes import Cluster, eventually, kraftpy, running

CREATE = 7
BATCH = 500
"""How many requests a connection sends before it reads the answers."""
NEVER = "1e-6"
"""A rate of which no token comes while a test runs; a topic brings its client into debt at once."""
WINDOW_MS = 1_000
"""How long the request quota makes a client wait at most."""


class Wire:
    """A connection to the controller listener."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    @classmethod
    async def to(cls, cluster: Cluster, node_id: int) -> Wire:
        port = int(cluster.node(node_id).properties["listeners"].rpartition(":")[2])
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    def send(self, client_id: str, name: str) -> None:
        topic = rpc.CreateTopicsRequestCreatableTopic(name, 1, 1)
        message = rpc.CreateTopicsRequest([topic], timeout_ms=30_000, validate_only=name.startswith("dry"))
        frame = encode_request(client_id, 1, message, CREATE)
        self.writer.write(struct.pack(">i", len(frame)) + frame)

    async def receive(self) -> rpc.CreateTopicsResponse:
        size = int.from_bytes(await self._reader.readexactly(4), "big")
        answer = decode_response(rpc.CreateTopicsRequest.API_KEY, CREATE, await self._reader.readexactly(size))[1]
        assert isinstance(answer, rpc.CreateTopicsResponse)
        return answer


async def alter(cluster: Cluster, *options: str) -> None:
    endpoint = cluster.node(1).grpc_endpoint
    done = await asyncio.to_thread(kraftpy, "configs", "alter", *options, "-C", endpoint)
    assert done.returncode == 0, done.stdout + done.stderr


async def test_a_client_above_its_mutation_rate_is_rejected_and_waits(tmp_path) -> None:
    """Over gRPC and over Kafka's protocol, which share the client's quota; without the quota it goes on."""
    async with running(tmp_path, controllers=1, brokers=1) as cluster:
        await eventually(cluster.brokers, lambda found: list(found.values()) == [False], "the broker is unfenced")
        await alter(cluster, "--user", "ANONYMOUS", "--add", f"controller_mutation_rate={NEVER}")
        async with cluster.client() as client:
            allowed = await client.create_topics([v.NewTopic(name="a", partitions=3), v.NewTopic(name="b")])
            assert [one.error for one in allowed.outcomes] == [0, ErrorCode.THROTTLING_QUOTA_EXCEEDED]
            assert allowed.throttle_time_ms > 10**9
            found = await client.describe_topics(min_offset=allowed.position.offset)
            assert [topic.name for topic in found.topics] == ["a"], "no record is made for what is rejected"
            wire = await Wire.to(cluster, 1)
            wire.send("any", "c")
            answer = await wire.receive()
            assert [topic.error_code for topic in answer.topics] == [ErrorCode.THROTTLING_QUOTA_EXCEEDED]
            assert answer.throttle_time_ms > 10**9
            wire.send("any", "d")
            await alter(cluster, "--user", "ANONYMOUS", "--delete", "controller_mutation_rate")
            other = await Wire.to(cluster, 1)
            other.send("any", "e")
            assert (await other.receive()).topics[0].error_code == 0
            gone = await client.delete_topics(["a", "d"])
            assert [one.error for one in gone.outcomes] == [0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION], "d was not read"
            await alter(cluster, "--client", "slow", "--add", "request_percentage=1e-6")
            other.send("slow", "f")
            assert 0 < (await other.receive()).throttle_time_ms <= WINDOW_MS
        wire.writer.close()
        other.writer.close()


@pytest.mark.landing
async def test_endless_client_ids_are_bounded(tmp_path) -> None:
    """Each has a quota of its own, by the default; the process counts for the limit of them and no more."""
    async with running(tmp_path, controllers=1, brokers=1) as cluster:
        await eventually(cluster.brokers, lambda found: list(found.values()) == [False], "the broker is unfenced")
        await alter(cluster, "--client-defaults", "--add", "controller_mutation_rate=1")
        wire = await Wire.to(cluster, 1)
        for start in range(0, ENTITIES_MAX + BATCH, BATCH):
            for number in range(start, start + BATCH):
                wire.send(f"{number:0200}", "dry")
            for _ in range(BATCH):
                assert (await wire.receive()).topics[0].error_code == 0
        gauges = await cluster.metrics(1)
        labels = '{limit="mutation quota clients",listener=""}'
        assert gauges[f"kraftpy_limit_used{labels}"] == ENTITIES_MAX == gauges[f"kraftpy_limit{labels}"]
        assert gauges[f"kraftpy_limit_refused_total{labels}"] >= BATCH
        wire.writer.close()
