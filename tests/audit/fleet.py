"""All broken worlds as one fleet, a cluster for each mutation, and what must be found in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import AuditReport, judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from tests.audit.mutations import MUTATIONS, Mutation
from tests.audit.worlds import healthy

HEALTHY = "healthy"
Expected = dict[str, list[tuple[str, int | None]]]


def write_fleet(directory: Path, mutations: Sequence[Mutation] = MUTATIONS) -> tuple[Expected, Callable[..., None]]:
    """Write the fleet.

    Returns:
        Mutation to (rule, offset) pairs, and what makes files vanish that are to vanish while others are read.
    """
    expected: Expected = {HEALTHY: []}
    vanishing = healthy(0).write(directory / f"cluster={HEALTHY}")
    for mutation in mutations:
        world = healthy(mutation.number)
        expected[mutation.name] = [(mutation.rule, offset) for offset in mutation.apply(world)]
        vanishing += world.write(directory / f"cluster={mutation.name}")

    def vanish(*_: object) -> None:
        while vanishing:
            vanishing.pop().unlink()

    return expected, vanish


def audit_fleet(directory: Path) -> tuple[Expected, AuditReport]:
    """Write the fleet and audit it in one process."""
    expected, vanish = write_fleet(directory)
    engine = LocalEngine(KraftReplay(), progress=vanish)
    engine.load([str(directory)], AsOf())
    verdict = judge(engine, all_rules(), limit=10_000)
    engine.close()
    return expected, verdict


def by_cluster(verdict: AuditReport) -> dict[str, list[tuple[str, int | None]]]:
    """The (rule, offset) pairs that were found in each cluster, in a fixed order."""
    found = defaultdict(list)
    for finding in verdict.findings:
        found[finding.cluster].append((finding.rule.id, finding.log_offset))
    return {cluster: ordered(pairs) for cluster, pairs in found.items()}


def ordered(pairs: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    return sorted(pairs, key=lambda pair: (pair[0], -1 if pair[1] is None else pair[1]))


def is_killed(mutation: Mutation, expected: Expected, found: dict[str, list[tuple[str, int | None]]]) -> bool:
    """Whether exactly the mutation's rule found it, at its offsets."""
    return found.get(mutation.name, []) == ordered(expected[mutation.name])
