"""``kraftpy roll`` on real processes: every node restarts once, in order, and nothing that was acknowledged is lost.

The restart command asks the test, which owns the processes, and waits for its answer.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.processes import (
    ROOT,
    STEADY,
    configure,
    described,
    error_line,
    eventually,
    kraftpy,
    running,
    under_load,
)

RACKS = {4: "b", 5: "a", 6: "a"}

ASK = """\
import pathlib, sys, time

asked = pathlib.Path(sys.argv[1]) / sys.argv[2]
asked.with_suffix(".asked").write_text(" ".join(sys.argv[2:]))
while not asked.with_suffix(".answer").exists():
    time.sleep(0.05)
answer = asked.with_suffix(".answer").read_text()
asked.with_suffix(".answer").unlink()
sys.exit(int(answer))
"""


class Operator:
    """Restarts the nodes that a roll asks for; each may be treated otherwise, by its id."""

    def __init__(self, cluster, root: Path) -> None:
        self.cluster = cluster
        self.directory = root / "asked"
        self.directory.mkdir()
        script = root / "ask.py"
        script.write_text(ASK)
        self.command = f"{sys.executable} {script} {self.directory} {{id}} {{role}} {{host}}"
        self.order: list[int] = []
        self.words: list[str] = []
        self.instead = {}

    async def serve(self) -> None:
        while True:
            for path in self.directory.glob("*.asked"):
                words = path.read_text().split()
                if len(words) < 3:
                    continue
                path.unlink()
                self.order.append(int(words[0]))
                self.words.append(" ".join(words[1:]))
                code = await self.instead.pop(int(words[0]), self.restart)(int(words[0]))
                done = path.with_suffix(".part")
                done.write_text(str(code))
                done.rename(path.with_suffix(".answer"))
            await asyncio.sleep(0.05)

    async def restart(self, node_id: int) -> int:
        code = await self.cluster.terminate(node_id)
        await self.cluster.start(node_id)
        return code

    async def stop_only(self, node_id: int) -> int:
        return await self.cluster.terminate(node_id)

    @staticmethod
    async def fail(node_id: int) -> int:
        del node_id
        return 7


@asynccontextmanager
async def serving(operator: Operator) -> AsyncIterator[None]:
    """Serve the restart command inside the block."""
    task = asyncio.create_task(operator.serve())
    try:
        yield
    finally:
        task.cancel()


@asynccontextmanager
async def operated(root: Path, **shape):
    """A running cluster, and an operator who serves the restart command."""
    async with running(root, start=False, extra=STEADY, **shape) as cluster:
        for node in cluster.sandbox.brokers:
            configure(node, broker__rack=RACKS[node.node_id])
        await cluster.start(*(node.node_id for node in cluster.sandbox.nodes))
        await cluster.leader()
        count = len(cluster.sandbox.brokers)
        if count:
            await eventually(cluster.brokers, lambda one: list(one.values()) == [False] * count, "brokers are unfenced")
        operator = Operator(cluster, root)
        async with serving(operator):
            yield cluster, operator


def endpoints(cluster) -> str:
    return ",".join(cluster.node(node_id).grpc_endpoint for node_id in cluster.controller_ids)


async def command(*words):
    return await asyncio.to_thread(kraftpy, *words, timeout_s=300.0)


async def planned(cluster, path: Path, *words):
    """Make a plan once the cluster is steady, and return what JSON says of it."""

    async def asked():
        return await command("roll", "plan", "-C", endpoints(cluster), "--out", path, "-o", "json", *words)

    made = await eventually(asked, lambda one: one.returncode == ExitCode.OK, "a plan is made")
    return json.loads(made.stdout)


async def status(cluster, path: Path):
    done = await command("roll", "status", "-C", endpoints(cluster), "--plan", path, "-o", "json")
    return done.returncode, json.loads(done.stdout)


@pytest.mark.landing
async def test_six_nodes_are_restarted_under_load_and_the_leader_is_the_last_controller(tmp_path):
    """Each once: followers, the leader after a transfer, brokers rack by rack; every acknowledged write is there."""
    path = tmp_path / "roll.json"
    async with operated(tmp_path, brokers=3) as (cluster, operator):
        leader = await cluster.leader()
        plan = await planned(cluster, path)
        followers = sorted(set(cluster.controller_ids) - {leader})
        wanted = [*followers, leader, 5, 6, 4]
        assert [node["nodeId"] for node in plan["nodes"]] == wanted
        assert [node["state"] for node in (await status(cluster, path))[1]["nodes"]] == ["not restarted"] * 6
        words = (
            "roll",
            "run",
            "-C",
            endpoints(cluster),
            "--plan",
            path,
            "--restart",
            operator.command,
            "--wait",
            "120",
        )
        async with under_load(cluster, writers=2) as load:
            await load.grow(10)
            done = await command(*words)
            await load.grow(1)
        assert done.returncode == ExitCode.OK, (done.stdout, done.stderr)
        assert operator.order == wanted
        assert operator.words == ["controller 127.0.0.1"] * 3 + ["broker 127.0.0.1"] * 3
        assert f"Handing the leadership from {leader} to" in done.stdout
        for node_id in cluster.controller_ids:
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                assert load.missing(await described(client)) == {}
        code, data = await status(cluster, path)
        assert (code, data["finished"], data["restartedCount"]) == (ExitCode.OK, True, 6)
        # What has restarted is not restarted again.
        assert (await command(*words)).returncode == ExitCode.OK
        assert len(operator.order) == 6


@pytest.mark.landing
async def test_a_node_that_does_not_come_back_stops_the_roll_which_goes_on_later(tmp_path):
    """A command that fails, one that leaves the node down, and the way on after it was started by hand."""
    path = tmp_path / "roll.json"
    async with operated(tmp_path) as (cluster, operator):
        plan = await planned(cluster, path)
        first, second, last = (node["nodeId"] for node in plan["nodes"])
        words = ("roll", "run", "-C", endpoints(cluster), "--plan", path, "--restart", operator.command)

        operator.instead[first] = operator.fail
        done = await command(*words)
        assert done.returncode == ExitCode.FAILURE
        assert "ended with exit code 7; 0 of 3 nodes have restarted" in error_line(done)

        operator.instead[second] = operator.stop_only
        done = await command(*words, "--wait", "20")
        assert done.returncode == ExitCode.FAILURE
        assert f"after 20 s still: node {second} has not registered as a new process yet" in error_line(done)
        assert "1 of 3 nodes have restarted" in error_line(done)
        assert operator.order == [first, first, second]

        await cluster.start(second)
        done = await command(*words)
        assert done.returncode == ExitCode.OK, (done.stdout, done.stderr)
        assert operator.order == [first, first, second, last]


@pytest.mark.landing
async def test_no_node_is_restarted_while_a_voter_is_down(tmp_path):
    """The plan was made in time; then a voter died, which no restart explains."""
    path = tmp_path / "roll.json"
    async with operated(tmp_path) as (cluster, operator):
        plan = await planned(cluster, path)
        dead = plan["nodes"][1]["nodeId"]
        await cluster.kill(dead)
        words = ("roll", "run", "-C", endpoints(cluster), "--plan", path, "--restart", operator.command)
        done = await command(*words, "--wait", "8")
        assert done.returncode == ExitCode.FINDINGS, (done.stdout, done.stderr)
        assert f"no node is restarted while node {dead} fetched last" in error_line(done)
        assert operator.order == []
        code, data = await status(cluster, path)
        assert (code, data["nextRestart"]["okToStop"]) == (ExitCode.FINDINGS, False)
        assert f"node {dead}" in data["nextRestart"]["reasons"][0]
        refused = await command("roll", "plan", "-C", endpoints(cluster), "--out", tmp_path / "other.json")
        assert refused.returncode == ExitCode.FINDINGS
        assert not (tmp_path / "other.json").exists()


@pytest.mark.landing
async def test_ctrl_c_lets_the_restart_under_way_end(tmp_path):
    """One line, code 130, no further node; the same command does the rest."""
    path = tmp_path / "roll.json"
    async with operated(tmp_path) as (cluster, operator):
        plan = await planned(cluster, path)
        words = ("roll", "run", "-C", endpoints(cluster), "--plan", path, "--restart", operator.command)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "kraftpy", *map(str, words)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=ROOT,
        )

        async def interrupt(node_id):
            process.send_signal(signal.SIGINT)
            return await operator.restart(node_id)

        first = plan["nodes"][0]["nodeId"]
        operator.instead[first] = interrupt
        shown, _ = await process.communicate()
        assert process.returncode == ExitCode.INTERRUPTED, shown
        assert shown.decode().splitlines()[-1].startswith("error: interrupted (SIGINT): 0 of "), shown
        assert operator.order == [first]
        done = await command(*words)
        assert done.returncode == ExitCode.OK, (done.stdout, done.stderr)
        assert operator.order == [node["nodeId"] for node in plan["nodes"]]
