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
_UNPACK_H: Final = Struct(">H").unpack_from
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_ih: Final = Struct(">ih").unpack_from
_UNPACK_ihiiq: Final = Struct(">ihiiq").unpack_from
_UNPACK_iiq: Final = Struct(">iiq").unpack_from
_UNPACK_iq: Final = Struct(">iq").unpack_from
_UNPACK_iqqq: Final = Struct(">iqqq").unpack_from
_UNPACK_iuqqq: Final = Struct(">i16sqqq").unpack_from


def _decode_describe_quorum_response_replica_state_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseReplicaState, int]:
    m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
    try:
        m.replica_directory_id = ZERO_UUID
        m.last_fetch_timestamp = -1
        m.last_caught_up_timestamp = -1
        m.replica_id, m.log_end_offset = _UNPACK_iq(data, at)
        at += 12
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v1(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseReplicaState, int]:
    m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
    try:
        m.replica_directory_id = ZERO_UUID
        m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp = _UNPACK_iqqq(data, at)
        at += 28
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_replica_state_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseReplicaState, int]:
    m: DescribeQuorumResponseReplicaState = new(DescribeQuorumResponseReplicaState)
    try:
        m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp = _UNPACK_iuqqq(data, at)
        at += 44
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponsePartitionData, int]:
    m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
    try:
        m.error_message = ""
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark = _UNPACK_ihiiq(data, at)
        at += 22
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 13 > end - at:
            check_count(n - 1, 13, data, at)
        current_voters_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            current_voters_item, at = _decode_describe_quorum_response_replica_state_v0(data, at, end)
            current_voters_items.append(current_voters_item)
        m.current_voters = current_voters_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 13 > end - at:
            check_count(n - 1, 13, data, at)
        observers_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            observers_item, at = _decode_describe_quorum_response_replica_state_v0(data, at, end)
            observers_items.append(observers_item)
        m.observers = observers_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v1(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponsePartitionData, int]:
    m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
    try:
        m.error_message = ""
        m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark = _UNPACK_ihiiq(data, at)
        at += 22
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 29 > end - at:
            check_count(n - 1, 29, data, at)
        current_voters_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            current_voters_item, at = _decode_describe_quorum_response_replica_state_v1(data, at, end)
            current_voters_items.append(current_voters_item)
        m.current_voters = current_voters_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 29 > end - at:
            check_count(n - 1, 29, data, at)
        observers_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            observers_item, at = _decode_describe_quorum_response_replica_state_v1(data, at, end)
            observers_items.append(observers_item)
        m.observers = observers_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_partition_data_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponsePartitionData, int]:
    m: DescribeQuorumResponsePartitionData = new(DescribeQuorumResponsePartitionData)
    try:
        m.partition_index, m.error_code = _UNPACK_ih(data, at)
        at += 6
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
            m.error_message = data[at:stop].decode()
            at = stop
        else:
            m.error_message = None
        m.leader_id, m.leader_epoch, m.high_watermark = _UNPACK_iiq(data, at)
        at += 16
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 45 > end - at:
            check_count(n - 1, 45, data, at)
        current_voters_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            current_voters_item, at = _decode_describe_quorum_response_replica_state_v2(data, at, end)
            current_voters_items.append(current_voters_item)
        m.current_voters = current_voters_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 45 > end - at:
            check_count(n - 1, 45, data, at)
        observers_items: list[DescribeQuorumResponseReplicaState] = []
        for _ in range(n - 1):
            observers_item, at = _decode_describe_quorum_response_replica_state_v2(data, at, end)
            observers_items.append(observers_item)
        m.observers = observers_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_topic_data_v0(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseTopicData, int]:
    m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
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
        partitions_items: list[DescribeQuorumResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_response_partition_data_v0(data, at, end)
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


def _decode_describe_quorum_response_topic_data_v1(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseTopicData, int]:
    m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
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
        partitions_items: list[DescribeQuorumResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_response_partition_data_v1(data, at, end)
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


def _decode_describe_quorum_response_topic_data_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseTopicData, int]:
    m: DescribeQuorumResponseTopicData = new(DescribeQuorumResponseTopicData)
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
        if (n - 1) * 26 > end - at:
            check_count(n - 1, 26, data, at)
        partitions_items: list[DescribeQuorumResponsePartitionData] = []
        for _ in range(n - 1):
            partitions_item, at = _decode_describe_quorum_response_partition_data_v2(data, at, end)
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


def _decode_describe_quorum_response_listener_v0(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumResponseListener, int]:
    m: DescribeQuorumResponseListener = new(DescribeQuorumResponseListener)
    try:
        m.name = ""
        m.host = ""
        m.port = 0
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_listener_v2(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumResponseListener, int]:
    m: DescribeQuorumResponseListener = new(DescribeQuorumResponseListener)
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
        m.port, = _UNPACK_H(data, at)
        at += 2
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_node_v0(data: bytes, at: int, _end: int) -> tuple[DescribeQuorumResponseNode, int]:
    m: DescribeQuorumResponseNode = new(DescribeQuorumResponseNode)
    try:
        m.node_id = 0
        m.listeners = []
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_describe_quorum_response_node_v2(data: bytes, at: int, end: int) -> tuple[DescribeQuorumResponseNode, int]:
    m: DescribeQuorumResponseNode = new(DescribeQuorumResponseNode)
    try:
        m.node_id, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        listeners_items: list[DescribeQuorumResponseListener] = []
        for _ in range(n - 1):
            listeners_item, at = _decode_describe_quorum_response_listener_v2(data, at, end)
            listeners_items.append(listeners_item)
        m.listeners = listeners_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_describe_quorum_response_v0(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_message = ""
        m.nodes = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[DescribeQuorumResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_response_topic_data_v0(data, at, end)
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


def decode_describe_quorum_response_v1(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_message = ""
        m.nodes = []
        m.error_code, = _UNPACK_h(data, at)
        at += 2
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        topics_items: list[DescribeQuorumResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_response_topic_data_v1(data, at, end)
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


def decode_describe_quorum_response_v2(data: bytes, at: int = 0) -> DescribeQuorumResponse:
    m: DescribeQuorumResponse = new(DescribeQuorumResponse)
    end = len(data)
    try:
        m.error_code, = _UNPACK_h(data, at)
        at += 2
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
        topics_items: list[DescribeQuorumResponseTopicData] = []
        for _ in range(n - 1):
            topics_item, at = _decode_describe_quorum_response_topic_data_v2(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        nodes_items: list[DescribeQuorumResponseNode] = []
        for _ in range(n - 1):
            nodes_item, at = _decode_describe_quorum_response_node_v2(data, at, end)
            nodes_items.append(nodes_item)
        m.nodes = nodes_items
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


def _encode_describe_quorum_response_replica_state_v0(m: DescribeQuorumResponseReplicaState, out: list[bytes]) -> None:
    try:
        if m.replica_directory_id != ZERO_UUID:
            raise absent(m, "replica_directory_id")
        out += (_PACK_iq(m.replica_id, m.log_end_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v1(m: DescribeQuorumResponseReplicaState, out: list[bytes]) -> None:
    try:
        if m.replica_directory_id != ZERO_UUID:
            raise absent(m, "replica_directory_id")
        out += (_PACK_iqqq(m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_replica_state_v2(m: DescribeQuorumResponseReplicaState, out: list[bytes]) -> None:
    try:
        if len(m.replica_directory_id) != 16:
            raise ValueError("a uuid has 16 bytes")
        out += (_PACK_iuqqq(m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v0(m: DescribeQuorumResponsePartitionData, out: list[bytes]) -> None:
    try:
        current_voters_items = m.current_voters
        out += (_PACK_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
        for current_voters_item in current_voters_items:
            _encode_describe_quorum_response_replica_state_v0(current_voters_item, out)
        observers_items = m.observers
        out += (length_prefix(len(observers_items)),)
        for observers_item in observers_items:
            _encode_describe_quorum_response_replica_state_v0(observers_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v1(m: DescribeQuorumResponsePartitionData, out: list[bytes]) -> None:
    try:
        current_voters_items = m.current_voters
        out += (_PACK_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
        for current_voters_item in current_voters_items:
            _encode_describe_quorum_response_replica_state_v1(current_voters_item, out)
        observers_items = m.observers
        out += (length_prefix(len(observers_items)),)
        for observers_item in observers_items:
            _encode_describe_quorum_response_replica_state_v1(observers_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_partition_data_v2(m: DescribeQuorumResponsePartitionData, out: list[bytes]) -> None:
    try:
        if m.error_message is None:
            error_message_size, error_message_bytes = NO_TAGS, b""
        else:
            error_message_bytes = m.error_message.encode()
            error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
        current_voters_items = m.current_voters
        out += (_PACK_ih(m.partition_index, m.error_code), error_message_size, error_message_bytes, _PACK_iiq(m.leader_id, m.leader_epoch, m.high_watermark), length_prefix(len(current_voters_items)))
        for current_voters_item in current_voters_items:
            _encode_describe_quorum_response_replica_state_v2(current_voters_item, out)
        observers_items = m.observers
        out += (length_prefix(len(observers_items)),)
        for observers_item in observers_items:
            _encode_describe_quorum_response_replica_state_v2(observers_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v0(m: DescribeQuorumResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_response_partition_data_v0(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v1(m: DescribeQuorumResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_response_partition_data_v1(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_topic_data_v2(m: DescribeQuorumResponseTopicData, out: list[bytes]) -> None:
    try:
        topic_name_bytes = m.topic_name.encode()
        partitions_items = m.partitions
        out += (UVARINT[n + 1] if (n := len(topic_name_bytes)) < SHORT - 1 else string_prefix(n), topic_name_bytes, length_prefix(len(partitions_items)))
        for partitions_item in partitions_items:
            _encode_describe_quorum_response_partition_data_v2(partitions_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_listener_v0(m: DescribeQuorumResponseListener, out: list[bytes]) -> None:
    try:
        if m.name != "":
            raise absent(m, "name")
        if m.host != "":
            raise absent(m, "host")
        if m.port != 0:
            raise absent(m, "port")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_listener_v2(m: DescribeQuorumResponseListener, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        host_bytes = m.host.encode()
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_node_v0(m: DescribeQuorumResponseNode, out: list[bytes]) -> None:
    try:
        if m.node_id != 0:
            raise absent(m, "node_id")
        if m.listeners:
            raise absent(m, "listeners")
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_describe_quorum_response_node_v2(m: DescribeQuorumResponseNode, out: list[bytes]) -> None:
    try:
        listeners_items = m.listeners
        out += (_PACK_i(m.node_id), length_prefix(len(listeners_items)))
        for listeners_item in listeners_items:
            _encode_describe_quorum_response_listener_v2(listeners_item, out)
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
        for topics_item in topics_items:
            _encode_describe_quorum_response_topic_data_v0(topics_item, out)
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
        for topics_item in topics_items:
            _encode_describe_quorum_response_topic_data_v1(topics_item, out)
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
        for topics_item in topics_items:
            _encode_describe_quorum_response_topic_data_v2(topics_item, out)
        nodes_items = m.nodes
        out += (length_prefix(len(nodes_items)),)
        for nodes_item in nodes_items:
            _encode_describe_quorum_response_node_v2(nodes_item, out)
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
