"""DescribeQuorum, versions 0 to 2. Version 1 has fetch times (KIP-836), 2 directory ids and listeners (KIP-853)."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import DescribeQuorumRequest, DescribeQuorumResponse, ReplicaProgress
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

DIRECTORIES_VERSION = 2


def request_to_wire(request: DescribeQuorumRequest, version: int) -> rpc.DescribeQuorumRequest:
    """Ask about the metadata partition."""
    del request, version
    partition = rpc.DescribeQuorumRequestPartitionData()
    return rpc.DescribeQuorumRequest(topics=[rpc.DescribeQuorumRequestTopicData(METADATA_TOPIC, [partition])])


def request_from_wire(message: rpc.DescribeQuorumRequest) -> DescribeQuorumRequest:
    """Check that the request is about the metadata partition alone.

    Raises:
        Refusal: UNKNOWN_TOPIC_OR_PARTITION for every partition that was asked for.
    """
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if topic and part and common.is_metadata(topic.topic_name, part.partition_index):
        return DescribeQuorumRequest()
    topics = [
        rpc.DescribeQuorumResponseTopicData(
            asked.topic_name,
            [
                rpc.DescribeQuorumResponsePartitionData(
                    partition_index=each.partition_index, error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                )
                for each in asked.partitions
            ],
        )
        for asked in message.topics
    ]
    raise common.Refusal(rpc.DescribeQuorumResponse(topics=topics))


def response_to_wire(response: DescribeQuorumResponse, version: int) -> rpc.DescribeQuorumResponse:
    """Nest the response; one that was refused as a whole has no partition.

    As in Kafka, the text of no error is empty, and the voters of a static quorum have no directories, although the
    leader learns them from what its voters ask.
    """
    if response.error:
        return rpc.DescribeQuorumResponse(error_code=response.error, error_message=response.error.name)
    knows_directories = version >= DIRECTORIES_VERSION
    partition = rpc.DescribeQuorumResponsePartitionData(
        error_code=response.partition_error,
        error_message=response.partition_error.name if response.partition_error else "",
        leader_id=common.node_to_wire(response.leader.leader_id),
        leader_epoch=response.leader.epoch,
        high_watermark=common.offset_to_wire(response.high_watermark),
        current_voters=[
            _replica_to_wire(replica, with_directory=knows_directories and not response.is_static)
            for replica in response.voters
        ],
        observers=[_replica_to_wire(replica, with_directory=knows_directories) for replica in response.observers],
    )
    replicas = (*response.voters, *response.observers) if knows_directories else ()
    nodes = {replica.key.node_id: _node(replica) for replica in replicas if replica.endpoints}
    return rpc.DescribeQuorumResponse(
        topics=[rpc.DescribeQuorumResponseTopicData(METADATA_TOPIC, [partition])],
        nodes=list(nodes.values()),
    )


def response_from_wire(message: rpc.DescribeQuorumResponse, listener_name: str) -> DescribeQuorumResponse:
    """Flatten the response.

    Raises:
        MalformedError: when it is not about the metadata partition alone.
    """
    del listener_name
    if message.error_code:
        return DescribeQuorumResponse(error=common.error_code(message.error_code), leader=common.UNKNOWN_LEADER)
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.missing_partition(message)
    endpoints = {node.node_id: common.listener_endpoints(node.listeners) for node in message.nodes}
    return DescribeQuorumResponse(
        partition_error=common.error_code(part.error_code),
        leader=common.leader_from_wire(part.leader_id, part.leader_epoch),
        high_watermark=common.offset_from_wire(part.high_watermark),
        voters=tuple(_replica_from_wire(replica, endpoints) for replica in part.current_voters),
        observers=tuple(_replica_from_wire(replica, endpoints) for replica in part.observers),
    )


def _replica_to_wire(replica: ReplicaProgress, *, with_directory: bool) -> rpc.DescribeQuorumResponseReplicaState:
    directory_id = replica.key.directory_id if with_directory else None
    return rpc.DescribeQuorumResponseReplicaState(
        replica_id=replica.key.node_id,
        replica_directory_id=common.directory_to_wire(directory_id),
        log_end_offset=common.offset_to_wire(replica.log_end_offset),
        last_fetch_timestamp=common.offset_to_wire(replica.last_fetch_ms),
        last_caught_up_timestamp=common.offset_to_wire(replica.last_caught_up_ms),
    )


def _replica_from_wire(
    replica: rpc.DescribeQuorumResponseReplicaState, endpoints: dict[int, tuple[Endpoint, ...]]
) -> ReplicaProgress:
    return ReplicaProgress(
        key=common.key_from_wire(replica.replica_id, replica.replica_directory_id),
        log_end_offset=common.offset_from_wire(replica.log_end_offset),
        last_fetch_ms=common.offset_from_wire(replica.last_fetch_timestamp),
        last_caught_up_ms=common.offset_from_wire(replica.last_caught_up_timestamp),
        endpoints=endpoints.get(replica.replica_id, ()),
    )


def _node(replica: ReplicaProgress) -> rpc.DescribeQuorumResponseNode:
    listeners = [
        rpc.DescribeQuorumResponseListener(endpoint.name, endpoint.host, endpoint.port)
        for endpoint in replica.endpoints
    ]
    return rpc.DescribeQuorumResponseNode(replica.key.node_id, listeners)
