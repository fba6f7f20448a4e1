"""Clients of the public API that take nothing hold what all of them may hold together, and not a byte more.

They speak HTTP/2 by hand and open no window, so that whatever is answered stays with the node, as long as they stay.
"""

from __future__ import annotations

import asyncio
import struct
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

import grpc
import pytest

from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, session_pb2
from kraftpy.runtime.controller_loop import SUBMISSIONS_BYTES_MAX
from kraftpy.transport.grpc.server import CONCURRENT_STREAMS_MAX
from kraftpy.transport.grpc.services.session import SESSIONS_BYTES_MAX
from kraftpy.transport.grpc.services.unary import STREAMS_BYTES_MAX
from kraftpy.transport.grpc.unary_calls import UNARY_BYTES_MAX, UNARY_CALLS_MAX
from tests.fakes.processes import KEY, eventually, running
from tests.integration.test_hostile_memory import MIB, SLACK_BYTES, Target, http2
from tests.integration.test_hostile_memory import target as target  # noqa: PLC0414 - the fixture

pytestmark = pytest.mark.slow

CLUSTER = "/kraftpy.v1.ClusterService/"
SESSION = "/kraftpy.v1.SessionService/Session"
NO_WINDOW = struct.pack(">HI", 4, 0)
STATE_BYTES = 6 * MIB
"""Of config keys, written at once: one batch of the log, and some pages of a list."""
ANSWER_BYTES = 1_000_000
"""What a page of them takes at least; it is below PAGE_BYTES_MAX by less than one resource."""
SESSION_READS = 5
"""The pages that a session makes before it waits for its client: 4 MiB, and one more. gRPC takes the first one."""
MAKING_BYTES = 6 * STATE_BYTES
"""What one message takes while it is made."""


def call(number: int, path: str, message: bytes, *, ends: bool = True) -> bytes:
    """One call in HTTP/2's frames: headers, and a message of less than a frame's 16 KiB."""
    pairs = {
        ":method": "POST", ":scheme": "http", ":path": path, ":authority": "h",
        "content-type": "application/grpc", "te": "trailers",
    }  # fmt: skip
    headers = b"".join(
        b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        for name, value in pairs.items()
    )
    body = struct.pack(">BI", 0, len(message)) + message
    return http2(1, 4, 2 * number + 1, headers) + http2(0, int(ends), 2 * number + 1, body)


