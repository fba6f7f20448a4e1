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
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DeleteTopicsResponse, DeleteTopicsResponseDeletableTopicResult

_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_uh: Final = Struct(">16sh").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_uhB: Final = Struct(">16shB").unpack_from


def _decode_delete_topics_response_deletable_topic_result_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsResponseDeletableTopicResult], int]:
    made: list[DeleteTopicsResponseDeletableTopicResult] = []
    try:
        for _ in range(count):
            m: DeleteTopicsResponseDeletableTopicResult = new(DeleteTopicsResponseDeletableTopicResult)
            m.topic_id = ZERO_UUID
            m.error_message = None
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.name = data[at:stop].decode()
                at = stop
            else:
                m.name = None
            m.error_code, = _UNPACK_h(data, at)
            at += 2
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_delete_topics_response_deletable_topic_result_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsResponseDeletableTopicResult], int]:
    made: list[DeleteTopicsResponseDeletableTopicResult] = []
    try:
        for _ in range(count):
            m: DeleteTopicsResponseDeletableTopicResult = new(DeleteTopicsResponseDeletableTopicResult)
            m.topic_id = ZERO_UUID
            m.error_message = None
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
            m.error_code, n = _UNPACK_hB(data, at)
            at += 3
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_delete_topics_response_deletable_topic_result_v5(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsResponseDeletableTopicResult], int]:
    made: list[DeleteTopicsResponseDeletableTopicResult] = []
    try:
        for _ in range(count):
            m: DeleteTopicsResponseDeletableTopicResult = new(DeleteTopicsResponseDeletableTopicResult)
            m.topic_id = ZERO_UUID
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
            m.error_code, n = _UNPACK_hB(data, at)
            at += 3
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


def _decode_delete_topics_response_deletable_topic_result_v6(data: bytes, at: int, _end: int, count: int) -> tuple[list[DeleteTopicsResponseDeletableTopicResult], int]:
    made: list[DeleteTopicsResponseDeletableTopicResult] = []
    try:
        for _ in range(count):
            m: DeleteTopicsResponseDeletableTopicResult = new(DeleteTopicsResponseDeletableTopicResult)
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
            m.topic_id, m.error_code, n = _UNPACK_uhB(data, at)
            at += 19
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


def decode_delete_topics_response_v1(data: bytes, at: int = 0) -> DeleteTopicsResponse:
    m: DeleteTopicsResponse = new(DeleteTopicsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        m.responses, at = _decode_delete_topics_response_deletable_topic_result_v1(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_delete_topics_response_v4(data: bytes, at: int = 0) -> DeleteTopicsResponse:
    m: DeleteTopicsResponse = new(DeleteTopicsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        m.responses, at = _decode_delete_topics_response_deletable_topic_result_v4(data, at, end, n - 1)
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


def decode_delete_topics_response_v5(data: bytes, at: int = 0) -> DeleteTopicsResponse:
    m: DeleteTopicsResponse = new(DeleteTopicsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.responses, at = _decode_delete_topics_response_deletable_topic_result_v5(data, at, end, n - 1)
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


def decode_delete_topics_response_v6(data: bytes, at: int = 0) -> DeleteTopicsResponse:
    m: DeleteTopicsResponse = new(DeleteTopicsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 21 > end - at:
            check_count(n - 1, 21, data, at)
        m.responses, at = _decode_delete_topics_response_deletable_topic_result_v6(data, at, end, n - 1)
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


def _encode_delete_topics_response_deletable_topic_result_v1(items: Sequence[DeleteTopicsResponseDeletableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is None:
                name_size, name_bytes = b"\xff\xff", b""
            else:
                name_bytes = m.name.encode()
                name_size = plain_string_prefix(len(name_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (name_size, name_bytes, _PACK_h(m.error_code))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_delete_topics_response_deletable_topic_result_v4(items: Sequence[DeleteTopicsResponseDeletableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is None:
                name_size, name_bytes = NO_TAGS, b""
            else:
                name_bytes = m.name.encode()
                name_size = UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n)
            out += (name_size, name_bytes, _PACK_h(m.error_code), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_delete_topics_response_deletable_topic_result_v5(items: Sequence[DeleteTopicsResponseDeletableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is None:
                name_size, name_bytes = NO_TAGS, b""
            else:
                name_bytes = m.name.encode()
                name_size = UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n)
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            out += (name_size, name_bytes, _PACK_h(m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_delete_topics_response_deletable_topic_result_v6(items: Sequence[DeleteTopicsResponseDeletableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name is None:
                name_size, name_bytes = NO_TAGS, b""
            else:
                name_bytes = m.name.encode()
                name_size = UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n)
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            out += (name_size, name_bytes, _PACK_uh(m.topic_id, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_response_v1(m: DeleteTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        _encode_delete_topics_response_deletable_topic_result_v1(responses_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_response_v4(m: DeleteTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(responses_items)))
        _encode_delete_topics_response_deletable_topic_result_v4(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_response_v5(m: DeleteTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(responses_items)))
        _encode_delete_topics_response_deletable_topic_result_v5(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_delete_topics_response_v6(m: DeleteTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(responses_items)))
        _encode_delete_topics_response_deletable_topic_result_v6(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DeleteTopicsResponse, 1): (decode_delete_topics_response_v1, encode_delete_topics_response_v1),
    (DeleteTopicsResponse, 2): (decode_delete_topics_response_v1, encode_delete_topics_response_v1),
    (DeleteTopicsResponse, 3): (decode_delete_topics_response_v1, encode_delete_topics_response_v1),
    (DeleteTopicsResponse, 4): (decode_delete_topics_response_v4, encode_delete_topics_response_v4),
    (DeleteTopicsResponse, 5): (decode_delete_topics_response_v5, encode_delete_topics_response_v5),
    (DeleteTopicsResponse, 6): (decode_delete_topics_response_v6, encode_delete_topics_response_v6),
}
"""The decoder and the encoder of every message and version."""
