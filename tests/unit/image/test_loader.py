"""Batches and snapshots in, publications out."""

from __future__ import annotations

import gc
import weakref

import pytest

from kraftpy.image import (
    EMPTY,
    LogDeltaManifest,
    MetadataDelta,
    MetadataLoader,
    Provenance,
    ReplayError,
    SnapshotManifest,
    snapshot_groups,
)
from kraftpy.image.publishing import Publication
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.batch import Batch
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClusterIdRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    NoOpRecord,
    Record,
    RemoveTopicRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
    encode_for_level,
)
from tests.unit.image.support import (
    EPOCH,
    batch,
    batches,
    broker,
    control_batch,
    replay,
    start,
    topic,
    uuid,
    values_batch,
)

BEGIN, END, ABORT = BeginTransactionRecord("t"), EndTransactionRecord(), AbortTransactionRecord("why")
SNAPSHOT = OffsetAndEpoch(epoch=5, offset=100)


def config(name: str, value: str | None = "v") -> ConfigRecord:
    return ConfigRecord(2, "t", name, value)


def at(offset: int, epoch: int, timestamp_ms: int) -> Provenance:
    return Provenance(offset, epoch, timestamp_ms, batch_aligned=True)


def names(loader: MetadataLoader) -> list[str]:
    return sorted(loader.image.configs.topic("t"))


def test_one_call_is_one_publication() -> None:
    """All batches of a call are folded into one publication that counts them and ends at the last record."""
    loader = MetadataLoader()
    made = batches(start(), [config("a"), config("b")], [NoOpRecord()])
    (publication,) = loader.load_batches(made)
    provenance = at(4, EPOCH, 1004)
    assert publication.manifest == LogDeltaManifest(provenance, 3, sum(one.size for one in made))
    assert publication.image is loader.image
    assert publication.image.provenance == provenance
    assert provenance.snapshot_id == OffsetAndEpoch(epoch=EPOCH, offset=5)
    assert loader.next_offset == 5
    assert loader.load_batches([]) == []


def test_a_control_batch_moves_the_offset() -> None:
    """Control batches change no metadata, but publishers hear of the offset."""
    loader = MetadataLoader()
    (publication,) = loader.load_batches([control_batch(0)])
    assert publication.delta.is_empty
    assert publication.image.same_content(EMPTY)
    assert publication.image.provenance.offset == 1
    assert loader.next_offset == 2


def test_batches_have_to_follow_on() -> None:
    """A gap or an overlap in committed batches is a bug of the caller and stops the node."""
    loader = MetadataLoader()
    loader.load_batches(batches(start()))
    for wrong in (1, 3):
        with pytest.raises(InvariantViolation, match="committed batches follow on"):
            loader.load_batches([batch(wrong, [config("a")])])


def test_decoded_records_have_to_be_all_of_their_batch() -> None:
    """Fewer records than the batch holds is a bug of the caller."""
    with pytest.raises(InvariantViolation, match="records are those of their batch"):
        MetadataLoader().load_records(batches(start()), {0: start()[:1]})


def test_key_29_is_what_the_level_states() -> None:
    """The record table follows the level inside a batch and between batches (DESIGN D6)."""
    level_33, level_40 = (FeatureLevelRecord(METADATA_VERSION, level) for level in (33, 40))
    unregister = encode_for_level(UnregisterControllerRecord(7), 33)
    cluster_id = encode_for_level(ClusterIdRecord("c"), 40)
    loader = MetadataLoader()
    loader.load_batches([values_batch(0, [cluster_id, encode_for_level(level_33, 33)])])
    assert loader.image.unknown.count == 1
    with pytest.raises(ReplayError, match="UnregisterControllerRecord at offset 2: controller 7 is not registered"):
        loader.load_batches([values_batch(2, [unregister])])
    loader = MetadataLoader()
    loader.load_batches([values_batch(0, [encode_for_level(level_40, 40), cluster_id])])
    assert loader.image.cluster_id.value == "c"


