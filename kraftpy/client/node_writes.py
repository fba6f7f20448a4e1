"""The writes of a client that is a node: registrations and heartbeats."""

from __future__ import annotations

from kraftpy.client import values as v
from kraftpy.client import wire
from kraftpy.client.calls import ClusterCalls
from kraftpy.model.registrations import BrokerHeartbeat, RegisterBroker, RegisterController


class NodeWrites(ClusterCalls):
    """What nodes report about themselves."""

    async def register_broker(self, request: RegisterBroker, *, timeout_s: float | None = None) -> v.BrokerRegistered:
        """Register a broker process; the result has the broker epoch of later calls."""
        options = self._options(validate_only=request.validate_only)
        answer = await self._write(
            "register_broker", wire.register_broker(request, options), timeout_s, may_repeat=True
        )
        return v.BrokerRegistered(wire.position(answer.position), answer.broker_epoch)

    async def broker_heartbeat(
        self, request: BrokerHeartbeat, *, timeout_s: float | None = None
    ) -> v.HeartbeatAnswered:
        """Report that a broker is alive."""
        options = self._options(validate_only=request.validate_only)
        message = wire.broker_heartbeat(request, options)
        return wire.heartbeat_answered(await self._write("broker_heartbeat", message, timeout_s, may_repeat=True))

    async def register_controller(self, request: RegisterController, *, timeout_s: float | None = None) -> v.Position:
        """Register a controller process."""
        options = self._options(validate_only=request.validate_only)
        message = wire.register_controller(request, options)
        answer = await self._write("register_controller", message, timeout_s, may_repeat=True)
        return wire.position(answer.position)
