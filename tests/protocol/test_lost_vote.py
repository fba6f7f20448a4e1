"""A voter whose directory holds a log and no quorum-state: it forgot its vote, and gives no second one."""

from __future__ import annotations

import random

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.replica_status import VOTE_LOST_REASON, ReplicaStatus, VoterStatus
from kraftpy.model.voters import VoterSet
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.epoch_limit import FORGOTTEN_EPOCHS
from kraftpy.raft.messages import FetchRequest, FetchResponse, VoteRequest
from kraftpy.raft.ready import Failure, Role, VoteNotCounted
from kraftpy.runtime.recovered_state import recovered_state
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import join
from kraftpy.storage.names import METADATA_DIRECTORY, QUORUM_STATE
from tests.fakes.raft_cluster import endpoint_of, voter_set
from tests.fakes.raft_solo import Solo, caught_up, key_of, vote
from tests.protocol.test_bit_rot import PROBATION_MS, _servers, marks
from tests.unit.storage.logs import ROOT, T0, TINY, batches, disk

LOST = RecoveredState(
    replica_status=ReplicaStatus().as_recovering(VOTE_LOST_REASON, vote_lost=True),
    log_end_offset=3,
    epochs=((1, 0),),
)


def opened(fs) -> MetadataDirectory:
    return MetadataDirectory.open(fs, ROOT, TINY, random.Random(1).randbytes)


def started(directory: MetadataDirectory, *, as_voters=(1, 2, 3)) -> Solo:
    """Start a replica on a directory; its votes and its mark are written there."""
    solo = Solo(recovered=recovered_state(directory), voters=as_voters)
    for ready in solo.readies:
        if ready.election_state is not None:
            directory.quorum_state.write(ready.election_state, version=0, current_voters=as_voters)
        if ready.replica_status is not None:
            directory.status.write(ready.replica_status)
    solo.readies.clear()
    return solo


def with_log():
    """A disk with a log of three records of epoch 1 and the vote of a proven directory."""
    fs = disk()
    directory = opened(fs)
    directory.log.append(batches(0, 3), T0)
    directory.quorum_state.write(ElectionState(1), version=0)
    directory.status.write(directory.status.value.as_eligible())
    directory.close()
    return fs


def test_no_second_vote_is_given_in_an_epoch() -> None:
    """The vote was given, quorum-state went, the log stayed: another candidate of that epoch is refused."""
    fs = with_log()
    directory = opened(fs)
    solo = started(directory)
    assert solo.ask(vote(9, 2, last=(1, 3))).granted
    directory.close()
    fs.unlink(join(join(ROOT, METADATA_DIRECTORY), QUORUM_STATE))
    for _ in range(2):
        directory = opened(fs)
        solo = started(directory)
        answer = solo.ask(vote(9, 3, last=(1, 3)))
        assert (answer.granted, answer.ineligible, answer.incarnation_id, answer.empty_for_ms) == (
            False,
            True,
            None,
            None,
        )
        assert not solo.ask(vote(9, 3, last=(1, 3), pre_vote=True)).granted
        # The next start finds the file that this one wrote, and the mark.
        assert directory.status.value.vote_lost
        directory.close()
        assert fs.exists(join(join(ROOT, METADATA_DIRECTORY), QUORUM_STATE))


def test_it_starts_no_election_and_reports_why_once_it_has_looked_for_a_leader_twice() -> None:
    """Where all remaining voters have lost their votes, none requests one, so no other node reports why none leads."""
    solo = Solo(recovered=LOST)
    for now_ms in range(0, 20_000, 250):
        solo.tick(now_ms)
        assert now_ms > 1_000 or not withheld(solo), "who just started may find a leader"
    assert not any(isinstance(send.request, VoteRequest) for send in solo.sent)
    event, *again = withheld(solo)
    assert event.unasked == (2, 3)
    assert again == [event], "said now and then, not at each timeout"
    assert "quorum-state" in str(event)
    assert "quorum-state" in str(solo.replica.leaderless_because)


def withheld(solo: Solo) -> list[VoteNotCounted]:
    return [event for event in solo.events if isinstance(event, VoteNotCounted)]


