"""One campaign: clients at work, faults drawn from a seed, then peace, then the verdict.

Each fault lasts a moment and is ended before the next; after it the cluster must acknowledge writes again within
:data:`PATIENCE_S`, or the campaign fails for want of progress.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import Batch, parse_batch
from kraftpy.records.metadata import ConfigRecord, decode_record
from kraftpy.storage.meta_properties import parse_meta_properties
from tests.fakes.processes import KEY, check_offsets, eventually, watched
from tests.robustness.clients import Clients
from tests.robustness.history import save
from tests.robustness.judge import Judgement, Written, judge
from tests.robustness.linear import Verdict
from tests.robustness.world import World, world

PATIENCE_S = 30.0
PROGRESS = 5
"""So many writes must be acknowledged after each fault."""


@dataclass
class Report:
    """What happened, in numbers."""

    seed: int
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    bytes_lost: int = 0
    bytes_dropped: int = 0
    judgement: Judgement | None = None

    def __str__(self) -> str:
        assert self.judgement is not None
        verdicts = Counter(self.judgement.verdicts.values())
        return (
            f"seed {self.seed}: {self.seconds:.0f} s; faults {dict(sorted(self.faults.items()))}; "
            f"{self.bytes_lost} unsynced bytes lost, {self.bytes_dropped} bytes dropped on the network; "
            f"operations {dict(self.judgement.counts)}; keys {verdicts[Verdict.VALID]} valid, "
            f"{verdicts[Verdict.INVALID]} invalid, {verdicts[Verdict.UNKNOWN]} unknown"
        )


class Nemesis:
    """The faults, by name; each begins one and returns when it is over, healed."""

    def __init__(self, made: World, draw: random.Random, report: Report) -> None:
        self._world = made
        self._draw = draw
        self._report = report

    def all(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """Return every fault by its name."""
        return {
            "kill the leader": self.kill_the_leader,
            "kill a minority": self.kill_a_minority,
            "power loss of all": self.power_loss_of_all,
            "power loss of one": self.power_loss_of_one,
            "freeze the leader": self.freeze_the_leader,
            "isolate the leader": self.isolate_the_leader,
            "deaf leader": self.deaf_leader,
            "mute leader": self.mute_leader,
            "split": self.split,
            "slow network": self.slow_network,
            "slow disk": self.slow_disk,
        }

    async def _leader(self) -> int:
        return await self._world.leader(PATIENCE_S)

    def _one(self) -> int:
        return self._draw.choice(self._world.controller_ids)

    async def _for_a_while(self, least_s: float = 0.3, most_s: float = 2.5) -> None:
        await asyncio.sleep(self._draw.uniform(least_s, most_s))

    async def kill_the_leader(self) -> None:
        """``kill -9``, and start it again."""
        await self._world.kill(await self._leader())
        await self._for_a_while()

    async def kill_a_minority(self) -> None:
        """``kill -9`` of anybody."""
        await self._world.kill(self._one())
        await self._for_a_while()

    async def power_loss_of_all(self) -> None:
        """All machines lose their power at once (the first of the two Jepsen experiments on NATS 2.12.1)."""
        self._report.bytes_lost += await self._world.power_off(self._draw, *self._world.controller_ids)

    async def power_loss_of_one(self) -> None:
        """One machine loses its power."""
        self._report.bytes_lost += await self._world.power_off(self._draw, self._one())
        await self._for_a_while()

    async def freeze_the_leader(self) -> None:
        """SIGSTOP: it comes back believing that it leads."""
        self._world.pause(await self._leader())
        await self._for_a_while(1.0, 4.0)

    async def isolate_the_leader(self) -> None:
        """Cut it off from the others; clients still reach it."""
        leader = await self._leader()
        self._world.network.partition([leader], self._others(leader))
        await self._for_a_while(1.0, 4.0)

    async def deaf_leader(self) -> None:
        """Nothing reaches it, all that it says arrives."""
        leader = await self._leader()
        self._world.network.partition(self._others(leader), [leader], both=False)
        await self._for_a_while(1.0, 4.0)

    async def mute_leader(self) -> None:
        """Everything reaches it, nothing that it says arrives."""
        leader = await self._leader()
        self._world.network.partition([leader], self._others(leader), both=False)
        await self._for_a_while(1.0, 4.0)

    async def split(self) -> None:
        """Cut one random link only: the two ends disagree about who is there."""
        one, other = self._draw.sample(self._world.controller_ids, 2)
        self._world.network.partition([one], [other])
        await self._for_a_while(1.0, 4.0)

    async def slow_network(self) -> None:
        """Every direction has a delay of its own."""
        for one in self._world.controller_ids:
            for other in self._others(one):
                self._world.network.delay_s[one, other] = self._draw.uniform(0, 0.15)
        await self._for_a_while(1.0, 3.0)

    async def slow_disk(self) -> None:
        """One node's syncs take long."""
        self._world.slow_down(self._one(), self._draw.uniform(0.05, 0.4))
        await self._for_a_while(1.0, 3.0)

    def _others(self, node_id: int) -> list[int]:
        return [other for other in self._world.controller_ids if other != node_id]


