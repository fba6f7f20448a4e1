"""Mutation testing of the rules: every way to break a healthy cluster yields exactly its rule, at its offsets."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from tests.audit.mutations import MUTATIONS
from tests.audit.worlds import healthy


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The findings of all broken worlds, by mutation: one audit of a fleet, a cluster for each."""
    directory: Path = tmp_path_factory.mktemp("fleet")
    expected = {"healthy": []}
    vanishing = healthy(0).write(directory / "cluster=healthy")
    for mutation in MUTATIONS:
        world = healthy(mutation.number)
        expected[mutation.name] = [(mutation.rule, offset) for offset in mutation.apply(world)]
        vanishing += world.write(directory / f"cluster={mutation.name}")

    def vanish(*_: object) -> None:
        while vanishing:
            vanishing.pop().unlink()

    engine = LocalEngine(KraftReplay(), progress=vanish)
    engine.load([str(directory)], AsOf())
    verdict = judge(engine, all_rules(), limit=10_000)
    engine.close()
    by_cluster = defaultdict(list)
    for finding in verdict.findings:
        by_cluster[finding.cluster].append((finding.rule.id, finding.log_offset, finding.message))
    return expected, by_cluster


def test_a_healthy_cluster_is_clean(found) -> None:
    """A rule says something about a healthy cluster."""
    assert found[1]["healthy"] == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.rule}:{mutation.name}")
def test_a_mutation_is_found_by_its_rule_alone(found, mutation) -> None:
    """A broken cluster is not found, is found elsewhere, or is found by another rule as well."""
    expected, by_cluster = found
    key = lambda pair: (pair[0], -1 if pair[1] is None else pair[1])  # noqa: E731
    assert sorted([each[:2] for each in by_cluster[mutation.name]], key=key) == sorted(
        expected[mutation.name], key=key
    ), by_cluster[mutation.name]


def test_every_rule_has_a_mutation() -> None:
    """A rule that no mutation breaks is not tested."""
    assert {rule.id for rule in all_rules()} == {mutation.rule for mutation in MUTATIONS}
