"""KIP-928 at a broker, by the numbers of docs/kip-928.md."""

from __future__ import annotations

import errno
import random
import zlib
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from kraftpy.broker.log_dirs import LogDirectories, LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.config_keys.node_keys import BROKER_LIFECYCLE
from kraftpy.model.errors import DiskFullError, StorageError
from kraftpy.node.log_dir_monitor import LogDirFinding
from kraftpy.node.metrics import NodeMetrics
from kraftpy.storage.clean_shutdown import write_clean_shutdown
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import read_file
from kraftpy.storage.identity import ClusterIdStore, ensure_formatted
from kraftpy.storage.reserve import has_reserve, reserve_path, write_reserve
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.broker.test_lifecycle import DIR_A, DIR_B, published, running
from tests.unit.node.test_log_dir_monitor import SATURATED, Desk
from tests.unit.node.test_metrics import node
from tests.unit.node.test_startup import Desk as StartDesk
from tests.unit.node.test_startup import FullFileSystem, reserves

PAGE = Path(__file__).parents[2] / "docs" / "kip-928.md"


def test_k928_01_a_full_directory_does_not_end_the_process():
    """Nothing is given up, and the broker stays where it is in its life."""
    machine = running(log_dirs=(DIR_A,))
    published(machine, 42)
    machine.log_dir_saturated(100, DIR_A)
    assert machine.state is BrokerState.RUNNING


@pytest.mark.parametrize(
    ("number", "counts_quota", "expected"),
    [
        (errno.ENOSPC, False, LogDirFinding.FULL),
        (errno.EDQUOT, False, LogDirFinding.BROKEN),
        (errno.EDQUOT, True, LogDirFinding.FULL),
        (errno.EIO, True, LogDirFinding.BROKEN),
    ],
)
def test_k928_03_only_a_full_disk_saturates(number, counts_quota, expected):
    """ENOSPC, and EDQUOT if wanted; any other error is the end of the directory."""
    desk = Desk(counts_quota=counts_quota)
    desk.refuse(number)
    assert desk.check() is expected


def test_k928_10_every_log_directory_gets_a_reserve(tmp_path):
    """In each directory, 40 MB by default."""
    desk = StartDesk(tmp_path)
    desk.open()
    assert [one.stat().st_size for one in reserves(desk)] == [4_096, 4_096]
    (key,) = [one for one in BROKER_LIFECYCLE if one.name == "log.dir.reserve.bytes"]
    assert key.default == "41943040"


def test_k928_11_a_reserve_that_cannot_be_written_stops_the_start(tmp_path):
    """And nothing of the log was touched: the reserve comes before recovery."""
    desk = StartDesk(tmp_path)
    fs = FullFileSystem(desk.dirs[1], errno.EIO)
    with pytest.raises(StorageError, match=r"kraftpy\.reserve"):
        desk.open(fs)
    assert not [path for path in fs.opened if path.endswith((".log", "quorum-state"))]


def test_k928_12_a_full_directory_gives_up_its_reserve():
    """The reserve of another directory on another disk stays."""
    full, fine = Desk(), Desk()
    full.fill()
    full.check()
    fine.check()
    assert (has_reserve(full.fs, "/a"), has_reserve(fine.fs, "/a")) == (False, True)


def test_k928_13_small_work_succeeds_on_a_full_disk():
    """A file that did not fit is written after the reserve is gone."""
    desk = Desk()
    desk.fill()
    with pytest.raises(DiskFullError):
        write_clean_shutdown(desk.fs, "/a", 7)
    desk.check()
    write_clean_shutdown(desk.fs, "/a", 7)


def test_k928_15_a_reserve_takes_its_space_durably():
    """It does not compress, is not sparse, and is there after a crash."""
    fs = SimulatedFileSystem()
    fs.make_directory("/a")
    fs.sync_directory("/")
    write_reserve(fs, "/a", 9_000, random.Random(3).randbytes)
    fs.crash(random.Random(4), in_order=True)
    content = read_file(fs, reserve_path("/a"))
    assert len(zlib.compress(content)) >= len(content) == 9_000


