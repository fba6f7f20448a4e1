"""Digests of images: what they depend on, when they are made, and what a difference is about."""

from __future__ import annotations

import pytest

from kraftpy.image import EMPTY, MetadataDelta, MetadataImage, Provenance, digest, image_records, snapshot_groups
from kraftpy.image.digest import (
    MS_PER_ENTITY,
    entities,
    entity_of,
    first_difference,
    image_digest,
    is_checkpoint,
    is_tick,
)
from kraftpy.model.digests import SCHEME
from kraftpy.records.metadata import (
    ConfigRecord,
    PartitionChangeRecord,
    RemoveTopicRecord,
    UnknownRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
)
from kraftpy.records.snapshot import SnapshotEncoder, read_snapshot
from tests.unit.image.histories import ACTIONS, history
from tests.unit.image.support import broker, partition, replay, start, topic, uuid

NUMBERS = [(action, a, b, c) for action in range(len(ACTIONS)) for a in range(5) for b in range(5) for c in range(3)]
PERIOD_MS = 1_000


def at(image: MetadataImage, timestamp_ms: int, *, aligned: bool = True) -> MetadataImage:
    return MetadataDelta(image).apply(Provenance(7, 1, timestamp_ms, batch_aligned=aligned))


def test_it_is_what_the_snapshot_states() -> None:
    """The digest of an image is the one in the footer of its snapshot, at the snapshot's end offset."""
    image = replay(*history(NUMBERS))
    digest = image_digest(image)
    assert digest is not None
    encoder = SnapshotEncoder(epoch=1, timestamp_ms=0, last_contained_log_timestamp_ms=0)
    assert read_snapshot(b"".join(encoder.encode(snapshot_groups(image)))).digest == digest.value
    assert (digest.end_offset, digest.scheme) == (image.provenance.offset + 1, SCHEME)


def test_every_record_counts() -> None:
    """Leaving out any one record of a snapshot changes the digest."""
    image = replay(*start(), broker(1), topic(), partition(), ConfigRecord(16, "m", "metrics", "x"))
    values = [value for group in snapshot_groups(image) for value in group]
    assert len(values) == len(list(image_records(image))) == 6
    changed = replay(*start(), broker(1), topic(), partition(), ConfigRecord(16, "m", "metrics", "y"))
    assert image_digest(changed) != image_digest(image)


def test_the_state_of_an_old_migration_does_not_count() -> None:
    """A node that loads the log knows it, one that began with a snapshot of Kafka 4 does not: neither has diverged."""
    others = (broker(1), topic(), partition())
    knows, forgot = replay(*start(), ZkMigrationStateRecord(3), *others), replay(*start(), *others)
    assert knows.features != forgot.features
    digest = image_digest(knows)
    assert digest is not None
    assert digest.value == image_digest(forgot).value
    encoder = SnapshotEncoder(epoch=1, timestamp_ms=0, last_contained_log_timestamp_ms=0)
    groups = list(snapshot_groups(knows))
    assert sum(map(len, groups)) == sum(map(len, snapshot_groups(forgot))) + 1
    assert read_snapshot(b"".join(encoder.encode(groups))).digest == digest.value


def test_what_cannot_be_encoded_has_no_digest() -> None:
    """An image that counts unknown records has none: the count depends on where the node began to read."""
    assert image_digest(replay(*start(), UnknownRecord(999, 0, b"", b"\x01\x02"))) is None


def test_it_can_be_given_up() -> None:
    """The owner of a digest is asked before every group, and may stop it."""
    image = replay(*start(), *(ConfigRecord(16, f"m{i}", "metrics", "x") for i in range(3_000)))
    calls: list[None] = []

    def third_time_unlucky() -> None:
        calls.append(None)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        image_digest(image, third_time_unlucky)
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("before_ms", "now_ms", "ticks"),
    [(0, 999, False), (999, 1_000, True), (1_000, 1_999, False), (1_999, 5_000, True), (2_000, 1_500, True)],
)
def test_ticks(before_ms: int, now_ms: int, *, ticks: bool) -> None:
    """The log's clock ticks with the first batch of another period, also when it is set back."""
    assert is_tick(before_ms, now_ms, PERIOD_MS) is ticks
    assert is_checkpoint(before_ms, at(EMPTY, now_ms), PERIOD_MS) is ticks


