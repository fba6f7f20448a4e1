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
    plain_prefix,
    plain_string_prefix,
    read_string_length,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import ElectLeadersResponse, ElectLeadersResponsePartitionResult, ElectLeadersResponseReplicaElectionResult

_PACK_i: Final = Struct(">i").pack
_PACK_ih: Final = Struct(">ih").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_ih: Final = Struct(">ih").unpack_from
_UNPACK_ihB: Final = Struct(">ihB").unpack_from


def _decode_elect_leaders_response_partition_result_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[ElectLeadersResponsePartitionResult], int]:
    made: list[ElectLeadersResponsePartitionResult] = []
    try:
        for _ in range(count):
            m: ElectLeadersResponsePartitionResult = new(ElectLeadersResponsePartitionResult)
            m.partition_id, m.error_code = _UNPACK_ih(data, at)
            at += 6
            (n,) = _UNPACK_h(data, at)
            at += 2
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.error_message = data[at:stop].decode()
                at = stop
            else:
                m.error_message = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_elect_leaders_response_partition_result_v2(data: bytes, at: int, _end: int, count: int) -> tuple[list[ElectLeadersResponsePartitionResult], int]:
    made: list[ElectLeadersResponsePartitionResult] = []
    try:
        for _ in range(count):
            m: ElectLeadersResponsePartitionResult = new(ElectLeadersResponsePartitionResult)
            m.partition_id, m.error_code, n = _UNPACK_ihB(data, at)
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


def _decode_elect_leaders_response_replica_election_result_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[ElectLeadersResponseReplicaElectionResult], int]:
    made: list[ElectLeadersResponseReplicaElectionResult] = []
    try:
        for _ in range(count):
            m: ElectLeadersResponseReplicaElectionResult = new(ElectLeadersResponseReplicaElectionResult)
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
            if (n - 1) * 8 > end - at:
                check_count(n - 1, 8, data, at)
            m.partition_result, at = _decode_elect_leaders_response_partition_result_v0(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_elect_leaders_response_replica_election_result_v2(data: bytes, at: int, end: int, count: int) -> tuple[list[ElectLeadersResponseReplicaElectionResult], int]:
    made: list[ElectLeadersResponseReplicaElectionResult] = []
    try:
        for _ in range(count):
            m: ElectLeadersResponseReplicaElectionResult = new(ElectLeadersResponseReplicaElectionResult)
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
            if (n - 1) * 8 > end - at:
                check_count(n - 1, 8, data, at)
            m.partition_result, at = _decode_elect_leaders_response_partition_result_v2(data, at, end, n - 1)
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


def decode_elect_leaders_response_v0(data: bytes, at: int = 0) -> ElectLeadersResponse:
    m: ElectLeadersResponse = new(ElectLeadersResponse)
    end = len(data)
    try:
        m.error_code = 0
        m.throttle_time_ms, = _UNPACK_i(data, at)
        at += 4
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.replica_election_results, at = _decode_elect_leaders_response_replica_election_result_v0(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_elect_leaders_response_v1(data: bytes, at: int = 0) -> ElectLeadersResponse:
    m: ElectLeadersResponse = new(ElectLeadersResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code = _UNPACK_ih(data, at)
        at += 6
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.replica_election_results, at = _decode_elect_leaders_response_replica_election_result_v0(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_elect_leaders_response_v2(data: bytes, at: int = 0) -> ElectLeadersResponse:
    m: ElectLeadersResponse = new(ElectLeadersResponse)
    end = len(data)
    try:
        m.throttle_time_ms, m.error_code, n = _UNPACK_ihB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.replica_election_results, at = _decode_elect_leaders_response_replica_election_result_v2(data, at, end, n - 1)
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


def _encode_elect_leaders_response_partition_result_v0(items: Sequence[ElectLeadersResponsePartitionResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = b"\xff\xff", b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = plain_string_prefix(len(error_message_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_ih(m.partition_id, m.error_code), error_message_size, error_message_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_elect_leaders_response_partition_result_v2(items: Sequence[ElectLeadersResponsePartitionResult], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.error_message is None:
                error_message_size, error_message_bytes = NO_TAGS, b""
            else:
                error_message_bytes = m.error_message.encode()
                error_message_size = UVARINT[n + 1] if (n := len(error_message_bytes)) < SHORT - 1 else string_prefix(n)
            out += (_PACK_ih(m.partition_id, m.error_code), error_message_size, error_message_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_elect_leaders_response_replica_election_result_v0(items: Sequence[ElectLeadersResponseReplicaElectionResult], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partition_result_items = m.partition_result
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partition_result_items)))
            _encode_elect_leaders_response_partition_result_v0(partition_result_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_elect_leaders_response_replica_election_result_v2(items: Sequence[ElectLeadersResponseReplicaElectionResult], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partition_result_items = m.partition_result
            out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, length_prefix(len(partition_result_items)))
            _encode_elect_leaders_response_partition_result_v2(partition_result_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_elect_leaders_response_v0(m: ElectLeadersResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.error_code != 0:
            raise absent(m, "error_code")
        replica_election_results_items = m.replica_election_results
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(replica_election_results_items)))
        _encode_elect_leaders_response_replica_election_result_v0(replica_election_results_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_elect_leaders_response_v1(m: ElectLeadersResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        replica_election_results_items = m.replica_election_results
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), plain_prefix(len(replica_election_results_items)))
        _encode_elect_leaders_response_replica_election_result_v0(replica_election_results_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_elect_leaders_response_v2(m: ElectLeadersResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        replica_election_results_items = m.replica_election_results
        out += (_PACK_ih(m.throttle_time_ms, m.error_code), length_prefix(len(replica_election_results_items)))
        _encode_elect_leaders_response_replica_election_result_v2(replica_election_results_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (ElectLeadersResponse, 0): (decode_elect_leaders_response_v0, encode_elect_leaders_response_v0),
    (ElectLeadersResponse, 1): (decode_elect_leaders_response_v1, encode_elect_leaders_response_v1),
    (ElectLeadersResponse, 2): (decode_elect_leaders_response_v2, encode_elect_leaders_response_v2),
}
"""The decoder and the encoder of every message and version."""
