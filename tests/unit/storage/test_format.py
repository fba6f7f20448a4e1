"""What ``storage format`` writes, refuses and undoes."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from kraftpy.model.errors import ConfigError, StorageError
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.model.ids import uuid_from_text
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records.metadata import ClusterIdRecord, FeatureLevelRecord, UserScramCredentialRecord, decode_record
from kraftpy.records.snapshot import read_snapshot
from kraftpy.storage.bootstrap import read_bootstrap, write_bootstrap
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import join, read_file
from kraftpy.storage.format import FormatRequest, format_directories
from tests.fakes.filesystem import Killed, SimulatedFileSystem
from tests.unit.storage.logs import batch

GOLDEN = Path(__file__).parents[2] / "golden" / "kafka-4.3.0" / "bootstrap.checkpoint"
D = uuid_from_text("EBESExQVRheYGRobHB0eHw")
VOTERS = VoterSet.of([Voter(ReplicaKey(1, D), (Endpoint("CONTROLLER", "localhost", 9093),), 0, 1)])
ZERO = "/m/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"


def request(**changes):
    base = {"node_id": 1, "directories": ("/m", "/d"), "metadata_directory": "/m", "metadata_version": 40}
    return FormatRequest(**{**base, **changes})


def draw(seed=3):
    return random.Random(seed).randbytes


def run(fs=None, **changes):
    fs = fs or SimulatedFileSystem()
    return fs, format_directories(fs, request(**changes), draw())


def files(fs):
    return {d: [n for n in fs.list_directory(d) if not fs.is_directory(join(d, n))] for d in sorted(fs.directories)}


RELEASE = [
    FeatureLevelRecord("eligible.leader.replicas.version", 1),
    FeatureLevelRecord("group.version", 1),
    FeatureLevelRecord("share.version", 1),
    FeatureLevelRecord("streams.version", 1),
    FeatureLevelRecord("transaction.version", 2),
]
"""What a release at metadata.version 29 or above brings beside it."""


def test_a_release_gets_the_levels_that_kafkas_own_format_gives_it():
    """The bootstrap records of 4.3 are those of a file that Kafka 4.3 formatted, in its order, byte for byte."""
    fs, _ = run(cluster_id="abc", metadata_version=30)
    kafkas = [value for batch in read_snapshot(GOLDEN.read_bytes()).batches for value in batch.values()]
    ours = [
        value for batch in read_snapshot(read_file(fs, "/m/bootstrap.checkpoint")).batches for value in batch.values()
    ]
    assert ours == [
        value for value in kafkas if not isinstance(decode_record(value, SchemaSet.KAFKA), UserScramCredentialRecord)
    ]
    assert len(ours) == 6


def test_a_feature_may_be_left_out_of_a_release():
    """A level that was chosen wins over the release's, and level 0 takes no record; what it needs is checked."""
    fs, _ = run(features={"share.version": 0, "transaction.version": 1}, cluster_id="abc")
    levels = {one.name: one.feature_level for one in read_bootstrap(fs, "/m") if isinstance(one, FeatureLevelRecord)}
    assert "share.version" not in levels
    assert levels["transaction.version"] == 1
    with pytest.raises(
        ConfigError, match=r"eligible.leader.replicas.version could not be set to 1 because it depends on"
    ):
        run(features={"eligible.leader.replicas.version": 1}, cluster_id="abc", metadata_version=22)


def test_a_level_without_a_release_needs_the_switch():
    """KIP-426 and KIP-928 have records and no behaviour: their levels are refused unless unstable ones are allowed."""
    for level in (41, 42):
        with pytest.raises(ConfigError, match=r"is not yet stable"):
            run(metadata_version=level)
        fs, _ = run(metadata_version=level, allow_unstable=True)
        assert read_bootstrap(fs, "/m")[0] == FeatureLevelRecord(METADATA_VERSION, level)


def test_a_directory_with_a_cluster_id():
    """Both files are in every directory; the cluster id is in the file and, after the level, in the bootstrap."""
    fs, done = run(cluster_id="abc", features={"group.version": 1, "transaction.version": 2, "kraft.version": 0})
    assert files(fs) == {"/": [], "/d": ["bootstrap.checkpoint", "meta.properties"],
                         "/m": ["bootstrap.checkpoint", "meta.properties"]}  # fmt: skip
    assert done.lines == (
        "Formatting metadata directory /m with metadata.version 5.0-IV0.",
        "Formatting data directory /d with metadata.version 5.0-IV0.",
    )
    for directory in ("/m", "/d"):
        assert read_bootstrap(fs, directory) == [
            FeatureLevelRecord(METADATA_VERSION, 40),
            ClusterIdRecord("abc"),
            *RELEASE,
        ]
    ensemble = MetaPropertiesEnsemble.load(fs, ["/m", "/d"], "/m")
    ensemble.verify(expected_cluster_id="abc", expected_node_id=1, require_at_least_one_valid=True)
    assert {p.version for p in ensemble.found.values()} == {2}
    assert {d: p.directory_id for d, p in ensemble.found.items()} == done.formatted
    fs.crash(random.Random(1))
    assert MetaPropertiesEnsemble.load(fs, ["/m", "/d"], "/m").found == ensemble.found


