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

from kraftpy.records.generated.rpc import RenewDelegationTokenResponse

_PACK_hqi: Final = Struct(">hqi").pack
_UNPACK_hqi: Final = Struct(">hqi").unpack_from
_UNPACK_hqiB: Final = Struct(">hqiB").unpack_from


def decode_renew_delegation_token_response_v1(data: bytes, at: int = 0) -> RenewDelegationTokenResponse:
    m: RenewDelegationTokenResponse = new(RenewDelegationTokenResponse)
    end = len(data)
    try:
        m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms = _UNPACK_hqi(data, at)
        at += 14
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_renew_delegation_token_response_v2(data: bytes, at: int = 0) -> RenewDelegationTokenResponse:
    m: RenewDelegationTokenResponse = new(RenewDelegationTokenResponse)
    end = len(data)
    try:
        m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms, n = _UNPACK_hqiB(data, at)
        at += 15
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_renew_delegation_token_response_v1(m: RenewDelegationTokenResponse, prefix: bytes = b"") -> bytes:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, _PACK_hqi(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms)))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_renew_delegation_token_response_v2(m: RenewDelegationTokenResponse, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_hqi(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (RenewDelegationTokenResponse, 1): (decode_renew_delegation_token_response_v1, encode_renew_delegation_token_response_v1),
    (RenewDelegationTokenResponse, 2): (decode_renew_delegation_token_response_v2, encode_renew_delegation_token_response_v2),
}
"""The decoder and the encoder of every message and version."""
