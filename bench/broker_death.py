"""``broker-death``: a broker that leads many partitions goes, in both ways in which brokers go.

``shutdown``  it requests a controlled shutdown: from the request until the last of its partitions has another leader.
``death``     its heartbeats stop: from the end of its session, which the controller has to notice by itself.

The end is seen by a follower of the log (:mod:`bench.observer`), which decodes when the log is quiet: the record that
gives the last partition its new leader is there (``moved``) and known to be committed (``published``), with the end of
the metadata transaction that it is in, if it is in one. Every partition has to get a leader that is not the broker.
Each measurement has a broker of its own; the others hold the other replicas. ``ms per 10,000 leaders`` shows whether
the time is in proportion to what moves.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from bench.assigned import UNCHANGED, Partition, assignments, create_assigned
from bench.brokers import HEARTBEAT_INTERVAL_S, SESSION_TIMEOUT_S, Broker, Brokers, registered
from bench.observer import Observer
from bench.proc import cpu_s
from bench.runs import PrintProgress, Row
from bench.work import System, eventually
from kraftpy.model.ids import NO_NODE
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    BrokerRegistrationChangeRecord,
    EndTransactionRecord,
    PartitionChangeRecord,
)

SEED: Final = 20_261_129
SURVIVORS: Final = 8
WAYS: Final = ("shutdown", "death")
WARM_UPS: Final = 3
WARM_UP_LEADERSHIPS: Final = 2_000
"""Brokers that shut down before anything is measured, so that a Java process has compiled what it needs."""
LEADERS: Final = 10_000
MOVE_TIMEOUT_S: Final = 300.0
LOOK_S: Final = 0.05
QUIET_S: Final = 1.0
QUIET_ENTRIES_MAX: Final = 10
"""Up to this number of entries in :data:`QUIET_S` are no work: Kafka appends a NoOpRecord every 500 ms."""


async def measure_broker_death(
    system: System, run: int, leaderships: Sequence[int], print_progress: PrintProgress
) -> list[Row]:
    """Measure both ways with each number of leaderships, on one cluster."""
    rows = []
    todo = [(way, count) for count in leaderships for way in WAYS]
    async with registered(system, SURVIVORS + WARM_UPS + len(todo)) as brokers:
        going = list(brokers.by_id.values())[SURVIVORS:]
        for number, broker in enumerate(going[:WARM_UPS]):
            partitions = await _lead(brokers, broker, f"warm-up-{number}", WARM_UP_LEADERSHIPS)
            await _measure(system, brokers, broker, "shutdown", partitions)
        for (way, count), broker in zip(todo, going[WARM_UPS:], strict=True):
            row = Row(system=system.name, run=run, work=f"{way}, {count:,} leaderships")
            try:
                partitions = await _lead(brokers, broker, f"{way}-{count}", count)
                row.figures = await _measure(system, brokers, broker, way, partitions)
            except (OSError, RuntimeError, TimeoutError) as error:
                # What was measured before is of use; after it there may be another controller.
                rows.append(Row(system=system.name, run=run, work="failed", notes=[f"{row.work}: {error}"]))
                print_progress(f"  {row.work} failed: {error}")
                break
            rows.append(row)
            print_progress(f"  {row.work}: " + ", ".join(f"{name} {value:,.0f}" for name, value in row.figures.items()))
    return rows


async def _lead(brokers: Brokers, broker: Broker, name: str, count: int) -> list[Partition]:
    """Create partitions that a broker leads, with followers that stay."""
    random = Random(f"{SEED}/{name}")
    stay = sorted(brokers.by_id)[:SURVIVORS]
    return await create_assigned(brokers, name, assignments(random, [broker.broker_id] * count, stay), random)


async def _measure(
    system: System, brokers: Brokers, broker: Broker, way: str, partitions: Sequence[Partition]
) -> dict[str, float]:
    """Let a broker go; return how long it took."""
    if brokers.failure:
        raise RuntimeError(brokers.failure)
    leader = system.pids.get(await system.leader(), 0)
    async with Observer(brokers.address, brokers.cluster_id) as observer:
        expected_end = observer.next_offset + len(partitions)
        broker.beats = False
        await broker.beat()
        if way == "shutdown":
            used, began = cpu_s(leader), time.perf_counter()
            going = asyncio.ensure_future(_shut_down(broker))
        else:
            left_s = broker.heard_at - asyncio.get_running_loop().time() + SESSION_TIMEOUT_S
            began = time.perf_counter() + left_s
            # What the others' heartbeats cost until then is no part of the death.
            await asyncio.sleep(left_s)
            used = cpu_s(leader)
            going = asyncio.ensure_future(asyncio.sleep(0.0))
        try:
            moved, used_at_end = await _followed(
                observer, brokers, broker.broker_id, partitions, expected_end=expected_end, leader=leader
            )
        finally:
            going.cancel()
    await asyncio.gather(going, return_exceptions=True)
    figures = {
        "first record ms": (moved.first - began) * 1_000,
        "moved ms": (moved.last - began) * 1_000,
        "published ms": (moved.committed - began) * 1_000,
    }
    figures[f"ms per {LEADERS:,} leaders"] = figures["published ms"] * LEADERS / len(partitions)
    return figures | {"leader CPU ms": (used_at_end - used) * 1_000}


async def _shut_down(broker: Broker) -> None:
    """Request a controlled shutdown, and go on requesting it as a broker does, until it is granted."""

    async def is_granted() -> bool:
        return (await broker.beat(shut_down=True)).should_shut_down

    await eventually(is_granted, "the shutdown is granted", MOVE_TIMEOUT_S, HEARTBEAT_INTERVAL_S)


@dataclass(frozen=True, slots=True)
class Moved:
    """When (``time.perf_counter()``) the first record of a broker's going came, the last, and the knowledge of that."""

    first: float
    last: float
    committed: float


