"""The first write of a leadership. Sources: KIP-1262, KIP-868, controller reference §4."""

from __future__ import annotations

import pytest

from kraftpy.controller.activation import BOOTSTRAP_TRANSACTION
from kraftpy.image.image import EMPTY
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClusterIdRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
)
from tests.unit.controller.worlds import CLUSTER, World, image_of, level_record, uuid

CLUSTER_RECORD = ClusterIdRecord(cluster_id=CLUSTER)


def fresh(**activation):
    world = World(active=False)
    return world, world.activate(**activation)


def refused(world=None, **activation):
    world = world or World(active=False)
    with pytest.raises(ApiError) as caught:
        world.activate(**activation)
    assert not world.controller.active
    return caught.value


def test_empty_log_gets_level_then_id_in_a_transaction():
    """An empty log at level 40 gets Begin, metadata.version, ClusterIdRecord, End (K1262-6, §4)."""
    _, result = fresh(cluster_id=CLUSTER)
    assert result.records == (
        BeginTransactionRecord(name=BOOTSTRAP_TRANSACTION),
        level_record(40),
        CLUSTER_RECORD,
        EndTransactionRecord(),
    )
    assert not result.atomic


def test_without_a_local_id_one_is_generated():
    """The first controller without a local cluster id generates a random uuid (K1262-7)."""
    world, _ = fresh(cluster_id=None)
    assert world.controller.cluster_id == uuid_to_text(uuid(1))
    assert world.controller.image.cluster_id.value == uuid_to_text(uuid(1))


def test_a_local_id_is_used():
    """The first controller with a local id uses it, and draws no uuid (K1262-7)."""
    world, _ = fresh(cluster_id="not a uuid at all")
    assert world.controller.image.cluster_id.value == "not a uuid at all"
    assert world.controller._uuids.given == 0


@pytest.mark.parametrize("level", [7, 12])
def test_no_transaction_below_its_level(level):
    """Below metadata.version 13 the bootstrap records are one atomic batch without a ClusterIdRecord (§4, K1262-3)."""
    _, result = fresh(bootstrap=(level_record(level),))
    assert result.records == (level_record(level),)
    assert result.atomic


@pytest.mark.parametrize("level", [13, 30, 33])
def test_no_cluster_id_record_below_40(level):
    """Below level 40 no ClusterIdRecord is written, although the id is known (K1262-2)."""
    _, result = fresh(bootstrap=(level_record(level),))
    assert [type(record) for record in result.records] == [
        BeginTransactionRecord,
        FeatureLevelRecord,
        EndTransactionRecord,
    ]


@pytest.mark.parametrize("level", [7, 30])
def test_below_40_without_any_id_activation_is_refused(level):
    """A level that cannot discover the id, and no local id: activation fails with a clear text (K1262-27)."""
    error = refused(cluster_id=None, bootstrap=(level_record(level),))
    assert "meta.properties has no cluster.id" in error.message
    assert "--cluster-id" in error.message


def test_a_log_below_40_without_a_local_id_is_refused():
    """A controller without an id cannot lead a log below level 40 (K1262-27)."""
    world = World(active=False)
    world.committed_image = image_of(level_record(30))
    assert "cannot discover it" in refused(world, cluster_id=None).message


def test_bootstrap_records_are_used_as_they_are_level_first():
    """What format prepared is kept; metadata.version comes first and the id right behind it (K1262-9)."""
    other = FeatureLevelRecord(name="group.version", feature_level=1)
    config = ConfigRecord(4, "", "k", "v")
    _, result = fresh(cluster_id=None, bootstrap=(other, CLUSTER_RECORD, level_record(41), config))
    assert result.records[1:-1] == (level_record(41), CLUSTER_RECORD, other, config)


def test_bootstrap_without_id_gets_one_at_activation():
    """Formatted at level 40 without an id: the record is produced at activation (K1262-9)."""
    _, result = fresh(bootstrap=(level_record(40),))
    assert CLUSTER_RECORD in result.records


def test_bootstrap_of_another_cluster_is_refused():
    """A bootstrap checkpoint and a meta.properties that disagree are two clusters (DESIGN D7)."""
    error = refused(cluster_id="mine", bootstrap=(level_record(40), CLUSTER_RECORD))
    assert error.code is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert "mine" in error.message
    assert CLUSTER in error.message


