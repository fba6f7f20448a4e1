"""The tasks that call the active controller for this node's own machines.

A machine (a broker's lifecycle, a controller's registration) returns the call to make and its next deadline; its driver
waits, makes the call, and steps the machine with the response. One call of a machine is in flight at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import structlog

from kraftpy.broker.controller_registration import ControllerRegistrar
from kraftpy.broker.lifecycle import BrokerLifecycle
from kraftpy.broker.outputs import (
    GiveUp,
    Output,
    SendControllerRegistration,
    SendHeartbeat,
    SendRegistration,
    StateChanged,
)
from kraftpy.controller.requests import ControllerRequest, ControllerResponse
from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.model.errors import ApiError, ErrorCode, KraftError
from kraftpy.model.ids import Uuid
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.registrations import BrokerHeartbeatResponse, RegisterBrokerResponse
from kraftpy.runtime.clock import Clock

_log = structlog.get_logger("kraftpy.registration")


class ControlChannel(Protocol):
    """The way to the active controller, whichever node that is."""

    async def call(self, request: ControllerRequest, timeout_ms: int) -> ControllerResponse:
        """Make one call.

        Raises:
            ApiError: the controller refused, no controller is known, or the one that is known cannot be reached.
            TimeoutError: no response came in time.
        """
        ...


class _Timer:
    """Wakes a driver at its machine's next deadline, or when something happened."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._event = asyncio.Event()

    def wake(self) -> None:
        self._event.set()

    async def wait(self, deadline_ms: int | None) -> None:
        self._event.clear()
        timeout = None if deadline_ms is None else max(0, deadline_ms - self._clock.now_ms()) / 1_000
        try:
            async with asyncio.timeout(timeout):
                await self._event.wait()
        except TimeoutError:
            return


class BrokerLifecycleDriver(MetadataPublisher):
    """Runs a broker's lifecycle; also the publisher that steps it.

    Args:
        lifecycle: the machine.
        channel: the way to the active controller.
        clock: the node's.
        on_give_up: called with the reason when the process has to stop.
    """

    name = "broker"

    def __init__(
        self, *, lifecycle: BrokerLifecycle, channel: ControlChannel, clock: Clock, on_give_up: Callable[[str], None]
    ) -> None:
        self.lifecycle = lifecycle
        self._channel = channel
        self._clock = clock
        self._on_give_up = on_give_up
        self._timer = _Timer(clock)
        self._calls: asyncio.TaskGroup | None = None
        self._over = asyncio.Event()
        self._published_once = False

    # ---------------------------------------------------------------- the task

    async def run(self) -> None:
        """Run until the machine is over."""
        async with asyncio.TaskGroup() as self._calls:
            # A node that is stopped while it starts closes the machine before this task has its first turn.
            if not self.lifecycle.is_over:
                self._carry_out(self.lifecycle.start(self._clock.now_ms()))
            while not self.lifecycle.is_over:
                await self._timer.wait(self.lifecycle.next_deadline_ms())
                self._carry_out(self.lifecycle.tick(self._clock.now_ms()))
        self._over.set()

    async def leave(self, timeout_ms: int) -> bool:
        """Leave in order: controlled shutdown if the broker serves.

        Returns:
            Whether the controller let it go in time.
        """
        self._carry_out(self.lifecycle.begin_controlled_shutdown(self._clock.now_ms()))
        try:
            async with asyncio.timeout(timeout_ms / 1_000):
                await self._over.wait()
        except TimeoutError:
            self._carry_out(self.lifecycle.close())
            return False
        return True

    # ---------------------------------------------------------------- inputs

    def cluster_id_known(self, cluster_id: str) -> None:
        """Let it register, now that the id is durable here."""
        self._carry_out(self.lifecycle.cluster_id_known(self._clock.now_ms(), cluster_id))

    def log_dir_failed(self, directory_id: Uuid) -> None:
        """Report to the controller that a log directory is lost."""
        self._carry_out(self.lifecycle.log_dir_failed(self._clock.now_ms(), directory_id))

    def log_dir_saturated(self, directory_id: Uuid) -> None:
        """Report to the controller that a log directory is full."""
        self._carry_out(self.lifecycle.log_dir_saturated(self._clock.now_ms(), directory_id))

    def log_dir_has_space(self, directory_id: Uuid) -> None:
        """Report to the controller that a full log directory is online again."""
        self._carry_out(self.lifecycle.log_dir_has_space(self._clock.now_ms(), directory_id))

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Report progress; after the first publication the broker asks to be unfenced."""
        del delta, manifest
        now_ms = self._clock.now_ms()
        self._carry_out(self.lifecycle.metadata_published(now_ms, image.provenance.offset, image))
        if not self._published_once:
            self._published_once = True
            self._carry_out(self.lifecycle.ready_to_unfence(now_ms))

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Call the new leader without the pauses that its predecessor caused."""
        if leader.leader_id is not None:
            self._carry_out(self.lifecycle.leader_changed(self._clock.now_ms()))

    def close(self) -> None:
        """End, if it has not ended."""
        self._carry_out(self.lifecycle.close())

    # ---------------------------------------------------------------- outputs

    def _carry_out(self, outputs: tuple[Output, ...]) -> None:
        for output in outputs:
            match output:
                case SendRegistration() | SendHeartbeat():
                    assert self._calls is not None, "a machine that was not started sends nothing"
                    self._calls.create_task(self._call(output))
                case StateChanged(before, after):
                    _log.info("broker_state_changed", before=before.name.lower(), after=after.name.lower())
                case GiveUp(reason):
                    self._on_give_up(reason)
        self._timer.wake()

    async def _call(self, output: SendRegistration | SendHeartbeat) -> None:
        is_heartbeat = isinstance(output, SendHeartbeat)
        machine = self.lifecycle
        try:
            response = await self._channel.call(output.request, output.timeout_ms)
        except (KraftError, TimeoutError) as error:
            code, message = described(error)
            level = _log.debug if is_heartbeat else _log.info
            kind = type(output.request).__name__
            level("call_to_controller_failed", request=kind, error=code.name, message=message)
            failed = machine.heartbeat_failed if is_heartbeat else machine.registration_failed
            self._carry_out(failed(self._clock.now_ms(), code, message))
            return
        now_ms = self._clock.now_ms()
        if isinstance(response, BrokerHeartbeatResponse):
            self._carry_out(machine.heartbeat_succeeded(now_ms, response))
        elif isinstance(response, RegisterBrokerResponse):
            _log.info("broker_registered", broker_epoch=response.broker_epoch)
            self._carry_out(machine.registration_succeeded(now_ms, response))


