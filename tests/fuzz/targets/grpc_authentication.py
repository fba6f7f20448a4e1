"""A call of Authenticate: the bytes of its messages, through the server's own decoder, to a session or a refusal.

Messages are separated by two bytes 0xFF, which are none of protobuf's. A first byte chooses a new session or the
renewal of one. Only an exchange that knows a secret opens or renews a session, and nothing but a refusal is raised.
"""

from __future__ import annotations

import asyncio

from kraftpy.authenticator.mechanism import PLAIN, SCRAM_SHA_256, Authenticated
from kraftpy.authenticator.scram import ScramClient, ScramServer
from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import authentication_pb2 as pb
from kraftpy.transport.grpc.elements import decoder
from kraftpy.transport.grpc.sasl_sessions import SaslSession, SaslSessions
from kraftpy.transport.grpc.services.authentication import CallExchange, FailedExchangeError, authentication_bytes
from kraftpy.transport.sasl import Authentication
from tests.fuzz.target import Target
from tests.fuzz.targets.sasl_exchange import NOW, PASSWORDS, SECRET, SERVERS, SHARED

SEPARATOR = b"\xff\xff"
RUNNER = asyncio.Runner()
CONFIG = Authentication(exchange=SERVERS, now_ms=lambda: NOW, receive_bytes_max=4_096)
DECODE = decoder(pb.AuthenticateRequest.DESCRIPTOR, pb.AuthenticateRequest.FromString, authentication_bytes(CONFIG))


async def _served(messages: list[bytes], *, renews: bool) -> None:
    sessions = SaslSessions(lambda: NOW)
    renewed: SaslSession | None = None
    if renews:
        _, renewed = sessions.open(PLAIN, Authenticated(b"", "User:a"), NOW + 1_000)
    before = len(sessions)
    call = CallExchange(CONFIG, sessions, renewed)
    answer: pb.AuthenticateResponse | None = None
    try:
        for message in messages:
            assert len(message) <= CONFIG.receive_bytes_max or isinstance(DECODE(message), ApiError)
            answer = call.answer(DECODE(message))
            assert len(sessions) - before == (answer.HasField("session") and not renews)
            if answer.HasField("session"):
                break
    except FailedExchangeError:
        answer = None
    assert len(sessions) - before == (answer is not None and answer.HasField("session") and not renews)
    if answer is not None and answer.HasField("session"):
        assert answer.session.principal == "User:a"
        assert bool(answer.session.token) is not renews
        known = (SECRET.encode(), b"good", b",p=")
        assert any(each in message for each in known for message in messages)
    for session in tuple(sessions._used.values()):
        sessions.end(session)


def run(data: bytes) -> None:
    """Serve one call to its end."""
    RUNNER.run(_served(data[1:].split(SEPARATOR), renews=data[:1] == b"\1"))


def _sample(first: bytes, *requests: pb.AuthenticateRequest) -> bytes:
    return first + SEPARATOR.join(one.SerializeToString() for one in requests)


def samples():
    request = pb.AuthenticateRequest
    plain = (request(mechanism=PLAIN), request(data=f"\0a\0{SECRET}".encode()))
    yield "plain", _sample(b"\0", *plain)
    yield "plain-renews", _sample(b"\1", *plain)
    server, client = ScramServer(SCRAM_SHA_256, SHARED), ScramClient("a", PASSWORDS[SCRAM_SHA_256], "c")
    first = client.initial()
    last = client.respond(server.evaluate(first, NOW))
    scram = (request(mechanism=SCRAM_SHA_256), request(data=first), request(data=last))
    yield "scram", _sample(b"\0", *scram)
    yield "scram-renews-plain", _sample(b"\1", *scram)
    yield "bearer", _sample(b"\0", request(mechanism="OAUTHBEARER"), request(data=b"n,,\x01auth=Bearer good\x01\x01"))
    yield "both", _sample(b"\0", request(mechanism=PLAIN, data=b"\0a\0b"))
    yield "long", _sample(b"\0", request(mechanism=PLAIN), request(data=b"x" * 5_000))
    yield "overwritten", b"\0" + b"\n\x05PLAIN" * 1_000 + SEPARATOR + plain[1].SerializeToString()


TARGET = Target(
    name="grpc_authentication",
    run=run,
    refusals=(),
    samples=samples,
    words=(SEPARATOR, b"\n\x05PLAIN", b"\n\rSCRAM-SHA-256", b"\x12", b"n,,n=a,r=c", b",p="),
)
