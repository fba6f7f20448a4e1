"""What holds for a controller whatever it is asked, and whenever it loses its leadership."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kraftpy.controller.requests import AlterOp, FeatureUpdate, FeatureUpdateKind, UnregisterBroker, UpdateFeatures
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError
from kraftpy.model.features import SchemaSet
from kraftpy.records.metadata import decode_record
from tests.unit.controller.worlds import World, beat, register, register_controller, set_configs, topic_records, uuid

BROKERS = st.integers(1, 3)
PARTITIONS = (([1, 2, 3], [1, 2, 3], 1), ([2, 3, 1], [2, 3], 2), ([3], [3], 3), ([1, 2], [2], 2))

steps = st.one_of(
    st.tuples(st.just("register"), BROKERS, st.integers(0, 2)),
    st.tuples(st.just("beat"), BROKERS, st.booleans(), st.booleans(), st.booleans(), st.booleans()),
    st.tuples(st.just("unregister"), BROKERS),
    st.tuples(st.just("wait"), st.integers(1, 10_000)),
    st.tuples(st.just("tick")),
    st.tuples(st.just("put"), st.sampled_from("abc"), st.sampled_from(list(AlterOp)), st.text(max_size=3)),
    st.tuples(
        st.just("level"), st.sampled_from([17, 22, 30, 33, 40, 41, 42]), st.sampled_from(list(FeatureUpdateKind))
    ),
    st.tuples(st.just("controller"), BROKERS, st.integers(0, 2)),
    st.tuples(st.just("commit")),
    st.tuples(st.just("fail over")),
)
runs = st.lists(steps, max_size=40)


class Story:
    """Takes steps; keeps the log as committed, and the log as appended."""

    def __init__(self, level):
        self.world = World(level=level, records=topic_records(*PARTITIONS))
        self.world.commit()
        self.committed_length = len(self.world.log)

    def request(self, step):
        kind, *rest = step
        world = self.world
        if kind == "register":
            broker, number = rest
            return register(
                broker, incarnation_id=uuid(10 * broker + number), log_dirs=(uuid(50 + broker), uuid(60 + broker))
            )
        if kind == "beat":
            broker, fence, shutdown, caught_up, lost = rest
            known = world.controller.image.cluster.brokers.get(broker)
            return beat(
                broker,
                known.broker_epoch if known else 5,
                world.offset if caught_up else 0,
                want_fence=fence,
                want_shutdown=shutdown,
                offline_log_dirs=(uuid(60 + broker),) if lost else (),
            )
        if kind == "unregister":
            return UnregisterBroker(broker_id=rest[0])
        if kind == "put":
            key, op, value = rest
            return set_configs(4, "", (key, op, None if op is AlterOp.DELETE else value))
        if kind == "level":
            return UpdateFeatures(updates=(FeatureUpdate("metadata.version", *rest),))
        return register_controller(rest[0], incarnation_id=uuid(rest[1]))

    def take(self, step):
        world, kind = self.world, step[0]
        if kind == "wait":
            world.now_ms += step[1]
        elif kind == "tick":
            world.ticks()
        elif kind == "commit":
            world.commit()
            self.committed_length = len(world.log)
        elif kind == "fail over":
            self.fail_over()
        else:
            self.ask(self.request(step))

    def ask(self, request):
        world = self.world
        before, epochs = world.controller.image, before_epochs(world)
        try:
            result = world.controller.decide(world.now_ms, request)
        except ApiError:
            assert world.controller.image is before
            return
        assert world.controller.image is before, "decide changes no hard state"
        again = world.controller.decide(world.now_ms, request)
        if not result.enters_shutdown:
            assert again == result, "the same question in the same state has the same answer"
        world.append(result)
        for broker_id, broker in world.controller.image.cluster.brokers.items():
            if broker_id not in epochs:
                assert broker.broker_epoch > max(epochs.values(), default=0)

    def fail_over(self):
        world = self.world
        world.controller.resign()
        assert world.controller.image is world.committed_image, "a resignation leaves what is committed"
        del world.log[self.committed_length :], world.values[self.committed_length :]
        world.offset = self.committed_length
        world.activate()


def before_epochs(world):
    return {broker_id: broker.broker_epoch for broker_id, broker in world.controller.image.cluster.brokers.items()}


def replayed(values):
    """Decode framed values, each under the schema set in force, and replay them from nothing."""
    delta = MetadataDelta(EMPTY)
    for value in values:
        schema = delta.schema if delta.features is not None else SchemaSet.KAFKA
        delta.replay(decode_record(value, schema))
    return delta.apply(Provenance(0, 0, -1, batch_aligned=True))


def check_partitions(image):
    for topic in image.topics.by_id.values():
        for number, partition in topic.partitions.items():
            assert partition.isr, "without ELR an ISR is never empty"
            assert set(partition.isr) <= set(partition.replicas)
            if partition.leader is not None and partition.partition_epoch > 0:
                assert partition.leader in partition.isr, (number, partition)


@given(run=runs, level=st.sampled_from([17, 22, 30, 40, 42]))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_bytes_in_the_log_give_the_speculative_image(run, level):
    """Replaying the encoded records from zero gives exactly the state that decisions are made from (§21.2)."""
    story = Story(level)
    for step in run:
        story.take(step)
        check_partitions(story.world.controller.image)
    world = story.world
    assert replayed(world.values).same_content(world.controller.image)
    assert replayed(world.values[: story.committed_length]).same_content(world.committed_image)


@given(run=runs)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_broker_that_was_fenced_leads(run):
    """After every step, a broker that was unfenced once and is fenced now leads nothing (§21.7)."""
    story = Story(40)
    been_alive = set()
    for step in run:
        story.take(step)
        image = story.world.controller.image
        been_alive |= {number for number, broker in image.cluster.brokers.items() if broker.is_active}
        if step[0] == "fail over":
            been_alive = {number for number, broker in image.cluster.brokers.items() if broker.is_active}
        for topic in image.topics.by_id.values():
            for partition in topic.partitions.values():
                leader = image.cluster.brokers.get(partition.leader)
                if partition.leader in been_alive:
                    assert leader is not None, "an unregistered broker leads"
                    assert not leader.fenced, "a fenced broker leads"
