"""A share of `make differential`: what Kafka's controller and ours do with the same requests."""

from __future__ import annotations

import pytest

from tests.interop.differential.cluster import running
from tests.interop.jars import Jars

FIRST_SEEDS = (4_300, 4_697, 5_093, 5_490)
"""Each begins where the one before ends: more than one test, so that workers can share them."""
REQUESTS = 25_000
"""In each. A number and not a time, so that every machine asks the same."""


@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("seed", FIRST_SEEDS)
def test_kafka_and_we_do_the_same(jars: Jars, seed: int) -> None:
    """An answer, the records of a request or the state after it differs, and not on purpose."""
    with running(jars) as judge:
        failures = judge.run(seed, REQUESTS)
        print(judge.figures.report())
    assert not failures, "\n".join(each.report() for each in failures)
    assert judge.figures.requests >= REQUESTS
