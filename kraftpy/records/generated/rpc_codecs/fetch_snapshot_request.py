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

from kraftpy.records.generated.rpc import FetchSnapshotRequest, FetchSnapshotRequestPartitionSnapshot, FetchSnapshotRequestSnapshotId, FetchSnapshotRequestTopicSnapshot

_PACK_ii: Final = Struct(">ii").pack
_PACK_q: Final = Struct(">q").pack
_PACK_qi: Final = Struct(">qi").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_ii: Final = Struct(">ii").unpack_from
_UNPACK_iiB: Final = Struct(">iiB").unpack_from
_UNPACK_qB: Final = Struct(">qB").unpack_from
_UNPACK_qiB: Final = Struct(">qiB").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


def _decode_fetch_snapshot_request_snapshot_id_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotRequestSnapshotId], int]:
    made: list[FetchSnapshotRequestSnapshotId] = []
    try:
        for _ in range(count):
            m: FetchSnapshotRequestSnapshotId = new(FetchSnapshotRequestSnapshotId)
            m.end_offset, m.epoch, n = _UNPACK_qiB(data, at)
            at += 13
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_partition_snapshot_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotRequestPartitionSnapshot], int]:
    made: list[FetchSnapshotRequestPartitionSnapshot] = []
    try:
        for _ in range(count):
            m: FetchSnapshotRequestPartitionSnapshot = new(FetchSnapshotRequestPartitionSnapshot)
            m.replica_directory_id = ZERO_UUID
            m.partition, m.current_leader_epoch = _UNPACK_ii(data, at)
            at += 8
            (m.snapshot_id,), at = _decode_fetch_snapshot_request_snapshot_id_v0(data, at, end, 1)
            m.position, n = _UNPACK_qB(data, at)
            at += 9
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_request_partition_snapshot_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotRequestPartitionSnapshot], int]:
    made: list[FetchSnapshotRequestPartitionSnapshot] = []
    try:
        for _ in range(count):
            m: FetchSnapshotRequestPartitionSnapshot = new(FetchSnapshotRequestPartitionSnapshot)
            m.replica_directory_id = ZERO_UUID
            m.partition, m.current_leader_epoch = _UNPACK_ii(data, at)
            at += 8
            (m.snapshot_id,), at = _decode_fetch_snapshot_request_snapshot_id_v0(data, at, end, 1)
            m.position, n = _UNPACK_qB(data, at)
            at += 9
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
                        m.replica_directory_id, = _UNPACK_u(data, at)
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


def _decode_fetch_snapshot_request_topic_snapshot_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotRequestTopicSnapshot], int]:
    made: list[FetchSnapshotRequestTopicSnapshot] = []
    try:
        for _ in range(count):
            m: FetchSnapshotRequestTopicSnapshot = new(FetchSnapshotRequestTopicSnapshot)
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
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 30 > end - at:
                check_count(n - 1, 30, data, at)
            m.partitions, at = _decode_fetch_snapshot_request_partition_snapshot_v0(data, at, end, n - 1)
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


def _decode_fetch_snapshot_request_topic_snapshot_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotRequestTopicSnapshot], int]:
    made: list[FetchSnapshotRequestTopicSnapshot] = []
    try:
        for _ in range(count):
            m: FetchSnapshotRequestTopicSnapshot = new(FetchSnapshotRequestTopicSnapshot)
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
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 30 > end - at:
                check_count(n - 1, 30, data, at)
            m.partitions, at = _decode_fetch_snapshot_request_partition_snapshot_v1(data, at, end, n - 1)
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


def decode_fetch_snapshot_request_v0(data: bytes, at: int = 0) -> FetchSnapshotRequest:
    m: FetchSnapshotRequest = new(FetchSnapshotRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_id, m.max_bytes, n = _UNPACK_iiB(data, at)
        at += 9
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_fetch_snapshot_request_topic_snapshot_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
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


def decode_fetch_snapshot_request_v1(data: bytes, at: int = 0) -> FetchSnapshotRequest:
    m: FetchSnapshotRequest = new(FetchSnapshotRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_id, m.max_bytes, n = _UNPACK_iiB(data, at)
        at += 9
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_fetch_snapshot_request_topic_snapshot_v1(data, at, end, n - 1)
        n = data[at]
        at += 1
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


def _encode_fetch_snapshot_request_snapshot_id_v0(items: Sequence[FetchSnapshotRequestSnapshotId], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_qi(m.end_offset, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_partition_snapshot_v0(items: Sequence[FetchSnapshotRequestPartitionSnapshot], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ii(m.partition, m.current_leader_epoch),)
            _encode_fetch_snapshot_request_snapshot_id_v0((m.snapshot_id,), out)
            out += (_PACK_q(m.position), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_partition_snapshot_v1(items: Sequence[FetchSnapshotRequestPartitionSnapshot], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ii(m.partition, m.current_leader_epoch),)
            _encode_fetch_snapshot_request_snapshot_id_v0((m.snapshot_id,), out)
            tags: list[tuple[int, bytes]] = []
            if m.replica_directory_id != ZERO_UUID:
                if len(m.replica_directory_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((0, _PACK_u(m.replica_directory_id)))
            out += (_PACK_q(m.position), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_topic_snapshot_v0(items: Sequence[FetchSnapshotRequestTopicSnapshot], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
            _encode_fetch_snapshot_request_partition_snapshot_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_request_topic_snapshot_v1(items: Sequence[FetchSnapshotRequestTopicSnapshot], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
            _encode_fetch_snapshot_request_partition_snapshot_v1(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_request_v0(m: FetchSnapshotRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ii(m.replica_id, m.max_bytes), length_prefix(len(topics_items)))
        _encode_fetch_snapshot_request_topic_snapshot_v0(topics_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_request_v1(m: FetchSnapshotRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ii(m.replica_id, m.max_bytes), length_prefix(len(topics_items)))
        _encode_fetch_snapshot_request_topic_snapshot_v1(topics_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (FetchSnapshotRequest, 0): (decode_fetch_snapshot_request_v0, encode_fetch_snapshot_request_v0),
    (FetchSnapshotRequest, 1): (decode_fetch_snapshot_request_v1, encode_fetch_snapshot_request_v1),
}
"""The decoder and the encoder of every message and version."""
