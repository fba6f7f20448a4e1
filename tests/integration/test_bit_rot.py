"""Disks whose bits rot: real processes, one flipped bit, and what becomes of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from kraftpy.client.async_client import AsyncClient
from kraftpy.client.values import SnapshotBegins, SnapshotEnds, WatchedBatch
from kraftpy.storage.names import QUARANTINE, REPLICA_STATUS
from tests.fakes.processes import (
    PATIENCE_S,
    PATIENT,
    Cluster,
    Load,
    check_offsets,
    described,
    eventually,
    group,
    groups_in,
    parsed,
    read_log,
    running,
    status_in,
    under_load,
)
from tests.integration.test_lost_directories import readyz
from tests.integration.test_snapshots import SMALL, check_snapshot_first, cleaned
from tests.robustness.power import flip_bit

pytestmark = pytest.mark.landing

COUNTS_AGAIN = "caught up with leader"
"""The reason in the log when a vote counts again that did not count before."""


def quarantined(cluster: Cluster, node_id: int) -> list:
    place = cluster.data(node_id) / QUARANTINE
    return sorted(place.iterdir()) if place.exists() else []


async def victim_of(cluster: Cluster, *, leads: bool) -> int:
    leader = await cluster.leader()
    return leader if leads else next(one for one in cluster.controller_ids if one != leader)


def middle_of(directory) -> tuple:
    """The first segment, and a byte of a batch in the middle of the log."""
    batches = read_log(directory)
    return min(directory.glob("*.log")), sum(batch.size for batch in batches[: len(batches) // 2]) + 40


async def check_level(cluster: Cluster, load: Load, victim: int) -> None:
    """The victim has every byte that another one has, and counts: with it alone another leader is elected."""
    await cluster.states(victim, COUNTS_AGAIN)
    for node_id in cluster.running_controllers:
        await cluster.caught_up(node_id, load.last_offset)
    async with cluster.client(victim) as client:
        assert load.missing(await described(client)) == {}
    assert status_in(cluster.data(victim)).is_eligible
    other = next(one for one in cluster.running_controllers if one != victim)
    both = [{batch.next_offset: batch.data for batch in read_log(cluster.data(one))} for one in (victim, other)]
    shared = both[0].keys() & both[1].keys()
    assert max(shared) > load.last_offset
    assert [both[0][offset] for offset in sorted(shared)] == [both[1][offset] for offset in sorted(shared)]
    last = next(one for one in cluster.running_controllers if one not in {victim, other})
    await cluster.kill(last)
    await cluster.leader()
    async with cluster.client(victim, other) as client:
        await client.incremental_alter_configs(group("after", "20000"), retry_unknown=True)


async def test_a_flipped_bit_in_the_committed_middle_is_repaired_from_the_peers(tmp_path):
    """The corrupt log is kept, one line says what happens, and in the end the node is level, byte for byte."""
    async with running(tmp_path) as cluster:
        async with under_load(cluster) as load:
            await load.grow(40)
            victim = await victim_of(cluster, leads=True)
            await cluster.kill(victim)
            await load.grow(20)
            segment, position = middle_of(cluster.data(victim))
            flip_bit(segment, position, 3)
            corrupt = segment.read_bytes()
            await cluster.start(victim)
            gauges = await eventually(lambda: cluster.metrics(victim), bool, "it answers")
            assert gauges["kraft_voter_eligible"] == 0, "not before its probation is over"
            await load.grow(20)
            await cluster.states(victim, COUNTS_AGAIN)
            assert (await cluster.metrics(victim))["kraft_voter_eligible"] == 1
        await check_level(cluster, load, victim)
        (quarantined_log,) = quarantined(cluster, victim)
        assert (quarantined_log / segment.name).read_bytes() == corrupt, "as it was found"
        (line,) = [line for line in cluster.log_of(victim).splitlines() if "CORRUPTION: " in line]
        assert f"{segment} at byte " in line
        assert "fetches everything again" in line
        assert str(quarantined_log) in line
        assert str(segment) in (quarantined_log / "reason.txt").read_text()
        assert "Traceback" not in cluster.log_of(victim)


async def test_a_flipped_bit_in_a_snapshot_is_repaired_from_the_peers(tmp_path):
    """A log that was cleaned starts at its snapshot: without that it is no log."""
    async with running(tmp_path, extra=SMALL) as cluster:
        victim = await victim_of(cluster, leads=False)
        async with under_load(cluster) as load:
            await cleaned(cluster, victim, 0)
            await cluster.kill(victim)
            snapshot = max(cluster.data(victim).glob("*.checkpoint"))
            flip_bit(snapshot, snapshot.stat().st_size // 2, 5)
            await cluster.start(victim)
            await load.grow(10)
            await cluster.states(victim, COUNTS_AGAIN)
        assert f"{snapshot} is corrupt at byte" in cluster.log_of(victim)
        await cluster.caught_up(victim, load.last_offset)
        await check_level(cluster, load, victim)


async def test_what_can_be_rebuilt_is_no_corruption(tmp_path):
    """Indexes are made from the log at every start: a flipped bit in one changes nothing."""
    async with running(tmp_path) as cluster:
        async with under_load(cluster) as load:
            await load.grow(40)
        victim = await victim_of(cluster, leads=False)
        await cluster.caught_up(victim, load.last_offset)
        assert await cluster.terminate(victim) == 0
        for path in [*cluster.data(victim).glob("*.index"), *cluster.data(victim).glob("*.timeindex")]:
            for position in range(path.stat().st_size):
                flip_bit(path, position, position % 8)
        await cluster.start(victim)
        await cluster.caught_up(victim, load.last_offset)
        assert quarantined(cluster, victim) == []
        async with cluster.client(victim) as client:
            assert load.missing(await described(client)) == {}


async def test_corruption_on_a_majority_elects_no_leader_until_the_operator_helps(tmp_path):
    """All voters log the reason; moved back from quarantine and repaired, the log holds everything."""
    async with running(tmp_path) as cluster:
        async with under_load(cluster) as load:
            await load.grow(40)
        for node_id in cluster.controller_ids:
            await cluster.caught_up(node_id, load.last_offset)
        await cluster.kill(1, 2, 3)
        places = {node_id: middle_of(cluster.data(node_id)) for node_id in (1, 2)}
        for segment, position in places.values():
            flip_bit(segment, position, 3)
        await cluster.start(1, 2, 3)
        reported = await eventually(
            lambda: readyz(cluster, 3), lambda text: "voters 1, 2 started with" in text, "why nobody is elected"
        )
        assert "empty, refused or corrupt directories and may not vote; voters 3 may" in reported
        assert "kraftpy.quarantine" in reported
        await cluster.kill(1, 2)
        for node_id, (segment, position) in places.items():
            (quarantined_log,) = quarantined(cluster, node_id)
            for path in cluster.data(node_id).glob("*.log"):
                path.unlink()
            for path in quarantined_log.iterdir():
                path.rename(cluster.data(node_id) / path.name)
            flip_bit(segment, position, 3)
            (cluster.data(node_id) / REPLICA_STATUS).unlink()
        await cluster.start(1, 2)
        await cluster.leader()
        for node_id in cluster.controller_ids:
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                assert load.missing(await described(client)) == {}


async def test_what_rots_under_a_running_leader_is_served_to_no_replica(tmp_path):
    """It stops with the file and the place, the others go on; started again, it is repaired."""
    async with running(tmp_path, extra=PATIENT) as cluster:
        async with under_load(cluster) as load:
            await load.grow(10)
            await cluster.kill(3)
            behind = len(read_log(cluster.data(3)))
            await load.grow(40)
            # The new leader has nothing in its cache; a follower that lags makes it read its file again.
            await cluster.kill(1, 2)
            await cluster.start(1, 2)
            leader = await cluster.leader()
            await load.grow(5)
            segment = min(cluster.data(leader).glob("*.log"))
            position = sum(batch.size for batch in read_log(cluster.data(leader))[: behind + 5]) + 40
            flip_bit(segment, position, 3)
            await cluster.start(3)
            assert await cluster.exit_code(leader) == 1
            (line,) = [line for line in cluster.log_of(leader).splitlines() if line.startswith("error: ")]
            assert f"{segment} was whole when it was opened and is corrupt at byte " in line
            await cluster.start(leader)
            await load.grow(10)
            await cluster.states(leader, COUNTS_AGAIN)
        assert "CORRUPTION: " in cluster.log_of(leader)
        for node_id in cluster.controller_ids:
            await cluster.caught_up(node_id, load.last_offset)
            async with cluster.client(node_id) as client:
                assert load.missing(await described(client)) == {}


async def test_a_broker_fetches_its_copy_again(tmp_path):
    """It never voted, so nothing else changes: it is there again with all records."""
    async with running(tmp_path, controllers=1, brokers=1) as cluster:
        (broker,) = [node.node_id for node in cluster.sandbox.brokers]
        async with under_load(cluster) as load:
            await load.grow(40)
            await cluster.caught_up(broker, load.last_offset)
            await cluster.kill(broker)
            segment, position = middle_of(cluster.data(broker))
            flip_bit(segment, position, 3)
            await cluster.start(broker)
            await load.grow(5)
        await cluster.caught_up(broker, load.last_offset)
        assert len(quarantined(cluster, broker)) == 1
        both = [[batch.data for batch in read_log(cluster.data(one))] for one in (1, broker)]
        length = min(len(each) for each in both)
        assert both[0][:length] == both[1][:length]


class Watch:
    """A client that watches from the log's beginning, at one node first and then at any that answers."""

    def __init__(self, cluster: Cluster, first: int, *, include_secrets: bool = False) -> None:
        order = [first, *(one for one in cluster.controller_ids if one != first)]
        targets = [cluster.node(one).grpc_endpoint for one in order]
        self._client = AsyncClient([one for one in targets if one], draw=lambda: 0.0)
        self.events: list = []
        self._include_secrets = include_secrets

    async def run(self) -> None:
        watch = self._client.watch(0, include_secrets=self._include_secrets)
        async with self._client, aclosing(watch) as events:
            async for event in events:
                self.events.append(event)

    async def reaches(self, offset: int) -> None:
        """Wait until a record at an offset, or a snapshot that ends behind it, has come."""

        async def end() -> int:
            ends = [one.last_offset for one in self.events if isinstance(one, WatchedBatch)]
            ends += [one.end_offset - 1 for one in self.events if isinstance(one, SnapshotEnds)]
            return max(ends, default=-1)

        await eventually(end, lambda have: have >= offset, f"a watch reaches offset {offset}", PATIENCE_S)


