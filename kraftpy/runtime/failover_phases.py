"""How long each part of a failover takes, measured by the controller that takes over.

==========  ============================================================================================
detect      from the last answer of the old leader to a fetch of this replica, until its candidacy
elect       from its candidacy, pre-votes included, until a majority has voted for it
commit      from there until the first record of its epoch, LEADER_CHANGE, is committed
activate    from there until the records before it are loaded and the controller decides on writes
==========  ============================================================================================

Each part begins where the one before it ended, so their sum is how long no write was decided, as seen from here. A
candidacy that another one, or the old leader, puts an end to counts nowhere: only who is elected counts, and a later
part only once it is over. A replica that never fetched from a leader, or led last itself, detected nothing.

Times are those of the turns in which the controller loop hears of a change.

Source: ``bench.phases``, which reads the same from logs; its ``activate`` is ``commit`` and ``activate`` here.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from kraftpy.model.offsets import Offset
from kraftpy.raft.ready import Elected, Event, Role, RoleChanged
from kraftpy.runtime.durations import DurationCounts


class FailoverPhase(enum.Enum):
    """A part of a failover, in order."""

    DETECT = "detect"
    ELECT = "elect"
    COMMIT = "commit"
    ACTIVATE = "activate"


class FailoverPhases:
    """The failovers to one controller since its process started.

    Attributes:
        times: how long each part took.
    """

    __slots__ = ("_candidate_since_ms", "_epoch_start_offset", "_leader_heard_ms", "_phase_since_ms", "times")

    def __init__(self) -> None:
        self.times: Mapping[FailoverPhase, DurationCounts] = {phase: DurationCounts() for phase in FailoverPhase}
        self._leader_heard_ms: int | None = None
        self._candidate_since_ms: int | None = None
        # Of an epoch that this replica leads, until its first record is committed.
        self._epoch_start_offset: Offset | None = None
        # When the part began that is not over yet; None before the election and after the activation.
        self._phase_since_ms: int | None = None

    def on_event(self, event: Event, leader_heard_ms: int | None, now_ms: int) -> None:
        """Follow the replica's role.

        Args:
            event: of the replica.
            leader_heard_ms: when a leader last answered the replica, as ``Replica.leader_heard_ms``.
            now_ms: by the same clock.
        """
        if isinstance(event, RoleChanged) and event.before is Role.LEADER:
            # Its epoch is over, whatever it is now: no part of it counts any more.
            self._epoch_start_offset = self._phase_since_ms = None
        if isinstance(event, Elected):
            self._elected(event, now_ms)
        elif isinstance(event, RoleChanged) and event.after in {Role.PROSPECTIVE, Role.CANDIDATE}:
            if self._candidate_since_ms is None:
                self._candidate_since_ms, self._leader_heard_ms = now_ms, leader_heard_ms
        elif isinstance(event, RoleChanged) and event.after is Role.FOLLOWER:
            self._candidate_since_ms = None

    def _elected(self, event: Elected, now_ms: int) -> None:
        since_ms = now_ms if self._candidate_since_ms is None else self._candidate_since_ms
        if self._leader_heard_ms is not None:
            self.times[FailoverPhase.DETECT].add(max(0, since_ms - self._leader_heard_ms))
        self.times[FailoverPhase.ELECT].add(now_ms - since_ms)
        self._candidate_since_ms = self._leader_heard_ms = None
        self._epoch_start_offset, self._phase_since_ms = event.epoch_start_offset, now_ms

    def committed(self, high_watermark: Offset | None, now_ms: int) -> None:
        """Hear up to where the log is committed; it counts once in an epoch."""
        start, since_ms = self._epoch_start_offset, self._phase_since_ms
        if start is not None and since_ms is not None and high_watermark is not None and high_watermark > start:
            self.times[FailoverPhase.COMMIT].add(now_ms - since_ms)
            self._epoch_start_offset, self._phase_since_ms = None, now_ms

    def activated(self, now_ms: int) -> None:
        """Hear that the controller decides from now on."""
        if self._phase_since_ms is not None and self._epoch_start_offset is None:
            self.times[FailoverPhase.ACTIVATE].add(now_ms - self._phase_since_ms)
            self._phase_since_ms = None
