"""EndQuorumEpoch, versions 0 and 1. Version 1 has successors by key and the leader's endpoints (KIP-853)."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import EndQuorumEpochRequest, EndQuorumEpochResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

ENDPOINTS_VERSION = 1


def request_to_wire(request: EndQuorumEpochRequest, version: int) -> rpc.EndQuorumEpochRequest:
    """Nest the request, successors in both forms: each version has words for one of them."""
    del version
    partition = rpc.EndQuorumEpochRequestPartitionData(
        leader_id=request.leader_id,
        leader_epoch=request.epoch,
        preferred_successors=[key.node_id for key in request.preferred_successors],
        preferred_candidates=[
            rpc.EndQuorumEpochRequestReplicaInfo(key.node_id, common.directory_to_wire(key.directory_id))
            for key in request.preferred_successors
        ],
    )
    return rpc.EndQuorumEpochRequest(
        cluster_id=request.cluster_id,
        topics=[rpc.EndQuorumEpochRequestTopicData(METADATA_TOPIC, [partition])],
        leader_endpoints=[
            rpc.EndQuorumEpochRequestLeaderEndpoint(endpoint.name, endpoint.host, endpoint.port)
            for endpoint in request.leader_endpoints
        ],
    )


def request_from_wire(message: rpc.EndQuorumEpochRequest) -> EndQuorumEpochRequest:
    """Flatten the request.

    Raises:
        Refusal: INVALID_REQUEST when it is not about the metadata partition alone.
    """
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.Refusal(rpc.EndQuorumEpochResponse(error_code=ErrorCode.INVALID_REQUEST))
    return EndQuorumEpochRequest(
        cluster_id=message.cluster_id,
        leader_id=part.leader_id,
        epoch=part.leader_epoch,
        preferred_successors=(
            *(ReplicaKey(node_id) for node_id in part.preferred_successors),
            *(
                common.key_from_wire(each.candidate_id, each.candidate_directory_id)
                for each in part.preferred_candidates
            ),
        ),
        leader_endpoints=common.listener_endpoints(message.leader_endpoints),
    )


def response_to_wire(response: EndQuorumEpochResponse, version: int) -> rpc.EndQuorumEpochResponse:
    """Nest the response; one that was refused as a whole has no partition."""
    if response.error:
        return rpc.EndQuorumEpochResponse(error_code=response.error)
    partition = rpc.EndQuorumEpochResponsePartitionData(
        error_code=response.partition_error,
        leader_id=common.node_to_wire(response.leader.leader_id),
        leader_epoch=response.leader.epoch,
    )
    nodes = common.leader_nodes(response.leader, response.leader_endpoints) if version >= ENDPOINTS_VERSION else []
    return rpc.EndQuorumEpochResponse(
        topics=[rpc.EndQuorumEpochResponseTopicData(METADATA_TOPIC, [partition])],
        node_endpoints=[rpc.EndQuorumEpochResponseNodeEndpoint(*node) for node in nodes],
    )


def response_from_wire(message: rpc.EndQuorumEpochResponse, listener_name: str) -> EndQuorumEpochResponse:
    """Flatten the response.

    Raises:
        MalformedError: when it is not about the metadata partition alone.
    """
    if message.error_code:
        return EndQuorumEpochResponse(error=common.error_code(message.error_code), leader=common.UNKNOWN_LEADER)
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.missing_partition(message)
    leader = common.leader_from_wire(part.leader_id, part.leader_epoch)
    return EndQuorumEpochResponse(
        partition_error=common.error_code(part.error_code),
        leader=leader,
        leader_endpoints=common.leader_endpoints(leader, message.node_endpoints, listener_name),
    )
