"""Reads and watches of kraftpy over gRPC, by the public client and by a program in Go that knows only bytes.

``client``  the public :class:`~kraftpy.client.AsyncClient`, one for each node that is asked.
``go``      DescribeConfigs as unary calls, whose requests are encoded here: what the service does for a client that is
            no Python program.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

from bench.loadgen import drive
from bench.peers.gotool import go_command, go_tool
from bench.peers.loadtool import arguments_of, run_tool, run_watchers
from bench.reading import MARK, TIME_DIGITS, WATCH_CONNECTIONS, Reading, Watched, Watching
from bench.requests import run_requests
from bench.wire import CLIENT_ID, VERSION, rows_of, success
from bench.work import NAMES, Address, Measuring, Outcome, Work
from bench.writes import COUNTER_DIGITS, KEY, alike, name_of, value_of
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.values import Resource
from kraftpy.client.watching import WATCH_PATH
from kraftpy.model.consistency import Consistency
from kraftpy.model.offsets import Offset
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import cluster_pb2, common_pb2
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.framing import frame

READERS = ("client", "go")
DESCRIBE_PATH = "/kraftpy.v1.ClusterService/DescribeConfigs"
CONNECTIONS = 4
WRITERS = 256


async def read(form: str, endpoints: Sequence[str], reading: Reading, work: Work, measuring: Measuring) -> Outcome:
    """Read single resources of those that were written."""
    if form == "client":
        return await _read_by_client(endpoints, reading, work, measuring)
    options = common_pb2.ReadOptions
    read = options(consistency=options.LINEARIZABLE if reading.is_linearizable else options.COMMITTED)
    bodies = [_body(index, read) for index in range(reading.names)]
    given = {
        "mode": "call",
        "endpoints": ",".join(endpoints),
        "connections": str(min(CONNECTIONS, work.in_flight)),
        "path": DESCRIBE_PATH,
        "bodies": ",".join(body.hex() for body in bodies),
        "expected": _filler(work.value_bytes).encode().hex(),
    }
    return await run_tool(go_command(go_tool(), arguments_of(work) | given), measuring)


def _filler(value_bytes: int) -> str:
    """Return what every value of a length ends with."""
    return value_of(0, value_bytes)[COUNTER_DIGITS:]


def check_value(name: str, value: str | None, value_bytes: int) -> None:
    """Check what was read.

    Raises:
        ValueError: it is no value of that length that was written.
    """
    if value is None or len(value) != value_bytes or not value.endswith(_filler(value_bytes)):
        found = "no value" if value is None else f"a value of {len(value)} bytes"
        raise ValueError(f"{name} has {found}, not the one of {value_bytes} bytes that was written")


def _body(index: int, read: common_pb2.ReadOptions) -> bytes:
    resource = common_pb2.ConfigResource(type=ResourceType.CLIENT_METRICS.value, name=name_of(index))
    return cluster_pb2.DescribeConfigsRequest(resources=[resource], read=read).SerializeToString()


async def _read_by_client(endpoints: Sequence[str], reading: Reading, work: Work, measuring: Measuring) -> Outcome:
    consistency = Consistency.LINEARIZABLE if reading.is_linearizable else Consistency.COMMITTED
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(AsyncClient([endpoint])) for endpoint in endpoints]

        async def one(serial: int) -> None:
            resource = Resource(ResourceType.CLIENT_METRICS, name_of(serial % reading.names))
            client = clients[serial % len(clients)]
            configs = await client.describe_configs([resource], consistency=consistency)
            check_value(resource.name, configs.resources.get(resource, {}).get(KEY), work.value_bytes)

        return await drive(one, work, measuring)


class Stamping:
    """One slot's writes, whose values begin with the time at which they leave."""

    def __init__(self, slot: int) -> None:
        self._slot = slot
        self._at = 0
        self._expected = b""

    def next(self) -> bytes:
        """Return the next write."""
        self._at += 1
        index = (self._slot + self._at * WRITERS) % NAMES
        stamp = f"{MARK}{time.time_ns() // 1_000:0{TIME_DIGITS}d}"
        rows = rows_of(index, 1, alike(stamp.ljust(Work().value_bytes, "x")))
        self._expected = success(self._slot, rows)
        return frame(encode_request(CLIENT_ID, self._slot, rpc.IncrementalAlterConfigsRequest(rows), VERSION))

    def judge(self, payload: bytes) -> str:
        """Compare an answer with the only success."""
        return "" if payload == self._expected else "a write was rejected"


async def watch(
    endpoints: Sequence[str],
    leader: Address,
    from_offset: Offset,
    watching: Watching,
    measuring: Measuring,
    measured: Measuring,
) -> Watched:
    """Watch all committed records on all nodes; write over Kafka's protocol meanwhile."""
    given = {
        "mode": "follow",
        "endpoints": ",".join(endpoints),
        "connections": str(WATCH_CONNECTIONS),
        "path": WATCH_PATH,
        "bodies": cluster_pb2.WatchRequest(from_offset=from_offset).SerializeToString().hex(),
    }
    work = Work(rate=watching.rate, seconds=watching.seconds + 2 * watching.warmup_s, warmup_s=0.0)

    async def writing() -> Outcome:
        return await run_requests(leader, work, lambda: None, [Stamping(slot) for slot in range(WRITERS)])

    return await run_watchers(go_command(go_tool(), watching.arguments() | given), writing, measuring, measured)
