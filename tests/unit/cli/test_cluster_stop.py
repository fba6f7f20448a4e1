"""``cluster stop`` and ``cluster start``: what they check before any node is stopped or started."""

from __future__ import annotations

import errno
import os
import signal
from types import SimpleNamespace

import pytest

from kraftpy.cli import connection, options
from kraftpy.cli.errors import UnreachableError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.disaster_recovery.cluster_shutdown import read_shutdown
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.storage.filesystem import RealFile
from tests.unit.disaster_recovery.test_cluster_shutdown import SHUTDOWN


@pytest.mark.parametrize("command", ["stop", "start"])
@pytest.mark.parametrize("args", [(), ("--dir", "x", "-C", "h:1")])
def test_one_of_both_ways_is_named(run, command, args) -> None:
    """A directory or endpoints."""
    result = run("cluster", command, *args)
    assert (result.exit_code, "name either --dir, or" in result.stderr) == (ExitCode.USAGE, True)


def test_a_cluster_with_a_node_off_is_not_stopped(run, tmp_path) -> None:
    """It may be behind, and would come back without what the others have."""
    open_local_cluster(tmp_path / "c", controllers=1, brokers=1)
    result = run("cluster", "stop", "--dir", tmp_path / "c")
    assert (result.exit_code, "not running: controller-1, broker-2." in result.stderr) == (ExitCode.FAILURE, True)
    assert not (tmp_path / "c" / "cluster-shutdown.json").exists()


@pytest.mark.parametrize("command", ["stop", "start"])
def test_nothing_is_made_where_no_cluster_is(run, tmp_path, command) -> None:
    """An empty directory stays empty, a missing one missing, and a file is no directory."""
    record = tmp_path / "rest.json"
    if command == "start":
        record.write_text(SHUTDOWN.render())
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    for name, code, stated in (
        ("empty", ExitCode.FAILURE, "empty: holds no cluster; name the --dir of a `kraftpy quickstart`"),
        ("missing", ExitCode.FAILURE, "missing: there is no such directory"),
        ("file", ExitCode.USAGE, "is a file"),
    ):
        result = run("cluster", command, "--dir", tmp_path / name, "--record", record)
        assert (result.exit_code, stated in result.stderr) == (code, True), result.stderr
    assert list((tmp_path / "empty").iterdir()) == []
    assert not (tmp_path / "missing").exists()


def test_nothing_is_stopped_whose_moment_cannot_be_written_down(run, tmp_path, monkeypatch) -> None:
    """That is found before the cluster is asked; a disk that fails later still leaves the line to keep."""
    monkeypatch.setattr(connection, "connect", lambda *_, **__: Asked((30, 30)))
    monkeypatch.setattr("kraftpy.cli.cluster_stop._pause", lambda: None)
    result = run("cluster", "stop", "-C", "h:1", "--record", tmp_path / "no" / "rest.json")
    assert f"{tmp_path / 'no'} is not a writable directory" in result.stderr
    assert (result.exit_code, "Nothing was stopped" in result.stderr) == (ExitCode.FAILURE, True)
    monkeypatch.setattr(RealFile, "pwrite", full_disk)
    result = run("cluster", "stop", "-C", "h:1", "--record", tmp_path / "rest.json")
    line = result.stderr.partition("with --record: ")[2]
    assert (result.exit_code, read_shutdown(line.encode(), "stderr").offset) == (ExitCode.FAILURE, 30)
    assert list(tmp_path.iterdir()) == [], "half a record would pass for one"


