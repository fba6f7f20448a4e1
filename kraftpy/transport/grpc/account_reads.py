"""DescribeClientQuotas and DescribeUserScramCredentials; a part of ``reads``."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from kraftpy.image.client_quotas import QuotaEntity
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.account_writes import ENTITY_PARTS_MAX, entity_to_pb
from kraftpy.transport.grpc.reads import CONFIGS_BYTES_MAX, FIELD_BYTES, in_slices, position, too_large
from kraftpy.transport.node_api import MetadataView

USERS_MAX: Final = 10_000
"""How many users a DescribeUserScramCredentials may name."""


async def describe_client_quotas(
    request: cluster_pb2.DescribeClientQuotasRequest, view: MetadataView, bytes_max: int = CONFIGS_BYTES_MAX
) -> cluster_pb2.DescribeClientQuotasResponse:
    """List the quotas of the entities that match.

    Raises:
        ApiError: INVALID_REQUEST for too many filters or a repeated type, POLICY_VIOLATION when the answer takes more
            than ``bytes_max`` (or CONFIGS_BYTES_MAX).
    """
    kinds = {each.type for each in request.filters}
    if len(request.filters) > ENTITY_PARTS_MAX or len(kinds) < len(request.filters):
        text = f"{len(request.filters)} filters, at most {ENTITY_PARTS_MAX} of different types are allowed"
        raise ApiError(ErrorCode.INVALID_REQUEST, text)
    left = bytes_max = min(bytes_max, CONFIGS_BYTES_MAX)
    entities = view.image.client_quotas.entities
    found: list[QuotaEntity] = []
    async for entity in in_slices(entities):
        if _matches(request, dict(entity)):
            found.append(entity)
            left -= FIELD_BYTES
            if left < 0:
                raise too_large(f"more than {bytes_max}", bytes_max)
    response = cluster_pb2.DescribeClientQuotasResponse(position=position(view))
    async for entity in in_slices(sorted(found, key=_order)):
        row = response.entities.add(entity=entity_to_pb(entity))
        for key, value in sorted(entities[entity].items()):
            row.values.add(key=key, value=value)
        left -= row.ByteSize()
        if left < 0:
            raise too_large(f"more than {bytes_max}", bytes_max)
    return response


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


def _order(entity: QuotaEntity) -> list[tuple[str, bool, str]]:
    return [(kind, name is not None, name or "") for kind, name in entity]


async def describe_user_scram_credentials(
    request: cluster_pb2.DescribeUserScramCredentialsRequest, view: MetadataView, bytes_max: int = CONFIGS_BYTES_MAX
) -> cluster_pb2.DescribeUserScramCredentialsResponse:
    """List mechanisms and iterations of users; never salts or keys.

    Raises:
        ApiError: INVALID_REQUEST for too many users, POLICY_VIOLATION when the answer takes more than ``bytes_max``
            (or CONFIGS_BYTES_MAX).
    """
    if len(request.users) > USERS_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{len(request.users)} users, at most {USERS_MAX} are allowed")
    left = bytes_max = min(bytes_max, CONFIGS_BYTES_MAX)
    wanted = set(request.users)
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    async for user, credential in in_slices(view.image.scram.credentials.items()):
        if not wanted or user.name in wanted:
            found[user.name].append((user.mechanism, credential.iterations))
            left -= len(user.name.encode()) + 2 * FIELD_BYTES
            if left < 0:
                raise too_large(f"more than {bytes_max}", bytes_max)
    response = cluster_pb2.DescribeUserScramCredentialsResponse(position=position(view))
    async for name in in_slices(sorted(found)):
        row = response.users.add(user=name)
        for mechanism, iterations in sorted(found[name]):
            row.credentials.add(mechanism=mechanism, iterations=iterations)
    return response
