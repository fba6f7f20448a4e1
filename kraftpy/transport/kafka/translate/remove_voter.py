"""RemoveRaftVoter, version 0 (KIP-853)."""

from __future__ import annotations

from kraftpy.raft.messages import RemoveRaftVoterRequest, RemoveRaftVoterResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common


def request_to_wire(request: RemoveRaftVoterRequest, version: int) -> rpc.RemoveRaftVoterRequest:
    """Write the request."""
    del version
    return rpc.RemoveRaftVoterRequest(
        cluster_id=request.cluster_id,
        voter_id=request.voter.node_id,
        voter_directory_id=common.directory_to_wire(request.voter.directory_id),
    )


def request_from_wire(message: rpc.RemoveRaftVoterRequest) -> RemoveRaftVoterRequest:
    """Read the request; a key that is not whole is for the core to refuse."""
    return RemoveRaftVoterRequest(
        cluster_id=message.cluster_id, voter=common.key_from_wire(message.voter_id, message.voter_directory_id)
    )


def response_to_wire(response: RemoveRaftVoterResponse, version: int) -> rpc.RemoveRaftVoterResponse:
    """Write the response."""
    del version
    return rpc.RemoveRaftVoterResponse(error_code=response.error, error_message=response.message)


def response_from_wire(message: rpc.RemoveRaftVoterResponse, listener_name: str) -> RemoveRaftVoterResponse:
    """Read the response."""
    del listener_name
    return RemoveRaftVoterResponse(error=common.error_code(message.error_code), message=message.error_message)
