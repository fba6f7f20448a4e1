"""Who belongs to the cluster: registrations of controllers and brokers, heartbeats, and the list of controllers.

Source: KIP-631 §Broker Registration, §Broker Heartbeats; KIP-919.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final

from kraftpy.controller.requests import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    UnregisterBroker,
    UnregisterController,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.features import CONTROLLER_REGISTRATION_LEVEL
from kraftpy.model.ids import NO_NODE, NodeId, Uuid
from kraftpy.model.registrations import PUBLIC_API_LISTENER, Listener, SupportedFeature
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import MetadataView, Outcome

LOG: Final = logging.getLogger("kraftpy.transport.kafka")

CONTROLLERS: Final = 2
"""The endpoint type of controllers in DescribeCluster; 1 is brokers'."""
BROKERS: Final = 1
TYPES_VERSION: Final = 1
"""From this version on DescribeCluster has endpoint types; before, all are brokers'. Source: KIP-919."""


def describe_cluster(
    message: rpc.DescribeClusterRequest, version: int, view: MetadataView, leader_id: NodeId | None, listener_name: str
) -> rpc.DescribeClusterResponse:
    """List the registered controllers, at the endpoints that speak this protocol.

    Where they serve the public API is added as a tagged field, which Kafka's clients skip.
    """
    if view.image.level < CONTROLLER_REGISTRATION_LEVEL:
        text = "Direct-to-controller communication is not supported with the current MetadataVersion."
        return cluster_refused(ApiError(ErrorCode.UNSUPPORTED_VERSION, text), version)
    asked = message.endpoint_type
    if asked != CONTROLLERS:
        if asked == BROKERS:
            code = ErrorCode.MISMATCHED_ENDPOINT_TYPE if version >= TYPES_VERSION else ErrorCode.INVALID_REQUEST
            text = "The request was sent to an endpoint of type CONTROLLER, but we wanted an endpoint of type BROKER"
        else:
            code, text = ErrorCode.UNSUPPORTED_ENDPOINT_TYPE, f"Unsupported endpoint type {asked}"
        return rpc.DescribeClusterResponse(error_code=code, error_message=text, endpoint_type=BROKERS)
    registered = [
        (node_id, one)
        for node_id, registration in sorted(view.image.cluster.controllers.items())
        for one in registration.listeners
    ]
    return rpc.DescribeClusterResponse(
        endpoint_type=CONTROLLERS,
        cluster_id=view.cluster_id or "",
        controller_id=NO_NODE if leader_id is None else leader_id,
        brokers=[
            rpc.DescribeClusterResponseDescribeClusterBroker(broker_id=node_id, host=one.host, port=one.port)
            for node_id, one in registered
            if one.name == listener_name
        ],
        public_api_endpoints=[
            rpc.DescribeClusterResponsePublicApiEndpoint(node_id, one.host, one.port, one.security_protocol)
            for node_id, one in registered
            if one.name == PUBLIC_API_LISTENER
        ],
    )


def cluster_refused(refused: ApiError, version: int) -> rpc.DescribeClusterResponse:
    """Answer that this node cannot say who is in the cluster; clients repeat OFFSET_NOT_AVAILABLE."""
    return rpc.DescribeClusterResponse(
        error_code=refused.code,
        error_message=refused.message,
        endpoint_type=CONTROLLERS if version >= TYPES_VERSION else BROKERS,
        cluster_id="",
    )


def controller_from_wire(message: rpc.ControllerRegistrationRequest, version: int) -> RegisterController:
    """Read a controller's registration; what it says about ZooKeeper is history."""
    del version
    return RegisterController(
        controller_id=message.controller_id,
        incarnation_id=message.incarnation_id,
        listeners=_listeners(message.listeners),
        features=_features(message.features),
    )


