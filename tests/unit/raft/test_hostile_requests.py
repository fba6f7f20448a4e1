"""Well-formed requests that anybody who reaches the port can send: they are refused, and stop nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import ORIGIN, LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey, VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.epoch_limit import (
    EPOCH_JUMP_MAX,
    EPOCH_LAST,
    EPOCHS_PER_ELECTION_TIMEOUT,
    FIRST_EPOCH_MAX,
    STRANGER_JUMP_MAX,
    UNCONFIRMED_JUMP_MAX,
)
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import PeerRejected, Role
from kraftpy.records.batch import encode_batch
from tests.fakes.raft_cluster import Cluster, endpoint_of, voter_set
from tests.fakes.raft_solo import Solo, fetch, key_of

INT32_MAX = 2**31 - 1


def vote(epoch: int) -> VoteRequest:
    last = OffsetAndEpoch(epoch=0, offset=0)
    return VoteRequest(cluster_id="cluster", voter=None, candidate=key_of(3), epoch=epoch, last=last)


def begin(epoch: int) -> BeginQuorumEpochRequest:
    return BeginQuorumEpochRequest(cluster_id="cluster", voter=None, leader_id=3, epoch=epoch)


def end(epoch: int) -> EndQuorumEpochRequest:
    return EndQuorumEpochRequest(cluster_id="cluster", leader_id=3, epoch=epoch)


@pytest.mark.parametrize("request_of", [begin, end])
def test_a_second_leader_of_an_epoch_is_refused(request_of) -> None:
    """Who claims an epoch that another one leads hears INVALID_REQUEST; the node goes on following."""
    solo = Solo()
    solo.follow(2, epoch=4)
    answer = solo.ask(request_of(4))
    assert answer.partition_error is ErrorCode.INVALID_REQUEST
    assert (solo.role, solo.replica.leader.leader_id) == (Role.FOLLOWER, 2)
    assert any(isinstance(event, PeerRejected) and event.node_id == 3 for event in solo.events)


@pytest.mark.parametrize("request_of", [begin, end])
def test_fetches_are_not_moved_by_a_longer_list_of_endpoints(request_of) -> None:
    """Where the leader of this epoch has answered, it is; before that, a longer list may be the right one."""
    elsewhere = (Endpoint("CONTROLLER", "elsewhere", 1), endpoint_of(2))
    for has_answered, where in ((True, endpoint_of(2)), (False, elsewhere[0])):
        solo = Solo()
        solo.follow(2, epoch=4)
        if has_answered:
            solo.fetched()
        claim = replace(request_of(4), leader_id=2, leader_endpoints=elsewhere)
        assert solo.ask(claim).partition_error is ErrorCode.NONE
        if not has_answered:
            solo.fetched()
        assert solo.last_sent(FetchRequest).endpoint == where
        assert (solo.replica.leader_endpoints == elsewhere) is not has_answered


@pytest.mark.parametrize("request_of", [vote, begin, end])
def test_an_epoch_beyond_belief_is_refused(request_of) -> None:
    """The highest epoch there is would end all elections once it is stored: it is not taken."""
    solo = Solo()
    solo.follow(2, epoch=4)
    stored = solo.stored
    for epoch in (INT32_MAX, EPOCH_LAST, 1 + EPOCH_JUMP_MAX):
        assert solo.ask(request_of(epoch)).partition_error is ErrorCode.INVALID_REQUEST
        assert solo.replica.epoch == 4
        assert solo.stored == stored
    reported = [event.reason for event in solo.events if isinstance(event, PeerRejected)]
    assert len(reported) == 1, "one line in ten seconds, whatever the epochs are"
    assert f"its epoch {INT32_MAX} is too high: ours is 4" in reported[0]
    assert solo.ask(request_of(EPOCH_JUMP_MAX)).partition_error is ErrorCode.NONE, "a large step is still believed"
    assert solo.replica.epoch == EPOCH_JUMP_MAX


@pytest.mark.parametrize("request_of", [vote, begin, end])
def test_requests_do_not_use_up_the_epochs(request_of) -> None:
    """However many requests say so, the epoch rises by the headroom, and by ten for each election timeout after it."""
    solo = Solo()
    for step in (400_000, 400_000, 400_000, 150_000, 150_000, 40_000, 10_000, *[1_000_000] * 2_148):
        solo.ask(request_of(solo.replica.epoch + step))
    assert solo.replica.epoch == EPOCH_JUMP_MAX
    assert solo.ask(request_of(solo.replica.epoch + 1)).partition_error is ErrorCode.INVALID_REQUEST
    solo.now_ms += 3 * solo.replica.state.config.election_timeout_ms
    before = solo.replica.epoch
    for _ in range(100):
        solo.ask(request_of(solo.replica.epoch + 1))
    assert solo.replica.epoch == before + 3 * EPOCHS_PER_ELECTION_TIMEOUT


def test_a_restart_is_no_new_headroom() -> None:
    """What was believed and led to no leader's record stays spent, but for a little."""
    for last_epoch, left in (
        (EPOCH_JUMP_MAX, EPOCH_JUMP_MAX),
        (EPOCH_JUMP_MAX - 7, EPOCH_JUMP_MAX - 7),
        (1, UNCONFIRMED_JUMP_MAX),
    ):
        election = ElectionState(EPOCH_JUMP_MAX)
        recovered = RecoveredState(election_state=election, log_end_offset=1, epochs=((last_epoch, 0),))
        solo = Solo(recovered=recovered)
        assert solo.ask(vote(EPOCH_JUMP_MAX + left + 1)).partition_error is ErrorCode.INVALID_REQUEST
        assert solo.ask(vote(EPOCH_JUMP_MAX + left)).partition_error is ErrorCode.NONE


