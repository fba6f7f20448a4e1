"""A share of ``make kafka-faults``: stock brokers on controllers of ours lose them, and each other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.interop.jars import Jars
from tests.kafka_faults.campaign import PHASES, campaign

SHARE = (
    "kill the active controller",
    "cut off a broker that leads",
    "kill the active controller and a broker that leads",
)


@pytest.mark.timeout(420)
def test_nothing_is_lost_when_controllers_and_brokers_die(jars: Jars, root: Path) -> None:
    """Each kind of failover once, then faults: no acknowledged record is lost, none is there twice."""
    seed = int(os.environ.get("SEED", "1"))
    report = campaign(jars, root, seed=seed, seconds=10, rounds=1, only=SHARE)
    print(report)
    again = f"SEED={seed} make interop ARGS='-k test_nothing_is_lost_when_controllers_and_brokers_die'"
    assert not report.complaints, f"{report.complaints}\nagain: {again}"
    assert len(report.facts.acknowledged) > 100
    assert set(report.phases) == set(PHASES)
    assert report.faults
