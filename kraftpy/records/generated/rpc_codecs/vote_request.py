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
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import VoteRequest, VoteRequestPartitionData, VoteRequestTopicData

_PACK_i: Final = Struct(">i").pack
_PACK_iiiiq: Final = Struct(">iiiiq").pack
_PACK_iiiuuiq: Final = Struct(">iii16s16siq").pack
_PACK_iiiuuiqt: Final = Struct(">iii16s16siq?").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_iiiiqB: Final = Struct(">iiiiqB").unpack_from
_UNPACK_iiiuuiqB: Final = Struct(">iii16s16siqB").unpack_from
_UNPACK_iiiuuiqtB: Final = Struct(">iii16s16siq?B").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


def _decode_vote_request_partition_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[VoteRequestPartitionData], int]:
    made: list[VoteRequestPartitionData] = []
    try:
        for _ in range(count):
            m: VoteRequestPartitionData = new(VoteRequestPartitionData)
            m.replica_directory_id = ZERO_UUID
            m.voter_directory_id = ZERO_UUID
            m.pre_vote = False
            m.claimed_incarnation_id = ZERO_UUID
            m.partition_index, m.replica_epoch, m.replica_id, m.last_offset_epoch, m.last_offset, n = _UNPACK_iiiiqB(data, at)
            at += 25
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[VoteRequestPartitionData], int]:
    made: list[VoteRequestPartitionData] = []
    try:
        for _ in range(count):
            m: VoteRequestPartitionData = new(VoteRequestPartitionData)
            m.pre_vote = False
            m.claimed_incarnation_id = ZERO_UUID
            m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset, n = _UNPACK_iiiuuiqB(data, at)
            at += 57
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[VoteRequestPartitionData], int]:
    made: list[VoteRequestPartitionData] = []
    try:
        for _ in range(count):
            m: VoteRequestPartitionData = new(VoteRequestPartitionData)
            m.claimed_incarnation_id = ZERO_UUID
            m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset, m.pre_vote, n = _UNPACK_iiiuuiqtB(data, at)
            at += 58
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
                    if tag == 1000:
                        m.claimed_incarnation_id, = _UNPACK_u(data, at)
                        at += 16
                    else:
                        unknown.append((tag, data[at:tag_end]))
                        at = tag_end
                    if at != tag_end:
                        raise FieldError(f"tag {tag} does not fill the bytes it claims")
                m.unknown_tags = tuple(unknown)
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[VoteRequestTopicData], int]:
    made: list[VoteRequestTopicData] = []
    try:
        for _ in range(count):
            m: VoteRequestTopicData = new(VoteRequestTopicData)
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
            m.topic_name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 25 > end - at:
                check_count(n - 1, 25, data, at)
            m.partitions, at = _decode_vote_request_partition_data_v0(data, at, end, n - 1)
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


def _decode_vote_request_topic_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[VoteRequestTopicData], int]:
    made: list[VoteRequestTopicData] = []
    try:
        for _ in range(count):
            m: VoteRequestTopicData = new(VoteRequestTopicData)
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
            m.topic_name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 57 > end - at:
                check_count(n - 1, 57, data, at)
            m.partitions, at = _decode_vote_request_partition_data_v1(data, at, end, n - 1)
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


def _decode_vote_request_topic_data_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[VoteRequestTopicData], int]:
    made: list[VoteRequestTopicData] = []
    try:
        for _ in range(count):
            m: VoteRequestTopicData = new(VoteRequestTopicData)
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
            m.topic_name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 58 > end - at:
                check_count(n - 1, 58, data, at)
            m.partitions, at = _decode_vote_request_partition_data_v2(data, at, end, n - 1)
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


def decode_vote_request_v0(data: bytes, at: int = 0) -> VoteRequest:
    m: VoteRequest = new(VoteRequest)
    end = len(data)
    try:
        m.voter_id = -1
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
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_vote_request_topic_data_v0(data, at, end, n - 1)
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


def decode_vote_request_v1(data: bytes, at: int = 0) -> VoteRequest:
    m: VoteRequest = new(VoteRequest)
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
        m.voter_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_vote_request_topic_data_v1(data, at, end, n - 1)
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


def decode_vote_request_v2(data: bytes, at: int = 0) -> VoteRequest:
    m: VoteRequest = new(VoteRequest)
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
        m.voter_id, n = _UNPACK_iB(data, at)
        at += 5
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_vote_request_topic_data_v2(data, at, end, n - 1)
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


def _encode_vote_request_partition_data_v0(items: Sequence[VoteRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.pre_vote:
                raise absent(m, "pre_vote")
            out += (_PACK_iiiiq(m.partition_index, m.replica_epoch, m.replica_id, m.last_offset_epoch, m.last_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v1(items: Sequence[VoteRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.pre_vote:
                raise absent(m, "pre_vote")
            if len(m.replica_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            if len(m.voter_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            out += (_PACK_iiiuuiq(m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v2(items: Sequence[VoteRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.replica_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            if len(m.voter_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags: list[tuple[int, bytes]] = []
            if m.claimed_incarnation_id != ZERO_UUID:
                if len(m.claimed_incarnation_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1000, _PACK_u(m.claimed_incarnation_id)))
            out += (_PACK_iiiuuiqt(m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset, m.pre_vote), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v0(items: Sequence[VoteRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_vote_request_partition_data_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v1(items: Sequence[VoteRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_vote_request_partition_data_v1(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v2(items: Sequence[VoteRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_vote_request_partition_data_v2(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_request_v0(m: VoteRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, length_prefix(len(topics_items)))
        _encode_vote_request_topic_data_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_request_v1(m: VoteRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, _PACK_i(m.voter_id), length_prefix(len(topics_items)))
        _encode_vote_request_topic_data_v1(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_vote_request_v2(m: VoteRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, _PACK_i(m.voter_id), length_prefix(len(topics_items)))
        _encode_vote_request_topic_data_v2(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (VoteRequest, 0): (decode_vote_request_v0, encode_vote_request_v0),
    (VoteRequest, 1): (decode_vote_request_v1, encode_vote_request_v1),
    (VoteRequest, 2): (decode_vote_request_v2, encode_vote_request_v2),
}
"""The decoder and the encoder of every message and version."""
