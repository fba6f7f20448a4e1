"""The driver obeys Ready in its order; nothing passes the fsync line early. Source: kraftpy.raft.ready, DESIGN D5."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.model.errors import ErrorCode, StorageError, SyncFailedError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.raft.messages import FetchResponse, FetchSnapshotResponse
from kraftpy.raft.ready import (
    AbortDownload,
    DownloadChunk,
    Failure,
    FinishDownload,
    LogRead,
    RequestAbandoned,
    RequestFailed,
    RequestReceived,
    SnapshotRead,
    StartDownload,
    Truncated,
)
from kraftpy.runtime import inbox as inbox_module
from kraftpy.runtime.driver import READY_CYCLES_MAX, RECOVERY_POINT_INTERVAL_MS
from kraftpy.runtime.syncer import QUICK_SYNCS_TO_RETURN, SLOW_SYNC_MS, Syncer
from tests.unit.runtime.parts import ELECTION, Bench, ManualClock, opened, ready, reply, send, snapshot_bytes

LEADER = LeaderAndEpoch(2, 3)
EVENT = Truncated(9, 7)
FULL = {
    "truncate_to": 7,
    "election_state": ELECTION,
    "epoch_start": OffsetAndEpoch(epoch=3, offset=7),
    "append": (b"batch", b"batch"),
    "early": (send(1),),
    "messages": (send(2), reply(3)),
    "events": (EVENT,),
}
BEFORE_THE_LINE = [("truncate", 7), ("election", ELECTION, 0), ("epoch", 3, 7), ("append", 2), ("send", 1)]
BEHIND_THE_LINE = [("send", 2), ("reply", 3, None), "advance", ("event", EVENT)]


def test_ready_is_carried_out_in_its_order():
    """Cut, vote, epoch, append, early messages, fsync, messages, advance, events: in this order and no other."""
    assert Bench().turn(ready(**FULL)) == [*BEFORE_THE_LINE, "fsync", *BEHIND_THE_LINE]


async def test_nothing_behind_the_line_leaves_before_the_flush():
    """While a threaded flush is out, no message, advance or event of its Ready happens, and no other Ready begins."""
    bench = Bench(inline=False)
    assert bench.turn(ready(**FULL), ready(messages=(send(9),))) == BEFORE_THE_LINE
    assert bench.turn() == [], "turns go on, but the Ready waits"
    bench.syncer.complete()
    assert bench.turn() == ["fsync", *BEHIND_THE_LINE, ("send", 9), "advance"]


async def test_what_comes_in_during_a_flush_is_stepped_at_once():
    """A slow disk does not keep peers from being heard: their words reach the replica while a flush is out."""
    bench = Bench(inline=False)
    bench.turn(ready(append=(b"batch",)))
    bench.driver.deliver(RequestAbandoned(5))
    assert bench.turn() == [("step", RequestAbandoned(5))]


def test_a_ready_without_appends_needs_no_flush():
    """A Ready that appends nothing is not flushed: its messages leave in the same turn."""
    assert Bench(inline=False).turn(ready(messages=(send(1),))) == [("send", 1), "advance"]


def test_a_failed_flush_stops_everything_behind_the_line():
    """After a failed fsync nothing of its Ready is sent, and the replica never counts its copy."""
    bench = Bench()
    bench.log.on_sync = failing
    with pytest.raises(SyncFailedError):
        bench.turn(ready(**FULL))
    assert bench.journal == BEFORE_THE_LINE


def failing():
    raise SyncFailedError("the disk is gone")


async def test_a_failed_threaded_flush_ends_run():
    """A threaded flush that fails ends run() with its error, and nothing is sent after it."""
    bench = Bench(inline=False)
    bench.log.on_sync = failing
    bench.replica.readies.append(ready(**FULL))
    bench.replica.deadline_ms = None
    running = asyncio.create_task(bench.driver.run())
    await until(lambda: bench.syncer.flush is not None)
    bench.syncer.complete()
    with pytest.raises(SyncFailedError):
        await running
    assert bench.journal == BEFORE_THE_LINE
    assert bench.syncer.closed


async def test_a_flush_that_fails_while_the_node_stops_is_reported():
    """A stop in good order waits for the flush that is out, and fails when the flush does."""
    bench = Bench(inline=False)
    bench.log.on_sync = failing
    bench.replica.readies.append(ready(append=(b"batch",), messages=(send(1),)))
    running = asyncio.create_task(bench.driver.run())
    await until(lambda: bench.syncer.flush is not None)
    bench.driver.stop()
    await asyncio.sleep(0)
    bench.syncer.complete()
    with pytest.raises(SyncFailedError):
        await running
    assert ("send", 1) not in bench.journal


async def test_close_says_what_fails_only_then():
    """A disk that fails for the first time at the close is reported; one that failed before is not reported twice."""
    for failed_before in (False, True):
        bench = Bench()

        def refuse():
            raise StorageError("cannot close")

        bench.closing = refuse
        if failed_before:
            bench.log.on_sync = failing
            bench.replica.readies.append(ready(append=(b"batch",)))
            with pytest.raises(SyncFailedError):
                await bench.driver.run()
            bench.driver.close()
        else:
            bench.driver.stop()
            await bench.driver.run()
            with pytest.raises(StorageError, match="cannot close"):
                bench.driver.close()


async def test_an_invariant_ends_run():
    """A violated invariant in an item of the inbox ends run(): no except clause in between swallows it."""
    bench = Bench()

    def violate(_now_ms):
        raise InvariantViolation("a bug")

    bench.driver.inbox.put_nowait(violate)
    with pytest.raises(InvariantViolation):
        await bench.driver.run()


async def until(condition):
    """Let the loop turn until something holds."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - a condition of plain values
            await asyncio.sleep(0)


