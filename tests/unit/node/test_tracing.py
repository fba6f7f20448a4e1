"""How a node sets up the export of spans, and that a collector costs it nothing."""

from __future__ import annotations

import asyncio
import builtins
import threading

import pytest
from structlog.testing import capture_logs

from kraftpy.model.errors import ConfigError
from kraftpy.node import tracing
from kraftpy.node.tracing import CLOSE_MAX_S, SpanCounts, open_tracing, reporting
from kraftpy.tracing.spans import SpanKind
from tests.unit.tracing.collected import REASON

export = pytest.importorskip("opentelemetry.sdk.trace.export", reason=REASON)
pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason=REASON)
UNREACHABLE = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """The SDK reads the process's own environment."""
    for name, value in UNREACHABLE.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("variables", "reason"),
    [({"OTEL_SDK_DISABLED": "TRUE"}, "OTEL_SDK_DISABLED=true"), ({"OTEL_TRACES_EXPORTER": "none"}, "EXPORTER=none")],
)
def test_the_environment_may_turn_it_off(variables, reason):
    with capture_logs() as logs:
        assert open_tracing(1, variables) is None
    assert [(line["event"], reason in line["reason"]) for line in logs] == [("tracing_off", True)]


@pytest.mark.parametrize(
    ("variables", "text"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER='zipkin' is not supported; allowed: otlp, none"),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL='grpc' is not supported"),
        ({"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"}, "allowed: http/protobuf"),
    ],
)
def test_what_is_not_supported_prevents_the_start(variables, text):
    with pytest.raises(ConfigError, match=r"tracing\.enable=true") as raised:
        open_tracing(1, variables)
    assert text in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("OTEL_BSP_MAX_QUEUE_SIZE", "-1", "max_queue_size must be a positive integer"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://[bad", "Invalid IPv6 URL"),
    ],
)
def test_what_the_sdk_refuses_prevents_the_start_in_one_line(name, value, text, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match=r"tracing\.enable=true.* OTEL_\* ") as raised:
        open_tracing(1, {**UNREACHABLE, name: value})
    assert text in str(raised.value)


def test_without_the_extra_the_start_is_refused_with_the_way_out(monkeypatch):
    imported = builtins.__import__

    def absent(name, *rest):
        if name.startswith("opentelemetry"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ConfigError, match=r"pip install 'kraftpy\[otel\]'"):
        open_tracing(1, {})


@pytest.mark.parametrize(
    ("variables", "name"),
    [({}, "kraftpy"), ({"OTEL_SERVICE_NAME": "meta"}, "meta"), ({"OTEL_RESOURCE_ATTRIBUTES": "service.name=a"}, "a")],
)
async def test_spans_name_the_service_and_the_node(variables, name, monkeypatch):
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    with capture_logs() as logs:
        opened = open_tracing(
            7, {**UNREACHABLE, **variables, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://u:pw@h:9/v1?k=pw"}
        )
    assert [(line["event"], line["collector"]) for line in logs] == [("tracing_on", "http://h:9")]
    facts = opened._provider.resource.attributes
    assert (facts["service.name"], facts["service.instance.id"]) == (name, "7")
    await opened.close()


async def test_a_collector_that_is_gone_stops_neither_calls_nor_the_end(monkeypatch):
    """Spans beyond the queue are dropped; the end waits a bounded time, and says how many were lost."""
    monkeypatch.setattr(tracing, "CLOSE_MAX_S", 0.05)
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "16")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8")
    hangs = threading.Event()

    class Hanging(export.SpanExporter):
        def export(self, spans):
            hangs.wait()
            return export.SpanExportResult.SUCCESS

        def shutdown(self):
            pass

    monkeypatch.setattr(tracing, "reporting", lambda _exporter, _counts: Hanging())
    opened = open_tracing(1, UNREACHABLE)
    for _ in range(1_000):
        opened.tracing.start("CreateTopics", SpanKind.SERVER).end()
    with capture_logs() as logs:
        await opened.close()
    assert [(line["event"], line["spans_since_start"]) for line in logs] == [("traces_dropped", 1_000)]
    assert "within 0.05 s" in logs[0]["reason"]
    hangs.set()
    await asyncio.to_thread(opened._provider.shutdown)


def test_exports_that_fail_have_one_line_until_they_succeed():
    results = [False, False, True, True, False]

    class Sometimes(export.SpanExporter):
        def export(self, spans):
            return export.SpanExportResult.SUCCESS if results.pop(0) else export.SpanExportResult.FAILURE

        def shutdown(self):
            pass

    reported = reporting(Sometimes(), SpanCounts())
    with capture_logs() as logs:
        for _ in range(len(results)):
            reported.export(())
    assert [line["event"] for line in logs] == ["traces_not_exported", "traces_exported_again", "traces_not_exported"]


async def test_a_node_whose_collector_is_not_there_stops_soon(monkeypatch):
    """The SDK would try for 10 s; the node asks for half a second, and states what was dropped. Nothing is faked."""
    asked = []
    waits = asyncio.timeout

    def timeout(seconds):
        asked.append(seconds)
        return waits(seconds)

    opened = open_tracing(1, UNREACHABLE)
    opened.tracing.start("CreateTopics", SpanKind.SERVER).end()
    monkeypatch.setattr(asyncio, "timeout", timeout)
    with capture_logs() as logs:
        await opened.close()
    assert asked == [CLOSE_MAX_S]
    assert CLOSE_MAX_S <= 0.5
    assert [line["spans_since_start"] for line in logs if line["event"] == "traces_dropped"] == [1]


async def test_what_a_collector_took_is_not_lost(monkeypatch):
    """Its node stops without a word; spans that the sampler leaves out are none."""

    class Taking(export.SpanExporter):
        def export(self, spans):
            return export.SpanExportResult.SUCCESS

        def shutdown(self):
            pass

    for sampler in ("always_on", "always_off"):
        monkeypatch.setenv("OTEL_TRACES_SAMPLER", sampler)
        monkeypatch.setattr(tracing, "reporting", lambda _exporter, counts: reporting(Taking(), counts))
        opened = open_tracing(1, UNREACHABLE)
        opened.tracing.start("CreateTopics", SpanKind.SERVER).end()
        with capture_logs() as logs:
            await opened.close()
        assert logs == []
