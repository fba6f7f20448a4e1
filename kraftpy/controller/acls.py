"""Access control entries: created one by one, deleted by filters.

Without an authorizer both requests are rejected with SECURITY_DISABLED: an entry that protects nothing would mislead
the operator.

The checks of an entry, in order; each is INVALID_REQUEST but for 8, and an entry that fails leaves the others alone:

1. CLUSTER has one name, ``kafka-cluster``.
2. The resource name is not empty.
3. The resource type is a type of resources.
4. The pattern type is LITERAL or PREFIXED.
5. The operation is one, or ALL.
6. The permission is ALLOW or DENY.
7. The principal has a type: ``User:alice``.
8. A host with a slash is a range of addresses: UNSUPPORTED_VERSION below metadata.version 32, which has those.
9. It is one in CIDR notation.
10. Ours: name, principal and host fit the strings of a record, and an entry more is within :data:`ACLS_MAX`.

The checks of a deletion, in order; each is INVALID_REQUEST. Of the request, ours:

11. Its filters are compared with entries at most :data:`COMPARISONS_MAX` times.

Of each filter, which leaves the others alone where it fails:

12. No part of its pattern is unknown.
13. No part of its entry is unknown.

Of the request again:

14. It deletes no more than one operation may.
15. Ours: its results list at most :data:`MATCHES_MAX` entries.

Source: Kafka ``AclApis``, ``AclControlManager``, ``AclBindingFilter``; KIP-140, KIP-290, KIP-801, KIP-1276.
"""

from __future__ import annotations

from typing import Final

from kraftpy.controller.acl_requests import (
    AclCreation,
    AclDeletion,
    AclFilter,
    CreateAcls,
    CreateAclsResponse,
    DeleteAcls,
    DeleteAclsResponse,
)
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import OPERATION_RECORDS_MAX, check_string, shown_topic
from kraftpy.controller.result import ControllerResult
from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.acls import (
    CLUSTER_NAME,
    WILDCARD,
    AclOperation,
    AclResourceType,
    PatternType,
    PermissionType,
    number_or_unknown,
)
from kraftpy.model.cidr import looks_like_range, parse_range
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import BY_LEVEL, CIDR_ACL_LEVEL
from kraftpy.model.ids import Uuid
from kraftpy.records.metadata import AccessControlEntryRecord, RemoveAccessControlEntryRecord

ACLS_MAX: Final = 100_000
"""How many entries a cluster may have. Kafka has no limit."""

COMPARISONS_MAX: Final = 200_000
"""How many times the filters of one request may be compared with an entry; a filter without ANY is never compared."""

MATCHES_MAX: Final = 20_000
"""How many entries the results of one request may list; an entry that several filters match counts for each."""


def create_acls(view: DecisionContext, request: CreateAcls) -> ControllerResult:
    """Decide a whole request; an entry that exists, or that the request names twice, succeeds without a record."""
    _check_authorizer(view)
    known = view.acls.ids(view.image.acls)
    ids = set[Uuid]()
    new: dict[AccessControlEntry, AccessControlEntryRecord] = {}
    results = []
    for entry in request.entries:
        try:
            _check_entry(entry, view.image.level)
            if entry not in known and entry not in new:
                if len(view.image.acls.entries) + len(new) >= ACLS_MAX:
                    raise _invalid(f"The cluster has {ACLS_MAX} ACLs, the most there may be. Delete some.")
                new[entry] = _record(_new_id(view, ids), entry)
        except ApiError as refused:
            results.append(AclCreation(refused.code, refused.message))
            continue
        results.append(AclCreation())
    return ControllerResult(tuple(new.values()), CreateAclsResponse(results=tuple(results)))


def delete_acls(view: DecisionContext, request: DeleteAcls) -> ControllerResult:
    """Decide a whole request; an entry that several filters match is in the result of each, and removed once.

    Raises:
        ApiError: SECURITY_DISABLED; INVALID_REQUEST, when the request deletes or compares too much.
    """
    _check_authorizer(view)
    entries = view.image.acls.entries
    compared = len(entries) * sum(1 for one in request.filters if _exact(one) is None)
    if compared > max(COMPARISONS_MAX, len(entries)):
        raise _invalid(
            f"The filters would be compared {compared} times with an ACL; a request may take {COMPARISONS_MAX} "
            "comparisons. Split the request, or give every part of the filters."
        )
    removed: dict[Uuid, None] = {}
    matched = 0
    results = []
    for one in request.filters:
        try:
            check_filter(one)
        except ApiError as refused:
            results.append(AclDeletion(error=refused.code, message=refused.message))
            continue
        ids = _matching(view, one)
        removed.update(dict.fromkeys(ids))
        if len(removed) > OPERATION_RECORDS_MAX:
            raise _invalid(f"Cannot remove more than {OPERATION_RECORDS_MAX} acls in a single delete operation.")
        matched += len(ids)
        if matched > MATCHES_MAX:
            raise _invalid(f"The filters match more than {MATCHES_MAX} ACLs, counted for each. Split the request.")
        results.append(AclDeletion(tuple(entries[acl_id] for acl_id in ids)))
    records = tuple(RemoveAccessControlEntryRecord(id=acl_id) for acl_id in removed)
    return ControllerResult(records, DeleteAclsResponse(results=tuple(results)))


def check_filter(one: AclFilter) -> None:
    """Reject a filter that has a number without a meaning.

    Raises:
        ApiError: INVALID_REQUEST.
    """
    pattern = (number_or_unknown(AclResourceType, one.resource_type), number_or_unknown(PatternType, one.pattern_type))
    if 0 in pattern:
        raise _invalid("Unknown patternFilter.")
    if 0 in (number_or_unknown(AclOperation, one.operation), number_or_unknown(PermissionType, one.permission_type)):
        raise _invalid("Unknown entryFilter.")


