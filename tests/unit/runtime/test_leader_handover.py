"""A leader with a bad disk hands over: to a voter that is close behind, and seldom."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from kraftpy.model.errors import LocalError
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import ReplicaProgress
from kraftpy.raft.ready import Role
from kraftpy.runtime.inbox import Inbox
from kraftpy.runtime.leader_handover import (
    CAUGHT_UP_MS_MAX,
    FULL_DISK_PAUSE_MS,
    PAUSE_MS,
    LeaderHandover,
    SlowDiskHandover,
    successor_among,
)
from kraftpy.runtime.slow_disk import SLOW_FLUSH_MS, WINDOW_MS

NOW_MS = 1_000_000


def progress(node_id, *, end=100, caught_up_ms=NOW_MS):
    return ReplicaProgress(
        key=ReplicaKey(node_id), log_end_offset=end, last_fetch_ms=NOW_MS, last_caught_up_ms=caught_up_ms
    )


@pytest.mark.parametrize(
    ("others", "chosen"),
    [
        ([progress(2, end=90), progress(3, end=95)], 3),
        ([progress(2), progress(3)], 2),
        ([progress(2, end=99, caught_up_ms=NOW_MS - CAUGHT_UP_MS_MAX - 1), progress(3, end=90)], 3),
        ([progress(2, caught_up_ms=NOW_MS - CAUGHT_UP_MS_MAX)], 2),
        ([progress(2, caught_up_ms=None), progress(3, caught_up_ms=0)], None),
        ([], None),
    ],
)
def test_the_successor_is_the_voter_that_lacks_least(others, chosen):
    """The leader itself is none, and none that has not been level for a while."""
    assert successor_among([progress(1, end=200), *others], 1, NOW_MS) == chosen


class Replica:
    """As much of a replica as hands over."""

    def __init__(self):
        self.key = ReplicaKey(1)
        self.role = Role.LEADER
        self.epoch = 4
        self.hands_over = False
        self.others = [progress(2)]
        self.error = None
        self.begun = []

    def describe(self, now_ms):
        return SimpleNamespace(voters=(progress(1), *self.others))

    def begin_transfer(self, now_ms, epoch, successor):
        if self.error is not None:
            raise self.error
        self.begun.append((epoch, successor))


def test_it_hands_over_once_in_a_while():
    """Where all disks are bad, the leadership does not go round and round."""
    replica = Replica()
    handover = LeaderHandover(replica)
    with capture_logs() as lines:
        assert handover.attempt(NOW_MS, "why")
    assert [(one["event"], one["successor"], one["reason"]) for one in lines] == [("leader_hands_over", 2, "why")]
    assert not handover.attempt(NOW_MS + PAUSE_MS - 1, "why")
    assert replica.begun == [(4, 2)]
    replica.others = [progress(2, caught_up_ms=NOW_MS + PAUSE_MS)]
    assert handover.attempt(NOW_MS + PAUSE_MS, "why")


def test_a_full_disk_waits_less_than_a_slow_one():
    """A leader that refuses requests leads on as long as one that is slow."""
    replica = Replica()
    handover = LeaderHandover(replica)
    assert handover.attempt(NOW_MS, "slow")
    again_ms = NOW_MS + FULL_DISK_PAUSE_MS
    replica.others = [progress(2, caught_up_ms=again_ms)]
    assert not handover.attempt(again_ms - 1, "full", FULL_DISK_PAUSE_MS)
    assert not handover.attempt(again_ms, "slow")
    assert handover.attempt(again_ms, "full", FULL_DISK_PAUSE_MS)


@pytest.mark.parametrize(
    "change",
    [{"role": Role.FOLLOWER}, {"hands_over": True}, {"others": []}, {"error": LocalError("a voter is being added")}],
)
def test_an_attempt_that_does_not_begin_costs_nothing(change):
    """The next one may begin at once."""
    replica = Replica()
    handover, before = LeaderHandover(replica), dict(vars(replica))
    vars(replica).update(change)
    assert not handover.attempt(NOW_MS, "why")
    assert replica.begun == []
    vars(replica).update(before)
    assert handover.attempt(NOW_MS, "why")


class SlowLeader:
    """A driver whose flushes a test ends, and the handover that follows."""

    def __init__(self):
        self.replica = Replica()
        self.inbox = Inbox()
        self.now_ms = NOW_MS
        self.clock = SimpleNamespace(now_ms=lambda: self.now_ms)
        self.handover = LeaderHandover(self.replica)
        SlowDiskHandover(self, self.handover)

    def flush(self, times=1, *, took_ms=SLOW_FLUSH_MS, is_overtaken=True):
        for _ in range(times):
            self.now_ms += 1_000
            self.replica.others = [progress(2, caught_up_ms=self.now_ms)]
            self.on_flush(took_ms, is_overtaken)
            self.inbox.work_off(self.now_ms, lambda: 0)


LONG = WINDOW_MS // 1_000 + 1


def test_a_leader_whose_disk_is_the_slowest_hands_over():
    """After the window, in the turn after the flush, and with the reason."""
    leader = SlowLeader()
    leader.flush(LONG - 1)
    assert leader.replica.begun == []
    with capture_logs() as lines:
        leader.flush()
    assert (leader.replica.begun, leader.handover.count) == ([(4, 2)], 1)
    assert f"a flush takes {SLOW_FLUSH_MS} ms here" in lines[0]["reason"]
    leader.flush(PAUSE_MS // 1_000 - 1)
    assert leader.handover.count == 1, "not again so soon"
    leader.flush()
    assert leader.handover.count == 2


@pytest.mark.parametrize("flush", [{"took_ms": SLOW_FLUSH_MS - 1}, {"is_overtaken": False}])
def test_a_leader_with_another_disk_leads_on(flush):
    leader = SlowLeader()
    leader.flush(3 * LONG, **flush)
    assert leader.replica.begun == []


def test_the_flushes_of_a_follower_do_not_count():
    """Nor those before it lost the leadership."""
    leader = SlowLeader()
    leader.flush(LONG - 1)
    leader.replica.role = Role.FOLLOWER
    leader.flush(LONG)
    leader.replica.role = Role.LEADER
    leader.flush(LONG - 1)
    assert leader.replica.begun == []
    leader.flush()
    assert leader.replica.begun == [(4, 2)]
