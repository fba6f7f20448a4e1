"""The port that peers connect to, over real sockets."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestAbandoned, RequestReceived
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.kafka import accepting
from kraftpy.transport.kafka.admission import ConnectionLimits
from kraftpy.transport.kafka.apis import Api, OfferedFeatures
from kraftpy.transport.kafka.framing import frame
from kraftpy.transport.kafka.items import ITEMS_MAX
from kraftpy.transport.kafka.listener import KafkaListener, ListenerLimits
from kraftpy.transport.kafka.translate import BY_REQUEST
from kraftpy.transport.tls import TlsFiles, server_context
from tests.fakes.certificates import self_signed
from tests.unit.transport.conftest import ballot, connect, fetch, fetched, read_frame, read_to_end, requests, voted

FETCH = BY_REQUEST[m.FetchRequest]
VOTE = BY_REQUEST[m.VoteRequest]


def wire(request, correlation_id, version=None):
    api = BY_REQUEST[type(request)]
    version = api.max_version if version is None else version
    return frame(encode_request("peer", correlation_id, api.request_to_wire(request, version), version))


def offset_of(payload, version=18):
    correlation_id, message = decode_response(1, version, payload)
    return correlation_id, FETCH.read_response(message, "CONTROLLER").high_watermark


def epoch_of(payload):
    correlation_id, message = decode_response(52, VOTE.max_version, payload)
    return correlation_id, VOTE.read_response(message, "CONTROLLER").leader.epoch


async def test_requests_reach_the_core_and_answers_the_peer(listener, inbox):
    """A request arrives as a value, and its answer goes back with its correlation id."""
    async with connect(listener.port) as (reader, writer):
        writer.write(wire(fetch(5), 77))
        (request,) = await requests(inbox, 1)
        assert request.request == fetch(5)
        listener.reply(request.token, fetched(9))
        assert offset_of(await read_frame(reader)) == (77, 9)


async def test_answers_leave_in_the_order_of_their_requests(listener, inbox):
    """An answer that is ready early waits for those before it."""
    async with connect(listener.port) as (reader, writer):
        writer.write(b"".join(wire(ballot(n), n) for n in range(1, 11)))
        received = await requests(inbox, 10)
        assert [each.request.epoch for each in received] == list(range(1, 11))
        for each in reversed(received):
            listener.reply(each.token, voted(each.request.epoch))
        assert [epoch_of(await read_frame(reader)) for _ in range(10)] == [(n, n) for n in range(1, 11)]


async def test_a_flush_sends_at_once_and_the_loop_s_turn_nothing_twice(listener, inbox):
    """A flushed answer waits for the loop's turn, leaves a second time with it, or one that came later stays behind."""
    async with connect(listener.port) as (reader, writer):
        writer.write(wire(ballot(1), 1) + wire(ballot(2), 2))
        first, second = await requests(inbox, 2)
        (connection,) = listener._connections
        written = []
        honest, connection._transport.write = connection._transport.write, written.append
        listener.reply(first.token, voted(1))
        assert written == []
        listener.flush()
        assert len(written) == 1
        listener.flush()
        await asyncio.sleep(0)
        assert len(written) == 1
        connection._transport.write = honest
        honest(written[0])
        listener.reply(second.token, voted(2))
        assert [epoch_of(await read_frame(reader)) for _ in range(2)] == [(1, 1), (2, 2)]


async def test_one_large_answer_of_a_connection_is_made_at_a_time(listener, inbox):
    """A Fetch waits until the one before it was answered and sent; a small request between them does not wait."""
    async with connect(listener.port) as (reader, writer):
        writer.write(wire(fetch(1), 1) + wire(ballot(2), 2) + wire(fetch(3), 3) + wire(ballot(4), 4))
        first, second = await requests(inbox, 2)
        assert (first.request, second.request) == (fetch(1), ballot(2))
        listener.reply(second.token, voted(2))
        assert inbox.queue.empty()
        listener.reply(first.token, fetched(1))
        assert offset_of(await read_frame(reader)) == (1, 1)
        third, fourth = await requests(inbox, 2)
        assert (third.request, fourth.request) == (fetch(3), ballot(4))


