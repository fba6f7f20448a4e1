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

from kraftpy.records.generated.rpc import AlterConfigsRequest, AlterConfigsRequestAlterConfigsResource, AlterConfigsRequestAlterableConfig

_PACK_b: Final = Struct(">b").pack
_PACK_t: Final = Struct(">?").pack
_UNPACK_b: Final = Struct(">b").unpack_from
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_t: Final = Struct(">?").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from


def _decode_alter_configs_request_alterable_config_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterConfigsRequestAlterableConfig], int]:
    made: list[AlterConfigsRequestAlterableConfig] = []
    try:
        for _ in range(count):
            m: AlterConfigsRequestAlterableConfig = new(AlterConfigsRequestAlterableConfig)
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
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_request_alterable_config_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterConfigsRequestAlterableConfig], int]:
    made: list[AlterConfigsRequestAlterableConfig] = []
    try:
        for _ in range(count):
            m: AlterConfigsRequestAlterableConfig = new(AlterConfigsRequestAlterableConfig)
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


def _decode_alter_configs_request_alter_configs_resource_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterConfigsRequestAlterConfigsResource], int]:
    made: list[AlterConfigsRequestAlterConfigsResource] = []
    try:
        for _ in range(count):
            m: AlterConfigsRequestAlterConfigsResource = new(AlterConfigsRequestAlterConfigsResource)
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
            if (n - 1) * 4 > end - at:
                check_count(n - 1, 4, data, at)
            m.configs, at = _decode_alter_configs_request_alterable_config_v0(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_configs_request_alter_configs_resource_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterConfigsRequestAlterConfigsResource], int]:
    made: list[AlterConfigsRequestAlterConfigsResource] = []
    try:
        for _ in range(count):
            m: AlterConfigsRequestAlterConfigsResource = new(AlterConfigsRequestAlterConfigsResource)
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
            if (n - 1) * 3 > end - at:
                check_count(n - 1, 3, data, at)
            m.configs, at = _decode_alter_configs_request_alterable_config_v2(data, at, end, n - 1)
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


def decode_alter_configs_request_v0(data: bytes, at: int = 0) -> AlterConfigsRequest:
    m: AlterConfigsRequest = new(AlterConfigsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.resources, at = _decode_alter_configs_request_alter_configs_resource_v0(data, at, end, n - 1)
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_configs_request_v2(data: bytes, at: int = 0) -> AlterConfigsRequest:
    m: AlterConfigsRequest = new(AlterConfigsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        m.resources, at = _decode_alter_configs_request_alter_configs_resource_v2(data, at, end, n - 1)
        m.validate_only, n = _UNPACK_tB(data, at)
        at += 2
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_alter_configs_request_alterable_config_v0(items: Sequence[AlterConfigsRequestAlterableConfig], out: list[bytes]) -> None:
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
            out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alterable_config_v2(items: Sequence[AlterConfigsRequestAlterableConfig], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = NO_TAGS, b""
            else:
                value_bytes = m.value.encode()
                value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alter_configs_resource_v0(items: Sequence[AlterConfigsRequestAlterConfigsResource], out: list[bytes]) -> None:
    try:
        for m in items:
            resource_name_bytes = m.resource_name.encode()
            configs_items = m.configs
            out += (_PACK_b(m.resource_type), plain_string_prefix(len(resource_name_bytes)), resource_name_bytes, plain_prefix(len(configs_items)))
            _encode_alter_configs_request_alterable_config_v0(configs_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_configs_request_alter_configs_resource_v2(items: Sequence[AlterConfigsRequestAlterConfigsResource], out: list[bytes]) -> None:
    try:
        for m in items:
            resource_name_bytes = m.resource_name.encode()
            configs_items = m.configs
            out += (_PACK_b(m.resource_type), UVARINT[n + 1] if (n := len(resource_name_bytes)) < SHORT - 1 else string_prefix(n), resource_name_bytes, length_prefix(len(configs_items)))
            _encode_alter_configs_request_alterable_config_v2(configs_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_configs_request_v0(m: AlterConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (plain_prefix(len(resources_items)),)
        _encode_alter_configs_request_alter_configs_resource_v0(resources_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_t(m.validate_only),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_configs_request_v2(m: AlterConfigsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        resources_items = m.resources
        out += (length_prefix(len(resources_items)),)
        _encode_alter_configs_request_alter_configs_resource_v2(resources_items, out)
        out += (_PACK_t(m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterConfigsRequest, 0): (decode_alter_configs_request_v0, encode_alter_configs_request_v0),
    (AlterConfigsRequest, 1): (decode_alter_configs_request_v0, encode_alter_configs_request_v0),
    (AlterConfigsRequest, 2): (decode_alter_configs_request_v2, encode_alter_configs_request_v2),
}
"""The decoder and the encoder of every message and version."""
