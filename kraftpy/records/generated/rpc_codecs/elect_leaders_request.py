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

from kraftpy.records.generated.rpc import ElectLeadersRequest, ElectLeadersRequestTopicPartitions

_PACK_b: Final = Struct(">b").pack
_PACK_i: Final = Struct(">i").pack
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from


def _decode_elect_leaders_request_topic_partitions_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ElectLeadersRequestTopicPartitions], int]:
    made: list[ElectLeadersRequestTopicPartitions] = []
    try:
        for _ in range(count):
            m: ElectLeadersRequestTopicPartitions = new(ElectLeadersRequestTopicPartitions)
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.topic = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            m.partitions = read_int32s(data, at, n - 1)
            at += 4 * n - 4
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_elect_leaders_request_topic_partitions_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[ElectLeadersRequestTopicPartitions], int]:
    made: list[ElectLeadersRequestTopicPartitions] = []
    try:
        for _ in range(count):
            m: ElectLeadersRequestTopicPartitions = new(ElectLeadersRequestTopicPartitions)
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
            m.topic = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n <= SHAPES:
                m.partitions = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.partitions = read_int32s(data, at, n - 1)
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


def decode_elect_leaders_request_v0(data: bytes, at: int = 0) -> ElectLeadersRequest:
    m: ElectLeadersRequest = new(ElectLeadersRequest)
    end = len(data)
    try:
        m.election_type = 0
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            if (n - 1) * 6 > end - at:
                check_count(n - 1, 6, data, at)
            m.topic_partitions, at = _decode_elect_leaders_request_topic_partitions_v0(data, at, end, n - 1)
        else:
            m.topic_partitions = None
        m.timeout_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_elect_leaders_request_v1(data: bytes, at: int = 0) -> ElectLeadersRequest:
    m: ElectLeadersRequest = new(ElectLeadersRequest)
    end = len(data)
    try:
        m.election_type, = _UNPACK_b(data, at)
        at += 1
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            if (n - 1) * 6 > end - at:
                check_count(n - 1, 6, data, at)
            m.topic_partitions, at = _decode_elect_leaders_request_topic_partitions_v0(data, at, end, n - 1)
        else:
            m.topic_partitions = None
        m.timeout_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_elect_leaders_request_v2(data: bytes, at: int = 0) -> ElectLeadersRequest:
    m: ElectLeadersRequest = new(ElectLeadersRequest)
    end = len(data)
    try:
        m.election_type, n = _UNPACK_bB(data, at)
        at += 2
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            if (n - 1) * 3 > end - at:
                check_count(n - 1, 3, data, at)
            m.topic_partitions, at = _decode_elect_leaders_request_topic_partitions_v2(data, at, end, n - 1)
        else:
            m.topic_partitions = None
        m.timeout_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_elect_leaders_request_topic_partitions_v0(items: Sequence[ElectLeadersRequestTopicPartitions], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_int32s(partitions_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_elect_leaders_request_topic_partitions_v2(items: Sequence[ElectLeadersRequestTopicPartitions], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, PACK_INT32S[n](n + 1, *partitions_items) if (n := len(partitions_items)) < SHAPES else int32s(partitions_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_elect_leaders_request_v0(m: ElectLeadersRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.election_type != 0:
            raise absent(m, "election_type")
        topic_partitions_items = m.topic_partitions
        if topic_partitions_items is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(plain_prefix(len(topic_partitions_items)))
            _encode_elect_leaders_request_topic_partitions_v0(topic_partitions_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_i(m.timeout_ms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_elect_leaders_request_v1(m: ElectLeadersRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topic_partitions_items = m.topic_partitions
        out += (_PACK_b(m.election_type),)
        if topic_partitions_items is None:
            out.append(b"\xff\xff\xff\xff")
        else:
            out.append(plain_prefix(len(topic_partitions_items)))
            _encode_elect_leaders_request_topic_partitions_v0(topic_partitions_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_i(m.timeout_ms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_elect_leaders_request_v2(m: ElectLeadersRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topic_partitions_items = m.topic_partitions
        out += (_PACK_b(m.election_type),)
        if topic_partitions_items is None:
            out.append(NO_TAGS)
        else:
            out.append(length_prefix(len(topic_partitions_items)))
            _encode_elect_leaders_request_topic_partitions_v2(topic_partitions_items, out)
        out += (_PACK_i(m.timeout_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ElectLeadersRequest, 0): (decode_elect_leaders_request_v0, encode_elect_leaders_request_v0),
    (ElectLeadersRequest, 1): (decode_elect_leaders_request_v1, encode_elect_leaders_request_v1),
    (ElectLeadersRequest, 2): (decode_elect_leaders_request_v2, encode_elect_leaders_request_v2),
}
"""The decoder and the encoder of every message and version."""
