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

from kraftpy.records.generated.rpc import CreateDelegationTokenRequest, CreateDelegationTokenRequestCreatableRenewers

_PACK_q: Final = Struct(">q").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_qB: Final = Struct(">qB").unpack_from


def _decode_create_delegation_token_request_creatable_renewers_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateDelegationTokenRequestCreatableRenewers], int]:
    made: list[CreateDelegationTokenRequestCreatableRenewers] = []
    try:
        for _ in range(count):
            m: CreateDelegationTokenRequestCreatableRenewers = new(CreateDelegationTokenRequestCreatableRenewers)
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.principal_type = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.principal_name = data[at:stop].decode()
            at = stop
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_delegation_token_request_creatable_renewers_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateDelegationTokenRequestCreatableRenewers], int]:
    made: list[CreateDelegationTokenRequestCreatableRenewers] = []
    try:
        for _ in range(count):
            m: CreateDelegationTokenRequestCreatableRenewers = new(CreateDelegationTokenRequestCreatableRenewers)
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
            m.principal_type = data[at:stop].decode()
            at = stop
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
            m.principal_name = data[at:stop].decode()
            at = stop
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


def decode_create_delegation_token_request_v1(data: bytes, at: int = 0) -> CreateDelegationTokenRequest:
    m: CreateDelegationTokenRequest = new(CreateDelegationTokenRequest)
    end = len(data)
    try:
        m.owner_principal_type = ""
        m.owner_principal_name = ""
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        m.renewers, at = _decode_create_delegation_token_request_creatable_renewers_v1(data, at, end, n - 1)
        m.max_lifetime_ms, = _UNPACK_q(data, at)
        at += 8
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_delegation_token_request_v2(data: bytes, at: int = 0) -> CreateDelegationTokenRequest:
    m: CreateDelegationTokenRequest = new(CreateDelegationTokenRequest)
    end = len(data)
    try:
        m.owner_principal_type = ""
        m.owner_principal_name = ""
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.renewers, at = _decode_create_delegation_token_request_creatable_renewers_v2(data, at, end, n - 1)
        m.max_lifetime_ms, n = _UNPACK_qB(data, at)
        at += 9
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_delegation_token_request_v3(data: bytes, at: int = 0) -> CreateDelegationTokenRequest:
    m: CreateDelegationTokenRequest = new(CreateDelegationTokenRequest)
    end = len(data)
    try:
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
            m.owner_principal_type = data[at:stop].decode()
            at = stop
        else:
            m.owner_principal_type = None
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
            m.owner_principal_name = data[at:stop].decode()
            at = stop
        else:
            m.owner_principal_name = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.renewers, at = _decode_create_delegation_token_request_creatable_renewers_v2(data, at, end, n - 1)
        m.max_lifetime_ms, n = _UNPACK_qB(data, at)
        at += 9
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_create_delegation_token_request_creatable_renewers_v1(items: Sequence[CreateDelegationTokenRequestCreatableRenewers], out: list[bytes]) -> None:
    try:
        for m in items:
            principal_type_bytes = m.principal_type.encode()
            principal_name_bytes = m.principal_name.encode()
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(principal_type_bytes)), principal_type_bytes, plain_string_prefix(len(principal_name_bytes)), principal_name_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_delegation_token_request_creatable_renewers_v2(items: Sequence[CreateDelegationTokenRequestCreatableRenewers], out: list[bytes]) -> None:
    try:
        for m in items:
            principal_type_bytes = m.principal_type.encode()
            principal_name_bytes = m.principal_name.encode()
            out += (UVARINT[n + 1] if (n := len(principal_type_bytes)) < SHORT - 1 else string_prefix(n), principal_type_bytes, UVARINT[n + 1] if (n := len(principal_name_bytes)) < SHORT - 1 else string_prefix(n), principal_name_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_delegation_token_request_v1(m: CreateDelegationTokenRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.owner_principal_type != "":
            raise absent(m, "owner_principal_type")
        if m.owner_principal_name != "":
            raise absent(m, "owner_principal_name")
        renewers_items = m.renewers
        out += (plain_prefix(len(renewers_items)),)
        _encode_create_delegation_token_request_creatable_renewers_v1(renewers_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_q(m.max_lifetime_ms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_delegation_token_request_v2(m: CreateDelegationTokenRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.owner_principal_type != "":
            raise absent(m, "owner_principal_type")
        if m.owner_principal_name != "":
            raise absent(m, "owner_principal_name")
        renewers_items = m.renewers
        out += (length_prefix(len(renewers_items)),)
        _encode_create_delegation_token_request_creatable_renewers_v2(renewers_items, out)
        out += (_PACK_q(m.max_lifetime_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_delegation_token_request_v3(m: CreateDelegationTokenRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.owner_principal_type is None:
            owner_principal_type_size, owner_principal_type_bytes = NO_TAGS, b""
        else:
            owner_principal_type_bytes = m.owner_principal_type.encode()
            owner_principal_type_size = UVARINT[n + 1] if (n := len(owner_principal_type_bytes)) < SHORT - 1 else string_prefix(n)
        if m.owner_principal_name is None:
            owner_principal_name_size, owner_principal_name_bytes = NO_TAGS, b""
        else:
            owner_principal_name_bytes = m.owner_principal_name.encode()
            owner_principal_name_size = UVARINT[n + 1] if (n := len(owner_principal_name_bytes)) < SHORT - 1 else string_prefix(n)
        renewers_items = m.renewers
        out += (owner_principal_type_size, owner_principal_type_bytes, owner_principal_name_size, owner_principal_name_bytes, length_prefix(len(renewers_items)))
        _encode_create_delegation_token_request_creatable_renewers_v2(renewers_items, out)
        out += (_PACK_q(m.max_lifetime_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (CreateDelegationTokenRequest, 1): (decode_create_delegation_token_request_v1, encode_create_delegation_token_request_v1),
    (CreateDelegationTokenRequest, 2): (decode_create_delegation_token_request_v2, encode_create_delegation_token_request_v2),
    (CreateDelegationTokenRequest, 3): (decode_create_delegation_token_request_v3, encode_create_delegation_token_request_v3),
}
"""The decoder and the encoder of every message and version."""
