"""``large``: three controllers start with the metadata of a large cluster, and lose their leader.

The systems get the same file (:mod:`bench.large_data`), each in the metadata logs of a cluster that has run before and
is stopped: so every directory is formatted, and every quorum has had a leader. All three nodes are started at once.

``first write s``   until a write is acknowledged, over Kafka's protocol.
``state s``         until that write is in the state of all nodes; ``CPU s`` is what all of them used until then, and
                    ``RSS MB`` the memory of the largest.

Then the active controller is killed, several times, each time with three nodes that have loaded everything: the time
until a write is acknowledged that was begun after the kill, over Kafka's protocol. The brokers of the state send
heartbeats all the time, so that none is fenced; they hold no data.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from bench.brokers import HEARTBEAT_INTERVAL_S, RACKS, Broker, HeartbeatRejectedError
from bench.channel import connect
from bench.failover import TOTAL, kill_leader, start_again
from bench.large_data import Content, write_log, write_snapshot
from bench.proc import cpu_s, rss_mb
from bench.runs import PrintProgress, Row
from bench.stats import percentile
from bench.work import Address, System, eventually
from bench.writer import Writer
from bench.writes import alike, value_of
from kraftpy.model.errors import ErrorCode, KraftError

LOAD_TIMEOUT_S: Final = 900.0
POLL_S: Final = 0.05
BEATS_AT_ONCE: Final = 10
RECONNECT_S: Final = 0.25
"""As :data:`POLL_S`: a controller that starts should not be busy with rejecting requests."""
LARGE_HEAP: Final = "4g"
LARGE_PARTITIONS: Final = 200_000
"""From this number of partitions or records on, Kafka's controllers get :data:`LARGE_HEAP`."""
STOP_INDEX: Final = 1
"""Of the write that shows that the controllers are active."""


class Loading(System, Protocol):
    """A system whose nodes can be given a metadata log.

    Attributes:
        heap: how much memory a Java process may have for objects that is started from now on; empty for what is none.
    """

    heap: str

    def metadata_directory(self, name: str) -> Path:
        """Return where a node's metadata log is."""
        ...

    async def mark(self) -> int:
        """Write a record; return what :meth:`System.loaded` returns at least for a node that has it in its state."""
        ...


class LargeFiles:
    """The files, written when they are first wanted and removed when this is gone.

    Args:
        base: where.
        partitions: of the snapshot; 0 for none.
        records: of the log; 0 for none.
    """

    def __init__(self, base: Path, partitions: int, records: int) -> None:
        self._base = base
        self._partitions = partitions
        self._records = records
        self._contents: dict[str, Content] = {}

    @property
    def is_large(self) -> bool:
        """Whether Kafka's controllers need more memory than in other measurements."""
        return max(self._partitions, self._records) >= LARGE_PARTITIONS

    def contents(self, print_progress: PrintProgress) -> dict[str, Content]:
        """Return what is to be loaded, by the name of the work."""
        if not self._contents:
            home = Path(tempfile.mkdtemp(prefix="kraftpy-bench-large-", dir=self._base))
            weakref.finalize(self, shutil.rmtree, home, ignore_errors=True)
            if self._partitions:
                print_progress(f"writing a snapshot of {self._partitions:,} partitions")
                label = f"snapshot of {self._partitions:,} partitions"
                self._contents[label] = write_snapshot(home, self._partitions)
            if self._records:
                print_progress(f"writing a log of {self._records:,} records")
                self._contents[f"log of {self._records:,} mixed records"] = write_log(home, self._records)
        return self._contents


async def measure_large(
    system: Loading, run: int, files: LargeFiles, kills: int, print_progress: PrintProgress
) -> list[Row]:
    """Load each file and kill leaders; a file that fails is the last one."""
    rows = []
    if system.heap and files.is_large:
        system.heap = LARGE_HEAP
    for label, content in files.contents(print_progress).items():
        row = Row(system=system.name, run=run, work=label)
        try:
            await _measure(system, content, kills, row)
        except (OSError, RuntimeError, TimeoutError, KraftError) as error:
            rows.append(Row(system=system.name, run=run, work="failed", notes=[f"{label}: {error}"]))
            print_progress(f"  {label} failed: {error}")
            break
        if system.heap:
            row.notes.append(f"Java heap of at most {system.heap}")
        rows.append(row)
        print_progress(f"  {label}: " + ", ".join(f"{name} {value:,.1f}" for name, value in row.figures.items()))
    return rows


