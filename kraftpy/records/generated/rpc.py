"""Generated from ``kraftpy.records.tables.rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import Struct
from typing import ClassVar, Final

from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.codec import (
    LazyCodecs,
    Message,
    MessageStruct,
    Tags,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable



@dataclass(slots=True)
class RequestHeader(Message):
    """Kafka's RequestHeader, versions 0 to 2."""

    NAME: ClassVar[str] = "RequestHeader"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    request_api_key: int = 0
    request_api_version: int = 0
    correlation_id: int = 0
    client_id: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ResponseHeader(Message):
    """Kafka's ResponseHeader, versions 0 to 1."""

    NAME: ClassVar[str] = "ResponseHeader"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    correlation_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestReplicaState(MessageStruct):
    """A ReplicaState inside FetchRequest."""

    replica_id: int = -1
    replica_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestFetchPartition(MessageStruct):
    """A FetchPartition inside FetchRequest."""

    partition: int = 0
    current_leader_epoch: int = -1
    fetch_offset: int = 0
    last_fetched_epoch: int = -1
    log_start_offset: int = -1
    partition_max_bytes: int = 0
    replica_directory_id: bytes = ZERO_UUID
    high_watermark: int = 9223372036854775807
    probation_node_id: int = -1
    probation_directory_id: bytes = ZERO_UUID
    state_end_offset: int = -1
    state_digest: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestFetchTopic(MessageStruct):
    """A FetchTopic inside FetchRequest."""

    topic: str = ""
    topic_id: bytes = ZERO_UUID
    partitions: list[FetchRequestFetchPartition] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestForgottenTopic(MessageStruct):
    """A ForgottenTopic inside FetchRequest."""

    topic: str = ""
    topic_id: bytes = ZERO_UUID
    partitions: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequest(Message):
    """Kafka's FetchRequest, versions 4 to 18."""

    NAME: ClassVar[str] = "FetchRequest"
    API_KEY: ClassVar[int] = 1
    MIN_VERSION: ClassVar[int] = 4
    MAX_VERSION: ClassVar[int] = 18
    cluster_id: str | None = None
    replica_id: int = -1
    replica_state: FetchRequestReplicaState = field(default_factory=FetchRequestReplicaState)
    max_wait_ms: int = 0
    min_bytes: int = 0
    max_bytes: int = 2147483647
    isolation_level: int = 0
    session_id: int = 0
    session_epoch: int = -1
    topics: list[FetchRequestFetchTopic] = field(default_factory=list)
    forgotten_topics_data: list[FetchRequestForgottenTopic] = field(default_factory=list)
    rack_id: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseEpochEndOffset(MessageStruct):
    """A EpochEndOffset inside FetchResponse."""

    epoch: int = -1
    end_offset: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseLeaderIdAndEpoch(MessageStruct):
    """A LeaderIdAndEpoch inside FetchResponse."""

    leader_id: int = -1
    leader_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseSnapshotId(MessageStruct):
    """A SnapshotId inside FetchResponse."""

    end_offset: int = -1
    epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseAbortedTransaction(MessageStruct):
    """A AbortedTransaction inside FetchResponse."""

    producer_id: int = 0
    first_offset: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponsePartitionData(MessageStruct):
    """A PartitionData inside FetchResponse."""

    partition_index: int = 0
    error_code: int = 0
    high_watermark: int = 0
    last_stable_offset: int = -1
    log_start_offset: int = -1
    diverging_epoch: FetchResponseEpochEndOffset = field(default_factory=FetchResponseEpochEndOffset)
    current_leader: FetchResponseLeaderIdAndEpoch = field(default_factory=FetchResponseLeaderIdAndEpoch)
    snapshot_id: FetchResponseSnapshotId = field(default_factory=FetchResponseSnapshotId)
    aborted_transactions: list[FetchResponseAbortedTransaction] | None = field(default_factory=list)
    preferred_read_replica: int = -1
    records: bytes | None = None
    bound_directory_id: bytes = ZERO_UUID
    agreed_end_offset: int = -1
    agreed_digest: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseFetchableTopicResponse(MessageStruct):
    """A FetchableTopicResponse inside FetchResponse."""

    topic: str = ""
    topic_id: bytes = ZERO_UUID
    partitions: list[FetchResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside FetchResponse."""

    node_id: int = 0
    host: str = ""
    port: int = 0
    rack: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponse(Message):
    """Kafka's FetchResponse, versions 4 to 18."""

    NAME: ClassVar[str] = "FetchResponse"
    API_KEY: ClassVar[int] = 1
    MIN_VERSION: ClassVar[int] = 4
    MAX_VERSION: ClassVar[int] = 18
    throttle_time_ms: int = 0
    error_code: int = 0
    session_id: int = 0
    responses: list[FetchResponseFetchableTopicResponse] = field(default_factory=list)
    node_endpoints: list[FetchResponseNodeEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsRequest(Message):
    """Kafka's ApiVersionsRequest, versions 0 to 4."""

    NAME: ClassVar[str] = "ApiVersionsRequest"
    API_KEY: ClassVar[int] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    client_software_name: str = ""
    client_software_version: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponseApiVersion(MessageStruct):
    """A ApiVersion inside ApiVersionsResponse."""

    api_key: int = 0
    min_version: int = 0
    max_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponseSupportedFeatureKey(MessageStruct):
    """A SupportedFeatureKey inside ApiVersionsResponse."""

    name: str = ""
    min_version: int = 0
    max_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponseFinalizedFeatureKey(MessageStruct):
    """A FinalizedFeatureKey inside ApiVersionsResponse."""

    name: str = ""
    max_version_level: int = 0
    min_version_level: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponse(Message):
    """Kafka's ApiVersionsResponse, versions 0 to 4."""

    NAME: ClassVar[str] = "ApiVersionsResponse"
    API_KEY: ClassVar[int] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    error_code: int = 0
    api_keys: list[ApiVersionsResponseApiVersion] = field(default_factory=list)
    throttle_time_ms: int = 0
    supported_features: list[ApiVersionsResponseSupportedFeatureKey] = field(default_factory=list)
    finalized_features_epoch: int = -1
    finalized_features: list[ApiVersionsResponseFinalizedFeatureKey] = field(default_factory=list)
    zk_migration_ready: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequestCreatableReplicaAssignment(MessageStruct):
    """A CreatableReplicaAssignment inside CreateTopicsRequest."""

    partition_index: int = 0
    broker_ids: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequestCreatableTopicConfig(MessageStruct):
    """A CreatableTopicConfig inside CreateTopicsRequest."""

    name: str = ""
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequestCreatableTopic(MessageStruct):
    """A CreatableTopic inside CreateTopicsRequest."""

    name: str = ""
    num_partitions: int = 0
    replication_factor: int = 0
    assignments: list[CreateTopicsRequestCreatableReplicaAssignment] = field(default_factory=list)
    configs: list[CreateTopicsRequestCreatableTopicConfig] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequest(Message):
    """Kafka's CreateTopicsRequest, versions 2 to 7."""

    NAME: ClassVar[str] = "CreateTopicsRequest"
    API_KEY: ClassVar[int] = 19
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 7
    topics: list[CreateTopicsRequestCreatableTopic] = field(default_factory=list)
    timeout_ms: int = 60000
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsResponseCreatableTopicConfigs(MessageStruct):
    """A CreatableTopicConfigs inside CreateTopicsResponse."""

    name: str = ""
    value: str | None = ""
    read_only: bool = False
    config_source: int = -1
    is_sensitive: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsResponseCreatableTopicResult(MessageStruct):
    """A CreatableTopicResult inside CreateTopicsResponse."""

    name: str = ""
    topic_id: bytes = ZERO_UUID
    error_code: int = 0
    error_message: str | None = ""
    topic_config_error_code: int = 0
    num_partitions: int = -1
    replication_factor: int = -1
    configs: list[CreateTopicsResponseCreatableTopicConfigs] | None = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsResponse(Message):
    """Kafka's CreateTopicsResponse, versions 2 to 7."""

    NAME: ClassVar[str] = "CreateTopicsResponse"
    API_KEY: ClassVar[int] = 19
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 7
    throttle_time_ms: int = 0
    topics: list[CreateTopicsResponseCreatableTopicResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsRequestDeleteTopicState(MessageStruct):
    """A DeleteTopicState inside DeleteTopicsRequest."""

    name: str | None = None
    topic_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsRequest(Message):
    """Kafka's DeleteTopicsRequest, versions 1 to 6."""

    NAME: ClassVar[str] = "DeleteTopicsRequest"
    API_KEY: ClassVar[int] = 20
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 6
    topics: list[DeleteTopicsRequestDeleteTopicState] = field(default_factory=list)
    topic_names: list[str] = field(default_factory=list)
    timeout_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsResponseDeletableTopicResult(MessageStruct):
    """A DeletableTopicResult inside DeleteTopicsResponse."""

    name: str | None = ""
    topic_id: bytes = ZERO_UUID
    error_code: int = 0
    error_message: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsResponse(Message):
    """Kafka's DeleteTopicsResponse, versions 1 to 6."""

    NAME: ClassVar[str] = "DeleteTopicsResponse"
    API_KEY: ClassVar[int] = 20
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 6
    throttle_time_ms: int = 0
    responses: list[DeleteTopicsResponseDeletableTopicResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsRequestDescribeConfigsResource(MessageStruct):
    """A DescribeConfigsResource inside DescribeConfigsRequest."""

    resource_type: int = 0
    resource_name: str = ""
    configuration_keys: list[str] | None = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsRequest(Message):
    """Kafka's DescribeConfigsRequest, versions 1 to 4."""

    NAME: ClassVar[str] = "DescribeConfigsRequest"
    API_KEY: ClassVar[int] = 32
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 4
    resources: list[DescribeConfigsRequestDescribeConfigsResource] = field(default_factory=list)
    include_synonyms: bool = False
    include_documentation: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsResponseDescribeConfigsSynonym(MessageStruct):
    """A DescribeConfigsSynonym inside DescribeConfigsResponse."""

    name: str = ""
    value: str | None = ""
    source: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsResponseDescribeConfigsResourceResult(MessageStruct):
    """A DescribeConfigsResourceResult inside DescribeConfigsResponse."""

    name: str = ""
    value: str | None = ""
    read_only: bool = False
    config_source: int = -1
    is_sensitive: bool = False
    synonyms: list[DescribeConfigsResponseDescribeConfigsSynonym] = field(default_factory=list)
    config_type: int = 0
    documentation: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsResponseDescribeConfigsResult(MessageStruct):
    """A DescribeConfigsResult inside DescribeConfigsResponse."""

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    configs: list[DescribeConfigsResponseDescribeConfigsResourceResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsResponse(Message):
    """Kafka's DescribeConfigsResponse, versions 1 to 4."""

    NAME: ClassVar[str] = "DescribeConfigsResponse"
    API_KEY: ClassVar[int] = 32
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 4
    throttle_time_ms: int = 0
    results: list[DescribeConfigsResponseDescribeConfigsResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsRequestAlterableConfig(MessageStruct):
    """A AlterableConfig inside AlterConfigsRequest."""

    name: str = ""
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsRequestAlterConfigsResource(MessageStruct):
    """A AlterConfigsResource inside AlterConfigsRequest."""

    resource_type: int = 0
    resource_name: str = ""
    configs: list[AlterConfigsRequestAlterableConfig] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsRequest(Message):
    """Kafka's AlterConfigsRequest, versions 0 to 2."""

    NAME: ClassVar[str] = "AlterConfigsRequest"
    API_KEY: ClassVar[int] = 33
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    resources: list[AlterConfigsRequestAlterConfigsResource] = field(default_factory=list)
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsResponseAlterConfigsResourceResponse(MessageStruct):
    """A AlterConfigsResourceResponse inside AlterConfigsResponse."""

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsResponse(Message):
    """Kafka's AlterConfigsResponse, versions 0 to 2."""

    NAME: ClassVar[str] = "AlterConfigsResponse"
    API_KEY: ClassVar[int] = 33
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    throttle_time_ms: int = 0
    responses: list[AlterConfigsResponseAlterConfigsResourceResponse] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsRequestCreatePartitionsAssignment(MessageStruct):
    """A CreatePartitionsAssignment inside CreatePartitionsRequest."""

    broker_ids: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsRequestCreatePartitionsTopic(MessageStruct):
    """A CreatePartitionsTopic inside CreatePartitionsRequest."""

    name: str = ""
    count: int = 0
    assignments: list[CreatePartitionsRequestCreatePartitionsAssignment] | None = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsRequest(Message):
    """Kafka's CreatePartitionsRequest, versions 0 to 3."""

    NAME: ClassVar[str] = "CreatePartitionsRequest"
    API_KEY: ClassVar[int] = 37
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    topics: list[CreatePartitionsRequestCreatePartitionsTopic] = field(default_factory=list)
    timeout_ms: int = 0
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsResponseCreatePartitionsTopicResult(MessageStruct):
    """A CreatePartitionsTopicResult inside CreatePartitionsResponse."""

    name: str = ""
    error_code: int = 0
    error_message: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsResponse(Message):
    """Kafka's CreatePartitionsResponse, versions 0 to 3."""

    NAME: ClassVar[str] = "CreatePartitionsResponse"
    API_KEY: ClassVar[int] = 37
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    throttle_time_ms: int = 0
    results: list[CreatePartitionsResponseCreatePartitionsTopicResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsRequestAlterableConfig(MessageStruct):
    """A AlterableConfig inside IncrementalAlterConfigsRequest."""

    name: str = ""
    config_operation: int = 0
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsRequestAlterConfigsResource(MessageStruct):
    """A AlterConfigsResource inside IncrementalAlterConfigsRequest."""

    resource_type: int = 0
    resource_name: str = ""
    configs: list[IncrementalAlterConfigsRequestAlterableConfig] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsRequest(Message):
    """Kafka's IncrementalAlterConfigsRequest, versions 0 to 1."""

    NAME: ClassVar[str] = "IncrementalAlterConfigsRequest"
    API_KEY: ClassVar[int] = 44
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    resources: list[IncrementalAlterConfigsRequestAlterConfigsResource] = field(default_factory=list)
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsResponseAlterConfigsResourceResponse(MessageStruct):
    """A AlterConfigsResourceResponse inside IncrementalAlterConfigsResponse."""

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsResponse(Message):
    """Kafka's IncrementalAlterConfigsResponse, versions 0 to 1."""

    NAME: ClassVar[str] = "IncrementalAlterConfigsResponse"
    API_KEY: ClassVar[int] = 44
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    throttle_time_ms: int = 0
    responses: list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteRequestPartitionData(MessageStruct):
    """A PartitionData inside VoteRequest."""

    partition_index: int = 0
    replica_epoch: int = 0
    replica_id: int = 0
    replica_directory_id: bytes = ZERO_UUID
    voter_directory_id: bytes = ZERO_UUID
    last_offset_epoch: int = 0
    last_offset: int = 0
    pre_vote: bool = False
    claimed_incarnation_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteRequestTopicData(MessageStruct):
    """A TopicData inside VoteRequest."""

    topic_name: str = ""
    partitions: list[VoteRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteRequest(Message):
    """Kafka's VoteRequest, versions 0 to 2."""

    NAME: ClassVar[str] = "VoteRequest"
    API_KEY: ClassVar[int] = 52
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    cluster_id: str | None = None
    voter_id: int = -1
    topics: list[VoteRequestTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponsePartitionData(MessageStruct):
    """A PartitionData inside VoteResponse."""

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    vote_granted: bool = False
    incarnation_id: bytes = ZERO_UUID
    empty_for_ms: int = -1
    unproven: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponseTopicData(MessageStruct):
    """A TopicData inside VoteResponse."""

    topic_name: str = ""
    partitions: list[VoteResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside VoteResponse."""

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponse(Message):
    """Kafka's VoteResponse, versions 0 to 2."""

    NAME: ClassVar[str] = "VoteResponse"
    API_KEY: ClassVar[int] = 52
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    error_code: int = 0
    topics: list[VoteResponseTopicData] = field(default_factory=list)
    node_endpoints: list[VoteResponseNodeEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequestPartitionData(MessageStruct):
    """A PartitionData inside BeginQuorumEpochRequest."""

    partition_index: int = 0
    voter_directory_id: bytes = ZERO_UUID
    leader_id: int = 0
    leader_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequestTopicData(MessageStruct):
    """A TopicData inside BeginQuorumEpochRequest."""

    topic_name: str = ""
    partitions: list[BeginQuorumEpochRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequestLeaderEndpoint(MessageStruct):
    """A LeaderEndpoint inside BeginQuorumEpochRequest."""

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequest(Message):
    """Kafka's BeginQuorumEpochRequest, versions 0 to 1."""

    NAME: ClassVar[str] = "BeginQuorumEpochRequest"
    API_KEY: ClassVar[int] = 53
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    cluster_id: str | None = None
    voter_id: int = -1
    topics: list[BeginQuorumEpochRequestTopicData] = field(default_factory=list)
    leader_endpoints: list[BeginQuorumEpochRequestLeaderEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponsePartitionData(MessageStruct):
    """A PartitionData inside BeginQuorumEpochResponse."""

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    unproven: bool = False
    directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponseTopicData(MessageStruct):
    """A TopicData inside BeginQuorumEpochResponse."""

    topic_name: str = ""
    partitions: list[BeginQuorumEpochResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside BeginQuorumEpochResponse."""

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponse(Message):
    """Kafka's BeginQuorumEpochResponse, versions 0 to 1."""

    NAME: ClassVar[str] = "BeginQuorumEpochResponse"
    API_KEY: ClassVar[int] = 53
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    error_code: int = 0
    topics: list[BeginQuorumEpochResponseTopicData] = field(default_factory=list)
    node_endpoints: list[BeginQuorumEpochResponseNodeEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestReplicaInfo(MessageStruct):
    """A ReplicaInfo inside EndQuorumEpochRequest."""

    candidate_id: int = 0
    candidate_directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestPartitionData(MessageStruct):
    """A PartitionData inside EndQuorumEpochRequest."""

    partition_index: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    preferred_successors: list[int] = field(default_factory=list)
    preferred_candidates: list[EndQuorumEpochRequestReplicaInfo] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestTopicData(MessageStruct):
    """A TopicData inside EndQuorumEpochRequest."""

    topic_name: str = ""
    partitions: list[EndQuorumEpochRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestLeaderEndpoint(MessageStruct):
    """A LeaderEndpoint inside EndQuorumEpochRequest."""

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequest(Message):
    """Kafka's EndQuorumEpochRequest, versions 0 to 1."""

    NAME: ClassVar[str] = "EndQuorumEpochRequest"
    API_KEY: ClassVar[int] = 54
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    cluster_id: str | None = None
    topics: list[EndQuorumEpochRequestTopicData] = field(default_factory=list)
    leader_endpoints: list[EndQuorumEpochRequestLeaderEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponsePartitionData(MessageStruct):
    """A PartitionData inside EndQuorumEpochResponse."""

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponseTopicData(MessageStruct):
    """A TopicData inside EndQuorumEpochResponse."""

    topic_name: str = ""
    partitions: list[EndQuorumEpochResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside EndQuorumEpochResponse."""

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponse(Message):
    """Kafka's EndQuorumEpochResponse, versions 0 to 1."""

    NAME: ClassVar[str] = "EndQuorumEpochResponse"
    API_KEY: ClassVar[int] = 54
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    error_code: int = 0
    topics: list[EndQuorumEpochResponseTopicData] = field(default_factory=list)
    node_endpoints: list[EndQuorumEpochResponseNodeEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumRequestPartitionData(MessageStruct):
    """A PartitionData inside DescribeQuorumRequest."""

    partition_index: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumRequestTopicData(MessageStruct):
    """A TopicData inside DescribeQuorumRequest."""

    topic_name: str = ""
    partitions: list[DescribeQuorumRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumRequest(Message):
    """Kafka's DescribeQuorumRequest, versions 0 to 2."""

    NAME: ClassVar[str] = "DescribeQuorumRequest"
    API_KEY: ClassVar[int] = 55
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    topics: list[DescribeQuorumRequestTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseReplicaState(MessageStruct):
    """A ReplicaState inside DescribeQuorumResponse."""

    replica_id: int = 0
    replica_directory_id: bytes = ZERO_UUID
    log_end_offset: int = 0
    last_fetch_timestamp: int = -1
    last_caught_up_timestamp: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponsePartitionData(MessageStruct):
    """A PartitionData inside DescribeQuorumResponse."""

    partition_index: int = 0
    error_code: int = 0
    error_message: str | None = ""
    leader_id: int = 0
    leader_epoch: int = 0
    high_watermark: int = 0
    current_voters: list[DescribeQuorumResponseReplicaState] = field(default_factory=list)
    observers: list[DescribeQuorumResponseReplicaState] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseTopicData(MessageStruct):
    """A TopicData inside DescribeQuorumResponse."""

    topic_name: str = ""
    partitions: list[DescribeQuorumResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseListener(MessageStruct):
    """A Listener inside DescribeQuorumResponse."""

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseNode(MessageStruct):
    """A Node inside DescribeQuorumResponse."""

    node_id: int = 0
    listeners: list[DescribeQuorumResponseListener] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponse(Message):
    """Kafka's DescribeQuorumResponse, versions 0 to 2."""

    NAME: ClassVar[str] = "DescribeQuorumResponse"
    API_KEY: ClassVar[int] = 55
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    error_code: int = 0
    error_message: str | None = ""
    topics: list[DescribeQuorumResponseTopicData] = field(default_factory=list)
    nodes: list[DescribeQuorumResponseNode] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesRequestFeatureUpdateKey(MessageStruct):
    """A FeatureUpdateKey inside UpdateFeaturesRequest."""

    feature: str = ""
    max_version_level: int = 0
    allow_downgrade: bool = False
    upgrade_type: int = 1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesRequest(Message):
    """Kafka's UpdateFeaturesRequest, versions 0 to 2."""

    NAME: ClassVar[str] = "UpdateFeaturesRequest"
    API_KEY: ClassVar[int] = 57
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    timeout_ms: int = 60000
    feature_updates: list[UpdateFeaturesRequestFeatureUpdateKey] = field(default_factory=list)
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesResponseUpdatableFeatureResult(MessageStruct):
    """A UpdatableFeatureResult inside UpdateFeaturesResponse."""

    feature: str = ""
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesResponse(Message):
    """Kafka's UpdateFeaturesResponse, versions 0 to 2."""

    NAME: ClassVar[str] = "UpdateFeaturesResponse"
    API_KEY: ClassVar[int] = 57
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    results: list[UpdateFeaturesResponseUpdatableFeatureResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequestSnapshotId(MessageStruct):
    """A SnapshotId inside FetchSnapshotRequest."""

    end_offset: int = 0
    epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequestPartitionSnapshot(MessageStruct):
    """A PartitionSnapshot inside FetchSnapshotRequest."""

    partition: int = 0
    current_leader_epoch: int = 0
    snapshot_id: FetchSnapshotRequestSnapshotId = field(default_factory=FetchSnapshotRequestSnapshotId)
    position: int = 0
    replica_directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequestTopicSnapshot(MessageStruct):
    """A TopicSnapshot inside FetchSnapshotRequest."""

    name: str = ""
    partitions: list[FetchSnapshotRequestPartitionSnapshot] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequest(Message):
    """Kafka's FetchSnapshotRequest, versions 0 to 1."""

    NAME: ClassVar[str] = "FetchSnapshotRequest"
    API_KEY: ClassVar[int] = 59
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    cluster_id: str | None = None
    replica_id: int = -1
    max_bytes: int = 2147483647
    topics: list[FetchSnapshotRequestTopicSnapshot] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponseSnapshotId(MessageStruct):
    """A SnapshotId inside FetchSnapshotResponse."""

    end_offset: int = 0
    epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponseLeaderIdAndEpoch(MessageStruct):
    """A LeaderIdAndEpoch inside FetchSnapshotResponse."""

    leader_id: int = 0
    leader_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponsePartitionSnapshot(MessageStruct):
    """A PartitionSnapshot inside FetchSnapshotResponse."""

    index: int = 0
    error_code: int = 0
    snapshot_id: FetchSnapshotResponseSnapshotId = field(default_factory=FetchSnapshotResponseSnapshotId)
    current_leader: FetchSnapshotResponseLeaderIdAndEpoch = field(default_factory=FetchSnapshotResponseLeaderIdAndEpoch)
    size: int = 0
    position: int = 0
    unaligned_records: bytes = b""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponseTopicSnapshot(MessageStruct):
    """A TopicSnapshot inside FetchSnapshotResponse."""

    name: str = ""
    partitions: list[FetchSnapshotResponsePartitionSnapshot] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside FetchSnapshotResponse."""

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponse(Message):
    """Kafka's FetchSnapshotResponse, versions 0 to 1."""

    NAME: ClassVar[str] = "FetchSnapshotResponse"
    API_KEY: ClassVar[int] = 59
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    throttle_time_ms: int = 0
    error_code: int = 0
    topics: list[FetchSnapshotResponseTopicSnapshot] = field(default_factory=list)
    node_endpoints: list[FetchSnapshotResponseNodeEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeClusterRequest(Message):
    """Kafka's DescribeClusterRequest, versions 0 to 2."""

    NAME: ClassVar[str] = "DescribeClusterRequest"
    API_KEY: ClassVar[int] = 60
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    include_cluster_authorized_operations: bool = False
    endpoint_type: int = 1
    include_fenced_brokers: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeClusterResponseDescribeClusterBroker(MessageStruct):
    """A DescribeClusterBroker inside DescribeClusterResponse."""

    broker_id: int = 0
    host: str = ""
    port: int = 0
    rack: str | None = None
    is_fenced: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeClusterResponse(Message):
    """Kafka's DescribeClusterResponse, versions 0 to 2."""

    NAME: ClassVar[str] = "DescribeClusterResponse"
    API_KEY: ClassVar[int] = 60
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = None
    endpoint_type: int = 1
    cluster_id: str = ""
    controller_id: int = -1
    brokers: list[DescribeClusterResponseDescribeClusterBroker] = field(default_factory=list)
    cluster_authorized_operations: int = -2147483648
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationRequestListener(MessageStruct):
    """A Listener inside BrokerRegistrationRequest."""

    name: str = ""
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationRequestFeature(MessageStruct):
    """A Feature inside BrokerRegistrationRequest."""

    name: str = ""
    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationRequest(Message):
    """Kafka's BrokerRegistrationRequest, versions 0 to 4."""

    NAME: ClassVar[str] = "BrokerRegistrationRequest"
    API_KEY: ClassVar[int] = 62
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    broker_id: int = 0
    cluster_id: str = ""
    incarnation_id: bytes = ZERO_UUID
    listeners: list[BrokerRegistrationRequestListener] = field(default_factory=list)
    features: list[BrokerRegistrationRequestFeature] = field(default_factory=list)
    rack: str | None = ""
    is_migrating_zk_broker: bool = False
    log_dirs: list[bytes] = field(default_factory=list)
    previous_broker_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationResponse(Message):
    """Kafka's BrokerRegistrationResponse, versions 0 to 4."""

    NAME: ClassVar[str] = "BrokerRegistrationResponse"
    API_KEY: ClassVar[int] = 62
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    throttle_time_ms: int = 0
    error_code: int = 0
    broker_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerHeartbeatRequest(Message):
    """Kafka's BrokerHeartbeatRequest, versions 0 to 2."""

    NAME: ClassVar[str] = "BrokerHeartbeatRequest"
    API_KEY: ClassVar[int] = 63
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    broker_id: int = 0
    broker_epoch: int = -1
    current_metadata_offset: int = 0
    want_fence: bool = False
    want_shut_down: bool = False
    offline_log_dirs: list[bytes] = field(default_factory=list)
    cordoned_log_dirs: list[bytes] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerHeartbeatResponse(Message):
    """Kafka's BrokerHeartbeatResponse, versions 0 to 2."""

    NAME: ClassVar[str] = "BrokerHeartbeatResponse"
    API_KEY: ClassVar[int] = 63
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    throttle_time_ms: int = 0
    error_code: int = 0
    is_caught_up: bool = False
    is_fenced: bool = True
    should_shut_down: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterBrokerRequest(Message):
    """Kafka's UnregisterBrokerRequest, versions 0 to 0."""

    NAME: ClassVar[str] = "UnregisterBrokerRequest"
    API_KEY: ClassVar[int] = 64
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    broker_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterBrokerResponse(Message):
    """Kafka's UnregisterBrokerResponse, versions 0 to 0."""

    NAME: ClassVar[str] = "UnregisterBrokerResponse"
    API_KEY: ClassVar[int] = 64
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationRequestListener(MessageStruct):
    """A Listener inside ControllerRegistrationRequest."""

    name: str = ""
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationRequestFeature(MessageStruct):
    """A Feature inside ControllerRegistrationRequest."""

    name: str = ""
    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationRequest(Message):
    """Kafka's ControllerRegistrationRequest, versions 0 to 0."""

    NAME: ClassVar[str] = "ControllerRegistrationRequest"
    API_KEY: ClassVar[int] = 70
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    controller_id: int = 0
    incarnation_id: bytes = ZERO_UUID
    zk_migration_ready: bool = False
    listeners: list[ControllerRegistrationRequestListener] = field(default_factory=list)
    features: list[ControllerRegistrationRequestFeature] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationResponse(Message):
    """Kafka's ControllerRegistrationResponse, versions 0 to 0."""

    NAME: ClassVar[str] = "ControllerRegistrationResponse"
    API_KEY: ClassVar[int] = 70
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AddRaftVoterRequestListener(MessageStruct):
    """A Listener inside AddRaftVoterRequest."""

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AddRaftVoterRequest(Message):
    """Kafka's AddRaftVoterRequest, versions 0 to 1."""

    NAME: ClassVar[str] = "AddRaftVoterRequest"
    API_KEY: ClassVar[int] = 80
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    cluster_id: str | None = ""
    timeout_ms: int = 0
    voter_id: int = 0
    voter_directory_id: bytes = ZERO_UUID
    listeners: list[AddRaftVoterRequestListener] = field(default_factory=list)
    ack_when_committed: bool = True
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AddRaftVoterResponse(Message):
    """Kafka's AddRaftVoterResponse, versions 0 to 1."""

    NAME: ClassVar[str] = "AddRaftVoterResponse"
    API_KEY: ClassVar[int] = 80
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveRaftVoterRequest(Message):
    """Kafka's RemoveRaftVoterRequest, versions 0 to 0."""

    NAME: ClassVar[str] = "RemoveRaftVoterRequest"
    API_KEY: ClassVar[int] = 81
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    cluster_id: str | None = ""
    voter_id: int = 0
    voter_directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RemoveRaftVoterResponse(Message):
    """Kafka's RemoveRaftVoterResponse, versions 0 to 0."""

    NAME: ClassVar[str] = "RemoveRaftVoterResponse"
    API_KEY: ClassVar[int] = 81
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterRequestListener(MessageStruct):
    """A Listener inside UpdateRaftVoterRequest."""

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterRequestKRaftVersionFeature(MessageStruct):
    """A KRaftVersionFeature inside UpdateRaftVoterRequest."""

    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterRequest(Message):
    """Kafka's UpdateRaftVoterRequest, versions 0 to 0."""

    NAME: ClassVar[str] = "UpdateRaftVoterRequest"
    API_KEY: ClassVar[int] = 82
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    cluster_id: str | None = ""
    current_leader_epoch: int = 0
    voter_id: int = 0
    voter_directory_id: bytes = ZERO_UUID
    listeners: list[UpdateRaftVoterRequestListener] = field(default_factory=list)
    kraft_version_feature: UpdateRaftVoterRequestKRaftVersionFeature = field(default_factory=UpdateRaftVoterRequestKRaftVersionFeature)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterResponseCurrentLeader(MessageStruct):
    """A CurrentLeader inside UpdateRaftVoterResponse."""

    leader_id: int = -1
    leader_epoch: int = -1
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterResponse(Message):
    """Kafka's UpdateRaftVoterResponse, versions 0 to 0."""

    NAME: ClassVar[str] = "UpdateRaftVoterResponse"
    API_KEY: ClassVar[int] = 82
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    current_leader: UpdateRaftVoterResponseCurrentLeader = field(default_factory=UpdateRaftVoterResponseCurrentLeader)
    unknown_tags: Tags = ()


CODECS: Final = LazyCodecs({
    RequestHeader: "kraftpy.records.generated.rpc_codecs.request_header",
    ResponseHeader: "kraftpy.records.generated.rpc_codecs.response_header",
    FetchRequest: "kraftpy.records.generated.rpc_codecs.fetch_request",
    FetchResponse: "kraftpy.records.generated.rpc_codecs.fetch_response",
    ApiVersionsRequest: "kraftpy.records.generated.rpc_codecs.api_versions_request",
    ApiVersionsResponse: "kraftpy.records.generated.rpc_codecs.api_versions_response",
    CreateTopicsRequest: "kraftpy.records.generated.rpc_codecs.create_topics_request",
    CreateTopicsResponse: "kraftpy.records.generated.rpc_codecs.create_topics_response",
    DeleteTopicsRequest: "kraftpy.records.generated.rpc_codecs.delete_topics_request",
    DeleteTopicsResponse: "kraftpy.records.generated.rpc_codecs.delete_topics_response",
    DescribeConfigsRequest: "kraftpy.records.generated.rpc_codecs.describe_configs_request",
    DescribeConfigsResponse: "kraftpy.records.generated.rpc_codecs.describe_configs_response",
    AlterConfigsRequest: "kraftpy.records.generated.rpc_codecs.alter_configs_request",
    AlterConfigsResponse: "kraftpy.records.generated.rpc_codecs.alter_configs_response",
    CreatePartitionsRequest: "kraftpy.records.generated.rpc_codecs.create_partitions_request",
    CreatePartitionsResponse: "kraftpy.records.generated.rpc_codecs.create_partitions_response",
    IncrementalAlterConfigsRequest: "kraftpy.records.generated.rpc_codecs.incremental_alter_configs_request",
    IncrementalAlterConfigsResponse: "kraftpy.records.generated.rpc_codecs.incremental_alter_configs_response",
    VoteRequest: "kraftpy.records.generated.rpc_codecs.vote_request",
    VoteResponse: "kraftpy.records.generated.rpc_codecs.vote_response",
    BeginQuorumEpochRequest: "kraftpy.records.generated.rpc_codecs.begin_quorum_epoch_request",
    BeginQuorumEpochResponse: "kraftpy.records.generated.rpc_codecs.begin_quorum_epoch_response",
    EndQuorumEpochRequest: "kraftpy.records.generated.rpc_codecs.end_quorum_epoch_request",
    EndQuorumEpochResponse: "kraftpy.records.generated.rpc_codecs.end_quorum_epoch_response",
    DescribeQuorumRequest: "kraftpy.records.generated.rpc_codecs.describe_quorum_request",
    DescribeQuorumResponse: "kraftpy.records.generated.rpc_codecs.describe_quorum_response",
    UpdateFeaturesRequest: "kraftpy.records.generated.rpc_codecs.update_features_request",
    UpdateFeaturesResponse: "kraftpy.records.generated.rpc_codecs.update_features_response",
    FetchSnapshotRequest: "kraftpy.records.generated.rpc_codecs.fetch_snapshot_request",
    FetchSnapshotResponse: "kraftpy.records.generated.rpc_codecs.fetch_snapshot_response",
    DescribeClusterRequest: "kraftpy.records.generated.rpc_codecs.describe_cluster_request",
    DescribeClusterResponse: "kraftpy.records.generated.rpc_codecs.describe_cluster_response",
    BrokerRegistrationRequest: "kraftpy.records.generated.rpc_codecs.broker_registration_request",
    BrokerRegistrationResponse: "kraftpy.records.generated.rpc_codecs.broker_registration_response",
    BrokerHeartbeatRequest: "kraftpy.records.generated.rpc_codecs.broker_heartbeat_request",
    BrokerHeartbeatResponse: "kraftpy.records.generated.rpc_codecs.broker_heartbeat_response",
    UnregisterBrokerRequest: "kraftpy.records.generated.rpc_codecs.unregister_broker_request",
    UnregisterBrokerResponse: "kraftpy.records.generated.rpc_codecs.unregister_broker_response",
    ControllerRegistrationRequest: "kraftpy.records.generated.rpc_codecs.controller_registration_request",
    ControllerRegistrationResponse: "kraftpy.records.generated.rpc_codecs.controller_registration_response",
    AddRaftVoterRequest: "kraftpy.records.generated.rpc_codecs.add_raft_voter_request",
    AddRaftVoterResponse: "kraftpy.records.generated.rpc_codecs.add_raft_voter_response",
    RemoveRaftVoterRequest: "kraftpy.records.generated.rpc_codecs.remove_raft_voter_request",
    RemoveRaftVoterResponse: "kraftpy.records.generated.rpc_codecs.remove_raft_voter_response",
    UpdateRaftVoterRequest: "kraftpy.records.generated.rpc_codecs.update_raft_voter_request",
    UpdateRaftVoterResponse: "kraftpy.records.generated.rpc_codecs.update_raft_voter_response",
})
"""The decoder and the encoder of every message and version."""

MESSAGES: Final[tuple[type[Message], ...]] = (
    RequestHeader,
    ResponseHeader,
    FetchRequest,
    FetchResponse,
    ApiVersionsRequest,
    ApiVersionsResponse,
    CreateTopicsRequest,
    CreateTopicsResponse,
    DeleteTopicsRequest,
    DeleteTopicsResponse,
    DescribeConfigsRequest,
    DescribeConfigsResponse,
    AlterConfigsRequest,
    AlterConfigsResponse,
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
    VoteRequest,
    VoteResponse,
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    DescribeClusterRequest,
    DescribeClusterResponse,
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
    ControllerRegistrationRequest,
    ControllerRegistrationResponse,
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
)
"""Every message, in the order of the table."""
