"""What tests of SASL on the public API share: what a node offers, and exchanges message by message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kraftpy.authenticator.exchange import ExchangeConfig
from kraftpy.authenticator.plain import PlainServer
from kraftpy.authenticator.scram import ScramServer
from kraftpy.pb.v1 import authentication_pb2 as pb
from kraftpy.transport.sasl import Authentication
from tests.unit.authenticator.test_mechanisms import config, users

SHA_256 = "SCRAM-SHA-256"
RECEIVE_MAX = 2_000
ALICE = b"\0alice\0secret"
PASSWORDS = {"alice": "secret", "bob": "hidden"}


class Clock:
    def __init__(self):
        self.ms = 1_000_000

    def now_ms(self):
        return self.ms


class Offered:
    """The authentication of a node, and what became of the attempts.

    Attributes:
        begun: the mechanism of each exchange.
        failures: one item for each that failed.
        has_users: whether the node knows the log's users.
    """

    def __init__(self, *, session_ms=0, now_ms=None, image=None, delay_ms=0, receive_max=RECEIVE_MAX, more=None):
        self.clock = Clock()
        self.begun = []
        self.failures = []
        self.has_users = True
        shared = config(users(**PASSWORDS) if image is None else image)
        mechanisms = {"PLAIN": lambda: PlainServer(PASSWORDS), SHA_256: lambda: ScramServer(SHA_256, shared)}
        mechanisms |= more or {}
        self.authentication = Authentication(
            exchange=ExchangeConfig(
                {name: self._noting(name, begin) for name, begin in mechanisms.items()},
                dict.fromkeys(mechanisms, session_ms) if session_ms else {},
            ),
            now_ms=now_ms or self.clock.now_ms,
            receive_bytes_max=receive_max,
            failure_delay_ms=delay_ms,
            on_failure=lambda: self.failures.append(1),
            has_users=lambda: self.has_users,
        )

    def _noting(self, name, begin):
        def begin_noted():
            self.begun.append(name)
            return begin()

        return begin_noted


def exchange(channel, metadata=()):
    """Begin a call of Authenticate."""
    return channel.stream_stream(
        "/kraftpy.v1.AuthenticationService/Authenticate",
        request_serializer=lambda one: one if isinstance(one, bytes) else one.SerializeToString(),
        response_deserializer=pb.AuthenticateResponse.FromString,
    )(metadata=metadata)


async def answers(call, *requests):
    """Send messages, each after the answer to the one before; return the answers."""
    found = []
    for request in requests:
        await call.write(request)
        found.append(await call.read())
    return found


async def log_in(channel, data=ALICE, metadata=()):
    """Authenticate by PLAIN; return the session."""
    named, last = pb.AuthenticateRequest(mechanism="PLAIN"), pb.AuthenticateRequest(data=data)
    return (await answers(exchange(channel, metadata), named, last))[1].session


def bearer(token):
    """Return the metadata of a call with a token."""
    return (("authorization", f"Bearer {token}"),)


async def until(condition: Callable[[], object]) -> None:
    """Wait for what nothing reports."""
    while not condition():  # noqa: ASYNC110 - a limit's use has no event
        await asyncio.sleep(0.001)
