"""Nodes of ours register under Kafka's controllers, over Kafka's own protocol, and live there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.interop.cluster import Member, Quorum
from tests.interop.jars import Jars
from tests.interop.processes import eventually

BROKER = 9
SESSION_S = 6.0
TIMERS = {"broker.session.timeout.ms": str(int(SESSION_S * 1_000)), "broker.heartbeat.interval.ms": "500"}


def states_of(broker: Member) -> list[str]:
    """The states that a broker of ours went through, by its log."""
    lines = [line for line in broker.log_text().splitlines() if "broker_state_changed" in line]
    return [line.partition("after=")[2].split()[0] for line in lines]


@pytest.mark.timeout(300)
def test_a_broker_runs_under_kafkas_controllers(jars: Jars, root: Path) -> None:
    """It registers, is unfenced, keeps its session when the leader dies, and is let go in order."""
    with Quorum(jars, root, kafka=(1, 2, 3), extra=TIMERS) as quorum:
        broker = quorum.add_broker(BROKER, ours=True)
        quorum.format_and_start()
        eventually("Kafka's controller unfences the broker", lambda: "running" in states_of(broker), quorum.running)
        first = quorum.wait_for_leader()
        unfenced = f"BrokerRegistrationChangeRecord(brokerId={BROKER}, "
        assert f"{unfenced}brokerEpoch=" in first.log_text()
        first.kill()
        second = quorum.wait_for_leader(other_than=first.node_id)
        began = time.monotonic()
        eventually("1.5 sessions have passed", lambda: time.monotonic() - began > 1.5 * SESSION_S, quorum.running)
        assert f"Fencing broker {BROKER}" not in second.log_text(), "its session ended under the second leader"
        assert broker.log_text().count("broker_registered") == 1
        assert broker.stop() == 0
        assert states_of(broker) == ["starting", "recovery", "running", "pending_controlled_shutdown", "shutting_down"]


@pytest.mark.timeout(300)
def test_a_controller_registers_under_a_kafka_leader(jars: Jars, root: Path) -> None:
    """A Kafka leader writes the registration of a controller of ours, with its listeners."""
    with Quorum(jars, root, kafka=(1, 2), ours=(3,)) as quorum:
        ours = quorum.members[3]
        quorum.format_and_start()
        leader = quorum.wait_for_leader()
        if leader.ours:
            assert leader.stop() == 0
            leader = quorum.wait_for_leader(other_than=3)
            ours.start()
        registered = "RegisterControllerRecord containing ControllerRegistration(id=3,"
        eventually("Kafka registers ours", lambda: registered in leader.log_text(), quorum.running)
        assert "listenerName='GRPC'" in leader.log_text().partition(registered)[2].splitlines()[0]