@pytest.mark.parametrize("is_static", [True, False])
def test_it_counts_again_after_its_probation_and_a_fetch_that_a_leader_took(is_static: bool) -> None:
    """It fetches anonymously while a forgotten vote may be alive, at kraft.version 1, too; its log is whole."""
    more = {} if is_static else {"static_voters": voter_set(()), "bootstrap_servers": tuple(_servers())}
    solo = Solo(recovered=LOST, own_endpoints=(), **more)
    solo.fail(solo.last_sent(FetchRequest), Failure.REFUSED)
    solo.follow(2, epoch=4)
    while solo.now_ms < PROBATION_MS:
        request = solo.last_sent(FetchRequest, 2).request
        assert (request.replica, request.on_probation) == (None, key_of(1))
        solo.tick(min(solo.now_ms + 500, PROBATION_MS))
        solo.fetched(high_watermark=3)
        assert marks(solo) == []
    assert solo.last_sent(FetchRequest, 2).request.replica == key_of(1)
    solo.fetched(high_watermark=3)
    assert marks(solo) == [True]
    assert caught_up("leader 2 of epoch 4 to offset 3", VoterStatus.RECOVERING) in solo.events
    assert solo.ask(vote(5, 3, last=(4, 3))).granted


def test_the_only_voter_leads_no_epoch_a_second_time() -> None:
    """It elects itself, far beyond its log: an observer may hold records of an epoch that it does not remember."""
    solo = Solo(recovered=LOST, voters=(1,))
    assert (solo.role, solo.replica.epoch) == (Role.LEADER, 2 + FORGOTTEN_EPOCHS)
    kept = Solo(
        recovered=RecoveredState(log_end_offset=3, epochs=((1, 0),), election_state=ElectionState(1, 1)), voters=(1,)
    )
    assert (kept.role, kept.replica.epoch) == (Role.LEADER, 2)


def test_a_snapshot_alone_is_a_log() -> None:
    """A directory that holds a snapshot and no segment lost its vote as well."""
    fs = with_log()
    directory = opened(fs)
    directory.close()
    path = join(ROOT, METADATA_DIRECTORY)
    for name in fs.list_directory(path):
        fs.unlink(join(path, name))
    file = fs.open(join(path, f"{3:020d}-{1:010d}.checkpoint"), write=True, create=True)
    file.close()
    status = directory.status.open(fs, path, random.Random(1).randbytes).value
    assert (status.status, status.vote_lost) == (VoterStatus.RECOVERING, True)


# A copy of the directory from when this was the only voter.

ONLY = RecoveredState(
    log_end_offset=3, epochs=((1, 0),), election_state=ElectionState(1, 1),
    voters=((1, voter_set((1,), directories=True)),), kraft_versions=((1, 1),),
)  # fmt: skip


def copied(**more: object) -> Solo:
    return Solo(recovered=ONLY, static_voters=VoterSet(), bootstrap_servers=tuple(_servers()), own_endpoints=(), **more)


def answered(solo: Solo, leader_id: int | None, epoch: int) -> None:
    endpoints = () if leader_id is None else (endpoint_of(leader_id),)
    leader = LeaderAndEpoch(leader_id, epoch)
    answer = FetchResponse(partition_error=ErrorCode.NOT_LEADER_OR_FOLLOWER, leader=leader, leader_endpoints=endpoints)
    solo.answer(solo.last_sent(FetchRequest), answer)


def test_an_only_voter_by_its_log_asks_before_it_elects_itself() -> None:
    """The quorum has grown: a peer names the leader, and the voter follows, uncounted, and grants no vote."""
    solo = copied()
    assert solo.role is Role.UNATTACHED
    answered(solo, 2, 9)
    assert (solo.role, solo.replica.leader) == (Role.FOLLOWER, LeaderAndEpoch(2, 9))
    assert marks(solo) == [False], "a restart changes nothing"
    assert solo.last_sent(FetchRequest, 2).request.on_probation == key_of(1)
    assert not solo.ask(vote(10, 3, last=(9, 9))).granted
    for now_ms in range(0, 20_000, 250):
        solo.tick(now_ms)
    assert not any(isinstance(send.request, VoteRequest) for send in solo.sent)
    assert solo.role is not Role.LEADER


@pytest.mark.parametrize("answer", [None, (None, 1), (1, 1), (None, 5)])
def test_an_only_voter_leads_when_no_node_knows_another_leader(answer: tuple[int | None, int] | None) -> None:
    """Silence, an equal epoch, its own name, or the epoch of one who was left out of the quorum are no reasons."""
    solo = copied()
    if answer is not None:
        answered(solo, *answer)
    solo.tick(999)
    assert solo.role is not Role.LEADER
    solo.tick(1_000)
    assert (solo.role, solo.replica.epoch) == (Role.LEADER, 2 if answer is None else answer[1] + 1)


def test_an_only_voter_without_other_configured_nodes_leads_at_once() -> None:
    assert Solo(recovered=ONLY, static_voters=VoterSet()).role is Role.LEADER
