"""A dry run of a change that would be refused: an exit code of its own, and the reason in the format asked for."""

from __future__ import annotations

import contextlib
import json

import click
import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.root import cli
from kraftpy.client.values import ClusterInfo
from kraftpy.model.errors import ApiError, ErrorCode
from tests.unit.cli.test_online import NOW

C = ("-C", "localhost:1")
ENTRY = ("--allow-principal", "User:a", "--operation", "Read", "--topic", "t")
MOVES = {"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [2]}]}

COMMANDS = {
    "acls add": ENTRY,
    "acls remove": ENTRY,
    "broker-ids delete": ("--host", "h"),
    "broker-ids set": ("--host", "h", "--id", "5"),
    "cluster unregister": ("--id", "7"),
    "cluster unregister-controller": ("--id", "7"),
    "configs alter": ("--broker-defaults", "--add", "a=1"),
    "delegation-tokens create": (),
    "delegation-tokens expire": ("--hmac", "YQ=="),
    "delegation-tokens renew": ("--hmac", "YQ=="),
    "features disable": ("--feature", "group.version"),
    "features downgrade": ("--feature", "group.version=0"),
    "features upgrade": ("--feature", "group.version=1"),
    "leader-election": ("--election-type", "preferred", "--all-topic-partitions"),
    "metadata-quorum transfer-leader": ("--to", "7"),
    "reassign apply": ("MOVES",),
    "reassign-partitions": ("--execute", "--reassignment-json-file", "MOVES"),
    "topics alter": ("--topic", "t", "--partitions", "3"),
    "topics create": ("--topic", "t"),
    "topics delete": ("--topic", "t"),
}
ELSEWHERE = {
    "metadata-quorum add-controller": "asks the leader over Kafka's protocol: test_quorum_members.py",
    "metadata-quorum remove-controller": "as above",
    "restore": "no request: it checks a file",
    "roll run": "no request: it prints commands",
}
ROWS = {"features disable", "features downgrade", "features upgrade"}
"""Commands that print the refusal in each of their rows, with or without a dry run."""


class Refusing:
    """A cluster that reads, and refuses each change."""

    error = ApiError(ErrorCode.POLICY_VIOLATION, "not on a Friday")

    def __getattr__(self, name):
        def refuse(*_, **__):
            raise self.error

        return refuse

    def list_topics(self, *_):
        return ["t"]

    def list_reassignments(self, *_):
        return []

    def describe_topics(self, *_, **__):
        return type("Described", (), {"topics": [], "unknown": []})

    def describe_cluster(self, *_):
        return ClusterInfo(freshness=NOW, cluster_id="c", controller_id=1, brokers=(), controllers=())


@pytest.fixture
def cluster(monkeypatch, tmp_path):
    found = Refusing()

    @contextlib.contextmanager
    def connect(*_, **__):
        yield found

    monkeypatch.setattr("kraftpy.cli.connection.connect", connect)
    return found


@pytest.fixture
def ended(run, tmp_path):
    """Run a command of the table with more words."""
    moves = tmp_path / "moves.json"
    moves.write_text(json.dumps(MOVES))

    def call(name, *words):
        given = [moves if word == "MOVES" else word for word in COMMANDS[name]]
        return run(*name.split(), *given, *C, *words)

    return call


def commands(group, context, words=()):
    """Yield each command below a group, with its words."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, context, (*words, name))
        else:
            yield " ".join((*words, name)), command


def test_every_command_with_a_dry_run_is_in_a_table():
    """A new one would end with 1, without anything to read for a script."""
    found = {
        name
        for name, command in commands(cli, click.Context(cli))
        if any(param.name == "dry_run" for param in command.params)
    }
    assert found == COMMANDS.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_refused_dry_run_ends_with_3_and_has_a_body(ended, cluster, name):
    """One line on stderr for a reader; an object for a script, which each schema has (the fixture of all tests)."""
    shown = ended(name, "--dry-run")
    assert (shown.exit_code, shown.stdout) == (ExitCode.FINDINGS, "")
    assert shown.stderr.count("\n") == 1
    assert "not on a Friday" in shown.stderr
    printed = ended(name, "--dry-run", "-o", "json")
    assert (printed.exit_code, printed.stderr) == (ExitCode.FINDINGS, shown.stderr)
    body = json.loads(printed.stdout)
    if name in ROWS:
        assert [row["error"] for row in body] == ["POLICY_VIOLATION"]
    else:
        (body,) = body if isinstance(body, list) else [body]
        assert body == {"accepted": False, "dryRun": True, "reason": "not on a Friday (POLICY_VIOLATION)"}


@pytest.mark.parametrize("name", COMMANDS)
def test_without_a_dry_run_a_refusal_is_a_failure(ended, cluster, name):
    """As before, for scripts that know it: nothing but rows on stdout, and 1."""
    result = ended(name, "-o", "json")
    assert result.exit_code == ExitCode.FAILURE
    assert (result.stdout == "") is (name not in ROWS)


@pytest.mark.parametrize("code", ["NOT_CONTROLLER", "REQUEST_TIMED_OUT", "UNSUPPORTED_VERSION", "UNKNOWN_SERVER_ERROR"])
def test_what_was_not_judged_is_no_refusal(ended, cluster, code):
    """No node made the check: the change may be accepted."""
    cluster.error = ApiError(ErrorCode[code], "later")
    result = ended("cluster unregister", "--dry-run", "-o", "json")
    assert (result.exit_code, result.stdout) == (ExitCode.FAILURE, "")
    result = ended("features upgrade", "--dry-run", "-o", "json")
    assert (result.exit_code, [row["error"] for row in json.loads(result.stdout)]) == (ExitCode.FAILURE, [code])


def test_a_file_that_cannot_be_read_is_no_refusal(run, cluster, tmp_path):
    broken = tmp_path / "moves.json"
    broken.write_text("{")
    assert run("reassign", "apply", broken, *C, "--dry-run").exit_code == ExitCode.FAILURE
