"""Every decision lists its checks, in order, and each of them has a test."""

from __future__ import annotations

import pytest

from kraftpy.controller.controller import DECIDERS
from tests.unit.controller import (
    test_checks_members,
    test_checks_partitions,
    test_checks_settings,
    test_checks_topics,
)
from tests.unit.controller.checks import CONTROLLER, numbered

SUITES = (test_checks_members, test_checks_partitions, test_checks_settings, test_checks_topics)
MODULES = sorted(
    path.stem
    for path in CONTROLLER.glob("*.py")
    if path.stem not in {"__init__", "partition_change"} and numbered(path.stem)
)
"""The modules that number their checks; ``partition_change`` numbers the steps of a change."""

LISTED_ELSEWHERE = {"fencing": "heartbeats"}
"""Where the checks of a decision are, if not in its own module."""


def with_a_test() -> dict[str, set[int]]:
    """The numbers that have a test, by module."""
    found: dict[str, set[int]] = {}
    for suite in SUITES:
        for module, checks in suite.TABLES.items():
            found.setdefault(module, set()).update(check.number for check in checks)
    for module, numbers in test_checks_members.ROWS.items():
        found.setdefault(module, set()).update(numbers)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_every_check_has_a_test(module: str) -> None:
    """A check is listed without a test, a test names one that is not listed, or a number is missing."""
    listed = numbered(module)
    assert listed == list(range(1, len(listed) + 1))
    assert with_a_test().get(module, set()) == set(listed)


def test_every_decision_lists_its_checks() -> None:
    """A request is decided by a module without a list, or a test is about a module without one."""
    modules = {decide.__module__.rpartition(".")[2] for decide in DECIDERS.values()}
    assert {LISTED_ELSEWHERE.get(module, module) for module in modules} <= set(MODULES)
    assert set(with_a_test()) == set(MODULES)
