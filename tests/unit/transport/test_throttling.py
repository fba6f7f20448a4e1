"""Quotas at the Kafka listener: who is charged, what answers say, and which connection is not read for a time."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.controller.topic_requests import (
    CreatePartitionsResponse,
    CreateTopicsResponse,
    DeleteTopicsResponse,
    TopicResult,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.quotas.mutations import Mutator
from kraftpy.quotas.request_time import RequestQuotas
from kraftpy.quotas.resolution import REQUEST_PERCENTAGE, QuotaClient
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.apis import Api
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.kafka.throttling import Throttling
from kraftpy.transport.work_meter import WorkMeter
from tests.unit.quotas.test_resolution import quotas
from tests.unit.transport.conftest import PATIENCE
from tests.unit.transport.kafka_node import FakeNode
from tests.unit.transport.test_envelope import TOPICS, envelope, opened

MS = 1_000_000
DELETION = rpc.DeleteTopicsRequest(topic_names=["t"])
GROWTH = rpc.CreatePartitionsRequest(topics=[rpc.CreatePartitionsRequestCreatePartitionsTopic("t", 3, None)])
CASES = [
    (TOPICS, 5, False, CreateTopicsResponse), (TOPICS, 6, True, CreateTopicsResponse),
    (DELETION, 4, False, DeleteTopicsResponse), (DELETION, 5, True, DeleteTopicsResponse),
    (GROWTH, 2, False, CreatePartitionsResponse), (GROWTH, 3, True, CreatePartitionsResponse),
]  # fmt: skip
HEARTBEAT = rpc.BrokerHeartbeatRequest(broker_id=1)
ALTER_PARTITION = rpc.AlterPartitionRequest(broker_id=1)


class Clock:
    """A clock that advances when it is asked."""

    def __init__(self, step_ns: int) -> None:
        self.now_ns = 0
        self._step_ns = step_ns

    def __call__(self) -> int:
        self.now_ns += self._step_ns
        return self.now_ns


def throttling(limit=1.0, step_ns=0, entity=None):
    in_force = quotas((entity or {"user": "ANONYMOUS"}, limit), key=REQUEST_PERCENTAGE)
    clock = Clock(step_ns)
    return Throttling(RequestQuotas(), lambda: in_force, None, lambda: 5_000, lambda: WorkMeter(clock))


@pytest.mark.parametrize(("message", "version", "is_strict", "response"), CASES)
def test_the_client_of_the_header_is_charged_and_waits(message, version, is_strict, response):
    """Strict from the version on whose clients know the error; the wait is what is left of it when it is answered."""
    node = FakeNode(now_ms=lambda: 1_000)
    node.ask(message, version)
    ((submission, _),) = node.submitted
    assert submission.request.mutator == Mutator(QuotaClient("ANONYMOUS", "kafka"), is_strict)
    node.commit(response((TopicResult("t"),), throttled_until_ms=1_700))
    assert node.answer().throttle_time_ms == 700


def test_a_wait_that_is_over_is_none():
    node = FakeNode(now_ms=lambda: 1_000)
    node.ask(TOPICS, 7)
    node.commit(CreateTopicsResponse((TopicResult("t"),), throttled_until_ms=999))
    assert node.answer().throttle_time_ms == 0


def test_a_rejected_topic_has_the_code_alone():
    """As in Kafka, which sends no text that says no more than the code."""
    node = FakeNode()
    node.ask(TOPICS, 7)
    result = TopicResult("t", ErrorCode.THROTTLING_QUOTA_EXCEEDED, "The throttling quota has been exceeded.")
    node.commit(CreateTopicsResponse((result,), throttled_until_ms=0))
    assert [(each.error_code, each.error_message) for each in node.answer().topics] == [(89, None)]


def test_the_client_of_an_envelope_is_charged():
    node = FakeNode(now_ms=lambda: 1_000)
    node.ask(envelope())
    ((submission, _),) = node.submitted
    assert submission.request.mutator == Mutator(QuotaClient("alice", "client"), is_strict=True)
    node.commit(CreateTopicsResponse((TopicResult("t"),), throttled_until_ms=1_700))
    assert opened(node).throttle_time_ms == 700


def test_a_refused_request_has_no_wait():
    node = FakeNode(now_ms=lambda: 1_000)
    node.ask(TOPICS, 7)
    node.settle(ApiError(ErrorCode.NOT_CONTROLLER, "ask node 2"))
    assert node.answer().throttle_time_ms == 0


class Peer:
    """A client of a listener whose APIs are handled here."""

    def __init__(self, listener) -> None:
        self.listener = listener
        self.handled = []
        for message in (HEARTBEAT, ALTER_PARTITION, TOPICS):
            listener.apis.add(Api(message.API_KEY, message.MIN_VERSION, message.MAX_VERSION, self._handle))
        self.answer = rpc.BrokerHeartbeatResponse()

    def _handle(self, request):
        self.handled.append(request)
        return self.answer


async def sent(listener, *messages):
    """Send messages in their versions on a new connection; return its ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
    for message, version in messages:
        frame = encode_request("kafka", 1, message, version)
        writer.write(len(frame).to_bytes(4, "big") + frame)
    return reader, writer


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the condition is the listener's
            await asyncio.sleep(0)


