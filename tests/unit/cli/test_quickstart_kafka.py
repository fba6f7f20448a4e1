"""``quickstart --kafka-brokers``: what is refused before anything is made, and what is printed in the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.quickstart_kafka import ready_timeout_s, usage_lines
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.local_cluster.kafka_installation import KafkaInstallation
from tests.fakes.fake_kafka import java_home, kafka_home


@pytest.fixture
def nothing(tmp_path, monkeypatch):
    """An environment without Java, Maven, Kafka and cache."""
    (tmp_path / "bin").mkdir()
    for name in ("JAVA_HOME", "KAFKA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return monkeypatch


def refused(run, tmp_path, *words) -> str:
    """Run a quickstart that fails with code 1 and makes nothing; return its one line."""
    result = run("quickstart", "--dir", tmp_path / "new", "--once", "--kafka-brokers", "1", *words)
    assert result.exit_code == ExitCode.FAILURE, result.stderr
    assert not (tmp_path / "new").exists()
    (line,) = result.stderr.splitlines()
    return line


def test_what_is_missing_is_named_before_anything_is_made(run, tmp_path, nothing) -> None:
    """A directory would be left behind that needs a Kafka which is not there, and the user would not know which."""
    assert "error: Kafka's brokers need Java 17, and there is no java on the PATH." in refused(run, tmp_path)
    nothing.setenv("JAVA_HOME", str(java_home(tmp_path / "java", "11.0.1")))
    assert 'printed \'openjdk version "11.0.1"' in refused(run, tmp_path)
    nothing.setenv("JAVA_HOME", str(java_home(tmp_path / "java")))
    assert "error: no Kafka: --kafka-home and KAFKA_HOME are not set, and there is no mvn." in refused(run, tmp_path)
    nothing.setenv("KAFKA_HOME", str(tmp_path))
    assert f"error: KAFKA_HOME is {tmp_path}: {tmp_path}/libs has no jar" in refused(run, tmp_path)
    home = kafka_home(tmp_path / "kafka")
    assert "--racks 2: expected 0 to 1" in refused(run, tmp_path, "--kafka-home", home, "--racks", "2")


def test_both_kinds_of_brokers_exclude_each_other(run, tmp_path) -> None:
    """Topics would get replicas on brokers that store no data."""
    result = run("quickstart", "--dir", tmp_path / "new", "--kafka-brokers", "2", "--brokers", "3")
    assert result.exit_code == ExitCode.USAGE
    assert "--kafka-brokers 2 and --brokers 3 exclude each other" in result.stderr


def test_a_kafka_home_without_kafka_brokers_is_refused(run, tmp_path) -> None:
    """The user would think that the brokers are Kafka's."""
    open_local_cluster(tmp_path / "ours", controllers=1, brokers=1)
    for name in ("new", "ours"):
        result = run("quickstart", "--dir", tmp_path / name, "--once", "--kafka-home", tmp_path)
        assert result.exit_code == ExitCode.USAGE
        assert "this cluster has none: add --kafka-brokers N for a new cluster" in result.stderr
    result = run("quickstart", "--dir", tmp_path / "ours", "--once", "--kafka-brokers", "1")
    assert result.exit_code == ExitCode.FAILURE
    assert "with 0 kafka-brokers, not 1: leave --kafka-brokers out" in result.stderr


def test_a_restart_needs_kafka_again(run, tmp_path, nothing) -> None:
    """A cluster with Kafka brokers that is started without options would come up without them."""
    open_local_cluster(tmp_path / "c", controllers=1, brokers=None, kafka_brokers=1, level=30)
    result = run("quickstart", "--dir", tmp_path / "c", "--once")
    assert result.exit_code == ExitCode.FAILURE
    assert "need Java 17" in result.stderr
    assert not list((tmp_path / "c").glob("*/node.log"))


def test_commands_to_try_are_scripts_or_classes(tmp_path) -> None:
    """The user would get commands that are not on the machine, or a topic with more replicas than brokers."""
    made = open_local_cluster(tmp_path / "c", controllers=1, brokers=None, kafka_brokers=2)
    first, topics, producer, consumer = usage_lines(
        made, KafkaInstallation("/java", Path("/k k/libs"), "4.3.0", Path("/k k/bin"))
    )
    assert first == f"Kafka 4.3.0 brokers: bootstrap.servers={made.bootstrap_servers}"
    server = made.kafka_brokers[0].kafka_endpoint
    assert topics.startswith(f"  '/k k/bin/kafka-topics.sh' --bootstrap-server {server} --create ")
    assert topics.endswith("--replication-factor 2")
    assert producer.startswith("  '/k k/bin/kafka-console-producer.sh' --bootstrap-server ")
    assert consumer.endswith("--from-beginning")
    _, topics, *_ = usage_lines(made, KafkaInstallation("/java", Path("/jars"), "4.3.0"))
    assert topics.startswith("  /java -cp '/jars/*' org.apache.kafka.tools.TopicCommand --bootstrap-server ")
    assert usage_lines(made, None) == ()


def test_commands_for_nine_brokers_are_as_long_as_those_for_one(tmp_path) -> None:
    """Each command would take rows of a terminal for a list that it does not need, and that is printed above it."""
    kafka = KafkaInstallation("/java", Path("/opt/kafka/libs"), "4.3.0", Path("/opt/kafka/bin"))
    nine = open_local_cluster(tmp_path / "c", controllers=1, brokers=None, kafka_brokers=9)
    first, *commands = usage_lines(nine, kafka)
    assert first.endswith(f"={nine.bootstrap_servers}")
    assert max(len(line) for line in commands) <= 130


def test_jvms_get_more_time(tmp_path) -> None:
    """Nine JVMs on a small machine would never be ready in the time of a cluster without any."""
    made = open_local_cluster(tmp_path / "c", controllers=1, brokers=None, kafka_brokers=2)
    assert ready_timeout_s(None, made) == 120
    assert ready_timeout_s(5.0, made) == 5.0
    assert ready_timeout_s(None, open_local_cluster(tmp_path / "d", controllers=1, brokers=1)) == 60
