"""A node's own calls to the active controller: registrations and heartbeats, over connections of their own.

Kafka's controllers read no further request of a connection while they process one, and any controller answers requests
in their order. On the connection that replication uses, a heartbeat would wait for a pending fetch, and a registration
could wait for a commit whose fetch waits for the registration. So these calls have their own connection to the
controller, as in Kafka (``NodeToControllerChannelManager``).

Nothing is repeated here and no leader is looked for: the machines of ``kraftpy.broker`` repeat a call, and raft knows
the leader. Repeating is safe because each call is idempotent: a registration carries the process's incarnation id, a
heartbeat its broker epoch.

Source: KIP-631 §Broker Registration, §Broker Heartbeats; KIP-919.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, Self, TypeAlias, Unpack

from kraftpy.controller.broker_id_requests import AssignBrokerId, AssignBrokerIdResponse, BrokerIdSource
from kraftpy.controller.requests import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    ControllerRequest,
    ControllerResponse,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    RegisterControllerResponse,
)
from kraftpy.model.errors import ApiError, ErrorCode, MalformedError
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.voters import Endpoint
from kraftpy.raft.ready import Failure
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.channel import ConnectionOptions, NodeConnections
from kraftpy.transport.kafka.translate.common import error_code
from kraftpy.transport.kafka.translate.wire_api import WireApi

_FAILURES: Final = {Failure.UNSUPPORTED_VERSION: ErrorCode.UNSUPPORTED_VERSION}
"""What a failure means to the caller; NETWORK_EXCEPTION unless it is listed here."""

FEATURES_FROM_ZERO_VERSION: Final = 4
"""From this version of BrokerRegistration on, a feature may begin at level 0. Source: KAFKA-17492."""

CORDONED_VERSION: Final = 2
"""From this version of BrokerHeartbeat on, it names cordoned directories. Source: KIP-1066."""

REASON_IS_LOGGED: Final = "the active controller's log has the reason"
REASONS: Final = {
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: f"this node's certificate does not name it; {REASON_IS_LOGGED}",
    ErrorCode.DUPLICATE_BROKER_REGISTRATION: "another process with this node.id is registered. After a restart this "
    "resolves itself when its session ends; if not, two processes have the same node.id",
    ErrorCode.INCONSISTENT_CLUSTER_ID: "the active controller belongs to another cluster than this node",
    ErrorCode.NOT_CONTROLLER: "the leader is not the active controller yet, or not any more",
    ErrorCode.STALE_BROKER_EPOCH: "the active controller does not know this registration",
}
"""What a refusal means: brokers' calls are refused by number alone, and the controller logs the text."""


@dataclass(frozen=True, slots=True)
class NodeCall:
    """One call on its way; see ``kraftpy.raft.ready.Send``."""

    node_id: NodeId
    endpoint: Endpoint
    correlation: int
    request: ControllerRequest
    timeout_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCallApi(WireApi):
    """How one kind of call is translated."""

    response_from_wire: Callable[[Any], ControllerResponse]

    def read_response(self, message: Any, listener_name: str) -> ControllerResponse | ApiError:
        """Return the value of a response, or the error of a refusal; see :class:`WireApi`."""
        del listener_name
        if self.api_key != message.API_KEY:
            raise MalformedError(f"{message.NAME} answers a {self.name}")
        code = error_code(message.error_code)
        if code is not ErrorCode.NONE:
            text = getattr(message, "error_message", None)
            return ApiError(code, text or REASONS.get(code, f"error {message.error_code}; {REASON_IS_LOGGED}"))
        return self.response_from_wire(message)


def _broker_to_wire(request: RegisterBroker, version: int) -> rpc.BrokerRegistrationRequest:
    lowest = 0 if version >= FEATURES_FROM_ZERO_VERSION else 1
    return rpc.BrokerRegistrationRequest(
        broker_id=request.broker_id,
        cluster_id=request.cluster_id or "",
        incarnation_id=request.incarnation_id,
        listeners=[
            rpc.BrokerRegistrationRequestListener(one.name, one.host, one.port, one.security_protocol)
            for one in request.listeners
        ],
        features=[
            rpc.BrokerRegistrationRequestFeature(one.name, one.min_level, one.max_level)
            for one in request.features
            if one.min_level >= lowest
        ],
        rack=request.rack,
        log_dirs=list(request.log_dirs),
        saturated_log_dirs=_maybe(request.saturated_log_dirs),
        previous_broker_epoch=request.previous_broker_epoch,
        host=request.host,
    )


