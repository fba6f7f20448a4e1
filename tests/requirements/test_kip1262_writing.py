"""Who writes the id, when, and in what: K1262-4 to -11."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from kraftpy.cli.root import cli
from kraftpy.controller.requests import FeatureUpdate, FeatureUpdateKind, UpdateFeatures
from kraftpy.image import EMPTY, MetadataLoader, check_cluster_id
from kraftpy.model.errors import ApiError, ConfigError
from kraftpy.model.features import CLUSTER_ID_LEVEL, DEFAULT_LEVEL, TRANSACTIONS_LEVEL, SchemaSet
from kraftpy.model.ids import is_reserved_uuid, uuid_from_text
from kraftpy.node.startup import open_node
from kraftpy.records.batch import encode_batch, split_batches
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    ClusterIdRecord,
    EndTransactionRecord,
    UserScramCredentialRecord,
    decode_record,
)
from kraftpy.storage.bootstrap import read_bootstrap
from kraftpy.storage.filesystem import RealFileSystem
from tests.fakes.raft_cluster import Cluster
from tests.requirements.nodes import Lab, config_of, file_of, lab, until
from tests.unit.controller.worlds import World, level_record
from tests.unit.image.support import replay
from tests.unit.storage.logs import batch as log_batch

OLD_ID = "old cluster!"


def upgrade(level):
    return UpdateFeatures(updates=(FeatureUpdate("metadata.version", level, FeatureUpdateKind.UPGRADE),))


def kraftpy(*words):
    return CliRunner().invoke(cli, [str(word) for word in words], prog_name="kraftpy")


@pytest.fixture
def bench(tmp_path):
    return Lab(tmp_path)


def bootstrap_of(bench, node_id=1):
    return read_bootstrap(RealFileSystem(), str(bench.directories(node_id)[0]))


def format_node(path, *words):
    done = kraftpy("storage", "format", "--config", path, *words)
    assert done.exit_code == 0, done.stderr
    return done


# ---------------- K1262-4: three write paths


@pytest.mark.parametrize("level", [7, 29, 30, 40, 41, 42])
@pytest.mark.parametrize("path", ["format", "bootstrap", "upgrade"])
def test_k1262_04_every_way_to_write_a_level_writes_the_id_with_it(path, level, bench):
    """Format, the first leader's bootstrap and the upgrade each leave a level with its id, or neither."""
    if path == "format":
        config = bench.controller(bench.quorum(1), unstable_feature_versions_enable="true")
        format_node(config, "--cluster-id", OLD_ID, "--feature", f"metadata.version={level}")
        records = bootstrap_of(bench)
    elif path == "bootstrap":
        records = World(level=level, cluster_id=OLD_ID).log
    else:
        world = World(level=7, cluster_id=OLD_ID)
        del world.log[:]
        world.do(upgrade(level))
        records = world.log
    content = [one for one in records if type(one) not in {BeginTransactionRecord, EndTransactionRecord}]
    image = replay(*content)
    check_cluster_id(image)
    assert (image.level, image.cluster_id.value) == (level, OLD_ID if level >= CLUSTER_ID_LEVEL else None)


# ---------------- K1262-5: the upgrade


def test_k1262_05_level_and_id_are_one_batch_that_no_crash_can_part():
    """The two records reach the log as one batch; a leader that dies before its commit leaves both or neither."""
    world = World(level=30, cluster_id=OLD_ID)
    result = world.controller.decide(0, upgrade(40))
    assert (len(result.records), len(list(result.parts()))) == (2, 1)
    values = world.controller.encode(result)
    for reaches_others in (False, True):
        cluster = Cluster((1, 2, 3))
        leader = cluster.elect(1)
        start = leader.alive.log_end_offset
        if not reaches_others:
            cluster.isolate(1)
        cluster.propose(*values, node_id=1)
        if reaches_others:
            cluster.settle()
        cluster.crash(1)
        cluster.elect()
        for node in cluster.running():
            found = [value for offset, _, value in node.disk.values(node.disk.end_offset) if offset >= start]
            assert [value for value in found if value in values] == (values if reaches_others else [])
            data = [list(batch.values()) for batch in node.disk.batches if not batch.is_control]
            assert [one for one in data if set(one) & set(values)] == ([values] if reaches_others else [])


