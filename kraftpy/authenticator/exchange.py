"""The states of one connection to a server that authenticates its peers.

::

    INITIAL -- ApiVersions --> HANDSHAKE
      |                            |
      '------ SaslHandshake -------'--> TOKENS -- the mechanism's verdict --> OPEN
                                          ^                                    |
                                          '---- SaslHandshake, in time --------'

Before OPEN nothing else is taken, and anything that does not belong ends the connection. A session that expires has to
be authenticated again over its connection: by the same mechanism, as the same principal, and at most once in a second.

Source: Kafka ``SaslServerAuthenticator``, ``KafkaChannel.maybeBeginServerReauthentication``; KIP-43, KIP-152, KIP-368.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from kraftpy.authenticator.mechanism import Authenticated, AuthenticationError, ServerMechanism
from kraftpy.model.errors import ErrorCode

SASL_HANDSHAKE_KEY: Final = 17
API_VERSIONS_KEY: Final = 18
SASL_AUTHENTICATE_KEY: Final = 36

REQUESTS_MAX: Final = 16
"""How many requests one authentication may take: the longest needs five."""

REAUTHENTICATION_INTERVAL_MS: Final = 1_000
"""A session is authenticated again at most once in this time. Source: Kafka ``KafkaChannel``."""

_AUTHENTICATED_BEFORE: Final = "SaslAuthenticate request received after successful authentication"


class ExchangeState(enum.Enum):
    """How far the connection is."""

    INITIAL = enum.auto()
    HANDSHAKE = enum.auto()
    TOKENS = enum.auto()
    OPEN = enum.auto()
    FAILED = enum.auto()


@dataclass(frozen=True, slots=True)
class ExchangeConfig:
    """What a listener offers.

    Attributes:
        mechanisms: name to what begins an authentication, in the order in which they are named to clients.
        session_max_ms: mechanism to how long a session lasts; without an entry as long as its credentials.
    """

    mechanisms: Mapping[str, Callable[[], ServerMechanism]]
    session_max_ms: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ExchangeAnswer:
    """What to answer, and whether that is the end of the connection.

    Attributes:
        error: for the answer.
        message: of the error; ``None`` without one.
        data: the mechanism's bytes.
        lifetime_ms: how long the session lasts; 0 for ever.
        failure: why the connection is to be closed after the answer, for the log; ``None`` when it goes on.
    """

    error: ErrorCode = ErrorCode.NONE
    message: str | None = None
    data: bytes = b""
    lifetime_ms: int = 0
    failure: str | None = None


class ServerExchange:
    """Judges the requests of one connection until it is authenticated, and when it is to be so again.

    Attributes:
        state: how far it is.
        verdict: who the peer is; ``None`` before.
        has_headers: whether tokens come in requests; after SaslHandshake version 0 they come as they are.

    Args:
        config: what the listener offers.
        renews: the mechanism and the verdict of a session that is authenticated again in an exchange of its own.
    """

    def __init__(self, config: ExchangeConfig, renews: tuple[str, Authenticated] | None = None) -> None:
        self._config = config
        self.state = ExchangeState.INITIAL
        self.verdict: Authenticated | None = None
        self._name = ""
        if renews is not None:
            self._name, self.verdict = renews
        self.has_headers = True
        self._chosen = ""
        self._mechanism: ServerMechanism | None = None
        self._expires_ms: int | None = None
        self._began_again_ms: int | None = None
        self._requests = 0

    @property
    def mechanism(self) -> str:
        """The mechanism that was chosen; empty before."""
        return self._name

    @property
    def expires_ms(self) -> int | None:
        """When the session ends, in milliseconds since 1970; ``None`` for never, and before there is one."""
        return self._expires_ms

    def refusal(self, api_key: int, now_ms: int) -> str | None:
        """Say why a request may not be handled, so that the connection is to be closed; ``None`` when it may."""
        if self.state is ExchangeState.OPEN:
            is_over = self._expires_ms is not None and now_ms > self._expires_ms
            return "the session has expired" if is_over and api_key != SASL_HANDSHAKE_KEY else None
        self._requests += 1
        if self._requests > REQUESTS_MAX:
            return f"an authentication takes {REQUESTS_MAX} requests at most"
        expected = {
            ExchangeState.INITIAL: (API_VERSIONS_KEY, SASL_HANDSHAKE_KEY),
            ExchangeState.HANDSHAKE: (SASL_HANDSHAKE_KEY,),
            ExchangeState.TOKENS: (SASL_AUTHENTICATE_KEY,),
        }.get(self.state, ())
        if api_key in expected:
            return None
        return f"a request with apiKey {api_key} came before the authentication was over"

    def versions_answered(self) -> None:
        """Take it that ApiVersions was answered with versions."""
        if self.state is ExchangeState.INITIAL:
            self.state = ExchangeState.HANDSHAKE

    def handshake(self, mechanism: str, version: int, now_ms: int) -> ExchangeAnswer:
        """Take the choice of a mechanism."""
        if self.state is ExchangeState.OPEN and not self._may_begin_again(version, now_ms):
            return ExchangeAnswer(ErrorCode.ILLEGAL_SASL_STATE)
        begin = self._config.mechanisms.get(mechanism)
        if begin is None:
            self.state = ExchangeState.FAILED
            text = f"Unsupported SASL mechanism {mechanism[:100]!r}"
            return ExchangeAnswer(ErrorCode.UNSUPPORTED_SASL_MECHANISM, failure=text)
        if self.verdict is None:
            self._name, self.has_headers = mechanism, version > 0
        self._chosen = mechanism
        self._mechanism = begin()
        self.state = ExchangeState.TOKENS
        return ExchangeAnswer()

    def _may_begin_again(self, version: int, now_ms: int) -> bool:
        """Return whether the session is authenticated again now; a session that never expires is not."""
        if self._expires_ms is None or version == 0:
            return False
        last = self._began_again_ms
        if last is not None and now_ms - last < REAUTHENTICATION_INTERVAL_MS:
            return False
        self._began_again_ms = now_ms
        self._requests = 1
        return True

    def token(self, data: bytes, now_ms: int) -> ExchangeAnswer:
        """Take the mechanism's next bytes."""
        if self.state is ExchangeState.OPEN:
            return ExchangeAnswer(ErrorCode.ILLEGAL_SASL_STATE, _AUTHENTICATED_BEFORE)
        mechanism = self._mechanism
        if self.state is not ExchangeState.TOKENS or mechanism is None:
            return self._failed("a token came before a mechanism was chosen", None)
        try:
            if self._chosen != self._name:
                text = (
                    f"SASL mechanism '{self._chosen}' requested by client is not supported for re-authentication of "
                    f"mechanism '{self._name}'"
                )
                raise AuthenticationError(text, text)
            outcome = mechanism.evaluate(data, now_ms)
            if isinstance(outcome, bytes):
                return ExchangeAnswer(data=outcome)
            self._check_same(outcome)
        except AuthenticationError as refused:
            return self._failed(str(refused), refused.text)
        return self._opened(outcome, now_ms)

    def _check_same(self, verdict: Authenticated) -> None:
        """Refuse to become another principal."""
        before = self.verdict
        if before is not None and before.principal != verdict.principal:
            was, now = (one.principal.replace(":", ".", 1) for one in (before, verdict))
            text = f"Cannot change principals during re-authentication from {was}: {now}"
            raise AuthenticationError(text, text)

    def _failed(self, reason: str, text: str | None) -> ExchangeAnswer:
        self.state = ExchangeState.FAILED
        self._mechanism = None
        what = "authentication" if self.verdict is None else "re-authentication"
        shown = (
            text or f"Authentication failed during {what} due to invalid credentials with SASL mechanism {self._name}"
        )
        return ExchangeAnswer(ErrorCode.SASL_AUTHENTICATION_FAILED, shown, failure=f"{what}: {reason}")

    def _opened(self, verdict: Authenticated, now_ms: int) -> ExchangeAnswer:
        self.state = ExchangeState.OPEN
        self.verdict = verdict
        self._mechanism = None
        lasts = [self._config.session_max_ms[self._name]] if self._name in self._config.session_max_ms else []
        # As in Kafka, a token that expired within the difference of clocks opens a session of no time: its lifetime
        # reads like that of one without an end, and its next request closes the connection.
        lasts += [] if verdict.expires_ms is None else [max(0, verdict.expires_ms - now_ms)]
        lifetime_ms = min(lasts, default=0)
        self._expires_ms = now_ms + lifetime_ms if lasts else None
        return ExchangeAnswer(data=verdict.response, lifetime_ms=lifetime_ms)
