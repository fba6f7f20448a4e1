"""Control calls over Kafka's protocol: what Kafka's own controllers and admin client ask of a controller's listener.

A Kafka controller registers itself with the active controller, whoever that is, and tries again for minutes when it is
refused; Kafka's admin client learns from DescribeCluster which controllers there are. Both are needed in a quorum that
Kafka's nodes and ours share. A write is handed to the node's controller, which answers it once it is committed, and
refuses it with NOT_CONTROLLER when it is not the active one.

Source: KIP-919; Kafka ``ControllerApis``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.ids import NO_NODE, NodeId
from kraftpy.model.registrations import Listener, RegisterController, SupportedFeature
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.transport.grpc.backend import Outcome, Submission, View
from kraftpy.transport.kafka.apis import Api, WireRequest
from kraftpy.transport.kafka.listener import KafkaListener

REGISTRATION_TIMEOUT_MS: Final = 30_000
"""How long a registration may wait for its commit; Kafka's request has no field for it."""

CONTROLLERS: Final = 2
"""The endpoint type of controllers in DescribeCluster; 1 is brokers'."""

Submit = Callable[[Sequence[Submission], Callable[[list[Outcome]], None]], object]


class ControlCalls:
    """The rows that one controller listener offers besides Raft's.

    Args:
        listener: answers what comes later.
        listener_name: the listener's name, under which the other controllers registered theirs.
        submit: queues writes, and calls back with their outcomes; raises BusyError when it takes none.
        view: the newest published state.
        leader_id: the active controller, as far as it is known.
    """

    def __init__(
        self,
        listener: KafkaListener,
        *,
        listener_name: str,
        submit: Submit,
        view: Callable[[], View],
        leader_id: Callable[[], NodeId | None],
    ) -> None:
        self._listener = listener
        self._listener_name = listener_name
        self._submit = submit
        self._view = view
        self._leader_id = leader_id
        for request, handle in (
            (rpc.ControllerRegistrationRequest, self._register_controller),
            (rpc.DescribeClusterRequest, self._describe_cluster),
        ):
            listener.apis.add(Api(request.API_KEY, request.MIN_VERSION, request.MAX_VERSION, handle))

    def _register_controller(self, request: WireRequest) -> Message | None:
        assert isinstance(request.message, rpc.ControllerRegistrationRequest)
        submission = Submission(registration_from_wire(request.message), timeout_ms=REGISTRATION_TIMEOUT_MS)

        def answered(outcomes: list[Outcome]) -> None:
            self._listener.answer(request.token, registration_to_wire(outcomes[0]))

        try:
            self._submit([submission], answered)
        except BusyError as error:
            return rpc.ControllerRegistrationResponse(
                error_code=ErrorCode.THROTTLING_QUOTA_EXCEEDED, error_message=str(error)
            )
        return None

    def _describe_cluster(self, request: WireRequest) -> Message:
        assert isinstance(request.message, rpc.DescribeClusterRequest)
        asked = request.message.endpoint_type
        if asked != CONTROLLERS:
            return rpc.DescribeClusterResponse(
                error_code=ErrorCode.MISMATCHED_ENDPOINT_TYPE,
                error_message=f"this is a controller's listener (endpoint type {CONTROLLERS}), not one of type {asked}",
                endpoint_type=CONTROLLERS,
            )
        view, leader_id = self._view(), self._leader_id()
        return rpc.DescribeClusterResponse(
            endpoint_type=CONTROLLERS,
            cluster_id=view.cluster_id or "",
            controller_id=NO_NODE if leader_id is None else leader_id,
            brokers=[
                rpc.DescribeClusterResponseDescribeClusterBroker(broker_id=node_id, host=one.host, port=one.port)
                for node_id, registration in sorted(view.image.cluster.controllers.items())
                for one in registration.listeners
                if one.name == self._listener_name
            ],
        )


def registration_from_wire(message: rpc.ControllerRegistrationRequest) -> RegisterController:
    """Read a registration; what it says about ZooKeeper is history."""
    return RegisterController(
        controller_id=message.controller_id,
        incarnation_id=message.incarnation_id,
        listeners=tuple(Listener(one.name, one.host, one.port, one.security_protocol) for one in message.listeners),
        features=tuple(
            SupportedFeature(one.name, one.min_supported_version, one.max_supported_version) for one in message.features
        ),
    )


def registration_to_wire(outcome: Outcome) -> rpc.ControllerRegistrationResponse:
    """Write what became of it."""
    if isinstance(outcome, ApiError):
        return rpc.ControllerRegistrationResponse(error_code=outcome.code, error_message=outcome.message)
    return rpc.ControllerRegistrationResponse(error_message=None)
