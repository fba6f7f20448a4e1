"""Authenticate the peers of a listener by SASL: between connections and the exchanges that judge them.

A connection that is not authenticated counts among the handshakes of its listener, has
:data:`~kraftpy.transport.sasl.AUTHENTICATION_MAX_MS` for it, and may send frames of ``sasl.server.max.receive.size``
bytes. A failure is answered after a pause, in which the connection is not read, and closes it.

Source: Kafka ``SaslServerAuthenticator``, ``Selector.DelayedAuthenticationFailureClose``; KIP-43, KIP-152, KIP-306.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from kraftpy.authenticator.exchange import (
    API_VERSIONS_KEY,
    ExchangeAnswer,
    ExchangeState,
    ServerExchange,
)
from kraftpy.model.identity import Principal
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.apis import WireRequest
from kraftpy.transport.kafka.connection import LOG
from kraftpy.transport.sasl import AUTHENTICATION_MAX_MS, Authentication, sasl_principal

Response = TypeVar("Response")


class AuthenticatedConnection(Protocol):
    """What of a connection its authentication needs."""

    peer: str

    def authenticated(self) -> None:
        """Take it that the peer is known now."""
        ...

    def stop_reading(self) -> None:
        """Read and handle nothing more."""
        ...

    def send(self, payload: bytes) -> None:
        """Queue a frame."""
        ...

    def close(self, reason: str) -> None:
        """Close when everything was sent."""
        ...

    def fail(self, reason: str) -> None:
        """Close because of something the peer did, and log it."""
        ...


class ConnectionAuthentication:
    """Drives the exchange of one connection, from its first byte to its end."""

    def __init__(self, connection: AuthenticatedConnection, config: Authentication) -> None:
        self._connection = connection
        self._config = config
        self._exchange = ServerExchange(config.exchange)
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether the peer is authenticated, and not about to be so again."""
        return self._exchange.state is ExchangeState.OPEN

    def connected(self) -> None:
        """Begin to count the time."""
        why = f"it was not authenticated in {AUTHENTICATION_MAX_MS} ms"
        self._timer = asyncio.get_running_loop().call_later(AUTHENTICATION_MAX_MS / 1_000, self._connection.fail, why)

    def ended(self) -> None:
        """Forget the connection."""
        if self._timer is not None:
            self._timer.cancel()

    def admits(self, payload: bytes) -> bool:
        """Return whether a frame is a request to be handled now; a token without a header is not one."""
        if not self._exchange.has_headers and not self.is_open:
            self._take_bare_token(payload)
            return False
        refusal = self._exchange.refusal(int.from_bytes(payload[:2], "big"), self._config.now_ms())
        if refusal is not None:
            self._connection.fail(refusal)
        return refusal is None

    def answered(self, api_key: int, message: Any) -> None:
        """Take it that a request was answered at once; ApiVersions may come once before a handshake."""
        if api_key == API_VERSIONS_KEY and not message.error_code:
            self._exchange.versions_answered()

    def handshake(self, request: WireRequest) -> rpc.SaslHandshakeResponse | None:
        """Answer SaslHandshake."""
        answer = self._exchange.handshake(request.message.mechanism, request.version, self._config.now_ms())
        response = rpc.SaslHandshakeResponse(answer.error, list(self._config.exchange.mechanisms))
        return self._answered(answer, response, lambda: request.answer(response))

    def authenticate(self, request: WireRequest) -> rpc.SaslAuthenticateResponse | None:
        """Answer SaslAuthenticate."""
        answer = self._exchange.token(request.message.auth_bytes, self._config.now_ms())
        response = rpc.SaslAuthenticateResponse(answer.error, answer.message, answer.data, answer.lifetime_ms)
        return self._answered(answer, response, lambda: request.answer(response))

    def _take_bare_token(self, payload: bytes) -> None:
        answer = self._exchange.token(payload, self._config.now_ms())
        if answer.failure is None:
            self._connection.send(answer.data)
        self._answered(answer, None, lambda: None)

    def _answered(self, answer: ExchangeAnswer, response: Response, later: Callable[[], None]) -> Response | None:
        """Go on after an answer, or end the connection with it, later."""
        if answer.failure is None:
            if self._exchange.state is ExchangeState.OPEN:
                self.ended()
                self._connection.authenticated()
            return response
        self._config.on_failure()
        LOG.warning(
            "authentication_failed peer=%s mechanism=%s reason=%s",
            self._connection.peer,
            self._exchange.mechanism or "-",
            answer.failure,
        )
        self.ended()
        self._connection.stop_reading()
        delay_s = self._config.failure_delay_ms / 1_000
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._close_with, later)
        return None

    def _close_with(self, answer: Callable[[], None]) -> None:
        answer()
        self._connection.close("authentication failed")

    def principal(self, certified: Principal) -> Principal:
        """Return who the peer is; which nodes it may speak for is in its certificate, if it showed one."""
        verdict = self._exchange.verdict
        return certified if verdict is None else sasl_principal(certified, verdict)
