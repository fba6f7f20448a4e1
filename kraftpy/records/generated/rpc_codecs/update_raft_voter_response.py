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
    new,
    read_string_length,
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import UpdateRaftVoterResponse, UpdateRaftVoterResponseCurrentLeader

_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_ii: Final = Struct(">ii").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_iiB: Final = Struct(">iiB").unpack_from


def _decode_update_raft_voter_response_current_leader_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[UpdateRaftVoterResponseCurrentLeader], int]:
    made: list[UpdateRaftVoterResponseCurrentLeader] = []
    try:
        for _ in range(count):
            m: UpdateRaftVoterResponseCurrentLeader = new(UpdateRaftVoterResponseCurrentLeader)
            m.leader_id, m.leader_epoch, n = _UNPACK_iiB(data, at)
            at += 9
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
            m.port, n = _UNPACK_iB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_update_raft_voter_response_v0(data: bytes, at: int = 0) -> UpdateRaftVoterResponse:
    m: UpdateRaftVoterResponse = new(UpdateRaftVoterResponse)
    end = len(data)
    try:
        m.current_leader = UpdateRaftVoterResponseCurrentLeader()
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
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
                    (m.current_leader,), at = _decode_update_raft_voter_response_current_leader_v0(data, at, end, 1)
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


def _encode_update_raft_voter_response_current_leader_v0(items: Sequence[UpdateRaftVoterResponseCurrentLeader], out: list[bytes]) -> None:
    try:
        for m in items:
            host_bytes = m.host.encode()
            out += (_PACK_ii(m.leader_id, m.leader_epoch), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_update_raft_voter_response_v0(m: UpdateRaftVoterResponse, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.host != "" or m.current_leader.port != 0 or m.current_leader.unknown_tags:
            current_leader_parts: list[bytes] = []
            _encode_update_raft_voter_response_current_leader_v0((m.current_leader,), current_leader_parts)
            tags.append((0, b"".join(current_leader_parts)))
        return b"".join((prefix, _PACK_ih(m.throttle_time_ms, m.error_code), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (UpdateRaftVoterResponse, 0): (decode_update_raft_voter_response_v0, encode_update_raft_voter_response_v0),
}
"""The decoder and the encoder of every message and version."""
