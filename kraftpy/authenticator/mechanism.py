"""The two sides of a SASL mechanism, and their verdicts.

Source: RFC 4422; Kafka ``SaslServer``, ``SaslClient`` (``javax.security.sasl``).
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

USER: Final = "User:"

PLAIN: Final = "PLAIN"
SCRAM_SHA_256: Final = "SCRAM-SHA-256"
SCRAM_SHA_512: Final = "SCRAM-SHA-512"
OAUTHBEARER: Final = "OAUTHBEARER"

SCRAM_HASHES: Final = {SCRAM_SHA_256: "sha256", SCRAM_SHA_512: "sha512"}
"""Mechanism to its hash."""

MECHANISMS: Final = (PLAIN, SCRAM_SHA_256, SCRAM_SHA_512, OAUTHBEARER)
"""The mechanisms that exist here."""


class AuthenticationError(Exception):
    """An authentication failed.

    Attributes:
        text: what the peer may hear, in Kafka's words; ``None`` for the text that names the mechanism alone.
    """

    def __init__(self, reason: str, text: str | None = None) -> None:
        super().__init__(reason)
        self.text = text


class NoCredentialsError(AuthenticationError):
    """There are no credentials to show now, such as a token whose file cannot be read. Later there may be."""


class Authenticated(NamedTuple):
    """A server's verdict: the peer is who it says.

    Attributes:
        response: the last bytes for the peer.
        principal: type and name, such as ``User:alice``.
        expires_ms: when the credentials stop to be valid, in milliseconds since 1970; ``None`` for never.
        by_token: whether they were a delegation token.
    """

    response: bytes
    principal: str
    expires_ms: int | None = None
    by_token: bool = False


class ServerMechanism(Protocol):
    """One authentication, as its server sees it."""

    def evaluate(self, response: bytes, now_ms: int) -> bytes | Authenticated:
        """Take the client's next message; return the challenge that answers it, or the verdict.

        Raises:
            AuthenticationError: the client is not authenticated; the exchange is over.
        """
        ...


class ClientMechanism(Protocol):
    """One authentication, as its client sees it."""

    def initial(self) -> bytes:
        """Return the first message."""
        ...

    def respond(self, challenge: bytes) -> bytes | None:
        """Take the server's next message; return the answer, ``None`` when none is due.

        Raises:
            AuthenticationError: the server proved nothing, or rejected the credentials.
        """
        ...
