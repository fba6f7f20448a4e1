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
    plain_strings,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    strings,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DescribeConfigsRequest, DescribeConfigsRequestDescribeConfigsResource

_PACK_b: Final = Struct(">b").pack
_PACK_t: Final = Struct(">?").pack
_PACK_tt: Final = Struct(">??").pack
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_t: Final = Struct(">?").unpack_from
_UNPACK_tt: Final = Struct(">??").unpack_from
_UNPACK_ttB: Final = Struct(">??B").unpack_from


def _decode_describe_configs_request_describe_configs_resource_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsRequestDescribeConfigsResource], int]:
    made: list[DescribeConfigsRequestDescribeConfigsResource] = []
    try:
        for _ in range(count):
            m: DescribeConfigsRequestDescribeConfigsResource = new(DescribeConfigsRequestDescribeConfigsResource)
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
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                if (n - 1) * 2 > end - at:
                    check_count(n - 1, 2, data, at)
                configuration_keys_items: list[str] = []
                for _ in range(n - 1):
                    (n,) = _UNPACK_h(data, at)
                    at += 2
                    n += 1
                    if n < 0:
                        raise FieldError(f"length {n - 1} is negative")
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    stop = at + n - 1
                    configuration_keys_items.append(data[at:stop].decode())
                    at = stop
                m.configuration_keys = configuration_keys_items
            else:
                m.configuration_keys = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_request_describe_configs_resource_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsRequestDescribeConfigsResource], int]:
    made: list[DescribeConfigsRequestDescribeConfigsResource] = []
    try:
        for _ in range(count):
            m: DescribeConfigsRequestDescribeConfigsResource = new(DescribeConfigsRequestDescribeConfigsResource)
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
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                if (n - 1) * 1 > end - at:
                    check_count(n - 1, 1, data, at)
                configuration_keys_items: list[str] = []
                for _ in range(n - 1):
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    stop = at + n - 1
                    configuration_keys_items.append(data[at:stop].decode())
                    at = stop
                m.configuration_keys = configuration_keys_items
            else:
                m.configuration_keys = None
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


def decode_describe_configs_request_v1(data: bytes, at: int = 0) -> DescribeConfigsRequest:
    m: DescribeConfigsRequest = new(DescribeConfigsRequest)
    end = len(data)
    try:
        m.include_documentation = False
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.resources, at = _decode_describe_configs_request_describe_configs_resource_v1(data, at, end, n - 1)
        m.include_synonyms, = _UNPACK_t(data, at)
        at += 1
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_request_v3(data: bytes, at: int = 0) -> DescribeConfigsRequest:
    m: DescribeConfigsRequest = new(DescribeConfigsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.resources, at = _decode_describe_configs_request_describe_configs_resource_v1(data, at, end, n - 1)
        m.include_synonyms, m.include_documentation = _UNPACK_tt(data, at)
        at += 2
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_request_v4(data: bytes, at: int = 0) -> DescribeConfigsRequest:
    m: DescribeConfigsRequest = new(DescribeConfigsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        m.resources, at = _decode_describe_configs_request_describe_configs_resource_v4(data, at, end, n - 1)
        m.include_synonyms, m.include_documentation, n = _UNPACK_ttB(data, at)
        at += 3
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_describe_configs_request_describe_configs_resource_v1(items: Sequence[DescribeConfigsRequestDescribeConfigsResource], out: list[bytes]) -> None:
    try:
        for m in items:
            resource_name_bytes = m.resource_name.encode()
            configuration_keys_items = m.configuration_keys
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, b"\xff\xff\xff\xff" if configuration_keys_items is None else plain_strings(configuration_keys_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_request_describe_configs_resource_v4(items: Sequence[DescribeConfigsRequestDescribeConfigsResource], out: list[bytes]) -> None:
    try:
        for m in items:
            resource_name_bytes = m.resource_name.encode()
            configuration_keys_items = m.configuration_keys
            out += (_PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, NO_TAGS if configuration_keys_items is None else strings(configuration_keys_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_request_v1(m: DescribeConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.include_documentation:
            raise absent(m, "include_documentation")
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        _encode_describe_configs_request_describe_configs_resource_v1(resources_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_t(m.include_synonyms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_request_v3(m: DescribeConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        _encode_describe_configs_request_describe_configs_resource_v1(resources_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_tt(m.include_synonyms, m.include_documentation),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_request_v4(m: DescribeConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (length_prefix(len(resources_items)),)
        _encode_describe_configs_request_describe_configs_resource_v4(resources_items, out)
        out += (_PACK_tt(m.include_synonyms, m.include_documentation), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeConfigsRequest, 1): (decode_describe_configs_request_v1, encode_describe_configs_request_v1),
    (DescribeConfigsRequest, 2): (decode_describe_configs_request_v1, encode_describe_configs_request_v1),
    (DescribeConfigsRequest, 3): (decode_describe_configs_request_v3, encode_describe_configs_request_v3),
    (DescribeConfigsRequest, 4): (decode_describe_configs_request_v4, encode_describe_configs_request_v4),
}
"""The decoder and the encoder of every message and version."""
