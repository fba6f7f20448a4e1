"""A whole node in this process, on real files and sockets: it becomes ready, serves, and stops in order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
from types import SimpleNamespace

import pytest
from prometheus_client import generate_latest
from structlog.testing import capture_logs

import kraftpy
from kraftpy.broker.outputs import BrokerState
from kraftpy.config_keys.followed import RELOADED
from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.errors import ApiError, ConfigError, DiskFullError, ErrorCode, StorageError, SyncFailedError
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.voters import ReplicaKey
from kraftpy.node import logs, metadata_disk
from kraftpy.node.divergence import StateDivergedError
from kraftpy.node.logs import _LowestLevel, set_log_level
from kraftpy.node.node import Node
from kraftpy.raft.ready import Role, StateDigestMismatch
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.runtime.state_machine import Halted
from kraftpy.storage.clean_shutdown import take_clean_shutdown
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.locks import DirectoryLock
from kraftpy.storage.log import MetadataLog
from kraftpy.storage.meta_properties import parse_meta_properties
from kraftpy.storage.names import CLEAN_SHUTDOWN
from kraftpy.storage.snapshots import PART_SUFFIX
from kraftpy.transport.kafka.framing import frame
from kraftpy.transport.node_api import Committed, WriteRequest
from tests.requirements.nodes import config_of, free_ports, until
from tests.unit.controller.worlds import set_configs

HOST = "127.0.0.1"
STOP_S = 20


class NoSnapshots(RealFileSystem):
    """Refuses to create the files that snapshots are written to."""

    refuses = True

    def open(self, path, **how):
        if self.refuses and path.endswith(PART_SUFFIX):
            raise StorageError("not\nnow")
        return super().open(path, **how)


class Desk:
    """A combined node: the only controller of its cluster, and a broker."""

    def __init__(self, root, **more):
        quorum, broker, api, http = free_ports(4)
        self.quorum, self.http = quorum, http
        self.dirs = [root / "data-0", root / "data-1"]
        properties = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@{HOST}:{quorum}",
            "controller.listener.names": "CONTROLLER",
            "listeners": f"CONTROLLER://{HOST}:{quorum},PLAINTEXT://{HOST}:{broker}",
            "log.dirs": ",".join(map(str, self.dirs)),
            "grpc.listener": f"{HOST}:{api}",
            "metrics.listener": f"{HOST}:{http}",
            "log.dir.reserve.bytes": "4096",
            "metadata.log.reserve.bytes": "8192",
            "broker.heartbeat.interval.ms": "100",
            "broker.session.timeout.ms": "1500",
            "controller.quorum.election.timeout.ms": "150",
        } | {key.replace("_", "."): value for key, value in more.items()}
        self.path = root / "server.properties"
        self.path.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))

    def node(self, fs=None):
        return Node(config_of(self.path), fs=fs)

    @contextlib.asynccontextmanager
    async def running(self, fs=None):
        """Run a node until it is ready; whatever happens, it has ended at the end."""
        node = self.node(fs)
        task = asyncio.create_task(node.run())
        try:
            await until(lambda: task.done() or node.not_ready_because() is None, "the node is ready")
            yield node, task
        finally:
            node.request_stop()
            await asyncio.wait([task], timeout=STOP_S)
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
            if not task.cancelled():
                task.exception()

    async def get(self, path):
        reader, writer = await asyncio.open_connection(HOST, self.http)
        writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
        answer = (await reader.read()).decode()
        writer.close()
        return answer

    def free(self):
        """Return whether the directories can be locked."""
        for directory in self.dirs:
            DirectoryLock.acquire(str(directory)).release()
        return True


async def test_a_combined_node_serves_and_stops_in_order(tmp_path):
    """A controller and broker in one process becomes ready, takes a write, and stops without an error."""
    desk = Desk(tmp_path)
    async with desk.running() as (node, task):
        assert node.replica.role is Role.LEADER
        assert node.broker_state is BrokerState.RUNNING
        assert node.cluster_id.value == node.published_image.cluster_id.value is not None
        assert "200 OK" in await desk.get("/readyz")
        assert "kraft_active_controller 1.0" in await desk.get("/metrics")
        (outcome,) = await node.backend.submit_many([WriteRequest(set_configs(4, "", ("log.cleaner.threads", "3")))])
        assert isinstance(outcome, Committed)
        assert node.published_image.configs.of(4, "")["log.cleaner.threads"] == "3"
        node.request_stop()
        assert node.not_ready_because() == "stopping"
        await asyncio.wait_for(task, STOP_S)
    assert node.broker_state is BrokerState.SHUTTING_DOWN
    assert desk.free()


RELOADED_PARTS = {
    "connections.max.idle.ms": ("2200001", lambda node: _limits(node).idle_max_ms),
    "log.dir.recovery.free.bytes": ("2200002", lambda node: node.log_dirs._checks._config.recovery_free_bytes),
    "log.dir.saturated.free.bytes": ("7", lambda node: node.log_dirs._checks._config.saturated_free_bytes),
    "log.level": ("error", lambda _: _LowestLevel.number == logging.ERROR and "error"),
    "max.connection.creation.rate": ("2200005", lambda node: _listener(node).creation.per_second),
    "max.connections": ("2200006", lambda node: _listener(node).admission.limits.connections),
    "max.connections.per.ip": ("2200007", lambda node: _listener(node).admission.limits.per_address),
    "max.connections.per.ip.overrides": (
        "10.0.0.1:2200008",
        lambda node: f"10.0.0.1:{_listener(node).admission.limits.of_address('10.0.0.1')}",
    ),
    "metadata.log.alarm.free.bytes": ("9", lambda node: node._opened.metadata_disk._alarm_bytes),
    "metadata.log.max.record.bytes.between.snapshots": ("2200010", lambda node: node.snapshotter.bytes_between),
    "metadata.log.max.snapshot.interval.ms": ("2200011", lambda node: node.snapshotter._policy.interval_ms),
    "metadata.max.retention.bytes": ("2200012", lambda node: node._cleaner._policy.retention_bytes),
    "metadata.max.retention.ms": ("2200013", lambda node: node._cleaner._policy.retention_ms),
    "queued.max.request.bytes": ("2200014", lambda node: _listener(node).requests.bytes_max),
    "queued.max.requests": ("2200015", lambda node: node._servers._queued_max),
}
"""By key: another value, and what the part of a node that acts on it has."""


def _listener(node):
    return node._servers._listeners["PLAINTEXT"]


def _limits(node):
    return _listener(node).limits


async def test_each_key_that_is_reloaded_reaches_the_part_that_acts_on_it(tmp_path):
    """The page of keys promises it; a key that is only listed would change nothing, and nothing would be logged."""
    assert RELOADED_PARTS.keys() == RELOADED
    desk = Desk(tmp_path)
    try:
        async with desk.running() as (node, _):
            before = {key: str(read(node)) for key, (_, read) in RELOADED_PARTS.items()}
            more = "".join(f"{key}={text}\n" for key, (text, _) in RELOADED_PARTS.items())
            desk.path.write_text(desk.path.read_text() + more)
            node.settings.follow_file(config_of(desk.path))
            after = {key: str(read(node)) for key, (_, read) in RELOADED_PARTS.items()}
    finally:
        set_log_level("info")
    assert after == {key: text for key, (text, _) in RELOADED_PARTS.items()}
    assert not before.items() & after.items()


async def test_what_a_node_does_is_measured(tmp_path):
    """Its flushes, its answers, how late its loop is, and the disks of its directories."""
    desk = Desk(tmp_path)
    async with desk.running() as (node, _):

        async def measured():
            page = await desk.get("/metrics")
            return dict(line.rpartition(" ")[::2] for line in page.splitlines() if line[:1].isalpha())

        await until(lambda: node.metrics.process.loop_lags.count > 0, "the loop's lag was measured")
        reader, writer = await asyncio.open_connection(HOST, desk.quorum)
        writer.write(frame(encode_request("test", 1, rpc.ApiVersionsRequest(), 0)))
        await reader.readexactly(4)
        writer.close()
        found = await measured()
        assert float(found["kraft_event_loop_lag_ms_count"]) > 0
        assert float(found["kraft_log_flush_time_ms_count"]) > 0
        assert float(found["kraft_metadata_log_bytes"]) == node.driver.directory.log.size_bytes > 0
        assert float(found['kraft_requests_total{error="NONE",request="ApiVersions"}']) == 1
        assert float(found['kraft_replica_lag_ms{replica="1",role="voter"}']) == 0
        for directory in desk.dirs:
            assert float(found[f'kraft_log_directory_free_bytes{{log_directory="{directory}"}}']) > 0


async def test_a_node_that_makes_no_snapshots_is_ready_and_reports_it(tmp_path):
    """It serves as before, so 200; a second line of /readyz names the trouble until a snapshot was made."""
    desk = Desk(tmp_path, metadata_log_max_snapshot_interval_ms="1")
    fs = NoSnapshots()
    async with desk.running(fs) as (node, _):
        await until(lambda: node.snapshotter.trouble is not None, "no snapshot could be made")
        answer = await desk.get("/readyz")
        assert "200 OK" in answer
        first, second = answer.partition("\r\n\r\n")[2].splitlines()
        assert first == "ok"
        assert second == "trouble: no snapshot can be made, so the log grows: not now"
        fs.refuses = False
        await until(lambda: node.snapshotter.trouble is None, "a snapshot was made")
        assert (await desk.get("/readyz")).endswith("\r\n\r\nok\n")


async def test_the_first_line_states_who_starts_and_from_where(tmp_path):
    """Version, node id, cluster id, directory ids, epoch and offset; a cluster id that is not known yet is left out."""
    desk = Desk(tmp_path)
    lines = []
    for _ in range(2):
        with capture_logs() as captured:
            async with desk.running() as (node, task):
                known = node.cluster_id.value
                end, epoch = node.replica.log_end_offset, node.replica.epoch
                node.request_stop()
                await asyncio.wait_for(task, STOP_S)
        lines.append(captured[0])
    for line in lines:
        assert (line["event"], line["version"], line["node_id"]) == ("node_starting", kraftpy.__version__, 1)
        for directory in desk.dirs:
            found = parse_meta_properties((directory / "meta.properties").read_text())
            assert uuid_to_text(found.directory_id) in line["directory_ids"]
    assert ("cluster_id" in lines[0], lines[0]["epoch"], lines[0]["offset"]) == (False, 0, 0)
    assert lines[1]["cluster_id"] == known
    assert 0 < lines[1]["epoch"] < epoch
    assert 0 < lines[1]["offset"] < end


async def test_lines_have_the_quorum_and_the_controller_logs_its_broker(tmp_path, monkeypatch):
    """The cluster's id and the leader epoch are those of the moment; the broker comes, and goes for a reason."""
    monkeypatch.setattr(logs._OwnNode, "quorum", None)
    desk = Desk(tmp_path)
    with capture_logs() as captured:
        async with desk.running() as (node, task):
            line = logs._with_node(None, "info", {"event": "x", "epoch": 0})
            assert line == {**line, "event": "x", "cluster_id": node.cluster_id.value, "epoch": 0}
            assert logs._with_node(None, "info", {})["epoch"] == node.replica.epoch > 0
            node.request_stop()
            await asyncio.wait_for(task, STOP_S)
    mine = [one for one in captured if one.get("broker") == 1]
    assert [one["event"] for one in mine] == ["broker_incarnation_registered", "broker_unfenced", "broker_fenced"]
    assert mine[-1]["why"] == "controlled shutdown"
    assert len(mine[0]["log_dirs"]) == len(desk.dirs)


