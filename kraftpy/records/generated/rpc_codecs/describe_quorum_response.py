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
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import DescribeQuorumResponse, DescribeQuorumResponseListener, DescribeQuorumResponseNode, DescribeQuorumResponsePartitionData, DescribeQuorumResponseReplicaState, DescribeQuorumResponseTopicData

_PACK_H: Final = Struct(">H").pack
_PACK_h: Final = Struct(">h").pack
_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_ihiiq: Final = Struct(">ihiiq").pack
_PACK_iiq: Final = Struct(">iiq").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_iqqq: Final = Struct(">iqqq").pack
_PACK_iuqqq: Final = Struct(">i16sqqq").pack
_UNPACK_HB: Final = Struct(">HB").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_ihiiqB: Final = Struct(">ihiiqB").unpack_from
_UNPACK_iiqB: Final = Struct(">iiqB").unpack_from
_UNPACK_iqB: Final = Struct(">iqB").unpack_from
_UNPACK_iqqqB: Final = Struct(">iqqqB").unpack_from
_UNPACK_iuqqqB: Final = Struct(">i16sqqqB").unpack_from


def _decode_describe_quorum_response_replica_state_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseReplicaState], int]:
    made: list[DescribeQuorumResponseReplicaState] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
            m.replica_directory_id = ZERO_UUID
            m.last_fetch_timestamp = -1
            m.last_caught_up_timestamp = -1
            m.replica_id, m.log_end_offset, n = _UNPACK_iqB(data, at)
            at += 13
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseReplicaState], int]:
    made: list[DescribeQuorumResponseReplicaState] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
            m.replica_directory_id = ZERO_UUID
            m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp, n = _UNPACK_iqqqB(data, at)
            at += 29
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseReplicaState], int]:
    made: list[DescribeQuorumResponseReplicaState] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
            m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp, n = _UNPACK_iuqqqB(data, at)
            at += 45
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponsePartitionData], int]:
    made: list[DescribeQuorumResponsePartitionData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
            m.error_message = ""
            m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark, n = _UNPACK_ihiiqB(data, at)
            at += 23
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 13 > end - at:
                check_count(n - 1, 13, data, at)
            m.current_voters, at = _decode_describe_quorum_response_replica_state_v0(data, at, end, n - 1)
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 13 > end - at:
                check_count(n - 1, 13, data, at)
            m.observers, at = _decode_describe_quorum_response_replica_state_v0(data, at, end, n - 1)
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


def _decode_describe_quorum_response_partition_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponsePartitionData], int]:
    made: list[DescribeQuorumResponsePartitionData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
            m.error_message = ""
            m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark, n = _UNPACK_ihiiqB(data, at)
            at += 23
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 29 > end - at:
                check_count(n - 1, 29, data, at)
            m.current_voters, at = _decode_describe_quorum_response_replica_state_v1(data, at, end, n - 1)
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 29 > end - at:
                check_count(n - 1, 29, data, at)
            m.observers, at = _decode_describe_quorum_response_replica_state_v1(data, at, end, n - 1)
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


def _decode_describe_quorum_response_partition_data_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponsePartitionData], int]:
    made: list[DescribeQuorumResponsePartitionData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
            m.partition_index, m.error_code, n = _UNPACK_ihB(data, at)
            at += 7
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.error_message = data[at:stop].decode()
                at = stop
            else:
                m.error_message = None
            m.leader_id, m.leader_epoch, m.high_watermark, n = _UNPACK_iiqB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 45 > end - at:
                check_count(n - 1, 45, data, at)
            m.current_voters, at = _decode_describe_quorum_response_replica_state_v2(data, at, end, n - 1)
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 45 > end - at:
                check_count(n - 1, 45, data, at)
            m.observers, at = _decode_describe_quorum_response_replica_state_v2(data, at, end, n - 1)
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


def _decode_describe_quorum_response_topic_data_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseTopicData], int]:
    made: list[DescribeQuorumResponseTopicData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
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
            m.partitions, at = _decode_describe_quorum_response_partition_data_v0(data, at, end, n - 1)
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


def _decode_describe_quorum_response_topic_data_v1(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseTopicData], int]:
    made: list[DescribeQuorumResponseTopicData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
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
            m.partitions, at = _decode_describe_quorum_response_partition_data_v1(data, at, end, n - 1)
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


def _decode_describe_quorum_response_topic_data_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseTopicData], int]:
    made: list[DescribeQuorumResponseTopicData] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
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
            if (n - 1) * 26 > end - at:
                check_count(n - 1, 26, data, at)
            m.partitions, at = _decode_describe_quorum_response_partition_data_v2(data, at, end, n - 1)
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


def _decode_describe_quorum_response_listener_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeQuorumResponseListener], int]:
    made: list[DescribeQuorumResponseListener] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseListener = new(DescribeQuorumResponseListener)
            m.name = ""
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


def _decode_describe_quorum_response_listener_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeQuorumResponseListener], int]:
    made: list[DescribeQuorumResponseListener] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseListener = new(DescribeQuorumResponseListener)
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


def _decode_describe_quorum_response_node_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[DescribeQuorumResponseNode], int]:
    made: list[DescribeQuorumResponseNode] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseNode = new(DescribeQuorumResponseNode)
            m.node_id = 0
            m.listeners = []
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


