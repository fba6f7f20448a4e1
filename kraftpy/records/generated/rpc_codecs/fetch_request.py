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
    PACK_INT32S,
    SHAPES,
    SHORT,
    UNPACK_INT32S,
    UVARINT,
    Codec,
    FieldError,
    Message,
    check_count,
    int32s,
    length_prefix,
    new,
    plain_int32s,
    plain_prefix,
    plain_string_prefix,
    read_int32s,
    read_string_length,
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import FetchRequest, FetchRequestFetchPartition, FetchRequestFetchTopic, FetchRequestForgottenTopic, FetchRequestReplicaState

_PACK_i: Final = Struct(">i").pack
_PACK_iiibii: Final = Struct(">iiibii").pack
_PACK_iiiib: Final = Struct(">iiiib").pack
_PACK_iiiibii: Final = Struct(">iiiibii").pack
_PACK_iiqiqi: Final = Struct(">iiqiqi").pack
_PACK_iiqqi: Final = Struct(">iiqqi").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_iqi: Final = Struct(">iqi").pack
_PACK_iqqi: Final = Struct(">iqqi").pack
_PACK_q: Final = Struct(">q").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iiibiiB: Final = Struct(">iiibiiB").unpack_from
_UNPACK_iiiib: Final = Struct(">iiiib").unpack_from
_UNPACK_iiiibii: Final = Struct(">iiiibii").unpack_from
_UNPACK_iiiibiiB: Final = Struct(">iiiibiiB").unpack_from
_UNPACK_iiqiqiB: Final = Struct(">iiqiqiB").unpack_from
_UNPACK_iiqqi: Final = Struct(">iiqqi").unpack_from
_UNPACK_iqB: Final = Struct(">iqB").unpack_from
_UNPACK_iqi: Final = Struct(">iqi").unpack_from
_UNPACK_iqqi: Final = Struct(">iqqi").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_fetch_request_replica_state_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestReplicaState], int]:
    made: list[FetchRequestReplicaState] = []
    try:
        for _ in range(count):
            m: FetchRequestReplicaState = new(FetchRequestReplicaState)
            m.replica_id = -1
            m.replica_epoch = -1
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_replica_state_v12(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestReplicaState], int]:
    made: list[FetchRequestReplicaState] = []
    try:
        for _ in range(count):
            m: FetchRequestReplicaState = new(FetchRequestReplicaState)
            m.replica_id = -1
            m.replica_epoch = -1
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


def _decode_fetch_request_replica_state_v15(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestReplicaState], int]:
    made: list[FetchRequestReplicaState] = []
    try:
        for _ in range(count):
            m: FetchRequestReplicaState = new(FetchRequestReplicaState)
            m.replica_id, m.replica_epoch, n = _UNPACK_iqB(data, at)
            at += 13
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchPartition], int]:
    made: list[FetchRequestFetchPartition] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
            m.current_leader_epoch = -1
            m.last_fetched_epoch = -1
            m.log_start_offset = -1
            m.replica_directory_id = ZERO_UUID
            m.high_watermark = 9223372036854775807
            m.probation_node_id = -1
            m.probation_directory_id = ZERO_UUID
            m.state_end_offset = -1
            m.state_digest = ZERO_UUID
            m.partition, m.fetch_offset, m.partition_max_bytes = _UNPACK_iqi(data, at)
            at += 16
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v5(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchPartition], int]:
    made: list[FetchRequestFetchPartition] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
            m.current_leader_epoch = -1
            m.last_fetched_epoch = -1
            m.replica_directory_id = ZERO_UUID
            m.high_watermark = 9223372036854775807
            m.probation_node_id = -1
            m.probation_directory_id = ZERO_UUID
            m.state_end_offset = -1
            m.state_digest = ZERO_UUID
            m.partition, m.fetch_offset, m.log_start_offset, m.partition_max_bytes = _UNPACK_iqqi(data, at)
            at += 24
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v9(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchPartition], int]:
    made: list[FetchRequestFetchPartition] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
            m.last_fetched_epoch = -1
            m.replica_directory_id = ZERO_UUID
            m.high_watermark = 9223372036854775807
            m.probation_node_id = -1
            m.probation_directory_id = ZERO_UUID
            m.state_end_offset = -1
            m.state_digest = ZERO_UUID
            m.partition, m.current_leader_epoch, m.fetch_offset, m.log_start_offset, m.partition_max_bytes = _UNPACK_iiqqi(data, at)
            at += 28
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v12(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchPartition], int]:
    made: list[FetchRequestFetchPartition] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
            m.replica_directory_id = ZERO_UUID
            m.high_watermark = 9223372036854775807
            m.probation_node_id = -1
            m.probation_directory_id = ZERO_UUID
            m.state_end_offset = -1
            m.state_digest = ZERO_UUID
            m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes, n = _UNPACK_iiqiqiB(data, at)
            at += 33
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_partition_v17(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchPartition], int]:
    made: list[FetchRequestFetchPartition] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
            m.high_watermark = 9223372036854775807
            m.replica_directory_id = ZERO_UUID
            m.probation_node_id = -1
            m.probation_directory_id = ZERO_UUID
            m.state_end_offset = -1
            m.state_digest = ZERO_UUID
            m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes, n = _UNPACK_iiqiqiB(data, at)
            at += 33
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
                    elif tag == 1000:
                        m.probation_node_id, = _UNPACK_i(data, at)
                        at += 4
                    elif tag == 1001:
                        m.probation_directory_id, = _UNPACK_u(data, at)
                        at += 16
                    elif tag == 1002:
                        m.state_end_offset, = _UNPACK_q(data, at)
                        at += 8
                    elif tag == 1003:
                        m.state_digest, = _UNPACK_u(data, at)
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


