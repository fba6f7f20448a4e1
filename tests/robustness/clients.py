"""Clients that write and read a few keys over plain unary calls, and note all that they did.

A key is one config of one group, or the level of a feature. Values repeat: half of the writes set the value that the
key has already, and are acknowledged without a record. Each client talks to one node after the other, so that stale
leaders get requests, too. A stamped write goes on under its request id at the next node (docs/retries.md) until an
answer states its outcome; one without an id is sent once. Reads are committed ones, right as of the offset that they
state and never going back at one process, or linearizable ones. What a write would do is asked as well.
"""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import replace

import grpc

from kraftpy.client.errors import RejectedError, refusal_of
from kraftpy.model.errors import ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2
from tests.fakes.processes import KEY, Cluster
from tests.robustness.history import Kind, Operation, Outcome

CALL_S = 2.0
PAUSE_S = 0.01
ATTEMPTS_MAX = 4
GROUP = 32
"""The resource type of groups."""

VALUES = ("45001", "45002", "45003")
FEATURE = "transaction.version"
LEVELS = ("1", "2", None)
DELETED, REPEATED, UNSTAMPED, TRIED, FEATURES = 0.15, 0.4, 0.15, 0.1, 0.1
"""How many writes delete, write what their client wrote last, have no request id, are only tried, are features."""

KEYS = 6
GENERATION_S = 8.0
"""After so long clients go on to other keys: the search takes its time by how long one key's history is."""


class Clients:
    """All clients of a campaign, and their history.

    Attributes:
        latencies: when each acknowledged write ended, and how long it took from its first attempt on (s).
    """

    def __init__(self, cluster: Cluster, seed: int, *, keys: int = KEYS) -> None:
        self.history: list[Operation] = []
        self.latencies: list[tuple[float, float]] = []
        self.acknowledged = 0
        self._cluster = cluster
        self._keys = keys
        self._draw = random.Random(seed)
        self._targets = {node_id: str(cluster.node(node_id).grpc_endpoint) for node_id in cluster.controller_ids}
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._epoch = 0
        self._level: str | None = None
        self._last: dict[str, tuple[str, str | None]] = {}

    async def run(self, stop: asyncio.Event, *, writers: int = 3, readers: int = 2) -> None:
        """Keep busy until ``stop`` is set; every operation that began is in the history then."""
        async with asyncio.TaskGroup() as tasks:
            for index in range(writers):
                tasks.create_task(self._keep(stop, f"writer-{index}", self._write_some))
            for index in range(readers):
                tasks.create_task(self._keep(stop, f"reader-{index}", self._read_some))

    async def _keep(self, stop, name, work) -> None:
        channels = {node_id: self._channel(target) for node_id, target in self._targets.items()}
        node_id = self._draw.choice(sorted(channels))
        try:
            while not stop.is_set():
                node_id = await work(name, channels, node_id)
                await asyncio.sleep(PAUSE_S)
        finally:
            for channel in channels.values():
                await channel.close()

    def _channel(self, target: str) -> grpc.aio.Channel:
        credentials = self._cluster.credentials
        return (
            grpc.aio.insecure_channel(target) if credentials is None else grpc.aio.secure_channel(target, credentials)
        )

    def _draw_key(self) -> str:
        generation = int((self._loop.time() - self._began) / GENERATION_S)
        return f"key-{generation}-{self._draw.randrange(self._keys)}"

    # ---------------------------------------------------------------- reads

    def _process(self, node_id: int) -> str:
        child = self._cluster.children.by_id.get(node_id)
        return "" if child is None else f"{node_id}/{child.pid}"

    async def _read_some(self, name, channels, node_id) -> int:
        key, linearizable = self._draw_key(), self._draw.random() < 0.5
        options = common_pb2.ReadOptions(consistency=int(linearizable))
        resource = common_pb2.ConfigResource(type=GROUP, name=key)
        request = cluster_pb2.DescribeConfigsRequest(resources=[resource], read=options)
        started, process = self._loop.time(), self._process(node_id)
        try:
            answer = await _unary(
                channels[node_id], "Cluster", "DescribeConfigs", request, cluster_pb2.DescribeConfigsResponse
            )
        except grpc.RpcError:
            return self._draw.choice(sorted(channels))
        found = {entry.name: entry.value for each in answer.resources for entry in each.entries}
        self.history.append(
            Operation(
                name, Kind.READ, key, found.get(KEY), started, self._loop.time(), Outcome.OK,
                offset=answer.position.offset, epoch=answer.position.epoch, linearizable=linearizable,
                node=process if process == self._process(node_id) else "",
            )
        )  # fmt: skip
        return node_id if linearizable else self._draw.choice(sorted(channels))

    # ---------------------------------------------------------------- writes

    def _draw_write(self, name: str) -> tuple[Operation, bool]:
        """Draw what a client writes next, and whether under a request id."""
        kind, stamped = Kind.WRITE, True
        key, value = self._draw_key(), self._draw.choice(VALUES) if self._draw.random() > DELETED else None
        if name in self._last and self._draw.random() < REPEATED:
            key, value = self._last[name]
        elif self._draw.random() < FEATURES:
            key, value = FEATURE, self._draw.choice(LEVELS)
        elif self._draw.random() < TRIED:
            kind, stamped = Kind.TRIAL, False
        elif self._draw.random() < UNSTAMPED:
            stamped = False
        return Operation(name, kind, key, value, self._loop.time(), None, Outcome.UNKNOWN), stamped

    async def _write_some(self, name, channels, node_id) -> int:
        operation, stamped = self._draw_write(name)
        # Noted before it is sent: whatever becomes of this client, the write may have been made.
        index = len(self.history)
        self.history.append(operation)
        made = _Write(operation, os.urandom(16) if stamped else b"", self._epoch, self._level)
        for _ in range(ATTEMPTS_MAX if stamped else 1):
            try:
                answer = await made.attempt(channels[node_id])
            except grpc.RpcError as error:
                node_id = self._draw.choice(sorted(channels))
                is_over = made.heard(refusal_of(error), self._loop.time())
                self._epoch = max(self._epoch, made.epoch)
                if is_over:
                    break
                continue
            self._epoch = max(self._epoch, answer.position.epoch)
            ended = self._loop.time()
            made.operation = replace(
                operation, ended=ended, outcome=Outcome.OK, offset=answer.position.offset, epoch=answer.position.epoch
            )
            self._took_effect(name, made.operation)
            break
        else:
            made.give_up()
        self.history[index] = made.operation
        return node_id

    def _took_effect(self, name: str, done: Operation) -> None:
        assert done.ended is not None
        self.latencies.append((done.ended, done.ended - done.started))
        if done.kind is Kind.WRITE:
            self.acknowledged += 1
            self._last[name] = (done.key, done.value)
        if done.key == FEATURE:
            self._level = done.value


