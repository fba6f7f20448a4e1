"""What holds for topics whatever is asked, and whichever brokers come and go."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kraftpy.controller.topic_requests import (
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsTopic,
    CreateTopics,
    DeleteTopics,
    PlacementOptions,
    TopicRef,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import PartitionRecord
from tests.unit.controller.worlds import World, beat, register, uuid

BROKERS = st.integers(1, 5)
NAMES = st.sampled_from(["a", "b", "c.d", "c_d", "e"])
REPLICAS = st.lists(st.integers(1, 6), max_size=3).map(tuple)

steps = st.one_of(
    st.tuples(st.just("create"), NAMES, st.integers(-2, 4), st.integers(-2, 5), st.sampled_from(["striped", "kip36"])),
    st.tuples(st.just("assign"), NAMES, st.lists(REPLICAS, min_size=1, max_size=3)),
    st.tuples(st.just("grow"), NAMES, st.integers(-1, 6)),
    st.tuples(st.just("delete"), NAMES),
    st.tuples(st.just("register"), BROKERS, st.integers(0, 1), st.sampled_from([None, "r1", "r2"])),
    st.tuples(st.just("beat"), BROKERS, st.booleans(), st.booleans()),
    st.tuples(st.just("commit")),
)


def request_of(world: World, step):
    kind, *rest = step
    match kind:
        case "create":
            name, partitions, factor, placer = rest
            topic = CreatableTopic(name, partitions, factor)
            return CreateTopics((topic,), PlacementOptions(placer))
        case "assign":
            name, replicas = rest
            return CreateTopics((CreatableTopic(name, assignments=tuple(enumerate(replicas))),))
        case "grow":
            return CreatePartitions((CreatePartitionsTopic(*rest),))
        case "delete":
            return DeleteTopics((TopicRef(*rest),))
        case "register":
            broker, number, rack = rest
            return register(broker, incarnation_id=uuid(10 * broker + number), rack=rack)
        case _:
            broker, fence, shutdown = rest
            known = world.controller.image.cluster.brokers.get(broker)
            epoch = known.broker_epoch if known else 5
            return beat(broker, epoch, world.offset, want_fence=fence, want_shutdown=shutdown)


def check(world: World) -> None:
    image = world.controller.image
    topics, brokers = image.topics, image.cluster.brokers
    assert {topic.name: topic_id for topic_id, topic in topics.by_id.items()} == dict(topics.ids_by_name)
    normal = [name.replace(".", "_") for name in topics.ids_by_name]
    assert len(set(normal)) == len(normal)
    for topic in topics.by_id.values():
        assert sorted(topic.partitions) == list(range(len(topic.partitions)))
        assert len({len(partition.replicas) for partition in topic.partitions.values()}) == 1
        for partition in topic.partitions.values():
            assert len(set(partition.replicas)) == len(partition.replicas) == len(partition.directories) > 0
            assert set(partition.isr) <= set(partition.replicas)
            assert partition.isr
            if partition.leader is not None:
                assert partition.leader in partition.isr
                assert brokers[partition.leader].is_active


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, max_size=40))
def test_topics_stay_sound(run) -> None:
    """After some step a name or a partition is there twice, an ISR is no subset, or a leader may not lead."""
    world = World(level=30)
    for broker in (1, 2, 3):
        world.alive(broker)
    world.register(4)
    for step in run:
        if step[0] == "commit":
            world.commit()
            continue
        before = world.controller.image
        try:
            records, response = world.do(request_of(world, step))
        except ApiError:
            assert world.controller.image is before
            continue
        if hasattr(response, "topics") and response.topics[0].error is not ErrorCode.NONE:
            assert not records
        brokers = world.controller.image.cluster.brokers
        for record in records:
            if isinstance(record, PartitionRecord):
                assert all(brokers[broker].is_active for broker in record.isr)
        check(world)
