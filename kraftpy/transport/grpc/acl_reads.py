"""DescribeAcls, a page at a time; a part of ``reads``."""

from __future__ import annotations

from collections.abc import Sequence

from kraftpy.controller.acl_requests import AclFilter
from kraftpy.controller.acls import check_filter, matches
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.acl_writes import entry_to_pb, filter_from_pb
from kraftpy.transport.grpc.orders import AclKey, KeyList, Orders, acls_of
from kraftpy.transport.grpc.pages import Page, fill, number, refused_token
from kraftpy.transport.grpc.reads import position
from kraftpy.transport.node_api import MetadataView

ALL = AclFilter(
    resource_type=AclResourceType.ANY,
    resource_name=None,
    pattern_type=PatternType.ANY,
    principal=None,
    host=None,
    operation=AclOperation.ANY,
    permission_type=PermissionType.ANY,
)


def lists_of_acls(_: cluster_pb2.DescribeAclsRequest, view: MetadataView) -> list[KeyList]:
    """Return which lists a request needs in order."""
    return [acls_of(view.image)]


def describe_acls(
    request: cluster_pb2.DescribeAclsRequest, view: MetadataView, orders: Orders, answer_bytes_max: int
) -> cluster_pb2.DescribeAclsResponse:
    """List the entries that match.

    Raises:
        ApiError: SECURITY_DISABLED without an authorizer, INVALID_REQUEST for a filter with a number that has no
            meaning and for a wrong token, POLICY_VIOLATION for an entry that is larger than an answer may be.
    """
    if not view.acls_enabled:
        raise ApiError(ErrorCode.SECURITY_DISABLED, "No Authorizer is configured.")
    one = filter_from_pb(request.filter) if request.HasField("filter") else ALL
    check_filter(one)
    page = Page(request, 8, answer_bytes_max)
    response = cluster_pb2.DescribeAclsResponse(position=position(view))
    after = None if page.after is None else _rank_of(page.after)
    entries = view.image.acls.entries
    found = (
        (key, entry_to_pb(entries[key.id]) if matches(one, entries[key.id]) else None)
        for key in orders.of(acls_of(view.image)).above(after)
    )
    fill(page, response, found, response.entries.append, _key_of)
    return response


def _key_of(key: AclKey) -> tuple[str, ...]:
    return (*map(str, key.entry), key.id.hex())


def _rank_of(key: Sequence[str]) -> AclKey:
    """Return the entry that has this key; whether there is such an entry is the same to the order.

    Raises:
        ApiError: INVALID_REQUEST.
    """
    kind, name, pattern, principal, host, operation, permission, acl_id = key
    entry = number(kind), name, number(pattern), principal, host, number(operation), number(permission)
    try:
        return AclKey(entry, bytes.fromhex(acl_id))
    except ValueError:
        raise refused_token("it has no id where one belongs") from None
