"""A share of `make differential`: what Kafka's controller and ours do with the same requests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.interop.jars import Jars

ROOT = Path(__file__).resolve().parents[2]
FIRST_SEEDS = (4_300, 5_093)
"""The second begins where the first ends. Both run at the same time: a judge waits for its controllers half of it."""
REQUESTS = 50_000
"""From each. A number and not a time, so that every machine asks the same."""
TIMEOUT_S = 1_800


@pytest.mark.timeout(TIMEOUT_S + 60)
def test_kafka_and_we_do_the_same(jars: Jars) -> None:
    """An answer, the records of a request or the state after it differs, and not on purpose."""
    command = [sys.executable, "-m", "tests.interop.differential", "--requests", str(REQUESTS), "--seed"]
    runs = [
        # Its progress and what goes wrong are on stderr, which pytest shows.
        subprocess.Popen([*command, str(seed)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for seed in FIRST_SEEDS
    ]
    try:
        reports = [run.communicate(timeout=TIMEOUT_S)[0] for run in runs]
    finally:
        for run in runs:
            run.terminate()
            run.wait()
    for run, report in zip(runs, reports, strict=True):
        print(report)
        assert run.returncode == 0, report
        assert int(report.split()[0]) >= REQUESTS
