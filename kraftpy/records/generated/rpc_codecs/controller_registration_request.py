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
_UNPACK_HhB: Final = Struct(">HhB").unpack_from
_UNPACK_hhB: Final = Struct(">hhB").unpack_from
_UNPACK_iutB: Final = Struct(">i16s?B").unpack_from


def _decode_controller_registration_request_listener_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ControllerRegistrationRequestListener], int]:
    made: list[ControllerRegistrationRequestListener] = []
    try:
        for _ in range(count):
            m: ControllerRegistrationRequestListener = new(ControllerRegistrationRequestListener)
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


def _decode_controller_registration_request_feature_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ControllerRegistrationRequestFeature], int]:
    made: list[ControllerRegistrationRequestFeature] = []
    try:
        for _ in range(count):
            m: ControllerRegistrationRequestFeature = new(ControllerRegistrationRequestFeature)
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


def decode_controller_registration_request_v0(data: bytes, at: int = 0) -> ControllerRegistrationRequest:
    m: ControllerRegistrationRequest = new(ControllerRegistrationRequest)
    end = len(data)
    try:
        m.controller_id, m.incarnation_id, m.zk_migration_ready, n = _UNPACK_iutB(data, at)
        at += 22
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.listeners, at = _decode_controller_registration_request_listener_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.features, at = _decode_controller_registration_request_feature_v0(data, at, end, n - 1)
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


def _encode_controller_registration_request_listener_v0(items: Sequence[ControllerRegistrationRequestListener], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_Hh(m.port, m.security_protocol), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_controller_registration_request_feature_v0(items: Sequence[ControllerRegistrationRequestFeature], out: list[bytes]) -> None:
    try:
        for m in items:
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
        _encode_controller_registration_request_listener_v0(listeners_items, out)
        features_items = m.features
        out += (length_prefix(len(features_items)),)
        _encode_controller_registration_request_feature_v0(features_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ControllerRegistrationRequest, 0): (decode_controller_registration_request_v0, encode_controller_registration_request_v0),
}
"""The decoder and the encoder of every message and version."""
