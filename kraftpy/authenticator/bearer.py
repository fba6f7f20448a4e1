r"""OAUTHBEARER: a signed token, which a :class:`TokenValidator` validates.

A server that rejects a token answers with a small JSON text; the client acknowledges it with one byte, and the exchange
fails then.

Source: RFC 7628; Kafka ``OAuthBearerSaslServer``, ``OAuthBearerClientInitialResponse``; KIP-255, KIP-768.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from kraftpy.authenticator.mechanism import USER, Authenticated, AuthenticationError

TOKEN_CHARS_MAX: Final = 16_384
"""How long a token may be."""

PAIRS_MAX: Final = 32
"""How many name=value pairs a client's message may have."""

_SEPARATOR: Final = "\x01"
_ACKNOWLEDGED: Final = _SEPARATOR.encode()
_OTHERS_CHARS_MAX: Final = 4_096
_NAME: Final = re.compile(r"[A-Za-z]+")
_VALUE: Final = re.compile(r"[\x21-\x7e \t\r\n]+")
_AUTH: Final = re.compile(r"(?P<scheme>\w+) +(?P<token>[-_~+/.a-zA-Z0-9]+=*)", re.ASCII)
_INVALID_TOKEN: Final = '{"status":"invalid_token"}'  # noqa: S105 - an error


class ValidToken(NamedTuple):
    """Whose token it is, without a type, and when it expires."""

    user: str
    expires_ms: int


TokenValidator: TypeAlias = Callable[[str, int], ValidToken]
"""Validates a token at a time (``now_ms``).

Raises:
    AuthenticationError: it is not valid; the reason has no part of the token.
"""


class BearerServer:
    """Checks a token."""

    def __init__(self, validate: TokenValidator) -> None:
        self._validate = validate
        self._failure: str | None = None

    def evaluate(self, response: bytes, now_ms: int) -> bytes | Authenticated:
        """Check the token; a client that acknowledges a rejection is rejected.

        Raises:
            AuthenticationError: the message is malformed, or a rejection was acknowledged.
        """
        if self._failure is not None:
            raise AuthenticationError(self._failure, _INVALID_TOKEN if response == _ACKNOWLEDGED else None)
        token, authorization_id = _read_client_first(response)
        try:
            valid = self._validate(token, now_ms)
        except AuthenticationError as refused:
            self._failure = str(refused)
            return _INVALID_TOKEN.encode()
        if authorization_id not in {"", valid.user}:
            text = (
                f"Authentication failed: Client requested an authorization id ({authorization_id[:200]}) that is "
                f"different from the token's principal name ({valid.user})"
            )
            raise AuthenticationError(text, text)
        return Authenticated(b"", f"{USER}{valid.user}", valid.expires_ms)


class BearerClient:
    """Shows a token."""

    def __init__(self, token: str) -> None:
        self._message = f"n,,{_SEPARATOR}auth=Bearer {token}{_SEPARATOR}{_SEPARATOR}".encode()

    def initial(self) -> bytes:
        """Return the token in its message."""
        return self._message

    def respond(self, challenge: bytes) -> bytes | None:
        """Acknowledge a rejection; an empty challenge is the end."""
        return _ACKNOWLEDGED if challenge else None


def _read_client_first(response: bytes) -> tuple[str, str]:
    """Return the token and the authorization id, which may be empty."""
    if len(response) > TOKEN_CHARS_MAX + _OTHERS_CHARS_MAX:
        raise AuthenticationError(
            f"a message has {len(response)} bytes, more than {TOKEN_CHARS_MAX + _OTHERS_CHARS_MAX}"
        )
    try:
        message = response.decode("ascii")
    except UnicodeDecodeError as error:
        raise AuthenticationError(f"a message is not ASCII at byte {error.start}") from error
    header, *pairs = message.split(_SEPARATOR, PAIRS_MAX + 2)
    flag, _, authorization = header.partition(",")
    authorization, comma, rest = authorization.partition(",")
    is_header = flag == "n" and comma and not rest and (not authorization or authorization.startswith("a="))
    # Every pair ends with a separator, and one more ends the message.
    if not is_header or pairs[-2:] != ["", ""]:
        raise AuthenticationError("the message has not the form n,,<01>name=value<01><01>")
    values: dict[str, str] = {}
    for pair in pairs[:-2]:
        name, mark, value = pair.partition("=")
        if not mark or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise AuthenticationError("the message has a pair that is not name=value")
        values[name] = value
    found = _AUTH.fullmatch(values.get("auth", ""))
    if found is None or found["scheme"].lower() != "bearer":
        raise AuthenticationError("the message has no auth=Bearer and token")
    if len(found["token"]) > TOKEN_CHARS_MAX:
        raise AuthenticationError(f"the token has more than {TOKEN_CHARS_MAX} characters")
    return found["token"], authorization.removeprefix("a=").replace("=2C", ",").replace("=3D", "=")
