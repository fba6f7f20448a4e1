"""Opening a node's directories: what is made, what is refused, and that nothing is written before it is checked."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from kraftpy.config.settings import KeysElsewhere
from kraftpy.model.errors import ConfigError, DiskFullError, StorageError, SyncFailedError
from kraftpy.model.replica_status import VoterStatus
from kraftpy.node import startup
from kraftpy.node.startup import log_start, open_node
from kraftpy.storage.clean_shutdown import NO_BROKER_EPOCH, write_clean_shutdown
from kraftpy.storage.disk_probe import SyncTimes
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import DirectoryLock
from kraftpy.storage.names import CLEAN_SHUTDOWN
from tests.requirements.nodes import config_of, file_of, free_ports

CLUSTER_A, CLUSTER_B = "cluster-a", "cluster-b"
FS = RealFileSystem()


class Desk:
    """One node's directories and its configuration."""

    def __init__(self, root: Path, *, role="broker", node_id=9, dirs=2, **more):
        self.dirs = [root / f"data-{number}" for number in range(dirs)]
        port, other = free_ports(2)
        listener = f"PLAINTEXT://127.0.0.1:{port}" if role == "broker" else f"CONTROLLER://127.0.0.1:{other}"
        voters = f"{node_id if role == 'controller' else 1}@127.0.0.1:{other}"
        properties = {
            "process.roles": role,
            "node.id": str(node_id),
            "controller.quorum.voters": voters,
            "controller.listener.names": "CONTROLLER",
            "listeners": listener,
            "log.dirs": ",".join(map(str, self.dirs)),
            "log.dir.reserve.bytes": "4096",
            "metadata.log.reserve.bytes": "8192",
        } | {key.replace("_", "."): value for key, value in more.items()}
        root.mkdir(exist_ok=True)
        self.path = root / "server.properties"
        self.path.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))

    def open(self, fs=FS, *, keep=False):
        """Open the directories, and close them again unless they are kept."""
        opened = open_node(config_of(self.path), fs)
        if not keep:
            opened.directory.close()
            opened.close()
        return opened

    def write(self, number, **properties):
        self.dirs[number].mkdir(parents=True, exist_ok=True)
        lines = {"version": "2"} | {key.replace("_", "."): value for key, value in properties.items()}
        text = "".join(f"{key}={value}\n" for key, value in lines.items())
        (self.dirs[number] / "meta.properties").write_text(text)

    def ids(self):
        return [file_of(one).get("directory.id") for one in self.dirs]

    def is_locked(self, number=0):
        return (self.dirs[number] / ".lock").exists()


def test_a_first_start_makes_everything(tmp_path):
    """A first start makes the directories, their files and ids, and knows no cluster."""
    desk = Desk(tmp_path)
    opened = desk.open()
    assert opened.identity.cluster_id is None
    assert opened.identity.key.node_id == 9
    assert [directory for directory, _ in opened.log_dirs] == [str(one) for one in desk.dirs]
    assert len({directory_id for _, directory_id in opened.log_dirs}) == 2
    assert opened.recovered.log_end_offset == 0
    assert opened.offline_log_dirs == ()
    assert opened.previous_broker_epoch == NO_BROKER_EPOCH
    assert [notice.event for notice in opened.notices] == ["directory_formatted"] * 2


def test_a_second_start_finds_everything_again(tmp_path):
    """A second start keeps every id and says nothing of the directories."""
    desk = Desk(tmp_path)
    first, ids = desk.open(), desk.ids()
    second = desk.open()
    assert desk.ids() == ids
    assert (second.identity, second.log_dirs, second.recovered) == (first.identity, first.log_dirs, first.recovered)
    assert second.notices == ()


def test_another_nodes_directory_is_refused(tmp_path):
    """A directory of another node stops the start, both ids are named, and no lock is left."""
    desk = Desk(tmp_path)
    desk.write(0, node_id="8")
    with pytest.raises(StorageError, match="Stored node id 8 doesn't match"):
        desk.open()
    assert not desk.is_locked()
    assert not (desk.dirs[1] / "meta.properties").exists(), "nothing was written"


