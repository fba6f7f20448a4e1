"""Metrics of a node's limits: of each how much is in use, how much there is, and how often it was met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kraftpy.transport.limits import LimitUse

LABELS = ("limit", "listener")


class LimitMetrics(Collector):
    """Asks for the limits whenever Prometheus does.

    Args:
        uses: returns the limits of each listener by its name; those of the whole node under the empty name.
    """

    def __init__(self, uses: Callable[[], Mapping[str, Iterable[LimitUse]]]) -> None:
        self._uses = uses

    def collect(self) -> Iterable[Metric]:
        """Read the limits."""
        used = GaugeMetricFamily("kraftpy_limit_used", "How much of a limit is in use", labels=LABELS)
        most = GaugeMetricFamily("kraftpy_limit", "How much a limit allows", labels=LABELS)
        refused = CounterMetricFamily(
            "kraftpy_limit_refused", "Connections closed, and requests refused or dropped, because of a limit",
            labels=LABELS,
        )  # fmt: skip
        for listener, uses in self._uses().items():
            for use in uses:
                labels = (use.limit, listener)
                used.add_metric(labels, use.used)
                most.add_metric(labels, use.most)
                refused.add_metric(labels, use.refused)
        return used, most, refused
