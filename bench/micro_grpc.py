"""What one gRPC call costs the server, in each way that grpcio offers: `python bench/micro_grpc.py`.

The handler answers 300 bytes with 300 bytes and does nothing else, so this is the price of the transport. Server and
client are processes of their own; the client keeps 64 calls unanswered over four connections. Each line is the CPU time
of the server's process for one call, user and system, over all its threads: median of the rounds, lowest and highest.

*   ``grpc.aio, unary``: what kraftpy's unary calls use.
*   ``threads, unary``: grpc's synchronous server, whose completion queue is served by a thread of its own; the handler
    answers in the pool's thread. No server of kraftpy could: the state belongs to the event loop.
*   ``threads, unary, answered by a loop``: the same, and the handler asks an event loop and waits for it, which is what
    a completion queue in a thread beside the loop comes to.
*   ``grpc.aio, stream``: calls as messages of four streams, which is what the session of the public client does, but
    with one message for each call.
*   ``Kafka frames``: the same bytes over the transport of Kafka's protocol (``asyncio.Protocol``).
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import statistics
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import grpc

SERVICE: Final = "bench.Echo"
PAYLOAD: Final = bytes(300)
IN_FLIGHT: Final = 64
CONNECTIONS: Final = 4
FRAME_HEADER_BYTES: Final = 4
# Otherwise all channels of a process to one address share a connection.
CHANNEL_OPTIONS: Final = (("grpc.use_local_subchannel_pool", 1),)


def cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def serve_until_stopped(pipe: Connection, port: int) -> None:
    """Send the port; then answer each message with the CPU time so far, until it is ``stop``."""
    pipe.send(port)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, pipe.recv) != "stop":
        pipe.send(cpu_s())


async def serve_aio(pipe: Connection) -> None:
    async def unary(_request: bytes, _context: object) -> bytes:
        return PAYLOAD

    async def stream(requests: AsyncIterator[bytes], _context: object) -> AsyncIterator[bytes]:
        async for _request in requests:
            yield PAYLOAD

    server = grpc.aio.server()
    handlers = {
        "Unary": grpc.unary_unary_rpc_method_handler(unary),
        "Stream": grpc.stream_stream_rpc_method_handler(stream),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    await serve_until_stopped(pipe, port)
    await server.stop(None)


async def serve_threads(pipe: Connection, *, asks_loop: bool) -> None:
    loop = asyncio.get_running_loop()

    def answer_in_thread(_request: bytes, _context: object) -> bytes:
        return PAYLOAD

    def answer_by_loop(_request: bytes, _context: object) -> bytes:
        answered: Future[bytes] = Future()
        loop.call_soon_threadsafe(answered.set_result, PAYLOAD)
        return answered.result()

    server = grpc.server(ThreadPoolExecutor(IN_FLIGHT if asks_loop else CONNECTIONS))
    handlers = {"Unary": grpc.unary_unary_rpc_method_handler(answer_by_loop if asks_loop else answer_in_thread)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    await serve_until_stopped(pipe, port)
    server.stop(None)


class EchoFrames(asyncio.Protocol):
    """Answers each frame, a length of four bytes before it, with one of the payload's length."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._pending = bytearray()

    def data_received(self, data: bytes) -> None:
        self._pending += data
        whole = len(self._pending) // (FRAME_HEADER_BYTES + len(PAYLOAD))
        for _ in range(whole):
            frame = bytes(self._pending[: FRAME_HEADER_BYTES + len(PAYLOAD)])
            del self._pending[: len(frame)]
            self._transport.write(frame)


async def serve_frames(pipe: Connection) -> None:
    server = await asyncio.get_running_loop().create_server(EchoFrames, "127.0.0.1", 0)
    await serve_until_stopped(pipe, server.sockets[0].getsockname()[1])
    server.close()


SERVERS: Final[dict[str, Callable[[Connection], Any]]] = {
    "aio": serve_aio,
    "threads": lambda pipe: serve_threads(pipe, asks_loop=False),
    "threads and loop": lambda pipe: serve_threads(pipe, asks_loop=True),
    "frames": serve_frames,
}


def child(pipe: Connection, kind: str) -> None:
    asyncio.run(SERVERS[kind](pipe))


async def call_unary(port: int, calls: int) -> None:
    channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", CHANNEL_OPTIONS) for _ in range(CONNECTIONS)]
    methods = [channel.unary_unary(f"/{SERVICE}/Unary", None, None) for channel in channels]

    async def caller(number: int) -> None:
        for _ in range(calls // IN_FLIGHT):
            assert await methods[number % CONNECTIONS](PAYLOAD) == PAYLOAD

    await asyncio.gather(*[caller(number) for number in range(IN_FLIGHT)])
    for channel in channels:
        await channel.close(None)


async def call_stream(port: int, calls: int) -> None:
    async def caller() -> None:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", CHANNEL_OPTIONS) as channel:
            stream = channel.stream_stream(f"/{SERVICE}/Stream", None, None)(None)
            for _ in range(IN_FLIGHT // CONNECTIONS):
                await stream.write(PAYLOAD)
            for number in range(calls // CONNECTIONS):
                assert await stream.read() == PAYLOAD
                if number < (calls - IN_FLIGHT) // CONNECTIONS:
                    await stream.write(PAYLOAD)
            await stream.done_writing()

    await asyncio.gather(*[caller() for _ in range(CONNECTIONS)])


async def call_frames(port: int, calls: int) -> None:
    frame = len(PAYLOAD).to_bytes(FRAME_HEADER_BYTES, "big") + PAYLOAD

    async def caller() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(frame * (IN_FLIGHT // CONNECTIONS))
        for number in range(calls // CONNECTIONS):
            assert await reader.readexactly(len(frame)) == frame
            if number < (calls - IN_FLIGHT) // CONNECTIONS:
                writer.write(frame)
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*[caller() for _ in range(CONNECTIONS)])


CASES: Final[tuple[tuple[str, str, Callable[[int, int], Any]], ...]] = (
    ("grpc.aio, unary", "aio", call_unary),
    ("threads, unary", "threads", call_unary),
    ("threads, unary, answered by a loop", "threads and loop", call_unary),
    ("grpc.aio, stream", "aio", call_stream),
    ("Kafka frames", "frames", call_frames),
)


def measure(kind: str, call: Callable[[int, int], Any], calls: int) -> float:
    """Return the CPU time of the server for one call, in us."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=child, args=(there, kind))
    process.start()
    port = here.recv()
    asyncio.run(call(port, calls // 10))
    here.send("cpu")
    before = here.recv()
    asyncio.run(call(port, calls))
    here.send("cpu")
    used = here.recv() - before
    here.send("stop")
    process.join()
    return float(used / calls * 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_480, help="calls in a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, each with new processes, all cases in turn")
    arguments = parser.parse_args()
    results: dict[str, list[float]] = {name: [] for name, _, _ in CASES}
    for _ in range(arguments.rounds):
        for name, kind, call in CASES:
            results[name].append(measure(kind, call, arguments.calls))
    for name, values in results.items():
        print(f"{name:36} {statistics.median(values):7.1f} us a call [{min(values):.1f}..{max(values):.1f}]")


if __name__ == "__main__":
    assert threading.current_thread() is threading.main_thread()
    main()