def test_directories_of_two_clusters_are_refused(tmp_path):
    """Directories of two clusters in one node stop the start, and both ids are named."""
    desk = Desk(tmp_path)
    desk.write(0, node_id="9", cluster_id=CLUSTER_A)
    desk.write(1, node_id="9", cluster_id=CLUSTER_B)
    with pytest.raises(StorageError, match=f"(?s){CLUSTER_A}.*{CLUSTER_B}"):
        desk.open()


def test_the_pin_is_checked_at_the_start(tmp_path):
    """A directory of another cluster than cluster.id.expected stops the start; the pinned one starts."""
    desk = Desk(tmp_path, **{"cluster.id.expected": CLUSTER_A})
    desk.write(0, node_id="9", cluster_id=CLUSTER_B)
    with pytest.raises(StorageError, match=f"(?s)(?=.*{CLUSTER_A})(?=.*{CLUSTER_B})"):
        desk.open()
    desk.write(0, node_id="9", cluster_id=CLUSTER_A)
    assert desk.open().identity.cluster_id == CLUSTER_A


def test_a_locked_directory_is_refused(tmp_path):
    """Two processes on one directory would destroy it: the second start is refused, and writes nothing."""
    desk = Desk(tmp_path)
    desk.dirs[1].mkdir(parents=True)
    lock = DirectoryLock.acquire(str(desk.dirs[1]))
    try:
        with pytest.raises(StorageError, match=str(desk.dirs[1])):
            desk.open()
        assert not desk.is_locked(0), "the lock that it had already is let go"
        assert not (desk.dirs[0] / "meta.properties").exists()
    finally:
        lock.release()
    desk.open()


def test_an_open_node_holds_its_locks(tmp_path):
    """As long as a node is open no other process opens its directories; afterwards any may."""
    desk = Desk(tmp_path)
    opened = desk.open(keep=True)
    with pytest.raises(StorageError):
        desk.open()
    opened.directory.close()
    opened.close()
    desk.open()


class WatchedFileSystem(RealFileSystem):
    """The real disk, which notes whose names were synced and may refuse to."""

    __slots__ = ("refused", "synced")

    def __init__(self, refused=None):
        self.synced = []
        self.refused = refused or {}

    def sync_directory(self, path):
        self.synced.append(path)
        if path in self.refused:
            raise OSError(self.refused[path], os.strerror(self.refused[path]), path)
        super().sync_directory(path)


def test_the_names_of_the_directories_are_durable(tmp_path):
    """Those that were missing above a log directory are synced, too, and again by the next start, for a kill's sake."""
    desk = Desk(tmp_path, role="controller", dirs=1, **{"log.dirs": str(tmp_path / "a" / "b" / "c")})
    for made in (True, False):
        fs = WatchedFileSystem()
        opened = open_node(config_of(desk.path), fs)
        opened.directory.close()
        opened.close()
        first = fs.synced.index(str(tmp_path / "a" / "b" / "c"))
        expected = [tmp_path.parent, tmp_path, tmp_path / "a", tmp_path / "a" / "b"] if made else [tmp_path / "a" / "b"]
        assert list(dict.fromkeys(fs.synced[:first])) == [str(one) for one in expected]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EINVAL, errno.EIO])
def test_what_is_above_a_log_directory_may_belong_to_others(tmp_path, number):
    """A directory above that may not be opened keeps no node from starting; a failed sync does."""
    desk = Desk(tmp_path, role="controller", dirs=1)
    desk.open()
    fs = WatchedFileSystem({str(tmp_path): number})
    if number == errno.EIO:
        with pytest.raises(SyncFailedError, match=f"fsync of {tmp_path} failed"):
            open_node(config_of(desk.path), fs)
        return
    opened = open_node(config_of(desk.path), fs)
    opened.directory.close()
    opened.close()


def test_a_metadata_directory_that_cannot_be_made_is_fatal(tmp_path):
    """Without its metadata directory no node starts; the text names it and the ways out."""
    (tmp_path / "file").write_text("")
    desk = Desk(tmp_path, **{"metadata.log.dir": str(tmp_path / "file" / "metadata")})
    with pytest.raises(StorageError, match=r"metadata\.log\.dir .*cannot be made.*name another one"):
        desk.open()


