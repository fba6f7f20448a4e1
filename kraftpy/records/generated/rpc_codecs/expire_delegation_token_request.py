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
    read_tags,
    read_uvarint,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import ExpireDelegationTokenRequest

_PACK_q: Final = Struct(">q").pack
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_qB: Final = Struct(">qB").unpack_from


def decode_expire_delegation_token_request_v1(data: bytes, at: int = 0) -> ExpireDelegationTokenRequest:
    m: ExpireDelegationTokenRequest = new(ExpireDelegationTokenRequest)
    end = len(data)
    try:
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
        m.expiry_time_period_ms, = _UNPACK_q(data, at)
        at += 8
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_expire_delegation_token_request_v2(data: bytes, at: int = 0) -> ExpireDelegationTokenRequest:
    m: ExpireDelegationTokenRequest = new(ExpireDelegationTokenRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.hmac = data[at:stop]
        at = stop
        m.expiry_time_period_ms, n = _UNPACK_qB(data, at)
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


def encode_expire_delegation_token_request_v1(m: ExpireDelegationTokenRequest, prefix: bytes = b"") -> bytes:
    try:
        hmac_bytes = m.hmac
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, plain_prefix(len(hmac_bytes)), hmac_bytes, _PACK_q(m.expiry_time_period_ms)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_expire_delegation_token_request_v2(m: ExpireDelegationTokenRequest, prefix: bytes = b"") -> bytes:
    try:
        hmac_bytes = m.hmac
        return b"".join((prefix, UVARINT[n + 1] if (n := len(hmac_bytes)) < SHORT - 1 else length_prefix(n), hmac_bytes, _PACK_q(m.expiry_time_period_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ExpireDelegationTokenRequest, 1): (decode_expire_delegation_token_request_v1, encode_expire_delegation_token_request_v1),
    (ExpireDelegationTokenRequest, 2): (decode_expire_delegation_token_request_v2, encode_expire_delegation_token_request_v2),
}
"""The decoder and the encoder of every message and version."""