async def check_fetched_again(cluster: Cluster, load: Load, victim: int) -> None:
    """Started again, the victim quarantines its log, counts in the end, and has all that was acknowledged."""
    await cluster.start(victim)
    await load.grow(5)
    await cluster.states(victim, COUNTS_AGAIN)
    assert len(quarantined(cluster, victim)) == 1
    await cluster.caught_up(victim, load.last_offset)


async def test_corruption_in_the_log_that_a_watcher_meets_ends_that_node_and_no_watch(tmp_path):
    """Only watchers read there; a watch at that node, from its beginning or its end, goes on at another one."""
    async with running(tmp_path) as cluster:
        async with under_load(cluster) as load, asyncio.TaskGroup() as tasks:
            await load.grow(40)
            victim = await victim_of(cluster, leads=False)
            # What it holds in its cache is what comes after its start.
            await cluster.kill(victim)
            await cluster.start(victim)
            await cluster.caught_up(victim, load.last_offset)
            before = Watch(cluster, victim)
            watches = [tasks.create_task(before.run())]
            await before.reaches(load.last_offset)
            segment, position = middle_of(cluster.data(victim))
            flip_bit(segment, position, 3)
            await load.grow(10)
            assert cluster.is_running(victim), "nobody has read it yet"
            # With secrets it shares no message that the first one was sent.
            after = Watch(cluster, victim, include_secrets=True)
            watches.append(tasks.create_task(after.run()))
            assert await cluster.exit_code(victim) == 1
            (line,) = [line for line in cluster.log_of(victim).splitlines() if line.startswith("error: ")]
            assert f"{segment} was whole when it was opened and is corrupt at byte " in line
            await load.grow(10)
            await before.reaches(load.last_offset)
            await after.reaches(load.last_offset)
            await check_fetched_again(cluster, load, victim)
            for watch in (before, after):
                await watch.reaches(load.last_offset)
            for task in watches:
                task.cancel()
        for watch in (before, after):
            check_offsets(watch.events)
        reached = max(event.last_offset for event in after.events)
        wanted = {name: value for name, (value, offset) in load.acknowledged.items() if offset <= reached}
        assert wanted.items() <= groups_in(parsed(after.events)).items()


