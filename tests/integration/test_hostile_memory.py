"""No input takes more memory than a small multiple of its size: measured on a node, at its peak, as the kernel counts.

Each attack has what was sent times a multiple, plus a constant for what the node's own limits allow: one message being
decoded, the answers that wait in a session, one message of a watch. The constants have room of about two for the
allocators; without the limits each attack is several times over (a 2 MB request took 600 MB, one of 16 MB 950 MB).
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import grpc
import pytest

from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import admin_pb2, session_pb2
from kraftpy.raft import messages as m
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.framing import frame
from kraftpy.transport.kafka.translate import BY_REQUEST
from tests.fakes.processes import KEY, eventually, running

pytestmark = [
    pytest.mark.landing,
    pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux says what a process had at most"),
]

MIB = 1024 * 1024
MULTIPLE = 6
DECODED_BYTES = 170 * MIB
"""One Kafka request of 2 MiB, or one gRPC message of a million elements, as it is decoded and refused."""
CONNECTION_BYTES = 64 * 1024
SESSION_BYTES = 96 * MIB
"""What a session may hold: 16 MiB of requests, 4 MiB of answers, as objects."""
WATCH_BYTES = 1 * MIB
"""A quarter of a MiB of the log, encoded, and gRPC's copy of it."""
SLACK_BYTES = 24 * MIB

FRAME_BYTES = 2 * MIB - 100
LOOKS_AT_REST = 10
"""How many times in a row a node must be seen waiting before it counts as idle."""
EMPTIES = 7_900_000
"""As many elements of two bytes as fit into a message of 16 MiB."""


