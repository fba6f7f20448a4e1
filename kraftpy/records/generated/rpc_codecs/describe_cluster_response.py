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
    read_string_length,
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DescribeClusterResponse, DescribeClusterResponseDescribeClusterBroker, DescribeClusterResponsePublicApiEndpoint

_PACK_Hh: Final = Struct(">Hh").pack
_PACK_b: Final = Struct(">b").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_t: Final = Struct(">?").pack
_UNPACK_HhB: Final = Struct(">HhB").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from


def _decode_describe_cluster_response_describe_cluster_broker_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeClusterResponseDescribeClusterBroker], int]:
    made: list[DescribeClusterResponseDescribeClusterBroker] = []
    try:
        for _ in range(count):
            m: DescribeClusterResponseDescribeClusterBroker = new(DescribeClusterResponseDescribeClusterBroker)
            m.is_fenced = False
            m.broker_id, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.host = data[at:stop].decode()
            at = stop
            m.port, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.rack = data[at:stop].decode()
                at = stop
            else:
                m.rack = None
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


def _decode_describe_cluster_response_describe_cluster_broker_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeClusterResponseDescribeClusterBroker], int]:
    made: list[DescribeClusterResponseDescribeClusterBroker] = []
    try:
        for _ in range(count):
            m: DescribeClusterResponseDescribeClusterBroker = new(DescribeClusterResponseDescribeClusterBroker)
            m.broker_id, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.host = data[at:stop].decode()
            at = stop
            m.port, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.rack = data[at:stop].decode()
                at = stop
            else:
                m.rack = None
            m.is_fenced, n = _UNPACK_tB(data, at)
            at += 2
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_cluster_response_public_api_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeClusterResponsePublicApiEndpoint], int]:
    made: list[DescribeClusterResponsePublicApiEndpoint] = []
    try:
        for _ in range(count):
            m: DescribeClusterResponsePublicApiEndpoint = new(DescribeClusterResponsePublicApiEndpoint)
            m.node_id, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.host = data[at:stop].decode()
            at = stop
            m.port, m.security_protocol, n = _UNPACK_HhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_response_v0(data: bytes, at: int = 0) -> DescribeClusterResponse:
    m: DescribeClusterResponse = new(DescribeClusterResponse)
    end = len(data)
    try:
        m.endpoint_type = 1
        m.public_api_endpoints = []
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
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
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.controller_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        m.brokers, at = _decode_describe_cluster_response_describe_cluster_broker_v0(data, at, end, n - 1)
        m.cluster_authorized_operations, n = _UNPACK_iB(data, at)
        at += 5
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 1000:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 10 > end - at:
                        check_count(n - 1, 10, data, at)
                    m.public_api_endpoints, at = _decode_describe_cluster_response_public_api_endpoint_v0(data, at, end, n - 1)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_response_v1(data: bytes, at: int = 0) -> DescribeClusterResponse:
    m: DescribeClusterResponse = new(DescribeClusterResponse)
    end = len(data)
    try:
        m.public_api_endpoints = []
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
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
        m.endpoint_type, n = _UNPACK_bB(data, at)
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
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.controller_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        m.brokers, at = _decode_describe_cluster_response_describe_cluster_broker_v0(data, at, end, n - 1)
        m.cluster_authorized_operations, n = _UNPACK_iB(data, at)
        at += 5
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 1000:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 10 > end - at:
                        check_count(n - 1, 10, data, at)
                    m.public_api_endpoints, at = _decode_describe_cluster_response_public_api_endpoint_v0(data, at, end, n - 1)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_cluster_response_v2(data: bytes, at: int = 0) -> DescribeClusterResponse:
    m: DescribeClusterResponse = new(DescribeClusterResponse)
    end = len(data)
    try:
        m.public_api_endpoints = []
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
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
        m.endpoint_type, n = _UNPACK_bB(data, at)
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
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.controller_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 12 > end - at:
            check_count(n - 1, 12, data, at)
        m.brokers, at = _decode_describe_cluster_response_describe_cluster_broker_v2(data, at, end, n - 1)
        m.cluster_authorized_operations, n = _UNPACK_iB(data, at)
        at += 5
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 1000:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 10 > end - at:
                        check_count(n - 1, 10, data, at)
                    m.public_api_endpoints, at = _decode_describe_cluster_response_public_api_endpoint_v0(data, at, end, n - 1)
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_describe_cluster_response_describe_cluster_broker_v0(items: Sequence[DescribeClusterResponseDescribeClusterBroker], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.is_fenced:
                raise absent(m, "is_fenced")
            host_bytes = m.host.encode()
            if m.rack is None:
                rack_size, rack_bytes = NO_TAGS, b""
            else:
                rack_bytes = m.rack.encode()
                rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
            out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), rack_size, rack_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_cluster_response_describe_cluster_broker_v2(items: Sequence[DescribeClusterResponseDescribeClusterBroker], out: list[bytes]) -> None:
    try:
        for m in items:
            host_bytes = m.host.encode()
            if m.rack is None:
                rack_size, rack_bytes = NO_TAGS, b""
            else:
                rack_bytes = m.rack.encode()
                rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
            out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), rack_size, rack_bytes, _PACK_t(m.is_fenced), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_cluster_response_public_api_endpoint_v0(items: Sequence[DescribeClusterResponsePublicApiEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            host_bytes = m.host.encode()
            out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_response_v0(m: DescribeClusterResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.endpoint_type != 1:
            raise absent(m, "endpoint_type")
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        cluster_id_bytes = m.cluster_id.encode()
        brokers_items = m.brokers
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_i(m.controller_id), length_prefix(len(brokers_items)))
        _encode_describe_cluster_response_describe_cluster_broker_v0(brokers_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.public_api_endpoints:
            public_api_endpoints_parts: list[bytes] = []
            public_api_endpoints_items = m.public_api_endpoints
            public_api_endpoints_parts.append(length_prefix(len(public_api_endpoints_items)))
            _encode_describe_cluster_response_public_api_endpoint_v0(public_api_endpoints_items, public_api_endpoints_parts)
            tags.append((1000, b"".join(public_api_endpoints_parts)))
        out += (_PACK_i(m.cluster_authorized_operations), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_response_v1(m: DescribeClusterResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        cluster_id_bytes = m.cluster_id.encode()
        brokers_items = m.brokers
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, _PACK_b(m.endpoint_type), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_i(m.controller_id), length_prefix(len(brokers_items)))
        _encode_describe_cluster_response_describe_cluster_broker_v0(brokers_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.public_api_endpoints:
            public_api_endpoints_parts: list[bytes] = []
            public_api_endpoints_items = m.public_api_endpoints
            public_api_endpoints_parts.append(length_prefix(len(public_api_endpoints_items)))
            _encode_describe_cluster_response_public_api_endpoint_v0(public_api_endpoints_items, public_api_endpoints_parts)
            tags.append((1000, b"".join(public_api_endpoints_parts)))
        out += (_PACK_i(m.cluster_authorized_operations), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_cluster_response_v2(m: DescribeClusterResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        cluster_id_bytes = m.cluster_id.encode()
        brokers_items = m.brokers
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, _PACK_b(m.endpoint_type), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_i(m.controller_id), length_prefix(len(brokers_items)))
        _encode_describe_cluster_response_describe_cluster_broker_v2(brokers_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.public_api_endpoints:
            public_api_endpoints_parts: list[bytes] = []
            public_api_endpoints_items = m.public_api_endpoints
            public_api_endpoints_parts.append(length_prefix(len(public_api_endpoints_items)))
            _encode_describe_cluster_response_public_api_endpoint_v0(public_api_endpoints_items, public_api_endpoints_parts)
            tags.append((1000, b"".join(public_api_endpoints_parts)))
        out += (_PACK_i(m.cluster_authorized_operations), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeClusterResponse, 0): (decode_describe_cluster_response_v0, encode_describe_cluster_response_v0),
    (DescribeClusterResponse, 1): (decode_describe_cluster_response_v1, encode_describe_cluster_response_v1),
    (DescribeClusterResponse, 2): (decode_describe_cluster_response_v2, encode_describe_cluster_response_v2),
}
"""The decoder and the encoder of every message and version."""
