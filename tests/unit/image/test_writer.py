"""Images in records: order, levels, losses."""

from __future__ import annotations

import pytest

from kraftpy.image import (
    EMPTY,
    MetadataDelta,
    MetadataImage,
    MetadataLossError,
    ReplayError,
    image_records,
    snapshot_groups,
)
from kraftpy.image.ordering import in_order
from kraftpy.image.writer import GROUP_BYTES_MAX
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.records.batch import BATCH_BYTES_MAX
from kraftpy.records.metadata import (
    BrokerHostRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    NoOpRecord,
    ProducerIdsRecord,
    Record,
    RegisterControllerRecord,
    UnknownRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
    decode_record,
    encode_for_level,
)
from kraftpy.records.snapshot import GROUP_RECORDS_MAX, SnapshotEncoder, read_snapshot
from tests.unit.image.histories import ACTIONS, history
from tests.unit.image.support import broker, partition, replay, start, topic, uuid

NUMBERS = [(action, a, b, c) for action in range(len(ACTIONS)) for a in range(5) for b in range(5) for c in range(3)]
NUMBERS += [(0, 1, 0, 0), (2, 9, 1, 1)]


def losses(image: MetadataImage, level: int) -> list[str]:
    reported: list[str] = []
    list(image_records(image, level, reported.append))
    return reported


def test_the_order_is_the_snapshots() -> None:
    """metadata.version comes first, the cluster id directly after it (K1262-25), then kind after kind."""
    order = list(dict.fromkeys(type(record).__name__ for record in image_records(replay(*history(NUMBERS)))))
    assert order[:2] == ["FeatureLevelRecord", "ClusterIdRecord"]
    assert [name for name in order if name != "ZkMigrationStateRecord"] == [
        "FeatureLevelRecord",
        "ClusterIdRecord",
        "RegisterBrokerRecord",
        "RegisterControllerRecord",
        "BrokerHostRecord",
        "TopicRecord",
        "PartitionRecord",
        "ConfigRecord",
        "ClientQuotaRecord",
        "ProducerIdsRecord",
        "AccessControlEntryRecord",
        "UserScramCredentialRecord",
        "DelegationTokenRecord",
    ]


def test_a_topic_is_followed_by_its_partitions() -> None:
    """Each TopicRecord comes directly before its PartitionRecords, topics by name, partitions by number."""
    image = replay(topic("b", uuid(1)), partition(1, uuid(1)), partition(0, uuid(1)), topic("a", uuid(2)),
                   partition(0, uuid(2)))  # fmt: skip
    assert [getattr(record, "name", None) or record.partition_id for record in image.topics.records(42, print)] == [
        "a", 0, "b", 0, 1
    ]  # fmt: skip


def test_an_empty_image_has_no_records() -> None:
    """An image without a level and content says nothing."""
    assert list(image_records(EMPTY)) == []
    assert list(snapshot_groups(EMPTY)) == []


def test_metadata_version_is_written_at_the_target() -> None:
    """The level that the records are written in is the level that they state."""
    (first, *_) = image_records(replay(*start(30)), 33)
    assert first == FeatureLevelRecord(METADATA_VERSION, 33)


def test_every_level_can_be_written_and_read() -> None:
    """At each level every record of a full image encodes in a version of that level, once losses are accepted."""
    image = replay(*history(NUMBERS), topic("last", uuid(900)), partition(0, uuid(900)))
    for level in (1, 3, 4, 6, 7, 8, 11, 14, 15, 17, 22, 23, 29, 30, 33, 40, 41, 42):
        values = [value for group in snapshot_groups(image, level, lambda _: None) for value in group]
        again = MetadataDelta(EMPTY)
        again.replay_all(decode_record(value, SchemaSet.for_level(level)) for value in values)
        assert again.unknown is None
        assert again.level == (level if level >= 4 else 1)


def test_a_loss_is_refused_by_default() -> None:
    """Without a handler a loss raises and names level and loss; below level 4 the level counts as 1."""
    with pytest.raises(
        MetadataLossError, match=r"not be represented in metadata\.version 30: the cluster id cluster-a"
    ):
        list(image_records(replay(*start()), 30))
    with pytest.raises(MetadataLossError, match=r"metadata\.version 1: feature flag\(s\): group\.version, x"):
        list(image_records(replay(FeatureLevelRecord("x", 1), FeatureLevelRecord("group.version", 1)), 3))


