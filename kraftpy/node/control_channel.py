"""The way from this node's own agents to the active controller."""

from __future__ import annotations

from kraftpy.controller.requests import ControllerRequest, ControllerResponse
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.node.config import NodeConfig
from kraftpy.runtime.backend import NodeBackend
from kraftpy.transport.grpc.backend import Committed, Submission


class ActiveControllerChannel:
    """Calls this node's own controller when it is the active one, and the leader's public API otherwise."""

    def __init__(self, *, config: NodeConfig, backend: NodeBackend) -> None:
        self._config = config
        self._backend = backend

    async def call(self, request: ControllerRequest, timeout_ms: int) -> ControllerResponse:
        """Make one call; errors as in ``runtime.agents.ControlChannel``."""
        hint = self._backend.leader_hint()
        if hint is None:
            raise ApiError(ErrorCode.NOT_CONTROLLER, "No controller appears to be active.")
        if hint.node_id == self._config.node_id:
            outcome = (await self._backend.submit_many([Submission(request, timeout_ms=timeout_ms)]))[0]
            if isinstance(outcome, Committed):
                return outcome.response
            raise outcome
        raise ApiError(ErrorCode.NOT_CONTROLLER, "not wired yet")

    async def close(self) -> None:
        pass
