"""FetchSnapshot, versions 0 and 1 (KIP-630). Version 1 has the replica's directory and the leader's endpoints."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import METADATA_PARTITION, METADATA_TOPIC
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.messages import FetchSnapshotRequest, FetchSnapshotResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

ENDPOINTS_VERSION = 1


def request_to_wire(request: FetchSnapshotRequest, version: int) -> rpc.FetchSnapshotRequest:
    """Nest the request; version 0 drops the directory id."""
    del version
    replica = request.replica
    partition = rpc.FetchSnapshotRequestPartitionSnapshot(
        partition=METADATA_PARTITION,
        current_leader_epoch=request.epoch,
        snapshot_id=rpc.FetchSnapshotRequestSnapshotId(request.snapshot_id.offset, request.snapshot_id.epoch),
        position=request.position,
        replica_directory_id=common.directory_to_wire(replica.directory_id if replica else None),
    )
    return rpc.FetchSnapshotRequest(
        cluster_id=request.cluster_id,
        replica_id=common.node_to_wire(replica.node_id if replica else None),
        max_bytes=request.max_bytes,
        topics=[rpc.FetchSnapshotRequestTopicSnapshot(METADATA_TOPIC, [partition])],
    )


def request_from_wire(message: rpc.FetchSnapshotRequest) -> FetchSnapshotRequest:
    """Flatten the request.

    Raises:
        Refusal: INVALID_REQUEST when it is not about exactly one partition, UNKNOWN_TOPIC_OR_PARTITION for another.
    """
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part:
        raise common.Refusal(rpc.FetchSnapshotResponse(error_code=ErrorCode.INVALID_REQUEST))
    if not common.is_metadata(topic.name, part.partition):
        refused = rpc.FetchSnapshotResponsePartitionSnapshot(
            index=part.partition, error_code=ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        )
        topics = [rpc.FetchSnapshotResponseTopicSnapshot(topic.name, [refused])]
        raise common.Refusal(rpc.FetchSnapshotResponse(topics=topics))
    return FetchSnapshotRequest(
        cluster_id=message.cluster_id,
        replica=common.optional_key_from_wire(message.replica_id, part.replica_directory_id),
        epoch=part.current_leader_epoch,
        snapshot_id=OffsetAndEpoch(epoch=part.snapshot_id.epoch, offset=part.snapshot_id.end_offset),
        position=part.position,
        max_bytes=message.max_bytes,
    )


def response_to_wire(response: FetchSnapshotResponse, version: int) -> rpc.FetchSnapshotResponse:
    """Nest the response; one that was refused as a whole has no partition."""
    if response.error:
        return rpc.FetchSnapshotResponse(error_code=response.error)
    partition = rpc.FetchSnapshotResponsePartitionSnapshot(
        index=METADATA_PARTITION,
        error_code=response.partition_error,
        current_leader=rpc.FetchSnapshotResponseLeaderIdAndEpoch(
            common.node_to_wire(response.leader.leader_id), response.leader.epoch
        ),
        size=response.size,
        position=response.position,
        unaligned_records=response.data,
    )
    if response.snapshot_id is not None:
        end = response.snapshot_id
        partition.snapshot_id = rpc.FetchSnapshotResponseSnapshotId(end_offset=end.offset, epoch=end.epoch)
    nodes = common.leader_nodes(response.leader, response.leader_endpoints) if version >= ENDPOINTS_VERSION else []
    return rpc.FetchSnapshotResponse(
        topics=[rpc.FetchSnapshotResponseTopicSnapshot(METADATA_TOPIC, [partition])],
        node_endpoints=[rpc.FetchSnapshotResponseNodeEndpoint(*node) for node in nodes],
    )


def response_from_wire(message: rpc.FetchSnapshotResponse, listener_name: str) -> FetchSnapshotResponse:
    """Flatten the response. The snapshot (0, 0), which is never served, is how the wire writes none.

    Raises:
        MalformedError: when it is not about the metadata partition alone.
    """
    if message.error_code:
        return FetchSnapshotResponse(error=common.error_code(message.error_code), leader=common.UNKNOWN_LEADER)
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.name, part.index):
        raise common.missing_partition(message)
    current = part.current_leader
    # The field has no default of its own: left out, it reads as leader 0 of epoch 0, which has no leader.
    leader = common.leader_from_wire(current.leader_id if current.leader_epoch else -1, current.leader_epoch)
    end = part.snapshot_id
    return FetchSnapshotResponse(
        partition_error=common.error_code(part.error_code),
        leader=leader,
        leader_endpoints=common.leader_endpoints(leader, message.node_endpoints, listener_name),
        snapshot_id=OffsetAndEpoch(epoch=end.epoch, offset=end.end_offset) if end.end_offset or end.epoch else None,
        size=part.size,
        position=part.position,
        data=part.unaligned_records,
    )
