"""Batches: the worked examples, and every way in which a batch can be crooked."""

from __future__ import annotations

import pytest
from crc32c import crc32c

from kraftpy.model.errors import CorruptError, LocalError, MalformedError, TooLargeError
from kraftpy.records import batch as b
from kraftpy.records.control import LeaderChangeMessage, LeaderChangeMessageVoter, SnapshotFooterRecord
from kraftpy.records.varint import DELTAS, DELTAS_READY, delta_pattern, read_varint, varint

TIME_MS = 1_729_857_600_000

LEADER_CHANGE = bytes.fromhex(
    "00 00 00 00 00 00 00 00 00 00 00 5e 00 00 00 01 02 c5 92 b1 c9 00 20 00 00 00 00 00 00 01 92 c3"
    "8c 3a 00 00 00 01 92 c3 8c 3a 00 ff ff ff ff ff ff ff ff ff ff ff ff ff ff 00 00 00 01 58 00 00"
    "00 08 00 00 00 02 44 00 00 00 00 00 01 04 00 00 00 01 00 00 00 00 02 00 00 00 00 03 00 03 00 00"
    "00 01 00 00 00 00 02 00 00 00"
)
DATA = bytes.fromhex(
    "0000000000000001000000790000000102b44092df000000000002000001"
    "92c38c3a0000000192c38c3a00ffffffffffffffffffffffffffff000000033a0000"
    "00012e010c00116d657461646174612e76657273696f6e00150000140000020108"
    "01140000003c00000401300102000466 6f6f00112233445566778899aabbccddeeff0000".replace(" ", "")
)


def _leader_change() -> LeaderChangeMessage:
    voters = [LeaderChangeMessageVoter(number) for number in (1, 2, 3)]
    return LeaderChangeMessage(0, 1, voters, voters[:2])


def _small(count: int = 3) -> bytes:
    return b.encode_batch([b"v%d" % i for i in range(count)], base_offset=10, epoch=4, timestamp_ms=TIME_MS)


def _with(batch: bytes, at: int, new: bytes, *, fix_crc: bool = True) -> bytes:
    changed = batch[:at] + new + batch[at + len(new) :]
    if fix_crc:
        changed = changed[:17] + crc32c(changed[21:]).to_bytes(4, "big") + changed[21:]
    return changed


def _of_body(body: bytes, count: int, attributes: int = 0) -> bytes:
    head = _small(1)[:61]
    whole = head + body
    whole = _with(whole, 8, (len(whole) - 12).to_bytes(4, "big"))
    whole = _with(whole, 21, attributes.to_bytes(2, "big"))
    whole = _with(whole, 23, (count - 1).to_bytes(4, "big"))
    return _with(whole, 57, count.to_bytes(4, "big"))


def test_leader_change_batch_is_the_worked_example() -> None:
    """The first batch of a log is not the 106 bytes of the worked example."""
    made = b.encode_control_batch([_leader_change()], base_offset=0, epoch=1, timestamp_ms=TIME_MS)
    assert made == LEADER_CHANGE
    assert b.parse_batch(made).control_records() == [_leader_change()]


def test_data_batch_is_the_worked_example() -> None:
    """A data batch is not the 133 bytes of the worked example."""
    values = b.parse_batch(DATA).values()
    assert [len(value) for value in values] == [23, 4, 24]
    assert b.encode_batch(values, base_offset=1, epoch=1, timestamp_ms=TIME_MS) == DATA


def test_header_states_where_the_batch_is() -> None:
    """A header's offsets, size or kind is wrong."""
    header = b.read_header(b"xx" + DATA, 2)
    assert (header.base_offset, header.last_offset, header.next_offset) == (1, 3, 4)
    assert (header.size, header.epoch, header.magic, header.record_count) == (133, 1, 2, 3)
    assert (header.is_control, b.read_header(LEADER_CHANGE).is_control) == (False, True)
    assert b.read_header(memoryview(DATA)) == b.read_header(DATA)


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 8191, 8192, 8193, 9000])
def test_any_number_of_records_comes_back(count: int) -> None:
    """Values came back different from a batch of this many records."""
    values = [bytes([number % 7 + 1]) * (1 + number % 130) for number in range(count)]
    made = b.encode_batch(values, base_offset=5, epoch=2, timestamp_ms=0)
    parsed = b.parse_batch(made)
    assert parsed.values() == values
    assert parsed.next_offset == 5 + count
    assert len(made) <= b.batch_size_bound(values)


