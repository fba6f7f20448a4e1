"""The plan of a migration as a file, and what `kraftpy migrate` says of bad ones; nothing here opens a socket."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.cli.errors import CommandError
from kraftpy.cli.migrate import step_text
from kraftpy.cli.migration_file import CONTROLLERS_MAX, FILE_BYTES_MAX, MigrationFile, read_migration, write_migration
from kraftpy.cli.migration_survey import broker_facts, read_brokers, read_controllers
from kraftpy.cli.root import cli
from kraftpy.model.errors import KraftError
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.migration import Blocked, Finished, Migration, RemoveVoter, Rest, StartController, Wait


def voter(node_id):
    return Voter(ReplicaKey(node_id, bytes([node_id]) * 16), (Endpoint("CONTROLLER", "::1", 9000 + node_id),))


PLAN = MigrationFile("MkU3OEVBNTcwNTJENDM2Qg", Migration(leaving=(voter(1), voter(2)), joining=(voter(11),)))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "migration.json")


def document(path):
    write_migration(path, PLAN)
    return json.loads(Path(path).read_text(encoding="utf-8"))


def test_a_plan_is_read_as_it_was_written(path):
    write_migration(path, PLAN)
    assert read_migration(path) == PLAN
    assert [str(one) for one in PLAN.endpoints] == [
        "CONTROLLER://[::1]:9001", "CONTROLLER://[::1]:9002", "CONTROLLER://[::1]:9011",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        (("clusterId",), 7, "clusterId is not a text"),
        (("leaving",), [], f"leaving is not a list of 1 to {CONTROLLERS_MAX} controllers"),
        (("leaving",), [{}] * (CONTROLLERS_MAX + 1), "leaving is not a list"),
        (("joining",), "x", "joining is not a list"),
        (("leaving", 0), [], "leaving[0] is not an object"),
        (("leaving", 0, "nodeId"), True, "leaving[0].nodeId is True"),
        (("leaving", 0, "nodeId"), -1, "leaving[0].nodeId is -1"),
        (("leaving", 0, "nodeId"), 2**31, "leaving[0].nodeId is 2147483648"),
        (("leaving", 1, "directoryId"), "short", "leaving[1].directoryId"),
        (("joining", 0, "endpoints"), [], "joining[0].endpoints is not a list"),
        (("joining", 0, "endpoints"), ["h:1"], "is 'h:1', not NAME://host:port"),
        (("joining", 0, "endpoints"), ["A://h:70000"], "joining[0].endpoints[0]"),
        (("joining", 0, "nodeId"), 1, "two of its controllers have the same node id"),
        (("kind",), "recovery plan", "is no kraftpy migration of format 1"),
    ],
)
def test_a_bad_plan_is_named_by_its_place(path, place, value, text):
    found = document(path)
    at = found
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    Path(path).write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(KraftError) as caught:
        read_migration(path)
    assert text in str(caught.value)
    assert path in str(caught.value)


def test_a_file_that_is_too_long_is_not_read(path):
    Path(path).write_bytes(b" " * (FILE_BYTES_MAX + 1))
    with pytest.raises(CommandError, match=f"more than {FILE_BYTES_MAX} bytes"):
        read_migration(path)


@given(content=st.binary(max_size=200))
def test_any_file_is_a_plan_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("plans") / "plan.json"
    path.write_bytes(content)
    with pytest.raises(KraftError):
        read_migration(str(path))


@pytest.mark.parametrize("command", ["run", "status", "back"])
def test_a_missing_plan_names_the_command_that_makes_one(command, path):
    result = CliRunner().invoke(cli, ["migrate", command, path])
    assert result.exit_code == 1
    assert "make a plan with `kraftpy migrate plan`" in result.output


def test_a_broker_file_is_read_without_judging_what_is_not_ours(tmp_path):
    file = tmp_path / "broker.properties"
    file.write_text(
        "node.id=5\nprocess.roles=broker\nsasl.enabled.mechanisms=GSSAPI\ncontroller.listener.names=quorum,other\n"
        "controller.quorum.bootstrap.servers=a:1, b:2\n",
        encoding="utf-8",
    )
    found = read_brokers([str(file)])[5]
    assert found.listener == "QUORUM"
    assert [(one.host, one.port) for one in found.bootstrap_servers] == [("a", 1), ("b", 2)]
    file.write_text("process.roles=broker\n", encoding="utf-8")
    with pytest.raises(KraftError, match="unknown which broker"):
        read_brokers([str(file)])


def test_a_list_that_cannot_be_read_is_unknown():
    found = broker_facts(5, "h:1", {"controller.quorum.bootstrap.servers": "a:b:c"})
    assert found.bootstrap_servers is None
    assert "a:b:c" in found.why


def test_a_controller_without_an_identity_is_refused(tmp_path):
    file = tmp_path / "controller.properties"
    file.write_text(
        f"node.id=11\nprocess.roles=controller\nlisteners=CONTROLLER://127.0.0.1:9011\nlog.dirs={tmp_path}/data\n"
        "controller.listener.names=CONTROLLER\ncontroller.quorum.bootstrap.servers=127.0.0.1:9011\n",
        encoding="utf-8",
    )
    with pytest.raises(CommandError, match="start it once"):
        read_controllers([str(file)])
    data = tmp_path / "data"
    data.mkdir()
    directory_id = uuid_to_text(b"d" * 16)
    (data / "meta.properties").write_text(
        f"version=1\ncluster.id=MkU3OEVBNTcwNTJENDM2Qg\nnode.id=11\ndirectory.id={directory_id}\n", encoding="utf-8"
    )
    (found,) = read_controllers([str(file)])
    assert found.voter.key == ReplicaKey(11, b"d" * 16)
    assert found.cluster_id == "MkU3OEVBNTcwNTJENDM2Qg"
    assert found.values["min.insync.replicas"] == "1"


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (RemoveVoter(voter(1)), "Removing controller 1@"),
        (StartController(voter(11)), "start it"),
        (StartController(voter(11), after=voter(1)), "stop controller 1, whose address it takes over, then start 11"),
        (Wait(("a", "b")), "Waiting: a; b."),
        (Rest(voter(1), leads=True), "it leads now"),
        (Blocked("why"), "why"),
        (Finished(), "Stop the old ones"),
    ],
)
def test_every_step_is_a_sentence(step, text):
    assert text in step_text(step)
