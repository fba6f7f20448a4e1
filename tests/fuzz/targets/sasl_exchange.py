"""An authentication by SASL: a byte that chooses the mechanism and the side, then messages of the other side.

Messages are separated by a byte 0xFF. A server ends in a challenge, a verdict or a refusal, and only the messages that
know the secret are a verdict; a client answers or refuses.
"""

from __future__ import annotations

import hashlib

from immutables import Map

from kraftpy.authenticator.bearer import BearerClient, BearerServer, ValidToken
from kraftpy.authenticator.credentials import LogCredentials
from kraftpy.authenticator.exchange import ExchangeConfig, ExchangeState, ServerExchange
from kraftpy.authenticator.mechanism import MECHANISMS, OAUTHBEARER, PLAIN, SCRAM_HASHES, AuthenticationError
from kraftpy.authenticator.plain import PlainClient, PlainServer
from kraftpy.authenticator.scram import (
    SaltedPasswords,
    ScramClient,
    ScramServer,
    ScramServerConfig,
    stored_credential,
)
from kraftpy.image.delegation_tokens import DelegationTokensImage
from kraftpy.image.scram import MECHANISM_NAMES, ScramImage, ScramUser
from tests.fuzz.target import Target

NOW = 1_000
SECRET = "the secret"
SALT = b"salt"
SALTED = {name: hashlib.pbkdf2_hmac(each, SECRET.encode(), SALT, 4_096) for name, each in SCRAM_HASHES.items()}
USERS = ScramImage(
    Map({ScramUser(n, "a"): stored_credential(name, SALTED[name], SALT, 4_096) for n, name in MECHANISM_NAMES.items()})
)
SHARED = ScramServerConfig(LogCredentials(lambda: USERS, DelegationTokensImage), lambda: "s", b"decoy")
PASSWORDS = {name: SaltedPasswords(name, SECRET) for name in SCRAM_HASHES}


def validate(token: str, now_ms: int) -> ValidToken:
    if token != "good":
        raise AuthenticationError("not the good one")
    return ValidToken("a", now_ms + 1)


SERVERS = ExchangeConfig(
    {
        PLAIN: lambda: PlainServer({"a": SECRET}),
        OAUTHBEARER: lambda: BearerServer(validate),
        **{name: (lambda name=name: ScramServer(name, SHARED)) for name in SCRAM_HASHES},
    },
    {},
)


def run(data: bytes) -> None:
    """Let one side take the messages of the other."""
    number, messages = data[0] if data else 0, data[1:].split(b"\xff")
    name = MECHANISMS[number % len(MECHANISMS)]
    if number & 0x40:
        _client(name, messages)
        return
    exchange = ServerExchange(SERVERS)
    exchange.handshake(name, 1, NOW)
    for message in messages:
        answer = exchange.token(message, NOW)
        assert name == OAUTHBEARER or SECRET not in str(answer), "what the peer sends may be repeated by that one"
    assert exchange.state in {ExchangeState.TOKENS, ExchangeState.FAILED, ExchangeState.OPEN}
    if exchange.state is ExchangeState.OPEN:
        assert exchange.verdict is not None
        assert exchange.verdict.principal == "User:a"
        known = {PLAIN: SECRET.encode(), OAUTHBEARER: b"good"}.get(name, b",p=")
        assert any(known in message for message in messages)


def _client(name: str, messages: list[bytes]) -> None:
    client = {
        PLAIN: lambda: PlainClient("a", SECRET),
        OAUTHBEARER: lambda: BearerClient("good"),
    }.get(name, lambda: ScramClient("a", PASSWORDS[name], "c"))()
    for message in messages:
        client.respond(message)


def samples():
    yield "plain", b"\x00\0a\0the secret"
    yield "plain-client", b"\x40"
    yield "bearer", b"\x03n,,\x01auth=Bearer good\x01\x01"
    yield "bearer-refused", b"\x03n,a=a,\x01auth=Bearer bad\x01x=y\x01\x01\xff\x01"
    for number, name in enumerate(MECHANISMS):
        if name in SCRAM_HASHES:
            server, client = ScramServer(name, SHARED), ScramClient("a", PASSWORDS[name], "c")
            first = client.initial()
            challenge = server.evaluate(first, NOW)
            last = client.respond(challenge)
            verdict = server.evaluate(last, NOW)
            yield f"scram-{number}", bytes([number]) + first + b"\xff" + last
            yield f"scram-client-{number}", bytes([0x40 + number]) + challenge + b"\xff" + verdict.response
    yield "no-user", b"\x01n,a=b,n=b=2C=3D,r=c,tokenauth=true\xffc=biws,r=cs,p=AAAA"


TARGET = Target(
    name="sasl_exchange",
    run=run,
    refusals=(AuthenticationError,),
    samples=samples,
    words=(b"n,,", b"n=", b"r=", b"c=biws", b",p=", b"=2C", b"=3D", b",i=4096", b",s=", b"v=", b"\xff", b"\x01", b"\0"),
)
