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

from kraftpy.records.generated.rpc import AddRaftVoterRequest, AddRaftVoterRequestListener

_PACK_H: Final = Struct(">H").pack
_PACK_iiu: Final = Struct(">ii16s").pack
_PACK_t: Final = Struct(">?").pack
_UNPACK_HB: Final = Struct(">HB").unpack_from
_UNPACK_iiuB: Final = Struct(">ii16sB").unpack_from
_UNPACK_tB: Final = Struct(">?B").unpack_from


def _decode_add_raft_voter_request_listener_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AddRaftVoterRequestListener], int]:
    made: list[AddRaftVoterRequestListener] = []
    try:
        for _ in range(count):
            m: AddRaftVoterRequestListener = new(AddRaftVoterRequestListener)
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
            m.port, n = _UNPACK_HB(data, at)
            at += 3
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_add_raft_voter_request_v0(data: bytes, at: int = 0) -> AddRaftVoterRequest:
    m: AddRaftVoterRequest = new(AddRaftVoterRequest)
    end = len(data)
    try:
        m.ack_when_committed = True
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
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.timeout_ms, m.voter_id, m.voter_directory_id, n = _UNPACK_iiuB(data, at)
        at += 25
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.listeners, at = _decode_add_raft_voter_request_listener_v0(data, at, end, n - 1)
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


def decode_add_raft_voter_request_v1(data: bytes, at: int = 0) -> AddRaftVoterRequest:
    m: AddRaftVoterRequest = new(AddRaftVoterRequest)
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
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        m.timeout_ms, m.voter_id, m.voter_directory_id, n = _UNPACK_iiuB(data, at)
        at += 25
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.listeners, at = _decode_add_raft_voter_request_listener_v0(data, at, end, n - 1)
        m.ack_when_committed, n = _UNPACK_tB(data, at)
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


def _encode_add_raft_voter_request_listener_v0(items: Sequence[AddRaftVoterRequestListener], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_add_raft_voter_request_v0(m: AddRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if not m.ack_when_committed:
            raise absent(m, "ack_when_committed")
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (cluster_id_size, cluster_id_bytes, _PACK_iiu(m.timeout_ms, m.voter_id, m.voter_directory_id), length_prefix(len(listeners_items)))
        _encode_add_raft_voter_request_listener_v0(listeners_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_add_raft_voter_request_v1(m: AddRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        listeners_items = m.listeners
        out += (cluster_id_size, cluster_id_bytes, _PACK_iiu(m.timeout_ms, m.voter_id, m.voter_directory_id), length_prefix(len(listeners_items)))
        _encode_add_raft_voter_request_listener_v0(listeners_items, out)
        out += (_PACK_t(m.ack_when_committed), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AddRaftVoterRequest, 0): (decode_add_raft_voter_request_v0, encode_add_raft_voter_request_v0),
    (AddRaftVoterRequest, 1): (decode_add_raft_voter_request_v1, encode_add_raft_voter_request_v1),
}
"""The decoder and the encoder of every message and version."""
