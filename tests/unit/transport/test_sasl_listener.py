"""A listener that authenticates by SASL, over real sockets: against our own client, and byte by byte."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from kraftpy.authenticator.exchange import ExchangeConfig
from kraftpy.authenticator.login import PlainLogin, ScramLogin
from kraftpy.authenticator.plain import PlainServer
from kraftpy.authenticator.scram import ScramServer
from kraftpy.model.errors import ErrorCode
from kraftpy.raft.ready import Failure, RequestFailed, ResponseReceived
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.kafka import authentication
from kraftpy.transport.kafka.admission import ConnectionLimits
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.framing import frame
from kraftpy.transport.kafka.listener import KafkaListener, ListenerLimits
from kraftpy.transport.sasl import Authentication
from tests.unit.authenticator.test_mechanisms import config, users
from tests.unit.transport.conftest import ballot, connect, read_frame, read_to_end, requests, send_to, voted

SHA_256 = "SCRAM-SHA-256"
RECEIVE_MAX = 2_000


class Clock:
    def __init__(self):
        self.ms = 1_000_000

    def now_ms(self):
        return self.ms


@asynccontextmanager
async def listening(inbox, *, delay_ms=0, limits=None, clock=None, session_ms=0, failures=None):
    """A listener that offers PLAIN and SCRAM to alice; each failed authentication is added to ``failures``."""
    shared = config(users(alice="secret"))
    mechanisms = {
        "PLAIN": lambda: PlainServer({"alice": "secret"}),
        SHA_256: lambda: ScramServer(SHA_256, shared),
    }
    failures = [] if failures is None else failures
    listener = KafkaListener(
        "127.0.0.1",
        0,
        inbox,
        limits=limits or ListenerLimits(),
        authentication=Authentication(
            exchange=ExchangeConfig(mechanisms, {SHA_256: session_ms} if session_ms else {}),
            now_ms=(clock or Clock()).now_ms,
            receive_bytes_max=RECEIVE_MAX,
            failure_delay_ms=delay_ms,
            on_failure=lambda: failures.append(1),
        ),
    )
    await listener.start()
    try:
        yield listener
    finally:
        await listener.close()


async def ask(streams, message, version, number=1):
    """Send a request and return its answer."""
    reader, writer = streams
    writer.write(frame(encode_request("test", number, message, version)))
    return decode_response(message.API_KEY, version, await read_frame(reader))[1]


async def handshake(streams, mechanism="PLAIN", version=1):
    return await ask(streams, rpc.SaslHandshakeRequest(mechanism), version)


async def authenticate(streams, token=b"\0alice\0secret", version=2):
    return await ask(streams, rpc.SaslAuthenticateRequest(token), version)


@pytest.mark.parametrize("login", [PlainLogin("alice", "secret"), ScramLogin(SHA_256, "alice", "secret", lambda: "c")])
async def test_our_client_authenticates_itself_and_is_answered(inbox, answers, login):
    """Requests that were sent at once wait for it, and the principal is the user's."""
    failures = []
    async with listening(inbox, failures=failures) as listener, PeerNetwork(answers, "t", login=login) as network:
        network.send(send_to(listener.port, ballot(7)))
        (request,) = await requests(inbox, 1)
        (connection,) = listener._connections
        assert (connection.principal.name, connection.principal.by_sasl) == ("User:alice", True)
        listener.reply(request.token, voted(7))
        assert isinstance(await answers.next(), ResponseReceived)
        assert failures == []
        assert listener.admission.unmade == 0


@pytest.mark.parametrize(
    "login",
    [
        PlainLogin("alice", "wrong"),
        ScramLogin(SHA_256, "alice", "wrong", lambda: "c"),
        ScramLogin(SHA_256, "bob", "secret", lambda: "c"),
        ScramLogin("SCRAM-SHA-512", "alice", "secret", lambda: "c"),
    ],
)
async def test_a_client_with_wrong_credentials_gets_nothing(inbox, answers, login, caplog):
    """It reports that it is disconnected, says why in its log, and the password is in neither log."""
    failures = []
    async with listening(inbox, failures=failures) as listener, PeerNetwork(answers, "t", login=login) as network:
        network.send(send_to(listener.port, ballot(7)))
        assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)
        assert inbox.queue.empty()
        assert failures == [1]
    assert "login_failed" in caplog.text
    assert "authentication_failed" in caplog.text
    assert "secret" not in caplog.text


