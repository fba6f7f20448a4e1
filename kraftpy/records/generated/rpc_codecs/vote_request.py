"""Generated from ``proto/kafka/rpc`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

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
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iiiiq: Final = Struct(">iiiiq").unpack_from
_UNPACK_iiiuuiq: Final = Struct(">iii16s16siq").unpack_from
_UNPACK_iiiuuiqt: Final = Struct(">iii16s16siq?").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


def _decode_vote_request_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[VoteRequestPartitionData, int]:
    m: VoteRequestPartitionData = new(VoteRequestPartitionData)
    try:
        m.replica_directory_id = ZERO_UUID
        m.voter_directory_id = ZERO_UUID
        m.pre_vote = False
        m.claimed_incarnation_id = ZERO_UUID
        m.partition_index, m.replica_epoch, m.replica_id, m.last_offset_epoch, m.last_offset = _UNPACK_iiiiq(data, at)
        at += 24
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v1(data: bytes, at: int, _end: int) -> tuple[VoteRequestPartitionData, int]:
    m: VoteRequestPartitionData = new(VoteRequestPartitionData)
    try:
        m.pre_vote = False
        m.claimed_incarnation_id = ZERO_UUID
        m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset = _UNPACK_iiiuuiq(data, at)
        at += 56
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_partition_data_v2(data: bytes, at: int, end: int) -> tuple[VoteRequestPartitionData, int]:
    m: VoteRequestPartitionData = new(VoteRequestPartitionData)
    try:
        m.claimed_incarnation_id = ZERO_UUID
        m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset, m.pre_vote = _UNPACK_iiiuuiqt(data, at)
        at += 57
        m.unknown_tags = ()
        n = data[at]
        at += 1
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
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v0(data: bytes, at: int, end: int) -> tuple[VoteRequestTopicData, int]:
    m: VoteRequestTopicData = new(VoteRequestTopicData)
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
        partitions_items: list[VoteRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_request_partition_data_v0(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v1(data: bytes, at: int, end: int) -> tuple[VoteRequestTopicData, int]:
    m: VoteRequestTopicData = new(VoteRequestTopicData)
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
        partitions_items: list[VoteRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_request_partition_data_v1(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_vote_request_topic_data_v2(data: bytes, at: int, end: int) -> tuple[VoteRequestTopicData, int]:
    m: VoteRequestTopicData = new(VoteRequestTopicData)
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
        partitions_items: list[VoteRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_vote_request_partition_data_v2(data, at, end)
            partitions_items.append(partitions_item)
        m.partitions = partitions_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
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
        topics_items: list[VoteRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_request_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
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
        m.voter_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_request_topic_data_v1(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
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
        m.voter_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[VoteRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_vote_request_topic_data_v2(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
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


def _encode_vote_request_partition_data_v0(m: VoteRequestPartitionData, out: list[bytes]) -> None:
    try:
        if m.pre_vote:
            raise absent(m, "pre_vote")
        out += (_PACK_iiiiq(m.partition_index, m.replica_epoch, m.replica_id, m.last_offset_epoch, m.last_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v1(m: VoteRequestPartitionData, out: list[bytes]) -> None:
    try:
        if m.pre_vote:
            raise absent(m, "pre_vote")
        if len(m.replica_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        if len(m.voter_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iiiuuiq(m.partition_index, m.replica_epoch, m.replica_id, m.replica_directory_id, m.voter_directory_id, m.last_offset_epoch, m.last_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_partition_data_v2(m: VoteRequestPartitionData, out: list[bytes]) -> None:
    try:
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


def _encode_vote_request_topic_data_v0(m: VoteRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_request_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v1(m: VoteRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_request_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_vote_request_topic_data_v2(m: VoteRequestTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_vote_request_partition_data_v2(partitions_item, out)
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
        for topics_item in topics_items:
            _encode_vote_request_topic_data_v0(topics_item, out)
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
        for topics_item in topics_items:
            _encode_vote_request_topic_data_v1(topics_item, out)
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
        for topics_item in topics_items:
            _encode_vote_request_topic_data_v2(topics_item, out)
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
