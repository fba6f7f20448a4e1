"""The sentences of :mod:`kraftpy.raft.guards.voter_eligibility` on a voter with a quarantined log, one test each."""

from __future__ import annotations

import random

import pytest

from kraftpy.model.election import ElectionState
from kraftpy.model.replica_status import LogQuarantine, ReplicaStatus, VoterStatus
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import FetchRequest, VoteRequest, VoteResponse
from kraftpy.raft.ready import Failure, NoElectableVoter, PeerRejected, Role
from tests.fakes.raft_cluster import Cluster, voter_set
from tests.fakes.raft_solo import Solo, batch, caught_up, fetch, key_of, vote

PROBATION_MS = (2 * 1_000 + 1_000 + 3_000) * 5 // 4
VOTED = ElectionState(3, None, key_of(2))


def recovered(committed: int = 0, **more: object) -> RecoveredState:
    quarantine = LogQuarantine("then", committed, is_finished=True)
    return RecoveredState(
        replica_status=ReplicaStatus().as_quarantined(quarantine), **({"election_state": VOTED} | more)
    )


def follower(committed: int = 0, *, after_ms: int = PROBATION_MS, **more: object) -> Solo:
    """A repaired voter that follows leader 2 of epoch 4; its probation is over by default."""
    solo = Solo(recovered=recovered(committed), own_endpoints=(), **more)
    solo.fail(solo.last_sent(FetchRequest), Failure.REFUSED)
    solo.follow(2, epoch=4)
    while solo.now_ms < after_ms:
        solo.tick(min(solo.now_ms + 500, after_ms))
        solo.fetched()
    return solo


def marks(solo: Solo) -> list[bool]:
    return [ready.replica_status.is_eligible for ready in solo.readies if ready.replica_status is not None]


def test_it_gives_no_vote_and_forgets_none() -> None:
    """Not a second one in the epoch in which it voted, and none in a later one."""
    solo = Solo(recovered=recovered())
    for request in (vote(3, 3, last=(2, 9)), vote(5, 2, last=(2, 9)), vote(5, 3, last=(2, 9), pre_vote=True)):
        response = solo.ask(request)
        assert (response.granted, response.ineligible, response.incarnation_id) == (False, True, None)
    assert marks(solo) == []


def test_it_never_states_that_it_is_empty_and_takes_part_in_no_first_start() -> None:
    solo = Solo(recovered=recovered())
    assert solo.ask(vote(3, 3, pre_vote=True)).empty_for_ms is None
    for now_ms in range(0, 20_000, 250):
        solo.tick(now_ms)
    assert not any(isinstance(send.request, VoteRequest) for send in solo.sent)


@pytest.mark.parametrize("is_static", [True, False])
def test_it_fetches_anonymously_while_a_former_acknowledgement_may_be_on_its_way(is_static: bool) -> None:
    """At kraft.version 1, too: its directory id and its place in the voter set are what they were."""
    more = {} if is_static else {"static_voters": voter_set(()), "bootstrap_servers": tuple(_servers())}
    before = follower(after_ms=PROBATION_MS - 1, **more)
    request = before.last_sent(FetchRequest, 2).request
    assert (request.replica, request.on_probation) == (None, key_of(1))
    after = follower(**more)
    request = after.last_sent(FetchRequest, 2).request
    assert (request.replica, request.on_probation) == (key_of(1), None)


def _servers() -> list[object]:
    return [endpoint for voter in voter_set((2, 3)) for endpoint in voter.endpoints]


def test_it_counts_again_when_it_holds_what_the_leader_calls_committed() -> None:
    solo = follower()
    solo.fetched(batch("x", base=0, epoch=4), high_watermark=2)
    assert marks(solo) == []
    solo.fetched(batch("x", base=1, epoch=4), high_watermark=2)
    assert marks(solo) == [True]
    assert caught_up("leader 2 of epoch 4 to offset 2", VoterStatus.RECOVERING) in solo.events
    assert solo.ask(vote(5, 3, last=(4, 2))).granted


def test_it_counts_only_when_it_holds_what_its_former_log_called_committed() -> None:
    """A leader with a lower high watermark is reported; following it does not make the voter eligible."""
    solo = follower(committed=3)
    solo.fetched(batch("x", base=0, epoch=4), high_watermark=1)
    assert marks(solo) == []
    [reported] = [event for event in solo.events if isinstance(event, PeerRejected)]
    assert "committed up to offset 1, but the log quarantined here knew of committed ones up to 3" in reported.reason
    solo.fetched(batch("x", base=1, epoch=4), high_watermark=2)
    assert marks(solo) == []
    solo.fetched(batch("x", base=2, epoch=4), high_watermark=3)
    assert marks(solo) == [True]


def test_a_restart_half_way_changes_nothing() -> None:
    """What was fetched since is no proof, and the probation starts again."""
    solo = Solo(recovered=recovered(log_end_offset=2, epochs=((3, 0),)))
    assert not solo.ask(vote(4, 3, last=(3, 9))).granted
    solo.tick(100)
    solo.follow(2, epoch=5)
    assert solo.last_sent(FetchRequest, 2).request.on_probation == key_of(1)


