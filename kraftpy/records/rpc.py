"""Kafka's requests and responses, framed without their four-byte size.

A request is a RequestHeader and a message, a response a ResponseHeader and a message; the headers' versions follow from
the message's: flexible messages have flexible headers. One exception: an ApiVersions response always has header 0, so
that a client that guessed too high a version can read the answer. Which versions are known is :data:`API_VERSIONS`.

Payloads (``records``, ``unaligned_records``) are ``bytes`` and are copied once, when the parts of a frame are joined.

Source: KIP-482, KIP-511; Kafka ``ApiMessageType``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Final

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.records.codec import Message
from kraftpy.records.generated.rpc import CODECS, MESSAGES, RequestHeader, ResponseHeader
from kraftpy.records.schema import load

API_VERSIONS_KEY: Final = 18
_START: Final = Struct(">hh")
_CLIENT_ID_AT: Final = 8
"""Where a request header's client id starts, behind apiKey, version and correlation id."""
NULL_SIZE: Final = -1
"""The length of a string that is null."""


@dataclass(frozen=True, slots=True)
class ApiVersionRange:
    """The versions of one API that can be coded here. Flexible encoding starts at ``flexible_from``."""

    api_key: int
    name: str
    min_version: int
    max_version: int
    flexible_from: int


_REQUESTS: Final[dict[int, type[Message]]] = {cls.API_KEY: cls for cls in MESSAGES if cls.NAME.endswith("Request")}
_RESPONSES: Final[dict[int, type[Message]]] = {cls.API_KEY: cls for cls in MESSAGES if cls.NAME.endswith("Response")}

API_VERSIONS: Final[dict[int, ApiVersionRange]] = {
    message.api_key: ApiVersionRange(
        message.api_key,
        message.name.removesuffix("Request"),
        message.versions.low,
        message.versions.high,
        message.flexible.low,
    )
    for message in load("rpc")
    if message.api_key is not None and message.name.endswith("Request")
}
"""What is known here, by api key. What a listener offers is for its owner to choose from this."""


def request_header_version(api_key: int, version: int) -> int:
    """Return the header version that goes with a request.

    Raises:
        MalformedError: when the api is not known here.
    """
    known = API_VERSIONS.get(api_key)
    if known is None:
        raise MalformedError(f"request has apiKey {api_key}, which is not known here")
    return 2 if version >= known.flexible_from else 1


def response_header_version(api_key: int, version: int) -> int:
    """Return the header version that goes with a response.

    Raises:
        MalformedError: when the api is not known here.
    """
    known = API_VERSIONS.get(api_key)
    if known is None:
        raise MalformedError(f"response has apiKey {api_key}, which is not known here")
    return 1 if version >= known.flexible_from and api_key != API_VERSIONS_KEY else 0


def encode_request(client_id: str | None, correlation_id: int, message: Message, version: int) -> bytes:
    """Write a request frame, without its size.

    Raises:
        LocalError: when the message is no request, has no such version, or holds what that version cannot carry.
    """
    encode = _encoder(message, version, _REQUESTS)
    header = RequestHeader(message.API_KEY, version, correlation_id, client_id)
    header_version = request_header_version(message.API_KEY, version)
    return encode(message, CODECS[RequestHeader, header_version][1](header, b""))


def encode_response(correlation_id: int, message: Message, version: int) -> bytes:
    """Write a response frame, without its size.

    Raises:
        LocalError: when the message is no response, has no such version, or holds what that version cannot carry.
    """
    encode = _encoder(message, version, _RESPONSES)
    header_version = response_header_version(message.API_KEY, version)
    return encode(message, CODECS[ResponseHeader, header_version][1](ResponseHeader(correlation_id), b""))


def decode_request(frame: bytes) -> tuple[RequestHeader, Message]:
    """Read a request frame, without its size.

    Raises:
        MalformedError: when the api or its version is not known here, or the frame breaks a rule.
    """
    api_key, version = _read_start(frame)
    cls = _known(_REQUESTS, api_key, version, "request")
    header, at = CODECS[RequestHeader, request_header_version(api_key, version)][0](frame, 0)
    message: Message = CODECS[cls, version][0](frame, at)
    return header, message


def body_decoder(api_key: int, version: int) -> Callable[[bytes, int], Message]:
    """Return what reads a request's message from where its header ends.

    Raises:
        MalformedError: when the api or its version is not known here.
    """
    return CODECS[_known(_REQUESTS, api_key, version, "request"), version][0]


def body_start(frame: bytes, *, is_flexible: bool) -> int:
    """Return where a request's header ends, and check no more of it than that.

    Raises:
        MalformedError: when the frame ends before, or a length is wrong.
    """
    size = int.from_bytes(frame[_CLIENT_ID_AT : _CLIENT_ID_AT + 2], "big", signed=True)
    at = _CLIENT_ID_AT + 2 + max(size, 0) + is_flexible
    if size < NULL_SIZE or at > len(frame) or (is_flexible and frame[at - 1]):
        # Cut off, or with tagged fields: the generated codec knows what to do, or what to say.
        at = CODECS[RequestHeader, 2 if is_flexible else 1][0](frame, 0)[1]
    return at


def client_id_of(frame: bytes) -> str:
    """Return the client id of a request whose header :func:`body_start` found an end of; empty for none."""
    size = int.from_bytes(frame[_CLIENT_ID_AT : _CLIENT_ID_AT + 2], "big", signed=True)
    start = _CLIENT_ID_AT + 2
    return frame[start : start + size].decode("utf-8", "replace") if size > 0 else ""


def decode_response(api_key: int, version: int, frame: bytes) -> tuple[int, Message]:
    """Read a response frame, without its size; return its correlation id and message.

    Raises:
        MalformedError: when the api or its version is not known here, or the frame breaks a rule.
    """
    cls = _known(_RESPONSES, api_key, version, "response")
    header, at = CODECS[ResponseHeader, response_header_version(api_key, version)][0](frame, 0)
    message: Message = CODECS[cls, version][0](frame, at)
    return header.correlation_id, message


def _read_start(frame: bytes) -> tuple[int, int]:
    if len(frame) < _START.size:
        raise MalformedError(f"request frame has {len(frame)} bytes, a header has at least {_START.size}")
    api_key, version = _START.unpack_from(frame)
    return api_key, version


def _known(classes: dict[int, type[Message]], api_key: int, version: int, kind: str) -> type[Message]:
    cls = classes.get(api_key)
    if cls is None:
        raise MalformedError(f"{kind} has apiKey {api_key}, which is not known here")
    if not cls.MIN_VERSION <= version <= cls.MAX_VERSION:
        raise MalformedError(
            f"{cls.NAME} has version {version}; versions {cls.MIN_VERSION} to {cls.MAX_VERSION} are known here"
        )
    return cls


def _encoder(message: Message, version: int, classes: dict[int, type[Message]]) -> Callable[[Message, bytes], bytes]:
    cls = type(message)
    if classes.get(cls.API_KEY) is not cls:
        raise LocalError(f"{cls.__name__} cannot be sent here: it is not of the kind asked for")
    codec = CODECS.get((cls, version))
    if codec is None:
        raise LocalError(f"{cls.NAME} has no version {version}; it has {cls.MIN_VERSION} to {cls.MAX_VERSION}")
    return codec[1]
