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
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_iqB: Final = Struct(">iqB").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_assign_replicas_to_dirs_request_partition_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AssignReplicasToDirsRequestPartitionData], int]:
    made: list[AssignReplicasToDirsRequestPartitionData] = []
    try:
        for _ in range(count):
            m: AssignReplicasToDirsRequestPartitionData = new(AssignReplicasToDirsRequestPartitionData)
            m.partition_index, n = _UNPACK_iB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_assign_replicas_to_dirs_request_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AssignReplicasToDirsRequestTopicData], int]:
    made: list[AssignReplicasToDirsRequestTopicData] = []
    try:
        for _ in range(count):
            m: AssignReplicasToDirsRequestTopicData = new(AssignReplicasToDirsRequestTopicData)
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 5 > end - at:
                check_count(n - 1, 5, data, at)
            m.partitions, at = _decode_assign_replicas_to_dirs_request_partition_data_v0(data, at, end, n - 1)
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


def _decode_assign_replicas_to_dirs_request_directory_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AssignReplicasToDirsRequestDirectoryData], int]:
    made: list[AssignReplicasToDirsRequestDirectoryData] = []
    try:
        for _ in range(count):
            m: AssignReplicasToDirsRequestDirectoryData = new(AssignReplicasToDirsRequestDirectoryData)
            m.id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 18 > end - at:
                check_count(n - 1, 18, data, at)
            m.topics, at = _decode_assign_replicas_to_dirs_request_topic_data_v0(data, at, end, n - 1)
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


def decode_assign_replicas_to_dirs_request_v0(data: bytes, at: int = 0) -> AssignReplicasToDirsRequest:
    m: AssignReplicasToDirsRequest = new(AssignReplicasToDirsRequest)
    end = len(data)
    try:
        m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
        at += 13
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.directories, at = _decode_assign_replicas_to_dirs_request_directory_data_v0(data, at, end, n - 1)
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


def _encode_assign_replicas_to_dirs_request_partition_data_v0(items: Sequence[AssignReplicasToDirsRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_i(m.partition_index), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_assign_replicas_to_dirs_request_topic_data_v0(items: Sequence[AssignReplicasToDirsRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_assign_replicas_to_dirs_request_partition_data_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_assign_replicas_to_dirs_request_directory_data_v0(items: Sequence[AssignReplicasToDirsRequestDirectoryData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.id) != 16:
                raise ValueError("a uuid has 16 bytes")
            topics_items = m.topics
            out += (_PACK_u(m.id), length_prefix(len(topics_items)))
            _encode_assign_replicas_to_dirs_request_topic_data_v0(topics_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_assign_replicas_to_dirs_request_v0(m: AssignReplicasToDirsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        directories_items = m.directories
        out += (_PACK_iq(m.broker_id, m.broker_epoch), length_prefix(len(directories_items)))
        _encode_assign_replicas_to_dirs_request_directory_data_v0(directories_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AssignReplicasToDirsRequest, 0): (decode_assign_replicas_to_dirs_request_v0, encode_assign_replicas_to_dirs_request_v0),
}
"""The decoder and the encoder of every message and version."""
