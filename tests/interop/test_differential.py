"""A share of `make differential`: what Kafka's controller and ours do with the same requests."""

from __future__ import annotations

import pytest

from tests.interop.differential.cluster import running
from tests.interop.jars import Jars

SEED = 4_300
REQUESTS = 2_400
"""About a minute. A number and not a time, so that every machine asks the same."""


@pytest.mark.timeout(400)
def test_kafka_and_we_do_the_same(jars: Jars) -> None:
    """An answer, the records of a request or the state after it differs, and not on purpose."""
    with running(jars) as judge:
        failures = judge.run(SEED, REQUESTS)
        print(judge.figures.report())
    assert not failures, "\n".join(each.report() for each in failures)
    assert judge.figures.requests >= REQUESTS
