"""KIP-595, A Raft Protocol for the Metadata Quorum: one test per sentence."""

from __future__ import annotations

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    DescribeQuorumRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    VoteRequest,
)
from kraftpy.raft.ready import LogRead, PeerRejected, RequestAbandoned, RequestReceived, Role
from tests.fakes.raft_cluster import endpoint_of
from tests.fakes.raft_solo import Solo, batch, fetch, key_of, vote

TEN_RECORDS = RecoveredState(election_state=ElectionState(2), log_end_offset=10, epochs=((1, 0), (2, 5)))


def begin(epoch: int, leader_id: int = 2) -> BeginQuorumEpochRequest:
    return BeginQuorumEpochRequest(
        cluster_id="cluster", voter=None, leader_id=leader_id, epoch=epoch, leader_endpoints=(endpoint_of(leader_id),)
    )


def end(epoch: int, *successors: int, leader_id: int = 2) -> EndQuorumEpochRequest:
    return EndQuorumEpochRequest(
        cluster_id="cluster",
        leader_id=leader_id,
        epoch=epoch,
        preferred_successors=tuple(key_of(each) for each in successors),
    )


# Vote


def test_a_vote_is_stored_before_it_is_sent() -> None:
    """§Vote: a voter persists its vote in quorum-state before it answers."""
    solo = Solo()
    token = solo.park(vote(1))
    ready = next(each for each in solo.readies if solo.replies[token] in each.messages)
    assert ready.election_state == ElectionState(1, None, key_of(2))


def test_one_vote_per_epoch() -> None:
    """§Vote: a voter votes for at most one candidate of an epoch, and again for the same one."""
    solo = Solo()
    assert [solo.ask(vote(1, candidate)).granted for candidate in (2, 3, 2)] == [True, False, True]


@pytest.mark.parametrize(("last", "granted"), [((2, 10), True), ((2, 9), False), ((1, 99), False), ((3, 1), True)])
def test_the_better_log_wins(last: tuple[int, int], *, granted: bool) -> None:
    """§Vote: a vote is granted only if the candidate's log is at least as up to date, epoch first, then end offset."""
    assert Solo(recovered=TEN_RECORDS).ask(vote(5, last=last)).granted is granted


def test_an_older_epoch_is_fenced() -> None:
    """§Vote: a candidate of a lower epoch gets FENCED_LEADER_EPOCH and learns the current one."""
    response = Solo(recovered=TEN_RECORDS).ask(vote(1))
    assert (response.partition_error, response.leader.epoch) == (ErrorCode.FENCED_LEADER_EPOCH, 2)


@pytest.mark.parametrize("request_", [vote(1, last=(1, 5)), vote(1, last=(-1, 0)), vote(1, last=(0, -1))])
def test_impossible_vote_requests_are_invalid(request_: VoteRequest) -> None:
    """§Vote: a candidate's log ends below the epoch of its candidacy, and has no negative position."""
    solo = Solo()
    assert solo.ask(request_).partition_error is ErrorCode.INVALID_REQUEST
    assert solo.replica.epoch == 0


def test_a_higher_epoch_moves_even_who_refuses() -> None:
    """§Vote: a voter that sees a higher epoch enters it, whether or not it grants the vote."""
    solo = Solo(recovered=TEN_RECORDS)
    solo.ask(vote(7, last=(0, 0)))
    assert (solo.replica.epoch, solo.stored) == (7, ElectionState(7))


@pytest.mark.parametrize("role", [Role.CANDIDATE, Role.LEADER, Role.FOLLOWER, Role.RESIGNED])
def test_only_the_unattached_vote(role: Role) -> None:
    """§Vote: a candidate, leader, follower or resigned leader does not vote in its epoch."""
    solo = Solo()
    if role is Role.FOLLOWER:
        solo.follow()
    elif role is Role.CANDIDATE:
        solo.become_candidate()
    else:
        solo.become_leader()
    if role is Role.RESIGNED:
        solo.replica.resign(solo.now_ms, 1)
        solo.drain()
    assert solo.role is role
    assert not solo.ask(vote(1, 3)).granted


