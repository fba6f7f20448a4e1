"""What a controller is asked about delegation tokens: to create, renew and expire them.

Plain values, independent of any wire. Principals are texts such as ``User:alice``. The requester is not part of any
message: the transport sets it, from the connection or from a broker's Envelope.

Source: KIP-48, KIP-373, KIP-900.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kraftpy.model.identity import ANONYMOUS_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDelegationToken:
    """Create a token.

    Attributes:
        requester: who asks.
        owner: for whom; ``None`` for the requester.
        renewers: who may renew it, besides its owner.
        max_lifetime_ms: until it can no longer be renewed; 0 and less for the longest that the cluster allows.
    """

    requester: str = ANONYMOUS_NAME
    owner: str | None = None
    renewers: tuple[str, ...] = ()
    max_lifetime_ms: int = -1
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDelegationTokenResponse:
    """The token; times in milliseconds since 1970.

    Attributes:
        hmac: its secret, which authenticates a client as the owner. Empty when the request was only validated.
    """

    owner: str
    requester: str
    renewers: tuple[str, ...]
    issue_timestamp_ms: int
    expiration_timestamp_ms: int
    max_timestamp_ms: int
    token_id: str = ""
    hmac: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewDelegationToken:
    """Let a token expire later: ``period_ms`` from now; 0 and less for the longest that the cluster allows."""

    hmac: bytes = field(repr=False)
    period_ms: int = -1
    requester: str = ANONYMOUS_NAME
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireDelegationToken:
    """Let a token expire at another time: ``period_ms`` from now; a negative period deletes it."""

    hmac: bytes = field(repr=False)
    period_ms: int = -1
    requester: str = ANONYMOUS_NAME
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DelegationTokenExpiry:
    """When the token that was renewed or expired expires now (ms since 1970).

    Attributes:
        token_id: which token it is, for the log; no message has it.
        owner: whose, likewise.
    """

    expiration_timestamp_ms: int
    token_id: str = ""
    owner: str = ""


DelegationTokenRequest: TypeAlias = CreateDelegationToken | RenewDelegationToken | ExpireDelegationToken
DelegationTokenResponse: TypeAlias = CreateDelegationTokenResponse | DelegationTokenExpiry
