"""Failover of brokers and controllers, by the numbers of docs/failover.md."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import generate_latest
from structlog.testing import capture_logs

from kraftpy.broker.lifecycle import BrokerLifecycle, LifecycleConfig
from kraftpy.broker.outputs import GiveUp, SendRegistration
from kraftpy.cli.topic_text import partition_line, topic_line
from kraftpy.client.values import PartitionInfo, TopicInfo
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.partition_requests import AlterPartition, IsrMember, PartitionAlteration
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import finished
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics
from kraftpy.image import EMPTY, MetadataDelta
from kraftpy.image.partition_counts import PartitionCounts, PartitionHealth
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.node.cluster_events import ClusterEventLog
from kraftpy.node.metrics import NodeMetrics
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord
from tests.unit.controller.worlds import (
    TOPIC_ID,
    World,
    beat,
    range_of,
    register,
    set_configs,
    topic_records,
    uuid,
)
from tests.unit.node.test_metrics import node as measured_node

SESSION_MS = 9_000
ELR = "eligible.leader.replicas.version"
DATA_PLANE = {3, 4, 21, 24}


def world_of(*partitions, live=(1, 2, 3), elr=False, **config) -> World:
    """A world with these partitions of "orders" and unfenced brokers."""
    settings = {"leader_rebalance": False, **config}
    records = (FeatureLevelRecord(ELR, 1), ConfigRecord(4, "", "min.insync.replicas", "2")) if elr else ()
    world = World(level=30, config=ControllerConfig(**settings), records=records)
    for broker_id in live:
        world.alive(broker_id, features=(range_of(), range_of(ELR, 0, 1)))
    if partitions:
        world.append(ControllerResult(tuple(topic_records(*partitions)), None))
    return world


def fail(world: World, *brokers: int) -> None:
    """Let these brokers send no heartbeat for a session timeout, while all others do."""
    world.now_ms += SESSION_MS
    for broker_id, broker in sorted(world.controller.image.cluster.brokers.items()):
        if broker_id not in brokers and not broker.fenced:
            world.do(beat(broker_id, broker.broker_epoch, world.offset))
    world.ticks()


def come_back(world: World, broker_id: int) -> None:
    """Send a heartbeat of a fenced broker that has caught up."""
    world.do(beat(broker_id, world.broker(broker_id).broker_epoch, world.offset))


def alter(world: World, leader: int, isr: list[int]):
    """Let the leader change the ISR; return the error."""
    found = world.partition()
    members = tuple(IsrMember(member, world.broker(member).broker_epoch) for member in isr)
    altered = PartitionAlteration(
        partition_id=0, leader_epoch=found.leader_epoch, partition_epoch=found.partition_epoch, isr=members
    )
    epoch = world.broker(leader).broker_epoch
    request = AlterPartition(broker_id=leader, broker_epoch=epoch, topics=((TOPIC_ID, (altered,)),))
    ((_, (answer,)),) = world.do(request)[1].topics
    return answer.error


def state(world: World, number: int = 0):
    """Leader, ISR and replicas of a partition."""
    found = world.partition(number)
    return found.leader, found.isr, found.replicas


def health_of(world: World) -> PartitionHealth:
    counts = PartitionCounts()
    counts.update(MetadataDelta.between(EMPTY, world.controller.image), world.controller.image)
    return counts.health()


def lines_of(world: World, happens) -> dict[str, list[int]]:
    """Return the brokers, or the partitions, of each line that a node logs of what happens."""
    world.commit()
    before = world.committed_image
    happens()
    world.commit()
    with capture_logs() as lines:
        finished(
            ClusterEventLog().update_in_slices(
                MetadataDelta.between(before, world.committed_image), world.committed_image
            )
        )
    return {line["event"]: line.get("brokers", line.get("partitions")) for line in lines}


@given(brokers=st.integers(1, 6), partitions=st.integers(1, 8), data=st.data())
def test_f_01_one_leader_and_replicas_on_different_brokers(brokers, partitions, data):
    world = world_of(live=range(brokers))
    factor = data.draw(st.integers(1, brokers))
    topic = CreatableTopic(name="orders", partitions=partitions, replication_factor=factor)
    world.do(CreateTopics(topics=(topic,)))
    made = world.controller.image.topics.named("orders").partitions
    assert len(made) == partitions
    for partition in made.values():
        assert len(set(partition.replicas)) == len(partition.replicas) == factor
        assert partition.leader == partition.replicas[0]


def test_f_02_one_controller_decides():
    world = world_of(([1, 2], [1, 2], 1))
    world.controller.resign()
    with pytest.raises(ApiError) as caught:
        world.controller.decide(0, set_configs(2, "orders", ("retention.ms", "1")))
    assert caught.value.code is ErrorCode.NOT_CONTROLLER
    assert world.controller.tick(10**9) is None


def test_f_05_the_next_leader_is_a_member_of_the_isr():
    world = world_of(([1, 2, 3], [1, 3], 1))
    fail(world, 1)
    assert state(world) == (3, (3,), (1, 2, 3))


def test_f_06_a_replica_outside_the_isr_does_not_lead():
    world = world_of(([1, 2, 3], [1], 1))
    fail(world, 1)
    assert state(world) == (None, (1,), (1, 2, 3))


def test_f_07_a_broker_without_controllers_tries_again_and_gives_up():
    class Middle:
        def below(self, bound):
            return bound // 2

    machine = BrokerLifecycle(
        config=LifecycleConfig(
            broker_id=7,
            incarnation_id=uuid(1),
            listeners=(Listener("PLAINTEXT", "h", 9092),),
            features=(SupportedFeature("metadata.version", 7, 42),),
            rack=None,
            log_dirs=(uuid(2),),
            previous_broker_epoch=-1,
        ),
        jitter=Middle(),
    )
    machine.cluster_id_known(0, "the-cluster")
    outputs, now_ms, delays = list(machine.start(0)), 0, []
    while not any(isinstance(output, GiveUp) for output in outputs):
        assert any(isinstance(output, SendRegistration) for output in outputs)
        failed = machine.registration_failed(now_ms, ErrorCode.REQUEST_TIMED_OUT, "no controller")
        due_ms = machine.next_deadline_ms()
        delays.append(due_ms - now_ms)
        now_ms = due_ms
        outputs = [*failed, *machine.tick(now_ms)]
    assert delays[0] < delays[3] < delays[5]
    assert now_ms == LifecycleConfig.__dataclass_fields__["initial_registration_timeout_ms"].default


def test_f_08_a_broker_that_hangs_is_fenced_after_its_session():
    world = world_of(([1, 2], [1, 2], 1))
    assert ControllerConfig().session_timeout_ms == SESSION_MS
    world.now_ms = SESSION_MS - 1
    assert world.ticks() == []
    world.now_ms = SESSION_MS
    world.ticks()
    assert world.broker(1).fenced


def test_f_09_a_new_incarnation_waits_for_the_old_session():
    world = world_of()
    again = register(1, incarnation_id=uuid(77), features=(range_of(), range_of(ELR, 0, 1)))
    with pytest.raises(ApiError) as caught:
        world.do(again)
    assert caught.value.code is ErrorCode.DUPLICATE_BROKER_REGISTRATION
    assert world.broker(1).incarnation_id == uuid(1)
    fail(world, 1)
    world.do(again)
    assert world.broker(1).incarnation_id == uuid(77)


def test_f_10_a_new_broker_changes_no_partition():
    world = world_of(([1, 2], [1, 2], 1))
    before = world.controller.image.topics
    world.alive(9)
    assert world.controller.image.topics == before


def test_f_11_the_log_names_who_came_went_and_failed():
    world = world_of(live=(1, 2))
    assert lines_of(world, lambda: world.alive(3)) == {"brokers_unfenced": [3], "live_brokers_changed": [1, 2, 3]}
    assert lines_of(world, lambda: fail(world, 1)) == {"brokers_failed": [1], "live_brokers_changed": [2, 3]}


def test_f_12_only_what_the_failed_broker_led_gets_a_leader():
    world = world_of(([1, 2], [1, 2], 1), ([2, 1], [2, 1], 2), ([1], [1], 1), ([2, 3], [2, 3], 2))
    untouched = world.partition(3)
    fail(world, 1)
    assert state(world, 0)[0] == 2
    assert (state(world, 1)[0], world.partition(1).leader_epoch) == (2, 0)
    assert state(world, 2)[0] is None
    assert world.partition(3) == untouched


def test_f_13_a_failed_follower_leaves_the_isr_only():
    world = world_of(([2, 1], [2, 1], 2))
    fail(world, 1)
    assert state(world) == (2, (2,), (2, 1))
    assert world.partition().leader_epoch == 0


def test_f_14_lost_replicas_are_not_replaced():
    world = world_of(([1, 2], [1, 2], 1))
    fail(world, 1)
    world.now_ms += 10 * SESSION_MS
    world.do(beat(2, world.broker(2).broker_epoch, world.offset))
    world.ticks()
    assert state(world)[2] == (1, 2)


def test_f_15_slow_replicas_leave_the_isr_and_return():
    world = world_of(([1, 2], [1, 2], 1))
    assert alter(world, 1, [1, 3]) is ErrorCode.INVALID_REQUEST
    assert alter(world, 1, [1]) is ErrorCode.NONE
    assert state(world)[1] == (1,)
    assert alter(world, 1, [1, 2]) is ErrorCode.NONE
    assert state(world)[1] == (1, 2)


@pytest.mark.parametrize("is_allowed", [False, True])
def test_f_16_without_a_candidate(is_allowed):
    world = world_of(([1, 2], [1], 1))
    if is_allowed:
        world.do(set_configs(2, "orders", ("unclean.leader.election.enable", "true")))
    lines = lines_of(world, lambda: fail(world, 1))
    assert state(world)[0] == (2 if is_allowed else None)
    assert lines.get("unclean_leaders_elected") == (["orders-0"] if is_allowed else None)
    assert lines.get("partitions_offline") == (None if is_allowed else ["orders-0"])


def test_f_17_a_broker_that_returns_brings_its_partitions_online():
    world = world_of(([1], [1], 1), ([1, 2], [1, 2], 1))
    fail(world, 1)
    assert state(world, 0)[0] is None
    lines = lines_of(world, lambda: come_back(world, 1))
    assert state(world, 0)[0] == 1
    assert state(world, 1) == (2, (2,), (1, 2))
    assert lines == {"brokers_unfenced": [1], "live_brokers_changed": [1, 2, 3], "partitions_online": ["orders-0"]}


def test_f_18_leadership_does_not_return_by_itself():
    world = world_of(([1, 2], [1, 2], 1))
    fail(world, 1)
    come_back(world, 1)
    assert alter(world, 2, [2, 1]) is ErrorCode.NONE
    assert state(world)[0] == 2


@pytest.mark.parametrize(("moved", "returns"), [(1, False), (2, True)])
def test_f_19_leaders_return_above_the_percentage(moved, returns):
    """Of ten partitions that prefer broker 1, and 10 % allowed, every 300 s."""
    config = ControllerConfig()
    assert (config.leader_imbalance_percentage, config.leader_election_interval_ms) == (10, 300_000)
    partitions = [([1, 2], [1, 2], 2 if number < moved else 1) for number in range(10)]
    world = world_of(*partitions, live=(1, 2), leader_rebalance=True, session_timeout_ms=10**9)
    for broker_id in (1, 2):
        come_back(world, broker_id)
    world.now_ms = 300_000
    world.ticks()
    assert [state(world, number)[0] for number in range(10)].count(1) == (10 if returns else 10 - moved)


def test_f_20_another_controller_goes_on_with_the_state_of_the_log():
    world = world_of(([1, 2], [1, 2], 1))
    world.commit()
    successor = World(level=30, image=world.committed_image)
    assert successor.controller.image.topics == world.controller.image.topics
    assert successor.ticks() == []
    assert state(successor) == state(world)


def test_f_22_a_broker_that_failed_without_a_controller_is_fenced_by_the_next():
    world = world_of(([1, 2], [1, 2], 1))
    world.commit()
    successor = World(level=30, image=world.committed_image)
    fail(successor, 1)
    assert successor.broker(1).fenced
    assert state(successor)[0] == 2


def test_f_23_the_bound_of_a_controller_and_broker_that_fail_together():
    world = world_of(([1, 2], [1, 2], 1))
    world.commit()
    successor = World(level=30, image=world.committed_image)
    assert successor.controller.next_deadline_ms() == SESSION_MS


def test_f_25_describe_prints_a_topic_and_its_partitions():
    partition = PartitionInfo(**_fields(PartitionInfo, partition=0, leader=1, replicas=(1, 2), isr=(1,)))
    topic = TopicInfo(
        **_fields(
            TopicInfo, name="orders", topic_id=TOPIC_ID, partition_count=1, replication_factor=2, configs={"a": "b"}
        )
    )
    assert "PartitionCount: 1\tReplicationFactor: 2\tConfigs: a=b" in topic_line(topic)
    assert "Partition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\t" in partition_line("orders", partition)


def _fields(kind, **given_fields):
    """Fill the other fields of a value with something empty."""
    return {field.name: given_fields.get(field.name, ()) for field in dataclasses.fields(kind)}


def test_f_26_four_states_of_health():
    none = PartitionHealth(0, 0, 0, 0, 0)
    healthy = world_of(([1, 2], [1, 2], 1))
    assert health_of(healthy) == none._replace()
    assert health_of(world_of(([1, 2], [1, 2], 2))) == none._replace(not_preferred=1)
    assert health_of(world_of(([1, 2], [1], 1))) == none._replace(under_replicated=1, at_min_isr=1)
    offline = health_of(world_of(([1, 2], [1], -1)))
    assert offline == none._replace(offline=1, under_replicated=1, under_min_isr=1, not_preferred=1)


@pytest.mark.parametrize(("elr", "isr"), [(False, (1,)), (True, ())])
def test_f_27_offline_with_and_without_eligible_leader_replicas(elr, isr):
    world = world_of(([1], [1], 1), elr=elr)
    fail(world, 1)
    assert state(world) == (None, isr, (1,))
    assert health_of(world).offline == 1


def test_f_28_the_log_shows_which_failure_it_was():
    world = world_of(([1, 2], [1, 2], 1))
    leaving = beat(1, world.broker(1).broker_epoch, world.offset, want_shutdown=True)
    assert set(lines_of(world, lambda: world.do(leaving))) == {"brokers_shutting_down"}
    assert set(lines_of(world, lambda: fail(world, 2, 3))) == {
        "brokers_failed",
        "live_brokers_changed",
        "partitions_offline",
    }


def test_f_29_metrics():
    world = world_of(([1, 2], [2], 2))
    world.commit()
    metrics = NodeMetrics(measured_node(published_image=world.committed_image))
    finished(metrics.update_in_slices(MetadataDelta.between(EMPTY, world.committed_image), world.committed_image))
    text = generate_latest(metrics.registry).decode()
    values = dict(re.findall(r"^(kraft_[a-z_]+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE))
    assert {
        name: float(values[name])
        for name in (
            "kraft_offline_partitions",
            "kraft_preferred_replica_imbalance",
            "kraft_under_replicated_partitions",
            "kraft_under_min_isr_partitions",
            "kraft_active_controller",
            'kraft_brokers{state="fenced"}',
        )
    } == {
        "kraft_offline_partitions": 0,
        "kraft_preferred_replica_imbalance": 1,
        "kraft_under_replicated_partitions": 1,
        "kraft_under_min_isr_partitions": 0,
        "kraft_active_controller": 0,
        'kraft_brokers{state="fenced"}': 0,
    }


def test_f_30_one_replica_is_unavailable_without_its_broker():
    world = world_of(([1], [1], 1))
    fail(world, 1)
    assert state(world)[0] is None
    come_back(world, 1)
    assert state(world)[0] == 1


def test_every_requirement_has_a_row_and_a_test_or_is_the_brokers():
    """A number is left out, or is named twice, in the tests or in the table."""
    numbers = [int(found[1]) for name in globals() if (found := re.match(r"test_f_(\d\d)_", name))]
    page = (Path(__file__).parents[2] / "docs" / "failover.md").read_text(encoding="utf-8")
    rows = [int(number) for number in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)]
    assert rows == list(range(1, 31))
    assert sorted([*numbers, *DATA_PLANE]) == rows
    without = [
        int(number) for number in re.findall(r"^\| (\d+) \|.*[Bb]rokers that store records \|$", page, re.MULTILINE)
    ]
    assert set(without) == DATA_PLANE
