"""Generated from ``kraftpy.records.tables.rpc`` by ``python -m kraftpy.cli.generate_records``; do not edit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from struct import Struct
from typing import Any, ClassVar, Final, TypeAlias

from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.codec import (
    DECODE_ERRORS,
    ENCODE_ERRORS,
    NO_TAGS,
    PACK_INT32S,
    SHAPES,
    SHORT,
    UNPACK_INT32S,
    UNPACK_UUIDS,
    UVARINT,
    FieldError,
    Message,
    MessageStruct,
    Tags,
    check_count,
    int32s,
    length_prefix,
    new,
    plain_int32s,
    plain_prefix,
    plain_string_prefix,
    plain_strings,
    read_int32s,
    read_string_length,
    read_tag,
    read_tags,
    read_uuids,
    read_uvarint,
    string_prefix,
    strings,
    tag_section,
    uuids,
)
from kraftpy.records.faults import absent, fault, leftover, unwritable

_PACK_H: Final = Struct(">H").pack
_PACK_Hh: Final = Struct(">Hh").pack
_PACK_b: Final = Struct(">b").pack
_PACK_h: Final = Struct(">h").pack
_PACK_hb: Final = Struct(">hb").pack
_PACK_hh: Final = Struct(">hh").pack
_PACK_hhh: Final = Struct(">hhh").pack
_PACK_hhi: Final = Struct(">hhi").pack
_PACK_ht: Final = Struct(">h?").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_ihi: Final = Struct(">ihi").pack
_PACK_ihii: Final = Struct(">ihii").pack
_PACK_ihiiq: Final = Struct(">ihiiq").pack
_PACK_ihiit: Final = Struct(">ihii?").pack
_PACK_ihq: Final = Struct(">ihq").pack
_PACK_ihqq: Final = Struct(">ihqq").pack
_PACK_ihqqq: Final = Struct(">ihqqq").pack
_PACK_ihttt: Final = Struct(">ih???").pack
_PACK_ii: Final = Struct(">ii").pack
_PACK_iii: Final = Struct(">iii").pack
_PACK_iiibii: Final = Struct(">iiibii").pack
_PACK_iiiib: Final = Struct(">iiiib").pack
_PACK_iiiibii: Final = Struct(">iiiibii").pack
_PACK_iiiiq: Final = Struct(">iiiiq").pack
_PACK_iiiuuiq: Final = Struct(">iii16s16siq").pack
_PACK_iiiuuiqt: Final = Struct(">iii16s16siq?").pack
_PACK_iiq: Final = Struct(">iiq").pack
_PACK_iiqiqi: Final = Struct(">iiqiqi").pack
_PACK_iiqqi: Final = Struct(">iiqqi").pack
_PACK_iiu: Final = Struct(">ii16s").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_iqi: Final = Struct(">iqi").pack
_PACK_iqqi: Final = Struct(">iqqi").pack
_PACK_iqqq: Final = Struct(">iqqq").pack
_PACK_iqqtt: Final = Struct(">iqq??").pack
_PACK_iu: Final = Struct(">i16s").pack
_PACK_iuii: Final = Struct(">i16sii").pack
_PACK_iuqqq: Final = Struct(">i16sqqq").pack
_PACK_iut: Final = Struct(">i16s?").pack
_PACK_q: Final = Struct(">q").pack
_PACK_qi: Final = Struct(">qi").pack
_PACK_qq: Final = Struct(">qq").pack
_PACK_t: Final = Struct(">?").pack
_PACK_tb: Final = Struct(">?b").pack
_PACK_tbt: Final = Struct(">?b?").pack
_PACK_tt: Final = Struct(">??").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_H: Final = Struct(">H").unpack_from
_UNPACK_Hh: Final = Struct(">Hh").unpack_from
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hb: Final = Struct(">hb").unpack_from
_UNPACK_hh: Final = Struct(">hh").unpack_from
_UNPACK_hhh: Final = Struct(">hhh").unpack_from
_UNPACK_hhi: Final = Struct(">hhi").unpack_from
_UNPACK_ht: Final = Struct(">h?").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_ih: Final = Struct(">ih").unpack_from
_UNPACK_ihi: Final = Struct(">ihi").unpack_from
_UNPACK_ihii: Final = Struct(">ihii").unpack_from
_UNPACK_ihiiq: Final = Struct(">ihiiq").unpack_from
_UNPACK_ihiit: Final = Struct(">ihii?").unpack_from
_UNPACK_ihq: Final = Struct(">ihq").unpack_from
_UNPACK_ihqq: Final = Struct(">ihqq").unpack_from
_UNPACK_ihqqq: Final = Struct(">ihqqq").unpack_from
_UNPACK_ihttt: Final = Struct(">ih???").unpack_from
_UNPACK_ii: Final = Struct(">ii").unpack_from
_UNPACK_iii: Final = Struct(">iii").unpack_from
_UNPACK_iiibii: Final = Struct(">iiibii").unpack_from
_UNPACK_iiiib: Final = Struct(">iiiib").unpack_from
_UNPACK_iiiibii: Final = Struct(">iiiibii").unpack_from
_UNPACK_iiiiq: Final = Struct(">iiiiq").unpack_from
_UNPACK_iiiuuiq: Final = Struct(">iii16s16siq").unpack_from
_UNPACK_iiiuuiqt: Final = Struct(">iii16s16siq?").unpack_from
_UNPACK_iiq: Final = Struct(">iiq").unpack_from
_UNPACK_iiqiqi: Final = Struct(">iiqiqi").unpack_from
_UNPACK_iiqqi: Final = Struct(">iiqqi").unpack_from
_UNPACK_iiu: Final = Struct(">ii16s").unpack_from
_UNPACK_iq: Final = Struct(">iq").unpack_from
_UNPACK_iqi: Final = Struct(">iqi").unpack_from
_UNPACK_iqqi: Final = Struct(">iqqi").unpack_from
_UNPACK_iqqq: Final = Struct(">iqqq").unpack_from
_UNPACK_iqqtt: Final = Struct(">iqq??").unpack_from
_UNPACK_iu: Final = Struct(">i16s").unpack_from
_UNPACK_iuii: Final = Struct(">i16sii").unpack_from
_UNPACK_iuqqq: Final = Struct(">i16sqqq").unpack_from
_UNPACK_iut: Final = Struct(">i16s?").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_qi: Final = Struct(">qi").unpack_from
_UNPACK_qq: Final = Struct(">qq").unpack_from
_UNPACK_t: Final = Struct(">?").unpack_from
_UNPACK_tb: Final = Struct(">?b").unpack_from
_UNPACK_tbt: Final = Struct(">?b?").unpack_from
_UNPACK_tt: Final = Struct(">??").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


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


def decode_request_header_v0(data: bytes, at: int = 0) -> tuple[RequestHeader, int]:
    m: RequestHeader = new(RequestHeader)
    end = len(data)
    try:
        m.client_id = ""
        m.request_api_key, m.request_api_version, m.correlation_id = _UNPACK_hhi(data, at)
        at += 8
        m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_request_header_v1(data: bytes, at: int = 0) -> tuple[RequestHeader, int]:
    m: RequestHeader = new(RequestHeader)
    end = len(data)
    try:
        m.request_api_key, m.request_api_version, m.correlation_id = _UNPACK_hhi(data, at)
        at += 8
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.client_id = data[at:stop].decode()
            at = stop
        else:
            m.client_id = None
        m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_request_header_v2(data: bytes, at: int = 0) -> tuple[RequestHeader, int]:
    m: RequestHeader = new(RequestHeader)
    end = len(data)
    try:
        m.request_api_key, m.request_api_version, m.correlation_id = _UNPACK_hhi(data, at)
        at += 8
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.client_id = data[at:stop].decode()
            at = stop
        else:
            m.client_id = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_response_header_v0(data: bytes, at: int = 0) -> tuple[ResponseHeader, int]:
    m: ResponseHeader = new(ResponseHeader)
    end = len(data)
    try:
        m.correlation_id, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_response_header_v1(data: bytes, at: int = 0) -> tuple[ResponseHeader, int]:
    m: ResponseHeader = new(ResponseHeader)
    end = len(data)
    try:
        m.correlation_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_replica_state_v4(data: bytes, at: int, _end: int) -> tuple[FetchRequestReplicaState, int]:
    m: FetchRequestReplicaState = new(FetchRequestReplicaState)
    try:
        m.replica_id = -1
        m.replica_epoch = -1
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_replica_state_v12(data: bytes, at: int, _end: int) -> tuple[FetchRequestReplicaState, int]:
    m: FetchRequestReplicaState = new(FetchRequestReplicaState)
    try:
        m.replica_id = -1
        m.replica_epoch = -1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_replica_state_v15(data: bytes, at: int, _end: int) -> tuple[FetchRequestReplicaState, int]:
    m: FetchRequestReplicaState = new(FetchRequestReplicaState)
    try:
        m.replica_id, m.replica_epoch = _UNPACK_iq(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v4(data: bytes, at: int, _end: int) -> tuple[FetchRequestFetchPartition, int]:
    m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
    try:
        m.current_leader_epoch = -1
        m.last_fetched_epoch = -1
        m.log_start_offset = -1
        m.replica_directory_id = ZERO_UUID
        m.high_watermark = 9223372036854775807
        m.partition, m.fetch_offset, m.partition_max_bytes = _UNPACK_iqi(data, at)
        at += 16
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v5(data: bytes, at: int, _end: int) -> tuple[FetchRequestFetchPartition, int]:
    m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
    try:
        m.current_leader_epoch = -1
        m.last_fetched_epoch = -1
        m.replica_directory_id = ZERO_UUID
        m.high_watermark = 9223372036854775807
        m.partition, m.fetch_offset, m.log_start_offset, m.partition_max_bytes = _UNPACK_iqqi(data, at)
        at += 24
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v9(data: bytes, at: int, _end: int) -> tuple[FetchRequestFetchPartition, int]:
    m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
    try:
        m.last_fetched_epoch = -1
        m.replica_directory_id = ZERO_UUID
        m.high_watermark = 9223372036854775807
        m.partition, m.current_leader_epoch, m.fetch_offset, m.log_start_offset, m.partition_max_bytes = _UNPACK_iiqqi(data, at)
        at += 28
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v12(data: bytes, at: int, _end: int) -> tuple[FetchRequestFetchPartition, int]:
    m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
    try:
        m.replica_directory_id = ZERO_UUID
        m.high_watermark = 9223372036854775807
        m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes = _UNPACK_iiqiqi(data, at)
        at += 32
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v17(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchPartition, int]:
    m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
    try:
        m.high_watermark = 9223372036854775807
        m.replica_directory_id = ZERO_UUID
        m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes = _UNPACK_iiqiqi(data, at)
        at += 32
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.replica_directory_id, = _UNPACK_u(data, at)
                    at += 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v18(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchPartition, int]:
    m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
    try:
        m.replica_directory_id = ZERO_UUID
        m.high_watermark = 9223372036854775807
        m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes = _UNPACK_iiqiqi(data, at)
        at += 32
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.replica_directory_id, = _UNPACK_u(data, at)
                    at += 16
                elif tag == 1:
                    m.high_watermark, = _UNPACK_q(data, at)
                    at += 8
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v4(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 16 > end - at:
            check_count(n - 1, 16, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v4(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v5(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 24 > end - at:
            check_count(n - 1, 24, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v5(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v9(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 28 > end - at:
            check_count(n - 1, 28, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v9(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v12(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic_id = ZERO_UUID
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 33 > end - at:
            check_count(n - 1, 33, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v12(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v13(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic = ""
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 33 > end - at:
            check_count(n - 1, 33, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v12(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v17(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic = ""
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 33 > end - at:
            check_count(n - 1, 33, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v17(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v18(data: bytes, at: int, end: int) -> tuple[FetchRequestFetchTopic, int]:
    m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
    try:
        m.topic = ""
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 33 > end - at:
            check_count(n - 1, 33, data, at)
        partitions_items: list[FetchRequestFetchPartition] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_request_fetch_partition_v18(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_forgotten_topic_v4(data: bytes, at: int, _end: int) -> tuple[FetchRequestForgottenTopic, int]:
    m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
    try:
        m.topic = ""
        m.topic_id = ZERO_UUID
        m.partitions = []
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_forgotten_topic_v7(data: bytes, at: int, _end: int) -> tuple[FetchRequestForgottenTopic, int]:
    m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        m.partitions = read_int32s(data, at, n - 1)
        at += 4 * n - 4
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_forgotten_topic_v12(data: bytes, at: int, _end: int) -> tuple[FetchRequestForgottenTopic, int]:
    m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
    try:
        m.topic_id = ZERO_UUID
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.partitions = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.partitions = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_forgotten_topic_v13(data: bytes, at: int, _end: int) -> tuple[FetchRequestForgottenTopic, int]:
    m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
    try:
        m.topic = ""
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.partitions = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.partitions = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v4(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.session_id = 0
        m.session_epoch = -1
        m.forgotten_topics_data = []
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level = _UNPACK_iiiib(data, at)
        at += 17
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v4(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v5(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.session_id = 0
        m.session_epoch = -1
        m.forgotten_topics_data = []
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level = _UNPACK_iiiib(data, at)
        at += 17
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v5(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v7(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v5(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v7(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v9(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v9(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v7(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v11(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v9(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v7(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v12(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_state = FetchRequestReplicaState()
        m.cluster_id = None
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v12(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v12(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v13(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_state = FetchRequestReplicaState()
        m.cluster_id = None
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v13(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v13(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v15(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_id = -1
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiibii(data, at)
        at += 21
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v13(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v13(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                elif tag == 1:
                    m.replica_state, at = _decode_fetch_request_replica_state_v15(data, at, end)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v17(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_id = -1
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiibii(data, at)
        at += 21
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v17(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v13(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                elif tag == 1:
                    m.replica_state, at = _decode_fetch_request_replica_state_v15(data, at, end)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v18(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_id = -1
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiibii(data, at)
        at += 21
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        topics_items: list[FetchRequestFetchTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_request_fetch_topic_v18(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        forgotten_topics_data_items: list[FetchRequestForgottenTopic] = []
        for _ in range(n - 1):
            forgotten_topics_data_item, at = _decode_fetch_request_forgotten_topic_v13(data, at, end)
            forgotten_topics_data_items.append(forgotten_topics_data_item)
        m.forgotten_topics_data = forgotten_topics_data_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                elif tag == 1:
                    m.replica_state, at = _decode_fetch_request_replica_state_v15(data, at, end)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_epoch_end_offset_v4(data: bytes, at: int, end: int) -> tuple[FetchResponseEpochEndOffset, int]:
    m: FetchResponseEpochEndOffset = new(FetchResponseEpochEndOffset)
    try:
        m.epoch = -1
        m.end_offset = -1
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_epoch_end_offset_v12(data: bytes, at: int, end: int) -> tuple[FetchResponseEpochEndOffset, int]:
    m: FetchResponseEpochEndOffset = new(FetchResponseEpochEndOffset)
    try:
        m.epoch, m.end_offset = _UNPACK_iq(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_leader_id_and_epoch_v4(data: bytes, at: int, _end: int) -> tuple[FetchResponseLeaderIdAndEpoch, int]:
    m: FetchResponseLeaderIdAndEpoch = new(FetchResponseLeaderIdAndEpoch)
    try:
        m.leader_id = -1
        m.leader_epoch = -1
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_leader_id_and_epoch_v12(data: bytes, at: int, _end: int) -> tuple[FetchResponseLeaderIdAndEpoch, int]:
    m: FetchResponseLeaderIdAndEpoch = new(FetchResponseLeaderIdAndEpoch)
    try:
        m.leader_id, m.leader_epoch = _UNPACK_ii(data, at)
        at += 8
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_snapshot_id_v4(data: bytes, at: int, end: int) -> tuple[FetchResponseSnapshotId, int]:
    m: FetchResponseSnapshotId = new(FetchResponseSnapshotId)
    try:
        m.end_offset, m.epoch = _UNPACK_qi(data, at)
        at += 12
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_snapshot_id_v12(data: bytes, at: int, end: int) -> tuple[FetchResponseSnapshotId, int]:
    m: FetchResponseSnapshotId = new(FetchResponseSnapshotId)
    try:
        m.end_offset, m.epoch = _UNPACK_qi(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_aborted_transaction_v4(data: bytes, at: int, _end: int) -> tuple[FetchResponseAbortedTransaction, int]:
    m: FetchResponseAbortedTransaction = new(FetchResponseAbortedTransaction)
    try:
        m.producer_id, m.first_offset = _UNPACK_qq(data, at)
        at += 16
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_aborted_transaction_v12(data: bytes, at: int, _end: int) -> tuple[FetchResponseAbortedTransaction, int]:
    m: FetchResponseAbortedTransaction = new(FetchResponseAbortedTransaction)
    try:
        m.producer_id, m.first_offset = _UNPACK_qq(data, at)
        at += 16
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v4(data: bytes, at: int, end: int) -> tuple[FetchResponsePartitionData, int]:
    m: FetchResponsePartitionData = new(FetchResponsePartitionData)
    try:
        m.log_start_offset = -1
        m.diverging_epoch = FetchResponseEpochEndOffset()
        m.current_leader = FetchResponseLeaderIdAndEpoch()
        m.snapshot_id = FetchResponseSnapshotId()
        m.preferred_read_replica = -1
        m.bound_directory_id = ZERO_UUID
        m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset = _UNPACK_ihqq(data, at)
        at += 22
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            if (n - 1) * 16 > end - at:
                check_count(n - 1, 16, data, at)
            aborted_transactions_items: list[FetchResponseAbortedTransaction] = []
            for _ in range(n - 1):
                aborted_transactions_item, at = _decode_fetch_response_aborted_transaction_v4(data, at, end)
                aborted_transactions_items.append(aborted_transactions_item)
            m.aborted_transactions = aborted_transactions_items
        else:
            m.aborted_transactions = None
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.records = data[at:stop]
            at = stop
        else:
            m.records = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v5(data: bytes, at: int, end: int) -> tuple[FetchResponsePartitionData, int]:
    m: FetchResponsePartitionData = new(FetchResponsePartitionData)
    try:
        m.diverging_epoch = FetchResponseEpochEndOffset()
        m.current_leader = FetchResponseLeaderIdAndEpoch()
        m.snapshot_id = FetchResponseSnapshotId()
        m.preferred_read_replica = -1
        m.bound_directory_id = ZERO_UUID
        m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset = _UNPACK_ihqqq(data, at)
        at += 30
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            if (n - 1) * 16 > end - at:
                check_count(n - 1, 16, data, at)
            aborted_transactions_items: list[FetchResponseAbortedTransaction] = []
            for _ in range(n - 1):
                aborted_transactions_item, at = _decode_fetch_response_aborted_transaction_v4(data, at, end)
                aborted_transactions_items.append(aborted_transactions_item)
            m.aborted_transactions = aborted_transactions_items
        else:
            m.aborted_transactions = None
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.records = data[at:stop]
            at = stop
        else:
            m.records = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v11(data: bytes, at: int, end: int) -> tuple[FetchResponsePartitionData, int]:
    m: FetchResponsePartitionData = new(FetchResponsePartitionData)
    try:
        m.diverging_epoch = FetchResponseEpochEndOffset()
        m.current_leader = FetchResponseLeaderIdAndEpoch()
        m.snapshot_id = FetchResponseSnapshotId()
        m.bound_directory_id = ZERO_UUID
        m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset = _UNPACK_ihqqq(data, at)
        at += 30
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            if (n - 1) * 16 > end - at:
                check_count(n - 1, 16, data, at)
            aborted_transactions_items: list[FetchResponseAbortedTransaction] = []
            for _ in range(n - 1):
                aborted_transactions_item, at = _decode_fetch_response_aborted_transaction_v4(data, at, end)
                aborted_transactions_items.append(aborted_transactions_item)
            m.aborted_transactions = aborted_transactions_items
        else:
            m.aborted_transactions = None
        m.preferred_read_replica, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.records = data[at:stop]
            at = stop
        else:
            m.records = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v12(data: bytes, at: int, end: int) -> tuple[FetchResponsePartitionData, int]:
    m: FetchResponsePartitionData = new(FetchResponsePartitionData)
    try:
        m.bound_directory_id = ZERO_UUID
        m.diverging_epoch = FetchResponseEpochEndOffset()
        m.current_leader = FetchResponseLeaderIdAndEpoch()
        m.snapshot_id = FetchResponseSnapshotId()
        m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset = _UNPACK_ihqqq(data, at)
        at += 30
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            if (n - 1) * 17 > end - at:
                check_count(n - 1, 17, data, at)
            aborted_transactions_items: list[FetchResponseAbortedTransaction] = []
            for _ in range(n - 1):
                aborted_transactions_item, at = _decode_fetch_response_aborted_transaction_v12(data, at, end)
                aborted_transactions_items.append(aborted_transactions_item)
            m.aborted_transactions = aborted_transactions_items
        else:
            m.aborted_transactions = None
        m.preferred_read_replica, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            stop = at + n - 1
            m.records = data[at:stop]
            at = stop
        else:
            m.records = None
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.diverging_epoch, at = _decode_fetch_response_epoch_end_offset_v12(data, at, end)
                elif tag == 1:
                    m.current_leader, at = _decode_fetch_response_leader_id_and_epoch_v12(data, at, end)
                elif tag == 2:
                    m.snapshot_id, at = _decode_fetch_response_snapshot_id_v12(data, at, end)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v17(data: bytes, at: int, end: int) -> tuple[FetchResponsePartitionData, int]:
    m: FetchResponsePartitionData = new(FetchResponsePartitionData)
    try:
        m.diverging_epoch = FetchResponseEpochEndOffset()
        m.current_leader = FetchResponseLeaderIdAndEpoch()
        m.snapshot_id = FetchResponseSnapshotId()
        m.bound_directory_id = ZERO_UUID
        m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset = _UNPACK_ihqqq(data, at)
        at += 30
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            if (n - 1) * 17 > end - at:
                check_count(n - 1, 17, data, at)
            aborted_transactions_items: list[FetchResponseAbortedTransaction] = []
            for _ in range(n - 1):
                aborted_transactions_item, at = _decode_fetch_response_aborted_transaction_v12(data, at, end)
                aborted_transactions_items.append(aborted_transactions_item)
            m.aborted_transactions = aborted_transactions_items
        else:
            m.aborted_transactions = None
        m.preferred_read_replica, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            stop = at + n - 1
            m.records = data[at:stop]
            at = stop
        else:
            m.records = None
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.diverging_epoch, at = _decode_fetch_response_epoch_end_offset_v12(data, at, end)
                elif tag == 1:
                    m.current_leader, at = _decode_fetch_response_leader_id_and_epoch_v12(data, at, end)
                elif tag == 2:
                    m.snapshot_id, at = _decode_fetch_response_snapshot_id_v12(data, at, end)
                elif tag == 1000:
                    m.bound_directory_id, = _UNPACK_u(data, at)
                    at += 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v4(data: bytes, at: int, end: int) -> tuple[FetchResponseFetchableTopicResponse, int]:
    m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 30 > end - at:
            check_count(n - 1, 30, data, at)
        partitions_items: list[FetchResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_response_partition_data_v4(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v5(data: bytes, at: int, end: int) -> tuple[FetchResponseFetchableTopicResponse, int]:
    m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 38 > end - at:
            check_count(n - 1, 38, data, at)
        partitions_items: list[FetchResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_response_partition_data_v5(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v11(data: bytes, at: int, end: int) -> tuple[FetchResponseFetchableTopicResponse, int]:
    m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
    try:
        m.topic_id = ZERO_UUID
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 42 > end - at:
            check_count(n - 1, 42, data, at)
        partitions_items: list[FetchResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_response_partition_data_v11(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v12(data: bytes, at: int, end: int) -> tuple[FetchResponseFetchableTopicResponse, int]:
    m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
    try:
        m.topic_id = ZERO_UUID
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 37 > end - at:
            check_count(n - 1, 37, data, at)
        partitions_items: list[FetchResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_response_partition_data_v12(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v13(data: bytes, at: int, end: int) -> tuple[FetchResponseFetchableTopicResponse, int]:
    m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
    try:
        m.topic = ""
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 37 > end - at:
            check_count(n - 1, 37, data, at)
        partitions_items: list[FetchResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_response_partition_data_v12(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v17(data: bytes, at: int, end: int) -> tuple[FetchResponseFetchableTopicResponse, int]:
    m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
    try:
        m.topic = ""
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 37 > end - at:
            check_count(n - 1, 37, data, at)
        partitions_items: list[FetchResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_response_partition_data_v17(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_node_endpoint_v4(data: bytes, at: int, _end: int) -> tuple[FetchResponseNodeEndpoint, int]:
    m: FetchResponseNodeEndpoint = new(FetchResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        m.rack = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_node_endpoint_v12(data: bytes, at: int, _end: int) -> tuple[FetchResponseNodeEndpoint, int]:
    m: FetchResponseNodeEndpoint = new(FetchResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        m.rack = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_node_endpoint_v16(data: bytes, at: int, _end: int) -> tuple[FetchResponseNodeEndpoint, int]:
    m: FetchResponseNodeEndpoint = new(FetchResponseNodeEndpoint)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v4(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.error_code = 0
        m.session_id = 0
        m.node_endpoints = []
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v4(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v5(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.error_code = 0
        m.session_id = 0
        m.node_endpoints = []
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v5(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v7(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v5(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v11(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v11(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v12(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v12(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v13(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v13(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v16(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v13(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 11 > end - at:
                        check_count(n - 1, 11, data, at)
                    node_endpoints_items: list[FetchResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_fetch_response_node_endpoint_v16(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v17(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        responses_items: list[FetchResponseFetchableTopicResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_fetch_response_fetchable_topic_response_v17(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 11 > end - at:
                        check_count(n - 1, 11, data, at)
                    node_endpoints_items: list[FetchResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_fetch_response_node_endpoint_v16(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_request_v0(data: bytes, at: int = 0) -> ApiVersionsRequest:
    m: ApiVersionsRequest = new(ApiVersionsRequest)
    end = len(data)
    try:
        m.client_software_name = ""
        m.client_software_version = ""
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_request_v3(data: bytes, at: int = 0) -> ApiVersionsRequest:
    m: ApiVersionsRequest = new(ApiVersionsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.client_software_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.client_software_version = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_api_version_v0(data: bytes, at: int, _end: int) -> tuple[ApiVersionsResponseApiVersion, int]:
    m: ApiVersionsResponseApiVersion = new(ApiVersionsResponseApiVersion)
    try:
        m.api_key, m.min_version, m.max_version = _UNPACK_hhh(data, at)
        at += 6
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_api_version_v3(data: bytes, at: int, _end: int) -> tuple[ApiVersionsResponseApiVersion, int]:
    m: ApiVersionsResponseApiVersion = new(ApiVersionsResponseApiVersion)
    try:
        m.api_key, m.min_version, m.max_version = _UNPACK_hhh(data, at)
        at += 6
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_supported_feature_key_v0(data: bytes, at: int, _end: int) -> tuple[ApiVersionsResponseSupportedFeatureKey, int]:
    m: ApiVersionsResponseSupportedFeatureKey = new(ApiVersionsResponseSupportedFeatureKey)
    try:
        m.name = ""
        m.min_version = 0
        m.max_version = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_supported_feature_key_v3(data: bytes, at: int, _end: int) -> tuple[ApiVersionsResponseSupportedFeatureKey, int]:
    m: ApiVersionsResponseSupportedFeatureKey = new(ApiVersionsResponseSupportedFeatureKey)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.min_version, m.max_version = _UNPACK_hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_finalized_feature_key_v0(data: bytes, at: int, _end: int) -> tuple[ApiVersionsResponseFinalizedFeatureKey, int]:
    m: ApiVersionsResponseFinalizedFeatureKey = new(ApiVersionsResponseFinalizedFeatureKey)
    try:
        m.name = ""
        m.max_version_level = 0
        m.min_version_level = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_finalized_feature_key_v3(data: bytes, at: int, _end: int) -> tuple[ApiVersionsResponseFinalizedFeatureKey, int]:
    m: ApiVersionsResponseFinalizedFeatureKey = new(ApiVersionsResponseFinalizedFeatureKey)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.max_version_level, m.min_version_level = _UNPACK_hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_response_v0(data: bytes, at: int = 0) -> ApiVersionsResponse:
    m: ApiVersionsResponse = new(ApiVersionsResponse)
    end = len(data)
    try:
        m.throttle_time_ms = 0
        m.supported_features = []
        m.finalized_features_epoch = -1
        m.finalized_features = []
        m.zk_migration_ready = False
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        api_keys_items: list[ApiVersionsResponseApiVersion] = []
        for _ in range(n - 1):
            api_keys_item, at = _decode_api_versions_response_api_version_v0(data, at, end)
            api_keys_items.append(api_keys_item)
        m.api_keys = api_keys_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_response_v1(data: bytes, at: int = 0) -> ApiVersionsResponse:
    m: ApiVersionsResponse = new(ApiVersionsResponse)
    end = len(data)
    try:
        m.supported_features = []
        m.finalized_features_epoch = -1
        m.finalized_features = []
        m.zk_migration_ready = False
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        api_keys_items: list[ApiVersionsResponseApiVersion] = []
        for _ in range(n - 1):
            api_keys_item, at = _decode_api_versions_response_api_version_v0(data, at, end)
            api_keys_items.append(api_keys_item)
        m.api_keys = api_keys_items
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_response_v3(data: bytes, at: int = 0) -> ApiVersionsResponse:
    m: ApiVersionsResponse = new(ApiVersionsResponse)
    end = len(data)
    try:
        m.supported_features = []
        m.finalized_features_epoch = -1
        m.finalized_features = []
        m.zk_migration_ready = False
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        api_keys_items: list[ApiVersionsResponseApiVersion] = []
        for _ in range(n - 1):
            api_keys_item, at = _decode_api_versions_response_api_version_v3(data, at, end)
            api_keys_items.append(api_keys_item)
        m.api_keys = api_keys_items
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 6 > end - at:
                        check_count(n - 1, 6, data, at)
                    supported_features_items: list[ApiVersionsResponseSupportedFeatureKey] = []
                    for _ in range(n - 1):
                        supported_features_item, at = _decode_api_versions_response_supported_feature_key_v3(data, at, end)
                        supported_features_items.append(supported_features_item)
                    m.supported_features = supported_features_items
                elif tag == 1:
                    m.finalized_features_epoch, = _UNPACK_q(data, at)
                    at += 8
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 6 > end - at:
                        check_count(n - 1, 6, data, at)
                    finalized_features_items: list[ApiVersionsResponseFinalizedFeatureKey] = []
                    for _ in range(n - 1):
                        finalized_features_item, at = _decode_api_versions_response_finalized_feature_key_v3(data, at, end)
                        finalized_features_items.append(finalized_features_item)
                    m.finalized_features = finalized_features_items
                elif tag == 3:
                    m.zk_migration_ready, = _UNPACK_t(data, at)
                    at += 1
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_request_describe_configs_resource_v1(data: bytes, at: int, end: int) -> tuple[DescribeConfigsRequestDescribeConfigsResource, int]:
    m: DescribeConfigsRequestDescribeConfigsResource = new(DescribeConfigsRequestDescribeConfigsResource)
    try:
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            if (n - 1) * 2 > end - at:
                check_count(n - 1, 2, data, at)
            configuration_keys_items: list[str] = []
            for _ in range(n - 1):
                (n,) = _UNPACK_h(data, at)
                at += 2
                n += 1
                if n < 0:
                    raise FieldError(f"length {n - 1} is negative")
                if not n:
                    raise FieldError("it is null, which it may not be")
                stop = at + n - 1
                configuration_keys_items.append(data[at:stop].decode())
                at = stop
            m.configuration_keys = configuration_keys_items
        else:
            m.configuration_keys = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_request_describe_configs_resource_v4(data: bytes, at: int, end: int) -> tuple[DescribeConfigsRequestDescribeConfigsResource, int]:
    m: DescribeConfigsRequestDescribeConfigsResource = new(DescribeConfigsRequestDescribeConfigsResource)
    try:
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            if (n - 1) * 1 > end - at:
                check_count(n - 1, 1, data, at)
            configuration_keys_items: list[str] = []
            for _ in range(n - 1):
                n = data[at]
                at += 1
                if n >= SHORT:
                    if (more := data[at]) < SHORT:
                        n += more - 1 << 7
                        at += 1
                    else:
                        n, at = read_string_length(data, at - 1)
                if not n:
                    raise FieldError("it is null, which it may not be")
                stop = at + n - 1
                configuration_keys_items.append(data[at:stop].decode())
                at = stop
            m.configuration_keys = configuration_keys_items
        else:
            m.configuration_keys = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_request_v1(data: bytes, at: int = 0) -> DescribeConfigsRequest:
    m: DescribeConfigsRequest = new(DescribeConfigsRequest)
    end = len(data)
    try:
        m.include_documentation = False
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        resources_items: list[DescribeConfigsRequestDescribeConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_describe_configs_request_describe_configs_resource_v1(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.include_synonyms, = _UNPACK_t(data, at)
        at += 1
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_request_v3(data: bytes, at: int = 0) -> DescribeConfigsRequest:
    m: DescribeConfigsRequest = new(DescribeConfigsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        resources_items: list[DescribeConfigsRequestDescribeConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_describe_configs_request_describe_configs_resource_v1(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.include_synonyms, m.include_documentation = _UNPACK_tt(data, at)
        at += 2
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_request_v4(data: bytes, at: int = 0) -> DescribeConfigsRequest:
    m: DescribeConfigsRequest = new(DescribeConfigsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        resources_items: list[DescribeConfigsRequestDescribeConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_describe_configs_request_describe_configs_resource_v4(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.include_synonyms, m.include_documentation = _UNPACK_tt(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_synonym_v1(data: bytes, at: int, _end: int) -> tuple[DescribeConfigsResponseDescribeConfigsSynonym, int]:
    m: DescribeConfigsResponseDescribeConfigsSynonym = new(DescribeConfigsResponseDescribeConfigsSynonym)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.source, = _UNPACK_b(data, at)
        at += 1
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_synonym_v4(data: bytes, at: int, _end: int) -> tuple[DescribeConfigsResponseDescribeConfigsSynonym, int]:
    m: DescribeConfigsResponseDescribeConfigsSynonym = new(DescribeConfigsResponseDescribeConfigsSynonym)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.source, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_resource_result_v1(data: bytes, at: int, end: int) -> tuple[DescribeConfigsResponseDescribeConfigsResourceResult, int]:
    m: DescribeConfigsResponseDescribeConfigsResourceResult = new(DescribeConfigsResponseDescribeConfigsResourceResult)
    try:
        m.config_type = 0
        m.documentation = ""
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.read_only, m.config_source, m.is_sensitive = _UNPACK_tbt(data, at)
        at += 3
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        synonyms_items: list[DescribeConfigsResponseDescribeConfigsSynonym] = []
        for _ in range(n - 1):
            synonyms_item, at = _decode_describe_configs_response_describe_configs_synonym_v1(data, at, end)
            synonyms_items.append(synonyms_item)
        m.synonyms = synonyms_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_resource_result_v3(data: bytes, at: int, end: int) -> tuple[DescribeConfigsResponseDescribeConfigsResourceResult, int]:
    m: DescribeConfigsResponseDescribeConfigsResourceResult = new(DescribeConfigsResponseDescribeConfigsResourceResult)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.read_only, m.config_source, m.is_sensitive = _UNPACK_tbt(data, at)
        at += 3
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        synonyms_items: list[DescribeConfigsResponseDescribeConfigsSynonym] = []
        for _ in range(n - 1):
            synonyms_item, at = _decode_describe_configs_response_describe_configs_synonym_v1(data, at, end)
            synonyms_items.append(synonyms_item)
        m.synonyms = synonyms_items
        m.config_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.documentation = data[at:stop].decode()
            at = stop
        else:
            m.documentation = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_resource_result_v4(data: bytes, at: int, end: int) -> tuple[DescribeConfigsResponseDescribeConfigsResourceResult, int]:
    m: DescribeConfigsResponseDescribeConfigsResourceResult = new(DescribeConfigsResponseDescribeConfigsResourceResult)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.read_only, m.config_source, m.is_sensitive = _UNPACK_tbt(data, at)
        at += 3
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        synonyms_items: list[DescribeConfigsResponseDescribeConfigsSynonym] = []
        for _ in range(n - 1):
            synonyms_item, at = _decode_describe_configs_response_describe_configs_synonym_v4(data, at, end)
            synonyms_items.append(synonyms_item)
        m.synonyms = synonyms_items
        m.config_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.documentation = data[at:stop].decode()
            at = stop
        else:
            m.documentation = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_result_v1(data: bytes, at: int, end: int) -> tuple[DescribeConfigsResponseDescribeConfigsResult, int]:
    m: DescribeConfigsResponseDescribeConfigsResult = new(DescribeConfigsResponseDescribeConfigsResult)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        configs_items: list[DescribeConfigsResponseDescribeConfigsResourceResult] = []
        for _ in range(n - 1):
            configs_item, at = _decode_describe_configs_response_describe_configs_resource_result_v1(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_result_v3(data: bytes, at: int, end: int) -> tuple[DescribeConfigsResponseDescribeConfigsResult, int]:
    m: DescribeConfigsResponseDescribeConfigsResult = new(DescribeConfigsResponseDescribeConfigsResult)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 14 > end - at:
            check_count(n - 1, 14, data, at)
        configs_items: list[DescribeConfigsResponseDescribeConfigsResourceResult] = []
        for _ in range(n - 1):
            configs_item, at = _decode_describe_configs_response_describe_configs_resource_result_v3(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_result_v4(data: bytes, at: int, end: int) -> tuple[DescribeConfigsResponseDescribeConfigsResult, int]:
    m: DescribeConfigsResponseDescribeConfigsResult = new(DescribeConfigsResponseDescribeConfigsResult)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 9 > end - at:
            check_count(n - 1, 9, data, at)
        configs_items: list[DescribeConfigsResponseDescribeConfigsResourceResult] = []
        for _ in range(n - 1):
            configs_item, at = _decode_describe_configs_response_describe_configs_resource_result_v4(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_response_v1(data: bytes, at: int = 0) -> DescribeConfigsResponse:
    m: DescribeConfigsResponse = new(DescribeConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        results_items: list[DescribeConfigsResponseDescribeConfigsResult] = []
        for _ in range(n - 1):
            results_item, at = _decode_describe_configs_response_describe_configs_result_v1(data, at, end)
            results_items.append(results_item)
        m.results = results_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_response_v3(data: bytes, at: int = 0) -> DescribeConfigsResponse:
    m: DescribeConfigsResponse = new(DescribeConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        results_items: list[DescribeConfigsResponseDescribeConfigsResult] = []
        for _ in range(n - 1):
            results_item, at = _decode_describe_configs_response_describe_configs_result_v3(data, at, end)
            results_items.append(results_item)
        m.results = results_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_response_v4(data: bytes, at: int = 0) -> DescribeConfigsResponse:
    m: DescribeConfigsResponse = new(DescribeConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        results_items: list[DescribeConfigsResponseDescribeConfigsResult] = []
        for _ in range(n - 1):
            results_item, at = _decode_describe_configs_response_describe_configs_result_v4(data, at, end)
            results_items.append(results_item)
        m.results = results_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_request_alterable_config_v0(data: bytes, at: int, _end: int) -> tuple[AlterConfigsRequestAlterableConfig, int]:
    m: AlterConfigsRequestAlterableConfig = new(AlterConfigsRequestAlterableConfig)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_request_alterable_config_v2(data: bytes, at: int, _end: int) -> tuple[AlterConfigsRequestAlterableConfig, int]:
    m: AlterConfigsRequestAlterableConfig = new(AlterConfigsRequestAlterableConfig)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_request_alter_configs_resource_v0(data: bytes, at: int, end: int) -> tuple[AlterConfigsRequestAlterConfigsResource, int]:
    m: AlterConfigsRequestAlterConfigsResource = new(AlterConfigsRequestAlterConfigsResource)
    try:
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        configs_items: list[AlterConfigsRequestAlterableConfig] = []
        for _ in range(n - 1):
            configs_item, at = _decode_alter_configs_request_alterable_config_v0(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_request_alter_configs_resource_v2(data: bytes, at: int, end: int) -> tuple[AlterConfigsRequestAlterConfigsResource, int]:
    m: AlterConfigsRequestAlterConfigsResource = new(AlterConfigsRequestAlterConfigsResource)
    try:
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        configs_items: list[AlterConfigsRequestAlterableConfig] = []
        for _ in range(n - 1):
            configs_item, at = _decode_alter_configs_request_alterable_config_v2(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_configs_request_v0(data: bytes, at: int = 0) -> AlterConfigsRequest:
    m: AlterConfigsRequest = new(AlterConfigsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        resources_items: list[AlterConfigsRequestAlterConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_alter_configs_request_alter_configs_resource_v0(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_configs_request_v2(data: bytes, at: int = 0) -> AlterConfigsRequest:
    m: AlterConfigsRequest = new(AlterConfigsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        resources_items: list[AlterConfigsRequestAlterConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_alter_configs_request_alter_configs_resource_v2(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_response_alter_configs_resource_response_v0(data: bytes, at: int, _end: int) -> tuple[AlterConfigsResponseAlterConfigsResourceResponse, int]:
    m: AlterConfigsResponseAlterConfigsResourceResponse = new(AlterConfigsResponseAlterConfigsResourceResponse)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_response_alter_configs_resource_response_v2(data: bytes, at: int, _end: int) -> tuple[AlterConfigsResponseAlterConfigsResourceResponse, int]:
    m: AlterConfigsResponseAlterConfigsResourceResponse = new(AlterConfigsResponseAlterConfigsResourceResponse)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_configs_response_v0(data: bytes, at: int = 0) -> AlterConfigsResponse:
    m: AlterConfigsResponse = new(AlterConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        responses_items: list[AlterConfigsResponseAlterConfigsResourceResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_alter_configs_response_alter_configs_resource_response_v0(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_configs_response_v2(data: bytes, at: int = 0) -> AlterConfigsResponse:
    m: AlterConfigsResponse = new(AlterConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        responses_items: list[AlterConfigsResponseAlterConfigsResourceResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_alter_configs_response_alter_configs_resource_response_v2(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_request_alterable_config_v0(data: bytes, at: int, _end: int) -> tuple[IncrementalAlterConfigsRequestAlterableConfig, int]:
    m: IncrementalAlterConfigsRequestAlterableConfig = new(IncrementalAlterConfigsRequestAlterableConfig)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.config_operation, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_request_alterable_config_v1(data: bytes, at: int, _end: int) -> tuple[IncrementalAlterConfigsRequestAlterableConfig, int]:
    m: IncrementalAlterConfigsRequestAlterableConfig = new(IncrementalAlterConfigsRequestAlterableConfig)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.config_operation, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_request_alter_configs_resource_v0(data: bytes, at: int, end: int) -> tuple[IncrementalAlterConfigsRequestAlterConfigsResource, int]:
    m: IncrementalAlterConfigsRequestAlterConfigsResource = new(IncrementalAlterConfigsRequestAlterConfigsResource)
    try:
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        configs_items: list[IncrementalAlterConfigsRequestAlterableConfig] = []
        for _ in range(n - 1):
            configs_item, at = _decode_incremental_alter_configs_request_alterable_config_v0(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_request_alter_configs_resource_v1(data: bytes, at: int, end: int) -> tuple[IncrementalAlterConfigsRequestAlterConfigsResource, int]:
    m: IncrementalAlterConfigsRequestAlterConfigsResource = new(IncrementalAlterConfigsRequestAlterConfigsResource)
    try:
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        configs_items: list[IncrementalAlterConfigsRequestAlterableConfig] = []
        for _ in range(n - 1):
            configs_item, at = _decode_incremental_alter_configs_request_alterable_config_v1(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_incremental_alter_configs_request_v0(data: bytes, at: int = 0) -> IncrementalAlterConfigsRequest:
    m: IncrementalAlterConfigsRequest = new(IncrementalAlterConfigsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        resources_items: list[IncrementalAlterConfigsRequestAlterConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_incremental_alter_configs_request_alter_configs_resource_v0(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_incremental_alter_configs_request_v1(data: bytes, at: int = 0) -> IncrementalAlterConfigsRequest:
    m: IncrementalAlterConfigsRequest = new(IncrementalAlterConfigsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        resources_items: list[IncrementalAlterConfigsRequestAlterConfigsResource] = []
        for _ in range(n - 1):
            resources_item, at = _decode_incremental_alter_configs_request_alter_configs_resource_v1(data, at, end)
            resources_items.append(resources_item)
        m.resources = resources_items
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_response_alter_configs_resource_response_v0(data: bytes, at: int, _end: int) -> tuple[IncrementalAlterConfigsResponseAlterConfigsResourceResponse, int]:
    m: IncrementalAlterConfigsResponseAlterConfigsResourceResponse = new(IncrementalAlterConfigsResponseAlterConfigsResourceResponse)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_response_alter_configs_resource_response_v1(data: bytes, at: int, _end: int) -> tuple[IncrementalAlterConfigsResponseAlterConfigsResourceResponse, int]:
    m: IncrementalAlterConfigsResponseAlterConfigsResourceResponse = new(IncrementalAlterConfigsResponseAlterConfigsResourceResponse)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.resource_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.resource_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_incremental_alter_configs_response_v0(data: bytes, at: int = 0) -> IncrementalAlterConfigsResponse:
    m: IncrementalAlterConfigsResponse = new(IncrementalAlterConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        responses_items: list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_incremental_alter_configs_response_alter_configs_resource_response_v0(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_incremental_alter_configs_response_v1(data: bytes, at: int = 0) -> IncrementalAlterConfigsResponse:
    m: IncrementalAlterConfigsResponse = new(IncrementalAlterConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        responses_items: list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse] = []
        for _ in range(n - 1):
            responses_item, at = _decode_incremental_alter_configs_response_alter_configs_resource_response_v1(data, at, end)
            responses_items.append(responses_item)
        m.responses = responses_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[VoteRequestPartitionData, int]:
    m: VoteRequestPartitionData = new(VoteRequestPartitionData)
    try:
        m.replica_directory_id = ZERO_UUID
        m.voter_directory_id = ZERO_UUID
        m.pre_vote = False
        m.partition_index, m.replica_epoch, m.replica_id, m.last_offset_epoch, m.last_offset = _UNPACK_iiiiq(data, at)
        at += 24
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v1(data: bytes, at: int, _end: int) -> tuple[VoteRequestPartitionData, int]:
    m: VoteRequestPartitionData = new(VoteRequestPartitionData)
    try:
        m.pre_vote = False
        m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset = _UNPACK_iiiuuiq(data, at)
        at += 56
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v2(data: bytes, at: int, _end: int) -> tuple[VoteRequestPartitionData, int]:
    m: VoteRequestPartitionData = new(VoteRequestPartitionData)
    try:
        m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset, m.pre_vote = _UNPACK_iiiuuiqt(data, at)
        at += 57
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v0(data: bytes, at: int, end: int) -> tuple[VoteRequestTopicData, int]:
    m: VoteRequestTopicData = new(VoteRequestTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 25 > end - at:
            check_count(n - 1, 25, data, at)
        partitions_items: list[VoteRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_request_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v1(data: bytes, at: int, end: int) -> tuple[VoteRequestTopicData, int]:
    m: VoteRequestTopicData = new(VoteRequestTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 57 > end - at:
            check_count(n - 1, 57, data, at)
        partitions_items: list[VoteRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_request_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v2(data: bytes, at: int, end: int) -> tuple[VoteRequestTopicData, int]:
    m: VoteRequestTopicData = new(VoteRequestTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 58 > end - at:
            check_count(n - 1, 58, data, at)
        partitions_items: list[VoteRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_request_partition_data_v2(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_vote_request_v0(data: bytes, at: int = 0) -> VoteRequest:
    m: VoteRequest = new(VoteRequest)
    end = len(data)
    try:
        m.voter_id = -1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_request_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_vote_request_v1(data: bytes, at: int = 0) -> VoteRequest:
    m: VoteRequest = new(VoteRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.voter_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_request_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_vote_request_v2(data: bytes, at: int = 0) -> VoteRequest:
    m: VoteRequest = new(VoteRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.voter_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_request_topic_data_v2(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_response_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[VoteResponsePartitionData, int]:
    m: VoteResponsePartitionData = new(VoteResponsePartitionData)
    try:
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.vote_granted = _UNPACK_ihiit(data, at)
        at += 15
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_response_topic_data_v0(data: bytes, at: int, end: int) -> tuple[VoteResponseTopicData, int]:
    m: VoteResponseTopicData = new(VoteResponseTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 16 > end - at:
            check_count(n - 1, 16, data, at)
        partitions_items: list[VoteResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_response_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_response_node_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[VoteResponseNodeEndpoint, int]:
    m: VoteResponseNodeEndpoint = new(VoteResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_response_node_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[VoteResponseNodeEndpoint, int]:
    m: VoteResponseNodeEndpoint = new(VoteResponseNodeEndpoint)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_vote_response_v0(data: bytes, at: int = 0) -> VoteResponse:
    m: VoteResponse = new(VoteResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_response_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_vote_response_v1(data: bytes, at: int = 0) -> VoteResponse:
    m: VoteResponse = new(VoteResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_response_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    node_endpoints_items: list[VoteResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_vote_response_node_endpoint_v1(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_request_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochRequestPartitionData, int]:
    m: BeginQuorumEpochRequestPartitionData = new(BeginQuorumEpochRequestPartitionData)
    try:
        m.voter_directory_id = ZERO_UUID
        m.partition_index, m.leader_id, m.leader_epoch = _UNPACK_iii(data, at)
        at += 12
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_request_partition_data_v1(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochRequestPartitionData, int]:
    m: BeginQuorumEpochRequestPartitionData = new(BeginQuorumEpochRequestPartitionData)
    try:
        m.partition_index, m.voter_directory_id, m.leader_id, m.leader_epoch = _UNPACK_iuii(data, at)
        at += 28
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_request_topic_data_v0(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochRequestTopicData, int]:
    m: BeginQuorumEpochRequestTopicData = new(BeginQuorumEpochRequestTopicData)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 12 > end - at:
            check_count(n - 1, 12, data, at)
        partitions_items: list[BeginQuorumEpochRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_begin_quorum_epoch_request_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_request_topic_data_v1(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochRequestTopicData, int]:
    m: BeginQuorumEpochRequestTopicData = new(BeginQuorumEpochRequestTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 29 > end - at:
            check_count(n - 1, 29, data, at)
        partitions_items: list[BeginQuorumEpochRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_begin_quorum_epoch_request_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_request_leader_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochRequestLeaderEndpoint, int]:
    m: BeginQuorumEpochRequestLeaderEndpoint = new(BeginQuorumEpochRequestLeaderEndpoint)
    try:
        m.name = ""
        m.host = ""
        m.port = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_request_leader_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochRequestLeaderEndpoint, int]:
    m: BeginQuorumEpochRequestLeaderEndpoint = new(BeginQuorumEpochRequestLeaderEndpoint)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_quorum_epoch_request_v0(data: bytes, at: int = 0) -> BeginQuorumEpochRequest:
    m: BeginQuorumEpochRequest = new(BeginQuorumEpochRequest)
    end = len(data)
    try:
        m.voter_id = -1
        m.leader_endpoints = []
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[BeginQuorumEpochRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_begin_quorum_epoch_request_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_quorum_epoch_request_v1(data: bytes, at: int = 0) -> BeginQuorumEpochRequest:
    m: BeginQuorumEpochRequest = new(BeginQuorumEpochRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.voter_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[BeginQuorumEpochRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_begin_quorum_epoch_request_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        leader_endpoints_items: list[BeginQuorumEpochRequestLeaderEndpoint] = []
        for _ in range(n - 1):
            leader_endpoints_item, at = _decode_begin_quorum_epoch_request_leader_endpoint_v1(data, at, end)
            leader_endpoints_items.append(leader_endpoints_item)
        m.leader_endpoints = leader_endpoints_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponsePartitionData, int]:
    m: BeginQuorumEpochResponsePartitionData = new(BeginQuorumEpochResponsePartitionData)
    try:
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
        at += 14
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_partition_data_v1(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponsePartitionData, int]:
    m: BeginQuorumEpochResponsePartitionData = new(BeginQuorumEpochResponsePartitionData)
    try:
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
        at += 14
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_topic_data_v0(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochResponseTopicData, int]:
    m: BeginQuorumEpochResponseTopicData = new(BeginQuorumEpochResponseTopicData)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 14 > end - at:
            check_count(n - 1, 14, data, at)
        partitions_items: list[BeginQuorumEpochResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_begin_quorum_epoch_response_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_topic_data_v1(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochResponseTopicData, int]:
    m: BeginQuorumEpochResponseTopicData = new(BeginQuorumEpochResponseTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 15 > end - at:
            check_count(n - 1, 15, data, at)
        partitions_items: list[BeginQuorumEpochResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_begin_quorum_epoch_response_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_node_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponseNodeEndpoint, int]:
    m: BeginQuorumEpochResponseNodeEndpoint = new(BeginQuorumEpochResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_node_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponseNodeEndpoint, int]:
    m: BeginQuorumEpochResponseNodeEndpoint = new(BeginQuorumEpochResponseNodeEndpoint)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_quorum_epoch_response_v0(data: bytes, at: int = 0) -> BeginQuorumEpochResponse:
    m: BeginQuorumEpochResponse = new(BeginQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[BeginQuorumEpochResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_begin_quorum_epoch_response_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_quorum_epoch_response_v1(data: bytes, at: int = 0) -> BeginQuorumEpochResponse:
    m: BeginQuorumEpochResponse = new(BeginQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[BeginQuorumEpochResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_begin_quorum_epoch_response_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    node_endpoints_items: list[BeginQuorumEpochResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_begin_quorum_epoch_response_node_endpoint_v1(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_replica_info_v0(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochRequestReplicaInfo, int]:
    m: EndQuorumEpochRequestReplicaInfo = new(EndQuorumEpochRequestReplicaInfo)
    try:
        m.candidate_id = 0
        m.candidate_directory_id = ZERO_UUID
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_replica_info_v1(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochRequestReplicaInfo, int]:
    m: EndQuorumEpochRequestReplicaInfo = new(EndQuorumEpochRequestReplicaInfo)
    try:
        m.candidate_id, m.candidate_directory_id = _UNPACK_iu(data, at)
        at += 20
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochRequestPartitionData, int]:
    m: EndQuorumEpochRequestPartitionData = new(EndQuorumEpochRequestPartitionData)
    try:
        m.preferred_candidates = []
        m.partition_index, m.leader_id, m.leader_epoch = _UNPACK_iii(data, at)
        at += 12
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        m.preferred_successors = read_int32s(data, at, n - 1)
        at += 4 * n - 4
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_partition_data_v1(data: bytes, at: int, end: int) -> tuple[EndQuorumEpochRequestPartitionData, int]:
    m: EndQuorumEpochRequestPartitionData = new(EndQuorumEpochRequestPartitionData)
    try:
        m.preferred_successors = []
        m.partition_index, m.leader_id, m.leader_epoch = _UNPACK_iii(data, at)
        at += 12
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 21 > end - at:
            check_count(n - 1, 21, data, at)
        preferred_candidates_items: list[EndQuorumEpochRequestReplicaInfo] = []
        for _ in range(n - 1):
            preferred_candidates_item, at = _decode_end_quorum_epoch_request_replica_info_v1(data, at, end)
            preferred_candidates_items.append(preferred_candidates_item)
        m.preferred_candidates = preferred_candidates_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_topic_data_v0(data: bytes, at: int, end: int) -> tuple[EndQuorumEpochRequestTopicData, int]:
    m: EndQuorumEpochRequestTopicData = new(EndQuorumEpochRequestTopicData)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 16 > end - at:
            check_count(n - 1, 16, data, at)
        partitions_items: list[EndQuorumEpochRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_end_quorum_epoch_request_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_topic_data_v1(data: bytes, at: int, end: int) -> tuple[EndQuorumEpochRequestTopicData, int]:
    m: EndQuorumEpochRequestTopicData = new(EndQuorumEpochRequestTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 14 > end - at:
            check_count(n - 1, 14, data, at)
        partitions_items: list[EndQuorumEpochRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_end_quorum_epoch_request_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_leader_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochRequestLeaderEndpoint, int]:
    m: EndQuorumEpochRequestLeaderEndpoint = new(EndQuorumEpochRequestLeaderEndpoint)
    try:
        m.name = ""
        m.host = ""
        m.port = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_leader_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochRequestLeaderEndpoint, int]:
    m: EndQuorumEpochRequestLeaderEndpoint = new(EndQuorumEpochRequestLeaderEndpoint)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_request_v0(data: bytes, at: int = 0) -> EndQuorumEpochRequest:
    m: EndQuorumEpochRequest = new(EndQuorumEpochRequest)
    end = len(data)
    try:
        m.leader_endpoints = []
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[EndQuorumEpochRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_end_quorum_epoch_request_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_request_v1(data: bytes, at: int = 0) -> EndQuorumEpochRequest:
    m: EndQuorumEpochRequest = new(EndQuorumEpochRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[EndQuorumEpochRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_end_quorum_epoch_request_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        leader_endpoints_items: list[EndQuorumEpochRequestLeaderEndpoint] = []
        for _ in range(n - 1):
            leader_endpoints_item, at = _decode_end_quorum_epoch_request_leader_endpoint_v1(data, at, end)
            leader_endpoints_items.append(leader_endpoints_item)
        m.leader_endpoints = leader_endpoints_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochResponsePartitionData, int]:
    m: EndQuorumEpochResponsePartitionData = new(EndQuorumEpochResponsePartitionData)
    try:
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
        at += 14
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_partition_data_v1(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochResponsePartitionData, int]:
    m: EndQuorumEpochResponsePartitionData = new(EndQuorumEpochResponsePartitionData)
    try:
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
        at += 14
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_topic_data_v0(data: bytes, at: int, end: int) -> tuple[EndQuorumEpochResponseTopicData, int]:
    m: EndQuorumEpochResponseTopicData = new(EndQuorumEpochResponseTopicData)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 14 > end - at:
            check_count(n - 1, 14, data, at)
        partitions_items: list[EndQuorumEpochResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_end_quorum_epoch_response_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_topic_data_v1(data: bytes, at: int, end: int) -> tuple[EndQuorumEpochResponseTopicData, int]:
    m: EndQuorumEpochResponseTopicData = new(EndQuorumEpochResponseTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 15 > end - at:
            check_count(n - 1, 15, data, at)
        partitions_items: list[EndQuorumEpochResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_end_quorum_epoch_response_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_node_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochResponseNodeEndpoint, int]:
    m: EndQuorumEpochResponseNodeEndpoint = new(EndQuorumEpochResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_node_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[EndQuorumEpochResponseNodeEndpoint, int]:
    m: EndQuorumEpochResponseNodeEndpoint = new(EndQuorumEpochResponseNodeEndpoint)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_response_v0(data: bytes, at: int = 0) -> EndQuorumEpochResponse:
    m: EndQuorumEpochResponse = new(EndQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[EndQuorumEpochResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_end_quorum_epoch_response_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_response_v1(data: bytes, at: int = 0) -> EndQuorumEpochResponse:
    m: EndQuorumEpochResponse = new(EndQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[EndQuorumEpochResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_end_quorum_epoch_response_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    node_endpoints_items: list[EndQuorumEpochResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_end_quorum_epoch_response_node_endpoint_v1(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_request_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumRequestPartitionData, int]:
    m: DescribeQuorumRequestPartitionData = new(DescribeQuorumRequestPartitionData)
    try:
        m.partition_index, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_request_topic_data_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumRequestTopicData, int]:
    m: DescribeQuorumRequestTopicData = new(DescribeQuorumRequestTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        partitions_items: list[DescribeQuorumRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_request_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_quorum_request_v0(data: bytes, at: int = 0) -> DescribeQuorumRequest:
    m: DescribeQuorumRequest = new(DescribeQuorumRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[DescribeQuorumRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_request_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseReplicaState, int]:
    m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
    try:
        m.replica_directory_id = ZERO_UUID
        m.last_fetch_timestamp = -1
        m.last_caught_up_timestamp = -1
        m.replica_id, m.log_end_offset = _UNPACK_iq(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v1(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseReplicaState, int]:
    m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
    try:
        m.replica_directory_id = ZERO_UUID
        m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp = _UNPACK_iqqq(data, at)
        at += 28
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseReplicaState, int]:
    m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
    try:
        m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp = _UNPACK_iuqqq(data, at)
        at += 44
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponsePartitionData, int]:
    m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
    try:
        m.error_message = ""
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark = _UNPACK_ihiiq(data, at)
        at += 22
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 13 > end - at:
            check_count(n - 1, 13, data, at)
        current_voters_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            current_voters_item, at = _decode_describe_quorum_response_replica_state_v0(data, at, end)
            current_voters_items.append(current_voters_item)
        m.current_voters = current_voters_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 13 > end - at:
            check_count(n - 1, 13, data, at)
        observers_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            observers_item, at = _decode_describe_quorum_response_replica_state_v0(data, at, end)
            observers_items.append(observers_item)
        m.observers = observers_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v1(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponsePartitionData, int]:
    m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
    try:
        m.error_message = ""
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark = _UNPACK_ihiiq(data, at)
        at += 22
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 29 > end - at:
            check_count(n - 1, 29, data, at)
        current_voters_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            current_voters_item, at = _decode_describe_quorum_response_replica_state_v1(data, at, end)
            current_voters_items.append(current_voters_item)
        m.current_voters = current_voters_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 29 > end - at:
            check_count(n - 1, 29, data, at)
        observers_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            observers_item, at = _decode_describe_quorum_response_replica_state_v1(data, at, end)
            observers_items.append(observers_item)
        m.observers = observers_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponsePartitionData, int]:
    m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
    try:
        m.partition_index, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.leader_id, m.leader_epoch, m.high_watermark = _UNPACK_iiq(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 45 > end - at:
            check_count(n - 1, 45, data, at)
        current_voters_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            current_voters_item, at = _decode_describe_quorum_response_replica_state_v2(data, at, end)
            current_voters_items.append(current_voters_item)
        m.current_voters = current_voters_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 45 > end - at:
            check_count(n - 1, 45, data, at)
        observers_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            observers_item, at = _decode_describe_quorum_response_replica_state_v2(data, at, end)
            observers_items.append(observers_item)
        m.observers = observers_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_topic_data_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseTopicData, int]:
    m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 25 > end - at:
            check_count(n - 1, 25, data, at)
        partitions_items: list[DescribeQuorumResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_response_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_topic_data_v1(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseTopicData, int]:
    m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 25 > end - at:
            check_count(n - 1, 25, data, at)
        partitions_items: list[DescribeQuorumResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_response_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_topic_data_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseTopicData, int]:
    m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 26 > end - at:
            check_count(n - 1, 26, data, at)
        partitions_items: list[DescribeQuorumResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_response_partition_data_v2(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_listener_v0(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumResponseListener, int]:
    m: DescribeQuorumResponseListener = new(DescribeQuorumResponseListener)
    try:
        m.name = ""
        m.host = ""
        m.port = 0
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_listener_v2(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumResponseListener, int]:
    m: DescribeQuorumResponseListener = new(DescribeQuorumResponseListener)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_node_v0(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumResponseNode, int]:
    m: DescribeQuorumResponseNode = new(DescribeQuorumResponseNode)
    try:
        m.node_id = 0
        m.listeners = []
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_node_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseNode, int]:
    m: DescribeQuorumResponseNode = new(DescribeQuorumResponseNode)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        listeners_items: list[DescribeQuorumResponseListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_describe_quorum_response_listener_v2(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_quorum_response_v0(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_message = ""
        m.nodes = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[DescribeQuorumResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_response_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_quorum_response_v1(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_message = ""
        m.nodes = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[DescribeQuorumResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_response_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_quorum_response_v2(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[DescribeQuorumResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_response_topic_data_v2(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        nodes_items: list[DescribeQuorumResponseNode] = []
        for _ in range(n - 1):
            nodes_item, at = _decode_describe_quorum_response_node_v2(data, at, end)
            nodes_items.append(nodes_item)
        m.nodes = nodes_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_features_request_feature_update_key_v0(data: bytes, at: int, _end: int) -> tuple[UpdateFeaturesRequestFeatureUpdateKey, int]:
    m: UpdateFeaturesRequestFeatureUpdateKey = new(UpdateFeaturesRequestFeatureUpdateKey)
    try:
        m.upgrade_type = 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.feature = data[at:stop].decode()
        at = stop
        m.max_version_level, m.allow_downgrade = _UNPACK_ht(data, at)
        at += 3
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_features_request_feature_update_key_v1(data: bytes, at: int, _end: int) -> tuple[UpdateFeaturesRequestFeatureUpdateKey, int]:
    m: UpdateFeaturesRequestFeatureUpdateKey = new(UpdateFeaturesRequestFeatureUpdateKey)
    try:
        m.allow_downgrade = False
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.feature = data[at:stop].decode()
        at = stop
        m.max_version_level, m.upgrade_type = _UNPACK_hb(data, at)
        at += 3
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_features_request_v0(data: bytes, at: int = 0) -> UpdateFeaturesRequest:
    m: UpdateFeaturesRequest = new(UpdateFeaturesRequest)
    end = len(data)
    try:
        m.validate_only = False
        m.timeout_ms, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        feature_updates_items: list[UpdateFeaturesRequestFeatureUpdateKey] = []
        for _ in range(n - 1):
            feature_updates_item, at = _decode_update_features_request_feature_update_key_v0(data, at, end)
            feature_updates_items.append(feature_updates_item)
        m.feature_updates = feature_updates_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_features_request_v1(data: bytes, at: int = 0) -> UpdateFeaturesRequest:
    m: UpdateFeaturesRequest = new(UpdateFeaturesRequest)
    end = len(data)
    try:
        m.timeout_ms, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        feature_updates_items: list[UpdateFeaturesRequestFeatureUpdateKey] = []
        for _ in range(n - 1):
            feature_updates_item, at = _decode_update_features_request_feature_update_key_v1(data, at, end)
            feature_updates_items.append(feature_updates_item)
        m.feature_updates = feature_updates_items
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_features_response_updatable_feature_result_v0(data: bytes, at: int, _end: int) -> tuple[UpdateFeaturesResponseUpdatableFeatureResult, int]:
    m: UpdateFeaturesResponseUpdatableFeatureResult = new(UpdateFeaturesResponseUpdatableFeatureResult)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.feature = data[at:stop].decode()
        at = stop
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_features_response_v0(data: bytes, at: int = 0) -> UpdateFeaturesResponse:
    m: UpdateFeaturesResponse = new(UpdateFeaturesResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        results_items: list[UpdateFeaturesResponseUpdatableFeatureResult] = []
        for _ in range(n - 1):
            results_item, at = _decode_update_features_response_updatable_feature_result_v0(data, at, end)
            results_items.append(results_item)
        m.results = results_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_features_response_v2(data: bytes, at: int = 0) -> UpdateFeaturesResponse:
    m: UpdateFeaturesResponse = new(UpdateFeaturesResponse)
    end = len(data)
    try:
        m.results = []
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_snapshot_id_v0(data: bytes, at: int, end: int) -> tuple[FetchSnapshotRequestSnapshotId, int]:
    m: FetchSnapshotRequestSnapshotId = new(FetchSnapshotRequestSnapshotId)
    try:
        m.end_offset, m.epoch = _UNPACK_qi(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_partition_snapshot_v0(data: bytes, at: int, end: int) -> tuple[FetchSnapshotRequestPartitionSnapshot, int]:
    m: FetchSnapshotRequestPartitionSnapshot = new(FetchSnapshotRequestPartitionSnapshot)
    try:
        m.replica_directory_id = ZERO_UUID
        m.partition, m.current_leader_epoch = _UNPACK_ii(data, at)
        at += 8
        m.snapshot_id, at = _decode_fetch_snapshot_request_snapshot_id_v0(data, at, end)
        m.position, = _UNPACK_q(data, at)
        at += 8
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_partition_snapshot_v1(data: bytes, at: int, end: int) -> tuple[FetchSnapshotRequestPartitionSnapshot, int]:
    m: FetchSnapshotRequestPartitionSnapshot = new(FetchSnapshotRequestPartitionSnapshot)
    try:
        m.replica_directory_id = ZERO_UUID
        m.partition, m.current_leader_epoch = _UNPACK_ii(data, at)
        at += 8
        m.snapshot_id, at = _decode_fetch_snapshot_request_snapshot_id_v0(data, at, end)
        m.position, = _UNPACK_q(data, at)
        at += 8
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.replica_directory_id, = _UNPACK_u(data, at)
                    at += 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_topic_snapshot_v0(data: bytes, at: int, end: int) -> tuple[FetchSnapshotRequestTopicSnapshot, int]:
    m: FetchSnapshotRequestTopicSnapshot = new(FetchSnapshotRequestTopicSnapshot)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 30 > end - at:
            check_count(n - 1, 30, data, at)
        partitions_items: list[FetchSnapshotRequestPartitionSnapshot] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_snapshot_request_partition_snapshot_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_topic_snapshot_v1(data: bytes, at: int, end: int) -> tuple[FetchSnapshotRequestTopicSnapshot, int]:
    m: FetchSnapshotRequestTopicSnapshot = new(FetchSnapshotRequestTopicSnapshot)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 30 > end - at:
            check_count(n - 1, 30, data, at)
        partitions_items: list[FetchSnapshotRequestPartitionSnapshot] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_snapshot_request_partition_snapshot_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_snapshot_request_v0(data: bytes, at: int = 0) -> FetchSnapshotRequest:
    m: FetchSnapshotRequest = new(FetchSnapshotRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_id, m.max_bytes = _UNPACK_ii(data, at)
        at += 8
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[FetchSnapshotRequestTopicSnapshot] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_snapshot_request_topic_snapshot_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_snapshot_request_v1(data: bytes, at: int = 0) -> FetchSnapshotRequest:
    m: FetchSnapshotRequest = new(FetchSnapshotRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_id, m.max_bytes = _UNPACK_ii(data, at)
        at += 8
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[FetchSnapshotRequestTopicSnapshot] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_snapshot_request_topic_snapshot_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.cluster_id = data[at:stop].decode()
                        at = stop
                    else:
                        m.cluster_id = None
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_snapshot_id_v0(data: bytes, at: int, end: int) -> tuple[FetchSnapshotResponseSnapshotId, int]:
    m: FetchSnapshotResponseSnapshotId = new(FetchSnapshotResponseSnapshotId)
    try:
        m.end_offset, m.epoch = _UNPACK_qi(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_leader_id_and_epoch_v0(data: bytes, at: int, _end: int) -> tuple[FetchSnapshotResponseLeaderIdAndEpoch, int]:
    m: FetchSnapshotResponseLeaderIdAndEpoch = new(FetchSnapshotResponseLeaderIdAndEpoch)
    try:
        m.leader_id, m.leader_epoch = _UNPACK_ii(data, at)
        at += 8
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_partition_snapshot_v0(data: bytes, at: int, end: int) -> tuple[FetchSnapshotResponsePartitionSnapshot, int]:
    m: FetchSnapshotResponsePartitionSnapshot = new(FetchSnapshotResponsePartitionSnapshot)
    try:
        m.current_leader = FetchSnapshotResponseLeaderIdAndEpoch()
        m.index, m.error_code = _UNPACK_ih(data, at)
        at += 6
        m.snapshot_id, at = _decode_fetch_snapshot_response_snapshot_id_v0(data, at, end)
        m.size, m.position = _UNPACK_qq(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.unaligned_records = data[at:stop]
        at = stop
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.current_leader, at = _decode_fetch_snapshot_response_leader_id_and_epoch_v0(data, at, end)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_topic_snapshot_v0(data: bytes, at: int, end: int) -> tuple[FetchSnapshotResponseTopicSnapshot, int]:
    m: FetchSnapshotResponseTopicSnapshot = new(FetchSnapshotResponseTopicSnapshot)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 37 > end - at:
            check_count(n - 1, 37, data, at)
        partitions_items: list[FetchSnapshotResponsePartitionSnapshot] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_fetch_snapshot_response_partition_snapshot_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_node_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[FetchSnapshotResponseNodeEndpoint, int]:
    m: FetchSnapshotResponseNodeEndpoint = new(FetchSnapshotResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_node_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[FetchSnapshotResponseNodeEndpoint, int]:
    m: FetchSnapshotResponseNodeEndpoint = new(FetchSnapshotResponseNodeEndpoint)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_snapshot_response_v0(data: bytes, at: int = 0) -> FetchSnapshotResponse:
    m: FetchSnapshotResponse = new(FetchSnapshotResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[FetchSnapshotResponseTopicSnapshot] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_snapshot_response_topic_snapshot_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_snapshot_response_v1(data: bytes, at: int = 0) -> FetchSnapshotResponse:
    m: FetchSnapshotResponse = new(FetchSnapshotResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[FetchSnapshotResponseTopicSnapshot] = []
        for _ in range(n - 1):
            topics_item, at = _decode_fetch_snapshot_response_topic_snapshot_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    node_endpoints_items: list[FetchSnapshotResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_fetch_snapshot_response_node_endpoint_v1(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_request_v0(data: bytes, at: int = 0) -> DescribeClusterRequest:
    m: DescribeClusterRequest = new(DescribeClusterRequest)
    end = len(data)
    try:
        m.endpoint_type = 1
        m.include_fenced_brokers = False
        m.include_cluster_authorized_operations, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_request_v1(data: bytes, at: int = 0) -> DescribeClusterRequest:
    m: DescribeClusterRequest = new(DescribeClusterRequest)
    end = len(data)
    try:
        m.include_fenced_brokers = False
        m.include_cluster_authorized_operations, m.endpoint_type = _UNPACK_tb(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_request_v2(data: bytes, at: int = 0) -> DescribeClusterRequest:
    m: DescribeClusterRequest = new(DescribeClusterRequest)
    end = len(data)
    try:
        m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers = _UNPACK_tbt(data, at)
        at += 3
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_cluster_response_describe_cluster_broker_v0(data: bytes, at: int, _end: int) -> tuple[DescribeClusterResponseDescribeClusterBroker, int]:
    m: DescribeClusterResponseDescribeClusterBroker = new(DescribeClusterResponseDescribeClusterBroker)
    try:
        m.is_fenced = False
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_cluster_response_describe_cluster_broker_v2(data: bytes, at: int, _end: int) -> tuple[DescribeClusterResponseDescribeClusterBroker, int]:
    m: DescribeClusterResponseDescribeClusterBroker = new(DescribeClusterResponseDescribeClusterBroker)
    try:
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_fenced, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_response_v0(data: bytes, at: int = 0) -> DescribeClusterResponse:
    m: DescribeClusterResponse = new(DescribeClusterResponse)
    end = len(data)
    try:
        m.endpoint_type = 1
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.controller_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        brokers_items: list[DescribeClusterResponseDescribeClusterBroker] = []
        for _ in range(n - 1):
            brokers_item, at = _decode_describe_cluster_response_describe_cluster_broker_v0(data, at, end)
            brokers_items.append(brokers_item)
        m.brokers = brokers_items
        m.cluster_authorized_operations, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_response_v1(data: bytes, at: int = 0) -> DescribeClusterResponse:
    m: DescribeClusterResponse = new(DescribeClusterResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.endpoint_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.controller_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        brokers_items: list[DescribeClusterResponseDescribeClusterBroker] = []
        for _ in range(n - 1):
            brokers_item, at = _decode_describe_cluster_response_describe_cluster_broker_v0(data, at, end)
            brokers_items.append(brokers_item)
        m.brokers = brokers_items
        m.cluster_authorized_operations, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_response_v2(data: bytes, at: int = 0) -> DescribeClusterResponse:
    m: DescribeClusterResponse = new(DescribeClusterResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.endpoint_type, = _UNPACK_b(data, at)
        at += 1
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.controller_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 12 > end - at:
            check_count(n - 1, 12, data, at)
        brokers_items: list[DescribeClusterResponseDescribeClusterBroker] = []
        for _ in range(n - 1):
            brokers_item, at = _decode_describe_cluster_response_describe_cluster_broker_v2(data, at, end)
            brokers_items.append(brokers_item)
        m.brokers = brokers_items
        m.cluster_authorized_operations, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_broker_registration_request_listener_v0(data: bytes, at: int, _end: int) -> tuple[BrokerRegistrationRequestListener, int]:
    m: BrokerRegistrationRequestListener = new(BrokerRegistrationRequestListener)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, m.security_protocol = _UNPACK_Hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_broker_registration_request_feature_v0(data: bytes, at: int, _end: int) -> tuple[BrokerRegistrationRequestFeature, int]:
    m: BrokerRegistrationRequestFeature = new(BrokerRegistrationRequestFeature)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.min_supported_version, m.max_supported_version = _UNPACK_hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_request_v0(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.is_migrating_zk_broker = False
        m.log_dirs = []
        m.previous_broker_epoch = -1
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        listeners_items: list[BrokerRegistrationRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_broker_registration_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        features_items: list[BrokerRegistrationRequestFeature] = []
        for _ in range(n - 1):
            features_item, at = _decode_broker_registration_request_feature_v0(data, at, end)
            features_items.append(features_item)
        m.features = features_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_request_v1(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.log_dirs = []
        m.previous_broker_epoch = -1
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        listeners_items: list[BrokerRegistrationRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_broker_registration_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        features_items: list[BrokerRegistrationRequestFeature] = []
        for _ in range(n - 1):
            features_item, at = _decode_broker_registration_request_feature_v0(data, at, end)
            features_items.append(features_item)
        m.features = features_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_migrating_zk_broker, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_request_v2(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.previous_broker_epoch = -1
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        listeners_items: list[BrokerRegistrationRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_broker_registration_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        features_items: list[BrokerRegistrationRequestFeature] = []
        for _ in range(n - 1):
            features_item, at = _decode_broker_registration_request_feature_v0(data, at, end)
            features_items.append(features_item)
        m.features = features_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_migrating_zk_broker, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.log_dirs = list(UNPACK_UUIDS[n](data, at))
            at += 16 * n - 16
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.log_dirs = read_uuids(data, at, n - 1)
            at += 16 * n - 16
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_request_v3(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        listeners_items: list[BrokerRegistrationRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_broker_registration_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        features_items: list[BrokerRegistrationRequestFeature] = []
        for _ in range(n - 1):
            features_item, at = _decode_broker_registration_request_feature_v0(data, at, end)
            features_items.append(features_item)
        m.features = features_items
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_migrating_zk_broker, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.log_dirs = list(UNPACK_UUIDS[n](data, at))
            at += 16 * n - 16
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.log_dirs = read_uuids(data, at, n - 1)
            at += 16 * n - 16
        m.previous_broker_epoch, = _UNPACK_q(data, at)
        at += 8
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_response_v0(data: bytes, at: int = 0) -> BrokerRegistrationResponse:
    m: BrokerRegistrationResponse = new(BrokerRegistrationResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, m.broker_epoch = _UNPACK_ihq(data, at)
        at += 14
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_heartbeat_request_v0(data: bytes, at: int = 0) -> BrokerHeartbeatRequest:
    m: BrokerHeartbeatRequest = new(BrokerHeartbeatRequest)
    end = len(data)
    try:
        m.offline_log_dirs = []
        m.cordoned_log_dirs = None
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down = _UNPACK_iqqtt(data, at)
        at += 22
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_heartbeat_request_v1(data: bytes, at: int = 0) -> BrokerHeartbeatRequest:
    m: BrokerHeartbeatRequest = new(BrokerHeartbeatRequest)
    end = len(data)
    try:
        m.cordoned_log_dirs = None
        m.offline_log_dirs = []
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down = _UNPACK_iqqtt(data, at)
        at += 22
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.offline_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.offline_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_heartbeat_request_v2(data: bytes, at: int = 0) -> BrokerHeartbeatRequest:
    m: BrokerHeartbeatRequest = new(BrokerHeartbeatRequest)
    end = len(data)
    try:
        m.offline_log_dirs = []
        m.cordoned_log_dirs = None
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down = _UNPACK_iqqtt(data, at)
        at += 22
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.offline_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.offline_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1:
                    n = data[at]
                    at += 1
                    if not n:
                        m.cordoned_log_dirs = None
                    elif n <= SHAPES:
                        m.cordoned_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.cordoned_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_heartbeat_response_v0(data: bytes, at: int = 0) -> BrokerHeartbeatResponse:
    m: BrokerHeartbeatResponse = new(BrokerHeartbeatResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down = _UNPACK_ihttt(data, at)
        at += 9
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_unregister_broker_request_v0(data: bytes, at: int = 0) -> UnregisterBrokerRequest:
    m: UnregisterBrokerRequest = new(UnregisterBrokerRequest)
    end = len(data)
    try:
        m.broker_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_unregister_broker_response_v0(data: bytes, at: int = 0) -> UnregisterBrokerResponse:
    m: UnregisterBrokerResponse = new(UnregisterBrokerResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_controller_registration_request_listener_v0(data: bytes, at: int, _end: int) -> tuple[ControllerRegistrationRequestListener, int]:
    m: ControllerRegistrationRequestListener = new(ControllerRegistrationRequestListener)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, m.security_protocol = _UNPACK_Hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_controller_registration_request_feature_v0(data: bytes, at: int, _end: int) -> tuple[ControllerRegistrationRequestFeature, int]:
    m: ControllerRegistrationRequestFeature = new(ControllerRegistrationRequestFeature)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.min_supported_version, m.max_supported_version = _UNPACK_hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_controller_registration_request_v0(data: bytes, at: int = 0) -> ControllerRegistrationRequest:
    m: ControllerRegistrationRequest = new(ControllerRegistrationRequest)
    end = len(data)
    try:
        m.controller_id, m.incarnation_id, m.zk_migration_ready = _UNPACK_iut(data, at)
        at += 21
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        listeners_items: list[ControllerRegistrationRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_controller_registration_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        features_items: list[ControllerRegistrationRequestFeature] = []
        for _ in range(n - 1):
            features_item, at = _decode_controller_registration_request_feature_v0(data, at, end)
            features_items.append(features_item)
        m.features = features_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_controller_registration_response_v0(data: bytes, at: int = 0) -> ControllerRegistrationResponse:
    m: ControllerRegistrationResponse = new(ControllerRegistrationResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_add_raft_voter_request_listener_v0(data: bytes, at: int, _end: int) -> tuple[AddRaftVoterRequestListener, int]:
    m: AddRaftVoterRequestListener = new(AddRaftVoterRequestListener)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_add_raft_voter_request_v0(data: bytes, at: int = 0) -> AddRaftVoterRequest:
    m: AddRaftVoterRequest = new(AddRaftVoterRequest)
    end = len(data)
    try:
        m.ack_when_committed = True
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.timeout_ms, m.voter_id, m.voter_directory_id = _UNPACK_iiu(data, at)
        at += 24
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        listeners_items: list[AddRaftVoterRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_add_raft_voter_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_add_raft_voter_request_v1(data: bytes, at: int = 0) -> AddRaftVoterRequest:
    m: AddRaftVoterRequest = new(AddRaftVoterRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.timeout_ms, m.voter_id, m.voter_directory_id = _UNPACK_iiu(data, at)
        at += 24
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        listeners_items: list[AddRaftVoterRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_add_raft_voter_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        m.ack_when_committed, = _UNPACK_t(data, at)
        at += 1
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_add_raft_voter_response_v0(data: bytes, at: int = 0) -> AddRaftVoterResponse:
    m: AddRaftVoterResponse = new(AddRaftVoterResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_raft_voter_request_v0(data: bytes, at: int = 0) -> RemoveRaftVoterRequest:
    m: RemoveRaftVoterRequest = new(RemoveRaftVoterRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.voter_id, m.voter_directory_id = _UNPACK_iu(data, at)
        at += 20
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_remove_raft_voter_response_v0(data: bytes, at: int = 0) -> RemoveRaftVoterResponse:
    m: RemoveRaftVoterResponse = new(RemoveRaftVoterResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_raft_voter_request_listener_v0(data: bytes, at: int, _end: int) -> tuple[UpdateRaftVoterRequestListener, int]:
    m: UpdateRaftVoterRequestListener = new(UpdateRaftVoterRequestListener)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_raft_voter_request_kraft_version_feature_v0(data: bytes, at: int, _end: int) -> tuple[UpdateRaftVoterRequestKRaftVersionFeature, int]:
    m: UpdateRaftVoterRequestKRaftVersionFeature = new(UpdateRaftVoterRequestKRaftVersionFeature)
    try:
        m.min_supported_version, m.max_supported_version = _UNPACK_hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_raft_voter_request_v0(data: bytes, at: int = 0) -> UpdateRaftVoterRequest:
    m: UpdateRaftVoterRequest = new(UpdateRaftVoterRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.current_leader_epoch, m.voter_id, m.voter_directory_id = _UNPACK_iiu(data, at)
        at += 24
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        listeners_items: list[UpdateRaftVoterRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_update_raft_voter_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        m.kraft_version_feature, at = _decode_update_raft_voter_request_kraft_version_feature_v0(data, at, end)
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_raft_voter_response_current_leader_v0(data: bytes, at: int, _end: int) -> tuple[UpdateRaftVoterResponseCurrentLeader, int]:
    m: UpdateRaftVoterResponseCurrentLeader = new(UpdateRaftVoterResponseCurrentLeader)
    try:
        m.leader_id, m.leader_epoch = _UNPACK_ii(data, at)
        at += 8
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_raft_voter_response_v0(data: bytes, at: int = 0) -> UpdateRaftVoterResponse:
    m: UpdateRaftVoterResponse = new(UpdateRaftVoterResponse)
    end = len(data)
    try:
        m.current_leader = UpdateRaftVoterResponseCurrentLeader()
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        m.unknown_tags = ()
        n = data[at]
        at += 1
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    m.current_leader, at = _decode_update_raft_voter_response_current_leader_v0(data, at, end)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_request_header_v0(m: RequestHeader, prefix: bytes = b"") -> bytes:
    try:
        if m.client_id != "":
            raise absent(m, "client_id")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_hhi(m.request_api_key, m.request_api_version, m.correlation_id)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_request_header_v1(m: RequestHeader, prefix: bytes = b"") -> bytes:
    try:
        if m.client_id is None:
            client_id_size, client_id_bytes = b"\xff\xff", b""
        else:
            client_id_bytes = m.client_id.encode()
            client_id_size = plain_string_prefix(len(client_id_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_hhi(m.request_api_key, m.request_api_version, m.correlation_id), client_id_size, client_id_bytes))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_request_header_v2(m: RequestHeader, prefix: bytes = b"") -> bytes:
    try:
        if m.client_id is None:
            client_id_size, client_id_bytes = b"\xff\xff", b""
        else:
            client_id_bytes = m.client_id.encode()
            client_id_size = plain_string_prefix(len(client_id_bytes))
        return b"".join((prefix, _PACK_hhi(m.request_api_key, m.request_api_version, m.correlation_id), client_id_size, client_id_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_response_header_v0(m: ResponseHeader, prefix: bytes = b"") -> bytes:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_i(m.correlation_id)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_response_header_v1(m: ResponseHeader, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_i(m.correlation_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_replica_state_v4(m: FetchRequestReplicaState, out: list[bytes]) -> None:
    try:
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        if m.replica_epoch != -1:
            raise absent(m, "replica_epoch")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_replica_state_v12(m: FetchRequestReplicaState, out: list[bytes]) -> None:
    try:
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        if m.replica_epoch != -1:
            raise absent(m, "replica_epoch")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_replica_state_v15(m: FetchRequestReplicaState, out: list[bytes]) -> None:
    try:
        out += (_PACK_iq(m.replica_id, m.replica_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v4(m: FetchRequestFetchPartition, out: list[bytes]) -> None:
    try:
        if m.last_fetched_epoch != -1:
            raise absent(m, "last_fetched_epoch")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_iqi(m.partition, m.fetch_offset, m.partition_max_bytes),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v5(m: FetchRequestFetchPartition, out: list[bytes]) -> None:
    try:
        if m.last_fetched_epoch != -1:
            raise absent(m, "last_fetched_epoch")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_iqqi(m.partition, m.fetch_offset, m.log_start_offset, m.partition_max_bytes),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v9(m: FetchRequestFetchPartition, out: list[bytes]) -> None:
    try:
        if m.last_fetched_epoch != -1:
            raise absent(m, "last_fetched_epoch")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_iiqqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.log_start_offset, m.partition_max_bytes),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v12(m: FetchRequestFetchPartition, out: list[bytes]) -> None:
    try:
        out += (_PACK_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v17(m: FetchRequestFetchPartition, out: list[bytes]) -> None:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.replica_directory_id != ZERO_UUID:
            if len(m.replica_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((0, _PACK_u(m.replica_directory_id)))
        out += (_PACK_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v18(m: FetchRequestFetchPartition, out: list[bytes]) -> None:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.replica_directory_id != ZERO_UUID:
            if len(m.replica_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((0, _PACK_u(m.replica_directory_id)))
        if m.high_watermark != 9223372036854775807:
            tags.append((1, _PACK_q(m.high_watermark)))
        out += (_PACK_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v4(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v4(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v5(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v5(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v9(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v9(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v12(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v12(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v13(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v12(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v17(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v17(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v18(m: FetchRequestFetchTopic, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_request_fetch_partition_v18(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v4(m: FetchRequestForgottenTopic, out: list[bytes]) -> None:
    try:
        if m.partitions:
            raise absent(m, "partitions")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v7(m: FetchRequestForgottenTopic, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_int32s(partitions_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v12(m: FetchRequestForgottenTopic, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, PACK_INT32S[n](n + 1, *partitions_items) if (n := len(partitions_items)) < SHAPES else int32s(partitions_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v13(m: FetchRequestForgottenTopic, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), PACK_INT32S[n](n + 1, *partitions_items) if (n := len(partitions_items)) < SHAPES else int32s(partitions_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v4(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        if m.forgotten_topics_data:
            raise absent(m, "forgotten_topics_data")
        topics_items = m.topics
        out += (_PACK_iiiib(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v4(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v5(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        if m.forgotten_topics_data:
            raise absent(m, "forgotten_topics_data")
        topics_items = m.topics
        out += (_PACK_iiiib(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v5(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v7(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v5(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (plain_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v7(forgotten_topics_data_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v9(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v9(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (plain_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v7(forgotten_topics_data_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v11(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v9(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (plain_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v7(forgotten_topics_data_item, out)
        rack_id_bytes = m.rack_id.encode()
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(rack_id_bytes)), rack_id_bytes)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v12(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v12(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v12(forgotten_topics_data_item, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v13(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v13(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_item, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v15(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        topics_items = m.topics
        out += (_PACK_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v13(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_item, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            replica_state_parts: list[bytes] = []
            _encode_fetch_request_replica_state_v15(m.replica_state, replica_state_parts)
            tags.append((1, b"".join(replica_state_parts)))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v17(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        topics_items = m.topics
        out += (_PACK_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v17(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_item, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            replica_state_parts: list[bytes] = []
            _encode_fetch_request_replica_state_v15(m.replica_state, replica_state_parts)
            tags.append((1, b"".join(replica_state_parts)))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v18(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        topics_items = m.topics
        out += (_PACK_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_request_fetch_topic_v18(topics_item, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        for forgotten_topics_data_item in forgotten_topics_data_items:
            _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_item, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            replica_state_parts: list[bytes] = []
            _encode_fetch_request_replica_state_v15(m.replica_state, replica_state_parts)
            tags.append((1, b"".join(replica_state_parts)))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_epoch_end_offset_v4(m: FetchResponseEpochEndOffset, out: list[bytes]) -> None:
    try:
        if m.epoch != -1:
            raise absent(m, "epoch")
        if m.end_offset != -1:
            raise absent(m, "end_offset")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_epoch_end_offset_v12(m: FetchResponseEpochEndOffset, out: list[bytes]) -> None:
    try:
        out += (_PACK_iq(m.epoch, m.end_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_leader_id_and_epoch_v4(m: FetchResponseLeaderIdAndEpoch, out: list[bytes]) -> None:
    try:
        if m.leader_id != -1:
            raise absent(m, "leader_id")
        if m.leader_epoch != -1:
            raise absent(m, "leader_epoch")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_leader_id_and_epoch_v12(m: FetchResponseLeaderIdAndEpoch, out: list[bytes]) -> None:
    try:
        out += (_PACK_ii(m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_snapshot_id_v4(m: FetchResponseSnapshotId, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_qi(m.end_offset, m.epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_snapshot_id_v12(m: FetchResponseSnapshotId, out: list[bytes]) -> None:
    try:
        out += (_PACK_qi(m.end_offset, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_aborted_transaction_v4(m: FetchResponseAbortedTransaction, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_qq(m.producer_id, m.first_offset),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_aborted_transaction_v12(m: FetchResponseAbortedTransaction, out: list[bytes]) -> None:
    try:
        out += (_PACK_qq(m.producer_id, m.first_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v4(m: FetchResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
            raise absent(m, "diverging_epoch")
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
            raise absent(m, "current_leader")
        if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
            raise absent(m, "snapshot_id")
        if m.preferred_read_replica != -1:
            raise absent(m, "preferred_read_replica")
        aborted_transactions_items = m.aborted_transactions
        out += (_PACK_ihqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset),)
        if aborted_transactions_items is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(plain_prefix(len(aborted_transactions_items)))
            for aborted_transactions_item in aborted_transactions_items:
                _encode_fetch_response_aborted_transaction_v4(aborted_transactions_item, out)
        if m.records is None:
            records_size, records_bytes = b"\xff\xff\xff\xff", b""
        else:
            records_bytes = m.records
            records_size = plain_prefix(len(records_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (records_size, records_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v5(m: FetchResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
            raise absent(m, "diverging_epoch")
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
            raise absent(m, "current_leader")
        if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
            raise absent(m, "snapshot_id")
        if m.preferred_read_replica != -1:
            raise absent(m, "preferred_read_replica")
        aborted_transactions_items = m.aborted_transactions
        out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
        if aborted_transactions_items is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(plain_prefix(len(aborted_transactions_items)))
            for aborted_transactions_item in aborted_transactions_items:
                _encode_fetch_response_aborted_transaction_v4(aborted_transactions_item, out)
        if m.records is None:
            records_size, records_bytes = b"\xff\xff\xff\xff", b""
        else:
            records_bytes = m.records
            records_size = plain_prefix(len(records_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (records_size, records_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v11(m: FetchResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
            raise absent(m, "diverging_epoch")
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
            raise absent(m, "current_leader")
        if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
            raise absent(m, "snapshot_id")
        aborted_transactions_items = m.aborted_transactions
        out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
        if aborted_transactions_items is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(plain_prefix(len(aborted_transactions_items)))
            for aborted_transactions_item in aborted_transactions_items:
                _encode_fetch_response_aborted_transaction_v4(aborted_transactions_item, out)
        if m.records is None:
            records_size, records_bytes = b"\xff\xff\xff\xff", b""
        else:
            records_bytes = m.records
            records_size = plain_prefix(len(records_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_i(m.preferred_read_replica), records_size, records_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v12(m: FetchResponsePartitionData, out: list[bytes]) -> None:
    try:
        aborted_transactions_items = m.aborted_transactions
        out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
        if aborted_transactions_items is None:
            out.append(NO_TAGS)
        else:
            out.append(length_prefix(len(aborted_transactions_items)))
            for aborted_transactions_item in aborted_transactions_items:
                _encode_fetch_response_aborted_transaction_v12(aborted_transactions_item, out)
        if m.records is None:
            records_size, records_bytes = NO_TAGS, b""
        else:
            records_bytes = m.records
            records_size = UVARINT[n + 1] if (n := len(records_bytes)) < SHORT - 1 else length_prefix(n)
        tags: list[tuple[int, bytes]] = []
        if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
            diverging_epoch_parts: list[bytes] = []
            _encode_fetch_response_epoch_end_offset_v12(m.diverging_epoch, diverging_epoch_parts)
            tags.append((0, b"".join(diverging_epoch_parts)))
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
            current_leader_parts: list[bytes] = []
            _encode_fetch_response_leader_id_and_epoch_v12(m.current_leader, current_leader_parts)
            tags.append((1, b"".join(current_leader_parts)))
        if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
            snapshot_id_parts: list[bytes] = []
            _encode_fetch_response_snapshot_id_v12(m.snapshot_id, snapshot_id_parts)
            tags.append((2, b"".join(snapshot_id_parts)))
        out += (_PACK_i(m.preferred_read_replica), records_size, records_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v17(m: FetchResponsePartitionData, out: list[bytes]) -> None:
    try:
        aborted_transactions_items = m.aborted_transactions
        out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
        if aborted_transactions_items is None:
            out.append(NO_TAGS)
        else:
            out.append(length_prefix(len(aborted_transactions_items)))
            for aborted_transactions_item in aborted_transactions_items:
                _encode_fetch_response_aborted_transaction_v12(aborted_transactions_item, out)
        if m.records is None:
            records_size, records_bytes = NO_TAGS, b""
        else:
            records_bytes = m.records
            records_size = UVARINT[n + 1] if (n := len(records_bytes)) < SHORT - 1 else length_prefix(n)
        tags: list[tuple[int, bytes]] = []
        if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
            diverging_epoch_parts: list[bytes] = []
            _encode_fetch_response_epoch_end_offset_v12(m.diverging_epoch, diverging_epoch_parts)
            tags.append((0, b"".join(diverging_epoch_parts)))
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
            current_leader_parts: list[bytes] = []
            _encode_fetch_response_leader_id_and_epoch_v12(m.current_leader, current_leader_parts)
            tags.append((1, b"".join(current_leader_parts)))
        if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
            snapshot_id_parts: list[bytes] = []
            _encode_fetch_response_snapshot_id_v12(m.snapshot_id, snapshot_id_parts)
            tags.append((2, b"".join(snapshot_id_parts)))
        if m.bound_directory_id != ZERO_UUID:
            if len(m.bound_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((1000, _PACK_u(m.bound_directory_id)))
        out += (_PACK_i(m.preferred_read_replica), records_size, records_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v4(m: FetchResponseFetchableTopicResponse, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_response_partition_data_v4(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v5(m: FetchResponseFetchableTopicResponse, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_response_partition_data_v5(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v11(m: FetchResponseFetchableTopicResponse, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_response_partition_data_v11(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v12(m: FetchResponseFetchableTopicResponse, out: list[bytes]) -> None:
    try:
        topic_bytes = m.topic.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_response_partition_data_v12(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v13(m: FetchResponseFetchableTopicResponse, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_response_partition_data_v12(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v17(m: FetchResponseFetchableTopicResponse, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_response_partition_data_v17(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_node_endpoint_v4(m: FetchResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.rack is not None:
            raise absent(m, "rack")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_node_endpoint_v12(m: FetchResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.rack is not None:
            raise absent(m, "rack")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_node_endpoint_v16(m: FetchResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), rack_size, rack_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v4(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.session_id != 0:
            raise absent(m, "session_id")
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v4(responses_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v5(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.session_id != 0:
            raise absent(m, "session_id")
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v5(responses_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v7(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), plain_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v5(responses_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v11(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), plain_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v11(responses_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v12(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v12(responses_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v13(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v13(responses_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v16(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v13(responses_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_fetch_response_node_endpoint_v16(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v17(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_fetch_response_fetchable_topic_response_v17(responses_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_fetch_response_node_endpoint_v16(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_request_v0(m: ApiVersionsRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, ))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_request_v3(m: ApiVersionsRequest, prefix: bytes = b"") -> bytes:
    try:
        client_software_name_bytes = m.client_software_name.encode()
        client_software_version_bytes = m.client_software_version.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(client_software_name_bytes)) < SHORT - 1 else string_prefix(n), client_software_name_bytes, UVARINT[n + 1] if (n := len(client_software_version_bytes)) < SHORT - 1 else string_prefix(n), client_software_version_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_api_version_v0(m: ApiVersionsResponseApiVersion, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_hhh(m.api_key, m.min_version, m.max_version),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_api_version_v3(m: ApiVersionsResponseApiVersion, out: list[bytes]) -> None:
    try:
        out += (_PACK_hhh(m.api_key, m.min_version, m.max_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_supported_feature_key_v0(m: ApiVersionsResponseSupportedFeatureKey, out: list[bytes]) -> None:
    try:
        if m.name != "":
            raise absent(m, "name")
        if m.min_version != 0:
            raise absent(m, "min_version")
        if m.max_version != 0:
            raise absent(m, "max_version")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_supported_feature_key_v3(m: ApiVersionsResponseSupportedFeatureKey, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_version, m.max_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_finalized_feature_key_v0(m: ApiVersionsResponseFinalizedFeatureKey, out: list[bytes]) -> None:
    try:
        if m.name != "":
            raise absent(m, "name")
        if m.max_version_level != 0:
            raise absent(m, "max_version_level")
        if m.min_version_level != 0:
            raise absent(m, "min_version_level")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_finalized_feature_key_v3(m: ApiVersionsResponseFinalizedFeatureKey, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.max_version_level, m.min_version_level), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_response_v0(m: ApiVersionsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        api_keys_items = m.api_keys
        out += (_PACK_h(m.error_code), plain_prefix(len(api_keys_items)))
        for api_keys_item in api_keys_items:
            _encode_api_versions_response_api_version_v0(api_keys_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_response_v1(m: ApiVersionsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        api_keys_items = m.api_keys
        out += (_PACK_h(m.error_code), plain_prefix(len(api_keys_items)))
        for api_keys_item in api_keys_items:
            _encode_api_versions_response_api_version_v0(api_keys_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_i(m.throttle_time_ms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_response_v3(m: ApiVersionsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        api_keys_items = m.api_keys
        out += (_PACK_h(m.error_code), length_prefix(len(api_keys_items)))
        for api_keys_item in api_keys_items:
            _encode_api_versions_response_api_version_v3(api_keys_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.supported_features:
            supported_features_parts: list[bytes] = []
            supported_features_items = m.supported_features
            supported_features_parts.append(length_prefix(len(supported_features_items)))
            for supported_features_item in supported_features_items:
                _encode_api_versions_response_supported_feature_key_v3(supported_features_item, supported_features_parts)
            tags.append((0, b"".join(supported_features_parts)))
        if m.finalized_features_epoch != -1:
            tags.append((1, _PACK_q(m.finalized_features_epoch)))
        if m.finalized_features:
            finalized_features_parts: list[bytes] = []
            finalized_features_items = m.finalized_features
            finalized_features_parts.append(length_prefix(len(finalized_features_items)))
            for finalized_features_item in finalized_features_items:
                _encode_api_versions_response_finalized_feature_key_v3(finalized_features_item, finalized_features_parts)
            tags.append((2, b"".join(finalized_features_parts)))
        if m.zk_migration_ready:
            tags.append((3, _PACK_t(m.zk_migration_ready)))
        out += (_PACK_i(m.throttle_time_ms), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_request_describe_configs_resource_v1(m: DescribeConfigsRequestDescribeConfigsResource, out: list[bytes]) -> None:
    try:
        resource_name_bytes = m.resource_name.encode()
        configuration_keys_items = m.configuration_keys
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, b"\xff\xff\xff\xff" if configuration_keys_items is None else plain_strings(configuration_keys_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_request_describe_configs_resource_v4(m: DescribeConfigsRequestDescribeConfigsResource, out: list[bytes]) -> None:
    try:
        resource_name_bytes = m.resource_name.encode()
        configuration_keys_items = m.configuration_keys
        out += (_PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, NO_TAGS if configuration_keys_items is None else strings(configuration_keys_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_request_v1(m: DescribeConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.include_documentation:
            raise absent(m, "include_documentation")
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_describe_configs_request_describe_configs_resource_v1(resources_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_t(m.include_synonyms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_request_v3(m: DescribeConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_describe_configs_request_describe_configs_resource_v1(resources_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_tt(m.include_synonyms, m.include_documentation),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_request_v4(m: DescribeConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (length_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_describe_configs_request_describe_configs_resource_v4(resources_item, out)
        out += (_PACK_tt(m.include_synonyms, m.include_documentation), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_synonym_v1(m: DescribeConfigsResponseDescribeConfigsSynonym, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = b"\xff\xff", b""
        else:
            value_bytes = m.value.encode()
            value_size = plain_string_prefix(len(value_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes, _PACK_b(m.source))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_synonym_v4(m: DescribeConfigsResponseDescribeConfigsSynonym, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = NO_TAGS, b""
        else:
            value_bytes = m.value.encode()
            value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, _PACK_b(m.source), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_resource_result_v1(m: DescribeConfigsResponseDescribeConfigsResourceResult, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = b"\xff\xff", b""
        else:
            value_bytes = m.value.encode()
            value_size = plain_string_prefix(len(value_bytes))
        synonyms_items = m.synonyms
        out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), plain_prefix(len(synonyms_items)))
        for synonyms_item in synonyms_items:
            _encode_describe_configs_response_describe_configs_synonym_v1(synonyms_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_resource_result_v3(m: DescribeConfigsResponseDescribeConfigsResourceResult, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = b"\xff\xff", b""
        else:
            value_bytes = m.value.encode()
            value_size = plain_string_prefix(len(value_bytes))
        synonyms_items = m.synonyms
        out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), plain_prefix(len(synonyms_items)))
        for synonyms_item in synonyms_items:
            _encode_describe_configs_response_describe_configs_synonym_v1(synonyms_item, out)
        if m.documentation is None:
            documentation_size, documentation_bytes = b"\xff\xff", b""
        else:
            documentation_bytes = m.documentation.encode()
            documentation_size = plain_string_prefix(len(documentation_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_b(m.config_type), documentation_size, documentation_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_resource_result_v4(m: DescribeConfigsResponseDescribeConfigsResourceResult, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = NO_TAGS, b""
        else:
            value_bytes = m.value.encode()
            value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
        synonyms_items = m.synonyms
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), length_prefix(len(synonyms_items)))
        for synonyms_item in synonyms_items:
            _encode_describe_configs_response_describe_configs_synonym_v4(synonyms_item, out)
        if m.documentation is None:
            documentation_size, documentation_bytes = NO_TAGS, b""
        else:
            documentation_bytes = m.documentation.encode()
            documentation_size = UVARINT[n + 1] if (n := len(documentation_bytes)) < SHORT - 1 else string_prefix(n)
        out += (_PACK_b(m.config_type), documentation_size, documentation_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_result_v1(m: DescribeConfigsResponseDescribeConfigsResult, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = b"\xff\xff", b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = plain_string_prefix(len(error_message_bytes))
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_describe_configs_response_describe_configs_resource_result_v1(configs_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_result_v3(m: DescribeConfigsResponseDescribeConfigsResult, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = b"\xff\xff", b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = plain_string_prefix(len(error_message_bytes))
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_describe_configs_response_describe_configs_resource_result_v3(configs_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_result_v4(m: DescribeConfigsResponseDescribeConfigsResult, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, length_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_describe_configs_response_describe_configs_resource_result_v4(configs_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_response_v1(m: DescribeConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(results_items)))
        for results_item in results_items:
            _encode_describe_configs_response_describe_configs_result_v1(results_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_response_v3(m: DescribeConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(results_items)))
        for results_item in results_items:
            _encode_describe_configs_response_describe_configs_result_v3(results_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_response_v4(m: DescribeConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(results_items)))
        for results_item in results_items:
            _encode_describe_configs_response_describe_configs_result_v4(results_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alterable_config_v0(m: AlterConfigsRequestAlterableConfig, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = b"\xff\xff", b""
        else:
            value_bytes = m.value.encode()
            value_size = plain_string_prefix(len(value_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alterable_config_v2(m: AlterConfigsRequestAlterableConfig, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = NO_TAGS, b""
        else:
            value_bytes = m.value.encode()
            value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alter_configs_resource_v0(m: AlterConfigsRequestAlterConfigsResource, out: list[bytes]) -> None:
    try:
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_alter_configs_request_alterable_config_v0(configs_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alter_configs_resource_v2(m: AlterConfigsRequestAlterConfigsResource, out: list[bytes]) -> None:
    try:
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, length_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_alter_configs_request_alterable_config_v2(configs_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_configs_request_v0(m: AlterConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_alter_configs_request_alter_configs_resource_v0(resources_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_t(m.validate_only),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_configs_request_v2(m: AlterConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (length_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_alter_configs_request_alter_configs_resource_v2(resources_item, out)
        out += (_PACK_t(m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_response_alter_configs_resource_response_v0(m: AlterConfigsResponseAlterConfigsResourceResponse, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = b"\xff\xff", b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = plain_string_prefix(len(error_message_bytes))
        resource_name_bytes = m.resource_name.encode()
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_response_alter_configs_resource_response_v2(m: AlterConfigsResponseAlterConfigsResourceResponse, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        resource_name_bytes = m.resource_name.encode()
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_configs_response_v0(m: AlterConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_alter_configs_response_alter_configs_resource_response_v0(responses_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_configs_response_v2(m: AlterConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_alter_configs_response_alter_configs_resource_response_v2(responses_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_request_alterable_config_v0(m: IncrementalAlterConfigsRequestAlterableConfig, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = b"\xff\xff", b""
        else:
            value_bytes = m.value.encode()
            value_size = plain_string_prefix(len(value_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(name_bytes)), name_bytes, _PACK_b(m.config_operation), value_size, value_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_request_alterable_config_v1(m: IncrementalAlterConfigsRequestAlterableConfig, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = NO_TAGS, b""
        else:
            value_bytes = m.value.encode()
            value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_b(m.config_operation), value_size, value_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_request_alter_configs_resource_v0(m: IncrementalAlterConfigsRequestAlterConfigsResource, out: list[bytes]) -> None:
    try:
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_incremental_alter_configs_request_alterable_config_v0(configs_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_request_alter_configs_resource_v1(m: IncrementalAlterConfigsRequestAlterConfigsResource, out: list[bytes]) -> None:
    try:
        resource_name_bytes = m.resource_name.encode()
        configs_items = m.configs
        out += (_PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, length_prefix(len(configs_items)))
        for configs_item in configs_items:
            _encode_incremental_alter_configs_request_alterable_config_v1(configs_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_incremental_alter_configs_request_v0(m: IncrementalAlterConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_incremental_alter_configs_request_alter_configs_resource_v0(resources_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_t(m.validate_only),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_incremental_alter_configs_request_v1(m: IncrementalAlterConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (length_prefix(len(resources_items)),)
        for resources_item in resources_items:
            _encode_incremental_alter_configs_request_alter_configs_resource_v1(resources_item, out)
        out += (_PACK_t(m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_response_alter_configs_resource_response_v0(m: IncrementalAlterConfigsResponseAlterConfigsResourceResponse, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = b"\xff\xff", b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = plain_string_prefix(len(error_message_bytes))
        resource_name_bytes = m.resource_name.encode()
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_response_alter_configs_resource_response_v1(m: IncrementalAlterConfigsResponseAlterConfigsResourceResponse, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        resource_name_bytes = m.resource_name.encode()
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_incremental_alter_configs_response_v0(m: IncrementalAlterConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_incremental_alter_configs_response_alter_configs_resource_response_v0(responses_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_incremental_alter_configs_response_v1(m: IncrementalAlterConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(responses_items)))
        for responses_item in responses_items:
            _encode_incremental_alter_configs_response_alter_configs_resource_response_v1(responses_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v0(m: VoteRequestPartitionData, out: list[bytes]) -> None:
    try:
        if m.pre_vote:
            raise absent(m, "pre_vote")
        out += (_PACK_iiiiq(m.partition_index, m.replica_epoch, m.replica_id, m.last_offset_epoch, m.last_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v1(m: VoteRequestPartitionData, out: list[bytes]) -> None:
    try:
        if m.pre_vote:
            raise absent(m, "pre_vote")
        if len(m.replica_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iiiuuiq(m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v2(m: VoteRequestPartitionData, out: list[bytes]) -> None:
    try:
        if len(m.replica_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iiiuuiqt(m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset, m.pre_vote), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v0(m: VoteRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_request_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v1(m: VoteRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_request_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v2(m: VoteRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_request_partition_data_v2(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_request_v0(m: VoteRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_vote_request_topic_data_v0(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_request_v1(m: VoteRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, _PACK_i(m.voter_id), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_vote_request_topic_data_v1(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_request_v2(m: VoteRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, _PACK_i(m.voter_id), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_vote_request_topic_data_v2(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_response_partition_data_v0(m: VoteResponsePartitionData, out: list[bytes]) -> None:
    try:
        out += (_PACK_ihiit(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.vote_granted), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_response_topic_data_v0(m: VoteResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_response_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_response_node_endpoint_v0(m: VoteResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_response_node_endpoint_v1(m: VoteResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_response_v0(m: VoteResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_vote_response_topic_data_v0(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_response_v1(m: VoteResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_vote_response_topic_data_v0(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_vote_response_node_endpoint_v1(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_request_partition_data_v0(m: BeginQuorumEpochRequestPartitionData, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_iii(m.partition_index, m.leader_id, m.leader_epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_request_partition_data_v1(m: BeginQuorumEpochRequestPartitionData, out: list[bytes]) -> None:
    try:
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iuii(m.partition_index, m.voter_directory_id, m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_request_topic_data_v0(m: BeginQuorumEpochRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_begin_quorum_epoch_request_partition_data_v0(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_request_topic_data_v1(m: BeginQuorumEpochRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_begin_quorum_epoch_request_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_request_leader_endpoint_v0(m: BeginQuorumEpochRequestLeaderEndpoint, out: list[bytes]) -> None:
    try:
        if m.name != "":
            raise absent(m, "name")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_request_leader_endpoint_v1(m: BeginQuorumEpochRequestLeaderEndpoint, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_quorum_epoch_request_v0(m: BeginQuorumEpochRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = b"\xff\xff", b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = plain_string_prefix(len(cluster_id_bytes))
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_begin_quorum_epoch_request_topic_data_v0(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_quorum_epoch_request_v1(m: BeginQuorumEpochRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, _PACK_i(m.voter_id), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_begin_quorum_epoch_request_topic_data_v1(topics_item, out)
        leader_endpoints_items = m.leader_endpoints
        out += (length_prefix(len(leader_endpoints_items)),)
        for leader_endpoints_item in leader_endpoints_items:
            _encode_begin_quorum_epoch_request_leader_endpoint_v1(leader_endpoints_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_partition_data_v0(m: BeginQuorumEpochResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_partition_data_v1(m: BeginQuorumEpochResponsePartitionData, out: list[bytes]) -> None:
    try:
        out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_topic_data_v0(m: BeginQuorumEpochResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_begin_quorum_epoch_response_partition_data_v0(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_topic_data_v1(m: BeginQuorumEpochResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_begin_quorum_epoch_response_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_node_endpoint_v0(m: BeginQuorumEpochResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_node_endpoint_v1(m: BeginQuorumEpochResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_quorum_epoch_response_v0(m: BeginQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_begin_quorum_epoch_response_topic_data_v0(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_quorum_epoch_response_v1(m: BeginQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_begin_quorum_epoch_response_topic_data_v1(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_begin_quorum_epoch_response_node_endpoint_v1(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_replica_info_v0(m: EndQuorumEpochRequestReplicaInfo, out: list[bytes]) -> None:
    try:
        if m.candidate_id != 0:
            raise absent(m, "candidate_id")
        if m.candidate_directory_id != ZERO_UUID:
            raise absent(m, "candidate_directory_id")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_replica_info_v1(m: EndQuorumEpochRequestReplicaInfo, out: list[bytes]) -> None:
    try:
        if len(m.candidate_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iu(m.candidate_id, m.candidate_directory_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_partition_data_v0(m: EndQuorumEpochRequestPartitionData, out: list[bytes]) -> None:
    try:
        preferred_successors_items = m.preferred_successors
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_iii(m.partition_index, m.leader_id, m.leader_epoch), plain_int32s(preferred_successors_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_partition_data_v1(m: EndQuorumEpochRequestPartitionData, out: list[bytes]) -> None:
    try:
        preferred_candidates_items = m.preferred_candidates
        out += (_PACK_iii(m.partition_index, m.leader_id, m.leader_epoch), length_prefix(len(preferred_candidates_items)))
        for preferred_candidates_item in preferred_candidates_items:
            _encode_end_quorum_epoch_request_replica_info_v1(preferred_candidates_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_topic_data_v0(m: EndQuorumEpochRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_end_quorum_epoch_request_partition_data_v0(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_topic_data_v1(m: EndQuorumEpochRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_end_quorum_epoch_request_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_leader_endpoint_v0(m: EndQuorumEpochRequestLeaderEndpoint, out: list[bytes]) -> None:
    try:
        if m.name != "":
            raise absent(m, "name")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_leader_endpoint_v1(m: EndQuorumEpochRequestLeaderEndpoint, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_request_v0(m: EndQuorumEpochRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = b"\xff\xff", b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = plain_string_prefix(len(cluster_id_bytes))
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_end_quorum_epoch_request_topic_data_v0(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_request_v1(m: EndQuorumEpochRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_end_quorum_epoch_request_topic_data_v1(topics_item, out)
        leader_endpoints_items = m.leader_endpoints
        out += (length_prefix(len(leader_endpoints_items)),)
        for leader_endpoints_item in leader_endpoints_items:
            _encode_end_quorum_epoch_request_leader_endpoint_v1(leader_endpoints_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_partition_data_v0(m: EndQuorumEpochResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_partition_data_v1(m: EndQuorumEpochResponsePartitionData, out: list[bytes]) -> None:
    try:
        out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_topic_data_v0(m: EndQuorumEpochResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_end_quorum_epoch_response_partition_data_v0(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_topic_data_v1(m: EndQuorumEpochResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_end_quorum_epoch_response_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_node_endpoint_v0(m: EndQuorumEpochResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_node_endpoint_v1(m: EndQuorumEpochResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_response_v0(m: EndQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_end_quorum_epoch_response_topic_data_v0(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_response_v1(m: EndQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_end_quorum_epoch_response_topic_data_v1(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_end_quorum_epoch_response_node_endpoint_v1(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_request_partition_data_v0(m: DescribeQuorumRequestPartitionData, out: list[bytes]) -> None:
    try:
        out += (_PACK_i(m.partition_index), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_request_topic_data_v0(m: DescribeQuorumRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_request_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_request_v0(m: DescribeQuorumRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (length_prefix(len(topics_items)),)
        for topics_item in topics_items:
            _encode_describe_quorum_request_topic_data_v0(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v0(m: DescribeQuorumResponseReplicaState, out: list[bytes]) -> None:
    try:
        if m.replica_directory_id != ZERO_UUID:
            raise absent(m, "replica_directory_id")
        out += (_PACK_iq(m.replica_id, m.log_end_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v1(m: DescribeQuorumResponseReplicaState, out: list[bytes]) -> None:
    try:
        if m.replica_directory_id != ZERO_UUID:
            raise absent(m, "replica_directory_id")
        out += (_PACK_iqqq(m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v2(m: DescribeQuorumResponseReplicaState, out: list[bytes]) -> None:
    try:
        if len(m.replica_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iuqqq(m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v0(m: DescribeQuorumResponsePartitionData, out: list[bytes]) -> None:
    try:
        current_voters_items = m.current_voters
        out += (_PACK_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
        for current_voters_item in current_voters_items:
            _encode_describe_quorum_response_replica_state_v0(current_voters_item, out)
        observers_items = m.observers
        out += (length_prefix(len(observers_items)),)
        for observers_item in observers_items:
            _encode_describe_quorum_response_replica_state_v0(observers_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v1(m: DescribeQuorumResponsePartitionData, out: list[bytes]) -> None:
    try:
        current_voters_items = m.current_voters
        out += (_PACK_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
        for current_voters_item in current_voters_items:
            _encode_describe_quorum_response_replica_state_v1(current_voters_item, out)
        observers_items = m.observers
        out += (length_prefix(len(observers_items)),)
        for observers_item in observers_items:
            _encode_describe_quorum_response_replica_state_v1(observers_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v2(m: DescribeQuorumResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        current_voters_items = m.current_voters
        out += (_PACK_ih(m.partition_index, m.error_code), error_message_size, error_message_bytes, _PACK_iiq(m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
        for current_voters_item in current_voters_items:
            _encode_describe_quorum_response_replica_state_v2(current_voters_item, out)
        observers_items = m.observers
        out += (length_prefix(len(observers_items)),)
        for observers_item in observers_items:
            _encode_describe_quorum_response_replica_state_v2(observers_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v0(m: DescribeQuorumResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_response_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v1(m: DescribeQuorumResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_response_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v2(m: DescribeQuorumResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_response_partition_data_v2(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_listener_v0(m: DescribeQuorumResponseListener, out: list[bytes]) -> None:
    try:
        if m.name != "":
            raise absent(m, "name")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_listener_v2(m: DescribeQuorumResponseListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_node_v0(m: DescribeQuorumResponseNode, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.listeners:
            raise absent(m, "listeners")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_node_v2(m: DescribeQuorumResponseNode, out: list[bytes]) -> None:
    try:
        listeners_items = m.listeners
        out += (_PACK_i(m.node_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_describe_quorum_response_listener_v2(listeners_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_response_v0(m: DescribeQuorumResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.nodes:
            raise absent(m, "nodes")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_describe_quorum_response_topic_data_v0(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_response_v1(m: DescribeQuorumResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.nodes:
            raise absent(m, "nodes")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_describe_quorum_response_topic_data_v1(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_response_v2(m: DescribeQuorumResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_describe_quorum_response_topic_data_v2(topics_item, out)
        nodes_items = m.nodes
        out += (length_prefix(len(nodes_items)),)
        for nodes_item in nodes_items:
            _encode_describe_quorum_response_node_v2(nodes_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_features_request_feature_update_key_v0(m: UpdateFeaturesRequestFeatureUpdateKey, out: list[bytes]) -> None:
    try:
        if m.upgrade_type != 1:
            raise absent(m, "upgrade_type")
        feature_bytes = m.feature.encode()
        out += (UVARINT[n + 1] if (n := len(feature_bytes)) < SHORT - 1 else string_prefix(n), feature_bytes, _PACK_ht(m.max_version_level, m.allow_downgrade), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_features_request_feature_update_key_v1(m: UpdateFeaturesRequestFeatureUpdateKey, out: list[bytes]) -> None:
    try:
        if m.allow_downgrade:
            raise absent(m, "allow_downgrade")
        feature_bytes = m.feature.encode()
        out += (UVARINT[n + 1] if (n := len(feature_bytes)) < SHORT - 1 else string_prefix(n), feature_bytes, _PACK_hb(m.max_version_level, m.upgrade_type), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_features_request_v0(m: UpdateFeaturesRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.validate_only:
            raise absent(m, "validate_only")
        feature_updates_items = m.feature_updates
        out += (_PACK_i(m.timeout_ms), length_prefix(len(feature_updates_items)))
        for feature_updates_item in feature_updates_items:
            _encode_update_features_request_feature_update_key_v0(feature_updates_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_features_request_v1(m: UpdateFeaturesRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        feature_updates_items = m.feature_updates
        out += (_PACK_i(m.timeout_ms), length_prefix(len(feature_updates_items)))
        for feature_updates_item in feature_updates_items:
            _encode_update_features_request_feature_update_key_v1(feature_updates_item, out)
        out += (_PACK_t(m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_features_response_updatable_feature_result_v0(m: UpdateFeaturesResponseUpdatableFeatureResult, out: list[bytes]) -> None:
    try:
        feature_bytes = m.feature.encode()
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        out += (UVARINT[n + 1] if (n := len(feature_bytes)) < SHORT - 1 else string_prefix(n), feature_bytes, _PACK_h(m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_features_response_v0(m: UpdateFeaturesResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        results_items = m.results
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, length_prefix(len(results_items)))
        for results_item in results_items:
            _encode_update_features_response_updatable_feature_result_v0(results_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_features_response_v2(m: UpdateFeaturesResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_snapshot_id_v0(m: FetchSnapshotRequestSnapshotId, out: list[bytes]) -> None:
    try:
        out += (_PACK_qi(m.end_offset, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_partition_snapshot_v0(m: FetchSnapshotRequestPartitionSnapshot, out: list[bytes]) -> None:
    try:
        out += (_PACK_ii(m.partition, m.current_leader_epoch),)
        _encode_fetch_snapshot_request_snapshot_id_v0(m.snapshot_id, out)
        out += (_PACK_q(m.position), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_partition_snapshot_v1(m: FetchSnapshotRequestPartitionSnapshot, out: list[bytes]) -> None:
    try:
        out += (_PACK_ii(m.partition, m.current_leader_epoch),)
        _encode_fetch_snapshot_request_snapshot_id_v0(m.snapshot_id, out)
        tags: list[tuple[int, bytes]] = []
        if m.replica_directory_id != ZERO_UUID:
            if len(m.replica_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((0, _PACK_u(m.replica_directory_id)))
        out += (_PACK_q(m.position), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_topic_snapshot_v0(m: FetchSnapshotRequestTopicSnapshot, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_snapshot_request_partition_snapshot_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_topic_snapshot_v1(m: FetchSnapshotRequestTopicSnapshot, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_snapshot_request_partition_snapshot_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_request_v0(m: FetchSnapshotRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ii(m.replica_id, m.max_bytes), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_snapshot_request_topic_snapshot_v0(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_request_v1(m: FetchSnapshotRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ii(m.replica_id, m.max_bytes), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_snapshot_request_topic_snapshot_v1(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_snapshot_id_v0(m: FetchSnapshotResponseSnapshotId, out: list[bytes]) -> None:
    try:
        out += (_PACK_qi(m.end_offset, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_leader_id_and_epoch_v0(m: FetchSnapshotResponseLeaderIdAndEpoch, out: list[bytes]) -> None:
    try:
        out += (_PACK_ii(m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_partition_snapshot_v0(m: FetchSnapshotResponsePartitionSnapshot, out: list[bytes]) -> None:
    try:
        out += (_PACK_ih(m.index, m.error_code),)
        _encode_fetch_snapshot_response_snapshot_id_v0(m.snapshot_id, out)
        unaligned_records_bytes = m.unaligned_records
        tags: list[tuple[int, bytes]] = []
        if m.current_leader.leader_id != 0 or m.current_leader.leader_epoch != 0 or m.current_leader.unknown_tags:
            current_leader_parts: list[bytes] = []
            _encode_fetch_snapshot_response_leader_id_and_epoch_v0(m.current_leader, current_leader_parts)
            tags.append((0, b"".join(current_leader_parts)))
        out += (_PACK_qq(m.size, m.position), UVARINT[n + 1] if (n := len(unaligned_records_bytes)) < SHORT - 1 else length_prefix(n), unaligned_records_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_topic_snapshot_v0(m: FetchSnapshotResponseTopicSnapshot, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_fetch_snapshot_response_partition_snapshot_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_node_endpoint_v0(m: FetchSnapshotResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_node_endpoint_v1(m: FetchSnapshotResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_response_v0(m: FetchSnapshotResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_snapshot_response_topic_snapshot_v0(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_response_v1(m: FetchSnapshotResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_fetch_snapshot_response_topic_snapshot_v0(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_fetch_snapshot_response_node_endpoint_v1(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_request_v0(m: DescribeClusterRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.endpoint_type != 1:
            raise absent(m, "endpoint_type")
        if m.include_fenced_brokers:
            raise absent(m, "include_fenced_brokers")
        return b"".join((prefix, _PACK_t(m.include_cluster_authorized_operations), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_request_v1(m: DescribeClusterRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.include_fenced_brokers:
            raise absent(m, "include_fenced_brokers")
        return b"".join((prefix, _PACK_tb(m.include_cluster_authorized_operations, m.endpoint_type), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_request_v2(m: DescribeClusterRequest, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_tbt(m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_cluster_response_describe_cluster_broker_v0(m: DescribeClusterResponseDescribeClusterBroker, out: list[bytes]) -> None:
    try:
        if m.is_fenced:
            raise absent(m, "is_fenced")
        host_bytes = m.host.encode()
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), rack_size, rack_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_cluster_response_describe_cluster_broker_v2(m: DescribeClusterResponseDescribeClusterBroker, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), rack_size, rack_bytes, _PACK_t(m.is_fenced), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_response_v0(m: DescribeClusterResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.endpoint_type != 1:
            raise absent(m, "endpoint_type")
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        cluster_id_bytes = m.cluster_id.encode()
        brokers_items = m.brokers
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_i(m.controller_id), length_prefix(len(brokers_items)))
        for brokers_item in brokers_items:
            _encode_describe_cluster_response_describe_cluster_broker_v0(brokers_item, out)
        out += (_PACK_i(m.cluster_authorized_operations), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_response_v1(m: DescribeClusterResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        cluster_id_bytes = m.cluster_id.encode()
        brokers_items = m.brokers
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, _PACK_b(m.endpoint_type), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_i(m.controller_id), length_prefix(len(brokers_items)))
        for brokers_item in brokers_items:
            _encode_describe_cluster_response_describe_cluster_broker_v0(brokers_item, out)
        out += (_PACK_i(m.cluster_authorized_operations), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_response_v2(m: DescribeClusterResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        cluster_id_bytes = m.cluster_id.encode()
        brokers_items = m.brokers
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, _PACK_b(m.endpoint_type), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_i(m.controller_id), length_prefix(len(brokers_items)))
        for brokers_item in brokers_items:
            _encode_describe_cluster_response_describe_cluster_broker_v2(brokers_item, out)
        out += (_PACK_i(m.cluster_authorized_operations), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_broker_registration_request_listener_v0(m: BrokerRegistrationRequestListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_broker_registration_request_feature_v0(m: BrokerRegistrationRequestFeature, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v0(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.is_migrating_zk_broker:
            raise absent(m, "is_migrating_zk_broker")
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_broker_registration_request_listener_v0(listeners_item, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        for features_item in features_items:
            _encode_broker_registration_request_feature_v0(features_item, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (rack_size, rack_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v1(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_broker_registration_request_listener_v0(listeners_item, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        for features_item in features_items:
            _encode_broker_registration_request_feature_v0(features_item, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        out += (rack_size, rack_bytes, _PACK_t(m.is_migrating_zk_broker), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v2(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_broker_registration_request_listener_v0(listeners_item, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        for features_item in features_items:
            _encode_broker_registration_request_feature_v0(features_item, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        log_dirs_items = m.log_dirs
        out += (rack_size, rack_bytes, _PACK_t(m.is_migrating_zk_broker), uuids(log_dirs_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v3(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_broker_registration_request_listener_v0(listeners_item, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        for features_item in features_items:
            _encode_broker_registration_request_feature_v0(features_item, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        log_dirs_items = m.log_dirs
        out += (rack_size, rack_bytes, _PACK_t(m.is_migrating_zk_broker), uuids(log_dirs_items), _PACK_q(m.previous_broker_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_response_v0(m: BrokerRegistrationResponse, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_ihq(m.throttle_time_ms, m.error_code, m.broker_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_heartbeat_request_v0(m: BrokerHeartbeatRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.offline_log_dirs:
            raise absent(m, "offline_log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        return b"".join((prefix, _PACK_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_heartbeat_request_v1(m: BrokerHeartbeatRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        tags: list[tuple[int, bytes]] = []
        if m.offline_log_dirs:
            offline_log_dirs_items = m.offline_log_dirs
            tags.append((0, uuids(offline_log_dirs_items)))
        return b"".join((prefix, _PACK_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_heartbeat_request_v2(m: BrokerHeartbeatRequest, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.offline_log_dirs:
            offline_log_dirs_items = m.offline_log_dirs
            tags.append((0, uuids(offline_log_dirs_items)))
        if m.cordoned_log_dirs is not None:
            cordoned_log_dirs_items = m.cordoned_log_dirs
            tags.append((1, uuids(cordoned_log_dirs_items)))
        return b"".join((prefix, _PACK_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_heartbeat_response_v0(m: BrokerHeartbeatResponse, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_ihttt(m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_unregister_broker_request_v0(m: UnregisterBrokerRequest, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_i(m.broker_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_unregister_broker_response_v0(m: UnregisterBrokerResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_controller_registration_request_listener_v0(m: ControllerRegistrationRequestListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_controller_registration_request_feature_v0(m: ControllerRegistrationRequestFeature, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_controller_registration_request_v0(m: ControllerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_iut(m.controller_id, m.incarnation_id, m.zk_migration_ready), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_controller_registration_request_listener_v0(listeners_item, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        for features_item in features_items:
            _encode_controller_registration_request_feature_v0(features_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_controller_registration_response_v0(m: ControllerRegistrationResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_add_raft_voter_request_listener_v0(m: AddRaftVoterRequestListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_add_raft_voter_request_v0(m: AddRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if not m.ack_when_committed:
            raise absent(m, "ack_when_committed")
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (cluster_id_size, cluster_id_bytes, _PACK_iiu(m.timeout_ms, m.voter_id, m.voter_directory_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_add_raft_voter_request_listener_v0(listeners_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_add_raft_voter_request_v1(m: AddRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (cluster_id_size, cluster_id_bytes, _PACK_iiu(m.timeout_ms, m.voter_id, m.voter_directory_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_add_raft_voter_request_listener_v0(listeners_item, out)
        out += (_PACK_t(m.ack_when_committed), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_add_raft_voter_response_v0(m: AddRaftVoterResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_raft_voter_request_v0(m: RemoveRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        return b"".join((prefix, cluster_id_size, cluster_id_bytes, _PACK_iu(m.voter_id, m.voter_directory_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_remove_raft_voter_response_v0(m: RemoveRaftVoterResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_raft_voter_request_listener_v0(m: UpdateRaftVoterRequestListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_raft_voter_request_kraft_version_feature_v0(m: UpdateRaftVoterRequestKRaftVersionFeature, out: list[bytes]) -> None:
    try:
        out += (_PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_raft_voter_request_v0(m: UpdateRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (cluster_id_size, cluster_id_bytes, _PACK_iiu(m.current_leader_epoch, m.voter_id, m.voter_directory_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_update_raft_voter_request_listener_v0(listeners_item, out)
        _encode_update_raft_voter_request_kraft_version_feature_v0(m.kraft_version_feature, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_raft_voter_response_current_leader_v0(m: UpdateRaftVoterResponseCurrentLeader, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        out += (_PACK_ii(m.leader_id, m.leader_epoch), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_raft_voter_response_v0(m: UpdateRaftVoterResponse, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.host != "" or m.current_leader.port != 0 or m.current_leader.unknown_tags:
            current_leader_parts: list[bytes] = []
            _encode_update_raft_voter_response_current_leader_v0(m.current_leader, current_leader_parts)
            tags.append((0, b"".join(current_leader_parts)))
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


Codec: TypeAlias = tuple[Callable[[bytes, int], Any], Callable[[Any, bytes], bytes]]

CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (RequestHeader, 0): (decode_request_header_v0, encode_request_header_v0),
    (RequestHeader, 1): (decode_request_header_v1, encode_request_header_v1),
    (RequestHeader, 2): (decode_request_header_v2, encode_request_header_v2),
    (ResponseHeader, 0): (decode_response_header_v0, encode_response_header_v0),
    (ResponseHeader, 1): (decode_response_header_v1, encode_response_header_v1),
    (FetchRequest, 4): (decode_fetch_request_v4, encode_fetch_request_v4),
    (FetchRequest, 5): (decode_fetch_request_v5, encode_fetch_request_v5),
    (FetchRequest, 6): (decode_fetch_request_v5, encode_fetch_request_v5),
    (FetchRequest, 7): (decode_fetch_request_v7, encode_fetch_request_v7),
    (FetchRequest, 8): (decode_fetch_request_v7, encode_fetch_request_v7),
    (FetchRequest, 9): (decode_fetch_request_v9, encode_fetch_request_v9),
    (FetchRequest, 10): (decode_fetch_request_v9, encode_fetch_request_v9),
    (FetchRequest, 11): (decode_fetch_request_v11, encode_fetch_request_v11),
    (FetchRequest, 12): (decode_fetch_request_v12, encode_fetch_request_v12),
    (FetchRequest, 13): (decode_fetch_request_v13, encode_fetch_request_v13),
    (FetchRequest, 14): (decode_fetch_request_v13, encode_fetch_request_v13),
    (FetchRequest, 15): (decode_fetch_request_v15, encode_fetch_request_v15),
    (FetchRequest, 16): (decode_fetch_request_v15, encode_fetch_request_v15),
    (FetchRequest, 17): (decode_fetch_request_v17, encode_fetch_request_v17),
    (FetchRequest, 18): (decode_fetch_request_v18, encode_fetch_request_v18),
    (FetchResponse, 4): (decode_fetch_response_v4, encode_fetch_response_v4),
    (FetchResponse, 5): (decode_fetch_response_v5, encode_fetch_response_v5),
    (FetchResponse, 6): (decode_fetch_response_v5, encode_fetch_response_v5),
    (FetchResponse, 7): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 8): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 9): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 10): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 11): (decode_fetch_response_v11, encode_fetch_response_v11),
    (FetchResponse, 12): (decode_fetch_response_v12, encode_fetch_response_v12),
    (FetchResponse, 13): (decode_fetch_response_v13, encode_fetch_response_v13),
    (FetchResponse, 14): (decode_fetch_response_v13, encode_fetch_response_v13),
    (FetchResponse, 15): (decode_fetch_response_v13, encode_fetch_response_v13),
    (FetchResponse, 16): (decode_fetch_response_v16, encode_fetch_response_v16),
    (FetchResponse, 17): (decode_fetch_response_v17, encode_fetch_response_v17),
    (FetchResponse, 18): (decode_fetch_response_v17, encode_fetch_response_v17),
    (ApiVersionsRequest, 0): (decode_api_versions_request_v0, encode_api_versions_request_v0),
    (ApiVersionsRequest, 1): (decode_api_versions_request_v0, encode_api_versions_request_v0),
    (ApiVersionsRequest, 2): (decode_api_versions_request_v0, encode_api_versions_request_v0),
    (ApiVersionsRequest, 3): (decode_api_versions_request_v3, encode_api_versions_request_v3),
    (ApiVersionsRequest, 4): (decode_api_versions_request_v3, encode_api_versions_request_v3),
    (ApiVersionsResponse, 0): (decode_api_versions_response_v0, encode_api_versions_response_v0),
    (ApiVersionsResponse, 1): (decode_api_versions_response_v1, encode_api_versions_response_v1),
    (ApiVersionsResponse, 2): (decode_api_versions_response_v1, encode_api_versions_response_v1),
    (ApiVersionsResponse, 3): (decode_api_versions_response_v3, encode_api_versions_response_v3),
    (ApiVersionsResponse, 4): (decode_api_versions_response_v3, encode_api_versions_response_v3),
    (DescribeConfigsRequest, 1): (decode_describe_configs_request_v1, encode_describe_configs_request_v1),
    (DescribeConfigsRequest, 2): (decode_describe_configs_request_v1, encode_describe_configs_request_v1),
    (DescribeConfigsRequest, 3): (decode_describe_configs_request_v3, encode_describe_configs_request_v3),
    (DescribeConfigsRequest, 4): (decode_describe_configs_request_v4, encode_describe_configs_request_v4),
    (DescribeConfigsResponse, 1): (decode_describe_configs_response_v1, encode_describe_configs_response_v1),
    (DescribeConfigsResponse, 2): (decode_describe_configs_response_v1, encode_describe_configs_response_v1),
    (DescribeConfigsResponse, 3): (decode_describe_configs_response_v3, encode_describe_configs_response_v3),
    (DescribeConfigsResponse, 4): (decode_describe_configs_response_v4, encode_describe_configs_response_v4),
    (AlterConfigsRequest, 0): (decode_alter_configs_request_v0, encode_alter_configs_request_v0),
    (AlterConfigsRequest, 1): (decode_alter_configs_request_v0, encode_alter_configs_request_v0),
    (AlterConfigsRequest, 2): (decode_alter_configs_request_v2, encode_alter_configs_request_v2),
    (AlterConfigsResponse, 0): (decode_alter_configs_response_v0, encode_alter_configs_response_v0),
    (AlterConfigsResponse, 1): (decode_alter_configs_response_v0, encode_alter_configs_response_v0),
    (AlterConfigsResponse, 2): (decode_alter_configs_response_v2, encode_alter_configs_response_v2),
    (IncrementalAlterConfigsRequest, 0): (decode_incremental_alter_configs_request_v0, encode_incremental_alter_configs_request_v0),
    (IncrementalAlterConfigsRequest, 1): (decode_incremental_alter_configs_request_v1, encode_incremental_alter_configs_request_v1),
    (IncrementalAlterConfigsResponse, 0): (decode_incremental_alter_configs_response_v0, encode_incremental_alter_configs_response_v0),
    (IncrementalAlterConfigsResponse, 1): (decode_incremental_alter_configs_response_v1, encode_incremental_alter_configs_response_v1),
    (VoteRequest, 0): (decode_vote_request_v0, encode_vote_request_v0),
    (VoteRequest, 1): (decode_vote_request_v1, encode_vote_request_v1),
    (VoteRequest, 2): (decode_vote_request_v2, encode_vote_request_v2),
    (VoteResponse, 0): (decode_vote_response_v0, encode_vote_response_v0),
    (VoteResponse, 1): (decode_vote_response_v1, encode_vote_response_v1),
    (VoteResponse, 2): (decode_vote_response_v1, encode_vote_response_v1),
    (BeginQuorumEpochRequest, 0): (decode_begin_quorum_epoch_request_v0, encode_begin_quorum_epoch_request_v0),
    (BeginQuorumEpochRequest, 1): (decode_begin_quorum_epoch_request_v1, encode_begin_quorum_epoch_request_v1),
    (BeginQuorumEpochResponse, 0): (decode_begin_quorum_epoch_response_v0, encode_begin_quorum_epoch_response_v0),
    (BeginQuorumEpochResponse, 1): (decode_begin_quorum_epoch_response_v1, encode_begin_quorum_epoch_response_v1),
    (EndQuorumEpochRequest, 0): (decode_end_quorum_epoch_request_v0, encode_end_quorum_epoch_request_v0),
    (EndQuorumEpochRequest, 1): (decode_end_quorum_epoch_request_v1, encode_end_quorum_epoch_request_v1),
    (EndQuorumEpochResponse, 0): (decode_end_quorum_epoch_response_v0, encode_end_quorum_epoch_response_v0),
    (EndQuorumEpochResponse, 1): (decode_end_quorum_epoch_response_v1, encode_end_quorum_epoch_response_v1),
    (DescribeQuorumRequest, 0): (decode_describe_quorum_request_v0, encode_describe_quorum_request_v0),
    (DescribeQuorumRequest, 1): (decode_describe_quorum_request_v0, encode_describe_quorum_request_v0),
    (DescribeQuorumRequest, 2): (decode_describe_quorum_request_v0, encode_describe_quorum_request_v0),
    (DescribeQuorumResponse, 0): (decode_describe_quorum_response_v0, encode_describe_quorum_response_v0),
    (DescribeQuorumResponse, 1): (decode_describe_quorum_response_v1, encode_describe_quorum_response_v1),
    (DescribeQuorumResponse, 2): (decode_describe_quorum_response_v2, encode_describe_quorum_response_v2),
    (UpdateFeaturesRequest, 0): (decode_update_features_request_v0, encode_update_features_request_v0),
    (UpdateFeaturesRequest, 1): (decode_update_features_request_v1, encode_update_features_request_v1),
    (UpdateFeaturesRequest, 2): (decode_update_features_request_v1, encode_update_features_request_v1),
    (UpdateFeaturesResponse, 0): (decode_update_features_response_v0, encode_update_features_response_v0),
    (UpdateFeaturesResponse, 1): (decode_update_features_response_v0, encode_update_features_response_v0),
    (UpdateFeaturesResponse, 2): (decode_update_features_response_v2, encode_update_features_response_v2),
    (FetchSnapshotRequest, 0): (decode_fetch_snapshot_request_v0, encode_fetch_snapshot_request_v0),
    (FetchSnapshotRequest, 1): (decode_fetch_snapshot_request_v1, encode_fetch_snapshot_request_v1),
    (FetchSnapshotResponse, 0): (decode_fetch_snapshot_response_v0, encode_fetch_snapshot_response_v0),
    (FetchSnapshotResponse, 1): (decode_fetch_snapshot_response_v1, encode_fetch_snapshot_response_v1),
    (DescribeClusterRequest, 0): (decode_describe_cluster_request_v0, encode_describe_cluster_request_v0),
    (DescribeClusterRequest, 1): (decode_describe_cluster_request_v1, encode_describe_cluster_request_v1),
    (DescribeClusterRequest, 2): (decode_describe_cluster_request_v2, encode_describe_cluster_request_v2),
    (DescribeClusterResponse, 0): (decode_describe_cluster_response_v0, encode_describe_cluster_response_v0),
    (DescribeClusterResponse, 1): (decode_describe_cluster_response_v1, encode_describe_cluster_response_v1),
    (DescribeClusterResponse, 2): (decode_describe_cluster_response_v2, encode_describe_cluster_response_v2),
    (BrokerRegistrationRequest, 0): (decode_broker_registration_request_v0, encode_broker_registration_request_v0),
    (BrokerRegistrationRequest, 1): (decode_broker_registration_request_v1, encode_broker_registration_request_v1),
    (BrokerRegistrationRequest, 2): (decode_broker_registration_request_v2, encode_broker_registration_request_v2),
    (BrokerRegistrationRequest, 3): (decode_broker_registration_request_v3, encode_broker_registration_request_v3),
    (BrokerRegistrationRequest, 4): (decode_broker_registration_request_v3, encode_broker_registration_request_v3),
    (BrokerRegistrationResponse, 0): (decode_broker_registration_response_v0, encode_broker_registration_response_v0),
    (BrokerRegistrationResponse, 1): (decode_broker_registration_response_v0, encode_broker_registration_response_v0),
    (BrokerRegistrationResponse, 2): (decode_broker_registration_response_v0, encode_broker_registration_response_v0),
    (BrokerRegistrationResponse, 3): (decode_broker_registration_response_v0, encode_broker_registration_response_v0),
    (BrokerRegistrationResponse, 4): (decode_broker_registration_response_v0, encode_broker_registration_response_v0),
    (BrokerHeartbeatRequest, 0): (decode_broker_heartbeat_request_v0, encode_broker_heartbeat_request_v0),
    (BrokerHeartbeatRequest, 1): (decode_broker_heartbeat_request_v1, encode_broker_heartbeat_request_v1),
    (BrokerHeartbeatRequest, 2): (decode_broker_heartbeat_request_v2, encode_broker_heartbeat_request_v2),
    (BrokerHeartbeatResponse, 0): (decode_broker_heartbeat_response_v0, encode_broker_heartbeat_response_v0),
    (BrokerHeartbeatResponse, 1): (decode_broker_heartbeat_response_v0, encode_broker_heartbeat_response_v0),
    (BrokerHeartbeatResponse, 2): (decode_broker_heartbeat_response_v0, encode_broker_heartbeat_response_v0),
    (UnregisterBrokerRequest, 0): (decode_unregister_broker_request_v0, encode_unregister_broker_request_v0),
    (UnregisterBrokerResponse, 0): (decode_unregister_broker_response_v0, encode_unregister_broker_response_v0),
    (ControllerRegistrationRequest, 0): (decode_controller_registration_request_v0, encode_controller_registration_request_v0),
    (ControllerRegistrationResponse, 0): (decode_controller_registration_response_v0, encode_controller_registration_response_v0),
    (AddRaftVoterRequest, 0): (decode_add_raft_voter_request_v0, encode_add_raft_voter_request_v0),
    (AddRaftVoterRequest, 1): (decode_add_raft_voter_request_v1, encode_add_raft_voter_request_v1),
    (AddRaftVoterResponse, 0): (decode_add_raft_voter_response_v0, encode_add_raft_voter_response_v0),
    (AddRaftVoterResponse, 1): (decode_add_raft_voter_response_v0, encode_add_raft_voter_response_v0),
    (RemoveRaftVoterRequest, 0): (decode_remove_raft_voter_request_v0, encode_remove_raft_voter_request_v0),
    (RemoveRaftVoterResponse, 0): (decode_remove_raft_voter_response_v0, encode_remove_raft_voter_response_v0),
    (UpdateRaftVoterRequest, 0): (decode_update_raft_voter_request_v0, encode_update_raft_voter_request_v0),
    (UpdateRaftVoterResponse, 0): (decode_update_raft_voter_response_v0, encode_update_raft_voter_response_v0),
}
"""The decoder and the encoder of every message and version."""

MESSAGES: Final[tuple[type[Message], ...]] = (
    RequestHeader,
    ResponseHeader,
    FetchRequest,
    FetchResponse,
    ApiVersionsRequest,
    ApiVersionsResponse,
    DescribeConfigsRequest,
    DescribeConfigsResponse,
    AlterConfigsRequest,
    AlterConfigsResponse,
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
