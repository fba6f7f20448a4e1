"""Generated from ``proto/kafka/rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

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
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import BeginQuorumEpochResponse, BeginQuorumEpochResponseNodeEndpoint, BeginQuorumEpochResponsePartitionData, BeginQuorumEpochResponseTopicData

_PACK_H: Final = Struct(">H").pack
_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ihii: Final = Struct(">ihii").pack
_PACK_t: Final = Struct(">?").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_H: Final = Struct(">H").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_ihii: Final = Struct(">ihii").unpack_from
_UNPACK_t: Final = Struct(">?").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


def _decode_begin_quorum_epoch_response_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponsePartitionData, int]:
    m: BeginQuorumEpochResponsePartitionData = new(BeginQuorumEpochResponsePartitionData)
    try:
        m.recovering = False
        m.directory_id = ZERO_UUID
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
        at += 14
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_partition_data_v1(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochResponsePartitionData, int]:
    m: BeginQuorumEpochResponsePartitionData = new(BeginQuorumEpochResponsePartitionData)
    try:
        m.recovering = False
        m.directory_id = ZERO_UUID
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
        at += 14
        m.unknown_tags = ()
        n = data[at]
        at += 1
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
                    m.recovering, = _UNPACK_t(data, at)
                    at += 1
                elif tag == 1001:
                    m.directory_id, = _UNPACK_u(data, at)
                    at += 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_topic_data_v0(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochResponseTopicData, int]:
    m: BeginQuorumEpochResponseTopicData = new(BeginQuorumEpochResponseTopicData)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.topic_name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 14 > end - at:
            check_count(n - 1, 14, data, at)
        partitions_items: list[BeginQuorumEpochResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_begin_quorum_epoch_response_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_topic_data_v1(data: bytes, at: int, end: int) -> tuple[BeginQuorumEpochResponseTopicData, int]:
    m: BeginQuorumEpochResponseTopicData = new(BeginQuorumEpochResponseTopicData)
    try:
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
        m.topic_name = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 15 > end - at:
            check_count(n - 1, 15, data, at)
        partitions_items: list[BeginQuorumEpochResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_begin_quorum_epoch_response_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_node_endpoint_v0(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponseNodeEndpoint, int]:
    m: BeginQuorumEpochResponseNodeEndpoint = new(BeginQuorumEpochResponseNodeEndpoint)
    try:
        m.node_id = 0
        m.host = ""
        m.port = 0
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_begin_quorum_epoch_response_node_endpoint_v1(data: bytes, at: int, _end: int) -> tuple[BeginQuorumEpochResponseNodeEndpoint, int]:
    m: BeginQuorumEpochResponseNodeEndpoint = new(BeginQuorumEpochResponseNodeEndpoint)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
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
        m.host = data[at:stop].decode()
        at = stop
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_quorum_epoch_response_v0(data: bytes, at: int = 0) -> BeginQuorumEpochResponse:
    m: BeginQuorumEpochResponse = new(BeginQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        topics_items: list[BeginQuorumEpochResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_begin_quorum_epoch_response_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_begin_quorum_epoch_response_v1(data: bytes, at: int = 0) -> BeginQuorumEpochResponse:
    m: BeginQuorumEpochResponse = new(BeginQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[BeginQuorumEpochResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_begin_quorum_epoch_response_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.unknown_tags = ()
        n = data[at]
        at += 1
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
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    node_endpoints_items: list[BeginQuorumEpochResponseNodeEndpoint] = []
                    for _ in range(n - 1):
                        node_endpoints_item, at = _decode_begin_quorum_epoch_response_node_endpoint_v1(data, at, end)
                        node_endpoints_items.append(node_endpoints_item)
                    m.node_endpoints = node_endpoints_items
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


def _encode_begin_quorum_epoch_response_partition_data_v0(m: BeginQuorumEpochResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_partition_data_v1(m: BeginQuorumEpochResponsePartitionData, out: list[bytes]) -> None:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.recovering:
            tags.append((1000, _PACK_t(m.recovering)))
        if m.directory_id != ZERO_UUID:
            if len(m.directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((1001, _PACK_u(m.directory_id)))
        out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_topic_data_v0(m: BeginQuorumEpochResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_begin_quorum_epoch_response_partition_data_v0(partitions_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_topic_data_v1(m: BeginQuorumEpochResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_begin_quorum_epoch_response_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_node_endpoint_v0(m: BeginQuorumEpochResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_begin_quorum_epoch_response_node_endpoint_v1(m: BeginQuorumEpochResponseNodeEndpoint, out: list[bytes]) -> None:
    try:
        host_bytes = m.host.encode()
        out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_quorum_epoch_response_v0(m: BeginQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), plain_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_begin_quorum_epoch_response_topic_data_v0(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_begin_quorum_epoch_response_v1(m: BeginQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_begin_quorum_epoch_response_topic_data_v1(topics_item, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            for node_endpoints_item in node_endpoints_items:
                _encode_begin_quorum_epoch_response_node_endpoint_v1(node_endpoints_item, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (BeginQuorumEpochResponse, 0): (decode_begin_quorum_epoch_response_v0, encode_begin_quorum_epoch_response_v0),
    (BeginQuorumEpochResponse, 1): (decode_begin_quorum_epoch_response_v1, encode_begin_quorum_epoch_response_v1),
}
"""The decoder and the encoder of every message and version."""
