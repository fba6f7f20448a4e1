"""Changing feature levels. Sources: KIP-584, KIP-1262, controller reference §14.1."""

from __future__ import annotations

import pytest

from kraftpy.controller.config import ControllerConfig, QuorumFacts
from kraftpy.controller.requests import FeatureUpdate, FeatureUpdateKind, UpdateFeatures
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import ClusterIdRecord, ConfigRecord, EndTransactionRecord, FeatureLevelRecord
from tests.unit.controller.worlds import CLUSTER, World, image_of, level_record, range_of, register, register_controller

UP, SAFE, UNSAFE = FeatureUpdateKind.UPGRADE, FeatureUpdateKind.SAFE_DOWNGRADE, FeatureUpdateKind.UNSAFE_DOWNGRADE


def update(level, kind=UP, name="metadata.version", **more):
    return UpdateFeatures(updates=(FeatureUpdate(name, level, kind),), **more)


def refused(world, request):
    with pytest.raises(ApiError) as caught:
        world.controller.decide(0, request)
    return caught.value


def test_crossing_40_writes_level_and_id_in_one_atomic_batch():
    """FeatureLevelRecord and ClusterIdRecord commit together, level first, with this node's id (K1262-5)."""
    world = World(level=30)
    result = world.append(world.controller.decide(0, update(40)))
    assert result.records == (level_record(40), ClusterIdRecord(cluster_id=CLUSTER))
    assert result.atomic
    assert world.controller.image.cluster_id.value == CLUSTER


def test_the_id_is_right_after_the_level_whatever_else_is_updated():
    """Other features come behind the ClusterIdRecord, whatever the order of the request (K1262-25)."""
    world = World(level=30)
    both = UpdateFeatures(updates=(FeatureUpdate("group.version", 1, UP), FeatureUpdate("metadata.version", 41, UP)))
    records, _ = world.do(both)
    assert records == [
        level_record(41),
        ClusterIdRecord(cluster_id=CLUSTER),
        FeatureLevelRecord(name="group.version", feature_level=1),
    ]
    assert world.values[-2][1] == 29


def test_an_unknown_feature_cannot_be_removed():
    """There is nothing to disable, and a record about it would be an unknown word in the log for ever."""
    world = World()
    for kind in (SAFE, UNSAFE, UP):
        error = refused(world, update(0, kind, name="no.such.version"))
        assert error.code is ErrorCode.INVALID_UPDATE_VERSION
        assert "no.such.version. Feature no.such.version not found" in error.message
    world.do(update(1, name="group.version"))
    assert world.do(update(0, SAFE, name="group.version"))[0] == [FeatureLevelRecord("group.version", 0)]


def test_crossing_40_without_an_id_is_refused():
    """A controller that does not know the cluster id cannot bring the level that writes it (K1262-5)."""
    world = World(level=30)
    world.controller._local_cluster_id = None
    assert "does not know the cluster id" in refused(world, update(40)).message


def test_above_40_no_second_id_is_written():
    """A log that has its id gets no second record (K1262-3)."""
    assert World().do(update(42))[0] == [level_record(42)]


@pytest.mark.parametrize("kind", [SAFE, UNSAFE])
@pytest.mark.parametrize(("start", "target"), [(40, 30), (40, 34), (41, 40), (17, 16)])
def test_downgrades_across_a_change_of_format_are_refused(start, target, kind):
    """A downgrade below 40, or across any level that changed the metadata, is refused (K1262-26, §14.1.6)."""
    error = refused(World(level=start), update(target, kind))
    assert error.code is ErrorCode.INVALID_UPDATE_VERSION
    assert f"Unsupported metadata.version downgrade from {start} to {target}. " in error.message
    expected = "might delete metadata" if kind is SAFE else "Unsafe metadata downgrade is not supported"
    assert expected in error.message


def test_a_safe_downgrade_that_loses_nothing():
    """22 to 18 crosses no change of format and is allowed (§14.2)."""
    world = World(level=22)
    world.do(update(18, SAFE))
    assert world.controller.image.level == 18


def test_the_same_level_again_succeeds_with_a_record():
    """Setting the level in force succeeds and writes it again (§14.1)."""
    assert World().do(update(40))[0] == [level_record(40)]


@pytest.mark.parametrize("level", [31, 34, 41, 42])
def test_a_level_without_a_release_is_refused_unless_it_is_allowed(level):
    """Without unstable.feature.versions.enable no level can be finalized that has no release, and none is declared."""
    world = World(config=ControllerConfig(), level=30, cluster_id="the-cluster")
    with pytest.raises(ApiError, match=r"not yet stable.*unstable.feature.versions.enable=true") as refusal:
        world.do(update(level))
    assert refusal.value.code is ErrorCode.INVALID_UPDATE_VERSION
    assert world.controller.image.level == 30
    in_force = [level_record(level), *([ClusterIdRecord(cluster_id=CLUSTER)] if level >= 40 else [])]
    with pytest.raises(ApiError, match=r"unstable.feature.versions.enable=true"):
        World(config=ControllerConfig(), image=image_of(*in_force))


def test_a_feature_needs_what_it_depends_on():
    """A level is refused while what it needs is not in force after the request."""
    world = World(level=20)
    with pytest.raises(ApiError, match=r"It depends on metadata.version level 21, and that is at 20"):
        world.do(update(1, name="kraft.version"))
    with pytest.raises(ApiError, match=r"It depends on metadata.version level 23, and that is at 20"):
        world.do(update(1, name="eligible.leader.replicas.version"))


