"""Writes in the background at a steady rate: what a failover is to an application that goes on writing.

An open loop: a write starts when it is due, whatever became of the earlier ones, and its latency counts from then. It
is repeated until it is acknowledged, as an application would do it; to set the same value twice does no harm. One that
is refused for good, or not acknowledged :data:`GIVE_UP_S` after it was due, has failed, and has no latency.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count

from bench.stats import Schedule
from bench.wire import rows_of
from bench.work import NAMES, Address, BackgroundWrites, Work
from bench.writer import ROUND_PAUSE_S, Caller, connect_all, is_written
from bench.writes import by_resource, fresh_values
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.model.errors import ErrorCode
from kraftpy.records.generated import rpc

RATE = 200.0
"""Writes per second: what every system does on a small machine with time to spare."""

GIVE_UP_S = 10.0
"""After a write was due."""

IN_FLIGHT_MAX = 1_000
"""Beyond, a write waits until another has ended; its latency counts from when it was due all the same."""

CONNECTIONS = 64
"""To each controller: Kafka takes one request of a connection at a time, and waits 25 ms for company by default."""

WRITE = Work()


async def write_steadily(
    write: Callable[[], Awaitable[None]], seconds: float, rate: float = RATE, give_up_s: float = GIVE_UP_S
) -> BackgroundWrites:
    """Start a write whenever one is due, and return when the last one has ended.

    Args:
        write: makes a write, however often it takes; raises if it is refused for good.
        seconds: how long writes are due; the last may end ``give_up_s`` later.
        rate: writes per second.
        give_up_s: after a write was due.
    """
    loop = asyncio.get_running_loop()
    schedule = Schedule(rate, seconds)
    room = asyncio.Semaphore(IN_FLIGHT_MAX)
    begin, began_at = loop.time(), time.time()
    due_s = [number * schedule.interval_s for number in range(schedule.total)]
    made = BackgroundWrites([began_at + each for each in due_s], [None] * schedule.total)

    async def attempt(number: int) -> None:
        due = begin + due_s[number]
        try:
            async with asyncio.timeout_at(due + give_up_s):
                await write()
            made.latencies_ms[number] = (loop.time() - due) * 1000
        except TimeoutError:
            made.first_error = made.first_error or f"not acknowledged {give_up_s:g} s after it was due"
        except Exception as error:  # noqa: BLE001 - every failure is counted and shown
            made.first_error = made.first_error or f"{type(error).__name__}: {error}"
        finally:
            room.release()

    async with asyncio.TaskGroup() as tasks:
        for number in range(schedule.total):
            await asyncio.sleep(max(0.0, begin + due_s[number] - loop.time()))
            await room.acquire()
            tasks.create_task(attempt(number))
    return made


class ClientWriter:
    """Writes through kraftpy's public client, which looks for the next controller by itself."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._numbers = count()

    async def connect(self) -> None:
        """Have the client know the active controller."""
        await self._client.describe_quorum()

    async def write_for(self, seconds: float) -> BackgroundWrites:
        """Write at :data:`RATE`."""
        return await write_steadily(self._write, seconds)

    async def _write(self) -> None:
        (values,) = fresh_values(WRITE, 1)
        request = by_resource([values(next(self._numbers) % NAMES)])
        while True:
            try:
                altered = await self._client.incremental_alter_configs(request, retry_unknown=True)
            except (UnavailableError, UnknownOutcomeError):
                continue
            refused = [one for one in altered.outcomes if one.error is not ErrorCode.NONE]
            if refused:
                raise ValueError(f"{refused[0].error.name}: {refused[0].message}")
            return


class WireWriter:
    """Writes over Kafka's protocol, through many connections to each controller. Close it.

    When the controller is gone, one of the writes looks for the next one and the others wait until it is found: all of
    them would keep controllers busy with refusals while they elect a leader.
    """

    def __init__(self, addresses: Sequence[Address], connections: int = CONNECTIONS) -> None:
        self._free = [[Caller(address) for address in addresses] for _ in range(connections)]
        self._room = asyncio.Semaphore(connections)
        self._numbers = count()
        self._at = 0
        self._searches = 0
        self._is_searching = asyncio.Lock()

    async def connect(self) -> None:
        """Make the connections that are not there, to every controller that can be reached."""
        await asyncio.gather(*(connect_all(callers) for callers in self._free))

    async def write_for(self, seconds: float) -> BackgroundWrites:
        """Write at :data:`RATE`."""
        return await write_steadily(self.write, seconds)

    async def write(self) -> None:
        """Make the next write, however often it takes.

        Raises:
            RefusedError: it was refused for good.
        """
        (values,) = fresh_values(WRITE, 1)
        message = rpc.IncrementalAlterConfigsRequest(rows_of(next(self._numbers) % NAMES, 1, values))
        async with self._room:
            callers = self._free.pop()
            try:
                await self._deliver(callers, message)
            finally:
                self._free.append(callers)

    async def _deliver(self, callers: Sequence[Caller], message: rpc.IncrementalAlterConfigsRequest) -> None:
        while True:
            searches = self._searches
            if await is_written(callers[self._at], message):
                return
            async with self._is_searching:
                if self._searches == searches:
                    await self._search(callers, message)
                    return

    async def _search(self, callers: Sequence[Caller], message: rpc.IncrementalAlterConfigsRequest) -> None:
        """Ask the controllers in turn until one of them writes; it is asked from then on."""
        while True:
            for at in range(len(callers)):
                if await is_written(callers[at], message):
                    self._at = at
                    self._searches += 1
                    return
            await asyncio.sleep(ROUND_PAUSE_S)

    def close(self) -> None:
        """Close every connection that is not in use."""
        for callers in self._free:
            for caller in callers:
                caller.close()


@asynccontextmanager
async def wire_writer(addresses: Sequence[Address]) -> AsyncIterator[WireWriter]:
    """Connect a background writer to every controller."""
    writer = WireWriter(addresses)
    try:
        await writer.connect()
        yield writer
    finally:
        writer.close()
