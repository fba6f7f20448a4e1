"""DescribeClientQuotas and DescribeUserScramCredentials, a page at a time; a part of ``reads``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from math import inf
from operator import attrgetter
from typing import Final

from kraftpy.image.client_quotas import QuotaEntity
from kraftpy.image.scram import ScramCredential, ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.account_writes import ENTITY_PARTS_MAX, entity_to_pb
from kraftpy.transport.grpc.orders import KeyList, Orders, quotas_of, scram_of
from kraftpy.transport.grpc.pages import Page, fill
from kraftpy.transport.grpc.reads import position
from kraftpy.transport.node_api import MetadataView

USERS_MAX: Final = 10_000
"""How many users a DescribeUserScramCredentials may name."""


def lists_of_quotas(_: cluster_pb2.DescribeClientQuotasRequest, view: MetadataView) -> list[KeyList]:
    """Return which lists a request needs in order."""
    return [quotas_of(view.image)]


def describe_client_quotas(
    request: cluster_pb2.DescribeClientQuotasRequest, view: MetadataView, orders: Orders, answer_bytes_max: int
) -> cluster_pb2.DescribeClientQuotasResponse:
    """List the quotas of the entities that match.

    Raises:
        ApiError: INVALID_REQUEST for too many filters, a repeated type or a wrong token, POLICY_VIOLATION for an entity
            that is larger than an answer may be.
    """
    kinds = {each.type for each in request.filters}
    if len(request.filters) > ENTITY_PARTS_MAX or len(kinds) < len(request.filters):
        text = f"{len(request.filters)} filters, at most {ENTITY_PARTS_MAX} of different types are allowed"
        raise ApiError(ErrorCode.INVALID_REQUEST, text)
    page = Page(request, None, answer_bytes_max)
    response = cluster_pb2.DescribeClientQuotasResponse(position=position(view))
    after = None if page.after is None else _rank_of(page.after)
    entities = view.image.client_quotas.entities
    found = (
        (entity, _quotas(entity, entities[entity]) if _matches(request, dict(entity)) else None)
        for entity in orders.of(quotas_of(view.image)).above(after)
    )
    fill(page, response, found, response.entities.append, _key_of)
    return response


def _quotas(entity: QuotaEntity, values: Mapping[str, float]) -> cluster_pb2.ClientQuotas:
    rows = [cluster_pb2.QuotaValue(key=key, value=value) for key, value in sorted(values.items())]
    return cluster_pb2.ClientQuotas(entity=entity_to_pb(entity), values=rows)


def _key_of(entity: QuotaEntity) -> list[str]:
    """Return types and names, each name marked: the default of a type has none."""
    return [text for kind, name in entity for text in (kind, "" if name is None else f"={name}")]


def _rank_of(key: Sequence[str]) -> tuple[tuple[str, bool, str], ...]:
    """Return the rank of the entity that has this key; of one that was made up, of none."""
    return tuple((kind, bool(name), name[1:]) for kind, name in zip(key[::2], key[1::2], strict=False))


def _matches(request: cluster_pb2.DescribeClientQuotasRequest, parts: dict[str, str | None]) -> bool:
    """Return whether an entity matches all filters."""
    if request.strict and len(parts) != len(request.filters):
        return False
    for one in request.filters:
        if one.type not in parts:
            return False
        name = parts[one.type]
        match one.WhichOneof("match"):
            case "name" if name != one.name:
                return False
            case "default" if name is not None:
                return False
    return True


def lists_of_scram(_: cluster_pb2.DescribeUserScramCredentialsRequest, view: MetadataView) -> list[KeyList]:
    """Return which lists a request needs in order."""
    return [scram_of(view.image)]


def describe_user_scram_credentials(
    request: cluster_pb2.DescribeUserScramCredentialsRequest, view: MetadataView, orders: Orders, answer_bytes_max: int
) -> cluster_pb2.DescribeUserScramCredentialsResponse:
    """List mechanisms and iterations of users; never salts or keys.

    Raises:
        ApiError: INVALID_REQUEST for too many users or a wrong token.
    """
    if len(request.users) > USERS_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{len(request.users)} users, at most {USERS_MAX} are allowed")
    page = Page(request, 1, answer_bytes_max)
    response = cluster_pb2.DescribeUserScramCredentialsResponse(position=position(view))
    after = None if page.after is None else page.after[0]
    order = orders.of(scram_of(view.image))
    users: Iterator[ScramUser]
    if request.users:
        names = sorted(name for name in set(request.users) if after is None or name > after)
        users = (user for name in names for user in takewhile(_has_name(name), order.above((name, -inf))))
    else:
        users = order.above(None if after is None else (after, inf))
    credentials = view.image.scram.credentials
    found = ((name, _user(name, list(its), credentials)) for name, its in groupby(users, attrgetter("name")))
    fill(page, response, found, response.users.append, lambda name: (name,))
    return response


def _has_name(name: str) -> Callable[[ScramUser], bool]:
    return lambda user: user.name == name


def _user(
    name: str, its: Sequence[ScramUser], credentials: Mapping[ScramUser, ScramCredential]
) -> cluster_pb2.ScramUserCredentials:
    rows = [
        cluster_pb2.ScramCredentialInfo(mechanism=each.mechanism, iterations=credentials[each].iterations)
        for each in its
    ]
    return cluster_pb2.ScramUserCredentials(user=name, credentials=rows)
