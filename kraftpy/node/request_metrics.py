"""What a node answers over Kafka's protocol: how often, with which error, and how long it took, by kind of request.

Labels are bounded: requests are those that listeners offer, errors those of the protocol.

Source: Kafka ``RequestMetrics``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from kraftpy.model.errors import ErrorCode
from kraftpy.node.metric_families import buckets
from kraftpy.records.rpc import API_VERSIONS
from kraftpy.runtime.durations import DurationCounts

OTHER: Final = "OTHER"
"""An error code that the protocol does not name."""

_NAMES: Final[Mapping[int, str]] = {code.value: code.name for code in ErrorCode}


class RequestMetrics(Collector):
    """The figures of all listeners of one node since its start."""

    def __init__(self) -> None:
        self._times: dict[int, DurationCounts] = {}
        self._answers: dict[tuple[int, str], int] = {}

    def answered(self, api_key: int, error_code: int, took_s: float) -> None:
        """Count an answer.

        Args:
            api_key: of a request that a listener offers.
            error_code: of the answer itself; 0 where each of its items has one.
            took_s: from when the request was decoded until its answer was encoded, waiting included.
        """
        times = self._times.get(api_key)
        if times is None:
            times = self._times[api_key] = DurationCounts()
        times.add(int(took_s * 1_000))
        kind = (api_key, _NAMES.get(error_code, OTHER))
        self._answers[kind] = self._answers.get(kind, 0) + 1

    def collect(self) -> Iterable[Metric]:
        """Show the figures."""
        answers = CounterMetricFamily(
            "kraft_requests", "Requests over Kafka's protocol that were answered", labels=["request", "error"]
        )
        for (api_key, error), count in sorted(self._answers.items()):
            answers.add_metric([API_VERSIONS[api_key].name, error], count)
        times = HistogramMetricFamily(
            "kraft_request_time_ms", "From a request's decoding to its encoded answer, in ms", labels=["request"]
        )
        for api_key, durations in sorted(self._times.items()):
            times.add_metric([API_VERSIONS[api_key].name], buckets(durations), durations.sum_ms)
        return answers, times