async def test_corruption_in_a_snapshot_that_a_watcher_meets_ends_that_node_and_no_watch(tmp_path):
    """A record's bits are under the batch's checksum alone: none of it is believed, and another node's is taken."""
    async with running(tmp_path, extra=SMALL) as cluster:
        async with under_load(cluster) as load:
            victim = await victim_of(cluster, leads=False)
            for node_id in cluster.controller_ids:
                await cleaned(cluster, node_id, 10)
        await cluster.caught_up(victim, load.last_offset)
        snapshots = sorted(cluster.data(victim).glob("*.checkpoint"))
        for snapshot in snapshots:
            flip_bit(snapshot, snapshot.stat().st_size // 2, 5)
        watch = Watch(cluster, victim)
        watching = asyncio.create_task(watch.run())
        assert await cluster.exit_code(victim) == 1
        (line,) = [line for line in cluster.log_of(victim).splitlines() if line.startswith("error: ")]
        assert any(f"{snapshot} is corrupt" in line for snapshot in snapshots)
        async with under_load(cluster, prefix="later") as later:
            await later.grow(5)
            await check_fetched_again(cluster, later, victim)
            await watch.reaches(later.last_offset)
        watching.cancel()
        begins = [at for at, event in enumerate(watch.events) if isinstance(event, SnapshotBegins)]
        found = check_snapshot_first(watch.events[begins[-1] :], 0)
        assert load.missing(found) == {}
        assert not [event for event in watch.events[: begins[-1]] if isinstance(event, SnapshotEnds | WatchedBatch)]
