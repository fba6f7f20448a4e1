from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CommitPosition(_message.Message):
    __slots__ = ("offset", "epoch", "sequence")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    offset: int
    epoch: int
    sequence: int
    def __init__(self, offset: _Optional[int] = ..., epoch: _Optional[int] = ..., sequence: _Optional[int] = ...) -> None: ...

class ReadPosition(_message.Message):
    __slots__ = ("offset", "epoch", "age_ms", "consistency")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    AGE_MS_FIELD_NUMBER: _ClassVar[int]
    CONSISTENCY_FIELD_NUMBER: _ClassVar[int]
    offset: int
    epoch: int
    age_ms: int
    consistency: ReadOptions.Consistency
    def __init__(self, offset: _Optional[int] = ..., epoch: _Optional[int] = ..., age_ms: _Optional[int] = ..., consistency: _Optional[_Union[ReadOptions.Consistency, str]] = ...) -> None: ...

class ReadOptions(_message.Message):
    __slots__ = ("consistency", "min_offset", "max_wait_ms")
    class Consistency(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        COMMITTED: _ClassVar[ReadOptions.Consistency]
        LINEARIZABLE: _ClassVar[ReadOptions.Consistency]
    COMMITTED: ReadOptions.Consistency
    LINEARIZABLE: ReadOptions.Consistency
    CONSISTENCY_FIELD_NUMBER: _ClassVar[int]
    MIN_OFFSET_FIELD_NUMBER: _ClassVar[int]
    MAX_WAIT_MS_FIELD_NUMBER: _ClassVar[int]
    consistency: ReadOptions.Consistency
    min_offset: int
    max_wait_ms: int
    def __init__(self, consistency: _Optional[_Union[ReadOptions.Consistency, str]] = ..., min_offset: _Optional[int] = ..., max_wait_ms: _Optional[int] = ...) -> None: ...

class WriteOptions(_message.Message):
    __slots__ = ("validate_only", "request_id", "first_sent_epoch", "is_retry", "first_sent_sequence")
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_SENT_EPOCH_FIELD_NUMBER: _ClassVar[int]
    IS_RETRY_FIELD_NUMBER: _ClassVar[int]
    FIRST_SENT_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    validate_only: bool
    request_id: bytes
    first_sent_epoch: int
    is_retry: bool
    first_sent_sequence: int
    def __init__(self, validate_only: _Optional[bool] = ..., request_id: _Optional[bytes] = ..., first_sent_epoch: _Optional[int] = ..., is_retry: _Optional[bool] = ..., first_sent_sequence: _Optional[int] = ...) -> None: ...

class Endpoint(_message.Message):
    __slots__ = ("name", "host", "port")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    name: str
    host: str
    port: int
    def __init__(self, name: _Optional[str] = ..., host: _Optional[str] = ..., port: _Optional[int] = ...) -> None: ...

class Listener(_message.Message):
    __slots__ = ("name", "host", "port", "security_protocol")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PORT_FIELD_NUMBER: _ClassVar[int]
    SECURITY_PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    name: str
    host: str
    port: int
    security_protocol: int
    def __init__(self, name: _Optional[str] = ..., host: _Optional[str] = ..., port: _Optional[int] = ..., security_protocol: _Optional[int] = ...) -> None: ...

class SupportedFeature(_message.Message):
    __slots__ = ("name", "min_level", "max_level")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MIN_LEVEL_FIELD_NUMBER: _ClassVar[int]
    MAX_LEVEL_FIELD_NUMBER: _ClassVar[int]
    name: str
    min_level: int
    max_level: int
    def __init__(self, name: _Optional[str] = ..., min_level: _Optional[int] = ..., max_level: _Optional[int] = ...) -> None: ...

class ConfigResource(_message.Message):
    __slots__ = ("type", "name")
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        UNKNOWN: _ClassVar[ConfigResource.Type]
        TOPIC: _ClassVar[ConfigResource.Type]
        BROKER: _ClassVar[ConfigResource.Type]
        CLIENT_METRICS: _ClassVar[ConfigResource.Type]
        GROUP: _ClassVar[ConfigResource.Type]
    UNKNOWN: ConfigResource.Type
    TOPIC: ConfigResource.Type
    BROKER: ConfigResource.Type
    CLIENT_METRICS: ConfigResource.Type
    GROUP: ConfigResource.Type
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    type: ConfigResource.Type
    name: str
    def __init__(self, type: _Optional[_Union[ConfigResource.Type, str]] = ..., name: _Optional[str] = ...) -> None: ...

class TopicPartitions(_message.Message):
    __slots__ = ("topic", "partitions")
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    PARTITIONS_FIELD_NUMBER: _ClassVar[int]
    topic: str
    partitions: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, topic: _Optional[str] = ..., partitions: _Optional[_Iterable[int]] = ...) -> None: ...

class QuotaEntityPart(_message.Message):
    __slots__ = ("type", "name")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    type: str
    name: str
    def __init__(self, type: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...