def _decode_fetch_request_fetch_partition_v18(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchPartition], int]:
    made: list[FetchRequestFetchPartition] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchPartition = new(FetchRequestFetchPartition)
            m.replica_directory_id = ZERO_UUID
            m.high_watermark = 9223372036854775807
            m.probation_node_id = -1
            m.probation_directory_id = ZERO_UUID
            m.state_end_offset = -1
            m.state_digest = ZERO_UUID
            m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes, n = _UNPACK_iiqiqiB(data, at)
            at += 33
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
                    elif tag == 1:
                        m.high_watermark, = _UNPACK_q(data, at)
                        at += 8
                    elif tag == 1000:
                        m.probation_node_id, = _UNPACK_i(data, at)
                        at += 4
                    elif tag == 1001:
                        m.probation_directory_id, = _UNPACK_u(data, at)
                        at += 16
                    elif tag == 1002:
                        m.state_end_offset, = _UNPACK_q(data, at)
                        at += 8
                    elif tag == 1003:
                        m.state_digest, = _UNPACK_u(data, at)
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


def _decode_fetch_request_fetch_topic_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic_id = ZERO_UUID
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.topic = data[at:stop].decode()
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
            m.partitions, at = _decode_fetch_request_fetch_partition_v4(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v5(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic_id = ZERO_UUID
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.topic = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 24 > end - at:
                check_count(n - 1, 24, data, at)
            m.partitions, at = _decode_fetch_request_fetch_partition_v5(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v9(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic_id = ZERO_UUID
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.topic = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 28 > end - at:
                check_count(n - 1, 28, data, at)
            m.partitions, at = _decode_fetch_request_fetch_partition_v9(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_fetch_topic_v12(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic_id = ZERO_UUID
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
            m.topic = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 33 > end - at:
                check_count(n - 1, 33, data, at)
            m.partitions, at = _decode_fetch_request_fetch_partition_v12(data, at, end, n - 1)
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


def _decode_fetch_request_fetch_topic_v13(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic = ""
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 33 > end - at:
                check_count(n - 1, 33, data, at)
            m.partitions, at = _decode_fetch_request_fetch_partition_v12(data, at, end, n - 1)
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


def _decode_fetch_request_fetch_topic_v17(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic = ""
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 33 > end - at:
                check_count(n - 1, 33, data, at)
            m.partitions, at = _decode_fetch_request_fetch_partition_v17(data, at, end, n - 1)
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


def _decode_fetch_request_fetch_topic_v18(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchRequestFetchTopic], int]:
    made: list[FetchRequestFetchTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestFetchTopic = new(FetchRequestFetchTopic)
            m.topic = ""
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 33 > end - at:
                check_count(n - 1, 33, data, at)
            m.partitions, at = _decode_fetch_request_fetch_partition_v18(data, at, end, n - 1)
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


def _decode_fetch_request_forgotten_topic_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestForgottenTopic], int]:
    made: list[FetchRequestForgottenTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
            m.topic = ""
            m.topic_id = ZERO_UUID
            m.partitions = []
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_forgotten_topic_v7(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestForgottenTopic], int]:
    made: list[FetchRequestForgottenTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
            m.topic_id = ZERO_UUID
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.topic = data[at:stop].decode()
            at = stop
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            m.partitions = read_int32s(data, at, n - 1)
            at += 4 * n - 4
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_request_forgotten_topic_v12(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestForgottenTopic], int]:
    made: list[FetchRequestForgottenTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
            m.topic_id = ZERO_UUID
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
            m.topic = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n <= SHAPES:
                m.partitions = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.partitions = read_int32s(data, at, n - 1)
                at += 4 * n - 4
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


def _decode_fetch_request_forgotten_topic_v13(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchRequestForgottenTopic], int]:
    made: list[FetchRequestForgottenTopic] = []
    try:
        for _ in range(count):
            m: FetchRequestForgottenTopic = new(FetchRequestForgottenTopic)
            m.topic = ""
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n <= SHAPES:
                m.partitions = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.partitions = read_int32s(data, at, n - 1)
                at += 4 * n - 4
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


def decode_fetch_request_v4(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.session_id = 0
        m.session_epoch = -1
        m.forgotten_topics_data = []
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level = _UNPACK_iiiib(data, at)
        at += 17
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v4(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v5(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.session_id = 0
        m.session_epoch = -1
        m.forgotten_topics_data = []
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level = _UNPACK_iiiib(data, at)
        at += 17
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v5(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v7(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v5(data, at, end, n - 1)
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v7(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v9(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.rack_id = ""
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v9(data, at, end, n - 1)
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v7(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v11(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch = _UNPACK_iiiibii(data, at)
        at += 25
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v9(data, at, end, n - 1)
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v7(data, at, end, n - 1)
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.rack_id = data[at:stop].decode()
        at = stop
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_request_v12(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_state = FetchRequestReplicaState()
        m.cluster_id = None
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, n = _UNPACK_iiiibiiB(data, at)
        at += 26
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v12(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v12(data, at, end, n - 1)
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
        m.rack_id = data[at:stop].decode()
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


def decode_fetch_request_v13(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_state = FetchRequestReplicaState()
        m.cluster_id = None
        m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, n = _UNPACK_iiiibiiB(data, at)
        at += 26
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v13(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v13(data, at, end, n - 1)
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
        m.rack_id = data[at:stop].decode()
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


def decode_fetch_request_v15(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_id = -1
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, n = _UNPACK_iiibiiB(data, at)
        at += 22
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v13(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v13(data, at, end, n - 1)
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
        m.rack_id = data[at:stop].decode()
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
                elif tag == 1:
                    (m.replica_state,), at = _decode_fetch_request_replica_state_v15(data, at, end, 1)
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


def decode_fetch_request_v17(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_id = -1
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, n = _UNPACK_iiibiiB(data, at)
        at += 22
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v17(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v13(data, at, end, n - 1)
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
        m.rack_id = data[at:stop].decode()
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
                elif tag == 1:
                    (m.replica_state,), at = _decode_fetch_request_replica_state_v15(data, at, end, 1)
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


def decode_fetch_request_v18(data: bytes, at: int = 0) -> FetchRequest:
    m: FetchRequest = new(FetchRequest)
    end = len(data)
    try:
        m.replica_id = -1
        m.cluster_id = None
        m.replica_state = FetchRequestReplicaState()
        m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, n = _UNPACK_iiibiiB(data, at)
        at += 22
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.topics, at = _decode_fetch_request_fetch_topic_v18(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.forgotten_topics_data, at = _decode_fetch_request_forgotten_topic_v13(data, at, end, n - 1)
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
        m.rack_id = data[at:stop].decode()
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
                elif tag == 1:
                    (m.replica_state,), at = _decode_fetch_request_replica_state_v15(data, at, end, 1)
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


def _encode_fetch_request_replica_state_v4(items: Sequence[FetchRequestReplicaState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.replica_id != -1:
                raise absent(m, "replica_id")
            if m.replica_epoch != -1:
                raise absent(m, "replica_epoch")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_replica_state_v12(items: Sequence[FetchRequestReplicaState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.replica_id != -1:
                raise absent(m, "replica_id")
            if m.replica_epoch != -1:
                raise absent(m, "replica_epoch")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_replica_state_v15(items: Sequence[FetchRequestReplicaState], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_iq(m.replica_id, m.replica_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v4(items: Sequence[FetchRequestFetchPartition], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.last_fetched_epoch != -1:
                raise absent(m, "last_fetched_epoch")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_iqi(m.partition, m.fetch_offset, m.partition_max_bytes),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v5(items: Sequence[FetchRequestFetchPartition], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.last_fetched_epoch != -1:
                raise absent(m, "last_fetched_epoch")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_iqqi(m.partition, m.fetch_offset, m.log_start_offset, m.partition_max_bytes),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v9(items: Sequence[FetchRequestFetchPartition], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.last_fetched_epoch != -1:
                raise absent(m, "last_fetched_epoch")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_iiqqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.log_start_offset, m.partition_max_bytes),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v12(items: Sequence[FetchRequestFetchPartition], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v17(items: Sequence[FetchRequestFetchPartition], out: list[bytes]) -> None:
    try:
        for m in items:
            tags: list[tuple[int, bytes]] = []
            if m.replica_directory_id != ZERO_UUID:
                if len(m.replica_directory_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((0, _PACK_u(m.replica_directory_id)))
            if m.probation_node_id != -1:
                tags.append((1000, _PACK_i(m.probation_node_id)))
            if m.probation_directory_id != ZERO_UUID:
                if len(m.probation_directory_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1001, _PACK_u(m.probation_directory_id)))
            if m.state_end_offset != -1:
                tags.append((1002, _PACK_q(m.state_end_offset)))
            if m.state_digest != ZERO_UUID:
                if len(m.state_digest) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1003, _PACK_u(m.state_digest)))
            out += (_PACK_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_partition_v18(items: Sequence[FetchRequestFetchPartition], out: list[bytes]) -> None:
    try:
        for m in items:
            tags: list[tuple[int, bytes]] = []
            if m.replica_directory_id != ZERO_UUID:
                if len(m.replica_directory_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((0, _PACK_u(m.replica_directory_id)))
            if m.high_watermark != 9223372036854775807:
                tags.append((1, _PACK_q(m.high_watermark)))
            if m.probation_node_id != -1:
                tags.append((1000, _PACK_i(m.probation_node_id)))
            if m.probation_directory_id != ZERO_UUID:
                if len(m.probation_directory_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1001, _PACK_u(m.probation_directory_id)))
            if m.state_end_offset != -1:
                tags.append((1002, _PACK_q(m.state_end_offset)))
            if m.state_digest != ZERO_UUID:
                if len(m.state_digest) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1003, _PACK_u(m.state_digest)))
            out += (_PACK_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v4(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v4(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v5(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v5(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v9(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v9(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v12(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, length_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v12(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v13(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v12(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v17(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v17(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_fetch_topic_v18(items: Sequence[FetchRequestFetchTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_fetch_request_fetch_partition_v18(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v4(items: Sequence[FetchRequestForgottenTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.partitions:
                raise absent(m, "partitions")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v7(items: Sequence[FetchRequestForgottenTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_int32s(partitions_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v12(items: Sequence[FetchRequestForgottenTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, PACK_INT32S[n](n + 1, *partitions_items) if (n := len(partitions_items)) < SHAPES else int32s(partitions_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_request_forgotten_topic_v13(items: Sequence[FetchRequestForgottenTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), PACK_INT32S[n](n + 1, *partitions_items) if (n := len(partitions_items)) < SHAPES else int32s(partitions_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v4(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        if m.forgotten_topics_data:
            raise absent(m, "forgotten_topics_data")
        topics_items = m.topics
        out += (_PACK_iiiib(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level), plain_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v4(topics_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v5(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        if m.forgotten_topics_data:
            raise absent(m, "forgotten_topics_data")
        topics_items = m.topics
        out += (_PACK_iiiib(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level), plain_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v5(topics_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v7(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), plain_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v5(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (plain_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v7(forgotten_topics_data_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v9(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), plain_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v9(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (plain_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v7(forgotten_topics_data_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v11(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), plain_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v9(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (plain_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v7(forgotten_topics_data_items, out)
        rack_id_bytes = m.rack_id.encode()
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(rack_id_bytes)), rack_id_bytes)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v12(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v12(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v12(forgotten_topics_data_items, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v13(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            raise absent(m, "replica_state")
        topics_items = m.topics
        out += (_PACK_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v13(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_items, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v15(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        topics_items = m.topics
        out += (_PACK_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v13(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_items, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            replica_state_parts: list[bytes] = []
            _encode_fetch_request_replica_state_v15((m.replica_state,), replica_state_parts)
            tags.append((1, b"".join(replica_state_parts)))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v17(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        topics_items = m.topics
        out += (_PACK_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v17(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_items, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            replica_state_parts: list[bytes] = []
            _encode_fetch_request_replica_state_v15((m.replica_state,), replica_state_parts)
            tags.append((1, b"".join(replica_state_parts)))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_request_v18(m: FetchRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.replica_id != -1:
            raise absent(m, "replica_id")
        topics_items = m.topics
        out += (_PACK_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch), length_prefix(len(topics_items)))
        _encode_fetch_request_fetch_topic_v18(topics_items, out)
        forgotten_topics_data_items = m.forgotten_topics_data
        out += (length_prefix(len(forgotten_topics_data_items)),)
        _encode_fetch_request_forgotten_topic_v13(forgotten_topics_data_items, out)
        rack_id_bytes = m.rack_id.encode()
        tags: list[tuple[int, bytes]] = []
        if m.cluster_id is not None:
            cluster_id_bytes = m.cluster_id.encode()
            tags.append((0, b"".join((UVARINT[n + 1] if (n := len(cluster_id_bytes)) < SHORT - 1 else string_prefix(n), cluster_id_bytes))))
        if m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1 or m.replica_state.unknown_tags:
            replica_state_parts: list[bytes] = []
            _encode_fetch_request_replica_state_v15((m.replica_state,), replica_state_parts)
            tags.append((1, b"".join(replica_state_parts)))
        out += (UVARINT[n + 1] if (n := len(rack_id_bytes)) < SHORT - 1 else string_prefix(n), rack_id_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (FetchRequest, 4): (decode_fetch_request_v4, encode_fetch_request_v4),
    (FetchRequest, 5): (decode_fetch_request_v5, encode_fetch_request_v5),
    (FetchRequest, 6): (decode_fetch_request_v5, encode_fetch_request_v5),
    (FetchRequest, 7): (decode_fetch_request_v7, encode_fetch_request_v7),
    (FetchRequest, 8): (decode_fetch_request_v7, encode_fetch_request_v7),
    (FetchRequest, 9): (decode_fetch_request_v9, encode_fetch_request_v9),
    (FetchRequest, 10): (decode_fetch_request_v9, encode_fetch_request_v9),
    (FetchRequest, 11): (decode_fetch_request_v11, encode_fetch_request_v11),
    (FetchRequest, 12): (decode_fetch_request_v12, encode_fetch_request_v12),
    (FetchRequest, 13): (decode_fetch_request_v13, encode_fetch_request_v13),
    (FetchRequest, 14): (decode_fetch_request_v13, encode_fetch_request_v13),
    (FetchRequest, 15): (decode_fetch_request_v15, encode_fetch_request_v15),
    (FetchRequest, 16): (decode_fetch_request_v15, encode_fetch_request_v15),
    (FetchRequest, 17): (decode_fetch_request_v17, encode_fetch_request_v17),
    (FetchRequest, 18): (decode_fetch_request_v18, encode_fetch_request_v18),
}
"""The decoder and the encoder of every message and version."""
