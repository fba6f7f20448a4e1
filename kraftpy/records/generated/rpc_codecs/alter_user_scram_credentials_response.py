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

from kraftpy.records.generated.rpc import AlterUserScramCredentialsResponse, AlterUserScramCredentialsResponseAlterUserScramCredentialsResult

_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from


def _decode_alter_user_scram_credentials_response_alter_user_scram_credentials_result_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterUserScramCredentialsResponseAlterUserScramCredentialsResult], int]:
    made: list[AlterUserScramCredentialsResponseAlterUserScramCredentialsResult] = []
    try:
        for _ in range(count):
            m: AlterUserScramCredentialsResponseAlterUserScramCredentialsResult = new(AlterUserScramCredentialsResponseAlterUserScramCredentialsResult)
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
            m.user = data[at:stop].decode()
            at = stop
            m.error_code, n = _UNPACK_hB(data, at)
            at += 3
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.error_message = data[at:stop].decode()
                at = stop
            else:
                m.error_message = None
            n = data[at]
            at += 1
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_alter_user_scram_credentials_response_v0(data: bytes, at: int = 0) -> AlterUserScramCredentialsResponse:
    m: AlterUserScramCredentialsResponse = new(AlterUserScramCredentialsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.results, at = _decode_alter_user_scram_credentials_response_alter_user_scram_credentials_result_v0(data, at, end, n - 1)
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


def _encode_alter_user_scram_credentials_response_alter_user_scram_credentials_result_v0(items: Sequence[AlterUserScramCredentialsResponseAlterUserScramCredentialsResult], out: list[bytes]) -> None:
    try:
        for m in items:
            user_bytes = m.user.encode()
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(user_bytes)) < SHORT - 1 else string_prefix(n), user_bytes, _PACK_h(m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_user_scram_credentials_response_v0(m: AlterUserScramCredentialsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        results_items = m.results
        out += (_PACK_i(m.throttle_time_ms), length_prefix(len(results_items)))
        _encode_alter_user_scram_credentials_response_alter_user_scram_credentials_result_v0(results_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterUserScramCredentialsResponse, 0): (decode_alter_user_scram_credentials_response_v0, encode_alter_user_scram_credentials_response_v0),
}
"""The decoder and the encoder of every message and version."""
