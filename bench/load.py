"""``load``: many records in a node: its memory, and how long a restart takes; and what an idle cluster costs."""

from __future__ import annotations

import asyncio
import time

from bench.proc import Meter, cpu_s, rss_mb
from bench.runs import PrintProgress, Row
from bench.work import System, Work, eventually

TIMEOUT_S = 600.0
FILL_BATCH = 128
"""What etcd takes in one transaction at most."""

FILL_IN_FLIGHT = 16
DAY_S = 86_400.0
SETTLE_S = 5.0
"""After the first committed write: what a start brings with it is not what an idle day does."""
IDLE_SAMPLES = 60
"""How often an idle cluster is looked at: the results file shows how its memory and its log grew."""
KILOBYTE = 1_000


async def measure_load(
    system: System, run: int, records: int, value_bytes: int, idle_s: float, print_progress: PrintProgress
) -> list[Row]:
    """Measure an idle cluster, then a loaded one."""
    rows = [await _idle(system, run, idle_s, print_progress)] if idle_s else []
    if records:
        rows.append(await _loaded(system, run, records, value_bytes, print_progress))
    return rows


async def _idle(system: System, run: int, seconds: float, print_progress: PrintProgress) -> Row:
    await asyncio.sleep(SETTLE_S)
    leader = await system.leader()
    meter, row = Meter(system.pids), Row(system=system.name, run=run, work=f"idle for {seconds:g} s")
    entries_before = (await system.positions())[leader]
    grown, memory = [system.log_bytes(leader)], [_largest_mb(system)]
    meter.start()
    began = time.monotonic()
    for number in range(1, IDLE_SAMPLES + 1):
        await asyncio.sleep(max(0.0, began + seconds * number / IDLE_SAMPLES - time.monotonic()))
        grown.append(system.log_bytes(leader))
        memory.append(_largest_mb(system))
    usage, days = meter.stop(), (time.monotonic() - began) / DAY_S
    entries = (await system.positions())[leader] - entries_before
    row.samples = {"log bytes": [float(each) for each in grown], "largest RSS MB": memory}
    row.usage = {name: one.as_json() for name, one in usage.items()}
    row.figures = {
        "RSS MB": memory[-1],
        "RSS growth MB": memory[-1] - memory[0],
        "CPU %": max(one.cpu_percent for one in usage.values()),
        "log entries a day": entries / days,
    }
    if grown[0]:
        row.figures["log KB a day"] = (grown[-1] - grown[0]) / days / KILOBYTE
    else:
        row.notes.append("its log's size is unknown")
    print_progress("  idle: " + ", ".join(f"{name} {value:.1f}" for name, value in row.figures.items()))
    return row


def _largest_mb(system: System) -> float:
    return max(rss_mb(pid) for pid in system.pids.values())


async def _loaded(system: System, run: int, records: int, value_bytes: int, print_progress: PrintProgress) -> Row:
    work = Work(total=records, batch=FILL_BATCH, in_flight=FILL_IN_FLIGHT, value_bytes=value_bytes)
    outcome = await system.run(work, lambda: None)
    leader = await system.leader()
    end = await system.loaded(leader)
    row = Row(system=system.name, run=run, work=f"{records:,} records of {value_bytes} B")
    row.figures = {"written records/s": outcome.records_per_s, "errors": outcome.errors}
    if outcome.errors:
        row.notes.append(f"{outcome.errors} errors, the first: {outcome.first_error}")
    row.figures["leader RSS MB"] = rss_mb(system.pids[leader])
    again = next(name for name in system.pids if name != leader)

    async def is_loaded() -> bool:
        return await system.loaded(again) >= end

    async def is_ready() -> bool:
        return await system.is_ready(again)

    await eventually(is_loaded, f"{again} has everything", TIMEOUT_S, 0.1)
    row.figures["follower RSS MB"] = rss_mb(system.pids[again])
    await system.stop_node(again, kill=False)
    started = time.monotonic()
    await system.start_node(again)
    await eventually(is_ready, f"{again} serves again", TIMEOUT_S, 0.05)
    row.figures["restart to ready s"] = time.monotonic() - started
    await eventually(is_loaded, f"{again} has everything again", TIMEOUT_S, 0.05)
    row.figures["restart to loaded s"] = time.monotonic() - started
    row.figures["restart CPU s"] = cpu_s(system.pids[again])
    row.figures["restarted RSS MB"] = rss_mb(system.pids[again])
    print_progress("  " + ", ".join(f"{name} {value:,.1f}" for name, value in row.figures.items()))
    return row
