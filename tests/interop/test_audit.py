"""A real Kafka's cluster is audited: clean while it runs and when it stopped, and what is broken in a copy is found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from kraftpy.audit.rules import all_rules
from kraftpy.audit.spark import session
from tests.interop.cluster import AdminClient, Quorum, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import eventually
from tests.interop.test_kafka_logs import SETTINGS, keep_busy

FOUND = 3
INFO = {rule.id for rule in all_rules() if not rule.severity.is_finding}


def audit(path: Path) -> tuple[int, dict[str, int], list[str]]:
    """The exit code of an audit, how many findings of each rule it had, and what they say."""
    done = kraftpy("audit", str(path), "-o", "json")
    assert done.returncode in {0, FOUND}, done.stderr
    data = json.loads(done.stdout)
    totals = {rule: count for rule, count in data["findingCounts"].items() if rule not in INFO}
    return done.returncode, totals, [each["message"] for each in data["findings"]]


def reassign(admin: AdminClient, quorum: Quorum) -> None:
    """Move a partition from one broker to the other and back, by way of both."""
    admin.ask("topic moved 2 2")
    for replicas in ("4", "5", "5,4"):
        admin.ask(f"reassign moved 0 {replicas}")
        eventually("nothing is on its way", lambda: admin.ask("reassigning") == "0", quorum.running)


def ask(*words: object, code: int = 0) -> Any:
    """What a command prints as JSON."""
    done = kraftpy(*map(str, words), "-o", "json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def every_command_reads_it(cluster: Path, root: Path) -> None:
    """Kafka's directories: a life, differences, a compaction, a report, and tables from SQL alone."""
    steps = ask("history", "topic", "topic-3", cluster)
    assert [steps[0]["type"], steps[-1]["type"]] == ["TOPIC_RECORD", "REMOVE_TOPIC_RECORD"]
    started, gone = steps[0]["offset"], steps[-1]["offset"]
    changes = ask("diff", f"{cluster}@{started}", f"{cluster}@{gone}", code=FOUND)
    assert ("+", "topic", "topic-3") in {(each["change"], each["entityKind"], each["entity"]) for each in changes}
    done = ask("compact", cluster, "--out", root / "compacted")
    assert ask("diff", cluster, done["file"]) == []
    # Kafka's own snapshot and its log say the same.
    snapshot = max(cluster.glob("kafka-1/data/__cluster_metadata-0/*.checkpoint"))
    assert ask("diff", f"{cluster}/kafka-1@{int(snapshot.name[:20])}", snapshot) == []
    assert kraftpy("audit", str(cluster), "--report", str(root / "report.html")).returncode == 0
    assert "topic topic-1" in (root / "report.html").read_text(encoding="utf-8")
    spark = session("local[2]")
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW topics USING kraft OPTIONS (path '{cluster}', view 'topics')")
    rows = spark.sql("SELECT node, COUNT(DISTINCT name) AS topics FROM topics WHERE kind = 'log' GROUP BY node")
    found = {row["node"]: row["topics"] for row in rows.toArrow().to_pylist()}
    assert found.keys() == {"1", "2", "3", "4", "5"}
    assert min(found.values()) >= 9
    moves = [step for step in ask("history", "topic", "moved", cluster) if "replicas" in json.dumps(step["changes"])]
    assert len(moves) > 3


@pytest.mark.timeout(900)
@pytest.mark.parametrize("release", ["3.9-IV0", "4.3-IV0"])
def test_a_kafka_cluster_is_clean(jars: Jars, root: Path, release: str) -> None:
    """A rule finds an error or a warning in a healthy Kafka cluster, or misses what is broken in a copy of it."""
    cluster = root / "cluster"
    with Quorum(jars, cluster, kafka=(1, 2, 3), brokers=(4, 5), extra=SETTINGS) as quorum:
        brokers = [quorum.members[4], quorum.members[5]]
        for member in quorum.members.values():
            scram = ["--add-scram", "SCRAM-SHA-512=[name=first,password=secret]"] * (member not in brokers)
            member.format(release=release, extra=scram)
            member.start()
        first = quorum.wait_for_leader()
        for broker in brokers:
            eventually("a broker runs", lambda it=broker: "Kafka Server started" in it.log_text(), quorum.running)
        with AdminClient(jars, root, brokers=brokers[0].properties["listeners"].rpartition("//")[2]) as admin:
            keep_busy(admin)
            reassign(admin, quorum)
            admin.ask("produce topic-2")
        assert first.stop() == 143
        quorum.wait_for_leader(other_than=first.node_id)
        first.start()
        eventually(
            "every controller wrote snapshots", lambda: all(one.snapshots() for one in quorum.controllers),
            quorum.running,
        )  # fmt: skip
        running = audit(cluster)
        for member in (*brokers, *quorum.controllers):
            member.stop()
    assert running[:2] == (0, {}), running
    stopped = audit(cluster)
    assert stopped[:2] == (0, {}), stopped
    every_command_reads_it(cluster, root)

    copy = root / "copy"
    shutil.copytree(cluster, copy)
    snapshot = max(copy.glob("kafka-2/data/__cluster_metadata-0/*.checkpoint"))
    snapshot.chmod(0o644)
    data = bytearray(snapshot.read_bytes())
    data[len(data) // 2] ^= 1
    snapshot.write_bytes(data)
    broken = audit(copy)
    assert broken[:2] == (FOUND, {"batch-checksum": 1}), broken
