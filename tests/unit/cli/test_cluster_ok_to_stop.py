"""``cluster ok-to-stop`` over a cluster that a test scripts: which roles are asked about, texts, exit codes."""

from __future__ import annotations

import contextlib
import json
from types import SimpleNamespace

import pytest

from kraftpy.cli import connection
from kraftpy.cli.cluster_ok_to_stop import NAMED_MAX
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.model.consistency import Consistency
from kraftpy.model.voters import ReplicaKey

C = ("-C", "localhost:9193")


class FakeCluster:
    """Controllers 1 to 3, brokers 4 to 6; topic ``t`` with as many partitions as wished, each on 4 and 5."""

    def __init__(self):
        self.reads = []
        self.partitions = 1
        self.isr = (4, 5)
        self.voters = (1, 2, 3)

    def describe_cluster(self, read):
        self.reads.append(read.consistency)
        return SimpleNamespace(brokers=[SimpleNamespace(broker_id=each, fenced=False) for each in (4, 5, 6)])

    def describe_topics(self, names, read):
        assert names == []
        self.reads.append(read.consistency)
        partitions = [
            SimpleNamespace(partition=number, leader=self.isr[0], replicas=(4, 5), isr=self.isr)
            for number in range(self.partitions)
        ]
        return SimpleNamespace(topics=[SimpleNamespace(name="t", min_insync_replicas=1, partitions=partitions)])

    def describe_quorum(self):
        voters = [SimpleNamespace(key=ReplicaKey(each), log_end_offset=7, last_fetch_ms=1_000) for each in self.voters]
        return SimpleNamespace(leader_id=1, voters=voters, observers=())


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


def test_a_broker_is_judged_by_its_partitions(run, cluster):
    result = run("cluster", "ok-to-stop", "4", *C)
    assert result.exit_code == ExitCode.OK, result.stderr
    assert result.stdout == (
        "yes: replicas on broker 4: 1, leaders: 1; every partition keeps a leader and min.insync.replicas without it\n"
    )
    assert cluster.reads == [Consistency.LINEARIZABLE] * 2


def test_a_partition_that_would_be_offline_is_not_ok_to_stop(run, cluster):
    cluster.isr, cluster.partitions = (4,), NAMED_MAX + 2
    result = run("cluster", "ok-to-stop", "4", *C)
    assert result.exit_code == ExitCode.FINDINGS
    assert f"without it {NAMED_MAX + 2} (t-0, t-1," in result.stdout
    assert f"t-{NAMED_MAX - 1} and 2 more) would be offline" in result.stdout
    data = json.loads(run("cluster", "ok-to-stop", "4", *C, "-o", "json").stdout)
    assert data["okToStop"] is False
    offline = data["brokerStop"]["wouldBeOffline"]
    assert offline == [{"topic": "t", "partition": number} for number in range(NAMED_MAX + 2)]


def test_a_controller_is_judged_by_the_voters(run, cluster):
    yes = run("cluster", "ok-to-stop", "2", *C)
    assert (yes.exit_code, "2 of 3 voters are left" in yes.stdout) == (ExitCode.OK, True)
    cluster.voters = (1, 2)
    no = run("cluster", "ok-to-stop", "2", *C)
    assert (no.exit_code, "without 2, 1 of 2 voters" in no.stdout) == (ExitCode.FINDINGS, True)
    assert cluster.reads == [Consistency.LINEARIZABLE] * 2


def test_a_node_of_both_roles_needs_both_answers(run, cluster):
    cluster.voters = (1, 4)
    result = run("cluster", "ok-to-stop", "4", *C)
    assert result.exit_code == ExitCode.FINDINGS
    assert "every partition keeps a leader" in result.stdout
    assert "without 4, 1 of 2 voters" in result.stdout


def test_an_unknown_node_is_no_yes(run, cluster):
    del cluster
    result = run("cluster", "ok-to-stop", "9", *C)
    assert result.exit_code == ExitCode.FINDINGS
    assert result.stdout == "no: the leader does not know node 9; check the id\n"
