"""Delegation tokens: created, renewed and expired on request, and removed once they have expired.

A token's HMAC, which is its secret, is HMAC-SHA-512 of its id with ``delegation.token.secret.key``; no record has it.
Every controller and broker must therefore have the same key, and another key invalidates all tokens.

The checks, in order:

1. All: the key is configured (DELEGATION_TOKEN_AUTH_DISABLED), the metadata.version has tokens (UNSUPPORTED_VERSION).
2. Create: each renewer is a user (INVALID_PRINCIPAL_TYPE). Ours, because any authenticated client may create tokens:
   the length of a principal and the number of renewers (INVALID_REQUEST), the number of tokens in the cluster and of
   one requester, and the bytes of all principals (POLICY_VIOLATION).
3. Renew, expire: the HMAC is a token's (DELEGATION_TOKEN_NOT_FOUND). For a renewal the token has not expired
   (DELEGATION_TOKEN_EXPIRED), then the requester is its owner or one of its renewers
   (DELEGATION_TOKEN_OWNER_MISMATCH); to expire it the other way round, and a negative period deletes also a token that
   has expired.

Who may ask at all is decided before (``transport.request_checks``).

Source: Kafka ``DelegationTokenControlManager``; KIP-48, KIP-373, KIP-900.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.delegation_token_index import bytes_of
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    CreateDelegationTokenResponse,
    DelegationTokenExpiry,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.controller.limits import check_string
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import Slices
from kraftpy.image.delegation_tokens import TOKENS_LEVEL, DelegationToken
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import PRINCIPAL_BYTES_MAX
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.metadata import DelegationTokenRecord, RemoveDelegationTokenRecord

DELEGATION_TOKENS_MAX: Final = 100_000
"""How many tokens a cluster may have. Kafka has no limit."""

TOKENS_PER_REQUESTER_MAX: Final = 10_000
"""How many of them one principal may have requested, so that it takes the tokens of no other. Kafka has no limit."""

RENEWERS_MAX: Final = 100
"""How many renewers a token may have. Kafka has no limit."""

PRINCIPAL_BYTES_TOTAL_MAX: Final = 64 * 1024 * 1024
"""How many bytes the principals of all tokens may take: each node has them in memory. Kafka has no limit."""

TIMESTAMP_MAX: Final = 2**63 - 1

REMOVALS_PER_STEP: Final = 1_000
"""How many expired tokens one step removes. Source: Kafka ``MAX_RECORDS_PER_EXPIRATION``."""

_USER: Final = "User:"


def create_delegation_token(view: DecisionContext, request: CreateDelegationToken) -> Slices[ControllerResult]:
    """Create a token for its owner.

    Raises:
        ApiError: see the checks above; POLICY_VIOLATION, INVALID_REQUEST.
    """
    _check_enabled(view)
    owner = request.requester if request.owner is None else request.owner
    for renewer in request.renewers:
        if not renewer.startswith(_USER):
            raise ApiError(ErrorCode.INVALID_PRINCIPAL_TYPE, f"The renewer {renewer[:100]!r} is not a User.")
    yield from view.tokens.make(view.image.delegation_tokens)
    _check_limits(view, owner, request)
    lifetime_ms = view.config.token_max_lifetime_ms
    if request.max_lifetime_ms > 0:
        lifetime_ms = min(lifetime_ms, request.max_lifetime_ms)
    max_timestamp_ms = _after(view.now_ms, lifetime_ms)
    response = CreateDelegationTokenResponse(
        owner=owner,
        requester=request.requester,
        renewers=request.renewers,
        issue_timestamp_ms=view.now_ms,
        expiration_timestamp_ms=min(max_timestamp_ms, _after(view.now_ms, view.config.token_expiry_ms)),
        max_timestamp_ms=max_timestamp_ms,
    )
    if request.validate_only:
        return ControllerResult((), response)
    token_id = _new_id(view)
    record = DelegationTokenRecord(
        owner=owner,
        requester=request.requester,
        renewers=list(request.renewers),
        issue_timestamp=response.issue_timestamp_ms,
        max_timestamp=response.max_timestamp_ms,
        expiration_timestamp=response.expiration_timestamp_ms,
        token_id=token_id,
    )
    return ControllerResult((record,), replace(response, token_id=token_id, hmac=view.tokens.hmac_of(token_id)))


def renew_delegation_token(view: DecisionContext, request: RenewDelegationToken) -> Slices[ControllerResult]:
    """Let a token expire later, and never after its last timestamp.

    Raises:
        ApiError: see the checks above.
    """
    _check_enabled(view)
    token = yield from _find(view, request.hmac)
    if _is_expired(token, view.now_ms):
        raise _expired(token)
    _check_renewer(token, request.requester)
    period_ms = view.config.token_expiry_ms
    if request.period_ms > 0:
        period_ms = min(period_ms, request.period_ms)
    return _expiring(token, min(token.max_timestamp_ms, _after(view.now_ms, period_ms)))


def expire_delegation_token(view: DecisionContext, request: ExpireDelegationToken) -> Slices[ControllerResult]:
    """Let a token expire at another time, or delete it.

    Raises:
        ApiError: see the checks above.
    """
    _check_enabled(view)
    token = yield from _find(view, request.hmac)
    _check_renewer(token, request.requester)
    if request.period_ms < 0:
        removal = RemoveDelegationTokenRecord(token_id=token.token_id)
        return ControllerResult((removal,), _expiry(token, view.now_ms))
    if _is_expired(token, view.now_ms):
        raise _expired(token)
    return _expiring(token, min(token.max_timestamp_ms, _after(view.now_ms, request.period_ms)))


class TokenExpiry:
    """Removes tokens that have expired, every ``delegation.token.expiry.check.interval.ms``.

    Belongs to one term of leadership.
    """

    __slots__ = ("_due_ms", "_interval_ms", "_is_enabled")

    def __init__(self, config: ControllerConfig, now_ms: int) -> None:
        self._is_enabled = config.token_secret_key is not None
        self._interval_ms = config.token_check_interval_ms
        self._due_ms = now_ms + self._interval_ms

    def due_ms(self, image: MetadataImage) -> int | None:
        """Return when the next step is due; ``None`` where there is no token, or no key."""
        return self._due_ms if self._is_enabled and image.delegation_tokens.tokens else None

    def step(self, view: DecisionContext) -> ControllerResult | None:
        """Remove some of the expired tokens; ``None`` when nothing is due, or none has expired."""
        due_ms = self.due_ms(view.image)
        if due_ms is None or view.now_ms < due_ms:
            return None
        expired = [
            RemoveDelegationTokenRecord(token_id=token_id)
            for token_id, token in view.image.delegation_tokens.tokens.items()
            if _is_expired(token, view.now_ms)
        ]
        if len(expired) <= REMOVALS_PER_STEP:
            self._due_ms = view.now_ms + self._interval_ms
        expired.sort(key=lambda record: record.token_id)
        return ControllerResult(tuple(expired[:REMOVALS_PER_STEP]), None, atomic=False) if expired else None


def _check_enabled(view: DecisionContext) -> None:
    if view.config.token_secret_key is None:
        raise ApiError(
            ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED,
            "Delegation tokens are disabled: delegation.token.secret.key is not set at the active controller.",
        )
    if view.image.level < TOKENS_LEVEL:
        raise ApiError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"Delegation tokens need metadata.version {TOKENS_LEVEL}, and it is at {view.image.level}.",
        )


def _check_limits(view: DecisionContext, owner: str, request: CreateDelegationToken) -> None:
    if len(request.renewers) > RENEWERS_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{len(request.renewers)} renewers; a token may have {RENEWERS_MAX}")
    principals = [("owner", owner), ("requester", request.requester)]
    principals += [("renewer", renewer) for renewer in request.renewers]
    for what, principal in principals:
        check_string(ErrorCode.INVALID_REQUEST, f"The {what}", principal)
        size = bytes_of(principal)
        if size > PRINCIPAL_BYTES_MAX:
            text = f"The {what} has {size} bytes; the principals of a delegation token may have {PRINCIPAL_BYTES_MAX}"
            raise ApiError(ErrorCode.INVALID_REQUEST, text)
    if len(view.image.delegation_tokens.tokens) >= DELEGATION_TOKENS_MAX:
        raise _too_many(f"The cluster has {DELEGATION_TOKENS_MAX} delegation tokens, the most there may be.")
    if view.tokens.count_of(request.requester) >= TOKENS_PER_REQUESTER_MAX:
        raise _too_many(
            f"{request.requester} has requested {TOKENS_PER_REQUESTER_MAX} delegation tokens, the most there may be."
        )
    added = bytes_of(owner, request.requester, *request.renewers)
    if view.tokens.principal_bytes + added > PRINCIPAL_BYTES_TOTAL_MAX:
        raise _too_many(
            f"The principals of all delegation tokens would take more than {PRINCIPAL_BYTES_TOTAL_MAX} bytes."
        )


def _too_many(text: str) -> ApiError:
    return ApiError(ErrorCode.POLICY_VIOLATION, f"{text} Expire some, or wait until they expire.")


def _find(view: DecisionContext, hmac: bytes) -> Slices[DelegationToken]:
    tokens = view.image.delegation_tokens
    yield from view.tokens.make(tokens)
    token = tokens.tokens.get(view.tokens.find(hmac) or "")
    if token is None:
        raise ApiError(ErrorCode.DELEGATION_TOKEN_NOT_FOUND, "There is no delegation token with this HMAC.")
    return token


def _check_renewer(token: DelegationToken, requester: str) -> None:
    if requester != token.owner and requester not in token.renewers:
        raise ApiError(
            ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH,
            f"{requester} is neither the owner of the delegation token {token.token_id} nor one of its renewers.",
        )


def _is_expired(token: DelegationToken, now_ms: int) -> bool:
    return token.max_timestamp_ms < now_ms or token.expiration_timestamp_ms < now_ms


def _expired(token: DelegationToken) -> ApiError:
    return ApiError(ErrorCode.DELEGATION_TOKEN_EXPIRED, f"The delegation token {token.token_id} has expired.")


def _expiring(token: DelegationToken, expiration_timestamp_ms: int) -> ControllerResult:
    record = DelegationTokenRecord(
        owner=token.owner,
        requester=token.requester,
        renewers=list(token.renewers),
        issue_timestamp=token.issue_timestamp_ms,
        max_timestamp=token.max_timestamp_ms,
        expiration_timestamp=expiration_timestamp_ms,
        token_id=token.token_id,
    )
    return ControllerResult((record,), _expiry(token, expiration_timestamp_ms))


def _expiry(token: DelegationToken, expiration_timestamp_ms: int) -> DelegationTokenExpiry:
    return DelegationTokenExpiry(
        expiration_timestamp_ms=expiration_timestamp_ms, token_id=token.token_id, owner=token.owner
    )


def _after(now_ms: int, duration_ms: int) -> int:
    return min(TIMESTAMP_MAX, now_ms + duration_ms)


def _new_id(view: DecisionContext) -> str:
    token_id = uuid_to_text(view.uuids.next())
    while token_id in view.image.delegation_tokens.tokens:
        token_id = uuid_to_text(view.uuids.next())
    return token_id
