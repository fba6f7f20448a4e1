from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AuthenticateRequest(_message.Message):
    __slots__ = ("mechanism", "data")
    MECHANISM_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    mechanism: str
    data: bytes
    def __init__(self, mechanism: _Optional[str] = ..., data: _Optional[bytes] = ...) -> None: ...

class AuthenticateResponse(_message.Message):
    __slots__ = ("data", "session")
    DATA_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    session: AuthenticatedSession
    def __init__(self, data: _Optional[bytes] = ..., session: _Optional[_Union[AuthenticatedSession, _Mapping]] = ...) -> None: ...

class AuthenticatedSession(_message.Message):
    __slots__ = ("token", "lifetime_ms", "principal")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_MS_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    token: str
    lifetime_ms: int
    principal: str
    def __init__(self, token: _Optional[str] = ..., lifetime_ms: _Optional[int] = ..., principal: _Optional[str] = ...) -> None: ...
