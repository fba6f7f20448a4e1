"""Directories and configurations that a node must refuse: exit code 1 and one line with value, place and way out."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket

import pytest

from kraftpy.local_cluster.cluster import LocalNode, open_local_cluster
from kraftpy.storage.names import METADATA_DIRECTORY
from tests.fakes.processes import (
    PATIENCE_S,
    Load,
    configure,
    error_line,
    kraftpy,
    read_log,
    run_node,
    running,
    started,
)

WRITES = 60


@pytest.fixture(scope="module")
def seed(tmp_path_factory):
    """The directory of a single controller that has written, made snapshots, and stopped in order."""
    root = tmp_path_factory.mktemp("seed")

    async def fill():
        extra = {"metadata.log.max.record.bytes.between.snapshots": "2000"}
        async with running(root, controllers=1, extra=extra) as cluster:
            await cluster.leader()
            async with cluster.client() as client:
                load = Load(client)
                for _ in range(WRITES):
                    await load.write()
            assert await cluster.terminate(1) == 0
        return root

    return asyncio.run(fill())


@pytest.fixture
def node(seed, tmp_path) -> LocalNode:
    """A copy of that controller, to be corrupt."""
    shutil.copytree(seed, tmp_path / "copy")
    (copy,) = open_local_cluster(tmp_path / "copy", controllers=None, brokers=None).nodes
    configure(copy, log__dirs=str(copy.directory / "data"))
    return copy


def refusal(node) -> str:
    """Start a node that must refuse; return the one line that says why."""
    result = run_node(node)
    assert result.returncode == 1, result.stderr
    return error_line(result)


def metadata(node):
    return node.log_dirs[0] / METADATA_DIRECTORY


def flip(path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.chmod(0o644)
    path.write_bytes(data)


def test_the_seed_starts(node):
    """The copy that the other tests corruption is sound: it runs, and stops with 0."""
    with started(node, "elected") as process:
        process.send_signal(signal.SIGTERM)
        assert process.ended.result(PATIENCE_S) == 0, node.log_file.read_text()


def test_a_corrupt_snapshot(node):
    """A snapshot with a flipped bit stops the start, with the file and the ways out."""
    newest = max(metadata(node).glob("*.checkpoint"))
    flip(newest, newest.stat().st_size // 2)
    line = refusal(node)
    assert str(newest) in line


def test_a_corrupt_segment(node):
    """A flipped byte in the committed middle of the log names file and offset, and nothing is cut."""
    batches = read_log(metadata(node))
    middle = batches[len(batches) // 2]
    (segment,) = metadata(node).glob("*.log")
    data = segment.read_bytes()
    flip(segment, data.index(middle.data) + 70)
    line = refusal(node)
    assert str(segment) in line
    assert f"offset {middle.base_offset}" in line
    assert "Ways out" in line
    assert len(segment.read_bytes()) == len(data), "nothing is cut"


def test_a_missing_end(node):
    """A log that lost what was durable and committed is refused, with both offsets."""
    (segment,) = metadata(node).glob("*.log")
    batches = read_log(metadata(node))
    for snapshot in metadata(node).glob("*.checkpoint"):
        snapshot.unlink()
    keep = segment.read_bytes().index(batches[len(batches) // 2].data)
    os.truncate(segment, keep)
    line = refusal(node)
    assert f"ends at offset {batches[len(batches) // 2].base_offset}" in line
    assert "Ways out" in line


def test_a_quorum_state_from_the_future(node):
    """A quorum-state with an unknown data_version is rejected rather than guessed at."""
    path = metadata(node) / "quorum-state"
    state = json.loads(path.read_text().splitlines()[0])  # the second line is the first one's checksum
    path.write_text(json.dumps(state | {"data_version": 99}))
    line = refusal(node)
    assert "99" in line
    assert str(path) in line


def test_the_directory_of_another_node(node):
    """A node that finds another node's id in its directory does not touch it."""
    voters = node.properties["controller.quorum.voters"]
    configure(node, node__id="2", controller__quorum__voters="2@" + voters.partition("@")[2])
    line = refusal(node)
    assert str(node.log_dirs[0]) in line
    assert "1" in line
    assert "2" in line


