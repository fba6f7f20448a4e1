"""The phases of a failover that the new controller measures fit into what a client saw."""

from __future__ import annotations

import re
import time
from datetime import datetime

import pytest

from tests.fakes.processes import PATIENT, Load, eventually, running

pytestmark = pytest.mark.landing

PHASES = ("detect", "elect", "commit", "activate")
ROUNDING_S = 0.001
"""Each phase is counted in whole milliseconds."""


class TimedLoad(Load):
    """A writer that remembers when each acknowledged write was sent, and when its answer came (s, monotonic)."""

    def __init__(self, client):
        super().__init__(client)
        self.times = []

    async def write(self):
        sent, before = time.monotonic(), len(self.acknowledged)
        await super().write()
        if len(self.acknowledged) > before:
            self.times.append((sent, time.monotonic()))


async def phases_of(cluster, node_id):
    """The sum (s) and the count of each phase that a controller shows."""
    shown = await cluster.metrics(node_id)
    found = {}
    for name, value in shown.items():
        match = re.fullmatch(r'kraftpy_failover_phase_seconds_(sum|count)\{phase="(\w+)"\}', name)
        if match:
            found.setdefault(match[2], {})[match[1]] = value
    return {phase: (one["sum"], one["count"]) for phase, one in found.items()}


def activated_at(log):
    """When a controller said that it decides from now on, by the wall clock (s)."""
    (stated,) = re.findall(r"^(\S+)Z \[info +\] became_active_controller", log, re.MULTILINE)
    return datetime.fromisoformat(f"{stated}+00:00").timestamp()


async def test_the_sum_of_the_phases_is_within_what_a_client_saw(tmp_path):
    """The leader is killed under load.

    The new controller has the last write that was acknowledged, so it heard of the old leader after that was sent; and
    it answers the next one after it has become active. So its phases fit between the two. They last from the kill until
    it is active at least.
    """
    async with running(tmp_path, extra=PATIENT) as cluster:
        killed_id = await cluster.leader()
        others = [node_id for node_id in cluster.controller_ids if node_id != killed_id]
        before = {node_id: await phases_of(cluster, node_id) for node_id in others}
        assert all(one == dict.fromkeys(PHASES, (0.0, 0.0)) for one in before.values()), before
        async with cluster.client(*others) as client:
            load = TimedLoad(client)
            for _ in range(20):
                await load.write()
            last_sent = load.times[-1][0]
            killed_at = time.time()
            await cluster.kill(killed_id)
            count = len(load.times)
            while len(load.times) == count:
                await load.write()
            answered = load.times[-1][1]
        leader_id = await cluster.leader()
        assert leader_id != killed_id

        async def measured():
            return await phases_of(cluster, leader_id)

        found = await eventually(measured, lambda one: one["activate"][1] == 1, "the new controller measured")
        assert [found[phase][1] for phase in PHASES] == [1, 1, 1, 1]
        total = sum(seconds for seconds, _ in found.values())
        slack = ROUNDING_S * len(PHASES)
        seen = f"{found}; the client waited {answered - last_sent:.3f} s"
        assert total <= answered - last_sent + slack, seen
        assert total >= activated_at(cluster.log_of(leader_id)) - killed_at - slack, seen
        (other_id,) = (node_id for node_id in others if node_id != leader_id)
        assert {count for _, count in (await phases_of(cluster, other_id)).values()} == {0}, "who follows measures none"
        assert found["detect"][0] > 0, seen
