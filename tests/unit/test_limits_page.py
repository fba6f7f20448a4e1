"""The page of limits says what the code does: each default, and each metric."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from kraftpy.config.values import FILE_KEYS, default_value
from kraftpy.node.http import HttpServer
from kraftpy.node.limit_metrics import LimitMetrics
from kraftpy.runtime.controller_loop import SUBMISSIONS_MAX
from kraftpy.transport.grpc.server import ApiServer
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.limits import LimitUse

PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "`" in line
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_default_is_that_of_the_code(row):
    """A key is one that is acted on, and its default the key's; a constant has the value beside it."""
    name, reported = row[1].strip("`"), row[2]
    if name.startswith("kraftpy."):
        module, _, constant = name.rpartition(".")
        assert getattr(import_module(module), constant) == int(reported)
        return
    key = FILE_KEYS[name]
    assert key.used
    assert default_value(key) == ("" if reported == "none" else int(reported))


async def test_every_metric_of_a_limit_is_on_the_page():
    """The page names the limits' metrics that listeners and the public API report, and no others."""
    reported = {name for row in ROWS for name in re.findall(r"`([^`]+)`", row[4])}
    api = ApiServer(SimpleNamespace(now_ms=None, request_errors=None), "127.0.0.1", 0, leader_calls=SimpleNamespace())
    api._handlers()
    listener = KafkaListener("127.0.0.1", 0, lambda _: None)
    http = HttpServer(registry=CollectorRegistry(), live=tuple, ready=tuple, state=list)
    uses = {use.limit for use in (*listener.limit_uses(), *api.limit_uses(), *http.limit_uses())}
    of_the_node = {"queued requests", "things to do", "urgent requests", "waiting writes", "waiting write bytes"}
    of_quotas = {"mutation quota clients", "request quota clients"}
    assert reported == uses | of_the_node | of_quotas | {"kraft_waiting_reads"}


def test_limits_are_exported_to_prometheus():
    """Of each limit its use, its size, and how often it was met, by listener."""
    registry = CollectorRegistry()
    uses = {"CONTROLLER": [LimitUse("connections", 3, 10, 2)], "": [LimitUse("waiting writes", 0, SUBMISSIONS_MAX, 0)]}
    registry.register(LimitMetrics(lambda: uses))
    page = generate_latest(registry).decode()
    for line in (
        'kraftpy_limit_used{limit="connections",listener="CONTROLLER"} 3.0',
        'kraftpy_limit{limit="connections",listener="CONTROLLER"} 10.0',
        'kraftpy_limit_refused_total{limit="connections",listener="CONTROLLER"} 2.0',
        'kraftpy_limit{limit="waiting writes",listener=""} 20000.0',
    ):
        assert line in page