def test_a_stranger_raises_the_epoch_by_little() -> None:
    """Who is in no voter set may be a voter whose record did not come this far: a few epochs, and no thousands."""
    solo = Solo()
    stranger = replace(vote(STRANGER_JUMP_MAX + 1), candidate=key_of(9))
    assert solo.ask(stranger).partition_error is ErrorCode.INVALID_REQUEST
    answer = solo.ask(replace(stranger, epoch=1))
    assert answer.granted, "it is the vote that a new voter may need"
    for _ in range(1_000):
        solo.ask(replace(stranger, epoch=solo.replica.epoch + 1))
    assert solo.replica.epoch == STRANGER_JUMP_MAX
    assert solo.ask(vote(STRANGER_JUMP_MAX + 1)).partition_error is ErrorCode.NONE, (
        "voters have an allowance of their own"
    )


@pytest.mark.parametrize(
    ("key", "known"),
    [
        (key_of(2), True),
        (ReplicaKey(2, None), True),
        (ReplicaKey(2, b"x" * 16), False),
        (key_of(4), True),
        (key_of(5), False),
    ],
)
def test_voters_are_known_by_every_set_in_the_log(key, known) -> None:
    """By directory, where the set and the request both name one; a set that another one followed counts as well."""
    with_four, without = voter_set((1, 2, 3, 4), directories=True), voter_set((1, 2, 3), directories=True)
    recovered = RecoveredState(log_end_offset=3, epochs=((1, 0),), voters=((1, with_four), (2, without)))
    assert Solo(recovered=recovered, static_voters=VoterSet()).replica.state.knows_voter(key) is known


def test_answers_raise_the_epoch_further_and_not_without_end() -> None:
    """A replica that was away learns the epoch by asking; a peer that answers anything cannot use the epochs up."""
    solo = at_epoch(1)
    for epoch in (INT32_MAX, EPOCH_LAST, EPOCH_JUMP_MAX + 100_000):
        solo.tick(solo.now_ms + 1_000)
        solo.answer(solo.sent[-1], FetchResponse(leader=LeaderAndEpoch(3, epoch), leader_endpoints=(endpoint_of(3),)))
        assert (solo.replica.epoch, solo.stored.epoch) == (1, 1)
    assert any(isinstance(event, PeerRejected) and "is too high" in event.reason for event in solo.events)
    solo.tick(solo.now_ms + 1_000)
    far = LeaderAndEpoch(3, EPOCH_JUMP_MAX)
    solo.answer(solo.sent[-1], FetchResponse(leader=far, leader_endpoints=(endpoint_of(3),)))
    assert solo.replica.leader == far
    solo.answer(solo.last_sent(FetchRequest), FetchResponse(leader=LeaderAndEpoch(3, 2 * EPOCH_JUMP_MAX)))
    assert solo.replica.epoch == EPOCH_JUMP_MAX, "there was one such jump"


@pytest.mark.parametrize("response", [VoteResponse, FetchResponse])
def test_no_answer_brings_the_end_of_the_range(response) -> None:
    """A response that names the highest epoch changes no epoch and stops no later election."""
    solo = Solo()
    if response is VoteResponse:
        solo.become_prospective()
    solo.answer(solo.sent[-1], response(leader=LeaderAndEpoch(2, INT32_MAX)))
    assert solo.replica.epoch == 0
    while solo.role is not Role.PROSPECTIVE:
        solo.tick(solo.now_ms + 100)


def test_a_fetch_of_a_higher_epoch_moves_nothing() -> None:
    """Fetch and FetchSnapshot name the epoch that the fetcher believes in; a leader answers that it knows none."""
    solo = Solo()
    solo.become_leader()
    before = solo.replica.epoch
    for epoch in (before + 1, INT32_MAX):
        assert solo.ask(fetch(epoch)).partition_error is ErrorCode.UNKNOWN_LEADER_EPOCH
        snapshot = FetchSnapshotRequest(
            cluster_id=None, replica=key_of(2), epoch=epoch, snapshot_id=ORIGIN, position=0, max_bytes=1
        )
        assert solo.ask(snapshot).partition_error is ErrorCode.UNKNOWN_LEADER_EPOCH
    assert (solo.role, solo.replica.epoch) == (Role.LEADER, before)


