"""Finalized feature levels, ``metadata.version`` first among them.

The level of ``metadata.version`` decides which record table is in force, so it is read while a log is being decoded: a
FeatureLevelRecord rules from the very next record on. ``kraft.version`` is not here: it is finalized by a control
record and belongs to the quorum. The state of a ZooKeeper migration occurs in old logs only and is carried along.

Source: Kafka ``FeaturesImage``, ``FeaturesDelta``; KIP-584; KIP-778.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from immutables import Map

from kraftpy.image.changes import Changes, Entities, Handlers
from kraftpy.image.errors import OnLoss
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.records.codec import Record
from kraftpy.records.metadata import FeatureLevelRecord, ZkMigrationStateRecord

NO_LEVEL = 1
"""The metadata.version of a log that never stated one."""

FEATURES_LEVEL = 4
"""The first metadata.version at which feature levels are in the log. Source: Kafka 3.3-IV0."""

ZK_MIGRATION_LEVEL = 8
ZK_MIGRATION_NONE = 0
ZK_MIGRATION_STATES = {0: "NONE", 1: "MIGRATION", 2: "PRE_MIGRATION", 3: "POST_MIGRATION"}


@dataclass(frozen=True, slots=True)
class FeaturesImage:
    """The finalized levels.

    Attributes:
        levels: feature name to level, ``metadata.version`` included; a feature at level 0 is not listed.
        zk_migration_state: 0 none, 1 migration, 2 pre-migration, 3 post-migration.
    """

    levels: Map[str, int] = Map()
    zk_migration_state: int = ZK_MIGRATION_NONE

    @property
    def level(self) -> int:
        """The metadata.version level; 1 when the log never stated one."""
        return self.levels.get(METADATA_VERSION, NO_LEVEL)

    @property
    def schema(self) -> SchemaSet:
        """The record table in force."""
        return SchemaSet.for_level(self.level)

    def records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Say this slice in records, ``metadata.version`` first, then by name."""
        others = sorted(name for name in self.levels if name != METADATA_VERSION)
        if level < FEATURES_LEVEL:
            if others:
                on_loss(f"feature flag(s): {', '.join(others)}")
        else:
            yield FeatureLevelRecord(name=METADATA_VERSION, feature_level=level)
            for name in others:
                yield FeatureLevelRecord(name=name, feature_level=self.levels[name])
        yield from self._zk_records(level, on_loss)

    def _zk_records(self, level: int, on_loss: OnLoss) -> Iterator[Record]:
        """Yield the migration state unless it is "none", which is what a reader assumes without a record."""
        if self.zk_migration_state == ZK_MIGRATION_NONE:
            return
        if level < ZK_MIGRATION_LEVEL:
            name = ZK_MIGRATION_STATES.get(self.zk_migration_state, str(self.zk_migration_state))
            on_loss(f"the ZK Migration state which was {name}")
        else:
            yield ZkMigrationStateRecord(zk_migration_state=self.zk_migration_state)


class FeaturesDelta:
    """Changes to feature levels."""

    __slots__ = ("_levels", "_zk_migration_state", "base")
    ENTITIES: ClassVar[Entities] = {
        FeatureLevelRecord: ("feature", ("name",)),
    }

    def __init__(self, base: FeaturesImage) -> None:
        self.base = base
        self._levels = Changes(base.levels)
        self._zk_migration_state = base.zk_migration_state

    @classmethod
    def between(cls, old: FeaturesImage, new: FeaturesImage) -> FeaturesDelta:
        """Express ``new`` as a delta over ``old``."""
        delta = cls(old)
        delta._levels = Changes.between(old.levels, new.levels)
        delta._zk_migration_state = new.zk_migration_state
        return delta

    @property
    def changes(self) -> dict[str, int | None]:
        """Feature name to its new level, ``None`` when the feature was removed."""
        return self._levels.changed

    @property
    def level(self) -> int:
        """The metadata.version level as replayed so far."""
        return self._levels.get(METADATA_VERSION) or NO_LEVEL

    @property
    def metadata_version_change(self) -> tuple[int, int] | None:
        """The metadata.version level before and after, ``None`` when it did not change."""
        old, new = self.base.level, self.level
        return None if old == new else (old, new)

    def handlers(self) -> Handlers:
        """Say which records this slice takes."""
        return {FeatureLevelRecord: self.replay_feature_level, ZkMigrationStateRecord: self.replay_zk_migration_state}

    def replay_feature_level(self, record: FeatureLevelRecord) -> None:
        """Finalize a level; level 0 removes the feature."""
        if record.feature_level == 0:
            self._levels.remove(record.name)
        else:
            self._levels.put(record.name, record.feature_level)

    def replay_zk_migration_state(self, record: ZkMigrationStateRecord) -> None:
        """Note the state of a migration away from ZooKeeper."""
        self._zk_migration_state = record.zk_migration_state

    def apply(self) -> FeaturesImage:
        """Return the next image."""
        return FeaturesImage(levels=self._levels.apply(), zk_migration_state=self._zk_migration_state)
