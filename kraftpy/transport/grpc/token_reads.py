"""DescribeDelegationTokens; a part of ``reads``."""

from __future__ import annotations

from typing import Final

from kraftpy.image.delegation_tokens import DelegationToken
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2, common_pb2
from kraftpy.transport.grpc.reads import CONFIGS_BYTES_MAX, FIELD_BYTES, in_slices, position, too_large
from kraftpy.transport.node_api import MetadataView

OWNERS_NAMED_MAX: Final = 10_000
"""How many owners a request may name; without names it lists the tokens of all."""


async def describe_delegation_tokens(
    request: cluster_pb2.DescribeDelegationTokensRequest, view: MetadataView, bytes_max: int = CONFIGS_BYTES_MAX
) -> cluster_pb2.DescribeDelegationTokensResponse:
    """List the tokens of owners, never their HMACs.

    Raises:
        ApiError: INVALID_REQUEST for more than OWNERS_NAMED_MAX owners; POLICY_VIOLATION when the answer takes more
            than ``bytes_max`` (or CONFIGS_BYTES_MAX).
    """
    if len(request.owners) > OWNERS_NAMED_MAX:
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"{len(request.owners)} owners are named, at most {OWNERS_NAMED_MAX} may be"
        )
    owners = set(request.owners)
    tokens = view.image.delegation_tokens.tokens
    found = []
    left = bytes_max = min(bytes_max, CONFIGS_BYTES_MAX)
    async for token_id in in_slices(tokens):
        if not owners or tokens[token_id].owner in owners:
            found.append(token_id)
            left -= FIELD_BYTES
            if left < 0:
                raise too_large(f"more than {bytes_max}", bytes_max)
    response = cluster_pb2.DescribeDelegationTokensResponse(position=position(view))
    async for token_id in in_slices(sorted(found)):
        row = token_to_pb(tokens[token_id])
        left -= row.ByteSize()
        if left < 0:
            raise too_large(f"more than {bytes_max}", bytes_max)
        response.tokens.append(row)
    return response


def token_to_pb(token: DelegationToken) -> common_pb2.DelegationToken:
    """Write a token."""
    return common_pb2.DelegationToken(
        token_id=token.token_id,
        owner=token.owner,
        requester=token.requester,
        renewers=token.renewers,
        issue_timestamp_ms=token.issue_timestamp_ms,
        expiration_timestamp_ms=token.expiration_timestamp_ms,
        max_timestamp_ms=token.max_timestamp_ms,
    )
