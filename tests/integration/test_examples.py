"""The programs of docs/examples run as a user runs them, all against one quorum."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from kraftpy.client.values import NewTopic, Resource
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.model.resource_types import ResourceType
from tests.fakes.interrupts import children_get_sigint
from tests.fakes.processes import PATIENCE_S, ROOT, Cluster, Load, eventually, read_log, running

EXAMPLES = ROOT / "docs" / "examples"
SLOW_MACHINE_S = 600
"""How long Spark may take, as in tests/spark: a JVM starts in some 20 s, and in minutes beside other work."""

CONTROLLER = 1
BROKER = 2

on_loop_of_quorum = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def quorum(tmp_path_factory) -> AsyncIterator[Cluster]:
    """One controller, and one broker to place topics on."""
    async with running(tmp_path_factory.mktemp("examples"), controllers=1, brokers=1) as cluster:
        await eventually(cluster.brokers, lambda one: one == {BROKER: False}, "the broker is unfenced")
        yield cluster


def address_of(quorum: Cluster) -> str:
    address = quorum.node(CONTROLLER).grpc_endpoint
    assert address
    return address


@asynccontextmanager
async def example(*command: object, cwd: Path, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a program; in the end it is killed."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=cwd,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=1 << 20,
        env=os.environ | environment,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def run(*command: object, cwd: Path, timeout_s: float = PATIENCE_S, **environment: str) -> str:
    """Run a program to its end; return what it prints."""
    async with example(*command, cwd=cwd, **environment) as process, asyncio.timeout(timeout_s):
        printed = (await process.communicate())[0].decode()
        assert process.returncode == 0, printed
        return printed


async def lines_until(process: asyncio.subprocess.Process, text: str) -> list[str]:
    """Read lines up to the first that contains a text."""
    assert process.stdout
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while not lines or text not in lines[-1]:
            line = (await process.stdout.readline()).decode()
            assert line, f"it ended without {text!r}: {lines}"
            lines.append(line)
    return lines


async def stored(path: Path, offset: int) -> None:
    """Wait until a file of an offset has this one, or a later one."""

    async def read() -> int:
        return int(await asyncio.to_thread(path.read_text, "ascii"))

    await eventually(read, lambda one: one >= offset, f"{path} has offset {offset}")


def offsets(lines: list[str]) -> list[tuple[int, int]]:
    """Return first and last offset of each batch that was printed, in order."""
    found = [(int(one[1]), int(one[2])) for line in lines if (one := re.match(r"(\d+)-(\d+) epoch ", line))]
    return list(dict.fromkeys(found))


@pytest.fixture
def interrupts():
    """Let a child get SIGINT, also where these tests run as a background job, which has it ignored."""
    with children_get_sigint():
        yield


@pytest.mark.usefixtures("interrupts")
@on_loop_of_quorum
async def test_follow_a_quorum(quorum, tmp_path):
    """An offset is missing or repeated after the controller restarts, or after the program does."""
    command = (sys.executable, EXAMPLES / "follow_a_quorum.py", address_of(quorum), "offset")
    async with quorum.client() as client:
        load = Load(client, "followed")
        await load.write()
        async with example(*command, cwd=tmp_path) as process:
            lines = await lines_until(process, "followed-000001")
            await quorum.kill(CONTROLLER)
            await quorum.start(CONTROLLER)
            await load.write()
            lines += await lines_until(process, "followed-000002")
            await stored(tmp_path / "offset", load.last_offset + 1)
            process.send_signal(signal.SIGINT)
            async with asyncio.timeout(PATIENCE_S):
                rest, _ = await process.communicate()
            lines += rest.decode().splitlines()
            assert process.returncode == 130, rest
        await load.write()
        async with example(*command, cwd=tmp_path) as process:
            again = await lines_until(process, "followed-000003")
    assert lines[0] == f"following {address_of(quorum)} from offset 0\n"
    first_run, second_run = offsets(lines), offsets(again)
    assert again[0] == f"following {address_of(quorum)} from offset {second_run[0][0]}\n"
    if second_run[0] == first_run[-1]:  # It was interrupted after it printed the batch and before it stored the offset.
        first_run.pop()
    batches = first_run + second_run
    assert batches[0][0] == 0
    assert [first for first, _ in batches[1:]] == [last + 1 for _, last in batches[:-1]]


@on_loop_of_quorum
async def test_watch_leaders(quorum, tmp_path):
    """A topic or a leader is not what the program prints, before the watch or while it runs."""
    command = (sys.executable, EXAMPLES / "watch_leaders.py", address_of(quorum))
    async with quorum.client() as client:
        await client.create_topics([NewTopic(name="watched", partitions=2)])
        async with example(*command, cwd=tmp_path) as process:
            lines = await lines_until(process, f"watched-1: broker {BROKER} leads")
            assert [line for line in lines if line.startswith("watched")] == [
                "watched: created\n",
                f"watched-0: broker {BROKER} leads\n",
                f"watched-1: broker {BROKER} leads\n",
            ]
            await client.create_topics([NewTopic(name="second", partitions=1)])
            assert (await lines_until(process, "second-0"))[0] == "second: created\n"
            await client.delete_topics(["watched"])
            assert await lines_until(process, "watched") == ["watched: deleted\n"]


@on_loop_of_quorum
async def test_drive_over_grpc(quorum, tmp_path):
    """The topic or its config is not what the program prints."""
    command = (sys.executable, EXAMPLES / "drive_over_grpc.py", address_of(quorum), "driven")
    printed = await run(*command, cwd=tmp_path)
    assert "created driven with 3 partitions" in printed
    assert "retention.ms of driven is 86400000" in printed
    assert "driven exists already" in await run(*command, cwd=tmp_path)
    async with quorum.client() as client:
        configs = await client.describe_configs([Resource(ResourceType.TOPIC, "driven")])
        (topic,) = (await client.describe_topics(["driven"])).topics
    assert list(configs.resources.values()) == [{"retention.ms": "86400000"}]
    assert topic.partition_count == 3


@on_loop_of_quorum
@pytest.mark.skipif(shutil.which("grpcurl") is None, reason="drive_with_grpcurl.sh needs grpcurl, which is not on PATH")
async def test_drive_with_grpcurl(quorum, tmp_path):
    """A message of the script does not fit the API, or the topic or its config is not what it prints."""
    printed = await run("sh", EXAMPLES / "drive_with_grpcurl.sh", address_of(quorum), "by-hand", cwd=tmp_path)
    assert "kraftpy.v1.AdminService.CreateTopics" in printed
    assert "message NewTopic {" in printed
    assert '"error"' not in printed
    assert re.search(r'"name": "retention.ms",\s+"value": "86400000"', printed), printed
    async with quorum.client() as client:
        configs = await client.describe_configs([Resource(ResourceType.TOPIC, "by-hand")])
        (topic,) = (await client.describe_topics(["by-hand"])).topics
    assert list(configs.resources.values()) == [{"retention.ms": "86400000"}]
    assert topic.partition_count == 3


@pytest.mark.landing
@on_loop_of_quorum
@pytest.mark.timeout(SLOW_MACHINE_S)
async def test_audit_with_spark(quorum, tmp_path):
    """A node is missing in the summary, or its records are counted wrong."""
    copy = tmp_path / "copy"
    await asyncio.to_thread(shutil.copytree, quorum.sandbox.root, copy)
    printed = await run(sys.executable, EXAMPLES / "audit_with_spark.py", copy, cwd=tmp_path, timeout_s=SLOW_MACHINE_S)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines() if "|" in line]
    assert rows[0] == ["cluster", "node", "type", "records", "first", "last"]
    for node_id in (CONTROLLER, BROKER):
        counts = {kind: int(count) for _, node, kind, count, _, _ in rows[1:] if node == str(node_id)}
        log = read_log(copy / quorum.data(node_id).relative_to(quorum.sandbox.root))
        assert counts["CLUSTER_ID_RECORD"] == 1, printed
        assert sum(counts.values()) == sum(batch.last_offset - batch.base_offset + 1 for batch in log), printed


@on_loop_of_quorum
async def test_embed_a_controller(tmp_path):
    """The fixture's controller does not start, or is left running."""
    printed = await run(
        sys.executable, EXAMPLES / "embed_a_controller.py", cwd=tmp_path, PYTEST_DEBUG_TEMPROOT=str(tmp_path)
    )
    assert "1 passed" in printed
    (directory,) = {path.parent for path in tmp_path.glob("pytest-of-*/pytest-0/**/controller-1/server.properties")}
    (node,) = open_local_cluster(directory.parent, controllers=None, brokers=None).nodes
    with (
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.1", int(node.properties["grpc.listener"].rpartition(":")[2]))),
    ):
        pass


def test_every_example_has_a_row():
    """A program is not on the page, or the page names one that is missing."""
    listed = set(re.findall(r"^\| \[([\w.]+)\]\(\1\) \|", (EXAMPLES / "README.md").read_text("utf-8"), re.MULTILINE))
    assert listed == {path.name for path in EXAMPLES.iterdir() if path.is_file()} - {"README.md"}
