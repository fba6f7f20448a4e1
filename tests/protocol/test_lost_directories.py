"""The sentences of ``guards.voter_eligibility``, one test each: a voter whose directory was found empty."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.replica_status import ReplicaStatus, VoterStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.epoch_limit import FORGOTTEN_EPOCHS
from kraftpy.raft.messages import (
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import DuplicateNodeIdRejected, ElectionLeftToOthers, Failure, NoElectableVoter, Role
from kraftpy.raft.timing import TRUST_WAIT_TIMEOUTS
from tests.fakes.raft_cluster import Cluster
from tests.fakes.raft_solo import Solo, batch, caught_up, fetch, key_of, vote

INCARNATION, OTHER_INCARNATION = b"L" * 16, b"M" * 16
EMPTY = RecoveredState(replica_status=ReplicaStatus().as_empty(INCARNATION))
REFUSED = ReplicaStatus().as_duplicate("leader 2 counts another directory as voter 1")
PROBATION_MS = (2 * 1_000 + 1_000 + 3_000) * 5 // 4


def empty(**more: object) -> Solo:
    return Solo(recovered=EMPTY, **more)


def marks(solo: Solo) -> list[bool]:
    """What was stored of the eligibility, in order."""
    return [ready.replica_status.is_eligible for ready in solo.readies if ready.replica_status is not None]


def reports_empty(
    solo: Solo, voter_id: int, *, up_ms: int = 10_000, incarnation_id: bytes | None = OTHER_INCARNATION
) -> None:
    """Let a voter answer the pre-vote in flight: it holds nothing."""
    answer = VoteResponse(
        leader=solo.leader(None),
        ineligible=incarnation_id is not None,
        incarnation_id=incarnation_id,
        empty_for_ms=up_ms,
    )
    solo.answer(solo.last_sent(VoteRequest, voter_id), answer)


# No votes.


def test_a_recovering_voter_gives_no_vote_and_no_pre_vote() -> None:
    solo = empty()
    for request in (
        vote(1, 2, pre_vote=True),
        vote(1, 2),
        vote(2, 3, last=(1, 9), claimed_incarnation_id=OTHER_INCARNATION),
    ):
        answer = solo.ask(request)
        assert (answer.granted, answer.ineligible, answer.incarnation_id) == (False, True, INCARNATION)
    assert marks(solo) == []


def test_pre_votes_of_all_others_do_not_elect_a_recovering_voter() -> None:
    """Its own vote does not count, and those who grant hold something, or would have said that they do not."""
    solo = empty()
    solo.become_prospective()
    solo.grant(2)
    solo.grant(3)
    assert solo.role is Role.UNATTACHED
    assert solo.replica.epoch == 0


def test_a_peer_without_pre_votes_does_not_make_it_a_candidate() -> None:
    solo = empty()
    solo.become_prospective()
    solo.fail(solo.last_sent(VoteRequest, 2), Failure.UNSUPPORTED_VERSION)
    assert solo.role is Role.PROSPECTIVE


def test_a_stored_candidacy_is_not_gone_on_with() -> None:
    """A directory that was rejected while it was a candidate keeps its status file over a restart."""
    state = ElectionState(3, None, key_of(1))
    solo = Solo(
        recovered=RecoveredState(election_state=state, log_end_offset=2, epochs=((2, 0),), replica_status=REFUSED)
    )
    assert solo.role is Role.UNATTACHED
    for now_ms in range(0, 20_000, 500):
        solo.tick(now_ms)
    assert not any(isinstance(send.request, VoteRequest) for send in solo.sent), "it holds something"


# An operator who trusts empty directories.


TRUST_WAIT_MS = TRUST_WAIT_TIMEOUTS * 1_000


def trusted(**more: object) -> Solo:
    return Solo(trusts_empty_directory=True, **more)


def test_a_trusted_empty_voter_begins_beyond_the_epochs_that_may_be_known_elsewhere() -> None:
    """Two logs with other records and the same epoch cannot be distinguished."""
    assert trusted().replica.epoch == trusted().stored.epoch == FORGOTTEN_EPOCHS
    assert Solo().replica.epoch == 0
    later = RecoveredState(log_end_offset=2, epochs=((2, 0),))
    assert trusted(recovered=later).replica.epoch == 2


@pytest.mark.parametrize("last_leader", [1, 3])
@pytest.mark.parametrize("holder_starts_ms", [-500, 0, 200, 3_000])
@pytest.mark.parametrize("seed", range(3))
def test_two_trusted_empty_voters_elect_the_one_that_has_the_records(
    last_leader: int, holder_starts_ms: int, seed: int
) -> None:
    """They elect one of their own, before or while it starts, and its log is truncated."""
    cluster = Cluster((1, 2, 3), seed=seed, guarded=True, check=False)
    cluster.elect(last_leader)
    cluster.propose(b"precious")
    cluster.run(5_000)
    lose_a_majority(cluster)
    if holder_starts_ms < 0:
        cluster.start(3)
        cluster.run(-holder_starts_ms)
    cluster.start(1)
    cluster.start(2)
    if holder_starts_ms >= 0:
        cluster.run(holder_starts_ms)
        cluster.start(3)
    cluster.run(40_000, until=lambda: cluster.leader() is not None)
    cluster.run(5_000)
    assert b"precious" in [value for _, _, value in cluster.leader().disk.values()]


@pytest.mark.parametrize("seed", range(3))
def test_they_wait_for_it_although_the_setting_is_gone_before_there_is_a_leader(seed: int) -> None:
    """The log asks to take the setting away, and a second start elects one of them at once."""
    cluster = Cluster((1, 2, 3), seed=seed, guarded=True, check=False)
    cluster.elect(3)
    cluster.propose(b"precious")
    cluster.run(5_000)
    lose_a_majority(cluster)
    for trusts in (True, False):
        for node_id in (1, 2):
            cluster.nodes[node_id].config = replace(cluster.nodes[node_id].config, trusts_empty_directory=trusts)
            cluster.start(node_id)
        cluster.run(2_000)
        assert cluster.leader() is None
        if trusts:
            cluster.crash(1)
            cluster.crash(2)
    cluster.start(3)
    cluster.run(40_000, until=lambda: cluster.leader() is not None)
    cluster.run(5_000)
    assert b"precious" in [value for _, _, value in cluster.leader().disk.values()]


@pytest.mark.parametrize("seed", range(3))
def test_without_the_one_that_has_the_records_the_empty_ones_go_on(seed: int) -> None:
    """And its log is not taken for theirs when it comes at last."""
    cluster = Cluster((1, 2, 3), seed=seed, guarded=True, check=False)
    cluster.elect(3)
    cluster.propose(b"precious")
    cluster.run(5_000)
    lose_a_majority(cluster)
    # The operator gives them up.
    cluster.committed.clear()
    cluster.start(1)
    cluster.start(2)
    cluster.run(4 * TRUST_WAIT_MS, until=lambda: cluster.leader() is not None)
    cluster.propose(b"new")
    cluster.run(5_000)
    cluster.start(3)
    cluster.run(20_000)
    logs = [[value for _, _, value in cluster.nodes[node_id].disk.values()] for node_id in (1, 2, 3)]
    assert logs[0] == logs[1] == logs[2]
    assert b"new" in logs[2]
    assert b"precious" not in logs[2]


def lose_a_majority(cluster: Cluster) -> None:
    """Stop all, and let 1 and 2 have empty directories that count."""
    for node_id in (1, 2, 3):
        cluster.crash(node_id)
    for node_id in (1, 2):
        cluster.wipe(node_id)
        node = cluster.nodes[node_id]
        node.disk.replica_status = node.disk.replica_status.as_eligible()
        node.config = replace(node.config, trusts_empty_directory=True)


def test_a_trusted_empty_voter_is_not_elected_over_one_that_rejects_it() -> None:
    """The one that still has the records is elected, whichever asks first."""
    for first, second in ((2, 3), (3, 2)):
        solo = trusted()
        solo.become_prospective()
        solo.grant(first, granted=first == 2)
        assert solo.role is Role.PROSPECTIVE, "the other may hold records"
        solo.grant(second, granted=second == 2)
        assert solo.role is Role.UNATTACHED
        assert solo.replica.epoch == FORGOTTEN_EPOCHS
    assert solo.ask(vote(FORGOTTEN_EPOCHS + 1, 3, last=(1, 9))).granted


def test_a_trusted_empty_voter_waits_for_one_that_cannot_be_reached() -> None:
    """A pod that is not up yet may hold the records."""
    solo = trusted()
    solo.become_prospective()
    solo.grant(2)
    solo.fail(solo.last_sent(VoteRequest, 3), Failure.REFUSED)
    assert solo.role is Role.UNATTACHED
    assert ElectionLeftToOthers((3,)) in solo.events
    assert "voters 3" in str(solo.replica.leaderless_because)
    solo.tick(TRUST_WAIT_MS)
    while solo.role is Role.UNATTACHED:
        solo.become_prospective()
    solo.grant(2)
    solo.fail(solo.last_sent(VoteRequest, 3), Failure.REFUSED)
    assert solo.role is Role.CANDIDATE


def test_a_trusted_empty_voter_waits_again_after_each_rejection() -> None:
    """The one that has the records may need longer than its rejections come."""
    solo = trusted()
    for now_ms in range(1_000, 3 * TRUST_WAIT_MS, 1_000):
        solo.tick(now_ms)
        while solo.role is Role.UNATTACHED:
            solo.become_prospective()
        solo.grant(3, granted=False)
        solo.grant(2)
        assert solo.role is Role.UNATTACHED
    solo.tick(solo.now_ms + TRUST_WAIT_MS - 2_000)
    while solo.role is Role.UNATTACHED:
        solo.become_prospective()
    solo.grant(2)
    solo.fail(solo.last_sent(VoteRequest, 3), Failure.REFUSED)
    assert solo.role is Role.UNATTACHED


def test_a_trusted_empty_voter_does_not_count_the_rejection_of_one_that_is_recovering() -> None:
    """That one can never be elected: what it still had is lost, as the operator said."""
    solo = trusted()
    solo.become_prospective()
    solo.grant(2)
    rejection = VoteResponse(leader=solo.leader(None), granted=False, ineligible=True)
    solo.answer(solo.last_sent(VoteRequest, 3), rejection)
    assert solo.role is Role.CANDIDATE


def test_a_trusted_empty_voter_waits_for_a_silent_one() -> None:
    solo = trusted()
    solo.become_prospective()
    solo.grant(2)
    assert solo.role is Role.PROSPECTIVE
    solo.tick(TRUST_WAIT_MS)
    while solo.role is not Role.PROSPECTIVE:
        solo.become_prospective()
    solo.grant(2)
    assert solo.role is Role.CANDIDATE


def test_a_trusted_empty_voter_does_not_pass_over_pre_votes() -> None:
    solo = trusted()
    solo.become_prospective()
    solo.fail(solo.last_sent(VoteRequest, 2), Failure.UNSUPPORTED_VERSION)
    assert solo.role is Role.PROSPECTIVE


# A first start.


def test_when_all_report_that_they_are_empty_it_starts_an_election_and_is_proven() -> None:
    solo = empty()
    solo.become_prospective()
    reports_empty(solo, 2)
    assert solo.role is Role.PROSPECTIVE, "a majority is not enough"
    reports_empty(solo, 3)
    assert solo.role is Role.CANDIDATE
    assert marks(solo) == [True]
    claims = [send.request.claimed_incarnation_id for send in solo.sent if isinstance(send.request, VoteRequest)][-2:]
    assert claims == [OTHER_INCARNATION, OTHER_INCARNATION]


def test_the_mark_is_gone_before_the_vote_leaves() -> None:
    """Both are in one Ready, which removes the status before it sends."""
    solo = empty()
    solo.become_prospective()
    reports_empty(solo, 2)
    reports_empty(solo, 3)
    [ready] = [ready for ready in solo.readies if ready.replica_status is not None and ready.replica_status.is_eligible]
    assert any(isinstance(getattr(message, "request", None), VoteRequest) for message in ready.messages)
    assert ready.election_state == ElectionState(1, None, key_of(1))


def test_one_that_holds_something_makes_it_no_first_start() -> None:
    solo = empty()
    solo.become_prospective()
    reports_empty(solo, 2)
    solo.grant(3, granted=False)
    assert solo.role is Role.UNATTACHED
    assert NoElectableVoter((1, 2), (3,), ()) in solo.events
    assert "voters 1, 2 started with empty" in str(solo.replica.leaderless_because)


def test_one_that_does_not_answer_makes_it_no_first_start() -> None:
    solo = empty()
    solo.become_prospective()
    reports_empty(solo, 2)
    solo.fail(solo.last_sent(VoteRequest, 3), Failure.REFUSED)
    assert solo.role is Role.UNATTACHED
    assert NoElectableVoter((1, 2), (), (3,)) in solo.events


def test_an_answer_of_a_process_that_began_after_the_question_does_not_count() -> None:
    """Its former self may have helped to commit something after the others answered."""
    solo = empty()
    solo.become_prospective()
    reports_empty(solo, 2)
    solo.now_ms += 300
    reports_empty(solo, 3, up_ms=299)
    assert solo.role is Role.UNATTACHED
    again = empty()
    again.become_prospective()
    reports_empty(again, 2)
    again.now_ms += 300
    reports_empty(again, 3, up_ms=300)
    assert again.role is Role.CANDIDATE


def test_proven_voters_that_are_empty_take_part() -> None:
    """A first start that ended after its first votes goes on."""
    solo = empty()
    solo.become_prospective()
    reports_empty(solo, 2, incarnation_id=None)
    reports_empty(solo, 3)
    assert solo.role is Role.CANDIDATE


def test_a_claim_by_its_present_incarnation_is_voted_for_and_proves() -> None:
    solo = empty()
    answer = solo.ask(vote(1, 2, claimed_incarnation_id=INCARNATION))
    assert (answer.granted, answer.ineligible) == (True, False)
    assert marks(solo) == [True]
    [ready] = [ready for ready in solo.readies if ready.replica_status is not None and ready.replica_status.is_eligible]
    assert ready.election_state == ElectionState(1, None, key_of(2)), "vote and mark are stored before the answer"


def test_a_claim_by_a_former_incarnation_is_not() -> None:
    """The disk was lost once more between the pre-vote and the vote."""
    solo = empty()
    assert not solo.ask(vote(1, 2, claimed_incarnation_id=OTHER_INCARNATION)).granted
    assert marks(solo) == []


@pytest.mark.parametrize("role", ["follower", "candidate"])
def test_a_follower_or_candidate_does_not_report_that_it_is_empty(role: str) -> None:
    solo = empty() if role == "follower" else Solo()
    if role == "follower":
        solo.follow(3)
    else:
        solo.become_candidate()
    assert solo.ask(vote(solo.replica.epoch, 2, pre_vote=True)).empty_for_ms is None


def test_a_proven_voter_that_holds_nothing_reports_it() -> None:
    solo = Solo()
    solo.now_ms = 700
    answer = solo.ask(vote(0, 2, pre_vote=True))
    assert (answer.empty_for_ms, answer.ineligible, answer.incarnation_id) == (700, False, None)
    solo.follow(2)
    solo.fetched(batch("a"))
    solo.tick(solo.replica.state.role.deadline_ms)
    assert solo.ask(vote(1, 2, last=(1, 9), pre_vote=True)).empty_for_ms is None


def test_a_replica_that_installs_a_snapshot_does_not_report_that_it_is_empty() -> None:
    """What was downloaded may be all that is left of it, though the log is still empty while it is verified."""
    solo = Solo()
    solo.follow(3)
    snapshot_id = OffsetAndEpoch(epoch=1, offset=100)
    solo.fetched(snapshot_id=snapshot_id)
    chunk = FetchSnapshotResponse(leader=solo.leader(3), snapshot_id=snapshot_id, size=4, position=0, data=b"four")
    solo.answer(solo.last_sent(FetchSnapshotRequest), chunk)
    solo.ask(vote(2, 2, last=(1, 100)))
    assert solo.role is Role.UNATTACHED
    assert solo.ask(vote(2, 2, last=(1, 100), pre_vote=True)).empty_for_ms is None


def test_a_first_start_is_for_one_of_two_duplicates() -> None:
    """An empty voter answers one directory of an id for the check-quorum time."""
    solo = empty()
    duplicate = ReplicaKey(2, b"\x0c" * 16)
    assert solo.ask(vote(0, 2, pre_vote=True)).empty_for_ms is not None
    ask = VoteRequest(
        cluster_id="cluster",
        voter=None,
        candidate=duplicate,
        epoch=0,
        last=vote(0, 2, pre_vote=True).last,
        pre_vote=True,
    )
    refused = solo.ask(ask)
    assert (refused.partition_error, refused.empty_for_ms) == (ErrorCode.DUPLICATE_VOTER, None)
    solo.now_ms = 3_000
    assert solo.ask(ask).empty_for_ms is not None


def test_the_only_voter_needs_no_other() -> None:
    solo = Solo(voters=(1,), recovered=EMPTY)
    assert solo.role is Role.LEADER
    assert marks(solo) == [True]


# Catching up.


def test_on_probation_it_fetches_without_a_replica_id() -> None:
    """A vote that it forgot may still be alive; a Kafka leader does not count such a fetch either."""
    solo = empty()
    solo.follow(2)
    request = solo.last_sent(FetchRequest).request
    assert isinstance(request, FetchRequest)
    assert (request.replica, request.on_probation) == (None, key_of(1))
    solo.fetched(batch("a"), high_watermark=1)
    assert marks(solo) == [], "what a leader says to nobody proves nothing"


def test_after_probation_it_is_proven_by_catching_up() -> None:
    solo = empty(own_endpoints=())
    solo.follow(2)
    solo.fetched(batch("a"), high_watermark=2)
    while solo.now_ms < PROBATION_MS:
        solo.tick(solo.now_ms + 500)
        solo.fetched(high_watermark=2)
    request = solo.last_sent(FetchRequest).request
    assert isinstance(request, FetchRequest)
    assert (request.replica, request.on_probation) == (key_of(1), None)
    solo.fetched(high_watermark=2)
    assert marks(solo) == [], "it does not hold all that is committed"
    solo.fetched(batch("b", base=1), high_watermark=9)
    assert marks(solo) == [True]
    assert caught_up("leader 2 of epoch 1 to offset 2", VoterStatus.EMPTY) in solo.events
    solo.tick(solo.replica.state.role.deadline_ms)
    assert solo.role is Role.PROSPECTIVE


def test_probation_outlasts_the_vote_and_the_leaders_that_it_replaced() -> None:
    """Two election timeouts for the round, its pause, 1.5 fetch timeouts for the old leader, and a quarter more."""
    solo = empty(election_timeout_ms=400, election_backoff_max_ms=200, fetch_timeout_ms=1_000)
    solo.follow(2)
    expected_ms = (2 * 400 + 200 + 1_500) * 5 // 4
    solo.tick(expected_ms - 1)
    solo.fetched(high_watermark=1)
    assert solo.last_sent(FetchRequest).request.replica is None
    solo.tick(expected_ms)
    solo.fetched(high_watermark=1)
    assert solo.last_sent(FetchRequest).request.replica == key_of(1)


def test_a_leader_serves_an_unnamed_replica_and_does_not_count_it() -> None:
    solo = Solo()
    solo.become_leader()
    heard_ms = dict(solo.replica.state.role.heard_ms)
    solo.now_ms += 10
    answer = solo.ask(fetch(1, 0, replica=None, on_probation=key_of(2), max_wait_ms=0))
    assert answer.partition_error is ErrorCode.NONE
    assert solo.replica.state.role.progress.end_offset_of(2) is None
    assert solo.replica.state.role.heard_ms == heard_ms


def test_a_duplicate_on_probation_is_refused_from_the_start() -> None:
    solo = Solo()
    solo.become_leader()
    solo.ask(fetch(1, 0, max_wait_ms=0))
    duplicate = ReplicaKey(2, b"\x0c" * 16)
    answer = solo.ask(fetch(1, 0, replica=None, on_probation=duplicate))
    assert (answer.partition_error, answer.registered_directory) == (ErrorCode.DUPLICATE_VOTER, key_of(2).directory_id)
    assert any(isinstance(event, DuplicateNodeIdRejected) for event in solo.events)


def test_a_leader_whose_time_is_up_cannot_keep_its_leadership() -> None:
    """It was stopped, and goes on: it looks at its deadline before it hears who fetches."""
    solo = Solo()
    solo.become_leader()
    solo.ask(fetch(1, 0, max_wait_ms=0))
    solo.now_ms = solo.replica.state.role.check_quorum_deadline_ms
    assert solo.ask(fetch(1, 1, 1)).partition_error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert solo.role is Role.RESIGNED


def test_a_refusal_is_remembered_over_a_restart_and_ends_the_incarnation() -> None:
    """Another directory is the voter: this one never again says for it that it is empty."""
    solo = empty()
    solo.follow(2)
    refused = FetchResponse(leader=solo.leader(2), partition_error=ErrorCode.DUPLICATE_VOTER)
    solo.answer(solo.last_sent(FetchRequest), refused)
    assert marks(solo) == [False]
    for now_ms in range(0, 30_000, 500):
        solo.tick(now_ms)
        for send in [send for send in solo.sent if isinstance(send.request, FetchRequest)][-1:]:
            solo.fail(send, Failure.REFUSED)
    assert solo.role is Role.UNATTACHED
    assert not any(isinstance(send.request, VoteRequest) for send in solo.sent)
    again = Solo(recovered=RecoveredState(replica_status=REFUSED))
    assert again.ask(vote(0, 2, pre_vote=True)).empty_for_ms is None
    again.tick(20_000)
    assert again.role is Role.UNATTACHED


def test_a_replica_that_hears_that_it_leads_is_marked() -> None:
    solo = Solo()
    solo.become_prospective()
    solo.answer(solo.last_sent(VoteRequest, 2), VoteResponse(leader=LeaderAndEpoch(1, 4)))
    assert marks(solo) == [False]


# A whole quorum.


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_lost_no_acknowledged_record_is(seed: int) -> None:
    """Any subset of disks, any time: records stay, or no leader is elected and the reason is reported."""
    rng = random.Random(seed)
    cluster = Cluster(voters=(1, 2, 3) if seed % 2 else (1, 2, 3, 4, 5), seed=seed, guarded=True)
    cluster.elect()
    acknowledged: list[bytes] = []
    for step in range(4):
        if cluster.leader() is not None and cluster.run(2_000, cluster.is_settled):
            value = f"{seed}.{step}".encode()
            cluster.propose(value)
            if cluster.run(2_000, cluster.is_settled):
                acknowledged.append(value)
        victims = rng.sample(sorted(cluster.nodes), rng.choice((1, 1, rng.randint(1, len(cluster.nodes)))))
        for node_id in victims:
            cluster.crash(node_id)
            lose(cluster, node_id, rng)
        cluster.run(rng.choice((100, 2_000)))
        for node_id in victims:
            cluster.start(node_id)
        cluster.run(rng.choice((100, 8_000)))
    elected = cluster.run(9_000, cluster.is_settled)
    if elected:
        values = [value for _, _, value in cluster.nodes[1].disk.values()]
        assert [value for value in values if value in acknowledged] == acknowledged
    else:
        counting = [node.id for node in cluster.running() if node.disk.replica_status.is_eligible]
        assert len(counting) * 2 <= len(cluster.nodes), f"a majority that counts elects a leader: {cluster.describe()}"
        assert any(isinstance(event, NoElectableVoter) for node in cluster.running() for event in node.events)


def lose(cluster: Cluster, node_id: int, rng: random.Random) -> None:
    """Perhaps lose a disk, but not the last one that holds anything: that would be a first start."""
    others = [node for node in cluster.nodes.values() if node.id != node_id and node.disk.batches]
    if others and rng.random() < 0.7:
        assert cluster.checker is not None
        cluster.checker.forget_epoch(cluster.nodes[node_id].key)
        cluster.wipe(node_id)
