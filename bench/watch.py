"""``watch``: how late watchers see what is written, and what they cost the nodes.

Writes come at a fixed rate (open loop). Each value begins with the time at which it was sent; a watcher subtracts it
from the time of receipt, on the same machine. The watchers are one program in Go, spread over all three nodes; the
writer is another process. What was written in the measured time counts whenever it comes, for up to ten seconds
more; what does not come by then shows as fewer received than written.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bench.proc import Meter, Usage
from bench.reading import Watching, readable
from bench.runs import PrintProgress, Row
from bench.stats import latencies_of, thinned
from bench.work import System


async def measure_watch(system: System, run: int, todo: Sequence[Watching], print_progress: PrintProgress) -> list[Row]:
    """Measure with each number of watchers."""
    source, rows = readable(system), []
    for watching in todo:
        row = Row(system=system.name, run=run, work=f"{watching.watchers:,} watchers, {watching.rate:g} writes/s")
        meter = Meter(system.pids)
        leader = await system.leader()
        usage: dict[str, Usage] = {}
        watched = await source.watch(watching, meter.start, partial(_stop, meter, usage))
        lags = latencies_of(watched.lags_us)
        row.figures = {
            "written/s": watched.written_per_s,
            "received %": 100 * watched.received / max(1e-9, watching.watchers * watching.rate * watched.elapsed_s),
        }
        if lags is not None:
            row.figures |= {"lag p50 ms": lags.p50, "lag p99 ms": lags.p99, "lag max ms": lags.max}
        followers = [one.cpu_percent for name, one in usage.items() if name != leader]
        row.figures |= {
            "leader CPU %": usage[leader].cpu_percent if leader in usage else 0.0,
            "follower CPU %": sum(followers) / max(1, len(followers)),
            "client CPU %": 100 * watched.client_cpu_s / max(1e-9, watched.elapsed_s),
            "RSS MB": max((one.rss_mb for one in usage.values()), default=0.0),
            "silent": watched.silent,
        }
        row.samples = {"lag us": thinned(watched.lags_us)}
        row.usage = {name: one.as_json() for name, one in usage.items()}
        if watched.first_error:
            row.notes.append(watched.first_error)
        rows.append(row)
        print_progress(f"  {row.work}: " + ", ".join(f"{name} {value:,.1f}" for name, value in row.figures.items()))
    return rows


def _stop(meter: Meter, usage: dict[str, Usage]) -> None:
    usage.update(meter.stop())