def test_a_follower_takes_no_records_and_no_snapshot_of_a_higher_epoch() -> None:
    """Either would become the epoch of its log's end, and with the next start its own."""
    solo = Solo()
    solo.follow(2, epoch=4)
    batch = encode_batch([b"x"], base_offset=0, epoch=5, timestamp_ms=0)
    solo.fetched(batch)
    assert (solo.replica.log_end_offset, solo.appended) == (0, [])
    solo.tick(solo.now_ms + 600)
    solo.fetched(snapshot_id=OffsetAndEpoch(epoch=5, offset=10))
    assert not any(ready.downloads for ready in solo.readies)
    solo.tick(solo.now_ms + 600)
    solo.fetched(snapshot_id=OffsetAndEpoch(epoch=4, offset=10))
    assert any(ready.downloads for ready in solo.readies), "one of the leader's own epoch is taken"


def test_a_replica_that_holds_nothing_believes_any_answer_but_a_wild_one() -> None:
    """A new node joins a quorum that was recovered often; the upper half of the range is never believed."""
    for epoch, believed in ((5 * EPOCH_JUMP_MAX, True), (FIRST_EPOCH_MAX, True), (FIRST_EPOCH_MAX + 1, False)):
        solo = Solo()
        solo.answer(solo.sent[-1], FetchResponse(leader=LeaderAndEpoch(3, epoch), leader_endpoints=(endpoint_of(3),)))
        assert (solo.replica.epoch == epoch) is believed


# The end of the range.


def at_epoch(epoch: int, *, leader: int | None = None, voted: int | None = None, voters=(1, 2, 3)) -> Solo:
    election = ElectionState(epoch, leader, None if voted is None else key_of(voted))
    return Solo(voters=voters, recovered=RecoveredState(election_state=election, log_end_offset=1, epochs=((1, 0),)))


@pytest.mark.parametrize(
    ("leader", "voted", "voters"),
    [(None, None, (1, 2, 3)), (2, None, (1, 2, 3)), (1, None, (1, 2, 3)), (None, 1, (1, 2, 3)), (1, None, (1,))],
)
@pytest.mark.parametrize("epoch", [EPOCH_LAST, INT32_MAX])
def test_no_election_starts_beyond_the_last_epoch(epoch, leader, voted, voters) -> None:
    """A replica whose disk holds the last epoch starts, begins no election, and reports why it has no leader."""
    solo = at_epoch(epoch, leader=leader, voted=voted, voters=voters)
    for _ in range(100):
        solo.tick(solo.now_ms + 500)
        assert solo.replica.epoch == epoch
    assert any(isinstance(event, PeerRejected) and "end of the range" in event.reason for event in solo.events)
    if leader is None:
        assert f"epoch {epoch} is the end of the range" in solo.replica.leaderless_because


def test_the_last_epoch_itself_can_be_led() -> None:
    """A candidate of the last epoch wins or goes on waiting; it never asks for one after it."""
    solo = at_epoch(EPOCH_LAST - 1)
    solo.become_candidate()
    assert solo.replica.epoch == EPOCH_LAST
    for _ in range(20):
        solo.tick(solo.now_ms + 2_000)
        assert (solo.role, solo.replica.epoch) == (Role.CANDIDATE, EPOCH_LAST)
    solo.grant(2)
    assert solo.role is Role.LEADER
    solo.tick(solo.now_ms + 60_000)
    solo.tick(solo.now_ms + 60_000)
    assert (solo.role, solo.replica.epoch) == (Role.RESIGNED, EPOCH_LAST)


@pytest.mark.parametrize("error", [ErrorCode.NONE, ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.NOT_LEADER_OR_FOLLOWER])
def test_an_answer_that_names_a_second_leader_of_an_epoch_is_refused(error: ErrorCode) -> None:
    """A wrong response of a peer, malicious or confused, does not end the process that requested it."""
    solo = Solo()
    solo.follow(2, epoch=4)
    solo.tick(10)
    asked = solo.last_sent(FetchRequest)
    solo.answer(asked, FetchResponse(leader=solo.leader(3), partition_error=error))
    assert (solo.role, solo.replica.leader.leader_id) == (Role.FOLLOWER, 2)
    rejected = [event.reason for event in solo.events if isinstance(event, PeerRejected)]
    assert any("reports that 3 leads epoch 4" in reason for reason in rejected)


def test_a_leader_reports_how_long_it_has_been_alone() -> None:
    """A leader that was cut off does not call itself up to date: it counts from when a majority was heard."""
    cluster = Cluster()
    leader = cluster.elect()
    cluster.settle()
    assert leader.alive.leader_silence_ms(cluster.now_ms) < 600
    cluster.isolate(leader.key.node_id)
    before = cluster.now_ms
    assert cluster.run(3_000, lambda: cluster.now_ms >= before + 1_500)
    assert leader.alive.role is Role.LEADER
    assert leader.alive.leader_silence_ms(cluster.now_ms) >= 1_000
