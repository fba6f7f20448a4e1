"""A cluster without requests."""

from __future__ import annotations

import asyncio

import pytest

from tests.fakes.processes import PATIENT, eventually, read_log, running

pytestmark = pytest.mark.landing

IDLE_S = 6.0
"""Two fetch timeouts: empty fetches have to count, for followers and for the leader's check of its majority."""


async def quiet(cluster):
    """Each controller's (end of the log, high watermark, what is published, brokers that are active)."""
    return {node_id: state(await cluster.metrics(node_id)) for node_id in cluster.controller_ids}


def state(gauges):
    names = (
        "kraft_log_end_offset",
        "kraft_high_watermark",
        "kraft_last_applied_record_offset",
        'kraft_brokers{state="active"}',
    )
    return tuple(gauges.get(name, -1.0) for name in names)


def is_settled(states, brokers):
    """All registered, everything committed and published, and the same everywhere."""
    if len(set(states.values())) != 1:
        return False
    end, high_watermark, applied, active = next(iter(states.values()))
    return end == high_watermark == applied + 1 > 0 and active == brokers


async def test_an_idle_log_does_not_grow(tmp_path):
    """An idle controller writes no byte for seconds, all have the same high watermark, and there is no election."""
    async with running(tmp_path, brokers=1, extra=PATIENT) as cluster:
        await cluster.leader()

        async def settled():
            first = await quiet(cluster)
            # Controllers register one after the other: settled is what stays so for a moment.
            await asyncio.sleep(0.5)
            return first, await quiet(cluster)

        before, again = await eventually(
            settled, lambda two: is_settled(two[0], 1) and two[0] == two[1], "everything is registered and known"
        )
        assert before == again
        bytes_before = {node_id: size_of_log(cluster, node_id) for node_id in cluster.controller_ids}
        leader_id = await cluster.leader()
        epoch = (await cluster.metrics(leader_id))["kraft_current_epoch"]
        await asyncio.sleep(IDLE_S)  # the time itself is what is tested
        assert await quiet(cluster) == before
        assert {node_id: size_of_log(cluster, node_id) for node_id in cluster.controller_ids} == bytes_before
        assert (await cluster.metrics(leader_id))["kraft_current_epoch"] == epoch
        assert await cluster.leader() == leader_id


def size_of_log(cluster, node_id):
    return sum(batch.size for batch in read_log(cluster.data(node_id)))
