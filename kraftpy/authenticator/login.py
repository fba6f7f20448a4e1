"""The client's side: credentials, and the states of one authentication with a server.

::

    begin -- SaslHandshake --> tokens, as many as the mechanism has --> over

Source: Kafka ``SaslClientAuthenticator``; KIP-43, KIP-152, KIP-368.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from kraftpy.authenticator.bearer import BearerClient
from kraftpy.authenticator.mechanism import OAUTHBEARER, PLAIN, AuthenticationError, ClientMechanism, NoCredentialsError
from kraftpy.authenticator.plain import PlainClient
from kraftpy.authenticator.scram import SaltedPasswords, ScramClient
from kraftpy.model.errors import ErrorCode
from kraftpy.model.escaping import shortened

REASON_CHARACTERS_MAX: Final = 500
"""How much is repeated of what others say about a failure."""


class Login(Protocol):
    """Credentials, for any number of connections."""

    @property
    def mechanism(self) -> str:
        """The mechanism that they are for."""
        ...

    def begin(self) -> ClientMechanism:
        """Begin an authentication.

        Raises:
            NoCredentialsError: there are none now.
        """
        ...


class PlainLogin:
    """A name and a password, sent in clear."""

    mechanism = PLAIN

    def __init__(self, user: str, password: str) -> None:
        self._user = user
        self._password = password

    def begin(self) -> PlainClient:
        """Begin an authentication."""
        return PlainClient(self._user, self._password)


class ScramLogin:
    """A name and a password that is not sent.

    Args:
        mechanism: one of the two of SCRAM.
        user: the name, or the id of a delegation token.
        password: the password, or the token's HMAC in base 64.
        nonce: returns a fresh one: printable, without a comma.
        by_token: whether it is a delegation token.
    """

    def __init__(
        self, mechanism: str, user: str, password: str, nonce: Callable[[], str], *, by_token: bool = False
    ) -> None:
        self.mechanism = mechanism
        self._user = user
        self._passwords = SaltedPasswords(mechanism, password)
        self._nonce = nonce
        self._by_token = by_token

    def begin(self) -> ScramClient:
        """Begin an authentication."""
        return ScramClient(self._user, self._passwords, self._nonce(), by_token=self._by_token)


class BearerLogin:
    """A token, read again for each authentication.

    Args:
        read: returns it; whatever it raises means that there is none now.
    """

    mechanism = OAUTHBEARER

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    def begin(self) -> BearerClient:
        """Begin an authentication.

        Raises:
            NoCredentialsError: there is no token.
        """
        try:
            return BearerClient(self._read())
        except NoCredentialsError:
            raise
        except Exception as error:  # the reader is the caller's, and may fail in any way
            # Its text is logged, and may hold the token; that of the operating system names no more than a file.
            kind = type(error).__name__
            reason = shortened(f"{kind}: {error}" if isinstance(error, OSError) else kind, REASON_CHARACTERS_MAX)
            raise NoCredentialsError(f"the token of OAUTHBEARER cannot be read: {reason}") from error


class ClientExchange:
    """One authentication, as its client sees it; every message of the server is an argument.

    Attributes:
        mechanism: to be named in the SaslHandshake that begins it.
    """

    def __init__(self, login: Login) -> None:
        self.mechanism = login.mechanism
        self._mechanism = login.begin()

    def handshaken(self, error: int, mechanisms: Sequence[str]) -> bytes:
        """Take the answer to SaslHandshake; return the first token.

        Raises:
            AuthenticationError: the server does not offer the mechanism.
        """
        if error:
            offered = ", ".join(mechanisms)[:200] or "none"
            raise AuthenticationError(f"the server answers {_shown(error)}; it offers {offered}")
        return self._mechanism.initial()

    def answered(self, error: int, message: str | None, data: bytes) -> bytes | None:
        """Take the answer to a token; return the next one, ``None`` when the authentication is over.

        Args:
            error: of the answer.
            message: of the error.
            data: the mechanism's bytes.

        Raises:
            AuthenticationError: the server rejected the credentials, or did not prove that it knows them.
        """
        if error:
            raise AuthenticationError(
                f"the server answers {_shown(error)}: {shortened(message or 'no reason', REASON_CHARACTERS_MAX)}"
            )
        return self._mechanism.respond(data)


def _shown(error: int) -> str:
    try:
        return ErrorCode(error).name
    except ValueError:
        return f"error {error}"
