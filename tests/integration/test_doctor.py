"""The doctor on real processes: all is well, and a voter is killed."""

from __future__ import annotations

import asyncio
import json

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import values as v
from kraftpy.doctor.checks import CHECKS
from kraftpy.model.errors import ErrorCode
from kraftpy.quorum_tools.ok_to_stop import SILENT_MS
from tests.fakes.processes import error_line, eventually, kraftpy, running

NEEDS_MORE = {"certificates"}
"""The checks that are skipped on a cluster without TLS."""


async def command(*words):
    return await asyncio.to_thread(kraftpy, *words)


async def examined(*words):
    """The findings that are problems, by check, and the exit code."""
    result = await command("doctor", *words, "-o", "json")
    data = json.loads(result.stdout)
    problems = [one for one in data["findings"] if one["severity"] != "info"]
    return data, {one["check"]: one for one in problems}, result.returncode


async def test_a_quorum_is_healthy_until_a_voter_is_killed(tmp_path):
    """Every check is made; the one that finds the voter names it."""
    async with running(tmp_path, controllers=3, brokers=2) as cluster:
        leader = await cluster.leader()
        await eventually(cluster.brokers, lambda found: list(found.values()) == [False] * 2, "two brokers run")
        metrics = ",".join(node.properties["metrics.listener"] for node in cluster.sandbox.nodes)
        endpoints = ",".join(cluster.node(node_id).grpc_endpoint for node_id in cluster.controller_ids)
        words = ("-C", endpoints, "--metrics", metrics)
        async with cluster.client() as client:
            first, second = sorted(await cluster.brokers())
            created = await client.create_topics([v.NewTopic(name="orders", assignments={0: [first, second]})])
            assert created.outcomes[0].error is ErrorCode.NONE, created.outcomes[0].message
        data, problems, code = await examined(*words)
        assert (problems, code) == ({}, ExitCode.OK)
        assert {one["check"] for one in data["skipped"]} == NEEDS_MORE
        assert {one["check"] for one in data["findings"]} <= {"kraft-version", "voter-hosts"}

        dead = next(node_id for node_id in cluster.controller_ids if node_id != leader)
        await cluster.kill(dead)

        async def found():
            return await examined(*words)

        data, problems, code = await eventually(
            found, lambda answer: "voters-fetch" in answer[1], f"{dead} has been silent for {SILENT_MS} ms"
        )
        assert code == ExitCode.FINDINGS
        assert problems["voters-fetch"]["place"] == f"controller {dead}"
        assert set(problems) == {"voters-fetch", "controllers-respond", "metrics-respond"}
        assert data["checks"] == len(CHECKS)
        await refused(cluster)


async def refused(cluster):
    """Bad input: each has one line and its own code."""
    endpoint = cluster.node(cluster.running_controllers[0]).grpc_endpoint
    kafka = cluster.node(cluster.running_controllers[0]).properties["listeners"].rpartition("//")[2]
    for words, code, text in (
        (("doctor", "-C", "127.0.0.1:1"), ExitCode.UNREACHABLE, "refuses connections"),
        (("doctor", "-C", kafka), ExitCode.UNREACHABLE, "speaks Kafka's protocol, as the listener of a controller"),
    ):
        result = await command(*words)
        assert result.returncode == code, words
        assert text in error_line(result), words
    # A port of another kind under --metrics is a finding.
    _, problems, _ = await examined("-C", endpoint, "--metrics", kafka)
    assert "metrics-respond" in problems
