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
    UVARINT,
    Codec,
    FieldError,
    Message,
    check_count,
    int32s,
    length_prefix,
    new,
    read_int32s,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsRequestReassignablePartition, AlterPartitionReassignmentsRequestReassignableTopic

_PACK_i: Final = Struct(">i").pack
_PACK_it: Final = Struct(">i?").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_itB: Final = Struct(">i?B").unpack_from


def _decode_alter_partition_reassignments_request_reassignable_partition_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterPartitionReassignmentsRequestReassignablePartition], int]:
    made: list[AlterPartitionReassignmentsRequestReassignablePartition] = []
    try:
        for _ in range(count):
            m: AlterPartitionReassignmentsRequestReassignablePartition = new(AlterPartitionReassignmentsRequestReassignablePartition)
            m.partition_index, n = _UNPACK_iB(data, at)
            at += 5
            if not n:
                m.replicas = None
            elif n <= SHAPES:
                m.replicas = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.replicas = read_int32s(data, at, n - 1)
                at += 4 * n - 4
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


def _decode_alter_partition_reassignments_request_reassignable_topic_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterPartitionReassignmentsRequestReassignableTopic], int]:
    made: list[AlterPartitionReassignmentsRequestReassignableTopic] = []
    try:
        for _ in range(count):
            m: AlterPartitionReassignmentsRequestReassignableTopic = new(AlterPartitionReassignmentsRequestReassignableTopic)
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
            m.name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 6 > end - at:
                check_count(n - 1, 6, data, at)
            m.partitions, at = _decode_alter_partition_reassignments_request_reassignable_partition_v0(data, at, end, n - 1)
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


def decode_alter_partition_reassignments_request_v0(data: bytes, at: int = 0) -> AlterPartitionReassignmentsRequest:
    m: AlterPartitionReassignmentsRequest = new(AlterPartitionReassignmentsRequest)
    end = len(data)
    try:
        m.allow_replication_factor_change = True
        m.timeout_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_alter_partition_reassignments_request_reassignable_topic_v0(data, at, end, n - 1)
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


def decode_alter_partition_reassignments_request_v1(data: bytes, at: int = 0) -> AlterPartitionReassignmentsRequest:
    m: AlterPartitionReassignmentsRequest = new(AlterPartitionReassignmentsRequest)
    end = len(data)
    try:
        m.timeout_ms, m.allow_replication_factor_change, n = _UNPACK_itB(data, at)
        at += 6
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_alter_partition_reassignments_request_reassignable_topic_v0(data, at, end, n - 1)
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


def _encode_alter_partition_reassignments_request_reassignable_partition_v0(items: Sequence[AlterPartitionReassignmentsRequestReassignablePartition], out: list[bytes]) -> None:
    try:
        for m in items:
            replicas_items = m.replicas
            out += (_PACK_i(m.partition_index), NO_TAGS if replicas_items is None else PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_reassignments_request_reassignable_topic_v0(items: Sequence[AlterPartitionReassignmentsRequestReassignableTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
            _encode_alter_partition_reassignments_request_reassignable_partition_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_reassignments_request_v0(m: AlterPartitionReassignmentsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if not m.allow_replication_factor_change:
            raise absent(m, "allow_replication_factor_change")
        topics_items = m.topics
        out += (_PACK_i(m.timeout_ms), length_prefix(len(topics_items)))
        _encode_alter_partition_reassignments_request_reassignable_topic_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_reassignments_request_v1(m: AlterPartitionReassignmentsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_it(m.timeout_ms, m.allow_replication_factor_change), length_prefix(len(topics_items)))
        _encode_alter_partition_reassignments_request_reassignable_topic_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterPartitionReassignmentsRequest, 0): (decode_alter_partition_reassignments_request_v0, encode_alter_partition_reassignments_request_v0),
    (AlterPartitionReassignmentsRequest, 1): (decode_alter_partition_reassignments_request_v1, encode_alter_partition_reassignments_request_v1),
}
"""The decoder and the encoder of every message and version."""
