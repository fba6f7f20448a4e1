"""The driver obeys Ready in its order; nothing passes the fsync line early. Source: kraftpy.raft.ready, DESIGN D5."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode, StorageError, SyncFailedError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.log_rate_limiter import REPEAT_MS
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
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
    Role,
    SnapshotRead,
    StartDownload,
    Truncated,
)
from kraftpy.runtime import driver as driver_module
from kraftpy.runtime import inbox as inbox_module
from kraftpy.runtime.driver import READY_CYCLES_MAX, RECOVERY_POINT_INTERVAL_MS, RECOVERY_POINT_SHARE
from kraftpy.runtime.inbox import Inbox
from tests.fakes.raft_cluster import voter_set
from tests.unit.runtime.parts import ELECTION, Bench, RecordingPeers, opened, ready, reply, send, snapshot_bytes
from tests.unit.storage.logs import T0

REMOVED = ReplicaStatus(removed=bytes([1]) * 16)
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


def test_what_need_not_wait_for_the_disk_is_on_the_wire_before_it_works():
    """Followers get a batch only after this disk has it, so that the two wait one after the other."""
    bench = Bench()
    done = bench.turn(ready(**FULL))
    early, fsync = done.index(("send", 1)), done.index("fsync")
    assert any(early < flushed <= fsync for flushed in bench.peers.flushed_at)


def test_a_turn_ends_with_everything_on_the_wire():
    """An answer stays behind until the loop has turned once more."""
    bench = Bench()
    done = bench.turn(ready(messages=(send(1),)), ready(messages=(reply(2),)))
    assert bench.peers.flushed_at[-1] > max(done.index(("send", 1)), done.index(("reply", 2, None)))


def test_what_was_sent_is_on_the_wire_before_what_is_committed_is_loaded():
    """A leader waits for a follower's fetch, and nothing waits for the loading; its messages leave with the turn."""
    bench = Bench()
    before = []

    def on_commit(now_ms):
        before.append((bench.journal.index(("send", 1)), bench.peers.flushed_at[-1]))
        bench.peers.reply(7, None)

    bench.driver.application.on_commit = on_commit
    done = bench.turn(ready(append=(b"batch",), messages=(send(1),)))
    ((sent, flushed),) = before
    assert done.index("fsync") < sent < flushed
    assert bench.peers.flushed_at[-1] > done.index(("reply", 7, None))


def test_requests_go_to_the_network_and_responses_to_the_listener():
    """Both write to their sockets at the end of a turn; a node without a listener has nothing to answer."""
    bench = Bench()
    network, listener = RecordingPeers(), RecordingPeers()
    bench.driver.attach(network, listener)
    bench.turn(ready(messages=(send(1), reply(2))))
    assert (network.journal, listener.journal) == ([("send", 1)], [("reply", 2, None)])
    assert (network.flushed_at[-1], listener.flushed_at[-1]) == (1, 1)
    bench.driver.attach(network)
    bench.turn(ready(messages=(send(3), reply(4))))
    assert (network.journal, listener.journal) == ([("send", 1), ("send", 3)], [("reply", 2, None)])


STEPS = [
    [("truncate", 7)],
    [("election", ELECTION, 0)],
    [("epoch", 3, 7), ("stage", 2), ("send", 1)],
    ["fsync", *BEHIND_THE_LINE],
]


async def test_a_slow_disk_keeps_the_same_order():
    """On a slow disk each step of a Ready waits for the one before it, and what follows the fsync line for all."""
    bench = Bench(slow=True)
    assert bench.turn(ready(**FULL)) == []
    for step in STEPS:
        assert bench.turn() == [], "turns go on, but the Ready waits"
        bench.lane.complete()
        assert bench.turn() == step