async def test_a_broker_that_was_let_go_reports_it_at_its_next_start(tmp_path):
    """A clean stop leaves the broker epoch in every directory; the next start registers with it."""
    desk = Desk(tmp_path)
    async with desk.running() as (first, task):
        epoch = first.broker.lifecycle.broker_epoch
        first.request_stop()
        await asyncio.wait_for(task, STOP_S)
    files = [(directory / CLEAN_SHUTDOWN).read_text() for directory in desk.dirs]
    assert files == [f'{{"version":0,"brokerEpoch":{epoch}}}'] * 2
    async with desk.running() as (second, _):
        assert second.broker.lifecycle._config.previous_broker_epoch == epoch
        assert not [one for one in desk.dirs if (one / CLEAN_SHUTDOWN).exists()], "gone before the broker serves"
        assert second.broker.lifecycle.broker_epoch > epoch


async def test_a_kill_leaves_no_clean_shutdown(tmp_path):
    """A node that is torn down, and one that fails, leave no sign of a clean stop."""
    desk = Desk(tmp_path)
    async with desk.running() as (_, task):
        task.cancel()
        await asyncio.wait([task])
    assert take_clean_shutdown(RealFileSystem(), list(map(str, desk.dirs))).broker_epoch == -1
    assert desk.free()
    async with desk.running() as (node, task):
        node._fail(ConfigError("a test"))
        with pytest.raises(ConfigError, match="a test"):
            await asyncio.wait_for(task, STOP_S)
    assert take_clean_shutdown(RealFileSystem(), list(map(str, desk.dirs))).broker_epoch == -1


