"""Generated from ``proto/kafka/rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from collections.abc import Sequence
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
class DefaultPrincipalData(Message):
    """Kafka's DefaultPrincipalData, versions 0 to 0.

    The principal of a client whose request a broker forwards.

    Attributes:
        type: The type of the principal.
        name: The name of the principal.
        token_authenticated: Whether the client authenticated itself with a delegation token.
    """

    NAME: ClassVar[str] = "DefaultPrincipalData"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    type: str = ""
    name: str = ""
    token_authenticated: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RequestHeader(Message):
    """Kafka's RequestHeader, versions 0 to 2.

    Precedes each request.

    Attributes:
        request_api_key: The API of the request.
        request_api_version: The version of the request.
        correlation_id: A number that the response repeats, so that the sender finds its request.
        client_id: A name for the sender, for logs and quotas.
    """

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
    """Kafka's ResponseHeader, versions 0 to 1.

    Precedes each response.

    Attributes:
        correlation_id: A number that the response repeats, so that the sender finds its request.
    """

    NAME: ClassVar[str] = "ResponseHeader"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    correlation_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestReplicaState(MessageStruct):
    """A ReplicaState inside FetchRequest.

    Attributes:
        replica_id: The node id of the follower; -1 for a consumer.
        replica_epoch: The epoch of the follower; -1 when it has none.
    """

    replica_id: int = -1
    replica_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestFetchPartition(MessageStruct):
    """A FetchPartition inside FetchRequest.

    Attributes:
        partition: The number of the partition.
        current_leader_epoch: The leader epoch that the sender knows.
        fetch_offset: The offset from which records are wanted: the follower's log end offset.
        last_fetched_epoch: The epoch of the last record before the fetch offset, by which the leader sees a divergence.
        log_start_offset: The first offset of the follower's log; -1 for a consumer.
        partition_max_bytes: How many bytes of this partition are wanted at most.
        replica_directory_id: The directory id of the replica.
        high_watermark: The high watermark that the follower knows; the largest int64 when it does not tell.
        probation_node_id: The node id of a fetcher on probation, which is not counted as a replica yet. Ours.
        probation_directory_id: The directory id of a fetcher on probation. Ours.
        state_end_offset: The offset at which the fetcher made the digest of its state; -1 when there is none. Ours.
        state_digest: The digest of the fetcher's state at that offset. Ours.
    """

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
    """A FetchTopic inside FetchRequest.

    Attributes:
        topic: The name of the topic.
        topic_id: The id of the topic.
        partitions: The partitions of the topic.
    """

    topic: str = ""
    topic_id: bytes = ZERO_UUID
    partitions: list[FetchRequestFetchPartition] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequestForgottenTopic(MessageStruct):
    """A ForgottenTopic inside FetchRequest.

    Attributes:
        topic: The name of the topic.
        topic_id: The id of the topic.
        partitions: The numbers of the partitions.
    """

    topic: str = ""
    topic_id: bytes = ZERO_UUID
    partitions: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchRequest(Message):
    """Kafka's FetchRequest, versions 4 to 18.

    Asks the leader for records after an offset, and reports the follower's log end offset by that.

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        replica_id: The node id of the follower; -1 for a consumer.
        replica_state: Which replica fetches.
        max_wait_ms: How long the response may wait for records, in ms.
        min_bytes: For how many bytes the response may wait.
        max_bytes: How many bytes are wanted at most.
        isolation_level: 0 reads all records, 1 those of committed transactions only. Unused in the metadata log.
        session_id: The fetch session; 0 when there is none.
        session_epoch: The epoch of the fetch session; -1 when there is none.
        topics: The topics. Between controllers it is always the metadata log's.
        forgotten_topics_data: What the fetch session no longer follows.
        rack_id: The rack of the consumer.
    """

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
    """A EpochEndOffset inside FetchResponse.

    Attributes:
        epoch: The leader epoch.
        end_offset: The offset after the last record of that epoch.
    """

    epoch: int = -1
    end_offset: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseLeaderIdAndEpoch(MessageStruct):
    """A LeaderIdAndEpoch inside FetchResponse.

    Attributes:
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
    """

    leader_id: int = -1
    leader_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseSnapshotId(MessageStruct):
    """A SnapshotId inside FetchResponse.

    Attributes:
        end_offset: The offset after the last record.
        epoch: The leader epoch.
    """

    end_offset: int = -1
    epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseAbortedTransaction(MessageStruct):
    """A AbortedTransaction inside FetchResponse.

    Attributes:
        producer_id: The producer of the transaction.
        first_offset: The first offset of the transaction.
    """

    producer_id: int = 0
    first_offset: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponsePartitionData(MessageStruct):
    """A PartitionData inside FetchResponse.

    Attributes:
        partition_index: The number of the partition.
        error_code: The error, as Kafka numbers them; 0 for none.
        high_watermark: The high watermark.
        last_stable_offset: The first offset of the oldest open transaction. In the metadata log, the high watermark.
        log_start_offset: The first offset of the log.
        diverging_epoch: The largest epoch not above the follower's last one, and its end in the leader's log; set when
            the follower has to truncate.
        current_leader: The leader that the responder knows.
        snapshot_id: The snapshot that the follower has to fetch first.
        aborted_transactions: Transactions among the records that were aborted. Unused in the metadata log.
        preferred_read_replica: The replica that the consumer should read from. Unused in the metadata log.
        records: Record batches.
        registered_directory_id: The directory id that holds the fetcher's node id, when the fetcher is refused for
            another one. Ours.
        agreed_end_offset: The offset of a state digest on which a majority of the voters agrees; -1 when there is none.
            Ours.
        agreed_digest: The state digest on which a majority of the voters agrees. Ours.
    """

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
    registered_directory_id: bytes = ZERO_UUID
    agreed_end_offset: int = -1
    agreed_digest: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseFetchableTopicResponse(MessageStruct):
    """A FetchableTopicResponse inside FetchResponse.

    Attributes:
        topic: The name of the topic.
        topic_id: The id of the topic.
        partitions: The partitions of the topic.
    """

    topic: str = ""
    topic_id: bytes = ZERO_UUID
    partitions: list[FetchResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside FetchResponse.

    Attributes:
        node_id: The node id.
        host: The host name or address.
        port: The TCP port.
        rack: The rack of the broker; null when it has none.
    """

    node_id: int = 0
    host: str = ""
    port: int = 0
    rack: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchResponse(Message):
    """Kafka's FetchResponse, versions 4 to 18.

    Records, or where the log diverges, or the snapshot to fetch.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error of the whole request, as Kafka numbers them; 0 for none.
        session_id: The fetch session; 0 when there is none.
        responses: A response for each item of the request.
        node_endpoints: Where the nodes that the response names can be reached.
    """

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
class SaslHandshakeRequest(Message):
    """Kafka's SaslHandshakeRequest, versions 0 to 1.

    Chooses the SASL mechanism of a connection. After version 0, tokens are sent without headers.

    Attributes:
        mechanism: The mechanism that the client chooses.
    """

    NAME: ClassVar[str] = "SaslHandshakeRequest"
    API_KEY: ClassVar[int] = 17
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    mechanism: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class SaslHandshakeResponse(Message):
    """Kafka's SaslHandshakeResponse, versions 0 to 1.

    Accepts a mechanism, or names those that the listener offers.

    Attributes:
        error_code: The error code, or 0 if there was no error.
        mechanisms: The mechanisms that the listener offers.
    """

    NAME: ClassVar[str] = "SaslHandshakeResponse"
    API_KEY: ClassVar[int] = 17
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    error_code: int = 0
    mechanisms: list[str] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsRequest(Message):
    """Kafka's ApiVersionsRequest, versions 0 to 4.

    Asks which APIs a node speaks, in which versions.

    Attributes:
        client_software_name: The name of the client's software.
        client_software_version: The version of the client's software.
    """

    NAME: ClassVar[str] = "ApiVersionsRequest"
    API_KEY: ClassVar[int] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    client_software_name: str = ""
    client_software_version: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponseApiVersion(MessageStruct):
    """A ApiVersion inside ApiVersionsResponse.

    Attributes:
        api_key: The API.
        min_version: The lowest version.
        max_version: The highest version.
    """

    api_key: int = 0
    min_version: int = 0
    max_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponseSupportedFeatureKey(MessageStruct):
    """A SupportedFeatureKey inside ApiVersionsResponse.

    Attributes:
        name: The name of the feature.
        min_version: The lowest supported level.
        max_version: The highest supported level.
    """

    name: str = ""
    min_version: int = 0
    max_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponseFinalizedFeatureKey(MessageStruct):
    """A FinalizedFeatureKey inside ApiVersionsResponse.

    Attributes:
        name: The name of the feature.
        max_version_level: The highest finalized level.
        min_version_level: The lowest finalized level.
    """

    name: str = ""
    max_version_level: int = 0
    min_version_level: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ApiVersionsResponse(Message):
    """Kafka's ApiVersionsResponse, versions 0 to 4.

    The APIs of a node and their versions, and the features of the cluster.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        api_keys: The APIs that the node serves.
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        supported_features: The features that the node supports.
        finalized_features_epoch: The offset up to which the finalized features are known; -1 when it is not.
        finalized_features: The features that are finalized in the cluster.
        zk_migration_ready: Whether the controller could take part in a migration from ZooKeeper. Read, never set.
    """

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
    """A CreatableReplicaAssignment inside CreateTopicsRequest.

    Attributes:
        partition_index: The number of the partition.
        broker_ids: The broker ids of the replicas, the preferred leader first.
    """

    partition_index: int = 0
    broker_ids: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequestCreatableTopicConfig(MessageStruct):
    """A CreatableTopicConfig inside CreateTopicsRequest.

    Attributes:
        name: The config key.
        value: The value.
    """

    name: str = ""
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequestCreatableTopic(MessageStruct):
    """A CreatableTopic inside CreateTopicsRequest.

    Attributes:
        name: The name of the topic.
        num_partitions: The number of partitions; -1 for the default.
        replication_factor: The number of replicas of each partition; -1 for the default.
        assignments: The replicas of each partition; empty or null lets the controller place them.
        configs: The config keys and values.
    """

    name: str = ""
    num_partitions: int = 0
    replication_factor: int = 0
    assignments: list[CreateTopicsRequestCreatableReplicaAssignment] = field(default_factory=list)
    configs: list[CreateTopicsRequestCreatableTopicConfig] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsRequest(Message):
    """Kafka's CreateTopicsRequest, versions 2 to 7.

    Creates topics.

    Attributes:
        topics: The topics to create.
        timeout_ms: How long to wait for the result, in ms.
        validate_only: Whether the request is checked and nothing is changed.
    """

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
    """A CreatableTopicConfigs inside CreateTopicsResponse.

    Attributes:
        name: The config key.
        value: The value; null when it is a secret.
        read_only: Whether the key cannot be changed at run time.
        config_source: Where the value in force comes from, as Kafka numbers sources.
        is_sensitive: Whether the value is a secret, which is not shown.
    """

    name: str = ""
    value: str | None = ""
    read_only: bool = False
    config_source: int = -1
    is_sensitive: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateTopicsResponseCreatableTopicResult(MessageStruct):
    """A CreatableTopicResult inside CreateTopicsResponse.

    Attributes:
        name: The name of the topic.
        topic_id: The id of the topic.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        topic_config_error_code: The error because of which the configs are left out; 0 for none.
        num_partitions: The number of partitions; -1 when the topic was not created.
        replication_factor: The number of replicas of each partition; -1 when the topic was not created.
        configs: The configs of the topic; null when they are left out.
    """

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
    """Kafka's CreateTopicsResponse, versions 2 to 7.

    The result for each topic.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        topics: A result for each topic.
    """

    NAME: ClassVar[str] = "CreateTopicsResponse"
    API_KEY: ClassVar[int] = 19
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 7
    throttle_time_ms: int = 0
    topics: list[CreateTopicsResponseCreatableTopicResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsRequestDeleteTopicState(MessageStruct):
    """A DeleteTopicState inside DeleteTopicsRequest.

    Attributes:
        name: The name of the topic; null when it is named by its id.
        topic_id: The id of the topic; zeros when it is named by its name.
    """

    name: str | None = None
    topic_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsRequest(Message):
    """Kafka's DeleteTopicsRequest, versions 1 to 6.

    Deletes topics, by name or by id.

    Attributes:
        topics: The topics to delete, by name or by id.
        topic_names: The names of the topics.
        timeout_ms: How long the request may take, in ms.
    """

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
    """A DeletableTopicResult inside DeleteTopicsResponse.

    Attributes:
        name: The name of the topic; null when only its id is known.
        topic_id: The id of the topic.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    name: str | None = ""
    topic_id: bytes = ZERO_UUID
    error_code: int = 0
    error_message: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteTopicsResponse(Message):
    """Kafka's DeleteTopicsResponse, versions 1 to 6.

    The result for each topic.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        responses: A response for each item of the request.
    """

    NAME: ClassVar[str] = "DeleteTopicsResponse"
    API_KEY: ClassVar[int] = 20
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 6
    throttle_time_ms: int = 0
    responses: list[DeleteTopicsResponseDeletableTopicResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeAclsRequest(Message):
    """Kafka's DescribeAclsRequest, versions 1 to 3.

    Finds the access control entries that match a filter.

    Attributes:
        resource_type_filter: The type of the resource; 1 for any.
        resource_name_filter: The name of the resource; null for any.
        pattern_type_filter: How the name is compared: 1 any, 2 all patterns that match the name, 3 literal, 4 prefixed.
        principal_filter: The principal; null for any.
        host_filter: The host; null for any.
        operation: The operation, as Kafka numbers them.
        permission_type: What the entry does: 2 denies, 3 allows.
    """

    NAME: ClassVar[str] = "DescribeAclsRequest"
    API_KEY: ClassVar[int] = 29
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    resource_type_filter: int = 0
    resource_name_filter: str | None = ""
    pattern_type_filter: int = 3
    principal_filter: str | None = ""
    host_filter: str | None = ""
    operation: int = 0
    permission_type: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeAclsResponseAclDescription(MessageStruct):
    """A AclDescription inside DescribeAclsResponse.

    Attributes:
        principal: The principal, as type:name.
        host: The address of the client; * for all.
        operation: The operation, as Kafka numbers them.
        permission_type: What the entry does: 2 denies, 3 allows.
    """

    principal: str = ""
    host: str = ""
    operation: int = 0
    permission_type: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeAclsResponseDescribeAclsResource(MessageStruct):
    """A DescribeAclsResource inside DescribeAclsResponse.

    Attributes:
        resource_type: The type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7
            user.
        resource_name: The name of the resource, or a prefix of it; * names all when the pattern is literal.
        pattern_type: How the name is compared: 3 literal, 4 prefixed.
        acls: The entries of the resource.
    """

    resource_type: int = 0
    resource_name: str = ""
    pattern_type: int = 3
    acls: list[DescribeAclsResponseAclDescription] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeAclsResponse(Message):
    """Kafka's DescribeAclsResponse, versions 1 to 3.

    The entries that match, by resource.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        resources: Each resource that has a matching entry.
    """

    NAME: ClassVar[str] = "DescribeAclsResponse"
    API_KEY: ClassVar[int] = 29
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    resources: list[DescribeAclsResponseDescribeAclsResource] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateAclsRequestAclCreation(MessageStruct):
    """A AclCreation inside CreateAclsRequest.

    Attributes:
        resource_type: The type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7
            user.
        resource_name: The name of the resource, or a prefix of it; * names all when the pattern is literal.
        resource_pattern_type: How the name is compared: 3 literal, 4 prefixed.
        principal: The principal, as type:name.
        host: The address of the client; * for all.
        operation: The operation, as Kafka numbers them.
        permission_type: What the entry does: 2 denies, 3 allows.
    """

    resource_type: int = 0
    resource_name: str = ""
    resource_pattern_type: int = 3
    principal: str = ""
    host: str = ""
    operation: int = 0
    permission_type: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateAclsRequest(Message):
    """Kafka's CreateAclsRequest, versions 1 to 3.

    Creates access control entries.

    Attributes:
        creations: The entries to create.
    """

    NAME: ClassVar[str] = "CreateAclsRequest"
    API_KEY: ClassVar[int] = 30
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    creations: list[CreateAclsRequestAclCreation] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateAclsResponseAclCreationResult(MessageStruct):
    """A AclCreationResult inside CreateAclsResponse.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateAclsResponse(Message):
    """Kafka's CreateAclsResponse, versions 1 to 3.

    The result for each entry.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        results: A result for each entry, in the order of the request.
    """

    NAME: ClassVar[str] = "CreateAclsResponse"
    API_KEY: ClassVar[int] = 30
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    throttle_time_ms: int = 0
    results: list[CreateAclsResponseAclCreationResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteAclsRequestDeleteAclsFilter(MessageStruct):
    """A DeleteAclsFilter inside DeleteAclsRequest.

    Attributes:
        resource_type_filter: The type of the resource; 1 for any.
        resource_name_filter: The name of the resource; null for any.
        pattern_type_filter: How the name is compared: 1 any, 2 all patterns that match the name, 3 literal, 4 prefixed.
        principal_filter: The principal; null for any.
        host_filter: The host; null for any.
        operation: The operation, as Kafka numbers them.
        permission_type: What the entry does: 2 denies, 3 allows.
    """

    resource_type_filter: int = 0
    resource_name_filter: str | None = ""
    pattern_type_filter: int = 3
    principal_filter: str | None = ""
    host_filter: str | None = ""
    operation: int = 0
    permission_type: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteAclsRequest(Message):
    """Kafka's DeleteAclsRequest, versions 1 to 3.

    Deletes the access control entries that match filters.

    Attributes:
        filters: The filters.
    """

    NAME: ClassVar[str] = "DeleteAclsRequest"
    API_KEY: ClassVar[int] = 31
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    filters: list[DeleteAclsRequestDeleteAclsFilter] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteAclsResponseDeleteAclsMatchingAcl(MessageStruct):
    """A DeleteAclsMatchingAcl inside DeleteAclsResponse.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        resource_type: The type of the resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7
            user.
        resource_name: The name of the resource, or a prefix of it; * names all when the pattern is literal.
        pattern_type: How the name is compared: 3 literal, 4 prefixed.
        principal: The principal, as type:name.
        host: The address of the client; * for all.
        operation: The operation, as Kafka numbers them.
        permission_type: What the entry does: 2 denies, 3 allows.
    """

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    pattern_type: int = 3
    principal: str = ""
    host: str = ""
    operation: int = 0
    permission_type: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteAclsResponseDeleteAclsFilterResult(MessageStruct):
    """A DeleteAclsFilterResult inside DeleteAclsResponse.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        matching_acls: The entries that the filter matched.
    """

    error_code: int = 0
    error_message: str | None = ""
    matching_acls: list[DeleteAclsResponseDeleteAclsMatchingAcl] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DeleteAclsResponse(Message):
    """Kafka's DeleteAclsResponse, versions 1 to 3.

    What each filter matched.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        filter_results: A result for each filter, in the order of the request.
    """

    NAME: ClassVar[str] = "DeleteAclsResponse"
    API_KEY: ClassVar[int] = 31
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    throttle_time_ms: int = 0
    filter_results: list[DeleteAclsResponseDeleteAclsFilterResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsRequestDescribeConfigsResource(MessageStruct):
    """A DescribeConfigsResource inside DescribeConfigsRequest.

    Attributes:
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
        configuration_keys: The wanted keys; null for all.
    """

    resource_type: int = 0
    resource_name: str = ""
    configuration_keys: list[str] | None = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsRequest(Message):
    """Kafka's DescribeConfigsRequest, versions 1 to 4.

    Asks for the configs of resources.

    Attributes:
        resources: The resources.
        include_synonyms: Whether every source of a value is wanted, and not the one in force only.
        include_documentation: Whether the text about each key is wanted.
    """

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
    """A DescribeConfigsSynonym inside DescribeConfigsResponse.

    Attributes:
        name: The config key from which the value comes.
        value: The value; null when it is a secret.
        source: Where the value comes from, as Kafka numbers sources.
    """

    name: str = ""
    value: str | None = ""
    source: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsResponseDescribeConfigsResourceResult(MessageStruct):
    """A DescribeConfigsResourceResult inside DescribeConfigsResponse.

    Attributes:
        name: The config key.
        value: The value; null when it is a secret.
        read_only: Whether the key cannot be changed at run time.
        config_source: Where the value in force comes from, as Kafka numbers sources.
        is_sensitive: Whether the value is a secret, which is not shown.
        synonyms: All values of the key, the one in force first.
        config_type: The type of the value, as Kafka numbers types.
        documentation: A text about the key; null when there is none.
    """

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
    """A DescribeConfigsResult inside DescribeConfigsResponse.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
        configs: The config keys and values.
    """

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    configs: list[DescribeConfigsResponseDescribeConfigsResourceResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeConfigsResponse(Message):
    """Kafka's DescribeConfigsResponse, versions 1 to 4.

    The configs of resources.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        results: A result for each item of the request.
    """

    NAME: ClassVar[str] = "DescribeConfigsResponse"
    API_KEY: ClassVar[int] = 32
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 4
    throttle_time_ms: int = 0
    results: list[DescribeConfigsResponseDescribeConfigsResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsRequestAlterableConfig(MessageStruct):
    """A AlterableConfig inside AlterConfigsRequest.

    Attributes:
        name: The config key.
        value: The value; null is refused.
    """

    name: str = ""
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsRequestAlterConfigsResource(MessageStruct):
    """A AlterConfigsResource inside AlterConfigsRequest.

    Attributes:
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
        configs: The config keys and values.
    """

    resource_type: int = 0
    resource_name: str = ""
    configs: list[AlterConfigsRequestAlterableConfig] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsRequest(Message):
    """Kafka's AlterConfigsRequest, versions 0 to 2.

    Replaces all configs of resources.

    Attributes:
        resources: The resources.
        validate_only: Whether the request is checked and nothing is changed.
    """

    NAME: ClassVar[str] = "AlterConfigsRequest"
    API_KEY: ClassVar[int] = 33
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    resources: list[AlterConfigsRequestAlterConfigsResource] = field(default_factory=list)
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsResponseAlterConfigsResourceResponse(MessageStruct):
    """A AlterConfigsResourceResponse inside AlterConfigsResponse.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
    """

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterConfigsResponse(Message):
    """Kafka's AlterConfigsResponse, versions 0 to 2.

    The result for each resource.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        responses: A response for each item of the request.
    """

    NAME: ClassVar[str] = "AlterConfigsResponse"
    API_KEY: ClassVar[int] = 33
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    throttle_time_ms: int = 0
    responses: list[AlterConfigsResponseAlterConfigsResourceResponse] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class SaslAuthenticateRequest(Message):
    """Kafka's SaslAuthenticateRequest, versions 0 to 2.

    Carries one message of a SASL mechanism from the client.

    Attributes:
        auth_bytes: The message, as the mechanism defines it.
    """

    NAME: ClassVar[str] = "SaslAuthenticateRequest"
    API_KEY: ClassVar[int] = 36
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    auth_bytes: bytes = b""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class SaslAuthenticateResponse(Message):
    """Kafka's SaslAuthenticateResponse, versions 0 to 2.

    Carries one message of a SASL mechanism from the server; the last one says how long the session lasts.

    Attributes:
        error_code: The error code, or 0 if there was no error.
        error_message: The error message, or null if there was no error.
        auth_bytes: The message, as the mechanism defines it.
        session_lifetime_ms: After how many milliseconds the client has to authenticate itself again; 0 for never.
    """

    NAME: ClassVar[str] = "SaslAuthenticateResponse"
    API_KEY: ClassVar[int] = 36
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    error_code: int = 0
    error_message: str | None = ""
    auth_bytes: bytes = b""
    session_lifetime_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsRequestCreatePartitionsAssignment(MessageStruct):
    """A CreatePartitionsAssignment inside CreatePartitionsRequest.

    Attributes:
        broker_ids: The broker ids of the replicas, the preferred leader first.
    """

    broker_ids: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsRequestCreatePartitionsTopic(MessageStruct):
    """A CreatePartitionsTopic inside CreatePartitionsRequest.

    Attributes:
        name: The name of the topic.
        count: The number of partitions that the topic is to have, with those that it has.
        assignments: The replicas of each new partition; null lets the controller place them.
    """

    name: str = ""
    count: int = 0
    assignments: list[CreatePartitionsRequestCreatePartitionsAssignment] | None = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsRequest(Message):
    """Kafka's CreatePartitionsRequest, versions 0 to 3.

    Adds partitions to topics.

    Attributes:
        topics: The topics to which partitions are added.
        timeout_ms: How long the request may take, in ms.
        validate_only: Whether the request is checked and nothing is changed.
    """

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
    """A CreatePartitionsTopicResult inside CreatePartitionsResponse.

    Attributes:
        name: The name of the topic.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    name: str = ""
    error_code: int = 0
    error_message: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreatePartitionsResponse(Message):
    """Kafka's CreatePartitionsResponse, versions 0 to 3.

    The result for each topic.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        results: A result for each item of the request.
    """

    NAME: ClassVar[str] = "CreatePartitionsResponse"
    API_KEY: ClassVar[int] = 37
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    throttle_time_ms: int = 0
    results: list[CreatePartitionsResponseCreatePartitionsTopicResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateDelegationTokenRequestCreatableRenewers(MessageStruct):
    """A CreatableRenewers inside CreateDelegationTokenRequest.

    Attributes:
        principal_type: The type of the principal: User.
        principal_name: The name of the principal.
    """

    principal_type: str = ""
    principal_name: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateDelegationTokenRequest(Message):
    """Kafka's CreateDelegationTokenRequest, versions 1 to 3.

    Creates a delegation token.

    Attributes:
        owner_principal_type: The type of the owner's principal; null when the requester is the owner.
        owner_principal_name: The name of the owner's principal; null or empty when the requester is the owner.
        renewers: The principals that may renew the token, besides its owner.
        max_lifetime_ms: How long the token may be renewed, in milliseconds; -1 for delegation.token.max.lifetime.ms.
    """

    NAME: ClassVar[str] = "CreateDelegationTokenRequest"
    API_KEY: ClassVar[int] = 38
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    owner_principal_type: str | None = ""
    owner_principal_name: str | None = ""
    renewers: list[CreateDelegationTokenRequestCreatableRenewers] = field(default_factory=list)
    max_lifetime_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class CreateDelegationTokenResponse(Message):
    """Kafka's CreateDelegationTokenResponse, versions 1 to 3.

    The response to CreateDelegationToken.

    Attributes:
        error_code: The error, 0 for none.
        principal_type: The type of the owner's principal.
        principal_name: The name of the owner's principal.
        token_requester_principal_type: The type of the requester's principal.
        token_requester_principal_name: The name of the requester's principal.
        issue_timestamp_ms: When the token was created.
        expiry_timestamp_ms: When the token expires unless it is renewed.
        max_timestamp_ms: When the token expires even if it is renewed.
        token_id: The id of the token.
        hmac: The HMAC of the token, which is its secret.
        throttle_time_ms: How long the client should wait, in milliseconds.
    """

    NAME: ClassVar[str] = "CreateDelegationTokenResponse"
    API_KEY: ClassVar[int] = 38
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    error_code: int = 0
    principal_type: str = ""
    principal_name: str = ""
    token_requester_principal_type: str = ""
    token_requester_principal_name: str = ""
    issue_timestamp_ms: int = 0
    expiry_timestamp_ms: int = 0
    max_timestamp_ms: int = 0
    token_id: str = ""
    hmac: bytes = b""
    throttle_time_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RenewDelegationTokenRequest(Message):
    """Kafka's RenewDelegationTokenRequest, versions 1 to 2.

    Renews a delegation token.

    Attributes:
        hmac: The HMAC of the token.
        renew_period_ms: How long the token is valid from now on, in milliseconds; -1 for
            delegation.token.expiry.time.ms.
    """

    NAME: ClassVar[str] = "RenewDelegationTokenRequest"
    API_KEY: ClassVar[int] = 39
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    hmac: bytes = b""
    renew_period_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class RenewDelegationTokenResponse(Message):
    """Kafka's RenewDelegationTokenResponse, versions 1 to 2.

    The response to RenewDelegationToken.

    Attributes:
        error_code: The error, 0 for none.
        expiry_timestamp_ms: When the token expires.
        throttle_time_ms: How long the client should wait, in milliseconds.
    """

    NAME: ClassVar[str] = "RenewDelegationTokenResponse"
    API_KEY: ClassVar[int] = 39
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    error_code: int = 0
    expiry_timestamp_ms: int = 0
    throttle_time_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ExpireDelegationTokenRequest(Message):
    """Kafka's ExpireDelegationTokenRequest, versions 1 to 2.

    Changes when a delegation token expires, or deletes it.

    Attributes:
        hmac: The HMAC of the token.
        expiry_time_period_ms: How long the token is valid from now on, in milliseconds; a negative number deletes it.
    """

    NAME: ClassVar[str] = "ExpireDelegationTokenRequest"
    API_KEY: ClassVar[int] = 40
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    hmac: bytes = b""
    expiry_time_period_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ExpireDelegationTokenResponse(Message):
    """Kafka's ExpireDelegationTokenResponse, versions 1 to 2.

    The response to ExpireDelegationToken.

    Attributes:
        error_code: The error, 0 for none.
        expiry_timestamp_ms: When the token expires.
        throttle_time_ms: How long the client should wait, in milliseconds.
    """

    NAME: ClassVar[str] = "ExpireDelegationTokenResponse"
    API_KEY: ClassVar[int] = 40
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    error_code: int = 0
    expiry_timestamp_ms: int = 0
    throttle_time_ms: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ElectLeadersRequestTopicPartitions(MessageStruct):
    """A TopicPartitions inside ElectLeadersRequest.

    Attributes:
        topic: The name of the topic.
        partitions: The partitions in it.
    """

    topic: str = ""
    partitions: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ElectLeadersRequest(Message):
    """Kafka's ElectLeadersRequest, versions 0 to 2.

    Asks for elections of partition leaders.

    Attributes:
        election_type: 0 for preferred leaders, 1 for any live replica where there is no leader.
        topic_partitions: The partitions, or null for all of the cluster.
        timeout_ms: How long the request may take, in ms.
    """

    NAME: ClassVar[str] = "ElectLeadersRequest"
    API_KEY: ClassVar[int] = 43
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    election_type: int = 0
    topic_partitions: list[ElectLeadersRequestTopicPartitions] | None = field(default_factory=list)
    timeout_ms: int = 60000
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ElectLeadersResponsePartitionResult(MessageStruct):
    """A PartitionResult inside ElectLeadersResponse.

    Attributes:
        partition_id: The partition in its topic.
        error_code: The error of the partition, 0 for none.
        error_message: Why the election failed, or null.
    """

    partition_id: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ElectLeadersResponseReplicaElectionResult(MessageStruct):
    """A ReplicaElectionResult inside ElectLeadersResponse.

    Attributes:
        topic: The name of the topic.
        partition_result: The partitions; of all partitions, only those that needed an election.
    """

    topic: str = ""
    partition_result: list[ElectLeadersResponsePartitionResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ElectLeadersResponse(Message):
    """Kafka's ElectLeadersResponse, versions 0 to 2.

    The result for each election.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        error_code: The error of the request, 0 for none.
        replica_election_results: The topics.
    """

    NAME: ClassVar[str] = "ElectLeadersResponse"
    API_KEY: ClassVar[int] = 43
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    throttle_time_ms: int = 0
    error_code: int = 0
    replica_election_results: list[ElectLeadersResponseReplicaElectionResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsRequestAlterableConfig(MessageStruct):
    """A AlterableConfig inside IncrementalAlterConfigsRequest.

    Attributes:
        name: The config key.
        config_operation: What to do: 0 sets the value, 1 deletes the key, 2 appends to a list, 3 removes from a list.
        value: The value; null where the operation needs none.
    """

    name: str = ""
    config_operation: int = 0
    value: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsRequestAlterConfigsResource(MessageStruct):
    """A AlterConfigsResource inside IncrementalAlterConfigsRequest.

    Attributes:
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
        configs: The config keys and values.
    """

    resource_type: int = 0
    resource_name: str = ""
    configs: list[IncrementalAlterConfigsRequestAlterableConfig] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsRequest(Message):
    """Kafka's IncrementalAlterConfigsRequest, versions 0 to 1.

    Sets and deletes single config keys of resources.

    Attributes:
        resources: The resources.
        validate_only: Whether the request is checked and nothing is changed.
    """

    NAME: ClassVar[str] = "IncrementalAlterConfigsRequest"
    API_KEY: ClassVar[int] = 44
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    resources: list[IncrementalAlterConfigsRequestAlterConfigsResource] = field(default_factory=list)
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsResponseAlterConfigsResourceResponse(MessageStruct):
    """A AlterConfigsResourceResponse inside IncrementalAlterConfigsResponse.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        resource_type: The kind of resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_name: The name of the resource; empty for the default of all brokers.
    """

    error_code: int = 0
    error_message: str | None = ""
    resource_type: int = 0
    resource_name: str = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class IncrementalAlterConfigsResponse(Message):
    """Kafka's IncrementalAlterConfigsResponse, versions 0 to 1.

    The result for each resource.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        responses: A response for each item of the request.
    """

    NAME: ClassVar[str] = "IncrementalAlterConfigsResponse"
    API_KEY: ClassVar[int] = 44
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    throttle_time_ms: int = 0
    responses: list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionReassignmentsRequestReassignablePartition(MessageStruct):
    """A ReassignablePartition inside AlterPartitionReassignmentsRequest.

    Attributes:
        partition_index: The partition in its topic.
        replicas: The brokers that are to hold it, the preferred leader first; null cancels its reassignment.
    """

    partition_index: int = 0
    replicas: list[int] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionReassignmentsRequestReassignableTopic(MessageStruct):
    """A ReassignableTopic inside AlterPartitionReassignmentsRequest.

    Attributes:
        name: The name of the topic.
        partitions: The partitions.
    """

    name: str = ""
    partitions: list[AlterPartitionReassignmentsRequestReassignablePartition] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionReassignmentsRequest(Message):
    """Kafka's AlterPartitionReassignmentsRequest, versions 0 to 1.

    Moves replicas of partitions, or cancels moves.

    Attributes:
        timeout_ms: How long the request may take, in ms.
        allow_replication_factor_change: Whether a partition may get more or fewer replicas than it has.
        topics: The topics with partitions to reassign.
    """

    NAME: ClassVar[str] = "AlterPartitionReassignmentsRequest"
    API_KEY: ClassVar[int] = 45
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    timeout_ms: int = 60000
    allow_replication_factor_change: bool = True
    topics: list[AlterPartitionReassignmentsRequestReassignableTopic] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionReassignmentsResponseReassignablePartitionResponse(MessageStruct):
    """A ReassignablePartitionResponse inside AlterPartitionReassignmentsResponse.

    Attributes:
        partition_index: The partition in its topic.
        error_code: The error of the partition, 0 for none.
        error_message: Why the partition failed, or null.
    """

    partition_index: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionReassignmentsResponseReassignableTopicResponse(MessageStruct):
    """A ReassignableTopicResponse inside AlterPartitionReassignmentsResponse.

    Attributes:
        name: The name of the topic.
        partitions: The partitions in the order of the request.
    """

    name: str = ""
    partitions: list[AlterPartitionReassignmentsResponseReassignablePartitionResponse] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionReassignmentsResponse(Message):
    """Kafka's AlterPartitionReassignmentsResponse, versions 0 to 1.

    The result for each reassignment.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        allow_replication_factor_change: As in the request.
        error_code: The error of the request, 0 for none.
        error_message: Why the request failed, or null.
        responses: The topics in the order of the request.
    """

    NAME: ClassVar[str] = "AlterPartitionReassignmentsResponse"
    API_KEY: ClassVar[int] = 45
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    throttle_time_ms: int = 0
    allow_replication_factor_change: bool = True
    error_code: int = 0
    error_message: str | None = ""
    responses: list[AlterPartitionReassignmentsResponseReassignableTopicResponse] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ListPartitionReassignmentsRequestListPartitionReassignmentsTopics(MessageStruct):
    """A ListPartitionReassignmentsTopics inside ListPartitionReassignmentsRequest.

    Attributes:
        name: The name of the topic.
        partition_indexes: The partitions to look at.
    """

    name: str = ""
    partition_indexes: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ListPartitionReassignmentsRequest(Message):
    """Kafka's ListPartitionReassignmentsRequest, versions 0 to 0.

    Asks which partitions are being reassigned.

    Attributes:
        timeout_ms: How long the request may take, in ms.
        topics: The topics to look at, or null for all.
    """

    NAME: ClassVar[str] = "ListPartitionReassignmentsRequest"
    API_KEY: ClassVar[int] = 46
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    timeout_ms: int = 60000
    topics: list[ListPartitionReassignmentsRequestListPartitionReassignmentsTopics] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ListPartitionReassignmentsResponseOngoingPartitionReassignment(MessageStruct):
    """A OngoingPartitionReassignment inside ListPartitionReassignmentsResponse.

    Attributes:
        partition_index: The partition in its topic.
        replicas: All replicas, those that come and those that go included.
        adding_replicas: The replicas that are being added.
        removing_replicas: The replicas that are being removed.
    """

    partition_index: int = 0
    replicas: list[int] = field(default_factory=list)
    adding_replicas: list[int] = field(default_factory=list)
    removing_replicas: list[int] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ListPartitionReassignmentsResponseOngoingTopicReassignment(MessageStruct):
    """A OngoingTopicReassignment inside ListPartitionReassignmentsResponse.

    Attributes:
        name: The name of the topic.
        partitions: The partitions.
    """

    name: str = ""
    partitions: list[ListPartitionReassignmentsResponseOngoingPartitionReassignment] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ListPartitionReassignmentsResponse(Message):
    """Kafka's ListPartitionReassignmentsResponse, versions 0 to 0.

    The partitions that are being reassigned.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        error_code: The error of the request, 0 for none.
        error_message: Why the request failed, or null.
        topics: The topics that have such partitions.
    """

    NAME: ClassVar[str] = "ListPartitionReassignmentsResponse"
    API_KEY: ClassVar[int] = 46
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    topics: list[ListPartitionReassignmentsResponseOngoingTopicReassignment] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasRequestEntityData(MessageStruct):
    """A EntityData inside AlterClientQuotasRequest.

    Attributes:
        entity_type: The kind of entity: user, client-id or ip.
        entity_name: The name of the entity; null for the default of its kind.
    """

    entity_type: str = ""
    entity_name: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasRequestOpData(MessageStruct):
    """A OpData inside AlterClientQuotasRequest.

    Attributes:
        key: The quota, such as producer_byte_rate.
        value: The limit.
        remove: Whether the quota is removed.
    """

    key: str = ""
    value: float = 0.0
    remove: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasRequestEntryData(MessageStruct):
    """A EntryData inside AlterClientQuotasRequest.

    Attributes:
        entity: The entity, from one or two parts.
        ops: The changes.
    """

    entity: list[AlterClientQuotasRequestEntityData] = field(default_factory=list)
    ops: list[AlterClientQuotasRequestOpData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasRequest(Message):
    """Kafka's AlterClientQuotasRequest, versions 0 to 1.

    Changes client quotas.

    Attributes:
        entries: The entities whose quotas change.
        validate_only: Whether the request is checked and nothing is changed.
    """

    NAME: ClassVar[str] = "AlterClientQuotasRequest"
    API_KEY: ClassVar[int] = 49
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    entries: list[AlterClientQuotasRequestEntryData] = field(default_factory=list)
    validate_only: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasResponseEntityData(MessageStruct):
    """A EntityData inside AlterClientQuotasResponse.

    Attributes:
        entity_type: The kind of entity: user, client-id or ip.
        entity_name: The name of the entity; null for the default of its kind.
    """

    entity_type: str = ""
    entity_name: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasResponseEntryData(MessageStruct):
    """A EntryData inside AlterClientQuotasResponse.

    Attributes:
        error_code: The error of the entity, 0 for none.
        error_message: Why the entity failed, or null.
        entity: The entity, from one or two parts.
    """

    error_code: int = 0
    error_message: str | None = ""
    entity: list[AlterClientQuotasResponseEntityData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterClientQuotasResponse(Message):
    """Kafka's AlterClientQuotasResponse, versions 0 to 1.

    The result for each entity.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        entries: The entities in the order of the request.
    """

    NAME: ClassVar[str] = "AlterClientQuotasResponse"
    API_KEY: ClassVar[int] = 49
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    throttle_time_ms: int = 0
    entries: list[AlterClientQuotasResponseEntryData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterUserScramCredentialsRequestScramCredentialDeletion(MessageStruct):
    """A ScramCredentialDeletion inside AlterUserScramCredentialsRequest.

    Attributes:
        name: The name of the user.
        mechanism: The SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
    """

    name: str = ""
    mechanism: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterUserScramCredentialsRequestScramCredentialUpsertion(MessageStruct):
    """A ScramCredentialUpsertion inside AlterUserScramCredentialsRequest.

    Attributes:
        name: The name of the user.
        mechanism: The SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        iterations: How many times the password was hashed.
        salt: The salt of the credential.
        salted_password: The salted password (RFC 5802), which is as good as the password.
    """

    name: str = ""
    mechanism: int = 0
    iterations: int = 0
    salt: bytes = b""
    salted_password: bytes = b""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterUserScramCredentialsRequest(Message):
    """Kafka's AlterUserScramCredentialsRequest, versions 0 to 0.

    Deletes and sets SCRAM credentials of users.

    Attributes:
        deletions: The credentials to delete.
        upsertions: The credentials to set.
    """

    NAME: ClassVar[str] = "AlterUserScramCredentialsRequest"
    API_KEY: ClassVar[int] = 51
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    deletions: list[AlterUserScramCredentialsRequestScramCredentialDeletion] = field(default_factory=list)
    upsertions: list[AlterUserScramCredentialsRequestScramCredentialUpsertion] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterUserScramCredentialsResponseAlterUserScramCredentialsResult(MessageStruct):
    """A AlterUserScramCredentialsResult inside AlterUserScramCredentialsResponse.

    Attributes:
        user: The name of the user.
        error_code: The error of the user, 0 for none.
        error_message: Why the user failed, or null.
    """

    user: str = ""
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterUserScramCredentialsResponse(Message):
    """Kafka's AlterUserScramCredentialsResponse, versions 0 to 0.

    The result for each user.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        results: The users that the request names.
    """

    NAME: ClassVar[str] = "AlterUserScramCredentialsResponse"
    API_KEY: ClassVar[int] = 51
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    results: list[AlterUserScramCredentialsResponseAlterUserScramCredentialsResult] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteRequestPartitionData(MessageStruct):
    """A PartitionData inside VoteRequest.

    Attributes:
        partition_index: The number of the partition.
        replica_epoch: The epoch of the candidate.
        replica_id: The node id of the candidate.
        replica_directory_id: The directory id of the candidate.
        voter_directory_id: The directory id of the voter that is asked.
        last_offset_epoch: The epoch of the last record in the candidate's log.
        last_offset: The log end offset of the candidate.
        pre_vote: Whether this is a pre-vote, which changes no epoch.
        claimed_incarnation_id: The receiver's own incarnation id, when the candidate knows that no voter holds
            anything. Ours.
    """

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
    """A TopicData inside VoteRequest.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[VoteRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteRequest(Message):
    """Kafka's VoteRequest, versions 0 to 2.

    Asks a voter for its vote, or for its pre-vote (KIP-996).

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        voter_id: The node id of the voter that is asked.
        topics: The topics. Between controllers it is always the metadata log's.
    """

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
    """A PartitionData inside VoteResponse.

    Attributes:
        partition_index: The number of the partition.
        error_code: The error, as Kafka numbers them; 0 for none.
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
        vote_granted: Whether the vote was granted.
        incarnation_id: The incarnation id of a voter that holds no data. Ours.
        empty_for_ms: For how long the process of a voter without any data has run, in ms; -1 for one that holds data.
            Ours.
        recovering: Whether the voter recovers, so that its vote is not to be counted. Ours.
    """

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    vote_granted: bool = False
    incarnation_id: bytes = ZERO_UUID
    empty_for_ms: int = -1
    recovering: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponseTopicData(MessageStruct):
    """A TopicData inside VoteResponse.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[VoteResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside VoteResponse.

    Attributes:
        node_id: The node id.
        host: The host name or address.
        port: The TCP port.
    """

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VoteResponse(Message):
    """Kafka's VoteResponse, versions 0 to 2.

    The answer of a voter.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        topics: The topics. Between controllers it is always the metadata log's.
        node_endpoints: Where the nodes that the response names can be reached.
    """

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
    """A PartitionData inside BeginQuorumEpochRequest.

    Attributes:
        partition_index: The number of the partition.
        voter_directory_id: The directory id of the receiver.
        leader_id: The node id of the new leader.
        leader_epoch: The epoch of the leader.
    """

    partition_index: int = 0
    voter_directory_id: bytes = ZERO_UUID
    leader_id: int = 0
    leader_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequestTopicData(MessageStruct):
    """A TopicData inside BeginQuorumEpochRequest.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[BeginQuorumEpochRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequestLeaderEndpoint(MessageStruct):
    """A LeaderEndpoint inside BeginQuorumEpochRequest.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochRequest(Message):
    """Kafka's BeginQuorumEpochRequest, versions 0 to 1.

    A new leader announces itself to a voter.

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        voter_id: The node id of the receiver.
        topics: The topics. Between controllers it is always the metadata log's.
        leader_endpoints: The listeners of the leader.
    """

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
    """A PartitionData inside BeginQuorumEpochResponse.

    Attributes:
        partition_index: The number of the partition.
        error_code: The error, as Kafka numbers them; 0 for none.
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
        recovering: Whether the voter recovers, so that its vote is not to be counted. Ours.
        directory_id: The directory id of the voter that answers. Ours.
    """

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    recovering: bool = False
    directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponseTopicData(MessageStruct):
    """A TopicData inside BeginQuorumEpochResponse.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[BeginQuorumEpochResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside BeginQuorumEpochResponse.

    Attributes:
        node_id: The node id.
        host: The host name or address.
        port: The TCP port.
    """

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BeginQuorumEpochResponse(Message):
    """Kafka's BeginQuorumEpochResponse, versions 0 to 1.

    The answer to a leader's announcement.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        topics: The topics. Between controllers it is always the metadata log's.
        node_endpoints: Where the nodes that the response names can be reached.
    """

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
    """A ReplicaInfo inside EndQuorumEpochRequest.

    Attributes:
        candidate_id: The node id of the preferred candidate.
        candidate_directory_id: The directory id of the preferred candidate.
    """

    candidate_id: int = 0
    candidate_directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestPartitionData(MessageStruct):
    """A PartitionData inside EndQuorumEpochRequest.

    Attributes:
        partition_index: The number of the partition.
        leader_id: The node id of the leader that resigns.
        leader_epoch: The epoch of the leader that resigns.
        preferred_successors: The node ids of the voters that should become leader, best first.
        preferred_candidates: The voters that should become leader, best first.
    """

    partition_index: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    preferred_successors: list[int] = field(default_factory=list)
    preferred_candidates: list[EndQuorumEpochRequestReplicaInfo] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestTopicData(MessageStruct):
    """A TopicData inside EndQuorumEpochRequest.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[EndQuorumEpochRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequestLeaderEndpoint(MessageStruct):
    """A LeaderEndpoint inside EndQuorumEpochRequest.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochRequest(Message):
    """Kafka's EndQuorumEpochRequest, versions 0 to 1.

    A leader resigns and names its preferred successors.

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        topics: The topics. Between controllers it is always the metadata log's.
        leader_endpoints: The listeners of the leader.
    """

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
    """A PartitionData inside EndQuorumEpochResponse.

    Attributes:
        partition_index: The number of the partition.
        error_code: The error, as Kafka numbers them; 0 for none.
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
    """

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponseTopicData(MessageStruct):
    """A TopicData inside EndQuorumEpochResponse.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[EndQuorumEpochResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside EndQuorumEpochResponse.

    Attributes:
        node_id: The node id.
        host: The host name or address.
        port: The TCP port.
    """

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EndQuorumEpochResponse(Message):
    """Kafka's EndQuorumEpochResponse, versions 0 to 1.

    The answer to a leader's resignation.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        topics: The topics. Between controllers it is always the metadata log's.
        node_endpoints: Where the nodes that the response names can be reached.
    """

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
    """A PartitionData inside DescribeQuorumRequest.

    Attributes:
        partition_index: The number of the partition.
    """

    partition_index: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumRequestTopicData(MessageStruct):
    """A TopicData inside DescribeQuorumRequest.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[DescribeQuorumRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumRequest(Message):
    """Kafka's DescribeQuorumRequest, versions 0 to 2.

    Asks for the state of the quorum.

    Attributes:
        topics: The topics. Between controllers it is always the metadata log's.
    """

    NAME: ClassVar[str] = "DescribeQuorumRequest"
    API_KEY: ClassVar[int] = 55
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    topics: list[DescribeQuorumRequestTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseReplicaState(MessageStruct):
    """A ReplicaState inside DescribeQuorumResponse.

    Attributes:
        replica_id: The node id of the replica.
        replica_directory_id: The directory id of the replica.
        log_end_offset: The log end offset of the replica; -1 when it is not known.
        last_fetch_timestamp: When the replica last fetched, in ms since 1970; -1 when it is not known.
        last_caught_up_timestamp: When the replica last had the whole log of the leader, in ms since 1970; -1 when it is
            not known.
    """

    replica_id: int = 0
    replica_directory_id: bytes = ZERO_UUID
    log_end_offset: int = 0
    last_fetch_timestamp: int = -1
    last_caught_up_timestamp: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponsePartitionData(MessageStruct):
    """A PartitionData inside DescribeQuorumResponse.

    Attributes:
        partition_index: The number of the partition.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
        high_watermark: The high watermark.
        current_voters: The voters.
        observers: The replicas that fetch and are no voters.
    """

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
    """A TopicData inside DescribeQuorumResponse.

    Attributes:
        topic_name: The name of the topic.
        partitions: The partitions of the topic.
    """

    topic_name: str = ""
    partitions: list[DescribeQuorumResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseListener(MessageStruct):
    """A Listener inside DescribeQuorumResponse.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponseNode(MessageStruct):
    """A Node inside DescribeQuorumResponse.

    Attributes:
        node_id: The node id.
        listeners: The listeners on which the node can be reached.
    """

    node_id: int = 0
    listeners: list[DescribeQuorumResponseListener] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeQuorumResponse(Message):
    """Kafka's DescribeQuorumResponse, versions 0 to 2.

    The leader's view of the quorum.

    Attributes:
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        topics: The topics. Between controllers it is always the metadata log's.
        nodes: Where the replicas can be reached.
    """

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
class AlterPartitionRequestBrokerState(MessageStruct):
    """A BrokerState inside AlterPartitionRequest.

    Attributes:
        broker_id: The broker that holds the replica.
        broker_epoch: The epoch under which it fetched; -1 when that is unknown.
    """

    broker_id: int = 0
    broker_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionRequestPartitionData(MessageStruct):
    """A PartitionData inside AlterPartitionRequest.

    Attributes:
        partition_index: The partition in its topic.
        leader_epoch: The leader epoch in which the broker leads.
        new_isr: The replicas that are in sync, without the epochs of their brokers.
        new_isr_with_epochs: The replicas that are in sync.
        leader_recovery_state: 1 while the leader recovers from an unclean election, 0 otherwise.
        partition_epoch: The epoch of the partition that the change starts from.
    """

    partition_index: int = 0
    leader_epoch: int = 0
    new_isr: list[int] = field(default_factory=list)
    new_isr_with_epochs: list[AlterPartitionRequestBrokerState] = field(default_factory=list)
    leader_recovery_state: int = 0
    partition_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionRequestTopicData(MessageStruct):
    """A TopicData inside AlterPartitionRequest.

    Attributes:
        topic_id: The id of the topic.
        partitions: The partitions to alter.
    """

    topic_id: bytes = ZERO_UUID
    partitions: list[AlterPartitionRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionRequest(Message):
    """Kafka's AlterPartitionRequest, versions 2 to 3.

    A leader reports which replicas are in sync.

    Attributes:
        broker_id: The broker that leads these partitions.
        broker_epoch: The epoch of its registration.
        topics: The topics with partitions to alter.
    """

    NAME: ClassVar[str] = "AlterPartitionRequest"
    API_KEY: ClassVar[int] = 56
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 3
    broker_id: int = 0
    broker_epoch: int = -1
    topics: list[AlterPartitionRequestTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionResponsePartitionData(MessageStruct):
    """A PartitionData inside AlterPartitionResponse.

    Attributes:
        partition_index: The partition in its topic.
        error_code: The error of the partition, 0 for none.
        leader_id: The broker that leads the partition now, -1 for none.
        leader_epoch: The leader epoch.
        isr: The replicas in sync.
        leader_recovery_state: 1 while the leader recovers from an unclean election, 0 otherwise.
        partition_epoch: The epoch of the partition after the change.
    """

    partition_index: int = 0
    error_code: int = 0
    leader_id: int = 0
    leader_epoch: int = 0
    isr: list[int] = field(default_factory=list)
    leader_recovery_state: int = 0
    partition_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionResponseTopicData(MessageStruct):
    """A TopicData inside AlterPartitionResponse.

    Attributes:
        topic_id: The id of the topic.
        partitions: The partitions in the order of the request.
    """

    topic_id: bytes = ZERO_UUID
    partitions: list[AlterPartitionResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AlterPartitionResponse(Message):
    """Kafka's AlterPartitionResponse, versions 2 to 3.

    The registrations of altered partitions, or why they were not altered.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        error_code: The error of the request, 0 for none.
        topics: The topics in the order of the request.
    """

    NAME: ClassVar[str] = "AlterPartitionResponse"
    API_KEY: ClassVar[int] = 56
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 3
    throttle_time_ms: int = 0
    error_code: int = 0
    topics: list[AlterPartitionResponseTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesRequestFeatureUpdateKey(MessageStruct):
    """A FeatureUpdateKey inside UpdateFeaturesRequest.

    Attributes:
        feature: The name of the feature.
        max_version_level: The wanted level; 0 removes the feature.
        allow_downgrade: Whether a lower level is allowed.
        upgrade_type: 1 allows a higher level only, 2 a lower one that loses nothing, 3 any lower one.
    """

    feature: str = ""
    max_version_level: int = 0
    allow_downgrade: bool = False
    upgrade_type: int = 1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesRequest(Message):
    """Kafka's UpdateFeaturesRequest, versions 0 to 2.

    Finalizes features at other levels.

    Attributes:
        timeout_ms: How long to wait for the result, in ms.
        feature_updates: The wanted levels.
        validate_only: Whether the request is checked and nothing is changed.
    """

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
    """A UpdatableFeatureResult inside UpdateFeaturesResponse.

    Attributes:
        feature: The name of the feature.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    feature: str = ""
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateFeaturesResponse(Message):
    """Kafka's UpdateFeaturesResponse, versions 0 to 2.

    The result for the features.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error of the whole request, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        results: A result for each item of the request.
    """

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
class EnvelopeRequest(Message):
    """Kafka's EnvelopeRequest, versions 0 to 0.

    A broker forwards the request of a client.

    Attributes:
        request_data: The header and the body of the client's request.
        request_principal: The client's principal: a version, then DefaultPrincipalData.
        client_host_address: The client's IP address.
    """

    NAME: ClassVar[str] = "EnvelopeRequest"
    API_KEY: ClassVar[int] = 58
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    request_data: bytes = b""
    request_principal: bytes | None = b""
    client_host_address: bytes = b""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class EnvelopeResponse(Message):
    """Kafka's EnvelopeResponse, versions 0 to 0.

    The response to Envelope.

    Attributes:
        response_data: The header and the body of the response to the client's request; null on an error.
        error_code: Why the request was not handled, 0 when it was.
    """

    NAME: ClassVar[str] = "EnvelopeResponse"
    API_KEY: ClassVar[int] = 58
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    response_data: bytes | None = None
    error_code: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequestSnapshotId(MessageStruct):
    """A SnapshotId inside FetchSnapshotRequest.

    Attributes:
        end_offset: The offset after the last record.
        epoch: The leader epoch.
    """

    end_offset: int = 0
    epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequestPartitionSnapshot(MessageStruct):
    """A PartitionSnapshot inside FetchSnapshotRequest.

    Attributes:
        partition: The number of the partition.
        current_leader_epoch: The leader epoch that the sender knows.
        snapshot_id: The snapshot.
        position: The first byte that is wanted.
        replica_directory_id: The directory id of the follower.
    """

    partition: int = 0
    current_leader_epoch: int = 0
    snapshot_id: FetchSnapshotRequestSnapshotId = field(default_factory=FetchSnapshotRequestSnapshotId)
    position: int = 0
    replica_directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequestTopicSnapshot(MessageStruct):
    """A TopicSnapshot inside FetchSnapshotRequest.

    Attributes:
        name: The name of the topic.
        partitions: The partitions of the topic.
    """

    name: str = ""
    partitions: list[FetchSnapshotRequestPartitionSnapshot] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotRequest(Message):
    """Kafka's FetchSnapshotRequest, versions 0 to 1.

    Asks for a piece of a snapshot (KIP-630).

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        replica_id: The node id of the follower.
        max_bytes: How many bytes are wanted at most.
        topics: The topics. Between controllers it is always the metadata log's.
    """

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
    """A SnapshotId inside FetchSnapshotResponse.

    Attributes:
        end_offset: The offset after the last record.
        epoch: The leader epoch.
    """

    end_offset: int = 0
    epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponseLeaderIdAndEpoch(MessageStruct):
    """A LeaderIdAndEpoch inside FetchSnapshotResponse.

    Attributes:
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
    """

    leader_id: int = 0
    leader_epoch: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponsePartitionSnapshot(MessageStruct):
    """A PartitionSnapshot inside FetchSnapshotResponse.

    Attributes:
        index: The number of the partition.
        error_code: The error, as Kafka numbers them; 0 for none.
        snapshot_id: The snapshot.
        current_leader: The leader that the responder knows.
        size: The size of the snapshot file in bytes.
        position: The first byte of the piece in the snapshot file.
        unaligned_records: The bytes. They may begin and end inside a batch.
    """

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
    """A TopicSnapshot inside FetchSnapshotResponse.

    Attributes:
        name: The name of the topic.
        partitions: The partitions of the topic.
    """

    name: str = ""
    partitions: list[FetchSnapshotResponsePartitionSnapshot] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponseNodeEndpoint(MessageStruct):
    """A NodeEndpoint inside FetchSnapshotResponse.

    Attributes:
        node_id: The node id.
        host: The host name or address.
        port: The TCP port.
    """

    node_id: int = 0
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class FetchSnapshotResponse(Message):
    """Kafka's FetchSnapshotResponse, versions 0 to 1.

    A piece of a snapshot.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        topics: The topics. Between controllers it is always the metadata log's.
        node_endpoints: Where the nodes that the response names can be reached.
    """

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
    """Kafka's DescribeClusterRequest, versions 0 to 2.

    Asks for the brokers or the controllers of the cluster.

    Attributes:
        include_cluster_authorized_operations: Whether the operations that the sender may do on the cluster are wanted.
        endpoint_type: What is wanted: 1 brokers, 2 controllers.
        include_fenced_brokers: Whether fenced brokers are wanted, too.
    """

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
    """A DescribeClusterBroker inside DescribeClusterResponse.

    Attributes:
        broker_id: The node id.
        host: The host name or address.
        port: The TCP port.
        rack: The rack of the broker; null when it has none.
        is_fenced: Whether the broker is fenced.
    """

    broker_id: int = 0
    host: str = ""
    port: int = 0
    rack: str | None = None
    is_fenced: bool = False
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeClusterResponsePublicApiEndpoint(MessageStruct):
    """A PublicApiEndpoint inside DescribeClusterResponse.

    Attributes:
        node_id: The node id.
        host: The host name or address.
        port: The TCP port.
        security_protocol: The security protocol: 0 plaintext, 1 TLS, 2 SASL on plaintext, 3 SASL on TLS.
    """

    node_id: int = 0
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class DescribeClusterResponse(Message):
    """Kafka's DescribeClusterResponse, versions 0 to 2.

    The brokers or the controllers of the cluster.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
        endpoint_type: What the nodes are: 1 brokers, 2 controllers.
        cluster_id: The id of the cluster.
        controller_id: The node id of the active controller, or of a node that forwards to it; -1 when it is not known.
        brokers: The nodes.
        cluster_authorized_operations: A bit for each operation that the sender may do on the cluster.
        public_api_endpoints: Where the controllers serve the public API; empty when none does.
    """

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
    public_api_endpoints: list[DescribeClusterResponsePublicApiEndpoint] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationRequestListener(MessageStruct):
    """A Listener inside BrokerRegistrationRequest.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
        security_protocol: How the listener is protected: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationRequestFeature(MessageStruct):
    """A Feature inside BrokerRegistrationRequest.

    Attributes:
        name: The name of the feature.
        min_supported_version: The lowest level of the feature that the node supports.
        max_supported_version: The highest level of the feature that the node supports.
    """

    name: str = ""
    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationRequest(Message):
    """Kafka's BrokerRegistrationRequest, versions 0 to 4.

    A broker registers with the active controller.

    Attributes:
        broker_id: The node id of the broker.
        cluster_id: The id of the cluster, which must be the receiver's.
        incarnation_id: A random id that the process chose when it started.
        listeners: The listeners on which the node can be reached.
        features: The range of levels that the node supports, per feature.
        rack: The rack of the broker; null when it has none.
        is_migrating_zk_broker: Whether the broker runs on ZooKeeper and is being migrated. Read, never set.
        log_dirs: The ids of the log directories that are online.
        previous_broker_epoch: The epoch of the broker's last clean shutdown; -1 when there was none.
        saturated_log_dirs: The ids of the log directories that are full (KIP-928); null when the broker does not report
            them. Ours.
        host: The host that the broker's id is remembered by (KIP-426); null when the broker does not report it. Ours.
    """

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
    saturated_log_dirs: list[bytes] | None = None
    host: str | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerRegistrationResponse(Message):
    """Kafka's BrokerRegistrationResponse, versions 0 to 4.

    The epoch of the registered broker.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        broker_epoch: The epoch of the registration; -1 when it failed.
    """

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
    """Kafka's BrokerHeartbeatRequest, versions 0 to 2.

    A registered broker reports that it is alive, and what it wants.

    Attributes:
        broker_id: The node id of the broker.
        broker_epoch: The epoch of the broker's registration: the offset of its record.
        current_metadata_offset: The last metadata offset that the broker has applied.
        want_fence: Whether the broker wants to be fenced.
        want_shut_down: Whether the broker wants to shut down.
        offline_log_dirs: The ids of the log directories that failed.
        cordoned_log_dirs: The ids of the log directories that take no new replicas; null when that is not known.
        saturated_log_dirs: The ids of the log directories that are full (KIP-928); null when the broker does not report
            them. Ours.
    """

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
    saturated_log_dirs: list[bytes] | None = None
    unknown_tags: Tags = ()


@dataclass(slots=True)
class BrokerHeartbeatResponse(Message):
    """Kafka's BrokerHeartbeatResponse, versions 0 to 2.

    What the active controller answers to a heartbeat.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        is_caught_up: Whether the broker has applied the records up to its registration.
        is_fenced: Whether the broker is fenced.
        should_shut_down: Whether the broker may shut down now.
    """

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
    """Kafka's UnregisterBrokerRequest, versions 0 to 0.

    Removes the registration of a broker.

    Attributes:
        broker_id: The node id of the broker.
    """

    NAME: ClassVar[str] = "UnregisterBrokerRequest"
    API_KEY: ClassVar[int] = 64
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    broker_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterBrokerResponse(Message):
    """Kafka's UnregisterBrokerResponse, versions 0 to 0.

    The result of removing a broker's registration.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    NAME: ClassVar[str] = "UnregisterBrokerResponse"
    API_KEY: ClassVar[int] = 64
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AllocateProducerIdsRequest(Message):
    """Kafka's AllocateProducerIdsRequest, versions 0 to 0.

    A broker asks for a block of producer ids.

    Attributes:
        broker_id: The broker.
        broker_epoch: The epoch of its registration.
    """

    NAME: ClassVar[str] = "AllocateProducerIdsRequest"
    API_KEY: ClassVar[int] = 67
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    broker_id: int = 0
    broker_epoch: int = -1
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AllocateProducerIdsResponse(Message):
    """Kafka's AllocateProducerIdsResponse, versions 0 to 0.

    A block of producer ids.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        error_code: The error of the request, 0 for none.
        producer_id_start: The first id of the block.
        producer_id_len: How many ids the block has.
    """

    NAME: ClassVar[str] = "AllocateProducerIdsResponse"
    API_KEY: ClassVar[int] = 67
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    producer_id_start: int = 0
    producer_id_len: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationRequestListener(MessageStruct):
    """A Listener inside ControllerRegistrationRequest.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
        security_protocol: How the listener is protected: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    security_protocol: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationRequestFeature(MessageStruct):
    """A Feature inside ControllerRegistrationRequest.

    Attributes:
        name: The name of the feature.
        min_supported_version: The lowest level of the feature that the node supports.
        max_supported_version: The highest level of the feature that the node supports.
    """

    name: str = ""
    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class ControllerRegistrationRequest(Message):
    """Kafka's ControllerRegistrationRequest, versions 0 to 0.

    A controller registers with the active controller.

    Attributes:
        controller_id: The node id of the controller.
        incarnation_id: A random id that the process chose when it started.
        zk_migration_ready: Whether the controller could take part in a migration from ZooKeeper. Read, never set.
        listeners: The listeners on which the node can be reached.
        features: The range of levels that the node supports, per feature.
    """

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
    """Kafka's ControllerRegistrationResponse, versions 0 to 0.

    The result of a controller's registration.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    NAME: ClassVar[str] = "ControllerRegistrationResponse"
    API_KEY: ClassVar[int] = 70
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsRequestPartitionData(MessageStruct):
    """A PartitionData inside AssignReplicasToDirsRequest.

    Attributes:
        partition_index: The partition in its topic.
    """

    partition_index: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsRequestTopicData(MessageStruct):
    """A TopicData inside AssignReplicasToDirsRequest.

    Attributes:
        topic_id: The id of the topic.
        partitions: The partitions.
    """

    topic_id: bytes = ZERO_UUID
    partitions: list[AssignReplicasToDirsRequestPartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsRequestDirectoryData(MessageStruct):
    """A DirectoryData inside AssignReplicasToDirsRequest.

    Attributes:
        id: The id of the directory.
        topics: The topics with replicas in the directory.
    """

    id: bytes = ZERO_UUID
    topics: list[AssignReplicasToDirsRequestTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsRequest(Message):
    """Kafka's AssignReplicasToDirsRequest, versions 0 to 0.

    A broker reports the directories that hold its replicas.

    Attributes:
        broker_id: The broker.
        broker_epoch: The epoch of its registration.
        directories: The directories.
    """

    NAME: ClassVar[str] = "AssignReplicasToDirsRequest"
    API_KEY: ClassVar[int] = 73
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    broker_id: int = 0
    broker_epoch: int = -1
    directories: list[AssignReplicasToDirsRequestDirectoryData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsResponsePartitionData(MessageStruct):
    """A PartitionData inside AssignReplicasToDirsResponse.

    Attributes:
        partition_index: The partition in its topic.
        error_code: The error of the partition, 0 for none.
    """

    partition_index: int = 0
    error_code: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsResponseTopicData(MessageStruct):
    """A TopicData inside AssignReplicasToDirsResponse.

    Attributes:
        topic_id: The id of the topic.
        partitions: The partitions in the order of the request.
    """

    topic_id: bytes = ZERO_UUID
    partitions: list[AssignReplicasToDirsResponsePartitionData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsResponseDirectoryData(MessageStruct):
    """A DirectoryData inside AssignReplicasToDirsResponse.

    Attributes:
        id: The id of the directory.
        topics: The topics in the order of the request.
    """

    id: bytes = ZERO_UUID
    topics: list[AssignReplicasToDirsResponseTopicData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignReplicasToDirsResponse(Message):
    """Kafka's AssignReplicasToDirsResponse, versions 0 to 0.

    The result for each report.

    Attributes:
        throttle_time_ms: How long the client is to wait before its next request, in ms; 0 for not at all.
        error_code: The error of the request, 0 for none.
        directories: The directories in the order of the request.
    """

    NAME: ClassVar[str] = "AssignReplicasToDirsResponse"
    API_KEY: ClassVar[int] = 73
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    directories: list[AssignReplicasToDirsResponseDirectoryData] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AddRaftVoterRequestListener(MessageStruct):
    """A Listener inside AddRaftVoterRequest.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AddRaftVoterRequest(Message):
    """Kafka's AddRaftVoterRequest, versions 0 to 1.

    Adds a voter to the voter set (KIP-853).

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        timeout_ms: How long the request may take, in ms.
        voter_id: The node id of the voter.
        voter_directory_id: The directory id of the voter.
        listeners: The listeners of the new voter.
        ack_when_committed: Whether the response waits until the new voter set is committed.
    """

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
    """Kafka's AddRaftVoterResponse, versions 0 to 1.

    The result of adding a voter.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

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
    """Kafka's RemoveRaftVoterRequest, versions 0 to 0.

    Removes a voter from the voter set (KIP-853).

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        voter_id: The node id of the voter.
        voter_directory_id: The directory id of the voter.
    """

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
    """Kafka's RemoveRaftVoterResponse, versions 0 to 0.

    The result of removing a voter.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

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
    """A Listener inside UpdateRaftVoterRequest.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterRequestKRaftVersionFeature(MessageStruct):
    """A KRaftVersionFeature inside UpdateRaftVoterRequest.

    Attributes:
        min_supported_version: The lowest kraft.version that the voter supports.
        max_supported_version: The highest kraft.version that the voter supports.
    """

    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterRequest(Message):
    """Kafka's UpdateRaftVoterRequest, versions 0 to 0.

    A voter reports its present endpoints and kraft.version range to the leader (KIP-853).

    Attributes:
        cluster_id: The id of the cluster, which must be the receiver's; null when it is not known.
        current_leader_epoch: The leader epoch that the sender knows.
        voter_id: The node id of the voter.
        voter_directory_id: The directory id of the voter.
        listeners: The listeners of the voter.
        kraft_version_feature: The range of kraft.version that the voter supports.
    """

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
    """A CurrentLeader inside UpdateRaftVoterResponse.

    Attributes:
        leader_id: The node id of the leader; -1 when it is not known.
        leader_epoch: The epoch of the leader.
        host: The host name or address of the leader.
        port: The TCP port of the leader.
    """

    leader_id: int = -1
    leader_epoch: int = -1
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UpdateRaftVoterResponse(Message):
    """Kafka's UpdateRaftVoterResponse, versions 0 to 0.

    The result of a voter's update.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        current_leader: The leader that the responder knows.
    """

    NAME: ClassVar[str] = "UpdateRaftVoterResponse"
    API_KEY: ClassVar[int] = 82
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    current_leader: UpdateRaftVoterResponseCurrentLeader = field(default_factory=UpdateRaftVoterResponseCurrentLeader)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterControllerRequest(Message):
    """Kafka's UnregisterControllerRequest, versions 0 to 0.

    Removes the registration of a controller (KIP-1312).

    Attributes:
        controller_id: The node id of the controller.
    """

    NAME: ClassVar[str] = "UnregisterControllerRequest"
    API_KEY: ClassVar[int] = 94
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    controller_id: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class UnregisterControllerResponse(Message):
    """Kafka's UnregisterControllerResponse, versions 0 to 0.

    The result of removing a controller's registration.

    Attributes:
        throttle_time_ms: For how long the sender is to pause because of a quota, in ms.
        error_code: The error, as Kafka numbers them; 0 for none.
        error_message: The error in words; null when there is none.
    """

    NAME: ClassVar[str] = "UnregisterControllerResponse"
    API_KEY: ClassVar[int] = 94
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignBrokerIdRequest(Message):
    """Kafka's AssignBrokerIdRequest, versions 0 to 0.

    A broker without an id asks for one before it registers (KIP-426). Ours.

    Attributes:
        host: The host whose broker id is asked for: a host name, or what the broker's configuration gives instead.
        incarnation_id: A random id that the process chose when it started.
    """

    NAME: ClassVar[str] = "AssignBrokerIdRequest"
    API_KEY: ClassVar[int] = 1000
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    host: str = ""
    incarnation_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class AssignBrokerIdResponse(Message):
    """Kafka's AssignBrokerIdResponse, versions 0 to 0.

    The id for a broker that has none (KIP-426). Ours.

    Attributes:
        throttle_time_ms: How long the client must wait before its next request, because of a quota; 0 when it need not.
        error_code: The error code; 0 when there was no error.
        error_message: What went wrong; null when there was no error.
        broker_id: The id, reserved until the broker registers or its session timeout has passed; -1 after an error.
        source: Where the id comes from: 0 the host had it, 1 it was the only one missing, 2 it is new.
        leader_host: The host of the active controller, when another node should be asked; null when it is not known.
        leader_port: The port of the active controller; -1 when it is not known.
    """

    NAME: ClassVar[str] = "AssignBrokerIdResponse"
    API_KEY: ClassVar[int] = 1000
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    broker_id: int = -1
    source: int = 0
    leader_host: str | None = ""
    leader_port: int = -1
    unknown_tags: Tags = ()


CODECS: Final = LazyCodecs({
    DefaultPrincipalData: "kraftpy.records.generated.rpc_codecs.default_principal_data",
    RequestHeader: "kraftpy.records.generated.rpc_codecs.request_header",
    ResponseHeader: "kraftpy.records.generated.rpc_codecs.response_header",
    FetchRequest: "kraftpy.records.generated.rpc_codecs.fetch_request",
    FetchResponse: "kraftpy.records.generated.rpc_codecs.fetch_response",
    SaslHandshakeRequest: "kraftpy.records.generated.rpc_codecs.sasl_handshake_request",
    SaslHandshakeResponse: "kraftpy.records.generated.rpc_codecs.sasl_handshake_response",
    ApiVersionsRequest: "kraftpy.records.generated.rpc_codecs.api_versions_request",
    ApiVersionsResponse: "kraftpy.records.generated.rpc_codecs.api_versions_response",
    CreateTopicsRequest: "kraftpy.records.generated.rpc_codecs.create_topics_request",
    CreateTopicsResponse: "kraftpy.records.generated.rpc_codecs.create_topics_response",
    DeleteTopicsRequest: "kraftpy.records.generated.rpc_codecs.delete_topics_request",
    DeleteTopicsResponse: "kraftpy.records.generated.rpc_codecs.delete_topics_response",
    DescribeAclsRequest: "kraftpy.records.generated.rpc_codecs.describe_acls_request",
    DescribeAclsResponse: "kraftpy.records.generated.rpc_codecs.describe_acls_response",
    CreateAclsRequest: "kraftpy.records.generated.rpc_codecs.create_acls_request",
    CreateAclsResponse: "kraftpy.records.generated.rpc_codecs.create_acls_response",
    DeleteAclsRequest: "kraftpy.records.generated.rpc_codecs.delete_acls_request",
    DeleteAclsResponse: "kraftpy.records.generated.rpc_codecs.delete_acls_response",
    DescribeConfigsRequest: "kraftpy.records.generated.rpc_codecs.describe_configs_request",
    DescribeConfigsResponse: "kraftpy.records.generated.rpc_codecs.describe_configs_response",
    AlterConfigsRequest: "kraftpy.records.generated.rpc_codecs.alter_configs_request",
    AlterConfigsResponse: "kraftpy.records.generated.rpc_codecs.alter_configs_response",
    SaslAuthenticateRequest: "kraftpy.records.generated.rpc_codecs.sasl_authenticate_request",
    SaslAuthenticateResponse: "kraftpy.records.generated.rpc_codecs.sasl_authenticate_response",
    CreatePartitionsRequest: "kraftpy.records.generated.rpc_codecs.create_partitions_request",
    CreatePartitionsResponse: "kraftpy.records.generated.rpc_codecs.create_partitions_response",
    CreateDelegationTokenRequest: "kraftpy.records.generated.rpc_codecs.create_delegation_token_request",
    CreateDelegationTokenResponse: "kraftpy.records.generated.rpc_codecs.create_delegation_token_response",
    RenewDelegationTokenRequest: "kraftpy.records.generated.rpc_codecs.renew_delegation_token_request",
    RenewDelegationTokenResponse: "kraftpy.records.generated.rpc_codecs.renew_delegation_token_response",
    ExpireDelegationTokenRequest: "kraftpy.records.generated.rpc_codecs.expire_delegation_token_request",
    ExpireDelegationTokenResponse: "kraftpy.records.generated.rpc_codecs.expire_delegation_token_response",
    ElectLeadersRequest: "kraftpy.records.generated.rpc_codecs.elect_leaders_request",
    ElectLeadersResponse: "kraftpy.records.generated.rpc_codecs.elect_leaders_response",
    IncrementalAlterConfigsRequest: "kraftpy.records.generated.rpc_codecs.incremental_alter_configs_request",
    IncrementalAlterConfigsResponse: "kraftpy.records.generated.rpc_codecs.incremental_alter_configs_response",
    AlterPartitionReassignmentsRequest: "kraftpy.records.generated.rpc_codecs.alter_partition_reassignments_request",
    AlterPartitionReassignmentsResponse: "kraftpy.records.generated.rpc_codecs.alter_partition_reassignments_response",
    ListPartitionReassignmentsRequest: "kraftpy.records.generated.rpc_codecs.list_partition_reassignments_request",
    ListPartitionReassignmentsResponse: "kraftpy.records.generated.rpc_codecs.list_partition_reassignments_response",
    AlterClientQuotasRequest: "kraftpy.records.generated.rpc_codecs.alter_client_quotas_request",
    AlterClientQuotasResponse: "kraftpy.records.generated.rpc_codecs.alter_client_quotas_response",
    AlterUserScramCredentialsRequest: "kraftpy.records.generated.rpc_codecs.alter_user_scram_credentials_request",
    AlterUserScramCredentialsResponse: "kraftpy.records.generated.rpc_codecs.alter_user_scram_credentials_response",
    VoteRequest: "kraftpy.records.generated.rpc_codecs.vote_request",
    VoteResponse: "kraftpy.records.generated.rpc_codecs.vote_response",
    BeginQuorumEpochRequest: "kraftpy.records.generated.rpc_codecs.begin_quorum_epoch_request",
    BeginQuorumEpochResponse: "kraftpy.records.generated.rpc_codecs.begin_quorum_epoch_response",
    EndQuorumEpochRequest: "kraftpy.records.generated.rpc_codecs.end_quorum_epoch_request",
    EndQuorumEpochResponse: "kraftpy.records.generated.rpc_codecs.end_quorum_epoch_response",
    DescribeQuorumRequest: "kraftpy.records.generated.rpc_codecs.describe_quorum_request",
    DescribeQuorumResponse: "kraftpy.records.generated.rpc_codecs.describe_quorum_response",
    AlterPartitionRequest: "kraftpy.records.generated.rpc_codecs.alter_partition_request",
    AlterPartitionResponse: "kraftpy.records.generated.rpc_codecs.alter_partition_response",
    UpdateFeaturesRequest: "kraftpy.records.generated.rpc_codecs.update_features_request",
    UpdateFeaturesResponse: "kraftpy.records.generated.rpc_codecs.update_features_response",
    EnvelopeRequest: "kraftpy.records.generated.rpc_codecs.envelope_request",
    EnvelopeResponse: "kraftpy.records.generated.rpc_codecs.envelope_response",
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
    AllocateProducerIdsRequest: "kraftpy.records.generated.rpc_codecs.allocate_producer_ids_request",
    AllocateProducerIdsResponse: "kraftpy.records.generated.rpc_codecs.allocate_producer_ids_response",
    ControllerRegistrationRequest: "kraftpy.records.generated.rpc_codecs.controller_registration_request",
    ControllerRegistrationResponse: "kraftpy.records.generated.rpc_codecs.controller_registration_response",
    AssignReplicasToDirsRequest: "kraftpy.records.generated.rpc_codecs.assign_replicas_to_dirs_request",
    AssignReplicasToDirsResponse: "kraftpy.records.generated.rpc_codecs.assign_replicas_to_dirs_response",
    AddRaftVoterRequest: "kraftpy.records.generated.rpc_codecs.add_raft_voter_request",
    AddRaftVoterResponse: "kraftpy.records.generated.rpc_codecs.add_raft_voter_response",
    RemoveRaftVoterRequest: "kraftpy.records.generated.rpc_codecs.remove_raft_voter_request",
    RemoveRaftVoterResponse: "kraftpy.records.generated.rpc_codecs.remove_raft_voter_response",
    UpdateRaftVoterRequest: "kraftpy.records.generated.rpc_codecs.update_raft_voter_request",
    UpdateRaftVoterResponse: "kraftpy.records.generated.rpc_codecs.update_raft_voter_response",
    UnregisterControllerRequest: "kraftpy.records.generated.rpc_codecs.unregister_controller_request",
    UnregisterControllerResponse: "kraftpy.records.generated.rpc_codecs.unregister_controller_response",
    AssignBrokerIdRequest: "kraftpy.records.generated.rpc_codecs.assign_broker_id_request",
    AssignBrokerIdResponse: "kraftpy.records.generated.rpc_codecs.assign_broker_id_response",
})
"""The decoder and the encoder of every message and version."""

MESSAGES: Final[tuple[type[Message], ...]] = (
    DefaultPrincipalData,
    RequestHeader,
    ResponseHeader,
    FetchRequest,
    FetchResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
    ApiVersionsRequest,
    ApiVersionsResponse,
    CreateTopicsRequest,
    CreateTopicsResponse,
    DeleteTopicsRequest,
    DeleteTopicsResponse,
    DescribeAclsRequest,
    DescribeAclsResponse,
    CreateAclsRequest,
    CreateAclsResponse,
    DeleteAclsRequest,
    DeleteAclsResponse,
    DescribeConfigsRequest,
    DescribeConfigsResponse,
    AlterConfigsRequest,
    AlterConfigsResponse,
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
    RenewDelegationTokenRequest,
    RenewDelegationTokenResponse,
    ExpireDelegationTokenRequest,
    ExpireDelegationTokenResponse,
    ElectLeadersRequest,
    ElectLeadersResponse,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    VoteRequest,
    VoteResponse,
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    AlterPartitionRequest,
    AlterPartitionResponse,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
    EnvelopeRequest,
    EnvelopeResponse,
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
    AllocateProducerIdsRequest,
    AllocateProducerIdsResponse,
    ControllerRegistrationRequest,
    ControllerRegistrationResponse,
    AssignReplicasToDirsRequest,
    AssignReplicasToDirsResponse,
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
    UnregisterControllerRequest,
    UnregisterControllerResponse,
    AssignBrokerIdRequest,
    AssignBrokerIdResponse,
)
"""Every message, in the order of the table."""
