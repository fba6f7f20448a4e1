"""The sentences of :mod:`kraftpy.raft.guards.duplicate_node_ids`, one test each: two processes with one voter's id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.replica_status import VoterStatus
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    UpdateRaftVoterRequest,
    VoteRequest,
    VoteResponse,
)
from kraftpy.raft.ready import DuplicateNodeIdRejected, PeerRejected, Role
from kraftpy.raft.timing import INELIGIBLE_YIELD
from tests.fakes.raft_cluster import Cluster, endpoint_of
from tests.fakes.raft_solo import Solo, batch, caught_up, fetch, key_of, vote

A, B = bytes([2]) * 16, bytes([12]) * 16
DUPLICATE = ReplicaKey(2, B)
WITHOUT_DIRECTORY_ID = ReplicaKey(2)
SILENCE_MS = 3_000
"""One and a half fetch timeouts."""


def leading() -> Solo:
    """Replica 1 leads epoch 1 with one record of its own and one proposal: its log ends at 2."""
    solo = Solo()
    solo.become_leader()
    solo.replica.propose(solo.now_ms, 1, [b"x"])
    solo.drain()
    return solo


def fetch_of(key: ReplicaKey | None, offset: int = 2) -> FetchRequest:
    return replace(fetch(1, offset, 1 if offset else 0, replica=2, max_wait_ms=0), replica=key)


def high_watermark(solo: Solo) -> int | None:
    return solo.replica.state.role.high_watermark


# The leader.


def test_only_the_first_directory_under_a_voters_id_counts() -> None:
    """The record is only on the duplicate: it is not committed."""
    solo = leading()
    assert solo.ask(fetch_of(key_of(2), 1)).partition_error is ErrorCode.NONE
    refused = solo.ask(fetch_of(DUPLICATE, 2))
    assert refused.partition_error is ErrorCode.DUPLICATE_VOTER
    assert (refused.records, refused.registered_directory, refused.leader) == (b"", A, LeaderAndEpoch(1, 1))
    assert high_watermark(solo) == 1
    solo.ask(fetch_of(key_of(2), 2))
    assert high_watermark(solo) == 2


def test_a_refused_duplicate_does_not_reset_a_timer() -> None:
    """A leader that only a duplicate fetches from has lost touch with its majority."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 1))
    deadline_ms = solo.replica.state.role.check_quorum_deadline_ms
    solo.now_ms += SILENCE_MS // 2
    solo.ask(fetch_of(DUPLICATE))
    solo.ask(fetch_snapshot(DUPLICATE))
    assert solo.replica.state.role.check_quorum_deadline_ms == deadline_ms
    solo.tick(deadline_ms)
    assert solo.role is Role.RESIGNED


def fetch_snapshot(key: ReplicaKey) -> FetchSnapshotRequest:
    return FetchSnapshotRequest(
        cluster_id="cluster", replica=key, epoch=1, snapshot_id=OffsetAndEpoch(1, 1), position=0, max_bytes=100
    )


def keep_leadership(solo: Solo, until_ms: int) -> None:
    """Let voter 3 fetch until then, so that the leader stays."""
    while solo.now_ms < until_ms:
        solo.tick(min(until_ms, solo.now_ms + 500))
        solo.ask(fetch(1, 1, 1, replica=3, max_wait_ms=0))


