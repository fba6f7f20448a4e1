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
    plain_int32s,
    plain_prefix,
    plain_string_prefix,
    read_int32s,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import CreatePartitionsRequest, CreatePartitionsRequestCreatePartitionsAssignment, CreatePartitionsRequestCreatePartitionsTopic

_PACK_i: Final = Struct(">i").pack
_PACK_it: Final = Struct(">i?").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_it: Final = Struct(">i?").unpack_from
_UNPACK_itB: Final = Struct(">i?B").unpack_from


def _decode_create_partitions_request_create_partitions_assignment_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreatePartitionsRequestCreatePartitionsAssignment], int]:
    made: list[CreatePartitionsRequestCreatePartitionsAssignment] = []
    try:
        for _ in range(count):
            m: CreatePartitionsRequestCreatePartitionsAssignment = new(CreatePartitionsRequestCreatePartitionsAssignment)
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            m.broker_ids = read_int32s(data, at, n - 1)
            at += 4 * n - 4
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_partitions_request_create_partitions_assignment_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreatePartitionsRequestCreatePartitionsAssignment], int]:
    made: list[CreatePartitionsRequestCreatePartitionsAssignment] = []
    try:
        for _ in range(count):
            m: CreatePartitionsRequestCreatePartitionsAssignment = new(CreatePartitionsRequestCreatePartitionsAssignment)
            n = data[at]
            at += 1
            if n <= SHAPES:
                m.broker_ids = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.broker_ids = read_int32s(data, at, n - 1)
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


def _decode_create_partitions_request_create_partitions_topic_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[CreatePartitionsRequestCreatePartitionsTopic], int]:
    made: list[CreatePartitionsRequestCreatePartitionsTopic] = []
    try:
        for _ in range(count):
            m: CreatePartitionsRequestCreatePartitionsTopic = new(CreatePartitionsRequestCreatePartitionsTopic)
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.name = data[at:stop].decode()
            at = stop
            m.count, = _UNPACK_i(data, at)
            at += 4
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                if (n - 1) * 4 > end - at:
                    check_count(n - 1, 4, data, at)
                m.assignments, at = _decode_create_partitions_request_create_partitions_assignment_v0(data, at, end, n - 1)
            else:
                m.assignments = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_partitions_request_create_partitions_topic_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[CreatePartitionsRequestCreatePartitionsTopic], int]:
    made: list[CreatePartitionsRequestCreatePartitionsTopic] = []
    try:
        for _ in range(count):
            m: CreatePartitionsRequestCreatePartitionsTopic = new(CreatePartitionsRequestCreatePartitionsTopic)
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
            m.count, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                if (n - 1) * 2 > end - at:
                    check_count(n - 1, 2, data, at)
                m.assignments, at = _decode_create_partitions_request_create_partitions_assignment_v2(data, at, end, n - 1)
            else:
                m.assignments = None
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


def decode_create_partitions_request_v0(data: bytes, at: int = 0) -> CreatePartitionsRequest:
    m: CreatePartitionsRequest = new(CreatePartitionsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 10 > end - at:
            check_count(n - 1, 10, data, at)
        m.topics, at = _decode_create_partitions_request_create_partitions_topic_v0(data, at, end, n - 1)
        m.timeout_ms, m.validate_only = _UNPACK_it(data, at)
        at += 5
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_partitions_request_v2(data: bytes, at: int = 0) -> CreatePartitionsRequest:
    m: CreatePartitionsRequest = new(CreatePartitionsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.topics, at = _decode_create_partitions_request_create_partitions_topic_v2(data, at, end, n - 1)
        m.timeout_ms, m.validate_only, n = _UNPACK_itB(data, at)
        at += 6
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_create_partitions_request_create_partitions_assignment_v0(items: Sequence[CreatePartitionsRequestCreatePartitionsAssignment], out: list[bytes]) -> None:
    try:
        for m in items:
            broker_ids_items = m.broker_ids
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_int32s(broker_ids_items),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_partitions_request_create_partitions_assignment_v2(items: Sequence[CreatePartitionsRequestCreatePartitionsAssignment], out: list[bytes]) -> None:
    try:
        for m in items:
            broker_ids_items = m.broker_ids
            out += (PACK_INT32S[n](n + 1, *broker_ids_items) if (n := len(broker_ids_items)) < SHAPES else int32s(broker_ids_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_partitions_request_create_partitions_topic_v0(items: Sequence[CreatePartitionsRequestCreatePartitionsTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            assignments_items = m.assignments
            out += (plain_string_prefix(len(name_bytes)), name_bytes, _PACK_i(m.count))
            if assignments_items is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(plain_prefix(len(assignments_items)))
                _encode_create_partitions_request_create_partitions_assignment_v0(assignments_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_partitions_request_create_partitions_topic_v2(items: Sequence[CreatePartitionsRequestCreatePartitionsTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            assignments_items = m.assignments
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_i(m.count))
            if assignments_items is None:
                out.append(NO_TAGS)
            else:
                out.append(length_prefix(len(assignments_items)))
                _encode_create_partitions_request_create_partitions_assignment_v2(assignments_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_partitions_request_v0(m: CreatePartitionsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (plain_prefix(len(topics_items)),)
        _encode_create_partitions_request_create_partitions_topic_v0(topics_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_it(m.timeout_ms, m.validate_only),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_partitions_request_v2(m: CreatePartitionsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (length_prefix(len(topics_items)),)
        _encode_create_partitions_request_create_partitions_topic_v2(topics_items, out)
        out += (_PACK_it(m.timeout_ms, m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (CreatePartitionsRequest, 0): (decode_create_partitions_request_v0, encode_create_partitions_request_v0),
    (CreatePartitionsRequest, 1): (decode_create_partitions_request_v0, encode_create_partitions_request_v0),
    (CreatePartitionsRequest, 2): (decode_create_partitions_request_v2, encode_create_partitions_request_v2),
    (CreatePartitionsRequest, 3): (decode_create_partitions_request_v2, encode_create_partitions_request_v2),
}
"""The decoder and the encoder of every message and version."""
