"""Requests about access control entries, and the responses: plain values, independent of any wire.

Source: Kafka ``CreateAclsRequest``, ``DeleteAclsRequest``; KIP-140, KIP-290.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.errors import ErrorCode


class AclFilter(NamedTuple):
    """Which entries a request is about. Numbers are those of :mod:`kraftpy.model.acls`; ``None`` matches any text."""

    resource_type: int
    resource_name: str | None
    pattern_type: int
    principal: str | None
    host: str | None
    operation: int
    permission_type: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAcls:
    """Create entries; an entry that fails leaves the others alone."""

    entries: tuple[AccessControlEntry, ...]
    validate_only: bool = False


class AclCreation(NamedTuple):
    """The result for one entry."""

    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAclsResponse:
    """A result for each entry, in the order of the request."""

    results: tuple[AclCreation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAcls:
    """Delete the entries that match filters; a filter that fails leaves the others alone."""

    filters: tuple[AclFilter, ...]
    validate_only: bool = False


class AclDeletion(NamedTuple):
    """The result for one filter: the entries that it matched."""

    matched: tuple[AccessControlEntry, ...] = ()
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAclsResponse:
    """A result for each filter, in the order of the request."""

    results: tuple[AclDeletion, ...]


AclRequest: TypeAlias = CreateAcls | DeleteAcls
AclResponse: TypeAlias = CreateAclsResponse | DeleteAclsResponse