async def test_k1262_05_an_old_cluster_is_upgraded_under_its_own_id(tmp_path):
    """A cluster formatted at 4.3 with an id that is no uuid crosses the level with it, in one batch, and keeps it."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        format_node(path, "--cluster-id", OLD_ID, "--release-version", "4.3")
        assert file_of(bench.directories(1)[0])["version"] == "1"
        node = bench.start(path)
        await until(lambda: node.leads, "the old cluster has a controller")
        assert node.cluster_ids_in_log() == []
        await node.submit(upgrade(40))
        assert node.node.published_image.level == 40
        data = [batch for batch in node.batches() if not batch.is_control]
        decoded = [[decode_record(value, SchemaSet.KRAFTPY) for value in batch.values()] for batch in data]
        # The node's own registration may be in the same batch.
        (upgraded,) = [records for records in decoded if level_record(40) in records]
        first = upgraded.index(level_record(40))
        assert upgraded[first : first + 2] == [level_record(40), ClusterIdRecord(OLD_ID)]
        await node.stop()
        again = bench.start(path)
        await until(lambda: again.leads, "the upgraded cluster has a controller again")
        assert again.node.published_image.cluster_id.value == again.cluster_id == OLD_ID
        assert again.cluster_ids_in_log() == [OLD_ID]
        assert file_of(bench.directories(1)[0])["cluster.id"] == OLD_ID


def test_k1262_05_without_an_id_there_is_no_upgrade():
    """A controller that knows no id refuses the level rather than inventing one for a cluster that has one."""
    world = World(level=30)
    world.controller._local_cluster_id = None
    with pytest.raises(ApiError, match="does not know the cluster id"):
        world.do(upgrade(40))


# ---------------- K1262-6, -7: the bootstrap write


@pytest.mark.parametrize("level", [7, 12, 13, 30, 40, 42])
def test_k1262_06_bootstrap_is_a_transaction_where_the_level_has_those(level):
    """From level 13 on the records are between Begin and End; below they are one atomic batch."""
    world = World(active=False)
    result = world.activate(bootstrap=(level_record(level),))
    in_transaction = level >= TRANSACTIONS_LEVEL
    assert isinstance(result.records[0], BeginTransactionRecord) is in_transaction
    assert isinstance(result.records[-1], EndTransactionRecord) is in_transaction
    assert result.atomic is not in_transaction
    if level >= CLUSTER_ID_LEVEL:
        assert result.records[1:3] == (level_record(level), ClusterIdRecord(world.controller.cluster_id))


def test_k1262_06_half_a_bootstrap_is_never_seen():
    """Cut anywhere before its End, the bootstrap shows no node a level, an id or anything else."""
    world = World(active=False)
    world.activate(cluster_id=OLD_ID)
    for kept in range(len(world.values)):
        loader = MetadataLoader()
        for offset, value in enumerate(world.values[:kept]):
            data = encode_batch([value], base_offset=offset, epoch=1, timestamp_ms=1)
            for publication in loader.load_batches(split_batches(data)):
                assert publication.image.same_content(EMPTY)
        assert loader.image.same_content(EMPTY)


def test_k1262_07_an_id_is_drawn_only_when_the_files_have_none():
    """Without a local id a uuid is drawn; with one, it is used as it is and nothing is drawn."""
    drawn, kept = World(active=False), World(active=False)
    drawn.activate(cluster_id=None)
    kept.activate(cluster_id=OLD_ID)
    assert drawn.controller._uuids.given == 1
    assert len(uuid_from_text(drawn.controller.image.cluster_id.value)) == 16
    assert (kept.controller._uuids.given, kept.controller.image.cluster_id.value) == (0, OLD_ID)


async def test_k1262_07_two_clusters_draw_two_ids(tmp_path):
    """Two clusters that start from nothing draw different, unreserved uuids."""
    async with lab(tmp_path) as bench:
        nodes = [bench.start(bench.controller(bench.quorum(node_id), node_id)) for node_id in (1, 2)]
        await until(lambda: all(node.cluster_id for node in nodes), "both clusters have an id")
        first, second = (node.cluster_id for node in nodes)
        assert first != second
        assert not any(is_reserved_uuid(uuid_from_text(one)) for one in (first, second))


# ---------------- K1262-8, -9: storage format


def test_k1262_08_format_with_an_id_writes_it_into_a_v2_file(bench):
    """--cluster-id at the level: a version 2 file that holds it, in every directory."""
    format_node(bench.controller(bench.quorum(1), dirs=2), "--cluster-id", OLD_ID)
    for directory in bench.directories(1, 2):
        found = file_of(directory)
        assert (found["version"], found["cluster.id"], found["node.id"]) == ("2", OLD_ID, "1")
        uuid_from_text(found["directory.id"])


def test_k1262_08_format_without_an_id_writes_a_v2_file_without_it(bench):
    """No --cluster-id at the level: version 2 without cluster.id."""
    format_node(bench.controller(bench.quorum(1)))
    found = file_of(bench.directories(1)[0])
    assert found["version"] == "2"
    assert set(found) == {"version", "node.id", "directory.id"}


@pytest.mark.parametrize("words", [("--release-version", "4.3"), ("--feature", "metadata.version=7")])
def test_k1262_08_format_without_an_id_below_the_level_fails(bench, words):
    """No --cluster-id below the level: refused in one line, and nothing is written."""
    done = kraftpy("storage", "format", "--config", bench.controller(bench.quorum(1)), *words)
    assert done.exit_code == 1
    assert done.stderr.startswith("error: You must specify the cluster id.")
    assert "5.0-IV0" in done.stderr
    assert not bench.directories(1)[0].exists()


def test_k1262_09_the_bootstrap_checkpoint_holds_the_id_that_was_given(bench):
    """Formatted with an id at the level, the checkpoint is metadata.version, then ClusterIdRecord."""
    format_node(bench.controller(bench.quorum(1)), "--cluster-id", OLD_ID)
    assert bootstrap_of(bench)[:2] == [level_record(DEFAULT_LEVEL), ClusterIdRecord(OLD_ID)]


def test_k1262_09_the_bootstrap_checkpoint_of_an_old_level_holds_none(bench):
    """Formatted with an id below the level, the checkpoint has no ClusterIdRecord: released Kafka reads it."""
    format_node(bench.controller(bench.quorum(1)), "--cluster-id", OLD_ID, "--release-version", "4.3")
    assert bootstrap_of(bench)[0] == level_record(30)
    assert not any(isinstance(one, ClusterIdRecord) for one in bootstrap_of(bench))


async def test_k1262_09_without_an_id_the_record_is_made_at_activation(tmp_path):
    """Formatted without an id, checkpoint and file hold none; the first leader makes it and the file gets it."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        format_node(path)
        assert bootstrap_of(bench)[0] == level_record(DEFAULT_LEVEL)
        assert not any(isinstance(one, ClusterIdRecord) for one in bootstrap_of(bench))
        node = bench.start(path)
        await until(lambda: node.cluster_id is not None, "the id is made and discovered")
        assert node.cluster_ids_in_log() == [node.cluster_id]
        assert file_of(bench.directories(1)[0])["cluster.id"] == node.cluster_id


