"""The workload of a day: what is drawn, in which order it is done, and a replay against a scripted controller."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from bench import day_brokers
from bench.assigned import Partition
from bench.brokers import FIRST_ID
from bench.day import AHEAD_S, AsFast, DayOptions, Pipeline, measure_day
from bench.day_brokers import judged
from bench.day_plan import (
    DAY_S,
    DOWN_S,
    EPISODE_MAX,
    HEARTBEAT_S,
    MARGIN_S,
    PEAK_AT_S,
    RESTART_EVERY_S,
    ROLL_AT_S,
    Action,
    Chain,
    Day,
    Link,
)
from bench.followed import Followed
from bench.observer import Fetched
from kraftpy.model.errors import ErrorCode
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import NoOpRecord, PartitionChangeRecord, PartitionRecord, RemoveTopicRecord
from tests.unit.bench.scripted import BROKERS, unfences
from tests.unit.bench.test_broker_death import Log, batch
from tests.unit.bench.test_isr import altered
from tests.unit.bench.test_topics import deleted

TOPIC = bytes(15) + b"\1"
OWN = Chain(Link.HEARTBEATS, 0)
OTHER = Chain(Link.ALTER, 0)


def test_the_day_is_the_same_in_every_run():
    """Every step, in the order of its time within its chain; and what users cause is more frequent by day."""
    steps = Day(4).steps(0.0, DAY_S)
    assert steps == Day(4).steps(0.0, DAY_S)
    assert [step.due_s for _, step in steps] == sorted(step.due_s for _, step in steps)
    count = Counter(step.action for _, step in steps)
    assert (count[Action.SHUTDOWN], count[Action.RETURN], count[Action.ELECT]) == (4, 4, 4)
    assert count[Action.SHRINK] == count[Action.EXPAND] > 100
    assert (count[Action.CREATE], count[Action.TOPIC_CONFIG]) == (480, 720)
    created = [step.due_s for _, step in steps if step.action is Action.CREATE]
    by_day = sum(abs(one - PEAK_AT_S) < DAY_S / 4 for one in created)
    assert by_day > 2 * (len(created) - by_day)
    assert all(1 <= step.count <= EPISODE_MAX for _, step in steps if step.action is Action.SHRINK)


def test_what_happens_to_a_topic_goes_through_one_connection():
    """It is created before it grows, and grows before it is deleted: to more partitions than it had."""
    of_topic = {}
    for chain, step in Day(4).steps(0.0, DAY_S):
        if step.action in {Action.CREATE, Action.GROW, Action.DELETE}:
            of_topic.setdefault(step.serial, []).append((chain, step))
    assert any(step.action is Action.GROW for steps in of_topic.values() for _, step in steps)
    for steps in of_topic.values():
        assert len({chain for chain, _ in steps}) == 1
        assert steps[0][1].action is Action.CREATE
        counts = [step.count for _, step in steps if step.action is not Action.DELETE]
        assert counts == sorted(set(counts))


def test_no_episode_of_a_broker_comes_near_its_restart():
    """A leader that is down requests nothing, and a follower that is down does not return."""
    for chain, step in Day(4).steps(0.0, DAY_S):
        if step.action in {Action.SHRINK, Action.EXPAND}:
            for broker in (chain.broker, step.broker):
                begin_s = ROLL_AT_S + RESTART_EVERY_S * broker
                assert not begin_s - MARGIN_S < step.due_s < begin_s + RESTART_EVERY_S + MARGIN_S


def test_heartbeats_pause_while_a_broker_is_down():
    """One every two seconds, none between its shutdown and its return."""
    steps = list(Day(4).chains(ROLL_AT_S - 60, ROLL_AT_S + 240)[OWN])
    assert [step.due_s for step in steps] == sorted(step.due_s for step in steps)
    heartbeats = [step.due_s for step in steps if step.action is Action.HEARTBEAT]
    assert len(heartbeats) == (300 - DOWN_S) / HEARTBEAT_S
    assert not [one for one in heartbeats if ROLL_AT_S <= one < ROLL_AT_S + DOWN_S]
    assert [step.action for step in steps if step.action is not Action.HEARTBEAT] == [Action.SHUTDOWN, Action.RETURN]


def test_the_busiest_part_is_in_the_rolling_restart():
    """And a part of the day has no second half of what began before it."""
    day = Day(6)
    start_s = day.busiest(600.0)
    assert ROLL_AT_S - 600 < start_s < ROLL_AT_S + 6 * RESTART_EVERY_S
    part = [step for _, step in day.steps(start_s, start_s + 600)]
    begun = {step.serial for step in part if step.action is Action.SHRINK}
    assert {step.serial for step in part if step.action is Action.EXPAND} <= begun


async def test_no_step_starts_long_before_one_that_is_not_done():
    """A chain waits for those that are behind it in the day, until they are as far or have ended."""
    pace = AsFast({OWN: None, OTHER: None})
    await asyncio.wait_for(pace.start(OWN, AHEAD_S), 5)
    ahead = asyncio.ensure_future(pace.start(OWN, AHEAD_S + 1))
    await asyncio.sleep(0)
    assert not ahead.done()
    await asyncio.wait_for(pace.start(OTHER, 1.0), 5)
    await asyncio.wait_for(ahead, 5)
    ahead = asyncio.ensure_future(pace.start(OWN, AHEAD_S + 2))
    await asyncio.sleep(0)
    assert not ahead.done()
    pace.ended(OTHER)
    await asyncio.wait_for(ahead, 5)


async def test_a_pipeline_has_a_limit_and_raises_what_fails():
    """The one that is one too many waits; a failure is raised, not kept."""
    running, most = [], []

    async def run(number):
        running.append(number)
        most.append(len(running))
        await asyncio.sleep(0)
        running.remove(number)
        if number == 9:
            raise RuntimeError("nine")

    async def run_all():
        async with Pipeline(3) as pipeline:
            for number in range(10):
                await pipeline.put(run(number))

    with pytest.raises(RuntimeError, match="nine"):
        await run_all()
    assert max(most) == 3


async def test_partitions_are_followed_from_their_creation_to_their_removal():
    """Whose preferred leader is fenced has another; each change counts, and those of others do not matter."""
    followed = Followed()
    following = asyncio.ensure_future(followed.follow())
    created = PartitionRecord(0, TOPIC, [1, 2, 3], [2, 3], leader=2, leader_epoch=0, partition_epoch=0)
    changes = [
        PartitionChangeRecord(partition_id=0, topic_id=TOPIC, isr=[2, 3, 1]),
        PartitionChangeRecord(partition_id=0, topic_id=TOPIC, leader=1),
        PartitionChangeRecord(partition_id=7, topic_id=TOPIC, leader=1),
        NoOpRecord(),
    ]
    followed.take(Fetched(1.0, 5, batch(0, created)))
    await followed.until(lambda: followed.is_idle and bool(followed.partitions), "the creation")
    (before,) = (Partition(TOPIC, 0, one.replicas) for one in followed.partitions)
    assert (followed.partitions[0].leader, followed.is_newer(before)) == (2, False)
    followed.take(Fetched(2.0, 9, batch(1, *changes)))
    await followed.until(lambda: followed.is_newer(before) and followed.is_idle, "the changes")
    (partition,) = followed.partitions
    assert (partition.leader, partition.leader_epoch, partition.partition_epoch) == (1, 1, 2)
    assert partition.isr == [2, 3, 1]
    assert (followed.written, followed.records["NoOpRecord"]) == (4, 1)
    followed.take(Fetched(3.0, 10, batch(5, RemoveTopicRecord(topic_id=TOPIC))))
    await followed.until(lambda: not followed.partitions, "the removal")
    assert followed.is_newer(partition)
    following.cancel()


def answer(**row):
    state = {"leader_id": 1, "isr": [1, 2], "partition_epoch": 1} | row
    partition = rpc.AlterPartitionResponsePartitionData(**state)
    return rpc.AlterPartitionResponse(topics=[rpc.AlterPartitionResponseTopicData(TOPIC, [partition])])


WANTED = {(TOPIC, 0): (Partition(TOPIC, 0, [1, 2, 3], [1, 2, 3]), [1, 2])}


@pytest.mark.parametrize(
    ("response", "stale", "error"),
    [
        (answer(), set(), ""),
        (answer(error_code=ErrorCode.FENCED_LEADER_EPOCH), {(TOPIC, 0)}, ""),
        (answer(error_code=ErrorCode.INELIGIBLE_REPLICA), set(), "partition 0: error 107"),
        (answer(isr=[1]), set(), "partition 0: leader, its epoch"),
        (answer(partition_index=1), set(), "partition 1 was not asked about"),
        (rpc.AlterPartitionResponse(error_code=77), set(), "error 77"),
        (rpc.AlterPartitionResponse(), set(), "1 partitions are not in the answer"),
    ],
)
def test_what_an_answer_to_alter_partition_means(response, stale, error):
    """A partition that has changed meanwhile is requested again; everything else than the request is an error."""
    found = judged(response, WANTED)
    assert found[0] == stale
    assert found[1].startswith(error)
    assert bool(found[1]) == bool(error)


class Controller(Log):
    """A controller of a few partitions: what brokers and clients request comes into its log."""

    def __init__(self):
        super().__init__()
        self.partitions = {}
        self.rejections = 1
        self.stale = 1
        self.answers |= BROKERS | {
            rpc.CreateTopicsRequest: self.created,
            rpc.DeleteTopicsRequest: deleted,
            rpc.BrokerRegistrationRequest: self.register,
            rpc.BrokerHeartbeatRequest: self.beat,
            rpc.AlterPartitionRequest: self.alter,
            rpc.ElectLeadersRequest: self.elect,
            rpc.IncrementalAlterConfigsRequest: lambda _: rpc.IncrementalAlterConfigsResponse(),
            rpc.CreatePartitionsRequest: lambda _: rpc.CreatePartitionsResponse(),
            rpc.AllocateProducerIdsRequest: lambda _: rpc.AllocateProducerIdsResponse(producer_id_len=1_000),
        }

    async def positions(self):
        return {"one": self.end}

    def created(self, request):
        rows = []
        for topic in request.topics:
            topic_id = topic.name.encode()[-16:].rjust(16, b"\0")
            for index, assigned in enumerate(topic.assignments):
                replicas = list(assigned.broker_ids)
                self.partitions[topic_id, index] = [replicas, list(replicas), replicas[0]]
                self.append(
                    PartitionRecord(
                        index, topic_id, replicas, replicas, leader=replicas[0], leader_epoch=0, partition_epoch=0
                    )
                )
            row = rpc.CreateTopicsResponseCreatableTopicResult
            count = len(topic.assignments) or topic.num_partitions
            rows.append(row(name=topic.name, topic_id=topic_id, num_partitions=count, replication_factor=3))
        return rpc.CreateTopicsResponse(topics=rows)

    def register(self, request):
        is_again = request.previous_broker_epoch >= 0
        if is_again and self.rejections:
            self.rejections -= 1
            return rpc.BrokerRegistrationResponse(error_code=ErrorCode.DUPLICATE_BROKER_REGISTRATION)
        return rpc.BrokerRegistrationResponse(broker_epoch=request.previous_broker_epoch + 10)

    def beat(self, request):
        if not request.want_shut_down:
            return unfences(request)
        self.change(request.broker_id)
        return rpc.BrokerHeartbeatResponse(is_fenced=False, should_shut_down=True)

    def change(self, gone):
        for (topic_id, index), state in self.partitions.items():
            if gone in state[1]:
                state[1].remove(gone)
                leader = state[1][0] if state[2] == gone else -2
                state[2] = state[2] if leader == -2 else leader
                self.append(PartitionChangeRecord(index, topic_id, list(state[1]), leader))

    def alter(self, request):
        if self.stale:
            self.stale -= 1
            (topic, *_) = request.topics
            row = topic.partitions[0]
            self.append(PartitionChangeRecord(row.partition_index, topic.topic_id))
            return altered(request, error_code=ErrorCode.INVALID_UPDATE_VERSION)
        for topic in request.topics:
            for row in topic.partitions:
                isr = [one.broker_id for one in row.new_isr_with_epochs]
                self.partitions[topic.topic_id, row.partition_index][1] = isr
                self.append(PartitionChangeRecord(row.partition_index, topic.topic_id, list(isr)))
        return altered(request)

    def elect(self, _):
        for (topic_id, index), state in self.partitions.items():
            if state[2] != state[0][0]:
                state[2] = state[0][0]
                self.append(PartitionChangeRecord(index, topic_id, None, state[2]))
        return rpc.ElectLeadersResponse()


async def test_a_replay_restarts_brokers_and_counts_what_it_made(monkeypatch):
    """A session that lasts is waited for, a partition that changed meanwhile is requested again: no errors."""
    monkeypatch.setattr(day_brokers, "REGISTRATION_PAUSE_S", 0.05)
    async with Controller() as system:
        options = DayOptions(brokers=4, partitions=4, hours=0.25, window_minutes=2, speed=200, in_flight=40)
        fast, every, others, *rows = await measure_day(system, 1, options, lambda _: None)
    assert fast.work == "0.25 h of 4 brokers, as fast as it goes"
    assert (fast.notes, every.notes) == ([], [])
    assert system.rejections == 0
    assert (fast.figures["waited s"] > 0, every.figures["errors"]) == (True, 0)
    assert fast.samples["partitions changed meanwhile"] == [1]
    assert fast.figures["written records"] == sum(
        fast.samples[name][0] for name in fast.samples if name.endswith("Records")
    )
    returned = [one for one in system.of(rpc.BrokerRegistrationRequest) if one.previous_broker_epoch >= 0]
    assert FIRST_ID + 3 in {one.broker_id for one in returned}
    assert len({one.incarnation_id for one in system.of(rpc.BrokerRegistrationRequest)}) > 4
    assert every.work == "busiest 2 min at 200x"
    assert every.figures["steps"] == sum(row.figures["steps"] for row in rows)
    assert others.figures["steps"] == every.figures["steps"] - 240
    assert rows[0].work == "200x, heartbeat"


async def test_an_error_is_counted_and_named():
    """The first of them is in the note."""
    async with Controller() as system:
        system.answers[rpc.DescribeQuorumRequest] = _failing(system.describe)
        options = DayOptions(brokers=4, partitions=4, hours=0.02, window_minutes=1, speed=500)
        fast, *_ = await measure_day(system, 1, options, lambda _: None)
    assert fast.figures["errors"] > 0
    assert fast.notes[0].endswith("the first: DescribeQuorum: error 41")


def _failing(describe):
    """The first answer is for the observer."""
    answers = iter([describe])

    def answer_to(request):
        right = next(answers, None)
        return rpc.DescribeQuorumResponse(error_code=41) if right is None else right(request)

    return answer_to
