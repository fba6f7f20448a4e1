"""What both wires know of nodes' identity: registrations and heartbeats are taken for the caller's own id alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final

from kraftpy.controller.account_requests import AllocateProducerIds
from kraftpy.controller.broker_id_requests import AssignBrokerId
from kraftpy.controller.partition_requests import AlterPartition, AssignReplicasToDirs
from kraftpy.controller.requests import BrokerHeartbeat, ControllerRequest, RegisterBroker, RegisterController
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import NodeRole, Principal, why_not
from kraftpy.model.ids import NodeId

LOG: Final = logging.getLogger("kraftpy.transport.identity")

CERTIFICATES_NAME_BROKERS: Final = (
    "certificates name the brokers here (controller.quorum.peer.identity=required), so none is assigned an id; set "
    "node.id to the one that the certificate names"
)


class NodeIdentity:
    """Compares what nodes say with who they are.

    Args:
        cluster_id: this node's, as far as it is known.
        on_refusal: called at each refusal.
    """

    def __init__(self, cluster_id: Callable[[], str | None], on_refusal: Callable[[], None] = lambda: None) -> None:
        self._cluster_id = cluster_id
        self._on_refusal = on_refusal

    def check(self, request: ControllerRequest, principal: Principal) -> None:
        """Check what is sent in a node's name: registrations, heartbeats, and brokers' reports about their partitions.

        Raises:
            ApiError: CLUSTER_AUTHORIZATION_FAILED, when it is made for another node.
        """
        match request:
            case (
                RegisterBroker(broker_id=node_id)
                | BrokerHeartbeat(broker_id=node_id)
                | AlterPartition(broker_id=node_id)
                | AssignReplicasToDirs(broker_id=node_id)
                | AllocateProducerIds(broker_id=node_id)
            ):
                role = NodeRole.BROKER
            case RegisterController(controller_id=node_id):
                role = NodeRole.CONTROLLER
            case AssignBrokerId():
                # It could reserve the id of another broker, and keep that one from registering.
                raise self._denied(request, CERTIFICATES_NAME_BROKERS)
            case _:
                return
        reason = self.why_not(principal, node_id, (role,))
        if reason is not None:
            raise self._denied(request, reason)

    def _denied(self, request: ControllerRequest, reason: str) -> ApiError:
        self.refused(f"{type(request).__name__}: {reason}")
        return ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, reason)

    def why_not(self, principal: Principal, node_id: NodeId | None, roles: Iterable[NodeRole]) -> str | None:
        """Say why a principal may not speak for a node of this cluster; ``None`` when it may."""
        return why_not(principal, node_id, roles, self._cluster_id())

    def refused(self, text: str) -> None:
        """Count and log a refusal; how many lines that may take is bounded where logs are set up (``node.logs``)."""
        self._on_refusal()
        LOG.warning("identity_rejected reason=%s", text)
