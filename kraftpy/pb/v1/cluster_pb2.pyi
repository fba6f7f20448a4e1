from kraftpy.pb.v1 import changes_pb2 as _changes_pb2
from kraftpy.pb.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConfigSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONFIG_SOURCE_UNSPECIFIED: _ClassVar[ConfigSource]
    DYNAMIC_TOPIC_CONFIG: _ClassVar[ConfigSource]
    DYNAMIC_BROKER_CONFIG: _ClassVar[ConfigSource]
    DYNAMIC_DEFAULT_BROKER_CONFIG: _ClassVar[ConfigSource]
    STATIC_BROKER_CONFIG: _ClassVar[ConfigSource]
    DEFAULT_CONFIG: _ClassVar[ConfigSource]
    DYNAMIC_CLIENT_METRICS_CONFIG: _ClassVar[ConfigSource]
    DYNAMIC_GROUP_CONFIG: _ClassVar[ConfigSource]

class MetadataSlice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    METADATA_SLICE_UNSPECIFIED: _ClassVar[MetadataSlice]
    METADATA_SLICE_FEATURES: _ClassVar[MetadataSlice]
    METADATA_SLICE_CLUSTER_ID: _ClassVar[MetadataSlice]
    METADATA_SLICE_CLUSTER: _ClassVar[MetadataSlice]
    METADATA_SLICE_BROKER_HOSTS: _ClassVar[MetadataSlice]
    METADATA_SLICE_TOPICS: _ClassVar[MetadataSlice]
    METADATA_SLICE_CONFIGS: _ClassVar[MetadataSlice]
    METADATA_SLICE_CLIENT_QUOTAS: _ClassVar[MetadataSlice]
    METADATA_SLICE_PRODUCER_IDS: _ClassVar[MetadataSlice]
    METADATA_SLICE_ACLS: _ClassVar[MetadataSlice]
    METADATA_SLICE_SCRAM: _ClassVar[MetadataSlice]
    METADATA_SLICE_DELEGATION_TOKENS: _ClassVar[MetadataSlice]
CONFIG_SOURCE_UNSPECIFIED: ConfigSource
DYNAMIC_TOPIC_CONFIG: ConfigSource
DYNAMIC_BROKER_CONFIG: ConfigSource
DYNAMIC_DEFAULT_BROKER_CONFIG: ConfigSource
STATIC_BROKER_CONFIG: ConfigSource
DEFAULT_CONFIG: ConfigSource
DYNAMIC_CLIENT_METRICS_CONFIG: ConfigSource
DYNAMIC_GROUP_CONFIG: ConfigSource
METADATA_SLICE_UNSPECIFIED: MetadataSlice
METADATA_SLICE_FEATURES: MetadataSlice
METADATA_SLICE_CLUSTER_ID: MetadataSlice
METADATA_SLICE_CLUSTER: MetadataSlice
METADATA_SLICE_BROKER_HOSTS: MetadataSlice
METADATA_SLICE_TOPICS: MetadataSlice
METADATA_SLICE_CONFIGS: MetadataSlice
METADATA_SLICE_CLIENT_QUOTAS: MetadataSlice
METADATA_SLICE_PRODUCER_IDS: MetadataSlice
METADATA_SLICE_ACLS: MetadataSlice
METADATA_SLICE_SCRAM: MetadataSlice
METADATA_SLICE_DELEGATION_TOKENS: MetadataSlice