@pytest.mark.parametrize("size", [1, 56, 57, 58, 63, 64, 119, 120, 127, 128, 8191, 8192, 2**20, 2**21])
def test_any_size_of_value_comes_back(size: int) -> None:
    """A value of this size came back different."""
    values = [bytes([size % 251]) * size, b"x", bytes([1]) * size]
    made = b.encode_batch(values, base_offset=0, epoch=0, timestamp_ms=0)
    assert b.parse_batch(made).values() == values
    assert len(made) <= b.batch_size_bound(values)


def test_the_limit_is_exact() -> None:
    """A batch of exactly 8 MiB was refused, or a larger one was written."""
    overhead = len(b.encode_batch([bytes(2**22)], base_offset=0, epoch=0, timestamp_ms=0)) - 2**22
    values = [bytes([1]) * (b.BATCH_BYTES_MAX - overhead)]
    assert len(b.encode_batch(values, base_offset=0, epoch=0, timestamp_ms=0)) == b.BATCH_BYTES_MAX
    for over in ([values[0] + b"x"], [bytes(b.BATCH_BYTES_MAX + 1)]):
        with pytest.raises(TooLargeError, match="over the limit of 8388608"):
            b.encode_batch(over, base_offset=0, epoch=0, timestamp_ms=0)


@pytest.mark.parametrize("values", [[], [b""], [b"a", b""]])
def test_nothing_to_write_is_refused(values: list[bytes]) -> None:
    """A batch without records, or with an empty one, was written."""
    with pytest.raises(LocalError):
        b.encode_batch(values, base_offset=0, epoch=0, timestamp_ms=0)


def test_restamp_changes_offset_and_epoch_only() -> None:
    """A restamped batch is not what would have been encoded there."""
    values = [b"a", b"b"]
    first = b.encode_batch(values, base_offset=0, epoch=1, timestamp_ms=9)
    assert b.restamp(first, 77, 5) == b.encode_batch(values, base_offset=77, epoch=5, timestamp_ms=9)


def test_every_flipped_bit_behind_the_checksum_is_seen() -> None:
    """A flipped bit in what the checksum covers went unseen."""
    for place in range(21, len(DATA)):
        for bit in (1, 0x80):
            flipped = DATA[:place] + bytes([DATA[place] ^ bit]) + DATA[place + 1 :]
            with pytest.raises(CorruptError, match="checksum"):
                b.split_batches(flipped)


def test_every_cut_is_seen() -> None:
    """A batch that lost its end was taken for a whole one."""
    two = LEADER_CHANGE + DATA
    for end in set(range(1, len(two))) - {len(LEADER_CHANGE)}:
        with pytest.raises(MalformedError, match="cut off"):
            b.split_batches(two[:end])
    assert [each.data for each in b.split_batches(two)] == [LEADER_CHANGE, DATA]
    assert b.split_batches(b"") == []


def test_a_batch_that_is_alone_is_not_copied() -> None:
    """A batch may have megabytes; where the bytes hold nothing else, it is these bytes."""
    assert b.parse_batch(DATA).data is DATA


@pytest.mark.parametrize(
    ("at", "new", "why"),
    [
        (16, b"\1", "magic 1"),
        (8, b"\0\0\0\x30", "claims 60 bytes"),
        (8, b"\x7f\xff\xff\xff", "claims 2147483659 bytes"),
        (8, b"\xff\xff\xff\xff", "claims 11 bytes"),
        (0, b"\xff", "base offset -"),
        (12, b"\xff", "epoch -"),
        (23, b"\xff", "last offset delta -"),
        (57, b"\xff", "record count -"),
    ],
)
def test_headers_that_make_no_sense_are_malformed(at: int, new: bytes, why: str) -> None:
    """A header that makes no sense was read."""
    with pytest.raises(MalformedError, match=why):
        b.read_header(_with(_small(), at, new))


@pytest.mark.parametrize(
    ("at", "new", "why"),
    [
        (21, b"\0\1", "compressed with gzip"),
        (21, b"\0\4", "compressed with zstd"),
        (21, b"\0\7", "codec 7"),
        (21, b"\0\x10", "attributes 0x0010"),
        (21, b"\0\x08", "attributes"),
        (21, b"\0\x40", "attributes"),
        (57, b"\0\0\0\2", "no gaps"),
        (23, b"\0\0\0\7", "no gaps"),
    ],
)
def test_what_the_metadata_log_does_not_use_is_malformed(at: int, new: bytes, why: str) -> None:
    """A batch of a kind that the metadata log does not have was read."""
    with pytest.raises(MalformedError, match=why):
        b.split_batches(_with(_small(), at, new))


def test_a_huge_record_count_is_refused_before_anything_is_made() -> None:
    """A record count that cannot be was believed."""
    with pytest.raises(MalformedError, match="too few for 16777216 records"):
        b.split_batches(_of_body(b"\x10\0\0\0\1\4ab\0", 2**24))


