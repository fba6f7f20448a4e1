"""AddRaftVoter, versions 0 and 1. Version 1 can ask for an answer before the commit (KIP-853, KIP-1186)."""

from __future__ import annotations

from kraftpy.raft.messages import AddRaftVoterRequest, AddRaftVoterResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

ACK_VERSION = 1


def request_to_wire(request: AddRaftVoterRequest, version: int) -> rpc.AddRaftVoterRequest:
    """Write the request; version 0 is answered after the commit, whatever was asked for."""
    return rpc.AddRaftVoterRequest(
        cluster_id=request.cluster_id,
        timeout_ms=request.timeout_ms,
        voter_id=request.voter.node_id,
        voter_directory_id=common.directory_to_wire(request.voter.directory_id),
        listeners=[
            rpc.AddRaftVoterRequestListener(endpoint.name, endpoint.host, endpoint.port)
            for endpoint in request.endpoints
        ],
        ack_when_committed=request.ack_when_committed or version < ACK_VERSION,
    )


def request_from_wire(message: rpc.AddRaftVoterRequest) -> AddRaftVoterRequest:
    """Read the request; a key that is not whole is for the core to refuse."""
    return AddRaftVoterRequest(
        cluster_id=message.cluster_id,
        voter=common.key_from_wire(message.voter_id, message.voter_directory_id),
        endpoints=common.listener_endpoints(message.listeners),
        timeout_ms=message.timeout_ms,
        ack_when_committed=message.ack_when_committed,
    )


def response_to_wire(response: AddRaftVoterResponse, version: int) -> rpc.AddRaftVoterResponse:
    """Write the response."""
    del version
    return rpc.AddRaftVoterResponse(error_code=response.error, error_message=response.message)


def response_from_wire(message: rpc.AddRaftVoterResponse, listener_name: str) -> AddRaftVoterResponse:
    """Read the response."""
    del listener_name
    return AddRaftVoterResponse(error=common.error_code(message.error_code), message=message.error_message)
