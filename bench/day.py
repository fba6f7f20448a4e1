"""``day``: a day of a cluster's requests to its controllers (:mod:`bench.day_plan`), over Kafka's protocol.

*As fast as it goes*: each connection has one request unanswered, but for heartbeats, of which the brokers together
have a number: brokers have one, but at this speed the time of a round trip would be measured. The order within a
connection is kept, and no step starts more than :data:`AHEAD_S` of the day before the newest one of any other
connection. ``total s`` is the whole day; in ``waited s`` of it a registration was rejected because the session of the
broker's process before had not ended (Kafka does so after an orderly stop, too). Rates are of the whole, since the
other connections go on meanwhile.

*At a speed*: the busiest part of the day in an open loop, ten times as fast; a latency begins when its step is due,
whatever became of the steps before it. Every connection has one request unanswered.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import time
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final, Protocol, Self

from bench.assigned import assignments, create_assigned
from bench.brokers import Brokers, registered
from bench.cases import warmed_up
from bench.channel import Channel, connect
from bench.day_brokers import BrokerSteps
from bench.day_plan import DAY_S, READS, SEED, Action, Chain, Day, Link, Step
from bench.day_requests import TOPICS, ClientSteps, Cluster, Done, Gates
from bench.followed import Followed
from bench.observer import Observer
from bench.proc import Meter, Usage
from bench.ratios import CPU_PER
from bench.runs import PrintProgress, Row
from bench.stats import latencies_of, thinned
from bench.topics import change
from bench.work import System, eventually

AHEAD_S: Final = 60.0
HOUR_S: Final = 3_600.0
MINUTE_S: Final = 60.0
PART_SERIALS: Final = 1_000_000
"""Between the numbers of topics of one part and those of the next: more than a day has."""
FOLLOWED_TIMEOUT_S: Final = 60.0
LOOK_S: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOptions:
    """Which day, and which parts of it.

    Attributes:
        brokers: of the cluster.
        partitions: of the cluster, each with three replicas.
        hours: how much of the day is replayed as fast as it goes, the busiest part in it.
        window_minutes: how long the part is that is replayed at a speed.
        speed: how many times as fast.
        in_flight: how many heartbeats are unanswered at a time when it goes as fast as it can.
    """

    brokers: int = 12
    partitions: int = 7_000
    hours: float = 24.0
    window_minutes: float = 10.0
    speed: float = 10.0
    in_flight: int = 240


async def measure_day(system: System, run: int, options: DayOptions, print_progress: PrintProgress) -> list[Row]:
    """Replay both parts on one cluster.

    Raises:
        RuntimeError: what every step needs failed, such as a broker's registration.
    """
    day = Day(options.brokers)
    window_s = options.window_minutes * MINUTE_S
    busiest_s = day.busiest(window_s)
    hours_s = options.hours * HOUR_S
    first_s = max(0.0, min(busiest_s + window_s / 2 - hours_s / 2, DAY_S - hours_s))
    async with _prepared(system, options) as replaying:
        in_flight = max(1, options.in_flight // options.brokers)
        fast = await replaying.part(day, first_s, first_s + hours_s, in_flight=in_flight)
        rows = [_fast_row(system, run, options, fast)]
        print_progress(f"  {rows[0].work}: {_stated(rows[0])}")
        try:
            timed = await replaying.part(day, busiest_s, busiest_s + window_s, speed=options.speed)
        except (OSError, RuntimeError, TimeoutError) as error:
            # What was measured before is of use.
            rows.append(Row(system=system.name, run=run, work="failed", notes=[f"at {options.speed:g}x: {error}"]))
            print_progress(f"  at {options.speed:g}x failed: {error}")
            return rows
    rows += _timed_rows(system, run, options, timed)
    for row in rows[1:]:
        print_progress(f"  {row.work}: {_stated(row)}")
    return rows


class Pace(Protocol):
    """When steps start."""

    async def start(self, chain: Chain, due_s: float) -> float:
        """Wait until a chain's next step starts; return when its latency begins (``time.perf_counter()``)."""
        ...

    def ended(self, chain: Chain) -> None:
        """Take note that a chain has no more steps."""
        ...


class AsFast:
    """At once, but never more than :data:`AHEAD_S` of the day before the newest step of another chain."""

    def __init__(self, chains: Mapping[Chain, object]) -> None:
        self._due = dict.fromkeys(chains, 0.0)
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._floor = 0.0

    async def start(self, chain: Chain, due_s: float) -> float:
        """Wait until the others are as far."""
        self._due[chain] = due_s
        self._look()
        if due_s > self._floor + AHEAD_S:
            waiting = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (due_s, next(self._numbers), waiting))
            await waiting
        return time.perf_counter()

    def ended(self, chain: Chain) -> None:
        """Wait for this one no more."""
        del self._due[chain]
        self._look()

    def _look(self) -> None:
        self._floor = min(self._due.values(), default=DAY_S)
        while self._waiting and self._waiting[0][0] <= self._floor + AHEAD_S:
            waiting = heapq.heappop(self._waiting)[2]
            if not waiting.done():
                waiting.set_result(None)


