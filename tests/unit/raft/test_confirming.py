"""Confirmed leadership: a ticket is confirmed only by voters that were asked after it was taken, and that remember."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.errors import ErrorCode, NotLeaderError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.replica_status import ReplicaStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import BeginQuorumEpochRequest, BeginQuorumEpochResponse
from kraftpy.raft.ready import Failure, Role
from tests.fakes.raft_cluster import Cluster
from tests.fakes.raft_solo import Solo, fetch, key_of


def leading(voters=(1, 2, 3)):
    """A leader of epoch 1 whose first BeginQuorumEpoch requests are answered."""
    solo = Solo(voters=voters)
    solo.become_prospective()
    for role in (Role.PROSPECTIVE, Role.CANDIDATE):
        for voter in voters[1:]:
            if solo.role is role:
                solo.grant(voter)
    assert solo.role is Role.LEADER
    for send in questions(solo):
        solo.answer(send, granted(solo))
    solo.sent.clear()
    return solo


def questions(solo):
    return [send for send in solo.sent if isinstance(send.request, BeginQuorumEpochRequest)]


def granted(solo, **fields):
    return BeginQuorumEpochResponse(leader=LeaderAndEpoch(1, solo.replica.epoch), **fields)


def ticket_of(solo):
    ticket = solo.replica.request_confirmation(solo.now_ms, solo.replica.epoch)
    solo.drain()
    return ticket


def confirmed(solo, epoch=1):
    return solo.replica.confirmed(epoch)


def test_the_only_voter_has_confirmed_it_already():
    solo = Solo(voters=(1,))
    assert solo.role is Role.LEADER
    assert ticket_of(solo) == confirmed(solo)
    assert questions(solo) == []


def test_one_question_per_voter_confirms_all_tickets_of_a_turn_without_a_record():
    solo = leading()
    end = solo.replica.log_end_offset
    tickets = [solo.replica.request_confirmation(solo.now_ms, 1) for _ in range(64)]
    solo.drain()
    assert [send.node_id for send in questions(solo)] == [2, 3]
    assert confirmed(solo) < tickets[0]
    solo.answer(questions(solo)[0], granted(solo))
    assert confirmed(solo) == tickets[-1]
    assert (solo.replica.log_end_offset, len(questions(solo))) == (end, 2)


def test_a_ticket_that_comes_while_a_question_is_under_way_waits_for_the_next_one():
    solo = leading()
    first, second = ticket_of(solo), ticket_of(solo)
    (earlier, _) = questions(solo)
    solo.answer(earlier, granted(solo))
    assert confirmed(solo) == first
    later = questions(solo)[-1]
    assert (later.node_id, later.correlation > earlier.correlation) == (2, True)
    solo.answer(later, granted(solo))
    assert confirmed(solo) == second


def test_an_answer_to_a_question_that_was_given_up_confirms_nothing():
    solo = leading()
    ticket = ticket_of(solo)
    late = questions(solo)[0]
    solo.fail(late, Failure.TIMED_OUT)
    solo.answer(late, granted(solo))
    assert confirmed(solo) < ticket


def test_a_question_that_fails_is_asked_again_after_the_back_off():
    solo = leading()
    ticket = ticket_of(solo)
    for send in questions(solo):
        solo.fail(send, Failure.DISCONNECTED)
    assert len(questions(solo)) == 2
    assert solo.replica.next_deadline_ms() == solo.now_ms + 20
    solo.tick(solo.now_ms + 20)
    assert [send.node_id for send in questions(solo)] == [2, 3, 2, 3]
    solo.answer(questions(solo)[-1], granted(solo))
    assert confirmed(solo) == ticket


def test_no_voter_is_asked_when_a_majority_has_confirmed():
    solo = leading()
    ticket_of(solo)
    solo.answer(questions(solo)[0], granted(solo))
    solo.fail(questions(solo)[1], Failure.DISCONNECTED)
    solo.tick(solo.now_ms + 100)
    assert len(questions(solo)) == 2


def test_five_voters_need_two_others():
    solo = leading((1, 2, 3, 4, 5))
    ticket = ticket_of(solo)
    asked = {send.node_id: send for send in questions(solo)}
    solo.answer(asked[4], granted(solo))
    assert confirmed(solo) < ticket
    solo.answer(asked[2], granted(solo))
    assert confirmed(solo) == ticket


@pytest.mark.parametrize(
    "answer",
    [
        {"ineligible": True},
        {"partition_error": ErrorCode.INVALID_VOTER_KEY},
        {"partition_error": ErrorCode.INVALID_REQUEST},
        {"error": ErrorCode.INCONSISTENT_CLUSTER_ID},
    ],
)
def test_a_voter_that_may_have_forgotten_its_vote_or_refuses_confirms_nothing(answer):
    solo = leading()
    ticket = ticket_of(solo)
    solo.answer(questions(solo)[0], granted(solo, **answer))
    assert confirmed(solo) < ticket


def test_the_answer_of_another_directory_than_the_one_that_is_counted_confirms_nothing():
    solo = leading()
    solo.ask(fetch(1, 0, max_wait_ms=0))
    duplicate = ReplicaKey(2, b"\x0c" * 16)
    ticket = ticket_of(solo)
    solo.answer(questions(solo)[0], granted(solo, directory_id=duplicate.directory_id))
    assert (confirmed(solo) < ticket, len(questions(solo))) == (True, 2)
    solo.tick(solo.now_ms + 20)
    solo.answer(questions(solo)[-1], granted(solo, directory_id=key_of(2).directory_id))
    assert confirmed(solo) == ticket


def test_a_later_epoch_ends_all_tickets():
    solo = leading()
    ticket_of(solo)
    fenced = BeginQuorumEpochResponse(partition_error=ErrorCode.FENCED_LEADER_EPOCH, leader=LeaderAndEpoch(3, 2))
    solo.answer(questions(solo)[0], fenced)
    assert (solo.role is Role.LEADER, confirmed(solo)) == (False, None)
    with pytest.raises(NotLeaderError, match="does not lead epoch 1"):
        solo.replica.request_confirmation(solo.now_ms, 1)


def test_confirmations_do_not_keep_a_leadership():
    """Check-quorum goes by fetches: a voter that answers and does not fetch gets no records."""
    solo = leading()
    deadline_ms = solo.replica.state.role.check_quorum_deadline_ms
    solo.now_ms = deadline_ms - 1
    ticket_of(solo)
    for send in questions(solo):
        solo.answer(send, granted(solo))
    assert solo.replica.state.role.check_quorum_deadline_ms == deadline_ms
    solo.tick(deadline_ms)
    assert solo.role is Role.RESIGNED
    assert confirmed(solo) is None


def test_a_voter_answers_before_its_flush_and_states_who_it_is():
    solo = Solo(node_id=2)
    question = BeginQuorumEpochRequest(cluster_id="cluster", voter=None, leader_id=1, epoch=1)
    token = solo.park(question)
    assert token in solo.early
    answer = solo.replies[token].response
    assert (answer.ineligible, answer.directory_id) == (False, key_of(2).directory_id)
    assert solo.stored.epoch == 1


def test_an_ineligible_voter_reports_it():
    solo = Solo(node_id=2)
    solo.replica.state.status = ReplicaStatus().as_recovering("its disk was lost")
    question = BeginQuorumEpochRequest(cluster_id="cluster", voter=None, leader_id=1, epoch=1)
    assert solo.ask(question).ineligible


def test_a_voter_whose_disk_was_lost_does_not_confirm_the_leader_that_it_helped_to_depose():
    """Voter 3 votes for 2 in the next epoch, loses its disk, and hears of the old leader, cut off until now, first."""
    cluster = Cluster(guarded=True)
    cluster.elect(1)
    cluster.settle()
    cluster.isolate(1)
    cluster.elect(2)
    old, epoch = cluster.replica(1), cluster.replica(1).epoch
    assert old.role is Role.LEADER
    cluster.crash(3)
    cluster.wipe(3)
    cluster.heal()
    cluster.isolate(2)
    cluster.start(3)
    ticket = old.request_confirmation(cluster.now_ms, epoch)
    cluster.pump(cluster.nodes[1])
    begins = (BeginQuorumEpochRequest, BeginQuorumEpochResponse)
    cluster.deliver_all(lambda each: {each.source, each.target} == {1, 3} and isinstance(each.message, begins))
    assert cluster.replica(3).leader == LeaderAndEpoch(1, epoch)
    assert old.role is Role.LEADER
    assert old.confirmed(epoch) < ticket


def test_a_leader_that_left_the_voter_set_does_not_count_itself():
    solo = leading()
    state = solo.replica.state
    state.config = replace(state.config, can_vote=False)
    ticket = ticket_of(solo)
    solo.answer(questions(solo)[0], granted(solo))
    assert confirmed(solo) < ticket
    solo.answer(questions(solo)[1], granted(solo))
    assert confirmed(solo) == ticket


def test_voices_of_different_times_are_not_added_up():
    """Of five voters one fetches at +10 ms and another at +2,900 ms: both were in touch at +10 ms, not later."""
    solo = leading((1, 2, 3, 4, 5))
    start_ms = solo.now_ms
    solo.now_ms = start_ms + 10
    solo.ask(fetch(1, 0, replica=2, max_wait_ms=0))
    solo.now_ms = start_ms + 2_900
    solo.ask(fetch(1, 0, replica=3, max_wait_ms=0))
    assert solo.replica.leader_silence_ms(solo.now_ms) == 2_890
    assert solo.replica.state.role.check_quorum_deadline_ms == start_ms + 10 + 3_000
    solo.tick(start_ms + 3_010)
    assert solo.role is Role.RESIGNED
