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
    Codec,
    FieldError,
    Message,
    check_count,
    length_prefix,
    new,
    read_tags,
    read_uvarint,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import AssignReplicasToDirsRequest, AssignReplicasToDirsRequestDirectoryData, AssignReplicasToDirsRequestPartitionData, AssignReplicasToDirsRequestTopicData

_PACK_i: Final = Struct(">i").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iq: Final = Struct(">iq").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


def _decode_assign_replicas_to_dirs_request_partition_data_v0(data: bytes, at: int, _end: int) -> tuple[AssignReplicasToDirsRequestPartitionData, int]:
    m: AssignReplicasToDirsRequestPartitionData = new(AssignReplicasToDirsRequestPartitionData)
    try:
        m.partition_index, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_assign_replicas_to_dirs_request_topic_data_v0(data: bytes, at: int, end: int) -> tuple[AssignReplicasToDirsRequestTopicData, int]:
    m: AssignReplicasToDirsRequestTopicData = new(AssignReplicasToDirsRequestTopicData)
    try:
        m.topic_id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        partitions_items: list[AssignReplicasToDirsRequestPartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_assign_replicas_to_dirs_request_partition_data_v0(data, at, end)
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


def _decode_assign_replicas_to_dirs_request_directory_data_v0(data: bytes, at: int, end: int) -> tuple[AssignReplicasToDirsRequestDirectoryData, int]:
    m: AssignReplicasToDirsRequestDirectoryData = new(AssignReplicasToDirsRequestDirectoryData)
    try:
        m.id, = _UNPACK_u(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        topics_items: list[AssignReplicasToDirsRequestTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_assign_replicas_to_dirs_request_topic_data_v0(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_assign_replicas_to_dirs_request_v0(data: bytes, at: int = 0) -> AssignReplicasToDirsRequest:
    m: AssignReplicasToDirsRequest = new(AssignReplicasToDirsRequest)
    end = len(data)
    try:
        m.broker_id, m.broker_epoch = _UNPACK_iq(data, at)
        at += 12
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        directories_items: list[AssignReplicasToDirsRequestDirectoryData] = []
        for _ in range(n - 1):
            directories_item, at = _decode_assign_replicas_to_dirs_request_directory_data_v0(data, at, end)
            directories_items.append(directories_item)
        m.directories = directories_items
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


def _encode_assign_replicas_to_dirs_request_partition_data_v0(m: AssignReplicasToDirsRequestPartitionData, out: list[bytes]) -> None:
    try:
        out += (_PACK_i(m.partition_index), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_assign_replicas_to_dirs_request_topic_data_v0(m: AssignReplicasToDirsRequestTopicData, out: list[bytes]) -> None:
    try:
        if len(m.topic_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        partitions_items = m.partitions
        out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_assign_replicas_to_dirs_request_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_assign_replicas_to_dirs_request_directory_data_v0(m: AssignReplicasToDirsRequestDirectoryData, out: list[bytes]) -> None:
    try:
        if len(m.id) != 16:
            raise ValueError("a uuid has 16 bytes")
        topics_items = m.topics
        out += (_PACK_u(m.id), length_prefix(len(topics_items)))
        for topics_item in topics_items:
            _encode_assign_replicas_to_dirs_request_topic_data_v0(topics_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_assign_replicas_to_dirs_request_v0(m: AssignReplicasToDirsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        directories_items = m.directories
        out += (_PACK_iq(m.broker_id, m.broker_epoch), length_prefix(len(directories_items)))
        for directories_item in directories_items:
            _encode_assign_replicas_to_dirs_request_directory_data_v0(directories_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AssignReplicasToDirsRequest, 0): (decode_assign_replicas_to_dirs_request_v0, encode_assign_replicas_to_dirs_request_v0),
}
"""The decoder and the encoder of every message and version."""
