"""A directory that a real Kafka wrote: opened, inspected, appended to, and left readable."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import CorruptLogError
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.offsets import ORIGIN, OffsetAndEpoch
from kraftpy.records.batch import encode_batch
from kraftpy.records.control import KRaftVersionRecord, LeaderChangeMessage, VotersRecord
from kraftpy.storage.bootstrap import read_bootstrap
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.inspection import inspect_directory

GOLDEN = Path(__file__).parents[2] / "golden" / "kafka-4.3.0"
END_OFFSET = 52
SNAPSHOT = OffsetAndEpoch(epoch=1, offset=37)


@pytest.fixture
def kafka(tmp_path):
    """A copy of the log directory, laid out as Kafka had it."""
    inner = tmp_path / "__cluster_metadata-0"
    inner.mkdir()
    for path in GOLDEN.iterdir():
        if not path.name.endswith(".txt"):
            outer = path.name in {"meta.properties", "bootstrap.checkpoint"}
            shutil.copy(path, tmp_path if outer else inner)
    return tmp_path


def open_directory(path):
    return MetadataDirectory.open(RealFileSystem(), str(path), LogConfig(), random.Random(1).randbytes)


def test_it_opens(kafka):
    """Election, snapshots, log, epochs and control records are what Kafka's own dump says."""
    directory = open_directory(kafka)
    assert directory.election == ElectionState(epoch=1, leader_id=1)
    assert directory.snapshots.ids == (ORIGIN, SNAPSHOT)
    assert (directory.log.start_offset, directory.log.end_offset, directory.log.last_epoch) == (0, END_OFFSET, 1)
    assert (directory.log.recovery.truncated_bytes, directory.warnings) == (0, ())
    kinds = {type(record) for _, record in directory.control_records}
    assert {KRaftVersionRecord, VotersRecord} <= kinds
    first = next(directory.log.iterate(0))
    assert isinstance(first.control_records()[0], LeaderChangeMessage)
    directory.close()


def test_closing_changes_nothing_of_kafkas(kafka):
    """Opening and closing leaves every byte of Kafka's log and epoch file as it was."""
    open_directory(kafka).close()
    for name in ("00000000000000000000.log", "leader-epoch-checkpoint", "partition.metadata", "quorum-state"):
        assert (kafka / "__cluster_metadata-0" / name).read_bytes() == (GOLDEN / name).read_bytes(), name


def test_it_can_be_appended_to(kafka):
    """A batch follows on after Kafka's, and both are there after a restart."""
    directory = open_directory(kafka)
    directory.quorum_state.write(ElectionState(epoch=2), version=0)
    batch = encode_batch([b"\x01\x14\x00\x00"], base_offset=END_OFFSET, epoch=2, timestamp_ms=1_795_226_200_000)
    directory.log.append([batch], 1_795_226_200_000)
    directory.log.sync()
    directory.close()
    content = (kafka / "__cluster_metadata-0" / "00000000000000000000.log").read_bytes()
    assert content == (GOLDEN / "00000000000000000000.log").read_bytes() + batch
    assert open_directory(kafka).log.epoch_entries == ((1, 0), (2, END_OFFSET))


def test_inspection_finds_it_sound(kafka):
    """Nothing is wrong with what Kafka wrote; a flipped bit is found."""
    inner = kafka / "__cluster_metadata-0"
    assert inspect_directory(RealFileSystem(), str(inner)).problems == ()
    log = inner / "00000000000000000000.log"
    data = bytearray(log.read_bytes())
    data[2050] ^= 4
    log.write_bytes(data)
    (problem,) = inspect_directory(RealFileSystem(), str(inner)).problems
    assert "checksum" in problem
    with pytest.raises(CorruptLogError, match="This is no torn write"):
        open_directory(kafka)


def test_who_it_belongs_to(kafka):
    """meta.properties and bootstrap.checkpoint are read as Kafka meant them."""
    fs = RealFileSystem()
    ensemble = MetaPropertiesEnsemble.load(fs, [str(kafka)], str(kafka))
    ensemble.verify(expected_cluster_id="MkU3OEVBNTcwNTJENDM2Qg", expected_node_id=1, require_at_least_one_valid=True)
    assert uuid_to_text(ensemble.directory_id(str(kafka))) == "4f-As4w_RmiG2rlVgjPrIw"
    records = read_bootstrap(fs, str(kafka))
    assert [(type(record).__name__, record.name) for record in records] == [
        ("FeatureLevelRecord", "metadata.version"),
        ("FeatureLevelRecord", "eligible.leader.replicas.version"),
        ("FeatureLevelRecord", "group.version"),
        ("FeatureLevelRecord", "share.version"),
        ("FeatureLevelRecord", "streams.version"),
        ("FeatureLevelRecord", "transaction.version"),
        ("UserScramCredentialRecord", "alice"),
    ]