def test_a_replaced_disk_is_taken_in_when_the_other_has_been_silent() -> None:
    """One and a half fetch timeouts later the newcomer counts with its own offset, and what is committed stays so."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 2))
    assert high_watermark(solo) == 2
    start_ms = solo.now_ms
    keep_leadership(solo, start_ms + SILENCE_MS - 1)
    assert solo.ask(fetch_of(DUPLICATE, 0)).partition_error is ErrorCode.DUPLICATE_VOTER
    keep_leadership(solo, start_ms + SILENCE_MS)
    assert solo.ask(fetch_of(DUPLICATE, 0)).records is not None
    assert solo.replica.state.role.progress.end_offset_of(2) == 0
    assert solo.replica.describe(solo.now_ms).voters[1].last_caught_up_ms is None, "what the other one did is not its"
    assert high_watermark(solo) == 2
    assert solo.ask(fetch_of(key_of(2), 2)).partition_error is ErrorCode.DUPLICATE_VOTER, "the other way round now"
    voters = solo.replica.describe(solo.now_ms).voters
    assert [voter.key for voter in voters] == [key_of(1), DUPLICATE, key_of(3)]


@pytest.mark.parametrize("sign", ["fetch", "redirected fetch", "snapshot"])
def test_every_word_of_the_bound_directory_keeps_it_bound(sign: str) -> None:
    """A voter that downloads a snapshot, or must truncate its log, for longer than the silence stays the voter."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 1))
    words = {
        "fetch": fetch_of(key_of(2), 1),
        "redirected fetch": replace(fetch_of(key_of(2), 2), last_fetched_epoch=0),
        "snapshot": fetch_snapshot(key_of(2)),
    }
    for _ in range(4):
        keep_leadership(solo, solo.now_ms + SILENCE_MS - 500)
        solo.ask(words[sign])
    assert solo.ask(fetch_of(DUPLICATE)).partition_error is ErrorCode.DUPLICATE_VOTER


def test_a_duplicate_gets_no_snapshot() -> None:
    """FetchSnapshot is rejected as Fetch is, and registers no directory."""
    solo = leading()
    assert solo.ask(fetch_snapshot(DUPLICATE)).partition_error is ErrorCode.SNAPSHOT_NOT_FOUND, "nobody is bound yet"
    solo.ask(fetch_of(key_of(2), 1))
    assert solo.ask(fetch_snapshot(DUPLICATE)).partition_error is ErrorCode.DUPLICATE_VOTER


def test_replicas_without_directory_id_are_one_more_directory() -> None:
    """An old peer names no directory: alone it counts as ever, beside a named one it does not."""
    solo = leading()
    solo.ask(fetch_of(WITHOUT_DIRECTORY_ID, 2))
    assert high_watermark(solo) == 2
    assert solo.ask(fetch_of(key_of(2), 2)).partition_error is ErrorCode.DUPLICATE_VOTER
    other = leading()
    other.ask(fetch_of(key_of(2), 1))
    assert other.ask(fetch_of(WITHOUT_DIRECTORY_ID, 2)).partition_error is ErrorCode.DUPLICATE_VOTER
    assert other.ask(fetch_of(None, 2)).partition_error is ErrorCode.NONE, "a reader that is no replica"


def test_a_new_leader_registers_directories_again() -> None:
    """Bindings are a leader's knowledge of its own epoch."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 2))
    solo.ask(vote(3, 3, last=(2, 9)))
    solo.tick(solo.replica.state.role.deadline_ms)
    solo.grant(3)
    solo.grant(3)
    assert solo.role is Role.LEADER
    epoch = solo.replica.epoch
    request = replace(fetch_of(DUPLICATE, 2), epoch=epoch)
    assert solo.ask(request).partition_error is ErrorCode.NONE


@pytest.mark.parametrize("key", [ReplicaKey(1, B), key_of(1), ReplicaKey(1)], ids=str)
def test_the_leaders_own_id_is_the_leaders(key: ReplicaKey) -> None:
    """Even a copy of its directory is refused."""
    solo = leading()
    assert solo.ask(fetch_of(key, 2)).partition_error is ErrorCode.DUPLICATE_VOTER
    assert solo.ask(fetch_snapshot(key)).partition_error is ErrorCode.DUPLICATE_VOTER
    assert DuplicateNodeIdRejected(1, key_of(1).directory_id, key.directory_id, 1) in solo.events


def test_a_leader_ignores_the_candidacy_of_a_duplicate() -> None:
    """Such a vote request is as good as lost: the epoch stays."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 2))
    duplicates_vote = replace(vote(2, 2, last=(1, 9)), candidate=DUPLICATE)
    assert solo.ask(duplicates_vote).partition_error is ErrorCode.DUPLICATE_VOTER
    assert (solo.role, solo.replica.epoch) == (Role.LEADER, 1)
    assert solo.ask(vote(2, 2, last=(1, 9))).granted, "the real one is heard"


