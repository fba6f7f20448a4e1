from kraftpy.pb.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
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