def _broker_from_wire(message: rpc.BrokerRegistrationResponse) -> RegisterBrokerResponse:
    return RegisterBrokerResponse(broker_epoch=message.broker_epoch)


def _heartbeat_to_wire(request: BrokerHeartbeat, version: int) -> rpc.BrokerHeartbeatRequest:
    cordoned = request.cordoned_log_dirs if version >= CORDONED_VERSION else None
    return rpc.BrokerHeartbeatRequest(
        broker_id=request.broker_id,
        broker_epoch=request.broker_epoch,
        current_metadata_offset=request.metadata_offset,
        want_fence=request.want_fence,
        want_shut_down=request.want_shutdown,
        offline_log_dirs=list(request.offline_log_dirs),
        cordoned_log_dirs=_maybe(cordoned),
        saturated_log_dirs=_maybe(request.saturated_log_dirs),
    )


def _maybe(directories: Sequence[Uuid] | None) -> list[Uuid] | None:
    return None if directories is None else list(directories)


def _heartbeat_from_wire(message: rpc.BrokerHeartbeatResponse) -> BrokerHeartbeatResponse:
    """Read a response; the wire does not carry whether the controlled shutdown has begun."""
    return BrokerHeartbeatResponse(
        is_caught_up=message.is_caught_up,
        is_fenced=message.is_fenced,
        in_controlled_shutdown=False,
        should_shut_down=message.should_shut_down,
    )


def _controller_to_wire(request: RegisterController, version: int) -> rpc.ControllerRegistrationRequest:
    del version
    return rpc.ControllerRegistrationRequest(
        controller_id=request.controller_id,
        incarnation_id=request.incarnation_id,
        listeners=[
            rpc.ControllerRegistrationRequestListener(one.name, one.host, one.port, one.security_protocol)
            for one in request.listeners
        ],
        features=[
            rpc.ControllerRegistrationRequestFeature(one.name, one.min_level, one.max_level) for one in request.features
        ],
    )


def _controller_from_wire(message: rpc.ControllerRegistrationResponse) -> RegisterControllerResponse:
    del message
    return RegisterControllerResponse()


class LeaderElsewhereError(ApiError):
    """Another controller is the active one.

    Attributes:
        leader: where it listens; ``None`` when that is not known.
    """

    def __init__(self, text: str, leader: tuple[str, int] | None) -> None:
        super().__init__(ErrorCode.NOT_CONTROLLER, text)
        self.leader = leader


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerIdApi(NodeCallApi):
    """AssignBrokerId: a broker that asks for an id does not follow the quorum yet, so a refusal names the leader."""

    def read_response(self, message: Any, listener_name: str) -> ControllerResponse | ApiError:
        """Return the value of a response, or the error of a refusal; see :class:`WireApi`."""
        answer = NodeCallApi.read_response(self, message, listener_name)
        if isinstance(answer, ApiError) and answer.code is ErrorCode.NOT_CONTROLLER:
            leader = None if message.leader_host is None else (message.leader_host, message.leader_port)
            return LeaderElsewhereError(answer.message, leader)
        return answer


def _broker_id_to_wire(request: AssignBrokerId, version: int) -> rpc.AssignBrokerIdRequest:
    del version
    return rpc.AssignBrokerIdRequest(host=request.host, incarnation_id=request.incarnation_id)


def _broker_id_from_wire(message: rpc.AssignBrokerIdResponse) -> AssignBrokerIdResponse:
    if message.broker_id < 0 or message.source not in list(BrokerIdSource):
        raise MalformedError(f"it assigns the broker id {message.broker_id} from the source {message.source}")
    return AssignBrokerIdResponse(broker_id=message.broker_id, source=BrokerIdSource(message.source))


def _api(
    wire: type[Message], to_wire: Callable[[Any, int], Message], from_wire: Callable[[Any], ControllerResponse]
) -> NodeCallApi:
    return NodeCallApi(
        api_key=wire.API_KEY,
        name=wire.NAME,
        min_version=wire.MIN_VERSION,
        max_version=wire.MAX_VERSION,
        request_to_wire=to_wire,
        response_from_wire=from_wire,
    )


