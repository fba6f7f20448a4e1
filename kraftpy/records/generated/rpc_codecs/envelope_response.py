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
    Message,
    length_prefix,
    new,
    read_tags,
    read_uvarint,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import EnvelopeResponse

_PACK_h: Final = Struct(">h").pack
_UNPACK_hB: Final = Struct(">hB").unpack_from


def decode_envelope_response_v0(data: bytes, at: int = 0) -> EnvelopeResponse:
    m: EnvelopeResponse = new(EnvelopeResponse)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            stop = at + n - 1
            m.response_data = data[at:stop]
            at = stop
        else:
            m.response_data = None
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_envelope_response_v0(m: EnvelopeResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.response_data is None:
            response_data_size, response_data_bytes = NO_TAGS, b""
        else:
            response_data_bytes = m.response_data
            response_data_size = UVARINT[n + 1] if (n := len(response_data_bytes)) < SHORT - 1 else length_prefix(n)
        return b"".join((prefix, response_data_size, response_data_bytes, _PACK_h(m.error_code), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (EnvelopeResponse, 0): (decode_envelope_response_v0, encode_envelope_response_v0),
}
"""The decoder and the encoder of every message and version."""