async def _measure(system: Loading, content: Content, kills: int, row: Row) -> None:
    names = list(system.addresses)
    for name in list(system.pids):
        await system.stop_node(name, kill=False)
    for name in names:
        content.put(system.metadata_directory(name))
    # The disk is at rest again.
    os.sync()
    addresses = [system.addresses[name] for name in names]
    began = time.monotonic()
    await asyncio.gather(*(system.start_node(name) for name in names))
    async with heartbeats(addresses, content.epochs) as keeper:
        await _first_write(addresses)
        row.figures["first write s"] = time.monotonic() - began
        await _all_loaded(system, names)
        row.figures["state s"] = time.monotonic() - began
        ends = await system.positions()
        if any(end < content.end for end in ends.values()):
            raise RuntimeError(f"the logs end at {ends}, before the end of {content.file.name}, {content.end}")
        row.figures["CPU s"] = sum(map(cpu_s, system.pids.values()))
        row.figures["RSS MB"] = max(map(rss_mb, system.pids.values()))
        row.figures["records"] = content.records
        row.samples = {TOTAL: []}
        async with system.prober("kafka") as prober:
            for _ in range(kills):
                keeper.check()
                kill = await kill_leader(system, prober)
                for phase, ms in kill.phases.items():
                    row.samples.setdefault(phase, []).append(ms)
                await start_again(system, kill.leader, prober)
                await _all_loaded(system, names)
        keeper.check()
    if row.samples[TOTAL]:
        row.figures["total p50 ms"] = percentile(sorted(row.samples[TOTAL]), 0.5)
        row.figures["total max ms"] = max(row.samples[TOTAL])


async def _first_write(addresses: Sequence[Address]) -> None:
    writer = Writer(addresses)
    try:
        await writer.write(STOP_INDEX, 1, alike(value_of(1, 1)), timeout_s=LOAD_TIMEOUT_S, round_pause_s=POLL_S)
    finally:
        writer.close()


async def _all_loaded(system: Loading, names: Sequence[str]) -> None:
    """Wait until all nodes have in their state what is written now."""
    mark = await system.mark()

    async def is_loaded(name: str) -> bool:
        return await system.loaded(name) >= mark

    await asyncio.gather(
        *(
            eventually(partial(is_loaded, name), f"{name} has loaded everything", LOAD_TIMEOUT_S, POLL_S)
            for name in names
        )
    )


class Heartbeats:
    """Keeps brokers unfenced that are in the state: by heartbeats to whichever controller takes them.

    Attributes:
        failure: the last rejection that is not about who is active; empty when there is none.
    """

    def __init__(self, addresses: Sequence[Address], epochs: dict[int, int]) -> None:
        self._addresses = addresses
        self._epochs = epochs
        self.failure = ""

    def check(self) -> None:
        """Raise a failure.

        Raises:
            RuntimeError: a heartbeat was rejected.
        """
        if self.failure:
            raise RuntimeError(self.failure)

    async def keep(self) -> None:
        """Send heartbeats for ever, to the controllers in turn until one of them is active."""
        for address in itertools.cycle(self._addresses):
            with contextlib.suppress(OSError, TimeoutError):
                await self._beat_at(address)
            await asyncio.sleep(RECONNECT_S)

    async def _beat_at(self, address: Address) -> None:
        """Send heartbeats to one controller, those of an interval spread over it, until it is not active."""
        channel = await connect(address)
        try:
            brokers = [
                Broker(broker_id, f"rack-{broker_id % RACKS}", channel, epoch)
                for broker_id, epoch in self._epochs.items()
            ]
            # Alone: Kafka logs a stack trace for each that it rejects.
            await brokers[0].beat()
            pause_s = HEARTBEAT_INTERVAL_S * BEATS_AT_ONCE / len(brokers)
            for first in itertools.cycle(range(0, len(brokers), BEATS_AT_ONCE)):
                answers = await asyncio.gather(*(one.beat() for one in brokers[first : first + BEATS_AT_ONCE]))
                if any(answer.is_fenced for answer in answers):
                    self.failure = "a broker was fenced: its heartbeats came too late"
                await asyncio.sleep(pause_s)
        except HeartbeatRejectedError as error:
            if error.error_code != ErrorCode.NOT_CONTROLLER:
                self.failure = str(error)
        finally:
            channel.close()


@asynccontextmanager
async def heartbeats(addresses: Sequence[Address], epochs: dict[int, int]) -> AsyncIterator[Heartbeats]:
    """Keep brokers unfenced."""
    keeper = Heartbeats(addresses, epochs)
    keeping = asyncio.ensure_future(keeper.keep())
    try:
        yield keeper
    finally:
        keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeping
