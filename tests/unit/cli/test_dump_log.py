"""dump-log: Kafka's layout to the byte, JSON, and what it says of corrupt files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import SnapshotFooterRecord, SnapshotHeaderRecord
from kraftpy.records.metadata import (
    ConfigRecord,
    FeatureLevelRecord,
    UnregisterControllerRecord,
    UserScramCredentialRecord,
    encode_for_level,
)

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "kafka-4.3.0"
DUMPS = sorted(GOLDEN.glob("*.dump.txt"))


@pytest.mark.parametrize("dump", DUMPS, ids=lambda path: path.name)
def test_output_is_what_kafka_prints(run, monkeypatch: pytest.MonkeyPatch, dump: Path) -> None:
    """For every file that a real Kafka wrote, the text is the one its own tool prints, byte for byte."""
    monkeypatch.chdir(GOLDEN)
    result = run(
        "dump-log", "--show-secrets", "--cluster-metadata-decoder", "--files", dump.name.removesuffix(".dump.txt")
    )
    assert result.exit_code == ExitCode.OK
    assert result.stdout == dump.read_text(encoding="utf-8")


def test_golden_dumps_exist() -> None:
    """The comparison with Kafka compares something."""
    assert len(DUMPS) >= 4


LINE = (
    "baseOffset: 1 lastOffset: 2 count: 2 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
    "partitionLeaderEpoch: 1 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty position: 91 "
    "CreateTime: 1729857600000 size: 106 magic: 2 compresscodec: none crc: {crc} isvalid: {valid}"
)


def crc_of(text: str) -> str:
    found = re.search(r"position: 91 .* crc: (\d+) ", text)
    assert found
    return found[1]


def test_segment_is_shown_batch_by_batch(run, segment: Path) -> None:
    """A head, a line per batch, a line per record."""
    text = run("dump-log", segment).stdout
    lines = text.splitlines()
    assert lines[:2] == [f"Dumping {segment}", "Log starting offset: 0"]
    assert LINE.format(crc=crc_of(text), valid="true") in lines
    assert (
        "| offset: 2 CreateTime: 1729857600000 keySize: -1 valueSize: 8 sequence: -1 headerKeys: [] "
        'payload: {"type":"CLUSTER_ID_RECORD","version":0,"data":{"clusterId":"abc"}}'
    ) in lines
    assert len(lines) == 2 + 3 + 5


def test_skip_record_metadata_leaves_the_records(run, segment: Path) -> None:
    """--skip-record-metadata keeps control types and payloads."""
    lines = run("dump-log", "--skip-record-metadata", "--files", segment).stdout.splitlines()
    assert any(line.startswith("| LeaderChange: {") for line in lines)
    assert not any("CreateTime" in line for line in lines if line.startswith("|"))
    assert '| payload: {"type":"CLUSTER_ID_RECORD","version":0,"data":{"clusterId":"abc"}}' in lines


def test_batches_only_and_max_bytes(run, segment: Path) -> None:
    """Records can be left out, and a dump can stop early."""
    assert run("dump-log", segment, "--batches-only").stdout.count("| offset") == 0
    assert run("dump-log", segment, "--max-bytes", 92, "--batches-only").stdout.count("baseOffset") == 2


def test_zeros_at_the_end_are_no_corruption(run, segment: Path) -> None:
    """A segment is zero-filled ahead; that tail is neither shown nor an error."""
    clean = run("dump-log", segment).stdout
    segment.write_bytes(segment.read_bytes() + bytes(100_000))
    result = run("dump-log", segment)
    assert result.exit_code == ExitCode.OK
    assert result.stdout == clean
    end = json.loads(run("dump-log", segment, "-o", "jsonl").stdout.splitlines()[-1])
    assert (end["invalidBytes"], end["zeroBytes"]) == (0, 100_000)


def test_flipped_bit_is_corruption_and_the_rest_is_still_shown(run, segment: Path) -> None:
    """A batch with a wrong checksum is marked, named on stderr with its byte, and the walk goes on."""
    data = bytearray(segment.read_bytes())
    data[91 + 40] ^= 1
    segment.write_bytes(data)
    result = run("dump-log", segment)
    assert result.exit_code == ExitCode.FINDINGS
    assert result.stdout.count("isvalid: true") == 2
    assert result.stdout.count("isvalid: false") == 1
    assert f"{segment} at byte 91: batch at offset 1 (106 bytes): checksum is" in result.stderr
    assert "TOPIC_RECORD" in result.stdout


def test_garbage_at_the_end_is_counted(run, segment: Path) -> None:
    """What no batch can be read from is named with Kafka's words and its byte."""
    size = segment.stat().st_size
    segment.write_bytes(segment.read_bytes() + b"\x00\x01garbage")
    result = run("dump-log", segment)
    assert result.exit_code == ExitCode.FINDINGS
    assert result.stdout.endswith(f"Found 9 invalid bytes at the end of {segment}\n")
    assert f"{segment} at byte {size}: " in result.stderr


