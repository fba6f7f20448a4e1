"""The record, its level and its invariant: K1262-1, -2, -3, -25, -26."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.controller.requests import FeatureUpdate, FeatureUpdateKind, UpdateFeatures
from kraftpy.image import EMPTY, MetadataDelta, MetadataLoader, Provenance, check_cluster_id, image_records
from kraftpy.image.errors import MetadataLossError, ReplayError
from kraftpy.model.errors import ApiError, ErrorCode, LocalError
from kraftpy.model.features import (
    CLUSTER_ID_LEVEL,
    DEFAULT_LEVEL,
    METADATA_VERSIONS,
    MINIMUM_LEVEL,
    SchemaSet,
)
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records.metadata import (
    ClusterIdRecord,
    FeatureLevelRecord,
    decode_record,
    encode_for_level,
)
from kraftpy.storage.meta_properties import MetaProperties, parse_meta_properties, render_meta_properties
from tests.unit.controller.worlds import World, level_record
from tests.unit.image.support import batch, batches, broker, replay, topic

BELOW = [version.level for version in METADATA_VERSIONS if MINIMUM_LEVEL <= version.level < CLUSTER_ID_LEVEL]
FROM = [version.level for version in METADATA_VERSIONS if version.level >= CLUSTER_ID_LEVEL]
A, B = ClusterIdRecord("cluster-a"), ClusterIdRecord("cluster-b")

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80)


def test_k1262_01_the_record_is_key_29_version_0_and_one_string():
    """ClusterIdRecord is apiKey 29, version 0, one compact string and an empty tag section, byte for byte."""
    assert encode_for_level(ClusterIdRecord("old cluster!"), CLUSTER_ID_LEVEL) == b"\x01\x1d\x00\x0dold cluster!\x00"
    assert (ClusterIdRecord.API_KEY, ClusterIdRecord.MIN_VERSION, ClusterIdRecord.MAX_VERSION) == (29, 0, 0)


@given(ids)
def test_k1262_01_any_string_survives_record_image_and_file(cluster_id):
    """An id that is no uuid comes back unchanged from the record, the image, a snapshot and meta.properties."""
    value = encode_for_level(ClusterIdRecord(cluster_id), CLUSTER_ID_LEVEL)
    assert decode_record(value, SchemaSet.KRAFTPY) == ClusterIdRecord(cluster_id)
    image = replay(level_record(CLUSTER_ID_LEVEL), ClusterIdRecord(cluster_id))
    assert replay(*image_records(image)).cluster_id.value == cluster_id
    file = MetaProperties(version=2, node_id=1, cluster_id=cluster_id)
    assert parse_meta_properties(render_meta_properties(file).encode("ascii").decode("latin-1")) == file


def test_k1262_02_the_record_has_its_own_level():
    """KIP-1262 has one level, 5.0-IV0: it changed the metadata, comes after Kafka's, and is where a cluster starts."""
    version = next(version for version in METADATA_VERSIONS if version.level == CLUSTER_ID_LEVEL)
    assert (version.name, version.changes_metadata, version.production) == ("5.0-IV0", True, True)
    assert CLUSTER_ID_LEVEL == DEFAULT_LEVEL == max(BELOW) + 6


@pytest.mark.parametrize("level", BELOW)
def test_k1262_02_a_lower_level_neither_writes_nor_accepts_the_record(level):
    """Below its level the record cannot be encoded, its bytes are not read as it, and it does not replay."""
    with pytest.raises(LocalError, match="ClusterIdRecord cannot be written"):
        encode_for_level(A, level)
    value = encode_for_level(A, CLUSTER_ID_LEVEL)
    assert not isinstance(decode_record(value, SchemaSet.for_level(level)), ClusterIdRecord)
    delta = MetadataDelta(replay(level_record(level)))
    with pytest.raises(ReplayError, match=f"metadata.version is {level}"):
        delta.replay(A)
    assert delta.apply(Provenance(5, 1, 0, batch_aligned=True)).cluster_id.value is None


@pytest.mark.parametrize("level", FROM)
def test_k1262_02_its_level_and_those_above_write_and_accept_it(level):
    """From its level on the record is written and read."""
    assert decode_record(encode_for_level(A, level), SchemaSet.for_level(level)) == A


