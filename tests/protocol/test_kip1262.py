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
from kraftpy.raft.ready import PeerRefused, Role
from tests.fakes.raft_cluster import Cluster
from tests.fakes.raft_solo import Solo, fetch, key_of, vote

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
    assert isinstance(solo.events[-1], PeerRefused)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(("ours", "theirs"), [("ours", None), (None, "theirs"), (None, None), ("same", "same")])
def test_an_unknown_id_is_accepted(request_: RaftRequest, ours: str | None, theirs: str | None) -> None:
    """K1262-20: an absent id is accepted, and a node whose own id is unset accepts any."""
    solo = Solo(cluster_id=ours)
    assert solo.ask(replace(request_, cluster_id=theirs)).error is ErrorCode.NONE


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


def test_being_refused_is_told_and_waited_out() -> None:
    """§Request handling: INCONSISTENT_CLUSTER_ID in an answer is not fatal: people are told, the peer is left alone."""
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
