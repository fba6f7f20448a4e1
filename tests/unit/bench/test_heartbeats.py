"""What many brokers cost an idle cluster, on a controller with scripted answers."""

from __future__ import annotations

import os
from itertools import count

import pytest

from bench import brokers, heartbeats
from bench.heartbeats import measure_heartbeats
from kraftpy.records.generated import rpc
from tests.unit.bench.scripted import BROKERS, Scripted


class Idle(Scripted):
    """Its log grows by two entries of 50 bytes while it is measured."""

    def __init__(self, answers=BROKERS):
        super().__init__(dict(answers))
        self.pids = {"one": os.getpid()}
        self.sizes, self.ends = count(1_000, 100), count(20, 2)

    def log_bytes(self, _):
        return next(self.sizes)

    async def positions(self):
        return {"one": next(self.ends)}


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(brokers, "HEARTBEAT_INTERVAL_S", 0.1)
    monkeypatch.setattr(heartbeats, "HEARTBEAT_INTERVAL_S", 0.1)


async def test_each_broker_sends_its_heartbeats_on_its_own_connection(hurried):
    """Twenty brokers at ten heartbeats a second; CPU and log are per second of the measurement."""
    async with Idle() as system:
        (row,) = await measure_heartbeats(system, 1, 20, 1.0, lambda _: None)
        assert len(system.writers) == 21
    assert row.work == "20 brokers"
    assert row.figures["heartbeats/s"] == pytest.approx(200, rel=0.25)
    assert row.figures["log bytes/s"] == pytest.approx(100, rel=0.3)
    assert row.figures["log entries/s"] == pytest.approx(2, rel=0.3)
    assert 0 < row.figures["p50 ms"] <= row.figures["p99 ms"]
    assert row.figures["leader CPU %"] > 0
    assert {one.rack for one in system.of(rpc.BrokerRegistrationRequest)} == {f"rack-{number}" for number in range(10)}


async def test_a_heartbeat_that_is_rejected_fails_the_run(hurried):
    """Figures of brokers that are not served would mean nothing."""
    async with Idle() as system:
        beats = count()

        def judged(_):
            return rpc.BrokerHeartbeatResponse(is_fenced=False, error_code=77 if next(beats) > 30 else 0)

        system.answers[rpc.BrokerHeartbeatRequest] = judged
        with pytest.raises(RuntimeError, match="was rejected: error 77"):
            await measure_heartbeats(system, 1, 20, 0.5, lambda _: None)
