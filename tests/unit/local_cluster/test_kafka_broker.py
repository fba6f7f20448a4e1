"""Stock Kafka brokers in a sandbox: their properties, their directories, and how they are started and stopped."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from kraftpy.config.node_config import load_config
from kraftpy.local_cluster import child_processes
from kraftpy.local_cluster.child_processes import Child, ended_in_order
from kraftpy.local_cluster.cluster import LocalNode, NodeKind, find_local_cluster, open_local_cluster
from kraftpy.local_cluster.cluster_status import ClusterStatus, NodeStatus
from kraftpy.local_cluster.kafka_broker import (
    HEAP_MAX,
    LOG4J_FILE,
    STARTED_MESSAGE,
    broker_properties,
    jvm_command,
    level_for,
    version_of,
)
from kraftpy.model.errors import ConfigError
from kraftpy.model.features import BY_NAME, KAFKA_LEVEL_MAX
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.meta_properties import read_meta_properties

LEVEL = KAFKA_LEVEL_MAX


def made_in(root: Path, *, kafka_brokers: int = 2, racks: int | None = None, **extra: str):
    """Make a cluster of one controller and some Kafka brokers."""
    properties = {key.replace("__", "."): value for key, value in extra.items()}
    return open_local_cluster(
        root, controllers=1, brokers=None, kafka_brokers=kafka_brokers, racks=racks, extra=properties, level=LEVEL
    )


def meta_properties(node: LocalNode):
    """What the one log directory of a node says of itself."""
    (directory,) = node.log_dirs
    found = read_meta_properties(RealFileSystem(), str(directory))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("brokers", "replicas", "in_sync"), [(1, "1", "1"), (2, "2", "2"), (3, "3", "2"), (9, "3", "2")]
)
def test_internal_topics_have_as_many_replicas_as_there_are_brokers(brokers, replicas, in_sync) -> None:
    """With more, no consumer group and no transaction works on a small cluster."""
    found = broker_properties(brokers, "127.0.0.1:1")
    for topic in ("offsets.topic", "transaction.state.log", "share.coordinator.state.topic"):
        assert found[f"{topic}.replication.factor"] == replicas
    for topic in ("transaction.state.log", "share.coordinator.state.topic"):
        assert found[f"{topic}.min.isr"] == in_sync


def test_a_cluster_with_kafka_brokers_is_formatted_with_one_id(tmp_path) -> None:
    """A stock broker does not start on a directory without the cluster's id, or on a log of kraftpy's own level."""
    made = made_in(tmp_path / "c")
    assert [node.name for node in made.nodes] == ["controller-1", "kafka-broker-2", "kafka-broker-3"]
    found = [meta_properties(node) for node in made.nodes]
    assert [one.node_id for one in found] == [1, 2, 3]
    assert len({one.cluster_id for one in found}) == 1
    assert len({one.directory_id for one in found}) == 3
    assert {one.version for one in found} == {1}
    assert all((node.log_dirs[0] / "bootstrap.checkpoint").is_file() for node in made.nodes)


def test_a_broker_s_file_has_what_kafka_needs(tmp_path) -> None:
    """The broker would not find the quorum, or clients not the broker."""
    made = made_in(tmp_path / "c", log__retention__ms="1234")
    controller, broker, other = made.nodes
    assert load_config(controller.config_file).node_id == 1
    found = broker.properties
    assert (found["process.roles"], found["node.id"]) == ("broker", "2")
    assert found["controller.quorum.voters"] == f"1@{controller.kafka_endpoint}"
    assert found["listeners"] == f"PLAINTEXT://{broker.kafka_endpoint}"
    assert found["log.dirs"] == str(tmp_path / "c" / "kafka-broker-2" / "data")
    assert found["log.retention.ms"] == "1234"
    assert not any(key.startswith(("grpc.", "metrics.")) for key in found)
    assert (broker.directory / LOG4J_FILE).is_file()
    assert made.bootstrap_servers == f"{broker.kafka_endpoint},{other.kafka_endpoint}"


def test_racks_are_those_of_the_kafka_brokers(tmp_path) -> None:
    """All replicas of a partition could be in one rack."""
    made = made_in(tmp_path / "c", kafka_brokers=3, racks=2)
    assert [node.properties["broker.rack"] for node in made.kafka_brokers] == ["rack-1", "rack-2", "rack-1"]
    with pytest.raises(ConfigError, match="--racks 3: expected 0 to 2, the number of brokers"):
        made_in(tmp_path / "other", racks=3)


def test_a_cluster_is_opened_as_it_is(tmp_path) -> None:
    """A restart would change ports, ids or directories, and with them lose the data."""
    made = made_in(tmp_path / "c")
    before = [meta_properties(node) for node in made.nodes]
    assert find_local_cluster(tmp_path / "c") == made
    assert open_local_cluster(tmp_path / "c", controllers=None, brokers=None, kafka_brokers=2, level=LEVEL) == made
    assert [meta_properties(node) for node in made.nodes] == before
    with pytest.raises(ConfigError, match="with 2 kafka-brokers, not 3: leave --kafka-brokers out"):
        open_local_cluster(tmp_path / "c", controllers=None, brokers=None, kafka_brokers=3)
    with pytest.raises(ConfigError, match="with 0 brokers, not 1"):
        open_local_cluster(tmp_path / "c", controllers=None, brokers=1)
    assert find_local_cluster(tmp_path / "missing") is None


def opened(root: Path, kafka: str):
    """Open an existing cluster with the brokers of a Kafka version."""
    return open_local_cluster(root, controllers=None, brokers=None, level=level_for(kafka))


def test_a_kafka_older_than_the_format_is_refused(tmp_path) -> None:
    """Its brokers would start, never register, and the user only see that the cluster is not ready in time."""
    root = tmp_path / "c"
    made = open_local_cluster(root, controllers=2, brokers=None, kafka_brokers=1, level=level_for("4.1.0"))
    found = (
        f"{root} was formatted for metadata.version 27 (4.1-IV1), and the brokers of this Kafka know up to "
        "25 (4.0-IV3): they could not register. Name Kafka 4.1 or newer with --kafka-home"
    )
    with pytest.raises(ConfigError, match=re.escape(found)):
        opened(root, "4.0.1")
    assert opened(root, "4.1.1") == opened(root, "4.3.0") == made
    first, second = (node.log_dirs[0] / "bootstrap.checkpoint" for node in made.controllers)
    first.write_bytes(b"corrupt")
    with pytest.raises(ConfigError, match=re.escape(found)):
        opened(root, "4.0.1")
    second.unlink()
    assert opened(root, "4.0.1") == made, "without the level anywhere, the nodes decide"


@pytest.mark.parametrize("count", [-1, 10])
def test_the_number_has_limits(tmp_path, count) -> None:
    """Too many JVMs would make the machine unusable."""
    with pytest.raises(ConfigError, match=f"--kafka-brokers {count}: expected 0 to 9"):
        made_in(tmp_path / "c", kafka_brokers=count)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", ["log.dirs", "metadata.log.dir"])
def test_directories_elsewhere_are_refused(tmp_path, key) -> None:
    """All nodes would get the same directory, and what is there would be formatted, or never be."""
    elsewhere = tmp_path / "elsewhere"
    with pytest.raises(ConfigError, match=rf"--property {key}={elsewhere}: .*leave the property out"):
        made_in(tmp_path / "c", **{key: str(elsewhere)})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("4.0.0", "4.0-IV3"),
        ("4.1.1", "4.1-IV1"),
        ("4.2.0", "4.2-IV1"),
        ("4.3.0", "4.3-IV0"),
        ("4.4.0-SNAPSHOT", "4.3-IV0"),
        ("5.1.0", "4.3-IV0"),
    ],
)
def test_the_level_is_one_that_the_brokers_know(version, name) -> None:
    """A broker does not register with a cluster whose metadata.version is newer than it."""
    assert level_for(version) == BY_NAME[name].level


def test_kafka_s_version_is_in_the_name_of_its_core() -> None:
    """The version of another jar would give the cluster a level that the brokers do not know."""
    others = ["kafka-clients-4.1.0.jar", "kafka_2.13-4.3.0-test.jar", "scala-library-2.13.18.jar"]
    assert version_of(others) is None
    assert version_of([*others, "kafka_2.13-4.3.0.jar"]) == "4.3.0"
    assert version_of(["kafka_2.13-4.4.0-SNAPSHOT.jar"]) == "4.4.0-SNAPSHOT"


def test_the_newest_of_several_cores_is_found_by_its_numbers() -> None:
    """As text 4.9.0 is above 4.10.0, and the cluster would be formatted for an older Kafka than the one that runs."""
    oldest_first = ["4.9.0", "4.10.0-SNAPSHOT", "4.10.0-rc9", "4.10.0-rc10", "4.10.0", "4.10.1", "10.0.0"]
    jars = [f"kafka_2.13-{version}.jar" for version in oldest_first]
    for count in range(1, len(jars) + 1):
        assert version_of(jars[:count]) == version_of(jars[count - 1 :: -1]) == oldest_first[count - 1]


def test_the_command_bounds_the_heap(tmp_path) -> None:
    """Nine JVMs with a heap that depends on the machine would exhaust it."""
    command = jvm_command("/java", tmp_path / "libs", tmp_path / "kafka-broker-2")
    assert command[0] == "/java"
    assert f"-Xmx{HEAP_MAX}" in command
    assert command[command.index("-cp") + 1] == f"{tmp_path}/libs/*"
    assert command[-2:] == ["kafka.Kafka", str(tmp_path / "kafka-broker-2" / "server.properties")]
    assert f"-Dlog4j2.configurationFile={tmp_path}/kafka-broker-2/{LOG4J_FILE}" in command


def test_a_jvm_ends_in_order_with_a_code_of_its_own() -> None:
    """A clean stop of a broker would be reported as an error, or an error of a kraftpy node as a clean stop."""
    code = 128 + signal.SIGTERM
    assert ended_in_order(NodeKind.KAFKA_BROKER, code)
    assert not ended_in_order(NodeKind.CONTROLLER, code)
    for kind in NodeKind:
        assert [ended_in_order(kind, one) for one in (0, -signal.SIGTERM, 1, None)] == [True, True, False, False]


def test_a_broker_starts_until_its_log_states_that_it_serves(tmp_path) -> None:
    """READY would be printed, and a SIGTERM sent, before the broker can leave in order; old lines do not count."""
    node = LocalNode(2, NodeKind.KAFKA_BROKER, tmp_path, {})
    node.log_file.write_bytes(STARTED_MESSAGE + b"\n")
    child = Child(node, None, log_start=len(STARTED_MESSAGE) + 1)
    assert child.is_starting()
    with node.log_file.open("ab") as log:
        log.write(b"[x] INFO [KafkaRaftServer nodeId=2] " + STARTED_MESSAGE + b" (kafka.server)\n")
    assert not child.is_starting()
    assert not Child(LocalNode(1, NodeKind.BROKER, tmp_path / "none", {}), None).is_starting()


def test_the_message_is_found_across_the_borders_of_what_is_read(tmp_path, monkeypatch) -> None:
    """A broker that serves would be waited for until the timeout, wherever its message lies in the log."""
    size = 2 * len(STARTED_MESSAGE)
    monkeypatch.setattr(child_processes, "LOG_CHUNK_BYTES", size)
    node = LocalNode(2, NodeKind.KAFKA_BROKER, tmp_path, {})
    for before in range(2 * size):
        node.log_file.write_bytes(b"x" * before + STARTED_MESSAGE)
        assert not Child(node, None).is_starting(), before
    for cut in range(1, len(STARTED_MESSAGE)):
        node.log_file.write_bytes(b"x" * 3 * size + STARTED_MESSAGE[:cut])
        child = Child(node, None)
        assert child.is_starting(), cut
        with node.log_file.open("ab") as log:
            log.write(STARTED_MESSAGE[cut:])
        assert not child.is_starting(), cut


def test_a_log_is_read_once(tmp_path) -> None:
    """Nine brokers that start slowly would have all of their logs read ten times a second."""
    node = LocalNode(2, NodeKind.KAFKA_BROKER, tmp_path, {})
    node.log_file.write_bytes(b"x" * 200_000)
    child = Child(node, None)
    assert child.is_starting()
    # What was searched is not looked at again, so a message that is put there is not seen.
    with node.log_file.open("r+b") as log:
        log.write(STARTED_MESSAGE)
    assert child.is_starting()


def test_a_log_that_was_taken_away_is_no_traceback(tmp_path) -> None:
    """A user who clears logs while the cluster starts would stop all of it by a traceback."""
    child = Child(LocalNode(2, NodeKind.KAFKA_BROKER, tmp_path, {}), None)
    assert child.is_starting()


def test_a_broker_that_starts_is_waited_for_though_it_is_unfenced(tmp_path) -> None:
    """Clients would be sent to a broker that does not answer them yet."""
    nodes = tuple(NodeStatus(one, "running", is_ready=True, cluster_ids={}) for one in made_in(tmp_path / "c").nodes)
    status = ClusterStatus(nodes, "id", waiting_for="")
    late = status.while_starting({3})
    assert [one.state for one in late.nodes] == ["running", "running", "starting"]
    assert (late.ready, late.waiting_for) == (False, "kafka-broker-3 (starting)")
    assert ClusterStatus(nodes, waiting_for="a leader").while_starting({3}).waiting_for == "a leader"
    assert status.while_starting(()) == status
