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
    Message,
    new,
    read_tags,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import ResponseHeader

_PACK_i: Final = Struct(">i").pack
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from


def decode_response_header_v0(data: bytes, at: int = 0) -> tuple[ResponseHeader, int]:
    m: ResponseHeader = new(ResponseHeader)
    end = len(data)
    try:
        m.correlation_id, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_response_header_v1(data: bytes, at: int = 0) -> tuple[ResponseHeader, int]:
    m: ResponseHeader = new(ResponseHeader)
    end = len(data)
    try:
        m.correlation_id, n = _UNPACK_iB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at > end:
            raise leftover(m, data, at)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_response_header_v0(m: ResponseHeader, prefix: bytes = b"") -> bytes:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_i(m.correlation_id)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_response_header_v1(m: ResponseHeader, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_i(m.correlation_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ResponseHeader, 0): (decode_response_header_v0, encode_response_header_v0),
    (ResponseHeader, 1): (decode_response_header_v1, encode_response_header_v1),
}
"""The decoder and the encoder of every message and version."""