def test_the_election_timer_keeps_running_over_epochs() -> None:
    """Trap 13: a higher epoch does not restart the election timer of the unattached; giving a vote does."""
    solo = Solo(recovered=TEN_RECORDS)
    before = solo.replica.state.role.deadline_ms
    solo.now_ms = 100
    solo.ask(vote(3, last=(0, 0)))
    assert solo.replica.state.role.deadline_ms == before
    solo.ask(vote(3, last=(2, 10)))
    assert solo.replica.state.role.deadline_ms == 100 + 1_000


# BeginQuorumEpoch, EndQuorumEpoch


def test_begin_quorum_epoch_makes_a_follower_that_fetches_at_once() -> None:
    """§BeginQuorumEpoch: a voter that hears of the leader of a new epoch follows it and starts to fetch."""
    solo = Solo()
    solo.follow(2, epoch=3)
    assert solo.stored == ElectionState(3, 2)
    assert solo.last_sent(FetchRequest, 2).request.epoch == 3


def test_a_second_leader_in_an_epoch_is_refused() -> None:
    """§BeginQuorumEpoch: an epoch has one leader; another one named in a request or response is not believed."""
    solo = Solo()
    solo.follow(2)
    assert solo.ask(begin(1, leader_id=3)).partition_error is ErrorCode.INVALID_REQUEST
    solo.answer(solo.last_sent(FetchRequest), FetchResponse(leader=LeaderAndEpoch(3, 1)))
    assert solo.replica.leader == LeaderAndEpoch(2, 1)
    rejected = [event.reason for event in solo.events if isinstance(event, PeerRejected)]
    assert any("reports that 3 leads epoch 1" in reason for reason in rejected)


def test_a_new_leader_announces_itself_to_every_other_voter() -> None:
    """§BeginQuorumEpoch: a new leader sends to all other voters at once, with its endpoints."""
    solo = Solo()
    solo.become_leader()
    reported = [send for send in solo.sent if isinstance(send.request, BeginQuorumEpochRequest)]
    assert [send.node_id for send in reported] == [2, 3]
    assert reported[0].request.leader_endpoints == (endpoint_of(1),)


def test_a_voter_that_fetches_gets_no_second_message() -> None:
    """§BeginQuorumEpoch (later Kafka): it is repeated only to voters that have not fetched for half a timeout."""
    solo = Solo()
    solo.become_leader()
    for send in [each for each in solo.sent if isinstance(each.request, BeginQuorumEpochRequest)]:
        solo.answer(send, type(solo.ask(begin(0)))(leader=solo.leader(1)))
    solo.sent.clear()
    solo.now_ms += 900
    solo.ask(fetch(1, 0, replica=2))
    solo.tick(solo.now_ms + 100)
    assert [send.node_id for send in solo.sent if isinstance(send.request, BeginQuorumEpochRequest)] == [3]


@pytest.mark.parametrize(
    ("successors", "pause_ms"), [((1, 3), 0), ((3, 1), 500), ((3, 4, 1), 500), ((3, 4), 1_000), ((3, 1, 4), 250)]
)
def test_successors_are_in_the_preferred_order(successors: tuple[int, ...], pause_ms: int) -> None:
    """§EndQuorumEpoch: the first preferred successor starts an election at once, the next ones after growing pauses."""
    solo = Solo(voters=(1, 2, 3, 4))
    solo.follow()
    solo.ask(end(1, *successors))
    assert solo.replica.state.role.deadline_ms == pause_ms


def test_a_resigning_leader_names_the_longest_log_first() -> None:
    """§EndQuorumEpoch: preferred successors are sorted by descending end offset, the unknown last."""
    solo = Solo(voters=(1, 2, 3, 4))
    solo.become_prospective()
    solo.grant(2)
    solo.grant(3)
    solo.grant(2)
    solo.grant(3)
    solo.ask(fetch(1, 0, replica=2))
    solo.park(fetch(1, 1, 1, replica=3))
    solo.replica.resign(solo.now_ms, 1)
    solo.drain()
    request = solo.last_sent(EndQuorumEpochRequest).request
    assert [key.node_id for key in request.preferred_successors] == [3, 2, 4]


# Fetch


def test_a_fetch_acknowledges_what_is_flushed() -> None:
    """§Fetch: the next fetch leaves behind the fsync line of the records that it acknowledges."""
    solo = Solo()
    solo.follow()
    solo.fetched(batch("a", "b"))
    ready = next(each for each in solo.readies if each.append)
    request = ready.messages[-1].request
    assert (request.fetch_offset, request.last_fetched_epoch) == (2, 1)