def test_a_turn_lets_others_have_theirs():
    """One turn carries out a bounded number of Readys; the rest makes the next turn due at once."""
    bench = Bench()
    done = bench.turn(*(ready(messages=(send(n),)) for n in range(READY_CYCLES_MAX + 1)))
    assert done.count("advance") == READY_CYCLES_MAX
    assert bench.driver.wait_ms() == 0
    assert bench.turn() == [("send", READY_CYCLES_MAX), "advance"]


def test_the_next_deadline_is_the_earliest():
    """The driver sleeps until the first deadline, not at all with a backlog, and for ever when nothing is due."""
    bench = Bench()
    assert bench.driver.wait_ms() is None
    bench.replica.deadline_ms = bench.clock.now_ms() + 40
    assert bench.driver.wait_ms() == 40
    bench.clock.value += 100
    assert bench.driver.wait_ms() == 0
    bench.replica.deadline_ms = None
    bench.driver.application.backlog = True
    assert bench.driver.wait_ms() == 0


# The way in.


def test_deliver_never_raises(monkeypatch):
    """A full inbox drops a peer's request, but takes the fate of every request of our own: callbacks must not raise."""
    monkeypatch.setattr(inbox_module, "INBOX_ITEMS_MAX", 2)
    bench = Bench()
    fates = [RequestFailed(1, Failure.TIMED_OUT), RequestFailed(2, Failure.TIMED_OUT), RequestAbandoned(3)]
    for fate in fates:
        bench.driver.deliver(fate)
    bench.driver.deliver(RequestReceived(4, None))
    assert bench.turn() == [("step", fate) for fate in fates]
    bench.driver.deliver(RequestReceived(5, None))
    assert bench.turn() == [("step", RequestReceived(5, None))], "with room again, requests are taken again"


# What answers are filled with.


def test_a_fetch_answer_carries_the_log():
    """A Fetch answer is filled with the bytes that its LogRead names, and keeps everything else it says."""
    bench = Bench()
    response = FetchResponse(leader=LEADER, high_watermark=5, log_start_offset=2)
    done = bench.turn(ready(early=(reply(1, response, LogRead(3, 8, 100)),)))
    assert done[0] == ("read", 3, 100, 8)
    _, _, filled = done[1]
    assert filled.records == b"records"
    assert (filled.high_watermark, filled.log_start_offset) == (5, 2)


