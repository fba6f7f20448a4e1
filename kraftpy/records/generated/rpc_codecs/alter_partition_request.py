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
    Codec,
    FieldError,
    Message,
    check_count,
    int32s,
    length_prefix,
    new,
    read_int32s,
    read_tags,
    read_uvarint,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import AlterPartitionRequest, AlterPartitionRequestBrokerState, AlterPartitionRequestPartitionData, AlterPartitionRequestTopicData

_PACK_bi: Final = Struct(">bi").pack
_PACK_ii: Final = Struct(">ii").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_biB: Final = Struct(">biB").unpack_from
_UNPACK_iiB: Final = Struct(">iiB").unpack_from
_UNPACK_iqB: Final = Struct(">iqB").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_alter_partition_request_broker_state_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterPartitionRequestBrokerState], int]:
    made: list[AlterPartitionRequestBrokerState] = []
    try:
        for _ in range(count):
            m: AlterPartitionRequestBrokerState = new(AlterPartitionRequestBrokerState)
            m.broker_id = 0
            m.broker_epoch = -1
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


def _decode_alter_partition_request_broker_state_v3(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterPartitionRequestBrokerState], int]:
    made: list[AlterPartitionRequestBrokerState] = []
    try:
        for _ in range(count):
            m: AlterPartitionRequestBrokerState = new(AlterPartitionRequestBrokerState)
            m.broker_id, m.broker_epoch, n = _UNPACK_iqB(data, at)
            at += 13
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_partition_request_partition_data_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[AlterPartitionRequestPartitionData], int]:
    made: list[AlterPartitionRequestPartitionData] = []
    try:
        for _ in range(count):
            m: AlterPartitionRequestPartitionData = new(AlterPartitionRequestPartitionData)
            m.new_isr_with_epochs = []
            m.partition_index, m.leader_epoch, n = _UNPACK_iiB(data, at)
            at += 9
            if n <= SHAPES:
                m.new_isr = list(UNPACK_INT32S[n](data, at))
                at += 4 * n - 4
            else:
                if n >= SHORT:
                    n, at = read_uvarint(data, at - 1)
                m.new_isr = read_int32s(data, at, n - 1)
                at += 4 * n - 4
            m.leader_recovery_state, m.partition_epoch, n = _UNPACK_biB(data, at)
            at += 6
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_partition_request_partition_data_v3(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterPartitionRequestPartitionData], int]:
    made: list[AlterPartitionRequestPartitionData] = []
    try:
        for _ in range(count):
            m: AlterPartitionRequestPartitionData = new(AlterPartitionRequestPartitionData)
            m.new_isr = []
            m.partition_index, m.leader_epoch, n = _UNPACK_iiB(data, at)
            at += 9
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 13 > end - at:
                check_count(n - 1, 13, data, at)
            m.new_isr_with_epochs, at = _decode_alter_partition_request_broker_state_v3(data, at, end, n - 1)
            m.leader_recovery_state, m.partition_epoch, n = _UNPACK_biB(data, at)
            at += 6
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_alter_partition_request_topic_data_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterPartitionRequestTopicData], int]:
    made: list[AlterPartitionRequestTopicData] = []
    try:
        for _ in range(count):
            m: AlterPartitionRequestTopicData = new(AlterPartitionRequestTopicData)
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 15 > end - at:
                check_count(n - 1, 15, data, at)
            m.partitions, at = _decode_alter_partition_request_partition_data_v2(data, at, end, n - 1)
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


def _decode_alter_partition_request_topic_data_v3(data: bytes, at: int, end: int, count: int) -> tuple[list[AlterPartitionRequestTopicData], int]:
    made: list[AlterPartitionRequestTopicData] = []
    try:
        for _ in range(count):
            m: AlterPartitionRequestTopicData = new(AlterPartitionRequestTopicData)
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 15 > end - at:
                check_count(n - 1, 15, data, at)
            m.partitions, at = _decode_alter_partition_request_partition_data_v3(data, at, end, n - 1)
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


def decode_alter_partition_request_v2(data: bytes, at: int = 0) -> AlterPartitionRequest:
    m: AlterPartitionRequest = new(AlterPartitionRequest)
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
        m.topics, at = _decode_alter_partition_request_topic_data_v2(data, at, end, n - 1)
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


def decode_alter_partition_request_v3(data: bytes, at: int = 0) -> AlterPartitionRequest:
    m: AlterPartitionRequest = new(AlterPartitionRequest)
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
        m.topics, at = _decode_alter_partition_request_topic_data_v3(data, at, end, n - 1)
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


def _encode_alter_partition_request_broker_state_v2(items: Sequence[AlterPartitionRequestBrokerState], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.broker_id != 0:
                raise absent(m, "broker_id")
            if m.broker_epoch != -1:
                raise absent(m, "broker_epoch")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_request_broker_state_v3(items: Sequence[AlterPartitionRequestBrokerState], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_iq(m.broker_id, m.broker_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_request_partition_data_v2(items: Sequence[AlterPartitionRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.new_isr_with_epochs:
                raise absent(m, "new_isr_with_epochs")
            new_isr_items = m.new_isr
            out += (_PACK_ii(m.partition_index, m.leader_epoch), PACK_INT32S[n](n + 1, *new_isr_items) if (n := len(new_isr_items)) < SHAPES else int32s(new_isr_items), _PACK_bi(m.leader_recovery_state, m.partition_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_request_partition_data_v3(items: Sequence[AlterPartitionRequestPartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.new_isr:
                raise absent(m, "new_isr")
            new_isr_with_epochs_items = m.new_isr_with_epochs
            out += (_PACK_ii(m.partition_index, m.leader_epoch), length_prefix(len(new_isr_with_epochs_items)))
            _encode_alter_partition_request_broker_state_v3(new_isr_with_epochs_items, out)
            out += (_PACK_bi(m.leader_recovery_state, m.partition_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_request_topic_data_v2(items: Sequence[AlterPartitionRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_alter_partition_request_partition_data_v2(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_alter_partition_request_topic_data_v3(items: Sequence[AlterPartitionRequestTopicData], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_alter_partition_request_partition_data_v3(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_request_v2(m: AlterPartitionRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_iq(m.broker_id, m.broker_epoch), length_prefix(len(topics_items)))
        _encode_alter_partition_request_topic_data_v2(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_alter_partition_request_v3(m: AlterPartitionRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (_PACK_iq(m.broker_id, m.broker_epoch), length_prefix(len(topics_items)))
        _encode_alter_partition_request_topic_data_v3(topics_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (AlterPartitionRequest, 2): (decode_alter_partition_request_v2, encode_alter_partition_request_v2),
    (AlterPartitionRequest, 3): (decode_alter_partition_request_v3, encode_alter_partition_request_v3),
}
"""The decoder and the encoder of every message and version."""