class ControllerRegistrationDriver(MetadataPublisher):
    """Keeps this controller's own registration in the log."""

    name = "controller-registration"

    def __init__(self, *, registrar: ControllerRegistrar, channel: ControlChannel, clock: Clock) -> None:
        self._registrar = registrar
        self._channel = channel
        self._clock = clock
        self._timer = _Timer(clock)
        self._due: SendControllerRegistration | None = None

    async def run(self) -> None:
        """Send registrations when the machine wants them; runs until it is cancelled."""
        while True:
            self._note(self._registrar.tick(self._clock.now_ms()))
            if self._due is None:
                await self._timer.wait(self._registrar.next_deadline_ms())
                continue
            output, self._due = self._due, None
            try:
                await self._channel.call(output.request, output.timeout_ms)
            except (KraftError, TimeoutError) as error:
                code, message = described(error)
                kind = type(output.request).__name__
                _log.debug("call_to_controller_failed", request=kind, error=code.name, message=message)
                self._note(self._registrar.failed(self._clock.now_ms()))
            else:
                self._note(self._registrar.succeeded(self._clock.now_ms()))

    def _note(self, output: SendControllerRegistration | None) -> None:
        if output is not None:
            self._due = output
            self._timer.wake()

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Compare the image with what it should hold."""
        del manifest
        if delta.cluster is not None or delta.features is not None:
            self._note(self._registrar.metadata_published(self._clock.now_ms(), image))
            self._timer.wake()

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Call the new leader without the pauses that its predecessor caused."""
        self._note(self._registrar.leader_changed(self._clock.now_ms(), leader.leader_id))
        self._timer.wake()


def described(error: KraftError | TimeoutError) -> tuple[ErrorCode, str]:
    """Return a failed call as its machine knows it: a code and a text."""
    if isinstance(error, ApiError):
        return error.code, error.message
    if isinstance(error, TimeoutError):
        return ErrorCode.REQUEST_TIMED_OUT, "no response in time"
    return ErrorCode.BROKER_NOT_AVAILABLE, str(error)
