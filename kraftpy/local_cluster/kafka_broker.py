"""A stock Kafka broker of a local cluster: its properties, its logging, its release, and the command that runs it.

Decisions only: nothing is read, written or started here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from kraftpy.model.features import KAFKA_LEVEL_MAX, METADATA_VERSIONS

KAFKA_BROKERS_MAX: Final = 9
HEAP_MAX: Final = "256m"
"""The heap of one broker's JVM: nine of them fit on a workstation."""

REPLICATION_FACTOR_MAX: Final = 3
"""Kafka's default for its internal topics, which a smaller cluster cannot have."""

RELEASE_MIN: Final = (4, 0)
"""The first release whose brokers are run: earlier ones log by another library, and have other defaults."""

JVM_OPTIONS: Final = (
    f"-Xmx{HEAP_MAX}", "-Xms64m",
    # They make the JVM start sooner and smaller; throughput is not what this cluster is for.
    "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
    "-Djava.awt.headless=true",
)  # fmt: skip

LOG4J_FILE: Final = "log4j2.properties"
LOG4J: Final = """\
rootLogger.level = INFO
rootLogger.appenderRef.out.ref = OUT
# The list of all values at each start.
logger.config.name = org.apache.kafka.common.config.AbstractConfig
logger.config.level = WARN
appender.out.type = Console
appender.out.name = OUT
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = [%d] %p %m (%c)%n%ex
"""
"""A broker logs to its standard output, which is the node's log file."""

STARTED_MESSAGE: Final = b"Kafka Server started"
"""What a broker logs when it serves clients; Kafka's own system tests wait for it, too.

It is unfenced a moment earlier, and a SIGTERM in between ends it without a controlled shutdown.
"""

_CORE_JAR = re.compile(r"kafka_\d+\.\d+-(?P<version>\d+\.\d+\.\d+(?:-SNAPSHOT|-rc\d+)?)\.jar")


def broker_properties(brokers: int, endpoint: str) -> dict[str, str]:
    """Return the properties that a Kafka broker has and a kraftpy node of the cluster does not need.

    Args:
        brokers: how many there are in the cluster.
        endpoint: where it listens for clients, as host:port.
    """
    replicas = min(REPLICATION_FACTOR_MAX, brokers)
    in_sync = str(min(2, replicas))
    return {
        "listeners": f"PLAINTEXT://{endpoint}",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "inter.broker.listener.name": "PLAINTEXT",
        "offsets.topic.replication.factor": str(replicas),
        "transaction.state.log.replication.factor": str(replicas),
        "transaction.state.log.min.isr": in_sync,
        "share.coordinator.state.topic.replication.factor": str(replicas),
        "share.coordinator.state.topic.min.isr": in_sync,
        # As in Kafka's own example: a consumer that is started by hand does not wait for others.
        "group.initial.rebalance.delay.ms": "0",
    }


def version_of(jars: Iterable[str]) -> str | None:
    """Find Kafka's version in the names of its jars; ``None`` when its core is not among them."""
    found = (match["version"] for name in jars if (match := _CORE_JAR.fullmatch(name)))
    return max(found, key=_age, default=None)


def _age(version: str) -> tuple[list[int], bool, list[int]]:
    """Return what versions are ordered by: numbers as numbers, a snapshot before candidates, the release after them."""
    numbers, _, suffix = version.partition("-")
    return [int(number) for number in numbers.split(".")], not suffix, [int(one) for one in re.findall(r"\d+", suffix)]


def release_of(version: str) -> tuple[int, int]:
    """Return major and minor of a version such as ``4.3.0``."""
    major, minor, *_ = version.split(".")
    return int(major), int(minor)


def level_for(version: str) -> int:
    """Return the newest metadata.version that brokers of a Kafka version follow and that kraftpy's controllers lead.

    A broker does not register where a level is finalized that it does not know.
    """
    release = release_of(version)
    return max(
        one.level
        for one in METADATA_VERSIONS
        if one.production and one.level <= KAFKA_LEVEL_MAX and release_of(one.release) <= release
    )


def jvm_command(java: str, jars: Path, directory: Path) -> list[str]:
    """Return the command that runs the broker of a node's directory in the foreground."""
    return [
        java,
        *JVM_OPTIONS,
        f"-Dlog4j2.configurationFile={directory / LOG4J_FILE}",
        f"-Dkafka.logs.dir={directory}",
        "-cp",
        f"{jars}/*",
        "kafka.Kafka",
        str(directory / "server.properties"),
    ]
