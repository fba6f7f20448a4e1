"""Checks before a cluster is moved to another release, node by node: does the release fit, and is every node there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from kraftpy.doctor.facts import DoctorFacts
from kraftpy.doctor.findings import DoctorFinding, error, info, listed, warning
from kraftpy.doctor.releases import KnownRelease, supporting
from kraftpy.model.features import BY_LEVEL, KRAFT_VERSION, METADATA_VERSION, changes_metadata_between
from kraftpy.quorum_tools.ok_to_stop import why_not_counted
from kraftpy.quorum_tools.rolling import VOTERS_MIN, fragile_partitions

UpgradeCheck: TypeAlias = Callable[[DoctorFacts, KnownRelease], Iterator[DoctorFinding]]

ACCEPTED: Final = "accept it with kraftpy roll plan --allow-unavailable"


def upgrade_levels(facts: DoctorFacts, release: KnownRelease) -> Iterator[DoctorFinding]:
    """The release supports every feature level that is in force."""
    for one in facts.features.known.features:
        name, level = one.name, one.finalized_level
        if release.supports(name, level):
            continue
        low, high = release.ranges.get(name, (0, 0))
        yield error(
            "cluster",
            f"{level_text(name, level)} is in force, and {release.name} supports {name} {low} to {high}",
            _way_to(name, level, low, high),
        )


def upgrade_nodes(facts: DoctorFacts, release: KnownRelease) -> Iterator[DoctorFinding]:
    """Every voter and every registered broker is in service: the release is installed one node after another."""
    leader, cluster = facts.leader, facts.cluster.known
    down = [
        f"controller {voter.key.node_id} ({why})"
        for voter in facts.quorum.known.voters
        if (why := why_not_counted(voter, leader)) is not None
    ]
    down += [f"broker {broker.broker_id} (fenced)" for broker in cluster.brokers if broker.fenced]
    if down:
        yield error(
            "cluster",
            f"not in service: {listed(down)}",
            f"start each, or remove its registration, before the first node is stopped for {release.name}",
        )


def upgrade_majority(facts: DoctorFacts, release: KnownRelease) -> Iterator[DoctorFinding]:
    """The quorum has a majority while one voter restarts."""
    count = len(facts.quorum.known.voters)
    if count < VOTERS_MIN:
        yield warning(
            "quorum",
            f"{count} {'voter' if count == 1 else 'voters'}: while one restarts with {release.name}, no metadata can "
            "be changed",
            f"add voters until there are {VOTERS_MIN}, or {ACCEPTED}",
        )


def upgrade_partitions(facts: DoctorFacts, release: KnownRelease) -> Iterator[DoctorFinding]:
    """Every partition can spare one of its replicas."""
    found = [str(which) for which, _ in fragile_partitions(facts.topics.known.topics)]
    if found:
        yield warning(
            "cluster",
            f"partitions with no more replicas than min.insync.replicas: {listed(found)}; each is unavailable while "
            f"one of its brokers restarts with {release.name}",
            f"add replicas, lower min.insync.replicas, or {ACCEPTED}",
        )


def upgrade_finish(facts: DoctorFacts, release: KnownRelease) -> Iterator[DoctorFinding]:
    """Nothing is left to finalize when every node runs the release."""
    levels = {one.name: one.finalized_level for one in facts.features.known.features}
    level, (_, best) = levels.get(METADATA_VERSION, 0), release.ranges[METADATA_VERSION]
    if not level or best <= level:
        return
    way_back = (
        "there is no way back from it" if changes_metadata_between(level, best) else "it can be taken back afterwards"
    )
    name = BY_LEVEL[best].name
    yield info(
        "cluster",
        f"{level_text(METADATA_VERSION, level)} is in force, and {release.name} has {name}; {way_back}",
        f"when every node runs {release.name} and was verified: kraftpy features upgrade --release-version {name} "
        "--dry-run",
    )


UPGRADE_CHECKS: Final[dict[str, UpgradeCheck]] = {
    "upgrade-levels": upgrade_levels,
    "upgrade-nodes": upgrade_nodes,
    "upgrade-majority": upgrade_majority,
    "upgrade-partitions": upgrade_partitions,
    "upgrade-finish": upgrade_finish,
}
"""The checks that are made with ``--upgrade-to``, beside all others, in the order in which findings are listed."""


def level_text(name: str, level: int) -> str:
    """Name a level; that of metadata.version by its release, too."""
    known = BY_LEVEL.get(level) if name == METADATA_VERSION else None
    return f"{name} {level}" if known is None else f"{name} {known}"


def _way_to(name: str, level: int, low: int, high: int) -> str:
    """Say how a level gets into a range, or that it cannot."""
    releases = listed(supporting(name, level)) or "no known release"
    if level < low:
        return f"go over a release that supports both ({releases}), and upgrade {name} there (kraftpy features upgrade)"
    if name == KRAFT_VERSION:
        return (
            f"there is no way back, because the voters are in the log: choose a release that supports it ({releases})"
        )
    if name == METADATA_VERSION and changes_metadata_between(level, high):
        return f"there is no way back, because a level between them changed the metadata: choose one of {releases}"
    wanted = f"{name}={BY_LEVEL[high].name if name == METADATA_VERSION else high}"
    return f"kraftpy features downgrade --feature {wanted} --dry-run, or choose one of {releases}"
