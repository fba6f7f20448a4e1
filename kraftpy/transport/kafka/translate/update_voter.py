"""UpdateRaftVoter, version 0 (KIP-853)."""

from __future__ import annotations

from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import UpdateRaftVoterRequest, UpdateRaftVoterResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common


def request_to_wire(request: UpdateRaftVoterRequest, version: int) -> rpc.UpdateRaftVoterRequest:
    """Write the request."""
    del version
    return rpc.UpdateRaftVoterRequest(
        cluster_id=request.cluster_id,
        current_leader_epoch=request.epoch,
        voter_id=request.voter.node_id,
        voter_directory_id=common.directory_to_wire(request.voter.directory_id),
        listeners=[
            rpc.UpdateRaftVoterRequestListener(endpoint.name, endpoint.host, endpoint.port)
            for endpoint in request.endpoints
        ],
        kraft_version_feature=rpc.UpdateRaftVoterRequestKRaftVersionFeature(
            request.kraft_version_min, request.kraft_version_max
        ),
    )


def request_from_wire(message: rpc.UpdateRaftVoterRequest) -> UpdateRaftVoterRequest:
    """Read the request; a key that is not whole is for the core to refuse."""
    return UpdateRaftVoterRequest(
        cluster_id=message.cluster_id,
        epoch=message.current_leader_epoch,
        voter=common.key_from_wire(message.voter_id, message.voter_directory_id),
        endpoints=common.listener_endpoints(message.listeners),
        kraft_version_min=message.kraft_version_feature.min_supported_version,
        kraft_version_max=message.kraft_version_feature.max_supported_version,
    )


def response_to_wire(response: UpdateRaftVoterResponse, version: int) -> rpc.UpdateRaftVoterResponse:
    """Write the response; the wire has one address for the leader, our first."""
    del version
    endpoint = response.leader_endpoints[0] if response.leader_endpoints else None
    return rpc.UpdateRaftVoterResponse(
        error_code=response.error,
        current_leader=rpc.UpdateRaftVoterResponseCurrentLeader(
            leader_id=common.node_to_wire(response.leader.leader_id),
            leader_epoch=response.leader.epoch,
            host=endpoint.host if endpoint else "",
            port=endpoint.port if endpoint else 0,
        ),
    )


def response_from_wire(message: rpc.UpdateRaftVoterResponse, listener_name: str) -> UpdateRaftVoterResponse:
    """Read the response. An empty host means an unknown address."""
    reported = message.current_leader
    endpoints = (Endpoint(listener_name, reported.host, reported.port),) if reported.host else ()
    return UpdateRaftVoterResponse(
        error=common.error_code(message.error_code),
        leader=common.leader_from_wire(reported.leader_id, reported.leader_epoch),
        leader_endpoints=endpoints,
    )
