"""Connections to controllers from outside: TLS and SASL, one question at a time, and a sentence for what fails.

Source: KIP-35, KIP-152 (SaslAuthenticate).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from kraftpy.authenticator.login import ClientExchange, Login
from kraftpy.authenticator.mechanism import PLAIN, AuthenticationError
from kraftpy.model.errors import KraftError, MalformedError
from kraftpy.model.voters import Endpoint
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request

ANSWER_BYTES_MAX: Final = 1 << 20
"""A longer answer is not one of Kafka's: an HTTP server's first bytes read as a length of 1.2 GB."""

CLIENT_ID: Final = "kraftpy-probe"
HANDSHAKE_VERSION: Final = 1
AUTHENTICATE_VERSION: Final = 2


class ProbeError(KraftError):
    """The host is not a controller that can be followed; the text says what it is instead."""


class LoginRejectedError(ProbeError):
    """The host rejects the credentials: asking again would not help, and may lock the user out."""


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
        async with self._describing_failures(timeout_s):
            reader, writer = await asyncio.open_connection(
                endpoint.host, endpoint.port, ssl=self.tls, server_hostname=hostname
            )
            try:
                if self.login is not None:
                    await _authenticate(reader, writer, self.login)
                yield reader, writer
            finally:
                writer.close()

    @asynccontextmanager
    async def _describing_failures(self, timeout_s: float) -> AsyncIterator[None]:
        """Turn every way in which talking to a host fails, taking too long included, into a sentence about it."""
        try:
            async with asyncio.timeout(timeout_s):
                yield
        except TimeoutError:
            raise ProbeError(f"does not answer within {timeout_s:g} s") from None
        except socket.gaierror as error:
            raise ProbeError(f"is a name that cannot be resolved: {error.strerror}") from error
        except ConnectionRefusedError as error:
            raise ProbeError("refuses connections: no process listens there") from error
        except ssl.SSLError as error:
            raise ProbeError(f"TLS: {error.reason or error}") from error
        except AuthenticationError as error:
            raise LoginRejectedError(f"SASL: {error}") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise ProbeError(
                f"closes the connection: it does not speak Kafka's protocol, as a gRPC port does not{self._not_tried()}"
            ) from error
        except MalformedError as error:
            raise ProbeError(f"does not speak Kafka's protocol: {error}") from error
        except OSError as error:
            raise ProbeError(f"cannot be reached: {error.strerror or error}") from error

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


async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Message, version: int) -> Message:
    """Ask one question on a connection that nothing else uses.

    Raises:
        MalformedError: the answer is none.
    """
    frame = encode_request(CLIENT_ID, 0, request, version)
    writer.write(len(frame).to_bytes(4, "big") + frame)
    await writer.drain()
    size = int.from_bytes(await reader.readexactly(4), "big", signed=True)
    if not 0 < size <= ANSWER_BYTES_MAX:
        raise MalformedError(f"its answer claims {size} bytes")
    _, message = decode_response(request.API_KEY, version, await reader.readexactly(size))
    return message
