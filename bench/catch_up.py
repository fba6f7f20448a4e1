"""``catch-up``: a follower is stopped, records are written, it is started again: how long until it has them all.

Two figures: until its *log* reaches the end that the leader's had (kraftpy tells that; a peer tells only its state),
and until its *state* does. Both count from the start of the process, whose own start-up is thus part of them; it is
shown by itself as the time until the node serves clients.
"""

from __future__ import annotations

import asyncio
import time

from bench.runs import Row, Say
from bench.work import System, Work, eventually

TIMEOUT_S = 300.0
FILL_BATCH = 128
FILL_IN_FLIGHT = 16


async def measure_catch_up(system: System, run: int, records: int, value_bytes: int, say: Say) -> list[Row]:
    """Measure once."""
    leader = await system.leader()
    behind = next(name for name in system.pids if name != leader)
    await system.stop_node(behind, kill=False)
    fill = Work(total=records, batch=FILL_BATCH, in_flight=FILL_IN_FLIGHT, value_bytes=value_bytes)
    outcome = await system.run(fill, lambda: None)
    leader = await system.leader()
    log_end = (await system.positions())[leader]
    state_end = await system.loaded(leader)
    started = time.monotonic()
    await system.start_node(behind)

    async def has_log() -> bool:
        return (await system.positions()).get(behind, -1) >= log_end

    async def has_state() -> bool:
        return await system.loaded(behind) >= state_end

    async def is_ready() -> bool:
        return await system.is_ready(behind)

    async def until(probe_name: str) -> float:
        probe = {"log": has_log, "state": has_state, "ready": is_ready}[probe_name]
        await eventually(probe, f"{behind}: {probe_name}", TIMEOUT_S, 0.02)
        return time.monotonic() - started

    log_s, state_s, ready_s = await asyncio.gather(until("log"), until("state"), until("ready"))
    row = Row(system=system.name, run=run, work=f"{records:,} records behind, {value_bytes} B")
    row.figures = {"log s": log_s, "state s": state_s, "ready s": ready_s, "errors": outcome.errors}
    say(f"  log {log_s:.2f} s, state {state_s:.2f} s, ready {ready_s:.2f} s")
    return [row]
