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

from kraftpy.records.generated.rpc import FetchSnapshotResponse, FetchSnapshotResponseLeaderIdAndEpoch, FetchSnapshotResponseNodeEndpoint, FetchSnapshotResponsePartitionSnapshot, FetchSnapshotResponseSnapshotId, FetchSnapshotResponseTopicSnapshot

_PACK_H: Final = Struct(">H").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_ii: Final = Struct(">ii").pack
_PACK_qi: Final = Struct(">qi").pack
_PACK_qq: Final = Struct(">qq").pack
_UNPACK_HB: Final = Struct(">HB").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ih: Final = Struct(">ih").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_iiB: Final = Struct(">iiB").unpack_from
_UNPACK_qiB: Final = Struct(">qiB").unpack_from
_UNPACK_qqB: Final = Struct(">qqB").unpack_from


def _decode_fetch_snapshot_response_snapshot_id_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotResponseSnapshotId], int]:
    made: list[FetchSnapshotResponseSnapshotId] = []
    try:
        for _ in range(count):
            m: FetchSnapshotResponseSnapshotId = new(FetchSnapshotResponseSnapshotId)
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


def _decode_fetch_snapshot_response_leader_id_and_epoch_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchSnapshotResponseLeaderIdAndEpoch], int]:
    made: list[FetchSnapshotResponseLeaderIdAndEpoch] = []
    try:
        for _ in range(count):
            m: FetchSnapshotResponseLeaderIdAndEpoch = new(FetchSnapshotResponseLeaderIdAndEpoch)
            m.leader_id, m.leader_epoch, n = _UNPACK_iiB(data, at)
            at += 9
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_snapshot_response_partition_snapshot_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotResponsePartitionSnapshot], int]:
    made: list[FetchSnapshotResponsePartitionSnapshot] = []
    try:
        for _ in range(count):
            m: FetchSnapshotResponsePartitionSnapshot = new(FetchSnapshotResponsePartitionSnapshot)
            m.current_leader = FetchSnapshotResponseLeaderIdAndEpoch()
            m.index, m.error_code = _UNPACK_ih(data, at)
            at += 6
            (m.snapshot_id,), at = _decode_fetch_snapshot_response_snapshot_id_v0(data, at, end, 1)
            m.size, m.position, n = _UNPACK_qqB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.unaligned_records = data[at:stop]
            at = stop
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
                        (m.current_leader,), at = _decode_fetch_snapshot_response_leader_id_and_epoch_v0(data, at, end, 1)
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


def _decode_fetch_snapshot_response_topic_snapshot_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchSnapshotResponseTopicSnapshot], int]:
    made: list[FetchSnapshotResponseTopicSnapshot] = []
    try:
        for _ in range(count):
            m: FetchSnapshotResponseTopicSnapshot = new(FetchSnapshotResponseTopicSnapshot)
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
            if (n - 1) * 37 > end - at:
                check_count(n - 1, 37, data, at)
            m.partitions, at = _decode_fetch_snapshot_response_partition_snapshot_v0(data, at, end, n - 1)
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


def _decode_fetch_snapshot_response_node_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchSnapshotResponseNodeEndpoint], int]:
    made: list[FetchSnapshotResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: FetchSnapshotResponseNodeEndpoint = new(FetchSnapshotResponseNodeEndpoint)
            m.node_id = 0
            m.host = ""
            m.port = 0
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


def _decode_fetch_snapshot_response_node_endpoint_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchSnapshotResponseNodeEndpoint], int]:
    made: list[FetchSnapshotResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: FetchSnapshotResponseNodeEndpoint = new(FetchSnapshotResponseNodeEndpoint)
            m.node_id, n = _UNPACK_iB(data, at)
            at += 5
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


def decode_fetch_snapshot_response_v0(data: bytes, at: int = 0) -> FetchSnapshotResponse:
    m: FetchSnapshotResponse = new(FetchSnapshotResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_fetch_snapshot_response_topic_snapshot_v0(data, at, end, n - 1)
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


def decode_fetch_snapshot_response_v1(data: bytes, at: int = 0) -> FetchSnapshotResponse:
    m: FetchSnapshotResponse = new(FetchSnapshotResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_fetch_snapshot_response_topic_snapshot_v0(data, at, end, n - 1)
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
                        n, at = read_uvarint(data, at - 1)
                    if not n:
                        raise FieldError("it is null, which it may not be")
                    if (n - 1) * 8 > end - at:
                        check_count(n - 1, 8, data, at)
                    m.node_endpoints, at = _decode_fetch_snapshot_response_node_endpoint_v1(data, at, end, n - 1)
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


def _encode_fetch_snapshot_response_snapshot_id_v0(items: Sequence[FetchSnapshotResponseSnapshotId], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_qi(m.end_offset, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_leader_id_and_epoch_v0(items: Sequence[FetchSnapshotResponseLeaderIdAndEpoch], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ii(m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_partition_snapshot_v0(items: Sequence[FetchSnapshotResponsePartitionSnapshot], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ih(m.index, m.error_code),)
            _encode_fetch_snapshot_response_snapshot_id_v0((m.snapshot_id,), out)
            unaligned_records_bytes = m.unaligned_records
            tags: list[tuple[int, bytes]] = []
            if m.current_leader.leader_id != 0 or m.current_leader.leader_epoch != 0 or m.current_leader.unknown_tags:
                current_leader_parts: list[bytes] = []
                _encode_fetch_snapshot_response_leader_id_and_epoch_v0((m.current_leader,), current_leader_parts)
                tags.append((0, b"".join(current_leader_parts)))
            out += (_PACK_qq(m.size, m.position), UVARINT[n + 1] if (n := len(unaligned_records_bytes)) < SHORT - 1 else length_prefix(n), unaligned_records_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_topic_snapshot_v0(items: Sequence[FetchSnapshotResponseTopicSnapshot], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, length_prefix(len(partitions_items)))
            _encode_fetch_snapshot_response_partition_snapshot_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_node_endpoint_v0(items: Sequence[FetchSnapshotResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.node_id != 0:
                raise absent(m, "node_id")
            if m.host != "":
                raise absent(m, "host")
            if m.port != 0:
                raise absent(m, "port")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_snapshot_response_node_endpoint_v1(items: Sequence[FetchSnapshotResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            host_bytes = m.host.encode()
            out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_response_v0(m: FetchSnapshotResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        topics_items = m.topics
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(topics_items)))
        _encode_fetch_snapshot_response_topic_snapshot_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_snapshot_response_v1(m: FetchSnapshotResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(topics_items)))
        _encode_fetch_snapshot_response_topic_snapshot_v0(topics_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            _encode_fetch_snapshot_response_node_endpoint_v1(node_endpoints_items, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (FetchSnapshotResponse, 0): (decode_fetch_snapshot_response_v0, encode_fetch_snapshot_response_v0),
    (FetchSnapshotResponse, 1): (decode_fetch_snapshot_response_v1, encode_fetch_snapshot_response_v1),
}
"""The decoder and the encoder of every message and version."""
