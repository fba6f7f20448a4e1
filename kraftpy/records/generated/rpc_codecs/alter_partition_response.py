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
    PACK_INT32S,
    SHAPES,
    SHORT,
    UNPACK_INT32S,
    Codec,
    FieldError,
    Message,
    check_count,
    int32s,
    length_prefix,
    new,
    read_int32s,
    read_tags,
    read_uvarint,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import AlterPartitionResponse, AlterPartitionResponsePartitionData, AlterPartitionResponseTopicData

_PACK_bi: Final = Struct(">bi").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_ihii: Final = Struct(">ihii").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_biB: Final = Struct(">biB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_ihiiB: Final = Struct(">ihiiB").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_alter_partition_response_partition_data_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterPartitionResponsePartitionData], int]:
    made: list[AlterPartitionResponsePartitionData] = []
    try:
        for _ in range(count):
            m: AlterPartitionResponsePartitionData = new(AlterPartitionResponsePartitionData)
            m.partition_index, m.error_code, m.leader_id, m.leader_epoch, n = _UNPACK_ihiiB(data, at)
            at += 15
            if n <= SHAPES:
                m.isr = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.isr = read_int32s(data, at, n - 1)
                at += 4 * n - 4
            m.leader_recovery_state, m.partition_epoch, n = _UNPACK_biB(data, at)
            at += 6
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_partition_response_topic_data_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterPartitionResponseTopicData], int]:
    made: list[AlterPartitionResponseTopicData] = []
    try:
        for _ in range(count):
            m: AlterPartitionResponseTopicData = new(AlterPartitionResponseTopicData)
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 21 > end - at:
                check_count(n - 1, 21, data, at)
            m.partitions, at = _decode_alter_partition_response_partition_data_v2(data, at, end, n - 1)
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


def decode_alter_partition_response_v2(data: bytes, at: int = 0) -> AlterPartitionResponse:
    m: AlterPartitionResponse = new(AlterPartitionResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.topics, at = _decode_alter_partition_response_topic_data_v2(data, at, end, n - 1)
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


def _encode_alter_partition_response_partition_data_v2(items: Sequence[AlterPartitionResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            isr_items = m.isr
            out += (_PACK_ihii(m.partition_index, m.error_code, m.leader_id, m.leader_epoch), PACK_INT32S[n](n + 1, *isr_items) if (n := len(isr_items)) < SHAPES else int32s(isr_items), _PACK_bi(m.leader_recovery_state, m.partition_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_response_topic_data_v2(items: Sequence[AlterPartitionResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_alter_partition_response_partition_data_v2(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_response_v2(m: AlterPartitionResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(topics_items)))
        _encode_alter_partition_response_topic_data_v2(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterPartitionResponse, 2): (decode_alter_partition_response_v2, encode_alter_partition_response_v2),
    (AlterPartitionResponse, 3): (decode_alter_partition_response_v2, encode_alter_partition_response_v2),
}
"""The decoder and the encoder of every message and version."""