class DescribeClusterRequest(_message.Message):
    __slots__ = ("include_fenced_brokers", "read", "page_size", "page_token")
    INCLUDE_FENCED_BROKERS_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    include_fenced_brokers: bool
    read: _common_pb2.ReadOptions
    page_size: int
    page_token: str
    def __init__(self, include_fenced_brokers: _Optional[bool] = ..., read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class DescribeClusterResponse(_message.Message):
    __slots__ = ("position", "cluster_id", "controller_id", "brokers", "controllers", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CLUSTER_ID_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_ID_FIELD_NUMBER: _ClassVar[int]
    BROKERS_FIELD_NUMBER: _ClassVar[int]
    CONTROLLERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    cluster_id: str
    controller_id: int
    brokers: _containers.RepeatedCompositeFieldContainer[BrokerDescription]
    controllers: _containers.RepeatedCompositeFieldContainer[ControllerDescription]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., cluster_id: _Optional[str] = ..., controller_id: _Optional[int] = ..., brokers: _Optional[_Iterable[_Union[BrokerDescription, _Mapping]]] = ..., controllers: _Optional[_Iterable[_Union[ControllerDescription, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class BrokerDescription(_message.Message):
    __slots__ = ("id", "epoch", "incarnation_id", "listeners", "features", "rack", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs", "saturated_log_dirs")
    ID_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_ID_FIELD_NUMBER: _ClassVar[int]
    LISTENERS_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    RACK_FIELD_NUMBER: _ClassVar[int]
    FENCED_FIELD_NUMBER: _ClassVar[int]
    IN_CONTROLLED_SHUTDOWN_FIELD_NUMBER: _ClassVar[int]
    LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    CORDONED_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    SATURATED_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    id: int
    epoch: int
    incarnation_id: bytes
    listeners: _containers.RepeatedCompositeFieldContainer[_common_pb2.Listener]
    features: _containers.RepeatedCompositeFieldContainer[_common_pb2.SupportedFeature]
    rack: str
    fenced: bool
    in_controlled_shutdown: bool
    log_dirs: _containers.RepeatedScalarFieldContainer[bytes]
    cordoned_log_dirs: _containers.RepeatedScalarFieldContainer[bytes]
    saturated_log_dirs: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, id: _Optional[int] = ..., epoch: _Optional[int] = ..., incarnation_id: _Optional[bytes] = ..., listeners: _Optional[_Iterable[_Union[_common_pb2.Listener, _Mapping]]] = ..., features: _Optional[_Iterable[_Union[_common_pb2.SupportedFeature, _Mapping]]] = ..., rack: _Optional[str] = ..., fenced: _Optional[bool] = ..., in_controlled_shutdown: _Optional[bool] = ..., log_dirs: _Optional[_Iterable[bytes]] = ..., cordoned_log_dirs: _Optional[_Iterable[bytes]] = ..., saturated_log_dirs: _Optional[_Iterable[bytes]] = ...) -> None: ...

class ControllerDescription(_message.Message):
    __slots__ = ("id", "incarnation_id", "listeners", "features")
    ID_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_ID_FIELD_NUMBER: _ClassVar[int]
    LISTENERS_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    id: int
    incarnation_id: bytes
    listeners: _containers.RepeatedCompositeFieldContainer[_common_pb2.Listener]
    features: _containers.RepeatedCompositeFieldContainer[_common_pb2.SupportedFeature]
    def __init__(self, id: _Optional[int] = ..., incarnation_id: _Optional[bytes] = ..., listeners: _Optional[_Iterable[_Union[_common_pb2.Listener, _Mapping]]] = ..., features: _Optional[_Iterable[_Union[_common_pb2.SupportedFeature, _Mapping]]] = ...) -> None: ...

class DescribeFeaturesRequest(_message.Message):
    __slots__ = ("read",)
    READ_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ...) -> None: ...

class DescribeFeaturesResponse(_message.Message):
    __slots__ = ("position", "features")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    features: _containers.RepeatedCompositeFieldContainer[FeatureDescription]
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., features: _Optional[_Iterable[_Union[FeatureDescription, _Mapping]]] = ...) -> None: ...

class FeatureDescription(_message.Message):
    __slots__ = ("name", "finalized_level", "min_supported_level", "max_supported_level")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FINALIZED_LEVEL_FIELD_NUMBER: _ClassVar[int]
    MIN_SUPPORTED_LEVEL_FIELD_NUMBER: _ClassVar[int]
    MAX_SUPPORTED_LEVEL_FIELD_NUMBER: _ClassVar[int]
    name: str
    finalized_level: int
    min_supported_level: int
    max_supported_level: int
    def __init__(self, name: _Optional[str] = ..., finalized_level: _Optional[int] = ..., min_supported_level: _Optional[int] = ..., max_supported_level: _Optional[int] = ...) -> None: ...

class DescribeConfigsRequest(_message.Message):
    __slots__ = ("resources", "read", "page_size", "page_token", "include_defaults")
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_DEFAULTS_FIELD_NUMBER: _ClassVar[int]
    resources: _containers.RepeatedCompositeFieldContainer[_common_pb2.ConfigResource]
    read: _common_pb2.ReadOptions
    page_size: int
    page_token: str
    include_defaults: bool
    def __init__(self, resources: _Optional[_Iterable[_Union[_common_pb2.ConfigResource, _Mapping]]] = ..., read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., include_defaults: _Optional[bool] = ...) -> None: ...

class DescribeConfigsResponse(_message.Message):
    __slots__ = ("position", "resources", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    resources: _containers.RepeatedCompositeFieldContainer[ResourceConfigs]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., resources: _Optional[_Iterable[_Union[ResourceConfigs, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ResourceConfigs(_message.Message):
    __slots__ = ("resource", "entries")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    resource: _common_pb2.ConfigResource
    entries: _containers.RepeatedCompositeFieldContainer[ConfigEntry]
    def __init__(self, resource: _Optional[_Union[_common_pb2.ConfigResource, _Mapping]] = ..., entries: _Optional[_Iterable[_Union[ConfigEntry, _Mapping]]] = ...) -> None: ...

class ConfigEntry(_message.Message):
    __slots__ = ("name", "value", "source", "is_sensitive", "synonyms")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    IS_SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    SYNONYMS_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    source: ConfigSource
    is_sensitive: bool
    synonyms: _containers.RepeatedCompositeFieldContainer[ConfigSynonym]
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., source: _Optional[_Union[ConfigSource, str]] = ..., is_sensitive: _Optional[bool] = ..., synonyms: _Optional[_Iterable[_Union[ConfigSynonym, _Mapping]]] = ...) -> None: ...

class ConfigSynonym(_message.Message):
    __slots__ = ("name", "value", "source")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    source: ConfigSource
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., source: _Optional[_Union[ConfigSource, str]] = ...) -> None: ...

class DescribeTopicsRequest(_message.Message):
    __slots__ = ("read", "names", "omit_partitions", "page_size", "start")
    READ_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    OMIT_PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    names: _containers.RepeatedScalarFieldContainer[str]
    omit_partitions: bool
    page_size: int
    start: TopicCursor
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., names: _Optional[_Iterable[str]] = ..., omit_partitions: _Optional[bool] = ..., page_size: _Optional[int] = ..., start: _Optional[_Union[TopicCursor, _Mapping]] = ...) -> None: ...

class TopicCursor(_message.Message):
    __slots__ = ("topic", "partition")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partition: int
    def __init__(self, topic: _Optional[str] = ..., partition: _Optional[int] = ...) -> None: ...

class DescribeTopicsResponse(_message.Message):
    __slots__ = ("position", "topics", "unknown", "next")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    topics: _containers.RepeatedCompositeFieldContainer[TopicDescription]
    unknown: _containers.RepeatedScalarFieldContainer[str]
    next: TopicCursor
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[TopicDescription, _Mapping]]] = ..., unknown: _Optional[_Iterable[str]] = ..., next: _Optional[_Union[TopicCursor, _Mapping]] = ...) -> None: ...

class TopicDescription(_message.Message):
    __slots__ = ("name", "topic_id", "partition_count", "replication_factor", "configs", "min_insync_replicas", "partitions")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PARTITION_COUNT_FIELD_NUMBER: _ClassVar[int]
    REPLICATION_FACTOR_FIELD_NUMBER: _ClassVar[int]
    CONFIGS_FIELD_NUMBER: _ClassVar[int]
    MIN_INSYNC_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    topic_id: bytes
    partition_count: int
    replication_factor: int
    configs: _containers.RepeatedCompositeFieldContainer[ConfigEntry]
    min_insync_replicas: int
    partitions: _containers.RepeatedCompositeFieldContainer[PartitionDescription]
    def __init__(self, name: _Optional[str] = ..., topic_id: _Optional[bytes] = ..., partition_count: _Optional[int] = ..., replication_factor: _Optional[int] = ..., configs: _Optional[_Iterable[_Union[ConfigEntry, _Mapping]]] = ..., min_insync_replicas: _Optional[int] = ..., partitions: _Optional[_Iterable[_Union[PartitionDescription, _Mapping]]] = ...) -> None: ...

class PartitionDescription(_message.Message):
    __slots__ = ("partition", "leader", "leader_epoch", "partition_epoch", "replicas", "isr", "elr", "last_known_elr", "adding_replicas", "removing_replicas", "directories", "recovering")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    LEADER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    PARTITION_EPOCH_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    ISR_FIELD_NUMBER: _ClassVar[int]
    ELR_FIELD_NUMBER: _ClassVar[int]
    LAST_KNOWN_ELR_FIELD_NUMBER: _ClassVar[int]
    ADDING_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    REMOVING_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    DIRECTORIES_FIELD_NUMBER: _ClassVar[int]
    RECOVERING_FIELD_NUMBER: _ClassVar[int]
    partition: int
    leader: int
    leader_epoch: int
    partition_epoch: int
    replicas: _containers.RepeatedScalarFieldContainer[int]
    isr: _containers.RepeatedScalarFieldContainer[int]
    elr: _containers.RepeatedScalarFieldContainer[int]
    last_known_elr: _containers.RepeatedScalarFieldContainer[int]
    adding_replicas: _containers.RepeatedScalarFieldContainer[int]
    removing_replicas: _containers.RepeatedScalarFieldContainer[int]
    directories: _containers.RepeatedScalarFieldContainer[bytes]
    recovering: bool
    def __init__(self, partition: _Optional[int] = ..., leader: _Optional[int] = ..., leader_epoch: _Optional[int] = ..., partition_epoch: _Optional[int] = ..., replicas: _Optional[_Iterable[int]] = ..., isr: _Optional[_Iterable[int]] = ..., elr: _Optional[_Iterable[int]] = ..., last_known_elr: _Optional[_Iterable[int]] = ..., adding_replicas: _Optional[_Iterable[int]] = ..., removing_replicas: _Optional[_Iterable[int]] = ..., directories: _Optional[_Iterable[bytes]] = ..., recovering: _Optional[bool] = ...) -> None: ...

class ListPartitionReassignmentsRequest(_message.Message):
    __slots__ = ("read", "topics", "page_size", "start")
    READ_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    topics: _containers.RepeatedCompositeFieldContainer[_common_pb2.TopicPartitions]
    page_size: int
    start: TopicCursor
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[_common_pb2.TopicPartitions, _Mapping]]] = ..., page_size: _Optional[int] = ..., start: _Optional[_Union[TopicCursor, _Mapping]] = ...) -> None: ...

