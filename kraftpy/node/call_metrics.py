"""What a node answers over gRPC: how often, with which status, and how long it took, by method.

Labels are bounded: methods are those that the port offers, statuses those of gRPC. A call that streams counts when it
ends, and its time is not measured: it ends when its client wishes.

With TLS, connections are counted before their handshake. gRPC reports neither how a handshake ended nor a connection
that is no HTTP/2, so a port scan, or a client with a wrong certificate, shows here alone.
"""

from __future__ import annotations

import threading
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
        self._lock = threading.Lock()
        self._connections: int | None = None

    def expects_connections(self) -> None:
        """Show the number of connections, which is counted from now on."""
        self._connections = 0

    def connected(self) -> None:
        """Count a connection that begins its TLS handshake; any thread may do so."""
        with self._lock:
            self._connections = (self._connections or 0) + 1

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
        connections = CounterMetricFamily(
            "kraft_grpc_tls_connections", "Connections to the gRPC port that were to begin a TLS handshake",
            value=self._connections,
        )  # fmt: skip
        return ended, times, connections
