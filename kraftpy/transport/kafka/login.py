"""Authenticate this side of a connection by SASL, before requests are sent and again before the session expires.

Answers to earlier requests may come in between: a server answers in order, and what it was asked before it answers
before.

Source: Kafka ``SaslClientAuthenticator``; KIP-152, KIP-368.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

from kraftpy.authenticator.exchange import SASL_AUTHENTICATE_KEY, SASL_HANDSHAKE_KEY
from kraftpy.authenticator.login import ClientExchange, Login
from kraftpy.authenticator.mechanism import AuthenticationError
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response

LOG: Final = logging.getLogger("kraftpy.transport.kafka")

HANDSHAKE_VERSION: Final = 1
"""Version 0 would send tokens without headers."""

RENEWAL_SHARE: Final = 0.85
"""After which share of its lifetime a session is authenticated again. Source: Kafka ``ReauthInfo``."""


class LoggingInConnection(Protocol):
    """What of a connection its login needs."""

    peer: str

    def request(self, wire: Message, version: int) -> int:
        """Send a request; return its correlation id."""
        ...

    def version_of(self, api_key: int, min_version: int, max_version: int) -> int | None:
        """Return the highest of some versions that the server knows, too."""
        ...

    def logged_in(self) -> None:
        """Take it that requests can be sent."""
        ...

    def login_expires(self) -> None:
        """Let requests wait until this side is authenticated again."""
        ...

    def close(self, reason: str) -> None:
        """Close."""
        ...


class ConnectionLogin:
    """The authentications of one connection, one after the other."""

    def __init__(self, connection: LoggingInConnection, login: Login) -> None:
        self._connection = connection
        self._login = login
        self._exchange: ClientExchange | None = None
        self._number: int | None = None
        self._asked = (SASL_HANDSHAKE_KEY, HANDSHAKE_VERSION)
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Choose the mechanism."""
        try:
            self._exchange = ClientExchange(self._login)
            request = rpc.SaslHandshakeRequest(self._exchange.mechanism)
            self._ask(request, SASL_HANDSHAKE_KEY, HANDSHAKE_VERSION, HANDSHAKE_VERSION)
        except AuthenticationError as refused:
            self._give_up(refused)

    def awaits(self, number: int) -> bool:
        """Return whether a correlation id is that of an answer to this login."""
        return number == self._number

    def receive(self, payload: bytes) -> None:
        """Take an answer, and go on.

        Raises:
            MalformedError: it is none.
        """
        self._number = None
        api_key, version = self._asked
        _, message = decode_response(api_key, version, payload)
        exchange = self._exchange
        assert exchange is not None, "an answer is awaited"
        try:
            if isinstance(message, rpc.SaslHandshakeResponse):
                token: bytes | None = exchange.handshaken(message.error_code, message.mechanisms)
            else:
                assert isinstance(message, rpc.SaslAuthenticateResponse)
                token = exchange.answered(message.error_code, message.error_message, message.auth_bytes)
                if token is None:
                    self._complete(message.session_lifetime_ms)
                    return
            self._ask(rpc.SaslAuthenticateRequest(token or b""), SASL_AUTHENTICATE_KEY, 0, 2)
        except AuthenticationError as refused:
            self._give_up(refused)

    def _ask(self, request: Message, api_key: int, min_version: int, max_version: int) -> None:
        version = self._connection.version_of(api_key, min_version, max_version)
        if version is None:
            raise AuthenticationError("the server does not offer SASL: its listener has another security protocol")
        self._asked = (api_key, version)
        self._number = self._connection.request(request, version)

    def _complete(self, lifetime_ms: int) -> None:
        self._exchange = None
        if lifetime_ms > 0:
            delay_s = lifetime_ms / 1_000 * RENEWAL_SHARE
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._again)
        self._connection.logged_in()

    def _again(self) -> None:
        self._connection.login_expires()
        self.begin()

    def _give_up(self, refused: AuthenticationError) -> None:
        LOG.warning(
            "login_failed peer=%s mechanism=%s reason=%s", self._connection.peer, self._login.mechanism, refused
        )
        self._connection.close("login failed")

    def ended(self) -> None:
        """Forget the connection."""
        if self._timer is not None:
            self._timer.cancel()