GOOD = bytes.fromhex("10 00 00 00 01 04 6162 00")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("10 01 00 00 01 04 6162 00", id="attributes"),
        pytest.param("10 00 02 00 01 04 6162 00", id="timestamp delta"),
        pytest.param("10 00 00 02 01 04 6162 00", id="offset delta"),
        pytest.param("10 00 00 00 02 61 02 62 00", id="key"),
        pytest.param("10 00 00 00 01 04 6162 02", id="headers"),
        pytest.param("0c 00 00 00 01 01 00", id="null value"),
        pytest.param("0c 00 00 00 01 00 00", id="empty value"),
        pytest.param("12 00 00 00 01 04 6162 00", id="record too long"),
        pytest.param("0e 00 00 00 01 04 6162 00", id="record too short"),
        pytest.param("11 00 00 00 01 04 6162 00", id="negative length"),
        pytest.param("10 00 00 00 01 05 6162 00", id="negative value length"),
        pytest.param("10 00 00 00 01 7e 6162 00", id="value over the end"),
        pytest.param("10 00 00 00 01 ffffffff0f 00", id="very negative value length"),
        pytest.param("10 00 00 00 01 ffffffffff 01", id="endless varint"),
        pytest.param("10 00 00 00 01 04 6162 00 00", id="left over"),
        pytest.param("ffffffff0f 00 00 00 01 04 6162 00", id="very negative length"),
    ],
)
def test_crooked_records_are_malformed(body: str) -> None:
    """A record that breaks a rule was read."""
    assert b.parse_batch(_of_body(GOOD, 1)).values() == [b"ab"]
    with pytest.raises(MalformedError, match="batch at offset 10"):
        b.parse_batch(_of_body(bytes.fromhex(body), 1)).values()


CONTROL = bytes.fromhex("1a 00 00 00 08 00000004 06 000000 00")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("1a 00 00 00 06 00000004 06 000000 00", id="short key"),
        pytest.param("1a 00 00 02 08 00000004 06 000000 00", id="offset delta"),
        pytest.param("1a 00 02 00 08 00000004 06 000000 00", id="timestamp delta"),
        pytest.param("1a 00 00 00 08 00000004 06 000000 02", id="headers"),
        pytest.param("1a 00 00 00 08 00000004 01 000000 00", id="null value"),
        pytest.param("1a 00 00 00 08 ffff0004 06 000000 00", id="negative key version"),
        pytest.param("1a 00 00 00 7e 00000004 06 000000 00", id="key over the end"),
        pytest.param("1a 00 00 00 08 00000005 06 000000 00", id="body of another type"),
        pytest.param("1a 00 00 00 08 00000004 06 000000 00 00", id="left over"),
    ],
)
def test_crooked_control_records_are_malformed(body: str) -> None:
    """A control record that breaks a rule was read."""
    good = b.parse_batch(_of_body(CONTROL, 1, 0x20))
    assert good.control_records() == [SnapshotFooterRecord(0)]
    with pytest.raises(MalformedError):
        b.parse_batch(_of_body(bytes.fromhex(body), 1, 0x20)).control_records()


def test_data_and_control_are_not_mixed_up() -> None:
    """A control batch gave metadata values, or a data batch control records."""
    with pytest.raises(MalformedError, match="control batch"):
        b.parse_batch(LEADER_CHANGE).values()
    with pytest.raises(MalformedError, match="data batch"):
        b.parse_batch(DATA).control_records()


def test_parse_batch_takes_exactly_one() -> None:
    """Two batches, or none, were taken for one."""
    for data in (b"", DATA + DATA):
        with pytest.raises(MalformedError, match="exactly 1"):
            b.parse_batch(data)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "00"), (-1, "01"), (1, "02"), (4, "08"), (34, "44"), (-64, "7f"), (64, "8001")]
)
def test_varints_are_the_samples(value: int, text: str) -> None:
    """A zig-zag varint is not the sample's."""
    assert varint(value).hex() == text
    assert read_varint(bytes.fromhex(text), 0) == (value, len(text) // 2)
    assert varint(value) in (delta_pattern(value) if value >= 0 else varint(value))


def test_the_patterns_made_ready_are_those_of_their_numbers() -> None:
    """A pattern that is put together from halves is not the one of its number."""
    assert [delta_pattern(index) for index in range(DELTAS_READY)] == DELTAS


@pytest.mark.parametrize("text", ["ffffffffff00", "ffffffff1f", "80", ""])
def test_varints_too_long_or_cut_are_refused(text: str) -> None:
    """A varint of more than 5 bytes or 32 bits, or one that ends early, was read."""
    with pytest.raises((ValueError, IndexError)):
        read_varint(bytes.fromhex(text), 0)
