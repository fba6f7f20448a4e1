"""What a node answers over gRPC: how often, with which status, and how long it took, by method.

Labels are bounded: methods are those that the port offers, statuses those of gRPC. A call that streams counts when it
ends, and its time is not measured: it ends when its client wishes.
"""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from kraftpy.node.metric_families import buckets
from kraftpy.runtime.durations import DurationCounts


class CallMetrics(Collector):
    """The figures of the gRPC port of one node since its start."""

    def __init__(self) -> None:
        self._times: dict[str, DurationCounts] = {}
        self._ended: dict[tuple[str, str], int] = {}

    def ended(self, method: str, status: str, took_s: float | None) -> None:
        """Count a call that ended.

        Args:
            method: as in ``ClusterService.DescribeCluster``.
            status: the name of its gRPC status.
            took_s: from when its request was there until its answer was encoded; ``None`` for one that streams.
        """
        kind = (method, status)
        self._ended[kind] = self._ended.get(kind, 0) + 1
        if took_s is not None:
            times = self._times.get(method)
            if times is None:
                times = self._times[method] = DurationCounts()
            times.add(int(took_s * 1_000))

    def collect(self) -> Iterable[Metric]:
        """Show the figures."""
        ended = CounterMetricFamily("kraft_grpc_calls", "Calls over gRPC that ended", labels=["method", "status"])
        for (method, status), count in sorted(self._ended.items()):
            ended.add_metric([method, status], count)
        times = HistogramMetricFamily(
            "kraft_grpc_call_time_ms", "From a call's request to its encoded answer, in ms", labels=["method"]
        )
        for method, durations in sorted(self._times.items()):
            times.add_metric([method], buckets(durations), durations.sum_ms)
        return ended, times
