"""docs/kafka-clients.md is what the kept results of franz-go's tests say, and what Go prints is read as it is."""

from __future__ import annotations

import json

import pytest

from tests.interop.franz_go import judge, page
from tests.interop.franz_go.judge import Result

SOURCE = """package kgo

func TestOfAnArray(t *testing.T) {
	t.Parallel()
}

func helper(t *testing.T) {
	newTestClient()
}

func TestOfACluster(t *testing.T) {
	topic, cleanup := tmpTopicPartitions(t, 3)
	if true {
	}
}
"""


def test_the_page_is_written_from_the_results():
    """A change of the results, of a pin or of the text is followed by ``make kafka-clients``."""
    assert page.PAGE.read_text(encoding="utf-8") == page.page(page.load())


def test_the_results_are_those_of_the_pinned_version():
    """Another version of franz-go has other tests."""
    assert json.loads(page.RESULTS.read_text(encoding="utf-8"))["franz-go"] == judge.version()


def test_a_cause_is_of_a_test_that_did_not_pass_at_once():
    """A cause is removed when its test passes."""
    assert set(page.CAUSES) <= {name for name, one in page.load().items() if one.outcome != "passed"}


def test_results_survive_their_file(tmp_path, monkeypatch):
    """Outcomes and reasons come back."""
    monkeypatch.setattr(page, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    results = {"TestA": Result("passed"), "TestA/b": Result("skipped", "no b"), "TestC": Result("failed", "a|b <c>")}
    page.save(results)
    assert page.load() == results
    written = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| `TestA` | passed | `b` |" in written
    assert "| `TestC` | failed | a\\|b &lt;c&gt; | not looked into yet |" in written
    assert "| **2 tests** | 1 failed, 1 passed | |" in written


def test_a_package_without_a_pin_is_named():
    """The page would show no version."""
    with pytest.raises(ValueError, match=r"requirements-interop.txt has no pin of nothing"):
        page.pin("nothing")


def test_tests_that_speak_to_a_cluster(tmp_path):
    """By the helpers that they call themselves."""
    (tmp_path / "a_test.go").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "a.go").write_text(SOURCE.replace("TestOf", "TestNotOf"), encoding="utf-8")
    assert judge.tests_with_a_cluster(tmp_path) == ["TestOfACluster"]


def test_what_go_prints_is_read():
    """Of a test that did not pass the last words count, but for those of its end; other output may be in between."""

    def event(action: str, test: str, output: str = "") -> str:
        return json.dumps({"Action": action, "Test": test, "Output": output})

    lines = [
        json.dumps({"Action": "start"}),
        "a line of the client",
        "17",
        event("output", "TestA", "    a_test.go:1: all is well\n"),
        event("pass", "TestA"),
        event("output", "TestB", "    b_test.go:2: not so fast\n"),
        event("output", "TestB", "    b_test.go:3: wrong\n"),
        event("output", "TestB", "    b_test.go:4: FAILED TESTING -- NOT DELETING TOPIC t\n"),
        event("output", "TestB", '    b_test.go:5: unable to delete share group "g"\n'),
        event("fail", "TestB"),
        event("output", "TestC/d", "    c_test.go:1: no d here\n"),
        event("skip", "TestC/d"),
        json.dumps({"Action": "fail"}),
    ]
    results = judge.read_events(lines)
    assert results == {
        "TestA": Result("passed"),
        "TestB": Result("failed", "wrong"),
        "TestC/d": Result("skipped", "no d here"),
    }
    assert judge.failed(results) == ["TestB"]


def test_a_failure_that_does_not_repeat_is_shown():
    """And one that does repeat keeps what it printed last."""
    assert judge.again(Result("failed", "late"), Result("passed")) == Result("again", "late")
    assert judge.again(Result("failed", "late"), Result("failed", "late again")) == Result("failed", "late again")
    assert judge.again(Result("passed"), Result("passed")) == Result("passed")
    assert judge.again(None, Result("passed")) == Result("passed")
