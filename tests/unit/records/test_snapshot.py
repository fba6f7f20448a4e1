"""Snapshot files and control records."""

from __future__ import annotations

import pytest

from kraftpy.model.errors import CorruptError, LocalError, MalformedError, TooLargeError
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records import batch as b
from kraftpy.records import control as c
from kraftpy.records import file_names
from kraftpy.records import snapshot as s
from kraftpy.records.json_text import control_label, control_to_json, control_type_text

D = bytes.fromhex("10213243546546879 8a9bacbdcedfe0f".replace(" ", ""))
VOTERS = VoterSet.of([Voter(ReplicaKey(1, D), (Endpoint("CONTROLLER", "localhost", 9093),), 0, 1)])
NO_OP = bytes.fromhex("01140000")

ZERO_CHECKPOINT = bytes.fromhex(
    "00 00 00 00 00 00 00 00 00 00 00 9a 00 00 00 00 02 f1 37 c4 93 00 20 00 00 00 02 00 00 00 00 00"
    "00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 03 2a 00 00"
    "00 08 00 00 00 03 16 00 00 00 00 00 00 00 00 00 00 00 00 1e 00 00 02 08 00 00 00 05 0a 00 00 00"
    "01 00 00 82 01 00 00 04 08 00 00 00 06 6e 00 00 02 00 00 00 01 10 21 32 43 54 65 46 87 98 a9 ba"
    "cb dc ed fe 0f 02 0b 43 4f 4e 54 52 4f 4c 4c 45 52 0a 6c 6f 63 61 6c 68 6f 73 74 23 85 00 00 00"
    "00 01 00 00 00 00"
    "00 00 00 00 00 00 00 03 00 00 00 3f 00 00 00 00 02 4c 1a cb e2 00 20 00 00 00 00 00 00 00 00 00"
    "00 00 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 01 1a 00 00"
    "00 08 00 00 00 04 06 00 00 00 00"
)


def _encoder(**changed) -> s.SnapshotEncoder:
    settings = {
        "epoch": 3,
        "timestamp_ms": 9,
        "last_contained_log_timestamp_ms": 8,
        "kraft_version": 1,
        "voters": VOTERS,
    }
    return s.SnapshotEncoder(**{**settings, **changed})


def _file(groups, **changed) -> bytes:
    return b"".join(_encoder(**changed).encode(groups))


def test_zero_checkpoint_is_the_worked_example() -> None:
    """The zero checkpoint of a dynamic quorum is not the 241 bytes of the worked example."""
    made = _file([], epoch=0, timestamp_ms=0, last_contained_log_timestamp_ms=0)
    assert made == ZERO_CHECKPOINT
    read = s.read_snapshot(made)
    assert (read.kraft_version, read.voters, read.batches) == (1, VOTERS, ())


@pytest.mark.parametrize("chunk_bytes", [1, 7, 61, 100, 10**9])
def test_groups_come_back_however_the_file_is_cut(chunk_bytes: int) -> None:
    """Records came back different from a snapshot that was read in pieces."""
    groups = [[b"%d-%d" % (group, i) for i in range(40)] for group in range(30)]
    data = _file(groups, batch_bytes_max=1500)
    chunks = [data[at : at + chunk_bytes] for at in range(0, len(data), chunk_bytes)]
    batches = list(s.decode_snapshot(chunks))
    contents = s.contents_of(batches)
    values = [value for batch in contents.batches for value in batch.values()]
    assert values == [value for group in groups for value in group]
    assert len(contents.batches) > 10
    assert all(batch.size <= 1500 and batch.record_count % 40 == 0 for batch in contents.batches)
    assert {batch.epoch for batch in batches} == {3}
    assert contents.header.last_contained_log_timestamp == 8


def test_a_snapshot_without_voters() -> None:
    """A snapshot of a static quorum holds a version or a voter set."""
    read = s.read_snapshot(_file([[NO_OP]], kraft_version=0, voters=None))
    assert (read.kraft_version, read.voters, read.batches[0].values()) == (0, None, [NO_OP])
    with pytest.raises(LocalError, match=r"kraft.version 0"):
        _encoder(kraft_version=0)


def test_a_batch_is_closed_before_a_group_that_does_not_fit() -> None:
    """A batch of a snapshot grew over its limit, or was closed too early."""
    contents = s.read_snapshot(_file([[bytes([1]) * 700]] * 5, batch_bytes_max=1500))
    assert [batch.record_count for batch in contents.batches] == [2, 2, 1]
    assert all(batch.size <= 1500 for batch in contents.batches)


def test_a_group_that_a_small_batch_has_no_room_for_is_alone() -> None:
    """Batches that are kept small made a group a fault, or grew."""
    groups = [[bytes([1]) * size] for size in (100, 100, 900, 100)]
    contents = s.read_snapshot(_file(groups, batch_bytes=500))
    assert [batch.record_count for batch in contents.batches] == [2, 1, 1]
    with pytest.raises(TooLargeError, match="does not fit a batch of 700"):
        _encoder(batch_bytes=500, batch_bytes_max=700).add(groups[2])


def test_groups_over_a_limit_are_refused() -> None:
    """A group over a limit was taken."""
    with pytest.raises(TooLargeError, match="1025 records"):
        _encoder().add([NO_OP] * 1025)
    with pytest.raises(TooLargeError, match="does not fit"):
        _encoder(batch_bytes_max=500).add([bytes(600)])


