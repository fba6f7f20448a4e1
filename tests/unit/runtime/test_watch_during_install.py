"""A watcher of a follower whose log a snapshot replaces on a slow disk: it waits, and never goes back."""

from __future__ import annotations

import asyncio
import random

import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.pb.v1 import cluster_pb2 as pb
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
)
from kraftpy.raft.ready import RequestReceived, ResponseReceived, Send
from kraftpy.records.metadata import ConfigRecord, encode_for_level
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.snapshotter import QuorumAt
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.transport.grpc.services.conversions import WatchWork
from kraftpy.transport.grpc.services.watch import Limits, follow_log
from kraftpy.transport.node_api import OffsetGone
from tests.unit.runtime.parts import LoneController, snapshot_bytes, written
from tests.unit.storage.logs import ROOT, T0, TINY, batch, disk

OLD = OffsetAndEpoch(epoch=1, offset=15)
NEW = OffsetAndEpoch(epoch=1, offset=65)
LEADER = LeaderAndEpoch(2, 1)
LOG_END = 35
CONFIG = encode_for_level(ConfigRecord(4, "", "log.cleaner.threads", "1"), 40)


class Follower:
    """Node 1 of three, whose log is [15, 35) on snapshot 15, and which the test answers as its leader, node 2."""

    def __init__(self):
        fs = disk()
        directory = MetadataDirectory.open(fs, ROOT, TINY, random.Random(1).randbytes)
        for offset in range(LOG_END):
            directory.log.append([batch(offset, values=(CONFIG,))], T0)
        directory.log.sync()
        written(directory, OLD).freeze()
        directory.close()
        self.node = LoneController(fs=fs, voters=(1, 2, 3), compares_state=True)
        self.sent = []
        self.node.peers.send = self.sent.append
        self.backend = NodeBackend(
            driver=self.node.driver,
            state_machine=self.node.state_machine,
            controller=None,
            reads=self.node.reads,
            quorum_at=lambda _: QuorumAt(None, 0),
            supported_features=(),
        )
        self.node.state_machine.install([self.backend])
        self.follow()

    @property
    def log(self):
        return self.node.directory.log

    def follow(self):
        endpoints = (Endpoint("CONTROLLER", "h", 9002),)
        begin = BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=2, epoch=1, leader_endpoints=endpoints)
        self.node.driver.deliver(RequestReceived(1, begin))
        self.node.settle()
        self.answer(FetchRequest, FetchResponse(leader=LEADER, high_watermark=LOG_END, log_start_offset=OLD.offset))
        self.node.settle()
        assert self.node.replica.high_watermark == LOG_END
        self.log.advance_start(OLD.offset)
        self.node.replica.log_start_advanced(OLD.offset, (OLD,))

    def answer(self, kind, response):
        send = self.sent[-1]
        assert isinstance(send, Send)
        assert isinstance(send.request, kind), send
        self.node.driver.deliver(ResponseReceived(send.correlation, response))
        self.node.turn()

    def begin_install(self):
        """Let the disk be slow from now on, and go on until the log is being replaced by snapshot 65."""
        data = snapshot_bytes(NEW, [[CONFIG]])
        self.node.lane.slow = True
        self.answer(FetchRequest, FetchResponse(leader=LEADER, high_watermark=70, snapshot_id=NEW))
        self.finish(lambda: isinstance(self.sent[-1].request, FetchSnapshotRequest))
        chunk = FetchSnapshotResponse(leader=LEADER, snapshot_id=NEW, size=len(data), position=0, data=data)
        self.answer(FetchSnapshotRequest, chunk)
        self.finish(lambda: self.log.start_offset == NEW.offset)

    def finish(self, condition):
        """Let the thread do its jobs until something holds."""
        for _ in range(100):
            if condition():
                return
            if not self.node.lane.idle:
                self.node.lane.complete()
            self.node.turn()
        raise AssertionError("it never comes to that")

    def end_install(self):
        self.finish(lambda: self.node.replica.high_watermark == NEW.offset and self.node.driver.wait_ms() != 0)


