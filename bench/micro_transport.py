"""Echo through a listener and a channel: `python bench/micro_transport.py [--uvloop]`.

Server and client are processes of their own, as in the measurements that the design is based on. Prints one line per
case: median of the rounds, lowest and highest. No case goes over 64 requests a connection without waiting: beyond,
the listener stops reading, which the case of 256 shows.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft import messages as m
from kraftpy.raft.ready import Inbound, RequestReceived, Send
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.listener import KafkaListener

SECONDS = 1.0
ROUNDS = 5
RECORDS = bytes(100)


def loop_factory(*, use_uvloop: bool) -> Callable[[], asyncio.AbstractEventLoop]:
    if not use_uvloop:
        return asyncio.new_event_loop
    import uvloop

    return uvloop.new_event_loop


async def serve_peers(pipe: Connection) -> None:
    response = m.FetchResponse(leader=LeaderAndEpoch(1, 1), high_watermark=5, records=RECORDS)

    def inbox(value: Inbound) -> None:
        if isinstance(value, RequestReceived):
            listener.reply(value.token, response)

    listener = KafkaListener("127.0.0.1", 0, inbox)
    await listener.start()
    pipe.send(listener.port)
    await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
    await listener.close()


async def echo_peers(port: int, in_flight: int) -> tuple[float, float]:
    """Return messages per second and the median round trip in ms."""
    endpoint = Endpoint("CONTROLLER", "127.0.0.1", port)
    request = m.FetchRequest(
        cluster_id="c", replica=None, epoch=1, fetch_offset=5, last_fetched_epoch=1, max_wait_ms=500, max_bytes=1000
    )
    started: dict[int, float] = {}
    times: list[float] = []
    done = asyncio.Event()
    state = {"next": 0, "end": 0.0}

    def start() -> None:
        number = state["next"] = state["next"] + 1
        started[number] = time.perf_counter()
        network.send(Send(1, endpoint, number, request, 5000))

    def sink(value: Inbound) -> None:
        now = time.perf_counter()
        times.append(now - started.pop(value.correlation))
        if now < state["end"]:
            start()
        elif not started:
            done.set()

    async with PeerNetwork(sink, "bench") as network:
        begin = time.perf_counter()
        state["end"] = begin + SECONDS
        for _ in range(in_flight):
            start()
        await done.wait()
        elapsed = time.perf_counter() - begin
    return len(times) / elapsed, statistics.median(times) * 1000


def report(name: str, results: list[tuple[float, float]]) -> None:
    rates = sorted(rate for rate, _ in results)
    p50 = statistics.median(p50 for _, p50 in results)
    print(f"{name:34} {statistics.median(rates):>10,.0f} /s [{rates[0]:,.0f}..{rates[-1]:,.0f}]  p50 {p50:.3f} ms")


def child(pipe: Connection, *, use_uvloop: bool) -> None:
    with asyncio.Runner(loop_factory=loop_factory(use_uvloop=use_uvloop)) as runner:
        runner.run(serve_peers(pipe))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uvloop", action="store_true")
    use_uvloop = parser.parse_args().uvloop
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=child, args=(there,), kwargs={"use_uvloop": use_uvloop}
    )
    process.start()
    port = here.recv()
    for in_flight in (1, 16, 60, 256):
        results = []
        for _ in range(ROUNDS):
            with asyncio.Runner(loop_factory=loop_factory(use_uvloop=use_uvloop)) as runner:
                results.append(runner.run(echo_peers(port, in_flight)))
        report(f"Fetch echo, 100 B, {in_flight} in flight", results)
    here.send("stop")
    process.join()


if __name__ == "__main__":
    main()
