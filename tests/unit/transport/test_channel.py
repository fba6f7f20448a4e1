"""Connections to other nodes: every request has exactly one fate, and the right one."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from itertools import pairwise

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft import messages as m
from kraftpy.raft.ready import Failure, RequestAbandoned, RequestFailed, ResponseReceived
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response
from kraftpy.transport.kafka import channel, resolving
from kraftpy.transport.kafka.channel import IN_FLIGHT_MAX, PeerNetwork, classify
from kraftpy.transport.kafka.framing import frame
from tests.unit.transport.conftest import ballot, connect, fetch, fetched, read_frame, requests, send_to, voted

VOTE = m.VoteRequest(
    cluster_id=None, voter=None, candidate=ReplicaKey(1), epoch=1, last=OffsetAndEpoch(epoch=0, offset=0)
)
PRE_VOTE = m.VoteRequest(
    cluster_id=None, voter=None, candidate=ReplicaKey(1), epoch=1, last=OffsetAndEpoch(epoch=0, offset=0), pre_vote=True
)


def versions(*rows, error=ErrorCode.NONE):
    return rpc.ApiVersionsResponse(error_code=error, api_keys=[rpc.ApiVersionsResponseApiVersion(*row) for row in rows])


async def negotiate(reader, writer, *rows):
    """Play the server's part of ApiVersions."""
    header, message = decode_request(await read_frame(reader))
    assert isinstance(message, rpc.ApiVersionsRequest)
    writer.write(frame(encode_response(header.correlation_id, versions(*rows), header.request_api_version)))


async def test_a_request_is_answered(listener, network, inbox, answers):
    """A request goes out, its answer comes back under the core's correlation."""
    network.send(send_to(listener.port, fetch(3), correlation=41))
    (request,) = await requests(inbox, 1)
    listener.reply(request.token, fetched(8, b"records"))
    assert await answers.next() == ResponseReceived(41, fetched(8, b"records"))


async def test_every_kind_of_request_passes(listener, network, inbox, answers):
    """Every Raft API makes the trip both ways in its newest version."""
    leader = LeaderAndEpoch(1, 4)
    pairs = [
        (PRE_VOTE, m.VoteResponse(leader=leader, granted=True)),
        (
            m.BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=1, epoch=4),
            m.BeginQuorumEpochResponse(leader=leader),
        ),
        (m.EndQuorumEpochRequest(cluster_id=None, leader_id=1, epoch=4), m.EndQuorumEpochResponse(leader=leader)),
        (fetch(1, high_watermark=1), m.FetchResponse(leader=leader, partition_error=ErrorCode.FENCED_LEADER_EPOCH)),
        (
            m.FetchSnapshotRequest(
                cluster_id=None,
                replica=None,
                epoch=4,
                snapshot_id=OffsetAndEpoch(epoch=1, offset=2),
                position=0,
                max_bytes=9,
            ),
            m.FetchSnapshotResponse(leader=leader, error=ErrorCode.INVALID_REQUEST),
        ),
        (m.DescribeQuorumRequest(), m.DescribeQuorumResponse(leader=leader, high_watermark=3)),
    ]
    for number, (request, response) in enumerate(pairs):
        network.send(send_to(listener.port, request, correlation=number))
        (received,) = await requests(inbox, 1)
        assert received.request == request
        listener.reply(received.token, response)
        got = await answers.next()
        assert (got.correlation, got.response.error, got.response.partition_error) == (
            number, response.error, response.partition_error,
        )  # fmt: skip


async def test_requests_are_pipelined_over_one_connection(listener, network, inbox, answers):
    """A hundred requests are under way at once, on one connection, and every answer finds its own."""
    for number in range(60):
        network.send(send_to(listener.port, ballot(number + 1), correlation=1000 + number))
    received = await requests(inbox, 60)
    assert listener.connection_count == 1
    for each in received:
        listener.reply(each.token, voted(each.request.epoch))
    got = await answers.take(60)
    assert [(each.correlation, each.response.leader.epoch) for each in got] == [(1000 + n, n + 1) for n in range(60)]


