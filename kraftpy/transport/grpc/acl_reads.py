"""DescribeAcls; a part of ``reads``."""

from __future__ import annotations

from kraftpy.controller.acl_requests import AclFilter
from kraftpy.controller.acls import by_resource, check_filter, matches
from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.grpc.acl_writes import entry_to_pb, filter_from_pb
from kraftpy.transport.grpc.reads import CONFIGS_BYTES_MAX, FIELD_BYTES, in_slices, position, too_large
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


async def describe_acls(
    request: cluster_pb2.DescribeAclsRequest, view: MetadataView, bytes_max: int = CONFIGS_BYTES_MAX
) -> cluster_pb2.DescribeAclsResponse:
    """List the entries that match.

    Raises:
        ApiError: SECURITY_DISABLED without an authorizer, INVALID_REQUEST for a filter with a number that has no
            meaning, POLICY_VIOLATION when the answer takes more than ``bytes_max`` (or CONFIGS_BYTES_MAX).
    """
    if not view.acls_enabled:
        raise ApiError(ErrorCode.SECURITY_DISABLED, "No Authorizer is configured.")
    one = filter_from_pb(request.filter) if request.HasField("filter") else ALL
    check_filter(one)
    left = bytes_max = min(bytes_max, CONFIGS_BYTES_MAX)
    found: list[AccessControlEntry] = []
    async for entry in in_slices(view.image.acls.entries.values()):
        if matches(one, entry):
            found.append(entry)
            left -= FIELD_BYTES + sum(len(text.encode()) for text in (entry.resource_name, entry.principal, entry.host))
            if left < 0:
                raise too_large(f"more than {bytes_max}", bytes_max)
    response = cluster_pb2.DescribeAclsResponse(position=position(view))
    async for entry in in_slices(sorted(found, key=by_resource)):
        response.entries.append(entry_to_pb(entry))
    return response