class Quiet:
    """Finds out when a log is quiet: at most :data:`QUIET_ENTRIES_MAX` entries came or were committed in a while.

    Attributes:
        since: since when no more than that has happened.
    """

    def __init__(self) -> None:
        self.since = 0.0
        self._position: int | None = None

    def looked(self, now: float, position: int) -> bool:
        """Take how far the log is; return whether it has been quiet for :data:`QUIET_S`, which then restarts."""
        is_busy = self._position is None or position - self._position > QUIET_ENTRIES_MAX
        is_quiet = not is_busy and now - self.since >= QUIET_S
        if is_busy or is_quiet:
            self.since, self._position = now, position
        return is_quiet


async def _followed(
    observer: Observer,
    brokers: Brokers,
    broker_id: int,
    partitions: Sequence[Partition],
    *,
    expected_end: int,
    leader: int,
) -> tuple[Moved, float]:
    """Wait until every partition has another leader: not before the log has a record for each.

    Returns:
        When they moved, and the CPU time of the leader's process (s) when the log became quiet.

    Raises:
        TimeoutError: one has none within :data:`MOVE_TIMEOUT_S`.
    """
    quiet, since, used = Quiet(), 0.0, 0.0
    async with asyncio.timeout(MOVE_TIMEOUT_S):
        while True:
            observer.check()
            if brokers.failure:
                raise RuntimeError(brokers.failure)
            # Decoding holds up the loop that notes when answers come: so not before it can be complete, and no more
            # of them come.
            is_quiet = quiet.looked(time.perf_counter(), observer.next_offset + observer.high_watermark)
            if is_quiet and min(observer.next_offset, observer.high_watermark) >= expected_end:
                moved = moved_in(observer, broker_id, partitions)
                if moved is not None:
                    return moved, used
            if quiet.since != since:
                since, used = quiet.since, cpu_s(leader)
            await asyncio.sleep(LOOK_S)


def moved_in(observer: Observer, broker_id: int, partitions: Sequence[Partition]) -> Moved | None:
    """Return when the leaders moved; ``None`` while one of them has not, or it is not known to be committed."""
    missing = {(partition.topic_id, partition.index) for partition in partitions}
    first = None
    in_transaction = False
    for at, offset, record in observer.records():
        if isinstance(record, BeginTransactionRecord | EndTransactionRecord):
            in_transaction = isinstance(record, BeginTransactionRecord)
        elif isinstance(record, BrokerRegistrationChangeRecord) and record.broker_id == broker_id:
            first = first or at
        elif isinstance(record, PartitionChangeRecord) and record.leader not in {UNCHANGED, NO_NODE, broker_id}:
            before = len(missing)
            missing.discard((record.topic_id, record.partition_id))
            first = at if first is None and len(missing) < before else first
        if not missing and not in_transaction:
            committed = observer.committed_at(offset)
            return None if committed is None or first is None else Moved(first, at, max(at, committed))
    return None