def test_k928_16_a_restart_keeps_a_reserve_of_the_right_size(tmp_path):
    """Of another size it is written again; without space the broker starts only if that is wanted."""
    desk = StartDesk(tmp_path)
    desk.open()
    before = reserves(desk)[0].read_bytes()
    reserves(desk)[1].write_bytes(b"short")
    desk.open()
    assert reserves(desk)[0].read_bytes() == before
    assert reserves(desk)[1].stat().st_size == 4_096
    reserves(desk)[1].unlink()
    with pytest.raises(DiskFullError):
        desk.open(FullFileSystem(desk.dirs[1]))
    desk.path.write_text(f"{desk.path.read_text()}log.dir.start.saturated=true\n")
    assert list(desk.open(FullFileSystem(desk.dirs[1])).saturated) == [str(desk.dirs[1])]


def test_k928_17_only_the_full_directory_is_saturated():
    """The other serves; with both full the broker goes on, with both broken it does not."""
    machine = running()
    published(machine, 42)
    machine.log_dir_saturated(100, DIR_A)
    assert machine.directories.online == (DIR_B,)
    machine.log_dir_saturated(100, DIR_B)
    assert not machine.is_over
    machine.log_dir_failed(100, DIR_A)
    machine.log_dir_failed(100, DIR_B)
    assert machine.is_over


def test_k928_18_a_full_metadata_directory_stops_the_node():
    """What belongs to the metadata log cannot be written: an error that ends the node, not a state."""
    fs = SimulatedFileSystem()
    for directory in ("/m", "/d"):
        fs.make_directory(directory)
    ensemble = MetaPropertiesEnsemble.load(fs, ["/m", "/d"], "/m")
    store = ClusterIdStore(fs, ensure_formatted(fs, ensemble, 4, random.Random(1).randbytes).ensemble)
    fs.capacity = 0
    with pytest.raises(StorageError, match="/m"):
        store.persist("cluster")


def test_k928_19_saturated_to_offline_and_never_back():
    """Each step is asked of the table of states, in both directions."""
    states = LogDirectories.of([DIR_A]).with_saturated(DIR_A)
    assert states.saturated == (DIR_A,)
    offline = states.with_failed(DIR_A)
    assert offline.offline == (DIR_A,)
    assert offline.with_saturated(DIR_A) == offline.with_space(DIR_A) == offline


def test_k928_20_space_brings_a_directory_back_if_that_is_wanted():
    """By default only a restart does; else enough space does, beside the reserve that is written again."""
    for wanted, expected in ((None, LogDirFinding.UNCHANGED), (20_000, LogDirFinding.HAS_SPACE)):
        desk = Desk(recovery_free_bytes=wanted)
        desk.fill()
        desk.check()
        desk.fs.unlink("/a/ballast")
        assert desk.check(SATURATED) is expected
        assert has_reserve(desk.fs, "/a") is (wanted is not None)


def test_k928_24_metrics_count_offline_and_saturated_directories_apart():
    """A count of each, and 0 or 1 per directory; log-dirs is tested in tests/unit/cli/test_log_dirs.py."""
    states = {"/a": LogDirState.SATURATED, "/b": LogDirState.OFFLINE, "/c": LogDirState.ONLINE}
    page = generate_latest(NodeMetrics(node(broker_state=BrokerState.RUNNING, log_dir_states=states)).registry).decode()
    for line in (
        "kraft_saturated_log_directory_count 1.0",
        "kraft_offline_log_directory_count 1.0",
        'kraft_log_directory_saturated{log_directory="/a"} 1.0',
        'kraft_log_directory_saturated{log_directory="/b"} 0.0',
        'kraft_log_directory_offline{log_directory="/b"} 1.0',
    ):
        assert line in page


def test_k928_25_free_bytes_can_count():
    """With a threshold no write has to fail before the directory is saturated."""
    desk = Desk(saturated_free_bytes=50_000)
    desk.fill(free=49_999)
    assert desk.check() is LogDirFinding.FULL


def test_k928_26_the_alternatives_are_documented():
    """Larger disks, deleting by hand, several directories, tiered storage: each with its limit."""
    page = PAGE.read_text(encoding="utf-8")
    for words in ("16 TB for an EBS volume", "deleted by hand", "several directories", "Tiered storage"):
        assert words in page


def test_k928_27_the_size_of_the_reserve_is_configurable(tmp_path):
    """Any size, and 0 for none."""
    StartDesk(tmp_path / "a", log_dir_reserve_bytes="70000").open()
    assert (tmp_path / "a" / "data-0" / "kraftpy.reserve").stat().st_size == 70_000
    StartDesk(tmp_path / "b", log_dir_reserve_bytes="0").open()
    assert not (tmp_path / "b" / "data-0" / "kraftpy.reserve").exists()