def test_one_bad_directory_of_two_stays_offline(tmp_path):
    """A log directory that cannot be made stays offline, is reported, and the node starts with the other one."""
    desk = Desk(tmp_path)
    desk.dirs[1].write_text("a file in its place")
    opened = desk.open()
    assert [directory for directory, _ in opened.log_dirs] == [str(desk.dirs[0])]
    assert [directory for directory, _ in opened.offline_log_dirs] == [str(desk.dirs[1])]
    assert "error" in {notice.level for notice in opened.notices}
    assert desk.dirs[1].read_text() == "a file in its place"


def test_a_directory_that_cannot_be_locked_stays_offline(tmp_path):
    """A log directory that cannot hold its .lock is left alone, is reported, and the node starts with the other one."""
    desk = Desk(tmp_path)
    (desk.dirs[1] / ".lock").mkdir(parents=True)
    opened = desk.open()
    assert [directory for directory, _ in opened.log_dirs] == [str(desk.dirs[0])]
    assert [directory for directory, _ in opened.offline_log_dirs] == [str(desk.dirs[1])]
    assert [path.name for path in desk.dirs[1].iterdir()] == [".lock"]


def test_an_empty_voter_may_be_refused(tmp_path):
    """With metadata.auto.format.voter=false an empty voter does not start, and the text says what to do."""
    desk = Desk(tmp_path, role="controller", dirs=1, **{"metadata.auto.format.voter": "false"})
    with pytest.raises(ConfigError, match=r"lost its disk also lost its vote.*storage format"):
        desk.open()
    assert not desk.is_locked()
    desk.write(0, node_id="9")
    assert desk.open().identity.key.node_id == 9


def test_an_empty_voter_reports_it_loudly(tmp_path):
    """A voter's empty directory is a warning, because it may be a lost disk; a broker's is none."""
    notices = Desk(tmp_path, role="controller", dirs=1).open().notices
    assert [notice.level for notice in notices] == ["warning", "info"]
    assert notices[1].event == "directory_empty"
    assert "its vote does not count before" in notices[1].facts["reason"]


def test_an_empty_voter_stays_recovering_over_restarts(tmp_path):
    """What was written at the first start does not make it look like one that lost nothing."""
    desk = Desk(tmp_path, role="controller", dirs=1)
    first, again = desk.open().recovered, desk.open().recovered
    assert first.replica_status.status is VoterStatus.EMPTY
    assert first.replica_status == again.replica_status


def test_an_operator_may_trust_an_empty_directory(tmp_path):
    """controller.quorum.trust.empty.directories=true: it counts from now on, and that is said as an error."""
    Desk(tmp_path, role="controller", dirs=1).open()
    opened = Desk(tmp_path, role="controller", dirs=1, **{"controller.quorum.trust.empty.directories": "true"}).open()
    assert opened.recovered.replica_status.is_eligible
    assert [notice.level for notice in opened.notices] == ["error"]
    assert not (tmp_path / "d0" / "__cluster_metadata-0" / "kraftpy.replica-status").exists()


def test_a_voter_without_its_vote_reports_it_and_may_be_trusted_all_the_same(tmp_path):
    """A log and no quorum-state: a warning, and no vote; the operator may override it with a property for one start."""
    desk = Desk(tmp_path, role="controller", dirs=1)
    metadata = desk.dirs[0] / "__cluster_metadata-0"
    opened = desk.open()
    opened.directory.status.write(opened.directory.status.value.as_eligible())
    assert not (metadata / "quorum-state").exists()
    opened = desk.open()
    status = opened.recovered.replica_status
    assert (status.status, status.vote_lost) == (VoterStatus.RECOVERING, True)
    assert [
        (notice.level, "held" in notice.facts["reason"] or "no quorum-state" in notice.facts["reason"])
        for notice in opened.notices
    ] == [("warning", True)]
    opened = Desk(tmp_path, role="controller", dirs=1, **{"controller.quorum.trust.empty.directories": "true"}).open()
    assert opened.recovered.replica_status.is_eligible
    assert "held a log and no quorum-state" in opened.notices[0].facts["reason"]


def test_a_corrupt_log_lets_its_locks_go(tmp_path):
    """A start that fails late, over its log, leaves the directories to the next one."""
    desk = Desk(tmp_path, role="controller", dirs=1)
    desk.open()
    (desk.dirs[0] / "__cluster_metadata-0" / "quorum-state").write_text("rubbish")
    with pytest.raises(StorageError, match="quorum-state"):
        desk.open()
    assert not desk.is_locked()