async def test_large_answers_pass(listener, network, inbox, answers):
    """An answer of 9 MiB, larger than every buffer on the way, arrives whole."""
    records = bytes(range(256)) * (9 * 4096)
    network.send(send_to(listener.port, fetch()))
    (request,) = await requests(inbox, 1)
    listener.reply(request.token, fetched(1, records))
    assert (await answers.next()).response.records == records


async def test_refused_is_reported_at_once(raw_server, network, answers):
    """A port without a listener is REFUSED, for every request that waits for it, and tried again by the next."""
    port = raw_server.port
    await raw_server.stop()
    network.send(send_to(port, fetch(), 1))
    network.send(send_to(port, fetch(), 2))
    assert await answers.take(2) == [RequestFailed(1, Failure.REFUSED), RequestFailed(2, Failure.REFUSED)]
    network.send(send_to(port, fetch(), 3))
    assert await answers.next() == RequestFailed(3, Failure.REFUSED)


async def test_refused_under_a_name_with_two_addresses(raw_server, network, answers):
    """A name with two addresses is REFUSED when both refuse."""
    port = raw_server.port
    await raw_server.stop()
    network.send(send_to(port, fetch(), 1, host="localhost"))
    assert await answers.next() == RequestFailed(1, Failure.REFUSED)


def test_classification_of_connect_errors():
    """Only a refusal of every address is REFUSED."""
    refused, unreachable = f"[Errno {errno.ECONNREFUSED}] no", f"[Errno {errno.EHOSTUNREACH}] no"
    assert classify(ConnectionRefusedError()) is Failure.REFUSED
    assert classify(OSError(f"Multiple exceptions: {refused}, {refused}")) is Failure.REFUSED
    assert classify(OSError(f"Multiple exceptions: {refused}, {unreachable}")) is Failure.DISCONNECTED
    assert classify(OSError(errno.EHOSTUNREACH, "no")) is Failure.DISCONNECTED


@pytest.mark.parametrize(
    ("host", "port"), [("no-such-host.invalid", 1), ("a" * 80, 1), ("a\0b", 1), ("127.0.0.1", 99999)]
)
async def test_addresses_that_cannot_be(network, answers, host, port):
    """A name that does not resolve, or an impossible port, is a failed request and no crash."""
    network.send(send_to(port, fetch(), 5, host=host))
    assert await answers.next() == RequestFailed(5, Failure.DISCONNECTED)


async def test_a_name_is_resolved_again_at_each_connection(raw_server, network, answers, monkeypatch):
    """A peer that moved is found under its name when its old connection is gone."""
    arrivals = asyncio.Queue()
    moved = await asyncio.start_server(lambda *streams: arrivals.put_nowait(streams), "127.0.0.2", raw_server.port)
    asked = []

    def lookup(name):
        asked.append(name)
        return [f"127.0.0.{len(asked)}"]

    monkeypatch.setattr(resolving, "lookup", lookup)
    network.send(send_to(raw_server.port, fetch(), 1, host="controller-1.example"))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 12, 17))
    await read_frame(reader)
    writer.transport.abort()
    assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)
    network.send(send_to(raw_server.port, fetch(), 2, host="controller-1.example"))
    reader, writer = await asyncio.wait_for(arrivals.get(), 10)
    assert await read_frame(reader)
    assert asked == ["controller-1.example"] * 2
    writer.transport.abort()
    moved.close()
    await moved.wait_closed()


async def test_a_peer_that_cannot_be_reached_is_not_hammered(network, answers, monkeypatch):
    """However many requests are made, connecting is tried again only when a floor of time went by."""
    monkeypatch.setattr(channel, "RECONNECT_FLOOR_MS", 100)
    loop, tried_s = asyncio.get_running_loop(), []

    def lookup(_name):
        tried_s.append(loop.time())
        raise socket.gaierror

    monkeypatch.setattr(resolving, "lookup", lookup)
    for number in range(4):
        network.send(send_to(9093, fetch(), number, host="controller-1.example"))
        assert await answers.next() == RequestFailed(number, Failure.DISCONNECTED)
    pauses_s = [after - before for before, after in pairwise(tried_s)]
    assert len(pauses_s) == 3
    assert min(pauses_s) > 0.09


