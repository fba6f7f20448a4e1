"""Spans of calls: what of a call they show, to which trace they belong, and what is never in them."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager

import grpc
import pytest

from kraftpy.client import AsyncClient, Client
from kraftpy.client import values as v
from kraftpy.client.connection import Access
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.voters import Endpoint
from kraftpy.node.leader_calls import LeaderConnection
from kraftpy.pb.v1 import admin_pb2, session_pb2
from kraftpy.tracing.messages import api_name
from kraftpy.tracing.spans import client_tracing
from kraftpy.transport.grpc.services import session as session_module
from kraftpy.transport.node_api import LeaderHint
from tests.unit.tracing.collected import REASON, Collected
from tests.unit.transport.fake_backend import FakeBackend, serving
from tests.unit.transport.sasl_api import until
from tests.unit.transport.test_api import PATIENCE, UNARY, WRITES, call

trace = pytest.importorskip("opentelemetry.trace", reason=REASON)
sampling = pytest.importorskip("opentelemetry.sdk.trace.sampling", reason=REASON)
adapter = pytest.importorskip("kraftpy.tracing.opentelemetry_spans", reason=REASON)

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PARENT = f"00-{TRACE}-{SPAN}-01"
SECRET = "hunter2"


@pytest.fixture
def kept():
    return Collected()


@asynccontextmanager
async def traced_server(kept, backend=None, **options):
    tracing = adapter.OpenTelemetryTracing(kept.provider)
    async with (
        serving(backend or FakeBackend(), tracing=tracing, **options) as server,
        grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        yield server, channel


async def spans_of(kept, count):
    """An answer leaves before the handler's task is over."""
    await until(lambda: len(kept.spans) >= count)


async def test_a_unary_call_belongs_to_the_trace_of_its_metadata(kept):
    async with traced_server(kept) as (_, channel):
        metadata = (("traceparent", PARENT), ("tracestate", "vendor=1"))
        await call(channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE, metadata=metadata)
        await spans_of(kept, 2)
    span = kept.named("CreateTopics")
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, SPAN)
    assert span.context.trace_state.to_header() == "vendor=1"
    assert dict(span.attributes) == {
        "rpc.system": "grpc",
        "rpc.method": "CreateTopics",
        "kraftpy.items": 1,
        "kraftpy.offset": 0,
        "kraftpy.leader_epoch": 3,
    }
    assert (span.kind, span.status.is_ok) == (trace.SpanKind.SERVER, True)


@pytest.mark.parametrize("parent", ["", "x" * 4_000, PARENT.replace("00-", "ff-", 1), f"00-{'0' * 32}-{SPAN}-01"])
async def test_a_malformed_context_is_ignored(parent, kept):
    """The call is done, in a trace of its own; in metadata and in a session alike."""
    async with traced_server(kept) as (_, channel):
        await call(channel, "DescribeFeatures")(UNARY["DescribeFeatures"], metadata=(("traceparent", parent),))
        request = session_pb2.Request(id=1, traceparent=parent, describe_features=UNARY["DescribeFeatures"])
        await in_session(channel, request)
        await spans_of(kept, 2)
    assert [span.parent for span in kept.spans] == [None, None]
    assert len({span.context.trace_id for span in kept.spans}) == 2


async def in_session(channel, *requests):
    stream = call(channel, "Session")()
    await stream.write(session_pb2.RequestBatch(requests=requests))
    found = []
    async with asyncio.timeout(PATIENCE):
        while len(found) < len(requests):
            found += (await stream.read()).responses
    stream.cancel()
    return found


async def test_a_refused_call_has_the_error_s_name_and_code_and_not_its_text(kept):
    backend = FakeBackend()
    backend.error = ApiError(ErrorCode.INVALID_CONFIG, f"the password {SECRET} is too short")
    async with traced_server(kept, backend) as (_, channel):
        with pytest.raises(grpc.aio.AioRpcError):
            await call(channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE)
        await in_session(channel, session_pb2.Request(id=1, create_topics=WRITES["CreateTopics"]))
        await spans_of(kept, 4)
    unary, of_session = [span for span in kept.spans if span.name == "CreateTopics"]
    for span in (unary, of_session):
        assert span.status.status_code is trace.StatusCode.ERROR
        assert (span.attributes["error.type"], span.attributes["kraftpy.error_code"]) == ("INVALID_CONFIG", 40)
        assert not span.status.description
    assert all(SECRET not in span.to_json() for span in kept.spans)


async def test_no_value_is_in_a_span(kept):
    """Every write, with whatever a client put into it."""
    async with traced_server(kept) as (_, channel):
        value = admin_pb2.ConfigAlteration(name=SECRET, op=0, value=SECRET)
        request = admin_pb2.IncrementalAlterConfigsRequest()
        request.resources.add(alterations=[value]).resource.name = SECRET
        await call(channel, "IncrementalAlterConfigs")(request, timeout=PATIENCE)
        await in_session(channel, session_pb2.Request(id=1, incremental_alter_configs=request))
        await spans_of(kept, 4)
    assert all(SECRET not in span.to_json() for span in kept.spans)


async def test_a_call_whose_client_leaves_ends_its_span(kept):
    backend = FakeBackend()
    backend.gate.clear()
    async with traced_server(kept, backend) as (_, channel):
        asking = call(channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE)
        session = call(channel, "Session")()
        await session.write(
            session_pb2.RequestBatch(requests=[session_pb2.Request(id=1, delete_topics=WRITES["DeleteTopics"])])
        )
        await until(lambda: backend.under_way == 2)
        asking.cancel()
        session.cancel()
        await spans_of(kept, 4)
    for name in ("CreateTopics", "DeleteTopics"):
        assert kept.named(name).attributes["error.type"] == "CANCELLED"


