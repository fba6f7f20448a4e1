"""The walk to the partitions that need attention: which it finds, in what order, and how far it goes."""

from __future__ import annotations

import pytest

from kraftpy.image import EMPTY, MetadataDelta, Provenance
from kraftpy.image import troubled_partitions as module
from kraftpy.image.troubled_partitions import PartitionTrouble, troubled_partitions
from kraftpy.records.metadata import ConfigRecord, PartitionRecord, TopicRecord

OFFLINE, UNDER_MIN_ISR, UNDER_REPLICATED = PartitionTrouble


def topic(name, *isrs):
    """Records of a topic with three replicas: the ISR of each partition, the first of which leads; empty is offline."""
    topic_id = name.encode()[:16].ljust(16)
    yield TopicRecord(name=name, topic_id=topic_id)
    for number, isr in enumerate(isrs):
        yield PartitionRecord(
            partition_id=number,
            topic_id=topic_id,
            replicas=[1, 2, 3],
            isr=list(isr),
            leader=isr[0] if isr else -1,
            leader_epoch=0,
            partition_epoch=0,
            directories=[bytes(16)] * 3,
        )


def image_of(*records):
    delta = MetadataDelta(EMPTY)
    delta.replay_all(records)
    return delta.apply(Provenance(1, 1, -1, batch_aligned=True))


def at_once(steps):
    """Walk to the end; what the walk returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def named(found):
    return [(one.trouble, f"{one.topic}-{one.partition}") for one in found]


def test_the_worst_come_first_then_by_name():
    records = (*topic("b", (1, 2, 3), (1, 2), ()), *topic("a", (1,), (2, 1), (1, 2, 3), ()))
    min_isr = ConfigRecord(resource_type=2, resource_name="a", name="min.insync.replicas", value="2")
    found = at_once(troubled_partitions(image_of(*records, min_isr), 5, 10))
    assert named(found) == [
        (OFFLINE, "a-3"),
        (OFFLINE, "b-2"),
        (UNDER_MIN_ISR, "a-0"),
        (UNDER_REPLICATED, "a-1"),
        (UNDER_REPLICATED, "b-1"),
    ]
    assert [(one.leader, one.min_isr) for one in found[1:3]] == [(None, 1), (1, 2)]


def test_no_more_are_listed_than_asked_for():
    """Those without a leader come before any others, whichever the walk meets first."""
    records = (*topic("a", *[(1, 2)] * 9), *topic("b", (), ()), *topic("c", *[(1, 2)] * 9))
    offline = [(OFFLINE, "b-0"), (OFFLINE, "b-1")]
    found = at_once(troubled_partitions(image_of(*records), 20, 3))
    assert (named(found[:2]), [one.trouble for one in found[2:]]) == (offline, [UNDER_REPLICATED])
    assert named(at_once(troubled_partitions(image_of(*records), 20, 2))) == offline


@pytest.mark.parametrize(("count", "steps"), [(0, 0), (1, 0), (2, 9)])
def test_a_walk_goes_no_further_than_it_has_to(monkeypatch, count, steps):
    """Where the counts say that all was found, it ends; it pauses after a bounded number of partitions."""
    monkeypatch.setattr(module, "PARTITIONS_PER_STEP", 10)
    records = topic("a", (1, 2), *[(1, 2, 3)] * 98)
    walk = troubled_partitions(image_of(*records), count, 5)
    assert len(list(walk)) == pytest.approx(steps, abs=1 if steps else 0)
