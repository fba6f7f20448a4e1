from kraftpy.pb.v1 import common_pb2 as _common_pb2
from kraftpy.pb.v1 import errors_pb2 as _errors_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RegisterBrokerRequest(_message.Message):
    __slots__ = ("options", "broker_id", "cluster_id", "incarnation_id", "listeners", "features", "rack", "log_dirs", "previous_broker_epoch", "saturated_log_dirs")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    CLUSTER_ID_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_ID_FIELD_NUMBER: _ClassVar[int]
    LISTENERS_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    RACK_FIELD_NUMBER: _ClassVar[int]
    LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    SATURATED_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    broker_id: int
    cluster_id: str
    incarnation_id: bytes
    listeners: _containers.RepeatedCompositeFieldContainer[_common_pb2.Listener]
    features: _containers.RepeatedCompositeFieldContainer[_common_pb2.SupportedFeature]
    rack: str
    log_dirs: _containers.RepeatedScalarFieldContainer[bytes]
    previous_broker_epoch: int
    saturated_log_dirs: LogDirectories
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., broker_id: _Optional[int] = ..., cluster_id: _Optional[str] = ..., incarnation_id: _Optional[bytes] = ..., listeners: _Optional[_Iterable[_Union[_common_pb2.Listener, _Mapping]]] = ..., features: _Optional[_Iterable[_Union[_common_pb2.SupportedFeature, _Mapping]]] = ..., rack: _Optional[str] = ..., log_dirs: _Optional[_Iterable[bytes]] = ..., previous_broker_epoch: _Optional[int] = ..., saturated_log_dirs: _Optional[_Union[LogDirectories, _Mapping]] = ...) -> None: ...

class RegisterBrokerResponse(_message.Message):
    __slots__ = ("position", "broker_epoch")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    broker_epoch: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., broker_epoch: _Optional[int] = ...) -> None: ...

class BrokerHeartbeatRequest(_message.Message):
    __slots__ = ("options", "broker_id", "broker_epoch", "metadata_offset", "want_fence", "want_shutdown", "offline_log_dirs", "cordoned_log_dirs", "saturated_log_dirs")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    METADATA_OFFSET_FIELD_NUMBER: _ClassVar[int]
    WANT_FENCE_FIELD_NUMBER: _ClassVar[int]
    WANT_SHUTDOWN_FIELD_NUMBER: _ClassVar[int]
    OFFLINE_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    CORDONED_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    SATURATED_LOG_DIRS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    broker_id: int
    broker_epoch: int
    metadata_offset: int
    want_fence: bool
    want_shutdown: bool
    offline_log_dirs: _containers.RepeatedScalarFieldContainer[bytes]
    cordoned_log_dirs: LogDirectories
    saturated_log_dirs: LogDirectories
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., broker_id: _Optional[int] = ..., broker_epoch: _Optional[int] = ..., metadata_offset: _Optional[int] = ..., want_fence: _Optional[bool] = ..., want_shutdown: _Optional[bool] = ..., offline_log_dirs: _Optional[_Iterable[bytes]] = ..., cordoned_log_dirs: _Optional[_Union[LogDirectories, _Mapping]] = ..., saturated_log_dirs: _Optional[_Union[LogDirectories, _Mapping]] = ...) -> None: ...

class LogDirectories(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, ids: _Optional[_Iterable[bytes]] = ...) -> None: ...

class BrokerHeartbeatResponse(_message.Message):
    __slots__ = ("position", "is_caught_up", "is_fenced", "in_controlled_shutdown", "should_shut_down")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    IS_CAUGHT_UP_FIELD_NUMBER: _ClassVar[int]
    IS_FENCED_FIELD_NUMBER: _ClassVar[int]
    IN_CONTROLLED_SHUTDOWN_FIELD_NUMBER: _ClassVar[int]
    SHOULD_SHUT_DOWN_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    is_caught_up: bool
    is_fenced: bool
    in_controlled_shutdown: bool
    should_shut_down: bool
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., is_caught_up: _Optional[bool] = ..., is_fenced: _Optional[bool] = ..., in_controlled_shutdown: _Optional[bool] = ..., should_shut_down: _Optional[bool] = ...) -> None: ...

