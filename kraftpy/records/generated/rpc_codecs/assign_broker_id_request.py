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

from kraftpy.records.generated.rpc import AssignBrokerIdRequest

_PACK_u: Final = Struct(">16s").pack
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def decode_assign_broker_id_request_v0(data: bytes, at: int = 0) -> AssignBrokerIdRequest:
    m: AssignBrokerIdRequest = new(AssignBrokerIdRequest)
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
        m.host = data[at:stop].decode()
        at = stop
        m.incarnation_id, n = _UNPACK_uB(data, at)
        at += 17
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_assign_broker_id_request_v0(m: AssignBrokerIdRequest, prefix: bytes = b"") -> bytes:
    try:
        host_bytes = m.host.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        return b"".join((prefix, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_u(m.incarnation_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AssignBrokerIdRequest, 0): (decode_assign_broker_id_request_v0, encode_assign_broker_id_request_v0),
}
"""The decoder and the encoder of every message and version."""
