"""Metrics of a controller, and of the brokers that it knows; docs/metrics.md has each one's counterpart in Kafka.

Source: Kafka ``QuorumControllerMetrics``, ``ControllerMetadataMetrics``, ``BrokerRegistrationState``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client.core import HistogramMetricFamily, Metric

from kraftpy.image import MetadataImage
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.model.ids import NodeId
from kraftpy.node.metric_families import buckets_in_seconds, counter, gauge, gauges, histogram
from kraftpy.runtime.controller_figures import ControllerFigures
from kraftpy.runtime.failover_phases import FailoverPhases

FENCED: Final = 10
CONTROLLED_SHUTDOWN: Final = 20
ACTIVE: Final = 30
REGISTRATION_STATES: Final = {FENCED: "fenced", CONTROLLED_SHUTDOWN: "controlled_shutdown", ACTIVE: "active"}
"""Kafka's numbers for the states of a registered broker, and our words."""


def figures_metrics(figures: ControllerFigures, silences_ms: Mapping[NodeId, int]) -> Iterable[Metric]:
    """Read what a controller measured.

    Args:
        figures: the controller's.
        silences_ms: the time since the last heartbeat of each broker, if this controller is active.
    """
    yield histogram(
        "kraft_event_queue_time_ms", "How long writes waited for the controller, in ms", figures.queue_times
    )
    yield histogram(
        "kraft_event_queue_processing_time_ms", "Time to decide and append an operation, in ms",
        figures.processing_times,
    )  # fmt: skip
    yield histogram(
        "kraft_commit_latency_ms", "How long writes took from their decision to their answer, in ms",
        figures.commit_latencies,
    )  # fmt: skip
    yield counter(
        "kraft_event_queue_operations_started", "Writes and own decisions of the controller that were begun",
        figures.operations_started,
    )  # fmt: skip
    yield counter(
        "kraft_event_queue_operations_timed_out", "Writes that timed out before they were begun", figures.timed_out
    )
    yield counter(
        "kraft_timed_out_broker_heartbeats", "Heartbeats of brokers that timed out before they were begun",
        figures.timed_out_heartbeats,
    )  # fmt: skip
    yield gauges(
        "kraft_time_since_last_heartbeat_received_ms",
        "Time since the last heartbeat of a broker, on the active controller",
        "broker", {str(broker): silence_ms for broker, silence_ms in sorted(silences_ms.items())},
    )  # fmt: skip


def failover_metric(failovers: FailoverPhases) -> Metric:
    """Read how long the parts of this controller's failovers took."""
    family = HistogramMetricFamily(
        "kraftpy_failover_phase_seconds", "Parts of the failovers to this controller, in s", labels=["phase"]
    )
    for phase, durations in failovers.times.items():
        family.add_metric([phase.value], buckets_in_seconds(durations), durations.sum_ms / 1_000)
    return family


def broker_metrics(image: MetadataImage) -> Iterable[Metric]:
    """Count the brokers of an image by their states, and show each one's."""
    found = {broker: state_of(registration) for broker, registration in sorted(image.cluster.brokers.items())}
    counts = dict.fromkeys(REGISTRATION_STATES, 0)
    for state in found.values():
        counts[state] += 1
    yield gauges(
        "kraft_brokers", "Registered brokers", "state", {REGISTRATION_STATES[one]: counts[one] for one in counts}
    )
    yield gauges(
        "kraft_broker_registration_state", "10 fenced, 20 in controlled shutdown, 30 active", "broker",
        {str(broker): state for broker, state in found.items()},
    )  # fmt: skip


def record_metrics(image: MetadataImage, high_watermark: int | None, lag_ms: int) -> Iterable[Metric]:
    """Show how far an image is in the log.

    The age of its last record is no lag: an idle log has no new records.

    Args:
        image: that was published.
        high_watermark: the end of what is committed.
        lag_ms: for how long the image may be behind it.
    """
    provenance = image.provenance
    yield gauge("kraft_last_applied_record_offset", "Last offset in the published image", provenance.offset)
    yield gauge(
        "kraft_last_applied_record_timestamp_ms", "When that record was appended, ms since 1970, -1 none",
        provenance.timestamp_ms,
    )  # fmt: skip
    yield gauge(
        "kraft_last_applied_record_lag_ms", "For how long the state may be behind what is committed, in ms", lag_ms
    )
    yield gauge(
        "kraft_last_committed_record_offset", "Offset of the last record that is committed, -1 unknown",
        None if high_watermark is None else high_watermark - 1, unknown=-1,
    )  # fmt: skip


def state_of(broker: BrokerRegistration) -> int:
    """Return Kafka's number for the state of a registered broker."""
    if broker.fenced:
        return FENCED
    return CONTROLLED_SHUTDOWN if broker.in_controlled_shutdown else ACTIVE
