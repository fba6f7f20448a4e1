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
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import EndQuorumEpochResponse, EndQuorumEpochResponseNodeEndpoint, EndQuorumEpochResponsePartitionData, EndQuorumEpochResponseTopicData

_PACK_H: Final = Struct(">H").pack
_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ihii: Final = Struct(">ihii").pack
_UNPACK_HB: Final = Struct(">HB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihii: Final = Struct(">ihii").unpack_from
_UNPACK_ihiiB: Final = Struct(">ihiiB").unpack_from


def _decode_end_quorum_epoch_response_partition_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochResponsePartitionData], int]:
    made: list[EndQuorumEpochResponsePartitionData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochResponsePartitionData = new(EndQuorumEpochResponsePartitionData)
            m.partition_index, m.error_code, m.leader_id, m.leader_epoch = _UNPACK_ihii(data, at)
            at += 14
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_partition_data_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochResponsePartitionData], int]:
    made: list[EndQuorumEpochResponsePartitionData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochResponsePartitionData = new(EndQuorumEpochResponsePartitionData)
            m.partition_index, m.error_code, m.leader_id, m.leader_epoch, n = _UNPACK_ihiiB(data, at)
            at += 15
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[EndQuorumEpochResponseTopicData], int]:
    made: list[EndQuorumEpochResponseTopicData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochResponseTopicData = new(EndQuorumEpochResponseTopicData)
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
            m.partitions, at = _decode_end_quorum_epoch_response_partition_data_v0(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_topic_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[EndQuorumEpochResponseTopicData], int]:
    made: list[EndQuorumEpochResponseTopicData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochResponseTopicData = new(EndQuorumEpochResponseTopicData)
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
            m.partitions, at = _decode_end_quorum_epoch_response_partition_data_v1(data, at, end, n - 1)
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


def _decode_end_quorum_epoch_response_node_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochResponseNodeEndpoint], int]:
    made: list[EndQuorumEpochResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochResponseNodeEndpoint = new(EndQuorumEpochResponseNodeEndpoint)
            m.node_id = 0
            m.host = ""
            m.port = 0
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_response_node_endpoint_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochResponseNodeEndpoint], int]:
    made: list[EndQuorumEpochResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochResponseNodeEndpoint = new(EndQuorumEpochResponseNodeEndpoint)
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
            m.port, n = _UNPACK_HB(data, at)
            at += 3
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_response_v0(data: bytes, at: int = 0) -> EndQuorumEpochResponse:
    m: EndQuorumEpochResponse = new(EndQuorumEpochResponse)
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
        m.topics, at = _decode_end_quorum_epoch_response_topic_data_v0(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_response_v1(data: bytes, at: int = 0) -> EndQuorumEpochResponse:
    m: EndQuorumEpochResponse = new(EndQuorumEpochResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_end_quorum_epoch_response_topic_data_v1(data, at, end, n - 1)
        n = data[at]
        at += 1
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
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    m.node_endpoints, at = _decode_end_quorum_epoch_response_node_endpoint_v1(data, at, end, n - 1)
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


def _encode_end_quorum_epoch_response_partition_data_v0(items: Sequence[EndQuorumEpochResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_partition_data_v1(items: Sequence[EndQuorumEpochResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_topic_data_v0(items: Sequence[EndQuorumEpochResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
            _encode_end_quorum_epoch_response_partition_data_v0(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_topic_data_v1(items: Sequence[EndQuorumEpochResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_end_quorum_epoch_response_partition_data_v1(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_response_node_endpoint_v0(items: Sequence[EndQuorumEpochResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
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


def _encode_end_quorum_epoch_response_node_endpoint_v1(items: Sequence[EndQuorumEpochResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            host_bytes = m.host.encode()
            out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_response_v0(m: EndQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), plain_prefix(len(topics_items)))
        _encode_end_quorum_epoch_response_topic_data_v0(topics_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_response_v1(m: EndQuorumEpochResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        _encode_end_quorum_epoch_response_topic_data_v1(topics_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            _encode_end_quorum_epoch_response_node_endpoint_v1(node_endpoints_items, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (EndQuorumEpochResponse, 0): (decode_end_quorum_epoch_response_v0, encode_end_quorum_epoch_response_v0),
    (EndQuorumEpochResponse, 1): (decode_end_quorum_epoch_response_v1, encode_end_quorum_epoch_response_v1),
}
"""The decoder and the encoder of every message and version."""
