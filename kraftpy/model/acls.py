"""The numbers of access control entries, with Kafka's names.

Source: Kafka ``ResourceType``, ``PatternType``, ``AclOperation``, ``AclPermissionType``.
"""

from __future__ import annotations

import enum
from typing import Final

CLUSTER_NAME: Final = "kafka-cluster"
"""The name of the one resource of type CLUSTER."""

WILDCARD: Final = "*"
"""As a literal name all resources of a type, as a host all hosts."""


class AclResourceType(enum.IntEnum):
    """What an entry protects; ANY is for filters."""

    UNKNOWN = 0
    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class PatternType(enum.IntEnum):
    """How an entry's name is compared; ANY, and MATCH (all entries that apply to a name), are for filters."""

    UNKNOWN = 0
    ANY = 1
    MATCH = 2
    LITERAL = 3
    PREFIXED = 4


class AclOperation(enum.IntEnum):
    """What is done; ANY is for filters, ALL for entries."""

    UNKNOWN = 0
    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


class PermissionType(enum.IntEnum):
    """Whether an entry denies or allows; ANY is for filters."""

    UNKNOWN = 0
    ANY = 1
    DENY = 2
    ALLOW = 3


def number_or_unknown(kind: type[enum.IntEnum], number: int) -> int:
    """Return a number that its enumeration has, else that of UNKNOWN, as Kafka reads it."""
    return number if 0 <= number < len(kind) else 0