def test_nothing_is_published_inside_a_transaction() -> None:
    """What precedes Begin is published, then nothing until End, then everything with all its batches counted."""
    loader = MetadataLoader()
    made = batches(start(), [config("a"), BEGIN, config("b")], [config("c")], [config("d"), END])
    (before,) = loader.load_batches(made[:2])
    assert (before.image.provenance.offset, before.image.provenance.batch_aligned) == (2, False)
    assert (loader.next_offset, loader.in_transaction, names(loader)) == (5, True, ["a"])
    assert loader.load_batches([made[2]]) == []
    (after,) = loader.load_batches([made[3]])
    assert (loader.in_transaction, names(loader)) == (False, ["a", "b", "c", "d"])
    assert after.manifest == LogDeltaManifest(at(7, EPOCH, 1006), 3, sum(one.size for one in made[1:]))


def test_begin_at_the_start_of_a_batch_leaves_an_aligned_image() -> None:
    """What is published before a Begin that opens its batch is batch-aligned: a snapshot of it may be made."""
    loader = MetadataLoader()
    publications = loader.load_batches(batches(start(), [BEGIN, config("a"), END]))
    assert [(p.image.provenance.offset, p.image.provenance.batch_aligned) for p in publications] == [
        (1, True),
        (4, True),
    ]


def test_begin_first_of_all_publishes_nothing() -> None:
    """A Begin with nothing before it since the last publication publishes nothing."""
    loader = MetadataLoader()
    assert loader.load_batches(batches([BEGIN, *start()])) == []
    assert len(loader.load_batches([batch(3, [END])])) == 1


def test_two_transactions_in_a_batch_are_two_publications() -> None:
    """What one transaction brought is published before the next one begins."""
    loader = MetadataLoader()
    log = [*start(), BEGIN, config("a"), END, BEGIN, config("b"), END, config("c")]
    publications = loader.load_batches(batches(log))
    assert [sorted(p.image.configs.topic("t")) for p in publications] == [[], ["a"], ["a", "b", "c"]]


@pytest.mark.parametrize("cuts", [[7], [3, 4], [2, 1, 3, 1], [4, 3]])
def test_aborted_records_leave_no_trace(cuts: list[int]) -> None:
    """An Abort discards what came since Begin and nothing else, also when ordinary records follow in the same call."""
    log: list[Record] = [*start(), BEGIN, config("a"), ABORT, config("b"), NoOpRecord()]
    groups, at = [], 0
    for size in cuts:
        groups.append(log[at : at + size])
        at += size
    together, apart = MetadataLoader(), MetadataLoader()
    together.load_batches(batches(*groups))
    for one in batches(*groups):
        apart.load_batches([one])
    assert names(together) == names(apart) == ["b"]
    assert together.image == apart.image


def test_an_aborted_level_rules_no_more() -> None:
    """A metadata.version inside an aborted transaction does not choose the record table of what follows."""
    loader = MetadataLoader()
    value = encode_for_level(ClusterIdRecord("c"), 40)
    loader.load_batches(batches([BEGIN, FeatureLevelRecord(METADATA_VERSION, 40), ABORT]))
    loader.load_batches([values_batch(3, [value])])
    assert (loader.image.level, loader.image.cluster_id.value, loader.image.unknown.count) == (1, None, 1)


def test_an_abort_alone_publishes_the_offset() -> None:
    """After an Abort an empty delta is published at the new offset."""
    loader = MetadataLoader()
    loader.load_batches(batches(start(), [BEGIN, config("a")]))
    (publication,) = loader.load_batches([batch(4, [ABORT])])
    assert publication.delta.is_empty
    assert publication.image.provenance.offset == 4


@pytest.mark.parametrize(
    ("log", "text"),
    [
        ([BEGIN, BEGIN], "BeginTransactionRecord at offset 1: a transaction is open already"),
        ([END], "EndTransactionRecord at offset 0: no transaction is open"),
        ([BEGIN, END, ABORT], "AbortTransactionRecord at offset 2: no transaction is open"),
    ],
)
def test_marks_out_of_place_do_not_replay(log: list[Record], text: str) -> None:
    """Begin inside a transaction, and End or Abort outside one, are fatal."""
    with pytest.raises(ReplayError, match=text):
        MetadataLoader().load_batches(batches(log))