def test_records_wait_for_a_majority_of_disks() -> None:
    """§Fetch: the high watermark is what a majority has fsynced; the leader counts its own copy only after advance."""
    solo = Solo()
    solo.become_leader()
    solo.replica.propose(solo.now_ms, 1, [b"x"])
    ready = solo.take()
    solo.replica.step(solo.now_ms, RequestReceived(99, fetch(1, 2, 1)))
    assert solo.replica.high_watermark == 1
    solo.replica.advance(solo.now_ms, ready)
    assert solo.replica.high_watermark == 2


def test_a_new_leader_does_not_commit_by_counting_old_copies() -> None:
    """§Leader Progress; Raft §5.4.2: a majority of copies of older epochs commits nothing."""
    solo = Solo(recovered=TEN_RECORDS)
    solo.become_leader()
    epoch = solo.replica.epoch
    solo.park(fetch(epoch, 10, 2))
    assert solo.replica.high_watermark is None
    solo.park(fetch(epoch, 11, epoch))
    assert solo.replica.high_watermark == 11


def test_the_leader_answers_from_its_log_early() -> None:
    """§Fetch: a leader's answer promises nothing about its disk and leaves before its own fsync."""
    solo = Solo()
    solo.become_leader()
    token = solo.park(fetch(1, 0))
    assert token in solo.early
    assert solo.replies[token].read == LogRead(0, 1, 1_000_000)


def test_a_fetch_at_the_end_waits_for_records() -> None:
    """§Fetch: a fetch with nothing to read is pending, and answered when something is proposed."""
    solo = Solo()
    solo.become_leader()
    token = solo.park(fetch(1, 1, 1, high_watermark=1))
    assert token not in solo.replies
    solo.replica.propose(solo.now_ms, 1, [b"x", b"y"])
    solo.drain()
    assert solo.replies[token].read == LogRead(1, 3, 1_000_000)


def test_a_pending_fetch_expires_empty() -> None:
    """§Fetch: after its max wait a pending fetch is answered without records."""
    solo = Solo()
    solo.become_leader()
    token = solo.park(fetch(1, 1, 1, high_watermark=1, max_wait_ms=300))
    solo.tick(solo.now_ms + 299)
    assert token not in solo.replies
    solo.tick(solo.now_ms + 1)
    assert solo.replies[token].read is None


def test_an_expired_fetch_is_no_deadline_while_a_ready_is_outstanding() -> None:
    """A fetch that expires while a slow flush holds up the next Ready does not call for a tick again and again."""
    solo = Solo()
    solo.become_leader()
    token = solo.park(fetch(1, 1, 1, high_watermark=1, max_wait_ms=300))
    solo.replica.step(solo.now_ms, RequestReceived(99, fetch(1, 7, 1)))
    ready = solo.take()
    solo.now_ms += 300
    solo.replica.tick(solo.now_ms)
    deadline_ms = solo.replica.next_deadline_ms()
    assert deadline_ms is None or deadline_ms > solo.now_ms
    solo.replica.advance(solo.now_ms, ready)
    solo.drain()
    assert solo.replies[token].read is None


def test_an_abandoned_fetch_is_forgotten() -> None:
    """A pending fetch whose sender is gone is never answered."""
    solo = Solo()
    solo.become_leader()
    token = solo.park(fetch(1, 1, 1, high_watermark=1))
    solo.step(RequestAbandoned(token))
    solo.tick(solo.now_ms + 5_000)
    assert token not in solo.replies


def test_a_higher_high_watermark_is_sent_at_once() -> None:
    """KIP-1166: a fetch that carries a lower high watermark is answered at once; one that carries none waits."""
    solo = Solo()
    solo.become_leader()
    solo.park(fetch(1, 1, 1, replica=2))
    assert solo.replica.high_watermark == 1
    assert solo.ask(fetch(1, 1, 1, replica=3, high_watermark=0)).high_watermark == 1
    assert solo.park(fetch(1, 1, 1, replica=3, high_watermark=None)) not in solo.replies


