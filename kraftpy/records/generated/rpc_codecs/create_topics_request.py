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
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ih: Final = Struct(">ih").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from
_UNPACK_it: Final = Struct(">i?").unpack_from
_UNPACK_itB: Final = Struct(">i?B").unpack_from


def _decode_create_topics_request_creatable_replica_assignment_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsRequestCreatableReplicaAssignment], int]:
    made: list[CreateTopicsRequestCreatableReplicaAssignment] = []
    try:
        for _ in range(count):
            m: CreateTopicsRequestCreatableReplicaAssignment = new(CreateTopicsRequestCreatableReplicaAssignment)
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
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_replica_assignment_v5(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsRequestCreatableReplicaAssignment], int]:
    made: list[CreateTopicsRequestCreatableReplicaAssignment] = []
    try:
        for _ in range(count):
            m: CreateTopicsRequestCreatableReplicaAssignment = new(CreateTopicsRequestCreatableReplicaAssignment)
            m.partition_index, n = _UNPACK_iB(data, at)
            at += 5
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
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_config_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsRequestCreatableTopicConfig], int]:
    made: list[CreateTopicsRequestCreatableTopicConfig] = []
    try:
        for _ in range(count):
            m: CreateTopicsRequestCreatableTopicConfig = new(CreateTopicsRequestCreatableTopicConfig)
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
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_config_v5(data: bytes, at: int, _end: int, count: int) -> tuple[list[CreateTopicsRequestCreatableTopicConfig], int]:
    made: list[CreateTopicsRequestCreatableTopicConfig] = []
    try:
        for _ in range(count):
            m: CreateTopicsRequestCreatableTopicConfig = new(CreateTopicsRequestCreatableTopicConfig)
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
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[CreateTopicsRequestCreatableTopic], int]:
    made: list[CreateTopicsRequestCreatableTopic] = []
    try:
        for _ in range(count):
            m: CreateTopicsRequestCreatableTopic = new(CreateTopicsRequestCreatableTopic)
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
            m.assignments, at = _decode_create_topics_request_creatable_replica_assignment_v2(data, at, end, n - 1)
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 4 > end - at:
                check_count(n - 1, 4, data, at)
            m.configs, at = _decode_create_topics_request_creatable_topic_config_v2(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_create_topics_request_creatable_topic_v5(data: bytes, at: int, end: int, count: int) -> tuple[list[CreateTopicsRequestCreatableTopic], int]:
    made: list[CreateTopicsRequestCreatableTopic] = []
    try:
        for _ in range(count):
            m: CreateTopicsRequestCreatableTopic = new(CreateTopicsRequestCreatableTopic)
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
            m.num_partitions, m.replication_factor, n = _UNPACK_ihB(data, at)
            at += 7
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 6 > end - at:
                check_count(n - 1, 6, data, at)
            m.assignments, at = _decode_create_topics_request_creatable_replica_assignment_v5(data, at, end, n - 1)
            n = data[at]
            at += 1
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 3 > end - at:
                check_count(n - 1, 3, data, at)
            m.configs, at = _decode_create_topics_request_creatable_topic_config_v5(data, at, end, n - 1)
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
        m.topics, at = _decode_create_topics_request_creatable_topic_v2(data, at, end, n - 1)
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
        m.topics, at = _decode_create_topics_request_creatable_topic_v5(data, at, end, n - 1)
        m.timeout_ms, m.validate_only, n = _UNPACK_itB(data, at)
        at += 6
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_create_topics_request_creatable_replica_assignment_v2(items: Sequence[CreateTopicsRequestCreatableReplicaAssignment], out: list[bytes]) -> None:
    try:
        for m in items:
            broker_ids_items = m.broker_ids
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_i(m.partition_index), plain_int32s(broker_ids_items))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_replica_assignment_v5(items: Sequence[CreateTopicsRequestCreatableReplicaAssignment], out: list[bytes]) -> None:
    try:
        for m in items:
            broker_ids_items = m.broker_ids
            out += (_PACK_i(m.partition_index), PACK_INT32S[n](n + 1, *broker_ids_items) if (n := len(broker_ids_items)) < SHAPES else int32s(broker_ids_items), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_config_v2(items: Sequence[CreateTopicsRequestCreatableTopicConfig], out: list[bytes]) -> None:
    try:
        for m in items:
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


def _encode_create_topics_request_creatable_topic_config_v5(items: Sequence[CreateTopicsRequestCreatableTopicConfig], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            if m.value is None:
                value_size, value_bytes = NO_TAGS, b""
            else:
                value_bytes = m.value.encode()
                value_size = UVARINT[n + 1] if (n := len(value_bytes)) < SHORT - 1 else string_prefix(n)
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, value_size, value_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_v2(items: Sequence[CreateTopicsRequestCreatableTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            assignments_items = m.assignments
            out += (plain_string_prefix(len(name_bytes)), name_bytes, _PACK_ih(m.num_partitions, m.replication_factor), plain_prefix(len(assignments_items)))
            _encode_create_topics_request_creatable_replica_assignment_v2(assignments_items, out)
            configs_items = m.configs
            out += (plain_prefix(len(configs_items)),)
            _encode_create_topics_request_creatable_topic_config_v2(configs_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_create_topics_request_creatable_topic_v5(items: Sequence[CreateTopicsRequestCreatableTopic], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            assignments_items = m.assignments
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, _PACK_ih(m.num_partitions, m.replication_factor), length_prefix(len(assignments_items)))
            _encode_create_topics_request_creatable_replica_assignment_v5(assignments_items, out)
            configs_items = m.configs
            out += (length_prefix(len(configs_items)),)
            _encode_create_topics_request_creatable_topic_config_v5(configs_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_create_topics_request_v2(m: CreateTopicsRequest, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        topics_items = m.topics
        out += (plain_prefix(len(topics_items)),)
        _encode_create_topics_request_creatable_topic_v2(topics_items, out)
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
        _encode_create_topics_request_creatable_topic_v5(topics_items, out)
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
