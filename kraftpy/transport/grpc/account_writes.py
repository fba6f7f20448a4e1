"""Quotas and SCRAM credentials: between messages and the controller's values; a part of ``writes``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kraftpy.controller import account_requests as r
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, common_pb2, errors_pb2

ACCOUNTS_MAX: Final = 10_000
"""How many entities or users, and how many changes of theirs, a request may name."""

ENTITY_PARTS_MAX: Final = 3
"""How many parts an entity may have: one for each type."""


def _check_count(count: int, what: str, count_max: int = ACCOUNTS_MAX) -> None:
    if count > count_max:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{count} {what}, at most {count_max} are allowed")


def alter_client_quotas(message: admin_pb2.AlterClientQuotasRequest) -> r.AlterClientQuotas:
    """Read which quotas change.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(len(message.entries), "entries")
    _check_count(sum(len(each.changes) for each in message.entries), "changes")
    _check_count(max((len(each.entity) for each in message.entries), default=0), "parts", ENTITY_PARTS_MAX)
    return r.AlterClientQuotas(
        entries=tuple(
            r.QuotaAlteration(
                entity=tuple((part.type, part.name if part.HasField("name") else None) for part in each.entity),
                values=tuple((one.key, one.value if one.HasField("value") else None) for one in each.changes),
            )
            for each in message.entries
        ),
        validate_only=message.options.validate_only,
    )


def alter_user_scram_credentials(message: admin_pb2.AlterUserScramCredentialsRequest) -> r.AlterUserScramCredentials:
    """Read which credentials are deleted and set.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    _check_count(len(message.deletions) + len(message.upsertions), "deletions and upsertions")
    return r.AlterUserScramCredentials(
        deletions=tuple(ScramUser(each.mechanism, each.user) for each in message.deletions),
        upsertions=tuple(
            r.ScramUpsertion(
                user=ScramUser(each.mechanism, each.user),
                iterations=each.iterations,
                salt=each.salt,
                salted_password=each.salted_password,
            )
            for each in message.upsertions
        ),
        validate_only=message.options.validate_only,
    )


def quotas_altered(
    response: r.AlterClientQuotasResponse, position: common_pb2.CommitPosition
) -> admin_pb2.AlterClientQuotasResponse:
    """Write the result of each entity."""
    message = admin_pb2.AlterClientQuotasResponse(position=position)
    for result in response.results:
        message.results.add(entity=entity_to_pb(result.entity), error=_error(result.error, result.message))
    return message


def scram_altered(
    response: r.AlterUserScramCredentialsResponse, position: common_pb2.CommitPosition
) -> admin_pb2.AlterUserScramCredentialsResponse:
    """Write the result of each user."""
    message = admin_pb2.AlterUserScramCredentialsResponse(position=position)
    for result in response.results:
        message.results.add(user=result.name, error=_error(result.error, result.message))
    return message


def entity_to_pb(entity: Iterable[tuple[str, str | None]]) -> list[common_pb2.QuotaEntityPart]:
    """Write an entity."""
    return [common_pb2.QuotaEntityPart(type=kind, name=name) for kind, name in entity]


def _error(code: ErrorCode, text: str) -> errors_pb2.ErrorDetail | None:
    return errors_pb2.ErrorDetail(code=code, name=code.name, message=text) if code else None