def _control(records, offset: int, epoch: int = 3) -> bytes:
    return b.encode_control_batch(records, base_offset=offset, epoch=epoch, timestamp_ms=0)


def _data(offset: int, epoch: int = 3) -> bytes:
    return b.encode_batch([NO_OP], base_offset=offset, epoch=epoch, timestamp_ms=0)


HEADER, FOOTER = c.SnapshotHeaderRecord(0, 1), c.SnapshotFooterRecord(0)


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        ([], "no SnapshotFooterRecord"),
        ([_control([HEADER], 0)], "no SnapshotFooterRecord"),
        ([_control([HEADER], 0), _data(1)], "no SnapshotFooterRecord"),
        ([_data(0), _control([FOOTER], 1)], "does not start with"),
        ([_control([FOOTER], 0)], "does not start with"),
        ([_control([HEADER], 0), _data(2), _control([FOOTER], 3)], "offset 2, expected 1"),
        ([_control([HEADER], 0), _data(1, epoch=4), _control([FOOTER], 2)], "epoch 4, not 3"),
        ([_control([HEADER], 0), _control([FOOTER], 1), _data(2)], "follows the footer"),
        ([_control([HEADER], 0), _control([FOOTER], 1)[:-1]], "ends inside a batch"),
        ([_control([HEADER], 0), b"\0" * 30], "ends inside a batch"),
    ],
)
def test_crooked_snapshots_are_malformed(pieces: list[bytes], why: str) -> None:
    """A snapshot that breaks a rule was read."""
    with pytest.raises(MalformedError, match=why):
        s.read_snapshot(b"".join(pieces))


def test_a_corrupt_snapshot_is_corrupt() -> None:
    """A flipped bit in a snapshot went unseen."""
    corrupt = bytearray(_file([[NO_OP]]))
    corrupt[-1] ^= 1
    with pytest.raises(CorruptError):
        s.read_snapshot(bytes(corrupt))


def test_file_names() -> None:
    """A file name is not Kafka's, or another name was taken for a snapshot's."""
    snapshot_id = OffsetAndEpoch(epoch=3, offset=4711)
    name = "00000000000000004711-0000000003.checkpoint"
    assert file_names.snapshot_file_name(snapshot_id) == name
    assert file_names.parse_snapshot_file_name(name) == snapshot_id
    assert file_names.segment_file_name(42) == "00000000000000000042.log"
    for other in (
        "bootstrap.checkpoint",
        name + ".deleted",
        name + ".part",
        "x" + name,
        name.replace("0", "\u0660"),
        name + "\n",
    ):
        assert file_names.parse_snapshot_file_name(other) is None
    assert file_names.parse_snapshot_file_name("99999999999999999999-0000000003.checkpoint") is None


def test_voter_sets_go_to_records_and_back() -> None:
    """A voter set came back different from its record."""
    mixed = VoterSet.of([*VOTERS, Voter(ReplicaKey(0), (Endpoint("C", "::1", 1),), 0, 0)])
    record = c.voter_set_to_record(mixed)
    assert [voter.voter_id for voter in record.voters] == [0, 1]
    assert c.voter_set_from_record(record) == mixed
    record.voters[0].endpoints[0].name = "c"
    assert c.voter_set_from_record(record) == mixed
    record.voters[0].endpoints[0].name = "\u0390" * 16_000
    with pytest.raises(MalformedError, match="takes more than 32767 bytes in upper case"):
        c.voter_set_from_record(record)
    record.voters[0].endpoints[0].name = "c"
    record.voters.append(record.voters[0])
    with pytest.raises(MalformedError, match="more than once"):
        c.voter_set_from_record(record)


def test_unknown_control_records_are_kept() -> None:
    """A control record of an unknown type was refused or changed."""
    for key in (b"\0\0\0\x09", b"\0\1\0\x02", b"\0\0\0\x02x"):
        record = c.decode_control(key, b"whatever")
        assert record == c.UnknownControlRecord(int.from_bytes(key[2:4], "big"), key, b"whatever")
        assert c.encode_control(record) == (key, b"whatever")
    data = b.encode_control_batch([record, FOOTER], base_offset=0, epoch=0, timestamp_ms=0)
    assert b.parse_batch(data).control_records() == [record, FOOTER]


def test_control_records_in_json() -> None:
    """A control record is not shown as Kafka's tool shows it."""
    assert control_to_json(HEADER) == {"version": 0, "lastContainedLogTimestamp": 1}
    footer = s.SnapshotFooterRecord(0, bytes([1] * 16), bytes([2] * 16))
    assert control_to_json(footer, as_kafka=True) == {"version": 0}
    assert sorted(control_to_json(footer)) == ["fileDigest", "stateDigest", "version"]
    assert (control_label(HEADER), control_type_text(HEADER)) == ("SnapshotHeader", "SNAPSHOT_HEADER(3)")
    unknown = c.UnknownControlRecord(9, b"\0\0\0\x09", b"v")
    assert (control_label(unknown), control_type_text(unknown)) == (None, "UNKNOWN(9)")
    assert control_to_json(unknown) == {"type": 9, "key": "AAAACQ==", "value": "dg=="}
