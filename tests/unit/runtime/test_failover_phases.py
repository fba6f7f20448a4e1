"""The parts of a failover, as the controller that takes over measures them."""

from __future__ import annotations

import pytest

from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.raft.quorum_state import TRANSITIONS
from kraftpy.raft.ready import Elected, Role, RoleChanged
from kraftpy.runtime.failover_phases import FailoverPhase, FailoverPhases
from tests.unit.runtime.parts import LoneController, ManualClock

HEARD_MS = 1_000
EPOCH_START = 40


def changed(before, after):
    return RoleChanged(before, after, LeaderAndEpoch(None, 7), "because")


class Failover:
    """Events at times, for one controller."""

    def __init__(self):
        self.phases = FailoverPhases()
        self.heard_ms = HEARD_MS

    def to(self, before, after, now_ms):
        self.phases.on_event(changed(before, after), self.heard_ms, now_ms)
        return self

    def elected(self, now_ms):
        self.phases.on_event(Elected(8, EPOCH_START, (1, 2)), self.heard_ms, now_ms)
        return self

    def sums(self):
        return {phase.value: times.sum_ms for phase, times in self.phases.times.items() if times.count}


def won():
    """A follower that became a candidate 300 ms after its leader's last sign, and was elected 50 ms later."""
    return (
        Failover()
        .to(Role.FOLLOWER, Role.PROSPECTIVE, 1_300)
        .to(Role.PROSPECTIVE, Role.CANDIDATE, 1_310)
        .to(Role.CANDIDATE, Role.LEADER, 1_350)
        .elected(1_350)
    )


def test_each_phase_begins_where_the_one_before_it_ended():
    """The first record is committed once the high watermark is beyond it; the sum is the time without a controller."""
    failover = won()
    for high_watermark, now_ms in ((None, 1_351), (EPOCH_START, 1_352), (EPOCH_START + 1, 1_360), (45, 1_361)):
        failover.phases.committed(high_watermark, now_ms)
    failover.phases.activated(1_375)
    failover.phases.activated(1_400)
    assert failover.sums() == {"detect": 300, "elect": 50, "commit": 10, "activate": 15}
    assert sum(failover.sums().values()) == 1_375 - HEARD_MS
    assert {times.count for times in failover.phases.times.values()} == {1}


def test_an_activation_before_the_commit_is_none():
    """Nothing is active before its epoch's first record is committed: such a call would count from the wrong moment."""
    failover = won()
    failover.phases.activated(1_360)
    assert "activate" not in failover.sums()


def test_an_election_of_several_rounds_counts_from_the_first():
    failover = Failover().to(Role.FOLLOWER, Role.PROSPECTIVE, 1_300)
    failover.heard_ms = None
    failover.to(Role.PROSPECTIVE, Role.UNATTACHED, 1_350).to(Role.UNATTACHED, Role.PROSPECTIVE, 1_400)
    failover.to(Role.PROSPECTIVE, Role.CANDIDATE, 1_410).elected(1_500)
    assert failover.sums() == {"detect": 300, "elect": 200}


def test_a_candidate_that_follows_another_one_measured_nothing():
    """What it waits for afterwards belongs to the next failover."""
    failover = Failover().to(Role.FOLLOWER, Role.PROSPECTIVE, 1_300).to(Role.PROSPECTIVE, Role.FOLLOWER, 1_350)
    assert failover.sums() == {}
    failover.heard_ms = 5_000
    failover.to(Role.FOLLOWER, Role.PROSPECTIVE, 5_100).elected(5_110)
    assert failover.sums() == {"detect": 100, "elect": 10}


def test_without_an_old_leader_nothing_is_detected():
    failover = Failover()
    failover.heard_ms = None
    assert failover.to(Role.UNATTACHED, Role.PROSPECTIVE, 1_300).elected(1_310).sums() == {"elect": 10}


@pytest.mark.parametrize("after", TRANSITIONS[Role.LEADER])
@pytest.mark.parametrize("is_committed", [False, True])
def test_a_leadership_that_ends_before_it_is_active_ends_the_measurement(is_committed, after):
    """The commit and the activation of a later epoch are not counted from an election before."""
    failover = won()
    if is_committed:
        failover.phases.committed(EPOCH_START + 1, 1_360)
    failover.to(Role.LEADER, after, 1_400)
    failover.phases.committed(EPOCH_START + 9, 9_000)
    failover.phases.activated(9_010)
    assert failover.sums() == {"detect": 300, "elect": 50} | ({"commit": 10} if is_committed else {})


def test_a_controller_measures_its_own_election():
    """The only voter has no leader to miss; the rest is counted once, up to its activation."""
    clock = ManualClock()
    node = LoneController(host_clock_ms=clock.now_ms).settle()
    assert node.host.active_epoch is not None
    counts = {phase.value: times.count for phase, times in node.host.failovers.times.items()}
    assert counts == {"detect": 0, "elect": 1, "commit": 1, "activate": 1}
    assert FailoverPhase("activate") in node.host.failovers.times
