"""Trogdor's workloads on three stock brokers and our controllers, while a controller and a broker are killed.

``CONTROLLERS=kafka`` runs them on Kafka's controllers, which shows whether a failure is one of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.interop.conftest import wanted
from tests.interop.processes import HOST
from tests.interop.trogdor.tasks import NODE, Task, fetch_trogdor
from tests.kafka_faults.world import CONTROLLERS, REPLICAS, World

MESSAGES = 30_000
"""At :data:`PER_SECOND` they take a minute; the faults take half of that on two cores."""
PER_SECOND = 500
FAST_PER_S = 5_000
COMMITTED = 5_000
PER_TRANSACTION = 25
PARTITIONS = 3
CONNECTIONS_PER_SECOND = 50
STRESSED_MS = 10_000
TIMEOUT_S = 120.0

Start = Callable[..., Task]


@pytest.fixture(autouse=True)
def healed(world: World) -> Iterator[None]:
    """A test that fails leaves a cluster to the others."""
    yield
    world.heal()
    world.wait("all is whole again", world.is_whole)


@pytest.fixture
def start(world: World, tmp_path: Path) -> Iterator[Start]:
    """Start a task for the cluster; it ends with the test."""
    jars = wanted(fetch_trogdor, "Trogdor")
    with ExitStack() as stack:

        def started(name: str, workload: str, **spec: object) -> Task:
            task = Task(jars, tmp_path, name, workload, {"bootstrapServers": world.servers, **spec})
            stack.callback(task.kill)
            return task

        yield started


def topics(name: str) -> dict[str, object]:
    return {name: {"numPartitions": PARTITIONS, "replicationFactor": REPLICAS}}


@pytest.mark.timeout(300)
def test_each_message_makes_the_round_trip_while_nodes_die(world: World, start: Start) -> None:
    """A message is lost, or the task ends, when the active controller dies, then a broker that leads, then both."""
    topic = "round-trip"
    task = start(
        "round-trip", "RoundTripWorkloadSpec", clientNode=NODE, targetMessagesPerSec=PER_SECOND, maxMessages=MESSAGES,
        activeTopics=topics(topic),
        # Its default of a second is shorter than the first answer of a broker on a busy machine.
        producerConf={"max.block.ms": "60000"},
    )  # fmt: skip
    world.wait("the topic is there", lambda: has_led_partitions(world, topic))
    lose_the_active_controller(world)
    lose_a_leader(world, topic)
    lose_the_active_controller(world, and_leader_of=topic)
    assert task.is_running, "it was done before the faults were: more MESSAGES are needed"
    assert task.finish(TIMEOUT_S) == {"totalUniqueSent": MESSAGES, "totalReceived": MESSAGES}


def has_led_partitions(world: World, topic: str) -> bool:
    leaders = [one.leader for one in world.partitions() if one.topic == topic]
    return len(leaders) == PARTITIONS and -1 not in leaders


def lose_the_active_controller(world: World, and_leader_of: str | None = None) -> None:
    """Kill it, and a broker that leads at the same time; both return once there are others."""
    active, epoch = world.active(), world.epoch()
    leader = None if and_leader_of is None else world.leader_of(and_leader_of)
    assert leader != -1
    world.kill(active, *([] if leader is None else [leader]))
    world.quorum.wait_for_leader(other_than=active)
    assert world.epoch() > epoch
    if leader is not None and and_leader_of is not None:
        world.wait(f"{leader} leads nothing", lambda: has_moved(world, and_leader_of, leader))
    world.heal()
    world.wait("all is whole again", world.is_whole)


def lose_a_leader(world: World, topic: str) -> None:
    """Kill a broker that leads; it returns once others lead."""
    leader = world.leader_of(topic)
    assert leader != -1
    world.kill(leader)
    world.wait(f"{leader} leads nothing", lambda: has_moved(world, topic, leader))
    world.heal()
    world.wait("all is whole again", world.is_whole)


def has_moved(world: World, topic: str, victim: int) -> bool:
    found = world.partitions(topic, without=[victim])
    return bool(found) and not {-1, victim} & {one.leader for one in found}


@pytest.mark.timeout(300)
def test_transactions_are_written_and_a_group_reads_them(start: Start) -> None:
    """Transaction coordinators or groups do not work as the benchmark of Kafka's system tests needs them."""
    written = start(
        "produce", "ProduceBenchSpec", producerNode=NODE, targetMessagesPerSec=FAST_PER_S, maxMessages=COMMITTED,
        transactionGenerator={"type": "uniform", "messagesPerTransaction": PER_TRANSACTION},
        activeTopics=topics("bench"), inactiveTopics=topics("idle[1-3]"),
    ).finish(TIMEOUT_S)  # fmt: skip
    assert written["totalSent"] == COMMITTED
    assert written["transactionsCommitted"] == COMMITTED / PER_TRANSACTION
    read = start(
        "consume", "ConsumeBenchSpec", consumerNode=NODE, targetMessagesPerSec=FAST_PER_S, maxMessages=COMMITTED,
        consumerGroup="bench", activeTopics=["bench"],
        consumerConf={"auto.offset.reset": "earliest", "isolation.level": "read_committed"},
    ).finish(TIMEOUT_S)  # fmt: skip
    (status,) = read.values()
    assert status["totalMessagesReceived"] == COMMITTED
    assert sorted(status["assignedPartitions"]) == [f"bench-{number}" for number in range(PARTITIONS)]


@pytest.mark.timeout(300)
def test_controllers_take_connections_that_come_and_go(world: World, start: Start) -> None:
    """A controller refuses connections, or keeps what ended ones had: Trogdor's ``ConnectionStress`` on the quorum."""
    active = world.active()
    status = start(
        "connect", "ConnectionStressSpec", clientNode=[NODE], action="CONNECT", durationMs=STRESSED_MS,
        bootstrapServers=",".join(f"{HOST}:{world.endpoints[one]}" for one in CONTROLLERS),
        targetConnectionsPerSec=CONNECTIONS_PER_SECOND, numThreads=4,
    ).finish(TIMEOUT_S)  # fmt: skip
    (found,) = status.values() if "totalConnections" not in status else [status]
    assert found["totalFailedConnections"] == 0
    assert found["totalConnections"] >= CONNECTIONS_PER_SECOND * STRESSED_MS / 1_000 / 2
    assert world.active() == active
    for controller in CONTROLLERS:
        world.wait(
            f"{controller} has closed them", lambda at=controller: open_files(world, at) < found["totalConnections"] / 6
        )


def open_files(world: World, node_id: int) -> int:
    """Return how many files and connections a node has open; only Linux shows it."""
    process = world.quorum.members[node_id].process
    assert process is not None
    return len(list(Path(f"/proc/{process.process.pid}/fd").iterdir()))
