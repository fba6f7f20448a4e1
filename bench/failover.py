"""``failover``: kill -9 of the leader, and how long until a client's next write is committed.

The prober is connected before the kill and starts its write right after it. Before the next kill the dead node is
started again and has caught up, so that every kill meets three equal nodes.

For a heat map another client of the same kind writes at a steady rate (:mod:`bench.background`), from before the kill
until after it. That is other work than kills of an idle cluster, so it has a name of its own in the results.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass

from bench.background import RATE
from bench.heat_map import AFTER_S, BEFORE_S, HeatMap
from bench.phases import durations
from bench.runs import PrintProgress, Row
from bench.stats import percentile
from bench.work import BackgroundWriter, Prober, System, eventually

CAUGHT_UP_TIMEOUT_S = 120.0
SETTLE_S = 1.0
"""After everybody has caught up: time for connections to be made again before the next kill."""

LEAD_S = 0.5
"""The background writes begin that much before the heat map does, so that their first ones are not in it."""
TRAIL_S = 0.2
"""And end that much after it, because a kill is never as early as planned."""
ROUND_S = LEAD_S + BEFORE_S + AFTER_S + TRAIL_S

WORK = "kill -9 of the leader"
WORK_AMONG_WRITES = f"{WORK}, {RATE:g} writes/s meanwhile"
TOTAL = "total ms"


@dataclass(frozen=True, slots=True)
class Kill:
    """What a kill of the leader gave.

    Attributes:
        leader: which node that was.
        at: when (``time.time()``).
        phases: how long it took until a write was acknowledged, and its parts where they are known (ms).
    """

    leader: str
    at: float
    phases: dict[str, float]


async def measure_failover(
    system: System,
    run: int,
    kills: int,
    forms: Sequence[str],
    print_progress: PrintProgress,
    *,
    has_heat_map: bool = False,
) -> list[Row]:
    """Kill the leader that many times, for each of the system's probers (those of ``forms``, if it has any of them).

    With a heat map there are background writes meanwhile.
    """
    chosen = [one for one in system.probers if one in forms] or system.probers
    return [await _kill(system, run, kills, form, print_progress, has_heat_map=has_heat_map) for form in chosen]


async def _kill(
    system: System, run: int, kills: int, form: str, print_progress: PrintProgress, *, has_heat_map: bool
) -> Row:
    row = Row(system=system.name, run=run, work=WORK_AMONG_WRITES if has_heat_map else WORK, form=form)
    row.samples = {TOTAL: []}
    background: AbstractAsyncContextManager[BackgroundWriter | None]
    background = system.background_writer(form) if has_heat_map else nullcontext()
    async with system.prober(form) as prober, background as writer:
        if writer is not None:
            await writer.write_for(system.warm_up_s)
        for number in range(1, kills + 1):
            if writer is None:
                kill = await kill_leader(system, prober)
            else:
                kill = await _kill_among_writes(system, prober, writer, row)
            await start_again(system, kill.leader, prober)
            for phase, ms in kill.phases.items():
                row.samples.setdefault(phase, []).append(ms)
            shown = ", ".join(f"{phase} {ms:.0f}" for phase, ms in kill.phases.items())
            print_progress(f"  {form}, kill {number} of {kills}: {shown}")
    row.figures = _figures(row)
    return row


def _figures(row: Row) -> dict[str, float]:
    """Sum up the kills of one run; the percentiles over the kills of all runs are in the table of pooled samples."""
    found: dict[str, float] = {}
    for phase, values in row.samples.items():
        if values:
            found[f"{phase.removesuffix(' ms')} p50 ms"] = percentile(sorted(values), 0.5)
    totals = sorted(row.samples[TOTAL])
    found |= {"p90 ms": percentile(totals, 0.9), "max ms": totals[-1], "kills": len(totals)}
    if row.heat_map is not None:
        found |= {"writes": row.heat_map.writes, "failed writes": row.heat_map.failed_writes}
    return found


async def kill_leader(system: System, prober: Prober) -> Kill:
    """Kill the leader, and wait until a write is acknowledged."""
    return await _kill_node(system, await system.leader(), prober)


async def _kill_node(system: System, leader: str, prober: Prober) -> Kill:
    killed_at = time.time()
    await system.stop_node(leader, kill=True)
    first_write_ms = (await prober.first_write() - killed_at) * 1000
    found = system.phases(leader, killed_at)
    phases = {TOTAL: first_write_ms}
    if found:
        phases |= {f"{phase} ms": ms for phase, ms in durations(found, first_write_ms).items()}
    return Kill(leader, killed_at, phases)


async def _kill_among_writes(system: System, prober: Prober, writer: BackgroundWriter, row: Row) -> Kill:
    """Kill the leader among background writes, and count those in the row's heat map."""
    leader = await system.leader()
    await writer.connect()
    writing = asyncio.ensure_future(writer.write_for(ROUND_S))
    try:
        await asyncio.sleep(LEAD_S + BEFORE_S)
        kill = await _kill_node(system, leader, prober)
        writes = await writing
    finally:
        writing.cancel()
    row.heat_map = row.heat_map or HeatMap()
    row.heat_map.add_kill(kill.at, writes.due, writes.latencies_ms)
    failed = writes.latencies_ms.count(None)
    if failed:
        row.notes.append(f"{failed} background writes failed, the first: {writes.first_error}")
    return kill


async def start_again(system: System, killed: str, prober: Prober) -> None:
    """Start a killed node, and wait until it has caught up and everything is connected again."""
    await system.start_node(killed)
    await eventually(lambda: _is_level(system), f"{killed} has caught up", CAUGHT_UP_TIMEOUT_S, 0.1)
    await asyncio.sleep(SETTLE_S)
    await prober.first_write()


async def _is_level(system: System) -> bool:
    positions = await system.positions()
    return len(positions) == len(system.pids) and len(set(positions.values())) == 1