@pytest.fixture
async def peer():
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, throttling=throttling(step_ns=200 * MS))
    await listener.start()
    yield Peer(listener)
    await listener.close()


async def test_a_client_above_its_request_quota_waits(peer):
    """The answer comes at once and says how long; the next request is read after that."""
    reader, writer = await sent(peer.listener, (HEARTBEAT, 1), (HEARTBEAT, 1))
    await until(lambda: peer.answer.throttle_time_ms > 0)
    await reader.readexactly(4)
    (connection,) = peer.listener._connections
    assert connection._mute_timer is not None
    assert len(peer.handled) == 1
    assert peer.answer.throttle_time_ms == 1_000, "200 ms in 10 s are 2 percent; a window at most"
    connection._mute_timer.cancel()
    connection._unmute()
    await until(lambda: len(peer.handled) == 2)
    writer.close()


async def test_what_is_exempt_is_not_charged(peer):
    peer.answer = rpc.AlterPartitionResponse()
    reader, writer = await sent(peer.listener, (ALTER_PARTITION, 3))
    await reader.readexactly(4)
    assert peer.answer.throttle_time_ms == 0
    assert peer.listener.throttling.limit_use().used == 0
    assert peer.handled[0].meter is None
    writer.close()


async def test_the_longer_wait_is_the_answer_s(peer):
    """Of the mutation quota, which the controller decided, and of the request quota."""
    peer.answer = rpc.CreateTopicsResponse(throttle_time_ms=5_000)
    reader, writer = await sent(peer.listener, (TOPICS, 7))
    await reader.readexactly(4)
    assert peer.answer.throttle_time_ms == 5_000
    writer.close()


async def test_a_muted_connection_ends_like_any_other(peer):
    reader, writer = await sent(peer.listener, (HEARTBEAT, 1))
    await reader.readexactly(4)
    (connection,) = peer.listener._connections
    writer.close()
    await writer.wait_closed()
    connection.abort("the test ends it")
    await until(lambda: not peer.listener._connections)
    connection.mute(1_000)
    assert connection._mute_timer is None or connection._mute_timer.cancelled()


def test_a_broker_is_read_on_whose_client_has_to_wait():
    """The wait is in the answer inside the Envelope, for the broker to see to; nothing is counted for the broker."""
    used = throttling(limit=1.0, step_ns=200 * MS, entity={"user": None})
    node = FakeNode(throttling=used)
    meter = used.meter(rpc.EnvelopeRequest.API_KEY)
    with meter:
        node.ask(envelope(), meter=meter)
    node.commit(CreateTopicsResponse((TopicResult("t"),)))
    assert opened(node).throttle_time_ms > 0
    assert used.limit_use().used == 1
    used.charge(node.answers[0][0], rpc.EnvelopeResponse())
    assert used.limit_use().used == 1


def test_nothing_is_measured_without_quotas():
    made = Throttling(RequestQuotas(), quotas, None, lambda: 0)
    assert made.meter(HEARTBEAT.API_KEY) is None


def test_a_meter_counts_each_moment_once():
    meter = WorkMeter(Clock(10))
    with meter, meter:
        pass
    assert meter.take() == 10
    with meter:
        assert meter.take() == 10, "what runs still counts"
    assert meter.take() == 10, "and what ran since"
