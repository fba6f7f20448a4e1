"""PLAIN: a name and a password in clear, to be used inside TLS.

Source: RFC 4616; Kafka ``PlainSaslServer``, ``PlainServerCallbackHandler``.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

from kraftpy.authenticator.mechanism import USER, Authenticated, AuthenticationError

_PARTS: Final = 3


class PlainServer:
    """Checks a password against those of the configuration.

    Args:
        passwords: user to password.
    """

    def __init__(self, passwords: Mapping[str, str]) -> None:
        self._passwords = passwords

    def evaluate(self, response: bytes, now_ms: int) -> Authenticated:
        """Check the one message there is, in Kafka's order.

        Raises:
            AuthenticationError: it is malformed, or names no user with this password.
        """
        del now_ms
        parts = response.decode("utf-8", "replace").split("\0", _PARTS)
        if len(parts) != _PARTS:
            text = f"Invalid SASL/PLAIN response: expected {_PARTS} tokens, got {len(parts)}"
            raise AuthenticationError(text, text)
        authorization_id, user, password = parts
        for what, value in (("username", user), ("password", password)):
            if not value:
                text = f"Authentication failed: {what} not specified"
                raise AuthenticationError(text, text)
        if not self._is_password(user, password):
            text = "Authentication failed: Invalid username or password"
            raise AuthenticationError(text, text)
        if authorization_id not in {"", user}:
            text = "Authentication failed: Client requested an authorization id that is different from username"
            raise AuthenticationError(text, text)
        return Authenticated(b"", f"{USER}{user}")

    def _is_password(self, user: str, password: str) -> bool:
        """Compare digests, which are equally long: the time depends neither on a length nor on the user."""
        expected = self._passwords.get(user)
        is_equal = hmac.compare_digest(_digest(password), _digest("" if expected is None else expected))
        return is_equal and expected is not None


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class PlainClient:
    """Shows a name and a password."""

    def __init__(self, user: str, password: str) -> None:
        self._message = f"\0{user}\0{password}".encode()

    def initial(self) -> bytes:
        """Return the one message there is."""
        return self._message

    def respond(self, challenge: bytes) -> None:
        """Take the end of the exchange, which is empty.

        Raises:
            AuthenticationError: the server asks for more.
        """
        if challenge:
            raise AuthenticationError("the server answered PLAIN with a challenge, and the mechanism has none")
