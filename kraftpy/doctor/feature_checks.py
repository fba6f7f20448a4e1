"""Checks of feature levels: those in force against those that every node supports."""

from __future__ import annotations

from collections.abc import Iterator

from kraftpy.doctor.facts import DoctorFacts
from kraftpy.doctor.findings import DoctorFinding, error, info
from kraftpy.model.feature_registry import FEATURES_BY_NAME
from kraftpy.model.features import BY_LEVEL, KRAFT_VERSION, METADATA_VERSION, METADATA_VERSIONS


def feature_ranges(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every registered node supports every level that is in force."""
    finalized = {one.name: one.finalized_level for one in facts.features.known.features if one.finalized_level}
    for place, supported in sorted(_supported(facts).items()):
        for name, (lowest, highest) in sorted(supported.items()):
            level = finalized.get(name)
            if level is not None and not lowest <= level <= highest:
                yield error(
                    place,
                    f"supports {name} {lowest} to {highest}, and {_text(name, level)} is in force",
                    "run a release there that supports it, or downgrade the feature (kraftpy features downgrade)",
                )


def metadata_version(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The metadata.version is the highest that all nodes support and that is not experimental."""
    limit = _highest(facts, METADATA_VERSION)
    levels = [one.level for one in METADATA_VERSIONS if one.production and limit is not None and one.level <= limit]
    yield from _below(facts, METADATA_VERSION, max(levels, default=None))


def kraft_version(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """The kraft.version is the highest that all nodes support."""
    limit = _highest(facts, KRAFT_VERSION)
    levels = [one.level for one in FEATURES_BY_NAME[KRAFT_VERSION].levels if limit is not None and one.level <= limit]
    yield from _below(facts, KRAFT_VERSION, max(levels, default=None))


def _below(facts: DoctorFacts, name: str, best: int | None) -> Iterator[DoctorFinding]:
    found = next((one for one in facts.features.known.features if one.name == name), None)
    level = 0 if found is None else found.finalized_level
    if best is not None and level < best:
        wanted = f"{name}={BY_LEVEL[best].name if name == METADATA_VERSION else best}"
        yield info(
            "cluster",
            f"{_text(name, level)} is in force, and all nodes support {_text(name, best)}",
            f"if no older release is to come back: kraftpy features upgrade --feature {wanted} --dry-run",
        )


def _highest(facts: DoctorFacts, name: str) -> int | None:
    """Return the highest level that all registered nodes support; ``None`` where no node reports any."""
    known = [ranges[name][1] for ranges in _supported(facts).values() if name in ranges]
    own = next((one.max_supported_level for one in facts.features.known.features if one.name == name), None)
    return min([*known, *([] if own is None else [own])], default=None)


def _supported(facts: DoctorFacts) -> dict[str, dict[str, tuple[int, int]]]:
    """Return by node which levels it registered for which feature."""
    cluster = facts.cluster.known
    nodes = {f"broker {one.broker_id}": one.features for one in cluster.brokers}
    nodes |= {f"controller {one.controller_id}": one.features for one in cluster.controllers}
    return {place: {one.name: (one.min_level, one.max_level) for one in found} for place, found in nodes.items()}


def _text(name: str, level: int) -> str:
    if name == METADATA_VERSION and level in BY_LEVEL:
        return f"{name} {BY_LEVEL[level].name}"
    return f"{name} {level}"
