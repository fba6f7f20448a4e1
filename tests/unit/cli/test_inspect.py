"""inspect: what a directory adds up to, and that looking changes nothing."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import NoOpRecord, RemoveTopicRecord, encode_for_level
from kraftpy.records.snapshot import SnapshotEncoder
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFileSystem
from tests.unit.cli.conftest import LEVEL, TIMESTAMP_MS, batches

NO_OP = encode_for_level(NoOpRecord(), LEVEL)
GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "kafka-4.3.0"


def contents(directory: Path) -> dict[str, tuple[bytes, int]]:
    files = (path for path in sorted(directory.rglob("*")) if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_sound_directory_is_described(run, log_directory: Path) -> None:
    """Files, offsets, epochs, the image and the counts come out, with code 0."""
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.OK
    found = json.loads(result.stdout)
    assert (found["logStartOffset"], found["logEndOffset"]) == (0, 5)
    assert found["leaderEpochs"] == [{"leaderEpoch": 1, "startOffset": 0}]
    assert found["image"]["clusterId"] == "abc"
    assert found["image"]["featureLevels"] == {"metadata.version": 40}
    assert (found["image"]["brokerIds"], found["image"]["topicCount"]) == ([7], 1)
    assert found["recordCounts"]["TOPIC_RECORD"] == 1
    assert found["corruption"] == []


def test_table_names_everything(run, log_directory: Path) -> None:
    """The table has the same contents as the JSON form."""
    text = run("inspect", log_directory).stdout
    for piece in ("offsets [0, 5)", "Cluster id:       abc", "metadata.version=40 (5.0-IV0)", "CLUSTER_ID_RECORD",
                  "00000000000000000000.log  0           5", "No corruption."):  # fmt: skip
        assert piece in text


def test_metadata_directory_itself_may_be_named(run, log_directory: Path) -> None:
    """The log directory and its __cluster_metadata-0 give the same answer."""
    outer = json.loads(run("inspect", log_directory, "-o", "json").stdout)
    inner = json.loads(run("inspect", log_directory / "__cluster_metadata-0", "-o", "json").stdout)
    assert inner == outer


def test_directory_above_one_log_directory_will_do(run, log_directory: Path) -> None:
    """A node's own directory is enough when one log directory in it has the log; with two, one must be named."""
    direct = run("inspect", log_directory).stdout
    assert run("inspect", log_directory.parent).stdout == direct
    (log_directory.parent / "other" / "__cluster_metadata-0").mkdir(parents=True)
    result = run("inspect", log_directory.parent)
    assert result.exit_code == ExitCode.FAILURE
    assert f"name one of {log_directory}, {log_directory.parent / 'other'}" in result.stderr


def test_directory_of_a_quickstart_names_the_logs_in_it(run, log_directory: Path, tmp_path: Path) -> None:
    """There a log directory is two levels down; one alone is taken, several are named."""
    direct = run("inspect", log_directory).stdout
    (tmp_path / "cluster" / "controller-1").mkdir(parents=True)
    moved = log_directory.rename(tmp_path / "cluster" / "controller-1" / "data")
    assert run("inspect", tmp_path / "cluster").stdout == direct.replace(str(log_directory), str(moved))
    other = tmp_path / "cluster" / "controller-2" / "data"
    shutil.copytree(moved, other)
    result = run("inspect", tmp_path / "cluster")
    assert (result.exit_code, f"name one of {moved}, {other}" in result.stderr) == (ExitCode.FAILURE, True)


def test_looking_changes_nothing(run, log_directory: Path) -> None:
    """Not a byte, not a time stamp, not a file: it may run beside a node."""
    before = contents(log_directory)
    run("inspect", log_directory)
    run("dump-log", log_directory / "__cluster_metadata-0" / "00000000000000000000.log")
    assert contents(log_directory) == before


