"""Broker ids for brokers that have none.

The one request whose refusal names the active controller: its sender does not follow the quorum yet, and may know
the address of any one controller only.

Source: KIP-426.
"""

from __future__ import annotations

from typing import Any

from kraftpy.controller.broker_id_requests import AssignBrokerId, AssignBrokerIdResponse
from kraftpy.model.errors import ApiError
from kraftpy.model.ids import NodeId
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import MetadataView, Outcome


def assignment_from_wire(message: rpc.AssignBrokerIdRequest, version: int) -> AssignBrokerId:
    """Read which process asks, and on which host."""
    del version
    return AssignBrokerId(host=message.host, incarnation_id=message.incarnation_id)


def assignment_to_wire(outcome: Outcome, message: Any) -> rpc.AssignBrokerIdResponse:
    """Write the id, or why there is none."""
    del message
    if isinstance(outcome, ApiError):
        return rpc.AssignBrokerIdResponse(
            error_code=outcome.code, error_message=outcome.message, leader_host=None, broker_id=-1
        )
    done = outcome.response
    assert isinstance(done, AssignBrokerIdResponse)
    return rpc.AssignBrokerIdResponse(
        error_message=None, broker_id=done.broker_id, source=done.source, leader_host=None
    )


def name_leader(
    response: rpc.AssignBrokerIdResponse, view: MetadataView, leader_id: NodeId | None, listener_name: str
) -> None:
    """Write into a refusal where the active controller listens, if that is known."""
    leader = None if leader_id is None else view.image.cluster.controllers.get(leader_id)
    for one in () if leader is None else leader.listeners:
        if one.name == listener_name:
            response.leader_host, response.leader_port = one.host, one.port
