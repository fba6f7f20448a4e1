"""What a recovered voter answers to old voters that return, as Raft sees it: the plan's guarantees, one by one."""

from __future__ import annotations

import pytest

from kraftpy.disaster_recovery.recovery import apply_plan
from kraftpy.disaster_recovery.recovery_plan import RecoveryOptions, make_plan
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.messages import BeginQuorumEpochRequest, VoteRequest
from kraftpy.raft.ready import Role
from kraftpy.runtime.recovered_state import recovered_state
from tests.fakes.raft_cluster import endpoint_of
from tests.fakes.raft_solo import Solo, key_of
from tests.unit.disaster_recovery.quorums import opened, survey, three

OLD_EPOCH = 3
LONGER = OffsetAndEpoch(epoch=OLD_EPOCH, offset=10_000)


def returned(*survivors, dynamic=False):
    """Node 1 as it starts after a recovery from these survivors of five, and the plan."""
    fs = three({one: [(OLD_EPOCH, 5)] for one in survivors}, ids=(1, 2, 3, 4, 5), dynamic=dynamic)
    plan = make_plan(survey(fs, *survivors), RecoveryOptions())
    apply_plan(fs, plan, "digest")
    # A static quorum's configuration was changed as the plan says; a dynamic one has its voters in the log.
    return Solo(1, survivors, recovered=recovered_state(opened(fs, 1)), cluster_id=None), plan


def vote(epoch, *, pre_vote=False, candidate=3, last=LONGER):
    return VoteRequest(
        cluster_id=None, voter=key_of(1), candidate=key_of(candidate), epoch=epoch, last=last, pre_vote=pre_vote
    )


@pytest.mark.parametrize("dynamic", [False, True])
def test_the_only_voter_leads_the_epoch_after(dynamic):
    """It needs no other node, and its epoch is beyond the recovery's."""
    solo, plan = returned(1, dynamic=dynamic)
    assert (solo.replica.role, solo.replica.epoch) == (Role.LEADER, plan.epoch + 1)
    assert solo.replica.voters.ids == (1,)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("pre_vote", [True, False])
def test_an_old_epoch_is_refused_and_the_new_one_sent(dynamic, pre_vote):
    """The refusal carries the epoch that the old voter must go on from."""
    solo, plan = returned(1, 2, dynamic=dynamic)
    answer = solo.ask(vote(OLD_EPOCH + 7, pre_vote=pre_vote))
    assert (answer.granted, answer.partition_error) == (False, ErrorCode.FENCED_LEADER_EPOCH)
    assert answer.leader.epoch == plan.epoch


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("pre_vote", [True, False])
@pytest.mark.parametrize("ahead", [0, 1, 1_000])
def test_a_longer_old_log_gets_no_vote_in_any_epoch(dynamic, pre_vote, ahead):
    """Not in the recovery's own epoch, and not in later ones that an old voter may have learnt."""
    solo, plan = returned(1, 2, dynamic=dynamic)
    answer = solo.ask(vote(plan.epoch + ahead, pre_vote=pre_vote))
    assert not answer.granted


def test_the_other_recovered_voter_gets_one():
    """It has the record of the recovery's epoch."""
    solo, plan = returned(1, 2)
    end = OffsetAndEpoch(epoch=plan.epoch, offset=plan.base.end.offset + 1)
    assert solo.ask(vote(plan.epoch + 1, candidate=2, last=end)).granted


def test_an_old_voter_believes_the_new_epoch():
    """The jump is one that a node still takes for possible."""
    _, plan = returned(1)
    old = Solo(3, (1, 2, 3, 4, 5), cluster_id=None)
    begin = BeginQuorumEpochRequest(
        cluster_id=None, voter=key_of(3), leader_id=1, epoch=plan.epoch + 1, leader_endpoints=(endpoint_of(1),)
    )
    assert old.ask(begin).partition_error is ErrorCode.NONE
    assert (old.replica.leader.leader_id, old.replica.epoch) == (1, plan.epoch + 1)