# The clean-shutdown file.


def test_a_clean_stop_is_known_once(tmp_path):
    """The epoch of a clean stop is found by the next start of a broker, and not by the one after it."""
    desk = Desk(tmp_path)
    desk.open()
    for one in desk.dirs:
        write_clean_shutdown(FS, str(one), 42)
    assert desk.open().previous_broker_epoch == 42
    assert desk.open().previous_broker_epoch == NO_BROKER_EPOCH


def test_a_replaced_disk_makes_the_stop_unclean(tmp_path):
    """When one directory lost its file with its disk, the broker does not claim that nothing was lost."""
    desk = Desk(tmp_path)
    desk.open()
    write_clean_shutdown(FS, str(desk.dirs[0]), 42)
    (desk.dirs[1] / CLEAN_SHUTDOWN).write_text("rubbish")
    opened = desk.open()
    assert opened.previous_broker_epoch == NO_BROKER_EPOCH
    assert [notice.level for notice in opened.notices] == ["warning"]
    assert CLEAN_SHUTDOWN in opened.notices[0].facts["reason"]


def test_a_controller_leaves_the_file_alone(tmp_path):
    """The file is a broker's: a controller neither reads nor removes it."""
    desk = Desk(tmp_path, role="controller", dirs=1)
    desk.open()
    write_clean_shutdown(FS, str(desk.dirs[0]), 42)
    assert desk.open().previous_broker_epoch == NO_BROKER_EPOCH
    assert (desk.dirs[0] / CLEAN_SHUTDOWN).exists()


def test_keys_that_nothing_acts_on_are_one_warning(tmp_path):
    """Those that the file sets to what Kafka has by default ask for nothing, and are not named."""
    desk = Desk(tmp_path / "desk", num_io_threads="8", num_network_threads="4", background_threads="1")
    opened = desk.open(keep=True)
    with capture_logs() as lines:
        log_start(config_of(desk.path), opened)
    opened.directory.close()
    opened.close()
    stated = [line for line in lines if line["log_level"] == "warning" and "keys" in line]
    assert [line["keys"] for line in stated] == ["num.network.threads=4, background.threads=1"]


def test_keys_that_are_not_from_the_file_are_named_without_their_values(tmp_path):
    """A container has most of them from variables, where an operator may not look."""
    desk = Desk(tmp_path / "desk")
    opened = desk.open(keep=True)
    config = config_of(desk.path)
    changed = replace(config, keys_elsewhere=KeysElsewhere(("node.id", "ssl.key.password"), ("log.level",)))
    with capture_logs() as lines:
        log_start(config, opened)
        log_start(changed, opened)
    opened.directory.close()
    opened.close()
    (stated,) = [line for line in lines if line["event"] == "config_keys_not_from_file"]
    assert (stated["environment"], stated["command_line"]) == ("node.id, ssl.key.password", "log.level")
    assert set(stated) == {"event", "log_level", "environment", "command_line", "file"}


class FullFileSystem(RealFileSystem):
    """The real disk, on which no file of a directory can be written that is named so."""

    __slots__ = ("directory", "number", "opened")

    def __init__(self, directory, number=errno.ENOSPC):
        self.directory, self.number = str(directory), number
        self.opened = []

    def open(self, path, *, write=False, create=False):
        self.opened.append(path)
        if path.startswith(f"{self.directory}/kraftpy.reserve"):
            raise OSError(self.number, os.strerror(self.number), path)
        return super().open(path, write=write, create=create)


def reserves(desk):
    return [one / "kraftpy.reserve" for one in desk.dirs]


