"""Brokers that are nothing but requests, against a controller with scripted answers."""

from __future__ import annotations

from itertools import count

import pytest

from bench import brokers
from bench.brokers import FAR, FIRST_ID, registered
from bench.work import eventually
from kraftpy.model.errors import ErrorCode
from kraftpy.records.generated import rpc
from tests.unit.bench.scripted import BROKERS, Scripted


async def test_brokers_are_registered_in_racks_and_unfenced():
    """Each has an id, a rack in turn and a directory; it is asked about until the controller unfences it."""
    heartbeats = count()

    def later(_):
        return rpc.BrokerHeartbeatResponse(is_fenced=next(heartbeats) < 8)

    async with Scripted(BROKERS | {rpc.BrokerHeartbeatRequest: later}) as system, registered(system, 4) as fleet:
        assert sorted(fleet.by_id) == [FIRST_ID + number for number in range(4)]
        assert {broker.epoch for broker in fleet.by_id.values()} == {FIRST_ID + number + 7 for number in range(4)}
        assert next(heartbeats) >= 8
    asked = system.of(rpc.BrokerRegistrationRequest)
    assert [one.rack for one in asked] == ["rack-0", "rack-1", "rack-2", "rack-0"]
    assert {one.cluster_id for one in asked} == {"c"}
    assert len({one.log_dirs[0] for one in asked}) == 4
    assert all(one.current_metadata_offset == FAR for one in system.of(rpc.BrokerHeartbeatRequest))
    assert len(system.writers) == 2, "one for preparations, one for all brokers"


async def test_each_broker_can_have_its_own_connection():
    """As real brokers have."""
    async with Scripted(BROKERS) as system, registered(system, 5, shared=False):
        pass
    assert len(system.writers) == 6


async def test_heartbeats_go_on_for_those_that_beat(monkeypatch):
    """Brokers stay unfenced by heartbeats, also when a controller is too busy for one; one can be silenced."""
    monkeypatch.setattr(brokers, "HEARTBEAT_INTERVAL_S", 0.02)
    answers = {
        rpc.BrokerHeartbeatRequest: lambda request: rpc.BrokerHeartbeatResponse(
            error_code=ErrorCode.REQUEST_TIMED_OUT if request.broker_id == FIRST_ID + 1 else 0, is_fenced=False
        )
    }
    async with Scripted(BROKERS | answers) as system, registered(system, 3) as fleet:
        fleet.by_id[FIRST_ID].beats = False
        system.seen.clear()

        async def heard():
            return len(system.of(rpc.BrokerHeartbeatRequest)) > 20

        await eventually(heard, "heartbeats of the others", 10.0)
        assert fleet.failure == ""
        silent = [one for one in system.of(rpc.BrokerHeartbeatRequest)[3:] if one.broker_id == FIRST_ID]
        assert silent == []


async def test_a_controller_that_is_active_no_more_ends_the_heartbeats(monkeypatch):
    """The measurement has to know that its brokers are fenced from now on."""
    monkeypatch.setattr(brokers, "HEARTBEAT_INTERVAL_S", 0.02)
    async with Scripted(dict(BROKERS)) as system, registered(system, 3) as fleet:
        system.answers[rpc.BrokerHeartbeatRequest] = lambda _: rpc.BrokerHeartbeatResponse(
            error_code=ErrorCode.NOT_CONTROLLER
        )

        async def has_failed():
            return bool(fleet.failure)

        await eventually(has_failed, "a heartbeat is rejected", 10.0)
    assert fleet.failure.endswith("was rejected: error 41")


async def test_a_registration_that_is_rejected_ends_the_run():
    """With the number of the broker and of the error."""
    rejects = {rpc.BrokerRegistrationRequest: lambda _: rpc.BrokerRegistrationResponse(error_code=35)}
    async with Scripted(BROKERS | rejects) as system:
        with pytest.raises(RuntimeError, match=f"broker {FIRST_ID} was not registered: error 35"):
            async with registered(system, 1):
                pass


async def test_a_controller_that_does_not_know_its_cluster_yet_is_asked_again():
    """Kafka's describes it once it has loaded the metadata.version."""
    asked = count()

    def later(_):
        return (
            rpc.DescribeClusterResponse(cluster_id="c") if next(asked) else rpc.DescribeClusterResponse(error_code=35)
        )

    async with Scripted(BROKERS | {rpc.DescribeClusterRequest: later}) as system, registered(system, 1) as fleet:
        assert fleet.cluster_id == "c"
    assert len(system.of(rpc.DescribeClusterRequest)) == 2
