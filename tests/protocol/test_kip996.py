"""KIP-996, Pre-Vote: one test per sentence; and how a dead leader is noticed."""

from __future__ import annotations

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import FetchRequest, FetchResponse, VoteRequest, VoteResponse
from kraftpy.raft.ready import Failure, LeaderLost, Role
from tests.fakes.raft_cluster import Cluster, endpoint_of
from tests.fakes.raft_solo import Solo, vote


def prospective_follower() -> Solo:
    solo = Solo()
    solo.follow(2)
    solo.fetched(high_watermark=0)
    solo.become_prospective()
    return solo


def test_a_prospective_does_not_raise_the_epoch() -> None:
    """§Proposed Changes: a pre-vote carries the current epoch, and nothing is stored for it."""
    solo = Solo(recovered=RecoveredState(election_state=ElectionState(4)))
    solo.become_prospective()
    requests = [send.request for send in solo.sent if isinstance(send.request, VoteRequest)]
    assert [(request.pre_vote, request.epoch) for request in requests] == [(True, 4), (True, 4)]
    assert solo.stored == ElectionState(4)


def test_only_a_majority_of_pre_votes_makes_a_candidate() -> None:
    """§Proposed Changes: with a majority of pre-votes the replica becomes candidate in the next epoch."""
    solo = Solo(voters=(1, 2, 3, 4))
    solo.become_prospective()
    solo.grant(2)
    assert solo.role is Role.PROSPECTIVE
    solo.grant(3)
    assert (solo.role, solo.stored) == (Role.CANDIDATE, ElectionState(1, None, solo.replica.key))


def test_granting_a_pre_vote_changes_nothing() -> None:
    """§Proposed Changes: a pre-vote is stored nowhere and may be given to several candidates."""
    solo = Solo()
    assert [solo.ask(vote(0, candidate, pre_vote=True)).granted for candidate in (2, 3)] == [True, True]
    assert solo.stored == ElectionState()


def test_a_pre_vote_of_a_higher_epoch_moves_the_epoch() -> None:
    """§Proposed Changes: the receiver of a higher epoch becomes Unattached in it first."""
    solo = Solo()
    solo.ask(vote(5, pre_vote=True))
    assert solo.stored == ElectionState(5)


@pytest.mark.parametrize(("last", "error"), [((1, 3), ErrorCode.NONE), ((2, 3), ErrorCode.INVALID_REQUEST)])
def test_a_pre_vote_may_end_in_its_own_epoch(last: tuple[int, int], error: ErrorCode) -> None:
    """§Vote v2: a pre-vote is invalid only if its log ends above its epoch."""
    assert Solo().ask(vote(1, last=last, pre_vote=True)).partition_error is error


def test_a_follower_in_touch_refuses_pre_votes() -> None:
    """§Proposed Changes: a follower that fetched from its leader refuses; one that never did may grant."""
    solo = Solo()
    solo.follow(2)
    assert solo.ask(vote(1, 3, pre_vote=True)).granted
    solo.fetched(high_watermark=0)
    assert not solo.ask(vote(1, 3, pre_vote=True)).granted


def test_a_leader_refuses_pre_votes() -> None:
    """§Proposed Changes: a leader grants nothing in its epoch."""
    solo = Solo()
    solo.become_leader()
    assert not solo.ask(vote(1, 3, pre_vote=True, last=(1, 9))).granted


def test_a_candidate_grants_pre_votes() -> None:
    """§Proposed Changes: a candidate grants a pre-vote to an up-to-date log."""
    solo = Solo()
    solo.become_candidate()
    assert solo.ask(vote(1, 3, pre_vote=True)).granted


def test_a_resigned_leader_grants_pre_votes() -> None:
    """Divergence: Kafka's resigned leader refuses, so that two voters wait for its election timer; ours grants."""
    solo = Solo()
    solo.become_leader()
    epoch = solo.replica.epoch
    solo.replica.resign(solo.now_ms, epoch)
    end = solo.replica.state.log.end
    assert not solo.ask(vote(epoch, 3, pre_vote=True, last=(end.epoch, end.offset - 1))).granted
    assert solo.ask(vote(epoch, 3, pre_vote=True, last=(end.epoch, end.offset))).granted
    assert solo.role is Role.RESIGNED


def test_a_lost_pre_vote_leads_back_to_a_live_leader() -> None:
    """§Proposed Changes: a Prospective that knows its leader and would not win follows it again, in the same epoch."""
    solo = prospective_follower()
    solo.grant(2, granted=False)
    assert solo.role is Role.PROSPECTIVE
    solo.grant(3, granted=False)
    assert (solo.role, solo.replica.leader) == (Role.FOLLOWER, LeaderAndEpoch(2, 1))


def test_the_leaders_own_word_ends_the_doubt() -> None:
    """§Proposed Changes: a Prospective that hears from its leader follows it again."""
    solo = prospective_follower()
    solo.follow(2)


def test_a_vote_survives_the_roles_of_an_epoch() -> None:
    """§Proposed Changes: within an epoch the vote is kept through Unattached, Prospective and Follower."""
    solo = Solo()
    solo.ask(vote(1, 3))
    solo.become_prospective()
    assert solo.replica.state.role.voted_key.node_id == 3
    solo.follow(3)
    assert (solo.stored.voted_key.node_id, solo.stored.leader_id) == (3, 3)


