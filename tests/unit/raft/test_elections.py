"""Elections on bad days: votes that are asked for twice, batches of the epoch before, slow disks."""

from __future__ import annotations

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.offsets import ORIGIN, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import RequestReceived, ResponseReceived, Role, VotesSlow
from kraftpy.raft.vote_store import VoteStore
from kraftpy.records.batch import encode_control_batch, split_batches
from kraftpy.records.control import voter_set_to_record
from tests.fakes.raft_cluster import Cluster, FixedJitter, voter_set
from tests.fakes.raft_disk import snapshot_bytes
from tests.fakes.raft_solo import Solo, key_of, vote

INCARNATION = b"a life of voter1"[:16]


def vote_request(claimed_incarnation_id: bytes | None) -> VoteRequest:
    return VoteRequest(
        cluster_id="cluster",
        voter=None,
        candidate=key_of(2),
        epoch=3,
        last=ORIGIN,
        claimed_incarnation_id=claimed_incarnation_id,
    )


def killed_before_it_was_proven() -> Solo:
    """Voter 1 of a first start: it stored its vote, and was killed before its directory was marked as proven."""
    voted = ElectionState(epoch=3, voted_key=key_of(2))
    return Solo(
        1, (1, 2), recovered=RecoveredState(election_state=voted, replica_status=ReplicaStatus().as_empty(INCARNATION))
    )


def test_a_vote_that_is_given_again_proves_its_voter_as_the_first_time() -> None:
    """Else the candidate leads, elected by a majority that does not count: no later election would succeed."""
    solo = killed_before_it_was_proven()
    response = solo.ask(vote_request(INCARNATION))
    assert isinstance(response, VoteResponse)
    assert (response.granted, response.ineligible) == (True, False)
    assert [ready.replica_status for ready in solo.readies if ready.replica_status is not None] == [ReplicaStatus()]


@pytest.mark.parametrize("incarnation_id", [None, b"another life...."])
def test_a_vote_is_given_again_only_to_a_candidate_that_names_this_incarnation(incarnation_id: bytes | None) -> None:
    response = killed_before_it_was_proven().ask(vote_request(incarnation_id))
    assert isinstance(response, VoteResponse)
    assert (response.granted, response.ineligible) == (False, True)


@pytest.mark.parametrize(("offset", "granted"), [(2, False), (3, True), (4, True)])
def test_a_vote_is_given_again_only_to_a_candidate_whose_log_is_complete(offset: int, *, granted: bool) -> None:
    """A candidate restarts in its epoch, and its disk may have lost the end of the log that it got the vote for."""
    recovered = RecoveredState(
        election_state=ElectionState(epoch=3, voted_key=key_of(2)),
        log_end_offset=3,
        epochs=((2, 0),),
    )
    response = Solo(1, (1, 2, 3), recovered=recovered).ask(vote(3, candidate=2, last=(2, offset)))
    assert isinstance(response, VoteResponse)
    assert response.granted is granted


def test_batches_of_the_former_epoch_are_written_before_the_next_epoch_begins() -> None:
    """A last voter hears of both in one turn: of the record that removes its leader, and that the leader resigned.

    Written in one step, the log would know that the next epoch began before it was given the last batch of this one.
    """
    both = voter_set((1, 2), directories=True)
    recovered = RecoveredState(voters=((-1, both),), kraft_versions=((-1, 1),))
    solo = Solo(2, (1, 2), recovered=recovered)
    solo.follow(1)
    removal = encode_control_batch(
        [voter_set_to_record(VoterSet.of([both.by_id(2)]))], base_offset=0, epoch=1, timestamp_ms=0
    )
    fetch = solo.last_sent(FetchRequest)
    solo.replica.step(0, ResponseReceived(fetch.correlation, FetchResponse(leader=solo.leader(1), records=removal)))
    ended = EndQuorumEpochRequest(cluster_id="cluster", leader_id=1, epoch=1, preferred_successors=(key_of(2),))
    solo.replica.step(0, RequestReceived(1_000, ended))
    solo.readies.clear()
    solo.tick(0)
    assert solo.role is Role.LEADER
    before, begun = solo.readies[:2]
    assert (before.append, before.epoch_start, before.log_end_offset) == ((removal,), None, 1)
    assert (before.messages, before.early, before.election_state) == ((), (), None), "what is promised waits for all"
    assert begun.epoch_start == OffsetAndEpoch(epoch=2, offset=1)
    assert [batch.epoch for data in begun.append for batch in split_batches(data)] == [2]
    assert not begun.truncate_to


def test_a_voter_waits_for_the_leader_from_the_moment_when_its_vote_is_stored() -> None:
    """Its vote leaves then; a timer that began before would run out while the others are still being asked."""
    solo = Solo()
    solo.replica.step(0, RequestReceived(1, vote(1, 2)))
    given = solo.take()
    assert given.election_state is not None
    deadline_ms = solo.replica.state.role.deadline_ms
    assert deadline_ms is not None
    solo.now_ms = deadline_ms + 500
    solo.replica.tick(solo.now_ms)
    assert solo.role is Role.UNATTACHED, "its vote has not left"
    solo.replica.advance(solo.now_ms, given)
    timeout_ms = solo.replica.state.config.election_timeout_ms
    assert solo.replica.state.role.deadline_ms >= solo.now_ms + timeout_ms


