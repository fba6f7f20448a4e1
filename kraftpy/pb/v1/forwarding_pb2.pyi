from kraftpy.pb.v1 import errors_pb2 as _errors_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ForwardRequest(_message.Message):
    __slots__ = ("method", "request", "principal", "host", "is_by_sasl", "is_token_authenticated", "client_id")
    METHOD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    IS_BY_SASL_FIELD_NUMBER: _ClassVar[int]
    IS_TOKEN_AUTHENTICATED_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    method: str
    request: bytes
    principal: str
    host: str
    is_by_sasl: bool
    is_token_authenticated: bool
    client_id: str
    def __init__(self, method: _Optional[str] = ..., request: _Optional[bytes] = ..., principal: _Optional[str] = ..., host: _Optional[str] = ..., is_by_sasl: _Optional[bool] = ..., is_token_authenticated: _Optional[bool] = ..., client_id: _Optional[str] = ...) -> None: ...

class ForwardResponse(_message.Message):
    __slots__ = ("response", "error", "throttle_time_ms")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    THROTTLE_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    response: bytes
    error: _errors_pb2.ErrorDetail
    throttle_time_ms: int
    def __init__(self, response: _Optional[bytes] = ..., error: _Optional[_Union[_errors_pb2.ErrorDetail, _Mapping]] = ..., throttle_time_ms: _Optional[int] = ...) -> None: ...
