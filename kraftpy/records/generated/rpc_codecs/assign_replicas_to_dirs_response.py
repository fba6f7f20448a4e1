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

from kraftpy.records.generated.rpc import AssignReplicasToDirsResponse, AssignReplicasToDirsResponseDirectoryData, AssignReplicasToDirsResponsePartitionData, AssignReplicasToDirsResponseTopicData

_PACK_ih: Final = Struct(">ih").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_assign_replicas_to_dirs_response_partition_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[AssignReplicasToDirsResponsePartitionData], int]:
    made: list[AssignReplicasToDirsResponsePartitionData] = []
    try:
        for _ in range(count):
            m: AssignReplicasToDirsResponsePartitionData = new(AssignReplicasToDirsResponsePartitionData)
            m.partition_index, m.error_code, n = _UNPACK_ihB(data, at)
            at += 7
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_assign_replicas_to_dirs_response_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AssignReplicasToDirsResponseTopicData], int]:
    made: list[AssignReplicasToDirsResponseTopicData] = []
    try:
        for _ in range(count):
            m: AssignReplicasToDirsResponseTopicData = new(AssignReplicasToDirsResponseTopicData)
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 7 > end - at:
                check_count(n - 1, 7, data, at)
            m.partitions, at = _decode_assign_replicas_to_dirs_response_partition_data_v0(data, at, end, n - 1)
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


def _decode_assign_replicas_to_dirs_response_directory_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[AssignReplicasToDirsResponseDirectoryData], int]:
    made: list[AssignReplicasToDirsResponseDirectoryData] = []
    try:
        for _ in range(count):
            m: AssignReplicasToDirsResponseDirectoryData = new(AssignReplicasToDirsResponseDirectoryData)
            m.id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 18 > end - at:
                check_count(n - 1, 18, data, at)
            m.topics, at = _decode_assign_replicas_to_dirs_response_topic_data_v0(data, at, end, n - 1)
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


def decode_assign_replicas_to_dirs_response_v0(data: bytes, at: int = 0) -> AssignReplicasToDirsResponse:
    m: AssignReplicasToDirsResponse = new(AssignReplicasToDirsResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.directories, at = _decode_assign_replicas_to_dirs_response_directory_data_v0(data, at, end, n - 1)
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


def _encode_assign_replicas_to_dirs_response_partition_data_v0(items: Sequence[AssignReplicasToDirsResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ih(m.partition_index, m.error_code), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_assign_replicas_to_dirs_response_topic_data_v0(items: Sequence[AssignReplicasToDirsResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_assign_replicas_to_dirs_response_partition_data_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_assign_replicas_to_dirs_response_directory_data_v0(items: Sequence[AssignReplicasToDirsResponseDirectoryData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.id) != 16:
                raise ValueError("a uuid has 16 bytes")
            topics_items = m.topics
            out += (_PACK_u(m.id), length_prefix(len(topics_items)))
            _encode_assign_replicas_to_dirs_response_topic_data_v0(topics_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_assign_replicas_to_dirs_response_v0(m: AssignReplicasToDirsResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        directories_items = m.directories
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(directories_items)))
        _encode_assign_replicas_to_dirs_response_directory_data_v0(directories_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AssignReplicasToDirsResponse, 0): (decode_assign_replicas_to_dirs_response_v0, encode_assign_replicas_to_dirs_response_v0),
}
"""The decoder and the encoder of every message and version."""
