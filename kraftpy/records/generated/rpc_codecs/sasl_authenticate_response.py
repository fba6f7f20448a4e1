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

from kraftpy.records.generated.rpc import SaslAuthenticateResponse

_PACK_h: Final = Struct(">h").pack
_PACK_q: Final = Struct(">q").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_qB: Final = Struct(">qB").unpack_from


def decode_sasl_authenticate_response_v0(data: bytes, at: int = 0) -> SaslAuthenticateResponse:
    m: SaslAuthenticateResponse = new(SaslAuthenticateResponse)
    end = len(data)
    try:
        m.session_lifetime_ms = 0
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
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.auth_bytes = data[at:stop]
        at = stop
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_sasl_authenticate_response_v1(data: bytes, at: int = 0) -> SaslAuthenticateResponse:
    m: SaslAuthenticateResponse = new(SaslAuthenticateResponse)
    end = len(data)
    try:
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
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.auth_bytes = data[at:stop]
        at = stop
        m.session_lifetime_ms, = _UNPACK_q(data, at)
        at += 8
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_sasl_authenticate_response_v2(data: bytes, at: int = 0) -> SaslAuthenticateResponse:
    m: SaslAuthenticateResponse = new(SaslAuthenticateResponse)
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
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.auth_bytes = data[at:stop]
        at = stop
        m.session_lifetime_ms, n = _UNPACK_qB(data, at)
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


def encode_sasl_authenticate_response_v0(m: SaslAuthenticateResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = b"\xff\xff", b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = plain_string_prefix(len(error_message_bytes))
        auth_bytes_bytes = m.auth_bytes
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_h(m.error_code), error_message_size, error_message_bytes, plain_prefix(len(auth_bytes_bytes)), auth_bytes_bytes))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_sasl_authenticate_response_v1(m: SaslAuthenticateResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = b"\xff\xff", b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = plain_string_prefix(len(error_message_bytes))
        auth_bytes_bytes = m.auth_bytes
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_h(m.error_code), error_message_size, error_message_bytes, plain_prefix(len(auth_bytes_bytes)), auth_bytes_bytes, _PACK_q(m.session_lifetime_ms)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_sasl_authenticate_response_v2(m: SaslAuthenticateResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        auth_bytes_bytes = m.auth_bytes
        return b"".join((prefix, _PACK_h(m.error_code), error_message_size, error_message_bytes, UVARINT[n + 1] if (n := len(auth_bytes_bytes)) < SHORT - 1 else length_prefix(n), auth_bytes_bytes, _PACK_q(m.session_lifetime_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (SaslAuthenticateResponse, 0): (decode_sasl_authenticate_response_v0, encode_sasl_authenticate_response_v0),
    (SaslAuthenticateResponse, 1): (decode_sasl_authenticate_response_v1, encode_sasl_authenticate_response_v1),
    (SaslAuthenticateResponse, 2): (decode_sasl_authenticate_response_v2, encode_sasl_authenticate_response_v2),
}
"""The decoder and the encoder of every message and version."""
