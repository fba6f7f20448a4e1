"""The id in meta.properties: K1262-12 to -18, -27, -33."""

from __future__ import annotations

import ast
import itertools
import random
import shutil
from pathlib import Path

import pytest
import structlog

import kraftpy
from kraftpy.broker.outputs import BrokerState
from kraftpy.image import EMPTY, MetadataDelta
from kraftpy.image.publishing import Publication
from kraftpy.model.errors import ConfigError, KraftError, StorageError
from kraftpy.model.features import CLUSTER_ID_LEVEL
from kraftpy.model.ids import is_reserved_uuid, uuid_from_text
from kraftpy.model.invariant import InvariantViolation
from kraftpy.node.startup import open_node
from kraftpy.records.metadata import ClusterIdRecord
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.identity import ClusterIdStore, ensure_formatted
from tests.fakes.filesystem import Killed, SimulatedFileSystem
from tests.requirements.nodes import Lab, config_of, file_of, lab, until
from tests.unit.controller.worlds import level_record
from tests.unit.image.support import replay

ID = "old cluster!"
IMAGE = replay(level_record(CLUSTER_ID_LEVEL), ClusterIdRecord(ID))
DISCOVERY = Publication.complete(EMPTY, IMAGE)
DIRECTORIES = ("/d1", "/d2", "/d3")


@pytest.fixture
def bench(tmp_path):
    return Lab(tmp_path)


def write(directory, text):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "meta.properties").write_text(text)


def opened_and_closed(path, **more):
    opened = open_node(config_of(path), RealFileSystem(), **more)
    opened.close()
    return opened


class FailingFileSystem(RealFileSystem):
    """The real files, of which some cannot be written once ``failing`` names a part of their path."""

    def __init__(self):
        self.failing = ()

    def open(self, path, *, write=False, create=False):
        if create and any(part in path for part in self.failing):
            raise OSError(5, "Input/output error", path)
        return super().open(path, write=write, create=create)


FailingFileSystem.__slots__ = ()


def unformatted(bench, role):
    """Write the configuration of a broker, or of a controller that is no voter, with two directories."""
    voters = bench.quorum(1)
    if role == "broker":
        return 9, bench.broker(voters)
    path = bench.controller(bench.quorum(5), 5, dirs=2)
    path.write_text(path.read_text().replace("controller.quorum.voters=5@", "controller.quorum.bootstrap.servers="))
    return 5, path


# ---------------- K1262-12, -13, -33: no file


@pytest.mark.parametrize("loss", ["never formatted", "disk lost"])
@pytest.mark.parametrize("role", ["broker", "observer controller"])
def test_k1262_12_a_node_without_files_writes_them(bench, role, loss):
    """Version 2, the node's id, a fresh directory id each, no cluster id; when one disk was lost, only there."""
    node_id, path = unformatted(bench, role)
    first, second = bench.directories(node_id, 2)
    if loss == "disk lost":
        write(second, f"version=2\nnode.id={node_id}\ndirectory.id=EBESExQVRheYGRobHB0eHw\n")
    opened = opened_and_closed(path)
    for directory in (first, second):
        found = file_of(directory)
        assert set(found) == {"version", "node.id", "directory.id"}
        assert (found["version"], found["node.id"]) == ("2", str(node_id))
        assert not is_reserved_uuid(uuid_from_text(found["directory.id"]))
    assert file_of(first)["directory.id"] != file_of(second)["directory.id"]
    if loss == "disk lost":
        assert file_of(second)["directory.id"] == "EBESExQVRheYGRobHB0eHw"
    assert opened.identity.cluster_id is None