@pytest.mark.parametrize(
    ("snapshot_id", "position", "error"),
    [
        (OffsetAndEpoch(1, 5), 0, ErrorCode.NONE),
        (OffsetAndEpoch(1, 6), 0, ErrorCode.SNAPSHOT_NOT_FOUND),
        (OffsetAndEpoch(1, 5), 10**9, ErrorCode.POSITION_OUT_OF_RANGE),
        (OffsetAndEpoch(1, 5), -1, ErrorCode.POSITION_OUT_OF_RANGE),
    ],
)
def test_a_snapshot_answer_carries_the_file(snapshot_id, position, error):
    """FetchSnapshot serves bytes of a snapshot that is there, at a position inside it, or says what is wrong."""
    directory = opened()
    content = snapshot_bytes(OffsetAndEpoch(1, 5))
    writer = directory.snapshots.create(OffsetAndEpoch(1, 5))
    writer.append(content)
    writer.freeze()
    bench = Bench(snapshots=directory.snapshots)
    asked = reply(1, FetchSnapshotResponse(leader=LEADER), SnapshotRead(snapshot_id, position, 10))
    (_, _, response), _ = bench.turn(ready(early=(asked,)))
    assert response.partition_error is error
    assert response.snapshot_id == snapshot_id
    assert response.data == (content[:10] if error is ErrorCode.NONE else b"")
    assert response.size == (0 if error is ErrorCode.SNAPSHOT_NOT_FOUND else len(content))


def test_the_end_of_a_snapshot_is_out_of_range():
    """A position at the very end of a snapshot has no bytes to serve."""
    directory = opened()
    content = snapshot_bytes(OffsetAndEpoch(1, 5))
    writer = directory.snapshots.create(OffsetAndEpoch(1, 5))
    writer.append(content)
    writer.freeze()
    bench = Bench(snapshots=directory.snapshots)
    asked = reply(1, FetchSnapshotResponse(leader=LEADER), SnapshotRead(OffsetAndEpoch(1, 5), len(content), 10))
    (_, _, response), _ = bench.turn(ready(early=(asked,)))
    assert response.partition_error is ErrorCode.POSITION_OUT_OF_RANGE


# Snapshots that come in.

SNAPSHOT = OffsetAndEpoch(epoch=2, offset=8)


def download(bench, *pieces, finish=True):
    bench.turn(ready(downloads=(StartDownload(SNAPSHOT),)))
    for piece in pieces:
        bench.turn(ready(downloads=(DownloadChunk(SNAPSHOT, piece),)))
    return bench.turn(ready(downloads=(FinishDownload(SNAPSHOT),))) if finish else None


def test_a_verified_download_replaces_the_log():
    """A downloaded snapshot is frozen, then the log restarts at its end, then the replica is told."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    content = snapshot_bytes(SNAPSHOT)
    done = download(bench, content[:100], content[100:])
    assert done == [("reset", SNAPSHOT), ("installed", SNAPSHOT), "advance"]
    assert directory.snapshots.ids == (SNAPSHOT,)


def test_a_download_is_not_seen_before_its_end():
    """A partial download is no snapshot, whatever it holds."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    download(bench, snapshot_bytes(SNAPSHOT), finish=False)
    assert directory.snapshots.ids == ()


def test_a_damaged_download_is_dropped():
    """A download that does not verify leaves no file, the log stays, and the replica hears why."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    content = bytearray(snapshot_bytes(SNAPSHOT))
    content[-1] ^= 1
    done = download(bench, bytes(content))
    assert done[0][:2] == ("rejected", SNAPSHOT)
    assert "damaged" in done[0][2]
    assert done[1:] == ["advance"]
    assert directory.snapshots.ids == ()
    assert directory.snapshots.load() == [], "the partial file is gone"


def test_an_aborted_download_leaves_nothing():
    """An aborted download, and one that another replaces, leave no file; the new one starts from its first byte."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    download(bench, b"rubbish", finish=False)
    bench.turn(ready(downloads=(AbortDownload(SNAPSHOT),)))
    assert directory.snapshots.load() == []
    download(bench, b"rubbish", finish=False)
    assert ("installed", SNAPSHOT) in download(bench, snapshot_bytes(SNAPSHOT))