async def test_reset_fails_all_in_flight(raw_server, network, answers):
    """A reset is DISCONNECTED for every request in flight; the next request reconnects."""
    network.send(send_to(raw_server.port, fetch(), 1))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 12, 17))
    network.send(send_to(raw_server.port, fetch(), 2))
    await read_frame(reader)
    writer.transport.abort()
    assert await answers.take(2) == [RequestFailed(n, Failure.DISCONNECTED) for n in (1, 2)]
    network.send(send_to(raw_server.port, fetch(), 3))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 12, 17))
    header, _ = decode_request(await read_frame(reader))
    assert header.request_api_version == 17
    from kraftpy.transport.kafka.translate import BY_REQUEST

    answer = BY_REQUEST[m.FetchRequest].response_to_wire(fetched(5), 17)
    writer.write(frame(encode_response(header.correlation_id, answer, 17)))
    assert await answers.next() == ResponseReceived(3, fetched(5))


async def test_timeout_drops_the_connection_and_late_answers(listener, network, inbox, answers):
    """A request that times out closes its connection; a late answer reaches no request."""
    network.send(send_to(listener.port, fetch(1), 1, timeout_ms=60))
    network.send(send_to(listener.port, ballot(2), 2))
    late, other = await requests(inbox, 2)
    assert await answers.take(2) == [RequestFailed(1, Failure.TIMED_OUT), RequestFailed(2, Failure.DISCONNECTED)]
    assert await inbox.take(2) == [RequestAbandoned(late.token), RequestAbandoned(other.token)]
    listener.reply(late.token, fetched(1))
    listener.reply(other.token, voted(2))
    network.send(send_to(listener.port, fetch(3), 3))
    (request,) = await requests(inbox, 1)
    listener.reply(request.token, fetched(3))
    assert await answers.next() == ResponseReceived(3, fetched(3))


async def test_timeout_while_the_versions_are_awaited(raw_server, network, answers):
    """A server that accepts and says nothing times the request out."""
    network.send(send_to(raw_server.port, fetch(), 1, timeout_ms=50))
    assert await answers.next() == RequestFailed(1, Failure.TIMED_OUT)
    network.send(send_to(raw_server.port, fetch(), 2, timeout_ms=50))
    assert await answers.next() == RequestFailed(2, Failure.TIMED_OUT)


GARBAGE = {
    "http": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "huge frame": b"\x7f\xff\xff\xff",
    "negative frame": b"\xff\xff\xff\xff",
    "no versions": frame(b"\0\0\0\0"),
    "error": frame(encode_response(0, versions(error=ErrorCode.CLUSTER_AUTHORIZATION_FAILED), 4)),
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_instead_of_versions_is_malformed(raw_server, network, answers, data):
    """A server that does not speak Kafka's protocol is MALFORMED."""
    network.send(send_to(raw_server.port, fetch(), 1))
    _, writer = await raw_server.accept()
    writer.write(data)
    assert await answers.next() == RequestFailed(1, Failure.MALFORMED)


async def test_a_crooked_answer_fails_its_request_and_the_connection(raw_server, network, answers):
    """A truncated answer is MALFORMED for the request it answers and DISCONNECTED for the others."""
    network.send(send_to(raw_server.port, fetch(), 1))
    network.send(send_to(raw_server.port, fetch(), 2))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 12, 18))
    header, _ = decode_request(await read_frame(reader))
    writer.write(frame(header.correlation_id.to_bytes(4, "big") + b"\0\0\0"))
    assert await answers.take(2) == [RequestFailed(1, Failure.MALFORMED), RequestFailed(2, Failure.DISCONNECTED)]


async def test_an_answer_to_nothing_is_malformed(raw_server, network, answers):
    """An answer with a correlation id that is not in flight ends the connection."""
    network.send(send_to(raw_server.port, fetch(), 1))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 12, 18))
    await read_frame(reader)
    writer.write(frame((12345).to_bytes(4, "big") + b"\0\0\0\0"))
    assert await answers.next() == RequestFailed(1, Failure.MALFORMED)