def test_without_a_cluster_id():
    """From 5.0-IV0 on the id may be left out: then no file and no record has one (K1262-8, 9)."""
    fs, _ = run()
    assert read_bootstrap(fs, "/m") == [FeatureLevelRecord(METADATA_VERSION, 40), *RELEASE]
    assert MetaPropertiesEnsemble.load(fs, ["/m", "/d"]).cluster_id is None


def test_below_the_cluster_id_level_everything_is_kafkas():
    """At a level of released Kafka the file is version 1, and the bootstrap has no ClusterIdRecord."""
    fs, _ = run(cluster_id="abc", metadata_version=30)
    assert read_bootstrap(fs, "/m") == [FeatureLevelRecord(METADATA_VERSION, 30), *RELEASE]
    assert {p.version for p in MetaPropertiesEnsemble.load(fs, ["/m", "/d"]).found.values()} == {1}


def test_a_dynamic_quorum():
    """The zero checkpoint holds kraft.version 1 and the voters; the voter's directory id is the one that was stated."""
    fs, done = run(cluster_id="abc", initial_voters=VOTERS)
    assert done.lines[0] == "Formatting dynamic metadata voter directory /m with metadata.version 5.0-IV0."
    assert done.formatted["/m"] == D
    contents = read_snapshot(read_file(fs, ZERO))
    assert (contents.kraft_version, contents.voters, contents.batches) == (1, VOTERS, ())
    assert contents.header.last_contained_log_timestamp == 0
    _, other = run(cluster_id="abc", initial_voters=VOTERS, node_id=2)
    assert "dynamic metadata directory /m" in other.lines[0]


def test_the_zero_checkpoint_is_kafkas_bytes():
    """The worked example of the format: one voter on localhost:9093, 241 bytes, both checksums as computed there."""
    directory_id = bytes.fromhex("102132435465468798a9bacbdcedfe0f")
    voters = VoterSet.of([Voter(ReplicaKey(1, directory_id), (Endpoint("CONTROLLER", "localhost", 9093),), 0, 1)])
    fs, _ = run(initial_voters=voters)
    data = read_file(fs, ZERO)
    assert (len(data), data[17:21].hex(), data[183:187].hex()) == (241, "f137c493", "4c1acbe2")


def test_credentials_follow_the_features():
    """SCRAM records come last in the bootstrap."""
    record = UserScramCredentialRecord(name="alice", mechanism=1, salt=b"s", stored_key=b"k", server_key=b"v")
    fs, _ = run(credentials=(record,), features={"group.version": 1})
    assert read_bootstrap(fs, "/m")[-1] == record


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"metadata_version": 30}, "You must specify the cluster id."),
        ({"metadata_version": 30}, "--cluster-id; kraftpy storage random-uuid prints a fresh one"),
        ({"node_id": -1}, "You must specify a valid non-negative node ID"),
        ({"directories": ()}, "You must specify at least one directory"),
        ({"metadata_directory": "/x"}, "The specified metadata log directory, /x was not one of the given directories"),
        ({"metadata_version": 6, "cluster_id": "x"}, "metadata.version 3.3-IV2 is too old to be supported."),
        ({"metadata_version": 33, "cluster_id": "x"}, "metadata.version 4.4-IV2 is not yet stable."),
        ({"metadata_version": 33, "cluster_id": "x"}, "set unstable.feature.versions.enable=true"),
        ({"metadata_version": 43}, "metadata.version 43 is not known here; levels are 7 to 42."),
        (
            {"features": {"foo": 1}},
            "Unsupported feature: foo. Supported features are: eligible.leader.replicas.version",
        ),
        ({"features": {"group.version": 9}}, "No feature:group.version with feature level 9"),
        ({"features": {"kraft.version": 1}}, "Cannot set kraft.version to 1 unless KIP-853 configuration is present"),
        (
            {"features": {"kraft.version": 0}, "initial_voters": VOTERS},
            "Cannot set kraft.version to 0 if KIP-853 configuration is present",
        ),
        (
            {"metadata_version": 20, "cluster_id": "x", "initial_voters": VOTERS},
            "kraft.version could not be set to 1 because it depends on metadata.version level 21",
        ),
    ],
)
def test_refusals(changes, error):
    """A request that contradicts itself is refused in words, and nothing is written."""
    fs = SimulatedFileSystem()
    with pytest.raises(ConfigError, match=error):
        run(fs, **changes)
    assert files(fs) == {"/": []}


