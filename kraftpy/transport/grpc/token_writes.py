"""Delegation tokens: between messages and the controller's values; a part of ``writes``."""

from __future__ import annotations

from typing import Final

from kraftpy.controller import delegation_token_requests as r
from kraftpy.controller.delegation_tokens import RENEWERS_MAX
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, common_pb2

DELETED: Final = -1
"""The period of a token that is deleted."""


def create_delegation_token(message: admin_pb2.CreateDelegationTokenRequest) -> r.CreateDelegationToken:
    """Read for whom the token is.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    if len(message.renewers) > RENEWERS_MAX:
        raise _invalid(f"{len(message.renewers)} renewers, at most {RENEWERS_MAX} are allowed")
    owner = message.owner if message.HasField("owner") else None
    if owner is not None and not all(owner.partition(":")[::2]):
        raise _invalid(f"owner {owner[:200]!r} has no type or no name; expected such as User:alice")
    if message.HasField("max_lifetime_ms") and message.max_lifetime_ms <= 0:
        raise _invalid(f"max_lifetime_ms is {message.max_lifetime_ms}, expected a positive number, or none")
    return r.CreateDelegationToken(
        owner=owner,
        renewers=tuple(message.renewers),
        max_lifetime_ms=message.max_lifetime_ms if message.HasField("max_lifetime_ms") else -1,
        validate_only=message.options.validate_only,
    )


def token_created(
    response: r.CreateDelegationTokenResponse, position: common_pb2.CommitPosition
) -> admin_pb2.CreateDelegationTokenResponse:
    """Write the token and its HMAC."""
    token = common_pb2.DelegationToken(
        token_id=response.token_id,
        owner=response.owner,
        requester=response.requester,
        renewers=response.renewers,
        issue_timestamp_ms=response.issue_timestamp_ms,
        expiration_timestamp_ms=response.expiration_timestamp_ms,
        max_timestamp_ms=response.max_timestamp_ms,
    )
    return admin_pb2.CreateDelegationTokenResponse(position=position, token=token, hmac=response.hmac)


def renew_delegation_token(message: admin_pb2.RenewDelegationTokenRequest) -> r.RenewDelegationToken:
    """Read which token is renewed, and for how long.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    if message.HasField("period_ms") and message.period_ms <= 0:
        raise _invalid(f"period_ms is {message.period_ms}, expected a positive number, or none")
    period_ms = message.period_ms if message.HasField("period_ms") else -1
    return r.RenewDelegationToken(hmac=message.hmac, period_ms=period_ms, validate_only=message.options.validate_only)


def expire_delegation_token(message: admin_pb2.ExpireDelegationTokenRequest) -> r.ExpireDelegationToken:
    """Read which token expires, and when.

    Raises:
        ApiError: INVALID_REQUEST, naming the field.
    """
    if message.HasField("period_ms") and message.period_ms < 0:
        raise _invalid(f"period_ms is {message.period_ms}, expected 0 or more, or none to delete the token")
    period_ms = message.period_ms if message.HasField("period_ms") else DELETED
    return r.ExpireDelegationToken(hmac=message.hmac, period_ms=period_ms, validate_only=message.options.validate_only)


def token_renewed(
    response: r.DelegationTokenExpiry, position: common_pb2.CommitPosition
) -> admin_pb2.RenewDelegationTokenResponse:
    """Write when the token expires now."""
    expires_ms = response.expiration_timestamp_ms
    return admin_pb2.RenewDelegationTokenResponse(position=position, expiration_timestamp_ms=expires_ms)


def token_expired(
    response: r.DelegationTokenExpiry, position: common_pb2.CommitPosition
) -> admin_pb2.ExpireDelegationTokenResponse:
    """Write when the token expires now."""
    expires_ms = response.expiration_timestamp_ms
    return admin_pb2.ExpireDelegationTokenResponse(position=position, expiration_timestamp_ms=expires_ms)


def _invalid(text: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, text)