def test_a_rising_high_watermark_wakes_who_carried_one() -> None:
    """KIP-1166: the high watermark's growth answers the pending fetches that carried theirs."""
    solo = Solo()
    solo.become_leader()
    waiting = solo.park(fetch(1, 1, 1, replica=9, high_watermark=0))
    old = solo.park(fetch(1, 1, 1, replica=8, high_watermark=None))
    solo.park(fetch(1, 1, 1, replica=2, high_watermark=1))
    assert solo.replies[waiting].response.high_watermark == 1
    assert old not in solo.replies


def test_a_voter_hears_of_a_higher_high_watermark_with_the_next_records() -> None:
    """KIP-1166: with a delay, a voter's fetch waits briefly for records before it gets the high watermark alone."""
    solo = Solo(high_watermark_delay_ms=5)
    solo.become_leader()
    early = solo.park(fetch(1, 1, 1, replica=2, high_watermark=0))
    assert early not in solo.replies
    solo.tick(solo.now_ms + 4)
    assert early not in solo.replies
    solo.replica.propose(solo.now_ms, 1, [b"x"])
    solo.drain()
    assert solo.replies[early].response.high_watermark == 1
    assert solo.replies[early].read == LogRead(1, 2, 1_000_000)


def test_a_voter_without_records_hears_of_a_higher_high_watermark_soon() -> None:
    """KIP-1166: the delay ends for each fetch by itself, and what else is looked at does not draw it out."""
    solo = Solo(high_watermark_delay_ms=5)
    solo.become_leader()
    first = solo.park(fetch(1, 1, 1, replica=2, high_watermark=0))
    assert solo.replica.high_watermark == 1
    solo.tick(solo.now_ms + 3)
    second = solo.park(fetch(1, 1, 1, replica=3, high_watermark=0))
    assert first not in solo.replies
    assert solo.replica.next_deadline_ms() == solo.now_ms + 2
    solo.tick(solo.now_ms + 2)
    assert solo.replies[first].response.high_watermark == 1
    assert solo.replies[first].read is None
    assert second not in solo.replies
    solo.tick(solo.now_ms + 3)
    assert second in solo.replies


def test_an_observer_hears_of_a_higher_high_watermark_at_once() -> None:
    """KIP-1166: brokers act on what is committed; the delay is not for them."""
    solo = Solo(high_watermark_delay_ms=5)
    solo.become_leader()
    waiting = solo.park(fetch(1, 1, 1, replica=9, high_watermark=0))
    solo.park(fetch(1, 1, 1, replica=2, high_watermark=0))
    assert solo.replies[waiting].response.high_watermark == 1


@pytest.mark.parametrize(
    ("offset", "last_epoch", "diverging"),
    [(10, 2, None), (10, 1, (1, 5)), (7, 1, (1, 5)), (12, 2, (2, 10)), (5, 1, None), (10, 0, None)],
)
def test_the_leader_finds_where_logs_part(offset: int, last_epoch: int, diverging: tuple[int, int] | None) -> None:
    """§Fetch: the leader answers the largest epoch not above the fetcher's, and where it ends, if the logs differ."""
    solo = Solo(recovered=TEN_RECORDS)
    solo.become_leader()
    if last_epoch == 0:
        diverging = (0, 0)
    token = solo.park(fetch(3, offset, last_epoch))
    expected = None if diverging is None else OffsetAndEpoch(*diverging)
    assert solo.replies[token].response.diverging == expected


@pytest.mark.parametrize(("diverging", "cut_to"), [((2, 7), 7), ((1, 3), 3), ((1, 9), 5), ((0, 4), 4), ((2, 99), 10)])
def test_the_follower_cuts_to_the_common_end(diverging: tuple[int, int], cut_to: int) -> None:
    """§Fetch: a follower cuts to the smaller of its own and the leader's end of the diverging epoch."""
    solo = Solo(recovered=TEN_RECORDS)
    solo.follow(epoch=3)
    solo.fetched(diverging=OffsetAndEpoch(*diverging))
    assert solo.replica.log_end_offset == cut_to
    assert solo.last_sent(FetchRequest).request.fetch_offset == cut_to


def test_committed_records_are_never_cut() -> None:
    """§Fetch: a divergence below the own high watermark would lose committed records; the node stops."""
    solo = Solo(recovered=TEN_RECORDS)
    solo.follow(epoch=3)
    solo.fetched(high_watermark=8)
    with pytest.raises(InvariantViolation, match="never truncated"):
        solo.fetched(diverging=OffsetAndEpoch(2, 7))


