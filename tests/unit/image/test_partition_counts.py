"""The counts kept by deltas are those of a walk over the image."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.image import EMPTY, MetadataDelta, MetadataImage, Provenance, partition_counts
from kraftpy.image.min_isr import min_isr
from kraftpy.image.partition_counts import PartitionCounts, PartitionHealth
from kraftpy.image.troubled_partitions import troubled_partitions
from kraftpy.records.metadata import (
    ConfigRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from tests.unit.image.test_troubled_partitions import at_once

BROKERS = (1, 2, 3, 4)
NAMES = ("a", "b", "c")
TOPIC, BROKER = 2, 4


def topic_id(name: str) -> bytes:
    return name.encode() * 16


def partition(number: int, *, name: str = "a", replicas=(1, 2, 3), isr=(1, 2, 3), leader: int = 1, **more):
    return PartitionRecord(
        partition_id=number,
        topic_id=topic_id(name),
        replicas=list(replicas),
        isr=list(isr),
        leader=leader,
        leader_epoch=0,
        partition_epoch=0,
        directories=[bytes(16)] * len(replicas),
        **more,
    )


def change(number: int = 0, *, name: str = "a", **fields):
    return PartitionChangeRecord(partition_id=number, topic_id=topic_id(name), **fields)


def config(value: str | None, topic: str = "a"):
    kind = TOPIC if topic else BROKER
    return ConfigRecord(resource_type=kind, resource_name=topic, name="min.insync.replicas", value=value)


class Counted:
    """An image, and what the counts say of it after each update."""

    def __init__(self, *records) -> None:
        self.image, self.counts = EMPTY, PartitionCounts()
        self.update(*records)

    def update(self, *records) -> None:
        delta = MetadataDelta(self.image)
        delta.replay_all(records)
        self.image = delta.apply(Provenance(self.image.provenance.offset + 1, 1, -1, batch_aligned=True))
        self.counts.update(delta, self.image)

    @property
    def health(self) -> PartitionHealth:
        return self.counts.health()


def walked(image: MetadataImage) -> PartitionHealth:
    """Count as an operator would who looks at every partition."""
    found = [0] * 5
    for topic in image.topics.by_id.values():
        for one in topic.partitions.values():
            settled = [replica for replica in one.replicas if replica not in one.adding_replicas]
            least = min(min_isr(image.configs, topic.name), len(settled))
            found[0] += one.leader is None
            found[1] += any(replica not in one.isr for replica in settled)
            found[2] += one.leader is None or len(one.isr) < least
            found[3] += one.leader is not None and len(one.isr) == least
            found[4] += one.leader != one.replicas[0]
    return PartitionHealth(*found)


def troubled_in(image: MetadataImage) -> set[tuple[str, int]]:
    """The partitions that each have something wrong, by a look at every one."""
    found = set()
    for topic in image.topics.by_id.values():
        for number, one in topic.partitions.items():
            settled = [replica for replica in one.replicas if replica not in one.adding_replicas]
            missing = any(replica not in one.isr for replica in settled)
            if one.leader is None or missing or len(one.isr) < min(min_isr(image.configs, topic.name), len(settled)):
                found.add((topic.name, number))
    return found


def found_in(counted: Counted) -> set[tuple[str, int]]:
    """The same by the walk of ``troubled_partitions``."""
    found = at_once(troubled_partitions(counted.image, counted.counts.in_trouble(), 100))
    return {(one.topic, one.partition) for one in found}


TWO = (TopicRecord(name="a", topic_id=topic_id("a")), partition(0), partition(1, leader=2, replicas=(2, 3, 1)))


def test_a_healthy_topic():
    counted = Counted(*TWO)
    assert (counted.counts.topics, counted.counts.partitions) == (1, 2)
    assert counted.health == PartitionHealth(0, 0, 0, 0, 0)


def test_each_figure_by_itself():
    counted = Counted(*TWO, config("2"))
    counted.update(change(isr=[1, 3]))
    assert counted.health == PartitionHealth(0, 1, 0, 1, 0)
    counted.update(change(isr=[3], leader=3))
    assert counted.health == PartitionHealth(0, 1, 1, 0, 1)
    counted.update(change(isr=[], leader=-1))
    assert counted.health == PartitionHealth(1, 1, 1, 0, 1)
    counted.update(change(isr=[1, 2, 3], leader=1))
    assert counted.health == PartitionHealth(0, 0, 0, 0, 0)


def test_replicas_that_a_reassignment_adds_are_not_missed():
    counted = Counted(*TWO)
    counted.update(change(replicas=[1, 2, 3, 4], adding_replicas=[4], directories=[bytes(16)] * 4))
    assert counted.health.under_replicated == 0
    counted.update(change(isr=[1, 2, 4]))
    assert counted.health.under_replicated == 1


def test_no_more_in_sync_replicas_are_asked_for_than_there_are_replicas():
    one_replica = TopicRecord(name="b", topic_id=topic_id("b")), partition(0, name="b", replicas=(1,), isr=(1,))
    assert Counted(config("2", ""), *one_replica).health == PartitionHealth(0, 0, 0, 1, 0)


def test_the_default_and_a_topics_own_value():
    counted = Counted(*TWO, config("3", ""))
    assert counted.health.at_min_isr == len(TWO) - 1
    counted.update(change(isr=[1, 2]))
    assert counted.health.under_min_isr == 1
    counted.update(config("1"))
    assert counted.health == PartitionHealth(0, 1, 0, 0, 0)
    counted.update(config(None))
    assert counted.health.under_min_isr == 1
    counted.update(config(None, ""))
    assert counted.health == PartitionHealth(0, 1, 0, 0, 0)


def test_a_topics_value_and_its_partitions_change_together():
    """In one update: one partition changes, another does not, a third is new."""
    counted = Counted(*TWO, config("2"))
    counted.update(change(isr=[1, 2]), config("3"), partition(2, isr=(1, 2)))
    assert counted.health == walked(counted.image) == PartitionHealth(0, 2, 2, 1, 0)
    counted.update(change(isr=[1, 2, 3]), config(None), change(2, isr=[1, 2, 3]))
    assert counted.health == walked(counted.image) == PartitionHealth(0, 0, 0, 0, 0)


@pytest.mark.parametrize("value", ["", "many", "9" * 5000, "٣x"])
def test_a_text_that_is_no_number_is_taken_for_absent(value):
    assert Counted(*TWO, config(value)).health.at_min_isr == 0


def test_elections_are_counted_by_who_was_elected():
    counted = Counted(*TWO, TopicRecord(name="b", topic_id=topic_id("b")), partition(0, name="b"))
    counted.update(change(isr=[2, 3], leader=2), change(1, leader=3, isr=[3]), change(name="b", leader=-1, isr=[]))
    assert (counted.counts.unclean_elections, counted.counts.elr_elections) == (0, 0)
    counted.update(change(isr=[], leader=-1, eligible_leader_replicas=[2]))
    counted.update(change(isr=[2], leader=2, eligible_leader_replicas=[]), change(name="b", leader=3, isr=[3]))
    assert (counted.counts.unclean_elections, counted.counts.elr_elections) == (1, 1)


def test_a_deleted_topic_takes_its_partitions_along():
    counted = Counted(*TWO, config("3"))
    counted.update(change(isr=[1]))
    counted.update(RemoveTopicRecord(topic_id=topic_id("a")))
    assert (counted.counts.topics, counted.counts.partitions, counted.health) == (0, 0, PartitionHealth(0, 0, 0, 0, 0))


replica_sets = st.lists(st.sampled_from(BROKERS), min_size=1, max_size=4, unique=True)


@st.composite
def steps(draw):
    """Draw what to do to a topic."""
    name = draw(st.sampled_from(NAMES))
    replicas = draw(replica_sets)
    isr = draw(st.lists(st.sampled_from(replicas), unique=True))
    adding = draw(st.lists(st.sampled_from(replicas), unique=True, max_size=len(replicas) - 1))
    fields = {"replicas": replicas, "isr": isr, "adding_replicas": adding}
    kind = draw(st.sampled_from(["put", "change", "config", "default", "remove"]))
    leader = draw(st.sampled_from([-1, *replicas]))
    return kind, name, draw(st.integers(0, 2)), leader, fields, draw(st.sampled_from([None, "1", "2", "3", "x"]))


def records_of(image, step):
    kind, name, number, leader, fields, value = step
    known = image.topics.named(name)
    if kind == "default":
        return [config(value, "")]
    if kind == "put" or known is None:
        made = [] if known else [TopicRecord(name=name, topic_id=topic_id(name))]
        return [*made, partition(number, name=name, leader=leader, **fields)]
    if kind == "config":
        return [config(value, name)]
    if kind == "remove":
        return [RemoveTopicRecord(topic_id=topic_id(name))]
    if number not in known.partitions:
        return []
    return [change(number, name=name, leader=leader, directories=[bytes(16)] * len(fields["replicas"]), **fields)]


@given(st.lists(st.lists(steps(), max_size=3), max_size=8))
def test_the_counts_are_those_of_a_walk(updates):
    """Whatever changes together: the figures are those of the image, and of a complete update to it."""
    counted = Counted()
    for update in updates:
        delta = MetadataDelta(counted.image)
        for step in update:
            delta.replay_all(records_of(delta.apply(counted.image.provenance), step))
        counted.image = delta.apply(counted.image.provenance)
        counted.counts.update(delta, counted.image)
        assert counted.health == walked(counted.image)
        assert counted.counts.in_trouble() == len(troubled_in(counted.image))
        assert found_in(counted) == troubled_in(counted.image)
        assert counted.counts.partitions == sum(len(t.partitions) for t in counted.image.topics.by_id.values())
    whole = PartitionCounts()
    whole.update(MetadataDelta.between(EMPTY, counted.image), counted.image)
    assert (whole.topics, whole.partitions, whole.health()) == (
        counted.counts.topics,
        counted.counts.partitions,
        counted.health,
    )


@pytest.fixture(scope="module")
def slices_of_two():
    """Let a slice count two partitions."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(partition_counts, "PARTITIONS_PER_SLICE", 2)
        yield


