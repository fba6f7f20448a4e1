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
    Codec,
    FieldError,
    Message,
    check_count,
    new,
    plain_strings,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import SaslHandshakeResponse

_PACK_h: Final = Struct(">h").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from


def decode_sasl_handshake_response_v0(data: bytes, at: int = 0) -> SaslHandshakeResponse:
    m: SaslHandshakeResponse = new(SaslHandshakeResponse)
    end = len(data)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 2 > end - at:
            check_count(n - 1, 2, data, at)
        mechanisms_items: list[str] = []
        for _ in range(n - 1):
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            mechanisms_items.append(data[at:stop].decode())
            at = stop
        m.mechanisms = mechanisms_items
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_sasl_handshake_response_v0(m: SaslHandshakeResponse, prefix: bytes = b"") -> bytes:
    try:
        mechanisms_items = m.mechanisms
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_h(m.error_code), plain_strings(mechanisms_items)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (SaslHandshakeResponse, 0): (decode_sasl_handshake_response_v0, encode_sasl_handshake_response_v0),
    (SaslHandshakeResponse, 1): (decode_sasl_handshake_response_v0, encode_sasl_handshake_response_v0),
}
"""The decoder and the encoder of every message and version."""