def test_a_followers_high_watermark_stays_in_its_log() -> None:
    """§Fetch: a follower's high watermark is the leader's, as far as its own log reaches, and does not fall."""
    solo = Solo()
    solo.follow()
    solo.fetched(batch("a", "b"), high_watermark=9)
    assert solo.replica.high_watermark == 2
    solo.fetched(high_watermark=1)
    assert solo.replica.high_watermark == 2


@pytest.mark.parametrize(
    "records", [batch("a", base=5), batch("a", epoch=7), batch("a")[:-1] + b"!", b"x" * 100], ids=range(4)
)
def test_records_that_do_not_follow_on_are_refused(records: bytes) -> None:
    """§Fetch: records not at the log end, of a later epoch or corrupt are reported and not appended."""
    solo = Solo()
    solo.follow()
    solo.fetched(records)
    assert solo.appended == []
    assert "PeerRejected" in {type(event).__name__ for event in solo.events}


def test_a_batch_cut_off_at_the_end_is_left_for_the_next_fetch() -> None:
    """§Fetch: a leader may cut its answer anywhere; whole batches count."""
    solo = Solo()
    solo.follow()
    solo.fetched(batch("a"), batch("b", base=1)[:40])
    assert solo.replica.log_end_offset == 1


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (fetch(0), ErrorCode.FENCED_LEADER_EPOCH),
        (fetch(2), ErrorCode.UNKNOWN_LEADER_EPOCH),
        (fetch(1, -1), ErrorCode.INVALID_REQUEST),
        (fetch(1, 0, 2), ErrorCode.INVALID_REQUEST),
        (fetch(1, max_wait_ms=-1), ErrorCode.INVALID_REQUEST),
        (fetch(1, replica=1), ErrorCode.DUPLICATE_VOTER),
    ],
    ids=range(6),
)
def test_fetches_are_checked(request_: FetchRequest, error: ErrorCode) -> None:
    """§Fetch: the leader epoch must be the leader's own, and positions must make sense."""
    solo = Solo()
    solo.become_leader()
    assert solo.ask(request_).partition_error is error


def test_only_the_leader_serves_fetches() -> None:
    """§Fetch: another replica answers NOT_LEADER_OR_FOLLOWER with the leader and where it listens."""
    solo = Solo()
    solo.follow(2)
    response = solo.ask(fetch(1, replica=3))
    assert response.partition_error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert (response.leader, response.leader_endpoints) == (LeaderAndEpoch(2, 1), (endpoint_of(2),))


def test_losing_leadership_answers_pending_fetches() -> None:
    """§Fetch: fetches that are pending at a leader that resigns are answered NOT_LEADER_OR_FOLLOWER."""
    solo = Solo()
    solo.become_leader()
    token = solo.park(fetch(1, 1, 1, high_watermark=1))
    solo.follow(2, epoch=2)
    assert solo.replies[token].response.partition_error is ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_an_observer_gets_the_leader_and_data_in_one_round_trip() -> None:
    """§Fetch, common rules 3: a successful answer from a leader that was not known is used at once."""
    solo = Solo(9, bootstrap_servers=(endpoint_of(2),), recovered=RecoveredState(election_state=ElectionState(1)))
    send = solo.last_sent(FetchRequest)
    assert send.node_id == -2
    answer = FetchResponse(leader=LeaderAndEpoch(2, 1), leader_endpoints=(endpoint_of(2),), records=batch("a"))
    solo.answer(send, answer)
    assert (solo.role, solo.replica.log_end_offset) == (Role.FOLLOWER, 1)


def test_an_old_leader_that_does_not_report_where_it_listens() -> None:
    """§Fetch: only a leader serves a fetch, so an answer without endpoints (Fetch before v17) still finds it."""
    solo = Solo(9, static_voters=VoterSet(), bootstrap_servers=(endpoint_of(2),))
    solo.answer(solo.last_sent(FetchRequest), FetchResponse(leader=LeaderAndEpoch(2, 0), records=b""))
    assert (solo.role, solo.replica.leader_endpoints) == (Role.FOLLOWER, (endpoint_of(2),))


