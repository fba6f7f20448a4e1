"""The controllers of a running Kafka cluster are replaced by ours and return, while a broker and a producer go on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import pytest

from tests.interop.cluster import JVM, Member, Quorum, java, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import HOST, eventually, free_ports
from tests.kafka_faults.migration import SHARE, STEPS, migrate_there_and_back

BROKER = 101
KAFKA = (1, 2, 3)
OURS = (11, 12, 13)
TOOLS = "org.apache.kafka.tools."
RECORDS_PER_SECOND = 100


class RunningCluster:
    """Three controllers of Kafka, a broker, and three controllers of ours that only follow."""

    def __init__(self, jars: Jars, root: Path) -> None:
        self.jars, self.root = jars, root
        self.plan = root / "migration.json"
        self.quorum = Quorum(jars, root, kafka=KAFKA, dynamic=True)
        for node_id, port in zip(OURS, free_ports(len(OURS)), strict=True):
            self.quorum.addresses[node_id] = f"{HOST}:{port}"
        every = ",".join(self.quorum.addresses.values())
        for properties in [self.quorum.common, *(one.properties for one in self.quorum.members.values())]:
            properties["controller.quorum.bootstrap.servers"] = every
        for member in self.quorum.members.values():
            member.write_config()
        self.newcomers = [self.quorum.add_controller(node_id, ours=True) for node_id in OURS]
        self.broker = self.quorum.add_broker(BROKER)
        self.address = self.broker.properties["listeners"].removeprefix("PLAINTEXT://")

    def start(self) -> None:
        quorum = self.quorum
        for member in quorum.members.values():
            is_initial = member.node_id in KAFKA
            extra = ["--initial-controllers", quorum.initial_controllers] if is_initial else []
            member.format(extra=extra or ["--no-initial-controllers"] if member.kind == "controller" else [])
        for member in [quorum.members[one] for one in KAFKA] + [self.broker]:
            member.start()
        eventually("the broker serves", lambda: "Kafka Server started" in self.broker.log_text(), quorum.running)

    def migrate(self, *words: str, code: int = 0) -> str:
        done = kraftpy("migrate", *words)
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def make_plan(self, *words: str, code: int = 0) -> str:
        to = [word for member in self.newcomers for word in ("--to", str(member.config_file))]
        bootstrap = self.quorum.addresses[1]
        return self.migrate("plan", "-C", bootstrap, *to, "--out", str(self.plan), *words, code=code)

    def voting(self) -> set[int]:
        found = json.loads(self.migrate("status", str(self.plan), "-o", "json"))
        return {row["nodeId"] for row in found["controllers"] if row["state"] in {"leader", "voter"}}

    def tool(self, name: str, *args: str) -> str:
        done = java(self.jars, TOOLS + name, "--bootstrap-server", self.address, *args)
        assert done.returncode == 0, f"{name} {args}: {done.stdout}{done.stderr}"
        return done.stdout


class Producer:
    """Kafka's VerifiableProducer with acks=all; it prints each record that was acknowledged."""

    def __init__(self, cluster: RunningCluster, topic: str) -> None:
        self._log = cluster.root / "producer.log"
        command = ["java", *JVM, "-cp", cluster.jars.classpath, f"{TOOLS}VerifiableProducer"]
        command += ["--bootstrap-server", cluster.address, "--topic", topic, "--acks", "-1"]
        command += ["--throughput", str(RECORDS_PER_SECOND)]
        with self._log.open("wb") as file:
            self._process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def acknowledged(self) -> int:
        return self._log.read_text(encoding="utf-8", errors="replace").count("producer_send_success")

    def stop(self) -> tuple[int, int]:
        """End it; return how many records were acknowledged and how many failed."""
        self._process.terminate()
        self._process.wait(timeout=60)
        text = self._log.read_text(encoding="utf-8", errors="replace")
        return text.count("producer_send_success"), text.count("producer_send_error")


def stop(members: Sequence[Member]) -> None:
    for member in members:
        member.stop()


# The next test has all of it, with more brokers and with faults.
@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_controllers_are_replaced_and_return_under_load(jars: Jars, root: Path) -> None:
    """Kafka's three leave for ours, one at a time, with a rest; then the way back: no record and no topic is lost."""
    cluster = RunningCluster(jars, root)
    with cluster.quorum as quorum:
        cluster.start()
        cluster.tool("TopicCommand", "--create", "--topic", "before", "--partitions", "3")
        shown = cluster.make_plan()
        assert "ERROR" not in shown, shown
        with Producer(cluster, "before") as producer:
            eventually("records are acknowledged", lambda: producer.acknowledged() > 0, quorum.running)
            for member in cluster.newcomers:
                member.start()
            shown = cluster.migrate("run", str(cluster.plan))
            assert "Resting" in shown, shown
            assert sorted(one in KAFKA for one in cluster.voting()) == [False, False, True]
            assert "Finished" in cluster.migrate("run", str(cluster.plan), "--finish")
            assert cluster.voting() == set(OURS)
            stop([quorum.members[one] for one in KAFKA])
            cluster.tool("TopicCommand", "--create", "--topic", "on-kraftpy", "--partitions", "3")
            for one in KAFKA:
                quorum.members[one].start()
            assert "Finished" in cluster.migrate("back", str(cluster.plan))
            stop(cluster.newcomers)
            cluster.tool("TopicCommand", "--create", "--topic", "after", "--partitions", "3")
            assert {"before", "on-kraftpy", "after"} <= set(cluster.tool("TopicCommand", "--list").split())
            acknowledged, failed = producer.stop()
            assert failed == 0
            read = cluster.tool("GetOffsetShell", "--topic", "before")
            assert sum(int(line.rsplit(":", 1)[1]) for line in read.split()) >= acknowledged
            cluster.broker.stop()
            assert "shut down completed" in cluster.broker.log_text()


@pytest.mark.timeout(900)
def test_three_brokers_keep_every_record_while_controllers_fail(jars: Jars, root: Path) -> None:
    """A record that was acknowledged is lost or doubled, or a step that was interrupted does not go on.

    Replication factor 3, min.insync.replicas 2; topics come and go and ISRs shrink and grow at the steps.
    """
    report = migrate_there_and_back(jars, root, SHARE, stops=False)
    print(report)
    assert report.complaints == []
    assert report.facts.failed == []
    assert report.fewest >= len(KAFKA)
    assert len(report.steps) == STEPS
