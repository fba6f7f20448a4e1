"""KIP-853, KRaft Controller Membership Changes, and KIP-630, Kafka Raft Snapshot: one test per sentence."""

from __future__ import annotations

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import ORIGIN, LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey, VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
)
from kraftpy.raft.ready import (
    AbortDownload,
    DownloadChunk,
    FinishDownload,
    Role,
    SnapshotRead,
    StartDownload,
    VotersChanged,
)
from kraftpy.records.batch import encode_control_batch, parse_batch
from kraftpy.records.control import KRaftVersionRecord, LeaderChangeMessage, VotersRecord, voter_set_to_record
from tests.fakes.raft_cluster import Cluster, voter_set
from tests.fakes.raft_solo import Solo, batch, fetch, key_of, vote

SNAPSHOT = OffsetAndEpoch(epoch=1, offset=10)


def voters_batch(*node_ids: int, base: int = 0) -> bytes:
    records = [KRaftVersionRecord(kraft_version=1), voter_set_to_record(voter_set(node_ids, directories=True))]
    return encode_control_batch(records, base_offset=base, epoch=1, timestamp_ms=0)


def dynamic(*node_ids: int, offset: int = -1) -> Solo:
    recovered = RecoveredState(
        voters=((offset, voter_set(node_ids, directories=True)),), kraft_versions=((offset, 1),), snapshots=(ORIGIN,)
    )
    return Solo(recovered=recovered, static_voters=VoterSet())


# Voters


def test_a_request_for_another_directory_is_refused_after_the_epoch() -> None:
    """§Vote: a request that names another directory id gets INVALID_VOTER_KEY, but its epoch is entered first."""
    solo = Solo()
    response = solo.ask(vote(5, voter=ReplicaKey(1, b"another directory".ljust(16)[:16])))
    assert (response.partition_error, response.granted) == (ErrorCode.INVALID_VOTER_KEY, False)
    assert solo.replica.epoch == 5


def test_a_request_that_names_no_directory_is_for_anybody() -> None:
    """§Vote: a voter key without directory id matches by id, an absent key is not checked."""
    assert Solo().ask(vote(1, voter=ReplicaKey(1))).granted
    assert Solo().ask(vote(1, voter=key_of(1))).granted


def test_begin_quorum_epoch_checks_the_voter_key_last() -> None:
    """§BeginQuorumEpoch: the leader is learnt even if the request means another incarnation of this voter."""
    solo = Solo()
    request = BeginQuorumEpochRequest(cluster_id="cluster", voter=key_of(9), leader_id=2, epoch=1)
    assert solo.ask(request).partition_error is ErrorCode.INVALID_VOTER_KEY
    assert solo.role is Role.FOLLOWER


def test_a_lost_disk_is_not_the_voter() -> None:
    """§Voters: a node with a voter's id and another directory id is an observer, and its fetches are not counted."""
    cluster = Cluster(dynamic=True)
    cluster.elect(1)
    cluster.settle()
    cluster.crash(3)
    cluster.nodes[3].disk.wipe()
    cluster.nodes[3].key = ReplicaKey(3, b"the new directory"[:16])
    cluster.start(3)
    cluster.run(5_000)
    view = cluster.replica(1).describe(cluster.now_ms)
    assert [each.key for each in view.observers] == [cluster.nodes[3].key]
    assert not cluster.replica(3).state.is_voter


def test_a_voter_set_counts_from_the_append() -> None:
    """§Reading voters: the newest VotersRecord is in force, committed or not, and its loss in a cut undoes it."""
    solo = dynamic(1, 2, 3)
    solo.follow(2)
    solo.fetched(voters_batch(1, 2, 3, 4))
    assert solo.replica.voters.ids == (1, 2, 3, 4)
    solo.fetched(diverging=OffsetAndEpoch(0, 0))
    assert solo.replica.voters.ids == (1, 2, 3)
    assert [event.offset for event in solo.events if isinstance(event, VotersChanged)] == [1, -1]


def test_control_records_are_read_again_after_a_cut() -> None:
    """Trap 1: a voters record appended where another one was cut away is read."""
    solo = dynamic(1, 2, 3)
    solo.follow(2)
    solo.fetched(voters_batch(1, 2, 3, 4))
    solo.fetched(diverging=OffsetAndEpoch(0, 0))
    solo.fetched(voters_batch(1, 2, 3, 5))
    assert solo.replica.voters.ids == (1, 2, 3, 5)


