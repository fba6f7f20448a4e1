"""Connections to controllers from outside: TLS and SASL, one question at a time, and a sentence for what fails.

Source: KIP-35, KIP-152 (SaslAuthenticate).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.authenticator.login import ClientExchange, Login
from kraftpy.authenticator.mechanism import PLAIN, AuthenticationError
from kraftpy.model.errors import KraftError, MalformedError
from kraftpy.model.voters import Endpoint
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.protocol_names import protocol_of

ANSWER_BYTES_MAX: Final = 1 << 20
"""A longer answer is not one of Kafka's: an HTTP server's first bytes read as a length of 1.2 GB."""

REFUSED: Final = "refuses connections: no process listens there"

HTTP2_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""HTTP/2's first bytes from a client, and empty SETTINGS. Source: RFC 9113 §3.4."""

HTTP2_FRAME_HEADER_BYTES: Final = 9
HTTP2_SETTINGS: Final = 4
HTTP2_WAIT_S: Final = 2.0

CLIENT_ID: Final = "kraftpy-probe"
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
    """

    tls: ssl.SSLContext | None = None
    login: Login | None = None

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
            raise RefusedError(REFUSED) from error
        except ssl.SSLError as error:
            raise ProbeError(f"TLS: {error.reason or error}") from error
        except AuthenticationError as error:
            raise LoginRejectedError(f"SASL: {error}") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise await self._closed_by(endpoint) from error
        except MalformedError as error:
            raise UselessRetryError(f"does not speak Kafka's protocol: {error}") from error
        except OSError as error:
            raise ProbeError(f"cannot be reached: {error.strerror or error}") from error

    async def _closed_by(self, endpoint: Endpoint) -> ProbeError:
        """Say why a host may close connections; a port of gRPC is asked, where it needs no TLS of its own kind."""
        if self.tls is None and await speaks_http2(endpoint.host, endpoint.port):
            return UselessRetryError("is a port of gRPC (grpc.listener); name one of Kafka's protocol (listeners)")
        return ProbeError(f"closes the connection: it does not speak Kafka's protocol{self._not_tried()}")

    def _not_tried(self) -> str:
        names = [name for name, used in (("TLS", self.tls), ("SASL", self.login)) if used is None]
        return f", or expects {' or '.join(names)}" if names else ""


PLAINTEXT: Final = QuorumAccess()
"""Neither TLS nor SASL."""


async def open_stream(
    host: str, port: int, tls: ssl.SSLContext | None, hostname: str | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address of a name that accepts.

    asyncio's own error for a name with several addresses does not show that all of them refuse.

    Args:
        host: a name or an address.
        port: the port.
        tls: for TLS, if any.
        hostname: the name that the certificate has to show; ``None`` without TLS.

    Raises:
        OSError: no address accepts; the error of the last one.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(_with_scope(address) for *_, address in found))
    for address in addresses[:-1]:
        with suppress(OSError):
            return await asyncio.open_connection(address, port, ssl=tls, server_hostname=hostname)
    return await asyncio.open_connection(addresses[-1], port, ssl=tls, server_hostname=hostname)


def _with_scope(address: tuple[Any, ...]) -> str:
    """Return the address of a socket; of a link-local one of IPv6, with its interface."""
    host = str(address[0])
    return f"{host}%{address[3]}" if len(address) == 4 and address[3] else host


async def speaks_http2(host: str, port: int) -> bool:
    """Return whether a port in plaintext answers the start of HTTP/2 as a gRPC server does, with SETTINGS."""
    try:
        async with asyncio.timeout(HTTP2_WAIT_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(HTTP2_PREFACE)
                first = await reader.readexactly(HTTP2_FRAME_HEADER_BYTES)
            finally:
                writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        return False
    return first[3] == HTTP2_SETTINGS


async def _authenticate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, login: Login) -> None:
    exchange = ClientExchange(login)
    answer = await call(reader, writer, rpc.SaslHandshakeRequest(exchange.mechanism), HANDSHAKE_VERSION)
    assert isinstance(answer, rpc.SaslHandshakeResponse)
    token: bytes | None = exchange.handshaken(answer.error_code, answer.mechanisms)
    while token is not None:
        answer = await call(reader, writer, rpc.SaslAuthenticateRequest(token), AUTHENTICATE_VERSION)
        assert isinstance(answer, rpc.SaslAuthenticateResponse)
        token = exchange.answered(answer.error_code, answer.error_message, answer.auth_bytes)


async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Message, version: int) -> Message:
    """Ask one question on a connection that nothing else uses.

    Raises:
        MalformedError: the answer is none.
    """
    frame = encode_request(CLIENT_ID, 0, request, version)
    writer.write(len(frame).to_bytes(4, "big") + frame)
    await writer.drain()
    size_bytes = await reader.readexactly(4)
    size = int.from_bytes(size_bytes, "big", signed=True)
    if not 0 < size <= ANSWER_BYTES_MAX:
        protocol = protocol_of(size_bytes)
        raise MalformedError(f"its answer claims {size} bytes" if protocol is None else f"it speaks {protocol}")
    _, message = decode_response(request.API_KEY, version, await reader.readexactly(size))
    return message
