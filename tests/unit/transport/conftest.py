"""Loopback ends of the peers' wire, and of the public API with a backend that a test fills."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace

import grpc
import pytest

from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestReceived, Send
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.framing import SIZE_BYTES
from kraftpy.transport.kafka.listener import KafkaListener
from tests.unit.transport.fake_backend import FakeBackend, serving

PATIENCE = 10
"""Seconds after which a test gives up waiting for what must come."""


class Inbox:
    """Keeps what comes in, and lets a test wait for it."""

    def __init__(self):
        self.queue: asyncio.Queue = asyncio.Queue()

    def __call__(self, value):
        self.queue.put_nowait(value)

    async def next(self):
        async with asyncio.timeout(PATIENCE):
            return await self.queue.get()

    async def take(self, count):
        return [await self.next() for _ in range(count)]


def fetch(offset=0, **fields):
    return m.FetchRequest(
        cluster_id="c", replica=None, epoch=1, fetch_offset=offset, last_fetched_epoch=0, max_wait_ms=0,
        max_bytes=1000, **fields,
    )  # fmt: skip


def fetched(offset=0, records=b""):
    return m.FetchResponse(leader=LeaderAndEpoch(1, 1), high_watermark=offset, records=records)


def ballot(epoch):
    """A request with a small answer: many of one connection are handled side by side."""
    last = OffsetAndEpoch(epoch=0, offset=0)
    return m.VoteRequest(cluster_id="c", voter=None, candidate=ReplicaKey(1), epoch=epoch, last=last)


def voted(epoch):
    return m.VoteResponse(leader=LeaderAndEpoch(None, epoch), granted=True)


def send_to(port, request, correlation=1, timeout_ms=PATIENCE * 1000, host="127.0.0.1"):
    return Send(1, Endpoint("CONTROLLER", host, port), correlation, request, timeout_ms)


class RawServer:
    """A listening port whose every connection is handed to the test as streams."""

    def __init__(self):
        self.connections: asyncio.Queue = asyncio.Queue()
        self.writers = []

    async def start(self):
        async def accept(reader, writer):
            self.writers.append(writer)
            self.connections.put_nowait((reader, writer))

        self.server = await asyncio.start_server(accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def accept(self):
        async with asyncio.timeout(PATIENCE):
            return await self.connections.get()

    async def stop(self):
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


async def read_frame(reader):
    async with asyncio.timeout(PATIENCE):
        size = int.from_bytes(await reader.readexactly(SIZE_BYTES), "big")
        return await reader.readexactly(size)


async def read_to_end(reader):
    async with asyncio.timeout(PATIENCE):
        try:
            return await reader.read()
        except ConnectionError:
            return b""


@pytest.fixture
async def raw_server():
    server = RawServer()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def answers():
    return Inbox()


@pytest.fixture
async def listener(inbox):
    listener = KafkaListener("127.0.0.1", 0, inbox)
    await listener.start()
    yield listener
    await listener.close()


@pytest.fixture
async def network(answers):
    async with PeerNetwork(answers, "test") as network:
        yield network


@pytest.fixture
async def backend():
    return FakeBackend()


@pytest.fixture
async def server(backend):
    async with serving(backend) as server:
        yield server


@pytest.fixture
async def channel(server):
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        yield channel


@asynccontextmanager
async def turns_counted():
    """Count the turns that the loop takes meanwhile."""
    counted = SimpleNamespace(turns=0)

    async def count():
        while True:
            counted.turns += 1
            await asyncio.sleep(0)

    counting = asyncio.ensure_future(count())
    try:
        yield counted
    finally:
        counting.cancel()


@asynccontextmanager
async def connect(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


async def requests(inbox, count):
    received = await inbox.take(count)
    assert all(isinstance(each, RequestReceived) for each in received)
    return received
