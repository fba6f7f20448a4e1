"""Clients that write and read a few keys over plain unary calls, and note all that they did.

A key is one config of one group; every value is written once. Each client talks to one node after the other, so that
stale leaders are asked, too. A read counts as *confirmed* when the same node then commits a write in the epoch of the
state it read from: whoever does that led while it answered.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random

import grpc

from kraftpy.model.errors import ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2
from tests.fakes.processes import KEY, Cluster
from tests.robustness.history import Kind, Operation, Outcome

CALL_S = 2.0
PAUSE_S = 0.01
GROUP = 32
"""The resource type of groups."""


class Clients:
    """All clients of a campaign, and their history."""

    def __init__(self, cluster: Cluster, seed: int, *, keys: int = 5) -> None:
        self.history: list[Operation] = []
        self.keys = [f"key-{index}" for index in range(keys)]
        self._draw = random.Random(seed)
        self._values = itertools.count(10_001)
        self._targets = {node_id: str(cluster.node(node_id).grpc_endpoint) for node_id in cluster.controller_ids}
        self._loop = asyncio.get_running_loop()

    @property
    def acknowledged(self) -> int:
        """How many writes were acknowledged."""
        return sum(each.kind is Kind.WRITE and each.outcome is Outcome.OK for each in self.history)

    async def run(self, stop: asyncio.Event, *, writers: int = 3, readers: int = 2) -> None:
        """Keep busy until told to stop; every operation that began is in the history then."""
        async with asyncio.TaskGroup() as tasks:
            for index in range(writers):
                tasks.create_task(self._keep(stop, f"writer-{index}", self._write_some))
            for index in range(readers):
                tasks.create_task(self._keep(stop, f"reader-{index}", self._read_some))

    async def _keep(self, stop, name, work) -> None:
        channels = {node_id: grpc.aio.insecure_channel(target) for node_id, target in self._targets.items()}
        node_id = self._draw.choice(sorted(channels))
        try:
            while not stop.is_set():
                if not await work(name, channels[node_id]):
                    node_id = self._draw.choice(sorted(channels))
                await asyncio.sleep(PAUSE_S)
        finally:
            for channel in channels.values():
                await channel.close()

    async def _write_some(self, name, channel) -> bool:
        return (await self._write(name, channel, self._draw.choice(self.keys))).outcome is Outcome.OK

    async def _read_some(self, name, channel) -> bool:
        key = self._draw.choice(self.keys)
        started = self._loop.time()
        request = cluster_pb2.DescribeConfigsRequest(resources=[common_pb2.ConfigResource(type=GROUP, name=key)])
        try:
            answer = await _unary(channel, "Cluster", "DescribeConfigs", request, cluster_pb2.DescribeConfigsResponse)
        except grpc.RpcError:
            return False
        ended = self._loop.time()
        found = {entry.name: entry.value for each in answer.resources for entry in each.entries}
        proof = await self._write(name, channel, f"{name}-proof")
        confirmed = proof.outcome is Outcome.OK and proof.epoch == answer.position.epoch
        self.history.append(
            Operation(
                name, Kind.READ, key, found.get(KEY), started, ended, Outcome.OK,
                offset=answer.position.offset, epoch=answer.position.epoch, confirmed=confirmed,
            )
        )  # fmt: skip
        return confirmed

    async def _write(self, name, channel, key) -> Operation:
        value, started = str(next(self._values)), self._loop.time()
        change = admin_pb2.ConfigAlteration(name=KEY, value=value, op=admin_pb2.ConfigAlteration.SET)
        resource = common_pb2.ConfigResource(type=GROUP, name=key)
        request = admin_pb2.IncrementalAlterConfigsRequest(
            options=common_pb2.WriteOptions(request_id=os.urandom(16)),
            resources=[admin_pb2.ResourceAlterations(resource=resource, alterations=[change])],
        )
        # Noted before it is sent: whatever becomes of this client, the write may have been made.
        index = len(self.history)
        self.history.append(Operation(name, Kind.WRITE, key, value, started, None, Outcome.UNKNOWN))
        try:
            answer = await _unary(
                channel, "Admin", "IncrementalAlterConfigs", request, admin_pb2.IncrementalAlterConfigsResponse
            )
        except grpc.RpcError:
            return self.history[index]
        refused = [result.error.code for result in answer.results if result.HasField("error")]
        assert not refused, f"{key}={value}: {[ErrorCode(code).name for code in refused]}"
        self.history[index] = Operation(
            name, Kind.WRITE, key, value, started, self._loop.time(), Outcome.OK,
            offset=answer.position.offset, epoch=answer.position.epoch,
        )  # fmt: skip
        return self.history[index]


async def _unary(channel, service, method, request, response):
    call = channel.unary_unary(
        f"/kraftpy.v1.{service}Service/{method}",
        request_serializer=type(request).SerializeToString,
        response_deserializer=response.FromString,
    )
    return await call(request, timeout=CALL_S)