def test_a_chunk_without_a_download_is_a_bug():
    """A chunk that belongs to no open download stops the node."""
    with pytest.raises(InvariantViolation):
        Bench(snapshots=opened().snapshots).turn(ready(downloads=(DownloadChunk(SNAPSHOT, b"x"),)))


# The recovery point.


def test_the_recovery_point_follows_what_is_committed_and_flushed():
    """The recovery point is the smaller of the high watermark and what is flushed, noted once in an interval."""
    bench = Bench()
    assert bench.turn() == []
    bench.replica.high_watermark, bench.log.flushed_offset = 9, 7
    assert bench.turn() == [("durable", 7)]
    bench.log.flushed_offset = 12
    assert bench.turn() == []
    bench.clock.value += RECOVERY_POINT_INTERVAL_MS
    assert bench.turn() == [("durable", 9)]


async def test_no_recovery_point_while_a_flush_is_out():
    """While a flush is out nothing else is written on the loop."""
    bench = Bench(inline=False)
    bench.replica.high_watermark = 3
    assert bench.turn(ready(append=(b"batch",))) == [("append", 1)]


async def test_a_stop_in_good_order_notes_the_recovery_point():
    """At the end of run() everything committed and flushed is noted, whenever it was noted last."""
    bench = Bench()
    bench.replica.high_watermark = bench.log.flushed_offset = 5
    bench.driver.stop()
    await bench.driver.run()
    assert bench.journal == [("durable", 5)]


# Where an fsync happens.


class PacedSync:
    """A sync that takes as long as the test says, by a clock that only it moves."""

    def __init__(self, monkeypatch):
        self.seconds = 0.0
        self.took_ms = 0.0
        self.calls = 0
        monkeypatch.setattr("kraftpy.runtime.syncer.time.perf_counter", lambda: self.seconds)

    def __call__(self):
        self.calls += 1
        self.seconds += self.took_ms / 1_000


async def test_a_slow_disk_moves_to_a_thread_and_back(monkeypatch):
    """One slow flush moves the next ones to a thread; only so many quick ones in a row bring them back."""
    sync = PacedSync(monkeypatch)
    syncer = Syncer(sync)
    sync.took_ms = SLOW_SYNC_MS - 1
    syncer.run_inline()
    assert syncer.inline
    sync.took_ms = SLOW_SYNC_MS + 1
    syncer.run_inline()
    assert not syncer.inline
    sync.took_ms = 1
    for quick_in_a_row in (QUICK_SYNCS_TO_RETURN - 1, QUICK_SYNCS_TO_RETURN):
        for _ in range(quick_in_a_row):
            assert not syncer.inline
            await syncer.start()
            syncer.finished()
        if quick_in_a_row < QUICK_SYNCS_TO_RETURN:
            sync.took_ms = SLOW_SYNC_MS + 1
            await syncer.start()
            syncer.finished()
            sync.took_ms = 1
    assert syncer.inline
    syncer.run_inline()
    syncer.close()


async def test_the_thread_carries_the_error(monkeypatch):
    """A flush that fails in the thread fails its future with the same error."""
    sync = PacedSync(monkeypatch)
    syncer = Syncer(lambda: sync() if sync.calls == 0 else failing())
    sync.took_ms = SLOW_SYNC_MS
    syncer.run_inline()
    with pytest.raises(SyncFailedError):
        await syncer.start()
    syncer.close()


async def test_the_driver_follows_a_real_syncer_into_the_thread(monkeypatch):
    """After a slow flush the driver goes on with the real thread, and its Readys still complete in order."""
    bench = Bench()
    sync = PacedSync(monkeypatch)
    bench.driver._syncer = Syncer(lambda: (sync(), bench.journal.append("fsync")))
    sync.took_ms = SLOW_SYNC_MS
    assert bench.turn(ready(append=(b"b",), messages=(send(1),)))[-2:] == [("send", 1), "advance"]
    assert bench.turn(ready(append=(b"b",), messages=(send(2),)))[0] == ("append", 1)
    await bench.driver._flush
    bench.driver.turn(ManualClock().now_ms())
    assert bench.journal[-2:] == [("send", 2), "advance"]
    bench.driver._syncer.close()
