"""The states of a connection: what may come when, how long a session lasts, and how it is renewed."""

from __future__ import annotations

import pytest

from kraftpy.authenticator.exchange import (
    API_VERSIONS_KEY,
    REQUESTS_MAX,
    SASL_AUTHENTICATE_KEY,
    SASL_HANDSHAKE_KEY,
    ExchangeConfig,
    ExchangeState,
    ServerExchange,
)
from kraftpy.authenticator.mechanism import Authenticated, AuthenticationError
from kraftpy.model.errors import ErrorCode

NOW = 5_000
FETCH = 1


class Words:
    """A mechanism: ``more`` asks for more, ``no`` is refused, anything else is the principal."""

    def __init__(self, expires_ms: int | None = None) -> None:
        self.expires_ms = expires_ms

    def evaluate(self, response: bytes, now_ms: int) -> bytes | Authenticated:
        if response == b"more":
            return b"challenge"
        if response == b"no":
            raise AuthenticationError("a secret reason")
        return Authenticated(b"done", f"User:{response.decode()}", self.expires_ms)


def exchange(expires_ms: int | None = None, **session_max_ms: int) -> ServerExchange:
    begin = {"PLAIN": lambda: Words(expires_ms), "OTHER": lambda: Words(expires_ms)}
    return ServerExchange(ExchangeConfig(begin, session_max_ms))


def opened(one: ServerExchange) -> ServerExchange:
    one.handshake("PLAIN", 1, NOW)
    one.token(b"alice", NOW)
    assert one.state is ExchangeState.OPEN
    return one


def test_nothing_comes_before_the_authentication_is_over() -> None:
    """ApiVersions once, a handshake, then tokens alone; afterwards everything."""
    one = exchange()
    allowed = {key for key in range(100) if exchange().refusal(key, NOW) is None}
    assert allowed == {API_VERSIONS_KEY, SASL_HANDSHAKE_KEY}
    one.versions_answered()
    assert one.refusal(API_VERSIONS_KEY, NOW) is not None
    assert one.refusal(SASL_HANDSHAKE_KEY, NOW) is None
    assert one.handshake("PLAIN", 1, NOW).error == ErrorCode.NONE
    assert one.refusal(SASL_HANDSHAKE_KEY, NOW) is not None
    assert one.refusal(SASL_AUTHENTICATE_KEY, NOW) is None
    assert one.token(b"more", NOW).data == b"challenge"
    assert one.refusal(FETCH, NOW) is not None
    answer = one.token(b"alice", NOW)
    assert (answer.data, answer.lifetime_ms, answer.failure) == (b"done", 0, None)
    assert one.verdict is not None
    assert one.verdict.principal == "User:alice"
    assert one.refusal(FETCH, NOW) is None


def test_an_authentication_has_a_bounded_number_of_requests() -> None:
    one = exchange()
    for _ in range(REQUESTS_MAX):
        assert one.refusal(API_VERSIONS_KEY, NOW) is None
    assert "requests at most" in str(one.refusal(API_VERSIONS_KEY, NOW))


def test_an_unknown_mechanism_and_a_refusal_end_the_connection() -> None:
    """The reason is for the log alone."""
    one = exchange()
    answer = one.handshake("GSSAPI", 1, NOW)
    assert answer.error == ErrorCode.UNSUPPORTED_SASL_MECHANISM
    assert answer.failure is not None
    two = exchange()
    two.handshake("PLAIN", 1, NOW)
    failed = two.token(b"no", NOW)
    text = "Authentication failed during authentication due to invalid credentials with SASL mechanism PLAIN"
    assert (failed.error, failed.message) == (ErrorCode.SASL_AUTHENTICATION_FAILED, text)
    assert failed.failure == "authentication: a secret reason"
    for ended in (one, two):
        assert ended.refusal(SASL_AUTHENTICATE_KEY, NOW) is not None
        assert ended.token(b"alice", NOW).error == ErrorCode.SASL_AUTHENTICATION_FAILED


@pytest.mark.parametrize(
    ("expires_ms", "limit_ms", "lifetime_ms"),
    [
        (None, None, 0),
        (None, 100, 100),
        (NOW + 50, None, 50),
        (NOW + 50, 100, 50),
        (NOW + 500, 100, 100),
        (1, 100, 0),
        (NOW - 1, None, 0),
    ],
)
def test_a_session_lasts_as_long_as_its_limit_and_its_credentials(expires_ms, limit_ms, lifetime_ms) -> None:
    one = exchange(expires_ms, **({} if limit_ms is None else {"PLAIN": limit_ms}))
    one.handshake("PLAIN", 1, NOW)
    assert one.token(b"alice", NOW).lifetime_ms == lifetime_ms
    never = expires_ms is None and limit_ms is None
    assert one.refusal(FETCH, NOW + lifetime_ms) is None
    assert (one.refusal(FETCH, NOW + lifetime_ms + 1) is None) == never
    assert one.refusal(SASL_HANDSHAKE_KEY, NOW + lifetime_ms + 1) is None


def test_a_session_is_renewed_by_the_same_principal_and_mechanism() -> None:
    one = opened(exchange(PLAIN=100))
    assert one.handshake("PLAIN", 1, NOW + 90).error == ErrorCode.NONE
    assert one.refusal(FETCH, NOW + 90) is not None
    assert one.token(b"alice", NOW + 95).lifetime_ms == 100
    assert one.refusal(FETCH, NOW + 195) is None
    assert one.handshake("PLAIN", 1, NOW + 150).error == ErrorCode.ILLEGAL_SASL_STATE, "twice in a second"
    assert one.state is ExchangeState.OPEN


def test_a_session_keeps_its_principal_and_mechanism() -> None:
    one = opened(exchange(PLAIN=100))
    one.handshake("PLAIN", 1, NOW)
    text = "Cannot change principals during re-authentication from User.alice: User.bob"
    assert one.token(b"bob", NOW).message == text
    two = opened(exchange(PLAIN=100))
    two.handshake("OTHER", 1, NOW)
    assert "is not supported for re-authentication of mechanism 'PLAIN'" in str(two.token(b"alice", NOW).message)
    assert (one.state, two.state) == (ExchangeState.FAILED, ExchangeState.FAILED)


def test_a_session_without_an_end_is_not_renewed() -> None:
    one = opened(exchange())
    assert one.handshake("PLAIN", 1, NOW).error == ErrorCode.ILLEGAL_SASL_STATE
    answer = one.token(b"alice", NOW)
    assert answer.error == ErrorCode.ILLEGAL_SASL_STATE
    assert answer.failure is None
    assert one.state is ExchangeState.OPEN


def test_tokens_without_headers_follow_the_first_version() -> None:
    one = exchange(PLAIN=100)
    one.handshake("PLAIN", 0, NOW)
    assert not one.has_headers
    one.token(b"alice", NOW)
    assert one.handshake("PLAIN", 0, NOW).error == ErrorCode.ILLEGAL_SASL_STATE
