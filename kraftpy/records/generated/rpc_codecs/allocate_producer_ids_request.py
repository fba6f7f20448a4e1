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

from kraftpy.records.generated.rpc import AllocateProducerIdsRequest

_PACK_iq: Final = Struct(">iq").pack
_UNPACK_iqB: Final = Struct(">iqB").unpack_from


def decode_allocate_producer_ids_request_v0(data: bytes, at: int = 0) -> AllocateProducerIdsRequest:
    m: AllocateProducerIdsRequest = new(AllocateProducerIdsRequest)
    end = len(data)
    try:
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_allocate_producer_ids_request_v0(m: AllocateProducerIdsRequest, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_iq(m.broker_id, m.broker_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AllocateProducerIdsRequest, 0): (decode_allocate_producer_ids_request_v0, encode_allocate_producer_ids_request_v0),
}
"""The decoder and the encoder of every message and version."""
