"""One piece of work measured: rate, latencies, and what the nodes and the client used meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bench.proc import Meter, Usage
from bench.ratios import CPU_PER
from bench.runs import Row
from bench.stats import latencies_of, thinned
from bench.work import Measuring, Outcome, System, Work

Do = Callable[[Work, Measuring], Awaitable[Outcome]]


async def measure_one(system: System, run: int, work: Work, do: Do, *, label: str = "", unit: str = "record") -> Row:
    """Do some work, and note what it came to and what the nodes used meanwhile.

    The row has ``label``, or else the work's own name; ``unit`` is what ``work.batch`` counts.
    """
    leader = await system.leader()
    meter = Meter(system.pids)
    meter.start()
    outcome = await do(work, meter.start)
    usage = meter.stop()
    row = Row(system=system.name, run=run, work=label or work.label, form=work.form)
    row.figures = _figures(outcome, usage, leader, unit)
    row.samples = {"latency us": thinned(outcome.latencies_us)}
    row.usage = {name: one.as_json() for name, one in usage.items()}
    if outcome.errors:
        row.notes.append(f"{outcome.errors} errors, the first: {outcome.first_error}")
    return row


def _figures(outcome: Outcome, usage: dict[str, Usage], leader: str, unit: str) -> dict[str, float]:
    figures = {f"{unit}s/s": outcome.records_per_s}
    latencies = latencies_of(outcome.latencies_us)
    if latencies is not None:
        figures |= {
            "p50 ms": latencies.p50,
            "p90 ms": latencies.p90,
            "p99 ms": latencies.p99,
            "p99.9 ms": latencies.p999,
            "max ms": latencies.max,
        }
    followers = [one for name, one in usage.items() if name != leader]
    if leader in usage:
        figures["leader CPU %"] = usage[leader].cpu_percent
    if followers:
        figures["follower CPU %"] = sum(one.cpu_percent for one in followers) / len(followers)
    if outcome.elapsed_s:
        figures["client CPU %"] = 100 * outcome.client_cpu_s / outcome.elapsed_s
    if outcome.records and outcome.elapsed_s:
        figures[f"{CPU_PER}{unit}"] = sum(one.cpu_percent for one in usage.values()) * 1e4 / outcome.records_per_s
    figures["RSS MB"] = max((one.rss_mb for one in usage.values()), default=0.0)
    figures["errors"] = outcome.errors
    return figures
