"""SCRAM credentials: those of the log's users, and those of delegation tokens.

A token's password is its HMAC, which every node with ``delegation.token.secret.key`` computes. What a server keeps of
it costs thousands of rounds of a hash, so it is derived at the token's first use and remembered.

Source: Kafka ``ScramPublisher``, ``DelegationTokenManager.prepareScramCredentials``; KIP-48, KIP-900.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from kraftpy.authenticator.mechanism import SCRAM_HASHES
from kraftpy.authenticator.scram import ITERATIONS, TokenCredential, stored_credential
from kraftpy.image.delegation_tokens import DelegationTokensImage
from kraftpy.image.scram import MECHANISM_NAMES, ScramCredential, ScramImage, ScramUser

TOKENS_REMEMBERED_MAX: Final = 1_000
"""For how many delegation tokens what a server keeps of them is remembered."""

_NUMBERS: Final = {name: number for number, name in MECHANISM_NAMES.items()}


class LogCredentials:
    """Finds credentials in the published state.

    Args:
        users: the SCRAM users to check against now.
        tokens: the delegation tokens of the published state.
        token_key: the configured key of delegation tokens; ``None`` where there are none.
    """

    def __init__(
        self,
        users: Callable[[], ScramImage],
        tokens: Callable[[], DelegationTokensImage],
        token_key: str | None = None,
    ) -> None:
        self._users = users
        self._tokens = tokens
        self._token_key = None if token_key is None else token_key.encode()
        self._derived: OrderedDict[tuple[str, str], ScramCredential] = OrderedDict()

    def credential(self, mechanism: str, user: str) -> ScramCredential | None:
        """Return a user's credential under a mechanism."""
        return self._users().credentials.get(ScramUser(_NUMBERS[mechanism], user))

    def token(self, mechanism: str, token_id: str) -> TokenCredential | None:
        """Return the credential of a delegation token."""
        token = self._tokens().tokens.get(token_id)
        if token is None or self._token_key is None:
            return None
        key = (mechanism, token_id)
        derived = self._derived.get(key)
        if derived is None:
            derived = self._derived[key] = _derive(mechanism, self._token_key, token_id)
        self._derived.move_to_end(key)
        if len(self._derived) > TOKENS_REMEMBERED_MAX:
            self._derived.popitem(last=False)
        return TokenCredential(derived, token.owner, token.expiration_timestamp_ms)


def _derive(mechanism: str, token_key: bytes, token_id: str) -> ScramCredential:
    password = base64.b64encode(hmac.digest(token_key, token_id.encode(), "sha512"))
    # A salt keeps equal passwords apart, and the passwords of tokens are never equal.
    salt = hashlib.sha256(token_id.encode()).digest()
    salted = hashlib.pbkdf2_hmac(SCRAM_HASHES[mechanism], password, salt, ITERATIONS[0])
    return stored_credential(mechanism, salted, salt, ITERATIONS[0])