class OngoingReassignment(_message.Message):
    __slots__ = ("topic", "partition", "replicas", "adding_replicas", "removing_replicas")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    ADDING_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    REMOVING_REPLICAS_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partition: int
    replicas: _containers.RepeatedScalarFieldContainer[int]
    adding_replicas: _containers.RepeatedScalarFieldContainer[int]
    removing_replicas: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, topic: _Optional[str] = ..., partition: _Optional[int] = ..., replicas: _Optional[_Iterable[int]] = ..., adding_replicas: _Optional[_Iterable[int]] = ..., removing_replicas: _Optional[_Iterable[int]] = ...) -> None: ...

class ListPartitionReassignmentsResponse(_message.Message):
    __slots__ = ("position", "reassignments", "next")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    REASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    reassignments: _containers.RepeatedCompositeFieldContainer[OngoingReassignment]
    next: TopicCursor
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., reassignments: _Optional[_Iterable[_Union[OngoingReassignment, _Mapping]]] = ..., next: _Optional[_Union[TopicCursor, _Mapping]] = ...) -> None: ...

class QuotaFilter(_message.Message):
    __slots__ = ("type", "name", "default")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    type: str
    name: str
    default: bool
    def __init__(self, type: _Optional[str] = ..., name: _Optional[str] = ..., default: _Optional[bool] = ...) -> None: ...