async def test_a_sampled_out_call_is_not_recorded(kept):
    """The client decides, as parent-based sampling has it; its calls go on."""
    async with traced_server(kept) as (_, channel):
        unsampled = PARENT.removesuffix("01") + "00"
        await call(channel, "DescribeFeatures")(UNARY["DescribeFeatures"], metadata=(("traceparent", unsampled),))
        await call(channel, "CreateTopics")(WRITES["CreateTopics"], metadata=(("traceparent", unsampled),))
        await call(channel, "DescribeCluster")(UNARY["DescribeCluster"], metadata=(("traceparent", PARENT),))
        await spans_of(kept, 1)
    assert [span.name for span in kept.spans] == ["DescribeCluster"]


async def test_an_id_that_a_client_uses_twice_keeps_no_span(kept, monkeypatch):
    opened = []
    start = session_module.RequestSpans.start
    monkeypatch.setattr(
        session_module.RequestSpans, "start", lambda self, request: opened.append(self) or start(self, request)
    )
    async with traced_server(kept) as (_, channel):
        twice = [session_pb2.Request(id=1, describe_features=UNARY["DescribeFeatures"])] * 2
        await in_session(channel, *twice, session_pb2.Request(id=2))
        await spans_of(kept, 2)
    assert [span.name for span in kept.spans] == ["DescribeFeatures"] * 2
    assert opened[0]._spans == {}


# ---------------------------------------------------------------- clients


async def test_a_client_s_call_and_the_node_s_are_one_trace(kept):
    """And it belongs to the span that the program is in; so does that of the client for blocking code."""
    tracer = kept.provider.get_tracer("program")
    async with traced_server(kept) as (server, _):
        async with AsyncClient([f"127.0.0.1:{server.port}"], tracer_provider=kept.provider) as client:
            with tracer.start_as_current_span("program"):
                await client.create_topics([v.NewTopic(name="t", partitions=1)])
            await spans_of(kept, 4)
        assert kept.tree() == [("program", [("CreateTopics", [("CreateTopics", ["decide"])])])]
        asked = kept.named("CreateTopics", "CLIENT")
        assert {name: asked.attributes[name] for name in ("kraftpy.items", "kraftpy.attempts", "kraftpy.offset")} == {
            "kraftpy.items": 1,
            "kraftpy.attempts": 1,
            "kraftpy.offset": 0,
        }
        kept.memory.clear()

        def blocking():
            with (
                Client([f"127.0.0.1:{server.port}"], tracer_provider=kept.provider) as client,
                tracer.start_as_current_span("program"),
            ):
                client.describe_features()

        await asyncio.to_thread(blocking)
        await spans_of(kept, 3)
    assert kept.tree() == [("program", [("DescribeFeatures", ["DescribeFeatures"])])]


async def test_a_client_counts_attempts_and_names_its_failure(kept):
    backend = FakeBackend()
    backend.errors = [ApiError(ErrorCode.NOT_CONTROLLER, "not me"), ApiError(ErrorCode.INVALID_REQUEST, SECRET)]
    async with traced_server(kept, backend) as (server, _):
        backend.leader = LeaderHint(1, 3, Endpoint("API", "127.0.0.1", server.port))
        async with AsyncClient([f"127.0.0.1:{server.port}"], tracer_provider=kept.provider) as client:
            with pytest.raises(ApiError):
                await client.create_topics([v.NewTopic(name="t", partitions=1)])
        await spans_of(kept, 5)
    asked = kept.named("CreateTopics", "CLIENT")
    assert (asked.attributes["kraftpy.attempts"], asked.attributes["error.type"]) == (2, "INVALID_REQUEST")
    assert SECRET not in asked.to_json()
    served = [span for span in kept.spans if span.kind is trace.SpanKind.SERVER]
    assert {span.parent.span_id for span in served} == {asked.context.span_id}
    assert [span.attributes["error.type"] for span in served] == ["NOT_CONTROLLER", "INVALID_REQUEST"]


async def test_a_client_that_nothing_traces_sends_no_context(monkeypatch):
    """Neither without a provider in a program that did not import OpenTelemetry, nor with one that records nothing."""
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")
    assert client_tracing(None) is None
    monkeypatch.undo()
    tracing = client_tracing(trace.NoOpTracerProvider())
    span = tracing.start("CreateTopics", adapter.SpanKind.CLIENT)
    assert (span.context, span.is_recorded) == (None, False)


def test_every_api_has_one_name_on_both_ways():
    fields = session_pb2.Request.DESCRIPTOR.oneofs_by_name["call"].fields
    assert {api_name(field.name) for field in fields} <= UNARY.keys()


# ---------------------------------------------------------------- forwarding


async def test_a_forwarded_call_is_one_trace():
    """The leader's part belongs to the call at the node that the client asked."""
    kept, leader, follower = Collected(), FakeBackend(), FakeBackend()
    leader.leader = LeaderHint(1, 3, None, 0)
    async with traced_server(kept, leader) as (served, _):
        follower.leader = LeaderHint(1, 3, Endpoint("API", "127.0.0.1", served.port))
        async with traced_server(kept, follower, leader_calls=LeaderConnection(Access)) as (_, channel):
            await call(channel, "CreateTopics")(WRITES["CreateTopics"], timeout=PATIENCE)
            await spans_of(kept, 3)
    assert kept.tree() == [("CreateTopics", [("Forward", ["decide"])])]


async def test_without_tracing_no_span_is_made(kept):
    async with serving(FakeBackend()) as server, grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        await call(channel, "CreateTopics")(WRITES["CreateTopics"], metadata=(("traceparent", PARENT),))
    assert kept.spans == []
