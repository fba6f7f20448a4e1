"""The public object: proposals and their limits, Readys in their order, shutdown, deadlines, progress."""

from __future__ import annotations

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import BusyError, LocalError, NotLeaderError, TooLargeError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey, VoterSet
from kraftpy.raft import batch_accumulator
from kraftpy.raft.config import PENDING_APPEND_BYTES_MAX, PENDING_FETCHES_MAX, RecoveredState
from kraftpy.raft.follower_progress import Progress
from kraftpy.raft.messages import (
    DescribeQuorumRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import Ready, Reply, RequestReceived, ResponseReceived, Role, Send
from kraftpy.raft.request_manager import RequestManager
from kraftpy.raft.timing import FIRST_BACK_OFF_MS, OBSERVER_SESSION_MS
from kraftpy.records.batch import encode_batch, parse_batch
from tests.fakes.raft_cluster import Cluster, FixedJitter, voter_set
from tests.fakes.raft_solo import Solo, fetch, key_of, vote


def leading() -> Solo:
    solo = Solo(voters=(1,))
    solo.appended.clear()
    return solo


def test_proposals_share_one_batch() -> None:
    """A thousand proposals between two Ready values cost one batch, and their offsets are given out at once."""
    solo = leading()
    offsets = [solo.replica.propose(0, 1, [b"v%d" % index]) for index in range(1_000)]
    solo.drain()
    assert offsets == list(range(1, 1_001))
    (data,) = solo.appended
    assert parse_batch(data).values() == [b"v%d" % index for index in range(1_000)]
    assert solo.replica.high_watermark == 1_001


def test_a_group_is_never_split() -> None:
    """Groups that do not fit one batch together go to the next one as a whole."""
    solo = leading()
    half = batch_accumulator.GROUP_BYTES_MAX // 2
    solo.replica.propose(0, 1, [b"a" * half, b"b"])
    solo.replica.propose(0, 1, [b"c" * half, b"d"])
    solo.drain()
    assert [parse_batch(data).record_count for data in solo.appended] == [2, 2]


def test_a_group_over_a_batch_is_refused() -> None:
    """TooLargeError: nothing was taken."""
    solo = leading()
    with pytest.raises(TooLargeError, match="split it"):
        solo.replica.propose(0, 1, [b"x" * batch_accumulator.GROUP_BYTES_MAX])
    assert solo.replica.log_end_offset == 1


def test_too_much_waiting_for_the_disk_is_refused() -> None:
    """BusyError: bytes count as waiting until advance confirms them."""
    solo = leading()
    value = b"x" * (batch_accumulator.GROUP_BYTES_MAX - 100)
    for _ in range(PENDING_APPEND_BYTES_MAX // batch_accumulator.GROUP_BYTES_MAX):
        solo.replica.propose(0, 1, [value])
    ready = solo.take()
    with pytest.raises(BusyError):
        solo.replica.propose(0, 1, [value])
    solo.replica.advance(0, ready)
    assert solo.replica.propose(0, 1, [value]) == solo.replica.log_end_offset - 1


@pytest.mark.parametrize("values", [[], [b""], [b"a", b""]])
def test_empty_proposals_are_refused(values: list[bytes]) -> None:
    """A group holds a record, and a record holds a byte."""
    with pytest.raises(LocalError):
        leading().replica.propose(0, 1, values)


def test_only_the_leader_of_the_epoch_takes_proposals() -> None:
    """NotLeaderError names the role and the leader that is known."""
    with pytest.raises(NotLeaderError, match="unattached"):
        Solo().replica.propose(0, 0, [b"x"])
    with pytest.raises(NotLeaderError):
        leading().replica.propose(0, 7, [b"x"])


def test_what_was_proposed_survives_the_loss_of_leadership() -> None:
    """What was not framed when the leader resigned stays in its log, so no offset is given out twice."""
    solo = Solo()
    solo.become_leader()
    solo.replica.propose(solo.now_ms, 1, [b"x"])
    solo.follow(2, epoch=2)
    assert solo.replica.log_end_offset == 2
    assert parse_batch(solo.appended[-1]).values() == [b"x"]


def test_readies_are_advanced_in_their_order() -> None:
    """On a slow disk further Readys may be taken, but an advance out of order, or twice, is a bug of the driver."""
    solo = leading()
    solo.replica.propose(0, 1, [b"x"])
    first = solo.take()
    solo.replica.propose(0, 1, [b"y"])
    second = solo.take()
    with pytest.raises(InvariantViolation):
        solo.replica.advance(0, second)
    solo.replica.advance(0, first)
    assert solo.replica.high_watermark == first.log_end_offset, "each advance counts its own appends, and no more"
    with pytest.raises(InvariantViolation):
        solo.replica.advance(0, first)
    solo.replica.advance(0, second)
    assert solo.replica.high_watermark == second.log_end_offset


def following_with_an_append_out() -> tuple[Solo, Ready]:
    """A follower whose disk has not flushed yet what the leader sent."""
    solo = Solo()
    solo.follow(2, epoch=1)
    answer_fetch(solo, FetchResponse(leader=LeaderAndEpoch(2, 1), high_watermark=0, records=batch(0, 3, epoch=1)))
    ready = solo.take()
    assert ready.append
    return solo, ready


def answer_fetch(solo: Solo, response: FetchResponse) -> None:
    """Let the newest fetch be answered, and take no Ready."""
    correlation = solo.last_sent(FetchRequest).correlation
    solo.replica.step(solo.now_ms, ResponseReceived(correlation, response))


def batch(base_offset: int, count: int, epoch: int) -> bytes:
    return encode_batch([b"x"] * count, base_offset=base_offset, epoch=epoch, timestamp_ms=0)


def test_what_a_later_ready_cuts_is_not_counted_as_flushed() -> None:
    """Advancing an append does not count what a Ready that was taken since has cut and rewritten."""
    solo, appended = following_with_an_append_out()
    answer_fetch(solo, FetchResponse(leader=LeaderAndEpoch(2, 1), diverging=OffsetAndEpoch(epoch=0, offset=0)))
    cut = solo.take()
    assert cut.truncate_to == 0
    answer_fetch(solo, FetchResponse(leader=LeaderAndEpoch(2, 1), high_watermark=0, records=batch(0, 5, epoch=1)))
    again = solo.take()
    log = solo.replica.state.log
    for ready, flushed in ((appended, 0), (cut, 0), (again, 5)):
        solo.replica.advance(solo.now_ms, ready)
        assert log.flushed_offset == flushed


def test_a_follower_does_not_blame_its_leader_for_its_own_disk() -> None:
    """While its own disk holds back its fetch the fetch timer waits; from the end of the flush on silence counts."""
    solo, appended = following_with_an_append_out()
    patience_ms = 2 * solo.replica.state.config.fetch_timeout_ms
    for now_ms in (patience_ms, 2 * patience_ms):
        solo.replica.tick(now_ms)
        assert solo.role is Role.FOLLOWER
    solo.replica.advance(2 * patience_ms, appended)
    solo.replica.tick(2 * patience_ms + 1)
    assert solo.role is Role.FOLLOWER, "the leader is given its time to answer"
    solo.replica.tick(3 * patience_ms)
    assert solo.role is Role.PROSPECTIVE


def test_a_candidate_waits_for_its_own_disk() -> None:
    """The election timer of a candidate whose vote is not stored yet waits: no request was sent yet."""
    solo = Solo()
    solo.become_prospective()
    solo.replica.step(solo.now_ms, ResponseReceived(solo.last_sent(VoteRequest, 2).correlation, granted(solo)))
    quarantined = solo.take()
    assert solo.role is Role.CANDIDATE
    solo.replica.tick(solo.now_ms + 100_000)
    assert solo.role is Role.CANDIDATE
    solo.replica.advance(solo.now_ms + 100_000, quarantined)
    solo.replica.tick(solo.now_ms + 100_001)
    assert solo.role is Role.CANDIDATE
    solo.replica.tick(solo.now_ms + 200_000)
    assert solo.role is Role.PROSPECTIVE


def test_what_promises_nothing_does_not_wait_for_a_flush() -> None:
    """While a leader's flush is out it hands over, describes the quorum and refuses ahead of the fsync line."""
    solo = Solo()
    solo.become_leader()
    solo.replica.propose(solo.now_ms, 1, [b"x"])
    solo.take()
    solo.replica.step(solo.now_ms, RequestReceived(51, DescribeQuorumRequest()))
    solo.replica.step(solo.now_ms, RequestReceived(52, fetch(0)))
    solo.replica.step(solo.now_ms, RequestReceived(53, fetch(1, cluster_id="another")))
    solo.replica.resign(solo.now_ms, 1)
    early = solo.replica.ready(solo.now_ms).early
    assert [each.token for each in early if isinstance(each, Reply)] == [51, 52, 53]
    assert {each.node_id for each in early if isinstance(each, Send)} == {2, 3}
    assert all(isinstance(each.request, EndQuorumEpochRequest) for each in early if isinstance(each, Send))


def test_a_leader_that_was_suspended_does_not_believe_old_answers() -> None:
    """After a jump of its clock a fetch that waited in a socket proves nothing: the leader resigns first."""
    solo = Solo()
    solo.become_leader()
    solo.park(fetch(1, 0))
    solo.replica.propose(solo.now_ms, 1, [b"x"])
    solo.drain()
    end, high_watermark = solo.replica.log_end_offset, solo.replica.high_watermark
    solo.now_ms += 10 * solo.replica.state.config.fetch_timeout_ms
    solo.park(fetch(1, end, 1))
    assert solo.role is Role.RESIGNED
    assert solo.replica.high_watermark == high_watermark


def test_a_candidate_that_was_suspended_does_not_count_old_votes() -> None:
    """A vote that waited in a socket beyond the pause after its round does not count; one that came in time does."""
    for past_ms, role in ((-1, Role.LEADER), (0, Role.LEADER), (FIRST_BACK_OFF_MS, Role.PROSPECTIVE)):
        solo = Solo()
        solo.become_candidate()
        solo.now_ms = solo.replica.state.role.deadline_ms + past_ms
        solo.grant(2)
        assert solo.role is role


def test_an_undecided_round_is_followed_by_a_pause_that_grows() -> None:
    """Were the next one to begin at once it would overtake the votes that others are storing."""
    solo = Solo(jitter=FixedJitter(0.99))
    pauses = []
    for _ in range(3):
        solo.become_prospective() if solo.role is Role.UNATTACHED else None
        solo.grant(2)
        assert solo.role is Role.CANDIDATE
        ended_ms = solo.replica.state.role.deadline_ms
        solo.tick(ended_ms)
        assert solo.role is Role.CANDIDATE
        pauses.append(solo.replica.state.role.deadline_ms - ended_ms)
        solo.tick(solo.replica.state.role.deadline_ms)
        assert solo.role is Role.PROSPECTIVE
    assert pauses == sorted(pauses)
    assert FIRST_BACK_OFF_MS // 2 < pauses[0] < pauses[2] <= solo.replica.state.config.election_backoff_max_ms


@pytest.mark.parametrize(
    ("stored", "gives_it"), [(key_of(2), True), (ReplicaKey(2), False), (ReplicaKey(2, b"t" * 16), False)]
)
def test_a_stored_vote_is_given_again_to_the_same_directory_only(stored: ReplicaKey, *, gives_it: bool) -> None:
    """A quorum-state of version 0 does not name the directory that got the vote: then none gets it again."""
    solo = Solo(recovered=RecoveredState(election_state=ElectionState(3, None, stored)))
    assert solo.ask(vote(3, 2)).granted is gives_it


def granted(solo: Solo) -> VoteResponse:
    return VoteResponse(leader=LeaderAndEpoch(None, solo.replica.epoch), granted=True)


def test_resigning_is_checked() -> None:
    """A negative or future epoch is refused, a past one ignored, and only the leader can resign the current one."""
    solo = Solo()
    solo.become_leader()
    for epoch in (-1, 2):
        with pytest.raises(LocalError):
            solo.replica.resign(0, epoch)
    solo.replica.resign(0, 0)
    assert solo.role is Role.LEADER
    with pytest.raises(NotLeaderError):
        Solo().replica.resign(0, 0)


def test_shutdown_hands_over() -> None:
    """A leader that stops names successors and is done as soon as another one leads; a follower is done at once."""
    cluster = Cluster()
    leader = cluster.elect()
    cluster.settle()
    follower = next(node for node in cluster.running() if node is not leader)
    leader.alive.begin_shutdown(cluster.now_ms)
    assert not leader.alive.shutdown_done
    cluster.pump(leader)
    assert cluster.run(300, lambda: leader.alive.shutdown_done)
    follower_now = next(node for node in cluster.running() if node.alive.role is Role.FOLLOWER and node is not leader)
    follower_now.alive.begin_shutdown(cluster.now_ms)
    assert follower_now.alive.shutdown_done
    assert follower in cluster.running()


def test_who_leaves_no_majority_behind_does_not_wait() -> None:
    """A leader that stops waits for no successor once too few voters are reachable to elect one."""
    cluster = Cluster()
    leader = cluster.elect()
    cluster.settle()
    other = next(node for node in cluster.running() if node is not leader)
    cluster.crash(other.key.node_id)
    leader.alive.begin_shutdown(cluster.now_ms)
    assert not leader.alive.shutdown_done, "it was not seen yet that the other one is dead"
    cluster.pump(leader)
    assert cluster.run(500, lambda: leader.alive.shutdown_done)
    assert leader.alive.leader.leader_id == leader.key.node_id, "nobody took over"


def test_a_replica_that_stops_starts_no_election() -> None:
    """A voter that is shutting down never starts an election."""
    solo = Solo()
    solo.replica.begin_shutdown(0)
    for now_ms in range(0, 20_000, 500):
        solo.tick(now_ms)
    assert solo.role is Role.UNATTACHED


def test_a_deadline_that_was_acted_on_is_over() -> None:
    """After a tick at its deadline a replica asks for a later one, so a driver never spins."""
    solo = Solo()
    for _ in range(200):
        deadline_ms = solo.replica.next_deadline_ms()
        assert deadline_ms is not None
        solo.tick(deadline_ms)
        following_ms = solo.replica.next_deadline_ms()
        assert following_ms is None or following_ms > deadline_ms


def test_pending_fetches_are_bounded() -> None:
    """One fetch more than the limit is answered at once, empty."""
    solo = leading()
    for token in range(PENDING_FETCHES_MAX):
        solo.replica.step(0, RequestReceived(token, fetch(1, 1, 1, replica=None, high_watermark=1)))
    assert not solo.replica.has_ready()
    solo._token = PENDING_FETCHES_MAX
    assert solo.ask(fetch(1, 1, 1, replica=None, high_watermark=1)).records == b""
    assert len(solo.replica.state.fetch_purgatory) == PENDING_FETCHES_MAX


def test_one_request_per_node() -> None:
    """Sending to a node that owes an answer is a bug; a reset forgets what was owed."""
    links = RequestManager()
    correlation = links.open(2, fetch(1))
    with pytest.raises(InvariantViolation):
        links.open(2, fetch(1))
    links.reset()
    assert links.close(correlation) is None
    assert links.open(2, fetch(1)) > correlation


def test_being_caught_up_is_relative_to_the_previous_fetch() -> None:
    """KIP-836: a replica that reaches where the leader was at its previous fetch was caught up then."""
    voters = voter_set((1, 2))
    state = Progress(voters).of(key_of(2), voters)
    state.fetched(100, 5, 10)
    assert state.last_caught_up_ms is None
    state.fetched(200, 10, 15)
    assert state.last_caught_up_ms == 100
    state.fetched(300, 15, 15)
    assert state.last_caught_up_ms == 300


def test_progress_moves_with_the_voter_set() -> None:
    """An observer that becomes a voter keeps its progress, and so does a voter that becomes an observer."""
    voters = voter_set((1, 2), directories=True)
    progress = Progress(voters)
    progress.of(key_of(2), voters).fetched(100, 5, 5)
    progress.of(key_of(3), voters).fetched(100, 4, 5)
    progress.set_voters(voter_set((1, 3), directories=True))
    assert progress.end_offset_of(3) == 4
    assert [(state.key, state.end_offset) for state in progress.observers] == [(key_of(2), 5)]


def test_silent_observers_are_forgotten() -> None:
    """An observer is shown for five minutes after its last fetch."""
    voters = voter_set((1,))
    progress = Progress(voters)
    progress.of(key_of(9), voters).fetched(100, 5, 5)
    progress.forget_silent_observers(100 + OBSERVER_SESSION_MS)
    assert len(progress.observers) == progress.count_observers(100 + OBSERVER_SESSION_MS) == 1
    assert progress.count_observers(101 + OBSERVER_SESSION_MS) == 0
    progress.forget_silent_observers(101 + OBSERVER_SESSION_MS)
    assert progress.observers == []


def test_the_leaders_silence_is_measured_from_its_last_answer() -> None:
    """A follower knows for how long its leader has been silent; others but the leader do not."""
    solo = Solo()
    assert solo.replica.leader_silence_ms(5) is None
    solo.follow(2)
    solo.now_ms = 700
    solo.fetched(high_watermark=0)
    assert solo.replica.leader_silence_ms(1_000) == 300
    assert leading().replica.leader_silence_ms(1_000) == 0


def test_the_last_sign_of_a_leader_outlives_its_follower() -> None:
    """A candidate knows when the leader that it followed last answered, also where it never heard of one since."""
    solo = Solo()
    solo.follow(2)
    assert solo.replica.leader_heard_ms is None
    solo.now_ms = 700
    solo.fetched(high_watermark=0)
    solo.tick(700 + 2 * solo.replica.next_deadline_ms())
    assert (solo.replica.role, solo.replica.leader_heard_ms) == (Role.PROSPECTIVE, 700)
    solo.follow(3, epoch=solo.replica.epoch + 1)
    solo.tick(2 * solo.replica.next_deadline_ms())
    assert (solo.replica.role, solo.replica.leader_heard_ms) == (Role.PROSPECTIVE, 700)


def test_who_led_itself_missed_no_leader() -> None:
    """After an own leadership, nothing is left of the leader before it."""
    leader = leading()
    leader.replica.state.leader_heard_ms = 5
    leader.replica.resign(leader.now_ms, leader.replica.epoch)
    assert (leader.replica.role, leader.replica.leader_heard_ms) == (Role.RESIGNED, None)


def test_the_vote_is_shown_in_every_role() -> None:
    """None at first, the candidate that asked, and itself of a candidate and of a leader."""
    voter = Solo()
    assert voter.replica.vote is None
    answer = voter.ask(vote(1))
    assert isinstance(answer, VoteResponse)
    assert answer.granted
    assert (voter.role, voter.replica.vote) == (Role.UNATTACHED, key_of(2))
    voter.follow(2)
    assert voter.replica.vote == key_of(2)
    candidate = Solo()
    candidate.become_candidate()
    assert (candidate.role, candidate.replica.vote) == (Role.CANDIDATE, key_of(1))
    assert leading().replica.vote == key_of(1)


def test_the_epoch_of_the_last_record_is_that_of_the_log() -> None:
    """A new epoch that nothing was written under does not change it."""
    recovered = RecoveredState(election_state=ElectionState(3), log_end_offset=9, epochs=((0, 0), (2, 4)))
    replica = Solo(recovered=recovered).replica
    assert (replica.log_end_epoch, replica.epoch) == (2, 3)
    assert Solo().replica.log_end_epoch == 0


def test_the_quorum_as_of_an_offset() -> None:
    """A snapshot takes the voters and the kraft.version that were in force at its end."""
    cluster = Cluster(dynamic=True)
    cluster.elect(1)
    cluster.settle()
    voters, kraft_version = cluster.replica(1).quorum_at(cluster.nodes[1].committed)
    assert voters is not None
    assert (voters.ids, kraft_version) == ((1, 2, 3), 1)


def test_a_record_at_the_end_of_a_snapshot_is_not_in_it() -> None:
    """The end of a snapshot is exclusive: a voters record at exactly that offset comes after it."""
    history = ((3, voter_set((1,))), (8, voter_set((1, 2))))
    recovered = RecoveredState(log_end_offset=9, epochs=((0, 0),), voters=history)
    replica = Solo(recovered=recovered, static_voters=VoterSet()).replica
    assert [replica.quorum_at(end)[0].ids for end in (8, 9)] == [(1,), (1, 2)]