async def test_without_controlled_shutdown_nothing_is_claimed(tmp_path):
    """A broker that leaves without asking cannot say that it left in order."""
    desk = Desk(tmp_path, **{"controlled.shutdown.enable": "false"})
    async with desk.running() as (node, task):
        node.request_stop()
        await asyncio.wait_for(task, STOP_S)
    assert not [one for one in desk.dirs if (one / CLEAN_SHUTDOWN).exists()]


async def test_a_stop_during_the_start_is_in_order(tmp_path):
    """A node that is stopped before its tasks had their first turn stops without an error."""
    desk = Desk(tmp_path)
    node = desk.node()
    node.request_stop()
    await asyncio.wait_for(node.run(), STOP_S)
    assert desk.free()


async def test_the_lag_is_that_of_waiting_records_or_of_a_silent_leader(tmp_path, monkeypatch):
    """Whichever is longer: records that wait to be loaded, or the silence of the leader."""
    node = Desk(tmp_path).node()
    for waits_ms, silence_ms, lag_ms in ((40, 30, 40), (0, 30, 30)):
        monkeypatch.setattr(node, "_clock", SimpleNamespace(now_ms=lambda: 1_000))
        monkeypatch.setattr(node, "_application", SimpleNamespace(lag_ms={1_000: waits_ms}.get))
        monkeypatch.setattr(node, "backend", SimpleNamespace(age_ms=silence_ms))
        assert node.state_lag_ms == lag_ms
        monkeypatch.undo()
    node.request_stop()
    await asyncio.wait_for(node.run(), STOP_S)