def test_a_voter_set_changes_by_one() -> None:
    """§Proposed Changes: two sets of the log differ by at most one voter added and one removed."""
    solo = dynamic(1, 2, 3, offset=0)
    solo.follow(2)
    with pytest.raises(InvariantViolation, match="at most one"):
        solo.fetched(batch("a"), voters_batch(1, 4, 5, base=1))


def test_the_first_leader_writes_the_bootstrap_voters_into_the_log() -> None:
    """§Bootstrapping: a voter set that is only in the zero checkpoint is written with the first LEADER_CHANGE."""
    solo = dynamic(1, 2, 3)
    solo.become_leader()
    records = parse_batch(solo.appended[0]).control_records()
    assert [type(record) for record in records] == [LeaderChangeMessage, KRaftVersionRecord, VotersRecord]
    assert [voter.voter_id for voter in records[0].voters] == [1, 2, 3]
    assert solo.replica.state.voter_set_history.offset == 2


def test_a_static_quorum_writes_no_voters() -> None:
    """§kraft.version 0: with static voters the first batch is LEADER_CHANGE alone."""
    solo = Solo()
    solo.become_leader()
    records = parse_batch(solo.appended[0]).control_records()
    assert [type(record) for record in records] == [LeaderChangeMessage]
    assert [voter.voter_id for voter in records[0].granting_voters] == [1, 2]


# Snapshots


def with_snapshot() -> Solo:
    recovered = RecoveredState(
        election_state=ElectionState(1),
        log_start_offset=10,
        log_end_offset=12,
        epochs=((1, 10),),
        snapshots=(SNAPSHOT,),
    )
    solo = Solo(recovered=recovered)
    solo.become_leader()
    return solo


@pytest.mark.parametrize(("offset", "epoch"), [(0, 0), (5, 1), (10, 0)])
def test_an_offset_before_the_log_gets_a_snapshot(offset: int, epoch: int) -> None:
    """KIP-630 §Fetch: a fetch below the log start, or of an epoch before it, gets the latest snapshot id."""
    solo = with_snapshot()
    assert solo.ask(fetch(2, offset, epoch)).snapshot_id == SNAPSHOT


def test_a_fetch_at_the_log_start_reads_on() -> None:
    """KIP-630 §Fetch: a fetcher that has exactly the snapshot reads the log."""
    solo = with_snapshot()
    assert solo.replies[solo.park(fetch(2, 10, 1))].read.from_offset == 10


def ask_snapshot(position: int = 0, snapshot_id: OffsetAndEpoch = SNAPSHOT, epoch: int = 2) -> FetchSnapshotRequest:
    return FetchSnapshotRequest(
        cluster_id="cluster", replica=key_of(2), epoch=epoch, snapshot_id=snapshot_id, position=position, max_bytes=50
    )


def test_a_leader_serves_a_byte_range() -> None:
    """KIP-630 §FetchSnapshot: the answer is a range of the file, and a sign of life of the voter that asks."""
    solo = with_snapshot()
    deadline_ms = solo.replica.state.role.check_quorum_deadline_ms
    solo.now_ms += 500
    token = solo.park(ask_snapshot(7))
    assert solo.replies[token].read == SnapshotRead(SNAPSHOT, 7, 50)
    assert solo.replica.state.role.check_quorum_deadline_ms == deadline_ms + 500


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (ask_snapshot(snapshot_id=OffsetAndEpoch(1, 9)), ErrorCode.SNAPSHOT_NOT_FOUND),
        (ask_snapshot(snapshot_id=ORIGIN), ErrorCode.SNAPSHOT_NOT_FOUND),
        (ask_snapshot(-1), ErrorCode.POSITION_OUT_OF_RANGE),
        (ask_snapshot(epoch=1), ErrorCode.FENCED_LEADER_EPOCH),
        (ask_snapshot(epoch=3), ErrorCode.UNKNOWN_LEADER_EPOCH),
    ],
    ids=range(5),
)
def test_snapshot_requests_are_checked(request_: FetchSnapshotRequest, error: ErrorCode) -> None:
    """KIP-630 §FetchSnapshot: an unknown snapshot, a negative position or another epoch is refused."""
    assert with_snapshot().ask(request_).partition_error is error


