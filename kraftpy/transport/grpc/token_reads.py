"""DescribeDelegationTokens, a page at a time; a part of ``reads``."""

from __future__ import annotations

from typing import Final

from kraftpy.image.delegation_tokens import DelegationToken
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2, common_pb2
from kraftpy.transport.grpc.orders import KeyList, Orders, tokens_of
from kraftpy.transport.grpc.pages import Page, fill
from kraftpy.transport.grpc.reads import position
from kraftpy.transport.node_api import MetadataView

OWNERS_NAMED_MAX: Final = 10_000
"""How many owners a request may name; without names it lists the tokens of all."""


def lists_of_tokens(_: cluster_pb2.DescribeDelegationTokensRequest, view: MetadataView) -> list[KeyList]:
    """Return which lists a request needs in order."""
    return [tokens_of(view.image)]


def describe_delegation_tokens(
    request: cluster_pb2.DescribeDelegationTokensRequest, view: MetadataView, orders: Orders, answer_bytes_max: int
) -> cluster_pb2.DescribeDelegationTokensResponse:
    """List the tokens of owners, never their HMACs.

    Raises:
        ApiError: INVALID_REQUEST for more than OWNERS_NAMED_MAX owners and for a wrong page token; POLICY_VIOLATION for
            a token that is larger than an answer may be.
    """
    if len(request.owners) > OWNERS_NAMED_MAX:
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"{len(request.owners)} owners are named, at most {OWNERS_NAMED_MAX} may be"
        )
    page = Page(request, 1, answer_bytes_max)
    response = cluster_pb2.DescribeDelegationTokensResponse(position=position(view))
    owners = set(request.owners)
    tokens = view.image.delegation_tokens.tokens
    found = (
        (token_id, token_to_pb(tokens[token_id]) if not owners or tokens[token_id].owner in owners else None)
        for token_id in orders.of(tokens_of(view.image)).above(None if page.after is None else page.after[0])
    )
    fill(page, response, found, response.tokens.append, lambda token_id: (token_id,))
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