async def test_a_vote_never_leaves_before_it_is_stored():
    """A granted vote is answered when quorum-state is durable; nothing that comes later overtakes it."""
    bench = Bench(slow=True)
    assert bench.turn(ready(election_state=ELECTION, messages=(reply(3),))) == []
    assert bench.turn(ready(early=(reply(4),), messages=(send(5),))) == []
    bench.lane.complete()
    assert bench.turn() == [
        ("election", ELECTION, 0),
        ("reply", 3, None),
        "advance",
        ("reply", 4, None),
        ("send", 5),
        "advance",
    ]


@pytest.mark.parametrize(
    "heavy", [{"truncate_to": 7}, {"election_state": ELECTION}, {"epoch_start": OffsetAndEpoch(3, 1)}]
)
async def test_what_is_more_than_an_append_waits_for_the_flush_before_it(heavy):
    """A cut, a vote or an epoch never reaches the disk before what was appended before it is durable."""
    bench = Bench(slow=True)
    bench.turn(ready(append=(b"batch",)), ready(**heavy))
    assert len(bench.lane.handed_over) == 1
    bench.lane.complete()
    assert bench.turn() == ["fsync", "advance"]
    assert len(bench.lane.handed_over) == 2, "only now"
    bench.lane.complete()
    assert bench.turn()[1:] == ["advance"]


async def test_followers_are_served_during_a_flush():
    """What promises nothing about this disk leaves at once; what follows an fsync line waits for a flush of its own."""
    bench = Bench(slow=True)
    assert bench.turn(ready(append=(b"a",), early=(send(1),), messages=(send(2),))) == [("stage", 1), ("send", 1)]
    second = ready(append=(b"b", b"b"), early=(send(3),), messages=(send(4),))
    assert bench.turn(second, ready(early=(send(5),))) == [("stage", 2), ("send", 3), ("send", 5)]
    bench.lane.complete()
    assert bench.turn() == ["fsync", ("send", 2), "advance"]
    assert bench.turn(ready(messages=(send(6),))) == [], "it may rest on what is not flushed yet"
    bench.lane.complete()
    assert bench.turn() == ["fsync", ("send", 4), "advance", "advance", ("send", 6), "advance"]


async def test_one_flush_covers_all_that_came_during_the_one_before():
    """Group commit on a slow disk: however many Readys wait, the next flush is one."""
    bench = Bench(slow=True)
    for _ in range(5):
        bench.turn(ready(append=(b"batch",)))
    for covered in (1, 4):
        bench.lane.complete()
        assert bench.turn() == ["fsync"] + ["advance"] * covered
    assert len(bench.lane.handed_over) == 2


async def test_so_many_wait_for_a_flush_and_no_more(monkeypatch):
    """A disk that is stuck does not gather Readys without end: the next one waits to begin."""
    monkeypatch.setattr(driver_module, "READIES_WAITING_MAX", 3)
    bench = Bench(slow=True)
    assert bench.turn(*(ready(append=(b"batch",)) for _ in range(4))) == [("stage", 1)] * 3
    assert bench.driver.wait_ms() is None, "nothing can be done before the flush is"
    bench.lane.complete()
    assert bench.turn() == ["fsync", "advance", ("stage", 1)]


async def test_what_comes_in_during_a_flush_is_stepped_at_once():
    """A slow disk does not keep peers from being heard: their words reach the replica while a flush is out."""
    bench = Bench(slow=True)
    bench.turn(ready(append=(b"batch",)))
    bench.driver.deliver(RequestAbandoned(5))
    assert bench.turn() == [("step", RequestAbandoned(5))]


def test_a_ready_without_appends_needs_no_flush():
    """A Ready that appends nothing is not flushed: its messages leave in the same turn."""
    assert Bench(slow=True).turn(ready(messages=(send(1),))) == [("send", 1), "advance"]


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
    bench = Bench(slow=True)
    bench.log.on_sync = failing
    bench.replica.readies += [ready(append=(b"batch",), messages=(send(1),)), ready(messages=(send(2),))]
    running = asyncio.create_task(bench.driver.run())
    await until(lambda: bench.lane.handed_over)
    bench.lane.complete()
    with pytest.raises(SyncFailedError):
        await running
    assert bench.journal == [("stage", 1)]
    assert bench.lane.closed


