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
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

from kraftpy.records.generated.rpc import FetchResponse, FetchResponseAbortedTransaction, FetchResponseEpochEndOffset, FetchResponseFetchableTopicResponse, FetchResponseLeaderIdAndEpoch, FetchResponseNodeEndpoint, FetchResponsePartitionData, FetchResponseSnapshotId

_PACK_i: Final = Struct(">i").pack
_PACK_ihi: Final = Struct(">ihi").pack
_PACK_ihqq: Final = Struct(">ihqq").pack
_PACK_ihqqq: Final = Struct(">ihqqq").pack
_PACK_ii: Final = Struct(">ii").pack
_PACK_iq: Final = Struct(">iq").pack
_PACK_q: Final = Struct(">q").pack
_PACK_qi: Final = Struct(">qi").pack
_PACK_qq: Final = Struct(">qq").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_h: Final = Struct(">h").unpack_from
_UNPACK_i: Final = Struct(">i").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_ihi: Final = Struct(">ihi").unpack_from
_UNPACK_ihiB: Final = Struct(">ihiB").unpack_from
_UNPACK_ihqq: Final = Struct(">ihqq").unpack_from
_UNPACK_ihqqq: Final = Struct(">ihqqq").unpack_from
_UNPACK_ihqqqB: Final = Struct(">ihqqqB").unpack_from
_UNPACK_iiB: Final = Struct(">iiB").unpack_from
_UNPACK_iqB: Final = Struct(">iqB").unpack_from
_UNPACK_q: Final = Struct(">q").unpack_from
_UNPACK_qi: Final = Struct(">qi").unpack_from
_UNPACK_qiB: Final = Struct(">qiB").unpack_from
_UNPACK_qq: Final = Struct(">qq").unpack_from
_UNPACK_qqB: Final = Struct(">qqB").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from
_UNPACK_uB: Final = Struct(">16sB").unpack_from


def _decode_fetch_response_epoch_end_offset_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseEpochEndOffset], int]:
    made: list[FetchResponseEpochEndOffset] = []
    try:
        for _ in range(count):
            m: FetchResponseEpochEndOffset = new(FetchResponseEpochEndOffset)
            m.epoch = -1
            m.end_offset = -1
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_epoch_end_offset_v12(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseEpochEndOffset], int]:
    made: list[FetchResponseEpochEndOffset] = []
    try:
        for _ in range(count):
            m: FetchResponseEpochEndOffset = new(FetchResponseEpochEndOffset)
            m.epoch, m.end_offset, n = _UNPACK_iqB(data, at)
            at += 13
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_leader_id_and_epoch_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseLeaderIdAndEpoch], int]:
    made: list[FetchResponseLeaderIdAndEpoch] = []
    try:
        for _ in range(count):
            m: FetchResponseLeaderIdAndEpoch = new(FetchResponseLeaderIdAndEpoch)
            m.leader_id = -1
            m.leader_epoch = -1
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_leader_id_and_epoch_v12(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseLeaderIdAndEpoch], int]:
    made: list[FetchResponseLeaderIdAndEpoch] = []
    try:
        for _ in range(count):
            m: FetchResponseLeaderIdAndEpoch = new(FetchResponseLeaderIdAndEpoch)
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


def _decode_fetch_response_snapshot_id_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseSnapshotId], int]:
    made: list[FetchResponseSnapshotId] = []
    try:
        for _ in range(count):
            m: FetchResponseSnapshotId = new(FetchResponseSnapshotId)
            m.end_offset, m.epoch = _UNPACK_qi(data, at)
            at += 12
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_snapshot_id_v12(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseSnapshotId], int]:
    made: list[FetchResponseSnapshotId] = []
    try:
        for _ in range(count):
            m: FetchResponseSnapshotId = new(FetchResponseSnapshotId)
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


