"""Compaction: the image of the snapshot is that of the log, in the service's own loader; and what is refused."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from dataclasses import replace
from pathlib import Path
from struct import Struct

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from immutables import Map

from kraftpy.audit.compaction import writing
from kraftpy.audit.compaction.run import compact
from kraftpy.audit.compaction.target import CompactionError
from kraftpy.audit.reading.filesystem import InputError
from kraftpy.cli.root import cli
from kraftpy.image import MetadataLoader, snapshot_groups
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import split_batches
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    NoOpRecord,
    TopicRecord,
    encode_for_level,
)
from kraftpy.records.snapshot import read_snapshot
from tests.unit.audit import histories
from tests.unit.image.histories import HISTORIES

LOG = "00000000000000000000.log"


def image_of_log(data: bytes, until: int | None = None):
    loader = MetadataLoader()
    loader.load_batches([batch for batch in split_batches(data) if until is None or batch.next_offset <= until])
    return loader.image


def image_of_snapshot(path: Path):
    contents = read_snapshot(path.read_bytes())
    loader = MetadataLoader()
    snapshot_id = parse_snapshot_file_name(path.name)
    loader.load_snapshot(snapshot_id, contents.batches, contents.header.last_contained_log_timestamp)
    return loader.image


def with_sorted_directories(image):
    """Kafka sorts a broker's log directories when it takes them in, and so does the auditor; the service does not."""
    brokers = {
        broker_id: replace(broker, log_dirs=tuple(sorted(broker.log_dirs, key=Struct(">qq").unpack)))
        for broker_id, broker in image.cluster.brokers.items()
    }
    return replace(image, cluster=replace(image.cluster, brokers=Map(brokers)))


def log_of(records, sizes) -> histories.LogWriter:
    """A log of legal records in batches of these sizes, each encoded at the level in force."""
    log, level, turn = histories.LogWriter().lead(), 0, 0
    values = []
    for record in records:
        if isinstance(record, FeatureLevelRecord) and record.name == "metadata.version":
            level = record.feature_level
        values.append(encode_for_level(record, level))
    at = min(2, len(values))
    log.add(*values[:at])
    while at < len(values):
        size = sizes[turn % len(sizes)]
        log.add(*values[at : at + size])
        at += size
        turn += 1
    return log