def test_directory_in_use_is_described(run, tmp_path: Path) -> None:
    """A node's open log, zero-filled ahead and not locked, is read without corruption."""
    opened = MetadataDirectory.open(RealFileSystem(), str(tmp_path), LogConfig(), os.urandom)
    opened.log.append(batches(), TIMESTAMP_MS)
    opened.log.sync()
    result = run("inspect", tmp_path, "-o", "json")
    dumped = run("dump-log", opened.log.active_path)
    opened.log.append([encode_batch([NO_OP], base_offset=5, epoch=1, timestamp_ms=0)], TIMESTAMP_MS)
    opened.close()
    assert (result.exit_code, dumped.exit_code) == (ExitCode.OK, ExitCode.OK)
    found = json.loads(result.stdout)
    assert found["segments"][0]["invalidBytes"] > 0
    assert (found["logEndOffset"], found["notes"]) == (5, [])


def test_corruption_has_file_and_byte_and_code_3(run, log_directory: Path, segment: Path) -> None:
    """A flipped bit before a good batch is corruption, and the state stops before it."""
    data = bytearray(segment.read_bytes())
    data[150] ^= 0xFF
    segment.write_bytes(data)
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    found = json.loads(result.stdout)
    assert [(one["file"], one["position"]) for one in found["corruption"]] == [(str(segment), 91)]
    assert found["image"]["offset"] == 0
    assert "Corruption:" in run("inspect", log_directory).stdout


def test_record_that_does_not_fit_is_corruption_and_the_rest_is_counted(
    run, log_directory: Path, segment: Path
) -> None:
    """The image stops before a record that contradicts it; what follows is still counted."""
    stranger = encode_for_level(RemoveTopicRecord(b"9" * 16), LEVEL)
    size = segment.stat().st_size
    with segment.open("ab") as file:
        file.write(encode_batch([stranger], base_offset=5, epoch=1, timestamp_ms=0))
        file.write(encode_batch([NO_OP], base_offset=6, epoch=1, timestamp_ms=0))
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    found = json.loads(result.stdout)
    assert [(one["file"], one["position"]) for one in found["corruption"]] == [(str(segment), size)]
    assert found["image"]["offset"] == 4
    assert found["recordCounts"]["NO_OP_RECORD"] == 1


def test_torn_tail_is_a_note(run, log_directory: Path, segment: Path) -> None:
    """What a crash leaves, or a running node is just writing, is no corruption."""
    segment.write_bytes(segment.read_bytes()[:-30])
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.OK
    found = json.loads(result.stdout)
    assert found["corruption"] == []
    assert len(found["notes"]) == 1
    assert found["logEndOffset"] == 3


def test_log_cut_cleanly_below_its_recovery_point_is_corruption(run, log_directory: Path, segment: Path) -> None:
    """No byte that is left is wrong, and a start would refuse all the same; inspect says the same, with the place."""
    whole = segment.read_bytes()
    end_of_second = len(whole) - len(batches()[2])
    (log_directory / "recovery-point-offset-checkpoint").write_text("0\n1\n__cluster_metadata 0 5\n")
    assert run("inspect", log_directory).exit_code == ExitCode.OK
    segment.write_bytes(whole[:end_of_second])
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    (found,) = json.loads(result.stdout)["corruption"]
    assert (found["file"], found["position"]) == (str(segment), end_of_second)
    assert "ends at offset 3, but everything below offset 5 was durable and committed" in found["reason"]
    assert json.loads(result.stdout)["notes"] == []
    assert f"{segment} at byte {end_of_second}: The log in" in run("inspect", log_directory).stdout
    segment.unlink()
    assert "ends at offset 0, but everything below offset 5" in run("inspect", log_directory).stdout


def test_recovery_point_that_cannot_be_read_is_corruption(run, log_directory: Path) -> None:
    """A log that lost its end with it would look whole: a start and a backup refuse, so inspect has a finding, too."""
    checkpoint = log_directory / "recovery-point-offset-checkpoint"
    checkpoint.write_text("garbage\n")
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    found = json.loads(result.stdout)
    assert found["recoveryPoint"] is None
    assert found["notes"] == []
    (corruption,) = found["corruption"]
    assert corruption["file"] == str(checkpoint)
    assert "is malformed" in corruption["reason"]
    assert "offsets [0, 5), recovery point (unusable)" in run("inspect", log_directory).stdout


