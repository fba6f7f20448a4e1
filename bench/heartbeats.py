"""``brokers``: what a cluster with many brokers costs its controllers while nothing happens in it.

Each broker has a connection and sends a heartbeat every 2 s, spread over that time. CPU time is per second, so 100 % is
one processor. The log's growth is that of the active controller's files, and of its log end.
"""

from __future__ import annotations

import asyncio
import time

from bench.brokers import HEARTBEAT_INTERVAL_S, registered
from bench.proc import Meter
from bench.runs import PrintProgress, Row
from bench.stats import latencies_of, thinned
from bench.work import System

RACKS = 10


async def measure_heartbeats(
    system: System, run: int, count: int, seconds: float, print_progress: PrintProgress
) -> list[Row]:
    """Register brokers, let the system warm up, and measure.

    Raises:
        RuntimeError: a heartbeat was rejected.
    """
    row = Row(system=system.name, run=run, work=f"{count:,} brokers")
    async with registered(system, count, racks=RACKS, shared=False) as brokers:
        # One round at least: the brokers were registered in less time than their heartbeats are spread over.
        await asyncio.sleep(max(HEARTBEAT_INTERVAL_S, system.warm_up_s))
        leader = await system.leader()
        size, end = system.log_bytes(leader), (await system.positions())[leader]
        brokers.latencies_us.clear()
        meter, client_s, began = Meter(system.pids), time.process_time(), time.monotonic()
        meter.start()
        await asyncio.sleep(seconds)
        usage, elapsed_s = meter.stop(), time.monotonic() - began
        client_s = time.process_time() - client_s
        sent = list(brokers.latencies_us)
        if brokers.failure:
            raise RuntimeError(brokers.failure)
        if not sent:
            raise RuntimeError(f"no heartbeat was answered within {seconds:g} s")
        grown, entries = system.log_bytes(leader) - size, (await system.positions())[leader] - end
    latencies = latencies_of(sent)
    assert latencies is not None
    followers = [one.cpu_percent for name, one in usage.items() if name != leader]
    row.figures = {
        "heartbeats/s": len(sent) / elapsed_s,
        "p50 ms": latencies.p50,
        "p99 ms": latencies.p99,
        "leader CPU %": usage[leader].cpu_percent if leader in usage else 0.0,
        "follower CPU %": sum(followers) / max(1, len(followers)),
        "client CPU %": 100 * client_s / elapsed_s,
        "log bytes/s": grown / elapsed_s,
        "log entries/s": entries / elapsed_s,
        "RSS MB": max((one.rss_mb for one in usage.values()), default=0.0),
    }
    row.samples = {"latency us": thinned(sent)}
    row.usage = {name: one.as_json() for name, one in usage.items()}
    print_progress("  " + ", ".join(f"{name} {value:,.1f}" for name, value in row.figures.items()))
    return [row]
