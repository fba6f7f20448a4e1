"""Export the spans of a node: OpenTelemetry's SDK, set up by ``tracing.enable`` and the standard OTEL_* variables.

The SDK keeps a bounded queue of spans and exports from a thread of its own; what does not fit is dropped. So a
collector that is slow or gone costs spans, and nothing else: it delays no call, and not the start or the end of a node.

Source: OpenTelemetry specification, SDK environment variables, Batch processor.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import structlog

from kraftpy.model.errors import ConfigError
from kraftpy.node.daemon_threads import in_daemon_thread
from kraftpy.tracing.spans import Tracing

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

_log = structlog.get_logger("kraftpy.tracing")

KEY: Final = "tracing.enable"
CLOSE_MAX_S: Final = 0.5
"""How long a node that stops waits until its last spans are exported; those that are left are lost. A collector takes
a batch in some ms; the SDK tries one that is gone for 10 s, and the restart of a node is not to wait for that."""

PROTOCOL: Final = "http/protobuf"
DEFAULT_ENDPOINT: Final = "http://localhost:4318"
"""Where the exporter sends by default."""


class SpanCounts:
    """How many spans of this node were recorded and ended, and how many of them a collector took.

    They are counted in several threads: one lock for both.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = 0
        self._taken = 0

    def ended(self) -> None:
        """Count a span that is to be exported."""
        with self._lock:
            self._ended += 1

    def taken(self, count: int) -> None:
        """Count spans that a collector took."""
        with self._lock:
            self._taken += count

    @property
    def lost(self) -> int:
        """How many no collector took, so far."""
        with self._lock:
            return self._ended - self._taken


class NodeTracing:
    """The traces of one node.

    Attributes:
        tracing: makes spans.
    """

    def __init__(self, provider: Any, tracing: Tracing, counts: SpanCounts) -> None:
        self._provider = provider
        self._counts = counts
        self.tracing = tracing

    async def close(self) -> None:
        """Export what is left, for a bounded time; state how many spans of this node no collector ever took."""
        reason = "no collector took them, or the queue was full"
        try:
            async with asyncio.timeout(CLOSE_MAX_S):
                await in_daemon_thread(self._provider.shutdown, "tracing")
        except TimeoutError:
            reason = f"no collector took them, or the queue was full; the last ones not within {CLOSE_MAX_S:g} s"
        lost = self._counts.lost
        if lost:
            _log.warning("traces_dropped", reason=reason, spans_since_start=lost)


def open_tracing(node_id: int, environment: Mapping[str, str] = os.environ) -> NodeTracing | None:
    """Begin to export; ``None`` where the environment says not to.

    Raises:
        ConfigError: OpenTelemetry is not installed, or the environment asks for an exporter that is not there, or has a
            variable that OpenTelemetry refuses.
    """
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        _log.info("tracing_off", reason="OTEL_SDK_DISABLED=true")
        return None
    exporter = _read(environment, ("OTEL_TRACES_EXPORTER",), "otlp", ("otlp", "none"))
    if exporter == "none":
        _log.info("tracing_off", reason="OTEL_TRACES_EXPORTER=none")
        return None
    _read(environment, ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"), PROTOCOL, (PROTOCOL,))
    try:
        return _opened(node_id, environment)
    except ImportError as error:
        text = f"{KEY}=true needs OpenTelemetry: pip install 'kraftpy[otel]', or take the key away ({error})"
        raise ConfigError(text) from error
    except ValueError as error:
        # The SDK reads the variables itself; it ignores most that are wrong, and refuses others.
        text = f"{KEY}=true: OpenTelemetry refuses an OTEL_* variable of the environment ({error}); correct or unset it"
        raise ConfigError(text) from error


def _read(environment: Mapping[str, str], names: Sequence[str], default: str, allowed: Sequence[str]) -> str:
    """Return the value of the first variable that is set.

    Raises:
        ConfigError: it is none of those that are allowed.
    """
    for name in names:
        value = environment.get(name, "").strip()
        if value and value not in allowed:
            raise ConfigError(f"{KEY}=true: {name}={value!r} is not supported; allowed: {', '.join(allowed)}")
        if value:
            return value
    return default


def _opened(node_id: int, environment: Mapping[str, str]) -> NodeTracing:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from kraftpy.tracing.opentelemetry_spans import OpenTelemetryTracing

    # Each failed export has a line of the SDK's own, with a traceback; here only changes have one.
    logging.root.getChild("opentelemetry").setLevel(logging.CRITICAL)
    facts: dict[str, Any] = {"service.instance.id": str(node_id)}
    is_named = "service.name=" in environment.get("OTEL_RESOURCE_ATTRIBUTES", "")
    if not environment.get("OTEL_SERVICE_NAME") and not is_named:
        facts["service.name"] = "kraftpy"
    counts = SpanCounts()
    provider = TracerProvider(resource=Resource.create(facts), shutdown_on_exit=False)
    provider.add_span_processor(counting(counts))
    provider.add_span_processor(BatchSpanProcessor(reporting(OTLPSpanExporter(), counts)))
    _log.info("tracing_on", collector=_collector(environment))
    return NodeTracing(provider, OpenTelemetryTracing(provider), counts)


def _collector(environment: Mapping[str, str]) -> str:
    """Return where spans go, without what else a URL may have: a password or a token."""
    names = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    url = next((value for name in names if (value := environment.get(name))), DEFAULT_ENDPOINT)
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def counting(counts: SpanCounts) -> SpanProcessor:
    """Return a processor that counts the spans that the next one is to export."""
    from opentelemetry.sdk.trace import SpanProcessor

    class CountingProcessor(SpanProcessor):
        """Sees each span at its end, before the queue takes it or drops it."""

        def on_end(self, span: ReadableSpan) -> None:
            if span.context is not None and span.context.trace_flags.sampled:
                counts.ended()

    return CountingProcessor()


def reporting(exporter: SpanExporter, counts: SpanCounts) -> SpanExporter:
    """Return an exporter that logs when exports begin to fail, and when they succeed again, and counts them."""
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class ReportingExporter(SpanExporter):
        """Hands spans to another exporter, in the SDK's thread."""

        def __init__(self) -> None:
            self._fails = False

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            result = exporter.export(spans)
            fails = result is not SpanExportResult.SUCCESS
            if not fails:
                counts.taken(len(spans))
            if fails != self._fails:
                self._fails = fails
                if fails:
                    _log.warning("traces_not_exported", reason="the collector does not take them", spans=len(spans))
                else:
                    _log.info("traces_exported_again")
            return result

        def shutdown(self) -> None:
            exporter.shutdown()

        def force_flush(self, timeout_millis: int = 30_000) -> bool:
            return exporter.force_flush(timeout_millis)

    return ReportingExporter()
