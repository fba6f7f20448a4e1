"""The digest of a state: over the framed values of its snapshot's data records, in the snapshot's order.

Scheme 1, in 16 bytes: the byte 1, then 15 bytes of BLAKE2b over ``sizes || data``, where ``data`` is the BLAKE2b-256 of
all values one after the other and ``sizes`` that of their lengths (each an uint32, little-endian). Two hashes, because
nothing may depend on where one group or batch of records ends and the next begins, and hashing one joined piece is many
times cheaper than hashing a value at a time. The lengths distinguish ``ab, c`` from ``a, bc``.

The control records at both ends of a snapshot are not part of it: they hold times, and the voters, which are Raft's.
Nor is ZkMigrationStateRecord: Kafka's snapshots drop it since 4.0, so a node that began with one of those does not know
what the log of a cluster that once left ZooKeeper still says, and nothing follows from it any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from struct import pack
from typing import Final

from kraftpy.model.digests import DIGEST_BYTES, SCHEME

_PERSON: Final = b"kraftpy state"
_FILE: Final = b"kraftpy file"
_LEFT_OUT: Final = bytes((1, 21, 0))
"""How the one record that does not count begins: frame version 1, the key of ZkMigrationStateRecord, version 0."""


class StateHasher:
    """Makes the digest while the values pass by."""

    __slots__ = ("_data", "_sizes")

    def __init__(self) -> None:
        self._data = blake2b(digest_size=32, person=_PERSON)
        self._sizes = blake2b(digest_size=32, person=_PERSON)

    def update(self, values: Sequence[bytes]) -> None:
        """Take the next values."""
        if any(value.startswith(_LEFT_OUT) for value in values):
            values = [value for value in values if not value.startswith(_LEFT_OUT)]
        self._data.update(b"".join(values))
        self._sizes.update(pack(f"<{len(values)}I", *map(len, values)))

    def digest(self) -> bytes:
        """Return the digest of what was taken so far."""
        both = self._sizes.digest() + self._data.digest()
        return bytes((SCHEME,)) + blake2b(both, digest_size=DIGEST_BYTES - 1, person=_PERSON).digest()


def file_hasher() -> blake2b:
    """Begin the digest of a file's bytes."""
    return blake2b(digest_size=DIGEST_BYTES - 1, person=_FILE)


def file_digest(hasher: blake2b) -> bytes:
    """Return the digest of what was hashed, with its scheme."""
    return bytes((SCHEME,)) + hasher.digest()


def digest_of(groups: Iterable[Sequence[bytes]]) -> bytes:
    """Return the digest of values that come in groups."""
    hasher = StateHasher()
    for group in groups:
        hasher.update(group)
    return hasher.digest()