async def test_k1262_13_an_empty_voter_is_made_ready_and_that_is_reported(tmp_path):
    """A voter without a file gets one like any node, and a warning names the file and both possible reasons."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        file = bench.directories(1)[0] / "meta.properties"
        with structlog.testing.capture_logs() as logs:
            node = bench.start(path)
            assert set(file_of(file.parent)) == {"version", "node.id", "directory.id"}
            await until(lambda: node.leads, "the voter serves")
            await node.stop()
        stated = [one for one in logs if one["event"] == "directory_formatted" and "reason" in one]
        assert [(one["log_level"], one["file"]) for one in stated] == [("warning", str(file))]
        assert "lost disk" in stated[0]["reason"]
        with structlog.testing.capture_logs() as logs:
            node = bench.start(path)
            await until(lambda: node.leads, "the voter serves again")
        assert not [one for one in logs if one["event"] == "directory_formatted"], "said once, not at every start"


def test_k1262_13_an_empty_voter_may_be_refused(bench):
    """metadata.auto.format.voter=false: the voter does not start, the text says what to do, no file is written."""
    path = bench.controller(bench.quorum(1), **{"metadata.auto.format.voter": "false"})
    with pytest.raises(ConfigError, match=r"has no meta\.properties, and metadata\.auto\.format\.voter is false"):
        open_node(config_of(path), RealFileSystem())
    assert not (bench.directories(1)[0] / "meta.properties").exists()
    write(bench.directories(1)[0], "version=2\nnode.id=1\n")
    opened_and_closed(path)


@pytest.mark.parametrize("role", ["controller", "broker"])
def test_k1262_33_a_lost_disk_comes_back_as_another_directory(bench, role):
    """After its directory was emptied the node writes another directory id, and never the old one again."""
    voters = bench.quorum(1)
    node_id, path = (1, bench.controller(voters)) if role == "controller" else (9, bench.broker(voters, dirs=1))
    directory = bench.directories(node_id)[0]
    seen = set()
    for _ in range(3):
        opened = opened_and_closed(path)
        seen.add(file_of(directory)["directory.id"])
        assert opened.identity.key.directory_id == uuid_from_text(file_of(directory)["directory.id"])
        assert opened_and_closed(path).identity == opened.identity, "a restart keeps it"
        shutil.rmtree(directory)
    assert len(seen) == 3


# ---------------- K1262-14, -15: what a file may say


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("version=1\nnode.id=1\n", "cluster.id was not specified in the v1 file"),
        (f"version=1\ncluster.id={ID}\n", "node.id was not specified"),
        (f"version=1\ncluster.id={ID}\nnode.id=2\n", "Stored node id 2 doesn't match previous node id 1"),
        (f"version=1\ncluster.id={ID}\nnode.id=1\ndirectory.id=AAAAAAAAAAAAAAAAAAAAAQ\n", "reserved directory ID"),
    ],
)
def test_k1262_14_a_v1_file_is_validated_as_ever(bench, text, error):
    """A version 1 file needs its cluster id and the right node id; a start without them is refused, nothing written."""
    path = bench.controller(bench.quorum(1))
    write(bench.directories(1)[0], text)
    with pytest.raises(StorageError, match=error):
        open_node(config_of(path), RealFileSystem())
    assert (bench.directories(1)[0] / "meta.properties").read_text() == text


def test_k1262_14_a_v1_file_gets_the_directory_id_that_it_lacks(bench):
    """Only directory.id is added: version, ids and unknown keys stay."""
    path = bench.controller(bench.quorum(1))
    write(bench.directories(1)[0], f"version=1\ncluster.id={ID}\nnode.id=1\nnote=kept\n")
    opened = opened_and_closed(path)
    found = file_of(bench.directories(1)[0])
    directory_id = found.pop("directory.id")
    assert found == {"version": "1", "cluster.id": ID, "node.id": "1", "note": "kept"}
    assert opened.identity.key.directory_id == uuid_from_text(directory_id)
    assert opened.identity.cluster_id == ID


def test_k1262_15_a_v2_file_without_an_id_is_legal(bench):
    """The node opens with an unset id and changes nothing about it."""
    path = bench.controller(bench.quorum(1))
    write(bench.directories(1)[0], "version=2\nnode.id=1\ndirectory.id=EBESExQVRheYGRobHB0eHw\n")
    assert opened_and_closed(path).identity.cluster_id is None
    assert "cluster.id" not in file_of(bench.directories(1)[0])


async def test_k1262_15_a_v2_file_with_an_id_is_believed(tmp_path):
    """The id of the file is in raft before the first message, and it is what the first leader writes to the log."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        write(bench.directories(1)[0], f"version=2\nnode.id=1\ncluster.id={ID}\n")
        node = bench.start(path)
        assert (node.node.replica.cluster_id, node.cluster_id) == (ID, ID)
        await until(lambda: node.node.published_image.cluster_id.value is not None, "the log tells the id")
        assert node.cluster_ids_in_log() == [ID]


