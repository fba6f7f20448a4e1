"""docs/kafka-tests.md is what the kept results of Kafka's own suites say, and reports are read as they are."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.interop.clustertest import results
from tests.interop.clustertest.__main__ import chosen_suite
from tests.interop.clustertest.results import CLUSTER_TESTS, CORE_TESTS, Kept, Method
from tests.interop.clustertest.runner import Run, read_all, read_report
from tests.interop.clustertest.suites import SHARE

KINDS = pytest.mark.parametrize("kept", [CLUSTER_TESTS, CORE_TESTS], ids=["cluster", "core"])

CASE = """<testcase name="{name}()[1]" classname="a.B" time="1">{inner}<system-out><![CDATA[
unique-id: [engine:junit-jupiter]/[class:a.B]/[{kind}:{name}()]/[test-template-invocation:#1]
display-name: {name} [1] Type=Raft-Isolated
]]></system-out></testcase>"""


@KINDS
def test_the_page_is_written_from_the_results(kept: Kept):
    """A change of the results or of the text is followed by ``make kafka-tests``."""
    assert kept.page.read_text(encoding="utf-8") == results.page(*results.load(kept), kept)


def test_the_share_of_every_landing_is_on_the_page():
    """What runs on every landing is compared with it."""
    _, suites = results.load()
    assert set(SHARE) <= set(suites)


@KINDS
def test_a_cause_is_of_a_test_that_fails(kept: Kept):
    """A cause is removed when its test passes."""
    _, suites = results.load(kept)
    assert set(kept.reasons) <= set(results.failed_tests(suites))


def test_classes_of_one_name_are_shown_in_full():
    """A row says which class it is about."""
    page = results.page("1.0", {"a.Same": {"x": Method(1)}, "b.Same": {"x": Method(2)}, "b.Other": {"x": Method(3)}})
    assert "| `a.Same` | 1 |" in page
    assert "| `b.Same` | 2 |" in page
    assert "| `Other` | 3 |" in page


def test_a_class_without_results_is_named():
    """It is not counted as run, and the page says which it is."""
    page = results.page("1.0", {"a.Run": {"x": Method(1)}, "a.Not": {}})
    assert "has 1 of\n2 suites" in page
    assert "| **1 classes** | 1 |" in page
    assert "## Not run\n\n`Not`.\n" in page


def test_a_suite_is_chosen_by_a_name_that_is_its_own():
    """A short name of two classes is refused with both."""
    known = ["a.Same", "b.Same", "b.Other"]
    assert chosen_suite("Other", known) == "b.Other"
    assert chosen_suite("b.Same", known) == "b.Same"
    with pytest.raises(SystemExit, match=r"more than one suite, a\.Same, b\.Same"):
        chosen_suite("Same", known)
    with pytest.raises(SystemExit, match="Third: no suite"):
        chosen_suite("Third", known)


def test_results_survive_their_file():
    """Counts and reasons come back."""
    method = Method(2, 1, Counter({"x": 1}), Counter({"y": 2}))
    assert Method.from_json(method.to_json()) == method
    assert method.comparable == (2, 1, {"y": 2})


def test_a_report_is_read(tmp_path):
    """Failures, errors and aborts have the first line of what was thrown; unit tests of the same class are left out."""
    thrown = "<![CDATA[org.opentest4j.TestAbortedException: no such thing\n\tat a.B.c(B.java:1)]]>"
    cases = [
        CASE.format(name="good", kind="test-template", inner=""),
        CASE.format(name="bad", kind="test-template", inner='<failure message="m">x.Y: wrong\n at a</failure>'),
        CASE.format(name="error", kind="test-template", inner="<error>x.Z: thrown</error>"),
        CASE.format(name="aborted", kind="test-template", inner=f"<skipped>{thrown}</skipped>"),
        CASE.format(name="unit", kind="method", inner=""),
    ]
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
    runs = list(read_report(report))
    assert [(run.place, run.outcome, run.reason) for run in runs] == [
        (("a.B", "good"), "passed", ""),
        (("a.B", "bad"), "failed", "x.Y: wrong"),
        (("a.B", "error"), "failed", "x.Z: thrown"),
        (("a.B", "aborted"), "aborted", "no such thing"),
    ]
    assert isinstance(runs[0], Run)
    counted = [run.place for run in read_report(report, lambda suite: suite == "a.B")]
    assert ("a.B", "unit") in counted, "each test of a class that builds clusters itself is of a cluster"
    assert [run.place[1] for run in read_all(report)] == ["good", "bad", "error", "aborted", "unit"]
