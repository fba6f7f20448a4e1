"""Connections to controllers from outside: TLS and SASL, one question at a time, and a sentence for what fails.

Source: KIP-35, KIP-152 (SaslAuthenticate).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from kraftpy.authenticator.login import ClientExchange, Login
from kraftpy.authenticator.mechanism import PLAIN, AuthenticationError
from kraftpy.model.errors import KraftError, MalformedError
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.port_kinds import NAMED, FoundPort, PortKind, sentence
from kraftpy.quorum_tools.port_probe import look
from kraftpy.quorum_tools.streams import call, open_stream
from kraftpy.records.generated import rpc

Answer = TypeVar("Answer")

PATIENCE_S: Final = 0.5
"""How long an answer may take before the port is looked at, beside it."""

HANDSHAKE_VERSION: Final = 1
AUTHENTICATE_VERSION: Final = 2


class ProbeError(KraftError):
    """The host is not a controller that can be followed; the text says what it is instead."""


class UselessRetryError(ProbeError):
    """Asking again at once would not help: no process listens, or another protocol is spoken there."""


class RefusedError(UselessRetryError):
    """No process listens there; one that starts may."""


class LoginRejectedError(UselessRetryError):
    """The host rejects the credentials: asking again may lock the user out."""


@dataclass(frozen=True, slots=True)
class QuorumAccess:
    """How connections to the controllers of a quorum are protected.

    Attributes:
        tls: for TLS.
        login: the credentials, where controllers ask for them by SASL.
        look_tls: for a look at a port: as ``tls``, and it offers HTTP/2, without which gRPC ends a handshake.
    """

    tls: ssl.SSLContext | None = None
    login: Login | None = None
    look_tls: ssl.SSLContext | None = None

    @property
    def security_protocol(self) -> str:
        """Kafka's name for it."""
        transport = "PLAINTEXT" if self.tls is None else "SSL"
        return transport if self.login is None else f"SASL_{transport}"

    @property
    def shows_password(self) -> bool:
        """Whether the password is sent in clear, to any process that listens."""
        return self.tls is None and self.login is not None and self.login.mechanism == PLAIN

    @asynccontextmanager
    async def connected(
        self, endpoint: Endpoint, timeout_s: float
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Connect and authenticate this side; close at the end.

        Raises:
            ProbeError: with a sentence about what failed, here or in the body, which ``timeout_s`` is for, too.
        """
        hostname = endpoint.host if self.tls is not None else None
        async with self._describing_failures(endpoint, timeout_s):
            reader, writer = await open_stream(endpoint.host, endpoint.port, self.tls, hostname)
            try:
                if self.login is not None:
                    await _authenticate(reader, writer, self.login)
                yield reader, writer
            finally:
                writer.close()

    @asynccontextmanager
    async def _describing_failures(self, endpoint: Endpoint, timeout_s: float) -> AsyncIterator[None]:
        """Turn every way in which talking to a host fails, taking too long included, into a sentence about it."""
        try:
            async with asyncio.timeout(timeout_s):
                yield
        except TimeoutError:
            raise ProbeError(f"does not answer within {timeout_s:g} s") from None
        except socket.gaierror as error:
            kind = UselessRetryError if error.errno == socket.EAI_NONAME else ProbeError
            raise kind(f"is a name that cannot be resolved: {error.strerror}") from error
        except ConnectionRefusedError as error:
            raise RefusedError(sentence(FoundPort(PortKind.REFUSED), uses_tls=self.tls is not None)) from error
        except ssl.SSLError as error:
            raise await self._without_tls(endpoint, error) from error
        except AuthenticationError as error:
            raise LoginRejectedError(f"SASL: {error}") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise await self._closed_by(endpoint) from error
        except MalformedError as error:
            raise UselessRetryError(f"does not speak Kafka's protocol: {error}") from error
        except OSError as error:
            raise ProbeError(f"cannot be reached: {error.strerror or error}") from error

    async def answer(self, endpoint: Endpoint, asking: Coroutine[Any, Any, Answer]) -> Answer:
        """Wait for an answer of a port, and look at the port when it does not come: an HTTP server is silent at first.

        Raises:
            ProbeError: the port is of another kind; or what was asked raises it.
        """
        task = asyncio.ensure_future(asking)
        try:
            done, _ = await asyncio.wait({task}, timeout=PATIENCE_S)
            if not done:
                found = await self._look(endpoint)
                if found.kind in NAMED - {PortKind.CONTROLLER, PortKind.BROKER} and not task.done():
                    raise UselessRetryError(sentence(found, uses_tls=self.tls is not None))
            return await task
        finally:
            task.cancel()

    async def _closed_by(self, endpoint: Endpoint) -> ProbeError:
        """Say why a host may close connections: what is there, or what was not tried."""
        found = await self._look(endpoint)
        if found.kind is PortKind.REFUSED:
            return RefusedError(sentence(found, uses_tls=self.tls is not None))
        if found.kind in {PortKind.CONTROLLER, PortKind.BROKER} and found.is_tls == (self.tls is not None):
            closes = "speaks Kafka's protocol and closes the connection"
            if self.login is None:
                return UselessRetryError(f"{closes}: it demands SASL; give credentials (--command-config)")
            return ProbeError(f"{closes}; perhaps it does not authenticate by SASL")
        if found.kind in NAMED or found.kind is PortKind.TLS:
            return UselessRetryError(sentence(found, uses_tls=self.tls is not None))
        return ProbeError(f"closes the connection: it does not speak Kafka's protocol{self._not_tried()}")

    async def _without_tls(self, endpoint: Endpoint, error: ssl.SSLError) -> ProbeError:
        """Say why TLS fails: a port in plaintext is named."""
        found = await self._look(endpoint)
        if found.kind in NAMED or found.kind in {PortKind.UNTRUSTED, PortKind.CERTIFICATE_WANTED}:
            return UselessRetryError(sentence(found, uses_tls=True))
        return ProbeError(f"TLS: {error.reason or error}")

    async def _look(self, endpoint: Endpoint) -> FoundPort:
        return await look(endpoint.host, endpoint.port, self.look_tls or self.tls)

    def _not_tried(self) -> str:
        names = [name for name, used in (("TLS", self.tls), ("SASL", self.login)) if used is None]
        return f", or expects {' or '.join(names)}" if names else ""


PLAINTEXT: Final = QuorumAccess()
"""Neither TLS nor SASL."""


async def _authenticate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, login: Login) -> None:
    exchange = ClientExchange(login)
    answer = await call(reader, writer, rpc.SaslHandshakeRequest(exchange.mechanism), HANDSHAKE_VERSION)
    assert isinstance(answer, rpc.SaslHandshakeResponse)
    token: bytes | None = exchange.handshaken(answer.error_code, answer.mechanisms)
    while token is not None:
        answer = await call(reader, writer, rpc.SaslAuthenticateRequest(token), AUTHENTICATE_VERSION)
        assert isinstance(answer, rpc.SaslAuthenticateResponse)
        token = exchange.answered(answer.error_code, answer.error_message, answer.auth_bytes)
