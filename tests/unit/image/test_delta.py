"""Deltas as differences: between two images, and from nothing."""

from __future__ import annotations

import pytest

from kraftpy.image import EMPTY, MetadataDelta, MetadataLoader, Provenance, ReplayError, snapshot_groups
from kraftpy.image.delta import DELTAS
from kraftpy.image.image import SLICES
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
    UnknownRecord,
)
from tests.unit.image.histories import ACTIONS, history
from tests.unit.image.support import delta_of, partition, replay, start, topic, uuid, values_batch

FULL = replay(
    *history(
        [(action, a, b, c) for action in range(len(ACTIONS)) for a in range(5) for b in range(5) for c in range(3)]
    ),
    topic("last", uuid(900)),
    partition(0, uuid(900)),
)


@pytest.mark.parametrize("name", [name for name in SLICES if name != "unknown"])
def test_every_slice_can_be_shown_as_a_difference(name: str) -> None:
    """From empty, to empty, and to something else, each slice's difference leads to the other side."""
    full, empty = getattr(FULL, name), getattr(EMPTY, name)
    assert full != empty
    there = getattr(MetadataDelta.between(EMPTY, FULL), name)
    back = getattr(MetadataDelta.between(FULL, EMPTY), name)
    assert (there.apply(), back.apply()) == (full, empty)
    assert getattr(MetadataDelta.between(FULL, FULL), name) is None


def test_a_difference_of_partitions_names_only_the_changed_one() -> None:
    """A topic that lives in both images shows the partitions that differ and no others."""
    old = replay(topic(), partition(0), partition(1))
    new = replay(PartitionChangeRecord(partition_id=1, topic_id=uuid(500), isr=[1]), base=old)
    delta = MetadataDelta.between(old, new)
    assert delta.topics is not None
    assert (delta.topics.created, delta.topics.deleted) == ({}, {})
    assert list(delta.topics.changed[uuid(500)].changed_partitions) == [1]


def test_a_topic_id_under_another_name_is_another_topic() -> None:
    """Two images that give one id different names have different topics: one is deleted, one created."""
    old, new = replay(topic("a", uuid(1))), replay(topic("b", uuid(1)))
    delta = MetadataDelta.between(old, new)
    assert delta.topics is not None
    assert (list(delta.topics.deleted), delta.topics.created) == ([uuid(1)], {uuid(1): "b"})
    assert delta.topics.apply() == new.topics


def test_marks_and_no_ops_change_nothing() -> None:
    """No-ops and the marks of transactions leave a delta empty, and applying it keeps every slice as it is."""
    delta = delta_of(NoOpRecord(), BeginTransactionRecord("x"), EndTransactionRecord(), base=FULL)
    assert delta.is_empty
    after = delta.apply(Provenance(9, 9, 9, batch_aligned=True))
    assert all(getattr(after, name) is getattr(FULL, name) for name in SLICES)
    assert after != FULL


def test_untouched_slices_read_as_none() -> None:
    """Only the slices that a record touched have a delta."""
    delta = delta_of(ConfigRecord(2, "t", "a", "1"))
    assert [name for name in SLICES if getattr(delta, name) is not None] == ["configs"]


def test_every_slice_of_the_image_has_a_delta() -> None:
    """A slice is in the image and has no delta, or its delta has no attribute; or the orders differ."""
    assert tuple(DELTAS) == SLICES
    assert [getattr(MetadataDelta(EMPTY), name) for name in SLICES] == [None] * len(SLICES)


def test_a_record_has_one_slice() -> None:
    """Two slices take one kind of record, or two describe what it is about."""
    for kinds in (
        [kind for name, delta_type in DELTAS.items() for kind in delta_type(getattr(EMPTY, name)).handlers()],
        [kind for delta_type in DELTAS.values() for kind in delta_type.ENTITIES],
    ):
        assert len(kinds) > 20
        assert len(kinds) == len(set(kinds))


def test_unknown_counts_are_a_difference_too() -> None:
    """Counts of unknown records go away with the image that held them."""
    unknown = replay(UnknownRecord(99, 0, b"", b""))
    delta = MetadataDelta.between(unknown, EMPTY)
    assert delta.unknown is not None
    assert delta.unknown.changes == {(99, 0, -1): None}
    assert delta.apply(EMPTY.provenance) == EMPTY


def test_images_of_two_clusters_have_no_difference() -> None:
    """A difference between images with different cluster ids is refused."""
    other = replay(FeatureLevelRecord("metadata.version", 42), base=replay(*start()))
    mine = replay(*start())
    assert MetadataDelta.between(mine, other).cluster_id is None
    delta = MetadataDelta(EMPTY)
    delta.replay(start()[0])
    delta.replay(type(start()[1])("cluster-z"))
    with pytest.raises(ReplayError, match=r"'cluster-a'.*'cluster-z'"):
        MetadataDelta.between(mine, delta.apply(EMPTY.provenance))


def test_a_first_snapshot_is_not_compared_with_nothing() -> None:
    """Loaded into an empty image, a snapshot's own replay is the delta."""
    loader = MetadataLoader()
    contents, offset = [], 0
    for group in snapshot_groups(FULL):
        contents.append(values_batch(offset, group))
        offset += len(group)
    publication = loader.load_snapshot(OffsetAndEpoch(epoch=1, offset=50), contents, 0)
    assert publication.image.same_content(FULL)
    assert publication.delta.apply(publication.image.provenance) == publication.image
    assert publication.delta.topics is not None
    assert list(publication.delta.topics.created) == list(publication.delta.topics.changed)


def test_the_image_states_what_it_is_in_a_line() -> None:
    """An image shows its offset and how much it holds, not what."""
    assert repr(replay(*start(), topic())) == (
        "MetadataImage(offset=2, epoch=3, level=42, 0 brokers, 1 topics, 0 configured resources)"
    )
