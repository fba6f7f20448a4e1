"""Digests of the state: what two nodes compare to know that equal logs gave them equal images.

A digest is 16 bytes. The first one is its *scheme*: which bytes of the state were hashed, and how. Digests of different
schemes cannot be compared, so software that encodes the same state in other bytes must use a new scheme number;
otherwise one half of a cluster would treat the other half as corrupt during an upgrade.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.model.offsets import Offset

DIGEST_BYTES: Final = 16
NO_DIGEST: Final = bytes(DIGEST_BYTES)
"""How files and messages write "not stated". There is no scheme 0."""

SCHEME: Final = 1
"""How this software makes digests; see :mod:`kraftpy.records.state_digest`."""


@dataclass(frozen=True, slots=True)
class StateDigest:
    """A digest of the state that all records below ``end_offset`` lead to."""

    end_offset: Offset
    value: bytes

    @property
    def scheme(self) -> int:
        """How it was made."""
        return self.value[0]

    def __str__(self) -> str:
        return f"{self.value.hex()} at offset {self.end_offset}"
