from kraftpy.pb.v1 import common_pb2 as _common_pb2
from kraftpy.pb.v1 import errors_pb2 as _errors_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FeatureUpdate(_message.Message):
    __slots__ = ("name", "level", "kind")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNSPECIFIED: _ClassVar[FeatureUpdate.Kind]
        UPGRADE: _ClassVar[FeatureUpdate.Kind]
        SAFE_DOWNGRADE: _ClassVar[FeatureUpdate.Kind]
        UNSAFE_DOWNGRADE: _ClassVar[FeatureUpdate.Kind]
    UNSPECIFIED: FeatureUpdate.Kind
    UPGRADE: FeatureUpdate.Kind
    SAFE_DOWNGRADE: FeatureUpdate.Kind
    UNSAFE_DOWNGRADE: FeatureUpdate.Kind
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    name: str
    level: int
    kind: FeatureUpdate.Kind
    def __init__(self, name: _Optional[str] = ..., level: _Optional[int] = ..., kind: _Optional[_Union[FeatureUpdate.Kind, str]] = ...) -> None: ...

class UpdateFeaturesRequest(_message.Message):
    __slots__ = ("options", "updates")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    updates: _containers.RepeatedCompositeFieldContainer[FeatureUpdate]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., updates: _Optional[_Iterable[_Union[FeatureUpdate, _Mapping]]] = ...) -> None: ...

class UpdateFeaturesResponse(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ...) -> None: ...

class ConfigAlteration(_message.Message):
    __slots__ = ("name", "op", "value")
    class Op(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        SET: _ClassVar[ConfigAlteration.Op]
        DELETE: _ClassVar[ConfigAlteration.Op]
        APPEND: _ClassVar[ConfigAlteration.Op]
        SUBTRACT: _ClassVar[ConfigAlteration.Op]
    SET: ConfigAlteration.Op
    DELETE: ConfigAlteration.Op
    APPEND: ConfigAlteration.Op
    SUBTRACT: ConfigAlteration.Op
    NAME_FIELD_NUMBER: _ClassVar[int]
    OP_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    op: ConfigAlteration.Op
    value: str
    def __init__(self, name: _Optional[str] = ..., op: _Optional[_Union[ConfigAlteration.Op, str]] = ..., value: _Optional[str] = ...) -> None: ...

class ResourceAlterations(_message.Message):
    __slots__ = ("resource", "alterations")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    ALTERATIONS_FIELD_NUMBER: _ClassVar[int]
    resource: _common_pb2.ConfigResource
    alterations: _containers.RepeatedCompositeFieldContainer[ConfigAlteration]
    def __init__(self, resource: _Optional[_Union[_common_pb2.ConfigResource, _Mapping]] = ..., alterations: _Optional[_Iterable[_Union[ConfigAlteration, _Mapping]]] = ...) -> None: ...

class IncrementalAlterConfigsRequest(_message.Message):
    __slots__ = ("options", "resources")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    resources: _containers.RepeatedCompositeFieldContainer[ResourceAlterations]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., resources: _Optional[_Iterable[_Union[ResourceAlterations, _Mapping]]] = ...) -> None: ...

class ConfigResult(_message.Message):
    __slots__ = ("resource", "error")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    resource: _common_pb2.ConfigResource
    error: _errors_pb2.ErrorDetail
    def __init__(self, resource: _Optional[_Union[_common_pb2.ConfigResource, _Mapping]] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class IncrementalAlterConfigsResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[ConfigResult]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[ConfigResult, _Mapping]]] = ...) -> None: ...

