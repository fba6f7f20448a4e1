"""Spans of OpenTelemetry's API. Importing this module needs the extra ``otel``, or a program that has its own.

Source: OpenTelemetry specification, Trace API; semantic conventions for RPC.
"""

from __future__ import annotations

from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context

from kraftpy.tracing.spans import ERROR, ERROR_CODE, METHOD, SYSTEM, SpanKind
from kraftpy.tracing.trace_context import TraceContext

_KINDS = {SpanKind.CLIENT: trace.SpanKind.CLIENT, SpanKind.SERVER: trace.SpanKind.SERVER}


class OpenTelemetrySpan:
    """A span; see ``Span``."""

    __slots__ = ("_span", "_tracer")

    def __init__(self, tracer: trace.Tracer, span: trace.Span) -> None:
        self._tracer = tracer
        self._span = span

    @property
    def context(self) -> TraceContext | None:
        """What is sent with the calls that it makes."""
        context = self._span.get_span_context()
        if not context.is_valid:
            return None
        state = context.trace_state.to_header() if context.trace_state else ""
        return TraceContext(context.trace_id, context.span_id, context.trace_flags.sampled, state)

    @property
    def is_recorded(self) -> bool:
        """Whether it is recorded, and exported."""
        return self._span.is_recording()

    def set(self, name: str, value: str | int) -> None:
        """Set an attribute."""
        self._span.set_attribute(name, value)

    def fail(self, error: str, code: int | None = None) -> None:
        """Say how it failed."""
        self._span.set_status(trace.StatusCode.ERROR)
        self._span.set_attribute(ERROR, error)
        if code is not None:
            self._span.set_attribute(ERROR_CODE, code)

    def record_part(self, name: str, start_ns: int, end_ns: int, attributes: dict[str, int]) -> None:
        """Record a part of it that is over."""
        parent = trace.set_span_in_context(self._span, Context())
        part = self._tracer.start_span(name, parent, start_time=start_ns, attributes=attributes)
        part.end(max(start_ns, end_ns))  # the wall clock may be set back

    def end(self) -> None:
        """End it now."""
        self._span.end()


class OpenTelemetryTracing:
    """Makes spans; see ``Tracing``.

    Args:
        provider: of tracers; the global one by default.
    """

    def __init__(self, provider: trace.TracerProvider | None) -> None:
        self._tracer = trace.get_tracer("kraftpy", tracer_provider=provider)

    def start(self, name: str, kind: SpanKind, parent: TraceContext | None = None) -> OpenTelemetrySpan:
        """Begin a span."""
        attributes = {SYSTEM: "grpc", METHOD: name}
        span = self._tracer.start_span(name, _context(kind, parent), kind=_KINDS[kind], attributes=attributes)
        return OpenTelemetrySpan(self._tracer, span)


def _context(kind: SpanKind, parent: TraceContext | None) -> Any:
    """Return the context to which a span belongs; ``None`` for the program's current one."""
    if parent is None:
        return None if kind is SpanKind.CLIENT else Context()
    flags = trace.TraceFlags(trace.TraceFlags.SAMPLED if parent.is_sampled else trace.TraceFlags.DEFAULT)
    state = trace.TraceState.from_header([parent.state]) if parent.state else None
    remote = trace.SpanContext(parent.trace_id, parent.span_id, is_remote=True, trace_flags=flags, trace_state=state)
    return trace.set_span_in_context(trace.NonRecordingSpan(remote), Context())