async def test_a_vote_that_cannot_be_stored_ends_run():
    """A quorum-state that cannot be written in the thread ends run() like a failed flush, and no vote leaves."""
    bench = Bench(slow=True)
    bench.directory.quorum_state.write = lambda *_, **__: failing()
    bench.replica.readies.append(ready(election_state=ELECTION, messages=(reply(3),)))
    running = asyncio.create_task(bench.driver.run())
    await until(lambda: bench.lane.handed_over)
    bench.lane.complete()
    with pytest.raises(SyncFailedError):
        await running
    assert bench.journal == []


async def test_a_flush_that_fails_while_the_node_stops_is_reported():
    """A clean stop waits for the flush that is out, and fails when the flush does."""
    bench = Bench(slow=True)
    bench.log.on_sync = failing
    bench.replica.readies.append(ready(append=(b"batch",), messages=(send(1),)))
    running = asyncio.create_task(bench.driver.run())
    await until(lambda: bench.lane.handed_over)
    bench.driver.stop()
    await asyncio.sleep(0)
    bench.lane.complete()
    with pytest.raises(SyncFailedError):
        await running
    assert ("send", 1) not in bench.journal


async def test_a_stop_ends_what_the_disk_has_begun():
    """A stop waits for the job that is out and sends nothing more; what was to come behind it is not begun."""
    bench = Bench(slow=True)
    bench.replica.readies += [ready(append=(b"batch",), messages=(send(1),)), ready(truncate_to=7)]
    running = asyncio.create_task(bench.driver.run())
    await until(lambda: bench.lane.handed_over)
    bench.driver.stop()
    await asyncio.sleep(0)
    assert not running.done()
    bench.lane.complete()
    await running
    assert bench.journal == [("stage", 1), "fsync"]


async def test_close_states_what_fails_only_then():
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


class WaitingInbox(Inbox):
    """Each wait takes some ms of the clock; the last one stops the driver."""

    def __init__(self, bench, waits_ms):
        super().__init__()
        self.bench = bench
        self.waits_ms = waits_ms

    async def wait(self, timeout_ms):
        self.bench.clock.value += self.waits_ms.pop(0)
        if not self.waits_ms:
            self.bench.driver.stop()


async def test_the_time_that_nothing_is_to_be_done_is_counted():
    """What a turn takes is no idle time: the waits for something to come are."""
    bench = Bench()
    bench.driver.inbox = WaitingInbox(bench, [30, 0, 12])

    def work(_now_ms):
        bench.clock.value += 100

    bench.driver.inbox.put_unbounded(work)
    await bench.driver.run()
    assert (bench.driver.idle_ms, bench.clock.now_ms()) == (42, T0 + 142)


@pytest.mark.parametrize("slow", [False, True])
def test_records_are_counted_by_who_wrote_them_first(slow):
    """A follower fetches what the leader appends; a slow disk counts what is staged, and nothing twice."""
    bench = Bench(slow=slow)
    bench.turn(ready(append=(b"batch", b"batch")), ready(messages=(send(1),)))
    assert (bench.driver.fetched_records, bench.driver.appended_records) == (2, 0)
    bench.replica.role = Role.LEADER
    bench.turn(ready(append=(b"batch",)))
    assert (bench.driver.fetched_records, bench.driver.appended_records) == (2, 1)


@pytest.mark.parametrize("slow", [False, True])
def test_what_the_leader_appends_is_measured_until_its_commit(slow):
    """Once for an append, when all of it is committed; also where the disk is slower than the followers'."""
    bench = Bench(slow=slow)
    bench.replica.role, times = Role.LEADER, bench.driver.append_times.durations
    bench.turn(ready(append=(b"batch", b"batch")))
    bench.clock.value += 30
    bench.replica.high_watermark = 1
    bench.turn()
    assert times.count == 0
    bench.clock.value += 10
    bench.replica.high_watermark = 2
    bench.turn()
    bench.turn()
    assert (times.count, times.sum_ms) == (1, 40)


