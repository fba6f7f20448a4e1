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

from kraftpy.records.generated.rpc import DescribeConfigsResponse, DescribeConfigsResponseDescribeConfigsResourceResult, DescribeConfigsResponseDescribeConfigsResult, DescribeConfigsResponseDescribeConfigsSynonym

_PACK_b: Final = Struct(">b").pack
_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_tbt: Final = Struct(">?b?").pack
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_tbt: Final = Struct(">?b?").unpack_from
_UNPACK_tbtB: Final = Struct(">?b?B").unpack_from


def _decode_describe_configs_response_describe_configs_synonym_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsSynonym], int]:
    made: list[DescribeConfigsResponseDescribeConfigsSynonym] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsSynonym = new(DescribeConfigsResponseDescribeConfigsSynonym)
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
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.value = data[at:stop].decode()
                at = stop
            else:
                m.value = None
            m.source, = _UNPACK_b(data, at)
            at += 1
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_synonym_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsSynonym], int]:
    made: list[DescribeConfigsResponseDescribeConfigsSynonym] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsSynonym = new(DescribeConfigsResponseDescribeConfigsSynonym)
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
            m.source, n = _UNPACK_bB(data, at)
            at += 2
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_resource_result_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsResourceResult], int]:
    made: list[DescribeConfigsResponseDescribeConfigsResourceResult] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsResourceResult = new(DescribeConfigsResponseDescribeConfigsResourceResult)
            m.config_type = 0
            m.documentation = ""
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
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.value = data[at:stop].decode()
                at = stop
            else:
                m.value = None
            m.read_only, m.config_source, m.is_sensitive = _UNPACK_tbt(data, at)
            at += 3
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 5 > end - at:
                check_count(n - 1, 5, data, at)
            m.synonyms, at = _decode_describe_configs_response_describe_configs_synonym_v1(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_resource_result_v3(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsResourceResult], int]:
    made: list[DescribeConfigsResponseDescribeConfigsResourceResult] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsResourceResult = new(DescribeConfigsResponseDescribeConfigsResourceResult)
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
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.value = data[at:stop].decode()
                at = stop
            else:
                m.value = None
            m.read_only, m.config_source, m.is_sensitive = _UNPACK_tbt(data, at)
            at += 3
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 5 > end - at:
                check_count(n - 1, 5, data, at)
            m.synonyms, at = _decode_describe_configs_response_describe_configs_synonym_v1(data, at, end, n - 1)
            m.config_type, = _UNPACK_b(data, at)
            at += 1
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.documentation = data[at:stop].decode()
                at = stop
            else:
                m.documentation = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_resource_result_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsResourceResult], int]:
    made: list[DescribeConfigsResponseDescribeConfigsResourceResult] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsResourceResult = new(DescribeConfigsResponseDescribeConfigsResourceResult)
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
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 4 > end - at:
                check_count(n - 1, 4, data, at)
            m.synonyms, at = _decode_describe_configs_response_describe_configs_synonym_v4(data, at, end, n - 1)
            m.config_type, n = _UNPACK_bB(data, at)
            at += 2
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.documentation = data[at:stop].decode()
                at = stop
            else:
                m.documentation = None
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


def _decode_describe_configs_response_describe_configs_result_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsResult], int]:
    made: list[DescribeConfigsResponseDescribeConfigsResult] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsResult = new(DescribeConfigsResponseDescribeConfigsResult)
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
            m.resource_type, = _UNPACK_b(data, at)
            at += 1
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.resource_name = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 11 > end - at:
                check_count(n - 1, 11, data, at)
            m.configs, at = _decode_describe_configs_response_describe_configs_resource_result_v1(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_result_v3(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsResult], int]:
    made: list[DescribeConfigsResponseDescribeConfigsResult] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsResult = new(DescribeConfigsResponseDescribeConfigsResult)
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
            m.resource_type, = _UNPACK_b(data, at)
            at += 1
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.resource_name = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 14 > end - at:
                check_count(n - 1, 14, data, at)
            m.configs, at = _decode_describe_configs_response_describe_configs_resource_result_v3(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_configs_response_describe_configs_result_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeConfigsResponseDescribeConfigsResult], int]:
    made: list[DescribeConfigsResponseDescribeConfigsResult] = []
    try:
        for _ in range(count):
            m: DescribeConfigsResponseDescribeConfigsResult = new(DescribeConfigsResponseDescribeConfigsResult)
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
            m.resource_type, n = _UNPACK_bB(data, at)
            at += 2
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.resource_name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 9 > end - at:
                check_count(n - 1, 9, data, at)
            m.configs, at = _decode_describe_configs_response_describe_configs_resource_result_v4(data, at, end, n - 1)
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


