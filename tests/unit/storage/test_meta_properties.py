"""Whose directory it is: the file, the directories together, and the cluster id's way into them."""

from __future__ import annotations

import itertools
import random

import pytest

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import METADATA_TOPIC_ID, uuid_from_text, uuid_to_text
from kraftpy.storage.ensemble import MetaPropertiesEnsemble, check_metadata_placement
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.identity import ClusterIdStore, ensure_formatted
from kraftpy.storage.meta_properties import MetaProperties, parse_meta_properties, render_meta_properties
from tests.fakes.filesystem import Killed, SimulatedFileSystem

A = "AAECAwQFRgeICQoLDA0ODw"
B = "EBESExQVRheYGRobHB0eHw"
CLUSTER = "4L6g3nShT-eMCtK--X86sw"
DIRECTORIES = ("/d1", "/d2", "/d3")


def random_draw():
    rng = random.Random(11)
    return rng.randbytes


def disk(*texts):
    """A disk whose directories d1, d2 ... hold these files; ``None`` for no file."""
    fs = SimulatedFileSystem()
    for number, text in enumerate(texts, 1):
        fs.make_directory(f"/d{number}")
        if text is not None:
            file = fs.open(f"/d{number}/meta.properties", create=True)
            file.pwrite(text.encode(), 0)
            file.sync()
            file.close()
            fs.sync_directory(f"/d{number}")
    return fs


def load(fs, count=None):
    paths = [d for d in DIRECTORIES if fs.is_directory(d)][:count]
    return MetaPropertiesEnsemble.load(fs, paths, "/d1")


def v1(cluster=CLUSTER, node=1, directory=None):
    return f"version=1\ncluster.id={cluster}\nnode.id={node}\n" + (f"directory.id={directory}\n" if directory else "")


def v2(cluster=None, node=1, directory=None):
    return f"version=2\nnode.id={node}\n" + "".join(
        [f"cluster.id={cluster}\n" if cluster else "", f"directory.id={directory}\n" if directory else ""]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("broker.id=3\ncluster.id=x\n", MetaProperties(version=0, node_id=3, cluster_id="x")),
        ("version=0\n", MetaProperties(version=0)),
        (f"#\n#Sat\n{v1(directory=A)}", MetaProperties(version=1, cluster_id=CLUSTER, node_id=1,
                                                      directory_id=uuid_from_text(A))),
        ("version: 2\nnode.id 7\n", MetaProperties(version=2, node_id=7)),
        ("version=2\nnode.id=7\ncluster.id=\n", MetaProperties(version=2, node_id=7)),
        ("version=2\nnode.id=7\nb=2\na=\\:1\n", MetaProperties(version=2, node_id=7, extra=(("a", ":1"), ("b", "2")))),
    ],
)  # fmt: skip
def test_each_version_is_read_and_written(text, expected):
    """All three versions are read, in every form of Java properties, and come back the same."""
    assert parse_meta_properties(text) == expected
    assert parse_meta_properties(render_meta_properties(expected)) == expected


def test_the_written_form():
    """Keys are ascending after an empty comment; an absent id is an absent line; no value needs escaping."""
    properties = MetaProperties(version=2, node_id=3, directory_id=uuid_from_text(A))
    assert render_meta_properties(properties) == f"#\ndirectory.id={A}\nnode.id=3\nversion=2\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("version=3\n", "Unknown meta.properties version number 3"),
        ("version=two\n", "Invalid meta.properties version string 'two'"),
        ("version=1\nnode.id=x\n", "Unable to read node.id as a base-10 number"),
        ("version=1\nnode.id=-1\n", "Unable to read node.id"),
        ("broker.id=2147483648\n", "Unable to read broker.id"),
        ("version=2\nnode.id=1\ndirectory.id=short\n", "Unable to read directory.id as a Uuid"),
    ],
)
def test_what_cannot_be_read(text, error):
    """An unknown version, a bad node id and a bad directory id are refused by name."""
    with pytest.raises(MalformedError, match=error):
        parse_meta_properties(text)