def matches(one: AclFilter, entry: AccessControlEntry) -> bool:
    """Return whether a valid filter matches an entry."""
    return (
        one.resource_type in (AclResourceType.ANY, entry.resource_type)
        and one.permission_type in (PermissionType.ANY, entry.permission_type)
        and one.operation in (AclOperation.ANY, entry.operation)
        and one.principal in (None, entry.principal)
        and one.host in (None, entry.host)
        and _matches_name(one, entry)
    )


def by_resource(entry: AccessControlEntry) -> tuple[int, str, int, str, str, int, int]:
    """Return the key by which lists of entries are sorted."""
    return (
        entry.resource_type,
        entry.resource_name,
        entry.pattern_type,
        entry.principal,
        entry.host,
        entry.operation,
        entry.permission_type,
    )


def _matches_name(one: AclFilter, entry: AccessControlEntry) -> bool:
    if one.pattern_type not in (PatternType.ANY, PatternType.MATCH, entry.pattern_type):
        return False
    if one.resource_name is None:
        return True
    if one.pattern_type in (PatternType.ANY, entry.pattern_type):
        return one.resource_name == entry.resource_name
    if entry.pattern_type == PatternType.LITERAL:
        return entry.resource_name in (one.resource_name, WILDCARD)
    return one.resource_name.startswith(entry.resource_name)


def _matching(view: DecisionContext, one: AclFilter) -> list[Uuid]:
    """Return the ids of the entries that a filter matches, in order."""
    exact = _exact(one)
    if exact is not None:
        return sorted(view.acls.ids(view.image.acls).get(exact, ()))
    return sorted(acl_id for acl_id, entry in view.image.acls.entries.items() if matches(one, entry))


def _exact(one: AclFilter) -> AccessControlEntry | None:
    """Return the one entry that a filter can match, ``None`` when there may be several."""
    if one.resource_name is None or one.principal is None or one.host is None:
        return None
    if (
        one.resource_type == AclResourceType.ANY
        or one.pattern_type in (PatternType.ANY, PatternType.MATCH)
        or one.operation == AclOperation.ANY
        or one.permission_type == PermissionType.ANY
    ):
        return None
    return AccessControlEntry(
        resource_type=one.resource_type,
        resource_name=one.resource_name,
        pattern_type=one.pattern_type,
        principal=one.principal,
        host=one.host,
        operation=one.operation,
        permission_type=one.permission_type,
    )


def _check_authorizer(view: DecisionContext) -> None:
    if not view.config.acls_enabled:
        raise ApiError(ErrorCode.SECURITY_DISABLED, "No Authorizer is configured.")


def _check_entry(entry: AccessControlEntry, level: int) -> None:
    resource = AclResourceType(number_or_unknown(AclResourceType, entry.resource_type))
    pattern = PatternType(number_or_unknown(PatternType, entry.pattern_type))
    operation = AclOperation(number_or_unknown(AclOperation, entry.operation))
    permission = PermissionType(number_or_unknown(PermissionType, entry.permission_type))
    if resource is AclResourceType.CLUSTER and entry.resource_name != CLUSTER_NAME:
        raise _invalid(f"The only valid name for the CLUSTER resource is {CLUSTER_NAME}")
    if not entry.resource_name:
        raise _invalid("Invalid empty resource name")
    if resource in (AclResourceType.UNKNOWN, AclResourceType.ANY):
        raise _invalid(f"Invalid resourceType {resource.name}")
    if pattern not in (PatternType.LITERAL, PatternType.PREFIXED):
        raise _invalid(f"Invalid patternType {pattern.name}")
    if operation in (AclOperation.UNKNOWN, AclOperation.ANY):
        raise _invalid(f"Invalid operation {operation.name}")
    if permission not in (PermissionType.DENY, PermissionType.ALLOW):
        raise _invalid(f"Invalid permissionType {permission.name}")
    if ":" not in entry.principal:
        raise _invalid(
            f"Could not parse principal from `{shown_topic(entry.principal)}` (no colon is present separating the "
            "principal type from the principal name)"
        )
    if looks_like_range(entry.host):
        _check_range(entry.host, level)
    for what, text in (("resource name", entry.resource_name), ("principal", entry.principal), ("host", entry.host)):
        check_string(ErrorCode.INVALID_REQUEST, f"The {what}", text)


def _check_range(host: str, level: int) -> None:
    if level < CIDR_ACL_LEVEL:
        name = BY_LEVEL[CIDR_ACL_LEVEL].name
        raise ApiError(
            ErrorCode.UNSUPPORTED_VERSION, f"CIDR-based ACL host patterns require metadata version {name} or higher."
        )
    try:
        parse_range(host)
    except ValueError as error:
        text = f"Invalid CIDR notation: {shown_topic(host)}. Write an address and a number of bits: 10.0.0.0/8."
        raise _invalid(text) from error


def _invalid(text: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, text)


def _new_id(view: DecisionContext, taken: set[Uuid]) -> Uuid:
    acl_id = view.uuids.next()
    while acl_id in taken or acl_id in view.image.acls.entries:
        acl_id = view.uuids.next()
    taken.add(acl_id)
    return acl_id


def _record(acl_id: Uuid, entry: AccessControlEntry) -> AccessControlEntryRecord:
    return AccessControlEntryRecord(
        id=acl_id,
        resource_type=entry.resource_type,
        resource_name=entry.resource_name,
        pattern_type=entry.pattern_type,
        principal=entry.principal,
        host=entry.host,
        operation=entry.operation,
        permission_type=entry.permission_type,
    )
