"""The lean client: one raw session stream, ready-made frames, no task or future per request.

It shows what the *service* can do when the Python client is out of the way. It speaks the public API and nothing else:
every request is decided, committed and answered as any other's, with an id for repeating. What it leaves out is the
client's side: no retries, no leader search, no values built per call.

Requests are numbered by slot; a slot is free again when its answer has come. Whatever is due between two writes of the
stream leaves as one message, as in the public client.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from typing import Any

import grpc

from bench.loadgen import OUTSTANDING_MAX, TICK_S
from bench.recorder import Recorder
from bench.stats import Schedule
from bench.work import Measuring, Outcome, Work
from bench.writes import Frames, is_acknowledged
from kraftpy.client.nodes import Nodes
from kraftpy.client.session import SESSION_PATH, connect
from kraftpy.pb.v1 import session_pb2

MESSAGE_BYTES_MAX = 4 * 1024 * 1024
DRAIN_S = 60.0


async def run_lean(endpoint: str, work: Work, measuring: Measuring) -> Outcome:
    """Do the work through one stream to the leader."""
    slots = OUTSTANDING_MAX if work.rate is not None else work.in_flight
    channel = await connect(Nodes((endpoint,), random.random), None)
    try:
        stream = channel.stream_stream(
            SESSION_PATH, request_serializer=None, response_deserializer=session_pb2.ResponseBatch.FromString
        )()
        return await _Run(stream, work, Frames(work, slots), slots).run(measuring)
    finally:
        await channel.close()


class _Run:
    def __init__(self, stream: Any, work: Work, frames: Frames, slots: int) -> None:
        self._stream = stream
        self._work = work
        self._frames = frames
        self._free = deque(range(slots))
        self._started = [0.0] * slots
        self._due: deque[float] = deque()
        self._wake = asyncio.Event()
        self._drained = asyncio.Event()
        self._slots = slots

    async def run(self, measuring: Measuring) -> Outcome:
        recorder = Recorder(self._work, measuring)
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(self._write(recorder)), loop.create_task(self._read(recorder))]
        try:
            if self._work.rate is not None:
                await self._follow(Schedule(self._work.rate, self._work.warmup_s + self._work.seconds), recorder)
            else:
                await asyncio.sleep(max(0.0, recorder.ends_at - time.perf_counter()))
            await self._drain(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._stream.cancel()
        return recorder.finish()

    async def _drain(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait until everything is answered, or a task has failed."""
        drained = asyncio.ensure_future(self._wait_drained())
        await asyncio.wait([drained, *tasks], timeout=DRAIN_S, return_when=asyncio.FIRST_COMPLETED)
        drained.cancel()
        for task in tasks:
            if task.done():
                task.result()

    async def _wait_drained(self) -> None:
        await self._drained.wait()

    async def _follow(self, schedule: Schedule, recorder: Recorder) -> None:
        begin = time.perf_counter()
        # What is answered late is measured too: the rate of acknowledgements is over all of that time.
        recorder.ends_at = float("inf")
        while not schedule.is_over:
            self._due.extend(begin + due_s for due_s in schedule.take_due(time.perf_counter() - begin))
            if self._due:
                self._wake.set()
            recorder.maybe_begin(time.perf_counter())
            await asyncio.sleep(TICK_S)

    def _take(self, recorder: Recorder) -> list[bytes]:
        """Give free slots to what should start now."""
        frames: list[bytes] = []
        size, now = 0, time.perf_counter()
        is_open = self._work.rate is not None
        while self._free and size < MESSAGE_BYTES_MAX:
            if is_open:
                if not self._due:
                    break
                started = self._due.popleft()
            elif now >= recorder.ends_at:
                break
            else:
                started = now
            slot = self._free.popleft()
            self._started[slot] = started
            frames.append(self._frames.next(slot))
            size += len(frames[-1])
        return frames

    async def _write(self, recorder: Recorder) -> None:
        while True:
            frames = self._take(recorder)
            if frames:
                await self._stream.write(b"".join(frames))
                continue
            if len(self._free) == self._slots:
                self._drained.set()
            self._wake.clear()
            await self._wake.wait()
            self._drained.clear()

    async def _read(self, recorder: Recorder) -> None:
        try:
            async for batch in self._stream:
                now = time.perf_counter()
                for response in batch.responses:
                    slot = response.id - 1
                    if is_acknowledged(response):
                        recorder.succeeded(self._started[slot], now)
                    else:
                        recorder.failed(str(response)[:300])
                    self._free.append(slot)
                self._wake.set()
        except grpc.aio.AioRpcError as error:
            raise ConnectionError(f"the session broke: {error.code().name}: {error.details()}") from error