@pytest.mark.parametrize(
    ("record", "level", "loss"),
    [
        (ZkMigrationStateRecord(2), 8, "the ZK Migration state which was PRE_MIGRATION"),
        (broker(in_controlled_shutdown=True), 7, "the inControlledShutdown state of one or more brokers"),
        (broker(is_migrating_zk_broker=True), 8, "the isMigratingZkBroker state of one or more brokers"),
        (broker(), 17, "the online log directories of one or more brokers"),
        (broker(cordoned_log_dirs=[uuid(1)]), 30, "the cordoned log directories of one or more brokers"),
        (broker(saturated_log_dirs=[uuid(1)]), 42, "the saturated log directories of one or more brokers"),
        (RegisterControllerRecord(1, uuid(1)), 15, "controller registration data"),
        (BrokerHostRecord("h", 1), 41, "the broker ids kept by host name"),
        (UserScramCredentialRecord("ann", 1, b"", b"", b"", 1), 11, "ScramImage(SCRAM-SHA-256:ann)"),
        (DelegationTokenRecord("o", "r", [], 1, 2, 3, "id-1"), 14, "DelegationTokenImage(id-1)"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Record) else str(value),
)
def test_what_a_level_cannot_encode_is_a_loss(record: Record, level: int, loss: str) -> None:
    """Each kind of content is a loss just below its level, with its words, and none at its level."""
    image = replay(record)
    assert loss in losses(image, level - 1)
    assert loss not in losses(image, level)


def test_directories_are_a_loss_unless_migrating() -> None:
    """Replica directories cannot be said below level 17; "migrating" need not be."""
    named = replay(topic(), partition())
    migrating = replay(topic(), partition(directories=[]))
    assert losses(named, 16) == ["the directory assignment state of one or more replicas"]
    assert losses(migrating, 16) == losses(named, 17) == []


def test_eligible_leaders_go_silently() -> None:
    """Below level 23 the eligible leaders are left out without being called a loss."""
    image = replay(topic(), partition(eligible_leader_replicas=[4], last_known_elr=[5]))
    assert losses(image, 22) == []
    record = list(image_records(image, 22))[-1]
    assert encode_for_level(record, 22)
    assert list(image_records(image, 23))[-1] == partition(eligible_leader_replicas=[4], last_known_elr=[5])


def test_the_last_block_has_no_owner() -> None:
    """Producer ids are written without the broker that got the last block."""
    assert list(image_records(replay(ProducerIdsRecord(7, 8, 3000)))) == [ProducerIdsRecord(-1, -1, 3000)]


def test_unknown_records_are_counted_and_never_dropped() -> None:
    """An image that passed over unknown records or tags says how many, and is not written."""
    delta = MetadataDelta(EMPTY)
    for record in (
        UnknownRecord(99, 3, b"", b""),
        UnknownRecord(99, 3, b"", b""),
        NoOpRecord(unknown_tags=((7, b"x"),)),
    ):
        delta.replay(record)
    image = delta.apply(EMPTY.provenance)
    assert image.unknown.count == 3
    assert delta.unknown is not None
    assert list(delta.unknown.changes.values()) == [2, 1]
    with pytest.raises(MetadataLossError, match=r"does not know: apiKey 20 tag 7 \(1\), apiKey 99 version 3 \(2\)"):
        list(snapshot_groups(image))


def test_unknown_tags_inside_structs_count_too() -> None:
    """An unknown tagged field in a listener, a feature or a quota's entity forbids a snapshot as well."""
    listener, quota = broker(), ClientQuotaRecord([ClientQuotaRecordEntityData("user", "u")], "k", 1.0)
    listener.end_points[0].unknown_tags = ((5, b"x"),)
    listener.features[0].unknown_tags = ((6, b"x"),)
    quota.entity[0].unknown_tags = ((7, b"x"),)
    image = replay(broker(2), listener, quota)
    assert sorted(image.unknown.counts) == [(0, -1, 5), (0, -1, 6), (14, -1, 7)]
    assert (len(image.cluster.brokers), len(image.client_quotas.entities)) == (2, 1)


def test_a_record_of_no_slice_does_not_replay() -> None:
    """What is not a metadata record is refused by name."""
    with pytest.raises(ReplayError, match="cannot replay object: no slice takes"):
        MetadataDelta(EMPTY).replay(object())


def test_groups_are_bounded_in_records_and_bytes() -> None:
    """No group has more than 1024 records, and the largest ones still fit a batch."""
    small = replay(*(ConfigRecord(2, f"t{i}", "a", "b") for i in range(3000)))
    large = replay(*(ConfigRecord(2, f"t{i}", "a", "b" * 32767) for i in range(300)))
    assert [len(group) for group in snapshot_groups(small)] == [GROUP_RECORDS_MAX, GROUP_RECORDS_MAX, 952]
    sizes = [sum(map(len, group)) for group in snapshot_groups(large)]
    assert len(sizes) > 5
    assert max(sizes) < GROUP_BYTES_MAX + 40_000 < BATCH_BYTES_MAX


def test_many_names_come_in_order() -> None:
    """Names that are sorted in several pieces come out as if sorted at once."""
    names = [f"name-{number * 7919 % 50_000}" for number in range(50_000)]
    assert list(in_order(names)) == sorted(names)
    assert list(in_order(())) == []


def test_a_snapshot_file_holds_the_image() -> None:
    """Groups go through the snapshot encoder and come back as the same image."""
    image = replay(*history(NUMBERS))
    encoder = SnapshotEncoder(epoch=3, timestamp_ms=1, last_contained_log_timestamp_ms=2)
    data = b"".join(encoder.encode(snapshot_groups(image)))
    delta = MetadataDelta(EMPTY)
    for batch in read_snapshot(data).batches:
        delta.replay_all(decode_record(value, SchemaSet.KRAFTPY) for value in batch.values())
    assert delta.apply(image.provenance) == image