def test_k1262_03_a_second_value_is_fatal_to_the_loader():
    """A second, different id stops the loader for good and publishes nothing of that call."""
    loader = MetadataLoader()
    loader.load_batches(batches([level_record(40), A]))
    before = loader.image
    with pytest.raises(ReplayError, match=r"already names this cluster 'cluster-a'.*'cluster-b'"):
        loader.load_batches(batches([topic()], [B], first=2))
    assert loader.image is before
    assert loader.failure is not None
    with pytest.raises(ReplayError):
        loader.load_batches([batch(2, [topic()])])


def test_k1262_03_the_same_value_again_is_tolerated():
    """The same id again, in another batch, changes nothing and stops nothing."""
    loader = MetadataLoader()
    loader.load_batches(batches([level_record(40), A], [A, topic()]))
    assert (loader.image.cluster_id.value, loader.failure) == ("cluster-a", None)


@pytest.mark.parametrize("level", FROM)
def test_k1262_03_a_level_without_its_id_is_refused_by_every_node(level):
    """A log that reaches the level and holds no id breaks the invariant: the loader of any node stops there."""
    loader = MetadataLoader()
    with pytest.raises(ReplayError, match=f"there is none although metadata.version is {level}"):
        loader.load_batches(batches([level_record(level)], level=level))


def test_k1262_03_level_and_id_in_two_batches_are_refused_wherever_the_call_ends():
    """An id that comes in a later batch than its level is too late, even when both come in one call."""
    with pytest.raises(ReplayError, match="has to come in the same batch"):
        MetadataLoader().load_batches(batches([level_record(40)], [A], level=40))


def test_k1262_03_a_snapshot_of_another_cluster_or_of_none_is_refused():
    """A snapshot that names another cluster, or that has the level and no id, replaces nothing."""
    loader = MetadataLoader()
    loader.load_batches(batches([level_record(40), A]))
    for contents, text in (([level_record(40), B], "cluster-b"), ([level_record(40)], "there is none")):
        before = loader.image
        with pytest.raises(ReplayError, match=text):
            loader.load_snapshot(OffsetAndEpoch(epoch=3, offset=9), batches(contents), 0)
        assert loader.image is before


@pytest.mark.parametrize("level", [*BELOW, *FROM])
def test_k1262_03_what_a_controller_writes_always_keeps_the_invariant(level):
    """After bootstrap and every upgrade that follows there is an id exactly if the level calls for one."""
    world = World(level=level)
    for target in (each for each in (30, 40, 42) if each > level):
        world.do(UpdateFeatures(updates=(FeatureUpdate("metadata.version", target, FeatureUpdateKind.UPGRADE),)))
    image = EMPTY
    for record in world.log:
        if type(record).__name__ not in {"BeginTransactionRecord", "EndTransactionRecord"}:
            image = replay(record, base=image)
    check_cluster_id(image)
    found = [record.cluster_id for record in world.log if isinstance(record, ClusterIdRecord)]
    assert len(found) == 1, "one record, however many upgrades"


def test_k1262_25_the_snapshot_states_the_id_directly_after_the_level():
    """metadata.version is the first record of a snapshot and ClusterIdRecord the second, whatever else there is."""
    other = FeatureLevelRecord("group.version", 1)
    image = replay(other, level_record(42), A, broker(), topic())
    assert list(image_records(image))[:2] == [level_record(42), A]
    assert MetadataDelta(EMPTY).cluster_id is None
    assert replay(*image_records(image)).same_content(image)


@pytest.mark.parametrize("level", BELOW)
def test_k1262_25_writing_it_at_a_lower_level_is_a_loss(level):
    """To say an image with an id at a level below is refused with the id's name, never dropped in silence."""
    image = replay(level_record(40), A)
    with pytest.raises(MetadataLossError, match=f"metadata.version {level}: the cluster id cluster-a"):
        list(image_records(image, level))


@pytest.mark.parametrize("kind", [FeatureUpdateKind.SAFE_DOWNGRADE, FeatureUpdateKind.UNSAFE_DOWNGRADE])
@pytest.mark.parametrize("start", FROM)
@pytest.mark.parametrize("target", BELOW)
def test_k1262_26_no_downgrade_below_the_level(start, target, kind):
    """From any level with the id to any level without, both kinds of downgrade are refused and nothing is written."""
    world = World(level=start)
    request = UpdateFeatures(updates=(FeatureUpdate("metadata.version", target, kind),))
    before = list(world.log)
    with pytest.raises(ApiError) as refusal:
        world.do(request)
    assert refusal.value.code is ErrorCode.INVALID_UPDATE_VERSION
    assert world.log == before
    assert world.controller.image.level == start