def test_kraft_version_may_be_raised_together_with_other_features():
    """``kafka-features upgrade --release-version`` asks for both; the quorum writes its own records (Kafka 4.3)."""
    asked = UpdateFeatures(updates=(FeatureUpdate("kraft.version", 1, UP), FeatureUpdate("metadata.version", 21, UP)))
    world = World(level=20)
    result = world.controller.decide(world.now_ms, asked)
    assert list(result.records) == [level_record(21)]
    assert result.kraft_version == 1


def test_a_running_cluster_that_chooses_eligible_leader_replicas_has_one_min_isr_from_then_on():
    """The cluster's value is written first, a broker's own is removed, and both only when the level rises (KIP-966)."""
    of_broker = ConfigRecord(resource_type=4, resource_name="3", name="min.insync.replicas", value="3")
    world = World(level=30, config=ControllerConfig(min_insync_replicas=2), records=[of_broker])
    records, _ = world.do(update(1, name="eligible.leader.replicas.version"))
    assert records == [
        ConfigRecord(resource_type=4, resource_name="", name="min.insync.replicas", value="2"),
        ConfigRecord(resource_type=4, resource_name="3", name="min.insync.replicas", value=None),
        FeatureLevelRecord("eligible.leader.replicas.version", 1),
    ]
    records, _ = world.do(update(1, name="eligible.leader.replicas.version"))
    assert records == [FeatureLevelRecord("eligible.leader.replicas.version", 1)]


def test_a_new_cluster_with_eligible_leader_replicas_gets_its_min_isr():
    """They are worked out by min.insync.replicas, so the log starts with it, where Kafka 4.3 writes it, too."""
    bootstrap = (level_record(30), FeatureLevelRecord("eligible.leader.replicas.version", 1))
    world = World(bootstrap=bootstrap, config=ControllerConfig(min_insync_replicas=2))
    expected = ConfigRecord(resource_type=4, resource_name="", name="min.insync.replicas", value="2")
    assert world.log[-2:] == [expected, EndTransactionRecord()]
    assert not [one for one in World(level=30).log if isinstance(one, ConfigRecord)]


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (update(41, 0), "does not support the given upgrade type"),
        (update(-1), "cannot be less than 0"),
        (update(43), "Local controller 1 only supports versions 7-42"),
        (update(36, SAFE), "Unknown metadata.version 36"),
        (update(0, SAFE), "Local controller 1 only supports versions 7-42"),
        (update(30), "without setting the upgrade type"),
        (update(41, SAFE), "Can't downgrade to a newer version"),
        (update(1, name="no.such.feature"), "Local controller 1 does not support this feature"),
    ],
)
def test_refusals(request_, text):
    """Each rule of §14.1 has its text, and all start alike."""
    error = refused(World(), request_)
    assert text in error.message
    assert error.message.startswith("The update failed for all features since the following feature had an error: ")


def test_every_broker_must_support_the_level():
    """A registered broker that does not know the level holds the update back (§14.1.3)."""
    world = World(level=30)
    world.do(register(3, features=(range_of(high=30),)))
    assert "Broker 3 only supports versions 7-30" in refused(world, update(40)).message


def test_every_controller_must_support_the_level():
    """A registered controller that does not know the level holds the update back (§14.1.3)."""
    world = World(level=30)
    world.do(register_controller(2, features=(range_of(high=30),)))
    assert "Controller 2 only supports versions 7-30" in refused(world, update(40)).message


def test_every_voter_must_be_registered_from_15_on():
    """A voter that is not registered may not support the level (§14.1.3)."""
    world = World(level=30)
    world.controller.quorum_changed(QuorumFacts(frozenset({1, 2}), 0))
    assert "controller 2 has not registered" in refused(world, update(40)).message
    old = World(level=14)
    old.controller.quorum_changed(QuorumFacts(frozenset({1, 2}), 0))
    assert old.do(update(15))[0] == [level_record(15)]


def test_one_bad_update_fails_all():
    """The updates of a request are made all or none (§14.1)."""
    world = World()
    both = UpdateFeatures(updates=(FeatureUpdate("group.version", 1, UP), FeatureUpdate("transaction.version", 9, UP)))
    assert "transaction.version" in refused(world, both).message
    assert "group.version" not in world.controller.image.features.levels


def test_level_0_takes_a_feature_away():
    """Level 0 removes a feature (§14.1)."""
    world = World()
    world.do(update(1, name="group.version"))
    world.do(update(0, SAFE, name="group.version"))
    assert "group.version" not in world.controller.image.features.levels


def test_a_feature_named_twice_is_refused():
    """A request that names a feature twice is ambiguous."""
    twice = UpdateFeatures(updates=(FeatureUpdate("group.version", 1, UP), FeatureUpdate("group.version", 0, UP)))
    assert refused(World(), twice).code is ErrorCode.INVALID_REQUEST


def test_validate_only_writes_nothing():
    """validate_only judges and writes nothing."""
    world = World(level=30)
    assert world.do(update(40, validate_only=True))[0] == []
    assert "less than 0" in refused(world, update(-1, validate_only=True)).message


def test_a_kraft_version_is_handed_to_the_quorum():
    """The result names the kraft.version for the quorum, which writes that itself; a downgrade is impossible."""
    world = World()
    result = world.controller.decide(world.now_ms, update(1, name="kraft.version"))
    assert (result.records, result.kraft_version) == ((), 1)
    world.controller.quorum_changed(QuorumFacts(frozenset({1}), 1))
    assert world.controller.decide(world.now_ms, update(1, name="kraft.version")).kraft_version is None
    assert "no way back" in refused(world, update(0, SAFE, name="kraft.version")).message
