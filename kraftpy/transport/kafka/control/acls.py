"""CreateAcls, DeleteAcls and DescribeAcls.

Without an authorizer all three are answered with SECURITY_DISABLED: the writes by the controller, the read here. A
number without a meaning is INVALID_REQUEST, where Kafka closes the connection.

Source: KIP-140, KIP-290; Kafka ``AclApis``.
"""

from __future__ import annotations

from typing import Any

from kraftpy.controller.acl_requests import (
    AclCreation,
    AclDeletion,
    AclFilter,
    CreateAcls,
    CreateAclsResponse,
    DeleteAcls,
    DeleteAclsResponse,
)
from kraftpy.controller.acls import by_resource, check_filter, matches
from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import MetadataView, Outcome


def create_from_wire(message: rpc.CreateAclsRequest, version: int) -> CreateAcls:
    """Read which entries to create."""
    del version
    return CreateAcls(
        entries=tuple(
            AccessControlEntry(
                resource_type=one.resource_type,
                resource_name=one.resource_name,
                pattern_type=one.resource_pattern_type,
                principal=one.principal,
                host=one.host,
                operation=one.operation,
                permission_type=one.permission_type,
            )
            for one in message.creations
        )
    )


def create_to_wire(outcome: Outcome, message: Any) -> rpc.CreateAclsResponse:
    """Write the result for each entry; an error of the whole request is every entry's. Success has an empty text."""
    if isinstance(outcome, ApiError):
        results = (AclCreation(outcome.code, outcome.message),) * len(message.creations)
    else:
        assert isinstance(outcome.response, CreateAclsResponse)
        results = outcome.response.results
    row = rpc.CreateAclsResponseAclCreationResult
    return rpc.CreateAclsResponse(results=[row(one.error, one.message) for one in results])


def delete_from_wire(message: rpc.DeleteAclsRequest, version: int) -> DeleteAcls:
    """Read the filters."""
    del version
    return DeleteAcls(
        filters=tuple(
            AclFilter(
                resource_type=one.resource_type_filter,
                resource_name=one.resource_name_filter,
                pattern_type=one.pattern_type_filter,
                principal=one.principal_filter,
                host=one.host_filter,
                operation=one.operation,
                permission_type=one.permission_type,
            )
            for one in message.filters
        )
    )


def delete_to_wire(outcome: Outcome, message: Any) -> rpc.DeleteAclsResponse:
    """Write what each filter matched; an error of the whole request is every filter's."""
    if isinstance(outcome, ApiError):
        results = (AclDeletion(error=outcome.code, message=outcome.message),) * len(message.filters)
    else:
        assert isinstance(outcome.response, DeleteAclsResponse)
        results = outcome.response.results
    row = rpc.DeleteAclsResponseDeleteAclsFilterResult
    return rpc.DeleteAclsResponse(
        filter_results=[
            row(
                error_code=one.error,
                error_message=one.message or None,
                matching_acls=[_matching(entry) for entry in one.matched],
            )
            for one in results
        ]
    )


def _matching(entry: AccessControlEntry) -> rpc.DeleteAclsResponseDeleteAclsMatchingAcl:
    return rpc.DeleteAclsResponseDeleteAclsMatchingAcl(
        error_code=ErrorCode.NONE,
        error_message=None,
        resource_type=entry.resource_type,
        resource_name=entry.resource_name,
        pattern_type=entry.pattern_type,
        principal=entry.principal,
        host=entry.host,
        operation=entry.operation,
        permission_type=entry.permission_type,
    )


def describe_acls(message: rpc.DescribeAclsRequest, view: MetadataView) -> rpc.DescribeAclsResponse:
    """List the entries that match a filter, by resource."""
    if not view.acls_enabled:
        return acls_refused(ApiError(ErrorCode.SECURITY_DISABLED, "No Authorizer is configured on the broker"))
    one = AclFilter(
        resource_type=message.resource_type_filter,
        resource_name=message.resource_name_filter,
        pattern_type=message.pattern_type_filter,
        principal=message.principal_filter,
        host=message.host_filter,
        operation=message.operation,
        permission_type=message.permission_type,
    )
    try:
        check_filter(one)
    except ApiError as refused:
        return acls_refused(refused)
    resources: dict[tuple[int, str, int], list[rpc.DescribeAclsResponseAclDescription]] = {}
    found = [entry for entry in view.image.acls.entries.values() if matches(one, entry)]
    for entry in sorted(found, key=by_resource):
        pattern = (entry.resource_type, entry.resource_name, entry.pattern_type)
        resources.setdefault(pattern, []).append(
            rpc.DescribeAclsResponseAclDescription(
                principal=entry.principal,
                host=entry.host,
                operation=entry.operation,
                permission_type=entry.permission_type,
            )
        )
    row = rpc.DescribeAclsResponseDescribeAclsResource
    return rpc.DescribeAclsResponse(resources=[row(*pattern, acls=entries) for pattern, entries in resources.items()])


def acls_refused(error: ApiError) -> rpc.DescribeAclsResponse:
    """Write an error of the whole read."""
    return rpc.DescribeAclsResponse(error_code=error.code, error_message=error.message)
