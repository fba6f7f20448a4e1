"""What several targets share."""

from __future__ import annotations

import struct

from kraftpy.records.batch import BATCH_HEADER_BYTES, batch_crc, encode_batch, encode_control_batch
from kraftpy.records.control import (
    KRaftVersionRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    SnapshotFooterRecord,
    SnapshotHeaderRecord,
    VotersRecord,
    VotersRecordEndpoint,
    VotersRecordKRaftVersionFeature,
    VotersRecordVoter,
)
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, NoOpRecord, TopicRecord, encode_record

UUID = bytes(range(16))
T0 = 1_700_000_000_000

VOTERS = VotersRecord(
    0,
    [
        VotersRecordVoter(
            node_id,
            bytes([node_id]) * 16,
            [VotersRecordEndpoint("CONTROLLER", f"host-{node_id}", 9093)],
            VotersRecordKRaftVersionFeature(0, 1),
        )
        for node_id in (1, 2, 3)
    ],
)
CONTROL_RECORDS = (
    LeaderChangeMessage(0, 1, [LeaderChangeMessageVoter(1)], [LeaderChangeMessageVoter(1)]),
    SnapshotHeaderRecord(0, T0),
    SnapshotFooterRecord(0),
    KRaftVersionRecord(0, 1),
    VOTERS,
)
VALUES = (
    encode_record(FeatureLevelRecord("metadata.version", 30), 0),
    encode_record(NoOpRecord(), 0),
    encode_record(ConfigRecord(4, "1", "log.retention.ms", "5"), 0),
    encode_record(TopicRecord("payments", UUID), 0),
)


def with_checksums(data: bytes) -> bytes:
    """Put right the checksum of every batch that can be found by the sizes, so that what is behind it is reached."""
    fixed = bytearray(data)
    at = 0
    while len(fixed) - at >= BATCH_HEADER_BYTES:
        size = struct.unpack_from(">i", fixed, at + 8)[0] + 12
        if size < BATCH_HEADER_BYTES or at + size > len(fixed):
            break
        struct.pack_into(">I", fixed, at + 17, batch_crc(bytes(fixed[at : at + size])))
        at += size
    return bytes(fixed)


def log_bytes(base_offset: int = 0) -> bytes:
    """A log of five batches, the first of them a control batch."""
    batches = [encode_control_batch([CONTROL_RECORDS[0]], base_offset=base_offset, epoch=1, timestamp_ms=T0)]
    for value in VALUES:
        base_offset += 1
        batches.append(encode_batch([value], base_offset=base_offset, epoch=1, timestamp_ms=T0))
    return b"".join(batches)


def snapshot_bytes() -> bytes:
    """A snapshot with voters and four records."""
    header = [SnapshotHeaderRecord(0, T0), KRaftVersionRecord(0, 1), VOTERS]
    return (
        encode_control_batch(header, base_offset=0, epoch=1, timestamp_ms=T0)
        + encode_batch(VALUES, base_offset=3, epoch=1, timestamp_ms=T0)
        + encode_control_batch([SnapshotFooterRecord(0)], base_offset=7, epoch=1, timestamp_ms=T0)
    )
