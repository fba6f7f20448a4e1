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
    new,
    read_string_length,
    read_tags,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import ApiVersionsRequest



def decode_api_versions_request_v0(data: bytes, at: int = 0) -> ApiVersionsRequest:
    m: ApiVersionsRequest = new(ApiVersionsRequest)
    end = len(data)
    try:
        m.client_software_name = ""
        m.client_software_version = ""
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_api_versions_request_v3(data: bytes, at: int = 0) -> ApiVersionsRequest:
    m: ApiVersionsRequest = new(ApiVersionsRequest)
    end = len(data)
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
        m.client_software_name = data[at:stop].decode()
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
        m.client_software_version = data[at:stop].decode()
        at = stop
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


def encode_api_versions_request_v0(m: ApiVersionsRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join((prefix, ))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_api_versions_request_v3(m: ApiVersionsRequest, prefix: bytes = b"") -> bytes:
    try:
        client_software_name_bytes = m.client_software_name.encode()
        client_software_version_bytes = m.client_software_version.encode()
        return b"".join((prefix, UVARINT[n + 1] if (n := len(client_software_name_bytes)) < SHORT - 1 else string_prefix(n), client_software_name_bytes, UVARINT[n + 1] if (n := len(client_software_version_bytes)) < SHORT - 1 else string_prefix(n), client_software_version_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ApiVersionsRequest, 0): (decode_api_versions_request_v0, encode_api_versions_request_v0),
    (ApiVersionsRequest, 1): (decode_api_versions_request_v0, encode_api_versions_request_v0),
    (ApiVersionsRequest, 2): (decode_api_versions_request_v0, encode_api_versions_request_v0),
    (ApiVersionsRequest, 3): (decode_api_versions_request_v3, encode_api_versions_request_v3),
    (ApiVersionsRequest, 4): (decode_api_versions_request_v3, encode_api_versions_request_v3),
}
"""The decoder and the encoder of every message and version."""
