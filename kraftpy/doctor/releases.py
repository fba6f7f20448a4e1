"""The releases that a cluster may be moved to, and the feature levels that each supports.

Kafka's ranges follow from the ladder of metadata.version and the table of features; those of kraftpy are what this
software declares when it registers.

Source: Kafka ``MetadataVersion.MINIMUM_VERSION`` and ``LATEST_PRODUCTION`` of each release, ``Feature``; KIP-584.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import kraftpy
from kraftpy.controller.config import DEFAULT_FEATURES
from kraftpy.model.escaping import shortened
from kraftpy.model.feature_registry import FEATURES, FeatureLevel
from kraftpy.model.features import METADATA_VERSION, METADATA_VERSIONS, MINIMUM_LEVEL

KAFKA_RELEASES: Final = ("3.9", "4.0", "4.1", "4.2", "4.3")
"""Kafka's releases whose ranges are known, ascending."""

LOWEST_LEVELS: Final = {"3.9": 1}
"""The lowest metadata.version of a release that is not that of Kafka 4.x."""

OWN_NAME: Final = f"kraftpy-{kraftpy.__version__}"

RELEASE_CHARACTERS_MAX: Final = 60
"""How much of an unknown release an error repeats."""

_KAFKA: Final = re.compile(r"(\d{1,3}\.\d{1,3})(?:\.\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class KnownRelease:
    """A release, and the lowest and highest level of each feature that it supports."""

    name: str
    ranges: Mapping[str, tuple[int, int]]

    def supports(self, feature: str, level: int) -> bool:
        """Return whether a level may be in force; one that removes a feature may, everywhere."""
        low, high = self.ranges.get(feature, (0, 0))
        return low <= level <= high or (level == 0 and feature != METADATA_VERSION)


def _of_kafka(name: str) -> KnownRelease:
    highest = max(one.level for one in METADATA_VERSIONS if one.production and _number(one.release) <= _number(name))
    ranges = {METADATA_VERSION: (LOWEST_LEVELS.get(name, MINIMUM_LEVEL), highest)}
    for feature in FEATURES:
        ranges[feature.name] = (0, max(one.level for one in feature.levels if _is_supported(one, highest)))
    return KnownRelease(name, ranges)


def _is_supported(level: FeatureLevel, highest: int) -> bool:
    """Return whether a release with this highest metadata.version has a level, by default or where it is asked for."""
    needed = [metadata_level for name, metadata_level in level.needs if name == METADATA_VERSION]
    return level.since <= highest or (bool(needed) and max(needed) <= highest)


def _number(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


RELEASES: Final = {
    **{name: _of_kafka(name) for name in KAFKA_RELEASES},
    OWN_NAME: KnownRelease(OWN_NAME, {one.name: (one.min_level, one.max_level) for one in DEFAULT_FEATURES}),
}
"""By name, Kafka's first."""


def known_release(text: str) -> KnownRelease:
    """Find a release by its name: ``4.3``, ``4.3.1``, ``kraftpy-0.1.0`` or ``kraftpy`` for the one of this software.

    Raises:
        ValueError: it is not known; the message lists those that are.
    """
    match = _KAFKA.fullmatch(text)
    name = OWN_NAME if text == "kraftpy" else match[1] if match is not None else text
    if name not in RELEASES:
        raise ValueError(
            f"{shortened(repr(text), RELEASE_CHARACTERS_MAX)} is no known release; there are {', '.join(RELEASES)}"
        )
    return RELEASES[name]


def supporting(feature: str, level: int) -> list[str]:
    """Return the names of the releases in which a level may be in force."""
    return [release.name for release in RELEASES.values() if release.supports(feature, level)]
