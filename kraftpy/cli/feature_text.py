"""Feature levels as text: ``name=level``, release names, the mapping and the dependencies.

Source: Kafka ``FeatureCommand``, ``StorageTool`` (``version-mapping``, ``feature-dependencies``); KIP-1022.
"""

from __future__ import annotations

from collections.abc import Iterable

from kraftpy.cli.errors import ArgumentError
from kraftpy.model.feature_registry import FEATURES, FEATURES_BY_NAME, SUPPORTED_NAMES
from kraftpy.model.features import (
    BY_LEVEL,
    DEFAULT_LEVEL,
    LATEST_LEVEL,
    METADATA_VERSION,
    MINIMUM_LEVEL,
    MetadataVersion,
    metadata_version,
)

INT16_MAX = 2**15 - 1
DIGITS_MAX = 20
SUPPORTED_RELEASES = f"{BY_LEVEL[MINIMUM_LEVEL].name} to {BY_LEVEL[LATEST_LEVEL].name}"


def parse_release(text: str) -> MetadataVersion:
    """Find the metadata.version that a release name means.

    Raises:
        ArgumentError: when there is none, with Kafka's words.
    """
    try:
        found = metadata_version(text)
    except ValueError:
        found = None
    if found is None or found.level < MINIMUM_LEVEL:
        raise ArgumentError(f"Unknown release version '{text}'. Supported versions are: {SUPPORTED_RELEASES}")
    return found


def parse_feature_level(text: str) -> tuple[str, int]:
    """Read ``name=level``; the level of metadata.version may be a release name.

    Raises:
        ArgumentError: when it is not that, with Kafka's words.
    """
    name, equals, level = (part.strip() for part in text.partition("="))
    if not equals:
        raise ArgumentError(f"Can't parse feature=level string {text}: equals sign not found.")
    if not name:
        raise ArgumentError(f"Can't parse feature=level string {text!r}: it names no feature.")
    if name == METADATA_VERSION and not level.isdigit():
        return name, parse_release(level).level
    digits = level.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MAX) or abs(int(level)) > INT16_MAX:
        raise ArgumentError(f"Can't parse feature=level string {text:.200}: unable to parse {level:.20} as a short.")
    return name, int(level)


def parse_feature_levels(texts: Iterable[str]) -> dict[str, int]:
    """Read several ``name=level``; none may be given twice.

    Raises:
        ArgumentError: as :func:`parse_feature_level`, or for a repeated feature.
    """
    levels: dict[str, int] = {}
    for name, level in map(parse_feature_level, texts):
        if name in levels:
            raise ArgumentError(f"Feature {name} was specified more than once.")
        levels[name] = level
    return levels


def level_text(name: str, level: int) -> str:
    """Show a level: metadata.version by name where it has one, anything else as a number."""
    if name != METADATA_VERSION or level == 0:
        return str(level)
    return BY_LEVEL[level].name if level in BY_LEVEL else f"UNKNOWN {level}"


def release_mapping(text: str | None) -> list[tuple[str, int, str]]:
    """List every feature's default level for a release, as (feature, level, text of a line)."""
    release = BY_LEVEL[DEFAULT_LEVEL] if text is None else parse_release(text)
    typed = release.name if text is None else text
    others = [(feature.name, feature.default_for(release.level)) for feature in FEATURES]
    return [
        (METADATA_VERSION, release.level, f"{METADATA_VERSION}={release.level} ({typed})"),
        *((name, level, f"{name}={level}") for name, level in others),
    ]


def dependencies(text: str) -> tuple[str, int, tuple[tuple[str, int], ...]]:
    """Find what a ``name=level`` needs.

    Raises:
        ArgumentError: when there is no such feature or level, with Kafka's words.
    """
    name, equals, level = (part.strip() for part in text.partition("="))
    if not equals or not (level.isascii() and level.isdigit() and len(level) <= DIGITS_MAX):
        raise ArgumentError(f"Invalid version format: {level or text:.200} for feature {name}; expected NAME=LEVEL")
    number = int(level)
    if name == METADATA_VERSION:
        if number not in BY_LEVEL:
            raise ArgumentError(f"Unknown metadata.version {level}")
        return name, number, ()
    if name not in FEATURES_BY_NAME:
        raise ArgumentError(f"Unknown feature: {name}. There are: {', '.join(SUPPORTED_NAMES)}")
    found = FEATURES_BY_NAME[name].at(number)
    if found is None:
        raise ArgumentError(f"Feature level {level} is not supported for feature {name}")
    return name, number, found.needs


def requirement_text(name: str, level: int) -> str:
    """Show one feature level in the dependency listing: ``metadata.version=21 (3.9-IV0)`` or ``name=level``."""
    return f"{name}={level} ({BY_LEVEL[level].name})" if name == METADATA_VERSION else f"{name}={level}"
