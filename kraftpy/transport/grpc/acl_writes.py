"""Access control entries: between messages and the controller's values; a part of ``writes``."""

from __future__ import annotations

from typing import Any, Final

from kraftpy.controller import acl_requests as r
from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, common_pb2, errors_pb2

REQUEST_ACLS_MAX: Final = 10_000
"""How many entries, or filters, a request may name."""


def create_acls(message: admin_pb2.CreateAclsRequest) -> r.CreateAcls:
    """Read which entries are created.

    Raises:
        ApiError: INVALID_REQUEST, for too many.
    """
    _check_count(len(message.entries), "entries")
    entries = tuple(
        AccessControlEntry(
            resource_type=each.resource_type,
            resource_name=each.resource_name,
            pattern_type=each.pattern_type,
            principal=each.principal,
            host=each.host,
            operation=each.operation,
            permission_type=each.permission_type,
        )
        for each in message.entries
    )
    return r.CreateAcls(entries=entries, validate_only=message.options.validate_only)


def delete_acls(message: admin_pb2.DeleteAclsRequest) -> r.DeleteAcls:
    """Read the filters.

    Raises:
        ApiError: INVALID_REQUEST, for too many.
    """
    _check_count(len(message.filters), "filters")
    filters = tuple(filter_from_pb(each) for each in message.filters)
    return r.DeleteAcls(filters=filters, validate_only=message.options.validate_only)


def acls_created(response: r.CreateAclsResponse, position: common_pb2.CommitPosition) -> admin_pb2.CreateAclsResponse:
    """Write the result of each entry."""
    message = admin_pb2.CreateAclsResponse(position=position)
    for result in response.results:
        message.results.add(error=_error(result.error, result.message))
    return message


def acls_deleted(response: r.DeleteAclsResponse, position: common_pb2.CommitPosition) -> admin_pb2.DeleteAclsResponse:
    """Write what each filter matched."""
    message = admin_pb2.DeleteAclsResponse(position=position)
    for result in response.results:
        row = message.results.add(error=_error(result.error, result.message))
        row.entries.extend(entry_to_pb(entry) for entry in result.matched)
    return message


def filter_from_pb(message: common_pb2.AclFilter) -> r.AclFilter:
    """Read a filter."""
    return r.AclFilter(
        resource_type=message.resource_type,
        resource_name=message.resource_name if message.HasField("resource_name") else None,
        pattern_type=message.pattern_type,
        principal=message.principal if message.HasField("principal") else None,
        host=message.host if message.HasField("host") else None,
        operation=message.operation,
        permission_type=message.permission_type,
    )


def entry_to_pb(entry: AccessControlEntry) -> common_pb2.AclEntry:
    """Write an entry; a number of a record is kept, also where it has no name here."""
    # Protobuf keeps any number of an enumeration; its type stubs allow the known ones only.
    numbers: dict[str, Any] = {
        "resource_type": entry.resource_type,
        "pattern_type": entry.pattern_type,
        "operation": entry.operation,
        "permission_type": entry.permission_type,
    }
    return common_pb2.AclEntry(resource_name=entry.resource_name, principal=entry.principal, host=entry.host, **numbers)


def _check_count(count: int, what: str) -> None:
    if count > REQUEST_ACLS_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{count} {what}, at most {REQUEST_ACLS_MAX} are allowed")


def _error(code: ErrorCode, text: str) -> errors_pb2.ErrorDetail | None:
    return errors_pb2.ErrorDetail(code=code, name=code.name, message=text) if code else None
