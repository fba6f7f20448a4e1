"""``failover``: kill -9 of the leader, and how long until a client's next write is committed.

The prober is connected before the kill and starts its write right after it. Before the next kill the dead node is
started again and has caught up, so that every kill meets three equal nodes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from bench.phases import durations
from bench.runs import PrintProgress, Row
from bench.stats import percentile
from bench.work import Prober, System, eventually

CAUGHT_UP_TIMEOUT_S = 120.0
SETTLE_S = 1.0
"""After everybody has caught up: time for connections to be made again before the next kill."""

TOTAL = "total ms"


async def measure_failover(
    system: System, run: int, kills: int, forms: Sequence[str], print_progress: PrintProgress
) -> list[Row]:
    """Kill the leader that many times, for each of the system's probers (those of ``forms``, if it has any of them)."""
    chosen = [one for one in system.probers if one in forms] or system.probers
    return [await _kill(system, run, kills, form, print_progress) for form in chosen]


async def _kill(system: System, run: int, kills: int, form: str, print_progress: PrintProgress) -> Row:
    row = Row(system=system.name, run=run, work="kill -9 of the leader", form=form)
    row.samples = {TOTAL: []}
    async with system.prober(form) as prober:
        for number in range(1, kills + 1):
            killed, phases = await kill_leader(system, prober)
            await start_again(system, killed, prober)
            for phase, ms in phases.items():
                row.samples.setdefault(phase, []).append(ms)
            shown = ", ".join(f"{phase} {ms:.0f}" for phase, ms in phases.items())
            print_progress(f"  {form}, kill {number} of {kills}: {shown}")
    for phase, values in row.samples.items():
        if values:
            ascending = sorted(values)
            row.figures[f"{phase.removesuffix(' ms')} p50 ms"] = percentile(ascending, 0.5)
    totals = sorted(row.samples[TOTAL])
    row.figures |= {"p90 ms": percentile(totals, 0.9), "max ms": totals[-1], "kills": len(totals)}
    return row


async def kill_leader(system: System, prober: Prober) -> tuple[str, dict[str, float]]:
    """Kill the leader; return which node that was, and how long it took until a write was acknowledged (ms)."""
    leader = await system.leader()
    killed_at = time.time()
    await system.stop_node(leader, kill=True)
    first_write_ms = (await prober.first_write() - killed_at) * 1000
    found = system.phases(leader, killed_at)
    phases = {TOTAL: first_write_ms}
    if found:
        phases |= {f"{phase} ms": ms for phase, ms in durations(found, first_write_ms).items()}
    return leader, phases


async def start_again(system: System, killed: str, prober: Prober) -> None:
    """Start a killed node, and wait until it has caught up and everything is connected again."""
    await system.start_node(killed)
    await eventually(lambda: _is_level(system), f"{killed} has caught up", CAUGHT_UP_TIMEOUT_S, 0.1)
    await asyncio.sleep(SETTLE_S)
    await prober.first_write()


async def _is_level(system: System) -> bool:
    positions = await system.positions()
    return len(positions) == len(system.pids) and len(set(positions.values())) == 1