class Target:
    """A node under attack."""

    def __init__(self, cluster, node_id) -> None:
        node = cluster.node(node_id)
        self.cluster = cluster
        self.pid = cluster.child(node_id).pid
        self.kafka_port = int(node.properties["listeners"].rpartition(":")[2])
        self.grpc = node.grpc_endpoint

    def _of_kernel(self, name: str) -> int:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
        raise AssertionError(name)

    def _forget_peak(self) -> None:
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def _waits(self) -> bool:
        """Whether none of its threads has anything to do at this moment."""
        threads = [stat.read_text() for stat in Path(f"/proc/{self.pid}/task").glob("*/stat")]
        return all(thread.rpartition(") ")[2].startswith("S") for thread in threads)

    async def rest(self) -> None:
        """Wait until it has nothing to do: what is left of one attack is not to be counted with the next one."""
        seen = 0

        async def looks() -> int:
            nonlocal seen
            seen = seen + 1 if self._waits() else 0
            return seen

        await eventually(looks, lambda times: times >= LOOKS_AT_REST, "the node has nothing to do")

    @asynccontextmanager
    async def bounded(self, constant: int) -> AsyncIterator[list[int]]:
        """Note in the list what is sent; the peak grows by a multiple of it and a constant at most."""
        self._forget_peak()
        before, sent = self._of_kernel("VmRSS"), []
        yield sent
        grown = self._of_kernel("VmHWM") - before
        allowed = MULTIPLE * sum(sent) + constant + SLACK_BYTES
        assert grown <= allowed, f"{sum(sent)} bytes sent: {grown // MIB} MiB, {allowed // MIB} are allowed"
        async with self.cluster.client() as client:
            await client.describe_quorum()  # it still serves

    @asynccontextmanager
    async def grows_less(self, allowed: int) -> AsyncIterator[None]:
        """The peak grows by so much at most, whatever is sent; in the end the node still serves."""
        self._forget_peak()
        before = self._of_kernel("VmRSS")
        yield
        grown = self._of_kernel("VmHWM") - before
        assert grown <= allowed, f"{grown // MIB} MiB, {allowed // MIB} are allowed"
        async with self.cluster.client() as client:
            await client.describe_quorum()

    @asynccontextmanager
    async def unread(self, count: int) -> AsyncIterator[list[asyncio.StreamWriter]]:
        """Connections that read nothing."""
        writers = []
        try:
            for _ in range(count):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.kafka_port, limit=1)
                reader._transport.pause_reading()
                writers.append(writer)
            yield writers
        finally:
            for writer in writers:
                writer.transport.abort()

    async def until(self, metric: str, at_least: float) -> float:
        """Wait for a metric of the node."""
        node_id = self.cluster.controller_ids[0]
        gauges = await eventually(
            lambda: self.cluster.metrics(node_id), lambda one: one.get(metric, 0) >= at_least, f"{metric} {at_least}"
        )
        return gauges[metric]

    async def send(self, data: bytes, hold_s: float) -> int:
        """Send bytes to the Kafka listener, until it hangs up or so long after them; return how many it took."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.kafka_port)
        sent = 0
        try:
            with suppress(ConnectionError, TimeoutError):
                for at in range(0, len(data), 65_536):
                    writer.write(data[at : at + 65_536])
                    await writer.drain()
                    sent += len(data[at : at + 65_536])
                async with asyncio.timeout(hold_s):
                    await reader.read(1)
        finally:
            writer.transport.abort()
        return sent

    @asynccontextmanager
    async def channel(self):
        options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
        async with grpc.aio.insecure_channel(self.grpc, options=options) as channel:
            yield channel


@pytest.fixture
async def target(tmp_path):
    async with running(tmp_path, controllers=1) as cluster:
        one = Target(cluster, await cluster.leader())
        async with cluster.client() as client:  # what the first call allocates is not caused by an input
            await client.describe_cluster()
        yield one


def varint(number: int) -> bytes:
    encoded = b""
    while number > 0x7F:
        encoded, number = encoded + bytes([number & 0x7F | 0x80]), number >> 7
    return encoded + bytes([number])


def many(item: bytes) -> bytes:
    """A compact array of as many items as a frame holds."""
    count = FRAME_BYTES // len(item)
    return varint(count + 1) + item * count


def request(api_key: int, version: int, body: bytes) -> bytes:
    head = struct.pack(">hhih", api_key, version, 1, -1) + b"\0"
    return struct.pack(">i", len(head) + len(body)) + head + body


KAFKA = {
    "Vote": request(52, 1, b"\0\0\0\0\1" + many(b"\1\1\0") + b"\0"),
    "IncrementalAlterConfigs": request(44, 1, many(b"\2\1\1\0") + b"\0\0"),
    "DescribeConfigs": request(32, 4, many(b"\2\1\0\0") + b"\0\0\0"),
    "a count of 2^31": request(44, 1, b"\xff\xff\xff\xff\x0f" + bytes(1_000)),
}

UNARY = {
    "updates": ("/kraftpy.v1.AdminService/UpdateFeatures", b"\x12\0" * EMPTIES),
    "alterations": (
        "/kraftpy.v1.AdminService/IncrementalAlterConfigs", b"\x12" + varint(2 * EMPTIES) + b"\x12\0" * EMPTIES,
    ),
    "log directories": ("/kraftpy.v1.NodeService/BrokerHeartbeat", b"\x3a\0" * EMPTIES),
    "resources, fewer": ("/kraftpy.v1.ClusterService/DescribeConfigs", b"\x0a\0" * 500_000),
    "garbage": ("/kraftpy.v1.AdminService/UpdateFeatures", b"\x1b" * 15_000_000),
}  # fmt: skip


async def test_the_kafka_listener(target):
    """Lengths and counts that are lies, requests that never end, garbage, and requests of nothing but empty items."""
    async with target.bounded(200 * CONNECTION_BYTES) as sent:
        lie = struct.pack(">i", 2**31 - 1) + b"x" * 100
        sent.extend(await asyncio.gather(*(target.send(lie, 1.0) for _ in range(200))))
    async with target.bounded(800 * CONNECTION_BYTES) as sent:
        sent.extend(await asyncio.gather(*(target.send(b"\0\0\1", 1.0) for _ in range(800))))
    async with target.bounded(8 * CONNECTION_BYTES) as sent:
        unfinished = struct.pack(">i", FRAME_BYTES) + bytes(FRAME_BYTES - 1)
        sent.extend(await asyncio.gather(*(target.send(unfinished, 1.0) for _ in range(8))))
    async with target.bounded(CONNECTION_BYTES) as sent:
        sent.append(await target.send(os.urandom(20_000_000), 1.0))
    for attack in KAFKA.values():
        async with target.bounded(DECODED_BYTES) as sent:
            sent.append(await target.send(attack, 10.0))


async def unary_calls(target):
    """Messages at the size limit whose elements take two bytes each are refused before anything is made of them."""
    async with target.channel() as channel:
        for path, data in UNARY.values():
            async with target.bounded(DECODED_BYTES) as sent:
                sent.append(len(data))
                call = channel.unary_unary(path, request_serializer=None, response_deserializer=None)
                with suppress(grpc.aio.AioRpcError):
                    await call(data, timeout=30)


async def sessions(target):
    """A batch of millions, and a client that sends and never reads: the session ends, or stops."""
    writes = [
        session_pb2.Request(
            id=number,
            update_features=admin_pb2.UpdateFeaturesRequest(updates=[admin_pb2.FeatureUpdate(name="x" * 200)]),
        )
        for number in range(4_000)
    ]
    refused = session_pb2.RequestBatch(requests=writes).SerializeToString()
    for batches, constant in (([b"\x0a\0" * EMPTIES], DECODED_BYTES), ([refused] * 40, SESSION_BYTES)):
        async with target.channel() as channel, target.bounded(constant) as sent:
            stream = channel.stream_stream(
                "/kraftpy.v1.SessionService/Session", request_serializer=None, response_deserializer=None
            )()
            with suppress(TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
                async with asyncio.timeout(3.0):
                    for batch in batches:
                        await stream.write(batch)
                        sent.append(len(batch))
                    await stream.code()
            stream.cancel()
        await target.rest()


WATCHES = 60
BATCH_CHANGES = 100
"""Changes that are requested at once. A message holds at least one batch of the log, and a slow node makes one batch of
all that waits: of 3,000 at once, one of 3 MiB."""


def batched(changes, size):
    return (changes[at : at + size] for at in range(0, len(changes), size))


def http2(kind: int, flags: int, stream: int, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + body


def watch_call(stream: int) -> bytes:
    """A Watch in HTTP/2's frames: headers, and an empty message that ends the client's side."""
    pairs = {
        ":method": "POST", ":scheme": "http", ":path": "/kraftpy.v1.ClusterService/Watch", ":authority": "h",
        "content-type": "application/grpc", "te": "trailers",
    }  # fmt: skip
    headers = b"".join(
        b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in pairs.items()
    )
    return http2(1, 4, stream, headers) + http2(0, 1, stream, bytes(5))


async def watches(target):
    """Watchers that take nothing, whatever window they open: one message each, and none is read for them any more."""
    async with target.cluster.client() as client:
        names = [f"{number}-" + "x" * 1_000 for number in range(3_000)]
        changes = [{Resource(ResourceType.GROUP, name): [ConfigChange(KEY, "50000")]} for name in names]
        for group in batched(changes, BATCH_CHANGES):
            await asyncio.gather(*(client.incremental_alter_configs(change) for change in group))
    host, _, port = target.grpc.rpartition(":")
    for window in (65_535, 2**31 - 1):
        await target.rest()
        async with target.bounded(WATCHES * WATCH_BYTES):
            reader, writer = await asyncio.open_connection(host, int(port), limit=1)
            reader._transport.pause_reading()
            opening = http2(4, 0, 0, struct.pack(">HI", 4, window)) + http2(8, 0, 0, struct.pack(">I", 2**31 - 65_536))
            writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + opening)
            writer.write(b"".join(watch_call(2 * number + 1) for number in range(WATCHES)))
            await writer.drain()
            await asyncio.sleep(2.0)  # what a node does for those who are silent has no sign that one could wait for
            writer.transport.abort()


async def test_the_public_api(target):
    """One node goes through all of it."""
    await unary_calls(target)
    await sessions(target)
    await watches(target)


UNREAD = 60
ANSWERS_BYTES = 64 * MIB
"""What may wait to be read, by all strangers together."""
FETCHED_BYTES = 8 * MIB
REQUESTS_BYTES = 32 * MIB


async def fill_log(target, size):
    """Write at least ``size`` bytes of records."""
    names = [f"{number}-" + "x" * 20_000 for number in range(size // 20_000)]
    async with target.cluster.client() as client:
        for part in batched(names, 20):
            changes = [{Resource(ResourceType.GROUP, name): [ConfigChange(KEY, "50000")]} for name in part]
            await asyncio.gather(*(client.incremental_alter_configs(change) for change in changes))


def fetch_all(epoch: int) -> bytes:
    """A Fetch of the whole log, without a replica id."""
    asked = m.FetchRequest(
        cluster_id=None, replica=None, epoch=epoch, fetch_offset=0, last_fetched_epoch=0, max_wait_ms=500,
        max_bytes=FETCHED_BYTES,
    )  # fmt: skip
    api = BY_REQUEST[m.FetchRequest]
    return frame(encode_request("nobody", 1, api.request_to_wire(asked, 17), 17))


async def test_answers_that_no_client_reads(target):
    """Who asks for the whole log 60 times, and reads nothing, shares one budget with others, and is closed for them.

    Without the budget 5.5 KB of requests made a node keep 391 MiB.
    """
    await fill_log(target, FETCHED_BYTES + MIB)
    gauges = await target.cluster.metrics(target.cluster.controller_ids[0])
    ask = fetch_all(int(gauges["kraft_current_epoch"]))
    async with target.grows_less(2 * ANSWERS_BYTES + SLACK_BYTES), target.unread(UNREAD) as writers:
        for writer in writers:
            # The second waits for the first; while nothing is left it waits for the others, too.
            writer.write(ask * 2)
            await writer.drain()
        used = 'kraftpy_limit_used{limit="waiting answer bytes",listener="CONTROLLER"}'
        assert await target.until(used, ANSWERS_BYTES // 4) < ANSWERS_BYTES + FETCHED_BYTES
        await target.until('kraftpy_limit_refused_total{limit="waiting answer bytes",listener="CONTROLLER"}', 1)


async def test_requests_that_never_end(target):
    """60 connections with half a request of 2 MiB each: together they hold what the listener allows, not 120 MiB."""
    half = struct.pack(">i", FRAME_BYTES) + bytes(FRAME_BYTES - 1)
    async with target.grows_less(2 * REQUESTS_BYTES + SLACK_BYTES), target.unread(UNREAD) as writers:
        for writer in writers:
            with suppress(ConnectionError):
                writer.write(half)
                await writer.drain()
        await target.until('kraftpy_limit_refused_total{limit="waiting request bytes",listener="CONTROLLER"}', 1)