class RegisterControllerRequest(_message.Message):
    __slots__ = ("options", "controller_id", "incarnation_id", "listeners", "features")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_ID_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_ID_FIELD_NUMBER: _ClassVar[int]
    LISTENERS_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    controller_id: int
    incarnation_id: bytes
    listeners: _containers.RepeatedCompositeFieldContainer[_common_pb2.Listener]
    features: _containers.RepeatedCompositeFieldContainer[_common_pb2.SupportedFeature]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., controller_id: _Optional[int] = ..., incarnation_id: _Optional[bytes] = ..., listeners: _Optional[_Iterable[_Union[_common_pb2.Listener, _Mapping]]] = ..., features: _Optional[_Iterable[_Union[_common_pb2.SupportedFeature, _Mapping]]] = ...) -> None: ...

class RegisterControllerResponse(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ...) -> None: ...

class AlterPartitionRequest(_message.Message):
    __slots__ = ("options", "broker_id", "broker_epoch", "topics")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    broker_id: int
    broker_epoch: int
    topics: _containers.RepeatedCompositeFieldContainer[TopicInSyncReplicas]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., broker_id: _Optional[int] = ..., broker_epoch: _Optional[int] = ..., topics: _Optional[_Iterable[_Union[TopicInSyncReplicas, _Mapping]]] = ...) -> None: ...

class TopicInSyncReplicas(_message.Message):
    __slots__ = ("topic_id", "partitions")
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic_id: bytes
    partitions: _containers.RepeatedCompositeFieldContainer[PartitionInSyncReplicas]
    def __init__(self, topic_id: _Optional[bytes] = ..., partitions: _Optional[_Iterable[_Union[PartitionInSyncReplicas, _Mapping]]] = ...) -> None: ...

class PartitionInSyncReplicas(_message.Message):
    __slots__ = ("partition", "leader_epoch", "partition_epoch", "isr", "recovering")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    LEADER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    PARTITION_EPOCH_FIELD_NUMBER: _ClassVar[int]
    ISR_FIELD_NUMBER: _ClassVar[int]
    RECOVERING_FIELD_NUMBER: _ClassVar[int]
    partition: int
    leader_epoch: int
    partition_epoch: int
    isr: _containers.RepeatedCompositeFieldContainer[InSyncReplica]
    recovering: bool
    def __init__(self, partition: _Optional[int] = ..., leader_epoch: _Optional[int] = ..., partition_epoch: _Optional[int] = ..., isr: _Optional[_Iterable[_Union[InSyncReplica, _Mapping]]] = ..., recovering: _Optional[bool] = ...) -> None: ...

class InSyncReplica(_message.Message):
    __slots__ = ("broker_id", "broker_epoch")
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    broker_id: int
    broker_epoch: int
    def __init__(self, broker_id: _Optional[int] = ..., broker_epoch: _Optional[int] = ...) -> None: ...

class AlterPartitionResponse(_message.Message):
    __slots__ = ("position", "topics")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    topics: _containers.RepeatedCompositeFieldContainer[TopicAlterations]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., topics: _Optional[_Iterable[_Union[TopicAlterations, _Mapping]]] = ...) -> None: ...

class TopicAlterations(_message.Message):
    __slots__ = ("topic_id", "partitions")
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic_id: bytes
    partitions: _containers.RepeatedCompositeFieldContainer[PartitionAlteration]
    def __init__(self, topic_id: _Optional[bytes] = ..., partitions: _Optional[_Iterable[_Union[PartitionAlteration, _Mapping]]] = ...) -> None: ...

class PartitionAlteration(_message.Message):
    __slots__ = ("partition", "error", "leader", "leader_epoch", "partition_epoch", "isr", "recovering")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    LEADER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    PARTITION_EPOCH_FIELD_NUMBER: _ClassVar[int]
    ISR_FIELD_NUMBER: _ClassVar[int]
    RECOVERING_FIELD_NUMBER: _ClassVar[int]
    partition: int
    error: _errors_pb2.ErrorDetail
    leader: int
    leader_epoch: int
    partition_epoch: int
    isr: _containers.RepeatedScalarFieldContainer[int]
    recovering: bool
    def __init__(self, partition: _Optional[int] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ..., leader: _Optional[int] = ..., leader_epoch: _Optional[int] = ..., partition_epoch: _Optional[int] = ..., isr: _Optional[_Iterable[int]] = ..., recovering: _Optional[bool] = ...) -> None: ...