def test_snapshot_replaces_what_the_log_lacks(run, log_directory: Path, segment: Path) -> None:
    """A log that ends before its recovery point is whole where a sound snapshot reaches as far: a start goes on."""
    encoder = SnapshotEncoder(epoch=1, timestamp_ms=0, last_contained_log_timestamp_ms=0)
    checkpoint = log_directory / "__cluster_metadata-0" / "00000000000000000005-0000000001.checkpoint"
    checkpoint.write_bytes(b"".join(encoder.encode([])))
    (log_directory / "recovery-point-offset-checkpoint").write_text("0\n1\n__cluster_metadata 0 5\n")
    segment.unlink()
    assert "there is no segment beside " in run("inspect", log_directory).stdout
    for name in (
        "00000000000000000000.index",
        "00000000000000000000.timeindex",
        "leader-epoch-checkpoint",
        "quorum-state",
    ):
        (segment.parent / name).unlink()
    result = run("inspect", log_directory)
    assert "No corruption." in result.stdout
    assert result.exit_code == ExitCode.OK


def test_broken_snapshot_is_corruption_and_an_older_one_serves(run, log_directory: Path) -> None:
    """A snapshot that was cut is found; the image comes from what is left."""
    encoder = SnapshotEncoder(epoch=1, timestamp_ms=0, last_contained_log_timestamp_ms=0)
    path = log_directory / "__cluster_metadata-0" / "00000000000000000005-0000000001.checkpoint"
    path.write_bytes(b"".join(encoder.encode([]))[:-9])
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    found = json.loads(result.stdout)
    assert found["corruption"][0]["file"] == str(path)
    assert found["snapshots"][0]["isSound"] is False
    assert found["image"]["offset"] == 4


def test_unreadable_small_files_are_corruption(run, log_directory: Path) -> None:
    """quorum-state and meta.properties that say nonsense are reported, not raised."""
    (log_directory / "__cluster_metadata-0" / "quorum-state").write_text("{")
    (log_directory / "meta.properties").write_text("version=9\n")
    result = run("inspect", log_directory, "-o", "json")
    assert result.exit_code == ExitCode.FINDINGS
    reasons = " ".join(one["reason"] for one in json.loads(result.stdout)["corruption"])
    assert "quorum-state" in reasons
    assert "meta.properties" in reasons


def test_real_kafka_s_directory_is_understood(run) -> None:
    """A directory that Kafka 4.3 wrote: voters, features, the image of snapshot and log, no corruption."""
    found = json.loads(run("inspect", GOLDEN, "-o", "json").stdout)
    assert found["corruption"] == []
    assert found["kraftVersion"] == 1
    assert [voter["nodeId"] for voter in found["voters"]] == [1]
    assert found["image"]["featureLevels"]["metadata.version"] == 30
    assert (found["image"]["topicCount"], found["image"]["partitionCount"]) == (1, 3)
    assert found["metaProperties"]["clusterId"] == "MkU3OEVBNTcwNTJENDM2Qg"


def test_snapshot_alone_is_enough(run, tmp_path: Path) -> None:
    """A directory whose log was cut away up to the snapshot starts from it."""
    directory = tmp_path / "__cluster_metadata-0"
    directory.mkdir()
    shutil.copy(GOLDEN / "00000000000000000037-0000000001.checkpoint", directory)
    found = json.loads(run("inspect", tmp_path, "-o", "json").stdout)
    assert found["image"]["offset"] == 36
    assert found["image"]["topicCount"] == 1


@pytest.mark.parametrize(("make", "stated"), [("nothing", "no such directory"), ("file", "is not a directory"),
                                            ("empty", "name the metadata.log.dir of a node")])  # fmt: skip
def test_wrong_path_is_one_line(run, tmp_path: Path, make: str, stated: str) -> None:
    """A path that is not there, a file, and a directory of something else."""
    path = tmp_path / "x"
    if make == "file":
        path.write_text("")
    elif make == "empty":
        path.mkdir()
    result = run("inspect", path)
    assert result.exit_code == ExitCode.FAILURE
    assert stated in result.stderr
    assert result.stderr.count("\n") == 1