def test_half_way_it_may_look_like_the_only_voter_and_elects_no_leader() -> None:
    """It has fetched the records of a time in which it was alone; the others are in records that are still to come."""
    alone = recovered(log_end_offset=2, epochs=((1, 0),), voters=((1, voter_set((1,))),), kraft_versions=((1, 1),))
    solo = Solo(recovered=alone, static_voters=voter_set(()))
    for now_ms in range(0, 20_000, 250):
        solo.tick(now_ms)
    assert solo.role in {Role.UNATTACHED, Role.PROSPECTIVE}
    assert solo.replica.epoch == VOTED.epoch


def test_corruption_on_a_majority_elects_no_leader_and_that_is_reported() -> None:
    """The one that is whole asks, and hears from both others that their votes do not count."""
    solo = Solo(
        node_id=3, recovered=RecoveredState(election_state=ElectionState(3), log_end_offset=2, epochs=((3, 0),))
    )
    solo.become_prospective()
    for voter_id in (1, 2):
        refused = VoteResponse(leader=solo.leader(None), ineligible=True, incarnation_id=None)
        solo.answer(solo.last_sent(VoteRequest, voter_id), refused)
    assert NoElectableVoter((1, 2), (3,), ()) in solo.events
    why = str(solo.replica.leaderless_because)
    assert "voters 1, 2 started with empty, refused or corrupt directories and may not vote" in why
    assert "kraftpy.quarantine" in why


def test_a_leader_that_reads_an_old_acknowledgement_late_is_found_out_by_probation() -> None:
    """The fetch of the former process counts while it is the last word; the first one under the key takes it back."""
    leader = Solo(node_id=2)
    leader.become_prospective()
    leader.grant(3)
    leader.grant(3)
    end, epoch = leader.replica.log_end_offset, leader.replica.epoch
    assert leader.replica.high_watermark is None
    leader.park(fetch(epoch, end, epoch, replica=1))
    assert leader.replica.high_watermark == end
    leader.park(fetch(epoch, replica=1))
    assert leader.replica.high_watermark == end, "it never goes back"
    progress = leader.replica.describe(leader.now_ms).voters
    assert next(one.log_end_offset for one in progress if one.key.node_id == 1) == 0


# A whole quorum.


@pytest.mark.parametrize("seed", range(16))
def test_whatever_minority_is_corrupt_no_acknowledged_record_is_lost(seed: int) -> None:
    """At kraft.version 0 and 1, at any time, in any state of the repairs before: records stay, and progress goes on.

    A majority of disks is whole at any moment; that it may be another one each time is what makes it hard.
    """
    rng = random.Random(seed)
    size = rng.choice((3, 5))
    cluster = Cluster(voters=tuple(range(1, size + 1)), seed=seed, guarded=True, dynamic=seed % 4 == 3)
    cluster.elect()
    acknowledged: list[bytes] = []
    for step in range(5):
        # Some are down while something is committed, so the rest alone holds it.
        for node_id in rng.sample(sorted(cluster.nodes), rng.randint(0, (size - 1) // 2)):
            cluster.crash(node_id)
        value = f"{seed}.{step}".encode()
        if cluster.run(3_000, cluster.is_settled):
            cluster.propose(value)
            if cluster.run(3_000, cluster.is_settled):
                acknowledged.append(value)
        ineligible = [node_id for node_id, node in cluster.nodes.items() if not node.disk.replica_status.is_eligible]
        whole = [node_id for node_id in sorted(cluster.nodes) if node_id not in ineligible]
        room = (size - 1) // 2 - len(ineligible)
        corrupt = rng.sample(whole, rng.randint(0, max(0, room))) + [one for one in ineligible if rng.random() < 0.3]
        for node_id in sorted(cluster.nodes):
            node, committed = cluster.nodes[node_id], cluster.nodes[node_id].committed
            if node.replica is not None and (node_id in corrupt or rng.random() < 0.6):
                cluster.crash(node_id)
            if node_id in corrupt:
                node.disk.quarantine_log(committed if rng.random() < 0.7 else 0)
        down = [node_id for node_id, node in cluster.nodes.items() if node.replica is None]
        for node_id in rng.sample(down, len(down)):
            cluster.start(node_id)
            cluster.run(rng.choice((0, 500, 3_000)))
    assert cluster.run(20_000, cluster.is_settled), f"a majority that is whole elects a leader: {cluster.describe()}"
    assert cluster.run(20_000, lambda: all(node.disk.replica_status.is_eligible for node in cluster.nodes.values()))
    for node in cluster.nodes.values():
        values = [value for _, _, value in node.disk.values()]
        assert [value for value in values if value in acknowledged] == acknowledged, node.id
    assert len(acknowledged) >= 1
