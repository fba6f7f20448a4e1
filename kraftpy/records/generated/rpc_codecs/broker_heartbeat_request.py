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
    SHAPES,
    SHORT,
    UNPACK_UUIDS,
    Codec,
    FieldError,
    Message,
    check_count,
    new,
    read_tag,
    read_uuids,
    read_uvarint,
    tag_section,
    uuids,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import BrokerHeartbeatRequest

_PACK_iqqtt: Final = Struct(">iqq??").pack
_UNPACK_iqqttB: Final = Struct(">iqq??B").unpack_from


def decode_broker_heartbeat_request_v0(data: bytes, at: int = 0) -> BrokerHeartbeatRequest:
    m: BrokerHeartbeatRequest = new(BrokerHeartbeatRequest)
    end = len(data)
    try:
        m.offline_log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = None
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down, n = _UNPACK_iqqttB(data, at)
        at += 23
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 1000:
                    n = data[at]
                    at += 1
                    if not n:
                        m.saturated_log_dirs = None
                    elif n <= SHAPES:
                        m.saturated_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.saturated_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_heartbeat_request_v1(data: bytes, at: int = 0) -> BrokerHeartbeatRequest:
    m: BrokerHeartbeatRequest = new(BrokerHeartbeatRequest)
    end = len(data)
    try:
        m.cordoned_log_dirs = None
        m.offline_log_dirs = []
        m.saturated_log_dirs = None
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down, n = _UNPACK_iqqttB(data, at)
        at += 23
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.offline_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.offline_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1000:
                    n = data[at]
                    at += 1
                    if not n:
                        m.saturated_log_dirs = None
                    elif n <= SHAPES:
                        m.saturated_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.saturated_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_heartbeat_request_v2(data: bytes, at: int = 0) -> BrokerHeartbeatRequest:
    m: BrokerHeartbeatRequest = new(BrokerHeartbeatRequest)
    end = len(data)
    try:
        m.offline_log_dirs = []
        m.cordoned_log_dirs = None
        m.saturated_log_dirs = None
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down, n = _UNPACK_iqqttB(data, at)
        at += 23
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n <= SHAPES:
                        m.offline_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.offline_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1:
                    n = data[at]
                    at += 1
                    if not n:
                        m.cordoned_log_dirs = None
                    elif n <= SHAPES:
                        m.cordoned_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.cordoned_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                elif tag == 1000:
                    n = data[at]
                    at += 1
                    if not n:
                        m.saturated_log_dirs = None
                    elif n <= SHAPES:
                        m.saturated_log_dirs = list(UNPACK_UUIDS[n](data, at))
                        at += 16 * n - 16
                    else:
                        if n >= SHORT:
                            n, at = read_uvarint(data, at - 1)
                        m.saturated_log_dirs = read_uuids(data, at, n - 1)
                        at += 16 * n - 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_broker_heartbeat_request_v0(m: BrokerHeartbeatRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.offline_log_dirs:
            raise absent(m, "offline_log_dirs")
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        tags: list[tuple[int, bytes]] = []
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        return b"".join((prefix, _PACK_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_heartbeat_request_v1(m: BrokerHeartbeatRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.cordoned_log_dirs is not None:
            raise absent(m, "cordoned_log_dirs")
        tags: list[tuple[int, bytes]] = []
        if m.offline_log_dirs:
            offline_log_dirs_items = m.offline_log_dirs
            tags.append((0, uuids(offline_log_dirs_items)))
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        return b"".join((prefix, _PACK_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_heartbeat_request_v2(m: BrokerHeartbeatRequest, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.offline_log_dirs:
            offline_log_dirs_items = m.offline_log_dirs
            tags.append((0, uuids(offline_log_dirs_items)))
        if m.cordoned_log_dirs is not None:
            cordoned_log_dirs_items = m.cordoned_log_dirs
            tags.append((1, uuids(cordoned_log_dirs_items)))
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        return b"".join((prefix, _PACK_iqqtt(m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (BrokerHeartbeatRequest, 0): (decode_broker_heartbeat_request_v0, encode_broker_heartbeat_request_v0),
    (BrokerHeartbeatRequest, 1): (decode_broker_heartbeat_request_v1, encode_broker_heartbeat_request_v1),
    (BrokerHeartbeatRequest, 2): (decode_broker_heartbeat_request_v2, encode_broker_heartbeat_request_v2),
}
"""The decoder and the encoder of every message and version."""