def test_what_another_leader_commits_is_not_measured():
    """A follower appends what it fetches, and an append of a leader that lost its epoch may be cut."""
    bench = Bench()
    bench.replica.role = Role.LEADER
    bench.turn(ready(append=(b"batch",)))
    bench.replica.role = Role.FOLLOWER
    bench.turn(ready(append=(b"batch",)))
    bench.replica.high_watermark = 2
    bench.turn()
    assert bench.driver.append_times.durations.count == 0


@pytest.mark.parametrize("slow", [False, True])
async def test_each_flush_is_measured(slow):
    """As many durations as fsyncs, wherever they ran; what only speaks flushes nothing."""
    bench = Bench(slow=slow)
    done = bench.turn(ready(append=(b"batch",)), ready(messages=(send(1),)))
    if slow:
        assert bench.driver.flush_times.count == 0
        bench.lane.complete()
        done += bench.turn()
    assert bench.driver.flush_times.count == done.count("fsync") == 1


@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize(("high_watermark", "is_overtaken"), [(None, False), (0, False), (1, True)])
async def test_each_flush_is_reported_with_whether_it_came_too_late(slow, high_watermark, is_overtaken):
    """What it made durable may have been committed by the others before."""
    bench, reported = Bench(slow=slow), []
    bench.driver.on_flush = lambda took_ms, late: reported.append((took_ms == bench.lane.last_ms, late))
    bench.replica.high_watermark = high_watermark
    bench.turn(ready(append=(b"batch",)), ready(messages=(send(1),)))
    if slow:
        assert reported == []
        bench.lane.complete()
        bench.turn()
    assert reported == [(True, is_overtaken)]


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
    asked = [RequestReceived(token, None) for token in (4, 5)]
    for inbound in (*asked, RequestReceived(6, None), *fates):
        bench.driver.deliver(inbound)
    assert bench.turn() == [("step", each) for each in (*fates, *asked)]
    assert bench.driver.peer_requests.dropped == 1
    bench.driver.deliver(RequestReceived(7, None))
    assert bench.turn() == [("step", RequestReceived(7, None))], "with room again, requests are taken again"


def test_a_flood_of_dropped_requests_is_a_line_in_a_while(monkeypatch):
    """A flood of requests over the limit does not fill the disk with log lines; their number is logged."""
    monkeypatch.setattr(inbox_module, "INBOX_ITEMS_MAX", 1)
    bench = Bench()
    bench.driver.deliver(RequestReceived(0, None))
    with capture_logs() as lines:
        for token in range(1, 51):
            bench.driver.deliver(RequestReceived(token, None))
        bench.clock.value += REPEAT_MS
        bench.driver.deliver(RequestReceived(51, None))
    assert [(line["log_level"], line["dropped"]) for line in lines] == [("warning", 1), ("warning", 50)]


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