def _decode_describe_quorum_response_node_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[DescribeQuorumResponseNode], int]:
    made: list[DescribeQuorumResponseNode] = []
    try:
        for _ in range(count):
            m: DescribeQuorumResponseNode = new(DescribeQuorumResponseNode)
            m.node_id, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 5 > end - at:
                check_count(n - 1, 5, data, at)
            m.listeners, at = _decode_describe_quorum_response_listener_v2(data, at, end, n - 1)
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


def decode_describe_quorum_response_v0(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_message = ""
        m.nodes = []
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_describe_quorum_response_topic_data_v0(data, at, end, n - 1)
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


def decode_describe_quorum_response_v1(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_message = ""
        m.nodes = []
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_describe_quorum_response_topic_data_v1(data, at, end, n - 1)
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


def decode_describe_quorum_response_v2(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_code, n = _UNPACK_hB(data, at)
        at += 3
        if n >= SHORT:
            if (more := data[at]) < SHORT:
                n += more - 1 << 7
                at += 1
            else:
                n, at = read_string_length(data, at - 1)
        if n:
            stop = at + n - 1
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.topics, at = _decode_describe_quorum_response_topic_data_v2(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.nodes, at = _decode_describe_quorum_response_node_v2(data, at, end, n - 1)
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


def _encode_describe_quorum_response_replica_state_v0(items: Sequence[DescribeQuorumResponseReplicaState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.replica_directory_id != ZERO_UUID:
                raise absent(m, "replica_directory_id")
            out += (_PACK_iq(m.replica_id, m.log_end_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v1(items: Sequence[DescribeQuorumResponseReplicaState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.replica_directory_id != ZERO_UUID:
                raise absent(m, "replica_directory_id")
            out += (_PACK_iqqq(m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v2(items: Sequence[DescribeQuorumResponseReplicaState], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.replica_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            out += (_PACK_iuqqq(m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v0(items: Sequence[DescribeQuorumResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            current_voters_items = m.current_voters
            out += (_PACK_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
            _encode_describe_quorum_response_replica_state_v0(current_voters_items, out)
            observers_items = m.observers
            out += (length_prefix(len(observers_items)),)
            _encode_describe_quorum_response_replica_state_v0(observers_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v1(items: Sequence[DescribeQuorumResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            current_voters_items = m.current_voters
            out += (_PACK_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
            _encode_describe_quorum_response_replica_state_v1(current_voters_items, out)
            observers_items = m.observers
            out += (length_prefix(len(observers_items)),)
            _encode_describe_quorum_response_replica_state_v1(observers_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v2(items: Sequence[DescribeQuorumResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            current_voters_items = m.current_voters
            out += (_PACK_ih(m.partition_index, m.error_code), error_message_size, error_message_bytes, _PACK_iiq(m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
            _encode_describe_quorum_response_replica_state_v2(current_voters_items, out)
            observers_items = m.observers
            out += (length_prefix(len(observers_items)),)
            _encode_describe_quorum_response_replica_state_v2(observers_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v0(items: Sequence[DescribeQuorumResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_describe_quorum_response_partition_data_v0(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v1(items: Sequence[DescribeQuorumResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_describe_quorum_response_partition_data_v1(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v2(items: Sequence[DescribeQuorumResponseTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_name_bytes = m.topic_name.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
            _encode_describe_quorum_response_partition_data_v2(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_listener_v0(items: Sequence[DescribeQuorumResponseListener], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.name != "":
                raise absent(m, "name")
            if m.host != "":
                raise absent(m, "host")
            if m.port != 0:
                raise absent(m, "port")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_listener_v2(items: Sequence[DescribeQuorumResponseListener], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_node_v0(items: Sequence[DescribeQuorumResponseNode], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.node_id != 0:
                raise absent(m, "node_id")
            if m.listeners:
                raise absent(m, "listeners")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_node_v2(items: Sequence[DescribeQuorumResponseNode], out: list[bytes]) -> None:
    try:
        for m in items:
            listeners_items = m.listeners
            out += (_PACK_i(m.node_id), length_prefix(len(listeners_items)))
            _encode_describe_quorum_response_listener_v2(listeners_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_response_v0(m: DescribeQuorumResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.nodes:
            raise absent(m, "nodes")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        _encode_describe_quorum_response_topic_data_v0(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_response_v1(m: DescribeQuorumResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.nodes:
            raise absent(m, "nodes")
        topics_items = m.topics
        out += (_PACK_h(m.error_code), length_prefix(len(topics_items)))
        _encode_describe_quorum_response_topic_data_v1(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_describe_quorum_response_v2(m: DescribeQuorumResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        topics_items = m.topics
        out += (_PACK_h(m.error_code), error_message_size, error_message_bytes, length_prefix(len(topics_items)))
        _encode_describe_quorum_response_topic_data_v2(topics_items, out)
        nodes_items = m.nodes
        out += (length_prefix(len(nodes_items)),)
        _encode_describe_quorum_response_node_v2(nodes_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (DescribeQuorumResponse, 0): (decode_describe_quorum_response_v0, encode_describe_quorum_response_v0),
    (DescribeQuorumResponse, 1): (decode_describe_quorum_response_v1, encode_describe_quorum_response_v1),
    (DescribeQuorumResponse, 2): (decode_describe_quorum_response_v2, encode_describe_quorum_response_v2),
}
"""The decoder and the encoder of every message and version."""
