"""backup and restore on the command line: what is said, and that a dry run makes nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode


@pytest.fixture
def made(run, tmp_path, kafka_directory) -> dict[str, object]:
    """A backup of a real Kafka's stopped controller."""
    result = run("backup", "--dir", kafka_directory, "--out", tmp_path / "one.tar", "-o", "json")
    assert result.exit_code == ExitCode.OK, result.stderr
    return json.loads(result.stdout)


def test_a_kafka_s_log_comes_back_in_a_new_epoch(run, tmp_path, made) -> None:
    """Tar lists it; a dry run makes nothing; a restore makes a directory that inspect finds sound."""
    listed = subprocess.run(["tar", "-tf", tmp_path / "one.tar"], capture_output=True, text=True, check=True)
    assert "bootstrap.checkpoint" in listed.stdout.split()
    new = tmp_path / "new"
    args = ("restore", tmp_path / "one.tar", "--dir", new, "--digest", made["digest"], "--address", "there:9093")
    tried = run(*args, "--dry-run", "-o", "json")
    assert (json.loads(tried.stdout)["dryRun"], new.exists()) == (True, False)
    assert run(*args).exit_code == ExitCode.OK
    found = run("inspect", new, "-o", "json")
    assert (found.exit_code, json.loads(found.stdout)["logEndOffset"]) == (ExitCode.OK, made["endOffset"] + 2)
    again = run(*args)
    assert (again.exit_code, "a restore replaces nothing" in again.stderr) == (ExitCode.FAILURE, True)


def test_another_file_than_the_one_that_was_meant_is_refused(run, tmp_path, made) -> None:
    """A backup with another digest than the one that was kept elsewhere is rejected."""
    result = run("restore", tmp_path / "one.tar", "--dir", tmp_path / "new", "--digest", "0" * 64)
    assert (result.exit_code, "it is another backup" in result.stderr) == (ExitCode.FAILURE, True)
    file = Path(tmp_path / "one.tar")
    file.write_bytes(file.read_bytes()[:-1])
    result = run("restore", file, "--dir", tmp_path / "new")
    assert "it was cut, or is something else" in result.stderr
    assert not (tmp_path / "new").exists()
