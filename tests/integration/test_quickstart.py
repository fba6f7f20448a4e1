"""``kraftpy quickstart``: from empty directories to READY, on from there, and what it does when something ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.storage.locks import holder_of
from kraftpy.storage.names import METADATA_DIRECTORY
from tests.fakes.fake_kafka import java_home, kafka_home
from tests.fakes.processes import PATIENCE_S, QUICK_TIMERS, check_offsets, kraftpy, read_log
from tests.unit.cli.json_outputs import faults

TIMERS = [part for key, value in QUICK_TIMERS.items() for part in ("--property", f"{key}={value}")]


def ready(directory, *args):
    """Run ``quickstart --once`` and return its summary."""
    result = kraftpy("quickstart", "--dir", directory, "--once", "-o", "json", *args, timeout_s=2 * PATIENCE_S)
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    assert faults("quickstart --once", summary) == []
    return summary


def ids_on_disk(sandbox):
    """The cluster id of every log directory, read without the product's help."""
    found = {}
    for node in sandbox.nodes:
        for directory in node.log_dirs:
            lines = (directory / "meta.properties").read_text().splitlines()
            found[directory] = [line.partition("=")[2] for line in lines if line.startswith("cluster.id=")]
    return found


def test_from_empty_directories_to_ready_twice(tmp_path):
    """Three controllers and three brokers become ready with one id everywhere; a second run goes on from there."""
    directory = tmp_path / "cluster"
    first = ready(directory, *TIMERS)
    sandbox = open_local_cluster(directory, controllers=3, brokers=3)
    assert first["ready"] is True
    assert {one["node"]: one["state"] for one in first["nodes"] if one["node"].startswith("broker")} == {
        "broker-4": "running",
        "broker-5": "running",
        "broker-6": "running",
    }
    assert first["leaderId"] in {1, 2, 3}
    assert first["metadataVersion"] == "5.0-IV0"
    cluster_id = first["clusterId"]
    assert len(cluster_id) == 22
    assert ids_on_disk(sandbox) == {directory: [cluster_id] for node in sandbox.nodes for directory in node.log_dirs}
    assert len(ids_on_disk(sandbox)) == 3 + 2 * 3
    reported = {path: found for one in first["nodes"] for path, found in one["clusterIds"].items()}
    assert reported == {str(path / "meta.properties"): cluster_id for path in ids_on_disk(sandbox)}

    for controller, api, kafka in zip(
        sandbox.controllers,
        first["bootstrapControllers"].split(","),
        first["kafkaBootstrapControllers"].split(","),
        strict=True,
    ):
        assert api == controller.properties["grpc.listener"]
        assert f"CONTROLLER://{kafka}" == controller.properties["listeners"]

    second = ready(directory)
    assert second["clusterId"] == cluster_id
    assert second["highWatermark"] > first["highWatermark"], "offsets go on"
    assert second["leaderEpoch"] > first["leaderEpoch"]
    for node in sandbox.nodes:
        batches = read_log(node.log_dirs[0] / METADATA_DIRECTORY)
        check_offsets(batches)
        assert batches[-1].next_offset >= second["highWatermark"] - 1, node.name


@contextmanager
def quickstart(directory, *args):
    """Run ``quickstart`` in the foreground; yields the process and a function that reads up to a word."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kraftpy", "quickstart", "--dir", str(directory), *TIMERS, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            # Its own SIGTERM handler takes the children along.
            process.terminate()
            process.wait(PATIENCE_S)
        process.stdout.close()
        process.stderr.close()


def children_of(pid: int) -> dict[str, int]:
    """The nodes that a quickstart runs: node name -> process id."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        config = next((word for word in words if word.endswith(b"server.properties")), None)
        if config is not None:
            found[config.decode().split("/")[-2]] = int(child)
    return found


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def read_until(stream, word: str) -> str:
    text = ""
    for line in stream:
        text += line
        if word in line:
            return text
    raise AssertionError(f"{word!r} never came; there was {text!r}")


