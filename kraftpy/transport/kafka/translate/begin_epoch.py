"""BeginQuorumEpoch, versions 0 and 1. Version 1 has the voter's key and the leader's endpoints (KIP-853)."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.raft.messages import BeginQuorumEpochRequest, BeginQuorumEpochResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

ENDPOINTS_VERSION = 1


def request_to_wire(request: BeginQuorumEpochRequest, version: int) -> rpc.BeginQuorumEpochRequest:
    """Nest the request; version 0 drops what it has no words for."""
    del version
    voter = request.voter
    partition = rpc.BeginQuorumEpochRequestPartitionData(
        voter_directory_id=common.directory_to_wire(voter.directory_id if voter else None),
        leader_id=request.leader_id,
        leader_epoch=request.epoch,
    )
    return rpc.BeginQuorumEpochRequest(
        cluster_id=request.cluster_id,
        voter_id=common.node_to_wire(voter.node_id if voter else None),
        topics=[rpc.BeginQuorumEpochRequestTopicData(METADATA_TOPIC, [partition])],
        leader_endpoints=[
            rpc.BeginQuorumEpochRequestLeaderEndpoint(endpoint.name, endpoint.host, endpoint.port)
            for endpoint in request.leader_endpoints
        ],
    )


def request_from_wire(message: rpc.BeginQuorumEpochRequest) -> BeginQuorumEpochRequest:
    """Flatten the request.

    Raises:
        Refusal: INVALID_REQUEST when it is not about the metadata partition alone.
    """
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.Refusal(rpc.BeginQuorumEpochResponse(error_code=ErrorCode.INVALID_REQUEST))
    return BeginQuorumEpochRequest(
        cluster_id=message.cluster_id,
        voter=common.optional_key_from_wire(message.voter_id, part.voter_directory_id),
        leader_id=part.leader_id,
        epoch=part.leader_epoch,
        leader_endpoints=common.listener_endpoints(message.leader_endpoints),
    )


def response_to_wire(response: BeginQuorumEpochResponse, version: int) -> rpc.BeginQuorumEpochResponse:
    """Nest the response; one that was refused as a whole has no partition."""
    if response.error:
        return rpc.BeginQuorumEpochResponse(error_code=response.error)
    partition = rpc.BeginQuorumEpochResponsePartitionData(
        error_code=response.partition_error,
        leader_id=common.node_to_wire(response.leader.leader_id),
        leader_epoch=response.leader.epoch,
        recovering=response.ineligible,
        directory_id=common.directory_to_wire(response.directory_id),
    )
    nodes = common.leader_nodes(response.leader, response.leader_endpoints) if version >= ENDPOINTS_VERSION else []
    return rpc.BeginQuorumEpochResponse(
        topics=[rpc.BeginQuorumEpochResponseTopicData(METADATA_TOPIC, [partition])],
        node_endpoints=[rpc.BeginQuorumEpochResponseNodeEndpoint(*node) for node in nodes],
    )


def response_from_wire(message: rpc.BeginQuorumEpochResponse, listener_name: str) -> BeginQuorumEpochResponse:
    """Flatten the response.

    Raises:
        MalformedError: when it is not about the metadata partition alone.
    """
    if message.error_code:
        return BeginQuorumEpochResponse(error=common.error_code(message.error_code), leader=common.UNKNOWN_LEADER)
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.missing_partition(message)
    leader = common.leader_from_wire(part.leader_id, part.leader_epoch)
    return BeginQuorumEpochResponse(
        partition_error=common.error_code(part.error_code),
        leader=leader,
        leader_endpoints=common.leader_endpoints(leader, message.node_endpoints, listener_name),
        ineligible=part.recovering,
        directory_id=common.directory_from_wire(part.directory_id),
    )
