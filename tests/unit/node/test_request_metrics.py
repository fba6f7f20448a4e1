"""Answers over Kafka's protocol are counted by the kind of request and the error, with the time that they took."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, generate_latest

from kraftpy.model.errors import ErrorCode
from kraftpy.node.request_metrics import RequestMetrics

FETCH, VOTE = 1, 52


def test_answers_are_counted_by_request_and_error():
    """A code that the protocol does not name is not a label of its own."""
    metrics = RequestMetrics()
    metrics.answered(FETCH, 0, 0.25)
    metrics.answered(FETCH, 0, 0.0004)
    metrics.answered(FETCH, ErrorCode.NOT_CONTROLLER, 0.002)
    metrics.answered(VOTE, -77, 0.001)
    metrics.answered(VOTE, -78, 0.001)
    registry = CollectorRegistry()
    registry.register(metrics)
    page = generate_latest(registry).decode()
    for line in (
        'kraft_requests_total{error="NONE",request="Fetch"} 2.0',
        'kraft_requests_total{error="NOT_CONTROLLER",request="Fetch"} 1.0',
        'kraft_requests_total{error="OTHER",request="Vote"} 2.0',
        'kraft_request_time_ms_bucket{le="2.0",request="Fetch"} 2.0',
        'kraft_request_time_ms_count{request="Fetch"} 3.0',
        'kraft_request_time_ms_sum{request="Fetch"} 252.0',
    ):
        assert line in page, page