@pytest.mark.parametrize(
    ("files", "rules", "error"),
    [
        ((None, None), {"require_at_least_one_valid": True}, "No readable meta.properties files found."),
        ((v1(), v2()), {"require_v0": True}, "Found unexpected version in /d1/meta.properties. ZK-based brokers"),
        (("version=1\nnode.id=1\n",), {}, "cluster.id was not specified in the v1 file: /d1/meta.properties"),
        (("version=1\ncluster.id=x\n",), {}, "node.id was not specified in /d1/meta.properties"),
        (("version=2\n",), {}, "node.id was not specified in /d1/meta.properties"),
        ((v1(), v1("other")), {}, f"Invalid cluster.id in: /d2/meta.properties. Expected {CLUSTER}, but read other."),
        ((v1(), v1("other")), {}, rf"\({CLUSTER} is from /d1/meta.properties.\) These are two clusters"),
        ((v2("x"),), {"expected_cluster_id": "y"}, "Expected y, but read x.*cluster.id.expected"),
        ((v1(), v1(node=2)), {}, "Stored node id 2 doesn't match previous node id 1 in /d2/meta.properties"),
        ((v2(node=4),), {"expected_node_id": 3}, "Stored node id 4 doesn't match previous node id 3"),
        ((v2(directory=uuid_to_text(METADATA_TOPIC_ID)),), {}, "Invalid reserved directory ID AAAAAAAAAAAAAAAAAAAAAQ"),
        ((v1(directory=A), v1(directory=B), v1(directory=A)), {},
         f"Duplicate directory ID {A} found. It was the ID of /d1, but also of /d3"),
        (("version=9\n", v1()), {},
         r"I/O error in metadata log directory /d1. Cannot continue. \(/d1/meta.properties: .*9.*\) Ways out: "),
    ],
)  # fmt: skip
def test_verification(files, rules, error):
    """Each rule about directories that belong together is enforced, in Kafka's words."""
    with pytest.raises(StorageError, match=error):
        load(disk(*files)).verify(**rules)


def test_what_is_in_order():
    """Directories that agree pass; a data directory that cannot be read only goes offline."""
    fs = disk(v1(directory=A), v2(directory=B), "version=9\n")
    ensemble = load(fs)
    ensemble.verify(
        expected_cluster_id=CLUSTER,
        expected_node_id=1,
        require_at_least_one_valid=True,
        require_metadata_directory=True,
    )
    assert (ensemble.cluster_id, ensemble.node_id, list(ensemble.errors)) == (CLUSTER, 1, ["/d3"])
    assert ensemble.directory_id("/d2") == uuid_from_text(B)
    assert ensemble.directory_id("/d3") is None
    fs.unreadable.add("/d1/meta.properties")
    assert "Input/output error" in load(fs).errors["/d1"]


def test_rules_about_the_metadata_directory():
    """It must be named, and no other directory may hold a metadata log."""
    fs = disk(v1(), v1(directory=B))
    with pytest.raises(StorageError, match="No metadata log directory was specified"):
        MetaPropertiesEnsemble.load(fs, ["/d1"]).verify(require_metadata_directory=True)
    check_metadata_placement(fs, ["/d1", "/d2"], "/d1")
    fs.make_directory("/d2/__cluster_metadata-0")
    with pytest.raises(StorageError, match="unexpected metadata location in data directory /d2"):
        check_metadata_placement(fs, ["/d1", "/d2"], "/d1")
    check_metadata_placement(fs, ["/d1", "/d2"], "/d2")


def test_a_cluster_id_that_cannot_be_discovered():
    """Below the level of ClusterIdRecord a node without a cluster id cannot start (K1262-27)."""
    ensemble = load(disk(v2()))
    with pytest.raises(StorageError, match=r"it cannot be discovered. Format with --cluster-id"):
        ensemble.check_cluster_id_can_be_known(30)
    ensemble.check_cluster_id_can_be_known(40)
    load(disk(v1())).check_cluster_id_can_be_known(30)