async def test_a_record_that_cannot_be_applied_is_a_metadata_error(tmp_path):
    """The node goes on with the state before it, so that metrics show it."""
    node = Desk(tmp_path).node()
    node.state_machine._on_halt(Halted(3, 4, "cannot replay it"))
    assert "kraft_metadata_errors_total 1.0" in generate_latest(node.metrics.registry).decode()
    node.request_stop()
    await asyncio.wait_for(node.run(), STOP_S)


async def test_what_was_written_is_there_after_a_restart(tmp_path):
    """An acknowledged write is in the image after a restart."""
    desk = Desk(tmp_path)
    async with desk.running() as (node, _):
        await node.backend.submit_many([WriteRequest(set_configs(4, "", ("log.cleaner.threads", "7")))])
    async with desk.running() as (node, _):
        assert node.published_image.configs.of(4, "")["log.cleaner.threads"] == "7"


class FailingSyncs(RealFileSystem):
    """The real files, whose logs fail to sync once ``failing`` is set."""

    def __init__(self):
        self.failing = False

    def open(self, path, *, write=False, create=False):
        file = super().open(path, write=write, create=create)
        return Guarded(file, self) if path.endswith(".log") else file


FailingSyncs.__slots__ = ()


class Guarded:
    def __init__(self, file, fs):
        self._file, self._fs = file, fs

    def __getattr__(self, name):
        return getattr(self._file, name)

    def sync(self):
        if self._fs.failing:
            raise OSError(5, "Input/output error")
        self._file.sync()


