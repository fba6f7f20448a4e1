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

from kraftpy.records.generated.rpc import AlterPartitionReassignmentsResponse, AlterPartitionReassignmentsResponseReassignablePartitionResponse, AlterPartitionReassignmentsResponseReassignableTopicResponse

_PACK_ih: Final = Struct(">ih").pack
_PACK_ith: Final = Struct(">i?h").pack
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_ithB: Final = Struct(">i?hB").unpack_from


def _decode_alter_partition_reassignments_response_reassignable_partition_response_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterPartitionReassignmentsResponseReassignablePartitionResponse], int]:
    made: list[AlterPartitionReassignmentsResponseReassignablePartitionResponse] = []
    try:
        for _ in range(count):
            m: AlterPartitionReassignmentsResponseReassignablePartitionResponse = new(AlterPartitionReassignmentsResponseReassignablePartitionResponse)
            m.partition_index, m.error_code, n = _UNPACK_ihB(data, at)
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
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_partition_reassignments_response_reassignable_topic_response_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterPartitionReassignmentsResponseReassignableTopicResponse], int]:
    made: list[AlterPartitionReassignmentsResponseReassignableTopicResponse] = []
    try:
        for _ in range(count):
            m: AlterPartitionReassignmentsResponseReassignableTopicResponse = new(AlterPartitionReassignmentsResponseReassignableTopicResponse)
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
            m.partitions, at = _decode_alter_partition_reassignments_response_reassignable_partition_response_v0(data, at, end, n - 1)
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


def decode_alter_partition_reassignments_response_v0(data: bytes, at: int = 0) -> AlterPartitionReassignmentsResponse:
    m: AlterPartitionReassignmentsResponse = new(AlterPartitionReassignmentsResponse)
    end = len(data)
    try:
        m.allow_replication_factor_change = True
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
        m.responses, at = _decode_alter_partition_reassignments_response_reassignable_topic_response_v0(data, at, end, n - 1)
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


def decode_alter_partition_reassignments_response_v1(data: bytes, at: int = 0) -> AlterPartitionReassignmentsResponse:
    m: AlterPartitionReassignmentsResponse = new(AlterPartitionReassignmentsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.allow_replication_factor_change, m.error_code, n = _UNPACK_ithB(data, at)
        at += 8
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
        m.responses, at = _decode_alter_partition_reassignments_response_reassignable_topic_response_v0(data, at, end, n - 1)
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


def _encode_alter_partition_reassignments_response_reassignable_partition_response_v0(items: Sequence[AlterPartitionReassignmentsResponseReassignablePartitionResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            out += (_PACK_ih(m.partition_index, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_reassignments_response_reassignable_topic_response_v0(items: Sequence[AlterPartitionReassignmentsResponseReassignableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
            _encode_alter_partition_reassignments_response_reassignable_partition_response_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_reassignments_response_v0(m: AlterPartitionReassignmentsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        responses_items = m.responses
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, length_prefix(len(responses_items)))
        _encode_alter_partition_reassignments_response_reassignable_topic_response_v0(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_reassignments_response_v1(m: AlterPartitionReassignmentsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        responses_items = m.responses
        out += (_PACK_ith(m.throttle_time_ms, m.allow_replication_factor_change, m.error_code), error_message_size, error_message_bytes, length_prefix(len(responses_items)))
        _encode_alter_partition_reassignments_response_reassignable_topic_response_v0(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterPartitionReassignmentsResponse, 0): (decode_alter_partition_reassignments_response_v0, encode_alter_partition_reassignments_response_v0),
    (AlterPartitionReassignmentsResponse, 1): (decode_alter_partition_reassignments_response_v1, encode_alter_partition_reassignments_response_v1),
}
"""The decoder and the encoder of every message and version."""
