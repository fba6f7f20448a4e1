"""Feature levels and the cluster id."""

from __future__ import annotations

import pytest

from kraftpy.image import EMPTY, MetadataDelta, ReplayError, check_cluster_id
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.records.metadata import ClusterIdRecord, FeatureLevelRecord, ZkMigrationStateRecord
from tests.unit.image.support import delta_of, replay, start


def test_a_log_without_a_level_is_at_level_1() -> None:
    """An image that never saw a metadata.version is at level 1, with Kafka's records."""
    assert (EMPTY.level, EMPTY.schema) == (1, SchemaSet.KAFKA)


def test_level_0_removes_a_feature() -> None:
    """A feature at level 0 is not listed, whether it was there before or not."""
    image = replay(FeatureLevelRecord("group.version", 1))
    delta = delta_of(FeatureLevelRecord("group.version", 0), FeatureLevelRecord("other", 0), base=image)
    assert delta.features is not None
    assert delta.features.changes == {"group.version": None}
    assert not replay(FeatureLevelRecord("group.version", 0), base=image).features.levels


def test_a_level_rules_from_the_next_record_on() -> None:
    """The delta's record table follows a FeatureLevelRecord at once."""
    delta = MetadataDelta(EMPTY)
    levels = []
    for level in (30, 33, 40):
        delta.replay(FeatureLevelRecord(METADATA_VERSION, level))
        levels.append((delta.level, delta.schema))
    assert levels == [(30, SchemaSet.KAFKA), (33, SchemaSet.KAFKA_4_4), (40, SchemaSet.KRAFTPY)]


def test_metadata_version_change_names_both_levels() -> None:
    """The change of metadata.version is reported with both levels, and only if there is one."""
    image = replay(FeatureLevelRecord(METADATA_VERSION, 30))
    changed = delta_of(FeatureLevelRecord(METADATA_VERSION, 40), base=image).features
    same = delta_of(FeatureLevelRecord(METADATA_VERSION, 30), base=image).features
    assert changed is not None
    assert same is not None
    assert (changed.metadata_version_change, same.metadata_version_change) == ((30, 40), None)


def test_the_zk_migration_state_is_carried_along() -> None:
    """An old log's migration state stays in the image."""
    assert replay(ZkMigrationStateRecord(3)).features.zk_migration_state == 3


def test_the_same_cluster_id_may_come_again() -> None:
    """A second ClusterIdRecord of the same value changes nothing (K1262-3)."""
    image = replay(*start(40))
    assert replay(ClusterIdRecord("cluster-a"), base=image).cluster_id.value == "cluster-a"


def test_another_cluster_id_does_not_replay() -> None:
    """A second, different ClusterIdRecord is fatal, in one delta and over an image, and names both ids (K1262-3)."""
    with pytest.raises(ReplayError, match=r"cannot replay ClusterIdRecord: .*'cluster-a'.*'cluster-b'"):
        replay(*start(40), ClusterIdRecord("cluster-b"))
    with pytest.raises(ReplayError, match=r"'cluster-a'.*'cluster-b'"):
        replay(ClusterIdRecord("cluster-b"), base=replay(*start(40)))


def test_a_cluster_id_needs_its_level() -> None:
    """Below level 40 a ClusterIdRecord does not replay; in the batch that brings the level it does (K1262-5)."""
    image = replay(*start(33))
    with pytest.raises(ReplayError, match=r"metadata\.version is 33"):
        replay(ClusterIdRecord("a"), base=image)
    assert replay(FeatureLevelRecord(METADATA_VERSION, 40), ClusterIdRecord("a"), base=image).cluster_id.value == "a"


def test_an_empty_cluster_id_does_not_replay() -> None:
    """A cluster id without characters is refused."""
    with pytest.raises(ReplayError, match="empty"):
        replay(FeatureLevelRecord(METADATA_VERSION, 40), ClusterIdRecord(""))


def test_discovery_reports_the_id_once() -> None:
    """Only the delta that made the id known presents it as discovered."""
    first = delta_of(*start(40)).cluster_id
    again = delta_of(ClusterIdRecord("cluster-a"), base=replay(*start(40))).cluster_id
    assert first is not None
    assert again is not None
    assert (first.discovered, again.discovered) == ("cluster-a", None)


def test_check_cluster_id_wants_level_and_id_together() -> None:
    """From level 40 on an image needs a cluster id, and below it has none (K1262-3)."""
    check_cluster_id(EMPTY)
    check_cluster_id(replay(*start(40)))
    with pytest.raises(ReplayError, match=r"at offset 0: there is none although metadata.version is 40"):
        check_cluster_id(replay(FeatureLevelRecord(METADATA_VERSION, 40)))
    with pytest.raises(ReplayError, match=r"there is one although metadata\.version is 30"):
        check_cluster_id(replay(FeatureLevelRecord(METADATA_VERSION, 30), base=replay(*start(40))))
