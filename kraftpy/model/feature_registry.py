"""The features beside ``metadata.version``: their levels, which release brought each, and what each needs.

A release's default for a feature is the highest level that the release's metadata.version brought. kraft.version is
listed here too, although it is finalized by a control record and never by a FeatureLevelRecord.

Source: Kafka ``Feature``, ``TransactionVersion``, ``GroupVersion``, ``KRaftVersion``, ``ShareVersion``,
``StreamsVersion``; KIP-584, KIP-853, KIP-966.
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.model.features import ELR_LEVEL, KRAFT_VERSION, KRAFT_VERSION_1_LEVEL, METADATA_VERSION

ELR_VERSION = "eligible.leader.replicas.version"
GROUP_VERSION = "group.version"
SHARE_VERSION = "share.version"
STREAMS_VERSION = "streams.version"
TRANSACTION_VERSION = "transaction.version"


@dataclass(frozen=True, slots=True)
class FeatureLevel:
    """One level of a feature.

    Attributes:
        since: the metadata.version level from which this level is a new cluster's default.
        needs: (feature, level) pairs that must be in force first.
    """

    level: int
    since: int
    needs: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature and its levels, ascending."""

    name: str
    levels: tuple[FeatureLevel, ...]

    def at(self, level: int) -> FeatureLevel | None:
        """Return one level, ``None`` where there is no such level."""
        return next((each for each in self.levels if each.level == level), None)

    def default_for(self, metadata_level: int) -> int:
        """Return the level that a new cluster of this metadata.version starts at."""
        return max((each.level for each in self.levels if each.since <= metadata_level), default=0)


FEATURES: tuple[Feature, ...] = (
    Feature(
        KRAFT_VERSION,
        (FeatureLevel(0, 0), FeatureLevel(1, KRAFT_VERSION_1_LEVEL, ((METADATA_VERSION, KRAFT_VERSION_1_LEVEL),))),
    ),
    Feature(TRANSACTION_VERSION, (FeatureLevel(0, 0), FeatureLevel(1, 24), FeatureLevel(2, 24))),
    Feature(GROUP_VERSION, (FeatureLevel(0, 0), FeatureLevel(1, 22))),
    Feature(
        ELR_VERSION,
        (FeatureLevel(0, 0), FeatureLevel(1, 26, ((METADATA_VERSION, ELR_LEVEL),))),
    ),
    Feature(SHARE_VERSION, (FeatureLevel(0, 0), FeatureLevel(1, 28))),
    Feature(STREAMS_VERSION, (FeatureLevel(0, 0), FeatureLevel(1, 29))),
)
"""In the order Kafka lists them."""

FEATURES_BY_NAME = {feature.name: feature for feature in FEATURES}
SUPPORTED_NAMES = tuple(sorted([METADATA_VERSION, *FEATURES_BY_NAME]))
