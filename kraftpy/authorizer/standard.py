"""The decision: super users, then the entries of the resource, then the default.

The entries are indexed by resource type, pattern type and name, then by principal. An action looks up its name, the
wildcard, and each prefix of its name whose length some prefixed entry of the type has.

One difference from Kafka is intended: there an entry for all names is not about names that begin with ``*`` and go on.

Source: Kafka ``StandardAuthorizerData.authorize``, ``findAclRule``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from kraftpy.authorizer.actions import AclResource, Action, Caller
from kraftpy.authorizer.rules import applies
from kraftpy.image.acls import AccessControlEntry, AclsDelta, AclsImage
from kraftpy.model.acls import WILDCARD, PatternType, PermissionType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import Uuid

PrincipalEntries = dict[str, dict[Uuid, AccessControlEntry]]
"""The entries of one resource pattern, by principal."""

EVERYONE: Final = "User:*"
"""The principal of the entries that are about every principal, of any type."""


class StandardAuthorizer:
    """Kafka's rules over the entries of one image.

    Args:
        super_users: principals that may do everything.
        allow_without_entries: whether an action is allowed on a resource that no entry is about
            (``allow.everyone.if.no.acl.found``).

    Attributes:
        takes_ranges: whether hosts in CIDR notation are ranges. Below the metadata.version that has those they match no
            address, as in Kafka: what was without effect must not become a grant by another software.
    """

    def __init__(self, super_users: Collection[str] = (), *, allow_without_entries: bool = False) -> None:
        self._super_users = frozenset(super_users)
        self._allow_without_entries = allow_without_entries
        self._entries: dict[tuple[int, int, str], PrincipalEntries] = {}
        self._prefix_lengths: dict[int, Counter[int]] = {}
        self._is_loaded = False
        self.takes_ranges = False

    @property
    def is_loaded(self) -> bool:
        """Whether the entries were loaded."""
        return self._is_loaded

    def load(self, acls: AclsImage) -> None:
        """Take these entries in place of all others."""
        self._entries = {}
        self._prefix_lengths = {}
        for acl_id, entry in acls.entries.items():
            self._add(acl_id, entry)
        self._is_loaded = True

    def change(self, delta: AclsDelta) -> None:
        """Follow a delta over the entries that were taken last."""
        for acl_id, entry in delta.changes.items():
            old = delta.base.entries.get(acl_id)
            if old is not None:
                self._remove(acl_id, old)
            if entry is not None:
                self._add(acl_id, entry)

    def allows(self, caller: Caller, action: Action) -> bool:
        """Decide.

        Raises:
            ApiError: OFFSET_NOT_AVAILABLE, when the entries are not loaded and the caller is no super user.
        """
        if caller.principal in self._super_users:
            return True
        if not self._is_loaded:
            raise ApiError(
                ErrorCode.OFFSET_NOT_AVAILABLE, "this node has not loaded the access control entries yet; try again"
            )
        is_allowed = has_entries = False
        principals = dict.fromkeys((caller.principal, EVERYONE))
        for by_principal in self._patterns(action.resource):
            has_entries = True
            for principal in principals:
                for entry in by_principal.get(principal, {}).values():
                    if applies(entry, action.operation, caller.host, takes_ranges=self.takes_ranges):
                        if entry.permission_type != PermissionType.ALLOW:
                            return False
                        is_allowed = True
        return is_allowed or (not has_entries and self._allow_without_entries)

    def _patterns(self, resource: AclResource) -> Iterator[PrincipalEntries]:
        """Yield the entries of each pattern that a resource's name matches."""
        for name in dict.fromkeys((resource.name, WILDCARD)):
            found = self._entries.get((resource.type, PatternType.LITERAL, name))
            if found is not None:
                yield found
        for length in self._prefix_lengths.get(resource.type, ()):
            if length <= len(resource.name):
                found = self._entries.get((resource.type, PatternType.PREFIXED, resource.name[:length]))
                if found is not None:
                    yield found

    def _add(self, acl_id: Uuid, entry: AccessControlEntry) -> None:
        pattern = (entry.resource_type, entry.pattern_type, entry.resource_name)
        by_principal = self._entries.get(pattern)
        if by_principal is None:
            by_principal = self._entries[pattern] = {}
            if entry.pattern_type == PatternType.PREFIXED:
                lengths = self._prefix_lengths.setdefault(entry.resource_type, Counter())
                lengths[len(entry.resource_name)] += 1
        by_principal.setdefault(entry.principal, {})[acl_id] = entry

    def _remove(self, acl_id: Uuid, entry: AccessControlEntry) -> None:
        pattern = (entry.resource_type, entry.pattern_type, entry.resource_name)
        by_principal = self._entries[pattern]
        del by_principal[entry.principal][acl_id]
        if not by_principal[entry.principal]:
            del by_principal[entry.principal]
        if not by_principal:
            del self._entries[pattern]
            if entry.pattern_type == PatternType.PREFIXED:
                self._forget_length(entry.resource_type, len(entry.resource_name))

    def _forget_length(self, resource_type: int, length: int) -> None:
        lengths = self._prefix_lengths[resource_type]
        lengths[length] -= 1
        if not lengths[length]:
            del lengths[length]
        if not lengths:
            del self._prefix_lengths[resource_type]
