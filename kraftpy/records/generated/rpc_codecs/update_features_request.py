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

from kraftpy.records.generated.rpc import UpdateFeaturesRequest, UpdateFeaturesRequestFeatureUpdateKey

_PACK_hb: Final = Struct(">hb").pack
_PACK_ht: Final = Struct(">h?").pack
_PACK_i: Final = Struct(">i").pack
_PACK_t: Final = Struct(">?").pack
_UNPACK_hbB: Final = Struct(">hbB").unpack_from
_UNPACK_htB: Final = Struct(">h?B").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from


def _decode_update_features_request_feature_update_key_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[UpdateFeaturesRequestFeatureUpdateKey], int]:
    made: list[UpdateFeaturesRequestFeatureUpdateKey] = []
    try:
        for _ in range(count):
            m: UpdateFeaturesRequestFeatureUpdateKey = new(UpdateFeaturesRequestFeatureUpdateKey)
            m.upgrade_type = 1
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
            m.feature = data[at:stop].decode()
            at = stop
            m.max_version_level, m.allow_downgrade, n = _UNPACK_htB(data, at)
            at += 4
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_update_features_request_feature_update_key_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[UpdateFeaturesRequestFeatureUpdateKey], int]:
    made: list[UpdateFeaturesRequestFeatureUpdateKey] = []
    try:
        for _ in range(count):
            m: UpdateFeaturesRequestFeatureUpdateKey = new(UpdateFeaturesRequestFeatureUpdateKey)
            m.allow_downgrade = False
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
            m.feature = data[at:stop].decode()
            at = stop
            m.max_version_level, m.upgrade_type, n = _UNPACK_hbB(data, at)
            at += 4
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_features_request_v0(data: bytes, at: int = 0) -> UpdateFeaturesRequest:
    m: UpdateFeaturesRequest = new(UpdateFeaturesRequest)
    end = len(data)
    try:
        m.validate_only = False
        m.timeout_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.feature_updates, at = _decode_update_features_request_feature_update_key_v0(data, at, end, n - 1)
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


def decode_update_features_request_v1(data: bytes, at: int = 0) -> UpdateFeaturesRequest:
    m: UpdateFeaturesRequest = new(UpdateFeaturesRequest)
    end = len(data)
    try:
        m.timeout_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.feature_updates, at = _decode_update_features_request_feature_update_key_v1(data, at, end, n - 1)
        m.validate_only, n = _UNPACK_tB(data, at)
        at += 2
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_update_features_request_feature_update_key_v0(items: Sequence[UpdateFeaturesRequestFeatureUpdateKey], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.upgrade_type != 1:
                raise absent(m, "upgrade_type")
            feature_bytes = m.feature.encode()
            out += (UVARINT[n + 1] if (n := len(feature_bytes)) < SHORT - 1 else string_prefix(n), feature_bytes, _PACK_ht(m.max_version_level, m.allow_downgrade), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_update_features_request_feature_update_key_v1(items: Sequence[UpdateFeaturesRequestFeatureUpdateKey], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.allow_downgrade:
                raise absent(m, "allow_downgrade")
            feature_bytes = m.feature.encode()
            out += (UVARINT[n + 1] if (n := len(feature_bytes)) < SHORT - 1 else string_prefix(n), feature_bytes, _PACK_hb(m.max_version_level, m.upgrade_type), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_features_request_v0(m: UpdateFeaturesRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.validate_only:
            raise absent(m, "validate_only")
        feature_updates_items = m.feature_updates
        out += (_PACK_i(m.timeout_ms), length_prefix(len(feature_updates_items)))
        _encode_update_features_request_feature_update_key_v0(feature_updates_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_features_request_v1(m: UpdateFeaturesRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        feature_updates_items = m.feature_updates
        out += (_PACK_i(m.timeout_ms), length_prefix(len(feature_updates_items)))
        _encode_update_features_request_feature_update_key_v1(feature_updates_items, out)
        out += (_PACK_t(m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (UpdateFeaturesRequest, 0): (decode_update_features_request_v0, encode_update_features_request_v0),
    (UpdateFeaturesRequest, 1): (decode_update_features_request_v1, encode_update_features_request_v1),
    (UpdateFeaturesRequest, 2): (decode_update_features_request_v1, encode_update_features_request_v1),
}
"""The decoder and the encoder of every message and version."""
