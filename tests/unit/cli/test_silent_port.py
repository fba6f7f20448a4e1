"""Every command that asks a cluster says what it waits for, when the port accepts connections and never answers."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kraftpy.cli import quorum_members, waiting
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.migration_file import MigrationFile, write_migration
from kraftpy.cli.roll_file import write_plan
from kraftpy.cli.root import COMMANDS, cli
from kraftpy.cli.root import ONLINE as ASKS_A_CLUSTER
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools import port_probe
from kraftpy.quorum_tools.migration import Migration
from tests.unit.cli.command_tree import LEAVES, ONLINE, examples_of, words_of
from tests.unit.disaster_recovery.test_cluster_shutdown import SHUTDOWN
from tests.unit.quorum_tools.rolling_world import World

TIMEOUT_S = 0.1
"""How long each command waits; a line is due in a hundredth of it."""

CLOSED_PORT = "127.0.0.1:1"
CODES = {"support-bundle": ExitCode.INCOMPLETE, "cluster start": ExitCode.FAILURE}
"""What these end with; all others say that no controller responded in time."""


@pytest.fixture
def silent() -> Iterator[tuple[str, int]]:
    """A suspended controller: its kernel accepts connections, and nothing answers."""
    with socket.create_server(("127.0.0.1", 0)) as port:
        yield port.getsockname()


def controller_file(path: Path, node_id: int) -> None:
    """The configuration of a controller that has been started once."""
    data = path.parent / f"data-{node_id}"
    data.mkdir()
    text = f"version=1\nnode.id={node_id}\ndirectory.id={uuid_to_text(bytes([node_id]) * 16)}\n"
    (data / "meta.properties").write_text(text)
    path.write_text(
        f"process.roles=controller\nnode.id={node_id}\ncontroller.listener.names=CONTROLLER\nlog.dirs={data}\n"
        f"listeners=CONTROLLER://127.0.0.1:9093\ncontroller.quorum.bootstrap.servers={CLOSED_PORT}\n"
    )


def voter(node_id: int, silent: tuple[str, int]) -> Voter:
    return Voter(ReplicaKey(node_id, bytes([node_id]) * 16), (Endpoint("CONTROLLER", *silent),))


MAKE: dict[str, Callable[[Path, tuple[str, int]], None]] = {
    "controller-4.properties": lambda path, _: controller_file(path, 4),
    "new-1.properties": lambda path, _: controller_file(path, 11),
    "new-2.properties": lambda path, _: controller_file(path, 12),
    "new-3.properties": lambda path, _: controller_file(path, 13),
    "moves.json": lambda path, _: path.write_text(
        json.dumps({"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [1]}]})
    ),
    "stopped.json": lambda path, _: path.write_text(SHUTDOWN.render()),
    "roll.json": lambda path, _: write_plan(str(path), World().plan()),
    "migration.json": lambda path, silent: write_migration(
        str(path), MigrationFile("c", Migration(leaving=(voter(1, silent),), joining=(voter(2, silent),)))
    ),
}
"""The files that examples name."""

DEFAULTS = {
    "roll run": ["roll.json"], "roll status": ["roll.json"],
    "migrate run": ["migration.json"], "migrate status": ["migration.json"], "migrate back": ["migration.json"],
}  # fmt: skip
"""Those that a command reads by default."""


def words_for(name: str, leaf: click.Command, address: str) -> list[str]:
    """The first example that connects, with the silent port in place of its addresses."""
    lines = [words_of(line)[1:] for line in examples_of(leaf)]
    words = next((words for words in lines if "-C" in words), lines[0])
    for option, value in (("-C", address), ("--metrics", CLOSED_PORT), ("--restart", "true {id}")):
        if option in words:
            words[words.index(option) + 1] = value
    if name == "cluster stop":
        words[words.index("--record") + 1] = "new.json"
    if "--command-config" in words:
        at = words.index("--command-config")
        del words[at : at + 2]
    words += ["--timeout", str(TIMEOUT_S)]
    return [*words, "--wait", "0.01"] if any("--wait" in param.opts for param in leaf.params) else words


@pytest.mark.parametrize("name", ONLINE)
def test_what_is_waited_for_is_printed_on_stderr(
    name: str, silent: tuple[str, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """For each command of the tree, with one of its own examples: then one error, and nothing on standard output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(waiting, "SILENT_S", TIMEOUT_S / 100)
    monkeypatch.setattr(port_probe, "LOOK_S", TIMEOUT_S / 10)
    monkeypatch.setattr(quorum_members, "REASON_S", TIMEOUT_S / 10)
    address = f"{silent[0]}:{silent[1]}"
    words = words_for(name, LEAVES[name], address)
    for file in MAKE.keys() & {*words, *DEFAULTS.get(name, ())}:
        MAKE[file](tmp_path / file, silent)
    result = CliRunner().invoke(cli, words, prog_name="kraftpy", input="aG1hYw==\n")
    lines = result.stderr.splitlines()
    assert f"# waiting: an answer from {address}, for up to {TIMEOUT_S:g} s" in lines, result.output
    assert [line[:7] for line in lines if not line.startswith("# waiting: ")] == ["error: "]
    assert ("# waiting" in result.stdout, result.exit_code) == (False, CODES.get(name, ExitCode.UNREACHABLE))


def test_no_command_is_left_out() -> None:
    """A command of that section that protects no connection makes none."""
    sections = {name: COMMANDS[name.split()[0]].section for name in LEAVES}
    assert [name for name, section in sections.items() if section == ASKS_A_CLUSTER and name not in ONLINE] == []
