"""Validate the tokens of OAUTHBEARER: signed JSON Web Tokens, by PyJWT.

A token must be signed by a key of the set, by an algorithm with public keys, and have a subject, an expiry and a time
of issue. The key set is read elsewhere and replaced as a whole; a token whose key is not in it is rejected, and asks
for the set to be read again.

Source: RFC 7515, RFC 7517, RFC 7519; Kafka ``BrokerJwtValidator``; KIP-768.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.authenticator.bearer import ValidToken
from kraftpy.authenticator.mechanism import AuthenticationError
from kraftpy.model.errors import ConfigError

ALGORITHMS: Final = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
)  # fmt: skip
"""Those with a public key: ``none`` and keys that are shared with the authorization server are never taken."""

KEYS_MAX: Final = 100
"""How many keys of a set are kept."""

KEY_SET_BYTES_MAX: Final = 1024 * 1024
"""How long a key set may be."""

CLAIM_SECONDS_MAX: Final = 2**53
"""The largest time in a claim: what JSON numbers hold exactly."""

WAY_OUT: Final = "install it: pip install 'kraftpy[oauth]'"


def check_library() -> None:
    """Check that PyJWT is there, with what it verifies signatures by.

    Raises:
        ConfigError: it is not.
    """
    try:
        import cryptography  # noqa: F401 - optional: what PyJWT needs for these algorithms
        import jwt  # noqa: F401 - optional
    except ImportError as error:
        raise ConfigError(f"OAUTHBEARER needs the library {error.name}, which is not installed; {WAY_OUT}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRules:
    """What a token must say.

    Attributes:
        audiences: those of which it must name one; empty for any.
        issuer: who must have issued it; ``None`` for any.
        user_claim: the claim that names the principal.
        clock_skew_ms: how far the clock of the authorization server may be from ours.
    """

    audiences: tuple[str, ...] = ()
    issuer: str | None = None
    user_claim: str = "sub"
    clock_skew_ms: int = 30_000


def parse_keys(text: bytes) -> Mapping[str, Any]:
    """Read a JSON Web Key Set; keys that cannot verify signatures here are left out.

    Returns:
        Key id to PyJWT's key; a key without an id is under ``""``.

    Raises:
        ValueError: it is no key set, or has no key that can be used.
    """
    import jwt

    if len(text) > KEY_SET_BYTES_MAX:
        raise ValueError(f"it has more than {KEY_SET_BYTES_MAX} bytes")
    try:
        keys = jwt.PyJWKSet.from_json(text.decode()).keys
    except (jwt.PyJWTError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"it is no JSON Web Key Set that can be used: {type(error).__name__}") from error
    found = {key.key_id or "": key for key in keys[:KEYS_MAX] if key.algorithm_name in ALGORITHMS}
    if not found:
        raise ValueError("it has no public key for signatures")
    return found


class JwtValidator:
    """Validates tokens against the key set that was read last.

    Args:
        rules: what a token must say.
        on_unknown_key: called when a token names a key that is not in the set.
    """

    def __init__(self, rules: TokenRules, on_unknown_key: Callable[[], None] = lambda: None) -> None:
        self._rules = rules
        self._on_unknown_key = on_unknown_key
        self.keys: Mapping[str, Any] = {}

    def __call__(self, token: str, now_ms: int) -> ValidToken:
        """Validate a token.

        Raises:
            AuthenticationError: it is not valid; the reason has no part of it.
        """
        import jwt

        try:
            key = self._key(jwt.get_unverified_header(token))
            claims = jwt.decode(
                token,
                key=key,
                algorithms=[key.algorithm_name],
                audience=list(self._rules.audiences) or None,
                issuer=self._rules.issuer,
                options={
                    "require": ["exp", "iat", self._rules.user_claim],
                    # Times are compared with the node's clock below, which is an argument.
                    "verify_exp": False, "verify_iat": False, "verify_nbf": False,
                    "verify_aud": bool(self._rules.audiences), "verify_iss": self._rules.issuer is not None,
                },
            )  # fmt: skip
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise AuthenticationError(f"the token is not valid: {type(error).__name__}") from error
        return self._checked(claims, now_ms)

    def _key(self, header: Mapping[str, object]) -> Any:
        key_id = header.get("kid")
        key = self.keys.get(key_id) if isinstance(key_id, str) else None
        if key is None and key_id is None and len(self.keys) == 1:
            key = next(iter(self.keys.values()))
        if key is None:
            self._on_unknown_key()
            raise AuthenticationError("the token names no key of the key set")
        if header.get("alg") != key.algorithm_name:
            raise AuthenticationError("the token is not signed by the algorithm of its key")
        return key

    def _checked(self, claims: Mapping[str, object], now_ms: int) -> ValidToken:
        skew_ms = self._rules.clock_skew_ms
        expires_ms, issued_ms = _time_ms(claims, "exp"), _time_ms(claims, "iat")
        starts_ms = _time_ms(claims, "nbf") if "nbf" in claims else issued_ms
        if expires_ms + skew_ms <= now_ms:
            raise AuthenticationError("the token has expired")
        if max(issued_ms, starts_ms) - skew_ms > now_ms:
            raise AuthenticationError("the token is not valid yet")
        user = claims.get(self._rules.user_claim)
        if not isinstance(user, str) or not user.strip():
            raise AuthenticationError("the token names no principal")
        return ValidToken(user.strip(), expires_ms)


def _time_ms(claims: Mapping[str, object], name: str) -> int:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= CLAIM_SECONDS_MAX:
        raise AuthenticationError(f"the token's {name} is no time")
    return int(value * 1_000)
