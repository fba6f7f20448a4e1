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
    new,
    plain_string_prefix,
    read_string_length,
    read_tags,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DescribeAclsRequest

_PACK_b: Final = Struct(">b").pack
_PACK_bb: Final = Struct(">bb").pack
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_bb: Final = Struct(">bb").unpack_from
_UNPACK_bbB: Final = Struct(">bbB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from


def decode_describe_acls_request_v1(data: bytes, at: int = 0) -> DescribeAclsRequest:
    m: DescribeAclsRequest = new(DescribeAclsRequest)
    end = len(data)
    try:
        m.resource_type_filter, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.resource_name_filter = data[at:stop].decode()
            at = stop
        else:
            m.resource_name_filter = None
        m.pattern_type_filter, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.principal_filter = data[at:stop].decode()
            at = stop
        else:
            m.principal_filter = None
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.host_filter = data[at:stop].decode()
            at = stop
        else:
            m.host_filter = None
        m.operation, m.permission_type = _UNPACK_bb(data, at)
        at += 2
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_acls_request_v2(data: bytes, at: int = 0) -> DescribeAclsRequest:
    m: DescribeAclsRequest = new(DescribeAclsRequest)
    end = len(data)
    try:
        m.resource_type_filter, n = _UNPACK_bB(data, at)
        at += 2
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.resource_name_filter = data[at:stop].decode()
            at = stop
        else:
            m.resource_name_filter = None
        m.pattern_type_filter, n = _UNPACK_bB(data, at)
        at += 2
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.principal_filter = data[at:stop].decode()
            at = stop
        else:
            m.principal_filter = None
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.host_filter = data[at:stop].decode()
            at = stop
        else:
            m.host_filter = None
        m.operation, m.permission_type, n = _UNPACK_bbB(data, at)
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


def encode_describe_acls_request_v1(m: DescribeAclsRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.resource_name_filter is None:
            resource_name_filter_size, resource_name_filter_bytes = b"\xff\xff", b""
        else:
            resource_name_filter_bytes = m.resource_name_filter.encode()
            resource_name_filter_size = plain_string_prefix(len(resource_name_filter_bytes))
        if m.principal_filter is None:
            principal_filter_size, principal_filter_bytes = b"\xff\xff", b""
        else:
            principal_filter_bytes = m.principal_filter.encode()
            principal_filter_size = plain_string_prefix(len(principal_filter_bytes))
        if m.host_filter is None:
            host_filter_size, host_filter_bytes = b"\xff\xff", b""
        else:
            host_filter_bytes = m.host_filter.encode()
            host_filter_size = plain_string_prefix(len(host_filter_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_b(m.resource_type_filter), resource_name_filter_size, resource_name_filter_bytes, _PACK_b(m.pattern_type_filter), principal_filter_size, principal_filter_bytes, host_filter_size, host_filter_bytes, _PACK_bb(m.operation, m.permission_type)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_acls_request_v2(m: DescribeAclsRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.resource_name_filter is None:
            resource_name_filter_size, resource_name_filter_bytes = NO_TAGS, b""
        else:
            resource_name_filter_bytes = m.resource_name_filter.encode()
            resource_name_filter_size = UVARINT[n + 1] if (n := len(resource_name_filter_bytes)) < SHORT - 1 else string_prefix(n)
        if m.principal_filter is None:
            principal_filter_size, principal_filter_bytes = NO_TAGS, b""
        else:
            principal_filter_bytes = m.principal_filter.encode()
            principal_filter_size = UVARINT[n + 1] if (n := len(principal_filter_bytes)) < SHORT - 1 else string_prefix(n)
        if m.host_filter is None:
            host_filter_size, host_filter_bytes = NO_TAGS, b""
        else:
            host_filter_bytes = m.host_filter.encode()
            host_filter_size = UVARINT[n + 1] if (n := len(host_filter_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_b(m.resource_type_filter), resource_name_filter_size, resource_name_filter_bytes, _PACK_b(m.pattern_type_filter), principal_filter_size, principal_filter_bytes, host_filter_size, host_filter_bytes, _PACK_bb(m.operation, m.permission_type), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeAclsRequest, 1): (decode_describe_acls_request_v1, encode_describe_acls_request_v1),
    (DescribeAclsRequest, 2): (decode_describe_acls_request_v2, encode_describe_acls_request_v2),
    (DescribeAclsRequest, 3): (decode_describe_acls_request_v2, encode_describe_acls_request_v2),
}
"""The decoder and the encoder of every message and version."""
