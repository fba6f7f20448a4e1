"""Publishers whose work is divided: each update in order, a slice each turn, and all of it at rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.image import EMPTY, MetadataDelta, Provenance
from kraftpy.image.configs import TOPIC
from kraftpy.image.partition_counts import PARTITIONS_PER_SLICE
from kraftpy.records.metadata import ConfigRecord, PartitionChangeRecord, RemoveTopicRecord, TopicRecord
from kraftpy.runtime.sliced_publishing import (
    PARTITIONS_AT_ONCE_MAX,
    UPDATES_PER_SLICE,
    UPDATES_WAITING_MAX,
    SlicedPublishing,
)
from tests.unit.controller.worlds import TOPIC_ID, image_of, topic_records, uuid
from tests.unit.runtime.parts import LoneController
from tests.unit.runtime.test_controller_host import write


class Noting:
    """Takes a number of slices for each update, and notes them."""

    def __init__(self, *slices: int, notes: list, name: str = "") -> None:
        self._slices = list(slices)
        self._notes, self._name = notes, name

    def update_in_slices(self, delta, image):
        left = self._slices.pop(0) if self._slices else 1
        for number in range(left):
            self._notes.append((self._name, image.provenance.offset, number))
            if number + 1 < left:
                yield


def publish(publishing: SlicedPublishing, offset: int, *records, base=EMPTY):
    delta = MetadataDelta(base)
    delta.replay_all(records)
    image = delta.apply(Provenance(offset, 1, -1, batch_aligned=True))
    publishing.on_metadata_update(delta, image, None)
    return image


def test_an_update_of_one_slice_is_done_when_it_is_published():
    notes = []
    publishing = SlicedPublishing([Noting(notes=notes, name="a"), Noting(notes=notes, name="b")])
    publish(publishing, 7)
    assert notes == [("a", 7, 0), ("b", 7, 0)]
    assert not publishing.is_behind


def test_an_update_of_many_partitions_begins_in_the_next_turn():
    """In a topic or in many, created, changed or deleted; up to a limit it is done at once."""
    one = topic_records(*[([1], [1], 1)] * PARTITIONS_AT_ONCE_MAX)
    more = [*one, replace(one[-1], partition_id=PARTITIONS_AT_ONCE_MAX)]
    many = [TopicRecord(name=str(number), topic_id=uuid(number)) for number in range(PARTITIONS_AT_ONCE_MAX + 1)]
    gone = RemoveTopicRecord(topic_id=TOPIC_ID)
    change = PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, leader=-1)
    for is_done, records, after in (
        (True, one, [gone]), (True, more, [change]), (False, EMPTY, more), (False, EMPTY, many), (False, more, [gone])
    ):  # fmt: skip
        base = records if records is EMPTY else image_of(*records)
        notes = []
        publishing = SlicedPublishing([Noting(notes=notes)])
        publish(publishing, 20, *after, base=base)
        assert (len(notes) == 1) is (not publishing.is_behind) is is_done
        publishing.go_on()
        assert (len(notes), publishing.is_behind) == (1, False)


def test_updates_are_done_in_order_and_publishers_one_after_the_other():
    """A small update that comes while a large one is unfinished waits for it, and each call does one slice."""
    notes = []
    publishing = SlicedPublishing([Noting(3, notes=notes, name="a"), Noting(2, notes=notes, name="b")])
    publish(publishing, 7)
    publish(publishing, 8)
    assert notes == [("a", 7, 0)]
    counts = []
    while publishing.is_behind:
        publishing.go_on()
        counts.append(len(notes))
    assert counts == [2, 4, 7]
    assert notes == [("a", 7, 0), ("a", 7, 1), ("a", 7, 2), ("b", 7, 0), ("b", 7, 1), ("a", 8, 0), ("b", 8, 0)]


@pytest.mark.parametrize(("waiting", "turns"), [(3, 3), (UPDATES_PER_SLICE + 1, 8)])
def test_a_turn_does_as_many_small_updates_as_make_a_slice(waiting, turns):
    """Updates that never yield do not all run in one turn, and more of them do where many wait."""
    half = [([1], [1], 1)] * (PARTITIONS_PER_SLICE // 2)
    notes = []
    publishing = SlicedPublishing([Noting(notes=notes)])
    for offset in range(waiting):
        publish(publishing, 7 + offset, *topic_records(*half, *half))
    done = []
    while publishing.is_behind:
        publishing.go_on()
        done.append(len(notes))
    assert len(done) <= turns
    assert done[0] == 1 + waiting // UPDATES_PER_SLICE


def test_a_change_of_a_large_topics_config_begins_in_the_next_turn():
    """The partitions are the same, but each is counted under another ``min.insync.replicas``."""
    topic = topic_records(*[([1], [1], 1)] * (PARTITIONS_AT_ONCE_MAX + 1), name="large")
    base = image_of(*topic)
    publishing = SlicedPublishing([Noting(notes=[])])
    publish(publishing, 9, ConfigRecord(TOPIC, "large", "min.insync.replicas", "1"), base=base)
    assert publishing.is_behind


def test_no_more_than_a_limit_wait():
    notes = []
    publishing = SlicedPublishing([Noting(3, notes=notes)])
    for offset in range(UPDATES_WAITING_MAX):
        publish(publishing, offset)
    assert len(notes) == 1
    publish(publishing, UPDATES_WAITING_MAX)
    assert [offset for _, offset, _ in notes] == [0, 0, 0]
    publishing.go_on()
    assert [offset for _, offset, _ in notes] == [0, 0, 0, *range(1, UPDATES_WAITING_MAX + 1)]


@pytest.mark.parametrize("slices", [1, 5])
def test_a_write_is_answered_before_the_slices_after_the_first(slices):
    """And then each turn does one, without being woken, until the node is at rest."""
    notes, noting = [], Noting(notes=[])
    node = LoneController(sliced=[noting]).settle()
    noting._slices, noting._notes = [slices], notes
    answers = node.submit(write())
    while not answers:
        node.turn()
    (_, offset, _), *more = notes
    assert not more
    assert answers[0].offset == offset
    assert node.driver.wait_ms() == 0 if slices > 1 else not node.sliced.is_behind
    for done in range(2, slices + 1):
        node.turn()
        assert len(notes) == done
    assert not node.sliced.is_behind
    assert node.driver.wait_ms() != 0


def test_without_a_publisher_nothing_waits():
    publishing = SlicedPublishing(())
    publish(publishing, 7)
    publishing.go_on()
    assert not publishing.is_behind


def test_a_node_that_stops_leaves_the_rest():
    notes = []
    publishing = SlicedPublishing([Noting(3, notes=notes)])
    publish(publishing, 7)
    publishing.close()
    publishing.go_on()
    assert len(notes) == 1
