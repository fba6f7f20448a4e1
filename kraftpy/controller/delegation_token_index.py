"""Finds a delegation token by its HMAC, which no record has.

Soft state of the active controller: made from the image at the first use, in slices, then updated with each appended
record.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

from kraftpy.controller.slices import Slices
from kraftpy.image.delegation_tokens import DelegationTokensImage
from kraftpy.records.codec import Record
from kraftpy.records.metadata import DelegationTokenRecord, RemoveDelegationTokenRecord

HMACS_PER_SLICE: Final = 1_000
"""How many HMACs are computed in one slice: about 3 ms."""


class DelegationTokenIndex:
    """HMAC to token id.

    Args:
        secret_key: the configured key; ``None`` where there are no tokens.
    """

    def __init__(self, secret_key: str | None) -> None:
        self._key = "" if secret_key is None else secret_key
        self._ids: dict[bytes, str] | None = None

    def hmac_of(self, token_id: str) -> bytes:
        """Return the HMAC of a token. Source: Kafka ``DelegationTokenControlManager.createHmac``."""
        return hmac.digest(self._key.encode(), token_id.encode(), "sha512")

    def ids(self, tokens: DelegationTokensImage) -> Slices[Mapping[bytes, str]]:
        """Return the id of each token of the newest image, by its HMAC."""
        if self._ids is None:
            ids = {}
            for count, token_id in enumerate(tokens.tokens, start=1):
                ids[self.hmac_of(token_id)] = token_id
                if count % HMACS_PER_SLICE == 0:
                    yield
            self._ids = ids
        return self._ids

    def observe(self, record: Record) -> None:
        """Follow a record that is about to be replayed."""
        if self._ids is None:
            return
        if isinstance(record, DelegationTokenRecord):
            self._ids[self.hmac_of(record.token_id)] = record.token_id
        elif isinstance(record, RemoveDelegationTokenRecord):
            self._ids.pop(self.hmac_of(record.token_id), None)
