"""The closed and the open loop over Kafka's protocol: as many slots as requests may be unanswered.

It is lean: no task or future per request, no retries, no leader search. A slot's number is the correlation id of its
requests; what is due when the loop turns leaves in one write per connection. What is asked, and what a success is, is
for the slot's source to say. In the closed loop a latency begins when the request is encoded, in the open one when the
request is due.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol, cast

from bench.loadgen import OUTSTANDING_MAX, TICK_S
from bench.recorder import Recorder
from bench.stats import Schedule
from bench.work import CONNECTIONS, Address, Measuring, Outcome, Work
from kraftpy.transport.kafka.framing import FrameSplitter

CONNECTIONS_MAX = 1_000
DRAIN_S_MAX = 60.0
"""How long after its end a run waits for the answers that it still lacks."""
REQUEST_S_MAX = 60.0
"""How long a request may stay unanswered; longer than its own timeout, which the controller keeps to."""
LOOK_S = 1.0
"""How often that is checked."""


class Source(Protocol):
    """One slot's requests, each of which starts when the one before is answered."""

    def next(self) -> bytes:
        """Return the next request, with its size; its correlation id is the slot's number."""
        ...

    def judge(self, payload: bytes) -> str:
        """Return what is wrong with the answer to the last request; nothing when it is its success."""
        ...


def slots_of(work: Work) -> int:
    """Return how many slots some work needs."""
    return OUTSTANDING_MAX if work.rate is not None else work.in_flight


async def run_requests(
    address: Address, work: Work, measuring: Measuring, sources: Sequence[Source], connections: int = CONNECTIONS
) -> Outcome:
    """Do the work through some connections to a controller's listener, with a source for each slot."""
    run = _Run(work, sources)
    loop = asyncio.get_running_loop()
    try:
        for number in range(min(connections, len(sources), CONNECTIONS_MAX)):
            await loop.create_connection(lambda number=number: run.link(number), *address)
        return await run.run(Recorder(work, measuring))
    finally:
        run.close()


class _Link(asyncio.Protocol):
    """One connection: what is due leaves when the loop turns."""

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._splitter = FrameSplitter()
        self._transport: asyncio.Transport | None = None
        self._due: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._run.answered(self._splitter.feed(data))
        if self._splitter.fault is not None:
            self._run.fail(ConnectionError(f"what the controller sent is no answer: {self._splitter.fault}"))

    def connection_lost(self, error: Exception | None) -> None:
        self._run.fail(ConnectionError(str(error or "closed by the controller")))

    def send(self, data: bytes) -> None:
        if not self._due:
            asyncio.get_running_loop().call_soon(self._flush)
        self._due.append(data)

    def _flush(self) -> None:
        due, self._due = self._due, []
        if self._transport is not None:
            self._transport.write(b"".join(due))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class _Run:
    def __init__(self, work: Work, sources: Sequence[Source]) -> None:
        self._work = work
        self._recorder: Recorder | None = None
        self._sources = sources
        self._started = [0.0] * len(sources)
        self._sent = [0.0] * len(sources)
        self._free = deque(range(len(sources)))
        self._left = -(-work.total // work.batch) if work.total else math.inf
        self._due: deque[float] = deque()
        self._links: list[_Link] = []
        self._drained = asyncio.get_running_loop().create_future()
        self._timer: asyncio.TimerHandle | None = None
        self._is_ending = self._is_closed = False

    def link(self, number: int) -> _Link:
        """Make the protocol of a connection."""
        assert number == len(self._links)
        self._links.append(_Link(self))
        return self._links[-1]

    def close(self) -> None:
        """Close every connection."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for link in self._links:
            link.close()

    async def run(self, recorder: Recorder) -> Outcome:
        """Make requests until the time is over, and wait for the last answers.

        Raises:
            ConnectionError: a connection was lost, or sent what is no answer.
            TimeoutError: an answer did not come in time.
        """
        self._recorder = recorder
        self._look()
        recorder.maybe_begin(time.perf_counter())
        if self._work.rate is not None:
            await self._follow(Schedule(self._work.rate, self._work.warmup_s + self._work.seconds), recorder)
        else:
            self._fill(time.perf_counter(), recorder)
            left_s = recorder.ends_at - time.perf_counter()
            await asyncio.wait([self._drained], timeout=None if math.isinf(left_s) else max(0.0, left_s))
        self._is_ending = True
        if len(self._free) == len(self._sources) and not self._drained.done():
            self._drained.set_result(None)
        await asyncio.wait([self._drained], timeout=DRAIN_S_MAX)
        if not self._drained.done():
            raise TimeoutError(
                f"{len(self._sources) - len(self._free)} requests were unanswered and {len(self._due)} not sent "
                f"{DRAIN_S_MAX:g} s after the end (DRAIN_S_MAX in bench/requests.py): measure a lower rate"
            )
        self._drained.result()
        return recorder.finish()

    def _look(self) -> None:
        """End the run when a request is unanswered for too long; look again later otherwise."""
        now = time.perf_counter()
        waiting = set(range(len(self._sources))).difference(self._free)
        waited_s = now - min((self._sent[slot] for slot in waiting), default=now)
        if waited_s > REQUEST_S_MAX:
            self.fail(
                TimeoutError(
                    f"a request was unanswered for {waited_s:.1f} s, the limit is {REQUEST_S_MAX:g} s (REQUEST_S_MAX "
                    "in bench/requests.py): look at the controller's log, or measure smaller requests"
                )
            )
        else:
            self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    async def _follow(self, schedule: Schedule, recorder: Recorder) -> None:
        begin = time.perf_counter()
        # What is answered late is measured too: the rate of acknowledgements is over all of that time.
        recorder.ends_at = float("inf")
        while not schedule.is_over and not self._drained.done():
            now = time.perf_counter()
            self._due.extend(begin + due_s for due_s in schedule.take_due(now - begin))
            self._fill(now, recorder)
            recorder.maybe_begin(now)
            await asyncio.sleep(TICK_S)

    def _fill(self, now: float, recorder: Recorder) -> None:
        """Give free slots to what should start now."""
        is_open = self._work.rate is not None
        ready: list[tuple[int, bytes]] = []
        while self._free and self._left and (self._due if is_open else now < recorder.ends_at):
            self._left -= 1
            slot = self._free.popleft()
            if is_open:
                self._started[slot] = self._due.popleft()
            ready.append((slot, self._sources[slot].next()))
        # Encoding is the client's time: so every clock starts after it.
        sent = time.perf_counter()
        for slot, data in ready:
            self._sent[slot] = sent
            if not is_open:
                self._started[slot] = sent
            self._links[slot % len(self._links)].send(data)
        self._is_ending = self._is_ending or not self._left

    def answered(self, payloads: list[bytes]) -> None:
        """Take answers; the slots go on at once."""
        now, recorder = time.perf_counter(), self._recorder
        assert recorder is not None, "nothing is answered before something is asked"
        for payload in payloads:
            slot = int.from_bytes(payload[:4], "big")
            error = self._sources[slot].judge(payload)
            if error:
                recorder.failed(error)
            else:
                recorder.succeeded(self._started[slot], now)
            self._free.append(slot)
        if self._due or not self._is_ending:
            self._fill(now, recorder)
        if self._is_ending and len(self._free) == len(self._sources) and not self._drained.done():
            self._drained.set_result(None)

    def fail(self, error: Exception) -> None:
        """End the run: a benchmark without its connection or its answers measures nothing."""
        if not self._is_closed and not self._drained.done():
            self._drained.set_exception(error)
