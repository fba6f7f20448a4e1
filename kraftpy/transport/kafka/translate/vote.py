"""Vote, versions 0 to 2. Version 1 has voter and directory ids (KIP-853), version 2 the pre-vote (KIP-996)."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.messages import VoteRequest, VoteResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import common

PRE_VOTE_VERSION = 2
ENDPOINTS_VERSION = 1


def request_to_wire(request: VoteRequest, version: int) -> rpc.VoteRequest:
    """Nest the request.

    Raises:
        UnsupportedVersionError: for a pre-vote below version 2: sent as a vote, it would mean another thing.
    """
    if request.pre_vote and version < PRE_VOTE_VERSION:
        raise common.UnsupportedVersionError(
            f"a pre-vote needs Vote version {PRE_VOTE_VERSION}, the peer has {version}"
        )
    voter, candidate = request.voter, request.candidate
    partition = rpc.VoteRequestPartitionData(
        replica_epoch=request.epoch,
        replica_id=candidate.node_id,
        replica_directory_id=common.directory_to_wire(candidate.directory_id),
        voter_directory_id=common.directory_to_wire(voter.directory_id if voter else None),
        last_offset_epoch=request.last.epoch,
        last_offset=request.last.offset,
        pre_vote=request.pre_vote,
        claimed_incarnation_id=common.directory_to_wire(request.claimed_incarnation_id),
    )
    return rpc.VoteRequest(
        cluster_id=request.cluster_id,
        voter_id=common.node_to_wire(voter.node_id if voter else None),
        topics=[rpc.VoteRequestTopicData(METADATA_TOPIC, [partition])],
    )


def request_from_wire(message: rpc.VoteRequest) -> VoteRequest:
    """Flatten the request.

    Raises:
        Refusal: INVALID_REQUEST when it is not about the metadata partition alone.
    """
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.Refusal(rpc.VoteResponse(error_code=ErrorCode.INVALID_REQUEST))
    return VoteRequest(
        cluster_id=message.cluster_id,
        voter=common.optional_key_from_wire(message.voter_id, part.voter_directory_id),
        candidate=common.key_from_wire(part.replica_id, part.replica_directory_id),
        epoch=part.replica_epoch,
        last=OffsetAndEpoch(epoch=part.last_offset_epoch, offset=part.last_offset),
        pre_vote=part.pre_vote,
        claimed_incarnation_id=common.directory_from_wire(part.claimed_incarnation_id),
    )


def response_to_wire(response: VoteResponse, version: int) -> rpc.VoteResponse:
    """Nest the response; one that was refused as a whole has no partition."""
    if response.error:
        return rpc.VoteResponse(error_code=response.error)
    partition = rpc.VoteResponsePartitionData(
        error_code=response.partition_error,
        leader_id=common.node_to_wire(response.leader.leader_id),
        leader_epoch=response.leader.epoch,
        vote_granted=response.granted,
        recovering=response.ineligible,
        incarnation_id=common.directory_to_wire(response.incarnation_id),
        empty_for_ms=-1 if response.empty_for_ms is None else response.empty_for_ms,
    )
    nodes = common.leader_nodes(response.leader, response.leader_endpoints) if version >= ENDPOINTS_VERSION else []
    return rpc.VoteResponse(
        topics=[rpc.VoteResponseTopicData(METADATA_TOPIC, [partition])],
        node_endpoints=[rpc.VoteResponseNodeEndpoint(*node) for node in nodes],
    )


def response_from_wire(message: rpc.VoteResponse, listener_name: str) -> VoteResponse:
    """Flatten the response.

    Raises:
        MalformedError: when it is not about the metadata partition alone.
    """
    if message.error_code:
        return VoteResponse(error=common.error_code(message.error_code), leader=common.UNKNOWN_LEADER)
    topic = common.only(message.topics)
    part = topic and common.only(topic.partitions)
    if not topic or not part or not common.is_metadata(topic.topic_name, part.partition_index):
        raise common.missing_partition(message)
    leader = common.leader_from_wire(part.leader_id, part.leader_epoch)
    return VoteResponse(
        partition_error=common.error_code(part.error_code),
        leader=leader,
        leader_endpoints=common.leader_endpoints(leader, message.node_endpoints, listener_name),
        granted=part.vote_granted,
        ineligible=part.recovering,
        incarnation_id=common.directory_from_wire(part.incarnation_id),
        empty_for_ms=None if part.empty_for_ms < 0 else part.empty_for_ms,
    )
