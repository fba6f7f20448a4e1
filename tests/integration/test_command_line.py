"""The command line against a real node: what it says about ports, records and names, and with which code it ends."""

from __future__ import annotations

import asyncio
import signal
import sys

from tests.fakes.processes import PATIENCE_S, complaints, kraftpy, running


async def command(*args):
    return await asyncio.to_thread(kraftpy, *args)


async def test_edges_of_the_command_line(tmp_path):
    """One controller, with common mistakes on the command line, and followed in two ways that must print the same."""
    async with running(tmp_path, controllers=1, forks=False) as cluster:
        node = cluster.node(await cluster.leader())
        grpc_port, kafka_port = node.grpc_endpoint, node.properties["listeners"].partition("//")[2]

        unknown = await command("features", "disable", "-f", "no.such.version", "-C", grpc_port)
        assert unknown.returncode == 1
        assert unknown.stdout == ""
        assert unknown.stderr.count("Feature no.such.version not found") == 1

        members = await command("cluster", "describe", "-C", grpc_port)
        assert (members.returncode, complaints(members)) == (0, ""), "two questions, and nothing of grpc's own is told"
        assert "controller  active" in members.stdout

        watched = await command("watch", "-C", grpc_port, "--count", 4)
        assert watched.returncode == 0, watched.stderr
        lines = watched.stdout.splitlines()
        assert lines[0].split("\t")[2] == "LEADER_CHANGE"

        observing = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "kraftpy", "observe", "--bootstrap-controllers", kafka_port,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE_S):
            observed = [(await observing.stdout.readline()).decode().rstrip("\n") for _ in lines]
            observing.send_signal(signal.SIGINT)
            _, stated = await observing.communicate()
        assert (observing.returncode, stated.decode().splitlines()[-1]) == (130, "error: interrupted (SIGINT)")
        assert observed == lines