@settings(max_examples=60, deadline=None)
@given(HISTORIES, st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_the_image_is_that_of_the_log_and_so_are_the_bytes(records, sizes):
    """The auditor's replay and order against the service's: equal images, and even equal records."""
    log = log_of(records, sizes)
    with tempfile.TemporaryDirectory() as directory:
        log.write(Path(directory, "__cluster_metadata-0"))
        done = compact([directory], Path(directory, "out"), engine="local")
        ours = image_of_log(log.data)
        assert image_of_snapshot(done.path).same_content(ours)
        written = [value for batch in read_snapshot(done.path.read_bytes()).batches for value in batch.values()]
        assert written == [value for group in snapshot_groups(ours) for value in group]
        assert (done.records, done.end_offset, done.epoch) == (len(written), log.offset, 1)


def write(tmp_path, log) -> Path:
    return log.write(tmp_path / "__cluster_metadata-0")


def state_log(topics: int = 4) -> histories.LogWriter:
    log = histories.LogWriter().lead()
    log.add(histories.value(FeatureLevelRecord("metadata.version", 29)))
    for number in range(topics):
        log.add(*(encode_for_level(each, 29) for each in topic_records(number)))
    return log


def topic_records(number: int):
    return [
        TopicRecord(name=f"topic-{number:05d}", topic_id=histories.topic_id(number)),
        *(histories.partition(number, index) for index in range(2)),
    ]


def test_a_real_kafkas_log_and_a_part_of_it(tmp_path):
    data = (histories.GOLDEN / LOG).read_bytes()
    whole = compact([str(histories.GOLDEN)], tmp_path, engine="local")
    assert whole.path.name == "00000000000000000052-0000000001.checkpoint"
    assert image_of_snapshot(whole.path).same_content(with_sorted_directories(image_of_log(data)))
    part = compact([str(histories.GOLDEN)], tmp_path, at=37, engine="local")
    (kafkas,) = histories.GOLDEN.glob("*0037-*.checkpoint")
    assert part.path.name == kafkas.name
    assert image_of_snapshot(part.path).same_content(image_of_snapshot(kafkas))
    mine, theirs = read_snapshot(part.path.read_bytes()), read_snapshot(kafkas.read_bytes())
    assert (mine.header, mine.kraft_version, mine.voters) == (theirs.header, theirs.kraft_version, theirs.voters)
    assert not stat.S_IMODE(whole.path.stat().st_mode) & 0o222


def test_it_goes_on_from_a_snapshot_where_the_log_starts_late(tmp_path):
    log = state_log()
    (directory := tmp_path / "__cluster_metadata-0").mkdir()
    early = compact([str(write(tmp_path / "x", log))], directory, engine="local")
    more = histories.LogWriter(log.offset, 2).lead(2).add(*(encode_for_level(each, 29) for each in topic_records(9)))
    more.write(directory)
    done = compact([str(directory)], tmp_path / "out", engine="local")
    assert image_of_snapshot(done.path).same_content(image_of_log(log.data + more.data))
    assert (done.end_offset, done.epoch) == (more.offset, 2)
    same = compact([str(directory)], tmp_path / "out", at=log.offset, engine="local")
    assert same.path.read_bytes() == early.path.read_bytes()


def test_transactions(tmp_path):
    log = state_log(1)
    topic = [encode_for_level(each, 29) for each in topic_records(5)]
    begin = log.offset
    log.add(histories.value(BeginTransactionRecord("a")), *topic).add(histories.value(AbortTransactionRecord("no")))
    aborted = log.offset
    log.add(histories.value(BeginTransactionRecord("b"))).add(*topic)
    middle = log.offset
    log.add(histories.value(EndTransactionRecord()))
    path = write(tmp_path, log)
    for at in (begin, aborted, None):
        done = compact([str(path)], tmp_path / "out", at=at, engine="local")
        assert image_of_snapshot(done.path).same_content(image_of_log(log.data, at))
    with pytest.raises(CompactionError, match=f"inside a transaction that began at {aborted}: --at {aborted}$"):
        compact([str(path)], tmp_path / "out", at=middle, engine="local")


@pytest.mark.parametrize(
    ("change", "at", "text"),
    [
        (
            lambda log: log.add(b"\x01\xd8\x04\x00\x00"),
            None,
            "the first is the UNKNOWN_RECORD_600 at offset 14 .*: unknown",
        ),
        (lambda log: log.add(b"\x01\x02\x00\xff"), None, "the CORRUPT at offset 14 .*: malformed .TopicRecord.Name"),
        (lambda log: log.add(histories.value(histories.RemoveTopicRecord(histories.topic_id(77)))), None, "refused"),
        (lambda log: log.add(encode_for_level(TopicRecord("topic-00001", b"\1" * 16), 29)), None, "alive at once"),
        (lambda log: None, 99, "up to offset 14 and no further"),
        (lambda log: None, 6, "inside a batch, and a snapshot ends where a batch does: --at 5 or --at 8"),
        (lambda log: None, 0, "no batch of the log ends at offset 0"),
        (lambda log: None, 1, "no metadata.version is stated before offset 1"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(tmp_path, change, at, text):
    log = state_log()
    change(log)
    path = write(tmp_path, log)
    with pytest.raises(CompactionError, match=text):
        compact([str(path)], tmp_path / "out", at=at, engine="local")
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []


def test_a_corrupt_log_is_refused_and_what_is_before_the_corruption_is_taken(tmp_path):
    log = state_log()
    data = bytearray(log.data)
    data[-30] ^= 1
    write(tmp_path, log).write_bytes(data)
    with pytest.raises(CompactionError, match=r"is corrupt .* --at 11 takes that much"):
        compact([str(tmp_path)], tmp_path / "out", engine="local")
    done = compact([str(tmp_path)], tmp_path / "out", at=11, engine="local")
    assert image_of_snapshot(done.path).same_content(image_of_log(log.data, 11))


def test_every_bit_flip_is_refused_or_changes_no_state(tmp_path):
    """Never a snapshot of a state that is silently different."""
    log = state_log(1)
    expected = image_of_log(log.data)
    path = write(tmp_path, log)
    taken = set()
    for position in range(len(log.data)):
        data = bytearray(log.data)
        data[position] ^= 1 << position % 8
        path.write_bytes(data)
        out = tmp_path / f"out-{position}"
        try:
            done = compact([str(path)], out, engine="local")
        except (CompactionError, InputError):
            continue
        assert image_of_snapshot(done.path).same_content(expected)
        taken.add(position)
    epochs, at = set(), 0
    for batch in split_batches(log.data):
        epochs |= set(range(at + 12, at + 16))
        at += batch.size
    assert taken <= epochs


def test_the_directories_above_it_are_durable(tmp_path, monkeypatch):
    """Those that had to be made are synced, from the top down; then the one that holds the file."""
    synced = []
    monkeypatch.setattr("kraftpy.audit.compaction.writing._sync_directory", synced.append)
    done = compact([str(write(tmp_path, state_log()))], tmp_path / "a" / "b", engine="local")
    assert done.path.exists()
    assert synced == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]


@pytest.mark.parametrize(("refusal", "commands"), [(None, [51, 51]), (errno.ENOTSUP, [51, "fsync", 51, "fsync"])])
def test_on_macos_the_file_and_its_name_reach_the_drive(tmp_path, monkeypatch, refusal, commands):
    """There F_FULLFSYNC does it, or an fsync where the file system has none; another error is not swallowed."""
    done = []

    def fcntl_(_, command):
        done.append(command)
        if refusal is not None:
            raise OSError(refusal, os.strerror(refusal))

    monkeypatch.setattr(writing.fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(writing.fcntl, "fcntl", fcntl_)
    monkeypatch.setattr(writing.os, "fsync", lambda _: done.append("fsync"))
    path = str(write(tmp_path, state_log()))
    compact([path], tmp_path, engine="local")
    assert done == commands
    refusal = errno.EIO
    with pytest.raises(OSError, match="Input/output error"):
        compact([path], tmp_path, at=5, engine="local")
    assert not list(tmp_path.glob("*.part"))


def test_nothing_is_written_over(tmp_path):
    path = write(tmp_path, state_log())
    done = compact([str(path)], tmp_path / "out", engine="local")
    before = done.path.read_bytes()
    with pytest.raises(CompactionError, match="is there already"):
        compact([str(path)], tmp_path / "out", engine="local")
    assert done.path.read_bytes() == before
    assert [each.name for each in (tmp_path / "out").iterdir()] == [done.path.name]


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    (tmp_path / "out").mkdir()
    monkeypatch.setattr("kraftpy.audit.compaction.writing.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        compact([str(write(tmp_path, state_log()))], tmp_path / "out", engine="local")
    assert list((tmp_path / "out").iterdir()) == []


def test_of_several_clusters_one_is_named(tmp_path):
    for cluster in ("a", "b"):
        write(tmp_path / f"cluster={cluster}" / "node=1", state_log(1 + (cluster == "b")))
    with pytest.raises(CompactionError, match=r"2 clusters \(a, b\): name one with --cluster"):
        compact([str(tmp_path)], tmp_path / "out", engine="local")
    with pytest.raises(CompactionError, match="no cluster 'c'"):
        compact([str(tmp_path)], tmp_path / "out", cluster="c", engine="local")
    assert compact([str(tmp_path)], tmp_path / "out", cluster="b", engine="local").end_offset == 8


def test_the_command(tmp_path):
    path = write(tmp_path, state_log())
    done = CliRunner().invoke(cli, ["compact", str(path), "--out", str(tmp_path / "out"), "--at", "5", "-o", "json"])
    stated = json.loads(done.output)
    assert (stated["endOffset"], stated["engine"], stated["recordCount"]) == (5, "local", 4)
    assert Path(stated["file"]).name == "00000000000000000005-0000000001.checkpoint"
    again = CliRunner().invoke(cli, ["compact", str(path), "--out", str(tmp_path / "out"), "--at", "5"])
    assert (again.exit_code, "is there already" in again.output) == (1, True)
    assert parse_snapshot_file_name(Path(stated["file"]).name) == OffsetAndEpoch(offset=5, epoch=1)
    assert histories.value(NoOpRecord())
