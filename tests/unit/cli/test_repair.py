"""repair: a bad record is shown with code 3, and skipped only by who has read about it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.disaster_recovery.changes import identify
from kraftpy.records.batch import encode_batch
from kraftpy.records.metadata import RemoveTopicRecord, encode_for_level
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.meta_properties import MetaProperties, write_meta_properties
from tests.unit.cli.conftest import LEVEL, TIMESTAMP_MS, batches


@pytest.fixture
def poisoned(tmp_path: Path) -> Path:
    """A node's directory whose last record removes a topic that is not there."""
    directory = tmp_path / "poisoned"
    fs = RealFileSystem()
    opened = MetadataDirectory.open(fs, str(directory), LogConfig(), os.urandom)
    opened.log.append(batches(), TIMESTAMP_MS)
    value = encode_for_level(RemoveTopicRecord(topic_id=b"t" * 16), LEVEL)
    end = opened.log.end_offset
    opened.log.append([encode_batch([value], base_offset=end, epoch=1, timestamp_ms=TIMESTAMP_MS)], TIMESTAMP_MS)
    opened.close()
    write_meta_properties(fs, str(directory), MetaProperties(cluster_id="abc", node_id=1, directory_id=b"d" * 16))
    return directory


def test_shown_skipped_and_put_back(run, poisoned) -> None:
    """Looking changes nothing; the wrong digest changes nothing; undo restores every byte."""
    before = identify(RealFileSystem(), str(poisoned))
    shown = run("repair", "show", "--dirs", poisoned, "-o", "json")
    assert shown.exit_code == ExitCode.FINDINGS
    (found,) = json.loads(shown.stdout)
    assert (found["offset"], found["recordKind"], found["nextOffset"]) == (5, "REMOVE_TOPIC_RECORD", None)
    assert (
        f"repair skip --dirs {poisoned} --digest {found['digest']}" in run("repair", "show", "--dirs", poisoned).stdout
    )
    refused = run("repair", "skip", "--dirs", poisoned, "--digest", "0" * 64)
    assert (refused.exit_code, "read it; nothing was changed" in refused.stderr) == (ExitCode.FAILURE, True)
    assert identify(RealFileSystem(), str(poisoned)) == before
    assert run("repair", "skip", "--dirs", poisoned, "--digest", found["digest"]).exit_code == ExitCode.OK
    sound = run("repair", "show", "--dirs", poisoned)
    assert (sound.exit_code, "every record can be applied" in sound.stdout) == (ExitCode.OK, True)
    assert "as it was before skipping a record" in run("recover", "undo", "--dirs", poisoned).stdout
    assert identify(RealFileSystem(), str(poisoned)) == before


def test_a_sound_directory_is_left_alone(run, poisoned) -> None:
    """There is nothing to skip twice."""
    digest = json.loads(run("repair", "show", "--dirs", poisoned, "-o", "json").stdout)[0]["digest"]
    run("repair", "skip", "--dirs", poisoned, "--digest", digest)
    again = run("repair", "skip", "--dirs", poisoned, "--digest", digest)
    assert "every record can be applied; nothing was changed anywhere" in again.stderr
