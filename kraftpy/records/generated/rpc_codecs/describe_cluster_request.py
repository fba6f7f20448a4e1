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

from kraftpy.records.generated.rpc import DescribeClusterRequest

_PACK_t: Final = Struct(">?").pack
_PACK_tb: Final = Struct(">?b").pack
_PACK_tbt: Final = Struct(">?b?").pack
_UNPACK_tB: Final = Struct(">?B").unpack_from
_UNPACK_tbB: Final = Struct(">?bB").unpack_from
_UNPACK_tbtB: Final = Struct(">?b?B").unpack_from


def decode_describe_cluster_request_v0(data: bytes, at: int = 0) -> DescribeClusterRequest:
    m: DescribeClusterRequest = new(DescribeClusterRequest)
    end = len(data)
    try:
        m.endpoint_type = 1
        m.include_fenced_brokers = False
        m.include_cluster_authorized_operations, n = _UNPACK_tB(data, at)
        at += 2
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_request_v1(data: bytes, at: int = 0) -> DescribeClusterRequest:
    m: DescribeClusterRequest = new(DescribeClusterRequest)
    end = len(data)
    try:
        m.include_fenced_brokers = False
        m.include_cluster_authorized_operations, m.endpoint_type, n = _UNPACK_tbB(data, at)
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


def decode_describe_cluster_request_v2(data: bytes, at: int = 0) -> DescribeClusterRequest:
    m: DescribeClusterRequest = new(DescribeClusterRequest)
    end = len(data)
    try:
        m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers, n = _UNPACK_tbtB(data, at)
        at += 4
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_describe_cluster_request_v0(m: DescribeClusterRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.endpoint_type != 1:
            raise absent(m, "endpoint_type")
        if m.include_fenced_brokers:
            raise absent(m, "include_fenced_brokers")
        return b"".join((prefix, _PACK_t(m.include_cluster_authorized_operations), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_request_v1(m: DescribeClusterRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.include_fenced_brokers:
            raise absent(m, "include_fenced_brokers")
        return b"".join((prefix, _PACK_tb(m.include_cluster_authorized_operations, m.endpoint_type), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_request_v2(m: DescribeClusterRequest, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_tbt(m.include_cluster_authorized_operations, m.endpoint_type, m.include_fenced_brokers), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeClusterRequest, 0): (decode_describe_cluster_request_v0, encode_describe_cluster_request_v0),
    (DescribeClusterRequest, 1): (decode_describe_cluster_request_v1, encode_describe_cluster_request_v1),
    (DescribeClusterRequest, 2): (decode_describe_cluster_request_v2, encode_describe_cluster_request_v2),
}
"""The decoder and the encoder of every message and version."""