class PlacementOptions(_message.Message):
    __slots__ = ("placer", "seed", "racks", "explain")
    class Racks(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        SAFE: _ClassVar[PlacementOptions.Racks]
        ENFORCED: _ClassVar[PlacementOptions.Racks]
        DISABLED: _ClassVar[PlacementOptions.Racks]
    SAFE: PlacementOptions.Racks
    ENFORCED: PlacementOptions.Racks
    DISABLED: PlacementOptions.Racks
    PLACER_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    RACKS_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    placer: str
    seed: int
    racks: PlacementOptions.Racks
    explain: bool
    def __init__(self, placer: _Optional[str] = ..., seed: _Optional[int] = ..., racks: _Optional[_Union[PlacementOptions.Racks, str]] = ..., explain: _Optional[bool] = ...) -> None: ...

class ReplicaAssignment(_message.Message):
    __slots__ = ("partition", "replicas")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    partition: int
    replicas: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, partition: _Optional[int] = ..., replicas: _Optional[_Iterable[int]] = ...) -> None: ...

class NewTopic(_message.Message):
    __slots__ = ("name", "partitions", "replication_factor", "assignments", "configs")
    class ConfigsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    REPLICATION_FACTOR_FIELD_NUMBER: _ClassVar[int]
    ASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    CONFIGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    partitions: int
    replication_factor: int
    assignments: _containers.RepeatedCompositeFieldContainer[ReplicaAssignment]
    configs: _containers.ScalarMap[str, str]
    def __init__(self, name: _Optional[str] = ..., partitions: _Optional[int] = ..., replication_factor: _Optional[int] = ..., assignments: _Optional[_Iterable[_Union[ReplicaAssignment, _Mapping]]] = ..., configs: _Optional[_Mapping[str, str]] = ...) -> None: ...

class CreateTopicsRequest(_message.Message):
    __slots__ = ("options", "topics", "placement")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    topics: _containers.RepeatedCompositeFieldContainer[NewTopic]
    placement: PlacementOptions
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[NewTopic, _Mapping]]] = ..., placement: _Optional[_Union[PlacementOptions, _Mapping]] = ...) -> None: ...

class PlannedPartition(_message.Message):
    __slots__ = ("partition", "replicas", "reasons")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    partition: int
    replicas: _containers.RepeatedScalarFieldContainer[int]
    reasons: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, partition: _Optional[int] = ..., replicas: _Optional[_Iterable[int]] = ..., reasons: _Optional[_Iterable[str]] = ...) -> None: ...

class TopicPlan(_message.Message):
    __slots__ = ("placer", "seed", "partitions")
    PLACER_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    placer: str
    seed: int
    partitions: _containers.RepeatedCompositeFieldContainer[PlannedPartition]
    def __init__(self, placer: _Optional[str] = ..., seed: _Optional[int] = ..., partitions: _Optional[_Iterable[_Union[PlannedPartition, _Mapping]]] = ...) -> None: ...

class TopicResult(_message.Message):
    __slots__ = ("name", "topic_id", "error", "partitions", "replication_factor", "plan")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    REPLICATION_FACTOR_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    name: str
    topic_id: bytes
    error: _errors_pb2.ErrorDetail
    partitions: int
    replication_factor: int
    plan: TopicPlan
    def __init__(self, name: _Optional[str] = ..., topic_id: _Optional[bytes] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ..., partitions: _Optional[int] = ..., replication_factor: _Optional[int] = ..., plan: _Optional[_Union[TopicPlan, _Mapping]] = ...) -> None: ...

class CreateTopicsResponse(_message.Message):
    __slots__ = ("position", "results", "throttle_time_ms")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    THROTTLE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[TopicResult]
    throttle_time_ms: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[TopicResult, _Mapping]]] = ..., throttle_time_ms: _Optional[int] = ...) -> None: ...

class TopicRef(_message.Message):
    __slots__ = ("name", "topic_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    topic_id: bytes
    def __init__(self, name: _Optional[str] = ..., topic_id: _Optional[bytes] = ...) -> None: ...

class DeleteTopicsRequest(_message.Message):
    __slots__ = ("options", "topics")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    topics: _containers.RepeatedCompositeFieldContainer[TopicRef]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[TopicRef, _Mapping]]] = ...) -> None: ...

