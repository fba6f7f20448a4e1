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

from kraftpy.records.generated.rpc import ListPartitionReassignmentsResponse, ListPartitionReassignmentsResponseOngoingPartitionReassignment, ListPartitionReassignmentsResponseOngoingTopicReassignment

_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from


def _decode_list_partition_reassignments_response_ongoing_partition_reassignment_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ListPartitionReassignmentsResponseOngoingPartitionReassignment], int]:
    made: list[ListPartitionReassignmentsResponseOngoingPartitionReassignment] = []
    try:
        for _ in range(count):
            m: ListPartitionReassignmentsResponseOngoingPartitionReassignment = new(ListPartitionReassignmentsResponseOngoingPartitionReassignment)
            m.partition_index, n = _UNPACK_iB(data, at)
            at += 5
            if n <= SHAPES:
                m.replicas = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.replicas = read_int32s(data, at, n - 1)
                at += 4 * n - 4
            n = data[at]
            at += 1
            if n <= SHAPES:
                m.adding_replicas = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.adding_replicas = read_int32s(data, at, n - 1)
                at += 4 * n - 4
            n = data[at]
            at += 1
            if n <= SHAPES:
                m.removing_replicas = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.removing_replicas = read_int32s(data, at, n - 1)
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


def _decode_list_partition_reassignments_response_ongoing_topic_reassignment_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[ListPartitionReassignmentsResponseOngoingTopicReassignment], int]:
    made: list[ListPartitionReassignmentsResponseOngoingTopicReassignment] = []
    try:
        for _ in range(count):
            m: ListPartitionReassignmentsResponseOngoingTopicReassignment = new(ListPartitionReassignmentsResponseOngoingTopicReassignment)
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
            if (n - 1) * 8 > end - at:
                check_count(n - 1, 8, data, at)
            m.partitions, at = _decode_list_partition_reassignments_response_ongoing_partition_reassignment_v0(data, at, end, n - 1)
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


def decode_list_partition_reassignments_response_v0(data: bytes, at: int = 0) -> ListPartitionReassignmentsResponse:
    m: ListPartitionReassignmentsResponse = new(ListPartitionReassignmentsResponse)
    end = len(data)
    try:
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
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_list_partition_reassignments_response_ongoing_topic_reassignment_v0(data, at, end, n - 1)
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


def _encode_list_partition_reassignments_response_ongoing_partition_reassignment_v0(items: Sequence[ListPartitionReassignmentsResponseOngoingPartitionReassignment], out: list[bytes]) -> None:
    try:
        for m in items:
            replicas_items = m.replicas
            adding_replicas_items = m.adding_replicas
            removing_replicas_items = m.removing_replicas
            out += (_PACK_i(m.partition_index), PACK_INT32S[n](n + 1, *replicas_items) if (n := len(replicas_items)) < SHAPES else int32s(replicas_items), PACK_INT32S[n](n + 1, *adding_replicas_items) if (n := len(adding_replicas_items)) < SHAPES else int32s(adding_replicas_items), PACK_INT32S[n](n + 1, *removing_replicas_items) if (n := len(removing_replicas_items)) < SHAPES else int32s(removing_replicas_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_list_partition_reassignments_response_ongoing_topic_reassignment_v0(items: Sequence[ListPartitionReassignmentsResponseOngoingTopicReassignment], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
            _encode_list_partition_reassignments_response_ongoing_partition_reassignment_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_list_partition_reassignments_response_v0(m: ListPartitionReassignmentsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, length_prefix(len(topics_items)))
        _encode_list_partition_reassignments_response_ongoing_topic_reassignment_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ListPartitionReassignmentsResponse, 0): (decode_list_partition_reassignments_response_v0, encode_list_partition_reassignments_response_v0),
}
"""The decoder and the encoder of every message and version."""
