"""One bit flips in the memory of a node, or on its disk where no checksum shows it: the others' digests do."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from kraftpy.records.batch import encode_batch
from tests.fakes.processes import (
    PATIENT,
    STEADY,
    Cluster,
    Load,
    described,
    eventually,
    group,
    read_log,
    running,
    status_in,
    under_load,
)
from tests.integration.test_bit_rot import COUNTS_AGAIN, check_level, quarantined, victim_of

pytestmark = pytest.mark.landing

FLIPPED_NODE = Path(__file__).with_name("flipped_node.py")
OFTEN = {"metadata.log.state.digest.interval.ms": "500"}
GROUP_NAME = "flipped"
FENCED = "node_fenced"


@asynccontextmanager
async def flippable(root, *, extra=OFTEN, **kwargs):
    async with running(root, start=False, extra=extra, **kwargs) as cluster:
        for node in cluster.sandbox.nodes:
            await cluster.start_script(FLIPPED_NODE, node.node_id)
        await cluster.leader()
        yield cluster


NEVER = {
    "metadata.log.state.digest.interval.ms": str(2**31 - 1),
    "metadata.log.max.record.bytes.between.snapshots": "4000",
}


async def write_value(cluster: Cluster) -> int:
    """Write the value whose bit will flip; return its offset."""
    async with cluster.client() as client:
        answer = await client.incremental_alter_configs(group(GROUP_NAME, "12345"))
        return answer.position.offset


async def agreed(cluster: Cluster, node_id: int, beyond: int) -> None:
    """Wait until a majority has the same state as a node, at some offset beyond another one."""
    await eventually(
        lambda: cluster.metrics(node_id),
        lambda gauges: gauges.get("kraft_state_digest_agreed_offset", -1) > beyond,
        f"a majority has the state of node {node_id} beyond offset {beyond}",
    )


async def check_same(cluster: Cluster, load: Load) -> None:
    for node_id in cluster.running_controllers:
        await cluster.caught_up(node_id, load.last_offset)
        async with cluster.client(node_id) as client:
            values = await described(client)
        assert load.missing(values) == {}
        assert values[GROUP_NAME] == "12345", node_id


def flip_in_memory(cluster: Cluster, node_id: int) -> Path:
    command = cluster.node(node_id).directory / "flip"
    command.with_suffix(".new").write_text(GROUP_NAME)
    command.with_suffix(".new").rename(command)
    return command


@pytest.mark.parametrize("leads", [False, True])
async def test_a_bit_that_flips_in_memory(tmp_path, *, leads):
    """The node fences itself, finds its disk right and the value that was not, and goes on; a leader resigns first."""
    async with flippable(tmp_path, extra=OFTEN | STEADY) as cluster:
        async with under_load(cluster) as load:
            offset = await write_value(cluster)
            victim = await victim_of(cluster, leads=leads)
            await agreed(cluster, victim, offset)
            command = flip_in_memory(cluster, victim)
            await cluster.states(victim, FENCED)
            assert not command.exists()
            await cluster.states(victim, "so its memory was wrong")
            await load.grow(10)
            await agreed(cluster, victim, load.last_offset)
        log = cluster.log_of(victim)
        assert f"the first thing that differed is config 32 {GROUP_NAME} " in log
        assert f"written last at offset {offset}" in log
        assert ("leader -> resigned" in log or FENCED in log) if leads else True
        assert quarantined(cluster, victim) == []
        assert status_in(cluster.data(victim)).divergence is None
        assert "Traceback" not in log
        if leads:
            assert "its state at offset" in log
            assert await cluster.leader() != victim
        for node_id in cluster.controller_ids:
            assert (FENCED in cluster.log_of(node_id)) == (node_id == victim)
        await check_same(cluster, load)


def exchange_on_disk(cluster: Cluster, node_id: int, offset: int) -> None:
    """Flip a bit of the record at an offset, and mend the checksum of its batch."""
    directory = cluster.data(node_id)
    (batch,) = [one for one in read_log(directory) if one.base_offset <= offset < one.next_offset]
    values = batch.values()
    honest = values[offset - batch.base_offset]
    assert honest.count(b"12345") == 1
    values[offset - batch.base_offset] = honest.replace(b"12345", b"02345")
    forged = encode_batch(
        values, base_offset=batch.base_offset, epoch=batch.epoch, timestamp_ms=batch.base_timestamp_ms
    )
    segment = min(directory.glob("*.log"))
    data = segment.read_bytes()
    assert len(forged) == batch.size
    assert data.count(batch.data) == 1
    segment.write_bytes(data.replace(batch.data, forged))


async def test_a_bit_that_flipped_on_a_followers_disk(tmp_path):
    """No checksum shows it: the log is quarantined and fetched again, and the offset that differs is named."""
    async with running(tmp_path, extra=OFTEN, forks=False) as cluster:
        async with under_load(cluster) as load:
            offset = await write_value(cluster)
            await load.grow(10)
            victim = await victim_of(cluster, leads=False)
            await cluster.kill(victim)
            exchange_on_disk(cluster, victim, offset)
            await cluster.start(victim)
            await check_repaired(cluster, load, victim, offset)
        await check_same(cluster, load)
        await check_level(cluster, load, victim)


async def check_repaired(cluster: Cluster, load: Load, victim: int, offset: int) -> None:
    await cluster.states(victim, FENCED)
    await cluster.states(victim, "although every checksum in it is right")
    await cluster.states(victim, COUNTS_AGAIN)
    await load.grow(10)
    await cluster.states(victim, f"differs from offset {offset} on")
    await agreed(cluster, victim, load.last_offset)
    (quarantined_log,) = quarantined(cluster, victim)
    assert "although every checksum in it is right" in (quarantined_log / "reason.txt").read_text()
    await eventually(lambda: note_in(cluster.data(victim)), lambda there: not there, "the note is gone")
    assert "Traceback" not in cluster.log_of(victim)


async def note_in(directory: Path) -> bool:
    return status_in(directory).divergence is not None


async def test_a_bit_that_flipped_on_a_leaders_disk(tmp_path):
    """One against one, there is no majority; with the third voter the leader is wrong, resigns, and is repaired."""
    async with running(tmp_path, extra=OFTEN, forks=False) as cluster:
        victim, ahead, behind = cluster.controller_ids
        async with under_load(cluster) as load:
            offset = await write_value(cluster)
            await load.grow(5)
        await cluster.caught_up(behind, load.last_offset)
        await cluster.kill(behind)
        async with under_load(cluster, prefix="h") as load:
            await load.grow(5)
        await cluster.caught_up(victim, load.last_offset)
        await cluster.kill(victim, ahead)
        exchange_on_disk(cluster, victim, offset)
        await cluster.start(victim, behind)
        assert await cluster.leader() == victim, "the other one's log is too short"
        await cluster.caught_up(victim, load.last_offset)
        async with cluster.client(victim) as client:
            assert (await described(client))[GROUP_NAME] == "02345", "its state is wrong"
        async with under_load(cluster, prefix="i") as load:
            await cluster.states(victim, "no majority of the voters agrees on one (yet)")
            assert FENCED not in cluster.log_of(victim) + cluster.log_of(behind)
            await cluster.start(ahead)
            await check_repaired(cluster, load, victim, offset)
        assert "its state at offset" in cluster.log_of(victim), "it resigned"
        assert FENCED not in cluster.log_of(ahead) + cluster.log_of(behind)
        await check_same(cluster, load)


async def test_a_wrong_memory_does_not_spread_by_a_snapshot(tmp_path):
    """Before states are compared, the leader writes down a wrong one: a voter that comes back empty is not given it."""
    async with flippable(tmp_path, extra=NEVER | PATIENT) as cluster:
        leader_id = await cluster.leader()
        empty = next(node_id for node_id in cluster.controller_ids if node_id != leader_id)
        async with under_load(cluster) as load:
            await write_value(cluster)
            command = flip_in_memory(cluster, leader_id)
            await eventually(lambda: is_there(command), lambda there: not there, "the bit flipped")
            before = snapshots_of(cluster, leader_id)
            await eventually(lambda: made(cluster, leader_id), lambda ids: len(ids - before) > 1, "a snapshot of it")
            await cluster.kill(empty)
            shutil.rmtree(cluster.node(empty).log_dirs[0])
            await cluster.start(empty)
            await cluster.states(empty, COUNTS_AGAIN)
        assert await cluster.leader() == leader_id
        for node_id, value in ((leader_id, "02345"), (empty, "12345")):
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                assert (await described(client))[GROUP_NAME] == value


def snapshots_of(cluster: Cluster, node_id: int) -> set[str]:
    return {path.name for path in cluster.data(node_id).glob("*.checkpoint")}


async def made(cluster: Cluster, node_id: int) -> set[str]:
    return snapshots_of(cluster, node_id)


async def is_there(path: Path) -> bool:
    return await asyncio.to_thread(path.exists)


async def test_a_bit_that_flips_in_a_brokers_memory(tmp_path):
    """The only voter of a quorum is right if another observer has its digest; one against one has no majority."""
    async with flippable(tmp_path, controllers=1, brokers=2) as cluster:
        broker, evidence = (node.node_id for node in cluster.sandbox.brokers)
        async with under_load(cluster) as load:
            offset = await write_value(cluster)
            await agreed(cluster, broker, offset)
            flip_in_memory(cluster, broker)
            await cluster.states(broker, FENCED)
            await cluster.states(broker, f"config 32 {GROUP_NAME} ")
            await load.grow(10)
            await agreed(cluster, broker, load.last_offset)
        assert FENCED not in cluster.log_of(1) + cluster.log_of(evidence)
        assert quarantined(cluster, broker) == []
