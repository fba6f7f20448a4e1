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
    SHORT,
    UVARINT,
    Codec,
    FieldError,
    Message,
    check_count,
    length_prefix,
    new,
    plain_prefix,
    plain_string_prefix,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import IncrementalAlterConfigsResponse, IncrementalAlterConfigsResponseAlterConfigsResourceResponse

_PACK_b: Final = Struct(">b").pack
_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from


def _decode_incremental_alter_configs_response_alter_configs_resource_response_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse], int]:
    made: list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse] = []
    try:
        for _ in range(count):
            m: IncrementalAlterConfigsResponseAlterConfigsResourceResponse = new(IncrementalAlterConfigsResponseAlterConfigsResourceResponse)
            m.error_code, = _UNPACK_h(data, at)
            at += 2
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.error_message = data[at:stop].decode()
                at = stop
            else:
                m.error_message = None
            m.resource_type, = _UNPACK_b(data, at)
            at += 1
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.resource_name = data[at:stop].decode()
            at = stop
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_incremental_alter_configs_response_alter_configs_resource_response_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse], int]:
    made: list[IncrementalAlterConfigsResponseAlterConfigsResourceResponse] = []
    try:
        for _ in range(count):
            m: IncrementalAlterConfigsResponseAlterConfigsResourceResponse = new(IncrementalAlterConfigsResponseAlterConfigsResourceResponse)
            m.error_code, n = _UNPACK_hB(data, at)
            at += 3
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.error_message = data[at:stop].decode()
                at = stop
            else:
                m.error_message = None
            m.resource_type, n = _UNPACK_bB(data, at)
            at += 2
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.resource_name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_incremental_alter_configs_response_v0(data: bytes, at: int = 0) -> IncrementalAlterConfigsResponse:
    m: IncrementalAlterConfigsResponse = new(IncrementalAlterConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.responses, at = _decode_incremental_alter_configs_response_alter_configs_resource_response_v0(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_incremental_alter_configs_response_v1(data: bytes, at: int = 0) -> IncrementalAlterConfigsResponse:
    m: IncrementalAlterConfigsResponse = new(IncrementalAlterConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.responses, at = _decode_incremental_alter_configs_response_alter_configs_resource_response_v1(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_incremental_alter_configs_response_alter_configs_resource_response_v0(items: Sequence[IncrementalAlterConfigsResponseAlterConfigsResourceResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = b"\xff\xff", b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = plain_string_prefix(len(error_message_bytes))
            resource_name_bytes = m.resource_name.encode()
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_incremental_alter_configs_response_alter_configs_resource_response_v1(items: Sequence[IncrementalAlterConfigsResponseAlterConfigsResourceResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            resource_name_bytes = m.resource_name.encode()
            out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_incremental_alter_configs_response_v0(m: IncrementalAlterConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        _encode_incremental_alter_configs_response_alter_configs_resource_response_v0(responses_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_incremental_alter_configs_response_v1(m: IncrementalAlterConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(responses_items)))
        _encode_incremental_alter_configs_response_alter_configs_resource_response_v1(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (IncrementalAlterConfigsResponse, 0): (decode_incremental_alter_configs_response_v0, encode_incremental_alter_configs_response_v0),
    (IncrementalAlterConfigsResponse, 1): (decode_incremental_alter_configs_response_v1, encode_incremental_alter_configs_response_v1),
}
"""The decoder and the encoder of every message and version."""
