"""What a controller is asked about clients: their quotas, their SCRAM credentials, and ids for their transactions.

Plain values, independent of any wire.

Source: KIP-546 (quotas), KIP-554 (SCRAM credentials), KIP-730 (producer ids).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId


class QuotaAlteration(NamedTuple):
    """The new values of one entity's quotas.

    Attributes:
        entity: (type, name) pairs, such as ``("user", "alice")``; a name of ``None`` is the default of its type.
        values: key to its value; ``None`` removes it.
    """

    entity: tuple[tuple[str, str | None], ...]
    values: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterClientQuotas:
    """Change quotas; an entity that fails leaves the others alone."""

    entries: tuple[QuotaAlteration, ...]
    validate_only: bool = False


class QuotaResult(NamedTuple):
    """What became of one entity's alteration."""

    entity: tuple[tuple[str, str | None], ...]
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterClientQuotasResponse:
    """What became of each entity, in the order asked."""

    results: tuple[QuotaResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScramUpsertion:
    """A user's new credential; the salted password is as good as the password, so it is never shown."""

    user: ScramUser
    iterations: int
    salt: bytes = field(repr=False)
    salted_password: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterUserScramCredentials:
    """Delete and set SCRAM credentials; a user that fails leaves the others alone."""

    deletions: tuple[ScramUser, ...] = ()
    upsertions: tuple[ScramUpsertion, ...] = ()
    validate_only: bool = False


class ScramResult(NamedTuple):
    """What became of one user's change."""

    name: str
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterUserScramCredentialsResponse:
    """What became of each user, in the order in which they were first named."""

    results: tuple[ScramResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocateProducerIds:
    """A broker needs a block of ids for idempotent and transactional producers."""

    broker_id: NodeId
    broker_epoch: int
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocateProducerIdsResponse:
    """The ids from ``start`` on, as many as ``length``, which no other broker gets."""

    start: int
    length: int


AccountRequest: TypeAlias = AlterClientQuotas | AlterUserScramCredentials | AllocateProducerIds
AccountResponse: TypeAlias = AlterClientQuotasResponse | AlterUserScramCredentialsResponse | AllocateProducerIdsResponse
