"""SIGTERM, and Ctrl-C: a leader hands over, a broker says goodbye."""

from __future__ import annotations

import signal
import time

import pytest

from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.processes import PATIENCE_S, PATIENT, described, eventually, running, under_load

BEYOND_PATIENCE_MS = str(int(2_000 * PATIENCE_S))
"""A time-out that these tests do not live to see: what waited for it is caught by the deadline of every wait."""


async def test_a_leader_hands_over(tmp_path):
    """A leader that receives SIGTERM names a successor, which leads long before a fetch timeout; it exits with 0."""
    extra = {"controller.quorum.fetch.timeout.ms": BEYOND_PATIENCE_MS}
    async with running(tmp_path, extra=extra, forks=False) as cluster:
        old = await cluster.leader()
        async with under_load(cluster, writers=2) as load:
            await load.grow(20)
            assert await cluster.terminate(old) == 0
            new = await cluster.leader()
            await load.grow(1)
            assert new != old
        for node_id in cluster.running_controllers:
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                assert load.missing(await described(client)) == {}
        text = cluster.log_of(old)
        assert "is shutting down" in text
        assert "leadership_handover_timed_out" not in text
        # Ctrl-C does the same, and says that it was the end.
        cluster.child(new).signal(signal.SIGINT)
        assert await cluster.exit_code(new) == ExitCode.INTERRUPTED
        text = cluster.log_of(new)
        assert ("is shutting down" in text, text.splitlines()[-1]) == (True, "error: interrupted (SIGINT)")


async def test_a_broker_leaves_and_comes_back(tmp_path):
    """A broker that is stopped is fenced long before its session ends; started again, it is unfenced."""
    extra = {"broker.session.timeout.ms": BEYOND_PATIENCE_MS}
    async with running(tmp_path, controllers=1, brokers=2, extra=extra, forks=False) as cluster:
        await eventually(cluster.brokers, lambda one: one == {2: False, 3: False}, "both brokers are unfenced")
        assert ("observer_caught_up" in cluster.log_of(2), "voter_eligible" in cluster.log_of(2)) == (True, False)
        assert await cluster.terminate(2) == 0
        await eventually(cluster.brokers, lambda one: one == {2: True, 3: False}, "the broker that left is fenced")
        assert "controlled_shutdown_timed_out" not in cluster.log_of(2)
        await cluster.start(2)
        await eventually(cluster.brokers, lambda one: one == {2: False, 3: False}, "it is back")


@pytest.mark.landing
async def test_brokers_find_the_next_controller(tmp_path):
    """When the leader dies, every broker keeps its session with the next one, and is let go in order when it stops."""
    session_s = 3.0
    extra = {"broker.session.timeout.ms": str(int(session_s * 1_000)), "broker.heartbeat.interval.ms": "300"}
    async with running(tmp_path, brokers=2, extra=PATIENT | extra, forks=False) as cluster:
        await eventually(cluster.brokers, lambda one: one == {4: False, 5: False}, "both brokers are unfenced")

        async def running_brokers():
            # A broker learns of it with its next heartbeat.
            return ["after=running" in cluster.log_of(node_id) for node_id in (4, 5)]

        await eventually(running_brokers, all, "both brokers run")
        for _ in range(2):
            old = await cluster.leader()
            states_before = [cluster.log_of(node_id).count("broker_state_changed") for node_id in (4, 5)]
            await cluster.kill(old)
            new = await cluster.leader()
            began = time.monotonic()

            async def watched(since=began):
                return time.monotonic() - since, await cluster.brokers()

            await eventually(
                watched,
                lambda one: one[0] > 1.5 * session_s or True in one[1].values(),
                "a session and a half has passed",
            )
            assert await cluster.brokers() == {4: False, 5: False}, f"fenced under controller {new}"
            assert [cluster.log_of(node_id).count("broker_state_changed") for node_id in (4, 5)] == states_before
            await cluster.start(old)
        assert await cluster.terminate(4) == 0
        assert "controlled_shutdown_timed_out" not in cluster.log_of(4)
