"""KIP-1262, cluster ids that are discovered: what Raft checks while an id may be unknown (K1262-19 to 23)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    RaftRequest,
)
from kraftpy.raft.ready import PeerRejected, Role
from tests.fakes.raft_cluster import Cluster
from tests.fakes.raft_solo import Solo, batch, fetch, key_of, vote

REQUESTS = (
    vote(5),
    fetch(5),
    BeginQuorumEpochRequest(cluster_id="cluster", voter=None, leader_id=2, epoch=5),
    EndQuorumEpochRequest(cluster_id="cluster", leader_id=2, epoch=5),
    FetchSnapshotRequest(
        cluster_id="cluster", replica=key_of(2), epoch=5, snapshot_id=OffsetAndEpoch(1, 1), position=0, max_bytes=1
    ),
)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: type(each).__name__)
def test_another_cluster_is_refused_and_changes_nothing(request_: RaftRequest) -> None:
    """K1262-20: a request of another cluster gets INCONSISTENT_CLUSTER_ID before anything else is looked at."""
    solo = Solo(cluster_id="ours")
    before = (solo.role, solo.replica.epoch, solo.stored)
    assert solo.ask(request_).error is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert (solo.role, solo.replica.epoch, solo.stored) == before
    assert isinstance(solo.events[-1], PeerRejected)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(("ours", "theirs"), [("ours", None), (None, "theirs"), (None, None), ("same", "same")])
def test_an_unknown_id_is_accepted(request_: RaftRequest, ours: str | None, theirs: str | None) -> None:
    """K1262-20: an absent id is accepted from peers that may not know it; a node whose own id is unset accepts any."""
    solo = Solo(cluster_id=ours)
    ought_to_know = isinstance(request_, BeginQuorumEpochRequest | EndQuorumEpochRequest) and ours and not theirs
    expected = ErrorCode.INCONSISTENT_CLUSTER_ID if ought_to_know else ErrorCode.NONE
    assert solo.ask(replace(request_, cluster_id=theirs)).error is expected


@pytest.mark.parametrize(
    "request_", [r for r in REQUESTS if isinstance(r, BeginQuorumEpochRequest | EndQuorumEpochRequest)]
)
def test_a_leader_without_an_id_changes_nothing(request_: RaftRequest) -> None:
    """Who leads a cluster that has an id knows it, or learns it with its first record; others are of no cluster."""
    solo = Solo(cluster_id="ours")
    before = (solo.role, solo.replica.epoch, solo.stored)
    assert solo.ask(replace(request_, cluster_id=None)).error is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert (solo.role, solo.replica.epoch, solo.stored) == before
    assert "it names no cluster, but this node is of cluster ours" in solo.events[-1].reason


@pytest.mark.parametrize("pre_vote", [False, True])
def test_a_candidate_without_an_id_needs_a_log_that_could_win(pre_vote: bool) -> None:
    """One that is behind moves no epoch; one that is not may hold the id and not know that it is committed."""
    solo = Solo(cluster_id="ours")
    solo.follow(2)
    solo.fetched(batch("a"), high_watermark=1)
    solo.ask(EndQuorumEpochRequest(cluster_id="ours", leader_id=2, epoch=1))
    epoch, end = solo.replica.epoch, solo.replica.log_end_offset
    behind = vote(epoch + 5, cluster_id=None, pre_vote=pre_vote)
    assert solo.ask(behind).error is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert solo.replica.epoch == epoch
    assert solo.ask(replace(behind, cluster_id="ours")).error is ErrorCode.NONE
    level = replace(behind, epoch=solo.replica.epoch + 1, last=OffsetAndEpoch(epoch=epoch, offset=end))
    answer = solo.ask(level)
    assert (answer.error, answer.granted) == (ErrorCode.NONE, True)


def test_requests_carry_our_id_once_it_is_known() -> None:
    """K1262-19: requests carry null while the id is unset, and the id from the moment it is discovered."""
    solo = Solo(cluster_id=None)
    solo.follow(2)
    assert solo.last_sent(FetchRequest).request.cluster_id is None
    solo.replica.set_cluster_id("found")
    solo.fetched()
    assert solo.last_sent(FetchRequest).request.cluster_id == "found"


def test_a_cluster_id_is_set_once() -> None:
    """K1262-29: a cluster id never changes."""
    solo = Solo(cluster_id="first")
    solo.replica.set_cluster_id("first")
    with pytest.raises(InvariantViolation, match="never changes"):
        solo.replica.set_cluster_id("second")


def test_being_refused_is_reported_and_waited_out() -> None:
    """§Request handling: INCONSISTENT_CLUSTER_ID in an answer is not fatal: it is reported, then follows a pause."""
    solo = Solo()
    solo.follow(2)
    sent = len(solo.sent)
    answer = FetchResponse(error=ErrorCode.INCONSISTENT_CLUSTER_ID, leader=LeaderAndEpoch(None, 0))
    solo.answer(solo.last_sent(FetchRequest), answer)
    assert "INCONSISTENT_CLUSTER_ID" in solo.events[-1].reason
    solo.tick(solo.now_ms + 499)
    assert len(solo.sent) == sent
    solo.tick(solo.now_ms + 1)
    assert len(solo.sent) == sent + 1


def test_two_voters_with_different_ids_do_not_elect_each_other() -> None:
    """K1262-23: initial voters of two clusters form no quorum, however long they try."""
    cluster = Cluster(voters=(1, 2))
    cluster.nodes[2].cluster_id = "another"
    cluster.restart(2)
    cluster.run(30_000)
    assert cluster.leader() is None
    assert {cluster.replica(1).epoch, cluster.replica(2).epoch} == {0}


def test_a_node_with_an_id_learns_nothing_from_another_cluster() -> None:
    """K1262-21: a node that holds id X never gets a record of cluster Y."""
    cluster = Cluster(voters=(1,), observers=(9,))
    cluster.nodes[9].cluster_id = "another"
    cluster.restart(9)
    cluster.elect()
    cluster.run(30_000)
    assert cluster.nodes[9].disk.batches == []
    assert cluster.replica(9).role in {Role.UNATTACHED, Role.FOLLOWER}