def test_what_is_formatted_stays():
    """A formatted directory is refused, or skipped on request; the others take its cluster id."""
    fs, first = run(directories=("/m",), cluster_id="abc")
    with pytest.raises(ConfigError, match=r"Log directory /m is already formatted. Use --ignore-formatted"):
        run(fs)
    _, second = run(fs, ignore_formatted=True)
    assert second.lines == ("Formatting data directory /d with metadata.version 5.0-IV0.",)
    ensemble = MetaPropertiesEnsemble.load(fs, ["/m", "/d"])
    assert (ensemble.found["/d"].cluster_id, ensemble.directory_id("/m")) == ("abc", first.formatted["/m"])
    assert run(fs, ignore_formatted=True)[1].lines == ("All of the log directories are already formatted.",)
    with pytest.raises(StorageError, match="Expected other, but read abc"):
        run(fs, ignore_formatted=True, cluster_id="other")


def test_a_log_without_its_file_is_not_formatted_over():
    """A directory that holds a metadata log but no meta.properties is refused: that is data."""
    fs = SimulatedFileSystem()
    fs.make_directory("/m/__cluster_metadata-0")
    file = fs.open("/m/__cluster_metadata-0/00000000000000000000.log", create=True)
    file.pwrite(batch(0), 0)
    with pytest.raises(ConfigError, match="start another cluster on top of it"):
        run(fs)


def test_unreadable_directories_are_passed_over():
    """They are reported; when nothing is left the tool says so."""
    fs = SimulatedFileSystem()
    fs.unreadable.add("/d/meta.properties")
    _, done = run(fs)
    assert done.lines[0] == "I/O error trying to read log directory /d. Ignoring..."
    assert list(done.formatted) == ["/m"]
    fs = SimulatedFileSystem()
    fs.unreadable.update({"/m/meta.properties", "/d/meta.properties"})
    with pytest.raises(StorageError, match="metadata log directory /m"):
        run(fs)


@pytest.mark.parametrize("failing", ["/d/meta.properties.tmp", "/d/bootstrap.checkpoint.tmp", ZERO + ".tmp"])
def test_a_failure_leaves_nothing_half_done(failing):
    """When any file cannot be written, no file of the run stays."""
    fs = SimulatedFileSystem()
    fs.unreadable.add(failing)
    with pytest.raises(StorageError, match="Input/output error"):
        run(fs, initial_voters=VOTERS)
    assert [name for names in files(fs).values() for name in names] == []


def test_a_kill_at_every_step_is_not_a_formatted_directory():
    """Wherever the run is killed, a directory with meta.properties is complete, and a rerun finishes the rest."""
    for step in itertools.count():
        fs = SimulatedFileSystem()
        fs.make_directory("/m")
        fs.make_directory("/d")
        fs.kill_at(step)
        try:
            run(fs, initial_voters=VOTERS)
            break
        except Killed:
            fs.crash(random.Random(step))
        for directory in MetaPropertiesEnsemble.load(fs, ["/m", "/d"]).found:
            assert read_bootstrap(fs, directory) is not None
            assert directory != "/m" or read_snapshot(read_file(fs, ZERO)).voters == VOTERS
        run(fs, initial_voters=VOTERS, ignore_formatted=True)
        assert len(MetaPropertiesEnsemble.load(fs, ["/m", "/d"]).found) == 2
    assert step > 20


def test_bootstrap_files_that_cannot_start_a_cluster():
    """A missing file is none; one that is corrupt or has no usable metadata.version is refused."""
    fs = SimulatedFileSystem()
    fs.make_directory("/m")
    assert read_bootstrap(fs, "/m") is None
    write_bootstrap(fs, "/m", [FeatureLevelRecord("group.version", 1)], 30)
    with pytest.raises(StorageError, match=r"No FeatureLevelRecord for metadata.version was found"):
        read_bootstrap(fs, "/m")
    write_bootstrap(fs, "/m", [FeatureLevelRecord(METADATA_VERSION, 3)], 30)
    with pytest.raises(StorageError, match=r"before 3.3-IV0 are not supported"):
        read_bootstrap(fs, "/m")
    fs.flip_bit("/m/bootstrap.checkpoint", 70)
    with pytest.raises(StorageError, match=r"/m/bootstrap\.checkpoint is corrupt"):
        read_bootstrap(fs, "/m")


def test_bootstrap_records_in_the_zero_checkpoint():
    """Where bootstrap.checkpoint is missing, records in the zero checkpoint count (KIP-1170); none there is none."""
    fs, _ = run(initial_voters=VOTERS, cluster_id="abc")
    content = read_file(fs, "/m/bootstrap.checkpoint")
    fs.unlink("/m/bootstrap.checkpoint")
    assert read_bootstrap(fs, "/m") is None
    fs.open(ZERO, create=True).pwrite(content, 0)
    assert read_bootstrap(fs, "/m") == [FeatureLevelRecord(METADATA_VERSION, 40), ClusterIdRecord("abc"), *RELEASE]