def _decode_fetch_response_aborted_transaction_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseAbortedTransaction], int]:
    made: list[FetchResponseAbortedTransaction] = []
    try:
        for _ in range(count):
            m: FetchResponseAbortedTransaction = new(FetchResponseAbortedTransaction)
            m.producer_id, m.first_offset = _UNPACK_qq(data, at)
            at += 16
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_aborted_transaction_v12(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseAbortedTransaction], int]:
    made: list[FetchResponseAbortedTransaction] = []
    try:
        for _ in range(count):
            m: FetchResponseAbortedTransaction = new(FetchResponseAbortedTransaction)
            m.producer_id, m.first_offset, n = _UNPACK_qqB(data, at)
            at += 17
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponsePartitionData], int]:
    made: list[FetchResponsePartitionData] = []
    try:
        for _ in range(count):
            m: FetchResponsePartitionData = new(FetchResponsePartitionData)
            m.log_start_offset = -1
            m.diverging_epoch = FetchResponseEpochEndOffset()
            m.current_leader = FetchResponseLeaderIdAndEpoch()
            m.snapshot_id = FetchResponseSnapshotId()
            m.preferred_read_replica = -1
            m.registered_directory_id = ZERO_UUID
            m.agreed_end_offset = -1
            m.agreed_digest = ZERO_UUID
            m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset = _UNPACK_ihqq(data, at)
            at += 22
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                if (n - 1) * 16 > end - at:
                    check_count(n - 1, 16, data, at)
                m.aborted_transactions, at = _decode_fetch_response_aborted_transaction_v4(data, at, end, n - 1)
            else:
                m.aborted_transactions = None
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.records = data[at:stop]
                at = stop
            else:
                m.records = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v5(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponsePartitionData], int]:
    made: list[FetchResponsePartitionData] = []
    try:
        for _ in range(count):
            m: FetchResponsePartitionData = new(FetchResponsePartitionData)
            m.diverging_epoch = FetchResponseEpochEndOffset()
            m.current_leader = FetchResponseLeaderIdAndEpoch()
            m.snapshot_id = FetchResponseSnapshotId()
            m.preferred_read_replica = -1
            m.registered_directory_id = ZERO_UUID
            m.agreed_end_offset = -1
            m.agreed_digest = ZERO_UUID
            m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset = _UNPACK_ihqqq(data, at)
            at += 30
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                if (n - 1) * 16 > end - at:
                    check_count(n - 1, 16, data, at)
                m.aborted_transactions, at = _decode_fetch_response_aborted_transaction_v4(data, at, end, n - 1)
            else:
                m.aborted_transactions = None
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.records = data[at:stop]
                at = stop
            else:
                m.records = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v11(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponsePartitionData], int]:
    made: list[FetchResponsePartitionData] = []
    try:
        for _ in range(count):
            m: FetchResponsePartitionData = new(FetchResponsePartitionData)
            m.diverging_epoch = FetchResponseEpochEndOffset()
            m.current_leader = FetchResponseLeaderIdAndEpoch()
            m.snapshot_id = FetchResponseSnapshotId()
            m.registered_directory_id = ZERO_UUID
            m.agreed_end_offset = -1
            m.agreed_digest = ZERO_UUID
            m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset = _UNPACK_ihqqq(data, at)
            at += 30
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                if (n - 1) * 16 > end - at:
                    check_count(n - 1, 16, data, at)
                m.aborted_transactions, at = _decode_fetch_response_aborted_transaction_v4(data, at, end, n - 1)
            else:
                m.aborted_transactions = None
            m.preferred_read_replica, = _UNPACK_i(data, at)
            at += 4
            (n,) = _UNPACK_i(data, at)
            at += 4
            n += 1
            if n < 0:
                raise FieldError(f"length {n - 1} is negative")
            if n:
                stop = at + n - 1
                m.records = data[at:stop]
                at = stop
            else:
                m.records = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_partition_data_v12(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponsePartitionData], int]:
    made: list[FetchResponsePartitionData] = []
    try:
        for _ in range(count):
            m: FetchResponsePartitionData = new(FetchResponsePartitionData)
            m.registered_directory_id = ZERO_UUID
            m.agreed_end_offset = -1
            m.agreed_digest = ZERO_UUID
            m.diverging_epoch = FetchResponseEpochEndOffset()
            m.current_leader = FetchResponseLeaderIdAndEpoch()
            m.snapshot_id = FetchResponseSnapshotId()
            m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset, n = _UNPACK_ihqqqB(data, at)
            at += 31
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                if (n - 1) * 17 > end - at:
                    check_count(n - 1, 17, data, at)
                m.aborted_transactions, at = _decode_fetch_response_aborted_transaction_v12(data, at, end, n - 1)
            else:
                m.aborted_transactions = None
            m.preferred_read_replica, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                stop = at + n - 1
                m.records = data[at:stop]
                at = stop
            else:
                m.records = None
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
                        (m.diverging_epoch,), at = _decode_fetch_response_epoch_end_offset_v12(data, at, end, 1)
                    elif tag == 1:
                        (m.current_leader,), at = _decode_fetch_response_leader_id_and_epoch_v12(data, at, end, 1)
                    elif tag == 2:
                        (m.snapshot_id,), at = _decode_fetch_response_snapshot_id_v12(data, at, end, 1)
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