async def campaign(
    root: Path,
    *,
    seed: int,
    seconds: float,
    only: tuple[str, ...] = (),
    disks_lie: bool = False,
    patience_s: float = PATIENCE_S,
) -> Report:
    """Run one campaign and judge it; the history is kept beside the nodes' directories.

    Args:
        root: where to put everything.
        seed: draws the faults.
        seconds: how long to go on; each fault that was begun is ended.
        only: leave out all faults but these.
        patience_s: how long the cluster may take, after each fault, until it acknowledges writes.
        disks_lie: let no sync do anything: a campaign with power losses must then find losses.

    Raises:
        AssertionError: there was no progress after a fault, or the nodes ended up with different logs.
    """
    report, draw, started = Report(seed), random.Random(seed), time.monotonic()
    async with world(root / "cluster") as made:
        await made.leader()
        if disks_lie:
            made.let_disks_lie()
        clients = Clients(made, seed)
        stop = asyncio.Event()
        nemesis = Nemesis(made, draw, report)
        faults = {name: fault for name, fault in nemesis.all().items() if not only or name in only}
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(clients.run(stop))
            try:
                await _progress(clients, "the start", PATIENCE_S)
                order: list[str] = []
                while time.monotonic() - started < seconds or not report.faults:
                    if not order:
                        order = sorted(faults)
                        draw.shuffle(order)
                    name = order.pop()
                    await faults[name]()
                    report.faults[name] += 1
                    await made.heal()
                    await _progress(clients, name, patience_s)
            finally:
                stop.set()
        log = await _final_log(made)
        report.seconds, report.bytes_dropped = time.monotonic() - started, made.network.dropped
    save(root / "history.jsonl", clients.history)
    report.judgement = judge(clients.history, log)
    return report


async def _progress(clients: Clients, after: str, patience_s: float) -> None:
    target = clients.acknowledged + PROGRESS

    async def count() -> int:
        return clients.acknowledged

    await eventually(count, lambda have: have >= target, f"writes are acknowledged after {after!r}", patience_s)


async def _final_log(made: World) -> list[Written]:
    """Read the whole log from every node, once all have it; they must be equal, and of one cluster."""
    leader = await made.leader()
    gauges = await made.metrics(leader)
    upto = int(gauges["kraft_last_applied_record_offset"])
    logs: dict[int, list[bytes]] = {}
    for node_id in made.controller_ids:
        await made.caught_up(node_id, upto)
        async with made.client(node_id) as client:
            batches = [batch for batch in await watched(client, upto) if batch.last_offset <= upto]
        check_offsets(batches)
        logs[node_id] = [batch.records for batch in batches]
    first = logs[leader]
    for node_id, other in logs.items():
        assert other == first, f"the logs of {leader} and {node_id} differ below offset {upto}"
    texts = [path.read_text() for path in made.sandbox.root.rglob("meta.properties")]
    ids = {parse_meta_properties(text).cluster_id for text in texts}
    assert len(ids) == 1, f"meta.properties name the clusters {ids}"
    return [written for records in first for written in _writes(parse_batch(records))]


def _writes(batch: Batch) -> list[Written]:
    if batch.is_control:
        return []
    found = []
    for offset, value in enumerate(batch.values(), batch.base_offset):
        record = decode_record(value, SchemaSet.KRAFTPY)
        if isinstance(record, ConfigRecord) and record.name == KEY and record.value is not None:
            found.append(Written(offset, record.resource_name, record.value))
    return found