APIS: Final[dict[type[Any], NodeCallApi]] = {
    RegisterBroker: _api(rpc.BrokerRegistrationRequest, _broker_to_wire, _broker_from_wire),
    BrokerHeartbeat: _api(rpc.BrokerHeartbeatRequest, _heartbeat_to_wire, _heartbeat_from_wire),
    AssignBrokerId: BrokerIdApi(
        api_key=rpc.AssignBrokerIdRequest.API_KEY,
        name=rpc.AssignBrokerIdRequest.NAME,
        min_version=rpc.AssignBrokerIdRequest.MIN_VERSION,
        max_version=rpc.AssignBrokerIdRequest.MAX_VERSION,
        request_to_wire=_broker_id_to_wire,
        response_from_wire=_broker_id_from_wire,
    ),
    RegisterController: _api(rpc.ControllerRegistrationRequest, _controller_to_wire, _controller_from_wire),
}
"""By the class of the request's value."""

CODECS: Final = (
    rpc.BrokerRegistrationRequest,
    rpc.BrokerRegistrationResponse,
    rpc.BrokerHeartbeatRequest,
    rpc.BrokerHeartbeatResponse,
    rpc.ControllerRegistrationRequest,
    rpc.ControllerRegistrationResponse,
    rpc.AssignBrokerIdRequest,
    rpc.AssignBrokerIdResponse,
)

Answer: TypeAlias = ControllerResponse | ApiError | Failure


class ControllerCalls:
    """Makes these calls; ``async with`` it, so that no connection outlives it.

    Args:
        client_id: see :class:`NodeConnections`.
        **options: see :class:`ConnectionOptions`.
    """

    def __init__(self, client_id: str, **options: Unpack[ConnectionOptions]) -> None:
        self._connections = NodeConnections(client_id, APIS, self._settle, self._settle, options)
        self._numbers = itertools.count()
        self._waiting: dict[int, tuple[NodeId, asyncio.Future[Answer]]] = {}
        rpc.CODECS.load(*CODECS)

    async def __aenter__(self) -> Self:
        """Start to accept calls."""
        await self._connections.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close every connection; what is in flight fails with NETWORK_EXCEPTION."""
        await self._connections.close()

    async def call(
        self, node_id: NodeId, endpoint: Endpoint, request: ControllerRequest, timeout_ms: int
    ) -> ControllerResponse:
        """Make one call to a controller.

        Raises:
            ApiError: the controller refused, NETWORK_EXCEPTION: it cannot be reached, or UNSUPPORTED_VERSION.
            TimeoutError: no response came in time; the controller may have carried out the call.
        """
        number = next(self._numbers)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = node_id, answer
        try:
            self._connections.send(NodeCall(node_id, endpoint, number, request, timeout_ms))
            outcome = await answer
        finally:
            self._waiting.pop(number, None)
        if isinstance(outcome, Failure):
            named = f"controller {node_id}" if node_id >= 0 else "the controller"
            _raise(outcome, f"{named} at {endpoint.host}:{endpoint.port}")
        if isinstance(outcome, ApiError):
            raise outcome
        return outcome

    def leader_changed(self, leader_id: NodeId) -> None:
        """Fail what is in flight to every other node with NOT_CONTROLLER: its machine then calls the new leader."""
        for number, (node_id, _) in list(self._waiting.items()):
            if node_id != leader_id:
                text = f"node {leader_id} leads now; node {node_id}, which had this call, did not answer it before"
                self._settle(number, ApiError(ErrorCode.NOT_CONTROLLER, text))

    def _settle(self, correlation: int, outcome: Answer) -> None:
        """Complete a call; what comes later, or after the caller has left, is ignored."""
        _, answer = self._waiting.pop(correlation, (None, None))
        if answer is not None and not answer.done():
            answer.set_result(outcome)


def _raise(failure: Failure, controller: str) -> NoReturn:
    if failure is Failure.TIMED_OUT:
        raise TimeoutError(f"{controller}: no response in time")
    raise ApiError(_FAILURES.get(failure, ErrorCode.NETWORK_EXCEPTION), f"{controller}: {failure.value}")