def test_every_log_directory_of_a_broker_gets_a_reserve(tmp_path):
    """Of the configured size, before the log is recovered; a restart keeps it; a controller has none (K928-10, -11)."""
    desk = Desk(tmp_path / "a")
    fs = FullFileSystem(tmp_path / "elsewhere")
    desk.open(fs)
    assert [one.stat().st_size for one in reserves(desk)] == [4_096, 4_096]
    names = [Path(path).name for path in fs.opened]
    assert max(index for index, name in enumerate(names) if name.startswith("kraftpy.reserve")) < min(
        index for index, name in enumerate(names) if name.endswith(".log") or name == "quorum-state"
    )
    before = [one.read_bytes() for one in reserves(desk)]
    desk.open()
    assert [one.read_bytes() for one in reserves(desk)] == before
    assert before[0] != before[1]
    controller = Desk(tmp_path / "b", role="controller")
    controller.open()
    assert not any(one.exists() for one in reserves(controller))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_reserve_that_cannot_be_written_stops_the_start(tmp_path, number):
    """Whatever the reason is; the locks are let go (K928-11)."""
    desk = Desk(tmp_path)
    desk.open()
    reserves(desk)[1].unlink()
    with pytest.raises(StorageError, match=str(desk.dirs[1])) as failed:
        desk.open(FullFileSystem(desk.dirs[1], number))
    assert ("log.dir.start.saturated" in str(failed.value)) is (number == errno.ENOSPC)
    assert isinstance(failed.value, DiskFullError) is (number != errno.EIO)
    assert not desk.is_locked(0)


def test_a_broker_may_start_with_a_full_directory(tmp_path):
    """With log.dir.start.saturated the directory is saturated from the start; another error stops it (K928-16)."""
    desk = Desk(tmp_path, **{"log.dir.start.saturated": "true"})
    opened = desk.open(FullFileSystem(desk.dirs[1]))
    assert list(opened.saturated) == [str(desk.dirs[1])]
    assert [path for path, _ in opened.log_dirs] == [str(one) for one in desk.dirs]
    assert [one.facts["state"] for one in opened.notices if one.event == "log_dir_full"] == ["saturated"]
    with pytest.raises(StorageError):
        desk.open(FullFileSystem(desk.dirs[1], errno.EIO))


def started(desk, opened):
    """The lines about the probe that a start logs."""
    with capture_logs() as lines:
        log_start(config_of(desk.path), opened)
    return [line for line in lines if line["event"] in {"disk_probed", "disk_not_probed"}]


class UnprobedFileSystem(RealFileSystem):
    """The real disk, on which the file of the probe cannot be made."""

    __slots__ = ("number",)

    def open(self, path, *, write=False, create=False):
        if path.endswith("kraftpy.sync-probe"):
            raise OSError(self.number, os.strerror(self.number), path)
        return super().open(path, write=write, create=create)


def test_a_controller_measures_its_disk(tmp_path, monkeypatch):
    """One line with the times and the verdict; a warning where they are too long; the file is gone."""
    desk = Desk(tmp_path, role="controller", dirs=1)
    opened = desk.open()
    assert 0 < opened.sync_times.count <= startup.PROBE_SYNCS_MAX
    assert not (desk.dirs[0] / "kraftpy.sync-probe").exists()
    for p99_ms, level, verdict in ((10.0, "info", "ok"), (10.5, "warning", "slow")):
        times = SyncTimes(7, 0.5, p99_ms, p99_ms)
        monkeypatch.setattr(startup, "measure_syncs", lambda *_, times=times, **__: times)
        (line,) = started(desk, desk.open())
        assert (line["log_level"], line["verdict"]) == (level, verdict)
        assert (line["p50_ms"], line["p99_ms"], line["syncs"]) == (0.5, p99_ms, 7)
        assert line["directory"] == str(desk.dirs[0])


def test_brokers_and_those_who_do_not_want_it_are_not_measured(tmp_path):
    assert Desk(tmp_path / "a").open().sync_times is None
    desk = Desk(tmp_path / "b", role="controller", **{"metadata.log.disk.probe": "false"})
    opened = desk.open()
    assert opened.sync_times is None
    assert started(desk, opened) == []


def test_a_full_disk_is_not_measured_and_a_broken_one_stops_the_start(tmp_path):
    desk, fs = Desk(tmp_path, role="controller", dirs=1), UnprobedFileSystem()
    fs.number = errno.ENOSPC
    opened = desk.open(fs)
    assert opened.sync_times is None
    (line,) = started(desk, opened)
    assert (line["log_level"], line["event"]) == ("warning", "disk_not_probed")
    fs.number = errno.EIO
    with pytest.raises(StorageError, match="sync-probe"):
        desk.open(fs)
