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
    plain_strings,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    strings,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DeleteTopicsRequest, DeleteTopicsRequestDeleteTopicState

_PACK_i: Final = Struct(">i").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_delete_topics_request_delete_topic_state_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsRequestDeleteTopicState], int]:
    made: list[DeleteTopicsRequestDeleteTopicState] = []
    try:
        for _ in range(count):
            m: DeleteTopicsRequestDeleteTopicState = new(DeleteTopicsRequestDeleteTopicState)
            m.name = None
            m.topic_id = ZERO_UUID
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_delete_topics_request_delete_topic_state_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsRequestDeleteTopicState], int]:
    made: list[DeleteTopicsRequestDeleteTopicState] = []
    try:
        for _ in range(count):
            m: DeleteTopicsRequestDeleteTopicState = new(DeleteTopicsRequestDeleteTopicState)
            m.name = None
            m.topic_id = ZERO_UUID
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


def _decode_delete_topics_request_delete_topic_state_v6(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsRequestDeleteTopicState], int]:
    made: list[DeleteTopicsRequestDeleteTopicState] = []
    try:
        for _ in range(count):
            m: DeleteTopicsRequestDeleteTopicState = new(DeleteTopicsRequestDeleteTopicState)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.name = data[at:stop].decode()
                at = stop
            else:
                m.name = None
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_delete_topics_request_v1(data: bytes, at: int = 0) -> DeleteTopicsRequest:
    m: DeleteTopicsRequest = new(DeleteTopicsRequest)
    end = len(data)
    try:
        m.topics = []
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 2 > end - at:
            check_count(n - 1, 2, data, at)
        topic_names_items: list[str] = []
        for _ in range(n - 1):
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            topic_names_items.append(data[at:stop].decode())
            at = stop
        m.topic_names = topic_names_items
        m.timeout_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_delete_topics_request_v4(data: bytes, at: int = 0) -> DeleteTopicsRequest:
    m: DeleteTopicsRequest = new(DeleteTopicsRequest)
    end = len(data)
    try:
        m.topics = []
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 1 > end - at:
            check_count(n - 1, 1, data, at)
        topic_names_items: list[str] = []
        for _ in range(n - 1):
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
            topic_names_items.append(data[at:stop].decode())
            at = stop
        m.topic_names = topic_names_items
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


def decode_delete_topics_request_v6(data: bytes, at: int = 0) -> DeleteTopicsRequest:
    m: DeleteTopicsRequest = new(DeleteTopicsRequest)
    end = len(data)
    try:
        m.topic_names = []
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.topics, at = _decode_delete_topics_request_delete_topic_state_v6(data, at, end, n - 1)
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


def _encode_delete_topics_request_delete_topic_state_v1(items: Sequence[DeleteTopicsRequestDeleteTopicState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is not None:
                raise absent(m, "name")
            if m.topic_id != ZERO_UUID:
                raise absent(m, "topic_id")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_delete_topics_request_delete_topic_state_v4(items: Sequence[DeleteTopicsRequestDeleteTopicState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is not None:
                raise absent(m, "name")
            if m.topic_id != ZERO_UUID:
                raise absent(m, "topic_id")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_delete_topics_request_delete_topic_state_v6(items: Sequence[DeleteTopicsRequestDeleteTopicState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is None:
                name_size, name_bytes = NO_TAGS, b""
            else:
                name_bytes = m.name.encode()
                name_size = UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n)
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            out += (name_size, name_bytes, _PACK_u(m.topic_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_request_v1(m: DeleteTopicsRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.topics:
            raise absent(m, "topics")
        topic_names_items = m.topic_names
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, plain_strings(topic_names_items), _PACK_i(m.timeout_ms)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_request_v4(m: DeleteTopicsRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.topics:
            raise absent(m, "topics")
        topic_names_items = m.topic_names
        return b"".join((prefix, strings(topic_names_items), _PACK_i(m.timeout_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_request_v6(m: DeleteTopicsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (length_prefix(len(topics_items)),)
        _encode_delete_topics_request_delete_topic_state_v6(topics_items, out)
        out += (_PACK_i(m.timeout_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DeleteTopicsRequest, 1): (decode_delete_topics_request_v1, encode_delete_topics_request_v1),
    (DeleteTopicsRequest, 2): (decode_delete_topics_request_v1, encode_delete_topics_request_v1),
    (DeleteTopicsRequest, 3): (decode_delete_topics_request_v1, encode_delete_topics_request_v1),
    (DeleteTopicsRequest, 4): (decode_delete_topics_request_v4, encode_delete_topics_request_v4),
    (DeleteTopicsRequest, 5): (decode_delete_topics_request_v4, encode_delete_topics_request_v4),
    (DeleteTopicsRequest, 6): (decode_delete_topics_request_v6, encode_delete_topics_request_v6),
}
"""The decoder and the encoder of every message and version."""
