"""What ``kraftpy quickstart`` leaves on the disk, read by every command of the auditor and by Spark's SQL."""

from __future__ import annotations

import json

import pytest

from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.audit.rules.rule import count_query
from tests.fakes.processes import PATIENCE_S, QUICK_TIMERS, kraftpy

pytestmark = pytest.mark.landing

TIMERS = [part for key, value in QUICK_TIMERS.items() for part in ("--property", f"{key}={value}")]
FOUND = 3


def ask(*words: object, code: int = 0):
    """Run a command to its end; return what it prints as JSON."""
    done = kraftpy(*map(str, words), "-o", "json", timeout_s=2 * PATIENCE_S)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The directories of a cluster that was started and stopped, and what it said of itself."""
    directory = tmp_path_factory.mktemp("quickstart") / "cluster"
    return directory, ask("quickstart", "--dir", directory, "--once", "--controllers", 3, "--brokers", 1, *TIMERS)


def test_every_command_reads_a_quickstart_cluster(cluster, tmp_path):
    """A command finds something wrong with a healthy cluster, or sees another state than the others."""
    directory, summary = cluster
    report = tmp_path / "report.html"
    judged = ask("audit", directory, "--report", report)
    assert (judged["findingCounts"], judged["engine"]) == ({}, "local")
    (state,) = judged["states"]
    assert state["cluster"] == summary["clusterId"]
    assert f"Cluster {summary['clusterId']}" in report.read_text(encoding="utf-8")
    steps = ask("history", "broker", 4, directory)
    assert steps[0]["type"] == "REGISTER_BROKER_RECORD"
    assert len(steps) > 1
    before = ask("diff", f"{directory}@{steps[0]['offset']}", directory, code=FOUND)
    assert {("+", "broker", "4"), ("+", "feature", "metadata.version")} & {
        (each["change"], each["entityKind"], each["entity"]) for each in before
    } == {("+", "broker", "4")}
    done = ask("compact", directory, "--out", tmp_path / "compacted")
    assert (done["endOffset"], done["cluster"]) == (state["endOffset"], summary["clusterId"])
    assert ask("diff", directory, done["file"]) == []


def test_sql_and_spark_read_a_quickstart_cluster(cluster, spark):
    """Spark's tables lack a node of it, or a rule finds something there."""
    from kraftpy.audit.engines.protocol import AsOf
    from kraftpy.audit.engines.spark import SparkEngine

    directory, summary = cluster
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW qs USING kraft OPTIONS (path '{directory}')")
    rows = spark.sql("SELECT cluster, node, type FROM qs WHERE type = 'CLUSTER_ID_RECORD'").toArrow().to_pylist()
    assert sorted((row["cluster"], row["node"]) for row in rows) == [
        (summary["clusterId"], str(n)) for n in (1, 2, 3, 4)
    ]
    engine = SparkEngine(KraftReplay(b"salt", with_entities=False), spark.sparkContext)
    engine.load([str(directory)], AsOf())
    asked = [rule for rule in all_rules() if rule.id in {"log-diverges", "cluster-id-in-file", "batch-checksum"}]
    assert {row["rule_id"]: row["total"] for row in engine.sql(count_query(asked)).to_pylist()} == {
        rule.id: 0 for rule in asked
    }
    assert engine.sql("SELECT broker_id FROM brokers").to_pylist() == [{"broker_id": 4}]
    engine.close()
