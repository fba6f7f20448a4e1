"""Feature levels: what each ``metadata.version`` means, and which record table is in force.

The ladder is one table (D6 of the design). Levels 7 to 30 are Kafka's up to 4.3-IV0; 31 to 34 are Kafka's 4.4 and 4.5;
40 and up are ours until upstream gives KIP-1262 a number. Two things hang on a level: whether moving across it changes
the metadata format (then a downgrade loses data and is refused), and what apiKey 29 means.

Source: Kafka ``MetadataVersion``; KIP-584; KIP-1262.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from kraftpy.model.decimal_text import number_from_text

METADATA_VERSION = "metadata.version"
KRAFT_VERSION = "kraft.version"


@dataclass(frozen=True, slots=True)
class MetadataVersion:
    """One metadata.version.

    Attributes:
        level: the number a FeatureLevelRecord carries.
        name: the name on command lines, such as ``4.0-IV3``.
        changes_metadata: whether this level brought a new or changed record.
        production: whether this level may be finalized without ``unstable.feature.versions.enable``, and whether a
            release's short name (``4.3``) may mean it.
    """

    level: int
    name: str
    changes_metadata: bool
    production: bool = True

    @property
    def release(self) -> str:
        """The short name, without the suffix: ``4.0`` for ``4.0-IV3``."""
        return self.name.split("-", 1)[0]

    def __str__(self) -> str:
        return f"{self.level} ({self.name})"


METADATA_VERSIONS: tuple[MetadataVersion, ...] = tuple(
    MetadataVersion(level, name, bool(changes), level <= 30 or level == 40)
    for level, name, changes in (
        (1, "3.0-IV1", 1), (2, "3.1-IV0", 0), (3, "3.2-IV0", 1), (4, "3.3-IV0", 0), (5, "3.3-IV1", 1),
        (6, "3.3-IV2", 1), (7, "3.3-IV3", 1), (8, "3.4-IV0", 1), (9, "3.5-IV0", 0), (10, "3.5-IV1", 0),
        (11, "3.5-IV2", 1), (12, "3.6-IV0", 0), (13, "3.6-IV1", 1), (14, "3.6-IV2", 1), (15, "3.7-IV0", 1),
        (16, "3.7-IV1", 0), (17, "3.7-IV2", 1), (18, "3.7-IV3", 0), (19, "3.7-IV4", 0), (20, "3.8-IV0", 0),
        (21, "3.9-IV0", 0), (22, "4.0-IV0", 0), (23, "4.0-IV1", 1), (24, "4.0-IV2", 0), (25, "4.0-IV3", 0),
        (26, "4.1-IV0", 0), (27, "4.1-IV1", 0), (28, "4.2-IV0", 0), (29, "4.2-IV1", 0), (30, "4.3-IV0", 1),
        (31, "4.4-IV0", 0), (32, "4.4-IV1", 1), (33, "4.4-IV2", 1), (34, "4.5-IV0", 0),
        (40, "5.0-IV0", 1), (41, "5.0-IV1", 1), (42, "5.0-IV2", 1),
    )
)  # fmt: skip
"""Ascending by level. 5.0-IV0 is KIP-1262; 5.0-IV1 is KIP-426; 5.0-IV2 is KIP-928."""

BY_LEVEL = {version.level: version for version in METADATA_VERSIONS}
BY_NAME = {version.name: version for version in METADATA_VERSIONS}

MINIMUM_LEVEL = 7
"""The lowest level that kraftpy runs a cluster at (Kafka 4.x: 3.3-IV3). Lower levels are read, never written."""

DEFAULT_LEVEL = 40
"""The level of a new cluster by default: the first with a ClusterIdRecord (KIP-1262)."""

LATEST_LEVEL = 42
"""The highest level whose records are read. What may be finalized is :data:`LATEST_PRODUCTION_LEVEL`."""

LATEST_PRODUCTION_LEVEL = max(version.level for version in METADATA_VERSIONS if version.production)
"""The highest level that a cluster may be set to without ``unstable.feature.versions.enable``."""

KAFKA_LEVEL_MAX = 30
"""The highest level whose records released Kafka (4.3) reads."""

NO_OP_LEVEL = 5
REGISTRATION_CHANGE_LEVEL = 6
CONTROLLED_SHUTDOWN_LEVEL = 7
SCRAM_LEVEL = 11
TRANSACTIONS_LEVEL = 13
CONTROLLER_REGISTRATION_LEVEL = 15
DIRECTORIES_LEVEL = 17
KRAFT_VERSION_1_LEVEL = 21
ELR_LEVEL = 23
CORDONED_DIRECTORIES_LEVEL = 30
CIDR_ACL_LEVEL = 32
UNREGISTER_CONTROLLER_LEVEL = 33
CLUSTER_ID_LEVEL = 40
BROKER_HOSTS_LEVEL = 41
SATURATED_DIRECTORIES_LEVEL = 42


class SchemaSet(enum.Enum):
    """Which table a record's apiKey is looked up in; the key 29 is what they differ in."""

    KAFKA = "kafka"
    """metadata.version 1 to 30: nothing beyond Kafka 4.3's records; 29 is unknown."""
    KAFKA_4_4 = "kafka-4.4"
    """metadata.version 31 to 34: 29 = UnregisterControllerRecord."""
    KRAFTPY = "kraftpy"
    """metadata.version 40 and up: 29 = ClusterIdRecord; 1000 = BrokerHostRecord and 1001 =
    RemoveControllerRegistrationRecord are ours."""

    @classmethod
    def for_level(cls, level: int) -> SchemaSet:
        """Return the set in force at a metadata.version level."""
        if level >= CLUSTER_ID_LEVEL:
            return cls.KRAFTPY
        return cls.KAFKA_4_4 if level > KAFKA_LEVEL_MAX else cls.KAFKA


def metadata_version(text: str) -> MetadataVersion:
    """Find a level by its full name (``4.0-IV3``), its release (``4.3``, ``4.3.1``) or its number (``30``).

    Raises:
        ValueError: when nothing has that name; the message lists what exists.
    """
    if text in BY_NAME:
        return BY_NAME[text]
    level = number_from_text(text, LATEST_LEVEL)
    if level in BY_LEVEL:
        return BY_LEVEL[level]
    release = ".".join(text.split(".")[:2])
    of_release = [version for version in METADATA_VERSIONS if version.release == release and version.production]
    if of_release and text.replace(".", "").isdigit():
        return of_release[-1]
    known = f"{BY_LEVEL[MINIMUM_LEVEL].name} to {BY_LEVEL[LATEST_LEVEL].name}"
    raise ValueError(f"Unknown metadata.version {text!r}. Supported metadata.version are {known}")


def changes_metadata_between(first: int, second: int) -> bool:
    """Return whether moving between two levels crosses one that changed the metadata format."""
    low, high = min(first, second), max(first, second)
    return any(version.changes_metadata for version in METADATA_VERSIONS if low < version.level <= high)
