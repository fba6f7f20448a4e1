"""Several listeners of one node that serve the quorum."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from kraftpy.model.voters import Endpoint
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestAbandoned
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.kafka.framing import frame
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.kafka.quorum_listeners import QuorumListeners, tokens_of
from kraftpy.transport.kafka.translate import BY_REQUEST
from tests.unit.transport.conftest import connect, fetch, fetched, read_frame, read_to_end, requests

NAMES = ("CONTROLLER", "SSL")
FETCH = BY_REQUEST[m.FetchRequest]
VERSION = FETCH.max_version
LED_AT = (Endpoint("CONTROLLER", "plain", 1), Endpoint("SSL", "secret", 2))


@pytest.fixture
async def listeners(inbox):
    async with AsyncExitStack() as stack:
        made = []
        for position, name in enumerate(NAMES):
            tokens = tokens_of(position, len(NAMES))
            made.append(KafkaListener("127.0.0.1", 0, inbox, name=name, tokens=tokens))
            await made[-1].start()
            stack.push_async_callback(made[-1].close)
        yield made


def asked(offset):
    return frame(encode_request("peer", offset, FETCH.request_to_wire(fetch(offset), VERSION), VERSION))


async def answer(reader):
    correlation_id, message = decode_response(1, VERSION, await read_frame(reader))
    return correlation_id, FETCH.read_response(message, "X")


async def test_each_request_is_answered_where_it_came_in(listeners, inbox):
    """Both listeners have requests under way at a time, and no two have one token."""
    quorum = QuorumListeners(listeners)
    async with connect(listeners[0].port) as (plain, to_plain), connect(listeners[1].port) as (secret, to_secret):
        for writer, offset in ((to_plain, 1), (to_secret, 2)):
            writer.write(asked(offset))
        found = await requests(inbox, 2)
        assert len({each.token for each in found}) == 2
        for each in found:
            assert quorum.room_for(each.token) is not None, "the listener knows the token"
            quorum.reply(each.token, fetched(each.request.fetch_offset))
        quorum.flush()
        for reader, offset in ((plain, 1), (secret, 2)):
            correlation_id, response = await answer(reader)
            assert (correlation_id, response.high_watermark) == (offset, offset)


async def test_an_answer_has_the_leader_s_address_at_the_listener_that_was_asked(listeners, inbox):
    """Who speaks TLS cannot connect to a port that does not; an address of another listener is withheld."""
    quorum = QuorumListeners(listeners)
    for listener, led_at in zip(listeners, LED_AT, strict=True):
        async with connect(listener.port) as (reader, writer):
            for known in (LED_AT, tuple(one for one in LED_AT if one is not led_at)):
                writer.write(asked(1))
                (request,) = await requests(inbox, 1)
                quorum.reply(request.token, replace(fetched(1), leader_endpoints=known))
                found = (await answer(reader))[1].leader_endpoints
                assert [(one.host, one.port) for one in found] == [(led_at.host, led_at.port)] * (led_at in known)


async def test_a_request_that_cannot_be_answered_ends_its_own_connection(listeners, inbox):
    """The connection at the other listener goes on, and its end abandons its own request."""
    quorum = QuorumListeners(listeners)
    async with connect(listeners[0].port) as (plain, to_plain), connect(listeners[1].port) as (_, to_secret):
        to_plain.write(asked(1))
        (first,) = await requests(inbox, 1)
        to_secret.write(asked(2))
        (second,) = await requests(inbox, 1)
        quorum.drop(first.token, "a test")
        assert await read_to_end(plain) == b""
        to_secret.close()
        assert await inbox.next() == RequestAbandoned(second.token)