def test_a_large_image_is_looked_at_less_often() -> None:
    """The period is a power of two of the base period, long enough for what the image holds."""
    image = replay(*start(), *(ConfigRecord(16, f"m{i}", "metrics", "x") for i in range(3_000 // MS_PER_ENTITY)))
    assert entities(image) == 3_000 // MS_PER_ENTITY
    seconds = [now for now in range(1, 13) if is_checkpoint((now - 1) * 1_000, at(image, now * 1_000), 1_000)]
    assert seconds == [4, 8, 12]


def test_partitions_are_counted_where_they_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million topics are not looked at one by one at each tick of the clock, in the loop."""
    topics = [topic(f"t{number}", uuid(number)) for number in range(1, 4)]
    partitions = [partition(0, uuid(number)) for number in range(1, 4)]
    image = replay(*start(), *topics, *partitions)
    assert entities(image) == len(topics) + len(partitions)
    counted: list[int] = []

    def counting(image: MetadataImage) -> int:
        counted.append(image.provenance.timestamp_ms)
        return entities(image)

    monkeypatch.setattr(digest, "entities", counting)
    ticks = [now for now in range(1, 17) if is_checkpoint(now - 1, at(image, now), 1)]
    assert (ticks, counted) == ([8, 16], [4, 8, 12, 16])


def test_the_middle_of_a_batch_is_no_checkpoint() -> None:
    """An image that ends inside a batch (before a transaction) is not compared: no snapshot could be made there."""
    assert not is_checkpoint(0, at(EMPTY, 5_000, aligned=False), PERIOD_MS)


def test_the_first_difference() -> None:
    """Two images that differ in one value are found to, and the entity is named without its value."""
    common = [*start(), topic(), partition(), ConfigRecord(16, "m", "metrics", "x")]
    ours, theirs = replay(*common), replay(*common, ConfigRecord(16, "m", "metrics", "secret"))
    found = first_difference(ours, theirs)
    assert found is not None
    assert found.entity == ("config", "16", "m", "metrics")
    assert first_difference(ours, replay(*common)) is None
    added = first_difference(ours, replay(*common, ConfigRecord(16, "z", "metrics", "x")))
    assert added is not None
    assert (added.ours, added.entity) == (None, ("config", "16", "z", "metrics"))
    gone = first_difference(replay(*common), replay(*start(), topic(), partition()))
    assert gone is not None
    assert (gone.theirs, gone.entity) == (None, ("config", "16", "m", "metrics"))


def test_changes_are_about_what_they_change() -> None:
    """A change and the record that it changes are about one entity, and no text holds a secret."""
    assert entity_of(PartitionChangeRecord(3, uuid(500))) == entity_of(partition(3))
    assert entity_of(RemoveTopicRecord(uuid(500))) == entity_of(topic())
    scram = UserScramCredentialRecord("alice", 1, b"salt", b"stored", b"server", 4096)
    assert entity_of(scram) == ("SCRAM credential", "alice", "1")
    for record in image_records(replay(*history(NUMBERS))):
        assert entity_of(record)[0] != type(record).__name__ or type(record).__name__ == "ZkMigrationStateRecord"


def test_a_snapshot_names_each_entity_once() -> None:
    """No two records of a snapshot are about the same entity: an entity's last record is found by its name."""
    named = [entity_of(record) for record in image_records(replay(*history(NUMBERS)))]
    assert len(named) == len(set(named)) > 20


def test_the_same_state_is_encoded_in_the_same_bytes() -> None:
    """A state that is said in other bytes has another digest: then ``model.digests.SCHEME`` has to be raised.

    Or half of a cluster, while it is upgraded, would find that the other half has diverged.
    """
    digest = image_digest(replay(*history(NUMBERS)))
    assert digest is not None
    assert (digest.scheme, digest.value.hex()) == (1, "01fefcfd1c1173b2a9a27d9e344d9db7")
