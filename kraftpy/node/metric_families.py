"""Families of metrics in the shapes that a node's metrics have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from kraftpy.runtime.durations import BOUNDS_MS, DurationCounts

_BUCKETS: Final = (*(f"{bound}.0" for bound in BOUNDS_MS), "+Inf")
_BUCKETS_S: Final = (*(str(bound / 1_000) for bound in BOUNDS_MS), "+Inf")


def gauge(name: str, text: str, value: int | None, *, unknown: int = 0) -> GaugeMetricFamily:
    """Return a gauge without labels."""
    return GaugeMetricFamily(name, text, value=unknown if value is None else value)


def gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Return a gauge with one label, by the label's values; without any, only the family is named."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for of, value in values.items():
        family.add_metric([of], value)
    return family


def states(name: str, text: str, possible: Iterable[object], current: object) -> GaugeMetricFamily:
    """Return a gauge for each possible state, which is 1 for the current one and 0 for the others."""
    return gauges(name, text, "state", {_word(state): int(state is current) for state in possible})


def counter(name: str, text: str, value: int) -> CounterMetricFamily:
    """Return a counter without labels; its samples' name ends in ``_total``."""
    return CounterMetricFamily(name, text, value=value)


def histogram(name: str, text: str, durations: DurationCounts) -> HistogramMetricFamily:
    """Return a histogram of durations in ms."""
    return HistogramMetricFamily(name, text, buckets=buckets(durations), sum_value=durations.sum_ms)


def buckets(durations: DurationCounts) -> list[tuple[str, float]]:
    """Return a histogram's buckets: the upper bound of each, and how many durations are at most that."""
    return [(bound, float(count)) for bound, count in zip(_BUCKETS, durations.cumulative, strict=True)]


def buckets_in_seconds(durations: DurationCounts) -> list[tuple[str, float]]:
    """Return the buckets of a histogram whose unit is the second, as :func:`buckets` does."""
    return [(bound, float(count)) for bound, count in zip(_BUCKETS_S, durations.cumulative, strict=True)]


def _word(state: object) -> str:
    return str(getattr(state, "name", state)).lower()