async def test_no_common_version(raw_server, network, answers):
    """An API that the server lacks, or has in other versions only, is UNSUPPORTED_VERSION; the connection stays."""
    network.send(send_to(raw_server.port, fetch(), 1))
    network.send(send_to(raw_server.port, VOTE, 2))
    network.send(send_to(raw_server.port, PRE_VOTE, 3))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 4, 11), (52, 0, 1))
    failed = [RequestFailed(1, Failure.UNSUPPORTED_VERSION), RequestFailed(3, Failure.UNSUPPORTED_VERSION)]
    assert await answers.take(2) == failed
    header, message = decode_request(await read_frame(reader))
    assert (header.request_api_key, header.request_api_version) == (52, 1)
    assert not message.topics[0].partitions[0].pre_vote


async def test_old_server_is_asked_again_in_its_own_version(raw_server, network, answers):
    """A server that does not know ApiVersions 4 answers in version 0, and is asked again in what it knows."""
    network.send(send_to(raw_server.port, VOTE, 1))
    reader, writer = await raw_server.accept()
    header, _ = decode_request(await read_frame(reader))
    assert header.request_api_version == 4
    refused = versions((18, 0, 2), error=ErrorCode.UNSUPPORTED_VERSION)
    writer.write(frame(encode_response(header.correlation_id, refused, 0)))
    header, _ = decode_request(await read_frame(reader))
    assert header.request_api_version == 2
    writer.write(frame(encode_response(header.correlation_id, versions((52, 0, 0)), 2)))
    header, _ = decode_request(await read_frame(reader))
    assert (header.request_api_key, header.request_api_version) == (52, 0)


async def test_in_flight_is_bounded(raw_server, network, answers):
    """One request more than a node may have waiting fails at once."""
    for number in range(IN_FLIGHT_MAX + 1):
        network.send(send_to(raw_server.port, fetch(), number))
    assert await answers.next() == RequestFailed(IN_FLIGHT_MAX, Failure.DISCONNECTED)


async def test_close_fails_what_is_in_flight(listener, inbox, answers):
    """Leaving the network fails what is open, once, and whatever is sent afterwards."""
    async with PeerNetwork(answers, "test") as network:
        network.send(send_to(listener.port, fetch(), 1))
        await requests(inbox, 1)
    assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)
    network.send(send_to(listener.port, fetch(), 2))
    assert await answers.next() == RequestFailed(2, Failure.DISCONNECTED)
    assert answers.queue.empty()


async def test_close_while_connecting(raw_server, answers):
    """Leaving the network while a connection is being made leaves nothing behind."""
    async with PeerNetwork(answers, "test") as network:
        network.send(send_to(raw_server.port, fetch(), 1))
    assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)


async def test_cut_frame_then_reset(raw_server, network, answers):
    """A server that goes in the middle of an answer is DISCONNECTED."""
    network.send(send_to(raw_server.port, fetch(), 1))
    reader, writer = await raw_server.accept()
    await negotiate(reader, writer, (1, 12, 18))
    await read_frame(reader)
    writer.write(b"\0\0\0\x10abc")
    writer.close()
    assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)


async def test_many_connections_come_and_go(listener, network, inbox, answers):
    """A listener whose peers come and go all the time ends with none of them."""
    for _ in range(20):
        async with connect(listener.port):
            pass
    network.send(send_to(listener.port, fetch(), 1))
    (request,) = await requests(inbox, 1)
    listener.reply(request.token, fetched())
    await answers.next()
    async with asyncio.timeout(10):
        while listener.connection_count > 1:  # noqa: ASYNC110 - the listener has no event for it
            await asyncio.sleep(0)
    assert listener.connection_count == 1


async def test_an_answer_that_cannot_be_read_fails_its_request(listener, network, inbox, answers, monkeypatch, caplog):
    """An unexpected error fails the request as malformed, at once: the core does not wait for it for ever."""
    network.send(send_to(listener.port, fetch(), 1))
    (request,) = await requests(inbox, 1)

    def fail(*_):
        raise RecursionError("maximum recursion depth exceeded")

    monkeypatch.setattr("kraftpy.transport.kafka.channel.decode_response", fail)
    listener.reply(request.token, fetched(1))
    assert await answers.next() == RequestFailed(1, Failure.MALFORMED)
    assert network._settings.errors.counts == {"FetchResponse": 1}
    assert "Traceback" in caplog.text


