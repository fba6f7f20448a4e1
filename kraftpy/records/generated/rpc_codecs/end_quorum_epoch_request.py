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
    plain_int32s,
    plain_prefix,
    plain_string_prefix,
    read_int32s,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import EndQuorumEpochRequest, EndQuorumEpochRequestLeaderEndpoint, EndQuorumEpochRequestPartitionData, EndQuorumEpochRequestReplicaInfo, EndQuorumEpochRequestTopicData

_PACK_H: Final = Struct(">H").pack
_PACK_iii: Final = Struct(">iii").pack
_PACK_iu: Final = Struct(">i16s").pack
_UNPACK_HB: Final = Struct(">HB").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iii: Final = Struct(">iii").unpack_from
_UNPACK_iiiB: Final = Struct(">iiiB").unpack_from
_UNPACK_iuB: Final = Struct(">i16sB").unpack_from


def _decode_end_quorum_epoch_request_replica_info_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochRequestReplicaInfo], int]:
    made: list[EndQuorumEpochRequestReplicaInfo] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestReplicaInfo = new(EndQuorumEpochRequestReplicaInfo)
            m.candidate_id = 0
            m.candidate_directory_id = ZERO_UUID
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_replica_info_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochRequestReplicaInfo], int]:
    made: list[EndQuorumEpochRequestReplicaInfo] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestReplicaInfo = new(EndQuorumEpochRequestReplicaInfo)
            m.candidate_id, m.candidate_directory_id, n = _UNPACK_iuB(data, at)
            at += 21
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_partition_data_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochRequestPartitionData], int]:
    made: list[EndQuorumEpochRequestPartitionData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestPartitionData = new(EndQuorumEpochRequestPartitionData)
            m.preferred_candidates = []
            m.partition_index, m.leader_id, m.leader_epoch = _UNPACK_iii(data, at)
            at += 12
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            m.preferred_successors = read_int32s(data, at, n - 1)
            at += 4 * n - 4
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_partition_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[EndQuorumEpochRequestPartitionData], int]:
    made: list[EndQuorumEpochRequestPartitionData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestPartitionData = new(EndQuorumEpochRequestPartitionData)
            m.preferred_successors = []
            m.partition_index, m.leader_id, m.leader_epoch, n = _UNPACK_iiiB(data, at)
            at += 13
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 21 > end - at:
                check_count(n - 1, 21, data, at)
            m.preferred_candidates, at = _decode_end_quorum_epoch_request_replica_info_v1(data, at, end, n - 1)
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


def _decode_end_quorum_epoch_request_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[EndQuorumEpochRequestTopicData], int]:
    made: list[EndQuorumEpochRequestTopicData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestTopicData = new(EndQuorumEpochRequestTopicData)
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.topic_name = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 16 > end - at:
                check_count(n - 1, 16, data, at)
            m.partitions, at = _decode_end_quorum_epoch_request_partition_data_v0(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_topic_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[EndQuorumEpochRequestTopicData], int]:
    made: list[EndQuorumEpochRequestTopicData] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestTopicData = new(EndQuorumEpochRequestTopicData)
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
            if (n - 1) * 14 > end - at:
                check_count(n - 1, 14, data, at)
            m.partitions, at = _decode_end_quorum_epoch_request_partition_data_v1(data, at, end, n - 1)
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


def _decode_end_quorum_epoch_request_leader_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochRequestLeaderEndpoint], int]:
    made: list[EndQuorumEpochRequestLeaderEndpoint] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestLeaderEndpoint = new(EndQuorumEpochRequestLeaderEndpoint)
            m.name = ""
            m.host = ""
            m.port = 0
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_end_quorum_epoch_request_leader_endpoint_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[EndQuorumEpochRequestLeaderEndpoint], int]:
    made: list[EndQuorumEpochRequestLeaderEndpoint] = []
    try:
        for _ in range(count):
            m: EndQuorumEpochRequestLeaderEndpoint = new(EndQuorumEpochRequestLeaderEndpoint)
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


