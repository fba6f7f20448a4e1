"""Delegation tokens, by token id.

The secret that a token's HMAC is made with is configuration and never in the log; still, owner, renewers and expiry are
confidential, so a token's repr contains its id only.

Source: Kafka ``DelegationTokenImage``; KIP-900.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss
from kraftpy.records.codec import Record
from kraftpy.records.metadata import DelegationTokenRecord, RemoveDelegationTokenRecord

TOKENS_LEVEL = 14
"""The first metadata.version with delegation tokens. Source: Kafka 3.6-IV2."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DelegationToken:
    """One token. Principals are written as ``User:name``; times are milliseconds since 1970."""

    token_id: str
    owner: str
    requester: str
    renewers: tuple[str, ...]
    issue_timestamp_ms: int
    max_timestamp_ms: int
    expiration_timestamp_ms: int

    def __repr__(self) -> str:
        return f"DelegationToken({self.token_id!r}, [hidden])"


@dataclass(frozen=True, slots=True)
class DelegationTokensImage:
    """Tokens by id."""

    tokens: Map[str, DelegationToken] = Map()

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records, by token id."""
        ids = sorted(self.tokens)
        if ids and level < TOKENS_LEVEL:
            on_loss(f"DelegationTokenImage({', '.join(ids)})")
            return
        for token_id in ids:
            token = self.tokens[token_id]
            yield DelegationTokenRecord(
                owner=token.owner,
                requester=token.requester,
                renewers=list(token.renewers),
                issue_timestamp=token.issue_timestamp_ms,
                max_timestamp=token.max_timestamp_ms,
                expiration_timestamp=token.expiration_timestamp_ms,
                token_id=token_id,
            )


class DelegationTokensDelta:
    """Changes to tokens."""

    __slots__ = ("_tokens", "base")
    ENTITIES: ClassVar[Entities] = {
        DelegationTokenRecord: ("delegation token", ("token_id",)),
        RemoveDelegationTokenRecord: ("delegation token", ("token_id",)),
    }

    def __init__(self, base: DelegationTokensImage) -> None:
        self.base = base
        self._tokens = Changes(base.tokens)

    @classmethod
    def between(cls, old: DelegationTokensImage, new: DelegationTokensImage) -> DelegationTokensDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._tokens = Changes.between(old.tokens, new.tokens)
        return delta

    @property
    def changes(self) -> dict[str, DelegationToken | None]:
        """Token id to the new token, ``None`` when it was removed."""
        return self._tokens.changed

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {DelegationTokenRecord: self.replay_token, RemoveDelegationTokenRecord: self.replay_removal}

    def replay_token(self, record: DelegationTokenRecord) -> None:
        """Add a token, or renew it."""
        token = DelegationToken(
            token_id=record.token_id,
            owner=record.owner,
            requester=record.requester,
            renewers=tuple(record.renewers),
            issue_timestamp_ms=record.issue_timestamp,
            max_timestamp_ms=record.max_timestamp,
            expiration_timestamp_ms=record.expiration_timestamp,
        )
        self._tokens.put(record.token_id, token)

    def replay_removal(self, record: RemoveDelegationTokenRecord) -> None:
        """Remove a token. One that is gone already is no error: expiry and removal may both ask for it."""
        self._tokens.remove(record.token_id)

    def apply(self) -> DelegationTokensImage:
        """Return the next image."""
        return DelegationTokensImage(self._tokens.apply())