@pytest.mark.parametrize(
    ("bootstrap", "text"),
    [
        ((level_record(30), CLUSTER_RECORD), "does not know"),
        ((level_record(6),), "not supported"),
        ((level_record(36),), "not supported"),
        ((ConfigRecord(4, "", "k", "v"),), "no metadata.version"),
        ((level_record(40), level_record(41)), "twice"),
    ],
)
def test_bootstrap_records_that_make_no_sense_are_refused(bootstrap, text):
    """Bootstrap records must state one supported level, and an id only where the level has it (K1262-3)."""
    assert text in refused(bootstrap=bootstrap).message


def test_a_log_with_records_needs_nothing():
    """A non-empty log without an open transaction gets nothing (§4)."""
    world = World(active=False)
    world.committed_image = image_of(level_record(40), CLUSTER_RECORD)
    assert world.activate().records == ()
    assert world.activate.__self__.controller.active


def test_a_log_with_an_open_transaction_gets_an_abort():
    """A transaction left open by the last leader is aborted first (§4)."""
    world = World(active=False)
    world.committed_image = image_of(level_record(40), CLUSTER_RECORD)
    result = world.activate(open_transaction=True)
    assert result.records == (AbortTransactionRecord(reason="Controller failover"),)


def test_a_half_written_bootstrap_is_aborted_and_written_again():
    """Only a half-written bootstrap transaction: abort, then the whole bootstrap again (§4)."""
    world, result = fresh(open_transaction=True)
    assert [type(record) for record in result.records[:2]] == [AbortTransactionRecord, BeginTransactionRecord]
    assert world.controller.image.level == 40


def test_a_crash_between_bootstrap_batches_leaves_the_state_unchanged():
    """A leader that dies between two parts of the bootstrap transaction leaves nothing behind (§21.10)."""
    bootstrap = (level_record(40), *(ConfigRecord(4, "", f"key-{i}", "v") for i in range(2_500)))
    world = World(active=False)
    result = world.controller.activate(
        now_ms=0, epoch=1, image=EMPTY, next_offset=1, cluster_id=CLUSTER, bootstrap=bootstrap, open_transaction=False
    )
    first, second = result.parts()
    assert len(first.records) == 2_000
    world.controller.encode(first)
    world.controller.appended(first, 2_000, 1)
    world.controller.resign()
    assert world.controller.image == EMPTY
    world.offset = 2_000
    again = world.activate(bootstrap=bootstrap, open_transaction=True, epoch=2)
    assert isinstance(again.records[0], AbortTransactionRecord)
    assert len(world.controller.image.configs.broker(None)) == 2_500
    assert second.records[-1] == EndTransactionRecord()


def test_a_log_of_another_cluster_is_refused():
    """A local id that differs from the log's is never overwritten, and never leads (DESIGN D7, K1262-23)."""
    world = World(active=False)
    world.committed_image = image_of(level_record(40), CLUSTER_RECORD)
    error = refused(world, cluster_id="mine")
    assert "mine" in error.message
    assert CLUSTER in error.message


def test_a_log_at_40_without_an_id_is_refused():
    """A log at level 40 without a ClusterIdRecord breaks the invariant of KIP-1262 (K1262-3)."""
    world = World(active=False)
    world.committed_image = image_of(level_record(40))
    assert "no ClusterIdRecord" in refused(world).message


def test_an_open_transaction_below_13_is_refused():
    """An open transaction in a log whose level forbids transactions is corruption (§4)."""
    world = World(active=False)
    world.committed_image = image_of(level_record(12))
    assert "transaction is open" in refused(world, open_transaction=True).message


def test_a_log_below_the_minimum_is_refused():
    """A log below metadata.version 7 is read, never led."""
    world = World(active=False)
    world.committed_image = image_of(level_record(6))
    assert "not supported" in refused(world).message
    world.committed_image = image_of(ConfigRecord(4, "", "k", "v"))
    assert "no metadata.version" in refused(world).message


def test_values_are_encoded_at_the_level_in_force():
    """The cluster id can be encoded right behind the level that brings it, and Begin before any level (D6)."""
    world, _ = fresh()
    assert [value[1] for value in world.values] == [23, 12, 29, 24]
