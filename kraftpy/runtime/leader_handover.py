"""Hand the leadership to another voter, because this node's disk makes it a bad leader.

The leader does not know how the others' disks are. So it hands over at most once in :data:`PAUSE_MS`, and because of a
full disk in :data:`FULL_DISK_PAUSE_MS`: where all disks are bad, the leadership goes round once in that time, and the
node that has it then leads on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog

from kraftpy.model.errors import LocalError
from kraftpy.model.ids import NodeId
from kraftpy.raft.messages import ReplicaProgress
from kraftpy.raft.ready import Role
from kraftpy.raft.replica import Replica
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.slow_disk import SLOW_FLUSH_MS, SlowDiskDetector

_log = structlog.get_logger("kraftpy.node")

PAUSE_MS: Final = 300_000
"""How long a node leads on that has the leadership again after it handed it over because its disk is slow."""

FULL_DISK_PAUSE_MS: Final = 30_000
"""The same because its disk is full: such a leader refuses requests, and a slow one does not."""

CAUGHT_UP_MS_MAX: Final = 2_000
"""A successor had everything that the leader had at most this long ago; the rest it gets while nothing is proposed."""


def successor_among(voters: Sequence[ReplicaProgress], own_id: NodeId, now_ms: int) -> NodeId | None:
    """Choose the voter that would have the least to catch up; ``None`` while none is close behind.

    Args:
        voters: as the leader knows them, itself included.
        own_id: the leader's.
        now_ms: by its clock.
    """
    close = [
        one
        for one in voters
        if one.key.node_id != own_id
        and one.last_caught_up_ms is not None
        and now_ms - one.last_caught_up_ms <= CAUGHT_UP_MS_MAX
    ]
    chosen = max(close, key=lambda one: (one.log_end_offset or 0, -one.key.node_id), default=None)
    return None if chosen is None else chosen.key.node_id


class LeaderHandover:
    """Hands over what this node leads, seldom.

    Args:
        replica: the node's.

    Attributes:
        count: how often it has begun to.
    """

    def __init__(self, replica: Replica) -> None:
        self.count = 0
        self._replica = replica
        self._last_ms: int | None = None

    def attempt(self, now_ms: int, reason: str, pause_ms: int = PAUSE_MS) -> bool:
        """Begin to hand over, if this node leads and another voter could; return whether it began.

        Called in the driver's turn.

        Args:
            now_ms: the turn's time.
            reason: for the log.
            pause_ms: how long ago the last time must be.
        """
        replica = self._replica
        if replica.role is not Role.LEADER or replica.hands_over:
            return False
        if self._last_ms is not None and now_ms - self._last_ms < pause_ms:
            return False
        successor = successor_among(replica.describe(now_ms).voters, replica.key.node_id, now_ms)
        if successor is None:
            return False
        try:
            replica.begin_transfer(now_ms, replica.epoch, successor)
        except LocalError as error:
            # A change of the voters goes on, for example; the next attempt may do better.
            _log.debug("leader_handover_not_begun", successor=successor, reason=str(error))
            return False
        self._last_ms = now_ms
        self.count += 1
        _log.warning("leader_hands_over", successor=successor, reason=reason)
        return True


class SlowDiskHandover:
    """Hands over when the disk of a leader is the slowest of its quorum.

    Args:
        driver: whose flushes are judged.
        handover: away from this node.
    """

    def __init__(self, driver: Driver, handover: LeaderHandover) -> None:
        self._driver = driver
        self._handover = handover
        self._detector = SlowDiskDetector()
        driver.on_flush = self._flushed

    def _flushed(self, took_ms: float, is_overtaken: bool) -> None:  # noqa: FBT001 - as the driver calls it
        driver, detector = self._driver, self._detector
        if driver.replica.role is not Role.LEADER:
            detector.reset()
            return
        now_ms = driver.clock.now_ms()
        detector.flushed(now_ms, took_ms, is_overtaken=is_overtaken)
        if took_ms >= SLOW_FLUSH_MS and detector.is_slowest(now_ms):
            # The turn goes on with what this flush was for; the transfer begins in the next one.
            driver.inbox.put_unbounded(self._attempt)

    def _attempt(self, now_ms: int) -> None:
        median_ms = round(self._detector.median_ms())
        reason = f"a flush takes {median_ms} ms here, and the others commit before it ends"
        if self._handover.attempt(now_ms, reason):
            self._detector.reset()