class AssignReplicasToDirsRequest(_message.Message):
    __slots__ = ("options", "broker_id", "broker_epoch", "directories")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    DIRECTORIES_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    broker_id: int
    broker_epoch: int
    directories: _containers.RepeatedCompositeFieldContainer[DirectoryReplicas]
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., broker_id: _Optional[int] = ..., broker_epoch: _Optional[int] = ..., directories: _Optional[_Iterable[_Union[DirectoryReplicas, _Mapping]]] = ...) -> None: ...

class DirectoryReplicas(_message.Message):
    __slots__ = ("directory_id", "topics")
    DIRECTORY_ID_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    directory_id: bytes
    topics: _containers.RepeatedCompositeFieldContainer[TopicReplicas]
    def __init__(self, directory_id: _Optional[bytes] = ..., topics: _Optional[_Iterable[_Union[TopicReplicas, _Mapping]]] = ...) -> None: ...

class TopicReplicas(_message.Message):
    __slots__ = ("topic_id", "partitions")
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic_id: bytes
    partitions: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, topic_id: _Optional[bytes] = ..., partitions: _Optional[_Iterable[int]] = ...) -> None: ...

class AssignReplicasToDirsResponse(_message.Message):
    __slots__ = ("position", "directories")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DIRECTORIES_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    directories: _containers.RepeatedCompositeFieldContainer[DirectoryReplicasResult]
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., directories: _Optional[_Iterable[_Union[DirectoryReplicasResult, _Mapping]]] = ...) -> None: ...

class DirectoryReplicasResult(_message.Message):
    __slots__ = ("directory_id", "topics")
    DIRECTORY_ID_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    directory_id: bytes
    topics: _containers.RepeatedCompositeFieldContainer[TopicReplicasResult]
    def __init__(self, directory_id: _Optional[bytes] = ..., topics: _Optional[_Iterable[_Union[TopicReplicasResult, _Mapping]]] = ...) -> None: ...

class TopicReplicasResult(_message.Message):
    __slots__ = ("topic_id", "partitions")
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic_id: bytes
    partitions: _containers.RepeatedCompositeFieldContainer[ReplicaResult]
    def __init__(self, topic_id: _Optional[bytes] = ..., partitions: _Optional[_Iterable[_Union[ReplicaResult, _Mapping]]] = ...) -> None: ...

class ReplicaResult(_message.Message):
    __slots__ = ("partition", "error")
    PARTITION_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    partition: int
    error: _errors_pb2.ErrorDetail
    def __init__(self, partition: _Optional[int] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ...) -> None: ...

class AllocateProducerIdsRequest(_message.Message):
    __slots__ = ("options", "broker_id", "broker_epoch")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    BROKER_EPOCH_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    broker_id: int
    broker_epoch: int
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., broker_id: _Optional[int] = ..., broker_epoch: _Optional[int] = ...) -> None: ...

class AllocateProducerIdsResponse(_message.Message):
    __slots__ = ("position", "start", "length")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    start: int
    length: int
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., start: _Optional[int] = ..., length: _Optional[int] = ...) -> None: ...

class AssignBrokerIdRequest(_message.Message):
    __slots__ = ("options", "host", "incarnation_id")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_ID_FIELD_NUMBER: _ClassVar[int]
    options: _common_pb2.WriteOptions
    host: str
    incarnation_id: bytes
    def __init__(self, options: _Optional[_Union[_common_pb2.WriteOptions, _Mapping]] = ..., host: _Optional[str] = ..., incarnation_id: _Optional[bytes] = ...) -> None: ...

class AssignBrokerIdResponse(_message.Message):
    __slots__ = ("position", "broker_id", "source")
    class Source(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        HOST: _ClassVar[AssignBrokerIdResponse.Source]
        MISSING: _ClassVar[AssignBrokerIdResponse.Source]
        GENERATED: _ClassVar[AssignBrokerIdResponse.Source]
    HOST: AssignBrokerIdResponse.Source
    MISSING: AssignBrokerIdResponse.Source
    GENERATED: AssignBrokerIdResponse.Source
    POSITION_FIELD_NUMBER: _ClassVar[int]
    BROKER_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.CommitPosition
    broker_id: int
    source: AssignBrokerIdResponse.Source
    def __init__(self, position: _Optional[_Union[_common_pb2.CommitPosition, _Mapping]] = ..., broker_id: _Optional[int] = ..., source: _Optional[_Union[AssignBrokerIdResponse.Source, str]] = ...) -> None: ...
