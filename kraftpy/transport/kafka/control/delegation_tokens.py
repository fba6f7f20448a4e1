"""CreateDelegationToken, RenewDelegationToken and ExpireDelegationToken.

Source: KIP-48, KIP-373; Kafka ``ControllerApis``.
"""

from __future__ import annotations

from typing import Any, Final

from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    CreateDelegationTokenResponse,
    DelegationTokenExpiry,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import Outcome

NO_TIMESTAMP: Final = -1
"""The timestamps of a request that its caller may not make. Source: Kafka ``ERROR_TIMESTAMP``."""

_NOT_ALLOWED: Final = (
    ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
    ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
)


def create_from_wire(message: rpc.CreateDelegationTokenRequest, version: int) -> CreateDelegationToken:
    """Read for whom the token is."""
    del version
    owner = None
    if message.owner_principal_name:
        if not message.owner_principal_type:
            raise ApiError(ErrorCode.INVALID_REQUEST, "The owner of the token has a name and no type.")
        owner = f"{message.owner_principal_type}:{message.owner_principal_name}"
    return CreateDelegationToken(
        owner=owner,
        renewers=tuple(f"{one.principal_type}:{one.principal_name}" for one in message.renewers),
        max_lifetime_ms=message.max_lifetime_ms,
    )


def create_to_wire(outcome: Outcome, message: Any) -> rpc.CreateDelegationTokenResponse:
    """Write the token, or why there is none."""
    if isinstance(outcome, ApiError):
        timestamp_ms = _timestamp_of(outcome)
        return rpc.CreateDelegationTokenResponse(
            error_code=outcome.code,
            principal_type=message.owner_principal_type or "",
            principal_name=message.owner_principal_name or "",
            issue_timestamp_ms=timestamp_ms,
            expiry_timestamp_ms=timestamp_ms,
            max_timestamp_ms=timestamp_ms,
        )
    done = outcome.response
    assert isinstance(done, CreateDelegationTokenResponse)
    owner_type, _, owner_name = done.owner.partition(":")
    requester_type, _, requester_name = done.requester.partition(":")
    return rpc.CreateDelegationTokenResponse(
        principal_type=owner_type,
        principal_name=owner_name,
        token_requester_principal_type=requester_type,
        token_requester_principal_name=requester_name,
        issue_timestamp_ms=done.issue_timestamp_ms,
        expiry_timestamp_ms=done.expiration_timestamp_ms,
        max_timestamp_ms=done.max_timestamp_ms,
        token_id=done.token_id,
        hmac=done.hmac,
    )


def name_principals(refusal: rpc.CreateDelegationTokenResponse, requester: str) -> None:
    """Let a refusal say who asked, and that the token is for that one where the request names no other owner."""
    kind, _, name = requester.partition(":")
    refusal.token_requester_principal_type, refusal.token_requester_principal_name = kind, name
    if not refusal.principal_name:
        refusal.principal_type, refusal.principal_name = kind, name


def renew_from_wire(message: rpc.RenewDelegationTokenRequest, version: int) -> RenewDelegationToken:
    """Read which token is renewed, and for how long."""
    del version
    return RenewDelegationToken(hmac=message.hmac, period_ms=message.renew_period_ms)


def renew_to_wire(outcome: Outcome, message: Any) -> rpc.RenewDelegationTokenResponse:
    """Write when the token expires now."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.RenewDelegationTokenResponse(error_code=outcome.code, expiry_timestamp_ms=_timestamp_of(outcome))
    assert isinstance(outcome.response, DelegationTokenExpiry)
    return rpc.RenewDelegationTokenResponse(expiry_timestamp_ms=outcome.response.expiration_timestamp_ms)


def expire_from_wire(message: rpc.ExpireDelegationTokenRequest, version: int) -> ExpireDelegationToken:
    """Read which token expires, and when."""
    del version
    return ExpireDelegationToken(hmac=message.hmac, period_ms=message.expiry_time_period_ms)


def expire_to_wire(outcome: Outcome, message: Any) -> rpc.ExpireDelegationTokenResponse:
    """Write when the token expires now."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.ExpireDelegationTokenResponse(error_code=outcome.code, expiry_timestamp_ms=_timestamp_of(outcome))
    assert isinstance(outcome.response, DelegationTokenExpiry)
    return rpc.ExpireDelegationTokenResponse(expiry_timestamp_ms=outcome.response.expiration_timestamp_ms)


def _timestamp_of(refused: ApiError) -> int:
    return NO_TIMESTAMP if refused.code in _NOT_ALLOWED else 0