def _decode_fetch_response_partition_data_v17(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponsePartitionData], int]:
    made: list[FetchResponsePartitionData] = []
    try:
        for _ in range(count):
            m: FetchResponsePartitionData = new(FetchResponsePartitionData)
            m.diverging_epoch = FetchResponseEpochEndOffset()
            m.current_leader = FetchResponseLeaderIdAndEpoch()
            m.snapshot_id = FetchResponseSnapshotId()
            m.registered_directory_id = ZERO_UUID
            m.agreed_end_offset = -1
            m.agreed_digest = ZERO_UUID
            m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset, n = _UNPACK_ihqqqB(data, at)
            at += 31
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                if (n - 1) * 17 > end - at:
                    check_count(n - 1, 17, data, at)
                m.aborted_transactions, at = _decode_fetch_response_aborted_transaction_v12(data, at, end, n - 1)
            else:
                m.aborted_transactions = None
            m.preferred_read_replica, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if n:
                stop = at + n - 1
                m.records = data[at:stop]
                at = stop
            else:
                m.records = None
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
                        (m.diverging_epoch,), at = _decode_fetch_response_epoch_end_offset_v12(data, at, end, 1)
                    elif tag == 1:
                        (m.current_leader,), at = _decode_fetch_response_leader_id_and_epoch_v12(data, at, end, 1)
                    elif tag == 2:
                        (m.snapshot_id,), at = _decode_fetch_response_snapshot_id_v12(data, at, end, 1)
                    elif tag == 1000:
                        m.registered_directory_id, = _UNPACK_u(data, at)
                        at += 16
                    elif tag == 1001:
                        m.agreed_end_offset, = _UNPACK_q(data, at)
                        at += 8
                    elif tag == 1002:
                        m.agreed_digest, = _UNPACK_u(data, at)
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


def _decode_fetch_response_fetchable_topic_response_v4(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseFetchableTopicResponse], int]:
    made: list[FetchResponseFetchableTopicResponse] = []
    try:
        for _ in range(count):
            m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
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
            if (n - 1) * 30 > end - at:
                check_count(n - 1, 30, data, at)
            m.partitions, at = _decode_fetch_response_partition_data_v4(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v5(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseFetchableTopicResponse], int]:
    made: list[FetchResponseFetchableTopicResponse] = []
    try:
        for _ in range(count):
            m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
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
            if (n - 1) * 38 > end - at:
                check_count(n - 1, 38, data, at)
            m.partitions, at = _decode_fetch_response_partition_data_v5(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v11(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseFetchableTopicResponse], int]:
    made: list[FetchResponseFetchableTopicResponse] = []
    try:
        for _ in range(count):
            m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
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
            if (n - 1) * 42 > end - at:
                check_count(n - 1, 42, data, at)
            m.partitions, at = _decode_fetch_response_partition_data_v11(data, at, end, n - 1)
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_fetchable_topic_response_v12(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseFetchableTopicResponse], int]:
    made: list[FetchResponseFetchableTopicResponse] = []
    try:
        for _ in range(count):
            m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
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
            if (n - 1) * 37 > end - at:
                check_count(n - 1, 37, data, at)
            m.partitions, at = _decode_fetch_response_partition_data_v12(data, at, end, n - 1)
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