# ---------------- K1262-16, -17, -18: persisting


def simulated_disk(*texts):
    fs = SimulatedFileSystem()
    for directory, text in zip(DIRECTORIES, texts, strict=True):
        fs.make_directory(directory)
        file = fs.open(f"{directory}/meta.properties", create=True)
        file.pwrite(text.encode(), 0)
        file.sync()
        fs.sync_directory(directory)
    return fs


WITHOUT = "version=2\nnode.id=1\n"
DISKS = {
    "none has it": (WITHOUT, WITHOUT, WITHOUT),
    "one has it": (WITHOUT, f"{WITHOUT}cluster.id={ID}\n", WITHOUT),
    "one is old": (WITHOUT, f"version=1\nnode.id=1\ncluster.id={ID}\n", WITHOUT),
}


def held_for_sure(fs):
    """Return what a power cut would leave in the files, over several ways a disk may forget."""
    seen = set()
    for seed in range(4):
        after = fs.copy()
        after.crash(random.Random(seed))
        found = MetaPropertiesEnsemble.load(after, DIRECTORIES, "/d1").found
        assert len(found) == len(DIRECTORIES), "no file is lost"
        seen |= {one.cluster_id for one in found.values()}
    return seen


def start(fs):
    """Do what a start does with the files; return the publisher. Nothing is known that a file may still lack."""
    ensemble = MetaPropertiesEnsemble.load(fs, DIRECTORIES, "/d1")
    ensemble.verify(expected_node_id=1)
    store = ClusterIdStore(fs, ensure_formatted(fs, ensemble, 1, random.Random(5).randbytes).ensemble)
    store.complete()
    known = store.cluster_id
    if known is not None:
        assert held_for_sure(fs) == {known}, "known at the start before every file holds it durably"

    def persist(cluster_id, then):
        store.persist(cluster_id)
        then()

    return ClusterIdPublisher(
        known=known,
        expected=None,
        persist=persist,
        on_discovered=lambda cluster_id: announced(fs, cluster_id),
    )


def announced(fs, cluster_id):
    assert held_for_sure(fs) == {cluster_id}, "announced before every file holds it durably"


def run_once(fs):
    """Start, discover the id, and return what memory has."""
    publisher = start(fs)
    publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    return publisher.value


@pytest.mark.parametrize("files", DISKS)
def test_k1262_16_memory_follows_the_files_whatever_step_a_crash_hits(files):
    """Killed before any operation, memory never had an id that a file lacks, and the next start completes all files."""
    base = simulated_disk(*DISKS[files])
    for step in itertools.count():
        for seed in range(6):
            fs = base.copy()
            fs.kill_at(step)
            try:
                assert run_once(fs) == ID
            except Killed:
                pass
            else:
                assert step > 10, "there were steps to be killed at"
                return
            if seed:
                fs.crash(random.Random(seed))
            else:
                fs.kill()
            left = MetaPropertiesEnsemble.load(fs, DIRECTORIES, "/d1")
            assert not left.errors
            assert {one.cluster_id for one in left.found.values()} <= {None, ID}
            assert run_once(fs) == ID
            assert held_for_sure(fs) == {ID}