class DeleteTopicsResponse(_message.Message):
    __slots__ = ("position", "results", "throttle_time_ms")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    THROTTLE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[TopicResult]
    throttle_time_ms: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[TopicResult, _Mapping]]] = ..., throttle_time_ms: _Optional[int] = ...) -> None: ...

class PartitionIncrease(_message.Message):
    __slots__ = ("name", "total", "assignments")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    ASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    total: int
    assignments: _containers.RepeatedCompositeFieldContainer[ReplicaAssignment]
    def __init__(self, name: _Optional[str] = ..., total: _Optional[int] = ..., assignments: _Optional[_Iterable[_Union[ReplicaAssignment, _Mapping]]] = ...) -> None: ...

class CreatePartitionsRequest(_message.Message):
    __slots__ = ("options", "topics", "placement")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    topics: _containers.RepeatedCompositeFieldContainer[PartitionIncrease]
    placement: PlacementOptions
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[PartitionIncrease, _Mapping]]] = ..., placement: _Optional[_Union[PlacementOptions, _Mapping]] = ...) -> None: ...

class CreatePartitionsResponse(_message.Message):
    __slots__ = ("position", "results", "throttle_time_ms")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    THROTTLE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[TopicResult]
    throttle_time_ms: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[TopicResult, _Mapping]]] = ..., throttle_time_ms: _Optional[int] = ...) -> None: ...

class ElectLeadersRequest(_message.Message):
    __slots__ = ("options", "election_type", "topics", "all_partitions")
    class ElectionType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        PREFERRED: _ClassVar[ElectLeadersRequest.ElectionType]
        UNCLEAN: _ClassVar[ElectLeadersRequest.ElectionType]
    PREFERRED: ElectLeadersRequest.ElectionType
    UNCLEAN: ElectLeadersRequest.ElectionType
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ELECTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    ALL_PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    election_type: ElectLeadersRequest.ElectionType
    topics: _containers.RepeatedCompositeFieldContainer[_common_pb2.TopicPartitions]
    all_partitions: bool
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., election_type: _Optional[_Union[ElectLeadersRequest.ElectionType, str]] = ..., topics: _Optional[_Iterable[_Union[_common_pb2.TopicPartitions, _Mapping]]] = ..., all_partitions: _Optional[bool] = ...) -> None: ...

class PartitionResult(_message.Message):
    __slots__ = ("partition", "error")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    partition: int
    error: _errors_pb2.ErrorDetail
    def __init__(self, partition: _Optional[int] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class TopicPartitionResults(_message.Message):
    __slots__ = ("topic", "partitions")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partitions: _containers.RepeatedCompositeFieldContainer[PartitionResult]
    def __init__(self, topic: _Optional[str] = ..., partitions: _Optional[_Iterable[_Union[PartitionResult, _Mapping]]] = ...) -> None: ...

class ElectLeadersResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[TopicPartitionResults]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[TopicPartitionResults, _Mapping]]] = ...) -> None: ...

class PartitionReassignment(_message.Message):
    __slots__ = ("partition", "replicas", "cancel")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    REPLICAS_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    partition: int
    replicas: _containers.RepeatedScalarFieldContainer[int]
    cancel: bool
    def __init__(self, partition: _Optional[int] = ..., replicas: _Optional[_Iterable[int]] = ..., cancel: _Optional[bool] = ...) -> None: ...

class TopicReassignments(_message.Message):
    __slots__ = ("topic", "partitions")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partitions: _containers.RepeatedCompositeFieldContainer[PartitionReassignment]
    def __init__(self, topic: _Optional[str] = ..., partitions: _Optional[_Iterable[_Union[PartitionReassignment, _Mapping]]] = ...) -> None: ...

class AlterPartitionReassignmentsRequest(_message.Message):
    __slots__ = ("options", "topics", "disallow_replication_factor_change")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    DISALLOW_REPLICATION_FACTOR_CHANGE_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    topics: _containers.RepeatedCompositeFieldContainer[TopicReassignments]
    disallow_replication_factor_change: bool
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[TopicReassignments, _Mapping]]] = ..., disallow_replication_factor_change: _Optional[bool] = ...) -> None: ...

class AlterPartitionReassignmentsResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[TopicPartitionResults]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[TopicPartitionResults, _Mapping]]] = ...) -> None: ...

class QuotaAlteration(_message.Message):
    __slots__ = ("entity", "changes")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    entity: _containers.RepeatedCompositeFieldContainer[_common_pb2.QuotaEntityPart]
    changes: _containers.RepeatedCompositeFieldContainer[QuotaChange]
    def __init__(self, entity: _Optional[_Iterable[_Union[_common_pb2.QuotaEntityPart, _Mapping]]] = ..., changes: _Optional[_Iterable[_Union[QuotaChange, _Mapping]]] = ...) -> None: ...

class QuotaChange(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: float
    def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...

class AlterClientQuotasRequest(_message.Message):
    __slots__ = ("options", "entries")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    entries: _containers.RepeatedCompositeFieldContainer[QuotaAlteration]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., entries: _Optional[_Iterable[_Union[QuotaAlteration, _Mapping]]] = ...) -> None: ...

class QuotaResult(_message.Message):
    __slots__ = ("entity", "error")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    entity: _containers.RepeatedCompositeFieldContainer[_common_pb2.QuotaEntityPart]
    error: _errors_pb2.ErrorDetail
    def __init__(self, entity: _Optional[_Iterable[_Union[_common_pb2.QuotaEntityPart, _Mapping]]] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class AlterClientQuotasResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[QuotaResult]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[QuotaResult, _Mapping]]] = ...) -> None: ...

class ScramDeletion(_message.Message):
    __slots__ = ("user", "mechanism")
    USER_FIELD_NUMBER: _ClassVar[int]
    MECHANISM_FIELD_NUMBER: _ClassVar[int]
    user: str
    mechanism: int
    def __init__(self, user: _Optional[str] = ..., mechanism: _Optional[int] = ...) -> None: ...

class ScramUpsertion(_message.Message):
    __slots__ = ("user", "mechanism", "iterations", "salt", "salted_password")
    USER_FIELD_NUMBER: _ClassVar[int]
    MECHANISM_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    SALTED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    user: str
    mechanism: int
    iterations: int
    salt: bytes
    salted_password: bytes
    def __init__(self, user: _Optional[str] = ..., mechanism: _Optional[int] = ..., iterations: _Optional[int] = ..., salt: _Optional[bytes] = ..., salted_password: _Optional[bytes] = ...) -> None: ...

class AlterUserScramCredentialsRequest(_message.Message):
    __slots__ = ("options", "deletions", "upsertions")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    DELETIONS_FIELD_NUMBER: _ClassVar[int]
    UPSERTIONS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    deletions: _containers.RepeatedCompositeFieldContainer[ScramDeletion]
    upsertions: _containers.RepeatedCompositeFieldContainer[ScramUpsertion]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., deletions: _Optional[_Iterable[_Union[ScramDeletion, _Mapping]]] = ..., upsertions: _Optional[_Iterable[_Union[ScramUpsertion, _Mapping]]] = ...) -> None: ...

class ScramResult(_message.Message):
    __slots__ = ("user", "error")
    USER_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    user: str
    error: _errors_pb2.ErrorDetail
    def __init__(self, user: _Optional[str] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class AlterUserScramCredentialsResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[ScramResult]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[ScramResult, _Mapping]]] = ...) -> None: ...

class CreateDelegationTokenRequest(_message.Message):
    __slots__ = ("options", "owner", "renewers", "max_lifetime_ms")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    RENEWERS_FIELD_NUMBER: _ClassVar[int]
    MAX_LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    owner: str
    renewers: _containers.RepeatedScalarFieldContainer[str]
    max_lifetime_ms: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., owner: _Optional[str] = ..., renewers: _Optional[_Iterable[str]] = ..., max_lifetime_ms: _Optional[int] = ...) -> None: ...