async def test_a_full_row_is_not_read_on():
    """A peer with too many unanswered requests is not read until one is answered."""
    received = []
    listener = KafkaListener("127.0.0.1", 0, received.append, limits=ListenerLimits(requests_per_connection_max=3))
    await listener.start()
    async with connect(listener.port) as (reader, writer):
        writer.write(b"".join(wire(fetch(n), n) for n in range(20)))
        await writer.drain()
        answered = 0
        while answered < 20:
            # The listener hears of a request only by reading, and reads only after an answer.
            while len(received) <= answered:  # noqa: ASYNC110 - a plain list
                await asyncio.sleep(0)
            assert len(received) - answered <= 3
            listener.reply(received[answered].token, fetched(answered))
            assert offset_of(await read_frame(reader)) == (answered, answered)
            answered += 1
    await listener.close()


async def test_a_listener_outside_the_quorum_offers_versions_only(inbox):
    """Where Raft's APIs are not served, a request of theirs closes its connection and the core hears nothing."""
    listener = KafkaListener("127.0.0.1", 0, inbox, serves_quorum=False)
    await listener.start()
    async with connect(listener.port) as (reader, writer):
        writer.write(wire(fetch(5), 77))
        assert await read_to_end(reader) == b""
    assert inbox.queue.empty()
    assert [api.api_key for api in listener.apis] == [18]
    await listener.close()


async def test_requests_of_a_vanished_peer_are_abandoned(listener, inbox):
    """When a connection ends, the core hears of every request that was not answered, and of no other."""
    async with connect(listener.port) as (reader, writer):
        writer.write(wire(ballot(1), 1) + wire(ballot(2), 2) + wire(fetch(3), 3))
        received = await requests(inbox, 3)
        listener.reply(received[0].token, voted(1))
        await read_frame(reader)
    abandoned = await inbox.take(2)
    assert abandoned == [RequestAbandoned(each.token) for each in received[1:]]
    listener.reply(received[1].token, voted(2))
    assert listener.connection_count == 0


async def test_api_versions_lists_what_is_offered(listener):
    """ApiVersions lists every API with its versions, features included."""
    listener._features = lambda: OfferedFeatures(
        {"zero": (0, 1), "metadata.version": (7, 42)}, {"metadata.version": 40}, 12
    )
    async with connect(listener.port) as (reader, writer):
        for version in range(5):
            writer.write(frame(encode_request("x", version, rpc.ApiVersionsRequest(), version)))
            _, message = decode_response(18, version, await read_frame(reader))
            offered = {api.api_key: (api.min_version, api.max_version) for api in message.api_keys}
            raft = {1: (12, 18), 52: (0, 2), 53: (0, 1), 54: (0, 1), 55: (0, 2), 59: (0, 1)}
            assert offered == raft | {18: (0, 4), 80: (0, 1), 81: (0, 0), 82: (0, 0)}
            names = [feature.name for feature in message.supported_features]
            assert names == (
                [] if version < 3 else ["metadata.version"] if version < 4 else ["metadata.version", "zero"]
            )
            if version >= 3:
                assert message.finalized_features_epoch == 12
                assert message.finalized_features[0].max_version_level == 40


async def test_api_versions_to_come_is_answered_in_version_0(listener):
    """An ApiVersions request of an unknown version gets UNSUPPORTED_VERSION in version 0, and the connection lives."""
    async with connect(listener.port) as (reader, writer):
        known = encode_request("x", 5, rpc.ApiVersionsRequest("future", "9"), 4)
        writer.write(frame(known[:2] + (99).to_bytes(2, "big") + known[4:] + b"new fields"))
        correlation_id, message = decode_response(18, 0, await read_frame(reader))
        assert (correlation_id, message.error_code) == (5, ErrorCode.UNSUPPORTED_VERSION)
        assert [(api.api_key, api.min_version, api.max_version) for api in message.api_keys] == [(18, 0, 4)]
        writer.write(frame(encode_request("x", 6, rpc.ApiVersionsRequest(), 0)))
        assert decode_response(18, 0, await read_frame(reader))[0] == 6