def test_a_fetch_response_whose_records_were_cleaned_meanwhile_has_none():
    """A response waits for the disk; cleaning may drop what it was to carry. The next fetch is given a snapshot."""
    bench = Bench()
    bench.log.start_offset = 4
    response = FetchResponse(leader=LEADER, high_watermark=5, log_start_offset=2)
    done = bench.turn(ready(early=(reply(1, response, LogRead(3, 8, 100)),)))
    assert not any(step[0] == "read" for step in done)
    _, _, filled = done[0]
    assert (filled.records, filled.high_watermark) == (b"", 5)


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
    """A downloaded snapshot is frozen, then the log restarts at its end, then the replica gets the result."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    content = snapshot_bytes(SNAPSHOT)
    done = download(bench, content[:100], content[100:])
    assert done == [("reset", SNAPSHOT), ("installed", SNAPSHOT), "advance"]
    assert directory.snapshots.ids == (SNAPSHOT,)


@pytest.mark.parametrize(
    ("before", "after", "noted"),
    [((1, 2), (2, 3), [("status", REMOVED)]), ((1, 2), (1, 2), []), ((2, 3), (2, 3), [])],
)
def test_a_download_that_takes_this_voter_out_is_noted_before_it_is_seen(before, after, noted):
    """Once it has replaced the log nothing else says that this replica was a voter."""
    bench = Bench(snapshots=opened().snapshots)
    bench.replica.voters = voter_set(before, directories=True)
    done = download(bench, snapshot_bytes(SNAPSHOT, voters=voter_set(after, directories=True)))
    assert done == [*noted, ("reset", SNAPSHOT), ("installed", SNAPSHOT), "advance"]


@pytest.mark.parametrize("status", [REMOVED, ReplicaStatus(), ReplicaStatus().as_duplicate("why")])
def test_a_status_is_stored_after_the_vote_and_before_any_record(status):
    """A removal is known before the record that removes; and nothing is appended by one that is not eligible yet."""
    bench = Bench()
    done = bench.turn(ready(replica_status=status, append=(b"batch",), election_state=ElectionState(3)))
    assert [one[0] for one in done[:3]] == ["election", "status", "append"]
    assert bench.status.value == status


def test_a_status_that_comes_with_a_snapshot_keeps_that_the_snapshot_removes_this_voter():
    """The replica learns of the removal by that snapshot, so the status beside it cannot state it yet."""
    bench = Bench(snapshots=opened().snapshots)
    bench.replica.voters = voter_set((1, 2), directories=True)
    data = snapshot_bytes(SNAPSHOT, voters=voter_set((2, 3), directories=True))
    downloads = (StartDownload(SNAPSHOT), DownloadChunk(SNAPSHOT, data), FinishDownload(SNAPSHOT))
    bench.turn(ready(downloads=downloads, replica_status=ReplicaStatus()))
    assert bench.status.value == REMOVED


def test_a_download_is_not_seen_before_its_end():
    """A partial download is no snapshot, whatever it holds."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    download(bench, snapshot_bytes(SNAPSHOT), finish=False)
    assert directory.snapshots.ids == ()


def test_a_corrupt_download_is_dropped():
    """A download that does not verify leaves no file, the log stays, and the replica hears why."""
    directory = opened()
    bench = Bench(snapshots=directory.snapshots)
    content = bytearray(snapshot_bytes(SNAPSHOT))
    content[-1] ^= 1
    done = download(bench, bytes(content))
    assert done[0][:2] == ("rejected", SNAPSHOT)
    assert "corrupt" in done[0][2]
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


async def test_a_slow_disk_notes_the_recovery_point_less_often():
    """Not while a flush is out, in the thread, and never more than a small part of the disk's time."""
    bench = Bench(slow=True)
    bench.replica.high_watermark = 3
    assert bench.turn(ready(append=(b"batch",))) == [("stage", 1)]
    bench.lane.complete()
    bench.lane.last_ms = 2_000.0
    assert bench.turn() == ["fsync", "advance"]
    bench.lane.complete()
    assert bench.turn() == [("durable", 1)]
    bench.clock.value += RECOVERY_POINT_SHARE * 2_000 - 1
    jobs = len(bench.lane.handed_over)
    bench.turn()
    assert len(bench.lane.handed_over) == jobs
    bench.clock.value += 1
    bench.turn()
    assert len(bench.lane.handed_over) == jobs + 1


async def test_a_stop_in_good_order_notes_the_recovery_point():
    """At the end of run() everything committed and flushed is noted, whenever it was noted last."""
    bench = Bench()
    bench.replica.high_watermark = bench.log.flushed_offset = 5
    bench.driver.stop()
    await bench.driver.run()
    assert bench.journal == [("durable", 5)]
