"""The client over Kafka's protocol: IncrementalAlterConfigs as Kafka's own admin client sends it to a controller.

It shows what the service itself can do. It is as lean as the session's lean client: frames made ahead, no task or
future per request, no retries, no leader search. Requests are numbered by slot, and a slot's number is the correlation
id of its requests; what is due when the loop turns leaves in one write per connection. Every answer is compared with
what a success must look like, byte by byte, so every record of it is looked at. A controller may name the records of an
answer in an order of its own (Kafka's is that of a hash table): such an answer is read once, and expected from then on.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from typing import cast

from bench.loadgen import OUTSTANDING_MAX, TICK_S
from bench.recorder import Recorder
from bench.stats import Schedule
from bench.work import NAMES, Measuring, Outcome, Work
from bench.writes import Values, by_resource, fresh_values
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request, encode_response
from kraftpy.transport.kafka.framing import FrameSplitter, frame

CONNECTIONS = 4
"""The number of connections that requests are spread over. kraftpy takes up to 1,000 of one at a time, Kafka one."""
CONNECTIONS_MAX = 1_000
VERSION = 1
CLIENT_ID = "bench"
DRAIN_S = 60.0

Address = tuple[str, int]
"""Host and port of a controller's listener."""

Resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource
Config = rpc.IncrementalAlterConfigsRequestAlterableConfig
Row = rpc.IncrementalAlterConfigsResponseAlterConfigsResourceResponse


async def run_wire(address: Address, work: Work, measuring: Measuring, connections: int = CONNECTIONS) -> Outcome:
    """Do the work through some connections to the leader's controller listener."""
    slots = OUTSTANDING_MAX if work.rate is not None else work.in_flight
    run = _Run(work, slots)
    loop = asyncio.get_running_loop()
    try:
        for number in range(min(connections, slots, CONNECTIONS_MAX)):
            await loop.create_connection(lambda number=number: run.link(number), *address)
        return await run.run(Recorder(work, measuring))
    finally:
        run.close()


def request(slot: int, first_index: int, batch: int, values: Values) -> bytes:
    """Encode a request that makes ``batch`` neighbouring writes, with its size."""
    message = rpc.IncrementalAlterConfigsRequest(rows_of(first_index, batch, values))
    return frame(encode_request(CLIENT_ID, slot, message, VERSION))


def rows_of(first_index: int, batch: int, values: Values) -> list[Resource]:
    """Build the rows of a request that makes ``batch`` neighbouring writes."""
    return [
        Resource(resource.type, resource.name, [Config(config.name, 0, config.value) for config in configs])
        for resource, configs in by_resource(map(values, range(first_index, first_index + batch))).items()
    ]


def success(slot: int, rows: Sequence[Resource]) -> bytes:
    """Encode the answer that says that all that a request's rows name was written, without its size."""
    answered = [Row(0, None, row.resource_type, row.resource_name) for row in rows]
    return encode_response(slot, rpc.IncrementalAlterConfigsResponse(0, answered), VERSION)


class Cycle:
    """One slot's requests, made ahead: each of its own names with each of the values, so that a write changes one."""

    def __init__(self, work: Work, slot: int, slots: int, values: Sequence[Values]) -> None:
        per_slot = max(1, NAMES // (slots * work.batch))
        firsts = [(slot * per_slot + at) * work.batch for at in range(per_slot)]
        answers = [success(slot, rows_of(first, work.batch, values[0])) for first in firsts]
        self._steps = [
            (request(slot, first, work.batch, each), answer)
            for each in values
            for first, answer in zip(firsts, answers, strict=True)
        ]
        self._at = self._asked = 0
        self.expected = b""

    def next(self) -> bytes:
        """Return the next request; its success is :attr:`expected` from now on."""
        self._asked = self._at
        data, self.expected = self._steps[self._at]
        self._at = (self._at + 1) % len(self._steps)
        return data

    def accepts(self, payload: bytes) -> bool:
        """Whether an answer is the success of the last request, in whatever order, and expect that order then."""
        if _rows(payload) != _rows(self.expected):
            return False
        self._steps[self._asked] = (self._steps[self._asked][0], payload)
        return True


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

    def connection_lost(self, error: Exception | None) -> None:
        self._run.lost(str(error or "closed by the controller"))

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
    def __init__(self, work: Work, slots: int) -> None:
        self._work = work
        self._recorder: Recorder | None = None
        values = fresh_values(work, 2)
        self._cycles = [Cycle(work, slot, slots, values) for slot in range(slots)]
        self._started = [0.0] * slots
        self._free = deque(range(slots))
        self._due: deque[float] = deque()
        self._links: list[_Link] = []
        self._drained = asyncio.get_running_loop().create_future()
        self._is_ending = False

    def link(self, number: int) -> _Link:
        """Make the protocol of a connection."""
        assert number == len(self._links)
        self._links.append(_Link(self))
        return self._links[-1]

    def close(self) -> None:
        """Close every connection."""
        self._is_ending = True
        for link in self._links:
            link.close()

    async def run(self, recorder: Recorder) -> Outcome:
        """Make requests until the time is over, and wait for the last answers."""
        self._recorder = recorder
        if self._work.rate is not None:
            await self._follow(Schedule(self._work.rate, self._work.warmup_s + self._work.seconds), recorder)
        else:
            self._fill(time.perf_counter(), recorder)
            await asyncio.wait([self._drained], timeout=max(0.0, recorder.ends_at - time.perf_counter()))
        self._is_ending = True
        if len(self._free) == len(self._cycles) and not self._drained.done():
            self._drained.set_result(None)
        await asyncio.wait_for(self._drained, DRAIN_S)
        return recorder.finish()

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
        while self._free and (self._due if is_open else now < recorder.ends_at):
            slot = self._free.popleft()
            self._started[slot] = self._due.popleft() if is_open else now
            self._links[slot % len(self._links)].send(self._cycles[slot].next())

    def answered(self, payloads: list[bytes]) -> None:
        """Take answers; the slots go on at once."""
        now, recorder = time.perf_counter(), self._recorder
        assert recorder is not None, "nothing is answered before something is asked"
        for payload in payloads:
            slot = int.from_bytes(payload[:4], "big")
            cycle = self._cycles[slot]
            if payload == cycle.expected or cycle.accepts(payload):
                recorder.succeeded(self._started[slot], now)
            else:
                recorder.failed(_stated(payload))
            self._free.append(slot)
        if self._due or not self._is_ending:
            self._fill(now, recorder)
        if self._is_ending and len(self._free) == len(self._cycles) and not self._drained.done():
            self._drained.set_result(None)

    def lost(self, reason: str) -> None:
        """End the run: a benchmark without its connection measures nothing."""
        if not self._is_ending and not self._drained.done():
            self._drained.set_exception(ConnectionError(reason))


def _rows(payload: bytes) -> list[tuple[int, int, str]]:
    """Return (error, type, name) of every record of an answer, in an order that is the same for all."""
    _, message = decode_response(rpc.IncrementalAlterConfigsRequest.API_KEY, VERSION, payload)
    assert isinstance(message, rpc.IncrementalAlterConfigsResponse)
    return sorted((row.error_code, row.resource_type, row.resource_name) for row in message.responses)


def _stated(payload: bytes) -> str:
    _, message = decode_response(rpc.IncrementalAlterConfigsRequest.API_KEY, VERSION, payload)
    assert isinstance(message, rpc.IncrementalAlterConfigsResponse)
    refused = [row for row in message.responses if row.error_code]
    return f"error {refused[0].error_code}: {refused[0].error_message}" if refused else "an answer to something else"
