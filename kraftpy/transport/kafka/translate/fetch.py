"""Fetch, versions 12 to 18: the first with epochs (KIP-595) to the one with the follower's high watermark (KIP-1166).

Version 13 names the topic by its id, 15 moves the replica's id, 17 adds its directory and the leader's endpoints.
"""

from __future__ import annotations

from typing import Final

from kraftpy.model.digests import NO_DIGEST, StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import METADATA_PARTITION, METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.messages import FetchRequest, FetchResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

TOPIC_ID_VERSION: Final = 13
REPLICA_STATE_VERSION: Final = 15
ENDPOINTS_VERSION: Final = 17
HIGH_WATERMARK_VERSION: Final = 18

NO_HIGH_WATERMARK: Final = 2**63 - 1
"""What version 18 reads when the sender's version had no such field."""


def request_to_wire(request: FetchRequest, version: int) -> rpc.FetchRequest:
    """Nest the request."""
    replica = request.replica
    replica_id = common.node_to_wire(replica.node_id if replica else None)
    high_watermark = NO_HIGH_WATERMARK if request.high_watermark is None else request.high_watermark
    partition = rpc.FetchRequestFetchPartition(
        partition=METADATA_PARTITION,
        current_leader_epoch=request.epoch,
        fetch_offset=request.fetch_offset,
        last_fetched_epoch=request.last_fetched_epoch,
        replica_directory_id=common.directory_to_wire(replica.directory_id if replica else None),
        high_watermark=high_watermark,
        probation_node_id=common.node_to_wire(request.on_probation.node_id if request.on_probation else None),
        probation_directory_id=common.directory_to_wire(
            request.on_probation.directory_id if request.on_probation else None
        ),
    )
    if request.state is not None:
        partition.state_end_offset, partition.state_digest = request.state.end_offset, request.state.value
    topic = rpc.FetchRequestFetchTopic(topic=METADATA_TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[partition])
    message = rpc.FetchRequest(
        cluster_id=request.cluster_id,
        max_wait_ms=request.max_wait_ms,
        max_bytes=request.max_bytes,
        topics=[topic],
    )
    if version < REPLICA_STATE_VERSION:
        message.replica_id = replica_id
    else:
        message.replica_state.replica_id = replica_id
    return message


def request_from_wire(message: rpc.FetchRequest) -> FetchRequest:
    """Flatten the request.

    A high watermark of -1 (none established) becomes 0: nothing is known to be committed, in both.

    Raises:
        Refusal: INVALID_REQUEST when it is not about the metadata partition alone.
    """
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not _is_metadata(topic.topic, topic.topic_id, part.partition):
        raise common.Refusal(rpc.FetchResponse(error_code=ErrorCode.INVALID_REQUEST))
    replica_id = message.replica_state.replica_id if message.replica_id < 0 else message.replica_id
    high_watermark = None if part.high_watermark == NO_HIGH_WATERMARK else max(part.high_watermark, 0)
    return FetchRequest(
        cluster_id=message.cluster_id,
        replica=common.optional_key_from_wire(replica_id, part.replica_directory_id),
        epoch=part.current_leader_epoch,
        fetch_offset=part.fetch_offset,
        last_fetched_epoch=part.last_fetched_epoch,
        max_wait_ms=message.max_wait_ms,
        max_bytes=message.max_bytes,
        high_watermark=high_watermark,
        on_probation=common.optional_key_from_wire(part.probation_node_id, part.probation_directory_id),
        state=_state(part.state_end_offset, part.state_digest),
    )


def response_to_wire(response: FetchResponse, version: int) -> rpc.FetchResponse:
    """Nest the response; one that was refused as a whole has no partition."""
    if response.error:
        return rpc.FetchResponse(error_code=response.error)
    partition = rpc.FetchResponsePartitionData(
        partition_index=METADATA_PARTITION,
        error_code=response.partition_error,
        high_watermark=common.offset_to_wire(response.high_watermark),
        log_start_offset=response.log_start_offset,
        current_leader=rpc.FetchResponseLeaderIdAndEpoch(
            common.node_to_wire(response.leader.leader_id), response.leader.epoch
        ),
        records=response.records,
        registered_directory_id=common.directory_to_wire(response.registered_directory),
    )
    if response.agreed is not None:
        partition.agreed_end_offset, partition.agreed_digest = response.agreed.end_offset, response.agreed.value
    if response.diverging is not None:
        end = response.diverging
        partition.diverging_epoch = rpc.FetchResponseEpochEndOffset(epoch=end.epoch, end_offset=end.offset)
    if response.snapshot_id is not None:
        end = response.snapshot_id
        partition.snapshot_id = rpc.FetchResponseSnapshotId(end_offset=end.offset, epoch=end.epoch)
    nodes = common.leader_nodes(response.leader, response.leader_endpoints) if version >= ENDPOINTS_VERSION else []
    return rpc.FetchResponse(
        responses=[rpc.FetchResponseFetchableTopicResponse(METADATA_TOPIC, METADATA_TOPIC_ID, [partition])],
        node_endpoints=[rpc.FetchResponseNodeEndpoint(*node) for node in nodes],
    )


def response_from_wire(message: rpc.FetchResponse, listener_name: str) -> FetchResponse:
    """Flatten the response.

    Raises:
        MalformedError: when it is not about the metadata partition alone.
    """
    if message.error_code:
        return FetchResponse(error=common.error_code(message.error_code), leader=common.UNKNOWN_LEADER)
    topic = common.only(message.responses)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not _is_metadata(topic.topic, topic.topic_id, part.partition_index):
        raise common.missing_partition(message)
    leader = common.leader_from_wire(part.current_leader.leader_id, part.current_leader.leader_epoch)
    return FetchResponse(
        partition_error=common.error_code(part.error_code),
        leader=leader,
        leader_endpoints=common.leader_endpoints(leader, message.node_endpoints, listener_name),
        high_watermark=common.offset_from_wire(part.high_watermark),
        log_start_offset=part.log_start_offset,
        diverging=_position(part.diverging_epoch.epoch, part.diverging_epoch.end_offset),
        snapshot_id=_position(part.snapshot_id.epoch, part.snapshot_id.end_offset),
        records=part.records or b"",
        registered_directory=common.directory_from_wire(part.registered_directory_id),
        agreed=_state(part.agreed_end_offset, part.agreed_digest, may_be_none=True),
    )


def _is_metadata(name: str, topic_id: bytes, partition: int) -> bool:
    """Return whether it is the metadata log: by id, or by name where the version has no ids."""
    named = topic_id == METADATA_TOPIC_ID if topic_id != ZERO_UUID else name == METADATA_TOPIC
    return named and partition == METADATA_PARTITION


def _state(end_offset: int, digest: bytes, *, may_be_none: bool = False) -> StateDigest | None:
    """Read a digest; a leader says "none" of an offset at which voters disagree."""
    if end_offset < 0 or (digest == NO_DIGEST and not may_be_none):
        return None
    return StateDigest(end_offset, digest)


def _position(epoch: int, offset: int) -> OffsetAndEpoch | None:
    return None if epoch < 0 and offset < 0 else OffsetAndEpoch(epoch=epoch, offset=offset)