def test_ctrl_c_stops_one_controller_and_one_broker(tmp_path):
    """``--controllers 1 --brokers 1`` becomes ready; Ctrl-C stops both, and the code and a line say so."""
    with quickstart(tmp_path / "small", "--controllers", "1", "--brokers", "1") as process:
        reported = re.search(r"READY .*  kafka=(\S+)  dir=", read_until(process.stdout, "READY"))
        asked = kraftpy("metadata-quorum", "ok-to-stop", "1", "--bootstrap-controllers", reported[1])
        assert (asked.returncode, "without 1, 0 of 1 voters would be running" in asked.stdout) == (3, True), (
            asked.stdout,
            asked.stderr,
        )
        nodes = children_of(process.pid)
        assert sorted(nodes) == ["broker-2", "controller-1"]
        process.send_signal(signal.SIGINT)
        code, stated = process.wait(PATIENCE_S), process.stderr.read()
        assert (code, stated) == (ExitCode.INTERRUPTED, "error: interrupted (SIGINT)\n")
        assert not any(is_alive(pid) for pid in nodes.values())
    for node in open_local_cluster(tmp_path / "small", controllers=None, brokers=None).nodes:
        last = node.log_file.read_text().splitlines()[-1]
        assert "stop" in node.log_file.read_text(), last
        assert "Traceback" not in node.log_file.read_text()


def described(api, *options):
    """What ``topics describe`` says: topic and partition to leader, replicas and ISR."""
    result = kraftpy("topics", "describe", "--bootstrap-controller", api, "-o", "json", *options)
    assert result.returncode == 0, result.stderr
    return {
        (topic["topic"], one["partition"]): (one["leaderId"], one["replicas"], one["isr"])
        for topic in json.loads(result.stdout)
        for one in topic["partitions"]
    }


