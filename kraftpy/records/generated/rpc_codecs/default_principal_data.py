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
    new,
    read_string_length,
    read_tags,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DefaultPrincipalData

_PACK_t: Final = Struct(">?").pack
_UNPACK_tB: Final = Struct(">?B").unpack_from


def decode_default_principal_data_v0(data: bytes, at: int = 0) -> DefaultPrincipalData:
    m: DefaultPrincipalData = new(DefaultPrincipalData)
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
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.type = data[at:stop].decode()
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
        m.name = data[at:stop].decode()
        at = stop
        m.token_authenticated, n = _UNPACK_tB(data, at)
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


def encode_default_principal_data_v0(m: DefaultPrincipalData, prefix: bytes = b"") -> bytes:
    try:
        type_bytes = m.type.encode()
        name_bytes = m.name.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(type_bytes)) < SHORT - 1 else string_prefix(n), type_bytes, UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_t(m.token_authenticated), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DefaultPrincipalData, 0): (decode_default_principal_data_v0, encode_default_principal_data_v0),
}
"""The decoder and the encoder of every message and version."""
