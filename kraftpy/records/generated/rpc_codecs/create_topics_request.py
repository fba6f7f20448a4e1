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
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import CreateTopicsRequest, CreateTopicsRequestCreatableReplicaAssignment, CreateTopicsRequestCreatableTopic, CreateTopicsRequestCreatableTopicConfig

_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_PACK_it: Final = Struct(">i?").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_ih: Final = Struct(">ih").unpack_from
_UNPACK_it: Final = Struct(">i?").unpack_from


def _decode_create_topics_request_creatable_replica_assignment_v2(data: bytes, at: int, _end: int) -> tuple[CreateTopicsRequestCreatableReplicaAssignment, int]:
    m: CreateTopicsRequestCreatableReplicaAssignment = new(CreateTopicsRequestCreatableReplicaAssignment)
    try:
        m.partition_index, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        m.broker_ids = read_int32s(data, at, n - 1)
        at += 4 * n - 4
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_replica_assignment_v5(data: bytes, at: int, _end: int) -> tuple[CreateTopicsRequestCreatableReplicaAssignment, int]:
    m: CreateTopicsRequestCreatableReplicaAssignment = new(CreateTopicsRequestCreatableReplicaAssignment)
    try:
        m.partition_index, = _UNPACK_i(data, at)
        at += 4
        n = data[at]
        at += 1
        if n <= SHAPES:
            m.broker_ids = list(UNPACK_INT32S[n](data, at))
            at += 4 * n - 4
        else:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            m.broker_ids = read_int32s(data, at, n - 1)
            at += 4 * n - 4
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_config_v2(data: bytes, at: int, _end: int) -> tuple[CreateTopicsRequestCreatableTopicConfig, int]:
    m: CreateTopicsRequestCreatableTopicConfig = new(CreateTopicsRequestCreatableTopicConfig)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_config_v5(data: bytes, at: int, _end: int) -> tuple[CreateTopicsRequestCreatableTopicConfig, int]:
    m: CreateTopicsRequestCreatableTopicConfig = new(CreateTopicsRequestCreatableTopicConfig)
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
        if n:
            stop = at + n - 1
            m.value = data[at:stop].decode()
            at = stop
        else:
            m.value = None
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_v2(data: bytes, at: int, end: int) -> tuple[CreateTopicsRequestCreatableTopic, int]:
    m: CreateTopicsRequestCreatableTopic = new(CreateTopicsRequestCreatableTopic)
    try:
        (n,) = _UNPACK_h(data, at)
        at += 2
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        stop = at + n - 1
        m.name = data[at:stop].decode()
        at = stop
        m.num_partitions, m.replication_factor = _UNPACK_ih(data, at)
        at += 6
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 8 > end - at:
            check_count(n - 1, 8, data, at)
        assignments_items: list[CreateTopicsRequestCreatableReplicaAssignment] = []
        for _ in range(n - 1):
            assignments_item, at = _decode_create_topics_request_creatable_replica_assignment_v2(data, at, end)
            assignments_items.append(assignments_item)
        m.assignments = assignments_items
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 4 > end - at:
            check_count(n - 1, 4, data, at)
        configs_items: list[CreateTopicsRequestCreatableTopicConfig] = []
        for _ in range(n - 1):
            configs_item, at = _decode_create_topics_request_creatable_topic_config_v2(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_v5(data: bytes, at: int, end: int) -> tuple[CreateTopicsRequestCreatableTopic, int]:
    m: CreateTopicsRequestCreatableTopic = new(CreateTopicsRequestCreatableTopic)
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
        m.num_partitions, m.replication_factor = _UNPACK_ih(data, at)
        at += 6
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        assignments_items: list[CreateTopicsRequestCreatableReplicaAssignment] = []
        for _ in range(n - 1):
            assignments_item, at = _decode_create_topics_request_creatable_replica_assignment_v5(data, at, end)
            assignments_items.append(assignments_item)
        m.assignments = assignments_items
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        configs_items: list[CreateTopicsRequestCreatableTopicConfig] = []
        for _ in range(n - 1):
            configs_item, at = _decode_create_topics_request_creatable_topic_config_v5(data, at, end)
            configs_items.append(configs_item)
        m.configs = configs_items
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        return m, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_topics_request_v2(data: bytes, at: int = 0) -> CreateTopicsRequest:
    m: CreateTopicsRequest = new(CreateTopicsRequest)
    end = len(data)
    try:
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 16 > end - at:
            check_count(n - 1, 16, data, at)
        topics_items: list[CreateTopicsRequestCreatableTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_create_topics_request_creatable_topic_v2(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.timeout_ms, m.validate_only = _UNPACK_it(data, at)
        at += 5
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_create_topics_request_v5(data: bytes, at: int = 0) -> CreateTopicsRequest:
    m: CreateTopicsRequest = new(CreateTopicsRequest)
    end = len(data)
    try:
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 10 > end - at:
            check_count(n - 1, 10, data, at)
        topics_items: list[CreateTopicsRequestCreatableTopic] = []
        for _ in range(n - 1):
            topics_item, at = _decode_create_topics_request_creatable_topic_v5(data, at, end)
            topics_items.append(topics_item)
        m.topics = topics_items
        m.timeout_ms, m.validate_only = _UNPACK_it(data, at)
        at += 5
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


def _encode_create_topics_request_creatable_replica_assignment_v2(m: CreateTopicsRequestCreatableReplicaAssignment, out: list[bytes]) -> None:
    try:
        broker_ids_items = m.broker_ids
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_i(m.partition_index), plain_int32s(broker_ids_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_replica_assignment_v5(m: CreateTopicsRequestCreatableReplicaAssignment, out: list[bytes]) -> None:
    try:
        broker_ids_items = m.broker_ids
        out += (_PACK_i(m.partition_index), PACK_INT32S[n](n + 1, *broker_ids_items) if (n := len(broker_ids_items)) < SHAPES else int32s(broker_ids_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_config_v2(m: CreateTopicsRequestCreatableTopicConfig, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = b"\xff\xff", b""
        else:
            value_bytes = m.value.encode()
            value_size = plain_string_prefix(len(value_bytes))
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (plain_string_prefix(len(name_bytes)), name_bytes, value_size, value_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_config_v5(m: CreateTopicsRequestCreatableTopicConfig, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        if m.value is None:
            value_size, value_bytes = NO_TAGS, b""
        else:
            value_bytes = m.value.encode()
            value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_v2(m: CreateTopicsRequestCreatableTopic, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        assignments_items = m.assignments
        out += (plain_string_prefix(len(name_bytes)), name_bytes, _PACK_ih(m.num_partitions, m.replication_factor), plain_prefix(len(assignments_items)))
        for assignments_item in assignments_items:
            _encode_create_topics_request_creatable_replica_assignment_v2(assignments_item, out)
        configs_items = m.configs
        out += (plain_prefix(len(configs_items)),)
        for configs_item in configs_items:
            _encode_create_topics_request_creatable_topic_config_v2(configs_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_v5(m: CreateTopicsRequestCreatableTopic, out: list[bytes]) -> None:
    try:
        name_bytes = m.name.encode()
        assignments_items = m.assignments
        out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_ih(m.num_partitions, m.replication_factor), length_prefix(len(assignments_items)))
        for assignments_item in assignments_items:
            _encode_create_topics_request_creatable_replica_assignment_v5(assignments_item, out)
        configs_items = m.configs
        out += (length_prefix(len(configs_items)),)
        for configs_item in configs_items:
            _encode_create_topics_request_creatable_topic_config_v5(configs_item, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_topics_request_v2(m: CreateTopicsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (plain_prefix(len(topics_items)),)
        for topics_item in topics_items:
            _encode_create_topics_request_creatable_topic_v2(topics_item, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        out += (_PACK_it(m.timeout_ms, m.validate_only),)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_topics_request_v5(m: CreateTopicsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (length_prefix(len(topics_items)),)
        for topics_item in topics_items:
            _encode_create_topics_request_creatable_topic_v5(topics_item, out)
        out += (_PACK_it(m.timeout_ms, m.validate_only), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (CreateTopicsRequest, 2): (decode_create_topics_request_v2, encode_create_topics_request_v2),
    (CreateTopicsRequest, 3): (decode_create_topics_request_v2, encode_create_topics_request_v2),
    (CreateTopicsRequest, 4): (decode_create_topics_request_v2, encode_create_topics_request_v2),
    (CreateTopicsRequest, 5): (decode_create_topics_request_v5, encode_create_topics_request_v5),
    (CreateTopicsRequest, 6): (decode_create_topics_request_v5, encode_create_topics_request_v5),
    (CreateTopicsRequest, 7): (decode_create_topics_request_v5, encode_create_topics_request_v5),
}
"""The decoder and the encoder of every message and version."""
