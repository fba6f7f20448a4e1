"""What the public API and the Kafka listener refuse before anything large is made of it."""

from __future__ import annotations

import asyncio
import random
from types import SimpleNamespace

import grpc
import pytest

from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2, node_pb2, session_pb2
from kraftpy.records.generated import rpc
from kraftpy.transport.grpc import elements
from kraftpy.transport.grpc.elements import decoder, holds_at_most
from kraftpy.transport.grpc.services.calls import ConcurrencyLimit
from kraftpy.transport.grpc.services.session import SessionService
from kraftpy.transport.grpc.writes import BY_REQUEST
from kraftpy.transport.kafka.items import ITEMS_MAX, count_items, names_too_much
from tests.unit.records.instances import every_version, instance
from tests.unit.transport.fake_backend import serving
from tests.unit.transport.test_api import PATIENCE, UUID, call, unregister

ALTER = admin_pb2.IncrementalAlterConfigsRequest


def fields_of(message):
    return elements._fields(message.DESCRIPTOR, {})


def counted(message):
    data = message.SerializeToString()
    low = 0
    while not holds_at_most(data, fields_of(message), low):
        low += 1
    return low


def test_elements_are_counted_with_those_inside():
    """Every field of every message counts once, of whatever wire type; what a string holds does not."""
    assert counted(ALTER()) == 0
    alteration = admin_pb2.ConfigAlteration(name="k" * 300, value="\x0a\x00" * 50)
    resource = admin_pb2.ResourceAlterations(resource={"type": 2, "name": "t"}, alterations=[alteration] * 3)
    assert counted(ALTER(resources=[resource] * 2)) == 2 * (1 + 1 + 2 + 3 * (1 + 2))
    assert counted(session_pb2.Request(id=2**63, timeout_ms=1, describe_features={})) == 3
    fixed = b"\x09" + bytes(8) + b"\x0d" + bytes(4) + b"\x98\x06\x01"
    assert holds_at_most(fixed, {}, 3)
    assert not holds_at_most(fixed, {}, 2)


@pytest.mark.parametrize("data", [b"\x12\x05\x0a", b"\x12", b"\x80", b"\x12" + b"\xff" * 20])
def test_counting_bytes_that_are_cut_off_ends(data):
    """What they are is for the decoder to say."""
    assert holds_at_most(data, fields_of(ALTER), 100)


def test_what_is_no_message_is_a_refusal(monkeypatch):
    """So is one that holds too much; a long string is neither."""
    monkeypatch.setattr(elements, "ELEMENTS_MAX", 10)
    monkeypatch.setattr(elements, "WALKED_BYTES_MIN", 20)
    decode = decoder(ALTER.DESCRIPTOR, ALTER.FromString)
    assert "are not a kraftpy.v1.IncrementalAlterConfigsRequest" in decode(b"\xff" * 9).message
    assert "holds more than 10 elements: split it" in decode(b"\x12\x00" * 11).message
    assert len(decode(b"\x12\x00" * 10).resources) == 10
    long = ALTER(options=common_pb2.WriteOptions(request_id=b"x" * 1_000))
    assert decode(long.SerializeToString()) == long


TOO_MANY_DIRECTORIES = node_pb2.LogDirectories(ids=[UUID] * 10_001)
MANY = {
    "updates": admin_pb2.UpdateFeaturesRequest(updates=[{}] * 101),
    "resources": ALTER(resources=[{}] * 65_537),
    "alterations": ALTER(resources=[admin_pb2.ResourceAlterations(alterations=[{}] * 65_537)]),
    "listeners": node_pb2.RegisterBrokerRequest(incarnation_id=UUID, listeners=[{}] * 10_001),
    "features": node_pb2.RegisterControllerRequest(incarnation_id=UUID, features=[{}] * 10_001),
    "log_dirs": node_pb2.RegisterBrokerRequest(incarnation_id=UUID, log_dirs=[UUID] * 10_001),
    "offline_log_dirs": node_pb2.BrokerHeartbeatRequest(offline_log_dirs=[UUID] * 10_001),
    "cordoned_log_dirs": node_pb2.BrokerHeartbeatRequest(cordoned_log_dirs=TOO_MANY_DIRECTORIES),
    "saturated_log_dirs": node_pb2.BrokerHeartbeatRequest(saturated_log_dirs=TOO_MANY_DIRECTORIES),
}


