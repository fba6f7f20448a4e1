"""``--override``: values of one node in place of those in the file, and what is rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.overrides import OVERRIDES_MAX

SHARED = """\
process.roles=controller
controller.quorum.voters=1@h1:9093,2@h2:9093
controller.listener.names=CONTROLLER
listeners=CONTROLLER://:9093
log.dirs=/nowhere
"""


@pytest.fixture
def shared(tmp_path: Path) -> str:
    """A file that no node can start from by itself: it has no ``node.id``."""
    file = tmp_path / "shared.properties"
    file.write_text(SHARED, encoding="utf-8")
    return str(file)


def test_a_node_is_formatted_from_a_shared_file(run, shared, tmp_path):
    """The values of the option count, also where the file has the key."""
    assert "node.id is not set" in run("storage", "format", "-c", shared, "-t", "id").stderr
    own = ("--override", "node.id=2", "--override", f"log.dirs={tmp_path}/two")
    result = run("storage", "format", "-c", shared, "-t", "id", *own)
    assert result.exit_code == ExitCode.OK, result.stderr
    assert "node.id=2\n" in (tmp_path / "two" / "meta.properties").read_text(encoding="utf-8")


def test_the_directories_of_a_node_of_a_shared_file_are_described(run, shared, tmp_path):
    own = ("--override", "node.id=2", "--override", f"log.dirs={tmp_path}/two")
    assert run("storage", "format", "-c", shared, "-t", "id", *own).exit_code == ExitCode.OK
    result = run("storage", "info", "-c", shared, *own)
    assert (result.exit_code, "node.id=2, " in result.stdout) == (ExitCode.OK, True), result.stderr


def test_a_shared_file_is_checked_for_one_node(run, shared, tmp_path):
    """Several files have no value in common."""
    assert "node.id is not set" in run("config", "check", shared).stdout
    result = run("config", "check", shared, "--override", "node.id=2")
    assert (result.exit_code, "errors: 0" in result.stdout) == (ExitCode.OK, True), result.stdout
    assert "node.id 3 is not" in run("config", "check", shared, "--override", "node.id=3").stdout
    other = tmp_path / "other.properties"
    other.write_text(SHARED, encoding="utf-8")
    result = run("config", "check", shared, other, "--override", "node.id=2")
    assert (result.exit_code, "--override is for one file, and 2 are named" in result.stderr) == (ExitCode.USAGE, True)


def test_a_node_of_a_shared_file_is_added_to_the_voters(run, shared, tmp_path, monkeypatch):
    async def add(*_):
        """The leader does what it was asked for."""

    monkeypatch.setattr("kraftpy.quorum_tools.quorum_admin.QuorumAdmin.add", add)
    own = ("--override", "node.id=2", "--override", f"log.dirs={tmp_path}/two")
    own += ("--override", "advertised.listeners=CONTROLLER://h2:9093")
    assert run("storage", "format", "-c", shared, "-t", "id", *own).exit_code == ExitCode.OK
    result = run("metadata-quorum", "add-controller", "-C", "h1:9093", "--config", shared, *own)
    assert (result.exit_code, "controller 2 " in result.stdout) == (ExitCode.OK, True), (result.stdout, result.stderr)


@pytest.mark.parametrize("command", ["controller", "broker", "server"])
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["node.id"], "'node.id' is not KEY=VALUE, such as node.id=2"),
        (["=2"], "'=2' is not KEY=VALUE"),
        (["node.id=1", " node.id =2"], "node.id is given twice"),
        (["broker.rack=\udc80"], "the value of 'broker.rack' is not UTF-8"),
        ([f"k{n}=" for n in range(OVERRIDES_MAX + 1)], f"given {OVERRIDES_MAX + 1} times, at most {OVERRIDES_MAX}"),
    ],
    ids=["no value", "no key", "twice", "encoding", "too many"],
)
def test_a_malformed_option_is_a_usage_error(run, shared, command, given, problem):
    """Rejected with what is wrong, by every command that runs a node."""
    result = run(command, "-c", shared, *(word for one in given for word in ("--override", one)))
    assert (result.exit_code, problem in result.stderr) == (ExitCode.USAGE, True), result.stderr


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("node.id=x", "--override node.id=x: it is not a whole number"),
        (
            "node.id=3",
            ":2: controller.quorum.voters=1@h1:9093,2@h2:9093: a controller must be in it, and node.id 3 is not",
        ),
    ],
)
def test_an_error_names_the_option_or_the_line(run, shared, given, problem):
    """Each value is shown with where it was set."""
    result = run("controller", "-c", shared, "--override", given)
    assert (result.exit_code, problem in result.stderr) == (ExitCode.FAILURE, True), result.stderr


def test_the_environment_sets_values_too(run, shared, tmp_path, monkeypatch):
    """In place of the file's, and the option's hold before them; for every command that reads a node's own file."""
    monkeypatch.setenv("KRAFTPY_CONF_NODE_ID", "2")
    monkeypatch.setenv("KRAFTPY_CONF_LOG_DIRS", f"{tmp_path}/two")
    assert run("storage", "format", "-c", shared, "-t", "id").exit_code == ExitCode.OK
    assert "node.id=2\n" in (tmp_path / "two" / "meta.properties").read_text(encoding="utf-8")
    result = run("storage", "info", "-c", shared)
    assert (result.exit_code, "node.id=2, " in result.stdout) == (ExitCode.OK, True), result.stderr
    assert "errors: 0" in run("config", "check", shared).stdout
    assert "node.id 3 is not" in run("config", "check", shared, "--override", "node.id=3").stdout
    monkeypatch.setenv("KRAFTPY_CONF_NODE_ID", "1")
    assert "node.id=1, " not in run("storage", "info", "-c", shared, "--override", "node.id=2").stdout


def test_the_environment_is_no_part_of_several_files(run, shared, tmp_path, monkeypatch):
    """It belongs to one node: two files with its ``node.id`` would contradict each other."""
    monkeypatch.setenv("KRAFTPY_CONF_NODE_ID", "2")
    other = tmp_path / "other.properties"
    other.write_text(SHARED, encoding="utf-8")
    assert run("config", "check", shared, other).stdout.count("node.id is not set") == 2


@pytest.mark.parametrize("command", ["controller", "broker", "server"])
def test_a_variable_that_cannot_be_used_refuses_the_start(run, shared, command, monkeypatch):
    """A value names its variable, and so does a name that is no key's."""
    monkeypatch.setenv("KRAFTPY_CONF_NODE_ID", "x")
    result = run(command, "-c", shared)
    assert (result.exit_code, "KRAFTPY_CONF_NODE_ID: node.id=x" in result.stderr) == (ExitCode.FAILURE, True)
    monkeypatch.setenv("KRAFTPY_CONF_node_id", "2")
    result = run(command, "-c", shared)
    assert (result.exit_code, "'KRAFTPY_CONF_node_id'" in result.stderr) == (ExitCode.FAILURE, True), result.stderr
