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
    new,
    read_string_length,
    read_tags,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import AssignBrokerIdResponse

_PACK_i: Final = Struct(">i").pack
_PACK_ib: Final = Struct(">ib").pack
_PACK_ih: Final = Struct(">ih").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ibB: Final = Struct(">ibB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from


def decode_assign_broker_id_response_v0(data: bytes, at: int = 0) -> AssignBrokerIdResponse:
    m: AssignBrokerIdResponse = new(AssignBrokerIdResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
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
        m.broker_id, m.source, n = _UNPACK_ibB(data, at)
        at += 6
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.leader_host = data[at:stop].decode()
            at = stop
        else:
            m.leader_host = None
        m.leader_port, n = _UNPACK_iB(data, at)
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


def encode_assign_broker_id_response_v0(m: AssignBrokerIdResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        if m.leader_host is None:
            leader_host_size, leader_host_bytes = NO_TAGS, b""
        else:
            leader_host_bytes = m.leader_host.encode()
            leader_host_size = UVARINT[n + 1] if (n := len(leader_host_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, _PACK_ib(m.broker_id, m.source), leader_host_size, leader_host_bytes, _PACK_i(m.leader_port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AssignBrokerIdResponse, 0): (decode_assign_broker_id_response_v0, encode_assign_broker_id_response_v0),
}
"""The decoder and the encoder of every message and version."""
