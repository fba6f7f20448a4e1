"""``kraftpy broker-ids``: what it asks, and what it prints."""

from __future__ import annotations

import contextlib
import json

import pytest

from kraftpy.cli import connection
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client.values import BrokerHost, BrokerHostState

C = ("-C", "localhost:9193")


class FakeCluster:
    """Remembers what it is asked, and has two hosts."""

    def __init__(self):
        self.asked = []

    def describe_broker_hosts(self, hosts, read):
        self.asked.append((hosts, read.min_offset))
        return (BrokerHost("h1", 1001, BrokerHostState.ACTIVE), BrokerHost("h2", 1002, BrokerHostState.UNREGISTERED))

    def alter_broker_host(self, host, broker_id, *, validate_only):
        self.asked.append((host, broker_id, validate_only))


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


def test_hosts_are_listed(run, cluster):
    result = run("broker-ids", "list", *C, "--host", "h1", "--host", "h2", "--min-offset", "5")
    assert result.stdout == "Host: h1\tBrokerId: 1001\tState: active\nHost: h2\tBrokerId: 1002\tState: unregistered\n"
    listed = run("-o", "json", "broker-ids", "list", *C)
    assert json.loads(listed.stdout)[1] == {"host": "h2", "brokerId": 1002, "state": "unregistered"}
    assert cluster.asked == [(("h1", "h2"), 5), ((), None)]


@pytest.mark.parametrize(
    ("args", "asked", "text"),
    [
        (("set", "--host", "h", "--id", "5"), ("h", 5, False), "Host h has broker id 5."),
        (("set", "--host", "h", "-i", "5", "--dry-run"), ("h", 5, True), "Host h can have broker id 5."),
        (("delete", "--host", "h"), ("h", None, False), "Deleted the broker id of host h."),
        (("delete", "--host", "h", "--dry-run"), ("h", None, True), "Could delete the broker id of host h."),
    ],
)
def test_mappings_are_changed(run, cluster, args, asked, text):
    result = run("broker-ids", args[0], *C, *args[1:])
    assert (result.exit_code, result.stdout) == (ExitCode.OK, f"{text}\n"), result.stderr
    assert cluster.asked == [asked]


@pytest.mark.parametrize("args", [("set", "--host", "h"), ("set", "--id", "5"), ("set", "--host", "h", "--id", "-1")])
def test_what_is_missing_or_wrong_is_named(run, cluster, args):
    result = run("broker-ids", args[0], *C, *args[1:])
    assert result.exit_code == ExitCode.USAGE
    assert "--id" in result.stderr or "--host" in result.stderr
    assert cluster.asked == []