def test_a_dynamic_voter_has_its_directory_in_the_log() -> None:
    """With directories in the voter set another directory is an observer, as ever, and is not refused."""
    cluster = Cluster(dynamic=True)
    cluster.elect(1)
    cluster.settle()
    duplicate = cluster.add_duplicate(2, 12)
    cluster.run(1_000)
    assert not any(
        isinstance(event, DuplicateNodeIdRejected) for event in [*duplicate.events, *cluster.nodes[1].events]
    )


def test_successors_are_named_with_their_directories() -> None:
    """EndQuorumEpoch starts an election at the bound directory first, and not at its duplicate."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 2))
    solo.replica.resign(solo.now_ms, 1)
    solo.drain()
    request = solo.last_sent(EndQuorumEpochRequest, 2).request
    assert isinstance(request, EndQuorumEpochRequest)
    assert request.preferred_successors[0] == key_of(2)


def test_an_upgrade_writes_down_the_directory_that_counts() -> None:
    """A duplicate cannot describe the voter, and the description by a former directory is removed with it."""
    solo = leading()
    solo.ask(fetch_of(key_of(2), 2))
    assert solo.ask(introduction(DUPLICATE)).error is ErrorCode.DUPLICATE_VOTER
    assert solo.ask(introduction(key_of(2))).error is ErrorCode.NONE
    assert solo.replica.state.role.described_voters[2].key == key_of(2)
    keep_leadership(solo, solo.now_ms + SILENCE_MS)
    solo.ask(fetch_of(DUPLICATE, 2))
    assert 2 not in solo.replica.state.role.described_voters


def introduction(key: ReplicaKey) -> UpdateRaftVoterRequest:
    return UpdateRaftVoterRequest(
        cluster_id="cluster",
        epoch=1,
        voter=key,
        endpoints=(endpoint_of(2),),
        kraft_version_min=0,
        kraft_version_max=1,
    )


# Votes.


def test_a_vote_goes_to_a_directory() -> None:
    """Who voted for (2, A) does not vote for (2, B) in that epoch."""
    solo = Solo()
    assert solo.ask(vote(1, 2)).granted
    assert not solo.ask(replace(vote(1, 2), candidate=DUPLICATE)).granted
    assert solo.ask(vote(1, 2)).granted


def test_a_vote_is_not_asked_for_under_the_receivers_id() -> None:
    """A vote request from its duplicate is rejected in every role, and the epoch stays."""
    solo = Solo()
    answer = solo.ask(replace(vote(7, 1), candidate=ReplicaKey(1, B)))
    assert (answer.partition_error, answer.granted) == (ErrorCode.DUPLICATE_VOTER, False)
    assert solo.replica.epoch == 0
    assert any(isinstance(event, PeerRejected) and event.node_id == 1 for event in solo.events)


def test_a_leader_under_the_receivers_id_is_refused_and_reported() -> None:
    solo = Solo()
    begin = BeginQuorumEpochRequest(
        cluster_id="cluster", voter=None, leader_id=1, epoch=3, leader_endpoints=(endpoint_of(9),)
    )
    assert solo.ask(begin).partition_error is ErrorCode.INVALID_REQUEST
    assert solo.replica.epoch == 0
    assert any(isinstance(event, PeerRejected) and event.node_id == 1 for event in solo.events)


# The refused one.


def refused(**settings: object) -> Solo:
    """Replica 1 follows 2, which counts another directory under the id 1."""
    solo = Solo(**settings)
    solo.follow(2)
    hear_refusal(solo)
    return solo


def hear_refusal(solo: Solo) -> None:
    answer = FetchResponse(
        leader=solo.leader(2), partition_error=ErrorCode.DUPLICATE_VOTER, registered_directory=B, high_watermark=None
    )
    solo.answer(solo.last_sent(FetchRequest, 2), answer)


def test_the_refused_one_states_who_counts_in_its_place() -> None:
    solo = refused()
    assert DuplicateNodeIdRejected(1, B, key_of(1).directory_id, 2) in solo.events


def test_the_refused_one_neither_starts_elections_nor_votes() -> None:
    """With a silent leader the epoch stays; a candidate gets no vote and no pre-vote, then and in later epochs."""
    solo = refused()
    for now_ms in range(500, 30_000, 500):
        solo.tick(now_ms)
    assert solo.role in {Role.FOLLOWER, Role.UNATTACHED}
    assert not any(isinstance(send.request, VoteRequest) for send in solo.sent)
    assert not solo.ask(vote(1, 3, last=(1, 9), pre_vote=True)).granted
    assert not solo.ask(vote(2, 3, last=(1, 9))).granted
    assert solo.replica.epoch == 2, "the epoch is news all the same"
    assert not solo.ask(vote(3, 3, last=(2, 9))).granted


def test_the_refused_one_asks_again_after_a_pause() -> None:
    """A rejected replica does not flood the leader; and the leader is reachable, so there is no discovery."""
    solo = refused()
    sent = len(solo.sent)
    solo.tick(499)
    assert len(solo.sent) == sent
    solo.tick(500)
    assert len(solo.sent) == sent + 1
    hear_refusal(solo)
    solo.tick(2_400)
    assert solo.role is Role.FOLLOWER


def test_the_refused_one_counts_again_when_it_holds_all_that_is_committed() -> None:
    """Being served is not enough: what the leader called committed then must be flushed here."""
    solo = refused()
    solo.tick(500)
    solo.fetched(batch("a"), high_watermark=2)
    assert not solo.ask(vote(1, 3, last=(1, 9), pre_vote=True)).granted
    assert not solo.replica.state.status.is_eligible
    solo.fetched(batch("b", base=1), high_watermark=5)
    assert solo.replica.state.status.is_eligible
    assert caught_up("leader 2 of epoch 1 to offset 2", VoterStatus.DUPLICATE_ID) in solo.events
    solo.tick(solo.replica.state.role.deadline_ms)
    assert solo.role is Role.PROSPECTIVE


def test_another_epoch_begins_the_proof_again() -> None:
    """What an earlier leader called committed proves nothing about what a later one does."""
    solo = refused()
    solo.tick(500)
    solo.fetched(batch("a"), high_watermark=2)
    solo.follow(3, epoch=2)
    solo.tick(solo.now_ms + 2_000 // INELIGIBLE_YIELD)
    solo.fetched(batch("b", base=1), high_watermark=3)
    assert not solo.replica.state.status.is_eligible


def test_the_refused_one_lets_others_fetch_first_from_a_new_leader() -> None:
    """So the directory that never was refused is bound before it."""
    solo = refused()
    solo.follow(3, epoch=2)
    fetches = [send for send in solo.sent if isinstance(send.request, FetchRequest) and send.node_id == 3]
    assert fetches == []
    solo.tick(solo.now_ms + 2_000 // INELIGIBLE_YIELD)
    assert solo.last_sent(FetchRequest, 3)


def test_a_pre_vote_that_a_leader_refuses_is_heard_too() -> None:
    """The duplicate was prospective before it ever fetched: the leader's response stops it."""
    solo = Solo()
    solo.become_prospective()
    answer = VoteResponse(leader=LeaderAndEpoch(2, 1), leader_endpoints=(endpoint_of(2),))
    solo.answer(solo.last_sent(VoteRequest, 2), answer)
    assert solo.role is Role.FOLLOWER
    hear_refusal(solo)
    assert not solo.replica.state.status.is_eligible


def test_who_hears_that_it_leads_and_knows_nothing_of_it_abstains() -> None:
    """Its duplicate was elected, or the disk that remembered the election is gone."""
    solo = Solo(recovered=RecoveredState())
    solo.become_prospective()
    for voter_id in (2, 3):
        solo.answer(solo.last_sent(VoteRequest, voter_id), VoteResponse(leader=LeaderAndEpoch(1, 4)))
    assert (solo.role, solo.replica.epoch) == (Role.UNATTACHED, 4)
    assert any(isinstance(event, PeerRejected) and event.node_id == 1 for event in solo.events)
    for now_ms in range(solo.now_ms, 20_000, 500):
        solo.tick(now_ms)
    assert (solo.role, solo.replica.epoch) == (Role.UNATTACHED, 5), "it ends the epoch that has no leader"
    assert not solo.ask(vote(6, 3, last=(5, 9))).granted