def test_missing_files_are_written_at_the_start():
    """Version 2, node id, a fresh directory id each, and no cluster id (K1262-12, 33)."""
    fs = disk(None, v2("x", directory=A))
    done = ensure_formatted(fs, MetaPropertiesEnsemble.load(fs, ["/d1", "/d2", "/new/d3"], "/d1"), 1, random_draw())
    assert (done.created, done.completed) == (("/d1", "/new/d3"), ())
    first, third = (parse_meta_properties(read_file(fs, f"{d}/meta.properties").decode()) for d in ("/d1", "/new/d3"))
    assert (first.version, first.node_id, first.cluster_id) == (2, 1, None)
    assert len({first.directory_id, third.directory_id, uuid_from_text(A)}) == 3
    assert done.ensemble.found["/d1"] == first
    again = ensure_formatted(fs, MetaPropertiesEnsemble.load(fs, ["/d1", "/d2", "/new/d3"], "/d1"), 1, random_draw())
    assert (again.created, again.completed, again.ensemble.found) == ((), (), done.ensemble.found)


def test_a_lost_directory_gets_another_id():
    """A directory that lost its content is another directory (K1262-33)."""
    fs = disk(None)
    draw = random_draw()
    before = ensure_formatted(fs, load(fs), 1, draw).ensemble.directory_id("/d1")
    fs.unlink("/d1/meta.properties")
    assert ensure_formatted(fs, load(fs), 1, draw).ensemble.directory_id("/d1") != before


def test_a_missing_directory_id_is_added():
    """A version 1 file gets a directory id and keeps the rest (K1262-14)."""
    fs = disk(v1() + "note=kept\n")
    done = ensure_formatted(fs, load(fs), 1, random_draw())
    after = parse_meta_properties(read_file(fs, "/d1/meta.properties").decode())
    assert done.completed == ("/d1",)
    assert (after.version, after.cluster_id, after.extra) == (1, CLUSTER, (("note", "kept"),))
    assert after.directory_id is not None


def test_a_directory_that_cannot_be_formatted_goes_offline():
    """A data directory that cannot be written becomes an error directory; the metadata directory stops the node."""
    fs = disk(None, None)
    fs.unreadable.add("/d2/meta.properties.tmp")
    done = ensure_formatted(fs, load(fs), 1, random_draw())
    assert (done.created, list(done.ensemble.errors)) == (("/d1",), ["/d2"])
    fs = disk(None, None)
    fs.unreadable.add("/d1/meta.properties.tmp")
    with pytest.raises(StorageError, match="Encountered I/O error in metadata log directory /d1"):
        ensure_formatted(fs, load(fs), 1, random_draw())


def test_the_cluster_id_is_written_everywhere():
    """Every file without the id gets it and keeps its version; those that have it are not touched; then nothing is."""
    fs = disk(v2(directory=A), v1(directory=B), v2())
    store = ClusterIdStore(fs, load(fs))
    assert store.cluster_id == CLUSTER
    untouched = read_file(fs, "/d2/meta.properties")
    assert store.persist(CLUSTER).written == ("/d1", "/d3")
    assert read_file(fs, "/d2/meta.properties") == untouched
    assert {p.cluster_id for p in load(fs).found.values()} == {CLUSTER}
    assert [p.version for p in load(fs).found.values()] == [2, 1, 2]
    operations = fs.operations
    assert store.persist(CLUSTER).written == ()
    assert fs.operations == operations, "an id that is everywhere already costs no operation on the disk"


def test_a_start_completes_what_a_crash_left_between_two_directories():
    """A directory without the id that another one has gets it before anybody hears of it (K1262-16)."""
    fs = disk(v2("x", directory=A), v2(directory=B))
    done = ClusterIdStore(fs, load(fs)).complete()
    assert done.written == ("/d2",)
    assert {p.cluster_id for p in load(fs).found.values()} == {"x"}
    assert ClusterIdStore(fs, load(fs)).complete().written == ()
    is_unknown = disk(v2(directory=A), v2(directory=B))
    assert ClusterIdStore(is_unknown, load(is_unknown)).complete().written == ()


