"""Metrics of the process: the standard ones of every Prometheus client, which kraftpy runs, and how late its loop is.

Processor, memory, descriptors and start time are read from ``/proc``, so only Linux has them. Garbage collections stop
the whole process, and so does every callback of the event loop that takes long: heartbeats wait, and a leader may lose
its leadership for it.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

import kraftpy
from kraftpy.node.build_info import compiled_modules
from kraftpy.node.metric_families import histogram
from kraftpy.runtime.durations import DurationCounts


class ProcessMetrics(Collector):
    """Registers the standard collectors with a node's registry, and adds what they lack.

    Attributes:
        loop_lags: how late the event loop was, each time that it was measured.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self.loop_lags = DurationCounts()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        registry.register(self)

    def count_loop_lag(self, late_s: float) -> None:
        """Count how long after its time (s) a callback of the event loop ran."""
        self.loop_lags.add(max(0, int(late_s * 1_000)))

    def collect(self) -> Iterable[Metric]:
        """Name the build, and show the event loop's lags."""
        labels = ["version", "commit", "compiled", "python"]
        family = GaugeMetricFamily("kraft_build_info", "What runs; always 1", labels=labels)
        family.add_metric(_build(), 1)
        yield family
        yield histogram("kraft_event_loop_lag_ms", "How late the event loop ran a callback, in ms", self.loop_lags)


@cache
def _build() -> tuple[str, str, str, str]:
    """Return version, commit, whether modules are compiled, and Python's version."""
    return kraftpy.__version__, kraftpy.__commit__, "yes" if compiled_modules() else "no", platform.python_version()