def test_k1262_16_a_start_completes_what_a_crash_left_half_done(bench):
    """Of two directories one has the id and one lacks it: after the start both have it, before raft hears of it."""
    path = bench.broker(bench.quorum(1))
    first, second = bench.directories(9, 2)
    write(first, "version=2\nnode.id=9\n")
    write(second, f"version=2\nnode.id=9\ncluster.id={ID}\n")
    assert opened_and_closed(path).identity.cluster_id == ID
    assert (file_of(first)["cluster.id"], file_of(second)["cluster.id"]) == (ID, ID)


def test_k1262_16_what_cannot_be_persisted_is_not_known():
    """When persisting fails, memory stays unset and nothing is published."""
    reported = []

    def refuse(_cluster_id, _then):
        raise StorageError("no")

    publisher = ClusterIdPublisher(
        known=None, expected=None, persist=refuse, on_discovered=lambda *one: reported.append(one)
    )
    with pytest.raises(StorageError):
        publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    assert (publisher.value, reported) == (None, [])


def test_k1262_16_while_it_is_being_persisted_it_is_not_known():
    """On a slow disk persisting takes a while: until it says that it is done, memory stays unset."""
    reported, done = [], []
    publisher = ClusterIdPublisher(
        known=None, expected=None, persist=lambda _, then: done.append(then), on_discovered=reported.append
    )
    publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    assert (publisher.value, reported, len(done)) == (None, [], 1)
    done[0]()
    assert (publisher.value, reported) == (ID, [ID])


def test_k1262_17_an_id_that_the_files_held_is_never_written_again():
    """When every file had the id at the start, the publisher writes no file and announces nothing."""
    called = []
    publisher = ClusterIdPublisher(
        known=ID, expected=None, persist=lambda *_: called.append(_), on_discovered=lambda *_: called.append(_)
    )
    publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    assert (publisher.value, called) == (ID, [])


async def test_k1262_17_the_publisher_is_installed_first_and_discovers_the_id(tmp_path):
    """It is the first publisher of the loader, so every other one already finds the id durable and set."""
    async with lab(tmp_path) as bench:
        node = bench.start(bench.controller(bench.quorum(1)))
        publishers = node.node.state_machine._publishers
        assert publishers[0] is node.node.cluster_id
        seen = []

        class PublisherProbe:
            name = "sidecar"

            def on_metadata_update(self, delta: MetadataDelta, image, manifest):
                if image.cluster_id.value is not None:
                    files = file_of(bench.directories(1)[0])
                    seen.append((files.get("cluster.id"), node.cluster_id, node.node.replica.cluster_id))

            def on_controller_change(self, leader):
                pass

            def close(self):
                pass

        publishers.insert(1, PublisherProbe())
        await until(lambda: bool(seen), "the id is published")
        assert set(seen[0]) == {node.cluster_id}


def calls_of(name):
    """Find every call of a method in the package, as (module, enclosing function); ``name`` may say whose it is."""
    found = set()
    root = Path(kraftpy.__file__).parent
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if f"{name}(" not in text:
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and f".{ast.unparse(node.func)}".endswith(f".{name}"):
                        found.add((path.relative_to(root).as_posix(), function.name))
    return found


def test_k1262_17_one_writer_of_the_files_and_one_of_the_memory():
    """In the whole package one function puts an id into a file that has none, and one puts it into raft."""
    assert calls_of("with_cluster_id") == {("storage/identity.py", "persist")}
    assert calls_of("set_cluster_id") == {("node/cluster_identity.py", "_announce")}
    assert calls_of("_on_discovered") == {("runtime/cluster_id.py", "_persisted")}
    assert calls_of("cluster_ids.complete") == {("node/startup.py", "open_node")}, (
        "at the start, before anybody reads it"
    )
    # In the auditor's room it is Spark that persists frames.
    served = {(module, function) for module, function in calls_of("persist") if not module.startswith("audit/")}
    assert served == {("node/cluster_identity.py", "_persist"), ("storage/identity.py", "complete")}