def _decode_fetch_response_fetchable_topic_response_v13(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseFetchableTopicResponse], int]:
    made: list[FetchResponseFetchableTopicResponse] = []
    try:
        for _ in range(count):
            m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
            m.topic = ""
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 37 > end - at:
                check_count(n - 1, 37, data, at)
            m.partitions, at = _decode_fetch_response_partition_data_v12(data, at, end, n - 1)
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


def _decode_fetch_response_fetchable_topic_response_v17(data: bytes, at: int, end: int, count: int) -> tuple[list[FetchResponseFetchableTopicResponse], int]:
    made: list[FetchResponseFetchableTopicResponse] = []
    try:
        for _ in range(count):
            m: FetchResponseFetchableTopicResponse = new(FetchResponseFetchableTopicResponse)
            m.topic = ""
            m.topic_id, n = _UNPACK_uB(data, at)
            at += 17
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 37 > end - at:
                check_count(n - 1, 37, data, at)
            m.partitions, at = _decode_fetch_response_partition_data_v17(data, at, end, n - 1)
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


def _decode_fetch_response_node_endpoint_v4(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseNodeEndpoint], int]:
    made: list[FetchResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: FetchResponseNodeEndpoint = new(FetchResponseNodeEndpoint)
            m.node_id = 0
            m.host = ""
            m.port = 0
            m.rack = None
            m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_fetch_response_node_endpoint_v12(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseNodeEndpoint], int]:
    made: list[FetchResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: FetchResponseNodeEndpoint = new(FetchResponseNodeEndpoint)
            m.node_id = 0
            m.host = ""
            m.port = 0
            m.rack = None
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


def _decode_fetch_response_node_endpoint_v16(data: bytes, at: int, _end: int, count: int) -> tuple[list[FetchResponseNodeEndpoint], int]:
    made: list[FetchResponseNodeEndpoint] = []
    try:
        for _ in range(count):
            m: FetchResponseNodeEndpoint = new(FetchResponseNodeEndpoint)
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
            m.port, n = _UNPACK_iB(data, at)
            at += 5
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if n:
                stop = at + n - 1
                m.rack = data[at:stop].decode()
                at = stop
            else:
                m.rack = None
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


def decode_fetch_response_v4(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.error_code = 0
        m.session_id = 0
        m.node_endpoints = []
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
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v4(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v5(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.error_code = 0
        m.session_id = 0
        m.node_endpoints = []
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
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v5(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v7(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v5(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v11(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id = _UNPACK_ihi(data, at)
        at += 10
        (n,) = _UNPACK_i(data, at)
        at += 4
        n += 1
        if n < 0:
            raise FieldError(f"length {n - 1} is negative")
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 6 > end - at:
            check_count(n - 1, 6, data, at)
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v11(data, at, end, n - 1)
        m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_fetch_response_v12(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id, n = _UNPACK_ihiB(data, at)
        at += 11
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 3 > end - at:
            check_count(n - 1, 3, data, at)
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v12(data, at, end, n - 1)
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


def decode_fetch_response_v13(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id, n = _UNPACK_ihiB(data, at)
        at += 11
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v13(data, at, end, n - 1)
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


def decode_fetch_response_v16(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id, n = _UNPACK_ihiB(data, at)
        at += 11
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v13(data, at, end, n - 1)
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
                    if (n - 1) * 11 > end - at:
                        check_count(n - 1, 11, data, at)
                    m.node_endpoints, at = _decode_fetch_response_node_endpoint_v16(data, at, end, n - 1)
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


def decode_fetch_response_v17(data: bytes, at: int = 0) -> FetchResponse:
    m: FetchResponse = new(FetchResponse)
    end = len(data)
    try:
        m.node_endpoints = []
        m.throttle_time_ms, m.error_code, m.session_id, n = _UNPACK_ihiB(data, at)
        at += 11
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 18 > end - at:
            check_count(n - 1, 18, data, at)
        m.responses, at = _decode_fetch_response_fetchable_topic_response_v17(data, at, end, n - 1)
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
                    if (n - 1) * 11 > end - at:
                        check_count(n - 1, 11, data, at)
                    m.node_endpoints, at = _decode_fetch_response_node_endpoint_v16(data, at, end, n - 1)
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


def _encode_fetch_response_epoch_end_offset_v4(items: Sequence[FetchResponseEpochEndOffset], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.epoch != -1:
                raise absent(m, "epoch")
            if m.end_offset != -1:
                raise absent(m, "end_offset")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_epoch_end_offset_v12(items: Sequence[FetchResponseEpochEndOffset], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_iq(m.epoch, m.end_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_leader_id_and_epoch_v4(items: Sequence[FetchResponseLeaderIdAndEpoch], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.leader_id != -1:
                raise absent(m, "leader_id")
            if m.leader_epoch != -1:
                raise absent(m, "leader_epoch")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_leader_id_and_epoch_v12(items: Sequence[FetchResponseLeaderIdAndEpoch], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_ii(m.leader_id, m.leader_epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_snapshot_id_v4(items: Sequence[FetchResponseSnapshotId], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_qi(m.end_offset, m.epoch),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_snapshot_id_v12(items: Sequence[FetchResponseSnapshotId], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_qi(m.end_offset, m.epoch), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_aborted_transaction_v4(items: Sequence[FetchResponseAbortedTransaction], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_qq(m.producer_id, m.first_offset),)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_aborted_transaction_v12(items: Sequence[FetchResponseAbortedTransaction], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_qq(m.producer_id, m.first_offset), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v4(items: Sequence[FetchResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
                raise absent(m, "diverging_epoch")
            if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
                raise absent(m, "current_leader")
            if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
                raise absent(m, "snapshot_id")
            if m.preferred_read_replica != -1:
                raise absent(m, "preferred_read_replica")
            aborted_transactions_items = m.aborted_transactions
            out += (_PACK_ihqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset),)
            if aborted_transactions_items is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(plain_prefix(len(aborted_transactions_items)))
                _encode_fetch_response_aborted_transaction_v4(aborted_transactions_items, out)
            if m.records is None:
                records_size, records_bytes = b"\xff\xff\xff\xff", b""
            else:
                records_bytes = m.records
                records_size = plain_prefix(len(records_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (records_size, records_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v5(items: Sequence[FetchResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
                raise absent(m, "diverging_epoch")
            if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
                raise absent(m, "current_leader")
            if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
                raise absent(m, "snapshot_id")
            if m.preferred_read_replica != -1:
                raise absent(m, "preferred_read_replica")
            aborted_transactions_items = m.aborted_transactions
            out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
            if aborted_transactions_items is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(plain_prefix(len(aborted_transactions_items)))
                _encode_fetch_response_aborted_transaction_v4(aborted_transactions_items, out)
            if m.records is None:
                records_size, records_bytes = b"\xff\xff\xff\xff", b""
            else:
                records_bytes = m.records
                records_size = plain_prefix(len(records_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (records_size, records_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v11(items: Sequence[FetchResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
                raise absent(m, "diverging_epoch")
            if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
                raise absent(m, "current_leader")
            if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
                raise absent(m, "snapshot_id")
            aborted_transactions_items = m.aborted_transactions
            out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
            if aborted_transactions_items is None:
                out.append(b"\xff\xff\xff\xff")
            else:
                out.append(plain_prefix(len(aborted_transactions_items)))
                _encode_fetch_response_aborted_transaction_v4(aborted_transactions_items, out)
            if m.records is None:
                records_size, records_bytes = b"\xff\xff\xff\xff", b""
            else:
                records_bytes = m.records
                records_size = plain_prefix(len(records_bytes))
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
            out += (_PACK_i(m.preferred_read_replica), records_size, records_bytes)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v12(items: Sequence[FetchResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            aborted_transactions_items = m.aborted_transactions
            out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
            if aborted_transactions_items is None:
                out.append(NO_TAGS)
            else:
                out.append(length_prefix(len(aborted_transactions_items)))
                _encode_fetch_response_aborted_transaction_v12(aborted_transactions_items, out)
            if m.records is None:
                records_size, records_bytes = NO_TAGS, b""
            else:
                records_bytes = m.records
                records_size = UVARINT[n + 1] if (n := len(records_bytes)) < SHORT - 1 else length_prefix(n)
            tags: list[tuple[int, bytes]] = []
            if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
                diverging_epoch_parts: list[bytes] = []
                _encode_fetch_response_epoch_end_offset_v12((m.diverging_epoch,), diverging_epoch_parts)
                tags.append((0, b"".join(diverging_epoch_parts)))
            if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
                current_leader_parts: list[bytes] = []
                _encode_fetch_response_leader_id_and_epoch_v12((m.current_leader,), current_leader_parts)
                tags.append((1, b"".join(current_leader_parts)))
            if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
                snapshot_id_parts: list[bytes] = []
                _encode_fetch_response_snapshot_id_v12((m.snapshot_id,), snapshot_id_parts)
                tags.append((2, b"".join(snapshot_id_parts)))
            out += (_PACK_i(m.preferred_read_replica), records_size, records_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_partition_data_v17(items: Sequence[FetchResponsePartitionData], out: list[bytes]) -> None:
    try:
        for m in items:
            aborted_transactions_items = m.aborted_transactions
            out += (_PACK_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset),)
            if aborted_transactions_items is None:
                out.append(NO_TAGS)
            else:
                out.append(length_prefix(len(aborted_transactions_items)))
                _encode_fetch_response_aborted_transaction_v12(aborted_transactions_items, out)
            if m.records is None:
                records_size, records_bytes = NO_TAGS, b""
            else:
                records_bytes = m.records
                records_size = UVARINT[n + 1] if (n := len(records_bytes)) < SHORT - 1 else length_prefix(n)
            tags: list[tuple[int, bytes]] = []
            if m.diverging_epoch.epoch != -1 or m.diverging_epoch.end_offset != -1 or m.diverging_epoch.unknown_tags:
                diverging_epoch_parts: list[bytes] = []
                _encode_fetch_response_epoch_end_offset_v12((m.diverging_epoch,), diverging_epoch_parts)
                tags.append((0, b"".join(diverging_epoch_parts)))
            if m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.unknown_tags:
                current_leader_parts: list[bytes] = []
                _encode_fetch_response_leader_id_and_epoch_v12((m.current_leader,), current_leader_parts)
                tags.append((1, b"".join(current_leader_parts)))
            if m.snapshot_id.end_offset != -1 or m.snapshot_id.epoch != -1 or m.snapshot_id.unknown_tags:
                snapshot_id_parts: list[bytes] = []
                _encode_fetch_response_snapshot_id_v12((m.snapshot_id,), snapshot_id_parts)
                tags.append((2, b"".join(snapshot_id_parts)))
            if m.registered_directory_id != ZERO_UUID:
                if len(m.registered_directory_id) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1000, _PACK_u(m.registered_directory_id)))
            if m.agreed_end_offset != -1:
                tags.append((1001, _PACK_q(m.agreed_end_offset)))
            if m.agreed_digest != ZERO_UUID:
                if len(m.agreed_digest) != 16:
                    raise ValueError("a uuid has 16 bytes")
                tags.append((1002, _PACK_u(m.agreed_digest)))
            out += (_PACK_i(m.preferred_read_replica), records_size, records_bytes, tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v4(items: Sequence[FetchResponseFetchableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
            _encode_fetch_response_partition_data_v4(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v5(items: Sequence[FetchResponseFetchableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
            _encode_fetch_response_partition_data_v5(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v11(items: Sequence[FetchResponseFetchableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (plain_string_prefix(len(topic_bytes)), topic_bytes, plain_prefix(len(partitions_items)))
            _encode_fetch_response_partition_data_v11(partitions_items, out)
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v12(items: Sequence[FetchResponseFetchableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            topic_bytes = m.topic.encode()
            partitions_items = m.partitions
            out += (UVARINT[n + 1] if (n := len(topic_bytes)) < SHORT - 1 else string_prefix(n), topic_bytes, length_prefix(len(partitions_items)))
            _encode_fetch_response_partition_data_v12(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v13(items: Sequence[FetchResponseFetchableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_fetch_response_partition_data_v12(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_fetchable_topic_response_v17(items: Sequence[FetchResponseFetchableTopicResponse], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.topic_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            partitions_items = m.partitions
            out += (_PACK_u(m.topic_id), length_prefix(len(partitions_items)))
            _encode_fetch_response_partition_data_v17(partitions_items, out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_node_endpoint_v4(items: Sequence[FetchResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.node_id != 0:
                raise absent(m, "node_id")
            if m.host != "":
                raise absent(m, "host")
            if m.port != 0:
                raise absent(m, "port")
            if m.rack is not None:
                raise absent(m, "rack")
            if m.unknown_tags:
                raise absent(m, "unknown_tags")
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_node_endpoint_v12(items: Sequence[FetchResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.node_id != 0:
                raise absent(m, "node_id")
            if m.host != "":
                raise absent(m, "host")
            if m.port != 0:
                raise absent(m, "port")
            if m.rack is not None:
                raise absent(m, "rack")
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_fetch_response_node_endpoint_v16(items: Sequence[FetchResponseNodeEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            host_bytes = m.host.encode()
            if m.rack is None:
                rack_size, rack_bytes = NO_TAGS, b""
            else:
                rack_bytes = m.rack.encode()
                rack_size = UVARINT[n + 1] if (n := len(rack_bytes)) < SHORT - 1 else string_prefix(n)
            out += (_PACK_i(m.node_id), UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_i(m.port), rack_size, rack_bytes, tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v4(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.session_id != 0:
            raise absent(m, "session_id")
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v4(responses_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v5(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.session_id != 0:
            raise absent(m, "session_id")
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_i(m.throttle_time_ms), plain_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v5(responses_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v7(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), plain_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v5(responses_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v11(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), plain_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v11(responses_items, out)
        if m.unknown_tags:
            raise absent(m, "unknown_tags")
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v12(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v12(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v13(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        if m.node_endpoints:
            raise absent(m, "node_endpoints")
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v13(responses_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v16(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v13(responses_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            _encode_fetch_response_node_endpoint_v16(node_endpoints_items, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_fetch_response_v17(m: FetchResponse, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        responses_items = m.responses
        out += (_PACK_ihi(m.throttle_time_ms, m.error_code, m.session_id), length_prefix(len(responses_items)))
        _encode_fetch_response_fetchable_topic_response_v17(responses_items, out)
        tags: list[tuple[int, bytes]] = []
        if m.node_endpoints:
            node_endpoints_parts: list[bytes] = []
            node_endpoints_items = m.node_endpoints
            node_endpoints_parts.append(length_prefix(len(node_endpoints_items)))
            _encode_fetch_response_node_endpoint_v16(node_endpoints_items, node_endpoints_parts)
            tags.append((0, b"".join(node_endpoints_parts)))
        out += (tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (FetchResponse, 4): (decode_fetch_response_v4, encode_fetch_response_v4),
    (FetchResponse, 5): (decode_fetch_response_v5, encode_fetch_response_v5),
    (FetchResponse, 6): (decode_fetch_response_v5, encode_fetch_response_v5),
    (FetchResponse, 7): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 8): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 9): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 10): (decode_fetch_response_v7, encode_fetch_response_v7),
    (FetchResponse, 11): (decode_fetch_response_v11, encode_fetch_response_v11),
    (FetchResponse, 12): (decode_fetch_response_v12, encode_fetch_response_v12),
    (FetchResponse, 13): (decode_fetch_response_v13, encode_fetch_response_v13),
    (FetchResponse, 14): (decode_fetch_response_v13, encode_fetch_response_v13),
    (FetchResponse, 15): (decode_fetch_response_v13, encode_fetch_response_v13),
    (FetchResponse, 16): (decode_fetch_response_v16, encode_fetch_response_v16),
    (FetchResponse, 17): (decode_fetch_response_v17, encode_fetch_response_v17),
    (FetchResponse, 18): (decode_fetch_response_v17, encode_fetch_response_v17),
}
"""The decoder and the encoder of every message and version."""
