"""A share of `make differential`: what Kafka's controller and ours do with the same requests, for a minute."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.interop.differential.cluster import running
from tests.interop.jars import Jars

SEED = 4_300
SHARE_S = 60.0
REQUESTS_MIN = 1_000


@pytest.mark.timeout(400)
def test_kafka_and_we_do_the_same(jars: Jars, root: Path) -> None:
    """An answer, the records of a request or the state after it differs, and not on purpose."""
    with running(jars, root) as judge:
        failures = judge.run(SEED, 10**6, until=time.monotonic() + SHARE_S)
        print(judge.figures.report())
    assert not failures, "\n".join(each.report() for each in failures)
    assert judge.figures.requests >= REQUESTS_MIN