class _Write:
    """One write and its attempts.

    Attributes:
        operation: with its outcome, as far as it is known.
        epoch: the newest epoch that this client heard of.
    """

    def __init__(self, operation: Operation, request_id: bytes, epoch: int, level: str | None) -> None:
        self.operation = operation
        self.epoch = epoch
        self._request_id = request_id
        self._first_sent_epoch = epoch
        self._may_be_done = False
        up = int(operation.value or 0) >= int(level or 0) if operation.key == FEATURE else True
        self._direction = admin_pb2.FeatureUpdate.UPGRADE if up else admin_pb2.FeatureUpdate.SAFE_DOWNGRADE

    async def attempt(self, channel):
        """Ask once."""
        options = common_pb2.WriteOptions(validate_only=self.operation.kind is Kind.TRIAL)
        if self._request_id:
            options.request_id = self._request_id
            options.first_sent_epoch = self._first_sent_epoch
            options.is_retry = self._may_be_done
        key, value = self.operation.key, self.operation.value
        if key == FEATURE:
            update = admin_pb2.FeatureUpdate(name=FEATURE, level=int(value or 0), kind=self._direction)
            request = admin_pb2.UpdateFeaturesRequest(options=options, updates=[update])
            return await _unary(channel, "Admin", "UpdateFeatures", request, admin_pb2.UpdateFeaturesResponse)
        op = admin_pb2.ConfigAlteration.DELETE if value is None else admin_pb2.ConfigAlteration.SET
        change = admin_pb2.ConfigAlteration(name=KEY, value=value, op=op)
        resource = common_pb2.ConfigResource(type=GROUP, name=key)
        request = admin_pb2.IncrementalAlterConfigsRequest(
            options=options, resources=[admin_pb2.ResourceAlterations(resource=resource, alterations=[change])]
        )
        answer = await _unary(
            channel, "Admin", "IncrementalAlterConfigs", request, admin_pb2.IncrementalAlterConfigsResponse
        )
        refused = [result.error.code for result in answer.results if result.HasField("error")]
        assert not refused, f"{key}={value}: {[ErrorCode(code).name for code in refused]}"
        return answer

    def heard(self, refusal: RejectedError | None, now: float) -> bool:
        """Handle a failed attempt; return whether another one would be pointless."""
        if refusal is not None and refusal.leader_epoch is not None:
            self.epoch = max(self.epoch, refusal.leader_epoch)
        was_not_taken = refusal is not None and (refusal.was_not_taken or refusal.is_fenced)
        if refusal is not None and refusal.code is ErrorCode.REQUEST_OUTCOME_UNKNOWN:
            if refusal.settled_offset is not None:
                # Nothing of it can be done from here on.
                self.operation = replace(self.operation, until=now)
            return True
        if refusal is not None and refusal.code in {ErrorCode.INVALID_UPDATE_VERSION, ErrorCode.UNSUPPORTED_VERSION}:
            self.give_up()
            return True
        if not was_not_taken:
            self._may_be_done = True
        elif not self._may_be_done:
            self._first_sent_epoch = self.epoch
        if not self._request_id:
            self.give_up()
            return True
        return False

    def give_up(self) -> None:
        """Ask no more: what no attempt of can have been done was refused."""
        if not self._may_be_done:
            self.operation = replace(self.operation, outcome=Outcome.REFUSED)


async def _unary(channel, service, method, request, response):
    call = channel.unary_unary(
        f"/kraftpy.v1.{service}Service/{method}",
        request_serializer=type(request).SerializeToString,
        response_deserializer=response.FromString,
    )
    return await call(request, timeout=CALL_S)
