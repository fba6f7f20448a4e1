"""Traces: spans from a client's call to the publication of what it wrote.

Purpose: what clients and nodes need to make spans, and to hand the context of a trace on (W3C ``traceparent``).
Must not depend on: anything else of kraftpy. OpenTelemetry is imported by ``opentelemetry_spans`` alone, and that by
those who found tracing turned on: without it there is no span, and a call costs one comparison with ``None``.

Reading order: ``trace_context`` (what comes over the wire), ``spans`` (the port), ``messages`` (what is said of them),
``write_trace`` (the parts of a write), ``opentelemetry_spans`` (the adapter).
"""