def decode_end_quorum_epoch_request_v0(data: bytes, at: int = 0) -> EndQuorumEpochRequest:
    m: EndQuorumEpochRequest = new(EndQuorumEpochRequest)
    end = len(data)
    try:
        m.leader_endpoints = []
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.cluster_id = data[at:stop].decode()
            at = stop
        else:
            m.cluster_id = None
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_end_quorum_epoch_request_topic_data_v0(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_end_quorum_epoch_request_v1(data: bytes, at: int = 0) -> EndQuorumEpochRequest:
    m: EndQuorumEpochRequest = new(EndQuorumEpochRequest)
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
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_end_quorum_epoch_request_topic_data_v1(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.leader_endpoints, at = _decode_end_quorum_epoch_request_leader_endpoint_v1(data, at, end, n - 1)
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


def _encode_end_quorum_epoch_request_replica_info_v0(items: Sequence[EndQuorumEpochRequestReplicaInfo], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.candidate_id != 0:
                raise absent(m, "candidate_id")
            if m.candidate_directory_id != ZERO_UUID:
                raise absent(m, "candidate_directory_id")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_replica_info_v1(items: Sequence[EndQuorumEpochRequestReplicaInfo], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.candidate_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            out += (_PACK_iu(m.candidate_id, m.candidate_directory_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_partition_data_v0(items: Sequence[EndQuorumEpochRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            preferred_successors_items = m.preferred_successors
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_iii(m.partition_index, m.leader_id, m.leader_epoch), plain_int32s(preferred_successors_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_partition_data_v1(items: Sequence[EndQuorumEpochRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            preferred_candidates_items = m.preferred_candidates
            out += (_PACK_iii(m.partition_index, m.leader_id, m.leader_epoch), length_prefix(len(preferred_candidates_items)))
            _encode_end_quorum_epoch_request_replica_info_v1(preferred_candidates_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_topic_data_v0(items: Sequence[EndQuorumEpochRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_name_bytes)), topic_name_bytes, plain_prefix(len(partitions_items)))
            _encode_end_quorum_epoch_request_partition_data_v0(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_topic_data_v1(items: Sequence[EndQuorumEpochRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_end_quorum_epoch_request_partition_data_v1(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_leader_endpoint_v0(items: Sequence[EndQuorumEpochRequestLeaderEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name != "":
                raise absent(m, "name")
            if m.host != "":
                raise absent(m, "host")
            if m.port != 0:
                raise absent(m, "port")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_end_quorum_epoch_request_leader_endpoint_v1(items: Sequence[EndQuorumEpochRequestLeaderEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_request_v0(m: EndQuorumEpochRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = b"\xff\xff", b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = plain_string_prefix(len(cluster_id_bytes))
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, plain_prefix(len(topics_items)))
        _encode_end_quorum_epoch_request_topic_data_v0(topics_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_end_quorum_epoch_request_v1(m: EndQuorumEpochRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.cluster_id is None:
            cluster_id_size, cluster_id_bytes = NO_TAGS, b""
        else:
            cluster_id_bytes = m.cluster_id.encode()
            cluster_id_size = UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (cluster_id_size, cluster_id_bytes, length_prefix(len(topics_items)))
        _encode_end_quorum_epoch_request_topic_data_v1(topics_items, out)
        leader_endpoints_items = m.leader_endpoints
        out += (length_prefix(len(leader_endpoints_items)),)
        _encode_end_quorum_epoch_request_leader_endpoint_v1(leader_endpoints_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (EndQuorumEpochRequest, 0): (decode_end_quorum_epoch_request_v0, encode_end_quorum_epoch_request_v0),
    (EndQuorumEpochRequest, 1): (decode_end_quorum_epoch_request_v1, encode_end_quorum_epoch_request_v1),
}
"""The decoder and the encoder of every message and version."""
