"""Well-formed requests that anybody who reaches the port can send: they are refused, and stop nothing."""

from __future__ import annotations

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.raft.messages import BeginQuorumEpochRequest, EndQuorumEpochRequest, RaftRequest, VoteRequest
from kraftpy.raft.ready import PeerRefused, Role
from kraftpy.raft.requests import EPOCH_JUMP_MAX
from tests.fakes.raft_cluster import Cluster
from tests.fakes.raft_solo import Solo, key_of

EPOCH_LAST = 2**31 - 1


def vote(epoch: int) -> VoteRequest:
    last = OffsetAndEpoch(epoch=0, offset=0)
    return VoteRequest(cluster_id=None, voter=None, candidate=key_of(3), epoch=epoch, last=last)


def begin(epoch: int) -> BeginQuorumEpochRequest:
    return BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=3, epoch=epoch)


def end(epoch: int) -> EndQuorumEpochRequest:
    return EndQuorumEpochRequest(cluster_id=None, leader_id=3, epoch=epoch)


@pytest.mark.parametrize("request_of", [begin, end])
def test_a_second_leader_of_an_epoch_is_refused(request_of) -> None:
    """Who claims an epoch that another one leads hears INVALID_REQUEST; the node goes on following."""
    solo = Solo()
    solo.follow(2, epoch=4)
    answer = solo.ask(request_of(4))
    assert answer.partition_error is ErrorCode.INVALID_REQUEST
    assert (solo.role, solo.replica.leader.leader_id) == (Role.FOLLOWER, 2)
    assert any(isinstance(event, PeerRefused) and event.node_id == 3 for event in solo.events)


@pytest.mark.parametrize("request_of", [vote, begin, end])
def test_an_epoch_beyond_belief_is_refused(request_of) -> None:
    """The highest epoch there is would end all elections once it is stored: it is not taken."""
    solo = Solo()
    solo.follow(2, epoch=4)
    stored = solo.stored
    request: RaftRequest = request_of(EPOCH_LAST)
    assert solo.ask(request).partition_error is ErrorCode.INVALID_REQUEST
    assert solo.replica.epoch == 4
    assert solo.stored == stored
    assert solo.ask(request_of(4 + EPOCH_JUMP_MAX)).partition_error is ErrorCode.NONE, "a large step is still believed"


def test_a_leader_tells_how_long_it_has_been_alone() -> None:
    """A leader that was cut off does not call itself up to date: it counts from when a majority was heard."""
    cluster = Cluster()
    leader = cluster.elect()
    cluster.settle()
    assert leader.alive.leader_silence_ms(cluster.now_ms) < 600
    cluster.isolate(leader.key.node_id)
    before = cluster.now_ms
    assert cluster.run(3_000, lambda: cluster.now_ms >= before + 1_500)
    assert leader.alive.role is Role.LEADER
    assert leader.alive.leader_silence_ms(cluster.now_ms) >= 1_000
