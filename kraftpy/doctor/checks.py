"""The table of all checks, and what they find together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kraftpy.doctor import (
    address_checks,
    config_checks,
    feature_checks,
    member_checks,
    node_checks,
    partition_checks,
    quorum_checks,
)
from kraftpy.doctor.facts import DoctorFacts, UnknownFactError
from kraftpy.doctor.findings import FINDINGS_PER_CHECK_MAX, DoctorFinding, FindingSeverity
from kraftpy.doctor.releases import KnownRelease
from kraftpy.doctor.upgrade_checks import UPGRADE_CHECKS, UpgradeCheck

CheckFunction: TypeAlias = Callable[[DoctorFacts], Iterator[DoctorFinding]]

CHECKS: Final[dict[str, CheckFunction]] = {
    "leader": quorum_checks.leader,
    "majority": quorum_checks.majority,
    "voters-fetch": quorum_checks.voters_fetch,
    "voters-lag": quorum_checks.voters_lag,
    "observers-fetch": quorum_checks.observers_fetch,
    "observers-lag": quorum_checks.observers_lag,
    "voter-count": quorum_checks.voter_count,
    "voter-hosts": quorum_checks.voter_hosts,
    "voter-racks": address_checks.voter_racks,
    "directory-ids": quorum_checks.directory_ids,
    "voter-directories": quorum_checks.voter_directories,
    "clock-skew": quorum_checks.clock_skew,
    "cluster-id": member_checks.cluster_id,
    "ghost-controllers": member_checks.ghost_controllers,
    "unregistered-voters": member_checks.unregistered_voters,
    "fenced-brokers": member_checks.fenced_brokers,
    "ghost-brokers": member_checks.ghost_brokers,
    "broker-racks": member_checks.broker_racks,
    "full-directories": member_checks.full_directories,
    "broker-directories": member_checks.broker_directories,
    "feature-ranges": feature_checks.feature_ranges,
    "metadata-version": feature_checks.metadata_version,
    "kraft-version": feature_checks.kraft_version,
    "offline-partitions": partition_checks.offline_partitions,
    "under-min-isr": partition_checks.under_min_isr,
    "under-replicated": partition_checks.under_replicated,
    "replica-directories": partition_checks.replica_directories,
    "partition-racks": partition_checks.partition_racks,
    "bootstrap-list": address_checks.bootstrap_list,
    "listeners": address_checks.listeners,
    "controllers-respond": node_checks.controllers_respond,
    "controller-configs": config_checks.controller_configs,
    "certificates": node_checks.certificates,
    "metrics-respond": node_checks.metrics_respond,
    "state-halted": node_checks.state_halted,
    "state-digests": node_checks.state_digests,
    "unexpected-errors": node_checks.unexpected_errors,
    "offline-directories": node_checks.offline_directories,
    "disk-space": node_checks.disk_space,
    "disk-alarm": node_checks.disk_alarm,
    "disk-probe": node_checks.disk_probe,
    "node-clocks": node_checks.node_clocks,
    "node-skew": node_checks.node_skew,
    "ignored-voters": node_checks.ignored_voters,
}
"""Every check by its name, in the order in which findings are listed."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What all checks found.

    Attributes:
        cluster_id: of the cluster; ``None`` when it is not known.
        findings: with the name of the check, in the order of the table.
        skipped: the checks that could not be made, or not for all, with the reason.
        upgrade_to: the release that the cluster was examined for; ``None`` where it was for none.
        checks: how many checks there were.
    """

    cluster_id: str | None
    findings: tuple[tuple[str, DoctorFinding], ...]
    skipped: tuple[tuple[str, str], ...]
    upgrade_to: str | None = None
    checks: int = len(CHECKS)

    def count(self, severity: FindingSeverity) -> int:
        """Return how many findings have a severity."""
        return sum(finding.severity is severity for _, finding in self.findings)

    @property
    def has_problems(self) -> bool:
        """Whether there is an error or a warning."""
        return any(finding.severity is not FindingSeverity.INFO for _, finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "clusterId": self.cluster_id,
            "upgradeTo": self.upgrade_to,
            "checkCount": self.checks,
            "errorCount": self.count(FindingSeverity.ERROR),
            "warningCount": self.count(FindingSeverity.WARNING),
            "infoCount": self.count(FindingSeverity.INFO),
            "findings": [finding.as_json(check) for check, finding in self.findings],
            "skipped": [{"check": check, "reason": reason} for check, reason in self.skipped],
        }


def examine(facts: DoctorFacts, upgrade_to: KnownRelease | None = None) -> Examination:
    """Make every check; those of an upgrade first, if a release is named."""
    findings: list[tuple[str, DoctorFinding]] = []
    skipped: list[tuple[str, str]] = []
    checks = dict(CHECKS)
    if upgrade_to is not None:
        checks = {name: _for_release(check, upgrade_to) for name, check in UPGRADE_CHECKS.items()} | checks
    for name, check in checks.items():
        found, reason = _made(check, facts)
        findings += [(name, finding) for finding in _bounded(found)]
        if reason is not None:
            skipped.append((name, reason))
    cluster = facts.cluster.value
    return Examination(
        None if cluster is None else cluster.cluster_id,
        tuple(findings),
        tuple(skipped),
        None if upgrade_to is None else upgrade_to.name,
        len(checks),
    )


def _for_release(check: UpgradeCheck, release: KnownRelease) -> CheckFunction:
    return lambda facts: check(facts, release)


def _made(check: CheckFunction, facts: DoctorFacts) -> tuple[list[DoctorFinding], str | None]:
    """Make a check; return what it found until it was over, or lacked a fact, and then the reason."""
    found: list[DoctorFinding] = []
    try:
        for finding in check(facts):
            found.append(finding)  # noqa: PERF402 - what was found before an error remains
    except UnknownFactError as unknown:
        return found, str(unknown)
    return found, None


def _bounded(findings: list[DoctorFinding]) -> list[DoctorFinding]:
    """Return the first findings, and one that has the number of the others."""
    left_out = findings[FINDINGS_PER_CHECK_MAX:]
    if not left_out:
        return findings
    worst = next(severity for severity in FindingSeverity if any(one.severity is severity for one in left_out))
    more = DoctorFinding(worst, "cluster", f"{len(left_out)} more findings of this check", "see to those above first")
    return [*findings[:FINDINGS_PER_CHECK_MAX], more]
