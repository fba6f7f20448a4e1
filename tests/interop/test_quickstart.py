"""``kraftpy quickstart --kafka-brokers 1``: a stock tool creates a topic, nothing outlives Ctrl-C, data is kept."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.local_cluster.cluster import LocalNode, read_local_cluster
from kraftpy.storage.locks import holder_of
from tests.integration.test_quickstart import children_of, is_alive
from tests.interop.cluster import TOOL_TIMEOUT_S, java, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import Process, eventually

TOPIC = "org.apache.kafka.tools.TopicCommand"
READY_DEADLINE_S = 150.0


def kafka_home(jars: Jars, root: Path) -> Path:
    """Make what an unpacked Kafka looks like: its jars are in ``libs``."""
    home = root / "kafka"
    home.mkdir()
    (home / "libs").symlink_to(jars.directory)
    return home


@contextmanager
def quickstart(directory: Path, home: Path) -> Iterator[Process]:
    """Run it in a process; in the end it is stopped with all that it started."""
    words = ["--dir", str(directory), "--controllers", "1", "--kafka-brokers", "1", "--kafka-home", str(home)]
    command = [sys.executable, "-m", "kraftpy", "quickstart", *words]
    process = Process("quickstart", command, directory.parent / "quickstart.log")
    try:
        yield process
    finally:
        if process.is_running:
            process.process.terminate()
            process.process.wait(TOOL_TIMEOUT_S)


def kept(broker: LocalNode) -> dict[str, bytes]:
    """Return the files that identify a broker's directory and its partition."""
    (directory,) = broker.log_dirs
    return {name: (directory / name).read_bytes() for name in ("meta.properties", "orders-0/partition.metadata")}


@pytest.mark.timeout(300)
def test_a_stock_broker_in_one_command(jars: Jars, root: Path) -> None:
    """Users would have no cluster for stock clients, JVMs that outlive it, or lose their data at the next start."""
    directory, home = root / "cluster", kafka_home(jars, root)
    with quickstart(directory, home) as process:
        stated = "Kafka 4.3.0 brokers: bootstrap.servers="
        eventually("READY", lambda: stated in process.log_text(), [process], READY_DEADLINE_S)
        found = re.search(rf"^{re.escape(stated)}(\S+)$", process.log_text(), re.MULTILINE)
        assert found is not None, process.log_text()
        assert "waiting for: kafka-broker-2 (starting)" in process.log_text()
        nodes = children_of(process.process.pid)
        assert sorted(nodes) == ["controller-1", "kafka-broker-2"]
        made = java(jars, TOPIC, "--bootstrap-server", found[1], "--create", "--topic", "orders")
        assert "Created topic orders." in made.stdout, made.stderr
        process.process.send_signal(signal.SIGINT)
        assert process.process.wait(TOOL_TIMEOUT_S) == ExitCode.INTERRUPTED, process.log_text()
        assert not any(is_alive(pid) for pid in nodes.values())

    broker = read_local_cluster(directory).kafka_brokers[0]
    log = broker.log_file.read_text(encoding="utf-8")
    assert "The controller has asked us to exit controlled shutdown" in log
    assert "shut down completed" in log
    before = kept(broker)
    again = kraftpy("quickstart", "--dir", str(directory), "--kafka-home", str(home), "--once", "-o", "json")
    assert again.returncode == 0, again.stderr
    summary = json.loads(again.stdout)
    assert summary["bootstrapServers"] == found[1]
    assert [(one["node"], one["nodeKind"]) for one in summary["nodes"]] == [
        ("controller-1", "controller"),
        ("kafka-broker-2", "kafka-broker"),
    ]
    assert kept(broker) == before
    assert "1 topic, 1 partition" in kraftpy("inspect", str(directory / "controller-1" / "data")).stdout
    assert holder_of(str(broker.log_dirs[0])) is None, "a JVM holds the lock of its directory while it runs"