@pytest.mark.parametrize("name", MANY)
def test_a_write_names_so_many_things_at_most(name):
    """The refusal says how many there are and how many may be; one fewer of them is read."""
    message = MANY[name]
    with pytest.raises(ApiError, match=rf"\d+ {name}, at most \d+ are allowed"):
        BY_REQUEST[type(message)].decode(message)


def test_a_kafka_request_names_so_many_things_at_most():
    """The lists of its lists count, too, and the rows of a request that is read in its own way."""
    resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource
    config = rpc.IncrementalAlterConfigsRequestAlterableConfig
    one = resource(configs=[config() for _ in range(ITEMS_MAX - 1)])
    assert not names_too_much(rpc.IncrementalAlterConfigsRequest(resources=[one]))
    one.configs.append(config())
    assert names_too_much(rpc.IncrementalAlterConfigsRequest(resources=[one]))
    assert not names_too_much(rpc.ApiVersionsRequest())
    assert not names_too_much(None)


def items_by_walking(value):
    """Count as the sentence says, attribute by attribute."""
    lists = [each for name in getattr(value, "__slots__", ()) if isinstance(each := getattr(value, name), list)]
    return sum(len(each) + sum(map(items_by_walking, each)) for each in lists)


@pytest.mark.parametrize(("family", "schema", "version"), [one for one in every_version() if one.values[0] == "rpc"])
def test_all_items_of_every_message_are_counted(family, schema, version):
    drawn = random.Random(version)
    for _ in range(5):
        message = instance(family, schema, version, drawn)
        items = items_by_walking(message)
        assert count_items(message, ITEMS_MAX) == items
        assert not names_too_much(message, items)
        assert items == 0 or names_too_much(message, items - 1)


async def ending(stream):
    async def rest():
        while await stream.read() is not grpc.aio.EOF:
            pass

    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await asyncio.wait_for(rest(), PATIENCE)
    return raised.value


async def test_a_session_that_sends_nonsense_ends_after_its_answers(channel, backend):
    """What is under way is answered, then the session says what was wrong."""
    raw = channel.stream_stream(
        "/kraftpy.v1.SessionService/Session",
        request_serializer=None,
        response_deserializer=session_pb2.ResponseBatch.FromString,
    )()
    await raw.write(session_pb2.RequestBatch(requests=[unregister(1)]).SerializeToString())
    await raw.write(b"\xff\xff\xff")
    async with asyncio.timeout(PATIENCE):
        assert not (await raw.read()).responses, "the greeting"
        assert [each.id for each in (await raw.read()).responses] == [1]
    error = await ending(raw)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "are not a kraftpy.v1.RequestBatch" in error.details()


async def test_a_batch_of_too_many_requests_ends_its_session(channel, backend, monkeypatch):
    """None of them is made; the text names both numbers."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.SESSION_REQUESTS_MAX", 3)
    stream = call(channel, "Session")()
    await stream.write(session_pb2.RequestBatch(requests=[unregister(n) for n in range(4)]))
    assert "4 requests in one batch, at most 3 are allowed" in (await ending(stream)).details()
    assert backend.groups == []


async def test_the_bytes_of_unanswered_requests_are_bounded(channel, backend, monkeypatch):
    """A session whose requests take too much is not read on until some are answered."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.SESSION_REQUEST_BYTES_MAX", 1_000)
    backend.gate.clear()
    stream = call(channel, "Session")()
    for n in range(6):
        await stream.write(session_pb2.RequestBatch(requests=[unregister(n)]))
    async with asyncio.timeout(PATIENCE):
        await backend.arrived.wait()
        for _ in range(5):  # calls on the same connection, sent after the batches
            await call(channel, "DescribeCluster")(cluster_pb2.DescribeClusterRequest())
        assert backend.under_way == 3
        backend.gate.set()
        answered = 0
        while answered < 6:
            answered += len((await stream.read()).responses)
    assert backend.under_way_max == 3
    stream.cancel()


