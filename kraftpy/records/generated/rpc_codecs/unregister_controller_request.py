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

from kraftpy.records.generated.rpc import UnregisterControllerRequest

_PACK_i: Final = Struct(">i").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from


def decode_unregister_controller_request_v0(data: bytes, at: int = 0) -> UnregisterControllerRequest:
    m: UnregisterControllerRequest = new(UnregisterControllerRequest)
    end = len(data)
    try:
        m.controller_id, n = _UNPACK_iB(data, at)
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


def encode_unregister_controller_request_v0(m: UnregisterControllerRequest, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_i(m.controller_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (UnregisterControllerRequest, 0): (decode_unregister_controller_request_v0, encode_unregister_controller_request_v0),
}
"""The decoder and the encoder of every message and version."""
