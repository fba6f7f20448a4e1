"""A sandbox appears whole or not at all, and is opened unchanged."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from kraftpy.config.node_config import load_config
from kraftpy.local_cluster import cluster as module
from kraftpy.local_cluster.cluster import CONTROLLERS_MAX, LocalNode, NodeKind, open_local_cluster, read_local_cluster
from kraftpy.model.errors import ConfigError
from kraftpy.storage.filesystem import RealFileSystem


def everything(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_a_new_sandbox_is_what_its_files_state(tmp_path):
    """A new sandbox has a configuration for every node, which the node's own reader accepts."""
    made = open_local_cluster(tmp_path / "cluster", controllers=3, brokers=2, extra={"log.level": "debug"})
    assert [node.name for node in made.nodes] == [
        "controller-1",
        "controller-2",
        "controller-3",
        "broker-4",
        "broker-5",
    ]
    assert [len(node.log_dirs) for node in made.nodes] == [1, 1, 1, 2, 2]
    for node in made.nodes:
        config = load_config(node.config_file)
        assert config.node_id == node.node_id
        assert config.is_broker is (node.kind is NodeKind.BROKER)
        assert node.properties["log.level"] == "debug"
        assert all(str(one).startswith(str(tmp_path / "cluster")) for one in node.log_dirs)
    assert (made.controllers, made.brokers) == (made.nodes[:3], made.nodes[3:])
    assert made.nodes[0].grpc_endpoint == made.nodes[0].properties["grpc.listener"]


def test_brokers_are_spread_over_racks(tmp_path):
    """In turn; another number of racks than there is, or more than brokers, is refused."""
    made = open_local_cluster(tmp_path / "cluster", controllers=1, brokers=3, racks=2)
    assert [load_config(node.config_file).broker.rack for node in made.brokers] == ["rack-1", "rack-2", "rack-1"]
    assert open_local_cluster(tmp_path / "cluster", controllers=None, brokers=None, racks=2).racks == made.racks
    with pytest.raises(ConfigError, match="with 2 racks, not 3"):
        open_local_cluster(tmp_path / "cluster", controllers=None, brokers=None, racks=3)
    with pytest.raises(ConfigError, match="--racks 2: expected 0 to 1"):
        open_local_cluster(tmp_path / "other", controllers=1, brokers=1, racks=2)


def test_all_ports_differ(tmp_path):
    """No two listeners of a sandbox share a port."""
    made = open_local_cluster(tmp_path / "cluster", controllers=3, brokers=3)
    keys = ("listeners", "grpc.listener", "metrics.listener")
    ports = [node.properties[key].rpartition(":")[2] for node in made.nodes for key in keys]
    assert len(set(ports)) == len(ports) == 18


def test_a_sandbox_is_opened_as_it_is(tmp_path):
    """An existing sandbox keeps its ports and its size, whether the size is named or not."""
    root = tmp_path / "cluster"
    made = open_local_cluster(root, controllers=1, brokers=1)
    assert open_local_cluster(root, controllers=None, brokers=None) == made
    assert open_local_cluster(root, controllers=1, brokers=1, extra={"log.level": "debug"}) == made


def test_paths_are_absolute_however_the_directory_was_named(tmp_path, monkeypatch):
    """The second start says and uses the same paths as the first one."""
    monkeypatch.chdir(tmp_path)
    made = open_local_cluster(Path("cluster"), controllers=1, brokers=1)
    assert made.root == tmp_path / "cluster"
    assert open_local_cluster(Path("cluster"), controllers=None, brokers=None) == made
    assert read_local_cluster(Path("cluster")) == made


def test_an_empty_directory_will_do(tmp_path):
    """A directory that exists and is empty becomes the local_cluster, and so does one behind a link."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    made = open_local_cluster(tmp_path / "link", controllers=1, brokers=0)
    assert made.nodes[0].config_file.is_file()
    assert everything(tmp_path / "empty") == ["controller-1", "controller-1/server.properties"]


@pytest.mark.parametrize(("controllers", "brokers", "what"), [(3, None, "controllers"), (None, 2, "brokers")])
def test_another_size_is_refused(tmp_path, controllers, brokers, what):
    """A sandbox of another size than asked for is refused, and the text names both sizes and the way out."""
    root = tmp_path / "cluster"
    open_local_cluster(root, controllers=1, brokers=1)
    with pytest.raises(ConfigError, match=rf"with 1 {what}, not [23].*another --dir"):
        open_local_cluster(root, controllers=controllers, brokers=brokers)


def test_a_foreign_directory_is_left_alone(tmp_path):
    """A directory that holds something else, or a file in its place, is refused and not touched."""
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ConfigError, match="holds no cluster"):
        open_local_cluster(tmp_path, controllers=1, brokers=0)
    with pytest.raises(ConfigError, match="not a directory"):
        open_local_cluster(tmp_path / "thesis.txt", controllers=1, brokers=0)
    assert everything(tmp_path) == ["thesis.txt"]


def test_a_node_without_its_configuration_is_not_overlooked(tmp_path):
    """A sandbox that lost a configuration is refused: it must not come up as a smaller cluster."""
    root = tmp_path / "cluster"
    open_local_cluster(root, controllers=3, brokers=0)
    (root / "controller-2" / "server.properties").unlink()
    with pytest.raises(ConfigError, match=r"controller-2/server\.properties is missing"):
        open_local_cluster(root, controllers=None, brokers=None)


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (b"node.id=1\nlisteners=CONTROLLER://localhost:1\n", "log.dirs is missing"),
        (b"node.id=1\nlog.dirs=x\n", "listeners is missing"),
        (b"node.id=1\nlog.dirs=x\nlisteners=\n", "listeners is missing"),
        (b"node.id=\xff\n", "is not UTF-8"),
    ],
)
def test_a_configuration_that_is_no_sandbox_s_is_named(tmp_path, content, stated):
    """What was edited in a node's file is reported with the file, the key and the way out."""
    root = tmp_path / "cluster"
    open_local_cluster(root, controllers=1, brokers=0)
    file = root / "controller-1" / "server.properties"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=f"{file}: {stated}.*--dir"):
        open_local_cluster(root, controllers=None, brokers=None)