class DescribeClientQuotasRequest(_message.Message):
    __slots__ = ("read", "filters", "strict", "page_size", "page_token")
    READ_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    STRICT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    filters: _containers.RepeatedCompositeFieldContainer[QuotaFilter]
    strict: bool
    page_size: int
    page_token: str
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., filters: _Optional[_Iterable[_Union[QuotaFilter, _Mapping]]] = ..., strict: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class QuotaValue(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: float
    def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...

class ClientQuotas(_message.Message):
    __slots__ = ("entity", "values")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    entity: _containers.RepeatedCompositeFieldContainer[_common_pb2.QuotaEntityPart]
    values: _containers.RepeatedCompositeFieldContainer[QuotaValue]
    def __init__(self, entity: _Optional[_Iterable[_Union[_common_pb2.QuotaEntityPart, _Mapping]]] = ..., values: _Optional[_Iterable[_Union[QuotaValue, _Mapping]]] = ...) -> None: ...

class DescribeClientQuotasResponse(_message.Message):
    __slots__ = ("position", "entities", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    entities: _containers.RepeatedCompositeFieldContainer[ClientQuotas]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., entities: _Optional[_Iterable[_Union[ClientQuotas, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DescribeUserScramCredentialsRequest(_message.Message):
    __slots__ = ("read", "users", "page_size", "page_token")
    READ_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    users: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    page_token: str
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., users: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ScramCredentialInfo(_message.Message):
    __slots__ = ("mechanism", "iterations")
    MECHANISM_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    mechanism: int
    iterations: int
    def __init__(self, mechanism: _Optional[int] = ..., iterations: _Optional[int] = ...) -> None: ...

class ScramUserCredentials(_message.Message):
    __slots__ = ("user", "credentials")
    USER_FIELD_NUMBER: _ClassVar[int]
    CREDENTIALS_FIELD_NUMBER: _ClassVar[int]
    user: str
    credentials: _containers.RepeatedCompositeFieldContainer[ScramCredentialInfo]
    def __init__(self, user: _Optional[str] = ..., credentials: _Optional[_Iterable[_Union[ScramCredentialInfo, _Mapping]]] = ...) -> None: ...

class DescribeUserScramCredentialsResponse(_message.Message):
    __slots__ = ("position", "users", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    users: _containers.RepeatedCompositeFieldContainer[ScramUserCredentials]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., users: _Optional[_Iterable[_Union[ScramUserCredentials, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetImageRequest(_message.Message):
    __slots__ = ("read", "include_secrets")
    READ_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SECRETS_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    include_secrets: bool
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., include_secrets: _Optional[bool] = ...) -> None: ...

class GetImageResponse(_message.Message):
    __slots__ = ("begin", "chunk", "end")
    BEGIN_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    begin: SnapshotBegin
    chunk: SnapshotChunk
    end: SnapshotEnd
    def __init__(self, begin: _Optional[_Union[SnapshotBegin, _Mapping]] = ..., chunk: _Optional[_Union[SnapshotChunk, _Mapping]] = ..., end: _Optional[_Union[SnapshotEnd, _Mapping]] = ...) -> None: ...

class SnapshotBegin(_message.Message):
    __slots__ = ("end_offset", "epoch", "consistency")
    END_OFFSET_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    CONSISTENCY_FIELD_NUMBER: _ClassVar[int]
    end_offset: int
    epoch: int
    consistency: _common_pb2.ReadOptions.Consistency
    def __init__(self, end_offset: _Optional[int] = ..., epoch: _Optional[int] = ..., consistency: _Optional[_Union[_common_pb2.ReadOptions.Consistency, str]] = ...) -> None: ...

class SnapshotChunk(_message.Message):
    __slots__ = ("records", "json", "changes")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    records: bytes
    json: _containers.RepeatedScalarFieldContainer[str]
    changes: _containers.RepeatedCompositeFieldContainer[_changes_pb2.MetadataChange]
    def __init__(self, records: _Optional[bytes] = ..., json: _Optional[_Iterable[str]] = ..., changes: _Optional[_Iterable[_Union[_changes_pb2.MetadataChange, _Mapping]]] = ...) -> None: ...

class SnapshotEnd(_message.Message):
    __slots__ = ("end_offset",)
    END_OFFSET_FIELD_NUMBER: _ClassVar[int]
    end_offset: int
    def __init__(self, end_offset: _Optional[int] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("from_offset", "include_json", "read", "include_secrets", "changes_of")
    FROM_OFFSET_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_JSON_FIELD_NUMBER: _ClassVar[int]
    READ_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SECRETS_FIELD_NUMBER: _ClassVar[int]
    CHANGES_OF_FIELD_NUMBER: _ClassVar[int]
    from_offset: int
    include_json: bool
    read: _common_pb2.ReadOptions
    include_secrets: bool
    changes_of: _containers.RepeatedScalarFieldContainer[MetadataSlice]
    def __init__(self, from_offset: _Optional[int] = ..., include_json: _Optional[bool] = ..., read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., include_secrets: _Optional[bool] = ..., changes_of: _Optional[_Iterable[_Union[MetadataSlice, str]]] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("snapshot_begin", "snapshot_chunk", "snapshot_end", "batches")
    SNAPSHOT_BEGIN_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_CHUNK_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_END_FIELD_NUMBER: _ClassVar[int]
    BATCHES_FIELD_NUMBER: _ClassVar[int]
    snapshot_begin: SnapshotBegin
    snapshot_chunk: SnapshotChunk
    snapshot_end: SnapshotEnd
    batches: WatchedBatches
    def __init__(self, snapshot_begin: _Optional[_Union[SnapshotBegin, _Mapping]] = ..., snapshot_chunk: _Optional[_Union[SnapshotChunk, _Mapping]] = ..., snapshot_end: _Optional[_Union[SnapshotEnd, _Mapping]] = ..., batches: _Optional[_Union[WatchedBatches, _Mapping]] = ...) -> None: ...

class WatchedBatches(_message.Message):
    __slots__ = ("batches",)
    BATCHES_FIELD_NUMBER: _ClassVar[int]
    batches: _containers.RepeatedCompositeFieldContainer[WatchedBatch]
    def __init__(self, batches: _Optional[_Iterable[_Union[WatchedBatch, _Mapping]]] = ...) -> None: ...

class WatchedBatch(_message.Message):
    __slots__ = ("base_offset", "last_offset", "epoch", "control", "records", "json", "json_continues", "changes")
    BASE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    LAST_OFFSET_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    JSON_CONTINUES_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    base_offset: int
    last_offset: int
    epoch: int
    control: bool
    records: bytes
    json: _containers.RepeatedScalarFieldContainer[str]
    json_continues: bool
    changes: _containers.RepeatedCompositeFieldContainer[_changes_pb2.MetadataChange]
    def __init__(self, base_offset: _Optional[int] = ..., last_offset: _Optional[int] = ..., epoch: _Optional[int] = ..., control: _Optional[bool] = ..., records: _Optional[bytes] = ..., json: _Optional[_Iterable[str]] = ..., json_continues: _Optional[bool] = ..., changes: _Optional[_Iterable[_Union[_changes_pb2.MetadataChange, _Mapping]]] = ...) -> None: ...

class DescribeLogDirsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DescribeLogDirsResponse(_message.Message):
    __slots__ = ("node_id", "log_dirs")
    NODE_ID_FIELD_NUMBER: _ClassVar[int]
    LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    node_id: int
    log_dirs: _containers.RepeatedCompositeFieldContainer[LogDirDescription]
    def __init__(self, node_id: _Optional[int] = ..., log_dirs: _Optional[_Iterable[_Union[LogDirDescription, _Mapping]]] = ...) -> None: ...

class LogDirDescription(_message.Message):
    __slots__ = ("path", "directory_id", "state", "reason", "total_bytes", "usable_bytes", "reserve_bytes", "cordoned")
    PATH_FIELD_NUMBER: _ClassVar[int]
    DIRECTORY_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOTAL_BYTES_FIELD_NUMBER: _ClassVar[int]
    USABLE_BYTES_FIELD_NUMBER: _ClassVar[int]
    RESERVE_BYTES_FIELD_NUMBER: _ClassVar[int]
    CORDONED_FIELD_NUMBER: _ClassVar[int]
    path: str
    directory_id: bytes
    state: str
    reason: str
    total_bytes: int
    usable_bytes: int
    reserve_bytes: int
    cordoned: bool
    def __init__(self, path: _Optional[str] = ..., directory_id: _Optional[bytes] = ..., state: _Optional[str] = ..., reason: _Optional[str] = ..., total_bytes: _Optional[int] = ..., usable_bytes: _Optional[int] = ..., reserve_bytes: _Optional[int] = ..., cordoned: _Optional[bool] = ...) -> None: ...

class DescribeDelegationTokensRequest(_message.Message):
    __slots__ = ("read", "owners", "page_size", "page_token")
    READ_FIELD_NUMBER: _ClassVar[int]
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    owners: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    page_token: str
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., owners: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class DescribeDelegationTokensResponse(_message.Message):
    __slots__ = ("position", "tokens", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    tokens: _containers.RepeatedCompositeFieldContainer[_common_pb2.DelegationToken]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., tokens: _Optional[_Iterable[_Union[_common_pb2.DelegationToken, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DescribeBrokerHostsRequest(_message.Message):
    __slots__ = ("read", "hosts", "page_size", "page_token")
    READ_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    hosts: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    page_token: str
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., hosts: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class DescribeBrokerHostsResponse(_message.Message):
    __slots__ = ("position", "hosts", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    hosts: _containers.RepeatedCompositeFieldContainer[BrokerHost]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., hosts: _Optional[_Iterable[_Union[BrokerHost, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class BrokerHost(_message.Message):
    __slots__ = ("host", "broker_id", "state")
    class BrokerState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNSPECIFIED: _ClassVar[BrokerHost.BrokerState]
        UNREGISTERED: _ClassVar[BrokerHost.BrokerState]
        FENCED: _ClassVar[BrokerHost.BrokerState]
        ACTIVE: _ClassVar[BrokerHost.BrokerState]
    UNSPECIFIED: BrokerHost.BrokerState
    UNREGISTERED: BrokerHost.BrokerState
    FENCED: BrokerHost.BrokerState
    ACTIVE: BrokerHost.BrokerState
    HOST_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    host: str
    broker_id: int
    state: BrokerHost.BrokerState
    def __init__(self, host: _Optional[str] = ..., broker_id: _Optional[int] = ..., state: _Optional[_Union[BrokerHost.BrokerState, str]] = ...) -> None: ...

class DescribeAclsRequest(_message.Message):
    __slots__ = ("read", "filter", "page_size", "page_token")
    READ_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    read: _common_pb2.ReadOptions
    filter: _common_pb2.AclFilter
    page_size: int
    page_token: str
    def __init__(self, read: _Optional[_Union[_common_pb2.ReadOptions, _Mapping]] = ..., filter: _Optional[_Union[_common_pb2.AclFilter, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class DescribeAclsResponse(_message.Message):
    __slots__ = ("position", "entries", "next_page_token")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.ReadPosition
    entries: _containers.RepeatedCompositeFieldContainer[_common_pb2.AclEntry]
    next_page_token: str
    def __init__(self, position: _Optional[_Union[_common_pb2.ReadPosition, _Mapping]] = ..., entries: _Optional[_Iterable[_Union[_common_pb2.AclEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
