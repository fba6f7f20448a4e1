"""A runner for command lines, and directories to run them on."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import click
import pytest
import structlog
from click.testing import CliRunner, Result

from kraftpy.cli import output, waiting
from kraftpy.cli.root import cli
from kraftpy.model.election import ElectionState
from kraftpy.node.logs import set_log_level
from kraftpy.records.batch import encode_batch, encode_control_batch
from kraftpy.records.control import LeaderChangeMessage, LeaderChangeMessageVoter
from kraftpy.records.metadata import (
    ClusterIdRecord,
    FeatureLevelRecord,
    RegisterBrokerRecord,
    TopicRecord,
    encode_for_level,
)
from kraftpy.records.quorum_state import render_quorum_state
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import RealFileSystem
from tests.unit.cli.json_outputs import check_printed

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "kafka-4.3.0"
LEVEL = 40
TIMESTAMP_MS = 1_729_857_600_000
NEVER_S = 3_600.0


@pytest.fixture(autouse=True)
def every_output_is_as_its_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Validate whatever a command shows, in any format: what would be its JSON."""
    printed = output.show

    def show(form: output.Output, data: Any, lines: Iterable[str]) -> None:
        context = click.get_current_context(silent=True)
        if context is not None and context.command_path.startswith("kraftpy "):
            check_printed(context.command_path, json.loads(json.dumps(data)))
        printed(form, data, lines)

    for name, module in list(sys.modules.items()):
        if name.startswith("kraftpy.cli.") and getattr(module, "show", None) is printed:
            monkeypatch.setattr(module, "show", show)
    monkeypatch.setattr(output, "show", show)


@pytest.fixture(autouse=True)
def no_command_names_its_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine any command may take longer; tests of the lines about it set the time themselves."""
    monkeypatch.setattr(waiting, "SILENT_S", NEVER_S)


@pytest.fixture(autouse=True)
def logs_are_set_up_as_before() -> Iterator[None]:
    """Some commands set up the logs of their process, which is that of the tests here."""
    before, level, handlers = structlog.get_config(), logging.root.level, logging.root.handlers[:]
    yield
    if structlog.get_config() != before:
        structlog.configure(**before)
        set_log_level("info")
    logging.root.setLevel(level)
    logging.root.handlers[:] = handlers


Run: TypeAlias = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run a command line and return its result; a traceback is a failure of the test."""

    def call(*args: object, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="kraftpy", input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    return call


def batches() -> list[bytes]:
    """Make three batches: a leader, a cluster id, a broker and a topic."""
    one = LeaderChangeMessageVoter(1)
    groups = (
        (FeatureLevelRecord("metadata.version", LEVEL), ClusterIdRecord("abc")),
        (RegisterBrokerRecord(broker_id=7), TopicRecord("t", b"1" * 16)),
    )
    made = [
        encode_control_batch(
            [LeaderChangeMessage(0, 1, [one], [one])], base_offset=0, epoch=1, timestamp_ms=TIMESTAMP_MS
        )
    ]
    for base_offset, records in zip((1, 3), groups, strict=True):
        values = [encode_for_level(record, LEVEL) for record in records]
        made.append(encode_batch(values, base_offset=base_offset, epoch=1, timestamp_ms=TIMESTAMP_MS))
    return made


@pytest.fixture
def log_directory(tmp_path: Path) -> Path:
    """Make a log directory that a node closed cleanly."""
    directory = tmp_path / "log"
    directory.mkdir()
    opened = MetadataDirectory.open(RealFileSystem(), str(directory), LogConfig(), os.urandom)
    opened.log.append(batches(), TIMESTAMP_MS)
    opened.log.sync()
    opened.close()
    vote = render_quorum_state(ElectionState(epoch=1), version=1)
    (directory / "__cluster_metadata-0" / "quorum-state").write_text(vote)
    return directory


@pytest.fixture
def kafka_directory(tmp_path: Path) -> Path:
    """The log directory of a real Kafka's only controller, at kraft.version 1."""
    directory = tmp_path / "kraft-logs"
    metadata = directory / "__cluster_metadata-0"
    metadata.mkdir(parents=True)
    for file in GOLDEN.iterdir():
        if not file.name.endswith(".txt"):
            shutil.copy(file, directory if file.name in {"meta.properties", "bootstrap.checkpoint"} else metadata)
    return directory


@pytest.fixture
def segment(log_directory: Path) -> Path:
    """Return the one segment of the log directory."""
    return log_directory / "__cluster_metadata-0" / "00000000000000000000.log"


@pytest.fixture
def controller_config(tmp_path: Path) -> Path:
    """Write a controller's configuration with a static quorum."""
    path = tmp_path / "controller.properties"
    path.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.quorum.voters=1@localhost:9093\n"
        f"controller.listener.names=CONTROLLER\nlisteners=CONTROLLER://:9093\nlog.dirs={tmp_path}/a,{tmp_path}/b\n"
    )
    return path


@pytest.fixture
def dynamic_config(tmp_path: Path) -> Path:
    """Write a controller's configuration with a dynamic quorum."""
    path = tmp_path / "dynamic.properties"
    path.write_text(
        "process.roles=controller\nnode.id=1\ncontroller.quorum.bootstrap.servers=localhost:9093\n"
        f"controller.listener.names=CONTROLLER\nlisteners=CONTROLLER://localhost:9093\nlog.dirs={tmp_path}/dynamic\n"
    )
    return path
