"""Real nodes and a client export to a collector: the spans of one call, at three processes, are one trace."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import grpc
import pytest

from kraftpy.client import AsyncClient
from kraftpy.pb.v1 import admin_pb2
from tests.fakes.processes import STEADY, eventually, group, running
from tests.integration.test_forwarding import QUOTA, asked, ready
from tests.unit.tracing.collected import REASON, Collected

collector = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2", reason=REASON)
pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason=REASON)


class Collector:
    """A receiver of OTLP over HTTP.

    Attributes:
        spans: (service instance, span) in the order in which they came.
    """

    def __init__(self) -> None:
        self.spans: list[tuple[str, object]] = []
        self.port = 0

    def took(self, body: bytes) -> None:
        request = collector.ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            facts = {one.key: one.value.string_value for one in resource.resource.attributes}
            assert facts["service.name"] == "kraftpy-test"
            self.spans += [
                (facts["service.instance.id"], span) for scope in resource.scope_spans for span in scope.spans
            ]

    def trace(self, trace_id: int) -> list[tuple[str, object]]:
        wanted = trace_id.to_bytes(16, "big")
        return [(node, span) for node, span in self.spans if span.trace_id == wanted]


@contextmanager
def collecting() -> Iterator[Collector]:
    collected = Collector()

    class Receive(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            collected.took(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receive)
    collected.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collected
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def test_the_spans_of_a_call_are_one_trace(tmp_path, monkeypatch) -> None:
    """From the client over commit to publish, by its session with the leader; and forwarded by a follower."""
    with collecting() as collected:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collected.port}")
        monkeypatch.setenv("OTEL_SERVICE_NAME", "kraftpy-test")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        async with running(tmp_path, extra=STEADY | {"tracing.enable": "true"}) as cluster:
            leader, (follower, _) = await ready(cluster)
            own = Collected()
            addresses = [cluster.node(leader).grpc_endpoint]
            async with AsyncClient(addresses, tracer_provider=own.provider) as client:
                changed = await client.incremental_alter_configs(group("secret-name", "45987"))
            asked_by = own.named("IncrementalAlterConfigs", "CLIENT")

            found = await arrived(collected, asked_by.context.trace_id, 4)
            served = next(span for _, span in found if span.name == asked_by.name)
            assert served.parent_span_id == asked_by.context.span_id.to_bytes(8, "big")
            assert {node for node, _ in found} == {str(leader)}
            assert check_parts(found, served) == changed.position.offset
            sent = b"".join(span.SerializeToString() for _, span in found)
            assert b"secret-name" not in sent
            assert b"45987" not in sent

            trace_id = 0x0AF7651916CD43DD8448EB211C80319C
            async with grpc.aio.insecure_channel(cluster.node(follower).grpc_endpoint) as channel:
                metadata = (("traceparent", f"00-{trace_id:032x}-b7ad6b7169203331-01"),)
                await asked(channel, admin_pb2, "AdminService", "AlterClientQuotas", QUOTA, metadata=metadata)
            found = await arrived(collected, trace_id, 5)
            by_name = {span.name: (node, span) for node, span in found}
            (at, outer), (by, inner) = by_name["AlterClientQuotas"], by_name["Forward"]
            assert (at, by, inner.parent_span_id) == (str(follower), str(leader), outer.span_id)
            check_parts(found, inner)
            assert await cluster.terminate(leader) == 0


def check_parts(found, served) -> int:
    """The parts of a write are one after another, below the node's span; return its offset."""
    parts = {span.name: span for _, span in found if span.parent_span_id == served.span_id}
    assert list(parts) == ["decide", "commit", "publish"]
    ends = [(span.start_time_unix_nano, span.end_time_unix_nano) for span in parts.values()]
    assert [start for start, _ in ends[1:]] == [end for _, end in ends[:-1]]
    assert served.start_time_unix_nano <= ends[0][0] <= ends[-1][1] <= served.end_time_unix_nano
    return next(one.value.int_value for one in parts["commit"].attributes if one.key == "kraftpy.offset")


async def arrived(collected: Collector, trace_id: int, count: int):
    async def looked():
        return collected.trace(trace_id)

    found = await eventually(looked, lambda spans: len(spans) >= count, "the spans of the trace are exported")
    assert len(found) == count
    return found


@pytest.mark.landing
async def test_a_collector_that_is_not_there_stops_nothing(tmp_path, monkeypatch) -> None:
    """Writes are committed, and the node stops when it is asked to; it says how many spans were lost with it."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    async with running(tmp_path, controllers=1, extra={"tracing.enable": "true"}) as cluster:
        node_id = await cluster.leader()
        async with cluster.client() as client:
            for number in range(50):
                await client.incremental_alter_configs(group("g", str(number)))
        await cluster.states(node_id, "traces_not_exported")
        assert await asyncio.wait_for(cluster.terminate(node_id), 30) == 0
        await cluster.states(node_id, "traces_dropped")