def test_directories_of_two_clusters(node):
    """Two directories with two cluster ids are refused, with both ids and both files."""
    other = node.directory / "data-2"
    other.mkdir()
    ours = (node.log_dirs[0] / "meta.properties").read_text()
    cluster_id = next(line.partition("=")[2] for line in ours.splitlines() if line.startswith("cluster.id="))
    theirs = "".join(
        f"{line}\n"
        for line in ours.replace(cluster_id, "AAAAAAAAAAAAAAAAAAAAAQ").splitlines()
        if "directory" not in line and not line.startswith("#")  # a comment holds the checksum
    )
    (other / "meta.properties").write_text(theirs + "directory.id=AAAAAAAAAAAAAAAAAAAABQ\n")
    configure(node, log__dirs=f"{node.directory / 'data'},{other}")
    line = refusal(node)
    assert cluster_id in line
    assert "AAAAAAAAAAAAAAAAAAAAAQ" in line
    assert str(other) in line
    assert str(node.directory / "data") in line


def test_a_pinned_cluster(node):
    """A node that is configured with a cluster id refuses a directory of another cluster."""
    configure(node, cluster__id__expected="AAAAAAAAAAAAAAAAAAAAAQ")
    line = refusal(node)
    assert "AAAAAAAAAAAAAAAAAAAAAQ" in line
    assert str(node.log_dirs[0]) in line


def test_a_file_where_a_directory_should_be(node):
    """A log directory that is a file is named, with what to do."""
    path = node.directory / "file"
    path.write_text("not a directory")
    configure(node, log__dirs=str(path))
    line = refusal(node)
    assert str(path) in line
    assert "there is a file" in line
    assert path.read_text() == "not a directory"


def test_a_port_in_use(node):
    """A listener whose port is in use names the listener, its address and the way out."""
    for key in ("listeners", "grpc.listener", "metrics.listener"):
        _, _, port = node.properties[key].rpartition(":")
        with socket.socket() as holder:
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind(("127.0.0.1", int(port)))
            holder.listen()
            line = refusal(node)
            assert port in line, key
        assert key in line, key


def test_two_processes_on_one_directory(node):
    """The second process on a directory is refused by its lock, and the first goes on."""
    with started(node, "listening") as first:
        line = refusal(node)
        assert str(node.log_dirs[0]) in line
        assert ".lock" in line
        assert "Another process" in line
        assert first.returncode is None, "the first goes on"


@pytest.mark.parametrize(
    ("key", "value", "states"),
    [
        ("node.id", "one", "whole number"),
        ("controller.quorum.fetch.timeout.ms", "0", "too small"),
        ("controller.quorum.voters", "1@127.0.0.1", "controller.quorum.voters"),
        ("process.roles", "king", "process.roles"),
        ("listeners", "CONTROLLER://127.0.0.1:notaport", "listeners"),
        ("metadata.auto.format.voter", "perhaps", "neither true nor false"),
    ],
)
def test_a_bad_value(node, key, value, states):
    """A value that its key does not allow is refused with file, line, key and value."""
    configure(node, **{key.replace(".", "__"): value})
    line = refusal(node)
    assert str(node.config_file) in line
    assert key in line
    assert value in line
    assert states in line


def test_an_unknown_property(node):
    """A misspelt key is a warning with the nearest known one, and the node starts."""
    configure(node, controller__quorum__fetch__timeout__msec="1000")
    with started(node, "elected"):
        warnings = [line for line in node.log_file.read_text().splitlines() if "[warning" in line]
        (line,) = [line for line in warnings if "controller.quorum.fetch.timeout.msec" in line]
        assert "did you mean controller.quorum.fetch.timeout.ms?" in line
        assert str(node.config_file) in line


def test_no_configuration_file(tmp_path):
    """A configuration file that is not there is named."""
    result = kraftpy("controller", "--config", tmp_path / "nowhere.properties")
    assert result.returncode == 1
    line = error_line(result)
    assert str(tmp_path / "nowhere.properties") in line
