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
    UVARINT,
    Codec,
    FieldError,
    Message,
    check_count,
    length_prefix,
    new,
    read_string_length,
    read_tag,
    read_tags,
    read_uuids,
    read_uvarint,
    string_prefix,
    tag_section,
    uuids,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import BrokerRegistrationRequest, BrokerRegistrationRequestFeature, BrokerRegistrationRequestListener

_PACK_Hh: Final = Struct(">Hh").pack
_PACK_hh: Final = Struct(">hh").pack
_PACK_i: Final = Struct(">i").pack
_PACK_q: Final = Struct(">q").pack
_PACK_t: Final = Struct(">?").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_HhB: Final = Struct(">HhB").unpack_from
_UNPACK_hhB: Final = Struct(">hhB").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_qB: Final = Struct(">qB").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_broker_registration_request_listener_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[BrokerRegistrationRequestListener], int]:
    made: list[BrokerRegistrationRequestListener] = []
    try:
        for _ in range(count):
            m: BrokerRegistrationRequestListener = new(BrokerRegistrationRequestListener)
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
            m.port, m.security_protocol, n = _UNPACK_HhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_broker_registration_request_feature_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[BrokerRegistrationRequestFeature], int]:
    made: list[BrokerRegistrationRequestFeature] = []
    try:
        for _ in range(count):
            m: BrokerRegistrationRequestFeature = new(BrokerRegistrationRequestFeature)
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
            m.min_supported_version, m.max_supported_version, n = _UNPACK_hhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_broker_registration_request_v0(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.is_migrating_zk_broker = False
        m.log_dirs = []
        m.previous_broker_epoch = -1
        m.saturated_log_dirs = None
        m.host = None
        m.broker_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, n = _UNPACK_uB(data, at)
        at += 17
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.listeners, at = _decode_broker_registration_request_listener_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_broker_registration_request_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        n = data[at]
        at += 1
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
                elif tag == 1001:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.host = data[at:stop].decode()
                        at = stop
                    else:
                        m.host = None
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


def decode_broker_registration_request_v1(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.log_dirs = []
        m.previous_broker_epoch = -1
        m.saturated_log_dirs = None
        m.host = None
        m.broker_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, n = _UNPACK_uB(data, at)
        at += 17
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.listeners, at = _decode_broker_registration_request_listener_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_broker_registration_request_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_migrating_zk_broker, n = _UNPACK_tB(data, at)
        at += 2
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
                elif tag == 1001:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.host = data[at:stop].decode()
                        at = stop
                    else:
                        m.host = None
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


def decode_broker_registration_request_v2(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.previous_broker_epoch = -1
        m.saturated_log_dirs = None
        m.host = None
        m.broker_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, n = _UNPACK_uB(data, at)
        at += 17
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.listeners, at = _decode_broker_registration_request_listener_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_broker_registration_request_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_migrating_zk_broker, n = _UNPACK_tB(data, at)
        at += 2
        if n <= SHAPES:
            m.log_dirs = list(UNPACK_UUIDS[n](data, at))
            at += 16 * n - 16
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.log_dirs = read_uuids(data, at, n - 1)
            at += 16 * n - 16
        n = data[at]
        at += 1
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
                elif tag == 1001:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.host = data[at:stop].decode()
                        at = stop
                    else:
                        m.host = None
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


def decode_broker_registration_request_v3(data: bytes, at: int = 0) -> BrokerRegistrationRequest:
    m: BrokerRegistrationRequest = new(BrokerRegistrationRequest)
    end = len(data)
    try:
        m.saturated_log_dirs = None
        m.host = None
        m.broker_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.cluster_id = data[at:stop].decode()
        at = stop
        m.incarnation_id, n = _UNPACK_uB(data, at)
        at += 17
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.listeners, at = _decode_broker_registration_request_listener_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_broker_registration_request_feature_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.rack = data[at:stop].decode()
            at = stop
        else:
            m.rack = None
        m.is_migrating_zk_broker, n = _UNPACK_tB(data, at)
        at += 2
        if n <= SHAPES:
            m.log_dirs = list(UNPACK_UUIDS[n](data, at))
            at += 16 * n - 16
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.log_dirs = read_uuids(data, at, n - 1)
            at += 16 * n - 16
        m.previous_broker_epoch, n = _UNPACK_qB(data, at)
        at += 9
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
                elif tag == 1001:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        if (more := data[at]) < SHORT:
                            n += more - 1 << 7
                            at += 1
                        else:
                            n, at = read_string_length(data, at - 1)
                    if n:
                        stop = at + n - 1
                        m.host = data[at:stop].decode()
                        at = stop
                    else:
                        m.host = None
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


def _encode_broker_registration_request_listener_v0(items: Sequence[BrokerRegistrationRequestListener], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_broker_registration_request_feature_v0(items: Sequence[BrokerRegistrationRequestFeature], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v0(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.is_migrating_zk_broker:
            raise absent(m, "is_migrating_zk_broker")
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        _encode_broker_registration_request_listener_v0(listeners_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_broker_registration_request_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        tags: list[tuple[int, bytes]] = []
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        if m.host is not None:
            host_bytes = m.host.encode()
            tags.append((1001, b"".join((UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes))))
        out += (rack_size, rack_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v1(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        _encode_broker_registration_request_listener_v0(listeners_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_broker_registration_request_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        tags: list[tuple[int, bytes]] = []
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        if m.host is not None:
            host_bytes = m.host.encode()
            tags.append((1001, b"".join((UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes))))
        out += (rack_size, rack_bytes, _PACK_t(m.is_migrating_zk_broker), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v2(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        _encode_broker_registration_request_listener_v0(listeners_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_broker_registration_request_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        log_dirs_items = m.log_dirs
        tags: list[tuple[int, bytes]] = []
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        if m.host is not None:
            host_bytes = m.host.encode()
            tags.append((1001, b"".join((UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes))))
        out += (rack_size, rack_bytes, _PACK_t(m.is_migrating_zk_broker), uuids(log_dirs_items), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_broker_registration_request_v3(m: BrokerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        cluster_id_bytes = m.cluster_id.encode()
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_i(m.broker_id), UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes, _PACK_u(m.incarnation_id), length_prefix(len(listeners_items)))
        _encode_broker_registration_request_listener_v0(listeners_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_broker_registration_request_feature_v0(features_items, out)
        if m.rack is None:
            rack_size, rack_bytes = NO_TAGS, b""
        else:
            rack_bytes = m.rack.encode()
            rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
        log_dirs_items = m.log_dirs
        tags: list[tuple[int, bytes]] = []
        if m.saturated_log_dirs is not None:
            saturated_log_dirs_items = m.saturated_log_dirs
            tags.append((1000, uuids(saturated_log_dirs_items)))
        if m.host is not None:
            host_bytes = m.host.encode()
            tags.append((1001, b"".join((UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes))))
        out += (rack_size, rack_bytes, _PACK_t(m.is_migrating_zk_broker), uuids(log_dirs_items), _PACK_q(m.previous_broker_epoch), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (BrokerRegistrationRequest, 0): (decode_broker_registration_request_v0, encode_broker_registration_request_v0),
    (BrokerRegistrationRequest, 1): (decode_broker_registration_request_v1, encode_broker_registration_request_v1),
    (BrokerRegistrationRequest, 2): (decode_broker_registration_request_v2, encode_broker_registration_request_v2),
    (BrokerRegistrationRequest, 3): (decode_broker_registration_request_v3, encode_broker_registration_request_v3),
    (BrokerRegistrationRequest, 4): (decode_broker_registration_request_v3, encode_broker_registration_request_v3),
}
"""The decoder and the encoder of every message and version."""
