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

from kraftpy.records.generated.rpc import AddRaftVoterResponse

_PACK_ih: Final = Struct(">ih").pack
_UNPACK_ihB: Final = Struct(">ihB").unpack_from


def decode_add_raft_voter_response_v0(data: bytes, at: int = 0) -> AddRaftVoterResponse:
    m: AddRaftVoterResponse = new(AddRaftVoterResponse)
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


def encode_add_raft_voter_response_v0(m: AddRaftVoterResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AddRaftVoterResponse, 0): (decode_add_raft_voter_response_v0, encode_add_raft_voter_response_v0),
    (AddRaftVoterResponse, 1): (decode_add_raft_voter_response_v0, encode_add_raft_voter_response_v0),
}
"""The decoder and the encoder of every message and version."""