def downloading() -> Solo:
    solo = Solo()
    solo.follow(2)
    solo.fetched(snapshot_id=SNAPSHOT)
    return solo


def chunk(solo: Solo, position: int, data: bytes, *, size: int = 6, **more: object) -> None:
    fields = {"snapshot_id": SNAPSHOT, "leader": LeaderAndEpoch(2, 1)} | more
    answer = FetchSnapshotResponse(position=position, data=data, size=size, **fields)
    solo.answer(solo.last_sent(FetchSnapshotRequest), answer)


def downloads(solo: Solo) -> list[object]:
    return [download for ready in solo.readies for download in ready.downloads]


def test_a_follower_downloads_chunk_by_chunk() -> None:
    """KIP-630 §FetchSnapshot: the position continues where the last chunk ended; then the log starts there."""
    solo = downloading()
    chunk(solo, 0, b"abc")
    assert solo.last_sent(FetchSnapshotRequest).request.position == 3
    chunk(solo, 3, b"def")
    assert downloads(solo) == [
        StartDownload(SNAPSHOT),
        DownloadChunk(SNAPSHOT, b"abc"),
        DownloadChunk(SNAPSHOT, b"def"),
        FinishDownload(SNAPSHOT),
    ]
    fetches = len(solo.sent)
    solo.tick(solo.now_ms + 100)
    assert len(solo.sent) == fetches
    solo.replica.snapshot_installed(SNAPSHOT, (), ())
    solo.drain()
    request = solo.last_sent(FetchRequest).request
    assert (request.fetch_offset, request.last_fetched_epoch, solo.replica.high_watermark) == (10, 1, 10)


@pytest.mark.parametrize(
    "wrong", [{"position": 5}, {"snapshot_id": OffsetAndEpoch(1, 11)}, {"data": b""}, {"data": b"too long"}]
)
def test_a_chunk_that_does_not_fit_starts_the_download_again(wrong: dict[str, object]) -> None:
    """Divergence: an unexpected chunk is dropped and the snapshot fetched again; Kafka's node dies."""
    solo = downloading()
    chunk(solo, **({"position": 0, "data": b"abc"} | wrong))
    assert downloads(solo)[-1] == AbortDownload(SNAPSHOT)
    solo.tick(solo.now_ms + 20)
    assert solo.last_sent(FetchRequest).request.fetch_offset == 0
    assert solo.sent[-1].request == solo.last_sent(FetchRequest).request


def test_a_snapshot_that_is_gone_leads_back_to_fetching() -> None:
    """KIP-630 §FetchSnapshot: SNAPSHOT_NOT_FOUND drops the partial file."""
    solo = downloading()
    chunk(solo, 0, b"", partition_error=ErrorCode.SNAPSHOT_NOT_FOUND)
    assert downloads(solo)[-1] == AbortDownload(SNAPSHOT)
    solo.tick(solo.now_ms + 20)
    assert isinstance(solo.sent[-1].request, FetchRequest)


def test_a_rejected_snapshot_is_fetched_again() -> None:
    """A file that does not verify is fetched again after a pause, and the failure is reported."""
    solo = downloading()
    chunk(solo, 0, b"abcdef")
    solo.replica.snapshot_rejected(SNAPSHOT, "bad checksum")
    solo.tick(solo.now_ms + 20)
    assert isinstance(solo.sent[-1].request, FetchRequest)
    assert "bad checksum" in solo.events[-1].reason


def test_leaving_the_leader_drops_the_partial_snapshot() -> None:
    """KIP-630: a partial snapshot does not outlive the follower that fetched it."""
    solo = downloading()
    chunk(solo, 0, b"abc")
    solo.follow(3, epoch=2)
    assert downloads(solo)[-1] == AbortDownload(SNAPSHOT)


def test_an_installed_snapshot_brings_its_voters() -> None:
    """KIP-853 §Snapshots: the voter set of a snapshot that was downloaded is in force."""
    solo = dynamic(1, 2, 3)
    solo.follow(2)
    solo.fetched(snapshot_id=SNAPSHOT)
    chunk(solo, 0, b"abcdef")
    solo.replica.snapshot_installed(SNAPSHOT, ((9, voter_set((1, 2, 4), directories=True)),), ((9, 1),))
    solo.drain()
    assert solo.replica.voters.ids == (1, 2, 4)