def test_a_bad_record_publishes_nothing_of_its_call() -> None:
    """The loader stops at a record that does not replay: the last image stays, the error stays, offsets stay."""
    loader = MetadataLoader()
    loader.load_batches(batches(start()))
    before = loader.image
    made = batches([config("a")], [config("b"), UnregisterBrokerRecord(5, 1), config("c")], first=2)
    with pytest.raises(ReplayError, match="UnregisterBrokerRecord at offset 4: broker 5 is not registered") as caught:
        loader.load_batches(made)
    assert caught.value.offset == 4
    assert (loader.image, loader.next_offset) == (before, 2)
    with pytest.raises(ReplayError, match="at offset 4"):
        loader.load_batches(batches([config("d")], first=2))
    with pytest.raises(ReplayError, match="at offset 4"):
        loader.load_records(made, {})


def test_a_bad_decoded_record_stops_the_loader_too() -> None:
    """The fast path names the same record at the same offset."""
    loader = MetadataLoader()
    log: list[Record] = [*start(), UnregisterBrokerRecord(5, 1)]
    with pytest.raises(ReplayError, match="UnregisterBrokerRecord at offset 2"):
        loader.load_records(batches(log), {0: log})
    assert loader.failure is not None


def test_bytes_that_are_no_record_stop_the_loader() -> None:
    """A value that cannot be decoded is named with its offset."""
    with pytest.raises(ReplayError, match=r"at offset 1: .*ConfigRecord"):
        MetadataLoader().load_batches([values_batch(0, [encode_for_level(NoOpRecord(), 42), b"\x01\x04\x00\x02"])])


def contents(image_of: list[Record]) -> list[Batch]:
    groups = snapshot_groups(replay(*image_of))
    return [control_batch(0), *(values_batch(2, group, epoch=5) for group in groups)]


def test_a_snapshot_replaces_everything() -> None:
    """A snapshot's publication names what is gone, what is new, and its offset; loading goes on after it."""
    loader = MetadataLoader()
    loader.load_batches(batches([*start(), broker(1), topic(), config("a")]))
    publication = loader.load_snapshot(SNAPSHOT, contents([*start(), broker(2, 20), config("b")]), 77)
    assert publication.manifest == SnapshotManifest(at(99, 5, 77))
    assert publication.image.provenance.snapshot_id == SNAPSHOT
    assert publication.delta.cluster is not None
    assert publication.delta.topics is not None
    assert publication.delta.cluster.changed_brokers[1] is None
    assert list(publication.delta.topics.deleted) == [uuid(500)]
    assert publication.delta.features is None
    assert (names(loader), loader.next_offset) == (["b"], 100)
    loader.load_batches(batches([config("c")], first=100))
    assert names(loader) == ["b", "c"]


def test_a_snapshot_may_be_read_piece_by_piece() -> None:
    """Until it is finished, a snapshot being read changes nothing; then it is as if it had been loaded at once."""
    loader, at_once = MetadataLoader(), MetadataLoader()
    loader.load_batches(batches([*start(), broker(1)]))
    at_once.load_batches(batches([*start(), broker(1)]))
    before = loader.image
    loading = loader.start_snapshot(SNAPSHOT, 77)
    for one in contents([*start(), config("b")]):
        loading.take(one)
        assert (loader.image, loader.next_offset) == (before, 3)
    publication = loader.finish_snapshot(loading)
    assert publication.image == at_once.load_snapshot(SNAPSHOT, contents([*start(), config("b")]), 77).image
    assert (loader.image, loader.next_offset) == (publication.image, 100)


def test_nothing_else_is_loaded_while_a_snapshot_is_read() -> None:
    """Finishing a snapshot over another image than it was started on is a bug of the caller."""
    loader = MetadataLoader()
    loading = loader.start_snapshot(SNAPSHOT, 77)
    loader.load_batches(batches(start()))
    with pytest.raises(InvariantViolation, match="nothing else was loaded"):
        loader.finish_snapshot(loading)