def test_a_peer_without_pre_votes_is_asked_for_a_vote() -> None:
    """§Compatibility: when a voter does not know pre-votes, the replica starts an election at once."""
    solo = Solo()
    solo.become_prospective()
    solo.fail(solo.last_sent(VoteRequest, 2), Failure.UNSUPPORTED_VERSION)
    assert (solo.role, solo.replica.epoch) == (Role.CANDIDATE, 1)
    assert not solo.last_sent(VoteRequest, 2).request.pre_vote


def test_a_lost_election_is_followed_by_a_short_pause() -> None:
    """Divergence: after a lost election the replica asks again within 50 ms, not after the election timer."""
    solo = Solo()
    solo.become_candidate()
    lost_ms = solo.now_ms
    solo.grant(2, granted=False)
    solo.grant(3, granted=False)
    assert solo.replica.state.role.deadline_ms <= lost_ms + 50
    solo.tick(lost_ms + 50)
    assert (solo.role, solo.replica.epoch) == (Role.PROSPECTIVE, 1)


def test_a_newer_epoch_in_an_answer_ends_the_candidacy() -> None:
    """§Vote: a candidate that hears of a higher epoch gives up and follows its leader."""
    solo = Solo()
    solo.become_candidate()
    answer = VoteResponse(leader=LeaderAndEpoch(3, 6), leader_endpoints=(endpoint_of(3),))
    solo.answer(solo.last_sent(VoteRequest, 2), answer)
    assert (solo.role, solo.replica.leader) == (Role.FOLLOWER, LeaderAndEpoch(3, 6))


# A dead leader


def test_a_cut_and_refused_leader_is_lost() -> None:
    """Divergence: a fetch that is cut is repeated at once; refused then, the leader's process is gone."""
    solo = Solo()
    solo.follow(2)
    solo.fetched(high_watermark=0)
    first = solo.last_sent(FetchRequest)
    solo.fail(first, Failure.DISCONNECTED)
    second = solo.last_sent(FetchRequest)
    assert second.correlation > first.correlation
    assert not solo.ask(vote(1, 3, pre_vote=True)).granted
    solo.fail(second, Failure.REFUSED)
    assert LeaderLost(2, 1) in solo.events
    assert solo.ask(vote(1, 3, pre_vote=True)).granted
    assert solo.replica.state.role.deadline_ms <= solo.now_ms + 10
    assert solo.replica.leader_is_lost
    solo.tick(10)
    assert (solo.role, solo.replica.leader.leader_id, solo.replica.leader_is_lost) == (Role.PROSPECTIVE, 2, True)


def test_time_outs_alone_wait_for_the_fetch_timeout() -> None:
    """Divergence: a cut network, which shows as time-outs only, still waits for the fetch timeout."""
    solo = Solo()
    solo.follow(2)
    for _ in range(3):
        solo.fail(solo.last_sent(FetchRequest), Failure.TIMED_OUT)
    assert solo.replica.state.role.deadline_ms == 2_000
    assert LeaderLost(2, 1) not in solo.events


def test_a_leader_that_answers_again_is_not_lost() -> None:
    """Divergence: a fetch that succeeds takes the doubt back."""
    solo = Solo(3)
    solo.follow(2)
    solo.fail(solo.last_sent(FetchRequest), Failure.DISCONNECTED)
    solo.fail(solo.last_sent(FetchRequest), Failure.REFUSED)
    solo.tick(20)
    solo.fetched(high_watermark=0)
    assert solo.replica.state.role.deadline_ms > 2_000
    assert not solo.replica.leader_is_lost
    assert not solo.ask(vote(1, 1, pre_vote=True)).granted


def test_a_leader_that_reports_that_it_is_none_is_lost() -> None:
    """Divergence: the leader's own NOT_LEADER_OR_FOLLOWER in our epoch says that it resigned or restarted."""
    solo = Solo()
    solo.follow(2)
    answer = FetchResponse(partition_error=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=LeaderAndEpoch(2, 1))
    solo.answer(solo.last_sent(FetchRequest), answer)
    assert LeaderLost(2, 1) in solo.events


@pytest.mark.parametrize("seed", range(20))
def test_a_killed_leader_is_replaced_within_200_ms(seed: int) -> None:
    """Target: with three voters, from the kill to the next committed record well under 300 ms."""
    cluster = Cluster(seed=seed)
    leader = cluster.elect()
    cluster.settle()
    killed_ms = cluster.now_ms
    cluster.crash(leader.id)
    cluster.elect()
    assert cluster.now_ms - killed_ms < 200


def test_a_cut_off_voter_does_not_disturb_the_leader() -> None:
    """§Motivation: a voter that was cut off for long comes back without a higher epoch."""
    cluster = Cluster()
    leader = cluster.elect()
    other = next(node_id for node_id in cluster.nodes if node_id != leader.id)
    cluster.isolate(other)
    cluster.run(20_000)
    cluster.heal()
    cluster.run(5_000)
    assert (cluster.leader(), leader.alive.epoch) == (leader, cluster.replica(other).epoch)
