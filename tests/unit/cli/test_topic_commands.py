"""topics describe, alter and delete over a cluster that a test scripts: filters, health, ids, dry runs."""

from __future__ import annotations

import contextlib
import json
from types import SimpleNamespace

import pytest

from kraftpy.cli import connection
from kraftpy.cli.topic_text import TopicPartitionHealth, health_of
from kraftpy.client.values import TopicOutcome
from kraftpy.model.ids import uuid_to_text

C = ("-C", "localhost:9193")
ID = b"t" * 16
LIVE = {1, 2, 3}


def partition(number=0, *, leader=1, isr=(1, 2, 3), replicas=(1, 2, 3), adding=()):
    return SimpleNamespace(
        partition=number, leader=leader, leader_epoch=0, partition_epoch=0, replicas=replicas, isr=isr, elr=(),
        last_known_elr=(), adding_replicas=adding, removing_replicas=(), directories=(), recovering=False,
    )  # fmt: skip


class FakeCluster:
    def __init__(self):
        partitions = [partition(0), partition(1, leader=2), partition(2, isr=(1, 2)), partition(3, leader=None, isr=())]
        self.topics = (
            SimpleNamespace(
                name="t", topic_id=ID, partition_count=4, replication_factor=3, configs={}, min_insync_replicas=1,
                partitions=partitions,
            ),
        )  # fmt: skip
        self.asked = []

    def describe_topics(self, names, read, *, omit_partitions=False):
        del read, omit_partitions
        return SimpleNamespace(topics=tuple(one for one in self.topics if not names or one.name in names))

    def list_topics(self):
        return ["t"]

    def describe_cluster(self, read):
        del read
        return SimpleNamespace(brokers=[SimpleNamespace(broker_id=one, fenced=one not in LIVE) for one in (1, 2, 3, 4)])

    def delete_topics(self, names, topic_ids, *, validate_only):
        self.asked.append(("delete", names, topic_ids, validate_only))
        return [TopicOutcome(name="t", topic_id=None)]

    def create_partitions(self, increase, placement, *, validate_only):
        del placement
        self.asked.append(("grow", increase.name, increase.total, validate_only))
        return TopicOutcome(name="t", topic_id=None)


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


@pytest.mark.parametrize(
    ("one", "health"),
    [
        (partition(), TopicPartitionHealth.HEALTHY),
        (partition(leader=2), TopicPartitionHealth.NOT_PREFERRED),
        (partition(isr=(1, 2)), TopicPartitionHealth.UNDER_REPLICATED),
        (partition(leader=2, isr=(2,)), TopicPartitionHealth.UNDER_REPLICATED),
        (partition(leader=None, isr=()), TopicPartitionHealth.OFFLINE),
        (partition(leader=4, isr=(4,), replicas=(4, 1)), TopicPartitionHealth.OFFLINE),
        # A replica that is being added does not have to be in sync.
        (partition(replicas=(1, 2, 3, 4), adding=(4,)), TopicPartitionHealth.HEALTHY),
    ],
)
def test_the_health_of_a_partition(one, health):
    assert health_of(one, LIVE) is health


def test_health_is_in_the_data(run, cluster):
    (topic,) = json.loads(run("topics", "describe", *C, "-o", "json").stdout)
    assert [one["health"] for one in topic["partitions"]] == ["healthy", "notPreferred", "underReplicated", "offline"]


def test_a_topic_is_described_by_its_id(run, cluster):
    shown = run("topics", "describe", "--topic-id", uuid_to_text(ID), *C).stdout
    assert shown.startswith("Topic: t\t")
    missing = ("topics", "describe", "--topic-id", uuid_to_text(b"x" * 16), *C)
    assert "does not exist as expected" in run(*missing).stderr
    assert run(*missing, "--if-exists").exit_code == 0
    assert run("topics", "describe", "--topic", "u", "--if-exists", *C).stdout == ""
    assert run("topics", "describe", "--topic-id", "short", *C).exit_code == 2


def test_dry_runs_print_what_could_be_done(run, cluster):
    assert run("topics", "delete", "--topic", "t", "--dry-run", *C).stdout == "Could delete topic t.\n"
    assert run("topics", "delete", "--topic", "t", *C).stdout == ""
    grown = run("topics", "alter", "--topic", "t", "--partitions", "8", "--dry-run", *C).stdout
    assert grown == "Could add partitions to topic t: 8 in total.\n"
    assert [ask[-1] for ask in cluster.asked] == [True, False, True]