class Watch:
    """A client that takes everything at once, up to a number of messages that no right watch reaches."""

    def __init__(self, backend, from_offset):
        self.messages = []
        request = pb.WatchRequest(from_offset=from_offset)
        limits = Limits(4 * 1024 * 1024)
        self.task = asyncio.create_task(follow_log(backend, request, self._take, limits, WatchWork()))

    async def _take(self, message):
        self.messages.append(message if isinstance(message, pb.WatchResponse) else pb.WatchResponse.FromString(message))
        assert len(self.messages) < 50, [str(one)[:40] for one in self.messages[:9]]
        await asyncio.sleep(0)

    async def rest(self):
        """Let the watch go on for as long as it can without anybody else, and return where its snapshots ended."""
        for _ in range(200):
            if self.task.done():
                self.task.result()
            await asyncio.sleep(0)
        return [one.snapshot_begin.end_offset for one in self.messages if one.HasField("snapshot_begin")]


async def test_a_watcher_waits_while_a_snapshot_replaces_the_log():
    """It gets nothing while the disk works, and then the new snapshot, once; never the one that it is past already."""
    follower = Follower()
    watch = Watch(follower.backend, 20)
    await watch.rest()
    watch.messages.clear()
    late = Watch(follower.backend, LOG_END)
    follower.begin_install()
    during = Watch(follower.backend, 20)
    for each in (watch, late, during):
        assert await each.rest() == [], "the snapshot it knows of ends below what the watcher has"
    follower.end_install()
    for each in (watch, late, during):
        assert await each.rest() == [NEW.offset]
        assert not each.task.done()
        each.task.cancel()


def test_a_follower_knows_how_far_it_is_behind():
    """What its leader calls committed counts before its log has it; a backlog is as old as the last moment without."""
    follower = Follower()
    node, application = follower.node, follower.node.driver.application
    assert (node.replica.committed_elsewhere, application.lag_ms(node.clock.value + 99)) == (LOG_END, 0)
    follower.answer(FetchRequest, FetchResponse(leader=LEADER, high_watermark=LOG_END + 70))
    assert (node.replica.committed_elsewhere, node.replica.high_watermark) == (LOG_END + 70, LOG_END)
    node.clock.value += 5
    node.state_machine._snapshot_due = NEW
    assert application.lag_ms(node.clock.value + 99) == 104
    node.state_machine._snapshot_due = None
    assert application.lag_ms(node.clock.value + 99) == 0


async def test_a_watcher_that_waits_for_the_disk_can_go_away():
    """Its wait ends with it and leaves nothing behind; the node's end lets it go too."""
    follower = Follower()
    follower.begin_install()
    first, second = Watch(follower.backend, 20), Watch(follower.backend, 21)
    await first.rest()
    assert len(follower.backend._commit_waiters) == 2
    first.task.cancel()
    await asyncio.wait([first.task])
    assert len(follower.backend._commit_waiters) == 1
    follower.backend.close()
    await asyncio.wait([second.task])
    assert second.task.cancelled()
    assert len(follower.backend._commit_waiters) == 0


async def test_no_snapshot_is_given_that_ends_where_the_watcher_is():
    """What ends at or below the asked offset is never given: the published state is, if it is further; else nothing."""
    follower = Follower()
    assert (await follower.backend.open_snapshot(OLD.offset - 1)).snapshot_id == OLD
    assert (await follower.backend.open_snapshot(OLD.offset)).snapshot_id.offset == LOG_END
    with pytest.raises(ApiError, match="nothing that ends after offset 35") as caught:
        await follower.backend.open_snapshot(LOG_END)
    assert caught.value.code is ErrorCode.BROKER_NOT_AVAILABLE
    assert isinstance(await follower.backend.read_committed(OLD.offset - 1, 100), OffsetGone)