@pytest.mark.parametrize(
    ("listeners", "endpoint"),
    [("CONTROLLER://h:9", "h:9"), ("CONTROLLER://:9", "127.0.0.1:9"), ("CONTROLLER://[::1]:9, X://h:1", "[::1]:9")],
)
def test_where_a_node_speaks_kafka_s_protocol(tmp_path, listeners, endpoint):
    """The first listener, as another process on this machine dials it."""
    node = LocalNode(1, NodeKind.CONTROLLER, tmp_path, {"listeners": listeners})
    assert node.kafka_endpoint == endpoint


@pytest.mark.parametrize(
    ("controllers", "brokers"), [(0, 0), (CONTROLLERS_MAX + 1, 0), (1, -1), (1, module.BROKERS_MAX + 1)]
)
def test_sizes_have_limits(tmp_path, controllers, brokers):
    """A size out of range is refused before anything is made."""
    with pytest.raises(ConfigError, match="expected"):
        open_local_cluster(tmp_path / "cluster", controllers=controllers, brokers=brokers)
    assert everything(tmp_path) == []


@pytest.mark.parametrize("after", [0, 1, 4])
@pytest.mark.parametrize("exists", [False, True])
def test_an_interrupted_start_leaves_no_half_cluster(tmp_path, monkeypatch, after, exists):
    """A Ctrl-C at any moment of the making leaves no local_cluster, and the next start makes a whole one."""
    root = tmp_path / "cluster"
    if exists:
        root.mkdir()
    rendered, real = [], module.render_properties

    def interrupt(properties, *, comment=None):
        if comment is None:
            return real(properties)  # judged, not written yet
        if len(rendered) == after:
            raise KeyboardInterrupt
        rendered.append(comment)
        return "node.id=1\n"

    with monkeypatch.context() as patch:
        patch.setattr(module, "render_properties", interrupt)
        with pytest.raises(KeyboardInterrupt):
            open_local_cluster(root, controllers=3, brokers=2)
    assert everything(tmp_path) == (["cluster"] if exists else []), "nothing is left over"
    assert len(open_local_cluster(root, controllers=None, brokers=None).nodes) == 6


def test_what_the_nodes_will_write_is_in_directories_that_stay(tmp_path, monkeypatch):
    """Each directory that is made, and each name in it, is synced; the last one is that of the whole."""
    synced = []

    class Watched(RealFileSystem):
        __slots__ = ()

        def sync_directory(self, path):
            super().sync_directory(path)
            synced.append(Path(path))

    monkeypatch.setattr(module, "RealFileSystem", Watched)
    root = tmp_path / "a" / "b" / "cluster"
    open_local_cluster(root, controllers=1, brokers=1)
    assert {tmp_path, tmp_path / "a", tmp_path / "a" / "b"} <= set(synced)
    assert {path.name for path in synced} >= {"controller-1", "broker-2", "cluster"}
    assert synced[-1] == root.parent


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    """A sandbox that cannot be made says where and what to do."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"file/cluster cannot be made: .*Name a --dir"):
        open_local_cluster(tmp_path / "file" / "cluster", controllers=1, brokers=0)


@pytest.mark.parametrize("extra", [{"log.level": "purple"}, {"node.id": "77"}, {"broker.heartbeat.interval.ms": "-1"}])
def test_a_property_that_no_node_takes_is_refused_before_anything_is_written(tmp_path, extra):
    """A sandbox with a bad property is not made: it would fail at every start from then on."""
    (key,) = extra
    with pytest.raises(ConfigError, match=key.split(".")[0]):
        open_local_cluster(tmp_path / "cluster", controllers=1, brokers=1, extra=extra)
    assert everything(tmp_path) == []


def test_two_clusters_of_one_process_never_share_a_port(monkeypatch):
    """The first one's ports are not in use yet when the second one's are chosen."""
    monkeypatch.setenv(module.PORTS_KEY, "20000-20039")
    monkeypatch.setattr(module, "_latest", deque(maxlen=module.PORTS_REMEMBERED))
    first, second = module.free_ports(15), module.free_ports(15)
    assert not set(first) & set(second)


@pytest.mark.parametrize("kafka_brokers", [None, 1])
def test_a_comma_in_the_directory_is_refused(tmp_path, monkeypatch, kafka_brokers):
    """Nodes of both kinds would take it for the end of a directory, and write beside the cluster."""
    (tmp_path / "x,y").mkdir()
    monkeypatch.chdir(tmp_path / "x,y")
    for named, whole in ((tmp_path / "a,b", tmp_path / "a,b"), (Path("c"), tmp_path / "x,y" / "c")):
        with pytest.raises(ConfigError, match=rf"--dir {whole}: a comma separates .*; name a --dir without a comma"):
            open_local_cluster(named, controllers=1, brokers=None, kafka_brokers=kafka_brokers, level=30)
    assert everything(tmp_path) == ["x,y"]
