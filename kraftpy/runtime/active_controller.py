"""The way from this node's own machines to the active controller.

Raft knows which node leads and where it listens, so there is nothing to find: a node whose own controller is the active
one submits the request to it, and every other node sends it to the leader over Kafka's protocol. A leader that is not
the active controller refuses with NOT_CONTROLLER, and the machine repeats the call after a pause.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from kraftpy.controller.requests import ControllerRequest, ControllerResponse
from kraftpy.image import MetadataPublisher
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft.replica import Replica
from kraftpy.runtime.backend import NodeBackend
from kraftpy.transport.node_api import Committed, WriteRequest


class RemoteCalls(Protocol):
    """The connections to other controllers; ``transport.kafka.controller_calls`` satisfies it."""

    async def call(
        self, node_id: NodeId, endpoint: Endpoint, request: ControllerRequest, timeout_ms: int
    ) -> ControllerResponse:
        """Make one call to a controller; errors as in ``registration_drivers.ControlChannel``."""
        ...

    def leader_changed(self, leader_id: NodeId) -> None:
        """Fail what is in flight to every other node with NOT_CONTROLLER."""
        ...


class ActiveController(MetadataPublisher):
    """Calls the active controller, in this process or in another one.

    It is also a publisher: a call to a node that does not lead any more fails at once.

    Args:
        replica: knows the leader.
        backend: takes the calls for this node's own controller.
        listener_name: the controllers' listener; a leader that names none of its listeners so is called at its first.
    """

    name = "active-controller"

    def __init__(self, replica: Replica, backend: NodeBackend, listener_name: str) -> None:
        self._replica = replica
        self._backend = backend
        self._listener_name = listener_name
        self._remote: RemoteCalls | None = None

    def attach(self, remote: RemoteCalls) -> None:
        """Set the connections to other controllers, before the first call."""
        self._remote = remote

    async def call(self, request: ControllerRequest, timeout_ms: int) -> ControllerResponse:
        """Make one call; errors as in ``registration_drivers.ControlChannel``."""
        leader_id = self._replica.leader.leader_id
        if leader_id is None:
            raise ApiError(ErrorCode.NOT_CONTROLLER, "no leader of the quorum is known")
        if leader_id == self._replica.key.node_id:
            return await self._submit(request, timeout_ms)
        endpoints = self._replica.leader_endpoints
        if not endpoints:
            raise ApiError(ErrorCode.NOT_CONTROLLER, f"it is not known where node {leader_id}, the leader, listens")
        named = (one for one in endpoints if one.name == self._listener_name)
        endpoint = next(named, endpoints[0])
        assert self._remote is not None, "attached before the first call"
        return await self._remote.call(leader_id, endpoint, request, timeout_ms)

    async def _submit(self, request: ControllerRequest, timeout_ms: int) -> ControllerResponse:
        async with asyncio.timeout(timeout_ms / 1_000):
            [outcome] = await self._backend.submit_many([WriteRequest(request, timeout_ms=timeout_ms)])
        if isinstance(outcome, Committed):
            return outcome.response
        raise outcome

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Fail the calls to the leader before."""
        if self._remote is not None and leader.leader_id is not None:
            self._remote.leader_changed(leader.leader_id)
