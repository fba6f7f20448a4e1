"""Tokens of OAUTHBEARER: which are valid, and that nothing forged is."""

from __future__ import annotations

import base64
import json
import sys

import jwt
import pytest

from kraftpy.authenticator.mechanism import AuthenticationError
from kraftpy.model.errors import ConfigError
from kraftpy.transport.oauth_tokens import KEY_SET_BYTES_MAX, JwtValidator, TokenRules, check_library, parse_keys
from tests.fakes.oauth import AuthorizationServer

NOW_S = 1_800_000_000
NOW_MS = NOW_S * 1_000
SERVER = AuthorizationServer()
OTHER = AuthorizationServer()


def validator(rules: TokenRules | None = None, server: AuthorizationServer = SERVER) -> JwtValidator:
    made = JwtValidator(rules or TokenRules(clock_skew_ms=5_000))
    made.keys = parse_keys(server.key_set())
    return made


def unsigned(token: str, algorithm: str) -> str:
    """Replace the header by one that names another algorithm."""
    header = base64.urlsafe_b64encode(json.dumps({"alg": algorithm, "kid": SERVER.key_id}).encode()).rstrip(b"=")
    return ".".join((header.decode(), token.split(".")[1], ""))


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_a_signed_token_names_its_owner_until_it_expires(algorithm: str) -> None:
    server = AuthorizationServer(algorithm)
    found = validator(server=server)(server.token(NOW_S), NOW_MS)
    assert found == ("alice", NOW_MS + 3_600_000)


def test_another_claim_may_name_the_owner() -> None:
    rules = TokenRules(user_claim="client", audiences=("a", "kafka"), issuer="issuer")
    assert validator(rules)(SERVER.token(NOW_S, client="node"), NOW_MS).user == "node"


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": NOW_S - 5}, {"exp": None}, {"exp": "soon"}, {"exp": True}, {"exp": 2**60}, {"exp": -1}, {"iat": None},
        {"iat": NOW_S + 6}, {"nbf": NOW_S + 6}, {"nbf": "x"}, {"sub": None}, {"sub": ""}, {"sub": " "}, {"sub": 7},
        {"aud": "other"}, {"aud": None}, {"iss": "other"}, {"iss": None},
    ],
)  # fmt: skip
def test_a_token_with_another_claim_is_refused(claims) -> None:
    """Within the skew of the clocks a token may have expired, or be of the future."""
    rules = TokenRules(clock_skew_ms=5_000, audiences=("kafka",), issuer="issuer")
    for near in ({"exp": NOW_S - 4}, {"iat": NOW_S + 5}, {"nbf": NOW_S + 5}):
        assert validator(rules)(SERVER.token(NOW_S, **near), NOW_MS).user == "alice"
    with pytest.raises(AuthenticationError):
        validator(rules)(SERVER.token(NOW_S, **claims), NOW_MS)


@pytest.mark.parametrize(
    "token",
    [
        OTHER.token(NOW_S),
        unsigned(SERVER.token(NOW_S), "none"),
        unsigned(SERVER.token(NOW_S), "HS256"),
        SERVER.token(NOW_S, {"kid": "key-2"}),
        SERVER.token(NOW_S)[:-8] + "AAAAAAAA",
        jwt.encode({"sub": "alice", "iat": NOW_S, "exp": NOW_S + 9}, "shared" * 20, "HS256", {"kid": SERVER.key_id}),
        "", "a.b.c", "....", "[" * 5_000, SERVER.token(NOW_S) + ".x",
    ],
    ids=range(11),
)  # fmt: skip
def test_a_token_that_the_key_did_not_sign_is_refused(token: str) -> None:
    with pytest.raises(AuthenticationError) as caught:
        validator()(token, NOW_MS)
    assert not token or token not in str(caught.value)


def test_an_unknown_key_asks_for_the_set_to_be_read() -> None:
    asked = []
    made = JwtValidator(TokenRules(), lambda: asked.append(1))
    with pytest.raises(AuthenticationError):
        made(SERVER.token(NOW_S), NOW_MS)
    assert asked == [1]


@pytest.mark.parametrize(
    "text",
    [
        b"", b"{}", b"[]", b"7", b"\xff", b'{"keys": 7}', b'{"keys": []}', b'{"keys": [7]}',
        b'{"keys": [{"kty": "RSA"}]}',
        b'{"keys": [{"kty": "oct", "k": "AAAA", "kid": "key-1", "alg": "HS256"}]}', b"[" * 100_000,
        b" " * (KEY_SET_BYTES_MAX + 1),
    ],
    ids=range(12),
)  # fmt: skip
def test_what_is_no_set_of_public_keys_is_refused(text: bytes) -> None:
    """A key that is shared with the authorization server is none: a node that checks with it could sign with it."""
    with pytest.raises(ValueError, match=r"it (is|has) "):
        parse_keys(text)


@pytest.mark.parametrize("missing", ["jwt", "cryptography"])
def test_without_the_library_the_way_out_is_named(missing: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ConfigError, match=r"pip install 'kraftpy\[oauth\]'"):
        check_library()
