"""Files that a real Kafka wrote: read, shown as Kafka shows them, and rewritten identically."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kraftpy.model.features import SchemaSet
from kraftpy.records import metadata as m
from kraftpy.records.batch import encode_batch, encode_control_batch, split_batches
from kraftpy.records.checkpoints import (
    parse_leader_epochs,
    parse_partition_metadata,
    render_leader_epochs,
    render_partition_metadata,
)
from kraftpy.records.codec import read_uvarint
from kraftpy.records.json_text import control_label, control_to_json, record_to_json
from kraftpy.records.properties import parse_properties
from kraftpy.records.quorum_state import parse_quorum_state, render_quorum_state
from kraftpy.records.snapshot import SnapshotEncoder, read_snapshot

FILES = Path(__file__).parent / "kafka-4.3.0"
LOGS = sorted(path for path in FILES.iterdir() if path.name.endswith((".log", ".checkpoint")))
SNAPSHOTS = [path for path in LOGS if path.suffix == ".checkpoint"]


def _version(value: bytes) -> int:
    number = at = 0
    for _ in range(3):
        number, at = read_uvarint(value, at)
    return number


def test_there_are_golden_files() -> None:
    """The golden files are gone."""
    assert len(LOGS) == 4
    assert len(SNAPSHOTS) == 3


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_batches_are_rewritten_identically(path: Path) -> None:
    """A file of a real Kafka was not rewritten byte for byte from the decoded records."""
    data = path.read_bytes()
    out = []
    for batch in split_batches(data):
        place = {"base_offset": batch.base_offset, "epoch": batch.epoch, "timestamp_ms": batch.base_timestamp_ms}
        if batch.is_control:
            out.append(encode_control_batch(batch.control_records(), **place))
            continue
        values = []
        for value in batch.values():
            record = m.decode_record(value, SchemaSet.KAFKA)
            assert isinstance(record, m.Record), value
            values.append(m.encode_record(record, _version(value)))
        out.append(encode_batch(values, **place))
    assert b"".join(out) == data


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_records_are_shown_as_kafka_shows_them(path: Path) -> None:
    """A record's JSON is not what kafka-dump-log printed."""
    dump = path.with_name(path.name + ".dump.txt").read_text(encoding="utf-8")
    theirs = [json.loads(text) for text in re.findall(r"payload: (\{.*\})", dump)]
    batches = split_batches(path.read_bytes())
    values = [value for batch in batches if not batch.is_control for value in batch.values()]
    assert [record_to_json(m.decode_record(value, SchemaSet.KAFKA), _version(value)) for value in values] == theirs
    controls = [record for batch in batches if batch.is_control for record in batch.control_records()]
    shown = [f"{control_label(each)} {json.dumps(control_to_json(each), separators=(',', ':'))}" for each in controls]
    assert shown == re.findall(r"headerKeys: \[\] ((?!payload)\S+ \{.*\})", dump)


@pytest.mark.parametrize("path", SNAPSHOTS, ids=lambda path: path.name)
def test_snapshots_are_complete(path: Path) -> None:
    """A snapshot of a real Kafka was not read, or our encoder would not write the same."""
    data = path.read_bytes()
    contents = read_snapshot(data)
    first = split_batches(data)[0]
    encoder = SnapshotEncoder(
        epoch=first.epoch,
        timestamp_ms=first.base_timestamp_ms,
        last_contained_log_timestamp_ms=contents.header.last_contained_log_timestamp,
        kraft_version=contents.kraft_version,
        voters=contents.voters,
        states_digest=False,
    )
    again = b"".join(encoder.encode(batch.values() for batch in contents.batches))
    assert encoder_sizes(again) == encoder_sizes(data)
    assert split_batches(again)[0].data == first.data
    assert read_snapshot(again).voters == contents.voters
    assert [batch.values() for batch in read_snapshot(again).batches] == [batch.values() for batch in contents.batches]


def encoder_sizes(data: bytes) -> list[tuple[int, int, int]]:
    """Return what of a file does not depend on the clock."""
    return [(batch.base_offset, batch.size, batch.attributes) for batch in split_batches(data)]


def test_small_files_are_rewritten_identically() -> None:
    """A small file of a real Kafka was not read, or not rewritten byte for byte."""
    quorum_state = (FILES / "quorum-state").read_text(encoding="utf-8")
    assert render_quorum_state(parse_quorum_state(quorum_state), version=1) == quorum_state
    epochs = (FILES / "leader-epoch-checkpoint").read_text(encoding="utf-8")
    assert render_leader_epochs(parse_leader_epochs(epochs)) == epochs
    partition = (FILES / "partition.metadata").read_text(encoding="utf-8")
    assert render_partition_metadata(parse_partition_metadata(partition)) == partition
    properties = parse_properties((FILES / "meta.properties").read_text(encoding="utf-8"))
    assert properties["cluster.id"] == "MkU3OEVBNTcwNTJENDM2Qg"
    assert set(properties) == {"node.id", "directory.id", "version", "cluster.id"}
