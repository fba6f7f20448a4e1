"""Leaders that move back by themselves: the percentage, the health of the broker, the rate, and unclean elections."""

from __future__ import annotations

import pytest

from kraftpy.controller import periodic_elections
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.partition_change import partition_change
from kraftpy.controller.result import ControllerResult
from kraftpy.records.metadata import ConfigRecord, PartitionChangeRecord
from tests.unit.controller.worlds import World, beat, set_configs, topic_records

TOPIC = 2


def world_of(*partitions, brokers=(1, 2), **config):
    """A world with these partitions, whose periodic elections are due every 1,000 ms; sessions do not end."""
    settings = {"leader_election_interval_ms": 1_000, "session_timeout_ms": 10**9, **config}
    world = World(level=30, config=ControllerConfig(**settings))
    for broker_id in brokers:
        world.alive(broker_id)
    world.append(ControllerResult(tuple(topic_records(*partitions)), None))
    for broker_id in brokers:
        world.do(beat(broker_id, world.broker(broker_id).broker_epoch, world.offset))
    return world


def elected(world, now_ms):
    """Tick at a time; return partition to leader of every election."""
    world.now_ms = now_ms
    records = [record for result in world.ticks() for record in result]
    assert all(isinstance(record, PartitionChangeRecord) for record in records)
    return {record.partition_id: record.leader for record in records}


def led_by_others(count, of):
    """Partitions that prefer broker 1, some of which broker 2 leads."""
    return [([1, 2], [1, 2], 2 if number < count else 1) for number in range(of)]


@pytest.mark.parametrize(
    ("count", "percentage", "moves"), [(1, 10, False), (2, 10, True), (1, 0, True), (10, 100, False), (10, 99, True)]
)
def test_leaders_move_back_above_the_percentage(count, percentage, moves):
    """Of ten partitions: more than the percentage must be led by others; 0 moves every leader back."""
    world = world_of(*led_by_others(count, 10), leader_imbalance_percentage=percentage)
    assert elected(world, 999) == {}
    assert elected(world, 1_000) == (dict.fromkeys(range(count), 1) if moves else {})
    assert elected(world, 1_000_000) == {}


def test_nothing_moves_where_it_is_switched_off():
    """auto.leader.rebalance.enable=false."""
    world = world_of(*led_by_others(5, 5), leader_rebalance=False)
    assert elected(world, 10_000) == {}


@pytest.mark.parametrize("why", ["fenced", "out of sync", "reassigned", "behind"])
def test_what_keeps_a_leader_where_it_is(why, monkeypatch):
    """A broker that cannot lead, or that would learn late that it leads; and a partition that is on the move."""
    monkeypatch.setattr(periodic_elections, "LAG_MAX", 3)
    rows = {
        "out of sync": ([1, 2], [2], 2),
        "reassigned": ([1, 2, 3], [1, 2], 2, {"adding_replicas": [3]}),
    }
    world = world_of(rows.get(why, ([1, 2], [1, 2], 2)))
    epoch = world.broker(1).broker_epoch
    if why == "fenced":
        world.do(beat(1, epoch, world.offset, want_fence=True))
        world.append(
            ControllerResult(
                (PartitionChangeRecord(partition_id=0, topic_id=topic_records()[0].topic_id, isr=[2, 1]),), None
            )
        )
    elif why == "behind":
        world.append(ControllerResult(tuple(ConfigRecord(16, "m", "metrics", str(n)) for n in range(5)), None))
    assert elected(world, 5_000) == {}
    if why == "behind":
        world.do(beat(1, epoch, world.offset))
        assert elected(world, 10_000) == {0: 1}


def test_the_rate_of_elections():
    """A step writes a limited number of records, and the next one waits; the next run comes an interval later."""
    world = world_of(*led_by_others(10, 10), leader_election_interval_ms=100_000, elections_per_step=4)
    found = [len(elected(world, now_ms)) for now_ms in (100_000, 100_999, 101_000, 102_000, 103_000)]
    assert found == [4, 0, 4, 2, 0]
    assert world.controller.next_deadline_ms() == 203_000


@pytest.mark.parametrize("leader", [2, -1])
def test_a_step_works_out_no_more_elections_than_it_holds(leader, monkeypatch):
    """Else the work of a run grows with the square of a broker's partitions."""
    worked_out = []

    def counting(*asked):
        worked_out.append(asked)
        return partition_change(*asked)

    monkeypatch.setattr(periodic_elections, "partition_change", counting)
    world = world_of(*[([1, 2], [1, 2], leader)] * 10, unclean_leader_election=True, elections_per_step=4)
    assert len(elected(world, 1_000)) == len(worked_out) == 4


def test_a_step_looks_at_a_limited_number_of_partitions(monkeypatch):
    """The rest waits for the next turn, at once."""
    monkeypatch.setattr(periodic_elections, "PARTITIONS_PER_STEP", 1)
    world = world_of(([2, 1], [1, 2], 1), ([1, 2], [1, 2], 1))
    world.now_ms = 1_000
    assert world.controller.tick(1_000) is None
    assert world.controller.next_deadline_ms() == 1_000
    assert world.controller.tick(1_000).records[0].leader == 2


def test_an_unclean_election_when_a_config_allows_it():
    """At once when the topic's config comes, and by itself where the file allows it; else never."""
    world = world_of(([1, 2], [1], -1), brokers=(2,), leader_election_interval_ms=100_000)
    assert elected(world, 500_000) == {}
    world.do(set_configs(TOPIC, "orders", ("unclean.leader.election.enable", "true")))
    assert elected(world, 500_000) == {0: 2}
    assert int(world.partition().leader_recovery_state) == 1
    by_file = world_of(([1, 2], [1], -1), brokers=(2,), unclean_leader_election=True)
    assert elected(by_file, 1_000) == {0: 2}


def test_a_config_that_comes_during_a_run(monkeypatch):
    """The run begins again at its end: it may have passed the brokers that the config concerns."""
    monkeypatch.setattr(periodic_elections, "PARTITIONS_PER_STEP", 1)
    world = world_of(([1, 2], [1], -1), ([3], [3], 3), brokers=(2, 3), leader_election_interval_ms=100_000)
    world.now_ms = 100_000
    assert world.controller.tick(100_000) is None, "broker 2 is passed, and broker 3 is not"
    world.do(set_configs(TOPIC, "orders", ("unclean.leader.election.enable", "true")))
    found = {}
    for _ in range(3):
        found |= elected(world, 100_000)
    assert found == {0: 2}
    assert elected(world, 101_000) == {}


def test_an_empty_cluster_has_no_deadline():
    """Nothing is looked at where there are no partitions."""
    world = World(level=30)
    assert world.controller.next_deadline_ms() is None


def test_elections_are_worked_out_in_slices(monkeypatch):
    """A broker that is in no ISR yet is the preferred leader of 100,000 partitions: seconds without a result."""
    monkeypatch.setattr(periodic_elections, "PARTITIONS_PER_SLICE", 1)
    world = world_of(*[([1, 2], [2], 2)] * 10)
    world.now_ms = 1_000
    slices = world.controller.tick_in_slices(world.now_ms)
    assert sum(1 for _ in slices) == 10
