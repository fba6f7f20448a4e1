"""Whether one access control entry applies to an operation from a host.

Source: Kafka ``StandardAuthorizerData.findResult``; KIP-1276.
"""

from __future__ import annotations

from typing import Final

from kraftpy.image.acls import AccessControlEntry
from kraftpy.model.acls import WILDCARD, AclOperation, PermissionType
from kraftpy.model.cidr import is_in_range, looks_like_range

IMPLIES_DESCRIBE: Final = frozenset(
    {AclOperation.DESCRIBE, AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER}
)
"""The operations whose ALLOW allows DESCRIBE, too."""

IMPLIES_DESCRIBE_CONFIGS: Final = frozenset({AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS})
"""The operations whose ALLOW allows DESCRIBE_CONFIGS, too."""


def applies(entry: AccessControlEntry, operation: AclOperation, host: str, *, takes_ranges: bool) -> bool:
    """Return whether an entry, whose resource and principal match, is about this operation from this host.

    Only ALLOW implies other operations: a DENY of READ denies nothing else.
    """
    if entry.host not in (WILDCARD, host):
        is_range = takes_ranges and looks_like_range(entry.host)
        if not (is_range and is_in_range(host, entry.host)):
            return False
    if entry.operation in (AclOperation.ALL, operation):
        return True
    if entry.permission_type != PermissionType.ALLOW:
        return False
    if operation is AclOperation.DESCRIBE:
        return entry.operation in IMPLIES_DESCRIBE
    return operation is AclOperation.DESCRIBE_CONFIGS and entry.operation in IMPLIES_DESCRIBE_CONFIGS