def test_an_observer_never_starts_an_election() -> None:
    """§Observers: a replica outside the voter set has no election timer."""
    solo = Solo(9, bootstrap_servers=(endpoint_of(2),))
    solo.tick(1_000_000)
    assert solo.role is Role.UNATTACHED


# Leader progress, check quorum, restart


def test_check_quorum_expires_without_a_majority() -> None:
    """§Leader Progress Timeout: a leader that a majority has not fetched from for 1.5 fetch timeouts resigns."""
    solo = Solo()
    solo.become_leader()
    start_ms = solo.now_ms
    solo.tick(start_ms + 2_999)
    assert solo.role is Role.LEADER
    solo.tick(start_ms + 3_000)
    assert solo.role is Role.RESIGNED


def test_one_follower_of_three_keeps_a_leader() -> None:
    """§Leader Progress Timeout: the leader is one of its own majority; an observer's fetch does not count."""
    solo = Solo()
    solo.become_leader()
    start_ms = solo.now_ms
    solo.now_ms = start_ms + 2_000
    solo.park(fetch(1, 1, 1, replica=9))
    assert solo.replica.state.role.check_quorum_deadline_ms == start_ms + 3_000
    solo.park(fetch(1, 1, 1, replica=3))
    assert solo.replica.state.role.check_quorum_deadline_ms == start_ms + 5_000


def test_a_single_voter_leads_at_once_and_commits_after_its_own_flush() -> None:
    """§Leader Election: a single voter needs no other node, and never loses touch with itself."""
    solo = Solo(voters=(1,))
    assert (solo.role, solo.replica.high_watermark) == (Role.LEADER, 1)
    solo.tick(10_000_000)
    assert solo.role is Role.LEADER


@pytest.mark.parametrize(
    ("stored", "role"),
    [
        (ElectionState(3, 1), Role.RESIGNED),
        (ElectionState(3, 2), Role.FOLLOWER),
        (ElectionState(3, 9), Role.UNATTACHED),
        (ElectionState(3, None, key_of(1)), Role.CANDIDATE),
        (ElectionState(3, None, key_of(2)), Role.UNATTACHED),
        (ElectionState(1, 2), Role.UNATTACHED),
    ],
)
def test_the_first_role_follows_from_the_disk(stored: ElectionState, role: Role) -> None:
    """§Quorum State: a stored leader, vote or nothing decides how a node starts; one older than the log is void."""
    recovered = RecoveredState(election_state=stored, log_end_offset=10, epochs=((1, 0), (2, 5)))
    solo = Solo(recovered=recovered)
    assert (solo.role, solo.replica.epoch) == (role, max(stored.epoch, 2))


def test_a_restarted_leader_does_not_vote_in_its_epoch() -> None:
    """§Quorum State: what a leader had not flushed is gone, so after a restart it neither votes nor appends there."""
    solo = Solo(recovered=RecoveredState(election_state=ElectionState(3, 1)))
    assert not solo.ask(vote(3)).granted
    solo.tick(solo.replica.state.role.deadline_ms)
    assert (solo.role, solo.replica.epoch) == (Role.UNATTACHED, 4)


def test_hearing_of_an_own_leadership_that_was_forgotten() -> None:
    """Trap 15: named as leader of epoch 3, which it does not know, a node enters it but neither votes nor appends."""
    solo = Solo()
    solo.become_prospective()
    send = solo.last_sent(VoteRequest, 2)
    solo.answer(send, type(solo.ask(vote(0)))(leader=LeaderAndEpoch(1, 3)))
    assert (solo.role, solo.replica.epoch, solo.replica.leader.leader_id) == (Role.UNATTACHED, 3, 1)
    assert not solo.ask(vote(3)).granted


def test_describe_quorum_shows_voters_and_observers() -> None:
    """§DescribeQuorum: the leader shows every voter and observer with its end offset; others do not know."""
    solo = Solo()
    assert solo.ask(DescribeQuorumRequest()).partition_error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    solo.become_leader()
    solo.park(fetch(1, 1, 1, replica=2))
    solo.park(fetch(1, 0, 0, replica=9))
    view = solo.ask(DescribeQuorumRequest())
    assert [(each.key.node_id, each.log_end_offset) for each in view.voters] == [(1, 1), (2, 1), (3, None)]
    assert [(each.key, each.log_end_offset) for each in view.observers] == [(key_of(9), 0)]
    assert view.high_watermark == 1
