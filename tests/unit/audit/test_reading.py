"""Files to batches to records: what is found, what is wrong, and that cutting a file changes nothing."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest

from kraftpy.audit.compaction.entities import entries_of
from kraftpy.audit.reading.arrow import record_batches
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.entries import decode, frame_of
from kraftpy.audit.reading.filesystem import InputError
from kraftpy.audit.reading.first_pass import first_pass
from kraftpy.audit.reading.properties import property_rows
from kraftpy.audit.reading.scan import Problem
from kraftpy.audit.reading.splits import InputSplit, split_groups, splits_of
from kraftpy.audit.reading.summaries import file_summaries
from kraftpy.audit.replay.settings import QuotaSlice
from kraftpy.audit.replay.slice import RecordPosition
from kraftpy.model.features import LATEST_LEVEL
from kraftpy.records.batch import BATCH_HEADER_BYTES, split_batches
from kraftpy.records.json_text import data_to_json, data_to_text
from kraftpy.records.metadata import (
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ConfigRecord,
    NoOpRecord,
    UnknownRecord,
)
from tests.unit.audit import histories
from tests.unit.audit.singly import batches, entries, vectors


def the_file(path: Path):
    (file,) = [each for each in discover([str(path)]) if each.path == str(path)]
    return file


def whole(path: Path) -> InputSplit:
    file = the_file(path)
    return InputSplit(file, 0, file.size)


@pytest.fixture
def read_as(monkeypatch):
    """Return a split of a file that scans then read as other bytes: thousands of corrupt copies need no disk."""

    def split_of(file, data: bytes) -> InputSplit:
        monkeypatch.setattr("kraftpy.audit.reading.scan.open_file", lambda _: io.BytesIO(data))
        return InputSplit(replace(file, size=len(data)), 0, len(data))

    return split_of


def problems(split: InputSplit) -> list[Problem]:
    return [found.problem for found in batches(split) if found.problem is not None]


def test_golden_files_are_read_without_a_problem_and_every_byte_is_accounted_for():
    for file in discover([str(histories.GOLDEN)]):
        if file.has_batches:
            found = batches(InputSplit(file, 0, file.size))
            assert [each.problem for each in found] == [None] * len(found)
            assert sum(each.size for each in found) == file.size


def test_json_of_every_golden_record_is_that_of_the_dump_tool():
    seen = set()
    for file in discover([str(histories.GOLDEN)]):
        if not file.has_batches:
            continue
        for batch in record_batches(InputSplit(file, 0, file.size), 100):
            for row in batch.to_pylist():
                if not row["control"]:
                    record = decode(row["raw"])
                    seen.add(type(record).__name__)
                    assert json.loads(row["fields"]) == data_to_json(record, row["version"])
    assert len(seen) >= 14


def test_an_unknown_record_keeps_its_bytes():
    unknown = decode(b"\x01\xd8\x04\x00abc")
    assert isinstance(unknown, UnknownRecord)
    assert json.loads(data_to_text(unknown, 0)) == {"apiKey": 600, "payload": "YWJj"}
    assert frame_of(b"\x01\xd8\x04\x00abc") == (600, 0)
    assert frame_of(b"\x00\x02\x00") == frame_of(b"\x01\x80") == frame_of(b"") == (-1, -1)


def not_a_constant(word: str) -> None:
    pytest.fail(f"JSON has no {word}")


@pytest.mark.parametrize(("limit", "word"), [(nan, "NaN"), (inf, "Infinity"), (-inf, "-Infinity"), (-0.0, -0.0)])
def test_a_limit_that_is_no_number_is_sound_json_and_equals_itself(limit, word):
    """Kafka takes NaN for the limit of a quota, because it is not below 0."""
    quota = ClientQuotaRecord([ClientQuotaRecordEntityData("user", None)], "request_percentage", limit)
    record = decode(histories.value(quota))
    shown = json.loads(data_to_text(record, 0), parse_constant=not_a_constant)
    assert shown["value"] == word
    assert shown == data_to_json(record, 0)
    states = [QuotaSlice(), QuotaSlice()]
    for state in states:
        assert list(state.replay(decode(histories.value(quota)), RecordPosition("", 0))) == []
    (key, one), (_, other) = (next(state.entities()) for state in states)
    assert one == other
    assert json.loads(states[0].shown(key, one.value, b""), parse_constant=not_a_constant) == word
    (stated,) = entries_of(states[0], LATEST_LEVEL)
    assert stated.value == histories.value(quota)


@pytest.mark.parametrize("split_bytes", [1, 61, 100, 333, 700, 1500, 10_000])
def test_cells_give_what_one_piece_gives(tmp_path, split_bytes):
    path = histories.small_log().write(tmp_path / "__cluster_metadata-0", zeros=5000)
    file = the_file(path)
    at_once = [(each.position, each.size) for each in batches(InputSplit(file, 0, file.size))]
    splits = splits_of(file, split_bytes)
    assert [(each.position, each.size) for split in splits for each in batches(split)] == at_once
    summaries, torn = file_summaries(first_pass(split).summary for split in splits)
    assert (summaries, torn) == (file_summaries([first_pass(InputSplit(file, 0, file.size)).summary])[0], [])
    assert summaries[0].end_offset == histories.small_log().offset


@pytest.mark.parametrize("split_bytes", [61, 200, 700])
def test_cells_of_a_corrupt_file_give_what_one_piece_gives(tmp_path, read_as, split_bytes):
    log = histories.small_log()
    file = the_file(log.write(tmp_path))
    for position in range(0, len(log.data), 17):
        corrupt = bytearray(log.data)
        corrupt[position] ^= 0x10
        split = read_as(file, bytes(corrupt))
        at_once = [(each.position, each.size, each.problem) for each in batches(split)]
        assert [
            (each.position, each.size, each.problem)
            for split in splits_of(file, split_bytes)
            for each in batches(split)
        ] == at_once


def test_bytes_that_look_like_a_batch_inside_a_record_make_cells_disagree_and_are_noticed(tmp_path):
    inner = histories.LogWriter(7).add(histories.value(NoOpRecord())).data
    unknown = b"\x01\xd8\x04\x00" + inner + bytes(50)
    log = histories.LogWriter().add(histories.value(NoOpRecord())).add(unknown).add(histories.value(NoOpRecord()))
    path = log.write(tmp_path / "__cluster_metadata-0")
    file = the_file(path)
    grid = log.data.index(inner)
    splits = [InputSplit(file, 0, grid), InputSplit(file, grid, file.size)]
    assert file_summaries(first_pass(split).summary for split in splits)[1] == [str(path)]


def test_every_single_bit_flip_of_a_log_is_seen(tmp_path, read_as):
    """A flip is a problem or a break of the order; only an epoch, which no checksum covers, may look right.

    Then the state is the same, and the batch's hash differs from that of the other nodes.
    """
    log = histories.LogWriter().lead().add(*histories.topic_values(1, 1)).lead(2, 2).add(histories.value(NoOpRecord()))
    file = the_file(log.write(tmp_path))
    hashes = [row[-3] for row in first_pass(read_as(file, log.data)).batches]
    epochs, at = set(), 0
    for batch in split_batches(log.data):
        epochs |= set(range(at + 12, at + 16))
        at += batch.size
    for position in range(len(log.data)):
        for bit in range(8):
            corrupt = bytearray(log.data)
            corrupt[position] ^= 1 << bit
            result = first_pass(read_as(file, bytes(corrupt)))
            assert [row[-3] for row in result.batches] != hashes
            (summary,) = file_summaries([result.summary])[0]
            assert summary.problems or position in epochs, (position, bit)


CHECKSUM_POLYNOMIAL = 0x11EDC6F41
"""Of CRC-32C, the highest power first."""


@pytest.mark.parametrize("by_vectors", [True, False])
def test_batches_of_one_checksum_are_distinguished(tmp_path, read_as, by_vectors):
    """Bytes that differ by the checksum's polynomial have the same checksum; a batch's hash has another one, too."""
    log = histories.LogWriter().add(*[histories.value(ConfigRecord(2, "a", "b", "c" * 40))] * 20)
    file = the_file(log.write(tmp_path))
    highest_first = f"{CHECKSUM_POLYNOMIAL:b}"
    difference = int(highest_first[::-1], 2).to_bytes(5, "little")
    other, at = bytearray(log.data), log.data.rindex(b"c" * 40) + 9
    other[at : at + 5] = bytes(one ^ another for one, another in zip(other[at : at + 5], difference, strict=True))
    with vectors(used=by_vectors):
        ours, theirs = (first_pass(read_as(file, bytes(data))).batches for data in (log.data, other))
    assert split_batches(log.data)[0].crc == split_batches(bytes(other))[0].crc
    assert [row[:-3] for row in ours] == [row[:-3] for row in theirs]
    assert [row[-2] for row in (*ours, *theirs)] == [None, None]
    assert ours[0][-3] != theirs[0][-3]
    assert ours[0][-3][8:] == theirs[0][-3][8:] == f"{split_batches(log.data)[0].crc:08x}"


def test_every_truncation_of_a_log_inside_a_batch_is_named(tmp_path, read_as):
    log = histories.small_log(topics=1)
    file = the_file(log.write(tmp_path))
    ends, at = {0}, 0
    for batch in split_batches(log.data):
        at += batch.size
        ends.add(at)
    for length in range(len(log.data)):
        result = problems(read_as(file, log.data[:length]))
        is_start_of_zeros = not any(log.data[max(end for end in ends if end <= length) : length])
        assert result == ([] if is_start_of_zeros else [Problem.CUT_OFF]), length


def test_every_truncation_and_bit_flip_of_a_snapshot_is_named(tmp_path, read_as):
    path = histories.write_snapshot(tmp_path, histories.topic_values(1, 1), 10, 3, batch_bytes_max=1000)
    data, file = path.read_bytes(), the_file(path)
    assert problems(whole(path)) == []
    for length in range(len(data)):
        assert problems(read_as(file, data[:length])), length
    for position in range(len(data)):
        for bit in range(8):
            corrupt = bytearray(data)
            corrupt[position] ^= 1 << bit
            result = first_pass(read_as(file, bytes(corrupt)))
            (summary,) = file_summaries([result.summary])[0]
            is_epoch = {row[8] for row in result.batches} != {3}
            assert summary.problems or is_epoch, (position, bit)


def test_a_wrong_length_swallows_no_batch_behind_it(tmp_path):
    log = histories.small_log()
    whole_batches = split_batches(log.data)
    at = sum(batch.size for batch in whole_batches[:4])
    corrupt = bytearray(log.data)
    corrupt[at + 8 : at + 12] = (whole_batches[4].size - 12 + 30).to_bytes(4, "big")
    path = log.write(tmp_path)
    path.write_bytes(corrupt)
    found = batches(whole(path))
    good = [each.batch.base_offset for each in found if each.problem is None]
    assert good == [batch.base_offset for batch in whole_batches if batch is not whole_batches[4]]
    assert [(each.problem, each.position, each.size) for each in found if each.problem] == [
        (Problem.BAD_CHECKSUM, at, whole_batches[4].size)
    ]


def test_zeros_ahead_are_no_corruption_but_zeros_between_batches_are(tmp_path):
    first = histories.LogWriter().add(histories.value(NoOpRecord()))
    second = histories.LogWriter(1).add(histories.value(NoOpRecord()))
    path = first.write(tmp_path / "__cluster_metadata-0", zeros=20_000_000)
    assert problems(whole(path)) == []
    path.write_bytes(first.data + bytes(1000) + second.data + bytes(100))
    found = batches(whole(path))
    assert [(each.problem, each.size) for each in found] == [
        (None, len(first.data)), (Problem.BAD_HEADER, 1000), (None, len(second.data)),
    ]  # fmt: skip


def test_a_torn_tail_before_zeros_does_not_count_the_zeros(tmp_path):
    log = histories.LogWriter().add(histories.value(NoOpRecord()))
    path = tmp_path / "__cluster_metadata-0" / "00000000000000000000.log"
    path.parent.mkdir()
    for torn, expected in ((log.data[:16], (Problem.BAD_HEADER, 16)), (log.data[:40], (Problem.BAD_CHECKSUM, 72))):
        path.write_bytes(log.data + torn + bytes(3000))
        found = batches(whole(path))[-1]
        assert (found.position, found.problem, found.size) == (len(log.data), *expected)


def test_a_file_that_grows_shrinks_or_vanishes_while_it_is_read(tmp_path):
    log = histories.small_log()
    path = log.write(tmp_path / "__cluster_metadata-0")
    split = whole(path)
    path.write_bytes(log.data + histories.LogWriter(log.offset).add(histories.value(NoOpRecord())).data)
    assert sum(found.size for found in batches(split)) == len(log.data)
    path.write_bytes(log.data[:-10])
    assert problems(split) == [Problem.CUT_OFF, Problem.SHRUNK]
    path.unlink()
    (gone,) = batches(split)
    assert (gone.problem, gone.size) == (Problem.UNREADABLE, len(log.data))


def test_a_batch_that_was_being_written_when_the_file_was_listed_is_read_whole(tmp_path):
    log = histories.small_log()
    path = tmp_path / "__cluster_metadata-0" / "00000000000000000000.log"
    path.parent.mkdir()
    path.write_bytes(log.data[:-20])
    split = whole(path)
    path.write_bytes(log.data)
    assert problems(split) == []
    assert first_pass(split).summary.end_offset == log.offset


def test_empty_files(tmp_path):
    directory = tmp_path / "__cluster_metadata-0"
    directory.mkdir()
    empty = directory / "00000000000000000000.log"
    empty.touch()
    assert batches(whole(empty)) == []
    snapshot = directory / "00000000000000000009-0000000001.checkpoint"
    snapshot.touch()
    assert problems(whole(snapshot)) == [Problem.NO_HEADER]


def test_a_file_of_more_than_2_gib_is_read_by_cells(tmp_path):
    log = histories.small_log()
    path = log.write(tmp_path / "__cluster_metadata-0")
    with path.open("r+b") as file:
        file.seek(2**31 + 5)
        file.write(log.data)
    splits = splits_of(the_file(path))
    assert len(splits) == 33
    found = batches(splits[-1])
    assert (found[0].position, sum(each.size for each in found)) == (2**31 + 5, len(log.data))
    assert batches(splits[7]) == []


def test_clusters_and_nodes_come_from_the_path_or_from_properties(tmp_path):
    log = histories.small_log()
    log.write(tmp_path / "cluster=a" / "node=1" / "__cluster_metadata-0")
    other = tmp_path / "b" / "data"
    log.write(other / "__cluster_metadata-0")
    (other / "meta.properties").write_text("version=1\nnode.id=7\ncluster.id=xyz\n")
    log.write(other / "orders-0")
    found = {(file.cluster, file.node, file.kind) for file in discover([str(tmp_path)])}
    assert found == {("a", "1", "log"), ("xyz", "7", "log"), ("xyz", "7", "properties")}
    assert [row[4:] for row in property_rows(discover([str(other)]))] == [
        ("cluster.id", "xyz", None), ("node.id", "7", None), ("version", "1", None),
    ]  # fmt: skip


def test_two_directories_of_one_node_are_kept_apart(tmp_path):
    log = histories.small_log()
    for copy in ("now", "yesterday"):
        log.write(tmp_path / copy / "__cluster_metadata-0")
        (tmp_path / copy / "meta.properties").write_text("version=1\nnode.id=7\ncluster.id=xyz\n")
    nodes = {file.node for file in discover([str(tmp_path)]) if file.kind == "log"}
    assert nodes == {"7@now", "7@yesterday"}


def test_what_a_node_quarantined_is_left_alone_unless_it_is_named(tmp_path):
    """A quarantined log is no longer a log of the node, but can be named explicitly."""
    directory = tmp_path / "__cluster_metadata-0"
    quarantined_log = directory / "kraftpy.quarantine" / "2026-01-01T00-00-00Z"
    quarantined_log.mkdir(parents=True)
    (quarantined_log / "00000000000000000000-0000000000.checkpoint").write_bytes(b"")
    for place in (directory, quarantined_log):
        (place / "00000000000000000000.log").write_bytes(b"")
    assert [file.path for file in discover([str(tmp_path)])] == [str(directory / "00000000000000000000.log")]
    assert len(discover([str(quarantined_log)])) == 2


def test_globs_and_addresses_find_the_same_files(tmp_path):
    for node in (1, 2):
        histories.small_log().write(tmp_path / f"node={node}" / "__cluster_metadata-0")
    plain = [file.node for file in discover([str(tmp_path)])]
    assert plain == ["1", "2"]
    assert [file.node for file in discover([f"{tmp_path}/node=*"])] == plain
    remote = discover([f"file://{tmp_path}"])
    assert [(file.node, file.size) for file in remote] == [(f.node, f.size) for f in discover([str(tmp_path)])]
    assert [file.path for file in discover([f"file://{tmp_path}/*/__cluster_metadata-0"])] == [f.path for f in remote]
    for near, far in zip(discover([str(tmp_path)]), remote, strict=True):
        assert entries(InputSplit(far, 0, far.size))[5][1:] == entries(InputSplit(near, 0, near.size))[5][1:]


def test_paths_without_a_metadata_log_are_named_errors(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    for path, text in (
        (tmp_path / "absent", "is not there"),
        (tmp_path / "empty", "is an empty directory"),
        (tmp_path, "holds no segment and no checkpoint"),
        (tmp_path / "notes.txt", "holds no segment and no checkpoint"),
        (f"file://{tmp_path}/absent", "is not there"),
        ("nowhere://a/b", "no address"),
        (f"{tmp_path}/*.log", "matches no file"),
    ):
        with pytest.raises(InputError, match=text):
            discover([str(path)])


def test_small_files_are_bundled_and_large_ones_cut(tmp_path):
    for node in range(10):
        histories.small_log().write(tmp_path / f"node={node}" / "__cluster_metadata-0")
    files = discover([str(tmp_path)])
    assert [len(group) for group in split_groups(files)] == [10]
    assert len(split_groups(files, at_least=4)) >= 4
    assert len(split_groups(files, split_bytes=500, group_bytes=500)) > 20


def test_a_record_that_cannot_be_framed_is_an_entry_with_no_key(tmp_path):
    log = histories.LogWriter().add(b"\x00\x02\x00", histories.value(ConfigRecord(2, "a", "b", "c")))
    path = log.write(tmp_path / "__cluster_metadata-0")
    assert [(entry.api_key, entry.version) for entry in entries(whole(path))] == [(-1, -1), (4, 0)]
    assert len(log.data) > BATCH_HEADER_BYTES