def full_disk(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_cluster_with_kafka_brokers_is_left_to_its_quickstart(run, tmp_path) -> None:
    """They would be stopped without the wait that they need, or not started at all; both errors name the way out."""
    open_local_cluster(tmp_path / "c", controllers=1, brokers=None, kafka_brokers=1, level=30)
    record = tmp_path / "rest.json"
    stopped = run("cluster", "stop", "--dir", tmp_path / "c", "--record", record)
    assert (stopped.exit_code, record.exists()) == (ExitCode.FAILURE, False)
    assert "has Kafka brokers, which this command does not stop: end its `kraftpy quickstart`" in stopped.stderr
    record.write_text(SHUTDOWN.render())
    started = run("cluster", "start", "--dir", tmp_path / "c", "--record", record)
    assert (started.exit_code, "start it with `kraftpy quickstart --dir" in started.stderr) == (ExitCode.FAILURE, True)


def test_a_rest_is_not_forgotten(run, tmp_path) -> None:
    """The record of a cluster that was not started again is kept, and a start needs one."""
    open_local_cluster(tmp_path / "c", controllers=1, brokers=0)
    nothing = run("cluster", "start", "--dir", tmp_path / "c").stderr
    assert f"{tmp_path / 'c' / 'cluster-shutdown.json'}: there is no such file" in nothing
    assert "`kraftpy quickstart --dir`" in nothing, "the way out"
    (tmp_path / "c" / "cluster-shutdown.json").write_text(SHUTDOWN.render())
    assert "was stopped and not started again" in run("cluster", "stop", "--dir", tmp_path / "c").stderr


@pytest.mark.parametrize("command", ["stop", "start"])
def test_endpoints_are_judged_before_anything_else(run, command) -> None:
    """As with every command that takes them: what is no host:port is bad usage, with the value."""
    result = run("cluster", command, "-C", "localhost")
    assert (result.exit_code, "'localhost' is not host:port" in result.stderr) == (ExitCode.USAGE, True)


class Asked:
    """Answers what a leader says of its quorum, one answer after the other."""

    def __init__(self, *offsets) -> None:
        self.offsets = list(offsets)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def describe_quorum(self):
        mark, *ends = self.offsets.pop(0) if len(self.offsets) > 1 else self.offsets[0]
        replicas = [
            SimpleNamespace(key=SimpleNamespace(node_id=one), log_end_offset=end) for one, end in enumerate(ends, 1)
        ]
        return SimpleNamespace(
            leader_id=1, leader_epoch=4, high_watermark=mark, voters=replicas[:2], observers=replicas[2:]
        )

    def describe_cluster(self):
        return SimpleNamespace(cluster_id="c")


def test_it_waits_until_all_hold_the_same(run, tmp_path, monkeypatch) -> None:
    """Through a writer and a laggard to two equal looks; what was seen is written down."""
    asked = Asked((28, 28, 28, 28), (30, 30, 30, 28), (30, 30, 30, 30), (30, 30, 30, 30))
    monkeypatch.setattr(connection, "connect", lambda *_, **__: asked)
    monkeypatch.setattr("kraftpy.cli.cluster_stop._pause", lambda: None)
    record = tmp_path / "rest.json"
    result = run("cluster", "stop", "-C", "h:1", "--record", record)
    assert result.exit_code == ExitCode.OK, result.stderr
    assert "3. node 1" in result.stdout
    rest = read_shutdown(record.read_bytes(), "rest.json")
    assert (rest.offset, rest.node_ids, rest.cluster_id, len(asked.offsets)) == (30, (1, 2, 3), "c", 1)
    assert "STARTED: all 3 nodes are back" in run("cluster", "start", "-C", "h:1", "--record", record).stdout
    assert not record.exists()


def test_calls_are_made_as_requested(run, tmp_path, monkeypatch) -> None:
    """With the endpoints, the time and the TLS files of the command line; endpoints also come from the environment."""
    calls = []

    def connect(bootstrap, timeout, _runner, **_):
        calls.append((bootstrap, timeout, options.chosen_tls()))
        return Asked((30, 30))

    monkeypatch.setattr(connection, "connect", connect)
    monkeypatch.setattr("kraftpy.cli.cluster_stop._pause", lambda: None)
    monkeypatch.setenv("KRAFTPY_BOOTSTRAP_CONTROLLER", "h:1,h:2")
    record = ("--record", tmp_path / "rest.json")
    assert run("cluster", "stop", *record, "--timeout", "2", "--tls-ca", "ca.pem").exit_code == ExitCode.OK
    assert set(calls) == {(("h:1", "h:2"), 2.0, options.TlsOptions("ca.pem"))}
    calls.clear()
    assert run("cluster", "start", *record, "--bootstrap-server", "h:3", "--tls-cert", "c.pem").exit_code == ExitCode.OK
    assert set(calls) == {(("h:3",), 5.0, options.TlsOptions(identity="c.pem"))}
    assert "there is no such directory" in run("cluster", "stop", "--dir", tmp_path / "no").stderr, "--dir goes first"


def test_it_gives_up_on_a_cluster_that_is_written_to(run, tmp_path, monkeypatch) -> None:
    """With what kept it awake; nothing is written down."""
    monkeypatch.setattr(connection, "connect", lambda *_, **__: Asked((30, 30, 29)))
    result = run("cluster", "stop", "-C", "h:1", "--record", tmp_path / "rest.json", "--wait", "0.01")
    assert (result.exit_code, "node 2 is at offset 29, not 30; nothing was stopped" in result.stderr) == (1, True)
    assert not (tmp_path / "rest.json").exists()


def test_it_prints_what_it_waits_for(run, tmp_path, monkeypatch) -> None:
    """A wait of up to a minute without a word looks like a hang."""
    monkeypatch.setattr(connection, "connect", lambda *_, **__: Asked((30, 30, 28)))
    clock = [0.0]
    monkeypatch.setattr("kraftpy.cli.cluster_stop._now", lambda: clock[0])
    monkeypatch.setattr("kraftpy.cli.waiting.SILENT_S", 2.0)

    def pause() -> None:
        clock[0] += 0.5

    monkeypatch.setattr("kraftpy.cli.cluster_stop._pause", pause)
    result = run("cluster", "stop", "-C", "h:1", "--record", tmp_path / "rest.json", "--wait", "10")
    waiting = [line for line in result.stderr.splitlines() if line.startswith("# waiting: ")]
    assert (result.exit_code, len(waiting)) == (ExitCode.FAILURE, 1), result.stderr
    assert "node 2" in waiting[0]
    quick = run("cluster", "stop", "-C", "h:1", "--record", tmp_path / "rest.json", "--wait", "1")
    assert "# waiting" not in quick.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, ExitCode.INTERRUPTED), (signal.SIGTERM, ExitCode.OK)])
def test_nodes_that_were_started_are_stopped_by_a_signal(run, tmp_path, monkeypatch, number, code) -> None:
    """In order, as quickstart's; Ctrl-C shows in the code and in a line."""
    done = []

    class Children:
        def __init__(self, cluster) -> None:
            del cluster

        async def start_all(self) -> None:
            os.kill(os.getpid(), number)
            done.append("started")

        async def stop_all(self) -> list[str]:
            done.append("stopped")
            return []

    open_local_cluster(tmp_path / "c", controllers=1, brokers=0)
    (tmp_path / "c" / "cluster-shutdown.json").write_text(SHUTDOWN.render())
    monkeypatch.setattr("kraftpy.local_cluster.child_processes.ChildProcesses", Children)
    monkeypatch.setattr("kraftpy.cli.cluster_stop._compare_directories", lambda *_: None)
    monkeypatch.setattr(connection, "connect", refuse)
    result = run("cluster", "start", "--dir", tmp_path / "c")
    assert (result.exit_code, done) == (code, ["started", "stopped"]), result.stderr
    assert result.stderr == ("error: interrupted (SIGINT)\n" if number is signal.SIGINT else "")


def refuse(*_, **__):
    raise UnreachableError("no controller")
