"""The agents that talk to the active controller for a node's machines: one call at a time, and an orderly end."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.broker.controller_registration import ControllerIdentity, ControllerRegistrar
from kraftpy.broker.outputs import BrokerState
from kraftpy.image import EMPTY, MetadataDelta
from kraftpy.model.errors import ApiError, ConfigError, ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.registrations import (
    BrokerHeartbeat,
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    RegisterControllerResponse,
    SupportedFeature,
)
from kraftpy.runtime.registration_drivers import BrokerLifecycleDriver, ControllerRegistrationDriver, described
from tests.unit.broker.test_lifecycle import DIR_A, DIR_B, answer, broker
from tests.unit.controller.worlds import image_of, level_record
from tests.unit.runtime.parts import NoJitter

PATIENCE_S = 10
REFUSED = ApiError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, "another one lives")


class LoopClock:
    """The loop's own time, so that deadlines of the machines are reached in it."""

    def now_ms(self):
        return int(asyncio.get_running_loop().time() * 1_000)


class ScriptedChannel:
    """Answers calls when the test says so; fails the test when two are out at once."""

    def __init__(self):
        self.calls = asyncio.Queue()
        self.out = 0

    async def call(self, request, timeout_ms):
        assert self.out == 0, "one call at a time"
        self.out += 1
        future = asyncio.get_running_loop().create_future()
        await self.calls.put((request, future))
        try:
            return await future
        finally:
            self.out -= 1

    async def next(self, kind):
        """Wait for the next call, which must be of this kind."""
        request, future = await asyncio.wait_for(self.calls.get(), PATIENCE_S)
        assert isinstance(request, kind), request
        return request, future


class World:
    """A broker's agent, running."""

    def __init__(self, **changes):
        self.channel = ScriptedChannel()
        self.gave_up = []
        self.agent = BrokerLifecycleDriver(
            lifecycle=broker(**{"heartbeat_interval_ms": 20, **changes}),
            channel=self.channel,
            clock=LoopClock(),
            on_give_up=self.gave_up.append,
        )

    async def registered(self):
        """Start, register, and return the first heartbeat."""
        self.agent.cluster_id_known("the-cluster")
        self.task = asyncio.create_task(self.agent.run())
        _, call = await self.channel.next(RegisterBroker)
        call.set_result(RegisterBrokerResponse(broker_epoch=5))
        return await self.channel.next(BrokerHeartbeat)

    async def serving(self):
        """Go on until the broker runs and return its next heartbeat."""
        _, call = await self.registered()
        self.agent.on_metadata_update(MetadataDelta(EMPTY), image_of(level_record(40)), None)
        call.set_result(answer(caught_up=True, fenced=True))
        while self.agent.lifecycle.state is not BrokerState.RUNNING:
            request, call = await self.channel.next(BrokerHeartbeat)
            call.set_result(answer(caught_up=True, fenced=request.want_fence))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return await self.channel.next(BrokerHeartbeat)


async def test_a_whole_lifecycle():
    """A broker registers, heartbeats, is unfenced after its first image, and is let go: then the task ends."""
    world = World()
    request, call = await world.registered()
    assert (request.broker_epoch, request.want_fence) == (5, True)
    world.agent.on_metadata_update(MetadataDelta(EMPTY), image_of(level_record(40), offset=33), None)
    call.set_result(answer())
    request, call = await world.channel.next(BrokerHeartbeat)
    assert (request.metadata_offset, request.want_fence) == (33, False)
    call.set_result(answer(fenced=False))
    request, call = await world.channel.next(BrokerHeartbeat)
    assert world.agent.lifecycle.state is BrokerState.RUNNING
    leaving = asyncio.create_task(world.agent.leave(PATIENCE_S * 1_000))
    await asyncio.sleep(0)
    call.set_result(answer(fenced=False))
    request, call = await world.channel.next(BrokerHeartbeat)
    assert request.want_shutdown
    call.set_result(answer(fenced=False, leaving=True, go=True))
    assert await leaving is True
    await world.task
    assert world.gave_up == []


async def test_it_registers_only_with_a_cluster_id():
    """Without a cluster id nothing is sent; the registration follows its discovery at once."""
    world = World()
    world.task = asyncio.create_task(world.agent.run())
    for _ in range(10):
        await asyncio.sleep(0)
    assert world.channel.calls.empty()
    world.agent.cluster_id_known("the-cluster")
    request, call = await world.channel.next(RegisterBroker)
    assert request.cluster_id == "the-cluster"
    call.cancel()
    world.agent.close()
    await world.task


async def test_a_lost_directory_is_reported_at_once():
    """A log directory that fails is named in the next heartbeat, which does not wait for its interval."""
    world = World(heartbeat_interval_ms=3_600_000)
    _, call = await world.registered()
    world.agent.log_dir_failed(DIR_A)
    call.set_result(answer())
    request, call = await world.channel.next(BrokerHeartbeat)
    assert request.offline_log_dirs == (DIR_A,)
    world.agent.log_dir_failed(DIR_B)
    assert len(world.gave_up) == 1
    assert "no log directory is left" in world.gave_up[0]
    call.set_result(answer())
    await world.task


