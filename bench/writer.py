"""A client over Kafka's protocol for what has to be complete, or has to find the next controller: loads and probes.

:mod:`bench.wire` is faster and gives up at the first lost connection. This one asks the controllers in turn until one
of them acknowledges, one request at a time, over one connection to each. It works alike for kraftpy and for Kafka.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bench.loadgen import drive
from bench.wire import VERSION, rows_of
from bench.work import Address, Measuring, Outcome, Work
from bench.writes import Values, fresh_values, values_of
from kraftpy.model.errors import ErrorCode, MalformedError
from kraftpy.quorum_tools.probe import call
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc

ANSWER_TIMEOUT_S = 10.0
"""A controller that runs answers within it; one that is suspended is left."""

ROUND_PAUSE_S = 0.01
"""After every controller was asked in vain: short, so that what is measured is the cluster and not a back-off; and long
enough for Kafka, which writes two lines to its log for every request that it refuses."""

PROBE = Work()
PROBE_NAME = 0
LOST = (OSError, EOFError, TimeoutError, MalformedError)


class RefusedError(RuntimeError):
    """A controller refused for good."""


class Caller:
    """One connection to one controller, made when it is needed."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._is_free = asyncio.Lock()

    async def ask(self, message: Message, version: int) -> Message:
        """Ask one question; several wait for one another.

        Raises:
            OSError: or another of :data:`LOST`; whether it was heard is not known.
        """
        async with self._is_free:
            return await self._ask(message, version)

    async def _ask(self, message: Message, version: int) -> Message:
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                if self._streams is None:
                    self._streams = await asyncio.open_connection(*self._address)
                return await call(*self._streams, message, version)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection; the next question opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Writer:
    """Writes to the active controller. Close it."""

    def __init__(self, addresses: Sequence[Address]) -> None:
        self._callers = [Caller(address) for address in addresses]
        self._at = 0

    async def write(
        self,
        first_index: int,
        batch: int,
        values: Values,
        *,
        timeout_s: float = 60.0,
        round_pause_s: float = ROUND_PAUSE_S,
    ) -> None:
        """Write neighbouring names, however often it takes: to write them twice does no harm.

        Raises:
            RefusedError: a record was refused.
            TimeoutError: it was not acknowledged.
        """
        message = rpc.IncrementalAlterConfigsRequest(rows_of(first_index, batch, values))
        deadline = time.monotonic() + timeout_s
        failures = 0
        while not await is_written(self._callers[self._at], message):
            if time.monotonic() > deadline:
                raise TimeoutError(f"no controller acknowledged a write within {timeout_s:g} s")
            failures += 1
            self._at = (self._at + 1) % len(self._callers)
            if failures % len(self._callers) == 0:
                await asyncio.sleep(round_pause_s)

    async def connect(self) -> None:
        """Connect to all that can be reached, so that no connection has to be made when it matters."""
        await connect_all(self._callers)

    def close(self) -> None:
        """Close every connection."""
        for caller in self._callers:
            caller.close()


async def is_written(caller: Caller, message: Message) -> bool:
    """Ask a controller to write; return whether it did.

    Raises:
        RefusedError: a record was refused for good.
    """
    try:
        answer = await caller.ask(message, VERSION)
    except LOST:
        return False
    assert isinstance(answer, rpc.IncrementalAlterConfigsResponse)
    refused = next((row for row in answer.responses if row.error_code), None)
    if refused is None:
        return True
    if refused.error_code in {ErrorCode.NOT_CONTROLLER, ErrorCode.REQUEST_TIMED_OUT}:
        return False
    raise RefusedError(f"error {refused.error_code}: {refused.error_message}")


async def connect_all(callers: Sequence[Caller]) -> None:
    """Connect to all controllers that can be reached."""
    for caller in callers:
        with contextlib.suppress(*LOST):
            await caller.ask(rpc.ApiVersionsRequest(), 0)


async def run_load(addresses: Sequence[Address], work: Work, measuring: Measuring) -> Outcome:
    """Write ``work.total`` records under as many names, through as many clients as requests are in flight."""
    free = [Writer(addresses) for _ in range(work.in_flight)]

    async def write(serial: int) -> None:
        first = serial * work.batch
        batch = min(work.batch, work.total - first)
        writer = free.pop()
        try:
            await writer.write(first, batch, values_of(work, serial))
        finally:
            free.append(writer)

    try:
        return await drive(write, work, measuring)
    finally:
        for writer in free:
            writer.close()


class WireProber:
    """A prober over Kafka's protocol."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    async def first_write(self) -> float:
        """Return when the first success came."""
        (values,) = fresh_values(PROBE, 1)
        await self._writer.write(PROBE_NAME, 1, values)
        return time.time()


@asynccontextmanager
async def wire_prober(addresses: Sequence[Address]) -> AsyncIterator[WireProber]:
    """Connect a prober to every controller."""
    writer = Writer(addresses)
    try:
        await writer.connect()
        yield WireProber(writer)
    finally:
        writer.close()