class CreateDelegationTokenResponse(_message.Message):
    __slots__ = ("position", "token", "hmac")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    HMAC_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    token: _common_pb2.DelegationToken
    hmac: bytes
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., token: _Optional[_Union[_common_pb2.DelegationToken, _Mapping]] = ..., hmac: _Optional[bytes] = ...) -> None: ...

class RenewDelegationTokenRequest(_message.Message):
    __slots__ = ("options", "hmac", "period_ms")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HMAC_FIELD_NUMBER: _ClassVar[int]
    PERIOD_MS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    hmac: bytes
    period_ms: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., hmac: _Optional[bytes] = ..., period_ms: _Optional[int] = ...) -> None: ...

class RenewDelegationTokenResponse(_message.Message):
    __slots__ = ("position", "expiration_timestamp_ms")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_TIMESTAMP_MS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    expiration_timestamp_ms: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., expiration_timestamp_ms: _Optional[int] = ...) -> None: ...

class ExpireDelegationTokenRequest(_message.Message):
    __slots__ = ("options", "hmac", "period_ms")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HMAC_FIELD_NUMBER: _ClassVar[int]
    PERIOD_MS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    hmac: bytes
    period_ms: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., hmac: _Optional[bytes] = ..., period_ms: _Optional[int] = ...) -> None: ...

class ExpireDelegationTokenResponse(_message.Message):
    __slots__ = ("position", "expiration_timestamp_ms")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_TIMESTAMP_MS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    expiration_timestamp_ms: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., expiration_timestamp_ms: _Optional[int] = ...) -> None: ...

class UnregisterBrokerRequest(_message.Message):
    __slots__ = ("options", "broker_id")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    broker_id: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., broker_id: _Optional[int] = ...) -> None: ...

class UnregisterBrokerResponse(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ...) -> None: ...

class UnregisterControllerRequest(_message.Message):
    __slots__ = ("options", "controller_id")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_ID_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    controller_id: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., controller_id: _Optional[int] = ...) -> None: ...

class UnregisterControllerResponse(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ...) -> None: ...

class AlterBrokerHostRequest(_message.Message):
    __slots__ = ("options", "host", "broker_id")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    host: str
    broker_id: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., host: _Optional[str] = ..., broker_id: _Optional[int] = ...) -> None: ...

class AlterBrokerHostResponse(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ...) -> None: ...

class CreateAclsRequest(_message.Message):
    __slots__ = ("options", "entries")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    entries: _containers.RepeatedCompositeFieldContainer[_common_pb2.AclEntry]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., entries: _Optional[_Iterable[_Union[_common_pb2.AclEntry, _Mapping]]] = ...) -> None: ...

class AclCreation(_message.Message):
    __slots__ = ("error",)
    ERROR_FIELD_NUMBER: _ClassVar[int]
    error: _errors_pb2.ErrorDetail
    def __init__(self, error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class CreateAclsResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[AclCreation]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[AclCreation, _Mapping]]] = ...) -> None: ...

class DeleteAclsRequest(_message.Message):
    __slots__ = ("options", "filters")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    filters: _containers.RepeatedCompositeFieldContainer[_common_pb2.AclFilter]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., filters: _Optional[_Iterable[_Union[_common_pb2.AclFilter, _Mapping]]] = ...) -> None: ...

class AclDeletion(_message.Message):
    __slots__ = ("entries", "error")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_common_pb2.AclEntry]
    error: _errors_pb2.ErrorDetail
    def __init__(self, entries: _Optional[_Iterable[_Union[_common_pb2.AclEntry, _Mapping]]] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class DeleteAclsResponse(_message.Message):
    __slots__ = ("position", "results")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    results: _containers.RepeatedCompositeFieldContainer[AclDeletion]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., results: _Optional[_Iterable[_Union[AclDeletion, _Mapping]]] = ...) -> None: ...