async def test_addresses_that_are_not_used_are_forgotten(network, answers, monkeypatch):
    """However many addresses requests name, a bounded number is kept: those that something was sent to last."""
    monkeypatch.setattr(channel, "CHANNELS_MAX", 3)
    for number in range(20):
        network.send(send_to(1 + number, fetch(), number, timeout_ms=50))
        network.send(send_to(1, fetch(), 100 + number, timeout_ms=50))
    fates = await answers.take(40)
    assert {fate.correlation for fate in fates} == {*range(20), *range(100, 120)}
    assert len(network._channels) == 3
    assert ("127.0.0.1", 1) in network._channels


async def test_a_resolver_that_hangs_holds_up_its_own_names_only(raw_server, network, answers, monkeypatch):
    """While look-ups hang, other names are found, the executor's threads are free, and further names fail at once."""
    released = threading.Event()

    def lookup(name):
        if name.startswith("hangs"):
            released.wait(60)
        return ["127.0.0.1"]

    monkeypatch.setattr(resolving, "lookup", lookup)
    resolver = network._settings.resolver
    try:
        for number in range(resolving.LOOKUPS_MAX - 1):
            network.send(send_to(1, fetch(), number, host=f"hangs-{number}.example"))
        network.send(send_to(raw_server.port, fetch(), 100, host="well.example"))
        reader, writer = await raw_server.accept()
        await negotiate(reader, writer, (1, 12, 17))
        assert await read_frame(reader)
        assert resolver.running == resolving.LOOKUPS_MAX - 1
        loop = asyncio.get_running_loop()
        assert await asyncio.wait_for(loop.run_in_executor(None, lambda: "free"), 10) == "free"
        network.send(send_to(1, fetch(), 101, host="hangs-one-more.example"))
        await asyncio.sleep(0)
        network.send(send_to(1, fetch(), 102, host="hangs-two-more.example"))
        assert await answers.next() == RequestFailed(102, Failure.DISCONNECTED)
        assert resolver.refused == 1
        network.send(send_to(raw_server.port, fetch(), 103, host="127.0.0.1"))
        assert await raw_server.accept()
    finally:
        released.set()


async def test_a_peer_is_reached_by_a_known_name_although_the_resolver_hangs(raw_server, network, answers, monkeypatch):
    """The resolver's servers are gone when a connection is cut: the next request connects before its time is over.

    However long unknown names are waited for.
    """
    monkeypatch.setattr(resolving, "RESOLVE_MAX_MS", 600_000)
    released, found = threading.Event(), iter([["127.0.0.1"]])

    def lookup(_name):
        for addresses in found:
            return addresses
        released.wait(60)
        raise socket.gaierror

    monkeypatch.setattr(resolving, "lookup", lookup)
    try:
        network.send(send_to(raw_server.port, fetch(), 1, host="controller-1.example"))
        reader, writer = await raw_server.accept()
        await negotiate(reader, writer, (1, 12, 17))
        await read_frame(reader)
        writer.transport.abort()
        assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)
        network.send(send_to(raw_server.port, fetch(), 2, host="controller-1.example"))
        reader, writer = await raw_server.accept()
        await negotiate(reader, writer, (1, 12, 17))
        assert await read_frame(reader)
    finally:
        released.set()


async def test_a_name_that_hangs_means_what_it_meant(monkeypatch):
    """A look-up that takes too long is answered with the last one's answer, or fails where there was none."""
    monkeypatch.setattr(resolving, "RESOLVE_MAX_MS", 20)
    monkeypatch.setattr(resolving, "KNOWN_RESOLVE_MAX_MS", 20)
    released, answers = threading.Event(), iter([["10.0.0.1"]])

    def lookup(_name):
        for found in answers:
            return found
        released.wait(60)
        return ["10.0.0.2"]

    resolver = resolving.Resolver(lookup)
    try:
        assert await resolver.resolve("a.example") == ["10.0.0.1"]
        assert await resolver.resolve("a.example") == ["10.0.0.1"]
        with pytest.raises(OSError, match="not resolved in 20 ms"):
            await resolver.resolve("b.example")
        assert await resolver.resolve("::1") == ["::1"]
    finally:
        released.set()
    async with asyncio.timeout(10):
        while await resolver.resolve("a.example") != ["10.0.0.2"]:  # noqa: ASYNC110 - the thread has no event
            await asyncio.sleep(0)
