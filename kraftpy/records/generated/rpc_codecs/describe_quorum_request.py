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
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DescribeQuorumRequest, DescribeQuorumRequestPartitionData, DescribeQuorumRequestTopicData

_PACK_i: Final = Struct(">i").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from


def _decode_describe_quorum_request_partition_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeQuorumRequestPartitionData], int]:
    made: list[DescribeQuorumRequestPartitionData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumRequestPartitionData = new(DescribeQuorumRequestPartitionData)
            m.partition_index, n = _UNPACK_iB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_request_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumRequestTopicData], int]:
    made: list[DescribeQuorumRequestTopicData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumRequestTopicData = new(DescribeQuorumRequestTopicData)
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
            if (n - 1) * 5 > end - at:
                check_count(n - 1, 5, data, at)
            m.partitions, at = _decode_describe_quorum_request_partition_data_v0(data, at, end, n - 1)
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


def decode_describe_quorum_request_v0(data: bytes, at: int = 0) -> DescribeQuorumRequest:
    m: DescribeQuorumRequest = new(DescribeQuorumRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_describe_quorum_request_topic_data_v0(data, at, end, n - 1)
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


def _encode_describe_quorum_request_partition_data_v0(items: Sequence[DescribeQuorumRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_i(m.partition_index), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_request_topic_data_v0(items: Sequence[DescribeQuorumRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_describe_quorum_request_partition_data_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_request_v0(m: DescribeQuorumRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (length_prefix(len(topics_items)),)
        _encode_describe_quorum_request_topic_data_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeQuorumRequest, 0): (decode_describe_quorum_request_v0, encode_describe_quorum_request_v0),
    (DescribeQuorumRequest, 1): (decode_describe_quorum_request_v0, encode_describe_quorum_request_v0),
    (DescribeQuorumRequest, 2): (decode_describe_quorum_request_v0, encode_describe_quorum_request_v0),
}
"""The decoder and the encoder of every message and version."""
