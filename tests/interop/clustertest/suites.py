"""Kafka's suites that start a cluster: found in the test jars, not chosen by us."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from tests.interop.jars import Jars, NoKafkaError, check_java, kafka_version, resolve
from tests.interop.jars import cache_directory as interop_cache

POM = Path(__file__).with_name("pom.xml")
LAST = "kafka-storage-api-{version}-test.jar"
BUILDS_A_CLUSTER = b"org/apache/kafka/common/test/KafkaClusterTestKit"
STARTS_A_CLUSTER = re.compile(
    rb"Lorg/apache/kafka/common/test/api/(?:ClusterTest|ClusterTests|ClusterTemplate);"
    rb"|" + BUILDS_A_CLUSTER
)
NO_TEST = ("org.apache.kafka.tools.other.ReplicationQuotasTestRig", "kafka.server.metadata.BrokerMetadataPublisherTest")
"""A program with a main method, and a class that only mentions the kit in a method's type."""

SHARE = (
    "org.apache.kafka.server.BrokerRegistrationRequestTest",
    "unit.kafka.server.AllocateProducerIdsRequestTest",
    "kafka.server.DescribeQuorumRequestTest",
)
"""What runs on every landing: suites that ask a controller directly, within some minutes."""

NAMED_LAST = "mock-oauth2-server-2.2.1.jar"
"""The jar that was named last in ``pom.xml``: a cache that is older lacks it."""


def fetch_tests() -> Jars:
    """Return Kafka's jars with those of its tests, fetching them if the cache has none.

    Raises:
        NoKafkaError: java or maven is missing, or maven could not resolve the jars.
    """
    check_java()
    version = kafka_version()
    jars = Jars(interop_cache() / f"kafka-tests-{version}", version)
    last = LAST.format(version=version)
    if not all((jars.directory / name).is_file() for name in (NAMED_LAST, last)):
        resolve(POM, jars.directory, last, "Kafka's tests")
    return jars


def suites(jars: Jars) -> list[str]:
    """Return the names of all classes with tests that start a cluster."""
    found = []
    for jar in sorted(jars.directory.glob("*-test.jar")):
        with zipfile.ZipFile(jar) as classes:
            for name in sorted(classes.namelist()):
                is_outer = name.endswith(".class") and "$" not in name
                if is_outer and STARTS_A_CLUSTER.search(classes.read(name)):
                    found.append(name.removesuffix(".class").replace("/", "."))
    if not found:
        raise NoKafkaError(f"{jars.directory} has no jar with a suite of Kafka's")
    return [name for name in found if name not in NO_TEST]


def builds_clusters(jars: Jars, suite: str) -> bool:
    """Return whether a class builds clusters in its methods, so that each of its tests is of a cluster."""
    name = suite.replace(".", "/") + ".class"
    for jar in sorted(jars.directory.glob("*-test.jar")):
        with zipfile.ZipFile(jar) as classes:
            if name in classes.namelist():
                return BUILDS_A_CLUSTER in classes.read(name)
    raise NoKafkaError(f"{jars.directory} has no class {suite}")
