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

from kraftpy.records.generated.rpc import AlterUserScramCredentialsRequest, AlterUserScramCredentialsRequestScramCredentialDeletion, AlterUserScramCredentialsRequestScramCredentialUpsertion

_PACK_b: Final = Struct(">b").pack
_PACK_bi: Final = Struct(">bi").pack
_UNPACK_bB: Final = Struct(">bB").unpack_from
_UNPACK_biB: Final = Struct(">biB").unpack_from


def _decode_alter_user_scram_credentials_request_scram_credential_deletion_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterUserScramCredentialsRequestScramCredentialDeletion], int]:
    made: list[AlterUserScramCredentialsRequestScramCredentialDeletion] = []
    try:
        for _ in range(count):
            m: AlterUserScramCredentialsRequestScramCredentialDeletion = new(AlterUserScramCredentialsRequestScramCredentialDeletion)
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
            m.mechanism, n = _UNPACK_bB(data, at)
            at += 2
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_user_scram_credentials_request_scram_credential_upsertion_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterUserScramCredentialsRequestScramCredentialUpsertion], int]:
    made: list[AlterUserScramCredentialsRequestScramCredentialUpsertion] = []
    try:
        for _ in range(count):
            m: AlterUserScramCredentialsRequestScramCredentialUpsertion = new(AlterUserScramCredentialsRequestScramCredentialUpsertion)
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
            m.mechanism, m.iterations, n = _UNPACK_biB(data, at)
            at += 6
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.salt = data[at:stop]
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.salted_password = data[at:stop]
            at = stop
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


def decode_alter_user_scram_credentials_request_v0(data: bytes, at: int = 0) -> AlterUserScramCredentialsRequest:
    m: AlterUserScramCredentialsRequest = new(AlterUserScramCredentialsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.deletions, at = _decode_alter_user_scram_credentials_request_scram_credential_deletion_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 9 > end - at:
            check_count(n - 1, 9, data, at)
        m.upsertions, at = _decode_alter_user_scram_credentials_request_scram_credential_upsertion_v0(data, at, end, n - 1)
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


def _encode_alter_user_scram_credentials_request_scram_credential_deletion_v0(items: Sequence[AlterUserScramCredentialsRequestScramCredentialDeletion], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_b(m.mechanism), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_user_scram_credentials_request_scram_credential_upsertion_v0(items: Sequence[AlterUserScramCredentialsRequestScramCredentialUpsertion], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            salt_bytes = m.salt
            salted_password_bytes = m.salted_password
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_bi(m.mechanism, m.iterations), UVARINT[n + 1] if (n := len(salt_bytes)) < SHORT - 1 else length_prefix(n), salt_bytes, UVARINT[n + 1] if (n := len(salted_password_bytes)) < SHORT - 1 else length_prefix(n), salted_password_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_user_scram_credentials_request_v0(m: AlterUserScramCredentialsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        deletions_items = m.deletions
        out += (length_prefix(len(deletions_items)),)
        _encode_alter_user_scram_credentials_request_scram_credential_deletion_v0(deletions_items, out)
        upsertions_items = m.upsertions
        out += (length_prefix(len(upsertions_items)),)
        _encode_alter_user_scram_credentials_request_scram_credential_upsertion_v0(upsertions_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterUserScramCredentialsRequest, 0): (decode_alter_user_scram_credentials_request_v0, encode_alter_user_scram_credentials_request_v0),
}
"""The decoder and the encoder of every message and version."""
