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
    new,
    plain_string_prefix,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import SaslHandshakeRequest

_UNPACK_h: Final = Struct(">h").unpack_from


def decode_sasl_handshake_request_v0(data: bytes, at: int = 0) -> SaslHandshakeRequest:
    m: SaslHandshakeRequest = new(SaslHandshakeRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.mechanism = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_sasl_handshake_request_v0(m: SaslHandshakeRequest, prefix: bytes = b"") -> bytes:
    try:
        mechanism_bytes = m.mechanism.encode()
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, plain_string_prefix(len(mechanism_bytes)), mechanism_bytes))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (SaslHandshakeRequest, 0): (decode_sasl_handshake_request_v0, encode_sasl_handshake_request_v0),
    (SaslHandshakeRequest, 1): (decode_sasl_handshake_request_v0, encode_sasl_handshake_request_v0),
}
"""The decoder and the encoder of every message and version."""