# ---------------- K1262-10, -11: with and without it


async def test_k1262_10_a_controller_starts_from_an_empty_directory(tmp_path):
    """Unformatted: the default level and a generated id, in a static quorum with kraft.version 0."""
    async with lab(tmp_path) as bench:
        node = bench.start(bench.controller(bench.quorum(1)))
        await until(lambda: node.leads and node.cluster_id is not None, "an unformatted node serves")
        image = node.node.published_image
        assert (image.level, image.cluster_id.value) == (DEFAULT_LEVEL, node.cluster_id)
        assert [type(record).__name__ for record in node.records()][:4] == [
            "BeginTransactionRecord",
            "FeatureLevelRecord",
            "ClusterIdRecord",
            "EndTransactionRecord",
        ]
        assert (node.node.replica.kraft_version, node.node.replica.voters.ids) == (0, (1,))


def test_k1262_10_without_voters_no_node_starts(bench):
    """Neither controller.quorum.voters nor bootstrap servers: the configuration is refused and names the key."""
    path = bench.controller(bench.quorum(1))
    kept = [line for line in path.read_text().splitlines() if not line.startswith("controller.quorum.voters")]
    path.write_text("\n".join(kept))
    with pytest.raises(ConfigError, match=r"controller\.quorum\.voters"):
        config_of(path)