async def test_a_client_without_credentials_is_closed(inbox, answers):
    """ApiVersions is answered, anything else ends the connection."""
    async with listening(inbox) as listener, PeerNetwork(answers, "t") as network:
        network.send(send_to(listener.port, ballot(7)))
        assert isinstance(await answers.next(), RequestFailed)
        assert inbox.queue.empty()


async def test_a_client_with_credentials_refuses_a_listener_without_sasl(listener, inbox, answers, caplog):
    """Credentials are for a server that asks for them, and nothing is sent to one that does not."""
    async with PeerNetwork(answers, "t", login=PlainLogin("alice", "secret")) as network:
        network.send(send_to(listener.port, ballot(7)))
        assert await answers.next() == RequestFailed(1, Failure.DISCONNECTED)
        assert inbox.queue.empty()
    assert "the server does not offer SASL" in caplog.text


@pytest.mark.parametrize("version", [0, 1, 2])
async def test_every_version_of_a_token_is_answered(inbox, version):
    async with listening(inbox) as listener, connect(listener.port) as streams:
        versions = await ask(streams, rpc.ApiVersionsRequest("t", "1"), 4)
        assert {17, 36} <= {api.api_key for api in versions.api_keys}
        chosen = await handshake(streams)
        assert (chosen.error_code, chosen.mechanisms) == (0, ["PLAIN", SHA_256])
        assert (await authenticate(streams, version=version)).error_code == 0
        streams[1].write(frame(encode_request("test", 5, rpc.ApiVersionsRequest("t", "1"), 4)))
        assert await read_frame(streams[0])


async def test_tokens_may_come_without_headers(inbox):
    """After SaslHandshake version 0, as clients of before KIP-152 send them."""
    async with listening(inbox) as listener, connect(listener.port) as streams:
        assert (await handshake(streams, version=0)).error_code == 0
        streams[1].write(frame(b"\0alice\0secret"))
        assert await read_frame(streams[0]) == b""
        assert (await ask(streams, rpc.ApiVersionsRequest("t", "1"), 4)).error_code == 0


async def test_a_failure_is_answered_in_kafkas_words_and_closes(inbox):
    async with listening(inbox, delay_ms=1) as listener, connect(listener.port) as streams:
        await handshake(streams)
        answer = await authenticate(streams, b"\0alice\0wrong")
        assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert answer.error_message == "Authentication failed: Invalid username or password"
        assert await read_to_end(streams[0]) == b""


async def test_a_mechanism_that_is_not_offered_is_answered_and_closes(inbox):
    async with listening(inbox) as listener, connect(listener.port) as streams:
        answer = await handshake(streams, "GSSAPI")
        assert (answer.error_code, answer.mechanisms) == (ErrorCode.UNSUPPORTED_SASL_MECHANISM, ["PLAIN", SHA_256])
        assert await read_to_end(streams[0]) == b""


async def test_a_failed_peer_is_not_read_while_its_answer_waits(inbox, monkeypatch):
    """What it sends behind its failure is never handled: the answer comes, then the end."""
    failures = []
    async with listening(inbox, failures=failures, delay_ms=50) as listener, connect(listener.port) as streams:
        await handshake(streams)
        reader, writer = streams
        bad = frame(encode_request("t", 1, rpc.SaslAuthenticateRequest(b"\0alice\0wrong"), 2))
        good = frame(encode_request("t", 2, rpc.SaslAuthenticateRequest(b"\0alice\0secret"), 2))
        writer.write(bad + good)
        _, answer = decode_response(36, 2, await read_frame(reader))
        assert answer.error_code == ErrorCode.SASL_AUTHENTICATION_FAILED
        assert await read_to_end(reader) == b""
        assert failures == [1]