def abort(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Abort the connection; otherwise a reader without references would have closed it earlier."""
    del reader
    writer.transport.abort()


@asynccontextmanager
async def taking_nothing(target: Target, path: str, message: bytes, count: int, *, ends: bool = True):
    """Make ``count`` calls whose clients read nothing, on as many connections as that needs."""
    host, _, port = target.grpc.rpartition(":")
    async with AsyncExitStack() as stack:
        for start in range(0, count, CONCURRENT_STREAMS_MAX):
            reader, writer = await asyncio.open_connection(host, int(port), limit=1)
            stack.callback(abort, reader, writer)
            reader._transport.pause_reading()
            writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2(4, 0, 0, NO_WINDOW) + http2(4, 1, 0))
            numbers = range(min(CONCURRENT_STREAMS_MAX, count - start))
            writer.write(b"".join(call(number, path, message, ends=ends) for number in numbers))
            await writer.drain()
        yield


async def fill(target: Target) -> int:
    """Write some MiB with one call; return the offset of the first record of the batch."""
    names = [f"{number}-" + "x" * 20_000 for number in range(STATE_BYTES // 20_000)]
    changes = {Resource(ResourceType.GROUP, name): [ConfigChange(KEY, "50000")] for name in names}
    async with target.cluster.client() as client:
        done = await client.incremental_alter_configs(changes)
    return done.position.offset - len(names) + 1


def of_api(metric: str, limit: str) -> str:
    return f'kraftpy_{metric}{{limit="{limit}",listener="GRPC"}}'


def of_node(metric: str, limit: str) -> str:
    return f'kraftpy_{metric}{{limit="{limit}",listener=""}}'


async def describe(target: Target) -> None:
    """A unary call of another client."""
    async with target.channel() as channel:
        await channel.unary_unary(CLUSTER + "DescribeCluster")(b"", timeout=30)


async def works_again(target: Target, limit: str) -> None:
    """Everything is let go once who held it has left."""
    node_id, used = target.cluster.controller_ids[0], of_api("limit_used", limit)
    await eventually(lambda: target.cluster.metrics(node_id), lambda one: one.get(used) == 0, f"no {used}")
    await describe(target)


async def test_unary_calls_are_so_many_at_most(target):
    """1,280 answers are left unread: other clients' calls are rejected as busy, and served when these have left."""
    async with taking_nothing(target, CLUSTER + "DescribeCluster", b"", UNARY_CALLS_MAX + CONCURRENT_STREAMS_MAX):
        await target.until(of_api("limit_refused_total", "unary calls"), 1)
        assert await target.until(of_api("limit_used", "unary calls"), UNARY_CALLS_MAX) == UNARY_CALLS_MAX
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await describe(target)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert f"{UNARY_CALLS_MAX} unary calls already" in refused.value.details()
    await works_again(target, "unary calls")


async def test_answers_of_unary_calls_that_no_client_reads(target):
    """180 pages of 1 MiB: those that find no room are refused, and the node holds no more than it may."""
    await fill(target)
    async with (
        target.grows_less(2 * UNARY_BYTES_MAX + MAKING_BYTES + SLACK_BYTES),
        taking_nothing(target, CLUSTER + "DescribeConfigs", b"", 180),
    ):
        await target.until(of_api("limit_refused_total", "unary call bytes"), 180 - UNARY_BYTES_MAX // ANSWER_BYTES)
        assert await target.until(of_api("limit_used", "unary call bytes"), UNARY_BYTES_MAX // 2) <= UNARY_BYTES_MAX
    await works_again(target, "unary call bytes")


async def test_messages_of_watches_that_no_client_reads(target):
    """60 watchers of a batch of 6 MiB: those that find no room are ended."""
    watch = cluster_pb2.WatchRequest(from_offset=await fill(target)).SerializeToString()
    async with taking_nothing(target, CLUSTER + "Watch", watch, 60):
        await target.until(of_api("limit_refused_total", "stream bytes"), 60 - STREAMS_BYTES_MAX // STATE_BYTES)
        assert await target.until(of_api("limit_used", "stream bytes"), STREAMS_BYTES_MAX // 2) <= STREAMS_BYTES_MAX
    await works_again(target, "stream bytes")


async def test_sessions_whose_answers_no_client_reads(target):
    """60 sessions with five pages of 1 MiB each: who holds most is ended until the rest fits."""
    await fill(target)
    every = cluster_pb2.DescribeConfigsRequest()
    reads = [session_pb2.Request(id=number, describe_configs=every) for number in range(SESSION_READS)]
    batch = session_pb2.RequestBatch(requests=reads)
    async with (
        target.grows_less(3 * SESSIONS_BYTES_MAX + MAKING_BYTES + SLACK_BYTES),
        taking_nothing(target, SESSION, batch.SerializeToString(), 60, ends=False),
    ):
        await target.until(
            of_api("limit_refused_total", "session bytes"),
            60 - SESSIONS_BYTES_MAX // ((SESSION_READS - 1) * ANSWER_BYTES),
        )
        assert await target.until(of_api("limit_used", "session bytes"), SESSIONS_BYTES_MAX // 2) <= SESSIONS_BYTES_MAX
    await works_again(target, "session bytes")


async def test_writes_that_wait_to_be_committed(tmp_path):
    """14 writes of 6 MiB while no follower answers: those beyond 64 MiB are refused, the others are committed later."""
    count = 14
    patient = {"controller.quorum.fetch.timeout.ms": "60000"}
    async with running(tmp_path, extra=patient) as cluster:
        paused = ExitStack()
        leader_id = await cluster.leader()
        leading = Target(cluster, leader_id)
        # Before its first record is committed a leader decides no writes, so none would be counted against the limit.
        await eventually(
            lambda: cluster.metrics(leader_id), lambda one: one.get("kraft_cluster_id_known") == 1, "it is active"
        )
        for node_id in set(cluster.controller_ids) - {leader_id}:
            cluster.pause(node_id)
            paused.callback(cluster.resume, node_id)
        names = [f"{number}-" + "x" * 20_000 for number in range(STATE_BYTES // 20_000)]
        request = admin_pb2.IncrementalAlterConfigsRequest()
        for name in names:
            row = request.resources.add(resource={"type": int(ResourceType.GROUP), "name": name})
            row.alterations.add(name=KEY, value="50000")
        data = request.SerializeToString()
        async with leading.channel() as channel, asyncio.TaskGroup() as tasks:
            alter = channel.unary_unary("/kraftpy.v1.AdminService/IncrementalAlterConfigs")
            calls = [alter(data, timeout=120) for _ in range(count)]
            codes = [tasks.create_task(one.code()) for one in calls]
            fit = SUBMISSIONS_BYTES_MAX // len(data)
            # A busy leader may leave a question for its metrics unanswered, which gives none: it is asked again.
            gauges = await eventually(
                lambda: cluster.metrics(leader_id),
                lambda one: one.get(of_node("limit_refused_total", "waiting write bytes"), 0) == count - fit,
                f"{count - fit} refused",
            )
            # Registrations and heartbeats of nodes wait as well, of some hundred bytes each.
            used = gauges[of_node("limit_used", "waiting write bytes")]
            assert fit * len(data) <= used < (fit + 1) * len(data)
            paused.close()
        reported = [one.result() for one in codes]
        assert reported.count(grpc.StatusCode.RESOURCE_EXHAUSTED) == count - fit
        assert reported.count(grpc.StatusCode.OK) == fit
        await eventually(
            lambda: cluster.metrics(leader_id),
            lambda one: one.get(of_node("limit_used", "waiting write bytes")) == 0,
            "nothing waits",
        )