async def test_k1262_10_unformatted_and_without_voters_no_node_elects_itself(tmp_path):
    """An unformatted controller with nothing but bootstrap servers is an observer: it leads nothing and has no id."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        text = path.read_text().replace("controller.quorum.voters=1@", "controller.quorum.bootstrap.servers=")
        path.write_text(text)
        node = bench.start(path)
        timeout_ms = config_of(path).raft.election_timeout_ms
        start_ms = node.node._clock.now_ms()
        await until(lambda: node.node._clock.now_ms() > start_ms + 4 * timeout_ms, "four election timeouts are over")
        assert node.node.replica.epoch == 0
        assert node.cluster_id is None
        assert not node.batches()
        assert "cluster.id" not in file_of(bench.directories(1)[0])


def test_k1262_11_scram_other_levels_and_dynamic_quorums_take_a_format(bench):
    """What format prepares, a node finds at its start; an unformatted start finds none of it."""
    path = bench.controller(bench.quorum(1))
    bare = open_node(config_of(path), RealFileSystem())
    assert (bare.bootstrap, bare.recovered.voters, bare.recovered.kraft_versions) == (None, (), ())
    bare.close()
    scram = "SCRAM-SHA-256=[name=alice,password=secret]"
    formatted = bench.controller(bench.quorum(2), 2, unstable_feature_versions_enable="true")
    format_node(formatted, "--feature", "metadata.version=41", "--add-scram", scram)
    opened = open_node(config_of(formatted), RealFileSystem())
    assert level_record(41) in opened.bootstrap
    assert [one.name for one in opened.bootstrap if isinstance(one, UserScramCredentialRecord)] == ["alice"]
    opened.close()


async def test_k1262_11_a_dynamic_quorum_is_bootstrapped_by_format(tmp_path):
    """--standalone makes a quorum at kraft.version 1 that an unformatted start never is; its id may still be drawn."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        path.write_text(path.read_text().replace("controller.quorum.voters=1@", "controller.quorum.bootstrap.servers="))
        format_node(path, "--standalone")
        node = bench.start(path)
        await until(lambda: node.leads and node.cluster_id is not None, "the standalone quorum serves")
        assert (node.node.replica.kraft_version, node.node.replica.voters.ids) == (1, (1,))
        assert node.cluster_ids_in_log() == [node.cluster_id]


def test_k1262_11_an_existing_log_is_never_formatted_over(bench):
    """A directory with a log but without its file is data: format refuses."""
    path = bench.controller(bench.quorum(1))
    log = bench.directories(1)[0] / "__cluster_metadata-0"
    log.mkdir(parents=True)
    (log / "00000000000000000000.log").write_bytes(log_batch(0))
    done = kraftpy("storage", "format", "--config", path)
    assert done.exit_code == 1
    assert "start another cluster on top of it" in done.stderr