class AtSpeed:
    """At the times of the day, a number of times as fast."""

    def __init__(self, first_s: float, speed: float) -> None:
        self._first_s = first_s
        self._speed = speed
        self._begin = time.perf_counter()

    async def start(self, chain: Chain, due_s: float) -> float:
        """Wait until a step is due; return when that was."""
        del chain
        due = self._begin + (due_s - self._first_s) / self._speed
        left_s = due - time.perf_counter()
        if left_s > 0:
            await asyncio.sleep(left_s)
        return due

    def ended(self, chain: Chain) -> None:
        """Wait for nothing."""


class Pipeline:
    """Coroutines of which up to a number run at a time; leave it, and the last of them has ended."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._running: deque[asyncio.Task[None]] = deque()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        if kind is None:
            await self.drain()
        for task in self._running:
            task.cancel()

    async def put(self, todo: Coroutine[Any, Any, None]) -> None:
        """Run one more, as soon as there are few enough."""
        self._running.append(asyncio.ensure_future(todo))
        while len(self._running) >= self._limit:
            await self._running.popleft()

    async def drain(self) -> None:
        """Wait until none runs."""
        while self._running:
            await self._running.popleft()


@dataclass(slots=True)
class Part:
    """What became of a part of the day."""

    total_s: float = 0.0
    requests: int = 0
    written: int = 0
    records: dict[str, int] = field(default_factory=dict)
    stale: int = 0
    waited_s: float = 0.0
    errors: int = 0
    first_error: str = ""
    latencies_us: dict[Action, list[float]] = field(default_factory=dict)
    client_s: float = 0.0
    usage: dict[str, Usage] = field(default_factory=dict)
    leader: str = ""

    def took(self, step: Step, began: float, ended: Done) -> None:
        """Take note of how a step ended."""
        if ended.error:
            self.errors += 1
            self.first_error = self.first_error or f"{step.action.value}: {ended.error}"
        elif ended.at is not None:
            self.latencies_us.setdefault(step.action, []).append((ended.at - began) * 1e6)


class Replaying:
    """Replays parts of the day on one cluster."""

    def __init__(
        self,
        system: System,
        brokers: Brokers,
        followed: Followed,
        observer: Observer,
        links: Mapping[Chain, Channel],
        topics: int,
    ) -> None:
        self._system = system
        self._brokers = brokers
        self._followed = followed
        self._observer = observer
        self._links = links
        self._topics = topics
        self._parts = count(1)

    async def part(
        self, day: Day, start_s: float, end_s: float, *, speed: float | None = None, in_flight: int = 1
    ) -> Part:
        """Replay a part of the day: at a speed, or as fast as it goes; ``in_flight`` is of heartbeats of one broker."""
        system, found, chains = self._system, Part(), day.chains(start_s, end_s)
        found.leader = await system.leader()
        gates = Gates(step for _, step in day.steps(start_s, end_s))
        first = next(self._parts) * PART_SERIALS
        cluster = Cluster(self._brokers, self._followed, self._links, gates, self._topics, first)
        own = BrokerSteps(cluster)
        does = own.does | ClientSteps(cluster).does
        before, written = self._followed.records.copy(), self._followed.written
        meter, client_s, began = Meter(system.pids), time.process_time(), time.perf_counter()
        meter.start()
        pace: Pace = AsFast(chains) if speed is None else AtSpeed(start_s, speed)

        async def do(chain: Chain, step: Step, start: float) -> None:
            found.took(step, start, await does[step.action](chain, step))
            gates.passed(step)

        async def replay(chain: Chain, steps: Iterator[Step]) -> None:
            async with Pipeline(in_flight) as pipeline:
                for step in steps:
                    start = await pace.start(chain, step.due_s)
                    if step.action is Action.HEARTBEAT:
                        await pipeline.put(do(chain, step, start))
                    else:
                        await pipeline.drain()
                        await do(chain, step, start)
            pace.ended(chain)

        await self._together([replay(chain, steps) for chain, steps in chains.items()])
        found.total_s, found.usage = time.perf_counter() - began, meter.stop()
        found.client_s = time.process_time() - client_s
        await self.until_followed()
        found.requests, found.stale, found.waited_s = cluster.requests, own.stale, own.waited_s
        found.written = self._followed.written - written
        found.records = dict((self._followed.records - before).most_common())
        return found

    async def _together(self, chains: list[Coroutine[Any, Any, None]]) -> None:
        """Run all chains to their ends, or until one of them or of what they need fails."""
        tasks = [asyncio.ensure_future(chain) for chain in chains]
        running = asyncio.gather(*tasks)
        failing = asyncio.ensure_future(self._failed())
        try:
            await asyncio.wait([running, failing], return_when=asyncio.FIRST_COMPLETED)
            if failing.done():
                failing.result()
            running.result()
        finally:
            for task in (*tasks, failing):
                task.cancel()
            await asyncio.gather(*tasks, failing, return_exceptions=True)

    async def _failed(self) -> None:
        """Raise what ended the brokers' heartbeats or the following of the log."""
        while True:
            self._observer.check()
            if self._brokers.failure:
                raise RuntimeError(self._brokers.failure)
            await asyncio.sleep(LOOK_S)

    async def until_followed(self) -> None:
        """Wait until everything that was written has been applied."""
        end = (await self._system.positions()).get(await self._system.leader(), 0)

        async def is_followed() -> bool:
            self._observer.check()
            return self._observer.next_offset >= end and self._followed.is_idle

        await eventually(is_followed, f"the log up to offset {end} is followed", FOLLOWED_TIMEOUT_S)


