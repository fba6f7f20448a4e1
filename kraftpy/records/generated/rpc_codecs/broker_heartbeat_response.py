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
    Codec,
    Message,
    new,
    read_tags,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import BrokerHeartbeatResponse

_PACK_ihttt: Final = Struct(">ih???").pack
_UNPACK_ihtttB: Final = Struct(">ih???B").unpack_from


def decode_broker_heartbeat_response_v0(data: bytes, at: int = 0) -> BrokerHeartbeatResponse:
    m: BrokerHeartbeatResponse = new(BrokerHeartbeatResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down, n = _UNPACK_ihtttB(data, at)
        at += 10
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_broker_heartbeat_response_v0(m: BrokerHeartbeatResponse, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_ihttt(m.throttle_time_ms, m.error_code, m.is_caught_up, m.is_fenced, m.should_shut_down), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (BrokerHeartbeatResponse, 0): (decode_broker_heartbeat_response_v0, encode_broker_heartbeat_response_v0),
    (BrokerHeartbeatResponse, 1): (decode_broker_heartbeat_response_v0, encode_broker_heartbeat_response_v0),
    (BrokerHeartbeatResponse, 2): (decode_broker_heartbeat_response_v0, encode_broker_heartbeat_response_v0),
}
"""The decoder and the encoder of every message and version."""
