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

from kraftpy.records.generated.rpc import CreateDelegationTokenResponse

_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_qqq: Final = Struct(">qqq").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_qqq: Final = Struct(">qqq").unpack_from
_UNPACK_qqqB: Final = Struct(">qqqB").unpack_from


def decode_create_delegation_token_response_v1(data: bytes, at: int = 0) -> CreateDelegationTokenResponse:
    m: CreateDelegationTokenResponse = new(CreateDelegationTokenResponse)
    end = len(data)
    try:
        m.token_requester_principal_type = ""
        m.token_requester_principal_name = ""
        m.error_code, = _UNPACK_h(data, at)
        at += 2
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
        m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms = _UNPACK_qqq(data, at)
        at += 24
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.token_id = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.hmac = data[at:stop]
        at = stop
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_delegation_token_response_v2(data: bytes, at: int = 0) -> CreateDelegationTokenResponse:
    m: CreateDelegationTokenResponse = new(CreateDelegationTokenResponse)
    end = len(data)
    try:
        m.token_requester_principal_type = ""
        m.token_requester_principal_name = ""
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
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
        m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n = _UNPACK_qqqB(data, at)
        at += 25
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.token_id = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.hmac = data[at:stop]
        at = stop
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
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


def decode_create_delegation_token_response_v3(data: bytes, at: int = 0) -> CreateDelegationTokenResponse:
    m: CreateDelegationTokenResponse = new(CreateDelegationTokenResponse)
    end = len(data)
    try:
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
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
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.token_requester_principal_type = data[at:stop].decode()
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
        m.token_requester_principal_name = data[at:stop].decode()
        at = stop
        m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, n = _UNPACK_qqqB(data, at)
        at += 25
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.token_id = data[at:stop].decode()
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.hmac = data[at:stop]
        at = stop
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
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


def encode_create_delegation_token_response_v1(m: CreateDelegationTokenResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.token_requester_principal_type != "":
            raise absent(m, "token_requester_principal_type")
        if m.token_requester_principal_name != "":
            raise absent(m, "token_requester_principal_name")
        principal_type_bytes = m.principal_type.encode()
        principal_name_bytes = m.principal_name.encode()
        token_id_bytes = m.token_id.encode()
        hmac_bytes = m.hmac
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_h(m.error_code), plain_string_prefix(len(principal_type_bytes)), principal_type_bytes, plain_string_prefix(len(principal_name_bytes)), principal_name_bytes, _PACK_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms), plain_string_prefix(len(token_id_bytes)), token_id_bytes, plain_prefix(len(hmac_bytes)), hmac_bytes, _PACK_i(m.throttle_time_ms)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_delegation_token_response_v2(m: CreateDelegationTokenResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.token_requester_principal_type != "":
            raise absent(m, "token_requester_principal_type")
        if m.token_requester_principal_name != "":
            raise absent(m, "token_requester_principal_name")
        principal_type_bytes = m.principal_type.encode()
        principal_name_bytes = m.principal_name.encode()
        token_id_bytes = m.token_id.encode()
        hmac_bytes = m.hmac
        return b"".join((prefix, _PACK_h(m.error_code), UVARINT[n + 1] if (n := len(principal_type_bytes)) < SHORT - 1 else string_prefix(n), principal_type_bytes, UVARINT[n + 1] if (n := len(principal_name_bytes)) < SHORT - 1 else string_prefix(n), principal_name_bytes, _PACK_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms), UVARINT[n + 1] if (n := len(token_id_bytes)) < SHORT - 1 else string_prefix(n), token_id_bytes, UVARINT[n + 1] if (n := len(hmac_bytes)) < SHORT - 1 else length_prefix(n), hmac_bytes, _PACK_i(m.throttle_time_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_delegation_token_response_v3(m: CreateDelegationTokenResponse, prefix: bytes = b"") -> bytes:
    try:
        principal_type_bytes = m.principal_type.encode()
        principal_name_bytes = m.principal_name.encode()
        token_requester_principal_type_bytes = m.token_requester_principal_type.encode()
        token_requester_principal_name_bytes = m.token_requester_principal_name.encode()
        token_id_bytes = m.token_id.encode()
        hmac_bytes = m.hmac
        return b"".join((prefix, _PACK_h(m.error_code), UVARINT[n + 1] if (n := len(principal_type_bytes)) < SHORT - 1 else string_prefix(n), principal_type_bytes, UVARINT[n + 1] if (n := len(principal_name_bytes)) < SHORT - 1 else string_prefix(n), principal_name_bytes, UVARINT[n + 1] if (n := len(token_requester_principal_type_bytes)) < SHORT - 1 else string_prefix(n), token_requester_principal_type_bytes, UVARINT[n + 1] if (n := len(token_requester_principal_name_bytes)) < SHORT - 1 else string_prefix(n), token_requester_principal_name_bytes, _PACK_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms), UVARINT[n + 1] if (n := len(token_id_bytes)) < SHORT - 1 else string_prefix(n), token_id_bytes, UVARINT[n + 1] if (n := len(hmac_bytes)) < SHORT - 1 else length_prefix(n), hmac_bytes, _PACK_i(m.throttle_time_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (CreateDelegationTokenResponse, 1): (decode_create_delegation_token_response_v1, encode_create_delegation_token_response_v1),
    (CreateDelegationTokenResponse, 2): (decode_create_delegation_token_response_v2, encode_create_delegation_token_response_v2),
    (CreateDelegationTokenResponse, 3): (decode_create_delegation_token_response_v3, encode_create_delegation_token_response_v3),
}
"""The decoder and the encoder of every message and version."""