async def test_k1262_18_every_directory_gets_the_id(tmp_path):
    """A broker with three directories holds the discovered id in all three, each under its own directory id."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        leader = bench.start(bench.controller(voters))
        broker = bench.start(bench.broker(voters, dirs=3))
        await until(lambda: broker.cluster_id is not None, "the broker discovers the id")
        files = [file_of(directory) for directory in bench.directories(9, 3)]
        assert {one["cluster.id"] for one in files} == {leader.cluster_id}
        assert len({one["directory.id"] for one in files}) == 3


async def test_k1262_18_a_directory_that_cannot_be_written_goes_offline(tmp_path):
    """The other directories get the id, the node goes on, and the failed directory counts as lost."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        bench.start(bench.controller(voters))
        fs = FailingFileSystem()
        broker = bench.start(bench.broker(voters), fs)
        fs.failing = ("data-1/meta.properties",)
        await until(lambda: broker.cluster_id is not None, "the broker discovers the id")
        good, bad = bench.directories(9, 2)
        assert file_of(good)["cluster.id"] == broker.cluster_id
        assert "cluster.id" not in file_of(bad)
        agent = broker.node.broker
        assert set(agent.lifecycle.directories.offline) == {uuid_from_text(file_of(bad)["directory.id"])}
        assert agent.lifecycle.state is not BrokerState.SHUTTING_DOWN
        assert not broker.task.done()


async def test_k1262_18_a_metadata_directory_that_cannot_be_written_stops_the_node(tmp_path):
    """When it is the metadata directory, the process ends with its name, and memory never had the id."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        bench.start(bench.controller(voters))
        fs = FailingFileSystem()
        broker = bench.start(bench.broker(voters), fs)
        fs.failing = ("data-0/meta.properties",)
        error = await broker.failure()
        assert isinstance(error, StorageError)
        assert f"metadata log directory {bench.directories(9)[0]}" in str(error)
        assert (broker.cluster_id, broker.node.replica.cluster_id) == (None, None)


# ---------------- K1262-27: no way to know


@pytest.mark.parametrize("level", [7, 30])
def test_k1262_27_a_controller_that_can_never_know_the_id_does_not_start(bench, level):
    """Formatted below the level, file without cluster.id: refused, naming the file, the levels and the way out."""
    path = bench.controller(bench.quorum(1))
    directory = bench.directories(1)[0]
    format_at(path, level)
    write(directory, "version=2\nnode.id=1\ndirectory.id=EBESExQVRheYGRobHB0eHw\n")
    with pytest.raises(StorageError) as refusal:
        open_node(config_of(path), RealFileSystem())
    for part in (str(directory / "meta.properties"), f"metadata.version {level}", "40", "--cluster-id"):
        assert part in str(refusal.value)


async def test_k1262_27_nor_does_one_whose_log_states_it(tmp_path):
    """A log below the level whose file and checkpoint were lost ends the elected controller with the same advice."""
    async with lab(tmp_path) as bench:
        path = bench.controller(bench.quorum(1))
        format_at(path, 30)
        node = bench.start(path)
        await until(lambda: node.leads, "the old cluster has a controller")
        await node.stop()
        directory = bench.directories(1)[0]
        (directory / "bootstrap.checkpoint").unlink()
        write(directory, "version=2\nnode.id=1\ndirectory.id=EBESExQVRheYGRobHB0eHw\n")
        error = await bench.start(path).failure()
        assert isinstance(error, KraftError)
        assert not isinstance(error, InvariantViolation)
        for part in ("meta.properties has no cluster.id", "metadata.version 30", "--cluster-id"):
            assert part in str(error)


def format_at(path, level):
    """Format a controller at a level, as `storage format` does."""
    from kraftpy.cli.storage_format import FormatWords, format_request
    from kraftpy.storage.format import format_directories

    words = FormatWords(config=str(path), cluster_id=ID, features=(f"metadata.version={level}",))
    format_directories(RealFileSystem(), format_request(words), random.Random(level).randbytes)