async def test_the_bytes_of_all_sessions_are_bounded(backend, monkeypatch):
    """When sessions hold too much together, the one that holds most is ended as busy; the others are answered."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.SESSIONS_BYTES_MAX", 2_000)
    backend.gate.clear()
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        heavy, light = call(channel, "Session")(), call(channel, "Session")()
        await heavy.write(session_pb2.RequestBatch(requests=[unregister(n) for n in range(6)]))
        async with asyncio.timeout(PATIENCE):
            await backend.arrived.wait()
            for n in (7, 8):
                await light.write(session_pb2.RequestBatch(requests=[unregister(n)]))
            error = await ending(heavy)
            assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert "holds most of the 2000 bytes" in error.details()
            backend.gate.set()
            answered = 0
            while answered < 2:
                answered += len((await light.read()).responses)
        (held,) = [use for use in server.limit_uses() if use.limit == "session bytes"]
        assert (held.most, held.refused) == (2_000, 1)
        light.cancel()
        async with asyncio.timeout(PATIENCE):
            while any(use.used for use in server.limit_uses()):  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.01)


async def test_a_node_serves_so_many_streams_at_most(backend, monkeypatch):
    """One more is refused as busy, and let in when another has gone; sessions have places of their own."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.unary.STREAMS_MAX", 1)
    backend.append()
    async with serving(backend) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        first = call(channel, "Watch")(cluster_pb2.WatchRequest())
        await first.read()
        error = await ending(call(channel, "Watch")(cluster_pb2.WatchRequest()))
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        first.cancel()
        async with asyncio.timeout(PATIENCE):
            while True:
                again = call(channel, "Watch")(cluster_pb2.WatchRequest())
                try:
                    await again.read()
                    break
                except grpc.aio.AioRpcError:
                    continue
        again.cancel()


async def test_a_place_is_given_back_whatever_happens():
    """Also when the call in it fails."""
    places = ConcurrencyLimit("things", 1)
    for _ in range(2):
        with pytest.raises(ValueError, match="inside"):
            async with places.one(SimpleNamespace()):
                raise ValueError("inside")


class SlowContext:
    """A call whose writes take until ``taken`` is set; a status during a write is an error, as gRPC has it."""

    def __init__(self):
        self.writing, self.taken, self.status = asyncio.Event(), asyncio.Event(), None

    async def write(self, _message):
        self.writing.set()
        await self.taken.wait()
        self.writing.clear()

    def invocation_metadata(self):
        return ()

    def auth_context(self):
        return {}

    def peer(self):
        return "ipv4:127.0.0.1:1"

    async def abort(self, status, _text, _trailing):
        assert not self.writing.is_set(), "TOO_MANY_OPERATIONS"
        self.status = status
        raise grpc.aio.AbortError


async def test_a_session_that_is_ended_during_a_write_gets_its_status(backend, monkeypatch):
    """The status waits for the write: else the client would see UNKNOWN, and not why."""
    monkeypatch.setattr("kraftpy.transport.grpc.services.session.SESSIONS_BYTES_MAX", 100)
    backend.gate.clear()
    context = SlowContext()

    async def batches():
        await context.writing.wait()
        yield session_pb2.RequestBatch(requests=[unregister(n) for n in range(6)])
        try:
            await asyncio.Event().wait()
        finally:
            # Well after the session has ended: an abort that does not wait comes first.
            asyncio.get_running_loop().call_later(0.05, context.taken.set)

    sessions = SessionService(backend, asyncio.Event(), 1_000)
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(grpc.aio.AbortError):
            await sessions.session(batches(), context)
    assert context.status is grpc.StatusCode.RESOURCE_EXHAUSTED
