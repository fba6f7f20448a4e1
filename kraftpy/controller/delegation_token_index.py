"""Finds a delegation token by its HMAC, which no record has, and says how many a requester has.

Soft state of the active controller: made from the image at the first use, in slices, then updated with each appended
record.
"""

from __future__ import annotations

import hmac
from collections import Counter
from typing import Final

from kraftpy.controller.slices import Slices
from kraftpy.image.delegation_tokens import DelegationTokensImage
from kraftpy.records.codec import Record
from kraftpy.records.metadata import DelegationTokenRecord, RemoveDelegationTokenRecord

TOKENS_PER_SLICE: Final = 1_000
"""How many tokens are looked at in one slice: about 5 ms."""


class DelegationTokenIndex:
    """HMAC to token id, the number of tokens of each requester, and the bytes of all principals.

    Args:
        secret_key: the configured key; ``None`` where there are no tokens.
    """

    def __init__(self, secret_key: str | None) -> None:
        self._key = b"" if secret_key is None else secret_key.encode()
        self._is_made = False
        self._forget()

    def _forget(self) -> None:
        self._ids: dict[bytes, str] = {}
        self._known: dict[str, tuple[str, int]] = {}
        self._counts: Counter[str] = Counter()
        self.principal_bytes = 0

    def make(self, tokens: DelegationTokensImage) -> Slices[None]:
        """Make the index of the newest image, unless it is made already."""
        if self._is_made:
            return
        # An earlier attempt may have been given up half way.
        self._forget()
        for count, token in enumerate(tokens.tokens.values(), start=1):
            self._add(token.token_id, token.requester, bytes_of(token.owner, token.requester, *token.renewers))
            if count % TOKENS_PER_SLICE == 0:
                yield
        self._is_made = True

    def find(self, secret: bytes) -> str | None:
        """Return the id of the token with this HMAC."""
        return self._ids.get(secret)

    def count_of(self, requester: str) -> int:
        """Return how many tokens a principal has requested that still exist."""
        return self._counts[requester]

    def hmac_of(self, token_id: str) -> bytes:
        """Return the HMAC of a token. Source: Kafka ``DelegationTokenControlManager.createHmac``."""
        return hmac.digest(self._key, token_id.encode(), "sha512")

    def observe(self, record: Record) -> None:
        """Follow a record that is about to be replayed."""
        if not self._is_made:
            return
        if isinstance(record, DelegationTokenRecord):
            self._remove(record.token_id)
            size = bytes_of(record.owner, record.requester, *record.renewers)
            self._add(record.token_id, record.requester, size)
        elif isinstance(record, RemoveDelegationTokenRecord):
            self._remove(record.token_id)

    def _add(self, token_id: str, requester: str, size: int) -> None:
        self._ids[self.hmac_of(token_id)] = token_id
        self._known[token_id] = (requester, size)
        self._counts[requester] += 1
        self.principal_bytes += size

    def _remove(self, token_id: str) -> None:
        known = self._known.pop(token_id, None)
        if known is None:
            return
        requester, size = known
        del self._ids[self.hmac_of(token_id)]
        self.principal_bytes -= size
        self._counts[requester] -= 1
        if not self._counts[requester]:
            del self._counts[requester]


def bytes_of(*principals: str) -> int:
    """Return how many bytes principals take in UTF-8."""
    return sum(len(principal.encode()) for principal in principals)
