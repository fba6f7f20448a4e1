"""SCRAM credentials of users, by mechanism and name.

What is stored is not the password, but enough to impersonate the server and to guess passwords at leisure: nothing here
prints it.

Source: Kafka ``ScramImage``, ``ScramControlManager.replay``; KIP-900; RFC 5802.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss, ReplayError
from kraftpy.model.features import SCRAM_LEVEL
from kraftpy.records.codec import Record
from kraftpy.records.metadata import RemoveUserScramCredentialRecord, UserScramCredentialRecord

MECHANISM_NAMES: Final = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}


class ScramUser(NamedTuple):
    """A user under one mechanism (1 is SCRAM-SHA-256, 2 is SCRAM-SHA-512)."""

    mechanism: int
    name: str


@dataclass(frozen=True, slots=True, repr=False)
class ScramCredential:
    """What the server keeps to check a user's proof."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int

    def __repr__(self) -> str:
        return f"ScramCredential([hidden], iterations={self.iterations})"


@dataclass(frozen=True, slots=True)
class ScramImage:
    """Credentials by mechanism and user."""

    credentials: Map[ScramUser, ScramCredential] = Map()

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records, by mechanism and name."""
        users = sorted(self.credentials)
        if users and level < SCRAM_LEVEL:
            on_loss(f"ScramImage({_by_mechanism(users)})")
            return
        for user in users:
            credential = self.credentials[user]
            yield UserScramCredentialRecord(
                name=user.name,
                mechanism=user.mechanism,
                salt=credential.salt,
                stored_key=credential.stored_key,
                server_key=credential.server_key,
                iterations=credential.iterations,
            )


def _by_mechanism(users: list[ScramUser]) -> str:
    return ",".join(
        f"{MECHANISM_NAMES.get(mechanism, mechanism)}:"
        + ",".join(user.name for user in users if user.mechanism == mechanism)
        for mechanism in sorted({user.mechanism for user in users})
    )


class ScramDelta:
    """Changes to credentials."""

    __slots__ = ("_credentials", "base")
    ENTITIES: ClassVar[Entities] = {
        UserScramCredentialRecord: ("SCRAM credential", ("name", "mechanism")),
        RemoveUserScramCredentialRecord: ("SCRAM credential", ("name", "mechanism")),
    }

    def __init__(self, base: ScramImage) -> None:
        self.base = base
        self._credentials = Changes(base.credentials)

    @classmethod
    def between(cls, old: ScramImage, new: ScramImage) -> ScramDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._credentials = Changes.between(old.credentials, new.credentials)
        return delta

    @property
    def changes(self) -> dict[ScramUser, ScramCredential | None]:
        """User to the new credential, ``None`` when it was removed."""
        return self._credentials.changed

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {
            UserScramCredentialRecord: self.replay_credential,
            RemoveUserScramCredentialRecord: self.replay_removal,
        }

    def replay_credential(self, record: UserScramCredentialRecord) -> None:
        """Set a user's credential."""
        credential = ScramCredential(record.salt, record.stored_key, record.server_key, record.iterations)
        self._credentials.put(ScramUser(record.mechanism, record.name), credential)

    def replay_removal(self, record: RemoveUserScramCredentialRecord) -> None:
        """Remove a user's credential.

        Raises:
            ReplayError: when the user has none under the mechanism.
        """
        user = ScramUser(record.mechanism, record.name)
        if self._credentials.get(user) is None:
            raise ReplayError(record, f"user {user.name!r} has no credential under mechanism {user.mechanism}")
        self._credentials.remove(user)

    def apply(self) -> ScramImage:
        """Return the next image."""
        return ScramImage(self._credentials.apply())
