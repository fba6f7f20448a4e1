"""Credentials for nodes that authenticate their callers by SASL, one class for each mechanism.

Source: KIP-43, KIP-48, KIP-84, KIP-768.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from kraftpy.authenticator import login
from kraftpy.authenticator.mechanism import SCRAM_SHA_256

NONCE_BYTES: Final = 24
"""How many random bytes a nonce is made of."""


def _new_nonce() -> str:
    return secrets.token_urlsafe(NONCE_BYTES)


class ScramCredentials(login.ScramLogin):
    """A user of SCRAM and its password, which is never sent.

    Args:
        user: its name, or the id of a delegation token.
        password: its password, or the HMAC of the token in base 64.
        mechanism: SCRAM-SHA-256 or SCRAM-SHA-512.
        by_token: whether it is a delegation token.
    """

    def __init__(self, user: str, password: str, *, mechanism: str = SCRAM_SHA_256, by_token: bool = False) -> None:
        super().__init__(mechanism, user, password, _new_nonce, by_token=by_token)


class PlainCredentials(login.PlainLogin):
    """A user of PLAIN and its password, which is sent in clear: use it with TLS.

    Args:
        user: its name.
        password: its password.
    """

    def __init__(self, user: str, password: str) -> None:
        super().__init__(user, password)


class BearerCredentials(login.BearerLogin):
    """A token of OAUTHBEARER, which is sent in clear: use it with TLS.

    Args:
        read: returns the token; called for each authentication. When it raises, a renewal is tried again until the
            session ends, and a connection that is to be made fails with what it raised.
    """

    def __init__(self, read: Callable[[], str]) -> None:
        super().__init__(read)
