"""``catch-up``: a follower is stopped, records are written, it is started again: how long until it has them all.

Two figures: until its *log* reaches the end that the leader's had (kraftpy reports that; a peer only its state),
and until its *state* does. Both count from the start of the process, whose own start-up is thus part of them; it is
shown by itself as the time until the node first answers a question. ``CPU s`` is what the process used until then: it
means something beside other work, too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from bench.proc import cpu_s
from bench.runs import PrintProgress, Row
from bench.work import System, Work, eventually

TIMEOUT_S = 300.0
FILL_BATCH = 128
FILL_IN_FLIGHT = 16
POLL_S = 0.02


async def measure_catch_up(
    system: System, run: int, records: int, value_bytes: int, print_progress: PrintProgress
) -> list[Row]:
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

    async def answers() -> bool:
        return await system.loaded(behind) >= 0

    async def until(probe: Callable[[], Awaitable[bool]], what: str) -> float:
        await eventually(probe, f"{behind} {what}", TIMEOUT_S, POLL_S)
        return time.monotonic() - started

    answers_s = await until(answers, "answers")
    log_s, state_s = await asyncio.gather(until(has_log, "has the log"), until(has_state, "has the state"))
    used_s = cpu_s(system.pids[behind])
    row = Row(system=system.name, run=run, work=f"{records:,} records behind, {value_bytes} B")
    row.figures = {
        "answers s": answers_s,
        "log s": log_s,
        "state s": state_s,
        "CPU s": used_s,
        "errors": outcome.errors,
    }
    print_progress(
        f"  answers after {answers_s:.2f} s, has the log after {log_s:.2f} s and the state after {state_s:.2f} s"
        f" and {used_s:.2f} s of CPU time"
    )
    return [row]