@pytest.mark.landing
def test_topics_on_racks_survive_the_loss_of_a_rack(tmp_path):
    """``--racks 2 --topics 2``: each partition has a replica in each rack, and a leader when one rack is gone."""
    sizes = ("--controllers", "1", "--brokers", "4", "--racks", "2", "--topics", "2")
    with quickstart(tmp_path / "racks", *sizes) as process:
        api = re.search(r"READY .*  controllers=(\S+)", read_until(process.stdout, "READY"))[1]
        racks = {2: "rack-1", 3: "rack-2", 4: "rack-1", 5: "rack-2"}
        before = described(api)
        assert sorted(before) == [(f"topic-{topic}", partition) for topic in (1, 2) for partition in range(6)]
        for leader, replicas, isr in before.values():
            assert leader == replicas[0]
            assert isr == replicas
            assert {racks[replica] for replica in replicas} == {"rack-1", "rack-2"}
        assert kraftpy("cluster", "ok-to-stop", "3", "-C", api).stdout.startswith("yes: replicas on broker 3: ")
        nodes = children_of(process.pid)
        for broker in (3, 5):
            os.kill(nodes[f"broker-{broker}"], signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE_S
        while not all(set(isr) <= {2, 4} for _, _, isr in described(api).values()):
            assert time.monotonic() < deadline, described(api)
        after = described(api)
        assert {leader for leader, _, _ in after.values()} == {2, 4}
        assert {key: replicas for key, (_, replicas, _) in after.items()} == {
            key: replicas for key, (_, replicas, _) in before.items()
        }
        assert described(api, "--unavailable-partitions") == {}
        no = kraftpy("cluster", "ok-to-stop", "2", "-C", api)
        assert no.returncode == ExitCode.FINDINGS, no.stderr
        offline = r"no: replicas on broker 2: .*; without it \d+ \(topic-1-\d, .*\) would be offline\n$"
        assert re.match(offline, no.stdout), no.stdout
        log = (tmp_path / "racks" / "controller-1" / "node.log").read_text()
        assert {
            int(one)
            for listed in re.findall(r"brokers_failed .*brokers=\[([\d, ]+)\]", log)
            for one in listed.split(",")
        } == {3, 5}
        assert "partitions_offline" not in log
    ready(tmp_path / "racks", "--topics", "3")
    state = kraftpy("inspect", tmp_path / "racks" / "controller-1" / "data").stdout
    assert "3 topics, 18 partitions" in state


@pytest.fixture
def hangups():
    """Let a child get SIGHUP, also where these tests run under nohup, which has it ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangups")
def test_a_closed_terminal_leaves_no_node_behind(tmp_path):
    """It sends SIGHUP, and what is printed after that goes nowhere; the nodes have sessions of their own."""
    with quickstart(tmp_path / "one", "--controllers", "1", "--brokers", "0") as process:
        read_until(process.stdout, "READY")
        nodes = children_of(process.pid)
        assert list(nodes) == ["controller-1"]
        process.stdout.close()
        process.send_signal(signal.SIGHUP)
        process.wait(PATIENCE_S)
        left = [pid for pid in nodes.values() if is_alive(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert left == []


def test_the_others_go_on_without_a_child_that_dies(tmp_path):
    """The leader is killed: quickstart says so, another one leads, and Ctrl-C stops the rest in order."""
    with quickstart(tmp_path / "three", "--brokers", "1") as process:
        leads = re.compile(r"^(controller-\d): leader$", re.MULTILINE)
        leader = leads.findall(read_until(process.stdout, "READY"))[-1]
        os.kill(children_of(process.pid)[leader], signal.SIGKILL)
        stated = read_until(process.stdout, f"{leader}: was killed (SIGKILL)")
        while not leads.search(stated):
            stated += read_until(process.stdout, ": leader")
        assert leader not in leads.findall(stated)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == ExitCode.INTERRUPTED


def test_a_majority_that_dies_ends_it_with_its_last_words(tmp_path):
    """Without a majority there is nothing to show: exit code 1, the name, the last words, no process left behind."""
    # A broker that wants to leave in order would look for a controller for ten seconds.
    at_once = ("--property", "controlled.shutdown.enable=false")
    with quickstart(tmp_path / "small", "--controllers", "1", "--brokers", "1", *at_once) as process:
        read_until(process.stdout, "READY")
        nodes = children_of(process.pid)
        os.kill(nodes["controller-1"], signal.SIGKILL)
        assert process.wait(PATIENCE_S) == 1
        words = process.stderr.read()
        assert "controller-1 was killed (SIGKILL). Its last words:" in words
        assert "node_starting" in words
        log_file = tmp_path / "small" / "controller-1" / "node.log"
        last = words.splitlines()[-1]
        assert last == f"error: a majority of the controllers is gone; more of their words: {log_file}"
        assert not any(is_alive(pid) for pid in nodes.values())


def test_a_majority_that_is_stopped_in_order_is_no_failure(tmp_path):
    """As ``kraftpy cluster stop`` stops it from another terminal, whatever became of a broker before: exit code 0."""
    with quickstart(tmp_path / "small", "--controllers", "1", "--brokers", "1") as process:
        read_until(process.stdout, "READY")
        nodes = children_of(process.pid)
        os.kill(nodes["broker-2"], signal.SIGKILL)
        read_until(process.stdout, "broker-2: was killed (SIGKILL)")
        os.kill(nodes["controller-1"], signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0, process.stderr.read()
        assert "stopped from elsewhere, in order; so is the rest" in process.stdout.read()
        assert process.stderr.read() == ""
        assert not any(is_alive(pid) for pid in nodes.values())


def test_a_kafka_broker_that_dies_at_its_start_ends_it_with_its_last_lines(tmp_path):
    """The user would wait for the whole timeout, or have to find the log to learn why; no node is left behind."""
    home, root = kafka_home(tmp_path / "kafka"), tmp_path / "cluster"
    java = java_home(tmp_path / "java", then="echo 'java.net.BindException: Address already in use'; exit 3")
    command = [sys.executable, "-m", "kraftpy", "quickstart", "--dir", str(root), "--once", *TIMERS]
    command += ["--controllers", "1", "--kafka-brokers", "1", "--kafka-home", str(home)]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        env=os.environ | {"JAVA_HOME": str(java)},
    )  # fmt: skip
    assert result.returncode == ExitCode.FAILURE
    broker = open_local_cluster(root, controllers=None, brokers=None).kafka_brokers[0]
    assert "kafka-broker-2 ended with code 3. Its last words:\njava.net.BindException" in result.stderr
    last = result.stderr.splitlines()[-1]
    assert last == f"error: not every node came up; more of their words: {broker.log_file}"
    nodes = open_local_cluster(root, controllers=None, brokers=None).nodes
    assert [holder_of(str(node.log_dirs[0])) for node in nodes] == [None, None]


def test_another_size_is_refused(tmp_path):
    """A directory that holds a cluster of another size, or something else, is refused with the way out."""
    open_local_cluster(tmp_path / "small", controllers=1, brokers=1)
    result = kraftpy("quickstart", "--dir", tmp_path / "small", "--controllers", "3", "--once")
    assert result.returncode == 1
    assert "holds a cluster with 1 controllers, not 3" in result.stderr
    assert "--dir" in result.stderr
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("not a cluster")
    result = kraftpy("quickstart", "--dir", tmp_path / "other", "--once")
    assert result.returncode == 1
    assert "is not empty and holds no cluster" in result.stderr