def test_a_snapshot_ends_a_transaction_and_a_failure() -> None:
    """A snapshot replaces what an open transaction held back, and starts a stopped loader again."""
    loader = MetadataLoader()
    loader.load_batches(batches([*start(), BEGIN, config("a")]))
    loader.load_snapshot(SNAPSHOT, contents(start()), 0)
    assert not loader.in_transaction
    with pytest.raises(ReplayError):
        loader.load_batches(batches([RemoveTopicRecord(uuid(1))], first=100))
    loader.load_snapshot(OffsetAndEpoch(epoch=6, offset=200), contents(start()), 0)
    loader.load_batches(batches([config("z")], first=200))
    assert names(loader) == ["z"]


@pytest.mark.parametrize("mark", [BEGIN, END, ABORT], ids=lambda mark: type(mark).__name__)
def test_a_snapshot_has_no_transactions(mark: Record) -> None:
    """Transaction marks inside a snapshot are fatal, and nothing of it is taken over."""
    loader = MetadataLoader()
    with pytest.raises(ReplayError, match="at offset 1: a snapshot has no transactions"):
        loader.load_snapshot(SNAPSHOT, [batch(0, [start()[0], mark])], 0)
    assert (loader.image, loader.next_offset) == (EMPTY, 0)


def test_a_snapshot_of_another_cluster_is_refused() -> None:
    """A snapshot that names another cluster id than the image is fatal, with both ids, and changes nothing."""
    loader = MetadataLoader()
    loader.load_batches(batches(start()))
    before = loader.image
    other = [batch(0, [start()[0], ClusterIdRecord("cluster-b")])]
    with pytest.raises(ReplayError, match=r"'cluster-a'.*'cluster-b'"):
        loader.load_snapshot(SNAPSHOT, other, 0)
    assert loader.image is before


def test_bytes_in_a_snapshot_that_are_no_record_are_refused() -> None:
    """A value of a snapshot that cannot be decoded is named with its place."""
    with pytest.raises(ReplayError, match=r"record of a snapshot at offset 0: .*frame version 9"):
        MetadataLoader().load_snapshot(SNAPSHOT, [values_batch(0, [b"\x09\x01\x00"])], 0)


def test_a_snapshot_states_its_own_level() -> None:
    """The level of the image before does not choose a snapshot's record table."""
    loader = MetadataLoader()
    loader.load_batches(batches(start(40)))
    value = encode_for_level(ClusterIdRecord("cluster-a"), 40)
    loader.load_snapshot(SNAPSHOT, [values_batch(0, [value])], 0)
    assert (loader.image.level, loader.image.cluster_id.value, loader.image.unknown.count) == (1, None, 1)


def test_a_late_publisher_is_given_the_whole_image() -> None:
    """A publication from the empty image holds everything, as a snapshot would."""
    image = replay(*start(), broker(1), topic(), config("a"))
    publication = Publication.complete(EMPTY, image)
    assert publication.manifest == SnapshotManifest(image.provenance)
    assert publication.delta.image is EMPTY
    assert publication.delta.apply(image.provenance) == image


def test_images_die_without_the_garbage_collector() -> None:
    """Nothing in a delta points back at it: an old image goes when the last one lets go of it."""
    gc.disable()
    try:
        loader = MetadataLoader()
        loader.load_batches(batches([*start(), topic(), RemoveTopicRecord(uuid(500)), config("a")]))
        old = weakref.ref(loader.image.configs.by_type)
        loader.load_batches(batches([config("b")], first=5))
        assert old() is None
    finally:
        gc.enable()


def test_a_delta_of_a_snapshot_is_finished_before_it_is_applied() -> None:
    """Applying an unfinished snapshot, or finishing what is none, is a bug."""
    with pytest.raises(InvariantViolation):
        MetadataDelta(EMPTY, snapshot=True).apply(EMPTY.provenance)
    with pytest.raises(InvariantViolation):
        MetadataDelta(EMPTY).finish_snapshot()