async def test_a_node_whose_state_is_wrong_is_silent_at_once_and_ends(tmp_path):
    """It decides nothing, answers nothing about the state and loads nothing more, before its turn is over."""
    async with Desk(tmp_path).running() as (node, task):
        made = [StateDigest(1, word * DIGEST_BYTES) for word in (b"o", b"m")]
        assert node.host.controller.active
        node._guard.diverged(StateDigestMismatch(ReplicaKey(1), *made, 1))
        assert not node.host.controller.active
        with pytest.raises(ApiError, match="it has diverged"):
            node.backend.view()
        assert node.state_machine._fenced
        with pytest.raises(StateDivergedError, match="it has diverged"):
            await task


async def test_a_failed_fsync_stops_the_node(tmp_path):
    """After a failed fsync the node ends with that error, the write is not acknowledged, and no caller hangs."""
    desk, fs = Desk(tmp_path), FailingSyncs()
    async with desk.running(fs) as (node, task):
        fs.failing = True
        write = asyncio.create_task(
            node.backend.submit_many([WriteRequest(set_configs(4, "", ("log.cleaner.threads", "7")))])
        )
        with pytest.raises(SyncFailedError, match="fsync of"):
            await asyncio.wait_for(task, STOP_S)
        (outcome,) = await asyncio.wait_for(write, 1)
        assert not isinstance(outcome, Committed)
        assert node.not_live_because() is not None
    assert desk.free()


async def test_a_bug_stops_the_node(tmp_path):
    """A violated invariant ends the node; it is not turned into an operating error."""
    desk = Desk(tmp_path)
    async with desk.running() as (node, task):
        node._fail_in_turn(InvariantViolation("a bug"))
        await asyncio.wait([task], timeout=STOP_S)
        error = task.exception()
        assert isinstance(error, BaseExceptionGroup)
        assert error.subgroup(InvariantViolation) is not None
    assert desk.free()


async def test_a_port_in_use_leaves_nothing_behind(tmp_path):
    """A node that cannot listen ends with the key that is wrong, and lets its directories go."""
    desk = Desk(tmp_path)
    server = await asyncio.start_server(lambda *_: None, HOST, desk.http)
    with pytest.raises(ConfigError, match=r"metrics\.listener"):
        await asyncio.wait_for(desk.node().run(), STOP_S)
    server.close()
    assert desk.free()


async def test_a_node_that_cannot_be_built_lets_its_directories_go(tmp_path, monkeypatch):
    """A constructor that fails after the directories were opened closes and unlocks them."""
    desk = Desk(tmp_path)

    def refuse(*_):
        raise StorageError("a test")

    with monkeypatch.context() as patch:
        patch.setattr(Node, "_build", refuse)
        with pytest.raises(StorageError, match="a test"):
            desk.node()
    assert desk.free()


async def test_a_disk_that_fails_meanwhile_hides_no_violated_invariant(tmp_path, monkeypatch):
    """A constructor that fails on a disk that fails, too, reports the violated invariant, its first error."""
    desk = Desk(tmp_path)

    def violated(*_):
        raise InvariantViolation("a test")

    def fails(*_):
        raise StorageError("the disk")

    with monkeypatch.context() as patch:
        patch.setattr(Node, "_build", violated)
        patch.setattr(MetadataLog, "close", fails)
        with pytest.raises(InvariantViolation, match="a test"):
            desk.node()
    assert desk.free()


async def test_a_start_takes_no_longer_than_it_may(tmp_path):
    """A controller that finds no quorum ends after server.max.startup.time.ms and says what it waited for."""
    desk = Desk(
        tmp_path, server_max_startup_time_ms="300", controller_quorum_voters=f"1@{HOST}:1,2@{HOST}:2,3@{HOST}:3"
    )
    node = desk.node()
    with pytest.raises(ConfigError, match=r"server\.max\.startup\.time\.ms=300: no leader is known"):
        async with asyncio.timeout(STOP_S):
            await node.run()
    lock = DirectoryLock.acquire(str(desk.dirs[0]))
    lock.release()


class CrampedDisk(RealFileSystem):
    """Has a number of bytes free, once a test says so; where it is none, no segment of the log becomes longer."""

    free = None

    def free_bytes(self, path):
        return super().free_bytes(path) if self.free is None else self.free

    def open(self, path, *, write=False, create=False):
        file = super().open(path, write=write, create=create)
        return CrampedFile(file, self) if path.endswith(".log") else file