@asynccontextmanager
async def _prepared(system: System, options: DayOptions) -> AsyncIterator[Replaying]:
    """Register the brokers, warm the system up, create the partitions, and follow the log."""
    async with AsyncExitStack() as stack:
        brokers = await stack.enter_async_context(registered(system, options.brokers, shared=False))
        followed = Followed()
        observer = Observer(brokers.address, brokers.cluster_id, take=followed.take)
        await stack.enter_async_context(observer)
        stack.push_async_callback(_ended, asyncio.ensure_future(followed.follow()))
        # What the warm-up leaves has replicas on brokers that are restarted, too.
        await warmed_up(system, brokers, change(count()))
        random, ids = Random(SEED), sorted(brokers.by_id)
        leaders = [ids[number % len(ids)] for number in range(options.partitions)]
        partitions = await create_assigned(brokers, TOPICS, assignments(random, leaders, ids), random)
        links = {}
        for chain in links_of(options.brokers):
            links[chain] = await connect(brokers.address)
            stack.callback(links[chain].close)
        topics = len({one.topic_id for one in partitions})
        replaying = Replaying(system, brokers, followed, observer, links, topics)
        await replaying.until_followed()
        yield replaying


def links_of(brokers: int) -> list[Chain]:
    """Return the connections besides those for heartbeats."""
    own = [Chain(link, broker) for broker in range(brokers) for link in (Link.ALTER, Link.FORWARD)]
    return own + [Chain(Link.MONITORING, number) for number in range(len(READS))]


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _fast_row(system: System, run: int, options: DayOptions, part: Part) -> Row:
    length = "a day" if options.hours == DAY_S / HOUR_S else f"{options.hours:g} h"
    row = Row(system=system.name, run=run, work=f"{length} of {options.brokers} brokers, as fast as it goes")
    row.figures = {
        "total s": part.total_s,
        "waited s": part.waited_s,
        "requests/s": part.requests / part.total_s,
        "written records/s": part.written / part.total_s,
        "requests": part.requests,
        "written records": part.written,
    }
    return _with_usage(row, part)


def _timed_rows(system: System, run: int, options: DayOptions, part: Part) -> list[Row]:
    """Return a row for all steps, and one for each action."""
    speed = f"{options.speed:g}x"
    every = Row(system=system.name, run=run, work=f"busiest {options.window_minutes:g} min at {speed}")
    every.figures = _latencies(every, [one for values in part.latencies_us.values() for one in values])
    rows = [_with_usage(every, part)]
    others = Row(system=system.name, run=run, work=f"{speed}, all but heartbeats")
    others.figures = _latencies(
        others,
        [one for action, values in part.latencies_us.items() if action is not Action.HEARTBEAT for one in values],
    )
    rows.append(others)
    for action in sorted(part.latencies_us, key=list(Action).index):
        row = Row(system=system.name, run=run, work=f"{speed}, {action.value}")
        row.figures = _latencies(row, part.latencies_us[action])
        rows.append(row)
    return rows


def _latencies(row: Row, samples_us: list[float]) -> dict[str, float]:
    latencies = latencies_of(samples_us)
    row.samples["latency us"] = thinned(samples_us)
    if latencies is None:
        return {}
    return {"steps": latencies.count, "p50 ms": latencies.p50, "p99 ms": latencies.p99, "max ms": latencies.max}


def _with_usage(row: Row, part: Part) -> Row:
    """Add what the nodes and the client used, what came into the log, and what went wrong."""
    followers = [one.cpu_percent for name, one in part.usage.items() if name != part.leader]
    if part.leader in part.usage:
        row.figures["leader CPU %"] = part.usage[part.leader].cpu_percent
    if followers:
        row.figures["follower CPU %"] = sum(followers) / len(followers)
    row.figures["client CPU %"] = 100 * part.client_s / part.total_s
    used_s = sum(one.cpu_percent for one in part.usage.values()) * part.total_s / 100
    row.figures |= {
        f"{CPU_PER}request": used_s * 1e6 / max(1, part.requests),
        "RSS MB": max((one.rss_mb for one in part.usage.values()), default=0.0),
        "errors": part.errors,
    }
    row.usage = {name: one.as_json() for name, one in part.usage.items()}
    row.samples |= {f"{name}s": [float(number)] for name, number in part.records.items()}
    row.samples["partitions changed meanwhile"] = [float(part.stale)]
    if part.errors:
        row.notes.append(f"{part.errors} errors, the first: {part.first_error}")
    return row


def _stated(row: Row) -> str:
    return ", ".join(f"{name} {value:,.1f}" for name, value in row.figures.items())