@pytest.mark.parametrize("error", [REFUSED, ConfigError("no controller's API is known"), TimeoutError()])
async def test_a_refused_call_is_repeated(error):
    """A call that fails in any of its ways is reported to the machine, which sends it again; the task goes on."""
    world = World()
    world.agent.cluster_id_known("the-cluster")
    world.task = asyncio.create_task(world.agent.run())
    _, call = await world.channel.next(RegisterBroker)
    call.set_exception(error)
    _, call = await world.channel.next(RegisterBroker)
    call.set_result(RegisterBrokerResponse(broker_epoch=5))
    _, call = await world.channel.next(BrokerHeartbeat)
    call.set_exception(error)
    _, call = await world.channel.next(BrokerHeartbeat)
    world.agent.close()
    call.set_result(answer())
    await world.task


async def test_it_gives_up_when_it_cannot_register():
    """A broker that is not registered in time says why, and its task ends."""
    world = World(initial_registration_timeout_ms=30)
    world.agent.cluster_id_known("the-cluster")
    world.task = asyncio.create_task(world.agent.run())
    _, call = await world.channel.next(RegisterBroker)
    call.set_exception(REFUSED)
    while not world.gave_up:
        if not world.channel.calls.empty():
            (await world.channel.next(RegisterBroker))[1].set_exception(REFUSED)
        await asyncio.sleep(0.001)
    assert "another one lives" in world.gave_up[0]
    await asyncio.wait_for(world.task, PATIENCE_S)


async def test_leaving_has_a_limit():
    """A broker that is not released stops at the deadline, and reports that it was not released."""
    world = World()
    _, call = await world.serving()
    assert await world.agent.leave(10) is False
    assert world.agent.lifecycle.is_over
    call.set_result(answer(fenced=False))
    await world.task


async def test_a_broker_that_does_not_serve_leaves_at_once():
    """A fenced broker has nothing to hand over: it leaves without asking."""
    world = World()
    _, call = await world.registered()
    leaving = asyncio.create_task(world.agent.leave(PATIENCE_S * 1_000))
    await asyncio.sleep(0)
    call.set_result(answer())
    assert await leaving is True
    await world.task
    assert world.channel.calls.empty()


async def test_a_stop_during_the_start_is_no_bug():
    """A node that is stopped before the broker's task had its first turn ends cleanly."""
    world = World()
    leaving = asyncio.create_task(world.agent.leave(PATIENCE_S * 1_000))
    await asyncio.sleep(0)
    await asyncio.wait_for(world.agent.run(), PATIENCE_S)
    assert await leaving is True
    assert world.channel.calls.empty()


def test_errors_have_a_code_for_the_machines():
    """Refusals keep their code, silence is a time-out, and a quorum out of reach is no available broker."""
    assert described(REFUSED) == (ErrorCode.DUPLICATE_BROKER_REGISTRATION, "another one lives")
    assert described(TimeoutError())[0] is ErrorCode.REQUEST_TIMED_OUT
    assert described(ConfigError("x")) == (ErrorCode.BROKER_NOT_AVAILABLE, "x")


# A controller's own registration.


@pytest.fixture
def registration():
    registrar = ControllerRegistrar(
        identity=ControllerIdentity(
            controller_id=1,
            incarnation_id=b"i" * 16,
            listeners=(Listener("CONTROLLER", "h", 9093),),
            features=(SupportedFeature("metadata.version", 7, 42),),
        ),
        jitter=NoJitter(),
    )
    channel = ScriptedChannel()
    return ControllerRegistrationDriver(registrar=registrar, channel=channel, clock=LoopClock()), registrar, channel


def publish(agent, image):
    delta = MetadataDelta(EMPTY)
    delta.replay(level_record(40))
    agent.on_metadata_update(delta, image, None)


async def test_a_controller_registers_until_it_is_in_the_image(registration):
    """The registration is sent when a leader is known, again after a failure, and not again once the image holds it."""
    agent, registrar, channel = registration
    task = asyncio.create_task(agent.run())
    publish(agent, image_of(level_record(40)))
    for _ in range(5):
        await asyncio.sleep(0)
    assert channel.calls.empty(), "nobody to ask"
    agent.on_controller_change(LeaderAndEpoch(2, 3))
    request, call = await channel.next(RegisterController)
    assert request.controller_id == 1
    call.set_exception(REFUSED)
    request, call = await channel.next(RegisterController)
    record = registered_record(request)
    call.set_result(RegisterControllerResponse())
    publish(agent, image_of(level_record(40), record))
    for _ in range(5):
        await asyncio.sleep(0)
    assert registrar.is_registered
    assert channel.calls.empty()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def registered_record(request):
    from tests.unit.controller.worlds import World as ControllerWorld

    (record,) = ControllerWorld(level=40).do(request)[0]
    return record
