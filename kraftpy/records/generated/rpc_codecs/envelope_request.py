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
    read_tags,
    read_uvarint,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import EnvelopeRequest



def decode_envelope_request_v0(data: bytes, at: int = 0) -> EnvelopeRequest:
    m: EnvelopeRequest = new(EnvelopeRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.request_data = data[at:stop]
        at = stop
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if n:
            stop = at + n - 1
            m.request_principal = data[at:stop]
            at = stop
        else:
            m.request_principal = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.client_host_address = data[at:stop]
        at = stop
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


def encode_envelope_request_v0(m: EnvelopeRequest, prefix: bytes = b"") -> bytes:
    try:
        request_data_bytes = m.request_data
        if m.request_principal is None:
            request_principal_size, request_principal_bytes = NO_TAGS, b""
        else:
            request_principal_bytes = m.request_principal
            request_principal_size = UVARINT[n + 1] if (n := len(request_principal_bytes)) < SHORT - 1 else length_prefix(n)
        client_host_address_bytes = m.client_host_address
        return b"".join((prefix, UVARINT[n + 1] if (n := len(request_data_bytes)) < SHORT - 1 else length_prefix(n), request_data_bytes, request_principal_size, request_principal_bytes, UVARINT[n + 1] if (n := len(client_host_address_bytes)) < SHORT - 1 else length_prefix(n), client_host_address_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (EnvelopeRequest, 0): (decode_envelope_request_v0, encode_envelope_request_v0),
}
"""The decoder and the encoder of every message and version."""
