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
    plain_prefix,
    read_string_length,
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import ApiVersionsResponse, ApiVersionsResponseApiVersion, ApiVersionsResponseFinalizedFeatureKey, ApiVersionsResponseSupportedFeatureKey

_PACK_h: Final = Struct(">h").pack
_PACK_hh: Final = Struct(">hh").pack
_PACK_hhh: Final = Struct(">hhh").pack
_PACK_i: Final = Struct(">i").pack
_PACK_q: Final = Struct(">q").pack
_PACK_t: Final = Struct(">?").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_hhB: Final = Struct(">hhB").unpack_from
_UNPACK_hhh: Final = Struct(">hhh").unpack_from
_UNPACK_hhhB: Final = Struct(">hhhB").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_t: Final = Struct(">?").unpack_from


def _decode_api_versions_response_api_version_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ApiVersionsResponseApiVersion], int]:
    made: list[ApiVersionsResponseApiVersion] = []
    try:
        for _ in range(count):
            m: ApiVersionsResponseApiVersion = new(ApiVersionsResponseApiVersion)
            m.api_key, m.min_version, m.max_version = _UNPACK_hhh(data, at)
            at += 6
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_api_version_v3(data: bytes, at: int, _end: int, count: int) -> tuple[list[ApiVersionsResponseApiVersion], int]:
    made: list[ApiVersionsResponseApiVersion] = []
    try:
        for _ in range(count):
            m: ApiVersionsResponseApiVersion = new(ApiVersionsResponseApiVersion)
            m.api_key, m.min_version, m.max_version, n = _UNPACK_hhhB(data, at)
            at += 7
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_supported_feature_key_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ApiVersionsResponseSupportedFeatureKey], int]:
    made: list[ApiVersionsResponseSupportedFeatureKey] = []
    try:
        for _ in range(count):
            m: ApiVersionsResponseSupportedFeatureKey = new(ApiVersionsResponseSupportedFeatureKey)
            m.name = ""
            m.min_version = 0
            m.max_version = 0
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_supported_feature_key_v3(data: bytes, at: int, _end: int, count: int) -> tuple[list[ApiVersionsResponseSupportedFeatureKey], int]:
    made: list[ApiVersionsResponseSupportedFeatureKey] = []
    try:
        for _ in range(count):
            m: ApiVersionsResponseSupportedFeatureKey = new(ApiVersionsResponseSupportedFeatureKey)
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
            m.min_version, m.max_version, n = _UNPACK_hhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_finalized_feature_key_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ApiVersionsResponseFinalizedFeatureKey], int]:
    made: list[ApiVersionsResponseFinalizedFeatureKey] = []
    try:
        for _ in range(count):
            m: ApiVersionsResponseFinalizedFeatureKey = new(ApiVersionsResponseFinalizedFeatureKey)
            m.name = ""
            m.max_version_level = 0
            m.min_version_level = 0
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_api_versions_response_finalized_feature_key_v3(data: bytes, at: int, _end: int, count: int) -> tuple[list[ApiVersionsResponseFinalizedFeatureKey], int]:
    made: list[ApiVersionsResponseFinalizedFeatureKey] = []
    try:
        for _ in range(count):
            m: ApiVersionsResponseFinalizedFeatureKey = new(ApiVersionsResponseFinalizedFeatureKey)
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
            m.max_version_level, m.min_version_level, n = _UNPACK_hhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_response_v0(data: bytes, at: int = 0) -> ApiVersionsResponse:
    m: ApiVersionsResponse = new(ApiVersionsResponse)
    end = len(data)
    try:
        m.throttle_time_ms = 0
        m.supported_features = []
        m.finalized_features_epoch = -1
        m.finalized_features = []
        m.zk_migration_ready = False
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.api_keys, at = _decode_api_versions_response_api_version_v0(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_response_v1(data: bytes, at: int = 0) -> ApiVersionsResponse:
    m: ApiVersionsResponse = new(ApiVersionsResponse)
    end = len(data)
    try:
        m.supported_features = []
        m.finalized_features_epoch = -1
        m.finalized_features = []
        m.zk_migration_ready = False
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.api_keys, at = _decode_api_versions_response_api_version_v0(data, at, end, n - 1)
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_response_v3(data: bytes, at: int = 0) -> ApiVersionsResponse:
    m: ApiVersionsResponse = new(ApiVersionsResponse)
    end = len(data)
    try:
        m.supported_features = []
        m.finalized_features_epoch = -1
        m.finalized_features = []
        m.zk_migration_ready = False
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 7 > end - at:
            check_count(n - 1, 7, data, at)
        m.api_keys, at = _decode_api_versions_response_api_version_v3(data, at, end, n - 1)
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
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
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 6 > end - at:
                        check_count(n - 1, 6, data, at)
                    m.supported_features, at = _decode_api_versions_response_supported_feature_key_v3(data, at, end, n - 1)
                elif tag == 1:
                    m.finalized_features_epoch, = _UNPACK_q(data, at)
                    at += 8
                elif tag == 2:
                    n = data[at]
                    at += 1
                    if n >= SHORT:
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 6 > end - at:
                        check_count(n - 1, 6, data, at)
                    m.finalized_features, at = _decode_api_versions_response_finalized_feature_key_v3(data, at, end, n - 1)
                elif tag == 3:
                    m.zk_migration_ready, = _UNPACK_t(data, at)
                    at += 1
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


def _encode_api_versions_response_api_version_v0(items: Sequence[ApiVersionsResponseApiVersion], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_hhh(m.api_key, m.min_version, m.max_version),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_api_version_v3(items: Sequence[ApiVersionsResponseApiVersion], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_hhh(m.api_key, m.min_version, m.max_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_supported_feature_key_v0(items: Sequence[ApiVersionsResponseSupportedFeatureKey], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name != "":
                raise absent(m, "name")
            if m.min_version != 0:
                raise absent(m, "min_version")
            if m.max_version != 0:
                raise absent(m, "max_version")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_supported_feature_key_v3(items: Sequence[ApiVersionsResponseSupportedFeatureKey], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.min_version, m.max_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_finalized_feature_key_v0(items: Sequence[ApiVersionsResponseFinalizedFeatureKey], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name != "":
                raise absent(m, "name")
            if m.max_version_level != 0:
                raise absent(m, "max_version_level")
            if m.min_version_level != 0:
                raise absent(m, "min_version_level")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_api_versions_response_finalized_feature_key_v3(items: Sequence[ApiVersionsResponseFinalizedFeatureKey], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_hh(m.max_version_level, m.min_version_level), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_response_v0(m: ApiVersionsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        api_keys_items = m.api_keys
        out += (_PACK_h(m.error_code), plain_prefix(len(api_keys_items)))
        _encode_api_versions_response_api_version_v0(api_keys_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_response_v1(m: ApiVersionsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        api_keys_items = m.api_keys
        out += (_PACK_h(m.error_code), plain_prefix(len(api_keys_items)))
        _encode_api_versions_response_api_version_v0(api_keys_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_i(m.throttle_time_ms),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_response_v3(m: ApiVersionsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        api_keys_items = m.api_keys
        out += (_PACK_h(m.error_code), length_prefix(len(api_keys_items)))
        _encode_api_versions_response_api_version_v3(api_keys_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.supported_features:
            supported_features_parts: list[bytes] = []
            supported_features_items = m.supported_features
            supported_features_parts.append(length_prefix(len(supported_features_items)))
            _encode_api_versions_response_supported_feature_key_v3(supported_features_items, supported_features_parts)
            tags.append((0, b"".join(supported_features_parts)))
        if m.finalized_features_epoch != -1:
            tags.append((1, _PACK_q(m.finalized_features_epoch)))
        if m.finalized_features:
            finalized_features_parts: list[bytes] = []
            finalized_features_items = m.finalized_features
            finalized_features_parts.append(length_prefix(len(finalized_features_items)))
            _encode_api_versions_response_finalized_feature_key_v3(finalized_features_items, finalized_features_parts)
            tags.append((2, b"".join(finalized_features_parts)))
        if m.zk_migration_ready:
            tags.append((3, _PACK_t(m.zk_migration_ready)))
        out += (_PACK_i(m.throttle_time_ms), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ApiVersionsResponse, 0): (decode_api_versions_response_v0, encode_api_versions_response_v0),
    (ApiVersionsResponse, 1): (decode_api_versions_response_v1, encode_api_versions_response_v1),
    (ApiVersionsResponse, 2): (decode_api_versions_response_v1, encode_api_versions_response_v1),
    (ApiVersionsResponse, 3): (decode_api_versions_response_v3, encode_api_versions_response_v3),
    (ApiVersionsResponse, 4): (decode_api_versions_response_v3, encode_api_versions_response_v3),
}
"""The decoder and the encoder of every message and version."""
