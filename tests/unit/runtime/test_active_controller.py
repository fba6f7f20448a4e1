"""Calls to the active controller: in this process when it is this node, and over the wire to the leader otherwise."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.registrations import BrokerHeartbeat, BrokerHeartbeatResponse
from kraftpy.model.voters import Endpoint
from kraftpy.runtime.active_controller import ActiveController
from kraftpy.transport.node_api import Committed

HEARTBEAT = BrokerHeartbeat(broker_id=7, broker_epoch=9, metadata_offset=40)
RESPONSE = BrokerHeartbeatResponse(
    is_caught_up=True, is_fenced=True, in_controlled_shutdown=False, should_shut_down=False
)
OWN = 7
TIMEOUT_MS = 500
OTHERS = (Endpoint("SSL", "h", 1), Endpoint("CONTROLLER", "h", 2))


class Backend:
    """This node's own controller."""

    def __init__(self):
        self.outcome = Committed(RESPONSE, offset=1, epoch=1)
        self.writes = []

    async def submit_many(self, writes):
        self.writes += writes
        if self.outcome is None:
            await asyncio.Event().wait()
        return [self.outcome]


class Remote:
    """The connections to other controllers."""

    def __init__(self):
        self.calls = []
        self.leaders = []

    async def call(self, *call):
        self.calls.append(call)
        return RESPONSE

    def leader_changed(self, leader_id):
        self.leaders.append(leader_id)


class World:
    def __init__(self, leader_id, endpoints=()):
        self.backend, self.remote = Backend(), Remote()
        replica = SimpleNamespace(
            leader=LeaderAndEpoch(leader_id, 3), leader_endpoints=endpoints, key=SimpleNamespace(node_id=OWN)
        )
        self.controller = ActiveController(replica, self.backend, "CONTROLLER")
        self.controller.attach(self.remote)

    async def call(self, timeout_ms=TIMEOUT_MS):
        return await self.controller.call(HEARTBEAT, timeout_ms)


async def test_this_node_leads():
    """Its own controller is asked in this process, for as long as the machine waits."""
    world = World(OWN)
    assert await world.call() == RESPONSE
    (write,) = world.backend.writes
    assert (write.request, write.timeout_ms) == (HEARTBEAT, TIMEOUT_MS)
    world.backend.outcome = ApiError(ErrorCode.STALE_BROKER_EPOCH, "who?")
    with pytest.raises(ApiError, match="who"):
        await world.call()
    world.backend.outcome = None
    with pytest.raises(TimeoutError):
        await world.call(timeout_ms=1)
    assert world.remote.calls == []


async def test_another_node_leads():
    """It is called where it listens for controllers, by the listener's name or else at its first listener."""
    world = World(2, OTHERS)
    assert await world.call() == RESPONSE
    named_otherwise = World(2, OTHERS[:1])
    await named_otherwise.call()
    assert world.remote.calls == [(2, OTHERS[1], HEARTBEAT, TIMEOUT_MS)]
    assert named_otherwise.remote.calls == [(2, OTHERS[0], HEARTBEAT, TIMEOUT_MS)]
    assert world.backend.writes == []


@pytest.mark.parametrize("leader_id", [None, 2])
async def test_no_leader_can_be_called(leader_id):
    """Without a leader, or without its address, the call fails at once; the machine repeats it."""
    world = World(leader_id)
    with pytest.raises(ApiError) as refused:
        await world.call()
    assert refused.value.code is ErrorCode.NOT_CONTROLLER
    assert world.remote.calls == []


def test_a_new_leader_ends_the_calls_to_the_one_before():
    """An election alone ends nothing: the leader before may still answer."""
    world = World(2, OTHERS)
    world.controller.on_controller_change(LeaderAndEpoch(None, 4))
    assert world.remote.leaders == []
    world.controller.on_controller_change(LeaderAndEpoch(3, 5))
    assert world.remote.leaders == [3]
