"""Answers that are large, over real gRPC: bounded, made in slices, and never the end of a session."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from kraftpy.image.image import MetadataImage
from kraftpy.pb.v1 import cluster_pb2, session_pb2
from kraftpy.transport.grpc.server import CONCURRENT_STREAMS_MAX
from tests.unit.image.support import configs_of
from tests.unit.transport.fake_backend import serving
from tests.unit.transport.test_api import PATIENCE, call, detail_of, exchange, unregister

OWN = [("grpc.use_local_subchannel_pool", 1)]
"""Makes a channel a connection of its own."""

ALL = cluster_pb2.DescribeConfigsRequest()


def image_of(resources, value="9"):
    """Make an image of ``resources`` topics with one key each."""
    found = {(2, f"topic-{number:07}"): {"retention.ms": value} for number in range(resources)}
    return MetadataImage(configs=configs_of(found))


@pytest.fixture
async def channel(server):
    options = [("grpc.max_receive_message_length", 16 << 20)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=options) as channel:
        yield channel


def describe(number):
    return session_pb2.Request(id=number, describe_configs=ALL)


async def test_one_value_over_the_limit_is_refused_and_the_session_goes_on(backend):
    """DescribeConfigs of a value that no answer can hold fails alone and names the way out; other calls are served."""
    backend.image = image_of(2, "x" * 30_000)
    async with (
        serving(backend, message_bytes_max=20_000) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        stream = call(channel, "Session")()
        answers, _ = await exchange(stream, [describe(1), unregister(2)])
        assert answers[1].error.name == "POLICY_VIOLATION"
        assert "GetImage or Watch" in answers[1].error.message
        assert answers[2].WhichOneof("outcome") == "unregister_broker"
        answers, _ = await exchange(stream, [unregister(3)])
        assert answers[3].WhichOneof("outcome") == "unregister_broker"
        stream.cancel()
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await call(channel, "DescribeConfigs")(ALL)
    assert detail_of(raised.value).name == "POLICY_VIOLATION"


async def test_no_answer_of_a_session_passes_the_message_limit(backend):
    """Whatever kind an answer is of: over the server's limit it is a refusal."""
    backend.features = tuple((f"feature-{number:04}", 0, 1) for number in range(1_000))
    async with (
        serving(backend, message_bytes_max=10_000) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        stream = call(channel, "Session")()
        features = session_pb2.Request(id=1, describe_features=cluster_pb2.DescribeFeaturesRequest())
        answers, _ = await exchange(stream, [features, *(unregister(number) for number in range(2, 600))])
        assert answers[1].error.name == "POLICY_VIOLATION"
        assert {answers[number].WhichOneof("outcome") for number in range(2, 600)} == {"unregister_broker"}
        stream.cancel()


async def test_a_session_whose_client_does_not_read_makes_no_progress(channel, backend, monkeypatch):
    """Answers that wait are bounded in bytes, and all of them arrive once the client reads."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.SESSION_ANSWER_BYTES_MAX", 2 << 20)
    backend.image = image_of(1, "x" * 1_000_000)
    views = 0
    view = backend.view

    def counted():
        nonlocal views
        views += 1
        return view()

    monkeypatch.setattr(backend, "view", counted)
    stream = call(channel, "Session")()
    for number in range(60):
        await stream.write(session_pb2.RequestBatch(requests=[describe(number)]))
    async with asyncio.timeout(2 * PATIENCE):
        last = -1
        while views != last or not views:  # the server goes on until flow control stops it
            last = views
            for _ in range(50):
                await asyncio.sleep(0.001)
        assert views < 40
        answered = set()
        while len(answered) < 60:
            answered |= {response.id for response in (await stream.read()).responses}
    stream.cancel()


async def test_calls_of_a_connection_are_bounded(channel, server, backend):
    """Of more calls than a connection may have under way, the rest waits with the client, and is served then."""
    await call(channel, "DescribeConfigs")(ALL)  # the limit is known to the client once it is connected
    backend.gate.clear()
    write = unregister(1).unregister_broker
    calls = [asyncio.ensure_future(call(channel, "UnregisterBroker")(write)) for _ in range(CONCURRENT_STREAMS_MAX + 9)]
    async with asyncio.timeout(PATIENCE), grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=OWN) as other:
        while backend.under_way < CONCURRENT_STREAMS_MAX:
            backend.arrived.clear()
            await backend.arrived.wait()
        for _ in range(9):  # later calls, of another connection
            await call(other, "DescribeConfigs")(ALL)
        assert backend.under_way == CONCURRENT_STREAMS_MAX
        backend.gate.set()
        await asyncio.gather(*calls)