def test_cut_off_batch_is_corruption(run, segment: Path) -> None:
    """A file that ends inside a batch says how much is missing."""
    segment.write_bytes(segment.read_bytes()[:-5])
    result = run("dump-log", segment)
    assert result.exit_code == ExitCode.FINDINGS
    assert "invalid bytes at the end" in result.stdout
    assert "are left" in result.stderr


def test_wrong_base_offset_is_corruption(run, segment: Path) -> None:
    """A whole batch at a wrong place is found although its checksum does not cover the offset."""
    other = segment.with_name("00000000000000000007.log")
    other.write_bytes(segment.read_bytes())
    result = run("dump-log", other)
    assert result.exit_code == ExitCode.FINDINGS
    assert "batch has base offset 0, expected 7" in result.stderr


def test_falling_epoch_is_corruption(run, segment: Path) -> None:
    """Epochs never fall along a log."""
    value = encode_for_level(FeatureLevelRecord("metadata.version", 40), 40)
    segment.write_bytes(segment.read_bytes() + encode_batch([value], base_offset=5, epoch=0, timestamp_ms=0))
    result = run("dump-log", segment)
    assert result.exit_code == ExitCode.FINDINGS
    assert "batch at offset 5 has epoch 0 after epoch 1" in result.stderr


def test_snapshot_without_footer_is_corruption(run, tmp_path: Path) -> None:
    """A snapshot that was not finished is distinguished from one that was."""
    path = tmp_path / "00000000000000000009-0000000002.checkpoint"
    head = encode_control_batch([SnapshotHeaderRecord(0, 5)], base_offset=0, epoch=2, timestamp_ms=5)
    path.write_bytes(head)
    result = run("dump-log", path)
    assert result.exit_code == ExitCode.FINDINGS
    assert result.stdout.startswith(f"Dumping {path}\nSnapshot end offset: 9, epoch: 2\n")
    assert "the snapshot has no footer" in result.stderr
    path.write_bytes(head + encode_control_batch([SnapshotFooterRecord(0)], base_offset=1, epoch=2, timestamp_ms=5))
    assert run("dump-log", path).exit_code == ExitCode.OK


def test_undecodable_record_is_skipped_with_its_reason(run, segment: Path) -> None:
    """One bad record does not hide the others."""
    bad, good = b"\x01\x0c\x00\x7f", encode_for_level(FeatureLevelRecord("metadata.version", 40), 40)
    segment.write_bytes(segment.read_bytes() + encode_batch([bad, good], base_offset=5, epoch=1, timestamp_ms=0))
    result = run("dump-log", segment)
    assert result.exit_code == ExitCode.FINDINGS
    assert "payload: Error at 5, skipping. " in result.stdout
    assert "| offset: 6 " in result.stdout


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_secrets_are_printed_on_request(run, tmp_path: Path, form: str) -> None:
    """Without the flag they are replaced by [redacted], in every form."""
    path = tmp_path / "00000000000000000000.log"
    records = (
        ConfigRecord(4, "1", "ssl.key.password", "hunter2"),
        UserScramCredentialRecord("alice", 1, b"salt", b"hunter2", b"hunter2", 4096),
    )
    values = [encode_for_level(record, 33) for record in records]
    path.write_bytes(encode_batch(values, base_offset=0, epoch=1, timestamp_ms=0))
    secrets = ("hunter2", "aHVudGVyMg==")
    hidden, shown = (run("dump-log", path, "-o", form, *more).stdout for more in ((), ("--show-secrets",)))
    assert hidden.count("[redacted]") == 4
    assert not any(secret in hidden for secret in secrets)
    assert all(secret in shown for secret in secrets)