@pytest.mark.parametrize(
    "payload",
    [
        encode_request("t", 1, rpc.SaslAuthenticateRequest(b"\0alice\0secret"), 2),
        encode_request("t", 1, rpc.DescribeQuorumRequest([]), 1),
        b"",
        b"\x00\x11",
        b"\xff" * 40,
        b"\0" * (RECEIVE_MAX + 1),
    ],
    ids=["a token before a handshake", "another request", "nothing", "half a key", "noise", "too long a frame"],
)
async def test_anything_else_before_the_end_closes(inbox, payload):
    async with listening(inbox) as listener, connect(listener.port) as streams:
        streams[1].write(frame(payload))
        assert await read_to_end(streams[0]) == b""
        assert inbox.queue.empty()


async def test_a_peer_that_does_not_authenticate_itself_in_time_is_closed(inbox, monkeypatch):
    monkeypatch.setattr(authentication, "AUTHENTICATION_MAX_MS", 20)
    async with listening(inbox) as listener, connect(listener.port) as streams:
        await handshake(streams)
        assert await read_to_end(streams[0]) == b""
        assert listener.admission.unmade == 0


async def test_those_that_are_not_authenticated_share_the_places_of_handshakes(inbox):
    """The oldest of them is closed for the next one, and no authenticated peer is."""
    limits = ListenerLimits(connections=ConnectionLimits(handshakes=2))
    async with listening(inbox, limits=limits) as listener, connect(listener.port) as known:
        await handshake(known)
        await authenticate(known)
        # ``known`` left the places of handshakes, so that these two fill them.
        async with (
            connect(listener.port) as first,
            connect(listener.port) as second,
        ):
            await handshake(first)
            await handshake(second)
            third = await asyncio.open_connection("127.0.0.1", listener.port)
            await handshake(third)
            assert await read_to_end(first[0]) == b""
            assert (await authenticate(second)).error_code == 0
            assert (await ask(known, rpc.ApiVersionsRequest("t", "1"), 4)).error_code == 0
            third[1].close()
            await third[1].wait_closed()


async def test_an_expired_session_is_closed_and_a_renewed_one_is_not(inbox):
    clock = Clock()
    client = ScramLogin(SHA_256, "alice", "secret", lambda: "c")
    async with listening(inbox, clock=clock, session_ms=5_000) as listener, connect(listener.port) as streams:

        async def login():
            assert (await handshake(streams, SHA_256)).error_code == 0
            mechanism = client.begin()
            first = await authenticate(streams, mechanism.initial())
            last = await authenticate(streams, mechanism.respond(first.auth_bytes))
            assert last.session_lifetime_ms == 5_000

        await login()
        clock.ms += 4_999
        await login()
        clock.ms += 4_999
        assert (await ask(streams, rpc.ApiVersionsRequest("t", "1"), 4)).error_code == 0
        clock.ms += 2
        streams[1].write(frame(encode_request("t", 1, rpc.ApiVersionsRequest("t", "1"), 4)))
        assert await read_to_end(streams[0]) == b""


async def test_our_client_renews_its_session_on_the_same_connection(inbox, answers):
    """Long before it expires, and requests go on."""
    login = ScramLogin(SHA_256, "alice", "secret", lambda: "c")
    renewed = asyncio.Event()
    async with listening(inbox, session_ms=1_200) as listener, PeerNetwork(answers, "t", login=login) as network:
        network.send(send_to(listener.port, ballot(1), 1))
        (request,) = await requests(inbox, 1)
        (connection,) = listener._connections
        honest = connection.authenticated
        connection.authenticated = lambda: (honest(), renewed.set())
        (channel,) = network._channels.values()
        expiring, expires = asyncio.Event(), channel._connection.login_expires
        channel._connection.login_expires = lambda: (expires(), expiring.set())
        # Its answer waits until the session is to be renewed, so that both are under way.
        async with asyncio.timeout(10):
            await expiring.wait()
        listener.reply(request.token, voted(1))
        assert isinstance(await answers.next(), ResponseReceived)
        async with asyncio.timeout(10):
            await renewed.wait()
        network.send(send_to(listener.port, ballot(2), 2))
        (request,) = await requests(inbox, 1)
        listener.reply(request.token, voted(2))
        assert isinstance(await answers.next(), ResponseReceived)
        assert connection in listener._connections
