"""Generated from ``proto/kafka/rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import ClassVar, Final

from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.codec import (
    DECODE_ERRORS,
    ENCODE_ERRORS,
    NO_TAGS,
    Codec,
    FieldError,
    Message,
    new,
    plain_string_prefix,
    read_tags,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import RequestHeader

_PACK_hhi: Final = Struct(">hhi").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hhi: Final = Struct(">hhi").unpack_from


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


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (RequestHeader, 0): (decode_request_header_v0, encode_request_header_v0),
    (RequestHeader, 1): (decode_request_header_v1, encode_request_header_v1),
    (RequestHeader, 2): (decode_request_header_v2, encode_request_header_v2),
}
"""The decoder and the encoder of every message and version."""
