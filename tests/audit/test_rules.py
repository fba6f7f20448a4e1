"""Mutation testing of the rules: every way to break a healthy cluster yields exactly its rule, at its offsets."""

from __future__ import annotations

import pytest

from kraftpy.audit.rules import all_rules
from tests.audit.fleet import HEALTHY, audit_fleet, by_cluster, is_killed, ordered
from tests.audit.mutations import MUTATIONS
from tests.audit.score import PAGE, table, with_table


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """What is expected of the fleet of broken clusters, and what was found, from one audit."""
    expected, verdict = audit_fleet(tmp_path_factory.mktemp("fleet"))
    return expected, by_cluster(verdict), verdict


def test_a_healthy_cluster_is_clean(fleet) -> None:
    """A rule reports something in a healthy cluster."""
    assert fleet[1].get(HEALTHY, []) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.rule}:{mutation.name}")
def test_a_mutation_is_found_by_its_rule_alone(fleet, mutation) -> None:
    """A broken cluster has no finding, one at another offset, or one of another rule as well."""
    expected, found, verdict = fleet
    messages = [finding.message for finding in verdict.findings if finding.cluster == mutation.name]
    assert found.get(mutation.name, []) == ordered(expected[mutation.name]), messages


def test_every_rule_has_a_mutation() -> None:
    """A rule that no mutation breaks is not tested."""
    assert {rule.id for rule in all_rules()} == {mutation.rule for mutation in MUTATIONS}


def test_a_title_is_one_sentence_of_its_own() -> None:
    """A rule has no title, the title of another rule, or a title of several sentences."""
    titles = [rule.title for rule in all_rules()]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if not title.endswith(".") or ". " in title] == []


def test_a_fix_is_plain_text() -> None:
    """A fix is printed as it is, so a placeholder in it would be printed, too."""
    assert [rule.id for rule in all_rules() if "{" in rule.fix + rule.title] == []


def test_every_message_can_be_encoded(fleet) -> None:
    """A message names a column that its rule does not give, or gives none of the place's."""
    for finding in fleet[2].findings:
        assert finding.message
        assert "{" not in finding.message.replace('{"', "")
        assert set(finding.evidence) == set(finding.rule.evidence)


def test_the_documented_table_is_fresh(fleet) -> None:
    """docs/audit.md is stale: run python -m tests.audit.score."""
    expected, found, _ = fleet
    killed = {mutation.name for mutation in MUTATIONS if is_killed(mutation, expected, found)}
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page, table(killed)) == page
