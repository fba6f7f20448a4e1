"""A share of Kafka's own suites with kraftpy controllers: its results are those of docs/kafka-tests.md.

All suites: ``make kafka-tests``, which also writes the page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.interop.clustertest import results
from tests.interop.clustertest.core_suites import core_suites
from tests.interop.clustertest.runner import Judge
from tests.interop.clustertest.suites import SHARE, suites
from tests.interop.jars import Jars

TIMEOUT_S = 900


@pytest.mark.timeout(2 * TIMEOUT_S + 300)
def test_a_share_of_kafkas_suites(test_jars: Jars, root: Path) -> None:
    """A test that passed still passes, and one that fails or is aborted does so for a reason that is on the page."""
    found, trouble = Judge(test_jars, root).judge(SHARE, timeout_s=TIMEOUT_S)
    _, stored = results.load()
    assert {suite: comparable(methods) for suite, methods in found.items()} == {
        suite: comparable(stored[suite]) for suite in SHARE
    }
    assert trouble == []
    for suite, methods in found.items():
        again = [name for name, method in methods.items() if method.again]
        if again:
            print(f"{suite}: passed only when run once more: {', '.join(again)}")


@pytest.mark.parametrize(
    ("kept", "find"), [(results.CLUSTER_TESTS, suites), (results.CORE_TESTS, core_suites)], ids=["cluster", "core"]
)
def test_every_suite_of_the_page_exists(test_jars: Jars, kept: results.Kept, find: Callable[[Jars], list[str]]) -> None:
    """The suites are found in the jars; the page is about all of them, and no other."""
    _, stored = results.load(kept)
    assert set(stored) == set(find(test_jars))


def comparable(methods: dict[str, results.Method]) -> dict[str, object]:
    return {name: method.comparable for name, method in methods.items()}
