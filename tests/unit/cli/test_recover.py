"""recover: the plan is looked at first, its digest is asked for, and everything can be put back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.disaster_recovery.changes import identify
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import DirectoryLock, holder_of
from tests.fakes.processes import kraftpy

END = 77


def planned(run, tmp_path: Path, *args: object) -> dict[str, object]:
    result = run("recover", "plan", "--out", tmp_path / "plan.json", "-o", "json", *args)
    assert result.exit_code == ExitCode.OK, result.stderr
    return json.loads(result.stdout)


def test_a_real_kafka_s_directory_is_planned_recovered_and_put_back(run, tmp_path, kafka_directory) -> None:
    """Its one voter moved: the set gets the new address, in a new epoch; undo restores every byte."""
    fs = RealFileSystem()
    before = identify(fs, str(kafka_directory))
    plan = planned(run, tmp_path, "--dirs", kafka_directory, "--address", "1=moved.example:19093")
    assert identify(fs, str(kafka_directory)) == before
    assert (plan["kraftVersion"], plan["oldVoterIds"], plan["missingVoterIds"]) == (1, [1], [])
    assert plan["loss"]["mayLoseAcknowledged"] is False
    done = run("recover", "apply", tmp_path / "plan.json", "--digest", plan["digest"])
    assert (done.exit_code, done.stderr) == (ExitCode.OK, "")
    dump = run("dump-log", *sorted((kafka_directory / "__cluster_metadata-0").glob("*.log")))
    assert dump.exit_code == ExitCode.OK
    assert '"host":"moved.example","port":19093' in dump.stdout
    opened = MetadataDirectory.open(fs, str(kafka_directory), LogConfig(), os.urandom)
    assert opened.log.last_epoch == plan["recoveryEpoch"]
    opened.log.abandon()
    for file in (kafka_directory / "__cluster_metadata-0").iterdir():
        assert file.suffix != ".tmp"
    undone = run("recover", "undo", "--dirs", kafka_directory)
    assert "as it was before a recovery" in undone.stdout
    assert identify(fs, str(kafka_directory)) == before


def test_the_wrong_digest_changes_nothing(run, tmp_path, kafka_directory) -> None:
    """Who applies has read the plan."""
    planned(run, tmp_path, "--dirs", kafka_directory)
    before = identify(RealFileSystem(), str(kafka_directory))
    result = run("recover", "apply", tmp_path / "plan.json", "--digest", "0" * 64)
    assert (result.exit_code, "read the plan that you apply" in result.stderr) == (ExitCode.FAILURE, True)
    assert identify(RealFileSystem(), str(kafka_directory)) == before


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (b'{"kind": "kraftpy recovery plan",\n oops}', "at line 2, column 2 it is not JSON"),
        (b"\x00\xff", "it is not UTF-8 at byte 1"),
        (b"[]", "it holds no JSON object"),
        (b'{"kind": "else", "format": 1}', "it has kind 'else', format 1"),
    ],
)
def test_a_file_that_is_no_plan_reports_it(run, tmp_path, content, stated) -> None:
    """With the file, the place in it and where plans come from."""
    file = tmp_path / "plan.json"
    file.write_bytes(content)
    result = run("recover", "apply", file, "--digest", "x")
    assert (result.exit_code, f"{file} is no kraftpy recovery plan" in result.stderr) == (ExitCode.FAILURE, True)
    assert stated in result.stderr
    assert "make a plan with `kraftpy recover plan`" in result.stderr


def test_a_plan_is_not_overwritten(run, tmp_path, kafka_directory) -> None:
    """The same plan may be made again; another one needs another name."""
    first = planned(run, tmp_path, "--dirs", kafka_directory)
    assert planned(run, tmp_path, "--dirs", kafka_directory) == first
    again = run("recover", "plan", "--dirs", kafka_directory, "--address", "1=a:1", "--out", tmp_path / "plan.json")
    assert "exists: name another file" in again.stderr


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        (("--dirs", "/nowhere"), ExitCode.FAILURE, "/nowhere: there is no such directory"),
        (("--voters", "one"), ExitCode.USAGE, "not a list of node ids"),
        (("--address", "1"), ExitCode.USAGE, "is not ID=HOST:PORT"),
        (("--address", "x=a:1"), ExitCode.USAGE, "'x' is not a whole number from 0 to 2147483647"),
        (("--dirs", ""), ExitCode.USAGE, "'' names no directory"),
        (("--dirs", " , "), ExitCode.USAGE, "' , ' names no directory"),
        (("--dirs", __file__), ExitCode.FAILURE, f"{__file__}: is not a directory"),
        (("--out", ""), ExitCode.USAGE, "the name is empty"),
    ],
)
def test_mistakes(run, tmp_path, monkeypatch, kafka_directory, args, code, text) -> None:
    """One line, the right code, and no plan is written."""
    monkeypatch.chdir(tmp_path)
    result = run("recover", "plan", "--dirs", kafka_directory, *args)
    assert (result.exit_code, text in result.stderr) == (code, True), result.stderr
    assert not (tmp_path / "recovery-plan.json").exists()


def test_a_directory_that_a_node_works_on_is_refused(tmp_path, kafka_directory) -> None:
    """Another process sees the lock, without taking it."""
    lock = DirectoryLock.acquire(str(kafka_directory))
    try:
        result = kraftpy("recover", "plan", "--dirs", kafka_directory, "--out", tmp_path / "plan.json")
        assert f"in use by process {os.getpid()}. Stop that node first" in result.stderr
        assert (result.returncode, (tmp_path / "plan.json").exists()) == (ExitCode.FAILURE, False)
        assert (kafka_directory / ".lock").exists()
    finally:
        lock.release()
    assert holder_of(str(kafka_directory)) is None
    assert not (kafka_directory / ".lock").exists()