class CrampedFile:
    def __init__(self, file, disk):
        self._file, self._disk = file, disk

    def __getattr__(self, name):
        return getattr(self._file, name)

    def pwrite(self, data, position):
        if self._disk.free == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.path)
        self._file.pwrite(data, position)


def threads(value):
    return WriteRequest(set_configs(4, "", ("log.cleaner.threads", value)))


async def test_a_controller_refuses_what_grows_while_its_disk_is_nearly_full(tmp_path, monkeypatch):
    """It stays ready and names the trouble; the reserve goes and comes back, and so does everything else."""
    monkeypatch.setattr(metadata_disk, "CHECK_INTERVAL_S", 0.01)
    desk, disk = Desk(tmp_path), CrampedDisk()
    reserve = desk.dirs[0] / "kraftpy.metadata-reserve"
    async with desk.running(disk) as (node, _):
        assert reserve.stat().st_size == 8_192
        disk.free = 1
        await until(lambda: node.host.refuses_growth is not None, "the alarm is raised")
        (refused,) = await node.backend.submit_many([threads("3")])
        assert (refused.code, refused.message) == (ErrorCode.POLICY_VIOLATION, node.trouble())
        assert f"1 bytes free in {desk.dirs[0]}" in refused.message
        assert "200 OK" in (ready := await desk.get("/readyz"))
        assert "trouble: controller 1 has 1 bytes free" in ready
        assert "kraft_metadata_disk_alarm 1.0" in await desk.get("/metrics")
        assert not reserve.exists()
        disk.free = None
        await until(lambda: node.host.refuses_growth is None, "the alarm is cleared")
        assert node.trouble() is None
        (outcome,) = await node.backend.submit_many([threads("3")])
        assert isinstance(outcome, Committed)
        assert reserve.stat().st_size == 8_192


async def test_a_node_without_space_for_a_record_ends_in_the_space_of_the_reserve(tmp_path):
    """Its last words are the space that the write found; the reserve is gone when it closes its log."""
    desk, disk = Desk(tmp_path, **{"metadata.log.alarm.free.bytes": "0"}), CrampedDisk()
    reserve = desk.dirs[0] / "kraftpy.metadata-reserve"
    async with desk.running(disk) as (node, task):
        assert reserve.exists()
        disk.free = 0
        await node.backend.submit_many([threads("3")])
        found = rf"No space left .* {desk.dirs[0]}/__cluster_metadata-0 has 0 bytes free, and the write needs \d+: free"
        with pytest.raises(DiskFullError, match=found):
            await task
    assert not reserve.exists()
    assert desk.free()


def test_a_start_without_space_for_a_file_ends_with_what_there_is(tmp_path):
    """The lock of the directory is let go."""

    class Full(CrampedDisk):
        free = 12

        def open(self, path, *, write=False, create=False):
            if path.endswith(".log"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
            return super().open(path, write=write, create=create)

    desk = Desk(tmp_path)
    with pytest.raises(
        DiskFullError, match=rf"No space left .* {desk.dirs[0]}/__cluster_metadata-0 has 12 bytes free: free space on"
    ):
        desk.node(Full())
    assert desk.free()


class WithoutSpaceFor(CrampedDisk):
    """A disk that is full when one of the files of a directory is written."""

    free = 12

    def __init__(self, path):
        self._path = f"{path}.tmp"

    def open(self, path, *, write=False, create=False):
        file = super().open(path, write=write, create=create)
        full = SimpleNamespace(free=0)
        return CrampedFile(file, full) if path == self._path else file


async def test_a_first_start_without_space_for_the_ids_ends_with_what_there_is(tmp_path):
    """Like a record that finds no space: the directory, its bytes, how many are needed, and the way out."""
    desk = Desk(tmp_path)
    path = desk.dirs[0] / "meta.properties"
    no_space = (
        rf"No space left while writing {path}.*{desk.dirs[0]} has 12 bytes free, and the write needs \d+: free space on"
    )
    with pytest.raises(DiskFullError, match=no_space) as ended:
        desk.node(WithoutSpaceFor(path))
    assert "mend the disk" not in str(ended.value)
    assert (desk.free(), path.exists()) == (True, False)
    async with desk.running():
        assert path.exists()
