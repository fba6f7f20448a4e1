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

from kraftpy.records.generated.rpc import AlterClientQuotasRequest, AlterClientQuotasRequestEntityData, AlterClientQuotasRequestEntryData, AlterClientQuotasRequestOpData

_PACK_dt: Final = Struct(">d?").pack
_PACK_t: Final = Struct(">?").pack
_UNPACK_dt: Final = Struct(">d?").unpack_from
_UNPACK_dtB: Final = Struct(">d?B").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_t: Final = Struct(">?").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from


def _decode_alter_client_quotas_request_entity_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterClientQuotasRequestEntityData], int]:
    made: list[AlterClientQuotasRequestEntityData] = []
    try:
        for _ in range(count):
            m: AlterClientQuotasRequestEntityData = new(AlterClientQuotasRequestEntityData)
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.entity_type = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.entity_name = data[at:stop].decode()
                at = stop
            else:
                m.entity_name = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_client_quotas_request_entity_data_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterClientQuotasRequestEntityData], int]:
    made: list[AlterClientQuotasRequestEntityData] = []
    try:
        for _ in range(count):
            m: AlterClientQuotasRequestEntityData = new(AlterClientQuotasRequestEntityData)
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
            m.entity_type = data[at:stop].decode()
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
                m.entity_name = data[at:stop].decode()
                at = stop
            else:
                m.entity_name = None
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


def _decode_alter_client_quotas_request_op_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterClientQuotasRequestOpData], int]:
    made: list[AlterClientQuotasRequestOpData] = []
    try:
        for _ in range(count):
            m: AlterClientQuotasRequestOpData = new(AlterClientQuotasRequestOpData)
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.key = data[at:stop].decode()
            at = stop
            m.value, m.remove = _UNPACK_dt(data, at)
            at += 9
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_client_quotas_request_op_data_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterClientQuotasRequestOpData], int]:
    made: list[AlterClientQuotasRequestOpData] = []
    try:
        for _ in range(count):
            m: AlterClientQuotasRequestOpData = new(AlterClientQuotasRequestOpData)
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
            m.key = data[at:stop].decode()
            at = stop
            m.value, m.remove, n = _UNPACK_dtB(data, at)
            at += 10
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_client_quotas_request_entry_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterClientQuotasRequestEntryData], int]:
    made: list[AlterClientQuotasRequestEntryData] = []
    try:
        for _ in range(count):
            m: AlterClientQuotasRequestEntryData = new(AlterClientQuotasRequestEntryData)
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 4 > end - at:
                check_count(n - 1, 4, data, at)
            m.entity, at = _decode_alter_client_quotas_request_entity_data_v0(data, at, end, n - 1)
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 11 > end - at:
                check_count(n - 1, 11, data, at)
            m.ops, at = _decode_alter_client_quotas_request_op_data_v0(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_client_quotas_request_entry_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterClientQuotasRequestEntryData], int]:
    made: list[AlterClientQuotasRequestEntryData] = []
    try:
        for _ in range(count):
            m: AlterClientQuotasRequestEntryData = new(AlterClientQuotasRequestEntryData)
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 3 > end - at:
                check_count(n - 1, 3, data, at)
            m.entity, at = _decode_alter_client_quotas_request_entity_data_v1(data, at, end, n - 1)
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 11 > end - at:
                check_count(n - 1, 11, data, at)
            m.ops, at = _decode_alter_client_quotas_request_op_data_v1(data, at, end, n - 1)
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


def decode_alter_client_quotas_request_v0(data: bytes, at: int = 0) -> AlterClientQuotasRequest:
    m: AlterClientQuotasRequest = new(AlterClientQuotasRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 8 > end - at:
            check_count(n - 1, 8, data, at)
        m.entries, at = _decode_alter_client_quotas_request_entry_data_v0(data, at, end, n - 1)
        m.validate_only, = _UNPACK_t(data, at)
        at += 1
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_client_quotas_request_v1(data: bytes, at: int = 0) -> AlterClientQuotasRequest:
    m: AlterClientQuotasRequest = new(AlterClientQuotasRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.entries, at = _decode_alter_client_quotas_request_entry_data_v1(data, at, end, n - 1)
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


def _encode_alter_client_quotas_request_entity_data_v0(items: Sequence[AlterClientQuotasRequestEntityData], out: list[bytes]) -> None:
    try:
        for m in items:
            entity_type_bytes = m.entity_type.encode()
            if m.entity_name is None:
                entity_name_size, entity_name_bytes = b"\xff\xff", b""
            else:
                entity_name_bytes = m.entity_name.encode()
                entity_name_size = plain_string_prefix(len(entity_name_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(entity_type_bytes)), entity_type_bytes, entity_name_size, entity_name_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_client_quotas_request_entity_data_v1(items: Sequence[AlterClientQuotasRequestEntityData], out: list[bytes]) -> None:
    try:
        for m in items:
            entity_type_bytes = m.entity_type.encode()
            if m.entity_name is None:
                entity_name_size, entity_name_bytes = NO_TAGS, b""
            else:
                entity_name_bytes = m.entity_name.encode()
                entity_name_size = UVARINT[n + 1] if (n := len(entity_name_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(entity_type_bytes)) < SHORT - 1 else string_prefix(n), entity_type_bytes, entity_name_size, entity_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_client_quotas_request_op_data_v0(items: Sequence[AlterClientQuotasRequestOpData], out: list[bytes]) -> None:
    try:
        for m in items:
            key_bytes = m.key.encode()
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(key_bytes)), key_bytes, _PACK_dt(m.value, m.remove))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_client_quotas_request_op_data_v1(items: Sequence[AlterClientQuotasRequestOpData], out: list[bytes]) -> None:
    try:
        for m in items:
            key_bytes = m.key.encode()
            out += (UVARINT[n + 1] if (n := len(key_bytes)) < SHORT - 1 else string_prefix(n), key_bytes, _PACK_dt(m.value, m.remove), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_client_quotas_request_entry_data_v0(items: Sequence[AlterClientQuotasRequestEntryData], out: list[bytes]) -> None:
    try:
        for m in items:
            entity_items = m.entity
            out += (plain_prefix(len(entity_items)),)
            _encode_alter_client_quotas_request_entity_data_v0(entity_items, out)
            ops_items = m.ops
            out += (plain_prefix(len(ops_items)),)
            _encode_alter_client_quotas_request_op_data_v0(ops_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_client_quotas_request_entry_data_v1(items: Sequence[AlterClientQuotasRequestEntryData], out: list[bytes]) -> None:
    try:
        for m in items:
            entity_items = m.entity
            out += (length_prefix(len(entity_items)),)
            _encode_alter_client_quotas_request_entity_data_v1(entity_items, out)
            ops_items = m.ops
            out += (length_prefix(len(ops_items)),)
            _encode_alter_client_quotas_request_op_data_v1(ops_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_client_quotas_request_v0(m: AlterClientQuotasRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        entries_items = m.entries
        out += (plain_prefix(len(entries_items)),)
        _encode_alter_client_quotas_request_entry_data_v0(entries_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_t(m.validate_only),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_client_quotas_request_v1(m: AlterClientQuotasRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        entries_items = m.entries
        out += (length_prefix(len(entries_items)),)
        _encode_alter_client_quotas_request_entry_data_v1(entries_items, out)
        out += (_PACK_t(m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterClientQuotasRequest, 0): (decode_alter_client_quotas_request_v0, encode_alter_client_quotas_request_v0),
    (AlterClientQuotasRequest, 1): (decode_alter_client_quotas_request_v1, encode_alter_client_quotas_request_v1),
}
"""The decoder and the encoder of every message and version."""
