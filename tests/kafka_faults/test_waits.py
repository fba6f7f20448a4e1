"""How long records waited because of a failure."""

from __future__ import annotations

import pytest

from tests.kafka_faults.world import longest_wait

FAILURE = 100.0


def test_the_slowest_record_since_the_failure_counts() -> None:
    assert longest_wait([(99.0, 50_000), (101.0, 200), (103.0, 1_500), (104.0, 10)], FAILURE) == pytest.approx(1.5)


def test_what_a_record_waited_before_the_failure_is_not_counted() -> None:
    assert longest_wait([(100.25, 12_000), (101.0, 100)], FAILURE) == pytest.approx(0.25)


def test_nothing_was_acknowledged_since() -> None:
    assert longest_wait([(99.0, 50)], FAILURE) == 0.0
