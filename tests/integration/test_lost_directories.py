"""Controllers whose directories were lost: real processes, and what they say."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.processes import UNANSWERED, Cluster, configure, described, eventually, running, under_load
from tests.integration.test_membership import ended

pytestmark = pytest.mark.landing


async def readyz(cluster: Cluster, node_id: int) -> str:
    host, _, port = cluster.node(node_id).properties["metrics.listener"].rpartition(":")
    try:
        reader, writer = await asyncio.open_connection(host, int(port))
    except UNANSWERED:
        return ""
    try:
        writer.write(f"GET /readyz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = await reader.read()
    finally:
        writer.close()
    return answer.partition(b"\r\n\r\n")[2].decode().strip()


async def test_a_majority_of_lost_directories_elects_no_leader(tmp_path):
    """The one that is left keeps its records, all say why there is no leader, and the operator can overrule it."""
    async with running(tmp_path, start=False) as cluster:
        await cluster.start(1, 2)
        await cluster.states(1, "no_electable_voter")
        await cluster.start(3)
        await cluster.leader()
        async with under_load(cluster) as load:
            await load.grow(10)
        for node_id in (1, 2, 3):
            await cluster.caught_up(node_id, load.last_offset)
        await cluster.kill(1, 2, 3)
        for node_id in (1, 2):
            shutil.rmtree(cluster.node(node_id).log_dirs[0])
        await cluster.start(1, 2, 3)
        for node_id in (1, 2, 3):
            # The one that led before it was lost hears so, and abstains for that reason.
            wanted = ("voters 1, 2 started with",) if node_id == 3 else ("voters 1, 2 started with", "does not count")
            reported = await eventually(
                lambda node_id=node_id: readyz(cluster, node_id),
                lambda text, wanted=wanted: any(each in text for each in wanted),
                "why",
            )
            if node_id == 3:
                assert "voters 3 may" in reported
                assert "controller.quorum.trust.empty.directories=true" in reported
        there = ",".join(cluster.node(node_id).grpc_endpoint for node_id in (1, 2, 3))
        code, stated = await ended("metadata-quorum", "describe", "--status", "-C", there, "--timeout", "3")
        assert code == ExitCode.UNREACHABLE
        assert "no controller leads: " in stated
        assert "voters 1, 2 started with empty" in stated or "this voter's vote does not count" in stated
        assert (await cluster.metrics(3))["kraft_log_end_offset"] > load.last_offset
        await cluster.kill(1, 2)
        for node_id in (1, 2):
            configure(cluster.node(node_id), controller__quorum__trust__empty__directories="true")
        await cluster.start(1, 2)
        await cluster.leader()
        for node_id in (1, 2, 3):
            # Any of them may be asked, and answers from what it has.
            await cluster.caught_up(node_id, load.last_offset)
        async with cluster.client() as client:
            assert load.missing(await described(client)) == {}


async def test_one_lost_directory_is_filled_again_and_counts(tmp_path):
    """A lost minority needs no operator: it catches up, and then a majority is one with it."""
    async with running(tmp_path) as cluster:
        leader = await cluster.leader()
        lost, other = (node_id for node_id in (1, 2, 3) if node_id != leader)
        async with under_load(cluster) as load:
            await load.grow(10)
            await cluster.kill(lost)
            shutil.rmtree(cluster.node(lost).log_dirs[0])
            await cluster.start(lost)
            await cluster.states(lost, "caught up with leader")
            await load.grow(10)
            await cluster.kill(other)
            await load.grow(10)
        async with cluster.client(leader) as client:
            assert load.missing(await described(client)) == {}
