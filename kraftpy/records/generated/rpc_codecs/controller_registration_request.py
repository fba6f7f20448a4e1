"""Generated from ``proto/kafka/rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

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
    check_count,
    length_prefix,
    new,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import ControllerRegistrationRequest, ControllerRegistrationRequestFeature, ControllerRegistrationRequestListener

_PACK_Hh: Final = Struct(">Hh").pack
_PACK_hh: Final = Struct(">hh").pack
_PACK_iut: Final = Struct(">i16s?").pack
_UNPACK_Hh: Final = Struct(">Hh").unpack_from
_UNPACK_hh: Final = Struct(">hh").unpack_from
_UNPACK_iut: Final = Struct(">i16s?").unpack_from


def _decode_controller_registration_request_listener_v0(data: bytes, at: int, _end: int) -> tuple[ControllerRegistrationRequestListener, int]:
    m: ControllerRegistrationRequestListener = new(ControllerRegistrationRequestListener)
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
        m.port, m.security_protocol = _UNPACK_Hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_controller_registration_request_feature_v0(data: bytes, at: int, _end: int) -> tuple[ControllerRegistrationRequestFeature, int]:
    m: ControllerRegistrationRequestFeature = new(ControllerRegistrationRequestFeature)
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
        m.name = data[at:stop].decode()
        at = stop
        m.min_supported_version, m.max_supported_version = _UNPACK_hh(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_controller_registration_request_v0(data: bytes, at: int = 0) -> ControllerRegistrationRequest:
    m: ControllerRegistrationRequest = new(ControllerRegistrationRequest)
    end = len(data)
    try:
        m.controller_id, m.incarnation_id, m.zk_migration_ready = _UNPACK_iut(data, at)
        at += 21
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        listeners_items: list[ControllerRegistrationRequestListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_controller_registration_request_listener_v0(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        features_items: list[ControllerRegistrationRequestFeature] = []
        for _ in range(n - 1):
            features_item, at = _decode_controller_registration_request_feature_v0(data, at, end)
            features_items.append(features_item)
        m.features = features_items
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


def _encode_controller_registration_request_listener_v0(m: ControllerRegistrationRequestListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_controller_registration_request_feature_v0(m: ControllerRegistrationRequestFeature, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_controller_registration_request_v0(m: ControllerRegistrationRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if len(m.incarnation_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (_PACK_iut(m.controller_id, m.incarnation_id, m.zk_migration_ready), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_controller_registration_request_listener_v0(listeners_item, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        for features_item in features_items:
            _encode_controller_registration_request_feature_v0(features_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ControllerRegistrationRequest, 0): (decode_controller_registration_request_v0, encode_controller_registration_request_v0),
}
"""The decoder and the encoder of every message and version."""
