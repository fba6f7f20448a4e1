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

from kraftpy.records.generated.rpc import CreateTopicsResponse, CreateTopicsResponseCreatableTopicConfigs, CreateTopicsResponseCreatableTopicResult

_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_tbt: Final = Struct(">?b?").pack
_PACK_uh: Final = Struct(">16sh").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_tbtB: Final = Struct(">?b?B").unpack_from
_UNPACK_uhB: Final = Struct(">16shB").unpack_from


def _decode_create_topics_response_creatable_topic_configs_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsResponseCreatableTopicConfigs], int]:
    made: list[CreateTopicsResponseCreatableTopicConfigs] = []
    try:
        for _ in range(count):
            m: CreateTopicsResponseCreatableTopicConfigs = new(CreateTopicsResponseCreatableTopicConfigs)
            m.name = ""
            m.value = ""
            m.read_only = False
            m.config_source = -1
            m.is_sensitive = False
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_response_creatable_topic_configs_v5(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsResponseCreatableTopicConfigs], int]:
    made: list[CreateTopicsResponseCreatableTopicConfigs] = []
    try:
        for _ in range(count):
            m: CreateTopicsResponseCreatableTopicConfigs = new(CreateTopicsResponseCreatableTopicConfigs)
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
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.value = data[at:stop].decode()
                at = stop
            else:
                m.value = None
            m.read_only, m.config_source, m.is_sensitive, n = _UNPACK_tbtB(data, at)
            at += 4
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_response_creatable_topic_result_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsResponseCreatableTopicResult], int]:
    made: list[CreateTopicsResponseCreatableTopicResult] = []
    try:
        for _ in range(count):
            m: CreateTopicsResponseCreatableTopicResult = new(CreateTopicsResponseCreatableTopicResult)
            m.topic_id = ZERO_UUID
            m.topic_config_error_code = 0
            m.num_partitions = -1
            m.replication_factor = -1
            m.configs = []
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
            m.error_code, = _UNPACK_h(data, at)
            at += 2
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.error_message = data[at:stop].decode()
                at = stop
            else:
                m.error_message = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_response_creatable_topic_result_v5(data: bytes, at: int, end: int, count: int) -> tuple[list[CreateTopicsResponseCreatableTopicResult], int]:
    made: list[CreateTopicsResponseCreatableTopicResult] = []
    try:
        for _ in range(count):
            m: CreateTopicsResponseCreatableTopicResult = new(CreateTopicsResponseCreatableTopicResult)
            m.topic_id = ZERO_UUID
            m.topic_config_error_code = 0
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
            m.num_partitions, m.replication_factor, n = _UNPACK_ihB(data, at)
            at += 7
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                if (n - 1) * 6 > end - at:
                    check_count(n - 1, 6, data, at)
                m.configs, at = _decode_create_topics_response_creatable_topic_configs_v5(data, at, end, n - 1)
            else:
                m.configs = None
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
                        m.topic_config_error_code, = _UNPACK_h(data, at)
                        at += 2
                    else:
                        unknown.append((tag, data[at:tag_end]))
                        at = tag_end
                    if at != tag_end:
                        raise FieldError(f"tag {tag} does not fill the bytes it claims")
                m.unknown_tags = tuple(unknown)
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_response_creatable_topic_result_v7(data: bytes, at: int, end: int, count: int) -> tuple[list[CreateTopicsResponseCreatableTopicResult], int]:
    made: list[CreateTopicsResponseCreatableTopicResult] = []
    try:
        for _ in range(count):
            m: CreateTopicsResponseCreatableTopicResult = new(CreateTopicsResponseCreatableTopicResult)
            m.topic_config_error_code = 0
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
            m.num_partitions, m.replication_factor, n = _UNPACK_ihB(data, at)
            at += 7
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                if (n - 1) * 6 > end - at:
                    check_count(n - 1, 6, data, at)
                m.configs, at = _decode_create_topics_response_creatable_topic_configs_v5(data, at, end, n - 1)
            else:
                m.configs = None
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
                        m.topic_config_error_code, = _UNPACK_h(data, at)
                        at += 2
                    else:
                        unknown.append((tag, data[at:tag_end]))
                        at = tag_end
                    if at != tag_end:
                        raise FieldError(f"tag {tag} does not fill the bytes it claims")
                m.unknown_tags = tuple(unknown)
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_topics_response_v2(data: bytes, at: int = 0) -> CreateTopicsResponse:
    m: CreateTopicsResponse = new(CreateTopicsResponse)
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
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_create_topics_response_creatable_topic_result_v2(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_topics_response_v5(data: bytes, at: int = 0) -> CreateTopicsResponse:
    m: CreateTopicsResponse = new(CreateTopicsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 12 > end - at:
            check_count(n - 1, 12, data, at)
        m.topics, at = _decode_create_topics_response_creatable_topic_result_v5(data, at, end, n - 1)
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


def decode_create_topics_response_v7(data: bytes, at: int = 0) -> CreateTopicsResponse:
    m: CreateTopicsResponse = new(CreateTopicsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 28 > end - at:
            check_count(n - 1, 28, data, at)
        m.topics, at = _decode_create_topics_response_creatable_topic_result_v7(data, at, end, n - 1)
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


def _encode_create_topics_response_creatable_topic_configs_v2(items: Sequence[CreateTopicsResponseCreatableTopicConfigs], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name != "":
                raise absent(m, "name")
            if m.value != "":
                raise absent(m, "value")
            if m.read_only:
                raise absent(m, "read_only")
            if m.is_sensitive:
                raise absent(m, "is_sensitive")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_response_creatable_topic_configs_v5(items: Sequence[CreateTopicsResponseCreatableTopicConfigs], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = NO_TAGS, b""
            else:
                value_bytes = m.value.encode()
                value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_response_creatable_topic_result_v2(items: Sequence[CreateTopicsResponseCreatableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.error_message is None:
                error_message_size, error_message_bytes = b"\xff\xff", b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = plain_string_prefix(len(error_message_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(name_bytes)), name_bytes, _PACK_h(m.error_code), error_message_size, error_message_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_response_creatable_topic_result_v5(items: Sequence[CreateTopicsResponseCreatableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            configs_items = m.configs
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_ih(m.num_partitions, m.replication_factor))
            if configs_items is None:
                out.append(NO_TAGS)
            else:
                out.append(length_prefix(len(configs_items)))
                _encode_create_topics_response_creatable_topic_configs_v5(configs_items, out)
            tags: list[tuple[int, bytes]] = []
            if m.topic_config_error_code != 0:
                tags.append((0, _PACK_h(m.topic_config_error_code)))
            out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_response_creatable_topic_result_v7(items: Sequence[CreateTopicsResponseCreatableTopicResult], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            configs_items = m.configs
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_uh(m.topic_id, m.error_code), error_message_size, error_message_bytes, _PACK_ih(m.num_partitions, m.replication_factor))
            if configs_items is None:
                out.append(NO_TAGS)
            else:
                out.append(length_prefix(len(configs_items)))
                _encode_create_topics_response_creatable_topic_configs_v5(configs_items, out)
            tags: list[tuple[int, bytes]] = []
            if m.topic_config_error_code != 0:
                tags.append((0, _PACK_h(m.topic_config_error_code)))
            out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_topics_response_v2(m: CreateTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(topics_items)))
        _encode_create_topics_response_creatable_topic_result_v2(topics_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_topics_response_v5(m: CreateTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(topics_items)))
        _encode_create_topics_response_creatable_topic_result_v5(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_topics_response_v7(m: CreateTopicsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(topics_items)))
        _encode_create_topics_response_creatable_topic_result_v7(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (CreateTopicsResponse, 2): (decode_create_topics_response_v2, encode_create_topics_response_v2),
    (CreateTopicsResponse, 3): (decode_create_topics_response_v2, encode_create_topics_response_v2),
    (CreateTopicsResponse, 4): (decode_create_topics_response_v2, encode_create_topics_response_v2),
    (CreateTopicsResponse, 5): (decode_create_topics_response_v5, encode_create_topics_response_v5),
    (CreateTopicsResponse, 6): (decode_create_topics_response_v5, encode_create_topics_response_v5),
    (CreateTopicsResponse, 7): (decode_create_topics_response_v7, encode_create_topics_response_v7),
}
"""The decoder and the encoder of every message and version."""