def controller_to_wire(outcome: Outcome, message: Any) -> rpc.ControllerRegistrationResponse:
    """Write what became of it."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.ControllerRegistrationResponse(error_code=outcome.code, error_message=outcome.message)
    return rpc.ControllerRegistrationResponse(error_message=None)


def broker_from_wire(message: rpc.BrokerRegistrationRequest, version: int) -> RegisterBroker:
    """Read a broker's registration."""
    del version
    return RegisterBroker(
        broker_id=message.broker_id,
        cluster_id=message.cluster_id,
        incarnation_id=message.incarnation_id,
        listeners=_listeners(message.listeners),
        features=_features(message.features),
        rack=message.rack,
        log_dirs=tuple(message.log_dirs),
        saturated_log_dirs=_maybe(message.saturated_log_dirs),
        previous_broker_epoch=message.previous_broker_epoch,
        host=message.host,
        is_migrating_zk_broker=message.is_migrating_zk_broker,
    )


def broker_to_wire(outcome: Outcome, message: Any) -> rpc.BrokerRegistrationResponse:
    """Write the epoch that was given; the message has no field for a reason, so it is logged here, as in Kafka."""
    if isinstance(outcome, ApiError):
        if outcome.code is not ErrorCode.NOT_CONTROLLER:
            reason = f"{outcome.code.name}: {outcome.message}"
            LOG.info("broker_registration_refused broker_id=%d reason=%s", message.broker_id, reason)
        return rpc.BrokerRegistrationResponse(error_code=outcome.code)
    assert isinstance(outcome.response, RegisterBrokerResponse)
    return rpc.BrokerRegistrationResponse(broker_epoch=outcome.response.broker_epoch)


def heartbeat_from_wire(message: rpc.BrokerHeartbeatRequest, version: int) -> BrokerHeartbeat:
    """Read a heartbeat; absent lists of directories stay absent, which is not the same as empty."""
    del version
    return BrokerHeartbeat(
        broker_id=message.broker_id,
        broker_epoch=message.broker_epoch,
        metadata_offset=message.current_metadata_offset,
        want_fence=message.want_fence,
        want_shutdown=message.want_shut_down,
        offline_log_dirs=tuple(message.offline_log_dirs),
        cordoned_log_dirs=_maybe(message.cordoned_log_dirs),
        saturated_log_dirs=_maybe(message.saturated_log_dirs),
    )


def _maybe(directories: Sequence[Uuid] | None) -> tuple[Uuid, ...] | None:
    return None if directories is None else tuple(directories)


def heartbeat_to_wire(outcome: Outcome, message: Any) -> rpc.BrokerHeartbeatResponse:
    """Write where the controller sees the broker."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.BrokerHeartbeatResponse(error_code=outcome.code)
    done = outcome.response
    assert isinstance(done, BrokerHeartbeatResponse)
    return rpc.BrokerHeartbeatResponse(
        is_caught_up=done.is_caught_up, is_fenced=done.is_fenced, should_shut_down=done.should_shut_down
    )


def unregister_from_wire(message: rpc.UnregisterBrokerRequest, version: int) -> UnregisterBroker:
    """Read which broker is to be forgotten."""
    del version
    return UnregisterBroker(broker_id=message.broker_id)


def unregister_to_wire(outcome: Outcome, message: Any) -> rpc.UnregisterBrokerResponse:
    """Write what became of it."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.UnregisterBrokerResponse(error_code=outcome.code, error_message=outcome.message)
    return rpc.UnregisterBrokerResponse(error_message="")


def controller_removal_from_wire(message: rpc.UnregisterControllerRequest, version: int) -> UnregisterController:
    """Read which controller is to be forgotten."""
    del version
    return UnregisterController(controller_id=message.controller_id)


def controller_removal_to_wire(outcome: Outcome, message: Any) -> rpc.UnregisterControllerResponse:
    """Write what became of it."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.UnregisterControllerResponse(error_code=outcome.code, error_message=outcome.message)
    return rpc.UnregisterControllerResponse(error_message="")


def _listeners(listeners: Sequence[Any]) -> tuple[Listener, ...]:
    return tuple(Listener(one.name, one.host, one.port, one.security_protocol) for one in listeners)


def _features(features: Sequence[Any]) -> tuple[SupportedFeature, ...]:
    return tuple(SupportedFeature(one.name, one.min_supported_version, one.max_supported_version) for one in features)