def test_what_a_killed_process_renamed_is_durable_after_the_start():
    """A file that is in its place but not on the disk is there after a loss of power, once a start has read it."""
    fs = disk(v2(directory=A))
    fs.failing_syncs.add("/d1")
    with pytest.raises(StorageError):
        ClusterIdStore(fs, load(fs)).persist("x")
    fs.failing_syncs.clear()
    fs.kill()
    known = ensure_formatted(fs, load(fs), 1, random_draw()).ensemble.cluster_id
    assert known == "x"
    for seed in range(10):
        after = fs.copy()
        after.crash(random.Random(seed))
        assert load(after).cluster_id == known


def test_an_id_that_is_no_uuid_survives():
    """Cluster ids of old clusters are strings of any kind (K1262-1)."""
    fs = disk(v2(directory=A))
    ClusterIdStore(fs, load(fs)).persist("my old: cluster=1 é")
    assert load(fs).cluster_id == "my old: cluster=1 é"


def test_another_cluster_id_is_refused():
    """The error names both ids, both places and the way out, and nothing is written."""
    fs = disk(v2(), v2("mine", directory=B))
    before = read_file(fs, "/d1/meta.properties")
    with pytest.raises(StorageError) as raised:
        ClusterIdStore(fs, load(fs)).persist("theirs", "/d1/__cluster_metadata-0 at offset 7")
    for part in ("mine", "theirs", "/d2/meta.properties", "/d1/__cluster_metadata-0 at offset 7", "controller.quorum"):
        assert part in str(raised.value)
    assert read_file(fs, "/d1/meta.properties") == before
    with pytest.raises(StorageError, match="is empty"):
        ClusterIdStore(fs, load(fs)).persist("")


def test_a_directory_that_refuses_the_cluster_id():
    """A data directory goes offline, the others are written (K1262-18); the metadata directory stops the node."""
    fs = disk(v2(directory=A), v2(directory=B), v2())
    fs.failing_syncs.add("/d2/meta.properties.tmp")
    store = ClusterIdStore(fs, load(fs))
    done = store.persist("x")
    assert (done.written, list(done.failed)) == (("/d1", "/d3"), ["/d2"])
    assert list(store.ensemble.errors) == ["/d2"]
    fs = disk(v2(directory=A), v2(directory=B))
    fs.failing_syncs.add("/d1/meta.properties.tmp")
    with pytest.raises(StorageError, match="metadata log directory /d1"):
        ClusterIdStore(fs, load(fs)).persist("x")


@pytest.mark.parametrize("work", ["format", "persist"])
def test_a_crash_at_every_step_is_completed_by_the_next_start(work):
    """Each file is as before or as after, none is lost or half written, and a rerun completes all of them."""
    base = disk(None, None, None) if work == "format" else disk(v2(directory=A), v2(directory=B), v1(directory=None))
    draw = random_draw()

    def run(fs):
        ensemble = load(fs)
        ensemble.verify(expected_node_id=1)
        ensemble = ensure_formatted(fs, ensemble, 1, draw).ensemble
        if work == "persist":
            ClusterIdStore(fs, ensemble).persist(CLUSTER)

    for step in itertools.count():
        for seed in range(5):
            fs = base.copy()
            fs.kill_at(step)
            try:
                run(fs)
            except Killed:
                pass
            else:
                assert step > 10
                return
            fs.crash(random.Random(seed))
            left = load(fs)
            assert not left.errors
            assert all(p.cluster_id in {None, CLUSTER} and p.node_id == 1 for p in left.found.values())
            assert work == "format" or len(left.found) == 3, "no file is ever lost"
            run(fs)
            after = load(fs)
            assert len({p.directory_id for p in after.found.values()} - {None}) == 3
            assert {p.cluster_id for p in after.found.values()} == ({CLUSTER} if work == "persist" else {None})
