"""Requests over Kafka's protocol and calls over gRPC are counted by kind and outcome, with the time that they took."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, generate_latest

from kraftpy.model.errors import ErrorCode
from kraftpy.node.call_metrics import CallMetrics
from kraftpy.node.request_metrics import RequestMetrics

FETCH, VOTE = 1, 52


def page_of(metrics):
    registry = CollectorRegistry()
    registry.register(metrics)
    return generate_latest(registry).decode()


def test_answers_are_counted_by_request_and_error():
    """A code that the protocol does not name is not a label of its own."""
    metrics = RequestMetrics()
    metrics.answered(FETCH, 0, 0.25)
    metrics.answered(FETCH, 0, 0.0004)
    metrics.answered(FETCH, ErrorCode.NOT_CONTROLLER, 0.002)
    metrics.answered(VOTE, -77, 0.001)
    metrics.answered(VOTE, -78, 0.001)
    page = page_of(metrics)
    for line in (
        'kraft_requests_total{error="NONE",request="Fetch"} 2.0',
        'kraft_requests_total{error="NOT_CONTROLLER",request="Fetch"} 1.0',
        'kraft_requests_total{error="OTHER",request="Vote"} 2.0',
        'kraft_request_time_ms_bucket{le="2.0",request="Fetch"} 2.0',
        'kraft_request_time_ms_count{request="Fetch"} 3.0',
        'kraft_request_time_ms_sum{request="Fetch"} 252.0',
    ):
        assert line in page, page


def test_calls_are_counted_by_method_and_status():
    """What streams has no time."""
    metrics = CallMetrics()
    metrics.ended("ClusterService.DescribeCluster", "OK", 0.03)
    metrics.ended("ClusterService.DescribeCluster", "UNAVAILABLE", 0.0001)
    metrics.ended("ClusterService.Watch", "CANCELLED", None)
    page = page_of(metrics)
    for line in (
        'kraft_grpc_calls_total{method="ClusterService.DescribeCluster",status="OK"} 1.0',
        'kraft_grpc_calls_total{method="ClusterService.DescribeCluster",status="UNAVAILABLE"} 1.0',
        'kraft_grpc_calls_total{method="ClusterService.Watch",status="CANCELLED"} 1.0',
        'kraft_grpc_call_time_ms_count{method="ClusterService.DescribeCluster"} 2.0',
        'kraft_grpc_call_time_ms_sum{method="ClusterService.DescribeCluster"} 30.0',
    ):
        assert line in page, page
    assert 'kraft_grpc_call_time_ms_count{method="ClusterService.Watch"}' not in page


def test_connections_are_counted_where_there_is_tls():
    """From any thread; zero before the first one, and no number on a plaintext port, where none is counted."""
    metrics, name = CallMetrics(), "kraft_grpc_tls_connections_total"
    assert not [line for line in page_of(metrics).splitlines() if line.startswith(name)]
    metrics.expects_connections()
    assert f"{name} 0.0" in page_of(metrics)
    for _ in range(3):
        metrics.connected()
    assert f"{name} 3.0" in page_of(metrics)
