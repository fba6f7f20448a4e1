"""Spans that a test keeps in memory."""

from __future__ import annotations

import pytest

REASON = "OpenTelemetry is not installed: pip install 'kraftpy[otel]'"
sdk = pytest.importorskip("opentelemetry.sdk.trace", reason=REASON)
export = pytest.importorskip("opentelemetry.sdk.trace.export", reason=REASON)
memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter", reason=REASON)


class Collected:
    """A provider, and the spans of it that are over."""

    def __init__(self, sampler=None):
        self.memory = memory.InMemorySpanExporter()
        self.provider = sdk.TracerProvider(sampler=sampler, shutdown_on_exit=False)
        self.provider.add_span_processor(export.SimpleSpanProcessor(self.memory))

    @property
    def spans(self):
        return list(self.memory.get_finished_spans())

    def named(self, name, kind=None):
        (span,) = [one for one in self.spans if one.name == name and kind in {None, one.kind.name}]
        return span

    def tree(self):
        """The names of all spans, each below its parent's."""
        below = {}
        for one in sorted(self.spans, key=lambda one: one.start_time):
            below.setdefault(one.parent.span_id if one.parent else None, []).append(one)

        def names(parent):
            return [(one.name, names(one.context.span_id)) if one.context.span_id in below else one.name
                    for one in below.get(parent, [])]  # fmt: skip

        known = {one.context.span_id for one in self.spans}
        roots = [parent for parent in below if parent not in known]
        return [name for root in roots for name in names(root)]
