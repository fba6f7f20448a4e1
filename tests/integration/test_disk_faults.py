"""A disk that is full, that fails to sync, or that is slow: the node answers for it, the others go on."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import time
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest

from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.resource_types import ResourceType
from kraftpy.storage.config import LogConfig
from tests.fakes.processes import described, eventually, running, under_load

pytestmark = pytest.mark.landing

FAULTY_NODE = Path(__file__).with_name("faulty_node.py")
FULL = "No space left"
SLOW_S = 2.0
NOTICED_S = 0.2
"""Slow enough for a node to notice, and not for its peers."""

ANSWER_S = SLOW_S / 2
"""How long most answers take at most while syncs go on: one that waits for a sync takes longer, on average."""

VALUE_BYTES = 32_000
PROBES = 10
PROBES_LATE_MAX = 2
"""How many of them may meet a hiccup of the machine."""


async def start_faulty(cluster, node_id):
    """Start a node whose disk can be made to fail."""
    await cluster.start_script(FAULTY_NODE, node_id)


def fault(cluster, node_id):
    return cluster.node(node_id).directory / "fault"


@asynccontextmanager
async def faulty_cluster(root, **kwargs):
    """Three controllers with a leader; all their disks can be made to fail."""
    async with running(root, start=False, **kwargs) as cluster:
        for node_id in cluster.controller_ids:
            await start_faulty(cluster, node_id)
        await cluster.leader()
        yield cluster


async def check_acknowledged(cluster, load):
    for node_id in cluster.running_controllers:
        await cluster.caught_up(node_id, load.last_offset)
        async with cluster.client(node_id) as client:
            assert load.missing(await described(client)) == {}, node_id


@pytest.mark.parametrize(
    ("word", "whose", "states"),
    [("full", "follower", FULL), ("sync", "leader", "fsync of"), ("sync", "follower", "fsync of")],
)
async def test_a_disk_that_fails(tmp_path, word, whose, states):
    """A node whose log cannot be written or synced stops with one clear line; the others go on, nothing is lost."""
    async with faulty_cluster(tmp_path) as cluster:
        async with under_load(cluster, writers=2, timeout_s=5.0) as load:
            await load.grow(10)
            victim = await one_of(cluster, whose)
            fault(cluster, victim).write_text(word)
            if word == "full":
                await outgrow(load)
            await check_stopped(cluster, victim, states)
            if word == "sync":
                assert fault(cluster, victim).with_name("syncs").read_text() == "failed\n", "never tried again"
            fault(cluster, victim).unlink(missing_ok=True)
            await load.grow(10)
            await cluster.start(victim)
            await cluster.caught_up(victim, load.last_offset)
        await check_acknowledged(cluster, load)


async def outgrow(load):
    """Write more than the zeros that a log has ahead of its end: no file holds it without becoming longer."""
    keys = range(2 * LogConfig().preallocate_bytes // VALUE_BYTES)
    changes = {Resource(ResourceType.BROKER, ""): [ConfigChange(f"ballast.{key}", "x" * VALUE_BYTES) for key in keys]}
    await load.client.incremental_alter_configs(changes, request_id=os.urandom(16), retry_unknown=True, timeout_s=40)


async def one_of(cluster, whose):
    leader_id = await cluster.leader()
    return leader_id if whose == "leader" else next(i for i in cluster.controller_ids if i != leader_id)


async def check_stopped(cluster, victim, states):
    assert await cluster.exit_code(victim) == 1
    (line,) = [line for line in cluster.log_of(victim).splitlines() if line.startswith("error: ")]
    assert states in line
    if states == FULL:
        assert re.search(
            r"/__cluster_metadata-0 has \d+ bytes free, and the write needs \d+: free space on its disk", line
        )
    assert str(cluster.node(victim).log_dirs[0]) in line
    assert "Traceback" not in cluster.log_of(victim)


@contextmanager
def tmpfs(directory):
    """A disk of 4 MiB at a path; skips where mounting is not allowed."""
    directory.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(directory)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a tmpfs, and not everywhere")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(directory)], check=True)


def fill(directory):
    """Leave no byte on a disk."""
    with (directory / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(bytes(4096))
    assert os.statvfs(directory).f_bfree == 0


async def test_a_disk_that_is_really_full(tmp_path):
    """A node whose file system has no byte left stops with one clear line; given room, it comes back.

    It has no reserve, in whose space it would go on for a while.
    """
    async with running(tmp_path, start=False, extra={"metadata.log.reserve.bytes": "0"}) as cluster:
        disk = cluster.node(1).log_dirs[0]
        with tmpfs(disk):
            await cluster.start(*cluster.controller_ids)
            async with under_load(cluster, writers=2, timeout_s=5.0) as load:
                await load.grow(10)
                fill(disk)
                await outgrow(load)
                await check_stopped(cluster, 1, FULL)
                await load.grow(10)
                (disk / "ballast").unlink()
                await cluster.start(1)
                await cluster.caught_up(1, load.last_offset)
            await check_acknowledged(cluster, load)
            await cluster.kill(1)


async def slow_down(cluster, node_id, load):
    """Let every sync of a node take SLOW_S, in two steps: the first slow one stops the whole node."""
    fault(cluster, node_id).write_text(f"slow {NOTICED_S}")
    await eventually(lambda: slow_jobs(cluster, node_id), bool, f"{node_id} notices that its disk is slow")
    await load.grow(5)
    fault(cluster, node_id).write_text(f"slow {SLOW_S}")


async def slow_jobs(cluster, node_id):
    return "disk_slow" in cluster.log_of(node_id)


async def check_answers(cluster, node_id):
    """Reads and health are answered while syncs go on."""
    async with cluster.client(node_id) as client:
        waits = [max(await time_of(described(client)), await time_of(cluster.metrics(node_id))) for _ in range(PROBES)]
    assert sum(wait >= ANSWER_S for wait in waits) <= PROBES_LATE_MAX, waits


async def time_of(asked):
    began = time.monotonic()
    # A node that is far behind may have no config yet: an answer without any is an answer.
    assert await asked is not None
    return time.monotonic() - began


async def epoch_of(cluster, node_id):
    return (await cluster.metrics(node_id))["kraft_current_epoch"]


@pytest.mark.parametrize("whose", ["leader", "follower"])
async def test_one_slow_disk_is_not_noticed(tmp_path, whose):
    """Beside a node whose every sync takes 2 s the others keep their pace; it answers, and stops cleanly."""
    async with faulty_cluster(tmp_path, extra={"metadata.log.slow.disk.handover": "false"}) as cluster:
        async with under_load(cluster, writers=1, timeout_s=5.0) as load:
            slow = await one_of(cluster, whose)
            await slow_down(cluster, slow, load)
            leader, epoch = await cluster.leader(), await epoch_of(cluster, slow)
            writes = [await time_of(written(load)) for _ in range(PROBES)]
            assert sum(write >= ANSWER_S for write in writes) <= PROBES_LATE_MAX, writes
            await check_answers(cluster, slow)
            assert (await cluster.leader(), await epoch_of(cluster, slow)) == (leader, epoch)
            stopping = asyncio.ensure_future(cluster.terminate(slow))
            await load.grow(10)
            assert await stopping == 0
        log = cluster.log_of(slow)
        assert "prospective" not in log.partition("disk_slow")[2]
        assert "leadership_handover_timed_out" not in log
        assert "Traceback" not in log
        await check_acknowledged(cluster, load)


async def test_a_leader_with_a_slow_disk_hands_over(tmp_path):
    """When its flushes have been the slowest for long, another one leads; once, and no write is lost or refused."""
    async with faulty_cluster(tmp_path) as cluster:
        async with under_load(cluster, writers=1, timeout_s=5.0) as load:
            slow = await cluster.leader()
            await slow_down(cluster, slow, load)
            await eventually(cluster.leader, lambda one: one != slow, f"{slow} does not lead any more")
            await load.grow(10)
            assert await cluster.leader() != slow
            gauges = [await cluster.metrics(node_id) for node_id in cluster.controller_ids]
            assert [one["kraft_leader_handovers_total"] for one in gauges] == [
                float(node_id == slow) for node_id in cluster.controller_ids
            ]
            fault(cluster, slow).unlink()
        assert "leader_hands_over" in cluster.log_of(slow)
        assert "Traceback" not in cluster.log_of(slow)
        await check_acknowledged(cluster, load)


async def written(load):
    await load.write()
    return True


async def test_two_slow_disks_lose_nothing(tmp_path):
    """When a majority's syncs take 2 s writes are slow; those that were acknowledged survive a kill of everything."""
    async with faulty_cluster(tmp_path) as cluster:
        async with under_load(cluster, writers=4, timeout_s=5.0) as load:
            leader = await cluster.leader()
            slow = [leader, next(i for i in cluster.controller_ids if i != leader)]
            for node_id in slow:
                await slow_down(cluster, node_id, load)
            before = len(load.acknowledged)
            began = time.monotonic()
            await load.grow(5)
            assert time.monotonic() - began > SLOW_S / 2, "a majority's disk is waited for"
            await cluster.kill(*cluster.controller_ids)
        assert len(load.acknowledged) >= before + 5
        for node_id in slow:
            fault(cluster, node_id).unlink()
        for node_id in cluster.controller_ids:
            await start_faulty(cluster, node_id)
        await cluster.leader()
        await check_acknowledged(cluster, load)


async def test_a_disk_that_becomes_slow(tmp_path):
    """The first slow sync of a leader blocks its node: another may lead, the cluster goes on, and the node answers."""
    async with faulty_cluster(tmp_path) as cluster:
        async with under_load(cluster, writers=2, timeout_s=5.0) as load:
            await load.grow(10)
            slow = await cluster.leader()
            fault(cluster, slow).write_text(f"slow {SLOW_S}")
            await load.grow(40)
            await eventually(lambda: slow_jobs(cluster, slow), bool, f"{slow} notices that its disk is slow")
            await check_answers(cluster, slow)
            fault(cluster, slow).unlink()
            await load.grow(20)
        await check_acknowledged(cluster, load)
        assert "Traceback" not in cluster.log_of(slow)
