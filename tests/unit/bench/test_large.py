"""The metadata of a large cluster: what is in the files, how they come to the nodes, and the brokers' heartbeats."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from types import SimpleNamespace

import pytest

from bench import large
from bench.brokers import FIRST_ID
from bench.large import Heartbeats, LargeFiles, measure_large
from bench.large_data import BROKERS, EPOCH, MIX, SNAPSHOT_END, Change, Content, write_log, write_snapshot
from bench.work import eventually
from kraftpy.image import EMPTY, MetadataDelta, Provenance
from kraftpy.model.errors import ErrorCode
from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import iterate_batches
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import PartitionChangeRecord, decode_record
from tests.unit.bench.scripted import Scripted


def batches_of(content):
    return list(iterate_batches(content.file.read_bytes()))


def records_of(content):
    return [
        decode_record(value, SchemaSet.KAFKA)
        for batch in batches_of(content)
        if not batch.is_control
        for value in batch.values()
    ]


def state_of(content):
    delta = MetadataDelta(EMPTY)
    delta.replay_all(records_of(content))
    return delta.apply(Provenance(content.end - 1, EPOCH, 1, batch_aligned=True))


def test_a_snapshot_has_the_partitions_and_unfenced_brokers(tmp_path):
    """It is named by its end, and each partition has three replicas in sync."""
    content = write_snapshot(tmp_path, 230)
    assert content.file.name == f"{SNAPSHOT_END:020d}-{EPOCH:010d}.checkpoint"
    assert (content.records, content.end) == (len(records_of(content)), SNAPSHOT_END)
    state = state_of(content)
    partitions = [one for topic in state.topics.by_id.values() for one in topic.partitions.values()]
    assert len(partitions) == 230
    assert {(len(one.isr), len(set(one.replicas)), one.leader == one.replicas[0]) for one in partitions} == {
        (3, 3, True)
    }
    assert len(state.cluster.brokers) == BROKERS
    assert not any(one.fenced for one in state.cluster.brokers.values())
    assert {broker_id: one.broker_epoch for broker_id, one in state.cluster.brokers.items()} == content.epochs


def test_a_log_can_be_replayed_and_leaves_the_brokers_unfenced(tmp_path):
    """Offsets count up from 0, records have the shares of the mix, and the epochs are those in the end."""
    content = write_log(tmp_path, 20_000)
    batches = batches_of(content)
    assert [one.base_offset for one in batches[1:]] == [one.next_offset for one in batches[:-1]]
    assert (batches[0].base_offset, batches[-1].next_offset) == (0, content.end)
    assert 20_000 <= content.records == content.end < 20_000 + BROKERS
    state = state_of(content)
    assert not any(one.fenced for one in state.cluster.brokers.values())
    assert {broker_id: one.broker_epoch for broker_id, one in state.cluster.brokers.items()} == content.epochs
    partitions = [one for topic in state.topics.by_id.values() for one in topic.partitions.values()]
    assert all(one.leader in one.isr for one in partitions), "no leader has left the ISR"
    changed = Counter(type(one).__name__ for one in records_of(content)[2_400:])
    share = changed[PartitionChangeRecord.NAME] / changed.total()
    assert abs(share - MIX[Change.ISR] - MIX[Change.LEADER]) < 0.02
    assert abs(sum(MIX.values()) - 1) < 1e-9
    again = write_log(tmp_path / ".." / tmp_path.name, 20_000)
    assert again.epochs == content.epochs


def test_a_node_gets_the_file_in_place_of_its_log(tmp_path):
    """And keeps what says who it is and who votes."""
    home = tmp_path / "data" / "__cluster_metadata-0"
    home.mkdir(parents=True)
    old = ("00000000000000000000.log", "00000000000000000000.index", "00000000000000000007-0000000001.checkpoint")
    kept = ("quorum-state", "partition.metadata")
    for name in (*old, *kept, "leader-epoch-checkpoint"):
        (home / name).write_text("old")
    (home.parent / "recovery-point-offset-checkpoint").write_text("old")
    (home.parent / "meta.properties").write_text("old")
    file = tmp_path / "00000000000000000000.log"
    file.write_text("new")
    Content(file, {}, 1, 1).put(home)
    assert sorted(path.name for path in home.iterdir()) == sorted([file.name, *kept])
    assert (home / file.name).read_text() == "new"
    assert [path.name for path in home.parent.iterdir() if path.is_file()] == ["meta.properties"]


def beating(code, *, is_fenced=False):
    return lambda _: rpc.BrokerHeartbeatResponse(error_code=code, is_fenced=is_fenced)


@contextlib.asynccontextmanager
async def kept(*answers):
    """Heartbeats of three brokers to controllers that answer like this."""
    async with contextlib.AsyncExitStack() as stack:
        systems = [
            await stack.enter_async_context(Scripted({rpc.BrokerHeartbeatRequest: answer})) for answer in answers
        ]
        keeper = Heartbeats([one.addresses["one"] for one in systems], dict.fromkeys(range(FIRST_ID, FIRST_ID + 3), 7))
        keeping = asyncio.ensure_future(keeper.keep())
        yield keeper, systems
        keeping.cancel()


async def test_heartbeats_go_to_the_active_controller(monkeypatch):
    """One that is not active gets a single one each time; the active one gets all, and again."""
    monkeypatch.setattr(large, "HEARTBEAT_INTERVAL_S", 0.01)
    monkeypatch.setattr(large, "RECONNECT_S", 0.0)
    async with kept(beating(ErrorCode.NOT_CONTROLLER), beating(0)) as (keeper, (first, second)):

        async def are_sent():
            return len(second.of(rpc.BrokerHeartbeatRequest)) > 20

        await eventually(are_sent, "heartbeats", 10.0)
        assert len(first.of(rpc.BrokerHeartbeatRequest)) == 1
        assert {one.broker_id for one in second.of(rpc.BrokerHeartbeatRequest)} == {1_000, 1_001, 1_002}
        assert {one.broker_epoch for one in second.of(rpc.BrokerHeartbeatRequest)} == {7}
        keeper.check()


@pytest.mark.parametrize(
    ("answer", "text"),
    [(beating(ErrorCode.STALE_BROKER_EPOCH), "was rejected: error 77"), (beating(0, is_fenced=True), "was fenced")],
)
async def test_a_broker_that_is_rejected_or_fenced_ends_the_measurement(monkeypatch, answer, text):
    """What would be measured is another state."""
    monkeypatch.setattr(large, "RECONNECT_S", 0.01)
    async with kept(answer) as (keeper, _):

        async def has_failed():
            return bool(keeper.failure)

        await eventually(has_failed, "a failure", 10.0)
        with pytest.raises(RuntimeError, match=text):
            keeper.check()


class Loaded(Scripted):
    """A system of one node, which has loaded everything as soon as it has started, up to ``end``."""

    heap = ""

    def __init__(self, home, end):
        configured = rpc.IncrementalAlterConfigsResponse()
        super().__init__(
            {
                rpc.BrokerHeartbeatRequest: beating(0),
                rpc.IncrementalAlterConfigsRequest: lambda _: configured,
                rpc.ApiVersionsRequest: lambda _: rpc.ApiVersionsResponse(),
            }
        )
        self.home = home
        self.end = end
        self.pids = {"one": 0}
        self.done = []

    def metadata_directory(self, _):
        return self.home

    async def stop_node(self, name, *, kill):
        self.done.append(("kill" if kill else "stop", name))

    async def start_node(self, name):
        self.done.append(("start", name, sorted(path.suffix for path in self.home.iterdir())))

    async def mark(self):
        return self.end

    async def loaded(self, _):
        return self.end

    async def positions(self):
        return {"one": self.end}

    def phases(self, killed, killed_at):
        return {}

    @contextlib.asynccontextmanager
    async def prober(self, form):
        assert form == "kafka"

        async def first_write():
            return time.time()

        yield SimpleNamespace(first_write=first_write)


async def test_each_file_is_loaded_and_survives_the_kills(monkeypatch, tmp_path):
    """The nodes are stopped, given the file and started; then the leader is killed and started again."""
    monkeypatch.setattr("bench.failover.SETTLE_S", 0.0)
    (tmp_path / "home").mkdir()
    files = LargeFiles(tmp_path, 50, 400)
    async with Loaded(tmp_path / "home", SNAPSHOT_END) as system:
        rows = await measure_large(system, 1, files, 2, lambda _: None)
    assert [row.work for row in rows] == ["snapshot of 50 partitions", "log of 400 mixed records"]
    again = [("kill", "one"), ("start", "one", [".checkpoint"])]
    assert system.done[:6] == [("stop", "one"), ("start", "one", [".checkpoint"]), *again, *again]
    assert system.done[6:8] == [("stop", "one"), ("start", "one", [".log"])]
    for row in rows:
        assert len(row.samples["total ms"]) == 2
        assert 0 <= row.figures["first write s"] <= row.figures["state s"]


async def test_nodes_that_have_not_loaded_the_file_fail(tmp_path):
    """A system that throws the file away is faster, and measures nothing."""
    (tmp_path / "home").mkdir()
    async with Loaded(tmp_path / "home", SNAPSHOT_END - 1) as system:
        (row,) = await measure_large(system, 1, LargeFiles(tmp_path, 50, 0), 2, lambda _: None)
    assert row.work == "failed"
    assert "before the end of 00000000000010000000-0000000001.checkpoint" in row.notes[0]