GARBAGE = {
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "tls hello": b"\x16\x03\x01\x02\x00\x01\x00" + b"x" * 40,
    "negative size": b"\xff\xff\xff\xff",
    "huge size": b"\x7f\xff\xff\xff",
    "size below a header": frame(b"abc"),
    "unknown api": frame(b"\x03\xe7\x00\x00\x00\x00\x00\x01\xff\xff"),
    "api that is not offered": frame(encode_request("x", 1, rpc.UnregisterBrokerRequest(1), 0)),
    "old fetch": frame(encode_request("x", 1, rpc.FetchRequest(), 4)),
    "truncated body": frame(encode_request("x", 1, rpc.VoteRequest(), 1)[:-2]),
    "left-over bytes": frame(encode_request("x", 1, rpc.VoteRequest(), 1) + b"zz"),
    "zeroes": bytes(64),
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_closes_its_connection_only(listener, inbox, data, caplog):
    """Bytes that are no request close their connection with one line of the log; others are served on."""
    async with connect(listener.port) as (reader, writer), connect(listener.port) as (other_reader, other_writer):
        with caplog.at_level(logging.WARNING, logger="kraftpy"):
            writer.write(data)
            assert await read_to_end(reader) == b""
        assert len(caplog.records) == 1
        assert "connection_closed peer=127.0.0.1:" in caplog.records[0].getMessage()
        other_writer.write(wire(fetch(1), 1))
        (request,) = await requests(inbox, 1)
        listener.reply(request.token, fetched(4))
        assert offset_of(await read_frame(other_reader)) == (1, 4)


async def test_half_a_frame_and_a_reset_leave_nothing(listener, inbox):
    """A peer that goes in the middle of a frame leaves no request and no connection behind."""
    async with connect(listener.port) as (_, writer):
        writer.write(wire(fetch(1), 1)[:-3])
        await writer.drain()
    async with connect(listener.port) as (_, writer):
        writer.write(wire(fetch(2), 2))
        (request,) = await requests(inbox, 1)
        assert request.request.fetch_offset == 2
    assert isinstance(await inbox.next(), RequestAbandoned)
    assert inbox.queue.empty()


async def test_wrong_partition_is_answered_without_the_core(listener, inbox):
    """A request about another topic is answered INVALID_REQUEST at the top and never reaches the core."""
    async with connect(listener.port) as (reader, writer):
        writer.write(frame(encode_request("x", 3, rpc.VoteRequest(), 2)))
        _, message = decode_response(52, 2, await read_frame(reader))
        assert message.error_code == ErrorCode.INVALID_REQUEST
        assert inbox.queue.empty()


async def test_more_apis_can_be_registered(inbox):
    """Another API is a row in the table: answered at once or later, and listed by ApiVersions."""
    listener = KafkaListener("127.0.0.1", 0, inbox)
    later = []

    def handle(request):
        if request.message.broker_id == 1:
            return rpc.UnregisterBrokerResponse(error_code=0)
        later.append(request)
        return None

    listener.apis.add(Api(64, 0, 0, handle))
    with pytest.raises(ValueError, match="has a handler already"):
        listener.apis.add(Api(64, 0, 0, handle))
    with pytest.raises(ValueError, match="have no codec"):
        listener.apis.add(Api(62, 0, 9, handle))
    await listener.start()
    async with connect(listener.port) as (reader, writer):
        for broker_id in (2, 1):
            writer.write(frame(encode_request("cli", broker_id, rpc.UnregisterBrokerRequest(broker_id), 0)))
        while not later:  # noqa: ASYNC110 - a plain list
            await asyncio.sleep(0)
        later[0].answer(rpc.UnregisterBrokerResponse(error_code=102))
        answers = [decode_response(64, 0, await read_frame(reader)) for _ in range(2)]
        assert [(number, message.error_code) for number, message in answers] == [(2, 102), (1, 0)]
        writer.write(frame(encode_request("cli", 9, rpc.UnregisterBrokerRequest(3), 0)))
        while len(later) < 2:  # noqa: ASYNC110 - a plain list
            await asyncio.sleep(0)
    await listener.close()
    assert inbox.queue.empty()


async def test_what_cannot_be_answered_here_closes_the_connection(inbox):
    """A handler that refuses where the answer has no place for it closes the connection: a client asks another node."""
    listener = KafkaListener("127.0.0.1", 0, inbox)

    def handle(_request):
        raise ApiError(ErrorCode.BROKER_NOT_AVAILABLE, "its state is wrong")

    listener.apis.add(Api(64, 0, 0, handle))
    await listener.start()
    async with connect(listener.port) as (reader, writer):
        writer.write(frame(encode_request("cli", 1, rpc.UnregisterBrokerRequest(1), 0)))
        assert await reader.read() == b""
    await listener.close()


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(("count", "each"), [(ITEMS_MAX + 1, 0), (2, ITEMS_MAX // 2), (1, ITEMS_MAX)])
async def test_a_request_that_names_too_much_is_not_handled(inbox, version, count, each):
    """More resources and configs than any honest request has are turned into values, and decided."""
    row, config = (
        rpc.IncrementalAlterConfigsRequestAlterConfigsResource,
        rpc.IncrementalAlterConfigsRequestAlterableConfig,
    )

    def asked(count, each):
        rows = [row(16, f"{number}", [config(f"{key}", 0, "") for key in range(each)]) for number in range(count)]
        return frame(encode_request("cli", 1, rpc.IncrementalAlterConfigsRequest(rows), version))

    handled = []

    def handle(request):
        handled.append(len(request.message.resources))
        return rpc.IncrementalAlterConfigsResponse()

    listener = KafkaListener("127.0.0.1", 0, inbox)
    listener.apis.add(Api(44, 0, 1, handle))
    await listener.start()
    async with connect(listener.port) as (reader, writer):
        writer.write(asked(ITEMS_MAX, 0))
        await read_frame(reader)
        writer.write(asked(count, each))
        assert await reader.read() == b""
    await listener.close()
    assert handled == [ITEMS_MAX]


async def test_idle_connections_are_closed(inbox):
    """A connection on which nothing is asked for connections.max.idle.ms is closed, one that waits is not."""
    listener = KafkaListener("127.0.0.1", 0, inbox, limits=ListenerLimits(idle_max_ms=50))
    await listener.start()
    async with connect(listener.port) as (reader, _), connect(listener.port) as (waiting_reader, writer):
        writer.write(wire(fetch(1), 1))
        (request,) = await requests(inbox, 1)
        assert await read_to_end(reader) == b""
        listener.reply(request.token, fetched(3))
        assert offset_of(await read_frame(waiting_reader)) == (1, 3)
        assert await read_to_end(waiting_reader) == b""
    await listener.close()


async def test_connections_are_bounded(inbox):
    """For one connection more than allowed the one that was silent for longest is closed."""
    limits = ListenerLimits(connections=ConnectionLimits(connections=2))
    listener = KafkaListener("127.0.0.1", 0, inbox, limits=limits)
    await listener.start()
    async with connect(listener.port) as (silent, _), connect(listener.port) as (reader, writer):
        writer.write(wire(fetch(1), 1))
        (request,) = await requests(inbox, 1)
        async with connect(listener.port) as (third, third_writer):
            assert await read_to_end(silent) == b""
            third_writer.write(wire(fetch(2), 2))
            (second,) = await requests(inbox, 1)
            for token, ends in ((request, reader), (second, third)):
                listener.reply(token.token, fetched(3))
                assert offset_of(await read_frame(ends))[1] == 3
    assert (listener.admission.closed, listener.admission.refused) == (1, 0)
    await listener.close()


async def test_a_handshake_counts_from_the_first_moment(inbox, monkeypatch, tmp_path):
    """Connections that never finish their TLS handshake have places like others, and not for long."""
    monkeypatch.setattr(accepting, "HANDSHAKE_MAX_MS", 200)
    limits = ListenerLimits(connections=ConnectionLimits(handshakes=3))
    files = TlsFiles(certificate=str(self_signed(tmp_path).both))
    listener = KafkaListener("127.0.0.1", 0, inbox, ssl_context=server_context(files), limits=limits)
    await listener.start()
    async with AsyncExitStack() as stack:
        silent = [await stack.enter_async_context(connect(listener.port)) for _ in range(10)]
        async with asyncio.timeout(10):
            while listener.admission.closed < 7:  # noqa: ASYNC110 - the listener has no event for it
                await asyncio.sleep(0)
        assert listener.admission.unmade == listener.connection_count == 3
        assert [await read_to_end(reader) for reader, _ in silent] == [b""] * 10, "the time limit ends the rest"
        assert listener.connection_count == 0
    await listener.close()


async def test_closing_ends_handshakes_too(inbox, tmp_path):
    """A listener that closes waits for no handshake."""
    files = TlsFiles(certificate=str(self_signed(tmp_path).both))
    listener = KafkaListener("127.0.0.1", 0, inbox, ssl_context=server_context(files))
    await listener.start()
    async with connect(listener.port) as (reader, _):
        async with asyncio.timeout(10):
            while not listener.connection_count:  # noqa: ASYNC110 - the listener has no event for it
                await asyncio.sleep(0)
        await asyncio.wait_for(listener.close(), 3)
        assert await read_to_end(reader) == b""


async def test_an_answer_that_cannot_be_written_closes_the_connection(listener, inbox, caplog):
    """An answer with a number that does not fit is our fault: logged, the connection closed, the listener alive."""
    async with connect(listener.port) as (reader, writer):
        writer.write(wire(fetch(1), 1))
        (request,) = await requests(inbox, 1)
        listener.reply(request.token, fetched(2**70))
        assert await read_to_end(reader) == b""
    assert "cannot be written" in caplog.text


async def test_close_frees_the_port(inbox):
    """After close the port can be bound again, and open connections are gone."""
    listener = KafkaListener("127.0.0.1", 0, inbox)
    await listener.start()
    port = listener.port
    async with connect(port) as (reader, writer):
        writer.write(wire(fetch(1), 1))
        request = await inbox.next()
        assert isinstance(request, RequestReceived)
        await listener.close()
        assert await read_to_end(reader) == b""
    assert await inbox.next() == RequestAbandoned(request.token)
    again = KafkaListener("127.0.0.1", port, inbox)
    await again.start()
    assert again.port == port
    await again.close()


async def test_a_request_whose_handling_raises_closes_its_connection_alone(listener, inbox, caplog):
    """An unexpected error is counted and logged; other connections are served on."""

    def fail():
        raise RecursionError("maximum recursion depth exceeded")

    async with connect(listener.port) as (other_reader, other), connect(listener.port) as (reader, writer):
        other.write(wire(fetch(1), 1))
        (request,) = await requests(inbox, 1)
        listener._features = fail
        writer.write(frame(encode_request("peer", 3, rpc.ApiVersionsRequest("s", "1"), 3)))
        assert await read_to_end(reader) == b""
        listener.reply(request.token, fetched(3))
        assert offset_of(await read_frame(other_reader)) == (1, 3)
    assert listener.errors.counts == {"ApiVersionsRequest": 1}
    assert "Traceback" in caplog.text


async def test_an_answer_that_cannot_be_made_closes_its_connection_alone(listener, inbox, monkeypatch):
    """It is made in the driver's turn, which goes on; a request that the core gave up is closed the same way."""
    async with connect(listener.port) as (reader, writer), connect(listener.port) as (other_reader, other):
        writer.write(wire(fetch(1), 1))
        (request,) = await requests(inbox, 1)
        listener.reply(request.token, object())
        assert await read_to_end(reader) == b""
        assert listener.errors.counts == {"FetchRequest": 1}
        other.write(wire(fetch(1), 2))
        (request,) = await requests(inbox, 1)
        listener.drop(request.token, "its FetchRequest caused ValueError")
        assert await read_to_end(other_reader) == b""
    listener.drop(request.token, "it is gone")
    assert listener.errors.counts == {"FetchRequest": 1}


async def test_each_answer_is_reported_with_its_error_and_its_time(inbox):
    """A request of the core counts when it is answered, however long it waits; one without an answer does not."""
    answers = []
    listener = KafkaListener("127.0.0.1", 0, inbox, on_answered=lambda *answer: answers.append(answer))
    await listener.start()
    try:
        async with connect(listener.port) as (reader, writer):
            writer.write(wire(fetch(5), 1) + wire(ballot(1), 2))
            one, two = await requests(inbox, 2)
            assert answers == []
            listener.reply(two.token, voted(1))
            listener.reply(one.token, replace(fetched(9), error=ErrorCode.INCONSISTENT_CLUSTER_ID))
            await read_frame(reader)
            await read_frame(reader)
        assert [answer[:2] for answer in answers] == [(52, 0), (1, ErrorCode.INCONSISTENT_CLUSTER_ID)]
        assert all(0 <= took_s < 60 for _, _, took_s in answers)
    finally:
        await listener.close()
