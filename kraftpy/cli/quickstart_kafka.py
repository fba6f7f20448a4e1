"""``quickstart --kafka-brokers``: how the options combine, where Kafka is found, and how to use the brokers."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Final

import click

from kraftpy.local_cluster.cluster import LocalCluster
from kraftpy.local_cluster.kafka_broker import REPLICATION_FACTOR_MAX
from kraftpy.local_cluster.kafka_installation import KafkaInstallation, find_kafka

READY_TIMEOUT_S: Final = 60.0
READY_TIMEOUT_PER_JVM_S: Final = 30.0
"""What each Kafka broker adds to the time in which the cluster is to be ready: JVMs start slowly side by side."""

EXAMPLE_TOPIC: Final = "orders"


def check_options(*, kafka_brokers: int | None, brokers: int | None) -> None:
    """Check the options that only the command line sees, before anything is read or made.

    Raises:
        BadParameter: both kinds of brokers are asked for.
    """
    if kafka_brokers is not None and brokers is not None:
        raise click.BadParameter(
            f"--kafka-brokers {kafka_brokers} and --brokers {brokers} exclude each other: kraftpy's brokers store no "
            "topic data, and the controllers would place replicas on them; leave one of the two out",
            param_hint="'--kafka-brokers'",
        )


def kafka_of(found: LocalCluster | None, kafka_brokers: int | None, home: str | None) -> KafkaInstallation | None:
    """Find the Kafka for a cluster's Kafka brokers; ``None`` for a cluster without.

    Args:
        found: the cluster in the directory, ``None`` where one is to be made.
        kafka_brokers: how many were asked for.
        home: what ``--kafka-home`` names.

    Raises:
        BadParameter: ``--kafka-home`` is given for a cluster without Kafka brokers.
        ConfigError: Java or Kafka is missing.
    """
    count = (kafka_brokers or 0) if found is None else len(found.kafka_brokers)
    if count:
        return find_kafka(home, os.environ, lambda line: click.echo(line, err=True))
    # A number that is not that of the directory gets its own error, when the cluster is opened.
    if home is not None and not kafka_brokers:
        raise click.BadParameter(
            f"{home} is for Kafka brokers, and this cluster has none: add --kafka-brokers N for a new cluster",
            param_hint="'--kafka-home'",
        )
    return None


def ready_timeout_s(given: float | None, sandbox: LocalCluster) -> float:
    """Return in how many seconds a cluster is to be ready."""
    return READY_TIMEOUT_S + READY_TIMEOUT_PER_JVM_S * len(sandbox.kafka_brokers) if given is None else given


def usage_lines(sandbox: LocalCluster, kafka: KafkaInstallation | None) -> tuple[str, ...]:
    """Return what to give to clients of the Kafka brokers, and commands to try; empty where there are none.

    A command names one broker, from which it gets the others: with all of them its line would fill a terminal.
    """
    if kafka is None:
        return ()
    servers = f"--bootstrap-server {sandbox.kafka_brokers[0].kafka_endpoint}"
    replicas = min(REPLICATION_FACTOR_MAX, len(sandbox.kafka_brokers))
    topics, producer, consumer = (_tool(kafka, script, main) for script, main in _TOOLS)
    return (
        f"Kafka {kafka.version} brokers: bootstrap.servers={sandbox.bootstrap_servers}",
        f"  {topics} {servers} --create --topic {EXAMPLE_TOPIC} --partitions 3 --replication-factor {replicas}",
        f"  {producer} {servers} --topic {EXAMPLE_TOPIC}",
        f"  {consumer} {servers} --topic {EXAMPLE_TOPIC} --from-beginning",
    )


_TOOLS: Final = (
    ("kafka-topics.sh", "org.apache.kafka.tools.TopicCommand"),
    ("kafka-console-producer.sh", "org.apache.kafka.tools.ConsoleProducer"),
    ("kafka-console-consumer.sh", "org.apache.kafka.tools.consumer.ConsoleConsumer"),
)


def _tool(kafka: KafkaInstallation, script: str, main: str) -> str:
    """Return the words that start a tool: Kafka's script, or its class where there are only jars."""
    if kafka.scripts is not None:
        return shlex.quote(str(kafka.scripts / script))
    return f"{shlex.quote(kafka.java)} -cp {shlex.quote(str(Path(kafka.jars) / '*'))} {main}"
