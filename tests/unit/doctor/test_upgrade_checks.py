"""Before a cluster goes to another release: what each release supports, and each check with its finding."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kraftpy
from kraftpy.client.values import FeatureDescription
from kraftpy.controller.config import DEFAULT_FEATURES
from kraftpy.doctor.checks import CHECKS, examine
from kraftpy.doctor.facts import Fact
from kraftpy.doctor.releases import OWN_NAME, RELEASES, known_release, supporting
from kraftpy.doctor.upgrade_checks import UPGRADE_CHECKS
from kraftpy.model.features import LATEST_PRODUCTION_LEVEL
from tests.unit.doctor.worlds import (
    OBSERVERS,
    VOTERS,
    broker,
    features,
    healthy,
    members,
    partition,
    quorum,
    replica,
    topics,
)

SPARED = topics(partition(replicas=(101, 102, 103), isr=(101, 102, 103)))


def ready(**changes):
    """A cluster at Kafka 4.2's level that any check of an upgrade to 4.3 lets pass."""
    return healthy(features=features(metadata_version=29), topics=SPARED, **changes)


def found(facts, release):
    made = examine(facts, known_release(release))
    return [(check, one) for check, one in made.findings if check in UPGRADE_CHECKS]


@pytest.mark.parametrize(
    ("name", "metadata", "kraft", "others"),
    [
        ("3.9", (1, 21), 1, {"group.version": 0, "transaction.version": 0, "eligible.leader.replicas.version": 0}),
        ("4.0", (7, 25), 1, {"group.version": 1, "transaction.version": 2, "eligible.leader.replicas.version": 1}),
        ("4.1", (7, 27), 1, {"share.version": 0, "streams.version": 0}),
        ("4.2", (7, 29), 1, {"share.version": 1, "streams.version": 1}),
        ("4.3", (7, 30), 1, {"share.version": 1, "streams.version": 1}),
    ],
)
def test_what_kafkas_releases_support(name, metadata, kraft, others):
    ranges = RELEASES[name].ranges
    assert ranges["metadata.version"] == metadata
    assert ranges["kraft.version"] == (0, kraft)
    assert {feature: ranges[feature][1] for feature in others} == others


def test_what_this_software_supports_is_what_it_registers():
    assert RELEASES[OWN_NAME].ranges == {one.name: (one.min_level, one.max_level) for one in DEFAULT_FEATURES}
    assert RELEASES[OWN_NAME].ranges["metadata.version"][1] == LATEST_PRODUCTION_LEVEL
    assert supporting("metadata.version", 40) == [OWN_NAME]
    assert supporting("metadata.version", 5) == ["3.9"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("4.3", "4.3"), ("4.3.1", "4.3"), ("kraftpy", OWN_NAME), (f"kraftpy-{kraftpy.__version__}", OWN_NAME)],
)
def test_names_of_a_release(text, name):
    assert known_release(text).name == name


@pytest.mark.parametrize("text", ["", "4", "4.9", "3.8", "4.3-IV0", "4.3.", "kraftpy-9", "٤.٣", "x" * 5_000])
def test_an_unknown_release_lists_the_known_ones(text):
    with pytest.raises(
        ValueError, match=r"is no known release; there are 3\.9, 4\.0, 4\.1, 4\.2, 4\.3, kraftpy-"
    ) as failure:
        known_release(text)
    assert len(str(failure.value)) < 200


def test_an_upgrade_that_fits_has_one_info():
    ((check, finding),) = found(ready(), "4.3")
    assert (check, str(finding.severity)) == ("upgrade-finish", "info")
    assert "29 (4.2-IV1) is in force, and 4.3 has 4.3-IV0; there is no way back" in finding.what
    ((_, finding),) = found(healthy(features=features(metadata_version=27), topics=SPARED), "4.2")
    assert "can be taken back" in finding.what
    assert found(ready(), "4.2") == []


def test_without_a_release_nothing_of_it_is_checked():
    assert examine(ready()).checks == len(CHECKS)
    made = examine(ready(), known_release("4.3"))
    assert made.checks == len(CHECKS) + len(UPGRADE_CHECKS)
    assert (made.as_json()["upgradeTo"], examine(ready()).as_json()["upgradeTo"]) == ("4.3", None)


@pytest.mark.parametrize(
    ("release", "levels", "what", "way_out"),
    [
        ("4.3", {"metadata_version": 40}, "metadata.version 40 (5.0-IV0) is in force, and 4.3 supports", "no way back"),
        (
            "4.1",
            {"metadata_version": 29},
            "4.1 supports metadata.version 7 to 27",
            "metadata.version=4.1-IV1 --dry-run",
        ),
        (
            "4.0",
            {"metadata_version": 30},
            "4.0 supports metadata.version 7 to 25",
            "changed the metadata: choose one of 4.3",
        ),
        ("4.3", {"metadata_version": 5}, "metadata.version 5", "a release that supports both (3.9)"),
        (
            "4.1",
            {"metadata_version": 27, "share_version": 1},
            "share.version 1 is in force",
            "--feature share.version=0",
        ),
        ("4.3", {"metadata_version": 30, "kraft_version": 2}, "kraft.version 2", "voters are in the log"),
    ],
)
def test_a_level_that_the_release_does_not_support(release, levels, what, way_out):
    facts = healthy(features=features(**levels), topics=SPARED)
    (finding,) = [one for check, one in found(facts, release) if check == "upgrade-levels"]
    assert str(finding.severity) == "error"
    assert what in finding.what
    assert way_out in finding.way_out


def test_a_feature_of_strangers_is_not_supported():
    stranger = FeatureDescription("of.strangers", 3, 0, 3)
    facts = ready()
    known = facts.features.known
    changed = replace(facts, features=Fact(replace(known, features=(*known.features, stranger))))
    (finding,) = [one for check, one in found(changed, "4.3") if check == "upgrade-levels"]
    assert "of.strangers 3 is in force" in finding.what
    off = replace(known, features=(*known.features, replace(stranger, finalized_level=0)))
    assert "upgrade-levels" not in dict(found(replace(facts, features=Fact(off)), "4.3"))


@pytest.mark.parametrize(
    ("check", "changes", "what"),
    [
        (
            "upgrade-nodes",
            {"quorum": quorum(*VOTERS[:2], replica(3, silent_ms=4_000), observers=OBSERVERS)},
            "controller 3 (fetched last 4000 ms ago)",
        ),
        ("upgrade-nodes", {"cluster": members(brokers=[broker(101), broker(102, fenced=True)])}, "broker 102 (fenced)"),
        ("upgrade-majority", {"quorum": quorum(*VOTERS[:2], observers=OBSERVERS)}, "2 voters: while one restarts"),
    ],
)
def test_what_is_in_the_way_of_restarts(check, changes, what):
    findings = dict(found(ready(**changes), "4.2"))
    assert list(findings) == [check]
    assert what in findings[check].what


def test_partitions_that_cannot_spare_a_replica_are_named():
    facts = healthy(features=features(metadata_version=29), topics=topics(partition()))
    ((check, finding),) = found(facts, "4.2")
    assert (check, "orders-0" in finding.what) == ("upgrade-partitions", True)


def test_what_was_not_read_is_skipped():
    facts = ready(quorum=Fact(reason="no leader answers"))
    assert {check for check, _ in examine(facts, known_release("4.3")).skipped} >= {"upgrade-nodes", "upgrade-majority"}