def figures(counts: PartitionCounts) -> tuple[object, ...]:
    return counts.topics, counts.partitions, counts.unclean_elections, counts.elr_elections, counts.health()


@given(updates=st.lists(st.lists(steps(), max_size=6), max_size=4))
@pytest.mark.usefixtures("slices_of_two")
def test_an_update_in_slices_counts_with_its_last_one(updates):
    """Between two slices the figures are those of the image before, and never have a part of a change."""
    whole, sliced, image = PartitionCounts(), PartitionCounts(), EMPTY
    for update in updates:
        delta = MetadataDelta(image)
        for step in update:
            delta.replay_all(records_of(delta.apply(image.provenance), step))
        image = delta.apply(image.provenance)
        for _ in sliced.update_in_slices(delta, image):
            assert figures(sliced) == figures(whole)
        whole.update(delta, image)
        assert figures(sliced) == figures(whole)
        assert sliced.health() == walked(image)


@pytest.mark.usefixtures("slices_of_two")
def test_what_one_slice_looks_at_is_bounded():
    """Partitions that change, that go, and whose topic changes its minimum, in one topic or in several."""
    made = [*TWO, *(partition(number) for number in range(2, 7))]
    counted = Counted()

    def slices(*records) -> int:
        delta = MetadataDelta(counted.image)
        delta.replay_all(records)
        counted.image = delta.apply(counted.image.provenance)
        return sum(1 for _ in counted.counts.update_in_slices(delta, counted.image))

    assert slices(*made) == 3
    assert slices(change(isr=[1])) == 0
    assert slices(*(change(number, isr=[1, 2]) for number in range(7))) == 3
    assert slices(config("2")) == 7
    assert slices(RemoveTopicRecord(topic_id=topic_id("a"))) == 3