def test_contested_key_is_read_by_its_form_where_no_level_is_known(run, tmp_path: Path) -> None:
    """The key 29 with an int32 body is UnregisterControllerRecord, also in a segment that names no metadata.version."""
    path = tmp_path / "00000000000000000050.log"
    value = encode_for_level(UnregisterControllerRecord(3), 33)
    path.write_bytes(encode_batch([value], base_offset=50, epoch=1, timestamp_ms=0))
    assert (
        '{"type":"UNREGISTER_CONTROLLER_RECORD","version":0,"data":{"controllerId":3}}' in run("dump-log", path).stdout
    )


def test_json_is_one_value_and_jsonl_one_a_line(run, segment: Path) -> None:
    """Both carry the same records."""
    (whole,) = json.loads(run("dump-log", segment, "-o", "json").stdout)
    lines = [json.loads(line) for line in run("dump-log", segment, "-o", "jsonl").stdout.splitlines()]
    records = [record for batch in whole["batches"] for record in batch["records"]]
    assert records == [{k: v for k, v in line.items() if k != "kind"} for line in lines if line["kind"] == "record"]
    assert whole["validBytes"] == segment.stat().st_size
    assert whole["corruption"] == []


def test_several_files_in_one_call(run, segment: Path) -> None:
    """Paths and --files add up, in order."""
    text = run("dump-log", segment, "--files", f"{segment},{segment}").stdout
    assert text.count("Log starting offset: 0") == 3


def test_files_before_a_missing_one_are_shown(run, segment: Path) -> None:
    """An error about the second file does not swallow the first."""
    result = run("dump-log", segment, segment.with_name("00000000000000000099.log"))
    assert result.exit_code == ExitCode.FAILURE
    assert "TOPIC_RECORD" in result.stdout


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("x.index", "index files are rebuilt from the log"),
        ("x.timeindex", "index files are rebuilt from the log"),
        ("notes.txt", "Ignoring unknown file"),
        ("x.log", "the name is neither <20 digits>.log nor"),
        ("x.checkpoint", "the name is neither <20 digits>.log nor"),
    ],
)
def test_other_files_are_named_and_not_dumped(run, tmp_path: Path, name: str, stated: str) -> None:
    """A file of another kind is no success."""
    (tmp_path / name).write_bytes(b"x")
    result = run("dump-log", tmp_path / name)
    assert result.exit_code == ExitCode.FAILURE
    assert stated in result.stderr
    assert (result.stderr.count("\n"), result.stderr.startswith("error: ")) == (1, True)
    assert str(tmp_path / name) in result.stderr
    assert result.stdout == ""


def test_other_files_beside_a_segment_are_only_noted(run, segment: Path) -> None:
    """A shell's ``*`` names the indexes and the small files, too."""
    (segment.parent / "notes.txt").write_bytes(b"x")
    result = run("dump-log", *sorted(path for path in segment.parent.iterdir() if path.is_file()))
    assert result.exit_code == ExitCode.OK
    assert f"# Ignoring unknown file {segment.parent / 'notes.txt'}\n" in result.stderr
    assert "error: " not in result.stderr
    assert "TOPIC_RECORD" in result.stdout


def test_missing_and_unreadable_files_are_one_line(run, tmp_path: Path) -> None:
    """A path that is not there, and a directory with a segment's name."""
    directory = tmp_path / "00000000000000000000.log"
    directory.mkdir()
    for path, stated in (
        (tmp_path / "00000000000000000001.log", "there is no such file"),
        (directory, f"is a directory; name files in it, or describe it with `kraftpy inspect {directory}`"),
    ):
        result = run("dump-log", path)
        assert result.exit_code == ExitCode.FAILURE
        assert stated in result.stderr
        assert result.stderr.count("\n") == 1