def decode_describe_configs_response_v1(data: bytes, at: int = 0) -> DescribeConfigsResponse:
    m: DescribeConfigsResponse = new(DescribeConfigsResponse)
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
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        m.results, at = _decode_describe_configs_response_describe_configs_result_v1(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_response_v3(data: bytes, at: int = 0) -> DescribeConfigsResponse:
    m: DescribeConfigsResponse = new(DescribeConfigsResponse)
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
        if (n - 1) * 11 > end - at:
            check_count(n - 1, 11, data, at)
        m.results, at = _decode_describe_configs_response_describe_configs_result_v3(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_configs_response_v4(data: bytes, at: int = 0) -> DescribeConfigsResponse:
    m: DescribeConfigsResponse = new(DescribeConfigsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.results, at = _decode_describe_configs_response_describe_configs_result_v4(data, at, end, n - 1)
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


def _encode_describe_configs_response_describe_configs_synonym_v1(items: Sequence[DescribeConfigsResponseDescribeConfigsSynonym], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = b"\xff\xff", b""
            else:
                value_bytes = m.value.encode()
                value_size = plain_string_prefix(len(value_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes, _PACK_b(m.source))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_synonym_v4(items: Sequence[DescribeConfigsResponseDescribeConfigsSynonym], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = NO_TAGS, b""
            else:
                value_bytes = m.value.encode()
                value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, _PACK_b(m.source), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_resource_result_v1(items: Sequence[DescribeConfigsResponseDescribeConfigsResourceResult], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = b"\xff\xff", b""
            else:
                value_bytes = m.value.encode()
                value_size = plain_string_prefix(len(value_bytes))
            synonyms_items = m.synonyms
            out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), plain_prefix(len(synonyms_items)))
            _encode_describe_configs_response_describe_configs_synonym_v1(synonyms_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_resource_result_v3(items: Sequence[DescribeConfigsResponseDescribeConfigsResourceResult], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = b"\xff\xff", b""
            else:
                value_bytes = m.value.encode()
                value_size = plain_string_prefix(len(value_bytes))
            synonyms_items = m.synonyms
            out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), plain_prefix(len(synonyms_items)))
            _encode_describe_configs_response_describe_configs_synonym_v1(synonyms_items, out)
            if m.documentation is None:
                documentation_size, documentation_bytes = b"\xff\xff", b""
            else:
                documentation_bytes = m.documentation.encode()
                documentation_size = plain_string_prefix(len(documentation_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_b(m.config_type), documentation_size, documentation_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_resource_result_v4(items: Sequence[DescribeConfigsResponseDescribeConfigsResourceResult], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = NO_TAGS, b""
            else:
                value_bytes = m.value.encode()
                value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
            synonyms_items = m.synonyms
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, _PACK_tbt(m.read_only, m.config_source, m.is_sensitive), length_prefix(len(synonyms_items)))
            _encode_describe_configs_response_describe_configs_synonym_v4(synonyms_items, out)
            if m.documentation is None:
                documentation_size, documentation_bytes = NO_TAGS, b""
            else:
                documentation_bytes = m.documentation.encode()
                documentation_size = UVARINT[n + 1] if (n := len(documentation_bytes)) < SHORT - 1 else string_prefix(n)
            out += (_PACK_b(m.config_type), documentation_size, documentation_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_result_v1(items: Sequence[DescribeConfigsResponseDescribeConfigsResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = b"\xff\xff", b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = plain_string_prefix(len(error_message_bytes))
            resource_name_bytes = m.resource_name.encode()
            configs_items = m.configs
            out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
            _encode_describe_configs_response_describe_configs_resource_result_v1(configs_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_result_v3(items: Sequence[DescribeConfigsResponseDescribeConfigsResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = b"\xff\xff", b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = plain_string_prefix(len(error_message_bytes))
            resource_name_bytes = m.resource_name.encode()
            configs_items = m.configs
            out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
            _encode_describe_configs_response_describe_configs_resource_result_v3(configs_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_configs_response_describe_configs_result_v4(items: Sequence[DescribeConfigsResponseDescribeConfigsResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            resource_name_bytes = m.resource_name.encode()
            configs_items = m.configs
            out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, _PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, length_prefix(len(configs_items)))
            _encode_describe_configs_response_describe_configs_resource_result_v4(configs_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_response_v1(m: DescribeConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(results_items)))
        _encode_describe_configs_response_describe_configs_result_v1(results_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_response_v3(m: DescribeConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(results_items)))
        _encode_describe_configs_response_describe_configs_result_v3(results_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_configs_response_v4(m: DescribeConfigsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(results_items)))
        _encode_describe_configs_response_describe_configs_result_v4(results_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeConfigsResponse, 1): (decode_describe_configs_response_v1, encode_describe_configs_response_v1),
    (DescribeConfigsResponse, 2): (decode_describe_configs_response_v1, encode_describe_configs_response_v1),
    (DescribeConfigsResponse, 3): (decode_describe_configs_response_v3, encode_describe_configs_response_v3),
    (DescribeConfigsResponse, 4): (decode_describe_configs_response_v4, encode_describe_configs_response_v4),
}
"""The decoder and the encoder of every message and version."""