def stored(*durations_ms: int) -> VoteStore:
    store = VoteStore()
    for each in durations_ms:
        store.note(each)
    return store


@pytest.mark.parametrize(
    ("durations_ms", "widened_ms"),
    [
        ((), 1_000),
        ((900,), 1_000),
        ((900, 10), 1_000),
        ((10, 5_000, 10, 10), 1_000),
        ((300, 300), 1_200),
        ((300, 10, 10, 400), 1_200),
        ((300, 300, 10, 10, 10), 1_000),
        ((60_000, 60_000), 4_000),
    ],
)
def test_elections_get_as_much_longer_as_this_disk_needs(durations_ms: tuple[int, ...], widened_ms: int) -> None:
    """One stall is none; a quick disk waits as configured; there is a limit."""
    assert stored(*durations_ms).widened(1_000) == widened_ms


def test_a_disk_that_stores_votes_too_late_is_reported_once_in_a_while() -> None:
    solo = Solo()
    for epoch in range(1, 6):
        solo.replica.step(solo.now_ms, RequestReceived(epoch, vote(epoch, 2)))
        given = solo.take()
        solo.now_ms += 1_500
        solo.replica.advance(solo.now_ms, given)
    solo.drain()
    stated = [event for event in solo.events if isinstance(event, VotesSlow)]
    assert stated == [VotesSlow(1_500, 1_000)]
    assert "controller.quorum.election.timeout.ms of at least 6000" in str(stated[0])
    assert solo.replica.vote_store_ms == 1_500


def test_a_candidate_asks_no_longer_on_a_slow_disk() -> None:
    """How long a vote may count is what the probation of lost disks is reckoned by."""
    solo = Solo(jitter=FixedJitter(0.99))
    solo.replica.state.vote_store = stored(60_000, 60_000)
    solo.become_candidate()
    timeout_ms = solo.replica.state.config.election_timeout_ms
    assert solo.replica.state.role.deadline_ms - solo.now_ms < 2 * timeout_ms


def led_without_a_record(*, dynamic: bool) -> Cluster:
    """1 was elected by 2 in a first start, notified it, and lost its directory before any record was fetched."""
    cluster = Cluster((1, 2, 3), dynamic=dynamic, guarded=True, jitter=lambda node_id: FixedJitter(node_id / 5))
    while cluster.replica(1).role is not Role.LEADER:
        asked = [each for each in cluster.wire if isinstance(each.message, VoteRequest) and not each.message.pre_vote]
        cluster.wire = [each for each in cluster.wire if each not in asked or each.target != 3]
        if cluster.wire:
            cluster.deliver(cluster.wire[0])
        else:
            cluster.advance_to(cluster.next_deadline_ms() or 0)
    while cluster.replica(2).leader.leader_id != 1:
        cluster.deliver(next(each for each in cluster.wire if isinstance(each.message, BeginQuorumEpochRequest)))
    cluster.crash(1)
    leader = cluster.nodes[1]
    key = leader.key
    cluster.wipe(1)
    if dynamic:
        # Its identity, and what a format writes, are stored elsewhere.
        leader.key = key
        leader.disk.snapshots[OffsetAndEpoch(0, 0)] = snapshot_bytes(cluster.static)
    assert all(node.disk.end_offset == 0 for node in cluster.nodes.values())
    cluster.start(1)
    return cluster


@pytest.mark.parametrize("dynamic", [True, False])
def test_voters_that_hold_nothing_elect_although_one_of_them_led(*, dynamic: bool) -> None:
    """Without directory ids in the voter set the former leader may be a duplicate, on its own disk that holds all."""
    cluster = led_without_a_record(dynamic=dynamic)
    assert cluster.run(60_000, lambda: cluster.leader() is not None) is dynamic, cluster.describe()


def test_an_observer_that_heard_of_a_lost_epoch_follows_from_the_next_election_on() -> None:
    """It stays at an epoch it learned of, which may have a leader; and no observer's claim deposes a leader."""
    cluster = Cluster((1, 2, 3), observers=(4,))
    epoch = cluster.elect(1).alive.epoch
    cluster.settle()
    cluster.crash(4)
    cluster.nodes[4].disk.election_state = ElectionState(epoch + 1)
    cluster.start(4)
    cluster.propose(b"written without the observer")
    assert not cluster.run(10_000, cluster.is_settled)
    assert (cluster.replica(1).role, cluster.replica(1).epoch) == (Role.LEADER, epoch)
    cluster.replica(1).resign(cluster.now_ms, epoch)
    cluster.settle()
    assert cluster.replica(4).epoch == cluster.replica(4).leader.epoch == epoch + 1
