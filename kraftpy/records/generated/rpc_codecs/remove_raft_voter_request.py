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
    Message,
    new,
    read_string_length,
    read_tags,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import RemoveRaftVoterRequest

_PACK_iu: Final = Struct(">i16s").pack
_UNPACK_iuB: Final = Struct(">i16sB").unpack_from


def decode_remove_raft_voter_request_v0(data: bytes, at: int = 0) -> RemoveRaftVoterRequest:
    m: RemoveRaftVoterRequest = new(RemoveRaftVoterRequest)
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
        m.voter_id, m.voter_directory_id, n = _UNPACK_iuB(data, at)
        at += 21
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def encode_remove_raft_voter_request_v0(m: RemoveRaftVoterRequest, prefix: bytes = b"") -> bytes:
    try:
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        return b"".join((prefix, cluster_id_size, cluster_id_bytes, _PACK_iu(m.voter_id, m.voter_directory_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (RemoveRaftVoterRequest, 0): (decode_remove_raft_voter_request_v0, encode_remove_raft_voter_request_v0),
}
"""The decoder and the encoder of every message and version."""
